"""Castle Wall: one loop around white clues, without black ones; an arrow counts its steps along it."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, joins, labels, loop_drawings, one_loop, size, tokens
from tests.strategies import grid, toml

WAYS = {"n": (-1, 0), "s": (1, 0), "w": (0, -1), "e": (0, 1)}


def draw(random: Random) -> str:
    """Return a small board with a few clues."""
    cells = size(random, 16)
    clues = random.sample(cells, random.randint(0, 3))
    arrows = {cell: random.choice(["x", f"{random.choice('0012?')}{random.choice('nswe')}"]) for cell in clues}
    shades = {cell: random.choice("wbb") for cell in clues if random.random() < 0.5}
    grids = {"arrows": grid(arrows, cells, *cells[-1]), "shades": grid(shades, cells, *cells[-1])}
    return toml(puzzle='"castle-wall"', **grids)


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell without a clue to two others or none."""
    cells = [cell for cell, arrow in tokens(board["arrows"]).items() if arrow == "."]
    return loop_drawings(cells)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop on the right side of clues, with as many steps along each arrow as it says."""
    joined = joins(answer)
    for (r, c), color in labels(board["shades"]).items():
        crossed = sum((r + 1, x) in joined.get((r, x), ()) for x in range(c))
        if crossed % 2 != (color == "w"):
            return False
    for (r, c), arrow in labels(board["arrows"]).items():
        if arrow[0] not in "x?":
            y, x = WAYS[arrow[1]]
            places = [(r + i * y, c + i * x) for i in range(1, 6)]
            if sum((s + y, t + x) in joined.get((s, t), ()) for s, t in places) != int(arrow[0]):
                return False
    return one_loop(answer)
