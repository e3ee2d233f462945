"""How a command ends: its exit code, and no traceback whatever ends it; and how text gets out."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.errors import PuzzleError
    from pyasp_puzzles.puzzles.puzzle import Instance
    from pyasp_puzzles.render.text import Style


ANSWERED, NO_ANSWER, OUT_OF_TIME, BAD_INPUT, INTERRUPTED = SEVERITY = 0, 1, 3, 2, 130
"""Exit codes; where several apply, the last of them does."""


class Ending:
    """How a command is going to end: the exit code, 0 as long as all goes well.

    Args:
        records: whether standard output holds JSON, and so a record of each error.
    """

    def __init__(self, *, records: bool = False) -> None:
        self.code = ANSWERED
        self.board: Instance | None = None
        """The board that is being worked on."""
        self._records = records

    def at_least(self, code: int) -> None:
        """Note an exit code."""
        self.code = max(self.code, code, key=SEVERITY.index)

    def complain(self, error: PuzzleError) -> None:
        """Print an error, to go on with other files."""
        self.at_least(BAD_INPUT)
        complain(error.in_full)
        if self._records and not error.recorded:
            from pyasp_puzzles.cli.output import error_line

            write(error_line(error))


@contextmanager
def ending(*, as_json: bool = False) -> Iterator[Ending]:
    """Turn whatever ends a command into an exit code; with `as_json`, errors are printed as records, too."""
    from pyasp_puzzles.errors import PuzzleError

    end = Ending(records=as_json)
    if as_json and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")  # as JSON is, whatever the terminal's encoding
    try:
        try:
            yield end
        except PuzzleError as error:
            if end.board is not None:
                error.about = end.board.about
            end.complain(error)
        sys.stdout.flush()
    except KeyboardInterrupt:
        end.at_least(INTERRUPTED)
        complain("interrupted")
    except BrokenPipeError:  # the reader has seen enough; keep Python from complaining when it exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        complain(unwritable(error))
        end.at_least(BAD_INPUT)
    raise SystemExit(end.code)


def unwritable(error: OSError) -> str:
    """Return the words for an error of writing: to the file that it names, or else to standard output."""
    return f"{error.filename or 'standard output'}: cannot be written: {error.strerror or error}"


def write(text: str) -> None:
    """Write to standard output, at once; what its encoding lacks is written in ASCII."""
    try:
        sys.stdout.write(text)
    except UnicodeEncodeError:
        sys.stdout.write(text.translate(_PLAIN).encode("ascii", "replace").decode("ascii"))
    sys.stdout.flush()


_PLAIN = str.maketrans("╵╶└╷│┌├╴┘─┴┐┤┬┼", "|-+||++-+-+++++")


def complain(message: str) -> None:
    """Write a message to standard error, after what was written before; where it cannot be, the exit code must do.

    A file name may hold anything, and the terminal would obey it: what cannot be shown is a question mark.
    """
    from pyasp_puzzles.errors import printable

    with suppress(OSError):
        if sys.stdout is not None:
            sys.stdout.flush()
        shown = printable(message, kept="\n\t")
        sys.stderr.write(f"pyasp: {shown}\n")
        sys.stderr.flush()


def style() -> Style:
    """Return how to write to standard output: in colour on a terminal, unless NO_COLOR is set."""
    from pyasp_puzzles.render.text import Style

    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(color, shutil.get_terminal_size().columns)
