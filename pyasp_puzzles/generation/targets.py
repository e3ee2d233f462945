"""Clues of a chosen grade: the minimal ones, and further ones while the board is too hard."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from pyasp_puzzles.errors import OutOfTime, PuzzleError, did_you_mean, listing, shown
from pyasp_puzzles.explanation import grade as grades
from pyasp_puzzles.explanation.explain import explain
from pyasp_puzzles.generation.clues import with_clues
from pyasp_puzzles.generation.reduction import flat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.generation.clues import Unit
    from pyasp_puzzles.generation.program import ClueProgram
    from pyasp_puzzles.puzzles.puzzle import Instance

    Graded: TypeAlias = tuple[Instance, str]


def grade_words() -> list[str]:
    """Return the words of grades, the easiest first."""
    return [*(word for word, _ in grades.WORDS), grades.BEYOND]


def check_grade(word: str) -> str:
    """Return a grade as it is written.

    Raises:
        PuzzleError: there is no such grade.
    """
    known = grade_words()
    if word not in known:
        raise PuzzleError(f"unknown grade {shown(word)}, expected {listing(known)}{did_you_mean(word, known)}")
    return word


def distance(found: str, wanted: str) -> int:
    """Return how many grades lie between two; no grade at all is the farthest."""
    words = grade_words()
    return abs(words.index(found) - words.index(wanted)) if found in words else len(words)


def word_of(board: Instance, settings: Settings, most: float = inf) -> str | None:
    """Return the grade of a board with one answer; None as soon as its score is known to be too large.

    Args:
        board: the board.
        settings: how to grade.
        most: the largest score that is of interest.

    Raises:
        OutOfTime: time ran out.
    """
    costs: list[float] = []
    for step in explain(board, settings, words=False):
        if step.kind == "end":
            if step.status == "unknown":
                raise OutOfTime
            return grades.word_of(grades.grade_score(costs)) if step.status in {"unique", "solved"} else ""
        costs.append(step.cost)
        if grades.grade_score(costs) > most:
            return None
    raise OutOfTime


def of_grade(
    program: ClueProgram,
    minimal: Sequence[Unit],
    others: Sequence[Unit],
    wanted: str,
    settings: Settings,
    *,
    hurry: bool,
) -> list[Graded]:
    """Return the boards that were graded on the way to one of the wanted grade; the last one has it, if any has.

    Each further clue makes a board easier, more or less. So the number of clues to add is halved each time.

    Args:
        program: the boards of the layout.
        minimal: clues that leave one answer.
        others: further clues, in the order in which they are added.
        wanted: the word of the grade.
        settings: how to grade.
        hurry: whether to skip boards that are surely too easy, and to stop grading those that are surely too hard.

    Raises:
        OutOfTime: time ran out before a board was graded.
    """

    def easy(units: Sequence[Unit]) -> bool:
        return program.propagates(set(flat(units)))

    words = grade_words()
    rank = words.index(wanted)
    if rank and hurry and easy(minimal):
        return []
    limit = dict(grades.WORDS).get(wanted, inf) if hurry else inf
    most = _first(len(others), lambda i: easy([*minimal, *others[:i]]))
    # With one clue fewer than what is easy, a board is mostly just harder than that.
    added = {0: most, 1: max(0, most - 1)}.get(rank, 0)
    found: list[Graded] = []
    low, high = 0, most - 1 if rank and hurry else most
    while True:
        board = with_clues(program.board, flat([*minimal, *others[:added]]))
        try:
            word = word_of(board, settings, limit)
        except OutOfTime:
            if found:
                return found
            raise
        if word is not None:
            found.append((board, word))
        level = words.index(word) if word in words else len(words)
        if level == rank:
            return found
        if level < rank:
            high = added - 1
        else:
            low = added + 1
        if low > high or (level < rank and added == 0):
            return found
        added = (low + high) // 2


def _first(number: int, holds: Callable[[int], bool]) -> int:
    """Return the first of 0..number that holds; all after it do, too, and the last one does in any case."""
    low, high = 0, number
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
