"""Drawings in Penpa+: where points are, how keys are drawn, the codings of puzzles, and the rules of variants.

Point   a number of a cell, row by row with two places before the first and two after the last; after all cells their
        lower right corners, then the middles of their lower and of their right sides, then four corners within each
Part    "thermo": [[28, 29]], lists of points; "symbol": {"28": [3, "square_L", 1]}, tables by point; both have colors
Sketch  a board while its drawing is read or made; reading takes what it knows out of `problem`
Answer  the lists of what Penpa+ checks: shaded cells, lines, edges, walls, numbers, symbols ("28,2F"), sorted

What `body` in `[formats.penpa]` of a puzzle lists is drawn as Penpa+ draws what it imports from puzz.link. A variant is
a rule in a drawing by a tool, by a tag, or by a sentence of ours with our drawing:

    penpa = { part = "thermo", tags = ["thermo"], words = "thermometers" }

This line of a `variant.toml` says which part of a drawing has its lines, with which tags its clues are rules, and what
messages call them.

- `symbols`: the shapes of its marks in cells or between them. With a tag in `also`, they are rules, but may be absent.
- `genre`: the tag is also that of a genre.

Candidates are numbers of their own size; a `nobulbthermo` that begins on a thermometer is a branch of it. If the rules
have a sentence of ours, what is drawn for it is read back. Anything else in a drawing may be a rule.
"""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pyasp_puzzles.asp.symbols import UNKNOWN
from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.figure import Figure
from pyasp_puzzles.boards.grid import (
    Cell,
    are_neighbors,
    cell_name,
    cell_place,
    connected_cells,
    grid_text,
    nearest_cell,
)
from pyasp_puzzles.errors import InstanceError, listing
from pyasp_puzzles.formats import exchange
from pyasp_puzzles.formats.codings import Body, Coding, FormatTable, Part, cells_at_edge
from pyasp_puzzles.formats.exchange import (
    Draft,
    cage_sum,
    cages_key,
    candidates_key,
    check_rules_in_words,
    windows_variant,
)
from pyasp_puzzles.formats.format import refusal
from pyasp_puzzles.formats.json import json_integer
from pyasp_puzzles.formats.sites import wedges
from pyasp_puzzles.model.keys import Key, KeyLayer
from pyasp_puzzles.puzzles.keys import outside
from pyasp_puzzles.puzzles.keys.lines import key_line_text
from pyasp_puzzles.puzzles.keys.outside import DIAGONALS, SIDES
from pyasp_puzzles.puzzles.lines import Lines, LinesKind, answer_line_steps, answer_line_text
from pyasp_puzzles.puzzles.numbers import Numbers, NumbersKind
from pyasp_puzzles.puzzles.pieces import Areas
from pyasp_puzzles.puzzles.shading import Shading, ShadingKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.regions import Walls
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Puzzle, Variant


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
_WIDE = 0.5
# The turn of a drawing that is shown as it is drawn, and the kinds of points by the halves of cells before them.
UPRIGHT = ((1, 0), (0, 1))
_KINDS = {(0, 0): 0, (1, 1): 1, (1, 0): 2, (0, 1): 3}
# Parts of a drawing, in words: what is not read of them may be rules.
PARTS = {
    "number": "numbers", "thermo": "thermometers", "arrows": "arrows", "nobulbthermo": "lines", "symbol": "symbols",
    "line": "lines", "freeline": "lines", "freelineE": "lines", "wall": "walls", "direction": "arrows",
    "squareframe": "frames", "polygon": "shapes", "cage": "cages", "killercages": "cages", "lineE": "edges",
    "numberS": "small numbers", "surface": "shaded cells",
}  # fmt: skip


class Points(NamedTuple):
    """The numbers of cells and corners in a drawing with these columns and rows, margins included."""

    columns: int
    rows: int
    top: int = 0
    left: int = 0
    """Rows and columns before the first of the board."""
    turn: tuple[tuple[int, int], tuple[int, int]] = UPRIGHT
    """How far a point is shown down and right, in rows and columns of the drawing, which may be turned or mirrored."""

    def cell(self, r: int, c: int, kind: int = 0) -> int:
        """Return the number of a cell, or of its lower right corner (kind 1), lower side (2) or right side (3)."""
        wide, ((a, b), (d, e)) = self.columns + 4, self.turn
        y, x = (2 * (at + before) + (kind in {1, way}) for at, before, way in ((r, self.top, 2), (c, self.left, 3)))
        y, x = a * y + d * x, b * y + e * x
        return _KINDS[y % 2, x % 2] * wide * (self.rows + 4) + (y // 2 + 1) * wide + x // 2 + 1

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
        return self.cell(down // 2, right // 2, _KINDS[down % 2, right % 2])

    def place(self, number: object) -> tuple[int, int, int]:
        """Return the kind, the row and the column of a number, or of a text of one.

        Raises:
            ValueError: it is no point of the drawing.
        """
        wide = self.columns + 4
        kind, rest = divmod(json_integer(number), wide * (self.rows + 4))
        if not 0 <= kind < 12:  # cells, corners, two for sides; within a cell, four for corners and four for sides
            raise ValueError("a point outside the drawing")
        y, x = 2 * (rest // wide - 1) + (kind in {1, 2}), 2 * (rest % wide - 1) + (kind in {1, 3})
        y, x = (down * y + right * x for down, right in self.turn)
        return _KINDS[y % 2, x % 2] if kind < 4 else kind, y // 2 - self.top, x // 2 - self.left


class Sheet:
    """A drawing that is being made: its parts, and their colors."""

    def __init__(self, points: Points) -> None:
        self.points = points
        self.parts: dict[str, Any] = {}
        self.colors: dict[str, Any] = {}

    def path(self, part: str, cells: Iterable[Cell], color: str | None = None) -> None:
        """Add a list of cells to a part."""
        self.parts.setdefault(part, []).append([self.points.cell(*cell) for cell in cells])
        self.colors.setdefault(part, []).append(color)

    def table(self, part: str, point: int | str, content: object, color: str | None = None) -> bool:
        """Add an entry to a part, unless its place is taken; return whether the place has this entry now."""
        entries, colors, key = self.parts.setdefault(part, {}), self.colors.setdefault(part, {}), str(point)
        if key in entries:
            return bool(entries[key] == content and colors.get(key) == color)
        entries[key] = content
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
        for side in cage_sides(cells, self.points):
            self.table("cage", side, style, color)


def walls_of_edges(edges: Mapping[str, Any], points: Points) -> tuple[Walls, dict[Crossing, str], list[str]]:
    """Return the walls that edges make, the edges that are diagonals of cells, and those that are something else."""
    walls: Walls = set()
    crossed = dict[Crossing, str]()
    others = list[str]()
    for key, style in edges.items():
        ends = sorted(points.place(number) for number in key.split(","))
        if [kind for kind, *_ in ends] != [1, 1]:
            others.append(key)
            continue
        (_, r, c), (_, row, column) = ends
        if row - r == 1 and abs(column - c) == 1:
            crossed[column - c, (row, max(c, column))] = key
        elif style in _THIN:
            continue
        elif r == row and column - c == 1:
            walls.add(((r, column), (r + 1, column)))
        elif c == column and row - r == 1:
            walls.add(((row, c), (row, c + 1)))
    return walls, crossed, others


def _crossings(side: int) -> dict[str, set[Crossing]]:
    """Return the diagonals of cells that make those of a board."""
    ways = zip(exchange.DIAGONALS, (-1, 1), strict=True)
    return {look: {(way, (i, i if way > 0 else side + 1 - i)) for i in range(1, side + 1)} for look, way in ways}


def _crowded(what: str, cell: Cell) -> InstanceError:
    return InstanceError(f"penpa cannot draw {what} at {cell_place(cell)}; toml and json store every board")


def cage_sides(cells: Iterable[Cell], points: Points) -> Iterator[str]:
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


def has_outside(layer: KeyLayer) -> bool:
    """Return whether a key prints something outside the board."""
    return bool(layer.labels) or any(figure.look.get("arrow") for figure in layer.figures)


def draw_layer(sheet: Sheet, layer: KeyLayer, size: tuple[int, int]) -> None:
    """Draw the figures and labels of a key on a board of this size.

    Raises:
        InstanceError: there is no room for it.
    """
    for figure in layer.figures:
        _line_drawing(sheet, figure)
        _shapes(sheet, figure)
        _texts(sheet, figure)
    for (r, c), (y, x), out in wedges(layer, size):
        sign = _SIGNS[y, x] if out else _SIGNS[-y, -x]
        sheet.symbol(sheet.points.between((r, c), (r + y, c + x)), [sign, "inequality", OVER])
    for cell, text in outside.labels(layer, size):
        sheet.outside(cell, text)


def _line_drawing(sheet: Sheet, figure: Figure) -> None:
    look, cells, points = figure.look, figure.cells, sheet.points
    color = look.get("line")
    if color is not None and cells:
        path = [*cells, *(cells[:1] if figure.closed else ())]
        if figure.head:
            path.insert(0, nearest_cell(figure.head, path[0]))
        part = "squareframe" if look.get("width", 0) >= _WIDE else "nobulbthermo"
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


def _shapes(sheet: Sheet, figure: Figure) -> None:
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


def _texts(sheet: Sheet, figure: Figure) -> None:
    look, cells, points = figure.look, figure.cells, sheet.points
    text = str(look.get("text") or "")
    if look.get("arrow"):
        down, right = figure.step
        sheet.outside((cells[0][0] - down, cells[0][1] - right), figure.text, (down, right))
    elif look.get("corners"):
        numbers = figure.text.split()
        four = len(numbers) <= 4 and all(len(word) == 1 for word in numbers)
        content = ["".join(numbers), _IN_CIRCLE, FOUR] if four else [figure.text, _IN_CIRCLE, _SMALL]
        sheet.number(points.cell(*cells[0], 1), content)
    elif figure.corner or text == "small":
        sheet.small(figure.text, min(cells))
    elif len(cells) == 2 and (look.get("dot") or text):
        _pair(sheet, figure, text)


def _pair(sheet: Sheet, figure: Figure, text: str) -> None:
    first, second = figure.cells
    down, right = (b - a for a, b in zip(first, second, strict=True))
    if max(abs(down), abs(right)) != 1:
        raise InstanceError(
            f"penpa cannot draw a sign between {cell_place(first)} and {cell_place(second)}, which do not touch"
        )
    point = sheet.points.between(first, second)
    if text == "greater":
        step = (0, right) if right else (down, 0)
        sheet.symbol(point, [_SIGNS[step], "inequality", OVER])
        return
    if dot := figure.look.get("dot"):
        sheet.symbol(point, [_BLACK_SYMBOL if dot == "black" else WHITE, "circle_SS", OVER])
    if figure.number:
        color = {"black": _WHITE_NUMBER, "white": BLACK}.get(dot or "", _ON_WHITE)
        sheet.number(point, [figure.number, color, _SMALL if dot else _MEDIUM])


# -- Genres ----------------------------------------------------------------------------------------

# Shades that solvers may take for shaded cells: black, and grey ones.
_SHADES, _DARK = (1, 3, 4, 8), 4
# Arrows behind a number: none, north, west, east, south.
_WAYS = {"": "", "_0": "n", "_1": "w", "_2": "e", "_3": "s"}
# Parts of ships: one of one cell, the middle, the western and the eastern end.
_ALONE, _MIDDLE, _WEST, _EAST = 1, 2, 3, 5
# The corners within a cell that hold its two sums.
_CORNERS = {2: "s", 1: "e"}


class Sketch(Body):
    """A board and its drawing, out of which everything is taken when it is read."""

    def __init__(self, puzzle: Puzzle, size: tuple[int, int], points: Points, problem: dict[str, Any]) -> None:
        super().__init__(puzzle, size)
        self.points = points
        self.problem = problem
        self.colors: Mapping[str, Any] = {}
        self.sheet = Sheet(points)
        self.style = 1
        """That of numbers in cells."""
        self.crossed: Mapping[Crossing, str] = {}
        """The edges that are diagonals of cells."""
        self.lost: list[str] = []
        """What is only decoration."""

    @property
    def cells(self) -> list[Cell]:
        """The cells of the board."""
        return [cell for cell in self.places if cell not in self.holes]

    def places_by_point(self, name: str) -> dict[str, Any]:
        """Return {point: place} of the tokens of a key.

        The number of a region is read in any of its cells, and written in the first, column by column.
        """
        key, points = self.key(name), self.points
        if "of" in key.options:
            named_cells = sorted(self.regions(key.options["of"]).items(), key=lambda pair: pair[0][::-1])
            corners = {str(points.corner(cell) + i): region for cell, region in named_cells for i in range(4)}
            return {str(points.cell(*cell)): region for cell, region in named_cells} | corners
        between = bool(key.kind.around or key.kind.tool == "sign")
        pairs = ((self._point(place, between=between), place) for place in self.places_of(name))
        return {str(point): place for point, place in pairs if point is not None}

    def _point(self, place: Any, *, between: bool) -> int | None:  # noqa: ANN401 (a cell, a number outside, or one between cells)
        """Return the point of a place; None if the drawing does not reach so far."""
        if between:
            return self.points.between(*cells_at_edge(place))
        if len(place) == 2:
            return self.points.cell(*place)
        side, i, far = place
        r, c = outside.place(side, i, (self.rows, self.columns))
        r, c = r + far * ((r > self.rows) - (r < 1)), c + far * ((c > self.columns) - (c < 1))
        top, left = r + self.points.top, c + self.points.left
        is_drawn = 1 <= top <= self.points.rows and 1 <= left <= self.points.columns
        return self.points.cell(r, c) if is_drawn else None

    # Rules of variants

    def keys_of_variants(
        self, known: Mapping[str, Variant], tags: Collection[str], told: Sequence[Key], rules: str
    ) -> dict[str, Any]:
        """Take out and return the keys of variants, as in TOML.

        Cages come first, with the sums in their corners, then the keys that sentences of ours tell, as we draw them.
        The rest is drawn with tools of rules, or named by tags.

        Raises:
            InstanceError: the rules in words say that a tool means something else.
        """
        cages, cells = [*self._cages()], {*self.cells}
        keys: dict[str, Any] = ({cages_key().name: cages} if cages else {}) | self._told(told)
        for variant, line in (*self._paths(known.values()), *self._marks(known.values(), {*tags})):
            check_rules_in_words(variant, "penpa", rules, f"{variant.keys[0].name} mean")
            keys.setdefault(variant.keys[0].name, []).append(line)
        for point, kind, cell, content in self._table("number"):
            if len(values := candidates_in(content)) > 1 and kind == 0 and point.isdigit() and cell in cells:
                del self.problem["number"][point]
                line = key_line_text([cell], " ".join(map(str, values)))
                keys.setdefault(candidates_key(known).name, []).append(line)
        genres = (one for one in known.values() if rule_of(one).get("genre") and {*rule_of(one)["tags"]} & {*tags})
        for variant in islice(genres, 1):
            keys |= {variant.keys[0].name: labels} if (labels := self._labels()) else {}
        return keys

    def areas_of_variants(self, region_of: Mapping[Cell, str], known: Mapping[str, Variant], rules: str) -> list[str]:
        """Take out the diagonals and windows of a board, and the shading of whole regions; return their variants."""
        variants, shading = list[str](), self.problem.get("surface") or {}
        for look, crossings in _crossings(self.rows).items() if self.puzzle.square else ():
            if crossings <= self.crossed.keys():
                variants += (name for name, one in known.items() if one.formats.get("diagonals") == look)
                for crossing in crossings:
                    del self.problem["lineE"][self.crossed[crossing]]
        shaded = {self.points.place(point)[1:] for point in shading} & region_of.keys()
        named = any(called in rules.lower() for called in known[windows_variant(known)].called)
        if named and shaded == {cell for window in regions.windows(self.rows) for cell in window}:
            variants.append(windows_variant(known))
        elif all(shaded >= {*cells} for cells in regions.cells(region_of).values() if shaded & {*cells}):
            self.lost[:0] = ["shading of whole regions"] * bool(shaded)
        else:
            return variants
        shading.clear()
        return variants

    def unread(self, known: Mapping[str, Variant] = {}) -> list[str]:
        """Return the names of what is left, given the variants that may be drawn, none on a board of a genre."""
        outside = {
            rule["part"]: f"{rule['words']} outside the board"
            for rule in map(rule_of, known.values())
            if "part" in rule
        }
        names = PARTS | ({**outside, "cage": "cages that are only drawn", "lineE": "lines"} if known else {})
        left = [part for part in names if any(self.problem.get(part) or ())]
        return [name for part in left for name in (self._texts() if part == "number" else [names[part]])]

    def _texts(self) -> Iterator[str]:
        """Yield the names of texts that are left."""
        cells = {*self.cells}
        for point, kind, cell, content in self._table("number"):
            if candidates_in(content) or (str(content[0]).strip() and _style_of(content) != CANDIDATES):
                number = given_of(content) if kind == 0 and point.isdigit() else None
                is_text, place = number is None, "numbers" if cell in cells else "numbers outside the board"
                yield "texts that are no numbers in cells" if is_text else place if number else "zeros"

    def _table(self, part: str) -> Iterator[tuple[str, int, Cell, Any]]:
        """Yield the entries of a part: the number of a point, its kind, its place, and what is there."""
        for key, content in [*(self.problem.get(part) or {}).items()]:
            kind, *cell = self.points.place(key.removesuffix("E"))
            yield key, kind, (cell[0], cell[1]), content

    def _color(self, part: str, key: object) -> str:
        """Return the color of an entry; empty for the usual one."""
        colors = self.colors.get(part)
        if isinstance(colors, list):
            return str(colors[int(str(key))] or "") if int(str(key)) < len(colors) else ""
        return str((colors or {}).get(str(key)) or "")

    def _place(self, part: str, key: str, content: object, color: str) -> str | int | None:
        """Return where an entry that we would draw at a place is; None if it is not there."""
        entries = self.problem.get(part)
        if isinstance(entries, list):
            same = (i for i, entry in enumerate(entries) if entry == content and self._color(part, i) == color)
            return next(same, None)
        for name in (key, f"{key}E"):
            is_same = part == "surface" or (entries or {}).get(name) == content  # shades of a color look alike
            if is_same and name in (entries or {}) and self._color(part, name) == color:
                return name
        return None

    def _entries(self, figures: Iterable[Figure]) -> Iterator[tuple[str, str | int | None]]:
        """Yield the parts that we would draw of figures, each with its place here."""
        sheet = Sheet(self.points)
        draw_layer(sheet, KeyLayer(figures=tuple(figures)), (self.rows, self.columns))
        for part, content in sheet.parts.items():
            colors = sheet.colors.get(part) or {}
            for key, entry in content.items() if isinstance(content, dict) else enumerate(content):
                color = colors.get(key) if isinstance(colors, dict) else colors[key]
                yield part, self._place(part, str(key), entry, str(color or ""))

    def _told(self, keys: Sequence[Key]) -> dict[str, Any]:
        """Return the values of these keys, as in TOML: what is drawn exactly as we draw it."""
        sights = [key for key in keys if key.kind.tool == "sight" and not key.option("directions")]
        values: dict[str, Any] = {}
        for key in (key for key in keys if is_readable(key) and (key not in sights or len(sights) == 1)):
            if key in sights:
                values[key.name] = self._labels()
                continue
            figures = [*self._figures(key)]
            self._remove(self._entries(figures))
            lines = [_line_rules(key, figure) for figure in figures]
            is_one = key.kind.tool == "mark" or "cell" in key.option("picture", {})
            values[key.name] = " ".join(lines) if is_one else lines
        return {name: value for name, value in values.items() if value}

    def _figures(self, key: Key) -> Iterator[Figure]:
        look, tool = key.option("picture", {}), key.kind.tool
        if tool in {"pair", "corner", "sight"}:
            for entry in (entry for layer in ("symbol", "number") for entry in self._table(layer)):
                yield from islice(filter(self._take, self._possible(key, *entry)), 1)
        elif "line" in look:
            part = "squareframe" if look.get("width", 0) >= _WIDE else _BRANCHES
            for i, numbers in enumerate(self.problem.get(part) or ()):
                if numbers and self._color(part, i) == look["line"]:
                    path = tuple(self.points.place(number)[1:] for number in numbers)
                    first, small = self.points.corner(min(path)), self.problem.get("numberS") or {}
                    corners = (str(i) for i in range(first, first + 4) if key.option("value") and str(i) in small)
                    yield Figure(look, path, text="".join(str(small.pop(i)[0]) for i in islice(corners, 1)))
        else:
            alone = {name: value for name, value in look.items() if name != "wedges"}
            marked = tuple(cell for cell in self.cells if self._take(Figure(alone, (cell,))))
            yield from [Figure(look, marked)] if marked else ()

    def _possible(self, key: Key, point: str, kind: int, place: Cell, content: Sequence[Any]) -> Iterator[Figure]:
        """Yield the clues of a key that an entry may be part of: between cells, at a corner or outside the board."""
        look, (r, c), text = key.option("picture", {}), place, str(content[0])
        if key.kind.tool == "corner":
            yield Figure(look, (place,), text=" ".join(text) if content[-1] == FOUR else text)
        elif key.kind.tool == "sight":
            for y, x in DIAGONALS.values():
                yield Figure(look, ((r + y, c + x), (r + 2 * y, c + 2 * x)), text=text.partition("_")[0])
        elif kind in {2, 3}:
            (number, *_) = (self.problem.get("number") or {}).get(point, [key.option("default", "")])
            pair = (place, (r + 1, c) if kind == 2 else (r, c + 1))
            if number in key.option("tokens", [number]):
                yield from (Figure(look, cells, text=str(number)) for cells in (pair, pair[::-1]))

    def _take(self, figure: Figure) -> bool:
        """Take out what we would draw of a clue, if all of it is here; return whether it is."""
        entries = [*self._entries([figure])]
        if not entries or any(place is None for _, place in entries):
            return False
        self._remove(entries)
        return True

    def _remove(self, entries: Iterable[tuple[str, str | int | None]]) -> None:
        """Remove the entries at these places, except small texts, which are removed when they are read."""
        for part, place in entries:
            if isinstance(place, int):
                self.problem[part][place] = []
            elif place is not None and part != "numberS":
                self.problem[part].pop(place, None)

    def _labels(self) -> dict[str, list[str]]:
        """Remove and return the numbers outside the board; none if one is beside no row and no column."""
        numbers = ((point, kind, cell, str(text)) for point, kind, cell, (text, *_) in self._table("number"))
        labels = {cell: (point, text) for point, kind, cell, text in numbers if kind == 0 and text.isdigit()}
        for cell in self.cells:
            labels.pop(cell, None)
        sides = outside.labels_by_side({cell: text for cell, (_, text) in labels.items()}, (self.rows, self.columns))
        for point, _ in labels.values() if sides else ():
            del self.problem["number"][point]
        return sides or {}

    def _cages(self) -> Iterator[str]:
        """Take out the killer cages with the sums in their corners, and the sides that they have as they are drawn."""
        drawn, cells = self.points._replace(top=0, left=0, turn=UPRIGHT), {*self.cells}
        small, edges = self.problem.get("numberS") or {}, self.problem.get("cage") or {}
        sides = set[frozenset[str]]()
        for members in filter(None, self.problem.pop("killercages", None) or ()):
            cage = [self.points.place(number)[1:] for number in members]
            if not {*cage} <= cells:
                raise InstanceError("this Penpa+ drawing has a killer cage that leaves the board")
            places = [drawn.place(number)[1:] for number in members]
            total = str(small.pop(str(drawn.corner(min(places))), [""])[0]).strip()
            sides |= {frozenset(side.split(",")) for side in cage_sides(places, drawn)}
            yield key_line_text(cage, cage_sum(total))
        for side in [side for side in edges if frozenset(side.split(",")) in sides]:
            del edges[side]

    def _cells(self, part: str) -> Iterator[tuple[int, list[Cell]]]:
        """Yield the lists of cells of a part, each with its place, except those that leave the board."""
        cells = {*self.cells}
        for i, numbers in enumerate(self.problem.get(part) or ()):
            places = [self.points.place(number) for number in numbers or ()]
            if places and all(kind == 0 and (r, c) in cells for kind, r, c in places):
                yield i, [(r, c) for _, r, c in places]

    def _paths(self, variants: Iterable[Variant]) -> Iterator[tuple[Variant, str]]:
        """Yield lines of tools. A line without a bulb is a branch if it begins on a thermometer of its color."""
        paths = [variant for variant in variants if "part" in rule_of(variant) and variant.keys[0].kind.tool == "path"]
        for variant in sorted(paths, key=lambda variant: rule_of(variant)["part"] != _THERMO):
            part, colors = rule_of(variant)["part"], dict[Cell, set[str]]()
            for layer in (part, _BRANCHES) if part == _THERMO else (part,):
                for i, cells in self._cells(layer):
                    color = self._color(layer, i)
                    if layer == _BRANCHES and color not in colors.get(cells[0], ()):
                        continue
                    self.problem[layer][i] = []
                    for cell in cells:
                        colors.setdefault(cell, set()).add(color)
                    first, *shaft = cells
                    if not variant.keys[0].option("head"):
                        yield variant, key_line_text([first, *shaft])
                    elif shaft:  # others are not shown
                        yield variant, f"{key_line_text([first])} > {key_line_text(shaft)}"

    def _marks(self, variants: Collection[Variant], tags: set[str]) -> Iterator[tuple[Variant, str]]:
        """Yield marks in cells and between them; marks of one shape have one color, or they mean several things."""
        styles: dict[tuple[str, bool], int] = {}
        board = {*self.cells}
        for point, kind, (r, c), (style, name, *_) in self._table("symbol"):
            shape, other = str(name).partition("_")[0], {2: (r + 1, c), 3: (r, c + 1)}.get(kind)
            cells = [cell for cell in ((r, c), other) if cell in board]
            color = 0 if shape == "bars" else int(style)
            is_usual = styles.setdefault((shape, kind == 0), color) == color
            wide = 2 if other else 1 if kind == 0 else 0
            fitting = (
                variant
                for variant in variants
                if shape in rule_of(variant).get("symbols", ())
                and tags & {*rule_of(variant)["tags"], *rule_of(variant).get("also", ())}
                and variant.keys[0].cells == len(cells) == wide
            )
            for variant in islice(fitting, is_usual):
                del self.problem["symbol"][point]
                yield variant, key_line_text(sorted(cells), variant.keys[0].option("default"))


def read_parts(one: FormatTable, sketch: Sketch) -> None:
    """Take the parts of a board out of its drawing."""
    one.check(CODINGS)
    for part in one.parts:
        CODINGS[part.coding].read(sketch, part)


def draw_parts(one: FormatTable, body: Body, points: Points) -> Sketch:
    """Return the drawing of a board."""
    one.check(CODINGS)
    sketch = Sketch(body.puzzle, (body.rows, body.columns), points, {})
    sketch.values, sketch.holes, sketch.style = body.values, body.holes, one.table.get("style", 1)
    for part in one.parts:
        CODINGS[part.coding].write(sketch, part)
    return sketch


def margins_of(one: FormatTable, body: Body) -> list[int]:
    """Return how many rows and columns are needed above, below, left and right of a board."""
    margins = [0] * 4
    for part in one.parts:
        if part.coding == "count":
            margins = [max(1, wide) for wide in margins]
        if part.coding == "fleet" and (rows := _fleet_rows(body.values.get(part.key, ()), body.columns)):
            longest = max(start + length - 1 for row in rows for start, length in row)
            margins[1], margins[3] = max(margins[1], 2 * len(rows)), max(margins[3], longest - body.columns)
        for side, _, far in body.values.get(part.key, ()) if part.coding == "outside" else ():
            margins[SIDES.index(side)] = max(margins[SIDES.index(side)], far + 1)
    return margins


# -- Codings -------------------------------------------------------------------------------------


class _Tokens(NamedTuple):
    """A coding of tokens that are drawn at the points of their places."""

    layer: str
    token: Callable[[Any, Part], object]
    """Returns the token of the content at a point; None for other content."""
    content: Callable[[str, Part], Any]
    """Returns the content to draw for a token; None for nothing."""

    def read(self, sketch: Sketch, part: Part) -> None:
        """Take the tokens out of a drawing."""
        tokens, places = dict[object, object](), sketch.places_by_point(part.key)
        for layer in ("number", "numberS") if self.layer == "number" else (self.layer,):
            for point, content in [*sketch.problem.get(layer, {}).items()]:
                if point in places and (token := self.token(content, part)) is not None:
                    tokens[places[point]] = token
                    del sketch.problem[layer][point]
        sketch.add(part, tokens | sketch.tokens(part))

    def write(self, sketch: Sketch, part: Part) -> None:
        """Draw the tokens."""
        points = {place: int(point) for point, place in reversed(sketch.places_by_point(part.key).items())}
        for place, token in sketch.tokens(part).items():
            content = self.content(str(token), part)
            if self.layer == "number" and content:
                sketch.sheet.number(points[place], [content[0], sketch.style, content[1]])
            elif self.layer == "symbol":
                sketch.sheet.symbol(points[place], content)
            elif content:
                sketch.sheet.table(self.layer, points[place], content)


def given_of(content: Sequence[Any]) -> int | None:
    """Return the number that the content of a cell says, perhaps as its only candidate; None if it says another thing.

    Other styles of numbers are arrows and the like.
    """
    candidates = candidates_in(content)
    if len(candidates) == 1:
        return candidates[0]
    is_usual = _style_of(content) in {"1", "5", "6", "8", "10", "11"}
    return int(content[0]) if is_usual and re.fullmatch(r"[0-9]{1,4}", str(content[0]).strip()) else None


def _number(text: object, part: Part) -> int | str | None:
    """Return the number of a text, the token of a question mark or of a blank, or None for another text."""
    stripped = str(text).strip()
    other = {UNKNOWN: part.unknown, "": part.word}.get(stripped)
    return int(stripped) if re.fullmatch(r"\d{1,4}", stripped) else other or None


def _arrow(content: Sequence[Any], part: Part) -> object:
    """Return the number, or a question mark, and the direction of an arrow; the word of the part if it has neither."""
    number, line, arrow = str(content[0]).partition("_")
    value, way = _number(number, part), _WAYS.get(line + arrow)
    if value is None or way is None:
        return None
    if value in {part.word, part.unknown}:
        return f"{UNKNOWN}{way}" if way else part.word
    return f"{value}{way}"


def _written_arrow(token: str, part: Part) -> list[str] | None:
    ways = {way: mark for mark, way in _WAYS.items() if way}
    return [f"{token[:-1]}{ways[token[-1]]}", "2"] if token != part.word else None


def _symbol(content: Sequence[Any], part: Part) -> str | None:
    """Return the token of a symbol of a shape; its styles, from 1, are the tokens of the key: `circle_L:w,b`."""
    shape, _, tokens = part.word.partition(":")
    style, name, *_ = content
    is_one = name.partition("_")[0] == shape.partition("_")[0] and 0 < style <= len(tokens.split(","))
    return tokens.split(",")[style - 1] if is_one else None


def _written_symbol(token: str, part: Part) -> list[object]:
    shape, _, tokens = part.word.partition(":")
    return [tokens.split(",").index(token) + 1, shape, UNDER]


def _sign(content: Sequence[Any], _: Part) -> str | None:
    style, name, *_rest = content
    return "<^>v"[(style - 1) % 4] if name == "inequality" and style in range(1, 9) else None


def _read_borders(sketch: Sketch, part: Part) -> None:
    edges = sketch.problem.get("lineE", {})
    walls, sketch.crossed, others = walls_of_edges(edges, sketch.points)
    region_of = regions.of_walls(sketch.cells, walls)
    within = {pair for pair in walls if {*pair} <= region_of.keys() and len({*map(region_of.get, pair)}) == 1}
    if within and not part.word:
        sketch.lost.append("edges that separate no regions")
    sketch.divide(part, walls if part.word else walls - within)
    sketch.problem["lineE"] = {key: edges[key] for key in (*sketch.crossed.values(), *others)}


def _read_holes(sketch: Sketch, _: Part) -> None:
    """Read black cells without a number."""
    numbers = {cell for grid in sketch.values.values() for cell in grid}
    for point, style in [*sketch.problem.get("surface", {}).items()]:
        if style == _DARK and (cell := sketch.points.place(point)[1:]) not in numbers:
            sketch.holes |= {cell} & {*sketch.places}
            del sketch.problem["surface"][point]


def _write_holes(sketch: Sketch, _: Part) -> None:
    """Draw holes within the board, and no corners of its outline."""
    for part in connected_cells(sorted(sketch.holes)):
        if not any(r in {1, sketch.rows} or c in {1, sketch.columns} for r, c in part):
            for cell in part:
                sketch.sheet.table("surface", sketch.points.cell(*cell), _DARK)


def _read_count(sketch: Sketch, part: Part) -> None:
    """Read the number outside the board, which has a symbol beside it."""
    for layer in ("number", "symbol"):
        for key, (value, *_) in [*sketch.problem.get(layer, {}).items()]:
            if key.isdigit() and sketch.points.place(key)[1:] not in sketch.places:
                del sketch.problem[layer][key]
                if layer == "number":
                    sketch.values[part.key] = int(value)


def _write_count(sketch: Sketch, part: Part) -> None:
    cell = (0, sketch.columns)
    sketch.sheet.number(sketch.points.cell(*cell), [str(sketch.values.get(part.key, 1)), 1, "1"])
    sketch.sheet.symbol(sketch.points.cell(*cell) + 1, [2, part.word, OVER])


def _read_double(sketch: Sketch, part: Part) -> None:
    """Read walls, which are the first row and column, too, and the sums in their corners."""
    _WALLS.read(sketch, part)
    grid = sketch.grid(part.key)
    grid.update((cell, "") for cell in sketch.places if min(cell) == 1)
    for key, (text, *_) in sorted(sketch.problem.get("numberS", {}).items()):
        cell, corner = sketch.points.corner_at(key)
        if corner in _CORNERS and cell in grid and str(text).strip().isdigit():
            grid[cell] += f"{int(text)}{_CORNERS[corner]}"
            del sketch.problem["numberS"][key]
    grid.update((cell, "x") for cell in [*grid] if not grid[cell])


def _read_fleet(sketch: Sketch, part: Part) -> None:
    """Read the ships beside the board, each in cells that touch."""
    symbols, board = sketch.problem.get("symbol", {}), {*sketch.places}
    by_cell = {
        sketch.points.place(key)[1:]: key
        for key, (_, name, *_) in symbols.items()
        if key.isdigit() and name.startswith("battleship") and sketch.points.place(key)[1:] not in board
    }
    ships = connected_cells(by_cell)
    if not ships or any(len({r for r, _ in ship}) > 1 < len({c for _, c in ship}) for ship in ships):
        raise InstanceError("this Penpa+ drawing has no fleet: draw its ships beside the board, straight and apart")
    sketch.values[part.key] = sorted((part.word * len(ship) for ship in ships), key=len, reverse=True)
    for key in by_cell.values():
        del symbols[key]


def _write_fleet(sketch: Sketch, part: Part) -> None:
    rows = _fleet_rows(sketch.values.get(part.key, ()), sketch.columns)
    for i, lengths in enumerate(rows, 1):
        for c, length in lengths:
            styles = [_WEST, *[_MIDDLE] * (length - 2), _EAST] if length > 1 else [_ALONE]
            for column, style in enumerate(styles, c):
                sketch.sheet.symbol(sketch.points.cell(sketch.rows + 2 * i, column), [style, "battleship_B", OVER])


def _fleet_rows(ships: Sequence[str], columns: int) -> list[list[tuple[int, int]]]:
    """Return rows of ships, the longest first, with the column at which each begins, and its length."""
    rows: list[list[tuple[int, int]]] = []
    for length in sorted(map(len, ships), reverse=True):
        start = sum(rows[-1][-1]) + 1 if rows else 0
        if not rows or start + length > columns + 1:
            rows.append([])
            start = 1
        rows[-1].append((start, length))
    return rows


def _write_double(sketch: Sketch, part: Part) -> None:
    _WALLS.write(sketch, part)
    for cell, token in sketch.grid(part.key).items():
        numbers = {way: number for number, way in re.findall(r"(\d+)([se])", str(token))}
        for corner, way in _CORNERS.items():
            if way in numbers:
                sketch.sheet.table("numberS", sketch.points.corner(cell) + corner, [numbers[way], BLACK])


_WALLS = _Tokens("symbol", lambda content, _: "" if content[1] == "kakuro" else None, lambda *_: [1, "kakuro", OVER])
_NUMBERS = _Tokens(
    "number",
    lambda content, part: _number(content[0], part),
    lambda token, part: [token, "1"] if token != part.word else None,  # which is shaded
)
CODINGS: dict[str, Coding | _Tokens] = {
    # Edges that are only decoration.
    "edges": Coding(lambda sketch, _: sketch.problem.update(lineE={}), lambda *_: None),
    "numbers": _NUMBERS,
    "outside": _NUMBERS,
    "givens": _NUMBERS._replace(token=lambda content, _: given_of(content) or None),
    "holes": Coding(_read_holes, _write_holes),
    "arrows": _Tokens("number", _arrow, _written_arrow),
    "shaded": _Tokens("surface", lambda shade, part: part.word if shade in _SHADES else None, lambda *_: _DARK),
    "symbols": _Tokens("symbol", _symbol, _written_symbol),
    "dots": _Tokens(
        "symbol",
        lambda content, part: part.word if str(content[1]).startswith("circle") else None,
        lambda *_: [WHITE, "circle_SS", OVER],
    ),
    "signs": _Tokens("symbol", _sign, lambda sign, *_: ["<^>v".index(sign) + 5, "inequality", OVER]),
    "borders": Coding(_read_borders, lambda sketch, part: sketch.sheet.borders(sketch.borders(part))),
    "count": Coding(_read_count, _write_count),
    "double": Coding(_read_double, _write_double),
    "fleet": Coding(_read_fleet, _write_fleet),
}


# -- Answers -------------------------------------------------------------------------------------


def checked_answer(answer: Answer, sketch: Sketch, symbol: str) -> tuple[list[list[str]], Mapping[str, bool]] | None:
    """Return the lists with which Penpa+ checks an answer, and the options that enable this; None for one of givens.

    `symbol` is the option and the code of a symbol, `tent 2F`, if the answer is not in shaded cells.
    """
    lists: list[list[str]] = [[] for _ in range(6)]
    point, options = sketch.points.cell, list[str]()
    if isinstance(answer, Shading):
        option, _, code = symbol.partition(" ")
        cells = [str(point(*cell)) for cell, shaded in answer.shaded.items() if shaded]
        lists[5 if code else 0] = [f"{cell},{code}" if code else cell for cell in cells]
        options.append(option or "surface")
    elif isinstance(answer, Numbers):
        drawn = sketch.sheet.parts.get("number", {})
        values = {point(*cell): value for cell, value in answer.values.items()}
        lists[4] = [f"{number},{value}" for number, value in values.items() if str(number) not in drawn]
        options.append("number")
        if not lists[4]:
            return None
    elif isinstance(answer, Lines):
        along = answer.kind.along_edges
        for pair, number in answer.lines.items():
            ends = ([point(r - along, c - along, int(along)) for r, c in step] for step in answer_line_steps(pair))
            lists[1 + along] += [f"{a},{b},{number}" for a, b in ends]
        lists[0] = [str(point(*cell)) for cell in answer.marks]
        options += ["loopedge" if along else "loopline", *(["surface"] if answer.marks else [])]
    elif isinstance(answer, Areas):
        sides = Sheet(sketch.points)
        areas = {cell: str(i) for i, area in enumerate(answer.areas) for cell in area}
        sides.borders(regions.walls(areas, (sketch.rows, sketch.columns)))
        lists[2] = [f"{side},1" for side in sides.parts.get("lineE", ())]
        options.append("loopedge")
    return [sorted(part) for part in lists], {f"sol_{option}": True for option in options}


def read_answer(lists: Any, sketch: Sketch) -> str:  # noqa: ANN401 (what JSON has)
    """Return the answer that Penpa+ checks, as text; empty if it does not check one of this kind."""
    shaded, lines, edges, _, numbers, symbols = lists
    kind, cells = sketch.puzzle.kind, sketch.cells

    def place(number: object) -> Cell:
        return sketch.points.place(number)[1:]

    if isinstance(kind, ShadingKind):
        marked = {place(str(entry).partition(",")[0]) for entry in symbols or shaded}
        text = grid_text(cells, dict.fromkeys(marked, "x"))
    elif isinstance(kind, NumbersKind):
        entries = (entry.split(",", 1) for entry in numbers)
        values = {place(number): value for number, value in entries if re.fullmatch("[0-9]{1,4}", value)}
        givens = {
            cell: str(value)
            for key in sketch.puzzle.keys
            if key.kind.role == "answers"
            for cell, value in sketch.grid(key.name).items()
        }
        text = grid_text(cells, values | givens)
    elif isinstance(kind, LinesKind):
        along = kind.along_edges
        ends = [
            [(r + along, c + along) for r, c in map(place, entry.split(",")[:2])] for entry in (lines, edges)[along]
        ]
        drawn = {(min(pair), max(pair)): entry[-1] for pair, entry in zip(ends, (lines, edges)[along], strict=True)}
        joined = _joined(drawn, sketch) if kind.numbered else drawn
        texts = [answer_line_text(pair, 2 if number == "2" else 1) for pair, number in joined.items()]
        text = " ".join([*texts, *(cell_name(place(number)) for number in (shaded if kind.marks else ()))])
    else:
        walls, _, _ = walls_of_edges({entry.rpartition(",")[0]: 2 for entry in edges}, sketch.points)
        text = grid_text(cells, regions.of_walls(cells, walls))
    return text if text.strip(" .\n") else ""


def _joined(drawn: Mapping[tuple[Cell, Cell], str], sketch: Sketch) -> dict[tuple[Cell, Cell], str]:
    """Return lines from one cell with a clue to the next, of lines from cell to cell."""
    clues = {cell for grid in sketch.values.values() for cell in grid}
    joined = {}
    for (first, other), number in drawn.items():
        step, last = (other[0] - first[0], other[1] - first[1]), other
        while last not in clues and (last, (last[0] + step[0], last[1] + step[1])) in drawn:
            last = (last[0] + step[0], last[1] + step[1])
        if first in clues:
            joined[first, last] = number
    return joined


# -- Rules of variants -----------------------------------------------------------------------------

# Lines without a bulb, which may be branches of thermometers.
_BRANCHES, _THERMO = "nobulbthermo", "thermo"


def rule_of(variant: Variant) -> Mapping[str, Any]:
    """Return the declaration of a variant for Penpa+, `[formats.penpa]`; empty if it has none."""
    rule: Mapping[str, Any] = variant.formats.get("penpa", {})
    return rule


def tags_of(known: Mapping[str, Variant], *, genres: bool = True) -> list[str]:
    """Return the tags of variants, perhaps without those of genres."""
    return [
        tag for one in known.values() if genres or not rule_of(one).get("genre") for tag in rule_of(one).get("tags", ())
    ]


# -- Reading -----------------------------------------------------------------------------------


def told_keys(variants: Iterable[Variant], rules: str) -> list[Key]:
    """Return the keys of the variants whose sentences are in a text, whatever numbers are in them."""

    def is_in(choices: Iterable[str]) -> bool:
        patterns = (re.sub(r"\\{\w+\\}", "[^.;]{1,40}?", re.escape(choice)) for choice in choices)
        return any(re.search(pattern, rules) for pattern in patterns)

    return [one.keys[0] for one in variants if one.keys and all(map(is_in, one.instructions or [[one.summary]]))]


def is_readable(key: Key) -> bool:
    """Return whether the drawing of a key says all of it: not which cells are of one cage or group."""
    look, tool = key.option("picture", {}), key.kind.tool
    is_line = "line" in look and "head" not in key.options
    return is_line or tool in {"sight", "pair", "corner", "mark"} or look.get("cell") == "circle"


def candidates_in(content: Sequence[Any]) -> list[int]:
    """Return the candidates that the content of a cell says; empty if it is another number."""
    marks = content[0][:MOST_CANDIDATES] if _style_of(content) == CANDIDATES else ()
    return [i for i, mark in enumerate(marks, 1) if mark == 1]


def _style_of(content: Sequence[Any]) -> str:
    """Return the style of a number, by default that of a given."""
    return str(content[2]) if len(content) > 2 else _LARGE


def _line_rules(key: Key, figure: Figure) -> str:
    if key.kind.tool != "sight":
        return key_line_text(figure.cells, figure.text)
    way = next(way for way, step in DIAGONALS.items() if step == figure.step)
    return f"{key_line_text(figure.cells[:1])} {way} = {figure.text}"


def check_tags(known: Mapping[str, Variant], tags: Collection[str], keys: Collection[str]) -> None:
    """Check that what a tag names is drawn as a rule.

    Raises:
        InstanceError: it is not.
    """
    for tag in tags:
        owners = [variant for variant in known.values() if variant.keys and tag in rule_of(variant).get("tags", ())]
        if owners and not {variant.keys[0].name for variant in owners} & {*keys}:
            name = rule_of(owners[0])["words"]
            raise InstanceError(f"the tags of this Penpa+ drawing say {tag}, and it has no {name}: draw them so")


# -- Writing ---------------------------------------------------------------------------------------


def tool_of(board: Draft, key: str) -> str:
    """Return the part of a drawing that has the lines of a key, "number" for candidates; "" if no tool has it."""
    parts = {one.keys[0].name: str(rule_of(one)["part"]) for one in board.known.values() if "part" in rule_of(one)}
    parts[candidates_key(board.known).name] = "number"
    lines = board.lines_of(key) if key in parts else []
    if key in parts and parts[key] == "number":
        fit = all(0 < int(value) <= MOST_CANDIDATES for line in lines for value in line.values)
        return parts[key] * (fit and all(len(line.values) > 1 for line in lines))
    return parts.get(key, "") * all(len(line.groups) == 1 or len(line.groups[0]) == 1 for line in lines)


def drawn_tags(board: Draft) -> list[str]:
    """Return the tags of the variants of a Sudoku that are rules in its drawing.

    Symbols and numbers outside are rules only if no others are drawn.
    """

    def is_rule(variant: Variant) -> bool:
        key = variant.keys[0]
        lines = board.lines_of(key.name) if key.cells == 2 else ()
        usual = all(
            line.values == [str(key.option("default"))] and are_neighbors(tuple(line.groups[0])) for line in lines
        )
        return bool(tool_of(board, key.name)) or ("tags" in rule_of(variant) and usual)

    keyed = [one for one in board.used if one.keys]
    whole = all(map(is_rule, keyed))
    rules = board.used if whole else [one for one in keyed if tool_of(board, one.keys[0].name)]
    tags = []
    for tag in (tag for one in rules for tag in rule_of(one).get("tags", ())):
        owners = [one for one in board.known.values() if tag in rule_of(one).get("tags", ())]
        named = [one for one in owners if not one.keys]
        if all(one in rules for one in named) and any(one in rules for one in owners if one.keys or owners == named):
            tags.append(tag)
    return tags


def draw_variants(sheet: Sheet, board: Draft) -> None:
    """Draw the keys, the diagonals and the windows of the variants of a board.

    Raises:
        InstanceError: there is no room, or a key could not be read again.
    """
    for key in sorted(board.keys, key=lambda key: key != cages_key().name):
        layer = board.layers.get(key, KeyLayer())
        if tool_of(board, key):
            _draw_rule(sheet, board, key)
        elif layer.labels or any(figure.look for figure in layer.figures):
            draw_layer(sheet, layer, board.size)
        else:
            raise refusal("penpa", f"{key}, which have no picture")
    drawn = [variant.keys[0] for variant in board.known.values() if variant.keys and variant.keys[0].name in board.keys]
    if unread := [key.name for key in drawn if not (tool_of(board, key.name) or is_readable(key))]:
        what = f"{listing(unread, 'and')} of this board so that they can be read again"
        raise refusal("penpa", what, board.instance.facts.where if board.instance else None)
    for window in board.windows:
        for cell in window:
            sheet.table("surface", sheet.points.cell(*cell), SHADE, "#e8e8e8")  # on which Penpa+'s grey is visible
    across = [crossing for look in board.diagonals for crossing in _crossings(board.size[0])[look]]
    for way, (r, c) in sorted(across, key=lambda pair: (pair[1][0], -pair[0])):
        ends = sheet.points.cell(r - 1, c - (way > 0), 1), sheet.points.cell(r, c - (way < 0), 1)
        sheet.table("lineE", f"{ends[0]},{ends[1]}", DASHED)


def _draw_rule(sheet: Sheet, board: Draft, key: str) -> None:
    """Draw a key of a board with the tool that means its rule.

    Raises:
        InstanceError: two cages begin in one cell, whose corner has room for one sum.
    """
    part, lines = tool_of(board, key), board.lines_of(key)
    firsts = [min(line.groups[0]) for line in lines if part == "killercages"]
    if twice := next((cell for cell in firsts if firsts.count(cell) > 1), None):
        raise refusal("penpa", f"two cages that begin at {cell_place(twice)}")
    for line in lines:
        if part == "number":
            marks = [int(str(i) in line.values) for i in range(1, MOST_CANDIDATES + 1)]
            (cell,) = line.groups[0]
            sheet.number(sheet.points.cell(*cell), [marks, BLACK, CANDIDATES])
        elif part == "killercages":
            sheet.parts.setdefault(part, []).append([sheet.points.cell(*cell) for cell in line.groups[0]])
            sheet.cage(line.groups[0], CAGES["dashed"])
            if line.values:
                sheet.small(str(int(line.values[0])), min(line.groups[0]))
        else:
            sheet.path(part, (cell for group in line.groups for cell in group))
