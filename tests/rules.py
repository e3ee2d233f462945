"""The rules of the puzzles in plain Python, written from their descriptions and not from the encodings.

Checkers say what a finished board breaks (nothing: it is an answer); enumerators list all answers of a small board.

Values   {(1, 1): 3, (1, 2): 1}: the number in each cell
Line     ("row", 2): the ribbon along row 2
Laying   [("row", 2, "b"), ("column", 1, None)]: lines with colors, bottom to top
Lattice  who lies over whom at every crossing, and the color of each line that tops a colored cell
Cut      {((1, 1), (1, 2)), ((2, 1),)}: a board cut into strips
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import NamedTuple

Cell = tuple[int, int]
Values = dict[Cell, int]
Line = tuple[str, int]
Laying = list[tuple[str, int, str | None]]
Cut = frozenset[tuple[Cell, ...]]


class Lattice(NamedTuple):
    """What can be told apart of a laying order."""

    over: frozenset[tuple[Line, Line]]
    colors: frozenset[tuple[Line, str]]


def subsets(cells: Collection[Cell]) -> Iterator[set[Cell]]:
    """Yield every set of some cells."""
    return ({*chosen} for number in range(len(cells) + 1) for chosen in combinations(cells, number))


# -- Numbers in cells -----------------------------------------------------------


def touching(cell: Cell) -> set[Cell]:
    """Return the eight places around a cell."""
    r, c = cell
    return {(r + y, c + x) for y, x in product((-1, 0, 1), repeat=2)} - {cell}


def connected(cells: Iterable[Cell], *, corners: bool = False) -> bool:
    """Return whether one can go from each cell to each other over sides, or over corners as well."""
    left = set(cells)
    found = [left.pop()] if left else []
    for r, c in found:
        near = touching((r, c)) if corners else {(r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c)}
        found += near & left
        left -= near
    return not left


def members(regions: Mapping[Cell, str]) -> dict[str, set[Cell]]:
    """Return the cells of each region."""
    found: dict[str, set[Cell]] = {}
    for cell, region in regions.items():
        found.setdefault(region, set()).add(cell)
    return found


def _misplaced(cells: Iterable[Cell], givens: Mapping[Cell, int], values: Values) -> list[str]:
    broken = [] if set(values) == set(cells) else ["every cell of the board, and no other, holds a number"]
    return broken + [f"{cell} was given {value}" for cell, value in givens.items() if values.get(cell) != value]


def strimko_broken(
    streams: Mapping[Cell, str], givens: Mapping[Cell, int], values: Values, digits: Collection[int] = ()
) -> list[str]:
    """Return what breaks: each row, column and stream of an n x n board holds 1..n.

    On a board that lists its digits, none is there twice, so as many cells as there are digits hold all of them.
    """
    n = max(r for r, _ in streams)
    units = {f"row {i}": {cell for cell in streams if cell[0] == i} for i, _ in streams}
    units |= {f"column {i}": {cell for cell in streams if cell[1] == i} for _, i in streams}
    units |= {f"stream {name}": cells for name, cells in members(streams).items()}
    numbers = {*digits} or {*range(1, n + 1)}
    wrong = [
        f"{unit} does not hold different numbers of {numbers}"
        for unit, cells in units.items()
        if len(found := {values.get(cell) for cell in cells}) < len(cells) or not found <= numbers
    ]
    wrong += [f"{unit} does not hold 1..{n}" for unit, cells in units.items() if not digits and len(cells) != n]
    return _misplaced(streams, givens, values) + wrong


def tectonic_broken(blocks: Mapping[Cell, str], givens: Mapping[Cell, int], values: Values) -> list[str]:
    """Return what breaks: a block of n cells holds 1..n, and equal numbers never touch."""
    wrong = [
        f"block {name} does not hold 1..{len(cells)}"
        for name, cells in members(blocks).items()
        if sorted(values.get(cell, 0) for cell in cells) != list(range(1, len(cells) + 1))
    ]
    wrong += [
        f"{cell} and {other} touch and are equal"
        for cell, value in values.items()
        for other in touching(cell)
        if values.get(other) == value
    ]
    return _misplaced(blocks, givens, values) + wrong


def strimko_answers(
    streams: Mapping[Cell, str],
    givens: Mapping[Cell, int],
    moves: Iterable[Cell] = (),
    digits: Collection[int] = (),
) -> Iterator[Values]:
    """Yield every answer of a Strimko or Sudoku; cells that are such a move apart differ, too."""
    n = max(r for r, _ in streams)
    unlike = {
        cell: {o for o in streams if o != cell and (o[0] == cell[0] or o[1] == cell[1] or streams[o] == stream)}
        for cell, stream in streams.items()
    }
    for (r, c), (y, x) in product(streams, moves):
        unlike[r, c] |= {(r + y, c + x), (r - y, c - x)}
    return _fillings(dict.fromkeys(streams, sorted(digits) or range(1, n + 1)), unlike, givens)


def tectonic_answers(blocks: Mapping[Cell, str], givens: Mapping[Cell, int]) -> Iterator[Values]:
    """Yield every answer of a Tectonic."""
    blockmates = members(blocks)
    largest = {cell: len(blockmates[block]) for cell, block in blocks.items()}
    unlike = {cell: (touching(cell) | blockmates[block]) - {cell} for cell, block in blocks.items()}
    return _fillings({cell: range(1, most + 1) for cell, most in largest.items()}, unlike, givens)


def _fillings(
    numbers: Mapping[Cell, Iterable[int]], unlike: Mapping[Cell, set[Cell]], givens: Mapping[Cell, int]
) -> Iterator[Values]:
    """Yield every way to give cells one of their numbers, none twice among unlike cells."""

    def options(cell: Cell, values: Values) -> list[int]:
        taken = {values[other] for other in unlike[cell] if other in values}
        return [v for v in numbers[cell] if v not in taken and v == givens.get(cell, v)]

    def extend(values: Values) -> Iterator[Values]:
        left = {cell: options(cell, values) for cell in numbers if cell not in values}
        if not left:
            yield values
            return
        cell = min(left, key=lambda cell: len(left[cell]))
        for value in left[cell]:
            yield from extend({**values, cell: value})

    return extend({})


# -- Strips ---------------------------------------------------------------------


def pattern(tiles: Mapping[Cell, str], strip: Sequence[Cell]) -> tuple[str, ...]:
    """Return the colors of a strip, the same whichever end it is read from."""
    colors = tuple(tiles[cell] for cell in strip)
    return min(colors, colors[::-1])


def straight(strip: Sequence[Cell]) -> bool:
    """Return whether cells are a run to the right or downwards."""
    (r, c), length = strip[0], len(strip)
    return list(strip) in ([(r, c + i) for i in range(length)], [(r + i, c) for i in range(length)])


def strips_broken(
    tiles: Mapping[Cell, str], longest: int, listed: Sequence[Sequence[str]] | None, strips: Sequence[Sequence[Cell]]
) -> list[str]:
    """Return what breaks: straight, short strips cover the board, no two alike, or exactly those listed."""
    broken = [f"{strip} is not straight" for strip in strips if not straight(strip)]
    broken += [f"{strip} is too long" for strip in strips if len(strip) > longest]
    if sorted(cell for strip in strips for cell in strip) != sorted(tiles):
        return [*broken, "the strips do not cover each cell of the board once, and no other"]
    used = Counter(pattern(tiles, strip) for strip in strips)
    if listed is None:
        return broken + [f"{colors} is there {times} times" for colors, times in used.items() if times > 1]
    wanted = Counter(min(tuple(strip), tuple(strip)[::-1]) for strip in listed)
    return broken if used == wanted else [*broken, f"these strips were to be used: {wanted}, not {used}"]


def strips_answers(tiles: Mapping[Cell, str], longest: int, listed: Sequence[Sequence[str]] | None) -> Iterator[Cut]:
    """Yield every way to cut a board: the first cell left in reading order begins a strip to the right or downwards."""
    stock = None if listed is None else Counter(min(tuple(strip), tuple(strip)[::-1]) for strip in listed)

    used: Counter[tuple[str, ...]] = Counter()

    def extend(left: list[Cell], strips: list[tuple[Cell, ...]]) -> Iterator[Cut]:
        if not left:
            if stock is None or used == stock:
                yield frozenset(strips)
            return
        (r, c), free = left[0], set(left)
        for down in (False, True):
            for length in range(1 + down, longest + 1):
                strip = tuple((r + i * down, c + i * (not down)) for i in range(length))
                if not free.issuperset(strip):
                    break
                colors = pattern(tiles, strip)
                if used[colors] < (1 if stock is None else stock[colors]):
                    used[colors] += 1
                    yield from extend([cell for cell in left if cell not in strip], [*strips, strip])
                    used[colors] -= 1

    return extend(sorted(tiles), [])


# -- Strata ---------------------------------------------------------------------


def lines(rows: int, columns: int) -> list[Line]:
    """Return the lines of a board."""
    return [("row", r) for r in range(1, rows + 1)] + [("column", c) for c in range(1, columns + 1)]


def lattice(rows: int, columns: int, tiles: Mapping[Cell, str], order: Sequence[Line]) -> Lattice | None:
    """Return the lattice of lines laid in this order, or None if a line would have to have two colors."""
    height = {line: i for i, line in enumerate(order)}
    over, colors = set(), set()
    for r, c in product(range(1, rows + 1), range(1, columns + 1)):
        lower, upper = sorted([("row", r), ("column", c)], key=height.__getitem__)
        over.add((upper, lower))
        if (r, c) in tiles:
            colors.add((upper, tiles[r, c]))
    return Lattice(frozenset(over), frozenset(colors)) if len(dict(colors)) == len(colors) else None


def strata_answers(rows: int, columns: int, tiles: Mapping[Cell, str]) -> set[Lattice]:
    """Return every lattice, by trying every order of the lines."""
    orders = permutations(lines(rows, columns))
    return {found for order in orders if (found := lattice(rows, columns, tiles, order)) is not None}


def picture(rows: int, columns: int, laying: Iterable[tuple[str, int, str | None]]) -> dict[Cell, str | None]:
    """Return what shows when ribbons are laid, bottom to top."""
    shown: dict[Cell, str | None] = {}
    for name, index, color in laying:
        along = [(index, c + 1) for c in range(columns)] if name == "row" else [(r + 1, index) for r in range(rows)]
        shown |= dict.fromkeys(along, color)
    return shown


def strata_broken(rows: int, columns: int, tiles: Mapping[Cell, str], laying: Laying) -> list[str]:
    """Return what breaks: lay one ribbon a line, bottom to top, and look at the finished board."""
    if sorted((name, index) for name, index, _ in laying) != sorted(lines(rows, columns)):
        return ["there is one ribbon along each line"]
    shown = picture(rows, columns, laying)
    return [f"{cell} is to show {color}, not {shown[cell]}" for cell, color in tiles.items() if shown[cell] != color]


def strata_solvable(rows: int, columns: int, tiles: Mapping[Cell, str]) -> bool:
    """Return whether all lines can be peeled off from the top."""
    return not strata_left(rows, columns, tiles)


def strata_left(rows: int, columns: int, tiles: Mapping[Cell, str]) -> set[Line]:
    """Return the lines that cannot be peeled off from the top: next comes any line with one color at most left."""
    left = set(lines(rows, columns))

    def peelable(line: Line) -> bool:
        name, index = line
        crossing = [(cell, ("column", cell[1]) if name == "row" else ("row", cell[0])) for cell in tiles]
        return len({tiles[c] for c, other in crossing if c[name == "column"] == index and other in left}) <= 1

    while peeled := {line for line in left if peelable(line)}:
        left -= peeled
    return left
