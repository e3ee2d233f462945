"""Kakuro: the numbers of a run across or down differ and add up to the number before it."""

import re
from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import Board, Told, labels, size, tokens
from tests.rules import Cell
from tests.strategies import grid, toml

STEPS = {"e": (0, 1), "s": (1, 0)}


def _white(board: Board) -> list[Cell]:
    """Return the cells that are no walls."""
    return sorted(tokens(board["sums"]).keys() - labels(board["sums"]).keys())


def _runs(white: list[Cell]) -> Iterator[tuple[Cell, str, list[Cell]]]:
    """Yield each run with the place before it and its direction."""
    for r, c in white:
        for way, (y, x) in STEPS.items():
            if (r - y, c - x) not in white:
                run = [(r, c)]
                while (after := (run[-1][0] + y, run[-1][1] + x)) in white:
                    run.append(after)
                yield (r - y, c - x), way, run


def draw(random: Random) -> str:
    """Return a small board: few cells are white; some walls have the sum of random numbers, right or not."""
    cells = size(random, 12)
    rows, columns = cells[-1]
    white = random.sample(cells, min(4, len(cells) - 1))
    value = {cell: random.randint(1, 9) for cell in white}
    sums = {cell: "" for cell in cells if cell not in white}
    for place, way, run in _runs(white):
        if place in sums and random.random() < 0.8:
            sums[place] += f"{sum(value[cell] for cell in run)}{way}"
    found = {cell: label or "x" for cell, label in sums.items()}
    return toml(puzzle='"kakuro"', sums=grid(found, cells, rows, columns))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to fill the white cells."""
    white = _white(board)
    for values in product(range(1, 10), repeat=len(white)):
        yield frozenset((*cell, value) for cell, value in zip(white, values, strict=True))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules."""
    value = {(r, c): v for r, c, v in answer}
    found = tokens(board["sums"])
    demanded = {
        (cell, way): int(number) for cell, token in found.items() for number, way in re.findall(r"(\d+)([es])", token)
    }
    for place, way, run in _runs(_white(board)):
        numbers = [value[cell] for cell in run]
        total = demanded.pop((place, way), None)
        if len({*numbers}) < len(numbers) or total not in {None, sum(numbers)}:
            return False
    return not demanded
