"""Strata: peel the ribbons off from the top, any whose coloured cells that are left have one colour at most.

It is always right to peel a line that can be peeled, so nothing is tried twice. A board that has an answer has a second
one, too: of the row and the column at the very bottom, either may be the lower.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.peers import Verdict

if TYPE_CHECKING:
    from collections.abc import Collection

    from benchmarks.board import Ribbon, Strata


def peel(board: Strata) -> Verdict:
    """Return the laying order, and that it is not the only one."""
    left = {
        "row": set(range(1, len(board.tiles) + 1)),
        "column": set(range(1, len(board.tiles[0]) + 1)),
    }
    across = {"row": left["column"], "column": left["row"]}

    def colors(name: str, i: int, crossing: Collection[int]) -> set[str]:
        if name == "row":
            return {board.tiles[i - 1][c - 1] for c in crossing} - {"."}
        return {board.tiles[r - 1][i - 1] for r in crossing} - {"."}

    peeled: list[Ribbon] = []
    while left["row"] or left["column"]:
        before = len(peeled)
        for name, lines in left.items():
            for i in sorted(lines):
                shown = colors(name, i, across[name])
                if len(shown) <= 1:
                    lines.remove(i)
                    peeled.append((name, i, min(shown, default=None)))
        if len(peeled) == before:
            return Verdict(None, unique=False)
    return Verdict(peeled[::-1], unique=False)
