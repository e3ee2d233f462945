"""Norinuri: shaded dominoes around islands, each of which has one number: its size."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, labels, numbered, outline, shadings, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.choice([1, 1, 2, 2, 3, 4]) for cell in random.sample(cells, random.randint(1, 4))}
    return toml(puzzle='"norinuri"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    return all(len(beside(cell) & answer) == 1 for cell in answer) and numbered(board["numbers"], answer)
