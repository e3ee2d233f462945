"""An answer that is a finished picture: the colour that shows in each cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyasp_puzzles.answers import Answer
from pyasp_puzzles.grid import extent
from pyasp_puzzles.render.picture import paints, picture

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pyasp_puzzles.grid import Cell
    from pyasp_puzzles.render.style import Style


@dataclass(frozen=True, repr=False)
class Picture(Answer):
    """The colour that shows in each cell of a board."""

    colors: Mapping[Cell, str]
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    """What people call the colours."""

    def __hash__(self) -> int:
        return hash(frozenset(self.colors.items()))

    def json(self) -> dict[str, object]:
        """Return `{"grid": rows}`."""
        rows, columns = extent(self.colors)
        return {"grid": [[self.colors[r, c] for c in range(1, columns + 1)] for r in range(1, rows + 1)]}

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the picture, its rows and columns numbered."""
        return picture(self.colors, style, paints([*self.names, *self.colors.values()], self.names), marked)

    def cells(self) -> Mapping[Cell, str]:
        """Return the colour of each cell."""
        return self.colors
