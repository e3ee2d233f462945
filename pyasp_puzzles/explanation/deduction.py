"""`Deduction`: what one or two named rules, or those over the same cells, force, given what is known of some cells.

Deduced            the rules, by their numbers, and the cells whose knowledge forces some literals: as few as possible
EliminationSource  where an elimination that nobody was told comes from: one or two rules, a group, a core
Deduction          what is known, and the next finding

Eliminations are found in waves: all that rules force, by what the waves before left. What each needs is asked only on
the way back from a placement that rests on it.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cores import minimal_subset
from pyasp_puzzles.explanation.closures import Closures, irreducible_closure
from pyasp_puzzles.explanation.formulas import consequences_of_formula, consequences_of_formulas, simplify
from pyasp_puzzles.explanation.ground_rules import ground_atoms_by_cell, ground_rules_by_atom, ground_rules_of
from pyasp_puzzles.explanation.levels import Flood
from pyasp_puzzles.explanation.wholes import wholes
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.closures import Needed
    from pyasp_puzzles.explanation.ground_rules import GroundRules
    from pyasp_puzzles.explanation.reasons import Options
    from pyasp_puzzles.explanation.wholes import Whole
    from pyasp_puzzles.model.puzzle import Instance

    # Returns a core of literals; None if they can hold together.
    Refuter = Callable[[list[int]], list[int] | None]

# With more sets of cells, one cell of each to look at, the fewest cells are not searched for.
_MOST_COVERED = 8
# With more units to look at, each cell that holds one value counts as well: a chain through cells is harder to follow
# than a fish. Fitted with the constants of grades, see docs/explaining.md.
_MOST_UNITS_ALONE = 2


# Of at most this many cells, all subsets are tried, so the fewest that suffice are found.
_MOST_COMBINED = 14

# Rules that are asked together: one or two, or a group with its company; a rule that is asked as a whole; a core.
_RULES, _GROUP, _WHOLE, _CORE = "rules", "group", "whole", "core"
# What is searched first: single rules and groups with sums; then, where these find nothing, rules that are asked as a
# whole, and at last two rules, and groups without sums. Suppositions would find the last later: without two rules, what
# people see at once is told by four; without those groups, the steps of a quadruple Sudoku cost twice as much.
_STAGES = range(3)
# How hard an elimination from a whole or a group is that waits to be told, by stage; else it is the number of rules.
_WEIGHTS = {_WHOLE: (1.0, 1.5, 1.5), _GROUP: (1.0, 1.5, 2.5)}
# Of so many of the cheapest placements, what must be told before is compared.
_MOST_STORIES = 6

# The rules of a source of findings, or its group, by their numbers; and the way that they are asked.
_Source = tuple[str, tuple[int, ...]]


class EliminationSource(NamedTuple):
    """Where an elimination comes from."""

    wave: int
    """Findings of earlier waves are known."""
    way: str
    numbers: tuple[int, ...]
    """The rules, or the group."""


class Deduced(NamedTuple):
    """Rules and cells, none of which can be left out, and the literals that they force; none for a contradiction."""

    rules: tuple[int, ...]
    cells: tuple[Cell, ...]
    conclusions: tuple[int, ...]
    available: int = 1
    """How many conclusions the findings of as few rules have."""
    cost: float = 0.0
    """What a person must look at, by `Deduction.cost`."""
    cheapest: bool = False
    """Whether it is proven that nothing that places a value costs less."""
    source: EliminationSource | None = None


def deduced_exclusions(
    instance: Instance, values: Mapping[Cell, object], marks: Mapping[Cell, Collection[str]], settings: Settings
) -> dict[Cell, list[str]]:
    """Return which marks a single rule excludes, given the numbers that are printed or filled in, and nothing else.

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
    found: set[int] = set()
    for rule in ground.rules:
        if not marked.isdisjoint(rule.atoms):
            forced = consequences_of_formula(rule.formula, known)
            if forced is None:  # it is broken: what each of its numbers excludes alone
                alone = ({atom: True} for atom in rule.atoms if known.get(atom))
                forced = frozenset().union(*(consequences_of_formula(rule.formula, one) or () for one in alone))
            found.update(-literal for literal in forced)
    excluded: dict[Cell, list[str]] = {}
    for atom in sorted(found & marked):
        excluded.setdefault(ground.cells[atom], []).append(str(ground.values[atom]))
    return excluded


class Deduction:
    """What is known of a board, and what follows from it by one rule, or by rules over the same cells.

    Args:
        ground: the rules of the board.
        check: counts a question; raises OutOfTime when no more are allowed.
        two_valued: whether a cell that is known not to hold something is decided.
    """

    def __init__(self, ground: GroundRules, check: Callable[[], None], *, two_valued: bool = False) -> None:
        self.ground = ground
        self._two_valued, self._check = two_valued, check
        self.closures: Closures = ground.once(Closures).for_board(ground, check)
        self.wholes: dict[int, Whole] = wholes(ground)
        """{number: the rule} of those that are asked as a whole."""
        self.known: dict[int, bool] = dict.fromkeys(sorted(ground.settled), True)
        """The atoms whose truth is known."""
        self.told: dict[int, bool] = dict(self.known)
        """Those that somebody who reads the steps knows."""
        # The eliminations that were not told; an inference is where some of a wave come from.
        self._waiting = Flood[EliminationSource]()
        self._wave = 0
        # {source, what it forces: the atoms that wait on which that rests}, as long as nothing more is told.
        self._rests: dict[tuple[EliminationSource, tuple[int | None, ...]], set[int]] = {}
        # The first wave after the last placement.
        self._first_wave = 1
        self.excluded_by: dict[int, Options] = {}
        """{atom: the rules, each with the atom that holds and so excludes it directly}"""
        # Where the last placement was.
        self._last: Cell = (1, 1)
        groups = self.closures.groups
        # Without clues, which force nothing else.
        self._rules_of = ground.once(ground_rules_by_atom)
        self.atoms_of = ground.once(ground_atoms_by_cell)
        self._direct: dict[int, list[tuple[int, int]]] = self.closures.direct
        # {where they come from: the findings}
        self._findings: dict[_Source, list[Deduced]] = {}
        # {atom: the cells whose values exclude it}
        self._excluding: dict[int, frozenset[Cell]] = {}
        # The rules whose findings may cost less now: another value excludes one of their atoms.
        self._recounted: set[int] = set()
        # {way, stage: the rules or groups with atoms that were learned since they were last asked}
        sums = {number for number, group in enumerate(groups) if group.sums}
        self._stale = {
            (_RULES, 0): {*range(len(ground.rules))},
            (_GROUP, 0): sums,
            (_WHOLE, 1): {*self.wholes},
            (_RULES, 2): {*range(len(ground.rules))},
            (_GROUP, 2): {*range(len(groups))} - sums,
        }
        # {where they come from: eliminations that are not known yet}
        self._eliminated: dict[_Source, Collection[int]] = {}
        # {rules of a core: how they refute literals}
        self._refuting: dict[tuple[int, ...], Refuter] = {}
        # {rules of a core: how many conclusions cores of as few rules have}
        self._available: dict[tuple[int, ...], int] = {}
        # Cores that were forgotten with what they eliminate, in order; they are used again where nothing else is found.
        self._cores: list[tuple[tuple[int, ...], list[int]]] = []

    def learn(self, literal: int) -> None:
        """Add a literal to what is known."""
        self.known[abs(literal)] = literal > 0
        self._touch(abs(literal))

    def place(self, literals: Sequence[int]) -> list[int]:
        """Add literals to what is known, and the atoms that those that hold exclude directly; return these atoms."""
        for literal in literals:
            if abs(literal) not in self.known:
                self.learn(literal)
        excluded = []
        self._rests = {}
        for literal in literals:
            self.told[abs(literal)] = self.known[abs(literal)]
            self._waiting.drop(abs(literal))
        for literal in (one for one in literals if one > 0):
            self._first_wave = self._wave + 1
            self._last = self.ground.cells[literal]
            for atom, rule in self.direct_eliminations(literal):
                self.excluded_by.setdefault(atom, []).append((rule, literal))
                self._excluding.pop(atom, None)
                self._recounted.update(self._rules_of[atom])
                excluded.append(atom)
                self._waiting.drop(atom)
                if atom not in self.known:
                    self.learn(-atom)
                if not self.known[atom]:
                    self.told[atom] = False
        return excluded

    def direct_eliminations(self, atom: int) -> list[tuple[int, int]]:
        """Return (other atom, rule) for what one rule excludes if an atom holds and nothing else is known.

        What the rule excludes in any case has another reason.
        """
        found = self._direct.get(atom)
        if found is None:
            found = self._direct[atom] = []
            for rule in self._rules_of[atom]:
                formula = self.ground.rules[rule].formula
                always = (
                    frozenset() if rule in self.closures.large else consequences_of_formula(formula, {}) or frozenset()
                )
                forced = (consequences_of_formula(formula, {atom: True}) or frozenset()) - always
                excluded = sorted(-literal for literal in forced if literal < 0)
                found += [(other, rule) for other in excluded if other in self.ground.symbols]
        return found

    def smallest(self) -> Deduced | None:
        """Return the cheapest placement by one rule, or else by two, or by a group; or a contradiction.

        Eliminations that it rests on were found on the way, and wait to be told: see `story`.

        Raises:
            OutOfTime: time ran out.
        """
        while True:
            for stage in _STAGES:
                self._update(stage)
                if (found := self._best(stage)) is not None:
                    # All single rules and groups with sums were searched; anything else has two rules to look at.
                    proven = not stage and self.closures.all_searched and not self.wholes
                    return found._replace(cheapest=proven and found.cost <= deduction_cost(2, 0, 0, 0))
                if self._wait():
                    break
            else:
                if not self._remember():
                    return None

    def _update(self, stage: int) -> None:
        """Find what is forced at a stage, where something became known."""
        self._recounted -= self._stale[_RULES, 0]
        if stage == 1:
            self._update_wholes()
        elif not stage or len(self.known) < len(self.ground.symbols):
            for way in _RULES, _GROUP:
                stale = self._stale[way, stage]
                for number in stale:
                    for numbers in self._pairs(number) if way == _RULES and stage else [(number,)]:
                        self._check()
                        if way == _GROUP or number not in self.closures.large:
                            self._found(way, numbers, self._forced(way, numbers, self.known))
                stale.clear()

    def _pairs(self, rule: int) -> Iterator[tuple[int, int]]:
        """Yield the rule with each that has all its open atoms, if it demands one of them, and the other allows one."""
        demanding, atoms = self.closures.demanding, self.ground.rules[rule].atoms
        left = atoms.difference(self.known)
        if demanding.get(rule) and len(left) > 1 and not any(map(self.known.get, atoms)):
            for other in set[int].intersection(*({*self._rules_of[atom]} for atom in left)) & demanding.keys():
                if not self.ground.rules[other].atoms.difference(atoms) <= self.known.keys():
                    yield min(rule, other), max(rule, other)

    def _stage(self, way: str, numbers: tuple[int, ...]) -> int:
        """Return when something is asked, which is not a core."""
        if way == _GROUP:
            return 0 if self.closures.groups[numbers[0]].sums else 2
        return 1 if way == _WHOLE else 2 * len(numbers) - 2

    def _weight(self, way: str, numbers: tuple[int, ...]) -> float:
        """Return how hard an elimination from there is that waits to be told."""
        return _WEIGHTS[way][self._stage(way, numbers)] if way in _WEIGHTS else len(numbers)

    def _remember(self) -> bool:
        """Learn what one of the forgotten cores eliminates; return whether there is one."""
        while self._cores:
            rules, literals = self._cores.pop(0)
            if left := self._unknown(literals):
                guards = [self.ground.rules[rule].guard for rule in rules]
                known = [literal for cell in self.knowledge(rules) for literal in self.literals_of(cell)]
                refute = self._refuting[rules]
                forced = [one for one in left if refute([*guards, -one, *known]) is not None]
                if forced:
                    self._eliminated[_CORE, rules] = forced
                    return self._wait()
        return False

    def _wait(self) -> bool:
        """Learn all eliminations that were found, which makes a wave; return whether there are any."""
        self._wave += 1
        before = len(self._waiting.found)
        for (way, numbers), literals in self._eliminated.items():
            if news := self._unknown(literals):
                self._waiting.add_inference(EliminationSource(self._wave, way, numbers), news)
                for literal in news:
                    self.learn(literal)
        self._eliminated = {}
        return len(self._waiting.found) > before

    def with_source(self, finding: Deduced, refute: Refuter) -> Deduced:
        """Return the finding of a core with its source."""
        self._refuting[finding.rules], self._available[finding.rules] = refute, finding.available
        return finding._replace(source=EliminationSource(self._wave + 1, _CORE, finding.rules))

    def wait(self, finding: Deduced) -> None:
        """Learn what a finding eliminates; it waits to be told."""
        assert finding.source is not None
        way = finding.source[1:]
        every = dict.fromkeys([*finding.conclusions, *self._eliminated.pop(way, ())])
        self._eliminated = {way: [*every], **self._eliminated}  # the cheapest first
        self._wait()

    def wait_too(self, rules: tuple[int, ...], literal: int, available: int, refute: Refuter) -> None:
        """Learn with the next wave what a core eliminates, by rules some of which may not be needed."""
        self._refuting[rules], self._available[rules] = refute, available
        self._eliminated[_CORE, rules] = [*self._eliminated.get((_CORE, rules), ()), literal]

    def decides(self, literal: int) -> bool:
        """Return whether a literal says what a cell is, and not only one thing that it is not."""
        return literal > 0 or self._two_valued

    @property
    def waits(self) -> bool:
        """Whether eliminations wait to be told."""
        return bool(self._waiting.own)

    def tell_until(self, deadline: Deadline) -> None:
        """Search no more, and tell what was found until another deadline."""
        self._check = deadline.check
        self.closures.tell_until(deadline)

    def waiting(self) -> Iterator[tuple[EliminationSource, list[int]]]:
        """Yield where the eliminations that wait come from, with these, in the order of waves."""
        found: dict[EliminationSource, list[int]] = {}
        for atom in self._waiting.own:
            found.setdefault(self._waiting.inference(atom), []).append(-atom)
        return iter(sorted(found.items(), key=self._order))

    def forget(self) -> None:
        """Forget the eliminations that were not told."""
        for atom in self._waiting.own:
            del self.known[atom]
            self._touch(atom)
        self._stale[_RULES, 2].update(self.closures.demanding)  # what they exclude is not among their own atoms
        self._cores = [(source.numbers, literals) for source, literals in self.waiting() if source.way == _CORE]
        self._eliminated = {
            (way, numbers): literals
            for (way, numbers), literals in self._eliminated.items()
            if way != _CORE and self._stale[way, self._stage(way, numbers)].isdisjoint(numbers)
        }
        self._waiting, self._rests = Flood(), {}
        self._first_wave = self._wave + 1

    def story(self, finding: Deduced) -> list[tuple[EliminationSource, list[int]]]:
        """Return the eliminations that wait and that a finding rests on, by where they come from, in order."""
        flood, used = self._waiting, dict[int, set[int]]()
        if finding.source and flood.own:
            flood.use(self._rests_on(finding.source, finding.conclusions or (None,)), used)
        flood.way_back(used, lambda number, some: self._rests_on(flood.found[number - 1], tuple(sorted(some))))
        return sorted(((flood.found[number - 1], sorted(some)) for number, some in used.items()), key=self._order)

    def _order(self, one: tuple[EliminationSource, list[int]]) -> tuple[object, ...]:
        """Return by what the parts of a story are ordered: those of a wave, the easiest first."""
        source = one[0]
        wave, way, numbers = source
        rules = self.closures.groups[numbers[0]].rules if way == _GROUP else numbers
        return wave, self._weight(way, numbers), len(self._scope(source)), self.closures.spread(rules), rules

    def is_old(self, story: Iterable[tuple[EliminationSource, list[int]]]) -> bool:
        """Return whether a story has eliminations from before the last placement: there may be simpler ones by now."""
        return any(source.wave < self._first_wave for source, _ in story)

    def _rests_on(self, source: EliminationSource, literals: tuple[int | None, ...]) -> set[int]:
        """Return eliminated atoms that wait, and with which a source forces some literals: as few as possible."""
        if (source, literals) not in self._rests:
            self._rests[source, literals] = self._found_rests(source, literals)
        return self._rests[source, literals]

    def _found_rests(self, source: EliminationSource, literals: Iterable[int | None]) -> set[int]:
        scope = self._scope(source)
        told = {atom: self.told[atom] for atom in scope if atom in self.told}
        own, of = self._waiting.own, self._waiting.inference
        waiting = [atom for atom in scope if atom in own and of(atom).wave < source.wave]
        waiting.sort(key=lambda atom: (-of(atom).wave, atom))
        found: set[int] = set()
        refute = self._refuter(source)
        for literal in literals if waiting else ():

            def suffice(rest: list[int]) -> list[int] | None:
                self._check()
                known = told | dict.fromkeys(rest, False)
                if refute is None:
                    return rest if self._forces(source, literal, known) else None  # noqa: B023
                assumed = [atom if holds else -atom for atom, holds in known.items()]
                negation = [] if literal is None else [-literal]  # noqa: B023
                core = refute([*negation, *assumed])
                return None if core is None else [atom for atom in rest if -atom in core]

            if suffice([]) is None:
                found.update(minimal_subset(waiting, suffice))
        return found

    def _refuter(self, source: EliminationSource) -> Refuter | None:
        """Return what refutes literals by the rules of a core or of a group with sums; None for others."""
        if source.way == _CORE:
            guards = [self.ground.rules[rule].guard for rule in source.numbers]
            return lambda literals: self._refuting[source.numbers]([*guards, *literals])
        is_sum = source.way == _GROUP and self.closures.groups[source.numbers[0]].sums
        return self.closures.refuter(source.numbers[0]) if is_sum else None

    def _scope(self, source: EliminationSource) -> Sequence[int]:
        """Return all atoms on which it depends what a source forces."""
        if source.way == _GROUP:
            return self.closures.scope(source.numbers[0])
        return sorted({atom for rule in source.numbers for atom in self.ground.rules[rule].atoms})

    def _forces(self, source: EliminationSource, literal: int | None, known: Mapping[int, bool]) -> bool:
        """Return whether a source forces a literal (None: whether it cannot hold), given what is known."""
        _, way, numbers = source
        if way == _WHOLE:
            return self.wholes[numbers[0]].forces(None if literal is None else [literal], known)
        forced = self._forced(way, numbers, known)
        return forced is None or literal in forced

    def _forced(self, way: str, numbers: tuple[int, ...], known: Mapping[int, bool]) -> Collection[int] | None:
        """Return the literals that rules force together, given what is known; None if they cannot hold."""
        if way == _WHOLE:
            return self.wholes[numbers[0]].forced(known)
        if way == _GROUP:
            return self.closures.forced(numbers[0], known)
        formulas = [self.ground.rules[rule].formula for rule in numbers]
        if len(formulas) == 1:
            return consequences_of_formula(formulas[0], known)
        return consequences_of_formulas([simplify(formula, known) for formula in formulas])

    def as_told(self) -> Deduction:
        """Return the same for somebody who knows what was told, and nothing else."""
        told = copy(self)
        vars(told).update(known=self.told, _excluding={})
        return told

    def again(self, source: EliminationSource, literals: Sequence[int]) -> list[Deduced]:
        """Return how a source forces literals (none: a contradiction), in irreducible findings.

        What else waits from there, and needs no more, is part of them.
        """
        _, way, numbers = source
        wanted = {*self._unknown(literals)}
        every: set[int | None] = {*wanted} if literals else {None}
        if literals and literals[0] < 0:
            every.update(self._waiting_for(source))
        available = sum(self._waiting.inference(atom).wave == source.wave for atom in self._waiting.own)
        available = self._available[numbers] if way == _CORE else available
        ordered = sorted(every, key=lambda one: one or 0)
        if way == _RULES:  # what they rest on may be too hard to tell
            ordered = [one for one in ordered if self._forces(source, one, self.known)]
        found = self._irreducible(way, numbers, ordered, Limits.MOST_CONFLICTS_OF_TOLD)
        wanted_ones = (one for one in found if not literals or not wanted.isdisjoint(one.conclusions))
        return [one._replace(available=max(1, available)) for one in wanted_ones]

    def _waiting_for(self, source: EliminationSource) -> set[int]:
        """Return the eliminations that wait and that a source forces, whatever found them first; of a core, its own."""
        _, way, numbers = source
        own = self._waiting.own
        if way == _CORE:
            return {-atom for atom in own if self._waiting.inference(atom) == source}
        forced = None if way == _WHOLE else self._forced(way, numbers, self.known)
        return {literal for literal in forced or () if abs(literal) in own}

    def _irreducible(
        self,
        way: str,
        numbers: tuple[int, ...],
        literals: Iterable[int | None],
        most: int = Limits.MOST_CONFLICTS_OF_CLOSURE,
    ) -> list[Deduced]:
        """Return how something forces literals (None: a contradiction), grouped by what this needs.

        What a group is not found to do without in `most` conflicts counts as needed.
        """
        if way == _GROUP:
            return [*self._closures_of(numbers[0], literals, most)]
        found: dict[Needed, list[int]] = {}
        for literal in literals:
            if needed := self._needed(way, numbers, literal):
                found.setdefault(needed, []).extend([] if literal is None else [literal])
        return [Deduced(*needed, tuple(one), cost=self.cost(*needed)) for needed, one in found.items()]

    def placing(self, literals: Iterable[int]) -> Deduced | None:
        """Return the cheapest placement by one rule about the atoms of some literals; None if there is none."""
        found: list[Deduced] = []
        for rule in dict.fromkeys(rule for literal in literals for rule in self._rules_of[abs(literal)]):
            forced = consequences_of_formula(self.ground.rules[rule].formula, self.known) or ()
            placed = [
                one for one in self._unknown(sorted(forced)) if self._places([one]) and one in self.ground.symbols
            ]
            found += self._irreducible(_RULES, (rule,), placed)
        return min(found, key=lambda one: one.cost, default=None)

    def _needed(self, way: str, rules: tuple[int, ...], literal: int | None) -> Needed | None:
        """Return which of some rules force a literal (None: a contradiction), and the cells that this needs."""
        if way == _RULES:
            return rules, self._fewest_cells(rules, literal)
        parts = {cell: self.literals_of(cell) for cell in sorted(self.knowledge(rules))}
        if way == _CORE:
            guards = {self.ground.rules[rule].guard: rule for rule in rules}
            return irreducible_closure(self._refuting[rules], guards, parts, literal)
        needed = irreducible_closure(self.wholes[rules[0]].core, {}, parts, literal)
        return needed and (rules, needed[1])

    def _touch(self, atom: int) -> None:
        """Have all that depends on an atom looked at again."""
        rules = self._rules_of[atom]
        for stage in 0, 2:
            self._stale[_RULES, stage].update(rules)
        self._stale[_WHOLE, 1].update(self.wholes.keys() & rules)
        for group in self.closures.groups_of[atom]:
            self._stale[_GROUP, self._stage(_GROUP, (group,))].add(group)

    def _update_wholes(self) -> None:
        """Find what rules that are asked as a whole force, those with few open atoms first, until one does."""
        stale = self._stale[_WHOLE, 1]
        waiting = sorted(stale, key=lambda one: (len(self.wholes[one].atoms - self.known.keys()), one))
        for rule in waiting if self._best(1) is None else ():
            self._check()
            stale.remove(rule)
            source = _WHOLE, (rule,)
            self._found(*source, self._forced(*source, self.known))
            if source in self._findings or source in self._eliminated:
                return

    def _found(self, way: str, numbers: tuple[int, ...], forced: Collection[int] | None) -> None:
        """Store what is forced (None: a contradiction): placements with what they need, eliminations as they are."""
        self._findings.pop((way, numbers), None)
        self._eliminated.pop((way, numbers), None)
        literals = [one for one in self._unknown(sorted(forced or ())) if abs(one) in self.ground.symbols]
        if way == _RULES and len(numbers) == 1 and self.closures.is_sum(numbers[0]):
            literals = [one for one in literals if self._places([one])]  # its group rules out more
        if eliminated := [literal for literal in literals if not self._places([literal])]:
            self._eliminated[way, numbers] = eliminated
        placed: list[int | None] = [None] if forced is None else [one for one in literals if self._places([one])]
        if found := self._irreducible(way, numbers, placed) if placed else []:
            source = EliminationSource(self._wave + 1, way, numbers)
            self._findings[way, numbers] = [one._replace(source=source) for one in found]

    def _closures_of(self, group: int, literals: Iterable[int | None], most: int) -> Iterator[Deduced]:
        """Yield findings for what a group forces, each irreducible."""
        for rules, cells, conclusions in self.closures.needed(
            group, self.known, literals, lambda needed: self.cost(*needed), most
        ):
            yield Deduced(rules, cells, conclusions, cost=self.cost(rules, cells))

    def _places(self, literals: Sequence[int]) -> bool:
        """Return whether literals say what is in a cell, or are a contradiction."""
        return self._two_valued or not literals or literals[-1] > 0

    def _best(self, stage: int) -> Deduced | None:
        """Return the cheapest of the findings of a stage, and forget those that say nothing new.

        If eliminations wait, that one of the cheapest which needs the fewest of them.
        """
        ranked: list[tuple[tuple[object, ...], Deduced]] = []
        available: set[int] = set()
        for way, numbers in [key for key in self._findings if self._stage(*key) == stage]:
            found = self._findings[way, numbers]
            current = [one for one in found if not one.conclusions or self._unknown(one.conclusions)]
            if stage or way != _RULES or numbers[0] in self._recounted:
                current = [one._replace(cost=self.cost(one.rules, one.cells)) for one in current]
            self._findings[way, numbers] = current
            if not current:
                del self._findings[way, numbers]
            for one in current:
                unknown = self._unknown(one.conclusions)
                available.update(unknown)
                ranked.append(((one.cost, self._distance(unknown), one.rules, one.cells), one))
        self._recounted.clear()
        if not ranked:
            return None
        best = min(ranked, key=lambda one: one[0])[1]
        if self.waits:
            ranked.sort(key=lambda one: one[0])
            best = min((one for _, one in ranked[:_MOST_STORIES]), key=self._weights)
        literals = tuple(self._unknown(best.conclusions))
        return best._replace(conclusions=literals, available=max(1, len(available)))

    def _weights(self, finding: Deduced) -> tuple[float, ...]:
        """Return how much must be told before a finding: its hardest part, and all."""
        weights = [self._weight(*source[1:]) for source, _ in self.story(finding)]
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
            rules: the rules of the step, by their numbers.
            cells: the cells whose knowledge it needs.
        """
        at, known, where = self.ground.cells, self.known, {*cells}
        atoms = [self.ground.rules[rule].atoms for rule in rules]
        seen = self._seen({atom for some in atoms for atom in some if atom in known and at[atom] in where})
        if len(rules) == 1:  # most findings have one
            return deduction_cost(1, 0, seen, self.closures.spread(rules))
        granted = self.closures.granted
        if total := self.closures.total(rules, cells):
            out = sum(not one.weights.keys() <= total.covered for one in total.sums)
            units, seen = len(total.units), seen + len(total.sums)
            return deduction_cost(units + out, units, seen, self.closures.spread(rules))
        looked_at = {self.closures.cells[rule] for rule in rules if rule not in granted}
        if len(looked_at) > _MOST_UNITS_ALONE and self.closures.main_of(rules) is None:
            looked_at.update(self.closures.cells[rule] for rule in rules)
        numbers = Counter(self.closures.cells[rule] for rule in rules if rule not in self.closures.sums)
        further = numbers.total() - len(numbers)
        return deduction_cost(max(1, len(looked_at)), further, seen, self.closures.spread(rules))

    def _seen(self, known: Iterable[int]) -> int:
        """Return the fewest cells that one must look at to see what is known of others.

        A value in the cell itself is not counted.
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
        """Return the fewest cells whose knowledge, with the rules, forces a literal, or a contradiction (None).

        Of many, they are only cells of which none can be left out.
        """
        known = self.knowledge(rules)
        if literal is not None and literal > 0 and len(rules) == 1 and rules[0] in self.closures.demanding:
            return tuple(sorted(known))  # it needs one of its atoms, and no other is left

        def suffice(cells: Iterable[Cell]) -> bool:
            self._check()
            values = {atom: value for cell in cells for atom, value in known[cell].items()}
            forced = self._forced(_RULES, rules, values)
            return forced is None or literal in forced

        needed = [one for one in sorted(known) if not suffice(known.keys() - {one})]
        optional = sorted(known.keys() - needed)
        if len(optional) > _MOST_COMBINED:
            needed += minimal_subset(optional, lambda rest: rest if suffice([*needed, *rest]) else None)
            return tuple(sorted(needed))
        choices = (chosen for size in range(len(optional)) for chosen in combinations(optional, size))
        needed += next((chosen for chosen in choices if suffice([*needed, *chosen])), optional)
        return tuple(sorted(needed))

    def is_satisfied(self, rule: int) -> bool:
        """Return whether a rule holds, given what is known."""
        return rule not in self.closures.large and simplify(self.ground.rules[rule].formula, self.known) is True

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


def _fewest(sets: Collection[frozenset[Cell]]) -> int:
    """Return how few cells have one of each set; of many sets, how few were found."""
    if len(sets) < 2:
        return len(sets)
    sets = {one for one in sets if not any(other < one for other in sets)}
    if sum(map(len, sets)) == len(frozenset().union(*sets)):
        return len(sets)
    often = Counter(cell for one in sets for cell in one)
    best = max(often, key=lambda cell: (often[cell], cell))
    found = 1 + _fewest({one for one in sets if best not in one})
    if len(sets) > _MOST_COVERED or found < 3:  # one cell has not each of them
        return found
    return min(found, 1 + min(_fewest({one for one in sets if cell not in one}) for cell in min(sets, key=len)))


def deduction_cost(things: int, more: int, seen: int, spread: int) -> float:
    """Return what a person must look at to find a step, as a number of rules.

    Args:
        things: the sets of cells that its rules are about; rules over the same cells are looked at together.
        more: the numbers that these are about beyond one of each: a pair is about one more.
        seen: the cells whose values rule out others.
        spread: how many rows and columns its cells are apart.
    """
    return things + 5 * more / 4 + seen / 10 + spread / 40
