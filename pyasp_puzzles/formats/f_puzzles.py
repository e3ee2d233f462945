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
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

from pyasp_puzzles.boards.figure import nearest_of
from pyasp_puzzles.boards.grid import at, by_row, cell_name, cell_named, check_size
from pyasp_puzzles.boards.regions import Regions, boxes, numbered, windows
from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.formats.json import parse, whole
from pyasp_puzzles.formats.lzstring import compress, decompress
from pyasp_puzzles.formats.numbers import Can, NumberBoard, diagonals_of, number_format, read_cage
from pyasp_puzzles.model.keys import cells_by_region
from pyasp_puzzles.puzzles.keys.lines import Line, line_text
from pyasp_puzzles.puzzles.keys.outside import DIAGONALS as STEPS
from pyasp_puzzles.puzzles.keys.outside import by_side, labelled
from pyasp_puzzles.puzzles.variant import shipped_variants

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.keys import Layer

# Characters of the longest address in which slashes are tried as doubled.
LONGEST_REPAIRED = 2**14
# Slashes of an address that are tried as doubled.
MOST_SLASHES = 16

# Keys that are read, or say nothing about the rules.
NOTHING = {
    "size", "title", "author", "notes", "ruleset", "grid", "solution", "highlightConflicts", "successMessage",
    "metadata", "disabledlogic", "truecandidatesoptions", "activeConstraints", "candidates",
}  # fmt: skip
VARIANTS = {
    "antiknight": "anti-knight",
    "antiking": "anti-king",
    "nonconsecutive": "non-consecutive",
    "disjointgroups": "disjoint-groups",
}
# Our keys of lines, of marked cells, of clues outside, and of pairs with the value that they have if none is given.
LINES = {
    "thermometer": "thermometers",
    "slowthermometer": "slow_thermometers",
    "palindrome": "palindromes",
    "renban": "renbans",
    "nabner": "nabners",
    "whispers": "whispers",
    "betweenline": "between_lines",
    "lockout": "lockout_lines",
    "entropicline": "entropic_lines",
    "modularline": "modular_lines",
    "regionsumline": "region_sum_lines",
    "zipper": "zipper_lines",
    "zipperline": "zipper_lines",
    "doublearrow": "double_arrows",
}
# Lines of these may have a value.
VALUED = ("whispers", "lockout", "modularline")
CELLS = {"even": "even", "odd": "odd", "minimum": "minimum", "maximum": "maximum"}
INDEXERS = {"columnindexer": "column_indexers", "rowindexer": "row_indexers", "boxindexer": "box_indexers"}
OUTSIDE = {"sandwichsum": "sandwiches", "xsum": "x_sums", "skyscraper": "skyscrapers", "numberedroom": "numbered_rooms"}
PAIRS = {"difference": ("differences", "1"), "ratio": ("ratios", "2"), "xv": ("xv", "")}
NEGATIVE = {"ratio": "negative-ratio", "xv": "negative-xv"}
MORE = ("arrow", "clone", "quadruple", "littlekillersum", "extraregion", "negative")
# Our keys that f-puzzles has.
KEYS = (
    *dict.fromkeys((*LINES.values(), *CELLS.values(), *INDEXERS.values(), *OUTSIDE.values())),
    *(ours for ours, _ in PAIRS.values()),
    *("arrows", "clones", "quadruples", "little_killers", "extra_regions", "pencil_marks"),
)
NO_REGION = "some cells are in no region: the rows stand for regions, and each region is an extra region"
# Keys whose rules are about regions.
REGIONAL = ("disjointgroups", "regionsumline", "boxindexer")
REGIONAL_NAMES = {"disjoint-groups", "region_sum_lines", "box_indexers"}
# What the rules in words may say that a key means instead of its usual rule.
REDEFINED = {"arrow": re.compile(r"digit sum arrow", re.IGNORECASE)}
# Constraints that programs show only if drawings repeat them.
COPIES = {
    key: ours
    for key, ours in (LINES | INDEXERS | OUTSIDE).items()
    if key not in {"thermometer", "palindrome", "betweenline", "sandwichsum"}
}
# Constraints that old texts repeat by drawings without their name.
UNNAMED = ("renban", "whispers", "entropicline")
# The signs around numbers outside, and the colors of cages around marked cells.
SIGNS = {"x_sums": "\u25ef", "skyscrapers": "\u25af"}
CAGES = {"column_indexers": "#C77C7C", "row_indexers": "#7CC77C", "box_indexers": "#7C7CC7"}
BLACK, WHITE = "#000000", "#FFFFFF"
DIAGONALS = {"diagonal+": "rising-diagonal", "diagonal-": "falling-diagonal"}
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


def read(text: str) -> NumberBoard:
    """Return the board of an address, or of JSON."""
    words = text.strip()
    if words.startswith("{"):
        return board_of(parse(words))
    if packed := _LOAD.search(words):
        return board_of(parse(unpacked(packed[1])))
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


def board_of(puzzle: Any) -> NumberBoard:  # noqa: ANN401 (what JSON has)
    """Return the board of a puzzle of f-puzzles.

    Raises:
        InstanceError: it has constraints that pyasp does not know, or is no Sudoku.
    """
    grid = puzzle["grid"]
    side = int(puzzle.get("size", len(grid)))
    check_size(side, side)
    if len(grid) != side or any(len(row) != side for row in grid):
        raise InstanceError(f"the grid has {len(grid)} rows; its size says {side} rows of {side} cells")
    known = {*NOTHING, *VARIANTS, *DIAGONALS, *DRAWN, *LINES, *CELLS, *INDEXERS, *OUTSIDE, *PAIRS, *MORE, "killercage"}
    if unknown := [shown(key, 30) for key, value in puzzle.items() if value and key not in known]:
        raise InstanceError(f"pyasp does not know these constraints of the board: {listing(unknown, 'and')}")
    variants = diagonals_of([name for key, name in DIAGONALS.items() if puzzle.get(key)])
    variants += [name for key, name in VARIANTS.items() if puzzle.get(key)]
    variants += [NEGATIVE[name] for name in puzzle.get("negative") or () if name in NEGATIVE]
    keys: dict[str, Any] = _keys(puzzle, side)
    cells = {(r, c): cell for r, row in enumerate(grid, 1) for c, cell in enumerate(row, 1)}
    regions, rest = _regions(cells, side)
    if (regional := [key for key in REGIONAL if puzzle.get(key)]) and rest is not None:
        raise InstanceError(f"cells are in no region, which pyasp cannot read together with {listing(regional, 'and')}")
    extra = [sorted(map(cell_of, region["cells"])) for region in puzzle.get("extraregion") or ()]
    if extra and sorted(extra) == sorted(map(sorted, windows(side))):
        variants.append("windoku")
        extra = []
    if extra := [*(rest or ()), *extra]:
        keys["extra_regions"] = [line_text(region) for region in extra]
    drawn = [
        words for key, words in DRAWN.items() if any(not _says_nothing(part, puzzle) for part in puzzle.get(key) or ())
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
            keys.setdefault("pencil_marks", []).append(line_text([place], marks))
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
        tuple(variants),
        tuple(cages),
        tuple(others),
        drawn=bool(drawn),
        warnings=(NO_REGION,) if rest is not None else (),
        keys=keys,
        rules=str(puzzle.get("ruleset") or ""),
    )


def _whole(part: Mapping[str, Any]) -> int | None:
    """Return the number of a clue; None if it has none, or another text."""
    text = str(part.get("value") or "").strip()
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) or text == "0" else None


def _keys(puzzle: Mapping[str, Any], side: int) -> dict[str, Any]:
    """Return the keys of variants of a puzzle, as in TOML."""
    for key, pattern in REDEFINED.items():
        if puzzle.get(key) and pattern.search(str(puzzle.get("ruleset") or "")):
            raise InstanceError(
                f"the rules in its text say what {key} means, which pyasp does not know: read them there"
            )
    found: dict[str, list[str]] = {}
    for key, line in (*_lines(puzzle), *_cells(puzzle), *_pairs(puzzle), *_corners(puzzle)):
        found.setdefault(key, []).append(line)
    return {**found, **_outside(puzzle, side)}


def _lines(puzzle: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield lines and arrows, each as our key and a line of it. A line of one cell says nothing."""
    for key, ours in LINES.items():
        for part in puzzle.get(key) or ():
            value = _whole(part) if key in VALUED else None
            yield from (
                (ours, line_text(map(cell_of, line), value)) for line in part.get("lines") or () if len(line) > 1
            )
    for part in puzzle.get("arrow") or ():
        circle = part.get("cells") or ()
        for start, *shaft in part.get("lines") or () if circle else ():
            if start not in circle:
                raise InstanceError(f"the line of an arrow begins at {shown(start)}, which is not in its circle")
            if shaft:
                yield "arrows", f"{line_text(map(cell_of, circle))} > {line_text(map(cell_of, shaft))}"
    for part in puzzle.get("littlekillersum") or ():
        (r, c), (y, x) = cell_of(part["cell"]), STEPS[part["direction"].lower()]
        if all(1 <= index <= len(puzzle["grid"]) for index in (r, c)):
            raise _misplaced("littlekillersum", part)
        if value := _whole(part):
            yield "little_killers", f"{line_text([(r + y, c + x)])} {part['direction'].lower()} = {value}"


def _cells(puzzle: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield marked cells and clones."""
    for key, ours in CELLS.items():
        yield from ((ours, line_text([cell_of(part["cell"])])) for part in puzzle.get(key) or ())
    for key, ours in INDEXERS.items():
        yield from ((ours, line_text(map(cell_of, part["cells"]))) for part in puzzle.get(key) or ())
    for part in puzzle.get("clone") or ():
        yield "clones", f"{line_text(map(cell_of, part['cells']))} = {line_text(map(cell_of, part['cloneCells']))}"


def _pairs(puzzle: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield dots and letters between two cells; a letter other than X and V says nothing."""
    for key, (ours, usual) in PAIRS.items():
        for part in puzzle.get(key) or ():
            number = part.get("value") if key == "xv" else _whole(part)
            value = usual if number is None else str(number)
            if key != "xv" or value in {"X", "V"}:
                yield ours, line_text(map(cell_of, part["cells"]), value)


def _corners(puzzle: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for part in puzzle.get("quadruple") or ():
        first, *others = sorted(map(cell_of, part["cells"]))
        if others != _square(*first)[1:]:
            raise InstanceError(f"the quadruple at {at(first)} is not about the four cells of a square")
        if numbers := part.get("values"):
            yield "quadruples", line_text([first], " ".join(str(whole(one)) for one in numbers))


def _square(r: int, c: int) -> list[Cell]:
    """Return the four cells of a square, given the upper left one."""
    return [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]


def _misplaced(key: str, part: Any) -> InstanceError:  # noqa: ANN401 (what JSON has)
    return InstanceError(f"the {key} of {shown(part['cell'])} is not beside a line of the board")


def _outside(puzzle: Mapping[str, Any], side: int) -> dict[str, dict[str, list[str]]]:
    """Return clues outside the board: {"sandwiches": {"top": ["5", ".", ...]}}."""
    found: dict[str, dict[str, list[str]]] = {}
    for key, ours in OUTSIDE.items():
        labels: dict[Cell, int] = {}
        for part in puzzle.get(key) or ():
            cell = cell_of(part["cell"])
            if not by_side({cell: 0}, (side, side)):
                raise _misplaced(key, part)
            if (value := _whole(part)) is not None:
                labels[cell] = value
        if sides := by_side(labels, (side, side)):
            found[ours] = sides
    return found


def _says_nothing(part: Any, puzzle: Mapping[str, Any]) -> bool:  # noqa: ANN401 (what JSON has)
    """Return whether a drawing holds a detail for SudokuPad, or repeats a constraint in the cells of that."""
    if not isinstance(part, dict):
        return False
    if re.match(r"[a-z]+: ", str(part.get("value", ""))):
        return True
    name = str(part.get("fromConstraint") or "").lower().replace(" ", "")
    old = UNNAMED if part.get("isNewConstraint") else ()
    keys = (key for key in COPIES if (name and name.startswith(key)) or key in old)
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


def write(board: NumberBoard) -> str:
    """Return the address of a board."""
    side, _ = board.size
    regions = numbered(board.regions)
    usual = regions == _boxes(side)
    latin = regions == boxes(1, side) and not REGIONAL_NAMES & {*board.variants, *board.keys}
    found: dict[str, Any] = {"size": side}
    found |= {key: board.details[key] for key in DETAILS if key in board.details}
    found["ruleset"] = board.rules
    cells: dict[Cell, dict[str, Any]] = {
        cell: ({"value": board.givens[cell], "given": True} if cell in board.givens else {})
        | ({} if usual else {"region": None if latin else int(region) - 1})
        for cell, region in regions.items()
    }
    for line in board.lines_of("pencil_marks"):
        cells[line.groups[0][0]]["givenPencilMarks"] = [*map(int, line.values)]
    found["grid"] = by_row(cells, cells)
    found |= {key: True for key, name in DIAGONALS.items() if name in board.diagonals}
    found |= {key: True for key, name in VARIANTS.items() if name in board.variants}
    if negative := [key for key, name in NEGATIVE.items() if name in board.variants]:
        found["negative"] = negative
    for key, part in (*_parts(board), *_copies(board)):
        found.setdefault(key, []).append(part)
    if "windoku" in board.variants:
        found.setdefault("extraregion", []).extend({"cells": _names(window)} for window in windows(side))
    if board.cages:
        found["killercage"] = [
            {"cells": _names(cage.cells)} | ({} if cage.sum is None else {"value": str(cage.sum)})
            for cage in board.cages
        ]
    if board.solution:
        found["solution"] = [board.solution[cell] for cell in sorted(board.solution)]
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    return f"https://www.f-puzzles.com/?load={compress(text)}"


def _parts(board: NumberBoard) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each constraint of the keys of a board, with its name in f-puzzles."""
    yield from _line_parts(board)
    yield from _cell_parts(board)
    for key, ours in OUTSIDE.items():
        for cell, label in labelled(board.layers[ours], board.size) if ours in board.keys else ():
            yield key, {"cell": _name(cell), "value": label}
    for words in cast("list[str]", board.keys.get("little_killers", [])):
        name, direction, _, value = words.split()
        (r, c), (y, x) = cell_of(name), STEPS[direction]
        place = r - y, c - x
        if all(1 <= index <= board.size[0] for index in place):
            raise InstanceError(f"f-puzzles cannot store a little killer that begins inside the board, at {at((r, c))}")
        yield "littlekillersum", {"cell": _name(place), "direction": direction.upper(), "value": value}


def _line_parts(board: NumberBoard) -> Iterator[tuple[str, dict[str, Any]]]:
    for ours, key in {ours: key for key, ours in LINES.items()}.items():
        for line in board.lines_of(ours):
            (cells,) = line.groups
            if len(cells) > 1 and cells[0] == cells[-1]:
                raise InstanceError(f"f-puzzles cannot store the closed line of {ours} at {at(cells[0])}")
            yield key, {"lines": [_names(cells)]} | _value_of(line)
    for line in board.lines_of("arrows"):
        circle, shaft = line.groups
        near = nearest_of(circle, shaft[0])
        yield "arrow", {"lines": [_names([near, *shaft])], "cells": _names(circle)}


def _cell_parts(board: NumberBoard) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, ours in CELLS.items():
        for line in board.lines_of(ours):
            yield from ((key, {"cell": name}) for name in _names(line.groups[0]))
    for key, ours in (INDEXERS | {"extraregion": "extra_regions"}).items():
        yield from ((key, {"cells": _names(line.groups[0])}) for line in board.lines_of(ours))
    for line in board.lines_of("clones"):
        first, *others = map(_names, line.groups)
        yield from (("clone", {"cells": first, "cloneCells": other}) for other in others)
    for key, (ours, usual) in PAIRS.items():
        for line in board.lines_of(ours):
            yield key, {"cells": _names(line.groups[0])} | (_value_of(line) if line.values != [usual] else {})
    for line in board.lines_of("quadruples"):
        (corner,) = line.groups[0]
        yield "quadruple", {"cells": _names(_square(*corner)), "values": [*map(int, line.values)]}


def _copies(board: NumberBoard) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield drawings that repeat constraints, for programs that show nothing else of them."""
    names = {key.name: variant.name for variant in shipped_variants().values() for key in variant.keys}
    for key, layer in board.layers.items():
        if key in COPIES.values():
            name = names[key].replace("-", " ").title()
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


def _text(cells: Iterable[Cell], words: str, size: float) -> dict[str, Any]:
    return {"cells": _names(cells), "value": words, "fontC": BLACK, "size": size}


def _value_of(line: Line) -> dict[str, str]:
    return {"value": line.values[0]} if line.values else {}


def _name(cell: Cell) -> str:
    return cell_name(cell).upper()


def _names(cells: Iterable[Cell]) -> list[str]:
    return [*map(_name, cells)]


FORMAT = number_format(
    "f-puzzles",
    "addresses of f-puzzles.com: Sudoku, also jigsaws, and all its constraints",
    recognise,
    read,
    write,
    can=Can(
        jigsaw=True,
        variants=("diagonal", *DIAGONALS.values(), *VARIANTS.values(), *NEGATIVE.values(), "windoku"),
        keys=KEYS,
        cages=True,
        details=DETAILS,
        told=True,
    ),
    line=True,
    answers=True,
)
