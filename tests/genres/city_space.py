"""City Space: straight shaded blocks of two or more cells; the others are a tree; a number counts what it sees."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, labels, numbers, outline, parts, seen, shadings, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 14)
    clues = {cell: random.randint(1, min(6, len(cells))) for cell in random.sample(cells, random.randint(0, 2))}
    return toml(puzzle='"city-space"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number or ?."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    white = tokens(board["numbers"]).keys() - answer
    blocks = [*parts(answer)]
    straight = all(len(block) > 1 and 1 in map(len, map(set, zip(*block, strict=True))) for block in blocks)
    joins = sum(len(beside(cell) & white) for cell in white) // 2
    right = all(len(seen(cell, white)) + 1 == number for cell, number in numbers(board["numbers"]).items())
    return straight and right and connected(white) and joins == max(len(white) - 1, 0)
