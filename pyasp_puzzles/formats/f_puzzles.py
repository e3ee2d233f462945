"""f-puzzles: addresses with the JSON of a Sudoku and its variants, packed with lz-string.

    https://www.f-puzzles.com/?load=N4Igz...
    {"size": 9, "grid": [[{"value": 5, "given": true}, {"region": 0}, ...], ...], "antiknight": true, ...}

A cell has no region if it is in a usual box, and null if it is in none. Our Sudokus have a region for each cell. So if
some cells have none, rows stand for regions, which adds no rule, and the other regions are extra regions.
"""

from __future__ import annotations

import json
import re
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import unquote

from pyasp_puzzles.boards.figure import nearest_of
from pyasp_puzzles.boards.grid import at, by_row, cell_name, cell_named, check_size
from pyasp_puzzles.boards.regions import Regions, boxes, numbered, windows
from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.formats.json import parse, whole
from pyasp_puzzles.formats.lzstring import compress, decompress
from pyasp_puzzles.formats.numbers import CARRIED, DIAGONALS, Can, NumberBoard, diagonals_of, number_format, read_cage
from pyasp_puzzles.model.keys import cells_by_region
from pyasp_puzzles.puzzles.keys.lines import line_text
from pyasp_puzzles.puzzles.keys.outside import DIAGONALS as STEPS
from pyasp_puzzles.puzzles.keys.outside import by_side, labelled
from pyasp_puzzles.puzzles.variant import variants_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.figure import Figure
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.formats.format import Text
    from pyasp_puzzles.model.keys import Key, Layer
    from pyasp_puzzles.puzzles.variant import Variant

# Characters of the longest address in which slashes are tried as doubled.
LONGEST_REPAIRED = 2**14
# Slashes of an address that are tried as doubled.
MOST_SLASHES = 16

# Keys that are read, or say nothing about the rules.
NOTHING = {
    "size", "title", "author", "notes", "ruleset", "grid", "solution", "highlightConflicts", "successMessage",
    "metadata", "disabledlogic", "truecandidatesoptions", "activeConstraints", "candidates", CARRIED,
}  # fmt: skip
# What names may have after them in a `variant.toml`: the constraint is shown only if a drawing repeats it.
DRAWN_AGAIN = "drawn"
NEGATIVE, EXTRA, PENCIL_MARKS = "negative", "extraregion", "pencil_marks"
NO_REGION = "some cells are in no region: the rows stand for regions, and each region is an extra region"
# Keys whose rules are about regions.
REGIONAL = {"disjoint-groups", "region_sum_lines", "box_indexers"}
# What the rules in words may say that a key means instead of its usual rule.
REDEFINED = {"arrow": re.compile(r"digit sum arrow", re.IGNORECASE)}
# Constraints that old texts repeat by drawings without their name.
UNNAMED = ("renban", "whispers", "entropicline")
# The signs around numbers outside, and the colors of cages around marked cells.
SIGNS = {"x_sums": "\u25ef", "skyscrapers": "\u25af"}
CAGES = {"column_indexers": "#C77C7C", "row_indexers": "#7CC77C", "box_indexers": "#7C7CC7"}
BLACK, WHITE = "#000000", "#FFFFFF"
# Signs that point to the smaller of two cells, by the step from the first and greater one.
GREATER = {(1, 0): "v", (0, 1): ">", (-1, 0): "^", (0, -1): "<"}
DETAILS = ("title", "author", "notes")
# Keys of drawings, which may belong to rules that are only in words.
DRAWN = {"line": "lines", "text": "texts", "rectangle": "rectangles", "circle": "circles", "cage": "drawn cages"}
MARKS = ("cornerPencilMarks", "centerPencilMarks")
COLORS = ("c", "cArray", "highlight")
_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?(?:f-puzzles\.com|sudokulab\.net)/\S*")
# Packed JSON, in an address or alone: `{"` is always packed as N4Ig.
_LOAD = re.compile(r"(?:[?&#](?:load|fpuzzle)=|^(?=N4Ig))([^&#\s]*)")
_PACKED = re.compile(r"N4Ig[A-Za-z0-9+/=]{20,}")
_CELL_NAME = re.compile(r'"R\d{1,3}C\d{1,3}"')


def recognise(text: str) -> bool:
    """Return whether a text is an address of f-puzzles, its packed part, or its JSON."""
    words = text.strip()
    if words.startswith("{"):
        return '"grid"' in words and '"size"' in words and '"puzzle"' not in words
    words = words[:200_000]
    return _ADDRESS.fullmatch(words) is not None or _PACKED.fullmatch(words) is not None


def read(text: str, given: Text) -> NumberBoard:
    """Return the board of an address, or of JSON."""
    return board_of(_json(text), variants_in(given.puzzles))


def _json(text: str) -> Any:  # noqa: ANN401 (what JSON has)
    """Return the puzzle of an address, or of JSON."""
    words = text.strip()
    if words.startswith("{"):
        return parse(words)
    if packed := _LOAD.search(words):
        return parse(unpacked(packed[1]))
    message = "this is a short link: it needs the server of f-puzzles, and pyasp stays offline"
    raise InstanceError(f"{message}; open it in a browser, and export the puzzle as a link with ?load=")


def unpacked(packed: str) -> str:
    """Return what is packed in an address.

    Raises:
        InstanceError: it is damaged.
    """
    # A blank was a plus sign. Slashes may be missing, because some servers turn two into one.
    words = unquote(packed).translate(str.maketrans(" -_\\", "++/="))
    slashes = [i for i, one in enumerate(words) if one == "/"][:MOST_SLASHES] if len(words) <= LONGEST_REPAIRED else []
    for variant in (words, *(f"{words[:i]}/{words[i:]}" for i in slashes)):
        try:
            found = decompress(variant)
        except ValueError:
            continue
        if found.strip():
            return found
    raise InstanceError("the puzzle in this address is damaged: copy the whole address")


class Named(NamedTuple):
    """A constraint that has a name in f-puzzles."""

    variant: Variant
    words: list[str]
    """What follows the name in its declaration."""

    @property
    def key(self) -> Key | None:
        """Its key, if it has one."""
        return self.variant.keys[0] if self.variant.keys else None


def named(known: Mapping[str, Variant]) -> dict[str, Named]:
    """Return {name in f-puzzles: constraint}; "negative ratio" is a member of its list "negative"."""
    found = ((str(one.formats["f-puzzles"]).split(), one) for one in known.values() if "f-puzzles" in one.formats)
    return {" ".join(words) if words[0] == NEGATIVE else words[0]: Named(one, words[1:]) for words, one in found}


def board_of(puzzle: Any, variants: Mapping[str, Variant]) -> NumberBoard:  # noqa: ANN401 (what JSON has)
    """Return the board of a puzzle of f-puzzles.

    Raises:
        InstanceError: it has constraints that pyasp does not know, or is no Sudoku.
    """
    grid = puzzle["grid"]
    side = int(puzzle.get("size", len(grid)))
    check_size(side, side)
    if len(grid) != side or any(len(row) != side for row in grid):
        raise InstanceError(f"the grid has {len(grid)} rows; its size says {side} rows of {side} cells")
    known = named(variants)
    every = {*NOTHING, *DRAWN, *known, NEGATIVE, "killercage"}
    if unknown := [shown(key, 30) for key, value in puzzle.items() if value and key not in every]:
        raise InstanceError(f"pyasp does not know these constraints of the board: {listing(unknown, 'and')}")
    flags = {key: one.variant.name for key, one in known.items() if not one.key}
    present = [key for key in flags if puzzle.get(key)]
    present += [f"{NEGATIVE} {name}" for name in puzzle.get(NEGATIVE) or () if f"{NEGATIVE} {name}" in flags]
    names = [flags[key] for key in present]
    variants_found = diagonals_of([name for name in names if name in DIAGONALS])
    variants_found += [name for name in names if name not in DIAGONALS]
    keys: dict[str, Any] = _keys(puzzle, side, known)
    cells = {(r, c): cell for r, row in enumerate(grid, 1) for c, cell in enumerate(row, 1)}
    regions, rest = _regions(cells, side)
    about = [key for key, one in known.items() if puzzle.get(key) and REGIONAL & {one.variant.name, _key_name(one)}]
    if (regional := about) and rest is not None:
        raise InstanceError(f"cells are in no region, which pyasp cannot read together with {listing(regional, 'and')}")
    extra = [sorted(map(cell_of, region["cells"])) for region in puzzle.get(EXTRA) or ()]
    if extra and sorted(extra) == sorted(map(sorted, windows(side))):
        variants_found.append("windoku")
        extra = []
    if extra := [*(rest or ()), *extra]:
        keys["extra_regions"] = [line_text(region) for region in extra]
    drawn = [
        words
        for key, words in DRAWN.items()
        if any(not _says_nothing(part, puzzle, known) for part in puzzle.get(key) or ())
    ]
    others = [*drawn]
    givens: dict[Cell, int] = {}
    for place, cell in cells.items():
        if cell.get("value") and cell.get("given"):
            givens[place] = whole(cell["value"])
        elif cell.get("value"):
            others.append("numbers that are not given")
        if cell.get("givenPencilMarks"):
            marks = " ".join(str(whole(number)) for number in cell["givenPencilMarks"])
            keys.setdefault(PENCIL_MARKS, []).append(line_text([place], marks))
        others += ["pencil marks"] * any(cell.get(key) for key in MARKS)
        others += ["colors"] * any(cell.get(key) for key in COLORS)
    cages = [
        read_cage(map(cell_of, cage["cells"]), cage.get("value") or None) for cage in puzzle.get("killercage") or ()
    ]
    return NumberBoard(
        "sudoku",
        givens,
        regions,
        {key: str(puzzle.get(key) or "") for key in DETAILS},
        _solution(puzzle.get("solution"), list(cells)),
        tuple(variants_found),
        tuple(cages),
        tuple(others),
        drawn=bool(drawn),
        carried=puzzle.get(CARRIED) or {},
        warnings=(NO_REGION,) if rest is not None else (),
        keys=keys,
        rules=str(puzzle.get("ruleset") or ""),
    )


def _whole(part: Mapping[str, Any]) -> int | None:
    """Return the number of a clue; None if it has none, or another text."""
    text = str(part.get("value") or "").strip()
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) or text == "0" else None


def _key_name(one: Named) -> str:
    return one.key.name if one.key else ""


def _keys(puzzle: Mapping[str, Any], side: int, known: Mapping[str, Named]) -> dict[str, Any]:
    """Return the keys of variants of a puzzle, as in TOML."""
    for name, pattern in REDEFINED.items():
        if puzzle.get(name) and pattern.search(str(puzzle.get("ruleset") or "")):
            raise InstanceError(
                f"the rules in its text say what {name} means, which pyasp does not know: read them there"
            )
    found: dict[str, Any] = {}
    for name, one in known.items():
        parts = puzzle.get(name) or () if name != EXTRA else ()
        if one.key and one.key.kind.tool == "sight" and not one.key.option("directions"):
            if sides := _outside(parts, name, side):
                found[one.key.name] = sides
        elif one.key and (lines := [line for part in parts for line in _lines(one.key, name, part, side)]):
            found[one.key.name] = lines
    return found


def _lines(  # noqa: C901, PLR0912 (a branch for each kind of key)
    key: Key, name: str, part: Mapping[str, Any], side: int
) -> Iterator[str]:
    """Yield the lines of a key that a constraint has, as its kind says. A line of one cell says nothing."""
    tool, value = key.kind.tool, _whole(part) if key.option("value") else None
    cells = [cell_of(cell) for cell in part.get("cells") or ()]
    if tool == "sight":
        (r, c), (y, x) = cell_of(part["cell"]), STEPS[part["direction"].lower()]
        if all(1 <= index <= side for index in (r, c)):
            raise _misplaced(name, part)
        if total := _whole(part):
            yield f"{line_text([(r + y, c + x)])} {part['direction'].lower()} = {total}"
    elif key.option("head"):
        for start, *shaft in part.get("lines") or () if cells else ():
            if cell_of(start) not in cells:
                raise InstanceError(f"the line of an arrow begins at {shown(start)}, which is not in its circle")
            if shaft:
                yield f"{line_text(cells)} > {line_text(map(cell_of, shaft))}"
    elif tool == "path":
        yield from (line_text(map(cell_of, line), value) for line in part.get("lines") or () if len(line) > 1)
    elif tool == "groups":
        yield f"{line_text(cells)} = {line_text(map(cell_of, part['cloneCells']))}"
    elif tool == "corner":
        first, *others = sorted(cells)
        if others != _square(*first)[1:]:
            raise InstanceError(f"the {name} at {at(first)} is not about the four cells of a square")
        if numbers := part.get("values"):
            yield line_text([first], " ".join(str(whole(one)) for one in numbers))
    elif tool == "pair":
        tokens = key.option("tokens")
        number = part.get("value") if tokens else _whole(part)
        if not tokens or number in tokens:  # another letter says nothing
            yield line_text(cells, key.option("default", "") if number is None else number)
    else:
        yield line_text(cells or [cell_of(part["cell"])], value)


def _square(r: int, c: int) -> list[Cell]:
    """Return the four cells of a square, given the upper left one."""
    return [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]


def _misplaced(key: str, part: Any) -> InstanceError:  # noqa: ANN401 (what JSON has)
    return InstanceError(f"the {key} of {shown(part['cell'])} is not beside a line of the board")


def _outside(parts: Iterable[Any], name: str, side: int) -> dict[str, list[str]] | None:
    """Return clues outside the board: {"top": ["5", ".", ...]}; None without any."""
    labels: dict[Cell, int] = {}
    for part in parts:
        cell = cell_of(part["cell"])
        if not by_side({cell: 0}, (side, side)):
            raise _misplaced(name, part)
        if (value := _whole(part)) is not None:
            labels[cell] = value
    return by_side(labels, (side, side)) or None


def _says_nothing(part: Any, puzzle: Mapping[str, Any], known: Mapping[str, Named]) -> bool:  # noqa: ANN401 (as JSON)
    """Return whether a drawing holds a detail for SudokuPad, or repeats a constraint in the cells of that."""
    if not isinstance(part, dict):
        return False
    if re.match(r"[a-z]+: ", str(part.get("value", ""))):
        return True
    name = str(part.get("fromConstraint") or "").lower().replace(" ", "")
    old = UNNAMED if part.get("isNewConstraint") else ()
    again = [key for key, one in known.items() if DRAWN_AGAIN in one.words]
    keys = (key for key in again if (name and name.startswith(key)) or key in old)
    return any(puzzle.get(key) and _cells_in(part) <= _cells_in(puzzle[key]) for key in keys)


def _cells_in(value: Any) -> set[str]:  # noqa: ANN401 (what JSON has)
    """Return the names of all cells in a part of a puzzle."""
    return set(_CELL_NAME.findall(json.dumps(value)))


def _boxes(side: int) -> Regions:
    """Return the boxes of f-puzzles, which are as high as they can be without being higher than wide."""
    high = next(height for height in range(isqrt(side), 0, -1) if side % height == 0)
    return boxes(high, side // high)


def _regions(cells: Mapping[Cell, Any], side: int) -> tuple[Regions, list[list[Cell]] | None]:
    """Return the regions and None; if cells are in none, the rows, and the cells of each existing region."""
    usual = _boxes(side)
    found = {cell: content.get("region", int(usual[cell]) - 1) for cell, content in cells.items()}
    named = {cell: str(whole(region)) for cell, region in found.items() if region is not None}
    if len(named) == len(found):
        return numbered(named), None
    return boxes(1, side), [*cells_by_region(named).values()]


def cell_of(name: str) -> Cell:
    """Return the cell of a name: `R1C2`."""
    cell = cell_named(name)
    if cell is None:
        raise InstanceError(f"{shown(name)} is not a cell, such as R1C1")
    return cell


def _solution(found: Any, cells: list[Cell]) -> dict[Cell, int]:  # noqa: ANN401 (what JSON has)
    """Return the numbers of a solution: a list, or a text of digits; empty if it is incomplete."""
    values = [*(found.split(",") if "," in found else found)] if isinstance(found, str) else found
    if not isinstance(values, list) or len(values) != len(cells):
        return {}
    if not all(re.fullmatch(r"[1-9]\d?", str(value)) for value in values):
        return {}
    return {cell: int(value) for cell, value in zip(cells, values, strict=True)}


def says(board: NumberBoard) -> list[str]:
    """Return the variants and the keys of a board that have a name in f-puzzles."""
    found = ["diagonal", "windoku", PENCIL_MARKS]
    for one in named(board.known).values():
        found += [] if one.key and board.is_closed(one.key) else [one.variant.name, _key_name(one)]
    return found


def write(board: NumberBoard) -> str:
    """Return the address of a board."""
    side, _ = board.size
    known, sayable = named(board.known), says(board)
    regions = numbered(board.regions)
    usual = regions == _boxes(side)
    latin = regions == boxes(1, side) and not REGIONAL & {*board.variants, *board.keys}
    found: dict[str, Any] = {"size": side}
    found |= {key: board.details[key] for key in DETAILS if key in board.details}
    found["ruleset"] = board.rules
    cells: dict[Cell, dict[str, Any]] = {
        cell: ({"value": board.givens[cell], "given": True} if cell in board.givens else {})
        | ({} if usual else {"region": None if latin else int(region) - 1})
        for cell, region in regions.items()
    }
    for line in board.lines_of(PENCIL_MARKS):
        cells[line.groups[0][0]]["givenPencilMarks"] = [*map(int, line.values)]
    found["grid"] = by_row(cells, cells)
    has = {*board.variants, *board.diagonals}
    flags = [name for name, one in known.items() if not one.key and one.variant.name in has]
    found |= {name: True for name in flags if not name.startswith(NEGATIVE)}
    if negative := [name.removeprefix(f"{NEGATIVE} ") for name in flags if name.startswith(NEGATIVE)]:
        found[NEGATIVE] = negative
    for name, one in known.items():
        for part in _parts(board, one.key, one) if one.key and one.key.name in {*board.keys} & {*sayable} else ():
            found.setdefault(name, []).append(part)
    for kind, part in _drawings(board, known, sayable):
        found.setdefault(kind, []).append(part)
    if "windoku" in board.variants:
        found.setdefault(EXTRA, []).extend({"cells": _names(window)} for window in windows(side))
    if board.cages:
        found["killercage"] = [
            {"cells": _names(cage.cells)} | ({} if cage.sum is None else {"value": str(cage.sum)})
            for cage in board.cages
        ]
    if board.solution:
        found["solution"] = [board.solution[cell] for cell in sorted(board.solution)]
    if board.carried:
        found[CARRIED] = board.carried
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    return f"https://www.f-puzzles.com/?load={compress(text)}"


def _parts(  # noqa: C901, PLR0912 (a branch for each kind of key)
    board: NumberBoard, key: Key, one: Named
) -> Iterator[dict[str, Any]]:
    """Yield the constraints that f-puzzles has for a key of a board, as its kind says."""
    tool = key.kind.tool
    if tool == "sight" and not key.option("directions"):
        for cell, label in labelled(board.layers[key.name], board.size):
            yield {"cell": _name(cell), "value": label}
        return
    if tool == "sight":
        for words in cast("list[str]", board.keys[key.name]):
            name, direction, _, value = words.split()
            (r, c), (y, x) = cell_of(name), STEPS[direction]
            place = r - y, c - x
            if all(1 <= index <= board.size[0] for index in place):
                raise InstanceError(
                    f"f-puzzles cannot store a little killer that begins inside the board, at {at((r, c))}"
                )
            yield {"cell": _name(place), "direction": direction.upper(), "value": value}
        return
    for line in board.lines_of(key.name):
        first, *others = map(_names, line.groups)
        amount = {"value": line.values[0]} if line.values else {}
        if key.option("head"):
            circle, shaft = line.groups
            yield {"lines": [_names([nearest_of(circle, shaft[0]), *shaft])], "cells": first}
        elif tool == "path":
            yield {"lines": [first]} | amount
        elif tool == "groups":
            yield from ({"cells": first, "cloneCells": other} for other in others)
        elif tool == "pair":
            yield {"cells": first} | (amount if line.values != [str(key.option("default", ""))] else {})
        elif tool == "corner":
            yield {"cells": _names(_square(*line.groups[0][0])), "values": [*map(int, line.values)]}
        elif tool == "mark" and DRAWN_AGAIN not in one.words:
            yield from ({"cell": name} for name in first)
        else:
            yield {"cells": first} | amount


def _drawings(
    board: NumberBoard, known: Mapping[str, Named], sayable: Collection[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield drawings: of what f-puzzles has no rule for, and of constraints that programs show only if repeated."""
    again = {_key_name(one): one.variant.name for one in known.values() if DRAWN_AGAIN in one.words}
    for key, layer in board.layers.items():
        if key not in sayable:
            yield from _drawn(key, layer, board.size)
        elif key in again:
            name = again[key].replace("-", " ").title()
            yield from ((kind, part | {"fromConstraint": name}) for kind, part in _drawn(key, layer, board.size))


def _drawn(key: str, layer: Layer, size: tuple[int, int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the drawings of a key: cages around marked cells, numbers outside, or lines with their ends."""
    if key in CAGES:
        cells = [cell for figure in layer.figures for cell in figure.cells]
        yield "cage", {"cells": _names(cells), "outlineC": CAGES[key], "fontC": BLACK}
        return
    for cell, words in labelled(layer, size):
        if key in SIGNS:
            yield "text", _text([cell], SIGNS[key], 1.2)
        yield "text", _text([cell], words, 0.7)
    for figure in layer.figures:
        if "line" not in figure.look:
            yield from _marks(figure)
            continue
        color, width, hollow = figure.look["line"], figure.look["width"], figure.look.get("hollow")
        line = {"lines": [_names(figure.cells)], "outlineC": color, "width": width}
        yield "line", line
        if hollow:
            yield "line", line | {"outlineC": WHITE, "width": width - 0.1}
        ends = {figure.cells[0], figure.cells[-1]} if figure.look.get("ends") else set()
        shape, angle = ("rectangle", {"angle": 45}) if figure.look.get("ends") == "diamond" else ("circle", {})
        for cell in sorted(ends | ({figure.cells[0]} if figure.look.get("bulb") else set())):
            base = WHITE if ends or hollow else color
            look = {"baseC": base, "outlineC": color, "fontC": BLACK, "width": 0.7, "height": 0.7}
            yield shape, {"cells": _names([cell]), **look, **angle}
        if figure.text:
            yield "text", _text(figure.cells[:2], figure.text, 0.4)


def _marks(figure: Figure) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the drawing of a figure without a line: a cage, cells with a color or a circle, or a sign."""
    look, cells = figure.look, figure.cells
    if look.get("outline"):
        yield (
            "cage",
            {"cells": _names(cells), "value": figure.text, "outlineC": look.get("color", BLACK), "fontC": BLACK},
        )
        return
    color = look.get("fill") or look.get("square") or look.get("circle")
    shape = "rectangle" if look.get("fill") or look.get("square") else "circle"
    for cell in cells if color or look.get("cell") else ():
        base = {"baseC": color or WHITE, "outlineC": color or BLACK, "fontC": BLACK}
        yield shape, {"cells": _names([cell]), **base, "width": 1 if look.get("fill") else 0.8, "height": 0.8}
    words = GREATER.get(_step(cells), ">") if look.get("text") == "greater" else figure.text or figure.number
    if words:
        yield "text", _text(cells[:2], words, 0.4)


def _step(cells: Sequence[Cell]) -> Cell:
    (r, c), (row, column) = cells[0], cells[-1]
    return (row > r) - (row < r), (column > c) - (column < c)


def _text(cells: Iterable[Cell], words: str, size: float) -> dict[str, Any]:
    return {"cells": _names(cells), "value": words, "fontC": BLACK, "size": size}


def _name(cell: Cell) -> str:
    return cell_name(cell).upper()


def _names(cells: Iterable[Cell]) -> list[str]:
    return [*map(_name, cells)]


def _content(text: str) -> dict[str, Any]:
    """Return what a text has besides its details."""
    return {key: value for key, value in _json(text).items() if key not in {*DETAILS, "ruleset", "solution"}}


FORMAT = number_format(
    "f-puzzles",
    "addresses of f-puzzles.com: Sudoku, also jigsaws, and all its constraints",
    recognise,
    read,
    write,
    can=Can(jigsaw=True, says=says, drawn=True, cages=True, details=DETAILS, told=True),
    named=True,
    content=_content,
    line=True,
    answers=True,
)
