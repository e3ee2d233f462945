"""What the genres that ship demand, in plain Python, a module for each: from their rules, and not from the `.lp`.

A module has the name of its genre, with _ for -, and three functions:

    draw(random)          a small board, as TOML
    tries(board)          whatever may be an answer of a board
    keeps(board, answer)  whether it is one

Board  the keys of a board, as TOML has them: {"puzzle": "hitori", "numbers": "1 2 2"}
Told   what an answer says: the shaded cells, {(1, 2), (2, 1)}; the number in each cell, {(1, 2, 5), ...}
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

from pyasp_puzzles import Answer
from pyasp_puzzles.boards.grid import EMPTY, OUTSIDE
from tests import rules
from tests.rules import Cell

Board = Mapping[str, Any]
Told = frozenset[Any]


def told(answer: Answer) -> Told:
    """Return what an answer says."""
    if hasattr(answer, "shaded"):
        return frozenset(cell for cell, shaded in answer.shaded.items() if shaded)
    return frozenset((*cell, value) for cell, value in answer.values.items())


# -- Boards ---------------------------------------------------------------------


def labels(grid: str) -> dict[Cell, str]:
    """Return what is in each cell of a grid, without `.` and what is outside of it."""
    return {cell: token for cell, token in tokens(grid).items() if token != EMPTY}


def tokens(grid: str) -> dict[Cell, str]:
    """Return what is in each cell of a grid, `.` if it is empty."""
    rows = [line.split() if " " in line else [*line] for line in grid.strip().splitlines()]
    return {(r, c): token for r, row in enumerate(rows, 1) for c, token in enumerate(row, 1) if token != OUTSIDE}


def numbers(grid: str) -> dict[Cell, int]:
    """Return the number in each cell of a grid that has one."""
    return {cell: int(token) for cell, token in labels(grid).items()}


def beside(cell: Cell) -> set[Cell]:
    """Return the four places that share a side with a cell."""
    r, c = cell
    return {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}


# -- Drawing --------------------------------------------------------------------


def size(random: Random, most: int) -> list[Cell]:
    """Return the cells of a small rectangle of at most so many."""
    sizes = [
        (r, c) for r, c in product(range(1, most + 1), repeat=2) if r * c <= most and min(r, c) >= 2 and max(r, c) < 6
    ]
    rows, columns = random.choice(sizes)
    return [*product(range(1, rows + 1), range(1, columns + 1))]


def cut(random: Random, cells: Collection[Cell], parts: int) -> dict[Cell, str]:
    """Return a cell's region, for connected cells that are cut into so many connected regions."""
    found = dict(zip(random.sample([*cells], parts), "ABCDEFGHI", strict=False))
    while open_ := [(cell, other) for cell in found for other in beside(cell) & {*cells} - found.keys()]:
        cell, other = random.choice(sorted(open_))
        found[other] = found[cell]
    return found


# -- Answers --------------------------------------------------------------------


def shadings(cells: Collection[Cell]) -> Iterator[Told]:
    """Yield every way to shade some of the cells."""
    return map(frozenset, rules.subsets(cells))
