"""The facts of an instance, and the predicates that there are.

Predicate  Predicate("given", ("row", "column", "number"), unique=2): one number for a row and a column
Facts      the facts of one board, each with the place that it came from
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .board import LONGEST_SIDE
from .errors import InstanceError, Where, did_you_mean, listing, shown
from .symbols import fact, is_string, symbol, text, written

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, KeysView, Mapping, Sequence

    from clingo import Symbol

    from .board import Cell
    from .symbols import Arguments, Value


Entry: TypeAlias = "tuple[str, Sequence[Value], Where]"
"""A fact as it is read: its predicate, its arguments, and its place."""

MOST_SHAPES = 64
"""Shapes that are remembered."""


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
        said = tuple(symbol(argument) if isinstance(argument, str) else argument for argument in arguments)
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
                named = symbol(argument)
                twin = self._names.setdefault(text(named), named)
                if twin != named:
                    raise InstanceError(f"{named} and {twin} look alike, expected one way to write a name", place)
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
        symbols = [symbol(last) if isinstance(last, int) else last for last in lasts]
        return dict(zip(self._values[name], symbols, strict=True))  # type: ignore[arg-type]

    def place(self, name: str, *key: int) -> Where:
        """Return where the fact of that name stands whose arguments begin with the key."""
        fact = self._values[name].get(key)
        return self.where if fact is None else self.places[fact]

    def renamed(self, atom: Symbol) -> Symbol:
        """Return an atom with its strings in the way that the facts write them: `blue` for `"blue"`."""
        return fact(atom.name, *(self._names.get(text(one), one) if is_string(one) else one for one in atom.arguments))

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
