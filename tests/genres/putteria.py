"""Putteria: each region has one number, that of its cells; numbers share no side, nor is one twice in a line."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import Board, Told, beside, cut, numbers, outline, tokens
from tests.rules import members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board, with a number or two; on some, a cell stays blank."""
    cells = outline(random, 12)
    regions = cut(random, cells, random.randint(1, 5))
    sizes = {cell: len(members(regions)[name]) for cell, name in regions.items()}
    givens = {cell: random.choice([0, sizes[cell]]) for cell in random.sample([*regions], random.randint(0, 2))}
    return toml(
        puzzle='"putteria"', regions=grid(regions, regions, *cells[-1]), givens=grid(givens, regions, *cells[-1])
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to write one number in each region, and 0 in the other cells."""
    regions = [sorted(region) for region in members(tokens(board["regions"])).values()]
    for chosen in product(*regions):
        sizes = {cell: len(region) for cell, region in zip(chosen, regions, strict=True)}
        yield frozenset((*cell, sizes.get(cell, 0)) for cell in tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers are where they may be."""
    there = {(r, c): value for r, c, value in answer if value}
    units = [(way, cell[way], value) for cell, value in there.items() for way in (0, 1)]
    given = {(*cell, value) for cell, value in numbers(board["givens"]).items()} <= answer
    apart = not any(beside(cell) & there.keys() for cell in there)
    return given and apart and len(units) == len({*units})
