"""The boards that are measured, in plain Python: what every solver starts from.

Rows     [[1, 0, 0, 2], ...]: a number a cell, 0 where there is none
Numbers  a Sudoku, Strimko or Tectonic: regions and givens
Strips   a board to cut, its colours, and the longest strip
Strata   a board of colours, "." where a cell may show anything
"""

from __future__ import annotations

import json
from math import isqrt
from typing import Any, NamedTuple, TypeAlias

Rows: TypeAlias = "list[list[int]]"
Words: TypeAlias = "list[list[str]]"
Cell: TypeAlias = "tuple[int, int]"
Ribbon: TypeAlias = "tuple[str, int, str | None]"
Answer: TypeAlias = "Rows | list[list[Cell]] | list[Ribbon]"
"""Numbers by row; the cells of each strip, counted from 1; ribbons from bottom to top, ("row", 2, "red")."""


class Numbers(NamedTuple):
    """A Sudoku, a Strimko or a Tectonic."""

    puzzle: str
    name: str
    regions: Words
    givens: Rows

    @property
    def cells(self) -> list[Cell]:
        """Return the cells, counted from 1, row by row."""
        return [(r, c) for r, row in enumerate(self.givens, 1) for c, _ in enumerate(row, 1)]

    @property
    def box(self) -> int:
        """Return the side of a Sudoku's box."""
        return isqrt(len(self.givens))

    def members(self) -> list[list[Cell]]:
        """Return the cells of each region."""
        found: dict[str, list[Cell]] = {}
        for r, c in self.cells:
            found.setdefault(self.regions[r - 1][c - 1], []).append((r, c))
        return list(found.values())

    def toml(self) -> str:
        """Return the keys of a board in an instance file."""
        key = {"strimko": "streams", "tectonic": "blocks", "sudoku": ""}[self.puzzle]
        regions = _grid(key, self.regions) if key else f"box = [{self.box}, {self.box}]\n"
        return regions + _grid("givens", [[str(value or ".") for value in row] for row in self.givens])

    def line(self) -> str | None:
        """Return the cells of a 9x9 Sudoku in a line, as collections have them; None for other boards."""
        if self.puzzle != "sudoku" or len(self.givens) != 9:
            return None
        return "".join(str(value) for row in self.givens for value in row)

    def facts(self) -> str:
        """Return the board as facts of its encoding."""
        name = "block" if self.puzzle == "tectonic" else "stream"
        regions = [f'{name}({r},{c},"{self.regions[r - 1][c - 1]}").' for r, c in self.cells]
        givens = [f"given({r},{c},{self.givens[r - 1][c - 1]})." for r, c in self.cells if self.givens[r - 1][c - 1]]
        return " ".join(regions + givens)


class Strips(NamedTuple):
    """A board to cut into strips, no two of them alike."""

    name: str
    tiles: Words
    longest: int
    puzzle: str = "strips"

    def toml(self) -> str:
        """Return the keys of a board in an instance file."""
        return f"longest = {self.longest}\n" + _grid("tiles", self.tiles)

    def facts(self) -> str:
        """Return the board as facts of its encoding."""
        return f"longest({self.longest}). {_tiles(self.tiles)}"


class Strata(NamedTuple):
    """A board to be covered with ribbons."""

    name: str
    tiles: Words
    puzzle: str = "strata"

    def toml(self) -> str:
        """Return the keys of a board in an instance file."""
        return _grid("tiles", self.tiles)

    def facts(self) -> str:
        """Return the board as facts of its encoding."""
        return f"row(1..{len(self.tiles)}). col(1..{len(self.tiles[0])}). {_tiles(self.tiles)}"


Board: TypeAlias = "Numbers | Strips | Strata"


def instance_file(boards: list[Board]) -> str:
    """Return boards of one puzzle as the text of one instance file."""
    titled = [f"[[board]]\ntitle = {json.dumps(board.name)}\n{board.toml()}" for board in boards]
    return "\n".join([f'puzzle = "{boards[0].puzzle}"\n', *titled])


def packed(board: Board) -> dict[str, Any]:
    """Return a board as data for JSON."""
    return board._asdict()


def unpacked(data: dict[str, Any]) -> Board:
    """Return the board that was packed."""
    kind: dict[str, type[Strips | Strata]] = {"strips": Strips, "strata": Strata}
    return kind.get(data["puzzle"], Numbers)(**data)


def _grid(key: str, rows: Words) -> str:
    return f'{key} = """\n' + "\n".join(" ".join(row) for row in rows) + '\n"""\n'


def _tiles(tiles: Words) -> str:
    cells = ((r, c, color) for r, row in enumerate(tiles, 1) for c, color in enumerate(row, 1))
    return " ".join(f'tile({r},{c},"{color}").' for r, c, color in cells if color != ".")
