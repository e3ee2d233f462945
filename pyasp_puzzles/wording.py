"""Words: how what an encoding says of its rules is put together.

Words are tuples of strings and terms, as in `encodings/words`: `(col(3), "needs a", 4)` says "column 3 needs a 4".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clingo.symbol import SymbolType

from .grid import at
from .symbols import plain, text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from clingo import Symbol

    from .grid import Cell
    from .keys import Key
    from .puzzle import Instance
    from .symbols import Arguments

_NOUNS = {"col": "column"}
_EIGHT = re.compile(r"\ba (8|11|18)\b")


def words(parts: Symbol, called: Mapping[Symbol, Symbol], filled: Mapping[str, str] | None = None) -> str:
    """Return what a tuple of strings and terms says, its parts put together with blanks.

    A tuple inside is a list as encodings make them: `("w", ("b", ()))` says `wb`; `cell(1, 2)` says where it is, and a
    term with one argument its name and that.

    Args:
        parts: the tuple.
        called: what some terms are called.
        filled: what stands in the place of some constants.
    """
    alone = parts.type is not SymbolType.Function or parts.name  # a tuple of one lacks its comma
    said = " ".join(
        (filled or {}).get(str(part)) or term(part, called) for part in ([parts] if alone else parts.arguments)
    )
    return _EIGHT.sub(r"an \1", re.sub(r" *([;,:]) +", r"\1 ", said))


def term(symbol: Symbol, called: Mapping[Symbol, Symbol]) -> str:
    """Return what a term is called: "row 2" for `row(2)`."""
    if symbol in called:
        return words(called[symbol], called)
    if symbol.match("cell", 2):
        return at((symbol.arguments[0].number, symbol.arguments[1].number))
    if symbol.type is SymbolType.Function and symbol.name and len(symbol.arguments) == 1:
        return f"{_NOUNS.get(symbol.name, symbol.name)} {text(symbol.arguments[0])}"
    items = []
    while symbol.type is SymbolType.Function and not symbol.name and len(symbol.arguments) == 2:
        head, symbol = symbol.arguments
        items.append(text(head))
    if not items:
        return text(symbol)
    return ("" if all(len(item) == 1 for item in items) else " ").join(items)


def title(rule: Symbol) -> str:
    """Return the name of a rule of someone's own, without its arguments."""
    return rule.name if rule.type is SymbolType.Function and rule.name else text(rule)


def pairs(rule: Symbol) -> set[Cell]:
    """Return the cells that a rule of someone's own is about, if its arguments are rows and columns in turn."""
    arguments = rule.arguments if rule.type is SymbolType.Function else []
    if len(arguments) % 2 or any(argument.type is not SymbolType.Number for argument in arguments):
        return set()
    numbers = [argument.number for argument in arguments]
    return set(zip(numbers[::2], numbers[1::2], strict=True))


def clue_words(instance: Instance, rule: Symbol) -> str:
    """Return what people call the clue that a rule is about: "the 3 in row 1, column 2"; nothing, if there is none."""
    functor = str(rule).partition("(")[0]
    arguments = plain(rule) if rule.type is SymbolType.Function else ()
    for key in instance.puzzle.clue_keys:
        if key.rule != functor:
            continue
        for fact in instance.facts.arguments(key.fact):
            turned = key.kind == "signs" and (fact[2:4], fact[:2]) == (arguments[:2], arguments[2:4])
            if fact[: len(arguments)] == arguments or turned:
                return clue_called(key, fact)
    return ""


def clue_called(key: Key, fact: Arguments) -> str:
    """Return what people call a clue, given the arguments of its fact: "the 3 above column 2"."""
    *place, value = (one.strip('"') if isinstance(one, str) else one for one in fact)
    if key.kind == "signs":
        r, c, row, column = (int(part) for part in place)
        return f"the {value} between {at((r, c))} and {at((row, column))}"
    if key.kind == "outside":
        side = {"top": "above column", "bottom": "below column", "left": "left of row", "right": "right of row"}
        return f"the {value} {side.get(str(place[0]), place[0])} {place[1]}"
    if key.kind == "sums":
        return f"the {key.fact} {value} of {place[0]}"
    if key.cells:
        return f"the {value} in {at((int(place[0]), int(place[1])))}"
    return f"the {key.fact} {value}"


def default(rule: Symbol, board: Collection[Cell]) -> str:
    """Return the words of a rule of someone's own: its name, and the cells of the board that it is about."""
    cells = pairs(rule)
    if not cells or not cells.issubset(board):
        return f"the rule {rule}"
    return f"the rule {title(rule)} for {' and '.join(map(at, sorted(cells)))}"
