"""Onsen-Meguri: loops, each with one number, visit all regions once, and as many cells of each as the number says."""

from collections.abc import Iterator
from random import Random

from tests.genres import (
    UNKNOWN,
    Board,
    Told,
    blurred,
    crossings,
    cut,
    joins,
    labels,
    loop_drawings,
    one_loop,
    reached,
    size,
    tokens,
)
from tests.rules import Cell
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a number or two."""
    cells = size(random, 16)
    regions = cut(random, cells, random.randint(1, 3))
    springs = {cell: random.choice([1, 2, 2, 3, 4]) for cell in random.sample(cells, random.randint(1, 2))}
    springs = blurred(random, springs)
    return toml(
        puzzle='"onsen-meguri"', regions=grid(regions, cells, *cells[-1]), springs=grid(springs, cells, *cells[-1])
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none."""
    return loop_drawings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are loops that visit regions and numbers as they should."""
    region, springs, joined = tokens(board["regions"]), labels(board["springs"]), joins(answer)
    visited = {region[cell] for cell in joined}
    if visited != {*region.values()} or not springs.keys() <= joined.keys():
        return False
    return all(is_right(reached(cell, joined), answer, region, springs) for cell in joined)


def is_right(loop: set[Cell], answer: Told, region: dict[Cell, str], springs: dict[Cell, str]) -> bool:
    """Return whether a loop has one number, and keeps it."""
    lines = frozenset(line for line in answer if line[:2] in loop)
    crossed = [name for pair in crossings(region, lines) for name in pair]
    inside = [region[cell] for cell in loop]
    counts, printed = {inside.count(name) for name in inside}, [springs[cell] for cell in loop & springs.keys()]
    if not one_loop(lines) or any(crossed.count(name) > 2 for name in crossed) or len(printed) != 1:
        return False
    return len(counts) == 1 and printed[0] in {UNKNOWN, *map(str, counts)}
