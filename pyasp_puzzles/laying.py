"""Strata's answer sets to answers: laying orders, pictures, and what holds in several of them."""

from __future__ import annotations

from functools import cache
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from .answers.picture import Picture
from .answers.ribbons import Crossings, Ribbon, Ribbons
from .errors import EncodingError, listing
from .grid import at
from .render.picture import picture
from .render.style import Style
from .symbols import integers, text, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from clingo import Symbol

    from .grid import Cell
    from .puzzle import Instance

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
