"""Litherslink: lines along edges end or branch at every corner, none closed; a number counts the edges with lines."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, corners, drawings, edges, joins, numbers, reached, size, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few numbers."""
    cells = size(random, 6)
    printed = {cell: random.choice([1, 2, 2, 3, 3]) for cell in random.sample(cells, random.randint(0, 2))}
    return toml(puzzle='"lither"', numbers=grid(blurred(random, printed), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each corner to one, three or four others."""
    nodes = corners(tokens(board["numbers"]))
    return drawings(nodes, dict.fromkeys(nodes, (1, 3, 4)))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether lines form several trees, with as many edges of cells as they should have."""
    joined = joins(answer)
    trees = {frozenset(reached(node, joined)) for node in joined}
    right = all(len(edges(cell) & answer) == number for cell, number in numbers(board["numbers"]).items())
    return right and len(trees) > 1 and len(answer) == len(joined) - len(trees)
