"""`Run`, a running command: the boards that it reads, what it asks about each, the errors it reports, its exit code."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from pyasp_puzzles.asp.deadline import uninterrupted
from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.terminal import ProgressLine, stdout_error_words, write_stderr, write_stdout, write_wrapped
from pyasp_puzzles.errors import LONGEST_FILE_NAME, OutOfTime, PuzzleError, listing, printable, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from concurrent.futures import Executor
    from types import FrameType
    from typing import TypeAlias

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.cli.files import OutputFiles
    from pyasp_puzzles.cli.options import BoardOptions, FileOptions
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.record import Outcome
    from pyasp_puzzles.render.pages import PageSection

    # A question about a board, whose outcome comes in parts.
    Ask: TypeAlias = Callable[[Instance, Settings, ProgressLine], Iterator[Outcome]]


_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

# Seconds without input before the boards read so far are sent to workers.
_PAUSE_SECONDS = 0.02
# Boards that are read ahead from standard input.
_MOST_READ_AHEAD = 1000
# Last messages, which are not repeated.
_MOST_REMEMBERED = 100
# Exit codes, the more severe ones last; the most severe one wins.
ANSWERED, NO_ANSWER, OUT_OF_TIME, BAD_INPUT, INTERRUPTED = EXIT_CODES_BY_SEVERITY = 0, 1, 3, 2, 130
# The exit code by the status of a board, an answer or a step; any other means that something has no answer.
EXIT_CODES = {
    **dict.fromkeys(("", "satisfiable", "unique", "solvable", "solved", "right"), ANSWERED),
    **dict.fromkeys(("unknown", "lost"), OUT_OF_TIME),
    "error": BAD_INPUT,
}

ABANDONED_MESSAGE = "grounding did not end in time and cannot be stopped, so no further board is begun"


class Run(options.Options):
    """The state of a running command."""

    as_json = False
    """Whether standard output is JSON Lines, in which each error needs a record."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 (options have any type)
        super().__init__(**given)
        self.code = ANSWERED
        self.sections: list[PageSection] | None = None
        """The sections of the page that is written at the end, if any."""
        self.board: Instance | None = None
        """The current board, which an exception is about."""
        # The last messages.
        self._once: deque[str] = deque(maxlen=_MOST_REMEMBERED)

    def warn(self, warnings: Iterable[str]) -> None:
        """Print warnings about the rules or the boards of the user, each once: several boards have the same rules."""
        for warning in warnings:
            self.once(f"warning: {warning}")

    def once(self, text: str) -> None:
        """Print a message, unless it is among the last ones."""
        if text not in self._once:
            self._once.append(text)
            write_stderr(text)

    def at_least(self, code: int) -> None:
        """Set the exit code, unless it is more severe already."""
        self.code = max(self.code, code, key=EXIT_CODES_BY_SEVERITY.index)

    def ended(self, status: str) -> None:
        """Set the exit code for the status of a board, unless it is more severe already."""
        self.at_least(_exit_code(status))

    def tell(self, board: Instance, outcome: Outcome) -> None:
        """Write what was found about a board: to the page, as lines of JSON, or as text."""
        if outcome.section is not None and self.sections is not None:
            self.sections.append(outcome.section)
        if self.as_json:
            from pyasp_puzzles.cli.output import output_json_line

            lost = [{"status": outcome.status, "error": outcome.error}] if outcome.error else []
            write_stdout("".join(output_json_line(board, answer) for answer in (*outcome.answers, *lost)))
        elif text := "".join(outcome.texts):
            write_wrapped(text)
        self.warn(outcome.warnings)
        if outcome.error:
            self.once(f"{board.facts.where}: {outcome.error}")
        self.ended(outcome.status)

    def report(self, error: PuzzleError) -> None:
        """Report bad input; the run may continue with other boards."""
        self.at_least(OUT_OF_TIME if isinstance(error, OutOfTime) else BAD_INPUT)
        write_stderr(error.in_full)
        if self.as_json and not error.recorded:
            from pyasp_puzzles.cli.output import output_error_line

            write_stdout(output_error_line(error))

    def tell_all(self, board: Instance, outcomes: Iterable[Outcome], progress: ProgressLine) -> bool:
        """Write what is found about a board, as it is found; return whether another board can be begun."""
        abandoned = False
        with progress:
            for outcome in outcomes:
                self.tell(board, outcome)
                abandoned = abandoned or outcome.abandoned
        if abandoned:
            write_stderr(ABANDONED_MESSAGE)
        return not abandoned

    def ask(self, given: BoardOptions, ask: Ask, words: str, jobs: int | None = None) -> None:
        """Ask about each board, here or in workers, and write what is found; `words` are those of `ProgressLine`."""
        if jobs is None:
            for board, settings in self.boards(given):
                progress = ProgressLine(words)
                if not self.tell_all(board, ask(board, settings, progress), progress):
                    return
            return
        from pyasp_puzzles.batches.workers import started_workers

        with started_workers(jobs) as workers, ProgressLine("working on board {next}") as progress:
            function = partial(_whole_outcome, ask=ask, settings=given.settings)
            for board, outcome in progress.each(self.outcomes(given, function, workers)):
                self.tell(board, outcome)

    def outcomes(
        self,
        given: FileOptions,
        function: Callable[[Instance], Outcome],
        executor: Executor | None,
        unread: Callable[[PuzzleError], object] | None = None,
        is_done: Callable[[Instance], bool] = lambda _: False,
    ) -> Iterator[tuple[Instance, Outcome]]:
        """Yield each board of the inputs with its outcome, found by an executor; report what is wrong in its place.

        Args:
            given: the inputs.
            function: finds the outcome of a board.
            executor: calls the function; None for this process.
            unread: is told each error of an input, in its place.
            is_done: whether a board is to be left out.

        Raises:
            PuzzleError: what --as names is neither a format nor a puzzle, or the function raised it.
        """
        from pyasp_puzzles.batches.batch import in_order, lost_outcome
        from pyasp_puzzles.formats.format import check_format
        from pyasp_puzzles.formats.load import is_stream

        check_format(given.format, given.settings.puzzles)
        inputs: Iterable[Instance | PuzzleError | None] = boards_of_run(given)
        if executor is not None and any(map(is_stream, given.files)):
            inputs = _with_pauses(inputs)
        # Errors, each with the number of boards before it.
        errors: deque[tuple[int, PuzzleError]] = deque()
        read = written = 0

        def report_errors() -> None:
            while errors and errors[0][0] <= written:
                _, error = errors.popleft()
                if unread is not None:
                    unread(error)
                self.report(error)

        def boards() -> Iterator[Instance | None]:
            nonlocal read
            for item in inputs:
                if isinstance(item, PuzzleError):
                    errors.append((read, item))
                    report_errors()
                elif item is None or not is_done(item):
                    read += item is not None
                    yield item

        for board, outcome in in_order(boards(), function, executor, lost_outcome):
            self.begin(board)
            yield board, outcome
            self.board = None
            written += 1
            report_errors()

    def boards(self, given: FileOptions) -> Iterator[tuple[Instance, Settings]]:
        """Yield the boards of all inputs, each with settings whose time includes reading it; report what is wrong.

        The time of a board from standard input or a pipe starts when it has been read, because reading may have to wait
        for input.

        Raises:
            PuzzleError: what --as names is neither a format nor a puzzle.
        """
        from pyasp_puzzles.formats.format import check_format
        from pyasp_puzzles.formats.load import is_stream
        from pyasp_puzzles.puzzles import questions

        settings = given.settings
        check_format(given.format, settings.puzzles)
        boards = boards_of_run(given)
        started = settings.started()
        for board in boards:
            if self.begin(board):
                streamed = settings.timeout is not None and is_stream(board.source)
                yield board, settings.started() if streamed else started
                with suppress(PuzzleError):  # it was reported
                    self.warn(warning.in_full for warning in questions.unread(board, settings))
                self.board = None
                started = settings.started()

    def begin(self, board: Instance | PuzzleError) -> TypeGuard[Instance]:
        """Return whether it is a board, now the current one; report an error, or warnings about its puzzle."""
        if isinstance(board, PuzzleError):
            self.report(board)
            return False
        self.warn(board.puzzle.warnings)
        self.board = board
        return True

    def answers(self, given: BoardOptions, answers: str | None) -> Iterator[tuple[Instance, Answer | None, Settings]]:
        """Yield the boards of all inputs, each with its answer from another input, if there is one, and with settings.

        The time of a single board includes reading it and its answer, as for `boards`.

        Raises:
            PuzzleError: the answers cannot be read, or as for `boards`.
        """
        if answers is None:
            yield from ((board, None, settings) for board, settings in self.boards(given))
            return
        from pyasp_puzzles.formats.load import is_stream, read_answers

        loaded = list(self.boards(given))
        timed = loaded[0][1] if len(loaded) == 1 and not is_stream(answers) else given.settings
        for board, answer in read_answers([board for board, _ in loaded], answers) if loaded else ():
            self.board = board
            yield board, answer, timed.started()
            self.board = None  # an error in the next answer is not about this board

    def answered(
        self, boards: Iterable[tuple[Instance, Settings]], ask: Callable[[Instance, Settings], _Result | None]
    ) -> Iterator[tuple[Instance, _Result]]:
        """Yield each board with the result of a question; report boards without an answer, or without one in time."""
        for board, settings in boards:
            try:
                result = ask(board, settings)
            except OutOfTime:
                self.lacks(board, OUT_OF_TIME, "out of time")
                continue
            if result is None:
                self.lacks(board, NO_ANSWER, "no answer")
            else:
                yield board, result

    def lacks(self, board: Instance, code: int, words: str) -> None:
        """Report that a board has no result, or not the wanted one."""
        self.at_least(code)
        write_stderr(f"{board.facts.where}: {words}")

    def conclude(self, search: Search, *, stats: bool) -> bool:
        """Report on a search that has ended; return whether another one can be started."""
        self.warn(warning.in_full for warning in search.warnings)
        if stats:
            write_run_statistics(search.statistics())
        if search.timed_out:
            self.at_least(OUT_OF_TIME)
        return not search.abandoned

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Report the error that ends the command, if any, and exit with its code."""
        if self.as_json and hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8, whatever the locale
        try:
            try:
                yield
            except PuzzleError as error:
                if self.board is not None:
                    error.about = self.board.about
                self.report(error)
            sys.stdout.flush()
        except KeyboardInterrupt:
            self.at_least(INTERRUPTED)
            write_stderr("interrupted")
        except BrokenPipeError:  # the reader needs no more; without this, Python would print an error at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            write_stderr(stdout_error_words(error))
            self.at_least(BAD_INPUT)
        raise SystemExit(self.code)


class LinesRun(options.JsonOptions, Run):
    """The run of a command that may print JSON Lines."""


class PageRun(LinesRun, options.PageOptions):
    """The run of a command that may also write a page."""

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Report as other commands do, and write the page if there are sections, however the command ends."""
        with super().reporting():
            if self.html is None:
                yield
                return
            from pyasp_puzzles.cli.files import OutputFiles

            options.refuse_options_together({"--html": self.html, "--json": self.as_json})
            self.sections = []
            with OutputFiles(output=Path(self.html), force=self.force, directories=False) as output:
                try:
                    yield
                finally:
                    if self.sections:
                        _write_page(output, self.sections)


def _write_page(output: OutputFiles, sections: list[PageSection]) -> None:
    from pyasp_puzzles.render.pages import page

    titles = {section.title for section in sections}
    text = page(titles.pop() if len(titles) == 1 else "Puzzles", sections)
    if output.path is None and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="xmlcharrefreplace")  # as the page declares
    output.write(text)


def _whole_outcome(board: Instance, ask: Ask, settings: Settings) -> Outcome:
    """Return one outcome, of all parts that a question yields about a board; this runs in a worker.

    Raises:
        PuzzleError: the question raised it about this board.
    """
    from pyasp_puzzles.model.record import Outcome

    try:
        parts = [*ask(board, settings.started(), ProgressLine(""))]
    except PuzzleError as error:
        error.about = board.about
        raise
    return Outcome(
        [answer for part in parts for answer in part.answers],
        [text for part in parts for text in part.texts],
        max((part.status for part in parts), key=lambda status: EXIT_CODES_BY_SEVERITY.index(_exit_code(status))),
        section=next((part.section for part in parts if part.section), None),
        warnings=[warning for part in parts for warning in part.warnings],
        abandoned=any(part.abandoned for part in parts),
    )


def _exit_code(status: str) -> int:
    return EXIT_CODES.get(status, NO_ANSWER)


def command_runner(function: Callable[..., None]) -> Callable[..., None]:
    """Return a function for typer, which runs a command and exits."""

    def call(**given: Any) -> None:  # noqa: ANN401 (options have any type)
        for number, handler in ((signal.SIGINT, _interrupt), (signal.SIGTERM, _terminate)):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, handler)
        sys.unraisablehook = _raise_later
        run = given.get("run") or Run()
        with run.reporting():
            function(**given)

    return options.spread_options(function, call)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; a moment later where Python or clingo would drop it, as while an object is deleted."""
    deleting = frame is not None and frame.f_code.co_name == "__del__"  # to free a ground program takes milliseconds
    if deleting or uninterrupted.inside:
        _signal_soon(number)
    else:
        raise KeyboardInterrupt


def _raise_later(lost: sys.UnraisableHookArgs) -> None:
    """Let Ctrl-C be heard that came where Python drops exceptions, as while a generator is closed that is deleted."""
    if lost.exc_type is KeyboardInterrupt:
        _signal_soon(signal.SIGINT)
    else:
        sys.__unraisablehook__(lost)


def _signal_soon(number: int) -> None:
    threading.Timer(0.001, signal.pthread_kill, [threading.main_thread().ident, number]).start()


def _terminate(number: int, frame: FrameType | None) -> None:
    """Do what Ctrl-C does now; where it is ignored, as in the background of a script, what it does elsewhere."""
    handler = signal.getsignal(signal.SIGINT)
    (handler if callable(handler) else _interrupt)(number, frame)


def boards_of_run(given: FileOptions) -> Iterator[Instance | PuzzleError]:
    """Yield the boards of all inputs, and an error in place of each that cannot be read.

    Finding and reading an input has the time limit of a board.
    """
    from pyasp_puzzles.formats import load

    settings, puzzles = given.settings, given.settings.puzzles
    errors: list[PuzzleError] = []
    for name in given.files:
        try:
            timed = settings.started()
            for entry in _begun(load.load_inputs(name, given.format, puzzles, given.shows), name, timed):
                if entry.skipped:
                    skipped = listing(entry.skipped, "and")
                    write_stderr(f"warning: {entry.source}: skipped {skipped}, in which no board is recognised")
                try:
                    boards = load.load_input(entry, given.format, errors.append, puzzles, given.shows)
                    for board in _begun(boards, entry.source, timed):
                        yield from errors
                        errors.clear()
                        for warning in board.warnings:
                            write_stderr(f"warning: {board.facts.where}: {warning}")
                        yield board
                except PuzzleError as error:
                    error.about = {"source": entry.source, **error.about}
                    errors.append(error)
                yield from errors
                errors.clear()
                timed = settings.started()
        except PuzzleError as error:
            error.about = {"source": name}
            yield error


def _begun(items: Iterator[_Result], source: str, settings: Settings) -> Iterator[_Result]:
    """Yield items, the first one within the time limit, unless it comes from standard input or a pipe.

    Raises:
        OutOfTime: the time of the settings has passed by then.
    """
    from pyasp_puzzles.formats.load import is_stream

    if settings.timeout is not None and not is_stream(source):
        from itertools import islice

        from pyasp_puzzles.asp.deadline import run_in_thread

        deadline = settings.deadline()
        first = [] if deadline.late() else run_in_thread(lambda: [*islice(items, 1)], deadline.left())
        if not first:
            raise OutOfTime(f"{shorten(printable(source), LONGEST_FILE_NAME)}: out of time before it was read")
        yield from first[0]
    yield from items


def _with_pauses(items: Iterable[_Item]) -> Iterator[_Item | None]:
    """Yield items that a thread reads, and None whenever the next one takes a while."""
    from queue import Empty, Queue

    ready: Queue[list[_Item]] = Queue(_MOST_READ_AHEAD)

    def read_all() -> None:
        try:
            for item in items:
                ready.put([item])
        finally:
            ready.put([])

    threading.Thread(target=read_all, daemon=True).start()
    while True:
        try:
            item = ready.get(timeout=_PAUSE_SECONDS)
        except Empty:
            yield None
            continue
        if not item:
            return
        yield item[0]


def write_run_statistics(statistics: Mapping[str, float]) -> None:
    """Print the times, in seconds, and the sizes of a search."""
    parts = (
        f"{key} {value:.3f} s" if isinstance(value, float) else f"{key} {value}" for key, value in statistics.items()
    )
    write_stderr(", ".join(parts))
