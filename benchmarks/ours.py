"""Our own library and command, called as users call them; nothing internal."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.board import Answer, Board, Numbers, instance_file
from benchmarks.peers import Verdict

if TYPE_CHECKING:
    from pyasp_puzzles import Instance, Step


class Ours:
    """`solutions(instance, 2)`: two answers are asked for, and there is only one."""

    puzzles = frozenset({"sudoku", "strimko", "tectonic", "strips", "strata"})
    how = "`solutions(instance, 2)`, and `complete` after one answer"

    def prepare(self, board: Board) -> Instance:
        """Return the instance."""
        return instance(board)

    def solve(self, task: Instance) -> Verdict:
        """Return the first answer, and whether no second one came."""
        from pyasp_puzzles import solutions

        found = solutions(task, 2)
        answers = list(found)
        return Verdict(common(answers[0].json()) if answers else None, len(answers) == 1 and found.complete)


def instance(board: Board) -> Instance:
    """Return a board as an instance; a 9x9 Sudoku is read from a line, as those of a collection are.

    Raises:
        InstanceError: it is no board, to our reader.
    """
    from pyasp_puzzles import loads

    line = board.line() if isinstance(board, Numbers) else None
    [loaded] = loads(line, board.name, lines="sudoku") if line else loads(instance_file([board]))
    return loaded


def common(solution: dict[str, Any]) -> Answer:
    """Return a solution, as `--json` prints it, in the form that all solvers share."""
    if "grid" in solution:
        grid: Answer = solution["grid"]
        return grid
    if "strips" in solution:
        return [[(r, c) for r, c in strip["cells"]] for strip in solution["strips"]]
    return [(ribbon["line"], ribbon["index"], ribbon["color"]) for ribbon in solution["ribbons"]]


def steps(task: Instance) -> list[Step]:
    """Return a whole explanation."""
    from pyasp_puzzles import explain

    return list(explain(task))


def pyasp() -> list[str]:
    """Return how the command is called."""
    beside = Path(sys.executable).with_name("pyasp")
    found = str(beside) if beside.exists() else shutil.which("pyasp")
    return [found] if found else [sys.executable, "-m", "pyasp_puzzles"]


def solve_command(file: Path, jobs: int = 0) -> list[str]:
    """Return the command that finds an answer of each board of a file, and shows whether it is the only one."""
    return [*pyasp(), "solve", "--json", "-n", "2", *(["--jobs", str(jobs)] if jobs else []), str(file)]


@cache
def has_jobs() -> bool:
    """Tell whether the command can solve boards side by side."""
    told = subprocess.run([*pyasp(), "solve", "--help"], capture_output=True, text=True, check=False)  # noqa: S603
    return "--jobs" in told.stdout


def by_singles(task: Instance) -> bool:
    """Tell whether naked and hidden singles alone solve a board."""
    from pyasp_puzzles import resolve

    return resolve(task).status == "solved"
