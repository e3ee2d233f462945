"""Yajilin Regions: one loop through all cells but shaded ones, which are apart; numbers count those of a region."""

from collections.abc import Iterator
from random import Random

from tests.genres import (
    Board,
    Told,
    beside,
    counted_regions,
    flags,
    inside,
    one_loop,
    regions_with_counts,
    shaded_drawings,
    tokens,
)


def draw(random: Random) -> str:
    """Return a small board with a number in some regions."""
    return regions_with_counts(random, "yajilin-regions", 16) + flags(random, "outside")


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none; those without are shaded."""
    return shaded_drawings(tokens(board["regions"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether the lines are one loop, and the cells beside it are shaded as they should be."""
    shaded = {one for one in answer if len(one) == 2}
    apart = not any(beside(cell) & shaded for cell in shaded)
    out = not board.get("outside") or not any(inside(cell, answer) for cell in shaded)
    return out and one_loop(answer) and apart and counted_regions(board, shaded)
