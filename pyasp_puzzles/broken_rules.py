"""Rules that do not hold, by their names, their cells and their words.

Broken    Broken('once(row(1),3)', ((1, 2), (1, 5)), 'row 1 holds 3 once'): a rule that does not hold, and where
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .symbols import integers
from .wording import clue_words, pairs, title, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clingo import Symbol

    from .grid import Cell
    from .puzzle import Instance

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
