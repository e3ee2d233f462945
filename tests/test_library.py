"""What the package offers to those who import it: types, names, boards from data, answers that travel."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import pyasp_puzzles
from pyasp_puzzles import (
    Answer,
    Count,
    PuzzleError,
    Record,
    Settings,
    batch,
    check,
    count,
    decided,
    explain,
    grade,
    hint,
    iload,
    load,
    loads,
    possible,
    resolve,
    solutions,
    solve,
)
from pyasp_puzzles.encoding import instances_directory

from .command import pyasp
from .test_readme import blocks

if TYPE_CHECKING:
    from collections.abc import Callable

FOUR = 'puzzle = "sudoku"\ngivens = """\n1 . . .\n. . 2 .\n. . . .\n. 3 . .\n"""\n'


def answer_of(name: str) -> Answer:
    """Return an answer of the first board of an instance."""
    answer = solve(load(name)[0])
    assert answer is not None
    return answer


# -- Types ---------------------------------------------------------------------------------------


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_readme_is_typed(tmp_path: Path) -> None:
    """The README's Python passes `mypy --strict` as it stands."""
    for i, block in enumerate(blocks("python")):
        (tmp_path / f"block_{i}.py").write_text(block, encoding="utf-8")
    files = sorted(path.name for path in tmp_path.glob("*.py"))
    assert files
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), *files]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert (done.returncode, done.stdout.splitlines()[:-1]) == (0, [])


def test_answers_have_the_data_of_their_kind() -> None:
    """An answer has what its kind is about; to ask for another kind's data is an error that names what there is."""
    assert answer_of("tectonic/seed").values[1, 1] in range(1, 9)
    assert answer_of("strips/final").strips[0].cells[0] == (1, 1)
    assert len(answer_of("strata/seed").order) == 6
    left = possible(loads(FOUR)[0])
    assert left is not None
    assert left.candidates[1, 1] == (1,)
    with pytest.raises(AttributeError, match="this answer is Numbers and has no 'strips', expected 'values'"):
        _ = answer_of("tectonic/seed").strips
    with pytest.raises(AttributeError, match="this answer is Strips and has no 'values', expected 'strips'"):
        _ = answer_of("strips/final").values
    assert isinstance(answer_of("tectonic/seed"), Answer)
    assert not hasattr(answer_of("tectonic/seed"), "order")


def test_count_is_a_number() -> None:
    """A count is an `int` in all that Python does with one, and prints as what is known."""
    [board] = loads(FOUR)
    found, least = count(board), count(board, 1)
    assert (found, found.number, found.exact, str(found), f"{found}") == (3, 3, True, "3", "3")
    assert (least, least.exact, str(least), f"{least}") == (1, False, "at least 1", "at least 1")
    assert found + 1 == 4
    assert sorted([found, 1, 2]) == [1, 2, 3]
    assert hash(found) == hash(3)
    assert found > least
    assert range(5)[found] == 3
    assert json.dumps([found, least]) == "[3, 1]"
    again = pickle.loads(pickle.dumps(least))  # noqa: S301 (it is ours)
    assert (again, again.exact, type(again)) == (1, False, Count)
    assert not Count(0)


def test_records_are_what_they_say() -> None:
    """A record has the keys of its type, and `error` only where something went wrong."""
    [record] = batch(loads(FOUR))
    assert set(record) == set(Record.__annotations__) - {"error"}
    assert len(record["solutions"]) == 2


# -- Names ---------------------------------------------------------------------------------------


def test_dir_lists_the_names(tmp_path: Path) -> None:
    """`dir` shows all public names before any is imported, each is there, and none is left out."""
    code = "import pyasp_puzzles as p; d = dir(p); print(*d); print(all(hasattr(p, name) for name in d))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    names, there = done.stdout.splitlines()
    assert names.split() == sorted([*pyasp_puzzles.__all__, "__version__"])
    assert there == "True"
    assert pyasp_puzzles.__all__ == sorted(pyasp_puzzles.__all__)


def test_version(tmp_path: Path) -> None:
    """The version is that of the package that is installed, in Python and on the command line."""
    assert pyasp_puzzles.__version__ == version("pyasp-puzzles")
    done = pyasp("--version", where=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"pyasp {version('pyasp-puzzles')}\n", "")
    assert "--version" in pyasp("--help", where=tmp_path).stdout


# -- Boards that are read ------------------------------------------------------------------------


def test_load_and_loads_agree(tmp_path: Path) -> None:
    """`load` and `loads` return lists of the same boards, and `iload` yields these."""
    text = FOUR + "\n" + "[[board]]\n" * 3
    (tmp_path / "four.toml").write_text(text, encoding="utf-8")
    read, given = load(tmp_path / "four.toml"), loads(text)
    assert type(read) is type(given) is list
    assert [set(board.facts) for board in read] == [set(board.facts) for board in given]
    assert [board.board for board in iload(tmp_path / "four.toml")] == [1, 2, 3]


def test_iload_streams(tmp_path: Path) -> None:
    """`iload` reads no more of a list than is asked for, while `load` finds what is wrong further down."""
    (tmp_path / "list.txt").write_text("1...............\nno board\n", encoding="utf-8")
    boards = iload(tmp_path / "list.txt", lines="sudoku")
    assert count(next(boards)) == 72
    with pytest.raises(PuzzleError, match=r"list\.txt:2"):
        next(boards)
    with pytest.raises(PuzzleError, match=r"list\.txt:2"):
        load(tmp_path / "list.txt", lines="sudoku")


ABOUT_A_BOARD: dict[str, Callable[..., Any]] = {
    "solve": solve,
    "solutions": lambda *given: list(solutions(*given)),
    "count": count,
    "check": check,
    "decided": decided,
    "possible": possible,
    "explain": lambda *given: list(explain(*given)),
    "hint": hint,
    "grade": grade,
    "resolve": resolve,
}


@pytest.mark.parametrize("function", ABOUT_A_BOARD.values(), ids=ABOUT_A_BOARD)
def test_names_are_boards(function: Callable[..., Any], tmp_path: Path) -> None:
    """A function that is about a board takes the board, its name, or its file, and says the same of it."""
    [board] = load("strimko/four")
    (tmp_path / "four.toml").write_text(
        (instances_directory() / "strimko" / "four.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    expected = function(board)
    for given in ("strimko/four", tmp_path / "four.toml", str(tmp_path / "four.toml")):
        assert function(given) == expected
    with pytest.raises(PuzzleError, match="strips/hunt: there are several boards, expected one"):
        function("strips/hunt")
    with pytest.raises(PuzzleError, match="strimko/fuor: there is no such file"):
        function("strimko/fuor")


def test_settings_name_puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of a puzzle of one's own is read with the folders that the settings name."""
    monkeypatch.chdir(tmp_path)
    pyasp("new", "evens", where=tmp_path)
    with pytest.raises(PuzzleError, match="unknown puzzle 'evens'"):
        solve("evens/first.toml")
    assert solve("evens/first.toml", Settings(puzzles=[Path("evens")])) is not None
