"""Kurochute: shaded cells do not touch, the others are connected; one cell that is N away from a number N is shaded."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, labels, numbers, outline, shadings, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.choice([1, 1, 2, 2, 3]) for cell in random.sample(cells, random.randint(0, 4))}
    return toml(puzzle='"kurochute"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    for (r, c), number in numbers(board["numbers"]).items():
        if len({(r + number * y, c + number * x) for y, x in beside((0, 0))} & answer) != 1:
            return False
    white = tokens(board["numbers"]).keys() - answer
    return connected(white) and not any(beside(cell) & answer for cell in answer)
