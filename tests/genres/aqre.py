"""Aqre: shaded cells are connected; no four cells in a line are all shaded or all unshaded; regions have counts."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, counted_regions, flags, pairs, regions_with_counts, shadings, tokens
from tests.rules import connected


def draw(random: Random) -> str:
    """Return a small board."""
    return regions_with_counts(random, "aqre", 3) + flags(random, "opposite")


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    cells = tokens(board["regions"]).keys()
    lines = [{(r + y * i, c + x * i) for i in range(4)} for r, c in cells for y, x in ((0, 1), (1, 0))]
    mixed = not any(line <= answer or line <= cells - answer for line in lines)
    regions = tokens(board["regions"])
    borders = [{*pair} for pair in pairs(cells) if regions[pair[0]] != regions[pair[1]]]
    opposite = not board.get("opposite") or all(len(pair & answer) == 1 for pair in borders)
    return opposite and mixed and counted_regions(board, answer) and connected(answer)
