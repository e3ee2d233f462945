"""The text of janko.at: `begin`, `puzzle NAME`, lines of details, the sections `problem`, `areas`, `solution`, `end`.

begin
puzzle suguru
size 4
problem
- 2 - -
...
areas
1 1 2 2
...
end
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import Cell, check_grid_size, grid_by_cell
from pyasp_puzzles.boards.regions import are_usual_boxes, numbered_regions, usual_boxes
from pyasp_puzzles.boards.toml import DETAILS
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.formats.exchange import Can, Draft, draft_format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyasp_puzzles.formats.format import Text

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


def _recognise(text: str) -> bool:
    """Return whether a text begins with `begin` and names a puzzle or has a problem."""
    words = _text(text)
    return _BEGIN.match(words) is not None and _PROBLEM.search(words[:5000]) is not None


def _text(text: str) -> str:
    """Return the text in a page, or a text itself."""
    match = _PAGE.match(text) if text.lstrip().startswith("<") and len(text) < 100_000 else None
    return match[1] + "\n" if match else text


def _read(text: Text) -> Draft:
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
    regions = usual_boxes(rows) if areas is None else _words(areas)
    if not regions:
        raise InstanceError("no cell is in an area")
    grids = map(_numbers, (problem, sections.get("solution", ())))
    givens, solution = ({cell: grid[cell] for cell in grid if cell in regions} for grid in grids)
    return Draft(givens, regions, details, solution, lost=lost, puzzle=puzzle)


def _parts(text: str) -> tuple[dict[str, str], dict[str, list[list[str]]], tuple[str, ...]]:
    """Return the lines of details, the sections, and what is left out."""
    head, sections, left_out = dict[str, str](), dict[str, list[list[str]]](), list[str]()
    section = ""
    for line in map(str.strip, text.split("\n")):
        name = line.strip("[]").lower()
        key, _, words = line.partition(" ")
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
        elif not section and words:
            head[key.lower()] = words.strip()
    left_out += [key for key in head if key not in {*_IGNORED, *DETAILS}]
    return head, sections, tuple(left_out)


def _words(grid: Sequence[list[str]]) -> dict[Cell, str]:
    """Return the words of a section, without those for empty cells and for no cells."""
    return {cell: word for cell, word in grid_by_cell(grid).items() if word not in _NO_WORDS}


def _numbers(grid: Sequence[list[str]]) -> dict[Cell, int]:
    words = _words(grid)
    if wrong := [word for word in words.values() if not re.fullmatch("[0-9]{1,4}", word)]:
        raise InstanceError(f"{shown(wrong[0])} is not a number; write a number, or - for an empty cell")
    return {cell: int(word) for cell, word in words.items()}


def _write(board: Draft) -> str:
    """Return the text of a board."""
    rows, columns = board.size
    lines = ["begin", f"puzzle {'suguru' if board.puzzle == 'tectonic' else 'sudoku'}"]
    lines += [f"{key} {words}" for key, words in board.details.items()]
    lines += [f"size {rows}"] if rows == columns else [f"rows {rows}", f"cols {columns}"]
    lines += ["problem", *board.lines(board.givens, "-", " ")]
    if board.puzzle == "tectonic" or not are_usual_boxes(board.regions) or board.regions != usual_boxes(rows):
        one_word = all(name.split() == [name] and name not in _NO_WORDS for name in board.regions.values())
        lines += ["areas", *board.lines(board.regions if one_word else numbered_regions(board.regions), "-", " ")]
    if board.solution:
        lines += ["solution", *board.lines(board.solution, "-", " ")]
    return "\n".join([*lines, "end"])


FORMAT = draft_format(
    "janko",
    "the text of janko.at: Sudoku, also jigsaws, and Tectonic",
    _recognise,
    _read,
    _write,
    can=Can(puzzles=("sudoku", "tectonic"), jigsaw=True),
    answers=True,
)
