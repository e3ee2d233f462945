"""Geradeweg: one loop visits all numbers but 0; a number is how long each straight stretch in its cell is."""

from collections.abc import Iterator
from random import Random

from tests.genres import (
    UNKNOWN,
    Board,
    Told,
    blurred,
    filled,
    flags,
    joins,
    labels,
    loop_drawings,
    one_loop,
    reach,
    size,
    tokens,
)
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few numbers."""
    cells = size(random, 16)
    printed = {cell: random.choice([0, 1, 1, 2, 2, 3]) for cell in random.sample(cells, random.randint(1, 3))}
    return toml(puzzle='"geradeweg"', numbers=grid(blurred(random, printed), cells, *cells[-1])) + flags(random, "full")


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none."""
    return loop_drawings(tokens(board["numbers"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop with stretches as long as they should be."""
    joined = joins(answer)
    for cell, number in labels(board["numbers"]).items():
        lengths = {reach(cell, (0, 1), joined) + reach(cell, (0, -1), joined)}
        lengths = {*lengths, reach(cell, (1, 0), joined) + reach(cell, (-1, 0), joined)} - {0}
        if len(lengths) != 1 if number == UNKNOWN else lengths != {int(number)} - {0}:
            return False
    return one_loop(answer) and filled(board, answer, tokens(board["numbers"]))
