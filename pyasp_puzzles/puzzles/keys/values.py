"""Keys that are no grid: a number for each region, a number for the board, a list of patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.asp.symbols import UNKNOWN, SymbolValue, to_symbol
from pyasp_puzzles.boards.facts import Fact, fact_name
from pyasp_puzzles.boards.grid import Grid, grid_tokens, grouped
from pyasp_puzzles.boards.regions import cells_by_region
from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.keys import Key, KeyKind, KeyLayer, KeyOutline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.boards.toml import Table


def _read_sums(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    found = table.get(key.name, dict, "table of numbers")
    for region, value in (found or {}).items():
        unknown = value == UNKNOWN and key.unknown
        if (not isinstance(value, int) or isinstance(value, bool)) and not unknown:
            expected = f'a number, or "{UNKNOWN}" for an unknown one' if key.unknown else "a number"
            raise table.wrong(key.name, f"{region} = {shown(value)}", expected)
        yield key.fact, (region, *([] if unknown else [value])), table.place(key.name)


def _check_sums(key: Key, outline: KeyOutline) -> None:
    of = key.of(outline.keys)
    known = {fact_name(region) for region in outline.values(of.fact).values()}
    for region, value in outline.facts.arguments(key.fact):
        if value != UNKNOWN and not 0 <= int(value) < 10**Limits.LONGEST_NUMBER:
            message = f"{key.name}: {fact_name(region)} = {shown(value)} is wrong here, expected a number"
            raise InstanceError(message, outline.facts.place(key.fact, region))
        if (name := fact_name(region)) not in known:
            message = f"{key.fact} of {shown(name)}, which is no {of.fact}"
            raise InstanceError(f"{message}, expected {listing(sorted(known))}", outline.facts.place(key.fact, region))


def _read_number(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    value = table.integer(key.name)
    value = table.defaults.get(key.name, key.option("default")) if value is None else value
    if value is None and key.required:
        raise table.missing(key.name, "a number")
    if value is not None:
        yield key.fact, (value,), table.place(key.name)


def _check_number(key: Key, outline: KeyOutline) -> None:
    if not outline.facts.arguments(key.fact) and (key.required or key.option("default") is not None):
        raise InstanceError(f"there is no {key.predicate}; write one", outline.facts.where)


def _read_patterns(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    for i, pattern in enumerate(table.strings(key.name) or (), 1):
        found = grid_tokens(pattern)
        if not found or not all(color.isprintable() for color in found):
            message = f"{key.fact} {i} is {shown(pattern)}, expected a color a cell, such as 'wwb'"
            raise table.error(f"{key.name}: {message}", key.name)
        if "longest" in key.options:
            longest = key.options["longest"]
            table.defaults[longest] = max(len(found), table.defaults.get(longest, 1))
        yield from ((key.fact, (i, j, color), table.place(key.name)) for j, color in enumerate(found, 1))


def _check_patterns(key: Key, outline: KeyOutline) -> None:
    bound = next((other for other in outline.keys if other.name == key.option("longest")), None)
    longest = min((int(n) for (n,) in outline.facts.arguments(bound.fact)), default=None) if bound else None
    listed = grouped((int(i), int(j)) for i, j, _ in outline.facts.arguments(key.fact))
    for i, places in listed.items():
        if sorted(places) != [*range(1, len(places) + 1)]:
            place = outline.facts.place(key.fact, i, max(places))
            raise InstanceError(f"{key.fact} {i} has no cell 1 to {max(places)}", place)
        if longest is not None and len(places) > longest:
            message = f"{key.fact} {i} has {len(places)} cells, expected at most {longest}"
            raise InstanceError(f"{message} as {key.option('longest')} says", outline.facts.place(key.fact, i, 1))


def _write_sums(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    sums = {fact_name(region): total for region, total in outline.facts.arguments(key.fact)}
    return {key.name: sums} if sums else {}


def _possible_sums(key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    most = max(outline.rows, outline.columns)
    for region, members in cells_by_region(outline.values(key.of(outline.keys).fact)).items():
        yield from ((to_symbol(region), value) for value in range(len(members) * most + 1))


def _draw_sums(key: Key, outline: KeyOutline) -> KeyLayer:
    sums = {fact_name(region): str(value) for region, value in outline.facts.arguments(key.fact)}
    corners = {}
    for cell, region in sorted(outline.facts.names(key.of(outline.keys).fact).items()):
        if region in sums:
            corners[cell] = sums.pop(region)
    return KeyLayer(corners=corners)


def _write_number(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    numbers = [int(number) for (number,) in outline.facts.arguments(key.fact)]
    return {key.name: numbers[0]} if numbers else {}


def _write_patterns(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    found = grouped((i, fact_name(color)) for i, _, color in sorted(outline.facts.arguments(key.fact)))
    words = [(" " if any(len(color) > 1 for color in colors) else "").join(colors) for colors in found.values()]
    return {key.name: words} if words else {}


SUMS = KeyKind(
    ("name", "number"),
    1,
    {"of": str, "unknown": bool},
    "sum",
    _read_sums,
    _write_sums,
    _draw_sums,
    check=_check_sums,
    possible=_possible_sums,
)
NUMBER = KeyKind(
    ("number",),
    0,
    {"range": str, "default": int, "usual": int},
    "total",
    _read_number,
    _write_number,
    role="general",
    check=_check_number,
)
PATTERNS = KeyKind(
    ("number", "number", "name"),
    2,
    {"longest": str},
    "pattern",
    _read_patterns,
    _write_patterns,
    role="general",
    check=_check_patterns,
)
