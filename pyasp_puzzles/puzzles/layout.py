"""`Layout`, what is printed on an empty board (regions, givens, signs, sums, labels), and how a board is drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.facts import name_of
from pyasp_puzzles.boards.grid import EMPTY, Cell, connected_parts
from pyasp_puzzles.puzzles.keys import cells_by_region
from pyasp_puzzles.render.text import (
    BOLD,
    MARKED,
    PREMISE,
    Decorations,
    Style,
    backgrounds,
    color_codes,
    color_name,
    frame,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping

    from pyasp_puzzles.boards.facts import Facts
    from pyasp_puzzles.puzzles.keys import Key
    from pyasp_puzzles.puzzles.puzzle import Instance, Puzzle
    from pyasp_puzzles.render.svg import Drawing

# Letters of a region's name that are shown on its edge.
MOST_LETTERS = 8
NO_NAMES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Layout:
    """What is printed on a board."""

    # Few answers are drawn, so everything is looked up in the facts when it is first needed.

    puzzle: Puzzle
    facts: Facts

    def __reduce__(self) -> tuple[type[Layout], tuple[Puzzle, Facts]]:
        return Layout, (self.puzzle, self.facts)

    @cached_property
    def cells(self) -> Collection[Cell]:
        """The cells on the board."""
        return self.puzzle.cells(self.facts)

    @cached_property
    def regions(self) -> Mapping[Cell, str]:
        """The name of the region of each cell: regions with sums come first; without regions, each cell is one."""
        sums = next((key.options["of"] for key in self._keys("sums")), None)
        wanted = [key for key in self._keys("regions") if (key.name == sums if sums else key.whole)]
        if not wanted:
            return {cell: f"{cell[0]},{cell[1]}" for cell in self.cells}
        return dict.fromkeys(self.cells, "") | self.facts.names(wanted[0].fact)

    @cached_property
    def scattered(self) -> bool:
        """Whether a region is in several parts, so that walls cannot show it."""
        return any(len(connected_parts(members)) > 1 for members in cells_by_region(self.regions).values())

    @cached_property
    def givens(self) -> Mapping[Cell, int]:
        """The numbers that are printed as part of the answer."""
        found = [self.facts.items(key.fact) for key in self._keys("givens")]
        return {cell: int(arguments[-1]) for items in found for cell, arguments in items}

    @cached_property
    def printed(self) -> Mapping[Cell, str]:
        """What else is printed in the cells: numbers and colours."""
        found: dict[Cell, str] = {}
        for key in self._keys("numbers", "colors"):
            for cell, name in self.facts.names(key.fact).items():
                found[cell] = f"{found[cell]} {name}" if cell in found else name
        return found

    @cached_property
    def colors(self) -> Mapping[Cell, str]:
        """The colours of the cells, if a key with a palette or for every cell has them."""
        keys = [key for key in self._keys("colors") if key.option("palette") or key.option("every")]
        return {cell: name for key in keys for cell, name in self.facts.names(key.fact).items()}

    @cached_property
    def codes(self) -> Mapping[Cell, str]:
        """The SGR codes of the colours of the cells."""
        codes = color_codes(self.colors.values(), NO_NAMES)
        return {cell: codes[color] for cell, color in self.colors.items()}

    def named(self, words: str) -> dict[Cell, str]:
        """Return the names of the regions that a sentence names, each in its first cell."""
        nouns = set()
        for key in self._keys("regions"):
            nouns |= {key.fact, key.name.removesuffix("s"), *(["box"] if key.option("boxes") else [])}
        # A name that is a word needs no certain noun; but "row 3" does not name the region 3, nor does "an A".
        certain = "|".join(map(re.escape, sorted(nouns)))
        noun = rf"\b(?i:{certain}|(?!row\b|column\b)[a-z]{{3,}}(?= [^\d\W]))"
        found = {}
        for region, members in cells_by_region(self.regions).items():
            if region in words and re.search(rf"{noun} {re.escape(region)}(?!\w)", words):
                found[min(members)] = region
        return found if nouns else {}

    @cached_property
    def decorations(self) -> Decorations:
        """Signs, sums and labels outside the board."""
        signs: dict[tuple[Cell, Cell], str] = {}
        for key in self._keys("signs"):
            for r, c, row, column, sign in self.facts.arguments(key.fact):
                signs[(int(r), int(c)), (int(row), int(column))] = name_of(sign)
        outside: dict[str, dict[int, list[str]]] = {}
        for key in self._keys("outside"):
            for side, i, *_, value in sorted(self.facts.arguments(key.fact), key=lambda label: label[1:]):
                outside.setdefault(name_of(side), {}).setdefault(int(i), []).append(str(value))
        corners: dict[Cell, str] = {}
        for key in self._keys("sums"):
            of = next(other for other in self.puzzle.keys if other.name == key.options["of"])
            sums = {name_of(region): str(value) for region, value in self.facts.arguments(key.fact)}
            for cell, region in sorted(self.facts.names(of.fact).items()):
                if region in sums:
                    corners[cell] = sums.pop(region)
        return Decorations(signs, corners, outside)

    def labels_of(self, rules: Iterable[str]) -> set[tuple[str, int]]:
        """Return the labels outside the board that rules are about, given their names: `label(left,2)`."""
        names = {key.rule for key in self._keys("outside")}
        found = (re.fullmatch(r'(\w+)\("?(\w+)"?,(\d+)\b.*\)', rule) for rule in rules)
        labels = {(match[2], int(match[3])) for match in found if match and match[1] in names}
        return {(side, line) for side, line in labels if line in self.decorations.outside.get(side, {})}

    def draw(
        self,
        labels: Mapping[Cell, str],
        style: Style,
        marked: Collection[Cell] = (),
        premises: Collection[Cell] = (),
        walls: Mapping[Cell, Hashable] | None = None,
    ) -> str:
        """Return the board in a frame.

        Givens are in parentheses, marked cells between stars, premises in brackets; or all in colour.

        Args:
            labels: the text of the cells.
            style: whether to use colour.
            marked: cells to mark.
            premises: cells that the marked ones follow from.
            walls: the regions to draw walls around, if not those of the board.
        """
        # Walls cannot show scattered regions: each cell has walls then, and a colour or the name of its region.
        scattered = walls is None and self.scattered
        names = sorted(set(self.regions.values())) if scattered else []
        colors = backgrounds(names) if style.color else {}
        sums = self.decorations.corners
        letters = {} if scattered or walls else {c: name[:MOST_LETTERS] for c, name in self.named(style.words).items()}
        edges = [len(sums.get(c, "")) + len(letters.get(c, "")) + 1 for c in {*sums, *letters}]
        wide = max(max(map(len, labels.values()), default=1) + 2, *edges, 0)
        tags = max(map(len, names)) + 1 if scattered else 0
        contents = {}
        for cell in self.cells:
            region = self.regions[cell]
            before, after = " ", " "
            codes = [colors[region]] if colors else []
            tiled = style.color and cell in self.colors
            if tiled:
                codes.append(self.codes[cell])
            if cell in self.givens:
                before, after = (before, after) if style.color else ("(", ")")
                codes.append(BOLD)
            if cell in marked or cell in premises:
                sign = "**" if cell in marked else "[]"
                before, after = (before, after) if style.color and not tiled else (sign[0], sign[1])
                codes.append(BOLD if tiled else MARKED if cell in marked else PREMISE)
            blank = str(self.givens.get(cell, EMPTY)) if walls is None else EMPTY
            label = f"{before}{labels.get(cell, blank)}{after}"
            tag = f"{region:<{tags}}" if scattered else ""
            contents[cell] = style.paint(f"{label:>{wide}}{tag}", *codes)
        regions: Mapping[Cell, Hashable] = {cell: cell for cell in self.regions} if scattered else self.regions
        decorations = self.decorations._replace(letters=letters)
        return frame(regions if walls is None else walls, contents, wide + tags, decorations, style, after=1 + tags)

    def drawing(self, title: str = "", names: Mapping[str, str] = NO_NAMES, words: str = "") -> Drawing:
        """Return the printed board as a `Drawing`.

        Args:
            title: what the drawing is called.
            names: the names of its colours.
            words: a sentence beside it; the regions that it names have their letters.
        """
        from pyasp_puzzles.render.svg import Drawing

        tokens = set(self.colors.values())
        fills = {cell: color_name(token, names, tokens) for cell, token in self.colors.items()}
        printed = {cell: words for cell, words in self.printed.items() if cell not in fills}
        parts = [part for region in cells_by_region(self.regions).values() for part in connected_parts(region)]
        return Drawing(
            tuple(self.cells),
            title,
            regions=self.regions if self._keys("regions") else {},
            tinted=self.scattered,
            letters={min(part): self.regions[min(part)] for part in parts} if self.scattered else self.named(words),
            fills=fills,
            givens={cell: str(value) for cell, value in self.givens.items()},
            printed=printed,
            signs=self.decorations.signs,
            corners=self.decorations.corners,
            labels=self.decorations.outside,
        )

    def _keys(self, *kinds: str) -> list[Key]:
        return [key for key in self.puzzle.keys if key.kind in kinds]


def layout(instance: Instance) -> Layout:
    """Return what is printed on the board of an instance."""
    return Layout(instance.puzzle, instance.facts)
