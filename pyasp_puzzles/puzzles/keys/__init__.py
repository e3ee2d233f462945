"""The kinds of keys, by the names that a `puzzle.toml` uses; a module for each family.

A new kind is a `KeyKind` in one of these modules, called as its name in capitals, and its line here.
"""

from __future__ import annotations

import copyreg
from importlib import import_module
from typing import TYPE_CHECKING

from pyasp_puzzles.model.keys import KeyKind

if TYPE_CHECKING:
    from collections.abc import Mapping

# {kind: its module}
KEY_KINDS: Mapping[str, str] = {
    "regions": "grids",
    "colors": "grids",
    "givens": "grids",
    "numbers": "grids",
    "walls": "grids",
    "arrows": "grids",
    "signs": "grids",
    "crossings": "grids",
    "outside": "outside",
    "sights": "outside",
    "sums": "grids",
    "number": "grids",
    "digits": "grids",
    "patterns": "grids",
    "notes": "grids",
    "paths": "lines",
    "cages": "lines",
    "groups": "lines",
    "pairs": "lines",
    "borders": "lines",
    "corners": "lines",
    "marks": "lines",
    "candidates": "lines",
    "centers": "lines",
}


def key_kind(name: str) -> KeyKind:
    """Return a kind of key. Its module is imported now, as most puzzles use few kinds."""
    kind = getattr(import_module(f"{__name__}.{KEY_KINDS[name]}"), name.upper())
    assert isinstance(kind, KeyKind)
    return kind


def key_kind_name(kind: KeyKind) -> str:
    """Return the name of a kind of key."""
    return next(name for name in KEY_KINDS if key_kind(name) is kind)


# A kind pickles as its name, as its functions have none.
copyreg.pickle(KeyKind, lambda kind: (key_kind, (key_kind_name(kind),)))
