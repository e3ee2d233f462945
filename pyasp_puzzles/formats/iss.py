"""Strings of Interactive Sudoku Solver, alone or in its address: `.Thermo~R1C1~R1C2.Cage~10~R2C1~R2C2.~R3C3_5`.

    .NAME~ARGUMENT~CELL~CELL   one constraint; `.~R1C1_5` is a given, `.~R1C1_5_6` has several candidates
    .Shape~6x6 .NoBoxes .Jigsaw~00112...   the board

A variant's name stands in its `variant.toml`: `iss = "Modular 3"` is called Modular, and has 3 if it has no value; with
`half`, our own usual value is half the size; with `9x9`, only that size has it. What kind of key a variant has says how
its clues are written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from pyasp_puzzles.boards.figure import nearest_of
from pyasp_puzzles.boards.grid import EMPTY, all_cells, check_size
from pyasp_puzzles.boards.regions import boxes, is_usual, numbered, usual_boxes
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.formats.numbers import Can, NumberBoard, diagonals_of, number_format, read_cage
from pyasp_puzzles.puzzles.keys.lines import line_text
from pyasp_puzzles.puzzles.keys.outside import DIAGONALS, SIDES, by_side, outer
from pyasp_puzzles.puzzles.variant import variants_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.formats.format import Text
    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.puzzles.keys.lines import Line
    from pyasp_puzzles.puzzles.variant import Variant

SITE = "https://sigh.github.io/Interactive-Sudoku-Solver/?q="
_ADDRESS = re.compile(r"(?:https?://)?sigh\.github\.io/\S*?[?&]q=(?P<string>[^&\s]*)")
_STRING = re.compile(r"\.(?:[A-Za-z]+(?:[~.].*)?|~R\w+C\w+_.*)", re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"R([1-9A-P]|1\d|2[0-5])C([1-9A-P]|1\d|2[0-5])", re.IGNORECASE)
DIGITS = "0123456789abcdefghijklmnop"
# Names of what is no variant.
SHAPE, NO_BOXES, JIGSAW, PILL, STRICT, LOOP = "shape", "noboxes", "jigsaw", "pillarrow", "strictkropki", "LOOP"
KILLERS, PENCIL_MARKS, PARITIES = "killer_cages", "pencil_marks", {"odd": 1, "even": 0}
# The variants that say together that all dots are given.
DOTS = ("non-consecutive", "negative-ratio")
ANTI = "anticonsecutive"
# Words after a name in a declaration.
HALF, NINE = "half", "9x9"
# The key whose clues mean the same from both ends.
BOTH_ENDS = "sandwiches"


def recognise(text: str) -> bool:
    """Return whether a text is a string of constraints, or an address with one."""
    words = text.strip()[:200_000]
    return _ADDRESS.fullmatch(words) is not None or _STRING.fullmatch(words) is not None


def read(text: str, given: Text) -> NumberBoard:
    """Return the board of a string."""
    match = _ADDRESS.fullmatch(text.strip())
    words = unquote(match["string"]) if match else text.strip()
    parts = [part.strip().split("~") for part in words.split(".") if part.strip()]
    known = _names(variants_in(given.puzzles))
    side = 9
    for name, *arguments in parts:
        if name.lower() == SHAPE:
            size = re.fullmatch(r"(\d{1,2})x(\d{1,2})", arguments[0])
            if not size or size[1] != size[2] or len(arguments) > 1:
                raise InstanceError(f"the shape {shown('~'.join(arguments))} is no square board of 1 to n")
            side = int(size[1])
    check_size(side, side)
    board = _Board(side)
    for name, *arguments in parts:
        board.add(name.lower(), arguments, known)
    return board.found()


def _said(variant: Variant) -> tuple[str, list[str], set[str]]:
    """Return the name of a variant, its usual value or further names, and what else its declaration says."""
    name, *words = str(variant.formats["iss"]).split()
    return name, [word for word in words if word not in {HALF, NINE}], {*words} & {HALF, NINE}


def _names(variants: Mapping[str, Variant]) -> dict[str, tuple[Variant, str]]:
    """Return {name of a constraint with its fixed arguments: its variant, and the value or token that it means}."""
    found = {}
    for variant in (one for one in variants.values() if "iss" in one.formats):
        name, words, _ = _said(variant)
        tokens = variant.keys[0].option("tokens") if variant.keys else None
        for one, word in zip([name, *words], tokens, strict=True) if tokens else [(name, words[0] if words else "")]:
            found[one.lower()] = variant, word
    return found


class _Board:
    """A board while its constraints are read."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.regions: dict[Cell, str] | None = None
        self.givens: dict[Cell, int] = {}
        self.variants: list[str] = []
        self.keys: dict[str, list[str]] = {}
        self.labels: dict[str, dict[Cell, str]] = {}

    def found(self) -> NumberBoard:
        keys: dict[str, Any] = dict(self.keys)
        cages = [text.partition("=") for text in keys.pop(KILLERS, [])]
        keys |= {name: by_side(labels, (self.side, self.side)) for name, labels in self.labels.items()}
        read_cages = tuple(read_cage(map(_cell, cells.split()), total.strip() or None) for cells, _, total in cages)
        regions = self.regions or usual_boxes(self.side)
        names = diagonals_of([*dict.fromkeys(self.variants)])
        return NumberBoard("sudoku", self.givens, regions, variants=tuple(names), cages=read_cages, keys=keys)

    def add(self, name: str, arguments: list[str], known: Mapping[str, tuple[Variant, str]]) -> None:
        """Add a constraint."""
        prefixed = f"{name}~{arguments[0].lower()}" if arguments else name
        if not name:
            self._given(arguments)
        elif name == NO_BOXES:
            self.regions = boxes(1, self.side)
        elif name == JIGSAW:
            self.regions = numbered(dict(zip(all_cells(self.side, self.side), arguments[-1], strict=True)))
        elif name == STRICT:
            self.variants += DOTS
        elif name == ANTI:
            self.variants.append(DOTS[0])
        elif name == PILL:
            self._clue(known["arrow"][0], arguments[1:], "", int(arguments[0]))
        elif name in known or prefixed in known:
            variant, word = known[name] if name in known else known[prefixed]
            rest = arguments if name in known else arguments[1:]
            if not variant.keys:
                self.variants.append(variant.name)
            else:
                self._clue(variant, rest, word)
        elif name != SHAPE:
            raise InstanceError(f"pyasp does not know the constraint {shown(name)} of Interactive Sudoku Solver")

    def _given(self, arguments: Iterable[str]) -> None:
        for words in arguments:
            name, *values = words.split("_")
            cell, numbers = _cell(name), sorted(map(int, values))
            parity = [key for key, odd in PARITIES.items() if numbers == [*range(2 - odd, self.side + 1, 2)]]
            if len(numbers) == 1:
                self.givens[cell] = numbers[0]
            elif parity:
                self._line(parity[0], line_text([cell]))
            else:
                self._line(PENCIL_MARKS, line_text([cell], " ".join(map(str, numbers))))

    def _line(self, key: str, text: str) -> None:
        self.keys.setdefault(key, []).append(text)

    def _clue(self, variant: Variant, arguments: list[str], word: str, head: int = 1) -> None:
        """Add the clues of a constraint by the kind of their key."""
        key = variant.keys[0]
        if key.kind.tool == "sight":
            self._outside(key, arguments)
            return
        value = arguments.pop(0) if _has_value(key) and not _CELL.fullmatch(arguments[0]) else ""
        if _has_value(key):
            value = value or word
            value = "" if value == _usual(variant, self.side) else value
        if key.kind.tool == "groups":
            self._groups(key, arguments)
            return
        closed = arguments[-1].upper() == LOOP
        digits = [one for one in arguments if one.isdigit()]
        cells = [_cell(one) for one in arguments[: -1 if closed else None] if one not in digits]
        if key.kind.tool == "pair":
            for i, cell in enumerate(cells):
                pairs = [(cell, one) for one in cells[i + 1 :] if abs(cell[0] - one[0]) + abs(cell[1] - one[1]) == 1]
                text = word or key.option("default", "")
                for pair in pairs:
                    self._line(key.name, line_text(pair, text))
        elif key.kind.tool == "corner":
            self._line(key.name, line_text(cells, " ".join(digits)))
        elif key.option("head"):
            # A pill of several cells is read from left to right, row by row.
            self._line(key.name, f"{line_text(sorted(cells[:head]))} > {line_text(cells[head:])}")
        else:
            self._line(key.name, line_text([*cells, *(cells[:1] if closed else ())], value))

    def _groups(self, key: Key, arguments: list[str]) -> None:
        if "-" in arguments:
            groups = [part.split("~") for part in "~".join(arguments).split("~-~")]
        else:
            count, cells = int(arguments[0]), arguments[1:]
            wide = len(cells) // count
            groups = [cells[i * wide : (i + 1) * wide] for i in range(count)]
        self._line(key.name, " = ".join(line_text(map(_cell, group)) for group in groups))

    def _outside(self, key: Key, arguments: list[str]) -> None:
        if key.option("directions"):
            value, cell = arguments[0], _cell(arguments[1])
            direction = next((way for way, one in _starts(self.side) if one == cell), None)
            if direction is None:
                raise InstanceError(f"no diagonal begins at {shown(arguments[1])}")
            self._line(key.name, f"{line_text([cell])} {direction} = {value}")
            return
        if arguments[0][0] not in "RCrc":  # one clue for both ends
            arguments = [arguments[1], arguments[0]]
        line, sides = int(arguments[0][1:], 36), {"C": SIDES[:2], "R": SIDES[2:]}[arguments[0][0].upper()]
        for side, value in zip(sides, arguments[1:], strict=False):
            if value:
                self.labels.setdefault(key.name, {})[outer(side, line, (self.side, self.side))] = value


def _usual(variant: Variant, side: int) -> str:
    """Return the value of our clues without one; empty if they have none then."""
    _, words, more = _said(variant)
    return str((side + 1) // 2) if HALF in more else "".join(words[:1])


def _has_value(key: Key) -> bool:
    return bool(key.option("value")) and key.kind.tool != "pair"


def _starts(side: int) -> Iterator[tuple[str, Cell]]:
    """Yield the direction of each diagonal and its first cell; each diagonal has one only."""
    yield from (("dr", (i, 1)) for i in range(1, side))
    yield from (("ul", (i, side)) for i in range(2, side))
    yield from (("dl", (1, i)) for i in range(2, side + 1))
    yield from (("ur", (side, i)) for i in range(2, side))


def _cell(name: str) -> Cell:
    match = _CELL.fullmatch(name) or re.fullmatch(r"r(\d+)c(\d+)", name)
    if match is None:
        raise InstanceError(f"{shown(name)} is not a cell, such as R1C1")
    r, c = (int(word) if word.isdigit() else DIGITS.index(word.lower()) for word in match.groups())
    return r, c


# -- Writing -------------------------------------------------------------------------------------


def _name(cell: Cell) -> str:
    return f"R{DIGITS[cell[0]]}C{DIGITS[cell[1]]}"


def says(board: NumberBoard) -> list[str]:
    """Return the variants and keys of a board that have a name here."""
    named = [one for one in board.known.values() if "iss" in one.formats]
    able = [one for one in named if board.size[0] == 9 or NINE not in _said(one)[2]]
    found = [*(key.name for one in able for key in one.keys), *PARITIES, PENCIL_MARKS]
    names = [one.name for one in able] + ["diagonal"]
    dots = {*DOTS} & {*board.variants}
    free = not {"differences", "ratios"} & board.keys.keys()
    return [*found, *names, *(dots if len(dots) == 2 or (dots == {DOTS[0]} and free) else ())]


def write(board: NumberBoard) -> str:
    """Return the address of a board."""
    side, _ = board.size
    if side >= len(DIGITS):
        raise InstanceError(f"iss has boards of at most {len(DIGITS) - 1}x{len(DIGITS) - 1}")
    parts = [] if side == 9 else [[SHAPE.capitalize(), f"{side}x{side}"]]
    if numbered(board.regions) == boxes(1, side):
        parts.append(["NoBoxes"])
    elif not is_usual(board.regions):
        parts.append(["Jigsaw", "".join(DIGITS[int(name) - 1] for name in numbered(board.regions).values())])
    dots = {*DOTS} & {*board.variants}
    parts += [["StrictKropki"]] if len(dots) == 2 else [["AntiConsecutive"]] if dots else []
    names = [*(name for name in board.variants if name not in dots and name != "diagonal"), *board.diagonals]
    parts += [_said(board.known[name])[0].split("~") for name in dict.fromkeys(names)]
    for one in board.known.values():
        for key in one.keys:
            if key.name in board.keys:
                parts += _written(board, one, key)
    cage, none, _ = _said(board.known["killer-cage"])
    parts += [[cage, str(none[0] if one.sum is None else one.sum), *map(_name, one.cells)] for one in board.cages]
    if board.givens:
        parts.append(["", *(f"{_name(cell)}_{value}" for cell, value in board.givens.items())])
    return SITE + quote("".join(f".{'~'.join(part)}" for part in parts) or ".", safe=".~_-,")


def _written(board: NumberBoard, variant: Variant, key: Key) -> Iterator[list[str]]:
    """Yield the constraints of a key of a board."""
    side = board.size[0]
    if key.name in PARITIES or key.name == PENCIL_MARKS:
        for line in board.lines_of(key.name):
            for cell in line.groups[0]:
                odd = PARITIES.get(key.name, 0)
                values = line.values or [str(number) for number in range(2 - odd, side + 1, 2)]
                yield ["", "_".join([_name(cell), *values])]
        return
    name, words, _ = _said(variant)
    if key.kind.tool == "sight":
        yield from _written_outside(board, name, key)
        return
    for line in board.lines_of(key.name):
        value = [] if key.option("tokens") or not (usual := _usual(variant, side)) else [usual]
        yield _clue(name, value or words, key, line)


def _clue(name: str, words: list[str], key: Key, line: Line) -> list[str]:
    groups, values = [[*map(_name, group)] for group in line.groups], line.values
    if key.kind.tool == "pair":
        tokens = key.option("tokens")
        if not tokens and values and values != [str(key.option("default"))]:
            raise InstanceError(f"iss cannot store {key.name} with a value, only without")
        return [[name, *words][tokens.index(values[0])] if tokens else name, *groups[0]]
    if key.kind.tool == "corner":
        return [name, *groups[0], *values]
    if key.option("head"):
        head, line_cells = line.groups
        near = nearest_of(head, line_cells[0]) if len(head) == 1 else head[0]
        return (
            [name, _name(near), *groups[1]] if len(head) == 1 else ["PillArrow", str(len(head)), *groups[0], *groups[1]]
        )
    if key.kind.tool == "groups":
        if name.lower() == "equalsum":
            return [name, *"~-~".join("~".join(group) for group in groups).split("~")]
        return [name, str(len(groups)), *(one for group in groups for one in group)]
    cells = groups[0]
    closed = len(cells) > 2 and cells[0] == cells[-1]
    cells = [*cells[:-1], LOOP] if closed else cells
    value = values or (words if _has_value(key) else [])
    return [*name.split("~"), *value, *cells]


def _written_outside(board: NumberBoard, name: str, key: Key) -> Iterator[list[str]]:
    """Yield clues outside the board: both of a row or column together, and diagonals by the end that has a clue."""
    side = board.size[0]
    found: Any = board.keys[key.name]
    if key.option("directions"):
        ways = {cell: way for way, cell in _starts(side)}
        for words in [found] if isinstance(found, str) else found:
            first, way, _, value = words.split()
            (r, c), (y, x) = _cell(first), DIAGONALS[way]
            steps = min(side - one if step > 0 else one - 1 for one, step in ((r, y), (c, x)))
            last = (r + steps * y, c + steps * x)
            start = (r, c) if ways.get((r, c)) == way else last
            if start == last and ways.get(last, "  ") not in DIAGONALS:
                raise InstanceError(f"iss cannot store the little killer {shown(words)}")
            yield [name, value, _name(start)]
        return
    for letter, sides in (("C", SIDES[:2]), ("R", SIDES[2:])):
        for i in range(side):
            ends = [str(found.get(one, [EMPTY] * side)[i]).replace(EMPTY, "") for one in sides]
            line = f"{letter}{DIGITS[i + 1]}"
            if key.name == BOTH_ENDS and ends[1]:
                raise InstanceError(f"iss has {key.name} only above and at the left")
            if any(ends):
                yield [name, ends[0], line] if key.name == BOTH_ENDS else [name, line, *ends]


FORMAT = number_format(
    "iss",
    "strings and addresses of Interactive Sudoku Solver: Sudoku, also jigsaws and variants",
    recognise,
    read,
    write,
    can=Can(jigsaw=True, cages=True, says=says),
    named=True,
    line=True,
)
