"""Kropki: every row and column holds 1..n once; white dots: differ by 1; black: one is half; no dot: neither."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, pairs, squares, tokens
from tests.strategies import grid, rectangle, toml

WHITE, BLACK = "○", "●"


def _dots(one: int, other: int) -> set[str]:
    """Return the dots that may be between two numbers, `.` for none."""
    dots = {WHITE} if abs(one - other) == 1 else set[str]()
    dots |= {BLACK} if 2 * one == other or 2 * other == one else set()
    return dots or {"."}


def draw(random: Random) -> str:
    """Return a small board; one dot of it may be wrong."""
    n = random.randint(2, 4)
    value = {(r, c): v for r, c, v in random.choice([*squares(range(1, n + 1))])}
    side = 2 * n - 1
    signs = dict.fromkeys(rectangle(side, side), ".")
    for one, other in pairs(value):
        signs[one[0] + other[0] - 1, one[1] + other[1] - 1] = random.choice(sorted(_dots(value[one], value[other])))
    if random.random() < 0.25:
        signs[random.choice([(1, 2), (2, 1)])] = random.choice([WHITE, BLACK, "."])
    return toml(puzzle='"kropki"', size=[n, n], dots=grid(signs, signs, side, side))


def tries(board: Board) -> Iterator[Told]:
    """Yield every Latin square."""
    return squares(range(1, board["size"][0] + 1))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether the dots are right."""
    value, signs = {(r, c): v for r, c, v in answer}, tokens(board["dots"])
    return all(
        signs[one[0] + other[0] - 1, one[1] + other[1] - 1] in _dots(value[one], value[other])
        for one, other in pairs(value)
    )
