"""Logic puzzles solved by answer set programs that can be read: Strata, Strimko, Sudoku, Tectonic, strips.

>>> from pyasp_puzzles import load, solve
>>> for instance in load("tectonic/seed"):
...     print(solve(instance))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .batching import batch
    from .checking import Broken, Verdict, check
    from .errors import EncodingError, InstanceError, OutOfTime, PuzzleError, UnknownPuzzleError
    from .explaining import explain
    from .grading import Grade, grade
    from .hinting import hint
    from .instance import load, loads
    from .puzzle import Answer, Instance, Puzzle
    from .query import Count, Solutions, count, decided, possible, solutions, solve
    from .resolution import Resolution, resolve
    from .settings import Settings
    from .step import Step
    from .workers import Workers

__all__ = [
    "Answer",
    "Broken",
    "Count",
    "EncodingError",
    "Grade",
    "Instance",
    "InstanceError",
    "OutOfTime",
    "Puzzle",
    "PuzzleError",
    "Resolution",
    "Settings",
    "Solutions",
    "Step",
    "UnknownPuzzleError",
    "Verdict",
    "Workers",
    "batch",
    "check",
    "count",
    "decided",
    "explain",
    "grade",
    "hint",
    "load",
    "loads",
    "possible",
    "resolve",
    "solutions",
    "solve",
]

_MODULES = (
    "errors",
    "puzzle",
    "instance",
    "settings",
    "query",
    "checking",
    "step",
    "explaining",
    "hinting",
    "grading",
    "resolution",
    "workers",
    "batching",
)
"""Where the public names are, those first that are asked for most."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: the command needs few of them, and starts the faster."""
    for module in _MODULES if name in __all__ else ():
        found = vars(import_module(f".{module}", __name__)).get(name)
        if found is not None:
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
