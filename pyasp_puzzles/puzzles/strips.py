"""Black and White strips: pieces that are straight strips, each with the pattern of its colours."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from clingo.symbol import Function

from pyasp_puzzles.asp.symbols import fact, integers, texts
from pyasp_puzzles.boards.grid import Cell, at
from pyasp_puzzles.errors import EncodingError, InstanceError, Where, shown
from pyasp_puzzles.puzzles.answer import Answer
from pyasp_puzzles.puzzles.pieces import PiecesKind, parts, placed_cells
from pyasp_puzzles.puzzles.puzzle import View
from pyasp_puzzles.render.text import MARKED, RESTING, Style, frame, outline

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.facts import Facts
    from pyasp_puzzles.puzzles.declaration import Declaration
    from pyasp_puzzles.puzzles.keys import Key, Shape
    from pyasp_puzzles.puzzles.puzzle import Instance, Puzzle
    from pyasp_puzzles.puzzles.step import Sketch, Sketcher


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


LARGEST_SEARCH = 2_000_000
"""Cells of the board times the square of the longest strip, at most; such a board grounds in some seconds."""

HOOKS = {"side_by_side": True}


def kind(declaration: Declaration, answer: Mapping[str, Any], keys: Sequence[Key]) -> StripsKind:
    """Return the kind of answer that a table `[answer]` declares, as for pieces."""
    tiles = next((key.fact for key in keys if key.kind == "colors"), "")
    return StripsKind(*parts(declaration, answer), tiles)


@dataclass(frozen=True)
class StripsKind(PiecesKind):
    """Strips: pieces `placed(R, C, D, N)` of N cells from R,C on, rightwards or downwards."""

    tiles: str
    """The predicate of the colours."""

    @property
    def views(self) -> Mapping[str, View]:
        """The one view there is."""
        view = View((f"{self.output}/{self.arity}",), decoder, possible=placements, sketcher=sketcher)
        return {"cuts": view}

    def check(self, puzzle: Puzzle, facts: Facts, shape: Shape) -> None:
        """Refuse boards that are too large."""
        del puzzle
        longest = max((int(said[0]) for said in facts.arguments("longest")), default=1)
        cells = len(shape.cells)
        if cells * min(longest, cells) ** 2 > LARGEST_SEARCH or len(facts.arguments("strip")) ** 2 > LARGEST_SEARCH:
            limit = f"at most {LARGEST_SEARCH} cells times the longest strip squared"
            raise InstanceError(f"too large a board, expected {limit}", facts.where)

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool) -> Strips:
        """Return a board cut up, as for pieces; each piece is a straight strip."""
        del whole
        colors = texts(instance.facts.cells("tile"))
        strips: dict[str, list[Cell]] = {}
        for cell, name, place in placed_cells(colors, words, where):
            cells = strips.setdefault(name, [])
            if cells and not _continues(cells, cell):
                message = f"{at(cell)}: strip {shown(name)} has a cell at {at(cells[-1])} too"
                raise InstanceError(f"{message}, expected a straight strip", place)
            cells.append(cell)
        laid = sorted(map(tuple, strips.values()))
        twice = next((cells for cells, following in pairwise(laid) if cells == following), None)
        if twice is not None:
            raise InstanceError(f"the strip at {at(twice[0])} is there twice, expected each strip once", where)
        return Strips(tuple(_strip(cells, colors) for cells in laid), frozenset(colors))

    def from_json(self, instance: Instance, said: Mapping[str, Any], where: Where) -> Strips:
        """Return an answer from `{"strips": [{"cells": ...}, ...]}`."""
        lines = [" ".join(f"{int(r)},{int(c)}" for r, c in strip["cells"]) for strip in said["strips"]]
        return self.read(instance, "\n".join(lines), where, whole=False)

    def unknown(self, cells: Sequence[Cell]) -> Symbol:
        """Return the atom of a strip that no answer has: it is too long, or runs off the board."""
        down = len(cells) > 1 and cells[0][1] == cells[1][1]
        return fact(self.output, *cells[0], Function("down" if down else "right"), len(cells))

    @staticmethod
    def laid(answer: Answer) -> list[tuple[Cell, ...]]:
        """Return the cells of each strip of an answer."""
        assert isinstance(answer, Strips)
        return [strip.cells for strip in answer.strips]


def decoder(instance: Instance) -> Callable[[Sequence[Symbol]], Strips]:
    """Return the function from `placed` atoms to strips, in the order of their first cells."""
    colors = texts(instance.facts.cells("tile"))
    board = frozenset(colors)

    @cache
    def said(atom: Symbol) -> Strip | None:
        if not atom.match("placed", 4):
            return None
        start, length = atom.arguments[:2], atom.arguments[3]
        (r, c), [n] = integers(start), integers([length])
        down = atom.arguments[2].name == "down"
        cells = tuple((r + i * down, c + i * (not down)) for i in range(min(n, len(board) + 1)))
        if not cells or not board.issuperset(cells):
            raise EncodingError(f"an answer set says {atom}, expected a strip on the board")
        return _strip(cells, colors)

    def decode(atoms: Sequence[Symbol]) -> Strips:
        return Strips(tuple(sorted(filter(None, map(said, atoms)))), board)

    return decode


def placements(instance: Instance) -> Callable[[Sequence[Symbol]], Placements]:
    """Return the function from the `placed` atoms of several answers to the strips that lie there."""
    decode = decoder(instance)
    return lambda atoms: Placements(decode(atoms))


def sketcher(instance: Instance, program: Search) -> Sketcher:
    """Return the function that draws a step: the colours of the cells, with walls around the strips that lie there."""
    del program
    colors = texts(instance.facts.cells("tile"))
    decode = decoder(instance)
    wide = max(map(len, colors.values())) + 2

    def draw(sketch: Sketch, style: Style) -> str:
        contents = {}
        strips = decode(sketch.placed).cells()
        walls: dict[Cell, tuple[Cell, ...]] = dict.fromkeys(colors, ())
        marked = {other for cell in sketch.marked for other in strips.get(cell, [cell])}
        for cell, color in colors.items():
            sign = "**" if cell in marked else "[]" if cell in sketch.resting else "  "
            code = [MARKED] if cell in marked else [RESTING] if cell in sketch.resting else []
            label = f" {color} " if style.color else f"{sign[0]}{color}{sign[1]}"
            contents[cell] = style.paint(f"{label:>{wide}}", *code)
        return frame(walls | strips, contents, wide)

    return draw


def _strip(cells: tuple[Cell, ...], colors: dict[Cell, str]) -> Strip:
    pattern = [colors.get(cell, "?") for cell in cells]
    return Strip(cells, ("" if all(len(color) == 1 for color in pattern) else " ").join(pattern))


def _continues(cells: list[Cell], cell: Cell) -> bool:
    """Tell whether a cell is the next of a straight strip, rightwards or downwards."""
    (r, c), (row, column) = cells[-1], cell
    step = (row - r, column - c)
    return step in {(0, 1), (1, 0)} and (len(cells) == 1 or (r - cells[-2][0], c - cells[-2][1]) == step)
