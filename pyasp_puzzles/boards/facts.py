"""The facts of an instance, and the predicates that there are.

Predicate  Predicate("given", ("row", "column", "number"), unique=2): one number for a row and a column
Facts      the facts of one board, each with the place that it came from
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pyasp_puzzles.asp.symbols import as_symbol, fact, is_string, named, parsed, text
from pyasp_puzzles.boards.grid import LARGEST_GRID, LONGEST_SIDE
from pyasp_puzzles.errors import InstanceError, Where, did_you_mean, listing, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, ItemsView, Iterable, Iterator, KeysView, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.symbols import Arguments, Value
    from pyasp_puzzles.boards.grid import Cell


Entry: TypeAlias = "tuple[str, Sequence[Value], Where]"
"""A fact as it is read: its predicate, its arguments, and its place."""


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
    """The facts of one board: of each predicate in the order given, each with its place."""

    def __init__(self, predicates: Iterable[Predicate], where: Where) -> None:
        self.where = where
        self._predicates = {predicate.name: predicate for predicate in predicates}
        self._facts: dict[str, dict[Arguments, Arguments]] = {name: {} for name in self._predicates}
        """The arguments of each fact, by those that no other of its predicate has."""
        self._places: dict[str, dict[Arguments, Where]] = {name: {} for name in self._predicates}
        self._names: dict[str, str] = {}
        """The names, as people write them and as clingo does."""
        self._shapes: dict[Collection[str], Hashable] = {}
        self._base: Facts | None = None
        self._varied = ""

    def equal(self, other: Facts) -> bool:
        """Tell whether these are the same facts, wherever they are from and in whatever order."""
        return self._facts == other._facts

    def __getstate__(self) -> dict[str, object]:
        return vars(self) | {"_shapes": {}}

    def variant(self, where: Where, name: str, facts: dict[Arguments, Arguments]) -> Facts:
        """Return these facts with other ones of a predicate, all of them at one place.

        What is the same is shared, so that a board of a collection costs no more than its clues. Nothing can be added.

        Args:
            where: the place.
            name: the predicate.
            facts: {arguments that no other fact has: all arguments}; they are taken to be right.
        """
        made = Facts.__new__(Facts)
        vars(made).update(vars(self), where=where, _facts=self._facts | {name: facts})
        vars(made).update(_base=self, _varied=name, _places={}, _shapes={})
        return made

    def replaced(self, name: str, several: Iterable[Sequence[Value]], place: Where) -> Facts:
        """Return these facts with other ones of a predicate, which are checked as `add` does, and stand at a place."""
        made = Facts(self._predicates.values(), self.where)
        made._facts |= {other: facts for other, facts in self._facts.items() if other != name}
        made._places |= {other: places for other, places in self._places.items() if other != name}
        made._names |= self._names
        for arguments in several:
            made.add(name, arguments, place)
        return made

    def add(self, name: str, arguments: Sequence[Value], place: Where) -> None:
        """Add a fact; one that is there already counts once.

        Raises:
            InstanceError: an unknown predicate, an argument of the wrong kind, or a second value for the same place.
        """
        assert self._base is None, "what others share stays as it is"
        self._shapes.clear()
        predicate = self._predicates.get(name)
        if predicate is None:
            known = listing(str(known) for known in self._predicates.values())
            hint = did_you_mean(name, self._predicates)
            raise InstanceError(f"unknown predicate {shown(name)}, expected {known}{hint}", place)
        said = tuple([argument if isinstance(argument, int) else named(argument) for argument in arguments])
        if len(said) != len(predicate.arguments):
            raise InstanceError(f"{shown(_fact(name, said))} has {len(said)} arguments, expected {predicate}", place)
        for kind, argument, given in zip(predicate.arguments, said, arguments, strict=True):
            if kind == "name":
                self._check_name(argument, given, place)
            elif not isinstance(argument, int) or (kind != "number" and not 1 <= argument <= LONGEST_SIDE):
                raise InstanceError(f"{shown(_fact(name, said))}: {_wrong(kind, argument)}", place)
        key = said[: predicate.unique]
        facts = self._facts[name]
        first = facts.setdefault(key, said)
        if len(facts) > LARGEST_GRID:
            raise InstanceError(f"too large a board, expected at most {LARGEST_GRID} facts of {name}", self.where)
        if first != said:
            both = f"{shown(_fact(name, said))} contradicts {shown(_fact(name, first))}"
            raise InstanceError(f"{both} of line {self._places[name][key].line}, expected one of them", place)
        self._places[name].setdefault(key, place)

    def _check_name(self, argument: int | str, given: Value, place: Where) -> None:
        """Raise `InstanceError` for a name that is written in two ways, as a constant and as a string."""
        words = str(argument)
        spoken = given if isinstance(given, str) else words
        if words[0] == '"' and not isinstance(given, int | str):
            spoken = given.string
        twin = self._names.setdefault(spoken, words)
        if twin != words:
            raise InstanceError(f"{words} and {twin} look alike, expected one way to write a name", place)

    def of(self, name: str) -> Iterator[Symbol]:
        """Yield the facts of a predicate."""
        for arguments in self._facts[name].values():
            yield fact(name, *map(as_symbol, arguments))

    def arguments(self, name: str) -> Collection[Arguments]:
        """Return the arguments of the facts of a predicate."""
        return self._facts[name].values()

    def items(self, name: str) -> ItemsView[Cell, Arguments]:
        """Return the facts of a predicate, by their (row, column), which are its unique arguments."""
        return self._facts[name].items()  # type: ignore[return-value]

    def keys(self, name: str) -> KeysView[Cell]:
        """Return the (row, column) of the facts of a predicate whose unique arguments these are."""
        return self._facts[name].keys()  # type: ignore[return-value]

    def cells(self, name: str) -> dict[Cell, Symbol]:
        """Return {(row, column): last argument} of a predicate whose unique arguments are row and column."""
        return {(r, c): as_symbol(said[-1]) for (r, c), said in self._facts[name].items()}  # type: ignore[misc]

    def place(self, name: str, *key: int | str) -> Where:
        """Return where the fact of that name stands whose arguments begin with the key."""
        return self._places.get(name, {}).get(key, self.where)

    def program(self, without: Collection[str] = ()) -> str:
        """Return the facts as a program that plain clingo takes, a line for each predicate but some."""
        names = (name for name, facts in self._facts.items() if facts and name not in without)
        return "\n".join(" ".join(f"{_fact(name, said)}." for said in self.arguments(name)) for name in names)

    def renamed(self, atom: Symbol) -> Symbol:
        """Return an atom with its strings in the way that the facts write them: `blue` for `"blue"`."""
        names = (parsed(self._names.get(text(one), named(one))) if is_string(one) else one for one in atom.arguments)
        return fact(atom.name, *names)

    def shape(self, clues: Collection[str]) -> Hashable:
        """Return a key of all facts but those of some predicates: boards that differ in their clues only share it."""
        if self._base is not None and self._varied in clues:
            return self._base.shape(clues)
        key = tuple(clues)
        if key not in self._shapes:
            names = (name for name in self._facts if name not in clues)
            self._shapes[key] = frozenset((name, said) for name in names for said in self.arguments(name))
        return self._shapes[key]

    def __iter__(self) -> Iterator[Symbol]:
        for name in self._facts:
            yield from self.of(name)

    def __len__(self) -> int:
        return sum(map(len, self._facts.values()))


def _fact(name: str, said: Arguments) -> str:
    return f"{name}({','.join(map(str, said))})" if said else name


def _wrong(kind: str, argument: int | str) -> str:
    """Return what is wrong with a row, a column or a number of a fact."""
    if not isinstance(argument, int):
        return f"{shown(argument)} is no {kind}, expected an integer"
    return f"{kind} {argument} is off the board, expected 1 to {LONGEST_SIDE}"
