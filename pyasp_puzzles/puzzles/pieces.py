"""Answers that are a board cut into pieces: the encoding says which cells a piece covers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.symbols import fact, integers
from pyasp_puzzles.boards.grid import EMPTY, Cell, filled_in
from pyasp_puzzles.errors import EncodingError, InstanceError, Where, shown
from pyasp_puzzles.puzzles.answer import Answer
from pyasp_puzzles.puzzles.layout import layout
from pyasp_puzzles.puzzles.puzzle import MOST_CELLS, Entry, View

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.facts import Facts
    from pyasp_puzzles.puzzles.declaration import Declaration
    from pyasp_puzzles.puzzles.keys import Key, Shape
    from pyasp_puzzles.puzzles.layout import Layout
    from pyasp_puzzles.puzzles.puzzle import Instance, Puzzle
    from pyasp_puzzles.puzzles.step import Sketch, Sketcher
    from pyasp_puzzles.render.text import Style


@dataclass(frozen=True, order=True)
class Piece:
    """A piece: its cells in order, and the atom of the output that says so, where it came from one."""

    cells: tuple[Cell, ...]
    atom: str = field(default="", compare=False)


@dataclass(frozen=True, repr=False)
class Pieces(Answer):
    """A board cut into pieces, in the order of their first cells; cells may be left over, or pieces overlap."""

    pieces: Sequence[Piece]
    board: Layout = field(compare=False, repr=False)

    def __hash__(self) -> int:
        return hash(tuple(self.pieces))

    def json(self) -> dict[str, object]:
        """Return `{"pieces": [{"cells": [[row, column], ...], "atom": ...}, ...]}`."""
        return {
            "pieces": [{"cells": [list(cell) for cell in piece.cells], "atom": piece.atom} for piece in self.pieces]
        }

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the board with walls around its pieces, or a line a piece where they overlap."""
        covered = self.cells()
        if len(covered) < sum(len(piece.cells) for piece in self.pieces):
            return "\n".join(" ".join(f"{r},{c}" for r, c in piece.cells) for piece in self.pieces)
        labels = {cell: self.board.printed.get(cell, EMPTY) for cell in self.board.cells}
        walls = dict.fromkeys(self.board.cells, ()) | covered
        return self.board.draw(labels, style, marked, walls=walls)

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.board.cells

    def cells(self) -> dict[Cell, tuple[Cell, ...]]:
        """Return the cells of the piece that covers each cell."""
        return {cell: piece.cells for piece in self.pieces for cell in piece.cells}


def kind(declaration: Declaration, answer: Mapping[str, Any], keys: Sequence[Key]) -> PiecesKind:
    """Return the kind of answer that a table `[answer]` declares: `output`, `covers`, and the name of a `piece`."""
    del keys
    return PiecesKind(*parts(declaration, answer))


def parts(declaration: Declaration, answer: Mapping[str, Any]) -> tuple[str, int, str, str]:
    """Return the output, its number of arguments, the predicate of covered cells, and the name of a piece."""
    words = declaration.get(answer, str, "answer", "output")
    if words is None:
        raise declaration.error('no output, expected one such as "placed(R, C, D, N)"', "answer")
    name, arity = declaration.signature(words, "answer", "output")
    declaration.output(answer, words, arity, "covers", "piece")
    said = declaration.get(answer, str, "answer", "covers")
    if arity < 1 or said is None:
        message = 'pieces need output = "placed(R, C, D, N)" and covers = "covers(R, C, D, N, R\', C\')", or the like'
        raise declaration.error(message, "answer")
    covers, covered = declaration.signature(said, "answer", "covers")
    if covered not in {-1, arity + 2}:
        message = f"covers has {covered} arguments, expected those of the output, a row and a column: {arity + 2}"
        raise declaration.error(message, "answer", "covers")
    return name, arity, covers, declaration.get(answer, str, "answer", "piece") or "piece"


@dataclass(frozen=True)
class PiecesKind:
    """Pieces: each atom of the output is one, and another predicate says which cells it covers."""

    output: str
    arity: int
    covers: str
    piece: str
    """What people call one."""
    decides = False

    @cached_property
    def views(self) -> Mapping[str, View]:
        """The one view there is."""
        view = View((f"{self.output}/{self.arity}",), self.decoder, shows=self.shows, sketcher=self.sketcher)
        return {"cuts": view}

    @property
    def shows(self) -> str:
        """The line by which answer sets show the cells of their pieces."""
        arguments = ",".join(f"X{i}" for i in range(self.arity))
        covered = f"{self.covers}({arguments},R,C)"
        return f"#show {covered} : {self.output}({arguments}), {covered}.\n"

    def check(self, puzzle: Puzzle, facts: Facts, shape: Shape) -> None:
        """Refuse boards that are too large."""
        del puzzle
        if len(shape.cells) > MOST_CELLS:
            raise InstanceError(f"too large a board, expected at most {MOST_CELLS} cells", facts.where)

    def decoder(self, instance: Instance) -> Callable[[Sequence[Symbol]], Answer]:
        """Return the function from the atoms of an answer set to its pieces, in the order of their first cells."""
        board = layout(instance)

        def decode(atoms: Sequence[Symbol]) -> Pieces:
            cells = self._covered(atoms)
            placed = [atom for atom in atoms if atom.match(self.output, self.arity)]
            for atom in placed:
                if not set(cells.get(tuple(atom.arguments), [(0, 0)])) <= set(board.cells):
                    raise EncodingError(
                        f"an answer set says {atom}, expected a {self.piece} that covers cells of the board"
                    )
            found = [Piece(tuple(sorted(cells[tuple(atom.arguments)])), str(atom)) for atom in placed]
            return Pieces(tuple(sorted(found)), board)

        return decode

    def _covered(self, atoms: Iterable[Symbol]) -> dict[tuple[Symbol, ...], list[Cell]]:
        """Return the cells of each piece, by its arguments."""
        found: dict[tuple[Symbol, ...], list[Cell]] = {}
        for atom in atoms:
            if atom.match(self.covers, self.arity + 2):
                *piece, row, column = atom.arguments
                r, c = integers([row, column])
                found.setdefault(tuple(piece), []).append((r, c))
        return found

    def sketcher(self, instance: Instance, program: Search) -> Sketcher:
        """Return the function that draws a step: walls around the pieces that are known."""
        board = layout(instance)
        cells_of = self.cells_of(program)

        def draw(sketch: Sketch, style: Style) -> str:
            covered = {cell: cells_of[atom] for atom in sketch.placed for cell in cells_of.get(atom, ())}
            marked = {other for cell in sketch.marked for other in covered.get(cell, (cell,))}
            labels = {cell: board.printed.get(cell, EMPTY) for cell in board.cells}
            walls = dict.fromkeys(board.cells, ()) | covered
            return board.draw(labels, style, marked, set(sketch.resting) - marked, walls)

        return draw

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool) -> Answer:
        """Return a board cut up: a grid with one name in all cells of a piece; or a line a piece: `1,1 1,2 1,3`."""
        del whole
        found = [Piece(tuple(sorted(cells))) for cells in read_pieces(instance, words, where).values()]
        return Pieces(tuple(sorted(found)), layout(instance))

    def from_json(self, instance: Instance, said: Mapping[str, Any], where: Where) -> Answer:
        """Return an answer from `{"pieces": [{"cells": ...}, ...]}`."""
        lines = [" ".join(f"{int(r)},{int(c)}" for r, c in piece["cells"]) for piece in said["pieces"]]
        return self.read(instance, "\n".join(lines), where, whole=False)

    def asserted(self, instance: Instance, answer: Answer) -> list[Symbol]:
        """Return nothing: all that an answer says can be assumed."""
        del instance, answer
        return []

    def entries(self, instance: Instance, answer: Answer, program: Search, *, so_far: bool = False) -> list[Entry]:
        """Return an entry a piece: it lies there, and no other covers its cells."""
        del instance, so_far
        pieces = [tuple(sorted(cells)) for cells in self.laid(answer)]
        atoms: dict[tuple[Cell, ...], list[Symbol]] = {}
        over: dict[Cell, list[Symbol]] = {}
        for atom, cells in self.cells_of(program).items():
            atoms.setdefault(cells, []).append(atom)
            for cell in cells:
                over.setdefault(cell, []).append(atom)
        laid = {atoms[cells][0] for cells in pieces if cells in atoms}
        found = []
        for cells in pieces:
            piece = next(iter(atoms.get(cells, ())), None)
            others = (other for cell in cells for other in over.get(cell, ()) if other not in laid)
            name = piece or self.unknown(cells)
            words = self.named(cells) if piece else f"{self.named(cells)}, which is no {self.piece} of this puzzle"
            found.append(Entry(words, name, cells, (piece,), tuple(dict.fromkeys(others)), str(name)))
        return found

    @staticmethod
    def laid(answer: Answer) -> list[tuple[Cell, ...]]:
        """Return the cells of each piece of an answer."""
        assert isinstance(answer, Pieces)
        return [piece.cells for piece in answer.pieces]

    def unknown(self, cells: Sequence[Cell]) -> Symbol:
        """Return the name of a piece that no answer has."""
        return fact(self.piece, *(part for cell in cells for part in cell))

    def named(self, cells: Sequence[Cell]) -> str:
        """Return what people call a piece."""
        r, c = cells[0]
        return f"the {self.piece} of {len(cells)} that begins at row {r}, column {c}"

    def cells_of(self, program: Search) -> dict[Symbol, tuple[Cell, ...]]:
        """Return the cells of each piece that there may be."""
        covered = self._covered(program.atoms(self.covers, self.arity + 2))
        placed = program.atoms(self.output, self.arity)
        return {atom: tuple(sorted(covered.get(tuple(atom.arguments), ()))) for atom in placed}

    def open(self, instance: Instance, answer: Answer) -> int:
        """Return how many cells no piece covers."""
        return len(layout(instance).cells) - len(answer.cells())

    def called(self, value: object) -> str:
        """Return nothing: a piece is no replacement for a clue."""
        del value
        return ""

    def reader(self, program: Search) -> Callable[[Symbol], tuple[Cell, object] | None]:
        """Return the function from an atom to the first cell of the piece, and the atom as text."""
        cells = self.cells_of(program)
        return lambda atom: (cells[atom][0], str(atom)) if cells.get(atom) else None

    def name(self, cell: Cell, value: object, *, holds: bool) -> tuple[str, bool]:
        """Return that a piece begins in the cell, and whether it does not."""
        del cell
        return f"the start of {value}", not holds


def read_pieces(instance: Instance, words: str, where: Where) -> dict[str, list[Cell]]:
    """Return the cells of each piece of a board cut up, as they stand there.

    Raises:
        InstanceError: another shape than the board's, or cells that the board does not have.
    """
    board = instance.puzzle.cells(instance.facts)
    found: dict[str, list[Cell]] = {}
    for cell, name, _ in placed_cells(board, words, where):
        found.setdefault(name, []).append(cell)
    return found


def placed_cells(board: Iterable[Cell], words: str, where: Where) -> Iterator[tuple[Cell, str, Where]]:
    """Yield the cells of pieces, each with the name of its piece: of a grid of names, or of a line of cells a piece."""
    members = set(board)
    if "," not in words:
        for cell, token, place in filled_in(words, members, where):
            if token != EMPTY:
                yield cell, token, place
        return
    for i, line in enumerate(words.split("\n")):
        place = Where(where.source, (where.line or 1) + i)
        for pair in line.split():
            r, _, c = pair.partition(",")
            cell = (int(r), int(c)) if r.isdecimal() and c.isdecimal() and len(pair) < 20 else (0, 0)
            if cell not in members:
                raise InstanceError(f"{shown(pair)} is no cell of the board, expected row,column", place)
            yield cell, str(i + 1), place
