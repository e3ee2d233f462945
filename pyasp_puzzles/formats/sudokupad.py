"""SudokuPad: addresses with a puzzle in them, in four forms.

    https://sudokupad.app/sclN4Ig...   (or ctc) its own JSON, packed with lz-string, written short or not
    https://sudokupad.app/fpuzN4Ig...  (or fpuzzles) the JSON of f-puzzles
    https://sudokupad.app/scf0aB...    a Sudoku of 9x9 in some 40 characters, perhaps with diagonals or windows
    https://sudokupad.app/abc123       a short id, which needs its server: refused

SudokuPad's JSON has what is drawn: cells, regions, cages, lines. Rules are told in words, but for those in `metadata`.
Short JSON has one letter or two for usual keys, keys without quotes, single quotes, and nothing for an empty object.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.formats import f_puzzles
from pyasp_puzzles.formats.json import DEEPEST, parse
from pyasp_puzzles.formats.lzstring import compress
from pyasp_puzzles.formats.numbers import (
    Cage,
    Can,
    NumberBoard,
    cells_of,
    check_size,
    is_latin,
    number_format,
    numbered,
    usual_boxes,
)
from pyasp_puzzles.puzzles.keys import cells_by_region

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyasp_puzzles.boards.grid import Cell

_HOSTS = r"(?:[\w-]+\.)*(?:sudokupad\.app|sudokupad\.svencodes\.com|crackingthecryptic\.com)"
_ADDRESS = re.compile(rf"(?:(?:https?://)?(?:www\.)?{_HOSTS}|sudokupad://puzzle)/(?P<rest>\S*)")
_QUERY = re.compile(r"[?&#](?:puzzleid|load)=([^&#\s]*)")
_PUZZLE = re.compile(r"(?P<kind>scl|ctc|scf|fpuz(?:zles)?)(?P<packed>[A-Za-z0-9+/=%\\_-]{16,})")
_LONG = {
    "ce": "cells", "v": "value", "re": "regions", "ca": "cages", "t": "title", "l": "lines", "wp": "wayPoints",
    "o": "overlays", "u": "underlays", "a": "arrows", "c": "color", "ct": "center",
}  # fmt: skip
"""The keys that we read, by their short names."""
_TOKEN = re.compile(
    r"""(?P<mark>[{}\[\],:])|(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<word>[^{}\[\],:'"\s]+)|\s+"""
)
VARIANTS = {"antiknight": "anti-knight", "antiking": "anti-king", "nonconsecutive": "non-consecutive"}
DRAWN = {"arrows": "arrows", "lines": "lines", "overlays": "shapes", "underlays": "shapes", "foglight": "fog"}
_DETAIL = re.compile(r"(?s)([A-Za-z]+): *(.+)")
"""The text of a cage that stands for a detail."""
DETAILS = {"title": "title", "author": "author", "rules": "notes"}
BLUE = "#34BBE6"
"""The colour of diagonals."""


def recognise(text: str) -> bool:
    """Tell whether a text is an address of SudokuPad, what follows its name, or its JSON."""
    words = text.strip()
    if words.startswith("{"):
        return re.search(r"""['"{,](?:cells|ce)['"]?:""", words[:100_000]) is not None and '"puzzle"' not in words
    words = words[:200_000]
    return _ADDRESS.fullmatch(words) is not None or _PUZZLE.fullmatch(words) is not None


def read(text: str) -> NumberBoard:
    """Return the board of an address, or of JSON."""
    words = text.strip()
    if words.startswith("{"):
        return _board(_loaded(words))
    match = _PUZZLE.fullmatch(_puzzle_id(words))
    if match is None:
        message = "this address has no puzzle in it: a short id needs its server, and pyasp stays offline"
        raise InstanceError(f"{message}; expected sudokupad.app/scl... or /fpuz...")
    if match["kind"] == "scf":
        return _scf(match["packed"])
    if match["kind"].startswith("fpuz"):
        return f_puzzles.board_of(parse(f_puzzles.unpacked(match["packed"])))
    return _board(_loaded(f_puzzles.unpacked(match["packed"])))


def _puzzle_id(words: str) -> str:
    """Return what stands for the puzzle in an address."""
    match = _ADDRESS.fullmatch(words)
    if match is None:
        return words
    asked = _QUERY.search(words)
    rest = asked[1] if asked else re.split(r"[?#&]", match["rest"].removeprefix("sudoku/"))[0]
    return rest.strip("/") if not rest.startswith(("scl", "ctc", "fpuz")) else rest


# -- SudokuPad's JSON ----------------------------------------------------------------------------


def _loaded(text: str) -> Any:  # noqa: ANN401 (what JSON has)
    """Return the puzzle of a text in JSON, short or not, with long keys."""
    try:
        found = parse(text)
    except ValueError:
        found = _Short(text).value()
    return _with_long_keys(found)


def _with_long_keys(value: Any) -> Any:  # noqa: ANN401 (what JSON has)
    if isinstance(value, list):
        return [_with_long_keys(member) for member in value]
    if isinstance(value, dict):
        return {_LONG.get(key, key): _with_long_keys(member) for key, member in value.items()}
    return value


class _Short:
    """A reader of short JSON."""

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        at = 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise ValueError("no JSON")
            at = match.end()
            if match.lastgroup:
                self._tokens.append(match[0])
        self._at = 0

    def value(self, depth: int = 0) -> Any:  # noqa: ANN401 (what JSON has)
        """Return the next value; nothing at all is an empty object."""
        part = self._peek()
        if depth > DEEPEST:
            raise ValueError("too deep")
        if part in {",", "]", "}", ""}:
            return {}
        self._at += 1
        if part == "[" and self._peek() == "]":
            self._at += 1
            return []
        if part == "[":
            members = [self.value(depth + 1)]
            while self._next("],") == ",":
                members.append(self.value(depth + 1))
            return members
        if part == "{":
            return self._object(depth)
        return _scalar(part)

    def _object(self, depth: int) -> dict[str, Any]:
        found = dict[str, Any]()
        if self._peek() == "}":
            self._at += 1
            return found
        mark = ","
        while mark == ",":
            key = self._next("").strip("'\"")
            self._next(":")
            found[key] = self.value(depth + 1)
            mark = self._next("},")
        return found

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self, expected: str) -> str:
        part = self._peek()
        if not part or (expected and part not in expected):
            raise ValueError("no JSON")
        self._at += 1
        return part


def _scalar(part: str) -> Any:  # noqa: ANN401 (what JSON has)
    """Return the value of a string, a number, or a word."""
    if part[0] in "'\"":
        inside = part[1:-1].replace("\\'", "'")
        return json.loads('"' + re.sub(r'(?<!\\)"', '\\"', inside) + '"', strict=False)
    if re.fullmatch(r"-?\d{1,15}", part):
        return int(part)
    return {"t": True, "true": True, "f": False, "false": False, "null": None}.get(part, part)


def _board(puzzle: Any) -> NumberBoard:  # noqa: ANN401 (what JSON has)
    """Return the board of a puzzle of SudokuPad."""
    rows = puzzle["cells"]
    side = len(rows)
    check_size(side, side)
    if any(len(row) != side for row in rows):
        raise InstanceError(f"a board of {side} rows that is not square, expected a Sudoku")
    cells = cells_of(side, side)
    contents = {cell: rows[cell[0] - 1][cell[1] - 1] for cell in cells}
    givens = {cell: _digit(one["value"]) for cell, one in contents.items() if one.get("value") not in (None, "", 0)}
    left_out = ["pencil marks"] if any(_marks(one) for one in contents.values()) else []
    metadata = dict(puzzle.get("metadata") or {})
    cages = list(puzzle.get("cages") or ())
    for cage in cages:  # details are cages without cells: "title: Four"
        match = _DETAIL.match(str(cage.get("value", "")))
        if match:
            metadata.setdefault(match[1], match[2])
    drawn = {key: list(puzzle.get(key) or ()) for key in DRAWN}
    diagonals = [line for line in drawn["lines"] if _is_diagonal(line, side)]
    if len(diagonals) >= 2:
        drawn["lines"] = [line for line in drawn["lines"] if line not in diagonals]
    left_out += [words for key, words in DRAWN.items() if drawn[key]]
    variants = [name for key, name in VARIANTS.items() if metadata.get(key) in {True, "true"}]
    details = {detail: _words(metadata.get(key)) for key, detail in DETAILS.items()}
    rules = f"; its rules are told in words: {details['notes']}" if left_out and details["notes"] else ""
    solution = str(metadata.get("solution") or "")
    return NumberBoard(
        "sudoku",
        givens,
        _regions(puzzle.get("regions") or (), side),
        {key: words for key, words in details.items() if words},
        {cell: int(d) for cell, d in zip(cells, solution, strict=True)} if _is_whole(solution, side) else {},
        (*(("diagonal",) if len(diagonals) >= 2 else ()), *variants),
        tuple(_cages(cages, side)),
        (f"left out: {listing(dict.fromkeys(left_out), 'and')}{rules}",) if left_out else (),
    )


def _marks(content: Mapping[str, Any]) -> bool:
    return any(
        content.get(key) for key in ("pencilMarks", "centremarks", "candidates", "cornermarks", "colours", "colors")
    )


def _words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _is_whole(solution: str, side: int) -> bool:
    return side <= 9 and re.fullmatch(rf"[1-{side}]{{{side * side}}}", solution) is not None


def _digit(value: object) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", str(value)):
        raise InstanceError(f"{shown(value)} is given, expected a number")
    return int(str(value))


def _place(pair: Any) -> Cell:  # noqa: ANN401 (what JSON has)
    r, c = pair
    return int(r) + 1, int(c) + 1


def _regions(found: Any, side: int) -> dict[Cell, str]:  # noqa: ANN401 (what JSON has)
    if not found:
        return usual_boxes(side)
    regions = {_place(pair): str(i) for i, region in enumerate(found) for pair in region}
    if len(regions) != side * side or not is_latin(regions):
        raise InstanceError(f"regions that are not {side} of {side} cells, expected those of a Sudoku")
    return numbered(regions)


def _cages(cages: list[Any], side: int) -> list[Cage]:
    """Return the killer cages: not those that stand for rows, columns, or nothing."""
    found = []
    for cage in cages:
        hidden = (
            cage.get("hidden")
            or cage.get("style") in {"rowcol", "rowcols", "region", "box"}
            or cage.get("unique") is False
        )
        total = cage.get("sum", cage.get("value"))
        if not cage.get("cells") or (hidden and not total) or _DETAIL.match(str(total)):
            continue
        if total not in (None, "") and not re.fullmatch(r"\d{1,4}", str(total)):
            raise InstanceError(f"a cage of {shown(total)}, expected a sum")
        members = tuple(map(_place, cage["cells"]))
        if len(members) != side or total:
            found.append(Cage(members, int(total) if total not in (None, "") else None))
        else:
            found.append(Cage(members, None))
    return found


def _is_diagonal(line: Mapping[str, Any], side: int) -> bool:
    ends = sorted(tuple(map(float, point)) for point in line.get("wayPoints") or ())
    return ends in ([(0, 0), (side, side)], [(0, side), (side, 0)])


# -- The short form of classic Sudokus -------------------------------------------------------------


def _scf(text: str) -> NumberBoard:
    """Return a Sudoku of 81 cells: a character is a digit and 0 to 5 empty cells after it; then x and w."""
    digits, at = "", 0
    while len(digits) < 81 and at < len(text):
        code = ord(text[at])
        value = code - (61 if text[at] > "Z" else 55 if text[at] > "9" else 48)
        if not 0 <= value < 60:
            raise InstanceError(f"{shown(text[at])} in a short Sudoku, expected letters and digits")
        digits += str(value % 10) + "0" * (value // 10)
        at += 1
    rules = text[at:]
    if len(digits) != 81 or set(rules) - set("xw"):
        raise InstanceError("this short Sudoku is damaged, expected 81 cells")
    givens = {cell: int(digit) for cell, digit in zip(cells_of(9, 9), digits, strict=True) if digit != "0"}
    variants = [name for mark, name in (("x", "diagonal"), ("w", "windoku")) if mark in rules]
    return NumberBoard("sudoku", givens, usual_boxes(9), variants=tuple(variants))


# -- Writing ---------------------------------------------------------------------------------------


def write(board: NumberBoard) -> str:
    """Return the address of a board, with its solution if it has one."""
    side, _ = board.size
    metadata: dict[str, object] = {
        key: board.details[detail] for key, detail in DETAILS.items() if detail in board.details
    }
    metadata |= {key: True for key, name in VARIANTS.items() if name in board.variants}
    if board.solution:
        metadata["solution"] = "".join(str(board.solution[cell]) for cell in sorted(board.solution))
    members = cells_by_region(numbered(board.regions))
    found: dict[str, object] = {
        "cellSize": 50,
        "metadata": metadata,
        "cells": [
            [({"value": board.givens[r, c]} if (r, c) in board.givens else {}) for c in range(1, side + 1)]
            for r in range(1, side + 1)
        ],
        "regions": [[[r - 1, c - 1] for r, c in cells] for cells in members.values()],
    }
    if board.cages:
        found["cages"] = [
            {"cells": [[r - 1, c - 1] for r, c in cage.cells], "unique": True}
            | ({} if cage.sum is None else {"value": str(cage.sum), "sum": cage.sum})
            for cage in board.cages
        ]
    if "diagonal" in board.variants:
        ends = ([[0, 0], [side, side]], [[0, side], [side, 0]])
        found["lines"] = [{"wayPoints": points, "color": BLUE, "thickness": 2} for points in ends]
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    return f"https://sudokupad.app/scl{quote(compress(text), safe='')}"


FORMAT = number_format(
    "sudokupad",
    "addresses of SudokuPad: scl, ctc, fpuz and scf, with variants",
    recognise=recognise,
    read=read,
    write=write,
    can=Can(
        jigsaw=True, variants=("diagonal", *VARIANTS.values()), cages=True, details=tuple(DETAILS.values()), solved=9
    ),
    line=True,
    answers=True,
)
