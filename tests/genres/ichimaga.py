"""Ichimaga: lines that turn once at most join all circles; a number is how many lines its circle has."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, drawings, joins, labels, reached, size, tokens
from tests.rules import Cell
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few circles."""
    cells = size(random, 12)
    circles = {cell: random.choice([1, 1, 2, 2, 3]) for cell in random.sample(cells, random.randint(2, 4))}
    return toml(puzzle='"ichimaga"', circles=grid(blurred(random, circles), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to draw as many lines at each circle as it says, and two or none in other cells."""
    circles = labels(board["circles"])
    several = {cell: range(5) if number == UNKNOWN else (int(number),) for cell, number in circles.items()}
    return drawings(tokens(board["circles"]), {cell: several.get(cell, (0, 2)) for cell in tokens(board["circles"])})


def keeps(board: Board, answer: Told) -> bool:
    """Return whether lines join all circles, and none turns twice."""
    joined, circles = joins(answer), labels(board["circles"])
    there = circles.keys() <= joined.keys() and reached(next(iter(circles)), joined) == joined.keys()
    return there and all(turns(cell, other, joined, circles) < 2 for cell in circles for other in joined[cell])


def turns(cell: Cell, other: Cell, joined: dict[Cell, set[Cell]], circles: dict[Cell, str]) -> int:
    """Return how often a line turns that goes from a circle to a cell beside it, up to the next circle."""
    number = 0
    while other not in circles:
        (after,) = joined[other] - {cell}
        number += after != (2 * other[0] - cell[0], 2 * other[1] - cell[1])
        cell, other = other, after
    return number
