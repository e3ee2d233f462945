"""Parts of answers: pieces, strips and ribbons. Answers that are numbers have none, and do not import them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pyasp_puzzles.boards.grid import Cell


@dataclass(frozen=True, order=True)
class Piece:
    """A piece, `Piece(((1, 1), (1, 2)))`: its cells in order, and the atom that it came from, if any."""

    cells: tuple[Cell, ...]
    atom: str = field(default="", compare=False)


class Strip(NamedTuple):
    """A strip, `Strip(((1, 1), (1, 2)), "wb")`: its cells from left to right or top to bottom, and their colors."""

    cells: tuple[Cell, ...]
    pattern: str


@dataclass(frozen=True)
class Ribbon:
    """The ribbon along a line, `Ribbon("column", 1, "y")`: `index` counts from 1, `color` is None for any."""

    line: str
    index: int
    color: str | None


@dataclass(frozen=True)
class Click:
    """A click that lays a ribbon, `Click(31, 80, "row", 2, "blue")`: pixels from the left and the top of a picture."""

    x: int
    y: int
    line: str
    index: int
    color: str
