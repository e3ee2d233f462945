"""Yin-Yang: black cells are connected, white ones are, and no 2x2 square is of one color."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, labels, outline, shadings, squared, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    circles = {cell: random.choice("bw") for cell in random.sample(cells, random.randint(0, 4))}
    return toml(puzzle='"yin-yang"', circles=grid(circles, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["circles"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    printed = all((color == "b") == (cell in answer) for cell, color in labels(board["circles"]).items())
    colors = answer, tokens(board["circles"]).keys() - answer
    return printed and all(connected(cells) and not squared(cells) for cells in colors)
