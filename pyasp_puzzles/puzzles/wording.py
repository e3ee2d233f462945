"""Words for rules: how the words beside an encoding become sentences, and the rules that an answer breaks.

Broken    Broken('once(row(1),3)', ((1, 2), (1, 5)), 'row 1 holds 3 once'): a rule that does not hold, and where
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from clingo.symbol import SymbolType

from pyasp_puzzles.asp.symbols import integers, plain, text
from pyasp_puzzles.boards.grid import at

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.puzzles.keys import Key
    from pyasp_puzzles.puzzles.puzzle import Instance


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


UNNAMED = "unnamed"
"""What is called so breaks rules that have no name."""
SAID = (("says", 2), ("called", 2), ("about", 3))
NAMED = ("broken/1", "says/2", "called/2", "about/3")
WORDS = ("words", "cells")


class Broken(NamedTuple):
    """A rule that does not hold: its name in the encoding, the cells that break it, and what it says."""

    rule: str
    cells: tuple[Cell, ...]
    words: str

    def json(self) -> dict[str, object]:
        """Return `{"rule": ..., "cells": [[row, column], ...], "words": ...}`."""
        return {"rule": self.rule, "cells": [list(cell) for cell in self.cells], "words": self.words}


def named(instance: Instance, atoms: Sequence[Symbol], predicate: str = "broken") -> list[Broken]:
    """Return the rules of atoms of a predicate, with the cells and words that stand beside them."""
    rules: dict[Symbol, set[Cell]] = {atom.arguments[0]: set() for atom in atoms if atom.name == predicate}
    called = {atom.arguments[0]: atom.arguments[1] for atom in atoms if atom.name == "called"}
    says = {atom.arguments[0]: words(atom.arguments[1], called) for atom in atoms if atom.name == "says"}
    for atom in atoms:
        if atom.name == "about" and atom.arguments[0] in rules:
            r, c = integers(atom.arguments[1:])
            rules[atom.arguments[0]].add((r, c))
    board = instance.puzzle.cells(instance.facts)
    return [
        Broken(
            str(rule),
            tuple(sorted(cells or {cell for cell in pairs(rule) if cell in board})),
            says.get(rule) or clue_words(instance, rule) or f"the rule {title(rule)}",
        )
        for rule, cells in sorted(rules.items())
    ]
