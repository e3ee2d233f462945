"""`Deadline`, the one moment by which a question is to be answered, with all the smaller questions that it takes."""

from __future__ import annotations

from threading import TIMEOUT_MAX
from time import monotonic

from .errors import OutOfTime

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
