"""Nondango: one shaded circle in each region; no three in a line, diagonals included, are all shaded or all not."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, cut, shadings, size, tokens
from tests.rules import Cell, members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board; a cell or two may have no circle."""
    cells = size(random, 12)
    regions = cut(random, cells, random.randint(2, 4))
    empty = " ".join(f"r{r}c{c}" for r, c in random.sample(cells, random.randint(0, 2)))
    return toml(puzzle='"nondango"', regions=grid(regions, cells, *cells[-1]), **({"empty": empty} if empty else {}))


def circles(board: Board) -> list[Cell]:
    """Return the cells with circles."""
    return [(r, c) for r, c in tokens(board["regions"]) if f"r{r}c{c}" not in board.get("empty", "").split()]


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to shade circles."""
    return shadings(circles(board))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    there = {*circles(board)}
    ways = [(0, 1), (1, 0), (1, 1), (1, -1)]
    lines = [{(r + i * y, c + i * x) for i in range(3)} for r, c in there for y, x in ways]
    one = all(len(region & answer) == 1 for region in members(tokens(board["regions"])).values())
    return one and all(0 < len(line & answer) < 3 for line in lines if line <= there)
