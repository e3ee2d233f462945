"""Compass: the board is cut into areas with one compass each; its numbers count the cells farther that way."""

import re
from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, labels, outline, partitions, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few compasses."""
    cells = outline(random, 9)
    compasses = {cell: compass(random) for cell in random.sample(cells, random.randint(1, 3))}
    return toml(puzzle='"compass"', compasses=grid(compasses, cells, *cells[-1]))


def compass(random: Random) -> str:
    """Return a compass with some of its numbers."""
    ways = random.sample("nesw", random.choice([0, 1, 1, 2]))
    return "".join(f"{random.randint(0, 3)}{way}" for way in ways) or "x"


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to cut the board into areas."""
    return partitions(tokens(board["compasses"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether each area has one compass, and as many cells farther in its directions as it says."""
    compasses = labels(board["compasses"])
    for area in answer:
        inside = [cell for cell in area if cell in compasses]
        if len(inside) != 1:
            return False
        [(r, c)] = inside
        for number, way in re.findall(r"(\d+)([nesw])", compasses[r, c]):
            farther = {"n": [y < r for y, _ in area], "s": [y > r for y, _ in area]}
            farther |= {"w": [x < c for _, x in area], "e": [x > c for _, x in area]}
            if sum(farther[way]) != int(number):
                return False
    return True
