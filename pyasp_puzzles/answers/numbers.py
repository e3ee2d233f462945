"""An answer that is a number in each cell of a board."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyasp_puzzles.answers import Answer

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pyasp_puzzles.grid import Cell
    from pyasp_puzzles.layout import Layout
    from pyasp_puzzles.render.style import Style


@dataclass(frozen=True, repr=False)
class Numbers(Answer):
    """A number in each cell of a board, or in some of them."""

    values: Mapping[Cell, int]
    board: Layout = field(compare=False, repr=False)

    def __hash__(self) -> int:
        return hash(frozenset(self.values.items()))

    def json(self) -> dict[str, object]:
        """Return `{"grid": rows}`, null outside the board."""
        return {"grid": self.board.rows(self.values)}

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the board in a frame."""
        return self.board.draw({cell: str(value) for cell, value in self.values.items()}, style, marked)

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.board.cells

    def cells(self) -> Mapping[Cell, int]:
        """Return the number of each cell."""
        return self.values
