"""Nurikabe: the sea is connected and fills no 2x2 square; each island has one number, its size, or ?."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, labels, outline, parts, shadings, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.choice([1, 1, 2, 2, 3, 4]) for cell in random.sample(cells, random.randint(1, 4))}
    return toml(puzzle='"nurikabe"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a sea keeps the rules."""
    clues = labels(board["numbers"])
    if any({(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)} <= answer for r, c in answer) or not connected(answer):
        return False
    islands = parts({*tokens(board["numbers"])} - answer)
    return all(
        [clues[cell] for cell in island if cell in clues] in ([str(len(island))], [UNKNOWN]) for island in islands
    )
