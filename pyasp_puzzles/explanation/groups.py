"""Groups: what the rules over the same cells force together, assuming each cell holds one value.

RuleGroup      the rules over some cells, "row 2 holds 4 once" and "row 2 holds 7 once", with its company: the
               one-value rules of these cells
RuleGroups     the groups of a layout, or of a board

A group may have a total: its rules are units and sums, whose difference is about few cells (see `totals`).

People look at all rules about the same cells at once, and take for granted that a cell holds one value: "17 in two
cells is 8 and 9" rests on three rules, the sum and one for each cell. The company is recognised by the shape of its
formulas, in any puzzle.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from pyasp_puzzles.asp.cores import minimal_subset
from pyasp_puzzles.explanation.totals import sums_of_totals, totals_of, units_of_totals
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.queries.diagrams import DiagramTable
from pyasp_puzzles.queries.formulas import (
    FormulaShape,
    consequences_of_formula,
    formula_literals,
    formula_shape,
    renumbered_formula,
)
from pyasp_puzzles.queries.ground_rules import ground_atoms_by_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.totals import Total
    from pyasp_puzzles.queries.ground_rules import GroundRule, GroundRules

# Literals of a formula whose consequences are found for its shape; for a larger one it keeps a search of its own.
_MOST_LITERALS_OF_SHAPE = 100
# With more numbers in all its cells together, the pairs and triples of a unit are left to suppositions.
_MOST_ATOMS_OF_UNIT = 300


# Rules, by index, and the cells whose known atoms they need.
Needed = tuple[tuple[int, ...], tuple["Cell", ...]]


class RuleGroup(NamedTuple):
    """Rules over the same cells, by index."""

    rules: tuple[int, ...]
    company: tuple[int, ...]
    """One-value rules of cells that occur with several values."""
    sums: bool
    """Whether a rule is about several values of a cell, as sums are, and unlike "row 2 holds 4 once"."""
    atoms: frozenset[int]
    """All atoms of the rules and their company; of a total, those of the cells that are left."""
    total: Total | None = None
    """The difference of units and sums, if the rules are these."""


class RuleGroups:
    """The groups of a layout, which its boards share; `for_board` returns those of a board, which are propagated."""

    def __init__(self, ground: GroundRules) -> None:
        self._ground = ground
        self.cells: list[frozenset[Cell]] = [
            frozenset([ground.cells[atom] for atom in rule.atoms]) for rule in ground.rules
        ]
        """The cells that each rule is about."""
        self.one_value: dict[Cell, int] = {}
        """{cell: its one-value rule}"""
        self.demanding: dict[int, bool] = {}
        """{rule that allows at most one atom, of one cell or each of another: whether it demands one}"""
        self._recognise()
        self.granted = frozenset(self.one_value.values())
        """The one-value rules."""
        self.sums = frozenset(
            number for number, rule in enumerate(ground.rules) if len(rule.atoms) > len(self.cells[number])
        )
        """The rules about several values of a cell, one-value rules included."""
        self.groups = list(self._found_groups())
        self._group_of = {rule: group for group in self.groups for rule in group.rules}
        self.large = frozenset(
            number
            for number, rule in enumerate(ground.rules)
            if rule.is_global or (number in self._group_of and is_long_rule(rule))
        )
        """Global rules, and those so large that their group is propagated instead."""
        self._units = units_of_totals(
            ground, [rule for rule, demands in self.demanding.items() if demands], self.one_value
        )
        self.groups += self._found_totals()
        # {the sums of a total: those totals}
        self._totals: dict[frozenset[int], list[Total]] = {}
        for total in (group.total for group in self.groups if group.total):
            self._totals.setdefault(frozenset(subtrahend.rule for subtrahend in total.sums), []).append(total)
        self.direct: dict[int, list[tuple[int, int]]] = {}
        """{atom: what it excludes directly}, as far as `Deduction` was asked."""
        # {rules: their table, and its atoms}
        self._tables: dict[tuple[int, ...], tuple[DiagramTable, tuple[int, ...]]] = {}

    def for_board(self, ground: GroundRules) -> RuleGroups:
        """Return the same for a board, with the cells of its clues."""
        other = copy(self)
        clues = (rule.atoms for rule in ground.rules[len(self.cells) :])
        cells = [*self.cells, *(frozenset([ground.cells[atom] for atom in atoms]) for atoms in clues)]
        vars(other).update(_ground=ground, cells=cells)
        return other

    def _recognise(self) -> None:
        """Find the one-value rules."""
        of_cell = ground_atoms_by_cell(self._ground)
        for number, (rule, cells) in enumerate(zip(self._ground.rules, self.cells, strict=True)):
            if len(rule.atoms) < 2 or rule.is_global or (len(cells) > 1 and is_long_rule(rule)):
                continue
            demands, once = _demands(rule)
            if len(cells) > 1 and once:
                self.demanding[number] = demands
            elif demands and rule.atoms == {*of_cell[min(cells)]}:
                self.one_value[min(cells)] = number
                self.demanding[number] = True

    def _found_groups(self) -> Iterator[RuleGroup]:
        rules_over: dict[frozenset[Cell], list[int]] = {}
        for number, cells in enumerate(self.cells):
            if len(cells) > 1 and number not in self.granted and not self._ground.rules[number].is_global:
                rules_over.setdefault(cells, []).append(number)
        for cells, rules in rules_over.items():
            sums = not self.sums.isdisjoint(rules)
            if not sums and (len(rules) < len(("this", "that")) or len(rules) * len(cells) > _MOST_ATOMS_OF_UNIT):
                continue
            atoms = [atom for rule in rules for atom in self._ground.rules[rule].atoms]
            number_of = Counter(self._ground.cells[atom] for atom in set(atoms))
            company = [self.one_value[cell] for cell in sorted(cells) if number_of[cell] > 1 and cell in self.one_value]
            if not company:
                continue
            every = frozenset(atoms).union(*(self._ground.rules[rule].atoms for rule in company))
            yield RuleGroup(tuple(rules), tuple(company), sums, every)

    def _found_totals(self) -> Iterator[RuleGroup]:
        sums = [rule for rule in self.sums - self.granted if not self._ground.rules[rule].is_global]
        for total in totals_of(self._ground, self._units, sums_of_totals(self._ground, sorted(sums))) if sums else ():
            if self.one_value.keys() >= total.weights.keys():
                company = tuple(self.one_value[cell] for cell in total.weights)
                atoms = frozenset[int]().union(*total.choices.values())
                easy = len(total.units) == 1
                yield RuleGroup(tuple(sorted(total.rules)), company, sums=easy, atoms=atoms, total=total)

    def total(self, rules: Collection[int], cells: Collection[Cell]) -> Total | None:
        """Return the total that a step is about; None if it is about none.

        A step may not need all that a unit holds: of two cells with the sum 4, neither is 9 though a 9 may be missing.

        Args:
            rules: the rules of the step.
            cells: the cells whose known atoms it needs.
        """
        main_rules = frozenset(rules) - self.granted if self._totals else frozenset()
        for total in self._totals.get(main_rules & self.sums, ()):
            used = all(len(main_rules.intersection(unit.rules)) * 2 >= len(unit.rules) for unit in total.units)
            if used and main_rules <= total.rules and total.weights.keys() >= {*cells}:
                return total
        return None

    @property
    def cover_sums(self) -> bool:
        """Whether each rule about several values of a cell is in a group."""
        return all(rule in self._group_of or rule in self.granted for rule in self.sums)

    def spread(self, rules: Sequence[int]) -> int:
        """Return how many rows and columns the cells of some rules are apart."""
        about = frozenset().union(*(self.cells[rule] for rule in rules))
        return sum(max(line) - min(line) for line in zip(*about, strict=True))

    def is_sum(self, rule: int) -> bool:
        """Return whether a rule is of a group with sums, which finds all that it forces."""
        return rule in self._group_of and self._group_of[rule].sums

    def main_of(self, rules: Sequence[int]) -> int | None:
        """Return the rule about several values of a cell that has all others as its company; None if there is none."""
        sums = [rule for rule in rules if self.is_sum(rule)]
        if len(sums) != 1:
            return None
        group = self._group_of[sums[0]]
        members = {*group.rules, *group.company}
        once = (rule for rule in rules if rule in self.demanding and rule not in members)
        members.update(rule for rule in once if len(self._ground.rules[rule].atoms & group.atoms) > 1)
        return sums[0] if members >= {*rules} else None

    def table_of(self, rules: Sequence[int]) -> tuple[DiagramTable, tuple[int, ...]]:
        """Return the table of rules and the one-value rules of their cells, and its atoms in their order there."""
        if tuple(rules) not in self._tables:
            ground = self._ground
            rule_atoms = frozenset().union(*(ground.rules[rule].atoms for rule in rules))
            several = Counter(ground.cells[atom] for atom in rule_atoms)
            cells = [
                (sorted(ground.rules[number].atoms, key=ground.symbols.__getitem__), number)
                for cell in several
                if several[cell] > 1 and (number := self.one_value.get(cell, -1)) >= 0
            ]
            cells += [([atom], -1) for atom in rule_atoms.difference(*(atoms for atoms, _ in cells))]
            cells.sort(key=lambda entry: (ground.cells[entry[0][0]], ground.symbols[entry[0][0]]))
            # A rule may be about atoms that answers do not show: which cells are doubled.
            literals = (abs(i) for rule in rules for i in formula_literals(ground.rules[rule].formula))
            cells += [([atom], -1) for atom in sorted({*literals}.difference(*(each for each, _ in cells)))]
            atoms = tuple([atom for each, _ in cells for atom in each])
            place = {atom: i for i, atom in enumerate(atoms, 1)}
            formulas = {rule: renumbered_formula(ground.rules[rule].formula, place) for rule in rules}
            self._tables[tuple(rules)] = DiagramTable(formulas, [(len(each), rule) for each, rule in cells]), atoms
        return self._tables[tuple(rules)]


def minimal_needs(
    refute: Callable[[list[int]], list[int] | None],
    guards: Mapping[int, int],
    parts: Mapping[Cell, Sequence[int]],
    literal: int | None,
    *,
    likely: Collection[Cell] = (),
    free: Collection[int] = (),
) -> Needed | None:
    """Return a minimal set of rules and cells that forces a literal; None if all of them do not.

    Rules are left out first, then cells.

    Args:
        refute: returns a core of literals; None if they can hold together.
        guards: {the literal that switches a rule on: the rule}.
        parts: {cell: its known literals}.
        literal: the literal; None for a contradiction.
        likely: cells that may suffice.
        free: rules that are preferred to further cells.
    """
    negation = [] if literal is None else [-literal]
    cell_of = {part: cell for cell, literals in parts.items() for part in literals}

    def core(rules: Iterable[int], cells: Iterable[Cell]) -> list[Any] | None:
        """Return a core of rules and cells."""
        literals = refute([*negation, *rules, *(part for cell in cells for part in parts[cell])])
        return None if literals is None else [cell_of.get(part, part) for part in literals]

    first = core(guards, parts)
    if first is None:
        return None
    company = [guard for guard in guards if guards[guard] in free]
    core_guards = [guard for guard in first if guard in guards and guard not in company]
    needed = minimal_subset(core_guards, lambda rest: core([*rest, *company], parts))
    core_parts = (core([*needed, *company], likely) if likely else None) or core([*needed, *company], parts)
    cells = [*parts] if core_parts is None else sorted(parts.keys() & core_parts)  # None if a search was given up
    cells = minimal_subset(cells, lambda rest: core([*needed, *company], rest))
    needed += minimal_subset(company, lambda rest: core([*needed, *rest], cells))
    return tuple(sorted(guards[guard] for guard in needed)), tuple(cells)


def is_long_rule(rule: GroundRule) -> bool:
    """Return whether a rule has many literals."""
    return next(islice(formula_literals(rule.formula), _MOST_LITERALS_OF_SHAPE, None), None) is not None


def _demands(rule: GroundRule) -> tuple[bool, bool]:
    """Return whether a rule demands just one of its atoms, and whether it allows each alone, and no two of them."""
    shape, atoms = formula_shape(rule.formula)
    return _shape_demands(shape) if rule.atoms == {*atoms} else (False, False)


@lru_cache(maxsize=Limits.MOST_SHAPES)
def _shape_demands(shape: FormulaShape) -> tuple[bool, bool]:
    """Return what `_demands` does; cached: the 324 rules of a Sudoku have one shape, and take 20 ms without it."""
    atoms = {abs(literal) for literal in formula_literals(shape.formula)}
    out = frozenset(-atom for atom in atoms)
    once = all(consequences_of_formula(shape.formula, {atom: True}) == out - {-atom} for atom in atoms)
    return once and consequences_of_formula(shape.formula, dict.fromkeys(atoms, False)) is None, once
