"""Boards as Python data: `board` makes one from the keys of a file; `keys_of` returns the keys of a board.

Rows  [["A", "A", "#"], ["B", 3, None]]: a grid; a string is a name, "#" is no cell, None is an empty cell
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from pyasp_puzzles.arguments import check_text, several_paths
from pyasp_puzzles.asp.paths import variant
from pyasp_puzzles.boards.boxes import box_of, is_usual
from pyasp_puzzles.boards.facts import Facts, integer, name_of
from pyasp_puzzles.boards.grid import EMPTY, OUTSIDE, at, by_row, extent, grid_of, tokens
from pyasp_puzzles.boards.toml import Table, check_cells, size
from pyasp_puzzles.errors import InstanceError, PuzzleError, Where, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.keys import default_palette
from pyasp_puzzles.model.puzzle import Instance, Puzzle
from pyasp_puzzles.puzzles.declaration import find

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pyasp_puzzles.arguments import Paths
    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.keys import Key


# The source of a board from data, in messages.
SOURCE = "<data>"
# The kinds of keys with grids.
GRIDS = {"regions", "colors", "givens", "numbers", "signs", "notes"}
Rows: TypeAlias = "list[list[int | str | None]]"


def board(puzzle: str, /, *, puzzles: Paths = (), **keys: object) -> Instance:
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
    return from_keys(puzzle, keys, Where(SOURCE), several_paths(puzzles, "puzzles"))


def from_keys(puzzle: str, keys: Mapping[str, object], where: Where, puzzles: Sequence[Path]) -> Instance:
    """Return a board from the keys of a file and their values; see `board`. The place is for messages."""
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
    return from_table(Table(table, {}, where), puzzles)


def _grid(value: object, place: Where) -> object:
    """Return rows of cells as a `Grid`, and a string unchanged."""
    if isinstance(value, str):
        return value
    rows = [
        tuple(tokens(row))
        if isinstance(row, str)
        else tuple(_token(cell, place) for cell in _members(row, place, "row"))
        for row in _members(value, place, "grid")
    ]
    for r, row in enumerate(rows, 1):
        wrong = next((c for c, token in enumerate(row, 1) if token.split() != [token]), None)
        if wrong is not None:
            message = f"{at((r, wrong))}: {shown(row[wrong - 1])} has blanks; write a word without any"
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
    if isinstance(value, Iterable) and getattr(value, "ndim", None) != 0:  # an array without dimensions is a number
        return [_plain(member, place) for member in islice(value, Limits.LONGEST_SIDE**2)]
    return integer(value, place)


def keys_of(instance: Instance) -> dict[str, object]:
    """Return {key: value} of a board: strings, numbers, lists, and grids as rows.

    Raises:
        InstanceError: a name cannot be written in a grid, as only facts can have it.
    """
    found: dict[str, object] = {"puzzle": instance.puzzle.name, **instance.details}
    if instance.variants:
        found["variants"] = list(instance.variants)
    for key in instance.puzzle.keys:
        found |= _key(instance, key)
    board = instance.puzzle.grid_key
    if (board is None or board.name not in found) and (board is None or not board.whole):
        found["size"] = list(extent(instance.puzzle.cells(instance.facts)))
    if instance.solution is not None:
        found["solution"] = answer_text(instance.solution)
    return found


def _key(instance: Instance, key: Key) -> dict[str, object]:
    """Return a key of a board with its value, and the keys that go with it; nothing if it has no facts."""
    if key.kind == "notes":
        notes = instance.extras.get(key.name, {})
        return {key.name: rows(instance, notes)} if notes else {}
    facts = list(instance.facts.arguments(key.fact))
    required = key is instance.puzzle.grid_key
    if key.kind == "colors":
        return _colors(instance, key, required=required)
    if not facts and not (required and key.kind in {"givens", "numbers"}):
        return {}
    if key.kind == "regions":
        return _regions(instance, key)
    return {key.name: _value(instance, key.kind, facts)}


def _value(instance: Instance, kind: str, facts: Iterable[Arguments]) -> object:
    """Return the value of a key of this kind, given its facts."""
    match kind:
        case "givens" | "numbers":
            return rows(instance, {(int(r), int(c)): int(value) for r, c, value in facts})
        case "signs":
            return _signs(instance, facts)
        case "outside":
            return _outside(instance, facts)
        case "sums":
            return {name_of(region): int(total) for region, total in facts}
        case "number":
            return next(int(number) for (number,) in facts)
    patterns: dict[int, list[str]] = {}
    for i, _, color in sorted(facts):
        patterns.setdefault(int(i), []).append(name_of(color))
    return [(" " if any(len(color) > 1 for color in colors) else "").join(colors) for colors in patterns.values()]


def _regions(instance: Instance, key: Key) -> dict[str, object]:
    regions = _names(instance, key)
    if key.option("boxes") and is_usual(regions):
        return {}
    box = box_of(regions) if key.option("boxes") else None
    return {"box": list(box)} if box else {key.name: rows(instance, regions)}


def _names(instance: Instance, key: Key) -> dict[Cell, str]:
    """Return the name that a key gives each cell.

    Raises:
        InstanceError: a name cannot be a token of a grid.
    """
    names = instance.facts.names(key.fact)
    for cell, name in names.items():
        if name.split() != [name] or name in {EMPTY, OUTSIDE}:
            message = f"{at(cell)}: the name {shown(name)} cannot be in a grid, which needs one word; use --to lp"
            raise InstanceError(message, instance.facts.where)
    return names


def _colors(instance: Instance, key: Key, *, required: bool) -> dict[str, object]:
    names = _names(instance, key)
    found: dict[str, object] = {}
    if names or required:
        found[key.name] = rows(instance, names)
    if predicate := key.option("palette"):
        colors = dict(instance.extras.get("colors", {}))
        palette = [name_of(color) for (color,) in instance.facts.arguments(predicate.name)]
        if palette != default_palette([*names.values(), *colors]):
            found["palette"] = palette
        if colors:
            found["colors"] = colors
    return found


def rows(instance: Instance, values: Mapping[Any, int | str]) -> Rows:
    """Return the values of cells as rows of the board."""
    cells = instance.puzzle.cells(instance.facts)
    return by_row({cell: values.get(cell) for cell in cells}, cells, OUTSIDE)


def _signs(instance: Instance, facts: Iterable[Arguments]) -> Rows:
    """Return signs as a grid of cells (`o`) with a sign between each two neighbours."""
    signs = {(2 * r - 1, 2 * c - 1): "o" for r, c in instance.puzzle.cells(instance.facts)}
    for *places, sign in facts:
        r, c, row, column = map(int, places)
        signs[r + row - 1, c + column - 1] = name_of(sign)
    return by_row(signs, signs)


def _outside(instance: Instance, facts: Iterable[Arguments]) -> dict[str, list[str]]:
    """Return {side: labels}; several numbers of a label have commas between them."""
    height, width = extent(instance.puzzle.cells(instance.facts))
    labels: dict[str, dict[int, dict[int, int]]] = {}
    for side, i, *place, value in facts:
        labels.setdefault(name_of(side), {}).setdefault(int(i), {})[int(place[0]) if place else 1] = int(value)
    lengths = {"top": width, "bottom": width, "left": height, "right": height}
    return {
        side: [
            ",".join(str(v) for _, v in sorted(found[i].items())) if i in found else EMPTY
            for i in range(1, lengths[side] + 1)
        ]
        for side, found in labels.items()
    }


def answer_text(answer: Answer) -> str:
    """Return an answer as its puzzle reads it."""
    json = answer.json()
    if "ribbons" in json:
        lines = (f"{ribbon['line']} {ribbon['index']} {ribbon['color'] or ''}".strip() for ribbon in json["ribbons"])
        return "\n".join(lines)
    if "grid" in json:
        labels, shading = answer.cells(), {True: "x", False: "o", None: EMPTY}

        def token(label: object) -> str:
            return shading[label] if label is None or isinstance(label, bool) else str(label)

        tokens = {cell: token(labels.get(cell)) for cell in answer.places()}
        return "\n".join(map(" ".join, by_row(tokens, tokens, OUTSIDE)))
    pieces = json.get("strips") or json.get("pieces") or []
    return "\n".join(" ".join(f"{r},{c}" for r, c in piece["cells"]) for piece in pieces)


def from_table(table: Table, directories: Sequence[Path], board: int = 1, boards: int = 1) -> Instance:
    """Return the board with the keys of a table; `board` and `boards` are its number and their total in `Instance`.

    Raises:
        InstanceError: what is wrong, with its place.
    """
    name = table.string("puzzle")
    if name is None:
        raise table.missing("puzzle", "the name of a puzzle")
    puzzle = find(name, table.place("puzzle"), directories)
    about: dict[str, object] = {"puzzle": puzzle.name, "source": table.where.source, "board": board, "title": ""}
    try:
        details = table.details()
        about["title"] = details.get("title", "")
        facts = Facts(puzzle.predicates, table.where)
        for fact in puzzle.facts(table):
            facts.add(*fact)
        solution, names = table.string("solution"), table.strings("variants") or ()
        table.finish()
        puzzle.validate(facts)
        variants = checked_variants(names, puzzle, table.place("variants"))
        instance = Instance(puzzle, facts, board, boards, table.collection, details, table.extras, None, variants)
        if solution is None:
            return instance
        return instance._replace(solution=puzzle.kind.read(instance, solution, table.place("solution"), whole=True))
    except PuzzleError as error:
        error.about = about
        raise


def checked_variants(names: Sequence[str], puzzle: Puzzle, where: Where) -> tuple[str, ...]:
    """Return the names of variants, each once.

    Raises:
        InstanceError: one of them does not ship, or its rules are about what those of the puzzle do not have. Other
            rules are given with --extra: an instance brings none with it.
    """
    for name in names:
        from pyasp_puzzles.puzzles.question import check_fit

        try:
            check_fit(variant(name), puzzle.encodings, puzzle)
        except PuzzleError as error:
            raise InstanceError(f"variants: {error}", where) from None
    return tuple(dict.fromkeys(names))
