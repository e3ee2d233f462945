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
    from pyasp_puzzles.render.style import Style

ANSWERED, NO_ANSWER, OUT_OF_TIME, BAD_INPUT, INTERRUPTED = SEVERITY = 0, 1, 3, 2, 130
"""Exit codes; where several apply, the last of them does."""


class Ending:
    """How a command is going to end: the exit code, 0 as long as all goes well."""

    def __init__(self) -> None:
        self.code = ANSWERED

    def at_least(self, code: int) -> None:
        """Note an exit code."""
        self.code = max(self.code, code, key=SEVERITY.index)

    def complain(self, error: PuzzleError) -> None:
        """Print an error, to go on with other files."""
        complain(error.in_full)
        self.at_least(BAD_INPUT)


@contextmanager
def ending() -> Iterator[Ending]:
    """Turn whatever ends a command into an exit code."""
    from pyasp_puzzles.errors import PuzzleError

    end = Ending()
    try:
        yield end
        sys.stdout.flush()
    except PuzzleError as error:
        end.complain(error)
    except KeyboardInterrupt:
        end.at_least(INTERRUPTED)
        complain("interrupted")
    except BrokenPipeError:  # the reader has seen enough; keep Python from complaining when it exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        complain(f"cannot write: {error.strerror}")
        end.at_least(BAD_INPUT)
    raise SystemExit(end.code)


def write(text: str) -> None:
    """Write to standard output, at once; what its encoding lacks is written in ASCII."""
    try:
        sys.stdout.write(text)
    except UnicodeEncodeError:
        sys.stdout.write(text.translate(_PLAIN).encode("ascii", "replace").decode("ascii"))
    sys.stdout.flush()


_PLAIN = str.maketrans("╵╶└╷│┌├╴┘─┴┐┤┬┼", "|-+||++-+-+++++")


def complain(message: str) -> None:
    """Write a message to standard error, after what was written before; where it cannot be, the exit code must do."""
    with suppress(OSError):
        if sys.stdout is not None:
            sys.stdout.flush()
        sys.stderr.write(f"pyasp: {message}\n")
        sys.stderr.flush()


def style() -> Style:
    """Return how to write to standard output: in colour on a terminal, unless NO_COLOR is set."""
    from pyasp_puzzles.render.style import Style

    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(color, shutil.get_terminal_size().columns)
