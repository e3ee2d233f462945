"""Ring-ring: lines go through all free cells; each is a rectangle, and they may cross."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import Board, Told, drawings, joins, size
from tests.rules import Cell
from tests.strategies import toml


def draw(random: Random) -> str:
    """Return a small board with some walls."""
    cells = size(random, 16)
    walls = random.sample(cells, random.choice([1, 1, 2, 4]))
    return toml(puzzle='"ring-ring"', size=[*cells[-1]], walls=f'"{" ".join(f"r{r}c{c}" for r, c in walls)}"')


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each free cell to two or four others."""
    rows, columns = board["size"]
    walls = {*board["walls"].split()}
    cells = [(r, c) for r, c in product(range(1, rows + 1), range(1, columns + 1)) if f"r{r}c{c}" not in walls]
    return drawings(cells, dict.fromkeys(cells, (2, 4)))


def keeps(_board: Board, answer: Told) -> bool:
    """Return whether the lines are rectangles: those from each upper left turn, on to the next turns, are all lines."""
    joined, left = joins(answer), {((r, c), (y, x)) for r, c, y, x, _ in answer}
    for r, c in sorted(joined):
        if joined[r, c] == {(r + 1, c), (r, c + 1)}:
            wide, high = (far((r, c), way, joined) for way in ((0, 1), (1, 0)))
            ring = [((r + y, c + i), (r + y, c + i + 1)) for y in (0, high) for i in range(wide)]
            ring += [((r + i, c + x), (r + i + 1, c + x)) for x in (0, wide) for i in range(high)]
            if not left.issuperset(ring):
                return False
            left -= {*ring}
    return not left


def far(cell: Cell, way: Cell, joined: dict[Cell, set[Cell]]) -> int:
    """Return how many cells a line goes straight on in a direction until it turns."""
    other, behind = (cell[0] + way[0], cell[1] + way[1]), 1
    while (on := (other[0] + way[0], other[1] + way[1])) in joined[other]:
        other, behind = on, behind + 1
    return behind
