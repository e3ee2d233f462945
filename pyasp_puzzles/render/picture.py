"""A coloured board drawn as a grid of tokens, its rows and columns numbered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.grid import EMPTY, extent
from pyasp_puzzles.render.style import DIM, MARKED, Style, backgrounds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pyasp_puzzles.grid import Cell


def paints(colors: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """Return the SGR code of each colour: of the colour that people call it, where that is known."""
    keys = sorted(set(colors))
    return backgrounds(keys, [names.get(color, color) for color in keys])


def picture(
    cells: Mapping[Cell, str | None], style: Style, codes: Mapping[str, str], marked: Collection[Cell] = ()
) -> str:
    """Return the tokens of the cells in rows and columns, `.` for None; there is a star before marked cells."""
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
