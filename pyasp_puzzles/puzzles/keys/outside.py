"""Keys of labels outside the board."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.symbols import UNKNOWN, SymbolValue, fact_symbol
from pyasp_puzzles.boards.facts import Fact, fact_name
from pyasp_puzzles.boards.figure import Figure
from pyasp_puzzles.boards.grid import (
    EMPTY,
    OPPOSITE,
    Cell,
    Grid,
    cell_name,
    cell_named,
    grid_tokens,
    grouped,
    is_side_of_columns,
)
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.keys import (
    KEY_VALUES,
    Key,
    KeyKind,
    KeyLayer,
    KeyOutline,
    KeyRange,
    KeySampler,
    check_key_constant,
)
from pyasp_puzzles.puzzles.keys import lines as line_keys

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from random import Random

    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.boards.toml import Table
    from pyasp_puzzles.model.keys import Shape

# The sides of a board that may have labels.
SIDES = tuple(OPPOSITE)
_SIGHT = re.compile(r"(\w+) +(ul|ur|dl|dr) *= *(\d{1,9}|\?)")


def _read_outside(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    place = table.place(key.name)
    for side, i, j, number in _labels(key, table, len(board.rows), len(board.rows[0])):
        yield key.fact, (fact_symbol(side), i, *([j] if key.option("several") else []), *number), place


def _length(side: str, size: tuple[int, int]) -> int:
    """Return how many labels a side of a board may have, given its rows and columns."""
    return size[is_side_of_columns(side)]


def _labels(key: Key, table: Table, rows: int, columns: int) -> Iterator[tuple[str, int, int, tuple[int, ...]]]:
    """Yield each label: its side, its line, its place among several of the line, and its number, if that is known."""
    sides = table.get(key.name, dict, KEY_VALUES["outside"].removeprefix("a ")) or {}
    for side, labels in sides.items():
        check_key_constant(key, side, key.constants or SIDES, table.place(key.name), f"{key.name}: ")
        tokens = grid_tokens(labels) if isinstance(labels, str) else labels if isinstance(labels, list) else ()
        tokens = [_word(key, label) for label in tokens]
        if len(tokens) != (length := _length(side, (rows, columns))):
            problem = f"{side} has {len(tokens)} labels, expected {length}, with . where there is none"
            raise table.error(f"{key.name}: {problem}", key.name)
        for i, word in enumerate(tokens, 1):
            if word == EMPTY:
                continue
            several = word.split(",") if key.option("several") else [word]
            for j, token in enumerate(several, 1):
                number = _number(key, token)
                if number is None:
                    unknown = f", {UNKNOWN} for an unknown one" if key.unknown else ""
                    message = f"{side} {i}: {shown(token)} is not a number, expected a number{unknown}, or . for none"
                    raise table.error(f"{key.name}: {message}", key.name)
                yield side, i, j, number


def _number(key: Key, token: str) -> tuple[int, ...] | None:
    """Return the number of a label, nothing if it is unknown; None if the label is neither."""
    if token == UNKNOWN and key.unknown:
        return ()
    token = key.numbers_by_name.get(token, token)
    is_number = token.isascii() and token.isdigit() and len(token) <= Limits.LONGEST_NUMBER
    return (int(token),) if is_number else None


def _word(key: Key, label: object) -> str:
    """Return a label as text: "3,1" of [3, 1], and "0" of an empty list."""
    if isinstance(label, list) and key.option("several"):
        return ",".join(map(str, label)) or "0"
    return str(label)


def _check_outside(key: Key, outline: KeyOutline) -> None:
    """Raise `InstanceError` for a label of a line that the board does not have."""
    size = outline.rows, outline.columns
    for side, i, *rest in outline.facts.arguments(key.fact):
        if side in SIDES and not 1 <= int(i) <= _length(str(side), size):
            message = f"{side} {i} is outside the board of {outline.size}, expected 1 to {_length(str(side), size)}"
            raise InstanceError(message, outline.facts.place(key.fact, side, i, *rest[:-1]))


def _write(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    """Return {side: labels}; several numbers of a label have commas between them."""
    labels = sorted(outline.facts.arguments(key.fact), key=lambda label: label[2:-1])
    return _written(key, outline, _by_side(labels))


def _by_side(labels: Iterable[Arguments]) -> dict[str, dict[int, list[str]]]:
    """Return labels by side and line, {"left": {2: ["3", "1"]}}, given the arguments of their facts."""
    labels_of: dict[str, dict[int, list[str]]] = {}
    for side, i, *_, value in labels:
        labels_of.setdefault(fact_name(side), {}).setdefault(int(i), []).append(str(value))
    return labels_of


def _written(key: Key, outline: KeyOutline, labels: Mapping[str, Mapping[int, Sequence[str]]]) -> dict[str, object]:
    """Return the key with its labels: {side: labels}, one for each line of the side."""
    sides = {
        side: [",".join(lines.get(i, [EMPTY])) for _, i in ends((outline.rows, outline.columns), {side})]
        for side, lines in labels.items()
    }
    return {key.name: sides} if sides else {}


def _possible(key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    numbers = key.numbers_in(outline, KeyRange(0, "cells"))((0, 0))
    for side, *place in _places(key, outline):
        # Several labels of a line are about parts of it.
        most = _length(str(side), (outline.columns, outline.rows)) if key.option("several") else max(numbers, default=0)
        yield from ((side, *place, value) for value in numbers if value <= most)


def _places(key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    """Yield the places of labels: a side, a line, and if a line may have several labels, which of them."""
    for name, i in ends((outline.rows, outline.columns), key.option("sides", SIDES)):
        if key.option("several"):
            along = _length(name, (outline.columns, outline.rows))
            yield from ((fact_symbol(name), i, j) for j in range(1, (along + 1) // 2 + 1))
        else:
            yield fact_symbol(name), i


def _draw(key: Key, outline: KeyOutline) -> KeyLayer:
    labels = sorted(outline.facts.arguments(key.fact), key=lambda label: label[1:-1])
    return KeyLayer(labels=_by_side((*place, _name(key, number)) for *place, number in labels))


def _name(key: Key, number: int | str) -> str:
    """Return the number of a label as it is shown."""
    return str(key.option("names", {}).get(number, number))


OUTSIDE = KeyKind(
    ("name", "number", "number"),
    2,
    {"range": str, "sides": list, "several": bool, "unknown": bool, "named": bool},
    "outside",
    _read_outside,
    _write,
    _draw,
    check=_check_outside,
    possible=_possible,
    constants=SIDES,
)


# -- Clues that look along a line of the board ---------------------------------------------------------


# The steps of diagonals, by their names.
DIAGONALS = {"ul": (-1, -1), "ur": (-1, 1), "dl": (1, -1), "dr": (1, 1)}
# The cell before the first one of a line, and its step, by side.
_STEPS = {"top": (1, 0), "bottom": (-1, 0), "left": (0, 1), "right": (0, -1)}


def _along(cell: Cell, step: Cell, rows: int, columns: int) -> list[Cell]:
    """Return the cells from a cell on, as far as the sides of the board."""
    cells = []
    while 1 <= cell[0] <= rows and 1 <= cell[1] <= columns:
        cells.append(cell)
        cell = (cell[0] + step[0], cell[1] + step[1])
    return cells


def ends(size: tuple[int, int], sides: Collection[str] = SIDES) -> list[tuple[str, int]]:
    """Return the rows and columns of a board of that size, its rows first, each with a side at which it ends."""
    return [(side, i) for side in SIDES if side in sides for i in range(1, _length(side, size) + 1)]


def place(side: str, i: int, size: tuple[int, int]) -> Cell:
    """Return the place of a label outside a board of that size, its rows first."""
    return {"top": (0, i), "bottom": (size[0] + 1, i), "left": (i, 0), "right": (i, size[1] + 1)}[side]


def lines_by_place(size: tuple[int, int]) -> dict[Cell, tuple[str, int]]:
    """Return the places of labels outside a board of that size, each with its side, and its row or column."""
    return {place(*line, size): line for line in ends(size)}


def _into(side: str, i: int, size: tuple[int, int]) -> tuple[Cell, Cell]:
    """Return the first cell of row or column `i` from a side, and the step to the next one."""
    (r, c), (y, x) = place(side, i, size), _STEPS[side]
    return (r + y, c + x), (y, x)


def labels(layer: KeyLayer, size: tuple[int, int]) -> Iterator[tuple[Cell, str]]:
    """Yield each place outside a board of that size with labels, and the labels as one text."""
    for side, lines in layer.labels.items():
        yield from ((place(side, i, size), " ".join(labels)) for i, labels in lines.items())


def labels_by_side(labels: Mapping[Cell, object], size: tuple[int, int]) -> dict[str, list[str]] | None:
    """Return labels outside a board of that size as its keys have them: {"top": ["5", ".", ...]}.

    None if a label is next to no row or column.
    """
    lines = lines_by_place(size)
    if not labels.keys() <= lines.keys():
        return None
    used = {lines[place][0] for place in labels}
    return {
        side: [str(labels.get(place, EMPTY)) for place, line in lines.items() if line[0] == side]
        for side in SIDES
        if side in used
    }


def _read_sights(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    rows, columns, line = len(board.rows), len(board.rows[0]), key.options["line"]
    place = table.place(key.name)
    cells = {cell for cell, _, _ in board.cells()}
    for i, (cell, step, number) in enumerate(_sighted(key, table, rows, columns), 1):
        yield key.fact, (i, *number), place
        seen = [seen_cell for seen_cell in _along(cell, step, rows, columns) if seen_cell in cells]
        yield from ((line.name, (i, j, *seen_cell), place) for j, seen_cell in enumerate(seen or [cell], 1))


def _sighted(key: Key, table: Table, rows: int, columns: int) -> Iterator[tuple[Cell, Cell, tuple[int, ...]]]:
    """Yield for each clue its first cell, its step and its number, if that is known."""
    if key.option("directions"):
        value = table.get(key.name, object, "line such as 'r1c3 dr = 20', or an array of lines")
        for line in [value] if isinstance(value, str) else table.strings(key.name) or ():
            match = _SIGHT.fullmatch(line.strip())
            cell, number = (cell_named(match[1]), _number(key, match[3])) if match else (None, None)
            if match is None or cell is None or number is None:
                raise table.error(
                    f'{key.name}: {shown(line)} is wrong here, expected a line such as "r1c3 dr = 20"', key.name
                )
            yield cell, DIAGONALS[match[2]], number
        return
    for side, i, _, number in _labels(key, table, rows, columns):
        yield *_into(side, i, (rows, columns)), number


def _sights(key: Key, outline: KeyOutline) -> dict[int, tuple[int | str, list[Cell]]]:
    """Return the number and the cells of each clue."""
    places = sorted([*map(int, arguments)] for arguments in outline.facts.arguments(key.options["line"].name))
    lines = grouped((i, (r, c)) for i, _, r, c in places)
    clues = sorted((int(i), number) for i, number in outline.facts.arguments(key.fact))
    return {i: (number, lines.get(i, [])) for i, number in clues}


def _check_sights(key: Key, outline: KeyOutline) -> None:
    for i, (_, cells) in _sights(key, outline).items():
        if not cells:
            raise InstanceError(f"{key.fact} {i} sees no cell", outline.facts.where)


def sight_side(cells: Sequence[Cell]) -> tuple[str, int] | None:
    """Return the side from which a clue looks, and its row or column; None for a diagonal."""
    (r, c), (row, column) = cells[0], cells[-1]
    if c == column and (r != row or len(cells) == 1):
        return ("top" if r <= row and r == 1 else "bottom"), c
    return (("left" if c < column else "right"), r) if r == row else None


def _write_sights(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    clues = _sights(key, outline)
    if key.option("directions"):
        lines = [f"{cell_name(cells[0])} {_direction(cells)} = {number}" for number, cells in clues.values()]
        return {key.name: lines} if lines else {}
    places = [(number, sight_side(cells)) for number, cells in clues.values()]
    if any(place is None for _, place in places):
        message = f"{key.name}: a clue looks along a diagonal, expected rows and columns"
        raise InstanceError(message, outline.facts.where)
    return _written(key, outline, _by_side((*place, number) for number, place in places if place))


def _direction(cells: Sequence[Cell]) -> str:
    """Return the direction of a diagonal; that of a corner alone leads from one side of the board out of it again."""
    (r, c), (row, column) = cells[0], cells[-1]
    down, right = (row > r, column > c) if len(cells) > 1 else (r > 1, c == 1)
    return ("d" if down else "u") + ("r" if right else "l")


def _draw_sights(key: Key, outline: KeyOutline) -> KeyLayer:
    labels, figures = [], []
    for number, cells in _sights(key, outline).values():
        place = None if key.option("directions") else sight_side(cells)
        if place is None:
            figures.append(Figure(key.option("picture", {}), tuple(cells), (), _name(key, number)))
        else:
            labels.append((*place, _name(key, number)))
    return KeyLayer(labels=_by_side(labels), figures=tuple(figures))


def _drawn_sights(key: Key, outline: KeyOutline, rng: Random, smaller: Sequence[Shape]) -> Iterator[Shape]:
    """Yield each line that one may look along: rows and columns from both ends, or diagonals from one of them."""
    rows, columns = outline.rows, outline.columns
    if key.option("directions"):
        edge = [(r, c) for r, c in sorted(outline.cells) if r in {1, rows} or c in {1, columns}]
        into = [(cell, step) for cell in edge for step in DIAGONALS.values()]
        into = [((r, c), (y, x)) for (r, c), (y, x) in into if not (1 <= r - y <= rows and 1 <= c - x <= columns)]
    else:
        into = [_into(*line, (rows, columns)) for line in ends((rows, columns))]
    lines = [tuple(cell for cell in _along(*start, rows, columns) if cell in outline.cells) for start in into]
    rng.shuffle(lines)
    if key.option("directions"):
        lines = [*{tuple(sorted(line)): line for line in lines}.values()]
    return iter([] if smaller else [(line,) for line in lines if len(line) > 1])


SIGHTS = KeyKind(
    ("number", "number"),
    1,
    {"line": str, "directions": str, "values": str, "picture": dict, "unknown": bool, "named": bool},
    "sight",
    _read_sights,
    _write_sights,
    _draw_sights,
    check=_check_sights,
    drawn=KeySampler(_drawn_sights, line_keys.sight_shape_offer, KeyRange(2, "cells"), apart=False),
    more={"line": (("number", "number", "row", "column"), 2)},
)
