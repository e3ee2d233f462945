"""`Pieces`: answers that are a board cut into pieces: the encoding says which cells a piece covers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from pyasp_puzzles.asp.symbols import cell_of_symbols, fact_symbol, symbol_table
from pyasp_puzzles.boards.grid import EMPTY, Cell, answer_grid_cells, grid_extent, grouped
from pyasp_puzzles.errors import EncodingError, InstanceError, Where, shown
from pyasp_puzzles.model.answer import Answer, Entry, Piece
from pyasp_puzzles.model.printed import frame_board
from pyasp_puzzles.model.puzzle import AnswerKind, AnswerView
from pyasp_puzzles.puzzles.declaration import declared_output, declared_signature
from pyasp_puzzles.render.text import TextMarks, text_outline

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Self

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.symbols import SymbolTable
    from pyasp_puzzles.boards.toml import Table
    from pyasp_puzzles.model.printed import Printed
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
        found = {other for cell in marked for other in covered.get(cell, (cell,))}
        return TextMarks(found, set(premises) - found, cut)


def piece_cover(pieces: Iterable[tuple[Cell, ...]]) -> dict[Cell, tuple[Cell, ...]]:
    """Return {cell: the cells of the pieces that cover it}, given the cells of each piece.

    Two cells have the same value if the same pieces cover them.
    """
    found: dict[Cell, tuple[Cell, ...]] = {}
    for cells in pieces:
        for cell in cells:
            found[cell] = found.get(cell, ()) + cells
    return found


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
    cells_left_over: ClassVar[bool] = True
    plural: ClassVar[str] = "pieces"
    """What an answer and its JSON call the pieces."""

    @classmethod
    def from_table(cls, answer: Table) -> Self:
        """Return the kind that a table with `output`, `covers`, and the name of a `piece` declares."""
        words, covers = answer.get("output", str), answer.get("covers", str)
        if words is None:
            raise answer.error('there is no output; write one such as "placed(R, C, D, N)"')
        name, arity = declared_signature(answer, "output", words)
        declared_output(answer, words, arity, "covers", "piece")
        if arity < 1 or covers is None:
            message = 'pieces need output = "placed(R, C, D, N)" and covers = "covers(R, C, D, N, R\', C\')"'
            raise answer.error(f"{message}, or the like")
        covers, covered = declared_signature(answer, "covers", covers)
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

        def known(position: StepPosition) -> Pieces:
            pieces = dict.fromkeys(cells_of[atom] for atom in position.placed if cells_of.get(atom))
            return _Placed([*map(Piece, pieces)], printed)

        return known

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Answer:
        """Return the pieces of a grid that names the piece of each cell, or of a line a piece: `1,1 1,2 1,3`."""
        del whole
        printed = instance.printed
        found = grouped((name, cell) for cell, name, _ in read_pieces(printed.cells, words, where))
        return Pieces(tuple(sorted(Piece(tuple(sorted(cells))) for cells in found.values())), printed)

    def typed(self, instance: Instance, table: Mapping[str, Any]) -> str:
        """Return the cells of each of `{"pieces": [{"cells": ...}, ...]}` in a line."""
        del instance
        return "\n".join(" ".join(f"{int(r)},{int(c)}" for r, c in piece["cells"]) for piece in table[self.plural])

    def entries(self, instance: Instance, answer: Answer, search: Search, *, so_far: bool = False) -> list[Entry]:
        """Return an entry for each piece: it is there."""
        del instance, so_far
        atoms = grouped((cells, atom) for atom, cells in self._possible_pieces(search).items())
        found = []
        for cells in (tuple(sorted(piece.cells)) for piece in getattr(answer, self.plural)):
            same = atoms.get(cells, [])
            piece = same.pop(0) if len(same) > 1 else next(iter(same), None)  # each of several pieces on the same cells
            name = piece or self.impossible_atom(cells)
            words = f"the {self.piece} of {len(cells)} that begins at row {cells[0][0]}, column {cells[0][1]}"
            words = words if piece else f"{words}, which is no {self.piece} of this puzzle"
            found.append(Entry(words, name, cells, (piece,), (), str(name)))
        return found

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
