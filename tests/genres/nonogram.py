"""Nonogram: the numbers of a row or column are the lengths of its runs of shaded cells, in order."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, label_words, shadings, size
from tests.strategies import rectangle, toml

PUZZLE = '"nonogram"'


def _runs(shaded: Told, side: str, i: int, size: tuple[int, int]) -> list[int]:
    """Return the runs of a line."""
    cells = [(i, c) for c in range(1, size[1] + 1)] if side == "left" else [(r, i) for r in range(1, size[0] + 1)]
    return [len([*cells]) for is_shaded, cells in groupby(cells, lambda cell: cell in shaded) if is_shaded] or [0]


def _fits(label: Sequence[str], runs: Sequence[int]) -> bool:
    """Return whether a label says the runs of a line, each with its length or without."""
    return len(label) == len(runs) and all(
        run > 0 if token == UNKNOWN else run == int(token) for token, run in zip(label, runs, strict=True)
    )


def _size(board: Board) -> tuple[int, int]:
    if "size" in board:
        rows, columns = board["size"]
        return rows, columns
    return len(label_words(board, "runs", "left")), len(label_words(board, "runs", "top"))


def draw(random: Random) -> str:
    """Return a small board; some of its lines have no numbers, and one may have wrong ones."""
    cells = size(random, 12)
    rows, columns = cells[-1]
    shaded = frozenset(cell for cell in cells if random.random() < 0.6)
    sides = []
    for side, length in (("left", rows), ("top", columns)):
        found = [_runs(shaded, side, i, (rows, columns)) for i in range(1, length + 1)]
        if random.random() < 0.1:
            found[random.randrange(length)] = [random.randint(0, 3)]
        unknown = [blurred(random, dict(enumerate(runs))) for runs in found]
        found = [
            [run and lengths[j] for j, run in enumerate(runs)] for runs, lengths in zip(found, unknown, strict=True)
        ]
        words = ["." if random.random() < 0.2 else ",".join(map(str, runs)) for runs in found]
        sides.append(f'{side} = "{" ".join(words)}"')
    return f"{toml(puzzle=PUZZLE, size=[rows, columns])}runs = {{ {', '.join(sides)} }}\n"


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(rectangle(*_size(board)))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    return all(
        label == "." or _fits(label.split(","), _runs(answer, side, i, _size(board)))
        for side in ("left", "top")
        for i, label in enumerate(label_words(board, "runs", side), 1)
    )
