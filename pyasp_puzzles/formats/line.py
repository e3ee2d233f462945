"""Sudokus, one a line: 16, 36, 64 or 81 characters, row by row, `.` or `0` for an empty cell, and perhaps a title."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING

from pyasp_puzzles.errors import InstanceError
from pyasp_puzzles.formats.format import LONGEST_ADDRESS, Format, content_lines
from pyasp_puzzles.formats.lines import SIDES, is_line, is_passed_over, read_lines
from pyasp_puzzles.formats.numbers import Can, sayable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyasp_puzzles.formats.format import Report, Text
    from pyasp_puzzles.puzzles.puzzle import Instance

CAN = Can(sides=SIDES["sudoku"], details=("title",))
_ADDRESS = re.compile(r"https?://\S{3,200}?[?#&=/](?P<cells>[0-9._*]{81})(?![0-9._*])\S{0,200}")
"""An address of another site with the 81 cells in it, such as `...?bd=003020600...&d=1`."""


def recognise(text: str) -> bool:
    """Tell whether the first line of a text is a Sudoku, or an address that has one."""
    first = next((words for _, words in content_lines(text[:5000]) if not is_passed_over(words)), "")
    return is_line(first) or _ADDRESS.match(first) is not None


def read(text: Text) -> Iterator[Instance]:
    """Yield the boards of a list."""
    if text.puzzle not in {None, *SIDES}:
        raise InstanceError(f"these are Sudokus, expected --as sudoku, or no --as, but not {text.puzzle}", text.where)
    words = text.text
    if "://" in words and len(words) <= LONGEST_ADDRESS:
        words = re.sub(_ADDRESS, lambda match: match["cells"], words.strip())
    found = list(read_lines(BytesIO(words.encode("utf-8", "surrogatepass")), text.where.source, "sudoku"))
    if not found:
        raise InstanceError("no board in this text, expected a Sudoku on each line", text.where)
    yield from (board._replace(boards=len(found)) for board in found)


def write(boards: Sequence[Instance], report: Report) -> str:
    """Return a line for each board."""
    return "\n".join(f"{cells(board, report)} {board.title}".strip() for board in boards)


def cells(instance: Instance, report: Report, name: str = "line", can: Can = CAN, empty: str = ".") -> str:
    """Return the cells of a Sudoku row by row."""
    board = sayable(name, can, instance, report, answers=False)
    return "".join(str(board.givens.get(cell, empty)) for cell in board.places())


FORMAT = Format(
    "line", "Sudokus of 4x4, 6x6, 8x8 and 9x9, one on each line, with a title after it", recognise, read, write
)
