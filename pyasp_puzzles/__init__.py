"""Solve, check, explain and make logic puzzles, such as Sudoku and Tectonic, by rules that you can edit.

>>> from pyasp_puzzles import solve
>>> print(solve("tectonic/seed"))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyasp_puzzles.asp.rules import Rules
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.batches.batch import batch
    from pyasp_puzzles.batches.workers import Workers
    from pyasp_puzzles.errors import EncodingError, InstanceError, OutOfTime, PuzzleError, UnknownPuzzleError
    from pyasp_puzzles.explanation.explain import explain
    from pyasp_puzzles.explanation.grade import grade
    from pyasp_puzzles.explanation.hint import hint
    from pyasp_puzzles.explanation.resolve import Resolution, resolve
    from pyasp_puzzles.formats.data import board
    from pyasp_puzzles.formats.format import Shows, dumps
    from pyasp_puzzles.formats.load import iload, load, loads
    from pyasp_puzzles.generation.generate import generate, minimize
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.count import Count
    from pyasp_puzzles.model.grade import Grade
    from pyasp_puzzles.model.puzzle import Instance, Puzzle
    from pyasp_puzzles.model.record import Record
    from pyasp_puzzles.model.review import Broken, Review
    from pyasp_puzzles.model.step import Step
    from pyasp_puzzles.model.verdict import Verdict
    from pyasp_puzzles.queries.check import check
    from pyasp_puzzles.queries.review import review
    from pyasp_puzzles.queries.solve import Solutions, count, decided, possible, solutions, solve

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
    "Review",
    "Rules",
    "Settings",
    "Shows",
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
    "dumps",
    "explain",
    "generate",
    "grade",
    "hint",
    "iload",
    "load",
    "loads",
    "minimize",
    "possible",
    "resolve",
    "review",
    "solutions",
    "solve",
]

# {module: its public names}
_MODULES = {
    "asp.rules": ["Rules"],
    "asp.settings": ["Settings"],
    "batches.batch": ["batch"],
    "batches.workers": ["Workers"],
    "errors": ["EncodingError", "InstanceError", "OutOfTime", "PuzzleError", "UnknownPuzzleError"],
    "explanation.explain": ["explain"],
    "explanation.grade": ["grade"],
    "explanation.hint": ["hint"],
    "explanation.resolve": ["Resolution", "resolve"],
    "formats.data": ["board"],
    "formats.format": ["Shows", "dumps"],
    "formats.load": ["iload", "load", "loads"],
    "generation.generate": ["generate", "minimize"],
    "model.answer": ["Answer"],
    "model.count": ["Count"],
    "model.grade": ["Grade"],
    "model.puzzle": ["Instance", "Puzzle"],
    "model.record": ["Record"],
    "model.review": ["Broken", "Review"],
    "model.step": ["Step"],
    "model.verdict": ["Verdict"],
    "queries.check": ["check"],
    "queries.review": ["review"],
    "queries.solve": ["Solutions", "count", "decided", "possible", "solutions", "solve"],
}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that the command, which needs few of them, starts faster."""
    if name == "__version__":
        return _version()
    for module, names in _MODULES.items():
        if name in names:
            globals()[name] = getattr(import_module(f".{module}", __name__), name)
            return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return all public names, whether they are imported yet or not."""
    return [*__all__, "__version__"]


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pyasp-puzzles")
    except PackageNotFoundError:  # in a checkout that is not installed
        return "unknown"
