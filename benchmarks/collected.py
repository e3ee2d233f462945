"""The boards of each puzzle, by collection: the reference collections, where they are at hand, and our own."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from . import boards, ours

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from .board import Board, Numbers

LISTS = ("sudoku-17-clue", "sudoku-magictour", "sudoku-hardest")


class Collections(NamedTuple):
    """What there is."""

    data: Path | None
    """Where the reference collections are."""
    most: int
    """Boards of each of them; 0 for all."""
    made: int
    """Boards that are made."""

    def of(self, puzzle: str) -> Iterator[tuple[str, list[Board]]]:
        """Yield the collections of a puzzle: a name, and boards in an order of chance."""
        yield from getattr(self, puzzle)()

    def sudoku(self) -> Iterator[tuple[str, list[Board]]]:
        """Yield the lists, and Sudokus from which no clue can be taken."""
        for name in LISTS:
            if path := self._file(f"{name}.txt"):
                yield name, self._some(boards.sudoku_list(path))
        yield "sudoku, made", self._some(made_sudokus(self.made))

    def tectonic(self) -> Iterator[tuple[str, list[Board]]]:
        """Yield real Tectonics, and some that are made."""
        if self._file("suguru.jsonl"):
            yield "suguru", self.suguru()
        yield "tectonic 10x10, made", [boards.tectonic(10, 10, i) for i in range(1, self.made + 1)]

    def strimko(self) -> Iterator[tuple[str, list[Board]]]:
        """Yield those that ship, and real ones."""
        path = self._file("strimko.jsonl")
        real = boards.collection(path, "strimko") if path else []
        yield "strimko", self._some(boards.shipped_numbers("strimko", "streams") + real)

    def strips(self) -> Iterator[tuple[str, list[Board]]]:
        """Yield the boards of the hunt."""
        yield "strips/hunt and strips/final", list(boards.hunt())

    def strata(self) -> Iterator[tuple[str, list[Board]]]:
        """Yield boards as large as the game's, and larger ones."""
        for side in (6, 20):
            yield f"strata {side}x{side}, made", [boards.strata(side, side, i) for i in range(1, self.made + 1)]

    def suguru(self) -> list[Board]:
        """Return real Tectonics, or made ones."""
        path = self._file("suguru.jsonl")
        return self._some(accepted(boards.collection(path, "tectonic"))) if path else self.tens()

    def tens(self) -> list[Board]:
        """Return real Tectonics of 10x10, or made ones."""
        path = self._file("suguru.jsonl")
        real = accepted(boards.collection(path, "tectonic")) if path else []
        tens = [board for board in real if (len(board.givens), len(board.givens[0])) == (10, 10)]
        return list(boards.mixed(tens or [boards.tectonic(10, 10, i) for i in range(1, self.made + 1)]))

    def _some(self, found: Sequence[Board]) -> list[Board]:
        return list(islice(boards.mixed(found), self.most or None))

    def _file(self, name: str) -> Path | None:
        return self.data / name if self.data and (self.data / name).exists() else None


def accepted(found: Sequence[Numbers]) -> list[Numbers]:
    """Return the boards that our reader takes for boards."""
    from pyasp_puzzles import InstanceError

    taken = []
    for board in found:
        try:
            ours.instance(board)
        except InstanceError as error:
            sys.stderr.write(f"left out: {board.name}: {error}\n")
        else:
            taken.append(board)
    return taken


def made_sudokus(number: int) -> list[Numbers]:
    """Return Sudokus from which no clue can be taken."""
    solver = ours.Ours()
    made = []
    for i in range(1, number + 1):
        chance = boards.dice("minimal", i)
        givens = boards.full_sudoku(3, chance)
        for cell in chance.sample(range(81), 81):
            r, c = divmod(cell, 9)
            value, givens[r][c] = givens[r][c], 0
            if not solver.solve(solver.prepare(boards.sudoku(givens, ""))).unique:
                givens[r][c] = value
        made.append(boards.sudoku(givens, f"minimal {i}"))
    return made


def by_singles() -> Iterator[Numbers]:
    """Yield Sudokus with 34 clues that need nothing but naked and hidden singles."""
    number = 0
    while True:
        number += 1
        chance = boards.dice("singles", number)
        board = boards.sudoku(boards.thinned(boards.full_sudoku(3, chance), 34 / 81, chance), f"singles {number}")
        if ours.by_singles(ours.instance(board)):
            yield board
