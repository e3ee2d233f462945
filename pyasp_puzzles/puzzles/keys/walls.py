"""Keys of walls: a grid with walls in some cells, which may have numbers, or numbers that point in a direction.

Token  "x": a wall; "3": a wall with a number; "2e": a number with an arrow to the right; "16s7e": two of them;
       "?" and "?e": the same without the number
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.symbols import UNKNOWN, SymbolValue, fact_symbol
from pyasp_puzzles.boards.facts import Fact, fact_name
from pyasp_puzzles.boards.grid import EMPTY, Cell, Grid, cell_place, grid_cells
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.keys import Key, KeyKind, KeyLayer, KeyOutline, KeyRange, key_rows
from pyasp_puzzles.puzzles.keys.grids import clue_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.boards.toml import Table

# A wall without a number, and how pictures show it.
_BARE, _WALL = "x", "\N{FULL BLOCK}"
# {the letter of a direction: its name in facts}
_DIRECTIONS = {"n": "north", "e": "east", "s": "south", "w": "west"}
_LETTERS = {name: letter for letter, name in _DIRECTIONS.items()}
_SHOWN = str.maketrans("nesw", "\N{UPWARDS ARROW}\N{RIGHTWARDS ARROW}\N{DOWNWARDS ARROW}\N{LEFTWARDS ARROW}")
_POINTED = re.compile(rf"([0-9]{{1,{Limits.LONGEST_NUMBER}}}|\?)([nesw])")


def _read(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    grid = table.grid(key.name)
    if grid is None:
        return
    wall, none = key.option("wall"), _BARE if key.option("wall") else EMPTY
    pointed = len(key.kind.arguments) > len("RCN")
    for cell, token, place in grid.cells() if grid is board else grid_cells(grid, board, key.name):
        if token in {EMPTY, "_"}:
            continue
        if wall:
            yield wall.name, cell, place
        if wall and token == _BARE:
            continue
        if not pointed:
            yield key.fact, (*cell, *clue_number(key, token, cell, place, none)), place
            continue
        found = _POINTED.findall(token)
        if "".join(map("".join, found)) != token:
            expected = f"expected a number and n, e, s or w, such as 2e{f', or {_BARE}' if wall else ''}"
            raise InstanceError(f"{cell_place(cell)}: {shown(token)} is wrong here, {expected}", place)
        for digits, way in found:
            number = clue_number(key, digits, cell, place, none)
            yield key.fact, (*cell, fact_symbol(_DIRECTIONS[way]), *number), place


def _check(key: Key, outline: KeyOutline) -> None:
    """Raise `InstanceError` for numbers in cells without a wall."""
    wall = key.option("wall")
    for r, c, *way, value in outline.facts.arguments(key.fact) if wall else ():
        if (r, c) not in outline.facts.keys(wall.name):
            place = outline.facts.place(key.fact, r, c, *way)
            raise InstanceError(f"{cell_place((int(r), int(c)))} has no {wall.name}, but {key.fact} {value}", place)


def _tokens(key: Key, outline: KeyOutline) -> dict[Cell, str]:
    """Return the token of each cell that has one."""
    wall = key.option("wall")
    found: dict[Cell, str] = {}
    for r, c, *way, value in outline.facts.arguments(key.fact):
        cell = int(r), int(c)
        found[cell] = found.get(cell, "") + str(value) + "".join(_LETTERS[fact_name(one)] for one in way)
    return {cell: found.get(cell, _BARE) for cell in outline.facts.keys(wall.name)} if wall else found


def _write(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    found = _tokens(key, outline)
    return {key.name: key_rows(outline.cells, found)} if found or key.required else {}


def _possible(key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    """Yield the numbers that walls may have, or any cell if the key has no walls."""
    wall, numbers = key.option("wall"), key.numbers_in(outline, KeyRange(0, "cells"))
    for cell in sorted(outline.facts.keys(wall.name) if wall else outline.cells):
        for value in numbers(cell):
            yield from ((*cell, fact_symbol(way), value) for way in key.constants)
            if not key.constants:
                yield *cell, value


def wall_tokens(key: Key, outline: KeyOutline) -> list[str]:
    """Return the tokens of an editor: a wall, and the smallest numbers; others can be typed."""
    numbers = [*key.numbers_in(outline, KeyRange(0, 4))((0, 0))[:5], *([UNKNOWN] if key.unknown else [])]
    ways = [_LETTERS[name] for name in key.constants] or [""]
    return [*([_BARE] if key.option("wall") else []), *(f"{number}{way}" for number in numbers for way in ways)]


def _draw(key: Key, outline: KeyOutline) -> KeyLayer:
    tokens = _tokens(key, outline).items()
    return KeyLayer(texts={cell: _WALL if token == _BARE else token.translate(_SHOWN) for cell, token in tokens})


WALLS = KeyKind(
    ("row", "column", "number"),
    2,
    {"range": str, "wall": str, "unknown": bool},
    "name",
    _read,
    _write,
    _draw,
    check=_check,
    possible=_possible,
    beside={"wall": (("row", "column"), 2)},
)
ARROWS = WALLS._replace(
    arguments=("row", "column", "name", "number"),
    unique=3,
    options={"range": str, "wall": str, "directions": list, "unknown": bool},
    constants=tuple(_DIRECTIONS.values()),
)
