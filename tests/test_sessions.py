"""Boards of one shape share a grounding, and nobody sees a difference, but in the time that it takes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clingo import Control
from hypothesis import given

from pyasp_puzzles import Answer, Instance, Settings, check, count, decided, load, possible, solutions
from pyasp_puzzles.queries.sessions import shared

from . import strategies
from .helpers import one, sudoku
from .strategies import examples


@pytest.fixture(autouse=True)
def no_session() -> Iterator[None]:
    """Begin and end without a session."""
    shared.cache_clear()
    yield
    shared.cache_clear()


BLANK = [". . . ."] * 3
BOARDS = [sudoku(f"{a} {b} . .", *BLANK) for a in range(1, 5) for b in range(1, 5)]
"""Of these, those with two different numbers have 24 answers, the others none."""


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


def test_one_grounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a few boards of a shape, no other of it is grounded."""
    grounded = groundings(monkeypatch)
    numbers = [(answers(board), len(grounded))[1] for board in BOARDS]
    assert numbers[0] == 1
    assert numbers[-1] == numbers[3] == 3


def test_the_same_answers() -> None:
    """A board of a session has the answers that it has alone, whatever came before."""
    alone = [answers(board, Settings(seed=1)) for board in BOARDS]  # with a seed, each board is searched for itself
    assert [answers(board) for board in BOARDS] == alone
    assert [len(found) for found, _, _ in alone] == [24 if a != b else 0 for a in range(4) for b in range(4)]


@pytest.mark.parametrize("limit", [1, 2, 3, 24, 25])
def test_limits(limit: int) -> None:
    """As many answers come as are asked for, and it is known whether there are more."""
    for board in BOARDS[:6]:
        found, complete, status = answers(board, limit=limit)
        many = 24 if board is not BOARDS[0] and board is not BOARDS[5] else 0
        assert len(found) == min(limit, many)
        assert complete == (limit > many)
        assert status == ("satisfiable" if many else "unsatisfiable")


@given(strategies.strimko_boards() | strategies.tectonic_boards())
@examples(12)
def test_random(drawn: strategies.NumberBoard) -> None:
    """The third time that a board comes, its answers are those of the first time."""
    board = one(drawn.text)
    first = answers(board)
    assert [answers(board) for _ in range(3)] == [first] * 3


def test_at_work() -> None:
    """While answers of a board are still coming, or are not asked for any more, others of its shape are answered."""
    streams = [solutions(board) for board in BOARDS[1:5]]
    firsts = [next(stream) for stream in streams]
    rest = [frozenset([first, *stream]) for first, stream in zip(firsts, streams, strict=True)]
    assert [len(found) for found in rest] == [24] * 4
    assert rest == [answers(board)[0] for board in BOARDS[1:5]]
    for board in BOARDS[1:5]:
        next(solutions(board))
    assert all(len(answers(board)[0]) == 24 for board in BOARDS[1:5])


def test_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards of several shapes in turn each have their own session."""
    other = sudoku("1 . . . . .", *[". . . . . ."] * 5)
    tectonic = load("tectonic/seed")[0]
    expected = [answers(board, Settings(seed=1), 3)[1:] for board in (BOARDS[1], other, tectonic)]
    grounded = groundings(monkeypatch)
    for _ in range(5):
        assert [answers(board, limit=3)[1:] for board in (BOARDS[1], other, tectonic)] == expected
    assert len(grounded) == 3 * 3


def test_rules_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A board with user rules is grounded by itself, because they may use the clues in any way."""
    extra = tmp_path / "extra.lp"
    extra.write_text("violated(corner) :- not value(1, 1, 1). violated(few) :- not given(1, 1, 1).\n")
    grounded = groundings(monkeypatch)
    numbers = [len(answers(board, Settings(extra=(extra,)))[0]) for board in BOARDS]
    assert numbers == [0, 24, 24, 24] + [0] * 12
    assert len(grounded) == len(BOARDS)


def test_other_questions() -> None:
    """Whether a puzzle has one answer, and how many it has, is asked of a session too."""
    for board in BOARDS[1:5]:
        verdict = check(board)
        assert (verdict.status, verdict.decided) == ("several", 2)
        assert count(board).number == 24
    assert check(BOARDS[0]).status == "none"


def test_merged_in_between() -> None:
    """What holds in all answers of one board, or in some, is no answer of the next."""
    for board in BOARDS[1:5]:
        assert len(answers(board)[0]) == 24
        assert decided(board) is not None
        assert len(answers(board, limit=2)[0]) == 2
        assert possible(board) is not None
        assert len(answers(board, limit=2)[0]) == 2


def test_time() -> None:
    """Time that has run out for one board is there again for the next."""
    for board in BOARDS[1:5]:
        answers(board)
    late = solutions(BOARDS[1], 0, Settings(timeout=0))
    assert list(late) == []
    assert (late.status, late.complete) == ("unknown", False)
    assert len(answers(BOARDS[1])[0]) == 24
