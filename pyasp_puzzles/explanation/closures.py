"""What one rule forces together with rules that go without saying: each cell holds one value, no value is there twice.

Closure   a rule, those of its companions that it needs, and the cells whose knowledge forces some literals
Companion a rule about one cell, "the cell holds one of these", or one that allows a value once: "once in row 2"

People take such rules for granted: "17 in two cells is 8 and 9" rests on three rules, the sum and one for each cell.
Companions are recognised by the shape of their formulas, so this knows no puzzle. A rule has companions only where it
is about several values of a cell: rules of a Sudoku that are about one number have none.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cores import minimal_core
from pyasp_puzzles.asp.settings import DEFAULT
from pyasp_puzzles.explanation.ground_rules import FormulaSearch, Shape, consequences_of, literals, shape_of
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.ground_rules import Formula, GroundRules


class Closure(NamedTuple):
    """Rules and cells, none of which can be left out, and the literals that they force; none for a contradiction."""

    rules: tuple[int, ...]
    cells: tuple[Cell, ...]
    conclusions: tuple[int, ...]


class Closures:
    """The rules of a board, each with its companions.

    Args:
        ground: the rules of the board.
        check: raises OutOfTime when time is up.
    """

    def __init__(self, ground: GroundRules, check: Callable[[], None]) -> None:
        self._ground, self._check = ground, check
        self.cell_rules: dict[Cell, int] = {}
        """{cell: the rule that it holds one value}"""
        # {atom: the rules that allow at most one of their atoms, which are all about different cells}
        self._once: dict[int, list[int]] = {}
        self._recognise()
        self.granted = frozenset(self.cell_rules.values())
        """The rules that a cell holds one value."""
        # {rule: its companions, first those about its cells}
        self._companions: dict[int, tuple[list[int], list[int]]] = {}
        self._with_companions: list[tuple[int, set[Cell]]] | None = None
        self._large: dict[int, bool] = {}
        self._alone: dict[int, FormulaSearch] = {}
        self._searches: dict[tuple[int, bool], FormulaSearch] = {}

    def _recognise(self) -> None:
        """Find the rules that go without saying."""
        of_cell: dict[Cell, set[int]] = {}
        for atom, cell in self._ground.cells.items():
            of_cell.setdefault(cell, set()).add(atom)
        for number, rule in enumerate(self._ground.rules):
            cells = {self._ground.cells[atom] for atom in rule.atoms}
            if len(cells) == 1 < len(rule.atoms) and rule.atoms == of_cell[min(cells)]:
                if _exactly_one(rule.formula, rule.atoms):
                    self.cell_rules[min(cells)] = number
            elif len(cells) == len(rule.atoms) > 1 and _at_most_one(rule.formula, rule.atoms):
                for atom in rule.atoms:
                    self._once.setdefault(atom, []).append(number)

    def is_large(self, rule: int) -> bool:
        """Return whether a rule has companions and a large formula, whose consequences only `find` and `alone` find."""
        found = self._large.get(rule)
        if found is None:
            size = sum(1 for _ in literals(self._ground.rules[rule].formula))
            found = self._large[rule] = size > Limits.MOST_LITERALS_OF_SHAPE and bool(self.companions(rule)[0])
        return found

    def alone(self, rule: int, literal: int) -> set[int]:
        """Return the literals that a rule forces without companions if a literal holds, and nothing else is known."""
        if rule not in self._alone:
            one = self._ground.rules[rule]
            self._alone[rule] = FormulaSearch({one.guard: one.formula}, DEFAULT)
        atoms = self._ground.rules[rule].atoms - {abs(literal)}
        found = self._alone[rule].forced([self._guard(rule), literal], sorted(atoms), Limits.MOST_CONFLICTS_OF_CLOSURE)
        return found or set()

    def companions(self, rule: int) -> tuple[list[int], list[int]]:
        """Return the rules about the cells of a rule, and those that allow a value of them once."""
        found = self._companions.get(rule)
        if found is None:
            found = self._companions[rule] = self._find_companions(rule)
        return found

    def all_companions(self, rule: int) -> frozenset[int]:
        """Return all companions of a rule."""
        of_cells, of_values = self.companions(rule)
        return frozenset(of_cells).union(of_values)

    def main_of(self, rules: Sequence[int]) -> int | None:
        """Return the rule whose companions all others are; None if there is none."""
        found = [rule for rule in rules if self.companions(rule)[0]]
        return found[0] if len(found) == 1 and set(rules) <= {found[0], *self.all_companions(found[0])} else None

    def rules_with_companions(self) -> list[tuple[int, set[Cell]]]:
        """Return the rules that have companions, each with the cells that it is about."""
        if self._with_companions is None:
            self._with_companions = [
                (number, {self._ground.cells[atom] for atom in rule.atoms})
                for number, rule in enumerate(self._ground.rules if self.cell_rules else ())
                if self.companions(number)[0]
            ]
        return self._with_companions

    def _find_companions(self, rule: int) -> tuple[list[int], list[int]]:
        atoms = self._ground.rules[rule].atoms
        number: dict[Cell, int] = {}
        for atom in atoms:
            cell = self._ground.cells[atom]
            number[cell] = number.get(cell, 0) + 1
        cells = [self.cell_rules[cell] for cell in sorted(number) if number[cell] > 1 and cell in self.cell_rules]
        if not cells or rule in cells:
            return [], []
        shared: dict[int, int] = {}
        for atom in atoms:
            for other in self._once.get(atom, ()):
                shared[other] = shared.get(other, 0) + 1
        return cells, sorted(other for other, atoms in shared.items() if atoms > 1 and other != rule)

    def find(self, rule: int, known: Mapping[int, bool], *, once: bool = False) -> list[Closure]:
        """Return what a rule and its companions force, given what is known.

        Args:
            rule: the number of the rule.
            known: the atoms whose truth is known.
            once: whether the companions that allow a value once take part.

        Raises:
            OutOfTime: time ran out.
        """
        of_cells, of_values = self.companions(rule)
        if not of_cells or (once and not of_values):
            return []
        rules = [rule, *of_cells, *(of_values if once else ())]
        search = self._search(rule, rules, once=once)
        atoms = {atom for number in (rule, *of_cells) for atom in self._ground.rules[number].atoms}
        open_atoms = [atom for atom in atoms if atom not in known]
        parts: dict[Cell, list[int]] = {}
        for atom in atoms & known.keys():
            parts.setdefault(self._ground.cells[atom], []).append(atom if known[atom] else -atom)
        everything = [literal for some in parts.values() for literal in some]
        guards = {self._guard(number): number for number in rules}
        forced = search.forced([*everything, *guards], open_atoms, Limits.MOST_CONFLICTS_OF_CLOSURE)
        groups: dict[tuple[tuple[int, ...], tuple[Cell, ...]], list[int]] = {}
        for literal in [None] if forced is None else sorted(forced):
            self._check()
            needed = self._needed(search, literal, guards, parts)
            groups.setdefault(needed, []).extend([] if literal is None else [literal])
        return [Closure(*needed, tuple(found)) for needed, found in groups.items()]

    def _guard(self, rule: int) -> int:
        return self._ground.rules[rule].guard

    def _search(self, rule: int, rules: Sequence[int], *, once: bool) -> FormulaSearch:
        found = self._searches.get((rule, once))
        if found is None:
            formulas = {self._guard(number): self._ground.rules[number].formula for number in rules}
            found = self._searches[rule, once] = FormulaSearch(formulas, DEFAULT)
        return found

    def _needed(
        self,
        search: FormulaSearch,
        literal: int | None,
        guards: Mapping[int, int],
        parts: Mapping[Cell, Sequence[int]],
    ) -> tuple[tuple[int, ...], tuple[Cell, ...]]:
        """Return a minimal set of the rules, and then one of the cells, that force a literal."""
        negation = [] if literal is None else [-literal]
        cell_of = {part: cell for cell, some in parts.items() for part in some}

        def core(rules: Iterable[int], cells: Iterable[Cell]) -> tuple[list[int], list[Cell]] | None:
            known = (part for cell in cells for part in parts[cell])
            found = search.refute([*negation, *rules, *known], Limits.MOST_CONFLICTS_OF_CLOSURE)
            if found is None:
                return None
            return [one for one in found if one in guards], sorted({cell_of[one] for one in found if one in cell_of})

        def core_rules(rest: list[int]) -> list[int] | None:
            found = core(rest, parts)
            return found and found[0]

        def core_cells(rest: list[Cell]) -> list[Cell] | None:
            found = core(minimal, rest)
            return found and found[1]

        first = core(guards, parts)
        minimal = minimal_core([guard for guard in guards if first is None or guard in first[0]], core_rules)
        cells = minimal_core(core_cells(sorted(parts)) or sorted(parts), core_cells)
        return tuple(sorted(guards[guard] for guard in minimal)), tuple(cells)


def _exactly_one(formula: Formula, atoms: Collection[int]) -> bool:
    """Return whether a formula demands just one of these atoms."""
    return {abs(literal) for literal in literals(formula)} == atoms and _demands(shape_of(formula))[0]


def _at_most_one(formula: Formula, atoms: Collection[int]) -> bool:
    """Return whether a formula allows each of these atoms alone, and no two of them."""
    return {abs(literal) for literal in literals(formula)} == atoms and _demands(shape_of(formula))[1]


@lru_cache(maxsize=Limits.MOST_SHAPES)
def _demands(shape: Shape) -> tuple[bool, bool]:
    """Return whether a shape demands just one of its atoms, and whether it allows each alone, and no two of them."""
    atoms = {abs(literal) for literal in literals(shape.formula)}
    out = frozenset(-atom for atom in atoms)
    once = all(consequences_of(shape.formula, {atom: True}) == out - {-atom} for atom in atoms)
    return once and consequences_of(shape.formula, dict.fromkeys(atoms, False)) is None, once
