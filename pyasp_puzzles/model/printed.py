"""`Printed`, what is printed on an empty board: regions, givens, signs, sums, labels; `frame_board`, it as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.symbols import UNKNOWN
from pyasp_puzzles.boards.facts import fact_text
from pyasp_puzzles.boards.figure import FIGURE_SIGNS, Figure
from pyasp_puzzles.boards.grid import EMPTY, Cell, connected_cells, grid_extent
from pyasp_puzzles.boards.regions import cells_by_region, windows
from pyasp_puzzles.errors import listing
from pyasp_puzzles.model.keys import KeyLayer, KeyOutline
from pyasp_puzzles.render.text import (
    BOLD_CODE,
    TextDecorations,
    TextMarks,
    color_name_in_text,
    framed_text_board,
    text_background_codes,
    text_color_codes,
    text_line_sign,
    text_line_strokes,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.facts import Facts
    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.render.svg import Drawing
    from pyasp_puzzles.render.text import TextStyle

# Letters of a region's name that are shown on its edge, in text.
_MOST_LETTERS_OF_REGION = 8
_NO_NAMES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Printed:
    """What is printed on a board."""

    # Few answers are drawn, so everything is looked up in the facts when it is first needed. An explanation asks for
    # `regions` and `givens` thousands of times: without these caches, it takes a sixth longer.

    cells: Collection[Cell]
    """The cells on the board."""
    keys: Sequence[Key]
    facts: Facts
    pictures: Sequence[Mapping[str, Any]] = ()
    """How rules look that have no key: `{"diagonals": "both", "line": "#9f9f9f"}`."""
    unseen: Sequence[str] = ()
    """The names of rules that have no picture."""
    look: Mapping[str, Any] = field(default_factory=dict)
    """How what is filled in looks."""

    def __reduce__(self) -> tuple[type[Printed], tuple[object, ...]]:
        return Printed, (tuple(self.cells), self.keys, self.facts, self.pictures, self.unseen, {**self.look})

    @property
    def _outline(self) -> KeyOutline:
        return KeyOutline(self.cells, self.facts, self.keys)

    @cached_property
    def _layers(self) -> list[tuple[Key, KeyLayer]]:
        """What each key prints."""
        return [(key, key.kind.draw(key, self._outline)) for key in self.keys if key.predicate]

    @cached_property
    def regions(self) -> Mapping[Cell, str]:
        """The name of the region of each cell: regions with sums come first; without regions, each cell is one."""
        if not self._region_keys:
            return {cell: f"{cell[0]},{cell[1]}" for cell in self.cells}
        [shown] = self._region_keys
        return {**dict.fromkeys(self.cells, ""), **shown.kind.draw(shown, self._outline).regions}

    @property
    def _region_keys(self) -> list[Key]:
        """The key of the regions that are shown, if there is one: first of those with sums."""
        sums = next((key.options["of"] for key in self.keys if key.option("of")), None)
        regions = (key for key in self.keys if key.kind.role == "regions")
        return [key for key in regions if (key.name == sums if sums else key.whole)][:1]

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Lines, cages, dots and the like: of rules without a key first, as they are the largest."""
        own = (one for picture in self.pictures for one in _whole_board(picture, self.cells))
        return (*own, *(figure for _, layer in self._layers for figure in layer.figures))

    @property
    def caption(self) -> str:
        """What cannot be seen on the board: the names of rules without a picture."""
        return f"with {listing(self.unseen, 'and')}" if self.unseen else ""

    def legend(self) -> str:
        """Return what the board does not show as text: keys with figures, and rules without a picture."""
        hidden = (key.name for key, layer in self._layers if any(one.in_text is None for one in layer.figures))
        words = [name.replace("_", " ") for name in hidden]
        return f"with {listing([*words, *self.unseen], 'and')}" if words or self.unseen else ""

    @property
    def scattered(self) -> bool:
        """Whether a region is in several parts, so that walls cannot show it."""
        return any(len(connected_cells(members)) > 1 for members in cells_by_region(self.regions).values())

    @cached_property
    def givens(self) -> Mapping[Cell, int]:
        """The numbers that are printed as part of the answer."""
        return {cell: number for _, layer in self._layers for cell, number in layer.givens.items()}

    @property
    def symbols(self) -> Mapping[Cell, str]:
        """The figures that are printed in cells: stars, trees, walls."""
        found: dict[Cell, str] = {}
        for key, layer in self._layers:
            figure = key.option("picture", _NO_NAMES).get("cell") if key.kind.grid else None
            for cell, name in layer.texts.items() if figure else ():
                if symbol := figure.get(name) if isinstance(figure, dict) else figure:
                    found[cell] = symbol
        return found

    @property
    def walls(self) -> set[Cell]:
        """The cells that are walls, with numbers or without."""
        from pyasp_puzzles.render.figures import SHADED_SYMBOLS

        return {cell for cell, name in self.symbols.items() if name in SHADED_SYMBOLS}

    @cached_property
    def texts(self) -> Mapping[Cell, str]:
        """What else is printed in the cells: numbers and colors; a figure without a number is its sign."""
        found: dict[Cell, str] = {}
        for key, layer in self._layers:
            figured = self.symbols.keys() if key.option("picture") else ()
            for cell, name in layer.texts.items():
                if cell not in figured or self._shown(cell, name):
                    found[cell] = f"{found[cell]} {name}" if cell in found else name
        return {cell: FIGURE_SIGNS[name] for cell, name in self.symbols.items()} | found

    def _shown(self, cell: Cell, words: str) -> bool:
        """Return whether what is printed in a cell is shown on its figure: a number, or a ?, but in a circle."""
        circle = self.symbols[cell] == "circle"
        return any(letter.isdigit() or (letter == UNKNOWN and not circle) for letter in words)

    @property
    def colors(self) -> Mapping[Cell, str]:
        """The colors of the cells, if a key with a palette or for every cell has them."""
        return {cell: name for _, layer in self._layers for cell, name in layer.colors.items()}

    def named(self, words: str) -> dict[Cell, str]:
        """Return the names of the regions that a sentence names, each in its first cell."""
        if not words:
            return {}
        from pyasp_puzzles.boards.spans import spans_of

        regions = {tuple(sorted(cells)): name for name, cells in cells_by_region(self.regions).items()}
        named = ((span.text, span.cells) for span in spans_of(words) if span.cells in regions)
        return {cells[0]: regions[cells] for text, cells in named if text.endswith(f" {regions[cells]}")}

    def unit(self, name: str) -> tuple[Cell, ...]:
        """Return the cells of a unit of the board: "row 2", "column 3", or the term of facts: 'block("A")'."""
        return tuple(sorted(self._units.get(name, ())))

    @cached_property
    def _units(self) -> dict[str, set[Cell]]:
        """The cells of each row and column, and of `stream(3)` or `cage(1)`, given `stream(1,2,3)`, `cage(1,1,2,3)`."""
        found: dict[str, set[Cell]] = {}
        for cell in self.cells:
            for noun, number in zip(("row", "column"), cell, strict=True):
                found.setdefault(f"{noun} {number}", set()).add(cell)
        for key in self.keys:
            shape = key.predicate.arguments if key.predicate else ()
            names = [i for i, way in enumerate(shape) if way not in {"row", "column"}]
            for arguments in self.facts.arguments(key.fact) if names and key.cells == 1 else ():
                row = shape.index("row")
                cell = int(arguments[row]), int(arguments[row + 1])
                found.setdefault(fact_text(key.fact, (arguments[names[0]],)), set()).add(cell)
        return found

    @property
    def decorations(self) -> TextDecorations:
        """Signs, borders within regions, sums, and labels outside the board."""
        signs: dict[tuple[Cell, Cell], str] = {}
        borders: set[tuple[Cell, Cell]] = set()
        corners: dict[Cell, str] = {}
        outside: dict[str, dict[int, list[str]]] = {}
        for _, layer in self._layers:
            signs |= layer.signs
            borders.update(layer.borders)
            corners |= layer.corners
            for figure in layer.figures:
                if figure.sign:
                    signs[figure.sign[0]] = figure.sign[1]
                if figure.corner:
                    first = min(figure.cells)
                    corners[first] = " ".join(filter(None, [corners.get(first), figure.corner]))
            for side, lines in layer.labels.items():
                for line, labels in lines.items():
                    outside.setdefault(side, {}).setdefault(line, []).extend(labels)
        return TextDecorations(signs, corners, outside, borders=borders)

    def labels_of(self, rules: Iterable[str]) -> set[tuple[str, int]]:
        """Return the labels outside the board that rules are about, given their names: `label(left,2)`."""
        names = {key.rule for key, layer in self._layers if layer.labels}
        found = (re.fullmatch(r'(\w+)\("?(\w+)"?,(\d+)\b.*\)', rule) for rule in rules)
        labels = {(match[2], int(match[3])) for match in found if match and match[1] in names}
        return {(side, line) for side, line in labels if line in self.decorations.outside.get(side, {})}

    def drawing(self, title: str = "", names: Mapping[str, str] = _NO_NAMES, words: str = "") -> Drawing:
        """Return the printed board as a `Drawing`.

        Args:
            title: what the drawing is called.
            names: the names of its colors.
            words: a sentence beside it; the regions that it names have their letters.
        """
        from pyasp_puzzles.render.svg import Drawing

        tokens = set(self.colors.values())
        fills = {cell: color_name_in_text(token, names, tokens) for cell, token in self.colors.items()}
        fills = {cell: name for cell, name in fills.items() if cell not in self.symbols}
        # A figure takes the place of its sign, but not of a number.
        bare = {cell for cell in self.symbols if not self._shown(cell, self.texts[cell])}
        printed = {cell: words for cell, words in self.texts.items() if cell not in fills and cell not in bare}
        linked = self.scattered or any(key.option("linked") for key in self._region_keys)
        groups = cells_by_region(self.regions).values()
        parts = [part for region in groups for part in connected_cells(region, corners=True)]
        return Drawing(
            tuple(self.cells),
            title,
            regions=self.regions if any(key.kind.role == "regions" for key in self.keys) else {},
            linked=linked,
            letters={min(part): self.regions[min(part)] for part in parts} if linked else self.named(words),
            fills=fills,
            givens={cell: str(value) for cell, value in self.givens.items()},
            printed=printed,
            symbols=self.symbols,
            signs=self.decorations.signs,
            borders=self.decorations.borders,
            corners=self.decorations.corners,
            labels=self.decorations.outside,
            figures=self.figures,
            caption=self.caption,
            along_edges=bool(self.look.get("along_edges")),
            fives=any(key.option("several") for key in self.keys),
        )


def frame_board(
    printed: Printed,
    labels: Mapping[Cell, str],
    style: TextStyle,
    marks: TextMarks,
    *,
    walls: Mapping[Cell, Hashable] | None = None,
    narrow: bool = False,
    joins: Mapping[tuple[Cell, Cell], int] | None = None,
) -> str:
    """Return the board in a frame.

    Givens are in parentheses, marked cells between stars, premises in brackets, what is cut off in braces; or all in
    color.

    Args:
        printed: what is printed on it.
        labels: the text of the cells.
        style: whether to use color.
        marks: cells to mark.
        walls: the regions to draw walls around, if not those of the board.
        narrow: whether cells have no room for marks, so that more boards fit side by side.
        joins: how many lines there are between neighbours, 0 where it is known that there is none; if answers have
            lines.
    """
    # Walls cannot show scattered regions: each cell has walls then, and a color or the name of its region.
    scattered = walls is None and printed.scattered
    names = sorted(set(printed.regions.values())) if scattered else []
    colors = text_background_codes(names) if style.color else {}
    code_of = text_color_codes(printed.colors.values(), _NO_NAMES)
    tiles = {cell: code_of[color] for cell, color in printed.colors.items()} if style.color else {}
    sums = printed.decorations.corners
    named = {} if scattered or walls else printed.named(style.words)
    letters = {cell: name[:_MOST_LETTERS_OF_REGION] for cell, name in named.items()}
    edges = [len(sums.get(c, "")) + len(letters.get(c, "")) + 1 for c in {*sums, *letters}]
    texts = (*labels.values(), *(() if joins is None else printed.texts.values()))
    wide = max(max(map(len, texts), default=1) + (0 if narrow else 2), *edges, 0)
    wide += joins is not None and wide % 2 == 0  # lines are in the middle of cells
    tags = max(map(len, names)) + 1 if scattered else 0
    contents = {}
    for cell in printed.cells:
        region = printed.regions[cell]
        before, after = ("", "") if narrow else (" ", " ")
        line = text_line_strokes(cell, joins) if joins is not None else "   "
        if joins is not None:
            before, after = line[0], line[2]
        codes = [colors[region]] if colors else []
        tiled = cell in tiles
        if tiled:
            codes.append(tiles[cell])
        if cell in printed.givens:
            before, after = (before, after) if style.color else ("(", ")")
            codes.append(BOLD_CODE)
        around, code = marks.around(cell)
        if around:
            before, after = (before, after) if style.color and not tiled else (around[0], around[1])
            codes.append(BOLD_CODE if tiled else code)
        blank = str(printed.givens.get(cell, EMPTY)) if walls is None else EMPTY
        if joins is not None:
            blank = printed.texts.get(cell, line[1])
        label = f"{before}{labels.get(cell, blank)}{after}"
        gap = wide - len(label)
        left = gap if joins is None else gap // 2
        tag = f"{region:<{tags}}" if scattered else ""
        contents[cell] = style.paint(f"{line[0] * left}{label}{line[2] * (gap - left)}{tag}", *codes)
    regions: Mapping[Cell, Hashable] = {cell: cell for cell in printed.regions} if scattered else printed.regions
    dots = dict(figure.in_text for figure in printed.figures if figure.in_text)
    signs = {**printed.decorations.signs, **dots}
    signs |= {pair: text_line_sign(pair, number) for pair, number in (joins or {}).items()}
    decorations = printed.decorations._replace(letters=letters, signs=signs)
    shown = regions if walls is None else walls
    return framed_text_board(shown, contents, wide + tags, decorations, style, after=(not narrow) + tags, codes=tiles)


def _whole_board(look: Mapping[str, Any], cells: Collection[Cell]) -> Iterator[Figure]:
    """Yield the figures of a rule about the whole board: its long diagonals, or the windows between its boxes."""
    rows, columns = grid_extent(cells)
    size = min(rows, columns)
    diagonals = look.get("diagonals")
    if diagonals in {"falling", "both"}:
        yield Figure(look, tuple((i, i) for i in range(1, size + 1)))
    if diagonals in {"rising", "both"}:
        yield Figure(look, tuple((size + 1 - i, i) for i in range(1, size + 1)))
    for window in windows(size) if look.get("windows") else ():
        yield Figure(look, window)
