"""Keys of signs between two neighbouring cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.asp.symbols import SymbolValue, to_symbol
from pyasp_puzzles.boards.facts import Fact, fact_name
from pyasp_puzzles.boards.grid import EMPTY, OUTSIDE, Grid, cell_place, grid_rows
from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.model.keys import Key, KeyKind, KeyLayer, KeyOutline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.boards.toml import Table

# The tokens for no sign in a grid of signs; `o` is a cell.
NO_SIGN = frozenset({EMPTY, "o", "+"})


def _read_signs(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    grid = table.grid(key.name)
    if grid is None:
        return
    rows, columns = 2 * len(board.rows) - 1, 2 * len(board.rows[0]) - 1
    if (len(grid.rows), len(grid.rows[0])) != (rows, columns):
        message = f"{key.name} is a grid of {grid.size}, expected {rows}x{columns}: the cells of the board (o), and"
        raise InstanceError(f"{message} between each two neighbours a sign or .", grid.places[0])
    for i, (row, place) in enumerate(zip(grid.rows, grid.places, strict=True)):
        for j, token in enumerate(row):
            if (i + j) % 2 == 0 and token not in {*NO_SIGN, OUTSIDE}:
                message = f"{shown(token)} in line {i + 1}, place {j + 1} is not between two cells"
                raise InstanceError(f"{message}, expected o for a cell or . there", place)
            if (i + j) % 2 == 1 and token not in NO_SIGN and token != OUTSIDE:
                first = (i // 2 + 1, j // 2 + 1)
                yield key.fact, (*first, first[0] + i % 2, first[1] + j % 2, token), place


def _check_signs(key: Key, outline: KeyOutline) -> None:
    for *places, name in outline.facts.arguments(key.fact):
        r, c, row, column = map(int, places)
        place = outline.facts.place(key.fact, r, c, row, column)
        if (row - r, column - c) not in {(0, 1), (1, 0)}:
            message = f"{cell_place((r, c))} and {cell_place((row, column))} have a sign between them"
            raise InstanceError(f"{message}, expected a cell and its neighbour to the right or below", place)
        sign = fact_name(name)
        known = key.option("across" if row == r else "down") or key.option("tokens")
        if known and sign not in known:
            direction = "beside" if row == r else "above"
            message = f"{shown(sign)} is between {cell_place((r, c))} and its neighbour"
            raise InstanceError(f"{message}, expected {listing(known)} where one cell is {direction} the other", place)


def _write(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    """Return signs as a grid of cells (`o`) with a sign between each two neighbours."""
    facts = outline.facts.arguments(key.fact)
    signs = {(2 * r - 1, 2 * c - 1): "o" for r, c in outline.cells}
    for *places, sign in facts:
        r, c, row, column = map(int, places)
        signs[r + row - 1, c + column - 1] = fact_name(sign)
    return {key.name: grid_rows(signs, signs)} if facts else {}


def _possible(key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    cells = sorted(outline.cells)
    seen = [*map(to_symbol, key.seen(outline.facts))]
    across, down = (key.option(way) or key.option("tokens") or seen for way in ("across", "down"))
    yield from ((r, c, r, c + 1, name) for r, c in cells if (r, c + 1) in outline.cells for name in across)
    yield from ((r, c, r + 1, c, name) for r, c in cells if (r + 1, c) in outline.cells for name in down)


def _draw(key: Key, outline: KeyOutline) -> KeyLayer:
    facts = ((tuple(map(int, one[:4])), fact_name(one[4])) for one in outline.facts.arguments(key.fact))
    return KeyLayer(signs={((r, c), (row, column)): sign for (r, c, row, column), sign in facts})


SIGNS = KeyKind(
    ("row", "column", "row", "column", "name"),
    4,
    {"tokens": list, "across": list, "down": list},
    "sign",
    _read_signs,
    _write,
    _draw,
    check=_check_signs,
    possible=_possible,
)
