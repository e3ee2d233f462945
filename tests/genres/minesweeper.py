"""Minesweeper: a number says how many of the cells around it are mines, and is none itself."""

from collections.abc import Iterator
from random import Random
from typing import Any

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
    more: dict[str, Any] = {"mines": len(mines)} if random.random() < 0.5 else {}
    if random.random() < 0.3:
        marked = random.sample(sorted({*cells} - clues.keys()), 1) + random.sample(cells, random.randint(0, 1))
        more["known"] = " ".join(f"r{r}c{c}" for r, c in {*marked})
    return toml(puzzle='"minesweeper"', numbers=grid(blurred(random, clues), cells, *cells[-1]), **more)


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether mines keep the rules."""
    clues = numbers(board["numbers"])
    known = {(int(r), int(c)) for r, c in (cell[1:].split("c") for cell in board.get("known", "").split())}
    right = known <= answer and all(len(touching(cell) & answer) == number for cell, number in clues.items())
    return right and not labels(board["numbers"]).keys() & answer and board.get("mines", len(answer)) == len(answer)
