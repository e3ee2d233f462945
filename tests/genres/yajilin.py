"""Yajilin: cells are clues, shaded, or on one loop; shaded cells do not touch; an arrow counts those that it sees."""

import re
from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, flags, inside, labels, one_loop, shaded_drawings, size, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with an arrow or two."""
    cells = size(random, 16)
    clues = random.sample(cells, random.randint(1, 2))
    arrows = {cell: random.choice(["x", *(f"{random.randint(0, 2)}{way}" for way in "nesw")]) for cell in clues}
    share = random.choice([0, 0, 0.8])
    arrows = {cell: re.sub(r"\d", "?", clue) if random.random() < share else clue for cell, clue in arrows.items()}
    return toml(puzzle='"yajilin"', arrows=grid(arrows, cells, *cells[-1])) + flags(random, "outside")


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none, where those without a line are shaded."""
    open_ = tokens(board["arrows"]).keys() - labels(board["arrows"]).keys()
    return shaded_drawings(open_)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop and shaded cells as the arrows say."""
    shaded = {one for one in answer if len(one) == 2}
    for (r, c), clue in labels(board["arrows"]).items():
        for digits, way in re.findall(r"(\d+)([nesw])", clue):
            seen = {
                "n": {cell for cell in shaded if cell[1] == c and cell[0] < r},
                "s": {cell for cell in shaded if cell[1] == c and cell[0] > r},
                "w": {cell for cell in shaded if cell[0] == r and cell[1] < c},
                "e": {cell for cell in shaded if cell[0] == r and cell[1] > c},
            }
            if len(seen[way]) != int(digits):
                return False
    out = not board.get("outside") or not any(inside(cell, answer) for cell in shaded)
    return out and one_loop(answer) and not any(beside(cell) & shaded for cell in shaded)
