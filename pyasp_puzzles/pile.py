"""`Pile`, the ribbons of a Strata board as they come off from the top, and what is still uncovered.

How many colours a line may show that comes off, the grounding says: `encodings/modes/strata-peel.lp`.

Line    3, an index into the lines of the board, rows before columns
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from .errors import EncodingError, Where
from .laying import lines_of, names_of, place_of
from .render.picture import paints, picture
from .symbols import text

if TYPE_CHECKING:
    from pathlib import Path

    from clingo import Symbol

    from .grid import Cell
    from .puzzle import Instance
    from .render.style import Style
    from .search import Search
    from .step import Sketch


class Pile:
    """The lines of a board, and which of them are off.

    Args:
        instance: the board.
        search: its grounding, with the mode that says what may come off.
        blamed: the encoding to blame if that says nothing.

    Raises:
        EncodingError: it does not say of all lines when they come off, or where they cross at a colour.
    """

    def __init__(self, instance: Instance, search: Search, blamed: Path | None = None) -> None:
        self.names = names_of(instance)
        """What people call the colours."""
        self.lines = sorted(lines_of(instance), key=lambda line: (line.name != "row", line.arguments[0].number))
        """The lines as the encoding has them."""
        self.places = [place_of(line) for line in self.lines]
        """The lines as people call them: `("column", 2)`."""
        self.number = {line: i for i, line in enumerate(self.lines)}
        self.off: dict[int, int] = {}
        """The lines that are off, and the number of the step that took each off."""
        self.shown: list[dict[Symbol, set[int]]] = [{} for _ in self.lines]
        """The colours that a line shows, and the lines, of those that are not off, that it shows them to lie over."""
        self._crossing: list[dict[int, Symbol]] = [{} for _ in self.lines]
        """The lines that cross a line at a coloured cell, and the colour."""
        self._limit: dict[int, int] = {}
        """How many colours a line may show that comes off."""
        self._read(search)
        if not self._complete(instance):
            message = "nothing to peel, expected line/1 and crossing/3 for every line and tile, as in strata.lp"
            raise EncodingError(message, Where(str(blamed)) if blamed else None)

    def _read(self, search: Search) -> None:
        """Take down what the grounding says of the lines."""
        for symbol in search.facts("limit", 3):
            _, line, most = symbol.arguments
            if line in self.number:
                self._limit[self.number[line]] = most.number
        for symbol in search.facts("crossing", 3):
            line, other, color = symbol.arguments
            one, two = self.number.get(line), self.number.get(other)
            if one is not None and two is not None:
                self._crossing[one][two] = color
                self.shown[one].setdefault(color, set()).add(two)

    def _complete(self, instance: Instance) -> bool:
        """Tell whether something is known of every line and every tile."""
        index = {place: line for line, place in enumerate(self.places)}
        return len(self._limit) == len(self.lines) and all(
            self._crossing[index["row", r]].get(index["column", c]) == color
            and self._crossing[index["column", c]].get(index["row", r]) == color
            for (r, c), color in instance.facts.cells("tile").items()
        )

    def ready(self, line: int) -> bool:
        """Tell whether a line can come off."""
        return len(self.shown[line]) <= self._limit[line]

    def take_off(self, line: int, step: int) -> list[int]:
        """Take a line off in a step, and return the lines that can come off only now."""
        self.off[line] = step
        ready = []
        for other, shown in enumerate(self.shown):
            color = self._crossing[other].get(line)
            if color is not None and other not in self.off:
                before = self.ready(other)
                shown[color].remove(line)
                if not shown[color]:
                    del shown[color]
                if self.ready(other) and not before:
                    ready.append(other)
        return ready

    def after(self, line: int) -> tuple[int, ...]:
        """Return the steps that took off the lines over which a line would show colours that it does not show now."""
        gone = [other for other, color in self._crossing[line].items() if color not in self.shown[line]]
        return tuple(sorted(self.off[other] for other in gone))

    def cells(self, line: int) -> tuple[Cell, ...]:
        """Return the coloured cells along a line that are still uncovered."""
        return tuple(sorted(self._cell(line, other) for others in self.shown[line].values() for other in others))

    def _cell(self, line: int, other: int) -> Cell:
        (name, index), (_, crossed) = self.places[line], self.places[other]
        return (index, crossed) if name == "row" else (crossed, index)

    def called(self, color: Symbol) -> str:
        """Return what people call a colour."""
        return self.names.get(text(color), text(color))

    @cached_property
    def _tiles(self) -> dict[Cell, str]:
        lines = enumerate(self._crossing)
        return {self._cell(line, other): text(color) for line, along in lines for other, color in along.items()}

    def draw(self, step: int, sketch: Sketch, style: Style) -> str:
        """Return a picture of what is uncovered just before a step, now or earlier."""
        off = {place: self.off.get(line, step) < step for line, place in enumerate(self.places)}
        board = {
            (r, c): None if off["row", r] or off["column", c] else self._tiles.get((r, c))
            for r in (index for name, index in self.places if name == "row")
            for c in (index for name, index in self.places if name == "column")
        }
        return picture(board, style, paints(self._tiles.values(), self.names), sketch.marked)
