"""SudokuMaker: addresses with the JSON of a Sudoku and its constraints, packed with lz-string.

    https://sudokumaker.app/?puzzle=N4IgZ...
    {"formatVersion": "1.6.0", "puzzle": {"type": "sudoku", "cells": [{"given": true, "value": 5}, {}, ...],
     "constraints": [{"type": 400, "lines": [[0, 1, 2]]}, ...]}}

A `variant.toml` has the type of its constraint, `sudokumaker = { type = 400 }`, further fixed values, and:

- `list` and `value`: the names of its list of cells, and of its number; `tokens`: its numbers for our tokens.
- `groups`: how it divides the digits; `gap`: our usual value, where its own is always half the size.
- `negative`: the type of pairs, and values that pairs without a clue do not have; `only`: a key of ours that may then
  have no other values.

Cells are numbered row by row from 0; corners too, in rows longer by one; places outside, in rows longer by two; edges,
in two rows for each row of cells: those left of its cells, and those below.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.grid import Cell, all_cells, check_grid_size, grouped
from pyasp_puzzles.boards.regions import boxes
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.formats.exchange import CARRIED, Can, Draft, draft_format, regions_of_sudoku
from pyasp_puzzles.formats.json import compact_json, json_integer, parse_json
from pyasp_puzzles.formats.sites import (
    Clue,
    ClueForm,
    Clues,
    clues_of,
    compress,
    decompress,
    diagonal_groups,
    form_of,
)
from pyasp_puzzles.puzzles.declaration import is_variant_about_regions, variants_in
from pyasp_puzzles.puzzles.keys.lines import parsed_key_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyasp_puzzles.formats.format import Text
    from pyasp_puzzles.model.keys import Key, KeyLayer
    from pyasp_puzzles.model.puzzle import Variant

_NAME, _VERSION = "sudokumaker", "1.6.0"
_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?sudokumaker\.app/\S*")
_PACKED = re.compile(r"[?&#]puzzle=([^&#\s]*)")
# The types of givens, of regions, of rows and columns, and of what is only drawn.
_GIVENS, _REGIONS, _ROWS = 0, 1, 2003
_DRAWN = {2000: "lines", 2001: "cages that are only drawn", 2002: "shapes", 4000: "fog", 4001: "fog"}
# Fields of a declaration that are no fields of a constraint.
_OURS = ("list", "value", "groups", "tokens", "gap", "negative", "only")
_GREY, _BLACK = "#aaaaaa", "#000000"


def _recognise(text: str) -> bool:
    """Return whether a text is an address of SudokuMaker, or its JSON."""
    content = text.strip()
    if content.startswith("{"):
        return '"constraints"' in content and '"cells"' in content
    return _ADDRESS.fullmatch(content[:200_000]) is not None


def _json(text: str) -> Any:  # noqa: ANN401 (what JSON has)
    content = text.strip()
    if not content.startswith("{"):
        packed = _PACKED.search(content)
        if packed is None:
            raise InstanceError("this address of SudokuMaker has no puzzle in it: share the puzzle as a link")
        content = decompress(unquote(packed[1]).translate(str.maketrans(" -$", "+/=")))
    value = parse_json(content)
    return value.get("puzzle", value)


def _read(text: Text) -> Draft:
    """Return the board of an address, or of JSON."""
    puzzle = _json(text.text)
    cells = [cell or {} for cell in puzzle["cells"]]
    side = round(len(cells) ** 0.5)
    check_grid_size(side, side)
    sides = {puzzle.get(name, side) for name in ("size", "width", "height", "maxDigit")}
    if sides != {side} or side * side != len(cells) or puzzle.get("minDigit", 1) != 1:
        raise InstanceError("this board of SudokuMaker is no square, or has other digits than 1 to n")
    constraints = [rule for rule in puzzle.get("constraints") or () if not rule.get("disabled")]
    if puzzle.get("type") == "custom" and all(rule["type"] != _ROWS for rule in constraints):
        raise InstanceError("in this puzzle of SudokuMaker, rows and columns may hold a digit twice")
    board = _Board(side, variants_in(text.puzzles))
    for rule in constraints:
        board.add(rule)
    filled = {place: cell for place, cell in zip(all_cells(side, side), cells, strict=True) if cell.get("value")}
    values = {place: json_integer(cell["value"]) for place, cell in filled.items()}
    givens = {place: values[place] for place, cell in filled.items() if cell.get("given")}
    solved = len(values) == len(cells) > len(givens)
    others = ["numbers that are not given"] * (not solved and len(values) > len(givens))
    return Draft(
        givens,
        board.regions or boxes(1, side),
        {"title": str(puzzle.get("name") or ""), "author": str(puzzle.get("author") or "")},
        values if solved else {},
        board.found.names,
        (*board.found.lost, *others),
        drawn=bool(board.found.lost),
        keys=board.found.keys,
        carried=puzzle.get(CARRIED) or {},
        rules=str(puzzle.get("comment") or ""),
    )


class _Places:
    """The numbers of cells, corners, edges and places outside of a board."""

    def __init__(self, side: int) -> None:
        self.side = side

    def number(self, cell: Cell) -> int:
        return (cell[0] - 1) * self.side + cell[1] - 1

    def cell(self, number: object) -> Cell:
        r, c = divmod(json_integer(number), self.side)
        if not 0 <= r < self.side:
            raise InstanceError(f"{shown(number)} is no cell of a board of {self.side}x{self.side}")
        return r + 1, c + 1

    def cells(self, numbers: Iterable[object]) -> list[Cell]:
        return [*map(self.cell, numbers)]

    def numbers(self, cells: Iterable[Cell]) -> list[int]:
        return [*map(self.number, cells)]

    def outer(self, part: Mapping[str, Any]) -> Cell:
        return divmod(json_integer(part["outerCell"]), self.side + 2)

    def outer_number(self, place: Cell) -> int:
        return place[0] * (self.side + 2) + place[1]

    def edge(self, first: Cell, second: Cell) -> int:
        (r, _), (row, column) = sorted([first, second])
        return (2 * (r - 1) + (row > r)) * self.side + column - 1

    def pair(self, edge: object) -> tuple[Cell, Cell]:
        row, c = divmod(json_integer(edge), self.side)
        r, below = divmod(row, 2)
        return ((r + 1, c + 1), (r + 2, c + 1)) if below else ((r + 1, c), (r + 1, c + 1))

    def masks(self, groups: str, count: int) -> list[int]:
        """Return sets of digits as numbers with a bit for each: residues, or low, middle and high ones."""
        masks = [0] * count
        for digit in range(1, self.side + 1):
            third = (digit > -(-self.side // 3)) + (digit > self.side - -(-self.side // 3))
            masks[third if groups == "thirds" else digit % count] |= 1 << digit
        return sorted(masks)


class _Board:
    """A board while its constraints are read."""

    def __init__(self, side: int, known: Mapping[str, Variant]) -> None:
        self.places = _Places(side)
        self.found = Clues((side, side), known)
        self.regions: dict[Cell, str] | None = None

    def add(self, rule: Mapping[str, Any]) -> None:
        """Add a constraint."""
        kind = json_integer(rule["type"]) if rule["type"] else 0
        if kind in _DRAWN:
            self.found.lost.append(_DRAWN[kind])
        elif kind == _REGIONS:
            region_of = {self.places.cell(i): str(name) for i, name in enumerate(rule["regions"])}
            self.regions = regions_of_sudoku(region_of, self.places.side)
        elif kind not in {_GIVENS, _ROWS} or rule.get("areas"):
            self._variant(rule)

    def _variant(self, rule: Mapping[str, Any]) -> None:
        variants = self.found.known.values()
        fitting = ((variant, value) for variant in variants if (value := self._value(variant, rule)) is not None)
        variant, value = next(fitting, (None, ""))
        if variant is None:
            name = rule.get("name") or (rule.get("definition") or {}).get("name") or f"type {rule['type']}"
            raise InstanceError(f"pyasp does not know the constraint {shown(name)} of SudokuMaker")
        if negative := rule.get("negative"):
            pairs = [rule["type"], *sorted({*negative})]
            names = [other.name for other in variants if other.formats.get(_NAME, {}).get("negative") == pairs]
            if not names:
                raise InstanceError(f"pyasp does not know what {shown(negative)} excludes in SudokuMaker")
            self.found.variants += names
        if variant.keys:
            self._clues(variant.keys[0], variant.formats[_NAME], rule, value)
        else:
            self.found.variants.append(variant.name)

    def _value(self, variant: Variant, rule: Mapping[str, Any]) -> str | None:
        """Return the value of the lines of a constraint if it is that of a variant; "" is the usual value."""
        entry = variant.formats.get(_NAME, {})
        fixed = {name: value for name, value in entry.items() if name not in _OURS}
        if not fixed or any(rule.get(name, False) != value for name, value in fixed.items()):
            return None
        if "groups" in entry:
            count = len(rule["groups"])
            if sorted(map(json_integer, rule["groups"])) != self.places.masks(entry["groups"], count):
                return None
            return "" if count == 3 else str(count) if variant.keys and entry["groups"] == "residues" else None
        if "value" in entry:
            return "" if rule[entry["value"]] == -(-self.places.side // 2) else str(json_integer(rule[entry["value"]]))
        half = self.places.side // 2
        return "" if entry.get("gap", half) == half else str(half)

    def _clues(self, key: Key, entry: Mapping[str, Any], rule: Mapping[str, Any], value: Any) -> None:  # noqa: ANN401 (what JSON has)
        form = form_of(key)
        name = "cages" if "cages" in rule else entry.get("list") or _LISTS.get(form)
        tokens = dict(zip(entry.get("tokens", ()), key.option("tokens", ()), strict=True))
        for part in rule[name] if name else [rule]:
            if form == "corner":
                value = " ".join(str(json_integer(digit)) for digit in part["digits"])
            elif name in {"clues", "cages"}:
                label = part["value"] if form == "pair" else part.get("value")
                value = tokens.get(label, label)
            if form in {"labels", "diagonals"} and value is None:
                continue
            if form == "labels" and part.get("diagonal"):
                raise InstanceError(f"pyasp does not know {key.name} along diagonals")
            for groups in _FORMS[form].read(self.places, part):
                self.found.add(key, *groups, value=(value or "") if form == "cage" else value)


def _read_diagonals(places: _Places, part: Mapping[str, Any]) -> Iterator[list[list[Cell]]]:
    for way in ("dl", "ur") if part["diagonal"] == 1 else ("dr", "ul"):
        place, first = diagonal_groups(places.outer(part), way)
        if {*first[0]} <= {*range(1, places.side + 1)}:
            yield [place, first]


def _read_clones(places: _Places, part: Mapping[str, Any]) -> Iterator[list[list[Cell]]]:
    """Yield clones: groups of cells that are equally far apart are the places of one clone."""
    groups = map(places.cells, part["groups"])
    clones = grouped((tuple((r - cells[0][0], c - cells[0][1]) for r, c in cells), cells) for cells in groups)
    for alike in clones.values():
        yield [[*group] for group in zip(*alike, strict=True)]


def _read_arrows(places: _Places, part: Mapping[str, Any]) -> Iterator[list[list[Cell]]]:
    for _, *shaft in part["arrows"]:
        if shaft:
            yield [places.cells(part["bulbCells"])[::-1], places.cells(shaft)]


# The name of the list of the parts of a constraint; others are one part.
_LISTS = {
    "labels": "clues", "diagonals": "clues", "pair": "clues", "corner": "clues", "heads": "bulbsWithArrows",
    "path": "lines",
}  # fmt: skip
_PLAIN = ClueForm(
    lambda places, part: [[places.cells(part["cells"])]] if part["cells"] else [],
    lambda places, clue: [{"cells": places.numbers(clue.cells)}],
)
_FORMS = {
    "labels": ClueForm(
        lambda places, part: [[[places.outer(part)]]],
        lambda places, clue: [{"outerCell": places.outer_number(clue.cells[0])}],
    ),
    "diagonals": ClueForm(
        _read_diagonals,
        lambda places, clue: [
            {"outerCell": places.outer_number(clue.cells[0]), "diagonal": 1 if clue.way in {"dl", "ur"} else -1}
        ],
    ),
    "heads": ClueForm(
        _read_arrows,
        lambda places, clue: [{"bulbCells": places.numbers(clue.cells)[::-1], "arrows": [places.numbers(clue.shaft)]}],
    ),
    "pair": ClueForm(
        lambda places, part: [[places.pair(part["edge"])]], lambda places, clue: [{"edge": places.edge(*clue.cells)}]
    ),
    "corner": ClueForm(
        lambda places, part: [[[divmod(json_integer(part["corner"]), places.side + 1)]]],
        lambda places, clue: [
            {"corner": r * (places.side + 1) + c, "digits": [*map(int, clue.values)]} for r, c in clue.cells
        ],
    ),
    "path": ClueForm(lambda places, part: [[places.cells(part)]] if len(part) > 1 else [], _PLAIN.write),
    "groups": ClueForm(
        _read_clones,
        lambda places, clue: [{"groups": [places.numbers(group)]} for group in zip(*clue.groups, strict=True)],
    ),
    "mark": _PLAIN,
    "cage": _PLAIN,
}


# -- Writing -------------------------------------------------------------------------------------


def _says(board: Draft, variant: Variant) -> bool:
    """Return whether SudokuMaker has a variant of a board, with these values and gaps, and without closed lines.

    Of each group of digits it wants one on a line, so no group may be empty.
    """
    entry = variant.formats.get(_NAME, {})
    values = {line.values[0] for line in board.lines_of(entry.get("only", "")) if line.values}
    usual, side = str(entry.get("gap", "")), board.size[0]
    lines = [line for key in variant.keys if "gap" in entry or "groups" in entry for line in board.lines_of(key.name)]
    gaps = {str(side // 2)} if "gap" in entry else {"", *map(str, range(1, side + 1))}
    able = (
        values <= {*map(str, entry.get("negative", ())[1:])}
        and {"".join(line.values) or usual for line in lines} <= gaps
    )
    named = bool(entry or variant.formats.get("diagonals"))
    return named and able and not any(map(board.is_closed, variant.keys))


def _write(board: Draft) -> str:
    """Return the address of a board."""
    side, _ = board.size
    places, able_ones = _Places(side), [variant for variant in board.used if _says(board, variant)]
    region_of = regions.numbered(board.regions)
    dots = any(key.option("picture", {}).get("dot") for variant in board.used for key in variant.keys)
    constraints: list[dict[str, Any]] = [{"type": _GIVENS}]
    if region_of != boxes(1, side) or any(map(is_variant_about_regions, board.used)):
        constraints.append({"type": _REGIONS, "regions": [int(region) - 1 for region in region_of.values()]})
    for variant in sorted(able_ones, key=lambda variant: "negative" in variant.formats[_NAME]):
        entry = variant.formats[_NAME]
        kind, *values = entry.get("negative", [None])
        if variant.keys:
            constraints += _written(board, places, variant.keys[0], entry)
        elif kind is None or ("type" in entry and not dots):
            constraints.append(_fields(places, entry))
        else:
            rule = next((other for other in constraints if other["type"] == kind), None)
            if rule is None:
                constraints.append(rule := {"type": kind, "clues": []})
            rule["negative"] = values
    able = {key.name for variant in able_ones for key in variant.keys}
    constraints += [shape for key, layer in board.layers.items() if key not in able for shape in _drawn(places, layer)]
    cells: dict[Cell, dict[str, object]] = {cell: {} for cell in board.places()}
    cells |= {cell: {"value": value} for cell, value in board.solution.items()}
    cells |= {cell: {"given": True, "value": value} for cell, value in board.givens.items()}
    puzzle: dict[str, Any] = {
        "type": "sudoku", "name": board.details.get("title", ""), "author": board.details.get("author", ""),
        "comment": board.rules, "size": side, "minDigit": 1, "maxDigit": side, "cells": [*cells.values()],
        "constraints": constraints, "messages": {}, **board.carrying,
    }  # fmt: skip
    packed = compress(compact_json({"formatVersion": _VERSION, "puzzle": puzzle}))
    return f"https://sudokumaker.app/?puzzle={quote(packed.rstrip('=').replace('/', '-'), safe='-$')}"


def _fields(places: _Places, entry: Mapping[str, Any]) -> dict[str, Any]:
    fields = {name: value for name, value in entry.items() if name not in _OURS} | {"style": _style(_GREY)}
    return fields | ({"groups": places.masks(entry["groups"], 3)} if "groups" in entry else {})


def _style(color: str) -> dict[str, Any]:
    """Return the styles that constraints of all types have."""
    stroke = {"color": color, "thickness": 0.02}
    ends = {"size": 0.8, "fill": "#ffffff", "stroke": stroke}
    look = {"color": color, "thickness": 0.15}
    return {
        **look, "size": 0.8, "offset": 0.1, "bulbRadius": 0.4, "singleLine": False, "lines": look, "endPoints": ends,
        "cage": {"color": _BLACK}, "text": {"color": _BLACK}, "bulb": ends, "arrow": {**look, "headSize": 0.35},
    }  # fmt: skip


def _written(board: Draft, places: _Places, key: Key, entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the constraints of a key of a board: one of all its clues, or of all of one value, or one of each."""
    form, picture, clues = form_of(key), key.option("picture", {}), clues_of(board, key)
    base = _fields(places, entry) | {"style": _style(picture.get("line") or picture.get("fill") or _GREY)}
    parts = [part | _value(key, entry, clue) for clue in clues for part in _FORMS[form].write(places, clue)]
    if form == "groups":
        yield base | {"groups": [group for part in parts for group in part["groups"]]}
    elif form == "path":
        usual = str(-(-places.side // 2)) if "value" in entry else ""
        values = [clue.values[0] if clue.values else usual for clue in clues]
        for value in dict.fromkeys(values):
            more: dict[str, Any] = {entry["value"]: int(value)} if "value" in entry else {}
            more |= {"groups": places.masks(entry["groups"], int(value or 3))} if "groups" in entry else {}
            lines = [part["cells"] for part, other in zip(parts, values, strict=True) if other == value]
            yield base | more | {entry.get("list", "lines"): lines}
    elif form in _LISTS or key.option("value"):
        override = {"negative": [], "overrideNegativeRatios": True, "overrideNegativeDifferences": True}
        yield base | (override if form == "pair" else {}) | {_LISTS.get(form, "cages"): parts}
    else:
        yield from (base | part for part in parts)


def _alike(draft: Draft, name: str, value: Any) -> Any:  # noqa: ANN401 (values of all keys)
    """Return the value of a key, for clones the sets of cells that hold the same number."""
    if not any(key.name == name and key.kind.tool == "groups" for variant in draft.used for key in variant.keys):
        return value
    groups: list[set[Cell]] = []
    for cells in (cells for line in value or () for cells in zip(*parsed_key_line(line).groups, strict=False)):
        joined = [group for group in groups if group & {*cells}]
        groups = [group for group in groups if group not in joined] + [{*cells}.union(*joined)]
    return sorted(map(sorted, groups))


def _value(key: Key, entry: Mapping[str, Any], clue: Clue) -> dict[str, Any]:
    form, value = form_of(key), clue.values[0] if clue.values else str(key.option("default", 0))
    if form in {"corner", "path"} or not (form in _LISTS or key.option("value")) or form == "heads":
        return {}
    tokens = dict(zip(key.option("tokens", ()), entry.get("tokens", ()), strict=True))
    is_text = key.option("value") and len(key.option("value").arguments) > 2
    return {"value": value if is_text else tokens.get(value) or int(value)}


def _drawn(places: _Places, layer: KeyLayer) -> Iterator[dict[str, Any]]:
    """Yield drawings of what SudokuMaker has no rule for: lines, cages and numbers."""
    for figure in layer.figures:
        cells = [{"x": c - 0.5, "y": r - 0.5} for r, c in figure.cells]
        style = {"color": figure.look.get("line", _GREY), "thickness": 0.15}
        if figure.look.get("line"):
            yield {"type": 2000, "lines": [cells], "style": style}
        else:
            cage = {"value": figure.text, "cells": [*map(places.number, figure.cells)]}
            yield {"type": 2001, "cages": [cage], "style": _style(_GREY)}


def _content(text: str) -> dict[str, Any]:
    """Return the content of a text without its details and its answer."""
    puzzle = _json(text)
    cells = [cell if cell and cell.get("given") else {} for cell in puzzle["cells"]]
    return {"cells": cells, "constraints": puzzle["constraints"], CARRIED: puzzle.get(CARRIED)}


FORMAT = draft_format(
    _NAME,
    "addresses of SudokuMaker: Sudoku, also jigsaws and variants",
    _recognise,
    _read,
    _write,
    can=Can(says=_says),
    alike=_alike,
    answers=True,
    content=_content,
    line=True,
)
