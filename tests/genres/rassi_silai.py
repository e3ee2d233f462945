"""Rassi Silai: one line visits all cells of each region; the ends of lines do not touch, not even at a corner."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, crossings, cut, drawings, joins, reached, size, tokens
from tests.rules import members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board; on some, a wall is within a region."""
    cells = size(random, 12)
    regions = cut(random, cells, random.randint(1, 3))
    inner = [(r, c) for r, c in cells if regions.get((r, c + 1)) == regions[r, c]]
    walls = [f"r{r}c{c} r{r}c{c + 1}" for r, c in random.sample(inner, min(len(inner), random.choice([0, 0, 1])))]
    return toml(puzzle='"rassi-silai"', regions=grid(regions, cells, *cells[-1]), walls=walls)


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to one or two others."""
    cells = tokens(board["regions"])
    return drawings(cells, dict.fromkeys(cells, (1, 2)))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one open line in each region, with ends that do not touch."""
    region, joined = tokens(board["regions"]), joins(answer)
    walls = {f"r{r}c{c} r{row}c{column}" for r, c, row, column, _ in answer} & {*board.get("walls", [])}
    ends = [cell for cell, others in joined.items() if len(others) == 1]
    near = any(max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1 for one in ends for other in ends)
    if walls or near or crossings(region, answer):
        return False
    whole = all(reached(min(cells), joined) == cells for cells in members(region).values())
    return whole and len(answer) == len(region) - len({*region.values()})
