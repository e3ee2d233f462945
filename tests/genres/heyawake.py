"""Heyawake: shaded cells do not touch, the others are connected, none of their lines reaches into three rooms."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, beside, blurred, cut, outline, shadings, tokens
from tests.rules import connected, members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    rooms = cut(random, cells, random.randint(2, 4))
    named = sorted({*rooms.values()})
    counts = {name: random.randint(0, 2) for name in named if random.random() < 0.3}
    text = ", ".join(f"{name} = {number!r}" for name, number in blurred(random, counts).items())
    return toml(puzzle='"heyawake"', rooms=grid(rooms, rooms, *cells[-1])) + (
        f"counts = {{ {text} }}\n" if text else ""
    )


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
    for r, c in white:
        for y, x in ((0, 1), (1, 0)):
            crossed, (i, j) = 0, (r, c)
            while (i + y, j + x) in white:
                crossed += rooms[i, j] != rooms[i + y, j + x]
                i, j = i + y, j + x
            if crossed > 1:
                return False
    return not any(beside(cell) & answer for cell in answer) and connected(white)
