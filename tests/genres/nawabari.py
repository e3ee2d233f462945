"""Nawabari: the board is cut into rectangles with one number each, which counts the sides of its cell on the border."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, beside, blurred, labels, outline, partitions, rectangular, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 9)
    clues = {cell: random.choice([1, 2, 2, 3, 3]) for cell in random.sample(cells, random.randint(2, 4))}
    return toml(puzzle='"nawabari"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to cut the board into areas."""
    return partitions(tokens(board["numbers"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether areas keep the rules."""
    clues = labels(board["numbers"])
    for area in answer:
        inside = [cell for cell in area if cell in clues]
        if len(inside) != 1 or not rectangular(area):
            return False
        if clues[inside[0]] not in {UNKNOWN, str(len(beside(inside[0]) - area))}:
            return False
    return True
