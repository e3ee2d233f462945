"""What rules demand, as clauses; those that differ only in a place or a number are merged."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.spans import after_place, around_each, marked, place, places
from pyasp_puzzles.errors import listing
from pyasp_puzzles.puzzles.wording import joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyasp_puzzles.boards.grid import Cell


PLURALS = {"is": "are", "holds": "hold", "has": "have", "differs": "differ"}
# Words of clauses about places that are not merged.
_KEPT = re.compile(
    r"\b(?:not?|never|none|neither|nor|nothing|without|only|both|all|most|least|same|other|than|its?)\b|, because "
)


def merged(clauses: Iterable[str], rules: Iterable[str] = ()) -> list[str]:
    """Return clauses; those that differ in the place that they begin with, or in a number, become one.

    The words are the author's, so only what keeps its meaning is merged: numbers that they say are for each, and places
    before a verb.

    Args:
        clauses: the clauses, marked.
        rules: the names of their rules, with which they are marked; of a list in a clause, each part.
    """
    rule_of: dict[str, str] = {}
    for clause, rule in zip_longest(clauses, rules, fillvalue=""):
        rule_of.setdefault(clause, rule)
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for clause, rule in rule_of.items():
        before, item, after = around_each(clause)
        found.setdefault((before.replace(" an ", " a ") if item else before, after), []).append((item, rule))
    numbers = [
        (_listed(before, items, after), items[0][1] if len(items) == 1 else "")
        for (before, after), items in found.items()
    ]
    rows: dict[tuple[str, str, str], list[tuple[Cell | None, str]]] = {}
    for clause, rule in numbers:
        cell, after = after_place(clause)
        verb, _, rest = after.lstrip().partition(" ")
        if cell is None or verb not in PLURALS or _KEPT.search(clause):
            rows.setdefault((clause, "", ""), []).append((None, rule))
        else:
            rows.setdefault(("", verb, rest), []).append((cell, rule))
    texts = []
    for (clause, verb, rest), some in rows.items():
        text = clause or _of_places([cell for cell, _ in some if cell], verb, rest)
        texts.append(marked(text, rule=some[0][1]) if len(some) == 1 and some[0][1] else text)
    return texts


def _listed(before: str, found: Sequence[tuple[str, str]], after: str) -> str:
    """Return a clause with a list in it: "row 2 needs a 2 and a 3 in column 1"."""
    items = [item for item, _ in found]
    if before.endswith((" a ", " an ")):
        before = before.removesuffix("an ").removesuffix("a ")
        items = [joined(["a", item]) for item in items]
    if len(items) > 1:
        items = [marked(item, rule=rule) if rule else item for item, (_, rule) in zip(items, found, strict=True)]
        after = after.replace(" that begins ", " that begin ")
    return f"{before}{listing(items, 'and')}{after}" if items[0] else before


def _of_places(cells: Sequence[Cell], verb: str, rest: str) -> str:
    """Return a clause about some cells: "row 2, columns 3 and 5 are 3 or 4", "... hold one number each"."""
    if len(cells) == 1:
        return f"{place(cells[0])} {verb} {rest}"
    each = " each" if verb in {"holds", "has"} or " one " in f" {rest} " else ""
    return f"{places(cells)} {PLURALS[verb]} {rest}{each}"
