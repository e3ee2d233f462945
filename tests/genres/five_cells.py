"""Five Cells: the board is cut into areas of five cells; a number counts the sides of its cell on a border."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, four_cells

keeps = four_cells.keeps


def draw(random: Random) -> str:
    """Return a small board, which usually has a whole number of areas."""
    return four_cells.draw(random, "five-cells", 5)


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to cut the board into connected areas of five cells."""
    return four_cells.tries(board, 5)
