"""Strata's answers: `Ribbons` in order with lines and colors, `Crossings`, the finished `Picture`; their decoders."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.symbols import SymbolTable, cell_and_name_of_symbol, fact_symbol, symbol_table, symbol_text
from pyasp_puzzles.boards.grid import EMPTY, Cell, cell_place, grid_rows
from pyasp_puzzles.errors import EncodingError, InstanceError, listing
from pyasp_puzzles.model.answer import Answer, Click, Ribbon
from pyasp_puzzles.puzzles.keys.grids import color_grid_palette
from pyasp_puzzles.puzzles.wording import term_wording
from pyasp_puzzles.render.text import DIM_CODE, TextStyle, color_name_in_text, text_color_codes, tokens_as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.render.svg import Drawing


# The text for the color of a free ribbon.
ANY_COLOR = "any color"
# What people call the lines of the encoding.
RIBBON_LINE_NAMES = {"row": "row", "col": "column"}


@dataclass(frozen=True, repr=False, eq=False)
class Ribbons(Answer):
    """A laying order, bottom to top."""

    order: Sequence[Ribbon]
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    """What people call the colors."""

    def json(self) -> dict[str, object]:
        """Return `{"ribbons": [...]}`, bottom to top, a null color for any."""
        return {"ribbons": [asdict(ribbon) for ribbon in self.order]}

    def tops(self) -> dict[Cell, Ribbon]:
        """Return the ribbon on top of each cell, row by row."""
        rows = [ribbon.index for ribbon in self.order if ribbon.line == "row"]
        columns = [ribbon.index for ribbon in self.order if ribbon.line == "column"]
        found: dict[Cell, Ribbon] = {}
        for ribbon in self.order:
            i = ribbon.index
            along = [(i, c) for c in columns] if ribbon.line == "row" else [(r, i) for r in rows]
            found |= dict.fromkeys(along, ribbon)
        return {cell: found[cell] for cell in sorted(found)}

    def text(self, style: TextStyle, marked: Collection[Cell] = ()) -> str:
        """Return the numbered laying order, and the finished board."""
        codes = text_color_codes((ribbon.color for ribbon in self.order if ribbon.color is not None), self.names)
        digits = len(str(len(self.order)))
        lines = []
        for step, ribbon in enumerate(self.order, 1):
            color = ribbon.color
            name = (
                style.paint(ANY_COLOR, DIM_CODE)
                if color is None
                else style.paint(self.names.get(color, color), codes[color])
            )
            lines.append(f"{step:>{digits}}. {f'{ribbon.line} {ribbon.index}':<{7 + digits}} {name}")
        board = {cell: ribbon.color for cell, ribbon in self.tops().items()}
        return "\n".join(lines + (["", tokens_as_text(board, style, codes, marked)] if board else []))

    def drawing(self, marked: Collection[Cell] = (), title: str = "") -> Drawing:
        """Return the ribbons, woven, with their places in the laying order at their ends."""
        from pyasp_puzzles.render.svg import Drawing, DrawingBand

        tokens = {ribbon.color for ribbon in self.order if ribbon.color is not None}
        bands = [
            DrawingBand(
                ribbon.line, ribbon.index, ribbon.color and color_name_in_text(ribbon.color, self.names, tokens), number
            )
            for number, ribbon in enumerate(self.order, 1)
        ]
        return Drawing(tuple(self.places()), title, bands=bands, marked=marked)

    def clicks(self, instance: Instance) -> list[Click]:
        """Return a click on the end of each ribbon, bottom to top; one that may have any color has the first color."""
        if not instance.pixels:
            message = "this board was not read from a picture, so where to click is not known"
            raise InstanceError(message, instance.facts.where)
        colors = ribbon_colors(instance)
        found = []
        for one in self.order:
            end = (one.index, 0) if one.line == "row" else (0, one.index)
            color = color_name_in_text(one.color or colors[0], ribbon_color_names(instance), colors)
            found.append(Click(*instance.pixels[end], one.line, one.index, color))
        return found

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.tops().keys()

    def cells(self) -> dict[Cell, tuple[str, str | None]]:
        """Return the direction and the color of the ribbon on top of each cell."""
        return {cell: (ribbon.line, ribbon.color) for cell, ribbon in self.tops().items()}


@dataclass(frozen=True, repr=False, eq=False)
class Crossings(Answer):
    """Which line may be on top at each crossing, "row" or "column" or both, and the possible colors of each line."""

    tops: Mapping[Cell, tuple[str, ...]]
    ribbons: Mapping[tuple[str, int], tuple[str, ...]]
    """{("row", 2): ("b",)}."""
    names: Mapping[str, str] = field(default_factory=dict, compare=False)

    def json(self) -> dict[str, object]:
        """Return `{"tops": rows, "ribbons": [{"line": ..., "index": ..., "colors": [...]}, ...]}`."""
        ribbons = [{"line": line, "index": i, "colors": list(colors)} for (line, i), colors in self.ribbons.items()]
        tops = {cell: list(lines) for cell, lines in self.tops.items()}
        return {"tops": grid_rows(tops, tops), "ribbons": ribbons}

    def text(self, style: TextStyle, marked: Collection[Cell] = ()) -> str:
        """Return which line is on top at each crossing, and the colors of the lines."""
        signs = {(): EMPTY, ("row",): "-", ("column",): "|"}
        lines = ["on top: - the row, | the column, + either, . not known"]
        lines += [
            tokens_as_text({cell: signs.get(tops, "+") for cell, tops in self.tops.items()}, style, {}, marked),
            "",
        ]
        for (line, index), colors in self.ribbons.items():
            names = [self.names.get(color, color) for color in colors]
            lines.append(f"{line} {index}: {' or '.join(names)}")
        return "\n".join(lines).rstrip()

    def drawing(self, marked: Collection[Cell] = (), title: str = "") -> Drawing:
        """Return a sign at each crossing: the row or the column on top, or `+` if either may be."""
        from pyasp_puzzles.render.svg import Drawing

        signs = {(): EMPTY, ("row",): "\u2015", ("column",): "|"}
        values = {cell: signs.get(tops, "+") for cell, tops in self.tops.items()}
        return Drawing(tuple(self.places()), title, values=values, marked=marked)

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.tops.keys()

    def cells(self) -> dict[Cell, str]:
        """Return which line is on top of each cell, if that is known."""
        return {cell: tops[0] for cell, tops in self.tops.items() if len(tops) == 1}


@dataclass(frozen=True, repr=False, eq=False)
class Picture(Answer):
    """The visible color of each cell of a board."""

    colors: Mapping[Cell, str]
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    """What people call the colors."""

    def json(self) -> dict[str, object]:
        """Return `{"grid": rows}`."""
        return {"grid": grid_rows(self.colors, self.colors)}

    def text(self, style: TextStyle, marked: Collection[Cell] = ()) -> str:
        """Return the picture, its rows and columns numbered."""
        return tokens_as_text(
            self.colors, style, text_color_codes([*self.names, *self.colors.values()], self.names), marked
        )

    def drawing(self, marked: Collection[Cell] = (), title: str = "") -> Drawing:
        """Return the colored board."""
        from pyasp_puzzles.render.svg import Drawing

        tokens = set(self.colors.values())
        fills = {cell: color_name_in_text(token, self.names, tokens) for cell, token in self.colors.items()}
        return Drawing(tuple(self.places()), title, fills=fills, marked=marked)

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.colors.keys()

    def cells(self) -> Mapping[Cell, str]:
        """Return the color of each cell."""
        return self.colors


def ribbon_symbol(ribbon: Ribbon) -> Symbol:
    """Return the line of a ribbon in the encoding, `row(2)` or `col(2)`."""
    return fact_symbol("row" if ribbon.line == "row" else "col", ribbon.index)


def ribbon_line(line: Symbol) -> tuple[str, int]:
    """Return what people call a line of the encoding: `("column", 2)`."""
    return RIBBON_LINE_NAMES[line.name], line.arguments[0].number


def ribbon_symbols(instance: Instance) -> list[Symbol]:
    """Return the lines of a board in the encoding, rows before columns."""
    return [line for name in RIBBON_LINE_NAMES for line in instance.facts.of(name)]


def ribbon_color_names(instance: Instance) -> dict[str, str]:
    """Return {color: what people call it}."""
    return dict(instance.extras.get("colors", {}))


def ribbon_colors(instance: Instance) -> list[str]:
    """Return the colors that a ribbon may have, sorted: those of the palette, or else those of the board."""
    found = [fact.arguments[0] for fact in instance.facts.of("color")] or instance.facts.cells("tile").values()
    return color_grid_palette(map(symbol_text, found))


def ribbon_order_decoder(instance: Instance, above: str, colored: str) -> Callable[[Sequence[Symbol]], Ribbons]:
    """Return the function from the atoms of a lattice, or of a play, to a laying order, bottom to top.

    If a lattice has several orders, it is the one that always lays the first possible line, rows before columns.

    Args:
        instance: the board.
        above: the predicate of pairs of lines, the first of which is laid later: "over" or "after".
        colored: the predicate of a line and its color: "ribbon" or "paint".
    """
    names, lines = ribbon_color_names(instance), ribbon_symbols(instance)
    places, table = [ribbon_line(line) for line in lines], _line_table(lines, above, colored)

    def decode(atoms: Sequence[Symbol]) -> Ribbons:
        colors: dict[int, str] = {}
        above: list[list[int]] = [[] for _ in lines]
        beneath = [0] * len(lines)
        for line, other in table.read(atoms):
            if isinstance(other, str):
                colors[line] = other
            else:
                above[other].append(line)
                beneath[line] += 1
        ready = [line for line, n in enumerate(beneath) if not n]
        order = []
        while ready:
            line = heappop(ready)
            order.append(Ribbon(*places[line], colors.get(line)))
            for upper in above[line]:
                beneath[upper] -= 1
                if not beneath[upper]:
                    heappush(ready, upper)
        if len(order) < len(lines):
            raise EncodingError("an answer set has interwoven ribbons, expected an order in which they are laid")
        return Ribbons(tuple(order), names)

    return decode


def strata_picture_decoder(instance: Instance) -> Callable[[Sequence[Symbol]], Picture]:
    """Return the function from `look` atoms to a picture, row by row."""
    names = {symbol_text(color): symbol_text(color) for color in instance.facts.of("color")} | ribbon_color_names(
        instance
    )
    cells = sorted(instance.cells)
    table = symbol_table(cell_and_name_of_symbol, "look")

    def decode(atoms: Sequence[Symbol]) -> Picture:
        colors = dict(sorted(table.read(atoms)))
        if list(colors) != cells:
            odd = cell_place(min(colors.keys() ^ set(cells)))
            raise EncodingError(f"an answer set has no one look for {odd}, expected look(R, C, COLOR) for each cell")
        return Picture(colors, names)

    return decode


def ribbon_crossings(instance: Instance, atoms: Sequence[Symbol]) -> Crossings:
    """Return the lines on top and the colors in the `over` and `ribbon` atoms of several answers."""
    names, lines = ribbon_color_names(instance), ribbon_symbols(instance)
    places = [ribbon_line(line) for line in lines]
    tops: dict[Cell, tuple[str, ...]] = dict.fromkeys(instance.cells, ())
    ribbons: dict[tuple[str, int], tuple[str, ...]] = dict.fromkeys(places, ())
    for line, other in _line_table(lines, "over", "ribbon").read(atoms):
        if isinstance(other, str):
            ribbons[places[line]] = tuple(sorted({*ribbons[places[line]], other}))
        else:
            (name, index), (_, crossed) = places[line], places[other]
            cell = (index, crossed) if name == "row" else (crossed, index)
            tops[cell] = tuple(sorted({*tops[cell], name}))
    return Crossings(tops, {place: colors for place, colors in ribbons.items() if colors}, names)


def blocked_ribbon_words(line: Symbol, colors: Iterable[str]) -> str:
    """Return what blocks a line, as a marked text: the names of the colors that it shows."""
    return f"{term_wording(line, {})} still shows {listing(colors, 'and')}"


def _line_table(lines: Sequence[Symbol], above: str, colored: str) -> SymbolTable[tuple[int, int | str]]:
    """Return the table of what atoms tell about lines, by their positions in the sequence.

    It has `(0, 3)` if line 0 is over line 3, and `(0, "b")` if line 0 has that color.
    """
    number = {line: i for i, line in enumerate(lines)}

    def read(atom: Symbol) -> tuple[int, int | str] | None:
        if not (atom.match(above, 2) or atom.match(colored, 2)) or atom.arguments[0] not in number:
            return None
        line, other = atom.arguments
        if atom.name == colored:
            return number[line], symbol_text(other)
        return (number[line], number[other]) if other in number else None

    return SymbolTable(read)
