"""View: numbers in some cells, connected; each counts the blank cells that it sees, and equal ones share no side."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, labels, outline, pairs, printed, seen, some, tokens
from tests.rules import Cell, connected, subsets
from tests.strategies import grid, toml

# The number of a blank cell.
BLANK = 99


def draw(random: Random) -> str:
    """Return a small board; a number that is printed may be wrong."""
    cells = outline(random, 12)
    told = frozenset((*cell, random.randint(0, 3)) for cell in cells)
    given = blurred(random, some(random, told, 2))
    return toml(puzzle='"view"', givens=grid(given, cells, *cells[-1]))


def counted(filled: set[Cell], cells: set[Cell]) -> dict[Cell, int]:
    """Return how many blank cells are seen from each cell with a number."""
    return {cell: len(seen(cell, cells - filled)) for cell in filled}


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to fill some cells with the number of blank cells that they see."""
    cells = {*tokens(board["givens"])}
    for filled in subsets(cells):
        value = counted({*filled}, cells)
        yield frozenset((*cell, value.get(cell, BLANK)) for cell in cells)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules."""
    value = {(r, c): v for r, c, v in answer if v != BLANK}
    unknown = {cell for cell, token in labels(board["givens"]).items() if token == UNKNOWN}
    apart = all(value[one] != value[other] for one, other in pairs(value))
    counts = value == counted({*value}, {(r, c) for r, c, _ in answer})
    return printed(board, answer) and value != {} and apart and counts and connected(value) and unknown <= value.keys()
