"""The answers of many boards, written as text or as JSON Lines while they are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import EMPTY
from pyasp_puzzles.errors import PuzzleError, printable
from pyasp_puzzles.render.text import BOLD, DIM, Style, beside, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Protocol

    from pyasp_puzzles.puzzles.puzzle import Instance

    class Told(Protocol):
        """An answer, in the two ways in which it is written."""

        def json(self) -> Mapping[str, object]:
            """Return it as `solve --json` prints it."""

        def text(self, style: Style) -> str:
            """Return it as lines to read."""

    class Answers(Protocol):
        """The answers of a board: `Solutions`, or what a worker has found."""

        found: int
        """How many answers have come."""

        @property
        def failed(self) -> bool:
            """Whether the rules came up with something that is no answer."""

        @property
        def status(self) -> str:
            """What is known so far."""

        @property
        def complete(self) -> bool:
            """Whether there is no answer but those that came."""

        def __iter__(self) -> Iterator[Told]: ...

        def __next__(self) -> Told: ...

    Runs = Iterable[tuple[Instance, Answers]]
    Write = Callable[[str], object]

MOST_BESIDE = 5
"""Boards side by side, as in the hunt."""


def write_json(runs: Runs, write: Write) -> None:
    """Write one JSON object a board and line, each answer as it comes; an object that is interrupted is closed."""
    for instance, answers in runs:
        write(_json(instance.about)[:-1] + ', "solutions": [')
        error: dict[str, object] = {}
        try:
            for answer in answers:
                write((", " if answers.found > 1 else "") + _json(answer.json()))
        except PuzzleError as wrong:
            error = {"status": "error", "error": str(wrong)}
            wrong.recorded = True
            raise
        finally:
            tail = {"status": answers.status, "complete": answers.complete} | error
            write("], " + _json(tail)[1:] + "\n")


def json_line(instance: Instance, said: dict[str, object]) -> str:
    """Return what is said of a board as a line of JSON."""
    return _json(instance.about | said) + "\n"


def error_line(error: PuzzleError) -> str:
    """Return the record of what cannot be read, or of a board that cannot be answered, as a line of JSON."""
    about = {"source": error.where.source if error.where else None, **error.about}
    known = {key: about[key] for key in ("puzzle", "source", "board", "title") if key in about}
    return _json(known | {"status": "error", "error": str(error)}) + "\n"


def _json(value: object) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False)
    # The name of a file need not be UTF-8, but JSON is; and a terminal may take some characters for orders.
    return text if text.isprintable() else json.dumps(value)


def write_text(runs: Runs, write: Write, style: Style, *, several: bool) -> None:
    """Write the answers of each board for people; `several` if more than one a board was asked for."""
    shelf = _Shelf(write, style)
    first = True
    try:
        for instance, answers in runs:
            if not instance.boards:
                _write_lines(instance, answers, write, several=several)
                continue
            if instance.board == 1:
                shelf.clear()
                write(("" if first else "\n") + heading(instance, style))
                first = False
            if instance.puzzle.kind.side_by_side and instance.boards > 1 and not several:
                answer = next(answers, None)
                if not answers.failed:
                    shelf.put(f"{instance.board}\n{answer.text(style) if answer else _summary(answers)}")
            else:
                _write_board(instance, answers, write, style, several=several)
    finally:
        shelf.clear()


def _write_lines(instance: Instance, answers: Answers, write: Write, *, several: bool) -> None:
    """Write the answers of a board of a collection as lines of cells; where it may be several, after its number."""
    front = f"{instance.board} " if several else ""
    for answer in answers:
        write(f"{front}{_line(answer)}\n")
    if not answers.found:
        write(f"{front}{_summary(answers)}\n")


def _line(answer: Told) -> str:
    """Return a grid of numbers in one line, as collections have them: `.` where nothing is known, `[12]` for either."""
    (rows,) = answer.json().values()
    assert isinstance(rows, list)
    return "".join([_entry(value) for row in rows for value in row])


def _entry(value: object) -> str:
    if isinstance(value, list):
        digits = "".join(map(str, value))
        return digits if len(digits) == 1 else f"[{digits}]"
    return EMPTY if value is None else str(value)


def title(instance: Instance, style: Style) -> str:
    """Return the lines above what is said of a board: its file, if it is the first, and its number there."""
    return (heading(instance, style) if instance.board == 1 else "\n") + _number(instance, style)


def _number(instance: Instance, style: Style) -> str:
    """Return the line that says which of several boards it is, and what it is called."""
    if instance.boards < 2:
        return ""
    title = f": {instance.title}" if instance.title != instance.collection else ""
    return style.paint(f"Board {instance.board} of {instance.boards}{title}", DIM) + "\n"


def heading(instance: Instance, style: Style) -> str:
    """Return the line above the boards of a file: what it is, and where it is from."""
    title = instance.title if instance.boards == 1 else instance.collection
    names = (style.paint(title, BOLD), style.paint(printable(instance.source), DIM))
    return "  ".join(name for name in names if name) + "\n"


def _write_board(instance: Instance, answers: Answers, write: Write, style: Style, *, several: bool) -> None:
    if instance.boards > 1:
        write(("\n" if instance.board > 1 else "") + _number(instance, style))
    try:
        for answer in answers:
            if several:
                write(f"Answer {answers.found}\n")
            write(answer.text(style) + "\n")
    finally:
        if not answers.failed and (several or not answers.found):
            write(_summary(answers) + "\n")


def _summary(answers: Answers) -> str:
    """Return how many answers there are, as far as is known."""
    if not answers.found:
        return "No answer" if answers.complete else "No answer found yet; there may be one"
    count = "1 answer" if answers.found == 1 else f"{answers.found} answers"
    return f"{count}, and no more" if answers.complete else f"{count}; there may be more"


class _Shelf:
    """Blocks of text that are written side by side, a row at a time."""

    def __init__(self, write: Write, style: Style) -> None:
        self._write = write
        self._style = style
        self._blocks: list[str] = []

    def put(self, block: str) -> None:
        """Add a block; write those before it if they fill the row."""
        row = beside([*self._blocks, block])
        if self._blocks and (
            len(self._blocks) == MOST_BESIDE or max(map(visible, row.split("\n"))) > self._style.width
        ):
            self.clear()
        self._blocks.append(block)

    def clear(self) -> None:
        """Write what is there."""
        if self._blocks:
            self._write(beside(self._blocks) + "\n")
            self._blocks = []
