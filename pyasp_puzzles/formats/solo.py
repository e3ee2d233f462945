"""Game IDs of Solo, in Simon Tatham's Portable Puzzle Collection: usual boxes, jigsaws, X, and killer cages.

3x3:NUMBERS       boxes of 3 rows and 3 columns; letters skip 1 to 26 cells, `_` separates two numbers
9j:NUMBERS,WALLS  a jigsaw; letters skip 1 to 25 edges, `_` is an edge with a wall, as is the end of a letter except z
3x3x:NUMBERS      X: the two diagonals hold every number as well
3x3k:NUMBERS,CAGES,SUMS  killer: walls of the cages, and sums in their first cells
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import Cell, all_cells, neighbor_pairs
from pyasp_puzzles.boards.regions import box_size, boxes, cells_by_region, regions_of_walls
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.formats import tatham
from pyasp_puzzles.formats.codings import read_numbers, read_runs, write_numbers, write_runs
from pyasp_puzzles.formats.exchange import Can, Draft, cages_key, draft_format
from pyasp_puzzles.formats.format import Text, refusal
from pyasp_puzzles.puzzles.keys.lines import key_line_text
from pyasp_puzzles.puzzles.variant import shipped_variants

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyasp_puzzles.model.puzzle import Variant

# The largest side of Solo.
_LONGEST_SOLO = 31

_ID = re.compile(
    r"(?:https?://\S*?/solo\.html#)?(?:[Ss]olo:)?(?P<a>[1-9]\d?)(?:x(?P<b>[1-9]\d?))?(?P<flags>[jxk]*)[a-z0-9]{0,12}"
    r"(?P<mark>[:#])(?P<description>\S+)"
)


def _recognise(text: str) -> bool:
    """Return whether a text is a game ID of Solo, or looks like one of another game."""
    return _ID.fullmatch(text.strip()) is not None


def _read(text: Text) -> Draft:
    """Return the board of a game ID."""
    match = _ID.fullmatch(text.text.strip())
    if match is None:
        raise InstanceError("this is not a game ID of Solo, such as 3x3:... or 9j:...")
    if match["mark"] == "#":
        raise InstanceError("this is a random seed, which needs the program Solo; copy its game ID, which has a colon")
    high, flags = int(match["a"]), match["flags"]
    jigsaw = "j" in flags or match["b"] == "1"
    wide = int(match["b"] or (1 if jigsaw else high))
    side = high * wide
    if side > _LONGEST_SOLO:
        raise InstanceError(f"a Solo of {side}x{side} is too large; Solo has at most {_LONGEST_SOLO}x{_LONGEST_SOLO}")
    cells = all_cells(side, side)
    parts = match["description"].split(",")
    expected = 1 + jigsaw + 2 * ("k" in flags)
    if len(parts) != expected:
        raise InstanceError(f"the game ID has {len(parts)} parts between commas; this kind has {expected}")
    givens = _numbers(parts.pop(0), cells)
    regions = _regions(parts.pop(0), side) if jigsaw else boxes(high, wide)
    keys: dict[str, object] = {}
    if "k" in flags:
        cage_of = _regions(parts.pop(0), side)
        sums = _numbers(parts.pop(0), cells)
        keys[cages_key().name] = [
            key_line_text(sorted(members), next((sums[cell] for cell in members if cell in sums), None))
            for members in cells_by_region(cage_of).values()
        ]
    variants = tuple(one.name for one in shipped_variants().values() if "x" in flags and _is_x(one))
    return Draft(givens, regions, variants=variants, keys=keys)


def _is_x(variant: Variant) -> bool:
    """Return whether a variant is that of both diagonals."""
    return variant.formats.get("diagonals") == "both"


def _numbers(text: str, cells: Sequence[Cell]) -> dict[Cell, int]:
    found, rest = read_numbers(text, len(cells), "numbers")
    if rest:
        raise InstanceError(f"{shown(rest)} follows the numbers of all cells: copy the text alone")
    return {cells[i]: number for i, number in found.items()}


def _edges(side: int) -> list[tuple[Cell, Cell]]:
    """Return pairs of neighbours in Solo's order: side by side row by row, then one above the other by columns."""
    beside, above = neighbor_pairs(side, side)
    return beside + sorted(above, key=lambda pair: pair[0][::-1])


def _regions(text: str, side: int) -> Mapping[Cell, str]:
    edges = _edges(side)
    return regions_of_walls(all_cells(side, side), {edges[i] for i in read_runs(text, len(edges), "x", "walls")})


def _write(board: Draft) -> str:
    """Return the game ID of a board."""
    side, _ = board.size
    if side > _LONGEST_SOLO:
        longest = f"{_LONGEST_SOLO}x{_LONGEST_SOLO}"
        raise InstanceError(f"solo has Sudokus of at most {longest}, and this one is {side}x{side}")
    box = box_size(board.regions)
    jigsaw = box is None or 1 in box
    size = f"{side}j" if jigsaw or box is None else f"{box[0]}x{box[1]}"
    cages = board.lines_of(cages_key().name)
    flags = ("x" if board.variants else "") + ("k" if cages else "")
    cage_of = {cell: str(i) for i, cage in enumerate(cages) for cell in cage.groups[0]}
    if cages and cage_of.keys() != board.regions.keys():
        raise refusal("solo", "cages that leave cells out", able="cages of all cells")
    sums = {min(cage.groups[0]): int(cage.values[0]) for cage in cages if cage.values}
    of = [*([board.regions] if jigsaw else []), *([cage_of] if cages else [])]
    walls = [write_runs(("x" if one[a] != one[b] else None for a, b in _edges(side)), "x") for one in of]
    givens, totals = (write_numbers(map(numbers.get, board.places())) for numbers in (board.givens, sums))
    return f"{size}{flags}:{','.join([givens, *walls, *([totals] if cages else [])])}"


_SOLO = draft_format(
    "solo",
    "game IDs of Simon Tatham's Solo: Sudoku, also jigsaws, diagonals and killer cages",
    _recognise,
    _read,
    _write,
    can=Can(jigsaw=True, scattered=False, says=lambda _, one: _is_x(one) or cages_key() in one.keys),
    line=True,
)
# An ID does not say of which game it is; the user may.
FORMAT = _SOLO._replace(read=lambda text: (tatham.FORMAT if tatham.is_other_tatham_game(text) else _SOLO).read(text))
