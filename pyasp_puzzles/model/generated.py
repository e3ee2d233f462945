"""`Generated`, a board that was made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pyasp_puzzles.model.puzzle import Instance


class Generated(NamedTuple):
    """A board that was made.

    `Generated(<Instance sudoku 9x9, 24 givens>, 7, grade="hard")`; one that is not as wanted:
    `Generated(<Instance sudoku 4x4, 5 givens>, 7, met=False, bound=4, missed="5 clues, not 4")`
    """

    instance: Instance
    seed: int
    met: bool = True
    """Whether it is as wanted; otherwise it is the nearest that was found in time."""
    grade: str = ""
    """Its grade; empty if that was not asked for, or not found in time."""
    peels: int | None = None
    """In how many rounds it is peeled, if that was asked for."""
    bound: int | None = None
    """The least number of clues that its answer may need, if that was asked for."""
    missed: str = ""
    """What it lacks, in words."""
    late: bool = False
    """Whether time ran out, before it was graded or before it was as wanted."""
