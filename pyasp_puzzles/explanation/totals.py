"""Totals: sums of few cells that follow from units and other sums, as in the 45 rule of a killer Sudoku.

Unit    cells that hold each of some numbers once, with the rules that say so: their total is known
Sum     a rule that weights of cells add up to a number: a cage, an arrow
Total   Total({(1, 9): 1}, 4, ...): row 1 without its cages; what is left, each cell with its weight, adds up to 4

All are equations over the atoms of cells, so units minus sums are equations, too, whatever the rules are about.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.explanation.bounds import atoms_bounded_once, linear_bounds
from pyasp_puzzles.explanation.diagrams import DiagramTable, diagram_state
from pyasp_puzzles.explanation.formulas import Threshold, simplify
from pyasp_puzzles.explanation.ground_rules import ground_atoms_by_cell

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.formulas import Formula
    from pyasp_puzzles.explanation.ground_rules import GroundRule, GroundRules

# Cells of a total; with four, killers took a fifth longer, and were told more steps that say little.
_MOST_LEFT = 3
# The same if some of the cells are inside of the units, and others outside: one is 3 more than the other.
_MOST_COMPARED = 2
# Units whose numbers are added together.
_MOST_UNITS = 2


class _Unit(NamedTuple):
    """Cells that hold each of some numbers once."""

    cells: frozenset[Cell]
    total: int
    rules: tuple[int, ...]


class _Sum(NamedTuple):
    """A rule that cells, each with a weight, add up to a number."""

    rule: int
    weights: Mapping[Cell, int]
    total: int


class Total(NamedTuple):
    """What is left of some units without some sums: cells that add up to a number."""

    units: tuple[_Unit, ...]
    sums: tuple[_Sum, ...]
    weights: Mapping[Cell, int]
    total: int
    choices: Mapping[Cell, Mapping[int, int]]
    """{cell: {atom: what it adds}}"""
    apart: tuple[frozenset[int], ...]
    """Sets of these atoms; by a rule of the units or sums, at most one of each can hold."""

    @property
    def rules(self) -> frozenset[int]:
        """The rules of the units and the sums."""
        return frozenset([rule for unit in self.units for rule in unit.rules]).union(one.rule for one in self.sums)

    @property
    def covered(self) -> frozenset[Cell]:
        """The cells of the units."""
        return frozenset().union(*(unit.cells for unit in self.units))

    def table(self, free: Collection[Cell] = ()) -> tuple[DiagramTable, tuple[int, ...]]:
        """Return what the cells force, and their atoms in their order there.

        Args:
            free: cells that may hold several values, or none, as far as the rules used say.
        """
        adds = [(atom, amount) for some in self.choices.values() for atom, amount in some.items()]
        place = {atom: number for number, (atom, _) in enumerate(adds, 1)}
        open_ones = {atom for cell in free for atom in self.choices[cell]}
        sets = [[place[atom] for atom in some - open_ones] for some in self.apart]
        formulas = [
            _at_least(self.total, [(place[atom], amount) for atom, amount in adds]),
            _at_least(-self.total, [(place[atom], -amount) for atom, amount in adds]),
            *(Threshold(len(some) - 1, tuple([(1, -one) for one in some])) for some in sets if len(some) > 1),
        ]
        sizes = [n for cell, some in self.choices.items() for n in ([1] * len(some) if cell in free else [len(some)])]
        return DiagramTable(dict(enumerate(formulas)), [(size, -1) for size in sizes]), tuple(place)

    def can_hold(self, known: Mapping[int, bool], free: Collection[Cell] = ()) -> bool:
        """Return whether the cells can add up to the total, given what is known, or that is too much to ask."""
        table, atoms = self.table(free)
        return table[diagram_state(atoms, known)] is not None


def _at_least(bound: int, adds: Sequence[tuple[int, int]]) -> Formula:
    """Return the formula that what the atoms that hold add is at least a bound."""
    parts = tuple([(abs(amount), atom if amount > 0 else -atom) for atom, amount in adds if amount])
    return simplify(Threshold(bound - sum(min(amount, 0) for _, amount in adds), parts), {})


def spare_of_totals(ground: GroundRules, total: Total) -> list[tuple[list[int], frozenset[int]]]:
    """Return atoms that need not hold, as others of the same value in cells like theirs can; each with rules.

    Cells that are in the same units and sums differ in nothing as long as no rule says that they hold one value. So if
    a value is at most once in them, by one of the rules, it can be taken to be in the first of them. Without that,
    clingo would try all cells of a sum.
    """
    alike: dict[object, list[Cell]] = {}
    for cell in sorted(total.covered.union(*(one.weights for one in total.sums)) - total.weights.keys()):
        inside = [cell in unit.cells for unit in total.units]
        alike.setdefault((*inside, *(one.weights.get(cell) for one in total.sums)), []).append(cell)
    sets = [(rule, ground.rules[rule].atoms) for unit in total.units for rule in unit.rules]
    sets += [
        (one.rule, some)
        for one in total.sums
        for some in atoms_bounded_once(linear_bounds(ground.rules[one.rule].formula))
    ]
    of_cell = ground.once(ground_atoms_by_cell)
    by_value: dict[object, list[int]] = {}
    for key, cells in alike.items():
        for cell in cells:
            for atom in of_cell[cell]:
                by_value.setdefault((key, ground.values[atom]), []).append(atom)
    several = (atoms for atoms in by_value.values() if len(atoms) > 1)
    return [(atoms[1:], frozenset(rule for rule, some in sets if some >= {*atoms})) for atoms in several]


def units_of_totals(ground: GroundRules, once: Collection[int], one_value: Mapping[Cell, int]) -> list[_Unit]:
    """Return the sets of cells that hold each of their numbers once.

    Args:
        ground: the rules.
        once: the rules that demand just one of some atoms.
        one_value: {cell: the rule that it holds one value}
    """
    rules_over: dict[frozenset[Cell], list[int]] = {}
    granted = {*one_value.values()}
    for rule in once:
        if rule not in granted:
            cells = frozenset([ground.cells[atom] for atom in ground.rules[rule].atoms])
            rules_over.setdefault(cells, []).append(rule)
    of_cell = ground.once(ground_atoms_by_cell)
    found = []
    for cells, rules in rules_over.items():
        values = [{ground.values[atom] for atom in ground.rules[rule].atoms} for rule in rules]
        atoms = {atom for cell in cells for atom in of_cell[cell]}
        numbers = [one for some in values for one in some if isinstance(one, int)]
        if len(rules) == len(numbers) == len(cells) and atoms == {a for r in rules for a in ground.rules[r].atoms}:
            found.append(_Unit(cells, sum(numbers), tuple(rules)))
    return found


def sums_of_totals(ground: GroundRules, rules: Collection[int]) -> list[_Sum]:
    """Return those of some rules that say what cells, each with a weight, add up to."""
    return [one for rule in rules if (one := _sum(ground, rule, ground.rules[rule])) is not None]


def _sum(ground: GroundRules, number: int, rule: GroundRule) -> _Sum | None:
    of_cell = ground.once(ground_atoms_by_cell)
    parts = linear_bounds(rule.formula)
    for weights, total in parts:
        if ({atom: -weight for atom, weight in weights.items()}, -total) in parts:
            found: dict[Cell, int] = {}
            for atom, weight in weights.items():
                value = ground.values[atom]
                if not isinstance(value, int) or not value or weight % value:
                    return None
                if found.setdefault(ground.cells[atom], weight // value) != weight // value:
                    return None
            if any(atom not in weights for cell in found for atom in of_cell[cell]):
                return None
            sign = -1 if sum(found.values()) < 0 else 1
            return _Sum(number, {cell: sign * weight for cell, weight in found.items()}, sign * total)
    return None


def totals_of(ground: GroundRules, units: Sequence[_Unit], sums: Sequence[_Sum]) -> list[Total]:
    """Return the totals of few cells: of a unit, or of several that share sums, without sums that are mostly inside."""
    found: dict[object, Total] = {}
    for number in range(1, _MOST_UNITS + 1):
        for some in combinations(units, number):
            cells = frozenset().union(*(unit.cells for unit in some))
            if len(cells) < sum(len(unit.cells) for unit in some):
                continue
            near = [one for one in sums if not cells.isdisjoint(one.weights)]
            joint = [one for one in near if all(map(one.weights.keys().__and__, (unit.cells for unit in some)))]
            if joint:
                for used, weights in _left(cells, near):
                    if number == 1 or any(one in used for one in joint):
                        key = frozenset(weights.items())
                        found.setdefault(key, _total(ground, some, used, weights))
    return [*found.values()]


def _left(cells: Collection[Cell], sums: Sequence[_Sum]) -> Iterator[tuple[list[_Sum], dict[Cell, int]]]:
    """Yield the sums to take away from some cells, and what is left: those inside, and those that reach out as well."""
    inside = [one for one in sums if one.weights.keys() <= {*cells}]
    for some in ([*inside, *(one for one in sums if one not in inside)], inside):
        left = Counter(cells)
        used: list[_Sum] = []
        for one in some:
            rest = {cell: left[cell] - one.weights.get(cell, 0) for cell in {*left, *one.weights}}
            fewer = sum(map(bool, rest.values())) < sum(map(bool, left.values()))
            if fewer:
                left, used = Counter({cell: weight for cell, weight in rest.items() if weight}), [*used, one]
        mixed = len({weight > 0 for weight in left.values()}) > 1
        if used and 0 < len(left) <= (_MOST_COMPARED if mixed else _MOST_LEFT):
            yield used, dict(sorted(left.items()))


def _total(ground: GroundRules, units: Sequence[_Unit], sums: Sequence[_Sum], weights: Mapping[Cell, int]) -> Total:
    of_cell, values = ground.once(ground_atoms_by_cell), ground.values
    choices = {
        cell: {atom: weight * v for atom in of_cell[cell] if isinstance(v := values[atom], int)}
        for cell, weight in weights.items()
    }
    every = frozenset(atom for choice in choices.values() for atom in choice)
    sets = [ground.rules[rule].atoms for unit in units for rule in unit.rules]
    sets += [one for some in sums for one in atoms_bounded_once(linear_bounds(ground.rules[some.rule].formula))]
    apart = tuple(both for one in sets if len(both := every & one) > 1)
    total = sum(unit.total for unit in units) - sum(one.total for one in sums)
    return Total(tuple(units), tuple(sums), weights, total, choices, apart)
