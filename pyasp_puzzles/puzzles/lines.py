"""`Lines`: answers that are lines from cell to cell, or along the edges of cells, with marks in other cells.

Pair   ((1, 5), (1, 6)): what a line joins, in order: two cells, or two corners of cells; corner (1, 1) is at the upper
       left of cell (1, 1)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from pyasp_puzzles.asp.symbols import (
    cell_of_symbols,
    fact_symbol,
    negated_symbol,
    symbol_integers,
    symbol_table,
    symbols_by_entry,
)
from pyasp_puzzles.boards.grid import Cell, cell_name, cell_named, cell_place, grouped
from pyasp_puzzles.boards.spans import marked as span
from pyasp_puzzles.boards.spans import marked_cell, marked_cells, unmarked
from pyasp_puzzles.errors import EncodingError, InstanceError, listing, shown
from pyasp_puzzles.model.answer import Answer, Entry
from pyasp_puzzles.model.keys import frame_board
from pyasp_puzzles.model.puzzle import AnswerKind, AnswerView
from pyasp_puzzles.puzzles import declaration
from pyasp_puzzles.puzzles.shading import shading_entry
from pyasp_puzzles.render.text import SHADE_TEXT, framed_text_edges, text_slant

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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

Pair: TypeAlias = tuple[Cell, Cell]

# Between the cells that lines join, as people write them: no line, one, two.
_JOINS = {"x": 0, "-": 1, "=": 2}
# Ways of a line that a clause tells.
_MOST_WAYS = 2
_SIGNS = {number: sign for sign, number in _JOINS.items()}
# {steps to the ends: the side of a cell}, given its upper left corner.
_SIDES = {((0, 0), (0, 1)): "top", ((1, 0), (1, 1)): "bottom", ((0, 0), (1, 0)): "left", ((0, 1), (1, 1)): "right"}
# {the same: a slant across the cell}
_SLANTS = {((0, 0), (1, 1)): "falling diagonal", ((0, 1), (1, 0)): "rising diagonal"}
# What a line does, affirmed and negated.
_VERBS = {
    "": ("goes", "does not go"),
    "would be": ("would go", "would not go"),
    "were": ("went", "did not go"),
}


@dataclass(frozen=True, repr=False, eq=False)
class Lines(Answer):
    """The lines of an answer, and the cells with marks."""

    lines: Mapping[Pair, int]
    """How many lines join two cells or corners, at least one."""
    marks: frozenset[Cell]
    """The cells that are marked."""
    kind: LinesKind = field(compare=False)
    printed: Printed = field(compare=False)
    none: Collection[Pair] = field(default=(), compare=False)
    """Where it is known that there is no line, if not all is known."""
    bare: Collection[Cell] = field(default=(), compare=False)
    """The cells that are known to be unmarked, if not all is known."""
    whole: bool = field(default=True, compare=False)
    """Whether all is known."""
    new: Collection[Pair] = field(default=(), compare=False)
    """The lines that a step found."""

    def __hash__(self) -> int:
        return hash(frozenset(self.lines.items()))

    def json(self) -> dict[str, object]:
        """Return `{"lines": [{"from": [1, 5], "to": [1, 6]}, ...]}`, with a "number" if there may be several lines.

        `"marks"` are the cells with marks, if there may be any; a number 0 says that there is no line.
        """
        table: dict[str, object] = {"lines": [self._line(pair, self.lines.get(pair, 0)) for pair in self._told()]}
        if self.kind.marks:
            table["marks"] = [list(cell) for cell in sorted(self.marks)]
        return table

    def _line(self, pair: Pair, number: int) -> dict[str, object]:
        ends = {"from": [*pair[0]], "to": [*pair[1]]}
        return ends | ({"number": number} if self.kind.numbered or not number else {})

    def _told(self) -> list[Pair]:
        return sorted({*self.lines, *self.none})

    def typed(self) -> str:
        """Return the answer as `LinesKind.read` takes it: `r1c5-r1c6 r2c1=r2c3`, a row of cells in each line."""
        lines = [(pair[0][0], answer_line_text(pair, self.lines.get(pair, 0))) for pair in self._told()]
        rows = grouped([*lines, *((cell[0], cell_name(cell)) for cell in sorted(self.marks))])
        return "\n".join(" ".join(rows[row]) for row in sorted(rows))

    def marked_text(self, style: TextStyle, marks: TextMarks) -> str:
        """Return the board with its lines, below it those that text cannot draw; `x` is where there is none."""
        printed = self.printed
        joins = {step: number for pair, number in self.lines.items() for step in answer_line_steps(pair)}
        below = [answer_line_text(*line) for line in sorted(self.lines.items()) if not self._in_text(*line)]
        joins |= {step: 0 for pair in self.none for step in answer_line_steps(pair) if step not in joins}
        if self.kind.along_edges:
            wide = max(3, 2 + max(map(len, printed.texts.values()), default=0))
            contents = {}
            for cell in printed.cells:
                signs, code = marks.around(cell)
                signs = "  " if style.color or not signs else signs
                label = f"{signs[0]}{printed.texts.get(cell) or text_slant(cell, joins) or ' '}{signs[1]}"
                contents[cell] = style.paint(f"{label:^{wide}}", code)
            none = [step for pair in self.none for step in answer_line_steps(pair)]
            drawn = framed_text_edges(contents, wide, joins, none, style)
        else:
            labels = dict.fromkeys(self.marks, SHADE_TEXT)
            bare = not any(key.kind.role == "regions" for key in printed.keys)
            walls = dict.fromkeys(printed.cells, 0) if bare else None
            drawn = frame_board(printed, labels, style, marks, walls=walls, joins=joins)
        return "\n".join([drawn, *([" ".join(below)] if below else [])])

    def _in_text(self, pair: Pair, number: int) -> bool:
        """Return whether text can draw a line: along rows and columns; single slants from corner to corner of cells."""
        steps = answer_line_steps(pair)
        if any(start[0] == other[0] or start[1] == other[1] for start, other in steps[:1]):
            return True
        squares = {(start[0], min(start[1], other[1])) for start, other in steps}
        covered = self.kind.along_edges and not squares.isdisjoint(self.printed.texts)
        return number == 1 and all(abs(c - x) == 1 == y - r for (r, c), (y, x) in steps) and not covered

    def drawn_on(self, blank: Drawing) -> Drawing:
        """Return a drawing with these lines and marks; new lines along edges show the cells of a step."""
        joined = {cell for pair in self.lines for cell in pair}
        shading = dict.fromkeys(self.marks, True) | dict.fromkeys({*self.bare} - joined, False)
        marked = () if self.kind.along_edges and self.new else blank.marked
        return replace(blank, strokes=self.lines, crosses=self.none, shading=shading, new=self.new, marked=marked)

    def cells(self) -> dict[Cell, tuple[object, ...]]:
        """Return the lines at each cell, and whether it is marked, for cells about which all is known."""
        decided = {*self.lines, *self.none}
        board = {*self.printed.cells}
        at_cell: dict[Cell, tuple[object, ...]] = {}
        for pair, number in sorted(self.lines.items()):
            for cell in self.kind.cells_of(pair, board):
                at_cell[cell] = (*at_cell.get(cell, ()), (pair, number))
        for cell in board:
            if cell in self.marks:
                at_cell[cell] = (*at_cell.get(cell, ()), "marked")
            elif self.whole or decided.issuperset(self.kind.around(cell, board)):
                at_cell.setdefault(cell, ())
        return at_cell


@dataclass(frozen=True)
class LinesKind(AnswerKind):
    """Lines: `name(R, C, R', C')` joins two cells or corners; a fifth argument counts those of a pair."""

    output: str
    numbered: bool
    along_edges: bool
    """Whether lines join corners of cells."""
    marks: str
    """The predicate of marked cells; empty if there is none."""
    names: tuple[str, str]
    """The names of a marked cell and of another."""
    noun: str
    """What people call a line: "the loop", "a bridge"."""
    look: Mapping[str, Any] = field(default_factory=dict, hash=False)
    data = ("lines",)
    family = "Loops and lines"
    two_valued = True
    cells_left_over: ClassVar[bool] = True

    @classmethod
    def from_table(cls, answer: Table) -> Self:
        """Return the kind that a table with `output`, `on`, `marks`, their names and the name of a `line` declares."""
        signature = answer.get("output", str) or "line(R, C, R', C')"
        _, arity = declaration.signature(answer, "output", signature)
        name = declaration.output(answer, signature, arity, "on", "marks", "shaded", "unshaded", "line")
        if arity not in {4, 5}:
            message = "lines need output = \"line(R, C, R', C')\", with a fifth argument if there may be several"
            raise answer.error(message, "output")
        on = answer.get("on", str) or "cells"
        if on not in {"cells", "corners"}:
            raise answer.error(f"on is {shown(on)}, expected cells or corners", "on")
        marks, marked = "", answer.get("marks", str)
        if marked is not None:
            marks, arity_of_marks = declaration.signature(answer, "marks", marked)
            if arity_of_marks not in {-1, 2}:
                raise answer.error(f"marks has {arity_of_marks} arguments, expected 2 as in black(R, C)", "marks")
        shaded = answer.get("shaded", str) or marks
        names = shaded, answer.get("unshaded", str) or f"not {shaded}"
        look = {"along_edges": True} if on == "corners" else {}
        return cls(name, arity == 5, on == "corners", marks, names, answer.get("line", str) or "the line", look)

    @property
    def _table(self) -> SymbolTable[tuple[Pair, int]]:
        return symbol_table(_read, self.output, self.arity, self.marks)

    @property
    def arity(self) -> int:
        """The number of arguments of the output."""
        return 4 + self.numbered

    @property
    def views(self) -> Mapping[str, AnswerView]:
        """The only view."""
        outputs = (f"{self.output}/{self.arity}", *([f"{self.marks}/2"] if self.marks else []))
        return {"lines": AnswerView(outputs, self.decoder)}

    def around(self, cell: Cell, board: Collection[Cell]) -> list[Pair]:
        """Return where lines may be at a cell: to its neighbours, or along its edges."""
        r, c = cell
        if self.along_edges:
            return sorted(((r + y, c + x), (r + v, c + u)) for (y, x), (v, u) in _SIDES)
        beside = ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
        return [(min(cell, other), max(cell, other)) for other in beside if other in board]

    def decode(self, printed: Printed, atoms: Sequence[Symbol]) -> Lines:
        """Return the lines of an answer set."""
        lines, marks = self._read_atoms(atoms, printed)
        return Lines(lines, frozenset(marks), self, printed)

    def _read_atoms(self, atoms: Iterable[Symbol], printed: Printed) -> tuple[dict[Pair, int], set[Cell]]:
        """Return the lines, and the marked cells."""
        lines: dict[Pair, int] = {}
        marks: set[Cell] = set()
        ends = self._ends(printed)
        for pair, number in self._table.read(atoms):
            if number < 0:
                marks.add(pair[0])
            elif number:
                lines[pair] = max(number, lines.get(pair, 0))
            if not {*pair} <= (ends if number >= 0 else {*printed.cells}):
                raise EncodingError(
                    f"an answer set has a line {answer_line_text(pair, number)}, expected one on the board"
                )
        return lines, marks

    def _ends(self, printed: Printed) -> set[Cell]:
        """Return what lines may join: the cells of a board, or their corners."""
        if not self.along_edges:
            return {*printed.cells}
        return {(r + y, c + x) for r, c in printed.cells for y in (0, 1) for x in (0, 1)}

    def consequences(
        self, instance: Instance, question: str, always: Sequence[Symbol], sometimes: Sequence[Symbol]
    ) -> Lines:
        """Return the lines in every answer (`decided`), and where there is none; or the lines in any (`possible`)."""
        printed = instance.printed
        lines, marks = self._read_atoms(always, printed)
        possible, marked = self._read_atoms(sometimes, printed)
        if question == "possible":
            return Lines(possible, frozenset(marked), self, printed, whole=False)
        every = {pair for cell in printed.cells for pair in self.around(cell, printed.cells)}
        bare = sorted({*printed.cells} - marked) if self.marks else ()
        return Lines(lines, frozenset(marks), self, printed, sorted(every - possible.keys()), bare, whole=False)

    def known_at(self, instance: Instance, search: Search) -> Callable[[StepPosition], Lines]:
        """Return the function from a position to the lines that are known, and where there is none."""
        printed = instance.printed
        possible = grouped(self._table.read(search.atoms(self.output, self.arity)))

        def answer_at(position: StepPosition) -> Lines:
            lines, marks = self._read_atoms(position.placed, printed)
            out = grouped(self._table.read(position.excluded))
            none = [pair for pair, numbers in possible.items() if {*numbers} <= {*out.get(pair, ())}]
            free = {pair[0] for pair, numbers in out.items() if -1 in numbers}
            new = {pair for pair, number in self._table.read(position.new) if number > 0}
            return Lines(lines, frozenset(marks), self, printed, none, free, whole=False, new=new)

        return answer_at

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Lines:
        """Return the lines of `r1c5-r1c6 r2c1=r2c3`; `r1c5-r1c6-r2c6` are two, `x` is no line, `r3c3` is a mark.

        Raises:
            InstanceError: something else, or what is not on the board.
        """
        printed = instance.printed
        lines: dict[Pair, int] = {}
        none: set[Pair] = set()
        marks: set[Cell] = set()
        ends = self._ends(printed)
        for token in words.split():
            first, *others = re.split(r"([-=x])", token)
            cells = [cell_named(name) for name in (first, *others[1::2])]
            if None in cells or not all(cell in (ends if others else printed.cells) for cell in cells):
                what = "corners" if self.along_edges and others else "cells"
                expected = f"{what} of the board joined by - (a line), = (two) or x (none), as in r1c1-r1c2"
                raise InstanceError(f"{shown(token)} is wrong here, expected {expected}", where)
            if not others and not self.marks:
                raise InstanceError(f"{shown(token)} is a single cell, expected lines such as r1c1-r1c2", where)
            if not others:
                marks.update(cell for cell in cells if cell)
            for start, sign, other in zip(cells, others[::2], cells[1:], strict=False):
                if start is None or other is None:
                    break
                pair = min(start, other), max(start, other)
                if _JOINS[sign]:
                    lines[pair] = _JOINS[sign]
                else:
                    none.add(pair)
        return Lines(lines, frozenset(marks), self, printed, sorted(none - lines.keys()), whole=whole)

    def typed(self, instance: Instance, table: Mapping[str, Any]) -> str:
        """Return the lines of `{"lines": [{"from": ..., "to": ..., "number": ...}], "marks": ...}` as text."""
        numbers = {}
        for line in table["lines"]:
            (r, c), (row, column) = line["from"], line["to"]
            start, other = (int(r), int(c)), (int(row), int(column))
            number = int(line.get("number", 1))
            if number not in _SIGNS:
                raise ValueError(number)
            numbers[min(start, other), max(start, other)] = number
        marks = frozenset((int(r), int(c)) for r, c in table.get("marks", ()))
        lines = {pair: number for pair, number in numbers.items() if number}
        return Lines(lines, marks, self, instance.printed, numbers.keys() - lines.keys()).typed()

    def entries(self, instance: Instance, answer: Answer, search: Search, *, so_far: bool = False) -> list[Entry]:
        """Return an entry for each line, for each place where it is known that there is none, and for each mark."""
        del so_far
        assert isinstance(answer, Lines)
        possible = [atom for signature in self.views["lines"].signatures() for atom in search.atoms(*signature)]
        atoms = symbols_by_entry(self._table, possible)
        entries = []
        for pair in sorted({*answer.lines, *answer.none}):
            number, here = answer.lines.get(pair, 0), atoms.get(pair, {})
            numbers = [number] if self.numbered else []
            name = here.get(number) or fact_symbol(self.output, *pair[0], *pair[1], *numbers)
            cells = tuple(sorted(self.cells_of(pair, {*instance.printed.cells})))
            name_of_line = f"{self._subject(number)} {unmarked(self._way(pair, cells))}"
            value = answer_line_text(pair, number)
            if number:
                others = tuple(atom for other, atom in here.items() if other > number)
                entries.append(
                    Entry(name_of_line, name, cells, tuple(map(here.get, range(1, number + 1))), others, value)
                )
            else:
                entries.append(Entry(name_of_line, negated_symbol(name), cells, (), tuple(here.values()), value))
        for cell in sorted({*answer.marks, *answer.bare}):
            mark, shaded = atoms.get((cell, cell), {}).get(-1), cell in answer.marks
            if shaded or mark is not None:
                entries.append(shading_entry(self.marks, self.names, cell, mark, shaded=shaded))
        return entries

    def atom_reader(self, instance: Instance, search: Search) -> Callable[[Symbol], tuple[Cell, object] | None]:
        """Return the function from an atom to its first cell, and "r1c5-r1c6" or the name of a marked cell."""
        del search
        board = {*instance.printed.cells}

        def read(atom: Symbol) -> tuple[Cell, object] | None:
            pair, number = self._table.read_one(atom) or (None, 0)
            if pair is None:
                return None
            if number < 0:
                return pair[0], self.names[0]
            cells = self.cells_of(pair, board)
            return (max(cells) if self.along_edges else min(cells), answer_line_text(pair, number)) if cells else None

        return read

    def cells_of(self, pair: Pair, board: Collection[Cell]) -> set[Cell]:
        """Return the cells that a line joins, or those on both sides of it."""
        if not self.along_edges:
            return {*pair}
        (r, c), (row, column) = pair
        beside = (r - 1, c) if r == row else (r, c - 1)
        cells = ((r, c), beside) if c == column or r == row else ((r, min(c, column)),)
        return {cell for cell in cells if cell in board}

    def literal_words(self, value: object, *, holds: bool) -> tuple[str, bool]:
        """Return the name of a line, or of a marked cell."""
        if value == self.names[0] and self.marks:
            return self.names[not holds], False
        return (str(value) if holds else f"no {value}"), False

    def clauses(self, literals: Iterable[tuple[Cell, object, bool]], verb: str, here: Cell | None = None) -> list[str]:
        """Return where lines go, where they do not, and which cells are marked: "the loop goes from ... to ..."."""
        ways: dict[tuple[str, bool, int], list[tuple[Pair, Cell]]] = {}
        marks: dict[bool, list[Cell]] = {}
        told = [(cell, *answer_line_pair(str(value)), holds) for cell, value, holds in literals]
        literals_told = {(pair, number, holds) for _, pair, number, holds in told}
        for cell, pair, number, holds in told:
            if pair is None:
                marks.setdefault(holds, []).append(cell)
            elif (
                pair,
                number + (1 if holds else -1),
                holds,
            ) not in literals_told:  # two are more than one, none less than two
                clause = self._clause(_VERBS.get(verb, _VERBS[""])[not holds], number, holds=holds)
                ways.setdefault((clause, holds, number), []).append((pair, cell))
        clauses = []
        for (clause, holds, number), pairs in ways.items():
            last = "and" if holds else "or"
            several = list(self._along(pairs, last) if self.along_edges else _from(pairs, last, number, here))
            parts = (several[i : i + _MOST_WAYS] for i in range(0, len(several), _MOST_WAYS))
            clauses += [f"{clause} {listing(ways, last)}" for ways in parts]
        if self.noun.startswith("the "):  # there is one
            clauses[1:] = [f"it{clause.removeprefix(self.noun)}" for clause in clauses[1:]]
        for holds, cells in marks.items():
            are = verb or ("are" if len(cells) > 1 else "is")
            clauses.append(f"{marked_cells(cells)} {are} {self.names[not holds]}")
        return clauses

    def _clause(self, verb: str, number: int, *, holds: bool) -> str:
        """Return what lines do, without where: "the loop goes", "2 bridges go", "no bridge goes"."""
        article, _, noun = self.noun.rpartition(" ")
        if number > 1:
            return f"{number} {noun}s {verb.replace('goes', 'go').replace('does ', 'do ')}"
        if article in {"a", "an"} and not holds:
            return f"no {noun} {next(yes for yes, no in _VERBS.values() if no == verb)}"
        return f"{self.noun} {verb}"

    def _along(self, pairs: Sequence[tuple[Pair, Cell]], last: str) -> Iterator[str]:
        """Yield along which sides of cells lines go: "along the top and left of row 1, column 2"."""
        sides = grouped((cell, self._side(pair, cell)) for pair, cell in pairs)
        order = [*_SIDES.values(), *_SLANTS.values(), "inside"].index
        cells = grouped((tuple(sorted({*names}, key=order)), cell) for cell, names in sides.items())
        return (f"along the {listing(names, last)} of {marked_cells(places, last)}" for names, places in cells.items())

    def _side(self, pair: Pair, cell: Cell) -> str:
        """Return the name of an edge or a diagonal of a cell."""
        (r, c), (start, other) = cell, pair
        return (_SIDES | _SLANTS).get(((start[0] - r, start[1] - c), (other[0] - r, other[1] - c)), "inside")

    def _subject(self, number: int) -> str:
        noun = self.noun.rpartition(" ")[2]
        return f"no {noun}" if not number else f"the {noun}" if number == 1 else f"the {number} {noun}s"

    def _way(self, pair: Pair, cells: Collection[Cell]) -> str:
        """Return where a line goes, marked: "from row 1, column 1 to row 1, column 2", "along the top of ..."."""
        if not self.along_edges:
            return span(f"from {cell_place(pair[0])} to {cell_place(pair[1])}", pair)
        cell = max(cells, default=pair[0])
        return span(f"along the {self._side(pair, cell)} of {cell_place(cell)}", [cell])

    def entry_words(self, cell: Cell, value: object) -> str:
        """Return what people call a line: "the loop from row 1, column 1 to row 1, column 2"."""
        pair, number = answer_line_pair(str(value))
        return "" if pair is None else f"{self._subject(number)} {self._way(pair, [cell])}"


def answer_line_text(pair: Pair, number: int) -> str:
    """Return a line as people write it: "r1c5-r1c6"; "r1c5xr1c6" if there is none."""
    return _SIGNS.get(number, "-").join(map(cell_name, pair))


def answer_line_pair(value: str) -> tuple[Pair | None, int]:
    """Return what a line joins, and how many lines there are; None for another text."""
    match = re.fullmatch(r"(r\d+c\d+)([-=x])(r\d+c\d+)", value)
    if match is None:
        return None, 0
    start, other = cell_named(match[1]), cell_named(match[3])
    return ((start, other), _JOINS[match[2]]) if start and other else (None, 0)


def _from(pairs: Sequence[tuple[Pair, Cell]], last: str, number: int, first: Cell | None) -> Iterator[str]:
    """Yield where lines go, those with a common end together: "from row 1, column 2 to row 1, columns 1 and 3".

    Args:
        pairs: the cells that lines join, each with the cell that it is about.
        last: "and", or "or".
        number: how many lines join each pair; if several do, they go "to each of row 1, columns 1 and 3".
        first: the end to begin with, if it is one.
    """
    left = {pair for pair, _ in pairs}
    while left:
        ends = sorted(cell for pair in left for cell in pair)
        common = first if first in ends else max(ends, key=ends.count)
        here = {pair for pair in left if common in pair}
        to = "to each of" if number > 1 < len(here) and last == "and" else "to"
        others = [cell for pair in here for cell in pair if cell != common]
        yield f"from {marked_cell(common)} {to} {marked_cells(others, last)}"
        left -= here


def answer_line_steps(pair: Pair) -> list[Pair]:
    """Return the pairs of cells that touch on the way of a line; the line itself if it passes through no cell."""
    (r, c), (row, column) = pair
    count = gcd(row - r, column - c)
    cells = [(r + (row - r) * i // max(count, 1), c + (column - c) * i // max(count, 1)) for i in range(count + 1)]
    return list(pairwise(cells))


def _read(atom: Symbol, output: str, arity: int, marks: str) -> tuple[Pair, int] | None:
    """Return what an atom joins, and by how many lines; a marked cell is joined to itself, by -1."""
    if marks and atom.match(marks, 2):
        cell = cell_of_symbols(atom.arguments)
        return (cell, cell), -1
    if not atom.match(output, arity):
        return None
    r, c, row, column, *number = symbol_integers(atom.arguments)
    start, other = (r, c), (row, column)
    return (min(start, other), max(start, other)), number[0] if number else 1
