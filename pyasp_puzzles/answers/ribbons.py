"""An answer that is the order in which ribbons are laid."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from pyasp_puzzles.answers import Printable
from pyasp_puzzles.board import EMPTY, Cell, extent
from pyasp_puzzles.render.style import DIM, Style, backgrounds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ANY = "any colour"
"""How the colour of a free ribbon is written."""


@dataclass(frozen=True)
class Ribbon:
    """The ribbon along a line: `line` is "row" or "column", `index` from 1; without a color, any will do."""

    line: str
    index: int
    color: str | None


@dataclass(frozen=True)
class Ribbons(Printable):
    """A laying order, bottom to top."""

    order: Sequence[Ribbon]
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    """What people call the colours."""

    def __hash__(self) -> int:
        return hash(tuple(self.order))

    def json(self) -> dict[str, object]:
        """Return `{"ribbons": [...]}`, bottom to top, a null color for any."""
        return {"ribbons": [asdict(ribbon) for ribbon in self.order]}

    def board(self) -> dict[Cell, str | None]:
        """Return what shows in each cell when all is laid: the color of the ribbon on top, None for any."""
        rows = [ribbon.index for ribbon in self.order if ribbon.line == "row"]
        columns = [ribbon.index for ribbon in self.order if ribbon.line == "column"]
        top: dict[Cell, str | None] = {(r, c): None for r in sorted(rows) for c in sorted(columns)}
        for ribbon in self.order:
            i = ribbon.index
            along = [(i, c) for c in columns] if ribbon.line == "row" else [(r, i) for r in rows]
            top |= dict.fromkeys(along, ribbon.color)
        return top

    def text(self, style: Style) -> str:
        """Return the laying order, numbered, and the finished board."""
        colors = dict.fromkeys(ribbon.color for ribbon in self.order if ribbon.color is not None)
        paints = backgrounds(sorted(colors), [self.names.get(color, color) for color in sorted(colors)])
        digits = len(str(len(self.order)))
        lines = []
        for step, ribbon in enumerate(self.order, 1):
            color = ribbon.color
            name = style.paint(ANY, DIM) if color is None else style.paint(self.names.get(color, color), paints[color])
            lines.append(f"{step:>{digits}}. {f'{ribbon.line} {ribbon.index}':<{7 + digits}} {name}")
        board = self.board()
        if board:
            lines += ["", *self._picture(board, style, paints)]
        return "\n".join(lines)

    def _picture(self, board: Mapping[Cell, str | None], style: Style, paints: Mapping[object, str]) -> list[str]:
        rows, columns = extent(board)
        wide = max(len(str(columns)), *(len(color or EMPTY) for color in board.values()))
        margin = len(str(rows))
        lines = [" " * (margin + 1) + " ".join(f"{c:>{wide}}" for c in range(1, columns + 1))]
        lines[0] = style.paint(lines[0], DIM)
        for r in range(1, rows + 1):
            cells = []
            for c in range(1, columns + 1):
                color = board[r, c]
                token = f"{color or EMPTY:>{wide}}"
                cells.append(token if color is None else style.paint(token, paints[color]))
            lines.append(style.paint(f"{r:>{margin}}", DIM) + " " + " ".join(cells))
        return lines
