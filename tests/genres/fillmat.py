"""Fillmat: the board is cut into mats of up to four cells; equal ones share no side; numbers are lengths."""

from collections.abc import Collection, Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, beside, blurred, four_meet, labels, outline, partitions, tokens
from tests.rules import Cell
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    clues = {cell: random.randint(1, 4) for cell in random.sample(cells, random.randint(0, 2))}
    return toml(puzzle='"fillmat"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to cut the board into mats."""
    return partitions(tokens(board["numbers"]), mats_from)


def mats_from(first: Cell, _cells: Collection[Cell]) -> set[frozenset[Cell]]:
    """Return the straight strips of one to four cells that begin in a cell."""
    r, c = first
    return {frozenset((r + y * i, c + x * i) for i in range(n)) for y, x in ((0, 1), (1, 0)) for n in range(1, 5)}


def keeps(board: Board, answer: Told) -> bool:
    """Return whether mats keep the rules."""
    clues, mats = labels(board["numbers"]), {cell: mat for mat in answer for cell in mat}
    for mat in answer:
        if [clues[cell] for cell in mat if cell in clues] not in ([], [UNKNOWN], [str(len(mat))]):
            return False
    if four_meet(answer):
        return False
    pairs = ((mats[cell], mats[other]) for cell in mats for other in beside(cell) & mats.keys())
    return not any(mat != other and len(mat) == len(other) for mat, other in pairs)
