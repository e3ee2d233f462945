"""The kinds of keys, by the names that a `puzzle.toml` uses; a module for each family.

A new kind is a `KeyKind` in one of these modules, and its line here.
"""

from __future__ import annotations

import copyreg
from typing import TYPE_CHECKING

from pyasp_puzzles.model.keys import KeyKind
from pyasp_puzzles.puzzles.keys.grids import COLORS, GIVENS, NOTES, NUMBERS, REGIONS
from pyasp_puzzles.puzzles.keys.lines import CAGES, CANDIDATES, CORNERS, GROUPS, MARKS, PAIRS, PATHS
from pyasp_puzzles.puzzles.keys.outside import OUTSIDE, SIGHTS
from pyasp_puzzles.puzzles.keys.signs import SIGNS
from pyasp_puzzles.puzzles.keys.values import NUMBER, PATTERNS, SUMS

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY_KINDS: Mapping[str, KeyKind] = {
    "regions": REGIONS,
    "colors": COLORS,
    "givens": GIVENS,
    "numbers": NUMBERS,
    "signs": SIGNS,
    "outside": OUTSIDE,
    "sights": SIGHTS,
    "sums": SUMS,
    "number": NUMBER,
    "patterns": PATTERNS,
    "notes": NOTES,
    "paths": PATHS,
    "cages": CAGES,
    "groups": GROUPS,
    "pairs": PAIRS,
    "corners": CORNERS,
    "marks": MARKS,
    "candidates": CANDIDATES,
}


def _kind(name: str) -> KeyKind:
    return KEY_KINDS[name]


# A kind pickles as its name, as its functions have none.
copyreg.pickle(KeyKind, lambda kind: (_kind, (next(name for name, one in KEY_KINDS.items() if one is kind),)))
