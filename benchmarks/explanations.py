"""Whole explanations: from the clues to the answer, each step with its rules, and that there is no other answer."""

from __future__ import annotations

from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from . import ours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .board import Board


class Explained(NamedTuple):
    """The explanations of some boards."""

    name: str
    boards: int
    """How many there are; those for which there was no time are not explained."""
    times: list[float]
    """Seconds, a board each."""
    steps: list[int]
    ends: set[str]
    """How they end."""

    @property
    def median(self) -> float:
        """The median, in seconds."""
        return median(self.times)

    @property
    def longest(self) -> float:
        """The longest, in seconds."""
        return max(self.times)


def explained(name: str, boards: Sequence[Board], budget: float) -> Explained:
    """Return the times of explanations, of as many boards as can be explained in so many seconds."""
    found = Explained(name, len(boards), [], [], set())
    for board in boards:
        if sum(found.times) > budget:
            break
        instance = ours.instance(board)
        started = perf_counter()
        steps = ours.steps(instance)
        found.times.append(perf_counter() - started)
        found.steps.append(len(steps))
        found.ends.add(steps[-1].status)
    return found
