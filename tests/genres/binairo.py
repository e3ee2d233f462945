"""Binairo: as many 0s as 1s in each line, no three in a row alike, and no two rows or columns alike unless allowed."""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

from tests.genres import Board, Told, printed, some, tokens
from tests.strategies import grid, rectangle, toml


def _rows(answer: Told) -> list[list[int]]:
    value = {(r, c): v for r, c, v in answer}
    rows, columns = max(value)
    return [[value[r, c] for c in range(1, columns + 1)] for r in range(1, rows + 1)]


def _told(rows: Sequence[Sequence[int]]) -> Told:
    return frozenset((r, c, value) for r, row in enumerate(rows, 1) for c, value in enumerate(row, 1))


def draw(random: Random) -> str:
    """Return a small board."""
    rows, columns = random.choice([(2, 2), (2, 4), (4, 2), (4, 4), (4, 4)])
    lines = [random.sample([0, 1] * (columns // 2), columns) for _ in range(rows)]
    given = some(random, _told(lines), rows * columns // 2)
    alike = {"alike": 1} if random.random() < 0.5 else {}
    return toml(puzzle='"binairo"', givens=grid(given, rectangle(rows, columns), rows, columns), **alike)


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to fill the rows with as many 0s as 1s."""
    rows, columns = max(tokens(board["givens"]))
    halves = [line for line in product((0, 1), repeat=columns) if 2 * sum(line) == columns]
    return map(_told, product(halves, repeat=rows))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether numbers keep the rules."""
    rows = _rows(answer)
    columns = [[*column] for column in zip(*rows, strict=True)]
    for lines in (rows, columns):
        if not board.get("alike") and len({*map(tuple, lines)}) < len(lines):
            return False
        for line in lines:
            threes = zip(line, line[1:], line[2:], strict=False)
            if 2 * sum(line) != len(line) or any(len({*three}) == 1 for three in threes):
                return False
    return printed(board, answer)
