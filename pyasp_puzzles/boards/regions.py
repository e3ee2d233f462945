"""Regions of boards: the usual boxes of Sudokus, windows, Latin and numbered regions, and what walls make.

Regions  {(1, 1): "1", (1, 2): "1", (1, 3): "2", ...}, numbered in the order of their first cells
Walls    {((1, 2), (1, 3)), ...}: pairs of neighbours in different regions, the left or upper cell first
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from math import isqrt
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from pyasp_puzzles.boards.grid import Cell, all_cells, connected_cells, grid_extent, grouped, neighbor_pairs
from pyasp_puzzles.errors import InstanceError, listing, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_Name = TypeVar("_Name", str, int | str)

Regions: TypeAlias = "dict[Cell, str]"
Walls: TypeAlias = "set[tuple[Cell, Cell]]"


def boxes(high: int, wide: int, size: tuple[int, int] | None = None) -> Regions:
    """Return the boxes of a Sudoku, of `high` rows and `wide` columns each, row by row; they fill the board.

    Without a size, the board has as many rows, and as many columns, as a box has cells.
    """
    rows, columns = size or (high * wide,) * 2
    across = columns // wide
    return {(r, c): str((r - 1) // high * across + (c - 1) // wide + 1) for r, c in all_cells(rows, columns)}


def flat_boxes(side: int) -> Regions:
    """Return the boxes of a side that are as high as they can be and no higher than wide; rows if nothing else fits."""
    high = next(height for height in range(isqrt(side), 0, -1) if side % height == 0)
    return boxes(high, side // high)


def windows(side: int) -> list[tuple[Cell, ...]]:
    """Return the windows of a Windoku, row by row: boxes of k x k have windows of k x k, with a line between two."""
    k = isqrt(side)
    firsts = [1 + i * (k + 1) for i in range(k - 1)] if k * k == side else []
    return [tuple((r + i + 1, c + j + 1) for i in range(k) for j in range(k)) for r in firsts for c in firsts]


def usual(side: int) -> Regions:
    """Return the usual boxes of a Sudoku.

    Raises:
        InstanceError: there are none for this side.
    """
    if side not in USUAL:
        sides = listing(f"{usual}x{usual}" for usual in USUAL)
        raise InstanceError(f"a Sudoku of {shown(side)}x{shown(side)} has no usual boxes; those of {sides} have")
    return boxes(*USUAL[side])


def are_usual(regions: Mapping[Cell, str]) -> bool:
    """Return whether regions are the usual boxes, whatever they are called."""
    rows, _ = grid_extent(regions)
    return rows in USUAL and numbered(regions) == usual(rows)


def box_size(regions: Mapping[Cell, str]) -> tuple[int, int] | None:
    """Return the size of the boxes, rows first, if the regions are boxes of one size."""
    rows, columns = grid_extent(regions)
    named = numbered(regions)
    high = next((r - 1 for r in range(2, rows + 1) if named.get((r, 1)) != "1"), rows)
    wide = next((c - 1 for c in range(2, columns + 1) if named.get((1, c)) != "1"), columns)
    fits = not rows % high and not columns % wide and named == boxes(high, wide, (rows, columns))
    return (high, wide) if fits else None


def numbered(regions: Mapping[Cell, str]) -> Regions:
    """Return regions with the names "1", "2", ... in the order of their first cells."""
    names = dict[str, str]()
    return {cell: names.setdefault(regions[cell], str(len(names) + 1)) for cell in sorted(regions)}


def are_latin(regions: Mapping[Cell, str]) -> bool:
    """Return whether there are n regions of n cells on a board of n x n, as a Sudoku has."""
    rows, columns = grid_extent(regions)
    sizes = Counter(regions.values())
    return rows == columns and len(regions) == rows * rows and set(sizes.values()) == {rows}


def of_walls(cells: Collection[Cell], walls: Walls) -> Regions:
    """Return the regions that walls make of cells: the parts that no wall divides."""
    parts = enumerate(connected_cells(cells, walls), 1)
    return numbered({cell: str(number) for number, part in parts for cell in part})


def walls(regions: Mapping[Cell, str], size: tuple[int, int]) -> Walls:
    """Return the walls between regions of a board of so many rows and columns."""
    pairs = chain(*neighbor_pairs(*size))
    return {(first, other) for first, other in pairs if regions.get(first) != regions.get(other)}


# Rows and columns of the box, by the side of the board.
USUAL = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 16: (4, 4), 25: (5, 5)}


def cells(regions: Mapping[Cell, _Name]) -> dict[_Name, list[Cell]]:
    """Return the cells of each region."""
    return grouped((region, cell) for cell, region in regions.items())
