"""`Numbers`: answers with a number in each cell; and `Candidates`, those of each cell."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.symbols import fact_symbol, symbol_integers, symbol_table, symbols_by_entry
from pyasp_puzzles.boards import figure, regions
from pyasp_puzzles.boards.figure import FIGURE_SIGNS
from pyasp_puzzles.boards.grid import (
    EMPTY,
    Cell,
    answer_grid_cells,
    answer_grid_text,
    cell_place,
    connected_cells,
    grid_number,
    grid_rows,
    grouped,
)
from pyasp_puzzles.errors import EncodingError, InstanceError, shown
from pyasp_puzzles.model.answer import Answer, Entry
from pyasp_puzzles.model.keys import KeyOutline, empty_key_tokens, frame_board, number_words
from pyasp_puzzles.model.puzzle import AnswerKind, AnswerView
from pyasp_puzzles.puzzles import declaration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.symbols import SymbolTable
    from pyasp_puzzles.boards.toml import Table
    from pyasp_puzzles.errors import Where
    from pyasp_puzzles.model.keys import KeyRange, Printed
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.step import StepPosition
    from pyasp_puzzles.render.svg import Drawing
    from pyasp_puzzles.render.text import TextMarks, TextStyle

# Candidates of all cells of the largest board; it grounds in about ten seconds.
_MOST_CANDIDATES = 500_000
# Characters of the candidates of a cell that the picture of a step shows.
_LONGEST_LABEL = 4
# The name of the number of cells that stay blank, and characters that are no names.
_NO_NUMBER = "-"
_TAKEN = frozenset("0123456789._?#*()[]{} \t")


@dataclass(frozen=True, repr=False, eq=False)
class Numbers(Answer):
    """A number in each cell of a board, or in some of them."""

    values: Mapping[Cell, int]
    printed: Printed = field(compare=False)
    regions: Mapping[Cell, str] = field(default_factory=dict)
    """The region of each cell, where the answer tells regions: named in the order of their first cells."""

    def json(self) -> dict[str, object]:
        """Return `{"grid": rows}`, null outside the board; with regions, also `"regions"`."""
        found: dict[str, object] = {"grid": grid_rows(self.values, self.printed.cells)}
        return {**found, "regions": grid_rows(self.regions, self.printed.cells)} if self.regions else found

    def marked_text(self, style: TextStyle, marks: TextMarks) -> str:
        """Return the board in a frame."""
        labels = {cell: self.printed.name(value) for cell, value in self.values.items()}
        bordered = self.printed.look.get("borders") and len(labels) == len(self.printed.cells)
        parts = _groups(self.printed, self.values) if bordered else []
        walls = {cell: i for i, part in enumerate(parts) for cell in part} or self._numbered_regions() or None
        return frame_board(self.printed, labels, style, marks, walls=walls)

    def _numbered_regions(self) -> dict[Cell, int]:
        """Return the number of the region of each cell, if all are known."""
        complete = len(self.regions) == len(self.printed.cells)
        return {cell: int(name) for cell, name in self.regions.items()} if complete else {}

    def drawn_on(self, blank: Drawing) -> Drawing:
        """Return a drawing with the numbers; with `borders`, walls are between different ones.

        An empty cell has a dot if other cells are unknown.
        """
        names = {cell: self.printed.name(value) for cell, value in self.values.items()}
        empty = [cell for cell, name in names.items() if name == _NO_NUMBER]
        unknown = {*self.printed.cells} - names.keys() - self.printed.givens.keys() - self.printed.walls
        figures: Mapping[str, str] = self.printed.look.get("cell", {})
        symbols = {cell: figures[name] for cell, name in names.items() if name in figures}
        drawing = replace(
            blank,
            values={cell: name for cell, name in names.items() if name != _NO_NUMBER and cell not in symbols},
            symbols={**blank.symbols, **symbols},
            shading=dict.fromkeys(empty if unknown else (), False),
        )
        if found := self._numbered_regions():
            return replace(drawing, pieces=[*grouped((i, cell) for cell, i in sorted(found.items())).values()])
        bordered = self.printed.look.get("borders")
        return replace(drawing, pieces=_groups(self.printed, self.values), growing=True) if bordered else drawing

    def cells(self) -> Mapping[Cell, int]:
        """Return the number of each cell."""
        return self.values


@dataclass(frozen=True, repr=False, eq=False)
class Candidates(Answer):
    """The candidates of each cell, in ascending order."""

    candidates: Mapping[Cell, tuple[int, ...]]
    printed: Printed = field(compare=False)

    def json(self) -> dict[str, object]:
        """Return `{"candidates": rows}`, where a cell is the list of its candidates; null outside the board."""
        lists = {cell: list(values) for cell, values in self.candidates.items()}
        return {"candidates": grid_rows(lists, self.printed.cells)}

    def marked_text(self, style: TextStyle, marks: TextMarks) -> str:
        """Return the board in a frame, with all candidates of a cell."""
        gap = "" if all(value < 10 for values in self.candidates.values() for value in values) else ","
        labels = {cell: gap.join(map(self.printed.name, values)) or EMPTY for cell, values in self.candidates.items()}
        return frame_board(self.printed, labels, style, marks)

    def drawn_on(self, blank: Drawing) -> Drawing:
        """Return a drawing with the candidates as small numbers; a cell with only one has it as its number."""
        several = ((cell, values) for cell, values in self.candidates.items() if len(values) > 1)
        notes = {cell: [*map(self.printed.name, values)] for cell, values in several}
        return replace(Numbers(self.cells(), self.printed).drawn_on(blank), pieces=blank.pieces, notes=notes)

    def cells(self) -> Mapping[Cell, int]:
        """Return the number of each cell that has only one candidate."""
        return {cell: values[0] for cell, values in self.candidates.items() if len(values) == 1}


@dataclass(frozen=True, repr=False, eq=False)
class _Noted(Numbers):
    """The numbers that are known at a step, and the candidates of its cells."""

    notes: Mapping[Cell, Sequence[str]] = field(default_factory=dict)
    struck: Mapping[Cell, Sequence[str]] = field(default_factory=dict)
    """The candidates that the step rules out."""

    def marked_text(self, style: TextStyle, marks: TextMarks) -> str:
        labels = {cell: self.printed.name(value) for cell, value in self.printed.givens.items()}
        for cell, values in self.notes.items():
            label = ("" if all(len(value) == 1 for value in values) else ",").join(values)
            labels[cell] = label if 0 < len(label) <= _LONGEST_LABEL else EMPTY
        labels |= {cell: self.printed.name(value) for cell, value in self.values.items()}
        return frame_board(self.printed, labels, style, marks)

    def drawn_on(self, blank: Drawing) -> Drawing:
        filled = self.values.keys() | self.printed.givens.keys()
        notes = {cell: values for cell, values in self.notes.items() if cell not in filled}
        return replace(super().drawn_on(blank), notes=notes, struck=self.struck)


@dataclass(frozen=True)
class NumbersKind(AnswerKind):
    """A number in each cell: `name(R, C, V)` puts V in row R, column C; and perhaps regions, `area(R, C, K)`."""

    output: str
    range: KeyRange | None
    """The numbers that a cell may hold, if they are declared."""
    look: Mapping[str, Any] = field(default_factory=dict, hash=False)
    regions: str = ""
    """The predicate of the region of each cell, if answers tell it: its argument K is the number of the region."""
    data = ("values", "candidates")
    family = "Numbers"

    @classmethod
    def from_table(cls, answer: Table) -> Self:
        """Return the kind that a table with `output` and the `range` of the numbers declares."""
        output = declaration.output(answer, "value(R, C, V)", 3, "range", "names", "picture", "regions")
        divided = answer.get("regions", str)
        regions_ = declaration.signature(answer, "regions", divided) if divided else ("", 3)
        if regions_[1] != 3:
            raise answer.error(f"regions is {shown(divided)}, expected a predicate such as 'area(R, C, K)'", "regions")
        look = {**figure.look(answer), "names": _names(answer)}
        return cls(output, declaration.key_range(answer, "range"), look, regions_[0])

    @property
    def views(self) -> Mapping[str, AnswerView]:
        """The only view."""
        outputs = (self.output, self.regions) if self.regions else (self.output,)
        return {"grids": AnswerView(tuple(f"{output}/3" for output in outputs), self.decoder)}

    def numbers(self, outline: KeyOutline) -> Sequence[int] | None:
        """Return the numbers that the cells of a board may hold, in ascending order, if they are declared."""
        numbers = self.range.numbers(outline, listed=True) if self.range else None
        return max(map(numbers, outline.cells), key=len, default=()) if numbers else None

    def check(self, outline: KeyOutline) -> None:
        """Raise `InstanceError` for boards with too many candidates."""
        numbers = self.range.numbers(outline, listed=True) if self.range else None
        candidates = sum(len(numbers(cell)) for cell in outline.cells) if numbers else len(outline.cells)
        if candidates > _MOST_CANDIDATES:
            message = f"the board is too large: it has {candidates} candidates, and may have at most {_MOST_CANDIDATES}"
            raise InstanceError(message, outline.facts.where)

    def decode(self, printed: Printed, atoms: Sequence[Symbol]) -> Numbers:
        """Return the filled board."""
        pairs = self._pairs(printed, atoms)
        values = dict(pairs)
        if len(values) < len(pairs):
            cell, value = next((cell, value) for cell, value in pairs if values[cell] != value)
            raise EncodingError(f"an answer set has two numbers, {value} and {values[cell]}, in {cell_place(cell)}")
        return Numbers(values, printed, self._regions(atoms))

    def _regions(self, atoms: Sequence[Symbol]) -> dict[Cell, str]:
        """Return the region of each cell, as atoms tell it."""
        if not self.regions:
            return {}
        found = dict(symbol_table(_read, self.regions).read(atoms))
        return {cell: str(found[cell]) for cell in sorted(found)}

    def candidates(self, instance: Instance, atoms: Sequence[Symbol]) -> Candidates:
        """Return the candidates of each cell, given the atoms of several answer sets."""
        printed = instance.printed
        candidates: dict[Cell, list[int]] = {cell: [] for cell in printed.cells}
        for cell, value in self._pairs(printed, atoms):
            candidates[cell].append(value)
        return Candidates({cell: tuple(sorted(values)) for cell, values in candidates.items()}, printed)

    def consequences(
        self, instance: Instance, question: str, always: Sequence[Symbol], sometimes: Sequence[Symbol]
    ) -> Answer:
        """Return the numbers in every answer (`decided`), or the candidates (`possible`)."""
        return self.decoder(instance)(always) if question == "decided" else self.candidates(instance, sometimes)

    @property
    def _table(self) -> SymbolTable[tuple[Cell, int]]:
        return symbol_table(_read, self.output)

    def _pairs(self, printed: Printed, atoms: Sequence[Symbol]) -> list[tuple[Cell, int]]:
        """Return the cell and the number of each atom of the output."""
        pairs = self._table.read(atoms)
        if not dict(pairs).keys() <= printed.cells:  # type: ignore[operator]
            (r, c), value = next(pair for pair in pairs if pair[0] not in printed.cells)
            raise EncodingError(f"an answer set says {self.output}({r},{c},{value}), expected a cell of the board")
        return pairs

    def known_at(self, instance: Instance, search: Search) -> Callable[[StepPosition], Numbers]:
        """Return the function from a position to the known numbers, and the candidates in the cells of its step."""
        del search
        printed = instance.printed

        def answer_at(position: StepPosition) -> Numbers:
            values = dict(self._pairs(printed, position.placed))
            notes = {
                cell: [printed.name(value) for _, value in self._pairs(printed, atoms)]
                for cell, atoms in position.candidates.items()
            }
            struck = grouped((cell, printed.name(value)) for cell, value in self._pairs(printed, position.eliminated))
            return _Noted(values, printed, notes=notes, struck=struck)

        return answer_at

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Numbers:
        """Return the numbers of a grid, in which some may be missing; those of a whole answer are in their range."""
        words, divided = self._divided(instance, words, where)
        printed, walls = instance.printed, instance.printed.walls
        empty = empty_key_tokens(self.range, instance.outline.digits)
        numbers = {name: number for number, name in self.look["names"].items()}
        filled = {
            cell: (numbers[token] if token in numbers else grid_number(token, cell, place), place)
            for cell, token, place in answer_grid_cells(words, printed.cells, where, framed=True)
            if token not in empty and not (cell in walls and token in {FIGURE_SIGNS["wall"], printed.texts[cell]})
        }
        if whole and self.range:
            range_of = self.range.numbers(instance.outline, listed=True)
            for cell, (value, place) in filled.items():
                if value not in range_of(cell):
                    expected = number_words(range_of(cell))
                    raise InstanceError(f"{cell_place(cell)}: {value} is out of range, expected {expected}", place)
        answer = Numbers({cell: value for cell, (value, _) in filled.items()}, printed, divided)
        return (whole and self.with_blanks(answer)) or answer

    def _divided(self, instance: Instance, words: str, where: Where) -> tuple[str, dict[Cell, str]]:
        """Return the numbers of a text, and the regions in a second grid, after an empty line, if it has one."""
        numbers, _, names = words.strip().partition("\n\n")
        if not (self.regions and names.strip()):
            return words, {}
        board = instance.printed.cells
        named = {cell: name for cell, name, _ in answer_grid_cells(names, board, where) if name != EMPTY}
        return numbers, regions.numbered(named)

    def typed(self, instance: Instance, table: Mapping[str, Any]) -> str:
        """Return the grid of `{"grid": rows}`, and that of its regions."""
        grids = [table["grid"], *([table["regions"]] if table.get("regions") else [])]
        return "\n\n".join(answer_grid_text(grid, instance.printed.cells).strip("\n") for grid in grids)

    def entries(self, instance: Instance, answer: Answer, search: Search, *, so_far: bool = False) -> list[Entry]:
        """Return an entry for each number: it is in its cell, and no other number is."""
        del instance, so_far
        atoms = symbols_by_entry(self._table, search.atoms(self.output, 3))
        entries = []
        for cell, filled in answer.cells().items():
            assert isinstance(filled, int)
            here = atoms.get(cell, {})
            others = tuple(atom for other, atom in here.items() if other != filled)
            atom = fact_symbol(self.output, *cell, filled)
            words = f"the {self._word(filled)} in {cell_place(cell)}"
            entries.append(Entry(words, atom, (cell,), (here.get(filled),), others, filled))
        if isinstance(answer, Numbers) and len(answer.regions) == len(answer.printed.cells):
            literals = search.atoms(self.regions, 3)
            for cell, name in answer.regions.items():
                atom = fact_symbol(self.regions, *cell, int(name))
                entries.append(
                    Entry(f"the region of {cell_place(cell)}", atom, (cell,), (atom if atom in literals else None,))
                )
        return entries

    def with_blanks(self, answer: Answer) -> Numbers | None:
        """Return an answer whose open cells stay blank; None if none may."""
        blank = next((number for number, name in self.look["names"].items() if name == _NO_NUMBER), None)
        filled = {**answer.printed.givens, **answer.values}
        free = [cell for cell in answer.printed.cells if cell not in answer.printed.walls]
        return None if blank is None else Numbers(dict.fromkeys(free, blank) | filled, answer.printed)

    def open_cells(self, instance: Instance, answer: Answer) -> int:
        """Return how many cells have neither a number nor a given, and are no walls."""
        printed = instance.printed
        return len(set(printed.cells) - answer.cells().keys() - printed.givens.keys() - printed.walls)

    def value_words(self, value: object) -> str:
        """Return the number with its article."""
        from pyasp_puzzles.puzzles import wording

        return wording.joined(["a", self._word(value)])

    def literal_words(self, value: object, *, holds: bool) -> tuple[str, bool]:
        """Return the name of the number, and whether to negate it."""
        return self._word(value), not holds

    def _word(self, value: object) -> str:
        name = self.look["names"].get(value, str(value))
        return "blank" if name == _NO_NUMBER else name

    def atom_reader(self, instance: Instance, search: Search) -> Callable[[Symbol], tuple[Cell, object] | None]:
        """Return the function from an atom to its cell and its number."""
        del instance, search
        return self._table.read_one


def _names(answer: Table) -> dict[int, str]:
    """Return the names of numbers, {0: "-"}, that a table `[answer]` declares.

    Raises:
        PuzzleError: something is no number, or no name.
    """
    table, names = answer.table("names"), dict[int, str]()
    if table is None:
        return names
    for number in table.names():
        name = table.get(number, str)
        if not number.isdecimal() or name is None or len(name) != 1 or name in _TAKEN or name in names.values():
            message = f"{table.path(number)} is {shown(name)}, expected a character for each of some numbers"
            raise table.error(message, number)
        names[int(number)] = name
    return names


def _groups(printed: Printed, values: Mapping[Cell, int]) -> list[list[Cell]]:
    """Return the parts of cells with equal numbers, filled in or printed, that are connected over sides."""
    names = {cell: str(value) for cell, value in {**values, **printed.givens}.items()}
    return [part for cells in regions.cells(names).values() for part in connected_cells(cells)]


def _read(atom: Symbol, output: str) -> tuple[Cell, int] | None:
    """Return the cell and the number of an atom of the output."""
    if not atom.match(output, 3):
        return None
    r, c, value = symbol_integers(atom.arguments)
    return (r, c), value
