"""Steps told case by case: a rule needs one of a few candidates, and each of these leads to the same conclusions.

Case   Case(5, (LevelInference(...), ...)): what follows if one candidate holds
Cases  Cases(9, (Case(...), Case(...))): the rule, and a case for each of its candidates
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.explanation.formulas import consequences_of_formula
from pyasp_puzzles.explanation.levels import KnownLevels, Levels, level_parts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pyasp_puzzles.explanation.ground_rules import GroundRules
    from pyasp_puzzles.explanation.levels import LevelInference

# Most candidates of a rule that is told case by case.
_MOST_CASES = 5
# Most rules of a step that is told case by case; with more, people would look for another step.
_MOST_RULES = 24
# If a rule has at most this many candidates left, a case tells what all of them exclude.
_MOST_AMONG = 3


class Case(NamedTuple):
    """What follows if a candidate holds: what is needed for the conclusions, which come last."""

    atom: int
    inferences: tuple[LevelInference, ...]


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
    if len(rules) > _MOST_RULES:
        return None
    found: list[Cases] = []
    most = _MOST_CASES
    for rule in rules:
        left = sorted(ground.rules[rule].atoms - board.keys())
        few = 1 < len(left) <= most and not {*left}.intersection(map(abs, conclusions))
        if few and ground.rules[rule].needs_one():
            others = [one for one in rules if one != rule]
            told: list[Case] = []
            for atom in left:
                case = _case(ground, others, known, atom, conclusions)
                if case is None:
                    break
                told.append(case)
            else:
                if {*rules} == {rule}.union(*(one.rules for case in told for one in case.inferences)):
                    found.append(Cases(rule, tuple(told)))
                    most = len(left)
    return min(found, key=lambda one: (len(one.cases), sum(len(case.inferences) for case in one.cases)), default=None)


def _case(
    ground: GroundRules, rules: Sequence[int], known: Mapping[int, bool], atom: int, conclusions: Collection[int]
) -> Case | None:
    """Return how a candidate leads to the conclusions; None if it does not, or cannot hold."""
    levels = Levels(KnownLevels(ground.once(level_parts), known), rules, atom)
    used: dict[int, set[int]] = {}
    while any(levels.then.get(abs(one)) is not (one > 0) for one in conclusions):
        before = len(levels.found)
        if levels.next():
            return None
        if len(levels.found) == before:
            _add_among(levels, ground, rules)
        if len(levels.found) == before:
            return None
    levels.use(map(abs, conclusions), used)
    levels.back(used)
    found = levels.found
    return Case(atom, tuple(found[i - 1]._replace(literals=tuple(sorted(used[i]))) for i in sorted(used) if i))


def _add_among(levels: Levels, ground: GroundRules, rules: Sequence[int]) -> None:
    """Add what the candidates of a rule all exclude."""
    for rule in rules:
        atoms, then = ground.rules[rule].atoms, levels.then
        left = tuple(sorted(atoms - then.keys()))
        few = 1 < len(left) <= _MOST_AMONG and not any(map(then.get, atoms))
        if few and ground.rules[rule].needs_one():
            for other in rules:
                if other != rule and ground.rules[other].atoms.issuperset(left):
                    formula = ground.rules[other].formula
                    every = [consequences_of_formula(formula, {atom: True}) or frozenset() for atom in left]
                    excluded = [one for one in frozenset.intersection(*every) if one < 0]
                    levels.add((rule, other), excluded, left, needs=atoms & levels.own.keys())
