"""Small random boards of each puzzle, as the TOML text of an instance and as plain data."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from hypothesis import settings
from hypothesis import strategies as st

from . import rules
from .rules import Cell, Cut, Lattice, Values

Draw = Any
# By how much more examples are tried at night.
TIMES = int(os.environ.get("EXAMPLES", "1"))


class StrataBoard(NamedTuple):
    """A Strata board of some rows and columns; blank cells have no tile."""

    text: str
    rows: int
    columns: int
    tiles: dict[Cell, str]

    def answers(self) -> set[Lattice]:
        """Return all answers, by trying all laying orders."""
        return rules.strata_answers(self.rows, self.columns, self.tiles)


class NumberBoard(NamedTuple):
    """A Strimko, Sudoku or Tectonic board: the region and the given of each cell."""

    text: str
    regions: dict[Cell, str]
    givens: dict[Cell, int]

    @property
    def tectonic(self) -> bool:
        """Whether it is a Tectonic."""
        return 'puzzle = "tectonic"' in self.text

    def answers(self, givens: Mapping[Cell, int] | None = None) -> Iterator[Values]:
        """Yield all answers, by trying all numbers; with these givens, if they are others."""
        every = rules.tectonic_answers if self.tectonic else rules.strimko_answers
        return every(self.regions, self.givens if givens is None else givens)


class StripsBoard(NamedTuple):
    """A board to cut into strips of at most that length, or into those listed."""

    text: str
    tiles: dict[Cell, str]
    longest: int
    listed: list[str] | None

    def answers(self) -> Iterator[Cut]:
        """Yield all answers, by trying all strips."""
        return rules.strips_answers(self.tiles, self.longest, self.listed)


def examples(number: int) -> settings:
    """Return the settings of a test that looks at so many random boards, or more at night."""
    return settings(max_examples=number * TIMES)


def times(few: int, many: int) -> int:
    """Return how many examples a test tries: a few, or at night many, `EXAMPLES` times."""
    return few if TIMES == 1 else many * TIMES


def rectangle(rows: int, columns: int) -> list[Cell]:
    """Return the cells of a rectangle, row by row."""
    return list(product(range(1, rows + 1), range(1, columns + 1)))


def grid(labels: Mapping[Cell, object], board: Iterable[Cell], rows: int, columns: int) -> str:
    """Return a TOML string of a grid: labels, `.` where the board has none, `#` outside of it."""
    inside = set(board)
    words = {cell: str(labels.get(cell, ".")) if cell in inside else "#" for cell in rectangle(rows, columns)}
    body = "\n".join(" ".join(words[r, c] for c in range(1, columns + 1)) for r in range(1, rows + 1))
    return f'"""\n{body}\n"""'


def toml(**keys: object) -> str:
    """Return TOML text; values are TOML already if they begin with quotes, and converted otherwise."""
    return "".join(
        f"{key} = {value if str(value).startswith(chr(34)) else json.dumps(value)}\n" for key, value in keys.items()
    )


def strata(rows: int, columns: int, tiles: dict[Cell, str], **keys: object) -> StrataBoard:
    """Return the Strata board with these tiles."""
    board = grid(tiles, rectangle(rows, columns), rows, columns)
    return StrataBoard(toml(puzzle='"strata"', tiles=board, **keys), rows, columns, tiles)


@st.composite
def strata_boards(draw: Draw) -> StrataBoard:
    """Return a board of up to 6 lines, solvable or not, of up to 3 colors, which a palette may name."""
    rows, columns = draw(st.sampled_from([(m, n) for m in range(1, 5) for n in range(1, 5) if m + n <= 6]))
    colors = draw(st.sampled_from(["a", "ab", "abc"]))
    tiles = {cell: draw(st.sampled_from("." + colors)) for cell in rectangle(rows, columns)}
    palette = {"palette": [*colors, "z"]} if draw(st.booleans()) else {}
    return strata(rows, columns, {cell: color for cell, color in tiles.items() if color != "."}, **palette)


@st.composite
def strimko_boards(draw: Draw) -> NumberBoard:
    """Return a Strimko of up to 4x4; any cells make a stream, and givens may contradict one another."""
    n = draw(st.integers(1, 4))
    cells = rectangle(n, n)
    if draw(st.booleans()):  # the cells of a latin square with a number each are streams that have an answer
        rows, columns = draw(st.permutations(range(n))), draw(st.permutations(range(n)))
        streams = {(r, c): "ABCD"[(rows[r - 1] + columns[c - 1]) % n] for r, c in cells}
        if draw(st.booleans()):
            one, other = draw(st.sampled_from(cells)), draw(st.sampled_from(cells))
            streams[one], streams[other] = streams[other], streams[one]
    else:
        streams = {cell: "ABCD"[i // n] for i, cell in enumerate(draw(st.permutations(cells)))}
    givens = draw(st.dictionaries(st.sampled_from(cells), st.integers(1, n), max_size=3))
    return numbers("strimko", "streams", streams, givens)


@st.composite
def tectonic_boards(draw: Draw) -> NumberBoard:
    """Return a Tectonic of up to 12 cells: some outline, blocks that are grown by joining neighbours."""
    rows, columns = draw(st.sampled_from([(1, 1), (1, 4), (2, 2), (3, 2), (2, 5), (3, 3), (3, 4)]))
    size = draw(st.integers(1, 5))
    cells = [cell for cell in rectangle(rows, columns) if draw(st.integers(0, 7)) < 7] or [(1, 1)]
    blocks = {cell: {cell} for cell in cells}
    for r, c in cells:
        for neighbor in ((r, c + 1), (r + 1, c)):
            if neighbor in blocks and draw(st.booleans()):
                joined = blocks[r, c] | blocks[neighbor]
                if len(joined) <= size:
                    blocks |= dict.fromkeys(joined, joined)
    names = {cell: "ABCDEFGHIJKL"[cells.index(min(block))] for cell, block in blocks.items()}
    hints = draw(st.dictionaries(st.sampled_from(cells), st.integers(1, size), max_size=3))
    givens = {cell: value for cell, value in hints.items() if value <= len(blocks[cell])}
    return numbers("tectonic", "blocks", names, givens)


@st.composite
def sudoku_boards(draw: Draw) -> NumberBoard:
    """Return a 4x4 or 6x6 Sudoku: an answer with gaps, and sometimes a wrong number."""
    high, wide = draw(st.sampled_from([(2, 2), (2, 3), (3, 2)]))
    n = high * wide
    names = draw(st.permutations(range(1, n + 1)))
    cells = rectangle(n, n)
    full = {(r, c): names[((r - 1) % high * wide + (r - 1) // high + c - 1) % n] for r, c in cells}
    gaps = draw(st.sets(st.sampled_from(cells), max_size=16))
    givens = {cell: value for cell, value in full.items() if cell not in gaps}
    if draw(st.booleans()):
        givens[draw(st.sampled_from(cells))] = draw(st.integers(1, n))
    boxes = {(r, c): str((r - 1) // high * high + (c - 1) // wide + 1) for r, c in cells}
    usual = {} if (high, wide) != (3, 2) and draw(st.booleans()) else {"box": [high, wide]}
    text = toml(puzzle='"sudoku"', givens=grid(givens, cells, n, n), **usual)
    return NumberBoard(text, boxes, givens)


def strips(tiles: dict[Cell, str], longest: int, listed: list[str] | None = None) -> StripsBoard:
    """Return the board with these tiles to cut into strips."""
    rows, columns = (max(cell[i] for cell in tiles) for i in (0, 1))
    keys = {"longest": longest} if listed is None else {"strips": listed}
    return StripsBoard(toml(puzzle='"strips"', tiles=grid(tiles, tiles, rows, columns), **keys), tiles, longest, listed)


@st.composite
def strips_boards(draw: Draw) -> StripsBoard:
    """Return a board of up to 3x4 with holes; a list of strips fits it, or nearly so."""
    rows, columns = draw(st.sampled_from([(1, 1), (1, 4), (2, 2), (3, 2), (2, 4), (3, 3), (3, 4)]))
    cells = [cell for cell in rectangle(rows, columns) if draw(st.integers(0, 7)) < 7] or [(1, 1)]
    colors = draw(st.sampled_from(["w", "wb", "wbr"]))
    tiles = {cell: draw(st.sampled_from(colors)) for cell in cells}
    longest = draw(st.integers(1, 4))
    if draw(st.booleans()):
        return strips(tiles, longest)
    listed = ["".join(tiles[cell] for cell in strip) for strip in _cut(draw, cells, longest)]
    listed = [strip[::-1] if draw(st.booleans()) else strip for strip in listed]
    if draw(st.integers(0, 3)) == 0:
        listed[0] = draw(st.text(colors, min_size=1, max_size=longest))
    return strips(tiles, max(map(len, listed)), listed)


def _cut(draw: Draw, cells: list[Cell], longest: int) -> list[list[Cell]]:
    """Return the cells in straight strips."""
    left, strips = list(cells), []
    while left:
        (r, c), (y, x) = left[0], draw(st.sampled_from([(0, 1), (1, 0)]))
        run = [(r + i * y, c + i * x) for i in range(draw(st.integers(1, longest)))]
        strip = run[: next((i for i, cell in enumerate(run) if cell not in left), len(run))]
        strips.append(strip)
        left = [cell for cell in left if cell not in strip]
    return strips


def number_boards() -> st.SearchStrategy[NumberBoard]:
    """Return boards of Strimko, Sudoku or Tectonic."""
    return strimko_boards() | sudoku_boards() | tectonic_boards()


def numbers(puzzle: str, key: str, regions: dict[Cell, str], givens: dict[Cell, int]) -> NumberBoard:
    """Return the board of a puzzle with these regions and givens."""
    size = max(r for r, _ in regions), max(c for _, c in regions)
    keys: dict[str, object] = {key: grid(regions, regions, *size)}
    if givens:
        keys["givens"] = grid(givens, regions, *size)
    return NumberBoard(toml(puzzle=f'"{puzzle}"', **keys), regions, givens)


# Boards whose answers fill cells with numbers, or strips, by puzzle.
KINDS: dict[str, st.SearchStrategy[NumberBoard | StripsBoard]] = {
    "strimko": strimko_boards(),
    "sudoku": sudoku_boards(),
    "tectonic": tectonic_boards(),
    "strips": strips_boards(),
}
