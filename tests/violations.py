"""Which instances of its puzzle's rules a full or partly filled board breaks, in plain Python, from the rules alone.

A rule is broken that does not hold, and cannot hold any more whatever is filled in where nothing stands yet.

Broken   {"once(row(1),3)": {(1, 2), (1, 5)}}: the name of a rule, as the encodings name it, and the cells that break it
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product

from . import rules
from .rules import Cell, Laying, Line, Values
from .strategies import NumberBoard, StrataBoard, StripsBoard

Broken = dict[str, "set[Cell]"]
LINES = {"row": "row", "column": "col"}


def _once(name: str, cells: set[Cell], numbers: int, values: Values) -> Broken:
    """Return the numbers that a unit has twice, or that a full unit has not at all; then all of its cells are wrong."""
    found: Broken = {}
    for number in range(1, numbers + 1):
        holding = {cell for cell in cells if values.get(cell) == number}
        if len(holding) > 1 or (not holding and cells <= values.keys()):
            found[f"once({name},{number})"] = holding or cells
    return found


def _cells(largest: Mapping[Cell, int], givens: Mapping[Cell, int], values: Values) -> Broken:
    """Return the cells that hold what is not a number of theirs, and the givens that are overwritten."""
    wrong = {cell for cell, value in values.items() if not 1 <= value <= largest[cell]}
    changed = {cell for cell, value in givens.items() if values.get(cell, value) != value}
    named = {f"cell({r},{c})": {(r, c)} for r, c in wrong}
    return named | {f"given({r},{c})": {(r, c)} for r, c in changed}


def strimko(board: NumberBoard, values: Values) -> Broken:
    """Return what a Strimko or Sudoku breaks: each row, column and stream holds each number once."""
    n = max(r for r, _ in board.regions)
    units = {f"row({i})": {(i, c) for c in range(1, n + 1)} for i in range(1, n + 1)}
    units |= {f"col({i})": {(r, i) for r in range(1, n + 1)} for i in range(1, n + 1)}
    units |= {f'stream("{name}")': cells for name, cells in rules.members(board.regions).items()}
    broken = _cells(dict.fromkeys(board.regions, n), board.givens, values)
    for name, cells in units.items():
        broken |= _once(name, cells, n, values)
    return broken


def tectonic(board: NumberBoard, values: Values) -> Broken:
    """Return what a Tectonic breaks: a block of n cells holds 1..n once each, no two cells of a square are equal."""
    blocks = rules.members(board.regions)
    largest = {cell: len(blocks[block]) for cell, block in board.regions.items()}
    broken = _cells(largest, board.givens, values)
    for name, cells in blocks.items():
        broken |= _once(f'block("{name}")', cells, len(cells), values)
    rows, columns = max(r for r, _ in largest), max(c for _, c in largest)
    pairs = set()  # a pair in two squares is told once
    for r, c in product(range(1, rows + 1), range(1, columns + 1)):
        square = set(product((r, r + 1), (c, c + 1)))
        for number in set(values.values()):
            holding = {cell for cell in square if values.get(cell) == number}
            if len(holding) > 1 and (number, frozenset(holding)) not in pairs:
                pairs.add((number, frozenset(holding)))
                broken[f"touch({r},{c},{number})"] = holding
    return broken


def strata(board: StrataBoard, laying: Laying) -> Broken:
    """Return the ribbons that would need two colors; a line that is not laid yet may go beneath all others."""
    broken: Broken = {}
    heights: dict[Line, int] = {(name, index): i for i, (name, index, _) in enumerate(laying)}
    for name, index, said in laying:
        tops = {}
        for (r, c), color in board.tiles.items():
            row, column = ("row", r), ("column", c)
            line, other = (row, column) if name == "row" else (column, row)
            if line == (name, index) and heights.get(other, len(laying)) < heights[line]:
                tops[r, c] = color
        if len({*tops.values(), *([said] if said else [])}) > 1:
            broken[f"color({LINES[name]}({index}))"] = {cell for cell, color in tops.items() if color != said}
    return broken


def pattern(colors: Sequence[str]) -> str:
    """Return the name of a strip's pattern: its colors, one in the other, read from the end that gives the lesser."""
    name = "()"
    for color in reversed(min(tuple(colors), tuple(reversed(colors)))):
        name = f'("{color}",{name})'
    return name


def strips(board: StripsBoard, cut: Sequence[Sequence[Cell]]) -> Broken:
    """Return what a board cut in part breaks: strips too long, strips that overlap, and alike ones.

    Or, where strips are listed, those that are there too often, or for which there is no room left.
    """
    broken: Broken = {}
    for strip in cut:
        if len(strip) > board.longest:
            (r, c), down = strip[0], len(strip) > 1 and strip[0][1] == strip[1][1]
            broken[f"fit({r},{c},{'down' if down else 'right'},{len(strip)})"] = set(strip)
    covered = Counter(cell for strip in cut for cell in strip)
    broken |= {f"cover({r},{c})": {(r, c)} for (r, c), times in covered.items() if times > 1}
    fitting = [strip for strip in cut if len(strip) <= board.longest]
    used = Counter(pattern([board.tiles[cell] for cell in strip]) for strip in fitting)
    if board.listed is None:
        wrong = {f"alike({name})": name for name, times in used.items() if times > 1}
    else:
        wanted = Counter(map(pattern, board.listed))
        free = {cell: color for cell, color in board.tiles.items() if cell not in covered}
        room = Counter(pattern([free[cell] for cell in strip]) for strip in _lying(free, board.longest))
        known = used.keys() | wanted.keys()
        wrong = {f"stock({p})": p for p in known if not used[p] <= wanted[p] <= used[p] + room[p]}
    for rule, name in wrong.items():
        alike = [strip for strip in fitting if pattern([board.tiles[cell] for cell in strip]) == name]
        broken[rule] = {cell for strip in alike for cell in strip}
    return broken


def _lying(cells: Mapping[Cell, str], longest: int) -> list[list[Cell]]:
    """Return every strip that may lie on some cells; one of a single cell is there once."""
    found = []
    for (r, c), (y, x), length in product(cells, ((0, 1), (1, 0)), range(1, longest + 1)):
        strip = [(r + i * y, c + i * x) for i in range(length)]
        if cells.keys() >= set(strip) and not (length == 1 and y):
            found.append(strip)
    return found
