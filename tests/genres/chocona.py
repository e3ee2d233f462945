"""Chocona: connected shaded cells are rectangles; a number counts the shaded cells of its region."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, counted_regions, parts, rectangular, regions_with_counts, shadings, tokens


def draw(random: Random) -> str:
    """Return a small board."""
    return regions_with_counts(random, "chocona", 3)


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    return counted_regions(board, answer) and all(map(rectangular, parts(answer)))
