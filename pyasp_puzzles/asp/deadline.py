"""Time limits: `Deadline`, a moment; `run_in_thread`, a call with a limit; `uninterrupted`, a block without Ctrl-C."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from functools import cache
from threading import TIMEOUT_MAX, Lock, Thread, active_count, get_ident, main_thread, stack_size
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, TypeVar

from pyasp_puzzles.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

# clingo recurses as deep as terms are nested. A thread takes only as much of its stack as it needs.
_STACK_BYTES = 64 * 2**20


# Seconds for "no limit": half of the longest wait that Python accepts, so that adding a few seconds does not overflow.
_UNLIMITED = TIMEOUT_MAX / 2


class Deadline:
    """A moment some seconds from now; `None` is no limit."""

    __slots__ = ("_moment",)

    def __init__(self, seconds: float | None = None) -> None:
        self._moment = monotonic() + (_UNLIMITED if seconds is None else min(_UNLIMITED, seconds))

    def left(self) -> float:
        """Return how many seconds are left, at least 0."""
        return max(0.0, self._moment - monotonic())

    def late(self) -> bool:
        """Return whether the deadline has passed."""
        return monotonic() >= self._moment

    def check(self) -> None:
        """Raise if the deadline has passed; long loops in Python call this in each round.

        Raises:
            OutOfTime: it has.
        """
        if self.late():
            raise OutOfTime

    def __repr__(self) -> str:
        return f"Deadline({self.left():.3f})"

    def __reduce__(self) -> tuple[type[Deadline], tuple[float]]:
        """Pickle as the seconds that are left: another process may have another clock."""
        return Deadline, (self.left(),)


Result = TypeVar("Result")

# `stack_size` sets the size for all threads that start next, so only one thread may start at a time.
_STACK_LOCK = Lock()


class _ReusedThread:
    """A thread that makes one call after another.

    Starting a thread for each call took 0.12 to 0.25 ms, up to a tenth of the time for a small board; waking one that
    waits takes 0.05 at most. `idle` are the threads that wait; a forked process has none of them.
    """

    idle: ClassVar[list[_ReusedThread]] = []

    def __init__(self) -> None:
        self._calls: list[Callable[[], None]] = []
        self._wake = Lock()
        self._wake.acquire()
        with _STACK_LOCK:
            usual = stack_size(_STACK_BYTES)
            Thread(target=self._run, daemon=True).start()
            stack_size(usual)

    def _run(self) -> None:
        while True:
            self._wake.acquire()
            self._calls.pop()()

    def start(self, call: Callable[[], None]) -> None:
        """Make a call in the thread."""
        self._calls.append(call)
        self._wake.release()


os.register_at_fork(after_in_child=_ReusedThread.idle.clear)


def run_in_thread(work: Callable[[], Result], seconds: float) -> list[Result]:
    """Return `[work()]`, or an empty list if it takes longer than `seconds`; exceptions of `work` are raised here.

    After a timeout the thread keeps running until the process ends: nothing can stop a grounding in clingo 5.
    """
    results: list[Result] = []
    errors: list[Exception] = []
    try:
        worker = _ReusedThread.idle.pop()
    except IndexError:
        worker = _ReusedThread()
    working = Lock()

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:  # noqa: BLE001 (raised again in the waiting thread)
            errors.append(error)
        finally:
            _ReusedThread.idle.append(worker)
            working.release()

    working.acquire()
    worker.start(run)
    # Not `Thread.join`, which aborted the process.
    finished = working.acquire(timeout=max(0, seconds))
    if errors:
        raise errors[0]
    if not finished:
        _exit_at_once()
    return list(results)


def busy_threads() -> int:
    """Return how many threads are at work; those that wait for a call of `run_in_thread` are not."""
    return active_count() - len(_ReusedThread.idle)


@cache
def _exit_at_once() -> None:
    """Let the process end without destroying clingo's global data, which the thread that was left running still uses.

    Python crashed at exit in 6 of 8 runs without it. `on_exit` passes the exit code on; only glibc has it.
    """
    from ctypes import CDLL

    with suppress(AttributeError, OSError, TypeError):
        libc = CDLL(None)
        libc.on_exit(libc._exit, None)  # noqa: SLF001 (its name in C)


class uninterrupted:  # noqa: N801 (used as a function)
    """A block in which Ctrl-C is delayed until it ends, in the main thread.

    Raised while clingo calls back into Python, the exception is lost or ends the process: 12 of 60 interrupts during
    many quick questions did. Within another such block, this does nothing: to change what Ctrl-C does takes a third of
    the time of a quick question.
    """

    inside = False
    """Whether the main thread is in such a block."""

    def __enter__(self) -> None:
        self._outermost = get_ident() == main_thread().ident and not uninterrupted.inside
        self._handler = signal.getsignal(signal.SIGINT) if self._outermost else None
        self._frames: list[FrameType | None] = []
        if callable(self._handler):
            signal.signal(signal.SIGINT, lambda _, frame: self._frames.append(frame))
        if self._outermost:  # last: Ctrl-C before the line above would leave it true
            uninterrupted.inside = True

    def __exit__(self, *_: object) -> None:
        if self._outermost:
            uninterrupted.inside = False
        if callable(self._handler):
            signal.signal(signal.SIGINT, self._handler)
            if self._frames:
                self._handler(signal.SIGINT, None)
