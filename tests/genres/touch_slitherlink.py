"""Touch Slitherlink: one loop along the edges of cells; a number is how many times it touches its cell."""

from collections.abc import Iterator
from random import Random

from tests.genres import (
    Board,
    Told,
    blurred,
    corners,
    drawings,
    edges,
    filled,
    flags,
    joins,
    numbers,
    one_loop,
    reached,
    size,
    tokens,
)
from tests.rules import Cell
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few numbers."""
    cells = size(random, 6)
    printed = {cell: random.choice([0, 1, 1, 2, 2, 3]) for cell in random.sample(cells, random.randint(1, 3))}
    return toml(puzzle='"touch-slitherlink"', numbers=grid(blurred(random, printed), cells, *cells[-1])) + flags(
        random, "full"
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each corner to two others or none."""
    nodes = corners(tokens(board["numbers"]))
    return drawings(nodes, dict.fromkeys(nodes, (0, 2)))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop that touches cells as often as it should."""
    right = all(touches(cell, answer) == number for cell, number in numbers(board["numbers"]).items())
    return right and one_loop(answer) and filled(board, answer, corners(tokens(board["numbers"])))


def touches(cell: Cell, answer: Told) -> int:
    """Return how many parts of a loop lie on the edges and corners of a cell."""
    visited = corners([cell]) & joins(answer).keys()
    along = joins(frozenset(edges(cell) & answer))
    return len({frozenset(reached(corner, along)) if corner in along else corner for corner in visited})
