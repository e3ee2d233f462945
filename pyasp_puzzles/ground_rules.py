"""The named rules of a grounded program, each as a formula over the atoms that are a matter of choice.

A rule holds where its `violated` atom does not. What that atom rests on is followed down to the atoms that a choice
leaves open; what is known of those is what a player writes into the cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clingo.backend import Observer

from .deadline import Deadline
from .formula import Formula, Threshold, negation, simplified

if TYPE_CHECKING:
    from collections.abc import Sequence


LARGEST = 1000
"""Literals of a formula; a path over a board of 5x5, unfolded, would have millions."""
DEEPEST = 60
"""Definitions that rest on one another; beyond, Python would run out of stack."""


class GroundRules(Observer):
    """The ground rules, taken down while a program is grounded.

    When it is too late, that grounding ends: whoever is told of rules can do what nobody else can. It has to, for a
    thread that is still told of them when Python ends would end it with a crash.
    """

    def __init__(self, deadline: Deadline | None = None) -> None:
        self._late = (deadline or Deadline()).late
        self.open: set[int] = set()
        """The atoms that a choice leaves open."""
        self._bodies: dict[int, list[Threshold]] = {}
        self._formulas: dict[int, Formula] = {}
        self._visited: set[int] = set()
        self._sizes: dict[int, int] = {}
        """How many literals the formula of an atom has, about."""

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:  # noqa: FBT001 (the form is clingo's)
        """Take down a rule: its body holds where all of its literals do."""
        self._take(choice, head, len(body), [(literal, 1) for literal in body])

    def weight_rule(
        self,
        choice: bool,  # noqa: FBT001 (the form is clingo's)
        head: Sequence[int],
        lower_bound: int,
        body: Sequence[tuple[int, int]],
    ) -> None:
        """Take down a rule: its body holds where the literals that hold weigh enough."""
        self._take(choice, head, lower_bound, body)

    def _take(self, choice: bool, head: Sequence[int], bound: int, body: Sequence[tuple[int, int]]) -> None:  # noqa: FBT001
        if self._late():
            raise TimeoutError  # clingo makes another of this class, and gives it this one as its argument
        for atom in head:
            if choice or len(head) > 1:
                self.open.add(atom)
            else:
                parts = tuple((weight, literal) for literal, weight in body)
                self._bodies.setdefault(atom, []).append(Threshold(bound, parts))

    def holds(self, violated: int, relaxed: int, guard: int) -> Formula:
        """Return what holds where a rule is not broken: it is not violated, or the encoding itself relaxes it.

        An atom that rests on itself is left open: what follows is then less than could be, and never wrong.

        Args:
            violated: the rule's `violated` atom; 0 if that is a fact.
            relaxed: its `relaxed` atom, likewise.
            guard: the literal by which it is not broken.
        """
        satisfied = negation(self._formula(violated)) if violated else False
        excused = simplified(self._formula(relaxed), {abs(guard): guard > 0}) if relaxed else True
        return simplified(Threshold(1, ((1, satisfied), (1, excused))), {})

    def _formula(self, literal: int, depth: int = 0) -> Formula:
        """Return what an atom comes to; one that rests on itself, or on too much, is left open."""
        atom = abs(literal)
        if atom not in self._formulas:
            if atom in self.open or atom in self._visited or depth > DEEPEST:
                return literal
            self._visited.add(atom)
            bodies = tuple((1, self._body(body, depth + 1)) for body in self._bodies.get(atom, ()))
            found = _plain(Threshold(1, bodies))
            self._sizes[atom] = sum(self._sizes.get(abs(part), 1) for part in self._rests_on(atom))
            self._formulas[atom] = atom if self._sizes[atom] > LARGEST else found
            if self._sizes[atom] > LARGEST:
                self._sizes[atom] = 1
        found = self._formulas[atom]
        return found if literal > 0 else negation(found)

    def _rests_on(self, atom: int) -> list[int]:
        return [part for body in self._bodies.get(atom, ()) for _, part in body.parts if isinstance(part, int)]

    def _body(self, body: Threshold, depth: int) -> Formula:
        return _plain(
            Threshold(
                body.bound,
                tuple((weight, self._formula(part, depth)) for weight, part in body.parts if isinstance(part, int)),
            )
        )


def _plain(formula: Threshold) -> Formula:
    return simplified(formula, {})
