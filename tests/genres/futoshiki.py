"""Futoshiki: every row and column holds 1..n once; a sign points to the smaller of two neighbours."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, numbers, some, squares, tokens
from tests.strategies import grid, rectangle, toml


def draw(random: Random) -> str:
    """Return a small board; one in three signs of it is wrong in one of four boards."""
    n = random.randint(2, 4)
    answer = random.choice([*squares(range(1, n + 1))])
    value = {(r, c): v for r, c, v in answer}
    wrong = random.random() < 0.25
    signs = {}
    for r, c in rectangle(n, n):
        for other, less, more in (((r, c + 1), "<", ">"), ((r + 1, c), "^", "v")):
            if other in value and random.random() < 0.3:
                is_less = (value[r, c] < value[other]) != (wrong and random.random() < 0.3)
                signs[r + other[0] - 1, c + other[1] - 1] = less if is_less else more
    cells = rectangle(n, n)
    between = {place: signs.get(place, ".") for place in rectangle(2 * n - 1, 2 * n - 1)}
    return toml(
        puzzle='"futoshiki"',
        givens=grid(some(random, answer, 3), cells, n, n),
        signs=grid(between, between, 2 * n - 1, 2 * n - 1),
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every Latin square."""
    return squares(range(1, max(tokens(board["givens"]))[0] + 1))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a square keeps the rules."""
    value = {(r, c): v for r, c, v in answer}
    n = max(value)[0]
    lines = [{value[r, c] for c in range(1, n + 1)} for r in range(1, n + 1)]
    lines += [{value[r, c] for r in range(1, n + 1)} for c in range(1, n + 1)]
    for (i, j), sign in tokens(board.get("signs", ".")).items():
        if sign in {"<", ">", "^", "v"}:
            first = value[(i + 1) // 2, (j + 1) // 2]
            second = value[i // 2 + 1, j // 2 + 1]
            if (first < second) != (sign in "<^"):
                return False
    return all(line == {*range(1, n + 1)} for line in lines) and numbers(board["givens"]).items() <= value.items()
