"""The commands `count` and `check`, and how their results are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.boards.grid import at, cells
from pyasp_puzzles.cli.boards import all_timed, check_reading, conclude, instances, timed, warn
from pyasp_puzzles.cli.exit import ANSWERED, NO_ANSWER, OUT_OF_TIME, ending, style, write
from pyasp_puzzles.cli.options import (
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
from pyasp_puzzles.cli.output import heading, json_line
from pyasp_puzzles.cli.progress import progress
from pyasp_puzzles.errors import listing, printable
from pyasp_puzzles.render.text import BOLD, Style, beside, visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyasp_puzzles.puzzles.answer import Answer
    from pyasp_puzzles.puzzles.puzzle import Instance
    from pyasp_puzzles.puzzles.wording import Broken
    from pyasp_puzzles.queries.check import Repair, Verdict
    from pyasp_puzzles.queries.review import Review
    from pyasp_puzzles.queries.solve import Count

    Write = Callable[[str], object]

MOST_ADDED = 12
"""Clues to add that are told; more help nobody."""
MOST_REPAIRS = 10
"""Sets of several clues to take back that are told."""
MOST_CELLS = 12
"""Cells that are listed one by one."""


def write_count(instance: Instance, count: Count, write: Write, *, as_json: bool) -> None:
    """Write how many answers a board has; with the board's name, if its file has several."""
    if as_json:
        write(json_line(instance, {"count": count.number, "exact": count.exact}))
    else:
        name = f"  {printable(instance.source)}, board {instance.board}" if instance.boards > 1 else ""
        write(f"{count}{name}\n")


def write_review(
    instance: Instance, answer: Answer, found: Review, write: Write, style: Style, *, as_json: bool
) -> None:
    """Write what there is to say of an answer: each broken rule with its name and cells, or how far it is right."""
    marked = {cell for rule in found.broken for cell in rule.cells} | {
        cell for entry in found.wrong for cell in entry.cells
    }
    if as_json:
        wrong = [{"words": entry.words, "cells": [list(cell) for cell in entry.cells]} for entry in found.wrong]
        said: dict[str, object] = {"status": found.status, "open": found.open, "wrong": wrong}
        known = found.status != "unknown"
        write(json_line(instance, said | {"broken": [rule.json() for rule in found.broken] if known else None}))
        return
    write(heading(instance, style))
    back = listing([entry.words for entry in found.wrong], "and")
    words = {
        "unknown": "Out of time.",
        "solved": "Solved.",
        "right": f"Right so far, {found.open} still open.",
        "none": "No rule is broken yet, but the board has no answer.",
        "stuck": f"No rule is broken yet, but it cannot be completed: take back {back}.",
    }
    lines = [
        rule.words if rule.rule == "unnamed" else f"{style.paint(rule.rule, BOLD)}  {rule.words}{_where(rule)}"
        for rule in found.broken
    ]
    write("\n".join(lines or [words[found.status]]) + "\n")
    if marked:
        write(answer.text(style, marked) + "\n")


def write_verdict(instance: Instance, verdict: Verdict, write: Write, style: Style, *, as_json: bool) -> None:
    """Write whether a board has one answer, several, or none, and what is wrong if it has not one."""
    if as_json:
        write(json_line(instance, _json(verdict)))
        return
    begin_verdict(instance, verdict, write, style)
    write_reasons(verdict, write)


def begin_verdict(instance: Instance, verdict: Verdict, write: Write, style: Style) -> None:
    """Write whether a board has one answer, several, or none; why stands in `write_reasons`, once that is known."""
    say = {
        "unique": _unique,
        "several": _several,
        "solvable": _solvable,
        "none": lambda *_: "No answer.",
        "unknown": _unknown,
    }[verdict.status]
    write(heading(instance, style) + say(verdict, style) + "\n")


def write_reasons(verdict: Verdict, write: Write) -> None:
    """Write why a board has no answer, or what would make one of several the only one."""
    lines = {"none": _why_none, "several": _to_add, "solvable": _free}.get(verdict.status, lambda _: [])(verdict)
    write("".join(f"{line}\n" for line in lines))


def _json(verdict: Verdict) -> dict[str, object]:
    return {
        "status": verdict.status,
        "solutions": [answer.json() for answer in verdict.answers],
        "differ": [list(cell) for cell in verdict.differ],
        "decided": verdict.decided,
        "cells": verdict.cells,
        "blamed": [rule.json() for rule in verdict.blamed],
        "without": _count(verdict.without),
        "repairs": [repair.json() for repair in verdict.repairs],
        "clash": [rule.json() for rule in verdict.clash],
        "add": [{"cell": list(entry.cells[0]), "value": entry.value} for entry in verdict.add],
        "looks": _count(verdict.looks),
        "stuck": verdict.stuck,
    }


def _count(count: Count | None) -> dict[str, object] | None:
    return None if count is None else {"count": count.number, "exact": count.exact}


def _unique(verdict: Verdict, style: Style) -> str:
    return f"Exactly one answer.\n{verdict.answers[0].text(style)}"


def _several(verdict: Verdict, style: Style) -> str:
    """Return two answers side by side, or one below the other where the page is narrow."""
    pictures = [answer.text(style, verdict.differ) for answer in verdict.answers]
    row = beside(pictures, gap="   ")
    fits = max(map(visible, row.split("\n"))) <= style.width
    lines = [
        f"Several answers. Here are two, which differ in {cells(len(verdict.differ))}:",
        row if fits else "\n\n".join(pictures),
    ]
    if verdict.decided is not None and verdict.cells:
        lines.append(f"{verdict.decided} of {cells(verdict.cells)} are the same in every answer.")
    return "\n".join(lines)


def _solvable(verdict: Verdict, style: Style) -> str:
    return f"It can be solved.\n{verdict.answers[0].text(style)}"


def _free(verdict: Verdict) -> list[str]:
    """Return how many looks a board has that can be solved, and what is free."""
    if verdict.looks is None:
        return []
    looks = "Every answer has the same look" if str(verdict.looks) == "1" else f"Its answers have {verdict.looks} looks"
    free = verdict.cells - verdict.decided if verdict.decided is not None else 0
    more = f"; at {free} of {cells(verdict.cells)} either ribbon may be on top" if free else ""
    return [f"{looks}{more}."]


def _to_add(verdict: Verdict) -> list[str]:
    """Return the clues that would make the first answer the only one."""
    if not verdict.add or len(verdict.add) > MOST_ADDED:
        return []
    clues = listing((entry.words.replace("the ", "a ", 1) for entry in verdict.add), "and")
    return [f"With {clues} as {'a clue' if len(verdict.add) == 1 else 'clues'}, the first is the only answer."]


def _why_none(verdict: Verdict) -> list[str]:
    """Return why there is no answer."""
    if verdict.stuck:
        return [verdict.stuck]
    if verdict.repairs:
        many = len(verdict.repairs[0].clues) > 1
        lines = [_repair(repair) for repair in verdict.repairs[: MOST_REPAIRS if many else None]]
        return lines if len(lines) == 1 else [*(f"- {line}" for line in lines)]
    if verdict.rules:
        rules = [f"{rule.rule}  {rule.words}{_where(rule)}" for rule in verdict.rules]
        return ["No clue is to blame. The fewest rules that would have to be broken:", *rules]
    if verdict.clash:
        rules = [f"{rule.rule}  {rule.words}{_where(rule)}" for rule in verdict.clash]
        return ["The fewest were not found in time. These cannot hold together:", *rules]
    if verdict.late:
        return ["The reason was not found in time."]
    return [
        "No rule with a name is to blame; expected `:- violated(Rule), not relaxed(Rule).` to forbid what is violated."
    ]


def _repair(repair: Repair) -> str:
    clues = listing((clue.words for clue in repair.clues), "and")
    answers = "1 answer" if str(repair.answers) == "1" else f"{repair.answers} answers"
    instead = f", with {repair.instead} there" if repair.instead else ""
    return f"{'With something else in place of' if repair.kept else 'Without'} {clues} it has {answers}{instead}."


def _unknown(verdict: Verdict, style: Style) -> str:
    found = f" One answer was found; there may be more.\n{verdict.answers[0].text(style)}" if verdict.answers else ""
    return f"Out of time.{found}"


def _where(rule: Broken) -> str:
    """Return the cells that break a rule, as people say them."""
    if all(at(cell) in rule.words for cell in rule.cells):
        return ""
    more = f" and {len(rule.cells) - MOST_CELLS} more" if len(rule.cells) > MOST_CELLS else ""
    return f": {'; '.join(map(at, rule.cells[:MOST_CELLS]))}{more}"


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
    from pyasp_puzzles.queries.solve import Counting

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
    from pyasp_puzzles.formats.answers import read_answers
    from pyasp_puzzles.queries.check import reasoned, verdict
    from pyasp_puzzles.queries.review import review

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
