"""Choco Banana: shaded groups are rectangles, the others are not; a number is the size of its group."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, numbers, outline, parts, rectangular, shadings, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    clues = {
        cell: min(len(cells), random.choice([1, 2, 3, 3, 4, 5])) for cell in random.sample(cells, random.randint(0, 3))
    }
    return toml(puzzle='"choco-banana"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["numbers"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    shaded, others = [*parts(answer)], [*parts(tokens(board["numbers"]).keys() - answer)]
    size = {cell: len(group) for group in shaded + others for cell in group}
    right = all(size[cell] == number for cell, number in numbers(board["numbers"]).items())
    return right and all(map(rectangular, shaded)) and not any(map(rectangular, others))
