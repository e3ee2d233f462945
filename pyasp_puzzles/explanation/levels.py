"""Level-by-level propagation: each level is what single rules force, given the levels before it.

Derivation           derived literals, each with its inference, and the proof of any of them
Part            a propagator: a rule, or one of the conditions that a large rule demands together
_SumTable       the propagator of a condition that compares a sum with a bound
KnownLevels     the known atoms of a board, and the state of each part
LevelInference  LevelInference((7,), (15, -16), (0, 2)): rule 7 forces two literals, by supposition and inference 2;
Levels          the literals derived, level by level

The state of a part is a number with two bits for each atom: 0b01 if it holds, 0b10 if it does not, 0 if it is unknown.
So learning an atom is an addition, and what a part forces is looked up in its table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from pyasp_puzzles.asp.cores import minimal_subset
from pyasp_puzzles.explanation.groups import RuleGroups
from pyasp_puzzles.queries.diagrams import DiagramTable
from pyasp_puzzles.queries.formulas import (
    ConsequenceTable,
    Threshold,
    atoms_state,
    certain_formula_literals,
    formula_conditions,
    formula_literals,
    formula_shape,
    simplify,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Mapping

    from pyasp_puzzles.explanation.global_rules import GlobalRule
    from pyasp_puzzles.queries.formulas import Formula, FormulaShape
    from pyasp_puzzles.queries.ground_rules import GroundRules

# -- Derivation ----------------------------------------------------------------------------------------------------

_Inference = TypeVar("_Inference")


class Derivation(Generic[_Inference]):
    """Derived literals, each with the inference that derived it first.

    Args:
        supposed: a literal that is supposed; as an inference, it has the number 0.
    """

    def __init__(self, supposed: int | None = None) -> None:
        self.inferences: list[_Inference] = []
        """The inferences, numbered from 1, each after those that it depends on."""
        self.derived: dict[int, bool] = {}
        """{derived atom: whether it holds}"""
        self.source: dict[int, int] = {}
        """{derived atom: the number of its inference}"""
        if supposed is not None:
            self.derived[abs(supposed)], self.source[abs(supposed)] = supposed > 0, 0

    def add_inference(self, inference: _Inference, literals: Iterable[int]) -> None:
        """Add an inference and the literals that it derives."""
        self.inferences.append(inference)
        for literal in literals:
            self.derived[abs(literal)], self.source[abs(literal)] = literal > 0, len(self.inferences)

    def drop(self, atom: int) -> None:
        """Remove an atom from the derived ones, if it is one: it is known without an inference."""
        self.derived.pop(atom, None)
        self.source.pop(atom, None)

    def inference(self, atom: int) -> _Inference:
        """Return the inference that derived an atom."""
        return self.inferences[self.source[atom] - 1]

    def trace(self, used: dict[int, set[int]], needs: Callable[[int, set[int]], Iterable[int]]) -> dict[int, list[int]]:
        """Return the proof of `used`, {inference: those that it depends on}, and add what these use to `used`.

        Args:
            used: {number of an inference: those of its literals that are used}.
            needs: returns the derived atoms that an inference needs for some of its literals.
        """
        rests_on: dict[int, list[int]] = {}
        for number in range(max(used, default=0), 0, -1):
            if number in used:
                rests_on[number] = self.use(needs(number, used[number]), used)
        return rests_on

    def use(self, atoms: Iterable[int], used: dict[int, set[int]]) -> list[int]:
        """Add derived atoms to `used`, under their inferences; return the numbers of these, sorted."""
        sources = set()
        for atom in atoms:
            sources.add(self.source[atom])
            used.setdefault(self.source[atom], set()).add(atom if self.derived[atom] else -atom)
        return sorted(sources)


# -- Levels --------------------------------------------------------------------------------------------------------

# A rule with more atoms is propagated condition by condition: most of its states would not be in a table yet.
MOST_ATOMS = 12


class LevelInference(NamedTuple):
    """The literals that rules force, given known atoms and earlier inferences."""

    rules: tuple[int, ...]
    """One rule, by index, with the one-value rules that it assumes; at the end of a chain, rules that contradict."""
    literals: tuple[int, ...]
    """The derived literals; none at the end of a chain."""
    rests_on: tuple[int, ...] = ()
    """The numbers of the inferences that it depends on, counted from 1; 0 is the supposition."""


class _Adds(NamedTuple):
    """What a cell adds to a sum at most, given its state."""

    most: int
    needed: int
    """The bits of the state that rule out more."""
    options: tuple[tuple[int, int], ...]
    """(amount, literal): the literal is forced if the sum has less than the amount to spare."""
    largest: int
    """The largest of these amounts."""


class _AddendTable(dict[int, _Adds]):
    """What a cell adds to a sum, by the state of its atoms 1, 2, 3 and so on.

    Args:
        terms: for some literals, what each adds.
        amounts: for each atom, what the cell adds if just that atom holds; None if several may hold.
    """

    def __init__(self, terms: tuple[tuple[int, int], ...], amounts: tuple[int, ...] | None) -> None:
        super().__init__()
        self._terms, self._amounts = terms, amounts

    def __missing__(self, state: int) -> _Adds:
        """Compute what a cell adds in a state."""
        needed, most, options = 0, 0, []
        if self._amounts is None:
            for weight, literal in self._terms:
                bits = state & 3 << 2 * (abs(literal) - 1)
                if bits and (bits == 1 << 2 * (abs(literal) - 1)) is not (literal > 0):
                    needed |= bits
                else:
                    most += weight
                    options += [] if bits else [(weight, literal)]
        else:
            every = [(amount, place, state >> 2 * place & 3) for place, amount in enumerate(self._amounts)]
            held = [(amount, place) for amount, place, bits in every if bits == 1][:1]
            left = [amount for amount, _, bits in every if not bits]
            most = held[0][0] if held else max(left, default=min(self._amounts))
            above = [place for amount, place, bits in every if bits == 2 and amount > most]
            needed = sum(1 << 2 * place for _, place in held) or sum(2 << 2 * place for place in above)
            options = [(most - amount, -1 - place) for amount, place, bits in every if not bits]
        self[state] = adds = _Adds(most, needed, tuple(options), max((amount for amount, _ in options), default=0))
        return adds


class _Addend(NamedTuple):
    """A cell of a sum."""

    shift: int
    mask: int
    """Where its atoms are in the state of the sum."""
    one_value: int
    """Its one-value rule, by index; -1 if there is none."""
    granted: _AddendTable
    """What it adds if that rule is assumed."""
    alone: _AddendTable
    """What it adds if it is not."""


class _SumTable(ConsequenceTable):
    """The propagator of a lower bound of a sum; it adds up what each cell adds at most.

    Args:
        bound: what the cells add up to at least.
        addends: the cells.
        granted: the one-value rules that it may assume; all if None.
    """

    def __init__(self, bound: int, addends: tuple[_Addend, ...], granted: Container[int] | None = None) -> None:
        super().__init__(lambda _: None)
        self._bound, self._addends = bound, addends
        every = (addend.one_value for addend in addends if addend.one_value >= 0)
        self.used = tuple(rule for rule in every if granted is None or rule in granted)
        """The one-value rules that it assumes, by index."""
        self._tables = [
            (addend.shift, addend.mask, addend.granted if addend.one_value in self.used else addend.alone)
            for addend in addends
        ]

    def __getitem__(self, state: int) -> tuple[int, ...] | None:
        """Return what a state forces; nothing is cached, as most states are new."""
        spare, largest = -self._bound, 0
        for shift, mask, table in self._tables:
            adds = table[state >> shift & mask]
            spare += adds.most
            largest = max(adds.largest, largest)
        if spare < 0:
            return None
        forced = []
        for shift, mask, table in self._tables if largest > spare else ():
            for amount, literal in table[state >> shift & mask].options:
                if amount > spare:
                    forced.append(literal + shift // 2 if literal > 0 else literal - shift // 2)
        return tuple(forced)

    def needed(self, state: int, parts: tuple[int, ...], forced: tuple[int, ...] | None) -> tuple[int, ...]:
        """Return those of the parts of a state that keep cells from adding more."""
        del forced
        state += sum(parts)
        every = sum(table[state >> shift & mask].needed << shift for shift, mask, table in self._tables)
        return tuple(part for part in parts if part & every)

    def granting(self, granted: Container[int] | None) -> _SumTable:
        """Return the same propagator, which assumes only these one-value rules; itself if None."""
        return self if granted is None else _SumTable(self._bound, self._addends, granted)


class _Parts:
    """The parts of the rules of a layout: their propagators.

    Args:
        ground: the rules.
        split: whether large rules are propagated condition by condition, which is quick and incomplete.
    """

    def __init__(self, ground: GroundRules, *, split: bool) -> None:
        self.rule: list[int] = []
        """The rule of each part."""
        self.atoms: list[tuple[int, ...]] = []
        """The atoms of each part."""
        self.tables: list[ConsequenceTable | None] = []
        """The table of each part that has one."""
        self.places: dict[int, dict[int, int]] = {}
        """{literal: {part with which it may force something: the bits that it adds to its state}}"""
        self._of_rule: list[tuple[int, ...]] = []
        self.symbols = None if split else ground.symbols
        """The atoms that may be derived; all if None."""
        self.cells = ground.cells
        self.ground = ground
        self._addends: dict[tuple[tuple[tuple[int, int], ...], tuple[int, ...] | None], _AddendTable] = {}
        # {shape: what its bounds alone force}
        self._certain: dict[FormulaShape, ConsequenceTable] = {}
        self._groups = ground.once(RuleGroups)
        self.first_new = 1 + max(
            (abs(literal) for rule in ground.rules for literal in (*formula_literals(rule.formula), *rule.atoms)),
            default=0,
        )
        """The first number of auxiliary atoms, which stand for conditions within conditions."""
        self.new: set[int] = set()
        """The parts that have an auxiliary atom."""
        self._last_new = self.first_new - 1
        # {(rule, condition): the auxiliary atom that demands it}
        self._new: dict[tuple[int, Formula], int] = {}
        for number, rule in enumerate(ground.rules):
            first = len(self.rule)
            if not split:
                if rule.is_global:
                    self._add(number, tuple(sorted(rule.atoms)), None)
                elif len(rule.atoms) > MOST_ATOMS:
                    table, atoms = self._groups.table_of([number])
                    self._add(number, atoms, table)
                else:
                    self._add_formula(number, rule.formula, complete=True)
            elif rule.is_global:
                pass
            elif len(rule.atoms) <= MOST_ATOMS and number not in self._groups.large:
                self._add_formula(number, rule.formula, complete=True)
            else:
                self._add_conditions(number, rule.formula)
            self._of_rule.append(tuple(range(first, len(self.rule))))

    def parts_of(self, rule: int) -> tuple[int, ...]:
        """Return the parts of a rule; none of a clue that is known, where boards share the other rules."""
        return self._of_rule[rule] if rule < len(self._of_rule) else ()

    def _add_conditions(self, number: int, formula: Formula, when: int = 0) -> None:
        """Add the conditions that a formula of a rule demands if the atom `when` holds; always, if that is 0."""
        for condition in formula_conditions(formula):
            whole = condition if isinstance(condition, Threshold) else Threshold(1, ((1, condition),))
            terms = [(weight, self._literal(number, part)) for weight, part in whole.parts if part is not False]
            terms += [(whole.bound, -when)] if when else []
            flat = Threshold(whole.bound, tuple(terms))
            if len(terms) > len({self.ground.cells.get(abs(literal), (literal,)) for _, literal in terms}):
                self._add(number, *self._sum(whole.bound, terms))
            else:
                self._add_formula(number, flat, complete=False)

    def _literal(self, number: int, part: Formula) -> int:
        """Return a part that is a literal, or an auxiliary atom, which demands the part."""
        if isinstance(part, int):
            return part
        if (number, part) not in self._new:
            self._last_new += 1
            self._new[number, part] = atom = self._last_new
            self._add_conditions(number, part, atom)
        return self._new[number, part]

    def _sum(self, bound: int, terms: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], _SumTable]:
        """Return the atoms and the table of a weighted sum of literals; an atom about no cell counts as a cell."""
        ground, one_value = self.ground, self._groups.one_value
        of_cell: dict[object, Counter[int]] = {}
        for weight, literal in terms:
            of_cell.setdefault(ground.cells.get(abs(literal), abs(literal)), Counter())[literal] += weight
        addends: list[_Addend] = []
        atoms: list[int] = []
        for cell, weights in of_cell.items():
            number = one_value.get(cell, -1) if isinstance(cell, tuple) else -1
            cell_atoms = sorted(ground.rules[number].atoms if number >= 0 else set(map(abs, weights)))
            # If one value holds, the negative literals of the others are true.
            amounts = tuple(
                sum(weights[literal] for literal in weights if (literal > 0) == (abs(literal) == atom))
                for atom in cell_atoms
            )
            local = tuple(
                (weight, (cell_atoms.index(abs(literal)) + 1) * (1 if literal > 0 else -1))
                for literal, weight in weights.items()
            )
            tables = self._adds(local, amounts), self._adds(local, None)
            addends.append(_Addend(2 * len(atoms), (1 << 2 * len(cell_atoms)) - 1, number, *tables))
            atoms += cell_atoms
        return tuple(atoms), _SumTable(bound, tuple(addends))

    def _adds(self, terms: tuple[tuple[int, int], ...], amounts: tuple[int, ...] | None) -> _AddendTable:
        key = (() if amounts else terms), amounts
        return self._addends.setdefault(key, _AddendTable(*key))

    def _add_formula(self, number: int, formula: Formula, *, complete: bool) -> None:
        """Add a formula as a part.

        A literal that occurs in the formula, and whose opposite does not, forces nothing when it becomes true. Without
        these, a board with whispers propagates a third of the parts.
        """
        shape, atoms = formula_shape(formula)
        self._add(
            number, atoms, self._table(shape, complete=complete), {-literal for literal in formula_literals(formula)}
        )

    def _table(self, shape: FormulaShape, *, complete: bool) -> ConsequenceTable:
        if complete:
            return shape.table
        if shape not in self._certain:
            formula = shape.formula
            self._certain[shape] = ConsequenceTable(lambda known: certain_formula_literals(simplify(formula, known)))
        return self._certain[shape]

    def _add(
        self,
        number: int,
        atoms: tuple[int, ...],
        table: ConsequenceTable | None,
        forcing: Container[int] | None = None,
    ) -> None:
        """Add a part, and the literals with which it may force something; all if None."""
        part = len(self.rule)
        self.rule.append(number)
        self.atoms.append(atoms)
        self.tables.append(table)
        if any(atom >= self.first_new for atom in atoms):
            self.new.add(part)
        for place, atom in enumerate(atoms):
            for literal, bits in ((atom, 1), (-atom, 2)):
                if forcing is None or literal in forcing:
                    self.places.setdefault(literal, {})[part] = bits << 2 * place


def level_parts(ground: GroundRules) -> _Parts:
    """Return parts that propagate each rule completely."""
    return _Parts(ground, split=False)


def split_level_parts(ground: GroundRules) -> _Parts:
    """Return parts that propagate large rules condition by condition."""
    return _Parts(ground, split=True)


class KnownLevels(dict[int, int]):
    """The known atoms of a board, as {part: its state}; a state is computed when it is first asked for."""

    def __init__(self, parts: _Parts, known: Mapping[int, bool]) -> None:
        super().__init__()
        self.parts = parts
        self.known = dict(known)
        """The atoms that are known."""
        # The parts with auxiliary atoms that were not propagated yet.
        self._unasked = {*parts.new}
        # {auxiliary atom: (the part that forced it, its state then, the literal in it)}
        self._why: dict[int, tuple[int, int, int]] = {}

    def __missing__(self, part: int) -> int:
        """Return the state of a part."""
        self[part] = state = atoms_state(self.parts.atoms[part], self.known)
        return state

    def learn(self, news: Mapping[int, bool]) -> set[int]:
        """Learn atoms; return the parts that are about them.

        Auxiliary atoms are learned, too, if their rule alone forces them.
        """
        every: set[int] = set()
        left = dict(news)
        while left or self._unasked:
            touched, self._unasked = self._unasked, set()
            for atom, holds in left.items():
                for part, adds in self.parts.places.get(atom if holds else -atom, {}).items():
                    touched.add(part)
                    if part in self:
                        self[part] += adds
                self.known[atom] = holds
            every |= touched
            left = self._of_conditions(touched)
        return every

    def _of_conditions(self, touched: Collection[int]) -> dict[int, bool]:
        """Return {auxiliary atom: whether it holds}, as parts force it."""
        forced: dict[int, bool] = {}
        for part in sorted(self.parts.new.intersection(touched)):
            table, atoms = self.parts.tables[part], self.parts.atoms[part]
            if isinstance(table, _SumTable):
                table = table.granting(())
            for literal in (table is not None and table[self[part]]) or ():
                atom = atoms[abs(literal) - 1]
                if atom >= self.parts.first_new and atom not in forced and atom not in self.known:
                    forced[atom] = literal > 0
                    self._why[atom] = part, self[part], literal
        return forced

    def behind(self, atoms: Iterable[int]) -> set[int]:
        """Return the atoms about cells from which some atoms are known: themselves, or those behind auxiliary ones."""
        waiting, causes = [*atoms], set()
        while waiting:
            atom = waiting.pop()
            if atom in self._why:
                part, state, literal = self._why[atom]
                table, part_atoms = self.parts.tables[part], self.parts.atoms[part]
                if isinstance(table, _SumTable):
                    table = table.granting(())
                assert table is not None
                bits = {
                    state & 3 << 2 * place: other for place, other in enumerate(part_atoms) if state & 3 << 2 * place
                }
                waiting += [bits[bit] for bit in table.needed(0, tuple(bits), (literal,))]
            else:
                causes.add(atom)
        return causes & self.parts.cells.keys()


class Levels(Derivation[LevelInference]):
    """Propagation by some rules, level by level: a level is what single rules force, given the levels before it.

    Args:
        known: the known atoms.
        rules: the rules, by index; all if None, and then only those are propagated that derived literals affect.
        supposed: a literal that is supposed.
        global_rules: {index: the rule} of the global rules.
    """

    def __init__(
        self,
        known: KnownLevels,
        rules: Collection[int] | None,
        supposed: int | None,
        global_rules: Mapping[int, GlobalRule] | None = None,
    ) -> None:
        super().__init__(supposed)
        self._base, self._parts, self._global_rules = known, known.parts, global_rules or {}
        self._rules = None if rules is None else frozenset(rules)
        self._own: defaultdict[int, int] = defaultdict(int)
        # {part: its table}, of parts that may assume only some one-value rules.
        self._sums: dict[int, ConsequenceTable] = {}
        self._allowed = None if rules is None else {part for rule in rules for part in self._parts.parts_of(rule)}
        self._touched: set[int] = set() if self._allowed is None else {*self._allowed}
        self.depth = 0
        """How many levels were added."""
        # {part: the highest level of the derived atoms that it is about}
        self._highest: dict[int, int] = {}
        # For each inference, its part.
        self._why: list[int] = []
        # {(inference, its literals): the atoms that it needs, as `_needed` returns them}
        self._needs: dict[tuple[int, frozenset[int]], tuple[list[int], list[int]]] = {}
        if supposed is not None:
            self._touch(supposed, 0)

    @property
    def then(self) -> dict[int, bool]:
        """{atom: whether it holds}, of known and derived atoms."""
        return self._base.known | self.derived

    @property
    def at_end(self) -> bool:
        """Whether no part is left to propagate."""
        return not self._touched

    def _touch(self, literal: int, level: int) -> None:
        """Mark the parts to be propagated that a literal of a level affects."""
        states, places = self._own, self._parts.places.get(literal, {})
        if self._allowed is not None:
            places = {part: places[part] for part in places.keys() & self._allowed}
        self._touched.update(places)
        higher = places if level == self.depth else [part for part in places if self._highest.get(part, 0) < level]
        self._highest.update(dict.fromkeys(higher, level))
        for part, adds in places.items():
            states[part] += adds

    def learn(self, news: Mapping[int, bool]) -> None:
        """Count atoms that `KnownLevels` learned as known.

        Raises:
            ValueError: the opposite follows.
        """
        self._needs = {}
        for atom in news.keys() & self.derived.keys():
            holds = self.derived[atom]
            self.drop(atom)
            if holds is not news[atom]:
                raise ValueError
            for part, adds in self._parts.places.get(atom if news[atom] else -atom, {}).items():
                if part in self._own:
                    self._own[part] -= adds

    def affected(self, touched: Collection[int]) -> set[int]:
        """Return those of some parts that have derived atoms."""
        return self._own.keys() & touched

    def catch_up(self, parts: set[int]) -> None:
        """Propagate parts that have learned atoms, and those that these affect, within the levels so far.

        Raises:
            ValueError: parts contradict.
        """
        later, self._touched = self._touched, parts
        while self._touched:
            at = {part: 1 + self._highest[part] for part in sorted(self._touched)}
            self._touched = set()
            later.update(part for part in at if at[part] > self.depth)
            if self._add_forced([part for part in at if at[part] <= self.depth], at):
                raise ValueError
        self._touched = later

    def next(self) -> list[int]:
        """Add one more level; if parts contradict, return these, and add nothing."""
        touched, self._touched = sorted(self._touched), set()
        self.depth += 1
        failing = self._add_forced(touched)
        if failing:
            self._touched.update(touched)
        return failing

    def _add_forced(self, parts: Iterable[int], at: Mapping[int, int] = MappingProxyType({})) -> list[int]:
        """Add what parts force; if some contradict, return these, and add nothing.

        Args:
            parts: the parts.
            at: {part: the level of what it forces}; the last one if it has none.
        """
        base, states = self._base, self._own
        failing: list[int] = []
        forced: list[tuple[int, Iterable[int]]] = []
        tables = self._parts.tables
        for part in parts:
            table = tables[part] if self._rules is None else self._table(part)
            literals: Collection[int] | None
            if table is None:
                literals = self._global_rules[self._parts.rule[part]].forced(self._view(part))
            else:
                atoms = self._parts.atoms[part]
                if literals := table[base[part] + states.get(part, 0)]:
                    literals = [atoms[literal - 1] if literal > 0 else -atoms[-literal - 1] for literal in literals]
            if literals:
                forced.append((part, literals))
            elif literals is None:
                failing.append(part)
        for part, news in () if failing else forced:
            self._add(self._used(part), news, part, at.get(part, self.depth))
        return failing

    def _add(
        self,
        rules: tuple[int, ...],
        literals: Iterable[int],
        part: int,
        level: int,
    ) -> None:
        """Add an inference of literals not known yet."""
        known, derived, symbols = self._base.known, self.derived, self._parts.symbols
        news = [
            literal
            for literal in dict.fromkeys(literals)
            if abs(literal) not in derived
            and abs(literal) not in known
            and (symbols is None or abs(literal) in symbols)
        ]
        if news:
            self.add_inference(LevelInference(rules, tuple(news)), news)
            self._why.append(part)
            for literal in news:
                self._touch(literal, level)

    def _view(self, part: int, before: float = inf) -> dict[int, bool]:
        """Return {atom: whether it holds} for the atoms of a part that are known before an inference."""
        known, derived, source = self._base.known, self.derived, self.source
        view = {}
        for atom in self._parts.atoms[part]:
            if atom in derived:
                if source[atom] < before:
                    view[atom] = derived[atom]
            elif atom in known:
                view[atom] = known[atom]
        return view

    def _table(self, part: int) -> ConsequenceTable | None:
        """Return the table of a part, with the one-value rules that it may assume."""
        table = self._parts.tables[part]
        if self._rules is None or not isinstance(table, _SumTable | DiagramTable):
            return table
        if part not in self._sums:
            self._sums[part] = table.granting(self._rules)
        return self._sums[part]

    def _used(self, part: int) -> tuple[int, ...]:
        """Return the rule of a part, and those that it assumes."""
        table = self._table(part)
        if isinstance(table, DiagramTable):
            return table.rules
        return self._parts.rule[part], *(table.used if isinstance(table, _SumTable) else ())

    def _needed(self, part: int, forced: Collection[int] | None, before: float) -> tuple[list[int], list[int]]:
        """Return the atoms that a part needs to force literals (None: a contradiction): derived ones, and known ones.

        The derived ones are a minimal set, of the earliest inferences.
        """
        view, following, source = self._view(part, before), self.derived, self.source
        derived = [atom for atom in view if atom in following]
        derived.sort(key=lambda atom: (-source[atom], following[atom], atom))
        given = [atom for atom in view if atom not in following]
        table = self._table(part)
        if table is not None:
            place = {atom: number for number, atom in enumerate(self._parts.atoms[part])}
            bits = {(1 if holds else 2) << 2 * place[atom]: atom for atom, holds in view.items()}
            bit_of = {atom: bit for bit, atom in bits.items()}
            local = (
                None if forced is None else tuple(sorted((place[abs(i)] + 1) * (1 if i > 0 else -1) for i in forced))
            )
            fixed = sum(bit_of[atom] for atom in given)
            needed = table.needed(fixed, tuple(bit_of[atom] for atom in derived), local)
            others = table.needed(sum(needed), tuple(bit_of[atom] for atom in given), local)
            return [bits[bit] for bit in needed], [bits[bit] for bit in others]

        rule = self._global_rules[self._parts.rule[part]]

        def suffice(rest: list[int]) -> list[int] | None:
            return rest if rule.forces(forced, {atom: view[atom] for atom in (*given, *rest)}) else None

        return minimal_subset(derived, suffice), given

    def reasons(self, part: int, forced: Collection[int] | None, before: float = inf) -> list[int]:
        """Return a minimal set of derived atoms, the earliest, by which a part forces literals (None: a contradiction).

        Args:
            part: the part.
            forced: the literals.
            before: only inferences with smaller numbers count.
        """
        return self._needed(part, forced, before)[0]

    def traced(self, used: dict[int, set[int]], given: set[int] | None = None) -> dict[int, list[int]]:
        """Return the proof of `used`, {inference: those that it depends on}, and add what these use to `used`.

        Args:
            used: {number of an inference: those of its literals that are used}.
            given: where to add the known atoms that are needed.
        """

        def needs(number: int, literals: set[int]) -> Collection[int]:
            key = number, frozenset(literals)
            if key not in self._needs:  # contradictions have most of their inferences in common
                self._needs[key] = self._needed(self._why[number - 1], literals, number)
            atoms, others = self._needs[key]
            if given is not None:
                given.update(others)
            return atoms

        return self.trace(used, needs)

    def proof(self, part: int) -> LevelProof:
        """Return the proof that ends with the contradiction of a part."""
        atoms, others = self._needed(part, None, inf)
        return self.proof_of(self._used(part), atoms, others)

    def proof_of(self, rules: Iterable[int], atoms: Iterable[int], others: Iterable[int]) -> LevelProof:
        """Return the proof that ends with rules that contradict some atoms.

        Args:
            rules: the rules.
            atoms: the derived atoms.
            others: the known atoms.
        """
        used: dict[int, set[int]] = {}
        given = {*others}
        self.use(atoms, used)
        self.traced(used, given)
        every = [rule for number in sorted(used) if number for rule in self.inferences[number - 1].rules]
        return LevelProof([*dict.fromkeys((*every, *rules))], self._base.behind(given))


class LevelProof(NamedTuple):
    """The proof of a contradiction, which refutes a supposition."""

    rules: list[int]
    """The rules, each after those that it depends on; the last ones contradict."""
    known: set[int]
    """The known atoms that they need."""
