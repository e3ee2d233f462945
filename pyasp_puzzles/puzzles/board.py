"""Boards as Python data: `board` makes one from the keys of a file; `keys_of_board` returns the keys of a board.

Rows  [["A", "A", "#"], ["B", 3, None]]: a grid; a string is a name, "#" is no cell, None is an empty cell
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from pyasp_puzzles.arguments import check_text, several_paths
from pyasp_puzzles.boards import toml
from pyasp_puzzles.boards.facts import Facts, fact_integer
from pyasp_puzzles.boards.grid import EMPTY, cell_place, grid_extent, grid_of, grid_tokens
from pyasp_puzzles.boards.toml import Table
from pyasp_puzzles.errors import InstanceError, PuzzleError, Where, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.puzzle import Instance
from pyasp_puzzles.puzzles import declaration
from pyasp_puzzles.puzzles.declaration import RESERVED_KEYS, find_puzzle, variants_in, variants_of, variants_with_keys

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pyasp_puzzles.arguments import PathArguments


# The source of a board from data, in messages.
_SOURCE = "<data>"
Rows: TypeAlias = "list[list[int | str | None]]"


def board(puzzle: str, /, *, puzzles: PathArguments = (), **keys: object) -> Instance:
    """Return a board from data: `board("sudoku", givens=[[5, 3, 0, ...], ...])`.

    Args:
        puzzle: the name of the puzzle.
        puzzles: a folder of your own puzzle, or several, as for `load`.
        keys: the keys of a file (`docs/instances.md`). A grid is one string, or rows of cells: lists, tuples, arrays or
            strings. None, "." and, for givens, 0 are empty cells; "#" is no cell.

    Raises:
        InstanceError: what is wrong, with the key.
        UnknownPuzzleError: there is no puzzle of that name.
    """
    check_text(puzzle, "puzzle", "the name of a puzzle")
    return board_from_keys(puzzle, keys, Where(_SOURCE), several_paths(puzzles, "puzzles"))


def board_from_keys(puzzle: str, keys: Mapping[str, object], where: Where, puzzles: Sequence[Path]) -> Instance:
    """Return a board from the keys of a file and their values; see `board`. The place is for messages."""
    grids = {key.name for key in find_puzzle(puzzle, where, puzzles).keys if key.kind.grid or key.kind.other_grid}
    table: dict[str, object] = {"puzzle": puzzle}
    for name, value in keys.items():
        if value is None:
            continue
        place = Where(f"{where}: {name}")
        table[name] = _grid(value, place) if name in grids else _plain(value, place)
    if isinstance(solution := table.get("solution"), list):
        rows = [row for row in solution if isinstance(row, list | str)]
        table["solution"] = "\n".join(row if isinstance(row, str) else " ".join(map(str, row)) for row in rows)
    toml.check_size(
        sum(toml.size(name, value, where) for name, value in table.items() if not isinstance(value, tuple)), where
    )
    return board_from_table(Table(table, {}, where), puzzles)


def _grid(value: object, place: Where) -> object:
    """Return rows of cells as a `Grid`, and a string unchanged."""
    if isinstance(value, str):
        return value
    rows = [
        tuple(grid_tokens(row))
        if isinstance(row, str)
        else tuple(_token(cell, place) for cell in _members(row, place, "row"))
        for row in _members(value, place, "grid")
    ]
    for r, row in enumerate(rows, 1):
        wrong = next((c for c, token in enumerate(row, 1) if token.split() != [token]), None)
        if wrong is not None:
            message = f"{cell_place((r, wrong))}: {shown(row[wrong - 1])} has blanks; write a word without any"
            raise InstanceError(message, place)
    return grid_of(rows, (place,) * len(rows), place)


def _members(value: object, place: Where, name: str) -> list[object]:
    wrong = InstanceError(f"{shown(value)} is not a {name}, expected rows of cells", place)
    if not isinstance(value, Iterable) or isinstance(value, Mapping | set | frozenset | bytes):
        raise wrong
    try:
        return list(islice(value, Limits.LONGEST_SIDE + 1))
    except TypeError:  # an array without dimensions has `__iter__`, but no members
        raise wrong from None


def _token(cell: object, place: Where) -> str:
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    try:
        return EMPTY if cell is None or (isinstance(cell, str) and not cell) else str(cell)
    except (ValueError, RecursionError):  # a number with thousands of digits, or deeply nested lists
        raise InstanceError(f"{shown(cell)} is wrong here, expected a number or a word", place) from None


def _plain(value: object, place: Where) -> object:
    """Return a value as TOML would have it: arrays become lists, numbers of any type integers."""
    if value is None:
        return EMPTY
    if isinstance(value, str | bool | float):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(member, place) for name, member in value.items()}
    if isinstance(value, Iterable) and getattr(value, "ndim", None) != 0:  # an array without dimensions is a number
        return [_plain(member, place) for member in islice(value, Limits.LONGEST_SIDE**2)]
    return fact_integer(value, place)


def keys_of_board(instance: Instance) -> dict[str, object]:
    """Return {key: value} of a board: strings, numbers, lists, and grids as rows.

    Raises:
        InstanceError: a name cannot be written in a grid, as only facts can have it.
    """
    keys: dict[str, object] = {"puzzle": instance.puzzle.name, **instance.details}
    outline = instance.outline
    values: dict[str, object] = {}
    for key in instance.puzzle.keys:
        values |= key.kind.write(key, outline, instance.extras)
    if instance.variants:
        by_key = variants_with_keys(values, variants_of(instance.puzzle).values())
        if named := [name for name in instance.variants if name not in by_key]:
            keys["variants"] = named
    keys |= values
    board = instance.puzzle.grid_key
    if (board is None or board.name not in keys) and (board is None or not board.whole):
        keys["size"] = list(grid_extent(instance.cells))
    if instance.solution is not None:
        keys["solution"] = instance.puzzle.kind.typed(instance, instance.solution.json())
    return keys


def board_from_table(
    table: Table, directories: Sequence[Path], board: int = 1, boards: int = 1, usual: str | None = None
) -> Instance:
    """Return the board with the keys of a table; `board` and `boards` are its number and their total in `Instance`.

    Without a key `puzzle`, the board is one of the usual puzzle.

    Raises:
        InstanceError: what is wrong, with its place.
    """
    name = table.get("puzzle", str)
    name = usual if name is None else name
    if name is None:
        raise table.missing("puzzle", "the name of a puzzle")
    puzzle = find_puzzle(name, table.place("puzzle"), directories)
    about: dict[str, object] = {"puzzle": puzzle.name, "source": table.where.source, "board": board, "title": ""}
    try:
        details = table.details()
        about["title"] = details.get("title", "")
        names = table.strings("variants") or []
        names_of_puzzle = {*RESERVED_KEYS, *(key.name for key in puzzle.keys)}
        others = [key for key in table.names() if key not in names_of_puzzle]
        # Most boards have no key of a variant, and need not know which there are.
        by_name = variants_in(directories) if others else {}
        by_key = variants_with_keys(others, by_name.values())
        variants = tuple(dict.fromkeys([*names, *by_key]))
        puzzle = declaration.with_named_variants(puzzle, variants, table.place("variants"), directories)
        facts = Facts(puzzle.predicates, table.where)
        for fact in puzzle.facts(table):
            facts.add(*fact)
        solution = table.get("solution", str)
        table.finish(
            {
                name: key.name
                for variant in by_name.values()
                for key in variant.keys
                for name in (key.name, variant.name)
            }
        )
        puzzle.validate(facts)
        instance = Instance(puzzle, facts, board, boards, table.collection, details, table.extras, None, variants)
        if solution is None:
            return instance
        return instance._replace(solution=puzzle.kind.read(instance, solution, table.place("solution"), whole=True))
    except PuzzleError as error:
        error.about = about
        raise
