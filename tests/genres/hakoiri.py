"""Hakoiri-masashi: each region has a circle, a triangle and a square; equal ones do not touch; all are connected."""

from collections.abc import Iterator
from itertools import permutations, product
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, cut, labels, size, tokens
from tests.rules import connected, members, touching
from tests.strategies import grid, toml

SIGNS = "○△□"


def draw(random: Random) -> str:
    """Return a small board; a sign that is printed may be wrong."""
    cells = size(random, 12)
    regions = cut(random, cells, random.randint(1, max(1, len(cells) // 5)))
    told = {cell: random.choice(SIGNS) for cell in random.sample(cells, random.randint(0, 2))}
    given = blurred(random, told)
    return toml(puzzle='"hakoiri"', regions=grid(regions, cells, *cells[-1]), givens=grid(given, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to draw three signs in each region."""
    region = tokens(board["regions"])
    ways = [[*permutations(sorted(cells), 3)] for cells in members(region).values()]
    for chosen in product(*ways):
        value = {cell: i for cells in chosen for i, cell in enumerate(cells, 1)}
        yield frozenset((*cell, value.get(cell, 0)) for cell in region)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether signs keep the rules."""
    value = {(r, c): v for r, c, v in answer if v}
    told = labels(board.get("givens", "")).items()
    givens = all(cell in value and token in {UNKNOWN, SIGNS[value[cell] - 1], str(value[cell])} for cell, token in told)
    apart = not any(value.get(other) == v for cell, v in value.items() for other in touching(cell))
    return givens and apart and connected(value)
