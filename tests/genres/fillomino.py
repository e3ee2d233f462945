"""Fillomino: connected equal numbers are as many as the number says."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import Board, Told, beside, blurred, printed, size, some, tokens
from tests.rules import Cell
from tests.strategies import grid, toml

# The numbers to try: the largest one, for so many cells.
MOST = {4: 5, 6: 5, 8: 3, 9: 3}


def _group(value: dict[Cell, int], cell: Cell) -> set[Cell]:
    """Return the cells with the same number that are connected with a cell."""
    found, waiting = set[Cell](), [cell]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += [other for other in beside(one) if value.get(other) == value[cell]]
    return found


def draw(random: Random) -> str:
    """Return a small board, most with some numbers of an answer."""
    cells = size(random, 9)
    rows, columns = cells[-1]
    board = {"givens": grid({}, cells, rows, columns).strip('"'), "largest": random.choice([MOST[len(cells)], 3])}
    found = [answer for answer in tries(board) if keeps(board, answer)]
    given = some(random, random.choice(found), 4) if found else {}
    if given and random.random() < 0.2:
        given[random.choice([*given])] = random.randint(1, 3)
    return toml(
        puzzle='"fillomino"', givens=grid(blurred(random, given), cells, rows, columns), largest=board["largest"]
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to fill the board."""
    cells = [*tokens(board["givens"])]
    for values in product(range(1, board.get("largest", 9) + 1), repeat=len(cells)):
        yield frozenset((*cell, value) for cell, value in zip(cells, values, strict=True))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules."""
    value = {(r, c): v for r, c, v in answer}
    return printed(board, answer) and all(len(_group(value, cell)) == number for cell, number in value.items())
