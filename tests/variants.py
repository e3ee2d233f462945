"""What each shipped variant means, in plain Python: written from the puzzles' texts, and not from the rules.

Clue    Clue([(1, 1), (1, 2)], 7): its cells and its value; what has neither is in its other fields
Filled  a filled board, with its regions and with the clues of each variant
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import accumulate, combinations, pairwise, zip_longest
from typing import Any, NamedTuple

from .rules import Cell, Values


class Clue(NamedTuple):
    """A path, a cage, a dot, a mark, a number outside the board."""

    cells: Sequence[Cell] = ()
    value: Any = None
    """A number, a letter, or the numbers of a corner, of a cell or of a look-and-say cage."""
    head: Sequence[Cell] = ()
    """The circle of an arrow."""
    closed: bool = False
    groups: Sequence[Sequence[Cell]] = ()
    side: str = ""
    """The direction in which a clue outside the board looks."""


class Filled(NamedTuple):
    """A filled board, of any outline."""

    values: Values
    regions: Mapping[Cell, str]
    clues: Mapping[str, Sequence[Clue]]
    numbers: Sequence[int]
    """The numbers of the board in ascending order, whatever its size."""

    @property
    def side(self) -> int:
        """The number of rows."""
        return max(r for r, _ in self.values)

    def line(self, clue: Clue) -> list[int]:
        """Return the numbers of the cells of a clue."""
        return [self.values[cell] for cell in clue.cells]

    def neighbours(self) -> list[tuple[Cell, Cell]]:
        """Return the pairs of cells that have a side in common."""
        found = (((r, c), other) for r, c in self.values for other in ((r, c + 1), (r + 1, c)))
        return [pair for pair in found if pair[1] in self.values]

    def joined(self, *variants: str) -> set[frozenset[Cell]]:
        """Return the pairs of cells with a dot or letter of these variants."""
        return {frozenset(clue.cells) for variant in variants for clue in self.clues.get(variant, ())}

    def members(self) -> list[list[Cell]]:
        """Return the cells of each region, in reading order."""
        return [[c for c in sorted(self.regions) if self.regions[c] == one] for one in sorted({*self.regions.values()})]

    def squares(self) -> Iterable[list[int]]:
        """Yield the numbers of each 2x2 square."""
        for r, c in self.values:
            cells = [(r + y, c + x) for y in (0, 1) for x in (0, 1)]
            if all(cell in self.values for cell in cells):
                yield [self.values[cell] for cell in cells]


Checker = Callable[[Filled, Sequence[Clue]], bool]


def different(things: Sequence[Hashable]) -> bool:
    """Return whether no thing is there twice."""
    return len({*things}) == len(things)


def marked(clues: Sequence[Clue]) -> list[Cell]:
    """Return the marked cells."""
    return [cell for clue in clues for cell in clue.cells]


def each(test: Callable[[list[int], Clue], bool]) -> Checker:
    """Return the checker that tests the numbers of each clue."""
    return lambda board, clues: all(test(board.line(clue), clue) for clue in clues)


def sized(test: Callable[[list[int], Clue, Sequence[int]], bool]) -> Checker:
    """Return the checker that tests the numbers of each clue, and knows the numbers of the board."""
    return lambda board, clues: all(test(board.line(clue), clue, board.numbers) for clue in clues)


def third(value: int, numbers: Sequence[int]) -> int:
    """Return whether a number is low (0), middle (1) or high (2) among the numbers of the board."""
    outer, place = round(len(numbers) / 3), numbers.index(value) + 1
    return 0 if place <= outer else 2 if place > len(numbers) - outer else 1


def runs(values: list[int], length: int, *, closed: bool) -> list[list[int]]:
    """Return every so many numbers in a row; the whole line if it is shorter."""
    if closed and len(values) > length:
        values = values + values[: length - 1]
    return [values[i : i + length] for i in range(max(1, len(values) - length + 1))]


def sums_by_region(board: Filled, clue: Clue) -> list[int]:
    """Return the sum of each run of a line within a region."""
    cells = [*clue.cells]
    regions = board.regions
    if clue.closed:  # it begins where the region changes, if it does
        first = next((k for k in range(len(cells)) if regions[cells[k]] != regions[cells[k - 1]]), 0)
        cells = cells[first:] + cells[:first]
    sums: list[int] = []
    for i, cell in enumerate(cells):
        if i and regions[cell] == regions[cells[i - 1]]:
            sums[-1] += board.values[cell]
        else:
            sums.append(board.values[cell])
    return sums


def cuts(values: list[int], total: int) -> bool:
    """Return whether a line can be cut into runs of that sum; a 0 may be at the end of one, or begin the next."""
    ends = {0, *accumulate(values)}
    pieces, rest = divmod(sum(values), total)
    return pieces > 0 and rest == 0 and all(i * total in ends for i in range(pieces))


def sum_line(values: list[int], clue: Clue) -> bool:
    """Return whether a line, or a ring cut open anywhere, can be cut into runs of its sum."""
    total = 10 if clue.value is None else clue.value
    starts = range(len(values) if clue.closed else 1)
    return any(cuts(values[k:] + values[:k], total) for k in starts)


def lockout(values: list[int], clue: Clue) -> bool:
    """Return whether the ends of a line are far apart, and nothing else is between them."""
    low, high = sorted((values[0], values[-1]))
    return high - low >= (clue.value or 4) and not any(low <= v <= high for v in values[1:-1])


def whispers(values: list[int], clue: Clue, numbers: Sequence[int]) -> bool:
    """Return whether neighbours on a line are far apart."""
    least = clue.value or (len(numbers) + 1) // 2
    return all(abs(a - b) >= least for a, b in pairwise(values + values[:1] if clue.closed else values))


def between(values: Sequence[int], low: int, high: int) -> list[int]:
    """Return the numbers between the places of two numbers; none if one of them is missing."""
    if not {low, high} <= {*values}:
        return []
    first, last = sorted((values.index(low), values.index(high)))
    return [*values[first + 1 : last]]


def arrow(board: Filled, clues: Sequence[Clue]) -> bool:
    """Return whether each shaft adds up to its circle; the digits of a pill make one number."""
    return all(
        not clue.head or sum(board.line(clue)) == int("".join(str(board.values[cell]) for cell in clue.head))
        for clue in clues
    )


def zipper(values: list[int], _: Clue) -> bool:
    """Return whether cells equally far from the centre have one sum, which is the number in the centre."""
    half = len(values) // 2
    pairs = [a + b for a, b in zip(values[:half], reversed(values), strict=False)]
    return len({*pairs, *values[half : len(values) - half]}) <= 1


def rellik(values: list[int], clue: Clue) -> bool:
    """Return whether numbers differ, and none of them, alone or together, add up to a value."""
    subsets = (some for k in range(1, len(values) + 1) for some in combinations(values, k))
    return different(values) and clue.value not in map(sum, subsets)


def groups(same: Callable[[list[int]], object]) -> Checker:
    """Return the checker that all groups of a clue are the same in some respect."""
    return lambda board, clues: all(
        len({same([board.values[cell] for cell in group]) for group in clue.groups}) == 1 for clue in clues
    )


def extreme(sign: int) -> Checker:
    """Return the checker that marked cells are the greatest, or the least, among their neighbours without a mark."""

    def check(board: Filled, clues: Sequence[Clue]) -> bool:
        cells = marked(clues)
        both = [*board.neighbours(), *((b, a) for a, b in board.neighbours())]
        return all(sign * (board.values[a] - board.values[b]) > 0 for a, b in both if a in cells and b not in cells)

    return check


def box_indexer(board: Filled, clues: Sequence[Clue]) -> bool:
    """Return whether V at place P of a region means that P is at place V."""
    for cell in marked(clues):
        region = next(cells for cells in board.members() if cell in cells)
        place = board.values[cell]
        if not 1 <= place <= len(region) or board.values[region[place - 1]] != region.index(cell) + 1:
            return False
    return True


def without_marks(name: str) -> Checker:
    """Return the checker that a cell without a mark would not be right with one: it is no indexer."""
    return lambda board, _: (
        not any(
            CHECKERS[name](board, [Clue([cell])])
            for cell in board.values
            if cell not in marked(board.clues.get(name, ()))
        )
    )


def corner(board: Filled, clue: Clue) -> bool:
    """Return whether four cells hold all numbers of a circle, each as often as it is listed."""
    ((r, c),) = clue.cells
    four = [board.values[r + y, c + x] for y in (0, 1) for x in (0, 1)]
    return all(four.count(value) >= clue.value.count(value) for value in clue.value)


def apart(test: Callable[[int, int, int], bool]) -> Checker:
    """Return the checker that equal numbers are not so many rows and columns apart."""
    return lambda board, _: (
        not any(
            board.values[a] == board.values[b] and test(abs(a[0] - b[0]), abs(a[1] - b[1]), board.values[a])
            for a, b in combinations(board.values, 2)
        )
    )


def without_dots(test: Callable[[Filled, int, int], bool], *variants: str) -> Checker:
    """Return the checker of neighbours that have no dot or letter of some variants."""
    return lambda board, _: all(
        test(board, board.values[a], board.values[b])
        for a, b in board.neighbours()
        if frozenset((a, b)) not in board.joined(*variants)
    )


def no_ratio(board: Filled, a: int, b: int) -> bool:
    """Return whether two numbers have none of the ratios of a board: 2 if there are none."""
    ratios = {clue.value for clue in board.clues.get("ratio", ())} or {2}
    return not any(a == f * b or b == f * a for f in ratios)


def disjoint_groups(board: Filled, _: Sequence[Clue]) -> bool:
    """Return whether cells at one place of the regions differ."""
    places = zip_longest(*board.members())
    return all(different([board.values[cell] for cell in cells if cell]) for cells in places)


def windoku(board: Filled, _: Sequence[Clue]) -> bool:
    """Return whether each window between the boxes holds different numbers."""
    side = round(board.side**0.5)
    starts = range(2, board.side, side + 1)
    windows = ([(r + y, c + x) for y in range(side) for x in range(side)] for r in starts for c in starts)
    return all(different([board.values[cell] for cell in window]) for window in windows)


def diagonal(*directions: str) -> Checker:
    """Return the checker that long diagonals hold different numbers."""
    return lambda board, _: all(
        different([board.values[r, r if one == "falling" else board.side + 1 - r] for r in range(1, board.side + 1)])
        for one in directions
    )


def squares(kind: Callable[[int, Sequence[int]], int]) -> Checker:
    """Return the checker that every 2x2 square holds numbers of every kind."""
    return lambda board, _: all(
        {kind(v, board.numbers) for v in square} == {kind(v, board.numbers) for v in board.numbers}
        for square in board.squares()
    )


def in_cages(test: Callable[[list[int], Clue], bool]) -> Checker:
    """Return the checker of cages; a cell that is listed twice is one cell."""
    return lambda board, clues: all(test([board.values[c] for c in {*clue.cells}], clue) for clue in clues)


def look_and_say(values: list[int], clue: Clue) -> bool:
    """Return whether the numbers of a cage are there as often as it says: "1324" for one 3 and two 4s."""
    digits = [int(digit) for digit in clue.value]
    said = zip(digits[::2], digits[1::2], strict=True)
    return all(values.count(value) == often for often, value in said)


def full_rank(board: Filled, clue: Clue) -> bool:
    """Return whether the clue is the the rank of its line among all that are read, and no other is equal."""
    there = range(1, board.side + 1)
    lines = [[(i, j) for j in there] for i in there] + [[(j, i) for j in there] for i in there]
    others = [line for line in (*lines, *(line[::-1] for line in lines)) if line != [*clue.cells]]
    numbers = [[board.values[cell] for cell in line] for line in others]
    own = board.line(clue)
    return own not in numbers and 1 + sum(number < own for number in numbers) == clue.value


rising = each(lambda vs, _: all(a < b for a, b in pairwise(vs)))
alike = in_cages(lambda values, _: different(values))
CHECKERS: Mapping[str, Checker] = {
    "all-different": alike,
    "anti-king": apart(lambda y, x, _: max(y, x) == 1),
    "anti-knight": apart(lambda y, x, _: {y, x} == {1, 2}),
    "anti-taxicab": apart(lambda y, x, value: y + x == value),
    "arrow": arrow,
    "between-line": each(lambda vs, _: all(min(vs[0], vs[-1]) < v < max(vs[0], vs[-1]) for v in vs[1:-1])),
    "box-indexer": box_indexer,
    "clone": groups(tuple),
    "column-indexer": lambda board, of: all(board.values.get((r, board.values[r, c])) == c for r, c in marked(of)),
    "counting-circles": in_cages(lambda vs, _: all(vs.count(v) == v for v in vs)),
    "diagonal": diagonal("falling", "rising"),
    "difference": each(lambda vs, clue: abs(vs[0] - vs[1]) == clue.value),
    "disjoint-groups": disjoint_groups,
    "double-arrow": each(lambda vs, _: len(vs) < 3 or sum(vs[1:-1]) == vs[0] + vs[-1]),
    "entropic-line": sized(
        lambda vs, clue, every: all(
            different([third(v, every) for v in run]) for run in runs(vs, 3, closed=clue.closed)
        )
    ),
    "equal-sum": groups(sum),
    "even": each(lambda vs, _: all(v % 2 == 0 for v in vs)),
    "extra-region": alike,
    "falling-diagonal": diagonal("falling"),
    "full-rank": lambda board, clues: all(full_rank(board, clue) for clue in clues),
    "global-entropy": squares(third),
    "global-modulo": squares(lambda value, _: value % 3),
    "greater-than": each(lambda vs, _: vs[0] > vs[1]),
    "killer-cage": each(lambda vs, clue: different(vs) and clue.value in (None, sum(vs))),
    "little-killer": each(lambda vs, clue: sum(vs) == clue.value),
    "lockout-line": each(lockout),
    "look-and-say": in_cages(look_and_say),
    "lunchbox": each(lambda vs, clue: different(vs) and sum(between(vs, min(vs), max(vs))) == clue.value),
    "maximum": extreme(1),
    "minimum": extreme(-1),
    "modular-line": each(
        lambda vs, clue: all(
            different([v % (clue.value or 3) for v in run]) for run in runs(vs, clue.value or 3, closed=clue.closed)
        )
    ),
    "nabner": each(lambda vs, _: all(abs(a - b) > 1 for a, b in combinations(vs, 2))),
    "negative-box-indexer": without_marks("box-indexer"),
    "negative-column-indexer": without_marks("column-indexer"),
    "negative-ratio": without_dots(no_ratio, "ratio", "difference"),
    "negative-row-indexer": without_marks("row-indexer"),
    "negative-xv": without_dots(lambda _, a, b: a + b not in {5, 10}, "xv"),
    "non-consecutive": without_dots(lambda _, a, b: abs(a - b) != 1, "ratio", "difference"),
    "numbered-room": each(lambda vs, clue: vs[vs[0] - 1 : vs[0]] == [clue.value]),
    "odd": each(lambda vs, _: all(v % 2 == 1 for v in vs)),
    "palindrome": each(lambda vs, _: vs == vs[::-1]),
    "pencil-marks": each(lambda vs, clue: vs[0] in clue.value),
    "quadruple": lambda board, clues: all(corner(board, clue) for clue in clues),
    "ratio": each(lambda vs, clue: max(vs) == clue.value * min(vs)),
    "region-sum-line": lambda board, clues: all(len({*sums_by_region(board, clue)}) == 1 for clue in clues),
    "rellik-cage": each(rellik),
    "renban": each(lambda vs, _: different(vs) and max(vs) - min(vs) == len(vs) - 1),
    "rising-diagonal": diagonal("rising"),
    "row-indexer": lambda board, of: all(board.values.get((board.values[r, c], c)) == r for r, c in marked(of)),
    "same-values": groups(lambda vs: tuple(sorted(vs))),
    "sandwich": sized(lambda vs, clue, every: sum(between(vs, every[0], every[-1])) == clue.value),
    "skyscraper": each(lambda vs, clue: sum(v > max(vs[:i], default=0) for i, v in enumerate(vs)) == clue.value),
    "slow-thermometer": each(lambda vs, _: all(a <= b for a, b in pairwise(vs))),
    "sum": each(lambda vs, clue: sum(vs) == clue.value),
    "sum-line": each(sum_line),
    "thermo": rising,
    "thermometer": rising,
    "twins": each(lambda vs, _: vs[0] == vs[-1]),
    "whispers": sized(whispers),
    "windoku": windoku,
    "x-sum": each(lambda vs, clue: sum(vs[: vs[0]]) == clue.value),
    "xv": each(lambda vs, clue: sum(vs) == {"X": 10, "V": 5}[clue.value]),
    "zipper-line": each(zipper),
}
