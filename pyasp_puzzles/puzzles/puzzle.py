"""`Puzzle`, one type of puzzle as its folder declares it, and the instances and answers that it is about.

Puzzle    the folder `encodings/tectonic`, read: its rules, the keys of its boards, its kind of answer
Instance  one board: its facts, and what is known about it
Answer    what one answer set says, as data: a filled grid, a laying order, a set of strips
Entry     one thing that a person filled in: a number, a cell marked white, a strip
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from pyasp_puzzles.boards.grid import extent
from pyasp_puzzles.errors import InstanceError, PuzzleError, listing, shown
from pyasp_puzzles.puzzles.key_kinds import KINDS
from pyasp_puzzles.puzzles.keys import Key, Shape, blank

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.facts import Entry as Fact
    from pyasp_puzzles.boards.facts import Facts, Predicate
    from pyasp_puzzles.boards.grid import Cell, Grid
    from pyasp_puzzles.boards.toml import Sections
    from pyasp_puzzles.errors import Where
    from pyasp_puzzles.puzzles.answer import Answer as Answer  # noqa: PLC0414 (others take it from here)
    from pyasp_puzzles.puzzles.step import Sketcher


class Entry(NamedTuple):
    """One thing that a person filled in, in terms of the output."""

    words: str
    """What people call it: "the 3 in row 6, column 1"."""
    atom: Symbol
    """The same in terms of the output: `value(6,1,3)`."""
    cells: tuple[Cell, ...]
    holds: tuple[Symbol | None, ...]
    """Atoms that hold; None stands for one that no answer has."""
    fails: tuple[Symbol, ...] = ()
    """Atoms that do not hold: the other numbers of the cell."""
    value: object = None
    """What it says of its cell, as JSON has it; None if it is not about one cell."""


Decoder: TypeAlias = "Callable[[Instance], Callable[[Sequence[Symbol]], Answer]]"


class View(NamedTuple):
    """A way of looking at answer sets: those that agree in the output are one answer."""

    outputs: tuple[str, ...]
    """The output predicates, "value/3" say."""
    decoder: Decoder
    """A function from the shown atoms of an answer set to the answer, made once for all of an instance's answers."""
    mode: str = ""
    """The name of a file in the puzzle's folder that defines the output, if the encoding does not."""
    shows: str = ""
    """What answer sets show beside the output, as a line of the program."""
    tally: Callable[[Instance, Callable[[], bool]], int | None] | None = None
    """A way to count the answers without a search, for the rules that ship, until a function says that it is late.

    None where it is not up to a board, or it got late.
    """
    decided: Decoder | None = None
    """The same from the atoms that occur in all answers, if the decoder is not up to an answer in part."""
    possible: Decoder | None = None
    """The same from the atoms that occur in any answer, if the decoder is not up to several answers at once."""
    bounds: Callable[[Instance, Sequence[Symbol], Sequence[Symbol], str], Answer] | None = None
    """A function to both from the atoms of all answers and those of any, where it takes both."""
    sketcher: Callable[[Instance, Search], Sketcher] | None = None
    """How a step of an explanation is drawn, given the program that it is explained from."""

    def signatures(self) -> list[tuple[str, int]]:
        """Return the output predicates as name and arity."""
        parts = (output.partition("/") for output in self.outputs)
        return [(name, int(arity)) for name, _, arity in parts]

    def of(self, kind: str) -> Decoder:
        """Return the decoder for the `decided` or the `possible`."""
        return (self.decided if kind == "decided" else self.possible) or self.decoder


class Obstacle(NamedTuple):
    """What it is that makes a board unsolvable, as a mode finds it."""

    mode: str
    """The name of a file in the puzzle's folder."""
    outputs: tuple[str, ...]
    words: Callable[[Instance, Sequence[Symbol]], str]
    """A function from the shown atoms to words."""


class Kind(Protocol):
    """A kind of answer, as one puzzle declares it."""

    @property
    def views(self) -> Mapping[str, View]:
        """What tells answers apart: the ways there are, the usual one first."""

    @property
    def decides(self) -> bool:
        """Whether what does not hold of a cell is as much of an answer as what does: a cell that is not shaded."""

    def check(self, puzzle: Puzzle, facts: Facts, shape: Shape) -> None:
        """Raise `InstanceError` for boards whose search could not even be set up."""

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool) -> Answer:
        """Return an answer as people write it (see `docs/instances.md`); it is the whole answer, or what is filled in.

        Raises:
            InstanceError: it is no answer to this board.
        """

    def from_json(self, instance: Instance, said: Mapping[str, Any], where: Where) -> Answer:
        """Return an answer as `solve --json` prints it.

        Raises:
            KeyError, TypeError, ValueError: it has not the form of an answer.
            InstanceError: it is no answer to this board.
        """

    def asserted(self, instance: Instance, answer: Answer) -> list[Symbol]:
        """Return what an answer says that the encoding derives, and that cannot be assumed; it is added as facts."""

    def entries(self, instance: Instance, answer: Answer, program: Search, *, so_far: bool = False) -> list[Entry]:
        """Return what an answer, or part of one, says, in terms of the atoms of a program.

        Args:
            instance: the board.
            answer: the answer, full or in part.
            program: a grounding of the board.
            so_far: whether it is what someone who solves the board has found so far; in Strata, the top of the pile.
        """

    def open(self, instance: Instance, answer: Answer) -> int:
        """Return how many cells are not filled in; printed numbers count as filled in."""

    def called(self, value: object) -> str:
        """Return what people call what an answer says of a cell: "a 3"."""

    def reader(self, program: Search) -> Callable[[Symbol], tuple[Cell, object] | None]:
        """Return the function from an atom of the output to its cell and what it says of it, as JSON has it."""

    def name(self, cell: Cell, value: object, *, holds: bool) -> tuple[str, bool]:
        """Return what people say of a cell of which something holds or not, and whether they say that it is not so."""


@dataclass(frozen=True, eq=False)
class Puzzle:
    """One type of puzzle, as its folder declares it."""

    name: str
    summary: str
    """The rules in one sentence, for `pyasp list`."""
    aliases: tuple[str, ...]
    folder: Path
    ships: bool
    """Whether it is one of ours."""
    rules: Path
    """The folder of its rules: its own, or that of another puzzle."""
    keys: tuple[Key, ...]
    cell: Predicate | None
    """The predicate of the cells of the board, if it declares one."""
    lines: tuple[Predicate, ...]
    """The predicates of the rows and of the columns, if it declares them."""
    square: bool
    full: bool
    kind: Kind
    kind_name: str
    predicates: tuple[Predicate, ...]
    """The input predicates of the encoding."""
    warnings: tuple[str, ...] = ()
    """What looks wrong in its folder, none of it an error."""
    peeled: bool = False
    """Whether an answer is explained by peeling ribbons off from the top, not by the rules that force it."""
    obstacle: Obstacle | None = None
    """How it is said why a board has no answer, if not by the clues to take back."""
    solvable_is_good: bool = False
    """Whether a board is good if it has an answer, however many."""
    side_by_side: bool = False
    """Whether the answers to the boards of a file are shown beside one another."""

    def __reduce__(self) -> tuple[Callable[[Path], Puzzle], tuple[Path]]:
        from pyasp_puzzles.puzzles.declaration import puzzle_in

        return puzzle_in, (self.folder,)

    @cached_property
    def encoding(self) -> Path:
        """The file of its rules."""
        return self.rules / f"{self.rules.name}.lp"

    def companions(self, kind: str) -> list[Path]:
        """Return the files of a kind, as far as there are any: "words", "cells", "pruning".

        Those of the puzzle whose rules it uses come first.
        """
        if kind not in self._companions:
            paths = [folder / f"{kind}.lp" for folder in dict.fromkeys([self.rules, self.folder])]
            self._companions[kind] = [path for path in paths if path.exists()]
        return self._companions[kind]

    @cached_property
    def _companions(self) -> dict[str, list[Path]]:
        return {}  # to ask the file system for each board takes longer than a board of a session

    @cached_property
    def clue_keys(self) -> list[Key]:
        """The keys that hold clues."""
        return [key for key in self.keys if key.clue]

    @cached_property
    def clues(self) -> tuple[str, ...]:
        """The predicates of the clues: boards that differ in these only have the same shape."""
        return tuple(key.fact for key in self.clue_keys)

    def is_clue(self, rule: Symbol) -> bool:
        """Tell whether a named rule is that a clue stays."""
        name = str(rule).partition("(")[0]
        return any(key.rule == name for key in self.clue_keys)

    @cached_property
    def required(self) -> str:
        """The predicate that every board has, and by which facts are recognised."""
        if self.cell:
            return self.cell.name
        if self.lines:
            return self.lines[0].name
        return next(key.fact for key in self.keys if key.whole)

    @property
    def board(self) -> Key | None:
        """The key whose grid is the board; None if boards are given by their size."""
        return next((key for key in self.keys if KINDS[key.kind].grid and key.required), None)

    def view(self, name: str | None = None) -> View:
        """Return the view of that name, or the usual one.

        Raises:
            PuzzleError: there is none.
        """
        if name is None:
            return next(iter(self.kind.views.values()))
        if name not in self.kind.views:
            raise PuzzleError(f"{self.name} has no view {shown(name)}, expected {listing(self.kind.views)}")
        return self.kind.views[name]

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Answer:
        """Return an answer as people write it, whole or in part; see `Kind.read`."""
        return self.kind.read(instance, words, where, whole=whole)

    def cells(self, facts: Facts) -> Collection[Cell]:
        """Return the cells of a board."""
        if self.lines:
            rows, columns = (len(facts.arguments(line.name)) for line in self.lines)
            return dict.fromkeys((r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)).keys()
        return facts.keys(self.required)

    def facts(self, sections: Sections) -> Iterator[Fact]:
        """Yield the facts of a board of TOML, each with its place.

        Raises:
            InstanceError: what is wrong, with its line.
        """
        board = self._grid(sections)
        if self.lines and any("#" in row for row in board.rows):
            message = "# is outside the board, expected a cell wherever a row and a column cross"
            raise InstanceError(message, board.places[0])
        for predicate, lines in zip(self.lines, (board.rows, board.rows[0]), strict=False):
            yield from ((predicate.name, (i,), board.places[0]) for i in range(1, len(lines) + 1))
        if self.cell:
            yield from ((self.cell.name, cell, place) for cell, _, place in board.cells())
        for key in self.keys:
            yield from KINDS[key.kind].read(key, sections, board)

    def _grid(self, sections: Sections) -> Grid:
        """Return the grid whose shape is that of the board."""
        key = self.board
        found = sections.grid(key.name) if key else None
        empty_cells = key is None or (key.kind in {"givens", "numbers", "colors"} and not key.option("every"))
        sides = sections.array("size", int, "whole numbers") if empty_cells else None
        if found is not None:
            if sides is not None:
                raise sections.error("size", f"given beside {key.name if key else 'a grid'}, expected one of them")
            return found
        if sides is None:
            expected = (
                "size = [rows, columns]"
                if key is None
                else "a grid, or size = [rows, columns]"
                if empty_cells
                else "a grid"
            )
            raise sections.missing(key.name if key else "size", expected)
        if len(sides) != 2:
            raise sections.error("size", f"{shown(sides)} is no size, expected [rows, columns]")
        rows, columns = (side for side in sides if isinstance(side, int))
        return blank(rows, columns, sections.place("size"))

    def validate(self, facts: Facts) -> None:
        """Raise `InstanceError` unless the facts are a board of this puzzle, however they were written."""
        for predicate in self.lines:
            numbers = sorted(int(said[0]) for said in facts.arguments(predicate.name))
            if not numbers or numbers != list(range(1, numbers[-1] + 1)):
                found = listing(map(str, numbers[:9]), "and")
                message = f"the {predicate.arguments[0]}s are {found}, expected 1 to n"
                raise InstanceError(message, facts.where)
        if self.lines:
            rows, columns = (len(facts.arguments(line.name)) for line in self.lines)
            if rows * columns > MOST_CELLS:
                message = f"too large a board, expected at most {MOST_CELLS} crossings"
                raise InstanceError(message, facts.where)
        members = self.cells(facts)
        if not members:
            raise InstanceError(f"no {self.required} in these facts, expected a board", facts.where)
        shape = Shape(members, facts)
        if self.square and shape.rows != shape.columns:
            raise InstanceError(f"a board of {shape.size}, expected as many rows as columns", facts.where)
        hole = shape.hole() if self.square or self.full else None
        if hole:
            message = f"row {hole[0]}, column {hole[1]}: no cell here, expected every cell of {shape.size}"
            raise InstanceError(message, facts.where)
        for key in self.keys:
            KINDS[key.kind].check(key, self.keys, shape)
        self.kind.check(self, facts, shape)


MOST_CELLS = 62_500
"""Cells of the largest board of lines, or of a kind of answer that sets no other limit."""

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Instance(NamedTuple):
    """One board of a puzzle; two are equal if all is equal that they say, wherever they were read."""

    puzzle: Puzzle
    facts: Facts
    board: int = 1
    """Which board of its file this is, counted from 1."""
    boards: int = 1
    """How many boards its file has; 0 where nobody knows, in a list of boards that is read line by line."""
    collection: str = ""
    """The title that all boards of its file share."""
    details: Mapping[str, str] = _NOTHING
    """Title, author, source and notes, where they are given."""
    extras: Mapping[str, Mapping[Any, str]] = _NOTHING
    """What is kept beside the facts: names of colours, `extras["colors"]["r"]`, letters, `extras["letters"][1, 2]`."""
    solution: Answer | None = None
    """The published answer, where the instance has one."""

    def __repr__(self) -> str:
        title = f" {shown(self.title)}" if self.title else ""
        which = f" board {self.board} of {self.boards}" if self.boards > 1 else ""
        rows, columns = extent(self.puzzle.cells(self.facts))
        clues = "".join(f", {len(self.facts.arguments(key.fact))} {key.name}" for key in self.puzzle.clue_keys)
        return f"<Instance {self.puzzle.name}{title}{which} {rows}x{columns}{clues}>"

    def __str__(self) -> str:
        """Return the board as it is printed, with nothing filled in."""
        from pyasp_puzzles.puzzles.layout import layout
        from pyasp_puzzles.render.text import Style

        board = layout(self)
        return board.draw({**board.printed, **{cell: str(value) for cell, value in board.givens.items()}}, Style())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Instance):
            return NotImplemented
        return self.facts.equal(other.facts) and tuple(self._replace(facts=other.facts)) == tuple(other)

    def __ne__(self, other: object) -> bool:  # a tuple has one of its own
        return not self == other

    def __hash__(self) -> int:
        return hash((self.puzzle.name, self.board, self.collection, self.title, len(self.facts)))

    def __reduce__(self) -> tuple[type[Instance], tuple[object, ...]]:
        return Instance, (*self[:5], dict(self.details), dict(self.extras), self.solution)

    @property
    def source(self) -> str:
        """The file that the board came from."""
        return self.facts.where.source

    @property
    def about(self) -> dict[str, object]:
        """What every JSON object says of its board: the puzzle, the source, the number of the board, and the title."""
        return {"puzzle": self.puzzle.name, "source": self.source, "board": self.board, "title": self.title}

    def with_clues(self, clues: Mapping[Any, object]) -> Instance:
        """Return the board with other clues in place of its own, and without the published answer.

        Args:
            clues: the number of each cell, `{(1, 2): 3, ...}`; for a puzzle with several keys of clues, these by their
                names, `{"givens": {(1, 2): 3}, "sums": {"A": 7}}`; keys that are not named stay as they are.

        Raises:
            InstanceError: no clues of this board, with the key.
        """
        from pyasp_puzzles.puzzles.clues import with_clues

        return with_clues(self, clues)

    @property
    def title(self) -> str:
        """The title, or nothing."""
        return self.details.get("title", "")
