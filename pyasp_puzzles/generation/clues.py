"""Which clues a board may have, as its puzzle declares them, and which clues are removed together.

Clue  given(1, 2, 3), sign(1, 1, 1, 2, "<"): a fact of a key of clues
Unit  clues that are kept or left out together: one clue; with symmetry, a clue and its opposite
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pyasp_puzzles.asp.symbols import fact, plain_arguments
from pyasp_puzzles.errors import PuzzleError, Where
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.keys import Outline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clingo import Symbol

    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.model.puzzle import Instance, Puzzle

    Unit: TypeAlias = tuple[Symbol, ...]


def clue_keys(puzzle: Puzzle) -> list[Key]:
    """Return the keys whose facts are generated: those of clues; without any, those of colors that a cell may lack.

    A key that every cell has is part of the layout, even if it has clues: none of them can be left out.
    """
    found = [key for key in puzzle.clue_keys if key.kind.possible and not key.whole]
    return found or [key for key in puzzle.keys if key.kind.tiles and not key.whole]


def with_clues(board: Instance, clues: Iterable[Symbol]) -> Instance:
    """Return a board with these clues only, sorted, and without its published answer."""
    facts = board.facts
    chosen = sorted(clues)
    for key in clue_keys(board.puzzle):
        of_key = [clue for clue in chosen if clue.name == key.fact]
        facts = facts.replaced(key.fact, of_key, Where(board.source))
    return board._replace(facts=facts, solution=None)


def clues_of(board: Instance) -> list[Symbol]:
    """Return the clues of a board."""
    return [clue for key in clue_keys(board.puzzle) for clue in board.facts.of(key.fact)]


def possible_clues(board: Instance, key: Key) -> list[Symbol]:
    """Return the clues of a key that a board may have.

    Raises:
        PuzzleError: there are too many, or neither the declaration nor the board tells which there are.
    """
    outline = Outline(board.puzzle.cells(board.facts), board.facts, board.puzzle.keys)
    found = list(key.kind.possible(key, outline)) if key.kind.possible else []
    if not found:
        message = f"{board.puzzle.name} does not declare which {key.name} there may be: add them to its declaration"
        raise PuzzleError(f"{message}, or pass a board that has some with --like")
    if len(found) > Limits.MOST_POSSIBLE_CLUES:
        raise PuzzleError(
            f"this board has {len(found)} possible {key.name}; use one with at most {Limits.MOST_POSSIBLE_CLUES}"
        )
    return [board.facts.renamed(fact(key.fact, *arguments)) for arguments in found]


def units(board: Instance, clues: Iterable[Symbol], *, symmetric: bool) -> list[Unit]:
    """Return clues in units, sorted; if `symmetric`, a clue goes with those half a turn around the board from it."""
    keys = {key.fact: key for key in clue_keys(board.puzzle)}
    rows, columns = zip(*board.puzzle.cells(board.facts), strict=True)
    height, width = min(rows) + max(rows), min(columns) + max(columns)
    found: dict[tuple[object, ...], list[Symbol]] = {}
    for clue in sorted(clues):
        key = keys[clue.name]
        place = plain_arguments(clue)[: key.place]
        if symmetric:
            place = min(place, key.kind.opposite(key, place, height, width), key=lambda one: [*map(str, one)])
        found.setdefault((clue.name, *place), []).append(clue)
    return [tuple(unit) for unit in found.values()]
