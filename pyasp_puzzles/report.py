"""The answers of many boards, written as text or as JSON Lines while they are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .render.style import BOLD, DIM, Style, beside, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .puzzle import Instance
    from .query import Solutions

    Runs = Iterable[tuple[Instance, Solutions]]
    Write = Callable[[str], object]

MOST_BESIDE = 5
"""Boards side by side, as in the hunt."""


def write_json(runs: Runs, write: Write) -> None:
    """Write one JSON object a board and line, each answer as it comes; an object that is interrupted is closed."""
    for instance, answers in runs:
        write(_json(_head(instance))[:-1] + ', "solutions": [')
        try:
            for answer in answers:
                write((", " if answers.found > 1 else "") + _json(answer.json()))
        finally:
            tail = {"status": answers.status, "complete": answers.complete}
            write("], " + _json(tail)[1:] + "\n")


def _head(instance: Instance) -> dict[str, object]:
    """Return what every JSON object says of its board."""
    return {
        "puzzle": instance.puzzle.name,
        "source": instance.source,
        "board": instance.board,
        "title": instance.title,
    }


def json_line(instance: Instance, said: dict[str, object]) -> str:
    """Return what is said of a board as a line of JSON."""
    return _json(_head(instance) | said) + "\n"


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def write_text(runs: Runs, write: Write, style: Style, *, several: bool) -> None:
    """Write the answers of each board for people; `several` if more than one a board was asked for."""
    shelf = _Shelf(write, style)
    first = True
    try:
        for instance, answers in runs:
            if instance.board == 1:
                shelf.clear()
                write(("" if first else "\n") + heading(instance, style))
                first = False
            if instance.puzzle.side_by_side and instance.boards > 1 and not several:
                answer = next(answers, None)
                shelf.put(f"{instance.board}\n{answer.text(style) if answer else _summary(answers)}")
            else:
                _write_board(instance, answers, write, style, several=several)
    finally:
        shelf.clear()


def heading(instance: Instance, style: Style) -> str:
    """Return the line above the boards of a file: what it is, and where it is from."""
    title = instance.title if instance.boards == 1 else instance.collection
    names = (style.paint(title, BOLD), style.paint(instance.source, DIM))
    return "  ".join(name for name in names if name) + "\n"


def _write_board(instance: Instance, answers: Solutions, write: Write, style: Style, *, several: bool) -> None:
    if instance.boards > 1:
        title = f": {instance.title}" if instance.title != instance.collection else ""
        gap = "\n" if instance.board > 1 else ""
        write(gap + style.paint(f"Board {instance.board} of {instance.boards}{title}", DIM) + "\n")
    try:
        for answer in answers:
            if several:
                write(f"Answer {answers.found}\n")
            write(answer.text(style) + "\n")
    finally:
        if not answers.failed and (several or not answers.found):
            write(_summary(answers) + "\n")


def _summary(answers: Solutions) -> str:
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
