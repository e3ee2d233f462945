"""Hints: the next step on a partly filled board, or which of its entries are wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.explanation.explain import explain
from pyasp_puzzles.explanation.mistakes import mistake
from pyasp_puzzles.explanation.peeling import OTHER_RULES
from pyasp_puzzles.formats.load import instance_of
from pyasp_puzzles.puzzles.step import OUT_OF_TIME, Step
from pyasp_puzzles.queries.review import wrong_entries
from pyasp_puzzles.queries.solve import solutions, unsolvable

if TYPE_CHECKING:
    from pyasp_puzzles.formats.load import InstanceLike
    from pyasp_puzzles.puzzles.answer import Answer
    from pyasp_puzzles.puzzles.puzzle import Instance


NO_ANSWER = Step(1, "end", "The board has no answer, so there is no next step.", status="none")


def hint(instance: InstanceLike, so_far: Answer | None = None, settings: Settings = DEFAULT) -> Step:
    """Return the next step of a board.

    If what is filled in is wrong, the step is of the kind "mistake": its `eliminated` are the fewest entries to take
    back so that an answer is left. If nothing is left to find, or the board has no answer, the step is the "end".

    Args:
        instance: the board.
        so_far: what is filled in already, besides the clues.
        settings: how to search.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out before a step was found.
    """
    step = next_step(instance_of(instance, settings), so_far, settings)
    if step.timed_out:
        raise OutOfTime
    return step


def next_step(instance: Instance, so_far: Answer | None = None, settings: Settings = DEFAULT) -> Step:
    """Return the same step as `hint`; if time ran out, an "end" with the status "unknown"."""
    settings = settings.started()
    if so_far is not None:
        found = _mistake(instance, so_far, settings)
        if found is not None:
            return found
    elif unsolvable(instance, settings):
        return NO_ANSWER
    step = next(iter(explain(instance, settings, so_far)))
    if so_far is not None and step.kind == "end" and step.status == "unique":
        answers = solutions(instance, 2, settings)  # the steps started from what is filled in, not from the clues alone
        if len(list(answers)) > 1 or not answers.complete:
            return replace(step, words="The board is complete, and right. It may have other answers.", status="solved")
    if settings.edited and instance.puzzle.kind.peeled and step.kind != "end":  # an end says this itself
        return replace(step, words=f"{step.words} {OTHER_RULES}")
    return step


def _mistake(instance: Instance, so_far: Answer, settings: Settings) -> Step | None:
    """Return the step that takes back the fewest entries so that an answer is left; None if no entry is wrong."""
    wrong, search = wrong_entries(instance, so_far, settings, so_far=True)
    if not search.exhausted:
        return Step(1, "end", OUT_OF_TIME, status="unknown", abandoned=search.abandoned)
    if wrong is None:
        return NO_ANSWER
    if not wrong:
        return None
    why = mistake(instance, so_far, wrong, settings, so_far=True)
    return Step(
        1,
        "mistake",
        why.words,
        why.rules,
        cells=tuple(sorted({cell for entry in wrong for cell in entry.cells})),
        eliminated=tuple(entry.atom for entry in wrong),
        meaning={entry.atom: (entry.cells[0], entry.value) for entry in wrong if entry.value is not None},
    )
