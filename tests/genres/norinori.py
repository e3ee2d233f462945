"""Norinori: two shaded cells in each region; each shares a side with exactly one other."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, cut, outline, shadings, tokens
from tests.rules import members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    regions = cut(random, cells, random.randint(1, len(cells) // 3))
    return toml(puzzle='"norinori"', regions=grid(regions, regions, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    two = all(len(region & answer) == 2 for region in members(tokens(board["regions"])).values())
    return two and all(len(beside(cell) & answer) == 1 for cell in answer)
