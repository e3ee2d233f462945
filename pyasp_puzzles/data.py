"""Boards from data as Python has it: nested lists, tuples or arrays, and clues by their cells.

Rows     [[5, 3, 0, None], [".", "A", "#", 12], ...]: a grid, as iterables of iterables or of strings
Clues    {(1, 2): 3, ...}: the number of a cell, or whatever the facts of a key say last
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from operator import index
from typing import TYPE_CHECKING, Any, TypeAlias

from .errors import InstanceError, Where, listing, shown
from .grid import EMPTY, LONGEST_NUMBER, LONGEST_SIDE, at, checked, tokens
from .instance import from_sections
from .limits import check_cells, size
from .sections import Sections
from .symbols import constant, fact, parsed, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .keys import Key
    from .puzzle import Instance
    from .symbols import Value

SOURCE = "<data>"
"""What the source of a board from data is called."""
GRIDS = {"regions", "colors", "givens", "numbers", "signs", "notes"}
"""The kinds of keys that are written as grids."""

Clues: TypeAlias = "Mapping[Any, object]"


def board(puzzle: str, /, *, puzzles: Sequence[Path] = (), **keys: object) -> Instance:
    """Return a board from data: `board("sudoku", givens=[[5, 3, 0, ...], ...])`.

    Args:
        puzzle: the name of the puzzle.
        puzzles: folders of puzzles of one's own, as for `load`.
        keys: what a file has for the board, by its keys (`docs/instances.md`): a grid as rows of cells, from lists,
            tuples, arrays or strings, or as one string; None, "." and in givens 0 are empty cells, "#" is no cell.

    Raises:
        InstanceError: what is wrong, with the key.
        UnknownPuzzleError: there is no puzzle of that name.
    """
    from .declaration import find

    where = Where(SOURCE)
    kinds = {key.name: key.kind for key in find(puzzle, where, puzzles).keys}
    table: dict[str, object] = {"puzzle": puzzle}
    for name, value in keys.items():
        if value is None:
            continue
        place = Where(f"{SOURCE}: {name}")
        table[name] = _grid(value, place) if kinds.get(name) in GRIDS else _plain(value, place)
    if isinstance(solution := table.get("solution"), list):
        table["solution"] = "\n".join(" ".join(map(str, row)) for row in solution if isinstance(row, list))
    check_cells(sum(size(name, value, where) for name, value in table.items() if not isinstance(value, tuple)), where)
    return from_sections(Sections(table, {}, where), 1, 1, puzzles)


def _grid(value: object, place: Where) -> object:
    """Return rows of cells as a grid; text, which a file would have, as it is."""
    if isinstance(value, str):
        return value
    rows = [
        tuple(tokens(row)) if isinstance(row, str) else tuple(_token(cell) for cell in _members(row, place, "row"))
        for r, row in enumerate(_members(value, place, "grid"), 1)
    ]
    for r, row in enumerate(rows, 1):
        wrong = next((c for c, token in enumerate(row, 1) if token.split() != [token]), None)
        if wrong is not None:
            message = f"{at((r, wrong))}: {shown(row[wrong - 1])} has blanks, expected a word without any"
            raise InstanceError(message, place)
    return checked(rows, (place,) * len(rows), place)


def _members(value: object, place: Where, name: str) -> list[object]:
    wrong = InstanceError(f"{shown(value)} is no {name}, expected rows of cells", place)
    if not isinstance(value, Iterable) or isinstance(value, Mapping | set | frozenset | bytes):
        raise wrong
    try:
        return list(islice(value, LONGEST_SIDE + 1))
    except TypeError:  # an array of no dimension only looks as if it had members
        raise wrong from None


def _token(cell: object) -> str:
    return EMPTY if cell is None or (isinstance(cell, str) and not cell) else str(cell)


def _plain(value: object, place: Where) -> object:
    """Return a value as TOML would have it: arrays as lists, their numbers as integers."""
    if value is None:
        return EMPTY
    if isinstance(value, str | bool | float):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(member, place) for name, member in value.items()}
    if isinstance(value, Iterable) and getattr(value, "ndim", None) != 0:  # an array of no dimension is its number
        members = list(islice(value, LONGEST_SIDE**2))
        return [_plain(member, place) for member in members]
    return _integer(value, place)


def _integer(value: object, place: Where) -> int:
    wrong = InstanceError(f"{shown(value)} is wrong here, expected a number or text", place)
    if isinstance(value, bool):
        raise wrong
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise wrong from None


# -- Other clues on a board -----------------------------------------------------------------------


def with_clues(instance: Instance, clues: Clues) -> Instance:
    """Return a board with other clues; see `Instance.with_clues`."""
    puzzle, facts = instance.puzzle, instance.facts
    keys = {key.name: key for key in puzzle.clue_keys}
    place = Where(instance.source)
    named = {str(name): said for name, said in clues.items() if isinstance(said, Mapping)}
    if len(named) < len(clues) or not clues:
        if len(keys) != 1:
            known = listing(f'{{"{name}": {{...}}}}' for name in keys)
            raise InstanceError(f"{puzzle.name} has clues of {len(keys)} keys, expected {known}", place)
        named = {next(iter(keys)): clues}
    for name, said in named.items():
        if name not in keys:
            message = f"{shown(name)} is no key of clues of {puzzle.name}, expected {listing(keys)}"
            raise InstanceError(message, place)
        here = Where(f"{instance.source}: {name}")
        several = [_arguments(keys[name], cell, value, here) for cell, value in said.items()]
        atoms = [facts.renamed(fact(keys[name].fact, *arguments)) for arguments in several if arguments]
        found = [[one if isinstance(one, int) else parsed(one) for one in plain(atom)] for atom in atoms]
        facts = facts.replaced(keys[name].fact, found, here)
    puzzle.validate(facts)
    return instance._replace(facts=facts, solution=None)


def _arguments(key: Key, cell: object, value: object, place: Where) -> list[Value]:
    """Return the arguments of the fact that a clue is; none for what a grid has for an empty cell."""
    if value is None or (isinstance(value, str) and value in {"", EMPTY}):
        return []
    parts = [*(cell if isinstance(cell, tuple) else [cell]), value]
    arguments: list[Value] = [_part(part, place) for part in parts]
    assert key.predicate is not None
    if len(arguments) != len(key.predicate.arguments):
        message = f"{shown(cell)} has {len(parts) - 1} parts, expected those of {key.predicate} but the last"
        raise InstanceError(message, place)
    range_ = key.option("range")
    if key.kind in {"givens", "numbers"} and arguments[-1] == 0 and (range_ is None or range_.low > 0):
        return []
    if key.kind == "outside" and isinstance(arguments[0], str):
        arguments[0] = constant(arguments[0])
    return arguments


def _part(part: object, place: Where) -> int | str:
    if isinstance(part, str):
        if not part.isprintable():
            raise InstanceError(f"{shown(part)} is wrong here, expected a number or printable text", place)
        return part
    number = _integer(part, place)
    if abs(number) >= 10**LONGEST_NUMBER:
        raise InstanceError(f"{shown(part)} is out of range, expected at most {LONGEST_NUMBER} digits", place)
    return number
