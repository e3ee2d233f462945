"""Boards as text: styles, colors, marks, boards with walls, outlines, and colored boards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards.grid import EMPTY, grid_extent

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell

BOLD_CODE = "1"
DIM_CODE = "2"
# As on pages: what is new is blue, what it follows from is yellow, what is cut off is orange. White on blue, black on
# the others.
MARKED_CODE = "1;97;48;5;25"
PREMISE_CODE = "30;48;5;222"
_CUT_CODE = "30;48;5;209"
# Light colors of the 256-color palette with good contrast to black text; successive ones differ.
_BACKGROUNDS = (224, 153, 157, 229, 183, 216, 159, 253, 218, 151, 187, 147)
# The colors that people name, in pictures and in the 256-color palette of terminals. In pictures their lightness
# differs, so that they can be told apart in greyscale print.
NAMED = {
    "black": ("#222222", 236),
    "blue": ("#3b7dd8", 75),
    "brown": ("#8c5a2b", 137),
    "cyan": ("#4fc3d9", 123),
    "gray": ("#8c8c8c", 250),
    "green": ("#3f9b52", 114),
    "grey": ("#8c8c8c", 250),
    "indigo": ("#4b3f9b", 105),
    "magenta": ("#c2459e", 170),
    "orange": ("#f0902b", 215),
    "pink": ("#f2a5bd", 218),
    "purple": ("#8457b3", 177),
    "red": ("#cf3b34", 203),
    "teal": ("#2b8c86", 37),
    "violet": ("#8457b3", 177),
    "white": ("#f7f7f7", 255),
    "yellow": ("#f5d441", 227),
}
# The colors of single letters, unless the board names them; on a board with `w` and without `k`, `b` is black.
LETTERS = {
    "b": "blue",
    "c": "cyan",
    "g": "green",
    "k": "black",
    "m": "magenta",
    "o": "orange",
    "p": "purple",
    "r": "red",
    "w": "white",
    "y": "yellow",
}
# Corners by the walls that meet there: 1 above, 2 to the right, 4 below, 8 to the left.
_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
# Junctions of the lines of an answer, by the same sums; and straight lines: none, one, two.
_JUNCTIONS = "·╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
# Slants at a corner: none, one that falls, one that rises, both.
_SLANTS = "·╲\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}\N{BOX DRAWINGS LIGHT DIAGONAL CROSS}"
_CROSS = "\N{MULTIPLICATION SIGN}"
_ACROSS, _DOWN = f"{_CROSS}━═", f"{_CROSS}┃║"
SHADE_TEXT = "▓"


class TextStyle(NamedTuple):
    """How boards are drawn as text."""

    color: bool = False
    width: int = 80
    """Columns of a line."""
    words: str = ""
    """The sentence beside the board; if there is one, rows and columns are numbered, and regions in it have letters."""
    outlines: int = 0
    """How many boards are in a row, with pieces drawn as outlines of _ and |; 0 to draw them in frames."""

    def beside(self, words: str) -> TextStyle:
        """Return the style of a board next to a sentence."""
        return self._replace(words=words)

    def paint(self, text: str, *codes: str) -> str:
        """Return the text with these SGR codes, some of which may be empty; unchanged without color."""
        code = ";".join(filter(None, codes))
        return f"\033[{code}m{text}\033[0m" if self.color and code and text else text


class TextDecorations(NamedTuple):
    """What is printed on a board besides the contents of its cells."""

    signs: Mapping[tuple[Cell, Cell], str] = {}
    """A sign between a cell and its neighbour to the right or below."""
    corners: Mapping[Cell, str] = {}
    """The text on the upper edge of a cell: the sum of a region, at its first cell."""
    outside: Mapping[str, Mapping[int, Sequence[str]]] = {}
    """Labels outside the board: {"left": {2: ["3", "1"]}} are left of row 2."""
    letters: Mapping[Cell, str] = {}
    """The names of regions, on the upper edge of a cell."""
    borders: Collection[tuple[Cell, Cell]] = ()
    """Where walls are between two cells of one region, the left or upper one first."""


def color_name_in_text(token: str, names: Mapping[str, str], tokens: Collection[str]) -> str:
    """Return the name of the color that a token means, given all tokens of a board."""
    letters = LETTERS | ({"b": "black"} if "w" in tokens and "k" not in tokens else {})
    return names.get(token) or letters.get(token, token)


def text_background_codes(keys: Sequence[str], names: Sequence[str] = ()) -> dict[str, str]:
    """Return the SGR code of a background for each key: the color of its name, or one of a cycle."""
    cycle = {key: _BACKGROUNDS[i % len(_BACKGROUNDS)] for i, key in enumerate(dict.fromkeys(keys))}
    named = {key: NAMED[name][1] for key, name in zip(keys, names, strict=False) if name in NAMED}
    return {key: f"{97 if code == NAMED['black'][1] else 30};48;5;{code}" for key, code in (cycle | named).items()}


def visible_text_width(line: str) -> int:
    """Return the number of columns of a line, without its SGR codes."""
    return len(re.sub(r"\033\[[0-9;]*m", "", line))


class TextMarks(NamedTuple):
    """The cells to mark on a board: `TextMarks([(2, 2)], premises=[(1, 1), (1, 2)])`."""

    marked: Collection[Cell] = ()
    premises: Collection[Cell] = ()
    """The cells that the marked ones follow from."""
    cut: Collection[Cell] = ()
    """The cells that would be cut off from others, or on a loop of their own."""

    def around(self, cell: Cell) -> tuple[str, str]:
        """Return the two signs around a cell, "**", and the SGR code in their place; ("", "") if it is not marked."""
        if cell in self.marked:
            return "**", MARKED_CODE
        if cell in self.cut:
            return "{}", _CUT_CODE
        return ("[]", PREMISE_CODE) if cell in self.premises else ("", "")


def text_fits_width(text: str, style: TextStyle) -> bool:
    """Return whether no line of a text is wider than lines may be."""
    return max(map(visible_text_width, text.split("\n"))) <= style.width


def text_side_by_side(blocks: Sequence[str], gap: str = " ") -> str:
    """Return blocks of lines side by side, aligned at the top."""
    columns = [block.split("\n") for block in blocks]
    height = max(map(len, columns))
    padded = []
    for column in columns:
        wide = max(map(visible_text_width, column))
        padded.append(
            [line + " " * (wide - visible_text_width(line)) for line in column + [""] * (height - len(column))]
        )
    return "\n".join(gap.join(row).rstrip() for row in zip(*padded, strict=True))


def text_outline(regions: Mapping[Cell, Hashable]) -> str:
    """Return the outlines of regions as lines of _ and |."""
    rows, columns = grid_extent(regions)
    lines = []
    for r in range(rows + 1):
        line = ""
        for c in range(1, columns + 2):
            here = regions.get((r, c))
            line += " |"[here != regions.get((r, c - 1))] + " _"[here != regions.get((r + 1, c))]
        lines.append(line.rstrip())
    return "\n".join(lines)


def framed_text_board(
    regions: Mapping[Cell, Hashable],
    contents: Mapping[Cell, str],
    width: int,
    decorations: TextDecorations,
    style: TextStyle,
    *,
    after: int,
    codes: Mapping[Cell, str] | None = None,
) -> str:
    """Return a board with walls between its regions.

    Args:
        regions: the region of each cell of the board.
        contents: the text of each cell, `width` columns wide.
        width: columns of a cell.
        decorations: signs between cells, sums, letters and labels outside the board.
        style: whether to number rows and columns.
        after: columns of a cell after its number.
        codes: the SGR codes of colored cells; between two cells of a region, the colors meet.
    """
    codes = codes or {}
    rows, columns = grid_extent(regions)
    outside = object()
    signs, corners, labels, letters, borders = decorations

    def wall(cell: Cell, other: Cell) -> bool:
        return regions.get(cell, outside) != regions.get(other, outside) or (cell, other) in borders

    def corner(r: int, c: int) -> str:
        """Return the corner below and to the right of a cell."""
        here, right, below, across = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
        walls = (wall(here, right), wall(right, across), wall(below, across), wall(here, below))
        falls, rises = signs.get((here, across), ""), signs.get((right, below))
        return falls if falls not in _SLANTS else _corner(walls, bool(falls) + 2 * bool(rises))

    def side(r: int, c: int) -> str:
        """Return the text between a cell and its neighbour to the right."""
        sign = signs.get(((r, c), (r, c + 1)))
        if sign or wall((r, c), (r, c + 1)):
            return sign or "│"
        return style.paint(" ", codes.get((r, c), ""))

    def edge(r: int, c: int) -> str:
        """Return the text between a cell and the one below it."""
        fill = "─" if wall((r, c), (r + 1, c)) else " "
        if fill == " " and (r, c) in codes:
            return style.paint(" " * width, codes[r, c])
        line = f"{signs.get(((r, c), (r + 1, c)), ''):{fill}^{width}}"
        below = corners.get((r + 1, c), "")
        line = below + line[len(below) :]
        letter = letters.get((r + 1, c), "")
        start = max(1 if width > len(letter) else 0, len(below) + 1 if below else 0)
        return line[:start] + style.paint(letter, BOLD_CODE) + line[start + len(letter) :]

    left = [" ".join(labels.get("left", {}).get(r, ())) for r in range(rows + 1)]
    right = [" ".join(labels.get("right", {}).get(r, ())) for r in range(rows + 1)]
    margin = max(map(len, left)) + 1 if any(left) else 0
    lines = _labels(labels.get("top", {}), columns, width, margin, at_top=True)
    above = len(lines)
    for r in range(rows + 1):
        if r:
            cells = (contents.get((r, c), " " * width) + side(r, c) for c in range(1, columns + 1))
            start = f"{left[r]:>{margin - 1}} " if margin else ""
            lines.append(start + ("│" if wall((r, 0), (r, 1)) else " ") + "".join(cells) + f" {right[r]}")
        edges = (edge(r, c) + corner(r, c) for c in range(1, columns + 1))
        lines.append(" " * margin + corner(r, 0) + "".join(edges))
    lines += _labels(labels.get("bottom", {}), columns, width, margin, at_top=False)
    if style.words:
        places = {above + 2 * r - 1: r for r in range(1, rows + 1)}
        after = min(after, width - len(str(columns)))
        heads = [f"{c:>{width - after}}{'':{after}}" for c in range(1, columns + 1)]
        lines = _numbered(lines, places, heads, margin + 1, style)
    return "\n".join(line.rstrip() for line in lines)


def _corner(walls: Iterable[bool], slants: int) -> str:
    """Return what is at a corner: slants, or else walls above, to the right, below and to the left."""
    return _SLANTS[slants] if slants else _CORNERS[sum(1 << bit for bit, there in enumerate(walls) if there)]


def text_line_sign(pair: tuple[Cell, Cell], number: int) -> str:
    """Return the sign of lines between two neighbours, a cross for none; of those at a corner, a slant or nothing."""
    (r, c), (row, column) = pair
    if r != row and c != column:
        return _SLANTS[1 if c < column else 2] if number else ""
    return (_ACROSS if pair[0][0] == pair[1][0] else _DOWN)[min(number, 2)]


def text_line_strokes(cell: Cell, joins: Mapping[tuple[Cell, Cell], int]) -> str:
    """Return the lines through a cell as three characters, given the numbers of lines between neighbours: `━┓ `."""
    r, c = cell
    sides = (((r - 1, c), cell), (cell, (r, c + 1)), (cell, (r + 1, c)), ((r, c - 1), cell))
    numbers = [joins.get(pair, 0) for pair in sides]
    middle = _JUNCTIONS[sum(1 << i for i, number in enumerate(numbers) if number)]
    if not any(numbers):
        falls, rises = (
            any(joins.get(pair) for pair in (((r - 1, c - x), cell), (cell, (r + 1, c + x)))) for x in (1, -1)
        )
        middle = _SLANTS[falls + 2 * rises]
    if max(numbers) > 1 and middle in {"━", "┃"}:
        middle = "═" if middle == "━" else "║"
    left, right = (_ACROSS[min(numbers[i], 2)] if numbers[i] else " " for i in (3, 1))
    return f"{left}{middle}{right}"


def text_slant(cell: Cell, joins: Mapping[tuple[Cell, Cell], int]) -> str:
    """Return the slants across a cell, given the numbers of lines between its corners; an empty text for none."""
    r, c = cell
    falls, rises = joins.get((cell, (r + 1, c + 1))), joins.get(((r, c + 1), (r + 1, c)))
    return _SLANTS[bool(falls) + 2 * bool(rises)] if falls or rises else ""


def framed_text_edges(
    contents: Mapping[Cell, str],
    width: int,
    lines: Mapping[tuple[Cell, Cell], int],
    none: Collection[tuple[Cell, Cell]],
    style: TextStyle,
) -> str:
    """Return a board with lines along the edges of its cells.

    Args:
        contents: the text of each cell, `width` columns wide.
        width: columns of a cell.
        lines: the pairs of corners that lines join; corner (1, 1) is at the upper left of cell (1, 1).
        none: pairs of corners where it is known that there is none.
        style: whether to number rows and columns.
    """
    rows, columns = grid_extent(contents)
    corners = {(r + y, c + x) for r, c in contents for y in (0, 1) for x in (0, 1)}
    joins = {**dict.fromkeys(none, 0), **lines}

    def sign(cell: Cell, other: Cell) -> str:
        number = joins.get((cell, other))
        return " " if number is None else text_line_sign((cell, other), number)

    drawn = []
    for r in range(1, rows + 2):
        above, line = "", ""
        for c in range(1, columns + 2):
            edge = sign((r, c), (r, c + 1))
            above += text_line_strokes((r, c), lines)[1] if (r, c) in corners else " "
            above += f"{edge:^{width}}" if edge == _CROSS else edge * width
            line += sign((r, c), (r + 1, c)) + contents.get((r, c), " " * width)
        drawn += [above, line] if r <= rows else [above]
    if style.words:
        heads = [f"{c:^{width}}" for c in range(1, columns + 1)]
        drawn = _numbered(drawn, {2 * r - 1: r for r in range(1, rows + 1)}, heads, 1, style)
    return "\n".join(line.rstrip() for line in drawn)


def _numbered(
    lines: Sequence[str], rows: Mapping[int, int], columns: Sequence[str], margin: int, style: TextStyle
) -> list[str]:
    """Return the lines of a board with the numbers of its rows and columns, if lines may be wide enough for them.

    Rows are {index of a line: number}; the numbers of columns are as wide as their cells, after a margin.
    """
    wide, digits = max(visible_text_width(line.rstrip()) for line in lines), len(str(max(rows.values())))
    if wide <= style.width < wide + digits + 1:
        return list(lines)
    numbered = [style.paint(f"{rows.get(i, ''):>{digits}}", DIM_CODE) + f" {line}" for i, line in enumerate(lines)]
    return [" " * (digits + 1 + margin) + style.paint(" ".join(columns).rstrip(), DIM_CODE), *numbered]


def _labels(labels: Mapping[int, Sequence[str]], columns: int, width: int, margin: int, *, at_top: bool) -> list[str]:
    """Return the lines of labels above or below a board, the labels of a column one below the other."""
    high = max(map(len, labels.values()), default=0)
    padded = []
    for c in range(1, columns + 1):
        column, gap = list(labels.get(c, ())), [""] * (high - len(labels.get(c, ())))
        padded.append(gap + column if at_top else column + gap)
    rows = (" ".join(f"{column[i]:^{width}}" for column in padded) for i in range(high))
    return [" " * (margin + 1) + row for row in rows]


def text_color_codes(colors: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """Return the SGR code of each color, by its name in `names` if there is one."""
    keys = sorted(set(colors))
    return text_background_codes(keys, [color_name_in_text(color, names, keys) for color in keys])


def tokens_as_text(
    cells: Mapping[Cell, str | None], style: TextStyle, codes: Mapping[str, str], marked: Collection[Cell] = ()
) -> str:
    """Return the tokens of the cells in rows and columns, `.` for None, with a star before marked cells."""
    rows, columns = grid_extent(cells)
    wide = max(len(str(columns)), *(len(token or EMPTY) for token in cells.values())) + bool(marked)
    margin = len(str(rows))
    lines = [style.paint(" " * (margin + 1) + " ".join(f"{c:>{wide}}" for c in range(1, columns + 1)), DIM_CODE)]
    for r in range(1, rows + 1):
        line = [style.paint(f"{r:>{margin}}", DIM_CODE)]
        for c in range(1, columns + 1):
            token = cells.get((r, c))
            star = "*" if (r, c) in marked and not style.color else ""
            code = MARKED_CODE if (r, c) in marked else codes.get(token or EMPTY, "")
            line.append(style.paint(f"{star + (token or EMPTY):>{wide}}", code))
        lines.append(" ".join(line))
    return "\n".join(lines)
