"""How an editor sets the keys of a board, as JSON, and the keys of a new board.

Schema  [{"key": "arrows", "kind": "paths", "label": "arrows", "tool": "path", "values": None, "sides": None,
        "form": "{first} > {cells}", "head": True, ...}]: an object for each key, with the fields of `_Editing`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.facts import fact_name
from pyasp_puzzles.model.keys import key_rows
from pyasp_puzzles.puzzles.keys import grids, key_kind_name
from pyasp_puzzles.puzzles.keys.grids import wall_tokens
from pyasp_puzzles.puzzles.keys.outside import DIAGONALS, SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyasp_puzzles.model.keys import Key, KeyOutline


# How a line is written, by the tool of its key, and the same with a value; a line of a path may have a head.
_FORMS = {"path": "{cells}", "cage": "{cells}", "groups": "{first} = {cells}", "pair": "{cells}", "corner": "{cells}"}
_FORMS |= {"mark": "{cells}", "sight": "{cells} {token}"}
_HEADED, _VALUED = "{first} > {cells}", "{words} = {value}"


class _Editing(NamedTuple):
    """How an editor sets a key: `_Editing("pair", values=("X", "V"), value=True)`."""

    tool: str
    """One of `TOOLS`."""
    values: tuple[str, ...] | None = None
    """What may be chosen, if that is a list."""
    sides: tuple[str, ...] | None = None
    """The sides of the board that it is set on, or the directions of its diagonals."""
    head: bool = False
    """Whether a line begins with a head, the circle of an arrow: `r1c1 > r1c2 r1c3`."""
    value: bool = False
    """Whether a line may end in a value: `r1c1 r1c2 = 10`."""
    needed: bool = False
    """Whether each line needs one."""
    separator: str = ""
    """The separator between the numbers of one value, if it may have several."""
    closed: bool = False
    """Whether a line may end where it begins."""
    of: str | None = None
    """The key of the regions that it is about."""
    palette: bool = False
    """Whether the names are those of the palette of the board."""


def key_editing_schema(outline: KeyOutline) -> list[dict[str, object]]:
    """Return how each key of a board is set."""
    schema = []
    for key in outline.keys:
        about: dict[str, object] = {
            "key": key.name,
            "kind": key_kind_name(key.kind),
            "label": key.name.replace("_", " "),
            "grid": key.kind.grid or key.kind.other_grid,
            "required": key.required,
            "whole": key.whole,
            "answers": key.kind.role == "answers",
            "unknown": key.unknown,
        }
        names = outline.facts.names(key.fact) if key.kind.role == "regions" else {}
        if names:
            about["now"] = key_rows(outline.cells, names)
        about |= _editing(key, outline)._asdict()
        about |= {"form": _HEADED if about["head"] else _FORMS.get(str(about["tool"])), "valued": _VALUED}
        schema.append({name: list(part) if isinstance(part, tuple) else part for name, part in about.items()})
    return schema


def _editing(key: Key, outline: KeyOutline) -> _Editing:
    """Return how a key is set: its clues have values if their facts end in one, or if it declares them."""
    values, shape = _values(key, outline), key.predicate.arguments if key.predicate else ()
    if key.kind.tool == "outside" or (key.kind.tool == "sight" and not key.option("directions")):
        return _Editing("outside", values, tuple(key.option("sides", SIDES)), separator="," * len(shape[3:]))
    needed = key.kind.pictured and shape[-1] != "column" and key.kind.around is None
    return _Editing(
        key.kind.tool,
        values,
        tuple(DIAGONALS) if key.kind.tool == "sight" else None,
        head=bool(key.option("head")),
        value=needed or bool(key.option("value")),
        needed=needed and key.option("default") is None,
        separator=" " if key.kind.pictured and shape[:3] == ("row", "column", "number") else "",
        closed=bool(key.option("closed")),
        of=key.option("of"),
        palette=bool(key.option("palette")),
    )


def _values(key: Key, outline: KeyOutline) -> tuple[str, ...] | None:
    """Return what may be chosen for a key: colors, or the tokens that it declares; None if these are not listed."""
    facts = outline.facts
    if key.kind.tool == "name" and key.kind.role != "tiles" and key.kind.possible:
        return tuple(wall_tokens(key, outline))
    if key.kind.role == "tiles":
        return tuple(dict.fromkeys([*map(fact_name, grids.colors_of(key, outline)), *key.option("usual", ())]))
    if key.kind.tool == "pattern":
        colors = [
            color for other in outline.keys if other.kind.role == "tiles" for color in facts.names(other.fact).values()
        ]
        return tuple(dict.fromkeys([*sorted(colors), *(fact_name(color) for _, _, color in facts.arguments(key.fact))]))
    tokens = [token for way in ("across", "down") for token in key.option(way) or key.option("tokens") or ()]
    return tuple(dict.fromkeys(tokens)) or None


def keys_of_new_board(keys: Iterable[Key], height: int, width: int) -> dict[str, object]:
    """Return the keys of a board without clues: each row is a region, and cells that need a color have the first."""
    values: dict[str, object] = {}
    for key in keys:
        boxes = key.option("boxes") and height == width and width in regions.USUAL
        if key.kind.role == "regions" and not boxes and (key.required or key.option("boxes")):
            values[key.name] = [[str(r)] * width for r in range(1, height + 1)]
        elif key.kind.grid and key.required and not boxes:
            first = next(iter(key.option("usual", ["1"]))) if key.whole else None
            values[key.name] = [[first] * width for _ in range(height)]
    return values or {"size": [height, width]}
