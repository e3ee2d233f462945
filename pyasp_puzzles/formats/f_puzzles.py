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

from pyasp_puzzles.boards.grid import at
from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.formats.json import parse
from pyasp_puzzles.formats.lzstring import compress, decompress
from pyasp_puzzles.formats.numbers import Cage, Can, NumberBoard, boxes, check_size, number_format, numbered, windows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyasp_puzzles.boards.grid import Cell

NOTHING = {
    *("size", "title", "author", "ruleset", "grid", "solution", "highlightConflicts", "successMessage", "metadata"),
    *("disabledlogic", "truecandidatesoptions", "activeConstraints", "candidates"),
}
"""Keys that say nothing about the rules, or are read."""
VARIANTS = {"antiknight": "anti-knight", "antiking": "anti-king", "nonconsecutive": "non-consecutive"}
DIAGONALS = ("diagonal+", "diagonal-")
DRAWN = {"line": "lines", "text": "texts", "rectangle": "rectangles", "circle": "circles", "cage": "drawn cages"}
"""Keys of what is drawn, which may stand for rules that are told in words."""
MARKS = ("cornerPencilMarks", "centerPencilMarks")
COLORS = ("c", "cArray", "highlight")
MOST_SLASHES, LONGEST_REPAIRED = 16, 2**14
"""How many slashes may have been joined, and the characters of an address in which they are looked for."""
_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?(?:f-puzzles\.com|sudokulab\.net)/\S*")
_LOAD = re.compile(r"(?:[?&#](?:load|fpuzzle)=|^(?=N4Ig))([^&#\s]*)")
"""What is packed in an address, or alone: `{"` is always packed as N4Ig."""
_PACKED = re.compile(r"N4Ig[A-Za-z0-9+/=]{20,}")
_CELL = re.compile(r"R(\d{1,3})C(\d{1,3})")


def recognise(text: str) -> bool:
    """Tell whether a text is an address of f-puzzles, what is packed in one, or its JSON."""
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
        message = "this address has no puzzle in it: its id needs the server, and pyasp stays offline"
        raise InstanceError(f"{message}; expected f-puzzles.com/?load=...")
    return board_of(parse(unpacked(packed[1])))


def unpacked(packed: str) -> str:
    """Return what is packed in an address.

    Raises:
        InstanceError: it is damaged.
    """
    # A plus sign is no blank here, and slashes may have been joined: two become one in some servers.
    words = unquote(packed).translate(str.maketrans(" -_\\", "++/="))
    slashes = [match.start() for match in re.finditer("/", words[:LONGEST_REPAIRED])][:MOST_SLASHES]
    slashes = slashes if len(words) <= LONGEST_REPAIRED else []
    for variant in (words, *(f"{words[:i]}/{words[i:]}" for i in slashes)):
        try:
            found = decompress(variant)
        except ValueError:
            continue
        if found.strip():
            return found
    raise InstanceError("the puzzle in this address is damaged, expected the whole address")


def board_of(puzzle: Any) -> NumberBoard:  # noqa: ANN401 (what JSON has)
    """Return the board of a puzzle of f-puzzles.

    Raises:
        InstanceError: it has constraints that pyasp does not know, or is no Sudoku.
    """
    grid = puzzle["grid"]
    side = int(puzzle.get("size", len(grid)))
    check_size(side, side)
    if len(grid) != side or any(len(row) != side for row in grid):
        raise InstanceError(f"a grid of {len(grid)} rows, expected {side} rows of {side} cells")
    unknown = [
        key
        for key, value in puzzle.items()
        if value and key not in {*NOTHING, *VARIANTS, *DIAGONALS, *DRAWN, "killercage", "extraregion"}
    ]
    if unknown:
        raise InstanceError(f"constraints that pyasp does not know: {listing(map(_plain, unknown), 'and')}")
    variants = [name for key, name in VARIANTS.items() if puzzle.get(key)]
    diagonals = [key for key in DIAGONALS if puzzle.get(key)]
    if len(diagonals) == 1:
        raise InstanceError("only one diagonal is marked, and pyasp knows both diagonals together")
    if puzzle.get("extraregion"):
        regions = [sorted(map(cell_of, region["cells"])) for region in puzzle["extraregion"]]
        if sorted(regions) != sorted(map(sorted, windows(side))):
            raise InstanceError("extra regions that are not the windows of a Windoku, which pyasp does not know")
        variants.append("windoku")
    left_out = [words for key, words in DRAWN.items() if any(not _is_detail(part) for part in puzzle.get(key) or ())]
    cells = {(r, c): cell for r, row in enumerate(grid, 1) for c, cell in enumerate(row, 1)}
    givens: dict[Cell, int] = {}
    for place, cell in cells.items():
        if cell.get("value") and cell.get("given"):
            givens[place] = int(cell["value"])
        elif cell.get("value"):
            left_out.append("numbers that are not given")
        if cell.get("givenPencilMarks"):
            raise InstanceError(
                f"{at(place)}: given pencil marks, which pyasp does not know, expected a number or none"
            )
        left_out += ["pencil marks"] * any(cell.get(key) for key in MARKS)
        left_out += ["colours"] if any(cell.get(key) for key in COLORS) else []
    cages = tuple(_cage(cage) for cage in puzzle.get("killercage") or ())
    details = {"title": puzzle.get("title"), "author": puzzle.get("author"), "notes": puzzle.get("ruleset")}
    warnings = (f"left out: {listing(dict.fromkeys(left_out), 'and')}",) if left_out else ()
    return NumberBoard(
        "sudoku",
        givens,
        _regions(cells, side),
        {key: str(words) for key, words in details.items() if words},
        _solution(puzzle.get("solution"), list(cells)),
        (*(("diagonal",) if diagonals else ()), *variants),
        cages,
        warnings,
    )


def _plain(key: str) -> str:
    return shown(key, 30)


def _is_detail(part: Any) -> bool:  # noqa: ANN401 (what JSON has)
    """Tell whether a drawn cage only holds a title or the like for SudokuPad."""
    return isinstance(part, dict) and re.match(r"[a-z]+: ", str(part.get("value", ""))) is not None


def _regions(cells: Mapping[Cell, Any], side: int) -> dict[Cell, str]:
    high = next(height for height in range(isqrt(side), 0, -1) if side % height == 0)
    usual = boxes(high, side // high)
    found = {}
    for cell, content in cells.items():
        region = content.get("region", int(usual[cell]) - 1)
        if region is None:
            raise InstanceError("a cell without a region, expected each cell in one")
        found[cell] = str(int(region))
    return numbered(found)


def _cage(cage: Mapping[str, Any]) -> Cage:
    words = str(cage.get("value") or "")
    if words and not re.fullmatch(r"\d{1,4}", words):
        raise InstanceError(f"a cage of {shown(words)}, expected a sum")
    return Cage(tuple(cell_of(name) for name in cage["cells"]), int(words) if words else None)


def cell_of(name: str) -> Cell:
    """Return the cell of a name: `R1C2`."""
    match = _CELL.fullmatch(name)
    if match is None:
        raise InstanceError(f"{shown(name)} is no cell, expected R1C1 and the like")
    return int(match[1]), int(match[2])


def _solution(found: Any, cells: list[Cell]) -> dict[Cell, int]:  # noqa: ANN401 (what JSON has)
    """Return the numbers of a solution: a list, or a text of digits; nothing if it is not whole."""
    values = [*(found.split(",") if "," in found else found)] if isinstance(found, str) else found
    if not isinstance(values, list) or len(values) != len(cells):
        return {}
    known = {
        cell: int(value) for cell, value in zip(cells, values, strict=True) if re.fullmatch(r"[1-9]\d?", str(value))
    }
    return known if len(known) == len(cells) else {}


def puzzle_of(board: NumberBoard) -> dict[str, Any]:
    """Return the JSON of a board."""
    side, _ = board.size
    regions = numbered(board.regions)
    high = next(height for height in range(isqrt(side), 0, -1) if side % height == 0)
    usual = regions == boxes(high, side // high)
    found: dict[str, Any] = {"size": side}
    keys = {"title": "title", "author": "author", "notes": "ruleset"}
    found |= {key: board.details[detail] for detail, key in keys.items() if detail in board.details}
    found["grid"] = [
        [
            ({"value": board.givens[r, c], "given": True} if (r, c) in board.givens else {})
            | ({} if usual else {"region": int(regions[r, c]) - 1})
            for c in range(1, side + 1)
        ]
        for r in range(1, side + 1)
    ]
    found |= {key: True for key in DIAGONALS if "diagonal" in board.variants}
    found |= {key: True for key, name in VARIANTS.items() if name in board.variants}
    if "windoku" in board.variants:
        found["extraregion"] = [{"cells": [f"R{r}C{c}" for r, c in window]} for window in windows(side)]
    if board.cages:
        found["killercage"] = [
            {"cells": [f"R{r}C{c}" for r, c in cage.cells]} | ({} if cage.sum is None else {"value": str(cage.sum)})
            for cage in board.cages
        ]
    if board.solution:
        found["solution"] = [board.solution[cell] for cell in sorted(board.solution)]
    return found


def packed(puzzle: Mapping[str, Any]) -> str:
    """Return JSON packed for an address."""
    return compress(json.dumps(puzzle, separators=(",", ":"), ensure_ascii=False))


def write(board: NumberBoard) -> str:
    """Return the address of a board."""
    return f"https://www.f-puzzles.com/?load={packed(puzzle_of(board))}"


CAN = Can(
    jigsaw=True, variants=("diagonal", *VARIANTS.values(), "windoku"), cages=True, details=("title", "author", "notes")
)
FORMAT = number_format(
    "f-puzzles",
    "addresses of f-puzzles.com: Sudoku, also jigsaws, variants and killer cages",
    recognise=recognise,
    read=read,
    write=write,
    can=CAN,
    line=True,
    answers=True,
)
