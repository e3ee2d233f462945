"""`batch`: boards without end, answered in order, by any executor: in processes here, or on a cluster.

Boards are sent in chunks, each of one shape, so that a worker grounds it once; the first chunks are small, so that
answers come early. What is lost with a worker is asked again, board by board, until it is known which one it was.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, TypedDict, cast

from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.batches.parcel import Outcome, Outcomes, Task, answer, outcome, pack, shape
from pyasp_puzzles.batches.workers import LostWorkerError, Workers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Executor, Future

    from pyasp_puzzles.puzzles.puzzle import Instance


SECONDS = 0.1
"""That a chunk is to take: more than to send it, and less than people wait."""
MOST_TOGETHER = 100
"""Boards in a chunk."""
MOST_AHEAD = 500_000
"""Facts of the boards that are being answered, or have been, before those whose turn it is: memory is to stay flat."""
FEWEST_AHEAD = 50
"""Boards that are sent ahead, however large they are."""
LOST = "lost"
"""The status of a board whose worker was lost: another try may answer it."""
TRIES = 2
"""How often a board is asked for by itself, before it is blamed for what happens to its workers."""


class Record(TypedDict):
    """What `solve --json` prints of a board."""

    puzzle: str
    source: str
    """The file that it came from."""
    board: int
    """Which board of its file it is, counted from 1."""
    title: str
    solutions: list[dict[str, Any]]
    """The answers, as `Answer.json` has them."""
    status: str
    """ "satisfiable", "unsatisfiable" or "unknown"."""
    complete: bool
    """Whether it is proven that there is no answer but these."""
    error: NotRequired[str]
    """What went wrong with this board, where something did."""


def batch(
    boards: Iterable[Instance],
    limit: int = 2,
    settings: Settings = DEFAULT,
    executor: Executor | None = None,
    distinct: str | None = None,
) -> Iterator[Record]:
    """Yield what `solve --json` prints of each board, in order, as it comes; the boards are taken as they are needed.

    A board that cannot be answered costs no other: its record has an `error`.

    Args:
        boards: the boards.
        limit: at most so many answers a board; 0 for all. With two, `complete` tells whether there is just one.
        settings: how to search, and what with.
        executor: who is to do it, `Workers(4)` say; if it breaks, `Workers` go on. Without one, it is done here.
        distinct: as for `solutions`.
    """
    for instance, found in answered(boards, Task(limit, settings, distinct), executor):
        yield cast("Record", instance.about | said(found))


def said(found: Outcome) -> dict[str, object]:
    """Return what a record says of an outcome."""
    record = {"solutions": found.answers, "status": found.status, "complete": found.complete}
    if not found.error:
        return record
    return record | {"status": LOST if found.lost else "error", "error": found.error.partition("\n")[0]}


def answered(
    boards: Iterable[Instance | None], task: Task, executor: Executor | None = None
) -> Iterator[tuple[Instance, Outcome]]:
    """Yield each board with what came of it, in order; None among the boards says that the next may take a while."""
    boards = iter(boards)
    if executor is None:
        for instance in boards:
            if instance is not None:
                found = outcome(instance, task)
                yield instance, found
                if found.abandoned:
                    break
        else:
            return
        with killed(Workers(1)) as worker:  # clingo is left at work here; a process can be ended
            yield from answered(boards, task, worker)
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
        queue.send()
        while queue.slots:
            yield queue.take()
    finally:
        queue.close()


@contextmanager
def killed(workers: Workers) -> Iterator[Workers]:
    """Have workers that are ended at once when they are not needed any more."""
    try:
        yield workers
    finally:
        workers.kill()


class _Slot:
    """A board that waits for its turn."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.facts = len(instance.facts)
        self.chunk: _Chunk | None = None
        self.outcome: Outcome | None = None
        self.suspect = False
        """Whether it was in a chunk that was lost."""
        self.lost = 0
        """How often it was lost when it was asked for by itself."""


class _Chunk(NamedTuple):
    """Boards that were sent together."""

    slots: list[_Slot]
    future: Future[Outcomes]


class _Queue:
    """The boards whose turn has not come yet."""

    def __init__(self, task: Task, executor: Executor) -> None:
        self._task = task
        self._executor = executor
        self._spare: Workers | None = None
        self.slots: deque[_Slot] = deque()
        self._waiting: dict[object, list[_Slot]] = {}
        self._facts = 0
        self._size = 1

    def add(self, instance: Instance) -> None:
        """Add a board; send those of its shape, if they are enough."""
        slot = _Slot(instance)
        self.slots.append(slot)
        self._facts += slot.facts
        key = shape(instance)
        group = self._waiting.setdefault(key, [])
        group.append(slot)
        if len(group) >= self._size:
            self._send(self._waiting.pop(key))
        elif sum(map(len, self._waiting.values())) > MOST_TOGETHER:
            self._send(self._waiting.pop(next(iter(self._waiting))))

    def send(self) -> None:
        """Send all that waits to be sent."""
        while self._waiting:
            self._send(self._waiting.pop(next(iter(self._waiting))))

    @property
    def full(self) -> bool:
        """Whether enough is sent ahead."""
        return len(self.slots) > FEWEST_AHEAD and self._facts > MOST_AHEAD

    @property
    def ready(self) -> bool:
        """Whether the board whose turn it is need not be waited for."""
        if not self.slots:
            return False
        slot = self.slots[0]
        return slot.outcome is not None or (slot.chunk is not None and slot.chunk.future.done())

    def take(self) -> tuple[Instance, Outcome]:
        """Return the next board, and wait for what comes of it."""
        slot = self.slots[0]
        while slot.outcome is None:
            if slot.chunk is None:
                self._send([slot] if slot.suspect else self._waiting.pop(shape(slot.instance)))
            else:
                self._receive(slot.chunk)
        self.slots.popleft()
        self._facts -= slot.facts
        return slot.instance, slot.outcome

    def _send(self, slots: list[_Slot]) -> None:
        parcel = pack([slot.instance for slot in slots])
        try:
            future = self._executor.submit(answer, parcel, self._task)
        except RuntimeError:  # it is broken, or was shut down
            if self._spare is not None:
                raise
            self._executor = self._spare = Workers()
            future = self._executor.submit(answer, parcel, self._task)
        chunk = _Chunk(slots, future)
        for slot in slots:
            slot.chunk = chunk

    def _receive(self, chunk: _Chunk) -> None:
        """Wait for a chunk, and note what came of its boards."""
        try:
            found = chunk.future.result()
        except Exception as error:  # noqa: BLE001 (whatever happens to workers)
            self._lose(chunk, error)
            return
        for slot, came in zip(chunk.slots, found.outcomes, strict=False):
            slot.outcome, slot.chunk = came, None  # a circle would keep them until it is found
        rest = chunk.slots[len(found.outcomes) :]
        if rest:
            self._send(rest)
        most = int(SECONDS * len(found.outcomes) / max(found.seconds, 1e-6))
        self._size = max(1, min(most, 2 * self._size, MOST_TOGETHER))

    def _lose(self, chunk: _Chunk, error: Exception) -> None:
        """Note that a chunk was lost: its boards are asked for again, each by itself in its turn, or one is blamed."""
        for slot in chunk.slots:
            slot.chunk, slot.suspect = None, True
        if len(chunk.slots) > 1:
            return
        (slot,) = chunk.slots
        slot.lost += 1
        if slot.lost >= TRIES or isinstance(error, LostWorkerError):
            slot.outcome = Outcome(error=_words(error), lost=True)

    def close(self) -> None:
        """Give up what is not done."""
        for slot in self.slots:
            if slot.chunk is not None:
                slot.chunk.future.cancel()
        if self._spare is not None:
            self._spare.kill()


def _words(error: Exception) -> str:
    if isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker":  # Dask's
        return "the worker was killed"
    return f"the worker failed: {' '.join(f'{type(error).__name__}: {error}'.split())}"
