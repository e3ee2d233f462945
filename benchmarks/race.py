"""Compare the speed of this checkout and another commit, in turns: `python -m benchmarks --against COMMIT`.

Entry  ("solve", 'puzzle = "tectonic" ...', None): a question, the text of a board, and the name of its format
Time   {3: [0.0021, 0.0020]}: the CPU times in seconds of the fourth board of a kind
"""

import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from .board_sets import INSTANCES, Board, BoardSets, hunt, minimal_sudoku, strata
from .boards import instance_file
from .processes import child_seconds

ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("race_worker.py")
# How much a change may cost, in each kind, without a word in its message.
ALLOWED = 1.05
# Boards before the other checkout's turn: few, so that both meet the same load.
TURN = 3

Entry = tuple[str, str, str | None]
Times = dict[int, list[float]]


class Result(NamedTuple):
    """A kind of board in both checkouts."""

    boards: int
    seconds: float
    """The median over the boards of this checkout's least time."""
    ratio: float
    """The median over the boards of this checkout's time, divided by the other's."""
    total: float
    """The ratio of the total times."""
    disputed: int
    """Boards on which the checkouts disagree."""

    @property
    def slower(self) -> bool:
        """Whether this checkout is slower than allowed by both figures; one alone may be noise."""
        return min(self.ratio, self.total) > ALLOWED


def race(commit: str, sets: BoardSets, repeats: int, only: Sequence[str]) -> bool:
    """Print the ratios of each kind, or of those whose names contain one of some words; return whether none is slower.

    Raises:
        CalledProcessError: git does not know the commit.
    """
    print(f"{'this checkout / ' + commit:52} boards   median   ratio   total")  # noqa: T201
    fine = True
    with TemporaryDirectory() as directory:
        packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True)  # noqa: S603, S607
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as files:
            files.extractall(directory, filter="data")
        checkouts = (str(ROOT), directory)
        for name, entries in kinds(sets):
            if only and not any(word in name for word in only):
                continue
            result = _starts(checkouts, entries, repeats) if name == START else _raced(checkouts, entries, repeats)
            if result is None:
                print(f"{name:52} not read by both")  # noqa: T201
                continue
            boards, seconds, ratio, total, disputed = result
            marks = ("  SLOWER" if result.slower else "") + (f"  {disputed} DISPUTED" if disputed else "")
            print(f"{name:52} {boards:6} {1000 * seconds:6.2f} ms {ratio:7.2f} {total:7.2f}{marks}", flush=True)  # noqa: T201
            fine = fine and not result.slower and not disputed
    return fine


START = "start: a whole process that solves a board"


def kinds(sets: BoardSets) -> Iterator[tuple[str, list[Entry]]]:
    """Yield the name and the boards of each kind; a new process solves each kind, so nothing is cached before it."""
    shipped = {path: path.read_text(encoding="utf-8") for path in sorted(INSTANCES.glob("*/*.toml"))}
    shipped = {path: text for path, text in shipped.items() if "[[board]]" not in text}
    for puzzle in ("sudoku", "tectonic", "strimko"):
        for name, boards in sets.of(puzzle):
            yield name, [_entry("solve", board) for board in boards]
    yield "strips of one size", [_entry("solve", board) for board in hunt()]
    for side, number in ((20, 10), (80, 2), (200, 1)):
        boards = [strata(side, i) for i in range(number)]
        yield f"Strata boards {side}x{side}", [_entry("solve", board) for board in boards]
    yield "first boards of each puzzle", [("solve", text, None) for text in shipped.values()]
    yield "boards read", [("read", text, None) for text in shipped.values()]
    yield "generated Sudokus, explained", [_entry("explain", minimal_sudoku(i)) for i in range(5)]
    easy = [text for path, text in shipped.items() if path.stem in {"easy", "four", "five", "six", "seed"}]
    yield "small boards, explained", [("explain", text, None) for text in easy]
    yield START, [("solve", "tectonic/seed", None), ("solve", "sudoku/easy", None)]


def _entry(what: str, board: Board) -> Entry:
    if board.puzzle == "sudoku" and len(board.givens) == 9:
        return what, "".join(str(value) for row in board.givens for value in row), "sudoku"
    return what, instance_file([board]), None


def _raced(checkouts: Sequence[str], entries: list[Entry], repeats: int) -> Result | None:
    times: tuple[Times, Times] = ({}, {})
    results: dict[int, set[str]] = {}
    for repeat in range(repeats):
        with ExitStack() as stack:
            workers = [stack.enter_context(_worker(checkout)) for checkout in checkouts]
            for turn, start in enumerate(range(0, len(entries), TURN)):
                for one in (0, 1) if (turn + repeat) % 2 else (1, 0):
                    worker = workers[one]
                    assert worker.stdin
                    assert worker.stdout
                    worker.stdin.write(json.dumps(entries[start : start + TURN]) + "\n")
                    worker.stdin.flush()
                    for i, found in enumerate(json.loads(worker.stdout.readline()), start):
                        if found:
                            times[one].setdefault(i, []).append(found[0])
                            results.setdefault(i, set()).add(str(found[1]))
            for worker in workers:
                assert worker.stdin
                worker.stdin.close()
    return _result(times, sum(len(some) > 1 for some in results.values()))


def _worker(checkout: str) -> "subprocess.Popen[str]":
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, str(WORKER), checkout], stdin=pipe, stdout=pipe, text=True)  # noqa: S603


def _starts(checkouts: Sequence[str], entries: list[Entry], repeats: int) -> Result | None:
    times: tuple[Times, Times] = ({}, {})
    for repeat in range(5 * repeats + 1):
        for i, (_, name, _) in enumerate(entries):
            for one in (0, 1) if repeat % 2 else (1, 0):
                before = child_seconds()
                command = [sys.executable, "-m", "pyasp_puzzles", "solve", name]
                environment = os.environ | {"PYTHONPATH": checkouts[one]}
                environment.pop("PYTHONDONTWRITEBYTECODE", None)
                done = subprocess.run(command, cwd=checkouts[one], env=environment, capture_output=True, check=False)  # noqa: S603
                # The first run compiles the modules.
                if repeat and done.returncode == 0:
                    times[one].setdefault(i, []).append(child_seconds() - before)
    return _result(times, 0)


def _result(times: tuple[Times, Times], disputed: int) -> Result | None:
    # On a busy machine, times above the least are mostly the work of others.
    ours, theirs = ({i: min(some) for i, some in each.items()} for each in times)
    both = sorted(ours.keys() & theirs.keys())
    if not both:
        return None
    ratio = median(ours[i] / theirs[i] for i in both)
    total = sum(ours[i] for i in both) / sum(theirs[i] for i in both)
    return Result(len(both), median(ours[i] for i in both), ratio, total, disputed)
