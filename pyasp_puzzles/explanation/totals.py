"""Sums: totals of few cells that follow from units and other sums, and bounds of the candidates of cells.

Left    {3, 4, 5} of 1 to 5: "at least 3"
Linear  ({5: 1, 6: 2, 9: -1}, 3): the weights of the atoms that hold add up to 3 or more
Unit    cells that hold each of some numbers once, with the rules that say so: their total is known
Sum     a rule that weights of cells add up to a number: a cage, an arrow
Total   Total({(1, 9): 1}, 4, ...): row 1 without its cages; what is left, each cell with its weight, adds up to 4

Units and sums are equations over the atoms of cells, so units minus sums are equations, too, whatever the rules are
about: the 45 rule of a killer Sudoku is one.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, cast

from pyasp_puzzles.boards.spans import marked_value
from pyasp_puzzles.errors import first_listed, listing
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.queries.diagrams import DiagramTable
from pyasp_puzzles.queries.formulas import Threshold, atoms_state, simplify
from pyasp_puzzles.queries.ground_rules import ground_atoms_by_cell

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.queries.formulas import Formula
    from pyasp_puzzles.queries.ground_rules import GroundRule, GroundRules

# -- Bounds of the candidates of cells -----------------------------------------------------------------------------

# Of more numbers left in a cell, a sentence states the bounds.
_MOST_LEFT_LISTED = 3
# A line of at least this many cells may alternate between two things.
_FEWEST_BY_TURNS = 4
# At most this many choices of numbers are tried for a sum, which takes some milliseconds.
_MOST_SUMS_TRIED = 3000
# Of more combinations that add up to a sum, a sentence lists none.
_MOST_COMBINATIONS = 3

_Linear = tuple["dict[int, int]", int]


def bound_words(every: Mapping[int, str], out: Collection[int], stated: Collection[int] = ()) -> str:
    """Return what a number is, marked, if it is one of `every` and none of `out`: "3 or 4", "at least 3", "not 5".

    Args:
        every: all numbers that there are, with their names, "3" or "A"; bounds are stated only of digits.
        out: those that are ruled out, at least one.
        stated: those of `out` to state if the others are known already; all if there are none.
    """
    left = sorted(set(every) - set(out))
    if not left:
        return ""
    if len(left) == 1 or (len(left) <= _MOST_LEFT_LISTED and len(out) >= len(left)):
        return listing(map(marked_value, map(every.__getitem__, left)))
    first, last = left[0], left[-1]
    if len(left) == last - first + 1 and all(name == str(number) for number, name in every.items()):
        least, most = marked_value(str(first)), marked_value(str(last))
        if last == max(every) or (stated and max(stated) < first):
            return f"at least {least}"
        return f"at most {most}" if first == min(every) or (stated and min(stated) > last) else f"{least} to {most}"
    if len(left) < len(stated or out):
        return listing(map(marked_value, map(every.__getitem__, left)))
    ruled_out = map(every.__getitem__, sorted(stated or out))
    return f"not {listing(map(marked_value, first_listed(ruled_out, Limits.MOST_VALUES)))}"


def bounds_in_turn(left: Sequence[Collection[int]], stated: Sequence[Collection[int]], every: Mapping[int, str]) -> str:
    """Return what the cells of a line are if that rises, falls or alternates along it: "at least 1, 2 and 3"; else "".

    Args:
        left: the numbers left in each cell, at least one.
        stated: the numbers that are ruled out in each cell, which the bounds are to state.
        every: all numbers that there are.
    """
    if len(left) >= _FEWEST_BY_TURNS and left[0] != left[1] and all(left[i] == left[i % 2] for i in range(len(left))):
        texts = [bound_words(every, {*every}.difference(numbers)) for numbers in left[:2]]
        return f"by turns {(', and ' if ' or ' in ' '.join(texts) else ' and ').join(texts)}"
    lows, highs = ([end(numbers) for numbers in left] for end in (min, max))
    out = [(number, low, high) for low, high, numbers in zip(lows, highs, stated, strict=True) for number in numbers]
    bent = any(ends not in (sorted(ends), sorted(ends, reverse=True)) for ends in (lows, highs))
    if bent or any(low < number < high for number, low, high in out):
        return ""
    if lows == highs:
        return listing(map(marked_value, map(str, lows)), "and")
    below, above = any(number < low for number, low, _ in out), any(number > high for number, _, high in out)
    bounds = [("at least", lows)] * below + [("at most", highs)] * above
    return ", and ".join(f"{text} {listing(map(marked_value, map(str, ends)), 'and')}" for text, ends in bounds)


def linear_bounds(formula: Formula) -> list[_Linear]:
    """Return the parts of a formula that compare a weighted sum of literals with a bound."""
    if not isinstance(formula, Threshold):
        return []
    literals = [
        (weight, part) for weight, part in formula.parts if isinstance(part, int) and not isinstance(part, bool)
    ]
    if len(literals) == len(formula.parts):
        weights: dict[int, int] = {}
        bound = formula.bound
        for weight, literal in literals:
            weights[abs(literal)] = weights.get(abs(literal), 0) + (weight if literal > 0 else -weight)
            bound -= weight if literal < 0 else 0
        return [(weights, bound)]
    if formula.bound < sum(weight for weight, _ in formula.parts):
        return []
    return [bounds for _, part in formula.parts for bounds in linear_bounds(part)]


def atoms_bounded_once(parts: Iterable[_Linear]) -> list[frozenset[int]]:
    """Return the sets of atoms of each of which a formula allows one: a cage without repeats has each number once."""
    return [frozenset(weights) for weights, bound in parts if bound == -1 and {*weights.values()} == {-1}]


def combinations_in_bounds(
    board: GroundRules, formula: Formula, left: Mapping[Cell, Collection[int]], apart: Sequence[Collection[int]]
) -> list[tuple[int, ...]]:
    """Return what the open cells of a sum may hold, each combination sorted; nothing if it is no sum, or for many.

    Args:
        board: the rules of the board.
        formula: the formula of the sum.
        left: {cell: the atoms that are left}; a cell with several is open.
        apart: sets of atoms; at most one of each can hold.
    """
    parts = linear_bounds(formula)
    totals = (
        total
        for weights, total in parts
        if ({atom: -weight for atom, weight in weights.items()}, -total) in parts
        and all(weight == board.values.get(atom) for atom, weight in weights.items())
        and weights.keys() >= {atom for atoms in left.values() for atom in atoms}
    )
    total = next(totals, None)
    if total is None:
        return []
    choices = [{atom: cast("int", board.values[atom]) for atom in atoms} for atoms in left.values()]
    options: set[tuple[int, ...]] = set()
    for chosen in choices_in_bounds(choices, [*apart, *atoms_bounded_once(parts)], total, total):
        if not chosen:
            return []
        numbers = (choice[atom] for choice, atom in zip(choices, chosen, strict=True) if len(choice) > 1)
        options.add(tuple(sorted(numbers)))
        if len(options) > _MOST_COMBINATIONS:
            return []
    return sorted(options)


def choices_in_bounds(
    choices: Sequence[Mapping[int, int]], apart: Iterable[Collection[int]], low: float, high: float
) -> Iterator[tuple[int, ...]]:
    """Yield atoms, one of each choice, no two of them in one set of `apart`, whose weights add up to `low` to `high`.

    If there are too many to try, or a choice has none, the last one is empty.

    Args:
        choices: for each cell {atom: its weight}.
        apart: sets of atoms; at most one of each can hold.
        low: the least sum.
        high: the largest sum.
    """
    sets_of: dict[int, list[int]] = {}
    for number, atoms in enumerate(apart):
        for atom in atoms:
            sets_of.setdefault(atom, []).append(number)
    # What the choices from each on add up to at least and at most.
    ends = [
        [sum(end(choice.values()) for choice in choices[i:] if choice) for end in (min, max)]
        for i in range(len(choices) + 1)
    ]
    waiting: list[tuple[int, tuple[int, ...], frozenset[int]]] = [(0, (), frozenset())] if all(choices) else []
    for _ in range(_MOST_SUMS_TRIED):
        if not waiting:
            break
        total, chosen, taken = waiting.pop()
        least, most = ends[len(chosen)]
        if low - most <= total <= high - least:
            if len(chosen) == len(choices):
                yield chosen
                continue
            for atom, weight in sorted(choices[len(chosen)].items(), key=lambda item: item[1]):  # tried from the last
                if taken.isdisjoint(sets := sets_of.get(atom, ())):
                    waiting.append((total + weight, (*chosen, atom), taken.union(sets)))
    if waiting or not all(choices):
        yield ()


# -- Totals --------------------------------------------------------------------------------------------------------

# Cells of a total; with four, killers took a fifth longer, and had more steps that say little.
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
    """The difference of units and sums: cells that add up to a number."""

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
        return frozenset([rule for unit in self.units for rule in unit.rules]).union(
            equation.rule for equation in self.sums
        )

    @property
    def covered(self) -> frozenset[Cell]:
        """The cells of the units."""
        return frozenset().union(*(unit.cells for unit in self.units))

    def table(self, free: Collection[Cell] = ()) -> tuple[DiagramTable, tuple[int, ...]]:
        """Return the table of what the cells force, and its atoms in their order there.

        Args:
            free: cells that may hold several values, or none, as far as the rules used say.
        """
        adds = [(atom, amount) for choice in self.choices.values() for atom, amount in choice.items()]
        place = {atom: number for number, (atom, _) in enumerate(adds, 1)}
        open_ones = {atom for cell in free for atom in self.choices[cell]}
        sets = [[place[atom] for atom in atoms - open_ones] for atoms in self.apart]
        formulas = [
            _at_least(self.total, [(place[atom], amount) for atom, amount in adds]),
            _at_least(-self.total, [(place[atom], -amount) for atom, amount in adds]),
            *(
                Threshold(len(numbers) - 1, tuple([(1, -number) for number in numbers]))
                for numbers in sets
                if len(numbers) > 1
            ),
        ]
        sizes = [
            n for cell, choice in self.choices.items() for n in ([1] * len(choice) if cell in free else [len(choice)])
        ]
        return DiagramTable(dict(enumerate(formulas)), [(size, -1) for size in sizes]), tuple(place)

    def can_hold(self, known: Mapping[int, bool], free: Collection[Cell] = ()) -> bool:
        """Return whether the cells can add up to the total, given known atoms; True if that takes too many states."""
        table, atoms = self.table(free)
        return table[atoms_state(atoms, known)] is not None


def _at_least(bound: int, adds: Sequence[tuple[int, int]]) -> Formula:
    """Return the formula that the amounts of the atoms that hold add up to a bound or more."""
    parts = tuple([(abs(amount), atom if amount > 0 else -atom) for atom, amount in adds if amount])
    return simplify(Threshold(bound - sum(min(amount, 0) for _, amount in adds), parts), {})


def spare_of_totals(ground: GroundRules, total: Total) -> list[tuple[list[int], frozenset[int]]]:
    """Return [(atoms that can be assumed not to hold, the rules each of which allows this)]: it breaks symmetries.

    Cells in the same units and sums are interchangeable as long as no one-value rule is about them. So if a value is at
    most once in them, by one of the rules, it can be assumed to be in the first of them. Without that, clingo would try
    all cells of a sum.
    """
    alike: dict[object, list[Cell]] = {}
    for cell in sorted(total.covered.union(*(equation.weights for equation in total.sums)) - total.weights.keys()):
        inside = [cell in unit.cells for unit in total.units]
        alike.setdefault((*inside, *(equation.weights.get(cell) for equation in total.sums)), []).append(cell)
    sets = [(rule, ground.rules[rule].atoms) for unit in total.units for rule in unit.rules]
    sets += [
        (equation.rule, atoms_once)
        for equation in total.sums
        for atoms_once in atoms_bounded_once(linear_bounds(ground.rules[equation.rule].formula))
    ]
    of_cell = ground.once(ground_atoms_by_cell)
    by_value: dict[object, list[int]] = {}
    for key, cells in alike.items():
        for cell in cells:
            for atom in of_cell[cell]:
                by_value.setdefault((key, ground.values[atom]), []).append(atom)
    several = (atoms for atoms in by_value.values() if len(atoms) > 1)
    return [(atoms[1:], frozenset(rule for rule, atoms_once in sets if atoms_once >= {*atoms})) for atoms in several]


def units_of_totals(ground: GroundRules, once: Collection[int], one_value: Mapping[Cell, int]) -> list[_Unit]:
    """Return the sets of cells that hold each of their numbers once.

    Args:
        ground: the rules.
        once: the rules that demand just one of some atoms.
        one_value: {cell: its one-value rule}
    """
    rules_over: dict[frozenset[Cell], list[int]] = {}
    granted = {*one_value.values()}
    for rule in once:
        if rule not in granted:
            cells = frozenset([ground.cells[atom] for atom in ground.rules[rule].atoms])
            rules_over.setdefault(cells, []).append(rule)
    of_cell = ground.once(ground_atoms_by_cell)
    units = []
    for cells, rules in rules_over.items():
        values = [{ground.values[atom] for atom in ground.rules[rule].atoms} for rule in rules]
        atoms = {atom for cell in cells for atom in of_cell[cell]}
        numbers = [value for rule_values in values for value in rule_values if isinstance(value, int)]
        if len(rules) == len(numbers) == len(cells) and atoms == {a for r in rules for a in ground.rules[r].atoms}:
            units.append(_Unit(cells, sum(numbers), tuple(rules)))
    return units


def sums_of_totals(ground: GroundRules, rules: Collection[int]) -> list[_Sum]:
    """Return those of some rules that say what cells, each with a weight, add up to."""
    return [equation for rule in rules if (equation := _sum(ground, rule, ground.rules[rule])) is not None]


def _sum(ground: GroundRules, number: int, rule: GroundRule) -> _Sum | None:
    of_cell = ground.once(ground_atoms_by_cell)
    parts = linear_bounds(rule.formula)
    for weights, total in parts:
        if ({atom: -weight for atom, weight in weights.items()}, -total) in parts:
            weight_of: dict[Cell, int] = {}
            for atom, weight in weights.items():
                value = ground.values.get(atom)
                if not isinstance(value, int) or not value or weight % value:
                    return None
                if weight_of.setdefault(ground.cells[atom], weight // value) != weight // value:
                    return None
            if any(atom not in weights for cell in weight_of for atom in of_cell[cell]):
                return None
            sign = -1 if sum(weight_of.values()) < 0 else 1
            return _Sum(number, {cell: sign * weight for cell, weight in weight_of.items()}, sign * total)
    return None


def totals_of(ground: GroundRules, units: Sequence[_Unit], sums: Sequence[_Sum]) -> list[Total]:
    """Return the totals of few cells: of a unit, or of several that share sums, without sums that are mostly inside."""
    totals: dict[object, Total] = {}
    for number in range(1, _MOST_UNITS + 1):
        for chosen in combinations(units, number):
            cells = frozenset().union(*(unit.cells for unit in chosen))
            if len(cells) < sum(len(unit.cells) for unit in chosen):
                continue
            near = [equation for equation in sums if not cells.isdisjoint(equation.weights)]
            joint = [
                equation
                for equation in near
                if all(map(equation.weights.keys().__and__, (unit.cells for unit in chosen)))
            ]
            if joint:
                for used, weights in _left(cells, near):
                    if number == 1 or any(equation in used for equation in joint):
                        key = frozenset(weights.items())
                        totals.setdefault(key, _total(ground, chosen, used, weights))
    return [*totals.values()]


def _left(cells: Collection[Cell], sums: Sequence[_Sum]) -> Iterator[tuple[list[_Sum], dict[Cell, int]]]:
    """Yield (the sums to subtract, {cell: weight} of the difference): of all sums, and of those inside the cells."""
    inside = [equation for equation in sums if equation.weights.keys() <= {*cells}]
    for order in ([*inside, *(equation for equation in sums if equation not in inside)], inside):
        left = Counter(cells)
        used: list[_Sum] = []
        for equation in order:
            rest = {cell: left[cell] - equation.weights.get(cell, 0) for cell in {*left, *equation.weights}}
            fewer = sum(map(bool, rest.values())) < sum(map(bool, left.values()))
            if fewer:
                left, used = Counter({cell: weight for cell, weight in rest.items() if weight}), [*used, equation]
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
    sets += [
        atoms for equation in sums for atoms in atoms_bounded_once(linear_bounds(ground.rules[equation.rule].formula))
    ]
    apart = tuple(both for atoms in sets if len(both := every & atoms) > 1)
    total = sum(unit.total for unit in units) - sum(equation.total for equation in sums)
    return Total(tuple(units), tuple(sums), weights, total, choices, apart)
