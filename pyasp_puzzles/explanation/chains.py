"""What follows from a supposition, one rule at a time, until something cannot hold.

Inference  Inference((7,), (15, -16), (0, 2)): rule 7 forces two literals, by the supposition and by inference 2;
           Inference((7, 8), (-16,), (), (12, 13)): it leaves two candidates, and rule 8 excludes what both exclude
Levels     all that follows, level by level
Chain      the inferences, each after those that it rests on; the last one says what cannot hold
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cores import minimal
from pyasp_puzzles.asp.settings import DEFAULT
from pyasp_puzzles.explanation.closures import irreducible
from pyasp_puzzles.explanation.ground_rules import FormulaSearch, consequences_of, rules_by_atom

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pyasp_puzzles.explanation.ground_rules import GroundRules
    from pyasp_puzzles.explanation.wholes import Cut, Whole


class Inference(NamedTuple):
    """What rules force, given what is known and earlier inferences."""

    rules: tuple[int, ...]
    """One rule, by its number; at the end of a chain there may be several, which cannot hold together."""
    literals: tuple[int, ...]
    """What follows; nothing at the end of a chain."""
    rests_on: tuple[int, ...] = ()
    """The numbers of the inferences that it needs, counted from 1; 0 is the supposition."""
    among: tuple[int, ...] = ()
    """If the first rule leaves several candidates: these. The second rule excludes what all of them exclude."""


class Chain(NamedTuple):
    """A supposition that leads to a contradiction."""

    supposed: int | None
    """The literal that is supposed; None if the rules cannot hold without it either."""
    inferences: list[Inference]
    known: dict[int, bool]
    """The atoms that are known then."""
    cut: Cut | None = None
    """What would be cut off at the end, if a rule about a graph says so."""
    listed: bool = False
    """Whether the links are listed below the sentence, which tells the end alone."""


def chain(
    ground: GroundRules,
    wholes: Mapping[int, Whole],
    rules: Sequence[int],
    known: Mapping[int, bool],
    supposed: int | None,
    *,
    board: Mapping[int, bool],
) -> Chain | None:
    """Return how rules refute a literal; None if they do not, or if time ran out.

    Where no rule alone forces anything more, the end of the chain has all rules that cannot hold together then.

    Args:
        ground: the rules of the board.
        wholes: {number: the rule} of those that are asked as a whole.
        rules: the numbers of the rules.
        known: the atoms that are known.
        supposed: the literal; None if the rules cannot hold together by what is known.
        board: all that is known of the board.
    """
    levels = Levels(ground, wholes, rules, known, supposed)
    then, source = levels.then, levels.source
    while True:
        before = len(levels.found)
        if failing := levels.next():
            ends = [([rule], levels.reasons(rule, None)) for rule in failing]
            end = min(ends, key=lambda one: len(one[1]))
            break
        if len(levels.found) == before:
            together = _together(ground, rules, then, source)
            if together is None:
                return None
            end = together
            break
    inferences = _ordered(levels, end)
    used = {abs(literal) for one in inferences for literal in one.literals} | {abs(supposed or 0)}
    told = {atom: holds for atom, holds in then.items() if atom not in source or atom in used}
    last = [wholes[rule] for rule in inferences[-1].rules[:1] if rule in wholes]  # none if the end has no name
    return Chain(supposed, inferences, then, last[0].cut(told, board) if last else None)


def forced_alone(
    ground: GroundRules, rules: Iterable[int], known: Mapping[int, bool], wholes: Mapping[int, Whole] | None = None
) -> dict[int, Collection[int] | None]:
    """Return {rule: the literals that it forces alone}, given what is known; None for a rule that cannot hold.

    Args:
        ground: the rules of the board.
        rules: the numbers of some of them.
        known: the atoms that are known.
        wholes: {number: the rule} of those that are asked as a whole.
    """
    wholes = wholes or {}
    return {
        rule: wholes[rule].forced(known) if rule in wholes else consequences_of(ground.rules[rule].formula, known)
        for rule in rules
    }


class Levels:
    """What follows by some rules, level by level: what each rule alone forces, by what the levels before found.

    Args:
        ground: the rules of the board.
        wholes: {number: the rule} of those that are asked as a whole.
        rules: the numbers of the rules.
        known: the atoms that are known.
        supposed: a literal that is supposed.
    """

    def __init__(
        self,
        ground: GroundRules,
        wholes: Mapping[int, Whole],
        rules: Sequence[int],
        known: Mapping[int, bool],
        supposed: int | None,
    ) -> None:
        self._ground, self._wholes, self._rules = ground, wholes, frozenset(rules)
        self._rules_of = ground.once(rules_by_atom)
        # The rules to ask next: all, then those about what was found.
        self._touched = {*rules}
        self.then = dict(known) if supposed is None else {**known, abs(supposed): supposed > 0}
        """The atoms that are known then."""
        self.source: dict[int, int] = {} if supposed is None else {abs(supposed): 0}
        """{atom: the number of the inference by which it is known}"""
        self.found: list[Inference] = []

    def next(self) -> list[int]:
        """Add what follows by one more level; if rules cannot hold, return these."""
        rules, self._touched = sorted(self._touched), set()
        forced = forced_alone(self._ground, rules, self.then, self._wholes)
        failing = [rule for rule, follows in forced.items() if follows is None]
        for rule, follows in () if failing else forced.items():
            self.add((rule,), follows or ())
        return failing

    def add(self, rules: tuple[int, ...], literals: Iterable[int], among: tuple[int, ...] = ()) -> None:
        """Add what rules force of what is not known yet."""
        news = tuple(one for one in literals if abs(one) not in self.then and abs(one) in self._ground.symbols)
        if news:
            self.found.append(Inference(rules, news, among=among))
            self.source |= dict.fromkeys(map(abs, news), len(self.found))
            self.then |= {abs(literal): literal > 0 for literal in news}
            self._touched.update(*[self._rules.intersection(self._rules_of[abs(literal)]) for literal in news])

    def reasons(self, rule: int, literals: Collection[int] | None, before: float = inf) -> list[int]:
        """Return the atoms of inferences that a rule needs to force literals (None: to fail): those found first.

        Args:
            rule: the rule.
            literals: the literals.
            before: the inferences have smaller numbers.
        """
        then, source = self.then, self.source
        atoms = self._ground.rules[rule].atoms & then.keys()
        derived = [atom for atom in atoms if source.get(atom, before) < before]
        given = {atom: then[atom] for atom in atoms if atom not in source}

        def suffice(rest: list[int]) -> list[int] | None:
            here = given | {atom: then[atom] for atom in rest}
            if rule in self._wholes:
                return rest if self._wholes[rule].forces(literals, here) else None
            forced = consequences_of(self._ground.rules[rule].formula, here)
            enough = forced is None if literals is None else forced is not None and forced.issuperset(literals)
            return rest if enough else None

        derived.sort(key=lambda atom: (-source[atom], then[atom], atom))
        return minimal(derived, suffice)

    def back(self, used: dict[int, set[int]]) -> dict[int, list[int]]:
        """Return {inference: those that it rests on} for what is used, and add to `used` what these rest on.

        Args:
            used: {number of an inference: those of its literals that are used}.
        """
        rests_on: dict[int, list[int]] = {}
        for number in range(len(self.found), 0, -1):
            if number in used:
                rule, among = self.found[number - 1].rules[0], self.found[number - 1].among
                atoms = [one for one in self._ground.rules[rule].atoms if self.source.get(one, number) < number]
                rests_on[number] = self.use(atoms if among else self.reasons(rule, used[number], number), used)
        return rests_on

    def use(self, atoms: Iterable[int], used: dict[int, set[int]]) -> list[int]:
        """Add atoms to what is used of each inference, and return the numbers of theirs."""
        sources = set()
        for atom in atoms:
            sources.add(self.source[atom])
            used.setdefault(self.source[atom], set()).add(atom if self.then[atom] else -atom)
        return sorted(sources)


def _together(
    ground: GroundRules, rules: Sequence[int], then: Mapping[int, bool], source: Mapping[int, int]
) -> tuple[list[int], list[int]] | None:
    """Return the rules that cannot hold together, and the atoms of inferences that this needs: those found first."""
    guards = {ground.rules[rule].guard: rule for rule in rules}
    formulas = {guard: ground.rules[rule].formula for guard, rule in guards.items()}
    given = [atom if then[atom] else -atom for atom in then if atom not in source]
    derived = {(-source[atom], atom): [atom if then[atom] else -atom] for atom in source}
    for search in FormulaSearch(formulas, DEFAULT, ground.program), ground.search:  # some rest on one without a name

        def refute(literals: list[int]) -> list[int] | None:
            return search.refute([*given, *literals])  # noqa: B023 (used within the loop)

        needed = irreducible(refute, guards, derived, None)
        if needed is not None:
            return [*needed[0]], [atom for _, atom in needed[1]]
    return None


def _ordered(levels: Levels, end: tuple[list[int], list[int]]) -> list[Inference]:
    """Return the inferences that the end needs, of each only what others use, and each right after what it rests on."""
    used: dict[int, set[int]] = {}
    last = len(levels.found) + 1
    rests_on = {last: levels.use(end[1], used)}
    rests_on |= levels.back(used)
    sizes: dict[int, int] = {0: 0}
    for link in sorted(rests_on):
        sizes[link] = 1 + sum(sizes[other] for other in rests_on[link])
    order: dict[int, int] = {0: 0}
    waiting = [last]
    while waiting:
        link = waiting[-1]
        open_ones = [other for other in rests_on[link] if other not in order]
        if link in order or not open_ones:
            waiting.pop()
            order.setdefault(link, len(order))
        else:
            waiting.append(max(open_ones, key=lambda other: (sizes[other], -other)))
    inferences = []
    for link in list(order)[1:]:
        rules = tuple(sorted(end[0])) if link == last else levels.found[link - 1].rules
        rests = tuple(sorted(order[other] for other in rests_on[link]))
        inferences.append(Inference(rules, () if link == last else tuple(sorted(used[link])), rests))
    return inferences
