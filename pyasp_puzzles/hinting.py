"""Hints: the next step on a board that is partly filled, or which of its entries are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import listing
from .explaining import explain
from .query import Question, ask
from .settings import DEFAULT, Settings
from .step import Step
from .symbols import cell_of
from .wording import term, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clingo import Symbol

    from .puzzle import Answer, Instance


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
    """
    if so_far is not None and so_far.atoms():
        found = _mistake(instance, so_far.atoms(), settings)
        if found is not None:
            return found
    return next(iter(explain(instance, settings, so_far)))


def _mistake(instance: Instance, entries: Sequence[Symbol], settings: Settings) -> Step | None:
    """Return the step that takes back the fewest entries so that the rest can be completed; None if all may stay."""
    said = {instance.facts.renamed(atom): atom for atom in entries}
    given = "".join(f"said({atom}).\n{_stands(atom)}" for atom in said)
    search = ask(instance, settings, Question(("relaxed/1", "filled/2"), ("entries",), given, words=True))
    best = search.best()
    if not search.exhausted:
        return Step(1, "end", "Out of time.", status="unknown")
    wrong = {atom.arguments[0].arguments[0] for atom in best or () if atom.name == "relaxed"}
    if not wrong:
        return None
    called = {atom.arguments[0]: atom.arguments[1] for atom in best or () if atom.name == "filled"}
    names = [words(called[entry], {}) if entry in called else term(entry, {}) for entry in sorted(wrong)]
    eliminated = [said.get(entry, entry) for entry in sorted(wrong)]
    return Step(1, "mistake", _words(names), cells=_cells(eliminated), eliminated=tuple(eliminated))


def _stands(atom: Symbol) -> str:
    """Return the lines by which an entry stands where the answer says so too."""
    if atom.name in {"over", "ribbon"}:
        return ""
    return f"#defined {atom.name}/{len(atom.arguments)}.\nstands({atom}) :- {atom}.\n"


def _words(names: Sequence[str]) -> str:
    many = len(names) > 1
    return f"Take back {listing(names, 'and')}: with {'them' if many else 'it'} there is no answer."


def _cells(atoms: Iterable[Symbol]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(filter(None, map(cell_of, atoms))))
