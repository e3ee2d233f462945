"""Clauses that say what rules demand; those that differ only in a place or a number are merged."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import grouped
from pyasp_puzzles.boards.spans import around_each_span, marked, marked_names, span_of_several, split_marked_name
from pyasp_puzzles.errors import listing

if TYPE_CHECKING:
    from collections.abc import Iterable


def merged_clauses(clauses: Iterable[str], rules: Iterable[str] = ()) -> list[str]:
    """Return clauses; those that differ in an `each_span`, or in the name before their `span_forms`, become one.

    Args:
        clauses: the clauses, marked.
        rules: the names of their rules, with which they are marked; of a list in a clause, each part.
    """
    rule_of: dict[str, str] = {}
    for clause, rule in zip_longest(clauses, rules, fillvalue=""):
        rule_of.setdefault(clause, rule)
    items = grouped(
        (around_each_span(clause)[::2], (around_each_span(clause)[1], rule)) for clause, rule in rule_of.items()
    )
    names: dict[str, list[tuple[str, str]]] = {}
    for (before, after), some in items.items():
        several = len(some) > 1
        each = listing((marked(item, rule=rule) if several and rule else item for item, rule in some), "and")
        if several and all(split_marked_name(item)[0] == item for item, _ in some):
            each = marked_names(item for item, _ in some)
        text = f"{before}{each}{span_of_several(after) if several else after}"
        name, rest = split_marked_name(text)
        alike = span_of_several(rest) != rest
        names.setdefault(rest if alike else text, []).append((name if alike else "", "" if several else some[0][1]))
    found = []
    for rest, those in names.items():
        [(name, rule), *others] = those
        text = f"{marked_names(one for one, _ in those)}{span_of_several(rest)}" if others else f"{name}{rest}"
        found.append(marked(text, rule=rule) if rule and not others else text)
    return found
