"""The truth about a puzzle: has it just one answer, and if not, what is wrong; and which rules an answer breaks.

Broken    Broken('once(row(1),3)', ((1, 2), (1, 5)), 'row 1 holds 3 once'): a rule that does not hold, and where
Verdict   what there is to say about a puzzle, whether it has one answer, several, or none
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, overload

from .errors import listing
from .guarded import Guarded, shrunk
from .query import Count, Question, ask, assembled, merged, solutions
from .settings import DEFAULT, Settings
from .symbols import integers
from .wording import clue_words, pairs, title, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clingo import Symbol

    from .board import Cell
    from .errors import EncodingError
    from .puzzle import Answer, Entry, Instance
    from .query import Solutions
    from .search import Search

UNNAMED = "unnamed"
"""What is called so breaks rules that have no name."""
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

    Of an answer in part, these are the rules that can no longer hold, however the rest is filled. What no answer can
    have, by rules that have no name, is called "unnamed".

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    kind, settings = instance.puzzle.kind, settings.started()
    asserted = kind.asserted(instance, answer)
    search = _relaxed(instance, asserted, settings)
    entries = [] if not search.usable else kind.entries(instance, answer, search)
    unknown = [entry.atom for entry in entries if None in entry.holds]
    if unknown and search.usable:  # of what no answer has, rules may still tell what is wrong
        search = _relaxed(instance, [*asserted, *unknown], settings)
        entries = [] if not search.usable else kind.entries(instance, answer, search)
    if not search.usable:
        return None
    said, unnamed = _assumed(instance, search, entries), list[Broken]()
    while (core := search.refute(list(said))) is not None:
        core = shrunk(core, search.refute)
        if not core:
            return [Broken(UNNAMED, (), "no board is an answer, by rules that have no name")]
        unnamed.append(_unnamed(dict.fromkeys(said[literal] for literal in core)))
        said = {literal: entry for literal, entry in said.items() if literal not in core}
    search.assumed = list(said)
    atoms = search.consequences("cautious") if search.exhausted else None
    if atoms is None or not search.exhausted:
        return None
    rules = named(instance, atoms)
    cells = {cell for rule in rules for cell in rule.cells}
    unnamed += [_unnamed([entry]) for entry in entries if entry.atom in unknown]
    return [rule for rule in dict.fromkeys(unnamed) if not rule.cells or not cells.issuperset(rule.cells)] + rules


def _relaxed(instance: Instance, asserted: Iterable[Symbol], settings: Settings) -> Guarded:
    """Return the search in which every rule may be broken, and some atoms are facts."""
    given = "".join(f"{atom}.\nsaid({atom}).\n" for atom in asserted)
    return Guarded(*assembled(instance, settings, Question(_NAMED, ("broken",), given, _WORDS)), settings)


def _assumed(instance: Instance, search: Search, entries: Iterable[Entry]) -> dict[int, Entry]:
    """Return the literals that entries assume."""
    literals = {
        symbol: literal
        for name, arity in instance.puzzle.view().signatures()
        for symbol, literal in search.atoms(name, arity).items()
    }
    said: dict[int, Entry] = {}
    for entry in entries:
        said.update((literals[atom], entry) for atom in entry.holds if atom and literals.get(atom))
        said.update((-literals[atom], entry) for atom in entry.fails if literals.get(atom))
    return said


def _unnamed(entries: Iterable[Entry]) -> Broken:
    cells = sorted({cell for entry in entries for cell in entry.cells})
    what = listing([entry.words for entry in entries], "and")
    return Broken(UNNAMED, tuple(cells), f"no answer can have {what}")


def verdict(instance: Instance, settings: Settings = DEFAULT) -> Verdict:
    """Return whether an instance has one answer, several, or none, and what is wrong if it has not one.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    settings = settings.started()
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
    if obstacle is not None and settings.encoding is None and not settings.extra:
        search = ask(instance, settings, Question(obstacle.outputs, files=(obstacle.mode,)))
        atoms = next(search.models(1), None)
        return Verdict("none", stuck="" if atoms is None else obstacle.words(instance, atoms))
    search = ask(instance, settings, Question(_NAMED, ("broken", "repair"), files=_WORDS))
    rules = {atom.arguments[0]: literal for atom, literal in search.atoms("broken", 1).items()}
    others = [-literal for rule, literal in rules.items() if not instance.puzzle.is_clue(rule)]
    for assumed in [others, []] if len(others) < len(rules) else [[]]:
        search.assumed = assumed
        best = search.best()
        if best is not None and search.exhausted:
            blamed = tuple(named(instance, best))
            return Verdict("none", blamed=blamed, without=_without(instance, blamed, settings) if assumed else None)
        if not search.exhausted:
            break
    return Verdict("none")


def _without(instance: Instance, blamed: Iterable[Broken], settings: Settings) -> Count:
    """Return how many answers an instance has without some clues."""
    given = "".join(f"relaxed({clue.rule}).\n" for clue in blamed)
    search = ask(instance, settings, Question(instance.puzzle.view().outputs, given=given))
    number = search.count(MOST_COUNTED)
    return Count(number, search.exhausted)


_NAMED = ("broken/1", "says/2", "called/2", "about/3")
_WORDS = ("words", "cells")


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
