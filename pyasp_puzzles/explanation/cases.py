"""What each of the candidates of which a rule needs one leads to: whichever holds, the same follows.

CaseInference  CaseInference((7,), (15, -16)): rule 7 forces two literals; CaseInference((7, 8), (-16,), (12, 13)): it
               leaves two candidates, and rule 8 excludes what both of them exclude
Case           Case(5, (CaseInference(...), ...)): what follows if one candidate holds
Cases          Cases(9, (Case(...), Case(...))): the rule, and a case for each of its candidates
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cores import minimal
from pyasp_puzzles.explanation.ground_rules import consequences_of, simplify

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from pyasp_puzzles.explanation.ground_rules import GroundRules

# Candidates of a rule that are told case by case.
MOST_CASES = 5
# Rules of a step that is told so; with more, people would look for another step.
MOST_RULES = 24
# Candidates left of a rule of which a case tells what all exclude.
MOST_AMONG = 3


class CaseInference(NamedTuple):
    """What rules force."""

    rules: tuple[int, ...]
    literals: tuple[int, ...]
    among: tuple[int, ...] = ()
    """If the first rule leaves several candidates: these. The others exclude what all of them exclude."""


class Case(NamedTuple):
    """What follows if a candidate holds: what is needed for the conclusions, which come last."""

    atom: int
    inferences: tuple[CaseInference, ...]


class Cases(NamedTuple):
    """The cases of a rule."""

    rule: int
    cases: tuple[Case, ...]


def cases_of(
    ground: GroundRules,
    rules: Sequence[int],
    known: Mapping[int, bool],
    conclusions: Collection[int],
    board: Mapping[int, bool],
) -> Cases | None:
    """Return the shortest cases that lead to the conclusions of a step, and use all of its rules; None if none do.

    Args:
        ground: the rules of the board.
        rules: the rules of the step, by their numbers.
        known: the known atoms that it needs.
        conclusions: the literals that follow.
        board: all that was known before.
    """
    if len(rules) > MOST_RULES:
        return None
    found = []
    for rule in rules:
        _, _, atoms, *_ = ground.rules[rule]
        left = sorted(atoms - board.keys())
        needs_one = simplify(ground.rules[rule].formula, dict.fromkeys(atoms, False)) is False
        if needs_one and 1 < len(left) <= MOST_CASES and not {*left}.intersection(map(abs, conclusions)):
            others = [one for one in rules if one != rule]
            cases = [_case(ground, others, known, atom, conclusions) for atom in left]
            if told := [case for case in cases if case]:
                used = {rule}.union(*(one.rules for case in told for one in case.inferences))
                if len(told) == len(cases) and used == {*rules}:
                    found.append(Cases(rule, tuple(told)))
    return min(found, key=_length, default=None)


def _length(cases: Cases) -> tuple[int, int]:
    """Return how many cases there are, and how many inferences."""
    return len(cases.cases), sum(len(case.inferences) for case in cases.cases)


def _case(
    ground: GroundRules, rules: Sequence[int], known: Mapping[int, bool], atom: int, conclusions: Collection[int]
) -> Case | None:
    """Return how a candidate leads to the conclusions; None if it does not, or cannot hold."""
    then, source = {**known, atom: True}, {atom: -1}
    found: list[CaseInference] = []
    while any(then.get(abs(one)) is not (one > 0) for one in conclusions):
        before = len(found)
        for one in _forced(ground, rules, then) if found or rules else ():
            news = tuple(literal for literal in one.literals if abs(literal) not in then)
            if any(then.get(abs(literal), literal > 0) is not (literal > 0) for literal in one.literals):
                return None
            if news:
                source |= dict.fromkeys(map(abs, news), len(found))
                then |= {abs(literal): literal > 0 for literal in news}
                found.append(one._replace(literals=news))
        if len(found) == before:
            return None
    needed: dict[int, set[int]] = {}
    for literal in conclusions:
        needed.setdefault(source[abs(literal)], set()).add(literal)
    for number in range(len(found) - 1, -1, -1):
        for reason in _reasons(ground, found[number], needed.get(number, ()), then, source):
            needed.setdefault(source[reason], set()).add(reason if then[reason] else -reason)
    return Case(atom, tuple(found[i]._replace(literals=tuple(sorted(needed[i]))) for i in sorted(needed) if i >= 0))


def _forced(ground: GroundRules, rules: Sequence[int], then: dict[int, bool]) -> Iterator[CaseInference]:
    """Yield what each rule forces, as `then` grows; only if that is nothing, what the candidates of one all exclude."""
    size = len(then)
    for rule in rules:
        forced = consequences_of(ground.rules[rule].formula, then)
        if forced is None:  # the caller stops at what contradicts itself
            yield CaseInference((rule,), (min(then), -min(then)))
            return
        if news := tuple(one for one in forced if abs(one) not in then and abs(one) in ground.symbols):
            yield CaseInference((rule,), news)
    if len(then) > size:
        return
    for rule in rules:
        _, _, atoms, *_ = ground.rules[rule]
        left = tuple(sorted(atoms - then.keys()))
        open_rule = simplify(ground.rules[rule].formula, dict.fromkeys(atoms, False)) is False
        if open_rule and 1 < len(left) <= MOST_AMONG and not any(then.get(atom) for atom in atoms):
            for other in rules:
                formula = ground.rules[other].formula
                every = [consequences_of(formula, {atom: True}) or frozenset() for atom in left if other != rule]
                if out := tuple(one for one in frozenset.intersection(*every) if one < 0) if every else ():
                    yield CaseInference((rule, other), out, left)


def _reasons(
    ground: GroundRules,
    inference: CaseInference,
    literals: Collection[int],
    then: Mapping[int, bool],
    source: Mapping[int, int],
) -> list[int]:
    """Return the atoms that followed before and that an inference needs for some of its literals."""
    if not literals:
        return []
    rule, own = ground.rules[inference.rules[0]], source[abs(min(literals))]
    before = [atom for atom in rule.atoms if atom in source and source[atom] < own]
    if inference.among:
        return before
    given = {atom: then[atom] for atom in rule.atoms if atom in then and atom not in source}

    def suffice(rest: list[int]) -> list[int] | None:
        forced = consequences_of(rule.formula, given | {atom: then[atom] for atom in rest})
        return rest if forced is not None and forced >= {*literals} else None

    return minimal(sorted(before, key=lambda atom: (-source[atom], atom)), suffice)
