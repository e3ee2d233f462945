"""Hints: the next step on a board that is partly filled, or which of its entries are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import OutOfTime, listing
from .explaining import explain
from .query import Question, ask
from .settings import DEFAULT, Settings
from .step import OUT_OF_TIME, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .puzzle import Answer, Entry, Instance
    from .search import Search


def hint(instance: Instance, so_far: Answer | None = None, settings: Settings = DEFAULT) -> Step:
    """Return the next step of a board, and no more.

    If what is filled in is wrong already, the step is of the kind "mistake": its `eliminated` are the fewest entries to
    take back so that an answer is left, but not the answer. If nothing is left to find, it is the "end".

    Args:
        instance: the board.
        so_far: what is filled in already, beside the clues.
        settings: how to search, and what with.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out before there was one.
    """
    step = next_step(instance, so_far, settings)
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
    return next(iter(explain(instance, settings, so_far)))


def _mistake(instance: Instance, so_far: Answer, settings: Settings) -> Step | None:
    """Return the step that takes back the fewest entries so that the rest can be completed; None if all may stay."""
    search = ask(instance, settings, Question(instance.puzzle.view().outputs))
    entries = [] if not search.usable else instance.puzzle.kind.entries(instance, so_far, search, so_far=True)
    wrong = wrong_entries(instance, entries, search)
    if not search.exhausted:
        return Step(1, "end", OUT_OF_TIME, status="unknown", abandoned=search.abandoned)
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


def wrong_entries(instance: Instance, entries: Sequence[Entry], search: Search) -> list[Entry]:
    """Return the fewest entries to take back so that the rest can be completed; none if there is no answer anyway."""
    literals = {
        symbol: literal
        for name, arity in instance.puzzle.view().signatures()
        for symbol, literal in search.atoms(name, arity).items()
    }
    impossible = [entry for entry in entries if any(atom not in literals for atom in entry.holds)]
    rest = [entry for entry in entries if entry not in impossible]
    groups = [
        [literals[atom] for atom in entry.holds if atom and literals[atom]]
        + [-literals[atom] for atom in entry.fails if atom in literals]
        for entry in rest
    ]
    given_up = search.fewest(groups)
    return (
        sorted([*impossible, *(rest[i] for i in given_up)], key=lambda entry: entry.atom)
        if given_up is not None
        else []
    )


def _words(names: Sequence[str]) -> str:
    many = len(names) > 1
    return f"Take back {listing(names, 'and')}: with {'them' if many else 'it'} there is no answer."
