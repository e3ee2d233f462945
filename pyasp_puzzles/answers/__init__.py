"""The kinds of answers, as data that knows how to print itself: an answer prints as its text.

    numbers.Numbers   a number a cell:   {(1, 1): 3, (1, 2): 1, ...}
    ribbons.Ribbons   a laying order:    Ribbon("row", 2, "b") first, at the bottom
    shading.Shading   shaded cells:      {(1, 1): True, (1, 2): False, ...}
    pieces.Pieces     a board cut up:    Piece(((1, 1), (1, 2)), "placed(1,1,right,2)"), ...
    strips.Strips     the same, in strips: Strip(((1, 1), (1, 2)), "wb"), ...

Beside them stand the kinds that say what holds in every answer, or in some.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.render.style import Style

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping

    from pyasp_puzzles.board import Cell


class Printable:
    """What has a text prints as its plain text, in a notebook too."""

    def __str__(self) -> str:
        return self.text(Style())

    def _repr_pretty_(self, printer: object, cycle: bool) -> None:  # noqa: FBT001 (the name and form are IPython's)
        printer.text("..." if cycle else str(self))  # type: ignore[attr-defined]

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the answer as lines to read, with some cells marked."""
        raise NotImplementedError

    def cells(self) -> Mapping[Cell, Hashable]:
        """Return what the answer says of each cell; cells of which it says nothing are left out."""
        raise NotImplementedError
