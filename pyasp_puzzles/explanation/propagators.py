"""Propagators: what rules force, given known atoms, and which rules and cells that needs.

FormulaPropagator  a rule; or two rules, as one formula
GroupPropagator    a group of rules over the same cells, or a total
GlobalPropagator   a global rule
CorePropagator     the rules of a core, which force what a search found

Deduced            a minimal set of rules (by index) and cells that forces some literals
EliminationSource  the source of a pending elimination: its wave, and its propagator

A propagator has a `stage`, when it is asked, and a `difficulty`, how hard it is to see what it eliminates.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cores import minimal_subset
from pyasp_puzzles.asp.deadline import uninterrupted
from pyasp_puzzles.boards.grid import grouped
from pyasp_puzzles.explanation.groups import Needed, minimal_needs
from pyasp_puzzles.explanation.totals import spare_of_totals
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.queries.diagrams import TooLargeDiagramError
from pyasp_puzzles.queries.formulas import Threshold, atoms_state, formula_shape, known_literals
from pyasp_puzzles.queries.ground_rules import ground_atoms_by_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.global_rules import GlobalRule
    from pyasp_puzzles.explanation.groups import RuleGroup, RuleGroups
    from pyasp_puzzles.queries.formulas import TranslatedFormulaSearch
    from pyasp_puzzles.queries.ground_rules import GroundRules

    # Returns a core of literals; None if they can hold together.
    Refuter = Callable[[list[int]], list[int] | None]

# Of at most this many cells, all subsets are tried, to find a smallest one that suffices.
_MOST_COMBINED = 14

# When propagators are asked. Suppositions would find what those of two rules find, but later: without pairs of rules,
# what people see at once takes four; without groups, the steps of a quadruple Sudoku cost twice as much.
SINGLE, GLOBAL, PAIRS = STAGES = range(3)


class EliminationSource(NamedTuple):
    """The source of a pending elimination."""

    wave: int
    """The number of its wave, which is forced given all earlier waves."""
    propagator: Propagator


class Deduced(NamedTuple):
    """A minimal set of rules and cells, and the literals that it forces; none for a contradiction."""

    rules: tuple[int, ...]
    cells: tuple[Cell, ...]
    conclusions: tuple[int, ...]
    available: int = 1
    """How many conclusions the findings of equally few rules have together."""
    cost: float = 0.0
    """What a person must look at, by `Deduction.cost`."""
    cheapest: bool = False
    """Whether it is proven that nothing that places a value costs less."""
    source: EliminationSource | None = None


class Minimization(NamedTuple):
    """How a propagator minimizes what it needs."""

    check: Callable[[], None]
    """Called once for each question; raises OutOfTime when the budget is spent."""
    cost: Callable[[Sequence[int], Collection[Cell]], float]
    """The cost of rules and cells."""
    conflicts: int = Limits.MOST_CONFLICTS_OF_GROUP
    """What is not proven redundant within so many conflicts counts as needed."""


class Propagator:
    """Rules that force literals together.

    Args:
        ground: the rules of the board.
        rules: those of the propagator, by index.
    """

    stage = PAIRS

    def __init__(self, ground: GroundRules, rules: tuple[int, ...]) -> None:
        self.ground, self.rules = ground, rules
        self.difficulty: float = len(rules)

    @cached_property
    def scope(self) -> tuple[int, ...]:
        """All atoms on which it depends what is forced."""
        return tuple(sorted({atom for rule in self.rules for atom in self.ground.rules[rule].atoms}))

    @property
    def gave_up(self) -> bool:
        """Whether a search for what is forced was given up."""
        return False

    def forced(self, known: Mapping[int, bool]) -> Collection[int] | None:
        """Return the literals that are forced, given known atoms; None for a contradiction."""
        raise NotImplementedError

    def core(self, literal: int | None, known: Mapping[int, bool]) -> Collection[int] | None:
        """Return known literals that suffice to force a literal (None: a contradiction); None if all do not."""
        forced = self.forced(known)
        return known_literals(known) if forced is None or literal in forced else None

    def needed(self, literals: Iterable[int | None], known: Mapping[int, bool], how: Minimization) -> list[Deduced]:
        """Return minimal sets of rules and cells that force literals (None: a contradiction), for as many each."""
        by_needed: dict[Needed, list[int]] = {}
        for literal in literals:
            if needed := self._needed(literal, known, how):
                by_needed.setdefault(needed, []).extend([] if literal is None else [literal])
        return [Deduced(*needed, tuple(conclusions)) for needed, conclusions in by_needed.items()]

    def _needed(self, literal: int | None, known: Mapping[int, bool], how: Minimization) -> Needed | None:
        """Return a minimal set of rules and cells that forces a literal; None if all of them do not."""
        raise NotImplementedError


class FormulaPropagator(Propagator):
    """A rule; or two rules, as one formula.

    Args:
        ground: the rules of the board.
        rules: the rules, by index.
        demanding: the rules that demand one of their atoms, and allow just one.
    """

    def __init__(self, ground: GroundRules, rules: tuple[int, ...], demanding: Mapping[int, bool]) -> None:
        super().__init__(ground, rules)
        self.stage = SINGLE if len(rules) == 1 else PAIRS
        self._demands_one = len(rules) == 1 and rules[0] in demanding
        formulas = [ground.rules[rule].formula for rule in rules]
        both = Threshold(len(rules), tuple((1, formula) for formula in formulas))
        self._shape, self._atoms = formula_shape(both if formulas[1:] else formulas[0])

    def forced(self, known: Mapping[int, bool]) -> Collection[int] | None:
        """Return the literals that are forced, given known atoms; None for a contradiction."""
        return self._shape.forced(self._atoms, known)

    def _needed(self, literal: int | None, known: Mapping[int, bool], how: Minimization) -> Needed | None:
        """Return the rules, and a smallest set of cells that suffices.

        Of more than `_MOST_COMBINED` optional cells, it is minimal, and perhaps not the smallest.
        """
        of_cell = grouped((self.ground.cells[atom], atom) for atom in self.scope if atom in known)
        if self.core(literal, known) is None:
            return None
        if literal is not None and literal > 0 and self._demands_one:
            return self.rules, tuple(sorted(of_cell))  # it needs one of its atoms, and no other is left

        def suffice(cells: Iterable[Cell]) -> bool:
            how.check()
            return self.core(literal, {atom: known[atom] for cell in cells for atom in of_cell[cell]}) is not None

        needed = [cell for cell in sorted(of_cell) if not suffice(of_cell.keys() - {cell})]
        optional = sorted(of_cell.keys() - needed)
        if len(optional) > _MOST_COMBINED:
            needed += minimal_subset(optional, lambda rest: rest if suffice([*needed, *rest]) else None)
        else:
            choices = (chosen for size in range(len(optional)) for chosen in combinations(optional, size))
            needed += next((chosen for chosen in choices if suffice([*needed, *chosen])), optional)
        return self.rules, tuple(sorted(needed))


class GlobalPropagator(Propagator):
    """A global rule: a small program."""

    stage = GLOBAL

    def __init__(self, ground: GroundRules, number: int, rule: GlobalRule) -> None:
        super().__init__(ground, (number,))
        self._rule = rule
        self.difficulty = 1.5

    def forced(self, known: Mapping[int, bool]) -> Collection[int] | None:
        """Return the literals that are forced, given known atoms; None for a contradiction."""
        return self._rule.forced(known)

    def core(self, literal: int | None, known: Mapping[int, bool]) -> Collection[int] | None:
        """Return known literals that suffice to force a literal (None: a contradiction); None if all do not."""
        negation = [] if literal is None else [-literal]
        return self._rule.core([*negation, *self._rule.literals(known)])

    def _needed(self, literal: int | None, known: Mapping[int, bool], how: Minimization) -> Needed | None:
        """Return the rule, and a minimal set of cells."""
        del how
        needed = minimal_needs(self._rule.core, {}, known_parts(self.ground, self.scope, known), literal)
        return needed and (self.rules, needed[1])


class CorePropagator(Propagator):
    """The rules of a core; they are not propagated, but were found to force a literal.

    Args:
        ground: the rules of the board.
        rules: the rules, by index.
        refute: returns a core of literals and guards of these rules; None if they can hold together.
    """

    def __init__(self, ground: GroundRules, rules: tuple[int, ...], refute: Refuter) -> None:
        super().__init__(ground, rules)
        self._refute = refute
        self.available = 1
        """How many conclusions cores of equally few rules have."""
        self._guards = {ground.rules[rule].guard: rule for rule in rules}
        self._minimal: Deduced | None = None
        # The known literals of its cells when it was found.
        self._given: frozenset[int] = frozenset()

    def keep(self, minimal: Deduced, known: Mapping[int, bool]) -> None:
        """Keep what was found to be minimal, given known atoms."""
        self._minimal, self._given = minimal, frozenset(self._literals_of(minimal.cells, known))

    def _literals_of(self, cells: Iterable[Cell], known: Mapping[int, bool]) -> list[int]:
        """Return the known literals of some cells."""
        of_cell = self.ground.once(ground_atoms_by_cell)
        return known_literals(known, (atom for cell in cells for atom in of_cell[cell]))

    def core(self, literal: int | None, known: Mapping[int, bool]) -> Collection[int] | None:
        """Return known literals that suffice to force a literal (None: a contradiction); None if all do not."""
        negation = [] if literal is None else [-literal]
        return self._refute([*self._guards, *negation, *known_literals(known)])

    def _needed(self, literal: int | None, known: Mapping[int, bool], how: Minimization) -> Needed | None:
        """Return a minimal set of rules and cells; the kept one if the literals known now suffice for it."""
        del how
        if self._minimal is not None and (literal is None or literal in self._minimal.conclusions):
            parts = self._literals_of(self._minimal.cells, known)
            # With fewer literals than then, it is still minimal.
            if (
                self._given.issuperset(parts)
                and self.core(literal, {abs(part): part > 0 for part in parts}) is not None
            ):
                return self._minimal.rules, self._minimal.cells
        return minimal_needs(self._refute, self._guards, known_parts(self.ground, self.scope, known), literal)


class GroupPropagator(Propagator):
    """A group of rules over the same cells, with the one-value rules of these, or a total.

    Args:
        ground: the rules of the board.
        group: the group.
        groups: the groups of its layout.
    """

    def __init__(self, ground: GroundRules, group: RuleGroup, groups: RuleGroups) -> None:
        super().__init__(ground, group.rules)
        self.stage = SINGLE if group.sums else PAIRS
        self.difficulty = 1.0 if group.sums else 2.5
        self.scope = tuple(sorted(group.atoms))
        self.sums, self._total, self._groups = group.sums, group.total, groups
        self._guards = {ground.rules[rule].guard: rule for rule in (*group.rules, *group.company)}
        # What of the atoms need not hold, by which rules.
        self._spare: list[tuple[list[int], frozenset[int]]] | None = None

    @cached_property
    def _program(self) -> TranslatedFormulaSearch:
        return self.ground.search_of(self._guards.values())

    @property
    def gave_up(self) -> bool:
        """Whether a search for what is forced was given up."""
        return "_program" in vars(self) and self._program.gave_up

    def forced(self, known: Mapping[int, bool]) -> frozenset[int] | None:
        """Return the literals that are forced, given known atoms; None for a contradiction."""
        table, order = self._total.table() if self._total else self._groups.table_of(self.rules)
        try:
            forced = table.asked(atoms_state(order, known))
        except TooLargeDiagramError:
            atoms = [atom for atom in self.scope if atom not in known]
            given = known_literals(known, self.scope)
            literals = self._program.forced([*given, *self._guards], atoms, Limits.MOST_CONFLICTS_OF_GROUP)
            return None if literals is None else frozenset(literals)
        if forced is None:
            return None
        # What is placed in a unit follows from one of its rules, once the others are ruled out.
        kept = forced if self.sums or self._total else filter((0).__gt__, forced)
        return frozenset(order[abs(i) - 1] * (1 if i > 0 else -1) for i in kept)

    def core(self, literal: int | None, known: Mapping[int, bool]) -> Collection[int] | None:
        """Return known literals that suffice to force a literal (None: a contradiction); None if all do not."""
        if not self.sums:
            return super().core(literal, known)
        return self._refute([*self._guards, *([] if literal is None else [-literal]), *known_literals(known)])

    def _refute(self, literals: Sequence[int], most: int = Limits.MOST_CONFLICTS_OF_GROUP) -> list[int] | None:
        """Return a core of literals and guards; None if they can hold together, or if none was found.

        If the group has a total, its few cells decide this; a search would have to try all their sums.
        """
        total, guards = self._total, self._guards
        if total is None:
            return self._program.refute(literals, most)
        rules = {guards[literal] for literal in literals if literal in guards}
        if not rules >= total.rules:
            if self._spare is None:
                self._spare = spare_of_totals(self.ground, total)
            spare = [-atom for atoms, once in self._spare if not once.isdisjoint(rules) for atom in atoms]
            core = self._program.refute([*literals, *spare], most)
            return None if core is None else [*literals]  # what is spare may depend on others of the rules
        known = {abs(literal): literal > 0 for literal in literals if literal not in guards}
        clash = any(known[abs(literal)] is not (literal > 0) for literal in literals if literal not in guards)
        free = [cell for cell in total.weights if self._groups.one_value[cell] not in rules]
        return None if not clash and total.can_hold(known, free) else [*literals]

    def needed(self, literals: Iterable[int | None], known: Mapping[int, bool], how: Minimization) -> list[Deduced]:
        """Return minimal sets of rules and cells that force literals; of two in a unit, the cheaper.

        Raises:
            OutOfTime: time ran out.
        """
        known_ones = known_literals(known, self.scope)
        parts = grouped((self.ground.cells[abs(literal)], literal) for literal in known_ones)
        company = self._groups.granted.intersection(self._guards.values())

        def refute(asked: list[int]) -> list[int] | None:
            return self._refute(asked, how.conflicts)

        by_needed: dict[Needed, list[int]] = {}
        for literal in literals:
            how.check()
            with uninterrupted():
                needed = next((each for each in by_needed if self._shares(each, literal, parts, refute)), None)
                if needed is None:
                    needed = self._minimized(literal, parts, refute, how)
                elif self._leaves_company(literal):  # `_merged` leaves out what is not needed of it
                    needed = tuple(sorted(company.union(needed[0]))), needed[1]
            if needed:
                by_needed.setdefault(needed, []).extend([] if literal is None else [literal])
        return self._merged(by_needed, parts)

    def _minimized(
        self, literal: int | None, parts: Mapping[Cell, Sequence[int]], refute: Refuter, how: Minimization
    ) -> Needed | None:
        """Return a minimal set of rules and cells that forces a literal; of two in a unit, the cheaper."""
        guards = self._guards
        # What a line rules out without looking at its cells is one step; a value is placed by few rules.
        free = self._groups.granted if (literal or 1) < 0 else ()
        if self.sums and not self._total:
            # A line that fills a box says more than its numbers together with those of the box.
            sums = {guard: rule for guard, rule in guards.items() if rule in self._groups.sums}
            needed = minimal_needs(refute, sums, parts, literal, free=free)
            return needed or minimal_needs(refute, guards, parts, literal, free=free)
        needed = minimal_needs(refute, guards, parts, literal, free=free)
        if needed is None:
            return None
        # A hidden pair leaves a triple of other numbers.
        rest = {guard: rule for guard, rule in guards.items() if rule != needed[0][0]}
        other = minimal_needs(refute, rest, parts, literal, free=free)
        return min(needed, other or needed, key=lambda each: how.cost(*each))

    def _leaves_company(self, literal: int | None) -> bool:
        """Return whether a literal may have a step in common with others that need other one-value rules."""
        return self.sums and (literal or 1) < 0

    def _shares(
        self, needed: Needed, literal: int | None, parts: Mapping[Cell, Sequence[int]], refute: Refuter
    ) -> bool:
        """Return whether rules and cells force a literal, and no fewer of them do, which takes few questions."""
        if literal is None:
            return False
        company = self._groups.granted if self._leaves_company(literal) else frozenset[int]()
        main = [guard for guard, rule in self._guards.items() if rule in needed[0] and rule not in company]
        assumed = [-literal, *(guard for guard, rule in self._guards.items() if rule in company)]

        def core(guards: Iterable[int], cells: Iterable[Cell]) -> list[int] | None:
            return refute([*assumed, *guards, *(part for cell in cells for part in parts[cell])])

        every = core(main, needed[1])
        if every is None or not {*every}.issuperset(main):
            return False
        fewer = (core([other for other in main if other != guard], needed[1]) for guard in main)
        without = (core(main, [other for other in needed[1] if other != cell]) for cell in needed[1])
        return all(one is None for one in chain(fewer, without))

    def _merged(self, by_needed: Mapping[Needed, list[int]], parts: Mapping[Cell, Sequence[int]]) -> list[Deduced]:
        """Return what is forced; eliminations of sums together if they need the same, company aside.

        So a step says of a cage of 7 that its cells are 1, 2 and 4, though each cell has others as its company.
        """
        granted = self._groups.granted
        several: dict[object, list[Needed]] = {}
        for rules, cells in by_needed:
            merged = self.sums and max(by_needed[rules, cells], default=1) < 0
            main_rules = tuple(rule for rule in rules if rule not in granted) if merged else rules
            several.setdefault((merged, main_rules, cells), []).append((rules, cells))
        found = []
        for needed in several.values():
            cells = needed[0][1]
            conclusions = tuple(literal for needs in needed for literal in by_needed[needs])
            used = {rule for rules_used, _ in needed for rule in rules_used}
            known = [literal for cell in cells for literal in parts[cell]]
            for rule in sorted(used & granted) if len(needed) > 1 else ():
                guards = [guard for guard, other in self._guards.items() if other in used and other != rule]
                if all(self._refute([*guards, -literal, *known]) is not None for literal in conclusions):
                    used.remove(rule)
            found.append(Deduced(tuple(sorted(used)), cells, conclusions))
        return found


def known_parts(ground: GroundRules, atoms: Iterable[int], known: Mapping[int, bool]) -> dict[Cell, list[int]]:
    """Return {cell: its known literals} for the cells of those of some atoms that are known."""
    of_cell, cells = ground.once(ground_atoms_by_cell), {ground.cells[atom] for atom in atoms if atom in known}
    return {cell: known_literals(known, of_cell[cell]) for cell in sorted(cells)}
