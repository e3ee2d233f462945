"""Sukoro-room: whole regions of numbers, connected; each counts the numbers beside it; a region has no equal ones."""

from collections.abc import Iterator
from itertools import compress, product
from random import Random

from tests.genres import UNKNOWN, Board, Told, beside, blurred, cut, labels, printed, size, some, tokens
from tests.rules import connected, members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board; a number that is printed may be wrong."""
    cells = size(random, 12)
    regions = cut(random, cells, random.randint(len(cells) // 3, len(cells) // 2))
    told = frozenset((*cell, random.randint(1, 4)) for cell in cells)
    given = blurred(random, some(random, told, 1))
    return toml(puzzle='"sukoro-room"', regions=grid(regions, cells, *cells[-1]), givens=grid(given, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to fill some regions, each cell with the number of those beside it."""
    region = tokens(board["regions"])
    inside = [*members(region).values()]
    for chosen in product((False, True), repeat=len(inside)):
        filled = {cell for cells in compress(inside, chosen) for cell in cells}
        yield frozenset((*cell, len(beside(cell) & filled) if cell in filled else 0) for cell in region)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules; one that is filled and has none beside it holds 0, which is no number."""
    value = {(r, c): v for r, c, v in answer if v}
    counts = all(len(beside(cell) & value.keys()) == v for cell, v in value.items())
    inside = members(tokens(board["regions"])).values()
    once = all(len({value.get(cell) for cell in cells}) == len(cells) for cells in inside if cells & value.keys())
    whole = all(cells <= value.keys() for cells in inside if cells & value.keys())
    unknown = {cell for cell, token in labels(board.get("givens", "")).items() if token == UNKNOWN}
    kept = printed(board, answer) and counts and once and whole
    return kept and value != {} and connected(value) and unknown <= value.keys()
