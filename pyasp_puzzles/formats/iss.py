"""Strings of Interactive Sudoku Solver, alone or in its address: `.Thermo~R1C1~R1C2.Cage~10~R2C1~R2C2.~R3C3_5`.

    .NAME~ARGUMENT~CELL~CELL   one constraint; `.~R1C1_5` is a given, `.~R1C1_5_6` has several candidates
    .Shape~6x6 .NoBoxes .Jigsaw~00112...   the board
    .Shape~6x8~0-8 .RegionSize~9           its numbers, or how many there are; the cells of a box

A `variant.toml` has the name of its constraint, and words after it: `iss = "Modular 3"`.

- A number: the value of clues without one. `half`: our clues without one mean half the size.
- `9x9`: only boards of that size with the numbers 1 to 9 have it. `both`: clues mean the same from both ends.
- `-`: dashes separate groups.
- A key whose clues are tokens has a name for each; an arrow has a second name for heads of several cells.
- A variant without a key may have several names. One that several variants have means all of them; the last one is not
  for boards that have a key after `!`.
- The name `~` means candidates: all numbers, or those from the number after it in steps of two.
"""

from __future__ import annotations

import re
from itertools import combinations
from math import isqrt
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.grid import (
    EMPTY,
    OUTSIDE,
    Cell,
    all_cells,
    are_neighbors,
    cell_named,
    cell_place,
    check_grid_size,
    grid_at,
    grid_rows,
)
from pyasp_puzzles.boards.regions import boxes
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.formats.exchange import Can, Draft, draft_format
from pyasp_puzzles.formats.format import Text, refusal
from pyasp_puzzles.formats.lists import are_lines
from pyasp_puzzles.formats.sites import (
    Clue,
    ClueName,
    Clues,
    clue_names,
    clues_of,
    form_of,
)
from pyasp_puzzles.puzzles.declaration import variants_in
from pyasp_puzzles.puzzles.keys import outside
from pyasp_puzzles.puzzles.keys.grids import digits_text
from pyasp_puzzles.puzzles.keys.lines import key_line_text
from pyasp_puzzles.puzzles.keys.outside import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.model.puzzle import Variant

_SITE = "https://sigh.github.io/Interactive-Sudoku-Solver/?q="
_ADDRESS = re.compile(r"(?:https?://)?sigh\.github\.io/\S*?[?&]q=(?P<string>[^&\s]*)")
_STRING = re.compile(r"\.(?:[A-Za-z]+(?:[~.].*)?|~R\w+C\w+_.*|\.+[A-Za-z]+~.*)", re.DOTALL | re.IGNORECASE)
_SHORT_CELL = re.compile(r"R(\w)C(\w)", re.IGNORECASE)
_DIGITS = "0123456789abcdefghijklmnop"
_DIGITS_KEY = "digits"
# The puzzle whose regions are unknown, and the key of regions that are printed besides.
_CHAOS, _REGIONS = "chaos-construction", "extra_regions"
# What the strings call it.
_CHAOS_NAME = "chaosconstruction"
# Names of what is no variant, and of candidates in a declaration.
_SHAPE, _NO_BOXES, _JIGSAW, _REGION_SIZE = "shape", "noboxes", "jigsaw", "regionsize"
_LOOP, _CANDIDATES, _DIFFERENT = "LOOP", "~", "alldifferent"
# The size of a board and its numbers: 6x6, 6x8~0-7, 9x9~10.
_SHAPES = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:(\d{1,2})-)?(\d{1,2}))?(?:~sudoku)?")
# Words after a name in a declaration.
_HALF, _NINE, _BOTH_ENDS, _DASHED, _WITHOUT = "half", "9x9", "both", "-", "!"


def _declared(variants: Mapping[str, Variant]) -> list[ClueName]:
    return clue_names(
        variants, "iss", lambda word: word in {_HALF, _NINE, _BOTH_ENDS, _DASHED} or word.startswith(_WITHOUT)
    )


def _has_value(key: Key) -> bool:
    return bool(key.option("value")) and key.kind.tool != "pair"


def _usual(named: ClueName, numbers: int) -> str:
    """Return the value of our clues without one, given how many numbers there are; empty if they have none then."""
    return (
        str((numbers + 1) // 2) if _HALF in named.flags else "".join(named.words[:1]) if _has_value(named.key) else ""
    )


def _fits(named: ClueName, board: Draft) -> bool:
    """Return whether a board has the size that a variant needs."""
    return _NINE not in named.flags or (board.size == (9, 9) and _digits_of(board) == range(1, 10))


def _recognise(text: str) -> bool:
    """Return whether a text is a string of constraints, or an address with one."""
    clean = text.strip()[:200_000]
    # A line of a large Sudoku may begin with a dot and letters, too.
    return _ADDRESS.fullmatch(clean) is not None or (_STRING.fullmatch(clean) is not None and not are_lines(clean))


def _read(text: Text) -> Draft:
    """Return the board of a string."""
    content = text.text.strip()
    match = _ADDRESS.fullmatch(content)
    content = unquote(match["string"]) if match else content
    parts = [part.strip().split("~") for part in content.split(".") if part.strip()]
    size, digits, cells_of_box, boxed = (9, 9), range(1, 10), 0, True
    for name, *arguments in parts:
        if name.lower() == _SHAPE:
            size, digits = _shape("~".join(arguments).strip())
        elif name.lower() == _REGION_SIZE:
            cells_of_box = int(arguments[0])
        boxed &= name.lower() != _NO_BOXES
    check_grid_size(*size)
    boxes_ = (_boxes(size, cells_of_box or max(size)) if boxed else None) or {}
    board = _Constraints(size, digits, boxes_, variants_in(text.puzzles))
    if any(name.lower() == _CHAOS_NAME for name, *_ in parts):
        board.chaos = {}
    for name, *arguments in parts:
        board.add(name.lower(), arguments)
    if board.chaos is not None:
        return _chaos_construction(board, text)
    region_of = board.regions or boxes(1, size[1], size)
    usual = _are_usual(size, digits) and regions.are_latin(region_of)
    keys = board.found.keys | ({} if usual else {_DIGITS_KEY: digits_text(digits)})
    return Draft(board.givens, region_of, variants=board.found.names, keys=keys)


def _shape(text: str) -> tuple[tuple[int, int], range]:
    """Return the rows and columns of a board, and its numbers: 1 to the longer side, unless the text says others."""
    match = _SHAPES.fullmatch(text.lower())
    if not match:
        raise InstanceError(f"the shape {shown(text)} is no board of a Sudoku, such as 6x8~0-7")
    size = int(match[1]), int(match[2])
    return size, range(int(match[3] or 1), int(match[4] or max(size)) + 1)


def _are_usual(size: tuple[int, int], digits: range) -> bool:
    """Return whether a board is square and has the numbers 1 to n."""
    return size[0] == size[1] and digits == range(1, size[0] + 1)


def _digits_of(board: Draft) -> range:
    """Return the numbers of a board.

    Raises:
        InstanceError: there are gaps between them.
    """
    digits = board.instance.outline.digits if board.instance else ()
    if digits and len(digits) != digits[-1] - digits[0] + 1:
        raise refusal("iss", f"a board with the digits {digits_text(digits)}", able="digits without gaps")
    return range(digits[0], digits[-1] + 1) if digits else range(1, max(board.size) + 1)


def _boxes(size: tuple[int, int], cells: int) -> dict[Cell, str] | None:
    """Return the boxes of so many cells: as near to squares as fit, flat ones first; None if there are none."""
    for short in range(isqrt(cells), 1, -1):
        for high, wide in ((short, cells // short), (cells // short, short)):
            if short * (cells // short) == cells and not size[0] % high and not size[1] % wide:
                return boxes(high, wide, size)
    return None


def _chaos_construction(board: _Constraints, text: Text) -> Draft:
    """Return the board of a Chaos Construction, whose regions are unknown; boxes and a jigsaw are regions besides.

    Raises:
        InstanceError: it is not square, or has other numbers than 1 to n.
    """
    if not _are_usual(board.size, board.digits):
        raise InstanceError("pyasp has a Chaos Construction only of n x n cells with the numbers 1 to n")
    cells = all_cells(*board.size)
    rows = grid_rows({cell: str(board.givens.get(cell, EMPTY)) for cell in cells}, cells, OUTSIDE)
    keys: dict[str, object] = {"givens": grid_at(rows, text.where), **board.found.keys}
    if board.regions:
        printed = {cell: str(name) for cell, name in board.regions.items()}
        more = [key_line_text(region) for region in regions.cells(printed).values()]
        keys[_REGIONS] = [*board.found.keys.get(_REGIONS, []), *more]
    keys |= {name: [*dict.fromkeys(lines)] for name, lines in (board.chaos or {}).items()}
    keys |= {"variants": [*board.found.names]} if board.found.names else {}
    return Draft(keys=keys, puzzle=_CHAOS, cells=cells)


class _Constraints:
    """A board while its constraints are read."""

    def __init__(
        self, size: tuple[int, int], digits: range, boxes_: dict[Cell, str], variants: Mapping[str, Variant]
    ) -> None:
        self.size, self.digits = size, digits
        self.found = Clues(size, variants)
        self.regions = boxes_
        self.givens: dict[Cell, int] = {}
        self.chaos: dict[str, list[str]] | None = None
        """The clues about regions of a Chaos Construction, by key; None of other boards."""
        self.known: dict[str, list[ClueName]] = {}
        """The variants of each name, in lower case."""
        for one in reversed(_declared(variants)):
            further = one.words if not one.variant.keys or one.key.option("tokens") or one.key.option("head") else ()
            for name in (one.name, *further):
                self.known.setdefault(name.lower(), []).append(one)

    def add(self, name: str, arguments: list[str]) -> None:
        """Add a constraint."""
        prefixed = f"{name}~{arguments[0].lower()}" if arguments else name
        if not name:
            self._given(arguments)
        elif name == _CHAOS_NAME:
            return
        elif name.startswith("chaos") or any(word.upper().startswith("CC") for word in arguments):
            self._about_regions(name, arguments)
        elif name == _JIGSAW:
            self._jigsaw(arguments[-1])
        elif name in self.known or prefixed in self.known:
            for named in self.known[name if name in self.known else prefixed]:
                if named.variant.keys:
                    self._clue(named, name, arguments if name in self.known else arguments[1:])
                else:
                    self.found.variants.append(named.variant.name)
        elif name not in {_SHAPE, _REGION_SIZE, _NO_BOXES}:
            raise InstanceError(f"pyasp does not know the constraint {shown(name)} of Interactive Sudoku Solver")

    def _jigsaw(self, layout: str) -> None:
        """Add pieces: those of too few or too many cells are none. Where there are boxes, too, pieces are groups."""
        members = regions.cells(dict(zip(all_cells(*self.size), layout, strict=True)))
        pieces = [cells for cells in members.values() if max(self.size) <= len(cells) <= len(self.digits)]
        if len(pieces) < len(members) - 1:
            raise InstanceError(f"the pieces of the jigsaw have not {max(self.size)} to {len(self.digits)} cells")
        if self.regions:
            for cells in pieces:
                self.found.add(self.known[_DIFFERENT][0].key, cells)
        elif len(members) > 1:
            names = {cell: str(name) for name, cells in enumerate(pieces, 1) for cell in cells}
            others = {cell: f"-{cell}" for cell in all_cells(*self.size) if cell not in names}
            self.regions = regions.numbered(names | others)

    def _given(self, arguments: Iterable[str]) -> None:
        for argument in arguments:
            name, *values = argument.split("_")
            cell, numbers = self._cell(name), sorted(map(int, values))
            if len(numbers) == 1:
                self.givens[cell] = numbers[0]
                continue
            every = sorted(self.known[_CANDIDATES], key=lambda named: not named.words)
            named = next(named for named in every if not named.words or numbers == _candidates(named, self.digits))
            self.found.add(named.key, [cell], value="" if named.words else " ".join(map(str, numbers)))

    def _about_regions(self, name: str, arguments: Sequence[str]) -> None:
        """Add a clue about the unknown regions of a Chaos Construction; CC12 is that of the 12th cell.

        Raises:
            InstanceError: it is another clue about them, or the board is none.
        """
        first, parts = arguments[0], [part for part in " ".join(arguments[2:]).split(" - ") if part]
        groups = [self._cells(part.split()) for part in parts]
        if self.chaos is not None and name == "samevalues" and len(arguments) == 1 + int(first):
            key, line = "same_regions", key_line_text(self._cells(arguments[1:]))
        elif self.chaos is not None and name == "chaoscount" and arguments[1:2] in ([], [""], ["0"]):
            cells = groups[0] if groups else self._around(self._cell(first))
            key, line = "region_counts", f"{key_line_text(self._cells([first]))} > {key_line_text(cells)}"
        elif self.chaos is not None and name == "chaosarrow" and arguments[1:2] in ([], [""], ["0"]):
            arms = groups or self._four_arms(self._cell(first))
            key, line = "region_arrows", " = ".join(map(key_line_text, [self._cells([first]), *arms]))
        else:
            message = f"pyasp does not know {shown('~'.join([name, *arguments])[:40])} of Interactive Sudoku Solver"
            raise InstanceError(f"{message}, a clue about the regions of a Chaos Construction")
        self.chaos.setdefault(key, []).append(line)

    def _around(self, cell: Cell) -> list[Cell]:
        """Return a cell, and then those that touch it."""
        every = all_cells(*self.size)
        near = [one for one in every if max(abs(one[0] - cell[0]), abs(one[1] - cell[1])) == 1]
        return [cell, *near]

    def _four_arms(self, cell: Cell) -> list[list[Cell]]:
        """Return the cells to the left, to the right, above and below a cell, each with this cell first."""
        r, c, rows, columns = *cell, *self.size
        across = [[(r, x) for x in range(c, 0, -1)], [(r, x) for x in range(c, columns + 1)]]
        return [*across, [(y, c) for y in range(r, 0, -1)], [(y, c) for y in range(r, rows + 1)]]

    def _clue(self, named: ClueName, name: str, arguments: list[str]) -> None:
        key, form = named.key, form_of(named.key)
        value = ""
        if _has_value(key):
            value = "".join(named.words[:1]) if _cell_named(arguments[0]) else arguments.pop(0)
            value = "" if value == _usual(named, len(self.digits)) else value
        if form == "pair":
            names = [spelled.lower() for spelled in (named.name, *named.words)]
            tokens = key.option("tokens")
            value = tokens[names.index(name)] if tokens else key.option("default", "")
        elif form == "corner":
            value = " ".join(word for word in arguments if word.isdigit())
        for *groups, clue_value in self._groups(form, name == named.name.lower(), arguments):
            open_ = bool(key.option("closed")) and arguments[-1].upper() != _LOOP and len(groups[0]) > 2
            if open_ and groups[0][0] == groups[0][-1]:  # there, the cell counts twice; for us, this is a loop
                message = f"the line of {shown(name)} leads back to its first cell, {shown(arguments[0])}"
                raise InstanceError(f"{message}; pyasp reads such a line only with LOOP in place of its last cell")
            self.found.add(key, *groups, value=clue_value or value)

    def _groups(self, form: str, first: bool, arguments: list[str]) -> Iterator[list[Any]]:  # noqa: C901, FBT001 (a branch for each form)
        """Yield the groups of cells of each clue of a constraint of a form, and its value if it has its own."""
        if form == "labels":
            if arguments[0][0] not in "RCrc":  # one clue for both ends
                arguments = [arguments[1], arguments[0]]
            line, sides = int(arguments[0][1:], 36), {"C": SIDES[:2], "R": SIDES[2:]}[arguments[0][0].upper()]
            for side, value in zip(sides[: len(arguments) - 1], arguments[1:], strict=True):
                yield [[outside.place(side, line, self.size)], value]
        elif form == "diagonals":
            cell = self._cell(arguments[1])
            step = next((step for step, first in _starts(self.size) if first == cell), None)
            if step is None:
                raise InstanceError(f"no diagonal begins at {shown(arguments[1])}")
            yield [[(cell[0] - step[0], cell[1] - step[1])], [cell], arguments[0]]
        elif form == "groups":
            yield [*self._parts(arguments), ""]
        elif form == "heads":
            # A pill of several cells is read from left to right, row by row.
            heads, cells = (1, self._cells(arguments)) if first else (int(arguments[0]), self._cells(arguments[1:]))
            yield [sorted(cells[:heads]), cells[heads:], ""]
        elif form == "pair":
            near = [pair for pair in combinations(self._cells(arguments), 2) if are_neighbors(pair)]
            if not near:
                raise InstanceError(f"no two cells of {shown('~'.join(arguments))} share an edge")
            yield from ([[*pair], ""] for pair in near)
        elif arguments[-1].upper() == _LOOP:
            yield [self._cells([*arguments[:-1], arguments[0]]), ""]
        else:
            yield [self._cells(word for word in arguments if not (form == "corner" and word.isdigit())), ""]

    def _parts(self, arguments: list[str]) -> list[list[Cell]]:
        """Return groups of cells, which have dashes between them, or are so many of one size."""
        if "-" in arguments:
            return [self._cells(part.split("~")) for part in "~".join(arguments).split("~-~")]
        count, cells = int(arguments[0]), self._cells(arguments[1:])
        wide, rest = divmod(len(cells), count)
        if rest:
            raise InstanceError(f"{len(cells)} cells make no {count} groups of one size")
        return [cells[i * wide : (i + 1) * wide] for i in range(count)]

    def _cells(self, names: Iterable[str]) -> list[Cell]:
        return [*map(self._cell, names)]

    def _cell(self, name: str) -> Cell:
        index = re.fullmatch(r"CC(\d{1,3})", name, re.IGNORECASE) if self.chaos is not None else None
        rows, columns = self.size
        row, column = divmod(int(index[1]) - 1 if index else 0, columns)
        cell = (row + 1, column + 1) if index else _cell_named(name)
        if cell is None or not (0 < cell[0] <= rows and 0 < cell[1] <= columns):
            raise InstanceError(f"{shown(name)} is not a cell of a board of {rows}x{columns}, such as R1C1")
        return cell


def _candidates(named: ClueName, digits: range) -> list[int]:
    return [number for number in digits if number % 2 == int(named.words[0]) % 2]


def _starts(size: tuple[int, int]) -> Iterator[tuple[Cell, Cell]]:
    """Yield the step of each diagonal of several cells and its first cell; each diagonal has one only."""
    rows, columns = size
    ends = [((1, 1), (r, 1)) for r in range(1, rows)]
    ends += [((-1, -1), (r, columns)) for r in range(2, rows)]
    ends += [((1, -1), (1, c)) for c in range(2, columns + 1)]
    ends += [((-1, 1), (rows, c)) for c in range(2, columns)]
    passed = set[tuple[Cell, Cell]]()
    for step, first in ends:
        last = _last(first, step, size)
        if first != last and (last, first) not in passed:
            passed.add((first, last))
            yield step, first


def _last(first: Cell, step: Cell, size: tuple[int, int]) -> Cell:
    """Return the last cell of the diagonal that begins with a cell."""
    steps = min(most - at if way > 0 else at - 1 for at, way, most in zip(first, step, size, strict=True))
    return first[0] + steps * step[0], first[1] + steps * step[1]


def _cell_named(name: str) -> Cell | None:
    """Return the cell of a name, in which letters are the numbers from 10 on, RACB; None if it names no cell."""
    digits = _SHORT_CELL.fullmatch(name)
    return cell_named("r{}c{}".format(*(_DIGITS.find(digit.lower()) for digit in digits.groups())) if digits else name)


# -- Writing -------------------------------------------------------------------------------------


def _name(cell: Cell) -> str:
    return f"R{_DIGITS[cell[0]]}C{_DIGITS[cell[1]]}"


def _says(board: Draft, variant: Variant) -> bool:
    """Return whether a variant of a board has a name here."""
    if variant.keys:
        return any(_fits(named, board) for named in _declared({variant.name: variant}))
    return "diagonals" in variant.formats or variant.name in _names(board)


def _names(board: Draft) -> dict[str, str]:
    """Return the names of the variants without keys that a board has, by variant; those of several come first."""
    means: dict[str, set[str]] = {}
    for named in _declared(board.known):
        without = {flag.removeprefix(_WITHOUT) for flag in named.flags if flag.startswith(_WITHOUT)} & board.keys.keys()
        names = [named.name, *named.words] if _fits(named, board) and not named.variant.keys else []
        for name in names[:-1] if without else names:
            means.setdefault(name, set()).add(named.variant.name)
    used, by_variant = {variant.name for variant in board.used}, dict[str, str]()
    for name in sorted(means, key=lambda name: -len(means[name])):
        if means[name] <= used - by_variant.keys():
            by_variant |= dict.fromkeys(means[name], name)
    return by_variant


def _write(board: Draft) -> str:
    """Return the address of a board."""
    size, digits = board.size, _digits_of(board)
    if max(size) >= len(_DIGITS):
        raise InstanceError(f"iss has boards of at most {len(_DIGITS) - 1}x{len(_DIGITS) - 1}")
    if digits[0] > 1 or digits[-1] >= len(_DIGITS):
        raise refusal(
            "iss", f"a board with the digits {digits_text(digits)}", able=f"0 or 1 to at most {len(_DIGITS) - 1}"
        )
    shape = [f"{size[0]}x{size[1]}"]
    if digits != range(1, max(size) + 1):
        shape.append(f"0-{digits[-1]}" if digits[0] == 0 else str(len(digits)))
    parts = [] if shape == ["9x9"] else [[_SHAPE.capitalize(), *shape]]
    parts += _written_regions(size, regions.numbered(board.regions))
    parts += [name.split("~") for name in dict.fromkeys(_names(board).values())]
    for named in _declared(board.known):
        for clue in clues_of(board, named.key) if named.variant.keys and named.key.name in board.keys else ():
            parts += _written(board, named, clue)
    if board.givens:
        parts.append(["", *(f"{_name(cell)}_{value}" for cell, value in board.givens.items())])
    return _SITE + quote("".join(f".{'~'.join(part)}" for part in parts) or ".", safe=".~_-,")


def _written_regions(size: tuple[int, int], region_of: Mapping[Cell, str]) -> list[list[str]]:
    """Return the constraints that make regions: usual boxes, boxes of another size, none, or pieces of a jigsaw."""
    if region_of == _boxes(size, max(size)):
        return []
    if region_of == boxes(1, size[1], size):
        return [["NoBoxes"]]
    cells = sum(name == "1" for name in region_of.values())
    if region_of == _boxes(size, cells):
        return [["RegionSize", str(cells)]]
    if len({*region_of.values()}) > len(_DIGITS):
        raise refusal("iss", f"{len({*region_of.values()})} regions", able=f"{len(_DIGITS)} of them")
    # Cells that are in no piece have one name together.
    alone = {cells[0] for cells in regions.cells(region_of).values() if len(cells) == 1}
    names = regions.numbered({cell: "" if cell in alone else name for cell, name in region_of.items()})
    return [["NoBoxes"], ["Jigsaw", "".join(_DIGITS[int(name) - 1] for name in names.values())]]


def _written(board: Draft, named: ClueName, clue: Clue) -> list[list[str]]:  # noqa: PLR0911 (a line for each form)
    key, size, values = named.key, board.size, [*clue.values]
    if named.name == _CANDIDATES:
        values = values or [*map(str, _candidates(named, _digits_of(board)))]
        return [["", "_".join([_name(cell), *values])] for cell in clue.cells]
    form = form_of(key)
    if form == "labels":
        return [_written_label(named, size, clue)]
    if form == "diagonals":
        return [[named.name, *values, _name(_start(size, clue))]]
    groups = [[*map(_name, group)] for group in clue.groups]
    if form == "pair":
        tokens = key.option("tokens")
        if not tokens and values and values != [str(key.option("default"))]:
            raise refusal("iss", f"{key.name} with a value", able="without")
        return [[[named.name, *named.words][tokens.index(values[0])] if tokens else named.name, *groups[0]]]
    if form == "heads":
        head, line = groups
        pill = [*named.words, str(len(head)), *head, *line]
        return [[named.name, _name(clue.shaft[0]), *line] if len(head) == 1 else pill]
    if form == "groups" and _DASHED in named.flags:
        return [[named.name, *"~-~".join("~".join(group) for group in groups).split("~")]]
    if form == "groups":
        return [[named.name, str(len(groups)), *(name for group in groups for name in group)]]
    cells = groups[0]
    if form == "corner":
        return [[named.name, *cells, *values]]
    cells = [*cells[:-1], _LOOP] if len(cells) > 2 and cells[0] == cells[-1] else cells
    return [[*named.name.split("~"), *(values or [*filter(None, [_usual(named, len(_digits_of(board)))])]), *cells]]


def _ends(size: tuple[int, int], clue: Clue) -> list[Cell]:
    """Return the first and the last cell of a diagonal, sorted."""
    (place,), (first,) = clue.groups
    return sorted([first, _last(first, (first[0] - place[0], first[1] - place[1]), size)])


def _start(size: tuple[int, int], clue: Clue) -> Cell:
    """Return the end of a diagonal at which its clue is here."""
    (place,), (first,) = clue.groups
    starts = {cell: step for step, cell in _starts(size)}
    low, high = _ends(size, clue)
    last = high if first == low else low
    start = first if starts.get(first) == (first[0] - place[0], first[1] - place[1]) else last
    if low == high and last not in starts:
        raise refusal("iss", f"the little killer that begins at {cell_place(first)}")
    return start


def _alike(draft: Draft, name: str, value: Any) -> Any:  # noqa: ANN401 (values of all keys)
    """Return the value of a key so that clues from both ends of a line are equal, without single candidates."""
    single = {cell for cell, numbers in draft.candidates.items() if len(numbers) == 1}
    if isinstance(value, dict) and single:
        value = {place: word for place, word in value.items() if place not in single} or None
    named = next((named for named in _declared(draft.known) if named.variant.keys and named.key.name == name), None)
    if named and value and form_of(named.key) == "diagonals":
        clues = clues_of(draft._replace(keys={name: value}), named.key)
        return sorted((_ends(draft.size, clue), *clue.values) for clue in clues)
    if named and value and _BOTH_ENDS in named.flags:
        return {(side in SIDES[:2], i): word for (side, i, _), word in value.items()}
    return value


def _written_label(named: ClueName, size: tuple[int, int], clue: Clue) -> list[str]:
    """Return a clue outside the board: of a row or a column, from its first end, its other end, or both alike."""
    end, i = outside.lines_by_place(size).get(clue.cells[0], ("", 0))
    line, far = f"{'C' if end in SIDES[:2] else 'R'}{_DIGITS[i]}", end in {"bottom", "right"}
    if _BOTH_ENDS not in named.flags:
        return [named.name, line, *[""] * far, *clue.values]
    return [named.name, *clue.values, line]


FORMAT = draft_format(
    "iss",
    "strings and addresses of Interactive Sudoku Solver: Sudoku, also jigsaws and variants",
    _recognise,
    _read,
    _write,
    can=Can(says=_says, digits=True),
    alike=_alike,
    line=True,
)
