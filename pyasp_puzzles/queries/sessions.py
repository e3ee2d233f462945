"""Sessions: boards that are alike but for their clues share one grounding, on which the clues are assumed.

To ground a 9x9 Sudoku takes some 10 ms, and to solve it 0.2 ms. A session knows nothing of clues, and so takes longer
to ground than a single board: it begins with the third board of a shape.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.cache import LRUCache
from pyasp_puzzles.asp.search import Search
from pyasp_puzzles.asp.symbols import plain_arguments
from pyasp_puzzles.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from clingo import Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.puzzles.puzzle import Instance


MOST_SESSIONS = 8
"""Groundings that are kept."""
MOST_SHAPES = 16
"""Shapes of which it is remembered that boards came: one that does not come again soon is not worth a session."""
ENOUGH = 2
"""Boards of a shape that are grounded each for itself."""


class Session:
    """A grounded shape, and the literal that each clue assumes."""

    def __init__(self, instance: Instance, text: str, settings: Settings) -> None:
        self._search = Search([instance.puzzle.encoding, *instance.puzzle.companions("pruning")], text, settings)
        literals: dict[Symbol, int] = {}
        for name, arity in instance.puzzle.view().signatures():
            literals |= self._search.atoms(name, arity)
        self._literals: dict[tuple[str, Arguments], int] = {}
        """The literal of each clue."""
        for assumes in self._search.atoms("assumes", 3):
            clue, atom, _ = assumes.arguments
            self._literals[clue.name, plain_arguments(clue)] = literals[atom]

    @property
    def usable(self) -> bool:
        """Whether anything can be asked."""
        return self._search.usable

    def take(self, instance: Instance, settings: Settings) -> Search | None:
        """Return the search for the answers of a board; None if there can be none."""
        names, facts = instance.puzzle.clues, instance.facts
        clues = [self._literals.get((name, arguments)) for name in names for arguments in facts.arguments(name)]
        assumed = [clue for clue in clues if clue is not None]
        if len(assumed) < len(clues):
            return None
        return self._search.assuming(assumed, settings)


class Sessions:
    """The sessions of a process."""

    def __init__(self) -> None:
        self._boards: LRUCache[list[int]] = LRUCache(MOST_SHAPES)
        self._sessions: LRUCache[Session] = LRUCache(MOST_SESSIONS)

    def take(self, instance: Instance, text: Callable[[], str], settings: Settings) -> Search | None:
        """Return a search that is grounded already for the shape of a board; None if there is none, and to be none.

        Args:
            instance: the board.
            text: a function that returns the program of the board without its clues.
            settings: how to search; anything beyond a time limit calls for a search of its own.
        """
        puzzle = instance.puzzle
        if not puzzle.clues or not puzzle.companions("pruning") or not settings.plain:
            return None
        shape: Hashable = (puzzle.encoding, instance.facts.shape(puzzle.clues))
        boards = self._boards.get(shape, lambda: [0])
        boards[0] += 1
        if boards[0] <= ENOUGH:
            return None
        try:
            session = self._sessions.get(shape, lambda: Session(instance, text(), settings), settings.deadline())
        except OutOfTime:
            return None
        if not session.usable:
            self._sessions.drop(shape)
            return None
        return session.take(instance, settings)


@cache
def shared() -> Sessions:
    """Return the sessions that all questions of a process share."""
    return Sessions()
