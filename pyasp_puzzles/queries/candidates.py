"""True candidates: the values that a cell has in some answer, and in how many, to show while a board is set.

Candidate  (1, 2), "3": a cell and its value in an answer, as text; "x" and "o" for shaded and not shaded
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

# One search looks for this many answers, times the limit of counts. If there are more, each candidate has a search.
_ANSWERS_OF_A_CANDIDATE = 8


_NO_CELL = (0, 0)


class TrueCandidates(NamedTuple):
    """What holds in every answer of a board (cautious consequences), and what in some (brave consequences).

    `TrueCandidates(2, decided=<Numbers>, possible={(1, 1): ["1", "2"]}, counts={(1, 1): {"1": 3, "2": 1}})`
    """

    answers: int
    """0, 1, or 2 for several."""
    decided: Answer | None = None
    """What holds in every answer; None without one."""
    possible: Mapping[Cell, Sequence[str]] = {}
    """The candidates of each cell, without cells for which time ran out. Empty if answers are not values of cells."""
    counts: Mapping[Cell, Mapping[str, int]] = {}
    """The number of answers with each candidate, up to the limit; empty if there was no time to count."""
    late: bool = False
    """Whether time ran out before the result was complete."""


def true_candidates(instance: Instance, limit: int = 1, settings: Settings = DEFAULT) -> TrueCandidates:
    """Return what holds in every answer of a board, and the candidates that hold in some.

    Args:
        instance: the board.
        limit: the most answers to count for each candidate; 1 finds the candidates without counting, and 0 only the
            number of answers.
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
    number = len(first) if search.exhausted else 2
    if not first or not limit:
        return TrueCandidates(number)
    always = search.consequences("cautious")
    if always is None or not search.exhausted:
        return TrueCandidates(number, late=True)
    kind = instance.puzzle.kind
    literals = search.literals(view.signatures())
    read = kind.atom_reader(instance, search)
    places = {atom: read(atom) or (_NO_CELL, None) for atom in literals}
    ordered = sorted(literals, key=lambda atom: places[atom][0])
    seen: set[Symbol] = set().union(*first)
    left = _find(search, ordered, literals, seen) if number > 1 else []
    sometimes = [atom for atom in ordered if atom in seen or atom in left]
    decided = kind.consequences(instance, "decided", always, sometimes if kind.two_valued else ())
    if kind.cells_left_over or any(cell == _NO_CELL for cell, _ in places.values()):
        return TrueCandidates(number, decided, late=bool(left))
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
        return TrueCandidates(number, decided, possible, late=True)
    return TrueCandidates(number, decided, possible, counts, bool(left))


def _find(
    search: Search, ordered: Sequence[Symbol], literals: Mapping[Symbol, int], seen: set[Symbol]
) -> Collection[Symbol]:
    """Add the atoms that hold in some answer to those seen; return the atoms that are still open when time runs out.

    Each atom not yet seen is assumed, and an answer adds all its atoms. On an empty 16x16 Sudoku this took 1.3 s;
    clingo's brave consequences took 4.3 s, and give nothing before they end.
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
    """Return {cell: {candidate: its number of answers, up to the limit}}."""
    if limit == 1:
        return {cell: dict.fromkeys(of, 1) for cell, of in tokens.items()}
    # Boards with few answers, as most have while the last clues are set, need one search, not one for each candidate.
    models = [set(model) for model in search.models(limit * _ANSWERS_OF_A_CANDIDATE)]
    search.check()
    exact = search.exhausted

    def count(atom: Symbol, holds: bool) -> int:  # noqa: FBT001 (a pair of `tokens`)
        number = sum((atom in model) is holds for model in models)
        return number if exact or number >= limit else _count(search, literals[atom], limit, holds=holds)

    return {cell: {token: min(limit, count(*of)) for token, of in atoms.items()} for cell, atoms in tokens.items()}


def _count(search: Search, literal: int, limit: int, *, holds: bool) -> int:
    """Return the number of answers in which an atom holds, or does not; at most the limit."""
    if not literal and not holds:  # it is a fact
        return 0
    assumed = [*search.assumed, *([literal if holds else -literal] if literal else [])]
    return len(search.find(assumed, limit, lambda _: None))


def candidate_texts(answer: Answer | None) -> dict[Cell, str]:
    """Return {cell: its value in an answer, as text}; cells of one piece share a number. Empty for lines."""
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
