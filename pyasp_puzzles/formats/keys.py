"""`keys_of`, an instance as the keys of a file: what `toml` and `json` write, and `data.board` reads.

Rows  [["A", "A", "#"], ["B", 3, None]]: a grid; a string is a name, "#" is no cell, None is an empty cell
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pyasp_puzzles.boards.grid import EMPTY, OUTSIDE, at, extent
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.formats.numbers import box_of, is_usual
from pyasp_puzzles.puzzles.key_kinds import default_palette
from pyasp_puzzles.puzzles.keys import name_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.puzzles.answer import Answer
    from pyasp_puzzles.puzzles.keys import Key
    from pyasp_puzzles.puzzles.puzzle import Instance

Rows: TypeAlias = "list[list[int | str | None]]"


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
    board = instance.puzzle.board
    if (board is None or board.name not in found) and (board is None or not board.whole):
        found["size"] = list(extent(instance.puzzle.cells(instance.facts)))
    if instance.solution is not None:
        found["solution"] = answer_text(instance.solution)
    return found


def _key(instance: Instance, key: Key) -> dict[str, object]:  # noqa: PLR0911 (a return for each kind)
    """Return a key of a board with its value, and the keys that go with it; nothing if it has no facts."""
    facts = [] if key.predicate is None else list(instance.facts.arguments(key.fact))
    if key.kind == "regions":
        return _regions(instance, key) if facts else {}
    if key.kind == "colors":
        return _colors(instance, key)
    if key.kind in {"givens", "numbers"}:
        required = key is instance.puzzle.board
        values = {(int(r), int(c)): int(value) for r, c, value in facts}
        return {key.name: rows(instance, values)} if values or required else {}
    if key.kind == "notes":
        notes = instance.extras.get(key.name, {})
        return {key.name: rows(instance, dict(notes))} if notes else {}
    if key.kind == "signs":
        return {key.name: _signs(instance, facts)} if facts else {}
    if key.kind == "outside":
        return {key.name: _outside(instance, key, facts)} if facts else {}
    if key.kind == "sums":
        return {key.name: {name_of(region): int(total) for region, total in facts}} if facts else {}
    if key.kind == "number":
        return {key.name: int(facts[0][0])} if facts else {}
    patterns: dict[int, dict[int, str]] = {}
    for i, j, color in facts:
        patterns.setdefault(int(i), {})[int(j)] = name_of(color)
    words = ([pattern[j] for j in sorted(pattern)] for _, pattern in sorted(patterns.items()))
    return {key.name: [_pattern(colors) for colors in words]} if patterns else {}


def _pattern(colors: list[str]) -> str:
    joined = " ".join(colors)
    return joined if any(len(color) > 1 for color in colors) and len(colors) > 1 else "".join(colors)


def _regions(instance: Instance, key: Key) -> dict[str, object]:
    regions = _names(instance, key)
    if key.option("boxes") and is_usual(regions):
        return {}
    box = box_of(regions) if key.option("boxes") else None
    return {"box": list(box)} if box else {key.name: rows(instance, dict(regions))}


def _names(instance: Instance, key: Key) -> dict[Cell, str]:
    """Return the name in each cell by a key.

    Raises:
        InstanceError: a name cannot be a token of a grid.
    """
    names = {cell: name_of(arguments[-1]) for cell, arguments in instance.facts.items(key.fact)}
    for cell, name in names.items():
        if name.split() != [name] or name in {EMPTY, OUTSIDE}:
            message = f"{at(cell)}: the name {shown(name)} cannot be in a grid, expected one word; --to lp can write it"
            raise InstanceError(message, instance.facts.where)
    return names


def _colors(instance: Instance, key: Key) -> dict[str, object]:
    names = _names(instance, key)
    found: dict[str, object] = {}
    if names or key is instance.puzzle.board:
        found[key.name] = rows(instance, dict(names))
    if predicate := key.option("palette"):
        colors = dict(instance.extras.get("colors", {}))
        palette = [name_of(color) for (color,) in instance.facts.arguments(predicate.name)]
        if palette != default_palette([*names.values(), *colors]):
            found["palette"] = palette
        if colors:
            found["colors"] = colors
    return found


def rows(instance: Instance, values: Mapping[Cell, int | str]) -> Rows:
    """Return values as rows of the board."""
    cells = instance.puzzle.cells(instance.facts)
    height, width = extent(cells)
    return [
        [values.get((r, c)) if (r, c) in cells else OUTSIDE for c in range(1, width + 1)] for r in range(1, height + 1)
    ]


def _signs(instance: Instance, facts: Iterable[tuple[int | str, ...]]) -> Rows:
    """Return signs as a grid of cells (`o`) with a sign between each two neighbours."""
    cells = instance.puzzle.cells(instance.facts)
    height, width = extent(cells)
    grid: Rows = [[None] * (2 * width - 1) for _ in range(2 * height - 1)]
    for r, c in cells:
        grid[2 * r - 2][2 * c - 2] = "o"
    for *places, sign in facts:
        r, c, row, column = map(int, places)
        grid[r + row - 2][c + column - 2] = name_of(sign)
    return grid


def _outside(instance: Instance, key: Key, facts: Iterable[tuple[int | str, ...]]) -> dict[str, list[str]]:
    """Return {side: labels}; several numbers of a label have commas between them."""
    height, width = extent(instance.puzzle.cells(instance.facts))
    labels: dict[str, dict[int, dict[int, int]]] = {}
    for side, i, *place, value in facts:
        labels.setdefault(name_of(side), {}).setdefault(int(i), {})[int(place[0]) if place else 1] = int(value)
    lengths = {"top": width, "bottom": width, "left": height, "right": height}
    del key
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
        board = answer.places()
        height, width = extent(board)
        shading = {True: "x", False: "o", None: EMPTY}
        labels = answer.cells()

        def token(cell: Cell) -> str:
            value = labels.get(cell) if cell in board else OUTSIDE
            return shading[value] if value is None or isinstance(value, bool) else str(value)

        return "\n".join(" ".join(token((r, c)) for c in range(1, width + 1)) for r in range(1, height + 1))
    pieces = json.get("strips") or json.get("pieces") or []
    return "\n".join(" ".join(f"{r},{c}" for r, c in piece["cells"]) for piece in pieces)
