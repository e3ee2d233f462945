"""What rules demand, as clauses; those that differ only in a place or a number are merged."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.spans import after_place, place, places
from pyasp_puzzles.errors import listing
from pyasp_puzzles.puzzles.wording import joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyasp_puzzles.boards.grid import Cell


PLURALS = {"is": "are", "holds": "hold", "has": "have"}
# Clauses that are merged: "row 2 needs a [4] in column 1 or 3", "block B holds [2] once", "the board takes a [bw]".
_MERGED = re.compile(r"(.*\b(?:needs|takes) an? |.*\bholds )([^\s,;:]+)((?: in .*| once| that begins .*)?)")
# Words of clauses that are not merged.
_KEPT = re.compile(
    r"\b(?:not?|never|none|neither|nor|nothing|without|only|both|all|most|least|same|other|than|its?)\b|, because "
)


def merged(clauses: Iterable[str]) -> list[str]:
    """Return clauses; those that differ in the place that they begin with, or in a number, become one.

    The words are the author's, so only what keeps its meaning is merged: "no two strips are w" stays as it is.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for clause in dict.fromkeys(clauses):
        match = _MERGED.fullmatch(clause)
        before, item, after = match.groups() if match and not _KEPT.search(clause) else (clause, "", "")
        found.setdefault((before.replace(" an ", " a ") if item else before, after), []).append(item)
    numbers = [_listed(before, items, after) for (before, after), items in found.items()]
    rows: dict[tuple[str, str, str], list[Cell]] = {}
    for clause in numbers:
        cell, after = after_place(clause)
        verb, _, rest = after.lstrip().partition(" ")
        if cell is None or verb not in PLURALS or _KEPT.search(clause):
            rows.setdefault((clause, "", ""), [])
        else:
            rows.setdefault(("", verb, rest), []).append(cell)
    return [clause or _of_places(cells, verb, rest) for (clause, verb, rest), cells in rows.items()]


def _listed(before: str, items: Sequence[str], after: str) -> str:
    """Return a clause with a list in it: "row 2 needs a 2 and a 3 in column 1"."""
    if before.endswith((" a ", " an ")):
        before = before.removesuffix("an ").removesuffix("a ")
        items = [joined(["a", item]) for item in items]
    if len(items) > 1:
        after = after.replace(" that begins ", " that begin ")
    return f"{before}{listing(items, 'and')}{after}" if items[0] else before


def _of_places(cells: Sequence[Cell], verb: str, rest: str) -> str:
    """Return a clause about some cells: "row 2, columns 3 and 5 are 3 or 4", "... hold one number each"."""
    if len(cells) == 1:
        return f"{place(cells[0])} {verb} {rest}"
    each = " each" if verb != "is" or " one " in f" {rest} " else ""
    return f"{places(cells)} {PLURALS[verb]} {rest}{each}"
