"""SudokuPad: addresses with a puzzle in them, in five forms.

    https://sudokupad.app/sclN4Ig...   (or ctc) its own JSON, packed with lz-string, written short or not
    https://sudokupad.app/fpuzN4Ig...  (or fpuzzles) the JSON of f-puzzles
    https://sudokupad.app/scf0aB...    a Sudoku of 9x9 in some 40 characters, perhaps with diagonals, windows: read only
    https://sudokupad.app/classicB6... the same without rules, or with letters for empty cells: read only
    https://sudokupad.app/abc123       a short id, which needs its server: refused

SudokuPad's JSON has what is drawn: cells, regions, cages, lines. Rules are given in words, except for those in
`metadata`. Short JSON has one letter or two for usual keys, keys without quotes, single quotes, and nothing for an
empty object.
"""

from __future__ import annotations

import json
import re
from math import isqrt
from string import ascii_letters, digits
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.grid import Cell, all_cells, grid_rows
from pyasp_puzzles.boards.regions import windows
from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.formats import f_puzzles
from pyasp_puzzles.formats.exchange import (
    CARRIED,
    Can,
    Draft,
    cage_sum,
    candidates_key,
    draft_format,
    numbers_in_digits,
    regions_of_sudoku,
    windows_variant,
)
from pyasp_puzzles.formats.format import COPY_WHOLE, Text, refusal
from pyasp_puzzles.formats.json import compact_json, json_integer, parse_json
from pyasp_puzzles.formats.sites import (
    Clues,
    Shapes,
    cell_at,
    cells_from_zero,
    compress,
    shapes_of,
    texts_apart,
)
from pyasp_puzzles.puzzles.declaration import shipped_variants, variants_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.model.puzzle import Variant

# Sites that take the same puzzles; Sudocle also has some after the name of their form.
_HOSTS = r"(?:[\w-]+\.)*(?:sudokupad\.app|sudokupad\.svencodes\.com|crackingthecryptic\.com|michelkraemer\.com/sudocle)"
_ADDRESS = re.compile(rf"(?:(?:https?://)?(?:www\.)?{_HOSTS}|sudokupad://puzzle)(?:/|(?=\?))(?P<rest>\S*)")
_PUZZLE = re.compile(
    r"(?P<kind>scl|ctc|fpuz(?:zles)?)(?P<packed>[A-Za-z0-9+/=%\\_-]{16,})"
    r"|(?P<short>scf|classic)(?P<cells>[A-Za-z0-9()\[\]~:@!$&'*,;=_.%-]{14,500})"
)
# The keys that we read, by their short names.
_LONG = {
    "ce": "cells", "v": "value", "re": "regions", "ca": "cages", "t": "title", "l": "lines", "wp": "wayPoints",
    "o": "overlays", "u": "underlays", "a": "arrows", "c": "color", "ct": "center",
}  # fmt: skip
_TOKEN = re.compile(r"""([{}\[\],:]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^{}\[\],:'"\s]+)|\s+""")
_DRAWN = {"arrows": "arrows", "lines": "lines", "overlays": "shapes", "underlays": "shapes", "foglight": "fog"}
# The text of a cage that holds a detail.
_DETAIL = re.compile(r"(?s)([A-Za-z]+): *(.+)")
_DETAILS = ("title", "author", "notes")
# Letters of variants, and what `[formats]` of these has.
_SHORT_VARIANTS: dict[str, tuple[str, object]] = {"x": ("diagonals", "both"), "w": ("windows", True)}
# The index of a character is how many empty cells it means.
_BLANKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[]-.~:@!$&'*,;=_"
# The colors of windows, of the sides of sums (killer cages have none), and of diagonals.
_WINDOW, _SUM, _DIAGONAL = "#CFCFCF", "#999999", "#34BBE6"


def _recognise(text: str) -> bool:
    """Return whether a text is an address of SudokuPad, what follows its name, or its JSON."""
    content = text.strip()
    if content.startswith("{"):
        return re.search(r"""['"{,](?:cells|ce)['"]?:""", content[:100_000]) is not None and '"puzzle"' not in content
    content = content[:200_000]
    if _ADDRESS.fullmatch(content):
        return True
    match = _PUZZLE.fullmatch(content)
    # The name of a file may begin with "classic", too.
    return match is not None and bool(match["kind"] or re.fullmatch(r"(?=.*\d)[0-9A-Za-z%*]*", match["cells"]))


def _read(text: Text) -> Draft:
    """Return the board of an address, or of JSON."""
    puzzle = _found(text.text)
    if isinstance(puzzle, Draft):
        return puzzle
    variants = variants_in(text.puzzles)
    return f_puzzles.draft_of_json(puzzle, variants) if "grid" in puzzle else _board(puzzle, variants)


def _found(text: str) -> Any:  # noqa: ANN401 (what JSON has)
    """Return the JSON of a text, or the board of a short form."""
    content = text.strip()
    if content.startswith("{"):
        return _loaded(content)
    name = _puzzle_id(content)
    match = _PUZZLE.fullmatch(name)
    if match is None:
        if re.match(r"(?i)pack[a-z0-9]{20,}", name):
            raise InstanceError("this is a pack of several puzzles: open it, and copy the address of one puzzle")
        if not name or re.match(r"(?:scl|ctc|fpuz)\S{30}", name):
            raise InstanceError(f"the link is cut or damaged: {COPY_WHOLE}")
        message = "this is a short link: it needs the server of SudokuPad, and pyasp stays offline"
        long = shown(f"https://sudokupad.app/api/puzzle/{name[:60]}", 100)
        raise InstanceError(f"{message}; open {long} in a browser, and give pyasp the text that it shows")
    if match["short"]:
        cells = unquote(match["cells"])
        return _scf(cells) if match["short"] == "scf" else _classic(cells)
    unpacked = f_puzzles.unpacked(match["packed"])
    return parse_json(unpacked) if match["kind"].startswith("fpuz") else _loaded(unpacked)


def _puzzle_id(address: str) -> str:
    """Return the part of an address that holds the puzzle."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        return address
    asked = re.search(r"[?&#](?:puzzleid|load|(?P<form>fpuz(?:zles)?|scl|ctc))=(?P<id>[^&#\s]*)", address)
    rest = (
        f"{asked['form'] or ''}{asked['id']}" if asked else re.split(r"[?#&]", match["rest"].removeprefix("sudoku/"))[0]
    )
    return rest if rest.startswith(("scl", "ctc", "fpuz")) else rest.strip("/")


# -- SudokuPad's JSON ----------------------------------------------------------------------------


def _loaded(text: str) -> Any:  # noqa: ANN401 (what JSON has)
    """Return the puzzle of a text in JSON, short or not, with long keys."""
    try:
        return parse_json(text, _LONG)
    except ValueError:
        return parse_json(_in_full(text), _LONG)


def _in_full(text: str) -> str:
    """Return short JSON as JSON: keys and words in quotes, and `{}` for what is left out."""
    if _TOKEN.sub("", text):
        raise ValueError("no JSON")
    parts = [part for part in _TOKEN.findall(text) if part]  # without blanks
    tokens, depth = list[str](), 0
    for before, part, after in zip(["", *parts], parts, [*parts[1:], ""], strict=False):
        if before in {"[", ",", ":"} and part in {",", "]", "}"} and before + part != "[]":
            tokens.append("{}")
        word = part.strip("'\"") if after == ":" else _scalar(part)
        tokens.append(part if part in "{}[],:" else json.dumps(word))
        depth += (part in {"[", "{"}) - (part in {"]", "}"})
        if not depth:  # what follows is ignored
            break
    return " ".join(tokens)


def _scalar(part: str) -> Any:  # noqa: ANN401 (what JSON has)
    if part[0] in "'\"":
        inside = part[1:-1].replace("\\'", "'")
        return json.loads('"' + re.sub(r'(?<!\\)"', '\\"', inside) + '"', strict=False)
    if re.fullmatch(r"-?\d{1,15}", part):
        return int(part)
    return {"t": True, "true": True, "f": False, "false": False, "null": None}.get(part, part)


def _board(puzzle: Any, variants: Mapping[str, Variant]) -> Draft:  # noqa: ANN401, C901 (what JSON may have)
    rows = puzzle["cells"]
    side = len(rows)
    if any(len(row) != side for row in rows):
        raise InstanceError(f"this board of {side} rows is not square, as a Sudoku is")
    contents = {(r, c): rows[r - 1][c - 1] for r, c in all_cells(side, side)}
    values = {cell: str(data["value"]) for cell, data in contents.items() if data.get("value") not in (None, "", 0)}
    if wrong := [value for value in values.values() if not re.fullmatch(r"0*[1-9][0-9]{0,2}", value)]:
        raise InstanceError(f"{shown(wrong[0])} is given in a cell; pyasp reads numbers")
    notes = ("pencilMarks", "cornermarks", "colours", "colors")
    others = ["pencil marks"] * any(data.get(key) for data in contents.values() for key in notes)
    metadata = dict(puzzle.get("metadata") or {}) | dict(puzzle.get("metaData") or {})
    cages = list(puzzle.get("cages") or ())
    for cage in cages:  # details are cages without cells: "title: Four"
        if match := _DETAIL.match(str(cage.get("value", ""))):
            metadata.setdefault(match[1], match[2])
    drawn = {key: list(puzzle.get(key) or ()) for key in _DRAWN}
    diagonals = [(line, _diagonal(line, side, variants)) for line in drawn["lines"]]
    drawn["lines"] = [line for line, variant in diagonals if not variant]
    flags, clues = _flags(variants), Clues((side, side), variants)
    clues.variants += filter(None, (variant for _, variant in diagonals))
    names = (*flags, "antidifference", "antiratio", "antixv")
    rules = {name for name in names if metadata.get(name) in (True, "true")}
    rules |= {str(rule) for rule in puzzle.get("global") or ()}
    if unknown := sorted(rules - flags.keys()):
        raise InstanceError(f"pyasp does not know these rules of the board: {listing(map(shown, unknown), 'and')}")
    clues.variants += [flags[key] for key in sorted(rules)]
    shapes = {_members(cage) for cage in cages if not cage.get("sum", cage.get("value"))}
    if windows(side) and shapes >= set(windows(side)):
        clues.variants.append(windows_variant(variants))
        cages = [cage for cage in cages if _members(cage) not in windows(side)]
        inside = {cell for window in windows(side) for cell in window}
        drawn["underlays"] = [one for one in drawn["underlays"] if cell_at(one.get("center") or (-2, -2)) not in inside]
    unread = [what for key, what in _DRAWN.items() if drawn[key]]
    keys = {"killer" if unique else "sum": key for unique, key in _cage_keys(variants).items()}
    for cage, role in ((cage, _role(cage)) for cage in cages):
        if role in keys:
            label = cage_sum(cage.get("sum", cage.get("value")) or None)
            clues.add(keys[role], map(_place, cage["cells"]), value=label)
        unread += ["cages that are only drawn"] * (role == "drawn")
    for cell, content in contents.items():
        if marks := content.get("centremarks") or content.get("candidates"):
            clues.add(candidates_key(variants), [cell], value=" ".join(map(str, marks)))
    region_of = {_place(pair): str(i) for i, region in enumerate(puzzle.get("regions") or ()) for pair in region}
    unread_regions = ["regions, as there are none: these are the usual boxes"] * (not region_of)
    solution = str(metadata.get("solution") or "")
    is_whole = side <= 9 and re.fullmatch(rf"[1-{side}]{{{side * side}}}", solution)
    return Draft(
        {cell: int(value) for cell, value in values.items()},
        regions_of_sudoku(region_of, side) if region_of else regions.usual(side),
        {key: _words(metadata.get(key)) for key in _DETAILS},
        numbers_in_digits(solution, side, "") if is_whole else {},
        clues.names,
        (*others, *unread, *unread_regions),
        drawn=bool(unread),
        keys=clues.keys,
        carried=puzzle.get(CARRIED) or {},
        rules=_words(metadata.get("rules")),
    )


def _members(cage: Mapping[str, Any]) -> tuple[Cell, ...]:
    return tuple(sorted(map(_place, cage.get("cells") or ())))


def _words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _place(pair: Any) -> Cell:  # noqa: ANN401 (what JSON has)
    r, c = pair
    return json_integer(r) + 1, json_integer(c) + 1


def _role(cage: Mapping[str, Any]) -> str:
    """Return the role of a cage: "drawn" with a text and no rule, "sum" if its numbers may repeat, "killer", or ""."""
    total, cells = cage.get("sum", cage.get("value")), cage.get("cells")
    if cells and cage.get("unique") is False and (cage.get("sum") or cage.get("value")):
        return "sum" if cage.get("sum") else "drawn"
    if not cells or _DETAIL.match(str(total)):
        return ""
    style = cage.get("style") in {"rowcol", "rowcols", "region", "box"}
    is_line = style or cage.get("hidden") or cage.get("unique") is False
    return "killer" if total or not is_line else ""


def _flags(variants: Mapping[str, Variant]) -> dict[str, str]:
    """Return {name in the metadata: variant} of rules that f-puzzles has without a value."""
    names = f_puzzles.named_constraints(variants)
    return {key: clue.variant.name for key, clue in names.items() if not clue.variant.keys and not clue.words}


def _cage_keys(variants: Mapping[str, Variant]) -> dict[bool, Key]:
    """Return {whether the numbers of its cages differ: key} of the keys whose clues are cages here."""
    return {one.formats["sudokupad"]["unique"]: one.keys[0] for one in variants.values() if "sudokupad" in one.formats}


def _ends(side: int) -> dict[str, list[list[float]]]:
    """Return {diagonal: its ends}."""
    return {"falling": [[0, 0], [side, side]], "rising": [[0, side], [side, 0]]}


def _diagonal(line: Mapping[str, Any], side: int, variants: Mapping[str, Variant]) -> str:
    """Return the variant of a line that is a diagonal of the board; "" for any other."""
    ends = sorted([*map(float, point)] for point in line.get("wayPoints") or ())
    way = next((way for way, corners in _ends(side).items() if ends == corners), None)
    return next((name for name, variant in variants.items() if way and variant.formats.get("diagonals") == way), "")


# -- Short forms of classic Sudokus ----------------------------------------------------------------


def _digits(text: str) -> str:
    """Return the cells of a text: a character is a digit and 0 to 5 empty cells after it."""
    cells = ""
    for character in text:
        value = (digits + ascii_letters.swapcase()).find(character)
        if not 0 <= value < 60:
            raise InstanceError(f"{shown(character)} cannot be in a short Sudoku, which has letters and digits")
        cells += str(value % 10) + "0" * (value // 10)
    return cells


def _scf(text: str) -> Draft:
    """Return a Sudoku of 81 cells; after it x and w for diagonals and windows, t and a with title and author."""
    used = next((i for i in range(len(text) + 1) if len(_digits(text[:i])) >= 81), len(text))
    details, variants = dict[str, str](), list[str]()
    for mark, key, detail in re.findall(r"(?s)([^ta])|([ta])((?:[^*]|\*\*)*)\*?", text[used:]):
        if key:
            details["title" if key == "t" else "author"] = detail.replace("**", "*")
        elif mark in _SHORT_VARIANTS:
            look, value = _SHORT_VARIANTS[mark]
            variants += [name for name, variant in shipped_variants().items() if variant.formats.get(look) == value]
        elif mark != "*":
            raise InstanceError(f"pyasp does not know the rule {shown(mark)} of a short Sudoku, only x and w")
    return _short_board(_digits(text[:used])[:81], tuple(variants), details)


def _classic(text: str) -> Draft:
    """Return a Sudoku whose characters are as in `scf`, or digits, and letters and signs for 1 to 69 empty cells."""
    forms = [_digits(text)] if re.fullmatch(r"[0-9A-Za-x]+", text) else []
    forms.append("".join("0" * _BLANKS.index(mark) if mark in _BLANKS else mark for mark in text))
    return _short_board(next((cells for cells in forms if len(cells) == 81), forms[0]))


def _short_board(cells: str, variants: tuple[str, ...] = (), details: Mapping[str, str] = {}) -> Draft:
    side = isqrt(len(cells))
    if side * side != len(cells) or side not in regions.USUAL or side > 9:
        raise InstanceError(f"this short Sudoku has {len(cells)} cells instead of 81: copy the whole address")
    return Draft(numbers_in_digits(cells, side, "0"), regions.usual(side), details, variants=variants)


# -- Writing ---------------------------------------------------------------------------------------


def _write(board: Draft) -> str:
    """Return the address of a board, with its solution if it has one.

    Raises:
        InstanceError: a key of the board has no picture.
    """
    side, _ = board.size
    metadata: dict[str, object] = {key: board.details[key] for key in _DETAILS if key in board.details}
    metadata["rules"] = board.rules
    drawn_ones = {name for name, variant in board.known.items() if variant.formats.keys() & {"diagonals", "windows"}}
    metadata |= {key: True for key, name in _flags(board.known).items() if name in {*board.variants} - drawn_ones}
    if board.solution and side <= 9:
        metadata["solution"] = "".join(str(board.solution[cell]) for cell in sorted(board.solution))
    members = regions.cells(regions.numbered(board.regions))
    contents: dict[Cell, dict[str, object]] = {cell: {"value": value} for cell, value in board.givens.items()}
    for cell, numbers in board.candidates.items():
        contents.setdefault(cell, {})["centremarks"] = numbers
    puzzle: dict[str, Any] = {
        "cellSize": 50,
        "metadata": metadata,
        "cells": grid_rows(contents, board.regions, {}),
        "regions": [cells_from_zero(cells) for cells in members.values()],
    }
    puzzle |= _drawing(board, side) | board.carrying
    return f"https://sudokupad.app/scl{quote(compress(compact_json(puzzle)), safe='')}"


def _drawing(board: Draft, side: int) -> Shapes:
    drawn: Shapes = {}
    cages = {key.name: unique for unique, key in _cage_keys(board.known).items()}
    for key in sorted(board.keys, key=lambda key: not cages.get(key)):
        parts = shapes_of(board.layers[key], side) if key in board.layers else {}
        if key in cages:
            look = {"unique": True} if cages[key] else {"unique": False, "borderColor": _SUM}
            parts = {"cages": [{"cells": cells_from_zero(line.groups[0]), **look} for line in board.lines_of(key)]}
            for part, line in zip(parts["cages"], board.lines_of(key), strict=True):
                part.update({"value": line.values[0], "sum": int(line.values[0])} if line.values else {})
        elif not parts and key != candidates_key(board.known).name:
            raise refusal("sudokupad", f"{key}, which have no picture")
        for where, shapes in parts.items():
            drawn.setdefault(where, []).extend(shapes)
    for way in board.diagonals:
        shape = {"wayPoints": _ends(side)[way], "color": _DIAGONAL, "thickness": 2}
        drawn.setdefault("lines", []).append(shape)
    for window in board.windows:
        hidden = {"cells": cells_from_zero(window), "unique": True, "hidden": True}
        drawn.setdefault("cages", []).append(hidden)
        k, (r, c) = isqrt(side), window[0]
        square = {"center": [r - 1 + k / 2, c - 1 + k / 2], "width": k, "height": k, "backgroundColor": _WINDOW}
        drawn.setdefault("underlays", []).append(square)
    return drawn | ({"overlays": texts_apart(drawn["overlays"])} if "overlays" in drawn else {})


def _says(board: Draft, variant: Variant) -> bool:
    """Return whether SudokuPad has a variant as a rule."""
    return board.has_name(variant, "sudokupad") or variant.name in _flags(board.known).values()


FORMAT = draft_format(
    "sudokupad",
    "addresses of SudokuPad: Sudoku, also jigsaws, variants and killer cages",
    _recognise,
    _read,
    _write,
    can=Can(says=_says),
    answers=True,
    content=lambda text: _found(text) | {"metadata": None},
    line=True,
)
