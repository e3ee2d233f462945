"""The variants that a drawing of Penpa+ has as rules: by tools, by tags, or by sentences of ours with our drawing.

    penpa = { part = "thermo", tags = ["thermo"], words = "thermometers" }

This line of a `variant.toml` says which part of a drawing has its lines, with which tags its clues are rules, and what
messages call them.

- `symbols`: the shapes of its marks in cells or between them. With a tag in `also`, they are rules, but may be absent.
- `genre`: the tag is also that of a genre.

Candidates are numbers of their own size; a `nobulbthermo` that begins on a thermometer is a branch of it. If the rules
have a sentence of ours, what `penpa_drawing` draws for it is read back. Anything else in a drawing may be a rule.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.boards.figure import Figure
from pyasp_puzzles.boards.grid import Cell, are_neighbors, cell_place, grid_extent
from pyasp_puzzles.errors import InstanceError
from pyasp_puzzles.formats.exchange import Draft, candidates_key
from pyasp_puzzles.formats.format import refusal
from pyasp_puzzles.formats.penpa_drawing import (
    BLACK,
    CAGES,
    CANDIDATES,
    FOUR,
    MOST_CANDIDATES,
    WIDE,
    PenpaPoints,
    PenpaSheet,
    draw_penpa_layer,
)
from pyasp_puzzles.formats.rules_in_words import check_rules_in_words
from pyasp_puzzles.model.keys import Key, KeyLayer
from pyasp_puzzles.puzzles.keys.lines import key_line_text
from pyasp_puzzles.puzzles.keys.outside import DIAGONALS, outside_labels_by_side

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.model.puzzle import Variant


# Lines without a bulb, which may be branches of thermometers.
_BRANCHES, _THERMO = "nobulbthermo", "thermo"


def penpa_rule(variant: Variant) -> Mapping[str, Any]:
    """Return what a variant says of Penpa+."""
    found: Mapping[str, Any] = variant.formats.get("penpa", {})
    return found


def penpa_rule_tags(known: Mapping[str, Variant], *, genres: bool = True) -> list[str]:
    """Return the tags of variants, perhaps without those of genres."""
    return [
        tag
        for one in known.values()
        if genres or not penpa_rule(one).get("genre")
        for tag in penpa_rule(one).get("tags", ())
    ]


# -- Reading -----------------------------------------------------------------------------------


def penpa_rule_keys(variants: Iterable[Variant], rules: str) -> list[Key]:
    """Return the keys of the variants whose sentences are in a text, whatever numbers are in them."""

    def is_in(choices: Iterable[str]) -> bool:
        patterns = (re.sub(r"\\{\w+\\}", "[^.;]{1,40}?", re.escape(one)) for one in choices)
        return any(re.search(pattern, rules) for pattern in patterns)

    return [one.keys[0] for one in variants if one.keys and all(map(is_in, one.instructions or [[one.summary]]))]


def is_penpa_rule_readable(key: Key) -> bool:
    """Return whether the drawing of a key says all of it: not which cells are of one cage or group."""
    look, tool = key.option("picture", {}), key.kind.tool
    is_line = "line" in look and "head" not in key.options
    return is_line or tool in {"sight", "pair", "corner", "mark"} or look.get("cell") == "circle"


def penpa_rule_candidates(content: Sequence[Any]) -> list[int]:
    """Return the candidates that the content of a cell says; empty if it is another number."""
    marks, *style = content
    if str(style[1] if len(style) > 1 else "") != CANDIDATES:
        return []
    return [i for i, mark in enumerate(marks[:MOST_CANDIDATES], 1) if mark == 1]


class PenpaRuleReader:
    """A drawing whose parts are taken out as they are read."""

    def __init__(
        self, problem: dict[str, Any], colors: Mapping[str, Any], points: PenpaPoints, turned: Mapping[Cell, Cell]
    ) -> None:
        self.problem = problem
        self.colors = colors
        self.points = points
        self.turned = turned
        """Where Penpa+ shows each cell of the board."""
        self.unread: list[str] = []
        """The names of parts that may be rules."""

    def _table(self, part: str) -> Iterator[tuple[str, int, Cell, Any]]:
        """Yield the entries of a part: the number of a point, its kind, its place, and what is there."""
        for key, content in [*(self.problem.get(part) or {}).items()]:
            kind, *cell = self.points.place(key.removesuffix("E"))
            yield key, kind, (cell[0], cell[1]), content

    def _color(self, part: str, key: object) -> str:
        """Return the color of an entry; empty for the usual one."""
        found = self.colors.get(part)
        if isinstance(found, list):
            return str(found[int(str(key))] or "") if int(str(key)) < len(found) else ""
        return str((found or {}).get(str(key)) or "")

    def _place(self, part: str, key: str, content: object, color: str) -> str | int | None:
        """Return where an entry that we would draw at a place is; None if it is not there."""
        found = self.problem.get(part)
        if isinstance(found, list):
            same = (i for i, one in enumerate(found) if one == content and self._color(part, i) == color)
            return next(same, None)
        for one in (key, f"{key}E"):
            is_same = part == "surface" or (found or {}).get(one) == content  # shades of a color look alike
            if is_same and one in (found or {}) and self._color(part, one) == color:
                return one
        return None

    def _entries(self, figures: Iterable[Figure]) -> Iterator[tuple[str, str | int | None]]:
        """Yield the parts that we would draw of figures, each with its place here."""
        sheet = PenpaSheet(self.points)
        draw_penpa_layer(sheet, KeyLayer(figures=tuple(figures)), grid_extent(self.turned))
        for part, content in sheet.parts.items():
            colors = sheet.colors.get(part) or {}
            for key, one in content.items() if isinstance(content, dict) else enumerate(content):
                color = colors.get(key) if isinstance(colors, dict) else colors[key]
                yield part, self._place(part, str(key), one, str(color or ""))

    def told(self, keys: Sequence[Key]) -> dict[str, Any]:
        """Return the values of these keys, as in TOML, as far as they are drawn as we draw them."""
        outside = [key for key in keys if key.kind.tool == "sight" and not key.option("directions")]
        found: dict[str, Any] = {}
        for key in (key for key in keys if is_penpa_rule_readable(key) and (key not in outside or len(outside) == 1)):
            if key in outside:
                found[key.name] = self._labels()
                continue
            figures = [*self._figures(key)]
            self._remove(self._entries(figures))
            lines = [_line(key, figure) for figure in figures]
            is_one = key.kind.tool == "mark" or "cell" in key.option("picture", {})
            found[key.name] = " ".join(lines) if is_one else lines
        return {name: value for name, value in found.items() if value}

    def _figures(self, key: Key) -> Iterator[Figure]:
        look, tool, cells = key.option("picture", {}), key.kind.tool, self.turned.keys()
        if tool in {"pair", "corner", "sight"}:
            for entry in (entry for layer in ("symbol", "number") for entry in self._table(layer)):
                yield from islice(filter(self._take, self._possible(key, *entry)), 1)
        elif "line" in look:
            part = "squareframe" if look.get("width", 0) >= WIDE else _BRANCHES
            for i, numbers in enumerate(self.problem.get(part) or ()):
                if numbers and self._color(part, i) == look["line"]:
                    path = tuple(self.points.place(number)[1:] for number in numbers)
                    first, small = self.points.corner(min(path)), self.problem.get("numberS") or {}
                    corners = (str(i) for i in range(first, first + 4) if key.option("value") and str(i) in small)
                    yield Figure(look, path, text="".join(str(small.pop(i)[0]) for i in islice(corners, 1)))
        else:
            alone = {name: value for name, value in look.items() if name != "wedges"}
            marked = tuple(cell for cell in sorted(cells) if self._take(Figure(alone, (cell,))))
            yield from [Figure(look, marked)] if marked else ()

    def _possible(self, key: Key, point: str, kind: int, place: Cell, content: Sequence[Any]) -> Iterator[Figure]:
        """Yield the clues of a key that an entry may be part of: between cells, at a corner or outside the board."""
        look, (r, c), text = key.option("picture", {}), place, str(content[0])
        if key.kind.tool == "corner":
            yield Figure(look, (place,), text=" ".join(text) if content[-1] == FOUR else text)
        elif key.kind.tool == "sight":
            for y, x in DIAGONALS.values():
                yield Figure(look, ((r + y, c + x), (r + 2 * y, c + 2 * x)), text=text.partition("_")[0])
        elif kind in {2, 3}:
            (words, *_) = (self.problem.get("number") or {}).get(point, [key.option("default", "")])
            pair = (place, (r + 1, c) if kind == 2 else (r, c + 1))
            if words in key.option("tokens", [words]):
                yield from (Figure(look, cells, text=str(words)) for cells in (pair, pair[::-1]))

    def _take(self, figure: Figure) -> bool:
        """Take out what we would draw of a clue, if all of it is here; return whether it is."""
        entries = [*self._entries([figure])]
        if not entries or any(place is None for _, place in entries):
            return False
        self._remove(entries)
        return True

    def _remove(self, entries: Iterable[tuple[str, str | int | None]]) -> None:
        """Take out what is at these places, except small texts, which are taken out where they are read."""
        for part, place in entries:
            if isinstance(place, int):
                self.problem[part][place] = []
            elif place is not None and part != "numberS":
                self.problem[part].pop(place, None)

    def _labels(self) -> dict[str, list[str]]:
        """Take out the numbers outside the board, unless one is beside no row and no column."""
        outside = ((point, kind, cell, str(text)) for point, kind, cell, (text, *_) in self._table("number"))
        labels = {cell: (point, text) for point, kind, cell, text in outside if kind == 0 and text.isdigit()}
        labels = {cell: one for cell, one in labels.items() if cell not in self.turned}
        found = outside_labels_by_side({cell: text for cell, (_, text) in labels.items()}, grid_extent(self.turned))
        for point, _ in labels.values() if found else ():
            del self.problem["number"][point]
        return found or {}

    def drawn(
        self, known: Mapping[str, Variant], tags: Collection[str], labels: Mapping[Cell, int], notes: str
    ) -> dict[str, Any]:
        """Return the keys of variants, as in TOML, that are drawn with tools of rules, given the numbers outside.

        Raises:
            InstanceError: the rules in words say that a tool means something else.
        """
        found: dict[str, Any] = {}
        for variant, line in (*self._paths(known.values()), *self._marks(known.values(), {*tags})):
            check_rules_in_words(variant, "penpa", notes, f"{variant.keys[0].name} mean")
            found.setdefault(variant.keys[0].name, []).append(line)
        for point, kind, cell, content in self._table("number"):
            if (
                len(values := penpa_rule_candidates(content)) > 1
                and kind == 0
                and point.isdigit()
                and cell in self.turned
            ):
                line = key_line_text([self.turned[cell]], " ".join(map(str, values)))
                found.setdefault(candidates_key(known).name, []).append(line)
        outside = [
            one.keys[0].name
            for one in known.values()
            if penpa_rule(one).get("genre") and {*penpa_rule(one)["tags"]} & {*tags}
        ]
        if outside and (sides := outside_labels_by_side(labels, grid_extent(self.turned.values()))):
            found[outside[0]] = sides
        elif labels:
            self.unread.append("numbers outside the board")
        return found

    def _cells(self, part: str, name: str) -> Iterator[tuple[int, list[Cell]]]:
        """Yield the lists of cells of a part, each with its place; one that leaves the board is not read."""
        for i, numbers in enumerate(self.problem.get(part) or ()):
            places = [self.points.place(number) for number in numbers or ()]
            if any(kind or (r, c) not in self.turned for kind, r, c in places):
                self.unread.append(f"{name} outside the board")
            elif places:
                yield i, [(r, c) for _, r, c in places]

    def _paths(self, known: Iterable[Variant]) -> Iterator[tuple[Variant, str]]:
        """Yield lines of tools. A line without a bulb is a branch if it begins on a thermometer of its color."""
        paths = [one for one in known if "part" in penpa_rule(one) and one.keys[0].kind.tool == "path"]
        for variant in sorted(paths, key=lambda one: penpa_rule(one)["part"] != _THERMO):
            part, words, colors = (penpa_rule(variant)["part"], penpa_rule(variant)["words"], dict[Cell, set[str]]())
            for layer in (part, _BRANCHES) if part == _THERMO else (part,):
                for i, cells in self._cells(layer, words):
                    color = self._color(layer, i)
                    if layer == _BRANCHES and color not in colors.get(cells[0], ()):
                        self.unread.append("lines")
                        continue
                    for cell in cells:
                        colors.setdefault(cell, set()).add(color)
                    first, *shaft = map(self.turned.__getitem__, cells)
                    if not variant.keys[0].option("head"):
                        yield variant, key_line_text([first, *shaft])
                    elif shaft:  # others are not shown
                        yield variant, f"{key_line_text([first])} > {key_line_text(shaft)}"

    def _marks(self, known: Collection[Variant], tags: set[str]) -> Iterator[tuple[Variant, str]]:
        """Yield marks in cells and between them; marks of one shape have one color, or they mean several things."""
        styles: dict[tuple[str, bool], int] = {}
        for _, kind, (r, c), (style, name, *_) in self._table("symbol"):
            shape, other = str(name).partition("_")[0], {2: (r + 1, c), 3: (r, c + 1)}.get(kind)
            cells = [self.turned[cell] for cell in ((r, c), other) if cell and cell in self.turned]
            color = 0 if shape == "bars" else int(style)
            is_usual = styles.setdefault((shape, kind == 0), color) == color
            wide = 2 if other else 1 if kind == 0 else 0
            fitting = (
                one
                for one in known
                if shape in penpa_rule(one).get("symbols", ())
                and tags & {*penpa_rule(one)["tags"], *penpa_rule(one).get("also", ())}
                and one.keys[0].cells == len(cells) == wide
            )
            variant = next(fitting, None) if is_usual else None
            if variant is None:
                self.unread.append("symbols")
            else:
                yield variant, key_line_text(sorted(cells), variant.keys[0].option("default"))


def _line(key: Key, figure: Figure) -> str:
    if key.kind.tool != "sight":
        return key_line_text(figure.cells, figure.text)
    way = next(way for way, step in DIAGONALS.items() if step == figure.step)
    return f"{key_line_text(figure.cells[:1])} {way} = {figure.text}"


def check_penpa_rule_tags(known: Mapping[str, Variant], tags: Collection[str], keys: Collection[str]) -> None:
    """Check that what a tag names is drawn as a rule.

    Raises:
        InstanceError: it is not.
    """
    for tag in tags:
        owners = [one for one in known.values() if one.keys and tag in penpa_rule(one).get("tags", ())]
        if owners and not {one.keys[0].name for one in owners} & {*keys}:
            words = penpa_rule(owners[0])["words"]
            raise InstanceError(f"the tags of this Penpa+ drawing say {tag}, and it has no {words}: draw them so")


# -- Writing ---------------------------------------------------------------------------------------


def penpa_rule_tool(board: Draft, key: str) -> str:
    """Return the part of a drawing that has the lines of a key, "number" for candidates; "" if no tool has it."""
    parts = {
        one.keys[0].name: str(penpa_rule(one)["part"]) for one in board.known.values() if "part" in penpa_rule(one)
    }
    parts[candidates_key(board.known).name] = "number"
    lines = board.lines_of(key) if key in parts else []
    if key in parts and parts[key] == "number":
        fit = all(0 < int(value) <= MOST_CANDIDATES for line in lines for value in line.values)
        return parts[key] * (fit and all(len(line.values) > 1 for line in lines))
    return parts.get(key, "") * all(len(line.groups) == 1 or len(line.groups[0]) == 1 for line in lines)


def drawn_penpa_rule_tags(board: Draft) -> list[str]:
    """Return the tags of the variants of a Sudoku that are rules in its drawing.

    Symbols and numbers outside are rules only if no others are drawn.
    """

    def is_rule(one: Variant) -> bool:
        key = one.keys[0]
        lines = board.lines_of(key.name) if key.cells == 2 else ()
        usual = all(
            line.values == [str(key.option("default"))] and are_neighbors(tuple(line.groups[0])) for line in lines
        )
        return bool(penpa_rule_tool(board, key.name)) or ("tags" in penpa_rule(one) and usual)

    keyed = [one for one in board.used if one.keys]
    whole = all(map(is_rule, keyed))
    rules = board.used if whole else [one for one in keyed if penpa_rule_tool(board, one.keys[0].name)]
    found = []
    for tag in (tag for one in rules for tag in penpa_rule(one).get("tags", ())):
        owners = [one for one in board.known.values() if tag in penpa_rule(one).get("tags", ())]
        named = [one for one in owners if not one.keys]
        if all(one in rules for one in named) and any(one in rules for one in owners if one.keys or owners == named):
            found.append(tag)
    return found


def write_penpa_rule(sheet: PenpaSheet, board: Draft, key: str) -> None:
    """Draw a key of a board with the tool that means its rule.

    Raises:
        InstanceError: two cages begin in one cell, whose corner has room for one sum.
    """
    part, lines = penpa_rule_tool(board, key), board.lines_of(key)
    firsts = [min(line.groups[0]) for line in lines if part == "killercages"]
    if twice := next((cell for cell in firsts if firsts.count(cell) > 1), None):
        raise refusal("penpa", f"two cages that begin at {cell_place(twice)}")
    for line in lines:
        if part == "number":
            marks = [int(str(i) in line.values) for i in range(1, MOST_CANDIDATES + 1)]
            (cell,) = line.groups[0]
            sheet.number(sheet.points.cell(*cell), [marks, BLACK, CANDIDATES])
        elif part == "killercages":
            sheet.parts.setdefault(part, []).append([sheet.points.cell(*cell) for cell in line.groups[0]])
            sheet.cage(line.groups[0], CAGES["dashed"])
            if line.values:
                sheet.small(str(int(line.values[0])), min(line.groups[0]))
        else:
            sheet.path(part, (cell for group in line.groups for cell in group))
