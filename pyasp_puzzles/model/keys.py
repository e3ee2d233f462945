"""The keys of a board as a `puzzle.toml` declares them, how each is read and checked, and `Outline`, its cells.

Key    Key("blocks", "regions", block(row, column, name), ...): one key of a board
Range  Range(1, "rows"): the numbers from 1 to the number of rows
Outline  the cells of a board, its rows and its columns
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pyasp_puzzles.asp.symbols import fact
from pyasp_puzzles.boards.boxes import USUAL_BOXES
from pyasp_puzzles.boards.facts import name_of
from pyasp_puzzles.boards.grid import (
    EMPTY,
    OUTSIDE,
    Cell,
    Grid,
    at,
    cells,
    connected_parts,
    extent,
    in_shape,
    number,
    tokens,
)
from pyasp_puzzles.errors import InstanceError, Where, listing, shown
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.facts import Fact, Facts, Predicate
    from pyasp_puzzles.boards.toml import Table


Name = TypeVar("Name", str, int | str)
# The sides of a board that may have labels.
SIDES = ("top", "bottom", "left", "right")
# The only color of a palette when no colors are given, and none are on the board.
NAMELESS = "any"
# The tokens for no sign in a grid of signs; `o` is a cell.
NO_SIGN = frozenset({EMPTY, "o", "+"})


class Range(NamedTuple):
    """Numbers from `low` to `high`; `high` is a number, or "rows", "columns", "cells", or a key of regions."""

    low: int
    high: int | str

    def largest(self, outline: Outline) -> Callable[[Cell], int]:
        """Return the function from a cell to its largest number; `(0, 0)` is no cell of the board."""
        if isinstance(self.high, int):
            most = self.high
        elif self.high in {"rows", "columns", "cells"}:
            most = {"rows": outline.rows, "columns": outline.columns, "cells": len(outline.cells)}[self.high]
        else:
            regions = outline.values(next(key for key in outline.keys if key.name == self.high).fact)
            sizes = Counter(regions.values())
            return lambda cell: sizes[regions[cell]] if cell in regions else 0
        return lambda _: most


class Key(NamedTuple):
    """A key of a board."""

    name: str
    kind: str
    predicate: Predicate | None
    """The predicate of its facts; None for notes, which no rule sees."""
    clue: bool
    """Whether its facts are clues."""
    required: bool
    options: Mapping[str, Any]
    where: Where

    @property
    def rule(self) -> str:
        """The name of the rules that make its clues hold."""
        return str(self.options.get("rule", self.fact))

    @property
    def fact(self) -> str:
        """The name of its predicate."""
        return self.predicate.name if self.predicate else ""

    @property
    def cells(self) -> int:
        """The number of cells in the first arguments of its facts."""
        return self.predicate.arguments.count("row") if self.predicate else 0

    @property
    def whole(self) -> bool:
        """Whether each cell of a board has one of its facts."""
        return bool(self.options.get("every", self.kind == "regions"))

    def option(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 (what TOML has)
        """Return an option."""
        return self.options.get(name, default)


class Outline:
    """The cells of a board, and the facts about them."""

    def __init__(self, members: Collection[Cell], facts: Facts, keys: Sequence[Key]) -> None:
        self.keys = keys
        self.cells = members
        self.facts = facts
        self.rows, self.columns = extent(members)
        self._values: dict[str, dict[Cell, int | str]] = {}

    def values(self, name: str) -> dict[Cell, int | str]:
        """Return {(row, column): last argument} of a predicate whose unique arguments are row and column."""
        if name not in self._values:
            self._values[name] = {(r, c): arguments[-1] for (r, c), arguments in self.facts.items(name)}
        return self._values[name]

    @cached_property
    def size(self) -> str:
        """The size: `3x5`, rows first."""
        return f"{self.rows}x{self.columns}"

    def hole(self) -> Cell | None:
        """Return a position within the sides of the board that is no cell."""
        if len(self.cells) == self.rows * self.columns:
            return None
        places = ((r, c) for r in range(1, self.rows + 1) for c in range(1, self.columns + 1))
        return next((place for place in places if place not in self.cells), None)


def empty_tokens(numbers: Range | None) -> set[str]:
    """Return the tokens for no number in a cell: 0 is one, unless it is in the range of the numbers."""
    return {EMPTY, "_"} if numbers and numbers.low <= 0 else {EMPTY, "_", "0"}


def cells_by_region(regions: Mapping[Cell, Name]) -> dict[Name, list[Cell]]:
    """Return the cells of each region."""
    members: dict[Name, list[Cell]] = {}
    for cell, region in regions.items():
        members.setdefault(region, []).append(cell)
    return members


class KeyKind(NamedTuple):
    """A kind of key."""

    arguments: tuple[str, ...]
    """The arguments of its facts, as in `Predicate`; empty if it has no facts."""
    unique: int
    """How many of the first arguments belong to one fact only."""
    options: Mapping[str, type]
    """What may be declared about such a key besides its kind and its fact."""
    read: Callable[[Key, Table, Grid], Iterable[Fact]]
    """Yields the facts of a board from TOML."""
    check: Callable[[Key, Outline], None]
    """Raises `InstanceError` unless the facts are right, however they were written."""
    grid: bool = False
    """Whether it is a grid with the shape of the board."""


# -- Grids: a token in some cells, or in each ----------------------------------------------


def _filled_cells(
    key: Key, board: Grid, grid: Grid, empty: Collection[str], problem: str
) -> Iterator[tuple[Cell, str, Where]]:
    """Yield the cells of a key's grid, without those whose token is one of `empty`.

    If every cell needs a token, `problem` is what the error says of an empty cell.
    """
    for cell, token, place in grid.cells() if grid is board else in_shape(grid, board, key.name):
        if token not in empty:
            yield cell, token, place
        elif key.whole:
            raise InstanceError(f"{at(cell)}: {shown(token)} {problem}", place)


def _check_cells(key: Key, found: Mapping[Cell, int | str], outline: Outline) -> None:
    """Raise `InstanceError` for facts outside the board, and for cells without a fact if every cell needs one."""
    if found.keys() == outline.cells:
        return
    for cell, value in found.items():
        if cell not in outline.cells:
            message = f"{at(cell)}: {key.fact} {name_of(value)} is outside the board of {outline.size}"
            raise InstanceError(message, outline.facts.place(key.fact, *cell))
    if key.whole and len(found) < len(outline.cells) and (found or key.required):
        cell = next(cell for cell in outline.cells if cell not in found)
        raise InstanceError(f"{at(cell)} has no {key.fact}; every cell needs one", outline.facts.where)


# -- Regions: a name in each cell ------------------------------------------------------


def _read_regions(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    grid = table.grid(key.name)
    box = _box(table) if key.option("boxes") else None
    if grid is None:
        if key.option("boxes"):
            yield from _boxes(key, table, board, box)
        elif key.required:
            raise table.missing(key.name)
        return
    if box is not None:
        raise table.error(f"box: {key.name} is given too; give one of them", "box")
    problem = f"names no {key.fact}, expected a name, or # outside the board"
    for cell, token, place in _filled_cells(key, board, grid, {EMPTY}, problem):
        yield key.fact, (*cell, token), place


def _box(table: Table) -> tuple[int, int] | None:
    """Return the rows and columns of a box as the board gives them; None if it does not."""
    members = table.array("box", int, "whole numbers")
    if members is None:
        return None
    if len(members) != 2 or min(members) < 1:
        raise table.error(f"box: {shown(members)} is not the size of a box, expected [rows, columns]", "box")
    return members[0], members[1]


def _boxes(key: Key, table: Table, board: Grid, box: tuple[int, int] | None) -> Iterator[Fact]:
    """Yield the box of each cell; boxes are numbered row by row."""
    side = len(board.rows)
    place = Where(table.where.source, board.places[0].line)
    if len(board.rows[0]) != side:
        raise InstanceError(f"the grid is {board.size}; it needs as many rows as columns", place)
    box = box or USUAL_BOXES.get(side)
    if box is None:
        raise InstanceError(
            f"there are no usual boxes for {board.size}; write box = [rows, columns], or {key.name}", place
        )
    high, wide = box
    if high * wide != side:
        raise table.error(f"box: {high}x{wide} is {cells(high * wide)}, expected {side} as in a row", "box")
    for (r, c), _, place in board.cells():
        yield key.fact, (r, c, str((r - 1) // high * (side // wide) + (c - 1) // wide + 1)), place


def _check_regions(key: Key, outline: Outline) -> None:
    regions = outline.values(key.fact)
    _check_cells(key, regions, outline)
    members = cells_by_region(regions)
    if key.option("connected"):
        for region, of_region in members.items():
            first, *others = connected_parts(of_region)
            if others:
                name, place = shown(name_of(region)), outline.facts.place(key.fact, *others[0][0])
                message = f"{key.fact} {name} is in {len(others) + 1} pieces, at {at(first[0])} and {at(others[0][0])}"
                raise InstanceError(f"{message}, expected {cells(len(of_region))} joined by their sides", place)
    if key.option("size") and regions:
        expected = {"rows": outline.rows, "columns": outline.columns}[key.options["size"]]
        wrong = {region: of for region, of in members.items() if len(of) != expected}
        if wrong:
            (one, of_first), *rest = wrong.items()
            words = f"{key.fact} {shown(name_of(one))} has {cells(len(of_first))}, expected {expected} as in a row"
            also = listing((f"{shown(name_of(region))} has {len(of)}" for region, of in rest), "and")
            place = outline.facts.place(key.fact, *of_first[min(expected, len(of_first) - 1)])
            raise InstanceError(words + (f"; {also}" if rest else ""), place)


# -- Colors: a name in some cells, or in each ---------------------------------------------


def _read_colors(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    grid = table.grid(key.name)
    if grid is None and key.required:
        raise table.missing(key.name)
    palette = table.strings("palette") if key.option("palette") else None
    empty = {EMPTY} if key.whole and not key.option("palette") else {EMPTY, "_"}
    if palette is not None:
        empty = {EMPTY, "_", "0"} - set(palette)
    problem = "is not a color, expected a color, or # outside the board"
    tiles = list(_filled_cells(key, board, grid, empty, problem)) if grid else []
    if key.option("palette"):
        names = table.string_table("colors")
        palette = default_palette([*(token for _, token, _ in tiles), *names]) if palette is None else palette
        colors = set(palette)
        unknown = next((name for name in names if name not in colors), None)
        if unknown is not None:
            raise table.error(f"colors: {shown(unknown)} is not in the palette, expected {listing(palette)}", "colors")
        table.extras["colors"] = names
        yield from ((key.options["palette"].name, (color,), table.place("palette")) for color in palette)
    yield from ((key.fact, (*cell, token), place) for cell, token, place in tiles)


def default_palette(colors: Iterable[str]) -> list[str]:
    """Return the palette of a board that gives none, given its colors."""
    return sorted(set(colors)) or [NAMELESS]


def _check_colors(key: Key, outline: Outline) -> None:
    tiles = outline.values(key.fact)
    _check_cells(key, tiles, outline)
    predicate = key.option("palette")
    palette = {color for (color,) in outline.facts.arguments(predicate.name)} if predicate else set()
    for cell, color in tiles.items() if palette else ():
        if color not in palette:
            message = f"{at(cell)}: color {shown(name_of(color))} is not in the palette"
            place = outline.facts.place(key.fact, *cell)
            raise InstanceError(f"{message}, expected {listing(sorted(map(name_of, palette)))}", place)


# -- Numbers: a number in some cells ---------------------------------------------------


def _read_numbers(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    grid = table.grid(key.name)
    if grid is None:
        return
    problem = "is not a number, expected one in every cell"
    for cell, token, place in _filled_cells(key, board, grid, empty_tokens(key.option("range")), problem):
        yield key.fact, (*cell, number(token, cell, place)), place


def _check_numbers(key: Key, outline: Outline) -> None:
    found = outline.values(key.fact)
    range_ = key.option("range")
    largest = range_.largest(outline) if range_ else None
    if key.option("every"):
        _check_cells(key, found, outline)
    for cell, value in found.items():
        place = outline.facts.place(key.fact, *cell)
        if cell not in outline.cells:
            raise InstanceError(f"{at(cell)}: {key.fact} {value} is outside the board", place)
        if largest and not range_.low <= int(value) <= largest(cell):
            words = f"{at(cell)}: {key.fact} {value} is out of range, expected {range_.low} to {largest(cell)}"
            raise InstanceError(words, place)


# -- Signs between two neighbouring cells -------------------------------------------------


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


def _check_signs(key: Key, outline: Outline) -> None:
    for *places, name in outline.facts.arguments(key.fact):
        r, c, row, column = map(int, places)
        place = outline.facts.place(key.fact, r, c, row, column)
        if (row - r, column - c) not in {(0, 1), (1, 0)}:
            message = f"{at((r, c))} and {at((row, column))} have a sign between them"
            raise InstanceError(f"{message}, expected a cell and its neighbour to the right or below", place)
        outside = next((cell for cell in ((r, c), (row, column)) if cell not in outline.cells), None)
        if outside:
            raise InstanceError(f"{at(outside)}: a sign next to a place that is no cell of the board", place)
        sign = name_of(name)
        known = key.option("across" if row == r else "down") or key.option("tokens")
        if known and sign not in known:
            direction = "beside" if row == r else "above"
            message = f"{shown(sign)} is between {at((r, c))} and its neighbour"
            raise InstanceError(f"{message}, expected {listing(known)} where one cell is {direction} the other", place)


# -- Labels outside the board -------------------------------------------------------------


def _read_outside(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    sides = table.get(key.name, dict, "table with top, bottom, left or right")
    if sides is None:
        if key.required:
            raise table.missing(key.name, "a table with top, bottom, left or right")
        return
    place, known = table.place(key.name), key.option("sides", list(SIDES))
    for side, labels in sides.items():
        if side not in known:
            raise table.error(
                f"{key.name}: {shown(side)} is not a side of the board, expected {listing(known)}", key.name
            )
        words = tokens(labels) if isinstance(labels, str) else map(str, labels) if isinstance(labels, list) else ()
        words = list(words)
        length = len(board.rows[0] if side in {"top", "bottom"} else board.rows)
        if len(words) != length:
            problem = f"{side} has {len(words)} labels, expected {length}, with . where there is none"
            raise table.error(f"{key.name}: {problem}", key.name)
        for i, word in enumerate(words, 1):
            if word == EMPTY:
                continue
            several = word.split(",") if key.option("several") else [word]
            for j, token in enumerate(several, 1):
                if not (token.isascii() and token.isdigit() and len(token) <= Limits.LONGEST_NUMBER):
                    message = f"{side} {i}: {shown(token)} is not a number, expected a number, or . for none"
                    raise table.error(f"{key.name}: {message}", key.name)
                yield key.fact, (fact(side), i, *([j] if key.option("several") else []), int(token)), place


def _check_outside(key: Key, outline: Outline) -> None:
    range_ = key.option("range")
    most = range_.largest(outline)((0, 0)) if range_ else 0
    known = key.option("sides", list(SIDES))
    for arguments in outline.facts.arguments(key.fact):
        side, i, value = name_of(arguments[0]), int(arguments[1]), int(arguments[-1])
        place = outline.facts.place(key.fact, *arguments[:-1])
        if arguments[0] not in known:
            raise InstanceError(f"{shown(arguments[0])} is not a side of the board, expected {listing(known)}", place)
        length = outline.columns if side in {"top", "bottom"} else outline.rows
        if not 1 <= i <= length:
            raise InstanceError(f"{side} {i} is outside the board of {outline.size}, expected 1 to {length}", place)
        if range_ and not range_.low <= value <= most:
            raise InstanceError(f"{side} {i}: {value} is out of range, expected {range_.low} to {most}", place)


# -- A number for each region, one number for the board, notes, patterns ----------------------


def _read_sums(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    found = table.get(key.name, dict, "table of numbers")
    if found is None and key.required:
        raise table.missing(key.name, "a table of numbers")
    for region, value in (found or {}).items():
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**Limits.LONGEST_NUMBER:
            raise table.wrong(key.name, f"{region} = {shown(value)}", "a number")
        yield key.fact, (region, value), table.place(key.name)


def _check_sums(key: Key, outline: Outline) -> None:
    of = next(other for other in outline.keys if other.name == key.options["of"])
    known = {name_of(region) for region in outline.values(of.fact).values()}
    for region, _ in outline.facts.arguments(key.fact):
        if (name := name_of(region)) not in known:
            message = f"{key.fact} of {shown(name)}, which is no {of.fact}"
            raise InstanceError(f"{message}, expected {listing(sorted(known))}", outline.facts.place(key.fact, region))


def _read_number(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    value = table.integer(key.name)
    value = table.defaults.get(key.name, key.option("default")) if value is None else value
    if value is None and key.required:
        raise table.missing(key.name, "a number")
    if value is not None:
        yield key.fact, (value,), table.place(key.name)


def _check_number(key: Key, outline: Outline) -> None:
    values = [int(value) for (value,) in outline.facts.arguments(key.fact)]
    if not values and (key.required or key.option("default") is not None):
        raise InstanceError(f"there is no {key.predicate}; write one", outline.facts.where)
    range_ = key.option("range")
    most = range_.largest(outline)((0, 0)) if range_ else 0
    for value in values if range_ else ():
        if not range_.low <= value <= most:
            message = f"{key.name} is {value}, expected {range_.low} to {most}"
            raise InstanceError(message, outline.facts.place(key.fact))


def _read_notes(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    """Keep the token of each cell that has one in the extras of the board."""
    grid = table.grid(key.name)
    if grid is not None:
        known = in_shape(grid, board, key.name)
        table.extras[key.name] = {cell: token for cell, token, _ in known if token != EMPTY}
    yield from ()


def _read_patterns(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    for i, pattern in enumerate(table.strings(key.name) or (), 1):
        found = tokens(pattern)
        if not found or not all(color.isprintable() for color in found):
            message = f"{key.fact} {i} is {shown(pattern)}, expected a color a cell, such as 'wwb'"
            raise table.error(f"{key.name}: {message}", key.name)
        if "longest" in key.options:
            longest = key.options["longest"]
            table.defaults[longest] = max(len(found), table.defaults.get(longest, 1))
        yield from ((key.fact, (i, j, color), table.place(key.name)) for j, color in enumerate(found, 1))


def _check_patterns(key: Key, outline: Outline) -> None:
    bound = next((other for other in outline.keys if other.name == key.option("longest")), None)
    longest = min((int(n) for (n,) in outline.facts.arguments(bound.fact)), default=None) if bound else None
    listed: dict[int, set[int]] = {}
    for i, j, _ in outline.facts.arguments(key.fact):
        listed.setdefault(int(i), set()).add(int(j))
    for i, places in listed.items():
        if places != set(range(1, len(places) + 1)):
            place = outline.facts.place(key.fact, i, max(places))
            raise InstanceError(f"{key.fact} {i} has no cell 1 to {max(places)}", place)
        if longest is not None and len(places) > longest:
            message = f"{key.fact} {i} has {len(places)} cells, expected at most {longest}"
            raise InstanceError(f"{message} as {key.option('longest')} says", outline.facts.place(key.fact, i, 1))


_CELL = ("row", "column")
# The kinds of keys, by the names that a `puzzle.toml` uses.
KEY_KINDS: Mapping[str, KeyKind] = {
    "regions": KeyKind(
        (*_CELL, "name"),
        2,
        {"every": bool, "connected": bool, "size": str, "boxes": bool, "linked": bool},
        _read_regions,
        _check_regions,
        grid=True,
    ),
    "colors": KeyKind((*_CELL, "name"), 2, {"every": bool, "palette": str}, _read_colors, _check_colors, grid=True),
    "givens": KeyKind((*_CELL, "number"), 2, {"range": str}, _read_numbers, _check_numbers, grid=True),
    "numbers": KeyKind((*_CELL, "number"), 2, {"range": str, "every": bool}, _read_numbers, _check_numbers, grid=True),
    "signs": KeyKind(
        (*_CELL, *_CELL, "name"), 4, {"tokens": list, "across": list, "down": list}, _read_signs, _check_signs
    ),
    "outside": KeyKind(
        ("name", "number", "number"), 2, {"range": str, "sides": list, "several": bool}, _read_outside, _check_outside
    ),
    "sums": KeyKind(("name", "number"), 1, {"of": str}, _read_sums, _check_sums),
    "number": KeyKind(("number",), 0, {"range": str, "default": int}, _read_number, _check_number),
    "patterns": KeyKind(("number", "number", "name"), 2, {"longest": str}, _read_patterns, _check_patterns),
    "notes": KeyKind((), 0, {}, _read_notes, lambda _key, _shape: None, grid=True),
}
