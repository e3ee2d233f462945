"""Peeling a Strata board from the top: the steps of its explanation, its rounds, its plays and orders counted.

Set of lines  an integer with a bit for each line: `0b101` has the lines 0 and 2

On a board of 390x390, reading the lines takes 1.3 s and taking them off 0.2 s. As rules, this took 1.7 s more to ground
than strata.lp, and told no order.

Source: the algorithm of "Solving Strata".
"""

from __future__ import annotations

from functools import cache, partial, reduce
from heapq import heappop, heappush
from math import comb, perm
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.symbols import fact_symbol, symbol_text, to_symbol
from pyasp_puzzles.boards.spans import span_sentence
from pyasp_puzzles.errors import EncodingError, first_listed, listing
from pyasp_puzzles.model.answer import Ribbon
from pyasp_puzzles.model.puzzle import AnswerMethodStep
from pyasp_puzzles.model.review import Broken, ReviewObstruction
from pyasp_puzzles.model.step import Step, StepDisplay, StepPicture
from pyasp_puzzles.puzzles.strata.answers import (
    ANY_COLOR,
    Ribbons,
    blocked_ribbon_words,
    ribbon_color_names,
    ribbon_colors,
    ribbon_line,
    ribbon_symbol,
    ribbon_symbols,
)
from pyasp_puzzles.puzzles.wording import phrase_wording, rule_wording, term_wording
from pyasp_puzzles.render.text import TextStyle, color_name_in_text, text_color_codes, tokens_as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.render.svg import Drawing

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
        """Return the number of rounds, in each of which all lines that can come off, and the set of the others."""
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
    for one, two, color in (found.arguments for found in search.facts("crossing", 3)):
        search.deadline.check()
        crossings[one, two] = color
    lines = {found.arguments[0] for found in search.facts("line", 1)}
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
    found = (
        (number[line], number[other], colors[color])
        for (line, other), color in crossings.items()
        if line in number and other in number
    )
    return _BoardLines(instance, [*colors], found, search.deadline)


def _shipped_lines(instance: Instance, deadline: Deadline) -> _BoardLines:
    """Return the lines of a board by the shipped rules.

    Raises:
        OutOfTime: the deadline has passed.
    """
    number = {(line.name, line.arguments[0].number): i for i, line in enumerate(_lines_in_order(instance))}
    tiles = instance.facts.arguments("tile")
    colors = {color: i for i, color in enumerate(dict.fromkeys(color for _, _, color in tiles))}

    def crossings() -> Iterator[tuple[int, int, int]]:
        for r, c, shown in tiles:
            row, column, color = number["row", int(r)], number["col", int(c)], colors[shown]
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
        words = (
            phrase_wording(said, {}, filled)
            if said
            else f"{rule_wording(rule, ())} lets {term_wording(symbol, {})} come off"
        )
        words += "" if color is None else self._because(gone)
        step = Step(
            len(self._peeled),
            "free" if color is None else "peel",
            words,
            (rule,),
            cells,
            () if color is None else (fact_symbol("ribbon", symbol, color),),
            after=tuple(sorted(self._off[other] for other in gone if self._off[other])),
            where=f"Look at {term_wording(symbol, {})}.",
            available=available,
            display=StepDisplay(self._picture(cells), self._picture(cells)),
        )
        return AnswerMethodStep(step, seen=len(gone), spread=max(len(cells) - 1, 0))

    def _because(self, gone: Iterable[int]) -> str:
        """Return which lines came off with the other colors of a line; nothing if it had none."""
        words = self._excludes.get(fact_symbol("color"))
        names = [term_wording(self._lines.symbols[other], {}) for other in gone]
        if words is None or not names:
            return ""
        return f", because {phrase_wording(words, {}, {'that': listing(first_listed(names, _MOST_LINES_GONE), 'and')})}"

    def _color_name(self, color: str | None) -> str:
        """Return what people call a color."""
        return ANY_COLOR if color is None else self._colors.get(color, color)

    def _end_solved(self, answer: Ribbons) -> Step:
        """Return the last step when all lines are off."""
        order = (f"{term_wording(ribbon_symbol(one), {})} {self._color_name(one.color)}" for one in answer.order)
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
            blocked_ribbon_words(
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
    left, found = lines.all, dict[int, Ribbon]()
    while ready := lines.next(left):
        deadline.check()
        for line in ready:
            color = next(iter(lines.colors(line, left)), None)
            found[line] = Ribbon(*lines.places[line], None if color is None else symbol_text(color))
            left ^= 1 << line
    if left:
        return None
    # Of the orders with the same lines on top, the one that `ribbon_order_decoder` has.
    below = [*reversed(found)]
    place = {line: i for i, line in enumerate(below)}
    sides = [[line for line in below if lines.symbols[line].name == name] for name in ("col", "row")]
    cross = {line: sides[lines.symbols[line].name == "col"] for line in below}
    beneath = {line: sum(place[other] < place[line] for other in cross[line]) for line in below}
    waiting, order = sorted(line for line in below if not beneath[line]), list[Ribbon]()
    while waiting:
        deadline.check()
        line = heappop(waiting)
        order.append(found[line])
        for upper in cross[line]:
            beneath[upper] -= place[upper] > place[line]
            if not beneath[upper] and place[upper] > place[line]:
                heappush(waiting, upper)
    return Ribbons(tuple(order), ribbon_color_names(instance))


def peeling_obstruction(instance: Instance, deadline: Deadline) -> ReviewObstruction:
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
        words = span_sentence(blocked_ribbon_words(lines.symbols[line], colors), instance.printed.unit)
        blocked.append(Broken("", cells, words))
    return ReviewObstruction(
        "Peeled from the top, the ribbons come off until none can: each line that is left needs two colors.",
        tokens_as_text(_uncovered(lines, left, instance.facts.names("tile")), TextStyle(), {}),
        tuple(blocked),
    )


# -- Numbers -------------------------------------------------------------------


def peeling_rounds(instance: Instance, search: Search) -> int:
    """Return in how many rounds a board is peeled, if in each all lines come off that can; 0 if some never do."""
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


def count_peeling_plays(instance: Instance, deadline: Deadline) -> int | None:
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


def count_peeling_orders(instance: Instance, deadline: Deadline) -> int | None:
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
                _Side(free, {color: some & left for color, some in along(side, left & ~side)[1].items() if some & left})
                for side, free in ((all_rows, rows), (all_columns, columns))
            )
            for top in tops(of_rows, of_columns, size):
                deadline.check()
                rest = settled(left ^ top.lines, rows - top.rows, columns - top.columns)
                fewer = ways[size - top.lines.bit_count() - top.rows - top.columns]
                fewer[rest] = fewer.get(rest, 0) + count * top.factor
        ways[size].clear()
    return ways[0].get((0, 0, 0), 0)
