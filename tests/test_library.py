"""What the package offers to those who import it: types, names, boards from data, answers that travel."""

import array
import ast
import copy
import itertools
import json
import multiprocessing
import pickle
import re
import sys
import tomllib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from clingo import parse_term

import pyasp_puzzles
from pyasp_puzzles import (
    Answer,
    Count,
    Instance,
    PuzzleError,
    Record,
    Settings,
    Workers,
    batch,
    board,
    check,
    count,
    decided,
    dumps,
    explain,
    generate,
    grade,
    hint,
    iload,
    load,
    loads,
    possible,
    resolve,
    review,
    solutions,
    solve,
)

from .command import printed, process, pyasp
from .documents import WRITTEN, blocks
from .helpers import COLORED, INSTANCES, PLAIN, SHIPPED, again, mine, not_none, one, only, write

# A Sudoku with three answers.
FOUR = 'puzzle = "sudoku"\ngivens = """\n1 . . .\n. . 2 .\n. . . .\n. 3 . .\n"""\n'


# -- Types ---------------------------------------------------------------------------------------


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
@pytest.mark.slow
def test_readme_is_typed(tmp_path: Path) -> None:
    """The Python of the README and of the documents passes `mypy --strict`."""
    programs = [block for document in WRITTEN for block in blocks("python", document)]
    for i, block in enumerate(programs):
        (tmp_path / f"block_{i}.py").write_text(block, encoding="utf-8")
    files = sorted(path.name for path in tmp_path.glob("*.py"))
    assert files
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), *files]
    done = process(command, tmp_path, timeout=300)
    assert (done.returncode, done.stdout.splitlines()[:-1]) == (0, [])


def test_answers_have_the_data_of_their_kind() -> None:
    """An answer has what its kind is about; to ask for another kind's data is an error that names what there is."""
    numbers, strips = not_none(solve("tectonic/seed")), not_none(solve("strips/final"))
    assert isinstance(numbers, Answer)
    assert numbers.values[1, 1] in range(1, 9)
    assert strips.strips[0].cells[0] == (1, 1)
    assert len(not_none(solve("strata/seed")).order) == 6
    assert not_none(possible(one(FOUR))).candidates[1, 1] == (1,)
    with pytest.raises(AttributeError, match="this answer is Numbers and has no 'strips', expected 'values'"):
        _ = numbers.strips
    with pytest.raises(AttributeError, match="this answer is Strips and has no 'values', expected 'strips'"):
        _ = strips.values
    assert not hasattr(numbers, "order")


def test_count_is_a_number() -> None:
    """A count is an `int` in all that Python does with one, and prints as what is known."""
    board = one(FOUR)
    found, least = count(board), count(board, 1)
    assert (found, found.number, found.exact, str(found), f"{found}") == (3, 3, True, "3", "3")
    assert (least, least.exact, str(least), f"{least}") == (1, False, "at least 1", "at least 1")
    assert found + 1 == 4
    assert sorted([found, 1, 2]) == [1, 2, 3]
    assert hash(found) == hash(3)
    assert found > least
    assert range(5)[found] == 3
    assert json.dumps([found, least]) == "[3, 1]"
    assert (again(least), again(least).exact, type(again(least))) == (1, False, Count)
    assert not Count(0)


def test_records_are_what_they_say() -> None:
    """A record has the keys of its type, and `error` only where something went wrong."""
    [record] = batch([one(FOUR)])
    assert set(record) == set(Record.__annotations__) - {"error"}


def test_dir_lists_the_names(tmp_path: Path) -> None:
    """`dir` shows all public names before any is imported, each is there, and none is left out."""
    code = "import pyasp_puzzles as p; d = dir(p); print(*d); print(all(hasattr(p, name) for name in d))"
    done = process([sys.executable, "-c", code], tmp_path)
    names, there = done.stdout.splitlines()
    assert names.split() == sorted([*pyasp_puzzles.__all__, "__version__"])
    assert there == "True"
    assert pyasp_puzzles.__all__ == sorted(pyasp_puzzles.__all__)


def test_the_version_is_the_installed_one(tmp_path: Path) -> None:
    """The version is that of the package that is installed, in Python and on the command line."""
    assert pyasp_puzzles.__version__ == version("pyasp-puzzles")
    assert printed("--version", where=tmp_path) == f"pyasp {version('pyasp-puzzles')}\n"
    assert "--version" in pyasp("--help", where=tmp_path).stdout


# -- Boards that are read ------------------------------------------------------------------------


def test_load_and_loads_agree(tmp_path: Path) -> None:
    """`load` and `loads` return lists of the same boards, and `iload` yields these."""
    text = FOUR + "\n" + "[[board]]\n" * 3
    write(tmp_path, {"four.toml": text})
    read, given = load(tmp_path / "four.toml"), loads(text)
    assert type(read) is type(given) is list
    assert read == given
    assert [board.number for board in iload(tmp_path / "four.toml")] == [1, 2, 3]


def test_iload_reads_no_more_than_is_asked_for(tmp_path: Path) -> None:
    """`iload` reads no more of a list than is asked for, while `load` finds what is wrong further down."""
    file = mine(tmp_path, "1...............\nno board\n", "list.txt")
    boards = iload(file, format="sudoku")
    assert count(next(boards)) == 72
    with pytest.raises(PuzzleError, match=r"list\.txt:2"):
        next(boards)
    with pytest.raises(PuzzleError, match=r"list\.txt:2"):
        load(file, format="sudoku")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "name", ["solve", "solutions", "count", "check", "decided", "possible", "explain", "hint", "grade", "resolve"]
)
def test_functions_take_a_board_or_its_name(name: str) -> None:
    """A function that is about a board takes the board, its name, or its file, and says the same of it."""
    function, file = getattr(pyasp_puzzles, name), INSTANCES / "strimko" / "four.toml"
    found = [function(given) for given in (only("strimko/four"), "strimko/four", file, str(file))]
    expected, *others = [list(one) if name in {"solutions", "explain"} else one for one in found]
    assert others == [expected] * 3
    with pytest.raises(PuzzleError, match="strips/hunt: there are several boards; `load`"):
        list(function("strips/hunt"))
    with pytest.raises(PuzzleError, match="strimko/fuor: there is no such file"):
        list(function("strimko/fuor"))


def test_settings_name_folders_of_puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of a user's puzzle is read with the folders that the settings name."""
    monkeypatch.chdir(tmp_path)
    pyasp("new", "evens", where=tmp_path)
    with pytest.raises(PuzzleError, match="unknown puzzle 'evens'"):
        solve("evens/first.toml")
    assert solve("evens/first.toml", Settings(puzzles=[Path("evens")])) is not None


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda how: review("tectonic/seed", how), "review() is an answer"),
        (lambda how: count("tectonic/seed", how), "count() is a limit"),
        (lambda how: solutions("tectonic/seed", how), "solutions() is a limit"),
        (lambda how: hint("tectonic/seed", how), "hint() is an answer"),
        (lambda how: explain("tectonic/seed", how), "explain() is an answer"),
        (lambda how: resolve("tectonic/seed", how), "resolve() is guesses"),
        (lambda how: batch([], how), "batch() is a limit"),
    ],
)
def test_misplaced_settings_are_refused(call: Callable[[Any], object], expected: str) -> None:
    """Settings as a second argument that is something else are refused, and the error says how to write them."""
    words = f"the second argument of {expected}; write settings=... to pass settings"
    with pytest.raises(TypeError, match=f"^{re.escape(words)}$"):
        call(Settings(timeout=5))


@pytest.mark.slow
def test_inside_functions_take_boards() -> None:
    """Only public functions look for the file of a board: what they call inside takes boards."""
    rooms = [Path(pyasp_puzzles.__path__[0], room) for room in ("queries", "explanation", "generation")]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for room in rooms for path in room.glob("*.py")]
    looking = [
        node.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and "load_only_board" in {ast.unparse(name) for name in ast.walk(node)}
    ]
    assert sorted(looking) == sorted({*QUESTIONS, "generate"} - {"solve"})  # which asks `solutions`


@pytest.mark.parametrize("function", [check, count, explain, grade, hint, review, solve])
def test_public_functions_travel(function: Callable[..., object]) -> None:
    """A function that takes names can be pickled, for another process, and says that names will do."""
    assert pickle.loads(pickle.dumps(function)) is function  # noqa: S301 (made here)
    assert "name or the path of a file" in str(function.__doc__)
    assert next(iter(signature(function).parameters)) == "instance"


# The functions that ask about one board, and the other public functions.
QUESTIONS = "solve solutions count decided possible check review explain hint grade resolve minimize".split()
OTHERS = "generate load loads iload board batch Workers".split()
# Values of wrong types, for any argument of that name.
WRONG_TYPES: dict[str, list[object]] = {
    "settings": [None, {}, {"timeout": 1}, 5, "x", []],
    "limit": [None, "2", 1.5, True, []],
    "distinct": [1, [], b"looks"],
    "answer": [None, "1234", 1, {(1, 1): 1}, []],
    "so_far": ["1234", 1, {(1, 1): 1}, []],
    "guesses": [1, None, [1], [(1, 2)], [(1, 2, "3")], "123", [(1, 2, None)]],
    "words": ["no", 1, None],
    "resolution": ["no", None],
    "search": ["no", 1, None],
    "remedy": ["no", None],
    "puzzle": [None, 1, b"sudoku", []],
    "number": [None, "3", 1.5, True],
    "size": ["4", (4, "4"), 4.0, True, {}],
    "grade": [1, ["easy"]],
    "seed": ["1", 1.5, True],
    "symmetric": ["yes", 1, None],
    "fewest": ["yes", 1, None],
    "like": [1, [], {}],
    "layout": [1, ["new"]],
    "clues": ["20", 1.5, True],
    "givens": ["4", 1.5, True, (1, "4")],
    "use": ["thermometers", ["thermometers"], {"thermometers": "4"}],
    "cells": ["3..5", (3, "5")],
    "cover": ["yes", None],
    "sides": ["top", 1],
    "lines": [1, None],
    "all_dots": ["yes", None],
    "numbers": ["1234", [1]],
    "peels": ["2", 1.5],
    "colors": ["2", 1.5],
    "longest": ["2", 1.5],
    "largest": ["2", 1.5],
    "name": [None, 1, b"tectonic/seed", []],
    "text": [None, 1, b"1...", Path("x")],
    "source": [None, 1],
    "format": [1, ["sudoku"]],
    "puzzles": [1, None, [1], b"x"],
    "report": [1, "print"],
    "shows": [1, "strata", ("strata", (6, 6), 4)],
    "boards": [None, 1, "sudoku/easy", {}],
    "executor": [4, "dask"],
}


def calls(name: str, function: Callable[..., object]) -> dict[str, Callable[..., object]]:
    """Return, for each argument of a public function, the call of it with that argument."""
    needed: dict[str, object] = {
        "instance": only("sudoku/six"),
        "answer": solve("sudoku/six"),
        "puzzle": "sudoku",
        "name": "tectonic/seed",
        "text": FOUR,
        "boards": [one(FOUR)],
    }
    given = {key: value for key, value in needed.items() if key in signature(function).parameters}

    def call(argument: str) -> Callable[..., object]:
        if name == "board":
            return lambda value: board(value) if argument == "puzzle" else board("sudoku", size=[4, 4], puzzles=value)
        return lambda value: function(**{**given, argument: value})

    return {argument: call(argument) for argument in signature(function).parameters if argument != "keys"}


@pytest.mark.parametrize("name", [*QUESTIONS, *OTHERS])
def test_wrong_types_are_refused_at_once(name: str) -> None:
    """Every argument of every public function refuses wrong types at once, and says what to pass."""
    function = getattr(pyasp_puzzles, name)
    for argument, call in calls(name, function).items():
        for value in [None, 1, [only("sudoku/six")], {}] if argument == "instance" else WRONG_TYPES[argument]:
            if value is None and argument == "number" and name == "Workers":
                continue
            with pytest.raises(TypeError, match=r"; (pass|write) [^\n]+$|is no guess; pass [^\n]+$"):
                call(value)


def test_wrong_types_are_refused_by_methods() -> None:
    """Methods of boards refuse wrong types, too; so do the members of what `batch` takes."""
    four = one(FOUR)
    wrong: list[Callable[[], object]] = [
        lambda: dumps(four, 1),  # type: ignore[arg-type]
        lambda: dumps(four, "toml", report=1),  # type: ignore[arg-type]
        lambda: four.with_clues([1]),  # type: ignore[arg-type]
        lambda: list(batch(["sudoku/easy"])),  # type: ignore[list-item]
        lambda: list(batch([four, None])),  # type: ignore[list-item]
    ]
    for call in wrong:
        with pytest.raises(TypeError, match="; pass "):
            call()


def test_values_that_make_no_sense_are_refused() -> None:
    """A number out of range, or an answer to another board, is a `ValueError` that says what to pass."""
    four, strips = one(FOUR), not_none(solve("strips/final"))
    wrong: list[Callable[[], object]] = [
        *(lambda ask=ask: ask(four, -1) for ask in (solutions, count)),
        lambda: batch([four], -1),
        lambda: generate("sudoku", -1),
        *(lambda size=size: generate("sudoku", size=size) for size in (0, -4, (4, 0), (4,), (4, 4, 4))),
        lambda: generate("sudoku", size=4, clues=-1),
        lambda: generate("sudoku", size=4, seed=-1),
        lambda: Workers(0),
        *(lambda ask=ask: ask(four, strips) for ask in (review, explain, hint)),
        *(lambda ask=ask: ask(four, solve("sudoku/six")) for ask in (review, explain, hint)),
        lambda: load("tectonic/seed", puzzles=""),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match="; pass "):
            call()


def test_one_path_or_several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever folders of puzzles are named, one path will do, as text or not."""
    monkeypatch.chdir(tmp_path)
    pyasp("new", "evens", where=tmp_path)
    file = tmp_path / "evens" / "first.toml"
    text, expected = file.read_text(encoding="utf-8"), load(file, puzzles=[Path("evens")])
    for folders in ("evens", Path("evens"), ["evens"], (Path("evens"),), str(tmp_path)):
        assert loads(text, puzzles=folders) == load(file, puzzles=folders) == list(iload(file, puzzles=folders))
        assert [one_.facts.equal(two.facts) for one_, two in zip(load(file, puzzles=folders), expected, strict=True)]
        assert board("evens", puzzles=folders, **tomllib.loads(text) | {"puzzle": None}).facts.equal(expected[0].facts)
        assert solve(file, Settings(puzzles=folders)) is not None


def test_an_empty_name_is_refused(tmp_path: Path) -> None:
    """An empty name does not mean the current directory."""
    write(tmp_path, {"four.toml": FOUR})
    for name in ("", " ", "\n"):
        with pytest.raises(PuzzleError, match="the name of the file is empty; pass "):
            load(name)
    for command in (
        ["solve", ""],
        ["count", " "],
        ["convert", "", "--to", "toml"],
        ["check", "four.toml", "--answer", ""],
    ):
        done = pyasp(*command, where=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert re.fullmatch(r"pyasp: the name of the file is empty; pass [^\n]*\n", done.stderr)


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
@pytest.mark.slow
def test_statuses_are_literal(tmp_path: Path) -> None:
    """A type checker finds a misspelt status, kind or word, and accepts those there are."""
    program = """
        from pyasp_puzzles import batch, check, explain, generate, grade, load, resolve, solutions
        name = "tectonic/seed"
        check(name).status == {0}"unique"
        solutions(name).status == {0}"satisfiable"
        next(explain(name)).kind == {0}"placement"
        next(explain(name)).status == {0}"several"
        grade(name).word == {0}"very hard"
        grade(name).status == {0}"solved"
        grade(name).resolution == {0}"unsolved"
        resolve(name).status == {0}"contradiction"
        next(batch(load(name)))["status"] == {0}"lost"
        generate("sudoku", grade={0}"easy", layout="new")
        """
    lines = [line.strip() for line in program.strip().splitlines()]
    write(tmp_path, {"right.py": "\n".join(line.replace("{0}", "") for line in lines)})
    write(tmp_path, {"wrong.py": "\n".join(line.replace('{0}"', '"x') for line in lines)})
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "right.py", "wrong.py"]
    done = process(command, tmp_path, timeout=300)
    found = re.findall(r"^(\w+)\.py:(\d+): error", done.stdout, re.MULTILINE)
    assert found == [("wrong", str(number)) for number in range(3, len(lines) + 1)]


# -- What goes to other processes ----------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["a(1,-2)", "-b(x)", '"a\\n\\"b\\""', "(1,)", "()", "#inf", "#sup", "f((1,g(2)))", "-3"]
)
def test_symbols_pickle_as_what_they_say(text: str) -> None:
    """A symbol pickles as what it says, not as where it is."""
    symbol = parse_term(text)
    assert again(symbol) == copy.deepcopy(symbol) == symbol
    assert text.encode() in pickle.dumps(symbol)


STYLES = (PLAIN, COLORED)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tectonic/three-clues", "strips/list", "strata/seed", "strimko/four"])
def test_boards_answers_and_steps_pickle(name: str) -> None:
    """Instances, answers, verdicts and steps come back equal from a pickle, with their text and pictures."""
    board = only(name)
    twin = again(board)
    assert (twin, twin.extras, list(twin.facts)) == (board, board.extras, list(board.facts))
    assert twin.facts.where == board.facts.where
    assert twin.puzzle is board.puzzle
    for found in (check(board), grade(board)):
        assert again(found) == found
    answers = [solve(board), decided(board), possible(board), *solutions(board, 1, distinct=None)]
    if name == "strata/seed":
        answers += [*solutions(board, 2, distinct="looks"), *solutions(board, 2, distinct="plays")]
    for answer in map(not_none, answers):
        assert again(answer) == answer
        assert [again(answer).text(style) for style in STYLES] == [answer.text(style) for style in STYLES]
    for step in explain(board):
        copied = again(again(step))
        assert (copied, copied.json()) == (step, step.json())
        for style in STYLES:
            assert (copied.text(style), copied.picture(style)) == (step.text(style), step.picture(style))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("kind", ["shading", "pieces", "lines", "areas"])
def test_kinds_of_ones_own_pickle(kind: str, tmp_path: Path) -> None:
    """Answers that shade cells, draw lines or cut a board up pickle as well, and so do their steps."""
    pyasp("new", kind, "--kind", kind, where=tmp_path)
    board = only(tmp_path / kind / "first.toml", puzzles=[tmp_path / kind])
    for thing in (board, solve(board), decided(board), possible(board), *explain(board)):
        assert again(thing) == thing
        assert str(again(thing)) == str(thing)


def test_boards_that_differ_are_not_equal() -> None:
    """Boards are equal if their facts and what is known about them are, wherever these were read."""
    first, same = one(FOUR), one(FOUR, "elsewhere")
    other = one(FOUR.replace("3", "4"))
    assert first == same
    assert first != other
    assert len({first, same, other}) == 2
    assert first != again(other)
    line = one("1.....2..3......", format="sudoku")
    assert again(line) == line


@pytest.mark.slow
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_executors_map_functions_over_boards(method: str) -> None:
    """`ProcessPoolExecutor(...).map(hint, boards)` gives the hints, however its processes begin."""
    boards = [*load("tectonic/seed"), *load("strimko/four"), *loads("123434122143....", format="sudoku")]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as executor:
        found = list(executor.map(hint, boards))
        assert found == list(map(hint, boards))
        assert list(map(str, found)) == [str(hint(board)) for board in boards]
        assert list(executor.map(solve, boards)) == list(map(solve, boards))


@pytest.mark.parametrize(
    ("instance", "answer", "shown"),
    [
        (only("tectonic/seed"), solve, ["<Instance tectonic 'The first Tectonic' 11x5, 11 givens>", "<Numbers 11x5>"]),
        (only("strata/seed"), solve, ["<Instance strata 'The first Strata' 3x3>", "<Ribbons 3x3>"]),
        (
            only("strata/seed"),
            lambda instance: next(solutions(instance, distinct="looks")),
            ["<Instance strata 'The first Strata' 3x3>", "<Picture 3x3>"],
        ),
        (only("strips/final"), solve, ["<Instance strips 'One more grid' 5x5>", "<Strips 5x5>"]),
        (load("strips/hunt")[2], solve, ["<Instance strips 'Black and White' board 3 of 25 5x5>", "<Strips 5x5>"]),
        (
            one(FOUR.replace("3", ".")),
            decided,
            ["<Instance sudoku 4x4, 2 givens>", "<Numbers 4x4, 4 of 16 cells known>"],
        ),
        (one(FOUR), possible, ["<Instance sudoku 4x4, 3 givens>", "<Candidates 4x4, 9 of 16 cells known>"]),
    ],
)
def test_repr_is_a_line_and_str_a_picture(
    instance: Instance, answer: Callable[[Instance], Answer], shown: list[str]
) -> None:
    """Instances and answers are shown in a line; they print as their picture."""
    found = answer(instance)
    assert [repr(instance), repr(found)] == shown
    assert str(found) == found.text(PLAIN)
    assert len(str(instance).splitlines()) > 5


# -- Boards from data ----------------------------------------------------------------------------

SUMMED = """
[answer]
kind = "numbers"
range = "1..rows"

[keys.cages]
kind = "regions"
fact = "cage(R, C, B)"

[keys.sums]
kind = "sums"
fact = "sum(B, N)"
of = "cages"
clue = true

[keys.edge]
kind = "outside"
fact = "edge(S, I, N)"
range = "0..9"
clue = true

[keys.less]
kind = "signs"
fact = "less(R, C, R1, C1, S)"
tokens = ["<", ">"]

[keys.limit]
kind = "number"
fact = "limit(N)"
default = 3
"""


def nested(value: object) -> object:
    """Return a value of a TOML file with its grids as nested tuples of tokens, and its numbers as numbers."""
    if not isinstance(value, str) or "\n" not in value:
        return value
    rows = [line.split() if " " in line.strip() else list(line.strip()) for line in value.split("\n") if line.strip()]
    return tuple(tuple(int(token) if token.isdigit() else token for token in row) for row in rows)


@pytest.mark.parametrize("name", [name for name in SHIPPED if (INSTANCES / f"{name}.toml").is_file()])
def test_shipped_boards_from_data(name: str) -> None:
    """Every board that ships, given as nested tuples, is the same board, with all that is known about it."""
    table = tomllib.loads((INSTANCES / f"{name}.toml").read_text(encoding="utf-8"))
    boards = table.pop("board", [{}])
    for instance, own in zip(load(name), boards, strict=True):
        said = {**table, **own}
        data: dict[str, Any] = {
            key: value if key in {"solution", "notes"} else nested(value) for key, value in said.items()
        }
        made = board(data.pop("puzzle"), **data)
        assert made.facts.equal(instance.facts)
        assert (made.extras, made.details, made.solution) == (instance.extras, instance.details, instance.solution)
        assert made.source == "<data>"


def test_any_rows_of_cells_are_a_grid() -> None:
    """Lists, tuples, strings, ranges, arrays and any other iterables are taken; None, 0 and "." are empty cells."""
    arrays = [array.array("b", row) for row in ([1, 0, 0, 0], [0, 0, 2, 0], [0] * 4, [0, 3, 0, 0])]
    mixed = [[1, None, ".", 0], (0, "0", 2, ""), "....", iter([0, 3, 0, 0])]
    for givens in (mixed, arrays, map(list, arrays), "1...\n..2.\n....\n.3.."):
        made = board("sudoku", givens=givens, regions=None, title="Mine")
        assert made.facts.equal(one(FOUR).facts)
        assert made.title == "Mine"
    outlined = one('puzzle = "tectonic"\nblocks = """\nAA\n#A\n"""')
    assert board("tectonic", blocks=[["A", "A"], ["#", "A"]]).facts.equal(outlined.facts)
    assert count(board("sudoku", givens=[[0] * 9] * 9), 2) == 2
    assert count(board("sudoku", givens=[[0] * 6] * 6, box=(2, 3)), 2) == 2
    single = board("tectonic", blocks=[[10]], solution=[[1]])
    assert solve(single) == single.solution


DEEP: list[Any] = []
for _ in range(sys.getrecursionlimit() * 20):
    DEEP = [DEEP]
EMPTY = [[0] * 4] * 4
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("sudoku", {}, "no key 'givens', expected a grid"),
    ("sudoku", {"given": [[1]]}, "is given a misspelling of it?"),
    ("sudoku", {"givens": EMPTY, "more": 1}, "unknown key 'more'; the keys are"),
    ("chess", {}, "unknown puzzle 'chess'"),
    ("sudoku", {"givens": 5}, "givens: '5' is not a grid, expected rows of cells"),
    ("sudoku", {"givens": {(1, 2): 3}}, "givens: '{(1, 2): 3}' is not a grid, expected rows of cells"),
    ("sudoku", {"givens": [1, 2]}, "givens: '1' is not a row, expected rows of cells"),
    ("sudoku", {"givens": []}, "givens: the grid is empty"),
    ("sudoku", {"givens": [[], []]}, "givens: row 1 is empty, expected cells"),
    ("sudoku", {"givens": [[1, 2], [1]]}, "givens: row 2 has 1 cell, expected 2 as in row 1"),
    ("sudoku", {"givens": EMPTY[:3]}, "it needs as many rows as columns"),
    ("sudoku", {"givens": [[7, 0, 0, 0], *EMPTY[:3]]}, "givens: row 1, column 1: given 7 is out of range"),
    ("sudoku", {"givens": [[10**5000]]}, "givens: a huge number is wrong here, expected a number or a word"),
    ("sudoku", {"givens": [[DEEP]]}, "givens: a huge value is wrong here"),
    ("sudoku", {"givens": [[1.5, 0, 0, 0], *EMPTY[:3]]}, "givens: row 1, column 1: '1.5' is not a number"),
    ("sudoku", {"givens": [["1 2", 0, 0, 0], *EMPTY[:3]]}, "givens: row 1, column 1: '1 2' has blanks"),
    ("sudoku", {"givens": [["\0", 0, 0, 0], *EMPTY[:3]]}, "givens: row 1 holds an unprintable"),
    ("sudoku", {"givens": itertools.repeat([1])}, "givens: the grid has more than 1000 rows"),
    ("sudoku", {"givens": [itertools.repeat(1)]}, "givens: row 1 has more than 1000 cells"),
    ("sudoku", {"givens": EMPTY, "box": (2, 3)}, "box: 2x3 is 6 cells, expected 4"),
    ("sudoku", {"givens": EMPTY, "box": object()}, "box: '<object object"),
    ("tectonic", {"blocks": [["A", None]]}, "blocks: row 1, column 2: '.' names no block"),
    ("strips", {"tiles": ["wb"], "longest": 2**100}, "longest: '12676506002282294014967032053"),
    ("strips", {"tiles": ["wb"], "longest": 0}, "longest is 0, expected 1 to"),
]


@pytest.mark.parametrize(("puzzle", "keys", "message"), WRONG, ids=[message[:30] for *_, message in WRONG])
def test_wrong_data_is_refused_with_its_key(puzzle: str, keys: dict[str, Any], message: str) -> None:
    """What is wrong in data is refused in one line, with the name of the key."""
    with pytest.raises(PuzzleError, match=rf"^<data>.*{re.escape(message)}"):
        board(puzzle, **keys)


def test_every_kind_of_key_from_data(tmp_path: Path) -> None:
    """Signs, labels outside the board, sums and numbers are given as the documents say, and may be arrays."""
    rules = "{ value(R, C, 1..2) } :- cage(R, C, _).\n"
    summed = write(tmp_path / "summed", {"puzzle.toml": SUMMED, "summed.lp": rules})
    text = (
        'puzzle = "summed"\nlimit = 2\nsums = { A = 3, B = 2 }\nedge = { top = "1 .", left = "0 2" }\n'
        'cages = """\nA B\nA B\n"""\nless = """\no < o\n. . >\no . o\n"""\n'
    )
    expected = one(text, puzzles=[summed])
    edge = {"top": [1, None], "left": array.array("b", [0, 2])}
    less = [["o", "<", "o"], [None, ".", ">"], ["o", "", "o"]]
    sums = {"A": 3, "B": 2}
    made = board("summed", puzzles=[summed], cages=["AB", "AB"], sums=sums, edge=edge, less=less, limit=2)
    assert made == expected._replace(facts=made.facts)
    assert made.facts.equal(expected.facts)
    changed = made.with_clues({"sums": {"A": 1}, "edge": {("left", 2): 5}})
    text = text.replace("A = 3, B = 2", "A = 1").replace('top = "1 .", left = "0 2"', 'left = ". 5"')
    assert changed.facts.equal(loads(text, puzzles=[summed])[0].facts)
    quoted = board("summed", puzzles=[summed], cages=['"\\', '"\\'], sums={'"': 3, "\\": 2}, limit=2)
    assert str(quoted).count("3") == str(quoted).count("2") == 1
    for clues, message in (
        ({"A": 1}, 'summed has clues of 2 keys, expected {"sums": {...}} or {"edge": {...}}'),
        ({"cages": {}}, "'cages' is no key of clues of summed, expected sums or edge"),
        ({"sums": {"C": 1}}, "<data>: sums: sum of 'C', which is no cage, expected A or B"),
        ({"edge": {("south", 1): 1}}, "<data>: edge: 'south' is not a side of the board"),
        ({"edge": {"left": 1}}, "<data>: edge: 'left' has 1 parts, expected those of edge(name, number, number)"),
    ):
        with pytest.raises(PuzzleError, match=re.escape(message)):
            made.with_clues(clues)


def test_with_clues_leaves_the_first_board_as_it_was() -> None:
    """A board with other clues is the board that has these, is sound or refused, and leaves the first as it was."""
    board = only("tectonic/seed")
    bare = board.with_clues({})
    assert repr(bare) == "<Instance tectonic 'The first Tectonic' 11x5, 0 givens>"
    assert (bare.solution, bare.title, bare.source) == (None, board.title, board.source)
    assert count(board) == 1
    assert board.clues == {cell: value.number for cell, value in board.facts.cells("given").items()}
    assert bare.clues == {}
    restored = bare.with_clues(board.clues)
    assert restored.facts.equal(board.facts)
    assert solve(restored) == not_none(board.solution)
    four, line = one(FOUR), one("1.....2..3......", format="sudoku")
    for clues in ({(1, 1): 1, (1, 2): None, (1, 3): 0, (1, 4): "."}, {"givens": {(1, 1): 1}}):
        assert count(four.with_clues(clues)) == 72
    assert [count(line.with_clues({(1, 1): v})) for v in (1, 2, 3, 4)] == [72] * 4
    assert four == one(FOUR)
    with pytest.raises(PuzzleError, match="strips has clues of 0 keys, expected nothing"):
        only("strips/final").with_clues({(1, 1): "w"})


@pytest.mark.parametrize(
    ("clues", "message"),
    [
        ({(1, 1): 5}, "<text>: givens: row 1, column 1: given 5 is out of range, expected 1 to 4"),
        ({(5, 1): 1}, "<text>: givens: row 5, column 1: given 1 is outside the board"),
        ({(0, 1): 1}, "<text>: givens: "),
        ({(1, 1): "x"}, "<text>: givens: "),
        ({(1, 1): "\0"}, "<text>: givens: '?' is wrong here"),
        ({(1, 1): 2**80}, "<text>: givens: "),
        ({(1, 1): 1.5}, "<text>: givens: '1.5' is wrong here, expected a number or text"),
        ({(1, 1): True}, "<text>: givens: 'True' is wrong here"),
        ({(1, 1): [1]}, "<text>: givens: '[1]' is wrong here"),
        ({1: 1}, "<text>: givens: '1' has 1 parts, expected those of given(row, column, number)"),
        ({"give": {(1, 1): 1}}, "'give' is no key of clues of sudoku, expected givens"),
    ],
)
def test_wrong_clues_are_refused_with_their_key(clues: dict[Any, Any], message: str) -> None:
    """Clues that are no clues of the board are refused in one line, with the name of the key."""
    with pytest.raises(PuzzleError, match=re.escape(message)):
        loads(FOUR)[0].with_clues(clues)
