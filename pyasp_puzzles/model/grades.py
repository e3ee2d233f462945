"""`GradeScale`, the words for the scores of a puzzle, and all words that there are."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

GradeWord: TypeAlias = Literal["easy", "medium", "hard", "very hard", "extreme"]
# All words, the easiest first.
GRADES: tuple[GradeWord, ...] = ("easy", "medium", "hard", "very hard", "extreme")


class GradeScale(NamedTuple):
    """The words for the scores of a puzzle: `GradeScale((("easy", 2.9), ("hard", inf)), 0.84)`."""

    limits: tuple[tuple[GradeWord, float], ...]
    """Each word with the largest score that it covers, the easiest first; the last one covers all others."""
    agree: float | None = None
    """The share of published boards whose word it is, if they were not among those that it was fitted on."""

    @property
    def words(self) -> list[GradeWord]:
        """Its words, the easiest first."""
        return [word for word, _ in self.limits]

    def word(self, score: float) -> GradeWord:
        """Return the word for a score."""
        return next(word for word, most in self.limits if score <= most)
