"""Heyawake: shaded cells do not touch, the others are connected, none of their lines reaches into three rooms."""

from collections.abc import Iterator
from random import Random

from tests.genres import (
    UNKNOWN,
    Board,
    Told,
    beside,
    counts_line,
    cut,
    outline,
    reaches_into_three,
    shadings,
    tokens,
)
from tests.rules import connected, members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    rooms = cut(random, cells, random.randint(2, 4))
    named = sorted({*rooms.values()})
    counts = {name: random.randint(0, 2) for name in named if random.random() < 0.3}
    board = toml(puzzle='"heyawake"', rooms=grid(rooms, rooms, *cells[-1]))
    return board + (counts_line(random, counts) if counts else "")


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["rooms"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    rooms = tokens(board["rooms"])
    cells = members(rooms)
    if any(number not in {UNKNOWN, len(cells[room] & answer)} for room, number in board.get("counts", {}).items()):
        return False
    white = rooms.keys() - answer
    if reaches_into_three(rooms, white):
        return False
    return not any(beside(cell) & answer for cell in answer) and connected(white)
