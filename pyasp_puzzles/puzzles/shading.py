"""`Shading`: answers that say which cells of a board are shaded."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.symbols import cell_of_symbols, fact_symbol, negated_symbol, symbol_table
from pyasp_puzzles.boards import figure
from pyasp_puzzles.boards.figure import FIGURE_SIGNS
from pyasp_puzzles.boards.grid import (
    EMPTY,
    SIDE_STEPS,
    Cell,
    answer_grid_cells,
    answer_grid_text,
    cell_place,
    grid_rows,
)
from pyasp_puzzles.errors import EncodingError, InstanceError, shown
from pyasp_puzzles.model.answer import Answer, Entry
from pyasp_puzzles.model.keys import frame_board
from pyasp_puzzles.model.puzzle import AnswerKind, AnswerView
from pyasp_puzzles.puzzles import declaration, wording
from pyasp_puzzles.render.text import SHADE_TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Self

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.symbols import SymbolTable
    from pyasp_puzzles.boards.toml import Table
    from pyasp_puzzles.errors import Where
    from pyasp_puzzles.model.keys import Printed
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.step import StepPosition
    from pyasp_puzzles.render.svg import Drawing
    from pyasp_puzzles.render.text import TextMarks, TextStyle


_UNSHADED, _WALL = "o", FIGURE_SIGNS["wall"]
# How people write a shaded cell, and an unshaded one, besides the names and their first letters.
_SHADED_TOKENS, _UNSHADED_TOKENS = ("x", "X", "▓", "■", "1"), ("o", "O", "-", "·", "0")


@dataclass(frozen=True, repr=False, eq=False)
class Shading(Answer):
    """Whether each cell of a board is shaded; unknown cells are left out."""

    shaded: Mapping[Cell, bool]
    names: tuple[str, str] = field(compare=False)
    """The names of a shaded cell and of another: ("black", "white")."""
    printed: Printed = field(compare=False)
    as_candidates: bool = field(default=False, compare=False)
    """Whether JSON has a list of what each cell may be, in place of null for an unknown cell."""

    def json(self) -> dict[str, object]:
        """Return `{"grid": rows}`, with the two names, null for an unknown cell and outside the board."""
        named = {cell: self.names[not shaded] for cell, shaded in self.shaded.items()}
        if self.as_candidates:
            candidates = {cell: [named[cell]] if cell in named else list(self.names) for cell in self.printed.cells}
            return {"candidates": grid_rows(candidates, self.printed.cells)}
        return {"grid": grid_rows(named, self.printed.cells)}

    def marked_text(self, style: TextStyle, marks: TextMarks) -> str:
        """Return the board in a frame; if some cells are unknown, these are `.`, and unshaded ones are `o`."""
        part = len(self.shaded) < len(self.printed.cells)
        labels = {}
        for cell in self.printed.cells:
            printed = self.printed.texts.get(cell, "")
            if cell not in self.shaded:
                labels[cell] = f" {printed or EMPTY} "
            elif self.shaded[cell]:
                sign = self.printed.look.get("cell")
                labels[cell] = (
                    f" {printed or FIGURE_SIGNS[sign]} " if sign else f"{SHADE_TEXT}{printed or SHADE_TEXT}{SHADE_TEXT}"
                )
            elif cell in self.printed.symbols:
                wall = _WALL if self.printed.symbols[cell] == "wall" else " "
                labels[cell] = f"{wall}{printed}{wall}"
            elif printed:
                labels[cell] = f"·{printed}·" if part else f" {printed} "
            else:
                labels[cell] = f" {_UNSHADED if part else ' '} "
        return frame_board(self.printed, labels, style, marks)

    def drawn_on(self, blank: Drawing) -> Drawing:
        """Return a drawing with the shaded cells; if some cells are unknown, the others have a dot."""
        symbol = self.printed.look.get("cell")
        unknown = {*self.printed.cells} - self.shaded.keys()
        shaded = [cell for cell, is_shaded in self.shaded.items() if is_shaded]
        shading = {} if symbol else dict.fromkeys(shaded, True)
        if unknown:
            # What has a figure needs no dot.
            blank_cells = (
                cell for cell, is_shaded in self.shaded.items() if not is_shaded and cell not in blank.symbols
            )
            shading |= dict.fromkeys(blank_cells, False)
        symbols = {**blank.symbols, **(dict.fromkeys(shaded, symbol) if symbol else {})}
        lit = self._lit(shaded) if self.printed.look.get("light") else ()
        return replace(blank, shading=shading, symbols=symbols, unknown=unknown, lit=lit)

    def _lit(self, shaded: Collection[Cell]) -> set[Cell]:
        """Return the cells in the lines of shaded cells, as far as the next wall or hole."""
        free = {*self.printed.cells} - self.printed.walls
        lit = set(shaded)
        for r, c in shaded:
            for y, x in SIDE_STEPS:
                cell = r + y, c + x
                while cell in free:
                    lit.add(cell)
                    cell = cell[0] + y, cell[1] + x
        return lit

    def cells(self) -> Mapping[Cell, bool]:
        """Return whether each cell is shaded."""
        return self.shaded


@dataclass(frozen=True)
class ShadingKind(AnswerKind):
    """Shaded cells: `name(R, C)` shades row R, column C."""

    output: str
    names: tuple[str, str]
    """The names of a shaded cell and of another."""
    look: Mapping[str, Any] = field(default_factory=dict, hash=False)
    two_valued = True
    data = ("shaded",)
    family = "Shading and objects"

    @classmethod
    def from_table(cls, answer: Table) -> Self:
        """Return the kind that a table with `output` and the names `shaded` and `unshaded` declares."""
        name = declaration.output(answer, "black(R, C)", 2, "shaded", "unshaded", "picture")
        shaded = answer.get("shaded", str) or name
        unshaded = answer.get("unshaded", str)
        names = shaded, unshaded or ("white" if shaded == "black" else f"not {shaded}")
        return cls(name, names, figure.look(answer))

    @property
    def views(self) -> Mapping[str, AnswerView]:
        """The only view."""
        return {"shadings": AnswerView((f"{self.output}/2",), self.decoder)}

    @property
    def _table(self) -> SymbolTable[Cell]:
        return symbol_table(_read, self.output)

    def decode(self, printed: Printed, atoms: Sequence[Symbol]) -> Shading:
        """Return the shaded board."""
        shaded = self._cells(printed, atoms)
        return Shading({cell: cell in shaded for cell in printed.cells}, self.names, printed)

    def _cells(self, printed: Printed, atoms: Sequence[Symbol]) -> set[Cell]:
        """Return the cells that atoms shade."""
        cells = {*self._table.read(atoms)}
        for r, c in cells - {*printed.cells}:
            raise EncodingError(f"an answer set says {self.output}({r},{c}), expected a cell of the board")
        return cells

    def consequences(
        self, instance: Instance, question: str, always: Sequence[Symbol], sometimes: Sequence[Symbol]
    ) -> Shading:
        """Return the cells that are shaded in every answer, and those that are in none."""
        printed = instance.printed
        shaded, possible = self._cells(printed, always), self._cells(printed, sometimes)
        decided = {cell: cell in shaded for cell in printed.cells if cell in shaded or cell not in possible}
        return Shading(decided, self.names, printed, question == "possible")

    def known_at(self, instance: Instance, search: Search) -> Callable[[StepPosition], Shading]:
        """Return the function from a position to the cells that are known to be shaded or not."""
        printed = instance.printed
        open_ = self._table.read(search.atoms(self.output, 2))
        never = dict.fromkeys({*printed.cells} - {*open_} - printed.texts.keys(), False)

        def answer_at(position: StepPosition) -> Shading:
            decided = never | dict.fromkeys(self._cells(printed, position.placed), True)
            return Shading(decided | dict.fromkeys(self._cells(printed, position.excluded), False), self.names, printed)

        return answer_at

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Shading:
        """Return a grid of `x` (shaded), `o` (not) and `.` (unknown; in a whole answer without `o`: not shaded)."""
        printed = instance.printed
        names = [name.lower() for name in self.names]
        firsts = [name[0] for name in names] if names[0][0] != names[1][0] else []
        meaning = dict.fromkeys((*_SHADED_TOKENS, names[0], *firsts[:1]), True)
        if sign := FIGURE_SIGNS.get(self.look.get("cell", "")):
            meaning[sign] = True
        meaning |= dict.fromkeys((*_UNSHADED_TOKENS, names[1], *firsts[1:]), False)
        filled: dict[Cell, bool] = {}
        for cell, token, place in answer_grid_cells(words, printed.cells, where):
            if token in {EMPTY, "_"}:
                continue
            shaded = meaning.get(token, meaning.get(token.lower()))
            if shaded is None:
                message = f"{cell_place(cell)}: {shown(token)} is neither {names[0]} nor {names[1]}"
                raise InstanceError(f"{message}, expected x, o, or . for a cell that is open", place)
            filled[cell] = shaded
        if whole and all(filled.values()):
            filled = {cell: cell in filled for cell in printed.cells}
        return Shading(filled, self.names, printed)

    def typed(self, instance: Instance, table: Mapping[str, Any]) -> str:
        """Return the grid of `{"grid": rows}`, with the names of shaded and other cells, null for an unknown one."""
        meaning = {self.names[0]: "x", self.names[1]: "o", True: "x", False: "o"}
        return answer_grid_text(table["grid"], instance.printed.cells, lambda value: meaning.get(value, str(value)))

    def entries(self, instance: Instance, answer: Answer, search: Search, *, so_far: bool = False) -> list[Entry]:
        """Return an entry for each cell that is known: it is shaded, or it is not."""
        del instance, so_far
        possible = search.atoms(self.output, 2)
        atoms = dict(zip(self._table.read(possible), possible, strict=True))
        cells = answer.cells().items()
        return [
            shading_entry(self.output, self.names, cell, atoms.get(cell), shaded=bool(shaded)) for cell, shaded in cells
        ]

    def value_words(self, value: object) -> str:
        """Return the name of a cell that is shaded, or of one that is not."""
        return self.names[not value]

    def atom_reader(self, instance: Instance, search: Search) -> Callable[[Symbol], tuple[Cell, object] | None]:
        """Return the function from an atom to its cell and the name of a shaded cell."""
        del instance, search
        table = self._table
        return lambda atom: next(((cell, self.names[0]) for cell in table.read([atom])), None)

    def literal_words(self, value: object, *, holds: bool) -> tuple[str, bool]:
        """Return the name of the cell, shaded or not."""
        del value
        return self.names[not holds], False


def shading_entry(output: str, names: tuple[str, str], cell: Cell, atom: Symbol | None, *, shaded: bool) -> Entry:
    """Return the entry of a cell that is shaded, or not, given the atom that shades it: None if no answer does."""
    text, name = f"{wording.of_entry(names[not shaded], 'cell')} in {cell_place(cell)}", fact_symbol(output, *cell)
    if shaded:
        return Entry(text, name, (cell,), (atom,), (), names[0])
    return Entry(text, negated_symbol(name), (cell,), (), (atom,) if atom is not None else (), names[1])


def _read(atom: Symbol, output: str) -> Cell | None:
    """Return the cell of an atom of the output."""
    return cell_of_symbols(atom.arguments) if atom.match(output, 2) else None
