"""Solve boards that come in collections, go to other processes, or leave records; none costs another its answer."""

from __future__ import annotations

import sys
from collections import deque
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.batches.batch import answered, killed, said
from pyasp_puzzles.batches.parcel import Outcome, Task, Told
from pyasp_puzzles.batches.records import Records
from pyasp_puzzles.cli.boards import check_reading, read, tell
from pyasp_puzzles.cli.exit import BAD_INPUT, NO_ANSWER, OUT_OF_TIME, Ending, complain, style, write
from pyasp_puzzles.cli.output import error_line, json_line, write_text
from pyasp_puzzles.cli.progress import Rate, kept, on_terminal
from pyasp_puzzles.errors import EncodingError, PuzzleError
from pyasp_puzzles.formats.load import STDIN, SUFFIXES, files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor

    from pyasp_puzzles.puzzles.puzzle import Instance

    Item = Instance | PuzzleError

PAUSE = 0.02
"""Seconds after which it is said that the next board takes a while."""
MOST_READ = 1000
"""Boards that are read before they are needed."""
MOST_SAID = 100
"""Messages that are not said again."""


class Many(NamedTuple):
    """Which boards, who solves them, and where the answers go."""

    names: list[str]
    lines: str | None
    output: Path | None
    resume: bool
    jobs: int | None
    scheduler: str | None


def solve_many(many: Many, task: Task, end: Ending, *, as_json: bool, several: bool) -> None:
    """Solve boards, and write what comes of them, in order.

    Raises:
        PuzzleError: nothing can be begun.
    """
    check_reading(many.lines)
    with ExitStack() as stack:
        records = stack.enter_context(_records(many, task)) if many.output else None
        if not as_json and records is None:
            task = task._replace(style=style())
        executor = stack.enter_context(_executor(many))
        rate = stack.enter_context(kept(Rate(_sizes(many) if on_terminal() else {})))
        log = _Log(end, rate)
        log.record = records.refuse if records is not None else log.write if as_json else None
        items = read(many.names, many.lines, task.settings.puzzles)
        live = executor is not None and {"-", STDIN} & set(many.names)
        boards = _boards(_unhurried(items) if live else items, records, log)
        runs = _concluded(answered(boards, task, executor), log)
        if records is not None:
            for status in records.statuses:
                end.at_least(
                    {"satisfiable": 0, "unsatisfiable": NO_ANSWER, "error": BAD_INPUT}.get(status, OUT_OF_TIME)
                )
            _write_records(runs, records.write, log)
            if not log.stopped:
                records.finish()
        elif as_json:
            _write_records(runs, log.write, log)
        else:
            told = ((instance, Told(found)) for instance, found in runs)
            write_text(told, log.write, style(), several=several)


def solve_elsewhere(boards: Iterator[Instance], task: Task, end: Ending) -> Iterator[tuple[Instance, Told]]:
    """Yield boards with what came of them in a worker: here, clingo is left at work on what cannot be stopped."""
    from pyasp_puzzles.batches.workers import Workers

    with killed(Workers(1)) as workers:
        for instance, found in _concluded(answered(boards, task, workers), _Log(end, Rate({}))):
            yield instance, Told(found)


class _Log:
    """What is said while boards are solved, with the progress out of the way."""

    def __init__(self, end: Ending, rate: Rate) -> None:
        self.end = end
        self.rate = rate
        self.stopped = False
        """Whether boards are left that nobody has looked at."""
        self.record: Callable[[str], object] | None = None
        """What takes the records of what cannot be read."""
        self._begun = self._written = 0
        self._refused: deque[tuple[int, PuzzleError]] = deque()
        """What cannot be read, and how many boards come before it: its record waits for theirs."""
        self._together = sys.stdout.isatty()
        self._said: deque[str] = deque(maxlen=MOST_SAID)

    def write(self, text: str) -> None:
        """Write to standard output."""
        if self._together:
            self.rate.clear()
        write(text)

    def complain(self, message: str) -> None:
        """Say something that is wrong, unless it was said a short while ago."""
        if message not in self._said:
            self._said.append(message)
            self.rate.clear()
            complain(message)

    def refuse(self, error: PuzzleError) -> None:
        """Say what is wrong with the input."""
        self.rate.clear()
        error.recorded = True
        self.end.complain(error)
        self._refused.append((self._begun, error))
        self.record_refused()

    def begin(self) -> None:
        """Note that the next board is on its way."""
        self._begun += 1

    def written(self) -> None:
        """Note that the record of the next board is written."""
        self._written += 1
        self.record_refused()

    def record_refused(self) -> None:
        """Write the records of what cannot be read, as far as it is their turn."""
        while self._refused and self._refused[0][0] <= self._written:
            _, error = self._refused.popleft()
            if self.record is not None:
                self.record(error_line(error))


def _boards(items: Iterable[Item | None], records: Records | None, log: _Log) -> Iterator[Instance | None]:
    """Yield the boards that are still to be done, and None where the next may take a while; say what is wrong."""
    for item in items:
        if isinstance(item, PuzzleError):
            log.refuse(item)
        elif item is None or records is None or (item.source, item.board) not in records:
            if item is not None:
                log.begin()
            yield item


def _unhurried(items: Iterable[Item]) -> Iterator[Item | None]:
    """Yield what a thread reads, and None whenever it has to wait for that."""
    ready: Queue[Item | None] = Queue(MOST_READ)

    def run() -> None:
        try:
            for item in items:
                ready.put(item)
        finally:
            ready.put(None)

    Thread(target=run, daemon=True).start()
    while True:
        try:
            item = ready.get(timeout=PAUSE)
        except Empty:
            yield None
            continue
        if item is None:
            return
        yield item


def _concluded(runs: Iterable[tuple[Instance, Outcome]], log: _Log) -> Iterator[tuple[Instance, Outcome]]:
    """Yield boards with what came of them; then say what is to be said of each.

    Raises:
        EncodingError: the rules are wrong, and have not been right for any board before.
    """
    right = False
    for instance, found in runs:
        wrong = bool(found.error) and not found.lost
        if wrong and not right and not found.answers:
            message, _, excerpt = found.error.partition("\n")
            error = EncodingError(message, excerpt=excerpt)
            error.about = instance.about
            raise error
        right = right or not wrong
        yield instance, found
        where = instance.facts.where
        log.rate.done(where.source, where.line or 1)
        for warning in found.warnings:
            log.complain(warning)
        if found.error:
            log.complain(f"{where}: {found.error}" if found.lost else found.error)
            log.end.at_least(OUT_OF_TIME if found.lost else BAD_INPUT)
        elif not found.answers:
            log.end.at_least(NO_ANSWER)
        if found.timed_out:
            log.end.at_least(OUT_OF_TIME)
        if found.statistics is not None:
            log.rate.clear()
            tell(found.statistics)


def _write_records(runs: Iterable[tuple[Instance, Outcome]], write: Callable[[str], object], log: _Log) -> None:
    for instance, found in runs:
        write(json_line(instance, said(found)))
        log.written()


def _records(many: Many, task: Task) -> Records:
    """Return the file of records, with what tells this job from another."""
    assert many.output is not None
    how = task.settings
    options: dict[str, object] = {
        "limit": task.limit if task.limit != 1 else None,
        "kind": task.kind,
        "distinct": task.distinct,
        "encoding": how.encoding and str(how.encoding),
        "extra": [str(path) for path in how.extra],
    }
    asked = {name: value for name, value in options.items() if value not in (None, "", [])}
    return Records(many.output, resume=many.resume, options=asked, sources=set(_sources(many)) if many.resume else None)


def _sources(many: Many) -> Iterator[str]:
    """Yield what the files are called; one that cannot be read goes by its name."""
    for name in many.names:
        yield name
        with suppress(PuzzleError):
            yield from (source for _, source in files(name, many.lines))


@contextmanager
def _executor(many: Many) -> Iterator[Executor | None]:
    """Yield who solves the boards; None is we ourselves."""
    if many.scheduler is not None:
        import logging

        from pyasp_puzzles.batches.cluster import connected

        logging.disable()  # what Dask tells of its connections, with tracebacks, helps nobody here
        with connected(many.scheduler) as executor:
            yield executor
    elif many.jobs is not None:
        from pyasp_puzzles.batches.workers import Workers

        with killed(Workers(many.jobs)) as workers:
            yield workers
    else:
        yield None


def _sizes(many: Many) -> dict[str, int]:
    """Return {what a file is called: its lines}; files that cannot be read beforehand are left out."""
    sizes = {}
    for name in many.names:
        try:
            for path, source in files(name, many.lines):
                if path is not None:
                    sizes[source] = 1 if many.lines is None or path.suffix in SUFFIXES else _count(path)
        except (PuzzleError, OSError):
            continue
    return sizes


def _count(path: Path) -> int:
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(2**20), b""))
