"""`batch`: the records, or the outcomes, of any number of boards, in order, solved by any executor.

Boards are sent in chunks, which are small at first, so that the first answers come early.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import BrokenExecutor, CancelledError
from queue import SimpleQueue
from typing import TYPE_CHECKING, cast

from pyasp_puzzles.arguments import check_text, check_type, type_error
from pyasp_puzzles.asp.settings import DEFAULT, Settings, check_settings
from pyasp_puzzles.batches.tasks import Task, TaskChunkResult, run_task, run_task_chunk
from pyasp_puzzles.batches.workers import LostWorkerError, Workers
from pyasp_puzzles.model.puzzle import Instance
from pyasp_puzzles.model.record import Outcome
from pyasp_puzzles.queries.solve import check_solve_limit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor, Future

    from pyasp_puzzles.model.record import Record

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
    task = Task(limit, settings, distinct)
    found = batch_outcomes(map(_checked, boards), task, executor)
    return (cast("Record", instance.about | outcome.record()) for instance, outcome in found)


def _checked(board: Instance) -> Instance:
    """Return a board; raise `TypeError` for anything else."""
    check_type(board, Instance, "a board", "boards as load(NAME) returns them, not their names")
    return board


def batch_outcomes(
    boards: Iterable[Instance | None], task: Task, executor: Executor | None = None
) -> Iterator[tuple[Instance, Outcome]]:
    """Yield each board with its outcome, in order.

    A None among the boards means that the next board may take a while to arrive, so that those before it are sent now.
    """
    boards = iter(boards)
    if executor is None:
        for instance in boards:
            if instance is not None:
                outcome = run_task(instance, task)
                yield instance, outcome
                if outcome.abandoned:
                    break
        else:
            return
        yield from batch_outcomes_in_worker(boards, task)
        return
    queue = _Queue(task, executor)
    try:
        for instance in boards:
            if instance is None:
                queue.send()
            else:
                queue.add(instance)
            while queue.full or queue.ready:
                yield queue.take()
        while queue.pending:
            yield queue.take()
    finally:
        queue.close()


def batch_outcomes_in_worker(boards: Iterable[Instance | None], task: Task) -> Iterator[tuple[Instance, Outcome]]:
    """Yield the same as `batch_outcomes` from a worker, because clingo in this process cannot be stopped."""
    worker = Workers(1)
    try:
        yield from batch_outcomes(boards, task, worker)
    finally:
        worker.kill()


class _Pending:
    """A board in the queue."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.facts = len(instance.facts)
        self.sent = False
        """Whether it was sent and has no outcome yet."""
        self.outcome: Outcome | None = None
        self.suspect = False
        """Whether its chunk lost a worker, so that it must be sent alone."""
        self.lost = 0
        """How often it lost a worker when sent alone."""


class _Queue:
    """Boards that were read, sent or solved, but not yet yielded."""

    def __init__(self, task: Task, executor: Executor) -> None:
        self._task = task
        self._executor = executor
        self._substitute: Workers | None = None
        self.pending: deque[_Pending] = deque()
        self._unsent: list[_Pending] = []
        self._running = self._received = 0
        """How many boards were sent and have no result yet, and how many have a result."""
        self._done: SimpleQueue[Future[TaskChunkResult]] = SimpleQueue()
        # {future: the boards of its chunk}
        self._chunks: dict[Future[TaskChunkResult], list[_Pending]] = {}
        self._facts = 0
        self._chunk_size = 1

    def add(self, instance: Instance) -> None:
        """Add a board, and send a chunk if it is full."""
        added = _Pending(instance)
        self.pending.append(added)
        self._facts += added.facts
        self._unsent.append(added)
        if self._may_send and len(self._unsent) >= self._chunk_size:
            self._send_chunk()

    @property
    def _may_send(self) -> bool:
        """Whether few enough boards wait for results: chunks that are sent before the first results are small."""
        return self._running <= _FEWEST_QUEUED + 2 * self._received

    def send(self) -> None:
        """Send boards even if they do not fill a chunk, unless too many wait for results."""
        while self._unsent and self._may_send:
            self._send_chunk()

    @property
    def full(self) -> bool:
        """Whether a board must be taken before the next is added."""
        return len(self.pending) > _FEWEST_QUEUED and self._facts > MOST_FACTS_QUEUED

    @property
    def ready(self) -> bool:
        """Whether `take` returns without waiting."""
        while not self._done.empty():
            self._receive(self._done.get())
        return bool(self.pending) and self.pending[0].outcome is not None

    def take(self) -> tuple[Instance, Outcome]:
        """Wait for the first board's outcome, and return both."""
        first = self.pending[0]
        while first.outcome is None:
            if first.suspect and not first.sent:
                self._send([first])
            elif not first.sent:
                self._send_chunk()
            else:
                self.send()
                self._receive(self._done.get())
        self.pending.popleft()
        self._facts -= first.facts
        return first.instance, first.outcome

    def _send_chunk(self) -> None:
        """Send the first boards that have not been sent."""
        members, self._unsent = self._unsent[: self._chunk_size], self._unsent[self._chunk_size :]
        self._send(members)

    def _send(self, members: list[_Pending]) -> None:
        instances = [member.instance for member in members]
        try:
            future = self._executor.submit(run_task_chunk, instances, self._task)
        except RuntimeError:  # the executor is broken or shut down
            if self._substitute is not None:
                raise
            self._executor = self._substitute = Workers()
            future = self._executor.submit(run_task_chunk, instances, self._task)
        for member in members:
            member.sent = True
        self._running += len(members)
        self._chunks[future] = members
        future.add_done_callback(self._done.put)

    def _receive(self, future: Future[TaskChunkResult]) -> None:
        """Store the outcomes of the boards of a chunk that is done."""
        members = self._chunks.pop(future)
        self._running -= len(members)
        for member in members:
            member.sent = False
        try:
            result = future.result()
        except Exception as error:  # noqa: BLE001 (an executor may raise anything)
            self._lose(members, error)
            return
        for member, outcome in zip(members, result.outcomes, strict=False):
            member.outcome = outcome
        self._received += len(result.outcomes)
        rest = members[len(result.outcomes) :]
        if rest:
            self._send(rest)
        fitting = int(_CHUNK_SECONDS * len(result.outcomes) / max(result.seconds, 1e-6))
        self._chunk_size = max(1, min(fitting, 2 * self._chunk_size, _LARGEST_CHUNK))

    def _lose(self, members: list[_Pending], error: Exception) -> None:
        """Have the boards of a failed chunk sent again one by one, to find the one that fails."""
        for member in members:
            member.suspect = True
        if len(members) > 1:
            return
        (member,) = members
        member.lost += 1
        if member.lost >= _MOST_TRIES or isinstance(error, LostWorkerError):
            member.outcome = Outcome(error=_failure(error), lost=True)

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
