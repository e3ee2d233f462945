"""Logic puzzles solved by answer set programs that can be read: Strata, Strimko, Sudoku, Tectonic, strips.

>>> from pyasp_puzzles import solve
>>> print(solve("tectonic/seed"))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .answers import Answer
    from .batching import Record, batch
    from .broken_rules import Broken
    from .checking import Verdict, check
    from .data import board
    from .errors import EncodingError, InstanceError, OutOfTime, PuzzleError, UnknownPuzzleError
    from .explaining import explain
    from .grading import Grade, grade
    from .hinting import hint
    from .instance import iload, load, loads
    from .puzzle import Instance, Puzzle
    from .query import Count, Solutions, count, decided, possible, solutions, solve
    from .resolution import Resolution, resolve
    from .settings import Settings
    from .step import Step
    from .workers import Workers

    __version__: str

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
    "Record",
    "Resolution",
    "Settings",
    "Solutions",
    "Step",
    "UnknownPuzzleError",
    "Verdict",
    "Workers",
    "batch",
    "board",
    "check",
    "count",
    "decided",
    "explain",
    "grade",
    "hint",
    "iload",
    "load",
    "loads",
    "possible",
    "resolve",
    "solutions",
    "solve",
]

_MODULES = (
    "errors",
    "answers",
    "puzzle",
    "instance",
    "settings",
    "query",
    "checking",
    "broken_rules",
    "step",
    "explaining",
    "hinting",
    "grading",
    "resolution",
    "workers",
    "batching",
    "data",
)
"""Where the public names are, those first that are asked for most."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: the command needs few of them, and starts the faster."""
    if name == "__version__":
        return _version()
    for module in _MODULES if name in __all__ else ():
        found = vars(import_module(f".{module}", __name__)).get(name)
        if found is not None:
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, imported or not."""
    return [*__all__, "__version__"]


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pyasp-puzzles")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "unknown"
