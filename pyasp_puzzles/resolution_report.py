"""What `resolve` finds, written as text or as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .grid import cells
from .render.style import BOLD, Style
from .report import json_line, title

if TYPE_CHECKING:
    from collections.abc import Callable

    from .puzzle import Instance
    from .resolution import Resolution

    Write = Callable[[str], object]

MOST_RULES = 12
"""Rules that are listed one by one."""


def write_resolution(instance: Instance, found: Resolution, write: Write, style: Style, *, as_json: bool) -> None:
    """Write how far resolution comes on a board: its end, the board, and the numbers that its cells may still hold."""
    if as_json:
        said = {"status": found.status, **found.board.json(), **found.candidates.json()}
        write(json_line(instance, said | {"contradictions": [rule.json() for rule in found.contradictions]}))
        return
    write(title(instance, style) + "\n".join(_lines(found, style)) + "\n")


def _lines(found: Resolution, style: Style) -> list[str]:
    if found.status == "unknown":
        return ["Out of time."]
    board = found.board.text(style)
    if found.status == "solved":
        return ["Solved.", board]
    if found.status == "unsolved":
        known, every = len(found.board.values), len(found.candidates.candidates)
        lines = [f"Unsolved: resolution stops with {known} of {cells(every)} known."]
    else:
        lines = ["Contradiction: nothing is left of"]
        lines += [f"{style.paint(rule.rule, BOLD)}  {rule.words}" for rule in found.contradictions[:MOST_RULES]]
        more = len(found.contradictions) - MOST_RULES
        lines += [f"and {more} more"] if more > 0 else []
    marked = {cell for rule in found.contradictions for cell in rule.cells}
    return [*lines, board, "The numbers that each cell may still hold:", found.candidates.text(style, marked)]
