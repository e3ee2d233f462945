"""Clues in the formats of f-puzzles, SudokuMaker and Interactive Sudoku Solver: groups of cells, and values.

FormatClue  FormatClue([[(1, 1), (1, 2)]], ["10"]): a cage. Clones have several groups; an arrow has its head and its
            line. A number outside has its place, (0, 3) above column 3, and on a diagonal also the first cell it sees
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pyasp_puzzles.boards.grid import Cell, cell_named, cell_place, nearest_cell
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.formats.exchange import Draft, joined_variants
from pyasp_puzzles.puzzles.keys.lines import key_line_text
from pyasp_puzzles.puzzles.keys.outside import DIAGONALS, outside_labels, outside_labels_by_side, outside_lines_by_place

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.model.puzzle import Variant


class FormatClue(NamedTuple):
    """A clue of a key of a board."""

    groups: Sequence[Sequence[Cell]]
    values: Sequence[str] = ()

    @property
    def cells(self) -> Sequence[Cell]:
        """The cells of its first group."""
        return self.groups[0]

    @property
    def way(self) -> str:
        """The direction from the place of a number outside to the first cell that it sees."""
        ((r, c),), ((row, column),) = self.groups
        return next(way for way, step in DIAGONALS.items() if step == (row - r, column - c))

    @property
    def shaft(self) -> list[Cell]:
        """The line of an arrow, from the nearest cell of its head on."""
        head, line = self.groups
        return [nearest_cell(head, line[0]), *line]


def diagonal_clue_groups(place: Cell, way: str) -> list[list[Cell]]:
    """Return the groups of a clue at a place outside the board that looks in a direction, such as "dr"."""
    return [[place], [(place[0] + DIAGONALS[way][0], place[1] + DIAGONALS[way][1])]]


class FormatClueName(NamedTuple):
    """What a variant says of its constraint in a format: `iss = "Modular 3"`."""

    variant: Variant
    name: str
    words: Sequence[str]
    """What follows its name."""
    flags: Collection[str] = ()
    """Further words, which mean the same for every variant."""

    @property
    def key(self) -> Key:
        """Its key, if it has one."""
        return self.variant.keys[0]


def format_clue_names(
    known: Mapping[str, Variant], format_: str, is_flag: Callable[[str], bool] = lambda _: False
) -> list[FormatClueName]:
    """Return what variants say of a format."""
    found = []
    for one in (one for one in known.values() if format_ in one.formats):
        name, *words = str(one.formats[format_]).split()
        found.append(FormatClueName(one, name, [w for w in words if not is_flag(w)], [w for w in words if is_flag(w)]))
    return found


class FormatClueForm(NamedTuple):
    """How clues of a form are written in a format, without their values."""

    read: Callable[..., Iterable[Sequence[Iterable[Cell]]]]
    """Yields the groups of cells of the clues in a part of a text."""
    write: Callable[..., Iterable[dict[str, Any]]]
    """Yields the parts of a clue."""


def format_clue_form(key: Key) -> str:
    """Return the form of the clues of a key: "labels" or "diagonals" outside, "heads" of arrows, or else its tool."""
    if key.kind.tool == "sight":
        return "diagonals" if key.option("directions") else "labels"
    return "heads" if key.option("head") else key.kind.tool


def format_clues(board: Draft, key: Key) -> list[FormatClue]:
    """Return the clues of a key of a board."""
    if format_clue_form(key) == "labels":
        return [FormatClue([[cell]], [label]) for cell, label in outside_labels(board.layers[key.name], board.size)]
    if key.kind.tool != "sight":
        return [FormatClue(line.groups, line.values) for line in board.lines_of(key.name)]
    found: Any = board.keys[key.name]
    clues = []
    for name, way, _, value in map(str.split, [found] if isinstance(found, str) else found):
        (r, c), (y, x) = cell_named(name) or (0, 0), DIAGONALS[way]
        clues.append(FormatClue([[(r - y, c - x)], [(r, c)]], [value]))
    return clues


class FormatClues:
    """The variants and clues of a board of `side` rows, while a text is read."""

    def __init__(self, side: int, known: Mapping[str, Variant]) -> None:
        self.side = side
        self.known = known
        self.variants: list[str] = []
        self.lost: list[str] = []
        """What is not read."""
        self._found: dict[str, Any] = {}
        """The lines of a key, or its labels by their places."""

    def add(self, key: Key, *groups: Iterable[Cell], value: object = "") -> None:
        """Add a clue; a number outside without a value adds nothing, but its place is checked.

        Raises:
            InstanceError: a number outside is beside no line of the board, or another one is at its place.
        """
        lines: Any = self._found.setdefault(key.name, {} if format_clue_form(key) == "labels" else [])
        none = value in {None, ""}
        if key.kind.tool != "sight":
            words = (" > " if key.option("head") else " = ").join(map(key_line_text, groups))
            lines.append(words if none else f"{words} = {value}")
            return
        (place,), *first = map(tuple, groups)
        if not self.is_outside(place, format_clue_form(key)):
            message = f"a number of the {key.name} is at {cell_place(place)}, which is not beside a line of the board"
            raise InstanceError(message)
        if first and not none:
            lines.append(f"{key_line_text(first[0])} {FormatClue([[place], *first]).way} = {value}")
        elif not none and lines.setdefault(place, str(value)) != str(value):
            both = f"{shown(lines[place])} and {shown(value)}"
            raise InstanceError(f"two numbers of the {key.name} are at {cell_place(place)}: {both}")

    def is_outside(self, place: Cell, form: str) -> bool:
        """Return whether a clue may be at a place: a label beside a row or column, others anywhere around the board."""
        if form == "labels":
            return place in outside_lines_by_place((self.side, self.side))
        return not {*place} <= {*range(1, self.side + 1)}

    @property
    def keys(self) -> dict[str, Any]:
        """The keys of the board, as in TOML."""
        size = self.side, self.side
        return {
            name: outside_labels_by_side(one, size) if isinstance(one, dict) else one
            for name, one in self._found.items()
            if one
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The variants without keys."""
        return joined_variants(self.variants, self.known)
