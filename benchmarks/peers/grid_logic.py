"""grilops: grids of symbols for the z3 solver."""

from __future__ import annotations

from typing import Any

from grilops.geometry import Point, get_rectangle_lattice  # type: ignore[import-untyped]
from grilops.grids import SymbolGrid  # type: ignore[import-untyped]
from grilops.symbols import make_number_range_symbol_set  # type: ignore[import-untyped]
from z3 import Distinct  # type: ignore[import-untyped]

from benchmarks.board import Board, Numbers

from . import Verdict


class Grilops:
    """A `SymbolGrid`, rules as in its own examples, and its `is_unique`."""

    puzzles = frozenset({"sudoku", "strimko", "tectonic"})
    how = "a `SymbolGrid`, `Distinct` as in its own Sudoku example, and its `is_unique`"

    def prepare(self, board: Board) -> Board:
        """Return the board."""
        return board

    def solve(self, task: Any) -> Verdict:  # noqa: ANN401
        """Return the answer."""
        assert isinstance(task, Numbers)
        rows, columns, regions = len(task.givens), len(task.givens[0]), task.members()
        symbols = make_number_range_symbol_set(1, max(map(len, regions)))
        grid = SymbolGrid(get_rectangle_lattice(rows, columns), symbols)
        for r, c in task.cells:
            if value := task.givens[r - 1][c - 1]:
                grid.solver.add(grid.cell_is(Point(r - 1, c - 1), value))
        units = list(regions)
        if task.puzzle == "tectonic":
            _keep_apart(grid, regions)
        else:
            units += [[(i, j) for j in range(1, rows + 1)] for i in range(1, rows + 1)]
            units += [[(j, i) for j in range(1, rows + 1)] for i in range(1, rows + 1)]
        for unit in units:
            grid.solver.add(Distinct(*(grid.grid[Point(r - 1, c - 1)] for r, c in unit)))
        if not grid.solve():
            return Verdict(None, unique=False)
        found = grid.solved_grid()
        answer = [[found[Point(r, c)] for c in range(columns)] for r in range(rows)]
        return Verdict(answer, grid.is_unique())


def _keep_apart(grid: Any, blocks: list[list[tuple[int, int]]]) -> None:  # noqa: ANN401
    for block in blocks:
        for r, c in block:
            point = Point(r - 1, c - 1)
            grid.solver.add(grid.grid[point] <= len(block))
            for neighbor in grid.vertex_sharing_neighbors(point):
                if point < neighbor.location:
                    grid.solver.add(grid.grid[point] != neighbor.symbol)
