"""Simple Loop: one loop visits every cell that is not blocked."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import Board, Told, drawings, joins, one_loop, size
from tests.rules import Cell
from tests.strategies import toml


def draw(random: Random) -> str:
    """Return a small board; on most there is a loop."""
    rows, columns = size(random, 16)[-1]
    blocked = random.sample(
        [f"r{r}c{c}" for r in range(1, rows + 1) for c in range(1, columns + 1)], rows * columns % 2
    )
    return toml(puzzle='"simple-loop"', size=[rows, columns], **({"blocked": " ".join(blocked)} if blocked else {}))


def nodes(board: Board) -> list[Cell]:
    """Return the cells that are not blocked."""
    rows, columns = board["size"]
    blocked = board.get("blocked", "").split()
    cells = product(range(1, rows + 1), range(1, columns + 1))
    return [(r, c) for r, c in cells if f"r{r}c{c}" not in blocked]


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none."""
    return drawings(nodes(board), dict.fromkeys(nodes(board), (0, 2)))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop through all the cells."""
    return joins(answer).keys() == {*nodes(board)} and one_loop(answer)
