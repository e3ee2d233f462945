"""The commands `solve` and `count`."""

# Without `from __future__ import annotations`: typer would evaluate the text of each annotation twice, in 2 ms.

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.options import ANSWERS, MANY_BOARDS, option
from pyasp_puzzles.cli.output import json_line
from pyasp_puzzles.cli.run import ABANDONED, NO_ANSWER, Run, command_run
from pyasp_puzzles.cli.terminal import message, style, tell, write
from pyasp_puzzles.errors import listing, printable
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.batches.tasks import Task
    from pyasp_puzzles.cli.output import Answers
    from pyasp_puzzles.model.count import Count
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.queries.solve import Solutions


NUMBER = "Print up to N answers per board."
LIMIT = "Stop at N answers, and print `at least N`; 0: all."
JOBS = "Solve in N processes; a board that kills its process is reported, and the rest are solved."
SCHEDULER = "Solve on the Dask cluster with this scheduler, such as tcp://HOST:8786; needs pyasp-puzzles[dask]."
RECORDS = "Write JSON Lines to this new file."
CLICKS = (
    "Print where to click in a picture to lay the ribbons, bottom to top: the pixels from the left and from the top of"
    " the end of each, and its color."
)
TO = "Write each board with its answer in this format, such as penpa or sudokupad; see `pyasp list --formats`."
OUTLINES = "Draw boards cut into pieces with _ and |, N boards in a row."
RESUME = "Continue the --output of an interrupted run, skipping the boards that it contains."


def solve(
    files: options.Files,
    format: options.As = None,
    number: Annotated[int, option(ANSWERS, NUMBER, "-n", "--number", min=1, max=Limits.LARGEST_LIMIT, metavar="N")] = 1,
    every: Annotated[bool, option(ANSWERS, "Print all answers.", "--all")] = False,
    decided: Annotated[bool, option(ANSWERS, "Print what holds in every answer.", "--decided")] = False,
    possible: Annotated[bool, option(ANSWERS, "Print what holds in some answer.", "--possible")] = False,
    distinct: options.Distinct = None,
    clicks: Annotated[bool, option(ANSWERS, CLICKS, "--clicks")] = False,
    jobs: Annotated[int | None, option(MANY_BOARDS, JOBS, min=1, max=1024, metavar="N")] = None,
    scheduler: Annotated[str | None, option(MANY_BOARDS, SCHEDULER, metavar="ADDRESS")] = None,
    output: Annotated[Path | None, option(MANY_BOARDS, RECORDS, metavar="FILE.jsonl")] = None,
    resume: Annotated[bool, option(MANY_BOARDS, RESUME, "--resume")] = False,
    force: options.Force = False,
    as_json: options.Json = False,
    to: Annotated[
        str | None, option(options.OUTPUT, TO, "--to", metavar="FORMAT", autocompletion=options.offers("format"))
    ] = None,
    outlines: Annotated[int | None, option(options.OUTPUT, OUTLINES, min=1, max=1000, metavar="N")] = None,
    stats: options.Stats = False,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: options.Timeout = None,
    seed: options.Seed = None,
    threads: options.Threads = 1,
    puzzle: options.Shown = None,
    size: options.Size = None,
    colors: options.Colors = None,
    angle: options.Angle = None,
) -> None:
    """Print one answer for each board, several with -n, or all with --all."""
    with command_run(as_json=as_json and output is None) as run:
        search = options.settings(encoding, extra, timeout, seed, threads, puzzles)
        shows = options.shows(puzzle, size, colors, angle)
        several = every or number > 1
        limit = 0 if every else number
        kind = "decided" if decided else "possible" if possible else ""
        named = {"--decided": decided, "--possible": possible, "--all": every, "-n": number > 1}
        _refuse_together(named | {"--distinct": bool(kind) and distinct is not None})
        if to is not None or clicks:
            both = {"--outlines": outlines, "--stats": stats, "--jobs": jobs, "--scheduler": scheduler}
            only = {"--distinct": distinct} if clicks else {"--json": as_json}
            _refuse_together({"--to": to, "--clicks": clicks, **named, **both, **only, "--output": output})
            _solve_to(run.boards(files, search, format, shows), to, run, as_json=as_json)
            return
        _refuse_together({"--jobs": jobs, "--scheduler": scheduler is not None})
        _refuse_together({"--outlines": outlines, "--json or --output": as_json or output})
        if resume and output is None:
            raise typer.BadParameter("--resume goes with --output FILE.jsonl")
        if resume and force:
            raise typer.BadParameter("--resume and --force do not go together")

        form = style()._replace(outlines=outlines or 0)

        def task() -> "Task":
            from pyasp_puzzles.batches.tasks import Task

            return Task(limit, search, distinct, kind, style=None if as_json else form, statistics=stats)

        if any(option is not None for option in (output, jobs, scheduler)):
            from pyasp_puzzles.cli.batch import Job, solve_job

            job = Job(files, format, shows, output, resume, force, jobs, scheduler)
            solve_job(job, task(), run, as_json=as_json, several=several)
            return
        from pyasp_puzzles.cli.output import write_json, write_text
        from pyasp_puzzles.queries.solve import consequences, solutions

        ask = partial(consequences, kind=kind) if kind else partial(solutions, limit=limit, distinct=distinct)
        results = _results(run.boards(files, search, format, shows), ask, run, task, stats=stats)
        if as_json:
            write_json(results)
        else:
            write_text(results, tell, form, several=several)


def _refuse_together(given: "Mapping[str, object]") -> None:
    """Raise `BadParameter` if several of some options are given."""
    chosen = [name for name, value in given.items() if value]
    if len(chosen) > 1:
        raise typer.BadParameter(f"{listing(chosen, 'and')} do not go together")


def _solve_to(
    boards: "Iterator[tuple[Instance, Settings]]", to: str | None, run: Run, *, as_json: bool = False
) -> None:
    """Write each board with an answer in a format, or without one where to click.

    Raises:
        PuzzleError: there is no such format, or it cannot store an answer.
    """
    from pyasp_puzzles.cli.convert import write_boards
    from pyasp_puzzles.cli.files import Output
    from pyasp_puzzles.errors import PuzzleError
    from pyasp_puzzles.formats.format import find, formats
    from pyasp_puzzles.queries.solve import solve

    if to is None:
        _write_clicks(boards, run, as_json=as_json)
        return
    wanted = find(to)
    if not wanted.answers:
        able = listing(name for name, other in formats().items() if other.answers)
        raise PuzzleError(f"{to} cannot store an answer; use --to {able}")
    solved = (instance._replace(solution=answer) for instance, answer in run.answered(boards, solve))
    write_boards(solved, wanted, Output(None, force=False), run.report)


def _write_clicks(boards: "Iterator[tuple[Instance, Settings]]", run: Run, *, as_json: bool) -> None:
    """Write where to click to give an answer to each board.

    Raises:
        PuzzleError: an answer is no laying order, or a board is not from a picture.
    """
    from dataclasses import asdict

    from pyasp_puzzles.queries.solve import solve

    for instance, answer in run.answered(boards, solve):
        found = answer.clicks(instance)
        if as_json:
            write(json_line(instance, {"clicks": [asdict(click) for click in found]}))
        else:
            write("".join(f"{click.x} {click.y} {click.color}\n" for click in found))


def _results(
    boards: "Iterator[tuple[Instance, Settings]]",
    ask: "Callable[..., Solutions]",
    run: Run,
    task: "Callable[[], Task]",
    *,
    stats: bool,
) -> "Iterator[tuple[Instance, Answers]]":
    """Yield each board with its answers; if a search cannot be stopped, a worker finds those of the boards after it."""
    for instance, timed in boards:
        try:
            answers = ask(instance, settings=timed)
        except KeyboardInterrupt:
            from pyasp_puzzles.model.record import Outcome

            yield instance, Outcome()
            raise
        yield instance, answers
        if not answers.found:
            run.at_least(NO_ANSWER)
        if not run.conclude(answers.search, stats=stats):
            from pyasp_puzzles.cli.batch import solve_in_worker

            yield from solve_in_worker((instance for instance, _ in boards), task(), run)
            return


def count(
    files: options.Files,
    format: options.As = None,
    limit: Annotated[int, option(ANSWERS, LIMIT, min=0, max=Limits.LARGEST_LIMIT, metavar="N")] = 0,
    distinct: options.Distinct = None,
    as_json: options.Json = False,
    stats: options.Stats = False,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: options.Timeout = None,
    seed: options.Seed = None,
    threads: options.Threads = 1,
    puzzle: options.Shown = None,
    size: options.Size = None,
    colors: options.Colors = None,
    angle: options.Angle = None,
) -> None:
    """Print the number of answers to each board.

    The number is exact, and may be large: answers are counted without being read.
    """
    from pyasp_puzzles.model.count import Count
    from pyasp_puzzles.queries.solve import count_directly, solutions

    with command_run(as_json=as_json) as run:
        search = options.settings(encoding, extra, timeout, seed, threads, puzzles)
        shows = options.shows(puzzle, size, colors, angle)
        for instance, timed in run.boards(files, search, format, shows):
            answers = None
            try:
                found = count_directly(instance, limit, timed, distinct)
                if found is None:
                    answers = solutions(instance, limit, timed, distinct)
                    found = answers.count()
            except KeyboardInterrupt:
                so_far = answers.counted if answers else Count(0, exact=False)
                write(_count_line(instance, so_far, as_json=as_json))
                raise
            write(_count_line(instance, found, as_json=as_json))
            if answers and not run.conclude(answers.search, stats=stats):
                message(ABANDONED)
                return


def _count_line(instance: "Instance", found: "Count", *, as_json: bool) -> str:
    """Return a count, and which board it is about if its file has several."""
    if as_json:
        return json_line(instance, {"count": found.number, "exact": found.exact})
    name = f"  {printable(instance.source)}, board {instance.number}" if instance.total > 1 else ""
    return f"{found}{name}\n"
