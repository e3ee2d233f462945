"""Grades: how hard a puzzle is for a person, by the steps of its explanation."""

from __future__ import annotations

from math import inf, log
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from pyasp_puzzles.arguments import check_flag, check_text
from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import ArgumentError, OutOfTime, PuzzleError, did_you_mean, listing, shown
from pyasp_puzzles.explanation.explain import explain
from pyasp_puzzles.formats.load import instance_of
from pyasp_puzzles.queries.solve import unsolvable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyasp_puzzles.explanation.resolve import ResolutionStatus
    from pyasp_puzzles.formats.load import InstanceLike
    from pyasp_puzzles.puzzles.puzzle import Instance
    from pyasp_puzzles.puzzles.step import EndStatus, Step


# Each word with the largest score that it covers; above all of them, a puzzle is "extreme".
#
# Source: fitted on rated Sudokus and graded Strimko boards, see docs/explaining.md.
WORDS: tuple[tuple[GradeWord, float], ...] = (("easy", 2.4), ("medium", 3.4), ("hard", 6.0), ("very hard", 7.1))
BEYOND: GradeWord = "extreme"
# The end of the scale that a notebook shows.
LARGEST_SHOWN = 10.0
# All words, the easiest first.
GRADES: list[str] = [*(word for word, _ in WORDS), BEYOND]


GradeWord: TypeAlias = Literal["easy", "medium", "hard", "very hard", "extreme"]


class Grade(NamedTuple):
    """How hard a puzzle is."""

    status: EndStatus
    """How its explanation ends: "unique", "solved", "several", "none" or "unknown"."""
    word: GradeWord | Literal[""]
    """ "easy", "medium", "hard", "very hard" or "extreme"; empty unless one answer was found."""
    score: float
    """How hard it is as a number with one decimal, about 1 to 10; 0 unless one answer was found."""
    steps: int
    """The number of steps."""
    beyond: int
    """The number of steps that take more than one rule."""
    largest: int
    """The number of rules in the largest step."""
    hardest: float
    """The cost of the hardest step."""
    sum: float
    """The costs of all steps together."""
    resolution: ResolutionStatus | Literal[""]
    """How far resolution gets: "solved", "unsolved" or "contradiction"; empty if not applicable or not asked for."""

    @property
    def guess(self) -> bool | None:
        """Whether resolution alone needs a guess; None if unknown. The steps of `explain` need none."""
        return {"solved": False, "unsolved": True}.get(self.resolution)

    @property
    def why(self) -> str:
        """What the steps need: "24 steps, 9 of which combine rules, 3 at most"; whether resolution is enough."""
        if not self.steps:
            return "there is nothing to find"
        number = "1 step" if self.steps == 1 else f"{self.steps} steps"
        if not self.beyond:
            need = f"{number} by a single rule" if self.steps == 1 else f"{number}, each by a single rule"
        elif self.steps == 1:
            need = f"{number}, which combines {self.largest} rules"
        else:
            combine = "combines" if self.beyond == 1 else "combine"
            most = (
                f"{self.largest} rules" if self.beyond == 1 or self.largest == 2 else f"rules, {self.largest} at most"
            )
            need = f"{number}, {self.beyond} of which {combine} {most}"
        enough = {"solved": "; resolution solves it", "unsolved": "; resolution alone does not solve it"}
        return need + enough.get(self.resolution, "")

    def _repr_html_(self) -> str:
        from pyasp_puzzles.render.pages import scale

        if not self.word:
            why = {"several": "there are several answers", "none": "there is no answer"}
            return scale("No grade", why.get(self.status, "the explanation was not finished"), (), 0)
        title = f"{self.word[0].upper()}{self.word[1:]}, {self.score:.1f}"
        return scale(title, self.why, [*WORDS, (BEYOND, LARGEST_SHOWN)], self.score)

    def json(self) -> dict[str, object]:
        """Return the grade in the form that `grade --json` prints."""
        return self._asdict() | {
            "word": self.word or None,
            "score": self.score if self.word else None,
            "resolution": self.resolution or None,
            "resolution_solves": None if self.guess is None else not self.guess,
            "needs_guess": self.guess,
        }


def grade(instance: InstanceLike, settings: Settings = DEFAULT, *, resolution: bool = True) -> Grade:
    """Return how hard a puzzle is for a person.

    Args:
        instance: the board.
        settings: how to search.
        resolution: whether to find out how far resolution gets, which takes half of the time on an easy board.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    check_flag(resolution, "resolution")
    instance = instance_of(instance, settings)
    settings = settings.started()
    if unsolvable(instance, settings):
        return NO_ANSWER
    return grade_steps(instance, explain(instance, settings=settings, words=False), settings, resolution=resolution)


# The grade of a board without an answer.
NO_ANSWER = Grade("none", "", 0.0, 0, 0, 0, 0.0, 0.0, "")


def grade_steps(
    instance: Instance, steps: Iterable[Step], settings: Settings = DEFAULT, *, resolution: bool = True
) -> Grade:
    """Return the grade that follows from the steps of an explanation."""
    found: list[Step] = []
    status: EndStatus = "unknown"
    for step in steps:
        if step.kind == "end" and step.status:
            status = step.status
        else:
            found.append(step)
    sizes, costs = [len(step.rules) for step in found], [step.cost for step in found]
    graded = status in {"unique", "solved"}
    score = grade_score(costs) if graded else 0.0
    return Grade(
        status,
        word_of(score) if graded else "",
        score,
        len(found),
        sum(size > 1 for size in sizes),
        max(sizes, default=0),
        round(max(costs, default=0.0), 2),
        round(sum(costs), 2),
        _resolution(instance, settings) if resolution else "",
    )


def grade_score(costs: Sequence[float]) -> float:
    """Return the score of a puzzle whose steps have these costs, with one decimal."""
    if not costs:
        return 0.0
    # Logarithms, because one more rule matters less in a step of ten than in a step of two. The sum matters little:
    # with twice its weight, the correlation with the ratings of Sudokus is 0.004 lower.
    return max(0.0, round(3 * log(max(1.0, *costs)) + log(max(1.0, sum(costs))) / 10 - 1, 1))


def word_of(score: float) -> GradeWord:
    """Return the word for a score."""
    return next((word for word, most in WORDS if score <= most), BEYOND)


def check_grade(word: str) -> None:
    """Raise `PuzzleError` unless a word is that of a grade, and `TypeError` if it is no word at all."""
    check_text(word, "grade", f"one of {listing(GRADES)}")
    if word not in GRADES:
        raise ArgumentError(f"unknown grade {shown(word)}; choose {listing(GRADES)}{did_you_mean(word, GRADES)}")


def distance(found: str, wanted: str) -> int:
    """Return how many grades lie between two; no grade at all is the farthest."""
    return abs(GRADES.index(found) - GRADES.index(wanted)) if found in GRADES else len(GRADES)


def grade_word(board: Instance, settings: Settings, most: float = inf) -> str | None:
    """Return the grade of a board with one answer; None as soon as its score is known to be larger than `most`.

    The grade is empty if the board has several answers, or cannot be explained by the rules in use.

    Raises:
        OutOfTime: time ran out.
    """
    costs: list[float] = []
    for step in explain(board, settings=settings, words=False):
        if step.kind == "end":
            if step.timed_out:
                raise OutOfTime
            return word_of(grade_score(costs)) if step.status in {"unique", "solved"} else ""
        costs.append(step.cost)
        if grade_score(costs) > most:
            return None
    raise OutOfTime


def _resolution(instance: Instance, settings: Settings) -> ResolutionStatus | Literal[""]:
    from pyasp_puzzles.explanation.resolve import resolution_status

    try:
        return resolution_status(instance, settings)
    except PuzzleError:
        return ""
