"""f-puzzles: addresses with the JSON of a Sudoku and its variants, packed with lz-string.

    https://www.f-puzzles.com/?load=N4Igz...
    {"size": 9, "grid": [[{"value": 5, "given": true}, {"region": 0}, ...], ...], "antiknight": true, ...}

A cell has no region if it is in a usual box, and null if it is in none.
"""

from __future__ import annotations

import json
import re
from math import isqrt
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pyasp_puzzles.boards.boxes import Regions, boxes, numbered, windows
from pyasp_puzzles.boards.grid import at, by_row, check_size
from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.formats.json import parse
from pyasp_puzzles.formats.lzstring import compress, decompress
from pyasp_puzzles.formats.numbers import Can, NumberBoard, has_diagonals, left_out, number_format, read_cage
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyasp_puzzles.boards.grid import Cell

# Keys that are read, or say nothing about the rules.
NOTHING = {
    *("size", "title", "author", "ruleset", "grid", "solution", "highlightConflicts", "successMessage", "metadata"),
    *("disabledlogic", "truecandidatesoptions", "activeConstraints", "candidates"),
}
VARIANTS = {"antiknight": "anti-knight", "antiking": "anti-king", "nonconsecutive": "non-consecutive"}
DIAGONALS = ("diagonal+", "diagonal-")
DETAILS = {"title": "title", "author": "author", "ruleset": "notes"}
# Keys of what is drawn, which may belong to rules that are only given in words.
DRAWN = {"line": "lines", "text": "texts", "rectangle": "rectangles", "circle": "circles", "cage": "drawn cages"}
MARKS = ("cornerPencilMarks", "centerPencilMarks")
COLORS = ("c", "cArray", "highlight")
_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?(?:f-puzzles\.com|sudokulab\.net)/\S*")
# What is packed in an address, or alone: `{"` is always packed as N4Ig.
_LOAD = re.compile(r"(?:[?&#](?:load|fpuzzle)=|^(?=N4Ig))([^&#\s]*)")
_PACKED = re.compile(r"N4Ig[A-Za-z0-9+/=]{20,}")
_CELL = re.compile(r"R(\d{1,3})C(\d{1,3})")


def recognise(text: str) -> bool:
    """Return whether a text is an address of f-puzzles, what is packed in one, or its JSON."""
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
    packed = _LOAD.search(words)
    if packed is None:
        message = "this is a short link: it needs the server of f-puzzles, and pyasp stays offline"
        raise InstanceError(f"{message}; open it in a browser, and export the puzzle as a link with ?load=")
    return board_of(parse(unpacked(packed[1])))


def unpacked(packed: str) -> str:
    """Return what is packed in an address.

    Raises:
        InstanceError: it is damaged.
    """
    # A blank was a plus sign. Slashes may be missing, because some servers turn two into one.
    words = unquote(packed).translate(str.maketrans(" -_\\", "++/="))
    slashes = [match.start() for match in re.finditer("/", words[: Limits.LONGEST_REPAIRED])][: Limits.MOST_SLASHES]
    slashes = slashes if len(words) <= Limits.LONGEST_REPAIRED else []
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
    unknown = [
        key
        for key, value in puzzle.items()
        if value and key not in {*NOTHING, *VARIANTS, *DIAGONALS, *DRAWN, "killercage", "extraregion"}
    ]
    if unknown:
        raise InstanceError(
            f"pyasp does not know these constraints of the board: {listing((shown(key, 30) for key in unknown), 'and')}"
        )
    variants = [name for key, name in VARIANTS.items() if puzzle.get(key)]
    if has_diagonals(sum(bool(puzzle.get(key)) for key in DIAGONALS)):
        variants.insert(0, "diagonal")
    if puzzle.get("extraregion"):
        regions = [sorted(map(cell_of, region["cells"])) for region in puzzle["extraregion"]]
        if sorted(regions) != sorted(map(sorted, windows(side))):
            raise InstanceError("this board has extra regions, and pyasp knows only the windows of a Windoku")
        variants.append("windoku")
    others = [words for key, words in DRAWN.items() if any(not _is_detail(part) for part in puzzle.get(key) or ())]
    cells = {(r, c): cell for r, row in enumerate(grid, 1) for c, cell in enumerate(row, 1)}
    givens: dict[Cell, int] = {}
    for place, cell in cells.items():
        if cell.get("value") and cell.get("given"):
            givens[place] = int(cell["value"])
        elif cell.get("value"):
            others.append("numbers that are not given")
        if cell.get("givenPencilMarks"):
            message = f"{at(place)}: given pencil marks are clues, which pyasp does not know"
            raise InstanceError(message)
        others += ["pencil marks"] * any(cell.get(key) for key in MARKS)
        others += ["colors"] * any(cell.get(key) for key in COLORS)
    cages = [
        read_cage(map(cell_of, cage["cells"]), cage.get("value") or None) for cage in puzzle.get("killercage") or ()
    ]
    return NumberBoard(
        "sudoku",
        givens,
        _regions(cells, side),
        {detail: str(puzzle.get(key) or "") for key, detail in DETAILS.items()},
        _solution(puzzle.get("solution"), list(cells)),
        tuple(variants),
        tuple(cages),
        left_out(others),
    )


def _is_detail(part: Any) -> bool:  # noqa: ANN401 (what JSON has)
    """Return whether a drawn cage only holds a title or the like for SudokuPad."""
    return isinstance(part, dict) and re.match(r"[a-z]+: ", str(part.get("value", ""))) is not None


def _boxes(side: int) -> Regions:
    """Return the boxes of f-puzzles, which are as high as they can be without being higher than wide."""
    high = next(height for height in range(isqrt(side), 0, -1) if side % height == 0)
    return boxes(high, side // high)


def _regions(cells: Mapping[Cell, Any], side: int) -> Regions:
    usual = _boxes(side)
    found = {}
    for cell, content in cells.items():
        region = content.get("region", int(usual[cell]) - 1)
        if region is None:
            raise InstanceError("a cell has no region; each cell needs one")
        found[cell] = str(int(region))
    return numbered(found)


def cell_of(name: str) -> Cell:
    """Return the cell of a name: `R1C2`."""
    match = _CELL.fullmatch(name)
    if match is None:
        raise InstanceError(f"{shown(name)} is not a cell, such as R1C1")
    return int(match[1]), int(match[2])


def _solution(found: Any, cells: list[Cell]) -> dict[Cell, int]:  # noqa: ANN401 (what JSON has)
    """Return the numbers of a solution: a list, or a text of digits; empty if it is incomplete."""
    values = [*(found.split(",") if "," in found else found)] if isinstance(found, str) else found
    if not isinstance(values, list) or len(values) != len(cells):
        return {}
    known = {
        cell: int(value) for cell, value in zip(cells, values, strict=True) if re.fullmatch(r"[1-9]\d?", str(value))
    }
    return known if len(known) == len(cells) else {}


def write(board: NumberBoard) -> str:
    """Return the address of a board."""
    side, _ = board.size
    regions = numbered(board.regions)
    usual = regions == _boxes(side)
    found: dict[str, Any] = {"size": side}
    found |= {key: board.details[detail] for key, detail in DETAILS.items() if detail in board.details}
    cells = {
        cell: ({"value": board.givens[cell], "given": True} if cell in board.givens else {})
        | ({} if usual else {"region": int(region) - 1})
        for cell, region in regions.items()
    }
    found["grid"] = by_row(cells, cells)
    found |= {key: True for key in DIAGONALS if "diagonal" in board.variants}
    found |= {key: True for key, name in VARIANTS.items() if name in board.variants}
    if "windoku" in board.variants:
        found["extraregion"] = [{"cells": _names(window)} for window in windows(side)]
    if board.cages:
        found["killercage"] = [
            {"cells": _names(cage.cells)} | ({} if cage.sum is None else {"value": str(cage.sum)})
            for cage in board.cages
        ]
    if board.solution:
        found["solution"] = [board.solution[cell] for cell in sorted(board.solution)]
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    return f"https://www.f-puzzles.com/?load={compress(text)}"


def _names(cells: Iterable[Cell]) -> list[str]:
    return [f"R{r}C{c}" for r, c in cells]


FORMAT = number_format(
    "f-puzzles",
    "addresses of f-puzzles.com: Sudoku, also jigsaws, variants and killer cages",
    recognise=recognise,
    read=read,
    write=write,
    can=Can(
        jigsaw=True,
        variants=("diagonal", *VARIANTS.values(), "windoku"),
        cages=True,
        details=tuple(DETAILS.values()),
    ),
    line=True,
    answers=True,
)
