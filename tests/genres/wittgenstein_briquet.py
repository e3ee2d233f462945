"""Wittgenstein Briquet: straight lines of three cells; the others are connected; numbers count cells with lines."""

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.genres import Board, Told, beside, blurred, labels, numbers, size, tokens
from tests.rules import Cell, connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few numbers."""
    cells = size(random, 16)
    printed = {cell: random.choice([0, 1, 1, 2, 3]) for cell in random.sample(cells, random.randint(1, 3))}
    return toml(puzzle='"wittgenstein-briquet"', numbers=grid(blurred(random, printed), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to draw lines of three cells that share none."""
    return lines(sorted(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys()))


def lines(cells: list[Cell]) -> Iterator[Told]:
    """Yield every way to draw such lines over some cells, which are in order."""
    if not cells:
        yield frozenset()
        return
    (r, c), rest = cells[0], cells[1:]
    yield from lines(rest)
    for y, x in ((0, 1), (1, 0)):
        more = [(r + y, c + x), (r + 2 * y, c + 2 * x)]
        if {*more} <= {*rest}:
            line = frozenset[Any]({(r, c, *more[0], 1), (*more[0], *more[1], 1)})
            yield from (line | drawn for drawn in lines([cell for cell in rest if cell not in more]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether the cells without lines are connected, and numbers right."""
    visited = {cell for line in answer for cell in (line[:2], line[2:4])}
    right = all(len(beside(cell) & visited) == number for cell, number in numbers(board["numbers"]).items())
    return right and connected(tokens(board["numbers"]).keys() - visited)
