"""The keys of a board, as a `puzzle.toml` declares them, and what a kind of key is; the kinds are in `puzzles/keys`.

Key         Key("blocks", key_kind("regions"), block(row, column, name), ...): one key of a board
KeyKind     how keys of a kind are read, checked, written, drawn and generated
KeyLayer    KeyLayer(givens={(1, 1): 3}): what a key prints on a board
KeyRange    KeyRange(1, "rows"): the numbers from 1 to the number of rows
KeyOutline  the cells of a board, its rows and its columns
KeyOffer    a clue that a new board may have

Boards are checked as facts, with the place that each has kept: `check_key` finds those that are off the board or out
of range, in the same words for TOML and `.lp`, and a kind adds what is its own, such as that regions are connected.
"""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from pyasp_puzzles.asp.symbols import UNKNOWN, Arguments, SymbolValue, to_symbol
from pyasp_puzzles.boards.facts import fact_name
from pyasp_puzzles.boards.grid import EMPTY, OUTSIDE, Cell, Grid, cell_place, grid_extent, grid_rows
from pyasp_puzzles.errors import InstanceError, Where, listing, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from random import Random

    from pyasp_puzzles.boards.facts import Fact, FactPredicate, Facts
    from pyasp_puzzles.boards.figure import Figure
    from pyasp_puzzles.boards.toml import Table


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
                regions = outline.values(key.fact)
                sizes = Counter(regions.values())
                return lambda cell: sizes[regions[cell]] if cell in regions else 0
            most = max((int(number) for (number,) in outline.facts.arguments(key.fact)), default=sides["cells"])
        return lambda _: most


class Key(NamedTuple):
    """A key of a board."""

    name: str
    kind: KeyKind
    predicate: FactPredicate | None
    """The predicate of its facts; None for notes, which no rule sees."""
    clue: bool | None
    """Whether its facts are clues; None: it does not say."""
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
        return [*([self.predicate] if self.predicate else []), *(one for one in named if one is not None)]

    @property
    def cells(self) -> int:
        """The number of cells in the first arguments of its facts."""
        return self.predicate.arguments.count("row") if self.predicate else 0

    @property
    def place(self) -> int:
        """How many of the first arguments of its facts tell its clues apart; all labels of a line are one clue."""
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
        """Whether its facts have no names, or only declared ones; otherwise, the names are those that a board has."""
        tokens = any(self.option(way) for way in ("palette", "tokens", "across", "down"))
        return tokens or self.predicate is None or self.predicate.arguments[-1] != "name"

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
        """Return the values that its facts have on a board, sorted as clingo sorts them."""
        return [*sorted({one[-1] for one in facts.arguments(self.fact)}, key=to_symbol)]

    def option(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 (what TOML has)
        """Return an option."""
        return self.options.get(name, default)

    def numbers_in(self, outline: KeyOutline, usual: KeyRange) -> Callable[[Cell], range]:
        """Return the function from a cell to the numbers that it may have: those of the `range`, or the usual ones."""
        found = self.option("range") or usual
        largest = found.largest(outline)
        return lambda cell: range(found.low, largest(cell) + 1)

    def values_in(self, outline: KeyOutline, usual: KeyRange) -> range:
        """Return the values that its clues on a new board may have: those that it declares, or the usual ones."""
        found = self.option("values", usual)
        return range(found.low, found.largest(outline)((0, 0)) + 1) if found else range(0)


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

    def hole(self) -> Cell | None:
        """Return a position within the sides of the board that is no cell."""
        if len(self.cells) == self.rows * self.columns:
            return None
        places = ((r, c) for r in range(1, self.rows + 1) for c in range(1, self.columns + 1))
        return next((place for place in places if place not in self.cells), None)


def empty_key_tokens(numbers: KeyRange | None) -> set[str]:
    """Return the tokens for no number in a cell: 0 is one, unless it is in the range of the numbers."""
    return {EMPTY, "_"} if numbers and numbers.low <= 0 else {EMPTY, "_", "0"}


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
    "outside": "a table by side: labels outside the board",
    "sum": "a table by region: a number for each",
    "total": "a number for the board",
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
KEY_VALUES = {"outside": "a table with top, bottom, left or right", "sum": "a table of numbers", "total": "a number"}


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
    """How many of the first arguments belong to one fact only."""
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
    role: Literal["", "regions", "answers", "tiles", "general"] = ""
    """What its facts do: cut the board into regions; are part of the answer; may be left out of a board, though no
    clues; are about the whole board, not about places."""
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
    def pictured(self) -> bool:
        """Whether its clues are figures on the board; they are generated even if the key does not say `clue = true`."""
        return "picture" in self.options

    @property
    def together(self) -> int:
        """How many of the first arguments the facts of one clue share; 0: each fact is a clue."""
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
        words, place = cell_place(cell), outline.facts.place(predicate.name, *arguments[: predicate.unique])
        entry = " ".join([predicate.name, *map(fact_name, arguments[2:][-1:])])
        words = f"{words}: {entry}" if key.kind.grid else f"{key.name}: {words}"
        raise InstanceError(f"{words} is outside the board of {outline.size}", place)


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
        suspects = [one for one in facts if (one[rows[0]], one[rows[0] + 1]) not in cells]
    else:
        suspects = facts
    for arguments in suspects:
        check_key_cells(key, predicate, arguments, key.cells_of(arguments, predicate), outline)
    if key.whole and predicate is key.predicate and len(facts) < len(cells) and (facts or key.required):
        cell = next(cell for cell in cells if cell not in outline.facts.keys(key.fact))
        raise InstanceError(f"{cell_place(cell)} has no {key.fact}; every cell needs one", outline.facts.where)


def _check_values(key: Key, predicate: FactPredicate, outline: KeyOutline) -> None:
    """Raise `InstanceError` for names that are no constants of a key, and for numbers out of its range."""
    range_, facts, is_grid = key.option("range"), outline.facts.arguments(predicate.name), key.kind.grid
    for i in (i for i, way in enumerate(predicate.arguments) if way == "name" and key.constants):
        for arguments in (one for one in facts if one[i] not in key.constants):
            place = outline.facts.place(predicate.name, *arguments[: predicate.unique])
            about = f"{cell_place((int(arguments[0]), int(arguments[1])))}: " if is_grid else ""
            check_key_constant(key, str(arguments[i]), key.constants, place, about)
    largest = range_.largest(outline) if range_ else None
    for arguments in facts if largest else ():
        assert largest is not None
        value, cell = arguments[-1], (int(arguments[0]), int(arguments[1])) if is_grid else (0, 0)
        if value == UNKNOWN or range_.low <= int(value) <= largest(cell):
            continue
        words = f"{cell_place(cell)}: {predicate.name} {value} is out of range" if is_grid else f"{key.name} is {value}"
        if key.kind.tool == "outside":
            words = f"{arguments[0]} {arguments[1]}: {value} is out of range"
        place = outline.facts.place(predicate.name, *arguments[: predicate.unique])
        raise InstanceError(f"{words}, expected {range_.low} to {largest(cell)}", place)
