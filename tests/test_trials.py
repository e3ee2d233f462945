"""Clues that are left out in groups, with a stand-in for the questions, whose time ends when the test says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clingo import Function, Number

from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.generation.reduction import thinned

if TYPE_CHECKING:
    from collections.abc import Sequence

UNITS = [((Function("clue", [Number(i)]),),) for i in range(4)]


class Board:
    """A board on which clue 0 is needed, and nothing is known of the others; it is late after some questions."""

    def __init__(self, questions: int) -> None:
        self.left, self.late = questions, False

    def several(self, units: Sequence[Any], most: int) -> bool | None:
        """Return whether some units leave another answer, as far as is known."""
        assert most > 0
        assert not self.late, "nothing is asked when time has ended"
        self.left -= 1
        self.late = self.left < 0
        if self.late:
            raise OutOfTime
        return True if UNITS[0] not in units else None

    def thinned(self) -> tuple[list[Any], list[Any], bool]:
        """Return what remains of all units."""
        return thinned(UNITS, UNITS, self.several, lambda _unit, _kept: False)


def test_when_time_ends_all_clues_that_may_be_needed_remain() -> None:
    """Whenever time ends: nothing more is asked then, and a clue that is not known to be needed is told as such."""
    for questions in range(12):
        kept, open_units, proven = Board(questions).thinned()
        assert sorted(kept) == sorted(UNITS), questions
        assert {*UNITS[1:]} <= {*open_units}, questions
        assert not proven, questions
    assert UNITS[0] in Board(0).thinned()[1]


def test_a_board_whose_clues_stay_open_ends() -> None:
    """Where no question is answered but one, the clue that it is about is needed, and all remain."""
    kept, open_units, proven = Board(10**9).thinned()
    assert {*open_units} == {*UNITS[1:]}
    assert {*kept} == {*UNITS}
    assert not proven


def test_clues_that_are_not_needed_go() -> None:
    """If clue 0 alone leaves one answer, it remains, and nothing is open; a clue that is wanted remains, too."""

    def several(units: Sequence[Any], most: int) -> bool:
        assert most > 0
        return UNITS[0] not in units

    assert thinned(UNITS, UNITS, several, lambda _unit, _kept: False) == (UNITS[:1], [], True)
    assert thinned(UNITS, UNITS, several, lambda unit, _kept: unit == UNITS[3]) == (
        [UNITS[0], UNITS[3]],
        [],
        True,
    )


def test_as_many_clues_remain_as_are_wanted() -> None:
    """If none is needed but two are wanted, the last two remain, and neither is open."""

    def stays(_unit: Any, kept: Sequence[Any]) -> bool:
        return len(kept) <= 2

    assert thinned(UNITS, UNITS, lambda _units, _most: False, stays) == (UNITS[2:], [], True)
    needed = thinned(UNITS, UNITS, lambda units, _most: UNITS[1] not in units, stays)
    assert needed == ([UNITS[1], UNITS[3]], [], True)
