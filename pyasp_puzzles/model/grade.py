"""`Grade`, how hard a puzzle is for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from pyasp_puzzles.model.step import EndStatus

GradeWord: TypeAlias = Literal["easy", "medium", "hard", "very hard", "extreme"]
ResolutionStatus: TypeAlias = Literal["solved", "unsolved", "contradiction", "unknown"]

# Each word with the largest score that it covers; above all of them, a puzzle is "extreme".
#
# Source: fitted on rated Sudokus, so that each word has at least a tenth of them; see docs/explaining.md.
GRADE_LIMITS: tuple[tuple[GradeWord, float], ...] = (("easy", 2.9), ("medium", 5.2), ("hard", 6.8), ("very hard", 7.6))
HARDEST_GRADE: GradeWord = "extreme"
# All words, the easiest first.
GRADES: list[str] = [*(word for word, _ in GRADE_LIMITS), HARDEST_GRADE]
# The end of the scale that a notebook shows.
_LARGEST_SHOWN = 12.0


class Grade(NamedTuple):
    """How hard a puzzle is.

    `Grade("unique", "hard", score=5.5, steps=56, beyond=9, largest=3, hardest=4.82, sum=120.93, resolution="unsolved")`
    """

    status: EndStatus
    """How its explanation ends: "unique", "solved", "several", "none" or "unknown"."""
    word: GradeWord | Literal[""]
    """ "easy", "medium", "hard", "very hard" or "extreme"; empty for a puzzle of one's own, and if it is `ungraded`."""
    score: float
    """How hard it is as a number with one decimal, about 1 to 12; 0 unless an answer was found."""
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
    hardest_step: int = 0
    """The number of the hardest step, the first of several; 0 if there is none."""

    @property
    def guess(self) -> bool | None:
        """Whether resolution alone needs a guess; None if unknown. The steps of `explain` need none."""
        return {"solved": False, "unsolved": True}.get(self.resolution)

    @property
    def ungraded(self) -> str:
        """Why it has no grade: "there are several answers"; empty if it has one."""
        reasons = {
            "several": "there are several answers",
            "none": "there is no answer",
            "unknown": f"it was not explained to the end; steps found: {self.steps}",
            "solved": f"all {self.steps} steps are of the same kind",
        }
        return reasons.get(self.status, "")

    @property
    def name(self) -> str:
        """The word, or the score of a puzzle whose scores have no words; empty if it has no grade."""
        return "" if self.ungraded else self.word or f"{self.score:.1f}"

    @property
    def title(self) -> str:
        """How hard it is: "Easy 1.0", "3.4", "No grade"."""
        number = "" if self.ungraded else f"{self.score:.1f}"
        return f"{self.word[:1].upper()}{self.word[1:]} {number}".strip() or "No grade"

    @property
    def why(self) -> str:
        """What the steps need: "24 steps, 9 of which combine rules, 3 at most".

        Without a word also the hardest step; why it has no grade, if it has none.
        """
        if self.ungraded:
            return self.ungraded
        if not self.steps:
            return "there is nothing to find"
        number = "1 step" if self.steps == 1 else f"{self.steps} steps"
        if not self.beyond:
            need = f"{number} by a single rule" if self.steps == 1 else f"{number}, each by a single rule"
        elif self.steps == 1:
            need = f"{number}, which combines {self.largest} rules"
        else:
            combine = "combines" if self.beyond == 1 else "combine"
            few = self.beyond == 1 or self.largest == 2
            most = f"{self.largest} rules" if few else f"rules, {self.largest} at most"
            need = f"{number}, {self.beyond} of which {combine} {most}"
        return need if self.word else f"{need}; the hardest, step {self.hardest_step}, costs {self.hardest}"

    def _repr_html_(self) -> str:
        from pyasp_puzzles.render.pages import notebook_page_scale

        parts = [*GRADE_LIMITS, (HARDEST_GRADE, _LARGEST_SHOWN)] if self.word else ()
        return notebook_page_scale(self.title, self.why, parts, self.score)

    def json(self) -> dict[str, object]:
        """Return the grade in the form that `grade --json` prints."""
        return self._asdict() | {
            "word": self.word or None,
            "score": self.score if not self.ungraded or self.status == "solved" else None,
            "resolution": self.resolution or None,
            "resolution_solves": None if self.guess is None else not self.guess,
            "needs_guess": self.guess,
        }


# The grade of a board without an answer.
GRADE_WITHOUT_ANSWER = Grade("none", "", 0.0, 0, 0, 0, 0.0, 0.0, "")
