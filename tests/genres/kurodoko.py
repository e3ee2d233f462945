"""Kurodoko: shaded cells do not touch, the others are connected; a number counts the unshaded cells that it sees."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, labels, numbers, outline, seen, shadings, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.randint(2, min(5, len(cells))) for cell in random.sample(cells, random.randint(0, 3))}
    return toml(puzzle='"kurodoko"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    white = tokens(board["numbers"]).keys() - answer
    right = all(len(seen(cell, white)) + 1 == number for cell, number in numbers(board["numbers"]).items())
    return right and not any(beside(cell) & answer for cell in answer) and connected(white)
