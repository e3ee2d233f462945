"""Toichika 2: one number in each region; each has one equal number in its row and column, so many blank cells away."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

from tests.genres import UNKNOWN, Board, Told, beside, blurred, cut, size, tokens
from tests.rules import members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board; a printed number may be wrong. Few but those of four upright strips have answers."""
    cells = size(random, 16)
    regions = cut(random, cells, random.choice([3, 4, 4, 4]))
    if random.random() < 0.4:
        strips = "".join(name * random.choice([1, 1, 2]) for name in "ABCD")
        cells = [(r, c) for r in range(1, random.randint(2, 3) + 1) for c in range(1, len(strips) + 1)]
        regions = {(r, c): strips[c - 1] for r, c in cells}
    numbers = {name: random.randint(1, 2) for name in sorted({*regions.values()}) if random.random() < 0.2}
    words = [f"{name} = {number!r}" for name, number in blurred(random, numbers).items()]
    line = f"numbers = {{ {', '.join(words)} }}\n" if words else ""
    return toml(puzzle='"toichika-2"', regions=grid(regions, cells, *cells[-1])) + line


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to write one number in each region."""
    region = tokens(board["regions"])
    inside = [sorted(cells) for cells in members(region).values()]
    for chosen in product(*inside):
        for numbers in product(range(1, max(max(region)) - 1), repeat=len(inside)):
            value = dict(zip(chosen, numbers, strict=True))
            yield frozenset((*cell, value.get(cell, 0)) for cell in region)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules."""
    region, value = tokens(board["regions"]), {(r, c): v for r, c, v in answer if v}
    partners = dict.fromkeys(value, 0)
    for one, other in combinations(sorted(value), 2):
        if value[one] == value[other] and (one[0] == other[0] or one[1] == other[1]):
            distance = abs(one[0] - other[0]) + abs(one[1] - other[1]) - 1
            between = {
                cell
                for cell in value
                if min(one[0], other[0]) <= cell[0] <= max(one[0], other[0])
                and min(one[1], other[1]) <= cell[1] <= max(one[1], other[1])
            } - {one, other}
            names = {region[one], region[other]}
            near = any(
                {region[cell], region[next_]} == names for cell in region for next_ in beside(cell) & region.keys()
            )
            if distance != value[one] or between or near:
                return False
            partners[one] += 1
            partners[other] += 1
    told = board.get("numbers", {})
    fits = all(told.get(region[cell], UNKNOWN) in {UNKNOWN, v} for cell, v in value.items())
    return fits and {*partners.values()} == {1}
