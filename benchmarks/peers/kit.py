"""puzzlekit: CP-SAT models of many puzzles, which it asks for one answer."""

from __future__ import annotations

from typing import Any

from ortools.sat.python import cp_model
from puzzlekit.solvers.sudoku import SudokuSolver  # type: ignore[import-untyped]
from puzzlekit.solvers.suguru import SuguruSolver  # type: ignore[import-untyped]

from benchmarks.board import Board, Numbers

from . import Verdict


class PuzzleKit:
    """Its solver for the puzzle; it shows no uniqueness, so its model is solved again, its answer forbidden."""

    puzzles = frozenset({"sudoku", "tectonic"})
    how = "its solver, one worker; it shows no uniqueness, so we solve its model again with its answer forbidden"

    def prepare(self, board: Board) -> Any:  # noqa: ANN401
        """Return the grids that its solvers are made of."""
        assert isinstance(board, Numbers)
        givens = [[str(value or "-") for value in row] for row in board.givens]
        size = len(givens), len(givens[0])
        if board.puzzle == "tectonic":
            return SuguruSolver, (*size, givens, board.regions)
        return SudokuSolver, (*size, givens)

    def solve(self, task: Any) -> Verdict:  # noqa: ANN401
        """Return its answer, and whether its model has no other."""
        solver, board = task
        puzzle = solver(*board)
        result = puzzle.solve({"num_workers": 1, "time_limit_sec": 3600.0})
        if result.solution_data["status"] not in {"Optimal", "Feasible"}:
            return Verdict(None, unique=False)
        rows = [[int(value) for value in row] for row in result.solution_data["solution_grid"].matrix]
        places = list(puzzle.x)
        puzzle.model.add_forbidden_assignments([puzzle.x[place] for place in places], [[rows[r][c] for r, c in places]])
        again = cp_model.CpSolver()
        again.parameters.num_workers = 1
        return Verdict(rows, again.solve(puzzle.model) == cp_model.INFEASIBLE)
