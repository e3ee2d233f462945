"""Context: shaded cells do not touch, the others are connected; a number counts those beside it, or at its corners."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, numbers, outline, shadings, tokens
from tests.rules import connected, touching
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    clues = {cell: random.choice([0, 1, 1, 2, 2, 3]) for cell in random.sample(cells, random.randint(0, 4))}
    return toml(puzzle='"context"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["numbers"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    for cell, number in numbers(board["numbers"]).items():
        counted = touching(cell) - beside(cell) if cell in answer else beside(cell)
        if len(counted & answer) != number:
            return False
    return not any(beside(cell) & answer for cell in answer) and connected(tokens(board["numbers"]).keys() - answer)
