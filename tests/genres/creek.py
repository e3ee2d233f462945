"""Creek: shade cells so that the others are connected; a number counts the shaded cells around its corner."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, corner_numbers, corners, numbers, shadings, size
from tests.rules import connected
from tests.strategies import rectangle, toml


def draw(random: Random) -> str:
    """Return a small board with some numbers at corners."""
    board = size(random, 12)[-1]
    return toml(puzzle='"creek"', size=[*board], numbers=corner_numbers(random, board, 6, 3))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells."""
    return shadings(rectangle(*board["size"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    white = {*rectangle(*board["size"])} - answer
    printed = numbers(board["numbers"]).items()
    right = all(sum(corner in corners([cell]) for cell in answer) == number for corner, number in printed)
    return right and connected(white)
