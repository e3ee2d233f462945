"""How cost grows: boards of one kind, larger and larger, each solver until it takes too long.

Series   for each solver or kind of board {side: seconds}, the median over the boards of a size
"""

from __future__ import annotations

from itertools import product
from math import isqrt
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from . import boards
from .peers import CADICAL_ASSUMED, NAMES, OURS, able
from .race import DECIDED, Job, apart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .board import Board

ENDS = {"wrong": "its answer is wrong", "failed": "it fails", "refused": "not up to larger ones"}


class Growth(NamedTuple):
    """How the cost of one kind of board grows."""

    name: str
    series: dict[str, dict[int, float]]
    ended: dict[str, str]
    """Why a series has no more sizes, where it has not reached the last."""
    unique: dict[int, tuple[int, int]]
    """For each size, how many of its boards have one answer, and how many there are."""


class Growing(NamedTuple):
    """How far to go."""

    limit: float
    """Seconds for the boards of a size together."""
    numbers: int
    """Boards of each size."""
    quick: bool
    """Whether to leave out the larger sizes."""

    def all(self) -> Iterator[Growth]:
        """Yield the growth of each kind of board."""
        sides: tuple[int, ...] = (10, 20, 40) if self.quick else (10, 20, 40, 60, 80, 100, 140, 200)
        yield self._by_solver("Strata", sides, lambda n, i: boards.strata(n, n, i))
        sides = (4, 9, 16) if self.quick else (4, 9, 16, 25, 36)
        yield self._by_solver("Sudoku", sides, lambda n, i: boards.large_sudoku(isqrt(n), i))
        sides = (5, 10, 20) if self.quick else (5, 10, 15, 20, 30, 40, 50, 60)
        yield self._by_solver("Tectonic", sides, lambda n, i: boards.tectonic(n, n, i))
        yield self._strips((4, 5, 6, 8) if self.quick else (4, 5, 6, 8, 10, 12, 15, 20, 25, 30))

    def _by_solver(self, name: str, sides: Sequence[int], make: Callable[[int, int], Board]) -> Growth:
        made = {side: [make(side, number) for number in range(1, self.numbers + 1)] for side in sides}
        solvers = able(made[sides[0]][0].puzzle)
        growth = Growth(name, {peer: {} for peer in solvers if peer != CADICAL_ASSUMED}, {}, {})
        for side, some in made.items():
            for peer in growth.series:
                if peer not in growth.ended:
                    self._point(growth, peer, side, some)
        return growth

    def _strips(self, sides: Sequence[int]) -> Growth:
        growth = Growth("Strips", {}, {}, {})
        for longest, colors in product((3, 4, 5, 6), (2, 3, 4)):
            label = f"longest {longest}, {colors} colours"
            growth.series[label] = {}
            for side in sides:
                made = [boards.strips(side, longest, colors, number) for number in range(1, self.numbers + 1)]
                some = [board for board in made if board is not None]
                if len(some) < self.numbers:
                    growth.ended[label] = "there are not strips enough"
                if label not in growth.ended:
                    self._point(growth, label, side, some)
        return growth

    def _point(self, growth: Growth, label: str, side: int, some: Sequence[Board]) -> None:
        """Add the point of a size to a series, or end the series."""
        peer = label if label in NAMES else OURS
        runs = list(apart(Job(some, [peer], self.limit, self.limit, small(some[0].puzzle))))
        endings = [run.ending for run in runs]
        if len(runs) == len(some) and DECIDED.issuperset(endings):
            growth.series[label][side] = median(run.seconds for run in runs)
            if peer == OURS:
                said = growth.unique.get(side, (0, 0))
                growth.unique[side] = (said[0] + endings.count("unique"), said[1] + len(endings))
        elif reason := next((ENDS[ending] for ending in endings if ending in ENDS), ""):
            growth.ended[label] = reason
        else:
            growth.ended[label] = f"more than {self.limit:.0f} s"


def small(puzzle: str) -> list[Board]:
    """Return a small board, to solve before the time counts."""
    strips = boards.strips(4, 3, 2, 0)
    assert strips is not None
    known: dict[str, Board] = {
        "sudoku": boards.large_sudoku(2, 0),
        "strimko": boards.large_sudoku(2, 0)._replace(puzzle="strimko"),
        "tectonic": boards.tectonic(5, 5, 0),
        "strips": strips,
        "strata": boards.strata(3, 3, 0),
    }
    return [known[puzzle]]
