"""Gokigen: each cell has one of two diagonals; they close no loop, and a number counts those that end at its corner."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import Board, Told, corner_numbers, joins, numbers, reached, size
from tests.rules import Cell
from tests.strategies import rectangle, toml


def draw(random: Random) -> str:
    """Return a small board with some numbers at corners."""
    board = size(random, 9)[-1]
    return toml(puzzle='"gokigen"', size=[*board], numbers=corner_numbers(random, board, 5, 2))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of a diagonal for each cell."""
    cells = [*rectangle(*board["size"])]
    for values in product((1, 2), repeat=len(cells)):
        yield frozenset((*cell, value) for cell, value in zip(cells, values, strict=True))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether as many diagonals end at each number, and no diagonal joins what others join."""
    lines = {diagonal(*told) for told in answer}
    met = joins(frozenset((*one, *other, 1) for one, other in lines))
    right = all(len(met.get(corner, ())) == number for corner, number in numbers(board["numbers"]).items())
    # Without loops, each connected part has one corner more than it has diagonals.
    parts = {frozenset(reached(corner, met)) for corner in met}
    return right and len(lines) == sum(len(part) - 1 for part in parts)


def diagonal(r: int, c: int, value: int) -> tuple[Cell, Cell]:
    """Return the ends of the diagonal of a cell."""
    return ((r, c), (r + 1, c + 1)) if value == 1 else ((r, c + 1), (r + 1, c))
