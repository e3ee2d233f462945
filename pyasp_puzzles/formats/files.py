"""Files of other programs: janko.at's text, `.non` of nonograms, OpenSudoku's XML.

    begin              janko.at: lines of details, the sections `problem`, `areas`, `solution`, and `end`
    puzzle suguru
    size 4
    problem
    - 2 - -

    title "A letter"   .non, of Steve Simpson's programs and webpbn.com; lines `====` separate several boards
    width 2
    height 2
    rows
    1,1                numbers with commas between them, 0 or nothing for a line without any

`goal "1011"` in a .non file is the answer, row by row. A puzzle that is written so has a table `[formats.non]` with a
`key`, that of its numbers outside. OpenSudoku has a folder of Sudokus of 9x9, 81 digits each; entities and document
types are refused, so a small file stays small.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.grid import Cell, all_cells, check_grid_size, grid_by_cell, grid_extent, grid_text
from pyasp_puzzles.boards.toml import DETAILS, Table
from pyasp_puzzles.errors import InstanceError, Where, printable_line, shown
from pyasp_puzzles.formats.codings import entries
from pyasp_puzzles.formats.exchange import (
    Can,
    Draft,
    checked,
    draft_format,
    draft_of_instance,
    instance_of_draft,
    numbers_in_digits,
)
from pyasp_puzzles.formats.format import Format, Report, Text, refusal
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles.board import board_from_table, keys_of_board

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyasp_puzzles.formats.format import Text
    from pyasp_puzzles.model.puzzle import Instance


# -- janko.at --------------------------------------------------------------------------------------

_PUZZLES = {"sudoku": "sudoku", "suguru": "tectonic", "tectonic": "tectonic"}
_SECTIONS = ("problem", "areas", "solution")
# Lines that say no more about the board than its sections.
_IGNORED = ("solver", "info", "unit", "size", "rows", "cols", "puzzle", "moves", "depth", "patternx", "patterny")
# What is in empty cells, and in places that are no cells.
_NO_WORDS = {"-", ".", "0", "_", "#"}
_BEGIN = re.compile(r"\s*\[?begin\]?\s*\n", re.IGNORECASE)
# A page with the text in an element.
_PAGE = re.compile(r"(?i)\s*<[^<>]{1,99}>.*?>\s*?(begin[ \t\r]*\n.*?\n\s*end)\s*<", re.DOTALL)
_PROBLEM = re.compile(r"^[ \t]*\[?(?:problem|puzzle[ \t]+\S+)\]?[ \t\r]*$", re.IGNORECASE | re.MULTILINE)


def _recognise_janko(text: str) -> bool:
    """Return whether a text begins with `begin` and names a puzzle or has a problem."""
    content = _text(text)
    return _BEGIN.match(content) is not None and _PROBLEM.search(content[:5000]) is not None


def _text(text: str) -> str:
    """Return the text in a page, or a text itself."""
    match = _PAGE.match(text) if text.lstrip().startswith("<") and len(text) < 100_000 else None
    return match[1] + "\n" if match else text


def _read_janko(text: Text) -> Draft:
    """Return the board of a text."""
    head, sections, lost = _parts(_text(text.text))
    name = head.get("puzzle", "").lower()
    if name and name not in _PUZZLES:
        raise InstanceError(f"this is a {shown(name)} of janko.at; pyasp reads only sudoku and suguru from there")
    if "problem" not in sections:
        raise InstanceError("there is no section `problem`")
    problem, areas = sections["problem"], sections.get("areas")
    rows, columns = len(problem), len(problem[0])
    check_grid_size(rows, columns)
    for title, grid in sections.items():
        if len(grid) != rows or any(len(row) != columns for row in grid):
            raise InstanceError(f"the section `{title}` is no grid of {rows}x{columns}, the size of the problem")
    puzzle, details = _PUZZLES.get(name, "sudoku"), {key: head[key] for key in DETAILS if key in head}
    if areas is None and puzzle == "tectonic":
        raise InstanceError("there is no section `areas`, which a Suguru needs")
    if areas is None and rows != columns:
        raise InstanceError(f"the problem is a grid of {rows}x{columns}; a Sudoku has as many rows as columns")
    region_of = regions.usual(rows) if areas is None else _words(areas)
    if not region_of:
        raise InstanceError("no cell is in an area")
    grids = map(_numbers, (problem, sections.get("solution", ())))
    givens, solution = ({cell: grid[cell] for cell in grid if cell in region_of} for grid in grids)
    return Draft(givens, region_of, details, solution, lost=lost, puzzle=puzzle)


def _parts(text: str) -> tuple[dict[str, str], dict[str, list[list[str]]], tuple[str, ...]]:
    """Return the lines of details, the sections, and what is left out."""
    head, sections, left_out = dict[str, str](), dict[str, list[list[str]]](), list[str]()
    section = ""
    for line in map(str.strip, text.split("\n")):
        name = line.strip("[]").lower()
        key, _, value = line.partition(" ")
        if name == "begin" and head:
            raise InstanceError("there are several puzzles in this text; janko has one in a text")
        if name in {"begin", "end"}:
            section = ""
        elif section == "puzzle" and name:
            head["puzzle"], section = name, ""
        elif re.fullmatch(r"\[?[a-z]+\]?", name) and not name.isdigit() and (name in _SECTIONS or len(name) > 2):
            section = name
            if name not in _SECTIONS and name not in _IGNORED:
                left_out.append(name)
        elif section in _SECTIONS and line:
            sections.setdefault(section, []).append(line.split())
        elif not section and value:
            head[key.lower()] = value.strip()
    left_out += [key for key in head if key not in {*_IGNORED, *DETAILS}]
    return head, sections, tuple(left_out)


def _words(grid: Sequence[list[str]]) -> dict[Cell, str]:
    """Return the words of a section, without those for empty cells and for no cells."""
    return {cell: word for cell, word in grid_by_cell(grid).items() if word not in _NO_WORDS}


def _numbers(grid: Sequence[list[str]]) -> dict[Cell, int]:
    tokens = _words(grid)
    if wrong := [word for word in tokens.values() if not re.fullmatch("[0-9]{1,4}", word)]:
        raise InstanceError(f"{shown(wrong[0])} is not a number; write a number, or - for an empty cell")
    return {cell: int(word) for cell, word in tokens.items()}


def _write_janko(board: Draft) -> str:
    """Return the text of a board."""
    rows, columns = board.size
    lines = ["begin", f"puzzle {'suguru' if board.puzzle == 'tectonic' else 'sudoku'}"]
    lines += [f"{key} {value}" for key, value in board.details.items()]
    lines += [f"size {rows}"] if rows == columns else [f"rows {rows}", f"cols {columns}"]
    lines += ["problem", *board.lines(board.givens, "-", " ")]
    if board.puzzle == "tectonic" or not regions.are_usual(board.regions) or board.regions != regions.usual(rows):
        one_word = all(name.split() == [name] and name not in _NO_WORDS for name in board.regions.values())
        lines += ["areas", *board.lines(board.regions if one_word else regions.numbered(board.regions), "-", " ")]
    if board.solution:
        lines += ["solution", *board.lines(board.solution, "-", " ")]
    return "\n".join([*lines, "end"])


JANKO = draft_format(
    "janko",
    "the text of janko.at: Sudoku, also jigsaws, and Tectonic",
    _recognise_janko,
    _read_janko,
    _write_janko,
    can=Can(puzzles=("sudoku", "tectonic")),
    answers=True,
)


# -- .non ------------------------------------------------------------------------------------------

# {word in a file: key of a board}
_NON_DETAILS = {"title": "title", "by": "author", "catalogue": "source"}
# {word in a file: where the numbers after it are}
_SIDES = {"rows": "left", "columns": "top"}
_DIVIDER = re.compile(r"={4,}")
_LINE = re.compile(r"[0-9]{1,4}(?:,[0-9]{1,4})*")


def _recognise_non(text: str) -> bool:
    """Return whether a text has the size and the lines of a board."""
    head = text[:5000]
    return re.search(r"^\s*(?:width|height)[ \t]+\d+\s*$", head, re.MULTILINE) is not None and (
        re.search(r"^\s*(?:rows|columns)\s*$", head, re.MULTILINE) is not None
    )


def _read_non(text: Text) -> Iterator[Instance]:
    """Yield the boards of a text."""
    parts: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(text.text.split("\n"), 1):
        if _DIVIDER.fullmatch(line.strip()):
            parts.append([])
        else:
            parts[-1].append((number, line.strip()))
    parts = [part for part in parts if any(line for _, line in part)]
    for number, part in enumerate(parts, 1):
        yield _board(part, text, number, len(parts))


def _board(lines: Sequence[tuple[int, str]], text: Text, number: int, total: int) -> Instance:
    """Return the board of some lines."""
    where = text.where if total == 1 else Where(text.where.source, lines[0][0])
    size, details, runs = dict[str, int](), dict[str, str](), dict[str, list[str]]()
    side, left = "", 0
    for place, line in lines:
        at = Where(where.source, place)
        name, _, rest = line.partition(" ")
        if left and (not line or line[0].isdigit()):
            numbers = re.sub(r"\s", "", line).rstrip(",") or "0"
            if not _LINE.fullmatch(numbers):
                colored = re.fullmatch(r"[0-9,]*[0-9][a-z][0-9a-z,]*", numbers)
                problem = "numbers with colors, which no puzzle has here" if colored else "no numbers, such as 2,1"
                raise InstanceError(f"{shown(line)} has {problem}", at)
            runs[side].append(numbers)
            left -= 1
        elif name in {"width", "height"} and rest.strip().isdecimal():
            size[name] = int(rest[:9])
        elif left and line:
            break
        elif line in _SIDES:
            if len(size) < 2:
                raise InstanceError("there is no width and height before these lines", at)
            check_grid_size(size["height"], size["width"])
            side, left = _SIDES[line], size["height" if line == "rows" else "width"]
            runs[side] = []
        elif rest.strip():
            details[name] = html.unescape(rest.strip().removeprefix('"').removesuffix('"'))
    missing = [name for name, edge in _SIDES.items() if edge not in runs]
    if missing or left:
        count = len(runs.get(side, ()))
        problem = f"{count} of {count + left} {next(name for name in _SIDES if _SIDES[name] == side)}" if left else ""
        raise InstanceError(f"this .non file has {problem or f'no {missing[0]}'}: copy it whole", where)
    return _instance(size, details, runs, text._replace(where=where))._replace(number=number, total=total)


def _instance(size: dict[str, int], details: dict[str, str], runs: dict[str, list[str]], text: Text) -> Instance:
    """Return the board of a size, details and numbers outside."""
    tables = entries("non", text.puzzles)
    entry = next((entry for entry in tables if text.puzzle in {None, entry.puzzle.name}), None)
    if entry is None:
        raise InstanceError(f"this is a board of {tables[0].puzzle.name}, and not of {text.puzzle}", text.where)
    rows, columns = size["height"], size["width"]
    table: dict[str, object] = {"puzzle": entry.puzzle.name, "size": [rows, columns], entry.table["key"]: runs}
    table |= {key: told for name, key in _NON_DETAILS.items() if (told := printable_line(details.get(name, "")))}
    if rights := printable_line("; ".join(filter(None, (details.get("copyright"), details.get("license"))))):
        table["notes"] = rights
    instance = board_from_table(Table(table, {}, text.where), text.puzzles)
    goal = details.get("goal", "")
    if not goal:
        return instance
    if len(goal) != rows * columns:
        raise InstanceError(f"the goal has {len(goal)} cells instead of {rows * columns}", text.where)
    cells = all_cells(rows, columns)
    marks = {cell: "o" if mark == "0" else "x" for cell, mark in zip(cells, goal, strict=True)}
    return instance._replace(solution=entry.puzzle.kind.read(instance, grid_text(cells, marks), text.where, whole=True))


def _write_non(boards: Sequence[Instance], report: Report) -> str:
    """Return the text of boards."""
    text = "\n====\n".join(map(_written, boards))
    return checked(
        "non", [Draft(puzzle=board.puzzle.name, instance=board) for board in boards], text, _read_non, report
    )


def _written(board: Instance) -> str:
    where, table = board.facts.where, board.puzzle.formats.get("non")
    if table is None:
        names = ", ".join(entry.puzzle.name for entry in entries("non", ()))
        raise refusal("non", f"a board of {board.puzzle.name}", where, names)
    keys = keys_of_board(board)
    outside = keys.get(table["key"])
    runs = outside if isinstance(outside, dict) else {}
    rows, columns = grid_extent(board.cells)
    lines = [
        f'{name} "{html.escape(board.details[key])}"' for name, key in _NON_DETAILS.items() if key in board.details
    ]
    lines += [f"width {columns}", f"height {rows}"]
    for name, side in _SIDES.items():
        labels = [str(number) for number in runs.get(side, ())]
        if board.variants or not labels or not all(map(_LINE.fullmatch, labels)) or len(board.cells) != rows * columns:
            raise refusal("non", "rows and columns without numbers, holes, or variants", where)
        lines += ["", name, *labels]
    if board.solution is not None:
        goal = "".join(str(int(board.solution.shaded[cell])) for cell in all_cells(rows, columns))
        lines += ["", f'goal "{goal}"']
    return "\n".join(lines)


NON = Format(
    "non",
    "nonograms in .non files, as on webpbn.com",
    _recognise_non,
    _read_non,
    _write_non,
    suffixes=(".non",),
    answers=True,
)


# -- OpenSudoku ------------------------------------------------------------------------------------

# Characters of a text of XML.
_LONGEST_XML = 2**22
_SIDE = 9
# {element: detail}, of the folder and so of each board
_OPENSUDOKU_DETAILS = {"name": "title", "author": "author", "source": "source", "description": "notes"}


def _recognise_opensudoku(text: str) -> bool:
    """Return whether a text is XML of OpenSudoku."""
    return re.search(r"<opensudoku2?\b", text[:5000]) is not None


def _read_opensudoku(text: Text) -> Iterator[Instance]:
    """Yield the boards of a folder."""
    if len(text.text) > _LONGEST_XML:
        raise InstanceError(f"this XML is too large: it may have at most {_LONGEST_XML} characters", text.where)
    games, words_of = _parsed(text)
    shared = {key: printable_line(value) for key, value in words_of.items() if value.strip()}
    collection = shared.get("title", "") if len(games) > 1 else ""
    boards = []
    for number, (line, title, data) in enumerate(games, 1):
        place = text._replace(where=Where(text.where.source, line))
        givens, lost = _givens(data, place.where)
        details = shared | ({"title": printable_line(title)} if title.strip() else {})
        instance = instance_of_draft(Draft(givens, regions.usual(_SIDE), details, lost=lost), place)
        boards.append(instance._replace(number=number, total=len(games), collection=collection))
    yield from boards


def _parsed(text: Text) -> tuple[list[tuple[int, str, str]], dict[str, str]]:
    """Return the line, the title and the data of each game of a folder, and the details of the folder."""
    games: list[tuple[int, str, str]] = []
    details: dict[str, str] = {}
    path: list[tuple[str, str]] = []
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise InstanceError("this XML has a document type or an entity; pyasp reads elements only", text.where)

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(path) >= 10 or len(games) > Limits.MOST_BOARDS:
            problem = f"there are more than {Limits.MOST_BOARDS} games, or elements are nested too deep"
            raise InstanceError(problem, text.where)
        if name == "game":
            title = attributes.get("name") or next((title for element, title in path if element == "folder"), "")
            games.append((parser.CurrentLineNumber, title, attributes.get("data", "")))
        path.append((name, attributes.get("name", "")))

    def words_in(text: str) -> None:
        if len(path) == 2 and path[-1][0] in _OPENSUDOKU_DETAILS:
            key = _OPENSUDOKU_DETAILS[path[-1][0]]
            details[key] = f"{details.get(key, '')}{text}"[:1000]

    parser.StartElementHandler, parser.EndElementHandler = start, lambda _: path.pop()
    parser.CharacterDataHandler = words_in
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text.text.encode("utf-8", "surrogatepass"), True)  # noqa: FBT003 (as expat has it)
    except (expat.ExpatError, UnicodeEncodeError, ValueError, LookupError) as error:
        line = getattr(error, "lineno", None)
        raise InstanceError("this is not valid XML", Where(text.where.source, line)) from None
    if not games:
        raise InstanceError("this XML has no game of OpenSudoku: no <game data=...>", text.where)
    return games, details


def _givens(data: str, where: Where) -> tuple[dict[Cell, int], tuple[str, ...]]:
    """Return the givens of a game, and what is left out: other numbers.

    Data is 81 digits, or `version: N`, a newline, and for each cell its value, its notes, and whether it may be edited.
    """
    if re.fullmatch(r"[0-9.]{81}", data.strip()):
        return numbers_in_digits(data.strip(), _SIDE, ".0"), ()
    match = re.fullmatch(r"version: ?(\d)\s+([\d|,;-]*)\s*", data)
    fields = match[2].rstrip("|").split("|") if match else []
    wide = len(fields) // (_SIDE * _SIDE)
    if match is None or wide * _SIDE * _SIDE != len(fields) or wide not in {3, 4}:
        raise InstanceError(f"{shown(data)} is not the data of a game; write 81 digits", where)
    parts = zip(all_cells(_SIDE, _SIDE), fields[::wide], fields[wide - 1 :: wide], strict=True)
    filled = [(cell, int(value), editable) for cell, value, editable in parts if value in set("123456789")]
    givens = {cell: value for cell, value, editable in filled if editable == "0"}
    return givens, (f"{len(filled) - len(givens)} numbers that are not given",) * (len(filled) > len(givens))


def _write_opensudoku(boards: Sequence[Instance], report: Report) -> str:
    """Return the XML of a folder with all boards."""
    can = Can(sides=(_SIDE,))
    drafts = [draft_of_instance("opensudoku", can, board, report) for board in boards]
    first = dict(drafts[0].details)
    title = boards[0].collection or first.get("title", "")
    names = {"name": title, **{name: first.get(key, "") for name, key in _OPENSUDOKU_DETAILS.items() if key != "title"}}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<opensudoku>"]
    lines += [f"  <{name}>{escape(value)}</{name}>" for name, value in names.items() if value]
    for board in drafts:
        its_title = board.details.get("title", "")
        name = f" name={quoteattr(its_title)}" if len(drafts) > 1 and its_title and its_title != title else ""
        digits = "".join(board.lines(board.givens, "0"))
        lines.append(f'  <game{name} data="{digits}" />')
    return checked("opensudoku", drafts, "\n".join([*lines, "</opensudoku>"]), _read_opensudoku, report)


OPENSUDOKU = Format(
    "opensudoku",
    "OpenSudoku's XML, Sudokus of 9x9",
    _recognise_opensudoku,
    _read_opensudoku,
    _write_opensudoku,
    suffixes=(".opensudoku",),
)
