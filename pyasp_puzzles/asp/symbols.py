"""clingo's symbols to Python values and back.

Symbol    fact("given", 1, 2, "blue"), which clingo prints as given(1,2,"blue")
Argument  1 or '"blue"': an integer, or the text that clingo prints
"""

from __future__ import annotations

import copyreg
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from clingo.symbol import Function, Number, String, Symbol, SymbolType, parse_term

from pyasp_puzzles.errors import EncodingError
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence


# An argument for `fact`: a number, the characters of a string, or any symbol.
Value: TypeAlias = "int | str | Symbol"
# Arguments of a fact: numbers as integers, anything else as clingo prints it, `blue` or `"blue"`.
Arguments: TypeAlias = "tuple[int | str, ...]"


def fact(name: str, *arguments: Value) -> Symbol:
    """Return `name(arguments)`: integers become numbers, text becomes strings."""
    return Function(name, [one if isinstance(one, Symbol) else _value(one) for one in arguments])


@lru_cache(maxsize=Limits.MOST_SYMBOLS)
def _value(value: int | str) -> Symbol:
    return Number(value) if isinstance(value, int) else String(value)


def strong_negation(atom: Symbol) -> Symbol:
    """Return `-black(1,2)` for `black(1,2)`."""
    return Function(atom.name, atom.arguments, positive=False)


@lru_cache(maxsize=Limits.MOST_SYMBOLS)
def to_symbol(argument: int | str) -> Symbol:
    """Return the symbol of an integer, or of a text that clingo prints."""
    return Number(argument) if isinstance(argument, int) else parse_term(argument)


def plain_arguments(atom: Symbol) -> Arguments:
    """Return the arguments of a symbol."""
    return tuple(one.number if one.type is SymbolType.Number else plain_text(one) for one in atom.arguments)


def from_plain(name: str, arguments: Arguments) -> Symbol:
    """Return the fact with these arguments, as `plain_arguments` returns them."""
    return fact(name, *map(to_symbol, arguments))


@lru_cache(maxsize=Limits.MOST_SYMBOLS)
def plain_text(name: str | Symbol) -> str:
    """Return a symbol as clingo prints it; a Python string counts as a string of clingo."""
    return str(String(name) if isinstance(name, str) else name)


def is_string(symbol: Symbol) -> bool:
    """Return whether a symbol is a string."""
    return symbol.type is SymbolType.String


@lru_cache(maxsize=Limits.MOST_SYMBOLS)
def text(symbol: Symbol) -> str:
    """Return a symbol as people write it: strings without their quotes."""
    return symbol.string if is_string(symbol) else str(symbol)


def integers(symbols: Sequence[Symbol]) -> list[int]:
    """Return the numbers of symbols.

    Raises:
        EncodingError: one of them is not a number.
    """
    if any(symbol.type is not SymbolType.Number for symbol in symbols):
        raise EncodingError(f"an answer set says ({', '.join(map(str, symbols))}), expected integers")
    return [symbol.number for symbol in symbols]


# By default a symbol would pickle as its address in this process, and crash another. So it pickles as its text.
copyreg.pickle(Symbol, lambda symbol: (to_symbol, (str(symbol),)))
