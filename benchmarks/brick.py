"""Bricks of 5x5 cells that a large Tectonic is laid from.

A brick is cut into blocks of five cells at most, filled so that no number touches an equal one of the bricks before it,
and given clues until it alone has one answer; so the board that is laid from bricks has one answer too.

Cut   {(0, 0): 3, (0, 1): 3, (1, 0): 8}: the block of each cell, in a brick that begins at 0, 0
"""

from __future__ import annotations

from functools import cache
from itertools import islice, product
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .board import Cell

SIDE = 5
LARGEST = 5
CUTS = 60
"""Cuts that there are, each in eight positions."""
TRIES = 200
"""Cuts that are tried in one place before the brick that was laid last is taken up again."""
FILLINGS = 20
"""Fillings of a cut among which there is a choice."""
STEPS = 100
"""Steps of the search for fillings after which a cut is given up."""

Cut = dict[tuple[int, int], int]


class Brick(NamedTuple):
    """The cells of a brick, each with its block and its number; and those that are given."""

    blocks: Cut
    values: dict[Cell, int]
    givens: dict[Cell, int]


def bricks(rows: int, columns: int, chance: Random) -> list[Brick]:
    """Return bricks that cover a board, row by row."""
    places = list(product(range(0, rows, SIDE), range(0, columns, SIDE)))
    laid: list[tuple[Cut, Cut]] = []
    while len(laid) < len(places):
        new = _laid(places[len(laid)], {cell: value for _, other in laid for cell, value in other.items()}, chance)
        if new:
            laid.append(new)
        else:
            laid.pop()  # around a corner there may be each of the five numbers: lay the brick before it anew
    return [Brick(blocks, values, _clues(blocks, values, chance)) for blocks, values in laid]


def _laid(place: Cell, laid: Mapping[Cell, int], chance: Random) -> tuple[Cut, Cut] | None:
    """Return the blocks and the numbers of a brick that goes with the numbers that are laid."""
    for _ in range(TRIES):
        cut = _placed(chance.choice(_cuts()), place, chance)
        fillings = list(islice(_fillings(cut, {}, laid, chance, STEPS), FILLINGS))
        if fillings:
            return cut, min(fillings, key=lambda values: _harshness(values, place))
    return None


def _harshness(values: Cut, place: Cell) -> int:
    """Return how few numbers the lower and the right side leave to the bricks that come there."""
    top, left = place
    lower = [values[top + SIDE - 1, left + i] for i in range(SIDE)]
    right = [values[top + i, left + SIDE - 1] for i in range(SIDE)]
    return sum(len(set(side[i : i + 3])) for side in (lower, right) for i in range(SIDE - 2))


@cache
def _cuts() -> list[Cut]:
    """Return cuts that can be filled."""
    chance = Random(CUTS)  # noqa: S311 (chance that can be repeated)
    cuts: list[Cut] = []
    while len(cuts) < CUTS:
        cut = _cut(chance)
        if next(_fillings(cut, {}, {}, chance, STEPS), None):
            cuts.append(cut)
    return cuts


def _cut(chance: Random) -> Cut:
    """Cut the cells into connected blocks, five cells each where that is possible."""
    cells: list[Cell] = [(r, c) for r in range(SIDE) for c in range(SIDE)]
    blocks: Cut = {}
    for number, start in enumerate(chance.sample(cells, len(cells))):
        if start in blocks:
            continue
        block: set[Cell] = {start}
        while len(block) < LARGEST:
            edge: list[Cell] = sorted(
                {(r + y, c + x) for r, c in block for y, x in ((0, 1), (1, 0), (0, -1), (-1, 0))} - block
            )
            free = [cell for cell in edge if cell in cells and cell not in blocks]
            if not free:
                break
            block.add(chance.choice(free))
        blocks |= dict.fromkeys(block, number)
    return blocks


def _placed(cut: Cut, place: Cell, chance: Random) -> Cut:
    """Return a cut turned or mirrored, and moved to its place."""
    (top, left), last = place, SIDE - 1
    down, right, swap = (chance.random() < 0.5 for _ in range(3))
    turned = {(last - r if down else r, last - c if right else c): block for (r, c), block in cut.items()}
    return {(top + (c if swap else r), left + (r if swap else c)): block for (r, c), block in sorted(turned.items())}


def _clues(blocks: Cut, values: dict[Cell, int], chance: Random) -> dict[Cell, int]:
    """Return numbers that leave one answer, none of them needless."""
    givens = dict(values)
    for cell in chance.sample(sorted(values), len(values)):
        fewer = {other: value for other, value in givens.items() if other != cell}
        if len(list(islice(_fillings(blocks, fewer, {}, chance), 2))) == 1:
            givens = fewer
    return givens


def _sizes(cut: Cut) -> dict[int, int]:
    held = list(cut.values())
    return {block: held.count(block) for block in dict.fromkeys(held)}


def _fillings(
    blocks: Cut, givens: Mapping[Cell, int], laid: Mapping[Cell, int], chance: Random, limit: float = float("inf")
) -> Iterator[Cut]:
    """Yield the ways to fill the blocks beside the numbers that are laid; give up after so many steps."""
    sizes = _sizes(blocks)
    near = {(r, c): [(r + y, c + x) for y, x in product((-1, 0, 1), repeat=2) if y or x] for r, c in blocks}
    unlike = {
        cell: {other for other in blocks if other != cell and (other in near[cell] or blocks[other] == blocks[cell])}
        for cell in blocks
    }
    steps = 0

    def search(left: dict[Cell, set[int]], values: Cut) -> Iterator[Cut]:
        nonlocal steps
        steps += 1
        if len(values) == len(left):
            yield values
            return
        if steps > limit:
            return
        cell = min((cell for cell in left if cell not in values), key=lambda cell: len(left[cell]))
        for value in chance.sample(sorted(left[cell]), len(left[cell])):
            rest = {other: left[other] - {value} if other in unlike[cell] else left[other] for other in left}
            if all(rest[other] for other in unlike[cell] if other not in values):
                yield from search(rest, values | {cell: value})

    free = {
        cell: {givens[cell]}
        if cell in givens
        else set(range(1, sizes[block] + 1)) - {laid[other] for other in near[cell] if other in laid}
        for cell, block in blocks.items()
    }
    return search(free, {}) if all(free.values()) else iter(())
