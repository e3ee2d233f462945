"""Balance Loop: one loop visits all circles, and goes equally far on both sides of white ones, not of black ones."""

from collections.abc import Iterator
from random import Random

from tests.genres import (
    Board,
    Told,
    filled,
    flags,
    joins,
    labels,
    loop_drawings,
    numbers,
    one_loop,
    reach,
    size,
    tokens,
)
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few circles, some with a number."""
    cells = size(random, 16)
    circles = {cell: random.choice("wwb") for cell in random.sample(cells, random.randint(0, 3))}
    lengths = {cell: random.randint(2, 4) for cell in circles if random.random() < 0.4}
    grids = {"circles": grid(circles, cells, *cells[-1]), "lengths": grid(lengths, cells, *cells[-1])}
    return toml(puzzle='"balance-loop"', **grids) + flags(random, "full")


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none."""
    return loop_drawings(tokens(board["circles"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop that is balanced in white circles alone, and as long as numbers say."""
    joined, lengths = joins(answer), numbers(board.get("lengths", ""))
    for cell, color in labels(board["circles"]).items():
        legs = [far for way in ((0, 1), (1, 0), (0, -1), (-1, 0)) if (far := reach(cell, way, joined))]
        if len(legs) != 2 or (legs[0] == legs[1]) != (color == "w") or lengths.get(cell, sum(legs)) != sum(legs):
            return False
    return one_loop(answer) and filled(board, answer, tokens(board["circles"]))
