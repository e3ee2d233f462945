"""Google OR-Tools' CP-SAT, one worker, two answers asked for: with integers, and with Booleans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ortools.sat.python import cp_model

from benchmarks.board import Board, Numbers

from . import Verdict
from .choices import choices

if TYPE_CHECKING:
    from collections.abc import Sequence


class Integers:
    """A number variable for each cell, and `add_all_different`."""

    puzzles = frozenset({"sudoku", "strimko", "tectonic"})
    how = "`add_all_different` over the units, one worker, all answers enumerated and stopped after two"

    def prepare(self, board: Board) -> Board:
        """Return the board."""
        return board

    def solve(self, task: Any) -> Verdict:  # noqa: ANN401
        """Return the first answer."""
        assert isinstance(task, Numbers)
        model, regions, rows = cp_model.CpModel(), task.members(), len(task.givens)
        largest = {cell: len(region) for region in regions for cell in region}
        numbers: dict[tuple[int, int], Any] = {}
        for r, c in task.cells:
            value = task.givens[r - 1][c - 1]
            numbers[r, c] = model.new_constant(value) if value else model.new_int_var(1, largest[r, c], "")
        units = list(regions)
        if task.puzzle == "tectonic":
            near = ((0, 1), (1, -1), (1, 0), (1, 1))
            pairs = [((r, c), (r + y, c + x)) for r, c in numbers for y, x in near if (r + y, c + x) in numbers]
            for one, other in pairs:
                model.add(numbers[one] != numbers[other])
        else:
            units += [[(i, j) for j in range(1, rows + 1)] for i in range(1, rows + 1)]
            units += [[(j, i) for j in range(1, rows + 1)] for i in range(1, rows + 1)]
        for unit in units:
            model.add_all_different(numbers[cell] for cell in unit)
        found = _two(model, list(numbers.values()))
        columns = len(task.givens[0])
        answer = [found[0][i : i + columns] for i in range(0, len(found[0]), columns)] if found else None
        return Verdict(answer, len(found) == 1)


class Booleans:
    """A Boolean for each choice, and `add_exactly_one`."""

    puzzles = frozenset({"sudoku", "strimko", "tectonic", "strips"})
    how = "a Boolean for each number of a cell, or strip of a board, and `add_exactly_one`; otherwise the same"

    def prepare(self, board: Board) -> Board:
        """Return the board."""
        return board

    def solve(self, task: Board) -> Verdict:
        """Return the first answer."""
        board = choices(task)
        model = cp_model.CpModel()
        held = [model.new_bool_var("") for _ in board.of]
        for group in board.one:
            model.add_exactly_one(held[i] for i in group)
        for group in board.one_at_most:
            model.add_at_most_one(held[i] for i in group)
        if board.given:
            model.add_bool_and(held[i] for i in board.given)
        found = _two(model, held)
        answer = board.answer(i for i, value in enumerate(found[0]) if value) if found else None
        return Verdict(answer, len(found) == 1)


class _Collector(cp_model.CpSolverSolutionCallback):
    def __init__(self, variables: Sequence[Any]) -> None:
        super().__init__()
        self.variables = variables
        self.found: list[list[int]] = []

    def on_solution_callback(self) -> None:
        self.found.append([self.value(variable) for variable in self.variables])
        if len(self.found) == 2:
            self.stop_search()


def _two(model: cp_model.CpModel, variables: Sequence[Any]) -> list[list[int]]:
    solver, collector = cp_model.CpSolver(), _Collector(variables)
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, collector)
    return collector.found
