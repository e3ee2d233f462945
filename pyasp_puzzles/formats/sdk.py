"""SadMan's `.sdk`: nine rows of nine digits, with lines such as `#Atitle` before them, and perhaps sections.

#AJohn        author; also C comment, D description, S source, U address, B date, L level
[Puzzle]
2..1.5..3
...
[State]       the numbers so far, or here the answer
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.regions import usual_boxes
from pyasp_puzzles.errors import InstanceError
from pyasp_puzzles.formats.exchange import Can, Draft, draft_format, numbers_in_rows

if TYPE_CHECKING:
    from pyasp_puzzles.formats.format import Text

_DETAILS = {"A": "author", "D": "title", "C": "notes", "S": "source"}
_OTHERS = {"B": "date", "L": "level", "U": "address"}
_SIDE = 9
_FIRST = re.compile(r"\s*(?:#[A-Z][^\n]*\n\s*)*(?:\[Puzzle\]|(?<=\n)[0-9.*X]{9}\s*\n)", re.IGNORECASE)


def _recognise(text: str) -> bool:
    """Return whether a text has a section [Puzzle], or rows after lines that begin with # and a letter."""
    return _FIRST.match(text[:20_000]) is not None


def _read(text: Text) -> Draft:
    """Return the board of a file."""
    details, left_out, section = dict[str, str](), list[str](), "puzzle"
    rows: dict[str, list[str]] = {"puzzle": []}
    for line in map(str.strip, text.text.split("\n")):
        if line.startswith("#"):
            name, words = line[1:2].upper(), line[2:].strip()
            if name in _DETAILS and words:
                details[_DETAILS[name]] = f"{details.get(_DETAILS[name], '')} {words}".strip()
            elif words and name in _OTHERS:
                left_out.append(_OTHERS[name])
        elif match := re.fullmatch(r"\[(\w+)\]", line):
            section = match[1].lower()
            rows.setdefault(section, [])
        elif line:
            rows.setdefault(section, []).append(line)
    givens = numbers_in_rows(rows["puzzle"])
    state = numbers_in_rows(rows["state"]) if rows.get("state") else {}
    solution = state if len(state) == _SIDE * _SIDE else {}
    if state not in ({}, givens, solution):
        left_out.append("the numbers so far")
    left_out += [f"the section {name}" for name, lines in rows.items() if name not in {"puzzle", "state"} and lines]
    if any("jigsaw" in name for name in rows):
        raise InstanceError("this is a jigsaw, which pyasp does not read in .sdk")
    return Draft(givens, usual_boxes(_SIDE), details, solution, lost=tuple(left_out))


def _write(board: Draft) -> str:
    """Return the text of a board."""
    lines = [f"#{name}{board.details[key]}" for name, key in _DETAILS.items() if key in board.details]
    lines += ["[Puzzle]", *board.lines(board.givens)]
    if board.solution:
        lines += ["[State]", *board.lines({**board.solution, **board.givens})]
    return "\n".join(lines)


FORMAT = draft_format(
    "sdk",
    "SadMan's .sdk, a Sudoku of 9x9 with its title and author",
    _recognise,
    _read,
    _write,
    can=Can(sides=(_SIDE,)),
    answers=True,
    suffixes=(".sdk",),
)
