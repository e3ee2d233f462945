"""Grids of tokens, read from text and written back; knows nothing of puzzles or clingo.

Cell    (1, 2): row 1, column 2, counted from 1 at the top left
Token   "A", "12", "#": what stands in a cell
Grid    the rows of tokens of a text, each with the place that it came from
"""

from __future__ import annotations

from io import StringIO
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.errors import InstanceError, Where, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


Cell = tuple[int, int]

OUTSIDE = "#"
EMPTY = "."
LONGEST_SIDE = 1000
"""More rows or columns than that are taken for a mistake."""
LARGEST_GRID = 100_000
"""Cells; what has more could be read, in some seconds, but not searched."""
LONGEST_NUMBER = 9
"""Digits of a number in a grid; more are taken for a mistake."""


class Grid(NamedTuple):
    """Rows of tokens, all of one length, and the place of each row in its source."""

    rows: tuple[tuple[str, ...], ...]
    places: tuple[Where, ...]

    @property
    def size(self) -> str:
        """The size as people say it: `3x5`, rows first."""
        return f"{len(self.rows)}x{len(self.rows[0])}"

    def cells(self) -> Iterator[tuple[Cell, str, Where]]:
        """Yield each cell on the board with its token and its place, row by row."""
        for r, (row, place) in enumerate(zip(self.rows, self.places, strict=True), 1):
            for c, token in enumerate(row, 1):
                if token != OUTSIDE:
                    yield (r, c), token, place


def tokens(line: str) -> list[str]:
    """Return the tokens of one line: blank-separated, or else one a character."""
    words = line.split()
    return words if len(words) > 1 else list(line.strip())


def parse(text: str, where: Where) -> Grid:
    """Read a grid, whose first line stands at `where`; empty lines count for nothing.

    The tokens are separated by blanks, or are single characters if no row has a blank inside.

    Raises:
        InstanceError: no rows, rows of different lengths, unprintable tokens, or too large a board.
    """
    first = where.line or 1
    numbered = ((first + i, line) for i, line in enumerate(StringIO(text, newline="\n")) if not line.isspace())
    lines = [(Where(where.source, i), line) for i, line in islice(numbered, LONGEST_SIDE + 1)]
    if not lines or len(lines) > LONGEST_SIDE:
        return checked((), [place for place, _ in lines], where)
    separated = any(len(line.split(None, 1)) > 1 for _, line in lines)
    rows = (
        tuple(line.split(None, LONGEST_SIDE) if separated else line.strip()[: LONGEST_SIDE + 1]) for _, line in lines
    )
    return checked(rows, [place for place, _ in lines], where)


def checked(found: Iterable[tuple[str, ...]], places: Sequence[Where], where: Where) -> Grid:
    """Return rows of tokens as a grid.

    Raises:
        InstanceError: no rows, rows of different lengths, unprintable tokens, or too large a board.
    """
    if not places:
        raise InstanceError("the grid is empty, expected rows of cells", where)
    if len(places) > LONGEST_SIDE:
        raise InstanceError(f"a board of more than {LONGEST_SIDE} rows, expected at most {LONGEST_SIDE} a side", where)
    rows: list[tuple[str, ...]] = []
    for r, (row, place) in enumerate(zip(found, places, strict=True), 1):
        if not row:
            raise InstanceError(f"row {r} is empty, expected cells", place)
        if len(row) > LONGEST_SIDE:
            message = f"row {r} has more than {LONGEST_SIDE} cells, expected at most {LONGEST_SIDE} a side"
            raise InstanceError(message, place)
        if len(row) * len(places) > LARGEST_GRID:
            size = f"{len(places)}x{len(row)}"
            raise InstanceError(f"a board of {size}, expected at most {LARGEST_GRID} cells", where)
        bad = next((token for token in row if not token.isprintable()), None)
        if bad is not None:
            raise InstanceError(f"row {r} holds an unprintable character in {shown(bad)}", place)
        if rows and len(row) != len(rows[0]):
            raise InstanceError(f"row {r} has {cells(len(row))}, expected {len(rows[0])} as in row 1", place)
        rows.append(row)
    if all(token == OUTSIDE for row in rows for token in row):
        raise InstanceError("the grid is all #, expected a cell", places[0])
    return Grid(tuple(rows), tuple(places))


def count(text: str, most: int) -> int:
    """Return how many cells a grid has, or a number above the most that are of interest, without reading it."""
    words = text.split(None, most)
    lines = sum(not line.isspace() for line in StringIO(text, newline="\n"))
    return len(words) if len(words) > lines else sum(map(len, words))


def in_shape(grid: Grid, board: Grid, key: str, outside: str = OUTSIDE) -> Iterator[tuple[Cell, str, Where]]:
    """Yield the cells of a grid that are on the board.

    Raises:
        InstanceError: the grid has another size than the board, or an entry where the board has no cell.
    """
    if (len(grid.rows), len(grid.rows[0])) != (len(board.rows), len(board.rows[0])):
        raise InstanceError(f"{key} is a grid of {grid.size}, expected {board.size} as the board", grid.places[0])
    for r, (row, board_row) in enumerate(zip(grid.rows, board.rows, strict=True), 1):
        place = grid.places[r - 1]
        for c, (token, board_token) in enumerate(zip(row, board_row, strict=True), 1):
            if board_token == outside:
                if token not in {OUTSIDE, EMPTY}:
                    raise InstanceError(f"{at((r, c))}: {shown(token)} is outside the board, expected #", place)
            elif token == OUTSIDE:
                raise InstanceError(f"{at((r, c))}: # where the board has a cell, expected an entry or .", place)
            else:
                yield (r, c), token, place


def filled_in(words: str, board: Iterable[Cell], where: Where) -> Iterator[tuple[Cell, str, Where]]:
    """Yield the cells of an answer that is a grid in the shape of a board, each with what stands there.

    Raises:
        InstanceError: it has another shape.
    """
    return in_shape(parse(words, where), parse(fill(board, {}), where), "the answer")


def number(token: str, cell: Cell, place: Where) -> int:
    """Return the number that a token is.

    Raises:
        InstanceError: it is none.
    """
    if not (token.isascii() and token.isdigit() and len(token) <= LONGEST_NUMBER):
        raise InstanceError(f"{at(cell)}: {shown(token)} is no number, expected a number, or . for empty", place)
    return int(token)


def fill(cells: Iterable[Cell], labels: Mapping[Cell, str], outside: str = OUTSIDE, empty: str = EMPTY) -> str:
    """Return a grid as text that `parse` reads: the label of each cell, columns aligned."""
    board = set(cells)
    height, width = extent(board)
    rows = [
        [labels.get((r, c), empty) if (r, c) in board else outside for c in range(1, width + 1)]
        for r in range(1, height + 1)
    ]
    wide = max(len(token) for row in rows for token in row)
    return "\n".join(" ".join(f"{token:>{wide}}" for token in row) for row in rows)


def extent(board: Iterable[Cell]) -> tuple[int, int]:
    """Return the last row and the last column of some cells."""
    rows, columns = zip(*board, strict=True)
    return max(rows), max(columns)


def cells(count: int) -> str:
    """Return `1 cell` or `5 cells`."""
    return f"{count} cell" if count == 1 else f"{count} cells"


def at(cell: Cell) -> str:
    """Return a cell's place as people say it: `row 1, column 2`."""
    return f"row {cell[0]}, column {cell[1]}"


def pieces(members: Iterable[Cell]) -> list[list[Cell]]:
    """Return the connected pieces of some cells, joined by their sides."""
    left = dict.fromkeys(members)
    found = []
    while left:
        piece = [left.popitem()[0]]
        for r, c in piece:
            for neighbor in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                if neighbor in left:
                    del left[neighbor]
                    piece.append(neighbor)
        found.append(sorted(piece))
    return sorted(found)
