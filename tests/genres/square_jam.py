"""Square Jam: the board is cut into squares; a number is the side of its square, and no four meet in a point."""

from collections.abc import Collection, Iterator
from itertools import product
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, four_meet, labels, outline, partitions, tokens
from tests.rules import Cell
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 20)
    clues = {cell: random.choice([1, 1, 2, 2, 3]) for cell in random.sample(cells, random.randint(0, 2))}
    return toml(puzzle='"square-jam"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to cut the board into squares."""
    return partitions(tokens(board["numbers"]), squares_from)


def squares_from(first: Cell, _cells: Collection[Cell]) -> list[frozenset[Cell]]:
    """Return the squares with up to five cells a side whose upper left cell is this one."""
    r, c = first
    return [frozenset(product(range(r, r + side), range(c, c + side))) for side in range(1, 6)]


def keeps(board: Board, answer: Told) -> bool:
    """Return whether squares keep the rules."""
    of = {cell: square for square in answer for cell in square}
    clues = labels(board["numbers"]).items()
    fits = all(number == UNKNOWN or int(number) ** 2 == len(of[cell]) for cell, number in clues)
    return fits and not four_meet(answer)
