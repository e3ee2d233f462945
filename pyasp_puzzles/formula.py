"""Formulas: what a named rule demands, and what follows from one or a few of them.

Literal    5, -5: atom 5 holds, atom 5 does not hold
Threshold  Threshold(2, ((1, 5), (1, -6), (2, 7))): the parts that hold weigh 2 or more
Formula    a literal, a threshold, True or False; "and" and "or" are thresholds as well
Known      {5: True, 6: False}: what is known of atoms

What follows is asked of clingo, once for every shape that formulas have: that exactly one of four atoms holds has one
shape, whichever atoms these are.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .search import Search

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MOST_SHAPES = 2000
"""Shapes of formulas of which is remembered what follows; to explain a board takes some hundred."""


class Threshold(NamedTuple):
    """Parts with weights: those that hold weigh at least the bound."""

    bound: int
    parts: tuple[tuple[int, Formula], ...]


Formula: TypeAlias = "bool | int | Threshold"


def negation(formula: Formula) -> Formula:
    """Return the formula that holds just where this one does not."""
    if isinstance(formula, bool):
        return not formula
    if isinstance(formula, int):
        return -formula
    total = sum(weight for weight, _ in formula.parts)
    return Threshold(total - formula.bound + 1, tuple((weight, negation(part)) for weight, part in formula.parts))


def simplified(formula: Formula, known: Mapping[int, bool]) -> Formula:
    """Return what remains of a formula where something is known."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, int):
        value = known.get(abs(formula))
        return formula if value is None else value is (formula > 0)
    bound, left = formula.bound, 0
    rest = []
    for weight, part in formula.parts:
        remains = simplified(part, known)
        if remains is True:
            bound -= weight
        elif remains is not False:
            rest.append((weight, remains))
            left += weight
    if bound <= 0:
        return True
    if left < bound:
        return False
    return rest[0][1] if len(rest) == 1 else Threshold(bound, tuple(rest))


def literals(formula: Formula) -> Iterator[int]:
    """Yield the literals of a formula, from left to right, some of them twice."""
    if isinstance(formula, Threshold):
        for _, part in formula.parts:
            yield from literals(part)
    elif not isinstance(formula, bool):
        yield formula


def forced(formulas: Sequence[Formula]) -> frozenset[int] | None:
    """Return the literals that hold wherever all the formulas hold; None if they cannot hold together."""
    if any(formula is False for formula in formulas):
        return None
    formulas = [formula for formula in formulas if formula is not True]
    numbers: dict[int, list[int]] = {}
    for i, formula in enumerate(formulas):
        for literal in literals(formula):
            where = numbers.setdefault(abs(literal), [])
            if not where or where[-1] != i:
                where.append(i)
    atoms = sorted(numbers, key=numbers.__getitem__)  # those that the formulas share stand together
    number = {atom: i for i, atom in enumerate(atoms, 1)}
    found = _forced(tuple(_renumbered(formula, number) for formula in formulas))
    return found and frozenset(atoms[abs(i) - 1] * (1 if i > 0 else -1) for i in found)


def _renumbered(formula: Formula, number: Mapping[int, int]) -> Formula:
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, int):
        return number[formula] if formula > 0 else -number[-formula]
    parts = [(weight, _renumbered(part, number)) for weight, part in formula.parts]
    return Threshold(formula.bound, tuple(sorted(parts, key=_rank)))


def _rank(part: tuple[int, Formula]) -> tuple[int, int]:
    weight, formula = part
    return (weight, formula if isinstance(formula, int) else 0)


@lru_cache(maxsize=MOST_SHAPES)
def _forced(shape: tuple[Formula, ...]) -> frozenset[int] | None:
    """Return what follows from formulas whose atoms are 1, 2, 3 and so on."""
    atoms = {abs(literal) for formula in shape for literal in literals(formula)}
    lines = [f"{{ holds({atom}) }}. fails({atom}) :- not holds({atom})." for atom in sorted(atoms)]
    for formula in shape:
        lines.append(f":- not {_written(formula, lines)}.")
    search = Search([], "\n".join([*lines, "#show holds/1. #show fails/1. #project holds/1. #project fails/1."]))
    told = search.consequences("cautious")
    if told is None:
        return None
    return frozenset(atom.arguments[0].number * (1 if atom.name == "holds" else -1) for atom in told)


def _written(formula: Formula, lines: list[str]) -> str:
    """Return an atom that holds just where a formula does, having written the lines that define it."""
    if isinstance(formula, bool):
        return "#true" if formula else "#false"
    if isinstance(formula, int):
        return f"holds({formula})" if formula > 0 else f"fails({-formula})"
    parts = "; ".join(f"{weight},{i} : {_written(part, lines)}" for i, (weight, part) in enumerate(formula.parts))
    name = f"part({len(lines)})"
    lines.append(f"{name} :- #sum {{ {parts} }} >= {formula.bound}.")
    return name


def cover(choices: Iterable[Sequence[int]]) -> set[int]:
    """Return one of each of the choices, few in all: each time the one that most of the others have."""
    left = [set(choice) for choice in choices]
    chosen: set[int] = set()
    while left:
        best = max(sorted(set().union(*left)), key=lambda one: sum(one in choice for choice in left))
        chosen.add(best)
        left = [choice for choice in left if best not in choice]
    return chosen
