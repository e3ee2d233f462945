"""`Figure`: a line, a cage, a dot or the like on a board, and its look, as declared.

Figure  Figure({"line": "#cfcfcf", "width": 0.35, "bulb": "round"}, ((1, 1), (1, 2))): a thermometer
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pyasp_puzzles.boards.grid import are_neighbors
from pyasp_puzzles.errors import listing, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.boards.toml import Table

# {directions that a printed piece of a line joins: its sign in text}
TRACKS: Mapping[str, str] = MappingProxyType(
    {"nesw": "╬", "ns": "║", "ew": "═", "ne": "╚", "nw": "╝", "es": "╔", "sw": "╗"}
)
# {figure that a cell may have: its sign in text}
FIGURE_SIGNS: Mapping[str, str] = MappingProxyType(
    {
        "wall": "\N{FULL BLOCK}",
        "grey": "\N{MEDIUM SHADE}",
        "water": "\N{ALMOST EQUAL TO}",
        "star": "\N{BLACK STAR}",
        "bulb": "\N{WHITE SUN WITH RAYS}",
        "mine": "\N{BLACK CIRCLE}",
        "tent": "\N{BLACK UP-POINTING TRIANGLE}",
        "tree": "\N{BLACK CLUB SUIT}",
        "ship": "\N{BLACK SQUARE}",
        "north end": "\N{INTERSECTION}",
        "east end": "\N{SUPERSET OF}",
        "south end": "\N{UNION}",
        "west end": "\N{SUBSET OF}",
        "middle": "\N{BLACK SQUARE}",
        "sums": "\N{FULL BLOCK}",
        "circle": "\N{WHITE CIRCLE}",
        "quarters": "\N{MULTIPLICATION X}",
        "frame": "\N{WHITE SQUARE}",
        "white pearl": "\N{WHITE CIRCLE}",
        "black pearl": "\N{BLACK CIRCLE}",
        "northwest half": "◤",
        "northeast half": "◥",
        "southeast half": "◢",
        "southwest half": "◣",
        "falling slant": "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER LEFT TO LOWER RIGHT}",
        "rising slant": "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}",
        **{f"{ways} line": sign for ways, sign in TRACKS.items()},
    }
)
# Figures that fill their cell, by the class of their color; they are behind lines and frames.
FILLING_SYMBOLS: Mapping[str, str] = MappingProxyType(
    {"wall": "shaded", "sums": "shaded", "grey": "grey", "water": "water", "light": "light"}
)
# The walls, on which numbers are light.
SHADED_SYMBOLS = frozenset(name for name, color in FILLING_SYMBOLS.items() if color == "shaded")
# What a `picture` says about the figures of a key. Colors are "#rrggbb" or "#rgb", and are toned down behind numbers.
# The number of a line, a cage or a fill is in the corner of a cell.
_COLOR = "#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?", "a color such as #9fc5e8"
_LOOKS: Mapping[str, type | tuple[str, str]] = MappingProxyType(
    {
        "line": _COLOR,  # a line through the cells
        "width": float,  # its width, as a part of a cell
        "hollow": bool,  # only its outline
        "bulb": ("round", "round"),  # on the first cell of a line
        "end": ("arrow", "arrow"),  # on its last cell
        "ends": ("circle|diamond", "circle or diamond"),  # on both; the head of a line always has a circle or a pill
        "fill": _COLOR,  # whole cells
        "hatch": (r"[/\\|-]", "/, \\, | or -"),  # lines across what is filled
        "square": _COLOR,  # a filled square in each cell
        "circle": _COLOR,
        # A figure in each cell, or one for each name: { w = "white pearl", b = "black pearl" }.
        "cell": ("|".join(FIGURE_SIGNS), f"one of: {listing(FIGURE_SIGNS)}"),
        "borders": bool,  # between different numbers of an answer
        "light": bool,  # what lies in the lines of each shaded cell, as far as the next wall
        "outline": ("dashed|dotted|mixed|solid", "dashed, dotted, mixed or solid"),  # a cage
        "color": _COLOR,  # its color
        "wedges": ("in|out", "in or out"),  # small wedges at the sides of a cell
        "dot": ("white|black", "white or black"),  # a dot between two cells, with its number
        # A sign between two cells, > or <, or small numbers in the cell; the number that dots leave out.
        "text": (r"sign|greater|small|unless \d+", "sign, greater, small, or unless and a number"),
        "corners": ("circle", "circle"),  # the numbers in a circle where four cells meet
        "arrow": bool,  # a number outside the board, with an arrow along a diagonal
        "diagonals": ("both|falling|rising", "both, falling or rising"),  # of the board, for variants without a key
        "windows": bool,  # between the boxes of the board, for variants without a key
    }
)
# Dots with numbers from 1 on, in text.
_NUMBERED = {
    "white": "\u2460\u2461\u2462\u2463\u2464\u2465\u2466\u2467\u2468",
    "black": "\u2776\u2777\u2778\u2779\u277a\u277b\u277c\u277d\u277e",
}
_DOTS = {"white": "\N{WHITE CIRCLE}", "black": "\N{BLACK CIRCLE}"}


def look(table: Table) -> Mapping[str, Any]:
    """Return the `picture` of a declaration; {} if it has none.

    Raises:
        PuzzleError: an unknown word, or a wrong value.
    """
    picture = table.table("picture")
    if picture is None:
        return {}
    picture.check_names(_LOOKS)
    look: dict[str, Any] = {}
    for name in picture.names():
        kind = _LOOKS[name]
        value = look[name] = picture.get(name, object)
        if isinstance(kind, tuple):
            for word in value.values() if name == "cell" and isinstance(value, dict) else [value]:
                if not (isinstance(word, str) and re.fullmatch(kind[0], word)):
                    raise picture.error(f"{picture.path(name)} is {shown(word)}, expected {kind[1]}", name)
        elif isinstance(value, bool) != (kind is bool) or not isinstance(value, (bool, int, float)):
            expected = "true or false" if kind is bool else "a number"
            raise picture.error(f"{picture.path(name)} is {shown(value)}, expected {expected}", name)
    return look


class Figure(NamedTuple):
    """A line, a cage, a dot or the like that a key prints on a board."""

    look: Mapping[str, Any]
    """How it looks, as the `picture` of the key says: `_LOOKS` lists what there is."""
    cells: tuple[Cell, ...]
    head: tuple[Cell, ...] = ()
    """The cells of its head, such as the circle of an arrow."""
    text: str = ""
    """Its number or sign."""
    closed: bool = False
    """Whether its line leads back to its first cell."""

    @property
    def corner(self) -> str:
        """The text for the corner of its first cell: its number, unless the picture has another place for it."""
        return self.text if self.look.keys() & {"outline", "line", "fill"} else ""

    @property
    def sign(self) -> tuple[tuple[Cell, Cell], str] | None:
        """The sign between two cells that share an edge, the first of them above or left of the second."""
        if self.look.get("text") not in {"sign", "greater"} or not are_neighbors(self.cells):
            return None
        first, other = self.cells
        pair = (min(first, other), max(first, other))
        if self.text:
            return pair, self.text
        return pair, (">" if first < other else "<") if first[0] == other[0] else ("v" if first < other else "^")

    @property
    def number(self) -> str:
        """The number that its dot shows: none if it is the usual one."""
        return "" if self.look.get("text") == f"unless {self.text}" else self.text

    @property
    def step(self) -> Cell:
        """The step along its diagonal, in rows and columns; from a single cell in a corner, the step into the board."""
        down, right = ((b > a) - (b < a) or 1 - 2 * (a > 1) for a, b in zip(self.cells[0], self.cells[-1], strict=True))
        return down, right

    @property
    def in_text(self) -> tuple[tuple[Cell, Cell], str] | None:
        """The sign or dot that text shows between two cells; None if text does not show the figure.

        Cells at a corner are diagonal neighbours: the sign is on it if there is room, for one character.
        """
        if self.look.get("corners") and len(self.text) == 1:
            [(r, c)] = self.cells
            return ((r, c), (r + 1, c + 1)), self.text
        color = self.look.get("dot")
        if color is None or not are_neighbors(self.cells):
            return self.sign
        dots = _NUMBERED[color] if self.number else _DOTS[color]
        place = int(self.number or 1) - 1
        return ((min(self.cells), max(self.cells)), dots[place]) if 0 <= place < len(dots) else None
