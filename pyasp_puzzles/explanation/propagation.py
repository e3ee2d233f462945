"""Unit propagation over the rules of a board: which few rules refute a literal, and in which order.

Constraint  Constraint(rule=7, positive=0b0110, negative=0b1000, spare=2): of these three literals, two may fail
mask        an int with a bit for each atom: 0b0110 is the atoms with the numbers 1 and 2

A rule is one or more cardinality constraints: "exactly one of four" is "at least one" and "at most one". Formulas of
any other form are left out. Then less is refuted, but nothing wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.explanation.ground_rules import Formula, Threshold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyasp_puzzles.explanation.ground_rules import Rule


class Constraint(NamedTuple):
    """Literals of a rule; at most `spare` of them may fail."""

    rule: int
    positive: int
    """The mask of the atoms that have to hold."""
    negative: int
    """The mask of the atoms that must not hold."""
    spare: int
    """How many of these may fail."""


class Propagation:
    """The constraints of some rules, given what is known."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.complete = True
        """Whether no rule was left out."""
        self._bits: dict[int, int] = {}
        self._constraints: list[Constraint] = []
        for number, rule in enumerate(rules):
            self._add(number, rule.formula)
        self._atoms = list(self._bits)
        # What remains of the constraints that do not hold yet.
        self._open: list[Constraint] = []
        # {rule: its open constraints, each with the mask of the atoms whose literals are known to fail}
        self._of_rule: dict[int, list[tuple[Constraint, int]]] = {}
        # For each bit, the open constraints that lose a literal if the atom holds.
        self._if_true: list[list[int]] = []
        self._if_false: list[list[int]] = []
        # The mask of the known atoms.
        self._known = 0
        # The open constraints of the atoms that became known last.
        self._touched: list[int] = []
        # The mask of those atoms, and of all that share a constraint with them, open or not.
        self._near = 0
        # What propagation of each literal found last.
        self._trails: dict[int, _Trail] = {}

    def _add(self, number: int, formula: Formula) -> None:
        """Add the constraints that say that a formula of a rule holds."""
        if isinstance(formula, bool):
            return
        bound, parts = (1, ((1, formula),)) if isinstance(formula, int) else formula
        if isinstance(formula, Threshold) and bound == sum(weight for weight, _ in parts):
            for _, part in parts:
                self._add(number, part)
        elif all(weight == 1 and isinstance(part, int) for weight, part in parts):
            masks = {True: 0, False: 0}
            for _, part in parts:
                assert isinstance(part, int)
                masks[part > 0] |= 1 << self._bits.setdefault(abs(part), len(self._bits))
            self._constraints.append(Constraint(number, masks[True], masks[False], len(parts) - bound))
        else:
            self.complete = False

    def know(self, known: Mapping[int, bool]) -> None:
        """Take these atoms as known, and no others."""
        true = sum(1 << self._bits[atom] for atom, holds in known.items() if holds and atom in self._bits)
        false = sum(1 << self._bits[atom] for atom, holds in known.items() if not holds and atom in self._bits)
        unknown = ~(true | false)
        news = (true | false) & ~self._known
        if self._known & unknown:
            self._trails = {}
        self._known, self._touched, self._near = true | false, [], news
        self._open, self._of_rule = [], {}
        self._if_true, self._if_false = [[] for _ in self._bits], [[] for _ in self._bits]
        for rule, positive, negative, spare in self._constraints:
            failing = positive & false | negative & true
            left = spare - failing.bit_count()
            one = Constraint(rule, positive & unknown, negative & unknown, left)
            if (positive | negative) & news:
                self._near |= positive | negative
            if left < (one.positive | one.negative).bit_count():
                for bit in _bits(one.negative):
                    self._if_true[bit].append(len(self._open))
                for bit in _bits(one.positive):
                    self._if_false[bit].append(len(self._open))
                self._open.append(one)
                self._of_rule.setdefault(rule, []).append((one, failing))
                if (positive | negative) & news:
                    self._touched.append(len(self._open) - 1)

    def refute(self, literal: int) -> list[int] | None:
        """Return rules with which a literal leads to a contradiction, in order; None if propagation finds none.

        Propagation goes level by level, and so finds a proof of the fewest levels. This takes few rules: the cores of
        clingo, which goes deep first, had up to twice as many, and took longer.
        """
        if abs(literal) not in self._bits:
            return None
        before = self._trails.get(literal)
        if before is not None:
            # Most of the board is far from what became known since, and most literals are still not refuted.
            true, false = before.levels[-1]
            if not (true | false) & self._near:
                return before.proof
            if before.proof is None and not self._propagate(self._touched, before):
                return None
        bit = self._bits[abs(literal)]
        holds = literal > 0
        trail = _Trail([(1 << bit, 0) if holds else (0, 1 << bit)])
        ends = self._propagate((self._if_true if holds else self._if_false)[bit], trail)
        trail.proof = self._proof(ends, trail) if ends else None
        self._trails[literal] = trail
        return trail.proof

    def atoms(self, mask: int) -> list[int]:
        """Return the atoms of a mask."""
        return [self._atoms[bit] for bit in _bits(mask)]

    def core(self, literal: int, rules: Iterable[int]) -> tuple[set[int], int] | None:
        """Return those of the rules by which a literal leads to a contradiction, and the mask of the known atoms.

        These are all rules that forced anything, and the atoms that they rest on. None if there is no contradiction.
        """
        constraints = [one for rule in rules for one in self._of_rule.get(rule, ())]
        first = 1 << self._bits[abs(literal)]
        true, false = (first, 0) if literal > 0 else (0, first)
        used: set[int] = set()
        known = 0
        before = 0
        while before != true | false:
            before = true | false
            for (rule, positive, negative, spare), failing in constraints:
                left = spare - (positive & false | negative & true).bit_count()
                if left < 0:
                    return used | {rule}, known | failing
                if left == 0 and (positive | negative) & ~(true | false):
                    true, false = true | positive & ~false, false | negative & ~true
                    used.add(rule)
                    known |= failing
        return None

    def _propagate(self, touched: Iterable[int], trail: _Trail) -> list[tuple[int, int]]:
        """Add to a trail what follows by these constraints, then by others, or return a contradiction.

        A contradiction is one or two constraints, each with the number of failing literals that it takes: [(7, 2)].
        """
        while touched:
            true, false = trail.levels[-1]
            unknown = ~(true | false)
            new_true = new_false = 0
            for index in touched:
                _, positive, negative, spare = self._open[index]
                left = spare - (positive & false | negative & true).bit_count()
                if left < 0:
                    return [(index, spare + 1)]
                if not left:
                    new_true |= positive & unknown
                    new_false |= negative & unknown
            if clash := new_true & new_false:
                bit = next(_bits(clash))
                both = [self._forcing(forcing[bit], true, false) for forcing in (self._if_false, self._if_true)]
                return [(index, self._open[index].spare) for index in both]
            touched = set[int]().union(
                *(self._if_true[bit] for bit in _bits(new_true)), *(self._if_false[bit] for bit in _bits(new_false))
            )
            trail.levels.append((true | new_true, false | new_false))
        return []

    def _forcing(self, among: Iterable[int], true: int, false: int) -> int:
        """Return the first of some constraints that forces its literals, by what holds and what does not."""
        return next(
            index
            for index in among
            if (self._open[index].positive & false | self._open[index].negative & true).bit_count()
            == self._open[index].spare
        )

    def _proof(self, ends: Iterable[tuple[int, int]], trail: _Trail) -> list[int]:
        """Return the rules of the constraints that contradict one another and of those that led there, in order."""
        rules: set[int] = set()
        seen: set[int] = set()
        waiting = [(index, needed, len(trail.levels) - 1) for index, needed in ends]
        while waiting:
            index, needed, level = waiting.pop()
            rule, positive, negative, _ = self._open[index]
            rules.add(rule)
            true, false = trail.levels[level]
            failing = [(trail.level(bit), bit) for bit in _bits(positive & false | negative & true)]
            for level, bit in sorted(failing)[:needed]:
                if bit not in seen and level:
                    seen.add(bit)
                    forcing = self._if_false if true & 1 << bit else self._if_true
                    reason = self._forcing(forcing[bit], *trail.levels[level - 1])
                    waiting.append((reason, self._open[reason].spare, level - 1))
        return sorted(rules)


@dataclass
class _Trail:
    """What one propagation has found."""

    levels: list[tuple[int, int]]
    """After each level: the mask of the atoms that hold, and the mask of those that do not."""
    proof: list[int] | None = None
    """The rules that lead to a contradiction; None if there is none."""

    def level(self, bit: int) -> int:
        """Return the level after which an atom is known."""
        return next(level for level, (true, false) in enumerate(self.levels) if (true | false) & 1 << bit)


def _bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits of a mask, from the lowest."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
