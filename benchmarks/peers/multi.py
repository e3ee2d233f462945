"""multi-puzzle-solver: CP-SAT models of many puzzles, which it asks for all answers."""

from __future__ import annotations

from typing import Any

import numpy as np
from puzzle_solver import sudoku_solver, suguru_solver  # type: ignore[import-untyped]
from puzzle_solver.core.utils_ortools import SingleSolution, generic_solve_all  # type: ignore[import-untyped]

from benchmarks.board import Board, Numbers, Rows

from . import Verdict

LARGEST = 35
"""The largest number that it can write in one character."""


class MultiPuzzleSolver:
    """Its `Board` and its `generic_solve_all`, which `solve_and_print` is, without the printing."""

    puzzles = frozenset({"sudoku", "tectonic"})
    how = "its `Board` for the puzzle, and its `generic_solve_all` stopped after two answers"

    def prepare(self, board: Board) -> Any:  # noqa: ANN401
        """Return the arrays that its boards are made of."""
        assert isinstance(board, Numbers)
        if board.puzzle == "tectonic":
            return suguru_solver, (_array(_numbered(board)), _array([_words(row) for row in board.givens]))
        if len(board.givens) > LARGEST:
            return None
        return sudoku_solver, (_array([[_character(value) for value in row] for row in board.givens]),)

    def solve(self, task: Any) -> Verdict:  # noqa: ANN401
        """Return the first answer."""
        module, arrays = task
        board = module.Board(*arrays)
        answers = generic_solve_all(board, _solution, max_solutions=2, verbose=False)
        return Verdict(_rows(answers[0].assignment, board) if answers else None, len(answers) == 1)


def _solution(board: Any, solver: Any) -> Any:  # noqa: ANN401
    return SingleSolution(assignment={place: solver.value(variable) for place, variable in board.model_vars.items()})


def _rows(assignment: Any, board: Any) -> Rows:  # noqa: ANN401
    rows = [[0] * board.H for _ in range(board.V)]
    for place, value in assignment.items():
        rows[place.y][place.x] = value
    return rows


def _numbered(board: Numbers) -> list[list[str]]:
    names = sorted({name for row in board.regions for name in row})
    return [[str(names.index(name)) for name in row] for row in board.regions]


def _words(row: list[int]) -> list[str]:
    return [str(value or " ") for value in row]


def _character(value: int) -> str:
    return " " if not value else str(value) if value < 10 else chr(ord("a") + value - 10)


def _array(rows: list[list[str]]) -> Any:  # noqa: ANN401
    return np.array(rows)
