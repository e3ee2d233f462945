"""The commands that ask something of boards: solve, count, check."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from .ending import ANSWERED, NO_ANSWER, OUT_OF_TIME, Ending, complain, ending, style, write
from .options import MOST, Distinct, Encoding, Extra, File, Files, Json, Seed, Stats, Threads, Timeout, settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyasp_puzzles.errors import EncodingError
    from pyasp_puzzles.puzzle import Instance
    from pyasp_puzzles.query import Solutions
    from pyasp_puzzles.search import Search


def solve(
    files: Files,
    number: Annotated[
        int, typer.Option("-n", "--number", min=1, max=MOST, metavar="N", help="Up to N answers a board.")
    ] = 1,
    every: Annotated[bool, typer.Option("--all", help="All answers.")] = False,
    decided: Annotated[bool, typer.Option("--decided", help="Only what holds in every answer.")] = False,
    possible: Annotated[bool, typer.Option("--possible", help="Whatever holds in some answer.")] = False,
    as_json: Json = False,
    distinct: Distinct = None,
    encoding: Encoding = None,
    extra: Extra = None,
    timeout: Timeout = None,
    seed: Seed = None,
    threads: Threads = 1,
    stats: Stats = False,
) -> None:
    """Print an answer of each board, or several, or all."""
    from pyasp_puzzles.query import consequences, solutions
    from pyasp_puzzles.report import write_json, write_text

    with ending() as end:
        how = settings(encoding, extra, timeout, seed, threads)
        ask = partial(solutions, limit=0 if every else number, settings=how, distinct=distinct)
        if decided or possible:
            _exclusive(decided, possible, every, number > 1, distinct is not None)
            ask = partial(consequences, kind="decided" if decided else "possible", settings=how)
        runs = _runs(files, ask, end, stats=stats)
        if as_json:
            write_json(runs, write)
        else:
            write_text(runs, write, style(), several=every or number > 1)


def _exclusive(*chosen: bool) -> None:
    if sum(chosen) > 1:
        raise typer.BadParameter("--decided, --possible, --all, -n and --distinct do not go together")


def _runs(
    names: list[str], ask: Callable[[Instance], Solutions], end: Ending, *, stats: bool
) -> Iterator[tuple[Instance, Solutions]]:
    """Yield each board with its answers to come."""
    from pyasp_puzzles.query import Solutions

    for instance in instances(names, end):
        try:
            answers = ask(instance)
        except KeyboardInterrupt:
            yield instance, Solutions()
            raise
        yield instance, answers
        if not answers.found:
            end.at_least(NO_ANSWER)
        if answers.search and not conclude(answers.search, end, stats=stats):
            return


def conclude(search: Search, end: Ending, *, stats: bool) -> bool:
    """Say what is to be said after a search; return whether others may follow."""
    warn(search.warnings)
    if stats:
        complain(
            ", ".join(
                f"{key} {value:.3f} s" if isinstance(value, float) else f"{key} {value}"
                for key, value in search.statistics().items()
            )
        )
    if search.timed_out:
        end.at_least(OUT_OF_TIME)
    if search.abandoned:
        complain("the grounding did not end in time; as it cannot be stopped, no further board is begun")
    return not search.abandoned


def warn(warnings: Sequence[EncodingError]) -> None:
    """Print what clingo noticed in the user's rules, none of it an error."""
    for warning in warnings:
        complain("\n".join(filter(None, [f"warning: {warning}", warning.excerpt])))


def instances(names: list[str], end: Ending) -> Iterator[Instance]:
    """Yield the boards of all files; a file that is wrong is said, and the others go on."""
    from pyasp_puzzles.errors import PuzzleError
    from pyasp_puzzles.instance import files, load

    for name in names:
        try:
            for _, source in files(name):
                try:
                    yield from load(source)
                except PuzzleError as error:
                    end.complain(error)
        except PuzzleError as error:
            end.complain(error)


def count(
    files: Files,
    limit: Annotated[
        int, typer.Option(min=0, max=MOST, metavar="N", help="Count up to N, and say `at least N`; 0: all.")
    ] = 0,
    as_json: Json = False,
    distinct: Distinct = None,
    encoding: Encoding = None,
    extra: Extra = None,
    timeout: Timeout = None,
    seed: Seed = None,
    threads: Threads = 1,
    stats: Stats = False,
) -> None:
    """Print how many answers each board has, exactly."""
    from pyasp_puzzles.query import Counting
    from pyasp_puzzles.verdicts import write_count

    with ending() as end:
        how = settings(encoding, extra, timeout, seed, threads)
        for instance in instances(files, end):
            counting = Counting(instance, limit, how, distinct)
            try:
                counting.run()
            except KeyboardInterrupt:
                write_count(instance, counting.so_far, write, as_json=as_json)
                raise
            write_count(instance, counting.so_far, write, as_json=as_json)
            if counting.timed_out:
                end.at_least(OUT_OF_TIME)
            if counting.search and not conclude(counting.search, end, stats=stats):
                return


def check(
    file: File,
    answer: Annotated[
        str | None,
        typer.Argument(
            metavar="[ANSWER]",
            help="A file with an answer, full or in part: a grid, a laying order, or what solve --json printed; - for"
            " standard input.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    encoding: Encoding = None,
    extra: Extra = None,
    timeout: Timeout = None,
    seed: Seed = None,
    threads: Threads = 1,
) -> None:
    """Say whether a puzzle has just one answer, and if not, what is wrong; or which rules ANSWER breaks, and where."""
    from pyasp_puzzles.answer_file import read_answers
    from pyasp_puzzles.checking import broken, verdict
    from pyasp_puzzles.verdicts import write_broken, write_verdict

    with ending() as end:
        how = settings(encoding, extra, timeout, seed, threads)
        boards = list(instances([file], end))
        if answer is not None and boards:
            for instance, given in read_answers(boards, answer):
                rules = broken(instance, given, how)
                write_broken(instance, given, rules, write, style(), as_json=as_json)
                end.at_least(OUT_OF_TIME if rules is None else NO_ANSWER if rules else ANSWERED)
            return
        for instance in boards:
            said = verdict(instance, how)
            warn(said.warnings)
            write_verdict(instance, said, write, style(), as_json=as_json)
            end.at_least({"unique": ANSWERED, "unknown": OUT_OF_TIME}.get(said.status, NO_ANSWER))
