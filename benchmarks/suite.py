"""Everything that is measured, by name: which boards, which solvers, how long; and what is to be reached.

Scale    how much is done: `FULL`, about an hour, or `QUICK`, about a minute
Results  what came of it
"""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from . import boards, explanations, growth, limits, race, whole
from .collected import by_singles, made_sudokus
from .peers import CADICAL, CLINGO, CP_SAT, GRILOPS, KIT, MULTI, OURS, SEED, able, installed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .board import Board
    from .collected import Collections
    from .explanations import Explained
    from .growth import Growth
    from .limits import Limit
    from .race import Race
    from .whole import Jobs, Process

NAMES = ("sudoku", "tectonic", "strimko", "strips", "strata", "limits", "whole", "jobs", "explanations", "growth")


class Scale(NamedTuple):
    """How much is done."""

    boards: int
    """Boards of a collection, or boards that are made in its place; 0 for all."""
    made: int
    """Boards that are made."""
    repeats: int
    limit: float
    """Seconds for a board, for any solver."""
    budget: float
    """Seconds for all boards of a collection, for any solver and in each repeat."""
    explain: float
    """Seconds for the explanations of a collection."""
    grow: float
    """Seconds for the boards of a size."""
    grown: int
    """Boards of each size."""
    quick: bool


FULL = Scale(
    boards=0, made=40, repeats=3, limit=10.0, budget=20.0, explain=1200.0, grow=60.0, grown=3, quick=False
)  # fmt: skip
QUICK = Scale(boards=20, made=5, repeats=1, limit=2.0, budget=1.0, explain=2.0, grow=2.0, grown=1, quick=True)


class Results(NamedTuple):
    """What came of it."""

    scale: Scale
    races: dict[str, Race]
    limits: list[Limit]
    processes: list[Process]
    jobs: list[Jobs]
    explained: list[Explained]
    growths: list[Growth]


class Suite(NamedTuple):
    """What is measured."""

    scale: Scale
    collections: Collections

    def run(self, only: str | None) -> Results:
        """Measure everything, or one thing."""
        results = Results(self.scale, {}, [], [], [], [], [])
        others = {
            "limits": self._limits,
            "whole": self._whole,
            "jobs": self._jobs,
            "explanations": self._explanations,
            "growth": self._growth,
        }
        for name in NAMES:
            if only not in {None, name}:
                continue
            if name in others:
                others[name](results)
                continue
            for title, some in self.collections.of(name):
                say(f"{title}: {len(some)} boards")
                results.races[title] = self._raced(title, some)
        return results

    def _raced(self, title: str, some: Sequence[Board]) -> Race:
        scale, puzzle = self.scale, some[0].puzzle
        job = race.Job(some, able(puzzle), scale.limit, scale.budget, growth.small(puzzle))
        return race.race(title, job, scale.repeats)

    def _limits(self, results: Results) -> None:
        say("limits")
        results.limits.extend(limits.assumed(name, some) for name, some in self.collections.sudoku())
        for puzzle in ("tectonic", "strips"):
            results.limits.extend(limits.afresh(name, some) for name, some in self.collections.of(puzzle))

    def _whole(self, results: Results) -> None:
        peers = [name for name in (OURS, CLINGO, MULTI, KIT, CP_SAT, CADICAL, GRILOPS, SEED) if installed(name)]
        repeats = 2 if self.scale.quick else 7
        asked: dict[str, list[Board]] = {
            "one Tectonic, 10x10": self.collections.tens()[:1],
            "one Sudoku, 9x9": [*made_sudokus(1)],
            "strips/hunt and strips/final": list(boards.hunt()),
            "all Tectonics": self.collections.suguru(),
            "one Strata, 80x80": [boards.strata(80, 80, 1)],
        }
        for name, some in asked.items():
            say(f"whole processes: {name}")
            results.processes.append(whole.processes(name, some, peers, repeats, self.scale.grow))

    def _jobs(self, results: Results) -> None:
        say("jobs")
        quick = self.scale.quick
        found = whole.jobs(self.collections.suguru() * (1 if quick else 5), 2 if quick else 5)
        if found:
            results.jobs.append(found)

    def _explanations(self, results: Results) -> None:
        collections: dict[str, Sequence[Board]] = {
            "sudoku solved by singles, made": list(islice(by_singles(), self.scale.made)),
            **dict(self.collections.of("sudoku")),
            "tectonic 10x10": self.collections.tens(),
        }
        for name, some in collections.items():
            say(f"explanations: {name}")
            results.explained.append(explanations.explained(name, some, self.scale.explain))

    def _growth(self, results: Results) -> None:
        scale = self.scale
        for found in growth.Growing(scale.grow, scale.grown, scale.quick).all():
            say(f"growth: {found.name}")
            results.growths.append(found)


def say(what: str) -> None:
    """Tell what is being done."""
    sys.stderr.write(f"{what}\n")
    sys.stderr.flush()
