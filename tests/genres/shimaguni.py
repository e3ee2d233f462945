"""Shimaguni: an island in each region, apart from others; neighbouring regions have islands of different sizes."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, apart, beside, counted_regions, regions_with_counts, shadings, tokens
from tests.rules import members


def draw(random: Random) -> str:
    """Return a small board."""
    return regions_with_counts(random, "shimaguni", 3)


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    regions = tokens(board["regions"])
    sizes = {name: len(cells & answer) for name, cells in members(regions).items()}
    pairs = {(regions[cell], regions[other]) for cell in regions for other in beside(cell) & regions.keys()}
    differ = all(one == other or sizes[one] != sizes[other] for one, other in pairs)
    return differ and 0 not in sizes.values() and counted_regions(board, answer) and apart(regions, answer)
