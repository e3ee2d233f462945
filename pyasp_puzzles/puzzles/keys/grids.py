"""Keys whose value is a grid, a number, or a list of patterns.

Grids: regions, colors, givens, numbers, notes; walls and arrows; signs between two neighbours; numbers at corners.
Numbers: of each region (sums), of the board.

Wall  "x", or "3" with a number; "2e": a number with an arrow to the right; "16s7e": two; "?" and "?e": without number;
      "3,1": several numbers
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.symbols import UNKNOWN, SymbolValue, fact_symbol, plain_symbol_text, to_symbol
from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.facts import Fact, fact_name
from pyasp_puzzles.boards.figure import Figure
from pyasp_puzzles.boards.grid import (
    CORNERS,
    EMPTY,
    OUTSIDE,
    Cell,
    Grid,
    cell_corners,
    cell_count,
    cell_place,
    cells_at_corner,
    connected_cells,
    grid_at,
    grid_cells,
    grid_number,
    grid_rows,
    grid_tokens,
    grouped,
)
from pyasp_puzzles.boards.regions import box_size
from pyasp_puzzles.errors import InstanceError, Where, listing, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.keys import (
    NOT_SQUARE,
    Key,
    KeyKind,
    KeyLayer,
    KeyOutline,
    KeyRange,
    empty_key_tokens,
    key_rows,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from pyasp_puzzles.boards.toml import Table

# -- Grids ------------------------------------------------------------------------------------------------

# The only color of a palette when no colors are given, and none are on the board.
_NAMELESS = "any"


def _filled_cells(
    key: Key, board: Grid, grid: Grid, empty: Collection[str], problem: str
) -> Iterator[tuple[Cell, str, Where]]:
    """Yield the cells of a key's grid, without those whose token is one of `empty`.

    If every cell needs a token, `problem` is what the error says of an empty cell.
    """
    for cell, token, place in grid.cells() if grid is board else grid_cells(grid, board, key.name):
        if token not in empty:
            yield cell, token, place
        elif key.whole:
            raise InstanceError(f"{cell_place(cell)}: {shown(token)} {problem}", place)


def _read_regions(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    grid = table.grid(key.name)
    box = _box(table) if key.option("boxes") else None
    if grid is None:
        yield from _boxes(key, table, board, box) if key.option("boxes") else ()
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
    rows, columns = len(board.rows), len(board.rows[0])
    place = Where(table.where.source, board.places[0].line)
    if columns != rows and not table.digits:
        raise InstanceError(f"the grid is {board.size}; {NOT_SQUARE}", place)
    box = box or (regions.USUAL.get(rows) if columns == rows else None)
    if box is None:
        raise InstanceError(
            f"there are no usual boxes for {board.size}; write box = [rows, columns], or {key.name}", place
        )
    high, wide = box
    if high * wide != rows and not table.digits:
        raise table.error(f"box: {high}x{wide} is {cell_count(high * wide)}, expected {rows} as in a row", "box")
    if rows % high or columns % wide:
        raise table.error(f"box: boxes of {high}x{wide} do not fill a board of {board.size}", "box")
    boxes = regions.boxes(high, wide, (rows, columns))
    for cell, _, place in board.cells():
        yield key.fact, (*cell, boxes[cell]), place


def _check_regions(key: Key, outline: KeyOutline) -> None:
    region_of = outline.values(key.fact)
    members = regions.cells(region_of)
    if key.option("connected"):
        for region, of_region in members.items():
            first, *others = connected_cells(of_region)
            if others:
                name, place = shown(fact_name(region)), outline.facts.place(key.fact, *others[0][0])
                two = f"{cell_place(first[0])} and {cell_place(others[0][0])}"
                message = f"{_region(key)} {name} is in {len(others) + 1} pieces, at {two}"
                raise InstanceError(f"{message}, expected {cell_count(len(of_region))} joined by their sides", place)
    if key.option("size") and region_of and not outline.digits:
        expected = {"rows": outline.rows, "columns": outline.columns}[key.options["size"]]
        wrong = {region: of for region, of in members.items() if len(of) != expected}
        if wrong:
            (wrong_region, of_first), *rest = wrong.items()
            problem = (
                f"{_region(key)} {shown(fact_name(wrong_region))} has {cell_count(len(of_first))}, expected {expected}"
            )
            also = listing((f"{shown(fact_name(region))} has {len(of)}" for region, of in rest), "and")
            place = outline.facts.place(key.fact, *of_first[min(expected, len(of_first) - 1)])
            raise InstanceError(f"{problem} as in a row" + (f"; {also}" if rest else ""), place)


def _region(key: Key) -> str:
    """Return what one region is called: "stream" for the key `streams`."""
    return key.name.removesuffix("s")


def _read_colors(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    grid = table.grid(key.name)
    palette = table.strings("palette") if key.option("palette") else None
    empty = {EMPTY} if key.whole and not key.option("palette") else {EMPTY, "_"}
    if palette is not None:
        empty = {EMPTY, "_", "0"} - set(palette)
    problem = "is not a color, expected a color, or # outside the board"
    tiles = list(_filled_cells(key, board, grid, empty, problem)) if grid else []
    if key.option("palette"):
        names = table.string_table("colors")
        palette = palette_of([*(token for _, token, _ in tiles), *names]) if palette is None else palette
        colors = set(palette)
        unknown = next((name for name in names if name not in colors), None)
        if unknown is not None:
            raise table.error(f"colors: {shown(unknown)} is not in the palette, expected {listing(palette)}", "colors")
        table.extras["colors"] = names
        yield from ((key.options["palette"].name, (color,), table.place("palette")) for color in palette)
    for cell, token, place in tiles:
        yield key.fact, (*cell, *([] if token == UNKNOWN and key.unknown else [token])), place


def palette_of(colors: Iterable[str]) -> list[str]:
    """Return the palette of a board that gives none, given its colors."""
    return sorted(set(colors)) or [_NAMELESS]


def _check_colors(key: Key, outline: KeyOutline) -> None:
    predicate = key.option("palette")
    palette = {color for (color,) in outline.facts.arguments(predicate.name)} if predicate else set()
    for cell, color in outline.values(key.fact).items() if palette else ():
        if color not in palette:
            message = f"{cell_place(cell)}: color {shown(fact_name(color))} is not in the palette"
            place = outline.facts.place(key.fact, *cell)
            raise InstanceError(f"{message}, expected {listing(sorted(map(fact_name, palette)))}", place)


def _read_numbers(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    grid = table.grid(key.name)
    if grid is None:
        return
    problem = "is not a number, expected one in every cell"
    letters = _numbers_of_letters(grid) if key.option("letters") else {}
    letters |= key.numbers_by_name
    empty = empty_key_tokens(key.option("range"), table.digits if key.kind.role == "answers" else ())
    for cell, token, place in _filled_cells(key, board, grid, empty, problem):
        yield key.fact, (*cell, *clue_number(key, letters.get(token, token), cell, place)), place


def clue_number(key: Key, token: str, cell: Cell, place: Where, none: str = EMPTY) -> tuple[int, ...]:
    """Return the number of a token, or nothing for a clue without its value; `none` is the token of no number.

    Raises:
        InstanceError: it is neither.
    """
    if token == UNKNOWN and key.unknown:
        return ()
    if token == UNKNOWN:
        message = f"{key.name} cannot be unknown here; write a number, or {none} for none"
        raise InstanceError(f"{cell_place(cell)}: {shown(token)}: {message}", place)
    return (grid_number(token, cell, place),)


def _numbers_of_letters(grid: Grid) -> dict[str, str]:
    """Return {letter of a grid: its number}: A is 1, or 10 if there are digits; small ones follow capital ones."""
    tokens = {token for _, token, _ in grid.cells()}
    letters = {token for token in tokens if len(token) == 1 and token.isascii() and token.isalpha()}
    first = 10 if tokens & {*"123456789"} else 1
    small = 26 if any(map(str.isupper, letters)) else 0
    return {letter: str(ord(letter.upper()) - ord("A") + first + small * letter.islower()) for letter in letters}


def _read_notes(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    """Keep the token of each cell that has one in the extras of the board."""
    grid = table.grid(key.name)
    if grid is not None:
        noted = grid_cells(grid, board, key.name)
        table.extras[key.name] = {cell: token for cell, token, _ in noted if token != EMPTY}
    yield from ()


def _names(key: Key, outline: KeyOutline) -> dict[Cell, str]:
    """Return the name that a key gives each cell.

    Raises:
        InstanceError: a name cannot be a token of a grid.
    """
    names = outline.facts.names(key.fact)
    for cell, name in names.items():
        if name.split() != [name] or name in {EMPTY, OUTSIDE}:
            message = (
                f"{cell_place(cell)}: the name {shown(name)} cannot be in a grid, which needs one word; use --to lp"
            )
            raise InstanceError(message, outline.facts.where)
    return names


def _write_regions(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    region_of = _names(key, outline)
    if not region_of or (key.option("boxes") and regions.are_usual(region_of)):
        return {}
    box = box_size(region_of) if key.option("boxes") else None
    return {"box": list(box)} if box else {key.name: key_rows(outline.cells, region_of)}


def _write_colors(key: Key, outline: KeyOutline, extras: Mapping[str, Mapping[Any, str]]) -> dict[str, object]:
    names = _names(key, outline)
    values: dict[str, object] = {}
    if names or key.required:
        values[key.name] = key_rows(outline.cells, names)
    if predicate := key.option("palette"):
        colors = dict(extras.get("colors", {}))
        palette = [fact_name(color) for (color,) in outline.facts.arguments(predicate.name)]
        if palette != palette_of([*names.values(), *colors]):
            values["palette"] = palette
        if colors:
            values["colors"] = colors
    return values


def _write_numbers(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    numbers = outline.values(key.fact)
    return {key.name: key_rows(outline.cells, numbers)} if numbers or key.required else {}


def _write_notes(key: Key, outline: KeyOutline, extras: Mapping[str, Mapping[Any, str]]) -> dict[str, object]:
    notes = extras.get(key.name, {})
    return {key.name: key_rows(outline.cells, notes)} if notes else {}


def _possible_numbers(key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    most = max(outline.rows, outline.columns) if key.kind.role == "answers" else "cells"
    numbers = key.numbers_in(outline, KeyRange(1, most))
    return ((*cell, number) for cell in sorted(outline.cells) for number in numbers(cell))


def _possible_colors(key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    colors = [*map(to_symbol, colors_of(key, outline))]
    return ((*cell, color) for cell in sorted(outline.cells) for color in colors)


def colors_of(key: Key, outline: KeyOutline) -> list[int | str]:
    """Return the colors that the cells of a board may have, as clingo writes them.

    They are those of its palette; without one, those of its cells, and the usual ones.
    """
    if palette := key.option("palette"):
        return [color for (color,) in outline.facts.arguments(palette.name)]
    usual = [plain_symbol_text(name) for name in key.option("usual", ())]
    return [*dict.fromkeys([*key.seen(outline.facts), *usual])]


def _draw_givens(key: Key, outline: KeyOutline) -> KeyLayer:
    values = outline.values(key.fact).items()
    unknown = {cell: UNKNOWN for cell, value in values if value == UNKNOWN}
    return KeyLayer(givens={cell: int(value) for cell, value in values if value != UNKNOWN}, texts=unknown)


def _draw_colors(key: Key, outline: KeyOutline) -> KeyLayer:
    names = outline.facts.names(key.fact)
    return KeyLayer(texts=names, colors=names if key.option("palette") or key.option("every") else {})


_CELL = ("row", "column")
REGIONS = KeyKind(
    (*_CELL, "name"),
    2,
    {"every": bool, "connected": bool, "size": str, "boxes": bool, "linked": bool},
    "region",
    _read_regions,
    _write_regions,
    lambda key, outline: KeyLayer(regions=outline.facts.names(key.fact)),
    role="regions",
    check=_check_regions,
)
COLORS = KeyKind(
    (*_CELL, "name"),
    2,
    {"every": bool, "palette": str, "usual": list, "unknown": bool},
    "name",
    _read_colors,
    _write_colors,
    _draw_colors,
    role="tiles",
    check=_check_colors,
    possible=_possible_colors,
    beside={"palette": (("name",), 1)},
)
GIVENS = KeyKind(
    (*_CELL, "number"),
    2,
    {"range": str, "unknown": bool},
    "number",
    _read_numbers,
    _write_numbers,
    _draw_givens,
    role="answers",
    possible=_possible_numbers,
)
NUMBERS = GIVENS._replace(
    options={"range": str, "every": bool, "unknown": bool, "letters": bool},
    draw=lambda key, outline: KeyLayer(texts=outline.facts.names(key.fact)),
    role="",
)
NOTES = KeyKind((), 0, {}, "name", _read_notes, _write_notes)


# A wall without a number, and how pictures show it.
_BARE, _WALL = "x", "\N{FULL BLOCK}"
# The most numbers in a cell of a new board.
_MOST_SEVERAL = 4
# {the letter of a direction: its name in facts}
_DIRECTIONS = {"n": "north", "e": "east", "s": "south", "w": "west"}
_LETTERS = {name: letter for letter, name in _DIRECTIONS.items()}
_SHOWN = str.maketrans("nesw,", "\N{UPWARDS ARROW}\N{RIGHTWARDS ARROW}\N{DOWNWARDS ARROW}\N{LEFTWARDS ARROW} ")
_POINTED = rf"([0-9]{{1,{Limits.LONGEST_NUMBER}}}|\?)([nesw])"


def _read_walls(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    grid = table.grid(key.name)
    if grid is None:
        return
    wall = key.option("wall")
    for cell, token, place in grid.cells() if grid is board else grid_cells(grid, board, key.name):
        if token in {EMPTY, "_"}:
            continue
        if wall:
            yield wall.name, cell, place
        if not wall or token != _BARE:
            yield from ((key.fact, (*cell, *values), place) for values in _wall_values(key, token, cell, place))


def _wall_values(key: Key, token: str, cell: Cell, place: Where) -> Iterator[tuple[SymbolValue, ...]]:
    """Yield the arguments of the facts of a token after its cell: (3,), (east, 2), or (1, 3) for the first number."""
    wall, none = key.option("wall"), _BARE if key.option("wall") else EMPTY
    if key.option("several"):
        yield from ((j, *clue_number(key, word, cell, place, none)) for j, word in enumerate(token.split(","), 1))
        return
    if not key.constants:
        yield clue_number(key, token, cell, place, none)
        return
    parts = re.findall(_POINTED, token)
    if "".join(map("".join, parts)) != token:
        expected = f"expected a number and n, e, s or w, such as 2e{f', or {_BARE}' if wall else ''}"
        raise InstanceError(f"{cell_place(cell)}: {shown(token)} is wrong here, {expected}", place)
    for digits, way in parts:
        yield fact_symbol(_DIRECTIONS[way]), *clue_number(key, digits, cell, place, none)


def _check_walls(key: Key, outline: KeyOutline) -> None:
    """Raise `InstanceError` for numbers in cells without a wall."""
    wall = key.option("wall")
    for r, c, *way, value in outline.facts.arguments(key.fact) if wall else ():
        if (r, c) not in outline.facts.keys(wall.name):
            place = outline.facts.place(key.fact, r, c, *way)
            raise InstanceError(f"{cell_place((int(r), int(c)))} has no {wall.name}, but {key.fact} {value}", place)


def _wall_tokens(key: Key, outline: KeyOutline) -> dict[Cell, str]:
    """Return the token of each cell that has one."""
    wall = key.option("wall")
    tokens: dict[Cell, str] = {}
    facts = outline.facts.arguments(key.fact)
    for r, c, *way, value in sorted(facts, key=lambda fact: fact[2:-1]) if key.option("several") else facts:
        cell = int(r), int(c)
        between = "," if key.option("several") and cell in tokens else ""
        letters = "".join(_LETTERS[fact_name(name)] for name in way if key.constants)
        tokens[cell] = tokens.get(cell, "") + between + str(value) + letters
    return {cell: tokens.get(cell, _BARE) for cell in outline.facts.keys(wall.name)} if wall else tokens


def _write_walls(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    tokens = _wall_tokens(key, outline)
    return {key.name: key_rows(outline.cells, tokens)} if tokens or key.required else {}


def _possible_walls(key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    """Yield the numbers that walls may have, or any cell if the key has no walls."""
    wall, numbers = key.option("wall"), key.numbers_in(outline, KeyRange(0, "cells"))
    ways: list[tuple[SymbolValue, ...]] = [(fact_symbol(way),) for way in key.constants]
    if not ways:
        ways = [(j,) for j in range(1, _MOST_SEVERAL + 1)] if key.option("several") else [()]
    for cell in sorted(outline.facts.keys(wall.name) if wall else outline.cells):
        for value in numbers(cell):
            yield from ((*cell, *way, value) for way in ways)


def wall_tokens(key: Key, outline: KeyOutline) -> list[str]:
    """Return the tokens of an editor: a wall, and the smallest numbers; others can be typed."""
    numbers = [*key.numbers_in(outline, KeyRange(0, 4))((0, 0))[:5], *([UNKNOWN] if key.unknown else [])]
    ways = [_LETTERS[name] for name in key.constants] or [""]
    return [*([_BARE] if key.option("wall") else []), *(f"{number}{way}" for number in numbers for way in ways)]


def _draw_walls(key: Key, outline: KeyOutline) -> KeyLayer:
    tokens = _wall_tokens(key, outline).items()
    return KeyLayer(texts={cell: _WALL if token == _BARE else token.translate(_SHOWN) for cell, token in tokens})


WALLS = KeyKind(
    ("row", "column", "number"),
    2,
    {"range": str, "wall": str, "unknown": bool, "several": bool},
    "name",
    _read_walls,
    _write_walls,
    _draw_walls,
    check=_check_walls,
    possible=_possible_walls,
    beside={"wall": (("row", "column"), 2)},
)
ARROWS = WALLS._replace(
    arguments=("row", "column", "name", "number"),
    unique=3,
    options={"range": str, "wall": str, "directions": list, "unknown": bool},
    constants=tuple(_DIRECTIONS.values()),
)


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
        expected = key.option("across" if row == r else "down") or key.option("tokens")
        if expected and sign not in expected:
            direction = "beside" if row == r else "above"
            message = f"{shown(sign)} is between {cell_place((r, c))} and its neighbour"
            raise InstanceError(
                f"{message}, expected {listing(expected)} where one cell is {direction} the other", place
            )


def _write_signs(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    """Return signs as a grid of cells (`o`) with a sign between each two neighbours."""
    facts = outline.facts.arguments(key.fact)
    signs = {(2 * r - 1, 2 * c - 1): "o" for r, c in outline.cells}
    for *places, sign in facts:
        r, c, row, column = map(int, places)
        signs[r + row - 1, c + column - 1] = fact_name(sign)
    return {key.name: grid_rows(signs, signs)} if facts else {}


def _possible_signs(key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    cells = sorted(outline.cells)
    seen = [*map(to_symbol, key.seen(outline.facts))]
    across, down = (key.option(way) or key.option("tokens") or seen for way in ("across", "down"))
    yield from ((r, c, r, c + 1, name) for r, c in cells if (r, c + 1) in outline.cells for name in across)
    yield from ((r, c, r + 1, c, name) for r, c in cells if (r + 1, c) in outline.cells for name in down)


def _draw_signs(key: Key, outline: KeyOutline) -> KeyLayer:
    facts = (
        (tuple(map(int, arguments[:4])), fact_name(arguments[4])) for arguments in outline.facts.arguments(key.fact)
    )
    return KeyLayer(signs={((r, c), (row, column)): sign for (r, c, row, column), sign in facts})


SIGNS = KeyKind(
    ("row", "column", "row", "column", "name"),
    4,
    {"tokens": list, "across": list, "down": list},
    "sign",
    _read_signs,
    _write_signs,
    _draw_signs,
    check=_check_signs,
    possible=_possible_signs,
)


def _read_crossings(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    """Read a grid with a place for each corner of the cells."""
    corners = cell_corners(cell for cell, _, _ in board.cells())
    places = grid_at(key_rows(corners, dict.fromkeys(corners, EMPTY)), board.places[0])
    grid = table.grid(key.name)
    if grid and grid.size != places.size:
        message = f"{key.name} is a grid of {grid.size}, expected {places.size}: the corners of {board.size} cells"
        raise InstanceError(message, grid.places[0])
    yield from _read_numbers(key, table, places)


def _write_crossings(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    numbers = outline.values(key.fact)
    return {key.name: key_rows(cell_corners(outline.cells), numbers)} if numbers else {}


def _possible_crossings(key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    numbers = key.numbers_in(outline, KeyRange(0, len(CORNERS)))((0, 0))
    return ((*corner, number) for corner in sorted(cell_corners(outline.cells)) for number in numbers)


def _draw_crossings(key: Key, outline: KeyOutline) -> KeyLayer:
    look, numbers = {"corners": "circle"}, outline.facts.names(key.fact).items()
    return KeyLayer(figures=tuple(Figure(look, ((r - 1, c - 1),), text=text) for (r, c), text in numbers))


CROSSINGS = GIVENS._replace(
    tool="crossing",
    read=_read_crossings,
    write=_write_crossings,
    draw=_draw_crossings,
    role="",
    possible=_possible_crossings,
    around=lambda arguments: tuple(cells_at_corner(int(arguments[0]), int(arguments[1]))),
)

# -- Numbers and patterns ---------------------------------------------------------------------------------

# Digits of a number of the answer that a board lists.
_LONGEST_DIGIT = 3
_DIGITS = re.compile(rf"(\d{{1,{_LONGEST_DIGIT}}})(?:\.\.(\d{{1,{_LONGEST_DIGIT}}}))?")


def _read_sums(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    numbers = table.get(key.name, dict, "table of numbers")
    for region, value in (numbers or {}).items():
        unknown = value == UNKNOWN and key.unknown
        if (not isinstance(value, int) or isinstance(value, bool)) and not unknown:
            expected = f'a number, or "{UNKNOWN}" for an unknown one' if key.unknown else "a number"
            raise table.wrong(key.name, f"{region} = {shown(value)}", expected)
        yield key.fact, (region, *([] if unknown else [value])), table.place(key.name)


def _check_sums(key: Key, outline: KeyOutline) -> None:
    of = key.of(outline.keys)
    names = {fact_name(region) for region in outline.values(of.fact).values()}
    for region, value in outline.facts.arguments(key.fact):
        if value != UNKNOWN and not 0 <= int(value) < 10**Limits.LONGEST_NUMBER:
            message = f"{key.name}: {fact_name(region)} = {shown(value)} is wrong here, expected a number"
            raise InstanceError(message, outline.facts.place(key.fact, region))
        if (name := fact_name(region)) not in names:
            message = f"{key.fact} of {shown(name)}, which is no {of.fact}"
            raise InstanceError(f"{message}, expected {listing(sorted(names))}", outline.facts.place(key.fact, region))


def _read_number(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    value = table.integer(key.name)
    value = table.defaults.get(key.name, key.option("default")) if value is None else value
    if value is None and key.required:
        raise table.missing(key.name, "a number")
    if value is not None:
        yield key.fact, (value,), table.place(key.name)


def _check_number(key: Key, outline: KeyOutline) -> None:
    if not outline.facts.arguments(key.fact) and (key.required or key.option("default") is not None):
        raise InstanceError(f"there is no {key.predicate}; write one", outline.facts.where)


def _read_digits(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    value = table.get(key.name, object)
    if value is None:
        return
    words: list[Any] = value.split() if isinstance(value, str) else value if isinstance(value, list) else []
    spans = [_DIGITS.fullmatch(str(word)) for word in words]
    if not spans or not all(spans):
        raise table.wrong(key.name, shown(value), f"numbers of at most {_LONGEST_DIGIT} digits, such as 0..8, or 1 2 4")
    bounds = [(int(span[1]), int(span[2] or span[1])) for span in spans if span]
    digits = sorted({number for low, high in bounds for number in range(low, high + 1)})
    if any(low > high for low, high in bounds) or len(digits) < sum(high + 1 - low for low, high in bounds):
        raise table.error(
            f"{key.name}: {shown(value)} lists a number twice, or a larger one before a smaller one", key.name
        )
    table.digits = digits
    yield from ((key.fact, (number,), table.place(key.name)) for number in digits)


def _check_digits(key: Key, outline: KeyOutline) -> None:
    """Raise `InstanceError` for negative or long numbers, and if there are fewer than a row or a column has cells."""
    digits = outline.digits
    wrong = next((number for number in digits if not 0 <= number < 10**_LONGEST_DIGIT), None)
    if wrong is not None:
        message = f"{key.name}: {wrong} is out of range, expected 0 to {10**_LONGEST_DIGIT - 1}"
        raise InstanceError(message, outline.facts.place(key.fact, wrong))
    members = (
        ("region", len(cells))
        for other in outline.keys
        if other.kind.role == "regions"
        for cells in regions.cells(outline.values(other.fact)).values()
    )
    unit, most = max((("row", outline.columns), ("column", outline.rows), *members), key=lambda pair: pair[1])
    if digits and len(digits) < most:
        numbers = f"{len(digits)} number{'s' * (len(digits) > 1)}"
        message = f"{key.name}: {numbers} are not enough for a {unit} of {cell_count(most)}"
        raise InstanceError(message, outline.facts.first_place(key.predicates))


def _write_digits(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    return {key.name: digits_text(outline.digits)} if outline.digits else {}


def digits_text(digits: Iterable[int]) -> str:
    """Return numbers in ascending order as the value of a key: "0..8", "1..4 6..9", "1 2 4"."""
    spans: list[list[int]] = []
    for number in digits:
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    texts = (f"{span[0]}..{span[-1]}" if len(span) > 2 else " ".join(map(str, span)) for span in spans)
    return " ".join(texts)


def _read_patterns(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    for i, pattern in enumerate(table.strings(key.name) or (), 1):
        colors = grid_tokens(pattern)
        if not colors or not all(color.isprintable() for color in colors):
            message = f"{key.fact} {i} is {shown(pattern)}, expected a color a cell, such as 'wwb'"
            raise table.error(f"{key.name}: {message}", key.name)
        if "longest" in key.options:
            longest = key.options["longest"]
            table.defaults[longest] = max(len(colors), table.defaults.get(longest, 1))
        yield from ((key.fact, (i, j, color), table.place(key.name)) for j, color in enumerate(colors, 1))


def _check_patterns(key: Key, outline: KeyOutline) -> None:
    bound = next((other for other in outline.keys if other.name == key.option("longest")), None)
    longest = min((int(n) for (n,) in outline.facts.arguments(bound.fact)), default=None) if bound else None
    listed = grouped((int(i), int(j)) for i, j, _ in outline.facts.arguments(key.fact))
    for i, places in listed.items():
        if sorted(places) != [*range(1, len(places) + 1)]:
            place = outline.facts.place(key.fact, i, max(places))
            raise InstanceError(f"{key.fact} {i} has no cell 1 to {max(places)}", place)
        if longest is not None and len(places) > longest:
            message = f"{key.fact} {i} has {len(places)} cells, expected at most {longest}"
            raise InstanceError(f"{message} as {key.option('longest')} says", outline.facts.place(key.fact, i, 1))


def _write_sums(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    sums = {fact_name(region): total for region, total in outline.facts.arguments(key.fact)}
    return {key.name: sums} if sums else {}


def _possible_sums(key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    most = max(outline.rows, outline.columns)
    for region, members in regions.cells(outline.values(key.of(outline.keys).fact)).items():
        yield from ((to_symbol(region), value) for value in range(len(members) * most + 1))


def _draw_sums(key: Key, outline: KeyOutline) -> KeyLayer:
    sums = {fact_name(region): str(value) for region, value in outline.facts.arguments(key.fact)}
    corners = {}
    for cell, region in sorted(outline.facts.names(key.of(outline.keys).fact).items()):
        if region in sums:
            corners[cell] = sums.pop(region)
    return KeyLayer(corners=corners)


def _write_number(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    numbers = [int(number) for (number,) in outline.facts.arguments(key.fact)]
    return {key.name: numbers[0]} if numbers else {}


def _write_patterns(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    patterns = grouped((i, fact_name(color)) for i, _, color in sorted(outline.facts.arguments(key.fact)))
    texts = [(" " if any(len(color) > 1 for color in colors) else "").join(colors) for colors in patterns.values()]
    return {key.name: texts} if texts else {}


SUMS = KeyKind(
    ("name", "number"),
    1,
    {"of": str, "unknown": bool},
    "sum",
    _read_sums,
    _write_sums,
    _draw_sums,
    check=_check_sums,
    possible=_possible_sums,
)
NUMBER = KeyKind(
    ("number",),
    0,
    {"range": str, "default": int, "usual": int},
    "total",
    _read_number,
    _write_number,
    role="general",
    check=_check_number,
)
DIGITS = KeyKind(
    ("number",),
    1,
    {},
    "digits",
    _read_digits,
    _write_digits,
    role="digits",
    check=_check_digits,
)
PATTERNS = KeyKind(
    ("number", "number", "name"),
    2,
    {"longest": str},
    "pattern",
    _read_patterns,
    _write_patterns,
    role="general",
    check=_check_patterns,
)
