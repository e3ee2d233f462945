"""`Printed`, what is printed on an empty board (regions, givens, signs, sums, labels), and how a board is drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.facts import name_of
from pyasp_puzzles.boards.grid import EMPTY, Cell, connected_parts
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.keys import cells_by_region
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
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

    from pyasp_puzzles.boards.facts import Facts
    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.render.svg import Drawing

# Several numbers, and the places that sentences name: "row 1, column 2", "rows 2 and 3 of column 1", "rows 1 to 3".
_NUMBERS = r"\d{1,4}(?:, \d{1,4})*,? (?:and|or) \d{1,4}"
_PLACES = re.compile(
    rf"\b(?:[Rr]ow (?P<row>\d{{1,4}})|[Rr]ows (?:(?P<first>\d{{1,4}}) to (?P<last>\d{{1,4}})|(?P<rows>{_NUMBERS}))"
    rf"|(?=[Cc]olumn))(?:(?:,? | of )?[Cc]olumn(?: (?P<column>\d{{1,4}})|s (?P<columns>{_NUMBERS})))?(?!\w)"
)
NO_NAMES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Printed:
    """What is printed on a board."""

    # Few answers are drawn, so everything is looked up in the facts when it is first needed.

    cells: Collection[Cell]
    """The cells on the board."""
    keys: Sequence[Key]
    facts: Facts

    def __reduce__(self) -> tuple[type[Printed], tuple[object, ...]]:
        return Printed, (tuple(self.cells), self.keys, self.facts)

    @cached_property
    def regions(self) -> Mapping[Cell, str]:
        """The name of the region of each cell: regions with sums come first; without regions, each cell is one."""
        if not self._region_keys:
            return {cell: f"{cell[0]},{cell[1]}" for cell in self.cells}
        return dict.fromkeys(self.cells, "") | self.facts.names(self._region_keys[0].fact)

    @cached_property
    def _region_keys(self) -> list[Key]:
        """The key of the regions that are shown, if there is one: first of those with sums."""
        sums = next((key.options["of"] for key in self._keys("sums")), None)
        return [key for key in self._keys("regions") if (key.name == sums if sums else key.whole)][:1]

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
    def texts(self) -> Mapping[Cell, str]:
        """What else is printed in the cells: numbers and colors."""
        found: dict[Cell, str] = {}
        for key in self._keys("numbers", "colors"):
            for cell, name in self.facts.names(key.fact).items():
                found[cell] = f"{found[cell]} {name}" if cell in found else name
        return found

    @cached_property
    def colors(self) -> Mapping[Cell, str]:
        """The colors of the cells, if a key with a palette or for every cell has them."""
        keys = [key for key in self._keys("colors") if key.option("palette") or key.option("every")]
        return {cell: name for key in keys for cell, name in self.facts.names(key.fact).items()}

    @cached_property
    def codes(self) -> Mapping[Cell, str]:
        """The SGR codes of the colors of the cells."""
        codes = color_codes(self.colors.values(), NO_NAMES)
        return {cell: codes[color] for cell, color in self.colors.items()}

    @cached_property
    def _nouns(self) -> str:
        """A pattern of what people call regions; it matches nothing if there are none."""
        nouns = set()
        for key in self._keys("regions"):
            nouns |= {key.fact, key.name.removesuffix("s"), *(["box"] if key.option("boxes") else [])}
        return "|".join(map(re.escape, sorted(nouns))) or r"(?!)"

    def _names_in(self, words: str) -> dict[str, str]:
        """Return the regions that a sentence names, each with the words that do: {"M": "block M"}."""
        if not self._keys("regions"):
            return {}
        # A name that is a word needs no certain noun; but "row 3" does not name the region 3, nor does "an A".
        noun = rf"\b(?i:{self._nouns}|(?!row\b|column\b)[a-z]{{3,}}(?= [^\d\W]))"
        found = {}
        for region in dict.fromkeys(self.regions.values()):
            match = re.search(rf"{noun} {re.escape(region)}(?!\w)", words) if region in words else None
            if match:
                found[region] = match[0]
        return found

    def named(self, words: str) -> dict[Cell, str]:
        """Return the names of the regions that a sentence names, each in its first cell."""
        members = cells_by_region(self.regions)
        return {min(members[region]): region for region in self._names_in(words)}

    def places(self, words: str, subject: Cell | None = None) -> dict[str, list[Cell]]:
        """Return the words of a sentence that name cells of the board, with these cells: {"row 2": [(2, 1), ...]}.

        Args:
            words: the sentence.
            subject: the cell that it is about, for "its row".
        """
        found: dict[str, set[Cell]] = {}
        for match in _PLACES.finditer(words):
            rows, columns = (
                set() if numbers is None else set(map(int, re.findall(r"\d+", numbers)))
                for numbers in (match["row"] or match["rows"], match["column"] or match["columns"])
            )
            if match["first"] and match["last"]:
                rows |= set(range(int(match["first"]), int(match["last"]) + 1))
            if rows or columns:
                inside = ((r, c) for r, c in self.cells if (not rows or r in rows) and (not columns or c in columns))
                found[match[0]] = set(inside)
        for region, name in self._names_in(words).items():
            found[name] = {cell for cell in self.cells if self.regions[cell] == region}
        if subject is not None and subject in self.regions:
            own = self.regions[subject]
            for match in re.finditer(rf"\b[Ii]ts (?:(row)|(column)|(?:{self._nouns}))\b", words):
                same = {cell for cell in self.cells if self.regions[cell] == own}
                row, column = ({cell for cell in self.cells if cell[i] == subject[i]} for i in (0, 1))
                found[match[0]] = row if match[1] else column if match[2] else same
        return {name: sorted(cells) for name, cells in found.items() if cells}

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
            of = next(other for other in self.keys if other.name == key.options["of"])
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
        *,
        narrow: bool = False,
    ) -> str:
        """Return the board in a frame.

        Givens are in parentheses, marked cells between stars, premises in brackets; or all in color.

        Args:
            labels: the text of the cells.
            style: whether to use color.
            marked: cells to mark.
            premises: cells that the marked ones follow from.
            walls: the regions to draw walls around, if not those of the board.
            narrow: whether cells have no room for marks, so that more boards fit side by side.
        """
        # Walls cannot show scattered regions: each cell has walls then, and a color or the name of its region.
        scattered = walls is None and self.scattered
        names = sorted(set(self.regions.values())) if scattered else []
        colors = backgrounds(names) if style.color else {}
        sums = self.decorations.corners
        letters = (
            {}
            if scattered or walls
            else {c: name[: Limits.MOST_LETTERS_OF_REGION] for c, name in self.named(style.words).items()}
        )
        edges = [len(sums.get(c, "")) + len(letters.get(c, "")) + 1 for c in {*sums, *letters}]
        wide = max(max(map(len, labels.values()), default=1) + (0 if narrow else 2), *edges, 0)
        tags = max(map(len, names)) + 1 if scattered else 0
        contents = {}
        for cell in self.cells:
            region = self.regions[cell]
            before, after = ("", "") if narrow else (" ", " ")
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
        shown = regions if walls is None else walls
        tiles = self.codes if style.color else {}
        return frame(shown, contents, wide + tags, decorations, style, after=(not narrow) + tags, codes=tiles)

    def drawing(self, title: str = "", names: Mapping[str, str] = NO_NAMES, words: str = "") -> Drawing:
        """Return the printed board as a `Drawing`.

        Args:
            title: what the drawing is called.
            names: the names of its colors.
            words: a sentence beside it; the regions that it names have their letters.
        """
        from pyasp_puzzles.render.svg import Drawing

        tokens = set(self.colors.values())
        fills = {cell: color_name(token, names, tokens) for cell, token in self.colors.items()}
        printed = {cell: words for cell, words in self.texts.items() if cell not in fills}
        linked = self.scattered or any(key.option("linked") for key in self._region_keys)
        groups = cells_by_region(self.regions).values()
        parts = [part for region in groups for part in connected_parts(region, corners=True)]
        return Drawing(
            tuple(self.cells),
            title,
            regions=self.regions if self._keys("regions") else {},
            linked=linked,
            letters={min(part): self.regions[min(part)] for part in parts} if linked else self.named(words),
            fills=fills,
            givens={cell: str(value) for cell, value in self.givens.items()},
            printed=printed,
            signs=self.decorations.signs,
            corners=self.decorations.corners,
            labels=self.decorations.outside,
        )

    def _keys(self, *kinds: str) -> list[Key]:
        return [key for key in self.keys if key.kind in kinds]
