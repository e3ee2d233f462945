"""Look-Air: shaded groups are squares, equal ones do not see each other; numbers count shaded cells."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, blurred, extent, numbers, outline, parts, shadings, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.choice([0, 1, 1, 2, 2, 3]) for cell in random.sample(cells, random.randint(0, 4))}
    return toml(puzzle='"look-air"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["numbers"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    cells = tokens(board["numbers"]).keys()
    if any(len((beside(cell) | {cell}) & answer) != number for cell, number in numbers(board["numbers"]).items()):
        return False
    size = {cell: (*extent(group), len(group)) for group in parts(answer) for cell in group}
    if any(height != width or height * width != number for height, width, number in size.values()):
        return False
    for r, c in answer:
        for y, x in ((0, 1), (1, 0)):
            row, column = r + y, c + x
            while (row, column) in cells - answer:
                row, column = row + y, column + x
            if (row, column) not in beside((r, c)) and size.get((row, column)) == size[r, c]:
                return False
    return True
