"""The kinds of answers, as data that knows how to print itself: an answer prints as its text.

    numbers.Numbers   a number a cell:   {(1, 1): 3, (1, 2): 1, ...}
    ribbons.Ribbons   a laying order:    Ribbon("row", 2, "b") first, at the bottom
    shading.Shading   shaded cells:      {(1, 1): True, (1, 2): False, ...}
    pieces.Pieces     a board cut up:    Piece(((1, 1), (1, 2)), "placed(1,1,right,2)"), ...
    strips.Strips     the same, in strips: Strip(((1, 1), (1, 2)), "wb"), ...

Beside them stand the kinds that say what holds in every answer, or in some.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyasp_puzzles.boards.grid import extent
from pyasp_puzzles.render.text import Style

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.puzzles.pieces import Piece
    from pyasp_puzzles.puzzles.strata.answers import Ribbon
    from pyasp_puzzles.puzzles.strips import Strip


class Answer:
    """One answer of one instance; two answers are equal if they say the same.

    Which kind it is depends on the puzzle, and that is known only when a board is read. So a type checker accepts the
    data of every kind; at run time an answer has that of its own kind, and raises `AttributeError` for the others.
    """

    if TYPE_CHECKING:

        @property
        def values(self) -> Mapping[Cell, int]:
            """Of numbers: the number in each cell."""

        @property
        def candidates(self) -> Mapping[Cell, tuple[int, ...]]:
            """Of the `possible` of numbers: the numbers that each cell may hold, in ascending order."""

        @property
        def shaded(self) -> Mapping[Cell, bool]:
            """Of shaded cells: whether each cell is shaded."""

        @property
        def pieces(self) -> Sequence[Piece]:
            """Of a board cut up: its pieces."""

        @property
        def strips(self) -> Sequence[Strip]:
            """Of a board cut into strips: the strips."""

        @property
        def order(self) -> Sequence[Ribbon]:
            """Of Strata: the ribbons, bottom to top."""

        @property
        def colors(self) -> Mapping[Cell, str]:
            """Of the `looks` of Strata: the colour that shows in each cell."""

    else:

        def __getattr__(self, name: str) -> object:
            data = next(iter(getattr(type(self), "__dataclass_fields__", ())), "nothing")
            raise AttributeError(f"this answer is {type(self).__name__} and has no {name!r}, expected {data!r}")

    def __str__(self) -> str:
        return self.text(Style())

    def __repr__(self) -> str:
        known, places = self.cells(), self.places()
        size = "x".join(map(str, extent(places))) if places else "empty"
        part = f", {len(known)} of {len(places)} cells known" if len(known) < len(places) else ""
        return f"<{type(self).__name__} {size}{part}>"

    def _repr_pretty_(self, printer: object, cycle: bool) -> None:  # noqa: FBT001 (the name and form are IPython's)
        printer.text("..." if cycle else str(self))  # type: ignore[attr-defined]

    def json(self) -> dict[str, Any]:
        """Return the answer in the form that `solve --json` prints."""
        raise NotImplementedError

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the answer as lines to read, with some cells marked."""
        raise NotImplementedError

    def cells(self) -> Mapping[Cell, Hashable]:
        """Return what the answer says of each cell; cells of which it says nothing are left out."""
        raise NotImplementedError

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.cells()
