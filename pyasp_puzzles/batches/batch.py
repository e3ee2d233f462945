"""`in_order`, the loop of all commands that ask about many boards; `batch`, which solves them; `Task`, what to find.

Boards are sent to other processes in chunks, which are small at first, so that the first answers come early.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import BrokenExecutor, CancelledError
from functools import partial
from queue import SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

from pyasp_puzzles.arguments import check_text, check_type, type_error
from pyasp_puzzles.asp.settings import DEFAULT, Settings, check_settings
from pyasp_puzzles.batches.workers import LostWorkerError, Workers, started_workers
from pyasp_puzzles.errors import PuzzleError
from pyasp_puzzles.model.puzzle import Instance
from pyasp_puzzles.model.record import LOST_STATUS, Outcome
from pyasp_puzzles.queries.solve import check_solve_limit, solutions, solutions_in_common

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Executor, Future

    from pyasp_puzzles.model.record import Record
    from pyasp_puzzles.render.text import TextStyle

Item = TypeVar("Item")
Result = TypeVar("Result")

# The most facts of all boards in the queue, which bounds its memory.
MOST_FACTS_QUEUED = 500_000

# How long a chunk should take: much longer than sending it, and too short for people to notice.
_CHUNK_SECONDS = 0.1
# Boards in a chunk.
_LARGEST_CHUNK = 100
# The queue may always hold this many boards, however large they are.
_FEWEST_QUEUED = 50
# How often a board that is sent alone may lose its worker before it is reported as lost.
_MOST_TRIES = 2


def batch(
    boards: Iterable[Instance],
    limit: int = 2,
    settings: Settings = DEFAULT,
    executor: Executor | None = None,
    distinct: str | None = None,
) -> Iterator[Record]:
    """Yield the record of each board, in order, reading the boards as they are needed.

    A board that fails has an `error` in its record; the others are still solved.

    Args:
        boards: the boards, any number of them.
        limit: the most answers per board; 0 for all. With 2, `complete` tells whether one answer is the only one.
        settings: how to search.
        executor: solves the boards, such as `Workers(4)`. If it breaks, `Workers` take over. None: this process.
        distinct: as for `solutions`.
    """
    limit = check_solve_limit(limit, "batch")
    check_settings(settings)
    check_text(distinct, "distinct", "the name of a view", optional=True)
    if isinstance(boards, Instance | str | bytes | Mapping) or not isinstance(boards, Iterable):
        raise type_error(boards, "boards", "a list of boards, such as load(NAME) returns")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise type_error(executor, "executor", "an executor such as Workers(4)")
    task = partial(run_task, task=Task(limit, settings, distinct))
    outcomes = in_order(map(_checked, boards), task, executor, lost_outcome)
    return (cast("Record", board.about | outcome.record()) for board, outcome in outcomes)


def _checked(board: Instance) -> Instance:
    """Return a board; raise `TypeError` for anything else."""
    check_type(board, Instance, "a board", "boards as load(NAME) returns them, not their names")
    return board


# -- What to find for a board --------------------------------------------------------------------


class Task(NamedTuple):
    """What to find for each board: `Task(limit=2)`."""

    limit: int = 1
    """The most answers per board; 0 for all."""
    settings: Settings = DEFAULT
    distinct: str | None = None
    kind: str = ""
    """ "decided" or "possible", to find these in place of answers."""
    style: TextStyle | None = None
    """How to draw the answers; None for no drawings. Boards of a list are never drawn."""
    statistics: bool = False


def run_task(board: Instance, task: Task) -> Outcome:
    """Return the outcome of a task for a board; an error in the rules is an outcome, too."""
    query = None
    answers, texts, error = [], [], ""
    try:
        if task.kind:
            query = solutions_in_common(board, task.kind, task.settings)
        else:
            query = solutions(board, task.limit, task.settings, task.distinct)
        for answer in query:
            answers.append(answer.json())
            if task.style is not None and board.total:
                texts.append(answer.text(task.style))
    except PuzzleError as wrong:
        error = wrong.in_full
    if query is None:
        return Outcome(status="error", error=error)
    search = query.search
    return Outcome(
        *(answers, texts, "error" if error else query.status, query.complete, error),
        timed_out=search.timed_out,
        abandoned=search.abandoned,
        warnings=[warning.in_full for warning in search.warnings],
        statistics=search.statistics() if task.statistics else None,
    )


def lost_outcome(words: str) -> Outcome:
    """Return the outcome of a board whose worker failed; `words` say why."""
    return Outcome(status=LOST_STATUS, error=words)


# -- The loop ------------------------------------------------------------------------------------


def in_order(
    items: Iterable[Item | None],
    function: Callable[[Item], Result],
    executor: Executor | None,
    lost: Callable[[str], Result],
) -> Iterator[tuple[Item, Result]]:
    """Yield each item with the result of a function, in order, computed by an executor or in this process.

    If an executor breaks, `Workers` take over. If a result has a true attribute `abandoned`, clingo cannot be stopped
    in the process that found it, and another process continues.

    Args:
        items: boards, seeds, or what else a function takes. A None means that the next item may take a while to arrive,
            so that those before it are sent now.
        function: computes a result; with an executor, it is pickled.
        executor: computes the results; None for this process.
        lost: returns the result of an item whose process failed, given what went wrong.

    Raises:
        PuzzleError: the function raised it for the item whose turn it is.
    """
    items = iter(items)
    if executor is None:
        for item in items:
            if item is not None:
                result = function(item)
                yield item, result
                if getattr(result, "abandoned", False):
                    break
        else:
            return
        with started_workers(1) as worker:
            yield from in_order(items, function, worker, lost)
        return
    queue = _Queue(function, executor, lost)
    try:
        for item in items:
            if item is None:
                queue.send()
            else:
                queue.add(item)
            while queue.full or queue.ready:
                yield queue.take()
        while queue.pending:
            yield queue.take()
    finally:
        queue.close()


class _Chunk(NamedTuple, Generic[Result]):
    """The results of the first items of a chunk; of all, unless one failed or its search could not be stopped."""

    results: list[Result]
    seconds: float
    error: PuzzleError | None = None
    """What the function raised for the next item."""
    abandoned: bool = False
    """Whether clingo is still busy in the process, which must not be used again."""


def run_chunk(items: Sequence[Item], function: Callable[[Item], Result]) -> _Chunk[Result]:
    """Return the results of a function for a chunk of items; this runs in a worker."""
    started = monotonic()
    results: list[Result] = []
    try:
        for item in items:
            results.append(function(item))
            if getattr(results[-1], "abandoned", False):
                return _Chunk(results, monotonic() - started, abandoned=True)
    except PuzzleError as error:
        return _Chunk(results, monotonic() - started, error)
    return _Chunk(results, monotonic() - started)


class _Pending(Generic[Item, Result]):
    """An item in the queue."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.facts = len(item.facts) if isinstance(item, Instance) else MOST_FACTS_QUEUED
        self.sent = False
        """Whether it was sent and has no result yet."""
        self.result: list[Result] = []
        """The result, if there is one."""
        self.error: PuzzleError | None = None
        self.suspect = False
        """Whether its chunk lost a worker, so that it must be sent alone."""
        self.lost = 0
        """How often it lost a worker when sent alone."""

    @property
    def done(self) -> bool:
        """Whether there is a result or an error."""
        return bool(self.result) or self.error is not None


class _Queue(Generic[Item, Result]):
    """Items that were read, sent or answered, but not yet yielded."""

    def __init__(self, function: Callable[[Item], Result], executor: Executor, lost: Callable[[str], Result]) -> None:
        self._function, self._executor, self._lost = function, executor, lost
        self._substitute: Workers | None = None
        self.pending: deque[_Pending[Item, Result]] = deque()
        self._unsent: list[_Pending[Item, Result]] = []
        self._running = self._received = 0
        """How many items were sent and have no result yet, and how many have a result."""
        self._done: SimpleQueue[Future[_Chunk[Result]]] = SimpleQueue()
        # {future: the items of its chunk}
        self._chunks: dict[Future[_Chunk[Result]], list[_Pending[Item, Result]]] = {}
        self._facts = 0
        self._chunk_size = 1

    def add(self, item: Item) -> None:
        """Add an item, and send a chunk if it is full."""
        added: _Pending[Item, Result] = _Pending(item)
        self.pending.append(added)
        self._facts += added.facts
        self._unsent.append(added)
        if self._may_send and len(self._unsent) >= self._chunk_size:
            self._send_chunk()

    @property
    def _may_send(self) -> bool:
        """Whether few enough items wait for results: chunks that are sent before the first results are small."""
        return self._running <= _FEWEST_QUEUED + 2 * self._received

    def send(self) -> None:
        """Send items even if they do not fill a chunk, unless too many wait for results."""
        while self._unsent and self._may_send:
            self._send_chunk()

    @property
    def full(self) -> bool:
        """Whether an item must be taken before the next is added."""
        return len(self.pending) > _FEWEST_QUEUED and self._facts > MOST_FACTS_QUEUED

    @property
    def ready(self) -> bool:
        """Whether `take` returns without waiting."""
        while not self._done.empty():
            self._receive(self._done.get())
        return bool(self.pending) and self.pending[0].done

    def take(self) -> tuple[Item, Result]:
        """Wait for the first item's result, and return both; raise its error."""
        first = self.pending[0]
        while not first.done:
            if first.suspect and not first.sent:
                self._send([first])
            elif not first.sent:
                self._send_chunk()
            else:
                self.send()
                self._receive(self._done.get())
        self.pending.popleft()
        self._facts -= first.facts
        if first.error is not None:
            raise first.error
        return first.item, first.result[0]

    def _send_chunk(self) -> None:
        """Send the first items that have not been sent."""
        members, self._unsent = self._unsent[: self._chunk_size], self._unsent[self._chunk_size :]
        self._send(members)

    def _send(self, members: list[_Pending[Item, Result]]) -> None:
        items = [member.item for member in members]
        try:
            future = self._executor.submit(run_chunk, items, self._function)
        except RuntimeError:  # the executor is broken or shut down
            if self._substitute is not None:
                raise
            self._executor = self._substitute = Workers()
            future = self._executor.submit(run_chunk, items, self._function)
        for member in members:
            member.sent = True
        self._running += len(members)
        self._chunks[future] = members
        future.add_done_callback(self._done.put)

    def _receive(self, future: Future[_Chunk[Result]]) -> None:
        """Store the results of the items of a chunk that is done."""
        members = self._chunks.pop(future)
        self._running -= len(members)
        for member in members:
            member.sent = False
        try:
            chunk = future.result()
        except Exception as error:  # noqa: BLE001 (an executor may raise anything)
            self._lose(members, error)
            return
        for member, result in zip(members, chunk.results, strict=False):
            member.result.append(result)
        rest = members[len(chunk.results) :]
        if chunk.error is not None:
            rest.pop(0).error = chunk.error
        self._received += len(members) - len(rest)
        if rest:
            self._send(rest)
        fitting = int(_CHUNK_SECONDS * len(chunk.results) / max(chunk.seconds, 1e-6))
        self._chunk_size = max(1, min(fitting, 2 * self._chunk_size, _LARGEST_CHUNK))

    def _lose(self, members: list[_Pending[Item, Result]], error: Exception) -> None:
        """Mark the items of a failed chunk to be sent one by one, to find the one that fails."""
        for member in members:
            member.suspect = True
        if len(members) > 1:
            return
        (member,) = members
        member.lost += 1
        if member.lost >= _MOST_TRIES or isinstance(error, LostWorkerError):
            member.result.append(self._lost(_failure(error)))

    def close(self) -> None:
        """Cancel what has not begun."""
        for future in [*self._chunks]:
            future.cancel()
        if self._substitute is not None:
            self._substitute.kill()


def _failure(error: Exception) -> str:
    if isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ == "KilledWorker":  # Dask's
        return "the worker was killed"
    return f"the worker failed: {' '.join(f'{type(error).__name__}: {error}'.split())}"
