"""Rectangle Slider: circles slide straight on, as far as numbers say, and in the end are rectangles of two or more."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, labels, parts, rectangular, size, slid, slides, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few circles."""
    cells = size(random, 12)
    circles = {cell: random.choice([0, 1, 1, 2, 3]) for cell in random.sample(cells, random.randint(1, 4))}
    return toml(puzzle='"rectangle-slider"', circles=grid(blurred(random, circles), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way in which circles may slide."""
    return slides(labels(board["circles"]), tokens(board["circles"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether circles slide to where they should be."""
    ends = slid(labels(board["circles"]), answer)
    return ends is not None and all(len(part) > 1 and rectangular(part) for part in parts(ends))
