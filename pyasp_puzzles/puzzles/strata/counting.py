"""Counting Strata's plays (laying orders with a colour for each ribbon) without listing them.

Line   bit 0 for row 1, bit `rows` for column 1
Lines  0b1011: a set of lines, those that are left when others have been peeled from the top

A blank board of 10x10 has more than 20! plays, which clingo can only find one by one. But what can be peeled next
depends only on the set of lines that are left, and there are at most 2^20 of those.
"""

# This is the one place where Python knows a rule of a puzzle. It is a shortcut and no second encoding: `count` uses it
# only for the shipped rules without further ones, and tests compare it with what these find.

from __future__ import annotations

from math import perm
from typing import TYPE_CHECKING

from pyasp_puzzles.puzzles.strata.answers import palette

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.puzzles.puzzle import Instance

MOST_LINES = 20
"""Lines of the largest board that is counted; each one more would take twice the time and the memory."""


def count_plays(instance: Instance, late: Callable[[], bool]) -> int | None:
    """Return how many plays a Strata instance has, or None if it has too many lines or time ran out."""
    rows, columns = (len(instance.facts.arguments(name)) for name in ("row", "col"))
    if rows + columns > MOST_LINES:
        return None
    return plays(rows, columns, instance.facts.cells("tile"), len(palette(instance)), late)


def plays(
    rows: int, columns: int, tiles: Mapping[Cell, object], colors: int, late: Callable[[], bool] = bool
) -> int | None:
    """Return how many plays a board has with that many colours in the palette; None if time ran out.

    Lines are peeled from the top. The next is any line that has one colour where the lines that are left cross it. A
    line that has none there is free: it can come off at any time, in any colour, without effect on other lines. So all
    free lines are taken off at once: with `size` lines left, each of the `n` free ones chooses its place and a colour.

    Source: both articles on Strata peel lines from the top (Jeffrey Bosboom, "Review and analysis: Strata", and
    "Solving Strata"); counting over sets of lines is how linear extensions are counted.
    """
    total = rows + columns
    shows: list[dict[object, int]] = [{} for _ in range(total)]  # {colour: the lines that cross it there}
    for (r, c), color in tiles.items():
        row, column = r - 1, rows + c - 1
        shows[row][color] = shows[row].get(color, 0) | 1 << column
        shows[column][color] = shows[column].get(color, 0) | 1 << row

    def peelable(lines: Iterable[int], crossing: int) -> tuple[int, int]:
        """Return which parallel lines are free, and which have one colour, if these lines are left to cross them."""
        colored = [sum(1 for where in shows[line].values() if where & crossing) for line in lines]
        free, single = (sum(1 << line for line, n in zip(lines, colored, strict=True) if n == k) for k in (0, 1))
        return free, single

    row_lines, column_lines = range(rows), range(rows, total)
    all_rows = (1 << rows) - 1
    of_rows: dict[int, tuple[int, int]] = {}
    of_columns: dict[int, tuple[int, int]] = {}
    ways: list[dict[int, int]] = [{} for _ in range(total + 1)]  # by how many are left: {lines: ways to get there}
    ways[total][(1 << total) - 1] = 1
    for size in range(total, 0, -1):
        fewer = ways[size - 1]
        for left, count in ways[size].items():
            if late():
                return None
            rows_left = left & all_rows
            columns_left = left ^ rows_left
            if columns_left not in of_rows:
                of_rows[columns_left] = peelable(row_lines, columns_left)
            if rows_left not in of_columns:
                of_columns[rows_left] = peelable(column_lines, rows_left)
            free_rows, single_rows = of_rows[columns_left]
            free_columns, single_columns = of_columns[rows_left]
            free = left & (free_rows | free_columns)
            if free:
                n, rest = free.bit_count(), left ^ free
                ways[size - n][rest] = ways[size - n].get(rest, 0) + count * perm(size, n) * colors**n
                continue
            single = left & (single_rows | single_columns)
            while single:
                line = single & -single
                single ^= line
                fewer[left ^ line] = fewer.get(left ^ line, 0) + count
        ways[size].clear()
    return ways[0].get(0, 0)
