"""Dotchi-Loop: one loop visits all white circles and no black ones; in a region it turns at all white ones, or none."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, cut, joins, labels, loop_drawings, one_loop, size, straight, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few circles."""
    cells = size(random, 16)
    regions = cut(random, cells, random.randint(2, 4))
    circles = {cell: random.choice("wwwwb") for cell in random.sample(cells, random.randint(0, 4))}
    return toml(
        puzzle='"dotchi-loop"', regions=grid(regions, cells, *cells[-1]), circles=grid(circles, cells, *cells[-1])
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none."""
    return loop_drawings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop that goes through the circles as it should."""
    region, circles, joined = tokens(board["regions"]), labels(board["circles"]), joins(answer)
    if not one_loop(answer) or any((cell in joined) != (circle == "w") for cell, circle in circles.items()):
        return False
    ways = {(region[cell], straight(cell, joined)) for cell, circle in circles.items() if circle == "w"}
    return len(ways) == len(dict(ways))
