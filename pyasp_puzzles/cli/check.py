"""The command `check`: whether a board has one answer, or what is wrong with an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.output import fits, heading, json_line, page_of_sections, title
from pyasp_puzzles.cli.run import ANSWERED, NO_ANSWER, OUT_OF_TIME, Run, command_run
from pyasp_puzzles.cli.terminal import Progress, style, tell, write
from pyasp_puzzles.queries.pages import review_section, verdict_section
from pyasp_puzzles.render.text import BOLD, Style, side_by_side

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.count import Count
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.review import Review
    from pyasp_puzzles.model.verdict import Verdict
    from pyasp_puzzles.render.pages import Section


def check(
    files: options.Files,
    format: options.As = None,
    answer: options.FilledIn = None,
    distinct: options.Distinct = None,
    as_json: options.Json = False,
    html: options.Html = None,
    force: options.Force = False,
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
    """Check that a board has exactly one answer.

    If it has several or none, print what is wrong. With --answer, print the rules that the answer breaks, and the cells
    that break them.
    """
    with command_run(as_json=as_json) as run, page_of_sections(html, as_json, force=force) as sections:
        search = options.settings(encoding, extra, timeout, seed, threads, puzzles)
        shows = options.shows(puzzle, size, colors, angle)
        if answer is None:
            boards = run.boards(files, search, format, shows)
            _check_boards(boards, run, distinct, sections, as_json=as_json)
        else:
            questions = run.answers(files, answer, search, format, shows)
            _check_answers(questions, run, sections, as_json=as_json)


# -- Checking a board ---------------------------------------------------------------


def _check_boards(
    boards: Iterable[tuple[Instance, Settings]],
    run: Run,
    distinct: str | None,
    sections: list[Section] | None,
    *,
    as_json: bool,
) -> None:
    from pyasp_puzzles.queries.check import verdict, with_remarks

    codes = {"unique": ANSWERED, "solvable": ANSWERED, "unknown": OUT_OF_TIME}
    for instance, timed in boards:
        found = verdict(instance, timed, distinct)
        run.warn(warning.in_full for warning in found.warnings)
        run.at_least(codes.get(found.status, NO_ANSWER))
        if as_json:
            write(json_line(instance, _verdict_json(with_remarks(instance, found, timed))))
            continue
        if sections is None:
            name = heading(instance, style()) if instance.total else title(instance, style())
            tell(name + _verdict_text(found, style()) + "\n")
        with Progress("looking for the reason"):
            found = with_remarks(instance, found, timed)
        if sections is None:
            tell("".join(f"{line}\n" for line in _remarks(found)))
        else:
            sections.append(verdict_section(found))


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
        "layout": verdict.layout,
        "unfilled": [unit.json() for unit in verdict.unfilled],
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
    row = side_by_side(pictures, gap="   ") if pictures else ""
    shown = row if not row or fits(row, style) else "\n\n".join(pictures)
    return "\n".join(filter(None, [verdict.words, shown, verdict.same]))


def _remarks(verdict: Verdict) -> list[str]:
    """Return the lines with the remarks of a verdict."""
    if verdict.stuck:
        return [verdict.stuck]
    words, parts = verdict.remarks()
    if verdict.repairs:
        return [f"- {part.words}" if len(parts) > 1 else part.words for part in parts]
    lines = [f"{part.rule}  {part.in_full}" if part.rule else part.in_full for part in parts]
    return [line for line in (verdict.whatever, words, *lines) if line]


# -- Checking an answer -------------------------------------------------------------


def _check_answers(
    questions: Iterable[tuple[Instance, Answer, Settings]], run: Run, sections: list[Section] | None, *, as_json: bool
) -> None:
    from pyasp_puzzles.queries.review import review

    codes = {"solved": ANSWERED, "right": ANSWERED, "unknown": OUT_OF_TIME}
    for instance, answer, timed in questions:
        found = review(instance, answer, timed)
        if as_json:
            write(json_line(instance, _review_json(found)))
        elif sections is not None:
            sections.append(review_section(instance, answer, found))
        else:
            tell(heading(instance, style()) + _review_text(answer, found, style()))
            if found.status == "stuck":
                from pyasp_puzzles.explanation.hint import mistake

                with Progress("looking for the reason"):
                    reason = mistake(instance, answer, found.wrong, timed)
                tell(f"{reason.words}\n" if reason.rules else "")
        run.at_least(codes.get(found.status, NO_ANSWER))


def _review_json(review: Review) -> dict[str, object]:
    return {
        "status": review.status,
        "open": review.open,
        "wrong": [{"words": entry.words, "cells": [list(cell) for cell in entry.cells]} for entry in review.wrong],
        "broken": [rule.json() for rule in review.broken] if review.status != "unknown" else None,
    }


def _review_text(answer: Answer, review: Review, style: Style) -> str:
    """Return each broken rule with its name and cells, or how much is right, and the answer if any cells are wrong."""
    lines = [
        rule.words if rule.rule == "unnamed" else f"{style.paint(rule.rule, BOLD)}  {rule.in_full}"
        for rule in review.broken
    ]
    lines = [review.remedy, *lines] if review.remedy else lines or [review.words]
    if review.marked:
        lines.append(answer.text(style.beside("\n".join(lines)), review.marked))
    return "\n".join(lines) + "\n"
