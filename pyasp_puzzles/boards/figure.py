"""`Figure`: a line, a cage, a dot or the like on a board.

Figure  Figure({"line": "#cfcfcf", "width": 0.35, "bulb": "round"}, ((1, 1), (1, 2))): a thermometer
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyasp_puzzles.boards.grid import Cell


class Figure(NamedTuple):
    """A line, a cage, a dot or the like that a key prints on a board."""

    look: Mapping[str, Any]
    """How it looks, as the `picture` of the key says: `puzzles/keys/lines.py` lists what there is."""
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
        if self.look.get("text") not in {"sign", "greater"} or not touching(self.cells):
            return None
        one, other = self.cells
        pair = (min(one, other), max(one, other))
        if self.text:
            return pair, self.text
        return pair, (">" if one < other else "<") if one[0] == other[0] else ("v" if one < other else "^")


def touching(cells: tuple[Cell, ...]) -> bool:
    """Return whether these are two cells that share an edge."""
    return len(cells) == 2 and abs(cells[0][0] - cells[1][0]) + abs(cells[0][1] - cells[1][1]) == 1
