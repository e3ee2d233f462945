"""A board as choices of which each does or does not hold, for solvers of Booleans.

Choice   (2, 3, 7), the number 7 in row 2, column 3; or the cells of a strip
Choices  the choices, numbered from 0; groups of which one holds, or one at most; those that the clues say hold
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.board import Answer, Board, Cell, Numbers, Strips

if TYPE_CHECKING:
    from collections.abc import Iterable


class Choices(NamedTuple):
    """Choices, and what holds of them."""

    of: list[Any]
    one: list[list[int]]
    one_at_most: list[list[int]]
    given: list[int]

    def answer(self, held: Iterable[int]) -> Answer:
        """Return the answer in which these choices hold."""
        found = [self.of[i] for i in held]
        if not isinstance(found[0][0], int):
            return found
        rows: dict[int, dict[int, int]] = {}
        for r, c, value in found:
            rows.setdefault(r, {})[c] = value
        return [[row[c] for c in sorted(row)] for _, row in sorted(rows.items())]


def choices(board: Board) -> Choices:
    """Return a board as choices."""
    if isinstance(board, Strips):
        return _strips(board)
    assert isinstance(board, Numbers)
    return _tectonic(board) if board.puzzle == "tectonic" else _strimko(board)


def _strimko(board: Numbers) -> Choices:
    n = len(board.givens)
    span = range(1, n + 1)
    numbers = [(r, c, v) for r in span for c in span for v in span]
    index = {number: i for i, number in enumerate(numbers)}
    units = [[(r, c) for c in span] for r in span] + [[(r, c) for r in span] for c in span] + board.members()
    one = [[index[r, c, v] for v in span] for r in span for c in span]
    one += [[index[r, c, v] for r, c in unit] for unit in units for v in span]
    return Choices(numbers, one, [], _given(board, index))


def _tectonic(board: Numbers) -> Choices:
    blocks = board.members()
    numbers = [(r, c, v) for block in blocks for r, c in block for v in range(1, len(block) + 1)]
    index = {number: i for i, number in enumerate(numbers)}
    one = [[index[r, c, v] for v in range(1, len(block) + 1)] for block in blocks for r, c in block]
    one += [[index[r, c, v] for r, c in block] for block in blocks for v in range(1, len(block) + 1)]
    largest = max(map(len, blocks))
    squares = [
        [i for y in (0, 1) for x in (0, 1) if (i := index.get((r + y, c + x, v))) is not None]
        for r in range(1, len(board.givens))
        for c in range(1, len(board.givens[0]))
        for v in range(1, largest + 1)
    ]
    return Choices(numbers, one, [square for square in squares if len(square) > 1], _given(board, index))


def _given(board: Numbers, index: dict[tuple[int, int, int], int]) -> list[int]:
    numbers = ((r, c, board.givens[r - 1][c - 1]) for r, c in board.cells)
    return [index[number] for number in numbers if number[2]]


def _strips(board: Strips) -> Choices:
    rows, columns = len(board.tiles), len(board.tiles[0])
    strips: list[list[Cell]] = []
    covering: dict[Cell, list[int]] = {}
    alike: dict[tuple[str, ...], list[int]] = {}
    for r in range(1, rows + 1):
        for c in range(1, columns + 1):
            for down in (False, True):
                for length in range(1 + down, board.longest + 1):
                    strip = [(r + i * down, c + i * (not down)) for i in range(length)]
                    if strip[-1][0] > rows or strip[-1][1] > columns:
                        break
                    colors = tuple(board.tiles[y - 1][x - 1] for y, x in strip)
                    alike.setdefault(min(colors, colors[::-1]), []).append(len(strips))
                    for cell in strip:
                        covering.setdefault(cell, []).append(len(strips))
                    strips.append(strip)
    return Choices(strips, list(covering.values()), list(alike.values()), [])
