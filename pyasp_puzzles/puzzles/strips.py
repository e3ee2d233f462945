"""Black and White strips: `Strips`, pieces that are straight, with patterns of colors; and their `Placements`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from clingo.symbol import Function

from pyasp_puzzles.asp.symbols import fact_symbol, symbol_integers, symbol_table
from pyasp_puzzles.boards.grid import Cell, cell_place
from pyasp_puzzles.boards.spans import marked_cells, unmarked
from pyasp_puzzles.errors import EncodingError, InstanceError, Where, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.answer import Answer, Strip
from pyasp_puzzles.puzzles.pieces import PiecesKind, draw_pieces, piece_cover, read_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.model.keys import KeyOutline
    from pyasp_puzzles.model.printed import Printed
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.render.svg import Drawing
    from pyasp_puzzles.render.text import TextMarks, TextStyle

# The most cells times the square of the longest strip; a board of that size grounds in some seconds.
_MOST_STRIPS = 2_000_000


@dataclass(frozen=True, repr=False, eq=False)
class Strips(Answer):
    """A board cut into strips, in the order of their first cells."""

    strips: Sequence[Strip]
    printed: Printed = field(compare=False)
    left: tuple[Cell, ...] = field(default=(), compare=False)
    """The cells that a whole answer leaves uncovered."""

    def json(self) -> dict[str, object]:
        """Return `{"strips": [{"cells": ..., "pattern": ...}, ...]}`, and `"left": ...` if cells are left."""
        strips = [{"cells": [list(cell) for cell in cells], "pattern": p} for cells, p in self.strips]
        return {"strips": strips} | ({"left": [*map(list, self.left)]} if self.left else {})

    def marked_text(self, style: TextStyle, marks: TextMarks) -> str:
        """Return the board with walls around the strips, or a line for each strip if some overlap."""
        covered = self.cells()
        if len(covered) == sum(len(strip.cells) for strip in self.strips):
            covered |= {cell: (cell,) for cell in self.left}
            board = draw_pieces(self.printed, covered, style, marks, narrow=not marks.marked and not style.words)
            return f"{board}\nLeft: {unmarked(marked_cells(self.left))}" if self.left else board
        lines = []
        for cells, pattern in self.strips:
            (r, c), (row, column) = cells[0], cells[-1]
            rows = f"row {r}" if r == row else f"rows {r}-{row}"
            columns = f"column {c}" if c == column else f"columns {c}-{column}"
            lines.append(f"{rows}, {columns}: {pattern}")
        return "\n".join(lines)

    def drawn_on(self, blank: Drawing) -> Drawing:
        """Return a drawing with the outlines of the strips."""
        return replace(blank, pieces=[strip.cells for strip in self.strips])

    def cells(self) -> dict[Cell, tuple[Cell, ...]]:
        """Return the cells of the strip that covers each cell; if several do, the cells of all, strip by strip."""
        return piece_cover(strip.cells for strip in self.strips)


@dataclass(frozen=True, repr=False, eq=False)
class Placements(Strips):
    """The strips of several answers; they may overlap."""


@dataclass(frozen=True)
class StripsKind(PiecesKind):
    """Strips: pieces `placed(R, C, D, N)` of N cells from R,C on, to the right or down."""

    side_by_side = True
    plural = "strips"
    data = ("strips",)
    shows = ""

    def check(self, outline: KeyOutline) -> None:
        """Raise `InstanceError` for boards with too many possible strips."""
        longest = max((int(n) for (n,) in outline.facts.arguments("longest")), default=1)
        cells = len(outline.cells)
        if cells * min(longest, cells) ** 2 > _MOST_STRIPS or len(outline.facts.arguments("strip")) ** 2 > _MOST_STRIPS:
            limit = f"at most {_MOST_STRIPS} cells times the longest strip squared"
            raise InstanceError(f"the board is too large: it may have {limit}", outline.facts.where)

    def decoder(self, instance: Instance) -> Callable[[Sequence[Symbol]], Strips]:
        """Return the function from `placed` atoms to strips, in the order of their first cells."""
        colors, printed = instance.facts.names("tile"), instance.printed

        def strip(cells: tuple[Cell, ...]) -> Strip:
            if not cells or not all(map(colors.__contains__, cells)):
                place = f"at {cell_place(cells[0])}" if cells else "without cells"
                raise EncodingError(f"an answer set has a strip {place}, expected strips on the board")
            return _strip(cells, colors)

        def decode(atoms: Sequence[Symbol]) -> Strips:
            strips = tuple(map(strip, sorted(symbol_table(_cells).read(atoms))))
            return Strips(strips, printed, _left(instance, strips))

        return decode

    def consequences(
        self, instance: Instance, question: str, always: Sequence[Symbol], sometimes: Sequence[Symbol]
    ) -> Strips:
        """Return the strips in every answer (`decided`), or in any (`possible`)."""
        decode = self.decoder(instance)
        kind, atoms = (Strips, always) if question == "decided" else (Placements, sometimes)
        return kind(decode(atoms).strips, instance.printed)

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Strips:
        """Return the strips of a board cut up, written as for pieces.

        Raises:
            InstanceError: a piece is not straight, or there twice.
        """
        colors = instance.facts.names("tile")
        strips: dict[str, list[Cell]] = {}
        for cell, name, place in read_pieces(colors, words, where):
            cells = strips.setdefault(name, [])
            if cells and not _continues(cells, cell):
                message = f"{cell_place(cell)}: strip {shown(name)} has a cell at {cell_place(cells[-1])} too"
                raise InstanceError(f"{message}, expected a straight strip", place)
            cells.append(cell)
        found = sorted(map(tuple, strips.values()))
        twice = next((cells for cells, following in pairwise(found) if cells == following), None)
        if twice is not None:
            raise InstanceError(f"the strip at {cell_place(twice[0])} is there twice; write each strip once", where)
        answer = tuple(_strip(cells, colors) for cells in found)
        return Strips(answer, instance.printed, _left(instance, answer) if whole else ())

    def impossible_atom(self, cells: Sequence[Cell]) -> Symbol:
        """Return the atom of a strip that no answer has: it is too long, or runs off the board."""
        down = len(cells) > 1 and cells[0][1] == cells[1][1]
        return fact_symbol(self.output, *cells[0], Function("down" if down else "right"), len(cells))


def _cells(atom: Symbol) -> tuple[Cell, ...] | None:
    """Return the cells of a strip that is placed."""
    if not atom.match("placed", 4):
        return None
    row, column, direction, length = atom.arguments
    r, c, n = symbol_integers([row, column, length])
    down = direction.name == "down"
    return tuple((r + i * down, c + i * (not down)) for i in range(min(n, Limits.LONGEST_SIDE + 1)))


def _strip(cells: tuple[Cell, ...], colors: Mapping[Cell, str]) -> Strip:
    pattern = [colors.get(cell, "?") for cell in cells]
    letters = "".join(pattern)
    return Strip(cells, letters if len(letters) == len(cells) else " ".join(pattern))


def _left(instance: Instance, strips: Iterable[Strip]) -> tuple[Cell, ...]:
    """Return the cells that strips leave uncovered, if a board may have such cells."""
    if not (instance.facts.arguments("left") or instance.facts.arguments("optional")):
        return ()
    return tuple(sorted({*instance.facts.names("tile")} - piece_cover(strip.cells for strip in strips).keys()))


def _continues(cells: Sequence[Cell], cell: Cell) -> bool:
    """Return whether a cell is the next of a straight strip, to the right or down."""
    (r, c), (row, column) = cells[-1], cell
    step = (row - r, column - c)
    return step in {(0, 1), (1, 0)} and (len(cells) == 1 or (r - cells[-2][0], c - cells[-2][1]) == step)
