"""Galaxies: the board is cut into connected areas, each symmetric about the one center that it has."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import Board, Told, partitions, size
from tests.rules import Cell
from tests.strategies import toml


def draw(random: Random) -> str:
    """Return a small board whose centers do not touch the same cell."""
    rows, columns = size(random, 9)[-1]
    free = {*product(range(1, rows + 1), range(1, columns + 1))}
    lines = []
    for _ in range(random.randint(2, 4)):
        places = [
            [(r + y, c + x) for y in range(h) for x in range(w)]
            for r, c in free
            for h, w in ((1, 1), (1, 2), (2, 1), (2, 2))
        ]
        places = sorted(cells for cells in places if {*cells} <= free)
        if places:
            cells = random.choice(places)
            free -= {*cells}
            lines.append(" ".join(f"r{r}c{c}" for r, c in {cells[0], cells[-1]}))
    return toml(puzzle='"galaxies"', size=[rows, columns], centers=lines)


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to cut the board into areas."""
    rows, columns = board["size"]
    return partitions([*product(range(1, rows + 1), range(1, columns + 1))])


def keeps(board: Board, answer: Told) -> bool:
    """Return whether each area has one center, and is symmetric about it."""
    centers = [corners(line) for line in board["centers"]]
    owners = [[middle for middle in centers if {*around(middle)} & area] for area in answer]
    if any(len(owned) != 1 for owned in owners) or len(answer) != len(centers):
        return False
    return all(
        {*around(middle)} <= area and all((middle[0] - r, middle[1] - c) in area for r, c in area)
        for area, (middle,) in zip(answer, owners, strict=True)
    )


def corners(line: str) -> Cell:
    """Return a center, in half cells."""
    cells = [tuple(map(int, name[1:].split("c"))) for name in line.split()]
    first, last = cells[0], cells[-1]
    return first[0] + last[0], first[1] + last[1]


def around(middle: Cell) -> set[Cell]:
    """Return the cells that touch a center."""
    y, x = middle
    return {(r, c) for r in {y // 2, (y + 1) // 2} for c in {x // 2, (x + 1) // 2}}
