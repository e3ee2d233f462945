"""Answers that say which cells of a board are shaded."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.symbols import fact, integers, negated
from pyasp_puzzles.boards.grid import EMPTY, Cell, at, filled_in
from pyasp_puzzles.errors import EncodingError, InstanceError, shown
from pyasp_puzzles.puzzles.answer import Answer
from pyasp_puzzles.puzzles.layout import layout
from pyasp_puzzles.puzzles.puzzle import MOST_CELLS, Entry, View

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.facts import Facts
    from pyasp_puzzles.errors import Where
    from pyasp_puzzles.puzzles.declaration import Declaration
    from pyasp_puzzles.puzzles.keys import Key, Shape
    from pyasp_puzzles.puzzles.layout import Layout
    from pyasp_puzzles.puzzles.puzzle import Instance, Puzzle
    from pyasp_puzzles.puzzles.step import Sketch, Sketcher
    from pyasp_puzzles.render.text import Style


SHADE, UNSHADED = "▓", "o"


@dataclass(frozen=True, repr=False)
class Shading(Answer):
    """Whether each cell of a board is shaded; a cell that is left out is open."""

    shaded: Mapping[Cell, bool]
    names: tuple[str, str] = field(compare=False)
    """What people call a shaded cell, and another: ("black", "white")."""
    board: Layout = field(compare=False, repr=False)
    open_as: str = field(default="null", compare=False, repr=False)
    """How JSON has the cells: "null" for an open one, or "both", a list of what each may be."""

    def __hash__(self) -> int:
        return hash(frozenset(self.shaded.items()))

    def json(self) -> dict[str, object]:
        """Return `{"grid": rows}`, with the two names, null for an open cell and outside the board."""
        named = {cell: self.names[not shaded] for cell, shaded in self.shaded.items()}
        if self.open_as == "both":
            both = list(self.names)
            left = {cell: [named[cell]] if cell in named else both for cell in self.board.cells}
            return {"candidates": self.board.rows(left)}
        return {"grid": self.board.rows(named)}

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the board in a frame; an open cell is `.`, and where there are any, others are `o`."""
        return self.board.draw(self.labels(), style, marked)

    def labels(self) -> dict[Cell, str]:
        """Return what stands in each cell."""
        part = len(self.shaded) < len(self.board.cells)
        labels = {}
        for cell in self.board.cells:
            printed = self.board.printed.get(cell, "")
            if cell not in self.shaded:
                labels[cell] = f" {printed or EMPTY} "
            elif self.shaded[cell]:
                labels[cell] = f"{SHADE}{printed or SHADE}{SHADE}"
            elif printed:
                labels[cell] = f"·{printed}·" if part else f" {printed} "
            else:
                labels[cell] = f" {UNSHADED if part else ' '} "
        return labels

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.board.cells

    def cells(self) -> Mapping[Cell, bool]:
        """Return whether each cell is shaded."""
        return self.shaded


SHADED_TOKENS, UNSHADED_TOKENS = ("x", "X", "▓", "■", "1"), ("o", "O", "-", "·", "0")
"""How people write a cell that is shaded, and one that is not, beside the names and their first letters."""


def kind(declaration: Declaration, answer: Mapping[str, Any], keys: Sequence[Key]) -> ShadingKind:
    """Return the kind of answer that a table `[answer]` declares: `output`, and the name of other cells, `unshaded`."""
    del keys
    name = declaration.output(answer, "black(R, C)", 2, "shaded", "unshaded")
    shaded = declaration.get(answer, str, "answer", "shaded") or name
    unshaded = declaration.get(answer, str, "answer", "unshaded")
    return ShadingKind(name, (shaded, unshaded or ("white" if shaded == "black" else f"not {shaded}")))


@dataclass(frozen=True)
class ShadingKind:
    """Shaded cells: `name(R, C)` says that row R, column C is."""

    output: str
    names: tuple[str, str]
    """What people call a shaded cell, and another."""
    decides = True

    @cached_property
    def views(self) -> Mapping[str, View]:
        """The one view there is."""
        view = View((f"{self.output}/2",), self.decoder, bounds=self.bounds, sketcher=self.sketcher)
        return {"shadings": view}

    def check(self, puzzle: Puzzle, facts: Facts, shape: Shape) -> None:
        """Refuse boards that are too large."""
        del puzzle
        if len(shape.cells) > MOST_CELLS:
            raise InstanceError(f"too large a board, expected at most {MOST_CELLS} cells", facts.where)

    def decoder(self, instance: Instance) -> Callable[[Sequence[Symbol]], Shading]:
        """Return the function from the atoms of an answer set to the shaded board."""
        board = layout(instance)

        def decode(atoms: Sequence[Symbol]) -> Shading:
            shaded = self._cells(instance, atoms)
            return Shading({cell: cell in shaded for cell in board.cells}, self.names, board)

        return decode

    def _cells(self, instance: Instance, atoms: Sequence[Symbol]) -> set[Cell]:
        found = set()
        board = instance.puzzle.cells(instance.facts)
        for atom in atoms:
            if atom.match(self.output, 2):
                r, c = integers(atom.arguments)
                if (r, c) not in board:
                    raise EncodingError(f"an answer set says {atom}, expected a cell of the board")
                found.add((r, c))
        return found

    def bounds(self, instance: Instance, always: Sequence[Symbol], ever: Sequence[Symbol], kind: str) -> Shading:
        """Return what holds in every answer: cells that are always shaded, and those that never are."""
        board = layout(instance)
        shaded, possible = self._cells(instance, always), self._cells(instance, ever)
        known = {cell: cell in shaded for cell in board.cells if cell in shaded or cell not in possible}
        return Shading(known, self.names, board, "null" if kind == "decided" else "both")

    def sketcher(self, instance: Instance, program: Search) -> Sketcher:
        """Return the function that draws a step: the cells of which it is known whether they are shaded."""
        del program
        board = layout(instance)

        def draw(sketch: Sketch, style: Style) -> str:
            known = dict.fromkeys(self._cells(instance, sketch.placed), True)
            known |= dict.fromkeys(self._cells(instance, sketch.excluded), False)
            return board.draw(Shading(known, self.names, board).labels(), style, sketch.marked, sketch.resting)

        return draw

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool) -> Shading:
        """Return a grid of `x` (shaded), `o` (not shaded) and `.` (open; in a whole answer without `o`: not shaded)."""
        board = layout(instance)
        names = [name.lower() for name in self.names]
        firsts = [name[0] for name in names] if names[0][0] != names[1][0] else []
        meaning = dict.fromkeys((*SHADED_TOKENS, names[0], *firsts[:1]), True)
        meaning |= dict.fromkeys((*UNSHADED_TOKENS, names[1], *firsts[1:]), False)
        known: dict[Cell, bool] = {}
        for cell, token, place in filled_in(words, board.cells, where):
            if token in {EMPTY, "_"}:
                continue
            shaded = meaning.get(token, meaning.get(token.lower()))
            if shaded is None:
                message = f"{at(cell)}: {shown(token)} is neither {names[0]} nor {names[1]}"
                raise InstanceError(f"{message}, expected x, o, or . for a cell that is open", place)
            known[cell] = shaded
        if whole and all(known.values()):
            known = {cell: cell in known for cell in board.cells}
        return Shading(known, self.names, board)

    def from_json(self, instance: Instance, said: Mapping[str, Any], where: Where) -> Shading:
        """Return an answer from `{"grid": rows}`, with the names of shaded and other cells, null for an open one."""
        meaning = {self.names[0]: "x", self.names[1]: "o", None: EMPTY, True: "x", False: "o"}
        words = "\n".join(" ".join(meaning.get(v, str(v)) for v in row) for row in said["grid"])
        return self.read(instance, words, where, whole=False)

    def asserted(self, instance: Instance, answer: Answer) -> list[Symbol]:
        """Return nothing: all that an answer says can be assumed."""
        del instance, answer
        return []

    def entries(self, instance: Instance, answer: Answer, program: Search, *, so_far: bool = False) -> list[Entry]:
        """Return an entry a cell: it is shaded, or it is not."""
        del instance, so_far
        atoms: dict[Cell, Symbol] = {}
        for atom in program.atoms(self.output, 2):
            r, c = integers(atom.arguments)
            atoms[r, c] = atom
        found = []
        for cell, shaded in answer.cells().items():
            words = f"the {self.names[not shaded]} cell in {at(cell)}"
            name = fact(self.output, *cell)
            if shaded:
                found.append(Entry(words, name, (cell,), (atoms.get(cell),), (), self.names[0]))
            else:
                fails = (atoms[cell],) if cell in atoms else ()
                found.append(Entry(words, negated(name), (cell,), (), fails, self.names[1]))
        return found

    def open(self, instance: Instance, answer: Answer) -> int:
        """Return of how many cells it is not said whether they are shaded."""
        return len(layout(instance).cells) - len(answer.cells())

    def called(self, value: object) -> str:
        """Return the name of a cell that is shaded, or of one that is not."""
        return self.names[not value]

    def reader(self, program: Search) -> Callable[[Symbol], tuple[Cell, object] | None]:
        """Return the function from an atom to its cell and what that is called."""
        del program

        def said(atom: Symbol) -> tuple[Cell, object]:
            r, c = integers(atom.arguments)
            return (r, c), self.names[0]

        return said

    def name(self, cell: Cell, value: object, *, holds: bool) -> tuple[str, bool]:
        """Return what the cell is: shaded or not, by its name."""
        del cell, value
        return self.names[not holds], False
