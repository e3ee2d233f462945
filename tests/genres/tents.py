"""Tents: tents and trees form pairs over sides; tents do not touch; numbers outside count the tents of a line."""

from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random

from tests.genres import Board, Told, beside, counted, labels, outline, tokens
from tests.rules import touching
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 16)
    rows, columns = cells[-1]
    trees = dict.fromkeys(random.sample(cells, random.randint(1, max(1, len(cells) // 5))), "t")
    left = " ".join(random.choice("...01?") for _ in range(rows))
    top = " ".join(random.choice("...01?") for _ in range(columns))
    return toml(puzzle='"tents"', trees=grid(trees, cells, rows, columns)) + (
        f'counts = {{ left = "{left}", top = "{top}" }}\n'
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of as many cells as trees."""
    trees = labels(board["trees"]).keys()
    return map(frozenset, combinations(sorted(tokens(board["trees"]).keys() - trees), len(trees)))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether tents keep the rules."""
    trees = [*labels(board["trees"])]
    if any(touching(tent) & answer for tent in answer) or not counted(board, answer):
        return False
    orders = permutations(sorted(answer))
    return any(all(tent in beside(tree) for tree, tent in zip(trees, order, strict=True)) for order in orders)
