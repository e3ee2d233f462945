"""Island: shaded cells and numbers are connected; a number counts the cells of the shaded groups beside it."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, groups, labels, numbers, outline, shadings, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.randint(0, min(5, len(cells))) for cell in random.sample(cells, random.randint(0, 4))}
    return toml(puzzle='"island"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    right = all(len(groups(cell, answer)) == number for cell, number in numbers(board["numbers"]).items())
    return right and connected(answer | labels(board["numbers"]).keys())
