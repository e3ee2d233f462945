"""Renban-Madoguchi: numbers of a region follow one another; two differ by the length of the border between them."""

from collections.abc import Iterator
from itertools import permutations, product
from random import Random

from tests.genres import Board, Told, blurred, cut, pairs, printed, size, some, tokens
from tests.rules import Cell, members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board, perhaps with a border within a region; a number that is printed may be wrong."""
    cells = size(random, 6)
    regions = cut(random, cells, random.randint(2, 3))
    within = [pair for pair in pairs(cells) if regions[pair[0]] == regions[pair[1]]]
    walls = random.sample(within, random.choice([0, 0, 1])) if within else []
    told = frozenset((*cell, random.randint(1, 4)) for cell in cells)
    given = blurred(random, some(random, told, 1))
    keys = {"walls": [f"r{a}c{b} r{c}c{d}" for (a, b), (c, d) in walls]} if walls else {}
    return toml(
        puzzle='"renban"', regions=grid(regions, cells, *cells[-1]), givens=grid(given, cells, *cells[-1]), **keys
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to write numbers without a gap into each region."""
    region = tokens(board["regions"])
    inside = [sorted(cells) for cells in members(region).values()]
    ways = [
        [
            order
            for low in range(1, len(region) - len(cells) + 2)
            for order in permutations(range(low, low + len(cells)))
        ]
        for cells in inside
    ]
    for chosen in product(*ways):
        yield frozenset(
            (*cell, v)
            for cells, order in zip(inside, chosen, strict=True)
            for cell, v in zip(cells, order, strict=True)
        )


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers on both sides of a border differ by its length."""
    region, value = tokens(board["regions"]), {(r, c): v for r, c, v in answer}
    walls = {tuple(map(_cell, line.split())) for line in board.get("walls", [])}
    borders = {pair for pair in pairs(region) if region[pair[0]] != region[pair[1]] or pair in walls}
    return printed(board, answer) and all(
        abs(value[one] - value[other]) == _length((one, other), borders) for one, other in borders
    )


def _cell(name: str) -> Cell:
    r, _, c = name.removeprefix("r").partition("c")
    return int(r), int(c)


def _length(pair: tuple[Cell, Cell], borders: set[tuple[Cell, Cell]]) -> int:
    """Return the length of the straight border line between two cells."""
    (r, c), (row, column) = pair
    step = (1, 0) if r == row else (0, 1)
    count = 1
    for sign in (1, -1):
        y, x = step[0] * sign, step[1] * sign
        while ((r + y, c + x), (row + y, column + x)) in borders:
            count, y, x = count + 1, y + step[0] * sign, x + step[1] * sign
    return count
