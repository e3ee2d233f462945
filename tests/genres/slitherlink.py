"""Slitherlink: one loop along the edges of cells; a number is how many edges of its cell it has."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, drawings, numbers, one_loop, size, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few numbers."""
    cells = size(random, 6)
    printed = {cell: random.choice([0, 1, 2, 2, 3, 3]) for cell in random.sample(cells, random.randint(1, 3))}
    return toml(puzzle='"slitherlink"', numbers=grid(blurred(random, printed), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each corner to two others or none."""
    corners = {(r + y, c + x) for r, c in tokens(board["numbers"]) for y in (0, 1) for x in (0, 1)}
    return drawings(corners, dict.fromkeys(corners, (0, 2)))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop with as many edges of cells as it should have."""
    for (r, c), number in numbers(board["numbers"]).items():
        across = {(r, c, r, c + 1, 1), (r + 1, c, r + 1, c + 1, 1)}
        down = {(r, c, r + 1, c, 1), (r, c + 1, r + 1, c + 1, 1)}
        if len((across | down) & answer) != number:
            return False
    return one_loop(answer)
