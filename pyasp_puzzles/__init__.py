"""Solve, check, explain and make logic puzzles, such as Sudoku and Tectonic, by rules that you can edit.

>>> from pyasp_puzzles import solve
>>> print(solve("tectonic/seed"))
"""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False  # rather than from `typing`, as in `cli`
if TYPE_CHECKING:
    # The public names; `_modules` reads these lines.
    from pyasp_puzzles.asp.rules import Rules as Rules
    from pyasp_puzzles.asp.settings import Settings as Settings
    from pyasp_puzzles.batches.batch import batch as batch
    from pyasp_puzzles.batches.workers import Workers as Workers
    from pyasp_puzzles.errors import EncodingError as EncodingError
    from pyasp_puzzles.errors import InstanceError as InstanceError
    from pyasp_puzzles.errors import OutOfTime as OutOfTime
    from pyasp_puzzles.errors import PuzzleError as PuzzleError
    from pyasp_puzzles.errors import UnknownPuzzleError as UnknownPuzzleError
    from pyasp_puzzles.explanation.explain import explain as explain
    from pyasp_puzzles.explanation.grade import grade as grade
    from pyasp_puzzles.explanation.hint import hint as hint
    from pyasp_puzzles.formats.format import Shows as Shows
    from pyasp_puzzles.formats.format import dumps as dumps
    from pyasp_puzzles.formats.load import iload as iload
    from pyasp_puzzles.formats.load import load as load
    from pyasp_puzzles.formats.load import loads as loads
    from pyasp_puzzles.generation.generate import generate as generate
    from pyasp_puzzles.generation.minimize import minimize as minimize
    from pyasp_puzzles.model.answer import Answer as Answer
    from pyasp_puzzles.model.answer import Count as Count
    from pyasp_puzzles.model.puzzle import Instance as Instance
    from pyasp_puzzles.model.puzzle import Puzzle as Puzzle
    from pyasp_puzzles.model.record import Record as Record
    from pyasp_puzzles.model.review import Broken as Broken
    from pyasp_puzzles.model.review import Review as Review
    from pyasp_puzzles.model.step import Grade as Grade
    from pyasp_puzzles.model.step import Step as Step
    from pyasp_puzzles.model.verdict import Verdict as Verdict
    from pyasp_puzzles.puzzles.board import board as board
    from pyasp_puzzles.queries.check import check as check
    from pyasp_puzzles.queries.resolve import Resolution as Resolution
    from pyasp_puzzles.queries.resolve import resolve as resolve
    from pyasp_puzzles.queries.review import review as review
    from pyasp_puzzles.queries.solve import Solutions as Solutions
    from pyasp_puzzles.queries.solve import count as count
    from pyasp_puzzles.queries.solve import decided as decided
    from pyasp_puzzles.queries.solve import possible as possible
    from pyasp_puzzles.queries.solve import solutions as solutions
    from pyasp_puzzles.queries.solve import solve as solve

    __all__: list[str]


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that the command, which needs few of them, starts faster."""
    if name == "__version__":
        return _version()
    if name == "__all__":
        return sorted(_modules())
    if name not in _modules():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return globals().setdefault(name, getattr(import_module(_modules()[name]), name))


def __dir__() -> list[str]:
    """Return all public names, whether they are imported yet or not."""
    return [*sorted(_modules()), "__version__"]


@cache
def _modules() -> dict[str, str]:
    """Return {public name: the module that defines it}, from the imports above."""
    import re
    from pkgutil import get_data

    source = (get_data(__name__, "__init__.py") or b"").decode()
    return {name: module for module, name in re.findall(r"^    from (\S+) import (\w+) as \2$", source, re.MULTILINE)}


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pyasp-puzzles")
    except PackageNotFoundError:  # in a checkout that is not installed
        return "unknown"
