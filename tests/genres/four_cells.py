"""Four Cells: the board is cut into areas of four cells; a number counts the sides of its cell on a border."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, areas_of, beside, blurred, numbers, outline, partitions, tokens
from tests.strategies import grid, toml


def draw(random: Random, genre: str = "four-cells", size: int = 4) -> str:
    """Return a small board, which usually has a whole number of areas."""
    cells = outline(random, 12)
    while len(cells) % size and random.random() < 0.9:
        cells = outline(random, 12)
    clues = {cell: random.choice([1, 2, 2, 3]) for cell in random.sample(cells, random.randint(0, 2))}
    return toml(puzzle=f'"{genre}"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board, size: int = 4) -> Iterator[Told]:
    """Yield every way to cut the board into connected areas of so many cells."""
    cells = tokens(board["numbers"])
    return partitions(cells, lambda first, left: [a for a in areas_of(first, left, size) if len(a) == size])


def keeps(board: Board, answer: Told) -> bool:
    """Return whether areas keep the rules."""
    of = {cell: area for area in answer for cell in area}
    return all(len(beside(cell) - of[cell]) == number for cell, number in numbers(board["numbers"]).items())
