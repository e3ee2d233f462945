"""Mochikoro: unshaded islands are rectangles, linked at corners, with at most one number; no 2x2 square is shaded."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, labels, outline, parts, rectangular, shadings, squared, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.choice([1, 1, 2, 2, 3, 4]) for cell in random.sample(cells, random.randint(0, 4))}
    return toml(puzzle='"mochikoro"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    clues = labels(board["numbers"])
    islands = [*parts({*tokens(board["numbers"])} - answer)]
    for island in islands:
        if [clues[cell] for cell in island if cell in clues] not in ([], [UNKNOWN], [str(len(island))]):
            return False
    linked = connected({cell for island in islands for cell in island}, corners=True)
    return linked and all(map(rectangular, islands)) and not squared(answer)
