"""Hanare-gumi: one number in each region, its size; two in a line, none between, differ by the cells between."""

from collections.abc import Iterator
from itertools import pairwise, product
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, cut, labels, printed, size, some, tokens
from tests.rules import members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = size(random, 16)
    regions = cut(random, cells, random.randint(2, 4))
    told = frozenset((*random.choice(sorted(inside)), len(inside)) for inside in members(regions).values())
    given = blurred(random, some(random, told, 2))
    return toml(puzzle='"hanare"', regions=grid(regions, cells, *cells[-1]), givens=grid(given, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to write the size of each region into one of its cells."""
    region = tokens(board["regions"])
    inside = [sorted(cells) for cells in members(region).values()]
    for chosen in product(*inside):
        value = {cell: len(cells) for cell, cells in zip(chosen, inside, strict=True)}
        yield frozenset((*cell, value.get(cell, 0)) for cell in region)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules."""
    value = {(r, c): v for r, c, v in answer if v}
    lines = [
        pairwise(sorted((cell[1 - way], v) for cell, v in value.items() if cell[way] == i))
        for way in (0, 1)
        for i in range(9)
    ]
    apart = all(abs(v - w) == there - here - 1 for line in lines for (here, v), (there, w) in line)
    unknown = {cell for cell, token in labels(board.get("givens", "")).items() if token == UNKNOWN}
    return printed(board, answer) and apart and unknown <= value.keys()
