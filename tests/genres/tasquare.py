"""Tasquare: shaded groups are squares, the others are connected; a number counts the cells of the squares beside it."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, extent, groups, labels, outline, parts, shadings, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.choice([1, 1, 2, 2, 3, 4, 5]) for cell in random.sample(cells, random.randint(1, 4))}
    return toml(puzzle='"tasquare"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    for cell, clue in labels(board["numbers"]).items():
        total = len(groups(cell, answer))
        if total == 0 if clue == UNKNOWN else total != int(clue):
            return False
    sizes = [(*extent(group), len(group)) for group in parts(answer)]
    squares = all(height == width and height * width == size for height, width, size in sizes)
    return squares and connected(tokens(board["numbers"]).keys() - answer)
