"""Sessions: boards that differ only in their clues share a grounding, and their clues are assumptions.

Grounding a 9x9 Sudoku takes 10 ms, and solving it 0.2 ms. Without clues to simplify it, a session takes longer to
ground than a single board, so only the third board of a layout starts one.
"""

from __future__ import annotations

import os
from functools import cache
from itertools import count
from threading import local
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.cache import LRUCache
from pyasp_puzzles.asp.search import Search
from pyasp_puzzles.asp.symbols import plain_arguments
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from clingo import Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.model.puzzle import Instance


def grounding_key(instance: Instance, settings: Settings) -> Hashable | None:
    """Return a key of boards that can share a grounding; None if the board must be grounded by itself.

    Any setting but a timeout requires a grounding of its own.
    """
    puzzle = instance.puzzle
    if not puzzle.clues or not puzzle.companions("pruning") or not settings.plain or instance.variants:
        return None
    return instance.layout_key


class Session:
    """A ground program for all boards of one layout."""

    def __init__(self, instance: Instance, program: str, settings: Settings) -> None:
        self._search = Search([*instance.puzzle.encodings, *instance.puzzle.companions("pruning")], program, settings)
        literals: dict[Symbol, int] = {}
        for name, arity in instance.puzzle.view().signatures():
            literals |= self._search.atoms(name, arity)
        # {clue: the literal to assume for it}
        self._assumptions: dict[tuple[str, Arguments], int] = {}
        for assumes in self._search.atoms("assumes", 3):
            clue, atom, _ = assumes.arguments
            self._assumptions[clue.name, plain_arguments(clue)] = literals[atom]

    @property
    def usable(self) -> bool:
        """Whether grounding has ended, so that questions can be asked."""
        return self._search.usable

    def search(self, instance: Instance, settings: Settings) -> Search | None:
        """Return the search for the answers of a board; None if one of its clues is impossible."""
        assumed = []
        for name in instance.puzzle.clues:
            for arguments in instance.facts.arguments(name):
                literal = self._assumptions.get((name, arguments))
                if literal is None:
                    return None
                assumed.append(literal)
        return self._search.assuming(assumed, settings)


class Sessions:
    """The sessions of the layouts that were asked for recently."""

    def __init__(self) -> None:
        # {layout: [how many of its boards have come]}
        self._boards: LRUCache[list[int]] = LRUCache(Limits.MOST_LAYOUTS)
        self._sessions: LRUCache[Session] = LRUCache(Limits.MOST_SESSIONS)
        self._threads = count()
        self._local = local()

    def _group(self) -> int:
        """Return the group of this thread: there is one per processor, and the threads of a group share sessions.

        With one session for all, four threads took 1.2 to 1.4 times as long as one for 200 Sudokus: they waited for
        each other.
        """
        if not hasattr(self._local, "group"):
            self._local.group = next(self._threads) % (os.cpu_count() or 1)
        return int(self._local.group)

    def search(self, instance: Instance, program: Callable[[], str], settings: Settings) -> Search | None:
        """Return a search on the grounding of a board's layout; None if the board must be grounded by itself.

        `program` returns the program of the layout: the board without its clues.
        """
        layout = grounding_key(instance, settings)
        if layout is None:
            return None
        boards = self._boards.get(layout, lambda: [0])
        boards[0] += 1
        if boards[0] <= Limits.FEWEST_FOR_SESSION:
            return None
        try:
            key = layout, self._group()
            session = self._sessions.get(key, lambda: Session(instance, program(), settings), settings.deadline())
        except OutOfTime:
            return None
        if not session.usable:
            self._sessions.drop(key)
            return None
        return session.search(instance, settings)


@cache
def shared() -> Sessions:
    """Return the sessions of this process."""
    return Sessions()
