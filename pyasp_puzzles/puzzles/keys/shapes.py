"""Random lines, cages and groups of cells for new boards; which of them fit an answer is asked of the rules.

Small ones come first, a cell of a path or a cage. Larger ones are made of those given, by one more cell: so the lines
that rules allow, which may be rare, are found in a few rounds.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from pyasp_puzzles.model.keys import Offer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.keys import Key, Outline

One = TypeVar("One", int, tuple[int, int])

SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))
STEPS = (*SIDES, (1, 1), (1, -1), (-1, 1), (-1, -1))
# The largest number of a board, if it is not as long as this.
USUAL_LARGEST = 9


def paths(key: Key, outline: Outline, rng: Random, shorter: Sequence[Offer], numbers: Iterator[int]) -> Iterator[Offer]:
    """Yield random paths, diagonal steps included; if the key has a head, their first cell is the head."""
    split = 1 if key.option("head") else 0
    starts = [tuple(cell for group in offer.groups for cell in group) for offer in shorter]
    for cells in starts or [(cell,) for cell in _shuffled(outline.cells, rng)]:
        for y, x in _shuffled(STEPS, rng):
            r, c = cells[-1]
            cell = (r + y, c + x)
            if cell not in outline.cells or cell in cells or _crosses(cells, cell):
                continue
            longer = (*cells, cell)
            groups = (longer[:split], longer[split:]) if split else (longer,)
            yield _ordered(key, outline, groups, next(numbers))


def cages(key: Key, outline: Outline, rng: Random, smaller: Sequence[Offer], numbers: Iterator[int]) -> Iterator[Offer]:
    """Yield random cages, whose cells are joined by their sides."""
    seen = set()
    for cells in [offer.groups[0] for offer in smaller] or [(cell,) for cell in _shuffled(outline.cells, rng)]:
        for r, c in _shuffled(cells, rng):
            for y, x in _shuffled(SIDES, rng):
                larger = tuple(sorted({*cells, (r + y, c + x)}))
                if (r + y, c + x) in outline.cells and len(larger) > len(cells) and larger not in seen:
                    seen.add(larger)
                    yield _ordered(key, outline, (larger,), next(numbers))


def groups(
    key: Key, outline: Outline, rng: Random, smaller: Sequence[Offer], numbers: Iterator[int]
) -> Iterator[Offer]:
    """Yield two random groups of cells of one shape, joined by their sides."""
    cells = _shuffled(outline.cells, rng)
    pairs = [offer.groups for offer in smaller] or [
        ((one,), (other,)) for one in cells for other in rng.sample(cells, min(2, len(cells))) if one < other
    ]
    for one, other in pairs:
        for i in _shuffled(range(len(one)), rng):
            for y, x in _shuffled(SIDES, rng):
                added = [(group[i][0] + y, group[i][1] + x) for group in (one, other)]
                every = [*one, *other, *added]
                if len({*every}) == len(every) and all(cell in outline.cells for cell in added):
                    larger = ((*one, added[0]), (*other, added[1]))
                    number = next(numbers)
                    facts = (
                        (key.fact, (number, g, j, *cell))
                        for g, group in enumerate(larger, 1)
                        for j, cell in enumerate(group, 1)
                    )
                    yield Offer(larger, tuple(facts))


def candidates(
    key: Key, outline: Outline, rng: Random, smaller: Sequence[Offer], _numbers: Iterator[int]
) -> Iterator[Offer]:
    """Yield for each cell a random set of two to four numbers."""
    every = range(1, _largest(outline) + 1)
    for cell in () if smaller else _shuffled(outline.cells, rng):
        kept = sorted(rng.sample(every, min(len(every), rng.randrange(2, 5))))
        yield Offer(((cell,),), tuple((key.fact, (*cell, number)) for number in kept))


def sights(
    key: Key, outline: Outline, lines: Sequence[tuple[Cell, ...]], shorter: Sequence[Offer], numbers: Iterator[int]
) -> Iterator[Offer]:
    """Yield clues that look along these lines of cells."""
    line = key.options["line"]
    for cells in () if shorter else lines:
        number = next(numbers)
        facts = [(line.name, (number, j, *cell)) for j, cell in enumerate(cells, 1)]
        values = [(key.fact, (number, value)) for value in range(_largest(outline) * len(cells) + 1)]
        yield Offer((cells,), tuple(facts), tuple(values))


def _ordered(key: Key, outline: Outline, groups: tuple[tuple[Cell, ...], ...], number: int) -> Offer:
    """Return the offer of a path or a cage, with the values that it may have."""
    facts: list[tuple[str, Arguments]] = [(key.fact, (number, j, *cell)) for j, cell in enumerate(groups[-1], 1)]
    if head := key.option("head"):
        facts += [(head.name, (number, 1, *groups[0][0]))]
    value = key.option("value") if key.option("values", default=True) else None
    if value is None:
        return Offer(groups, tuple(facts))
    largest = _largest(outline)
    if len(value.arguments) == 2:
        return Offer(
            groups, tuple(facts), tuple((value.name, (number, s)) for s in range(largest * len(groups[-1]) + 1))
        )
    pairs = ((v, k) for v in range(1, largest + 1) for k in range(1, len(groups[-1]) + 1))
    return Offer(groups, tuple(facts), tuple((value.name, (number, *pair)) for pair in pairs))


def _largest(outline: Outline) -> int:
    """Return a number that none on the board exceeds, and most are near."""
    return max(outline.rows, outline.columns, USUAL_LARGEST)


def _crosses(cells: Sequence[Cell], cell: Cell) -> bool:
    """Return whether a step to a cell crosses a diagonal step of a path."""
    (r, c), (row, column) = cells[-1], cell
    corners = {(r, column), (row, c)}
    return r != row and c != column and any({*pair} == corners for pair in pairwise(cells))


def _shuffled(values: Iterable[One], rng: Random) -> list[One]:
    found = sorted(values)
    rng.shuffle(found)
    return found
