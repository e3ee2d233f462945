"""Cocktail Lamp: patches of regions are apart over sides, but all connected over corners, and fill no 2x2 square."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, apart, counted_regions, regions_with_counts, shadings, squared, tokens
from tests.rules import connected


def draw(random: Random) -> str:
    """Return a small board."""
    return regions_with_counts(random, "cocktail-lamp", 3)


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    alone = apart(tokens(board["regions"]), answer) and not squared(answer)
    return alone and connected(answer, corners=True) and counted_regions(board, answer)
