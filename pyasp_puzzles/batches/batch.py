"""`batch`: records of any number of boards, in order, solved by any executor.

Boards are sent in chunks of one layout, so that a worker grounds the layout once. The first chunks are small, so that
the first answers come early; most boards wait until these tell how large a chunk can be.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, NamedTuple, cast

from pyasp_puzzles.arguments import check_text, check_type, type_error
from pyasp_puzzles.asp.settings import DEFAULT, Settings, check_settings
from pyasp_puzzles.batches.tasks import ChunkResult, Task, run_chunk, run_task
from pyasp_puzzles.batches.workers import LostWorkerError, Workers
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.puzzle import Instance
from pyasp_puzzles.model.record import Outcome
from pyasp_puzzles.queries.solve import check_limit

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from concurrent.futures import Executor, Future

    from pyasp_puzzles.model.record import Record


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
        limit: the most answers per board; 0 for all. With 2, `complete` returns whether there is exactly one.
        settings: how to search.
        executor: solves the boards, such as `Workers(4)`. If it breaks, `Workers` take over. None: this process.
        distinct: as for `solutions`.
    """
    limit = check_limit(limit, "batch")
    check_settings(settings)
    check_text(distinct, "distinct", "the name of a view", optional=True)
    if isinstance(boards, Instance | str | bytes | Mapping) or not isinstance(boards, Iterable):
        raise type_error(boards, "boards", "a list of boards, such as load(NAME) returns")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise type_error(executor, "executor", "an executor such as Workers(4)")
    task = Task(limit, settings, distinct)
    found = outcomes(map(_checked, boards), task, executor)
    return (cast("Record", instance.about | outcome.record()) for instance, outcome in found)


def _checked(board: Instance) -> Instance:
    """Return a board; raise `TypeError` for anything else."""
    check_type(board, Instance, "a board", "boards as load(NAME) returns them, not their names")
    return board


def outcomes(
    boards: Iterable[Instance | None], task: Task, executor: Executor | None = None
) -> Iterator[tuple[Instance, Outcome]]:
    """Yield each board with its outcome, in order.

    A None among the boards means that the next board may take a while to arrive, so that all before it are sent now.
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
        yield from outcomes_in_worker(boards, task)
        return
    queue = _Queue(task, executor)
    try:
        for instance in boards:
            if instance is None:
                queue.send_all()
            else:
                queue.add(instance)
            while queue.full or queue.ready:
                yield queue.take()
        queue.send_all()
        while queue.pending:
            yield queue.take()
    finally:
        queue.close()


def outcomes_in_worker(boards: Iterable[Instance | None], task: Task) -> Iterator[tuple[Instance, Outcome]]:
    """Yield the same as `outcomes` from a worker, for when clingo can no longer be stopped in this process."""
    worker = Workers(1)
    try:
        yield from outcomes(boards, task, worker)
    finally:
        worker.kill()


class _Pending:
    """A board in the queue."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.facts = len(instance.facts)
        self.chunk: _Chunk | None = None
        self.outcome: Outcome | None = None
        self.suspect = False
        """Whether its chunk lost a worker, so that it must be sent alone."""
        self.lost = 0
        """How often it lost a worker when sent alone."""


class _Chunk(NamedTuple):
    """Boards that were sent together."""

    members: list[_Pending]
    future: Future[ChunkResult]


class _Queue:
    """Boards that were read, sent or solved, but not yet yielded."""

    def __init__(self, task: Task, executor: Executor) -> None:
        self._task = task
        self._executor = executor
        self._substitute: Workers | None = None
        self.pending: deque[_Pending] = deque()
        # {layout: its boards}
        self._unsent: dict[Hashable, list[_Pending]] = {}
        self._facts = 0
        self._chunk_size = 1
        # Whether it is known how many boards a chunk should have; until then, few chunks are sent.
        self._size_known = False
        self._chunks_sent = 0

    def add(self, instance: Instance) -> None:
        """Add a board; send those of its layout if they fill a chunk."""
        added = _Pending(instance)
        self.pending.append(added)
        self._facts += added.facts
        shape = instance.layout_key
        group = self._unsent.setdefault(shape, [])
        group.append(added)
        if self._may_send and len(group) >= self._chunk_size:
            self._send_group(shape)
        elif self._size_known and sum(map(len, self._unsent.values())) > Limits.LARGEST_CHUNK:
            self._send_group(next(iter(self._unsent)))

    def send_all(self) -> None:
        """Send the boards that have not been sent, as many as may be now."""
        while self._unsent and self._may_send:
            self._send_group(next(iter(self._unsent)))

    @property
    def _may_send(self) -> bool:
        return self._size_known or self._chunks_sent < Limits.MOST_CHUNKS_TRIED

    def _send_group(self, layout: Hashable) -> None:
        """Send a chunk of the boards of a layout."""
        group = self._unsent[layout]
        if len(group) > self._chunk_size:
            self._unsent[layout] = group[self._chunk_size :]
        else:
            del self._unsent[layout]
        self._send(group[: self._chunk_size])

    @property
    def full(self) -> bool:
        """Whether a board must be taken before the next is added."""
        return len(self.pending) > Limits.FEWEST_QUEUED and self._facts > Limits.MOST_FACTS_QUEUED

    @property
    def ready(self) -> bool:
        """Whether `take` returns without waiting."""
        if not self.pending:
            return False
        first = self.pending[0]
        return first.outcome is not None or (first.chunk is not None and first.chunk.future.done())

    def take(self) -> tuple[Instance, Outcome]:
        """Wait for the first board's outcome, and return both."""
        first = self.pending[0]
        while first.outcome is None:
            if first.chunk is not None:
                self._receive(first.chunk)
            elif first.suspect:
                self._send([first])
            else:
                self._send_group(first.instance.layout_key)
        self.pending.popleft()
        self._facts -= first.facts
        return first.instance, first.outcome

    def _send(self, members: list[_Pending]) -> None:
        instances = [member.instance for member in members]
        try:
            future = self._executor.submit(run_chunk, instances, self._task)
        except RuntimeError:  # the executor is broken or shut down
            if self._substitute is not None:
                raise
            self._executor = self._substitute = Workers()
            future = self._executor.submit(run_chunk, instances, self._task)
        self._chunks_sent += 1
        chunk = _Chunk(members, future)
        for member in members:
            member.chunk = chunk

    def _receive(self, chunk: _Chunk) -> None:
        """Wait for a chunk, and store the outcomes of its boards."""
        try:
            result = chunk.future.result()
        except Exception as error:  # noqa: BLE001 (an executor may raise anything)
            self._lose(chunk, error)
            return
        for member, outcome in zip(chunk.members, result.outcomes, strict=False):
            member.outcome, member.chunk = outcome, None  # a reference cycle would keep both until garbage collection
        rest = chunk.members[len(result.outcomes) :]
        if rest:
            self._send(rest)
        fitting = int(Limits.CHUNK_SECONDS * len(result.outcomes) / max(result.seconds, 1e-6))
        fitting = max(1, min(fitting, Limits.LARGEST_CHUNK))
        self._chunk_size = min(fitting, 2 * self._chunk_size)
        self._size_known = self._size_known or self._chunk_size == fitting
        if self._size_known:
            self.send_all()

    def _lose(self, chunk: _Chunk, error: Exception) -> None:
        """Send the boards of a failed chunk again, one by one, to find which of them is to blame."""
        for member in chunk.members:
            member.chunk, member.suspect = None, True
        if len(chunk.members) > 1:
            return
        (member,) = chunk.members
        member.lost += 1
        if member.lost >= Limits.MOST_TRIES or isinstance(error, LostWorkerError):
            member.outcome = Outcome(error=_failure(error), lost=True)

    def close(self) -> None:
        """Cancel what has not begun."""
        for member in self.pending:
            if member.chunk is not None:
                member.chunk.future.cancel()
        if self._substitute is not None:
            self._substitute.kill()


def _failure(error: Exception) -> str:
    if isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker":  # Dask's
        return "the worker was killed"
    return f"the worker failed: {' '.join(f'{type(error).__name__}: {error}'.split())}"
