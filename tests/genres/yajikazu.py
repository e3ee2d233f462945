"""Yajikazu: shaded cells do not touch, the others are connected; an unshaded arrow counts those it points to."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, labels, outline, shadings, tokens
from tests.rules import connected
from tests.strategies import grid, toml

WAYS = {"n": (-1, 0), "s": (1, 0), "w": (0, -1), "e": (0, 1)}


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    numbers = [*"0122", random.choice("1?")]
    arrows = {cell: random.choice(numbers) + random.choice([*WAYS]) for cell in cells if random.random() < 0.4}
    return toml(puzzle='"yajikazu"', arrows=grid(arrows, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["arrows"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    for (r, c), arrow in labels(board["arrows"]).items():
        number, (y, x) = arrow[:-1], WAYS[arrow[-1]]
        counted = sum((r + n * y, c + n * x) in answer for n in range(1, 20))
        if (r, c) not in answer and number != "?" and counted != int(number):
            return False
    white = tokens(board["arrows"]).keys() - answer
    return len(answer) > 0 and connected(white) and not any(beside(cell) & answer for cell in answer)
