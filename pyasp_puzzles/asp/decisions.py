"""`Decisions`, a propagator that notes whether clingo decides a literal, or decides literals in a given order."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from clingo.propagator import Propagator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from clingo import Assignment, Model
    from clingo.propagator import PropagateInit

    from pyasp_puzzles.asp.deadline import Result
    from pyasp_puzzles.asp.search import Search

# Decisions per group before the rest is left to clingo: in random order, a few boards take far too many.
MOST_DECISIONS = 10


class Decisions(Propagator):
    """A propagator that observes or takes decisions. Create it before the first question of the search.

    Questions may come from another search on the same grounding.
    """

    def __init__(self, search: Search) -> None:
        # Whether there was any decision since a question began.
        self._decided = False
        self._groups: Sequence[Sequence[int]] = ()
        # How many decisions are still taken in order.
        self._left: float = 0
        # The groups, as literals of the solver.
        self._solver: list[list[int]] = []
        # {decision level: how many of the first groups have a literal that holds there}
        self._settled: dict[int, int] = {}
        search.register(self)

    def needless(self, search: Search, literals: Sequence[int], model: Iterable[int]) -> bool:
        """Return whether unit propagation alone leads from literals to a model; errors as for `first`.

        Decisions follow the given model, so there is no conflict. From a conflict, clingo would learn a nogood, which
        propagates more in the next question.
        """
        self._decided = False
        result, _ = self.first(search, [[literal] for literal in model], lambda _: not self._decided, given=literals)
        return bool(result)

    def first(
        self,
        search: Search,
        groups: Sequence[Sequence[int]],
        read: Callable[[Model], Result],
        most: int | None = None,
        given: Sequence[int] = (),
    ) -> tuple[Result | None, bool]:
        """Return what is read from the lexicographically first model: each group's first possible literal is true.

        None if there is no model, or none within `most` conflicts. The literals `given` are assumptions.

        Which literal is possible depends on those of earlier groups. Deciding in this order finds that model, because
        learned nogoods hold in all models. The second value is false if this takes too many decisions, and no limit of
        conflicts is given: then clingo decides the rest in its own order, and finds another model.

        Raises:
            OutOfTime: time ran out.
        """
        self._groups, self._left = groups, MOST_DECISIONS * len(groups) if most is None else inf
        try:
            results = search.find(given, 1, read, most=most)
        finally:
            self._groups = ()
        return results[0] if results else None, self._left > 0

    def init(self, init: PropagateInit) -> None:
        """Look up the literals of the groups; watch none."""
        self._solver = [[init.solver_literal(literal) for literal in group] for group in self._groups]
        self._settled = {}

    def decide(self, thread_id: int, assignment: Assignment, fallback: int) -> int:
        """Return the next literal in order; 0 leaves the decision to clingo."""
        del thread_id, fallback
        self._decided = True
        self._left -= 1
        if self._left <= 0:
            return 0
        level = assignment.decision_level
        first = self._settled.get(level - 1, 0)
        for i in range(first, len(self._solver)):
            for literal in self._solver[i]:
                value = assignment.value(literal)
                if value is None:
                    self._settled[level] = i
                    return literal
                if value:
                    break
        return 0
