"""CaDiCaL, a SAT solver, through python-sat: clauses made for each board, or once for all boards of a shape."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from pysat.solvers import Cadical195  # type: ignore[import-untyped]

from . import Verdict
from .choices import Choices, choices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.board import Board


class Afresh:
    """The clauses of a board, clues among them."""

    puzzles = frozenset({"sudoku", "strimko", "tectonic", "strips"})
    how = "`Cadical195`, pairwise clauses, the answer forbidden for a second search; all made for each board"

    def prepare(self, board: Board) -> Board:
        """Return the board."""
        return board

    def solve(self, task: Board) -> Verdict:
        """Return the answer, and whether there is none when it is forbidden."""
        board = choices(task)
        with Cadical195(bootstrap_with=[*_clauses(board), *([i + 1] for i in board.given)]) as solver:
            if not solver.solve():
                return Verdict(None, unique=False)
            held = _held(solver.get_model(), len(board.of))
            solver.add_clause([-literal for literal in held])
            return Verdict(board.answer(literal - 1 for literal in held), not solver.solve())


class Assumed:
    """The clauses of a shape, clues assumed; a further variable for each board forbids its answer."""

    puzzles = frozenset({"sudoku"})
    how = "`Cadical195` with the clauses of the empty board, made once; the clues of each board are assumed"

    def __init__(self) -> None:
        self.solvers: dict[int, tuple[Cadical195, Choices]] = {}
        self.boards = 0

    def prepare(self, board: Board) -> Board:
        """Return the board."""
        return board

    def solve(self, task: Board) -> Verdict:
        """Return the answer, and whether there is none when it is forbidden."""
        givens = task.givens  # type: ignore[union-attr]
        n = len(givens)
        if n not in self.solvers:
            empty = choices(task)
            self.solvers[n] = Cadical195(bootstrap_with=_clauses(empty)), empty
        solver, board = self.solvers[n]
        clues = [(r * n + c) * n + value for r, row in enumerate(givens) for c, value in enumerate(row) if value]
        if not solver.solve(assumptions=clues):
            return Verdict(None, unique=False)
        held = _held(solver.get_model(), len(board.of))
        self.boards += 1
        forbidden = len(board.of) + self.boards
        solver.add_clause([-forbidden, *(-literal for literal in held)])
        unique = not solver.solve(assumptions=[*clues, forbidden])
        solver.add_clause([-forbidden])
        return Verdict(board.answer(literal - 1 for literal in held), unique)


def _held(model: list[int], choices_: int) -> list[int]:
    return [literal for literal in model[:choices_] if literal > 0]


def _clauses(board: Choices) -> Iterable[list[int]]:
    for group in board.one:
        yield [i + 1 for i in group]
    for group in board.one + board.one_at_most:
        yield from ([-one - 1, -other - 1] for one, other in combinations(group, 2))
