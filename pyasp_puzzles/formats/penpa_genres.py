"""Genres in Penpa+: what `body` in `[formats.penpa]` lists is drawn as Penpa+ draws what it imports from puzz.link.

GenreSketch  a board while its drawing is read or made; reading takes what it knows out of `problem`
Answer       the lists of what Penpa+ checks: shaded cells, lines, edges, walls, numbers, symbols ("28,2F"), sorted
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from pyasp_puzzles.asp.symbols import UNKNOWN
from pyasp_puzzles.boards.grid import Cell, cell_name, connected_cells, grid_text
from pyasp_puzzles.boards.regions import regions_of_walls, walls_of_regions
from pyasp_puzzles.errors import InstanceError
from pyasp_puzzles.formats.codings import Body, Coding, FormatTable, Part, cells_at_edge
from pyasp_puzzles.formats.penpa_drawing import BLACK, OVER, UNDER, WHITE, PenpaPoints, PenpaSheet, penpa_walls
from pyasp_puzzles.puzzles.areas import Areas
from pyasp_puzzles.puzzles.keys.outside import SIDES, outside_place
from pyasp_puzzles.puzzles.lines import Lines, LinesKind, answer_line_steps, answer_line_text
from pyasp_puzzles.puzzles.numbers import Numbers, NumbersKind
from pyasp_puzzles.puzzles.shading import Shading, ShadingKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Puzzle

# Shades that solvers may take for shaded cells: black, and grey ones.
_SHADES, _DARK = (1, 3, 4, 8), 4
# Arrows behind a number: none, north, west, east, south.
_WAYS = {"": "", "_0": "n", "_1": "w", "_2": "e", "_3": "s"}
# Parts of ships: one of one cell, the middle, the western and the eastern end.
_ALONE, _MIDDLE, _WEST, _EAST = 1, 2, 3, 5
# The corners within a cell that hold its two sums.
_CORNERS = {2: "s", 1: "e"}


class GenreSketch(Body):
    """A board and its drawing."""

    def __init__(
        self, puzzle: Puzzle, cells: Sequence[Cell], points: PenpaPoints, problem: dict[str, Any], style: int = 1
    ) -> None:
        super().__init__(puzzle, (max(r for r, _ in cells), max(c for _, c in cells)))
        self.holes = {*self.places} - {*cells}
        self.points = points
        self.problem = problem
        self.sheet = PenpaSheet(points)
        self.style = style
        """That of numbers in cells."""

    def places_by_point(self, name: str) -> dict[str, Any]:
        """Return {point: place} of the tokens of a key.

        The number of a region is read in any of its cells, and written in the first, column by column.
        """
        key, points = self.key(name), self.points
        if "of" in key.options:
            regions = sorted(self.regions(key.options["of"]).items(), key=lambda pair: pair[0][::-1])
            corners = {str(points.corner(cell) + i): region for cell, region in regions for i in range(4)}
            return {str(points.cell(*cell)): region for cell, region in regions} | corners
        between = bool(key.kind.around or key.kind.tool == "sign")
        found = ((self._point(place, between=between), place) for place in self.places_of(name))
        return {str(point): place for point, place in found if point is not None}

    def _point(self, place: Any, *, between: bool) -> int | None:  # noqa: ANN401 (a cell, a number outside, or one between cells)
        """Return the point of a place; None if the drawing does not reach so far."""
        if between:
            return self.points.between(*cells_at_edge(place))
        if len(place) == 2:
            return self.points.cell(*place)
        side, i, far = place
        r, c = outside_place(side, i, (self.rows, self.columns))
        r, c = r + far * ((r > self.rows) - (r < 1)), c + far * ((c > self.columns) - (c < 1))
        top, left = r + self.points.top, c + self.points.left
        is_drawn = 1 <= top <= self.points.rows and 1 <= left <= self.points.columns
        return self.points.cell(r, c) if is_drawn else None


def read_genre_drawing(one: FormatTable, sketch: GenreSketch) -> list[str]:
    """Read the parts of a drawing into a board, and return the layers that have something else."""
    one.check(CODINGS)
    for part in one.parts:
        CODINGS[part.coding].read(sketch, part)
    return [layer for layer, content in sketch.problem.items() if content]


def genre_drawing(one: FormatTable, body: Body, points: PenpaPoints) -> GenreSketch:
    """Return the drawing of a board."""
    one.check(CODINGS)
    cells = [cell for cell in body.places if cell not in body.holes]
    sketch = GenreSketch(body.puzzle, cells, points, {}, one.table.get("style", 1))
    sketch.values = body.values
    for part in one.parts:
        CODINGS[part.coding].write(sketch, part)
    return sketch


def genre_margins(one: FormatTable, body: Body) -> list[int]:
    """Return how many rows and columns are needed above, below, left and right of a board."""
    found = [0] * 4
    for part in one.parts:
        if part.coding == "count":
            found = [max(1, wide) for wide in found]
        if part.coding == "fleet" and (rows := _fleet_rows(body.values.get(part.key, ()), body.columns)):
            longest = max(start + length - 1 for row in rows for start, length in row)
            found[1], found[3] = max(found[1], 2 * len(rows)), max(found[3], longest - body.columns)
        for side, _, far in body.values.get(part.key, ()) if part.coding == "outside" else ():
            found[SIDES.index(side)] = max(found[SIDES.index(side)], far + 1)
    return found


# -- Codings -------------------------------------------------------------------------------------


class _Tokens(NamedTuple):
    """A coding of tokens that are drawn at the points of their places."""

    layer: str
    token: Callable[[Any, Part], object]
    """Returns the token of what is there; None if it is another thing."""
    content: Callable[[str, Part], Any]
    """Returns what is drawn of a token; None for nothing."""

    def read(self, sketch: GenreSketch, part: Part) -> None:
        """Take the tokens out of a drawing."""
        found, places = dict[object, object](), sketch.places_by_point(part.key)
        for layer in ("number", "numberS") if self.layer == "number" else (self.layer,):
            for point, content in [*sketch.problem.get(layer, {}).items()]:
                if point in places and (token := self.token(content, part)) is not None:
                    found[places[point]] = token
                    del sketch.problem[layer][point]
        sketch.add(part, found | sketch.tokens(part))

    def write(self, sketch: GenreSketch, part: Part) -> None:
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


def _number(text: object, part: Part) -> int | str | None:
    """Return the number of a text, the token of a question mark or of a blank, or None for another text."""
    words = str(text).strip()
    other = {UNKNOWN: part.unknown, "": part.word}.get(words)
    return int(words) if re.fullmatch(r"\d{1,4}", words) else other or None


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
    shape, _, words = part.word.partition(":")
    style, name, *_ = content
    is_one = name.partition("_")[0] == shape.partition("_")[0] and 0 < style <= len(words.split(","))
    return words.split(",")[style - 1] if is_one else None


def _written_symbol(token: str, part: Part) -> list[object]:
    shape, _, words = part.word.partition(":")
    return [words.split(",").index(token) + 1, shape, UNDER]


def _sign(content: Sequence[Any], _: Part) -> str | None:
    style, name, *_rest = content
    return "<^>v"[(style - 1) % 4] if name == "inequality" and style in range(1, 9) else None


def _read_borders(sketch: GenreSketch, part: Part) -> None:
    walls, crossed, marked = penpa_walls(sketch.problem.get("lineE", {}), sketch.points)
    sketch.divide(part, walls)
    if not crossed and not marked:
        sketch.problem["lineE"] = {}


def _read_count(sketch: GenreSketch, part: Part) -> None:
    """Read the number outside the board, which has a symbol beside it."""
    for layer in ("number", "symbol"):
        for key, (value, *_) in [*sketch.problem.get(layer, {}).items()]:
            if key.isdigit() and sketch.points.place(key)[1:] not in sketch.places:
                del sketch.problem[layer][key]
                if layer == "number":
                    sketch.values[part.key] = int(value)


def _write_count(sketch: GenreSketch, part: Part) -> None:
    cell = (0, sketch.columns)
    sketch.sheet.number(sketch.points.cell(*cell), [str(sketch.values.get(part.key, 1)), 1, "1"])
    sketch.sheet.symbol(sketch.points.cell(*cell) + 1, [2, part.word, OVER])


def _read_double(sketch: GenreSketch, part: Part) -> None:
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


def _read_fleet(sketch: GenreSketch, part: Part) -> None:
    """Read the ships beside the board, each in cells that touch."""
    symbols, board = sketch.problem.get("symbol", {}), {*sketch.places}
    found = {
        sketch.points.place(key)[1:]: key
        for key, (_, name, *_) in symbols.items()
        if key.isdigit() and name.startswith("battleship") and sketch.points.place(key)[1:] not in board
    }
    ships = connected_cells(found)
    if not ships or any(len({r for r, _ in ship}) > 1 < len({c for _, c in ship}) for ship in ships):
        raise InstanceError("this Penpa+ drawing has no fleet: draw its ships beside the board, straight and apart")
    sketch.values[part.key] = sorted((part.word * len(ship) for ship in ships), key=len, reverse=True)
    for key in found.values():
        del symbols[key]


def _write_fleet(sketch: GenreSketch, part: Part) -> None:
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


def _write_double(sketch: GenreSketch, part: Part) -> None:
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


def checked_genre_answer(
    answer: Answer, sketch: GenreSketch, symbol: str
) -> tuple[list[list[str]], Mapping[str, bool]]:
    """Return what Penpa+ checks of an answer, and its options that say so.

    `symbol` is the option and the code of a symbol, `tent 2F`, if the answer is not in shaded cells.
    """
    found: list[list[str]] = [[] for _ in range(6)]
    point, options = sketch.points.cell, list[str]()
    if isinstance(answer, Shading):
        option, _, code = symbol.partition(" ")
        cells = [str(point(*cell)) for cell, shaded in answer.shaded.items() if shaded]
        found[5 if code else 0] = [f"{cell},{code}" if code else cell for cell in cells]
        options.append(option or "surface")
    elif isinstance(answer, Numbers):
        drawn = sketch.sheet.parts.get("number", {})
        values = {point(*cell): value for cell, value in answer.values.items()}
        found[4] = [f"{number},{value}" for number, value in values.items() if str(number) not in drawn]
        options.append("number")
    elif isinstance(answer, Lines):
        along = answer.kind.along_edges
        for pair, number in answer.lines.items():
            ends = ([point(r - along, c - along, int(along)) for r, c in step] for step in answer_line_steps(pair))
            found[1 + along] += [f"{a},{b},{number}" for a, b in ends]
        found[0] = [str(point(*cell)) for cell in answer.marks]
        options += ["loopedge" if along else "loopline", *(["surface"] if answer.marks else [])]
    elif isinstance(answer, Areas):
        sides = PenpaSheet(sketch.points)
        areas = {cell: str(i) for i, area in enumerate(answer.areas) for cell in area}
        sides.borders(walls_of_regions(areas, (sketch.rows, sketch.columns)))
        found[2] = [f"{side},1" for side in sides.parts.get("lineE", ())]
        options.append("loopedge")
    return [sorted(part) for part in found], {f"sol_{option}": True for option in options}


def genre_answer(lists: Any, sketch: GenreSketch) -> str:  # noqa: ANN401 (what JSON has)
    """Return the answer that Penpa+ checks, as text; empty if it does not check one of this kind."""
    shaded, lines, edges, _, numbers, symbols = lists
    kind, cells = sketch.puzzle.kind, [cell for cell in sketch.places if cell not in sketch.holes]

    def place(number: object) -> Cell:
        return sketch.points.place(number)[1:]

    if isinstance(kind, ShadingKind):
        marked = {place(str(one).partition(",")[0]) for one in symbols or shaded}
        words = grid_text(cells, dict.fromkeys(marked, "x"))
    elif isinstance(kind, NumbersKind):
        values = {place(number): value for number, value in (entry.split(",") for entry in numbers)}
        givens = {
            cell: str(value)
            for key in sketch.puzzle.keys
            if key.kind.role == "answers"
            for cell, value in sketch.grid(key.name).items()
        }
        words = grid_text(cells, givens | values)
    elif isinstance(kind, LinesKind):
        along = kind.along_edges
        ends = [
            [(r + along, c + along) for r, c in map(place, entry.split(",")[:2])] for entry in (lines, edges)[along]
        ]
        drawn = {(min(pair), max(pair)): entry[-1] for pair, entry in zip(ends, (lines, edges)[along], strict=True)}
        joined = _joined(drawn, sketch) if kind.numbered else drawn
        found = [answer_line_text(pair, 2 if number == "2" else 1) for pair, number in joined.items()]
        words = " ".join([*found, *(cell_name(place(number)) for number in (shaded if kind.marks else ()))])
    else:
        walls, _, _ = penpa_walls({entry.rpartition(",")[0]: 2 for entry in edges}, sketch.points)
        words = grid_text(cells, regions_of_walls(cells, walls))
    return words if words.strip(" .\n") else ""


def _joined(drawn: Mapping[tuple[Cell, Cell], str], sketch: GenreSketch) -> dict[tuple[Cell, Cell], str]:
    """Return lines from one cell with a clue to the next, of lines from cell to cell."""
    clues = {cell for grid in sketch.values.values() for cell in grid}
    found = {}
    for (first, other), number in drawn.items():
        step, last = (other[0] - first[0], other[1] - first[1]), other
        while last not in clues and (last, (last[0] + step[0], last[1] + step[1])) in drawn:
            last = (last[0] + step[0], last[1] + step[1])
        if first in clues:
            found[first, last] = number
    return found
