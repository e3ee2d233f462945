"""Answers that cut a board: `Pieces`, which may leave cells out; `Strips`, straight pieces with patterns; and `Areas`.

Pieces  the encoding says which cells a piece covers
Strips  those of the Black and White strips; `Placements` are the decided or the possible ones, which may overlap
Areas   each cell belongs to one; answers that differ only in the names of areas are the same
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from clingo.symbol import Function

from pyasp_puzzles.asp.symbols import (
    cell_and_name_of_symbol,
    cell_of_symbols,
    fact_symbol,
    symbol_integers,
    symbol_table,
    symbols_by_entry,
)
from pyasp_puzzles.boards.grid import EMPTY, Cell, answer_grid_cells, cell_place, grid_extent, grid_text, grouped
from pyasp_puzzles.boards.spans import marked_cells, unmarked
from pyasp_puzzles.errors import EncodingError, InstanceError, Where, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.answer import Answer, Entry, Piece, Strip
from pyasp_puzzles.model.keys import frame_board
from pyasp_puzzles.model.puzzle import AnswerKind, AnswerView
from pyasp_puzzles.puzzles import declaration
from pyasp_puzzles.render.text import TextMarks, text_outline

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
    from typing import Self

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.symbols import SymbolTable
    from pyasp_puzzles.boards.toml import Table
    from pyasp_puzzles.model.keys import KeyOutline, Printed
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.step import StepPosition
    from pyasp_puzzles.render.svg import Drawing
    from pyasp_puzzles.render.text import TextStyle


@dataclass(frozen=True, repr=False, eq=False)
class Pieces(Answer):
    """A board cut into pieces, in the order of their first cells; cells may be left over, or pieces overlap."""

    pieces: Sequence[Piece]
    printed: Printed = field(compare=False)

    def __repr__(self) -> str:
        return f"<Pieces {'x'.join(map(str, grid_extent(self.places())))}, {len(self.pieces)} pieces>"

    def json(self) -> dict[str, object]:
        """Return `{"pieces": [{"cells": [[row, column], ...], "atom": ...}, ...]}`."""
        return {
            "pieces": [{"cells": [list(cell) for cell in piece.cells], "atom": piece.atom} for piece in self.pieces]
        }

    def marked_text(self, style: TextStyle, marks: TextMarks) -> str:
        """Return the board with walls around its pieces, or a line for each piece if they overlap."""
        covered = self.cells()
        if len(covered) < sum(len(piece.cells) for piece in self.pieces):
            return "\n".join(" ".join(f"{r},{c}" for r, c in piece.cells) for piece in self.pieces)
        return draw_pieces(self.printed, covered, style, marks)

    def drawn_on(self, blank: Drawing) -> Drawing:
        """Return a drawing with the outlines of the pieces."""
        return replace(blank, pieces=[piece.cells for piece in self.pieces])

    def cells(self) -> dict[Cell, tuple[Cell, ...]]:
        """Return the cells of the piece that covers each cell; if several do, the cells of all, piece by piece."""
        return piece_cover(piece.cells for piece in self.pieces)


class _Placed(Pieces):
    """The pieces that are known at a step: the whole of a piece is marked if one of its cells is."""

    def marked_text(self, style: TextStyle, marks: TextMarks) -> str:
        return draw_pieces(self.printed, self.cells(), style, self._whole(marks.marked, marks.premises, marks.cut))

    def drawn_on(self, blank: Drawing) -> Drawing:
        marks = self._whole(blank.marked, blank.premises, blank.cut)
        return replace(super().drawn_on(blank), **marks._asdict())

    def _whole(self, marked: Collection[Cell], premises: Collection[Cell], cut: Collection[Cell]) -> TextMarks:
        covered = self.cells()
        whole_pieces = {other for cell in marked for other in covered.get(cell, (cell,))}
        return TextMarks(whole_pieces, set(premises) - whole_pieces, cut)


def piece_cover(pieces: Iterable[tuple[Cell, ...]]) -> dict[Cell, tuple[Cell, ...]]:
    """Return {cell: the cells of the pieces that cover it}, given the cells of each piece.

    Two cells have the same value if the same pieces cover them.
    """
    covered: dict[Cell, tuple[Cell, ...]] = {}
    for cells in pieces:
        for cell in cells:
            covered[cell] = covered.get(cell, ()) + cells
    return covered


def draw_pieces(
    printed: Printed,
    covered: Mapping[Cell, tuple[Cell, ...]],
    style: TextStyle,
    marks: TextMarks,
    *,
    narrow: bool = False,
) -> str:
    """Return the board with walls around the pieces, given the cells of the piece that covers each cell."""
    regions = dict.fromkeys(printed.cells, ()) | dict(covered)
    if style.outlines:
        return text_outline(regions)
    labels = {cell: printed.texts.get(cell, EMPTY) for cell in printed.cells}
    return frame_board(printed, labels, style, marks, walls=regions, narrow=narrow)


@dataclass(frozen=True)
class PiecesKind(AnswerKind):
    """Pieces: each atom of the output is one, and another predicate says which cells it covers."""

    output: str
    arity: int
    covers: str
    piece: str
    """What people call one."""
    data = ("pieces",)
    family = "Areas and pieces"
    cells_left_over: ClassVar[bool] = True
    plural: ClassVar[str] = "pieces"
    """What an answer and its JSON call the pieces."""

    @classmethod
    def from_table(cls, answer: Table) -> Self:
        """Return the kind that a table with `output`, `covers`, and the name of a `piece` declares."""
        signature, covers = answer.get("output", str), answer.get("covers", str)
        if signature is None:
            raise answer.error('there is no output; write one such as "placed(R, C, D, N)"')
        name, arity = declaration.signature(answer, "output", signature)
        declaration.output(answer, signature, arity, "covers", "piece")
        if arity < 1 or covers is None:
            message = 'pieces need output = "placed(R, C, D, N)" and covers = "covers(R, C, D, N, R\', C\')"'
            raise answer.error(f"{message}, or the like")
        covers, covered = declaration.signature(answer, "covers", covers)
        if covered not in {-1, arity + 2}:
            message = f"covers has {covered} arguments, expected those of the output, a row and a column: {arity + 2}"
            raise answer.error(message, "covers")
        return cls(name, arity, covers, answer.get("piece", str) or "piece")

    @property
    def views(self) -> Mapping[str, AnswerView]:
        """The only view."""
        return {"cuts": AnswerView((f"{self.output}/{self.arity}",), self.decoder, shows=self.shows)}

    @property
    def shows(self) -> str:
        """The line by which answer sets show the cells of their pieces."""
        piece, covered = self._piece_and_covered
        return f"#show {covered} : {piece}, {covered}.\n"

    @property
    def overlap(self) -> str:
        """Lines that leave only the answers in which pieces share a cell."""
        piece, covered = self._piece_and_covered
        return f"{{ shared_cell(R,C) : {covered} }} >= 1.\n:- shared_cell(R,C), {{ {piece} : {covered} }} < 2.\n"

    @property
    def _piece_and_covered(self) -> tuple[str, str]:
        """A piece, and a cell R,C that it covers, as rules write them."""
        arguments = ",".join(f"X{i}" for i in range(self.arity))
        return f"{self.output}({arguments})", f"{self.covers}({arguments},R,C)"

    def decode(self, printed: Printed, atoms: Sequence[Symbol]) -> Answer:
        """Return the pieces of an answer set, in the order of their first cells."""
        pieces = []
        covered = self._covered(atoms)
        for piece, atom in self._table.read(atoms):
            if isinstance(atom, str):
                cells = covered.get(piece, [(0, 0)])
                if not set(cells) <= set(printed.cells):
                    message = f"an answer set says {atom}, expected a {self.piece} that covers cells of the board"
                    raise EncodingError(message)
                pieces.append(Piece(tuple(sorted(cells)), atom))
        return Pieces(tuple(sorted(pieces)), printed)

    @property
    def _table(self) -> SymbolTable[tuple[str, Cell | str]]:
        return symbol_table(_read, self.output, self.arity, self.covers)

    def _covered(self, atoms: Iterable[Symbol]) -> dict[str, list[Cell]]:
        """Return the cells of each piece, by the arguments of its atom."""
        return grouped((piece, cell) for piece, cell in self._table.read(atoms) if not isinstance(cell, str))

    def known_at(self, instance: Instance, search: Search) -> Callable[[StepPosition], Pieces]:
        """Return the function from a position to the pieces that are known."""
        printed, cells_of = instance.printed, self._possible_pieces(search)

        def answer_at(position: StepPosition) -> Pieces:
            pieces = dict.fromkeys(cells_of[atom] for atom in position.placed if cells_of.get(atom))
            return _Placed([*map(Piece, pieces)], printed)

        return answer_at

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Answer:
        """Return the pieces of a grid that names the piece of each cell, or of a line a piece: `1,1 1,2 1,3`."""
        del whole
        printed = instance.printed
        pieces = grouped((name, cell) for cell, name, _ in read_pieces(printed.cells, words, where))
        return Pieces(tuple(sorted(Piece(tuple(sorted(cells))) for cells in pieces.values())), printed)

    def typed(self, instance: Instance, table: Mapping[str, Any]) -> str:
        """Return the cells of each of `{"pieces": [{"cells": ...}, ...]}` in a line."""
        del instance
        return "\n".join(" ".join(f"{int(r)},{int(c)}" for r, c in piece["cells"]) for piece in table[self.plural])

    def entries(self, instance: Instance, answer: Answer, search: Search, *, so_far: bool = False) -> list[Entry]:
        """Return an entry for each piece: it is there."""
        del instance, so_far
        atoms = grouped((cells, atom) for atom, cells in self._possible_pieces(search).items())
        entries = []
        for cells in (tuple(sorted(piece.cells)) for piece in getattr(answer, self.plural)):
            same = atoms.get(cells, [])
            piece = same.pop(0) if len(same) > 1 else next(iter(same), None)  # each of several pieces on the same cells
            name = piece or self.impossible_atom(cells)
            text = f"the {self.piece} of {len(cells)} that begins at row {cells[0][0]}, column {cells[0][1]}"
            text = text if piece else f"{text}, which is no {self.piece} of this puzzle"
            entries.append(Entry(text, name, cells, (piece,), (), str(name)))
        return entries

    def closed(self, entries: Sequence[Entry], search: Search) -> list[Entry]:
        """Return the entries; each excludes the other pieces that cover its cells."""
        covering = grouped((cell, atom) for atom, cells in self._possible_pieces(search).items() for cell in cells)
        placed = {atom for entry in entries for atom in entry.holds}
        return [
            entry._replace(
                fails=tuple(
                    dict.fromkeys(
                        other for cell in entry.cells for other in covering.get(cell, ()) if other not in placed
                    )
                )
            )
            for entry in entries
        ]

    def impossible_atom(self, cells: Sequence[Cell]) -> Symbol:
        """Return an atom for a piece that no answer has."""
        return fact_symbol(self.piece, *(part for cell in cells for part in cell))

    def _possible_pieces(self, search: Search) -> dict[Symbol, tuple[Cell, ...]]:
        """Return the cells of each piece that is possible."""
        covered = self._covered(search.atoms(self.covers, self.arity + 2))
        placed = search.atoms(self.output, self.arity)
        pieces = (piece for piece, _ in self._table.read(placed))
        return {atom: tuple(sorted(covered.get(piece, ()))) for atom, piece in zip(placed, pieces, strict=True)}

    def atom_reader(self, instance: Instance, search: Search) -> Callable[[Symbol], tuple[Cell, object] | None]:
        """Return the function from an atom to the first cell of the piece, and the atom as text."""
        del instance
        cells = self._possible_pieces(search)
        return lambda atom: (cells[atom][0], str(atom)) if cells.get(atom) else None

    def literal_words(self, value: object, *, holds: bool) -> tuple[str, bool]:
        """Return the words for a piece that starts in the cell, and whether to negate them."""
        return f"the start of {value}", not holds


def read_pieces(printed: Iterable[Cell], words: str, where: Where) -> Iterator[tuple[Cell, str, Where]]:
    """Yield the cells of pieces, each with the name of its piece: from a grid of names, or a line of cells a piece.

    Raises:
        InstanceError: another outline than the board's, or cells that the board does not have.
    """
    members = set(printed)
    if not words.strip():
        return
    if "," not in words:
        for cell, token, place in answer_grid_cells(words, members, where):
            if token != EMPTY:
                yield cell, token, place
        return
    for i, line in enumerate(words.split("\n")):
        place = Where(where.source, (where.line or 1) + i)
        for pair in line.split():
            r, _, c = pair.partition(",")
            cell = (int(r), int(c)) if r.isdecimal() and c.isdecimal() and len(pair) < 20 else (0, 0)
            if cell not in members:
                raise InstanceError(f"{shown(pair)} is not a cell of the board, expected row,column", place)
            yield cell, str(i + 1), place


def _read(atom: Symbol, output: str, arity: int, covers: str) -> tuple[str, Cell | str] | None:
    """Return what an atom tells about a piece, by the arguments of its own atom.

    This is `("2,1", "placed(2,1)")` for the piece itself, and `("2,1", (1, 3))` for a cell that it covers.
    """
    if atom.match(output, arity):
        return ",".join(map(str, atom.arguments)), str(atom)
    if not atom.match(covers, arity + 2):
        return None
    *piece, row, column = atom.arguments
    return ",".join(map(str, piece)), cell_of_symbols([row, column])


# The most cells times the square of the longest strip; a board of that size grounds in some seconds.
_MOST_STRIPS = 2_000_000


@dataclass(frozen=True, repr=False, eq=False)
class Strips(Answer):
    """A board cut into strips, in the order of their first cells."""

    strips: Sequence[Strip]
    printed: Printed = field(compare=False)
    left: tuple[Cell, ...] = field(default=(), compare=False)
    """The cells that a whole answer leaves uncovered."""

    def json(self) -> dict[str, object]:
        """Return `{"strips": [{"cells": ..., "pattern": ...}, ...]}`, and `"left": ...` if cells are left."""
        strips = [{"cells": [list(cell) for cell in cells], "pattern": p} for cells, p in self.strips]
        return {"strips": strips} | ({"left": [*map(list, self.left)]} if self.left else {})

    def marked_text(self, style: TextStyle, marks: TextMarks) -> str:
        """Return the board with walls around the strips, or a line for each strip if some overlap."""
        covered = self.cells()
        if len(covered) == sum(len(strip.cells) for strip in self.strips):
            covered |= {cell: (cell,) for cell in self.left}
            board = draw_pieces(self.printed, covered, style, marks, narrow=not marks.marked and not style.words)
            return f"{board}\nLeft: {unmarked(marked_cells(self.left))}" if self.left else board
        lines = []
        for cells, pattern in self.strips:
            (r, c), (row, column) = cells[0], cells[-1]
            rows = f"row {r}" if r == row else f"rows {r}-{row}"
            columns = f"column {c}" if c == column else f"columns {c}-{column}"
            lines.append(f"{rows}, {columns}: {pattern}")
        return "\n".join(lines)

    def drawn_on(self, blank: Drawing) -> Drawing:
        """Return a drawing with the outlines of the strips."""
        return replace(blank, pieces=[strip.cells for strip in self.strips])

    def cells(self) -> dict[Cell, tuple[Cell, ...]]:
        """Return the cells of the strip that covers each cell; if several do, the cells of all, strip by strip."""
        return piece_cover(strip.cells for strip in self.strips)


@dataclass(frozen=True, repr=False, eq=False)
class Placements(Strips):
    """The strips of several answers; they may overlap."""


@dataclass(frozen=True)
class StripsKind(PiecesKind):
    """Strips: pieces `placed(R, C, D, N)` of N cells from R,C on, to the right or down."""

    side_by_side = True
    plural = "strips"
    data = ("strips",)
    shows = ""

    def check(self, outline: KeyOutline) -> None:
        """Raise `InstanceError` for boards with too many possible strips."""
        longest = max((int(n) for (n,) in outline.facts.arguments("longest")), default=1)
        cells = len(outline.cells)
        if cells * min(longest, cells) ** 2 > _MOST_STRIPS or len(outline.facts.arguments("strip")) ** 2 > _MOST_STRIPS:
            limit = f"at most {_MOST_STRIPS} cells times the longest strip squared"
            raise InstanceError(f"the board is too large: it may have {limit}", outline.facts.where)

    def decoder(self, instance: Instance) -> Callable[[Sequence[Symbol]], Strips]:
        """Return the function from `placed` atoms to strips, in the order of their first cells."""
        colors, printed = instance.facts.names("tile"), instance.printed

        def strip(cells: tuple[Cell, ...]) -> Strip:
            if not cells or not all(map(colors.__contains__, cells)):
                place = f"at {cell_place(cells[0])}" if cells else "without cells"
                raise EncodingError(f"an answer set has a strip {place}, expected strips on the board")
            return _strip(cells, colors)

        def decode(atoms: Sequence[Symbol]) -> Strips:
            strips = tuple(map(strip, sorted(symbol_table(_cells).read(atoms))))
            return Strips(strips, printed, _left(instance, strips))

        return decode

    def consequences(
        self, instance: Instance, question: str, always: Sequence[Symbol], sometimes: Sequence[Symbol]
    ) -> Strips:
        """Return the strips in every answer (`decided`), or in any (`possible`)."""
        decode = self.decoder(instance)
        kind, atoms = (Strips, always) if question == "decided" else (Placements, sometimes)
        return kind(decode(atoms).strips, instance.printed)

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Strips:
        """Return the strips of a board cut up, written as for pieces.

        Raises:
            InstanceError: a piece is not straight, or there twice.
        """
        colors = instance.facts.names("tile")
        strips: dict[str, list[Cell]] = {}
        for cell, name, place in read_pieces(colors, words, where):
            cells = strips.setdefault(name, [])
            if cells and not _continues(cells, cell):
                message = f"{cell_place(cell)}: strip {shown(name)} has a cell at {cell_place(cells[-1])} too"
                raise InstanceError(f"{message}, expected a straight strip", place)
            cells.append(cell)
        placed = sorted(map(tuple, strips.values()))
        twice = next((cells for cells, following in pairwise(placed) if cells == following), None)
        if twice is not None:
            raise InstanceError(f"the strip at {cell_place(twice[0])} is there twice; write each strip once", where)
        answer = tuple(_strip(cells, colors) for cells in placed)
        return Strips(answer, instance.printed, _left(instance, answer) if whole else ())

    def impossible_atom(self, cells: Sequence[Cell]) -> Symbol:
        """Return the atom of a strip that no answer has: it is too long, or runs off the board."""
        down = len(cells) > 1 and cells[0][1] == cells[1][1]
        return fact_symbol(self.output, *cells[0], Function("down" if down else "right"), len(cells))


def _cells(atom: Symbol) -> tuple[Cell, ...] | None:
    """Return the cells of a strip that is placed."""
    if not atom.match("placed", 4):
        return None
    row, column, direction, length = atom.arguments
    r, c, n = symbol_integers([row, column, length])
    down = direction.name == "down"
    return tuple((r + i * down, c + i * (not down)) for i in range(min(n, Limits.LONGEST_SIDE + 1)))


def _strip(cells: tuple[Cell, ...], colors: Mapping[Cell, str]) -> Strip:
    pattern = [colors.get(cell, "?") for cell in cells]
    letters = "".join(pattern)
    return Strip(cells, letters if len(letters) == len(cells) else " ".join(pattern))


def _left(instance: Instance, strips: Iterable[Strip]) -> tuple[Cell, ...]:
    """Return the cells that strips leave uncovered, if a board may have such cells."""
    if not (instance.facts.arguments("left") or instance.facts.arguments("optional")):
        return ()
    return tuple(sorted({*instance.facts.names("tile")} - piece_cover(strip.cells for strip in strips).keys()))


def _continues(cells: Sequence[Cell], cell: Cell) -> bool:
    """Return whether a cell is the next of a straight strip, to the right or down."""
    (r, c), (row, column) = cells[-1], cell
    step = (row - r, column - c)
    return step in {(0, 1), (1, 0)} and (len(cells) == 1 or (r - cells[-2][0], c - cells[-2][1]) == step)


@dataclass(frozen=True, repr=False, eq=False)
class Areas(Answer):
    """The areas of a board, or parts of some, in the order of their first cells."""

    areas: Sequence[tuple[Cell, ...]]
    """The cells of each, in order."""
    printed: Printed = field(compare=False)
    growing: bool = field(default=False, compare=False)
    """Whether these are parts of areas, as far as they are known."""

    def json(self) -> dict[str, object]:
        """Return `{"areas": [{"cells": [[row, column], ...]}, ...]}`."""
        return {"areas": [{"cells": [list(cell) for cell in area]} for area in self.areas]}

    def marked_text(self, style: TextStyle, marks: TextMarks) -> str:
        """Return the board with walls around its areas."""
        return draw_pieces(self.printed, self.cells(), style, marks)

    def drawn_on(self, blank: Drawing) -> Drawing:
        """Return a drawing with the outlines of the areas."""
        return replace(blank, pieces=self.areas, growing=self.growing)

    def cells(self) -> dict[Cell, tuple[Cell, ...]]:
        """Return the cells of the area of each cell."""
        return piece_cover(self.areas)


@dataclass(frozen=True)
class AreasKind(AnswerKind):
    """Areas: `name(R, C, A)` says that row R, column C belongs to the area that the rules call A."""

    output: str
    noun: str
    """What people call an area."""
    data = ("areas",)
    family = "Areas and pieces"

    @classmethod
    def from_table(cls, answer: Table) -> Self:
        """Return the kind that a table with `output` and the name of an `area` declares."""
        return cls(declaration.output(answer, "area(R, C, A)", 3, "area"), answer.get("area", str) or "area")

    @property
    def views(self) -> Mapping[str, AnswerView]:
        """The only view: answers are the same if the same neighbours share an area."""
        return {"cuts": AnswerView((f"{self.output}/3",), self.decoder, shows=self._neighbours)}

    @property
    def _neighbours(self) -> str:
        """Lines by which answer sets that differ only in what areas are called are one."""
        together = "together_(R,C,R',C')"
        areas = f"{self.output}(R,C,A), {self.output}(R',C',A)"
        return f"{together} :- {areas}, (R',C') = (R+1,C;R,C+1).\n#project together_/4.\n"

    @property
    def _table(self) -> SymbolTable[tuple[Cell, str]]:
        return symbol_table(cell_and_name_of_symbol, self.output)

    def decode(self, printed: Printed, atoms: Sequence[Symbol]) -> Areas:
        """Return the areas of an answer set."""
        pairs = self._table.read(atoms)
        names = dict(pairs)
        if len(names) < len(pairs):
            cell = next(cell for cell, name in pairs if names[cell] != name)
            raise EncodingError(f"an answer set has two areas with {cell_place(cell)}, expected one")
        if not names.keys() <= {*printed.cells}:
            r, c = min(names.keys() - {*printed.cells})
            raise EncodingError(f"an answer set has an area with ({r},{c}), expected cells of the board")
        return Areas(_by_name(names), printed)

    def consequences(
        self, instance: Instance, question: str, always: Sequence[Symbol], sometimes: Sequence[Symbol]
    ) -> Areas:
        """Return the cells whose area is the same in every answer; all cells that areas may have, if `possible`."""
        if question == "decided":
            return self.decode(instance.printed, always)
        cells = grouped((name, cell) for cell, name in self._table.read(sometimes))
        return Areas(tuple(sorted(tuple(sorted(area)) for area in cells.values())), instance.printed)

    def known_at(self, instance: Instance, search: Search) -> Callable[[StepPosition], Areas]:
        """Return the function from a position to what is known of each area."""
        always = [atom for atom, literal in search.atoms(self.output, 3).items() if not literal]

        def answer_at(position: StepPosition) -> Areas:
            names = dict(self._table.read([*always, *position.placed]))
            return Areas(_by_name(names), instance.printed, growing=True)

        return answer_at

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Areas:
        """Return the areas of a grid that names the area of each cell, or of a line an area: `1,1 1,2 1,3`."""
        del whole
        names = {cell: name for cell, name, _ in read_pieces(instance.printed.cells, words, where)}
        return Areas(_by_name(names), instance.printed)

    def typed(self, instance: Instance, table: Mapping[str, Any]) -> str:
        """Return `{"areas": [{"cells": ...}, ...]}` as a grid of names, A for the first area."""
        names = {
            (int(r), int(c)): _letters(number) for number, area in enumerate(table["areas"]) for r, c in area["cells"]
        }
        return grid_text(instance.printed.cells, names)

    def entries(self, instance: Instance, answer: Answer, search: Search, *, so_far: bool = False) -> list[Entry]:
        """Return an entry for each cell: it belongs to its area; see `_possible_names` for what that is called."""
        del instance, so_far
        assert isinstance(answer, Areas)
        atoms = symbols_by_entry(self._table, search.atoms(self.output, 3))
        terms = {name: atom.arguments[2] for here in atoms.values() for name, atom in here.items()}
        names = _names({area: _possible_names(area, atoms) for area in answer.areas})
        entries = []
        for area in answer.areas:
            name = names.get(area, "")
            for cell in area:
                here = atoms.get(cell, {})
                others = tuple(atom for other, atom in here.items() if other != name)
                text = f"{cell_place(cell)} in the {self.noun} of {len(area)} that begins at {cell_place(area[0])}"
                belongs = here.get(name)
                atom = belongs or fact_symbol(self.output, *cell, terms.get(name, name))
                entries.append(Entry(text, atom, (cell,), (belongs,), others, name))
        return entries

    def atom_reader(self, instance: Instance, search: Search) -> Callable[[Symbol], tuple[Cell, object] | None]:
        """Return the function from an atom to its cell and what its area is called."""
        del instance, search
        return self._table.read_one

    def literal_words(self, value: object, *, holds: bool) -> tuple[str, bool]:
        """Return that a cell is in an area, and whether to negate it."""
        return f"in {self.noun} {value}", not holds


def _by_name(names: Mapping[Cell, Hashable]) -> tuple[tuple[Cell, ...], ...]:
    """Return the cells of each area, given what its cells call it."""
    return tuple(sorted(map(tuple, grouped((names[cell], cell) for cell in sorted(names)).values())))


def _letters(number: int) -> str:
    """Return the name of a number from 0 on, as spreadsheets name columns: A to Z, AA, AB."""
    more, last = divmod(number, 26)
    return (_letters(more - 1) if more else "") + chr(ord("A") + last)


def _possible_names(area: Sequence[Cell], names: Mapping[Cell, Collection[str]]) -> Collection[str]:
    """Return the names that an area may have, given those that the area of each cell may have.

    If an area may be named by one of its own cells, the first such cell is the only name.
    """
    own = [name for r, c in area if (name := f"({r},{c})") in names.get((r, c), ())]
    return own[:1] or set.intersection(*(set(names.get(cell, ())) for cell in area))


def _names(possible: Mapping[tuple[Cell, ...], Collection[str]]) -> dict[tuple[Cell, ...], str]:
    """Return a name that each area may have, no name twice, for as many areas as possible.

    Source: the matching of a bipartite graph by augmenting paths.
    """
    owner: dict[str, tuple[Cell, ...]] = {}

    def give(area: tuple[Cell, ...], tried: set[str]) -> bool:
        for name in sorted(possible[area]):
            if name not in tried:
                tried.add(name)
                if name not in owner or give(owner[name], tried):
                    owner[name] = area
                    return True
        return False

    for area in sorted(possible, key=lambda area: len(possible[area])):
        give(area, set())
    return {area: name for name, area in owner.items()}
