"""Symbols of clingo to Python and back. To ask clingo about one takes a while, so it is asked for many, or but once.

fact     fact("given", 1, 2, 3): the symbol given(1,2,3)
plain    (1, 2, '"a"'), the arguments of a fact
"""

from __future__ import annotations

import copyreg
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from clingo.symbol import Function, Number, String, Symbol, SymbolType, parse_term

from pyasp_puzzles.errors import EncodingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


Value: TypeAlias = "int | str | Symbol"
"""An argument of a fact: a number, a name as text, or any symbol."""
Arguments: TypeAlias = "tuple[int | str, ...]"
"""Arguments of a fact: numbers as integers, names as clingo writes them, `blue` or `"blue"`."""

MOST_SYMBOLS = 10_000
"""Symbols of which is remembered what clingo says of them; to ask it takes longer."""


def plain(fact: Symbol) -> Arguments:
    """Return the arguments of a fact as `Facts.arguments` does."""
    return tuple(one.number if one.type is SymbolType.Number else named(one) for one in fact.arguments)


@lru_cache(maxsize=MOST_SYMBOLS)
def named(name: str | Symbol) -> str:
    """Return a name as clingo writes it; text is that of a string."""
    return str(String(name) if isinstance(name, str) else name)


@lru_cache(maxsize=MOST_SYMBOLS)
def as_symbol(argument: int | str) -> Symbol:
    """Return an argument of `Arguments` as a symbol."""
    return Number(argument) if isinstance(argument, int) else parsed(argument)


def fact(name: str, *arguments: Value) -> Symbol:
    """Return `name(arguments)`: integers become numbers, strings become strings."""
    return Function(name, [one if isinstance(one, Symbol) else _symbol(one) for one in arguments])


@lru_cache(maxsize=MOST_SYMBOLS)
def _symbol(value: int | str) -> Symbol:
    return Number(value) if isinstance(value, int) else String(value)


@lru_cache(maxsize=MOST_SYMBOLS)
def constant(name: str) -> Symbol:
    """Return a constant: `left`."""
    return Function(name)


def negated(atom: Symbol) -> Symbol:
    """Return an atom that says that another does not hold: `-black(1,2)`."""
    return Function(atom.name, atom.arguments, positive=False)


@lru_cache(maxsize=MOST_SYMBOLS)
def parsed(words: str) -> Symbol:
    """Return the symbol that clingo writes like this."""
    return parse_term(words)


def is_string(one: Symbol) -> bool:
    """Tell whether a symbol is a string."""
    return one.type is SymbolType.String


@lru_cache(maxsize=MOST_SYMBOLS)
def text(one: Symbol) -> str:
    """Return what a symbol stands for, as a person writes it: strings without their quotes."""
    return one.string if is_string(one) else str(one)


def integers(symbols: Sequence[Symbol]) -> list[int]:
    """Return the numbers that symbols are.

    Raises:
        EncodingError: one of them is none.
    """
    if any(one.type is not SymbolType.Number for one in symbols):
        raise EncodingError(f"an answer set says ({', '.join(map(str, symbols))}), expected integers")
    return [one.number for one in symbols]


def texts(symbols: Mapping[tuple[int, int], Symbol]) -> dict[tuple[int, int], str]:
    """Return the text of the symbol of each cell."""
    return {cell: text(one) for cell, one in symbols.items()}


# A symbol pickles as its address in this process, which in another is anything, or a crash; so it pickles as its text.
copyreg.pickle(Symbol, lambda one: (parsed, (str(one),)))
