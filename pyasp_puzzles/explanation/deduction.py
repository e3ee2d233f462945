"""`Deduction`: propagation by one or two named rules, or by a group of rules over the same cells.

An elimination is pending until a step states it. Eliminations are found in waves: each is all that rules force, given
the waves before it. What an elimination needs is computed only if a placement depends on it.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from math import inf
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.cores import minimal_subset
from pyasp_puzzles.explanation.global_rules import global_rules
from pyasp_puzzles.explanation.groups import RuleGroups
from pyasp_puzzles.explanation.levels import Derivation
from pyasp_puzzles.explanation.propagators import (
    GLOBAL,
    PAIRS,
    SINGLE,
    STAGES,
    CorePropagator,
    Deduced,
    EliminationSource,
    FormulaPropagator,
    GlobalPropagator,
    GroupPropagator,
    Minimization,
)
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.step import deduction_cost
from pyasp_puzzles.queries.formulas import consequences_of_formula, known_literals, simplify
from pyasp_puzzles.queries.ground_rules import ground_atoms_by_cell, ground_rules_by_atom, ground_rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.global_rules import GlobalRule
    from pyasp_puzzles.explanation.propagators import Propagator, Refuter
    from pyasp_puzzles.explanation.reasons import Options
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.queries.ground_rules import GroundRules

# With more sets of cells, a small hitting set is found greedily, and perhaps not the smallest.
_MOST_COVERED = 8
# With more units, one-value rules count as well: a chain through cells is harder to follow than a fish. Fitted with the
# constants of grades, see docs/explaining.md.
_MOST_UNITS_ALONE = 2
# Of this many of the cheapest placements, the pending eliminations that they depend on are compared.
_MOST_COMPARED = 6


def deduced_exclusions(
    instance: Instance, values: Mapping[Cell, object], marks: Mapping[Cell, Collection[str]], settings: Settings
) -> dict[Cell, list[str]]:
    """Return the pencil marks that a single rule excludes, given only the printed and filled-in numbers.

    Args:
        instance: the board.
        values: {cell: what is filled in}.
        marks: {cell: the pencil marks there}, as text: {(1, 2): ["3", "4"]}.
        settings: the rules, and how long it may take.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out.
    """
    ground = ground_rules_of(instance, settings)
    values = {**values, **instance.printed.givens}
    known = {atom: ground.values[atom] == values[cell] for atom, cell in ground.cells.items() if cell in values}
    marked = {atom for atom, cell in ground.cells.items() if str(ground.values[atom]) in marks.get(cell, ())}
    excluded_atoms: set[int] = set()
    for rule in ground.rules:
        if not marked.isdisjoint(rule.atoms):
            forced = consequences_of_formula(rule.formula, known)
            if forced is None:  # violated: what each of its true atoms excludes alone
                alone = ({atom: True} for atom in rule.atoms if known.get(atom))
                forced = frozenset().union(*(consequences_of_formula(rule.formula, single) or () for single in alone))
            excluded_atoms.update(-literal for literal in forced)
    excluded: dict[Cell, list[str]] = {}
    for atom in sorted(excluded_atoms & marked):
        excluded.setdefault(ground.cells[atom], []).append(str(ground.values[atom]))
    return excluded


class Deduction:
    """The known atoms of a board, and what follows from them by one or two rules, or by rules over the same cells.

    Args:
        ground: the rules of the board.
        check: called once per query; raises OutOfTime when the budget is spent.
        two_valued: whether an elimination decides its cell.
    """

    def __init__(self, ground: GroundRules, check: Callable[[], None], *, two_valued: bool = False) -> None:
        self.ground = ground
        self._two_valued, self._check = two_valued, check
        self.groups: RuleGroups = ground.once(RuleGroups).for_board(ground)
        self.global_rules: dict[int, GlobalRule] = global_rules(ground)
        """{index: the rule} of the global rules."""
        # The propagators: of each rule, then of the groups.
        self._propagators: list[Propagator] = [
            GlobalPropagator(ground, rule, self.global_rules[rule])
            if rule in self.global_rules
            else FormulaPropagator(ground, (rule,), self.groups.demanding)
            for rule in range(len(ground.rules))
        ]
        self._propagators += [GroupPropagator(ground, group, self.groups) for group in self.groups.groups]
        self.known: dict[int, bool] = dict.fromkeys(sorted(ground.settled), True)
        """{atom: whether it holds}, with pending eliminations."""
        self.stated: dict[int, bool] = dict(self.known)
        """{atom: whether it holds}, as stated by steps: without pending eliminations."""
        # The pending eliminations, each with its source.
        self._pending = Derivation[EliminationSource]()
        self._wave = 0
        # {(source, what it forces): the pending eliminations that this needs}; emptied when more is stated.
        self._rests: dict[tuple[EliminationSource, tuple[int | None, ...]], set[int]] = {}
        self.excluded_by: dict[int, Options] = {}
        """{atom: [(rule, the true atom with which it excludes this one directly)]}"""
        # The cell of the last placement.
        self._last: Cell = (1, 1)
        # Without clues, which force nothing else.
        self._rules_of = ground.once(ground_rules_by_atom)
        self.atoms_of = ground.once(ground_atoms_by_cell)
        self._direct: dict[int, list[tuple[int, int]]] = self.groups.direct
        # {propagator: its findings}
        self._findings: dict[Propagator, list[Deduced]] = {}
        # {atom: the cells whose values exclude it}
        self._excluding: dict[int, frozenset[Cell]] = {}
        # Those whose findings may cost less now: another value excludes one of their atoms.
        self._recounted: set[Propagator] = set()
        # {atom: the propagators that it affects}
        self._of_atom: dict[int, list[Propagator]] = {
            atom: [self._propagators[rule] for rule in self._rules_of[atom] if self._is_asked(rule)]
            for atom in ground.symbols
        }
        for propagator in self._propagators[len(ground.rules) :]:
            for atom in propagator.scope:
                self._of_atom[atom].append(propagator)
        # For each stage, the propagators to ask, because atoms of theirs were learned.
        self._stale: list[set[Propagator]] = [set() for _ in STAGES]
        for number, propagator in enumerate(self._propagators):
            if number >= len(ground.rules) or self._is_asked(number):
                self._stale[propagator.stage].add(propagator)
        # The rules whose pairs with another one are to be asked.
        self._stale_pairs = {*range(len(ground.rules))}
        # {two rules: their propagator}
        self._pairs: dict[tuple[int, int], FormulaPropagator] = {}
        # {propagator: eliminations that are not learned yet}
        self._eliminated: dict[Propagator, Collection[int]] = {}
        # {rules of a core: its propagator}
        self._cores: dict[tuple[int, ...], CorePropagator] = {}

    def _is_asked(self, rule: int) -> bool:
        """Return whether a rule is propagated; if not, its group is."""
        return rule in self.global_rules or rule not in self.groups.large

    def learn(self, literal: int) -> None:
        """Add a literal to the known ones."""
        self.known[abs(literal)] = literal > 0
        self._stale_pairs.update(self._rules_of[abs(literal)])
        for propagator in self._of_atom[abs(literal)]:
            self._stale[propagator.stage].add(propagator)

    def place(self, literals: Sequence[int]) -> list[int]:
        """Learn literals as stated, and what those that hold exclude directly; return the excluded atoms."""
        for literal in literals:
            if abs(literal) not in self.known or abs(literal) in self._pending.derived:
                self.learn(literal)  # without an answer, what is placed may be ruled out, and pending
        excluded = []
        self._rests = {}
        for literal in literals:
            self.stated[abs(literal)] = self.known[abs(literal)]
            self._pending.drop(abs(literal))
        for literal in (literal for literal in literals if literal > 0):
            self._last = self.ground.cells[literal]
            for atom, rule in self.direct_eliminations(literal):
                self.excluded_by.setdefault(atom, []).append((rule, literal))
                self._excluding.pop(atom, None)
                self._recounted.update(self._of_atom[atom])
                excluded.append(atom)
                self._pending.drop(atom)
                if atom not in self.known:
                    self.learn(-atom)
                if not self.known[atom]:
                    self.stated[atom] = False
        return excluded

    def direct_eliminations(self, atom: int) -> list[tuple[int, int]]:
        """Return [(excluded atom, rule)]: what single rules exclude if an atom holds and nothing else is known.

        What a rule excludes even without the atom is left out.
        """
        eliminations = self._direct.get(atom)
        if eliminations is None:
            eliminations = self._direct[atom] = []
            for rule in self._rules_of[atom]:
                formula = self.ground.rules[rule].formula
                always = (
                    frozenset() if rule in self.groups.large else consequences_of_formula(formula, {}) or frozenset()
                )
                forced = (consequences_of_formula(formula, {atom: True}) or frozenset()) - always
                excluded = sorted(-literal for literal in forced if literal < 0)
                eliminations += [(other, rule) for other in excluded if other in self.ground.symbols]
        return eliminations

    def smallest(self) -> Deduced | None:
        """Return the cheapest placement of the first stage that has one, or a contradiction; None if nothing follows.

        The eliminations that it depends on are pending: see `needed_eliminations`.

        Raises:
            OutOfTime: time ran out.
        """
        while True:
            for stage in STAGES:
                self._update(stage)
                if (best := self._best(stage)) is not None:
                    # All single rules and groups with sums were searched; anything else has two rules to look at.
                    proven = not stage and self._all_searched()
                    return best._replace(cheapest=proven and best.cost <= deduction_cost(2, 0, 0, 0))
                if self._learn_eliminated():
                    break
            else:
                return None

    def _all_searched(self) -> bool:
        """Whether all that single rules and groups force was found."""
        gave_up = any(propagator.gave_up for propagator in self._propagators[len(self.ground.rules) :])
        return self.groups.cover_sums and not self.global_rules and not gave_up

    def _update(self, stage: int) -> None:
        """Ask the propagators of a stage that learned atoms affect; global ones until one forces something."""
        if stage == PAIRS and len(self.known) == len(self.ground.symbols):
            return
        stale = self._stale[stage]
        order: Iterable[Propagator] = (propagator for propagator in self._propagators if propagator in stale)
        if stage == SINGLE:
            self._recounted -= stale
        elif stage == PAIRS:
            order = [*(pair for rule in sorted(self._stale_pairs) for pair in self._pairs_of(rule)), *order]
            self._stale_pairs.clear()
        elif self._best(stage) is None:  # those with few open atoms first
            order = sorted(order, key=lambda propagator: len(self._unknown(propagator.scope)))
        else:
            return
        for propagator in order:
            self._check()
            stale.discard(propagator)
            self._found(propagator, propagator.forced(self.known))
            if stage == GLOBAL and (propagator in self._findings or propagator in self._eliminated):
                return

    def _pairs_of(self, rule: int) -> Iterator[FormulaPropagator]:
        """Yield the rule, if it demands one of its atoms, with each at-most-one rule that has all its open atoms."""
        demanding, atoms = self.groups.demanding, self.ground.rules[rule].atoms
        left = atoms.difference(self.known)
        if demanding.get(rule) and len(left) > 1 and not any(map(self.known.get, atoms)):
            for other in set[int].intersection(*({*self._rules_of[atom]} for atom in left)) & demanding.keys():
                if not self.ground.rules[other].atoms.difference(atoms) <= self.known.keys():
                    both = min(rule, other), max(rule, other)
                    if both not in self._pairs:
                        self._pairs[both] = FormulaPropagator(self.ground, both, demanding)
                    yield self._pairs[both]

    def _learn_eliminated(self) -> bool:
        """Learn the eliminations found, as a wave of pending ones; return whether any are new."""
        self._wave += 1
        before = len(self._pending.inferences)
        for propagator, literals in self._eliminated.items():
            if news := self._unknown(literals):
                self._pending.add_inference(EliminationSource(self._wave, propagator), news)
                for literal in news:
                    self.learn(literal)
        self._eliminated = {}
        return len(self._pending.inferences) > before

    def _core(self, rules: tuple[int, ...], available: int, refute: Refuter) -> CorePropagator:
        """Return the propagator of a core."""
        if rules not in self._cores:
            self._cores[rules] = CorePropagator(self.ground, rules, refute)
        self._cores[rules].available = available
        return self._cores[rules]

    def with_source(self, finding: Deduced, refute: Refuter) -> Deduced:
        """Return the finding of a core, with the core as its source."""
        core = self._core(finding.rules, finding.available, refute)
        core.keep(finding, self.known)
        return finding._replace(source=EliminationSource(self._wave + 1, core))

    def postpone(self, finding: Deduced) -> None:
        """Learn the eliminations of a finding; they are pending."""
        assert finding.source is not None
        propagator = finding.source.propagator
        every = dict.fromkeys([*finding.conclusions, *self._eliminated.pop(propagator, ())])
        self._eliminated = {propagator: [*every], **self._eliminated}  # the cheapest first
        self._learn_eliminated()

    def postpone_core(self, rules: tuple[int, ...], literal: int, available: int, refute: Refuter) -> None:
        """Queue an elimination of a core that may not be minimal for the next wave."""
        core = self._core(rules, available, refute)
        self._eliminated[core] = [*self._eliminated.get(core, ()), literal]

    def decides(self, literal: int) -> bool:
        """Return whether a literal decides its cell."""
        return literal > 0 or self._two_valued

    @property
    def has_pending(self) -> bool:
        """Whether eliminations are pending."""
        return bool(self._pending.derived)

    def is_stated(self, cells: Iterable[Cell]) -> bool:
        """Return whether steps stated all that is known of some cells."""
        return all(atom not in self._pending.derived for cell in cells for atom in self.atoms_of[cell])

    def state_until(self, deadline: Deadline) -> None:
        """Stop searching; report pending eliminations until a later deadline."""
        self._check = deadline.check

    def pending(self) -> Iterator[tuple[EliminationSource, list[int]]]:
        """Yield (source, its pending eliminations as literals), in the order of waves."""
        by_source: dict[EliminationSource, list[int]] = {}
        for atom in self._pending.derived:
            by_source.setdefault(self._pending.inference(atom), []).append(-atom)
        return iter(sorted(by_source.items(), key=self._order))

    def needed_eliminations(self, finding: Deduced) -> list[tuple[EliminationSource, list[int]]]:
        """Return [(source, literals)]: the pending eliminations that a finding depends on, in order."""
        pending, used = self._pending, dict[int, set[int]]()
        if finding.source and pending.derived:
            pending.use(self._rests_on(finding.source, finding.conclusions or (None,)), used)
        pending.trace(
            used, lambda number, literals: self._rests_on(pending.inferences[number - 1], tuple(sorted(literals)))
        )
        return sorted(
            ((pending.inferences[number - 1], sorted(literals)) for number, literals in used.items()), key=self._order
        )

    def _order(self, entry: tuple[EliminationSource, list[int]]) -> tuple[object, ...]:
        """Return the sort key of pending eliminations: by wave, then the easiest first."""
        wave, asked = entry[0]
        return wave, asked.difficulty, len(asked.scope), self.groups.spread(asked.rules), asked.rules

    def _rests_on(self, source: EliminationSource, literals: tuple[int | None, ...]) -> set[int]:
        """Return the pending eliminations with which a source forces literals: a minimal set for each literal."""
        if (source, literals) not in self._rests:
            self._rests[source, literals] = self._found_rests(source, literals)
        return self._rests[source, literals]

    def _found_rests(self, source: EliminationSource, literals: Iterable[int | None]) -> set[int]:
        asked = source.propagator
        given = {atom: self.stated[atom] for atom in asked.scope if atom in self.stated}
        pending, inference_of = self._pending.derived, self._pending.inference
        waiting = [atom for atom in asked.scope if atom in pending and inference_of(atom).wave < source.wave]
        waiting.sort(key=lambda atom: (-inference_of(atom).wave, atom))
        needed: set[int] = set()
        for literal in literals if waiting else ():

            def suffice(rest: list[int]) -> list[int] | None:
                self._check()
                core = asked.core(literal, given | dict.fromkeys(rest, False))  # noqa: B023
                return None if core is None else [atom for atom in rest if -atom in core]

            if suffice([]) is None:
                needed.update(minimal_subset(waiting, suffice))
        return needed

    def as_stated(self) -> Deduction:
        """Return a copy that knows only what steps stated, as a reader does."""
        reader = copy(self)
        vars(reader).update(known=self.stated, _excluding={})
        return reader

    def restated(self, finding: Deduced) -> Deduced:
        """Return a finding of a stage, or of a core, as a reader derives it, who knows only what steps stated."""
        assert finding.source is not None
        reader = self.as_stated()
        # To search again takes longest for cores. Of eliminations, it would find those that are pending, too.
        if min(finding.conclusions, default=0) > 0 and self.is_stated(finding.cells):
            return finding._replace(cost=reader.cost(finding.rules, finding.cells))
        again = reader.again(finding.source, finding.conclusions)
        return min(again, key=lambda option: option.cost, default=finding)

    def again(self, source: EliminationSource, literals: Sequence[int]) -> list[Deduced]:
        """Return minimal findings by which a source forces literals (none: a contradiction).

        They include its other pending eliminations that need no more rules and cells.
        """
        if literals and literals[0] < 0:
            source = self._easiest(source, literals[0])
        asked = source.propagator
        wanted = {*self._unknown(literals)}
        every: set[int | None] = {*wanted} if literals else {None}
        if literals and literals[0] < 0:
            every.update(self._pending_of(source))
        if isinstance(asked, CorePropagator):
            available = asked.available
        else:
            available = sum(self._pending.inference(atom).wave == source.wave for atom in self._pending.derived)
        # What they depend on may be too hard to state.
        findings = self._irreducible(
            asked, sorted(every, key=lambda literal: literal or 0), Limits.MOST_CONFLICTS_OF_STEP
        )
        chosen = (finding for finding in findings if not literals or not wanted.isdisjoint(finding.conclusions))
        return [finding._replace(available=max(1, available)) for finding in chosen]

    def _easiest(self, source: EliminationSource, literal: int) -> EliminationSource:
        """Return the easiest source of an elimination, given what is known by now."""
        easier = (each for each in self._of_atom[-literal] if each.difficulty < source.propagator.difficulty)
        for propagator in sorted(easier, key=lambda each: each.difficulty):
            forced = propagator.forced(self.known)
            if forced is None or literal in forced:
                return source._replace(propagator=propagator)
        return source

    def _pending_of(self, source: EliminationSource) -> set[int]:
        """Return the pending eliminations that a source forces, whatever found them first; of a core, only its own."""
        pending, asked = self._pending.derived, source.propagator
        if isinstance(asked, CorePropagator):
            return {-atom for atom in pending if self._pending.inference(atom) == source}
        forced = None if asked.stage == GLOBAL else asked.forced(self.known)
        return {literal for literal in forced or () if abs(literal) in pending}

    def _irreducible(
        self, asked: Propagator, literals: Iterable[int | None], most: int = Limits.MOST_CONFLICTS_OF_GROUP
    ) -> list[Deduced]:
        """Return minimal findings for literals (None: a contradiction), grouped by the rules and cells that they need.

        What a group is not proven to do without within `most` conflicts counts as needed.
        """
        findings = asked.needed(literals, self.known, Minimization(self._check, self.cost, most))
        return [finding._replace(cost=self.cost(finding.rules, finding.cells)) for finding in findings]

    def placing(self, literals: Iterable[int]) -> Deduced | None:
        """Return the cheapest placement by one rule about the atoms of some literals; None if there is none."""
        findings: list[Deduced] = []
        for rule in dict.fromkeys(rule for literal in literals for rule in self._rules_of[abs(literal)]):
            forced = self._propagators[rule].forced(self.known) or () if self._is_asked(rule) else ()
            placed = [
                literal
                for literal in self._unknown(sorted(forced))
                if self._places([literal]) and literal in self.ground.symbols
            ]
            findings += self._irreducible(self._propagators[rule], placed)
        return min(findings, key=lambda finding: finding.cost, default=None)

    def _found(self, asked: Propagator, forced: Collection[int] | None) -> None:
        """Store what is forced (None: a contradiction): placements with what they need, eliminations as they are."""
        self._findings.pop(asked, None)
        self._eliminated.pop(asked, None)
        literals = [literal for literal in self._unknown(sorted(forced or ())) if abs(literal) in self.ground.symbols]
        placed: list[int | None] = [literal for literal in literals if self._places([literal])]
        if len(placed) < len(literals) and not (asked.stage == SINGLE and self._has_group(asked)):
            self._eliminated[asked] = [literal for literal in literals if not self._places([literal])]
        if forced is None:
            placed = [None]
        if findings := self._irreducible(asked, placed) if placed else []:
            source = EliminationSource(self._wave + 1, asked)
            self._findings[asked] = [finding._replace(source=source) for finding in findings]

    def _has_group(self, asked: Propagator) -> bool:
        """Return whether the group of a rule rules out more."""
        return isinstance(asked, FormulaPropagator) and self.groups.is_sum(asked.rules[0])

    def _places(self, literals: Sequence[int]) -> bool:
        """Return whether literals decide a cell, or are a contradiction."""
        return self._two_valued or not literals or literals[-1] > 0

    def _best(self, stage: int) -> Deduced | None:
        """Return the cheapest finding of a stage, and forget those that say nothing new.

        If eliminations are pending, it is the one of the cheapest that depends on none, or else on the easiest of them.
        """
        ranked: list[tuple[tuple[object, ...], Deduced]] = []
        available: set[int] = set()
        for propagator in [each for each in self._findings if each.stage == stage]:
            findings = self._findings[propagator]
            current = [finding for finding in findings if not finding.conclusions or self._unknown(finding.conclusions)]
            if stage or len(propagator.rules) > 1 or propagator in self._recounted:
                current = [finding._replace(cost=self.cost(finding.rules, finding.cells)) for finding in current]
            self._findings[propagator] = current
            if not current:
                del self._findings[propagator]
            for finding in current:
                unknown = self._unknown(finding.conclusions)
                available.update(unknown)
                ranked.append(((finding.cost, self._distance(unknown), finding.rules, finding.cells), finding))
        self._recounted.clear()
        if not ranked:
            return None
        findings = [finding for _, finding in sorted(ranked, key=lambda entry: entry[0])]
        best = findings[0]
        if self.has_pending:
            best = self._best_as_stated(findings) or min(findings[:_MOST_COMPARED], key=self._weights)
        literals = tuple(self._unknown(best.conclusions))
        return best._replace(conclusions=literals, available=max(1, len(available)))

    def _best_as_stated(self, findings: Iterable[Deduced]) -> Deduced | None:
        """Return the finding that costs a reader least, who knows only what steps stated; None if all need more.

        Args:
            findings: those of a stage, the cheapest first; they do not cost a reader less.
        """
        best, least = None, inf
        for finding in findings:
            if finding.cost >= least:
                break
            assert finding.source is not None
            core = finding.source.propagator.core
            if all(core(one, self.stated) is not None for one in finding.conclusions or (None,)):
                cost = self.restated(finding).cost
                best, least = (finding, cost) if cost < least else (best, least)
        return best

    def _weights(self, finding: Deduced) -> tuple[float, ...]:
        """Return the difficulty of the pending eliminations that a finding depends on: of the hardest, and the sum."""
        weights = [source.propagator.difficulty for source, _ in self.needed_eliminations(finding)]
        return max(weights, default=0), sum(weights)

    def _distance(self, literals: Sequence[int]) -> int:
        """Return how far the first of some literals is from the last placement, in rows and columns."""
        if not literals:
            return 0
        (row, column), (last_row, last_column) = self.ground.cells[abs(literals[0])], self._last
        return abs(row - last_row) + abs(column - last_column)

    def cost(self, rules: Sequence[int], cells: Collection[Cell]) -> float:
        """Return the cost of a step, by `deduction_cost`; one-value rules are free beside one or two other cell sets.

        Args:
            rules: the rules of the step, by index.
            cells: the cells whose known atoms it needs.
        """
        at, known, where = self.ground.cells, self.known, {*cells}
        atoms = [self.ground.rules[rule].atoms for rule in rules]
        seen = self._seen({atom for rule_atoms in atoms for atom in rule_atoms if atom in known and at[atom] in where})
        if len(rules) == 1:  # most findings have one
            return deduction_cost(1, 0, seen, self.groups.spread(rules))
        granted = self.groups.granted
        if total := self.groups.total(rules, cells):
            out = sum(not subtrahend.weights.keys() <= total.covered for subtrahend in total.sums)
            units, seen = len(total.units), seen + len(total.sums)
            return deduction_cost(units + out, units, seen, self.groups.spread(rules))
        looked_at = {self.groups.cells[rule] for rule in rules if rule not in granted}
        if len(looked_at) > _MOST_UNITS_ALONE and self.groups.main_of(rules) is None:
            looked_at.update(self.groups.cells[rule] for rule in rules)
        numbers = Counter(self.groups.cells[rule] for rule in rules if rule not in self.groups.sums)
        further = numbers.total() - len(numbers)
        return deduction_cost(max(1, len(looked_at)), further, seen, self.groups.spread(rules))

    def _seen(self, known: Iterable[int]) -> int:
        """Return how few cells one must look at to see why some atoms are known.

        An atom that the value of its own cell excludes needs no cell.
        """
        at = self.ground.cells
        looked_at: set[Cell] = set()
        left: set[frozenset[Cell]] = set()
        for atom in known:
            options = self._excluding.get(atom)
            if options is None:
                options = frozenset([at[by] for _, by in self.excluded_by.get(atom, ())])
                self._excluding[atom] = options
            if self.known[atom] or not options:
                looked_at.add(at[atom])
            elif at[atom] not in options:
                left.add(options)
        return len(looked_at) + _fewest({options for options in left if not options & looked_at})

    def _unknown(self, conclusions: Iterable[int]) -> list[int]:
        return [literal for literal in conclusions if abs(literal) not in self.known]

    def is_satisfied(self, rule: int) -> bool:
        """Return whether a rule holds, given known atoms."""
        return rule not in self.groups.large and simplify(self.ground.rules[rule].formula, self.known) is True

    def assumptions(self) -> list[int]:
        """Return the assumptions of a search of the board: all known literals, and the guards of all rules."""
        return [*known_literals(self.known), *(rule.guard for rule in self.ground.rules)]


def _fewest(sets: Collection[frozenset[Cell]]) -> int:
    """Return the size of a smallest hitting set: cells with one of each set; of many sets, of one found greedily."""
    if len(sets) < 2:
        return len(sets)
    sets = {cells for cells in sets if not any(other < cells for other in sets)}
    if sum(map(len, sets)) == len(frozenset().union(*sets)):
        return len(sets)
    often = Counter(cell for cells in sets for cell in cells)
    best = max(often, key=lambda cell: (often[cell], cell))
    fewest = 1 + _fewest({cells for cells in sets if best not in cells})
    if len(sets) > _MOST_COVERED or fewest < 3:  # one cell has not each of them
        return fewest
    return min(fewest, 1 + min(_fewest({cells for cells in sets if cell not in cells}) for cell in min(sets, key=len)))
