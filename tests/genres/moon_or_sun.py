"""Moon or Sun: one loop visits each region once, all moons and no suns of one, all suns and no moons of the next."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, crossings, cut, joins, labels, loop_drawings, one_loop, size, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few signs."""
    cells = size(random, 16)
    regions = cut(random, cells, random.choice([2, 2, 4]))
    signs = {cell: random.choice("ms") for cell in random.sample(cells, random.randint(1, len(cells) // 2))}
    return toml(puzzle='"moon-or-sun"', regions=grid(regions, cells, *cells[-1]), signs=grid(signs, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none."""
    return loop_drawings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop that visits regions and signs as it should."""
    region, signs, joined = tokens(board["regions"]), labels(board["signs"]), joins(answer)
    visited = {(region[cell], sign) for cell, sign in signs.items() if cell in joined}
    missed = {(region[cell], sign) for cell, sign in signs.items() if cell not in joined}
    kind = dict(visited)
    if visited & missed or len(visited) != len(kind) or kind.keys() != {*region.values()}:
        return False
    crossed = crossings(region, answer)
    once = all(sum(name in pair for pair in crossed) == 2 for name in kind)
    return once and all(kind[one] != kind[other] for one, other in crossed) and one_loop(answer)
