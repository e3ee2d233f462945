"""Packages with models of puzzles, or with grids to model them: multi-puzzle-solver, puzzlekit and grilops."""

from typing import Any

from benchmarks.boards import Board, Verdict

from . import Solve


def multi_puzzle_solver(board: Board) -> Solve | None:
    """Use its `Board` for the puzzle, and its `generic_solve_all`, stopped after two answers."""
    import numpy as np
    from puzzle_solver import sudoku_solver, suguru_solver
    from puzzle_solver.core.utils_ortools import SingleSolution, generic_solve_all

    if board.puzzle == "tectonic":
        names = sorted({name for row in board.regions for name in row})
        givens = np.array([[str(value or " ") for value in row] for row in board.givens])
        make = suguru_solver.Board
        arrays = [np.array([[str(names.index(name)) for name in row] for row in board.regions]), givens]
    elif len(board.givens) > 35:  # larger numbers have no character
        return None
    else:
        make = sudoku_solver.Board
        digits = " 123456789abcdefghijklmnopqrstuvwxyz"
        arrays = [np.array([[digits[value] for value in row] for row in board.givens])]

    def solution(model: Any, solver: Any) -> Any:  # noqa: ANN401
        return SingleSolution(assignment={cell: solver.value(variable) for cell, variable in model.model_vars.items()})

    def solve() -> Verdict:
        model = make(*arrays)
        found = generic_solve_all(model, solution, max_solutions=2, verbose=False)
        if not found:
            return Verdict(None, unique=False)
        rows = [[0] * model.H for _ in range(model.V)]
        for cell, value in found[0].assignment.items():
            rows[cell.y][cell.x] = value
        return Verdict({"grid": rows}, len(found) == 1)

    return solve


def puzzlekit(board: Board) -> Solve:
    """Use its solver, one worker, and solve its model again with the answer forbidden, as it does not test that."""
    from ortools.sat.python import cp_model
    from puzzlekit.solvers.sudoku import SudokuSolver
    from puzzlekit.solvers.suguru import SuguruSolver

    givens = [[str(value or "-") for value in row] for row in board.givens]
    kind, regions = (SuguruSolver, [board.regions]) if board.puzzle == "tectonic" else (SudokuSolver, [])

    def solve() -> Verdict:
        puzzle = kind(len(givens), len(givens[0]), givens, *regions)
        result = puzzle.solve({"num_workers": 1, "time_limit_sec": 3600.0})
        if result.solution_data["status"] not in {"Optimal", "Feasible"}:
            return Verdict(None, unique=False)
        rows = [[int(value) for value in row] for row in result.solution_data["solution_grid"].matrix]
        cells = list(puzzle.x)
        puzzle.model.add_forbidden_assignments([puzzle.x[cell] for cell in cells], [[rows[r][c] for r, c in cells]])
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        return Verdict({"grid": rows}, solver.solve(puzzle.model) == cp_model.INFEASIBLE)

    return solve


def grilops(board: Board) -> Verdict:
    """Use a `SymbolGrid`, `Distinct` as in its own Sudoku example, and its `is_unique`."""
    from grilops.geometry import Point, get_rectangle_lattice
    from grilops.grids import SymbolGrid
    from grilops.symbols import make_number_range_symbol_set
    from z3 import Distinct

    regions = board.region_cells()
    lattice = get_rectangle_lattice(len(board.givens), len(board.givens[0]))
    grid = SymbolGrid(lattice, make_number_range_symbol_set(1, max(map(len, regions))))
    symbols = {(r, c): grid.grid[Point(r - 1, c - 1)] for r, c in board.cells}
    for (r, c), value in board.clues.items():
        grid.solver.add(grid.cell_is(Point(r - 1, c - 1), value))
    if board.puzzle == "tectonic":
        for region in regions:
            for cell in region:
                grid.solver.add(symbols[cell] <= len(region))
        for cell, other in board.touching():
            grid.solver.add(symbols[cell] != symbols[other])
    for unit in board.units():
        grid.solver.add(Distinct(*(symbols[cell] for cell in unit)))
    if not grid.solve():
        return Verdict(None, unique=False)
    found = grid.solved_grid()
    rows = [[found[Point(r, c)] for c, _ in enumerate(row)] for r, row in enumerate(board.givens)]
    return Verdict({"grid": rows}, grid.is_unique())
