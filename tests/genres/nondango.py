"""Nondango: one shaded circle in each region; no three in a line, diagonals included, are all shaded or all not."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, cut, labels, shadings, size, tokens
from tests.rules import members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board; a cell or two may have no circle."""
    cells = size(random, 12)
    regions = cut(random, cells, random.randint(2, 4))
    circles = dict.fromkeys(random.sample(cells, len(cells) - random.randint(0, 2)), "o")
    grids = {"regions": grid(regions, cells, *cells[-1]), "circles": grid(circles, cells, *cells[-1])}
    return toml(puzzle='"nondango"', **grids)


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to shade circles."""
    return shadings(labels(board["circles"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    there = {*labels(board["circles"])}
    ways = [(0, 1), (1, 0), (1, 1), (1, -1)]
    lines = [{(r + i * y, c + i * x) for i in range(3)} for r, c in there for y, x in ways]
    one = all(len(region & answer) == 1 for region in members(tokens(board["regions"])).values())
    return one and all(0 < len(line & answer) < 3 for line in lines if line <= there)
