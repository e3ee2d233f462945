"""Shapes of random lines, cages and groups of cells for new boards; the rules say which of them fit an answer.

Small shapes come first; given shapes are extended by one cell. So the lines that rules allow, which may be rare, are
found in a few rounds.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from pyasp_puzzles.boards.grid import CORNER_STEPS, SIDE_STEPS
from pyasp_puzzles.model.keys import KeyOffer, KeyRange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.keys import Key, KeyOutline, Shape

_One = TypeVar("_One", int, tuple[int, int])

# On most boards, no number exceeds the larger of this and the length of a side.
_USUAL_LARGEST = 9


def path_shapes(key: Key, outline: KeyOutline, rng: Random, shorter: Sequence[Shape]) -> Iterator[Shape]:
    """Yield random paths, diagonal steps included, without sharp turns; the first cell is the head, if there is one."""
    for path in [sum(shape, ()) for shape in shorter] or [(cell,) for cell in _shuffled(outline.cells, rng)]:
        for step in _shuffled((*SIDE_STEPS, *CORNER_STEPS), rng):
            cell = (path[-1][0] + step[0], path[-1][1] + step[1])
            if cell in outline.cells and cell not in path and not _sharp(path, step) and not _crosses(path, cell):
                longer = (*path, cell)
                yield (longer[:1], longer[1:]) if key.option("head") else (longer,)


def cage_shapes(_key: Key, outline: KeyOutline, rng: Random, smaller: Sequence[Shape]) -> Iterator[Shape]:
    """Yield random cages, whose cells are joined by their sides."""
    seen = set()
    for cells in [shape[0] for shape in smaller] or [(cell,) for cell in _shuffled(outline.cells, rng)]:
        for r, c in _shuffled(cells, rng):
            for y, x in _shuffled(SIDE_STEPS, rng):
                larger = tuple(sorted({*cells, (r + y, c + x)}))
                if (r + y, c + x) in outline.cells and len(larger) > len(cells) and larger not in seen:
                    seen.add(larger)
                    yield (larger,)


def group_shapes(_key: Key, outline: KeyOutline, rng: Random, smaller: Sequence[Shape]) -> Iterator[Shape]:
    """Yield two random groups of cells of one shape, joined by their sides."""
    cells = _shuffled(outline.cells, rng)
    pairs = [((one,), (other,)) for one in cells for other in rng.sample(cells, min(2, len(cells))) if one < other]
    for one, other in smaller or pairs:
        for i in _shuffled(range(len(one)), rng):
            for y, x in _shuffled(SIDE_STEPS, rng):
                more, same = ((group[i][0] + y, group[i][1] + x) for group in (one, other))
                every = [*one, *other, more, same]
                if len({*every}) == len(every) and more in outline.cells and same in outline.cells:
                    yield (*one, more), (*other, same)


def cell_shapes(_key: Key, outline: KeyOutline, rng: Random, smaller: Sequence[Shape]) -> Iterator[Shape]:
    """Yield every cell, in random order."""
    return iter([] if smaller else [((cell,),) for cell in _shuffled(outline.cells, rng)])


def ordered_shape_offer(key: Key, outline: KeyOutline, _rng: Random, shape: Shape, number: int) -> KeyOffer:
    """Return the offer of a path or a cage, with the values that it may have."""
    facts: list[tuple[str, Arguments]] = [(key.fact, (number, j, *cell)) for j, cell in enumerate(shape[-1], 1)]
    if head := key.option("head"):
        facts += [(head.name, (number, 1, *shape[0][0]))]
    value = key.option("value")
    values: Iterable[Arguments] = ()
    if value is not None and len(value.arguments) == 2:
        usual = KeyRange(0, _largest(outline) * len(shape[-1]))
        values = ((number, one) for one in key.values_in(outline, usual))
    elif value is not None:
        times = range(1, len(shape[-1]) + 1)
        values = ((number, digit, k) for digit in range(1, _largest(outline) + 1) for k in times)
    return KeyOffer(shape, tuple(facts), tuple((value.name, one) for one in values) if value else ())


def group_shape_offer(key: Key, _outline: KeyOutline, _rng: Random, shape: Shape, number: int) -> KeyOffer:
    """Return the offer of groups of cells."""
    places = ((g, j, cell) for g, cells in enumerate(shape, 1) for j, cell in enumerate(cells, 1))
    return KeyOffer(shape, tuple((key.fact, (number, g, j, *cell)) for g, j, cell in places))


def number_set_shape_offer(key: Key, outline: KeyOutline, rng: Random, shape: Shape, _number: int) -> KeyOffer:
    """Return the offer of a random set of two to four numbers in a cell."""
    every = range(1, max(outline.rows, outline.columns) + 1)
    kept = sorted(rng.sample(every, min(len(every), rng.randrange(2, 5))))
    return KeyOffer(shape, tuple((key.fact, (*shape[0][0], value)) for value in kept))


def sight_shape_offer(key: Key, outline: KeyOutline, _rng: Random, shape: Shape, number: int) -> KeyOffer:
    """Return the offer of a clue that looks along a line of cells."""
    facts = [(key.options["line"].name, (number, j, *cell)) for j, cell in enumerate(shape[0], 1)]
    usual = KeyRange(0, _largest(outline) * len(shape[0]))
    values = [(key.fact, (number, value)) for value in key.values_in(outline, usual)]
    return KeyOffer(shape, tuple(facts), tuple(values))


def _largest(outline: KeyOutline) -> int:
    return max(outline.rows, outline.columns, _USUAL_LARGEST)


def _sharp(path: Sequence[Cell], step: Cell) -> bool:
    """Return whether a step turns back more than a right angle."""
    if len(path) < 2:
        return False
    (r, c), (row, column) = path[-2:]
    return (row - r) * step[0] + (column - c) * step[1] < 0


def _crosses(path: Sequence[Cell], cell: Cell) -> bool:
    """Return whether a step to a cell crosses a diagonal step of a path."""
    (r, c), (row, column) = path[-1], cell
    corners = {(r, column), (row, c)}
    return r != row and c != column and any({*pair} == corners for pair in pairwise(path))


def _shuffled(values: Iterable[_One], rng: Random) -> list[_One]:
    found = sorted(values)
    rng.shuffle(found)
    return found
