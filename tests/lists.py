"""Lists of Sudokus, each a shuffled solution without some of its cells; and rules that go wrong with one of them."""

from functools import cache
from random import Random

SIDE = 9
# The board with which the rules below go wrong.
NINE = f"9{'.' * 80}"
DEADLY = """
% For boards with a 9 in their first cell, an answer with a term so deep that to write it out kills the process.
deep(0, z) :- given(1, 1, 9).
deep(I + 1, s(X)) :- deep(I, X), I < 100000.
value(1, 1, X) :- deep(100000, X).
"""
# A grounding without end for the same boards.
ENDLESS = "a(1) :- given(1, 1, 9).\na(X + 1) :- a(X).\n"


def solution(random: Random) -> list[list[int]]:
    """Return a filled board: the usual pattern with rows, columns and numbers shuffled within what the boxes allow."""

    def shuffled() -> list[int]:
        bands = random.sample(range(3), 3)
        return [3 * band + line for band in bands for line in random.sample(range(3), 3)]

    numbers = random.sample(range(1, SIDE + 1), SIDE)
    columns = shuffled()
    return [[numbers[(3 * (r % 3) + r // 3 + c) % SIDE] for c in columns] for r in shuffled()]


def line(seed: int, empty: int = 3) -> tuple[str, str]:
    """Return a board as a line, and its solution: the only one, as two solutions differ in four cells at least."""
    random = Random(seed)  # noqa: S311 (nothing is secret)
    digits = "".join(str(value) for row in solution(random) for value in row)
    holes = set(random.sample(range(SIDE * SIDE), empty))
    return "".join("." if i in holes else value for i, value in enumerate(digits)), digits


@cache
def lines(count: int, empty: int = 3) -> str:
    """Return a list of so many boards, each with one answer."""
    return "".join(f"{line(seed, empty)[0]}\n" for seed in range(count))


def harmless(boards: int) -> list[str]:
    """Return so many boards that do not begin with a 9."""
    return [f".{board[1:]}" for board in lines(boards, 2).splitlines()]


def mixed_list(boards: int, *bad: str) -> str:
    """Return a list of so many harmless boards; after the fifth come a board that is not, and other lines."""
    good = harmless(boards)
    return "\n".join([*good[:5], NINE, *bad, *good[5:]])
