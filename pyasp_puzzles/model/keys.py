"""The keys of a board, as a `puzzle.toml` declares them; what a kind of key is; and `Printed`, what the keys print.

Key         Key("blocks", key_kind("regions"), block(row, column, name), ...): one key of a board
KeyKind     how keys of a kind are read, checked, written, drawn and generated; the kinds are in `puzzles/keys`
KeyLayer    KeyLayer(givens={(1, 1): 3}): what a key prints on a board
KeyRange    KeyRange(1, "rows"): the numbers from 1 to the number of rows
KeyOutline  the cells of a board, its rows and its columns
KeyOffer    a clue that a new board may have
Printed     the layers of all keys of a board: regions, givens, signs, labels; `frame_board` is it as text

Boards are checked as facts, each with its place in the source: `check_key` reports those off the board or out of
range, with one message for TOML and `.lp`; a kind adds its own checks, such as that regions are connected.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from pyasp_puzzles.asp.symbols import UNKNOWN, Arguments, SymbolValue, to_symbol
from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.facts import fact_name, fact_text
from pyasp_puzzles.boards.figure import FIGURE_SIGNS, SHADED_SYMBOLS, Figure
from pyasp_puzzles.boards.grid import EMPTY, OUTSIDE, Cell, Grid, cell_place, connected_cells, grid_extent, grid_rows
from pyasp_puzzles.boards.regions import windows
from pyasp_puzzles.errors import InstanceError, Where, listing, shown
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
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
    from random import Random

    from pyasp_puzzles.boards.facts import Fact, FactPredicate, Facts
    from pyasp_puzzles.boards.toml import Table
    from pyasp_puzzles.render.svg import Drawing
    from pyasp_puzzles.render.text import TextStyle

# -- The keys of a board -------------------------------------------------------------------------------------------

# The cells of a clue: those of a line, those of its head and its line, those of each group.
Shape: TypeAlias = "tuple[tuple[Cell, ...], ...]"


class KeyRange(NamedTuple):
    """Numbers from `low` to `high`; `high` is a number, "rows", "columns", "cells", or a key of regions or a number."""

    low: int
    high: int | str

    @property
    def words(self) -> str:
        """The range as an option has it: "4", "3..5", "3.."."""
        return (
            f"{self.low}" if self.low == self.high else f"{self.low}..{self.high if isinstance(self.high, int) else ''}"
        )

    def largest(self, outline: KeyOutline) -> Callable[[Cell], int]:
        """Return the function from a cell to its largest number; `(0, 0)` is no cell of the board."""
        sides = {"rows": outline.rows, "columns": outline.columns, "cells": len(outline.cells)}
        if isinstance(self.high, int):
            most = self.high
        elif self.high in sides:
            most = sides[self.high]
        else:
            key = next(key for key in outline.keys if key.name == self.high)
            if key.kind.role == "regions":
                region_of = outline.values(key.fact)
                sizes = Counter(region_of.values())
                return lambda cell: sizes[region_of[cell]] if cell in region_of else 0
            most = max((int(number) for (number,) in outline.facts.arguments(key.fact)), default=sides["cells"])
        return lambda _: most

    def numbers(self, outline: KeyOutline, *, listed: bool) -> Callable[[Cell], Sequence[int]]:
        """Return the function from a cell to its numbers; with `listed`, to those that the board lists, if it does."""
        if listed and outline.digits:
            return lambda _: outline.digits
        largest = self.largest(outline)
        return lambda cell: range(self.low, largest(cell) + 1)


class Key(NamedTuple):
    """A key of a board."""

    name: str
    kind: KeyKind
    predicate: FactPredicate | None
    """The predicate of its facts; None for notes, which no rule sees."""
    clue: bool | None
    """Whether its facts are clues; None if that is not declared."""
    required: bool
    options: Mapping[str, Any]
    where: Where

    @property
    def rule(self) -> str:
        """The name of the rules that make its clues hold."""
        return str(self.options.get("rule", self.fact))

    @property
    def fact(self) -> str:
        """The name of its predicate."""
        return self.predicate.name if self.predicate else ""

    @property
    def unknown(self) -> bool:
        """Whether its clues may be there without their values: `?` in a grid."""
        return self.predicate is not None and self.predicate.unknown

    @property
    def predicates(self) -> list[FactPredicate]:
        """The predicates of its facts: its own, and those that its options name."""
        named = (self.options.get(option) for option in self.kind.more)
        return [
            *([self.predicate] if self.predicate else []),
            *(predicate for predicate in named if predicate is not None),
        ]

    @property
    def cells(self) -> int:
        """The number of cells in the first arguments of its facts."""
        return self.predicate.arguments.count("row") if self.predicate else 0

    @property
    def place(self) -> int:
        """The number of leading arguments that identify a clue; all labels of a line are one clue."""
        assert self.predicate is not None
        return 2 if self.option("several") else self.predicate.unique

    @property
    def board_predicates(self) -> list[FactPredicate]:
        """The predicates of its facts that are part of the board, and of no clue: a palette, walls."""
        return [self.options[option] for option in self.kind.beside if option in self.options]

    @property
    def constants(self) -> tuple[str, ...]:
        """What the names in its facts may be, if these are constants: sides of the board, or directions."""
        return tuple(self.options.get("sides") or self.options.get("directions") or self.kind.constants)

    @property
    def whole(self) -> bool:
        """Whether each cell of a board has one of its facts."""
        return bool(self.options.get("every", self.kind.role == "regions"))

    @property
    def names_declared(self) -> bool:
        """Whether all names in its facts are declared; otherwise they are those on the board."""
        tokens = any(self.option(way) for way in ("palette", "tokens", "across", "down"))
        return tokens or self.predicate is None or self.predicate.arguments[-1] != "name"

    @property
    def numbers_by_name(self) -> dict[str, str]:
        """The numbers that the answer has names for, as text: {"A": "1"}."""
        return {name: str(number) for number, name in self.option("names", {}).items()}

    def of(self, keys: Iterable[Key]) -> Key:
        """Return the key of the regions whose sums this key has."""
        return next(key for key in keys if key.name == self.options["of"])

    def cells_of(self, arguments: Arguments, predicate: FactPredicate | None = None) -> list[Cell]:
        """Return the cells in the arguments of one of its facts, or of a fact of another one of its predicates."""
        if self.kind.around:
            return [*self.kind.around(arguments)]
        predicate = predicate or self.predicate
        ways = predicate.arguments if predicate else ()
        return [(int(arguments[i]), int(arguments[i + 1])) for i, way in enumerate(ways) if way == "row"]

    def seen(self, facts: Facts) -> list[int | str]:
        """Return the values that its facts have on a board, sorted as clingo sorts them, but for unknown ones."""
        return [*sorted({arguments[-1] for arguments in facts.arguments(self.fact)} - {UNKNOWN}, key=to_symbol)]

    def option(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 (what TOML has)
        """Return an option."""
        return self.options.get(name, default)

    def numbers_in(self, outline: KeyOutline, usual: KeyRange) -> Callable[[Cell], Sequence[int]]:
        """Return the function from a cell to the numbers that it may have: those of the `range`, or the usual ones.

        Numbers of the answer are those that the board lists, if it does.
        """
        return (self.option("range") or usual).numbers(outline, listed=self.kind.role == "answers")

    def values_in(self, outline: KeyOutline, usual: KeyRange) -> range:
        """Return the values that its clues on a new board may have: those that it declares, or the usual ones."""
        span = self.option("values", usual)
        return range(span.low, span.largest(outline)((0, 0)) + 1) if span else range(0)


class KeyOutline:
    """The cells of a board, and the facts about them."""

    def __init__(self, members: Collection[Cell], facts: Facts, keys: Sequence[Key]) -> None:
        self.keys = keys
        self.cells = members
        self.facts = facts
        self.rows, self.columns = grid_extent(members)
        self._values: dict[str, dict[Cell, int | str]] = {}

    def values(self, name: str) -> dict[Cell, int | str]:
        """Return {(row, column): last argument} of a predicate whose unique arguments are row and column."""
        if name not in self._values:
            self._values[name] = {(r, c): arguments[-1] for (r, c), arguments in self.facts.items(name)}
        return self._values[name]

    @property
    def size(self) -> str:
        """The size: `3x5`, rows first."""
        return f"{self.rows}x{self.columns}"

    @cached_property
    def digits(self) -> tuple[int, ...]:
        """The numbers of the answer that the board lists, in ascending order; none if it lists none."""
        listed = (key.fact for key in self.keys if key.kind.role == "digits")
        return tuple(sorted(int(number) for fact in listed for (number,) in self.facts.arguments(fact)))

    def hole(self) -> Cell | None:
        """Return a position within the sides of the board that is no cell."""
        if len(self.cells) == self.rows * self.columns:
            return None
        places = ((r, c) for r in range(1, self.rows + 1) for c in range(1, self.columns + 1))
        return next((place for place in places if place not in self.cells), None)


# What a message says of a board that needs to be square, if it cannot list its numbers.
NOT_SQUARE = "it needs as many rows as columns, or digits, such as 1..9"


def empty_key_tokens(numbers: KeyRange | None, digits: Collection[int] = ()) -> set[str]:
    """Return the tokens for no number in a cell: 0 is one, unless it is among the listed digits, or in the range."""
    least = min(digits, default=numbers.low if numbers else 1)
    return {EMPTY, "_"} if least <= 0 else {EMPTY, "_", "0"}


def number_words(numbers: Sequence[int]) -> str:
    """Return what numbers are expected, in ascending order: "1 to 9", "1, 2 or 4"."""
    low, high = numbers[0], numbers[-1]
    return f"{low} to {high}" if 0 < high - low == len(numbers) - 1 else listing(map(str, numbers))


class KeyOffer(NamedTuple):
    """A clue that a new board may have: `KeyOffer((((1, 1), (1, 2)),), facts)`."""

    shape: Shape
    facts: tuple[tuple[str, Arguments], ...]
    """The names and the arguments of its facts."""
    one_of: tuple[tuple[str, Arguments], ...] = ()
    """The facts of the values that it may have; it has one of them."""


class KeyLayer(NamedTuple):
    """What a key prints on a board."""

    regions: Mapping[Cell, str] = {}
    """The name of the region of each cell."""
    givens: Mapping[Cell, int] = {}
    """Numbers that are part of the answer."""
    texts: Mapping[Cell, str] = {}
    """What else is in the cells."""
    colors: Mapping[Cell, str] = {}
    """The colors of cells."""
    signs: Mapping[tuple[Cell, Cell], str] = {}
    """Signs between two cells."""
    borders: Collection[tuple[Cell, Cell]] = ()
    """Where a border is between two cells of one region, the left or upper one first."""
    corners: Mapping[Cell, str] = {}
    """Numbers in the upper left corners of cells."""
    labels: Mapping[str, Mapping[int, Sequence[str]]] = {}
    """Labels outside the board: {"left": {2: ["3", "1"]}} are left of row 2."""
    figures: tuple[Figure, ...] = ()
    """Lines, cages, dots and the like."""


TOOLS = {
    "number": "a grid: a number in a cell",
    "region": "a grid: the name of the region of each cell",
    "name": "a grid: a name in a cell",
    "sign": "a grid: a sign between two cells",
    "crossing": "a grid of corners: a number at a corner of cells",
    "outside": "a table by side: labels outside the board",
    "sum": "a table by region: a number for each",
    "total": "a number for the board",
    "digits": "the numbers of the board: 0..8",
    "pattern": "a list of patterns of colors",
    "path": "a list of lines: cells in order",
    "cage": "a list of lines: cells in any order",
    "groups": "a list of lines: groups of cells",
    "pair": "a list of lines: two cells",
    "corner": "a list of lines: the upper left of four cells",
    "mark": "a list of lines: a cell; or one line of cells",
    "sight": "a list of lines: a cell at the edge, and a direction",
}

# What a message calls the value of a key that is neither a grid nor lines of cells, by its tool.
KEY_VALUES = {
    "outside": "a table with top, bottom, left or right",
    "sum": "a table of numbers",
    "total": "a number",
    "digits": "numbers",
}


class KeySampler(NamedTuple):
    """How clues of several facts are made at random: `KeySampler(cage_shapes, ordered_shape_offer, KeyRange(2, 4))`."""

    shapes: Callable[[Key, KeyOutline, Random, Sequence[Shape]], Iterator[Shape]]
    """Yields random cells for clues. Small shapes first; given shapes are extended by one cell."""
    offer: Callable[[Key, KeyOutline, Random, Shape, int], KeyOffer]
    """Returns the clue of such cells, with its number."""
    sizes: KeyRange = KeyRange(1, 1)
    """How many cells the larger group of a clue has, unless the key has `cells`."""
    apart: bool = True
    """Whether the clues of a new board share no cell."""


class KeyKind(NamedTuple):
    """A kind of key: how its facts are read, checked, written, drawn and made at random.

    What people call its clues, and how an editor sets them, follows from its arguments, its tool and its options.
    """

    arguments: tuple[str, ...]
    """The arguments of its facts, as in `FactPredicate`; empty if it has no facts."""
    unique: int
    """The number of leading arguments that identify a fact."""
    options: Mapping[str, type]
    """What may be declared about such a key besides its kind and its fact."""
    tool: str
    """How its value is written: one of `TOOLS`."""
    read: Callable[[Key, Table, Grid], Iterable[Fact]]
    """Yields the facts of a board from TOML."""
    write: Callable[[Key, KeyOutline, Mapping[str, Mapping[Any, str]]], dict[str, object]]
    """Returns the key with its value, and the keys that go with it; {} if it is absent. It is given the extras."""
    draw: Callable[[Key, KeyOutline], KeyLayer] = lambda _key, _outline: KeyLayer()
    """Returns what the key prints on the board."""
    role: Literal["", "regions", "answers", "tiles", "general", "digits"] = ""
    """What its facts do: "regions" cut the board up; "answers" are part of the answer; "tiles" are colors of cells, no
    clues, which a board may lack; "general" facts are about the whole board; "digits" are the numbers that an answer
    may have; others are about places."""
    check: Callable[[Key, KeyOutline], None] = lambda _key, _outline: None
    """Raises `InstanceError` for what is wrong with the facts besides what `check_key` finds in facts of any kind."""
    possible: Callable[[Key, KeyOutline], Iterable[tuple[SymbolValue, ...]]] | None = None
    """Yields the arguments of the facts that a board may have; None if these are not listed."""
    drawn: KeySampler | None = None
    """How its clues are made at random, if each has several facts."""
    more: Mapping[str, tuple[tuple[str, ...], int]] = MappingProxyType({})
    """Options that name further predicates of a clue, each with its arguments, and how many of them are unique."""
    beside: Mapping[str, tuple[tuple[str, ...], int]] = MappingProxyType({})
    """Options that name predicates of the board, which are part of no clue, with the same as in `more`."""
    constants: tuple[str, ...] = ()
    """The names that its facts may have, if these are constants; other names are strings."""
    around: Callable[[Arguments], tuple[Cell, ...]] | None = None
    """Returns the cells that a fact is about, if its arguments are no rows and columns."""

    @property
    def grid(self) -> bool:
        """Whether its value is a grid with the shape of the board."""
        return self.tool in {"number", "region", "name"}

    @property
    def other_grid(self) -> bool:
        """Whether its value is a grid with another shape: of signs between cells, or of the corners of cells."""
        return self.tool in {"sign", "crossing"}

    @property
    def pictured(self) -> bool:
        """Whether its clues are figures on the board; they are generated even if the key does not say `clue = true`."""
        return "picture" in self.options

    @property
    def together(self) -> int:
        """The number of leading arguments that the facts of one clue share; 0 if each fact is a clue."""
        return 0 if self.drawn is None else 1 if self.arguments[0] == "number" else 2


def key_rows(cells: Collection[Cell], values: Mapping[Any, int | str]) -> list[list[Any]]:
    """Return the values of cells as rows of the board: None in a cell without one, "#" where there is no cell."""
    return grid_rows({cell: values.get(cell) for cell in cells}, cells, OUTSIDE)


# -- What is wrong with facts ------------------------------------------------------------------------


def check_key(key: Key, outline: KeyOutline) -> None:
    """Raise `InstanceError` for facts of a key that are wrong on a board, at the place that they came from.

    Each is on the board, in every cell if the key is `whole`, with a constant and a number that the key declares.
    """
    try:
        for predicate in (*key.board_predicates, *key.predicates):
            _check_cells(key, predicate, outline)
        if key.predicate and (key.constants or key.option("range")):
            _check_values(key, key.predicate, outline)
        key.kind.check(key, outline)
    except InstanceError as error:
        if error.where == outline.facts.where:
            raise InstanceError(error.message, outline.facts.first_place(key.predicates)) from None
        raise


def check_key_cells(
    key: Key, predicate: FactPredicate, arguments: Arguments, cells: Iterable[Cell], outline: KeyOutline
) -> None:
    """Raise `InstanceError` unless all cells that a fact is about are on the board."""
    cell = next((cell for cell in cells if cell not in outline.cells), None)
    if cell is not None:
        message, place = cell_place(cell), outline.facts.place(predicate.name, *arguments[: predicate.unique])
        entry = " ".join([predicate.name, *map(fact_name, arguments[2:][-1:])])
        message = f"{message}: {entry}" if key.kind.grid else f"{key.name}: {message}"
        raise InstanceError(f"{message} is outside the board of {outline.size}", place)


def check_key_constant(key: Key, name: str, known: Collection[str], place: Where, about: str = "") -> None:
    """Raise `InstanceError` unless a name in the facts of a key is known as a side of the board, or as a direction."""
    if name not in known:
        what = "no direction here" if key.kind.grid else "not a side of the board"
        raise InstanceError(f"{about}{shown(name)} is {what}, expected {listing(known)}", place)


def _check_cells(key: Key, predicate: FactPredicate, outline: KeyOutline) -> None:
    """Raise `InstanceError` for facts off the board, and for cells without a fact if every cell needs one."""
    facts, cells = outline.facts.arguments(predicate.name), outline.cells
    rows = [i for i, way in enumerate(predicate.arguments) if way == "row"]
    if rows == [0] and predicate.unique == 2:
        suspects = () if all(map(cells.__contains__, outline.facts.keys(predicate.name))) else facts
    elif len(rows) == 1 and not key.kind.around:
        suspects = [arguments for arguments in facts if (arguments[rows[0]], arguments[rows[0] + 1]) not in cells]
    else:
        suspects = facts
    for arguments in suspects:
        around = key.cells_of(arguments, predicate)
        # A corner is on the board if one of the cells around it is.
        if key.kind.tool != "crossing" or not any(cell in cells for cell in around):
            check_key_cells(key, predicate, arguments, around, outline)
    if key.whole and predicate is key.predicate and len(facts) < len(cells) and (facts or key.required):
        cell = next(cell for cell in cells if cell not in outline.facts.keys(key.fact))
        raise InstanceError(f"{cell_place(cell)} has no {key.fact}; every cell needs one", outline.facts.where)


def _check_values(key: Key, predicate: FactPredicate, outline: KeyOutline) -> None:
    """Raise `InstanceError` for names that are no constants of a key, and for numbers out of its range."""
    range_, facts, is_grid = key.option("range"), outline.facts.arguments(predicate.name), key.kind.grid
    for i in (i for i, way in enumerate(predicate.arguments) if way == "name" and key.constants):
        for arguments in (arguments for arguments in facts if arguments[i] not in key.constants):
            place = outline.facts.place(predicate.name, *arguments[: predicate.unique])
            about = f"{cell_place((int(arguments[0]), int(arguments[1])))}: " if is_grid else ""
            check_key_constant(key, str(arguments[i]), key.constants, place, about)
    numbers = key.numbers_in(outline, range_) if range_ else None
    for arguments in facts if numbers else ():
        assert numbers is not None
        value, cell = arguments[-1], (int(arguments[0]), int(arguments[1])) if is_grid else (0, 0)
        if value == UNKNOWN or int(value) in numbers(cell):
            continue
        message = (
            f"{cell_place(cell)}: {predicate.name} {value} is out of range" if is_grid else f"{key.name} is {value}"
        )
        if key.kind.tool == "outside":
            message = f"{arguments[0]} {arguments[1]}: {value} is out of range"
        place = outline.facts.place(predicate.name, *arguments[: predicate.unique])
        raise InstanceError(f"{message}, expected {number_words(numbers(cell))}", place)


# -- Printed -------------------------------------------------------------------------------------------------------

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
        region_keys = (key for key in self.keys if key.kind.role == "regions")
        return [key for key in region_keys if (key.name == sums if sums else key.whole)][:1]

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Lines, cages, dots and the like: of rules without a key first, as they are the largest."""
        of_rules = (figure for picture in self.pictures for figure in _whole_board(picture, self.cells))
        return (*of_rules, *(figure for _, layer in self._layers for figure in layer.figures))

    @property
    def caption(self) -> str:
        """What cannot be seen on the board: the names of rules without a picture."""
        return f"with {listing(self.unseen, 'and')}" if self.unseen else ""

    def legend(self) -> str:
        """Return what the board does not show as text: keys with figures, and rules without a picture."""
        hidden = (key.name for key, layer in self._layers if any(figure.in_text is None for figure in layer.figures))
        names = [name.replace("_", " ") for name in hidden]
        return f"with {listing([*names, *self.unseen], 'and')}" if names or self.unseen else ""

    @property
    def scattered(self) -> bool:
        """Whether a region is in several parts, so that walls cannot show it."""
        return any(len(connected_cells(members)) > 1 for members in regions.cells(self.regions).values())

    @cached_property
    def givens(self) -> Mapping[Cell, int]:
        """The numbers that are printed as part of the answer."""
        return {cell: number for _, layer in self._layers for cell, number in layer.givens.items()}

    def name(self, value: int) -> str:
        """Return the name of a number of the answer: usually its digits."""
        return str(self.look.get("names", _NO_NAMES).get(value, value))

    @cached_property
    def symbols(self) -> Mapping[Cell, str]:
        """The figures that are printed in cells: stars, trees, walls."""
        symbols: dict[Cell, str] = {}
        for key, layer in self._layers:
            figure = key.option("picture", _NO_NAMES).get("cell") if key.kind.grid else None
            for cell, name in layer.texts.items() if figure else ():
                if symbol := figure.get(name) if isinstance(figure, dict) else figure:
                    symbols[cell] = symbol
        return symbols

    @cached_property
    def walls(self) -> set[Cell]:
        """The cells that are walls, with numbers or without."""
        return {cell for cell, name in self.symbols.items() if name in SHADED_SYMBOLS}

    @cached_property
    def texts(self) -> Mapping[Cell, str]:
        """What else is printed in cells: numbers, colors, and signs of figures, also before a text of another key."""
        signs = {cell: FIGURE_SIGNS[name] for cell, name in self.symbols.items()}
        keys = Counter(cell for _, layer in self._layers for cell in layer.texts)
        return signs | {cell: signs.get(cell, "") * (keys[cell] > 1) + text for cell, text in self._words.items()}

    @cached_property
    def _words(self) -> Mapping[Cell, str]:
        """The numbers and names that are printed in cells, also on figures; not those that a figure stands for."""
        words: dict[Cell, str] = {}
        for key, layer in self._layers:
            figured = self.symbols.keys() if key.option("picture") else ()
            for cell, name in layer.texts.items():
                if cell not in figured or self._shown(cell, name):
                    words[cell] = f"{words[cell]} {name}" if cell in words else name
        return words

    def _shown(self, cell: Cell, text: str) -> bool:
        """Return whether what is printed in a cell is shown on its figure: a number, or a ?, but in a circle."""
        circle = self.symbols[cell] == "circle"
        return any(letter.isdigit() or (letter == UNKNOWN and not circle) for letter in text)

    @property
    def colors(self) -> Mapping[Cell, str]:
        """The colors of the cells, if a key with a palette or for every cell has them."""
        return {cell: name for _, layer in self._layers for cell, name in layer.colors.items()}

    def named(self, words: str) -> dict[Cell, str]:
        """Return the names of the regions that a sentence names, each in its first cell."""
        if not words:
            return {}
        from pyasp_puzzles.boards.spans import spans_of

        names = {tuple(sorted(cells)): name for name, cells in regions.cells(self.regions).items()}
        named = ((span.text, span.cells) for span in spans_of(words) if span.cells in names)
        return {cells[0]: names[cells] for text, cells in named if text.endswith(f" {names[cells]}")}

    def unit(self, name: str) -> tuple[Cell, ...]:
        """Return the cells of a unit of the board: "row 2", "column 3", or the term of facts: 'block("A")'."""
        return tuple(sorted(self._units.get(name, ())))

    @cached_property
    def _units(self) -> dict[str, set[Cell]]:
        """The cells of each row and column, and of `stream(3)` or `cage(1)`, given `stream(1,2,3)`, `cage(1,1,2,3)`."""
        units: dict[str, set[Cell]] = {}
        for cell in self.cells:
            for noun, number in zip(("row", "column"), cell, strict=True):
                units.setdefault(f"{noun} {number}", set()).add(cell)
        for key in self.keys:
            shape = key.predicate.arguments if key.predicate else ()
            names = [i for i, way in enumerate(shape) if way not in {"row", "column"}]
            for arguments in self.facts.arguments(key.fact) if names and key.cells == 1 else ():
                row = shape.index("row")
                cell = int(arguments[row]), int(arguments[row + 1])
                units.setdefault(fact_text(key.fact, (arguments[names[0]],)), set()).add(cell)
        return units

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
        matches = (re.fullmatch(r'(\w+)\("?(\w+)"?,(\d+)\b.*\)', rule) for rule in rules)
        labels = {(match[2], int(match[3])) for match in matches if match and match[1] in names}
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
        printed = {cell: text for cell, text in self._words.items() if cell not in fills}
        linked = self.scattered or any(key.option("linked") for key in self._region_keys)
        groups = regions.cells(self.regions).values()
        parts = [part for region in groups for part in connected_cells(region, corners=True)]
        return Drawing(
            tuple(self.cells),
            title,
            regions=self.regions if any(key.kind.role == "regions" for key in self.keys) else {},
            linked=linked,
            letters={min(part): self.regions[min(part)] for part in parts} if linked else self.named(words),
            fills=fills,
            givens={cell: self.name(value) for cell, value in self.givens.items()},
            printed=printed,
            symbols=self.symbols,
            signs=self.decorations.signs,
            borders=self.decorations.borders,
            corners=self.decorations.corners,
            labels=self.decorations.outside,
            figures=self.figures,
            caption=self.caption,
            along_edges=bool(self.look.get("along_edges")),
            fives=any(key.option("several") and not key.kind.grid for key in self.keys),
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
    contents, wall = {}, FIGURE_SIGNS["wall"]
    filled = {cell: printed.texts[cell] for cell, name in printed.symbols.items() if FIGURE_SIGNS[name] == wall}
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
        blank = printed.name(printed.givens[cell]) if cell in printed.givens and walls is None else EMPTY
        if cell in filled:
            blank = filled[cell] if len(filled[cell]) == 1 else wall
        if joins is not None:
            blank = printed.texts.get(cell, line[1])
        label = f"{before}{labels.get(cell, blank)}{after}"
        gap = wide - len(label)
        left = gap if joins is None else gap // 2
        tag = f"{region:<{tags}}" if scattered else ""
        contents[cell] = style.paint(f"{line[0] * left}{label}{line[2] * (gap - left)}{tag}", *codes)
    region_of: Mapping[Cell, Hashable] = {cell: cell for cell in printed.regions} if scattered else printed.regions
    dots = dict(figure.in_text for figure in printed.figures if figure.in_text)
    signs = {**printed.decorations.signs, **dots}
    signs |= {pair: text_line_sign(pair, number) for pair, number in (joins or {}).items()}
    decorations = printed.decorations._replace(letters=letters, signs=signs)
    shown = region_of if walls is None else walls
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
