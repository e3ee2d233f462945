"""The library may be used from threads: what is asked of boards of one shape, all at once, is what is asked in turn."""

import sys
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from time import perf_counter

import pytest

from pyasp_puzzles import Settings, count, loads, solutions, solve
from pyasp_puzzles.queries.sessions import shared

from . import lists
from .command import PACKAGE, SECONDS, process
from .helpers import not_none, one, sudoku

COMMON = '''
from concurrent.futures import ThreadPoolExecutor
from pyasp_puzzles import batch, check, count, decided, explain, grade, hint, loads, possible, resolve, solutions, solve

def sudoku(cells):
    grid = "\\n".join(" ".join(cells[i : i + 4]) for i in range(0, 16, 4))
    return next(iter(loads(f'puzzle = "sudoku"\\ngivens = """\\n{grid}\\n"""')))

WHOLE = "1234341221434321"
boards = [
    sudoku([c if (i + kept) % 3 == 0 and i != hidden else "." for i, c in enumerate(WHOLE)])
    for kept in range(3) for hidden in range(0, 8, 2)
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
places = range(len(boards))
alone = {(name, i): ASKED[name](boards[i]) for name in ASKED for i in places}
with ThreadPoolExecutor(8) as pool:
    for names in [*([name] for name in ASKED), list(ASKED)]:
        asked = [(name, i) for i in [*places, *(places if len(names) == 1 else [])] for name in names]
        together = list(pool.map(lambda one: ASKED[one[0]](boards[one[1]]), asked))
        wrong = [(one, alone[one], said) for one, said in zip(asked, together, strict=True) if said != alone[one]]
        assert not wrong, (len(wrong), wrong[0])
        print(len(asked))
'''
"""Asks each question, and then all, about boards of one shape: in turn, and from eight threads."""
HELD = [sudoku(f"{a} {b} . .", *[". . . ."] * 3) for a in "12" for b in "34"]


@pytest.mark.slow  # eight threads keep all processors busy
def test_as_in_turn() -> None:
    """Eight threads get the answers that one gets; as a crash would end Python, this is a Python of its own."""
    done = process([sys.executable, "-c", COMMON], PACKAGE, timeout=4 * SECONDS)
    assert (done.returncode, done.stderr[-2000:]) == (0, "")
    assert [*map(int, done.stdout.split())] == [26] * 12 + [156]


def test_held_by_another_thread() -> None:
    """An iterator that waits to be asked for its next answer keeps no other thread waiting."""
    boards = HELD * 2
    streams = [solutions(board) for board in boards]
    firsts = [next(stream) for stream in streams]
    with ThreadPoolExecutor(4) as pool:
        assert [found.number for found in pool.map(count, boards, timeout=SECONDS)] == [24] * 8
        rest = [*pool.map(lambda stream: [*stream], streams, timeout=SECONDS)]  # begun here, and ended there
    assert [len({first, *others}) for first, others in zip(firsts, rest, strict=True)] == [24] * 8


def test_statistics_of_ones_own() -> None:
    """Where others have asked the same control since, there are no sizes that would be those of their search."""
    shared.cache_clear()
    searches = []
    for board in HELD:
        found = solutions(board, 2)
        list(found)
        searches.append(found.search)
    one_before, last = map(not_none, searches[-2:])
    assert {"ground", "solve", "choices"} <= last.statistics().keys()
    assert one_before.statistics().keys() == {"ground", "solve"}
    shared.cache_clear()


def test_late_groundings_are_not_lent() -> None:
    """What was to be grounded too late is not kept for those who have time."""
    rows = "\n".join(" ".join(str(12 * r + c // 5) for c in range(60)) for r in range(20))
    board = one(f'puzzle = "tectonic"\nblocks = """\n{rows}\n"""')
    for _ in range(4):
        assert list(solutions(board, 1, Settings(timeout=0))) == []
    assert len(list(solutions(board, 1))) == 1


@pytest.mark.slow
def test_four_threads_are_not_slower_than_one() -> None:
    """To solve 200 Sudokus of one shape in four threads takes no longer than in one: median of pairs, with a margin."""
    boards = loads(lists.lines(200, 40), lines="sudoku")
    ratios = []
    with ThreadPoolExecutor(4) as pool:
        for _ in range(9):
            started = perf_counter()
            alone = [solve(board) is None for board in boards]
            middle = perf_counter()
            assert [answer is None for answer in pool.map(solve, boards)] == alone
            ratios.append((perf_counter() - middle) / (middle - started))
    assert median(ratios) < 1.15
