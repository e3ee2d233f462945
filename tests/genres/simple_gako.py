"""Simple Gako: a number is how many cells of its row and its column together have this number."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import Board, Told, blurred, printed, size, some, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few numbers."""
    cells = size(random, 6)
    answers = [*filter(is_counted, fillings(cells))]
    given = some(random, random.choice(answers), 3) if answers else {}
    return toml(puzzle='"simple-gako"', givens=grid(blurred(random, given), cells, *cells[-1]))


def fillings(cells: list[tuple[int, int]]) -> Iterator[Told]:
    """Yield every way to fill the cells."""
    rows, columns = max(cells)
    for values in product(range(1, rows + columns), repeat=len(cells)):
        yield frozenset((*cell, value) for cell, value in zip(cells, values, strict=True))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to fill the board."""
    return fillings([*tokens(board["givens"])])


def is_counted(answer: Told) -> bool:
    """Return whether each number is how many cells of its row and column have it."""
    return all(
        sum(v == value and (r == row or c == column) for r, c, v in answer) == value for row, column, value in answer
    )


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules."""
    return printed(board, answer) and is_counted(answer)
