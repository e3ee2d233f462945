"""An answer that is a number in each cell of a board."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from pyasp_puzzles.answers import Printable
from pyasp_puzzles.board import EMPTY, Cell, extent, pieces
from pyasp_puzzles.render.frame import frame
from pyasp_puzzles.render.style import BOLD, MARKED, RESTING, Style, backgrounds
from pyasp_puzzles.symbols import fact, texts

if TYPE_CHECKING:
    from collections.abc import Collection, KeysView, Mapping

    from clingo import Symbol

    from pyasp_puzzles.vocabulary import Facts


@dataclass(frozen=True)
class Board:
    """What is drawn beside the numbers; looked up in the facts when it is needed, for few answers are drawn."""

    facts: Facts
    required: str
    """The predicate that says to which block, stream or box a cell belongs."""

    @property
    def cells(self) -> KeysView[Cell]:
        """The cells on the board."""
        return self.facts.keys(self.required)

    @cached_property
    def regions(self) -> Mapping[Cell, str]:
        """The name of the block, stream or box of each cell on the board."""
        return texts(self.facts.cells(self.required))

    @cached_property
    def givens(self) -> Mapping[Cell, int]:
        """The number that is printed in a cell."""
        return {cell: value.number for cell, value in self.facts.cells("given").items()}

    @cached_property
    def scattered(self) -> bool:
        """Whether regions are in pieces, so that walls cannot show them."""
        regions: dict[str, list[Cell]] = {}
        for cell, region in self.regions.items():
            regions.setdefault(region, []).append(cell)
        return any(len(pieces(members)) > 1 for members in regions.values())

    def draw(
        self, labels: Mapping[Cell, str], style: Style, marked: Collection[Cell], resting: Collection[Cell] = ()
    ) -> str:
        """Return the labels in a frame.

        Givens are in parentheses, marked cells between stars, cells that these rest on in brackets; or all in colour.
        """
        colors = backgrounds(sorted(set(self.regions.values()))) if style.color else {}
        tagged = self.scattered and len(set(colors.values())) < len(set(self.regions.values()))
        wide = max(map(len, labels.values()), default=1) + 2
        tags = max(map(len, self.regions.values())) + 1 if tagged else 0
        contents = {}
        for cell, region in self.regions.items():
            before, after = " ", " "
            codes = [colors[region]] if self.scattered and style.color else []
            if cell in self.givens:
                before, after = (before, after) if style.color else ("(", ")")
                codes.append(BOLD)
            if cell in marked or cell in resting:
                sign = "**" if cell in marked else "[]"
                before, after = (before, after) if style.color else (sign[0], sign[1])
                codes.append(MARKED if cell in marked else RESTING)
            label = f"{before}{labels.get(cell, EMPTY)}{after}"
            tag = f"{region:<{tags}}" if tagged else ""
            contents[cell] = style.paint(f"{label:>{wide}}{tag}", *codes)
        walls = {cell: cell for cell in self.regions} if self.scattered else self.regions
        return frame(walls, contents, wide + tags)

    def rows(self, values: Mapping[Cell, object], outside: object = None) -> list[list[object]]:
        """Return the values as rows."""
        rows, columns = extent(self.cells)
        return [[values.get((r, c), outside) for c in range(1, columns + 1)] for r in range(1, rows + 1)]


@dataclass(frozen=True)
class Numbers(Printable):
    """A number in each cell of a board, or in some of them."""

    values: Mapping[Cell, int]
    board: Board = field(compare=False, repr=False)

    def __hash__(self) -> int:
        return hash(frozenset(self.values.items()))

    def json(self) -> dict[str, object]:
        """Return `{"grid": rows}`, null outside the board."""
        return {"grid": self.board.rows(self.values)}

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the board in a frame."""
        return self.board.draw({cell: str(value) for cell, value in self.values.items()}, style, marked)

    def cells(self) -> Mapping[Cell, int]:
        """Return the number of each cell."""
        return self.values

    def atoms(self) -> list[Symbol]:
        """Return `value(R, C, V)` for each cell."""
        return [fact("value", *cell, value) for cell, value in self.values.items()]
