"""Mid-loop: one loop goes through all dots, each in the middle of a straight stretch of it."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import Board, Told, filled, flags, joins, loop_drawings, one_loop, reach, size
from tests.rules import Cell
from tests.strategies import toml


def draw(random: Random) -> str:
    """Return a small board with a few dots, in cells and between them."""
    rows, columns = size(random, 16)[-1]
    middles = [(y, x) for y in range(2, 2 * rows + 1) for x in range(2, 2 * columns + 1) if y % 2 + x % 2 < 2]
    dots = [text(y, x) for y, x in sorted(random.sample(middles, random.randint(0, 2)))]
    return toml(puzzle='"mid-loop"', size=[rows, columns], dots=dots) + flags(random, "full")


def text(y: int, x: int) -> str:
    """Return a dot as a board has it: the cell that it is in, or the two that it is between."""
    cells = dict.fromkeys([(y // 2, x // 2), ((y + 1) // 2, (x + 1) // 2)])
    return " ".join(f"r{r}c{c}" for r, c in cells)


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none."""
    rows, columns = board["size"]
    cells = [*product(range(1, rows + 1), range(1, columns + 1))]
    return loop_drawings(cells)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop with each dot in the middle of one of its stretches."""
    joined, cells = joins(answer), product(range(1, board["size"][0] + 1), range(1, board["size"][1] + 1))
    return (
        one_loop(answer)
        and filled(board, answer, [*cells])
        and all(is_middle(cells_of(dot), joined) for dot in board["dots"])
    )


def cells_of(dot: str) -> list[Cell]:
    """Return the cell that a dot is in, or the two that it is between."""
    return [(int(r), int(c)) for r, c in (cell[1:].split("c") for cell in dot.split())]


def is_middle(cells: list[Cell], joined: dict[Cell, set[Cell]]) -> bool:
    """Return whether a stretch of the loop is as long on one side of these cells as on the other."""
    (r, c), (row, column) = cells[0], cells[-1]
    ways = [(0, 1), (1, 0)] if len(cells) == 1 else [(row - r, column - c)]
    return any(
        0 < reach(cells[0], way, joined) == len(cells) - 1 + reach(cells[0], (-way[0], -way[1]), joined) for way in ways
    )
