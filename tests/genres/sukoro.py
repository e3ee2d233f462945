"""Sukoro: numbers in some cells, connected; each counts the numbers beside it, and equal ones share no side."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, beside, blurred, labels, outline, pairs, printed, some, tokens
from tests.rules import Cell, connected, subsets
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board; a number that is printed may be wrong."""
    cells = outline(random, 12)
    told = frozenset((*cell, random.randint(1, 4)) for cell in cells)
    given = blurred(random, some(random, told, 2))
    return toml(puzzle='"sukoro"', givens=grid(given, cells, *cells[-1]))


def counted(cells: set[Cell]) -> dict[Cell, int]:
    """Return how many of some cells are beside each of them."""
    return {cell: len(beside(cell) & cells) for cell in cells}


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to fill some cells with the number of those beside them."""
    cells = tokens(board["givens"])
    for filled in subsets(cells):
        value = counted({*filled})
        yield frozenset((*cell, value.get(cell, 0)) for cell in cells)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules."""
    value = {(r, c): v for r, c, v in answer if v}
    unknown = {cell for cell, token in labels(board["givens"]).items() if token == UNKNOWN}
    apart = all(value[one] != value[other] for one, other in pairs(value))
    counts = value == counted({*value})
    return printed(board, answer) and value != {} and apart and counts and connected(value) and unknown <= value.keys()
