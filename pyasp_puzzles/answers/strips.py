"""An answer that is a board cut into strips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.answers import Printable
from pyasp_puzzles.render.outline import outline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyasp_puzzles.board import Cell
    from pyasp_puzzles.render.style import Style


class Strip(NamedTuple):
    """A strip: its cells in order, from the left or from above, and their colours as they stand there."""

    cells: tuple[Cell, ...]
    pattern: str


@dataclass(frozen=True)
class Strips(Printable):
    """A board cut into strips, in the order of their first cells."""

    strips: Sequence[Strip]

    def __hash__(self) -> int:
        return hash(tuple(self.strips))

    def json(self) -> dict[str, object]:
        """Return `{"strips": [{"cells": ..., "pattern": ...}, ...]}`."""
        return {"strips": [{"cells": [list(cell) for cell in cells], "pattern": p} for cells, p in self.strips]}

    def text(self, style: Style) -> str:  # noqa: ARG002 (an outline is the same in colour)
        """Return the outlines of the strips, with bars and underscores."""
        return outline({cell: strip.cells[0] for strip in self.strips for cell in strip.cells})
