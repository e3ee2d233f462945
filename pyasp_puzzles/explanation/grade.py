"""Grades: how hard a puzzle is for a person, by the steps of its explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import PuzzleError
from pyasp_puzzles.explanation.explain import explain
from pyasp_puzzles.formats.load import instance_of
from pyasp_puzzles.queries.solve import unsolvable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyasp_puzzles.formats.load import InstanceLike
    from pyasp_puzzles.puzzles.puzzle import Instance
    from pyasp_puzzles.puzzles.step import Step


WORDS = (("easy", 0), ("medium", 2), ("hard", 30))
"""Each word with the largest effort that it is for; beyond, a puzzle is "very hard".

Source: fitted on 30 graded Strimko boards, see docs/explaining.md.
"""


class Grade(NamedTuple):
    """How hard a puzzle is."""

    status: str
    """How its explanation ends: "unique", "solved", "several", "none" or "unknown"."""
    word: str
    """ "easy", "medium", "hard" or "very hard"; empty unless one answer was found."""
    steps: int
    """The number of steps."""
    beyond: int
    """The number of steps that take more than one rule."""
    largest: int
    """The number of rules in the largest step."""
    effort: int
    """The sum over all steps of their rules beyond the first."""
    resolution: str
    """How far resolution gets: "solved", "unsolved" or "contradiction"; empty if it does not apply."""

    @property
    def guess(self) -> bool | None:
        """Whether resolution needs a guess; None if unknown."""
        return {"solved": False, "unsolved": True}.get(self.resolution)

    def json(self) -> dict[str, object]:
        """Return the grade in the form that `grade --json` prints."""
        return self._asdict() | {
            "word": self.word or None,
            "resolution": self.resolution or None,
            "resolution_solves": None if self.guess is None else not self.guess,
            "needs_guess": self.guess,
        }


def grade(instance: InstanceLike, settings: Settings = DEFAULT) -> Grade:
    """Return how hard a puzzle is for a person.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    instance = instance_of(instance, settings)
    settings = settings.started()
    if unsolvable(instance, settings):
        return NO_ANSWER
    return grade_steps(instance, explain(instance, settings), settings)


NO_ANSWER = Grade("none", "", 0, 0, 0, 0, "")
"""The grade of a board without an answer."""


def grade_steps(instance: Instance, steps: Iterable[Step], settings: Settings = DEFAULT) -> Grade:
    """Return the grade that follows from the steps of an explanation."""
    sizes, status = [], "unknown"
    for step in steps:
        if step.kind == "end":
            status = step.status
        else:
            sizes.append(len(step.rules))
    effort = sum(size - 1 for size in sizes if size > 1)
    word = next((word for word, most in WORDS if effort <= most), "very hard")
    return Grade(
        status,
        word if status in {"unique", "solved"} else "",
        len(sizes),
        sum(size > 1 for size in sizes),
        max(sizes, default=0),
        effort,
        _resolution(instance, settings),
    )


def _resolution(instance: Instance, settings: Settings) -> str:
    from pyasp_puzzles.explanation.resolve import resolve

    try:
        return resolve(instance, settings=settings).status
    except PuzzleError:
        return ""
