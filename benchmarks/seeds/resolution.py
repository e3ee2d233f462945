"""Strimko: disjunctive syllogism over the disjunctions, and depth-first search where that comes to no end.

Fact          (2, 3, 7): the number 7 is in row 2, column 3
Disjunction   what is left of one of the 4n^2: the facts of a cell, or of a number in a row, column or stream
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.board import Numbers, Rows

Fact: TypeAlias = "tuple[int, int, int]"


class _Rules(NamedTuple):
    """What follows from a fact: the facts that it excludes; and in which disjunctions each fact is."""

    excludes: dict[Fact, set[Fact]]
    places: dict[Fact, list[int]]


def fillings_by_resolution(board: Numbers) -> Iterator[Rows]:
    """Yield the answers."""
    span = range(1, len(board.givens) + 1)
    units = [[(r, c) for c in span] for r in span] + [[(r, c) for r in span] for c in span] + board.members()
    disjunctions = [{(r, c, v) for v in span} for r in span for c in span]
    disjunctions += [{(r, c, v) for r, c in unit} for unit in units for v in span]
    places: dict[Fact, list[int]] = {}
    for i, facts in enumerate(disjunctions):
        for fact in facts:
            places.setdefault(fact, []).append(i)
    excludes = {fact: set().union(*(disjunctions[i] for i in held)) - {fact} for fact, held in places.items()}
    givens = [(r, c, v) for r, c in board.cells if (v := board.givens[r - 1][c - 1])]
    for known in _search(_Rules(excludes, places), [set(facts) for facts in disjunctions], set(), givens):
        numbers = {(r, c): v for r, c, v in known}
        yield [[numbers[r, c] for c in span] for r in span]


def _search(rules: _Rules, disjunctions: list[set[Fact]], known: set[Fact], new: list[Fact]) -> Iterator[set[Fact]]:
    """Resolve; where that is not the end, guess each fact of a shortest disjunction in turn."""
    if not _resolve(rules, disjunctions, known, new):
        return
    open_ = [left for left in disjunctions if len(left) > 1]
    if not open_:
        yield known
        return
    shortest = min(open_, key=len)
    for guess in sorted(shortest):
        yield from _search(rules, [set(left) for left in disjunctions], set(known), [guess])


def _resolve(rules: _Rules, disjunctions: list[set[Fact]], known: set[Fact], new: list[Fact]) -> bool:
    """Draw all conclusions from new facts; return whether there is no contradiction."""
    while new:
        fact = new.pop()
        if fact in known:
            continue
        known.add(fact)
        for excluded in rules.excludes[fact]:
            for i in rules.places[excluded]:
                left = disjunctions[i]
                if excluded in left:
                    left.remove(excluded)
                    if not left:
                        return False
                    if len(left) == 1:
                        new.extend(left)
    return True
