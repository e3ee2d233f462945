"""Oasis: shaded cells do not touch, the others are connected, without squares; numbers count circles within reach."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, labels, numbers, outline, shadings, squared, tokens
from tests.rules import Cell, connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few circles."""
    cells = outline(random, 12)
    circles = {cell: random.randint(0, 3) for cell in random.sample(cells, random.randint(1, 4))}
    return toml(puzzle='"oasis"', circles=grid(blurred(random, circles), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a circle."""
    return shadings(tokens(board["circles"]).keys() - labels(board["circles"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    white, circles = tokens(board["circles"]).keys() - answer, {*labels(board["circles"])}
    right = all(within(cell, white, circles) == number for cell, number in numbers(board["circles"]).items())
    return right and connected(white) and not squared(white) and not any(beside(cell) & answer for cell in answer)


def within(circle: Cell, white: set[Cell], circles: set[Cell]) -> int:
    """Return how many other circles are reached from a circle over cells without circles."""
    found, reached = {circle}, [circle]
    for cell in reached:
        new = (beside(cell) & white) - found if cell == circle or cell not in circles else set[Cell]()
        found |= new
        reached += new
    return len(found & circles) - 1
