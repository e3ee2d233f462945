"""The methods of the texts that this project began with, written out plainly in Python.

Where a method stops at an answer, it goes on here until it has a second one, or has shown that there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from benchmarks.board import Board, Numbers, Strata, Strips
from benchmarks.peers import Verdict

from .brute_force import fillings
from .depth_first import cuts
from .peeling import peel
from .resolution import fillings_by_resolution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.board import Answer


class Seeds:
    """Each puzzle by the method of its text."""

    puzzles: ClassVar = frozenset({"sudoku", "strimko", "tectonic", "strips", "strata"})
    how = (
        "Strata by peeling, Strimko and Sudoku by resolution with depth-first search, Tectonic by brute force, strips "
        "by depth-first search"
    )

    def prepare(self, board: Board) -> Board:
        """Return the board."""
        return board

    def solve(self, task: Board) -> Verdict:
        """Return the first answer, and whether there is no second one."""
        if isinstance(task, Strata):
            return peel(task)
        first, second = next(found := _answers(task), None), next(found, None)
        return Verdict(first, first is not None and second is None)


def _answers(board: Numbers | Strips) -> Iterator[Answer]:
    if isinstance(board, Strips):
        return cuts(board)
    return fillings(board) if board.puzzle == "tectonic" else fillings_by_resolution(board)
