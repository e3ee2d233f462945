"""The facts of an instance: symbols to Python and back.

Predicate  Predicate("given", ("row", "column", "number"), unique=2): one number for a row and a column
Facts      the facts of one board, each with the place that it came from
fact       given(1, 2, 3), a `clingo.Symbol`
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clingo.symbol import Function, Number, String, Symbol, SymbolType, parse_term

from .board import LONGEST_SIDE, Cell
from .errors import EncodingError, InstanceError, Where, did_you_mean, listing, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, KeysView, Mapping, Sequence


Value: TypeAlias = "int | str | Symbol"
"""An argument of a fact: a number, a name as text, or any symbol."""
Entry: TypeAlias = "tuple[str, Sequence[Value], Where]"
"""A fact as it is read: its predicate, its arguments, and its place."""
Arguments: TypeAlias = "tuple[int | Symbol, ...]"
"""Arguments of a fact: numbers as integers, so that clingo need not be asked for them again."""

MOST_SHAPES = 64
"""Shapes that are remembered."""
MOST_SYMBOLS = 10_000
"""Symbols of which is remembered what clingo says of them; to ask it takes longer."""


class Predicate(NamedTuple):
    """An input predicate: what its arguments are, and how many of them, from the left, may occur once only.

    An argument is a `row`, a `column`, a `number` or a `name` (any constant, string or number).
    """

    name: str
    arguments: tuple[str, ...]
    unique: int

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})"


class Facts:
    """The facts of one board in the order given, each with its place."""

    def __init__(self, predicates: Iterable[Predicate], where: Where) -> None:
        self.where = where
        self._places: dict[Symbol, Where] = {}
        self._base: Facts | None = None
        self._varied = ""
        self._predicates = {predicate.name: predicate for predicate in predicates}
        self._names: dict[str, Symbol] = {}
        self._values: dict[str, dict[Arguments, Symbol]] = {name: {} for name in self._predicates}
        self._arguments: dict[str, list[Arguments]] = {name: [] for name in self._predicates}
        self._shapes: dict[Collection[str], Hashable] = {}

    @property
    def places(self) -> Mapping[Symbol, Where]:
        """The facts in the order given, each with its place."""
        if self._base is not None and not self._places:
            self._places = {fact: self.where for facts in self._values.values() for fact in facts.values()}
        return self._places

    def variant(self, where: Where, name: str, facts: dict[Arguments, Symbol], arguments: Sequence[Arguments]) -> Facts:
        """Return these facts with other ones of a predicate `name(row, column, number)`, all of them at one place.

        What is the same is shared, so that a board of a collection costs no more than its clues. Nothing can be added.

        Args:
            where: the place.
            name: the predicate.
            facts: {(row, column): fact}; they are taken to be right.
            arguments: their arguments, in that order.
        """
        made = Facts.__new__(Facts)
        values = self._values | {name: facts}
        both = self._arguments | {name: list(arguments)}
        vars(made).update(vars(self), where=where, _values=values, _arguments=both)
        vars(made).update(_base=self, _varied=name, _places={}, _shapes={})
        return made

    def add(self, name: str, arguments: Sequence[Value], place: Where) -> None:
        """Add a fact; one that is there already counts once.

        Raises:
            InstanceError: an unknown predicate, an argument of the wrong kind, or a second value for the same place.
        """
        assert self._base is None, "what others share stays as it is"
        self._shapes.clear()
        said = tuple(_symbol(argument) if isinstance(argument, str) else argument for argument in arguments)
        added = fact(name, *said)
        predicate = self._predicates.get(name)
        if predicate is None:
            known = listing(str(known) for known in self._predicates.values())
            hint = did_you_mean(name, self._predicates)
            raise InstanceError(f"unknown predicate {shown(name)}, expected {known}{hint}", place)
        if len(said) != len(predicate.arguments):
            raise InstanceError(f"{shown(added)} has {len(said)} arguments, expected {predicate}", place)
        for kind, argument in zip(predicate.arguments, said, strict=True):
            if kind == "name":
                symbol = _symbol(argument)
                twin = self._names.setdefault(text(symbol), symbol)
                if twin != symbol:
                    raise InstanceError(f"{symbol} and {twin} look alike, expected one way to write a name", place)
            elif wrong := _wrong(kind, argument):
                raise InstanceError(f"{shown(added)}: {wrong}", place)
        first = self._values[name].setdefault(said[: predicate.unique], added)
        if first is added:
            self._arguments[name].append(said)
        elif first != added:
            raise InstanceError(
                f"{shown(added)} contradicts {shown(first)} of line {self._places[first].line}, expected one of them",
                place,
            )
        self._places.setdefault(added, place)

    def of(self, name: str) -> Iterator[Symbol]:
        """Yield the facts of a predicate."""
        yield from self._values[name].values()

    def arguments(self, name: str) -> Sequence[Arguments]:
        """Return the arguments of the facts of a predicate, in the order given."""
        return self._arguments[name]

    def program(self, without: Collection[str] = ()) -> str:
        """Return the facts as a program that plain clingo takes, a line for each predicate but some."""
        names = (name for name, facts in self._values.items() if facts and name not in without)
        return "\n".join(" ".join(f"{fact}." for fact in written(name, list(self.of(name)))) for name in names)

    def keys(self, name: str) -> KeysView[Cell]:
        """Return the (row, column) of the facts of a predicate whose unique arguments these are."""
        return self._values[name].keys()  # type: ignore[return-value]

    def cells(self, name: str) -> dict[Cell, Symbol]:
        """Return {(row, column): last argument} of a predicate whose unique arguments are row and column."""
        lasts = [arguments[-1] for arguments in self._arguments[name]]
        symbols = [_symbol(last) if isinstance(last, int) else last for last in lasts]
        return dict(zip(self._values[name], symbols, strict=True))  # type: ignore[arg-type]

    def place(self, name: str, *key: int) -> Where:
        """Return where the fact of that name stands whose arguments begin with the key."""
        fact = self._values[name].get(key)
        return self.where if fact is None else self.places[fact]

    def renamed(self, atom: Symbol) -> Symbol:
        """Return an atom with its strings in the way that the facts write them: `blue` for `"blue"`."""
        return Function(atom.name, [self._names.get(text(a), a) if _is_string(a) else a for a in atom.arguments])

    def shape(self, clues: Collection[str]) -> Hashable:
        """Return a key of all facts but those of some predicates: boards that differ in their clues only share it."""
        if self._base is not None and self._varied in clues:
            return self._base.shape(clues)
        key = tuple(clues)
        if key not in self._shapes:
            names = (name for name in self._values if name not in clues)
            self._shapes[key] = _one_of_equals(
                frozenset(fact for name in names for fact in self._values[name].values())
            )
        return self._shapes[key]

    def __iter__(self) -> Iterator[Symbol]:
        return iter(self.places)

    def __len__(self) -> int:
        return sum(map(len, self._values.values()))


@lru_cache(maxsize=MOST_SHAPES)
def _one_of_equals(shape: Hashable) -> Hashable:
    """Return the shape that came first of those that are equal: to compare a thing with itself takes no time."""
    return shape


def _wrong(kind: str, argument: int | Symbol) -> str:
    """Return what is wrong with a row, a column or a number of a fact, or nothing."""
    if not isinstance(argument, int):
        return f"{shown(argument)} is no {kind}, expected an integer"
    if kind in {"row", "column"} and not 1 <= argument <= LONGEST_SIDE:
        return f"{kind} {argument} is off the board, expected 1 to {LONGEST_SIDE}"
    return ""


def plain(symbol: Symbol) -> Arguments:
    """Return the arguments of a fact as `Facts.arguments` does."""
    return tuple(one.number if one.type is SymbolType.Number else one for one in symbol.arguments)


def _is_string(symbol: Symbol) -> bool:
    return symbol.type is SymbolType.String


def fact(name: str, *arguments: Value) -> Symbol:
    """Return `name(arguments)`: integers become numbers, strings become strings."""
    return Function(name, [_symbol(argument) for argument in arguments])


@lru_cache(maxsize=MOST_SYMBOLS)
def _symbol(value: Value) -> Symbol:
    if isinstance(value, int):
        return Number(value)
    return String(value) if isinstance(value, str) else value


def written(name: str, atoms: Sequence[Symbol]) -> list[str]:
    """Return atoms as text; if all have that name, and flat arguments, clingo need be asked only once."""
    whole = str(Function("", atoms))
    parts = whole[len(f"({name}(") : -len("))")].split(f"),{name}(")
    if len(parts) != len(atoms) or len(atoms) < 2 or not whole.startswith(f"({name}("):
        return list(map(str, atoms))
    return [f"{name}({part})" for part in parts]


@lru_cache(maxsize=MOST_SYMBOLS)
def parsed(written: str) -> Symbol:
    """Return the symbol that clingo writes like this."""
    return parse_term(written)


@lru_cache(maxsize=MOST_SYMBOLS)
def text(symbol: Symbol) -> str:
    """Return what a symbol stands for, as a person writes it: strings without their quotes."""
    return symbol.string if symbol.type is SymbolType.String else str(symbol)


def integers(symbols: Sequence[Symbol]) -> list[int]:
    """Return the numbers that symbols are.

    Raises:
        EncodingError: one of them is none.
    """
    if any(symbol.type is not SymbolType.Number for symbol in symbols):
        raise EncodingError(f"an answer set says ({', '.join(map(str, symbols))}), expected integers")
    return [symbol.number for symbol in symbols]


def texts(symbols: Mapping[Cell, Symbol]) -> dict[Cell, str]:
    """Return the text of the symbol of each cell."""
    return {cell: text(symbol) for cell, symbol in symbols.items()}


def cell_of(atom: Symbol) -> Cell | None:
    """Return the cell that an atom of the output is about: its first two arguments, if they are numbers."""
    first = atom.arguments[:2]
    if len(first) < 2 or any(argument.type is not SymbolType.Number for argument in first):
        return None
    return first[0].number, first[1].number
