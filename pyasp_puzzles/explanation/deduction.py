"""What one or two named rules force, given what is known of some cells.

Finding    the rules, by their numbers, and the cells whose knowledge forces some literals: as few as possible
Deduction  what is known, and the next finding
"""

from __future__ import annotations

from itertools import combinations
from math import log
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pyasp_puzzles.asp.cores import minimal_core
from pyasp_puzzles.explanation.closures import Closures
from pyasp_puzzles.explanation.ground_rules import Formula, consequences, consequences_of, ground_rules_of, simplify
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.ground_rules import GroundRules
    from pyasp_puzzles.model.puzzle import Instance


Key = TypeVar("Key")


class Finding(NamedTuple):
    """Rules and cells, none of which can be left out, and the literals that they force; none for a contradiction."""

    rules: tuple[int, ...]
    cells: tuple[Cell, ...]
    conclusions: tuple[int, ...]
    available: int = 1
    """How many conclusions the findings of as few rules have."""
    main: int | None = None
    """The rule whose companions the others are; None if they are none."""


def excluded(
    instance: Instance, values: Mapping[Cell, object], marks: Mapping[Cell, Collection[str]], settings: Settings
) -> dict[Cell, list[str]]:
    """Return which marks a single rule excludes, given the numbers that are printed or filled in, and nothing else.

    Args:
        instance: the board.
        values: {cell: what is filled in}.
        marks: {cell: what somebody holds possible there}, as text: {(1, 2): ["3", "4"]}.
        settings: the rules, and how long it may take.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out.
    """
    ground = ground_rules_of(instance, settings)
    values = {**values, **instance.printed.givens}
    known = {atom: ground.values[atom] == values[cell] for atom, cell in ground.cells.items() if cell in values}
    marked = {atom for atom, cell in ground.cells.items() if str(ground.values[atom]) in marks.get(cell, ())}
    found: set[int] = set()
    for rule in ground.rules:
        if not marked.isdisjoint(rule.atoms):
            forced = consequences_of(rule.formula, known)
            if forced is None:  # it is broken: what each of its numbers excludes alone
                alone = ({atom: True} for atom in rule.atoms if known.get(atom))
                forced = frozenset().union(*(consequences_of(rule.formula, one) or () for one in alone))
            found.update(-literal for literal in forced)
    excluded: dict[Cell, list[str]] = {}
    for atom in sorted(found & marked):
        excluded.setdefault(ground.cells[atom], []).append(str(ground.values[atom]))
    return excluded


class Deduction:
    """What is known of a board, and what follows from it by one rule or two."""

    def __init__(self, ground: GroundRules, deadline: Deadline, closures: Closures | None = None) -> None:
        self.ground = ground
        self._check = deadline.check
        self.closures = closures or Closures(ground, deadline.check)
        self.known: dict[int, bool] = {}
        """The atoms whose truth is known."""
        self._rules_of: dict[int, list[int]] = {atom: [] for atom in ground.symbols}
        for number, rule in enumerate(ground.rules):
            for atom in rule.atoms:
                self._rules_of[atom].append(number)
        # The rules with companions, by the cells that they are about.
        self._rules_of_cell: dict[Cell, list[int]] = {}
        for number, cells in self.closures.rules_with_companions():
            for cell in cells:
                self._rules_of_cell.setdefault(cell, []).append(number)
        self.atoms_of: dict[Cell, list[int]] = {}
        for atom, cell in ground.cells.items():
            self.atoms_of.setdefault(cell, []).append(atom)
        self._findings: dict[tuple[int, ...], list[Finding]] = {}
        self._direct: dict[int, list[tuple[int, int]]] = {}
        self._simplified: dict[int, Formula] = {}
        # Rules with atoms that were learned since the rule, or its pairs, were last checked.
        self._stale = set(range(len(ground.rules)))
        self._stale_in_pairs = set(self._stale)
        # The same for rules with their companions, those about cells and all of them.
        with_companions = {number for number, _ in self.closures.rules_with_companions()}
        self._stale_closures = {False: set(with_companions), True: with_companions}
        self._closures: dict[tuple[int, bool], list[Finding]] = {}

    def learn(self, literal: int) -> None:
        """Add a literal to what is known."""
        rules = self._rules_of[abs(literal)]
        self.known[abs(literal)] = literal > 0
        self._stale.update(rules)
        self._stale_in_pairs.update(rules)
        for stale in self._stale_closures.values():
            stale.update(self._rules_of_cell.get(self.ground.cells[abs(literal)], ()))

    def direct_eliminations(self, atom: int) -> list[tuple[int, int]]:
        """Return (other atom, rule) for what one rule excludes if an atom holds and nothing else is known."""
        found = self._direct.get(atom)
        if found is None:
            found = self._direct[atom] = []
            for rule in self._rules_of[atom]:
                if self.closures.is_large(rule):
                    forced = frozenset(self.closures.alone(rule, atom))
                else:
                    forced = consequences_of(self.ground.rules[rule].formula, {atom: True}) or frozenset()
                excluded = sorted(-literal for literal in forced if literal < 0)
                found += [(other, rule) for other in excluded if other in self.ground.symbols]
        return found

    def smallest(self) -> Finding | None:
        """Return the finding with the fewest rules, one or two, and among these with the fewest cells.

        A rule with its companions counts as one if these are about its cells, and else as two.

        Raises:
            OutOfTime: time ran out.
        """
        for rule in self._stale:
            self._check()
            if not self.closures.is_large(rule):
                self._update((rule,))
        self._stale.clear()
        found = self._smallest(1)
        if found is None:
            found = self._smallest_closure(once=False)
        if found is None and len(self.known) < len(self.ground.symbols):
            self._stale_in_pairs = {rule for rule in self._stale_in_pairs if not self.closures.is_large(rule)}
            for rule in self._stale_in_pairs:
                self._simplified[rule] = simplify(self.ground.rules[rule].formula, self.known)
            for pair in set(self._pairs()):
                self._check()
                self._update(pair)
            self._stale_in_pairs.clear()
            found = self._smallest(2)
        if found is None:
            found = self._smallest_closure(once=True)
        return found

    def _smallest_closure(self, *, once: bool) -> Finding | None:
        """Return the finding with the fewest cells of those of one rule and its companions."""
        stale = self._stale_closures[once]
        for rule in stale:
            self._check()
            self._closures.pop((rule, once), None)
            closures = self.closures.find(rule, self.known, once=once)
            if closures:
                self._closures[rule, once] = [Finding(*closure, main=rule) for closure in closures]
        stale.clear()
        return self._best(self._closures, [key for key in self._closures if key[1] is once])

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of rules, one of them with new knowledge, that share two or more unknown atoms.

        Rules that share one atom force nothing more together than alone: each of them allows both values of it.
        """
        for rule in self._stale_in_pairs:
            self._check()
            shared: dict[int, int] = {}
            for atom in self.ground.rules[rule].atoms.difference(self.known):
                for other in self._rules_of[atom]:
                    shared[other] = shared.get(other, 0) + 1
            companions = self.closures.all_companions(rule)
            for other, number in shared.items():
                if number < 2 or other == rule or other in companions or self.closures.is_large(other):
                    continue
                if rule not in self.closures.all_companions(other):
                    yield min(rule, other), max(rule, other)

    def _smallest(self, size: int) -> Finding | None:
        return self._best(self._findings, [rules for rules in self._findings if len(rules) == size])

    def _best(self, among: dict[Key, list[Finding]], keys: Iterable[Key]) -> Finding | None:
        """Return the finding with the fewest cells of those with some keys, and forget those that say nothing new."""
        best: Finding | None = None
        available: set[int] = set()
        for key in keys:
            current = [found for found in among[key] if not found.conclusions or self._unknown(found.conclusions)]
            if not current:
                del among[key]
            for found in current:
                available.update(self._unknown(found.conclusions))
                if best is None or _size(found) < _size(best):
                    best = found
        return best and best._replace(
            conclusions=tuple(self._unknown(best.conclusions)), available=max(1, len(available))
        )

    def _unknown(self, conclusions: Iterable[int]) -> list[int]:
        return [literal for literal in conclusions if abs(literal) not in self.known]

    def _update(self, rules: tuple[int, ...]) -> None:
        """Find what some rules force, grouped by the cells that this needs."""
        self._findings.pop(rules, None)
        if len(rules) == 1:
            forced = consequences_of(self.ground.rules[rules[0]].formula, self.known)
        else:
            forced = consequences([self._simplified[rule] for rule in rules])
        if forced is None:
            self._findings[rules] = [Finding(rules, self._fewest_cells(rules, None), ())]
        elif forced:
            by_cells: dict[tuple[Cell, ...], list[int]] = {}
            for literal in sorted(forced):
                if abs(literal) in self.ground.symbols:
                    by_cells.setdefault(self._fewest_cells(rules, literal), []).append(literal)
            self._findings[rules] = [Finding(rules, cells, tuple(group)) for cells, group in by_cells.items()]

    def _fewest_cells(self, rules: tuple[int, ...], literal: int | None) -> tuple[Cell, ...]:
        """Return the fewest cells whose knowledge, with the rules, forces a literal, or a contradiction (None)."""
        known = self.knowledge(rules)
        formulas = [self.ground.rules[rule].formula for rule in rules]

        def suffice(cells: Iterable[Cell]) -> bool:
            values = {atom: value for cell in cells for atom, value in known[cell].items()}
            if len(formulas) == 1:
                forced = consequences_of(formulas[0], values)
            else:
                forced = consequences([simplify(formula, values) for formula in formulas])
            return forced is None or literal in forced

        needed = [cell for cell in known if not suffice(other for other in known if other != cell)]
        optional = sorted(known.keys() - set(needed))
        if len(optional) > Limits.MOST_COMBINED:
            optional = minimal_core(optional, lambda rest: rest if suffice([*needed, *rest]) else None)
            return tuple(sorted([*needed, *optional]))
        for size in range(len(optional)):
            for extra in combinations(optional, size):
                self._check()
                if suffice([*needed, *extra]):
                    return tuple(sorted([*needed, *extra]))
        return tuple(sorted(known))

    def open_candidates(self, rules: Iterable[int]) -> int:
        """Return how many unknown atoms the rules have, each as often as it occurs."""
        return sum(len(self.ground.rules[rule].atoms.difference(self.known)) for rule in rules)

    def rule_literals(self, rule: int) -> frozenset[int]:
        """Return the literals about cells that a rule forces alone, when nothing is known."""
        forced = consequences_of(self.ground.rules[rule].formula, {}) or frozenset()
        return frozenset(literal for literal in forced if abs(literal) in self.ground.symbols)

    def is_satisfied(self, rule: int) -> bool:
        """Return whether a rule holds, given what is known."""
        return self._simplified.get(rule) is True

    def assumptions(self) -> list[int]:
        """Return all that is known and the guards of all rules, to be assumed in a search of the board."""
        return [
            *(atom if holds else -atom for atom, holds in self.known.items()),
            *(rule.guard for rule in self.ground.rules),
        ]

    def literals_of(self, cell: Cell) -> list[int]:
        """Return the known literals of a cell."""
        return [atom if self.known[atom] else -atom for atom in self.atoms_of[cell] if atom in self.known]

    def knowledge(self, rules: Iterable[int]) -> dict[Cell, dict[int, bool]]:
        """Return {cell: {atom: whether it holds}} for the known atoms of some rules."""
        known: dict[Cell, dict[int, bool]] = {}
        for rule in rules:
            for atom in self.ground.rules[rule].atoms & self.known.keys():
                known.setdefault(self.ground.cells[atom], {})[atom] = self.known[atom]
        return known


def _size(finding: Finding) -> tuple[int, int, Finding]:
    return len(finding.cells), len(finding.rules), finding


def step_cost(rules: int, candidates: int, cells: int, left: int, available: int) -> float:
    """Return how hard a step is to find.

    Args:
        rules: the rules that it takes.
        candidates: how many candidates these leave open, each as often as a rule has it.
        cells: the cells that it takes.
        left: the candidates of the whole board that are open.
        available: how many conclusions steps of as few rules have.
    """
    # Fitted, see docs/explaining.md.
    return rules + candidates / 10 + 0.3 * log(max(1, cells)) + log(max(1.0, left / available)) / 5
