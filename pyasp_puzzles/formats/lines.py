"""Reading lists of boards, one a line, one by one: they may have any length.

Line   "53..7....6..195... easy": the cells row by row, `.` or `0` for an empty one, and perhaps a title
Blank  what all boards of one size share, and the possible clues of each cell
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pyasp_puzzles.boards.grid import EMPTY, at
from pyasp_puzzles.boards.toml import one_line
from pyasp_puzzles.errors import InstanceError, Where, listing, shown
from pyasp_puzzles.puzzles.puzzle import Instance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyasp_puzzles.asp.symbols import Arguments

    Report = Callable[[InstanceError], object]


class Readable(Protocol):
    """What a list is read from: a binary file."""

    def readline(self, size: int = ..., /) -> bytes:
        """Return the next line, or so many bytes of it."""


SIDES = {"sudoku": (4, 6, 8, 9)}
"""{puzzle: possible numbers of rows and columns}; a cell is one digit."""
COMMENTS = ("#", "%", ";")
EMPTIES = ".0_*"
SEPARATORS = " \t,;:|#"
"""The characters between cells and title."""
LONGEST_LINE = 2**16
"""Bytes; a file with a longer line is no list of boards, and is read no further."""


class Blank(NamedTuple):
    """A board without clues, and for each cell, row by row, {digit: (row, column, digit)}."""

    board: Instance
    clues: tuple[dict[str, Arguments | None], ...]


_LINE = re.compile(r"(?:[0-9._*]{16}|[0-9._*]{36}|[0-9._*]{64}|[0-9._*]{81})(?=[ \t,;:|#]|$)")


def is_line(words: str) -> bool:
    """Tell whether a line is a board."""
    return _LINE.match(words) is not None


def read_lines(file: Readable, source: str, puzzle: str, report: Report | None = None) -> Iterator[Instance]:
    """Yield the boards of a list as they are read; they count from 1, bad lines included.

    Args:
        file: the list; it may be endless.
        source: its name in messages.
        puzzle: the puzzle, "sudoku".
        report: called with the error of a bad line; without it, the error is raised.

    Raises:
        InstanceError: what is wrong, with source and line.
    """
    board = 0
    for line, words in _lines(file, source):
        try:
            if isinstance(words, InstanceError):
                raise words
            if not words or words.startswith(COMMENTS):
                continue
            board += 1
            yield _board(words, Where(source, line), puzzle, board)
        except InstanceError as error:
            if error.where and error.where.line and not isinstance(words, InstanceError):
                error.about = {"puzzle": puzzle, "source": source, "board": board, "title": ""}
            if report is None:
                raise
            report(error)


def _lines(file: Readable, source: str) -> Iterator[tuple[int, str | InstanceError]]:
    """Yield the number of each line, and its text without blanks at both ends, or what is wrong with it."""
    line = 0
    while True:
        line += 1
        try:
            data = file.readline(LONGEST_LINE)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            yield line, InstanceError(f"cannot be read: {reason}", Where(source))
            return
        if not data:
            return
        if len(data) == LONGEST_LINE:
            yield line, InstanceError("a line without an end, expected a board a line", Where(source, line))
            return
        try:
            yield line, data.decode("utf-8-sig").strip()
        except UnicodeDecodeError:
            yield line, InstanceError("not UTF-8, expected text", Where(source, line))


def _board(words: str, where: Where, puzzle: str, board: int) -> Instance:
    ends = [end for end in map(words.find, SEPARATORS) if end >= 0]
    end = min(ends, default=len(words))
    cells, title = words[:end], words[end:].strip(SEPARATORS)
    blank = blanks(puzzle).get(end)
    if blank is None:
        sizes = listing(f"{side * side} ({side}x{side})" for side in reversed(SIDES[puzzle]))
        raise InstanceError(f"{shown(cells)} has {end} cells, expected {sizes}", where)
    try:
        clues = [clue for by_digit, digit in zip(blank.clues, cells, strict=True) if (clue := by_digit[digit])]
    except KeyError:
        side = int(end**0.5)
        i, digit = next((i, digit) for i, digit in enumerate(cells) if digit not in blank.clues[i])
        cell = at((i // side + 1, i % side + 1))
        message = f"{cell}: {shown(digit)} is not a number, expected 1 to {side}, or {EMPTY} for empty"
        raise InstanceError(message, where) from None
    facts = blank.board.facts.variant(where, "given", {clue[:2]: clue for clue in clues})
    details = {"title": one_line(title)} if title else blank.board.details
    return Instance(blank.board.puzzle, facts, board, 0, "", details)


@cache
def blanks(puzzle: str) -> dict[int, Blank]:
    """Return {number of cells: what boards of that size share}."""
    from pyasp_puzzles.formats.load import loads

    found = {}
    for side in SIDES[puzzle]:
        rows = "\n".join([EMPTY * side] * side)
        (board,) = loads(f'puzzle = "{puzzle}"\ngivens = """\n{rows}\n"""\n')
        indices = range(1, side + 1)
        empty: dict[str, Arguments | None] = dict.fromkeys(EMPTIES)
        clues = [empty | {str(value): (r, c, value) for value in indices} for r in indices for c in indices]
        found[side * side] = Blank(board, tuple(clues))
    return found
