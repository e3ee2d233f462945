"""Strips: place the strips one by one, the longest first, each wherever its colours fit; a single cell is what is left.

On a board of 5x5 in two colours that is every strip of three and of two cells; on other boards a strip may also be left
out, as long as those that are left have cells enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.boards import patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.board import Cell, Strips

Grid = dict[tuple[int, int], str]


def cuts(board: Strips) -> Iterator[list[list[Cell]]]:
    """Yield the answers."""
    grid = {(r, c): color for r, row in enumerate(board.tiles, 1) for c, color in enumerate(row, 1)}
    strips = tuple(sorted(patterns(board.longest, set(grid.values())), key=lambda strip: (len(strip), strip)))[::-1]
    spare = sum(map(len, strips)) - len(grid)

    def search(
        strips: tuple[str, ...], spare: int, occupied: tuple[Cell, ...], placing: tuple[list[Cell], ...]
    ) -> Iterator[list[list[Cell]]]:
        """Yield the answers that begin with this placing; strips of `spare` cells in all are left out."""
        if not strips:
            yield list(placing)
            return
        current, others = strips[0], strips[1:]
        for position in _positions(current, len(board.tiles), len(board.tiles[0])):
            for cell in position:
                if position[cell] != grid[cell] or cell in occupied:
                    break
            else:
                cells = list(position)
                yield from search(others, spare, (*occupied, *cells), (*placing, cells))
        if len(current) <= spare:
            yield from search(others, spare - len(current), occupied, placing)

    return search(strips, spare, (), ())


def _positions(strip: str, rows: int, columns: int) -> Iterator[Grid]:
    """Yield wherever a strip may lie, both ways round where that makes a difference."""
    length = len(strip)
    ways = (strip,) if strip == strip[::-1] else (strip, strip[::-1])
    for r in range(1, rows + 1):
        for c in range(1, columns - length + 2):
            for way in ways:
                yield {(r, c + i): color for i, color in enumerate(way)}
    for c in range(1, columns + 1) if length > 1 else ():
        for r in range(1, rows - length + 2):
            for way in ways:
                yield {(r + i, c): color for i, color in enumerate(way)}
