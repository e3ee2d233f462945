"""Cojun: a region of n cells holds 1..n; equal numbers share no side, and in a region the upper of two is larger."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, cut, orders, pairs, printed, size, some, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = size(random, 9)
    regions = cut(random, cells, random.randint(2, 4))
    given = blurred(random, some(random, random.choice([*orders(regions)]), 2))
    return toml(puzzle='"cojun"', regions=grid(regions, cells, *cells[-1]), givens=grid(given, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to fill the regions with 1, 2, 3, ..."""
    return orders(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules."""
    region, value = tokens(board["regions"]), {(r, c): v for r, c, v in answer}
    fits = (
        value[one] != value[other] and (region[one] != region[other] or one[1] != other[1] or value[one] > value[other])
        for one, other in pairs(value)
    )
    return printed(board, answer) and all(fits)
