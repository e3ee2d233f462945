"""Tectonic: fill the cells one by one in reading order, each with its next number that complies, or else go back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.board import Numbers, Rows


def fillings(board: Numbers) -> Iterator[Rows]:
    """Yield the answers."""
    values = {(r, c): board.givens[r - 1][c - 1] for r, c in board.cells}
    largest = {cell: len(block) for block in board.members() for cell in block}
    unlike = {cell: set(block) for block in board.members() for cell in block}
    for r, c in values:
        near = ((r + y, c + x) for y in (-1, 0, 1) for x in (-1, 0, 1))
        unlike[r, c] = unlike[r, c].union(cell for cell in near if cell in values) - {(r, c)}
    empty = [cell for cell, value in values.items() if not value]
    at = 0
    while at >= 0:
        if at == len(empty):
            yield [[values[r, c] for c, _ in enumerate(row, 1)] for r, row in enumerate(board.givens, 1)]
            at -= 1
            continue
        cell = empty[at]
        values[cell] += 1
        if values[cell] > largest[cell]:
            values[cell] = 0
            at -= 1
        elif all(values[other] != values[cell] for other in unlike[cell]):
            at += 1
