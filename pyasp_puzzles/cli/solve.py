"""The commands `solve` and `count`."""

# Without `from __future__ import annotations`, as in `cli.options`.

from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.options import ANSWERS, MANY_BOARDS, OUTPUT, STRATA, STRIPS, option, refuse_options_together
from pyasp_puzzles.cli.output import output_error_line, output_json_line, write_json_output, write_text_output
from pyasp_puzzles.cli.run import ABANDONED_MESSAGE, LinesRun, Run, write_run_statistics
from pyasp_puzzles.cli.terminal import (
    ProgressLine,
    is_terminal,
    stdout_style,
    write_stderr,
    write_stdout,
    write_wrapped,
)
from pyasp_puzzles.errors import EncodingError, PuzzleError, listing, printable
from pyasp_puzzles.render.text import TextStyle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor
    from typing import TypeAlias

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.batches.batch import Task
    from pyasp_puzzles.batches.records import Records
    from pyasp_puzzles.cli.files import OutputFiles
    from pyasp_puzzles.cli.output import FoundAnswers, Write
    from pyasp_puzzles.model.answer import Count
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.record import Outcome
    from pyasp_puzzles.queries.solve import Solutions

    Result: TypeAlias = tuple[Instance, Outcome]


_SCHEDULER = "Solve on the Dask cluster with this scheduler, such as tcp://HOST:8786; needs pyasp-puzzles[dask]."
_OUTPUT = (
    "Write to this file: .txt answers as text, .json or .jsonl JSON Lines, a line for each board, .svg or .png a"
    " picture of one answer. With --to, boards to this file, or a file for each to this directory."
)
_RECORDS, _TEXT, _PICTURES = (".json", ".jsonl"), ".txt", (".svg", ".png")
_CLICKS = (
    "Print where to click in a picture to lay the ribbons, bottom to top. Each line has the pixels from the left and"
    " from the top, and the color."
)
_OUTLINES = "Draw boards cut into pieces with _ and |, N boards in a row."
_RESUME = "Continue the --output of an interrupted run, skipping the boards that it contains."


def solve_command(
    run: LinesRun,
    boards: options.SearchOptions,
    number: Annotated[int | None, options.number_option("How many answers to find for each board.")] = 1,
    every: Annotated[bool, option(ANSWERS, "Print all answers.", "--all")] = False,
    decided: Annotated[bool, option(ANSWERS, "Print what holds in every answer.", "--decided")] = False,
    possible: Annotated[bool, option(ANSWERS, "Print what holds in some answer.", "--possible")] = False,
    distinct: options.Distinct = None,
    clicks: Annotated[bool, option(STRATA, _CLICKS, "--clicks")] = False,
    jobs: options.Jobs = None,
    scheduler: Annotated[str | None, option(MANY_BOARDS, _SCHEDULER, metavar="ADDRESS")] = None,
    output: Annotated[Path | None, option(OUTPUT, _OUTPUT, "-o", "--output", metavar="FILE")] = None,
    resume: Annotated[bool, option(MANY_BOARDS, _RESUME, "--resume")] = False,
    force: options.Force = False,
    to: options.To = None,
    outlines: Annotated[int | None, option(STRIPS, _OUTLINES, min=1, max=1000, metavar="N")] = None,
    stats: options.Stats = False,
) -> None:
    """Print one answer for each board, several with -n, or all with --all.

    With --all, --json prints a line for each answer. With --jobs, a board that kills its process is reported, and the
    rest are solved.

    Examples:
      pyasp solve tectonic/seed
      pyasp solve my.toml --all --json
      pyasp solve --as sudoku list.txt --jobs 4 -o answers.jsonl

    Exit codes: 0 all boards have answers, 1 some board has none
    """
    as_json, number = run.as_json, number or 1
    if output == Path("-") and to is None:
        as_json, output = True, None
    suffix = _suffix(output) if output and to is None else ""
    kind = "decided" if decided else "possible" if possible else ""
    named = {"--decided": decided, "--possible": possible, "--all": every, "--number": number > 1}
    refuse_options_together(named | {"--distinct": bool(kind) and distinct is not None})
    refuse_options_together({"--jobs": jobs, "--scheduler": scheduler})
    refuse_options_together({"--resume": resume, "--force": force, "--to": to})
    others = {"--outlines": outlines, "--stats": stats, "--jobs": jobs, "--scheduler": scheduler}
    if to is not None or clicks:
        only = {"--output": output} if clicks else {"--json": as_json}
        refuse_options_together({"--to": to, "--clicks": clicks, "--distinct": distinct, **named, **others, **only})
        if to is None:
            _write_clicks(boards, run)
        else:
            _solve_to(boards, to, output, run, force=force)
        return
    recorded = output is not None and suffix in _RECORDS
    refuse_options_together({"--outlines": outlines, "--json or --output": as_json or recorded})
    refuse_options_together({f"--output {output}": output and not recorded, "--json": as_json, "--resume": resume})
    if resume and output is None:
        raise options.UsageError("--resume goes with --output FILE.jsonl")
    if output is not None and suffix in _PICTURES:
        refuse_options_together({f"--output {output}": True, "--distinct": distinct, **named, **others})
        _draw(boards, output, run, force=force)
        return

    run.as_json = as_json and output is None
    several, limit = every or number > 1, 0 if every else number
    file = _new_file(output, force=force) if output is not None and suffix == _TEXT else None
    records = None if file else output
    form = (TextStyle() if file else stdout_style())._replace(outlines=outlines or 0)

    def task() -> "Task":
        from pyasp_puzzles.batches.batch import Task

        return Task(limit, boards.settings, distinct, kind, style=None if as_json else form, statistics=stats)

    from pyasp_puzzles.queries.solve import solutions, solutions_in_common

    with file or nullcontext():
        write = file.write if file else write_wrapped
        if any(option is not None for option in (records, jobs, scheduler)):
            job = _SolveJob(boards, records, resume, force, jobs, scheduler, apart=every)
            _solve_job(job, task(), run, write, several=several)
            return
        ask = partial(solutions_in_common, kind=kind) if kind else partial(solutions, limit=limit, distinct=distinct)
        results = _results(run.boards(boards), ask, run, task, stats=stats)
        if as_json:
            write_json_output(results, apart=every)
        else:
            write_text_output(results, write, form, several=several)


def _suffix(output: Path) -> str:
    """Return the suffix of a file, which says what is written to it; a device gets JSON Lines.

    Raises:
        BadParameter: nothing is written to files with this suffix.
    """
    suffix = output.suffix.lower()
    if output.exists() and not (output.is_file() or output.is_dir()):
        return _RECORDS[0]
    if suffix not in {*_RECORDS, _TEXT, *_PICTURES}:
        suffixes = listing((_TEXT, *_RECORDS, *_PICTURES))
        raise options.option_error(
            "--output", str(output), f"has an unknown suffix; choose {suffixes}, or a format with --to"
        )
    return suffix


def _new_file(output: Path, *, force: bool) -> "OutputFiles":
    from pyasp_puzzles.cli.files import OutputFiles  # late: to solve a board does not need it

    return OutputFiles(output=output, force=force, directories=False)


def _draw(boards: options.SearchOptions, output: Path, run: LinesRun, *, force: bool) -> None:
    """Draw the answer of the only board; errors as for `write_drawing`."""
    from pyasp_puzzles.cli.draw import drawings_of, write_drawing

    with _new_file(output, force=force) as out:
        write_drawing(drawings_of(run.boards(boards), run, solved=True), out, run)


def _solve_to(boards: options.SearchOptions, to: str, output: Path | None, run: LinesRun, *, force: bool) -> None:
    """Write each board with an answer in a format.

    Raises:
        PuzzleError: there is no such format, or it cannot store an answer.
    """
    from pyasp_puzzles.cli.files import OutputFiles
    from pyasp_puzzles.cli.show import convert_boards
    from pyasp_puzzles.formats.format import find_format, formats
    from pyasp_puzzles.queries.solve import solve

    wanted = find_format(to)
    if not wanted.answers:
        able = listing(name for name, other in formats().items() if other.answers)
        raise PuzzleError(f"{to} cannot store an answer; use --to {able}")
    solved = (board._replace(solution=answer) for board, answer in run.answered(run.boards(boards), solve))
    with OutputFiles(output=output, force=force) as out:
        convert_boards(solved, wanted, out, run.report)


def _write_clicks(boards: options.SearchOptions, run: LinesRun) -> None:
    """Write where to click to give an answer to each board.

    Raises:
        PuzzleError: an answer is no laying order, or a board is not from a picture.
    """
    from dataclasses import asdict

    from pyasp_puzzles.queries.solve import solve

    for instance, answer in run.answered(run.boards(boards), solve):
        clicks = answer.clicks(instance)
        if run.as_json:
            write_stdout(output_json_line(instance, {"clicks": [asdict(click) for click in clicks]}))
        else:
            write_stdout("".join(f"{click.x} {click.y} {click.color}\n" for click in clicks))


def _results(
    boards: "Iterator[tuple[Instance, Settings]]",
    ask: "Callable[..., Solutions]",
    run: LinesRun,
    task: "Callable[[], Task]",
    *,
    stats: bool,
) -> "Iterator[tuple[Instance, FoundAnswers]]":
    """Yield each board with its answers; after a search that cannot be stopped, a worker finds them."""
    for instance, timed in boards:
        try:
            answers = ask(instance, settings=timed)
        except KeyboardInterrupt:
            from pyasp_puzzles.model.record import Outcome

            yield instance, Outcome(status="unknown")
            raise
        yield instance, answers
        run.ended("satisfiable" if answers.found else "unsatisfiable")
        if not run.conclude(answers.search, stats=stats):
            from pyasp_puzzles.batches.batch import in_order, lost_outcome, run_task
            from pyasp_puzzles.batches.workers import started_workers

            rest, function = (instance for instance, _ in boards), partial(run_task, task=task())
            with started_workers(1) as worker:
                yield from _reported(run, in_order(rest, function, worker, lost_outcome))
            return


# -- Many boards: workers, a cluster, records -------------------------------------------------------


class _SolveJob(NamedTuple):
    """Which boards to solve, where, and where the answers go."""

    boards: options.BoardOptions
    output: Path | None
    resume: bool
    force: bool
    jobs: int | None
    scheduler: str | None
    apart: bool
    """Whether each answer is a line of JSON, except in the file of `output`."""


def _solve_job(job: _SolveJob, task: "Task", run: Run, write: "Write", *, several: bool) -> None:
    """Solve the boards of a job, and write the results in order, as text with `write`.

    Raises:
        PuzzleError: the job cannot be started, or the rules are wrong.
    """
    from pyasp_puzzles.batches.batch import run_task
    from pyasp_puzzles.formats.format import check_format

    check_format(job.boards.format, task.settings.puzzles)
    with ExitStack() as stack:
        records = stack.enter_context(_records(job, task)) if job.output else None
        if records is not None:
            task = task._replace(style=None)
        executor = stack.enter_context(_executor(job))
        sizes = _sizes(job.boards) if is_terminal() else {}
        progress = stack.enter_context(ProgressLine("{count} boards, {rate:.0f} a second", sum(sizes.values())))
        function = partial(run_task, task=task)
        if records is None:
            results = _reported(run, run.outcomes(job.boards, function, executor))
            results = _counted(results, progress, sizes)
            if run.as_json:
                write_json_output(results, apart=job.apart)
            else:
                write_text_output(results, write, task.style or stdout_style(), several=several)
            return
        for status in records.statuses:
            run.ended(status)
        outcomes = run.outcomes(
            job.boards,
            function,
            executor,
            lambda error: records.write_error(output_error_line(error)),
            lambda board: (board.source, board.number) in records,
        )
        for board, outcome in _counted(_reported(run, outcomes), progress, sizes):
            records.write(output_json_line(board, outcome.record()))
        records.finish()


def _reported(run: Run, results: "Iterable[Result]") -> "Iterator[Result]":
    """Yield boards with their outcomes, and report each after it was written.

    Raises:
        EncodingError: the rules are wrong, and no board has been solved with them yet.
    """
    proven = False
    for board, outcome in results:
        if outcome.failed and not proven and not outcome.answers:
            text, _, excerpt = outcome.error.partition("\n")
            error = EncodingError(text, excerpt=excerpt)
            error.about = board.about
            raise error
        proven = proven or not outcome.failed
        yield board, outcome
        run.warn(outcome.warnings)
        if outcome.error:
            run.once(outcome.error if outcome.failed else f"{board.facts.where}: {outcome.error}")
        run.ended("unsatisfiable" if outcome.status == "unknown" else outcome.status)
        if outcome.timed_out:
            run.ended("unknown")
        if outcome.statistics is not None:
            write_run_statistics(outcome.statistics)


def _counted(results: "Iterable[Result]", progress: ProgressLine, sizes: "Mapping[str, int]") -> "Iterator[Result]":
    """Yield boards with their outcomes, and show how many lines of all files are done; `sizes` are theirs."""
    before = dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False))
    for board, outcome in results:
        yield board, outcome
        where = board.facts.where
        progress.count += 1
        progress.completed = before.get(where.source, 0) + (where.line or 1)


def _records(job: _SolveJob, task: "Task") -> "Records":
    """Open the file of records, with the options that distinguish this job from others."""
    from pyasp_puzzles.batches.records import Records

    assert job.output is not None
    settings = task.settings
    chosen: dict[str, object] = {
        "limit": task.limit if task.limit != 1 else None,
        "kind": task.kind,
        "distinct": task.distinct,
        "encoding": settings.encoding and str(settings.encoding),
        "extra": [str(path) for path in settings.extra],
    }
    given = {name: value for name, value in chosen.items() if value not in (None, "", [])}
    return Records(
        job.output,
        resume=job.resume,
        force=job.force,
        options=given,
        sources=set(_sources(job.boards)) if job.resume else None,
    )


def _sources(boards: options.BoardOptions) -> "Iterator[str]":
    """Yield the files of a job, as records name them; a name that cannot be read is itself a source."""
    from pyasp_puzzles.formats.load import load_inputs

    for name in boards.files:
        yield name
        with suppress(PuzzleError):
            yield from (item.source for item in load_inputs(name, boards.format, boards.settings.puzzles, boards.shows))


@contextmanager
def _executor(job: _SolveJob) -> "Iterator[Executor | None]":
    """Yield the executor of a job; None for this process."""
    from pyasp_puzzles.batches.workers import connected_cluster, started_workers

    if job.scheduler is not None:
        import logging

        logging.disable()  # Dask logs lost connections with tracebacks
        with connected_cluster(job.scheduler) as executor:
            yield executor
    elif job.jobs is not None:
        with started_workers(job.jobs) as workers:
            yield workers
    else:
        yield None


def _sizes(boards: options.BoardOptions) -> dict[str, int]:
    """Return {file: its number of lines}, without files that cannot be read in advance."""
    from pyasp_puzzles.formats.load import LIST_SUFFIXES, is_stream, load_inputs

    sizes = {}
    for name in boards.files:
        with suppress(PuzzleError, OSError):
            for entry in load_inputs(name, boards.format, boards.settings.puzzles, boards.shows):
                if entry.path is not None:
                    is_list = entry.path.suffix in LIST_SUFFIXES and not is_stream(entry.source)
                    sizes[entry.source] = _count_lines(entry.path) if is_list else 1
    return sizes


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(2**20), b""))


# -- Counting -------------------------------------------------------------------------------------


def count_command(
    run: LinesRun,
    boards: options.SearchOptions,
    number: Annotated[int | None, options.number_option("Count up to N.")] = None,
    distinct: options.Distinct = None,
    stats: options.Stats = False,
) -> None:
    """Print the number of answers to each board.

    The number is exact, and may be large: answers are counted without being read. With -n N, counting stops at N, and
    `at least N` is printed.

    Examples:
      pyasp count sudoku/easy
      pyasp count strata/seed --distinct looks
      pyasp count my.toml -n 1000

    Exit codes: 0 all boards were counted
    """
    from pyasp_puzzles.model.answer import Count
    from pyasp_puzzles.queries.solve import count_answers_directly, solutions

    limit = number or 0
    for instance, timed in run.boards(boards):
        answers = None
        try:
            counted = count_answers_directly(instance, limit, timed, distinct)
            if counted is None:
                answers = solutions(instance, limit, timed, distinct)
                counted = answers.count()
        except KeyboardInterrupt:
            so_far = answers.counted if answers else Count(0, exact=False)
            write_stdout(_count_line(instance, so_far, boards.files, as_json=run.as_json))
            raise
        write_stdout(_count_line(instance, counted, boards.files, as_json=run.as_json))
        if answers and not run.conclude(answers.search, stats=stats):
            write_stderr(ABANDONED_MESSAGE)
            return


def _count_line(instance: "Instance", count: "Count", files: "Sequence[str]", *, as_json: bool) -> str:
    """Return a count, and which board it is about if there may be several."""
    if as_json:
        return output_json_line(instance, {"count": count.number, "exact": count.exact})
    if not instance.total:
        return f"{count}\n"  # of a list, on its line
    number = f", board {instance.number}" if instance.total > 1 else ""
    several = number or len(files) > 1 or Path(files[0]) in Path(instance.source).parents  # in a directory
    return f"{count}{f'  {printable(instance.source)}{number}' if several else ''}\n"
