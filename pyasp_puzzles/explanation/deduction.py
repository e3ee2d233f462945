"""`Deduction`: propagation by one or two named rules, or by a group of rules over the same cells.

Deduced            a minimal set of rules (by index) and cells that forces some literals
EliminationSource  the source of a pending elimination: one or two rules, a group, a global rule or a core
Deduction          the known atoms of a board, and the next finding

An elimination is pending until a step states it. Eliminations are found in waves: each is all that rules force, given
the waves before it. What an elimination needs is computed only if a placement depends on it.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cores import minimal_subset
from pyasp_puzzles.explanation.global_rules import global_rules
from pyasp_puzzles.explanation.groups import RuleGroups, minimal_needs
from pyasp_puzzles.explanation.levels import Derivation
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.step import deduction_cost
from pyasp_puzzles.queries.formulas import consequences_of_formula, consequences_of_formulas, simplify
from pyasp_puzzles.queries.ground_rules import ground_atoms_by_cell, ground_rules_by_atom, ground_rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.global_rules import GlobalRule
    from pyasp_puzzles.explanation.groups import Needed
    from pyasp_puzzles.explanation.reasons import Options
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.queries.ground_rules import GroundRules

    # Returns a core of literals; None if they can hold together.
    Refuter = Callable[[list[int]], list[int] | None]

# With more sets of cells, a small hitting set is found greedily, and perhaps not the smallest.
_MOST_COVERED = 8
# With more units, one-value rules count as well: a chain through cells is harder to follow than a fish. Fitted with the
# constants of grades, see docs/explaining.md.
_MOST_UNITS_ALONE = 2


# Of at most this many cells, all subsets are tried, to find a smallest one that suffices.
_MOST_COMBINED = 14

# Kinds of propagators: one or two rules; a group of rules over the same cells; a global rule; a core.
_RULES, _GROUP, _GLOBAL, _CORE = "rules", "group", "global", "core"
# Search order: single rules and groups with sums; where these find nothing, global rules; at last, pairs of rules, and
# groups without sums. Suppositions would find what these last two find, but later: without pairs, what people see at
# once takes four rules; without those groups, the steps of a quadruple Sudoku cost twice as much.
_STAGES = range(3)
# The difficulty of a pending elimination by a global rule or a group, at each stage; by others, the number of rules.
_WEIGHTS = {_GLOBAL: (1.0, 1.5, 1.5), _GROUP: (1.0, 1.5, 2.5)}
# Of this many of the cheapest placements, the pending eliminations that they depend on are compared.
_MOST_COMPARED = 6

# A propagator: its kind, and its rules or its group, by index.
_Source = tuple[str, tuple[int, ...]]


class EliminationSource(NamedTuple):
    """The source of a pending elimination."""

    wave: int
    """The number of its wave, which is forced given all earlier waves."""
    way: str
    numbers: tuple[int, ...]
    """The rules, or the group, by index."""


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
        self.groups: RuleGroups = ground.once(RuleGroups).for_board(ground, check)
        self.global_rules: dict[int, GlobalRule] = global_rules(ground)
        """{index: the rule} of the global rules."""
        self.known: dict[int, bool] = dict.fromkeys(sorted(ground.settled), True)
        """{atom: whether it holds}, with pending eliminations."""
        self.stated: dict[int, bool] = dict(self.known)
        """{atom: whether it holds}, as stated by steps: without pending eliminations."""
        # The pending eliminations, each with its source.
        self._pending = Derivation[EliminationSource]()
        self._wave = 0
        # {(source, what it forces): the pending eliminations that this needs}; emptied when more is stated.
        self._rests: dict[tuple[EliminationSource, tuple[int | None, ...]], set[int]] = {}
        # The first wave after the last placement.
        self._first_wave = 1
        self.excluded_by: dict[int, Options] = {}
        """{atom: [(rule, the true atom with which it excludes this one directly)]}"""
        # The cell of the last placement.
        self._last: Cell = (1, 1)
        groups = self.groups.groups
        # Without clues, which force nothing else.
        self._rules_of = ground.once(ground_rules_by_atom)
        self.atoms_of = ground.once(ground_atoms_by_cell)
        self._direct: dict[int, list[tuple[int, int]]] = self.groups.direct
        # {propagator: its findings}
        self._findings: dict[_Source, list[Deduced]] = {}
        # {atom: the cells whose values exclude it}
        self._excluding: dict[int, frozenset[Cell]] = {}
        # The rules whose findings may cost less now: another value excludes one of their atoms.
        self._recounted: set[int] = set()
        # {(kind, stage): the rules or groups with atoms learned since they were last propagated}
        sums = {number for number, group in enumerate(groups) if group.sums}
        self._stale = {
            (_RULES, 0): {*range(len(ground.rules))},
            (_GROUP, 0): sums,
            (_GLOBAL, 1): {*self.global_rules},
            (_RULES, 2): {*range(len(ground.rules))},
            (_GROUP, 2): {*range(len(groups))} - sums,
        }
        # {propagator: eliminations that are not learned yet}
        self._eliminated: dict[_Source, Collection[int]] = {}
        # {rules of a core: its refuter}
        self._refuting: dict[tuple[int, ...], Refuter] = {}
        # {rules of a core: how many conclusions cores of equally few rules have}
        self._available: dict[tuple[int, ...], int] = {}
        # Forgotten cores with their eliminations, in order; used again where nothing else is found.
        self._cores: list[tuple[tuple[int, ...], list[int]]] = []

    def learn(self, literal: int) -> None:
        """Add a literal to the known ones."""
        self.known[abs(literal)] = literal > 0
        self._touch(abs(literal))

    def place(self, literals: Sequence[int]) -> list[int]:
        """Learn literals as stated, and what those that hold exclude directly; return the excluded atoms."""
        for literal in literals:
            if abs(literal) not in self.known:
                self.learn(literal)
        excluded = []
        self._rests = {}
        for literal in literals:
            self.stated[abs(literal)] = self.known[abs(literal)]
            self._pending.drop(abs(literal))
        for literal in (literal for literal in literals if literal > 0):
            self._first_wave = self._wave + 1
            self._last = self.ground.cells[literal]
            for atom, rule in self.direct_eliminations(literal):
                self.excluded_by.setdefault(atom, []).append((rule, literal))
                self._excluding.pop(atom, None)
                self._recounted.update(self._rules_of[atom])
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
            for stage in _STAGES:
                self._update(stage)
                if (best := self._best(stage)) is not None:
                    # All single rules and groups with sums were searched; anything else has two rules to look at.
                    proven = not stage and self.groups.all_searched and not self.global_rules
                    return best._replace(cheapest=proven and best.cost <= deduction_cost(2, 0, 0, 0))
                if self._learn_eliminated():
                    break
            else:
                if not self._remember():
                    return None

    def _update(self, stage: int) -> None:
        """Propagate the rules and groups of a stage that learned atoms affect."""
        self._recounted -= self._stale[_RULES, 0]
        if stage == 1:
            self._update_global_rules()
        elif not stage or len(self.known) < len(self.ground.symbols):
            for way in _RULES, _GROUP:
                stale = self._stale[way, stage]
                for number in stale:
                    for numbers in self._pairs(number) if way == _RULES and stage else [(number,)]:
                        self._check()
                        if way == _GROUP or number not in self.groups.large:
                            self._found(way, numbers, self._forced(way, numbers, self.known))
                stale.clear()

    def _pairs(self, rule: int) -> Iterator[tuple[int, int]]:
        """Yield the rule, if it demands one of its atoms, with each at-most-one rule that has all its open atoms."""
        demanding, atoms = self.groups.demanding, self.ground.rules[rule].atoms
        left = atoms.difference(self.known)
        if demanding.get(rule) and len(left) > 1 and not any(map(self.known.get, atoms)):
            for other in set[int].intersection(*({*self._rules_of[atom]} for atom in left)) & demanding.keys():
                if not self.ground.rules[other].atoms.difference(atoms) <= self.known.keys():
                    yield min(rule, other), max(rule, other)

    def _stage(self, way: str, numbers: tuple[int, ...]) -> int:
        """Return the stage of a propagator other than a core."""
        if way == _GROUP:
            return 0 if self.groups.groups[numbers[0]].sums else 2
        return 1 if way == _GLOBAL else 2 * len(numbers) - 2

    def _weight(self, way: str, numbers: tuple[int, ...]) -> float:
        """Return the difficulty of a pending elimination by a propagator."""
        return _WEIGHTS[way][self._stage(way, numbers)] if way in _WEIGHTS else len(numbers)

    def _remember(self) -> bool:
        """Learn the eliminations of the first forgotten core that still has any; return whether there is one."""
        while self._cores:
            rules, literals = self._cores.pop(0)
            if left := self._unknown(literals):
                guards = [self.ground.rules[rule].guard for rule in rules]
                known = [literal for cell in self.knowledge(rules) for literal in self.literals_of(cell)]
                refute = self._refuting[rules]
                forced = [literal for literal in left if refute([*guards, -literal, *known]) is not None]
                if forced:
                    self._eliminated[_CORE, rules] = forced
                    return self._learn_eliminated()
        return False

    def _learn_eliminated(self) -> bool:
        """Learn the eliminations found, as a wave of pending ones; return whether any are new."""
        self._wave += 1
        before = len(self._pending.inferences)
        for (way, numbers), literals in self._eliminated.items():
            if news := self._unknown(literals):
                self._pending.add_inference(EliminationSource(self._wave, way, numbers), news)
                for literal in news:
                    self.learn(literal)
        self._eliminated = {}
        return len(self._pending.inferences) > before

    def with_source(self, finding: Deduced, refute: Refuter) -> Deduced:
        """Return the finding of a core, with the core as its source."""
        self._refuting[finding.rules], self._available[finding.rules] = refute, finding.available
        return finding._replace(source=EliminationSource(self._wave + 1, _CORE, finding.rules))

    def postpone(self, finding: Deduced) -> None:
        """Learn the eliminations of a finding; they are pending."""
        assert finding.source is not None
        way = finding.source[1:]
        every = dict.fromkeys([*finding.conclusions, *self._eliminated.pop(way, ())])
        self._eliminated = {way: [*every], **self._eliminated}  # the cheapest first
        self._learn_eliminated()

    def postpone_core(self, rules: tuple[int, ...], literal: int, available: int, refute: Refuter) -> None:
        """Queue an elimination of a core that may not be minimal for the next wave."""
        self._refuting[rules], self._available[rules] = refute, available
        self._eliminated[_CORE, rules] = [*self._eliminated.get((_CORE, rules), ()), literal]

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
        self.groups.state_until(deadline)

    def pending(self) -> Iterator[tuple[EliminationSource, list[int]]]:
        """Yield (source, its pending eliminations as literals), in the order of waves."""
        by_source: dict[EliminationSource, list[int]] = {}
        for atom in self._pending.derived:
            by_source.setdefault(self._pending.inference(atom), []).append(-atom)
        return iter(sorted(by_source.items(), key=self._order))

    def forget(self) -> None:
        """Forget the pending eliminations."""
        for atom in self._pending.derived:
            del self.known[atom]
            self._touch(atom)
        self._stale[_RULES, 2].update(self.groups.demanding)  # what they exclude is not among their own atoms
        for rule in self._stale[_GLOBAL, 1]:  # global rules are not propagated again while one has findings
            self._findings.pop((_GLOBAL, (rule,)), None)
        self._cores = [(source.numbers, literals) for source, literals in self.pending() if source.way == _CORE]
        self._eliminated = {
            (way, numbers): literals
            for (way, numbers), literals in self._eliminated.items()
            if way != _CORE and self._stale[way, self._stage(way, numbers)].isdisjoint(numbers)
        }
        self._pending, self._rests = Derivation(), {}
        self._first_wave = self._wave + 1

    def needed_eliminations(self, finding: Deduced) -> list[tuple[EliminationSource, list[int]]]:
        """Return [(source, literals)]: the pending eliminations that a finding depends on, in order."""
        pending, used = self._pending, dict[int, set[int]]()
        if finding.source and pending.derived:
            pending.use(self._rests_on(finding.source, finding.conclusions or (None,)), used)
        pending.way_back(
            used, lambda number, literals: self._rests_on(pending.inferences[number - 1], tuple(sorted(literals)))
        )
        return sorted(
            ((pending.inferences[number - 1], sorted(literals)) for number, literals in used.items()), key=self._order
        )

    def _order(self, entry: tuple[EliminationSource, list[int]]) -> tuple[object, ...]:
        """Return the sort key of pending eliminations: by wave, then the easiest first."""
        source = entry[0]
        wave, way, numbers = source
        rules = self.groups.groups[numbers[0]].rules if way == _GROUP else numbers
        return wave, self._weight(way, numbers), len(self._scope(source)), self.groups.spread(rules), rules

    def is_old(self, eliminations: Iterable[tuple[EliminationSource, list[int]]]) -> bool:
        """Return whether eliminations are older than the last placement: there may be simpler ones by now."""
        return any(source.wave < self._first_wave for source, _ in eliminations)

    def _rests_on(self, source: EliminationSource, literals: tuple[int | None, ...]) -> set[int]:
        """Return the pending eliminations with which a source forces literals: a minimal set for each literal."""
        if (source, literals) not in self._rests:
            self._rests[source, literals] = self._found_rests(source, literals)
        return self._rests[source, literals]

    def _found_rests(self, source: EliminationSource, literals: Iterable[int | None]) -> set[int]:
        scope = self._scope(source)
        given = {atom: self.stated[atom] for atom in scope if atom in self.stated}
        pending, inference_of = self._pending.derived, self._pending.inference
        waiting = [atom for atom in scope if atom in pending and inference_of(atom).wave < source.wave]
        waiting.sort(key=lambda atom: (-inference_of(atom).wave, atom))
        needed: set[int] = set()
        refute = self._refuter(source)
        for literal in literals if waiting else ():

            def suffice(rest: list[int]) -> list[int] | None:
                self._check()
                known = given | dict.fromkeys(rest, False)
                if refute is None:
                    return rest if self._forces(source, literal, known) else None  # noqa: B023
                assumed = [atom if holds else -atom for atom, holds in known.items()]
                negation = [] if literal is None else [-literal]  # noqa: B023
                core = refute([*negation, *assumed])
                return None if core is None else [atom for atom in rest if -atom in core]

            if suffice([]) is None:
                needed.update(minimal_subset(waiting, suffice))
        return needed

    def _refuter(self, source: EliminationSource) -> Refuter | None:
        """Return the refuter of a core or of a group with sums; None for other sources."""
        if source.way == _CORE:
            guards = [self.ground.rules[rule].guard for rule in source.numbers]
            return lambda literals: self._refuting[source.numbers]([*guards, *literals])
        is_sum = source.way == _GROUP and self.groups.groups[source.numbers[0]].sums
        return self.groups.refuter(source.numbers[0]) if is_sum else None

    def _scope(self, source: EliminationSource) -> Sequence[int]:
        """Return all atoms that affect what a source forces."""
        if source.way == _GROUP:
            return self.groups.scope(source.numbers[0])
        return sorted({atom for rule in source.numbers for atom in self.ground.rules[rule].atoms})

    def _forces(self, source: EliminationSource, literal: int | None, known: Mapping[int, bool]) -> bool:
        """Return whether a source forces a literal (None: a contradiction), given known atoms."""
        _, way, numbers = source
        if way == _GLOBAL:
            return self.global_rules[numbers[0]].forces(None if literal is None else [literal], known)
        forced = self._forced(way, numbers, known)
        return forced is None or literal in forced

    def _forced(self, way: str, numbers: tuple[int, ...], known: Mapping[int, bool]) -> Collection[int] | None:
        """Return the literals that a propagator forces, given known atoms; None for a contradiction."""
        if way == _GLOBAL:
            return self.global_rules[numbers[0]].forced(known)
        if way == _GROUP:
            return self.groups.forced(numbers[0], known)
        formulas = [self.ground.rules[rule].formula for rule in numbers]
        if len(formulas) == 1:
            return consequences_of_formula(formulas[0], known)
        return consequences_of_formulas([simplify(formula, known) for formula in formulas])

    def as_stated(self) -> Deduction:
        """Return a copy that knows only what steps stated, as a reader does."""
        reader = copy(self)
        vars(reader).update(known=self.stated, _excluding={})
        return reader

    def again(self, source: EliminationSource, literals: Sequence[int]) -> list[Deduced]:
        """Return minimal findings by which a source forces literals (none: a contradiction).

        They include its other pending eliminations that need no more rules and cells.
        """
        _, way, numbers = source
        wanted = {*self._unknown(literals)}
        every: set[int | None] = {*wanted} if literals else {None}
        if literals and literals[0] < 0:
            every.update(self._pending_of(source))
        available = sum(self._pending.inference(atom).wave == source.wave for atom in self._pending.derived)
        available = self._available[numbers] if way == _CORE else available
        ordered = sorted(every, key=lambda literal: literal or 0)
        if way == _RULES:  # what they depend on may be too hard to state
            ordered = [literal for literal in ordered if self._forces(source, literal, self.known)]
        findings = self._irreducible(way, numbers, ordered, Limits.MOST_CONFLICTS_OF_STEP)
        chosen = (finding for finding in findings if not literals or not wanted.isdisjoint(finding.conclusions))
        return [finding._replace(available=max(1, available)) for finding in chosen]

    def _pending_of(self, source: EliminationSource) -> set[int]:
        """Return the pending eliminations that a source forces, whatever found them first; of a core, only its own."""
        _, way, numbers = source
        pending = self._pending.derived
        if way == _CORE:
            return {-atom for atom in pending if self._pending.inference(atom) == source}
        forced = None if way == _GLOBAL else self._forced(way, numbers, self.known)
        return {literal for literal in forced or () if abs(literal) in pending}

    def _irreducible(
        self,
        way: str,
        numbers: tuple[int, ...],
        literals: Iterable[int | None],
        most: int = Limits.MOST_CONFLICTS_OF_GROUP,
    ) -> list[Deduced]:
        """Return minimal findings for literals (None: a contradiction), grouped by the rules and cells that they need.

        What a group is not proven to do without within `most` conflicts counts as needed.
        """
        if way == _GROUP:
            return [*self._needed_of_group(numbers[0], literals, most)]
        by_needed: dict[Needed, list[int]] = {}
        for literal in literals:
            if needed := self._needed(way, numbers, literal):
                by_needed.setdefault(needed, []).extend([] if literal is None else [literal])
        return [
            Deduced(*needed, tuple(conclusions), cost=self.cost(*needed)) for needed, conclusions in by_needed.items()
        ]

    def placing(self, literals: Iterable[int]) -> Deduced | None:
        """Return the cheapest placement by one rule about the atoms of some literals; None if there is none."""
        findings: list[Deduced] = []
        for rule in dict.fromkeys(rule for literal in literals for rule in self._rules_of[abs(literal)]):
            forced = consequences_of_formula(self.ground.rules[rule].formula, self.known) or ()
            placed = [
                literal
                for literal in self._unknown(sorted(forced))
                if self._places([literal]) and literal in self.ground.symbols
            ]
            findings += self._irreducible(_RULES, (rule,), placed)
        return min(findings, key=lambda finding: finding.cost, default=None)

    def _needed(self, way: str, rules: tuple[int, ...], literal: int | None) -> Needed | None:
        """Return the rules and cells that are needed to force a literal (None: a contradiction)."""
        if way == _RULES:
            return rules, self._fewest_cells(rules, literal)
        parts = {cell: self.literals_of(cell) for cell in sorted(self.knowledge(rules))}
        if way == _CORE:
            guards = {self.ground.rules[rule].guard: rule for rule in rules}
            return minimal_needs(self._refuting[rules], guards, parts, literal)
        needed = minimal_needs(self.global_rules[rules[0]].core, {}, parts, literal)
        return needed and (rules, needed[1])

    def _touch(self, atom: int) -> None:
        """Mark what depends on an atom to be propagated again."""
        rules = self._rules_of[atom]
        for stage in 0, 2:
            self._stale[_RULES, stage].update(rules)
        self._stale[_GLOBAL, 1].update(self.global_rules.keys() & rules)
        for group in self.groups.groups_of[atom]:
            self._stale[_GROUP, self._stage(_GROUP, (group,))].add(group)

    def _update_global_rules(self) -> None:
        """Propagate global rules, those with few open atoms first, until one forces something."""
        stale = self._stale[_GLOBAL, 1]
        waiting = sorted(stale, key=lambda rule: (len(self.global_rules[rule].atoms - self.known.keys()), rule))
        for rule in waiting if self._best(1) is None else ():
            self._check()
            stale.remove(rule)
            source = _GLOBAL, (rule,)
            self._found(*source, self._forced(*source, self.known))
            if source in self._findings or source in self._eliminated:
                return

    def _found(self, way: str, numbers: tuple[int, ...], forced: Collection[int] | None) -> None:
        """Store what is forced (None: a contradiction): placements with what they need, eliminations as they are."""
        self._findings.pop((way, numbers), None)
        self._eliminated.pop((way, numbers), None)
        literals = [literal for literal in self._unknown(sorted(forced or ())) if abs(literal) in self.ground.symbols]
        if way == _RULES and len(numbers) == 1 and self.groups.is_sum(numbers[0]):
            literals = [literal for literal in literals if self._places([literal])]  # its group rules out more
        if eliminated := [literal for literal in literals if not self._places([literal])]:
            self._eliminated[way, numbers] = eliminated
        placed: list[int | None] = (
            [None] if forced is None else [literal for literal in literals if self._places([literal])]
        )
        if findings := self._irreducible(way, numbers, placed) if placed else []:
            source = EliminationSource(self._wave + 1, way, numbers)
            self._findings[way, numbers] = [finding._replace(source=source) for finding in findings]

    def _needed_of_group(self, group: int, literals: Iterable[int | None], most: int) -> Iterator[Deduced]:
        """Yield minimal findings for what a group forces."""
        for rules, cells, conclusions in self.groups.needed(
            group, self.known, literals, lambda needed: self.cost(*needed), most
        ):
            yield Deduced(rules, cells, conclusions, cost=self.cost(rules, cells))

    def _places(self, literals: Sequence[int]) -> bool:
        """Return whether literals decide a cell, or are a contradiction."""
        return self._two_valued or not literals or literals[-1] > 0

    def _best(self, stage: int) -> Deduced | None:
        """Return the cheapest finding of a stage, and forget those that say nothing new.

        If eliminations are pending, it is the one of the cheapest that depends on the easiest of them.
        """
        ranked: list[tuple[tuple[object, ...], Deduced]] = []
        available: set[int] = set()
        for way, numbers in [key for key in self._findings if self._stage(*key) == stage]:
            findings = self._findings[way, numbers]
            current = [finding for finding in findings if not finding.conclusions or self._unknown(finding.conclusions)]
            if stage or way != _RULES or numbers[0] in self._recounted:
                current = [finding._replace(cost=self.cost(finding.rules, finding.cells)) for finding in current]
            self._findings[way, numbers] = current
            if not current:
                del self._findings[way, numbers]
            for finding in current:
                unknown = self._unknown(finding.conclusions)
                available.update(unknown)
                ranked.append(((finding.cost, self._distance(unknown), finding.rules, finding.cells), finding))
        self._recounted.clear()
        if not ranked:
            return None
        best = min(ranked, key=lambda entry: entry[0])[1]
        if self.has_pending:
            ranked.sort(key=lambda entry: entry[0])
            best = min((finding for _, finding in ranked[:_MOST_COMPARED]), key=self._weights)
        literals = tuple(self._unknown(best.conclusions))
        return best._replace(conclusions=literals, available=max(1, len(available)))

    def _weights(self, finding: Deduced) -> tuple[float, ...]:
        """Return the difficulty of the pending eliminations that a finding depends on: of the hardest, and the sum."""
        weights = [self._weight(*source[1:]) for source, _ in self.needed_eliminations(finding)]
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

    def _fewest_cells(self, rules: tuple[int, ...], literal: int | None) -> tuple[Cell, ...]:
        """Return a smallest set of cells whose known atoms, with the rules, force a literal (None: a contradiction).

        Of more than `_MOST_COMBINED` optional cells, it is minimal, and perhaps not the smallest.
        """
        known = self.knowledge(rules)
        if literal is not None and literal > 0 and len(rules) == 1 and rules[0] in self.groups.demanding:
            return tuple(sorted(known))  # it needs one of its atoms, and no other is left

        def suffice(cells: Iterable[Cell]) -> bool:
            self._check()
            values = {atom: value for cell in cells for atom, value in known[cell].items()}
            forced = self._forced(_RULES, rules, values)
            return forced is None or literal in forced

        needed = [cell for cell in sorted(known) if not suffice(known.keys() - {cell})]
        optional = sorted(known.keys() - needed)
        if len(optional) > _MOST_COMBINED:
            needed += minimal_subset(optional, lambda rest: rest if suffice([*needed, *rest]) else None)
            return tuple(sorted(needed))
        choices = (chosen for size in range(len(optional)) for chosen in combinations(optional, size))
        needed += next((chosen for chosen in choices if suffice([*needed, *chosen])), optional)
        return tuple(sorted(needed))

    def is_satisfied(self, rule: int) -> bool:
        """Return whether a rule holds, given known atoms."""
        return rule not in self.groups.large and simplify(self.ground.rules[rule].formula, self.known) is True

    def assumptions(self) -> list[int]:
        """Return the assumptions of a search of the board: all known literals, and the guards of all rules."""
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
