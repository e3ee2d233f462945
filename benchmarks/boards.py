"""Boards in plain Python, from which every program starts, and a check of every answer.

Cell    (2, 3): row 2, column 3, counted from 1
Rows    [[1, 0], [0, 2]]: a number for each cell, 0 where it is empty
Words   [["w", "b"], ["b", "w"]]: a region or a color for each cell
Answer  {"grid": [[1, 2], [2, 1]]}, {"strips": [...]} or {"ribbons": [...]}: as in `docs/json.md`
"""

from collections.abc import Iterable, Sequence
from itertools import chain, product
from math import isqrt
from pathlib import Path
from typing import Any, NamedTuple

from pyasp_puzzles import Instance, Settings, loads

ENCODINGS = Path(__file__).parents[1] / "encodings"

Cell = tuple[int, int]
Rows = list[list[int]]
Words = list[list[str]]
Answer = dict[str, Any]


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
    extra: str = ""
    """The name of a variant whose rules are added, as with `--extra`."""
    seed: int | None = None
    """With a seed, pyasp_puzzles grounds every board by itself."""

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

    def strip(self, cell: Cell, length: int, *, down: bool) -> dict[str, Any]:
        """Return the strip that begins in a cell, as in an answer."""
        cells = [(cell[0] + i * down, cell[1] + i * (not down)) for i in range(length)]
        return {"cells": cells, "pattern": "".join(self.tiles[r - 1][c - 1] for r, c in cells)}

    def toml(self) -> str:
        """Return the keys of the board in an instance file."""
        if self.tiles:
            return (f"longest = {self.longest}\n" if self.longest else "") + _toml_grid("tiles", self.tiles)
        box = isqrt(len(self.givens))
        key = {"strimko": "streams", "tectonic": "blocks"}.get(self.puzzle)
        regions = _toml_grid(key, self.regions) if key else f"box = [{box}, {box}]\n"
        return regions + _toml_grid("givens", [[str(value or ".") for value in row] for row in self.givens])

    def instance(self) -> Instance:
        """Return the board as an instance; a 9x9 Sudoku is read from a line, as in a list.

        Raises:
            InstanceError: the board is not valid.
        """
        if self.puzzle == "sudoku" and len(self.givens) == 9:
            [loaded] = loads("".join(map(str, chain(*self.givens))), format="sudoku")
        else:
            [loaded] = loads(instance_file([self]))
        return loaded

    def settings(self) -> Settings:
        """Return the settings with which the board is solved."""
        return Settings(extra=[ENCODINGS / "variants" / self.extra] if self.extra else [], seed=self.seed)

    def facts(self) -> str:
        """Return the board as facts for its encoding."""
        return " ".join(f"{fact}." for fact in self.instance().facts)


def instance_file(boards: list[Board]) -> str:
    """Return boards of one puzzle as the text of an instance file."""
    return "\n[[board]]\n".join([f'puzzle = "{boards[0].puzzle}"', *(board.toml() for board in boards)])


def _toml_grid(key: str, rows: Words) -> str:
    return f'{key} = """\n' + "\n".join(" ".join(row) for row in rows) + '\n"""\n'


def grid(values: Iterable[Sequence[int]]) -> Rows:
    """Return (row, column, number) of each cell as rows."""
    found: dict[int, list[int]] = {}
    for r, _, value in sorted(values):
        found.setdefault(r, []).append(value)
    return list(found.values())


def ribbons(order: Iterable[tuple[str, int, str | None]]) -> Answer:
    """Return a laying order, bottom to top, as an answer."""
    return {"ribbons": [{"line": line, "index": index, "color": color} for line, index, color in order]}


def broken_rules(board: Board, answer: Answer) -> list[str]:
    """Return the rules that an answer breaks, by the checkers of the tests, which are written in plain Python."""
    from tests.plain import broken

    found = broken(board.instance(), answer)
    if board.extra == "anti-knight":
        values = {(r, c): value for r, row in enumerate(answer["grid"], 1) for c, value in enumerate(row, 1)}
        jumps = product(values, ((1, -2), (1, 2), (2, -1), (2, 1)))
        pairs = (((r, c), (r + y, c + x)) for (r, c), (y, x) in jumps)
        found += [f"a knight's move: {one}, {other}" for one, other in pairs if values[one] == values.get(other)]
    return found
