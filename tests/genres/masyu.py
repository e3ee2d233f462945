"""Masyu: one loop visits all pearls, straight at white ones with a turn beside, and the other way at black ones."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, filled, flags, joins, labels, loop_drawings, one_loop, size, straight, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few pearls."""
    cells = size(random, 16)
    pearls = {cell: random.choice("wwb") for cell in random.sample(cells, random.randint(0, 2))}
    return toml(puzzle='"masyu"', pearls=grid(pearls, cells, *cells[-1])) + flags(random, "full")


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none."""
    return loop_drawings(tokens(board["pearls"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop that goes through the pearls as it should."""
    joined = joins(answer)
    for cell, pearl in labels(board["pearls"]).items():
        if cell not in joined or straight(cell, joined) != (pearl == "w"):
            return False
        beside = [straight(other, joined) for other in joined[cell]]
        if all(beside) if pearl == "w" else not all(beside):
            return False
    return one_loop(answer) and filled(board, answer, tokens(board["pearls"]))
