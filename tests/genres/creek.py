"""Creek: shade cells so that the others are connected; a number counts the shaded cells around its corner."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, corners, numbers, shadings, size
from tests.rules import connected
from tests.strategies import grid, rectangle, toml


def draw(random: Random) -> str:
    """Return a small board with some numbers at corners."""
    rows, columns = size(random, 12)[-1]
    places = sorted(corners(rectangle(rows, columns)))
    printed = {place: random.randint(0, 3) for place in random.sample(places, random.randint(0, 6))}
    printed_grid = grid(blurred(random, printed), places, rows + 1, columns + 1)
    return toml(puzzle='"creek"', size=[rows, columns], numbers=printed_grid)


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells."""
    return shadings(rectangle(*board["size"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    white = {*rectangle(*board["size"])} - answer
    printed = numbers(board["numbers"]).items()
    right = all(sum(corner in corners([cell]) for cell in answer) == number for corner, number in printed)
    return right and connected(white)
