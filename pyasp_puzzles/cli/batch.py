"""The job of the command `solve`: lists, worker processes, clusters and record files."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pyasp_puzzles.batches.batch import run_task
from pyasp_puzzles.batches.records import Records
from pyasp_puzzles.batches.workers import connected_cluster, started_workers
from pyasp_puzzles.cli.output import output_error_line, output_json_line, write_json_output, write_text_output
from pyasp_puzzles.cli.run import Run, write_run_statistics
from pyasp_puzzles.cli.terminal import ProgressLine, is_terminal, stdout_style
from pyasp_puzzles.errors import EncodingError, PuzzleError
from pyasp_puzzles.formats.format import check_format
from pyasp_puzzles.formats.load import LIST_SUFFIXES, load_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from concurrent.futures import Executor

    from pyasp_puzzles.batches.batch import Task
    from pyasp_puzzles.cli.options import BoardOptions
    from pyasp_puzzles.cli.output import Write
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.record import Outcome

    Result: TypeAlias = tuple[Instance, Outcome]


class SolveJob(NamedTuple):
    """Which boards to solve, where, and where the answers go."""

    boards: BoardOptions
    output: Path | None
    resume: bool
    force: bool
    jobs: int | None
    scheduler: str | None
    apart: bool
    """Whether each answer is a line of JSON, except in the file of `output`."""


def solve_job(job: SolveJob, task: Task, run: Run, write: Write, *, several: bool) -> None:
    """Solve the boards of a job, and write the results in order, as text with `write`.

    Raises:
        PuzzleError: the job cannot be started, or the rules are wrong.
    """
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
            results = reported(run, run.outcomes(job.boards, function, executor))
            results = _counted(results, progress, sizes)
            if run.as_json:
                write_json_output(results, apart=job.apart)
            else:
                write_text_output(results, write, task.style or stdout_style(), several=several)
            return
        for status in records.statuses:
            run.ended(status)
        found = run.outcomes(
            job.boards,
            function,
            executor,
            lambda error: records.write_error(output_error_line(error)),
            lambda board: (board.source, board.number) in records,
        )
        for board, outcome in _counted(reported(run, found), progress, sizes):
            records.write(output_json_line(board, outcome.record()))
        records.finish()


def reported(run: Run, results: Iterable[Result]) -> Iterator[Result]:
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


def _counted(results: Iterable[Result], progress: ProgressLine, sizes: Mapping[str, int]) -> Iterator[Result]:
    """Yield boards with their outcomes, and show how many lines of all files are done; `sizes` are theirs."""
    before = dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False))
    for board, outcome in results:
        yield board, outcome
        where = board.facts.where
        progress.count += 1
        progress.completed = before.get(where.source, 0) + (where.line or 1)


def _records(job: SolveJob, task: Task) -> Records:
    """Open the file of records, with the options that distinguish this job from others."""
    assert job.output is not None
    settings = task.settings
    options: dict[str, object] = {
        "limit": task.limit if task.limit != 1 else None,
        "kind": task.kind,
        "distinct": task.distinct,
        "encoding": settings.encoding and str(settings.encoding),
        "extra": [str(path) for path in settings.extra],
    }
    given = {name: value for name, value in options.items() if value not in (None, "", [])}
    return Records(
        job.output,
        resume=job.resume,
        force=job.force,
        options=given,
        sources=set(_sources(job.boards)) if job.resume else None,
    )


def _sources(boards: BoardOptions) -> Iterator[str]:
    """Yield the files of a job, as records name them; a name that cannot be read is itself a source."""
    for name in boards.files:
        yield name
        with suppress(PuzzleError):
            yield from (one.source for one in load_inputs(name, boards.format, boards.settings.puzzles, boards.shows))


@contextmanager
def _executor(job: SolveJob) -> Iterator[Executor | None]:
    """Yield the executor of a job; None for this process."""
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


def _sizes(boards: BoardOptions) -> dict[str, int]:
    """Return {file: its number of lines}, without files that cannot be read in advance."""
    sizes = {}
    for name in boards.files:
        with suppress(PuzzleError, OSError):
            for one in load_inputs(name, boards.format, boards.settings.puzzles, boards.shows):
                if one.path is not None:
                    sizes[one.source] = _count_lines(one.path) if one.path.suffix in LIST_SUFFIXES else 1
    return sizes


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(2**20), b""))
