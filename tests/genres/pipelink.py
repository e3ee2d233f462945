"""Pipelink: one loop visits every cell and may cross itself; the pieces that are printed are part of it."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, drawings, joins, labels, size, tokens, tours
from tests.strategies import grid, toml

# {piece: the steps from its cell, down and to the right}
WAYS = {
    "╬": {(-1, 0), (1, 0), (0, -1), (0, 1)},
    "║": {(-1, 0), (1, 0)},
    "═": {(0, -1), (0, 1)},
    "╚": {(-1, 0), (0, 1)},
    "╝": {(-1, 0), (0, -1)},
    "╗": {(1, 0), (0, -1)},
    "╔": {(1, 0), (0, 1)},
}


def draw(random: Random) -> str:
    """Return a small board with a few pieces."""
    cells = size(random, 16)
    pieces = {cell: random.choice([*WAYS]) for cell in random.sample(cells, random.randint(0, 2))}
    return toml(puzzle='"pipelink"', pieces=grid(pieces, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two or four others."""
    cells = tokens(board["pieces"])
    return drawings(cells, dict.fromkeys(cells, (2, 4)))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop through all cells with the pieces."""
    joined, cells = joins(answer), {*tokens(board["pieces"])}
    pieces = all(
        {(r - cell[0], c - cell[1]) for r, c in joined.get(cell, ())} == WAYS[piece]
        for cell, piece in labels(board["pieces"]).items()
    )
    return pieces and joined.keys() == cells and tours(answer) == 1
