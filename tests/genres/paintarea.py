"""Paintarea: regions are shaded as a whole and connected; no 2x2 square is of one kind; numbers count neighbours."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, cut, numbers, outline, shadings, squared, tokens
from tests.rules import connected, members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    regions = cut(random, cells, random.randint(3, min(len(cells), 8)))
    clues = {cell: random.choice([0, 1, 1, 2, 2, 3]) for cell in random.sample(sorted(regions), random.randint(0, 3))}
    printed = grid(blurred(random, clues), regions, *cells[-1])
    return toml(puzzle='"paintarea"', regions=grid(regions, regions, *cells[-1]), numbers=printed)


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    regions = tokens(board["regions"])
    whole = all(len(region & answer) in {0, len(region)} for region in members(regions).values())
    right = all(len(beside(cell) & answer) == number for cell, number in numbers(board["numbers"]).items())
    return whole and right and connected(answer) and not squared(answer) and not squared(regions.keys() - answer)
