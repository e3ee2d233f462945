"""Turnaround: one loop visits all numbers; each counts the turns in its own cell, the one before and the one after."""

from collections.abc import Iterator
from random import Random

from tests.genres import (
    Board,
    Told,
    blurred,
    filled,
    flags,
    joins,
    labels,
    loop_drawings,
    numbers,
    one_loop,
    size,
    straight,
    tokens,
)
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few numbers."""
    cells = size(random, 16)
    printed = {cell: random.choice([0, 1, 1, 2, 2, 3]) for cell in random.sample(cells, random.randint(1, 3))}
    return toml(puzzle='"turnaround"', numbers=grid(blurred(random, printed), cells, *cells[-1])) + flags(
        random, "full"
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none."""
    return loop_drawings(tokens(board["numbers"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop that turns as often as the numbers say."""
    joined = joins(answer)
    if not filled(board, answer, tokens(board["numbers"])):
        return False
    if not one_loop(answer) or not labels(board["numbers"]).keys() <= joined.keys():
        return False
    turns = {cell: not straight(cell, joined) for cell in joined}
    printed = numbers(board["numbers"]).items()
    return all(sum(turns[near] for near in (cell, *joined[cell])) == number for cell, number in printed)
