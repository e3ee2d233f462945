"""The library may be used from threads: what is asked of boards of one shape, all at once, is what is asked in turn."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from pyasp_puzzles import Settings, count, solutions
from pyasp_puzzles.puzzles.program import Question, ask
from pyasp_puzzles.queries.sessions import shared

from .command import SECONDS, environment
from .helpers import one

if TYPE_CHECKING:
    from pyasp_puzzles import Instance

COMMON = '''
import sys
from concurrent.futures import ThreadPoolExecutor
from pyasp_puzzles import batch, check, count, decided, explain, grade, hint, loads, possible, resolve, solutions, solve

def sudoku(cells):
    grid = "\\n".join(" ".join(cells[i : i + 4]) for i in range(0, 16, 4))
    return next(iter(loads(f'puzzle = "sudoku"\\ngivens = """\\n{grid}\\n"""')))

WHOLE = "1234341221434321"
boards = [
    sudoku([c if (i + kept) % 3 == 0 and i != hidden else "." for i, c in enumerate(WHOLE)])
    for kept in range(3) for hidden in range(8)
]
some = solve(boards[0])
boards.append(sudoku("12........1...2."))  # no answer

def told(steps):
    *others, end = steps
    return end.status, sorted(str(atom) for step in others for atom in step.placed)

def verdict(found):
    return found.status, len(found.answers), found.decided, [clue.rule for clue in found.blamed]

def whole(found):
    return sorted(map(str, found)), found.complete

ASKED = {
    "solve": lambda board: solve(board) in [None, *solutions(board)],
    "solutions": lambda board: whole(solutions(board)),
    "count": count,
    "check": lambda board: verdict(check(board)),
    "broken": lambda board: check(board, some),
    "decided": lambda board: str(decided(board)),
    "possible": lambda board: str(possible(board)),
    "explain": lambda board: told(explain(board)),
    "hint": lambda board: hint(board).kind,
    "grade": lambda board: grade(board).status,
    "resolve": lambda board: str(resolve(board).candidates),
    "batch": lambda board: [record["complete"] for record in batch([board], 0)],
}
names = sys.argv[1:] or list(ASKED)
asked = [(name, board) for board in boards * 2 for name in names]
alone = [ASKED[name](board) for name, board in asked]
with ThreadPoolExecutor(8) as pool:
    together = list(pool.map(lambda one: ASKED[one[0]](one[1]), asked))
wrong = [(one, *said) for one, *said in zip(asked, alone, together, strict=True) if said[0] != said[1]]
assert not wrong, (len(wrong), wrong[0])
print(len(asked))
'''
"""Asks the questions that are named, or all, of many boards of one shape: in turn, and from eight threads."""

NAMES = "solve solutions count check broken decided possible explain hint grade resolve batch"
HELD = [f"{a} {b} . .\n{'. . . .' + chr(10)}. . . .\n. . . ." for a in "12" for b in "34"]


def sudoku(grid: str) -> Instance:
    """Return a Sudoku of 4x4."""
    return one(f'puzzle = "sudoku"\ngivens = """\n{grid}\n"""')


@pytest.mark.parametrize("names", [[], *([name] for name in NAMES.split())])
def test_as_in_turn(names: list[str]) -> None:
    """What eight threads are told is what one is told; as a crash would end Python, this is a Python of its own."""
    done = subprocess.run(
        [sys.executable, "-c", COMMON, *names],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=2 * SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr[-2000:]) == (0, "")
    assert int(done.stdout) >= 50


def test_held_by_another_thread() -> None:
    """An iterator that waits to be asked for its next answer keeps no other thread waiting."""
    boards = [sudoku(grid) for grid in HELD] * 2
    streams = [solutions(board) for board in boards]
    firsts = [next(stream) for stream in streams]
    with ThreadPoolExecutor(4) as pool:
        assert [found.number for found in pool.map(count, boards, timeout=SECONDS)] == [24] * 8
        rest = [*pool.map(lambda stream: [*stream], streams, timeout=SECONDS)]  # begun here, and ended there
    assert [len({first, *others}) for first, others in zip(firsts, rest, strict=True)] == [24] * 8


def test_statistics_of_ones_own() -> None:
    """Where others have asked the same control since, there are no sizes that would be those of their search."""
    shared.cache_clear()
    boards = [sudoku(grid) for grid in HELD]
    searches = []
    for board in boards:
        found = solutions(board, 2)
        list(found)
        searches.append(found.search)
    last, one_before = searches[-1], searches[-2]
    assert last is not None
    assert one_before is not None
    assert {"ground", "solve", "choices"} <= last.statistics().keys()
    assert one_before.statistics().keys() == {"ground", "solve"}
    shared.cache_clear()


def test_late_groundings_are_not_lent() -> None:
    """What was to be grounded too late was not, cannot be asked, and is not kept for those who have time."""
    rows = "\n".join(" ".join(str(12 * r + c // 5) for c in range(60)) for r in range(20))
    board = one(f'puzzle = "tectonic"\nblocks = """\n{rows}\n"""')
    search = ask(board, Settings(timeout=0), Question(board.puzzle.view().outputs))
    assert (search.usable, search.abandoned, search.timed_out) == (False, False, True)
    assert search.atoms("value", 3) == {}
    for _ in range(4):
        assert list(solutions(board, 1, Settings(timeout=0))) == []
    assert len(list(solutions(board, 1))) == 1
