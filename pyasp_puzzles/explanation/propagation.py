"""Unit propagation over the rules of a board, and the few rules that it needs to refute a literal.

Constraint  Constraint(rule=7, positive=0b0110, negative=0b1000, spare=2): of these three literals, two may fail
mask        an int with a bit for each atom: 0b0110 is the atoms with the numbers 1 and 2

A rule is one or more cardinality constraints: "exactly one of four" is "at least one" and "at most one". Formulas of
any other form are left out. Then less is refuted, but nothing wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.explanation.formulas import Formula, Threshold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyasp_puzzles.explanation.ground_rules import Rule


class Constraint(NamedTuple):
    """Literals of a rule, of which only some may fail."""

    rule: int
    positive: int
    """The mask of the atoms that have to hold."""
    negative: int
    """The mask of the atoms that must not hold."""
    spare: int
    """How many of these may be otherwise."""


class Propagation:
    """The constraints of some rules, by what is known."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.complete = True
        """Whether no rule was left out."""
        self._bits: dict[int, int] = {}
        self._constraints: list[Constraint] = []
        for number, rule in enumerate(rules):
            self._add(number, rule.formula)
        self._open: list[Constraint] = []
        """What remains of the constraints that do not hold yet."""
        self._of_rule: dict[int, list[Constraint]] = {}
        """The same by their rules."""
        self._if_true: list[list[int]] = []
        """For each bit, the open constraints that have a literal less if the atom holds."""
        self._if_false: list[list[int]] = []

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
        self._open, self._of_rule = [], {}
        self._if_true, self._if_false = [[] for _ in self._bits], [[] for _ in self._bits]
        for rule, positive, negative, spare in self._constraints:
            left = spare - (positive & false | negative & true).bit_count()
            one = Constraint(rule, positive & unknown, negative & unknown, left)
            if left < (one.positive | one.negative).bit_count():
                for bit in _bits(one.negative):
                    self._if_true[bit].append(len(self._open))
                for bit in _bits(one.positive):
                    self._if_false[bit].append(len(self._open))
                self._open.append(one)
                self._of_rule.setdefault(rule, []).append(one)

    def refute(self, literal: int) -> list[int] | None:
        """Return rules with which a literal leads to a contradiction, in order; None if propagation finds none.

        Propagation goes level by level, and so finds a proof of the fewest levels. This takes few rules: the cores of
        clingo, which goes deep first, had up to twice as many, and took longer.
        """
        if abs(literal) not in self._bits:
            return None
        first = self._bits[abs(literal)]
        trail = _Trail({first: 0}, {}, 1 << first if literal > 0 else 0, 0 if literal > 0 else 1 << first)
        touched: Iterable[int] = (self._if_true if literal > 0 else self._if_false)[first]
        level = 0
        while touched:
            level += 1
            forced, ends = self._forced(touched, trail)
            if ends:
                return self._proof(ends, trail)
            news: dict[int, None] = {}
            for index, *masks in forced:
                for mask, touching in zip(masks, (self._if_true, self._if_false), strict=True):
                    for bit in _bits(mask):
                        if bit not in trail.levels:
                            trail.levels[bit], trail.reasons[bit] = level, index
                            news.update(dict.fromkeys(touching[bit]))
                trail.true |= masks[0]
                trail.false |= masks[1]
            touched = news
        return None

    def refutes(self, literal: int, rules: Iterable[int]) -> bool:
        """Return whether propagation with these rules alone leads from a literal to a contradiction."""
        constraints = [one for rule in rules for one in self._of_rule.get(rule, ())]
        first = 1 << self._bits[abs(literal)]
        true, false = (first, 0) if literal > 0 else (0, first)
        before = 0
        while before != true | false:
            before = true | false
            for _, positive, negative, spare in constraints:
                left = spare - (positive & false | negative & true).bit_count()
                if left < 0:
                    return True
                if left == 0:
                    true, false = true | positive & ~false, false | negative & ~true
        return False

    def _forced(
        self, touched: Iterable[int], trail: _Trail
    ) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]]]:
        """Return what constraints force, [(constraint, mask of what holds, mask of what does not)], or a contradiction.

        A contradiction is one or two constraints, each with the number of failing literals that it takes: [(7, 2)].
        """
        true, false = trail.true, trail.false
        unknown = ~(true | false)
        forced: list[tuple[int, int, int]] = []
        new_true = new_false = 0
        for index in touched:
            _, positive, negative, spare = self._open[index]
            left = spare - (positive & false | negative & true).bit_count()
            if left < 0:
                return [], [(index, spare + 1)]
            holding, failing = positive & unknown, negative & unknown
            if left == 0 and (holding or failing):
                forced.append((index, holding, failing))
                new_true |= holding
                new_false |= failing
        if clash := new_true & new_false:
            one = clash & -clash
            both = [next(index for index, *masks in forced if masks[i] & one) for i in (0, 1)]
            return [], [(index, self._open[index].spare) for index in both]
        return forced, []

    def _proof(self, ends: Iterable[tuple[int, int]], trail: _Trail) -> list[int]:
        """Return the rules of the constraints that contradict one another and of those that led there, in order."""
        rules: set[int] = set()
        seen: set[int] = set()
        waiting = [(index, needed, len(trail.levels)) for index, needed in ends]
        while waiting:
            index, needed, before = waiting.pop()
            rule, positive, negative, _ = self._open[index]
            rules.add(rule)
            failing = (
                bit for bit in _bits(positive & trail.false | negative & trail.true) if trail.levels[bit] < before
            )
            for bit in sorted(failing, key=trail.levels.__getitem__)[:needed]:
                if bit not in seen and bit in trail.reasons:
                    seen.add(bit)
                    waiting.append((trail.reasons[bit], self._open[trail.reasons[bit]].spare, trail.levels[bit]))
        return sorted(rules)


@dataclass
class _Trail:
    """What one propagation has found."""

    levels: dict[int, int]
    """{bit: the level at which its atom became known}"""
    reasons: dict[int, int]
    """{bit: the constraint that forced its atom}"""
    true: int
    """The mask of the atoms that hold."""
    false: int
    """The mask of the atoms that do not."""


def _bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits of a mask, from the lowest."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
