"""Answers and instances as the plain data of `rules`, read from what the project promises: JSON and facts."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from clingo import Symbol, SymbolType

from pyasp_puzzles import Count, Instance

from . import rules
from .rules import Cell, Laying, Line, Values

LINES = {"row": "row", "col": "column"}


def values(json: Mapping[str, Any]) -> Values:
    """Return the numbers of `{"grid": rows}`."""
    rows = enumerate(json["grid"], 1)
    return {(r, c): value for r, row in rows for c, value in enumerate(row, 1) if value is not None}


def strips(json: Mapping[str, Any]) -> list[tuple[Cell, ...]]:
    """Return the strips of `{"strips": [{"cells": ..., ...}, ...]}`."""
    return [tuple((r, c) for r, c in strip["cells"]) for strip in json["strips"]]


def placed(strip: tuple[Cell, ...]) -> str:
    """Return the atom that says that a strip lies there."""
    (r, c), *others = strip
    return f"placed({r},{c},{'down' if others and others[0][1] == c else 'right'},{len(strip)})"


def laying(json: Mapping[str, Any]) -> Laying:
    """Return the laying order of `{"ribbons": [...]}`."""
    return [(ribbon["line"], ribbon["index"], ribbon["color"]) for ribbon in json["ribbons"]]


def identity(json: Mapping[str, Any]) -> Hashable:
    """Return what an answer says in a form that is equal for equal answers only."""
    if "grid" in json:
        return frozenset(values(json).items())
    if "strips" in json:
        return frozenset(strips(json))
    order: list[Line] = [(name, index) for name, index, _ in laying(json)]
    heights = {line: i for i, line in enumerate(order)}
    over = {(a, b) for a in order for b in order if a[0] != b[0] and heights[a] > heights[b]}
    return rules.Lattice(frozenset(over), frozenset(((n, i), k) for n, i, k in laying(json) if k is not None))


def holds(cell: Cell, value: int) -> str:
    """Return the atom that says that a cell holds a number."""
    return f"value({cell[0]},{cell[1]},{value})"


def term(line: Line) -> str:
    """Return a line as the encoding has it."""
    return f"{line[0][:3]}({line[1]})"


def atoms(json: Mapping[str, Any]) -> set[str]:
    """Return what an answer says as atoms of the encodings, as clingo writes them."""
    if "grid" in json:
        return {holds(cell, value) for cell, value in values(json).items()}
    if "strips" in json:
        return set(map(placed, strips(json)))
    order = laying(json)
    over = {f"over({term(a[:2])},{term(b[:2])})" for i, a in enumerate(order) for b in order[:i] if a[0] != b[0]}
    return over | {f'ribbon({term(a[:2])},"{a[2]}")' for a in order if a[2] is not None}


def words(symbol: Symbol) -> str:
    """Return the text of a string or a constant, the digits of a number."""
    return symbol.string if symbol.type is SymbolType.String else str(symbol)


@lru_cache(maxsize=64)
def labels(instance: Instance, predicate: str) -> dict[Cell, str]:
    """Return the last argument of each fact `predicate(R, C, X)` as text."""
    facts = [fact.arguments for fact in instance.facts if fact.name == predicate]
    return {(r.number, c.number): words(label) for r, c, label in facts}


def givens(instance: Instance) -> Values:
    """Return the numbers that are printed."""
    return {cell: int(value) for cell, value in labels(instance, "given").items()}


def digits(instance: Instance) -> list[int]:
    """Return the numbers that a board lists."""
    return sorted(fact.arguments[0].number for fact in instance.facts if fact.name == "digit")


def palette(instance: Instance) -> list[str]:
    """Return the colors that a Strata board names."""
    return [words(fact.arguments[0]) for fact in instance.facts if fact.name == "color"]


def answers(instance: Instance, clues: Values | None = None, moves: Iterable[Cell] = ()) -> Iterator[Values]:
    """Yield the answers of a board of numbers, by trying all; with these clues, if they are others."""
    known = givens(instance) if clues is None else clues
    if instance.puzzle.name == "tectonic":
        return rules.tectonic_answers(labels(instance, "block"), known)
    return rules.strimko_answers(labels(instance, "stream"), known, moves, digits(instance))


@lru_cache(maxsize=64)
def size(instance: Instance) -> tuple[int, int]:
    """Return how many rows and columns a Strata board has."""
    names = [fact.name for fact in instance.facts]
    return names.count("row"), names.count("col")


def broken(instance: Instance, json: Mapping[str, Any]) -> list[str]:
    """Return which rules of its puzzle an answer breaks, judged by the instance's facts and the answer's JSON."""
    name = instance.puzzle.name
    if name == "strata":
        return rules.strata_broken(*size(instance), labels(instance, "tile"), laying(json))
    if name == "strips":
        (longest,) = (fact.arguments[0].number for fact in instance.facts if fact.name == "longest")
        listed: dict[str, list[str]] = {}
        for (i, _), color in sorted(labels(instance, "strip").items()):
            listed.setdefault(str(i), []).append(color)
        tiles = labels(instance, "tile")
        spare = [(r, c) for r, c in json.get("left", [])]
        most = [fact.arguments[0].number for fact in instance.facts if fact.name == "left"] or [0]
        assert len(spare) <= most[0]
        tiles = {cell: color for cell, color in tiles.items() if cell not in spare}
        patterns = [strip["pattern"] for strip in json["strips"]]
        wrong = [p for p, s in zip(patterns, strips(json), strict=True) if p.replace(" ", "") != _colors(tiles, s)]
        return wrong + rules.strips_broken(tiles, longest, list(listed.values()) or None, strips(json))
    if name == "tectonic":
        return rules.tectonic_broken(labels(instance, "block"), givens(instance), values(json))
    assert name in {"strimko", "sudoku"}, f"write the rules of {name} here"
    return rules.strimko_broken(labels(instance, "stream"), givens(instance), values(json), digits(instance))


def _colors(tiles: Mapping[Cell, str], strip: tuple[Cell, ...]) -> str:
    return "".join(tiles.get(cell, "?") for cell in strip)


def exact_count(count: Count) -> tuple[int, bool]:
    """Return how many answers there are, and whether there are no more."""
    return int(count), count.exact
