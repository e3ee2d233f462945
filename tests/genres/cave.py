"""Cave: the cave is connected, the others reach the edge; a number counts the cells of the cave that it sees."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, labels, numbers, outline, parts, seen, shadings, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.randint(1, min(5, len(cells))) for cell in random.sample(cells, random.randint(1, 4))}
    return toml(puzzle='"cave"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    cells = tokens(board["numbers"]).keys()
    cave = cells - answer
    right = all(len(seen(cell, cave)) + 1 == number for cell, number in numbers(board["numbers"]).items())
    return right and connected(cave) and all(any(beside(cell) - cells for cell in part) for part in parts(answer))
