"""Akari: bulbs light all cells that are no walls, and not one another; numbers count the bulbs beside walls."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, labels, outline, shadings, tokens
from tests.rules import Cell
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    walls = {cell: random.choice("xx012") for cell in random.sample(cells, random.randint(2, len(cells) // 2))}
    return toml(puzzle='"akari"', walls=grid(walls, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of free cells."""
    return shadings(tokens(board["walls"]).keys() - labels(board["walls"]).keys())


def lit(cell: Cell, free: set[Cell]) -> set[Cell]:
    """Return the cells that a bulb lights besides its own."""
    found = set()
    for y, x in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        r, c = cell
        while (r := r + y, c := c + x) in free:
            found.add((r, c))
    return found


def keeps(board: Board, answer: Told) -> bool:
    """Return whether bulbs keep the rules."""
    walls = labels(board["walls"])
    free = {*tokens(board["walls"])} - walls.keys()
    light = {other for bulb in answer for other in lit(bulb, free)}
    right = all(len(beside(cell) & answer) == int(token) for cell, token in walls.items() if token != "x")  # noqa: S105
    return right and light | answer == free and not light & answer
