"""Strata: coloured ribbons laid over a grid, one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.answers.ribbons import ANY, Ribbon, Ribbons
from pyasp_puzzles.board import EMPTY, LONGEST_NUMBER, at
from pyasp_puzzles.errors import InstanceError, Where, listing, shown
from pyasp_puzzles.laying import LINES, crossings, lattices, looks, names_of, plays, stuck
from pyasp_puzzles.peeling import peel
from pyasp_puzzles.plays import tally
from pyasp_puzzles.puzzle import Instance, Obstacle, Puzzle, View
from pyasp_puzzles.symbols import text
from pyasp_puzzles.vocabulary import Facts, Predicate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.sections import Sections
    from pyasp_puzzles.vocabulary import Entry

LARGEST_BOARD = 62_500
"""Crossings of the largest board that is taken on."""
NAMELESS = "any"
"""The one colour of a palette that is neither given nor on the board; `encodings/modes` say so too."""


def facts(sections: Sections) -> Iterator[Entry]:
    """Yield the facts of a board: `tiles`, `palette`; keep `colors`, the names that people have for them."""
    board, palette = sections.board("tiles"), sections.strings("palette")
    empty = {EMPTY, "_"} if palette is None else {EMPTY, "_", "0"} - set(palette)
    tiles = [(cell, token, place) for cell, token, place in board.cells() if token not in empty]
    if any("#" in row for row in board.rows):
        raise sections.error("tiles", "# is outside the board, expected every cell crossed by two ribbons")
    names = sections.table("colors")
    if palette is None:
        palette = sorted({token for _, token, _ in tiles} | set(names)) or [NAMELESS]
    colors = set(palette)
    unknown = next((name for name in names if name not in colors), None)
    if unknown is not None:
        raise sections.error("colors", f"{shown(unknown)} is not in the palette, expected {listing(palette)}")
    sections.extras["colors"] = names
    for name, lines in (("row", board.rows), ("col", board.rows[0])):
        yield from ((name, (i,), sections.place("tiles")) for i in range(1, len(lines) + 1))
    yield from (("color", (color,), sections.place("palette")) for color in palette)
    yield from (("tile", (*cell, token), place) for cell, token, place in tiles)


def validate(facts: Facts) -> None:
    """Refuse boards that have gaps between their lines, tiles off the board, or tiles of no colour of the palette."""
    sides = {}
    for name, line in LINES.items():
        lines = sorted(f.arguments[0].number for f in facts.of(name))
        if not lines or lines != list(range(1, lines[-1] + 1)):
            raise InstanceError(f"the {line}s are {listing(map(str, lines[:9]), 'and')}, expected 1 to n", facts.where)
        sides[name] = len(lines)
    if sides["row"] * sides["col"] > LARGEST_BOARD:
        raise InstanceError(f"too large a board, expected at most {LARGEST_BOARD} crossings", facts.where)
    palette = {f.arguments[0] for f in facts.of("color")}
    for cell, color in facts.cells("tile").items():
        place = facts.place("tile", *cell)
        if cell[0] > sides["row"] or cell[1] > sides["col"]:
            raise InstanceError(f"{at(cell)}: a tile off the board of {sides['row']}x{sides['col']}", place)
        if palette and color not in palette:
            message = f"{at(cell)}: color {shown(text(color))} is not in the palette"
            raise InstanceError(f"{message}, expected {listing(sorted(map(text, palette)))}", place)


def read(instance: Instance, words: str, where: Where) -> Ribbons:
    """Read a laying order, bottom to top: a line each like `row 2 blue`, without a colour for any.

    Raises:
        InstanceError: no line of the board, a line twice, or a colour that is not in the palette.
    """
    names = names_of(instance)
    tokens = {text(f.arguments[-1]) for name in ("color", "tile") for f in instance.facts.of(name)}
    meant = {name: token for token, name in names.items()} | {token: token for token in tokens} | {ANY: None, "": None}
    order: dict[tuple[str, int], Ribbon] = {}
    for i, words_of_line in enumerate(words.split("\n")):
        place = Where(where.source, (where.line or 1) + i)
        line, number, color = _parts(words_of_line)
        if not line:
            continue
        if line not in {"row", "column", "col"} or not (number.isdecimal() and len(number) <= LONGEST_NUMBER):
            message = f"{shown(words_of_line.strip())} is no ribbon, expected `row 2 blue` or `column 1`"
            raise InstanceError(message, place)
        name, index = "row" if line == "row" else "col", int(number)
        if color not in meant:
            raise InstanceError(
                f"color {shown(color)} is not in the palette, expected {listing(sorted(tokens))}", place
            )
        if (index,) not in instance.facts.arguments(name) or (name, index) in order:
            problem = "is laid twice" if (name, index) in order else "is not on the board"
            raise InstanceError(f"{LINES[name]} {index} {problem}, expected each line once", place)
        order[name, index] = Ribbon(LINES[name], index, meant[color])
    return Ribbons(tuple(order.values()), names)


def _parts(line: str) -> tuple[str, str, str]:
    """Return the line, the number and the colour of a ribbon, as they are written: `3. row 2 light blue`."""
    numbered, dot, rest = line.strip().partition(".")
    words = (rest if dot and numbered.isdecimal() else line).split()
    return words[0] if words else "", words[1] if len(words) > 1 else "", " ".join(words[2:])


PUZZLE = Puzzle(
    name="strata",
    summary="Lay a ribbon along each row and column, so that each coloured cell shows its colour on top.",
    encoding="strata",
    predicates=(
        Predicate("row", ("row",), unique=1),
        Predicate("col", ("column",), unique=1),
        Predicate("color", ("name",), unique=1),
        Predicate("tile", ("row", "column", "name"), unique=2),
    ),
    views={
        "lattices": View(("over/2", "ribbon/2"), lattices, decided=crossings, possible=crossings),
        "plays": View(("after/2", "paint/2"), plays, "strata-plays", tally),
        "looks": View(("look/3",), looks, "strata-looks"),
    },
    obstacle=Obstacle("strata-peel", ("stuck/2",), stuck),
    steps=peel,
    required="row",
    facts=facts,
    validate=validate,
    read=read,
)
