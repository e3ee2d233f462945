"""The variants that a drawing of Penpa+ has as rules: by tools, by tags, or by sentences of ours.

thermometers, arrows        the tools called so; nobulbthermo that begins on a thermometer is a branch of it
pencil marks                numbers of the size for candidates
even, odd                   squares and circles in cells, with the tag evenodd
differences of 1            circles and bars between cells, with the tags consecutivepairs, consecutive
skyscrapers                 numbers outside the board, with the tag skyscrapers
anti-knight and the like    a sentence in the text of the rules, as `told` reads them in every format
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from pyasp_puzzles.boards.figure import touching
from pyasp_puzzles.boards.grid import extent
from pyasp_puzzles.errors import InstanceError
from pyasp_puzzles.formats.numbers import cages_key
from pyasp_puzzles.formats.penpa_drawing import (
    BLACK,
    CANDIDATES,
    GREY,
    MOST_CANDIDATES,
    OVER,
    UNDER,
    WHITE,
    Points,
    Sheet,
)
from pyasp_puzzles.puzzles.keys.lines import line_text
from pyasp_puzzles.puzzles.keys.outside import by_side, labelled
from pyasp_puzzles.puzzles.variant import shipped_variants

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.formats.numbers import NumberBoard

# Tags of variants of a Sudoku, and what must be drawn with them: the key, and what people call it.
TAGS = {
    "thermo": ("thermometers", "thermometers"),
    "arrow": ("arrows", "arrows"),
    "killer": ("killer_cages", "killer cages"),
    "evenodd": ("", "squares or circles in cells"),
    "consecutivepairs": ("differences", "circles or bars between cells"),
    "consecutive": ("differences", "circles or bars between cells"),
    "nonconsecutive": ("", ""),
    "skyscrapers": ("skyscrapers", "numbers outside the board"),
}
# Tags with which neighbours without a mark between them are not consecutive.
STRICT = {"consecutive", "nonconsecutive"}
MARKED = {"consecutivepairs", *STRICT}
NON_CONSECUTIVE = "non-consecutive"
# The shapes of symbols that are marks in cells and between cells.
SHAPES = {"square": "even", "circle": "odd"}
BETWEEN = ("circle", "bars")
# Our keys that depend on a tag.
TAGGED = ("even", "odd", "differences", "skyscrapers")
# What the rules in words may say that these mean instead.
REDEFINED = {
    "thermo": re.compile(
        r"slow[^.]{0,20}thermo|thermo[^.]{0,150}(?:(?:not|never) (?:decreas|fall)|non-?decreas|or equal|stay the same)",
        re.IGNORECASE,
    ),
    "arrows": re.compile(r"digit sum arrow|average arrow", re.IGNORECASE),
}


# -- Reading -------------------------------------------------------------------------------------


class Reader(NamedTuple):
    """A drawing that is read."""

    problem: Mapping[str, Any]
    colors: Mapping[str, Any]
    tags: Collection[str]
    points: Points
    turned: Mapping[Cell, Cell]
    """Where Penpa+ shows each cell of the board."""
    labels: Mapping[Cell, int]
    """The numbers outside the board, where Penpa+ shows them."""
    unread: list[str]
    """The names of parts that may be rules; reading adds to them."""


def rules_of(reader: Reader, notes: str) -> dict[str, Any]:
    """Return the keys of variants, as in TOML, that are drawn with the tools of rules, given the rules in words.

    Raises:
        InstanceError: these say that a tool means something else.
    """
    found: dict[str, Any] = {}
    for key, line in (*_paths(reader), *_marks(reader), *_pencil_marks(reader)):
        found.setdefault(key, []).append(line)
    if "skyscrapers" in reader.tags and (labels := by_side(reader.labels, extent(reader.turned.values()))):
        found["skyscrapers"] = labels
    elif reader.labels:
        reader.unread.append("numbers outside the board")
    for part, key in (("thermo", "thermometers"), ("arrows", "arrows")):
        if key in found and REDEFINED[part].search(notes):
            raise InstanceError(
                f"the rules in its text say what {key} mean, which pyasp does not know: read them there"
            )
    return found


def check_tags(tags: Collection[str], keys: Collection[str]) -> None:
    """Check that what a tag names is drawn as a rule.

    Raises:
        InstanceError: it is not.
    """
    for tag, (key, words) in TAGS.items():
        if tag in tags and words and not ({key} if key else set(SHAPES.values())) & {*keys}:
            raise InstanceError(f"the tags of this Penpa+ drawing say {tag}, and it has no {words}: draw them so")


def _cells(reader: Reader, part: str, name: str) -> Iterator[tuple[int, list[Cell]]]:
    """Yield the lists of cells of a part, each with its place; one that leaves the board is not read."""
    for i, numbers in enumerate(reader.problem.get(part) or ()):
        places = [reader.points.place(number) for number in numbers or ()]
        if any(kind or (r, c) not in reader.turned for kind, r, c in places):
            reader.unread.append(f"{name} outside the board")
        elif places:
            yield i, [(r, c) for _, r, c in places]


def _paths(reader: Reader) -> Iterator[tuple[str, str]]:
    """Yield thermometers and arrows. A line without a bulb is a branch if it begins on a thermometer of its color."""
    colors: dict[Cell, set[str]] = {}
    for part in ("thermo", "nobulbthermo"):
        for i, cells in _cells(reader, part, "thermometers"):
            color = _color(reader, part, i)
            if part == "nobulbthermo" and color not in colors.get(cells[0], ()):
                reader.unread.append("lines")
                continue
            for cell in cells:
                colors.setdefault(cell, set()).add(color)
            yield "thermometers", line_text(map(reader.turned.__getitem__, cells))
    for _, cells in _cells(reader, "arrows", "arrows"):
        circle, *shaft = map(reader.turned.__getitem__, cells)
        if shaft:  # others are not shown
            yield "arrows", f"{line_text([circle])} > {line_text(shaft)}"


def _color(reader: Reader, part: str, i: int) -> str:
    colors = reader.colors.get(part) or ()
    found = colors.get(str(i)) if isinstance(colors, dict) else colors[i] if i < len(colors) else None
    return str(found or "")


def _marks(reader: Reader) -> Iterator[tuple[str, str]]:
    """Yield marks in cells and between them; marks of one shape have one color, or they mean several things."""
    styles: dict[tuple[str, bool], int] = {}
    for key, (style, name, *_) in (reader.problem.get("symbol") or {}).items():
        kind, r, c = reader.points.place(key.removesuffix("E"))
        shape, other = str(name).partition("_")[0], {2: (r + 1, c), 3: (r, c + 1)}.get(kind)
        cells = [reader.turned[cell] for cell in ((r, c), other) if cell and cell in reader.turned]
        color = 0 if shape == "bars" else int(style)
        is_usual = styles.setdefault((shape, kind == 0), color) == color
        if is_usual and "evenodd" in reader.tags and shape in SHAPES and kind == 0 and cells:
            yield SHAPES[shape], line_text(cells)
        elif is_usual and MARKED & {*reader.tags} and shape in BETWEEN and other and len(cells) > 1:
            yield "differences", line_text(sorted(cells), 1)
        else:
            reader.unread.append("symbols")


def _pencil_marks(reader: Reader) -> Iterator[tuple[str, str]]:
    """Yield cells with several candidates; one alone is shown as a given."""
    for key, content in (reader.problem.get("number") or {}).items():
        values = candidates_of(content)
        kind, r, c = reader.points.place(key) if values and key.isdigit() else (1, 0, 0)
        if len(values) > 1 and kind == 0 and (r, c) in reader.turned:
            yield "pencil_marks", line_text([reader.turned[r, c]], " ".join(map(str, values)))


def candidates_of(content: Sequence[Any]) -> list[int]:
    """Return the candidates that the content of a cell says; empty if it is another number."""
    marks, *style = content
    if str(style[1] if len(style) > 1 else "") != CANDIDATES:
        return []
    return [i for i, mark in enumerate(marks[:MOST_CANDIDATES], 1) if mark == 1]


# -- Writing ---------------------------------------------------------------------------------------


def carried(board: NumberBoard) -> set[str]:
    """Return the keys and variants of a board that Penpa+ has as rules, so that they come back."""
    if not board.variants and not board.keys:
        return set()
    tests = {
        "thermometers": True,
        "arrows": all(len(line.groups[0]) == 1 for line in board.lines_of("arrows")),
        "pencil_marks": all(
            len(line.values) > 1 and all(0 < int(value) <= MOST_CANDIDATES for value in line.values)
            for line in board.lines_of("pencil_marks")
        ),
    }
    found = {key for key, test in tests.items() if test and key in board.keys}
    found |= {cages_key().name} & board.keys.keys()
    found |= {name for name in board.variants if (known := shipped_variants().get(name)) and not known.keys}
    # Symbols and numbers are rules only if no others are drawn.
    usual = all(line.values == ["1"] and touching(tuple(line.groups[0])) for line in board.lines_of("differences"))
    if board.puzzle == "sudoku" and {*board.keys} <= {*found, *TAGGED} and usual:
        found |= {*board.keys}
    return found


def tags_of(board: NumberBoard, keys: Collection[str]) -> list[str]:
    """Return the tags of the variants of a Sudoku, given the keys that are carried."""
    found = ["killer"] * bool(cages_key().name in board.keys)
    found += [tag for tag in ("thermo", "arrow", "skyscrapers") if TAGS[tag][0] in keys]
    found += ["evenodd"] * bool({"even", "odd"} & {*keys})
    strict = NON_CONSECUTIVE in board.variants
    if "differences" in keys:
        found.append("consecutive" if strict else "consecutivepairs")
    elif strict and {*board.keys} <= {*keys}:
        found.append("nonconsecutive")
    return found


def write_rules(sheet: Sheet, board: NumberBoard, key: str) -> None:
    """Draw a key of a board with the tool that means its rule."""
    if key == "skyscrapers":
        for cell, label in labelled(board.layers[key], board.size):
            sheet.outside(cell, label)
        return
    for line in board.lines_of(key):
        cells = line.groups[0]
        if key in {"thermometers", "arrows"}:
            sheet.path({"thermometers": "thermo"}.get(key, key), [cell for group in line.groups for cell in group])
        elif key == "differences":
            sheet.symbol(sheet.points.between(cells[0], cells[1]), [WHITE, "circle_SS", OVER], cells[0])
        elif key == "pencil_marks":
            marks = [int(str(i) in line.values) for i in range(1, MOST_CANDIDATES + 1)]
            sheet.number(sheet.points.cell(*cells[0]), [marks, BLACK, CANDIDATES], cells[0])
        else:
            shape = next(shape for shape, mark in SHAPES.items() if mark == key)
            for cell in cells:
                sheet.symbol(sheet.points.cell(*cell), [GREY, f"{shape}_L", UNDER], cell)
