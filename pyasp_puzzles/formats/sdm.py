"""SadMan's collections, `.sdm`: Sudokus of 9x9, 81 digits a line, `0` for an empty cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.formats.format import Format
from pyasp_puzzles.formats.line import cells, read
from pyasp_puzzles.formats.numbers import Can

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyasp_puzzles.formats.format import Report
    from pyasp_puzzles.model.puzzle import Instance


def write(boards: Sequence[Instance], report: Report) -> str:
    """Return a line for each board."""
    return "\n".join(cells(board, report, "sdm", Can(sides=(9,)), empty="0") for board in boards)


FORMAT = Format("sdm", "SadMan's .sdm, a Sudoku of 9x9 on each line", lambda _: False, read, write, suffixes=(".sdm",))
