"""Clues: a board with other clues, and what people call a clue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from pyasp_puzzles.asp.symbols import fact, plain_arguments, to_symbol
from pyasp_puzzles.boards.facts import integer
from pyasp_puzzles.boards.grid import EMPTY, LONGEST_NUMBER, at
from pyasp_puzzles.errors import InstanceError, Where, listing, shown

if TYPE_CHECKING:
    from clingo import Symbol

    from pyasp_puzzles.asp.symbols import Arguments, Value
    from pyasp_puzzles.puzzles.keys import Key
    from pyasp_puzzles.puzzles.puzzle import Instance


Clues: TypeAlias = "Mapping[Any, object]"
SIDE_WORDS = {"top": "above column", "bottom": "below column", "left": "left of row", "right": "right of row"}


def with_clues(instance: Instance, clues: Clues) -> Instance:
    """Return a board with other clues; see `Instance.with_clues`."""
    puzzle, facts = instance.puzzle, instance.facts
    keys = {key.name: key for key in puzzle.clue_keys}
    place = Where(instance.source)
    by_key = {str(name): values for name, values in clues.items() if isinstance(values, Mapping)}
    if len(by_key) < len(clues) or not clues:
        if len(keys) != 1:
            known = listing(f'{{"{name}": {{...}}}}' for name in keys)
            raise InstanceError(f"{puzzle.name} has clues of {len(keys)} keys, expected {known}", place)
        by_key = {next(iter(keys)): clues}
    for name, values in by_key.items():
        if name not in keys:
            message = f"{shown(name)} is no key of clues of {puzzle.name}, expected {listing(keys)}"
            raise InstanceError(message, place)
        here = Where(f"{instance.source}: {name}")
        several = [_arguments(keys[name], cell, value, here) for cell, value in values.items()]
        atoms = [facts.renamed(fact(keys[name].fact, *arguments)) for arguments in several if arguments]
        found = [[one if isinstance(one, int) else to_symbol(one) for one in plain_arguments(atom)] for atom in atoms]
        facts = facts.replaced(keys[name].fact, found, here)
    puzzle.validate(facts)
    return instance._replace(facts=facts, solution=None)


def _arguments(key: Key, cell: object, value: object, place: Where) -> list[Value]:
    """Return the arguments of the fact of a clue; an empty list for an empty cell."""
    if value is None or (isinstance(value, str) and value in {"", EMPTY}):
        return []
    parts = [*(cell if isinstance(cell, tuple) else [cell]), value]
    arguments: list[Value] = [_part(part, place) for part in parts]
    assert key.predicate is not None
    if len(arguments) != len(key.predicate.arguments):
        message = f"{shown(cell)} has {len(parts) - 1} parts, expected those of {key.predicate} but the last"
        raise InstanceError(message, place)
    range_ = key.option("range")
    if key.kind in {"givens", "numbers"} and arguments[-1] == 0 and (range_ is None or range_.low > 0):
        return []
    if key.kind == "outside" and isinstance(arguments[0], str):
        arguments[0] = fact(arguments[0])
    return arguments


def _part(part: object, place: Where) -> int | str:
    if isinstance(part, str):
        if not part.isprintable():
            raise InstanceError(f"{shown(part)} is wrong here, expected a number or printable text", place)
        return part
    number = integer(part, place)
    if abs(number) >= 10**LONGEST_NUMBER:
        raise InstanceError(f"{shown(part)} is out of range, expected at most {LONGEST_NUMBER} digits", place)
    return number


def clue_words(key: Key, arguments: Arguments) -> str:
    """Return what people call a clue, given the arguments of its fact: "the 3 above column 2"."""
    *place, value = (one.strip('"') if isinstance(one, str) else one for one in arguments)
    if key.kind == "signs":
        r, c, row, column = (int(part) for part in place)
        return f"the {value} between {at((r, c))} and {at((row, column))}"
    if key.kind == "outside":
        return f"the {value} {SIDE_WORDS.get(str(place[0]), place[0])} {place[1]}"
    if key.kind == "sums":
        return f"the {key.fact} {value} of {place[0]}"
    if key.cells:
        return f"the {value} in {at((int(place[0]), int(place[1])))}"
    return f"the {key.fact} {value}"


def clue_rule_words(instance: Instance, rule: Symbol) -> str:
    """Return what people call the clue that a rule makes hold: "the 3 in row 1, column 2"; empty if there is none."""
    name = str(rule).partition("(")[0]
    for key in instance.puzzle.clue_keys:
        if key.rule != name:
            continue
        arguments = plain_arguments(rule)
        for clue in instance.facts.arguments(key.fact):
            reversed_ = key.kind == "signs" and (clue[2:4], clue[:2]) == (arguments[:2], arguments[2:4])
            if clue[: len(arguments)] == arguments or reversed_:
                return clue_words(key, clue)
    return ""
