"""Drawing boards as text: styles, boards with walls, outlines of strips, and coloured boards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards.grid import EMPTY, extent

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell


BOLD = "1"
DIM = "2"
MARKED = "1;97;48;5;160"
"""White on red."""
PREMISE = "30;48;5;222"
"""Black on orange."""
BACKGROUNDS = (224, 153, 157, 229, 183, 216, 159, 253, 218, 151, 187, 147)
"""Light colours of the 256-colour palette with good contrast to black text, neighbours unlike one another."""
NAMED = {
    "red": 203,
    "green": 114,
    "blue": 75,
    "yellow": 227,
    "orange": 215,
    "purple": 177,
    "pink": 218,
    "white": 255,
    "black": 240,
    "gray": 250,
    "brown": 137,
    "cyan": 123,
}


class Style(NamedTuple):
    """Whether to use colour, and how wide the page is."""

    color: bool = False
    width: int = 80

    def paint(self, text: str, *codes: str) -> str:
        """Return the text with these SGR codes, or unchanged without colour."""
        return f"\033[{';'.join(codes)}m{text}\033[0m" if self.color and codes and text else text


def backgrounds(keys: Sequence[str], names: Sequence[str] = ()) -> dict[str, str]:
    """Return the SGR code of a background for each key: the colour of its name, or one of a cycle."""
    cycle = {key: BACKGROUNDS[i % len(BACKGROUNDS)] for i, key in enumerate(dict.fromkeys(keys))}
    named = {key: NAMED[name] for key, name in zip(keys, names, strict=False) if name in NAMED}
    return {key: f"30;48;5;{code}" for key, code in (cycle | named).items()}


def visible(line: str) -> int:
    """Return the number of columns of a line, without its SGR codes."""
    return len(re.sub(r"\033\[[0-9;]*m", "", line))


def side_by_side(blocks: Sequence[str], gap: str = " ") -> str:
    """Return blocks of lines side by side, aligned at the top."""
    columns = [block.split("\n") for block in blocks]
    height = max(map(len, columns))
    padded = []
    for column in columns:
        wide = max(map(visible, column))
        padded.append([line + " " * (wide - visible(line)) for line in column + [""] * (height - len(column))])
    return "\n".join(gap.join(row).rstrip() for row in zip(*padded, strict=True))


CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""By the walls that meet there: 1 above, 2 to the right, 4 below, 8 to the left."""


class Decorations(NamedTuple):
    """What is printed on a board besides the contents of its cells."""

    signs: Mapping[tuple[Cell, Cell], str] = {}
    """A sign between a cell and its neighbour to the right or below."""
    corners: Mapping[Cell, str] = {}
    """The text on the upper edge of a cell: the sum of a region, at its first cell."""
    outside: Mapping[str, Mapping[int, Sequence[str]]] = {}
    """Labels outside the board: {"left": {2: ["3", "1"]}} are left of row 2."""


PLAIN = Decorations()


def frame(
    regions: Mapping[Cell, Hashable], contents: Mapping[Cell, str], width: int, decorations: Decorations = PLAIN
) -> str:
    """Return a board with walls between its regions.

    Args:
        regions: the region of each cell of the board.
        contents: the text of each cell, `width` columns wide.
        width: columns of a cell.
        decorations: signs between cells, sums and labels outside the board.
    """
    rows, columns = extent(regions)
    outside = object()
    signs, corners, labels = decorations

    def wall(one: Cell, other: Cell) -> bool:
        return regions.get(one, outside) != regions.get(other, outside)

    def corner(r: int, c: int) -> str:
        """Return the corner below and to the right of a cell."""
        here, right, below, across = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
        walls = (wall(here, right), wall(right, across), wall(below, across), wall(here, below))
        return CORNERS[sum(1 << bit for bit, there in enumerate(walls) if there)]

    def side(r: int, c: int) -> str:
        """Return the text between a cell and its neighbour to the right."""
        sign = signs.get(((r, c), (r, c + 1)))
        return sign or ("│" if wall((r, c), (r, c + 1)) else " ")

    def edge(r: int, c: int) -> str:
        """Return the text between a cell and the one below it."""
        line = ("─" if wall((r, c), (r + 1, c)) else " ") * width
        sign = signs.get(((r, c), (r + 1, c)), "")
        if sign:
            line = line[: (width - len(sign)) // 2] + sign + line[(width + len(sign)) // 2 :]
        below = corners.get((r + 1, c), "")
        return below + line[len(below) :]

    left = [" ".join(labels.get("left", {}).get(r, ())) for r in range(rows + 1)]
    right = [" ".join(labels.get("right", {}).get(r, ())) for r in range(rows + 1)]
    margin = max(map(len, left)) + 1 if any(left) else 0
    lines = _labels(labels.get("top", {}), columns, width, margin, at_top=True)
    for r in range(rows + 1):
        if r:
            cells = (contents.get((r, c), " " * width) + side(r, c) for c in range(1, columns + 1))
            start = f"{left[r]:>{margin - 1}} " if margin else ""
            lines.append(start + ("│" if wall((r, 0), (r, 1)) else " ") + "".join(cells) + f" {right[r]}")
        edges = (edge(r, c) + corner(r, c) for c in range(1, columns + 1))
        lines.append(" " * margin + corner(r, 0) + "".join(edges))
    lines += _labels(labels.get("bottom", {}), columns, width, margin, at_top=False)
    return "\n".join(line.rstrip() for line in lines)


def _labels(labels: Mapping[int, Sequence[str]], columns: int, width: int, margin: int, *, at_top: bool) -> list[str]:
    """Return the lines of labels above or below a board, the labels of a column one below the other."""
    high = max(map(len, labels.values()), default=0)
    padded = []
    for c in range(1, columns + 1):
        column, gap = list(labels.get(c, ())), [""] * (high - len(labels.get(c, ())))
        padded.append(gap + column if at_top else column + gap)
    rows = (" ".join(f"{column[i]:^{width}}" for column in padded) for i in range(high))
    return [" " * (margin + 1) + row for row in rows]


def outline(strips: Mapping[Cell, Hashable], marked: Collection[Cell] = ()) -> str:
    """Return the outlines of strips, given the strip of each cell, with a star in marked cells."""
    rows, columns = extent(strips)
    lines = []
    for r in range(rows + 1):
        line = ""
        for c in range(1, columns + 2):
            here = strips.get((r, c))
            line += "|" if r and here != strips.get((r, c - 1)) else " "
            if c <= columns:
                bottom = "_" if here != strips.get((r + 1, c)) else " "
                line += "*" if (r, c) in marked else bottom
        lines.append(line.rstrip())
    return "\n".join(lines)


def color_codes(colors: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """Return the SGR code of each colour, by its name in `names` if there is one."""
    keys = sorted(set(colors))
    return backgrounds(keys, [names.get(color, color) for color in keys])


def picture(
    cells: Mapping[Cell, str | None], style: Style, codes: Mapping[str, str], marked: Collection[Cell] = ()
) -> str:
    """Return the tokens of the cells in rows and columns, `.` for None, with a star before marked cells."""
    rows, columns = extent(cells)
    wide = max(len(str(columns)), *(len(token or EMPTY) for token in cells.values())) + bool(marked)
    margin = len(str(rows))
    lines = [style.paint(" " * (margin + 1) + " ".join(f"{c:>{wide}}" for c in range(1, columns + 1)), DIM)]
    for r in range(1, rows + 1):
        line = [style.paint(f"{r:>{margin}}", DIM)]
        for c in range(1, columns + 1):
            token = cells.get((r, c))
            star = "*" if (r, c) in marked and not style.color else ""
            code = MARKED if (r, c) in marked else codes.get(token or EMPTY)
            line.append(style.paint(f"{star + (token or EMPTY):>{wide}}", *filter(None, [code])))
        lines.append(" ".join(line))
    return "\n".join(lines)
