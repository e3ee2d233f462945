"""Hinge: shaded blocks are symmetric about one straight piece of border; a number counts the cells of its region."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, counted_regions, parts, regions_with_counts, shadings, tokens
from tests.rules import Cell


def draw(random: Random) -> str:
    """Return a small board of regions, some with a number."""
    return regions_with_counts(random, "hinge", 4)


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells."""
    return shadings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether each block has one hinge, and is symmetric about it."""
    region = tokens(board["regions"])
    return counted_regions(board, answer) and all(folds(block, region) for block in parts(answer))


def folds(block: set[Cell], region: dict[Cell, str]) -> bool:
    """Return whether the borders within a block are one straight piece about which it is symmetric."""
    pairs = sorted((one, other) for one in block for other in beside(one) & block if one < other)
    hinge = [(one, other) for one, other in pairs if region[one] != region[other]]
    for down, right in ((1, 0), (0, 1)):
        along = [one for one, other in hinge if other == (one[0] + down, one[1] + right)]
        rows = {one[0] if down else one[1] for one in along}
        places = sorted(one[1] if down else one[0] for one in along)
        if hinge and len(along) == len(hinge) and len(rows) == 1 and places == [*range(places[0], places[-1] + 1)]:
            (line,) = rows
            return block == {(2 * line + 1 - r, c) if down else (r, 2 * line + 1 - c) for r, c in block}
    return False
