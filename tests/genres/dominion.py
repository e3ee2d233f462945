"""Dominion: shaded dominoes do not touch; each area of other cells has letters of one kind, and all of this kind."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, labels, outline, parts, shadings, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    letters = {cell: random.choice("AAB") for cell in random.sample(cells, random.randint(1, 4))}
    return toml(puzzle='"dominion"', letters=grid(letters, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of cells without a letter."""
    return shadings(tokens(board["letters"]).keys() - labels(board["letters"]).keys())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    letters = labels(board["letters"])
    inside = [
        {letters[cell] for cell in area & letters.keys()} for area in parts(tokens(board["letters"]).keys() - answer)
    ]
    lettered = all(len(names) == 1 for names in inside) and len(inside) == len({*letters.values()})
    return lettered and all(len(beside(cell) & answer) == 1 for cell in answer)
