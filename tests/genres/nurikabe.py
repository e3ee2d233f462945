"""Nurikabe: the sea is connected and fills no 2x2 square; each island has one number, its size, or ?."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, labels, numbered, outline, shadings, squared, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.choice([1, 1, 2, 2, 3, 4]) for cell in random.sample(cells, random.randint(1, 4))}
    return toml(puzzle='"nurikabe"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a sea keeps the rules."""
    return not squared(answer) and connected(answer) and numbered(board["numbers"], answer)
