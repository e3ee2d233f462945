"""Figures as SVG: lines, cages, dots and the like, behind the numbers, and on the edges between cells.

A figure behind numbers has a light tone of its color on white and a dark one on black, so that numbers are readable.
Figures on edges and corners, and outlines, leave the middle of cells free for givens and candidates.

Symbols in cells, or filling them, are stars, trees, walls and the like; `FIGURE_SIGNS` has their names.

Figure   Figure({"line": "#cfcfcf", "width": 0.35, "bulb": "round"}, ((1, 1), (1, 2))): a thermometer
_Point   (60.0, 20.0): x and y in pixels
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import atan2, cos, degrees, hypot, pi, sin
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pyasp_puzzles.boards.figure import FILLING_SYMBOLS, TRACKS
from pyasp_puzzles.boards.grid import SIDE_STEPS, are_neighbors, grid_extent, nearest_cell
from pyasp_puzzles.render.theme import (
    FRAME_PIXELS,
    LEAST_LINE,
    LEAST_TEXT,
    THEME,
    UNIT,
    color_channels,
    contrast,
    hatch_path,
    theme_text,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.figure import Figure
    from pyasp_puzzles.boards.grid import Cell

# The colors of pearls, in every theme.
PEARLS: Mapping[str, str] = MappingProxyType({"white pearl": "#fff", "black pearl": "#111"})
# The other figures, around the middle of a cell; frames surround them, and are visible behind them.
_SPIKES = "M-13,0H13M0,-13V13M-9.2,-9.2L9.2,9.2M-9.2,9.2L9.2,-9.2"
# {figure that fills half of its cell: the way from the middle to its corner, down and to the right}
HALVES: Mapping[str, Cell] = MappingProxyType(
    {"northwest half": (-1, -1), "northeast half": (-1, 1), "southeast half": (1, 1), "southwest half": (1, -1)}
)


def _half(y: int, x: int) -> str:
    """Return the triangle that fills half of a cell, at this corner."""
    return f'<path class="solid" d="M{20 * x},{20 * y}V{-20 * y}L{-20 * x},{20 * y}z"/>'


def _track(ways: str) -> str:
    """Return bars from the middle of a cell to its sides in these directions: "ne"."""
    bars = {"n": "M-4,-20H4V4H-4z", "e": "M-4,-4H20V4H-4z", "s": "M-4,-4H4V20H-4z", "w": "M-20,-4H4V4H-20z"}
    return f'<path class="solid" d="{"".join(bars[way] for way in ways)}"/>'


SHAPES: Mapping[str, str] = MappingProxyType(
    {
        "star": '<path class="solid" d="M0,-13.5L3.2,-4.4L12.8,-4.2L5.2,1.7L7.9,10.9L0,5.5L-7.9,10.9L-5.2,1.7'
        'L-12.8,-4.2L-3.2,-4.4z"/>',
        "bulb": '<path class="rim" fill="#ffd33d" d="M-4.5,6.5C-4.5,2.5-9.5,1-9.5,-4.5A9.5,9.5,0,0,1,9.5,-4.5'
        'C9.5,1,4.5,2.5,4.5,6.5z"/><path class="rim" fill="none" d="M-4,9.5H4M-2.5,12.5H2.5"/>',
        "mine": f'<path class="rim" fill="none" d="{_SPIKES}"/><circle class="solid" r="9"/>'
        '<circle class="paper" cx="-3" cy="-3" r="2.4"/>',
        "tent": '<path class="rim" fill="#f2a33c" d="M0,-11L13,11H-13z"/><path class="solid" d="M0,-1L4.5,11H-4.5z"/>'
        '<path class="rim" fill="none" d="M0,-11L-2.5,-14M0,-11L2.5,-14"/>',
        "tree": '<path class="rim" fill="#8c5a2b" d="M-2.2,6H2.2V13.5H-2.2z"/>'
        '<path class="rim" fill="#4aa35c" d="M0,-14L7,-5H4.5L10.5,6.5H-10.5L-4.5,-5H-7z"/>',
        "circle": '<circle class="rim" fill="none" r="16"/>',
        "quarters": '<path class="rim" fill="none" d="M-20,-20L20,20M-20,20L20,-20"/>',
        "frame": '<path class="rim" fill="none" d="M-18,-18H18V18H-18z"/>',
        **{name: _half(*corner) for name, corner in HALVES.items()},
        **{f"{ways} line": _track(ways) for ways in TRACKS},
        "falling slant": '<path class="solid" d="M-20,-20H-16.5L20,16.5V20H16.5L-20,-16.5z"/>',
        "rising slant": '<path class="solid" d="M20,-20V-16.5L-16.5,20H-20V16.5L16.5,-20z"/>',
        "white pearl": f'<circle fill="{PEARLS["white pearl"]}" stroke="#111" stroke-width="1.5" r="12"/>',
        "black pearl": f'<circle fill="{PEARLS["black pearl"]}" stroke="#999" stroke-width="1.5" r="12"/>',
    }
)
# The figure whose parts are joined in cells that share a side: pixels from the middle of a cell to its sides.
JOINED_SYMBOL, _HALF = "ship", 13
# Printed parts: {name: the step to the next part}; None if it is unknown, as for a middle part.
PARTS: Mapping[str, Cell | None] = MappingProxyType(
    {"north end": (1, 0), "east end": (0, -1), "south end": (-1, 0), "west end": (0, 1), "middle": None}
)
_BESIDE = ((-1, 0), (0, 1), (1, 0), (0, -1))


def quarter_numbers(text: str) -> Iterator[tuple[str, Cell]]:
    """Yield the numbers at the sides of a cell, each with the step there, down and right: 3 of "3↑1→" is above."""
    steps = dict(zip("↑→↓←", _BESIDE, strict=True))
    yield from ((number, steps[way]) for number, way in re.findall(r"(\d+|\?)([↑→↓←])", text))


def filling_symbol(name: str, cell: Cell) -> str:
    """Return a figure that fills its cell; water has waves, to be recognized without color."""
    x, y = (cell[1] - 1) * UNIT, (cell[0] - 1) * UNIT
    box = f'<rect class="{FILLING_SYMBOLS[name]}" x="{x}" y="{y}" width="{UNIT}" height="{UNIT}"/>'
    wave = "q5,-5,10,0t10,0,10,0,10,0"
    return box + (f'<path class="paper-line" d="M{x},{y + 11}{wave}m-40,20{wave}"/>' if name == "water" else "")


def symbol_in_cell(name: str, cell: Cell, joined: Collection[Cell] = (), unknown: Collection[Cell] = ()) -> str:
    """Return a figure in a cell.

    Args:
        name: a name in `SHAPES` or in `PARTS`, or `JOINED_SYMBOL`.
        cell: its row and column.
        joined: the cells with parts of the same figure; it is round towards other cells.
        unknown: the cells that may have such parts; it is neither joined nor round towards these.
    """
    if name in PARTS:
        r, c = cell
        joined = [(r + y, c + x) for y, x in _BESIDE if (y, x) == PARTS[name]]
        unknown = [] if joined else [(r + y, c + x) for y, x in _BESIDE]
    shape = SHAPES.get(name) or _part(cell, joined, unknown)
    return f'<g transform="translate({(cell[1] - 0.5) * UNIT:g},{(cell[0] - 0.5) * UNIT:g})">{shape}</g>'


def _part(cell: Cell, joined: Collection[Cell], unknown: Collection[Cell]) -> str:
    """Return the part of a figure in a cell, clockwise from its upper left corner."""
    r, c = cell
    up, right, down, left = beside = [(r + y, c + x) for y, x in _BESIDE]
    top, east, low, west = (UNIT // 2 if neighbor in joined else _HALF for neighbor in beside)
    corners = ((-west, -top, left, up), (east, -top, up, right), (east, low, right, down), (-west, low, down, left))
    path = ""
    for i, (x, y, *sides) in enumerate(corners):
        radius = 0 if any(neighbor in joined or neighbor in unknown for neighbor in sides) else _HALF
        before, after = [(0, 1), (-1, 0), (0, -1), (1, 0)][i], [(1, 0), (0, 1), (-1, 0), (0, -1)][i]
        path += f"{'L' if path else 'M'}{x + radius * before[0]},{y + radius * before[1]}"
        path += f"A{radius},{radius},0,0,1,{x + radius * after[0]},{y + radius * after[1]}" if radius else ""
    return f'<path class="solid" d="{path}z"/>'


# Colors on white and on black, by their selector in the style sheet.
_SHADES = {selector: (white, black) for selector, _, white, black in THEME}
# The colors of text over figures, and of the paper behind them, on white and on black.
INKS = tuple(zip(*(_SHADES[name] for name in ("text", ".value", ".note,.corner", ".struck")), strict=True))
PAPER = _SHADES[".paper"]
# The color of a figure whose picture has none.
_GREY = "#9f9f9f"
# Pixels: the radius of bulbs; of circles, which have room for nine candidates; the width of their outlines; the radius
# of a dot, and of a circle on a corner.
_RADIUS, _RING, _OUTLINE, _DOT, _CORNER = 15.0, 17.3, 1.2, 5.0, 10.5
# Pixels that a clue with an arrow takes outside the board.
_AWAY = 32


class _Paint(Protocol):
    """Returns the class of a color."""

    def __call__(self, color: str, *, thin: bool = False) -> str:
        """Return the class of a color behind numbers, or of a thin outline elsewhere."""


class _Point(NamedTuple):
    """A place on the board, in pixels."""

    x: float
    y: float

    def toward(self, other: _Point, pixels: float) -> _Point:
        """Return the point at this distance from here in the direction of another point."""
        length = hypot(other.x - self.x, other.y - self.y) or 1
        return _Point(self.x + (other.x - self.x) * pixels / length, self.y + (other.y - self.y) * pixels / length)

    def __str__(self) -> str:
        return f"{round(self.x, 1):g},{round(self.y, 1):g}"


def _at(cell: Cell) -> _Point:
    return _Point((cell[1] - 0.5) * UNIT, (cell[0] - 0.5) * UNIT)


@lru_cache(maxsize=256)
def figure_tones(color: str, *, thin: bool = False) -> tuple[str, str]:
    """Return the tones of a color, on white and on black, on which all inks have enough contrast.

    `thin` outlines are not behind numbers, so they only need enough contrast to the paper. Cached: a color takes
    0.6 ms, and a page may have hundreds of figures.
    """
    parts = color_channels(color if re.fullmatch(r"#([0-9a-fA-F]{3}){1,2}", color) else _GREY)
    tones = []
    for inks, paper, end in zip(INKS, PAPER, (255, 0), strict=True):
        others, least, to = ((paper,), LEAST_LINE, 255 - end) if thin else (inks, LEAST_TEXT, end)
        steps = ([round(part + (to - part) * step / 20) for part in parts] for step in range(21))
        mixed = ["#" + "".join(f"{part:02x}" for part in step) for step in steps]
        clear = (tone for tone in mixed if min(contrast(ink, tone) for ink in others) >= least)
        tones.append(next(clear, mixed[-1]))
    return tones[0], tones[1]


def figures_behind(figures: Sequence[Figure], *, styled: bool = True) -> Iterator[str]:
    """Yield the group of the figures behind the numbers; `styled` adds a style sheet with its colors.

    Without one, each element has its own colors, which only browsers understand.
    """
    colors: dict[str, tuple[str, str]] = {}

    def paint(color: str, *, thin: bool = False) -> str:
        name = f"{'o' if thin else 'f'}{color.lstrip('#')}"
        colors[name] = figure_tones(color, thin=thin)
        return name

    filled = any(figure.look.keys() & {"fill", "square", "circle"} for figure in figures)
    drawers = (_fills, _hatches, _shapes, *((_casings,) if filled else ()), _lines, _heads)
    wide_first = sorted(figures, key=lambda figure: -_width(figure))
    parts = "".join(element for drawer in drawers for figure in wide_first for element in drawer(figure, paint))
    parts += "".join(_outlines(figures, paint))
    if not parts:
        return
    if not styled:
        for name, of in colors.items():
            parts = parts.replace(f'class="{name}"', f'color="light-dark({",".join(of)})"')
        yield f'<g class="figures behind">{parts}</g>'
        return
    light = "".join(f".pyasp .{name}{{color:{white}}}" for name, (white, _) in colors.items())
    both = "".join(f".pyasp .{name}{{color:light-dark({','.join(of)})}}" for name, of in colors.items())
    yield f'<g class="figures behind"><style>{light}@media screen{{{both}}}</style>{parts}</g>'


def figures_before(figures: Sequence[Figure], cells: Collection[Cell], depths: Sequence[int]) -> Iterator[str]:
    """Yield the group of the figures on edges and corners of cells, and outside the board.

    Args:
        figures: of the board.
        cells: of the board.
        depths: the pixels that labels take left of the board, above, right and below it.
    """
    parts = [element for figure in figures for element in _signs(figure)]
    parts += [element for figure in figures for element in _wedges(figure, figures, cells)]
    parts += [element for figure in figures for element in _clue(figure, cells, depths)]
    if parts:
        yield f'<g class="figures">{"".join(parts)}</g>'


# -- Behind the numbers -------------------------------------------------------------------------------


def _fills(figure: Figure, paint: _Paint) -> Iterator[str]:
    if color := figure.look.get("fill"):
        path = "".join(f"M{(c - 1) * UNIT},{(r - 1) * UNIT}h{UNIT}v{UNIT}h-{UNIT}z" for r, c in figure.cells)
        yield f'<path class="{paint(color)}" fill="currentColor" d="{path}"/>'


def _hatches(figure: Figure, _paint: _Paint) -> Iterator[str]:
    """Yield lines in the color of the paper across filled cells; they continue in the next cell."""
    hatch = figure.look.get("hatch")
    path = "".join(hatch_path(cell, str(hatch)) for cell in figure.cells) if hatch else ""
    if path:
        yield f'<path class="paper-line" stroke-width="2" d="{path}"/>'


def _shapes(figure: Figure, paint: _Paint) -> Iterator[str]:
    """Yield squares and circles in cells, filled or as outlines, with a rim of paper that separates them from fills."""
    for cell in figure.cells:
        x, y = _at(cell)
        for radius, kind in ((_RADIUS + 1, 'class="paper"'), (_RADIUS, "")):
            if color := figure.look.get("square"):
                box = f'x="{x - radius:g}" y="{y - radius:g}" width="{2 * radius:g}" height="{2 * radius:g}"'
                yield f"<rect {kind or _filled(paint(color))} {box}/>"
            if color := figure.look.get("circle"):
                yield f'<circle {kind or _filled(paint(color))} cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'
        if name := figure.look.get("cell"):
            if name in FILLING_SYMBOLS:
                yield filling_symbol(name, cell)
            else:
                yield _ring([cell]) if name == "circle" else symbol_in_cell(name, cell, figure.cells)


def _filled(name: str) -> str:
    return f'class="{name}" fill="currentColor"'


def _points(figure: Figure) -> list[_Point]:
    """Return the points of the line of a figure; it begins and ends at the edge of circles."""
    points = [_at(cell) for cell in figure.cells]
    if figure.head:
        points.insert(0, _at(nearest_cell(figure.head, figure.cells[0])).toward(points[0], _RING))
    elif figure.look.get("ends") and len(points) > 1:
        points[0], points[-1] = points[0].toward(points[1], _RING), points[-1].toward(points[-2], _RING)
    elif figure.look.get("diagonals") and len(points) > 1:  # from corner to corner of the board
        far = UNIT / 2 * 2**0.5
        points = [points[1].toward(points[0], 3 * far), *points, points[-2].toward(points[-1], 3 * far)]
    return [*points, *(points[:1] if figure.closed else ())]


def _path(points: Sequence[_Point]) -> str:
    line = "M" + "L".join(map(str, points)) + ("h0" if len(points) == 1 else "")
    return f'stroke-linecap="round" stroke-linejoin="round" d="{line}"'


def _casings(figure: Figure, _paint: _Paint) -> Iterator[str]:
    """Yield a rim of paper around the line of a figure, which separates it from fills."""
    if figure.look.get("line") and figure.cells:
        yield f'<path class="paper-line" stroke-width="{_width(figure) * UNIT + 2:g}" {_path(_points(figure))}/>'


def _lines(figure: Figure, paint: _Paint) -> Iterator[str]:
    """Yield the line of a figure with its bulb."""
    color = figure.look.get("line")
    if not color or not figure.cells:
        return
    hollow, bulb, width = bool(figure.look.get("hollow")), figure.look.get("bulb"), _width(figure) * UNIT
    name, points = paint(color, thin=hollow), _points(figure)
    path, middle = _path(points), f'cx="{points[0].x:g}" cy="{points[0].y:g}"'
    stroke = f'class="{name}" fill="none" stroke="currentColor" stroke-width="{width:g}"'
    yield f"<path {stroke} {path}/>"
    if bulb:
        yield f'<circle {_filled(name)} {middle} r="{_RADIUS:g}"/>'
    if hollow:
        yield f'<path class="paper-line" stroke-width="{width - 2 * _OUTLINE:g}" {path}/>'
    if hollow and bulb:
        yield f'<circle class="paper" {middle} r="{_RADIUS - _OUTLINE:g}"/>'
    if figure.look.get("end") == "arrow" and len(points) > 1:
        tip, back = points[-1], atan2(points[-2].y - points[-1].y, points[-2].x - points[-1].x)
        left, right = (_Point(tip.x + 11 * cos(back + turn), tip.y + 11 * sin(back + turn)) for turn in (-0.6, 0.6))
        yield f"<path {stroke} {_path((left, tip, right))}/>"


def _width(figure: Figure) -> float:
    """Return the width of the line of a figure, as a part of a cell."""
    return float(figure.look.get("width", 0.2))


def _heads(figure: Figure, paint: _Paint) -> Iterator[str]:
    """Yield the circles and diamonds of lines."""
    if figure.head:
        yield _ring(figure.head)
    for cell in dict.fromkeys((figure.cells[0], figure.cells[-1])) if figure.look.get("ends") and figure.cells else ():
        x, y = _at(cell)
        if figure.look["ends"] == "diamond":
            path = f"M{x - _RING:g},{y:g}L{x:g},{y - _RING:g}L{x + _RING:g},{y:g}L{x:g},{y + _RING:g}z"
            yield f'<path class="{paint(figure.look.get("line", _GREY))}" fill="currentColor" d="{path}"/>'
        else:
            yield _ring([cell])


def _ring(cells: Sequence[Cell]) -> str:
    """Return a circle in a cell, or a pill around several in a row."""
    start, other = _at(cells[0]), _at(cells[-1])
    turn = degrees(atan2(other.y - start.y, other.x - start.x))
    long = hypot(other.x - start.x, other.y - start.y) + 2 * _RING
    turned = f" rotate({turn:g})" if turn else ""
    return (
        f'<rect class="chevron" stroke-width="{_OUTLINE}" x="{-_RING:g}" y="{-_RING:g}"'
        f' width="{long:g}" height="{2 * _RING:g}" rx="{_RING:g}" transform="translate({start}){turned}"/>'
    )


def _outlines(figures: Sequence[Figure], paint: _Paint) -> Iterator[str]:
    """Yield the outlines of cages, between the edges of cells and their frames; cages that overlap get other gaps."""
    gaps: dict[Cell, set[float]] = {}
    for figure in figures:
        kind = figure.look.get("outline")
        if not kind:
            continue
        taken = set().union(*(gaps.get(cell, set()) for cell in figure.cells))
        gap = next((free for free in (3.0, FRAME_PIXELS - 0.6, 1.6) if free not in taken), 3.0)
        for cell in figure.cells:
            gaps.setdefault(cell, set()).add(gap)
        color = figure.look.get("color")
        ink = f' class="{paint(color, thin=True)}" stroke="currentColor"' if color else ' class="cage"'
        dash = {"dotted": "1.2 2.8", "mixed": "7 2.6 1.4 2.6", "solid": "none"}.get(kind, "5 3")
        style = f' fill="none" stroke-width="1.2" stroke-dasharray="{dash}"'
        yield f'<path{ink}{style} d="{"".join(figure_outline(set(figure.cells), gap))}"/>'


def figure_outline(cells: set[Cell], gap: float, open_: Collection[Cell] = ()) -> Iterator[str]:
    """Yield the sides of cells where a figure ends, `gap` pixels inside them, with their corners joined.

    There are none towards `open_` cells, into which it may go on.
    """
    for r, c in sorted(cells):
        for dr, dc in SIDE_STEPS:
            if (r + dr, c + dc) in cells or (r + dr, c + dc) in open_:
                continue
            middle, ends = _at((r, c)), []
            for turn in (-1, 1):  # along the side, both ways
                along = (turn, 0) if dc else (0, turn)
                beside = (r + along[0], c + along[1]) in cells
                across = (r + along[0] + dr, c + along[1] + dc) in cells
                reach = UNIT / 2 + (gap if across else 0) if beside else UNIT / 2 - gap
                side = UNIT / 2 - gap
                ends.append(_Point(middle.x + dc * side + along[1] * reach, middle.y + dr * side + along[0] * reach))
            yield f"M{ends[0]}L{ends[1]}"


# -- On edges, on corners and outside -----------------------------------------------------------------


def _signs(figure: Figure) -> Iterator[str]:
    """Yield dots with their numbers, numbers on corners, and signs between cells that do not touch."""
    if kind := figure.look.get("dot"):
        x, y = _between(figure.cells)
        text = figure.number
        radius = _DOT + 1.4 if text else _DOT
        yield f'<circle class="dot-{kind}" {_disc(kind)} cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'
        if text:
            size = min(8.5, 11 / len(text) / 0.58)
            yield theme_text(x, y, text, "corner", size, ink="#fff" if kind == "black" else "#111")
    elif figure.look.get("corners"):
        r, c = figure.cells[0]
        x, y = c * UNIT, r * UNIT
        yield f'<circle {_disc("white")} cx="{x:g}" cy="{y:g}" r="{_CORNER}"/>'
        tokens = figure.text.split()
        rows = [tokens] if len(tokens) < 3 else [tokens[: (len(tokens) + 1) // 2], tokens[(len(tokens) + 1) // 2 :]]
        size = 12 if len(rows) == 1 and len(tokens[0]) < 2 else min(8.5, 14 / max(map(len, map(" ".join, rows))) / 0.5)
        for i, row in enumerate(rows):
            down = 8 * (i - (len(rows) - 1) / 2)
            yield theme_text(x, y + down, " ".join(row), "corner", size, ink="#111")
    elif figure.look.get("text") in {"sign", "greater"} and not figure.sign:
        x, y = _between(figure.cells)
        yield f'<circle class="paper" cx="{x:g}" cy="{y:g}" r="6.5"/>' + theme_text(x, y, figure.text or ">", "sign")


def _disc(kind: str) -> str:
    """Return the colors of a dot or circle: white or black in both themes, with an outline that is visible in both."""
    fill, stroke = ("#111", "#999") if kind == "black" else ("#fff", "#111")
    return f'fill="{fill}" stroke="{stroke}" stroke-width="1"'


def _between(cells: Sequence[Cell]) -> _Point:
    """Return the middle of the edge between two cells; of cells apart, a point on the edge of the first."""
    start, other = _at(cells[0]), _at(cells[-1])
    if are_neighbors(tuple(cells)):
        return _Point((start.x + other.x) / 2, (start.y + other.y) / 2)
    far = max(abs(other.x - start.x), abs(other.y - start.y)) or 1
    return _Point(start.x + (other.x - start.x) * UNIT / 2 / far, start.y + (other.y - start.y) * UNIT / 2 / far)


def _wedges(figure: Figure, figures: Sequence[Figure], cells: Collection[Cell]) -> Iterator[str]:
    """Yield small wedges at the sides of a cell, pointing out of it or into it; none between cells of one kind."""
    kind = figure.look.get("wedges")
    alike = {cell for other in figures if kind and other.look.get("wedges") == kind for cell in other.cells}
    for cell in figure.cells if kind else ():
        x, y = _at(cell)
        tip, base = (UNIT / 2 - 1, UNIT / 2 - 4.5) if kind == "out" else (UNIT / 2 - 4.5, UNIT / 2 - 1)
        path = ""
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            beside = (cell[0] + dy, cell[1] + dx)
            if beside in alike or beside not in cells:
                continue
            points = ((base, -4), (tip, 0), (base, 4))
            path += "M" + "L".join(str(_Point(x + dx * a + dy * b, y + dy * a + dx * b)) for a, b in points)
        yield f'<path class="chevron" stroke-width="1.4" d="{path}"/>'


def _clue(figure: Figure, cells: Collection[Cell], depths: Sequence[int]) -> Iterator[str]:
    """Yield a number outside the board with an arrow along its diagonal."""
    if not figure.look.get("arrow"):
        return
    step, sides = figure.step, _entry(figure, cells)
    x, y = _at(figure.cells[0])
    corner = _Point(x - step[1] * UNIT / 2, y - step[0] * UNIT / 2)
    # Closer to the corner along the side than across it, so that two clues at one corner do not overlap.
    top = any(sides[1::2])
    deep = max((depth for depth, side in zip(depths, sides, strict=True) if side), default=0)
    dx, dy = (10, 22 + deep) if top else (22 + deep, 12)
    tail = _Point(corner.x - step[1] * 10, corner.y - step[0] * 10)
    tip = _Point(corner.x - step[1], corner.y - step[0])
    back = atan2(tail.y - tip.y, tail.x - tip.x)
    left, right = (_Point(tip.x + 5 * cos(back + turn), tip.y + 5 * sin(back + turn)) for turn in (-pi / 5, pi / 5))
    yield f'<path class="chevron" stroke-width="1.4" d="M{tail}L{tip}M{left}L{tip}L{right}"/>'
    yield theme_text(corner.x - step[1] * dx, corner.y - step[0] * dy, figure.text, "label", 13)


def _entry(figure: Figure, cells: Collection[Cell]) -> tuple[bool, bool, bool, bool]:
    """Return from which side the diagonal of a clue enters the board: left, top, right, bottom."""
    down, right = figure.step
    top = figure.cells[0][0] == (1 if down > 0 else grid_extent(cells)[0])
    return not top and right > 0, top and down > 0, not top and right < 0, top and down < 0


def figure_margins(figures: Sequence[Figure], cells: Collection[Cell]) -> tuple[int, ...]:
    """Return the pixels that clues take left of the board, above, right and below it: with arrows, or at corners."""
    clues = [figure for figure in figures if figure.look.get("arrow")]
    margins = [_AWAY if any(_entry(clue, cells)[side] for clue in clues) else 0 for side in range(4)]
    for clue in clues:  # a number above or below a corner is partly beside the board
        right = clue.step[1] > 0
        if any(_entry(clue, cells)[1::2]) and clue.cells[0][1] == (1 if right else grid_extent(cells)[1]):
            side = 0 if right else 2
            margins[side] = max(margins[side], _AWAY // 2)
    corners = {figure.cells[0] for figure in figures if figure.look.get("corners")}
    rows, columns = grid_extent(cells)
    at_side = [any(corner[way] == end for corner in corners) for way, end in ((1, 0), (0, 0), (1, columns), (0, rows))]
    return tuple(max(margin, round(_CORNER) * there) for margin, there in zip(margins, at_side, strict=True))


def pencil_figures(figures: Sequence[Figure], busy: Collection[Cell]) -> Iterator[str]:
    """Yield the numbers that are printed small in cells, in their middle, unless the cells are filled."""
    for figure in figures:
        if figure.look.get("text") == "small" and figure.cells[0] not in busy:
            x, y = _at(figure.cells[0])
            tokens = figure.text.split()
            gap = "" if max(map(len, tokens)) < 2 else " "
            half = len(tokens) if len(gap.join(tokens)) < 6 else (len(tokens) + 1) // 2
            rows = [gap.join(tokens[:half]), *([gap.join(tokens[half:])] if tokens[half:] else [])]
            for i, row in enumerate(rows):
                down = 10 * (i - (len(rows) - 1) / 2)
                yield theme_text(x, y + down, row, "note", min(11, (UNIT - 8) / len(row) / 0.58))
