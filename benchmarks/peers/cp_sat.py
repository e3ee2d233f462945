"""CP-SAT of Google OR-Tools, one worker, two answers: with integers, and with Booleans."""

from collections.abc import Sequence
from typing import Any

from ortools.sat.python import cp_model

from benchmarks.boards import Board, Verdict

from .choices import encode


def integers(board: Board) -> Verdict:
    """Use `add_all_different` for each unit, one worker; enumerate all answers, and stop after two."""
    model, clues = cp_model.CpModel(), board.clues
    size = {cell: len(region) for region in board.region_cells() for cell in region}
    numbers: dict[tuple[int, int], Any] = {
        cell: model.new_constant(clues[cell]) if cell in clues else model.new_int_var(1, size[cell], "")
        for cell in board.cells
    }
    if board.puzzle == "tectonic":
        for cell, other in board.touching():
            model.add(numbers[cell] != numbers[other])
    for unit in board.units():
        model.add_all_different(numbers[cell] for cell in unit)
    found, columns = _two(model, list(numbers.values())), len(board.givens[0])
    answer = {"grid": [found[0][i : i + columns] for i in range(0, len(found[0]), columns)]} if found else None
    return Verdict(answer, len(found) == 1)


def booleans(board: Board) -> Verdict:
    """Use a Boolean for each number of a cell, or each strip, and `add_exactly_one`; otherwise the same."""
    encoded, model = encode(board), cp_model.CpModel()
    true = [model.new_bool_var("") for _ in encoded.choices]
    for group in encoded.exactly_one:
        model.add_exactly_one(true[i] for i in group)
    for group in encoded.at_most_one:
        model.add_at_most_one(true[i] for i in group)
    if encoded.given:
        model.add_bool_and(true[i] for i in encoded.given)
    found = _two(model, true)
    answer = encoded.answer(i for i, value in enumerate(found[0]) if value) if found else None
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
