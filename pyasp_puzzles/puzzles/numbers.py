"""Answers that are a number in each cell, and the candidates of each cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.symbols import fact, integers
from pyasp_puzzles.boards.grid import EMPTY, Cell, at, filled_in, number
from pyasp_puzzles.errors import EncodingError, InstanceError
from pyasp_puzzles.puzzles.answer import Answer
from pyasp_puzzles.puzzles.layout import layout
from pyasp_puzzles.puzzles.puzzle import Entry, View

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.facts import Facts
    from pyasp_puzzles.errors import Where
    from pyasp_puzzles.puzzles.declaration import Declaration
    from pyasp_puzzles.puzzles.keys import Key, Range, Shape
    from pyasp_puzzles.puzzles.layout import Layout
    from pyasp_puzzles.puzzles.puzzle import Instance, Puzzle
    from pyasp_puzzles.puzzles.step import Sketch, Sketcher
    from pyasp_puzzles.render.text import Style


@dataclass(frozen=True, repr=False)
class Numbers(Answer):
    """A number in each cell of a board, or in some of them."""

    values: Mapping[Cell, int]
    board: Layout = field(compare=False, repr=False)

    def __hash__(self) -> int:
        return hash(frozenset(self.values.items()))

    def json(self) -> dict[str, object]:
        """Return `{"grid": rows}`, null outside the board."""
        return {"grid": self.board.rows(self.values)}

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the board in a frame."""
        return self.board.draw({cell: str(value) for cell, value in self.values.items()}, style, marked)

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.board.cells

    def cells(self) -> Mapping[Cell, int]:
        """Return the number of each cell."""
        return self.values


@dataclass(frozen=True, repr=False)
class Candidates(Answer):
    """The numbers that each cell may hold, in ascending order."""

    candidates: Mapping[Cell, tuple[int, ...]]
    board: Layout = field(compare=False, repr=False)

    def __hash__(self) -> int:
        return hash(frozenset(self.candidates.items()))

    def json(self) -> dict[str, object]:
        """Return `{"candidates": rows}`, where a cell is the list of its numbers; null outside the board."""
        return {"candidates": self.board.rows({cell: list(values) for cell, values in self.candidates.items()})}

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the board in a frame, with all numbers of a cell."""
        gap = "" if all(value < 10 for values in self.candidates.values() for value in values) else ","
        labels = {cell: gap.join(map(str, values)) or EMPTY for cell, values in self.candidates.items()}
        return self.board.draw(labels, style, marked)

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.board.cells

    def cells(self) -> Mapping[Cell, int]:
        """Return the number of each cell that has only one."""
        return {cell: values[0] for cell, values in self.candidates.items() if len(values) == 1}


LARGEST_SEARCH = 500_000
"""Candidates, a number in a cell each, of the largest board that is taken on; it grounds in some ten seconds."""
MOST_ATOMS = 200_000
"""Atoms of which is remembered what they say; to ask clingo takes longer."""
MOST_LEFT = 4
"""Characters of the numbers that are left in a cell, up to which a step shows them."""


def kind(declaration: Declaration, answer: Mapping[str, Any], keys: Sequence[Key]) -> NumbersKind:
    """Return the kind of answer that a table `[answer]` declares: `output`, and the `range` of the numbers."""
    del keys
    name = declaration.output(answer, "value(R, C, V)", 3, "range")
    words = declaration.get(answer, str, "answer", "range")
    return NumbersKind(name, None if words is None else declaration.range(words, "answer", "range"))


@dataclass(frozen=True)
class NumbersKind:
    """A number in each cell: `name(R, C, V)` says that V is in row R, column C."""

    output: str
    range: Range | None
    """The numbers that a cell may hold, if the declaration says so."""
    decides = False

    @cached_property
    def views(self) -> Mapping[str, View]:
        """The one view there is."""
        view = View((f"{self.output}/3",), self.decoder, possible=self.candidates, sketcher=self.sketcher)
        return {"grids": view}

    def check(self, puzzle: Puzzle, facts: Facts, shape: Shape) -> None:
        """Refuse boards that are too large."""
        largest = self.range.largest(puzzle.keys, shape) if self.range else None
        low = self.range.low if self.range else 0
        candidates = sum(largest(cell) + 1 - low for cell in shape.cells) if largest else len(shape.cells)
        if candidates > LARGEST_SEARCH:
            message = f"too large a board, with {candidates} numbers to consider, expected at most {LARGEST_SEARCH}"
            raise InstanceError(message, facts.where)

    def decoder(self, instance: Instance) -> Callable[[Sequence[Symbol]], Numbers]:
        """Return the function from `value(R, C, V)` atoms to the filled board."""
        board = layout(instance)
        said = self._reader(board)

        def decode(atoms: Sequence[Symbol]) -> Numbers:
            pairs = said(atoms)
            values = dict(pairs)
            if len(values) < len(pairs):
                cell, value = next((cell, value) for cell, value in pairs if values[cell] != value)
                raise EncodingError(f"an answer set has two numbers, {value} and {values[cell]}, in {at(cell)}")
            return Numbers(values, board)

        return decode

    def candidates(self, instance: Instance) -> Callable[[Sequence[Symbol]], Candidates]:
        """Return the function from `value(R, C, V)` atoms of several answers to the numbers of each cell."""
        board = layout(instance)
        said = self._reader(board)

        def decode(atoms: Sequence[Symbol]) -> Candidates:
            found: dict[Cell, list[int]] = {cell: [] for cell in board.cells}
            for cell, value in said(atoms):
                found[cell].append(value)
            return Candidates({cell: tuple(sorted(values)) for cell, values in found.items()}, board)

        return decode

    def _reader(self, board: Layout) -> Callable[[Sequence[Symbol]], list[tuple[Cell, int]]]:
        """Return the function from atoms to the cells and the numbers that they say; other atoms are left out."""
        cells, known = board.cells, _known(self.output)

        def said(atoms: Sequence[Symbol]) -> list[tuple[Cell, int]]:
            pairs = list(filter(None, map(known, atoms)))
            outside = dict(pairs).keys() - cells
            if outside:
                (r, c), value = next(pair for pair in pairs if pair[0] in outside)
                raise EncodingError(f"an answer set says {self.output}({r},{c},{value}), expected a cell of the board")
            return pairs

        return said

    def sketcher(self, instance: Instance, program: Search) -> Sketcher:
        """Return the function that draws a step: the numbers that are known, and of its own cells those left."""
        del program
        board = layout(instance)
        said = self._reader(board)

        def draw(sketch: Sketch, style: Style) -> str:
            labels = {cell: str(value) for cell, value in board.givens.items()}
            for cell, atoms in sketch.left.items():
                values = [str(value) for _, value in said(atoms)]
                label = ("" if all(len(value) == 1 for value in values) else ",").join(values)
                labels[cell] = label if 0 < len(label) <= MOST_LEFT else EMPTY
            labels |= {cell: str(value) for cell, value in said(sketch.placed)}
            return board.draw(labels, style, sketch.marked, sketch.resting)

        return draw

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool) -> Numbers:
        """Return a grid of numbers, some of which may be missing."""
        del whole
        board = layout(instance)
        low = self.range.low if self.range else 1
        empty = {EMPTY, "_", "0"} if low > 0 else {EMPTY, "_"}
        values = {
            cell: number(token, cell, place)
            for cell, token, place in filled_in(words, board.cells, where)
            if token not in empty
        }
        return Numbers(values, board)

    def from_json(self, instance: Instance, said: Mapping[str, Any], where: Where) -> Numbers:
        """Return an answer from `{"grid": rows}`."""
        rows = said["grid"]
        words = "\n".join(" ".join(EMPTY if v is None else str(v) for v in row) for row in rows)
        return self.read(instance, words, where, whole=False)

    def asserted(self, instance: Instance, answer: Answer) -> list[Symbol]:
        """Return nothing: all that an answer says can be assumed."""
        del instance, answer
        return []

    def entries(self, instance: Instance, answer: Answer, program: Search, *, so_far: bool = False) -> list[Entry]:
        """Return an entry a number: it is in its cell, and no other is."""
        del instance, so_far
        atoms: dict[Cell, dict[int, Symbol]] = {}
        for atom in program.atoms(self.output, 3):
            if pair := _said(atom):
                atoms.setdefault(pair[0], {})[pair[1]] = atom
        found = []
        for cell, value in answer.cells().items():
            assert isinstance(value, int)
            here = atoms.get(cell, {})
            others = tuple(atom for other, atom in here.items() if other != value)
            atom = fact(self.output, *cell, value)
            found.append(Entry(f"the {value} in {at(cell)}", atom, (cell,), (here.get(value),), others, value))
        return found

    def open(self, instance: Instance, answer: Answer) -> int:
        """Return how many cells have neither a number nor a given."""
        board = layout(instance)
        return len(set(board.cells) - answer.cells().keys() - board.givens.keys())

    def called(self, value: object) -> str:
        """Return the number with its article."""
        return f"{'an' if str(value) in {'8', '11', '18'} else 'a'} {value}"

    def reader(self, program: Search) -> Callable[[Symbol], tuple[Cell, object] | None]:
        """Return the function from an atom to its cell and its number."""
        del program
        return _known(self.output)

    def name(self, cell: Cell, value: object, *, holds: bool) -> tuple[str, bool]:
        """Return the number, and whether it is not there."""
        del cell
        return str(value), not holds


@lru_cache(maxsize=100)
def _known(output: str) -> Callable[[Symbol], tuple[Cell, int] | None]:
    """Return the function from an atom to what it says; None if it is of another predicate.

    What clingo calls an atom is a number of its own, which needs no call into clingo to be looked up: of a session's
    9x9 Sudoku, which takes 0.35 ms, that saves 0.06.
    """
    found: dict[int, tuple[Cell, int] | None] = {}

    def said(atom: Symbol) -> tuple[Cell, int] | None:
        name = atom._rep  # noqa: SLF001
        try:
            return found[name]
        except KeyError:
            if len(found) >= MOST_ATOMS:
                found.clear()
            pair = found[name] = _said(atom) if atom.match(output, 3) else None
            return pair

    return said


def _said(atom: Symbol) -> tuple[Cell, int]:
    """Return the cell and the number that an atom says.

    Raises:
        EncodingError: they are no integers.
    """
    r, c, value = integers(atom.arguments)
    return (r, c), value
