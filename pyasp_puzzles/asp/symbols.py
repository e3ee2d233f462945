"""clingo's symbols to Python values and back.

Symbol       fact_symbol("given", 1, 2, "blue"), which clingo prints as given(1,2,"blue")
Argument     1 or '"blue"': an integer, or the text that clingo prints
SymbolTable  {value(1,2,3): ((1, 2), 3)}: symbols, decoded
"""

from __future__ import annotations

import copyreg
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from clingo.symbol import Function, Number, String, Symbol, SymbolType, parse_term

from pyasp_puzzles.errors import EncodingError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

# Atoms whose cell and number are cached.
_MOST_ATOMS = 200_000


# An argument for `fact_symbol`: a number, the characters of a string, or any symbol.
SymbolValue: TypeAlias = "int | str | Symbol"
# Arguments of a fact: numbers as integers, anything else as clingo prints it, `blue` or `"blue"`.
Arguments: TypeAlias = "tuple[int | str, ...]"
# The last argument of a clue without its value, which its fact lacks: (1, 2, UNKNOWN) are those of `number(1, 2)`.
UNKNOWN = "?"
_Found = TypeVar("_Found")
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


def fact_symbol(name: str, *arguments: SymbolValue) -> Symbol:
    """Return `name(arguments)`: integers become numbers, text becomes strings."""
    return Function(name, [argument if isinstance(argument, Symbol) else _symbol(argument) for argument in arguments])


def _symbol(value: int | str) -> Symbol:
    return Number(value) if isinstance(value, int) else String(value)


def negated_symbol(atom: Symbol) -> Symbol:
    """Return `-black(1,2)` for `black(1,2)`."""
    return Function(atom.name, atom.arguments, positive=False)


def to_symbol(argument: int | str) -> Symbol:
    """Return the symbol of an integer, or of a text that clingo prints."""
    return Number(argument) if isinstance(argument, int) else parse_term(argument)


def symbol_arguments(atom: Symbol) -> Arguments:
    """Return the arguments of a symbol."""
    return tuple(term.number if term.type is SymbolType.Number else plain_symbol_text(term) for term in atom.arguments)


def symbol_from_plain(name: str, arguments: Arguments) -> Symbol:
    """Return the fact with these arguments, as `symbol_arguments` returns them."""
    return fact_symbol(name, *map(to_symbol, known_arguments(arguments)))


def known_arguments(arguments: Arguments) -> Arguments:
    """Return the arguments that a fact has, which lacks an unknown value."""
    return arguments[:-1] if arguments and arguments[-1] == UNKNOWN else arguments


def plain_symbol_text(name: str | Symbol) -> str:
    """Return a symbol as clingo prints it; a Python string counts as a string of clingo."""
    return str(String(name) if isinstance(name, str) else name)


def is_string_symbol(symbol: Symbol) -> bool:
    """Return whether a symbol is a string."""
    return symbol.type is SymbolType.String


def symbol_text(symbol: Symbol) -> str:
    """Return a symbol as people write it: strings without their quotes."""
    return symbol.string if is_string_symbol(symbol) else str(symbol)


def symbol_members(parts: Symbol) -> Sequence[Symbol]:
    """Return the members of a tuple, or the symbol itself if it is none."""
    single = parts.type is not SymbolType.Function or parts.name  # clingo has no tuple of one without a comma
    return [parts] if single else parts.arguments


def symbol_integers(symbols: Sequence[Symbol]) -> list[int]:
    """Return the numbers of symbols.

    Raises:
        EncodingError: one of them is not a number.
    """
    if any(symbol.type is not SymbolType.Number for symbol in symbols):
        raise EncodingError(f"an answer set says ({', '.join(map(str, symbols))}), expected integers")
    return [symbol.number for symbol in symbols]


class SymbolTable(dict[int, "_Found | None"]):
    """A cache of decoded symbols, by clingo's numbers for them; `read` decodes a symbol, or returns None to skip it.

    A call into clingo takes 1 to 5 µs, and a symbol lives as long as the process. So each is decoded once, and then
    looked up by its number, which needs no call.
    """

    def __init__(self, read: Callable[[Symbol], _Found | None]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, number: int) -> _Found | None:
        if len(self) >= _MOST_ATOMS:
            self.clear()
        entry = self[number] = self._read(Symbol(number))  # type: ignore[no-untyped-call]
        return entry

    def read(self, symbols: Iterable[Symbol]) -> list[_Found]:
        """Return the symbols, decoded, without those that are skipped."""
        # A model stores numbers, and makes a `Symbol` of each only on request. Using the numbers, 81 symbols take 8 µs
        # instead of 18.
        numbers: Iterable[int] | None = getattr(symbols, "_p_symbols", None)
        if numbers is None:
            numbers = [symbol._rep for symbol in symbols]  # noqa: SLF001
        return [entry for number in numbers if (entry := self[number]) is not None]

    def read_one(self, symbol: Symbol) -> _Found | None:
        """Return a symbol, decoded; None if it is skipped."""
        return self[symbol._rep]  # noqa: SLF001


def symbols_by_entry(
    table: SymbolTable[tuple[_Key, _Value]], atoms: Collection[Symbol]
) -> dict[_Key, dict[_Value, Symbol]]:
    """Return {(1, 2): {3: value(1,2,3), ...}, ...}, given the table that decodes each atom to ((1, 2), 3)."""
    by_key: dict[_Key, dict[_Value, Symbol]] = {}
    for atom, (key, value) in zip(atoms, table.read(atoms), strict=True):
        by_key.setdefault(key, {})[value] = atom
    return by_key


def cell_of_symbols(symbols: Sequence[Symbol]) -> tuple[int, int]:
    """Return the cell of two symbols, a row and a column; errors as for `symbol_integers`."""
    r, c = symbol_integers(symbols)
    return r, c


def cell_and_name_of_symbol(atom: Symbol, output: str) -> tuple[tuple[int, int], str] | None:
    """Return ((1, 2), "b") for `look(1,2,b)`, if that is the output; errors as for `symbol_integers`."""
    return (cell_of_symbols(atom.arguments[:2]), symbol_text(atom.arguments[2])) if atom.match(output, 3) else None


def symbol_table(read: Callable[..., _Found | None], *names: str | int) -> SymbolTable[_Found]:
    """Return the table of a function that reads a symbol, given predicates and arities; one table for all boards."""
    return _table(read, names)


@lru_cache(maxsize=100)  # the studio's verdicts take a fifth longer without it
def _table(read: Callable[..., Any], names: tuple[str | int, ...]) -> SymbolTable[Any]:
    return SymbolTable(lambda symbol: read(symbol, *names))


# By default a symbol would pickle as its address in this process, and crash another. So it pickles as its text.
copyreg.pickle(Symbol, lambda symbol: (to_symbol, (str(symbol),)))
