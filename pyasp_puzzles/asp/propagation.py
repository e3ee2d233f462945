"""`Propagation`, whether unit propagation alone finds the answer of a program: clingo never has to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clingo.propagator import Propagator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clingo import Assignment
    from clingo.propagator import PropagateInit

    from pyasp_puzzles.asp.search import Search


class Propagation:
    """Asks a search whether it needs decisions. All further questions to the search are slower by its looking on."""

    def __init__(self, search: Search) -> None:
        self._watch = _Watch()
        search.register(self._watch)

    def suffices(self, search: Search, literals: Sequence[int]) -> bool:
        """Return whether unit propagation alone finds a model of literals, the only assumptions.

        Args:
            search: the search, or another one on the same grounding.
            literals: the assumptions.
        """
        self._watch.decided = False
        found, _ = search.solve_here(literals, 1, lambda _: not self._watch.decided)
        return bool(found) and found[0]


class _Watch(Propagator):
    """Notes whether clingo had to decide anything."""

    def __init__(self) -> None:
        self.decided = False

    def init(self, init: PropagateInit) -> None:
        """Watch no literal."""

    def decide(self, thread_id: int, assignment: Assignment, fallback: int) -> int:
        """Note the decision, and leave it to clingo."""
        del thread_id, assignment, fallback
        self.decided = True
        return 0
