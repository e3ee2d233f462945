"""Tapa: connected shaded cells without a 2x2 square; numbers are the lengths of runs of shaded cells around them."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, labels, outline, shadings, squared, tokens
from tests.rules import connected
from tests.strategies import grid, toml

AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))


def draw(random: Random) -> str:
    """Return a small board with a few clues, of up to three numbers."""
    cells = outline(random, 14)
    words = ["0", "1", "2", "3", "4", "5", "?", "1,1", "1,3", "2,1", "?,1", "1,1,1", "?,?"]
    clues = {cell: random.choice(words) for cell in random.sample(cells, random.randint(1, 3))}
    return toml(puzzle='"tapa"', numbers=grid(clues, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading of the cells without numbers."""
    return shadings([cell for cell, clue in tokens(board["numbers"]).items() if clue == "."])


def keeps(board: Board, answer: Told) -> bool:
    """Return whether shaded cells are connected, fill no square, and are in the runs that the numbers say."""
    clues = labels(board["numbers"]).items()
    return connected(answer) and not squared(answer) and all(fits(runs(r, c, answer), clue) for (r, c), clue in clues)


def runs(r: int, c: int, answer: Told) -> list[int]:
    """Return the lengths of the runs of shaded cells around a cell."""
    text = "".join("x" if (r + y, c + x) in answer else " " for y, x in AROUND)
    start = text.find(" ")
    return [8] if start < 0 else [len(run) for run in (text[start:] + text[:start]).split()]


def fits(lengths: list[int], clue: str) -> bool:
    """Return whether runs are those of a clue; a ? is any run, and 0 is none."""
    left = [*lengths]
    for word in clue.split(","):
        if word not in {UNKNOWN, "0"}:
            if int(word) not in left:
                return False
            left.remove(int(word))
    return len(left) == clue.count(UNKNOWN)
