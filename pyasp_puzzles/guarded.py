"""`Guarded`, a search that is asked many small questions: which literals cannot hold together."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from .query import Question, assembled
from .search import Search

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from .ground_rules import GroundRules
    from .puzzle import Instance
    from .settings import Settings

Part = TypeVar("Part")

CONFLICTS = 1000
"""Conflicts after which a search that nothing can interrupt pauses, to look whether it is to go on."""


class Guarded(Search):
    """A search whose rules are switched on and off by the literals that are assumed."""

    def settle(self, literals: Iterable[int]) -> None:
        """Let literals hold from now on."""
        with self._working() as control:
            if control is not None:
                with control.backend() as backend:
                    for literal in literals:
                        backend.add_rule([], [-literal])

    def refute(self, literals: Sequence[int]) -> list[int] | None:
        """Return some of the literals that cannot hold together, or None if they can, or if time ran out.

        No thread is made for it, which would take twice as long as most of the answers.
        """
        self.exhausted = False
        conflicts = CONFLICTS
        while not self.exhausted and not self._late():
            with self._working() as control:
                if control is None:
                    return None
                self._configure(models="1", enum_mode=self._mode, solve_limit=str(conflicts))
                with control.solve(literals, yield_=True) as handle:
                    result = handle.get()
                    self.exhausted = not result.unknown
                    if result.unsatisfiable:
                        return list(handle.core())
            conflicts *= 2
        self.timed_out = not self.exhausted
        return None


def guarded(
    instance: Instance, settings: Settings, observer: GroundRules | None = None, *, alike: bool = False
) -> Guarded:
    """Return the search in which each rule of an instance has a guard.

    Args:
        instance: the board.
        settings: how to search, and what with.
        observer: who takes down the ground rules; the words for the rules are loaded then.
        alike: whether the search is for all boards that are alike but for their clues.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    outputs = instance.puzzle.view().outputs
    clues = instance.puzzle.clues
    hidden = not any(instance.facts.arguments(name) for name in clues)
    question = Question(
        outputs,
        ("broken",),
        "session.\n" if alike else "",
        files=("words",) if observer is not None else (),
        without=clues if alike else (),
        pruned=alike or hidden,  # what clues exclude while grounding would have no reason that can be told
    )
    return Guarded(*assembled(instance, settings, question), settings, observer)


def shrunk(parts: list[Part], core: Callable[[list[Part]], Collection[Part] | None]) -> list[Part]:
    """Return parts of which none can be left out, in the order given.

    Args:
        parts: what suffices.
        core: a function that returns those of some parts that suffice, or None if they do not.
    """
    i = 0
    while i < len(parts):
        found = core(parts[:i] + parts[i + 1 :])
        if found is None:
            i += 1
        else:
            kept = set(found)
            parts = [part for part in parts if part in kept]
    return parts
