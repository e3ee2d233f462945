"""Tapa-Like Loop: numbers are how many cells around them one loop visits in a row, each time that it comes there."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, joins, labels, loop_drawings, one_loop, size, tokens
from tests.genres.tapa import AROUND, fits
from tests.rules import Cell
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with a few clues, of up to three numbers."""
    cells = size(random, 16)
    words = ["0", "1", "2", "3", "5", "8", "?", "1,1", "3,2", "?,1", "2,2", "1,?,1"]
    clues = {cell: random.choice(words) for cell in random.sample(cells, random.randint(0, 2))}
    return toml(puzzle='"tapa-like-loop"', numbers=grid(clues, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell without numbers to two others or none."""
    cells = [cell for cell, clue in tokens(board["numbers"]).items() if clue == "."]
    return loop_drawings(cells)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop that comes to the cells around numbers as they say."""
    joined = joins(answer)
    return one_loop(answer) and all(fits(visits(cell, joined), clue) for cell, clue in labels(board["numbers"]).items())


def visits(cell: Cell, joined: dict[Cell, set[Cell]]) -> list[int]:
    """Return how many cells in a row a loop visits around a cell, each time that it comes there."""
    ring = [(cell[0] + y, cell[1] + x) for y, x in AROUND]
    ends = [i for i in range(8) if ring[(i + 1) % 8] not in joined.get(ring[i], ())]
    if not ends:
        return [8]
    runs = [
        [(before + 1 + i) % 8 for i in range((end - before - 1) % 8 + 1)]
        for before, end in zip([ends[-1], *ends[:-1]], ends, strict=True)
    ]
    return [len(run) for run in runs if ring[run[0]] in joined]
