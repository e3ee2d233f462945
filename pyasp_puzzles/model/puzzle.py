"""`Puzzle`, `Variant` and `AnswerKind` (its views, measures and method), as declared; and `Instance`, one board.

Puzzle    the folder `encodings/tectonic`: its rules, the keys of its boards, its kind of answer
Variant   the folder `encodings/variants/thermometer`: rules to add to a puzzle, and keys of boards that use them
Instance  one board: its facts, title, author and the like
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeAlias

from pyasp_puzzles.arguments import check_type
from pyasp_puzzles.asp.rules import VARIANT_FILE, is_shipped_path
from pyasp_puzzles.asp.symbols import UNKNOWN, fact_symbol
from pyasp_puzzles.boards.facts import fact_integer, fact_name, fact_text
from pyasp_puzzles.boards.grid import EMPTY, OUTSIDE, Grid, cell_place, grid_extent
from pyasp_puzzles.errors import InstanceError, PuzzleError, Where, listing, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.keys import (
    KEY_VALUES,
    NOT_SQUARE,
    Key,
    KeyOutline,
    Printed,
    check_key,
    empty_key_tokens,
    frame_board,
)
from pyasp_puzzles.render.text import TextMarks, TextStyle

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from pathlib import Path

    from clingo import Symbol

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.asp.symbols import Arguments, SymbolValue
    from pyasp_puzzles.boards.facts import Fact, FactPredicate, Facts
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.boards.toml import Table
    from pyasp_puzzles.model.answer import Answer, Entry
    from pyasp_puzzles.model.grades import GradeScale
    from pyasp_puzzles.model.review import ReviewObstruction
    from pyasp_puzzles.model.step import Step, StepPosition
    from pyasp_puzzles.render.svg import Drawing

# Cells of the largest board, unless a kind of answer has a limit of its own.
_LARGEST_BOARD = 160_000


_NOTHING: Mapping[Any, Any] = MappingProxyType({})
# What a title may say about difficulty (", very hard" at its end) or clues (anywhere).
_CLAIM = r"\b(?:easy|medium|(?:very )?hard|extreme|\d+ (?:clues|givens))\b"
_LAST_CLAIM = rf"(?i)[\s,;:(\[-]*{_CLAIM}[)\]]?$"

# An atom in the header of a file of rules.
_ATOM = r"\b([a-z]\w*)\(([^()]*)\)"

# A function from an instance to the function that decodes its answer sets, which is made once for all of them.
Decoder: TypeAlias = "Callable[[Instance], Callable[[Sequence[Symbol]], Answer]]"


class Variant(NamedTuple):
    """Rules that can be added to a puzzle."""

    name: str
    summary: str
    folder: Path
    instructions: tuple[tuple[str, ...], ...] = ()
    """What players must do, as `Puzzle.instructions`; in them `{value}` is the number of all its clues."""
    called: tuple[str, ...] = ()
    """Its names in texts of rules, in lower case."""
    keys: tuple[Key, ...] = ()
    picture: Mapping[str, Any] = {}
    """How it looks, if it has no key: the `picture` of its declaration."""
    sides: tuple[int, ...] | None = None
    """How many rows, and as many columns, a board must have, if it must be square; () for any number."""
    formats: Mapping[str, Any] = {}
    """What other programs call it, by format."""
    common: bool = False
    """Whether many people know it, so that editors offer it first."""

    @property
    def rules(self) -> Path:
        """The file of its rules."""
        return self.folder / f"{self.folder.name}.lp"

    @property
    def is_drawn(self) -> bool:
        """Whether it has a picture, or one of its keys has."""
        return bool(self.picture) or any(key.option("picture") for key in self.keys)

    def check(self, outline: KeyOutline) -> None:
        """Raise `InstanceError` unless a board has the sides that it needs: as many rows as columns, and no holes."""
        if self.sides is None:
            return
        if outline.rows != outline.columns or outline.hole():
            expected = "as many rows as columns, and no holes"
        elif self.sides and outline.rows not in self.sides:
            expected = listing(f"{side}x{side}" for side in self.sides)
        else:
            return
        message = f"{self.name} has no meaning on a board of {outline.size}, expected {expected}"
        raise InstanceError(message, outline.facts.where)

    def predicates(self) -> list[FactPredicate]:
        """Return the predicates of its keys."""
        return [predicate for key in self.keys for predicate in key.predicates]

    def reads(self) -> dict[str, tuple[str, int]]:
        """Return the predicates of a puzzle that its rules read, by the atoms in its header: `value(R, C, V)`."""
        of_keys = {predicate.name for predicate in self.predicates()}
        atoms_read: dict[str, tuple[str, int]] = {}
        reading = False
        for line in self.rules.read_text(encoding="utf-8", errors="replace").splitlines():
            if not line.startswith("%"):
                break
            reading = line.startswith("% Input:") or (reading and not re.match(r"% \w+:", line))
            if reading and "(optional)" not in line:
                text = line.removeprefix("% Input:").strip("% ")
                atoms = re.finditer(_ATOM, re.split(r"   +|;", text)[0])
                atoms_read |= {atom[0]: (atom[1], atom[2].count(",") + 1) for atom in atoms if atom[1] not in of_keys}
        return atoms_read


@dataclass(frozen=True, eq=False)
class Puzzle:
    """One type of puzzle, as its folder declares it.

    `Puzzle(name="tectonic", summary="Every block ...", folder=encodings/tectonic, keys=(<blocks>, <givens>), ...)`
    """

    name: str
    summary: str
    """The rules in one sentence, for `pyasp list`."""
    instructions: tuple[tuple[str, ...], ...]
    """What a solver has to do: sentences, each a choice of several; `{rows}` is what the board has."""
    aliases: tuple[str, ...]
    folder: Path
    ships: bool
    """Whether it ships with the package."""
    folders: tuple[Path, ...]
    """The folders of its rules and words: those of the puzzle whose rules it uses, if any, and then its own."""
    keys: tuple[Key, ...]
    cell: FactPredicate | None
    """The predicate of the cells of the board, if it declares one."""
    lines: tuple[FactPredicate, ...]
    """The predicates of the rows and of the columns, if it declares them."""
    usual_size: int
    """Rows, and columns, of a new board if no size is asked for."""
    square: bool
    full: bool
    kind: AnswerKind
    predicates: tuple[FactPredicate, ...]
    """The input predicates of the encoding."""
    added: tuple[Variant, ...] = ()
    """The variants whose keys its boards may have."""
    formats: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """How other programs name it, and write its boards, by format."""
    grades: GradeScale | None = None
    """The words for scores of its boards; None where too few graded boards are known."""
    warnings: tuple[str, ...] = ()
    """What looks wrong in its folder, though none of it is an error."""

    @cached_property  # a batch of 200 Sudokus takes 5 % longer without it
    def encodings(self) -> tuple[Path, ...]:
        """The files of its rules: of the puzzle whose rules it uses, and then of the rules that it adds."""
        files = (folder / f"{folder.name}.lp" for folder in self.folders)
        return tuple(file for file in files if file.is_file())

    @property
    def encoding(self) -> Path:
        """The first file of its rules, and the only one unless it adds rules to those of another puzzle."""
        return self.encodings[0]

    @property
    def rules_text(self) -> str:
        """Its rules as one text: those of the puzzle whose rules it uses, and then its own."""
        return "\n".join(file.read_text(encoding="utf-8") for file in self.encodings)

    def companions(self, name: str) -> list[Path]:
        """Return the files `{name}.lp` that exist next to the rules: "words", "cells", "pruning".

        The file of the puzzle whose rules it uses comes before its own.
        """
        return [path for folder in self.folders if (path := folder / f"{name}.lp").exists()]

    def pruning(self, *, of_variants: bool) -> list[Path]:
        """Return the files of consequences next to its rules: its own, or those of variants whose rules it uses."""
        files = self.companions("pruning")
        return [file for file in files if (file.parent / VARIANT_FILE).is_file() == of_variants]

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the variants whose keys its boards may have."""
        return tuple(variant.name for variant in self.added)

    @property
    def variant_folders(self) -> tuple[Path, ...]:
        """The folders of those variants that do not ship."""
        return tuple(variant.folder for variant in self.added if not is_shipped_path(variant.rules))

    def scale(self, variants: Collection[str], settings: Settings) -> GradeScale | None:
        """Return the words for scores of its boards; None where no graded boards are known, as by other rules."""
        return None if variants or settings.edited else self.grades

    @property
    def clue_keys(self) -> list[Key]:
        """The keys that hold clues."""
        return [key for key in self.keys if key.clue]

    @property
    def clues(self) -> tuple[str, ...]:
        """The predicates of the clues."""
        return tuple(key.fact for key in self.clue_keys)

    def is_clue(self, rule: Symbol) -> bool:
        """Return whether a named rule says that a clue holds."""
        name = str(rule).partition("(")[0]
        return any(key.rule == name for key in self.clue_keys)

    @property
    def required(self) -> str:
        """A predicate that every board has facts of; the puzzle of an `.lp` file is recognised by it."""
        if self.cell:
            return self.cell.name
        if self.lines:
            return self.lines[0].name
        return next(key.fact for key in self.keys if key.whole)

    @property
    def grid_key(self) -> Key | None:
        """The key with the grid of the board; None if boards are given by their size."""
        return next((key for key in self.keys if key.kind.grid and key.required), None)

    def view(self, name: str | None = None) -> AnswerView:
        """Return the view of that name, or the usual one.

        Raises:
            PuzzleError: there is none.
        """
        if name is None:
            return next(iter(self.kind.views.values()))
        if name not in self.kind.views:
            message = f"answers to {self.name} cannot be told apart by {shown(name)}; choose {listing(self.kind.views)}"
            raise PuzzleError(message)
        return self.kind.views[name]

    def cells(self, facts: Facts) -> Collection[Cell]:
        """Return the cells of a board."""
        if self.lines:
            rows, columns = (len(facts.arguments(line.name)) for line in self.lines)
            return dict.fromkeys((r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)).keys()
        return facts.keys(self.required)

    def facts(self, table: Table) -> Iterator[Fact]:
        """Yield the facts of a board of TOML, each with its place.

        Raises:
            InstanceError: what is wrong, with its line.
        """
        board = self.grid(table)
        if self.lines and any(OUTSIDE in row for row in board.rows):
            message = "# is outside the board; there must be a cell wherever a row and a column cross"
            raise InstanceError(message, board.places[0])
        for predicate, lines in zip(self.lines, (board.rows, board.rows[0]), strict=False):
            yield from ((predicate.name, (i,), board.places[0]) for i in range(1, len(lines) + 1))
        if self.cell:
            yield from ((self.cell.name, cell, place) for cell, _, place in board.cells())
        for key in self.keys:
            # A board may have its size in place of a grid of numbers, and usual boxes in place of regions.
            absent = key.required and key.name not in table.names() and not key.option("boxes")
            if absent and not (key is self.grid_key and key.kind.tool == "number") and key.kind.tool != "total":
                raise table.missing(key.name, KEY_VALUES.get(key.kind.tool, "a grid"))
            yield from key.kind.read(key, table, board)

    def grid(self, table: Table) -> Grid:
        """Return the grid that has the outline of a board of TOML.

        Raises:
            InstanceError: what is wrong, with its line.
        """
        key = self.grid_key
        given_grid = table.grid(key.name) if key else None
        may_be_empty = key is None or (key.kind.role != "regions" and not key.option("every"))
        size = table.array("size", int, "whole numbers", alone=2)
        if given_grid is not None:
            if size is not None and "x".join(map(str, size)) != given_grid.size:
                grid = key.name if key else "the grid"
                raise table.error(f"size: {grid} is {given_grid.size}; leave size out, or make them agree", "size")
            return given_grid
        if size is None:
            expected = " or ".join(["a grid,"] * (key is not None) + ["size = [rows, columns]"])
            raise table.missing(key.name if key else "size", expected if may_be_empty else "a grid")
        if len(size) != 2:
            raise table.error(f"size: {shown(size)} is not a size, expected [rows, columns]", "size")
        rows, columns = size
        place = table.place("size")
        if max(rows, columns) > Limits.LONGEST_SIDE or min(rows, columns) < 1:
            raise InstanceError(
                f"size: a board cannot be {rows}x{columns}; its sides have 1 to {Limits.LONGEST_SIDE} cells", place
            )
        return Grid(((EMPTY,) * columns,) * rows, (place,) * rows)

    def validate(self, facts: Facts) -> None:
        """Raise `InstanceError` unless the facts are a board of this puzzle, however they were written."""
        self._check_sides(facts)
        for predicate in self.lines:
            numbers = sorted(int(number) for (number,) in facts.arguments(predicate.name))
            if not numbers or numbers != list(range(1, numbers[-1] + 1)):
                numbered = listing(map(str, numbers[:9]), "and")
                message = f"the {predicate.arguments[0]}s are {numbered}, expected 1 to n"
                raise InstanceError(message, facts.where)
        if prod(len(facts.arguments(line.name)) for line in self.lines) > _LARGEST_BOARD:
            raise InstanceError(f"the board is too large: it may have at most {_LARGEST_BOARD} crossings", facts.where)
        members = self.cells(facts)
        if not members:
            raise InstanceError(f"there is no board in these facts: they have no {self.required}", facts.where)
        outline = KeyOutline(members, facts, self.keys)
        if self.square and outline.rows != outline.columns and not outline.digits:
            able = any(key.kind.role == "digits" for key in self.keys)
            needed = NOT_SQUARE if able else "it needs as many rows as columns"
            raise InstanceError(f"the board is {outline.size}; {needed}", facts.where)
        hole = outline.hole() if self.square or self.full else None
        if hole:
            raise InstanceError(
                f"{cell_place(hole)} is no cell; the board needs every cell of {outline.size}", facts.where
            )
        for variant in self.added:
            variant.check(outline)
        for key in self.keys:
            check_key(key, outline)
        self.kind.check(outline)

    def _check_sides(self, facts: Facts) -> None:
        """Raise `InstanceError` for rows and columns with numbers that no board has."""
        names = {line.name for line in self.lines} or {self.required}
        for predicate in (predicate for predicate in self.predicates if predicate.name in names):
            ways = predicate.arguments[: predicate.unique]
            sides = [*zip(*facts.arguments(predicate.name), strict=True)][: len(ways)]
            if all(min(numbers) >= 1 and max(numbers) <= Limits.LONGEST_SIDE for numbers in sides):
                continue
            for arguments in facts.arguments(predicate.name):
                for way, number in zip(ways, arguments, strict=False):
                    if not 1 <= int(number) <= Limits.LONGEST_SIDE:
                        problem = f"{way} {number} is off the board, expected 1 to {Limits.LONGEST_SIDE}"
                        place = facts.place(predicate.name, *arguments[: len(ways)])
                        raise InstanceError(f"{shown(fact_text(predicate.name, arguments))}: {problem}", place)


def remaining_details(details: Mapping[str, str]) -> dict[str, str]:
    """Return the details that remain true when the clues of a board change: author, rules and title.

    The title loses what it says about difficulty. Source and notes describe the board as it was, so they are dropped.
    """
    kept = {key: text for key, text in details.items() if key in {"title", "author", "rules"}}
    if "title" in kept:
        kept["title"] = re.sub(_LAST_CLAIM, "", kept["title"])
        if not kept["title"] or re.search(_CLAIM, kept["title"], re.IGNORECASE):
            del kept["title"]
    return kept


class Instance(NamedTuple):
    """One board of a puzzle; two are equal if they have the same content, wherever they were read.

    `Instance(<Puzzle sudoku>, facts=[stream(1,1,"1"), ..., given(1,1,5), ...], details={"title": "Six by six"})`
    """

    puzzle: Puzzle
    facts: Facts
    number: int = 1
    """Which board of its file this is, counted from 1."""
    total: int = 1
    """How many boards its file has; 0 for a list of boards, which is read line by line."""
    collection: str = ""
    """The title of its file, if that has several boards."""
    details: Mapping[str, str] = _NOTHING
    """Title, author, source and notes, if they are given."""
    extras: Mapping[str, Mapping[Any, str]] = _NOTHING
    """What no rule needs: names of colors, `extras["colors"]["r"]`, letters, `extras["letters"][1, 2]`."""
    solution: Answer | None = None
    """The published answer, if the instance has one."""
    variants: tuple[str, ...] = ()
    """Names of shipped variants, whose rules hold as well: ("diagonal", "anti-knight")."""
    warnings: tuple[str, ...] = ()
    """What its text says that is not in this board."""
    pixels: Mapping[Cell, tuple[int, int]] = _NOTHING
    """Where the picture that it was read from shows its cells: pixels from the left, and from the top.

    (2, 0) is beside the first cell of row 2, and (0, 2) above the first cell of column 2: the ends of ribbons.
    """

    def __repr__(self) -> str:
        title = f" {shown(self.title)}" if self.title else ""
        which = f" board {self.number} of {self.total}" if self.total > 1 else ""
        rows, columns = grid_extent(self.cells)
        clues = "".join(f", {len(self.facts.arguments(key.fact))} {key.name}" for key in self.puzzle.clue_keys)
        return f"<Instance {self.puzzle.name}{title}{which} {rows}x{columns}{clues}>"

    def __str__(self) -> str:
        """Return the board as it is printed, with nothing filled in."""
        board = self.printed
        texts = {**board.texts, **{cell: board.name(value) for cell, value in board.givens.items()}}
        return "\n".join(filter(None, [frame_board(board, texts, TextStyle(), TextMarks()), board.legend()]))

    def drawing(self) -> Drawing:
        """Return the printed board, as what `render.svg.svg` draws."""
        return self.printed.drawing(self.title or self.puzzle.name, self.extras.get("colors", {}))

    def _repr_svg_(self) -> str:
        from pyasp_puzzles.render.svg import svg

        return svg(self.drawing())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Instance):
            return NotImplemented
        alike = self._replace(facts=other.facts, warnings=other.warnings, pixels=other.pixels)
        return self.facts.equal(other.facts) and tuple(alike) == tuple(other)

    def __ne__(self, other: object) -> bool:  # a tuple has its own
        return not self == other

    def __hash__(self) -> int:
        return hash((self.puzzle.name, self.number, self.collection, self.title, len(self.facts)))

    def __reduce__(self) -> tuple[type[Instance], tuple[object, ...]]:
        return Instance, (*self[:5], dict(self.details), dict(self.extras), *self[7:-1], dict(self.pixels))

    @property
    def cells(self) -> Collection[Cell]:
        """The cells of the board."""
        return self.puzzle.cells(self.facts)

    @property
    def outline(self) -> KeyOutline:
        """The cells, and the facts about them."""
        return KeyOutline(self.cells, self.facts, self.puzzle.keys)

    @property
    def printed(self) -> Printed:
        """What is printed on the board."""
        puzzle = self.puzzle
        pictures = [variant.picture for variant in puzzle.added if variant.picture]
        unseen = [variant.name for variant in puzzle.added if not variant.is_drawn]
        unseen += [name for name in self.variants if name not in puzzle.variants]
        return Printed(self.cells, puzzle.keys, self.facts, pictures, unseen, puzzle.kind.look)

    @property
    def source(self) -> str:
        """The file that the board came from."""
        return self.facts.where.source

    @property
    def title(self) -> str:
        """The title, or an empty string."""
        return self.details.get("title", "")

    @property
    def about(self) -> dict[str, object]:
        """What every JSON object says about its board: puzzle, source, number of the board, and title."""
        return {"puzzle": self.puzzle.name, "source": self.source, "board": self.number, "title": self.title}

    @property
    def clues(self) -> dict[Any, Any]:
        """The clues, as `with_clues` takes them: `{(1, 2): 3, ...}`; by key for a puzzle with several keys of clues."""
        by_key = {
            key.name: {
                _clue_place(arguments): _clue_value(arguments[-1]) for arguments in self.facts.arguments(key.fact)
            }
            for key in self.puzzle.clue_keys
        }
        return next(iter(by_key.values())) if len(by_key) == 1 else by_key

    def with_clues(self, clues: Mapping[Any, object]) -> Instance:
        """Return the board with other clues in place of its own, and without the published answer.

        Source, notes and the difficulty in the title are dropped, as they may no longer be true.

        Args:
            clues: the number of each cell, `{(1, 2): 3, ...}`, "?" for an unknown one; for a puzzle with several keys
                of clues, by key, `{"givens": {(1, 2): 3}, "sums": {"A": 7}}`; keys that are absent keep their clues.

        Raises:
            InstanceError: these are no clues of this board, with the key.
        """
        check_type(clues, Mapping, "clues", "{(row, column): number}, or {key: {(row, column): number}}")
        keys = {key.name: key for key in self.puzzle.clue_keys}
        by_key = {str(name): values for name, values in clues.items() if isinstance(values, Mapping)}
        if len(by_key) < len(clues) or not clues:
            if len(keys) != 1:
                expected = listing(f'{{"{name}": {{...}}}}' for name in keys)
                message = f"{self.puzzle.name} has clues of {len(keys)} keys, expected {expected}"
                raise InstanceError(message, Where(self.source))
            by_key = {next(iter(keys)): clues}
        facts = self.facts
        for name, values in by_key.items():
            if name not in keys:
                message = f"{shown(name)} is no key of clues of {self.puzzle.name}, expected {listing(keys)}"
                raise InstanceError(message, Where(self.source))
            place = Where(f"{self.source}: {name}")
            digits = self.outline.digits
            several = [_clue_arguments(keys[name], cell, value, place, digits) for cell, value in values.items()]
            atoms = [facts.renamed(fact_symbol(keys[name].fact, *arguments)) for arguments in several if arguments]
            facts = facts.replaced(keys[name].fact, atoms, place)
        self.puzzle.validate(facts)
        return self._replace(facts=facts, solution=None, details=remaining_details(self.details))


def _clue_place(arguments: Arguments) -> object:
    """Return which clue a fact is, as the key of `with_clues`: `(1, 2)` of `given(1, 2, 3)`, "A" of `sum("A", 7)`."""
    place = tuple(map(_clue_value, arguments[:-1]))
    return place[0] if len(place) == 1 else place


def _clue_value(argument: int | str) -> int | str:
    return argument if isinstance(argument, int) else fact_name(argument)


def _clue_arguments(key: Key, cell: object, value: object, place: Where, digits: Sequence[int]) -> list[SymbolValue]:
    """Return the arguments of the fact of a clue; an empty list for an empty cell."""
    if value is None or (isinstance(value, str) and value in {"", EMPTY}):
        return []
    parts = [*(cell if isinstance(cell, tuple) else [cell]), value]
    arguments: list[SymbolValue] = [_clue_part(part, place) for part in parts]
    assert key.predicate is not None
    if len(arguments) != len(key.predicate.arguments):
        message = f"{shown(cell)} has {len(parts) - 1} parts, expected those of {key.predicate} but the last"
        raise InstanceError(message, place)
    if key.unknown and value == UNKNOWN:
        del arguments[-1]
    elif key.kind.tool == "number" and arguments[-1] == 0 and "0" in empty_key_tokens(key.option("range"), digits):
        return []
    side = arguments[0]
    return [fact_symbol(side), *arguments[1:]] if key.kind.tool == "outside" and isinstance(side, str) else arguments


def _clue_part(part: object, place: Where) -> int | str:
    if isinstance(part, str):
        if not part.isprintable():
            raise InstanceError(f"{shown(part)} is wrong here, expected a number or printable text", place)
        return part
    number = fact_integer(part, place)
    if abs(number) >= 10**Limits.LONGEST_NUMBER:
        raise InstanceError(f"{shown(part)} is out of range, expected at most {Limits.LONGEST_NUMBER} digits", place)
    return number


class AnswerView(NamedTuple):
    """What tells answers apart: answer sets with the same output are one answer.

    `AnswerView(("value/3",), decoder)`; looks: `AnswerView(("look/3",), decoder, files=("paint", "looks"))`
    """

    outputs: tuple[str, ...]
    """The output predicates: ("value/3",)."""
    decoder: Decoder
    files: tuple[str, ...] = ()
    """The names of files in the puzzle's folder that define the output, if the encoding does not."""
    shows: str = ""
    """Lines of the program that show more than the output, or tell answers apart by something else (`#project`)."""
    counter: Callable[[Instance, Deadline], int | None] | None = None
    """Counts the answers by the shipped rules without a search; None if the board is too large.

    It raises `OutOfTime` when the deadline has passed.
    """

    def signatures(self) -> list[tuple[str, int]]:
        """Return the name and the arity of each output predicate: `[("value", 3)]`."""
        parts = (output.partition("/") for output in self.outputs)
        return [(name, int(arity)) for name, _, arity in parts]


class AnswerMeasure(NamedTuple):
    """A number that new boards can be asked for: `AnswerMeasure(rounds, most)`."""

    measured: Callable[[Instance, Search], int]
    """Returns the number of a board, given its rules; 0 if it has none."""
    most: Callable[[Collection[Cell]], int]
    """Returns the largest number that a board of some cells can have."""


class AnswerMethodStep(NamedTuple):
    """A step of a method, with what its cost depends on: `AnswerMethodStep(<Step 2 peel>, seen=1, spread=2)`."""

    step: Step
    """Its sentences are marked texts."""
    seen: int = 0
    """The lines or cells that rule out others."""
    spread: int = 0
    """How many rows and columns its cells are apart."""
    answer: Answer | None = None
    """The answer that it ends with, if it is an end and not blocked."""


class AnswerMethod(NamedTuple):
    """How a kind of answer is explained, if not by the rules that force its answers.

    `AnswerMethod("peeling", peel, answer, obstruction, "no other ribbon comes off", "the order that it finds")`
    """

    name: str
    steps: Callable[[Instance, Search, Answer | None], Iterator[AnswerMethodStep]]
    """Yields the steps of a board, given its rules and words, and what is filled in; the last one is an end.

    Its second argument may lack what the method needs: then it raises `EncodingError`.
    """
    answer: Callable[[Instance, Deadline], Answer | None]
    """Returns an answer, or None if there is none, if a board's rules are those that the method knows."""
    obstruction: Callable[[Instance, Deadline], ReviewObstruction]
    """Returns why a board has no answer, if its rules are those that the method knows."""
    blocked: str
    """The message if it ends too early: "no other ribbon comes off"."""
    result: str
    """What people call its answer: "the order that it finds"."""


class AnswerKind:
    """A kind of answer. By default, all atoms of an answer can be assumed, and none replaces a clue."""

    data: ClassVar[tuple[str, ...]] = ()
    """The attributes with the data of an answer, or of part of one; it has one of them."""
    family: ClassVar[str] = ""
    """The heading under which `pyasp list` has its puzzles."""
    look: Mapping[str, Any] = _NOTHING
    """How what is filled in looks, as a `picture` says."""
    two_valued = False
    """Whether an atom that does not hold is part of an answer, too: a cell that is not shaded, no line there."""
    method: AnswerMethod | None = None
    """How its answers are explained, if not by the rules that force them."""
    cells_left_over: ClassVar[bool] = False
    """Whether a whole answer may leave cells open, or have several entries in one cell."""
    solvable_is_good = False
    """Whether a board is good if it has an answer, however many."""
    side_by_side = False
    """Whether the answers to the boards of a file are printed side by side."""
    generated_view: str | None = None
    """The view in which a generated board has one answer, if not the usual one."""
    measures: ClassVar[Mapping[str, AnswerMeasure]] = _NOTHING
    """Numbers that new boards can be asked for, by name."""

    @property
    def overlap(self) -> str:
        """Lines of a program that leave only the answers in which entries share a cell; empty if there are none."""
        return ""

    @classmethod
    def from_table(cls, answer: Table) -> Self:
        """Return the kind that a table `[answer]` of a `puzzle.toml` declares.

        Raises:
            EncodingError: something is wrong with the table.
        """
        raise NotImplementedError

    @property
    def views(self) -> Mapping[str, AnswerView]:
        """The views by name, the usual one first."""
        raise NotImplementedError

    def decoder(self, instance: Instance) -> Callable[[Sequence[Symbol]], Answer]:
        """Return the function from the atoms of an answer set to the answer."""
        return partial(self.decode, instance.printed)

    def decode(self, printed: Printed, atoms: Sequence[Symbol]) -> Answer:
        """Return the answer that the atoms of an answer set are.

        Raises:
            EncodingError: they are none on this board.
        """
        raise NotImplementedError

    def check(self, outline: KeyOutline) -> None:
        """Raise `InstanceError` for boards that are too large to search."""
        if len(outline.cells) > _LARGEST_BOARD:
            raise InstanceError(
                f"the board is too large: it may have at most {_LARGEST_BOARD} cells", outline.facts.where
            )

    def numbers(self, outline: KeyOutline) -> Sequence[int] | None:
        """Return the numbers of an answer, in ascending order; None if there are none, or they are not declared."""
        del outline
        return None

    def consequences(
        self, instance: Instance, question: str, always: Sequence[Symbol], sometimes: Sequence[Symbol]
    ) -> Answer:
        """Return the `decided` or the `possible` of an instance.

        Args:
            instance: the board.
            question: "decided" or "possible".
            always: the atoms that are true in every answer; empty for "possible", unless the kind is two-valued.
            sometimes: the atoms that are true in some answer; empty for "decided", unless the kind is two-valued.
        """
        decoder = next(iter(self.views.values())).decoder
        return decoder(instance)(always if question == "decided" else sometimes)

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Answer:
        """Return an answer from text (see `docs/instances.md`); it is the whole answer, or what is filled in.

        Raises:
            InstanceError: it is no answer to this board.
        """
        raise NotImplementedError

    def from_json(self, instance: Instance, table: Mapping[str, Any], where: Where) -> Answer:
        """Return an answer from the JSON that `solve --json` prints.

        Raises:
            KeyError, TypeError, ValueError: it does not have the form of an answer.
            InstanceError: it is no answer to this board.
        """
        return self.read(instance, self.typed(instance, table), where)

    def typed(self, instance: Instance, table: Mapping[str, Any]) -> str:
        """Return an answer in JSON as the text that `read` takes; errors as for `from_json`."""
        raise NotImplementedError

    def derived_facts(self, instance: Instance, answer: Answer) -> list[Symbol]:
        """Return the atoms of an answer that the encoding derives, so that they are added as facts, not assumed."""
        del instance, answer
        return []

    def entries(self, instance: Instance, answer: Answer, search: Search, *, so_far: bool = False) -> list[Entry]:
        """Return the entries of an answer, or of part of one, in terms of the atoms of a grounding of the board.

        With `so_far`, the answer is what a person has until now; in Strata, the ribbons on top.
        """
        raise NotImplementedError

    def closed(self, entries: Sequence[Entry], search: Search) -> Sequence[Entry]:
        """Return the entries of an answer without overlaps: each excludes all that would overlap it."""
        del search
        return entries

    def open_cells(self, instance: Instance, answer: Answer) -> int:
        """Return how many cells are not filled in; givens count as filled in."""
        del instance
        return len(answer.places()) - len(answer.cells())

    def with_blanks(self, answer: Answer) -> Answer | None:
        """Return an answer whose open cells stay blank; None if none may."""
        del answer
        return None

    def value_words(self, value: object) -> str:
        """Return what people call the value of a cell, "a 3"; nothing if it cannot replace a clue."""
        del value
        return ""

    def atom_reader(self, instance: Instance, search: Search) -> Callable[[Symbol], tuple[Cell, object] | None]:
        """Return the function from an atom of the output to its cell and value, as JSON has it; None for no cell."""
        del instance, search
        return lambda _: None

    def literal_words(self, value: object, *, holds: bool) -> tuple[str, bool]:
        """Return the words for an atom with that value, which is true or false, and whether to negate them."""
        return str(value), not holds

    def clauses(self, literals: Iterable[tuple[Cell, object, bool]], verb: str, here: Cell | None = None) -> list[str]:
        """Return clauses for atoms, each with its cell, its value and whether it holds, marked.

        Nothing if "row 1, column 2 is 3" says it. The verb is "would be" or "were"; empty for "is". Lines go from the
        cell `here`, if they do.
        """
        del literals, verb, here
        return []

    def entry_words(self, cell: Cell, value: object) -> str:
        """Return what people call an atom that holds, marked; nothing if "the 3 in row 1, column 2" says it."""
        del cell, value
        return ""

    def known_at(self, instance: Instance, search: Search) -> Callable[[StepPosition], Answer]:
        """Return the function from a position in an explanation to what is known there, given its ground program."""
        raise NotImplementedError
