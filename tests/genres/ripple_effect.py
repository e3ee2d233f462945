"""Ripple Effect: a room of n cells holds 1..n; between two equal numbers n of a line are at least n cells."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, cut, orders, printed, size, some, tokens
from tests.rules import members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = size(random, 9)
    rows, columns = cells[-1]
    rooms = cut(random, cells, random.randint(2, 4))
    given = blurred(random, some(random, random.choice([*orders(rooms)]), 2))
    return toml(
        puzzle='"ripple-effect"',
        rooms=grid(rooms, cells, rows, columns),
        givens=grid(given, cells, rows, columns),
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to fill the rooms."""
    return orders(tokens(board["rooms"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules."""
    value = {(r, c): v for r, c, v in answer}
    for room in members(tokens(board["rooms"])).values():
        if {value[cell] for cell in room} != {*range(1, len(room) + 1)}:
            return False
    near = (value.get(other) == v for r, c, v in answer for d in range(1, v + 1) for other in ((r + d, c), (r, c + d)))
    return printed(board, answer) and not any(near)
