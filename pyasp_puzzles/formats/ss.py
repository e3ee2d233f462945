"""Simple Sudoku's `.ss`: a Sudoku of 9x9 with bars between its boxes.

1..|...|7..
.2.|...|5..
6..|38.|...
-----------
...
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.regions import usual_boxes
from pyasp_puzzles.formats.exchange import Can, Draft, draft_format, numbers_in_rows
from pyasp_puzzles.formats.rows import has_blank_cells, is_ruled_row

if TYPE_CHECKING:
    from pyasp_puzzles.formats.format import Text

_SIDE = 9
_ROW = re.compile(r"[|*]?[0-9.X ]{3,9}\|[0-9.X ]{3,9}\|[0-9.X ]{3,9}[|*]?")


def _recognise(text: str) -> bool:
    """Return whether the nine rows of a text have two bars inside."""
    rows = _lines(text[:2000]) if not has_blank_cells(text[:2000]) else []
    return len(rows) >= _SIDE and all(map(_ROW.fullmatch, rows[:_SIDE])) and not any(map(_ROW.fullmatch, rows[_SIDE:]))


def _lines(text: str) -> list[str]:
    """Return the lines of a text, except empty ones and those between boxes."""
    return [line for line in map(str.strip, text.strip().split("\n")) if line and not is_ruled_row(line)]


def _read(text: Text) -> Draft:
    """Return the board of a file."""
    rows = [re.sub("[|* ]", "", line) for line in _lines(text.text) if not line.startswith("Simple Sudoku")]
    return Draft(numbers_in_rows(rows), usual_boxes(_SIDE))


def _write(board: Draft) -> str:
    """Return the text of a board."""
    rows = [f"{line[:3]}|{line[3:6]}|{line[6:]}" for line in board.lines(board.givens)]
    return "\n-----------\n".join("\n".join(rows[i : i + 3]) for i in (0, 3, 6))


FORMAT = draft_format(
    "ss",
    "Simple Sudoku's .ss, a Sudoku of 9x9 with bars",
    _recognise,
    _read,
    _write,
    can=Can(sides=(_SIDE,)),
    suffixes=(".ss",),
)
