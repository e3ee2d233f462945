"""What is to be reached, and what was."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .collected import LISTS
from .peers import CADICAL, CADICAL_ASSUMED, MULTI, OURS, SEED
from .race import standings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .race import Standing
    from .suite import Results

RATIOS: tuple[tuple[tuple[str, ...], tuple[str, ...], float], ...] = (
    (LISTS, (MULTI,), 10),
    (LISTS, (CADICAL, CADICAL_ASSUMED), 2),
    (("suguru", "tectonic 10x10, made"), (MULTI,), 1.5),
    (("strips/hunt and strips/final",), (SEED,), 20),
)
"""On which boards, than the fastest of which ways to use a solver, and how many times as fast."""
SINGLES = "sudoku solved by singles, made"
NEAR = 0.9
"""The share of the machine's own gain from two processes that two jobs are to reach."""
FREE = 1.7
"""What two independent processes gain at least on two cores that nothing else is using."""


class Target(NamedTuple):
    """One thing to be reached."""

    what: str
    goal: str
    found: str
    reached: bool
    open: str = ""
    """Why it cannot be said, from this run."""


def targets(results: Results) -> Iterator[Target]:
    """Yield what is to be reached, as far as it was measured."""
    for names, peers, factor in RATIOS:
        for name in names:
            best = _fastest(results, name, peers)
            if best:
                told = f"{times(best.by_median)} by medians, {times(best.by_total)} by totals"
                reached = min(best.by_median, best.by_total) >= factor
                yield Target(f"{name}, against {best.peer}", f"{factor:g} times as fast", told, reached)
    yield from _processes(results)
    for jobs in results.jobs:
        found = f"{jobs.gain:.2f} times as fast; the machine: {jobs.machine:.2f}"
        goal = f"{NEAR:.0%} of what two independent processes gain here"
        busy = "" if jobs.machine >= FREE else "the machine was busy"
        yield Target("Tectonics, two jobs against one", goal, found, jobs.gain >= NEAR * jobs.machine, busy)
    yield from _explanations(results)


def sought(results: Results, name: str) -> Iterator[tuple[str, float]]:
    """Yield what a board of a collection may take at most, in seconds: against whom, and the median."""
    for names, peers, factor in RATIOS:
        best = _fastest(results, name, peers) if name in names else None
        if best:
            yield best.peer, best.median / factor


def _fastest(results: Results, name: str, peers: tuple[str, ...]) -> Standing | None:
    """Return how the fastest of some ways to use a solver stands beside us."""
    race = results.races.get(name)
    found = [s for s in standings(race, peers, OURS) if s.boards] if race else []
    return min(found, key=lambda standing: standing.by_median, default=None)


def _processes(results: Results) -> Iterator[Target]:
    for process in results.processes:
        own = process.seconds.get(OURS)
        if own is None:
            continue
        if process.name == "one Tectonic, 10x10" and MULTI in process.seconds:
            ratio = process.seconds[MULTI] / own
            what = f"{process.name}, whole process, against {MULTI}"
            yield Target(what, "5 times as fast", f"{times(ratio)}", ratio >= 5)
        if process.name == "one Strata, 80x80":
            yield Target(f"{process.name}, whole process", "1 s", seconds(own), own <= 1)


def _explanations(results: Results) -> Iterator[Target]:
    goals = {
        SINGLES: ("longest", 0.5),
        "sudoku-17-clue": ("median", 1.0),
        "sudoku-magictour": ("median", 3.0),
        "sudoku-hardest": ("longest", 30.0),
        "tectonic 10x10": ("median", 1.0),
    }
    for explained in results.explained:
        if explained.name in goals and explained.times:
            which, goal = goals[explained.name]
            found = explained.longest if which == "longest" else explained.median
            some = len(explained.times)
            what = f"{explained.name}, a whole explanation, {which} of {some}"
            left = which == "longest" and found <= goal and some < explained.boards
            left_out = f"{some} of {explained.boards} boards were explained" if left else ""
            yield Target(what, f"{goal:g} s", seconds(found), found <= goal, left_out)


def seconds(value: float) -> str:
    """Return a time in words."""
    unit, size = next(((unit, size) for unit, size in (("s", 1.0), ("ms", 1e-3)) if value >= size), ("µs", 1e-6))
    return f"{value / size:.3g} {unit}" if value < 1000 * size else f"{value / size:.0f} {unit}"


def times(ratio: float) -> str:
    """Return a ratio in words."""
    return f"{ratio:.2f}x" if ratio < 10 else f"{ratio:.0f}x"
