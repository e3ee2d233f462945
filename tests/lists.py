"""Lists of Sudokus that are made here: each is a shuffled solution with some of its cells left out."""

from __future__ import annotations

from functools import cache
from random import Random

SIDE = 9


def solved(random: Random) -> list[list[int]]:
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
    solution = "".join(str(value) for row in solved(random) for value in row)
    holes = set(random.sample(range(SIDE * SIDE), empty))
    return "".join("." if i in holes else value for i, value in enumerate(solution)), solution


@cache
def lines(count: int, empty: int = 3) -> str:
    """Return a list of so many boards, each with one answer."""
    return "".join(f"{line(seed, empty)[0]}\n" for seed in range(count))
