"""Chaos Construction: a Latin square, cut into n connected regions of n cells that hold 1..n once each."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from random import Random
from typing import Any

from tests.genres import Board, Told, areas_of, beside, partitions, printed, squares
from tests.rules import Cell, connected, touching
from tests.strategies import grid, rectangle, toml


def draw(random: Random) -> str:
    """Return a small board with clues of one of its answers, at times with a wrong one."""
    n = random.choice([3, 4, 4])
    cells = rectangle(n, n)
    answer = random.choice(every(n))
    value = {(r, c): v for r, c, v in values(answer)}
    if random.random() < 0.2:
        value[random.choice(cells)] = random.randint(1, n)
    given = {cell: value[cell] for cell in random.sample(cells, random.randint(0, 4))}
    region = {cell: area for area in regions(answer) for cell in area}
    board = toml(puzzle='"chaos-construction"', givens=grid(given, cells, n, n))
    pairs = [(one, other) for one, other in product(cells, repeat=2) if other in beside(one) and one < other]
    clues = {
        "same_regions": [words(*pair) for pair in pairs if region[pair[0]] == region[pair[1]]],
        "walls": [words(*pair) for pair in pairs if region[pair[0]] != region[pair[1]]],
        "region_counts": [
            f"{words(at)} > {words(*near)}"
            for at in cells
            for near in [[at, *sorted(touching(at) & {*cells})][: random.randint(2, 9)]]
            if len({*near} & region[at]) == value[at]
        ],
        "region_arrows": [
            f"{words(at)} = {' = '.join(words(*arm) for arm in arms)}"
            for at in cells
            for arms in [random.sample(four_arms(at, n), random.randint(1, 4))]
            if run(arms, region) == value[at]
        ],
    }
    for key, lines in clues.items():
        if lines and random.random() < 0.5:
            board += f"{key} = {random.sample(lines, min(len(lines), random.randint(1, 3)))!r}\n"
    return board


def tries(board: Board) -> Iterator[Told]:
    """Yield every square with the printed numbers, and every way to cut it, where regions hold each number once."""
    n = len(board["givens"].strip().split("\n"))
    return (answer for answer in every(n) if printed(board, answer))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether an answer keeps the rules."""
    value = {(r, c): v for r, c, v in values(answer)}
    region = {cell: area for area in regions(answer) for cell in area}
    n = round(len(value) ** 0.5)
    units = [[(i, j) for j in range(1, n + 1)] for i in range(1, n + 1)]
    units += [[(j, i) for j in range(1, n + 1)] for i in range(1, n + 1)]
    units += [[*area] for area in regions(answer)]
    right = all(sorted(value[cell] for cell in unit) == [*range(1, n + 1)] for unit in units)
    right = right and all(connected(area) for area in regions(answer)) and printed(board, answer)
    same = all(len({region[cell] for cell in cells_of(line)}) == 1 for line in board.get("same_regions", []))
    apart = all(len({region[cell] for cell in cells_of(line)}) == 2 for line in board.get("walls", []))
    return right and same and apart and counts_hold(board, value, region)


def counts_hold(board: Board, value: dict[Cell, int], region: dict[Cell, Any]) -> bool:
    """Return whether numbers count cells of regions as they should."""
    for line in board.get("region_counts", []):
        at, near = map(cells_of, line.split(" > "))
        if value[at[0]] != len({*near} & region[near[0]]):
            return False
    for line in board.get("region_arrows", []):
        at, *arms = map(cells_of, line.split(" = "))
        if value[at[0]] != run(arms, region):
            return False
    return True


@cache
def every(n: int) -> list[Told]:
    """Return every answer of the blank board of n x n cells."""
    cells = rectangle(n, n)
    cuts = [*partitions(cells, lambda first, left: [area for area in areas_of(first, left, n) if len(area) == n])]
    found = []
    for square in squares(range(1, n + 1)):
        value = {(r, c): v for r, c, v in square}
        found += [square | cut for cut in cuts if all(len({value[cell] for cell in area}) == n for area in cut)]
    return found


def values(answer: Told) -> list[tuple[int, int, int]]:
    """Return the numbers of an answer."""
    return [one for one in answer if isinstance(one, tuple)]


def regions(answer: Told) -> list[frozenset[Cell]]:
    """Return the regions of an answer."""
    return [one for one in answer if isinstance(one, frozenset)]


def words(*cells: Cell) -> str:
    """Return cells as a board has them."""
    return " ".join(f"r{r}c{c}" for r, c in cells)


def cells_of(text: str) -> list[Cell]:
    """Return the cells of a text."""
    return [(int(r), int(c)) for r, c in re.findall(r"r(\d+)c(\d+)", text)]


def four_arms(cell: Cell, n: int) -> list[list[Cell]]:
    """Return the cells from a cell on in each direction."""
    ways = sorted(beside((0, 0)))
    steps = [[(cell[0] + i * y, cell[1] + i * x) for i in range(n)] for y, x in ways]
    return [[(r, c) for r, c in arm if 1 <= r <= n and 1 <= c <= n] for arm in steps]


def run(arms: Sequence[Sequence[Cell]], region: dict[Cell, Any]) -> int:
    """Return how many cells are reached along arms without leaving the region of their first cells."""
    reached = {arm[0] for arm in arms}
    for arm in arms:
        for before, after in pairwise(arm):
            if region[before] != region[after]:
                break
            reached.add(after)
    return len(reached)
