"""Questions of commands asked in worker processes, with results in the order of the boards."""

from __future__ import annotations

from collections import deque
from queue import Empty, Queue
from threading import Thread
from typing import TYPE_CHECKING

from pyasp_puzzles.batches.workers import LostWorkerError, Workers
from pyasp_puzzles.cli.output import BoardOutput, output_json_line
from pyasp_puzzles.cli.run import EXIT_CODES, EXIT_CODES_BY_SEVERITY, NO_ANSWER, Run, boards_of_run
from pyasp_puzzles.cli.terminal import ProgressLine, write_stderr
from pyasp_puzzles.errors import PuzzleError
from pyasp_puzzles.formats.format import check_format
from pyasp_puzzles.formats.load import STDIN
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.record import LOST_STATUS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future
    from typing import TypeAlias

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.cli.options import BoardOptions
    from pyasp_puzzles.cli.run import Ask
    from pyasp_puzzles.model.puzzle import Instance

    # A board, the error of one, or None for a pause.
    ReadBoard: TypeAlias = Instance | PuzzleError | None

# Seconds without input before the boards read so far are sent.
_PAUSE_SECONDS = 0.02
# Boards that are read ahead from standard input.
_MOST_READ_AHEAD = 1000


def ask_workers(run: Run, given: BoardOptions, ask: Ask, jobs: int) -> None:
    """Call a function for each board in workers, and write its results in the order of the boards.

    Raises:
        PuzzleError: the rules are wrong, or there is no such format.
    """
    progress = ProgressLine("working on board {next}")
    run.tell_all(progress.each(_answers(run, given, ask, jobs)), progress)


def _answers(run: Run, given: BoardOptions, ask: Ask, jobs: int) -> Iterator[BoardOutput]:
    """Yield the results of each board from workers; report errors in their places."""
    check_format(given.format, given.settings.puzzles)
    boards: Iterable[ReadBoard] = boards_of_run(given)
    if {"-", STDIN} & set(given.files):
        boards = pauses_of_workers(boards)
    workers, ahead = Workers(jobs), jobs * Limits.MOST_AHEAD
    waiting: deque[tuple[Instance | PuzzleError, Future[BoardOutput] | None]] = deque()
    try:
        for board in boards:
            if isinstance(board, PuzzleError):
                waiting.append((board, None))
            elif board is not None:
                waiting.append((board, workers.submit(_asked, ask, board, given.settings)))
            while waiting and (len(waiting) > ahead or (first := waiting[0][1]) is None or first.done()):
                yield from _result(run, *waiting.popleft())
        while waiting:
            yield from _result(run, *waiting.popleft())
    finally:
        workers.kill()


def _asked(ask: Ask, board: Instance, settings: Settings) -> BoardOutput:
    """Return all results of a board; this runs in a worker."""
    parts = [*ask(board, settings.started(), ProgressLine(""))]
    return BoardOutput(
        "".join(part.text for part in parts),
        max(
            (part.status for part in parts),
            key=lambda status: EXIT_CODES_BY_SEVERITY.index(EXIT_CODES.get(status, NO_ANSWER)),
        ),
        next((part.section for part in parts if part.section), None),
        tuple(warning for part in parts for warning in part.warnings),
        any(part.spent for part in parts),
    )


def _result(run: Run, board: Instance | PuzzleError, future: Future[BoardOutput] | None) -> Iterator[BoardOutput]:
    """Wait for the results of a board, and yield them; report an error."""
    if run.begin(board):
        assert future is not None
        try:
            yield future.result()._replace(spent=False)  # only the worker is
        except LostWorkerError as error:
            yield BoardOutput(
                output_json_line(board, {"status": LOST_STATUS, "error": str(error)}) if run.as_json else "",
                LOST_STATUS,
            )
            write_stderr(f"{board.facts.where}: {error}")
        run.board = None


def pauses_of_workers(items: Iterable[ReadBoard]) -> Iterator[ReadBoard]:
    """Yield items that a thread reads, and None whenever the next one takes a while."""
    ready: Queue[ReadBoard] = Queue(_MOST_READ_AHEAD)

    def read_all() -> None:
        try:
            for item in items:
                ready.put(item)
        finally:
            ready.put(None)

    Thread(target=read_all, daemon=True).start()
    while True:
        try:
            item = ready.get(timeout=_PAUSE_SECONDS)
        except Empty:
            yield None
            continue
        if item is None:
            return
        yield item
