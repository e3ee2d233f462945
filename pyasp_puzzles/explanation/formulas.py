"""Propositional formulas with weights, and the literals that follow from them.

Literal    5, -5: atom 5 holds, atom 5 does not hold
Threshold  Threshold(2, ((1, 5), (1, -6), (2, 7))): the parts that hold weigh 2 or more
Formula    a literal, a threshold, True or False; "and" and "or" are thresholds as well
Known      {5: True, 6: False}: the atoms whose truth is known

clingo computes consequences once for each shape of formulas: "exactly one of four atoms holds" is one shape, whichever
atoms these are. An explanation of a whole board needs some hundred shapes. A `FormulaSearch` answers many questions
about the same formulas.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pyasp_puzzles.asp.search import Search

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clingo.backend import Backend

    from pyasp_puzzles.asp.settings import Settings


MOST_SHAPES = 2000
"""Shapes of formulas whose consequences are cached."""
MOST_FORMULAS = 5000
"""Formulas whose shape is cached: the rules of a few boards."""
MOST_KNOWN = 20_000
"""Shapes with what is known of their atoms whose consequences are cached."""


class Threshold(NamedTuple):
    """Holds if the weights of the parts that hold add up to the bound or more."""

    bound: int
    parts: tuple[tuple[int, Formula], ...]


Formula: TypeAlias = "bool | int | Threshold"


def negate(formula: Formula) -> Formula:
    """Return the negation of a formula."""
    if isinstance(formula, bool):
        return not formula
    if isinstance(formula, int):
        return -formula
    total = sum(weight for weight, _ in formula.parts)
    return Threshold(total - formula.bound + 1, tuple((weight, negate(part)) for weight, part in formula.parts))


def simplify(formula: Formula, known: Mapping[int, bool]) -> Formula:
    """Return what remains of a formula when the truth of some atoms is known."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, int):
        value = known.get(abs(formula))
        return formula if value is None else value is (formula > 0)
    bound, total = formula.bound, 0
    parts = []
    for weight, part in formula.parts:
        remainder: Formula
        if type(part) is int:  # as below, but most parts are literals, and a call takes longer
            value = known.get(abs(part))
            remainder = part if value is None else value is (part > 0)
        else:
            remainder = simplify(part, known)
        if remainder is True:
            bound -= weight
        elif remainder is not False:
            parts.append((weight, remainder))
            total += weight
    if bound <= 0:
        return True
    if total < bound:
        return False
    return parts[0][1] if len(parts) == 1 else Threshold(bound, tuple(parts))


def literals(formula: Formula) -> Iterator[int]:
    """Yield the literals of a formula, from left to right, with repetitions."""
    if isinstance(formula, Threshold):
        for _, part in formula.parts:
            yield from literals(part)
    elif not isinstance(formula, bool):
        yield formula


def consequences(formulas: Sequence[Formula]) -> frozenset[int] | None:
    """Return the literals that hold whenever all the formulas hold; None if the formulas cannot hold together."""
    if any(formula is False for formula in formulas):
        return None
    formulas = [formula for formula in formulas if formula is not True]
    number: dict[int, int] = {}
    if len(formulas) > 1:
        # Atoms are renumbered by the formulas that they occur in, so that more formulas have the same shape.
        formulas_of: dict[int, list[int]] = {}
        for i, formula in enumerate(formulas):
            for literal in literals(formula):
                numbers = formulas_of.setdefault(abs(literal), [])
                if not numbers or numbers[-1] != i:
                    numbers.append(i)
        number = {atom: i for i, atom in enumerate(sorted(formulas_of, key=formulas_of.__getitem__), 1)}
    found = _shape_consequences(tuple(_renumber(formula, number) for formula in formulas))
    if not found:
        return found
    atoms = list(number)
    return frozenset(atoms[abs(i) - 1] * (1 if i > 0 else -1) for i in found)


def consequences_of(formula: Formula, known: Mapping[int, bool]) -> frozenset[int] | None:
    """Return what follows from a formula where some atoms are known; None if it cannot hold.

    This is `consequences([simplify(formula, known)])`, cached for all formulas of a shape. Most rules of a board have
    the same shape, so the steps of an easy board take two thirds of the time.
    """
    shape, atoms = _shape(formula)
    found = _forced(shape, tuple([known.get(atom) for atom in atoms]))
    return found and frozenset([atoms[abs(i) - 1] * (1 if i > 0 else -1) for i in found])


class _Shape:
    """A formula over the atoms 1, 2, 3 and so on. It is compared by identity, which is quick."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula


_shape_of = lru_cache(maxsize=MOST_SHAPES)(_Shape)


@lru_cache(maxsize=MOST_FORMULAS)
def _shape(formula: Formula) -> tuple[_Shape, tuple[int, ...]]:
    """Return the shape of a formula, and its atoms in the order of their numbers there."""
    number: dict[int, int] = {}
    return _shape_of(_renumber(formula, number)), tuple(number)


@lru_cache(maxsize=MOST_KNOWN)
def _forced(shape: _Shape, values: tuple[bool | None, ...]) -> frozenset[int] | None:
    known = {atom: value for atom, value in enumerate(values, 1) if value is not None}
    return consequences([simplify(shape.formula, known)])


def _renumber(formula: Formula, number: dict[int, int]) -> Formula:
    """Return a formula with other numbers for its atoms; atoms that have none yet get the next ones."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, int):
        new = number.setdefault(abs(formula), len(number) + 1)
        return new if formula > 0 else -new
    parts = [(weight, _renumber(part, number)) for weight, part in formula.parts]
    parts.sort(key=_order)
    return Threshold(formula.bound, tuple(parts))


def _order(part: tuple[int, Formula]) -> tuple[int, int]:
    weight, formula = part
    return weight, formula if isinstance(formula, int) else 0


@lru_cache(maxsize=MOST_SHAPES)
def _shape_consequences(shape: tuple[Formula, ...]) -> frozenset[int] | None:
    """Return the consequences of formulas over the atoms 1, 2, 3 and so on."""
    atoms = {abs(literal) for formula in shape for literal in literals(formula)}
    lines = [f"{{ holds({atom}) }}. fails({atom}) :- not holds({atom})." for atom in sorted(atoms)]
    for formula in shape:
        lines.append(f":- not {_condition(formula, lines)}.")
    search = Search([], "\n".join([*lines, "#show holds/1. #show fails/1. #project holds/1. #project fails/1."]))
    found = search.consequences("cautious")
    if found is None:
        return None
    return frozenset(atom.arguments[0].number * (1 if atom.name == "holds" else -1) for atom in found)


class FormulaSearch:
    """A small program of formulas alone, which answers questions ten times as fast as one of a whole board.

    Args:
        formulas: {guard: the formula that holds if the guard does}; a guard can be the formula itself.
        settings: how to search.
    """

    def __init__(self, formulas: Mapping[int, Formula], settings: Settings) -> None:
        self._search = Search([], "", settings)
        self._own: dict[int, int] = {}
        """{literal or guard: the literal of this program}"""
        # As text, the program would take five times as long.
        with self._search.backend() as backend:
            for number in {abs(literal) for formula in formulas.values() for literal in literals(formula)}:
                self._own[number] = atom = _choice(backend)
                self._own[-number] = -atom
            for guard, formula in formulas.items():
                if guard != formula:
                    self._own[guard] = _choice(backend)
                    backend.add_rule([], [self._own[guard], -self._defined(formula, backend)])

    def _defined(self, formula: Formula, backend: Backend) -> int:
        """Return a literal that holds exactly if a formula does."""
        if isinstance(formula, int) and not isinstance(formula, bool):
            return self._own[formula]
        atom: int = backend.add_atom()
        if isinstance(formula, Threshold):
            parts = [(self._defined(part, backend), weight) for weight, part in formula.parts]
            backend.add_weight_rule([atom], formula.bound, parts)
        elif formula:
            backend.add_rule([atom])
        return atom

    def refute(self, literals: Iterable[int]) -> list[int] | None:
        """Return a core of literals and guards; None if they can hold together, or if time ran out."""
        own = {self._own[literal]: literal for literal in literals if literal in self._own}
        core = self._search.refute(list(own))
        return None if core is None else [own[literal] for literal in core]

    @property
    def timed_out(self) -> bool:
        """Whether time ran out."""
        return self._search.timed_out


def _choice(backend: Backend) -> int:
    """Return a new atom that may hold."""
    atom: int = backend.add_atom()
    backend.add_rule([atom], choice=True)
    return atom


def _condition(formula: Formula, lines: list[str]) -> str:
    """Return an atom that holds exactly if a formula does, and append the rules that define it to the lines."""
    if isinstance(formula, bool):
        return "#true" if formula else "#false"
    if isinstance(formula, int):
        return f"holds({formula})" if formula > 0 else f"fails({-formula})"
    parts = "; ".join(f"{weight},{i} : {_condition(part, lines)}" for i, (weight, part) in enumerate(formula.parts))
    name = f"part({len(lines)})"
    lines.append(f"{name} :- #sum {{ {parts} }} >= {formula.bound}.")
    return name
