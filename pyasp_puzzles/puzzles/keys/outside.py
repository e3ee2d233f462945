"""Keys of labels outside the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.asp.symbols import Value, fact
from pyasp_puzzles.boards.facts import Fact, name_of
from pyasp_puzzles.boards.grid import EMPTY, LONGEST_NUMBER, Grid, tokens
from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.model.keys import Key, KeyKind, Layer, Outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyasp_puzzles.boards.toml import Table

# The sides of a board that may have labels, and what people call the place of a label.
SIDES = ("top", "bottom", "left", "right")
SIDE_WORDS = {"top": "above column", "bottom": "below column", "left": "left of row", "right": "right of row"}
OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


def _read_outside(key: Key, table: Table, board: Grid) -> Iterator[Fact]:
    sides = table.get(key.name, dict, "table with top, bottom, left or right")
    if sides is None:
        if key.required:
            raise table.missing(key.name, "a table with top, bottom, left or right")
        return
    place, known = table.place(key.name), key.option("sides", list(SIDES))
    for side, labels in sides.items():
        if side not in known:
            raise table.error(key.name, f"{shown(side)} is not a side of the board, expected {listing(known)}")
        words = tokens(labels) if isinstance(labels, str) else map(str, labels) if isinstance(labels, list) else ()
        words = list(words)
        length = len(board.rows[0] if side in {"top", "bottom"} else board.rows)
        if len(words) != length:
            problem = f"{side} has {len(words)} labels, expected {length}, with . where there is none"
            raise table.error(key.name, problem)
        for i, word in enumerate(words, 1):
            if word == EMPTY:
                continue
            several = word.split(",") if key.option("several") else [word]
            for j, token in enumerate(several, 1):
                if not (token.isascii() and token.isdigit() and len(token) <= LONGEST_NUMBER):
                    message = f"{side} {i}: {shown(token)} is not a number, expected a number, or . for none"
                    raise table.error(key.name, message)
                yield key.fact, (fact(side), i, *([j] if key.option("several") else []), int(token)), place


def _check_outside(key: Key, outline: Outline) -> None:
    range_ = key.option("range")
    most = range_.largest(outline)((0, 0)) if range_ else 0
    known = key.option("sides", list(SIDES))
    for arguments in outline.facts.arguments(key.fact):
        side, i, value = name_of(arguments[0]), int(arguments[1]), int(arguments[-1])
        place = outline.facts.place(key.fact, *arguments[:-1])
        if arguments[0] not in known:
            raise InstanceError(f"{shown(arguments[0])} is not a side of the board, expected {listing(known)}", place)
        length = outline.columns if side in {"top", "bottom"} else outline.rows
        if not 1 <= i <= length:
            raise InstanceError(f"{side} {i} is outside the board of {outline.size}, expected 1 to {length}", place)
        if range_ and not range_.low <= value <= most:
            raise InstanceError(f"{side} {i}: {value} is out of range, expected {range_.low} to {most}", place)


def _write(key: Key, outline: Outline, _extras: object) -> dict[str, object]:
    """Return {side: labels}; several numbers of a label have commas between them."""
    labels: dict[str, dict[int, dict[int, int]]] = {}
    for side, i, *place, value in outline.facts.arguments(key.fact):
        labels.setdefault(name_of(side), {}).setdefault(int(i), {})[int(place[0]) if place else 1] = int(value)
    lengths = {"top": outline.columns, "bottom": outline.columns, "left": outline.rows, "right": outline.rows}
    sides = {
        side: [
            ",".join(str(v) for _, v in sorted(found[i].items())) if i in found else EMPTY
            for i in range(1, lengths[side] + 1)
        ]
        for side, found in labels.items()
    }
    return {key.name: sides} if sides else {}


def _words(_key: Key, arguments: Sequence[int | str]) -> str:
    side, line, *_, value = arguments
    return f"the {value} {SIDE_WORDS.get(str(side), side)} {line}"


def _possible(key: Key, outline: Outline) -> Iterator[tuple[Value, ...]]:
    range_ = key.option("range")
    most = range_.largest(outline)((0, 0)) if range_ else len(outline.cells)
    values = range(range_.low if range_ else 0, most + 1)
    return ((*place, value) for place in _places(key, outline) for value in values)


def _places(key: Key, outline: Outline) -> Iterator[tuple[Value, ...]]:
    """Yield the places of labels: a side, a line, and if a line may have several labels, which of them."""
    for name in key.option("sides", list(SIDES)):
        by_column = name in {"top", "bottom"}
        length, lines = (outline.rows, outline.columns) if by_column else (outline.columns, outline.rows)
        for i in range(1, lines + 1):
            if key.option("several"):
                yield from ((fact(name), i, j) for j in range(1, (length + 1) // 2 + 1))
            else:
                yield fact(name), i


def _opposite(_key: Key, place: Sequence[int | str], height: int, width: int) -> tuple[int | str, ...]:
    side, line = str(place[0]), int(place[1])
    return OPPOSITE.get(side, side), (width if side in {"top", "bottom"} else height) - line


def _given(_key: Key, arguments: list[Value]) -> list[Value]:
    """Return the arguments with the side as a constant, as facts have it."""
    side = arguments[0]
    return [fact(side) if isinstance(side, str) else side, *arguments[1:]]


def _draw(key: Key, outline: Outline) -> Layer:
    labels: dict[str, dict[int, list[str]]] = {}
    for side, i, *_, value in sorted(outline.facts.arguments(key.fact), key=lambda label: label[1:]):
        labels.setdefault(name_of(side), {}).setdefault(int(i), []).append(str(value))
    return Layer(labels=labels)


OUTSIDE = KeyKind(
    ("name", "number", "number"),
    2,
    {"range": str, "sides": list, "several": bool},
    _read_outside,
    _check_outside,
    _write,
    _words,
    _possible,
    _opposite,
    _given,
    draw=_draw,
)
