"""Double Back: one loop visits every cell, and every region twice."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, crossings, cut, drawings, one_loop, size, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = size(random, 20)
    regions = cut(random, cells, random.randint(2, 3))
    return toml(puzzle='"double-back"', regions=grid(regions, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others."""
    cells = tokens(board["regions"])
    return drawings(cells, dict.fromkeys(cells, (2,)))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop that visits each region twice."""
    region = tokens(board["regions"])
    crossed = crossings(region, answer)
    return one_loop(answer) and all(sum(name in pair for pair in crossed) == 4 for name in region.values())
