"""Boards as SVG: `Drawing` says what is on a board, `svg` draws it, as one element without dependencies.

Cell      (2, 3): row 2, column 3, counted from 1
Drawing   Drawing(cells, regions={(1, 1): "A"}, givens={(1, 1): "3"}, values={(1, 2): "4"}, marked={(1, 2)})
Band      Band("row", 2, "blue", 5): a ribbon along row 2, the fifth to be laid
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards.grid import extent

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell

# Pixels of a cell.
UNIT = 40
# Candidates up to this number have places of their own in a cell.
MOST_PLACES = 25
# Light colours for regions that walls cannot show; the letter of the region tells those apart that look alike.
TINTS = ("#f6d7c3", "#cfe4f5", "#d5ecd9", "#f8edb5", "#ead6ea", "#d9d9d9", "#bfe3e0", "#f3d0dc", "#e3e6b8", "#d3d4f2")
# The colours that people name. Their lightness differs, so that they can be told apart in greyscale print.
COLORS = {
    "black": "#222222",
    "blue": "#3b7dd8",
    "brown": "#8c5a2b",
    "cyan": "#4fc3d9",
    "gray": "#8c8c8c",
    "green": "#3f9b52",
    "grey": "#8c8c8c",
    "indigo": "#4b3f9b",
    "magenta": "#c2459e",
    "orange": "#f0902b",
    "pink": "#f2a5bd",
    "purple": "#8457b3",
    "red": "#cf3b34",
    "teal": "#2b8c86",
    "violet": "#8457b3",
    "white": "#f7f7f7",
    "yellow": "#f5d441",
}
# Colours for names that are no colours; Okabe and Ito chose them for colour-blind readers.
OTHERS = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999")

# Rules are written out rather than as variables, and fonts are named one by one: resvg, which makes the PNG, knows
# neither variables nor which font is meant by sans-serif, and leaves out text whose font it does not find.
CSS = (
    ".pyasp{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans','Noto Sans',Roboto,sans-serif}"
    ".pyasp .paper{fill:#fff}.pyasp .thin{stroke:#b5b5b5;stroke-width:1;fill:none}"
    ".pyasp .wall{stroke:#111;stroke-width:3;stroke-linecap:square;fill:none}"
    ".pyasp text{text-anchor:middle;fill:#111;pointer-events:none}.pyasp .tooltip{pointer-events:all}"
    ".pyasp .value{font-size:22px;fill:#0b4fae}.pyasp .given{font-size:22px;font-weight:700}"
    ".pyasp .note{font-size:11px;fill:#444}.pyasp .corner{font-size:10px;fill:#333}"
    ".pyasp .axis{font-size:11px;fill:#666}.pyasp .label{font-size:16px}"
    ".pyasp .order,.pyasp .sign{font-size:14px;font-weight:700}"
    ".pyasp .light{fill:#fff}.pyasp .dark{fill:#111}"
    ".pyasp .marked{fill:#cfe0fb;fill-opacity:.8;stroke:#0b4fae;stroke-width:3}"
    ".pyasp .premise{fill:#fdf0c8;fill-opacity:.8;stroke:#8a6d00;stroke-width:1.5;stroke-dasharray:4 3}"
    ".pyasp .shaded{fill:#3a3a3a}.pyasp .dot{fill:#777}"
    ".pyasp .letter{font-size:13px}.pyasp .any{stroke:#bbb;stroke-width:28;stroke-dasharray:3 6;fill:none}"
    ".pyasp .band{stroke:#111;stroke-width:1.5}.pyasp .piece{fill:none;stroke:#c2312a;stroke-width:3}"
    ".pyasp text.on-shade{fill:#fff}"
    ".pyasp .struck{fill:#c2312a;text-decoration:line-through}"
    ".pyasp .hollow{fill:none;stroke-width:3}.pyasp .halo{fill:none;stroke:#fff;stroke-width:5.5}"
    "@media screen and (prefers-color-scheme:dark){"
    ".pyasp .paper{fill:#1b1b1d}.pyasp .thin{stroke:#55555a}.pyasp .wall{stroke:#e8e8e8}.pyasp text{fill:#f2f2f2}"
    ".pyasp .value{fill:#8fbcff}.pyasp .note,.pyasp .corner,.pyasp .axis{fill:#b8b8b8}.pyasp .tint{opacity:.35}"
    ".pyasp .struck{fill:#ff9d94}"
    ".pyasp .marked{fill:#24447a;stroke:#8fbcff}.pyasp .premise{fill:#4d4113;stroke:#d9b93b}"
    ".pyasp .shaded{fill:#d0d0d0}.pyasp .band{stroke:#000}.pyasp text.light{fill:#fff}.pyasp text.dark{fill:#111}"
    ".pyasp text.on-shade{fill:#111}.pyasp .hollow{fill:none}"
    ".pyasp .marked.hollow{stroke:#0b4fae}.pyasp .premise.hollow{stroke:#8a6d00}}"
)
SIDES = ("left", "top", "right", "bottom")
# The sizes of fonts, as in `CSS`.
SIZES = {
    "value": 22,
    "given": 22,
    "note": 11,
    "corner": 10,
    "axis": 11,
    "label": 16,
    "order": 14,
    "sign": 14,
    "letter": 13,
}


class Band(NamedTuple):
    """A ribbon of a `Drawing`, along a row or a column."""

    line: str
    """ "row" or "column"."""
    number: int
    color: str | None
    """The name of its colour; None if it may have any."""
    order: int
    """Its place in the laying order, 1 for the ribbon at the bottom."""


@dataclass(frozen=True)
class Drawing:
    """What is on a board; whatever is left out is not drawn."""

    cells: Collection[Cell]
    title: str = ""
    regions: Mapping[Cell, Hashable] = field(default_factory=dict)
    """Walls separate cells of different regions; without regions, each cell is its own."""
    tinted: bool = False
    """Whether regions have parts that do not touch, so that tints and letters show them rather than walls."""
    letters: Mapping[Cell, str] = field(default_factory=dict)
    """The names of regions, each in some of its cells."""
    fills: Mapping[Cell, str] = field(default_factory=dict)
    """The names of the colours of cells."""
    givens: Mapping[Cell, str] = field(default_factory=dict)
    """The numbers that are printed as part of the answer."""
    printed: Mapping[Cell, str] = field(default_factory=dict)
    """What else is printed: in the middle of the cell, or in its corner if there is a number."""
    values: Mapping[Cell, str] = field(default_factory=dict)
    """What is filled in."""
    notes: Mapping[Cell, Sequence[str]] = field(default_factory=dict)
    """The candidates that are left in cells without a value."""
    struck: Mapping[Cell, Sequence[str]] = field(default_factory=dict)
    """The candidates that a step excludes."""
    shading: Mapping[Cell, bool] = field(default_factory=dict)
    """Whether cells are shaded (True) or known not to be (False)."""
    pieces: Sequence[Collection[Cell]] = ()
    """The pieces that the board is cut into."""
    bands: Sequence[Band] = ()
    """Ribbons, bottom to top."""
    signs: Mapping[tuple[Cell, Cell], str] = field(default_factory=dict)
    """Signs between two cells."""
    corners: Mapping[Cell, str] = field(default_factory=dict)
    """Small numbers in the upper left corner: the sum of a region."""
    labels: Mapping[str, Mapping[int, Sequence[str]]] = field(default_factory=dict)
    """Numbers outside the board: {"left": {row: [...]}, "top": {column: [...]}}."""
    marked: Collection[Cell] = ()
    """The cells that a step is about."""
    premises: Collection[Cell] = ()
    """The cells that the step follows from."""
    framed: Mapping[tuple[str, int], str] = field(default_factory=dict)
    """The labels outside the board that have a frame, "marked" or "premise": {("left", 2): "premise"}."""
    tooltips: Mapping[Cell, str] = field(default_factory=dict)
    """Words about marked cells, which browsers show when the cells are pointed at."""
    palette: Collection[str] = ()
    """The names of further colours in other drawings of this board, so that all have the same colours and letters."""


def svg(drawing: Drawing, *, css: bool = True, axes: bool = True) -> str:
    """Return a drawing as one SVG element.

    Args:
        drawing: what is drawn.
        css: whether the element brings its style; a page with many boards has it once, from `CSS`.
        axes: whether rows and columns are numbered.
    """
    return frames([drawing], css=css, axes=axes)


def frames(drawings: Sequence[Drawing], *, css: bool = False, axes: bool = True) -> str:
    """Return several drawings of one board as one SVG element, in which each part occurs once.

    A part that is not in all drawings is in a group that names its drawings, counted from 0: `data-at="3 5-7"`. Groups
    that are in the first drawing have the class "on"; the style of the page hides the others. Options are as for `svg`.
    """
    rows, columns = (max(sides) for sides in zip(*(extent(drawing.cells) for drawing in drawings), strict=True))
    margins = [max(sides) for sides in zip(*(_margins(drawing, axes=axes) for drawing in drawings), strict=True)]
    left, top, right, bottom = margins
    width, height = left + columns * UNIT + right, top + rows * UNIT + bottom
    highest = _highest(drawings)
    free = 9 if any(drawing.letters or drawing.corners for drawing in drawings) else 3
    layers = zip(
        *(
            (
                _backgrounds(drawing),
                ["".join(_bands(drawing))] if drawing.bands else _lines(drawing),  # the order of ribbons matters
                _marks(drawing),
                _pieces(drawing),
                _contents(drawing, highest, free),
                _between(drawing),
                _label_frames(drawing, rows, columns),
                _outside(drawing, rows, columns),
                _axes(rows, columns, *_margins(drawing, axes=axes)[:2]) if axes else (),
            )
            for drawing in drawings
        ),
        strict=True,
    )
    parts = "".join(map(_merged, layers))
    title = drawings[0].title
    named = f"<title>{escape(title)}</title>" if title else ""
    label = f' aria-label="{escape(title)}"' if title else ""
    style = f"<style>{CSS}</style>" if css else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pyasp" role="img"{label} viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">{named}{style}<rect class="paper" width="{width}" height="{height}"/>'
        f'<g transform="translate({left},{top})">{parts}</g></svg>'
    )


def _merged(layer: Sequence[Iterable[str]]) -> str:
    """Return the elements of a layer of several drawings; those in the same drawings are in one group."""
    shown: dict[str, list[int]] = {}
    for number, elements in enumerate(layer):
        for element in elements:
            shown.setdefault(element, []).append(number)
    groups: dict[tuple[int, ...], list[str]] = {}
    for element, drawn in shown.items():
        groups.setdefault(tuple(dict.fromkeys(drawn)), []).append(element)
    parts = []
    for numbers, members in groups.items():
        elements = "".join(members)
        on = "" if numbers[0] else ' class="on"'
        parts.append(elements if len(numbers) == len(layer) else f'<g{on} data-at="{_ranges(numbers)}">{elements}</g>')
    return "".join(parts)


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers as text: "3 5-7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return " ".join("-".join(map(str, run)) for run in runs)


def figure(words: str, drawing: Drawing | None) -> str:
    """Return a sentence and its picture as HTML, for notebooks."""
    return f"<figure><figcaption>{escape(words)}</figcaption>{svg(drawing) if drawing else ''}</figure>"


def page(title: str, drawings: Iterable[tuple[str, Drawing]]) -> str:
    """Return an HTML page with drawings, each with its caption; it needs no other file, and prints well."""
    figures = "".join(
        f"<figure>{svg(drawing, css=False)}<figcaption>{escape(caption)}</figcaption></figure>"
        for caption, drawing in drawings
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><title>{escape(title)}</title>'
        "<style>body{font:16px/1.4 system-ui,sans-serif;margin:1rem;background:#fff;color:#111}"
        "main{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;break-inside:avoid}"
        "figcaption{text-align:center;overflow-wrap:anywhere}svg{max-width:100%;height:auto}"
        "@media screen and (prefers-color-scheme:dark){body{background:#1b1b1d;color:#f2f2f2}}"
        f"{CSS}</style></head><body><main>{figures}</main></body></html>\n"
    )


def paints(names: Iterable[str]) -> dict[str, str]:
    """Return the colour, as `#rrggbb`, of each name: that of its name if it has one, or else one of `OTHERS`."""
    known = sorted(set(names))
    left = [name for name in known if name.lower() not in COLORS]
    others = {name: OTHERS[i % len(OTHERS)] for i, name in enumerate(left)}
    return {name: others.get(name) or COLORS[name.lower()] for name in known}


def _colors(drawing: Drawing) -> dict[str, str]:
    """Return the colour of each name in a drawing and in others of its board."""
    bands = (band.color for band in drawing.bands if band.color is not None)
    return paints({*drawing.palette, *drawing.fills.values(), *bands})


def _letters(drawing: Drawing) -> dict[str, str]:
    """Return the letters that tell the colours of a board apart: as few of each name as no other starts with.

    Black and white need none.
    """
    names = _colors(drawing).keys()
    if names <= {"black", "white"}:
        return {}

    def alone(name: str, length: int) -> bool:
        return sum(other.startswith(name[:length]) for other in names) == 1

    return {name: next((name[:n] for n in range(1, len(name)) if alone(name, n)), name) for name in names}


def _margins(drawing: Drawing, *, axes: bool) -> tuple[int, int, int, int]:
    """Return the pixels left of the board, above, right and below it."""
    axis = 18 if axes else 0
    order = 26 if drawing.bands else 0
    left, top, right, bottom = (
        _step(drawing, side) * max(map(len, drawing.labels.get(side, {}).values()), default=0) for side in SIDES
    )
    return (4 + axis + order + left, 4 + axis + order + top, 4 + order // 3 + right, 4 + order // 3 + bottom)


def _step(drawing: Drawing, side: str) -> int:
    """Return the pixels from one label of a side to the next."""
    if side in {"top", "bottom"}:
        return 20
    words = (label for labels in drawing.labels.get(side, {}).values() for label in labels)
    return 8 + 10 * max(map(len, words), default=1)


def _box(cell: Cell, inset: float = 0) -> str:
    side = UNIT - 2 * inset
    return (
        f'x="{(cell[1] - 1) * UNIT + inset:g}" y="{(cell[0] - 1) * UNIT + inset:g}" width="{side:g}" height="{side:g}"'
    )


def _text(x: float, y: float, words: str, kind: str, size: float = 0) -> str:
    """Return a text centred at a point; browsers and other programs differ on baselines, so it is moved down."""
    font = f' style="font-size:{size:g}px"' if size else ""
    shift = 0.35 * (size or SIZES[kind.split(" ", 1)[0]])
    return f'<text class="{kind}" x="{x:g}" y="{y + shift:g}"{font}>{escape(words)}</text>'


def _fitting(words: str, kind: str, room: float = UNIT - 6) -> float:
    """Return the size at which a text fits; 0 for its usual one."""
    usual = SIZES[kind.split(" ", 1)[0]]
    most = room / max(1, len(words)) / 0.58
    return 0 if most >= usual else max(6, most)


def _on(color: str) -> str:
    """Return the class of text that can be read on a colour."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "dark" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "light"


def _backgrounds(drawing: Drawing) -> Iterator[str]:
    colors = _colors(drawing)
    names = dict.fromkeys(str(drawing.regions[cell]) for cell in sorted(drawing.regions))
    tints = {name: TINTS[number % len(TINTS)] for number, name in enumerate(names)}
    for cell in sorted(drawing.cells):
        if drawing.shading.get(cell):
            yield f'<rect class="shaded" {_box(cell)}/>'
        elif cell in drawing.fills:
            yield f'<rect fill="{colors[drawing.fills[cell]]}" {_box(cell)}/>'
        elif drawing.tinted and cell in drawing.regions:
            yield f'<rect class="tint" fill="{tints[str(drawing.regions[cell])]}" {_box(cell)}/>'
    for (r, c), (r2, c2) in _diagonals(drawing.regions) if drawing.tinted else ():
        line = f"M{(c - 0.5) * UNIT:g},{(r - 0.5) * UNIT:g}L{(c2 - 0.5) * UNIT:g},{(r2 - 0.5) * UNIT:g}"
        tint = tints[str(drawing.regions[r, c])]
        yield f'<path class="tint" stroke="{tint}" stroke-width="{UNIT // 3}" d="{line}"/>'


def _diagonals(regions: Mapping[Cell, Hashable]) -> Iterator[tuple[Cell, Cell]]:
    """Yield pairs of cells of one region that touch at a corner and have no common neighbour in it."""
    for (r, c), region in sorted(regions.items()):
        for other in ((r + 1, c - 1), (r + 1, c + 1)):
            beside = regions.get((r, other[1])), regions.get((other[0], c))
            if regions.get(other) == region and region not in beside:
                yield (r, c), other


def _marks(drawing: Drawing) -> Iterator[str]:
    """Yield the frames of cells: solid where something follows, dashed for what it follows from."""
    inset = 9 if drawing.pieces else 3  # inside the outlines of pieces
    for cell in sorted({*drawing.marked, *drawing.premises}):
        kind, box = "marked" if cell in drawing.marked else "premise", _box(cell, inset)
        if cell in drawing.fills or drawing.shading.get(cell):
            # The colour of the cell stays visible, and so does the frame on any colour.
            frame = f'<rect class="halo" {box}/><rect class="{kind} hollow" {box}/>'
        else:
            frame = f'<rect class="{kind}" {box}/>'
        if cell in drawing.tooltips:
            frame = f'<g class="tooltip"><title>{escape(drawing.tooltips[cell])}</title>{frame}</g>'
        yield frame


def _lines(drawing: Drawing) -> Iterator[str]:
    """Yield the lines between cells: walls at the outline and between regions, thin ones elsewhere."""
    cells = set(drawing.cells)
    regions = {} if drawing.tinted else drawing.regions
    thin, wall = list[str](), list[str]()
    for r, c in sorted(cells | {(r - 1, c) for r, c in cells} | {(r, c - 1) for r, c in cells}):
        right = (r, c + 1), f"M{c * UNIT},{(r - 1) * UNIT}v{UNIT}"
        below = (r + 1, c), f"M{(c - 1) * UNIT},{r * UNIT}h{UNIT}"
        for other, path in (right, below):
            if (r, c) not in cells and other not in cells:
                continue
            inside = (r, c) in cells and other in cells
            same = inside and (not regions or regions.get((r, c)) == regions.get(other))
            (thin if same else wall).append(path)
    if thin:
        yield f'<path class="thin" d="{"".join(thin)}"/>'
    yield f'<path class="wall" d="{"".join(wall)}"/>'


def _bands(drawing: Drawing) -> Iterator[str]:
    """Yield ribbons from the bottom to the top: at each crossing, the later one hides the earlier one."""
    rows, columns = extent(drawing.cells)
    colors, letters = _colors(drawing), _letters(drawing)
    inset = 5
    thick = UNIT - 2 * inset
    top: dict[Cell, str | None] = {}
    for band in drawing.bands:
        start, across = -7, (band.number - 1) * UNIT + inset
        length = (columns if band.line == "row" else rows) * UNIT + 10
        color = "#eee" if band.color is None else colors[band.color]
        x, y, width, height = (start, across, length, thick) if band.line == "row" else (across, start, thick, length)
        yield f'<rect class="band" fill="{color}" x="{x}" y="{y}" width="{width}" height="{height}" rx="3"/>'
        if band.color is None:  # a pattern would need an id, which other boards of a page have too
            middle = across + thick / 2
            row, column = f"{start + 2},{middle:g}h{length - 4}", f"{middle:g},{start + 2}v{length - 4}"
            yield f'<path class="any" d="M{row if band.line == "row" else column}"/>'
        part = 0 if band.line == "row" else 1
        top |= {cell: band.color for cell in drawing.cells if cell[part] == band.number}
    for (r, c), name in sorted(top.items()):
        if name in letters:
            yield _text((c - 0.5) * UNIT, (r - 0.5) * UNIT, letters[name], f"letter {_on(colors[name])}")
    for band in drawing.bands:
        place = (band.number - 0.5) * UNIT
        at = (-18.0, place) if band.line == "row" else (place, -16.0)
        yield _text(*at, str(band.order), "order", 14)


def _pieces(drawing: Drawing) -> Iterator[str]:
    """Yield the outlines of pieces, a little inside their cells, so that two that touch have two lines."""
    gap = 4
    for piece in drawing.pieces:
        path, cells = list[str](), set(piece)
        for r, c in sorted(cells):
            x, y = (c - 1) * UNIT, (r - 1) * UNIT
            up, down, west, east = ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
            x0, x1 = x + gap * (west not in cells), x + UNIT - gap * (east not in cells)
            y0, y1 = y + gap * (up not in cells), y + UNIT - gap * (down not in cells)
            path += [f"M{x0},{y + gap}H{x1}"] if up not in cells else []
            path += [f"M{x0},{y + UNIT - gap}H{x1}"] if down not in cells else []
            path += [f"M{x + gap},{y0}V{y1}"] if west not in cells else []
            path += [f"M{x + UNIT - gap},{y0}V{y1}"] if east not in cells else []
        outline = "".join(path)
        # A white edge tells the outline from cells of its own colour.
        yield f'<path class="halo" d="{outline}"/><path class="piece" d="{outline}"/>'


def _contents(drawing: Drawing, highest: int, free: int) -> Iterator[str]:
    """Yield what is in the cells: a given, a value, a dot, or candidates; and the letters of regions and colours.

    Candidates up to `highest` have a place each; if it is 0, they are in a row. They leave `free` pixels at the corner.
    """
    colors, letters = _colors(drawing), _letters(drawing)
    several = [len(notes) + len(drawing.struck.get(cell, ())) for cell, notes in drawing.notes.items()]
    wide = highest or max(several, default=1)
    across = next((n for n in range(1, 6) if n * n >= wide), 6)
    room = (UNIT - 3 - free) / across
    for cell in sorted(drawing.cells):
        x, y = (cell[1] - 0.5) * UNIT, (cell[0] - 0.5) * UNIT
        on = f" {_on(colors[drawing.fills[cell]])}" if cell in drawing.fills else ""
        on = " on-shade" if drawing.shading.get(cell) else on
        words = drawing.givens.get(cell) or drawing.values.get(cell) or drawing.printed.get(cell)
        if words:
            kind = "value" if cell in drawing.values and cell not in drawing.givens else "given"
            yield _text(x, y, words, kind + on, _fitting(words, kind))
        elif drawing.shading.get(cell) is False:
            yield f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="4"/>'
        struck = drawing.struck.get(cell, ())
        notes = {*drawing.notes.get(cell, ()), *struck} if cell not in drawing.values else set()
        for i, note in enumerate(sorted(notes, key=lambda note: (len(note), note))):  # numbers by their size
            row, column = divmod(int(note) - 1 if highest else i, across)
            left, top = x - UNIT / 2 + free + (column + 0.5) * room, y - UNIT / 2 + free + (row + 0.5) * room
            kind = "note struck" if note in struck else "note"
            yield _text(left, top, note, kind, _fitting(note, "note", room))
        corner = drawing.corners.get(cell) or drawing.letters.get(cell)
        if words and words != drawing.printed.get(cell):
            corner = " ".join(filter(None, [corner, drawing.printed.get(cell)]))
        letter = letters.get(drawing.fills.get(cell, ""))
        if letter and words:
            corner = " ".join(filter(None, [letter, corner]))
        elif letter:
            yield _text(x, y, letter, "letter" + on, _fitting(letter, "letter"))
        if corner:
            left, top = x - UNIT / 2 + 4 + 3 * len(corner), y - UNIT / 2 + 8
            yield _text(left, top, corner, "corner" + on, _fitting(corner, "corner", UNIT / 2))


def _between(drawing: Drawing) -> Iterator[str]:
    for (one, other), sign in sorted(drawing.signs.items()):
        x, y = (one[1] + other[1] - 1) * UNIT / 2, (one[0] + other[0] - 1) * UNIT / 2
        yield f'<circle class="paper" cx="{x:g}" cy="{y:g}" r="8"/>'
        yield _text(x, y, sign, "sign", _fitting(sign, "sign", 20))


def _highest(drawings: Sequence[Drawing]) -> int:
    """Return the largest number on a board, if its candidates can have a place each; 0 if they cannot."""
    words = set[str]()
    for drawing in drawings:
        words.update(
            drawing.values.values(), drawing.givens.values(), *drawing.notes.values(), *drawing.struck.values()
        )
    if not all(len(word) < 3 and word.isdecimal() and 0 < int(word) <= MOST_PLACES for word in words):
        return 0
    return max(map(int, words), default=0)


def _label_frames(drawing: Drawing, rows: int, columns: int) -> Iterator[str]:
    """Yield the frames around the labels of lines."""
    for (side, index), kind in sorted(drawing.framed.items()):
        along, deep = (index - 1) * UNIT + 5, len(drawing.labels[side][index]) * _step(drawing, side)
        x = {"left": -deep - 4, "right": columns * UNIT + 4}.get(side, along)
        y = {"top": -deep - 4, "bottom": rows * UNIT + 4}.get(side, along)
        width, height = (deep, UNIT - 10) if side in {"left", "right"} else (UNIT - 10, deep)
        yield f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}"/>'


def _outside(drawing: Drawing, rows: int, columns: int) -> Iterator[str]:
    """Yield labels outside the board."""
    for side, lines in drawing.labels.items():
        for index, labels in lines.items():
            outward = list(reversed(labels)) if side in {"left", "top"} else list(labels)
            for i, label in enumerate(outward):
                along, away = (index - 0.5) * UNIT, (i + 0.5) * _step(drawing, side) + 2
                x = {"left": -away, "right": columns * UNIT + away}.get(side, along)
                y = {"top": -away, "bottom": rows * UNIT + away}.get(side, along)
                yield _text(x, y, label, "label")


def _axes(rows: int, columns: int, left: int, top: int) -> Iterator[str]:
    """Yield the numbers of rows and columns."""
    yield from (_text(11 - left, (r - 0.5) * UNIT, str(r), "axis") for r in range(1, rows + 1))
    yield from (_text((c - 0.5) * UNIT, 11 - top, str(c), "axis") for c in range(1, columns + 1))
