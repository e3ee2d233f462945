"""Strata: its answers, `Ribbons`, `Crossings` and the finished `Picture`; peeling a board from the top; `RibbonsKind`.

Set of lines  an integer with a bit for each line: `0b101` has the lines 0 and 2

On a board of 390x390, reading the lines takes 1.3 s and taking them off 0.2 s. As rules, this took 1.7 s more to ground
than strata.lp, and told no order.

Source: the algorithm of "Solving Strata".
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cache, partial, reduce
from heapq import heappop, heappush
from math import comb, perm
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pyasp_puzzles.asp.symbols import (
    SymbolTable,
    cell_and_name_of_symbol,
    fact_symbol,
    symbol_table,
    symbol_text,
    to_symbol,
)
from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.grid import EMPTY, Cell, cell_place, grid_extent, grid_rows
from pyasp_puzzles.errors import EncodingError, InstanceError, Where, first_listed, listing, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.answer import Answer, Click, Entry, Ribbon
from pyasp_puzzles.model.puzzle import AnswerKind, AnswerMeasure, AnswerMethod, AnswerMethodStep, AnswerView
from pyasp_puzzles.model.review import Broken, ReviewObstruction
from pyasp_puzzles.model.step import Step, StepDisplay, StepPicture
from pyasp_puzzles.puzzles import declaration, wording
from pyasp_puzzles.puzzles.keys import grids
from pyasp_puzzles.render.text import DIM_CODE, TextStyle, color_name_in_text, text_color_codes, tokens_as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Self

    from clingo import Symbol

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.toml import Table
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
        tops: dict[Cell, Ribbon] = {}
        for ribbon in self.order:
            i = ribbon.index
            along = [(i, c) for c in columns] if ribbon.line == "row" else [(r, i) for r in rows]
            tops |= dict.fromkeys(along, ribbon)
        return {cell: tops[cell] for cell in sorted(tops)}

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
        clicks = []
        for ribbon in self.order:
            end = (ribbon.index, 0) if ribbon.line == "row" else (0, ribbon.index)
            color = color_name_in_text(ribbon.color or colors[0], ribbon_color_names(instance), colors)
            clicks.append(Click(*instance.pixels[end], ribbon.line, ribbon.index, color))
        return clicks

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
    tokens = [fact.arguments[0] for fact in instance.facts.of("color")] or instance.facts.cells("tile").values()
    return grids.palette_of(map(symbol_text, tokens))


def order_decoder(instance: Instance, above: str, colored: str) -> Callable[[Sequence[Symbol]], Ribbons]:
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


def picture_decoder(instance: Instance) -> Callable[[Sequence[Symbol]], Picture]:
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


def crossings_in(instance: Instance, atoms: Sequence[Symbol]) -> Crossings:
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


def blocked_words(line: Symbol, colors: Iterable[str]) -> str:
    """Return what blocks a line, as a marked text: the names of the colors that it shows."""
    return f"{wording.of_term(line, {})} still shows {listing(colors, 'and')}"


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


# Lines of the largest board that is counted; each further line doubles the time and the memory.
_MOST_RIBBONS_COUNTED = 20
# Lines that a reason names; the others are counted.
_MOST_LINES_GONE = 6


class _BoardLines:
    """The lines of a board by their numbers, rows before columns, and which can come off when others are gone.

    Args:
        instance: the board.
        colors: the colors of its cells.
        crossings: (line, other line, index of the color of the cell where they cross), in both orders.
        deadline: when to stop.

    Raises:
        OutOfTime: the deadline has passed.
    """

    def __init__(
        self,
        instance: Instance,
        colors: Sequence[Symbol],
        crossings: Iterable[tuple[int, int, int]],
        deadline: Deadline,
    ) -> None:
        self.symbols, self._colors = _lines_in_order(instance), colors
        self.places = [ribbon_line(line) for line in self.symbols]
        """The lines as people call them: `("column", 2)`."""
        self.number = {line: i for i, line in enumerate(self.symbols)}
        # For each line, [(a line that crosses it, index of the color there)] and {index of a color: those lines}.
        self._along: list[list[tuple[int, int]]] = [[] for _ in self.symbols]
        self._shows: list[dict[int, int]] = [{} for _ in self.symbols]
        for line, other, color in crossings:
            deadline.check()
            self._along[line].append((other, color))
            shows = self._shows[line]
            shows[color] = shows.get(color, 0) | 1 << other
        for along in self._along:
            along.sort()

    def _cell(self, line: int, other: int) -> Cell:
        (name, index), (_, crossed) = self.places[line], self.places[other]
        return (index, crossed) if name == "row" else (crossed, index)

    def __len__(self) -> int:
        return len(self.symbols)

    @property
    def all(self) -> int:
        """All lines, as a set."""
        return (1 << len(self)) - 1

    def colors(self, line: int, left: int) -> list[Symbol]:
        """Return the colors along a line that are uncovered while some lines, a set, are left."""
        return [self._colors[color] for color in self._uncovered(line, left)]

    def _uncovered(self, line: int, left: int) -> list[int]:
        return [color for color, others in self._shows[line].items() if others & left]

    def loose(self, left: int) -> list[int]:
        """Return which of the lines that are left can come off."""
        return [line for line in _members(left) if len(self._uncovered(line, left)) <= 1]

    def next(self, left: int) -> list[int]:
        """Return which of the lines that are left come off next: free lines, without a color, only if all are free."""
        loose = self.loose(left)
        return [line for line in loose if self.colors(line, left)] or loose

    def gone(self, line: int, left: int) -> list[int]:
        """Return the lines that covered a line in colors that are gone now."""
        colors = self._uncovered(line, left)
        return [other for other, color in self._along[line] if color not in colors]

    def rounds(self) -> tuple[int, int]:
        """Return the number of rounds, each of which takes off all loose lines, and the set of lines that are left."""
        left, number = self.all, 0
        while loose := self.loose(left):
            left, number = left ^ sum(1 << line for line in loose), number + 1
        return number, left

    def cells(self, line: int, left: int) -> tuple[Cell, ...]:
        """Return the colored cells along a line that are still uncovered."""
        return tuple(self._cell(line, other) for other, _ in self._along[line] if left >> other & 1)


def _lines_in_order(instance: Instance) -> list[Symbol]:
    """Return the lines of a board, rows before columns."""
    return sorted(ribbon_symbols(instance), key=lambda line: (line.name != "row", line.arguments[0].number))


def _members(lines: int) -> list[int]:
    return [line for line in range(lines.bit_length()) if lines >> line & 1]


def _lines_of(instance: Instance, search: Search) -> _BoardLines:
    """Return the lines of a board by the rules in use.

    Raises:
        EncodingError: the rules do not define all lines, or all crossings at colored cells.
    """
    crossings: dict[tuple[Symbol, Symbol], Symbol] = {}
    for upper, lower, color in (atom.arguments for atom in search.facts("crossing", 3)):
        search.deadline.check()
        crossings[upper, lower] = color
    lines = {atom.arguments[0] for atom in search.facts("line", 1)}
    tiles = instance.facts.cells("tile")
    needed = [(fact_symbol("row", r), fact_symbol("col", c), color) for (r, c), color in tiles.items()]
    if not lines.issuperset(ribbon_symbols(instance)) or any(
        {crossings.get((row, column)), crossings.get((column, row))} != {color} for row, column, color in needed
    ):
        raise EncodingError(
            "there is nothing to peel: rules need line/1 and crossing/3 for each line and tile, as in strata.lp"
        )
    number = {line: i for i, line in enumerate(_lines_in_order(instance))}
    colors = {color: i for i, color in enumerate(dict.fromkeys(crossings.values()))}
    numbered = (
        (number[line], number[other], colors[color])
        for (line, other), color in crossings.items()
        if line in number and other in number
    )
    return _BoardLines(instance, [*colors], numbered, search.deadline)


def _shipped_lines(instance: Instance, deadline: Deadline) -> _BoardLines:
    """Return the lines of a board by the shipped rules.

    Raises:
        OutOfTime: the deadline has passed.
    """
    number = {(line.name, line.arguments[0].number): i for i, line in enumerate(_lines_in_order(instance))}
    tiles = instance.facts.arguments("tile")
    colors = {color: i for i, color in enumerate(dict.fromkeys(color for _, _, color in tiles))}

    def crossings() -> Iterator[tuple[int, int, int]]:
        for r, c, name in tiles:
            row, column, color = number["row", int(r)], number["col", int(c)], colors[name]
            yield row, column, color
            yield column, row, color

    return _BoardLines(instance, [*map(to_symbol, colors)], crossings(), deadline)


# -- Steps ---------------------------------------------------------------------


def peel(instance: Instance, search: Search, so_far: Answer | None = None) -> Iterator[AnswerMethodStep]:
    """Yield the steps that peel a board from the top. The first line that can come off is next, rows before columns.

    Lines that have no uncovered colored cell any more are free, and come last. The last step, of the kind "end", has
    the laying order (its status is "solved"), or what blocks the lines that are left ("none").

    Args:
        instance: a Strata board.
        search: the rules, with words.lp.
        so_far: the ribbons on top that are peeled off already, without mistakes.

    Raises:
        EncodingError: the rules define no lines and crossings.
        OutOfTime: time ran out.
    """
    assert so_far is None or isinstance(so_far, Ribbons)
    return _Peeling(instance, _lines_of(instance, search), search, tuple(so_far.order) if so_far else ()).steps()


class _Peeling:
    """The steps of a board."""

    def __init__(self, instance: Instance, lines: _BoardLines, search: Search, top: tuple[Ribbon, ...]) -> None:
        self._lines, self._top, self._deadline = lines, top, search.deadline
        self._colors = ribbon_color_names(instance)
        self._tiles = {cell: symbol_text(color) for cell, color in instance.facts.cells("tile").items()}
        self._needs, self._frees, self._excludes = (
            {atom.arguments[0]: atom.arguments[1] for atom in search.facts(predicate, 2)}
            for predicate in ("needs", "frees", "excludes")
        )
        # {line that is off: the number of its step}
        self._off = {lines.number[ribbon_symbol(ribbon)]: 0 for ribbon in top}
        self._left = lines.all ^ sum(1 << line for line in self._off)
        # The ribbons that steps took off, the top one first.
        self._peeled: list[Ribbon] = []

    def steps(self) -> Iterator[AnswerMethodStep]:
        """Yield the steps."""
        while ready := self._lines.next(self._left):
            self._deadline.check()
            line = ready[0]
            yield self._step(line, len(ready))
            self._off[line] = len(self._peeled)
            self._left ^= 1 << line
        if self._left:
            yield AnswerMethodStep(self._end_blocked())
        else:
            answer = Ribbons((*reversed(self._peeled), *self._top), self._colors)
            yield AnswerMethodStep(self._end_solved(answer), answer=answer)

    def _step(self, line: int, available: int) -> AnswerMethodStep:
        """Return the step that takes off a line, one of `available` lines that can come off."""
        lines, left = self._lines, self._left
        symbol, cells, gone = lines.symbols[line], lines.cells(line, left), lines.gone(line, left)
        rule, color = fact_symbol("color", symbol), next(iter(lines.colors(line, left)), None)
        self._peeled.append(Ribbon(*lines.places[line], None if color is None else symbol_text(color)))
        said = (self._frees if color is None else self._needs).get(rule)
        filled = {} if color is None else {"this": self._color_name(symbol_text(color))}
        text = (
            wording.phrase(said, {}, filled)
            if said
            else f"{wording.of_rule(rule, ())} lets {wording.of_term(symbol, {})} come off"
        )
        text += "" if color is None else self._because(gone)
        step = Step(
            len(self._peeled),
            "free" if color is None else "peel",
            text,
            (rule,),
            cells,
            () if color is None else (fact_symbol("ribbon", symbol, color),),
            after=tuple(sorted(self._off[other] for other in gone if self._off[other])),
            where=f"Look at {wording.of_term(symbol, {})}.",
            available=available,
            display=StepDisplay(self._picture(cells), self._picture(cells)),
        )
        return AnswerMethodStep(step, seen=len(gone), spread=max(len(cells) - 1, 0))

    def _because(self, gone: Iterable[int]) -> str:
        """Return which lines came off with the other colors of a line; nothing if it had none."""
        phrase = self._excludes.get(fact_symbol("color"))
        names = [wording.of_term(self._lines.symbols[other], {}) for other in gone]
        if phrase is None or not names:
            return ""
        return (
            f", because {wording.phrase(phrase, {}, {'that': listing(first_listed(names, _MOST_LINES_GONE), 'and')})}"
        )

    def _color_name(self, color: str | None) -> str:
        """Return what people call a color."""
        return ANY_COLOR if color is None else self._colors.get(color, color)

    def _end_solved(self, answer: Ribbons) -> Step:
        """Return the last step when all lines are off."""
        order = (
            f"{wording.of_term(ribbon_symbol(ribbon), {})} {self._color_name(ribbon.color)}" for ribbon in answer.order
        )
        return Step(
            len(self._peeled) + 1,
            "end",
            f"Laid the other way round, bottom to top: {', '.join(order)}.",
            status="solved",
            display=StepDisplay(StepPicture(answer.text, lambda _: answer.drawing())),
        )

    def _end_blocked(self) -> Step:
        """Return the last step when lines are left that cannot come off."""
        lines, left = self._lines, _members(self._left)
        blocks = [
            blocked_words(
                lines.symbols[line], map(self._color_name, map(symbol_text, sorted(lines.colors(line, self._left))))
            )
            for line in left
        ]
        return Step(
            len(self._peeled) + 1,
            "end",
            f"No other line comes off, as each that is left shows more than one color: {'; '.join(blocks)}.",
            tuple(fact_symbol("color", lines.symbols[line]) for line in left),
            tuple(sorted({cell for line in left for cell in lines.cells(line, self._left)})),
            status="none",
            display=StepDisplay(self._picture(())),
        )

    def _picture(self, marked: Collection[Cell]) -> StepPicture:
        """Return a picture of what is uncovered now."""
        return StepPicture(partial(self._text, self._left, marked), partial(self._drawing, self._left, marked))

    def _text(self, left: int, marked: Collection[Cell], style: TextStyle) -> str:
        codes = text_color_codes(self._tiles.values(), self._colors)
        return tokens_as_text(_uncovered(self._lines, left, self._tiles), style, codes, marked)

    def _drawing(self, left: int, marked: Collection[Cell], _: str) -> Drawing:
        from pyasp_puzzles.render.svg import Drawing

        board, tokens = _uncovered(self._lines, left, self._tiles), set(self._tiles.values())
        fills = {cell: color_name_in_text(token, self._colors, tokens) for cell, token in board.items() if token}
        palette = {color_name_in_text(token, self._colors, tokens) for token in tokens}
        return Drawing(tuple(board), fills=fills, marked=marked, palette=palette)


def _uncovered(lines: _BoardLines, left: int, tiles: Mapping[Cell, str]) -> dict[Cell, str | None]:
    """Return the colors that are uncovered while some lines are left, of all cells."""
    here = {place: bool(left >> line & 1) for line, place in enumerate(lines.places)}
    return {
        (r, c): tiles.get((r, c)) if here["row", r] and here["column", c] else None
        for r in (index for name, index in here if name == "row")
        for c in (index for name, index in here if name == "column")
    }


def peeled(instance: Instance, deadline: Deadline) -> Ribbons | None:
    """Return the laying order that peeling finds by the shipped rules; None if no line comes off at some point.

    Raises:
        OutOfTime: the deadline has passed.
    """
    lines = _shipped_lines(instance, deadline)
    left, ribbons = lines.all, dict[int, Ribbon]()
    while ready := lines.next(left):
        deadline.check()
        for line in ready:
            color = next(iter(lines.colors(line, left)), None)
            ribbons[line] = Ribbon(*lines.places[line], None if color is None else symbol_text(color))
            left ^= 1 << line
    if left:
        return None
    # Of the orders with the same lines on top, the one that `order_decoder` has.
    below = [*reversed(ribbons)]
    place = {line: i for i, line in enumerate(below)}
    sides = [[line for line in below if lines.symbols[line].name == name] for name in ("col", "row")]
    cross = {line: sides[lines.symbols[line].name == "col"] for line in below}
    beneath = {line: sum(place[other] < place[line] for other in cross[line]) for line in below}
    waiting, order = sorted(line for line in below if not beneath[line]), list[Ribbon]()
    while waiting:
        deadline.check()
        line = heappop(waiting)
        order.append(ribbons[line])
        for upper in cross[line]:
            beneath[upper] -= place[upper] > place[line]
            if not beneath[upper] and place[upper] > place[line]:
                heappush(waiting, upper)
    return Ribbons(tuple(order), ribbon_color_names(instance))


def obstruction(instance: Instance, deadline: Deadline) -> ReviewObstruction:
    """Return why a board has no answer by the shipped rules: what is left when no line comes off.

    Raises:
        OutOfTime: the deadline has passed.
    """
    lines, names = _shipped_lines(instance, deadline), ribbon_color_names(instance)
    _, left = lines.rounds()
    blocked = []
    for line in _members(left):
        colors = (names.get(color, color) for color in sorted(map(symbol_text, lines.colors(line, left))))
        cells = tuple(sorted(lines.cells(line, left)))
        sentence = spans.sentence(blocked_words(lines.symbols[line], colors), instance.printed.unit)
        blocked.append(Broken("", cells, sentence))
    return ReviewObstruction(
        "Peeled from the top, the ribbons come off until none can: each line that is left needs two colors.",
        tokens_as_text(_uncovered(lines, left, instance.facts.names("tile")), TextStyle(), {}),
        tuple(blocked),
    )


# -- Numbers -------------------------------------------------------------------


def rounds(instance: Instance, search: Search) -> int:
    """Return the number of rounds in which a board is peeled, all loose lines in each; 0 if some never come off."""
    number, left = _lines_of(instance, search).rounds()
    return 0 if left else number


class _Side(NamedTuple):
    """The rows, or the columns, that are left and can come off."""

    free: int
    """How many show no color any more; they may have any color of the palette."""
    single: dict[str, int]
    """The lines that show one color, a set for each color."""


class _Top(NamedTuple):
    """Lines that come off together."""

    lines: int
    """Those that show a color, a set."""
    rows: int
    """How many free rows come off with them."""
    columns: int
    factor: int
    """In how many ways, perhaps negative."""


def count_plays(instance: Instance, deadline: Deadline) -> int | None:
    """Return how many plays a board has; None if it has too many lines.

    The next line to come off is any that shows one color. A free line can come off at any time, in any color, without
    effect on other lines. So all free lines are taken off at once: each chooses its place and a color.

    Source: counting over sets of lines is how linear extensions are counted.

    Raises:
        OutOfTime: the deadline has passed.
    """
    colors = len(ribbon_colors(instance))

    def tops(rows: _Side, columns: _Side, size: int) -> Iterator[_Top]:
        if free := rows.free + columns.free:
            yield _Top(0, rows.free, columns.free, perm(size, free) * colors**free)
            return
        for lines in (*rows.single.values(), *columns.single.values()):
            for line in _members(lines):
                yield _Top(1 << line, 0, 0, 1)

    return _count(instance, deadline, tops)


def count_orders(instance: Instance, deadline: Deadline) -> int | None:
    """Return how many orders a board has, as in orders.lp; None if it has too many lines.

    Lines that can be on top in the same order are parallel or have one color. For each set of such lines, the orders
    with these lines on top are those of the lines that are left. Inclusion and exclusion over these sets counts each
    order once.

    Source: P. Cartier and D. Foata, "Problemes combinatoires de commutation et rearrangements", 1969.

    Raises:
        OutOfTime: the deadline has passed.
    """
    colors = ribbon_colors(instance)

    def tops(rows: _Side, columns: _Side, _: int) -> Iterator[_Top]:
        for side, direction in ((rows, 0), (columns, 1)):
            parallel = _Side(side.free, {"": reduce(or_, side.single.values(), 0)})
            for lines, free, factor in _signed(parallel, "", len(colors)):
                yield _Top(lines, free * (not direction), free * direction, -factor)
        for color in {*colors, *rows.single, *columns.single}:
            painted = color in colors
            for lines, free, factor in _signed(rows, color, painted):
                for others, free_columns, other_factor in _signed(columns, color, painted):
                    yield _Top(lines | others, free, free_columns, -factor * other_factor)

    return _count(instance, deadline, tops)


def _signed(side: _Side, color: str, colors: int) -> Iterator[tuple[int, int, int]]:
    """Yield the sets of lines of a side with a color, how many free ones with them, and in how many ways.

    The ways are negative if the lines are odd in number. No set is empty.

    Args:
        side: the lines.
        color: the color that lines show.
        colors: how many colors a free line may have.
    """
    lines = part = side.single.get(color, 0)
    while True:
        for free in range(side.free + 1 if colors else 1):
            if number := part.bit_count() + free:
                yield part, free, (-1) ** number * comb(side.free, free) * colors**free
        if not part:
            return
        part = (part - 1) & lines


def _along(lines: _BoardLines, parallel: int, crossing: int) -> tuple[int, dict[str, int]]:
    """Return which parallel lines are free, and which show one color, by color, if given lines cross them."""
    free, single = 0, dict[str, int]()
    for line in _members(parallel):
        colors = lines.colors(line, crossing)
        if not colors:
            free |= 1 << line
        elif len(colors) == 1:
            color = symbol_text(colors[0])
            single[color] = single.get(color, 0) | 1 << line
    return free, single


def _count(instance: Instance, deadline: Deadline, tops: Callable[[_Side, _Side, int], Iterator[_Top]]) -> int | None:
    """Return the sum, over all ways to take off all lines, of the products of their factors; None as above.

    Args:
        instance: the board.
        deadline: when to stop.
        tops: a function from the rows and columns that can come off, and the number of all lines that are left, to
            what comes off next.

    Raises:
        OutOfTime: the deadline has passed.
    """
    total = len(ribbon_symbols(instance))
    if total > _MOST_RIBBONS_COUNTED:
        return None
    lines = _shipped_lines(instance, deadline)
    all_rows = sum(1 << line for line, (name, _) in enumerate(lines.places) if name == "row")
    all_columns = lines.all ^ all_rows
    along = cache(partial(_along, lines))

    def settled(left: int, rows: int, columns: int) -> tuple[int, int, int]:
        """Return the lines that are left and not free, and how many rows and columns are free."""
        free_rows, free_columns = (left & along(side, left & ~side)[0] for side in (all_rows, all_columns))
        return left ^ free_rows ^ free_columns, rows + free_rows.bit_count(), columns + free_columns.bit_count()

    # By how many lines are left: {(those that are not free, free rows, free columns): ways to get there}.
    ways: list[dict[tuple[int, int, int], int]] = [{} for _ in range(total + 1)]
    ways[total][settled(lines.all, 0, 0)] = 1
    for size in range(total, 0, -1):
        for (left, rows, columns), count in ways[size].items():
            of_rows, of_columns = (
                _Side(
                    free,
                    {
                        color: lines_of_color & left
                        for color, lines_of_color in along(side, left & ~side)[1].items()
                        if lines_of_color & left
                    },
                )
                for side, free in ((all_rows, rows), (all_columns, columns))
            )
            for top in tops(of_rows, of_columns, size):
                deadline.check()
                rest = settled(left ^ top.lines, rows - top.rows, columns - top.columns)
                fewer = ways[size - top.lines.bit_count() - top.rows - top.columns]
                fewer[rest] = fewer.get(rest, 0) + count * top.factor
        ways[size].clear()
    return ways[0].get((0, 0, 0), 0)


@dataclass(frozen=True)
class RibbonsKind(AnswerKind):
    """A laying order of ribbons: `over(A, B)` lays A over B, `ribbon(A, K)` gives A a visible color."""

    data = ("order",)
    family = "Ribbons"
    solvable_is_good = True
    generated_view = "looks"
    method = AnswerMethod("peeling", peel, peeled, obstruction, "no other ribbon comes off", "the order that it finds")
    # At least one ribbon comes off in each round, and the last two together.
    measures: ClassVar[Mapping[str, AnswerMeasure]] = {
        "peels": AnswerMeasure(rounds, lambda cells: sum(grid_extent(cells)) - 1)
    }

    @classmethod
    def from_table(cls, answer: Table) -> Self:
        """Return the kind; the table may only repeat that the output is `over(A, B)`."""
        declaration.output(answer, "over(A, B)", 2)
        return cls()

    @property
    def views(self) -> Mapping[str, AnswerView]:
        """The meanings of "different"."""
        return {
            "lattices": AnswerView(("over/2", "ribbon/2"), partial(order_decoder, above="over", colored="ribbon")),
            "plays": AnswerView(
                ("after/2", "paint/2"),
                partial(order_decoder, above="after", colored="paint"),
                ("paint", "plays"),
                counter=count_plays,
            ),
            "orders": AnswerView(
                ("above/2", "paint/2"),
                partial(order_decoder, above="above", colored="paint"),
                ("paint", "orders"),
                counter=count_orders,
            ),
            "looks": AnswerView(("look/3",), picture_decoder, ("paint", "looks")),
        }

    def consequences(
        self, instance: Instance, question: str, always: Sequence[Symbol], sometimes: Sequence[Symbol]
    ) -> Crossings:
        """Return which lines are on top in every answer (`decided`) or in some (`possible`), and their colors."""
        return crossings_in(instance, always if question == "decided" else sometimes)

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Ribbons:
        """Return a laying order from lines like `row 2 blue`, bottom to top; no color means any.

        Raises:
            InstanceError: no line of the board, a line twice, or a color that is not in the palette.
        """
        del whole
        names = ribbon_color_names(instance)
        tokens = {symbol_text(f.arguments[-1]) for name in ("color", "tile") for f in instance.facts.of(name)}
        colors: dict[str, str | None] = {name: token for token, name in names.items()}
        colors |= {token: token for token in tokens} | {ANY_COLOR: None, "": None}
        order: dict[tuple[str, int], Ribbon] = {}
        for i, words_of_line in enumerate(words.split("\n")):
            place = Where(where.source, (where.line or 1) + i)
            line, number, color = _parts(words_of_line)
            if not line:
                continue
            if line not in {"row", "column", "col"} or not (
                number.isdecimal() and len(number) <= Limits.LONGEST_NUMBER
            ):
                message = f"{shown(words_of_line.strip())} is not a ribbon, expected `row 2 blue` or `column 1`"
                raise InstanceError(message, place)
            name, index = "row" if line == "row" else "col", int(number)
            if color not in colors:
                message = f"color {shown(color)} is not in the palette, expected {listing(sorted(tokens))}"
                raise InstanceError(message, place)
            if (index,) not in instance.facts.arguments(name) or (name, index) in order:
                problem = "is laid twice" if (name, index) in order else "is not on the board"
                raise InstanceError(f"{RIBBON_LINE_NAMES[name]} {index} {problem}; each line is laid once", place)
            order[name, index] = Ribbon(RIBBON_LINE_NAMES[name], index, colors[color])
        return Ribbons(tuple(order.values()), names)

    def typed(self, instance: Instance, table: Mapping[str, Any]) -> str:
        """Return each of `{"ribbons": [...]}` in a line."""
        del instance
        return "\n".join(f"{r['line']} {r['index']} {r['color'] or ''}".strip() for r in table["ribbons"])

    def derived_facts(self, instance: Instance, answer: Answer) -> list[Symbol]:
        """Return `ribbon(A, K)` for each ribbon with a color: it has that color even if it is not visible."""
        colored = [ribbon for ribbon in answer.order if ribbon.color is not None]
        return [_ribbon_atom(instance, ribbon) for ribbon in colored]

    def entries(self, instance: Instance, answer: Answer, search: Search, *, so_far: bool = False) -> list[Entry]:
        """Return an entry for each ribbon: it lies over the ribbons before it.

        With `so_far`, each also lies over all ribbons that are not listed, and shows no other color.
        """
        listed = {ribbon_symbol(ribbon) for ribbon in answer.order}
        others = [line for line in ribbon_symbols(instance) if line not in listed] if so_far else []
        ribbons = search.atoms("ribbon", 2) if so_far else {}
        entries = []
        for i, upper in enumerate(answer.order):
            line = ribbon_symbol(upper)
            below = [ribbon_symbol(lower) for lower in answer.order[:i]] + others
            over = tuple(fact_symbol("over", line, lower) for lower in below if lower.name != line.name)
            visible = None if upper.color is None else _ribbon_atom(instance, upper)
            fails = [atom for atom in ribbons if atom.arguments[0] == line and atom != visible] if visible else []
            entries.append(Entry(f"{upper.line} {upper.index}", line, (), over, tuple(fails)))
        return entries

    def open_cells(self, instance: Instance, answer: Answer) -> int:
        """Return how many ribbons are not listed."""
        return len(ribbon_symbols(instance)) - len(answer.order)


def _ribbon_atom(instance: Instance, ribbon: Ribbon) -> Symbol:
    assert ribbon.color is not None
    return instance.facts.renamed(fact_symbol("ribbon", ribbon_symbol(ribbon), ribbon.color))


def _parts(line: str) -> tuple[str, str, str]:
    """Return the line, the number and the color in a line like `3. row 2 light blue`."""
    numbered, dot, rest = line.strip().partition(".")
    tokens = (rest if dot and numbered.isdecimal() else line).split()
    return tokens[0] if tokens else "", tokens[1] if len(tokens) > 1 else "", " ".join(tokens[2:])
