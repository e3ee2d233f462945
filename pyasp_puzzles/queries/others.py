"""Whether a board has one answer, and answers near one that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.asp.search import GUIDED
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.puzzles.question import Question, ask
from pyasp_puzzles.queries.solve import solutions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.puzzle import Instance


def has_one_answer(board: Instance, settings: Settings) -> bool:
    """Return whether a board has exactly one answer, by a search of its own.

    Raises:
        OutOfTime: time ran out.
    """
    found = solutions(board, 2, settings, board.puzzle.kind.generated_view)
    number = sum(1 for _ in found)
    if not found.complete and number < 2:
        raise OutOfTime
    return number == 1


def other_answers(
    board: Instance, answer: Collection[Symbol], settings: Settings, limit: int, most: int
) -> tuple[list[Sequence[Symbol]], bool]:
    """Return answers other than the given one, near it, and whether these are all.

    Each has a search of its own, with all that is known for speed; it is given up after `most` conflicts.

    Raises:
        OutOfTime: time ran out.
    """
    view = board.puzzle.view(board.puzzle.kind.generated_view)
    given = f"{view.shows}{near(answer)}:- {', '.join(map(str, sorted(answer)))}.\n"
    question = Question(view.outputs, given=given, files=view.files, pruning="all")
    search = ask(board, settings, question, options=GUIDED)
    found: list[Sequence[Symbol]] = []
    # Those that are found before it is given up count, too.
    search.find((), limit, lambda model: found.append(model.symbols(shown=True)), most=most)
    return found, search.exhausted


def near(answer: Collection[Symbol]) -> str:
    """Return lines of a program by which answers near to this one are found first."""
    return "".join(f"#heuristic {atom}. [1,sign]\n" for atom in sorted(answer))
