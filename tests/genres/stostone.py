"""Stostone: a stone in each region; stones do not touch, and fill the lower half of the board when they fall."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, apart, counted_regions, regions_with_counts, shadings, tokens
from tests.rules import members


def draw(random: Random) -> str:
    """Return a small board."""
    return regions_with_counts(random, "stostone", 3, holes=False)


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    regions = tokens(board["regions"])
    stones = [cells & answer for cells in members(regions).values()]
    rows, _ = max(regions)
    if rows % 2 or not all(stones) or not counted_regions(board, answer) or not apart(regions, answer):
        return False
    while True:
        # Stones rest on the floor, or on stones that rest; the others fall by one row.
        resting = {(rows + 1, c) for _, c in regions}
        while new := [stone for stone in stones if not stone <= resting and {(r + 1, c) for r, c in stone} & resting]:
            resting |= {cell for stone in new for cell in stone}
        if all(stone <= resting for stone in stones):
            return {cell for stone in stones for cell in stone} == {(r, c) for r, c in regions if 2 * r > rows}
        stones = [stone if stone <= resting else {(r + 1, c) for r, c in stone} for stone in stones]
