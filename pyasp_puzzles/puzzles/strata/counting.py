"""How many plays a Strata board has: laying orders with a colour for each ribbon, counted without listing them.

Line   bit 0 for row 1, bit `rows` for column 1
Lines  0b1011: a set of lines, those that are left when others have been peeled off from the top

This is the one place where Python knows a rule of a puzzle. A blank board of 10x10 has more than 20! plays, which
clingo can only find one by one; but what may be peeled off next depends on nothing but the set of lines that are left,
and there are no more than 2^20 of those. It is a shortcut and no second encoding: `query.count` takes it only where the
encoding that ships is used, without further rules, and tests hold it to what that encoding finds.
"""

from __future__ import annotations

from math import perm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.puzzles.puzzle import Instance

MOST_LINES = 20
"""Lines of the largest board that is counted; each one more would take twice the time and the memory."""


def tally(instance: Instance, late: Callable[[], bool]) -> int | None:
    """Return how many plays a Strata instance has, or None if it has more than `MOST_LINES` lines or it got late."""
    rows, columns = (sum(1 for _ in instance.facts.of(name)) for name in ("row", "col"))
    if rows + columns > MOST_LINES:
        return None
    tiles = instance.facts.cells("tile")
    palette = set(instance.facts.of("color")) or set(tiles.values())
    return plays(rows, columns, tiles, len(palette) or 1, late)


def plays(
    rows: int, columns: int, tiles: Mapping[Cell, object], colors: int, late: Callable[[], bool] = bool
) -> int | None:
    """Return how many plays a board has, with so many colours in the palette; None if it got late.

    Lines are peeled off from the top. The next is any whose tiles, where lines that are left cross it, have one
    colour, which then is its own. One that has no such tile is free: it may come whenever it likes, in any colour, and
    no other line is concerned, so that all free lines are taken off at once: of `size` lines that are left, each of
    `n` free ones chooses its place, and its colour.

    Source: both articles on Strata peel lines from the top (Jeffrey Bosboom, "Review and analysis: Strata", and
    "Solving Strata"); counting over sets of lines is how linear extensions are counted.
    """
    total = rows + columns
    shows: list[dict[object, int]] = [{} for _ in range(total)]  # of each line: which lines cross it at each colour
    for (r, c), color in tiles.items():
        row, column = r - 1, rows + c - 1
        shows[row][color] = shows[row].get(color, 0) | 1 << column
        shows[column][color] = shows[column].get(color, 0) | 1 << row

    def peelable(lines: Iterable[int], crossing: int) -> tuple[int, int]:
        """Return which parallel lines are free, and which show one colour, when these lines are left to cross them."""
        colored = [sum(1 for where in shows[line].values() if where & crossing) for line in lines]
        free, single = (sum(1 << line for line, n in zip(lines, colored, strict=True) if n == k) for k in (0, 1))
        return free, single

    row_lines, column_lines = range(rows), range(rows, total)
    all_rows = (1 << rows) - 1
    of_rows: dict[int, tuple[int, int]] = {}
    of_columns: dict[int, tuple[int, int]] = {}
    ways: list[dict[int, int]] = [{} for _ in range(total + 1)]  # by how many are left: to peel off all but those
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
