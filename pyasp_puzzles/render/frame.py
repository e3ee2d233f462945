"""A board drawn as a frame, with walls wherever two regions meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.board import extent

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from pyasp_puzzles.board import Cell

CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""By the walls that meet there: 1 above, 2 to the right, 4 below, 8 to the left."""


def frame(regions: Mapping[Cell, Hashable], contents: Mapping[Cell, str], width: int) -> str:
    """Return the board as lines; `contents` are texts of the visible width, outside the board all is blank."""
    rows, columns = extent(regions)
    outside = object()

    def wall(one: Cell, other: Cell) -> bool:
        return regions.get(one, outside) != regions.get(other, outside)

    def corner(r: int, c: int) -> str:
        """Return the corner below and to the right of a cell."""
        here, right, below, across = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
        walls = (wall(here, right), wall(right, across), wall(below, across), wall(here, below))
        return CORNERS[sum(1 << bit for bit, there in enumerate(walls) if there)]

    lines = []
    for r in range(rows + 1):
        if r:
            cells = (
                contents.get((r, c), " " * width) + ("│" if wall((r, c), (r, c + 1)) else " ")
                for c in range(1, columns + 1)
            )
            lines.append(("│" if wall((r, 0), (r, 1)) else " ") + "".join(cells))
        edges = (("─" if wall((r, c), (r + 1, c)) else " ") * width + corner(r, c) for c in range(1, columns + 1))
        lines.append(corner(r, 0) + "".join(edges))
    return "\n".join(line.rstrip() for line in lines)
