"""Symbols in cells as SVG, or filling them: stars, trees, walls and the like; `FIGURE_SIGNS` has their names.

Symbol  "star": a name in `FIGURE_SIGNS`
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from pyasp_puzzles.render.theme import UNIT

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pyasp_puzzles.boards.grid import Cell

# Figures that fill their cell, by the class of their color; they are behind lines and frames.
FILLING_SYMBOLS: Mapping[str, str] = MappingProxyType(
    {"wall": "shaded", "sums": "shaded", "grey": "grey", "water": "water", "light": "light"}
)
# The walls, on which numbers are light.
SHADED_SYMBOLS = frozenset(name for name, color in FILLING_SYMBOLS.items() if color == "shaded")
# The other figures, around the middle of a cell; frames surround them, and are visible behind them.
_SPIKES = "M-13,0H13M0,-13V13M-9.2,-9.2L9.2,9.2M-9.2,9.2L9.2,-9.2"
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
        "white pearl": '<circle fill="#fff" stroke="#111" stroke-width="1.5" r="12"/>',
        "black pearl": '<circle fill="#111" stroke="#999" stroke-width="1.5" r="12"/>',
    }
)
# The figure whose parts are joined in cells that share a side: pixels from the middle of a cell to its sides.
JOINED_SYMBOL, _HALF = "ship", 13
# Printed parts: {name: the step to the next part}; None if it is unknown, as for a middle part.
PARTS: Mapping[str, Cell | None] = MappingProxyType(
    {"north end": (1, 0), "east end": (0, -1), "south end": (-1, 0), "west end": (0, 1), "middle": None}
)
_BESIDE = ((-1, 0), (0, 1), (1, 0), (0, -1))


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
    found = SHAPES.get(name) or _part(cell, joined, unknown)
    return f'<g transform="translate({(cell[1] - 0.5) * UNIT:g},{(cell[0] - 0.5) * UNIT:g})">{found}</g>'


def _part(cell: Cell, joined: Collection[Cell], unknown: Collection[Cell]) -> str:
    """Return the part of a figure in a cell, clockwise from its upper left corner."""
    r, c = cell
    up, right, down, left = beside = [(r + y, c + x) for y, x in _BESIDE]
    top, east, low, west = (UNIT // 2 if one in joined else _HALF for one in beside)
    corners = ((-west, -top, left, up), (east, -top, up, right), (east, low, right, down), (-west, low, down, left))
    path = ""
    for i, (x, y, *sides) in enumerate(corners):
        radius = 0 if any(one in joined or one in unknown for one in sides) else _HALF
        before, after = [(0, 1), (-1, 0), (0, -1), (1, 0)][i], [(1, 0), (0, 1), (-1, 0), (0, -1)][i]
        path += f"{'L' if path else 'M'}{x + radius * before[0]},{y + radius * before[1]}"
        path += f"A{radius},{radius},0,0,1,{x + radius * after[0]},{y + radius * after[1]}" if radius else ""
    return f'<path class="solid" d="{path}z"/>'
