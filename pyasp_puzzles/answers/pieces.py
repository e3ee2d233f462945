"""An answer that is a board cut into pieces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyasp_puzzles.answers import Answer
from pyasp_puzzles.grid import EMPTY, Cell

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pyasp_puzzles.layout import Layout
    from pyasp_puzzles.render.style import Style


@dataclass(frozen=True, order=True)
class Piece:
    """A piece: its cells in order, and the atom of the output that says so, where it came from one."""

    cells: tuple[Cell, ...]
    atom: str = field(default="", compare=False)


@dataclass(frozen=True, repr=False)
class Pieces(Answer):
    """A board cut into pieces, in the order of their first cells; cells may be left over, or pieces overlap."""

    pieces: Sequence[Piece]
    board: Layout = field(compare=False, repr=False)

    def __hash__(self) -> int:
        return hash(tuple(self.pieces))

    def json(self) -> dict[str, object]:
        """Return `{"pieces": [{"cells": [[row, column], ...], "atom": ...}, ...]}`."""
        return {
            "pieces": [{"cells": [list(cell) for cell in piece.cells], "atom": piece.atom} for piece in self.pieces]
        }

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the board with walls around its pieces, or a line a piece where they overlap."""
        covered = self.cells()
        if len(covered) < sum(len(piece.cells) for piece in self.pieces):
            return "\n".join(" ".join(f"{r},{c}" for r, c in piece.cells) for piece in self.pieces)
        labels = {cell: self.board.printed.get(cell, EMPTY) for cell in self.board.cells}
        walls = dict.fromkeys(self.board.cells, ()) | covered
        return self.board.draw(labels, style, marked, walls=walls)

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.board.cells

    def cells(self) -> dict[Cell, tuple[Cell, ...]]:
        """Return the cells of the piece that covers each cell."""
        return {cell: piece.cells for piece in self.pieces for cell in piece.cells}
