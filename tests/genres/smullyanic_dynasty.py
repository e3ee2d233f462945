"""Smullyanic Dynasty: unshaded numbers count the shaded cells in the square around them, and shaded ones do not."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, numbers, outline, shadings, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 14)
    clues = {cell: random.randint(0, 4) for cell in random.sample(cells, random.randint(0, min(6, len(cells))))}
    return toml(puzzle='"smullyanic-dynasty"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells."""
    return shadings(tokens(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    cells = tokens(board["numbers"]).keys()
    for (r, c), number in numbers(board["numbers"]).items():
        square = {(r + y, c + x) for y in (-1, 0, 1) for x in (-1, 0, 1)}
        if (len(square & answer) == number) == ((r, c) in answer):
            return False
    return not any(beside(cell) & answer for cell in answer) and connected(cells - answer)
