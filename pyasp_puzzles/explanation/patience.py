"""Patience: how much is searched until no further step counts as near.

Patience      Patience(200, 60_000, 400, 900_000): limits on what is searched
PatienceLeft  what is left of them for one board

Questions are counted, not seconds, so a board has the same steps on every machine. A question is about a rule, a group
or a literal, and takes 0.2 to 0.4 ms on hard Sudokus and killers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.errors import OutOfTime

if TYPE_CHECKING:
    from pyasp_puzzles.asp.deadline import Deadline


class Patience(NamedTuple):
    """How much is searched until no placement counts as near."""

    found: int
    """Steps that wait for a placement; then all of them are told."""
    questions: int
    """Questions until the next placement."""
    more: int
    """How many more each placement allows, up to those at first."""
    conflicts: int
    """Conflicts of clingo without a core; 300 take 5 ms on a killer."""
    deep: bool = True
    """Whether several rules are searched although some eliminations wait."""


# The hardest classic Sudokus take 20 000 questions in all, at most 8000 between two placements; of published variants
# that are explained to the end, some take nearly 50 000.
THOROUGH = Patience(200, 60_000, 400, 900_000)
# For the grade of a new board. If it takes long, another board is a better choice.
SOON = Patience(200, 20_000, 400, 300_000)
# For a hint: if no placement is near, the cheapest elimination is told.
BRIEF = Patience(12, 4000, 0, 3000, deep=False)


class PatienceLeft:
    """What is left of a patience, and of the time."""

    def __init__(self, patience: Patience, deadline: Deadline) -> None:
        self.patience, self._deadline = patience, deadline
        self._left, self._conflicts = patience.questions, patience.conflicts

    @property
    def spent(self) -> bool:
        """Whether no more may be searched."""
        return self._left < 0 or self._conflicts <= 0

    def check(self) -> None:
        """Count a question.

        Raises:
            OutOfTime: nothing is left of the patience, or of the time.
        """
        self._left -= 1
        if self._left < 0:
            raise OutOfTime
        self._deadline.check()

    def give_up(self, conflicts: int) -> None:
        """Count a search that was given up after so many conflicts."""
        self._conflicts -= conflicts

    def stop(self) -> None:
        """Allow no more questions."""
        self._left = -1

    def placed(self) -> None:
        """Allow more questions after a placement."""
        self._left = min(self.patience.questions, self._left + self.patience.more)
