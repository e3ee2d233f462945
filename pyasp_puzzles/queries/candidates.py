"""True candidates: what every cell may hold in some answer, and in how many answers, to see while setting a board.

Candidate  (1, 2), "3": what an answer has in a cell, as text; "x" and "o" for shaded and not shaded
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.arguments import whole_number
from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.queries.solve import search_for_answers

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance

# Answers of a board that are looked for in one search, times the limit of counts. If there are more, candidates are
# counted one by one.
_ANSWERS_OF_A_CANDIDATE = 8


_NO_CELL = (0, 0)


class TrueCandidates(NamedTuple):
    """What the answers of a board have in common, and what is possible in some.

    `TrueCandidates(2, decided=<Numbers>, possible={(1, 1): ["1", "2"]}, counts={(1, 1): {"1": 3, "2": 1}})`
    """

    answers: int
    """0, 1, or 2 for several."""
    decided: Answer | None = None
    """What holds in every answer; None without one."""
    possible: Mapping[Cell, Sequence[str]] = {}
    """What each cell holds in some answer, for as many cells as there was time. Empty if answers do not consist of
    what single cells hold."""
    counts: Mapping[Cell, Mapping[str, int]] = {}
    """In how many answers each cell holds what it may hold, up to the limit; empty if there was no time to count."""
    late: bool = False
    """Whether time ran out before all was known."""


def true_candidates(instance: Instance, limit: int = 1, settings: Settings = DEFAULT) -> TrueCandidates:
    """Return what is decided and what is possible on a board.

    Args:
        instance: the board.
        limit: up to how many answers are counted for each candidate; 1 only tells which there are, and 0 only how many
            answers the board has.
        settings: how to search.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out before it was known whether there is an answer.
    """
    limit = whole_number(limit, "limit", 0)
    settings = settings.started()
    view = instance.puzzle.view()
    search = search_for_answers(instance, view, settings)
    first = list(search.models(2))
    if not first and not search.exhausted:
        raise OutOfTime
    found = len(first) if search.exhausted else 2
    if not first or not limit:
        return TrueCandidates(found)
    always = search.consequences("cautious")
    if always is None or not search.exhausted:
        return TrueCandidates(found, late=True)
    kind = instance.puzzle.kind
    literals = search.literals(view.signatures())
    read = kind.atom_reader(instance, search)
    places = {atom: read(atom) or (_NO_CELL, None) for atom in literals}
    ordered = sorted(literals, key=lambda atom: places[atom][0])
    seen: set[Symbol] = set().union(*first)
    left = _find(search, ordered, literals, seen) if found > 1 else []
    sometimes = [atom for atom in ordered if atom in seen or atom in left]
    decided = kind.consequences(instance, "decided", always, sometimes if kind.two_valued else ())
    if kind.cells_left_over or any(cell == _NO_CELL for cell, _ in places.values()):
        return TrueCandidates(found, decided, late=bool(left))
    without, certain = {places[atom][0] for atom in left}, set(always)
    tokens: dict[Cell, dict[str, tuple[Symbol, bool]]] = {}
    for atom in ordered:
        cell, value = places[atom]
        for holds, token in ((True, "x"), (False, "o")) if kind.two_valued else ((True, str(value)),):
            if cell not in without and (atom in seen if holds else atom not in certain):
                tokens.setdefault(cell, {})[token] = atom, holds
    possible = {cell: [*of] for cell, of in tokens.items()}
    try:
        counts = {} if left else _counts(search, tokens, literals, limit)
    except OutOfTime:
        return TrueCandidates(found, decided, possible, late=True)
    return TrueCandidates(found, decided, possible, counts, bool(left))


def _find(
    search: Search, ordered: Sequence[Symbol], literals: Mapping[Symbol, int], seen: set[Symbol]
) -> Collection[Symbol]:
    """Find an answer with each atom that is in any, one by one; return the atoms that there was no time for.

    Each answer settles all its atoms. On an empty 16x16 Sudoku this took 1.3 s; clingo's brave consequences took 4.3 s,
    and tell nothing of any cell before they end.
    """
    for i, atom in enumerate(ordered):
        if atom not in seen and literals[atom]:
            assumed = [*search.assumed, literals[atom]]
            seen.update(*search.solve_here(assumed, 1, lambda model: model.symbols(shown=True))[0])
            if search.timed_out:
                return {*ordered[i:]} - seen
    return ()


def _counts(
    search: Search,
    tokens: Mapping[Cell, Mapping[str, tuple[Symbol, bool]]],
    literals: Mapping[Symbol, int],
    limit: int,
) -> dict[Cell, dict[str, int]]:
    """Return {cell: {what it may hold: in how many answers}}, each up to the limit."""
    if limit == 1:
        return {cell: dict.fromkeys(of, 1) for cell, of in tokens.items()}
    # Boards with few answers, as most have while the last clues are set, need one search, not one for each candidate.
    models = [set(model) for model in search.models(limit * _ANSWERS_OF_A_CANDIDATE)]
    search.check()
    exact = search.exhausted

    def count(atom: Symbol, holds: bool) -> int:  # noqa: FBT001 (a pair of `tokens`)
        number = sum((atom in model) is holds for model in models)
        return number if exact or number >= limit else _count(search, literals[atom], limit, holds=holds)

    return {cell: {token: min(limit, count(*of)) for token, of in own.items()} for cell, own in tokens.items()}


def _count(search: Search, literal: int, limit: int, *, holds: bool) -> int:
    """Return the number of answers in which an atom holds, or does not; at most the limit."""
    if not literal and not holds:  # it is a fact
        return 0
    assumed = [*search.assumed, *([literal if holds else -literal] if literal else [])]
    return len(search.find(assumed, limit, lambda _: None))


def candidate_texts(answer: Answer | None) -> dict[Cell, str]:
    """Return what an answer has in each cell, as text; cells of one piece have the same number. Lines are no text."""
    if answer is None or hasattr(answer, "lines"):
        return {}
    numbers: dict[object, str] = {}
    return {cell: _token(value, numbers) for cell, value in answer.cells().items() if value is not None}


def _token(value: object, numbers: dict[object, str]) -> str:
    if isinstance(value, bool):
        return "x" if value else "o"
    if isinstance(value, tuple):  # the cells of a piece; or the direction of a ribbon, and its color
        of_cells = all(isinstance(part, tuple) for part in value)
        return numbers.setdefault(value, str(len(numbers) + 1)) if of_cells else str(value[-1] or "")
    return str(value)
