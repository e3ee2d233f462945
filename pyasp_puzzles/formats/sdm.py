"""SadMan's collections, `.sdm`: Sudokus of 9x9, 81 digits a line, `0` for an empty cell."""

from __future__ import annotations

from functools import partial

from pyasp_puzzles.formats.exchange import Can
from pyasp_puzzles.formats.format import Format
from pyasp_puzzles.formats.line import FORMAT as LINE
from pyasp_puzzles.formats.line import write_sudoku_lines

FORMAT = Format(
    "sdm",
    "SadMan's .sdm, a Sudoku of 9x9 on each line",
    lambda _: False,
    LINE.read,
    partial(write_sudoku_lines, name="sdm", can=Can(sides=(9,)), empty="0"),
    suffixes=(".sdm",),
)
