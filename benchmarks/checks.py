"""Whether an answer is one: by the rules in plain Python that the tests have, which share nothing with any solver."""

from __future__ import annotations

from typing import Any

from tests.rules import strata_broken, strimko_broken, strips_broken, tectonic_broken

from .board import Board, Numbers, Strips, Words


def broken(board: Board, answer: Any) -> list[str]:  # noqa: ANN401 (whatever a solver takes for an answer)
    """Return what an answer breaks."""
    if isinstance(board, Numbers):
        rule = tectonic_broken if board.puzzle == "tectonic" else strimko_broken
        regions, givens = _cells(board.regions), _cells(board.givens)
        return rule(regions, {cell: value for cell, value in givens.items() if value}, _cells(answer))
    if isinstance(board, Strips):
        strips = [sorted(tuple(cell) for cell in strip) for strip in answer]
        return strips_broken(_cells(board.tiles), board.longest, None, strips)
    laying = [(line, index, color) for line, index, color in answer]
    return strata_broken(len(board.tiles), len(board.tiles[0]), _colored(board.tiles), laying)


def _colored(tiles: Words) -> dict[tuple[int, int], str]:
    return {cell: color for cell, color in _cells(tiles).items() if color != "."}


def _cells(rows: Any) -> dict[tuple[int, int], Any]:  # noqa: ANN401
    return {(r, c): value for r, row in enumerate(rows, 1) for c, value in enumerate(row, 1)}
