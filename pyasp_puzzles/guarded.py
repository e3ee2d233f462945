"""`Guarded`, a search that is asked many small questions: which literals cannot hold together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .query import assembled
from .search import Search

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .ground_rules import GroundRules
    from .puzzle import Instance
    from .settings import Settings

CONFLICTS = 1000
"""Conflicts after which a search that nothing can interrupt pauses, to look whether it is to go on."""


class Guarded(Search):
    """A search whose rules are switched on and off by the literals that are assumed."""

    def settle(self, literals: Iterable[int]) -> None:
        """Let literals hold from now on."""
        with self._control.backend() as backend:
            for literal in literals:
                backend.add_rule([], [-literal])

    def refute(self, literals: Sequence[int]) -> list[int] | None:
        """Return some of the literals that cannot hold together, or None if they can, or if time ran out.

        No thread is made for it, which would take twice as long as most of the answers.
        """
        self.exhausted = False
        solve = self._control.configuration.solve
        solve.models, conflicts = "1", CONFLICTS  # type: ignore[union-attr]
        try:
            while not self.exhausted and not self._late():
                solve.solve_limit = str(conflicts)  # type: ignore[union-attr]
                with self._control.solve(literals, yield_=True) as handle:
                    result = handle.get()
                    self.exhausted = not result.unknown
                    if result.unsatisfiable:
                        return list(handle.core())
                conflicts *= 2
            self.timed_out = not self.exhausted
        finally:
            solve.solve_limit = "umax"  # type: ignore[union-attr]
        return None


def guarded(instance: Instance, settings: Settings, observer: GroundRules | None = None) -> Guarded:
    """Return the search in which each rule of an instance has a guard; with the words for them, if it is observed.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    outputs = instance.puzzle.view().outputs
    paths, text = assembled(instance, settings, "explain", outputs=outputs, words=observer is not None)
    return Guarded(paths, text, settings, observer)
