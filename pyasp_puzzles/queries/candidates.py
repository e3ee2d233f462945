"""True candidates: what every cell may hold in some answer, and in how many, while a board is being made.

Candidate  (1, 2), "3": what an answer has in a cell, as text; "x" and "o" for shaded and not shaded
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.arguments import whole_number
from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.formats.load import instance_of
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.queries.solve import search_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.formats.load import InstanceLike
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance


class TrueCandidates(NamedTuple):
    """What the answers of a board have in common, and what is possible in some.

    `TrueCandidates(2, decided=<Numbers>, possible=<Candidates>, counts={(1, 1): {"1": 3, "2": 1}})`
    """

    answers: int
    """0, 1, or 2 for several."""
    decided: Answer | None = None
    """What holds in every answer; None without one."""
    possible: Answer | None = None
    """What holds in some answer; None without one."""
    counts: Mapping[Cell, Mapping[str, int]] = {}
    """In how many answers each cell holds what it may hold, up to the limit. Empty for answers that are not made of
    what single cells hold."""
    late: bool = False
    """Whether time ran out before all was known."""


def true_candidates(instance: InstanceLike, limit: int = 1, settings: Settings = DEFAULT) -> TrueCandidates:
    """Return what is decided and what is possible on a board.

    Args:
        instance: the board.
        limit: up to how many answers are counted for each candidate; 1 only tells which there are.
        settings: how to search.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out before it was known whether there is an answer.
    """
    limit = whole_number(limit, "limit", 1)
    instance, settings = instance_of(instance, settings), settings.started()
    view = instance.puzzle.view()
    search = search_of(instance, view, settings)
    first = list(search.models(2))
    if not first and not search.exhausted:
        raise OutOfTime
    if not first:
        return TrueCandidates(0)
    found = len(first) if search.exhausted else 2
    kind, known = instance.puzzle.kind, [search.consequences(way) for way in ("cautious", "brave")]
    always, sometimes = known
    if always is None or sometimes is None or not search.exhausted:
        return TrueCandidates(found, late=True)
    decided = kind.consequences(instance, "decided", always, sometimes if kind.two_valued else ())
    possible = kind.consequences(instance, "possible", always if kind.two_valued else (), sometimes)
    try:
        counts = _counts(instance, search, set(always), set(sometimes), limit)
    except OutOfTime:
        return TrueCandidates(found, decided, possible, late=True)
    return TrueCandidates(found, decided, possible, counts)


def _counts(
    instance: Instance, search: Search, always: Collection[Symbol], sometimes: Collection[Symbol], limit: int
) -> dict[Cell, dict[str, int]]:
    """Return {cell: {what it may hold: in how many answers}}, each up to the limit."""
    kind = instance.puzzle.kind
    read = kind.atom_reader(search)
    literals: dict[Symbol, int] = {}
    for name, arity in instance.puzzle.view().signatures():
        literals |= search.atoms(name, arity)
    about = {atom: place for atom in literals if (place := read(atom)) is not None}
    if len(about) < len(literals) or kind.cells_left_over:
        return {}
    found: dict[Cell, dict[str, int]] = {}
    # Boards with few answers, as most have while the last clues are set, need one search, not one for each candidate.
    models = [set(model) for model in search.models(limit * Limits.ANSWERS_OF_A_CANDIDATE)] if limit > 1 else []
    if search.timed_out:
        raise OutOfTime
    exact = bool(models) and search.exhausted
    for atom, (cell, value) in sorted(about.items(), key=lambda one: one[1][0]):
        forms = [(True, "x"), (False, "o")] if kind.two_valued else [(True, str(value))]
        for holds, token in forms:
            if atom not in sometimes if holds else atom in always:
                continue
            number = sum((atom in model) is holds for model in models) if limit > 1 else 1
            if number < limit and not exact:
                number = _count(search, literals[atom], limit, holds=holds)
            if number:
                found.setdefault(cell, {})[token] = min(number, limit)
    return found


def _count(search: Search, literal: int, limit: int, *, holds: bool) -> int:
    """Return the number of answers in which an atom holds, or does not; at most the limit."""
    if not literal and not holds:  # it is a fact
        return 0
    assumed = [*search.assumed, *([literal if holds else -literal] if literal else [])]
    models, _ = search.solve_here(assumed, limit, lambda _: None)
    if search.timed_out:
        raise OutOfTime
    return len(models)


def tokens(answer: Answer | None) -> dict[Cell, str]:
    """Return what an answer has in each cell, as text; cells of one piece have the same number."""
    if answer is None:
        return {}
    numbers: dict[object, str] = {}
    return {cell: _token(value, numbers) for cell, value in answer.cells().items() if value is not None}


def _token(value: object, numbers: dict[object, str]) -> str:
    if isinstance(value, bool):
        return "x" if value else "o"
    if isinstance(value, tuple):  # the cells of a piece; or the direction of a ribbon, and its color
        return numbers.setdefault(value, str(len(numbers) + 1)) if _cells(value) else str(value[-1] or "")
    return str(value)


def _cells(value: Iterable[object]) -> bool:
    return all(isinstance(part, tuple) for part in value)


def possible_tokens(found: TrueCandidates) -> dict[Cell, Sequence[str]]:
    """Return what each cell may hold; {} for answers that are not made of what single cells hold."""
    if found.counts:
        return {cell: list(of) for cell, of in found.counts.items()}
    candidates: Mapping[Cell, tuple[int, ...]] = vars(found.possible).get("candidates", {}) if found.possible else {}
    return {cell: [*map(str, values)] for cell, values in candidates.items()}
