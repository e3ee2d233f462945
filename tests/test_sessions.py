"""Boards of one shape share a grounding, and nobody sees a difference, but in the time that it takes."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import pytest
from clingo import Control
from hypothesis import given

from pyasp_puzzles import Answer, Instance, Settings, check, count, decided, loads, possible, solutions, solve
from pyasp_puzzles.queries.sessions import shared

from . import lists, strategies
from .command import PACKAGE, SECONDS, process
from .helpers import extra, not_none, one, only, sudoku
from .strategies import examples


@pytest.fixture(autouse=True)
def no_session() -> Iterator[None]:
    """Begin and end without a session."""
    shared.cache_clear()
    yield
    shared.cache_clear()


BLANK = [". . . ."] * 3
# Of these, those with two different numbers have 24 answers, the others none.
BOARDS = [sudoku(f"{a} {b} . .", *BLANK) for a in range(1, 5) for b in range(1, 5)]
SEVERAL = BOARDS[1:5]


def groundings(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Return a list that grows whenever a program is grounded."""
    grounded: list[None] = []
    ground = Control.ground

    def counted(self: Control, *rest: Any) -> None:
        grounded.append(None)
        ground(self, *rest)

    monkeypatch.setattr(Control, "ground", counted)
    return grounded


def answers(instance: Instance, how: Settings | None = None, limit: int = 0) -> tuple[frozenset[Answer], bool, str]:
    """Return all answers of a board, whether they are complete, and the status."""
    found = solutions(instance, limit, how or Settings())
    return frozenset(found), found.complete, found.status


def test_boards_of_a_layout_share_a_grounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a few boards of a shape, no other of it is grounded."""
    grounded = groundings(monkeypatch)
    numbers = [(answers(board), len(grounded))[1] for board in BOARDS]
    assert numbers[0] == 1
    assert numbers[-1] == numbers[3] == 3


def test_sessions_give_the_same_answers() -> None:
    """A board of a session has the answers that it has alone, whatever came before."""
    alone = [answers(board, Settings(seed=1)) for board in BOARDS]  # with a seed, each board is searched for itself
    assert [answers(board) for board in BOARDS] == alone
    assert [len(found) for found, _, _ in alone] == [24 if a != b else 0 for a in range(4) for b in range(4)]


@pytest.mark.parametrize("limit", [1, 2, 3, 24, 25])
def test_sessions_give_as_many_answers_as_asked_for(limit: int) -> None:
    """As many answers come as are asked for, and it is known whether there are more."""
    for board in BOARDS[:6]:
        found, complete, status = answers(board, limit=limit)
        many = 24 if board is not BOARDS[0] and board is not BOARDS[5] else 0
        assert len(found) == min(limit, many)
        assert complete == (limit > many)
        assert status == ("satisfiable" if many else "unsatisfiable")


@given(strategies.strimko_boards() | strategies.tectonic_boards())
@examples(12)
def test_sessions_give_the_same_answers_the_third_time(drawn: strategies.NumberBoard) -> None:
    """The third time that a board comes, its answers are those of the first time."""
    board = one(drawn.text)
    first = answers(board)
    assert [answers(board) for _ in range(3)] == [first] * 3


def test_boards_are_answered_while_others_are_at_work() -> None:
    """While answers of a board are still coming, or are not asked for any more, others of its shape are answered."""
    streams = [solutions(board) for board in SEVERAL]
    firsts = [next(stream) for stream in streams]
    rest = [frozenset([first, *stream]) for first, stream in zip(firsts, streams, strict=True)]
    assert [len(found) for found in rest] == [24] * 4
    assert rest == [answers(board)[0] for board in SEVERAL]
    for board in SEVERAL:
        next(solutions(board))
    assert all(len(answers(board)[0]) == 24 for board in SEVERAL)


def test_each_layout_has_its_own_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards of several shapes in turn each have their own session."""
    other = sudoku("1 . . . . .", *[". . . . . ."] * 5)
    boards = (BOARDS[1], other, only("tectonic/seed"))
    expected = [answers(board, Settings(seed=1), 3)[1:] for board in boards]
    grounded = groundings(monkeypatch)
    for _ in range(5):
        assert [answers(board, limit=3)[1:] for board in boards] == expected
    assert len(grounded) == 3 * 3


def test_rules_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A board with user rules is grounded by itself, because they may use the clues in any way."""
    how = extra(tmp_path, "violated(corner) :- not value(1, 1, 1). violated(few) :- not given(1, 1, 1).\n")
    grounded = groundings(monkeypatch)
    assert [len(answers(board, how)[0]) for board in BOARDS] == [0, 24, 24, 24] + [0] * 12
    assert len(grounded) == len(BOARDS)


def test_other_questions_may_use_a_session() -> None:
    """Other questions are asked of a session, too; what holds in all or some answers is no answer of the next board."""
    for board in SEVERAL:
        verdict = check(board)
        assert (verdict.status, verdict.decided, count(board)) == ("several", 2, 24)
        for ask in (decided, possible):
            assert ask(board) is not None
            assert len(answers(board, limit=2)[0]) == 2
        assert len(answers(board)[0]) == 24
    assert check(BOARDS[0]).status == "none"


def test_time_that_ran_out_is_there_for_the_next_board() -> None:
    """Time that has run out for one board is there again for the next."""
    for board in SEVERAL:
        answers(board)
    late = solutions(BOARDS[1], 0, Settings(timeout=0))
    assert list(late) == []
    assert (late.status, late.complete) == ("unknown", False)
    assert len(answers(BOARDS[1])[0]) == 24


# -- Threads ---------------------------------------------------------------

# Asks each question, and then all, about boards of one shape: in turn, and from eight threads.
COMMON = """
from concurrent.futures import ThreadPoolExecutor
from pyasp_puzzles import *

def sudoku(cells):
    return board("sudoku", givens=[cells[i : i + 4] for i in range(0, 16, 4)])

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
    "review": lambda board: review(board, some),
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
"""


@pytest.mark.slow  # eight threads keep all processors busy
def test_threads_get_the_answers_that_one_gets() -> None:
    """Eight threads get the answers that one gets; as a crash would end Python, this is a Python of its own."""
    done = process([sys.executable, "-c", COMMON], PACKAGE, timeout=4 * SECONDS)
    assert (done.returncode, done.stderr[-2000:]) == (0, "")
    assert [*map(int, done.stdout.split())] == [26] * 12 + [156]


def test_an_unread_iterator_keeps_no_thread_waiting() -> None:
    """An iterator that waits to be asked for its next answer keeps no other thread waiting."""
    boards = SEVERAL * 2
    streams = [solutions(board) for board in boards]
    firsts = [next(stream) for stream in streams]
    with ThreadPoolExecutor(4) as pool:
        assert [found.number for found in pool.map(count, boards, timeout=SECONDS)] == [24] * 8
        rest = [*pool.map(lambda stream: [*stream], streams, timeout=SECONDS)]  # begun here, and ended there
    assert [len({first, *others}) for first, others in zip(firsts, rest, strict=True)] == [24] * 8


def test_statistics_of_ones_own() -> None:
    """Where others have asked the same control since, there are no sizes that would be those of their search."""
    searches = []
    for board in SEVERAL:
        found = solutions(board, 2)
        list(found)
        searches.append(found.search)
    one_before, last = map(not_none, searches[-2:])
    assert {"ground", "solve", "choices"} <= last.statistics().keys()
    assert one_before.statistics().keys() == {"ground", "solve"}


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
    boards = loads(lists.lines(200, 40), format="sudoku")
    ratios = []
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(4) as four:
        for _ in range(9):
            started = perf_counter()
            alone = [answer is None for answer in one.map(solve, boards)]
            middle = perf_counter()
            assert [answer is None for answer in four.map(solve, boards)] == alone
            ratios.append((perf_counter() - middle) / (middle - started))
    assert median(ratios) < 1.15
