"""Nuribou: shaded bars, of different lengths where they touch at a corner, around islands with one number each."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, labels, numbered, outline, parts, rectangular, shadings, tokens
from tests.rules import touching
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    clues = {cell: random.choice([1, 1, 2, 2, 3, 4]) for cell in random.sample(cells, random.randint(1, 4))}
    return toml(puzzle='"nuribou"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a number."""
    return shadings(tokens(board["numbers"]).keys() - labels(board["numbers"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    bars = [*parts(answer)]
    straight = all(rectangular(bar) and 1 in {len({r for r, _ in bar}), len({c for _, c in bar})} for bar in bars)
    near = [{place for cell in bar for place in touching(cell)} for bar in bars]
    equal = any(
        bar is not other and len(bar) == len(other) and around & other
        for bar, around in zip(bars, near, strict=True)
        for other in bars
    )
    return straight and not equal and numbered(board["numbers"], answer)
