"""Hints: the next step on a board that is partly filled, or which of its entries are wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import OutOfTime, listing
from pyasp_puzzles.explanation.explain import explain
from pyasp_puzzles.explanation.peeling import OTHERS
from pyasp_puzzles.formats.load import instance_of
from pyasp_puzzles.puzzles.step import OUT_OF_TIME, Step
from pyasp_puzzles.queries.review import wrong_entries
from pyasp_puzzles.queries.solve import unsolvable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyasp_puzzles.formats.load import InstanceLike
    from pyasp_puzzles.puzzles.answer import Answer
    from pyasp_puzzles.puzzles.puzzle import Instance


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
    if so_far is not None:
        found = _mistake(instance, so_far, settings)
        if found is not None:
            return found
    elif unsolvable(instance, settings):
        return _NONE
    step = next(iter(explain(instance, settings, so_far)))
    # An explanation says this at its end, which a hint does not show.
    if settings.edited and instance.puzzle.kind.peeled and step.kind != "end":
        return replace(step, words=f"{step.words} {OTHERS}")
    return step


def _mistake(instance: Instance, so_far: Answer, settings: Settings) -> Step | None:
    """Return the step that takes back the fewest entries so that the rest can be completed; None if all may stay."""
    wrong, search = wrong_entries(instance, so_far, settings, so_far=True)
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


_NONE = Step(1, "end", "The board has no answer: there is no step that leads to it.", status="none")


def _words(names: Sequence[str]) -> str:
    many = len(names) > 1
    return f"Take back {listing(names, 'and')}: with {'them' if many else 'it'} there is no answer."
