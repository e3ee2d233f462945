"""What SudokuPad shows of the keys of variants: lines, arrows, cages, and shapes under and over the cells.

Drawing  {"lines": [{"wayPoints": [[0.5, 0.5], [0.5, 1.5]], ...}], "overlays": [...]}: lists of SudokuPad's JSON
Point    (0.5, 1.5): row and column from the upper left corner of the board, in cells; the middle of row 1, column 2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyasp_puzzles.boards.figure import Figure
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.keys import Layer

Drawing: TypeAlias = dict[str, list[dict[str, Any]]]
Point: TypeAlias = tuple[float, float]
# The thickness of lines is in pixels, of which a cell has 64.
PIXELS = 64
# The signs of logic for and, and for or.
UP, DOWN = "\u2227", "\u2228"
# Signs between cells that say which is greater: the first cell is above, left of, below or right of the second.
GREATER = {(1, 0): DOWN, (0, 1): ">", (-1, 0): UP, (0, -1): "<"}
# Signs at the upper, left, lower and right side of a cell that is greater than its neighbours.
OUTWARD = {(-0.4, 0): UP, (0, -0.4): "<", (0.4, 0): DOWN, (0, 0.4): ">"}
INWARD = dict(zip(OUTWARD, (DOWN, ">", UP, "<"), strict=True))


def drawing(layer: Layer, side: int) -> Drawing:
    """Return what a key of a board of `side` rows prints."""
    found: Drawing = {}
    for figure in layer.figures:
        for where, part in (*_lines(figure), *_shapes(figure, side)):
            found.setdefault(where, []).append(part)
    for name, labels in layer.labels.items():
        for i, words in labels.items():
            place = {"top": (0, i), "bottom": (side + 1, i), "left": (i, 0), "right": (i, side + 1)}[name]
            found.setdefault("overlays", []).append(_text(_middle(place), " ".join(words)))
    return found


def _middle(cell: Cell) -> Point:
    return cell[0] - 0.5, cell[1] - 0.5


def _between(cells: Iterable[Cell]) -> Point:
    points = [*map(_middle, cells)]
    return sum(r for r, _ in points) / len(points), sum(c for _, c in points) / len(points)


def _shape(center: Point, size: float | Point, **more: object) -> dict[str, Any]:
    height, width = size if isinstance(size, tuple) else (size, size)
    return {"center": [*center], "height": height, "width": width, **more}


def _text(center: Point, words: str, size: int = 28, **more: object) -> dict[str, Any]:
    return _shape(center, 0.5, text=words, fontSize=size, **more)


def _circle(color: str | None = None) -> dict[str, object]:
    return {"rounded": True, "backgroundColor": color or "#ffffff", "borderColor": "#808080"}


def _lines(figure: Figure) -> Iterable[tuple[str, dict[str, Any]]]:
    """Yield the line of a figure, its bulb or ends, and its head."""
    look, cells = figure.look, figure.cells
    color = look.get("line")
    if color is not None and cells:
        points = [*map(_middle, [*cells, *(cells[:1] if figure.closed else ())])]
        if figure.head:
            near = min(figure.head, key=lambda cell: max(abs(cell[0] - cells[0][0]), abs(cell[1] - cells[0][1])))
            points.insert(0, _middle(near))
        line = {
            "color": color,
            "thickness": round(PIXELS * look.get("width", 0.2)),
            "wayPoints": [[*point] for point in points],
        }
        if look.get("end") == "arrow":
            yield "arrows", line | {"headLength": 0.3}
        else:
            yield "lines", line
        if look.get("hollow"):
            yield "lines", line | {"color": "#ffffff", "thickness": line["thickness"] - 6}
        if look.get("bulb"):
            bulb: dict[str, object] = _circle() if look.get("hollow") else {"rounded": True, "backgroundColor": color}
            yield "underlays", _shape(points[0], 0.85, **bulb)
        for point in (points[0], points[-1]) if look.get("ends") else ():
            diamond = {"angle": 45} if look["ends"] == "diamond" else {}
            outline = _circle() if look["ends"] == "circle" else {"backgroundColor": color, "borderColor": "#808080"}
            yield "underlays", _shape(point, 0.6 if diamond else 0.8, **diamond, **outline)
    if figure.head:
        rows, columns = zip(*figure.head, strict=True)
        size = (max(rows) - min(rows) + 0.8, max(columns) - min(columns) + 0.8)
        yield "underlays", _shape(_between(figure.head), size, **_circle())
    if look.get("arrow"):
        yield from _from_outside(figure)


def _from_outside(figure: Figure) -> Iterable[tuple[str, dict[str, Any]]]:
    """Yield the arrow of a clue outside the board, and its number."""
    first, last = figure.cells[0], figure.cells[-1]
    # A diagonal of one cell is that of a corner, which has no other cell to say where it leads.
    step = [(b > a) - (b < a) or 1 - 2 * (a > 1) for a, b in zip(first, last, strict=True)]
    r, c = _middle((first[0] - step[0], first[1] - step[1]))
    yield (
        "arrows",
        {
            "color": "#000000",
            "thickness": 3,
            "headLength": 0.15,
            "wayPoints": [[r + 0.2 * step[0], c + 0.2 * step[1]], [r + 0.5 * step[0], c + 0.5 * step[1]]],
        },
    )
    yield "overlays", _text((r, c), figure.text)


def _shapes(figure: Figure, side: int) -> Iterable[tuple[str, dict[str, Any]]]:
    """Yield what is in the cells of a figure, around them, and between them."""
    look, cells = figure.look, figure.cells
    text = str(look.get("text") or "")
    if look.get("outline"):
        # A cage with a value and no sum is only drawn.
        yield "cages", {"cells": [[r - 1, c - 1] for r, c in cells], "value": figure.text, "unique": False}
    elif figure.corner:
        top, left = _middle(min(cells))
        yield "overlays", _text((top - 0.3, left - 0.3), figure.text, 16)
    for cell in cells:
        yield from (("underlays", shape) for shape in _under(cell, figure))
        signs = {"in": INWARD, "out": OUTWARD}.get(look.get("wedges", ""), {})
        for (down, right), sign in signs.items():
            if 1 <= cell[0] + 2.5 * down <= side and 1 <= cell[1] + 2.5 * right <= side:
                yield "overlays", _text((cell[0] - 0.5 + down, cell[1] - 0.5 + right), sign, 14)
    if look.get("corners"):
        yield "overlays", _text((cells[0][0], cells[0][1]), figure.text, 16, **_circle())
    elif len(cells) == 2 and (look.get("dot") or text):
        yield "overlays", _pair(figure, text)


def _under(cell: Cell, figure: Figure) -> Iterable[dict[str, Any]]:
    """Yield what is under the number of a cell."""
    look, middle = figure.look, _middle(cell)
    if look.get("fill"):
        yield _shape(middle, 1, backgroundColor=look["fill"])
    if look.get("square"):
        yield _shape(middle, 0.8, backgroundColor=look["square"])
    if look.get("circle") and not look.get("text"):
        yield _shape(middle, 0.8, rounded=True, backgroundColor=look["circle"])
    if look.get("cell") == "circle":
        yield _shape(middle, 0.85, **_circle())


def _pair(figure: Figure, text: str) -> dict[str, Any]:
    """Return the dot or the sign between two cells."""
    (r, c), (row, column) = figure.cells
    middle = _between(figure.cells)
    if text == "greater":
        return _text(middle, GREATER.get(((row > r) - (row < r), (column > c) - (column < c)), ">"))
    dot = figure.look.get("dot")
    words = figure.number
    if dot is None:
        return _text(middle, words, backgroundColor="#ffffff", rounded=True)
    colors: Sequence[str] = ("#000000", "#ffffff") if dot == "black" else ("#ffffff", "#000000")
    return _shape(
        middle, 0.32, rounded=True, backgroundColor=colors[0], borderColor="#000000", color=colors[1], text=words,
        fontSize=14,
    )  # fmt: skip
