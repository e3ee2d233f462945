"""Minesweeper: a number says how many of the cells around it are mines, and is none itself."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, labels, numbers, outline, shadings, tokens
from tests.rules import touching
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 16)
    mines = {*random.sample(cells, len(cells) // 3)}
    clues = {cell: len(touching(cell) & mines) for cell in cells if cell not in mines and random.random() < 0.6}
    if random.random() < 0.2:
        clues[random.choice(sorted({*cells} - mines))] = random.randint(0, 8)
    more = {"mines": len(mines)} if random.random() < 0.5 else {}
    return toml(puzzle='"minesweeper"', numbers=grid(blurred(random, clues), cells, *cells[-1]), **more)


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether mines keep the rules."""
    clues = numbers(board["numbers"])
    right = all(len(touching(cell) & answer) == number for cell, number in clues.items())
    return right and not labels(board["numbers"]).keys() & answer and board.get("mines", len(answer)) == len(answer)
