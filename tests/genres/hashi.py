"""Hashi: up to two bridges join islands in a line; they never cross, and all islands are connected."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, labels, size
from tests.rules import Cell
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board, whose numbers are those of random bridges."""
    cells = size(random, 16)
    islands = random.sample(cells, random.randint(2, min(5, len(cells))))
    counts = dict.fromkeys(islands, 0)
    for pair in facing(islands):
        number = random.randint(0, 2)
        for cell in pair:
            counts[cell] += number
    printed = {cell: max(1, count) for cell, count in counts.items()}
    return toml(puzzle='"hashi"', islands=grid(blurred(random, printed), cells, *cells[-1]))


def facing(islands: list[Cell]) -> list[tuple[Cell, Cell]]:
    """Return the islands that see each other along a row or column."""
    found = []
    for one, other in combinations(sorted(islands), 2):
        for way in (0, 1):
            if one[way] == other[way]:
                between = [cell for cell in islands if cell[way] == one[way] and one < cell < other]
                found += [] if between else [(one, other)]
    return found


def tries(board: Board) -> Iterator[Told]:
    """Yield every number of bridges between islands that see each other."""
    pairs = facing([*labels(board["islands"])])
    for counts in product(range(3), repeat=len(pairs)):
        yield frozenset((*one, *other, count) for (one, other), count in zip(pairs, counts, strict=True) if count)


def keeps(board: Board, answer: Told) -> bool:
    """Return whether bridges are as the islands say, and connect all of them."""
    islands = labels(board["islands"])
    counts = dict.fromkeys(islands, 0)
    for r, c, row, column, count in answer:
        counts[r, c] += count
        counts[row, column] += count
    across = [(r, c, column) for r, c, row, column, _ in answer if r == row]
    down = [(c, r, row) for r, c, row, column, _ in answer if c == column]
    if any(left < c < right and top < r < bottom for r, left, right in across for c, top, bottom in down):
        return False
    reached = {min(islands)}
    for _ in islands:
        reached |= {
            end
            for r, c, row, column, _ in answer
            for end in ((r, c), (row, column))
            if {(r, c), (row, column)} & reached
        }
    right = all(counts[cell] > 0 if label == UNKNOWN else counts[cell] == int(label) for cell, label in islands.items())
    return right and reached == islands.keys()
