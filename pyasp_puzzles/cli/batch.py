"""`solve` for lists, worker processes, clusters and record files."""

from __future__ import annotations

import sys
from collections import deque
from contextlib import ExitStack, contextmanager, suppress
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pyasp_puzzles.batches.batch import outcomes, outcomes_in_worker
from pyasp_puzzles.batches.records import Records
from pyasp_puzzles.cli.jobs import with_pauses
from pyasp_puzzles.cli.output import error_line, json_line, write_text
from pyasp_puzzles.cli.run import BAD_INPUT, NO_ANSWER, OUT_OF_TIME, Run, read, write_statistics
from pyasp_puzzles.cli.terminal import Progress, message, on_terminal, style, tell, write
from pyasp_puzzles.errors import EncodingError, PuzzleError
from pyasp_puzzles.formats.format import check_format
from pyasp_puzzles.formats.load import LISTS, STDIN, inputs
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor

    from pyasp_puzzles.batches.tasks import Task
    from pyasp_puzzles.cli.jobs import Item
    from pyasp_puzzles.formats.format import Shows
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.record import Outcome

    Result: TypeAlias = tuple[Instance, Outcome]

# The exit code by the status of a record of an earlier run; any other status counts as out of time.
CODES = {"satisfiable": 0, "unsatisfiable": NO_ANSWER, "error": BAD_INPUT}


class Job(NamedTuple):
    """Which boards to solve, where, and where the answers go."""

    names: list[str]
    format: str | None
    shows: Shows | None
    output: Path | None
    resume: bool
    force: bool
    jobs: int | None
    scheduler: str | None


def solve_job(job: Job, task: Task, run: Run, *, as_json: bool, several: bool) -> None:
    """Solve the boards of a job, and write the results in order.

    Raises:
        PuzzleError: the job cannot be started, or the rules are wrong.
    """
    check_format(job.format, task.settings.puzzles)
    with ExitStack() as stack:
        records = stack.enter_context(_records(job, task)) if job.output else None
        if records is not None:
            task = task._replace(style=None)
        task = task._replace(as_json=as_json or records is not None)
        executor = stack.enter_context(_executor(job))
        sizes = _sizes(job, task.settings.puzzles) if on_terminal() else {}
        progress = Progress("{count} boards, {rate:.0f} a second", sum(sizes.values()))
        reporter = _Reporter(run, stack.enter_context(progress), sizes)
        reporter.write_record = records.write_error if records is not None else reporter.write if as_json else None
        boards: Iterable[Item] = read(job.names, task.settings, job.format, job.shows)
        if executor is not None and {"-", STDIN} & set(job.names):
            boards = with_pauses(boards)
        results = reporter.reported(outcomes(reporter.readable(boards, records), task, executor))
        if records is not None:
            for status in records.statuses:
                run.at_least(CODES.get(status, OUT_OF_TIME))
            reporter.write_records(results, records.write)
            records.finish()
        elif as_json:
            reporter.write_records(results, reporter.write)
        else:
            write_text(results, reporter.tell, task.style or style(), several=several)


def solve_in_worker(boards: Iterable[Instance], task: Task, run: Run) -> Iterator[Result]:
    """Yield boards with their outcomes, found by a worker: in this process, clingo cannot be stopped any more."""
    return _Reporter(run, Progress(""), {}).reported(outcomes_in_worker(boards, task))


class _Reporter:
    """Writes results, messages and error records, and clears the progress line for them.

    `sizes` is {file: its number of lines}.
    """

    def __init__(self, run: Run, progress: Progress, sizes: Mapping[str, int]) -> None:
        self._run = run
        self._progress = progress
        # {file: the number of lines in the files before it}
        self._offsets = dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False))
        self.write_record: Callable[[str], object] | None = None
        """Writes the record of an error."""
        self._read = self._written = 0
        # Errors of input, each with the number of boards before it, whose records are to be written first.
        self._errors: deque[tuple[int, PuzzleError]] = deque()
        self._same_terminal = sys.stdout.isatty()
        self._messages: deque[str] = deque(maxlen=Limits.MOST_REMEMBERED)

    def write(self, text: str) -> None:
        """Write to standard output."""
        self._clear()
        write(text)

    def tell(self, text: str) -> None:
        """Write sentences and pictures to standard output."""
        self._clear()
        tell(text)

    def _clear(self) -> None:
        """Clear the line of progress, if it is on the terminal that standard output goes to."""
        if self._same_terminal:
            self._progress.clear()

    def readable(self, items: Iterable[Item], records: Records | None) -> Iterator[Instance | None]:
        """Yield the boards that have no record yet, and pauses as None; report errors."""
        for item in items:
            if isinstance(item, PuzzleError):
                self._error(item)
            elif item is None:
                yield None
            elif records is None or (item.source, item.number) not in records:
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

    def write_records(self, results: Iterable[Result], write: Callable[[str], object]) -> None:
        """Write a record of each result, and the error records in their places."""
        for instance, outcome in results:
            write(json_line(instance, outcome.record_text or outcome.record()))
            self._written += 1
            self._write_errors()

    def _error(self, error: PuzzleError) -> None:
        """Report bad input."""
        self._progress.clear()
        error.recorded = True
        self._run.report(error)
        self._errors.append((self._read, error))
        self._write_errors()

    def _write_errors(self) -> None:
        """Write the error records that are next in order."""
        while self._errors and self._errors[0][0] <= self._written:
            _, error = self._errors.popleft()
            if self.write_record is not None:
                self.write_record(error_line(error))

    def _outcome(self, instance: Instance, outcome: Outcome) -> None:
        """Report the outcome of a board."""
        where = instance.facts.where
        self._progress.count += 1
        self._progress.completed = self._offsets.get(where.source, 0) + (where.line or 1)
        for warning in outcome.warnings:
            self._message(warning)
        if outcome.error:
            self._message(f"{where}: {outcome.error}" if outcome.lost else outcome.error)
            self._run.at_least(OUT_OF_TIME if outcome.lost else BAD_INPUT)
        elif outcome.status != "satisfiable":
            self._run.at_least(NO_ANSWER)
        if outcome.timed_out:
            self._run.at_least(OUT_OF_TIME)
        if outcome.statistics is not None:
            self._progress.clear()
            write_statistics(outcome.statistics)

    def _message(self, text: str) -> None:
        """Write a message, unless it was written recently."""
        if text not in self._messages:
            self._messages.append(text)
            self._progress.clear()
            message(text)


def _records(job: Job, task: Task) -> Records:
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
        sources=set(_sources(job, settings.puzzles)) if job.resume else None,
    )


def _sources(job: Job, puzzles: Sequence[Path]) -> Iterator[str]:
    """Yield the files of a job, as records name them; a name that cannot be read is itself a source."""
    for name in job.names:
        yield name
        with suppress(PuzzleError):
            yield from (given.source for given in inputs(name, job.format, puzzles, job.shows))


@contextmanager
def _executor(job: Job) -> Iterator[Executor | None]:
    """Yield the executor of a job; None for this process."""
    if job.scheduler is not None:
        import logging

        from pyasp_puzzles.batches.cluster import connected

        logging.disable()  # Dask logs lost connections with tracebacks
        with connected(job.scheduler) as executor:
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


def _sizes(job: Job, puzzles: Sequence[Path]) -> dict[str, int]:
    """Return {file: its number of lines}, without files that cannot be read in advance."""
    sizes = {}
    for name in job.names:
        with suppress(PuzzleError, OSError):
            for given in inputs(name, job.format, puzzles, job.shows):
                if given.path is not None:
                    listed = given.path.suffix in LISTS
                    sizes[given.source] = _count_lines(given.path) if listed else 1
    return sizes


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(2**20), b""))
