"""Hitori: no number is unshaded twice in a line; shaded cells do not touch, and the others are connected."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, numbers, outline, shadings, tokens
from tests.rules import connected
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    rows, columns = cells[-1]
    printed = {cell: random.randint(1, 4) for cell in cells if random.random() < 0.9}
    return toml(puzzle='"hitori"', numbers=grid(blurred(random, printed), cells, rows, columns))


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["numbers"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    printed = numbers(board["numbers"])
    white = tokens(board["numbers"]).keys() - answer
    seen = [(way, cell[way], printed[cell]) for cell in white & printed.keys() for way in (0, 1)]
    touching = any(beside(cell) & answer for cell in answer)
    return len(seen) == len({*seen}) and not touching and connected(white)
