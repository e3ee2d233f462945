"""What a drawing of Penpa+ shows of the variants that its rules tell in our sentences: `penpa_drawing` read back.

Reading takes what it knows out of the parts of a drawing; what remains may be rules.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.formats.penpa_drawing import (
    ARROWS,
    BLACK_SYMBOL,
    FOUR,
    GREY,
    OVER,
    SIGNS,
    UNDER,
    WHITE,
    WIDE,
    Points,
)
from pyasp_puzzles.puzzles.keys.lines import line_text
from pyasp_puzzles.puzzles.keys.outside import DIAGONALS, by_side

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.puzzles.variant import Variant

# Arrows of numbers outside, and the words for them.
_WAYS = {mark: next(way for way, step in DIAGONALS.items() if step == at) for at, mark in ARROWS.items()}


def told(variants: Iterable[Variant], rules: str) -> list[Key]:
    """Return the keys of the variants whose sentences are in a text, whatever numbers are in them."""

    def is_in(choices: Iterable[str]) -> bool:
        patterns = (re.sub(r"\\{\w+\\}", "[^.;]{1,40}?", re.escape(one)) for one in choices)
        return any(re.search(pattern, rules) for pattern in patterns)

    return [one.keys[0] for one in variants if one.keys and all(map(is_in, one.instructions or [[one.summary]]))]


def readable(key: Key) -> bool:
    """Return whether the drawing of a key says all of it: not which cells are of one cage or group."""
    look, tool = key.option("picture", {}), key.kind.tool
    is_line = "line" in look and "head" not in key.options
    return is_line or tool in {"sight", "pair", "corner", "mark"} or look.get("cell") == "circle"


class Shown:
    """A drawing whose parts are taken out as they are read."""

    def __init__(
        self, problem: dict[str, Any], colors: Mapping[str, Any], points: Points, cells: Collection[Cell]
    ) -> None:
        self.problem = problem
        self.colors = colors
        self.points = points
        self.cells = cells

    def table(self, part: str) -> Iterator[tuple[str, int, Cell, Any]]:
        """Yield the entries of a part: the number of a point, its kind, its place, and what is there."""
        for key, content in [*(self.problem.get(part) or {}).items()]:
            kind, r, c = self.points.place(key.removesuffix("E"))
            yield key, kind, (r, c), content

    def color(self, part: str, key: object) -> str:
        """Return the color of an entry; empty for the usual one."""
        found = self.colors.get(part)
        if isinstance(found, list):
            return str(found[int(str(key))] or "") if int(str(key)) < len(found) else ""
        return str((found or {}).get(str(key)) or "")

    def take(self, part: str, point: int | str, content: object = None) -> Any:  # noqa: ANN401 (what JSON has)
        """Take out what is at a point, if it is this content, and return it; None if it is not."""
        found = self.problem.get(part) or {}
        for key in (str(point), f"{point}E"):
            if key in found and content in (None, found[key]):
                return found.pop(key)
        return None

    def small(self, cell: Cell) -> str:
        """Take out the first small text of a cell; empty if there is none."""
        first = self.points.corner(cell)
        found = (self.take("numberS", corner) for corner in range(first, first + 4))
        return str(next(filter(None, found), [""])[0])

    def keys(self, keys: Sequence[Key]) -> dict[str, Any]:
        """Return the values of these keys, as in TOML, as far as they are drawn."""
        outside = [key for key in keys if key.kind.tool == "sight" and not key.option("directions")]
        found = {key.name: self._clues(key) for key in keys if key not in outside or len(outside) == 1}
        return {name: value for name, value in found.items() if value}

    def _clues(self, key: Key) -> Any:  # noqa: ANN401 (a value of any key)
        look, tool = key.option("picture", {}), key.kind.tool
        if tool == "sight":
            return [*self._diagonals()] if key.option("directions") else self._labels()
        if tool == "pair":
            return [*self._pairs(key, look)]
        if tool == "corner":
            return [*self._corners()]
        if not readable(key):
            return ""
        if "line" in look:
            return [*self._lines(key, look)]
        cells = [*self._marks(look)]
        return line_text(cells) if cells else ""

    def _lines(self, key: Key, look: Mapping[str, Any]) -> Iterator[str]:
        part = "squareframe" if look.get("width", 0) >= WIDE else "nobulbthermo"
        for i, numbers in enumerate(self.problem.get(part) or ()):
            if not numbers or self.color(part, i) != look["line"]:
                continue
            cells = [self.points.place(number)[1:] for number in numbers]
            self.problem[part][i] = []
            for pair in pairwise(numbers) if look.get("hollow") else ():
                self.take("line", f"{min(pair)},{max(pair)}")
            if look.get("bulb"):
                bulb = [WHITE, "circle_L", OVER] if look.get("hollow") else [GREY, "circle_L", UNDER]
                self.take("symbol", numbers[0], bulb)
            for end in (numbers[0], numbers[-1]) if look.get("ends") else ():
                self.take("symbol", end, [WHITE, f"{look['ends']}_L", OVER])
            yield line_text(cells, self.small(min(cells)) if key.option("value") else None)

    def _pairs(self, key: Key, look: Mapping[str, Any]) -> Iterator[str]:
        tokens, dot = key.option("tokens"), {"black": BLACK_SYMBOL, "white": WHITE}.get(look.get("dot", ""))
        for point, kind, (r, c), content in self.table("number" if tokens else "symbol"):
            pair = [(r, c), (r + 1, c) if kind == 2 else (r, c + 1)]
            if kind not in {2, 3} or not {*pair} <= {*self.cells}:
                continue
            if tokens and content[0] in tokens:
                yield line_text(pair, self.take("number", point)[0])
            elif dot and content == [dot, "circle_SS", OVER]:
                self.take("symbol", point)
                yield line_text(pair, (self.take("number", point) or [key.option("default", "")])[0])
            elif look.get("text") == "greater" and content[1] == "inequality":
                self.take("symbol", point)
                step = {sign: step for step, sign in SIGNS.items()}[content[0]]
                yield line_text(pair if max(step) > 0 else pair[::-1])

    def _corners(self) -> Iterator[str]:
        for point, kind, cell, (text, _, style, *_) in self.table("number"):
            if kind == 1:
                self.take("number", point)
                yield line_text([cell], " ".join(text) if style == FOUR else text)

    def _diagonals(self) -> Iterator[str]:
        for point, kind, (r, c), (text, *_) in self.table("number"):
            number, line, way = str(text).partition("_")
            if kind == 0 and line + way in _WAYS:
                self.take("number", point)
                y, x = DIAGONALS[_WAYS[line + way]]
                yield f"{line_text([(r + y, c + x)])} {_WAYS[line + way]} = {number}"

    def _labels(self) -> dict[str, list[str]]:
        labels = {}
        for point, kind, cell, (text, *_) in self.table("number"):
            if kind == 0 and cell not in self.cells and str(text).isdigit():
                labels[cell] = str(self.take("number", point)[0])
        return by_side(labels, (max(r for r, _ in self.cells), max(c for _, c in self.cells))) or {}

    def _marks(self, look: Mapping[str, Any]) -> Iterator[Cell]:
        for cell in sorted(self.cells):
            point = self.points.cell(*cell)
            fill = look.get("fill") and self.color("surface", point) == look["fill"] and self.take("surface", point)
            shapes = [(name, look[name]) for name in ("square", "circle") if name in look]
            shape = any(
                self.color("symbol", point) == color and self.take("symbol", point, [GREY, f"{name}_L", UNDER])
                for name, color in shapes
            )
            circle = look.get("cell") == "circle" and self.take("symbol", point, [WHITE, "circle_L", UNDER])
            if fill or shape or circle:
                yield cell
                for down, right in SIGNS if look.get("wedges") else ():
                    way = 1 if look["wedges"] == "out" else -1
                    between = self.points.between(cell, (cell[0] + down, cell[1] + right))
                    self.take("symbol", between, [SIGNS[way * down, way * right], "inequality", OVER])
