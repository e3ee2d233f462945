"""`Facts`, the facts of a board, each with its place in the source.

FactPredicate  FactPredicate("given", ("row", "column", "number"), unique=2): one number for a row and a column
Arguments      (1, 2, 3) or (1, 2, 'blue') or (1, 2, '"a b"'): numbers as integers, names as clingo writes them
"""

from __future__ import annotations

from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clingo.symbol import SymbolType

from pyasp_puzzles.asp.symbols import (
    UNKNOWN,
    fact_symbol,
    is_string_symbol,
    known_arguments,
    plain_symbol_text,
    symbol_from_plain,
    symbol_text,
    to_symbol,
)
from pyasp_puzzles.errors import InstanceError, Where, did_you_mean, listing, shown
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, ItemsView, Iterable, Iterator, KeysView, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.symbols import Arguments, SymbolValue
    from pyasp_puzzles.boards.grid import Cell


# A fact that was read: its predicate, its arguments, and its place.
Fact: TypeAlias = "tuple[str, Sequence[SymbolValue], Where]"


class FactPredicate(NamedTuple):
    """An input predicate. The first `unique` arguments of a fact belong to no other fact.

    Each of `arguments` is "row", "column", "number" or "name" (any constant, string or number).
    """

    name: str
    arguments: tuple[str, ...]
    unique: int
    unknown: bool = False
    """Whether facts may lack their last argument, the value of a clue, which is then `UNKNOWN`."""

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})"

    def completed(self, arguments: Arguments) -> Arguments:
        """Return the arguments of a fact, with `UNKNOWN` for a value that it lacks."""
        lacking = self.unknown and len(arguments) == len(self.arguments) - 1
        return (*arguments, UNKNOWN) if lacking else arguments


class Facts:
    """The facts of one board: those of each predicate in the order given, each with its place."""

    def __init__(self, predicates: Iterable[FactPredicate], where: Where) -> None:
        self.where = where
        self._predicates = {predicate.name: predicate for predicate in predicates}
        # The arguments of each fact, by its unique arguments.
        self._facts: dict[str, dict[Arguments, Arguments]] = {name: {} for name in self._predicates}
        self._places: dict[str, dict[Arguments, Where]] = {name: {} for name in self._predicates}
        # {name without quotes: name as clingo writes it}
        self._names: dict[str, str] = {}
        self._layout_keys: dict[Collection[str], Hashable] = {}
        self._base: Facts | None = None
        # The predicate in which a variant differs from its base.
        self._varied = ""

    def equal(self, other: Facts) -> bool:
        """Return whether these are the same facts, ignoring places and order."""
        return self._facts == other._facts

    def __getstate__(self) -> dict[str, object]:
        return vars(self) | {"_layout_keys": {}}

    def variant(self, where: Where, name: str, facts: dict[Arguments, Arguments]) -> Facts:
        """Return a copy with other clues, `{unique arguments: all arguments}`, of the predicate with that name.

        The clues are all at one place, and are not checked. The copy shares the other facts, which saves time and
        memory for lists of boards; nothing can be added to it.
        """
        copy = Facts.__new__(Facts)
        vars(copy).update(vars(self), where=where, _facts=self._facts | {name: facts})
        vars(copy).update(_base=self, _varied=name, _places={}, _layout_keys={})
        return copy

    def replaced(self, name: str, atoms: Iterable[Symbol], place: Where) -> Facts:
        """Return a copy with other facts of one predicate, all at one place, which are checked as by `add`."""
        copy = Facts(self._predicates.values(), self.where)
        copy._facts |= {other: facts for other, facts in self._facts.items() if other != name}
        copy._places |= {other: places for other, places in self._places.items() if other != name}
        copy._names |= self._names
        for atom in atoms:
            arguments = [
                argument.number if argument.type is SymbolType.Number else argument for argument in atom.arguments
            ]
            copy.add(name, arguments, place)
        return copy

    def add(self, name: str, arguments: Sequence[SymbolValue], place: Where) -> None:
        """Add a fact, unless it is there already.

        Raises:
            InstanceError: an unknown predicate, an argument of the wrong kind, or a second value for the same place.
        """
        assert self._base is None, "a variant shares its facts with other boards"
        self._layout_keys.clear()
        predicate = self._predicates.get(name)
        if predicate is None:
            known_predicates = listing(str(declared) for declared in self._predicates.values())
            hint = did_you_mean(name, self._predicates)
            raise InstanceError(f"unknown predicate {shown(name)}; use {known_predicates}{hint}", place)
        added = tuple(
            [argument if isinstance(argument, int) else plain_symbol_text(argument) for argument in arguments]
        )
        if len(added) != len(predicate.arguments):
            added = predicate.completed(added)
        if len(added) != len(predicate.arguments):
            raise InstanceError(
                f"{shown(fact_text(name, added))} has {len(added)} arguments, expected {predicate}", place
            )
        for kind, argument, given in zip(predicate.arguments, added, arguments, strict=not predicate.unknown):
            if kind == "name":
                self._check_name(argument, given, place)
            elif not isinstance(argument, int):
                problem = f"{shown(argument)} is not a {kind}, expected an integer"
                raise InstanceError(f"{shown(fact_text(name, added))}: {problem}", place)
        key = added[: predicate.unique]
        facts = self._facts[name]
        first = facts.setdefault(key, added)
        if len(facts) > Limits.LARGEST_GRID:
            raise InstanceError(
                f"the board is too large: it may have at most {Limits.LARGEST_GRID} facts of {name}", self.where
            )
        if first != added:
            both = f"{shown(fact_text(name, added))} contradicts {shown(fact_text(name, first))}"
            raise InstanceError(f"{both} of line {self._places[name][key].line}; remove one of them", place)
        self._places[name].setdefault(key, place)

    def _check_name(self, argument: int | str, given: SymbolValue, place: Where) -> None:
        """Raise `InstanceError` for a name that is written in two ways, as a constant and as a string."""
        written = str(argument)
        name = given if isinstance(given, str) else written
        if written[0] == '"' and not isinstance(given, int | str):
            name = given.string
        other = self._names.setdefault(name, written)
        if other != written:
            raise InstanceError(f"{written} and {other} look alike; write a name in one way", place)

    def of(self, name: str) -> Iterator[Symbol]:
        """Yield the facts of a predicate."""
        for arguments in self._facts[name].values():
            yield symbol_from_plain(name, arguments)

    def arguments(self, name: str) -> Collection[Arguments]:
        """Return the arguments of the facts of a predicate."""
        return self._facts[name].values()

    def items(self, name: str) -> ItemsView[Cell, Arguments]:
        """Return the arguments of the facts of a predicate, by their (row, column), which are its unique arguments."""
        return self._facts[name].items()  # type: ignore[return-value]

    def keys(self, name: str) -> KeysView[Cell]:
        """Return the (row, column) of the facts of a predicate, which are its unique arguments."""
        return self._facts[name].keys()  # type: ignore[return-value]

    def cells(self, name: str) -> dict[Cell, Symbol]:
        """Return {(row, column): last argument} of a predicate whose unique arguments are row and column."""
        return {cell: to_symbol(arguments[-1]) for cell, arguments in self.items(name)}

    def names(self, name: str) -> dict[Cell, str]:
        """Return {(row, column): last argument as text, without quotes}: the name of the region of each cell."""
        return {cell: fact_name(arguments[-1]) for cell, arguments in self.items(name)}

    def place(self, name: str, *key: int | str) -> Where:
        """Return the place of the fact of a predicate with these unique arguments, or else of the board."""
        return self._places.get(name, {}).get(key, self.where)

    def first_place(self, predicates: Iterable[FactPredicate]) -> Where:
        """Return the place of the first fact of some predicates, or else of the board."""
        places = (place for predicate in predicates for place in self._places.get(predicate.name, {}).values())
        return next(places, self.where)

    def program(self, without: Collection[str] = ()) -> str:
        """Return the facts as a program for plain clingo, a line for each predicate, without some predicates."""
        names = (name for name, facts in self._facts.items() if facts and name not in without)
        return "\n".join(
            " ".join(f"{fact_text(name, arguments)}." for arguments in self.arguments(name)) for name in names
        )

    def renamed(self, atom: Symbol) -> Symbol:
        """Return an atom whose names are spelt as in the facts: `blue` for `"blue"`."""
        names = (
            to_symbol(self._names.get(symbol_text(argument), plain_symbol_text(argument)))
            if is_string_symbol(argument)
            else argument
            for argument in atom.arguments
        )
        return fact_symbol(atom.name, *names)

    def layout_key(self, clues: Collection[str]) -> Hashable:
        """Return a key of all facts except those of these predicates: boards with the same key have the same layout."""
        if self._base is not None and self._varied in clues:
            return self._base.layout_key(clues)
        key = tuple(clues)
        if key not in self._layout_keys:
            names = (name for name in self._facts if name not in clues)
            facts = frozenset((name, arguments) for name in names for arguments in self.arguments(name))
            self._layout_keys[key] = facts
        return self._layout_keys[key]

    def __iter__(self) -> Iterator[Symbol]:
        for name in self._facts:
            yield from self.of(name)

    def __len__(self) -> int:
        return sum(map(len, self._facts.values()))


def fact_integer(value: object, place: Where) -> int:
    """Return a whole number of any type as an integer; raise `InstanceError` for anything else."""
    wrong = InstanceError(f"{shown(value)} is wrong here, expected a number or text", place)
    if isinstance(value, bool):
        raise wrong
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise wrong from None


@lru_cache(maxsize=Limits.MOST_SYMBOLS)
def fact_name(argument: int | str) -> str:
    """Return an argument of a fact without quotes; cached: it takes 2 µs, for each fact of a board."""
    return UNKNOWN if argument == UNKNOWN else symbol_text(to_symbol(argument))


def fact_text(name: str, arguments: Arguments) -> str:
    """Return a fact as clingo prints it: `given(1,2,3)`; without an unknown value, `given(1,2)`."""
    arguments = known_arguments(arguments)
    return f"{name}({','.join(map(str, arguments))})" if arguments else name
