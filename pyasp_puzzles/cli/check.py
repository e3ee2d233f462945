"""The command `check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.boards.grid import at, cells
from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.output import fits, heading, json_line
from pyasp_puzzles.cli.run import ANSWERED, NO_ANSWER, OUT_OF_TIME, Run, command_run, warn
from pyasp_puzzles.cli.terminal import Progress, style, write
from pyasp_puzzles.errors import listing
from pyasp_puzzles.render.text import BOLD, Style, side_by_side

if TYPE_CHECKING:
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.puzzles.answer import Answer
    from pyasp_puzzles.puzzles.wording import Broken
    from pyasp_puzzles.queries.check import Repair, Verdict
    from pyasp_puzzles.queries.review import Review
    from pyasp_puzzles.queries.solve import Count

MOST_ADDED = 12
"""More clues to add than this are not listed."""
MOST_REPAIRS = 10
"""Sets of several clues to remove that are listed."""
MOST_CELLS = 12
"""Cells of a broken rule that are listed."""


def check(
    file: options.File,
    answer: Annotated[
        str | None,
        typer.Argument(
            metavar="[ANSWER]",
            help="A file with an answer, complete or not: a grid, a laying order, or output of solve --json; - for"
            " standard input.",
        ),
    ] = None,
    distinct: options.Distinct = None,
    as_json: options.Json = False,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: options.Timeout = None,
    seed: options.Seed = None,
    threads: options.Threads = 1,
) -> None:
    """Check that a board has exactly one answer.

    If it has several or none, print what is wrong. Given ANSWER, print the rules that it breaks, and the cells that
    break them.
    """
    with command_run(as_json=as_json) as run:
        search = options.settings(encoding, extra, timeout, seed, threads, puzzles)
        if answer is None:
            _check_boards(file, run, search, distinct, as_json=as_json)
        else:
            _check_answers(file, answer, run, search, as_json=as_json)


# -- Checking a board ---------------------------------------------------------------


def _check_boards(file: str, run: Run, search: Settings, distinct: str | None, *, as_json: bool) -> None:
    from pyasp_puzzles.queries.check import verdict, with_reasons

    codes = {"unique": ANSWERED, "solvable": ANSWERED, "unknown": OUT_OF_TIME}
    for instance, timed in run.boards([file], search):
        found = verdict(instance, timed, distinct, reasons=False)
        warn(found.warnings)
        run.at_least(codes.get(found.status, NO_ANSWER))
        if as_json:
            write(json_line(instance, _verdict_json(with_reasons(instance, found, timed))))
            continue
        write(heading(instance, style()) + _verdict_text(found, style()) + "\n")
        with Progress("looking for the reason"):
            found = with_reasons(instance, found, timed)
        write("".join(f"{line}\n" for line in _reasons(found)))


def _verdict_json(verdict: Verdict) -> dict[str, object]:
    def counted(count: Count | None) -> dict[str, object] | None:
        return None if count is None else {"count": count.number, "exact": count.exact}

    return {
        "status": verdict.status,
        "solutions": [answer.json() for answer in verdict.answers],
        "differ": [list(cell) for cell in verdict.differ],
        "decided": verdict.decided,
        "cells": verdict.cells,
        "blamed": [rule.json() for rule in verdict.blamed],
        "without": counted(verdict.without),
        "repairs": [repair.json() for repair in verdict.repairs],
        "clash": [rule.json() for rule in verdict.clash],
        "add": [{"cell": list(entry.cells[0]), "value": entry.value} for entry in verdict.add],
        "looks": counted(verdict.looks),
        "stuck": verdict.stuck,
    }


def _verdict_text(verdict: Verdict, style: Style) -> str:
    """Return how many answers there are, and pictures of them."""
    beside = style.beside(verdict.status)
    pictures = [answer.text(beside, verdict.differ) for answer in verdict.answers]
    if verdict.status == "unique":
        return f"Exactly one answer.\n{pictures[0]}"
    if verdict.status == "solvable":
        return f"It can be solved.\n{pictures[0]}"
    if verdict.status == "none":
        return "No answer."
    if verdict.status == "unknown":
        found = f" One answer was found; there may be more.\n{pictures[0]}" if pictures else ""
        return f"Out of time.{found}"
    row = side_by_side(pictures, gap="   ")
    lines = [
        f"Several answers. Here are two, which differ in {cells(len(verdict.differ))}:",
        row if fits(row, style) else "\n\n".join(pictures),
    ]
    if verdict.decided is not None and verdict.cells:
        lines.append(f"{verdict.decided} of {cells(verdict.cells)} are the same in every answer.")
    return "\n".join(lines)


def _reasons(verdict: Verdict) -> list[str]:
    """Return why there is no answer, what would leave only one, or how the answers look."""
    if verdict.status == "none":
        return _why_none(verdict)
    if verdict.status == "several" and 0 < len(verdict.add) <= MOST_ADDED:
        clues = listing((entry.words.replace("the ", "a ", 1) for entry in verdict.add), "and")
        return [f"With {clues} as {'a clue' if len(verdict.add) == 1 else 'clues'}, the first is the only answer."]
    if verdict.status == "several" and verdict.add:
        return [f"{len(verdict.add)} more clues would leave one answer; --json lists them."]
    if verdict.status == "solvable" and verdict.looks is not None:
        looks = (
            "Every answer has the same look" if str(verdict.looks) == "1" else f"Its answers have {verdict.looks} looks"
        )
        free = verdict.cells - verdict.decided if verdict.decided is not None else 0
        more = f"; at {free} of {cells(verdict.cells)} either ribbon may be on top" if free else ""
        return [f"{looks}{more}."]
    return []


def _why_none(verdict: Verdict) -> list[str]:
    if verdict.stuck:
        return [verdict.stuck]
    if verdict.repairs:
        several = len(verdict.repairs[0].clues) > 1
        lines = [_repair(repair) for repair in verdict.repairs[: MOST_REPAIRS if several else None]]
        return lines if len(lines) == 1 else [f"- {line}" for line in lines]
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


def _where(rule: Broken) -> str:
    """Return the cells that break a rule, as ": row 1, column 2; ..."; nothing if the rule's words contain them."""
    if all(at(cell) in rule.words for cell in rule.cells):
        return ""
    more = f" and {len(rule.cells) - MOST_CELLS} more" if len(rule.cells) > MOST_CELLS else ""
    return f": {'; '.join(map(at, rule.cells[:MOST_CELLS]))}{more}"


# -- Checking an answer -------------------------------------------------------------


def _check_answers(file: str, answers: str, run: Run, search: Settings, *, as_json: bool) -> None:
    from pyasp_puzzles.formats.answers import read_answers
    from pyasp_puzzles.queries.review import review

    codes = {"solved": ANSWERED, "right": ANSWERED, "unknown": OUT_OF_TIME}
    boards, search = run.all_boards(file, search)
    for instance, answer in read_answers(boards, answers) if boards else ():
        run.board = instance
        found = review(instance, answer, search)
        if as_json:
            write(json_line(instance, _review_json(found)))
        else:
            write(heading(instance, style()) + _review_text(answer, found, style()))
        run.at_least(codes.get(found.status, NO_ANSWER))
        run.board = None  # an error in the next answer is not about this board


def _review_json(review: Review) -> dict[str, object]:
    return {
        "status": review.status,
        "open": review.open,
        "wrong": [{"words": entry.words, "cells": [list(cell) for cell in entry.cells]} for entry in review.wrong],
        "broken": [rule.json() for rule in review.broken] if review.status != "unknown" else None,
    }


def _review_text(answer: Answer, review: Review, style: Style) -> str:
    """Return each broken rule with its name and cells, or how much is right, and the answer if any cells are wrong."""
    wrong = listing([entry.words for entry in review.wrong], "and")
    words = {
        "unknown": "Out of time.",
        "solved": "Solved.",
        "right": f"Right so far, {review.open} still open.",
        "none": "No rule is broken yet, but the board has no answer.",
        "stuck": f"No rule is broken yet, but it cannot be completed: take back {wrong}.",
    }
    lines = [
        rule.words if rule.rule == "unnamed" else f"{style.paint(rule.rule, BOLD)}  {rule.words}{_where(rule)}"
        for rule in review.broken
    ]
    lines = lines or [words[review.status]]
    marked = {cell for rule in review.broken for cell in rule.cells}
    marked |= {cell for entry in review.wrong for cell in entry.cells}
    if marked:
        lines.append(answer.text(style.beside("\n".join(lines)), marked))
    return "\n".join(lines) + "\n"
