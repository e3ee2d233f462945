"""`Areas`: answers that cut a board: each cell belongs to one area, and what the rules call it means nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.symbols import cell_and_name_of_symbol, fact_symbol, symbol_table, symbols_by_entry
from pyasp_puzzles.boards.grid import Cell, cell_place, grid_text, grouped
from pyasp_puzzles.errors import EncodingError
from pyasp_puzzles.model.answer import Answer, Entry
from pyasp_puzzles.model.puzzle import AnswerKind, AnswerView
from pyasp_puzzles.puzzles.declaration import declared_output
from pyasp_puzzles.puzzles.pieces import draw_pieces, piece_cover, read_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
    from typing import Self

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.symbols import SymbolTable
    from pyasp_puzzles.boards.toml import Table
    from pyasp_puzzles.errors import Where
    from pyasp_puzzles.model.printed import Printed
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.step import StepPosition
    from pyasp_puzzles.render.svg import Drawing
    from pyasp_puzzles.render.text import TextMarks, TextStyle


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

    @classmethod
    def from_table(cls, answer: Table) -> Self:
        """Return the kind that a table with `output` and the name of an `area` declares."""
        return cls(declared_output(answer, "area(R, C, A)", 3, "area"), answer.get("area", str) or "area")

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

        def known(position: StepPosition) -> Areas:
            names = dict(self._table.read([*always, *position.placed]))
            return Areas(_by_name(names), instance.printed, growing=True)

        return known

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
        """Return an entry for each cell: it belongs to its area, under a name that all cells of the area may have."""
        del instance, so_far
        assert isinstance(answer, Areas)
        atoms = symbols_by_entry(self._table, search.atoms(self.output, 3))
        names = _names({area: set.intersection(*(set(atoms.get(cell, ())) for cell in area)) for area in answer.areas})
        found = []
        for area in answer.areas:
            name = names.get(area, "")
            for cell in area:
                here = atoms.get(cell, {})
                others = tuple(atom for other, atom in here.items() if other != name)
                words = f"{cell_place(cell)} in the {self.noun} of {len(area)} that begins at {cell_place(area[0])}"
                own = here.get(name)
                found.append(Entry(words, own or fact_symbol(self.output, *cell, name), (cell,), (own,), others, name))
        return found

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
