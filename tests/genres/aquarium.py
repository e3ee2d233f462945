"""Aquarium: water is level in each tank, or in each part of it; numbers outside count the cells with water."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import UNKNOWN, Board, Told, counted, cut, outline, parts, shadings, tokens
from tests.rules import Cell
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    rows, columns = cells[-1]
    tanks = cut(random, cells, random.randint(1, 4))
    counts = {
        side: " ".join(random.choice([".", ".", ".", UNKNOWN, str(random.randint(0, most))]) for _ in range(number))
        for side, number, most in (("top", columns, rows), ("left", rows, columns))
    }
    text = ", ".join(f'{side} = "{labels}"' for side, labels in counts.items())
    more = {"parts": random.randint(0, 1)} if random.random() < 0.8 else {}
    return toml(puzzle='"aquarium"', tanks=grid(tanks, tanks, rows, columns), **more) + f"counts = {{ {text} }}\n"


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["tanks"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether water keeps the rules."""
    tanks = tokens(board["tanks"])

    def level(cell: Cell, other: Cell) -> bool:
        """Return whether water in a cell would fill the other."""
        if tanks[cell] != tanks[other] or other[0] < cell[0]:
            return False
        low = {one for one, tank in tanks.items() if tank == tanks[cell] and one[0] >= cell[0]}
        return not board.get("parts") or any(cell in part and other in part for part in parts(low))

    pairs = product(answer, tanks.keys() - answer)
    return counted(board, answer) and not any(level(cell, other) for cell, other in pairs)
