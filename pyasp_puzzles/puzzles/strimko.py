"""Strimko: a latin square whose streams hold each number once, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.board import EMPTY, Grid, at, cells, extent
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
    """Yield the facts of a board: `streams`, and `givens` in the same shape."""
    board = sections.board("streams")
    yield from streams(board)
    yield from sections.numbers("givens", "given", board)


def streams(board: Grid) -> Iterator[Entry]:
    """Yield the stream of each cell of a grid of names."""
    for cell, token, place in board.cells():
        if token == EMPTY:
            raise InstanceError(f"{at(cell)}: '.' names no stream, expected a name", place)
        yield "stream", (*cell, token), place


def validate(facts: Facts) -> None:
    """Refuse boards that are not square, streams that are not as long as a row, and givens beyond that."""
    streams = facts.cells("stream")
    rows, columns = extent(streams)
    if rows != columns:
        raise InstanceError(f"a board of {rows}x{columns}, expected as many rows as columns", facts.where)
    hole = next(((r, c) for r in range(1, rows + 1) for c in range(1, rows + 1) if (r, c) not in streams), None)
    if hole:
        raise InstanceError(f"{at(hole)}: no cell here, expected every cell of {rows}x{rows} in a stream", facts.where)
    check_givens(facts, dict.fromkeys(streams, rows))
    for stream, members in gather(streams).items():
        if len(members) != rows:
            message = f"stream {shown(text(stream))} has {cells(len(members))}, expected {rows} as in a row"
            raise InstanceError(message, facts.place("stream", *members[min(rows, len(members) - 1)]))


PREDICATES = (
    Predicate("stream", ("row", "column", "name"), unique=2),
    Predicate("given", ("row", "column", "number"), unique=2),
)

PUZZLE = Puzzle(
    name="strimko",
    summary="Every row, column and stream of an n x n board holds each of 1..n once.",
    encoding="strimko",
    predicates=PREDICATES,
    views=VIEWS,
    clues=("given",),
    required="stream",
    facts=facts,
    validate=validate,
    read=read,
)
