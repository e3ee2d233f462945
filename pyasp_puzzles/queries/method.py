"""Explanations by the method of a kind of answer, checked by a search where it does not know the rules in use."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.spans import as_sentence, marked_again
from pyasp_puzzles.errors import EncodingError, OutOfTime, Where, listing
from pyasp_puzzles.model.review import UNNAMED_RULE
from pyasp_puzzles.model.step import OUT_OF_TIME, UNEXPLAINED, Step, deduction_cost
from pyasp_puzzles.puzzles import questions
from pyasp_puzzles.puzzles.questions import Question
from pyasp_puzzles.queries.ground_rules import core_of_rules, ground_rules_of
from pyasp_puzzles.queries.review import review_broken_rules
from pyasp_puzzles.queries.solve import solutions
from pyasp_puzzles.queries.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import AnswerMethod, AnswerMethodStep, Instance


def method_steps(instance: Instance, method: AnswerMethod, settings: Settings, so_far: Answer | None) -> Iterator[Step]:
    """Yield the steps that a method finds, and the end.

    If the rules are edited, and the method does not lead to an answer though there is one, the only step is an end that
    says so; its status is "unknown".

    Raises:
        EncodingError: the encoding cannot be read or grounded, or lacks what the method needs.
    """
    settings = settings.started()
    search = questions.ask(instance, settings, Question((), files=("words",)))
    warnings = tuple(search.warnings)
    if not search.usable:
        yield Step(1, "end", OUT_OF_TIME, status="unknown", warnings=warnings, abandoned=search.abandoned)
        return
    try:
        unchecked = method.steps(instance, search, so_far)
    except EncodingError as error:
        edited = next((path for path in (settings.encoding, *settings.extra) if path is not None), None)
        raise EncodingError(error.message, Where(str(edited)) if edited else None) from None
    known = questions.have_method(instance, settings)
    checked = not known or so_far is not None
    steps: Iterable[Step] = _timed(instance, method, settings, unchecked, known=known, checked=checked)
    if not known:
        steps = _checked(list(steps), instance, method, settings)
    cells_of = instance.printed.unit
    for step in steps:
        worded = replace(step, words=spans.sentence(step.words, cells_of), where=spans.sentence(step.where, cells_of))
        yield replace(worded, warnings=warnings) if step.number == 1 else worded


def _timed(
    instance: Instance,
    method: AnswerMethod,
    settings: Settings,
    unchecked: Iterable[AnswerMethodStep],
    *,
    known: bool,
    checked: bool,
) -> Iterator[Step]:
    """Yield the steps of a method until time runs out; whether its end is right is checked by a search."""
    number = 0
    try:
        for entry in unchecked:
            if entry.step.kind == "end":
                yield _end(
                    settings, entry, _objection(instance, method, settings, entry) if checked else "", known=known
                )
            else:
                yield replace(
                    entry.step,
                    words=as_sentence(entry.step.words),
                    cost=deduction_cost(1, 0, entry.seen, entry.spread),
                )
            number = entry.step.number
    except OutOfTime:
        yield _late(number + 1)


def _end(settings: Settings, end: AnswerMethodStep, objection: str, *, known: bool) -> Step:
    """Return the last step, given why it is wrong by the rules in use; nothing if it is right."""
    step = end.step
    if objection and settings.deadline().late():
        return replace(_late(step.number), abandoned=True)
    if objection and not known:
        return replace(step, words=objection, status="unknown")
    if objection:
        return replace(step, words=f"{step.words} But {objection}.", status="unknown")
    return step if end.answer is not None else replace(step, words=f"{step.words} There is no answer.")


def _objection(instance: Instance, method: AnswerMethod, settings: Settings, end: AnswerMethodStep) -> str:
    """Return why the end of a method is wrong by all rules in use; nothing if it is right."""
    if end.answer is None:
        answers = solutions(instance, 1, settings)
        return "" if next(answers, None) is None and answers.complete else method.blocked
    rules = review_broken_rules(instance, end.answer, settings)
    if rules is None or any(rule.rule == UNNAMED_RULE for rule in rules):
        return f"{method.result} breaks a rule that has no name"
    return f"{method.result} breaks {listing([marked_again(rule.words) for rule in rules], 'and')}" if rules else ""


def _checked(steps: list[Step], instance: Instance, method: AnswerMethod, settings: Settings) -> Iterable[Step]:
    """Return the steps; or only an end if the rules in use allow no answer, or one that the method does not find."""
    *_, end = steps
    if end.status != "unknown" or end.timed_out:
        return steps
    answers = solutions(instance, 1, settings)
    if next(answers, None) is None:
        return [_no_answer(instance, settings) if answers.complete else _late(1)]
    text = f"{UNEXPLAINED}boards of {instance.puzzle.name} are explained by {method.name}, and {end.words}"
    return [Step(1, "end", f"{text}, though the rules in use have an answer.", status="unknown")]


def _no_answer(instance: Instance, settings: Settings) -> Step:
    """Return the end of a board without an answer: a minimal unsatisfiable subset of its rules."""
    board = ground_rules_of(instance, settings)
    rules = core_of_rules(board) if board.search.usable else []
    text = Words(board, instance, settings).contradiction(rules) if rules else "There is no answer."
    return Step(1, "end", text, tuple(rule.name for rule in rules), status="none")


def _late(number: int) -> Step:
    return Step(number, "end", OUT_OF_TIME, status="unknown")
