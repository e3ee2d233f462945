"""Shikaku: the board is cut into rectangles, each with one number, how many cells it has, or ?."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, labels, partitions, size, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board, whose numbers are those of random rectangles, or nearly."""
    cells = size(random, 9)
    rows, columns = cells[-1]
    across = sorted({*random.sample(range(1, rows + 1), random.randint(1, 2)), rows + 1})
    printed, top = {}, 1
    for bottom in across:
        left = 1
        for right in sorted({*random.sample(range(1, columns + 1), random.randint(1, 2)), columns + 1}):
            if bottom > top and right > left:
                place = random.randrange(top, bottom), random.randrange(left, right)
                printed[place] = max(1, (bottom - top) * (right - left) + (random.random() < 0.1))
            left = right
        top = bottom
    return toml(puzzle='"shikaku"', numbers=grid(blurred(random, printed), cells, rows, columns))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to cut the board into areas."""
    return partitions(tokens(board["numbers"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are rectangles, each with its number."""
    printed = labels(board["numbers"])
    for area in answer:
        rows, columns = ({cell[way] for cell in area} for way in (0, 1))
        if len(area) != (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1):
            return False
        if [printed[cell] for cell in area if cell in printed] not in ([str(len(area))], [UNKNOWN]):
            return False
    return True
