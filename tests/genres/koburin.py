"""Koburin: one loop through all cells but shaded ones and numbers, which count the shaded cells beside them."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, flags, inside, labels, one_loop, shaded_drawings, size, tokens
from tests.rules import touching
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few grey cells."""
    cells = size(random, 16)
    printed = {cell: random.choice([0, 0, 1, 1, 2, "x"]) for cell in random.sample(cells, random.randint(1, 3))}
    return toml(puzzle='"koburin"', numbers=grid(printed, cells, *cells[-1])) + flags(random, "outside", "corners")


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell without a number to two others or none; those without are shaded."""
    cells = tokens(board["numbers"]).keys() - labels(board["numbers"]).keys()
    return shaded_drawings(cells)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether the lines are one loop, and the cells beside it are shaded as they should be."""
    shaded = {one for one in answer if len(one) == 2}
    apart = not any(beside(cell) & shaded for cell in shaded)
    clues = labels(board["numbers"]).items()
    near = touching if board.get("corners") else beside
    counted = all(number in {"x", str(len(near(cell) & shaded))} for cell, number in clues)
    out = not board.get("outside") or not any(inside(cell, answer) for cell in shaded)
    return out and one_loop(answer) and apart and counted
