"""Strings of Interactive Sudoku Solver, alone or in its address: `.Thermo~R1C1~R1C2.Cage~10~R2C1~R2C2.~R3C3_5`.

    .NAME~ARGUMENT~CELL~CELL   one constraint; `.~R1C1_5` is a given, `.~R1C1_5_6` has several candidates
    .Shape~6x6 .NoBoxes .Jigsaw~00112...   the board

A `variant.toml` has the name of its constraint, and words after it: `iss = "Modular 3"`.

- A number: the value of clues without one. `half`: our clues without one mean half the size.
- `9x9`: only boards of that size have it. `both`: clues mean the same from both ends. `-`: dashes separate groups.
- A key whose clues are tokens has a name for each; an arrow has a second name for heads of several cells.
- A variant without a key may have several names. One that several variants have means all of them; the last one is not
  for boards that have a key after `!`.
- The name `~` means candidates: all numbers, or those from the number after it in steps of two.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.grid import Cell, all_cells, are_neighbors, cell_named, cell_place, check_grid_size
from pyasp_puzzles.boards.regions import boxes, flat_boxes
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
from pyasp_puzzles.puzzles.keys.outside import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.model.puzzle import Variant

_SITE = "https://sigh.github.io/Interactive-Sudoku-Solver/?q="
_ADDRESS = re.compile(r"(?:https?://)?sigh\.github\.io/\S*?[?&]q=(?P<string>[^&\s]*)")
_STRING = re.compile(r"\.(?:[A-Za-z]+(?:[~.].*)?|~R\w+C\w+_.*)", re.DOTALL | re.IGNORECASE)
_SHORT_CELL = re.compile(r"R(\w)C(\w)", re.IGNORECASE)
_DIGITS = "0123456789abcdefghijklmnop"
# Names of what is no variant, and of candidates in a declaration.
_SHAPE, _NO_BOXES, _JIGSAW, _LOOP, _CANDIDATES = "shape", "noboxes", "jigsaw", "LOOP", "~"
# Words after a name in a declaration.
_HALF, _NINE, _BOTH_ENDS, _DASHED, _WITHOUT = "half", "9x9", "both", "-", "!"


def _declared(variants: Mapping[str, Variant]) -> list[ClueName]:
    return clue_names(
        variants, "iss", lambda word: word in {_HALF, _NINE, _BOTH_ENDS, _DASHED} or word.startswith(_WITHOUT)
    )


def _has_value(key: Key) -> bool:
    return bool(key.option("value")) and key.kind.tool != "pair"


def _usual(named: ClueName, side: int) -> str:
    """Return the value of our clues without one; empty if they have none then."""
    return str((side + 1) // 2) if _HALF in named.flags else "".join(named.words[:1]) if _has_value(named.key) else ""


def _fits(named: ClueName, board: Draft) -> bool:
    """Return whether a board has the size that a variant needs."""
    return _NINE not in named.flags or board.size[0] == 9


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
    side = 9
    for name, *arguments in parts:
        if name.lower() == _SHAPE:
            size = re.fullmatch(r"(\d{1,2})x(\d{1,2})", arguments[0])
            if not size or size[1] != size[2] or len(arguments) > 1:
                raise InstanceError(f"the shape {shown('~'.join(arguments))} is no square board of 1 to n")
            side = int(size[1])
    check_grid_size(side, side)
    board = _Constraints(side, variants_in(text.puzzles))
    for name, *arguments in parts:
        board.add(name.lower(), arguments)
    return Draft(board.givens, board.regions or flat_boxes(side), variants=board.found.names, keys=board.found.keys)


class _Constraints:
    """A board while its constraints are read."""

    def __init__(self, side: int, variants: Mapping[str, Variant]) -> None:
        self.side = side
        self.found = Clues(side, variants)
        self.regions: dict[Cell, str] | None = None
        self.givens: dict[Cell, int] = {}
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
        elif name == _NO_BOXES:
            self.regions = boxes(1, self.side)
        elif name == _JIGSAW:
            self.regions = regions.numbered(dict(zip(all_cells(self.side, self.side), arguments[-1], strict=True)))
        elif name in self.known or prefixed in self.known:
            for named in self.known[name if name in self.known else prefixed]:
                if named.variant.keys:
                    self._clue(named, name, arguments if name in self.known else arguments[1:])
                else:
                    self.found.variants.append(named.variant.name)
        elif name != _SHAPE:
            raise InstanceError(f"pyasp does not know the constraint {shown(name)} of Interactive Sudoku Solver")

    def _given(self, arguments: Iterable[str]) -> None:
        for argument in arguments:
            name, *values = argument.split("_")
            cell, numbers = self._cell(name), sorted(map(int, values))
            if len(numbers) == 1:
                self.givens[cell] = numbers[0]
                continue
            every = sorted(self.known[_CANDIDATES], key=lambda named: not named.words)
            named = next(named for named in every if not named.words or numbers == [*_candidates(named, self.side)])
            self.found.add(named.key, [cell], value="" if named.words else " ".join(map(str, numbers)))

    def _clue(self, named: ClueName, name: str, arguments: list[str]) -> None:
        key, form = named.key, form_of(named.key)
        value = ""
        if _has_value(key):
            value = "".join(named.words[:1]) if _cell_named(arguments[0]) else arguments.pop(0)
            value = "" if value == _usual(named, self.side) else value
        if form == "pair":
            names = [spelled.lower() for spelled in (named.name, *named.words)]
            tokens = key.option("tokens")
            value = tokens[names.index(name)] if tokens else key.option("default", "")
        elif form == "corner":
            value = " ".join(word for word in arguments if word.isdigit())
        for *groups, clue_value in self._groups(form, name == named.name.lower(), arguments):
            self.found.add(key, *groups, value=clue_value or value)

    def _groups(self, form: str, first: bool, arguments: list[str]) -> Iterator[list[Any]]:  # noqa: C901, FBT001 (a branch for each form)
        """Yield the groups of cells of each clue of a constraint of a form, and its value if it has its own."""
        if form == "labels":
            if arguments[0][0] not in "RCrc":  # one clue for both ends
                arguments = [arguments[1], arguments[0]]
            line, sides = int(arguments[0][1:], 36), {"C": SIDES[:2], "R": SIDES[2:]}[arguments[0][0].upper()]
            for side, value in zip(sides[: len(arguments) - 1], arguments[1:], strict=True):
                yield [[outside.place(side, line, (self.side, self.side))], value]
        elif form == "diagonals":
            cell = self._cell(arguments[1])
            step = next((step for step, first in _starts(self.side) if first == cell), None)
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
        cell = _cell_named(name)
        if cell is None or not 0 < min(cell) <= max(cell) <= self.side:
            raise InstanceError(f"{shown(name)} is not a cell of a board of {self.side}x{self.side}, such as R1C1")
        return cell


def _candidates(named: ClueName, side: int) -> range:
    return range(int(named.words[0]), side + 1, 2)


def _starts(side: int) -> Iterator[tuple[Cell, Cell]]:
    """Yield the step of each diagonal and its first cell; each diagonal has one only."""
    yield from (((1, 1), (i, 1)) for i in range(1, side))
    yield from (((-1, -1), (i, side)) for i in range(2, side))
    yield from (((1, -1), (1, i)) for i in range(2, side + 1))
    yield from (((-1, 1), (side, i)) for i in range(2, side))


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
    side, _ = board.size
    if side >= len(_DIGITS):
        raise InstanceError(f"iss has boards of at most {len(_DIGITS) - 1}x{len(_DIGITS) - 1}")
    parts = [] if side == 9 else [[_SHAPE.capitalize(), f"{side}x{side}"]]
    if regions.numbered(board.regions) == boxes(1, side):
        parts.append(["NoBoxes"])
    elif not regions.are_usual(board.regions):
        parts.append(["Jigsaw", "".join(_DIGITS[int(name) - 1] for name in regions.numbered(board.regions).values())])
    parts += [name.split("~") for name in dict.fromkeys(_names(board).values())]
    for named in _declared(board.known):
        for clue in clues_of(board, named.key) if named.variant.keys and named.key.name in board.keys else ():
            parts += _written(board, named, clue)
    if board.givens:
        parts.append(["", *(f"{_name(cell)}_{value}" for cell, value in board.givens.items())])
    return _SITE + quote("".join(f".{'~'.join(part)}" for part in parts) or ".", safe=".~_-,")


def _written(board: Draft, named: ClueName, clue: Clue) -> list[list[str]]:  # noqa: PLR0911 (a line for each form)
    key, side, values = named.key, board.size[0], [*clue.values]
    if named.name == _CANDIDATES:
        values = values or [*map(str, _candidates(named, side))]
        return [["", "_".join([_name(cell), *values])] for cell in clue.cells]
    form = form_of(key)
    if form == "labels":
        return [_written_label(named, side, clue)]
    if form == "diagonals":
        return [[named.name, *values, _name(_start(side, clue))]]
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
    return [[*named.name.split("~"), *(values or [*filter(None, [_usual(named, side)])]), *cells]]


def _ends(side: int, clue: Clue) -> list[Cell]:
    """Return the first and the last cell of a diagonal, sorted."""
    (place,), (first,) = clue.groups
    y, x = first[0] - place[0], first[1] - place[1]
    steps = min(side - at if step > 0 else at - 1 for at, step in zip(first, (y, x), strict=True))
    return sorted([first, (first[0] + steps * y, first[1] + steps * x)])


def _start(side: int, clue: Clue) -> Cell:
    """Return the end of a diagonal at which its clue is here."""
    (place,), (first,) = clue.groups
    starts = {cell: step for step, cell in _starts(side)}
    low, high = _ends(side, clue)
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
        return sorted((_ends(draft.size[0], clue), *clue.values) for clue in clues)
    if named and value and _BOTH_ENDS in named.flags:
        return {(side in SIDES[:2], i): word for (side, i, _), word in value.items()}
    return value


def _written_label(named: ClueName, side: int, clue: Clue) -> list[str]:
    """Return a clue outside the board: of a row or a column, from its first end, its other end, or both alike."""
    end, i = outside.lines_by_place((side, side)).get(clue.cells[0], ("", 0))
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
    can=Can(says=_says),
    alike=_alike,
    line=True,
)
