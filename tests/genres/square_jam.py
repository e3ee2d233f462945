"""Square Jam: the board is cut into squares; a number is the side of its square, and no four meet in a point."""

from collections.abc import Collection, Iterator
from itertools import product
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, labels, outline, tokens
from tests.rules import Cell
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 20)
    clues = {cell: random.choice([1, 1, 2, 2, 3]) for cell in random.sample(cells, random.randint(0, 2))}
    return toml(puzzle='"square-jam"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to cut the board into squares."""
    return cuts({*tokens(board["numbers"])})


def cuts(cells: Collection[Cell]) -> Iterator[Told]:
    """Yield every way to cut cells into squares."""
    if not cells:
        yield frozenset()
        return
    r, c = min(cells)
    for side in range(1, 6):
        square = frozenset(product(range(r, r + side), range(c, c + side)))
        if square <= {*cells}:
            yield from (rest | {square} for rest in cuts({*cells} - square))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether squares keep the rules."""
    of = {cell: square for square in answer for cell in square}
    clues = labels(board["numbers"]).items()
    fits = all(number == UNKNOWN or int(number) ** 2 == len(of[cell]) for cell, number in clues)
    points = ([(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)] for r, c in of)
    return fits and not any(len({of[cell] for cell in point if cell in of}) == 4 for point in points)
