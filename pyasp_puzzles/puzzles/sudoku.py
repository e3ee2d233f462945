"""Sudoku: the Strimko whose streams are its boxes, or the regions of a jigsaw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.errors import shown
from pyasp_puzzles.puzzles import strimko

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.board import Grid
    from pyasp_puzzles.sections import Sections
    from pyasp_puzzles.vocabulary import Entry

USUAL_BOXES = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 16: (4, 4), 25: (5, 5)}
"""Rows and columns of the box, by the side of the board."""


def facts(sections: Sections) -> Iterator[Entry]:
    """Yield the facts of a board: `givens`, and for its streams either `regions` or the boxes of size `box`."""
    board = sections.board("givens")
    regions = sections.grid("regions")
    box = _box(sections)
    if regions is not None and box is not None:
        raise sections.error("box", "given beside regions, expected one of them")
    yield from (_boxes(sections, board, box) if regions is None else strimko.streams(regions))
    yield from sections.numbers("givens", "given", board if regions is None else regions)


def _box(sections: Sections) -> tuple[int, int] | None:
    members = sections.array("box", int, "whole numbers")
    if members is None:
        return None
    sides = [side for side in members if isinstance(side, int) and side > 0]
    if len(sides) != len(members) or len(sides) != 2:
        raise sections.error("box", f"{shown(members)} is no size of a box, expected [rows, columns]")
    return sides[0], sides[1]


def _boxes(sections: Sections, board: Grid, box: tuple[int, int] | None) -> Iterator[Entry]:
    """Yield the stream of each cell: the boxes, numbered row by row."""
    side = len(board.rows)
    if len(board.rows[0]) != side:
        raise sections.error("givens", f"a grid of {board.size}, expected as many rows as columns")
    box = box or USUAL_BOXES.get(side)
    if box is None:
        raise sections.error("givens", f"there are no usual boxes for {board.size}, expected box = [rows, columns]")
    high, wide = box
    if high * wide != side:
        raise sections.error("box", f"{high}x{wide} is {high * wide} cells, expected {side} as in a row")
    for (r, c), _, place in board.cells():
        yield "stream", (r, c, str((r - 1) // high * (side // wide) + (c - 1) // wide + 1)), place


PUZZLE = strimko.PUZZLE._replace(
    name="sudoku",
    summary="Every row, column and box (or region) of an n x n board holds each of 1..n once.",
    facts=facts,
)
