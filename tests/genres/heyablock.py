"""Heyablock: connected cells of each room, apart from those of others; no unshaded line reaches into three rooms."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, apart, counted_regions, reaches_into_three, regions_with_counts, shadings, tokens
from tests.rules import connected, members


def draw(random: Random) -> str:
    """Return a small board."""
    return regions_with_counts(random, "heyablock", 3)


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    rooms = tokens(board["regions"])
    white = rooms.keys() - answer
    if reaches_into_three(rooms, white):
        return False
    shaded = all(cells & answer or board.get("counts", {}).get(room) == 0 for room, cells in members(rooms).items())
    return shaded and counted_regions(board, answer) and apart(rooms, answer) and connected(white)
