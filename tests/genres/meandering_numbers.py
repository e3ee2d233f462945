"""Meandering Numbers: a region of n cells holds 1..n, each beside the next one; equal numbers do not touch."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, cut, orders, printed, size, some, tokens
from tests.rules import members, touching
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = size(random, 8)
    regions = cut(random, cells, random.randint(2, 4))
    given = blurred(random, some(random, random.choice([*orders(regions)]), 1))
    return toml(
        puzzle='"meandering-numbers"', regions=grid(regions, cells, *cells[-1]), givens=grid(given, cells, *cells[-1])
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to fill the regions with 1, 2, 3, ..."""
    return orders(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules."""
    value = {(r, c): v for r, c, v in answer}
    for region in members(tokens(board["regions"])).values():
        place = {value[cell]: cell for cell in region}
        if any(place[v + 1] not in beside(place[v]) for v in range(1, len(region))):
            return False
    return printed(board, answer) and not any(
        value.get(other) == v for cell, v in value.items() for other in touching(cell)
    )
