"""`Deadline`, the moment by which a question must be answered, and work that is left behind when it passes."""

from __future__ import annotations

from threading import TIMEOUT_MAX, Event, Lock, Thread, stack_size
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from pyasp_puzzles.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable


LONGEST = TIMEOUT_MAX / 2
"""Seconds that stand for no limit: as many as Python can wait, with room for arithmetic."""


class Deadline:
    """A moment, so many seconds from now; none if there is no limit."""

    __slots__ = ("_moment",)

    def __init__(self, seconds: float | None = None) -> None:
        self._moment = monotonic() + (LONGEST if seconds is None else min(LONGEST, seconds))

    def left(self) -> float:
        """Return how many seconds are left, 0 if it is over."""
        return max(0.0, self._moment - monotonic())

    def late(self) -> bool:
        """Tell whether it is over."""
        return monotonic() >= self._moment

    def check(self) -> None:
        """Go on only if it is not over: what takes long in Python asks this again and again.

        Raises:
            OutOfTime: it is.
        """
        if self.late():
            raise OutOfTime

    def __repr__(self) -> str:
        return f"Deadline({self.left():.3f})"

    def __reduce__(self) -> tuple[type[Deadline], tuple[float]]:
        """Go to another process, whose clock may differ, as the seconds that are left."""
        return Deadline, (self.left(),)


Result = TypeVar("Result")

STACK = 64 * 2**20
"""Bytes for the thread, of which it only takes what it needs: clingo nests calls as deep as terms are."""
_LOCK = Lock()
"""The size of stacks is one for all threads."""


def aside(work: Callable[[], Result], seconds: float) -> list[Result]:
    """Do some work and return its result as `[result]`, or nothing if it takes longer; it may raise what the work does.

    Work that nobody waits for any more goes on until the process ends.
    """
    results: list[Result] = []
    errors: list[Exception] = []
    done = Event()

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:  # noqa: BLE001 (raised again by whoever waits)
            errors.append(error)
        finally:
            done.set()

    with _LOCK:
        usual = stack_size(STACK)
        Thread(target=run, daemon=True).start()
        stack_size(usual)
    done.wait(max(0, seconds))
    if errors:
        raise errors[0]
    return list(results)
