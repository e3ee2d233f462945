"""Strata's answers, and how answer sets are read: laying orders, finished pictures, and what several orders share."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cache
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.symbols import fact, integers, text, texts
from pyasp_puzzles.boards.grid import EMPTY, Cell, at, extent
from pyasp_puzzles.errors import EncodingError, listing
from pyasp_puzzles.puzzles.answer import Answer
from pyasp_puzzles.render.text import DIM, Style, paints, picture

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.puzzles.puzzle import Instance


ANY = "any colour"
"""How the colour of a free ribbon is written."""


@dataclass(frozen=True)
class Ribbon:
    """The ribbon along a line: `line` is "row" or "column", `index` from 1; without a color, any will do."""

    line: str
    index: int
    color: str | None


@dataclass(frozen=True, repr=False)
class Ribbons(Answer):
    """A laying order, bottom to top."""

    order: Sequence[Ribbon]
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    """What people call the colours."""

    def __hash__(self) -> int:
        return hash(tuple(self.order))

    def json(self) -> dict[str, object]:
        """Return `{"ribbons": [...]}`, bottom to top, a null color for any."""
        return {"ribbons": [asdict(ribbon) for ribbon in self.order]}

    def board(self) -> dict[Cell, str | None]:
        """Return what shows in each cell when all is laid: the color of the ribbon on top, None for any."""
        rows = [ribbon.index for ribbon in self.order if ribbon.line == "row"]
        columns = [ribbon.index for ribbon in self.order if ribbon.line == "column"]
        top: dict[Cell, str | None] = {(r, c): None for r in sorted(rows) for c in sorted(columns)}
        for ribbon in self.order:
            i = ribbon.index
            along = [(i, c) for c in columns] if ribbon.line == "row" else [(r, i) for r in rows]
            top |= dict.fromkeys(along, ribbon.color)
        return top

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the laying order, numbered, and the finished board."""
        codes = paints((ribbon.color for ribbon in self.order if ribbon.color is not None), self.names)
        digits = len(str(len(self.order)))
        lines = []
        for step, ribbon in enumerate(self.order, 1):
            color = ribbon.color
            name = style.paint(ANY, DIM) if color is None else style.paint(self.names.get(color, color), codes[color])
            lines.append(f"{step:>{digits}}. {f'{ribbon.line} {ribbon.index}':<{7 + digits}} {name}")
        board = self.board()
        return "\n".join(lines + (["", picture(board, style, codes, marked)] if board else []))

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.board().keys()

    def cells(self) -> dict[Cell, tuple[str, str | None]]:
        """Return which line is on top in each cell, and in which colour."""
        tops: dict[Cell, tuple[str, str | None]] = {}
        for upper, lower in self.crossings():
            cell = (upper.index, lower.index) if upper.line == "row" else (lower.index, upper.index)
            tops[cell] = (upper.line, upper.color)
        return tops

    def crossings(self) -> Iterator[tuple[Ribbon, Ribbon]]:
        """Yield the upper and the lower ribbon of each crossing."""
        for i, upper in enumerate(self.order):
            yield from ((upper, lower) for lower in self.order[:i] if lower.line != upper.line)


def line_of(ribbon: Ribbon) -> Symbol:
    """Return the line that a ribbon lies along as the encoding has it, `row(2)` or `col(2)`."""
    return fact("row" if ribbon.line == "row" else "col", ribbon.index)


@dataclass(frozen=True, repr=False)
class Crossings(Answer):
    """Who may be on top at each crossing, "row" or "column" or both, and the colours that each line may have."""

    tops: Mapping[Cell, tuple[str, ...]]
    ribbons: Mapping[tuple[str, int], tuple[str, ...]]
    """{("row", 2): ("b",)}."""
    names: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __hash__(self) -> int:
        return hash((frozenset(self.tops.items()), frozenset(self.ribbons.items())))

    def json(self) -> dict[str, object]:
        """Return `{"tops": rows, "ribbons": [{"line": ..., "index": ..., "colors": [...]}, ...]}`."""
        rows, columns = extent(self.tops)
        ribbons = [{"line": line, "index": i, "colors": list(colors)} for (line, i), colors in self.ribbons.items()]
        tops = [[list(self.tops[r, c]) for c in range(1, columns + 1)] for r in range(1, rows + 1)]
        return {"tops": tops, "ribbons": ribbons}

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the colours of the lines, and who is on top at each crossing."""
        signs = {(): EMPTY, ("row",): "-", ("column",): "|"}
        lines = ["on top: - the row, | the column, + either, . not known"]
        lines += [picture({cell: signs.get(tops, "+") for cell, tops in self.tops.items()}, style, {}, marked), ""]
        for (line, index), colors in self.ribbons.items():
            names = [self.names.get(color, color) for color in colors]
            lines.append(f"{line} {index}: {' or '.join(names)}")
        return "\n".join(lines).rstrip()

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.tops.keys()

    def cells(self) -> dict[Cell, str]:
        """Return which line is on top in each cell where that is known."""
        return {cell: tops[0] for cell, tops in self.tops.items() if len(tops) == 1}


@dataclass(frozen=True, repr=False)
class Picture(Answer):
    """The colour that shows in each cell of a board."""

    colors: Mapping[Cell, str]
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    """What people call the colours."""

    def __hash__(self) -> int:
        return hash(frozenset(self.colors.items()))

    def json(self) -> dict[str, object]:
        """Return `{"grid": rows}`."""
        rows, columns = extent(self.colors)
        return {"grid": [[self.colors[r, c] for c in range(1, columns + 1)] for r in range(1, rows + 1)]}

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the picture, its rows and columns numbered."""
        return picture(self.colors, style, paints([*self.names, *self.colors.values()], self.names), marked)

    def cells(self) -> Mapping[Cell, str]:
        """Return the colour of each cell."""
        return self.colors


LINES = {"row": "row", "col": "column"}
"""What people call the lines of the encoding."""


def lattices(instance: Instance) -> Callable[[Sequence[Symbol]], Ribbons]:
    """Return the function from `over` and `ribbon` atoms to a laying order, bottom to top.

    Of the orders that one lattice has, it is the one that always lays the first line it can, rows before columns.
    """
    names, lines = names_of(instance), lines_of(instance)
    places, said = [place_of(line) for line in lines], _reader(lines, "over", "ribbon")

    def decode(atoms: Sequence[Symbol]) -> Ribbons:
        colors: dict[int, str] = {}
        above: list[list[int]] = [[] for _ in lines]
        beneath = [0] * len(lines)
        for line, other in filter(None, map(said, atoms)):
            if isinstance(other, str):
                colors[line] = other
            else:
                above[other].append(line)
                beneath[line] += 1
        ready = [line for line, n in enumerate(beneath) if not n]
        order = []
        while ready:
            line = heappop(ready)
            order.append(Ribbon(*places[line], colors.get(line)))
            for upper in above[line]:
                beneath[upper] -= 1
                if not beneath[upper]:
                    heappush(ready, upper)
        if len(order) < len(lines):
            raise EncodingError("an answer set has interwoven ribbons, expected an order in which they are laid")
        return Ribbons(tuple(order), names)

    return decode


def plays(instance: Instance) -> Callable[[Sequence[Symbol]], Ribbons]:
    """Return the function from `after` and `paint` atoms to the laying order that they say, every ribbon coloured."""
    names, lines = names_of(instance), lines_of(instance)
    places, said = [place_of(line) for line in lines], _reader(lines, "after", "paint")

    def decode(atoms: Sequence[Symbol]) -> Ribbons:
        colors: dict[int, str] = {}
        beneath = [0] * len(lines)
        for line, other in filter(None, map(said, atoms)):
            if isinstance(other, str):
                colors[line] = other
            else:
                beneath[line] += 1
        order = sorted(range(len(lines)), key=beneath.__getitem__)
        return Ribbons(tuple(Ribbon(*places[line], colors.get(line)) for line in order), names)

    return decode


def looks(instance: Instance) -> Callable[[Sequence[Symbol]], Picture]:
    """Return the function from `look` atoms to a picture, row by row."""
    names = {text(color): text(color) for color in instance.facts.of("color")} | names_of(instance)

    @cache
    def said(atom: Symbol) -> tuple[Cell, str] | None:
        if not atom.match("look", 3):
            return None
        r, c = integers(atom.arguments[:2])
        return (r, c), text(atom.arguments[2])

    rows, columns = ([line.arguments[0].number for line in instance.facts.of(name)] for name in LINES)
    cells = sorted((r, c) for r in rows for c in columns)

    def decode(atoms: Sequence[Symbol]) -> Picture:
        colors = dict(sorted(filter(None, map(said, atoms))))
        if list(colors) != cells:
            odd = min(colors.keys() ^ set(cells))
            raise EncodingError(
                f"an answer set has no one look for {at(odd)}, expected look(R, C, COLOR) for each cell"
            )
        return Picture(colors, names)

    return decode


def lines_of(instance: Instance) -> list[Symbol]:
    """Return the lines, rows before columns."""
    return [line for name in LINES for line in instance.facts.of(name)]


def place_of(line: Symbol) -> tuple[str, int]:
    """Return what people call a line of the encoding: `("column", 2)`."""
    return LINES[line.name], line.arguments[0].number


def _reader(lines: Sequence[Symbol], above: str, colored: str) -> Callable[[Symbol], tuple[int, int | str] | None]:
    """Return the function from an atom to what it says of lines, by their numbers in the sequence.

    `(0, 3)`: line 0 lies above line 3, `(0, "b")`: line 0 has that colour; None: something else. It is kept, as asking
    clingo what an atom says is slow: a lattice of 5x5 took 350 microseconds, and takes 80.
    """
    number = {line: i for i, line in enumerate(lines)}

    @cache
    def said(atom: Symbol) -> tuple[int, int | str] | None:
        if not (atom.match(above, 2) or atom.match(colored, 2)) or atom.arguments[0] not in number:
            return None
        line, other = atom.arguments
        if atom.name == colored:
            return number[line], text(other)
        return (number[line], number[other]) if other in number else None

    return said


def crossings(instance: Instance) -> Callable[[Sequence[Symbol]], Crossings]:
    """Return the function from the `over` and `ribbon` atoms of several answers to what they say of each crossing."""
    names, lines = names_of(instance), lines_of(instance)
    places, said = [place_of(line) for line in lines], _reader(lines, "over", "ribbon")
    rows, columns = (list(instance.facts.of(name)) for name in LINES)

    def decode(atoms: Sequence[Symbol]) -> Crossings:
        tops: dict[Cell, tuple[str, ...]] = {
            (r.arguments[0].number, c.arguments[0].number): () for r in rows for c in columns
        }
        ribbons: dict[tuple[str, int], tuple[str, ...]] = dict.fromkeys(places, ())
        for line, other in filter(None, map(said, atoms)):
            if isinstance(other, str):
                ribbons[places[line]] = tuple(sorted({*ribbons[places[line]], other}))
            else:
                (name, index), (_, crossed) = places[line], places[other]
                cell = (index, crossed) if name == "row" else (crossed, index)
                tops[cell] = tuple(sorted({*tops[cell], name}))
        return Crossings(tops, {place: colors for place, colors in ribbons.items() if colors}, names)

    return decode


def stuck(instance: Instance, atoms: Sequence[Symbol]) -> str:
    """Return why a board has no answer, given its `stuck` atoms: what is left when no line can be peeled off."""
    names, lines = names_of(instance), lines_of(instance)
    said = _reader(lines, "", "stuck")
    blocked: dict[int, list[str]] = {}
    for line, color in sorted(filter(None, map(said, atoms)), key=str):
        blocked.setdefault(line, []).append(names.get(str(color), str(color)))
    left = {place_of(lines[line]) for line in blocked}
    tiles = texts(instance.facts.cells("tile"))
    board: dict[Cell, str | None] = {
        (r.arguments[0].number, c.arguments[0].number): None
        for r in instance.facts.of("row")
        for c in instance.facts.of("col")
    }
    shown = {cell: tiles[cell] for cell in tiles if {("row", cell[0]), ("column", cell[1])} <= left}
    return "\n".join(
        [
            "Peeled from the top, the ribbons come off until none can: each line that is left needs two colours.",
            picture(board | shown, Style(), {}),
            *(still_shows(lines[line], blocked[line]) for line in sorted(blocked)),
        ]
    )


def still_shows(line: Symbol, colors: Iterable[str]) -> str:
    """Return what blocks a line, in words: the colours that it shows, by what people call them."""
    name, index = place_of(line)
    return f"{name} {index} still shows {listing(colors, 'and')}"


def names_of(instance: Instance) -> dict[str, str]:
    """Return {color: what people call it}."""
    names = instance.extras.get("colors", {})
    assert isinstance(names, dict)
    return names
