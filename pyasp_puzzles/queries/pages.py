"""Verdicts and reviews as sections of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.model.review import UNNAMED

if TYPE_CHECKING:
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.review import Review
    from pyasp_puzzles.model.verdict import Verdict
    from pyasp_puzzles.render.pages import Section


def verdict_section(verdict: Verdict) -> Section:
    """Return what is wrong with a board as a section of a page, in which the cells of each remark can be marked."""
    from pyasp_puzzles.render.pages import remarks

    assert verdict.instance
    header, parts = verdict.remarks()
    return remarks(
        verdict.instance.title or verdict.instance.puzzle.name,
        [words for words in (verdict.words, verdict.same, verdict.whatever, header) if words],
        verdict.drawings(),
        [(verdict.in_full(part), part.rule, verdict.drawings(part)) for part in parts],
        ("One answer", "Another answer") if len(verdict.answers) > 1 else (),
    )


def review_section(instance: Instance, answer: Answer, review: Review) -> Section:
    """Return an answer as a section of a page, in which the cells of each rule that it breaks can be marked."""
    from pyasp_puzzles.render.pages import remarks

    title = instance.title or instance.puzzle.name
    parts = [
        (rule.in_full, "" if rule.rule == UNNAMED else rule.rule, [answer.drawing(rule.cells, title)])
        for rule in review.broken
    ]
    lead = [words for words in (review.remedy, review.words) if words]
    return remarks(title, lead, [answer.drawing(review.marked, title)], parts)
