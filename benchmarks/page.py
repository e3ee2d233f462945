"""The page `docs/performance.md`, from what was measured."""

from __future__ import annotations

import platform
from datetime import date
from math import isnan
from os import cpu_count, getloadavg
from pathlib import Path
from typing import TYPE_CHECKING

from . import prose
from .peers import NAMES, OURS, installed, kind, packages
from .race import standings
from .targets import seconds, sought, targets, times

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .growth import Growth
    from .limits import Limit
    from .race import Race
    from .suite import Results
    from .whole import Process


def page(results: Results) -> str:
    """Return the page."""
    return "\n".join([prose.INTRO, "", *_machine(), *_targets(results), *_body(results), ""])


def tables(results: Results) -> str:
    """Return the tables alone."""
    return "\n".join([*_targets(results), *_results(results), ""])


def _body(results: Results) -> Iterator[str]:
    yield from _results(results)
    scale = results.scale
    yield prose.HOW.format(repeats=scale.repeats, limit=scale.limit, budget=scale.budget)
    for name in NAMES:
        version = installed(name)
        yield f"- *{name}*: {kind(name).how}." if version else f"- *{name}*: not installed, left out."
    yield from ("", prose.BOARDS, prose.RUN)


def _machine() -> Iterator[str]:
    system = f"{platform.system()} {platform.release().split('-')[0]}, {platform.machine()}"
    yield from ("## The machine", "")
    day = date.today()  # noqa: DTZ011 (the day where it was measured)
    yield f"{_processor()}, {cpu_count()} cores, {_memory()}, {system}; Python {platform.python_version()}; {day}."
    yield f"Load when the page was written: {', '.join(f'{load:.1f}' for load in getloadavg())} (1, 5, 15 minutes)."
    yield "Only ratios, taken in one run, carry over to other machines."
    yield ""
    yield from _table(["package", "version"], [[name, version or "not installed"] for name, version in packages()])


def _processor() -> str:
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text(encoding="utf-8").splitlines() if cpus.exists() else []
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor()
    )


def _memory() -> str:
    told = Path("/proc/meminfo")
    kilobytes = int(told.read_text(encoding="utf-8").split()[1]) if told.exists() else 0
    return f"{kilobytes / 2**20:.0f} GB" if kilobytes else "unknown memory"


def _targets(results: Results) -> Iterator[str]:
    rows = [
        [t.what, t.goal, t.found, f"open: {t.open}" if t.open else "yes" if t.reached else "**no**"]
        for t in targets(results)
    ]
    if rows:
        yield from ("## What was to be reached", "", *_table(["what", "goal", "measured", "reached"], rows))


def _results(results: Results) -> Iterator[str]:
    if results.races:
        yield from ("## In one process", "")
        for race in results.races.values():
            yield from _race(race)
    if results.limits:
        yield from ("## Where the time goes", "", prose.LIMITS)
        rows = [_limit(results, limit) for limit in results.limits]
        yield from _table(["boards", "ours", "goal", "clingo alone", "call by call"], rows, "lrrrl")
    if results.processes:
        yield from ("## Whole processes", "")
        yield prose.WHOLE
        for process in results.processes:
            yield from _process(process)
    for jobs in results.jobs:
        yield from ("## Two jobs", "")
        one, two = seconds(jobs.one), seconds(jobs.two)
        yield prose.JOBS.format(boards=jobs.boards, one=one, two=two, gain=jobs.gain, machine=jobs.machine)
    if results.explained:
        yield from ("## Explanations", "")
        yield prose.EXPLANATIONS
        rows = [
            [
                e.name,
                f"{len(e.times)} of {e.boards}",
                seconds(e.median),
                seconds(e.longest),
                f"{sum(e.steps) / len(e.steps):.0f}",
            ]
            for e in results.explained
            if e.times
        ]
        yield from _table(["boards", "explained", "median", "longest", "steps"], rows, "lrrrr")
    if results.growths:
        yield prose.GROWTH.format(grown=results.scale.grown, grow=results.scale.grow)
        for growth in results.growths:
            yield from _growth(growth)


def _race(race: Race) -> Iterator[str]:
    said = race.endings().values()
    ends = [f"{count} {word}" for word in ("unique", "several", "none") if (count := sum(word in s for s in said))]
    disputed = f"; **solvers disagree on {len(race.disputed())}**" if race.disputed() else ""
    yield f"**{race.name}**: {race.boards} boards ({', '.join(ends)}{disputed})"
    yield ""
    rows = []
    for s in standings(race, NAMES, OURS):
        own = s.peer == OURS
        ratios = ["", ""] if own else [times(s.by_median), times(s.by_total)]
        figures = ["", "", "", ""] if isnan(s.median) else [seconds(s.median), seconds(s.mean), *ratios]
        notes = {"late": s.late, "wrong": s.wrong, "failed": s.failed, "not taken": s.refused}
        rows.append([s.peer, str(s.boards), *figures, ", ".join(f"{n} {word}" for word, n in notes.items() if n)])
    yield from _table(["solver", "boards", "median", "mean", "by medians", "by totals", ""], rows, "lrrrrrl")


def _limit(results: Results, limit: Limit) -> list[str]:
    race = results.races.get(limit.name)
    own = seconds(standings(race, [OURS], OURS)[0].median) if race else ""
    goals = "; ".join(f"{seconds(most)} ({peer.partition(',')[0]})" for peer, most in sought(results, limit.name))
    calls = ", ".join(f"{call} {seconds(value)}" for call, value in limit.calls.items())
    return [limit.name, own, goals, seconds(limit.together), calls]


def _process(process: Process) -> Iterator[str]:
    own = process.seconds.get(OURS)
    boards = "" if process.boards == 1 else f", {process.boards} boards"
    yield f"**{process.name}{boards}** ({', '.join(f'{n} {end}' for end, n in process.ends.items() if n)})"
    yield ""
    rows = [
        [peer, seconds(value), "" if peer == OURS or own is None else times(value / own)]
        for peer, value in process.seconds.items()
    ]
    rows += [[peer, why, ""] for peer, why in process.failed.items()]
    yield from _table(["solver", "time", "times ours"], rows, "lrr")


def _growth(growth: Growth) -> Iterator[str]:
    sizes = sorted({size for series in growth.series.values() for size in series})
    slug = growth.name.lower()
    yield f"### {growth.name}"
    yield ""
    yield f"![{growth.name}: time against the side of the board](performance/{slug}.svg)"
    yield ""
    rows = [
        [name, *(seconds(series[size]) if size in series else "" for size in sizes), growth.ended.get(name, "")]
        for name, series in growth.series.items()
    ]
    rows += [["*boards with one answer*", *(_share(*growth.unique.get(size, (0, 0))) for size in sizes), ""]]
    yield from _table(["side", *map(str, sizes), "ends with"], rows, f"l{'r' * len(sizes)}l")


def _share(some: int, of: int) -> str:
    return f"{some} of {of}" if of else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> Iterator[str]:
    align = align or "l" * len(head)
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join('---:' if side == 'r' else '---' for side in align)}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""
