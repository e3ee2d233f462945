"""The job of the command `solve`: lists, worker processes, clusters and record files."""

from __future__ import annotations

from collections import deque
from contextlib import ExitStack, contextmanager, suppress
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pyasp_puzzles.batches.batch import batch_outcomes, batch_outcomes_in_worker
from pyasp_puzzles.batches.records import Records
from pyasp_puzzles.cli.output import output_error_line, output_json_line, output_records, write_text_output
from pyasp_puzzles.cli.run import Run, boards_of_run, write_run_statistics
from pyasp_puzzles.cli.terminal import ProgressLine, is_terminal, stdout_style, write_stdout
from pyasp_puzzles.cli.workers import pauses_of_workers
from pyasp_puzzles.errors import EncodingError, PuzzleError
from pyasp_puzzles.formats.format import check_format
from pyasp_puzzles.formats.load import LIST_SUFFIXES, STDIN, load_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from concurrent.futures import Executor

    from pyasp_puzzles.batches.tasks import Task
    from pyasp_puzzles.cli.options import BoardOptions
    from pyasp_puzzles.cli.output import Write
    from pyasp_puzzles.cli.workers import ReadBoard
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
        reporter = _Reporter(run, records, _sizes(job.boards) if is_terminal() else {})
        stack.enter_context(reporter.progress)
        boards: Iterable[ReadBoard] = boards_of_run(job.boards)
        if executor is not None and {"-", STDIN} & set(job.boards.files):
            boards = pauses_of_workers(boards)
        results = reporter.reported(batch_outcomes(reporter.readable(boards), task, executor))
        if records is not None:
            for status in records.statuses:
                run.ended(status)
            reporter.write_records(results, records.write)
            records.finish()
        elif run.as_json:
            reporter.write_records(results, write_stdout, apart=job.apart)
        else:
            write_text_output(results, write, task.style or stdout_style(), several=several)


def solve_job_in_worker(boards: Iterable[Instance], task: Task, run: Run) -> Iterator[Result]:
    """Yield boards with their outcomes from a worker, because clingo in this process cannot be stopped."""
    return _Reporter(run).reported(batch_outcomes_in_worker(boards, task))


class _Reporter:
    """Reports results and errors, and writes error records between the records of boards.

    `sizes` is {file: its number of lines}, as far as known.
    """

    def __init__(
        self, run: Run, records: Records | None = None, sizes: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        self._run, self._records = run, records
        self.progress = ProgressLine("{count} boards, {rate:.0f} a second", sum(sizes.values()))
        # {file: the number of lines in the files before it}
        self._offsets = dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False))
        self._read = self._written = 0
        # Errors of input, each with the number of boards before it; the records of these are written first.
        self._errors: deque[tuple[int, PuzzleError]] = deque()

    def readable(self, items: Iterable[ReadBoard]) -> Iterator[Instance | None]:
        """Yield the boards without a record, and pauses as None; report errors."""
        for item in items:
            if isinstance(item, PuzzleError):
                item.recorded = True
                self._run.report(item)
                self._errors.append((self._read, item))
                self._write_errors()
            elif item is None:
                yield None
            elif self._records is None or (item.source, item.number) not in self._records:
                self._read += 1
                yield item

    def reported(self, results: Iterable[Result]) -> Iterator[Result]:
        """Yield boards with their outcomes, and report each after it was written.

        Raises:
            EncodingError: the rules are wrong, and no board has been solved with them yet.
        """
        proven = False
        for instance, outcome in results:
            if outcome.failed and not proven and outcome.status != "satisfiable":
                text, _, excerpt = outcome.error.partition("\n")
                error = EncodingError(text, excerpt=excerpt)
                error.about = instance.about
                raise error
            proven = proven or not outcome.failed
            yield instance, outcome
            self._outcome(instance, outcome)

    def write_records(self, results: Iterable[Result], write: Write, *, apart: bool = False) -> None:
        """Write a record of each result, or of each answer, and error records where they belong."""
        for instance, outcome in results:
            *before, last = output_records(outcome.record()) if apart else [outcome.record()]
            write("".join(output_json_line(instance, record) for record in (*before, last)))
            self._written += 1
            self._write_errors()

    def _write_errors(self) -> None:
        while self._errors and self._errors[0][0] <= self._written:
            _, error = self._errors.popleft()
            if self._records is not None:
                self._records.write_error(output_error_line(error))
            elif self._run.as_json:
                write_stdout(output_error_line(error))

    def _outcome(self, instance: Instance, outcome: Outcome) -> None:
        where = instance.facts.where
        self.progress.count += 1
        self.progress.completed = self._offsets.get(where.source, 0) + (where.line or 1)
        for warning in outcome.warnings:
            self._run.once(warning)
        if outcome.error:
            self._run.once(f"{where}: {outcome.error}" if outcome.lost else outcome.error)
            self._run.ended("lost" if outcome.lost else "error")
        elif outcome.status != "satisfiable":
            self._run.ended("unsatisfiable")
        if outcome.timed_out:
            self._run.ended("unknown")
        if outcome.statistics is not None:
            write_run_statistics(outcome.statistics)


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

        from pyasp_puzzles.batches.cluster import connected_cluster

        logging.disable()  # Dask logs lost connections with tracebacks
        with connected_cluster(job.scheduler) as executor:
            yield executor
    elif job.jobs is not None:
        from pyasp_puzzles.batches.workers import Workers

        workers = Workers(job.jobs).start()
        try:
            yield workers
        finally:
            workers.kill()
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
