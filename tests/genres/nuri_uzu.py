"""Nuri-uzu: each unshaded area is symmetric about its only center; no 2x2 square is all of one kind."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import Board, Told, flags, parts, shadings, size, squared
from tests.genres.galaxies import around, corners
from tests.rules import Cell
from tests.strategies import toml


def draw(random: Random) -> str:
    """Return a small board with centers in cells and on sides."""
    rows, columns = size(random, 12)[-1]
    cells = [*product(range(1, rows + 1), range(1, columns + 1))]
    sides = [(cell, other) for cell, other in product(cells, repeat=2) if sum(other) - sum(cell) == 1]
    near = [(cell, other) for cell, other in sides if min(other[0] - cell[0], other[1] - cell[1]) == 0]
    places = [*((cell,) for cell in cells), *near]
    centers = random.sample(places, min(len(places), random.randint(1, 3)))
    return toml(puzzle='"nuri-uzu"', size=[rows, columns], centers=[words(center) for center in centers]) + flags(
        random, "connected"
    )


def words(cells: tuple[Cell, ...]) -> str:
    """Return a center as a board has it."""
    return " ".join(f"r{r}c{c}" for r, c in cells)


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells that touch no center."""
    return shadings(outline(board) - {cell for line in board["centers"] for cell in around(corners(line))})


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    cells = outline(board)
    for area in parts(cells - answer):
        middles = [middle for middle in map(corners, board["centers"]) if {*around(middle)} & area]
        if len(middles) != 1 or any((middles[0][0] - r, middles[0][1] - c) not in area for r, c in area):
            return False
    joined = not board.get("connected") or len([*parts(answer)]) < 2
    return joined and not squared(answer) and not squared(cells - answer)


def outline(board: Board) -> set[Cell]:
    """Return the cells of a board."""
    rows, columns = board["size"]
    return {*product(range(1, rows + 1), range(1, columns + 1))}
