"""Hints: the next step on a board that is partly filled, or which of its entries are wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .errors import OutOfTime, listing
from .explaining import explain
from .instance import instance_of
from .peeling import OTHERS
from .query import Question, ask, solutions
from .review import wrong_entries
from .settings import DEFAULT, Settings
from .step import OUT_OF_TIME, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .instance import InstanceLike
    from .puzzle import Answer, Instance


def hint(instance: InstanceLike, so_far: Answer | None = None, settings: Settings = DEFAULT) -> Step:
    """Return the next step of a board, and no more.

    If what is filled in is wrong already, the step is of the kind "mistake": its `eliminated` are the fewest entries to
    take back so that an answer is left, but not the answer. If nothing is left to find, or the board has no answer,
    it is the "end".

    Args:
        instance: the board.
        so_far: what is filled in already, beside the clues.
        settings: how to search, and what with.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out before there was one.
    """
    step = next_step(instance_of(instance, settings), so_far, settings)
    if step.timed_out:
        raise OutOfTime
    return step


def next_step(instance: Instance, so_far: Answer | None = None, settings: Settings = DEFAULT) -> Step:
    """Return what `hint` does, or an "end" that says that time ran out."""
    settings = settings.started()
    found = _mistake(instance, so_far, settings) if so_far is not None else _unsolvable(instance, settings)
    if found is not None:
        return found
    step = next(iter(explain(instance, settings, so_far)))
    edited = settings.encoding is not None or settings.extra
    if edited and instance.puzzle.steps and step.kind != "end":  # the end would say so, but a hint has none
        return replace(step, words=f"{step.words} {OTHERS}")
    return step


def _mistake(instance: Instance, so_far: Answer, settings: Settings) -> Step | None:
    """Return the step that takes back the fewest entries so that the rest can be completed; None if all may stay."""
    search = ask(instance, settings, Question(instance.puzzle.view().outputs))
    entries = [] if not search.usable else instance.puzzle.kind.entries(instance, so_far, search, so_far=True)
    wrong = wrong_entries(instance, entries, search)
    if not search.exhausted:
        return Step(1, "end", OUT_OF_TIME, status="unknown", abandoned=search.abandoned)
    if wrong is None:
        return _NONE
    if not wrong:
        return None
    meaning = {entry.atom: (entry.cells[0], entry.value) for entry in wrong if entry.value is not None}
    return Step(
        1,
        "mistake",
        _words([entry.words for entry in wrong]),
        cells=tuple(sorted({cell for entry in wrong for cell in entry.cells})),
        eliminated=tuple(entry.atom for entry in wrong),
        meaning=meaning,
    )


def _unsolvable(instance: Instance, settings: Settings) -> Step | None:
    """Return the step that says that a board has no answer; None if it has one."""
    found = solutions(instance, 1, settings)
    return _NONE if next(found, None) is None and found.complete else None


_NONE = Step(1, "end", "The board has no answer: there is no step that leads to it.", status="none")


def _words(names: Sequence[str]) -> str:
    many = len(names) > 1
    return f"Take back {listing(names, 'and')}: with {'them' if many else 'it'} there is no answer."
