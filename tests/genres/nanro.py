"""Nanro: a number says how many numbers its region has; they are connected; equal ones do not meet over a border."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, cut, labels, pairs, printed, size, some, squared, tokens
from tests.rules import connected, members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board; a number that is printed may be wrong."""
    cells = size(random, 9)
    regions = cut(random, cells, random.randint(1, 3))
    inside = members(regions)
    told = frozenset((*cell, random.randint(1, len(inside[name]))) for cell, name in regions.items())
    given = blurred(random, some(random, told, 2))
    return toml(puzzle='"nanro"', regions=grid(regions, cells, *cells[-1]), givens=grid(given, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to fill some cells of each region with their number."""
    region = tokens(board["regions"])
    for filled in product((False, True), repeat=len(region)):
        of = dict(zip(region, filled, strict=True))
        count = {name: sum(of[cell] for cell in inside) for name, inside in members(region).items()}
        if all(count.values()):
            yield frozenset((*cell, count[region[cell]] * of[cell]) for cell in region)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules."""
    region, value = tokens(board["regions"]), {(r, c): v for r, c, v in answer if v}
    apart = all(value[one] != value[other] or region[one] == region[other] for one, other in pairs(value))
    unknown = {cell for cell, token in labels(board.get("givens", "")).items() if token == UNKNOWN}
    return printed(board, answer) and apart and connected(value) and not squared(value) and unknown <= value.keys()
