"""Tatamibari: the board is cut into rectangles with one sign each, which tells their shape; no four meet in a point."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, extent, four_meet, labels, outline, partitions, rectangular, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 9)
    signs = {cell: random.choice("+-|?") for cell in random.sample(cells, random.randint(2, 4))}
    return toml(puzzle='"tatamibari"', signs=grid(signs, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to cut the board into areas."""
    return partitions(tokens(board["signs"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether areas keep the rules."""
    signs = labels(board["signs"])
    for area in answer:
        height, width = extent(area)
        shape = "+" if height == width else "-" if height < width else "|"
        if [signs[cell] for cell in area if cell in signs] not in ([shape], [UNKNOWN]) or not rectangular(area):
            return False
    return not four_meet(answer)
