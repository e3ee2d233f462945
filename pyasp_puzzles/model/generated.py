"""`Generated`, a board that was made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pyasp_puzzles.model.puzzle import Instance


class Generated(NamedTuple):
    """A board that was made.

    `Generated(<Instance sudoku 9x9, 24 givens>, 7, grade="hard")`; one that is not as wanted:
    `Generated(<Instance sudoku 4x4, 5 givens>, 7, missed="5 clues, not 4", distance=(0, 1, 0))`
    """

    instance: Instance
    seed: int = 0
    grade: str = ""
    """Its grade; empty if that was not asked for, or not found in time."""
    missed: str = ""
    """What it lacks, in words: "31 clues, not 30"; empty if it is as wanted."""
    distance: tuple[int, int, int] = (0, 0, 0)
    """How far it is from what is wanted: in grades, in clues, and in peels or the like."""
    untested: int = 0
    """How many of its clues are perhaps not needed."""
    late: bool = False
    """Whether time ran out, before it was graded or before it was as wanted."""

    @property
    def met(self) -> bool:
        """Whether it is as wanted; otherwise it is the nearest that was found in time."""
        return not self.missed
