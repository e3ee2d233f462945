"""Doppelblock: two blocks in every row and column, and 1, 2, ... once; a number outside is the sum between them."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, label_words, labels, printed, some, squares, tokens
from tests.strategies import grid, rectangle, toml

PUZZLE = '"doppelblock"'


def _sums(answer: Told, n: int) -> dict[tuple[str, int], int]:
    """Return the sum between the blocks of each column (top) and row (left)."""
    sums = {}
    for side, way in (("left", 0), ("top", 1)):
        for i in range(1, n + 1):
            line = [v for *cell, v in sorted(answer) if cell[way] == i]
            first, last = (at for at, v in enumerate(line) if not v)
            sums[side, i] = sum(line[first:last])
    return sums


def draw(random: Random) -> str:
    """Return a small board, perhaps with a sum that is wrong."""
    n = random.randint(3, 4)
    answer = random.choice([*squares([*range(1, n - 1), 0, 0])])
    sums = {place: number for place, number in _sums(answer, n).items() if random.random() < 0.3}
    if sums and random.random() < 0.25:
        sums[random.choice([*sums])] = random.randint(0, 3)
    told = blurred(random, sums)
    sides = [
        f'{side} = "{" ".join(str(told.get((side, i), ".")) for i in range(1, n + 1))}"' for side in ("top", "left")
    ]
    filled = frozenset(one for one in answer if one[2])
    givens = grid(blurred(random, some(random, filled, 2)), rectangle(n, n), n, n)
    return f"{toml(puzzle=PUZZLE, givens=givens)}between = {{ {', '.join(sides)} }}\n"


def tries(board: Board) -> Iterator[Told]:
    """Yield every square of numbers and blocks."""
    n = max(tokens(board["givens"]))[0]
    return squares([*range(1, n - 1), 0, 0])


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a square keeps the rules."""
    n = max(tokens(board["givens"]))[0]
    sums = _sums(answer, n)
    told = {
        (side, i): word for side in ("top", "left") for i, word in enumerate(label_words(board, "between", side), 1)
    }
    unknown = {cell for cell, token in labels(board["givens"]).items() if token == UNKNOWN}
    fits = all(word in {".", UNKNOWN, str(sums[place])} for place, word in told.items())
    return printed(board, answer) and fits and not any(v == 0 and (r, c) in unknown for r, c, v in answer)
