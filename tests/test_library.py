"""What the package offers to those who import it: types, names, boards from data, answers that travel."""

from __future__ import annotations

import copy
import json
import multiprocessing
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from clingo import parse_term

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
from pyasp_puzzles.render.style import Style

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


# -- What goes to other processes ----------------------------------------------------------------


def again(thing: Any) -> Any:
    """Return what comes out of a pickle of it."""
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 (it is ours)


@pytest.mark.parametrize(
    "text", ["a(1,-2)", "-b(x)", '"a\\n\\"b\\""', "(1,)", "()", "#inf", "#sup", "f((1,g(2)))", "-3"]
)
def test_symbols_pickle(text: str) -> None:
    """A symbol pickles as what it says, not as where it is."""
    symbol = parse_term(text)
    assert again(symbol) == copy.deepcopy(symbol) == symbol
    assert text.encode() in pickle.dumps(symbol)


@pytest.mark.parametrize("name", ["tectonic/seed", "strips/final", "strata/seed", "sudoku/jigsaw", "strimko/four"])
def test_boards_answers_and_steps_pickle(name: str) -> None:
    """Instances, answers, verdicts and steps come back equal from a pickle, with their text and pictures."""
    [board] = load(name)
    assert again(board) == board
    assert again(board).extras == board.extras
    assert list(again(board).facts) == list(board.facts)
    answers: list[Any] = [solve(board), decided(board), possible(board), *solutions(board, 1, distinct=None)]
    if name == "strata/seed":
        answers += solutions(board, 2, distinct="looks")
        answers += solutions(board, 2, distinct="plays")
    for answer in answers:
        for style in (Style(), Style(color=True)):
            assert again(answer) == answer
            assert again(answer).text(style) == answer.text(style)
    assert again(check(board)) == check(board)
    assert again(grade(board)) == grade(board)
    for step in explain(board):
        twin = again(again(step))
        assert twin == step
        assert twin.json() == step.json()
        for style in (Style(), Style(color=True)):
            assert (twin.text(style), twin.picture(style)) == (step.text(style), step.picture(style))


def test_kinds_of_ones_own_pickle(tmp_path: Path) -> None:
    """Answers that shade cells or cut a board into pieces pickle as well, and so do their steps."""
    for kind in ("shading", "pieces"):
        pyasp("new", kind, "--answer", kind, where=tmp_path)
        how = Settings(puzzles=[tmp_path / kind])
        [board] = load(tmp_path / kind / "first.toml", puzzles=how.puzzles)
        assert again(board) == board
        for thing in (solve(board), decided(board), possible(board), *explain(board)):
            assert again(thing) == thing
            assert str(again(thing)) == str(thing)


def test_boards_that_differ_are_not_equal() -> None:
    """Boards are equal if their facts and what is known about them are, wherever these were read."""
    [one], [same] = loads(FOUR), loads(FOUR, "elsewhere")
    [other] = loads(FOUR.replace("3", "4"))
    assert one == same
    assert one != other
    assert len({one, same, other}) == 2
    assert one != again(other)
    [line] = loads("1.....2..3......", lines="sudoku")
    assert again(line) == line


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_executors_map_functions_over_boards(method: str) -> None:
    """`ProcessPoolExecutor(...).map(hint, boards)` gives the hints, however its processes begin."""
    boards = [*load("tectonic/seed"), *load("strimko/four"), *loads("1.....2..3......", lines="sudoku")]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as executor:
        found = list(executor.map(hint, boards))
        assert found == list(map(hint, boards))
        assert list(map(str, found)) == [str(hint(board)) for board in boards]
        assert list(executor.map(solve, boards)) == list(map(solve, boards))


# -- What is shown of things ---------------------------------------------------------------------

SHOWN = [
    ("tectonic/seed", "<Instance tectonic 'The first Tectonic' 11x5, 8 givens>", "<Numbers 11x5>"),
    ("strata/seed", "<Instance strata 'The first Strata' 3x3>", "<Ribbons 3x3>"),
    ("strips/final", "<Instance strips 'One more grid' 5x5>", "<Strips 5x5>"),
]


@pytest.mark.parametrize(("name", "instance", "answer"), SHOWN, ids=[name for name, *_ in SHOWN])
def test_repr(name: str, instance: str, answer: str) -> None:
    """Instances and answers are shown in a line; they print as their picture."""
    [board] = load(name)
    found = solve(board)
    assert (repr(board), repr(found)) == (instance, answer)
    assert str(found) == answer_of(name).text(Style())
    assert len(str(board).splitlines()) > 5


def test_repr_of_parts() -> None:
    """It is shown which board of a file it is, and how much is known of an answer in part."""
    assert repr(load("strips/hunt")[2]) == "<Instance strips 'Black and White' board 3 of 25 5x5>"
    assert repr(decided(loads(FOUR.replace("3", "."))[0])) == "<Numbers 4x4, 4 of 16 cells known>"
    assert repr(loads(FOUR)[0]) == "<Instance sudoku 4x4, 3 givens>"
    assert str(loads(FOUR)[0]).splitlines()[1] == "│(1)  . │ .   . │"
    assert repr(possible(loads(FOUR)[0])).startswith("<Candidates 4x4, ")
