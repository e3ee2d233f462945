"""The command that finds answers: solve."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.cli.boards import answers
from pyasp_puzzles.cli.exit import Ending, ending, style, write
from pyasp_puzzles.cli.options import (
    MOST,
    Distinct,
    Encoding,
    Extra,
    Files,
    Jobs,
    Json,
    Lines,
    Output,
    Puzzles,
    Resume,
    Scheduler,
    Seed,
    Stats,
    Threads,
    Timeout,
    settings,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.batches.parcel import Task
    from pyasp_puzzles.cli.output import Answers
    from pyasp_puzzles.puzzles.puzzle import Instance


def solve(
    files: Files,
    number: Annotated[
        int, typer.Option("-n", "--number", min=1, max=MOST, metavar="N", help="Up to N answers a board.")
    ] = 1,
    every: Annotated[bool, typer.Option("--all", help="All answers.")] = False,
    decided: Annotated[bool, typer.Option("--decided", help="Only what holds in every answer.")] = False,
    possible: Annotated[bool, typer.Option("--possible", help="Whatever holds in some answer.")] = False,
    lines: Lines = None,
    as_json: Json = False,
    output: Output = None,
    resume: Resume = False,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    distinct: Distinct = None,
    encoding: Encoding = None,
    extra: Extra = None,
    puzzles: Puzzles = None,
    timeout: Timeout = None,
    seed: Seed = None,
    threads: Threads = 1,
    stats: Stats = False,
) -> None:
    """Print an answer of each board, or several, or all."""
    from pyasp_puzzles.cli.output import write_json, write_text
    from pyasp_puzzles.queries.solve import consequences, solutions

    with ending(as_json=as_json and output is None) as end:
        how = settings(encoding, extra, timeout, seed, threads, puzzles)
        several = every or number > 1
        kind = "decided" if decided else "possible" if possible else ""
        if kind:
            _exclusive(decided, possible, every, number > 1, distinct is not None)
        if jobs is not None and scheduler is not None:
            raise typer.BadParameter("--jobs and --scheduler do not go together")
        if resume and output is None:
            raise typer.BadParameter("--resume goes with --output FILE.jsonl")

        def task() -> Task:
            from pyasp_puzzles.batches.parcel import Task

            return Task(0 if every else number, how, distinct, kind, statistics=stats)

        if any(option is not None for option in (lines, output, jobs, scheduler)):
            from pyasp_puzzles.cli.batch import Many, solve_many

            many = Many(files, lines, output, resume, jobs, scheduler)
            solve_many(many, task(), end, as_json=as_json, several=several)
            return
        ask = partial(solutions, limit=0 if every else number, distinct=distinct)
        if kind:
            ask = partial(consequences, kind=kind)

        def elsewhere(boards: Iterator[Instance], end: Ending) -> Iterator[tuple[Instance, Answers]]:
            from pyasp_puzzles.cli.batch import solve_elsewhere

            return solve_elsewhere(boards, task() if as_json else task()._replace(style=style()), end)

        runs = answers(files, ask, end, how, stats=stats, elsewhere=elsewhere)
        if as_json:
            write_json(runs, write)
        else:
            write_text(runs, write, style(), several=several)


def _exclusive(*chosen: bool) -> None:
    if sum(chosen) > 1:
        raise typer.BadParameter("--decided, --possible, --all, -n and --distinct do not go together")
