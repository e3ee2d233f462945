"""A board as Boolean choices, for solvers of Booleans.

Choice   (2, 3, 7): the number 7 is in row 2, column 3; or {"cells": [(1, 1), (1, 2)], ...}: these cells are a strip
"""

from collections.abc import Iterable
from itertools import product
from typing import Any, NamedTuple

from benchmarks.boards import Answer, Board, Cell, grid


class Choices(NamedTuple):
    """The choices of a board, numbered from 0, and the constraints on them."""

    choices: list[Any]
    exactly_one: list[list[int]]
    at_most_one: list[list[int]]
    given: list[int]

    def answer(self, true: Iterable[int]) -> Answer:
        """Return the answer in which these choices are true."""
        found = [self.choices[i] for i in true]
        return {"strips": found} if isinstance(found[0], dict) else {"grid": grid(found)}


def encode(board: Board) -> Choices:
    """Return a board as choices."""
    return _strips(board) if board.puzzle == "strips" else _numbers(board)


def _numbers(board: Board) -> Choices:
    size = {cell: len(region) for region in board.region_cells() for cell in region}
    choices = [(r, c, v) for r, c in board.cells for v in range(1, size[r, c] + 1)]
    index = {choice: i for i, choice in enumerate(choices)}
    exactly_one = [[index[r, c, v] for v in range(1, size[r, c] + 1)] for r, c in board.cells]
    exactly_one += [[index[r, c, v] for r, c in unit] for unit in board.units() for v in range(1, len(unit) + 1)]
    squares: list[list[int]] = []
    if board.puzzle == "tectonic":
        corners = product(range(1, len(board.givens)), range(1, len(board.givens[0])), range(1, max(size.values()) + 1))
        around = ([(r + y, c + x, v) for y in (0, 1) for x in (0, 1)] for r, c, v in corners)
        squares = [[index[choice] for choice in square if choice in index] for square in around]
    given = [index[r, c, v] for (r, c), v in board.clues.items()]
    return Choices(choices, exactly_one, [square for square in squares if len(square) > 1], given)


def _strips(board: Board) -> Choices:
    strips: list[dict[str, Any]] = []
    covering: dict[Cell, list[int]] = {}
    alike: dict[str, list[int]] = {}
    for (r, c), down in product(board.cells, (False, True)):
        room = len(board.tiles) - r if down else len(board.tiles[0]) - c
        for length in range(1 + down, min(board.longest, room + 1) + 1):
            strip = board.strip((r, c), length, down=down)
            alike.setdefault(min(strip["pattern"], strip["pattern"][::-1]), []).append(len(strips))
            for cell in strip["cells"]:
                covering.setdefault(cell, []).append(len(strips))
            strips.append(strip)
    return Choices(strips, list(covering.values()), list(alike.values()), [])
