"""Grades: how hard a puzzle is for a person, by the steps of its explanation."""

from __future__ import annotations

from math import inf, log
from typing import TYPE_CHECKING, Literal

from pyasp_puzzles.arguments import check_flag
from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import OutOfTime, PuzzleError
from pyasp_puzzles.explanation.cores import SOON
from pyasp_puzzles.explanation.explain import explain, explain_patiently
from pyasp_puzzles.formats.load import InstanceLike, load_only_board
from pyasp_puzzles.model.step import GRADE_WITHOUT_ANSWER, Grade
from pyasp_puzzles.queries.solve import unsolvable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.step import EndStatus, ResolutionStatus, Step

# What the logarithm of how many conclusions there are to choose from takes away from the cost of a step; the power by
# which the hardest steps count most; the scale of the score. Fitted, see docs/explaining.md.
CHOICE, POWER, SCALE = 0.2, 5, 3


def grade(instance: InstanceLike, settings: Settings = DEFAULT, *, resolution: bool = True) -> Grade:
    """Return how hard a puzzle is for a person.

    Args:
        instance: the board, or the name or the path of a file with one, such as "tectonic/seed".
        settings: how to search.
        resolution: whether to find out how far resolution gets, which takes half of the time on an easy board.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    instance = load_only_board(instance, settings)
    check_flag(resolution, "resolution")
    settings = settings.started()
    return grade_steps(instance, explain(instance, settings=settings, words=False), settings, resolution=resolution)


def grade_steps(
    instance: Instance, steps: Iterable[Step], settings: Settings = DEFAULT, *, resolution: bool = True
) -> Grade:
    """Return the grade that follows from the steps of an explanation, without taking any if there is no answer."""
    if unsolvable(instance, settings):
        return GRADE_WITHOUT_ANSWER
    steps_taken: list[Step] = []
    status: EndStatus = "unknown"
    for step in steps:
        if step.kind == "end" and step.status:
            status = step.status
        else:
            steps_taken.append(step)
    sizes, costs = [len(step.rules) for step in steps_taken], [step.cost for step in steps_taken]
    score = _score(sum(map(_weight, steps_taken))) if status in {"unique", "solved"} else 0.0
    scale = instance.puzzle.scale(instance.variants, settings)
    return Grade(
        status,
        scale.word(score) if scale and status == "unique" else "",
        score,
        len(steps_taken),
        sum(size > 1 for size in sizes),
        max(sizes, default=0),
        round(max(costs, default=0.0), 2),
        round(sum(costs), 2),
        _resolution(instance, settings) if resolution else "",
        next((step.number for step in steps_taken if step.cost == max(costs)), 0),
        scale,
    )


def _weight(step: Step) -> float:
    """Return what a step adds to the sum whose logarithm is the score: the hardest steps count most."""
    # Where much can be found, one need not find the cheapest.
    return max(0.0, step.cost - CHOICE * log(step.available)) ** POWER


def _score(total: float) -> float:
    """Return the score for the weights of all steps, with one decimal; a further step never lowers it."""
    return max(0.0, round(SCALE * log(max(1.0, total)) / POWER, 1))


def grade_word(board: Instance, settings: Settings, most: float = inf) -> str | None:
    """Return the grade of a board with one answer; None as soon as its score is known to be larger than `most`.

    The grade is empty if the board has several answers, or none by the rules in use, or if its puzzle has no grades. It
    is the same as that of `grade`, which searches longer before it gives up.

    Raises:
        OutOfTime: time ran out.
    """
    scale = board.puzzle.scale(board.variants, settings)
    if scale is None:
        return ""
    total = 0.0
    for step in explain_patiently(board, None, settings, SOON, words=False):
        if step.kind == "end":
            if step.timed_out:
                raise OutOfTime
            return scale.word(_score(total)) if step.status == "unique" else ""
        total += _weight(step)
        if _score(total) > most:
            return None
    raise OutOfTime


def _resolution(instance: Instance, settings: Settings) -> ResolutionStatus | Literal[""]:
    from pyasp_puzzles.queries.resolve import resolve

    try:
        return resolve(instance, settings=settings).status
    except PuzzleError:
        return ""
