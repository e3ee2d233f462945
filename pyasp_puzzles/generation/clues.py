"""The clues of new boards, by keys and in units, which are removed together; what is wanted of a board; a new board.

Clue       (given(1, 2, 3),), or all facts of a line: (arrow_circle(1, 1, 1, 1), arrow(1, 1, 1, 2), arrow(1, 2, 1, 3))
Unit       clues that are kept or left out together: one clue; with symmetry, a clue and its opposite
Wish       Wish("hard", clues=24): what is wanted of a board, apart from its layout
Generated  Generated(<Instance sudoku 9x9, 24 givens>, 7, grade="hard"): a board that was made
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pyasp_puzzles.asp.symbols import Arguments, symbol_arguments
from pyasp_puzzles.boards.grid import OPPOSITE, Cell, grouped, is_side_of_columns
from pyasp_puzzles.errors import PuzzleError, Where
from pyasp_puzzles.model.keys import KeyRange
from pyasp_puzzles.queries.sessions import possible_session_facts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from clingo import Symbol

    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.model.puzzle import Instance, Puzzle

    Clue: TypeAlias = tuple[Symbol, ...]
    Unit: TypeAlias = tuple[Clue, ...]

# Clues that a board may have; more take too long to ground.
_MOST_POSSIBLE_CLUES = 100_000


def clue_keys(puzzle: Puzzle) -> list[Key]:
    """Return the keys whose facts are generated: those of clues; without any, those of colors that a cell may lack.

    A key that every cell has is part of the layout, even if it has clues: none of them can be left out.
    """
    kinds = [key for key in puzzle.keys if not key.whole and (key.kind.possible or key.kind.drawn)]
    declared = [key for key in kinds if (key.kind.pictured if key.clue is None else key.clue)]
    return declared or [key for key in puzzle.keys if key.kind.role == "tiles" and not key.whole and key.clue is None]


def with_clues(board: Instance, clues: Iterable[Clue], keys: Iterable[Key] | None = None) -> Instance:
    """Return a board with these clues of some keys only, sorted, and without its published answer.

    `keys` are those of `clue_keys` by default; the facts of others remain.
    """
    facts = board.facts
    chosen = sorted(fact for clue in clues for fact in clue)
    for key in clue_keys(board.puzzle) if keys is None else keys:
        for predicate in key.predicates:
            of_key = [fact for fact in chosen if fact.name == predicate.name]
            facts = facts.replaced(predicate.name, of_key, Where(board.source))
    return board._replace(facts=facts, solution=None)


def clues_of_board(board: Instance, keys: Iterable[Key] | None = None) -> list[Clue]:
    """Return the clues of a board; `keys` are those of `clue_keys` by default."""
    of_board: list[Clue] = []
    for key in clue_keys(board.puzzle) if keys is None else keys:
        of_board += gathered_clues(
            key, [fact for predicate in key.predicates for fact in board.facts.of(predicate.name)]
        )
    return of_board


def gathered_clues(key: Key, facts: Iterable[Symbol]) -> list[Clue]:
    """Return the clues of a key that some facts make."""
    names = {predicate.name for predicate in key.predicates}
    of_key = (fact for fact in facts if fact.name in names)
    return [
        *map(tuple, grouped((tuple(fact.arguments[: key.kind.together]) or fact, fact) for fact in of_key).values())
    ]


def possible_clues(board: Instance, key: Key) -> list[Symbol]:
    """Return the facts of a key that a board may have, each a clue by itself.

    Raises:
        PuzzleError: there are too many, or neither the declaration nor the board tells which there are.
    """
    possible = possible_session_facts(board, key, _MOST_POSSIBLE_CLUES)
    if possible is None:
        raise PuzzleError(f"this board has too many possible {key.name}; use one with at most {_MOST_POSSIBLE_CLUES}")
    if not possible:
        message = f"this board has no room for {key.name}, or {board.puzzle.name} does not declare which there may be"
        raise PuzzleError(f"{message}: choose another size, add them to the declaration, or pass a board that has some")
    return possible


def unit_facts(units: Iterable[Unit]) -> list[Symbol]:
    """Return the facts of the clues of units."""
    return [fact for unit in units for clue in unit for fact in clue]


def clue_units(board: Instance, clues: Iterable[Clue], *, symmetric: bool) -> list[Unit]:
    """Return clues in units, sorted; if `symmetric`, a clue goes with those half a turn around the board from it.

    A line without another half a turn around the board from it is left out then.
    """
    keys = {predicate.name: key for key in clue_keys(board.puzzle) for predicate in key.predicates}
    rows, columns = zip(*board.cells, strict=True)
    turned = min(rows) + max(rows), min(columns) + max(columns)
    by_place: dict[tuple[object, ...], list[Clue]] = {}
    missing: dict[tuple[object, ...], set[object]] = {}
    for clue in sorted(clues):
        key = keys[clue[0].name]
        both = _places(key, clue, *turned) if symmetric else [clue if key.kind.together else _place(key, clue)]
        unit = (key.name, min(both, key=lambda place: [*map(str, place)]))
        by_place.setdefault(unit, []).append(clue)
        missing.setdefault(unit, {*both}).discard(both[0])
    return [
        tuple(unit) for name, unit in by_place.items() if not (missing[name] and keys[unit[0][0].name].kind.pictured)
    ]


def _place(key: Key, clue: Clue) -> tuple[object, ...]:
    return tuple(symbol_arguments(clue[0])[: key.place])


def _places(key: Key, clue: Clue, height: int, width: int) -> list[tuple[object, ...]]:
    """Return the place of a clue, and the one half a turn around the board from it: its cells, if it has some."""
    cells, place = sorted(clue_cells(key, clue)), _place(key, clue)
    if cells:
        around = key.kind.tool == "corner"  # the upper left of four cells
        return [(*cells,), (*sorted((height - around - r, width - around - c) for r, c in cells),)]
    if key.kind.tool != "outside":
        return [place, place]
    side, line = str(place[0]), int(str(place[1]))
    return [place, (OPPOSITE.get(side, side), (width if is_side_of_columns(side) else height) - line)]


def clue_cells(key: Key, clue: Collection[Symbol]) -> list[Cell]:
    """Return the cells of a clue, in the order of its facts."""
    if key.kind.around:
        return [cell for fact in clue for cell in key.kind.around(symbol_arguments(fact))]
    cells: list[Cell] = []
    for predicate in key.predicates:
        ways: Sequence[str] = predicate.arguments
        pairs = [i for i, way in enumerate(ways) if way == "row"]
        facts: list[Arguments] = [symbol_arguments(fact) for fact in clue if fact.name == predicate.name]
        cells += [(int(arguments[i]), int(arguments[i + 1])) for arguments in facts for i in pairs]
    return cells


def line_and_cage_keys(keys: Iterable[Key]) -> list[Key]:
    """Return the keys of lines and cages, which share no cell unless they may."""
    return [key for key in keys if key.kind.drawn and key.kind.drawn.apart]


def covering_keys(keys: Iterable[Key]) -> list[Key]:
    """Return the keys whose clues are to cover a board: those of cages; without cages, those of lines."""
    drawn = line_and_cage_keys(keys)
    tools = [key.kind.tool for key in drawn]
    return [key for key in drawn if key.kind.tool == ("cage" if "cage" in tools else tools[0])]


# -- Wish ----------------------------------------------------------------------------------------------------------


class Wish(NamedTuple):
    """What is wanted of a board, apart from its layout."""

    grade: str | None = None
    clues: int | None = None
    """How many clues it is to have."""
    symmetric: bool = False
    fewest: bool = False
    measures: tuple[tuple[str, int], ...] = ()
    """Wanted values of what its kind of answer measures: (("peels", 5),)."""
    givens: KeyRange | None = None
    """How many numbers are printed on it."""
    use: tuple[tuple[str, KeyRange], ...] = ()
    """How many clues it has of some keys: (("thermometers", Range(4, 4)),)."""
    cells: KeyRange | None = None
    """How many cells a line or a cage has."""
    sides: tuple[str, ...] = ()
    """The sides of the board that have clues; () for all."""
    cover: bool = False
    """Whether the cages cover the board; without cages, the lines."""
    lines: str = "touch"
    """How lines lie, and cages: "overlap", "touch" or "apart"."""
    all_dots: bool = False
    """Whether all signs between cells that hold are printed."""

    def spans(self, keys: Iterable[Key]) -> Iterator[tuple[str, KeyRange]]:
        """Yield how many clues of keys there are to be, where that is wanted."""
        use = dict(self.use)
        for key in keys:
            span = use.get(key.name, self.givens if key.kind.role == "answers" else None)
            if span is not None:
                yield key.name, span

    def needs(self, key: Key) -> float:
        """Return how many clues of a key must remain, even if they are not needed for one answer."""
        every = self.all_dots and key.kind.tool == "pair"
        return inf if every else dict(self.spans([key])).get(key.name, KeyRange(0, 0)).low


class Generated(NamedTuple):
    """A board that was made.

    `Generated(<Instance sudoku 9x9, 24 givens>, 7, grade="hard")`; one that is not as wanted:
    `Generated(<Instance sudoku 4x4, 5 givens>, 7, missed="5 clues, not 4", distance=(0, 1, 0))`
    """

    instance: Instance
    seed: int = 0
    grade: str = ""
    """Its grade; empty if that was not asked for, or not found in time."""
    wanted: str = ""
    """The grade that is wanted; empty for any."""
    missed: str = ""
    """What it lacks besides its grade, in words: "31 clues, not 30"."""
    distance: tuple[int, int, int] = (0, 0, 0)
    """The difference from what is wanted: in grades, in clues, and in peels or other measures."""
    untested: int = 0
    """How many of its clues are perhaps not needed."""
    final: bool = False
    """Whether no other choice of its clues would bring its grade nearer."""
    late: bool = False
    """Whether time ran out, before it was graded or before it was as wanted."""

    boards: int = 1
    """How many boards were made, of which it is the nearest to what is wanted."""

    @property
    def lacks(self) -> str:
        """What it lacks, in words: "31 clues, not 30; easy, not hard"; empty if it is as wanted."""
        grade = f"{self.grade}, not {self.wanted}" if self.grade else f"not known to be {self.wanted}"
        lacking = [*([self.missed] if self.missed else []), *([grade] if self.wanted not in {"", self.grade} else [])]
        return "; ".join(lacking) + (f", the nearest of {self.boards} boards" if self.boards > 1 else "")

    @property
    def met(self) -> bool:
        """Whether it is as wanted; otherwise it is the nearest that was found."""
        return not self.lacks
