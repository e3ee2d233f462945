"""How an editor sets the keys of a board, as JSON.

Schema  [{"key": "arrows", "kind": "paths", "label": "arrows", "tool": "path", "values": None, "sides": None,
        "head": True, "value": False}]: an object for each key, with the fields of `Editing`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.puzzles.keys import kind_name

if TYPE_CHECKING:
    from pyasp_puzzles.model.keys import Outline


def schema(outline: Outline) -> list[dict[str, object]]:
    """Return how each key of a board is set; keys that are written as text only are left out."""
    found: list[dict[str, object]] = []
    for key in outline.keys:
        if key.kind.edit is not None:
            editing = key.kind.edit(key, outline)._asdict()
            editing |= {part: list(of) for part, of in editing.items() if isinstance(of, tuple)}
            label = key.name.replace("_", " ")
            found.append({"key": key.name, "kind": kind_name(key.kind), "label": label, **editing})
    return found
