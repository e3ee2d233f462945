"""An answer that says which cells of a board are shaded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyasp_puzzles.answers import Answer
from pyasp_puzzles.grid import EMPTY, Cell

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pyasp_puzzles.layout import Layout
    from pyasp_puzzles.render.style import Style

SHADE, UNSHADED = "▓", "o"


@dataclass(frozen=True, repr=False)
class Shading(Answer):
    """Whether each cell of a board is shaded; a cell that is left out is open."""

    shaded: Mapping[Cell, bool]
    names: tuple[str, str] = field(compare=False)
    """What people call a shaded cell, and another: ("black", "white")."""
    board: Layout = field(compare=False, repr=False)
    open_as: str = field(default="null", compare=False, repr=False)
    """How JSON has the cells: "null" for an open one, or "both", a list of what each may be."""

    def __hash__(self) -> int:
        return hash(frozenset(self.shaded.items()))

    def json(self) -> dict[str, object]:
        """Return `{"grid": rows}`, with the two names, null for an open cell and outside the board."""
        named = {cell: self.names[not shaded] for cell, shaded in self.shaded.items()}
        if self.open_as == "both":
            both = list(self.names)
            left = {cell: [named[cell]] if cell in named else both for cell in self.board.cells}
            return {"candidates": self.board.rows(left)}
        return {"grid": self.board.rows(named)}

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the board in a frame; an open cell is `.`, and where there are any, others are `o`."""
        return self.board.draw(self.labels(), style, marked)

    def labels(self) -> dict[Cell, str]:
        """Return what stands in each cell."""
        part = len(self.shaded) < len(self.board.cells)
        labels = {}
        for cell in self.board.cells:
            printed = self.board.printed.get(cell, "")
            if cell not in self.shaded:
                labels[cell] = f" {printed or EMPTY} "
            elif self.shaded[cell]:
                labels[cell] = f"{SHADE}{printed or SHADE}{SHADE}"
            elif printed:
                labels[cell] = f"·{printed}·" if part else f" {printed} "
            else:
                labels[cell] = f" {UNSHADED if part else ' '} "
        return labels

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.board.cells

    def cells(self) -> Mapping[Cell, bool]:
        """Return whether each cell is shaded."""
        return self.shaded
