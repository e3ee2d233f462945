"""The fuzz of `tests/fuzz.py` runs, and finds nothing in a few seconds; a night finds more."""

from pathlib import Path
from time import monotonic

import pytest

from . import fuzz
from .command import printed, pyasp


@pytest.mark.slow  # each case has its time
def test_fuzz() -> None:
    """Whatever readers and commands are given: an answer or a message, in time and in little memory."""
    number, codes, failures = fuzz.fuzz(seconds=3, seed=1, least=25)
    assert failures == []
    assert number >= 25
    assert {0, 2} <= set(codes)


def test_cases_come_again() -> None:
    """The same seed and number give the same case, so that what fails can be run again."""
    cases, again = ([fuzz.case(7, number, corpus) for number in range(50)] for corpus in (fuzz.Corpus(), fuzz.Corpus()))
    assert cases == again
    assert len({case.arguments[0] for case in cases}) > 5


# -- What the fuzz has found -----------------------------------------------------------------


def test_optional_colors_that_are_absent(tmp_path: Path) -> None:
    """A user's puzzle with marks in some cells accepts a board without any."""
    folder = tmp_path / "mine"
    pyasp("new", "mine", where=tmp_path)
    (folder / "first.toml").write_text('puzzle = "mine"\ngivens = """\n1 .\n. .\n"""\n', encoding="utf-8")
    assert printed("count", "mine/first.toml", "--puzzles", "mine", where=tmp_path) == "1\n"


def test_rules_that_show_nothing(tmp_path: Path) -> None:
    """If user rules lay no ribbons, a finished picture is an error, not a traceback."""
    (tmp_path / "nothing.lp").write_text("% no rules\n", encoding="utf-8")
    done = pyasp("solve", "strata/seed", "--encoding", "nothing.lp", "--distinct", "looks", where=tmp_path)
    assert done.returncode == 2
    assert "pyasp: an answer set has no one look for row 1, column 1" in done.stderr


@pytest.mark.slow
def test_grade_within_its_time(tmp_path: Path) -> None:
    """The resolution of a grade has the time that the explanation leaves, not as much again."""
    started = monotonic()
    done = pyasp("grade", "sudoku/large", "--timeout", "2", where=tmp_path)
    assert done.returncode in {0, 3}
    assert monotonic() - started < 5
