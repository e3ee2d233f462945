"""What sites for Sudokus share: clues as groups of cells and values, drawings as shapes, and packed texts.

Clue       Clue([[(1, 1), (1, 2)]], ["10"]): a cage. Clones have several groups; an arrow has its head and its line. A
           number outside has its place, (0, 3) above column 3, and on a diagonal also the first cell it sees
Shapes     {"lines": [{"wayPoints": [[0.5, 0.5], [0.5, 1.5]], ...}], "overlays": [...]}: lists of SudokuPad's JSON
GridPoint  (0.5, 1.5): row and column from the upper left corner of the board, in cells; the middle of row 1, column 2

f-puzzles gets the drawings of SudokuPad, with cells in place of points. What f-puzzles has itself is drawn as SudokuPad
draws it when it opens a puzzle of f-puzzles, where it recognises some shapes by their size.

lz-string packs the JSON: a packed text is a stream of codes, in base 64, lowest bit first. Codes 0 and 1 announce a new
character of 8 or 16 bits, 2 ends the text, others stand for earlier pieces of the text. Checked against lz-string 1.5.0
of npm.
"""

from __future__ import annotations

from itertools import product
from math import dist, floor
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pyasp_puzzles.boards.grid import Cell, cell_named, cell_place, grouped, nearest_cell
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.formats.exchange import Draft, joined_variants
from pyasp_puzzles.puzzles.keys import outside
from pyasp_puzzles.puzzles.keys.lines import key_line_text
from pyasp_puzzles.puzzles.keys.outside import DIAGONALS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.figure import Figure
    from pyasp_puzzles.model.keys import Key, KeyLayer
    from pyasp_puzzles.model.puzzle import Variant


# -- Clues -----------------------------------------------------------------------------------------


class Clue(NamedTuple):
    """A clue of a key of a board."""

    groups: Sequence[Sequence[Cell]]
    values: Sequence[str] = ()

    @property
    def cells(self) -> Sequence[Cell]:
        """The cells of its first group."""
        return self.groups[0]

    @property
    def way(self) -> str:
        """The direction from the place of a number outside to the first cell that it sees."""
        ((r, c),), ((row, column),) = self.groups
        return next(way for way, step in DIAGONALS.items() if step == (row - r, column - c))

    @property
    def shaft(self) -> list[Cell]:
        """The line of an arrow, from the nearest cell of its head on."""
        head, line = self.groups
        return [nearest_cell(head, line[0]), *line]


def diagonal_groups(place: Cell, way: str) -> list[list[Cell]]:
    """Return the groups of a clue at a place outside the board that looks in a direction, such as "dr"."""
    return [[place], [(place[0] + DIAGONALS[way][0], place[1] + DIAGONALS[way][1])]]


class ClueName(NamedTuple):
    """The name of a variant's constraint in a format, as its folder declares it: `iss = "Modular 3"`."""

    variant: Variant
    name: str
    words: Sequence[str]
    """What follows its name."""
    flags: Collection[str] = ()
    """Further words, which mean the same for every variant."""

    @property
    def key(self) -> Key:
        """Its key, if it has one."""
        return self.variant.keys[0]


def clue_names(
    known: Mapping[str, Variant], format_: str, is_flag: Callable[[str], bool] = lambda _: False
) -> list[ClueName]:
    """Return the names that variants declare for a format."""
    clues = []
    for variant in (variant for variant in known.values() if format_ in variant.formats):
        name, *words = str(variant.formats[format_]).split()
        clues.append(ClueName(variant, name, [w for w in words if not is_flag(w)], [w for w in words if is_flag(w)]))
    return clues


class ClueForm(NamedTuple):
    """How clues of a form are written in a format, without their values."""

    read: Callable[..., Iterable[Sequence[Iterable[Cell]]]]
    """Yields the groups of cells of the clues in a part of a text."""
    write: Callable[..., Iterable[dict[str, Any]]]
    """Yields the parts of a clue."""


def form_of(key: Key) -> str:
    """Return the form of the clues of a key: "labels" or "diagonals" outside, "heads" of arrows, or else its tool."""
    if key.kind.tool == "sight":
        return "diagonals" if key.option("directions") else "labels"
    return "heads" if key.option("head") else key.kind.tool


def clues_of(board: Draft, key: Key) -> list[Clue]:
    """Return the clues of a key of a board."""
    if form_of(key) == "labels":
        return [Clue([[cell]], [label]) for cell, label in outside.labels(board.layers[key.name], board.size)]
    if key.kind.tool != "sight":
        return [Clue(line.groups, line.values) for line in board.lines_of(key.name)]
    lines: Any = board.keys[key.name]
    clues = []
    for name, way, _, value in map(str.split, [lines] if isinstance(lines, str) else lines):
        (r, c), (y, x) = cell_named(name) or (0, 0), DIAGONALS[way]
        clues.append(Clue([[(r - y, c - x)], [(r, c)]], [value]))
    return clues


class Clues:
    """The variants and clues of a board of so many rows and columns, while a text is read."""

    def __init__(self, size: tuple[int, int], known: Mapping[str, Variant]) -> None:
        self.size = size
        self.known = known
        self.variants: list[str] = []
        self.lost: list[str] = []
        """What is not read."""
        self._found: dict[str, Any] = {}
        """The lines of a key, or its labels by their places."""

    def add(self, key: Key, *groups: Iterable[Cell], value: object = "") -> None:
        """Add a clue; a number outside without a value adds nothing, but its place is checked.

        Raises:
            InstanceError: a number outside is beside no line of the board, or another one is at its place.
        """
        lines: Any = self._found.setdefault(key.name, {} if form_of(key) == "labels" else [])
        none = value in {None, ""}
        if key.kind.tool != "sight":
            line = (" > " if key.option("head") else " = ").join(map(key_line_text, groups))
            lines.append(line if none else f"{line} = {value}")
            return
        (place,), *first = map(tuple, groups)
        if not self.is_outside(place, form_of(key)):
            message = f"a number of the {key.name} is at {cell_place(place)}, which is not beside a line of the board"
            raise InstanceError(message)
        if first and not none:
            lines.append(f"{key_line_text(first[0])} {Clue([[place], *first]).way} = {value}")
        elif not none and lines.setdefault(place, str(value)) != str(value):
            both = f"{shown(lines[place])} and {shown(value)}"
            raise InstanceError(f"two numbers of the {key.name} are at {cell_place(place)}: {both}")

    def is_outside(self, place: Cell, form: str) -> bool:
        """Return whether a clue may be at a place: a label beside a row or column, others anywhere around the board."""
        if form == "labels":
            return place in outside.lines_by_place(self.size)
        return not all(0 < at <= most for at, most in zip(place, self.size, strict=True))

    @property
    def keys(self) -> dict[str, Any]:
        """The keys of the board, as in TOML."""
        return {
            name: outside.labels_by_side(value, self.size) if isinstance(value, dict) else value
            for name, value in self._found.items()
            if value
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The variants without keys."""
        return joined_variants(self.variants, self.known)


# -- Drawings of keys ------------------------------------------------------------------------------

Shapes: TypeAlias = dict[str, list[dict[str, Any]]]
_GridPoint: TypeAlias = tuple[float, float]
# The thickness of lines is in pixels; a cell has 64.
PIXELS = 64
# SudokuPad makes other colors of shapes half transparent, unless they end in an opacity.
_OPAQUE = ("#000000", "#CFCFCF", "#FFFFFF")
BLACK, _GREY, _WHITE = _OPAQUE
# The radius of circles that lines end at.
_RADIUS = 0.4
# {step from the greater cell to the smaller one: the sign between them}, above each other the signs for "or" and "and"
_GREATER = {(1, 0): "\u2228", (0, 1): ">", (-1, 0): "\u2227", (0, -1): "<"}


def shapes_of(layer: KeyLayer, side: int) -> Shapes:
    """Return the shapes by which SudokuPad draws a key of a board of `side` rows."""
    shapes = grouped(shape for figure in layer.figures for shape in (*_lines(figure), *_shapes(figure)))
    signs = [
        _text((r - 0.5 + 0.4 * y, c - 0.5 + 0.4 * x), _GREATER[y, x] if out else _GREATER[-y, -x], 14)
        for (r, c), (y, x), out in wedges(layer, (side, side))
    ]
    labels = [_text(_middle(cell), text) for cell, text in outside.labels(layer, (side, side))]
    return shapes | ({"overlays": [*shapes.get("overlays", []), *signs, *labels]} if signs or labels else {})


def wedges(layer: KeyLayer, size: tuple[int, int]) -> Iterable[tuple[Cell, Cell, bool]]:
    """Yield minima and maxima, the step to each neighbour that is none, and whether the cell is the greater one."""
    marked = {
        cell: figure.look["wedges"] for figure in layer.figures if "wedges" in figure.look for cell in figure.cells
    }
    for ((r, c), way), (y, x) in product(marked.items(), ((-1, 0), (0, -1), (1, 0), (0, 1))):
        if (r + y, c + x) not in marked and 1 <= r + y <= size[0] and 1 <= c + x <= size[1]:
            yield (r, c), (y, x), way == "out"


def texts_apart(overlays: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return overlays, with texts that would hide each other as one."""
    by_place: dict[object, dict[str, Any]] = {}
    for i, part in enumerate(overlays):
        place = i if "backgroundColor" in part else (*part["center"],)
        more = {"text": f"{by_place[place]['text']} {part['text']}", "fontSize": 16} if place in by_place else {}
        by_place[place] = part | more
    return [*by_place.values()]


def cell_at(point: Sequence[float]) -> Cell:
    """Return the cell in which a point is."""
    return floor(point[0]) + 1, floor(point[1]) + 1


def cells_at(point: Sequence[float]) -> list[Cell]:
    """Return the cells around a point: two if it is on a side, four if it is at a corner, or else the one it is in."""
    if any(2 * part % 1 for part in point):
        return [cell_at(point)]
    (top, bottom), (left, right) = (((half + 1) // 2, half // 2 + 1) for half in (round(2 * part) for part in point))
    return [*dict.fromkeys([(top, left), (top, right), (bottom, left), (bottom, right)])]


def _opaque(color: str) -> str:
    """Return a color that SudokuPad does not make transparent."""
    upper = color.upper()
    return upper if upper in _OPAQUE else color + ("ff" if len(color) > 4 else "f")


def _middle(cell: Cell) -> _GridPoint:
    return cell[0] - 0.5, cell[1] - 0.5


def cells_from_zero(cells: Iterable[Cell]) -> list[list[int]]:
    """Return cells as SudokuPad counts them, from 0."""
    return [[r - 1, c - 1] for r, c in cells]


def _shape(center: _GridPoint, size: float | _GridPoint, **more: object) -> dict[str, Any]:
    height, width = size if isinstance(size, tuple) else (size, size)
    return {"center": [*center], "height": height, "width": width, **more}


def _text(center: _GridPoint, text: str, size: int = 28) -> dict[str, Any]:
    return _shape(center, 0.5, text=text, fontSize=size)


def _circle(color: str = _GREY) -> dict[str, object]:
    return {"rounded": True, "backgroundColor": _WHITE, "borderColor": color, "borderSize": 3}


def _toward(point: _GridPoint, other: _GridPoint) -> _GridPoint:
    """Return the point of a circle from which a line to another point starts."""
    part = _RADIUS / (dist(point, other) or 1)
    return point[0] + part * (other[0] - point[0]), point[1] + part * (other[1] - point[1])


def _rounded(points: Iterable[_GridPoint]) -> list[list[float]]:
    return [[round(r, 2), round(c, 2)] for r, c in points]


def _lines(figure: Figure) -> Iterable[tuple[str, dict[str, Any]]]:
    look, cells = figure.look, figure.cells
    color = look.get("line")
    if color is None or not cells:
        return
    points = [*map(_middle, [*cells, *(cells[:1] if figure.closed else ())])]
    first, last = points[0], points[-1]
    if figure.head:
        points.insert(0, _toward(_middle(nearest_cell(figure.head, cells[0])), first))
    hollow = look.get("hollow")
    if hollow and look.get("bulb") and len(points) > 1:
        points[0] = _toward(first, points[1])
    if look.get("ends") == "circle" and len(points) > 1:
        points = [_toward(first, points[1]), *points[1:-1], _toward(last, points[-2])]
    line = {"color": color, "thickness": round(PIXELS * look.get("width", 0.2)), "wayPoints": _rounded(points)}
    if look.get("end") == "arrow":
        yield "arrows", line | {"headLength": 0.3}
    else:
        yield "lines", line
    if hollow:
        yield "lines", line | {"color": _WHITE, "thickness": line["thickness"] - 6}
    if look.get("bulb"):
        bulb = _circle(color) if hollow else {"rounded": True, "backgroundColor": _opaque(color)}
        yield "underlays", _shape(first, 0.85, **bulb)
    for point in (first, last) if look.get("ends") else ():
        diamond = {"angle": 45} if look["ends"] == "diamond" else {}
        outline = {"backgroundColor": _opaque(color)} if diamond else _circle(color)
        yield "underlays", _shape(point, 0.6 if diamond else 2 * _RADIUS, **diamond, **outline)
    if figure.head:
        yield from _head(figure.head, color)


def _head(cells: tuple[Cell, ...], color: str) -> Iterable[tuple[str, dict[str, Any]]]:
    """Yield the circle or pill around the head of a line; a bent pill is a line in a wider line."""
    rows, columns = zip(*cells, strict=True)
    high, wide = max(rows) - min(rows), max(columns) - min(columns)
    if not high or not wide:
        size = (high + 2 * _RADIUS, wide + 2 * _RADIUS)
        center = (min(rows) + high / 2 - 0.5, min(columns) + wide / 2 - 0.5)
        yield "underlays", _shape(center, size, **_circle(color))
        return
    for shade, thickness in ((color, 0.7), (_WHITE, 0.55)):
        line = {"color": shade, "thickness": round(PIXELS * thickness), "wayPoints": _rounded(map(_middle, cells))}
        yield "lines", line


def _shapes(figure: Figure) -> Iterable[tuple[str, dict[str, Any]]]:
    look, cells = figure.look, figure.cells
    text = str(look.get("text") or "")
    if look.get("arrow"):  # of a number outside the board
        (y, x), (r, c) = figure.step, _middle(cells[0])
        points = _rounded((r + part * y, c + part * x) for part in (-0.7, -0.52))
        yield "arrows", {"color": BLACK, "thickness": 3, "headLength": 0.15, "wayPoints": points}
        yield "overlays", _text((r - y, c - x), figure.text)
    if look.get("outline"):
        # A cage with a value and no sum is only drawn.
        color = {"borderColor": look["color"]} if look.get("color") else {}
        yield "cages", {"cells": cells_from_zero(cells), "value": figure.text, "unique": False, **color}
    elif figure.corner:
        top, left = _middle(min(cells))
        yield "overlays", _text((top - 0.3, left - 0.3), figure.corner, 12)
    yield from (("underlays", shape) for cell in cells for shape in _under(_middle(cell), look))
    if look.get("corners"):
        numbers = figure.text.split()
        rows = "\n".join(" ".join(numbers[i : i + 2]) for i in range(0, len(numbers), 2))
        yield "overlays", _shape(cells[0], 0.7, text=rows, fontSize=14, **_circle(BLACK), color=BLACK)
    elif len(cells) == 2 and (look.get("dot") or text):
        yield "overlays", _pair(figure, text)


def _under(middle: _GridPoint, look: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    for name, size in (("fill", 1), ("square", 0.8), ("circle", 0.8)):
        if look.get(name) and (name, bool(look.get("text"))) != ("circle", True):
            round_ = {"rounded": True} if name == "circle" else {}
            yield _shape(middle, size, **round_, backgroundColor=_opaque(look[name]))
    if look.get("cell") == "circle":
        yield _shape(middle, 0.85, **_circle())


def _pair(figure: Figure, text: str) -> dict[str, Any]:
    (r, c), (row, column) = figure.cells
    middle = (r + row - 1) / 2, (c + column - 1) / 2
    if text == "greater":
        return _text(middle, _GREATER.get(((row > r) - (row < r), (column > c) - (column < c)), ">"))
    dot, number = figure.look.get("dot"), figure.number
    if dot is None:
        return _shape(middle, 0.25, text=number, fontSize=21, backgroundColor=_WHITE, borderColor=_WHITE)
    fill, color = (BLACK, _WHITE) if dot == "black" else (_WHITE, BLACK)
    look = {"rounded": True, "backgroundColor": fill, "borderColor": BLACK, "color": color}
    return _shape(middle, 0.3, **look, text=number, fontSize=14)


# -- Packed texts ----------------------------------------------------------------------------------

# Characters of a text that is unpacked; the largest puzzles have some 100 000.
LONGEST_UNPACKED = 2**20

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NEW_8, _NEW_16, _END = 0, 1, 2


def decompress(packed: str) -> str:
    """Return the text that was packed to base 64.

    Raises:
        ValueError: it is not a packed text, or longer than `LONGEST_UNPACKED`.
    """
    six = {character: f"{value:06b}" for value, character in enumerate(_ALPHABET)}
    try:
        bits = "".join(six[character] for character in packed.rstrip("=\\"))
    except KeyError:
        raise ValueError("a character that is not of base 64") from None
    at = 0

    def take(count: int) -> int:
        """Return the number in the next `count` bits."""
        nonlocal at
        word = bits[at : at + count]
        if len(word) < count:
            raise ValueError("the text is cut off")
        at += count
        return int(word[::-1], 2)

    pieces: list[str] = ["", "", ""]
    texts: list[str] = []
    length, wide, last = 0, 2, ""
    while (code := take(wide)) != _END:
        if code in {_NEW_8, _NEW_16}:
            pieces.append(chr(take(8 if code == _NEW_8 else 16)))
            code = len(pieces) - 1
        if code < len(pieces):
            piece = pieces[code]
        elif code == len(pieces) and last:
            piece = last + last[0]
        else:
            raise ValueError("a code without a piece")
        texts.append(piece)
        length += len(piece)
        if length > LONGEST_UNPACKED:
            raise ValueError("too long a text")
        if last:
            pieces.append(last + piece[0])
        last = piece
        wide = len(pieces).bit_length()  # the next code may also be that of the piece which it completes
    # Units of 16 bits become characters; half a pair stays as it is.
    return "".join(texts).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def compress(text: str) -> str:
    """Return a text packed to base 64."""
    bits = "".join(f"{code:0{wide}b}"[::-1] for code, wide in _codes(text))
    bits += "0" * (6 - len(bits) % 6)
    packed = "".join(_ALPHABET[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))
    return packed + "=" * (-len(packed) % 4)


def _codes(text: str) -> Iterator[tuple[int, int]]:
    pieces: dict[str, int] = {}
    new: set[str] = set()
    last, largest = "", 2  # the largest code that may come next decides how many bits are written
    data = text.encode("utf-16-be", "surrogatepass")  # units of 16 bits, as JavaScript has them
    units = (chr(data[i] << 8 | data[i + 1]) for i in range(0, len(data), 2))
    for character in (*units, ""):
        if character and character not in pieces:
            pieces[character] = len(pieces) + 3
            new.add(character)
        if character and last + character in pieces:
            last += character
            continue
        wide = largest.bit_length()
        if last in new:
            new.remove(last)
            code = ord(last)
            kind, count = (_NEW_8, 8) if code < 256 else (_NEW_16, 16)
            yield kind, wide
            yield code, count
            largest += 2
        elif last:
            yield pieces[last], wide
            largest += 1
        pieces[last + character] = len(pieces) + 3
        last = character
    yield _END, largest.bit_length()
