"""What one or two named rules, or all rules over the same cells, force, given what is known of some cells.

Finding    the rules, by their numbers, and the cells whose knowledge forces some literals: as few as possible
Deduction  what is known, and the next finding
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cores import fewest
from pyasp_puzzles.explanation.closures import Closures, irreducible
from pyasp_puzzles.explanation.ground_rules import (
    Formula,
    atoms_by_cell,
    consequences,
    consequences_of,
    fewest_groups,
    ground_rules_of,
    rules_by_atom,
    simplify,
)
from pyasp_puzzles.explanation.wholes import wholes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.ground_rules import GroundRules
    from pyasp_puzzles.explanation.reasons import Options
    from pyasp_puzzles.explanation.wholes import Whole
    from pyasp_puzzles.model.puzzle import Instance

# With more known cells, finding the fewest that a rule needs may take long, so the time is checked meanwhile.
MOST_CELLS_OF_SHAPE = 9
# With more sets of cells, one cell of each to look at, the fewest cells are not searched for.
MOST_COVERED = 8
# With more units to look at, each cell that holds one value counts as well: a chain through cells is harder to follow
# than a fish. Fitted with the constants of grades, see docs/explaining.md.
MOST_UNITS_ALONE = 2


# Where findings come from: one rule, two rules, a group with sums, a group without, and one with sums together with
# other rules that allow a value once; a rule that is asked as a whole.
RULE, PAIR, SUMS, UNITS, ONCE, WHOLE = "rule", "pair", "sums", "units", "once", "whole"


class Finding(NamedTuple):
    """Rules and cells, none of which can be left out, and the literals that they force; none for a contradiction."""

    rules: tuple[int, ...]
    cells: tuple[Cell, ...]
    conclusions: tuple[int, ...]
    available: int = 1
    """How many conclusions the findings of as few rules have."""
    main: int | None = None
    """The rule that has the others as its company, if there is one."""
    cost: float = 0.0
    """What a person must look at, by `Deduction.cost`."""
    cheapest: bool = False
    """Whether it is proven that nothing that places a value costs less."""


def excluded(
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
    """What is known of a board, and what follows from it by one rule or two, or by the rules over the same cells."""

    def __init__(
        self, ground: GroundRules, deadline: Deadline, before: Deduction | None = None, *, two_valued: bool = False
    ) -> None:
        self.ground = ground
        # Whether a cell that is known not to hold something is decided.
        self._two_valued = two_valued
        self._check = deadline.check
        self.closures: Closures = before.closures if before else ground.once(Closures).for_board(ground, deadline.check)
        self.wholes: dict[int, Whole] = before.wholes if before else wholes(ground)
        """{number: the rule} of those that are asked as a whole."""
        self.known: dict[int, bool] = {}
        """The atoms whose truth is known."""
        self.excluded_by: dict[int, Options] = before.excluded_by if before else {}
        """{atom: the rules, each with the atom that holds and so excludes it directly}"""
        # Where the last placement was.
        self._last: Cell = (1, 1)
        groups = self.closures.groups
        # Without clues, which force nothing else.
        self._rules_of = ground.once(rules_by_atom)
        self.atoms_of = ground.once(atoms_by_cell)
        self._direct: dict[int, list[tuple[int, int]]] = self.closures.direct
        # {where they come from, and the numbers of the rules or the group: the findings}
        self._findings: dict[tuple[str, tuple[int, ...]], list[Finding]] = {}
        # {atom: the cells whose values exclude it}
        self._excluding: dict[int, frozenset[Cell]] = {}
        # The rules whose findings may cost less now: another value excludes one of their atoms.
        self._recounted: set[int] = set()
        self._simplified: dict[int, Formula] = {}
        # Rules with atoms that were learned since the rule, or its pairs, were last checked.
        self._stale = set(range(len(ground.rules)))
        self._stale_in_pairs = set(self._stale)
        self._stale_wholes = set(self.wholes)
        # The same for groups with sums, for other groups, and for groups with other rules that allow a value once.
        sums = {number for number, group in enumerate(groups) if group.sums}
        self._stale_groups = {SUMS: sums, UNITS: {*range(len(groups))} - sums, ONCE: set(sums)}
        # {group with sums: the eliminations that it forces, and whose needs are not known yet}
        self._eliminated: dict[int, list[int]] = {}

    def learn(self, literal: int) -> None:
        """Add a literal to what is known."""
        rules = self._rules_of[abs(literal)]
        self.known[abs(literal)] = literal > 0
        self._stale.update(rules)
        self._stale_in_pairs.update(rules)
        if self.wholes:
            self._stale_wholes.update(self.wholes.keys() & rules)
        for group in self.closures.groups_of[abs(literal)]:
            sums = self.closures.groups[group].sums
            for way in (SUMS, ONCE) if sums else (UNITS,):
                self._stale_groups[way].add(group)

    def place(self, literals: Sequence[int]) -> list[int]:
        """Add literals to what is known, and the atoms that those that hold exclude directly; return these atoms."""
        for literal in literals:
            if abs(literal) not in self.known:
                self.learn(literal)
        excluded = []
        for literal in (one for one in literals if one > 0):
            self._last = self.ground.cells[literal]
            for atom, rule in self.direct_eliminations(literal):
                self.excluded_by.setdefault(atom, []).append((rule, literal))
                self._excluding.pop(atom, None)
                self._recounted.update(self._rules_of[atom])
                excluded.append(atom)
                if atom not in self.known:
                    self.learn(-atom)
        return excluded

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
        """Return the cheapest finding of one rule, or else of two, or of a group; placements come first.

        Raises:
            OutOfTime: time ran out.
        """
        for rule in self._stale:
            self._check()
            if not self.closures.is_large(rule):
                self._update((rule,))
        self._recounted -= self._stale
        self._stale.clear()
        self._update_groups(SUMS)
        found = self._best(RULE, SUMS)
        if self._eliminated and (found is None or not self._places(found.conclusions)):
            for group, literals in self._eliminated.items():
                self._add_closures(SUMS, group, self._unknown(literals))
            self._eliminated = {}
            found = self._best(RULE, SUMS)
        if found is not None and self._places(found.conclusions) and self.closures.all_searched and not self.wholes:
            # All single rules and groups with sums were searched; anything else has two rules to look at.
            found = found._replace(cheapest=found.cost <= step_cost(2, 0, 0, 0))
        if found is None and self.wholes:
            self._update_wholes()
            found = self._best(WHOLE)
        if found is None and len(self.known) < len(self.ground.symbols):
            self._stale_in_pairs = {rule for rule in self._stale_in_pairs if not self.closures.is_large(rule)}
            for rule in self._stale_in_pairs:
                self._simplified.pop(rule, None)
            for pair in set(self._pairs()):
                self._check()
                self._update(pair)
            self._stale_in_pairs.clear()
            self._update_groups(UNITS)
            self._update_groups(ONCE)
            found = self._best(PAIR, UNITS, ONCE)
        return found

    def _update_wholes(self) -> None:
        """Find what rules that are asked as a whole force, those with few open atoms first, until one does."""
        waiting = sorted(self._stale_wholes, key=lambda one: (len(self.wholes[one].atoms - self.known.keys()), one))
        for rule in waiting if self._best(WHOLE) is None else ():
            self._check()
            self._stale_wholes.remove(rule)
            forced = self.wholes[rule].forced(self.known)
            parts = {cell: self.literals_of(cell) for cell in sorted(self.knowledge([rule]))}
            by_cells: dict[tuple[Cell, ...], list[int]] = {}
            for literal in [None] if forced is None else sorted(forced):
                self._check()
                if needed := irreducible(self.wholes[rule].core, {}, parts, literal):
                    by_cells.setdefault(needed[1], []).extend([] if literal is None else [literal])
            if by_cells:
                self._add((rule,), by_cells)
                return

    def _update_groups(self, way: str) -> None:
        """Find what groups force, in one of the ways; of sums, what each elimination needs is left until it matters."""
        stale = self._stale_groups[way]
        for group in stale:
            self._check()
            # What earlier findings need still suffices, and the one that is chosen is made irreducible again.
            before = self._findings.get((way, (group,)), ())
            waiting = self._unknown(self._eliminated.get(group, ())) if way == SUMS else []
            said = {abs(literal) for literal in (*waiting, *(one for found in before for one in found.conclusions))}
            new = self.closures.forced(group, self.known, said, once=way == ONCE)
            if new == [None]:
                self._findings.pop((way, (group,)), None)
            elif way == SUMS:
                waiting += [one for one in new if one is not None and not self._places([one])]
                self._eliminated[group] = waiting
                new = [one for one in new if one is not None and self._places([one])]
            self._add_closures(way, group, new)
        stale.clear()

    def _add_closures(self, way: str, group: int, literals: Collection[int | None]) -> None:
        """Add findings for what a group forces."""
        if literals:
            self._findings.setdefault((way, (group,)), []).extend(self._closures_of(way, group, literals))

    def _closures_of(self, way: str, group: int, literals: Iterable[int | None]) -> Iterator[Finding]:
        """Yield findings for what a group forces, each irreducible."""
        found = self.closures.needed(group, self.known, literals, lambda needed: self.cost(*needed), once=way == ONCE)
        for rules, cells, conclusions in found:
            yield Finding(rules, cells, conclusions, main=self.closures.main_of(rules), cost=self.cost(rules, cells))

    def _places(self, literals: Sequence[int]) -> bool:
        """Return whether literals say what is in a cell, or are a contradiction."""
        return self._two_valued or not literals or literals[-1] > 0

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
            for other, number in shared.items():
                if number > 1 and other != rule and self._may_say(rule, other, number):
                    yield min(rule, other), max(rule, other)

    def _may_say(self, rule: int, other: int, shared: int) -> bool:
        """Return whether two rules that share unknown atoms may force something together that no group finds.

        If both allow one atom, one of them must demand one of those that they share.
        """
        closures, demanding = self.closures, self.closures.demanding
        return (
            (rule not in demanding or other not in demanding)
            or any(
                demanding[one] and shared == len(self.ground.rules[one].atoms.difference(self.known))
                for one in (rule, other)
            )
        ) and not (closures.is_together(rule, other) or closures.is_together(other, rule) or closures.is_large(other))

    def _best(self, *ways: str) -> Finding | None:
        """Return the cheapest of the findings that come from there, and forget those that say nothing new.

        Of one rule or group, placements come first.
        """
        best: Finding | None = None
        whence: tuple[str, tuple[int, ...]] = RULE, ()
        least: tuple[object, ...] = ()
        available: set[int] = set()
        for way, numbers in [key for key in self._findings if key[0] in ways]:
            found = self._findings[way, numbers]
            current = [one for one in found if not one.conclusions or self._unknown(one.conclusions)]
            if way != RULE or numbers[0] in self._recounted:
                current = [one._replace(cost=self.cost(one.rules, one.cells)) for one in current]
            self._findings[way, numbers] = current
            if not current:
                del self._findings[way, numbers]
            for one in current:
                unknown = self._unknown(one.conclusions)
                available.update(unknown)
                placed = RULE not in ways or self._places(unknown)
                rank = (not placed, one.cost, self._distance(unknown), one.rules, one.cells)
                if best is None or rank < least:
                    best, least, whence = one, rank, (way, numbers)
        self._recounted.clear()
        if best is None:
            return None
        literals = tuple(self._unknown(best.conclusions))
        if whence[0] not in {RULE, PAIR, WHOLE}:
            # With what is known by now, some of its rules or cells may no longer be needed.
            again = self._closures_of(whence[0], whence[1][0], literals or [None])
            best = min(again, key=lambda one: one.cost, default=best)  # a search may have been given up
            literals = tuple(self._unknown(best.conclusions))
        return best._replace(conclusions=literals, available=max(1, len(available)))

    def _distance(self, literals: Sequence[int]) -> int:
        """Return how far the first of some literals is from the last placement, in rows and columns."""
        if not literals:
            return 0
        (row, column), (last_row, last_column) = self.ground.cells[abs(literals[0])], self._last
        return abs(row - last_row) + abs(column - last_column)

    def cost(self, rules: Sequence[int], cells: Collection[Cell]) -> float:
        """Return the cost of a step, by `step_cost`; one-value rules are free beside one or two other sets of cells.

        Args:
            rules: the rules of the step, by their numbers.
            cells: the cells whose knowledge it needs.
        """
        at, known, where = self.ground.cells, self.known, {*cells}
        atoms = [self.ground.rules[rule].atoms for rule in rules]
        seen = self._seen({atom for some in atoms for atom in some if atom in known and at[atom] in where})
        if len(rules) == 1:  # most findings have one
            return step_cost(1, 0, seen, self.closures.spread(rules))
        granted = self.closures.granted
        looked_at = {self.closures.cells[rule] for rule in rules if rule not in granted}
        if len(looked_at) > MOST_UNITS_ALONE and self.closures.main_of(rules) is None:
            looked_at.update(self.closures.cells[rule] for rule in rules)
        numbers = Counter(self.closures.cells[rule] for rule in rules if rule not in self.closures.sums)
        further = numbers.total() - len(numbers)
        return step_cost(max(1, len(looked_at)), further, seen, self.closures.spread(rules))

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

    def _update(self, rules: tuple[int, ...]) -> None:
        """Find what some rules force, grouped by the cells that this needs."""
        self._findings.pop(_key(rules), None)
        if len(rules) == 1:
            forced = consequences_of(self.ground.rules[rules[0]].formula, self.known)
        else:
            forced = consequences([self._simple(rule) for rule in rules])
        if forced is None:
            self._add(rules, {self._fewest_cells(rules, None): []})
        elif forced:
            by_cells: dict[tuple[Cell, ...], list[int]] = {}
            in_group = len(rules) == 1 and self.closures.is_sum(rules[0])  # this rules out more, with its company
            for literal in sorted(forced):
                if abs(literal) in self.ground.symbols and not (in_group and not self._places([literal])):
                    by_cells.setdefault(self._fewest_cells(rules, literal), []).append(literal)
            self._add(rules, by_cells)

    def _add(self, rules: tuple[int, ...], by_cells: Mapping[tuple[Cell, ...], Sequence[int]]) -> None:
        """Store what some rules force, by the cells that this needs."""
        self._findings[(WHOLE, rules) if rules[0] in self.wholes else _key(rules)] = [
            Finding(rules, cells, tuple(group), cost=self.cost(rules, cells)) for cells, group in by_cells.items()
        ]

    def _fewest_cells(self, rules: tuple[int, ...], literal: int | None) -> tuple[Cell, ...]:
        """Return the fewest cells whose knowledge, with the rules, forces a literal, or a contradiction (None)."""
        known = self.knowledge(rules)
        if len(rules) == 1 and len(known) <= MOST_CELLS_OF_SHAPE:
            atoms = {atom: cell for cell, some in known.items() for atom in some}
            formula = self.ground.rules[rules[0]].formula
            return tuple(sorted(fewest_groups(formula, self.known, atoms, literal)))
        formulas = [self.ground.rules[rule].formula for rule in rules]

        def suffice(cells: Iterable[Cell]) -> bool:
            self._check()
            values = {atom: value for cell in cells for atom, value in known[cell].items()}
            if len(formulas) == 1:
                forced = consequences_of(formulas[0], values)
            else:
                forced = consequences([simplify(formula, values) for formula in formulas])
            return forced is None or literal in forced

        return tuple(sorted(fewest(sorted(known), suffice)))

    def is_satisfied(self, rule: int) -> bool:
        """Return whether a rule holds, given what is known."""
        return not self.closures.is_large(rule) and self._simple(rule) is True

    def _simple(self, rule: int) -> Formula:
        """Return what remains of the formula of a rule."""
        if rule not in self._simplified:
            self._simplified[rule] = simplify(self.ground.rules[rule].formula, self.known)
        return self._simplified[rule]

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


def _key(rules: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    return (RULE if len(rules) == 1 else PAIR), rules


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
    if len(sets) > MOST_COVERED or found < 3:  # one cell has not each of them
        return found
    return min(found, 1 + min(_fewest({one for one in sets if cell not in one}) for cell in min(sets, key=len)))


def step_cost(things: int, more: int, seen: int, spread: int) -> float:
    """Return what a person must look at to find a step, as a number of rules.

    Args:
        things: the sets of cells that its rules are about; rules over the same cells are looked at together.
        more: the numbers that these are about beyond one of each: a pair is about one more.
        seen: the cells whose values rule out others.
        spread: how many rows and columns its cells are apart.
    """
    return things + 5 * more / 4 + seen / 10 + spread / 40
