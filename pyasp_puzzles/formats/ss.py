"""Simple Sudoku's `.ss`: a Sudoku of 9x9 with bars between its boxes.

1..|...|7..
.2.|...|5..
6..|38.|...
-----------
...
"""

from __future__ import annotations

import re

from pyasp_puzzles.errors import InstanceError
from pyasp_puzzles.formats.grid import is_rule
from pyasp_puzzles.formats.numbers import Can, NumberBoard, cells_of, number_format, usual_boxes

SIDE = 9
_ROW = re.compile(r"[|*]?[0-9.X ]{3,9}\|[0-9.X ]{3,9}\|[0-9.X ]{3,9}[|*]?")


def recognise(text: str) -> bool:
    """Tell whether the first rows of a text have two bars inside."""
    lines = [line.strip() for line in text[:2000].strip().split("\n")]
    rows = [line for line in lines if line and not is_rule(line)]
    return len(rows) >= SIDE and all(map(_ROW.fullmatch, rows[:SIDE]))


def read(text: str) -> NumberBoard:
    """Return the board of a file."""
    lines = [line.strip() for line in text.strip().split("\n")]
    lines = [line for line in lines if line and not is_rule(line) and not line.startswith("Simple Sudoku")]
    rows = ["".join(line.strip("|*").split("|")).replace(" ", "") for line in lines]
    if len(rows) != SIDE or not all(re.fullmatch(r"[0-9.X*]{9}", row) for row in rows):
        raise InstanceError(f"{len(rows)} rows, expected 9 rows of 9 digits or dots, with | between boxes")
    digits = dict(zip(cells_of(SIDE, SIDE), "".join(rows), strict=True))
    return NumberBoard("sudoku", {cell: int(d) for cell, d in digits.items() if d not in ".0X*"}, usual_boxes(SIDE))


def write(board: NumberBoard) -> str:
    """Return the text of a board."""

    def row(r: int) -> str:
        digits = "".join(str(board.givens.get((r, c), ".")) for c in range(1, SIDE + 1))
        return "|".join(digits[i : i + 3] for i in (0, 3, 6))

    return "\n-----------\n".join("\n".join(row(r) for r in range(first, first + 3)) for first in (1, 4, 7))


FORMAT = number_format(
    "ss",
    "Simple Sudoku's .ss, a Sudoku of 9x9 with bars",
    recognise=recognise,
    read=read,
    write=write,
    can=Can(sides=(SIDE,)),
    suffixes=(".ss",),
)
