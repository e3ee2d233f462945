"""Drawings in Penpa+ of the keys of variants: lines, cages, symbols, numbers, shading; `PenpaPoints` says where.

Point  a number of a cell, row by row with two places before the first and two after the last; after all cells their
       lower right corners, then the middles of their lower and of their right sides, then four corners within each
Part   "thermo": [[28, 29]], lists of points; "symbol": {"28": [3, "square_L", 1]}, tables by point; both have colors
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pyasp_puzzles.boards.grid import Cell, cell_place, nearest_cell
from pyasp_puzzles.errors import InstanceError
from pyasp_puzzles.formats.json import json_integer
from pyasp_puzzles.formats.sudokupad_drawing import sudokupad_wedges
from pyasp_puzzles.puzzles.keys.outside import outside_labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyasp_puzzles.boards.figure import Figure
    from pyasp_puzzles.boards.regions import Walls
    from pyasp_puzzles.model.keys import KeyLayer

# Styles of circles and squares: white with a black border, black, grey.
WHITE, _BLACK_SYMBOL, _GREY = 1, 2, 3
# Layers of symbols: under lines, and over them. The styles of shading, grey by default, and of dashed lines.
UNDER, OVER, SHADE, _DASHED_LINE = 1, 2, 3, 14
# Styles of the sides of cages.
CAGES = {"dashed": 10, "dotted": 15, "mixed": 10, "solid": 16}
# Colors of numbers: black, white, black on white, black in a circle.
BLACK, _WHITE_NUMBER, _ON_WHITE, _IN_CIRCLE = 1, 4, 5, 6
# Sizes of numbers: as large as a given, with an arrow, four of them in a circle, small, medium, candidates.
_LARGE, _ARROW, FOUR, _SMALL, _MEDIUM, CANDIDATES = "1", "2", "4", "5", "6", "7"
# How many candidates a cell has a place for.
MOST_CANDIDATES = 9
# The ends of arrows of numbers outside the board, by their steps, and those of smaller numbers.
_ARROWS = {(-1, 1): ("_5", "↗"), (-1, -1): ("_4", "↖"), (1, -1): ("_6", "↙"), (1, 1): ("_7", "↘")}
# Signs between cells, pointing to the smaller one, which is at these steps from the greater.
_SIGNS = {(0, -1): 5, (-1, 0): 6, (0, 1): 7, (1, 0): 8}
# Styles of edges; a dashed edge in a cell is part of a diagonal.
_THICK, DASHED, _THIN = 2, 12, (12, 13, 80)
# A drawn diagonal of a cell: 1 if it falls, -1 if it rises; and the cell.
Crossing: TypeAlias = "tuple[int, Cell]"
# Wider lines are as wide as cells.
WIDE = 0.5


class PenpaPoints(NamedTuple):
    """The numbers of cells and corners in a drawing with these columns and rows, margins included."""

    columns: int
    rows: int
    top: int = 0
    left: int = 0
    """Rows and columns before the first of the board."""

    def cell(self, r: int, c: int, kind: int = 0) -> int:
        """Return the number of a cell, or of its lower right corner (kind 1), lower side (2) or right side (3)."""
        wide = self.columns + 4
        return kind * wide * (self.rows + 4) + (r + self.top + 1) * wide + c + self.left + 1

    def corner(self, cell: Cell) -> int:
        """Return the number of the upper left of the four corners within a cell; then come right, lower left, right."""
        return 4 * ((self.columns + 4) * (self.rows + 4) + self.cell(*cell))

    def corner_at(self, number: object) -> tuple[Cell, int]:
        """Return the cell of one of the four corners within it, and which it is, from 0; see `corner`."""
        cell, corner = divmod(json_integer(number) - 4 * (self.columns + 4) * (self.rows + 4), 4)
        return self.place(cell)[1:], corner

    def between(self, one: Cell, other: Cell) -> int:
        """Return the number of the middle of two cells that touch: of their side or corner; of one cell, its own."""
        down, right = one[0] + other[0], one[1] + other[1]
        return self.cell(down // 2, right // 2, {(0, 0): 0, (1, 1): 1, (1, 0): 2, (0, 1): 3}[down % 2, right % 2])

    def place(self, number: object) -> tuple[int, int, int]:
        """Return the kind, the row and the column of a number, or of a text of one.

        Raises:
            ValueError: it is no point of the drawing.
        """
        wide = self.columns + 4
        kind, rest = divmod(json_integer(number), wide * (self.rows + 4))
        if not 0 <= kind < 12:  # cells, corners, two for sides; within a cell, four for corners and four for sides
            raise ValueError("a point outside the drawing")
        return kind, rest // wide - 1 - self.top, rest % wide - 1 - self.left


class PenpaSheet:
    """A drawing that is being made: its parts, and their colors."""

    def __init__(self, points: PenpaPoints) -> None:
        self.points = points
        self.parts: dict[str, Any] = {}
        self.colors: dict[str, Any] = {}

    def path(self, part: str, cells: Iterable[Cell], color: str | None = None) -> None:
        """Add a list of cells to a part."""
        self.parts.setdefault(part, []).append([self.points.cell(*cell) for cell in cells])
        self.colors.setdefault(part, []).append(color)

    def table(self, part: str, point: int | str, content: object, color: str | None = None) -> bool:
        """Add an entry to a part, unless its place is taken; return whether the place has this entry now."""
        found, colors, key = self.parts.setdefault(part, {}), self.colors.setdefault(part, {}), str(point)
        if key in found:
            return bool(found[key] == content and colors.get(key) == color)
        found[key] = content
        if color is not None:
            colors[key] = color
        return True

    def symbol(self, point: int, content: list[object], color: str | None = None) -> None:
        """Draw a symbol at a point, which has room for two."""
        if not self.table("symbol", point, content, color) and not self.table("symbol", f"{point}E", content, color):
            raise _crowded("three symbols", self.points.place(point)[1:])

    def number(self, point: int, content: list[object]) -> None:
        """Write a text at a point."""
        if str(point) in self.parts.get("number", {}):
            raise _crowded("two numbers", self.points.place(point)[1:])
        self.table("number", point, content)

    def small(self, text: str, cell: Cell) -> None:
        """Write a small text into a corner of a cell, the first that is free."""
        first, taken = self.points.corner(cell), self.parts.setdefault("numberS", {})
        free = [corner for corner in range(first, first + 4) if str(corner) not in taken]
        if not free:
            raise _crowded("five small numbers", cell)
        self.table("numberS", free[0], [text, BLACK])

    def outside(self, cell: Cell, text: str, step: tuple[int, int] | None = None) -> None:
        """Write a number outside the board, with an arrow if it looks along a diagonal."""
        point, (end, small) = self.points.cell(*cell), _ARROWS[step] if step else ("", "")
        if str(point) in self.parts.get("number", {}):
            self.small(text + small, cell)
        else:
            self.number(point, [text + end, BLACK, _ARROW if step else _LARGE])

    def borders(self, walls: Walls) -> None:
        """Draw thick edges."""
        for (r, c), other in sorted(walls, key=lambda pair: (pair[0][0] != pair[1][0], pair)):
            corner = (r - 1, c) if other[0] == r else (r, c - 1)
            self.table("lineE", f"{self.points.cell(*corner, 1)},{self.points.cell(r, c, 1)}", _THICK)

    def cage(self, cells: Iterable[Cell], style: int, color: str | None = None) -> None:
        """Draw the sides of a cage; sides that it shares with others stay as they are."""
        for side in penpa_cage_sides(cells, self.points):
            self.table("cage", side, style, color)


def penpa_walls(edges: Mapping[str, Any], points: PenpaPoints) -> tuple[Walls, set[Crossing], bool]:
    """Return the walls that edges make, the diagonals of cells that they draw, and whether they draw anything else."""
    walls: Walls = set()
    crossed: set[Crossing] = set()
    marked = False
    for key, style in edges.items():
        ends = sorted(points.place(one) for one in key.split(","))
        if [kind for kind, *_ in ends] != [1, 1]:
            marked = True
            continue
        (_, r, c), (_, row, column) = ends
        if row - r == 1 and abs(column - c) == 1:
            crossed.add((column - c, (row, max(c, column))))
        elif style in _THIN:
            continue
        elif r == row and column - c == 1:
            walls.add(((r, column), (r + 1, column)))
        elif c == column and row - r == 1:
            walls.add(((row, c), (row, c + 1)))
    return walls, crossed, marked


def _crowded(what: str, cell: Cell) -> InstanceError:
    return InstanceError(f"penpa cannot draw {what} at {cell_place(cell)}; toml and json store every board")


def penpa_cage_sides(cells: Iterable[Cell], points: PenpaPoints) -> Iterator[str]:
    """Yield the sides of a cage: along its cells, between their inner corners, and from cell to cell."""
    members = set(cells)
    for r, c in sorted(members):
        for r_out, c_out, first, second in ((-1, 0, 0, 1), (1, 0, 2, 3), (0, -1, 0, 2), (0, 1, 1, 3)):
            if (r + r_out, c + c_out) not in members:
                yield f"{points.corner((r, c)) + first},{points.corner((r, c)) + second}"
            # the next cell, to the right or below, continues the side unless both have a neighbour there
            following = (r + abs(c_out), c + abs(r_out))
            beyond = {(r + r_out, c + c_out), (following[0] + r_out, following[1] + c_out)}
            if following in members and not beyond <= members:
                yield f"{points.corner((r, c)) + second},{points.corner(following) + first}"


def penpa_has_outside(layer: KeyLayer) -> bool:
    """Return whether a key prints something outside the board."""
    return bool(layer.labels) or any(figure.look.get("arrow") for figure in layer.figures)


def draw_penpa_layer(sheet: PenpaSheet, layer: KeyLayer, size: tuple[int, int]) -> None:
    """Draw what a key of a board of this size prints.

    Raises:
        InstanceError: there is no room for it.
    """
    for figure in layer.figures:
        _line(sheet, figure)
        _shapes(sheet, figure)
        _texts(sheet, figure)
    for (r, c), (y, x), out in sudokupad_wedges(layer, size):
        sign = _SIGNS[y, x] if out else _SIGNS[-y, -x]
        sheet.symbol(sheet.points.between((r, c), (r + y, c + x)), [sign, "inequality", OVER])
    for cell, words in outside_labels(layer, size):
        sheet.outside(cell, words)


def _line(sheet: PenpaSheet, figure: Figure) -> None:
    look, cells, points = figure.look, figure.cells, sheet.points
    color = look.get("line")
    if color is not None and cells:
        path = [*cells, *(cells[:1] if figure.closed else ())]
        if figure.head:
            path.insert(0, nearest_cell(figure.head, path[0]))
        part = "squareframe" if look.get("width", 0) >= WIDE else "nobulbthermo"
        sheet.path("direction" if look.get("end") == "arrow" else part, path, color)
        if hollow := look.get("hollow"):
            for pair in pairwise(points.cell(*cell) for cell in path):
                sheet.table("line", f"{min(pair)},{max(pair)}", _DASHED_LINE, "#ffffff")
        if look.get("bulb"):
            bulb, shade = ([WHITE, "circle_L", OVER], None) if hollow else ([_GREY, "circle_L", UNDER], color)
            sheet.symbol(points.cell(*path[0]), bulb, shade)
    for cell in dict.fromkeys((cells[0], cells[-1])) if look.get("ends") and cells else ():
        sheet.symbol(points.cell(*cell), [WHITE, f"{look['ends']}_L", OVER])
    if len(figure.head) == 1:
        sheet.symbol(points.cell(*figure.head[0]), [WHITE, "circle_L", OVER])
    elif figure.head:
        sheet.path("squareframe", figure.head, "#d9d9d9")


def _shapes(sheet: PenpaSheet, figure: Figure) -> None:
    look = figure.look
    if look.get("outline"):
        sheet.cage(figure.cells, CAGES[look["outline"]], look.get("color"))
    for cell in figure.cells:
        point = sheet.points.cell(*cell)
        if look.get("fill") and not sheet.table("surface", point, SHADE, look["fill"]):
            raise _crowded("two shadings", cell)
        for name in ("square", "circle"):
            if look.get(name):
                sheet.symbol(point, [_GREY, f"{name}_L", UNDER], look[name])
        if look.get("cell") == "circle":
            sheet.symbol(point, [WHITE, "circle_L", UNDER])


def _texts(sheet: PenpaSheet, figure: Figure) -> None:
    look, cells, points = figure.look, figure.cells, sheet.points
    text = str(look.get("text") or "")
    if look.get("arrow"):
        down, right = figure.step
        sheet.outside((cells[0][0] - down, cells[0][1] - right), figure.text, (down, right))
    elif look.get("corners"):
        words = figure.text.split()
        four = len(words) <= 4 and all(len(word) == 1 for word in words)
        content = ["".join(words), _IN_CIRCLE, FOUR] if four else [figure.text, _IN_CIRCLE, _SMALL]
        sheet.number(points.cell(*cells[0], 1), content)
    elif figure.corner or text == "small":
        sheet.small(figure.text, min(cells))
    elif len(cells) == 2 and (look.get("dot") or text):
        _pair(sheet, figure, text)


def _pair(sheet: PenpaSheet, figure: Figure, text: str) -> None:
    one, other = figure.cells
    down, right = (b - a for a, b in zip(one, other, strict=True))
    if max(abs(down), abs(right)) != 1:
        raise InstanceError(
            f"penpa cannot draw a sign between {cell_place(one)} and {cell_place(other)}, which do not touch"
        )
    point = sheet.points.between(one, other)
    if text == "greater":
        step = (0, right) if right else (down, 0)
        sheet.symbol(point, [_SIGNS[step], "inequality", OVER])
        return
    if dot := figure.look.get("dot"):
        sheet.symbol(point, [_BLACK_SYMBOL if dot == "black" else WHITE, "circle_SS", OVER])
    if figure.number:
        color = {"black": _WHITE_NUMBER, "white": BLACK}.get(dot or "", _ON_WHITE)
        sheet.number(point, [figure.number, color, _SMALL if dot else _MEDIUM])
