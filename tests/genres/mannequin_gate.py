"""Mannequin Gate: two shaded cells in each region, as many steps apart as it says; neighbouring regions differ."""

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from random import Random

from tests.genres import UNKNOWN, Board, Told, beside, counts_line, cut, outline, tokens
from tests.rules import Cell, connected, members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    regions = cut(random, cells, random.randint(2, 4))
    clues = {name: random.randint(0, 2) for name in sorted({*regions.values()}) if random.random() < 0.4}
    board = toml(puzzle='"mannequin-gate"', regions=grid(regions, regions, *cells[-1]))
    return board + (counts_line(random, clues).replace("counts", "between") if clues else "")


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of two cells of each region."""
    inside = members(tokens(board["regions"])).values()
    for pairs in product(*(combinations(sorted(cells), 2) for cells in inside)):
        yield frozenset(cell for pair in pairs for cell in pair)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    regions = tokens(board["regions"])
    between = {name: steps(cells & answer, cells) - 1 for name, cells in members(regions).items()}
    printed = all(number in {UNKNOWN, between[name]} for name, number in board.get("between", {}).items())
    pairs = {(regions[cell], regions[other]) for cell in regions for other in beside(cell) & regions.keys()}
    differ = all(one == other or between[one] != between[other] for one, other in pairs)
    return printed and differ and connected(regions.keys() - answer)


def steps(shaded: Iterable[Cell], cells: set[Cell]) -> int:
    """Return how many steps over sides lead from one of two cells of a region to the other."""
    start, end = shaded
    reached, number = {start}, 0
    while end not in reached:
        reached |= {other for cell in reached for other in beside(cell) & cells}
        number += 1
    return number
