"""Shakashaka: triangles in free cells, so that white areas are rectangles; a number counts the triangles beside it."""

from collections.abc import Collection, Iterator
from itertools import product
from random import Random

from tests.genres import Board, Told, beside, labels, numbers, size, tokens
from tests.strategies import grid, toml

# A quarter of a cell: a triangle from its middle to its upper, right, lower or left side.
Quarter = tuple[int, int, str]
# {number: the quarters that a triangle fills}
TRIANGLES = {0: "", 1: "nw", 2: "ne", 3: "es", 4: "sw"}
SIDES = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}


def draw(random: Random) -> str:
    """Return a small board with at most six free cells."""
    cells = size(random, 9)
    walls = random.sample(cells, max(random.randint(0, 3), len(cells) - 6))
    printed = {cell: random.choice(["x", "x", "0", "1", "2"]) for cell in walls}
    return toml(puzzle='"shakashaka"', walls=grid(printed, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of triangles for the free cells."""
    free = [*tokens(board["walls"]).keys() - labels(board["walls"]).keys()]
    for values in product(TRIANGLES, repeat=len(free)):
        yield frozenset((*cell, value) for cell, value in zip(free, values, strict=True))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether as many triangles are beside each number, and white areas are rectangles."""
    filled = {(r, c) for r, c, value in answer if value}
    printed = numbers(board["walls"].replace("x", ".")).items()
    if any(len(beside(cell) & filled) != number for cell, number in printed):
        return False
    white = {(r, c, side) for r, c, value in answer for side in SIDES if side not in TRIANGLES[value]}
    while white:
        area = [white.pop()]
        for quarter in area:
            area += near(*quarter) & white
            white -= near(*quarter)
        if not rectangular(area):
            return False
    return True


def near(r: int, c: int, side: str) -> set[Quarter]:
    """Return the quarters that share an edge with a quarter."""
    y, x = SIDES[side]
    opposite = {"n": "s", "s": "n", "e": "w", "w": "e"}[side]
    return {(r, c, other) for other in SIDES if other not in {side, opposite}} | {(r + y, c + x, opposite)}


def rectangular(area: Collection[Quarter]) -> bool:
    """Return whether quarters fill a rectangle, upright or turned by 45 degrees."""
    points = set()
    for r, c, side in area:
        (y, x), (mid_y, mid_x) = SIDES[side], (2 * r + 1, 2 * c + 1)
        points |= {(mid_y, mid_x)} | {(mid_y + y + k * x, mid_x + x + k * y) for k in (-1, 1)}
    turned = {(y + x, y - x) for y, x in points}
    box, diamond = (
        (max(one) - min(one)) * (max(other) - min(other))
        for one, other in (zip(*points, strict=True), zip(*turned, strict=True))
    )
    return len(area) in {box, diamond / 2}
