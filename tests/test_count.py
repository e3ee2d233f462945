"""`count` gives the exact number of answers, or a lower bound where a limit stops it."""

from itertools import product
from pathlib import Path
from typing import Any, NoReturn

import pytest
from clingo.solving import Model
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import Settings, count, solutions

from . import strategies
from .command import objects, printed, pyasp
from .helpers import one, write
from .plain import exact_count
from .strategies import NumberBoard, StrataBoard, StripsBoard, examples, grid, rectangle, toml


def latin(n: int) -> str:
    """Return the n x n Strimko with its rows as streams: its answers are the latin squares."""
    return toml(puzzle='"strimko"', streams=grid({(r, c): r for r, c in rectangle(n, n)}, rectangle(n, n), n, n))


def blank_sudoku(n: int) -> str:
    """Return a Sudoku without givens."""
    return toml(puzzle='"sudoku"', givens=grid({}, rectangle(n, n), n, n))


KNOWN = [
    # Latin squares of order n: https://oeis.org/A002860
    *((latin(n), number) for n, number in enumerate([1, 2, 12, 576], 1)),
    # Sudoku grids of 4x4: https://oeis.org/A107739
    (blank_sudoku(4), 288),
    # Four blocks, each a row of its own, so far apart that they do not touch: (1!)(2!)(3!)(4!)
    ('puzzle = "tectonic"\nblocks = """\nA # # #\n# # # #\nB B # #\n# # # #\nC C C #\n# # # #\nD D D D\n"""\n', 288),
    # n cells in a row, cut anywhere into as many colours as pieces: compositions of n with parts of at most 3, of
    # which no two may be alike, and here none are: https://oeis.org/A000073
    ('puzzle = "strips"\ntiles = "abcdefgh"\n', 81),
]


@pytest.mark.parametrize(("text", "number"), KNOWN, ids=[str(number) for _, number in KNOWN])
def test_known_counts(text: str, number: int) -> None:
    """Boards with a published number of answers have exactly that many."""
    assert exact_count(count(one(text))) == (number, True)


@examples(20)
@given(
    strategies.tectonic_boards() | strategies.strips_boards() | strategies.strata_boards(),
    st.integers(1, 6),
    st.sampled_from([1, 2]),
)
def test_limit(board: NumberBoard | StripsBoard | StrataBoard, limit: int, threads: int) -> None:
    """With a limit, the count is exact below it, and from there on never more than what is true."""
    instance = one(board.text)
    total = len(list(solutions(instance)))
    found = count(instance, limit, Settings(threads=threads))
    assert found.number == min(total, limit)
    assert not found.exact or total <= limit
    assert found.exact or total >= limit
    assert str(found) == (f"{total}" if found.exact else f"at least {limit}")


def test_nothing_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting makes no answers: neither are atoms taken from clingo, nor is a decoder called."""

    def never(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError

    instance = one(blank_sudoku(4))
    with monkeypatch.context() as patched:
        patched.setattr(Model, "symbols", never)
        patched.setattr(type(instance.puzzle.kind), "decoder", lambda *_: never)
        assert exact_count(count(instance)) == (288, True)
        assert exact_count(count(instance, 100)) == (100, False)


def test_command(tmp_path: Path) -> None:
    """`count` prints a number a board, with the board's name where a file has several; `--json` an object a line."""
    boards = "".join(f"[[board]]\ntitle = \"{i}\"\ntiles = '{tiles}'\n" for i, tiles in enumerate(["wb", "ww", "w"], 1))
    write(tmp_path, {"many.toml": 'puzzle = "strips"\n' + boards, "four.toml": blank_sudoku(4)})
    write(tmp_path, {"none.toml": "puzzle = 'strata'\ntiles = '''\na b\nb a\n'''\n"})  # 0 is a count like another
    assert printed("count", "none.toml", where=tmp_path) == "0\n"
    shown = printed("count", "four.toml", "many.toml", where=tmp_path)
    assert [line.split()[0] for line in shown.splitlines()] == ["288", "2", "1", "1"]
    assert [f"many.toml, board {i}" in shown.splitlines()[i] for i in (1, 2, 3)] == [True] * 3
    done = pyasp("count", "--json", "many.toml", "four.toml", "--limit", "2", where=tmp_path)
    counts = objects(done.stdout)
    assert all(set(board) >= {"puzzle", "source", "board", "title", "count", "exact"} for board in counts)
    assert [(board["source"], board["board"]) for board in counts] == [
        *product(["many.toml"], (1, 2, 3)),
        ("four.toml", 1),
    ]
    assert [board["count"] for board in counts] == [2, 1, 1, 2]
    assert [board["exact"] for board in counts[1:]] == [True, True, False]
    done = pyasp("count", "four.toml", "--limit", "5", where=tmp_path)
    assert (done.returncode, done.stdout) == (0, "at least 5\n")
