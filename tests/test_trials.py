"""Clues that are left out on trial, with a stand-in for the questions, whose time ends when the test says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from clingo import Function, Number

from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.generation.trials import Trials

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clingo import Symbol

UNITS = [((Function("clue", [Number(i)]),),) for i in range(4)]


class Board:
    """A board on which clue 0 is needed, and nothing is known of the others; it is late after some questions."""

    def __init__(self, questions: int) -> None:
        self.left = questions

    def others(self, units: Sequence[Any], most: int) -> tuple[list[list[Symbol]], bool] | None:
        """Return another answer that has some units, whose atom tells which clue it breaks."""
        assert most > 0
        self.left -= 1
        if self.left < 0:
            return None
        return ([[Function("breaks", [Number(0)])]] if UNITS[0] not in units else []), False

    def literals(self, answer: Sequence[Symbol]) -> frozenset[int]:
        """Return an answer as it is passed to `admits`."""
        return frozenset(atom.arguments[0].number for atom in answer)

    def admits(self, answer: frozenset[int], clues: set[Symbol]) -> bool:
        """Return whether an answer breaks none of some clues."""
        if self.left < 0:
            raise OutOfTime
        return not any(clue.arguments[0].number in answer for clue in clues)


def test_when_time_ends_all_clues_that_may_be_needed_remain() -> None:
    """Whenever time ends: nothing more is asked then, and a clue that is not known to be needed is told as such."""
    for questions in range(12):
        board = Board(questions)
        trials = Trials(cast("Any", board), UNITS, board.others, lambda _unit, _kept: False)
        open_units = trials.run(UNITS)
        assert sorted(trials.kept) == sorted(UNITS), questions
        assert {*UNITS[1:]} <= {*open_units}, questions
        assert (UNITS[0] in open_units) == (questions == 0), questions


def test_a_board_whose_clues_stay_open_ends() -> None:
    """Where no question is answered but one, the clue that it is about is needed, and all remain."""
    board = Board(10**9)
    trials = Trials(cast("Any", board), UNITS, board.others, lambda _unit, _kept: False)
    assert {*trials.run(UNITS)} == {*UNITS[1:]}
    assert {*trials.kept} == {*UNITS}
