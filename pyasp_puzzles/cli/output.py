"""Output of commands about boards: titles, answers as text and as JSON Lines, written as they are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import EMPTY
from pyasp_puzzles.cli.terminal import write_stdout
from pyasp_puzzles.errors import OutOfTime, PuzzleError, listing, printable
from pyasp_puzzles.render.text import BOLD_CODE, DIM_CODE, TextStyle, text_fits_width, text_side_by_side

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeAlias

    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.record import Outcome
    from pyasp_puzzles.queries.solve import Solutions

    FoundAnswers: TypeAlias = Solutions | Outcome
    Results: TypeAlias = Iterable[tuple[Instance, FoundAnswers]]
    Write: TypeAlias = Callable[[str], object]

# Boards side by side.
_MOST_BESIDE = 5


def write_json_output(results: Results, write: Write = write_stdout, *, apart: bool) -> None:
    """Write a line of JSON for each board, or with `apart` for each answer; an interrupted line is completed."""
    for instance, answers in results:
        start = output_as_json(instance.about)[:-1] + ', "solutions": ['
        more = output_as_json({"status": "satisfiable", "complete": False})[1:]
        error: dict[str, object] = {}
        try:
            write(start)
            for i, answer in enumerate(answers.json()):
                between = f"], {more}\n{start}" if apart else ", "
                write((between if i else "") + output_as_json(answer))
        except PuzzleError as wrong:
            error = {"status": "error", "error": str(wrong)}
            wrong.recorded = True
            raise
        finally:
            write("], " + output_as_json(answers.end() | error)[1:] + "\n")


def output_as_json(value: object) -> str:
    """Return a value as JSON."""
    import json

    text = json.dumps(value, ensure_ascii=False)
    # JSON is UTF-8, but a file name may be any bytes; and a terminal would obey control characters.
    return text if text.isprintable() else json.dumps(value)


def output_json_line(instance: Instance, result: Mapping[str, object]) -> str:
    """Return the result for a board as a line of JSON."""
    return output_as_json({**instance.about, **result}) + "\n"


def output_error_line(error: PuzzleError) -> str:
    """Return an error as a line of JSON, with what is known about its board."""
    about = {"source": error.where.source if error.where else None, **error.about}
    fields = {key: about[key] for key in ("puzzle", "source", "board", "title") if key in about}
    status = "unknown" if isinstance(error, OutOfTime) else "error"
    return output_as_json(fields | {"status": status, "error": str(error)}) + "\n"


def write_text_output(results: Results, write: Write, style: TextStyle, *, several: bool) -> None:
    """Write the answers of each board as text; `several` is whether more than one per board was asked for."""
    row = _Row(write, style)
    first = True
    try:
        for instance, answers in results:
            if not instance.total:
                _write_lines(instance, answers, write, several=several)
                continue
            if instance.number == 1:
                row.end()
                write(("" if first else "\n") + output_file_heading(instance, style))
                first = False
            if (instance.puzzle.kind.side_by_side or style.outlines) and instance.total > 1 and not several:
                drawing = next(answers.text(style), None)
                if not answers.failed:
                    number = "" if style.outlines else f"{instance.number}\n"
                    row.add(f"{number}{_summary(answers, 0) if drawing is None else drawing}")
            else:
                _write_board(instance, answers, write, style, several=several)
    finally:
        row.end()


def _write_lines(instance: Instance, answers: FoundAnswers, write: Write, *, several: bool) -> None:
    """Write each answer to a board of a list as a line; if there may be several, after the board's number."""
    front = f"{instance.number} " if several else ""
    number = 0
    for number, answer in enumerate(answers.json(), 1):  # noqa: B007 (counted)
        (rows,) = answer.values()
        assert isinstance(rows, list)
        line = "".join(_list_cell(value) for row in rows for value in row)
        write(f"{front}{line}\n")
    if not number:
        write(f"{front}{_summary(answers, 0)}\n")


def _list_cell(value: object) -> str:
    """Return a cell as lists write it: `5`, `.` for an unknown number, `[12]` for 1 or 2."""
    if isinstance(value, list):
        digits = "".join(map(str, value))
        return digits if len(digits) == 1 else f"[{digits}]"
    return EMPTY if value is None else str(value)


def _write_board(instance: Instance, answers: FoundAnswers, write: Write, style: TextStyle, *, several: bool) -> None:
    if instance.total > 1:
        write(("\n" if instance.number > 1 else "") + _number(instance, style))
    number = 0
    try:
        for number, drawing in enumerate(answers.text(style), 1):
            if several:
                write(f"Answer {number}\n")
            write(drawing + "\n")
    finally:
        if not answers.failed and (several or not number):
            write(_summary(answers, number) + "\n")


def _summary(answers: FoundAnswers, number: int) -> str:
    """Return how many answers were found, and whether there may be more."""
    if not number:
        return "No answer" if answers.complete else "No answer found yet; there may be one"
    count = "1 answer" if number == 1 else f"{number} answers"
    return f"{count}, and no more" if answers.complete else f"{count}; there may be more"


def output_title(instance: Instance, style: TextStyle) -> str:
    """Return the lines above a result: the file, if the board is its first, and the number of the board."""
    return (output_file_heading(instance, style) if instance.number == 1 else "\n") + _number(instance, style)


def output_file_heading(instance: Instance, style: TextStyle) -> str:
    """Return the line above the boards of a file: its title and its name."""
    title = instance.title if instance.total == 1 else instance.collection
    names = [style.paint(title, BOLD_CODE), style.paint(printable(instance.source), DIM_CODE)]
    if instance.variants and instance.total == 1:
        names.append(style.paint(f"with {listing(instance.variants, 'and')}", DIM_CODE))
    return "  ".join(name for name in names if name) + "\n"


def _number(instance: Instance, style: TextStyle) -> str:
    """Return "Board 2 of 5: Title" as a line, of a list "Board 2: Title"; nothing for the only board of a file."""
    if instance.total == 1:
        return ""
    title = f": {instance.title}" if instance.title != instance.collection else ""
    of = f" of {instance.total}" if instance.total else ""
    return style.paint(f"Board {instance.number}{of}{title}", DIM_CODE) + "\n"


class _Row:
    """Blocks of text side by side, as many as fit in a line."""

    def __init__(self, write: Write, style: TextStyle) -> None:
        self._write, self._style = write, style
        self._blocks: list[str] = []

    def add(self, block: str) -> None:
        """Add a block to the row, or to the next row if this one is full."""
        asked = self._style.outlines
        full = len(self._blocks) == (asked or _MOST_BESIDE)
        if self._blocks and (
            full or not (asked or text_fits_width(text_side_by_side([*self._blocks, block]), self._style))
        ):
            self.end()
        self._blocks.append(block)

    def end(self) -> None:
        """Write the row, and begin another."""
        if self._blocks:
            self._write(text_side_by_side(self._blocks) + "\n")
            self._blocks = []
