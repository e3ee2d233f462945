"""The programs that are compared, each a function that solves a board."""

import json
import pickle
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.boards import Board, Verdict

Solve = Callable[[], Verdict]

OURS = "pyasp_puzzles"
CLINGO = "clingo"
ARTICLE = "plain Python, position by position"
NUMBERS = frozenset({"sudoku", "strimko", "tectonic"})
PACKAGED = frozenset({"sudoku", "tectonic"})
ALL = NUMBERS | {"strips", "strata"}


class Peer(NamedTuple):
    """A program, or a way to use it."""

    name: str
    package: str
    puzzles: frozenset[str]
    function: str
    """The module and the name of a function that solves a board; its docstring tells, for the page, how."""
    prepared: bool = False
    """Whether the function returns a function that solves the board, or None if the program cannot take the board."""

    def prepare(self, board: Board) -> Solve | None:
        """Return the function that solves a board, the part that is timed; None if the program cannot take it."""
        return self.load()(board) if self.prepared else partial(self.load(), board)

    def load(self) -> Callable[[Board], Any]:
        """Return the function, which imports the program."""
        module, _, function = self.function.partition(".")
        found: Callable[[Board], Any] = getattr(import_module(f"benchmarks.peers.{module}"), function)
        return found

    def version(self) -> str | None:
        """Return the version of the package, None if it is not installed."""
        from importlib.metadata import PackageNotFoundError, version
        from platform import python_version

        try:
            return version(self.package) if self.package else f"Python {python_version()}"
        except PackageNotFoundError:
            return None


_PEERS = (
    Peer(OURS, "pyasp-puzzles", ALL, "asp.pyasp", prepared=True),
    Peer(CLINGO, "clingo", ALL, "asp.clingo", prepared=True),
    Peer("multi-puzzle-solver", "multi-puzzle-solver", PACKAGED, "packages.multi_puzzle_solver", prepared=True),
    Peer("puzzlekit", "puzzlekit", PACKAGED, "packages.puzzlekit", prepared=True),
    Peer("OR-Tools CP-SAT", "ortools", NUMBERS, "cp_sat.integers"),
    Peer("OR-Tools CP-SAT, Booleans", "ortools", NUMBERS | {"strips"}, "cp_sat.booleans"),
    Peer("python-sat CaDiCaL", "python-sat", NUMBERS | {"strips"}, "cadical.new_solver"),
    Peer("python-sat CaDiCaL, assumptions", "python-sat", frozenset({"sudoku"}), "cadical.shared_solver"),
    Peer("grilops", "grilops", NUMBERS, "packages.grilops"),
    Peer("plain Python", "", ALL, "plain_python.solve"),
    Peer("plain Python, strip by strip", "", frozenset({"strips"}), "plain_python.strip_by_strip"),
    Peer(ARTICLE, "", frozenset({"strips"}), "plain_python.position_by_position"),
)
PEERS = {peer.name: peer for peer in _PEERS}


def able(board: Board) -> list[str]:
    """Return the installed programs that solve a board, ours first."""
    most = [OURS, CLINGO][: 1 if board.seed is not None else 2] if board.extra else list(PEERS)
    return [name for name in most if board.puzzle in PEERS[name].puzzles and PEERS[name].version()]


def solve_file(name: str, file: str) -> None:
    """Print `[answer, unique]` as a line of JSON for each board of a file; null if the program cannot take it."""
    for board in pickle.loads(Path(file).read_bytes()):  # noqa: S301 (a file of ours)
        solve = PEERS[name].prepare(board)
        sys.stdout.write(json.dumps(solve and solve()) + "\n")
