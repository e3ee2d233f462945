"""An answer that is a number in each cell of a board."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyasp_puzzles.answers import Printable
from pyasp_puzzles.board import EMPTY, Cell, extent
from pyasp_puzzles.render.frame import frame
from pyasp_puzzles.render.style import BOLD, Style, backgrounds

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, eq=True)
class Numbers(Printable):
    """A number in each cell of a board."""

    values: Mapping[Cell, int]
    regions: Mapping[Cell, str] = field(compare=False)
    """The name of the block, stream or box of each cell on the board."""
    givens: Mapping[Cell, int] = field(compare=False)
    scattered: bool = field(default=False, compare=False)
    """Whether regions are in pieces, so that walls cannot show them."""

    def __hash__(self) -> int:
        return hash(frozenset(self.values.items()))

    def json(self) -> dict[str, object]:
        """Return `{"grid": rows}`, null outside the board."""
        rows, columns = extent(self.regions)
        return {"grid": [[self.values.get((r, c)) for c in range(1, columns + 1)] for r in range(1, rows + 1)]}

    def text(self, style: Style) -> str:
        """Return the board in a frame; givens are in parentheses, or bold where there is colour."""
        colors = backgrounds(sorted(set(self.regions.values()))) if style.color else {}
        tagged = self.scattered and len(set(colors.values())) < len(set(self.regions.values()))
        digits = max((len(str(value)) for value in self.values.values()), default=1)
        tags = max(map(len, self.regions.values())) + 1 if tagged else 0
        contents = {}
        for cell, region in self.regions.items():
            number = str(self.values.get(cell, EMPTY))
            given = cell in self.givens
            number = f"({number})" if given and not style.color else f" {number} "
            number = f"{number:>{digits + 2}}"
            tag = f"{region:<{tags}}" if tagged else ""
            codes = [colors[region]] if self.scattered and style.color else []
            contents[cell] = style.paint(number + tag, *codes, *([BOLD] if given else []))
        walls = {cell: cell for cell in self.regions} if self.scattered else self.regions
        return frame(walls, contents, digits + 2 + tags)
