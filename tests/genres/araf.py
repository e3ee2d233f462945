"""Araf: the board is cut into areas with two numbers each; the size of an area is between them."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, labels, outline, partitions, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 9)
    clues = {
        cell: random.randint(1, min(7, len(cells))) for cell in random.sample(cells, random.choice([2, 2, 3, 4, 4]))
    }
    return toml(puzzle='"araf"', numbers=grid(blurred(random, clues), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to cut the board into areas."""
    return partitions(tokens(board["numbers"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether areas keep the rules."""
    clues = labels(board["numbers"])
    inside = {area: [clues[cell] for cell in area if cell in clues] for area in answer}
    return all(len(pair) == 2 and between(len(area), *pair) for area, pair in inside.items())


def between(size: int, one: str, other: str) -> bool:
    """Return whether a size is between two numbers, of which some are unknown."""
    known = sorted(int(number) for number in (one, other) if number != UNKNOWN)
    return size not in known and (len(known) < 2 or known[0] < size < known[1])
