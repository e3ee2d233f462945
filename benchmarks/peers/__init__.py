"""The solvers that run beside ours, each a class with the same four things, each in its fastest sensible way."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from platform import python_version
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.board import Answer, Board


class Verdict(NamedTuple):
    """What a solver says of a board: an answer, if there is one, and whether it is shown to be the only one."""

    answer: Answer | None
    unique: bool


class Peer(Protocol):
    """A solver of some of the puzzles."""

    puzzles: frozenset[str]
    how: str
    """How it is used, for the page."""

    def prepare(self, board: Board) -> Any:  # noqa: ANN401 (whatever it likes)
        """Return a board in the form that the solver takes, or None if it is not up to it; this is not timed."""

    def solve(self, task: Any) -> Verdict:  # noqa: ANN401
        """Return what is asked for; this is timed."""


OURS = "pyasp_puzzles"
CLINGO = "clingo"
MULTI = "multi-puzzle-solver"
KIT = "puzzlekit"
CP_SAT = "OR-Tools CP-SAT"
CP_SAT_BOOLEANS = "OR-Tools CP-SAT, Booleans"
CADICAL = "python-sat CaDiCaL, afresh"
CADICAL_ASSUMED = "python-sat CaDiCaL, clues assumed"
GRILOPS = "grilops"
SEED = "the seed's method, in Python"

_PLACES = {
    OURS: ("benchmarks.ours", "Ours", "pyasp-puzzles"),
    CLINGO: ("benchmarks.peers.plain_clingo", "PlainClingo", "clingo"),
    MULTI: ("benchmarks.peers.multi", "MultiPuzzleSolver", "multi-puzzle-solver"),
    KIT: ("benchmarks.peers.kit", "PuzzleKit", "puzzlekit"),
    CP_SAT: ("benchmarks.peers.cp_sat", "Integers", "ortools"),
    CP_SAT_BOOLEANS: ("benchmarks.peers.cp_sat", "Booleans", "ortools"),
    CADICAL: ("benchmarks.peers.cadical", "Afresh", "python-sat"),
    CADICAL_ASSUMED: ("benchmarks.peers.cadical", "Assumed", "python-sat"),
    GRILOPS: ("benchmarks.peers.grid_logic", "Grilops", "grilops"),
    SEED: ("benchmarks.seeds", "Seeds", ""),
}
NAMES = tuple(_PLACES)


def installed(name: str) -> str | None:
    """Return the version of a solver, None if it is not installed."""
    package = _PLACES[name][2]
    if not package:
        return f"Python {python_version()}"
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def packages() -> Iterator[tuple[str, str | None]]:
    """Yield every package that is measured, or used for that, and its version, None if it is not installed."""
    for package in dict.fromkeys([*(place[2] for place in _PLACES.values() if place[2]), "z3-solver", "numpy"]):
        try:
            yield package, version(package)
        except PackageNotFoundError:
            yield package, None


def kind(name: str) -> type[Peer]:
    """Return the class of a solver that is installed."""
    module, attribute, _ = _PLACES[name]
    found: type[Peer] = getattr(import_module(module), attribute)
    return found


def able(puzzle: str) -> list[str]:
    """Return the solvers that are installed and know a puzzle, ours first."""
    return [name for name in NAMES if installed(name) and puzzle in kind(name).puzzles]
