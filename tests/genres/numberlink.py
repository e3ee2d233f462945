"""Numberlink: lines join equal numbers, or ? and ?, and never meet; if the board is full, they visit all cells."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, blurred, drawings, joins, labels, size, tokens
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board with one or two pairs of numbers."""
    cells = size(random, 12)
    ends = random.sample(cells, 2 * random.randint(1, 2))
    printed = {cell: i // 2 + 1 for i, cell in enumerate(ends)}
    unknown = blurred(random, {i: i for i in printed.values()})
    printed = {cell: unknown[i] for cell, i in printed.items()}
    return toml(puzzle='"numberlink"', numbers=grid(printed, cells, *cells[-1]), full=random.randint(0, 1))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each number to one cell, and each other cell to two or none."""
    printed, cells = labels(board["numbers"]), tokens(board["numbers"])
    return drawings(cells, {cell: (1,) if cell in printed else (0, 2) for cell in cells})


def keeps(board: Board, answer: Told) -> bool:
    """Return whether each line joins two equal numbers."""
    printed, joined = labels(board["numbers"]), joins(answer)
    reached = set()
    for end, number in printed.items():
        before, here = end, min(joined[end])
        while here not in printed:
            reached.add(here)
            before, here = here, next(cell for cell in joined[here] if cell != before)
        reached |= {end, here}
        if printed[here] != number or here == end:
            return False
    return reached == joined.keys() and (not board.get("full") or joined.keys() == tokens(board["numbers"]).keys())
