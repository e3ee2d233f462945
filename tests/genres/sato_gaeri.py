"""Sato-gaeri: circles slide straight on, as far as numbers say; in the end, each region has one."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, cut, labels, size, slid, slides, tokens
from tests.rules import members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with as many circles as regions."""
    cells = size(random, 12)
    regions = cut(random, cells, random.randint(1, 4))
    places = random.sample(cells, len({*regions.values()}))
    circles = blurred(random, {cell: random.choice([0, 1, 1, 2, 3]) for cell in places})
    return toml(
        puzzle='"sato-gaeri"', regions=grid(regions, cells, *cells[-1]), circles=grid(circles, cells, *cells[-1])
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every way in which circles may slide."""
    return slides(labels(board["circles"]), tokens(board["circles"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether circles slide to where they should be."""
    ends = slid(labels(board["circles"]), answer)
    return ends is not None and all(len(region & ends) == 1 for region in members(tokens(board["regions"])).values())
