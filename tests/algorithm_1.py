"""Algorithm 1 of "Strimko by Resolution" (RESOLVESTRIMKO) in plain Python, line by line as the paper has it.

It is written from the paper's pseudo-code and text, and not from the encoding; a Tectonic differs in what its
disjunctions are, and in which cells may not hold the same number. `resolve` is the pseudo-code, `in_full` what the
paper's text says, without the pseudo-code's shortcuts: it stops where all cells are filled (line 4), spares cells that
are filled (line 7), and forgets disjunctions of one member (line 20), by all of which it may overlook a contradiction.

Fact         ((1, 2), 3): row 1, column 2 holds 3
Disjunction  {((1, 1), 3), ((1, 2), 3)}: one of these facts holds
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pyasp_puzzles import Instance

from . import plain
from .rules import Cell, members, touching

Fact = tuple["Cell", int]


class Board(NamedTuple):
    """What Algorithm 1 knows of a puzzle."""

    disjunctions: dict[str, set[Fact]]
    """The disjunctions, by the names that the encodings have for them: the paper's set A."""
    unlike: dict[Cell, set[Cell]]
    """The cells that may not hold the same number as a cell."""


class End(NamedTuple):
    """What Algorithm 1 returns, and how it came there."""

    status: str
    """ "solved", "unsolved" or "contradiction"."""
    facts: set[Fact]
    """The paper's set B."""
    candidates: dict[Cell, set[int]]
    """What is left of the disjunction of each cell."""
    rounds: list[dict[str, Fact]]
    """Of each round: the disjunctions that come down to a new fact."""
    again: list[dict[str, Fact]]
    """Of each round: the disjunctions that come down to a fact that had been inferred, or given, before."""
    left: dict[str, set[Fact]]
    """The disjunctions that have not come down to one fact: the paper's set A."""


def strimko(streams: Mapping[Cell, str], digits: Sequence[int] = ()) -> Board:
    """Return a Strimko or Sudoku: 4n^2 disjunctions, for each cell, and for each number in a row, column or stream.

    A row, column or stream with fewer cells than the board has digits needs none of them.
    """
    numbers = digits or range(1, max(r for r, _ in streams) + 1)
    units = {f"row({i})": {cell for cell in streams if cell[0] == i} for i, _ in streams}
    units |= {f"col({i})": {cell for cell in streams if cell[1] == i} for _, i in streams}
    units |= {f"stream({name})": cells for name, cells in members(streams).items()}
    unlike = {cell: set().union(*(cells for cells in units.values() if cell in cells)) - {cell} for cell in streams}
    return _board(units, dict.fromkeys(streams, numbers), unlike)


def tectonic(blocks: Mapping[Cell, str]) -> Board:
    """Return a Tectonic: disjunctions for each cell, and for each number in a block."""
    units = members(blocks)
    unlike = {cell: (touching(cell) & blocks.keys() | units[block]) - {cell} for cell, block in blocks.items()}
    largest = {cell: range(1, len(units[block]) + 1) for cell, block in blocks.items()}
    return _board({f"block({name})": cells for name, cells in units.items()}, largest, unlike)


def _board(
    units: Mapping[str, set[Cell]], numbers: Mapping[Cell, Sequence[int]], unlike: dict[Cell, set[Cell]]
) -> Board:
    disjunctions = {f"cell({r},{c})": {((r, c), k) for k in of_cell} for (r, c), of_cell in numbers.items()}
    for unit, cells in units.items():
        whole = [k for k in numbers[min(cells)] if len(cells) == len(numbers[min(cells)])]
        disjunctions |= {f"once({unit},{k})": {(cell, k) for cell in cells} for k in whole}
    return Board(disjunctions, unlike)


def knowledge(instance: Instance) -> tuple[Board, list[Fact]]:
    """Return the disjunctions and the evidence of an instance, read from its facts."""
    evidence = [*plain.givens(instance).items()]
    if instance.puzzle.name == "tectonic":
        return tectonic(plain.labels(instance, "block")), evidence
    return strimko(plain.labels(instance, "stream"), plain.digits(instance)), evidence


def resolve(board: Board, evidence: Iterable[Fact]) -> End:
    """Return how Algorithm 1 ends.

    A disjunction that has one member to begin with, as in a Tectonic block of one cell, is evidence.
    """
    a = {name: set(disjunction) for name, disjunction in board.disjunctions.items()}
    b = {*evidence, *(fact for disjunction in a.values() if len(disjunction) == 1 for fact in disjunction)}
    gone: dict[str, Fact] = {}
    rounds: list[dict[str, Fact]] = []
    again: list[dict[str, Fact]] = []
    old = set(b)

    def end(status: str) -> End:
        left = a | {name: {fact} for name, fact in gone.items()}
        found = {cell: {k for _, k in left[f"cell({cell[0]},{cell[1]})"]} for cell in board.unlike}
        return End(status, b, found, rounds, again, {name: d for name, d in a.items() if len(d) != 1})

    while len(b) < len(board.unlike):  # 4
        new: dict[str, Fact] = {}  # 5
        rounds.append(new)
        again.append({})
        filled = {cell for cell, _ in b}
        for cell, k in sorted(old):  # 6
            others = {(cell, other) for _, other in board.disjunctions[f"cell({cell[0]},{cell[1]})"] if other != k}
            negative = others | {(other, k) for other in board.unlike[cell] if other not in filled}  # 7
            for d in a.values():  # 8
                d.difference_update(negative)  # 9 to 13
                if not d:  # 14
                    return end("contradiction")  # 15
            for name, d in list(a.items()):  # 18
                if len(d) == 1:  # 19
                    (fact,) = a.pop(name)  # 20
                    gone[name] = fact
                    (again[-1] if fact in b else new)[name] = fact
        if not new:  # 24
            return end("unsolved")  # 25
        b |= set(new.values())  # 27
        old = set(new.values())  # 28
    return end("solved")  # 30


def in_full(board: Board, evidence: Iterable[Fact]) -> End:
    """Return how resolution ends without the shortcuts; at a contradiction, the state after that round."""
    a = {name: set(disjunction) for name, disjunction in board.disjunctions.items()}
    b = set(evidence)
    rounds: list[dict[str, Fact]] = []
    while True:
        for cell, k in b:
            others = {(cell, other) for _, other in board.disjunctions[f"cell({cell[0]},{cell[1]})"] if other != k}
            negative = others | {(other, k) for other in board.unlike[cell]}
            for d in a.values():
                d.difference_update(negative)
        singles = {name: fact for name, d in a.items() if len(d) == 1 for fact in d}
        rounds.append({name: fact for name, fact in singles.items() if fact not in b})
        if not all(a.values()) or not rounds[-1]:
            break
        b |= set(rounds[-1].values())
    status = "contradiction" if not all(a.values()) else "solved" if len(b) == len(board.unlike) else "unsolved"
    candidates = {cell: {k for _, k in a[f"cell({cell[0]},{cell[1]})"]} for cell in board.unlike}
    return End(status, b, candidates, rounds, [], {name: d for name, d in a.items() if len(d) != 1})
