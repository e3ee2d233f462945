"""A board drawn as a frame, with walls wherever two regions meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.grid import extent

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from pyasp_puzzles.grid import Cell

CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""By the walls that meet there: 1 above, 2 to the right, 4 below, 8 to the left."""


class Decorations(NamedTuple):
    """What is printed on a board beside the contents of its cells."""

    signs: Mapping[tuple[Cell, Cell], str] = {}
    """A sign between a cell and its neighbour to the right or below."""
    corners: Mapping[Cell, str] = {}
    """What stands on the upper edge of a cell: the sum of a region, at its first cell."""
    outside: Mapping[str, Mapping[int, Sequence[str]]] = {}
    """Labels outside the board: {"left": {2: ["3", "1"]}} stand left of row 2."""


PLAIN = Decorations()


def frame(
    regions: Mapping[Cell, Hashable], contents: Mapping[Cell, str], width: int, decorations: Decorations = PLAIN
) -> str:
    """Return the board as lines; `contents` are texts of the visible width, outside the board all is blank."""
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
        """Return what stands between a cell and its neighbour to the right."""
        sign = signs.get(((r, c), (r, c + 1)))
        return sign or ("│" if wall((r, c), (r, c + 1)) else " ")

    def edge(r: int, c: int) -> str:
        """Return what stands between a cell and the one below it."""
        line = ("─" if wall((r, c), (r + 1, c)) else " ") * width
        sign = signs.get(((r, c), (r + 1, c)), "")
        if sign:
            line = line[: (width - len(sign)) // 2] + sign + line[(width + len(sign)) // 2 :]
        below = corners.get((r + 1, c), "")
        return below + line[len(below) :]

    left = [" ".join(labels.get("left", {}).get(r, ())) for r in range(rows + 1)]
    right = [" ".join(labels.get("right", {}).get(r, ())) for r in range(rows + 1)]
    margin = max(map(len, left)) + 1 if any(left) else 0
    lines = _above(labels.get("top", {}), columns, width, margin, "bottom")
    for r in range(rows + 1):
        if r:
            cells = (contents.get((r, c), " " * width) + side(r, c) for c in range(1, columns + 1))
            start = f"{left[r]:>{margin - 1}} " if margin else ""
            lines.append(start + ("│" if wall((r, 0), (r, 1)) else " ") + "".join(cells) + f" {right[r]}")
        edges = (edge(r, c) + corner(r, c) for c in range(1, columns + 1))
        lines.append(" " * margin + corner(r, 0) + "".join(edges))
    lines += _above(labels.get("bottom", {}), columns, width, margin, "top")
    return "\n".join(line.rstrip() for line in lines)


def _above(labels: Mapping[int, Sequence[str]], columns: int, width: int, margin: int, level: str) -> list[str]:
    """Return the lines of labels above or below a board, one number below the other, level at the board."""
    high = max(map(len, labels.values()), default=0)
    lines = []
    for i in range(high):
        words = []
        for c in range(1, columns + 1):
            column = list(labels.get(c, ()))
            gap = [""] * (high - len(column))
            words.append(f"{(gap + column if level == 'bottom' else column + gap)[i]:^{width}}")
        lines.append(" " * (margin + 1) + " ".join(words))
    return lines
