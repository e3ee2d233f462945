"""The kinds of answers, as data that knows how to print itself: an answer prints as its text.

    numbers.Numbers   a number a cell:   {(1, 1): 3, (1, 2): 1, ...}
    ribbons.Ribbons   a laying order:    Ribbon("row", 2, "b") first, at the bottom
    strips.Strips     a board cut up:    Strip(((1, 1), (1, 2)), "wb"), ...

Beside them stand the kinds that say what holds in every answer, or in some.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.render.style import Style

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping

    from clingo import Symbol

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

    def atoms(self) -> list[Symbol]:
        """Return what the answer says, as atoms of the encoding's output."""
        raise NotImplementedError
