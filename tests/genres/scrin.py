"""Scrin: shaded rectangles form a ring over corners; numbers are sizes; no unshaded group inside is a rectangle."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, beside, blurred, labels, outline, parts, rectangular, shadings, tokens
from tests.rules import connected, touching
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 16)
    clues = {cell: random.choice([1, 1, 1, 2, 2]) for cell in random.sample(cells, random.randint(0, 3))}
    return toml(puzzle='"scrin"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading with the cells that have a number."""
    clues = labels(board["numbers"]).keys()
    return shadings(tokens(board["numbers"]).keys() - clues, clues)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    clues, cells = labels(board["numbers"]), tokens(board["numbers"]).keys()
    for part in parts(answer):
        met = {other for cell in part for other in touching(cell) & answer - part}
        corners = sum(len(touching(cell) & met) for cell in part)
        if not rectangular(part) or corners != 2:
            return False
        if [clues[cell] for cell in part if cell in clues] not in ([], [UNKNOWN], [str(len(part))]):
            return False
    inside = (part for part in parts(cells - answer) if all(beside(cell) <= cells for cell in part))
    return connected(answer, corners=True) and not any(map(rectangular, inside))
