"""The keys of a board as a `puzzle.toml` declares them, and `Shape`, the cells and facts of a board that is checked.

Key    Key("blocks", "regions", block(row, column, name), ...): one key of a board
Range  Range(1, "rows"): the numbers from 1 to the number of rows
Shape  the cells of a board, its rows and its columns
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pyasp_puzzles.asp.symbols import text, texts, to_symbol
from pyasp_puzzles.boards.grid import extent

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from pyasp_puzzles.boards.facts import Facts, Predicate
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.errors import Where


Name = TypeVar("Name", str, int | str)


class Range(NamedTuple):
    """Numbers from `low` to `high`; `high` is a number, or "rows", "columns", "cells", or a key of regions."""

    low: int
    high: int | str

    def largest(self, shape: Shape) -> Callable[[Cell], int]:
        """Return the function from a cell to its largest number; `(0, 0)` is no cell of the board."""
        if isinstance(self.high, int):
            most = self.high
        elif self.high in {"rows", "columns", "cells"}:
            most = {"rows": shape.rows, "columns": shape.columns, "cells": len(shape.cells)}[self.high]
        else:
            regions = shape.values(next(key for key in shape.keys if key.name == self.high).fact)
            sizes = Counter(regions.values())
            return lambda cell: sizes[regions[cell]] if cell in regions else 0
        return lambda _: most


class Key(NamedTuple):
    """A key of a board."""

    name: str
    kind: str
    predicate: Predicate | None
    """The predicate of its facts; None for notes, which no rule sees."""
    clue: bool
    """Whether its facts are clues."""
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
    def cells(self) -> int:
        """The number of cells in the first arguments of its facts."""
        return {"signs": 2, "outside": 0, "sums": 0, "number": 0, "patterns": 0}.get(self.kind, 1)

    @property
    def whole(self) -> bool:
        """Whether each cell of a board has one of its facts."""
        return bool(self.options.get("every", self.kind == "regions"))

    def option(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 (what TOML has)
        """Return an option."""
        return self.options.get(name, default)


class Shape:
    """The cells of a board, and the facts about them."""

    def __init__(self, members: Collection[Cell], facts: Facts, keys: Sequence[Key]) -> None:
        self.keys = keys
        self.cells = members
        self.facts = facts
        self.rows, self.columns = extent(members)
        self._values: dict[str, dict[Cell, int | str]] = {}

    def values(self, name: str) -> dict[Cell, int | str]:
        """Return {(row, column): last argument} of a predicate whose unique arguments are row and column."""
        if name not in self._values:
            self._values[name] = {(r, c): arguments[-1] for (r, c), arguments in self.facts.items(name)}
        return self._values[name]

    @cached_property
    def size(self) -> str:
        """The size: `3x5`, rows first."""
        return f"{self.rows}x{self.columns}"

    def hole(self) -> Cell | None:
        """Return a position within the sides of the board that is no cell."""
        if len(self.cells) == self.rows * self.columns:
            return None
        places = ((r, c) for r in range(1, self.rows + 1) for c in range(1, self.columns + 1))
        return next((place for place in places if place not in self.cells), None)


def cells_by_region(regions: Mapping[Cell, Name]) -> dict[Name, list[Cell]]:
    """Return the cells of each region."""
    members: dict[Name, list[Cell]] = {}
    for cell, region in regions.items():
        members.setdefault(region, []).append(cell)
    return members


def name_of(argument: int | str) -> str:
    """Return an argument of a fact without quotes."""
    return text(to_symbol(argument))


def names_in(facts: Facts, key: Key) -> dict[Cell, str]:
    """Return the name in each cell by the facts of a key."""
    return texts(facts.cells(key.fact))
