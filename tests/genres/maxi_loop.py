"""Maxi Loop: one loop visits every cell; a number is how many cells the longest visit to its region has."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, counts_line, cut, drawings, joins, one_loop, size, tokens
from tests.rules import Cell
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board, with a number or two; on some, a wall is within a region."""
    cells = size(random, 20)
    regions = cut(random, cells, random.randint(2, 4))
    counts = {name: random.randint(1, 5) for name in random.sample(sorted({*regions.values()}), random.randint(0, 2))}
    inner = [(r, c) for r, c in cells if regions.get((r, c + 1)) == regions[r, c]]
    walls = [f"r{r}c{c} r{r}c{c + 1}" for r, c in random.sample(inner, min(len(inner), random.choice([0, 0, 1])))]
    board = toml(puzzle='"maxi-loop"', regions=grid(regions, cells, *cells[-1]), walls=walls)
    return board + counts_line(random, counts)


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others."""
    cells = tokens(board["regions"])
    return drawings(cells, dict.fromkeys(cells, (2,)))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop with longest visits as they should be."""
    if not one_loop(answer):
        return False
    region, joined = tokens(board["regions"]), joins(answer)
    longest = dict.fromkeys(region.values(), 0)
    for cell in region:
        longest[region[cell]] = max(longest[region[cell]], len(visit(cell, region, joined, board.get("walls", []))))
    return all(count in {UNKNOWN, longest[name]} for name, count in board["counts"].items())


def visit(cell: Cell, region: dict[Cell, str], joined: dict[Cell, set[Cell]], walls: list[str]) -> set[Cell]:
    """Return the cells of the loop's visit to a region that this cell is on."""
    found = [cell]
    for one in found:
        for other in sorted(joined[one] - {*found}):
            (r, c), (row, column) = sorted([one, other])
            if region[one] == region[other] and f"r{r}c{c} r{row}c{column}" not in walls:
                found.append(other)
    return {*found}
