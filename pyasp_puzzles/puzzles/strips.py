"""Black and White strips: cut a coloured board into strips, no two alike."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from pyasp_puzzles.answers.strips import Placements, Strip, Strips
from pyasp_puzzles.board import EMPTY, Cell, at, fill, in_shape, parse, tokens
from pyasp_puzzles.errors import EncodingError, InstanceError, Where, shown
from pyasp_puzzles.puzzle import Instance, Puzzle, View
from pyasp_puzzles.render.frame import frame
from pyasp_puzzles.render.style import MARKED, RESTING, Style
from pyasp_puzzles.symbols import fact, integers, texts
from pyasp_puzzles.vocabulary import Facts, Predicate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.sections import Sections
    from pyasp_puzzles.step import Sketch, Sketcher
    from pyasp_puzzles.vocabulary import Entry

USUAL_LENGTH = 3
"""The longest strip, where the instance says nothing."""
LARGEST_SEARCH = 2_000_000
"""Cells of the board times the square of the longest strip, at most; such a board grounds in some seconds."""


def facts(sections: Sections) -> Iterator[Entry]:
    """Yield the facts of a board: `tiles`, `longest`, `strips`; keep `letters`, one a cell where it is known."""
    board, longest, listed = sections.board("tiles"), sections.integer("longest"), sections.strings("strips")
    for cell, token, place in board.cells():
        if token == EMPTY:
            raise InstanceError(f"{at(cell)}: '.' is no color, expected a color, or # outside the board", place)
        yield "tile", (*cell, token), place
    letters = sections.grid("letters")
    if letters is not None:
        known = in_shape(letters, board, "letters")
        sections.extras["letters"] = {cell: letter for cell, letter, _ in known if letter != EMPTY}
    strips = [tokens(strip) for strip in listed or ()]
    for i, strip in enumerate(strips, 1):
        if not strip or not all(color.isprintable() for color in strip):
            raise sections.error("strips", f"strip {i} is {shown(strip)}, expected a color a cell, such as 'wwb'")
        yield from (("strip", (i, j, color), sections.place("strips")) for j, color in enumerate(strip, 1))
    if longest is None:
        longest = max(map(len, strips), default=USUAL_LENGTH)
    yield "longest", (longest,), sections.place("longest")


def validate(facts: Facts) -> None:
    """Refuse boards that say no length, lists with gaps, and listed strips that are too long."""
    lengths = [f.arguments[0].number for f in facts.of("longest")]
    if len(lengths) != 1 or lengths[0] < 1:
        problem = f"longest is {lengths[0]}" if lengths else "no longest(N)"
        raise InstanceError(f"{problem}, expected how many cells a strip may have, 1 or more", facts.place("longest"))
    cells = len(facts.cells("tile"))
    if cells * min(lengths[0], cells) ** 2 > LARGEST_SEARCH or len(list(facts.of("strip"))) ** 2 > LARGEST_SEARCH:
        limit = f"at most {LARGEST_SEARCH} cells times the longest strip squared"
        raise InstanceError(f"too large a board, expected {limit}", facts.where)
    listed: dict[int, set[int]] = {}
    for f in facts.of("strip"):
        listed.setdefault(f.arguments[0].number, set()).add(f.arguments[1].number)
    for i, places in listed.items():
        if places != set(range(1, len(places) + 1)):
            raise InstanceError(f"strip {i} has no cell 1 to {max(places)}", facts.place("strip", i, max(places)))
        if len(places) > lengths[0]:
            message = f"strip {i} has {len(places)} cells, expected at most {lengths[0]} as longest says"
            raise InstanceError(message, facts.place("strip", i, 1))


def decoder(instance: Instance) -> Callable[[Sequence[Symbol]], Strips]:
    """Return the function from `placed` atoms to strips, in the order of their first cells."""
    colors = texts(instance.facts.cells("tile"))
    board = frozenset(colors)

    @cache
    def said(atom: Symbol) -> Strip | None:
        if not atom.match("placed", 4):
            return None
        start, length = atom.arguments[:2], atom.arguments[3]
        (r, c), [n] = integers(start), integers([length])
        down = atom.arguments[2] == fact("down")
        cells = tuple((r + i * down, c + i * (not down)) for i in range(min(n, len(board) + 1)))
        if not cells or not board.issuperset(cells):
            raise EncodingError(f"an answer set says {atom}, expected a strip on the board")
        return _strip(cells, colors)

    def decode(atoms: Sequence[Symbol]) -> Strips:
        return Strips(tuple(sorted(filter(None, map(said, atoms)))), board)

    return decode


def placements(instance: Instance) -> Callable[[Sequence[Symbol]], Placements]:
    """Return the function from the `placed` atoms of several answers to the strips that lie there."""
    decode = decoder(instance)
    return lambda atoms: Placements(decode(atoms))


def sketcher(instance: Instance) -> Sketcher:
    """Return the function that draws a step: the colours of the cells, with walls around the strips that lie there."""
    colors = texts(instance.facts.cells("tile"))
    decode = decoder(instance)
    wide = max(map(len, colors.values())) + 2

    def draw(sketch: Sketch, style: Style) -> str:
        contents = {}
        strips = decode(sketch.placed).cells()
        walls: dict[Cell, tuple[Cell, ...]] = dict.fromkeys(colors, ())
        marked = {other for cell in sketch.marked for other in strips.get(cell, [cell])}
        for cell, color in colors.items():
            sign = "**" if cell in marked else "[]" if cell in sketch.resting else "  "
            code = [MARKED] if cell in marked else [RESTING] if cell in sketch.resting else []
            label = f" {color} " if style.color else f"{sign[0]}{color}{sign[1]}"
            contents[cell] = style.paint(f"{label:>{wide}}", *code)
        return frame(walls | strips, contents, wide)

    return draw


def _strip(cells: tuple[Cell, ...], colors: dict[Cell, str]) -> Strip:
    pattern = [colors.get(cell, "?") for cell in cells]
    return Strip(cells, ("" if all(len(color) == 1 for color in pattern) else " ").join(pattern))


def read(instance: Instance, words: str, where: Where) -> Strips:
    """Read a board cut up: a grid that has one name in all cells of a strip, `.` where it is not cut yet.

    Or a line a strip, its cells in order: `1,1 1,2 1,3`; such strips may overlap.

    Raises:
        InstanceError: another shape than the board's, or cells that are no straight strip.
    """
    colors = texts(instance.facts.cells("tile"))
    strips: dict[str, list[Cell]] = {}
    for cell, name, place in _listed(words, colors, where) if "," in words else _drawn(words, colors, where):
        cells = strips.setdefault(name, [])
        if cells and not _continues(cells, cell):
            message = f"{at(cell)}: strip {shown(name)} has a cell at {at(cells[-1])} too, expected a straight strip"
            raise InstanceError(message, place)
        cells.append(cell)
    laid = sorted(map(tuple, strips.values()))
    twice = next((cells for cells, following in pairwise(laid) if cells == following), None)
    if twice is not None:
        raise InstanceError(f"the strip at {at(twice[0])} is there twice, expected each strip once", where)
    return Strips(tuple(_strip(cells, colors) for cells in laid), frozenset(colors))


def _drawn(words: str, colors: Mapping[Cell, str], where: Where) -> Iterator[tuple[Cell, str, Where]]:
    """Yield the cells of a grid of names, each with the name of its strip."""
    cells = in_shape(parse(words, where), parse(fill(colors, {}), where), "the answer")
    yield from ((cell, token, place) for cell, token, place in cells if token != EMPTY)


def _listed(words: str, colors: Mapping[Cell, str], where: Where) -> Iterator[tuple[Cell, str, Where]]:
    """Yield the cells of strips that are written as lists of cells, each with the number of its strip."""
    for i, line in enumerate(words.split("\n")):
        place = Where(where.source, (where.line or 1) + i)
        for pair in line.split():
            r, _, c = pair.partition(",")
            cell = (int(r), int(c)) if r.isdecimal() and c.isdecimal() and len(pair) < 20 else (0, 0)
            if cell not in colors:
                raise InstanceError(f"{shown(pair)} is no cell of the board, expected row,column", place)
            yield cell, str(i + 1), place


def _continues(cells: list[Cell], cell: Cell) -> bool:
    """Tell whether a cell is the next of a straight strip, rightwards or downwards."""
    (r, c), (row, column) = cells[-1], cell
    step = (row - r, column - c)
    return step in {(0, 1), (1, 0)} and (len(cells) == 1 or (r - cells[-2][0], c - cells[-2][1]) == step)


PUZZLE = Puzzle(
    name="strips",
    summary="Cut a coloured board into straight strips, no two of which have the same pattern.",
    encoding="strips",
    predicates=(
        Predicate("tile", ("row", "column", "name"), unique=2),
        Predicate("longest", ("number",), unique=0),
        Predicate("strip", ("number", "number", "name"), unique=2),
    ),
    views={"cuts": View(("placed/4",), decoder, possible=placements, sketcher=sketcher)},
    required="tile",
    facts=facts,
    validate=validate,
    read=read,
    side_by_side=True,
)
