"""The commands that ask whether a board is a good puzzle: count, check."""

from __future__ import annotations

from typing import Annotated

import typer

from .boards import all_timed, check_reading, conclude, instances, timed, warn
from .ending import ANSWERED, NO_ANSWER, OUT_OF_TIME, ending, style, write
from .options import (
    MOST,
    Distinct,
    Encoding,
    Extra,
    File,
    Files,
    Json,
    Lines,
    Puzzles,
    Seed,
    Stats,
    Threads,
    Timeout,
    settings,
)
from .progress import progress


def count(
    files: Files,
    limit: Annotated[
        int, typer.Option(min=0, max=MOST, metavar="N", help="Count up to N, and say `at least N`; 0: all.")
    ] = 0,
    lines: Lines = None,
    as_json: Json = False,
    distinct: Distinct = None,
    encoding: Encoding = None,
    extra: Extra = None,
    puzzles: Puzzles = None,
    timeout: Timeout = None,
    seed: Seed = None,
    threads: Threads = 1,
    stats: Stats = False,
) -> None:
    """Print how many answers each board has, exactly."""
    from pyasp_puzzles.query import Counting
    from pyasp_puzzles.verdicts import write_count

    with ending(as_json=as_json) as end:
        check_reading(lines)
        how = settings(encoding, extra, timeout, seed, threads, puzzles)
        for instance, left in timed(instances(files, end, lines, how.puzzles), how):
            counting = Counting(instance, limit, left, distinct)
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
    distinct: Distinct = None,
    encoding: Encoding = None,
    extra: Extra = None,
    puzzles: Puzzles = None,
    timeout: Timeout = None,
    seed: Seed = None,
    threads: Threads = 1,
) -> None:
    """Say whether a puzzle has just one answer, and if not, what is wrong; or which rules ANSWER breaks, and where."""
    from pyasp_puzzles.answer_file import read_answers
    from pyasp_puzzles.checking import reasoned, verdict
    from pyasp_puzzles.review import review
    from pyasp_puzzles.verdicts import begin_verdict, write_reasons, write_review, write_verdict

    with ending(as_json=as_json) as end:
        how = settings(encoding, extra, timeout, seed, threads, puzzles)
        if answer is not None:
            boards, how = all_timed(instances([file], end, puzzles=how.puzzles), how)
            codes = {"solved": ANSWERED, "right": ANSWERED, "unknown": OUT_OF_TIME}
            for instance, given in read_answers(boards, answer) if boards else ():
                end.board = instance
                found = review(instance, given, how)
                write_review(instance, given, found, write, style(), as_json=as_json)
                end.at_least(codes.get(found.status, NO_ANSWER))
                end.board = None  # what may be wrong with the next answer is not about this board
            return
        for instance, left in timed(instances([file], end, puzzles=how.puzzles), how):
            end.board = instance
            said = verdict(instance, left, distinct, reasons=False)
            warn(said.warnings)
            end.at_least({"unique": ANSWERED, "solvable": ANSWERED, "unknown": OUT_OF_TIME}.get(said.status, NO_ANSWER))
            if as_json:
                write_verdict(instance, reasoned(instance, said, left), write, style(), as_json=True)
                continue
            begin_verdict(instance, said, write, style())
            with progress("looking for the reason, part"):
                said = reasoned(instance, said, left)
            write_reasons(said, write)
