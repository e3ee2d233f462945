"""SudokuMaker: addresses with the JSON of a Sudoku and its constraints, packed with lz-string.

    https://sudokumaker.app/?puzzle=N4IgZ...
    {"formatVersion": "1.6.0", "puzzle": {"type": "sudoku", "cells": [{"given": true, "value": 5}, {}, ...],
     "constraints": [{"type": 400, "lines": [[0, 1, 2]]}, ...]}}

The type of a constraint stands in the `variant.toml` of the variant: `sudokumaker = { type = 400 }`, with what else it
has: the name of its list, fixed values, the name of a number. Cells are numbered row by row from 0; corners too, in
rows longer by one; places outside, in rows longer by two; edges, in two rows for each row of cells: those left of its
cells, and those below.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from pyasp_puzzles.boards.figure import nearest_of
from pyasp_puzzles.boards.grid import Cell, all_cells, cell_named, check_size
from pyasp_puzzles.boards.regions import boxes, is_latin, numbered
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.formats.json import parse, whole
from pyasp_puzzles.formats.lzstring import compress, decompress
from pyasp_puzzles.formats.numbers import (
    CARRIED,
    DIAGONALS,
    Can,
    NumberBoard,
    diagonals_of,
    number_format,
    read_cage,
)
from pyasp_puzzles.puzzles.keys.lines import line_text
from pyasp_puzzles.puzzles.keys.outside import DIAGONALS as STEPS
from pyasp_puzzles.puzzles.keys.outside import by_side, labelled
from pyasp_puzzles.puzzles.variant import variants_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyasp_puzzles.formats.format import Text
    from pyasp_puzzles.model.keys import Key, Layer
    from pyasp_puzzles.puzzles.keys.lines import Line
    from pyasp_puzzles.puzzles.variant import Variant

NAME, VERSION = "sudokumaker", "1.6.0"
_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?sudokumaker\.app/\S*")
_PACKED = re.compile(r"[?&#]puzzle=([^&#\s]*)")
# Types that say nothing about the rules, those that are only drawn, and those of regions and of rows and columns.
GIVENS, REGIONS, ROWS, SPECIAL = 0, 1, 2003, (4000, 4001)
DRAWN = {2000: "lines", 2001: "cages that are only drawn", 2002: "shapes"}
KILLERS = "killer-cage"
# {type: (the differences, ratios or sums that unmarked neighbors do not have, the variant that says so)}
NEGATIVE = {200: ({1}, "non-consecutive"), 201: ({2}, "negative-ratio"), 202: ({5, 10}, "negative-xv")}
SUMS = {"X": 10, "V": 5}
# Fields of a declaration that are no fields of a constraint.
OURS = ("list", "value", "groups")
GREY, BLACK = "#aaaaaa", "#000000"
# The usual difference of the ends of a lockout line.
LOCKOUT = 4


def recognise(text: str) -> bool:
    """Return whether a text is an address of SudokuMaker, or its JSON."""
    words = text.strip()
    if words.startswith("{"):
        return '"constraints"' in words and '"cells"' in words
    return _ADDRESS.fullmatch(words[:200_000]) is not None


def _json(text: str) -> Any:  # noqa: ANN401 (what JSON has)
    words = text.strip()
    if not words.startswith("{"):
        packed = _PACKED.search(words)
        if packed is None:
            raise InstanceError("this address of SudokuMaker has no puzzle in it: share the puzzle as a link")
        words = decompress(unquote(packed[1]).translate(str.maketrans(" -$", "+/=")))
    found = parse(words)
    return found.get("puzzle", found)


def read(text: str, given: Text) -> NumberBoard:
    """Return the board of an address, or of JSON."""
    puzzle = _json(text)
    cells = [cell or {} for cell in puzzle["cells"]]
    side = round(len(cells) ** 0.5)
    check_size(side, side)
    sides = {puzzle.get(name, side) for name in ("size", "width", "height", "maxDigit")}
    if sides != {side} or side * side != len(cells) or puzzle.get("minDigit", 1) != 1:
        raise InstanceError("this board of SudokuMaker is no square, or has other digits than 1 to n")
    constraints = [one for one in puzzle.get("constraints") or () if not one.get("disabled")]
    if puzzle.get("type") == "custom" and all(one["type"] != ROWS for one in constraints):
        raise InstanceError("in this puzzle of SudokuMaker, rows and columns may hold a digit twice")
    board = _Read(side, variants_in(given.puzzles))
    for one in constraints:
        board.add(one)
    places = all_cells(side, side)
    values = {place: whole(cell["value"]) for place, cell in zip(places, cells, strict=True) if cell.get("value")}
    givens = {
        place: values[place] for place, cell in zip(places, cells, strict=True) if cell.get("given") and place in values
    }
    solved = len(values) == len(places) > len(givens)
    lost = [*board.lost, *(["numbers that are not given"] if not solved and len(values) > len(givens) else [])]
    details = {"title": "name", "author": "author"}
    return NumberBoard(
        "sudoku",
        givens,
        board.regions or boxes(1, side),
        {ours: str(puzzle.get(name) or "") for ours, name in details.items()},
        values if solved else {},
        board.names(),
        tuple(read_cage(cage, total) for cage, total in board.cages),
        tuple(lost),
        drawn=bool(board.lost),
        keys=board.found(),
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
        r, c = divmod(whole(number), self.side)
        if not 0 <= r < self.side:
            raise InstanceError(f"{shown(number)} is no cell of a board of {self.side}x{self.side}")
        return r + 1, c + 1

    def edge(self, first: Cell, second: Cell) -> int:
        (r, _), (row, column) = sorted([first, second])
        return (2 * (r - 1) + (row > r)) * self.side + column - 1

    def pair(self, edge: object) -> tuple[Cell, Cell]:
        row, c = divmod(whole(edge), self.side)
        r, below = divmod(row, 2)
        return ((r + 1, c + 1), (r + 2, c + 1)) if below else ((r + 1, c), (r + 1, c + 1))

    def masks(self, groups: str, count: int) -> list[int]:
        """Return sets of digits as numbers with a bit for each: residues, or low, middle and high ones."""
        found = [0] * count
        for digit in range(1, self.side + 1):
            third = (digit > -(-self.side // 3)) + (digit > self.side - -(-self.side // 3))
            found[third if groups == "thirds" else digit % count] |= 1 << digit
        return sorted(found)


class _Read(_Places):
    """A board while its constraints are read."""

    def __init__(self, side: int, known: Mapping[str, Variant]) -> None:
        super().__init__(side)
        self.known = known
        self.regions: dict[Cell, str] | None = None
        self.variants: list[str] = []
        self.cages: list[tuple[list[Cell], int | None]] = []
        self.keys: dict[str, list[str]] = {}
        self.labels: dict[str, dict[Cell, str]] = {}
        self.lost: list[str] = []

    def names(self) -> tuple[str, ...]:
        diagonals = [name for name in self.variants if name in DIAGONALS]
        return tuple(dict.fromkeys([*diagonals_of(diagonals), *(one for one in self.variants if one not in diagonals)]))

    def found(self) -> dict[str, Any]:
        sides = {name: by_side(labels, (self.side, self.side)) for name, labels in self.labels.items()}
        if None in sides.values():
            raise InstanceError("a clue of this puzzle is not beside a line of the board")
        return {**self.keys, **sides}

    def add(self, one: Mapping[str, Any]) -> None:
        """Add a constraint."""
        kind = whole(one["type"]) if one["type"] else 0
        if kind in DRAWN:
            self.lost.append(DRAWN[kind])
        elif kind in SPECIAL:
            self.lost.append("fog")
        elif kind == REGIONS:
            regions = {self.cell(i): str(name) for i, name in enumerate(one["regions"])}
            if not is_latin(regions):
                raise InstanceError(f"the regions are not {self.side} of {self.side} cells, as a Sudoku has them")
            self.regions = numbered(regions)
        elif kind not in {GIVENS, ROWS} or one.get("areas"):
            self._variant(one)

    def _variant(self, one: Mapping[str, Any]) -> None:
        variant, value = next(
            ((v, value) for v in self.known.values() if (value := self._is(v, one)) is not None), (None, "")
        )
        if variant is None:
            name = one.get("name") or (one.get("definition") or {}).get("name") or f"type {one['type']}"
            raise InstanceError(f"pyasp does not know the constraint {shown(name)} of SudokuMaker")
        unmarked, negative = NEGATIVE.get(one["type"], (set[int](), ""))
        if one.get("negative"):
            if {*one["negative"]} != unmarked:
                raise InstanceError(f"pyasp does not know what {shown(one['negative'])} excludes in SudokuMaker")
            self.variants.append(negative)
        if not variant.keys:
            self.variants.append(variant.name)
        elif variant.name == KILLERS:
            self.cages += [
                ([*map(self.cell, cage["cells"])], whole(cage["value"]) if cage.get("value") else None)
                for cage in one["cages"]
            ]
        else:
            for line in self._lines(variant.keys[0], variant.formats[NAME], one, value):
                self.keys.setdefault(variant.keys[0].name, []).append(line)

    def _is(self, variant: Variant, one: Mapping[str, Any]) -> str | None:
        """Return the value of the lines of a constraint if it is that of a variant; "" is the usual value."""
        said = variant.formats.get(NAME, {})
        fixed = {name: value for name, value in said.items() if name not in OURS}
        if not said or any(one.get(name, False) != value for name, value in fixed.items()):
            return None
        if "groups" in said:
            count = len(one["groups"])
            usual = sorted(map(whole, one["groups"])) == self.masks(said["groups"], count) and (
                count == 3 or variant.keys
            )
            allowed = usual and (count == 3 or said["groups"] == "residues")
            return None if not allowed else "" if count == 3 else str(count)
        if "value" in said:
            return "" if one[said["value"]] == -(-self.side // 2) else str(whole(one[said["value"]]))
        usual_gap = self.side // 2 == LOCKOUT
        return str(self.side // 2) if variant.name == "lockout-line" and not usual_gap else ""

    def _lines(self, key: Key, said: Mapping[str, Any], one: Mapping[str, Any], value: str) -> Iterator[str]:  # noqa: C901, PLR0912 (a branch for each kind of key)
        tool = key.kind.tool
        if tool == "sight":
            for clue in one["clues"]:
                if clue.get("value") is not None:
                    yield from self._sight(key, clue)
        elif key.option("head"):
            for bulb in one["bulbsWithArrows"]:
                head = line_text(map(self.cell, reversed(bulb["bulbCells"])))
                for _, *shaft in bulb["arrows"]:
                    if shaft:
                        yield f"{head} > {line_text(map(self.cell, shaft))}"
        elif tool == "pair":
            for clue in one["clues"]:
                tokens = {str(number): token for token, number in SUMS.items()} if key.option("tokens") else {}
                yield line_text(self.pair(clue["edge"]), tokens.get(str(clue["value"]), clue["value"]))
        elif tool == "corner":
            for clue in one["clues"]:
                r, c = divmod(whole(clue["corner"]), self.side + 1)
                yield line_text([(r, c)], " ".join(str(whole(digit)) for digit in clue["digits"]))
        elif tool == "groups":
            yield from self._clones(one["groups"])
        elif "cages" in one:
            yield from (line_text(map(self.cell, cage["cells"]), str(cage["value"])) for cage in one["cages"])
        elif tool == "path":
            lines = one[said.get("list", "lines")]
            yield from (line_text(map(self.cell, line), value) for line in lines if len(line) > 1)
        elif one["cells"]:
            yield line_text(map(self.cell, one["cells"]))

    def _clones(self, groups: list[list[object]]) -> Iterator[str]:
        """Yield clones; groups of cells that are equally far apart are the places of one clone."""
        clones: dict[object, list[list[Cell]]] = {}
        for group in groups:
            cells = [self.cell(number) for number in group]
            apart = tuple((r - cells[0][0], c - cells[0][1]) for r, c in cells)
            clones.setdefault(apart, []).append(cells)
        for places in clones.values():
            yield " = ".join(line_text(cells) for cells in zip(*places, strict=True))

    def _sight(self, key: Key, clue: Mapping[str, Any]) -> Iterator[str]:
        r, c = divmod(whole(clue["outerCell"]), self.side + 2)
        if not key.option("directions"):
            if clue.get("diagonal"):
                raise InstanceError(f"pyasp does not know {key.name} along diagonals")
            self.labels.setdefault(key.name, {})[r, c] = str(whole(clue["value"]) if clue["value"] else 0)
            return
        for name, (y, x) in STEPS.items():
            if y * x == -clue["diagonal"] and {r + y, c + x} <= {*range(1, self.side + 1)}:
                yield f"{line_text([(r + y, c + x)])} {name} = {whole(clue['value'])}"


# -- Writing -------------------------------------------------------------------------------------


def says(board: NumberBoard) -> list[str]:
    """Return the variants and keys of a board that SudokuMaker has."""
    found = ["diagonal"]
    dots = any(board.keys.get(key) for key in ("differences", "ratios"))
    for variant in board.known.values():
        said = variant.formats.get(NAME)
        lines = [line for key in variant.keys if key.name in board.keys for line in _lines_of(board, key)]
        closed = any(map(board.is_closed, variant.keys))
        gap = variant.name == "lockout-line" and any(
            (line.values or [str(LOCKOUT)])[0] != str(board.size[0] // 2) for line in lines
        )
        if said and not closed and not gap and not (dots and variant.name == NEGATIVE[200][1]):
            found += [variant.name, *(key.name for key in variant.keys)]
    keys = {200: "differences", 201: "ratios", 202: "xv"}
    for kind, (_, name) in NEGATIVE.items():
        usual = kind != 201 or {*(line.values[0] for line in board.lines_of("ratios") if line.values)} <= {"2"}
        found += [name] if (keys[kind] in board.keys and usual) or (kind == 202) or (kind == 201 and usual) else []
    return found + ([NEGATIVE[200][1]] if dots else [])


def _lines_of(board: NumberBoard, key: Key) -> list[Line]:
    return [] if key.kind.tool == "sight" else board.lines_of(key.name)


def write(board: NumberBoard) -> str:  # noqa: C901 (a branch for each thing that a board may have)
    """Return the address of a board."""
    side, _ = board.size
    writer = _Places(side)
    regions = numbered(board.regions)
    constraints: list[dict[str, Any]] = [{"type": GIVENS}]
    if regions != boxes(1, side) or "disjoint-groups" in board.variants or "region_sum_lines" in board.keys:
        constraints.append({"type": REGIONS, "regions": [int(region) - 1 for region in regions.values()]})
    has, able = {*board.variants, *board.diagonals}, {*says(board)}
    negative = [kind for kind, (_, name) in NEGATIVE.items() if name in has & able]
    if 200 in negative and not any(board.keys.get(key) for key in ("differences", "ratios")):
        negative.remove(200)  # a constraint of its own says so
    else:
        has -= {NEGATIVE[200][1]}
    for variant in board.known.values():
        said = variant.formats.get(NAME)
        if said and not variant.keys and variant.name in has:
            constraints.append(_fields(writer, said))
        for key in variant.keys if said else ():
            if key.name in board.keys and key.name in able:
                constraints += _written(board, writer, key, said or {})
    for kind in negative:
        one = next((found for found in constraints if found["type"] == kind), None)
        if one is None:
            constraints.append(one := {"type": kind, "clues": []})
        one["negative"] = sorted(NEGATIVE[kind][0])
    if board.cages:
        cages = [{"cells": [*map(writer.number, cage.cells)], "value": cage.sum or 0} for cage in board.cages]
        constraints.append({"type": board.known[KILLERS].formats[NAME]["type"], "cages": cages, "style": _style(GREY)})
    constraints += [one for key, layer in board.layers.items() if key not in able for one in _drawn(writer, layer)]
    cells = [
        {"given": True, "value": board.givens[cell]}
        if cell in board.givens
        else {"value": board.solution[cell]}
        if cell in board.solution
        else {}
        for cell in all_cells(side, side)
    ]
    puzzle: dict[str, Any] = {
        "type": "sudoku", "name": board.details.get("title", ""), "author": board.details.get("author", ""),
        "comment": board.rules, "size": side, "minDigit": 1, "maxDigit": side, "cells": cells,
        "constraints": constraints, "messages": {},
    }  # fmt: skip
    if board.carried:
        puzzle[CARRIED] = board.carried
    packed = compress(
        json.dumps({"formatVersion": VERSION, "puzzle": puzzle}, separators=(",", ":"), ensure_ascii=False)
    )
    return f"https://sudokumaker.app/?puzzle={quote(packed.rstrip('=').replace('/', '-'), safe='-$')}"


def _fields(places: _Places, said: Mapping[str, Any], count: int = 3) -> dict[str, Any]:
    found = {name: value for name, value in said.items() if name not in OURS} | {"style": _style(GREY)}
    return found | ({"groups": places.masks(said["groups"], count)} if "groups" in said else {})


def _style(color: str) -> dict[str, Any]:
    """Return the styles that constraints of all types have."""
    stroke = {"color": color, "thickness": 0.02}
    ends = {"size": 0.8, "fill": "#ffffff", "stroke": stroke}
    look = {"color": color, "thickness": 0.15}
    return {
        **look, "size": 0.8, "offset": 0.1, "bulbRadius": 0.4, "singleLine": False, "lines": look, "endPoints": ends,
        "cage": {"color": BLACK}, "text": {"color": BLACK}, "bulb": ends, "arrow": {**look, "headSize": 0.35},
    }  # fmt: skip


def _written(board: NumberBoard, places: _Places, key: Key, said: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the constraints of a key of a board: one of all its clues, or of all of one value."""
    side, tool, number = places.side, key.kind.tool, places.number
    picture = key.option("picture", {})
    one = _fields(places, said) | {"style": _style(picture.get("line") or picture.get("fill") or GREY)}
    lines = _lines_of(board, key)
    if tool == "sight":
        yield one | {"clues": list(_sights(board, side, key))}
    elif key.option("head"):
        bulbs = [(line.groups[0], [nearest_of(line.groups[0], line.groups[1][0]), *line.groups[1]]) for line in lines]
        yield one | {
            "bulbsWithArrows": [
                {"bulbCells": [*map(number, reversed(head))], "arrows": [[*map(number, shaft)]]}
                for head, shaft in bulbs
            ]
        }
    elif tool == "pair":
        values = [line.values[0] if line.values else str(key.option("default")) for line in lines]
        yield one | {"negative": [], "overrideNegativeRatios": True, "overrideNegativeDifferences": True, "clues": [
            {"value": SUMS[value] if value in SUMS else int(value), "edge": places.edge(*line.groups[0])}
            for line, value in zip(lines, values, strict=True)
        ]}  # fmt: skip
    elif tool == "corner":
        corners: list[tuple[Cell, list[int]]] = [(line.groups[0][0], [*map(int, line.values)]) for line in lines]
        clues: list[Any] = [{"corner": r * (side + 1) + c, "digits": digits} for (r, c), digits in corners]
        yield one | {"clues": clues}
    elif tool == "groups":
        yield one | {"groups": [[*map(number, group)] for line in lines for group in zip(*line.groups, strict=True)]}
    elif tool == "cage" and key.option("value"):
        yield one | {"cages": [{"cells": [*map(number, line.groups[0])], "value": line.values[0]} for line in lines]}
    elif tool == "path":
        usual = str(-(-side // 2)) if "value" in said else ""
        for value in dict.fromkeys(line.values[0] if line.values else usual for line in lines):
            chosen = [line.groups[0] for line in lines if (line.values[0] if line.values else usual) == value]
            more: dict[str, Any] = {said["value"]: int(value)} if "value" in said else {}
            more |= {"groups": places.masks(said["groups"], int(value or 3))} if "groups" in said else {}
            yield one | more | {said.get("list", "lines"): [[*map(number, cells)] for cells in chosen]}
    else:
        yield from (one | {"cells": [*map(number, line.groups[0])]} for line in lines)


def _sights(board: NumberBoard, side: int, key: Key) -> Iterator[dict[str, Any]]:
    if not key.option("directions"):
        for (r, c), label in labelled(board.layers[key.name], board.size):
            yield {"value": int(label), "outerCell": r * (side + 2) + c}
        return
    found: Any = board.keys[key.name]
    for words in [found] if isinstance(found, str) else found:
        name, way, _, value = words.split()
        cell, (y, x) = cell_named(name) or (0, 0), STEPS[way]
        r, c = cell
        yield {"value": int(value), "outerCell": (r - y) * (side + 2) + c - x, "diagonal": -y * x}


def _drawn(places: _Places, layer: Layer) -> Iterator[dict[str, Any]]:
    """Yield drawings of what SudokuMaker has no rule for: lines, cages and numbers."""
    for figure in layer.figures:
        cells = [{"x": c - 0.5, "y": r - 0.5} for r, c in figure.cells]
        style = {"color": figure.look.get("line", GREY), "thickness": 0.15}
        if figure.look.get("line"):
            yield {"type": 2000, "lines": [cells], "style": style}
        else:
            cage = {"value": figure.text, "cells": [*map(places.number, figure.cells)]}
            yield {"type": 2001, "cages": [cage], "style": _style(GREY)}


def _content(text: str) -> dict[str, Any]:
    """Return what a text has besides its details and its answer."""
    puzzle = _json(text)
    cells = [cell if cell and cell.get("given") else {} for cell in puzzle["cells"]]
    return {"cells": cells, "constraints": puzzle["constraints"], CARRIED: puzzle.get(CARRIED)}


FORMAT = number_format(
    NAME,
    "addresses of SudokuMaker: Sudoku, also jigsaws and variants",
    recognise,
    read,
    write,
    can=Can(jigsaw=True, says=says, drawn=True, cages=True, details=("title", "author"), told=True),
    named=True,
    content=_content,
    line=True,
    answers=True,
)
