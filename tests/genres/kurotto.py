"""Kurotto: a number in a circle counts the cells of the shaded groups beside it."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, groups, labels, numbers, outline, shadings, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    clues = {cell: random.randint(0, min(5, len(cells))) for cell in random.sample(cells, random.randint(1, 4))}
    return toml(puzzle='"kurotto"', circles=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a circle."""
    return shadings(tokens(board["circles"]).keys() - labels(board["circles"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    return all(len(groups(cell, answer)) == number for cell, number in numbers(board["circles"]).items())
