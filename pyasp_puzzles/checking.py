"""The truth about a puzzle: has it just one answer, and if not, what is wrong; and which rules an answer breaks.

Broken    Broken('once(row(1),3)', ((1, 2), (1, 5)), 'row 1 holds 3 once'): a rule that does not hold, and where
Verdict   what there is to say about a puzzle, whether it has one answer, several, or none
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, overload

from .query import Count, Question, ask, merged, solutions
from .settings import DEFAULT, Settings
from .symbols import integers
from .wording import pairs, title, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clingo import Symbol

    from .board import Cell
    from .errors import EncodingError
    from .puzzle import Answer, Instance
    from .query import Solutions

MOST_COUNTED = 1000
"""Answers of a repaired puzzle are counted up to here."""


class Broken(NamedTuple):
    """A rule that does not hold: its name in the encoding, the cells that break it, and what it says."""

    rule: str
    cells: tuple[Cell, ...]
    words: str

    def json(self) -> dict[str, object]:
        """Return `{"rule": ..., "cells": [[row, column], ...], "words": ...}`."""
        return {"rule": self.rule, "cells": [list(cell) for cell in self.cells], "words": self.words}


@dataclass(frozen=True)
class Verdict:
    """What there is to say about a puzzle."""

    status: str
    """ "unique", "several", "none", or "unknown" where time ran out."""
    answers: tuple[Answer, ...] = ()
    """One answer, or two of several."""
    differ: tuple[Cell, ...] = ()
    """The cells in which these two differ."""
    decided: int | None = None
    """How many cells are the same in every answer."""
    cells: int = 0
    """How many cells an answer says something of."""
    blamed: tuple[Broken, ...] = ()
    """Where there is no answer: a smallest set of clues that, taken back, gives one."""
    without: Count | None = None
    """How many answers there are without them; None where no clue is to blame, and `blamed` are rules to break."""
    warnings: tuple[EncodingError, ...] = ()
    """What clingo noticed in the user's rules."""
    stuck: str = ""
    """Where there is no answer: what blocks the board, in words."""


@overload
def check(instance: Instance, answer: None = None, settings: Settings = DEFAULT) -> Verdict: ...
@overload
def check(instance: Instance, answer: Answer, settings: Settings = DEFAULT) -> list[Broken] | None: ...
def check(
    instance: Instance, answer: Answer | None = None, settings: Settings = DEFAULT
) -> Verdict | list[Broken] | None:
    """Return the verdict about an instance; or, given an answer, the rules that it breaks, as `broken` does.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    return verdict(instance, settings) if answer is None else broken(instance, answer, settings)


def broken(instance: Instance, answer: Answer, settings: Settings = DEFAULT) -> list[Broken] | None:
    """Return the rules that an answer breaks, sorted by name; None if time ran out.

    Of an answer in part, these are the rules that can no longer hold, however the rest is filled.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    said = "".join(f"said({instance.facts.renamed(atom)}).\n" for atom in answer.atoms())
    search = ask(instance, settings, Question(_NAMED, ("check",), said, words=True, about=True))
    atoms = search.consequences("cautious")
    return None if atoms is None or not search.exhausted else named(atoms, "violated")


def verdict(instance: Instance, settings: Settings = DEFAULT) -> Verdict:
    """Return whether an instance has one answer, several, or none, and what is wrong if it has not one.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    found = solutions(instance, 2, settings)
    verdict = _judged(instance, found, settings)
    return replace(verdict, warnings=tuple(found.search.warnings)) if found.search else verdict


def _judged(instance: Instance, found: Solutions, settings: Settings) -> Verdict:
    answers = tuple(found)
    if len(answers) == 2:
        one, other = (answer.cells() for answer in answers)
        differ = tuple(sorted(cell for cell in one.keys() | other.keys() if one.get(cell) != other.get(cell)))
        same = merged(instance, found.search, "decided") if found.search else None
        return Verdict("several", answers, differ, None if same is None else len(same.cells()), len(one))
    if answers:
        cells = len(answers[0].cells())
        return Verdict("unique" if found.complete else "unknown", answers, decided=cells, cells=cells)
    return _unsolvable(instance, settings) if found.complete else Verdict("unknown")


def _unsolvable(instance: Instance, settings: Settings) -> Verdict:
    """Return what is wrong with an instance that has no answer."""
    obstacle = instance.puzzle.obstacle
    if obstacle is not None:
        search = ask(instance, settings, Question(obstacle.outputs, (obstacle.mode,)))
        return Verdict("none", stuck=obstacle.words(instance, next(search.models(1), ())))
    for mode in ("repair", "compromise"):
        search = ask(instance, settings, Question(_NAMED, (mode,), words=True, about=True))
        best = search.best()
        if best is not None and search.exhausted:
            blamed = tuple(named(best, "relaxed"))
            without = _without(instance, blamed, settings) if mode == "repair" else None
            return Verdict("none", blamed=blamed, without=without)
    return Verdict("none")


def _without(instance: Instance, blamed: Iterable[Broken], settings: Settings) -> Count:
    """Return how many answers an instance has without some clues."""
    given = "tentative.\n" + "".join(f"relaxed({clue.rule}).\n" for clue in blamed)
    search = ask(instance, settings, Question(instance.puzzle.view().outputs, given=given))
    number = search.count(MOST_COUNTED)
    return Count(number, search.exhausted)


_NAMED = ("violated/1", "relaxed/1", "says/2", "called/2", "about/3")


def named(atoms: Sequence[Symbol], predicate: str) -> list[Broken]:
    """Return the rules of `violated` or `relaxed` atoms, with the cells and words that stand beside them."""
    rules: dict[Symbol, set[Cell]] = {atom.arguments[0]: set() for atom in atoms if atom.name == predicate}
    called = {atom.arguments[0]: atom.arguments[1] for atom in atoms if atom.name == "called"}
    says = {atom.arguments[0]: words(atom.arguments[1], called) for atom in atoms if atom.name == "says"}
    for atom in atoms:
        if atom.name == "about" and atom.arguments[0] in rules:
            r, c = integers(atom.arguments[1:])
            rules[atom.arguments[0]].add((r, c))
    return [
        Broken(str(rule), tuple(sorted(cells or pairs(rule))), says.get(rule, f"the rule {title(rule)}"))
        for rule, cells in sorted(rules.items())
    ]
