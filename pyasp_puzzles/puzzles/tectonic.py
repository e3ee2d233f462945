"""Tectonic, or Suguru: numbered blocks whose equals never touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.board import EMPTY, at, cells, pieces
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.number_grid import VIEWS, check_givens, gather, read
from pyasp_puzzles.puzzle import Puzzle
from pyasp_puzzles.symbols import text
from pyasp_puzzles.vocabulary import Facts, Predicate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.sections import Sections
    from pyasp_puzzles.vocabulary import Entry


def facts(sections: Sections) -> Iterator[Entry]:
    """Yield the facts of a board: `blocks`, and `givens` in the same shape."""
    board = sections.board("blocks")
    for cell, token, place in board.cells():
        if token == EMPTY:
            raise InstanceError(f"{at(cell)}: '.' names no block, expected a name, or # outside the board", place)
        yield "block", (*cell, token), place
    yield from sections.numbers("givens", "given", board)


def validate(facts: Facts) -> None:
    """Refuse blocks in pieces (a block is connected, so a second piece is a slip) and givens that no cell can hold."""
    blocks = gather(facts.cells("block"))
    for block, members in blocks.items():
        first, *others = pieces(members)
        if others:
            name, place = shown(text(block)), facts.place("block", *others[0][0])
            message = f"block {name} is in {len(others) + 1} pieces, at {at(first[0])} and {at(others[0][0])}"
            raise InstanceError(f"{message}, expected {cells(len(members))} joined by their sides", place)
    check_givens(facts, {cell: len(members) for members in blocks.values() for cell in members})


PUZZLE = Puzzle(
    name="tectonic",
    aliases=("suguru",),
    summary="A block of n cells holds 1..n, and equal numbers never touch, not even diagonally.",
    encoding="tectonic",
    predicates=(
        Predicate("block", ("row", "column", "name"), unique=2),
        Predicate("given", ("row", "column", "number"), unique=2),
    ),
    views=VIEWS,
    clues=("given",),
    required="block",
    facts=facts,
    validate=validate,
    read=read,
)
