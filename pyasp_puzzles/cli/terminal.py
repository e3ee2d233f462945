"""The terminal: standard output and its style, messages on standard error, and a line of progress."""

from __future__ import annotations

import os
import re
import shutil
import sys
from contextlib import suppress
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, TypeVar

from pyasp_puzzles.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    import rich.progress

    from pyasp_puzzles.render.text import TextStyle

# Seconds without output before progress is shown.
_PROGRESS_SECONDS = 1.0


_Item = TypeVar("_Item")

# Two words in a row, which only sentences have; and characters that only lines of boards have.
_SENTENCE = r"[a-z]{2,}[,;:]? [a-z]{2,}"
_FRAME = "[│─]"
# What precedes a sentence: blanks, a dash, a number. Its further lines are indented by as much.
_MARKER = r" *(?:- |\d+\. )?"

_ASCII_LINES = str.maketrans(
    "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER LEFT TO LOWER RIGHT}\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}"
    "╵╶└╷│┌├╴┘─┴┐┤┬┼█▓▒≈★☼●▲♣■∩⊃\N{UNION}⊂○·□◤◥◢◣╬║═╚╝╔╗✕",
    "\\/|-+||++-+-+++++###~*+@^T#n>u<o.[PQJLX!=LJFTx",
)


def write_stdout(text: str) -> None:
    """Write to standard output, and flush it; characters that its encoding lacks become ASCII."""
    if ProgressLine.shown is not None and sys.stdout.isatty():
        ProgressLine.shown.clear()
    try:
        sys.stdout.write(text)
    except UnicodeEncodeError:
        sys.stdout.write(text.translate(_ASCII_LINES).encode("ascii", "replace").decode("ascii"))
    sys.stdout.flush()


def write_wrapped(text: str) -> None:
    """Write sentences and pictures; on a terminal, long sentences are wrapped."""
    write_stdout(_wrapped(text, shutil.get_terminal_size().columns) if sys.stdout.isatty() else text)


def _wrapped(text: str, width: int) -> str:
    """Return a text with long sentences wrapped; lines of boards stay as they are."""
    return "\n".join(_broken(line, width) for line in text.split("\n"))


def _broken(line: str, width: int) -> str:
    from pyasp_puzzles.render.text import visible_text_width

    if visible_text_width(line) <= width or not re.search(_SENTENCE, line) or re.search(_FRAME, line):
        return line
    start = re.match(_MARKER, line)
    indent = " " * min(start.end() if start else 0, width // 2)
    first, *rest = line[len(start[0]) if start else 0 :].split(" ")
    lines = [(start[0] if start else "") + first]
    for word in rest:
        if visible_text_width(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(indent + word)
    return "\n".join(lines)


def write_stderr(text: str) -> None:
    """Write a message to standard error, if that is possible."""
    if ProgressLine.shown is not None:
        ProgressLine.shown.clear()
    with suppress(OSError):
        if sys.stdout is not None:
            sys.stdout.flush()  # so that messages follow the output they are about
        # A file name may contain control characters, which the terminal would obey.
        first, *excerpt = printable(text, kept="\n\t").split("\n")
        first = f"pyasp: {first}"
        if is_terminal():
            first = _wrapped(first, shutil.get_terminal_size().columns)
        sys.stderr.write("\n".join([first, *excerpt, ""]))
        sys.stderr.flush()


def stdout_error_words(error: OSError) -> str:
    """Return the message for an error while writing: to the file that the error names, or to standard output."""
    return f"{error.filename or 'standard output'}: cannot be written: {error.strerror or error}"


def stdout_style() -> TextStyle:
    """Return the style of standard output: in color on a terminal, unless NO_COLOR is set."""
    from pyasp_puzzles.render.text import TextStyle

    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return TextStyle(color, shutil.get_terminal_size().columns)


class ProgressLine:
    """A line on a terminal's standard error, shown in its block when nothing has been written for a second.

    Args:
        words: the text, in which `{next}`, `{count}` and `{rate}` are replaced: "looking for step {next}".
        total: where `completed` will end, to show the time left; 0 if unknown.
    """

    shown: ClassVar[ProgressLine | None] = None
    """The instance whose block is running; it is cleared before other output."""

    def __init__(self, words: str, total: int = 0) -> None:
        self._words, self._total = words, total
        self.count = 0
        """How many items are done."""
        self.completed = 0
        self._bar: rich.progress.Progress | None = None
        self._lock = Lock()
        self._ended = Event()
        self._started = self._written = monotonic()

    def __enter__(self) -> Self:
        if is_terminal():
            ProgressLine.shown = self
            Thread(target=self._run, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        ProgressLine.shown = None
        self._ended.set()
        self.clear()

    def say(self, words: str) -> None:
        """Show another text from now on."""
        self._words = words

    def each(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """Yield items, and count them."""
        for item in items:
            yield item
            self.count += 1

    def clear(self) -> None:
        """Clear the line before other output."""
        with self._lock, suppress(OSError, ValueError):
            self._written = monotonic()
            if self._bar is not None:
                self._bar.stop()

    def _run(self) -> None:
        while not self._ended.wait(_PROGRESS_SECONDS / 4):
            if monotonic() - self._written >= _PROGRESS_SECONDS:
                self._show()

    def _show(self) -> None:
        # Importing rich takes 100 ms, too long for a command that ends within a second.
        from rich.console import Console
        from rich.progress import BarColumn, ProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        rate = self.count / (monotonic() - self._started)
        text = self._words.format(next=self.count + 1, count=self.count, rate=rate)
        with self._lock, suppress(OSError, ValueError):
            if self._ended.is_set():
                return
            if self._bar is None:
                columns: list[ProgressColumn] = [TextColumn("{task.description}", markup=False)]
                left = [BarColumn(), TimeRemainingColumn(), TextColumn("left")]
                columns += [TimeElapsedColumn(), *(left if self._total > 1 else [])]  # of one, nothing is known
                # Without its own thread, and without redirecting our output to standard error.
                self._bar = Bar(
                    *columns,
                    console=Console(stderr=True),
                    auto_refresh=False,
                    transient=True,
                    redirect_stdout=False,
                    redirect_stderr=False,
                )
                self._bar.add_task(text, total=self._total or None, completed=self.completed)
                self._bar.tasks[0].start_time = self._started
            self._bar.start()
            self._bar.update(self._bar.task_ids[0], description=text, completed=self.completed, refresh=True)


def is_terminal() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()
