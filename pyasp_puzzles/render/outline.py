"""Strips drawn as the first solver of the hunt drew them: a bar left of a cell, an underscore below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.grid import extent

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping

    from pyasp_puzzles.grid import Cell


def outline(strips: Mapping[Cell, Hashable], marked: Collection[Cell] = ()) -> str:
    """Return the outlines of strips, given the strip of each cell; there is a star in marked cells."""
    rows, columns = extent(strips)
    lines = []
    for r in range(rows + 1):
        line = ""
        for c in range(1, columns + 2):
            here = strips.get((r, c))
            line += "|" if r and here != strips.get((r, c - 1)) else " "
            if c <= columns:
                bottom = "_" if here != strips.get((r + 1, c)) else " "
                line += "*" if (r, c) in marked else bottom
        lines.append(line.rstrip())
    return "\n".join(lines)
