"""An answer that is the order in which ribbons are laid."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from pyasp_puzzles.answers import Answer
from pyasp_puzzles.grid import EMPTY, Cell, extent
from pyasp_puzzles.render.picture import paints, picture
from pyasp_puzzles.render.style import DIM, Style
from pyasp_puzzles.symbols import fact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from clingo import Symbol

ANY = "any colour"
"""How the colour of a free ribbon is written."""


@dataclass(frozen=True)
class Ribbon:
    """The ribbon along a line: `line` is "row" or "column", `index` from 1; without a color, any will do."""

    line: str
    index: int
    color: str | None


@dataclass(frozen=True, repr=False)
class Ribbons(Answer):
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

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the laying order, numbered, and the finished board."""
        codes = paints((ribbon.color for ribbon in self.order if ribbon.color is not None), self.names)
        digits = len(str(len(self.order)))
        lines = []
        for step, ribbon in enumerate(self.order, 1):
            color = ribbon.color
            name = style.paint(ANY, DIM) if color is None else style.paint(self.names.get(color, color), codes[color])
            lines.append(f"{step:>{digits}}. {f'{ribbon.line} {ribbon.index}':<{7 + digits}} {name}")
        board = self.board()
        return "\n".join(lines + (["", picture(board, style, codes, marked)] if board else []))

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.board().keys()

    def cells(self) -> dict[Cell, tuple[str, str | None]]:
        """Return which line is on top in each cell, and in which colour."""
        tops: dict[Cell, tuple[str, str | None]] = {}
        for upper, lower in self.crossings():
            cell = (upper.index, lower.index) if upper.line == "row" else (lower.index, upper.index)
            tops[cell] = (upper.line, upper.color)
        return tops

    def crossings(self) -> Iterator[tuple[Ribbon, Ribbon]]:
        """Yield the upper and the lower ribbon of each crossing."""
        for i, upper in enumerate(self.order):
            yield from ((upper, lower) for lower in self.order[:i] if lower.line != upper.line)


def line_of(ribbon: Ribbon) -> Symbol:
    """Return the line that a ribbon lies along as the encoding has it, `row(2)` or `col(2)`."""
    return fact("row" if ribbon.line == "row" else "col", ribbon.index)


@dataclass(frozen=True, repr=False)
class Crossings(Answer):
    """Who may be on top at each crossing, "row" or "column" or both, and the colours that each line may have."""

    tops: Mapping[Cell, tuple[str, ...]]
    ribbons: Mapping[tuple[str, int], tuple[str, ...]]
    """{("row", 2): ("b",)}."""
    names: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __hash__(self) -> int:
        return hash((frozenset(self.tops.items()), frozenset(self.ribbons.items())))

    def json(self) -> dict[str, object]:
        """Return `{"tops": rows, "ribbons": [{"line": ..., "index": ..., "colors": [...]}, ...]}`."""
        rows, columns = extent(self.tops)
        ribbons = [{"line": line, "index": i, "colors": list(colors)} for (line, i), colors in self.ribbons.items()]
        tops = [[list(self.tops[r, c]) for c in range(1, columns + 1)] for r in range(1, rows + 1)]
        return {"tops": tops, "ribbons": ribbons}

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the colours of the lines, and who is on top at each crossing."""
        signs = {(): EMPTY, ("row",): "-", ("column",): "|"}
        lines = ["on top: - the row, | the column, + either, . not known"]
        lines += [picture({cell: signs.get(tops, "+") for cell, tops in self.tops.items()}, style, {}, marked), ""]
        for (line, index), colors in self.ribbons.items():
            names = [self.names.get(color, color) for color in colors]
            lines.append(f"{line} {index}: {' or '.join(names)}")
        return "\n".join(lines).rstrip()

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.tops.keys()

    def cells(self) -> dict[Cell, str]:
        """Return which line is on top in each cell where that is known."""
        return {cell: tops[0] for cell, tops in self.tops.items() if len(tops) == 1}
