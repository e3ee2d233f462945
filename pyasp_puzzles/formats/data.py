"""`board`, which makes a board from Python data: nested lists, tuples or arrays.

Rows     [[5, 3, 0, None], [".", "A", "#", 12], ...]: a grid, as iterables of iterables or of strings
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.facts import integer
from pyasp_puzzles.boards.grid import EMPTY, LONGEST_SIDE, at, grid_of, tokens
from pyasp_puzzles.boards.toml import Table, check_cells, size
from pyasp_puzzles.errors import InstanceError, Where, shown
from pyasp_puzzles.formats.load import from_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pyasp_puzzles.puzzles.puzzle import Instance


SOURCE = "<data>"
"""The source of such a board in messages."""
GRIDS = {"regions", "colors", "givens", "numbers", "signs", "notes"}
"""The kinds of keys with grids."""


def board(puzzle: str, /, *, puzzles: Sequence[Path] = (), **keys: object) -> Instance:
    """Return a board from data: `board("sudoku", givens=[[5, 3, 0, ...], ...])`.

    Args:
        puzzle: the name of the puzzle.
        puzzles: folders of your own puzzles, as for `load`.
        keys: the keys of a file (`docs/instances.md`). A grid is one string, or rows of cells: lists, tuples, arrays or
            strings. None, "." and, for givens, 0 are empty cells; "#" is no cell.

    Raises:
        InstanceError: what is wrong, with the key.
        UnknownPuzzleError: there is no puzzle of that name.
    """
    return from_keys(puzzle, keys, Where(SOURCE), puzzles)


def from_keys(puzzle: str, keys: Mapping[str, object], where: Where, puzzles: Sequence[Path]) -> Instance:
    """Return a board from the keys of a file and their values; see `board`. The place is for messages."""
    from pyasp_puzzles.puzzles.declaration import find

    kinds = {key.name: key.kind for key in find(puzzle, where, puzzles).keys}
    table: dict[str, object] = {"puzzle": puzzle}
    for name, value in keys.items():
        if value is None:
            continue
        place = Where(f"{where}: {name}")
        table[name] = _grid(value, place) if kinds.get(name) in GRIDS else _plain(value, place)
    if isinstance(solution := table.get("solution"), list):
        rows = [row for row in solution if isinstance(row, list | str)]
        table["solution"] = "\n".join(row if isinstance(row, str) else " ".join(map(str, row)) for row in rows)
    check_cells(sum(size(name, value, where) for name, value in table.items() if not isinstance(value, tuple)), where)
    return from_table(Table(table, {}, where), 1, 1, puzzles)


def _grid(value: object, place: Where) -> object:
    """Return rows of cells as a `Grid`, and a string unchanged."""
    if isinstance(value, str):
        return value
    rows = [
        tuple(tokens(row))
        if isinstance(row, str)
        else tuple(_token(cell, place) for cell in _members(row, place, "row"))
        for r, row in enumerate(_members(value, place, "grid"), 1)
    ]
    for r, row in enumerate(rows, 1):
        wrong = next((c for c, token in enumerate(row, 1) if token.split() != [token]), None)
        if wrong is not None:
            message = f"{at((r, wrong))}: {shown(row[wrong - 1])} has blanks, expected a word without any"
            raise InstanceError(message, place)
    return grid_of(rows, (place,) * len(rows), place)


def _members(value: object, place: Where, name: str) -> list[object]:
    wrong = InstanceError(f"{shown(value)} is not a {name}, expected rows of cells", place)
    if not isinstance(value, Iterable) or isinstance(value, Mapping | set | frozenset | bytes):
        raise wrong
    try:
        return list(islice(value, LONGEST_SIDE + 1))
    except TypeError:  # an array of no dimension has `__iter__`, but no members
        raise wrong from None


def _token(cell: object, place: Where) -> str:
    try:
        return EMPTY if cell is None or (isinstance(cell, str) and not cell) else str(cell)
    except (ValueError, RecursionError):  # a number of thousands of digits, or deeply nested lists
        raise InstanceError(f"{shown(cell)} is wrong here, expected a number or a word", place) from None


def _plain(value: object, place: Where) -> object:
    """Return a value as TOML would have it: arrays become lists, numbers of any type integers."""
    if value is None:
        return EMPTY
    if isinstance(value, str | bool | float):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(member, place) for name, member in value.items()}
    if isinstance(value, Iterable) and getattr(value, "ndim", None) != 0:  # an array of no dimension is a number
        return [_plain(member, place) for member in islice(value, LONGEST_SIDE**2)]
    return integer(value, place)
