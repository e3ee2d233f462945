"""Boards as SVG: `Drawing` says what is on a board, `svg` draws it, as one element without dependencies.

Cell         (2, 3): row 2, column 3, counted from 1
Drawing      Drawing(cells, regions={(1, 1): "A"}, givens={(1, 1): "3"}, values={(1, 2): "4"}, marked={(1, 2)})
DrawingBand  DrawingBand("row", 2, "blue", 5): a ribbon along row 2, the fifth to be laid
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards.figure import FILLING_SYMBOLS, SHADED_SYMBOLS
from pyasp_puzzles.boards.grid import cell_name, grid_extent, grouped, is_side_of_columns
from pyasp_puzzles.errors import number_listing
from pyasp_puzzles.render.figures import (
    HALVES,
    JOINED_SYMBOL,
    PEARLS,
    figure_margins,
    figure_outline,
    figures_before,
    figures_behind,
    filling_symbol,
    pencil_figures,
    quarter_numbers,
    symbol_in_cell,
)
from pyasp_puzzles.render.theme import (
    FONT_SIZES,
    FRAME_COLORS,
    FRAME_PIXELS,
    LEAST_LINE,
    TEXT_INKS,
    TINTS,
    UNIT,
    contrast,
    hatch_path,
    html_element,
    html_text,
    paint_colors,
    style_sheet,
    theme_text,
    theme_text_size,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.figure import Figure
    from pyasp_puzzles.boards.grid import Cell

# Candidates up to this number have places of their own in a cell.
_MOST_PLACES = 25
# Letters of a name on the edge of a cell.
_MOST_LETTERS_AT_EDGE = 8

# Pixels: the radius of a circle, the width of a link, the width of their outlines.
_CIRCLE, _LINK, _OUTLINE = 15.5, 9, 1.6
# Pixels between the edge of a cell and its candidates.
_INSET = 6.5
# Pixels by which a number in the upper left corner of a cell moves its frame and its candidates down.
_LOWER = 4
# Colors of walls between pieces; the one with the most contrast to the cells is used.
WALLS = ("#e2402f", "#111111", "#0b4fae", "#ffffff", "#1fb4e8", "#ffb000")
# Width of the band along an edge in which a click means the edge, not a cell.
_EDGE = 20
# Pixels from the edges of cells to the line around those that are cut off.
_CUT = 5
# Pixels that a line leaves free around a printed number; between two lines; and the size of a cross.
_ROOM, _BESIDE, _CROSS = 13, 8, 7
# Pixels of the number of a region, in a corner; lines pass beside it.
_CLUE = 13
# Pixels of a line of the caption.
_CAPTION = 15
_SIDES = ("left", "top", "right", "bottom")


class DrawingBand(NamedTuple):
    """A ribbon of a `Drawing`, along a row or a column."""

    line: str
    """ "row" or "column"."""
    number: int
    color: str | None
    """The name of its color; None if it may have any."""
    order: int
    """Its place in the laying order, 1 for the ribbon at the bottom."""


@dataclass(frozen=True)
class Drawing:
    """What is on a board; fields that are left out are not drawn."""

    cells: Collection[Cell]
    title: str = ""
    regions: Mapping[Cell, Hashable] = field(default_factory=dict)
    """Walls separate cells of different regions; without regions, each cell is its own."""
    linked: bool = False
    """Whether circles that links join show the regions, rather than walls."""
    letters: Mapping[Cell, str] = field(default_factory=dict)
    """The names of regions, each in some of its cells."""
    fills: Mapping[Cell, str] = field(default_factory=dict)
    """The names of the colors of cells."""
    givens: Mapping[Cell, str] = field(default_factory=dict)
    """The numbers that are printed as part of the answer."""
    printed: Mapping[Cell, str] = field(default_factory=dict)
    """Other printed text: in the middle of a cell, or in the corner of one with a number."""
    values: Mapping[Cell, str] = field(default_factory=dict)
    """What is filled in."""
    notes: Mapping[Cell, Sequence[str]] = field(default_factory=dict)
    """The candidates that are left in cells without a value."""
    struck: Mapping[Cell, Sequence[str]] = field(default_factory=dict)
    """The candidates that a step excludes."""
    symbols: Mapping[Cell, str] = field(default_factory=dict)
    """Figures in cells, by their names: stars, trees, walls."""
    unknown: Collection[Cell] = ()
    """Cells that may still get a figure: parts of ships are not round towards these."""
    lit: Collection[Cell] = ()
    """The cells that bulbs light."""
    shading: Mapping[Cell, bool] = field(default_factory=dict)
    """Whether cells are shaded (True) or known not to be (False)."""
    pieces: Sequence[Collection[Cell]] = ()
    """The pieces that the board is cut into."""
    growing: bool = False
    """Whether pieces may have further cells, so that walls are only between two of them."""
    bands: Sequence[DrawingBand] = ()
    """Ribbons, bottom to top."""
    strokes: Mapping[tuple[Cell, Cell], int] = field(default_factory=dict)
    """How many lines join two cells, or two corners: {((1, 5), (1, 6)): 1}."""
    crosses: Collection[tuple[Cell, Cell]] = ()
    """Where it is known that there is no line."""
    new: Collection[tuple[Cell, Cell]] = ()
    """The lines and crosses to emphasize."""
    along_edges: bool = False
    """Whether lines join the corners of cells: corner (1, 1) is at the upper left of cell (1, 1)."""
    fives: bool = False
    """Whether every fifth line is thicker, so that cells are easy to count."""
    signs: Mapping[tuple[Cell, Cell], str] = field(default_factory=dict)
    """Signs between two cells."""
    borders: Collection[tuple[Cell, Cell]] = ()
    """Where walls are between two cells of one region, the left or upper one first."""
    corners: Mapping[Cell, str] = field(default_factory=dict)
    """Small numbers in the upper left corner: the sum of a region."""
    labels: Mapping[str, Mapping[int, Sequence[str]]] = field(default_factory=dict)
    """Numbers outside the board: {"left": {row: [...]}, "top": {column: [...]}}."""
    figures: Sequence[Figure] = ()
    """Lines, cages, dots and the like."""
    caption: str = ""
    """What is written under the board."""
    marked: Collection[Cell] = ()
    """The cells that a step is about."""
    premises: Collection[Cell] = ()
    """The cells that the step follows from."""
    cut: Collection[Cell] = ()
    """The cells that would be cut off."""
    framed: Mapping[tuple[str, int], str] = field(default_factory=dict)
    """The labels outside the board that have a frame, "marked" or "premise": {("left", 2): "premise"}."""
    pencil: Collection[Cell] = ()
    """The cells with a small box for pencil marks."""
    tooltips: Mapping[Cell, str] = field(default_factory=dict)
    """Words about marked cells, which browsers show when the cells are pointed at."""
    palette: Collection[str] = ()
    """The colors of other drawings of this board, so that all use the same colors and letters."""
    turned: bool = False
    """Whether the board is turned clockwise by 45 degrees, as Strata shows it; what is written stays upright."""

    @property
    def labelled(self) -> set[Cell]:
        """The cells with something in their upper left corner: a sum, a name, a circle on the corner."""
        circled = (figure.cells[0] for figure in self.figures if figure.look.get("corners"))
        return {*self.corners, *self.letters, *((r + 1, c + 1) for r, c in circled)} & {*self.cells}


def svg(drawing: Drawing, *, css: bool = True, axes: bool = True, places: bool = False) -> str:
    """Return a drawing as one SVG element.

    Args:
        drawing: what is drawn.
        css: whether the element contains its style; a page with many boards has it once, from `style_sheet`.
        axes: whether rows and columns are numbered.
        places: whether it is marked for programs: each layer is a group, `data-layer="figures"`, each cell has a
            square, `data-cell="r1c2"`, and each edge between two cells a band, `data-edge="r1c2 r1c3"`. Then no element
            has a style of its own, which a strict content security policy forbids.
    """
    return svg_frames([drawing], css=css, axes=axes, places=places)


def svg_frames(drawings: Sequence[Drawing], *, css: bool = False, axes: bool = True, places: bool = False) -> str:
    """Return several drawings of one board as one SVG element, in which each part occurs once.

    A part that is not in all drawings is in a group that names its drawings, counted from 0: `data-at="3 5-7"`. Groups
    that are in the first drawing have the class "on"; the style of the page hides the others. Options are as for `svg`.
    """
    rows, columns = (max(sides) for sides in zip(*(grid_extent(drawing.cells) for drawing in drawings), strict=True))
    edges = zip(*(_margins(drawing, axes=axes) for drawing in drawings), strict=True)
    left, top, right, bottom = (max(sides) for sides in edges)
    width: float = left + columns * UNIT + right
    height: float = top + rows * UNIT + bottom
    of_candidates = _candidate_places(drawings)
    layered: list[dict[str, Iterable[str]]] = [
        {
            "backgrounds": _backgrounds(drawing),
            "figures": figures_behind(_behind(drawing, over=False), styled=not places),
            "lines": ["".join(_bands(drawing))] if drawing.bands else _lines(drawing),  # the order of ribbons matters
            "figures-on-lines": figures_behind(_behind(drawing, over=True), styled=not places),
            "marks": _marks(drawing),
            "pieces": _pieces(drawing),
            "symbols": _symbols(drawing),
            "strokes": _strokes(drawing),
            "contents": _contents(drawing, of_candidates),
            "names": _names(drawing),
            "signs": _between(drawing),
            "figures-above": _figures_before(drawing),
            "label-frames": _label_frames(drawing, rows, columns),
            "labels": _outside(drawing, rows, columns),
            "axes": _axes(rows, columns, _margins(drawing, axes=True)) if axes else (),
            "caption": _caption(drawing, rows, columns),
            "cells": _places(drawing) if places else (),
        }
        for drawing in drawings
    ]
    merged = {name: _merged([layers[name] for layers in layered]) for name in layered[0]}
    if places:
        merged = {name: html_element("g", part, data_layer=name) for name, part in merged.items() if part}
    title = drawings[0].title
    named = html_element("title", html_text(title)) if title else ""
    style = html_element("style", style_sheet(linked=any(drawing.linked for drawing in drawings))) if css else ""
    if drawings[0].turned:
        side = round((width + height) * _HALF)
        # The caption stays below the board.
        below = max(len(_caption_lines(drawing)) for drawing in drawings) * _CAPTION
        x, y = (side - columns * UNIT) / 2, side - (rows * UNIT + bottom - below)
        caption = html_element("g", merged.pop("caption", ""), transform=f"translate({x:g},{y:g})")
        parts = _TEXT.sub(_upright, "".join(merged.values()))
        place = f"translate({height * _HALF:g},0) rotate(45) translate({left},{top})"
        board = html_element("g", parts, transform=place) + (caption if below else "")
        width, height = side, side + below
    else:
        board = html_element("g", "".join(merged.values()), transform=f"translate({left},{top})")
    return svg_element(width, height, f"{named}{style}", board, aria_label=title or None)


def svg_element(width: float, height: float, head: str, content: str, **attributes: object) -> str:
    """Return an SVG element of this size in pixels; `head` is its title and its style."""
    paper = f'<rect class="paper" width="{width}" height="{height}"/>'
    space = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    attributes = {"xmlns": "http://www.w3.org/2000/svg", "class": "pyasp", "role": "img"} | attributes | space
    return html_element("svg", f"{head}{paper}{content}", **attributes)


# Of a square on its corner, half the height for a side of 1.
_HALF = 0.5**0.5
_TEXT = re.compile(r'<text class="(\w+)[^"]*" x="([^"]*)" y="([^"]*)"(?=>(?:<tspan[^>]* font-size="([\d.]*)")?)')


def _upright(match: re.Match[str]) -> str:
    """Return the beginning of a text that stays upright when the board is turned."""
    kind, x, y, size = match.groups()
    middle = float(y) - 0.35 * float(size or FONT_SIZES[kind])
    return f'{match[0]} transform="rotate(-45 {x} {middle:g})"'


def _merged(layer: Sequence[Iterable[str]]) -> str:
    """Return the elements of a layer of several drawings; those in the same drawings are in one group."""
    shown = grouped((element, number) for number, elements in enumerate(layer) for element in elements)
    groups = grouped((tuple(dict.fromkeys(drawn)), element) for element, drawn in shown.items())
    parts = []
    for numbers, members in groups.items():
        elements = "".join(members)
        on, at = "" if numbers[0] else ' class="on"', " ".join(number_listing(numbers, "-", 2))
        parts.append(elements if len(numbers) == len(layer) else f'<g{on} data-at="{at}">{elements}</g>')
    return "".join(parts)


def _colors(drawing: Drawing) -> dict[str, str]:
    """Return the color of each name in a drawing and in others of its board."""
    bands = (band.color for band in drawing.bands if band.color is not None)
    return paint_colors({*drawing.palette, *drawing.fills.values(), *bands})


def _letters(drawing: Drawing) -> dict[str, str]:
    """Return {color: the shortest unique start of its name}; empty if there are only black and white."""
    names = _colors(drawing).keys()
    if names <= {"black", "white"}:
        return {}

    def alone(name: str, length: int) -> bool:
        return sum(other.startswith(name[:length]) for other in names) == 1

    return {name: next((name[:n] for n in range(1, len(name)) if alone(name, n)), name) for name in names}


def _margins(drawing: Drawing, *, axes: bool) -> tuple[int, int, int, int]:
    """Return the pixels left of the board, above, right and below it."""
    order = 26 if drawing.bands else 0
    before, after = 6 + 18 * axes + order, 6 + order // 3
    sides = zip(_depths(drawing), figure_margins(drawing.figures, drawing.cells), strict=True)
    left, top, right, bottom = (sum(side) for side in sides)
    below = len(_caption_lines(drawing)) * _CAPTION
    return before + left, before + top, after + right, after + bottom + below


def _depths(drawing: Drawing) -> list[int]:
    """Return the pixels that labels take left of the board, above, right and below it."""
    return [_step(drawing, side) * max(map(len, drawing.labels.get(side, {}).values()), default=0) for side in _SIDES]


def _step(drawing: Drawing, side: str) -> int:
    """Return the pixels from one label of a side to the next."""
    if is_side_of_columns(side):
        return 20
    texts = (label for labels in drawing.labels.get(side, {}).values() for label in labels)
    return 8 + 10 * max(map(len, texts), default=1)


def _box(cell: Cell, inset: float = 0, lower: float = 0) -> str:
    x, y, side = (cell[1] - 1) * UNIT + inset, (cell[0] - 1) * UNIT + inset + lower, UNIT - 2 * inset
    return f'x="{x:g}" y="{y:g}" width="{side:g}" height="{side - lower:g}"'


def _on(color: str, inks: Mapping[str, str] = TEXT_INKS) -> str:
    """Return the name of the ink with the most contrast to a color."""
    return max(inks, key=lambda name: contrast(inks[name], color))


def _backgrounds(drawing: Drawing) -> Iterator[str]:
    colors = _colors(drawing)
    for cell in sorted(drawing.cells):
        if name := _ground(drawing, cell):
            yield filling_symbol(name, cell)
        elif cell in drawing.fills:
            yield f'<rect fill="{colors[drawing.fills[cell]]}" {_box(cell)}/>'
    rows, columns = grid_extent(drawing.cells)
    holes = {(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)} - set(drawing.cells)
    lines = "".join(hatch_path(cell) for cell in sorted(holes))
    if lines:
        yield f'<path class="hatch" d="{lines}"/>'


def _ground(drawing: Drawing, cell: Cell) -> str:
    """Return the figure that fills a cell; an empty string if there is none."""
    name = "wall" if drawing.shading.get(cell) else drawing.symbols.get(cell, "")
    return name if name in FILLING_SYMBOLS else "light" if cell in drawing.lit else ""


def _symbols(drawing: Drawing) -> Iterator[str]:
    """Yield the figures that do not fill their cells."""
    joined = {cell for cell, name in drawing.symbols.items() if name == JOINED_SYMBOL}
    for cell, name in sorted(drawing.symbols.items()):
        if name not in FILLING_SYMBOLS:
            yield symbol_in_cell(name, cell, joined, drawing.unknown)


def _behind(drawing: Drawing, *, over: bool) -> list[Figure]:
    """Return the figures under the lines between cells, or over them: all but fills, if circles would hide them."""
    return [figure for figure in drawing.figures if over == (drawing.linked and "fill" not in figure.look)]


def _figures_before(drawing: Drawing) -> Iterator[str]:
    """Yield the figures on edges and corners of cells and outside the board, and small printed numbers."""
    if drawing.figures:
        yield from figures_before(drawing.figures, drawing.cells, _depths(drawing))
        busy = {*drawing.givens, *drawing.values, *drawing.notes, *drawing.struck}
        yield from pencil_figures(drawing.figures, busy)


def _caption_lines(drawing: Drawing) -> list[str]:
    """Return the lines of the caption, none much wider than the board."""
    return wrap(drawing.caption, max(12, grid_extent(drawing.cells)[1] * UNIT // 6), break_on_hyphens=False)


def _caption(drawing: Drawing, rows: int, columns: int) -> Iterator[str]:
    deep = _depths(drawing)[3] + figure_margins(drawing.figures, drawing.cells)[3]
    for i, line in enumerate(_caption_lines(drawing)):
        yield theme_text(columns * UNIT / 2, rows * UNIT + deep + 4 + (i + 0.5) * _CAPTION, line, "axis")


def _places(drawing: Drawing) -> Iterator[str]:
    """Yield an unseen square for each cell, and over them an unseen band along each edge between two cells."""
    for cell in sorted(drawing.cells):
        yield f'<rect data-cell="{cell_name(cell)}" fill="none" pointer-events="all" {_box(cell)}/>'
    edges = []
    for r, c in sorted(drawing.cells):
        x, y = c * UNIT, r * UNIT
        for other, line in (
            ((r, c + 1), f"M{x},{y - UNIT + _EDGE // 2}v{UNIT - _EDGE}"),
            ((r + 1, c), f"M{x - UNIT + _EDGE // 2},{y}h{UNIT - _EDGE}"),
        ):
            if other in drawing.cells:
                edges.append(f'<path data-edge="{cell_name((r, c))} {cell_name(other)}" d="{line}"/>')
    yield f'<g fill="none" stroke-width="{_EDGE}" pointer-events="stroke">{"".join(edges)}</g>'


def _circles(drawing: Drawing) -> Iterator[str]:
    """Yield the circles of regions, and the links that join them: outlines first, and fills over them."""
    members: dict[str, list[Cell]] = {str(drawing.regions[cell]): [] for cell in sorted(drawing.regions)}
    for cell in sorted(drawing.cells):
        members.setdefault(str(drawing.regions.get(cell, "")), []).append(cell)
    links = _links(drawing.regions)
    # Region by region, so that of two links that cross, one is on top.
    for number, (name, cells) in enumerate(members.items()):
        tint = f"t{number % len(TINTS)}" if name else "paper"
        path = "".join(
            f"M{_middle(start)}L{_middle(other)}" for start, other in links if str(drawing.regions[start]) == name
        )
        if path:
            yield f'<path class="edge link" stroke-width="{_LINK + 2 * _OUTLINE:g}" d="{path}"/>'
        for kind, radius in (("edge", _CIRCLE), ("tint " + tint, _CIRCLE - _OUTLINE)):
            if kind != "edge" and path:
                yield f'<path class="{tint} link" stroke-width="{_LINK}" d="{path}"/>'
            for cell in cells:
                yield f'<rect class="{kind}" stroke-width="0" {_box(cell, UNIT / 2 - radius)} rx="{radius:g}"/>'


def _middle(cell: Cell) -> str:
    return f"{(cell[1] - 0.5) * UNIT:g},{(cell[0] - 0.5) * UNIT:g}"


def _links(regions: Mapping[Cell, Hashable]) -> list[tuple[Cell, Cell]]:
    """Return pairs of touching cells of one region: as few as join all that touch, by sides if possible.

    Links at corners cross no link of another region if possible.
    """
    tree = {cell: cell for cell in regions}

    def root(cell: Cell) -> Cell:
        while tree[cell] != cell:
            cell = tree[cell]
        return cell

    def crosses(pair: tuple[Cell, Cell]) -> bool:
        (r, c), (row, column) = pair
        return regions.get((r, column)) == regions.get((row, c), drawn_outside)

    drawn_outside = object()
    sides = [(cell, (cell[0] + r, cell[1] + c)) for cell in sorted(regions) for r, c in ((0, 1), (1, 0))]
    corners = [(cell, (cell[0] + 1, cell[1] + c)) for cell in sorted(regions) for c in (-1, 1)]
    pairs = []
    for cell, other in [*sides, *sorted(corners, key=crosses)]:
        if other in regions and regions[cell] == regions[other] and root(cell) != root(other):
            tree[root(other)] = root(cell)
            pairs.append((cell, other))
    return pairs


def _marks(drawing: Drawing) -> Iterator[str]:
    """Yield the frames of cells: solid for conclusions, dashed for premises; a line around what is cut off."""
    colors = _colors(drawing)
    # Rings around circles; frames inside the edges of cells, where there is nothing else.
    place, shape = (UNIT / 2 - _CIRCLE, f' rx="{_CIRCLE:g}"') if drawing.linked else (FRAME_PIXELS, "")
    lined = {cell for figure in drawing.figures for cell in (*figure.cells, *figure.head)}
    for cell in sorted({*drawing.marked, *drawing.premises}):
        kind = "marked" if cell in drawing.marked else "premise"
        lower = _LOWER if cell in drawing.corners and not drawing.linked else 0
        box = _box(cell, place, lower) + shape
        behind = colors.get(drawing.fills.get(cell, ""), "")
        hollow = f'<rect class="{kind} hollow" {box}/>'
        if _ground(drawing, cell):
            # Frames have little contrast to these fills, so they get a rim of paper.
            frame = f'<rect class="halo paper-line" {box}/>{hollow}'
        elif cell in lined and not behind:
            frame = hollow
        elif behind:
            # The cell keeps its color, and the frame is visible on any color.
            inks = FRAME_COLORS[kind]
            ink = _on(behind, inks)
            frame = f'<rect class="{kind} hollow {ink}" {box}/>'
            if contrast(inks[ink], behind) < LEAST_LINE:
                frame = f'<rect class="halo {_on(inks[ink])}" {box}/>{frame}'
        else:
            frame = f'<rect class="{kind}" {box}/>'
        if cell in drawing.tooltips:
            frame = f'<g class="tooltip"><title>{html_text(drawing.tooltips[cell])}</title>{frame}</g>'
        yield frame
    if drawing.cut:
        path = "".join(figure_outline({*drawing.cut}, _CUT))
        yield f'<path class="halo paper-line" d="{path}"/><path class="cut" d="{path}"/>'


def _lines(drawing: Drawing) -> Iterator[str]:
    """Yield the lines between cells: walls at the outline and between regions, thin ones elsewhere."""
    if drawing.linked:
        yield from _circles(drawing)
        return
    cells = set(drawing.cells)
    if drawing.along_edges:
        corners = sorted({(r - y, c - x) for r, c in cells for y in (0, 1) for x in (0, 1)})
        yield f'<path class="dots" d="{"".join(f"M{x * UNIT},{y * UNIT}h0" for y, x in corners)}"/>'
        return
    regions = drawing.regions
    thin, five, wall = list[str](), list[str](), list[str]()
    for r, c in sorted(cells | {(r - 1, c) for r, c in cells} | {(r, c - 1) for r, c in cells}):
        right = (r, c + 1), f"M{c * UNIT},{(r - 1) * UNIT}v{UNIT}"
        below = (r + 1, c), f"M{(c - 1) * UNIT},{r * UNIT}h{UNIT}"
        for i, (other, path) in ((c, right), (r, below)):
            if both := cells & {(r, c), other}:
                same = len(both) == 2 and (not regions or regions.get((r, c)) == regions.get(other))
                same = same and ((r, c), other) not in drawing.borders
                (wall if not same else five if drawing.fives and i % 5 == 0 else thin).append(path)
    for name, paths in (("thin", thin), ("rim", five)):
        if paths:
            yield f'<path class="{name}" d="{"".join(paths)}"/>'
    yield f'<path class="wall" d="{"".join(wall)}"/>'


def _bands(drawing: Drawing) -> Iterator[str]:
    """Yield ribbons from bottom to top, so that later ones cover earlier ones."""
    rows, columns = grid_extent(drawing.cells)
    colors, letters = _colors(drawing), _letters(drawing)
    thick = UNIT - 10
    # By whether it is a row, and its number.
    along = grouped(pair for r, c in drawing.cells for pair in (((True, r), (r, c)), ((False, c), (r, c))))
    top: dict[Cell, str | None] = {}
    for band in drawing.bands:
        start, across = -7, (band.number - 1) * UNIT + 5
        length = (columns if band.line == "row" else rows) * UNIT + 10
        color = "#eee" if band.color is None else colors[band.color]
        x, y, width, height = (start, across, length, thick) if band.line == "row" else (across, start, thick, length)
        yield f'<rect class="band" fill="{color}" x="{x}" y="{y}" width="{width}" height="{height}" rx="3"/>'
        if band.color is None:  # a pattern would need an id, which other boards of a page have too
            middle = across + thick / 2
            row, column = f"{start + 2},{middle:g}h{length - 4}", f"{middle:g},{start + 2}v{length - 4}"
            yield f'<path class="any" d="M{row if band.line == "row" else column}"/>'
        top |= dict.fromkeys(along.get((band.line == "row", band.number), ()), band.color)
    kinds = {name: f"letter {_on(color)}" for name, color in colors.items()}
    for (r, c), name in sorted(top.items()):
        if name in letters:
            yield theme_text((c - 0.5) * UNIT, (r - 0.5) * UNIT, letters[name], kinds[name])
    for band in drawing.bands:
        place = (band.number - 0.5) * UNIT
        at = (-18.0, place) if band.line == "row" else (place, -16.0)
        yield theme_text(*at, str(band.order), "order", 14)


def _pieces(drawing: Drawing) -> Iterator[str]:
    """Yield the walls around pieces, in a color with enough contrast to all cells.

    Pieces that overlap have thin walls a little inside their cells, so that each can be seen.
    """
    covered = [cell for piece in drawing.pieces for cell in piece]
    gap = 3 + FRAME_PIXELS if len(covered) > len(set(covered)) else 0
    kind = "piece loose" if gap else "piece"
    colors = _colors(drawing)
    behind = {colors[name] for name in drawing.fills.values()}
    wall = max(WALLS, key=lambda color: min(contrast(color, other) for other in behind)) if behind else ""
    color = f' stroke="{wall}"' if wall else ""
    open_ = set(drawing.cells) - set(covered) if drawing.growing else set()
    for piece in drawing.pieces:
        path = "".join(figure_outline({*piece}, gap, open_))
        yield f'<path class="{kind if wall else kind + " bare"}"{color} d="{path}"/>'


def _strokes(drawing: Drawing) -> Iterator[str]:
    """Yield the lines of an answer, and crosses where there is none; lines leave room for what is printed in a cell."""
    half = 0 if drawing.along_edges else 0.5

    def point(start: Cell, other: Cell) -> tuple[float, float]:
        """Return where a line to another cell begins."""
        busy = not drawing.along_edges and start in drawing.printed and drawing.symbols.get(start) not in HALVES
        room = _ROOM if busy else 0
        y, x = (
            UNIT * (place - 1 + half) + room * ((to > place) - (to < place))
            for place, to in zip(start, other, strict=True)
        )
        return x, y

    paths: dict[str, str] = {}
    for (start, other), number in sorted(drawing.strokes.items()):
        kind = "stroke new" if (start, other) in drawing.new else "stroke"
        (x, y), (u, v) = point(start, other), point(other, start)
        for i in range(number):
            aside = (i - (number - 1) / 2) * _BESIDE
            right, down = (aside, 0) if x == u else (0, aside)
            paths[kind] = paths.get(kind, "") + f"M{x + right:g},{y + down:g}L{u + right:g},{v + down:g}"
    for start, other in sorted(drawing.crosses):
        kind = "cross new" if (start, other) in drawing.new else "cross"
        (x, y), (u, v) = point(start, other), point(other, start)
        x, y, arm = (x + u) / 2, (y + v) / 2, _CROSS / 2
        paths[kind] = (
            paths.get(kind, "") + f"M{x - arm:g},{y - arm:g}l{_CROSS:g},{_CROSS:g}m0,{-_CROSS:g}l{-_CROSS:g},{_CROSS:g}"
        )
    for kind in sorted(paths):
        yield f'<path class="{kind}" d="{paths[kind]}"/>'


def _contents(drawing: Drawing, places: range) -> Iterator[str]:
    """Yield what is in the cells: a given, a value, a dot, or candidates; and the letters of colors.

    Candidates in `places` have a place each; if there are none, they are in a row.
    """
    inks = {name: f" {_on(color)}" for name, color in _colors(drawing).items()}
    letters = _letters(drawing)
    several = {cell: {*notes, *drawing.struck.get(cell, ())} for cell, notes in drawing.notes.items()}
    wide = len(places) or max(map(len, several.values()), default=1)
    across = next((n for n in range(1, 6) if n * n >= wide), 6)
    down = -(-wide // across)  # together, their places are in the middle of the cell
    # A square inside the frame of a cell, or inside its circle; and the width and height of a candidate's place.
    square = UNIT - 2 * _INSET if not drawing.linked else 2 * (_CIRCLE - _OUTLINE) * 0.78
    room, height = square / across, square / down
    longest = max((len(note) for notes in several.values() for note in notes), default=1)
    # Digits of neighbours must not touch; with three or more in a row, none is larger than usual.
    size = min(11 if across < 3 else FONT_SIZES["note"], height * 1.06, room / 0.78, room / longest / 0.58)
    size = 0 if FONT_SIZES["note"] <= size < 11 else size  # of the usual size, which needs no attribute
    for cell in sorted(drawing.cells):
        x, y = (cell[1] - 0.5) * UNIT, (cell[0] - 0.5) * UNIT
        on = inks[drawing.fills[cell]] if cell in drawing.fills else ""
        on = " on-shade" if _ground(drawing, cell) in SHADED_SYMBOLS else on
        symbol = drawing.symbols.get(cell, "")
        on = f" {_on(PEARLS[symbol])}" if symbol in PEARLS else on
        text = drawing.givens.get(cell) or drawing.values.get(cell)
        notes = several.get(cell, set()) if cell not in drawing.values else set()
        printed = drawing.printed.get(cell) if not notes else None
        if printed and (placed := [*_placed(symbol, x, y, printed, on)]):
            yield from placed
        elif text or printed:
            kind = "value" if cell in drawing.values and cell not in drawing.givens else "given"
            yield theme_text(x, y, text or printed or "", kind + on, theme_text_size(text or printed or "", kind))
        elif drawing.shading.get(cell) is False:
            yield f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="4"/>'
        if cell in drawing.pencil and not (text or printed):
            yield _pencil(x, y, linked=drawing.linked)
        lower = _LOWER if cell in drawing.corners and not drawing.linked else 0
        step = height - lower / down
        fitted = min(size or FONT_SIZES["note"], step * 1.06) if lower and notes else size
        for i, note in enumerate(sorted(notes, key=lambda note: (len(note), note))):  # numbers by their size
            row, column = divmod(places.index(int(note)) if places else i, across)
            left, top = x + (column + 0.5 - across / 2) * room, y + lower / 2 + (row + 0.5 - down / 2) * step
            kind = f"note struck{on}" if note in drawing.struck.get(cell, ()) else f"note{on}"
            yield theme_text(left, top, note, kind, fitted)
        letter = letters.get(drawing.fills.get(cell, ""))
        if letter and not text and not notes:
            yield theme_text(x, y, letter, "letter" + on, theme_text_size(letter, "letter", UNIT - 14))


def _placed(symbol: str, x: float, y: float, text: str, on: str) -> Iterator[str]:
    """Yield what is printed on a figure that has places for it: both sides of a diagonal, the quarters or a half."""
    if symbol == "sums":
        yield from _sums(x, y, text)
    elif symbol == "quarters":
        for number, (down, right) in quarter_numbers(text):
            yield theme_text(x + 13 * right, y + 13 * down, number, "sign" + on, 13)
    elif symbol in HALVES:
        down, right = HALVES[symbol]
        yield theme_text(x + 11 * right, y + 11 * down, text, "sign on-shade", 14)


def _sums(x: float, y: float, text: str) -> Iterator[str]:
    """Yield the sums of a wall on both sides of its diagonal: those of runs to the right above, and down below."""
    half = UNIT / 2
    yield f'<path class="paper-line" d="M{x - half:g},{y - half:g}l{UNIT},{UNIT}"/>'
    for number, way in re.findall(r"(\d+)(\D)", text):
        aside = 9 if way in "\N{RIGHTWARDS ARROW}\N{UPWARDS ARROW}" else -9
        yield theme_text(x + aside, y - aside, number, "sign on-shade", theme_text_size(number, "sign", 18))


def _pencil(x: float, y: float, *, linked: bool) -> str:
    """Return a box for pencil marks in the corner of a cell; in a circle, a line across it."""
    if linked:
        return f'<path class="pencil" d="M{x - _CIRCLE + 3:g},{y - 5.5:g}h{2 * _CIRCLE - 6:g}"/>'
    return f'<path class="pencil" d="M{x + UNIT / 2 - 14:g},{y - UNIT / 2:g}v14h14"/>'


def _names(drawing: Drawing) -> Iterator[str]:
    """Yield the names and printed texts on the upper edges of cells, which candidates and frames leave free.

    Sums are below the edge, in the corner. Around circles, names are in the corners of cells.
    """
    letters = _letters(drawing)
    if drawing.linked:
        yield from _names_of_circles(drawing)
    circles = {figure.cells[0] for figure in drawing.figures if figure.look.get("corners")}
    middles = {cell for figure in drawing.figures if figure.look.get("wedges") for cell in figure.cells}
    pairs = [*drawing.signs, *(figure.cells for figure in drawing.figures if figure.look.get("dot"))]
    middles |= {max(pair) for pair in pairs if len({column for _, column in pair}) == 1}
    plain = {cell for figure in drawing.figures if figure.look.get("fill") for cell in figure.cells}
    plain -= {cell for figure in drawing.figures if figure.look.get("outline") for cell in figure.cells}
    caged = {min(figure.cells) for figure in drawing.figures if figure.corner}
    for cell in sorted(drawing.corners.keys() & set(drawing.cells)):
        text = _short(drawing.corners[cell], _MOST_LETTERS_AT_EDGE)
        r, c = cell
        if cell not in caged | drawing.values.keys() | drawing.notes.keys():  # there is room for a larger number
            x, shade = (c - 1) * UNIT + 4 + 0.29 * _CLUE * len(text), _ground(drawing, cell) == "wall"
            yield theme_text(x, (r - 1) * UNIT + 11, text, "corner on-shade" if shade else "corner", _CLUE)
            continue
        taken = [((r - 1, c - 1) in circles, 0, 12), (cell in middles, 12, 28), ((r - 1, c) in circles, 28, UNIT)]
        yield _sum(cell, text, [(start, end) for there, start, end in taken if there], boxed=cell not in plain)
    for cell in sorted(drawing.cells):
        filled = cell in drawing.givens or cell in drawing.values
        busy = filled or bool(drawing.notes.get(cell) or drawing.struck.get(cell))
        first = [letters.get(drawing.fills.get(cell, ""), ""), drawing.printed.get(cell, "")] if busy else []
        left = " ".join(filter(None, first))
        right = "" if drawing.linked else drawing.letters.get(cell, "")
        if left and right:
            share = (UNIT - 8) / (len(left) + len(right))
            yield _name(cell, left, share * len(left) - 1, 0)
            yield _name(cell, right, share * len(right) - 1, 1)
        elif left or right:
            yield _name(cell, left or right, UNIT - 8, 0)


def _sum(cell: Cell, label: str, taken: Sequence[tuple[int, int]], *, boxed: bool) -> str:
    """Return a number below the upper edge of a cell, as far left as the taken parts allow.

    A boxed one interrupts what is behind it.
    """
    starts, ends = [3, *(end for _, end in taken)], [*(start for start, _ in taken), UNIT - 4]
    rooms = [(start, end - start) for start, end in zip(starts, ends, strict=True)]
    wide = 0.58 * FONT_SIZES["corner"] * len(label)
    start, room = next((place for place in rooms if place[1] >= wide), max(rooms, key=lambda place: place[1]))
    start, room, down = (start, room, 5.6) if room > 4 else (3, 12, 17)  # below all that is on the edge
    size = min(FONT_SIZES["corner"], room / len(label) / 0.58)
    x, y, wide = (cell[1] - 1) * UNIT + start, (cell[0] - 1) * UNIT + down, 0.58 * size * len(label)
    text = theme_text(round(x + wide / 2, 1), y, label, "corner", size if size < FONT_SIZES["corner"] else 0)
    if start == 3 and wide % 8 < 5:  # to the end of a dash of its cage
        wide += 5 - wide % 8
    box = f'<path class="paper" d="M{x - 0.8:.1f},{y - 3.8:.1f}h{wide + 1.6:.1f}v7.4h-{wide + 1.6:.1f}z"/>'
    return box + text if boxed else text


def _name(cell: Cell, label: str, room: float, end: int) -> str:
    """Return words that interrupt the upper edge of a cell, at its left (0) or right end (1)."""
    label = _short(label, _MOST_LETTERS_AT_EDGE)
    size = min(FONT_SIZES["corner"], room / len(label) / 0.58)
    wide = 0.58 * size * len(label) + 3
    left = (cell[1] - 1 + end) * UNIT + (4 if not end else -4 - wide)
    y = (cell[0] - 1) * UNIT
    box = f'<path class="paper" d="M{left:g},{y - 0.4 * size:.1f}h{wide:.1f}v{0.8 * size:.1f}h-{wide:.1f}z"/>'
    return box + theme_text(round(left + wide / 2, 1), y, label, "corner", size if size < FONT_SIZES["corner"] else 0)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _names_of_circles(drawing: Drawing) -> Iterator[str]:
    """Yield the names of regions, each in a corner of its cell without a link."""
    taken = {
        ((start[0] + other[0]) / 2, (start[1] + other[1]) / 2)
        for start, other in _links(drawing.regions)
        if start[0] != other[0] and start[1] != other[1]
    }
    for cell, name in sorted(drawing.letters.items()):
        r, c = cell
        free = ((dr, dc) for dr in (-1, 1) for dc in (-1, 1) if (r + dr / 2, c + dc / 2) not in taken)
        dr, dc = next(free, (-1, -1))
        x, y = (c - 0.5) * UNIT + dc * 15.2, (r - 0.5) * UNIT + dr * 15.2  # off the edges, which hints mark
        label = _short(name, _MOST_LETTERS_AT_EDGE // 2)
        yield theme_text(x, y, label, "corner circle", min(10, 13 / len(label) / 0.58))


# Which of two cells signs of order point to: the first or the second.
_CHEVRONS = {"<": -1, "^": -1, "\N{LOGICAL AND}": -1, ">": 1, "v": 1, "\N{LOGICAL OR}": 1}


def _between(drawing: Drawing) -> Iterator[str]:
    for (cell, other), sign in sorted(drawing.signs.items()):
        x, y = (cell[1] + other[1] - 1) * UNIT / 2, (cell[0] + other[0] - 1) * UNIT / 2
        side = (0, 1) if cell[0] == other[0] else (1, 0)  # along the line between the cells
        gap = f"M{x - 8 * side[0]:g},{y - 8 * side[1]:g}L{x + 8 * side[0]:g},{y + 8 * side[1]:g}"
        if sign in _CHEVRONS:
            dx, dy = (part * _CHEVRONS[sign] for part in reversed(side))
            points = [
                (2.2 * dx * (1 - 2 * k * k) + 5 * dy * k, 2.2 * dy * (1 - 2 * k * k) + 5 * dx * k) for k in (-1, 0, 1)
            ]
            path = "L".join(f"{x + px:g},{y + py:g}" for px, py in points)
            yield f'<path class="paper-line" stroke-width="5" d="{gap}"/>'
            yield f'<path class="chevron" stroke-width="2" d="M{path}"/>'
        else:
            yield f'<circle class="paper" cx="{x:g}" cy="{y:g}" r="6.5"/>'
            yield theme_text(x, y, sign, "sign", theme_text_size(sign, "sign", 13))


def _candidate_places(drawings: Sequence[Drawing]) -> range:
    """Return the numbers from 1, or 0, to the largest on a board, if candidates can have a place each."""
    texts = set[str]()
    for drawing in drawings:
        texts.update(
            drawing.values.values(), drawing.givens.values(), *drawing.notes.values(), *drawing.struck.values()
        )
    if not all(len(word) < 3 and word.isdecimal() for word in texts):
        return range(0)
    places = range(0 if "0" in texts else 1, max(map(int, texts), default=0) + 1)
    return places if len(places) <= _MOST_PLACES else range(0)


def _label_frames(drawing: Drawing, rows: int, columns: int) -> Iterator[str]:
    """Yield the frames around the labels of lines."""
    for (side, index), kind in sorted(drawing.framed.items()):
        along, deep = (index - 1) * UNIT + 5, len(drawing.labels[side][index]) * _step(drawing, side)
        x = {"left": -deep - 4, "right": columns * UNIT + 4}.get(side, along)
        y = {"top": -deep - 4, "bottom": rows * UNIT + 4}.get(side, along)
        width, height = (UNIT - 10, deep) if is_side_of_columns(side) else (deep, UNIT - 10)
        yield f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}"/>'


def _outside(drawing: Drawing, rows: int, columns: int) -> Iterator[str]:
    for side, lines in drawing.labels.items():
        for index, labels in lines.items():
            for i, label in enumerate(labels[::-1] if side in {"left", "top"} else labels):
                along, away = (index - 0.5) * UNIT, (i + 0.5) * _step(drawing, side) + 2
                x = {"left": -away, "right": columns * UNIT + away}.get(side, along)
                y = {"top": -away, "bottom": rows * UNIT + away}.get(side, along)
                yield theme_text(x, y, label, "label")


def _axes(rows: int, columns: int, margins: Sequence[int]) -> Iterator[str]:
    left, top, *_ = margins
    yield from (theme_text(11 - left, (r - 0.5) * UNIT, str(r), "axis") for r in range(1, rows + 1))
    yield from (theme_text((c - 0.5) * UNIT, 11 - top, str(c), "axis") for c in range(1, columns + 1))
