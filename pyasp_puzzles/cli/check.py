"""The command `check`: whether a board has one answer, or what is wrong with an answer, as text or as a section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.boards import spans
from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.options import refuse_options_together
from pyasp_puzzles.cli.output import output_file_heading, output_title
from pyasp_puzzles.cli.run import ANSWERED, EXIT_CODES, PageRun
from pyasp_puzzles.cli.terminal import ProgressLine, stdout_style
from pyasp_puzzles.model.record import Outcome
from pyasp_puzzles.model.review import UNNAMED_RULE
from pyasp_puzzles.render.text import TextStyle, text_fits_width, text_side_by_side

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.answer import Answer, Count
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.review import Review
    from pyasp_puzzles.model.verdict import Verdict
    from pyasp_puzzles.render.pages import PageSection


def check_command(
    run: PageRun,
    boards: options.SearchOptions,
    answer: options.FilledIn = None,
    distinct: options.Distinct = None,
    brief: options.Brief = False,
) -> None:
    """Check that a board has exactly one answer.

    If it has several or none, print what is wrong. With --answer, print the rules that the answer breaks, and the cells
    that break them.

    Examples:
      pyasp check tectonic/seed
      pyasp check my.toml --answer answer.txt
      pyasp check my.toml --extra anti-knight

    Exit codes: 0 every board has one answer, and its own, if any, is right (or: that of --answer is), 1 otherwise
    """
    refuse_options_together({"--answer": answer, "--distinct": distinct})
    refuse_options_together({"--html": run.html, "--brief": brief})
    for instance, filled_in, timed in run.answers(boards, answer):
        if filled_in is None:
            outcomes = _checked_board(instance, timed, distinct, run, brief=brief)
        else:
            outcomes = _checked_answer(instance, filled_in, timed, run, brief=brief)
        if not run.tell_all(instance, outcomes, ProgressLine("looking for the reason")):
            return


# -- Checking a board ---------------------------------------------------------------


def _checked_board(
    instance: Instance, settings: Settings, distinct: str | None, run: PageRun, *, brief: bool
) -> Iterator[Outcome]:
    from pyasp_puzzles.queries.check import checked_verdict, verdict_with_remarks

    verdict = checked_verdict(instance, settings, distinct)
    text = ""
    if not run.as_json and run.html is None:
        name = (
            output_file_heading(instance, stdout_style()) if instance.total else output_title(instance, stdout_style())
        )
        text = f"{name}{_verdict_text(verdict, stdout_style(), brief=brief)}\n"
    status = "broken" if verdict.broken and EXIT_CODES.get(verdict.status) == ANSWERED else verdict.status
    yield Outcome(texts=[text], status=status, warnings=[warning.in_full for warning in verdict.warnings])
    verdict = verdict_with_remarks(instance, verdict, settings)
    if run.as_json:
        yield Outcome([_verdict_json(verdict)])
    elif run.html is not None:
        yield Outcome(section=check_verdict_section(verdict))
    else:
        yield Outcome(texts=[f"{line}\n" for line in _remarks(verdict)])


def check_verdict_section(verdict: Verdict) -> PageSection:
    """Return what is wrong with a board as a section of a page, in which the cells of each remark can be marked."""
    from pyasp_puzzles.render.pages import page_section_of_remarks

    assert verdict.instance
    header, parts = verdict.remarks()
    return page_section_of_remarks(
        verdict.instance.title or verdict.instance.puzzle.name,
        [sentence for sentence in (verdict.words, verdict.same, verdict.whatever, header) if sentence],
        verdict.drawings(),
        [(verdict.in_full(part), part.rule, verdict.drawings(part)) for part in parts],
        ("One answer", "Another answer") if len(verdict.answers) > 1 else (),
    )


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
        "broken": [rule.json() for rule in verdict.broken],
    }


def _verdict_text(verdict: Verdict, style: TextStyle, *, brief: bool) -> str:
    """Return how many answers there are, and unless `brief`, pictures of them."""
    beside = style.beside(verdict.status)
    pictures = [answer.text(beside, verdict.differ) for answer in (() if brief else verdict.answers)]
    row = text_side_by_side(pictures, gap="   ") if pictures else ""
    shown = row if not row or text_fits_width(row, style) else "\n\n".join(pictures)
    return "\n".join(filter(None, [verdict.words, shown, verdict.same]))


def _remarks(verdict: Verdict) -> list[str]:
    if verdict.stuck:
        return [verdict.stuck]
    header, parts = verdict.remarks()
    if verdict.repairs:
        return [f"- {part.words}" if len(parts) > 1 else part.words for part in parts]
    lines = [f"- {part.in_full}" if part.rule else part.in_full for part in parts]
    return [line for line in (verdict.whatever, header, *lines) if line]


# -- Checking an answer -------------------------------------------------------------


def _checked_answer(
    instance: Instance, answer: Answer, settings: Settings, run: PageRun, *, brief: bool
) -> Iterator[Outcome]:
    from pyasp_puzzles.queries.review import review

    result = review(instance, answer, settings)
    if run.as_json:
        yield Outcome([_review_json(result)], status=result.status)
    elif run.html is not None:
        yield Outcome(status=result.status, section=check_review_section(instance, answer, result))
    else:
        heading = output_file_heading(instance, stdout_style())
        yield Outcome(texts=[heading, _review_text(answer, result, stdout_style(), brief=brief)], status=result.status)
        if result.status == "stuck":
            from pyasp_puzzles.explanation.hint import hint_at_mistake

            reason = hint_at_mistake(instance, answer, result.wrong, settings)
            yield Outcome(texts=[f"{reason.words}\n"] if reason.rules else ())


def check_review_section(instance: Instance, answer: Answer, review: Review) -> PageSection:
    """Return an answer as a section of a page, in which the cells of each rule that it breaks can be marked."""
    from pyasp_puzzles.render.pages import page_section_of_remarks

    title = instance.title or instance.puzzle.name
    parts = [
        (rule.in_full, "" if rule.rule == UNNAMED_RULE else rule.rule, [answer.drawing(rule.cells, title)])
        for rule in review.broken
    ]
    lead = [sentence for sentence in (review.remedy, review.words) if sentence]
    return page_section_of_remarks(title, lead, [answer.drawing(review.marked, title)], parts)


def _review_json(review: Review) -> dict[str, object]:
    return {
        "status": review.status,
        "open": review.open,
        "wrong": [{"words": entry.words, "cells": [list(cell) for cell in entry.cells]} for entry in review.wrong],
        "broken": [rule.json() for rule in review.broken] if review.status != "unknown" else None,
    }


def _review_text(answer: Answer, review: Review, style: TextStyle, *, brief: bool) -> str:
    """Return the broken rules and their cells, or how much is right; unless `brief`, also the answer if it is wrong."""
    lines = [f"- {rule.in_full}" for rule in review.broken]
    lines = [review.remedy, *lines] if review.remedy else lines or [review.words]
    if review.marked and not brief:
        told = spans.in_lines([review.words, review.remedy, *(rule.in_full for rule in review.broken)])
        lines.append(answer.text(style.beside(told), review.marked))
    return "\n".join(lines) + "\n"
