"""Reflect Link: one loop turns at all mirrors and crosses itself at all crosses; numbers say how far it goes on."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, drawings, joins, labels, numbers, reach, size, tokens, tours
from tests.strategies import grid, toml

# {mirror: the steps that its dark half forbids, down and to the right}
DARK = {"◤": {(-1, 0), (0, -1)}, "◥": {(-1, 0), (0, 1)}, "◢": {(1, 0), (0, 1)}, "◣": {(1, 0), (0, -1)}}
STEPS = {(-1, 0), (1, 0), (0, -1), (0, 1)}


def draw(random: Random) -> str:
    """Return a small board with a few mirrors and crosses, some with a number."""
    cells = size(random, 16)
    mirrors = {cell: random.choice([*DARK, *DARK, "╬"]) for cell in random.sample(cells, random.randint(0, 3))}
    lengths = {cell: random.randint(3, 4) for cell in mirrors if random.random() < 0.3}
    grids = {"mirrors": grid(mirrors, cells, *cells[-1]), "numbers": grid(lengths, cells, *cells[-1])}
    return toml(puzzle='"reflect-link"', **grids)


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none, or with a cross to four."""
    mirrors = tokens(board["mirrors"])
    return drawings(mirrors, {cell: (4,) if mirror == "╬" else (0, 2) for cell, mirror in mirrors.items()})


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop that turns at mirrors, as far from them as numbers say."""
    joined, mirrors, lengths = joins(answer), labels(board["mirrors"]), numbers(board.get("numbers", ""))
    turns = all(
        {(r - cell[0], c - cell[1]) for r, c in joined.get(cell, ())} == STEPS - DARK[mirror]
        for cell, mirror in mirrors.items()
        if mirror in DARK
    )
    far = all(
        mirrors[cell] in DARK and 1 + sum(reach(cell, way, joined) for way in STEPS) == number
        for cell, number in lengths.items()
    )
    return turns and far and tours(answer) == 1
