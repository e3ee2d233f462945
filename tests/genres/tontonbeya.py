"""Tontonbeya: as many of each sign of a region, connected; they meet those of exactly one other region."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import UNKNOWN, Board, Told, beside, blurred, cut, labels, size, tokens
from tests.rules import connected, members
from tests.strategies import grid, toml

SIGNS = "○△□"


def draw(random: Random) -> str:
    """Return a small board; a sign that is printed may be wrong."""
    cells = size(random, 9)
    regions = cut(random, cells, random.randint(2, 4))
    given = blurred(random, {cell: random.choice(SIGNS) for cell in random.sample(cells, random.randint(0, 2))})
    return toml(puzzle='"tontonbeya"', regions=grid(regions, cells, *cells[-1]), givens=grid(given, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to draw signs."""
    cells = tokens(board["regions"])
    for signs in product((1, 2, 3), repeat=len(cells)):
        yield frozenset((*cell, sign) for cell, sign in zip(cells, signs, strict=True))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether signs keep the rules."""
    region, value = tokens(board["regions"]), {(r, c): v for r, c, v in answer}
    for name, inside in members(region).items():
        groups = [group for sign in (1, 2, 3) if (group := {cell for cell in inside if value[cell] == sign})]
        if len({*map(len, groups)}) > 1 or not all(map(connected, groups)):
            return False
        for group in groups:
            met = {other for cell in group for other in beside(cell) & value.keys() if value[other] == value[cell]}
            if len({region[other] for other in met} - {name}) != 1:
                return False
    told = labels(board.get("givens", "")).items()
    return all(token in {UNKNOWN, SIGNS[value[cell] - 1]} for cell, token in told)
