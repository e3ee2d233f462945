"""Star Battle: as many stars in each row, column and region as the board says; none touch, not even at corners."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

from tests.genres import Board, Told, cut, outline, tokens
from tests.rules import members, touching
from tests.strategies import grid, rectangle, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 16) if random.random() < 0.5 else rectangle(4, 4)
    regions = cut(random, cells, random.choice([2, max(cells[-1])]))
    return toml(puzzle='"star-battle"', regions=grid(regions, regions, *cells[-1]), stars=1)


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of as many cells as stars."""
    cells = tokens(board["regions"])
    number = board.get("stars", 1) * len({r for r, _ in cells})
    return map(frozenset, combinations(cells, number))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether stars keep the rules."""
    regions, number = tokens(board["regions"]), board.get("stars", 1)
    lines = ({cell[way] for cell in regions} for way in (0, 1))
    counts = [Counter(cell[way] for cell in answer) for way in (0, 1)]
    right = all(count[i] == number for count, line in zip(counts, lines, strict=True) for i in line)
    each = all(len(region & answer) == number for region in members(regions).values())
    return right and each and not any(touching(cell) & answer for cell in answer)
