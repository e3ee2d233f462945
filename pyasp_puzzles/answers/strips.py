"""An answer that is a board cut into strips."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.answers import Answer
from pyasp_puzzles.render.outline import outline

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pyasp_puzzles.grid import Cell
    from pyasp_puzzles.render.style import Style


class Strip(NamedTuple):
    """A strip: its cells in order, from the left or from above, and their colours as they stand there."""

    cells: tuple[Cell, ...]
    pattern: str


@dataclass(frozen=True, repr=False)
class Strips(Answer):
    """A board cut into strips, in the order of their first cells."""

    strips: Sequence[Strip]
    board: frozenset[Cell] = field(compare=False, repr=False)
    """All cells of the board."""

    def __hash__(self) -> int:
        return hash(tuple(self.strips))

    def json(self) -> dict[str, object]:
        """Return `{"strips": [{"cells": ..., "pattern": ...}, ...]}`."""
        return {"strips": [{"cells": [list(cell) for cell in cells], "pattern": p} for cells, p in self.strips]}

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:  # noqa: ARG002 (outlines have no colour)
        """Return the outlines of the strips, with bars and underscores."""
        covered = self.cells()
        return outline({cell: covered.get(cell, ()) for cell in self.board}, marked)

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.board

    def cells(self) -> dict[Cell, tuple[Cell, ...]]:
        """Return the cells of the strip that covers each cell."""
        return {cell: strip.cells for strip in self.strips for cell in strip.cells}


@dataclass(frozen=True, repr=False)
class Placements(Answer):
    """Strips that lie in some answer, or in all; they may overlap."""

    found: Strips

    def json(self) -> dict[str, object]:
        """Return `{"strips": [...]}`, as for an answer."""
        return self.found.json()

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the outlines of the strips, or a line each where they overlap."""
        if len(self.found.cells()) == sum(len(cells) for cells, _ in self.found.strips):
            return self.found.text(style, marked)
        lines = []
        for cells, pattern in self.found.strips:
            (r, c), (row, column) = cells[0], cells[-1]
            rows = f"row {r}" if r == row else f"rows {r}-{row}"
            columns = f"column {c}" if c == column else f"columns {c}-{column}"
            lines.append(f"{rows}, {columns}: {pattern}")
        return "\n".join(lines)

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.found.board

    def cells(self) -> dict[Cell, tuple[Cell, ...]]:
        """Return the cells of a strip that covers each cell."""
        return self.found.cells()
