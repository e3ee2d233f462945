"""Whole processes, from the start of Python to the last line: ours by its command, the others by a few lines of Python.

And the same with two jobs, beside what this machine makes of two processes that have nothing to do with one another.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from . import checks, ours
from .board import instance_file, packed
from .peers import OURS, kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .board import Board

ROOT = Path(__file__).parents[1]


class Process(NamedTuple):
    """What was asked of whole processes: {solver: median seconds}, and who was late, or wrong."""

    name: str
    boards: int
    seconds: dict[str, float]
    failed: dict[str, str]
    ends: dict[str, int]
    """How many boards have one answer, several, or none."""


class Jobs(NamedTuple):
    """Boards solved by one job, and by two at once, in seconds; and two processes of one job each at once."""

    boards: int
    one: float
    two: float
    pair: float

    @property
    def gain(self) -> float:
        """How much faster two jobs are."""
        return self.one / self.two

    @property
    def machine(self) -> float:
        """How much more two independent processes do than one, in the same time."""
        return 2 * self.one / self.pair


def processes(name: str, boards: Sequence[Board], peers: Sequence[str], repeats: int, limit: float) -> Process:
    """Return the times of whole processes, the solvers in turn; each answers all of the boards."""
    able = [peer for peer in peers if boards[0].puzzle in kind(peer).puzzles]
    times: dict[str, list[float]] = {peer: [] for peer in able}
    failed: dict[str, str] = {}
    ends: dict[str, int] = {}
    with TemporaryDirectory() as directory:
        toml, data = Path(directory, "boards.toml"), Path(directory, "boards.json")
        toml.write_text(instance_file(list(boards)), encoding="utf-8")
        data.write_text(json.dumps([packed(board) for board in boards]), encoding="utf-8")
        for repeat in range(repeats):
            for peer in able:
                if peer in failed:
                    continue
                command = [sys.executable, "-m", "benchmarks.once", peer, str(data)]
                command = ours.solve_command(toml) if peer == OURS else command
                started = perf_counter()
                try:
                    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=limit, check=False)  # noqa: S603
                except subprocess.TimeoutExpired:
                    failed[peer] = f"more than {limit:.0f} s"
                    continue
                times[peer].append(perf_counter() - started)
                said = _said(peer, done.stdout.decode())
                if repeat == 0 and not _right(boards, said):
                    failed[peer] = "wrong, or not up to it"
                if peer == OURS:
                    ends = {end: [s[1] for s in said].count(end) for end in ("unique", "several", "none")}
    medians = {peer: median(seconds) for peer, seconds in times.items() if seconds and peer not in failed}
    return Process(name, len(boards), medians, failed, ends)


def _said(peer: str, text: str) -> list[tuple[object, str]]:
    """Return the answer to each board, and whether it is the only one."""
    lines = map(json.loads, text.splitlines())
    if peer != OURS:
        return [(line[0], "unique" if line[1] else "several") if line and line[0] else (None, "none") for line in lines]
    return [
        (ours.common(line["solutions"][0]), "unique" if len(line["solutions"]) == 1 and line["complete"] else "several")
        if line["solutions"]
        else (None, "none")
        for line in lines
    ]


def _right(boards: Sequence[Board], said: Sequence[tuple[object, str]]) -> bool:
    answers = [answer for answer, _ in said]
    return len(answers) == len(boards) and not any(
        answer is None or checks.broken(board, answer) for board, answer in zip(boards, answers, strict=True)
    )


def jobs(boards: Sequence[Board], repeats: int) -> Jobs | None:
    """Return what two jobs gain; None if the command has no jobs."""
    if not ours.has_jobs():
        return None
    times: dict[str, list[float]] = {"one": [], "two": [], "pair": []}
    with TemporaryDirectory() as directory:
        file = Path(directory, "boards.toml")
        file.write_text(instance_file(list(boards)), encoding="utf-8")
        one = ours.solve_command(file, 1)
        ways = {"one": [one], "two": [ours.solve_command(file, 2)], "pair": [one, one]}
        for _ in range(repeats):
            for way, commands in ways.items():
                times[way].append(_together(commands))
    return Jobs(len(boards), *(median(times[way]) for way in ways))


def _together(commands: Sequence[Sequence[str]]) -> float:
    started = perf_counter()
    with ExitStack() as stack:
        running = [
            stack.enter_context(subprocess.Popen(command, stdout=subprocess.DEVNULL))  # noqa: S603
            for command in commands
        ]
        for process in running:
            process.wait()
    return perf_counter() - started
