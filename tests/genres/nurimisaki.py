"""Nurimisaki: unshaded cells are connected and end exactly at circles; no 2x2 square is of one kind."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, labels, numbers, outline, seen, shadings, squared, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.choice([2, 2, 3]) for cell in random.sample(cells, random.randint(0, 4))}
    return toml(puzzle='"nurimisaki"', circles=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a circle."""
    return shadings(tokens(board["circles"]).keys() - labels(board["circles"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    white = tokens(board["circles"]).keys() - answer
    circles = labels(board["circles"]).keys()
    right = all(len(seen(cell, white)) + 1 == number for cell, number in numbers(board["circles"]).items())
    ends = all((len(beside(cell) & white) == 1) == (cell in circles) for cell in white)
    return right and ends and connected(white) and not squared(white) and not squared(answer)
