"""Logic puzzles solved by answer set programs that can be read: Strata, Strimko, Sudoku, Tectonic, strips.

>>> from pyasp_puzzles import load, solve
>>> for instance in load("tectonic/seed"):
...     print(solve(instance))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .checking import Broken, Verdict, check
    from .errors import EncodingError, InstanceError, PuzzleError, UnknownPuzzleError
    from .instance import load, loads
    from .puzzle import Answer, Instance, Puzzle
    from .query import Count, Solutions, count, decided, possible, solutions, solve
    from .settings import Settings

__all__ = [
    "Answer",
    "Broken",
    "Count",
    "EncodingError",
    "Instance",
    "InstanceError",
    "Puzzle",
    "PuzzleError",
    "Settings",
    "Solutions",
    "UnknownPuzzleError",
    "Verdict",
    "check",
    "count",
    "decided",
    "load",
    "loads",
    "possible",
    "solutions",
    "solve",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: the command needs few of them, and starts the faster."""
    for module in ("errors", "puzzle", "instance", "settings", "query", "checking") if name in __all__ else ():
        found = vars(import_module(f".{module}", __name__)).get(name)
        if found is not None:
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
