"""Detour: one loop visits every cell; a number is in how many cells of its region the loop turns."""

from collections.abc import Iterator
from random import Random

from tests.genres import (
    UNKNOWN,
    Board,
    Told,
    counts_line,
    cut,
    drawings,
    joins,
    one_loop,
    size,
    straight,
    tokens,
)
from tests.rules import members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board, with a number or two."""
    cells = size(random, 20)
    regions = cut(random, cells, random.randint(2, 4))
    counts = {name: random.randint(1, 4) for name in random.sample(sorted({*regions.values()}), random.randint(0, 2))}
    return toml(puzzle='"detour"', regions=grid(regions, cells, *cells[-1])) + counts_line(random, counts)


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others."""
    cells = tokens(board["regions"])
    return drawings(cells, dict.fromkeys(cells, (2,)))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop that turns as often as it should."""
    joined, regions = joins(answer), members(tokens(board["regions"]))
    turns = {name: sum(not straight(cell, joined) for cell in region) for name, region in regions.items()}
    return one_loop(answer) and all(count in {UNKNOWN, turns[name]} for name, count in board["counts"].items())
