"""What `explain --jobs` and `grade --jobs` say of boards: found by several processes, in the order of the boards."""

from __future__ import annotations

from collections import deque
from queue import Empty, Queue
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.batches.workers import LostWorkerError, Workers
from pyasp_puzzles.cli.output import json_line
from pyasp_puzzles.cli.run import ANSWERED, OUT_OF_TIME, Run
from pyasp_puzzles.errors import PuzzleError
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.record import LOST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future
    from typing import TypeAlias

    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.render.pages import Section

    # A board, the error of one, or None for a pause.
    Item: TypeAlias = Instance | PuzzleError | None

# Seconds without input after which the boards read so far are sent.
PAUSE_SECONDS = 0.02
# Boards that are read ahead from standard input.
MOST_READ_AHEAD = 1000


class Told(NamedTuple):
    """What a command says of a board: `Told("Easy 1.5: 21 steps, each by a single rule")`."""

    text: str = ""
    """What goes to standard output: JSON Lines, or sentences and pictures."""
    section: Section | None = None
    """What goes to the page instead."""
    code: int = ANSWERED
    """The exit code."""
    messages: tuple[str, ...] = ()
    spent: bool = False
    """Whether clingo is still working in the worker, so that it must not be used again."""


def told_in_order(
    run: Run, boards: Iterable[Item], ask: Callable[[Instance], Told], jobs: int, *, as_json: bool
) -> Iterator[Told]:
    """Yield what is said of each board, in their order; report errors in their places.

    Args:
        run: the run of the command.
        boards: boards and errors. A None means that the next one may take a while to arrive.
        ask: a function that says it, which is called in a worker.
        jobs: how many workers.
        as_json: whether standard output holds JSON.

    Raises:
        PuzzleError: the rules are wrong.
    """
    workers = Workers(jobs)
    waiting: deque[tuple[Instance | PuzzleError, Future[Told] | None]] = deque()
    try:
        for board in boards:
            if board is not None:
                waiting.append((board, None if isinstance(board, PuzzleError) else workers.submit(ask, board)))
            while waiting and (len(waiting) > jobs * Limits.MOST_AHEAD or _is_done(waiting[0][1])):
                yield from _told(run, *waiting.popleft(), as_json=as_json)
        while waiting:
            yield from _told(run, *waiting.popleft(), as_json=as_json)
    finally:
        workers.kill()


def _is_done(future: Future[Told] | None) -> bool:
    return future is None or future.done()


def _told(run: Run, board: Instance | PuzzleError, future: Future[Told] | None, *, as_json: bool) -> Iterator[Told]:
    """Wait for what is said of a board, and yield it; report an error."""
    if run.begin(board):
        assert future is not None
        try:
            yield future.result()
        except LostWorkerError as error:
            text = json_line(board, {"status": LOST, "error": str(error)}) if as_json else ""
            yield Told(text, code=OUT_OF_TIME, messages=(f"{board.facts.where}: {error}",))
        run.board = None


def with_pauses(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items that a thread reads, and None whenever the next one takes a while."""
    ready: Queue[Item] = Queue(MOST_READ_AHEAD)

    def read_all() -> None:
        try:
            for item in items:
                ready.put(item)
        finally:
            ready.put(None)

    Thread(target=read_all, daemon=True).start()
    while True:
        try:
            item = ready.get(timeout=PAUSE_SECONDS)
        except Empty:
            yield None
            continue
        if item is None:
            return
        yield item
