"""Cells, and grids of tokens: names and places of cells, rows, sides, neighbors, connected parts; `grouped`.

Cell    (1, 2): row 1, column 2, counted from 1 at the top left
Token   "A", "12", "#": the text of a cell
"""

from __future__ import annotations

import re
from io import StringIO
from itertools import islice
from math import dist
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pyasp_puzzles.errors import InstanceError, Where, shown
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

# Cells of a board from another program; real ones have a few hundred at most.
_LARGEST_FOREIGN = 10_000


Cell = tuple[int, int]
_Group = TypeVar("_Group")
_Member = TypeVar("_Member")

OUTSIDE = "#"
EMPTY = "."
# The steps to the neighbours of a cell by its sides, and to those at its corners.
SIDE_STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
CORNER_STEPS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
# {the step from a corner to a cell around it: where the corner is in that cell}; corner (1, 1) is that of cell (1, 1)
CORNERS = {(0, 0): "upper left", (0, -1): "upper right", (-1, 0): "lower left", (-1, -1): "lower right"}
# {side of a board: the opposite one}
OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
# The name of a cell.
_NAME = re.compile(r"[rR](\d{1,4})[cC](\d{1,4})")


class Grid(NamedTuple):
    """Rows of tokens, all of one length, and the place of each row."""

    rows: tuple[tuple[str, ...], ...]
    places: tuple[Where, ...]

    @property
    def size(self) -> str:
        """The size: `3x5`, rows first."""
        return f"{len(self.rows)}x{len(self.rows[0])}"

    def cells(self) -> Iterator[tuple[Cell, str, Where]]:
        """Yield each cell on the board with its token and its place, row by row."""
        for r, (row, place) in enumerate(zip(self.rows, self.places, strict=True), 1):
            for c, token in enumerate(row, 1):
                if token != OUTSIDE:
                    yield (r, c), token, place


def grid_tokens(line: str) -> list[str]:
    """Return the tokens of a line: words separated by blanks, or else its characters."""
    tokens = line.split()
    return tokens if len(tokens) > 1 else list(line.strip())


def parse_grid(text: str, where: Where) -> Grid:
    """Return the grid of a text that starts at `where`; empty lines are skipped.

    Tokens are separated by blanks, or are single characters if no row has a blank inside.

    Raises:
        InstanceError: no rows, rows of different lengths, unprintable tokens, or too large a board.
    """
    first = where.line or 1
    numbered = ((first + i, line) for i, line in enumerate(StringIO(text, newline="\n")) if not line.isspace())
    lines = [(Where(where.source, i), line) for i, line in islice(numbered, Limits.LONGEST_SIDE + 1)]
    separated = any(len(line.split(None, 1)) > 1 for _, line in lines)
    # Each row is cut beyond the limit, which `grid_of` checks: a row of millions of tokens would take long.
    cut = Limits.LONGEST_SIDE + 1
    rows = (tuple(line.split(None, cut - 1) if separated else line.strip()[:cut]) for _, line in lines)
    return grid_of(rows, [place for place, _ in lines], where)


def grid_of(found: Iterable[tuple[str, ...]], places: Sequence[Where], where: Where) -> Grid:
    """Return rows of tokens as a grid.

    Raises:
        InstanceError: no rows, rows of different lengths, unprintable tokens, or too large a board.
    """
    if not places:
        raise InstanceError("the grid is empty, expected rows of cells", where)
    if len(places) > Limits.LONGEST_SIDE:
        raise InstanceError(
            f"the grid has more than {Limits.LONGEST_SIDE} rows, expected at most {Limits.LONGEST_SIDE} a side", where
        )
    rows: list[tuple[str, ...]] = []
    for r, (row, place) in enumerate(zip(found, places, strict=True), 1):
        if not row:
            raise InstanceError(f"row {r} is empty, expected cells", place)
        if len(row) > Limits.LONGEST_SIDE:
            message = (
                f"row {r} has more than {Limits.LONGEST_SIDE} cells, expected at most {Limits.LONGEST_SIDE} a side"
            )
            raise InstanceError(message, place)
        if len(row) * len(places) > Limits.LARGEST_GRID:
            size = f"{len(places)}x{len(row)}"
            raise InstanceError(
                f"a board of {size} is too large: it may have at most {Limits.LARGEST_GRID} cells", where
            )
        bad = next((token for token in row if not token.isprintable()), None)
        if bad is not None:
            raise InstanceError(f"row {r} holds an unprintable character in {shown(bad)}", place)
        if rows and len(row) != len(rows[0]):
            raise InstanceError(f"row {r} has {cell_count(len(row))}, expected {len(rows[0])} as in row 1", place)
        rows.append(row)
    if all(token == OUTSIDE for row in rows for token in row):
        raise InstanceError("the grid is all #, expected a cell", places[0])
    return Grid(tuple(rows), tuple(places))


def grid_at(rows: Sequence[Iterable[str]], where: Where) -> Grid:
    """Return rows of tokens that are all at one place as a grid; errors as for `grid_of`."""
    return grid_of(map(tuple, rows), [where] * len(rows), where)


def count_grid_cells(text: str, most: int) -> int:
    """Return the number of cells of a grid without reading it, or any number above `most` if it has more."""
    tokens = text.split(None, most)
    lines = sum(not line.isspace() for line in StringIO(text, newline="\n"))
    return len(tokens) if len(tokens) > lines else sum(map(len, tokens))


def grid_cells(grid: Grid, board: Grid, key: str) -> Iterator[tuple[Cell, str, Where]]:
    """Yield the cells of a grid that are on the board.

    Raises:
        InstanceError: the grid has another size than the board, or an entry where the board has no cell.
    """
    if (len(grid.rows), len(grid.rows[0])) != (len(board.rows), len(board.rows[0])):
        raise InstanceError(f"{key} is a grid of {grid.size}, expected {board.size} as the board", grid.places[0])
    for r, (row, board_row) in enumerate(zip(grid.rows, board.rows, strict=True), 1):
        place = grid.places[r - 1]
        for c, (token, board_token) in enumerate(zip(row, board_row, strict=True), 1):
            if board_token == OUTSIDE:
                if token not in {OUTSIDE, EMPTY}:
                    raise InstanceError(f"{cell_place((r, c))}: {shown(token)} is outside the board, expected #", place)
            elif token == OUTSIDE:
                raise InstanceError(
                    f"{cell_place((r, c))}: # where the board has a cell, expected an entry or .", place
                )
            else:
                yield (r, c), token, place


def answer_grid_cells(
    words: str, board: Iterable[Cell], where: Where, *, framed: bool = False
) -> Iterator[tuple[Cell, str, Where]]:
    """Yield the cells of an answer with their tokens; it is a grid with the outline of the board.

    If `framed`, it may be in a frame, as `solve` prints it.

    Raises:
        InstanceError: it has another outline.
    """
    shape = parse_grid(grid_text(board, {}), where)
    framed_grid = _framed(words, shape, where) if framed else None
    return grid_cells(framed_grid or parse_grid(words, where), shape, "the answer")


def _framed(text: str, board: Grid, where: Where) -> Grid | None:
    """Return the grid of the first frame in a text; None if there is none for the board."""
    lines = [*enumerate(text.split("\n"), where.line or 1)]
    top = next((i for i, (_, line) in enumerate(lines) if line.lstrip().startswith("┌")), None)
    height, wide = len(board.rows), len(board.rows[0])
    drawn = [] if top is None else lines[top + 1 : top + 2 * height : 2]
    drawn = [(i, line[line.find("│") : line.rfind("│") + 1]) for i, line in drawn]  # without what is outside
    if len(drawn) < height or any(len(line) <= wide or (len(line) - 1) % wide for _, line in drawn):
        return None
    rows = []
    for (_, line), shape in zip(drawn, board.rows, strict=True):
        step = (len(line) - 1) // wide
        # A cell may have a letter of its region after its number: "(1)C".
        cells = (re.split(r"[ ()]+", line[at : at + step - 1].strip(" ()")) for at in range(1, len(line), step))
        tokens = (word[0] or EMPTY for word in cells)
        rows.append(
            tuple(
                OUTSIDE if outline_token == OUTSIDE else token
                for outline_token, token in zip(shape, tokens, strict=True)
            )
        )
    return grid_of(rows, [Where(where.source, i) for i, _ in drawn], where)


def grid_number(token: str, cell: Cell, place: Where) -> int:
    """Return the number of a token; raise `InstanceError` for anything else."""
    if not (token.isascii() and token.isdigit() and len(token) <= Limits.LONGEST_NUMBER):
        raise InstanceError(
            f"{cell_place(cell)}: {shown(token)} is not a number, expected a number, or . for empty", place
        )
    return int(token)


def grid_text(board: Iterable[Cell], labels: Mapping[Cell, str]) -> str:
    """Return the text of a grid, which `parse_grid` reads: the label of each cell, columns aligned."""
    tokens = {cell: labels.get(cell, EMPTY) for cell in board}
    rows = grid_rows(tokens, tokens, OUTSIDE)
    wide = max(len(token) for row in rows for token in row)
    return "\n".join(" ".join(f"{token:>{wide}}" for token in row) for row in rows)


def answer_grid_text(rows: Iterable[Iterable[Any]], board: Collection[Cell], token: Callable[[Any], str] = str) -> str:
    """Return the rows of an answer in JSON as text for `parse_grid`; null is an empty cell, or no cell."""
    lines = [
        [token(v) if v is not None else EMPTY if (r, c) in board else OUTSIDE for c, v in enumerate(row, 1)]
        for r, row in enumerate(rows, 1)
    ]
    return "\n".join(map(" ".join, lines))


def grid_rows(values: Mapping[Cell, Any], board: Iterable[Cell], outside: object = None) -> list[list[Any]]:
    """Return the rows of a board with the values of its cells; `outside` where there is none."""
    rows, columns = grid_extent(board)
    table = [[outside] * columns for _ in range(rows)]
    for (r, c), value in values.items():
        table[r - 1][c - 1] = value
    return table


def cells_at_corner(r: int, c: int) -> dict[Cell, str]:
    """Return the four places around a corner, each with the name of the corner there; some may be no cells."""
    return {(r + y, c + x): name for (y, x), name in CORNERS.items()}


def cell_corners(board: Iterable[Cell]) -> set[Cell]:
    """Return the corners of some cells, those of the outline too."""
    return {(r - y, c - x) for r, c in board for y, x in CORNERS}


def grid_by_cell(rows: Iterable[Iterable[Any]]) -> dict[Cell, Any]:
    """Return what is in the places of some rows, by place."""
    return {(r, c): value for r, row in enumerate(rows, 1) for c, value in enumerate(row, 1)}


def grouped(pairs: Iterable[tuple[_Group, _Member]]) -> dict[_Group, list[_Member]]:
    """Return {group: its members} for pairs of a group and a member, such as a region and a cell."""
    groups: dict[_Group, list[_Member]] = {}
    for group, member in pairs:
        groups.setdefault(group, []).append(member)
    return groups


def is_side_of_columns(side: str) -> bool:
    """Return whether the labels on a side of a board are about its columns, not its rows."""
    return side in {"top", "bottom"}


def grid_extent(board: Iterable[Cell]) -> tuple[int, int]:
    """Return the last row and the last column of some cells."""
    rows, columns = zip(*board, strict=True)
    return max(rows), max(columns)


def cell_count(count: int) -> str:
    """Return `1 cell` or `5 cells`."""
    return f"{count} cell" if count == 1 else f"{count} cells"


def cell_place(cell: Cell) -> str:
    """Return the place of a cell in words: `row 1, column 2`."""
    return f"row {cell[0]}, column {cell[1]}"


def cell_name(cell: Cell) -> str:
    """Return the name of a cell, as lines of cells have it: `r1c2`."""
    return "r{}c{}".format(*cell)


def cell_named(name: str) -> Cell | None:
    """Return the cell of a name, `r1c2` or `R1C2`; None if it names no cell."""
    match = _NAME.fullmatch(name)
    return (int(match[1]), int(match[2])) if match else None


def connected_cells(
    members: Iterable[Cell], walls: Collection[tuple[Cell, Cell]] = (), *, corners: bool = False
) -> list[list[Cell]]:
    """Return the parts of some cells that are connected by their sides, or also by their corners, sorted.

    Walls are pairs of neighbours that are not connected, the left or upper cell first.
    """
    steps = (*SIDE_STEPS, *(CORNER_STEPS if corners else ()))
    left = dict.fromkeys(members)
    parts = []
    while left:
        part = [left.popitem()[0]]
        for r, c in part:
            for neighbor in ((r + down, c + right) for down, right in steps):
                if neighbor in left and not (walls and (min((r, c), neighbor), max((r, c), neighbor)) in walls):
                    del left[neighbor]
                    part.append(neighbor)
        parts.append(sorted(part))
    return sorted(parts)


def all_cells(rows: int, columns: int) -> list[Cell]:
    """Return the cells of a rectangle, row by row."""
    check_grid_size(rows, columns)
    return [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]


def check_grid_size(rows: int, columns: int) -> None:
    """Raise `InstanceError` for boards that are too large, or have no cells."""
    if not (rows > 0 and columns > 0 and rows * columns <= _LARGEST_FOREIGN):
        raise InstanceError(
            f"a board of {shown(rows)}x{shown(columns)} is not read; boards have 1 to {_LARGEST_FOREIGN} cells"
        )


def nearest_cell(cells: Iterable[Cell], cell: Cell) -> Cell:
    """Return the cell of a head that is nearest to the first cell of its line; of several, the first."""
    return min(cells, key=lambda candidate: dist(candidate, cell))


def are_neighbors(cells: tuple[Cell, ...]) -> bool:
    """Return whether these are two cells that share an edge."""
    return len(cells) == 2 and abs(cells[0][0] - cells[1][0]) + abs(cells[0][1] - cells[1][1]) == 1


def neighbor_pairs(rows: int, columns: int) -> tuple[list[tuple[Cell, Cell]], list[tuple[Cell, Cell]]]:
    """Return the pairs of cells side by side, and the pairs of cells one above the other, row by row."""
    beside = [((r, c), (r, c + 1)) for r in range(1, rows + 1) for c in range(1, columns)]
    return beside, [((r, c), (r + 1, c)) for r in range(1, rows) for c in range(1, columns + 1)]
