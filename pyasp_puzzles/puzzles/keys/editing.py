"""How an editor sets the keys of a board, as JSON, and the keys of a new board.

Schema  [{"key": "arrows", "kind": "paths", "label": "arrows", "tool": "path", "values": None, "sides": None,
        "form": "{first} > {cells}", "head": True, ...}]: an object for each key, with the fields of `Editing`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.boards.regions import USUAL_BOXES
from pyasp_puzzles.model.keys import rows
from pyasp_puzzles.puzzles.keys import kind_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyasp_puzzles.model.keys import Key, Outline


# How a line is written, by the tool of its key, and the same with a value; a line of a path may have a head.
FORMS = {"path": "{cells}", "cage": "{cells}", "groups": "{first} = {cells}", "pair": "{cells}", "corner": "{cells}"}
FORMS |= {"mark": "{cells}", "sight": "{cells} {token}"}
HEADED, VALUED = "{first} > {cells}", "{words} = {value}"


def schema(outline: Outline) -> list[dict[str, object]]:
    """Return how each key of a board is set."""
    found = []
    for key in outline.keys:
        assert key.kind.edit is not None
        about: dict[str, object] = {
            "key": key.name,
            "kind": kind_name(key.kind),
            "label": key.name.replace("_", " "),
            "grid": key.kind.grid or key.kind.rows,
            "required": key.required,
            "whole": key.whole,
            "answers": key.kind.answers,
        }
        names = outline.facts.names(key.fact) if key.kind.regions else {}
        if names:
            about["now"] = rows(outline.cells, names)
        for part, of in key.kind.edit(key, outline)._asdict().items():
            about[part] = list(of) if isinstance(of, tuple) else of
        about |= {"form": HEADED if about["head"] else FORMS.get(str(about["tool"])), "valued": VALUED}
        found.append(about)
    return found


def blank(keys: Iterable[Key], height: int, width: int) -> dict[str, object]:
    """Return the keys of a board without clues: each row is a region, and cells that need a color have the first."""
    found: dict[str, object] = {}
    for key in keys:
        boxes = key.option("boxes") and height == width and width in USUAL_BOXES
        if key.kind.regions and not boxes and (key.required or key.option("boxes")):
            found[key.name] = [[str(r)] * width for r in range(1, height + 1)]
        elif key.kind.grid and key.required and not boxes:
            first = next(iter(key.option("usual", ["1"]))) if key.whole else None
            found[key.name] = [[first] * width for _ in range(height)]
    return found or {"size": [height, width]}
