"""Uso-one: shaded cells do not touch, the others are connected; one number of each region does not count neighbours."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, cut, labels, numbers, outline, shadings, tokens
from tests.rules import connected, members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    regions = cut(random, cells, random.randint(1, 2))
    places = random.sample(sorted(regions), random.randint(1, min(5, len(regions))))
    clues = {cell: random.choice([0, 0, 1, 1, 2, 3]) for cell in places}
    printed = grid(blurred(random, clues), regions, *cells[-1])
    return toml(puzzle='"usoone"', regions=grid(regions, regions, *cells[-1]), numbers=printed)


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["regions"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    regions = tokens(board["regions"])
    wrong = {cell for cell, number in numbers(board["numbers"]).items() if len(beside(cell) & answer) != number}
    one = all(len(region & wrong) == 1 for region in members(regions).values())
    return one and not any(beside(cell) & answer for cell in answer) and connected(regions.keys() - answer)
