"""Boards in plain Python, from which every program starts, and a check of every answer.

Cell    (2, 3): row 2, column 3, counted from 1
Rows    [[1, 0], [0, 2]]: a number for each cell, 0 where it is empty
Words   [["w", "b"], ["b", "w"]]: a region or a colour for each cell
Answer  Rows; or [[(1, 1), (1, 2)], ...], the cells of each strip; or [("row", 2, "r"), ...], ribbons from bottom to top
"""

from collections.abc import Iterable, Sequence
from itertools import product
from math import isqrt
from typing import Any, NamedTuple

Cell = tuple[int, int]
Rows = list[list[int]]
Words = list[list[str]]
Answer = Rows | list[list[Cell]] | list[tuple[str, int, str | None]]


class Verdict(NamedTuple):
    """The result of a program on a board: an answer, None if there is none, and whether it is the only one."""

    answer: Answer | None
    unique: bool


class Board(NamedTuple):
    """A board: a Sudoku, Strimko or Tectonic has regions and givens; strips and Strata have tiles."""

    puzzle: str
    givens: Rows = []  # noqa: RUF012 (never changed)
    regions: Words = []  # noqa: RUF012
    tiles: Words = []  # noqa: RUF012
    longest: int = 0
    """The length of the longest strip."""

    @property
    def cells(self) -> list[Cell]:
        """Return the cells, row by row."""
        rows = self.givens or self.tiles
        return [(r, c) for r, row in enumerate(rows, 1) for c, _ in enumerate(row, 1)]

    @property
    def clues(self) -> dict[Cell, int]:
        """Return the given numbers."""
        return {(r, c): value for r, c in self.cells if (value := self.givens[r - 1][c - 1])}

    def region_cells(self) -> list[list[Cell]]:
        """Return the cells of each region."""
        found: dict[str, list[Cell]] = {}
        for r, c in self.cells:
            found.setdefault(self.regions[r - 1][c - 1], []).append((r, c))
        return list(found.values())

    def units(self) -> list[list[Cell]]:
        """Return the groups of n cells that hold 1..n: regions and, except in a Tectonic, rows and columns."""
        if self.puzzle == "tectonic":
            return self.region_cells()
        span = range(1, len(self.givens) + 1)
        return [[(r, c) for c in span] for r in span] + [[(r, c) for r in span] for c in span] + self.region_cells()

    def touching(self) -> list[tuple[Cell, Cell]]:
        """Return the pairs of cells that touch, diagonally too."""
        cells, known = self.cells, set(self.cells)
        pairs = (((r, c), (r + y, c + x)) for (r, c), (y, x) in product(cells, ((0, 1), (1, -1), (1, 0), (1, 1))))
        return [pair for pair in pairs if pair[1] in known]

    def line(self) -> str | None:
        """Return a 9x9 Sudoku as 81 digits; None for other boards."""
        if self.puzzle != "sudoku" or len(self.givens) != 9:
            return None
        return "".join(str(value) for row in self.givens for value in row)

    def toml(self) -> str:
        """Return the keys of the board in an instance file."""
        if self.tiles:
            return (f"longest = {self.longest}\n" if self.longest else "") + _toml_grid("tiles", self.tiles)
        box = isqrt(len(self.givens))
        key = {"strimko": "streams", "tectonic": "blocks"}.get(self.puzzle)
        regions = _toml_grid(key, self.regions) if key else f"box = [{box}, {box}]\n"
        return regions + _toml_grid("givens", [[str(value or ".") for value in row] for row in self.givens])

    def facts(self) -> str:
        """Return the board as facts for its encoding."""
        if self.givens:
            region = "block" if self.puzzle == "tectonic" else "stream"
            facts = [f'{region}({r},{c},"{self.regions[r - 1][c - 1]}").' for r, c in self.cells]
            return " ".join(facts + [f"given({r},{c},{value})." for (r, c), value in self.clues.items()])
        colors = {(r, c): self.tiles[r - 1][c - 1] for r, c in self.cells}
        facts = [f'tile({r},{c},"{color}").' for (r, c), color in colors.items() if color != "."]
        size = f"row(1..{len(self.tiles)}). col(1..{len(self.tiles[0])})."
        return " ".join([f"longest({self.longest})." if self.longest else size, *facts])


def instance_file(boards: list[Board]) -> str:
    """Return boards of one puzzle as the text of an instance file."""
    return "\n[[board]]\n".join([f'puzzle = "{boards[0].puzzle}"', *(board.toml() for board in boards)])


def grid(values: Iterable[Sequence[int]]) -> Rows:
    """Return (row, column, number) of each cell as rows."""
    found: dict[int, list[int]] = {}
    for r, _, value in sorted(values):
        found.setdefault(r, []).append(value)
    return list(found.values())


def broken_rules(board: Board, answer: Any) -> list[str]:  # noqa: ANN401 (programs return anything)
    """Return the rules that an answer breaks, by the checkers of the tests, which are written in plain Python."""
    from tests.rules import strata_broken, strimko_broken, strips_broken, tectonic_broken

    if board.givens:
        check = tectonic_broken if board.puzzle == "tectonic" else strimko_broken
        return check(_by_cell(board.regions), board.clues, _by_cell(answer))
    if board.puzzle == "strips":
        strips = [sorted(tuple(cell) for cell in strip) for strip in answer]
        return strips_broken(_by_cell(board.tiles), board.longest, None, strips)
    colored = {cell: color for cell, color in _by_cell(board.tiles).items() if color != "."}
    return strata_broken(len(board.tiles), len(board.tiles[0]), colored, [tuple(ribbon) for ribbon in answer])


def _by_cell(rows: Any) -> dict[Cell, Any]:  # noqa: ANN401
    return {(r, c): value for r, row in enumerate(rows, 1) for c, value in enumerate(row, 1)}


def _toml_grid(key: str, rows: Words) -> str:
    return f'{key} = """\n' + "\n".join(" ".join(row) for row in rows) + '\n"""\n'
