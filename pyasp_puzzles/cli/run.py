"""One run of a command: the boards that it reads, the errors that it reports, and its exit code."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeGuard, TypeVar

from pyasp_puzzles.cli.terminal import message, write, write_error
from pyasp_puzzles.errors import LONGEST_NAME, OutOfTime, PuzzleError, printable, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.formats.format import Shows
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance


Result = TypeVar("Result")

# Exit codes, the more severe ones last; the most severe one wins.
ANSWERED, NO_ANSWER, OUT_OF_TIME, BAD_INPUT, INTERRUPTED = SEVERITY = 0, 1, 3, 2, 130

ABANDONED = "the grounding did not end in time; as it cannot be stopped, no further board is begun"


class Run:
    """The state of a running command.

    Args:
        as_json: whether standard output holds JSON, so that each error needs a record there.
    """

    def __init__(self, *, as_json: bool = False) -> None:
        self.code = ANSWERED
        self.board: Instance | None = None
        """The current board, which an exception is about."""
        self.as_json = as_json
        # The messages that were written once.
        self._once: set[str] = set()

    def warn(self, warnings: Iterable[str]) -> None:
        """Print warnings about the rules or the boards of the user, each once: several boards have the same rules."""
        for warning in warnings:
            self.once(f"warning: {warning}")

    def once(self, text: str) -> None:
        """Print a message that was not printed yet."""
        if text not in self._once:
            self._once.add(text)
            message(text)

    def at_least(self, code: int) -> None:
        """Set the exit code, unless it is more severe already."""
        self.code = max(self.code, code, key=SEVERITY.index)

    def report(self, error: PuzzleError) -> None:
        """Report bad input; the run may continue with other boards."""
        self.at_least(OUT_OF_TIME if isinstance(error, OutOfTime) else BAD_INPUT)
        message(error.in_full)
        if self.as_json and not error.recorded:
            from pyasp_puzzles.cli.output import error_line

            write(error_line(error))

    def boards(
        self, names: Iterable[str], settings: Settings, format: str | None = None, shows: Shows | None = None
    ) -> Iterator[tuple[Instance, Settings]]:
        """Yield the boards of all inputs, each with settings whose time includes reading it; report what is wrong.

        The time of a board from standard input starts when it has been read, because reading may have to wait for
        input.

        Raises:
            PuzzleError: what --as names is neither a format nor a puzzle.
        """
        from pyasp_puzzles.formats.format import check_format
        from pyasp_puzzles.formats.load import STDIN
        from pyasp_puzzles.puzzles.question import unread_predicates

        check_format(format, settings.puzzles)
        boards = read(names, settings, format, shows)
        started = settings.started()
        for board in boards:
            if self.begin(board):
                yield board, settings.started() if board.source == STDIN else started
                with suppress(PuzzleError):  # it was reported
                    self.warn(warning.in_full for warning in unread_predicates(board, settings))
                self.board = None
                started = settings.started()

    def begin(self, board: Instance | PuzzleError) -> TypeGuard[Instance]:
        """Return whether it is a board, which is the current one now; report an error, or what is new of its puzzle."""
        if isinstance(board, PuzzleError):
            self.report(board)
            return False
        self.warn(board.puzzle.warnings)
        self.board = board
        return True

    def answers(
        self,
        names: Iterable[str],
        answers: str,
        settings: Settings,
        format: str | None = None,
        shows: Shows | None = None,
    ) -> Iterator[tuple[Instance, Answer, Settings]]:
        """Yield the boards of all inputs, each with its answer from another input and with settings.

        The time of a single board includes reading it and its answer, as for `boards`.

        Raises:
            PuzzleError: the answers cannot be read, or as for `boards`.
        """
        from pyasp_puzzles.formats.answers import read_answers

        found = list(self.boards(names, settings, format, shows))
        timed = found[0][1] if len(found) == 1 and answers != "-" else settings
        for board, answer in read_answers([board for board, _ in found], answers) if found else ():
            self.board = board
            yield board, answer, timed.started()
            self.board = None  # an error in the next answer is not about this board

    def answered(
        self, boards: Iterable[tuple[Instance, Settings]], ask: Callable[[Instance, Settings], Result | None]
    ) -> Iterator[tuple[Instance, Result]]:
        """Yield each board with the result of a question; report boards without an answer, or without one in time."""
        for board, settings in boards:
            try:
                found = ask(board, settings)
            except OutOfTime:
                self.lacks(board, OUT_OF_TIME, "out of time")
                continue
            if found is None:
                self.lacks(board, NO_ANSWER, "no answer")
            else:
                yield board, found

    def lacks(self, board: Instance, code: int, words: str) -> None:
        """Report that a board has no result, or not the wanted one."""
        self.at_least(code)
        message(f"{board.facts.where}: {words}")

    def conclude(self, search: Search, *, stats: bool) -> bool:
        """Report on a search that has ended; return whether another one can be started."""
        self.warn(warning.in_full for warning in search.warnings)
        if stats:
            write_statistics(search.statistics())
        if search.timed_out:
            self.at_least(OUT_OF_TIME)
        return not search.abandoned


@contextmanager
def command_run(*, as_json: bool = False) -> Iterator[Run]:
    """Start a run, report the error that ends it, if any, and exit with its code."""
    run = Run(as_json=as_json)
    if as_json and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8, whatever the locale
    try:
        try:
            yield run
        except PuzzleError as error:
            if run.board is not None:
                error.about = run.board.about
            run.report(error)
        sys.stdout.flush()
    except KeyboardInterrupt:
        run.at_least(INTERRUPTED)
        message("interrupted")
    except BrokenPipeError:  # the reader needs no more; without this, Python would print an error at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        message(write_error(error))
        run.at_least(BAD_INPUT)
    raise SystemExit(run.code)


def read(
    names: Iterable[str], settings: Settings, format: str | None = None, shows: Shows | None = None
) -> Iterator[Instance | PuzzleError]:
    """Yield the boards of all inputs, and in their place the errors of those that cannot be read.

    To find and read an input may take as long as the settings allow for a board.
    """
    from pyasp_puzzles.formats import load

    errors: list[PuzzleError] = []
    for name in names:
        try:
            timed = settings.started()
            for given in _begun(load.inputs(name, format, settings.puzzles, shows), name, timed):
                try:
                    boards = load.read(given, format, errors.append, settings.puzzles, shows)
                    for board in _begun(boards, given.source, timed):
                        yield from errors
                        errors.clear()
                        for warning in board.warnings:
                            message(f"warning: {board.facts.where}: {warning}")
                        yield board
                except PuzzleError as error:
                    error.about = {"source": given.source, **error.about}
                    errors.append(error)
                yield from errors
                errors.clear()
                timed = settings.started()
        except PuzzleError as error:
            error.about = {"source": name}
            yield error


def _begun(items: Iterator[Result], source: str, settings: Settings) -> Iterator[Result]:
    """Yield items; what takes time is to find the first of them, except that one may wait for standard input.

    Raises:
        OutOfTime: the time of the settings has passed by then.
    """
    from pyasp_puzzles.formats.load import STDIN

    if settings.timeout is not None and source not in {"-", STDIN}:
        from itertools import islice

        from pyasp_puzzles.asp.deadline import run_in_thread

        deadline = settings.deadline()
        first = [] if deadline.late() else run_in_thread(lambda: [*islice(items, 1)], deadline.left())
        if not first:
            raise OutOfTime(f"{shorten(printable(source), LONGEST_NAME)}: out of time before it was read")
        yield from first[0]
    yield from items


def write_statistics(statistics: Mapping[str, float]) -> None:
    """Print the times, in seconds, and the sizes of a search."""
    words = (
        f"{key} {value:.3f} s" if isinstance(value, float) else f"{key} {value}" for key, value in statistics.items()
    )
    message(", ".join(words))
