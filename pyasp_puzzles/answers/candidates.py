"""What numbers the cells of a board may hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyasp_puzzles.answers import Answer
from pyasp_puzzles.grid import EMPTY, Cell

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pyasp_puzzles.layout import Layout
    from pyasp_puzzles.render.style import Style


@dataclass(frozen=True, repr=False)
class Candidates(Answer):
    """The numbers that each cell may hold, in ascending order."""

    candidates: Mapping[Cell, tuple[int, ...]]
    board: Layout = field(compare=False, repr=False)

    def __hash__(self) -> int:
        return hash(frozenset(self.candidates.items()))

    def json(self) -> dict[str, object]:
        """Return `{"candidates": rows}`, where a cell is the list of its numbers; null outside the board."""
        return {"candidates": self.board.rows({cell: list(values) for cell, values in self.candidates.items()})}

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the board in a frame, with all numbers of a cell."""
        gap = "" if all(value < 10 for values in self.candidates.values() for value in values) else ","
        labels = {cell: gap.join(map(str, values)) or EMPTY for cell, values in self.candidates.items()}
        return self.board.draw(labels, style, marked)

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.board.cells

    def cells(self) -> Mapping[Cell, int]:
        """Return the number of each cell that has only one."""
        return {cell: values[0] for cell, values in self.candidates.items() if len(values) == 1}
