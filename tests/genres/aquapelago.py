"""Aquapelago: shaded cells do not touch, the others are connected without a 2x2 square; a number counts its group."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, labels, numbers, outline, shadings, squared, tokens
from tests.rules import connected, touching
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.choice([1, 2, 2, 3, 4]) for cell in random.sample(cells, random.randint(0, 3))}
    return toml(puzzle='"aquapelago"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading with the cells that have a number."""
    clues = labels(board["numbers"]).keys()
    return shadings(tokens(board["numbers"]).keys() - clues, clues)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    white = tokens(board["numbers"]).keys() - answer
    if any(beside(cell) & answer for cell in answer) or squared(white) or not connected(white):
        return False
    for cell, number in numbers(board["numbers"]).items():
        group = [cell]
        for one in group:
            group += sorted(touching(one) & answer - {*group})
        if len(group) != number:
            return False
    return labels(board["numbers"]).keys() <= answer
