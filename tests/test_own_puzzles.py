"""A user's puzzle is a folder with rules and a declaration, without Python; mistakes in it are reported."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import (
    EncodingError,
    InstanceError,
    UnknownPuzzleError,
    check,
    count,
    decided,
    explain,
    hint,
    load,
    possible,
    solutions,
)

from . import rules
from .command import objects, printed, pyasp, refused
from .helpers import SHADED_NUMBERS, mine, not_none, one, only, read, status, write
from .rules import Cell
from .strategies import examples, grid, rectangle, toml

HITORI = """
% Hitori: shade cells so that no number stands twice in a row or column.
#defined relaxed/1.
line(row(R), R, C) :- number(R, C, _).
line(col(C), R, C) :- number(R, C, _).
beside(R, C, R, C + 1) :- number(R, C, _), number(R, C + 1, _).
beside(R, C, R + 1, C) :- number(R, C, _), number(R + 1, C, _).

{ black(R, C) } :- number(R, C, _).

violated(twice(L, N)) :- line(L, R, C), number(R, C, N), { not black(R', C') : line(L, R', C'), number(R', C', N) } > 1.
violated(touch(R, C, R', C')) :- beside(R, C, R', C'), black(R, C), black(R', C').
violated(apart(R, C)) :- number(R, C, _), not black(R, C), not reached(R, C).
reached(R, C) :- first(R, C).
reached(R', C') :- reached(R, C), not black(R', C'), beside(R, C, R', C').
reached(R', C') :- reached(R, C), not black(R', C'), beside(R', C', R, C).
first(R, C) :- number(R, C, _), not black(R, C), black(R', C') : number(R', C', _), (R', C') < (R, C).
:- violated(Rule), not relaxed(Rule).
#show black/2.
"""
NUMBERS = """
summary = "A number in each cell."
cell = "cell(R, C)"
[answer]
kind = "numbers"
range = "1..3"
[keys.givens]
kind = "givens"
fact = "given(R, C, V)"
"""
RULES = """
#defined given/3. #defined relaxed/1.
{ value(R, C, 1..3) } :- cell(R, C).
violated(cell(R, C)) :- cell(R, C), { value(R, C, V) } != 1.
violated(given(R, C)) :- given(R, C, V), not value(R, C, V).
:- violated(Rule), not relaxed(Rule).
"""


def folder(place: Path, name: str, declaration: str, rules: str) -> Path:
    """Return the folder of a puzzle that is written below a place."""
    return write(place / name, {"puzzle.toml": declaration, f"{name}.lp": rules})


# -- Shading ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hitori(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a puzzle of shaded cells."""
    return folder(tmp_path_factory.mktemp("own"), "hitori", SHADED_NUMBERS, HITORI)


def hitori_board(numbers: Mapping[Cell, int], rows: int, columns: int) -> str:
    """Return a board as TOML."""
    return toml(puzzle='"hitori"', numbers=grid(numbers, numbers, rows, columns))


def is_hitori(numbers: Mapping[Cell, int], black: set[Cell]) -> bool:
    """Tell whether shaded cells are an answer, by the rules of Hitori."""
    white = numbers.keys() - black
    seen = [(way, cell[way], numbers[cell]) for cell in white for way in (0, 1)]
    touching = any({(r + 1, c), (r, c + 1)} & black for r, c in black)
    return len(seen) == len(set(seen)) and not touching and rules.connected(white)


@examples(8)
@given(st.sampled_from([(1, 3), (2, 2), (2, 3), (3, 2)]), st.randoms(use_true_random=False))
def test_shading(hitori: Path, size: tuple[int, int], random: Random) -> None:
    """Of random boards, answers, their number, what is decided, verdict and explanation are as brute force has them."""
    cells = rectangle(*size)
    numbers = {cell: random.randint(1, 3) for cell in cells}
    instance = one(hitori_board(numbers, *size), puzzles=[hitori])
    answers = [frozenset(black) for black in rules.subsets(cells) if is_hitori(numbers, black)]
    found = [frozenset(cell for cell, shaded in answer.cells().items() if shaded) for answer in solutions(instance)]
    assert len(found) == len(set(found)) == count(instance).number
    assert set(found) == set(answers)
    assert check(instance).status == status(len(answers))
    steps = list(explain(instance))
    assert steps[-1].status == status(len(answers))
    if not answers:
        return
    always = {cell: cell in answers[0] for cell in cells if len({cell in black for black in answers}) == 1}
    assert not_none(decided(instance)).cells() == not_none(possible(instance)).cells() == always
    concluded: dict[Cell, bool] = {}
    for step in steps:
        concluded |= {cell: True for atom in step.placed for cell in [step.meaning[atom][0]]}
        concluded |= {cell: False for atom in [*step.eliminated, *step.plain] for cell in [step.meaning[atom][0]]}
    assert concluded == always


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        (". x\n. .\n", []),
        ("x x\n. .\n", ["touch(1,1,1,2)"]),
        ("o o\n. .\n", ["twice(row(1),1)"]),
        ("white white\n. black\n", ["twice(row(1),1)"]),
        ("x o\no x\n", ["apart(2,1)"]),
        ('{"solutions": [{"grid": [["white", "white"], [null, null]]}]}', ["twice(row(1),1)"]),
    ],
)
def test_shading_is_checked(hitori: Path, tmp_path: Path, text: str, broken: list[str]) -> None:
    """An answer in text or JSON, in full or in part, is checked: shaded cells, cells that are not, open ones."""
    board = mine(tmp_path, hitori_board({(1, 1): 1, (1, 2): 1, (2, 1): 2, (2, 2): 1}, 2, 2), "board.toml")
    options = ("--json", "--puzzles", hitori)
    (said,) = objects(printed("check", board, "-", *options, where=tmp_path, stdin=text, code=bool(broken)))
    assert [rule["rule"] for rule in said["broken"]] == broken
    answer = printed("solve", board, *options, where=tmp_path)
    printed("check", board, "-", *options, where=tmp_path, stdin=answer)


def test_shading_in_words(hitori: Path) -> None:
    """Cells are called black or white, and an entry that is wrong is taken back by that name, shaded or not."""
    instance = one(hitori_board({(1, 1): 1, (1, 2): 1, (1, 3): 1}, 1, 3), puzzles=[hitori])
    steps = list(explain(instance))
    assert steps[-1].status == "unique"
    assert any(re.search(r"is (black|white)|are (black|white)", step.words) for step in steps)
    assert not any(re.search(r"(is|are) not", step.words) for step in steps)
    found = hint(instance, read(instance, "o . ."))
    assert found.kind == "mistake"
    assert found.words == (
        "The white cell in row 1, column 1 contradicts the rules: with it, this cannot hold: "
        "the rule twice for row 1; the rule touch for row 1, column 2 and row 1, column 3."
    )
    assert found.json()["eliminated"] == [{"cell": [1, 1], "value": "white"}]


@pytest.mark.parametrize("kind", ["numbers", "shading", "pieces"])
def test_new(kind: str, tmp_path: Path) -> None:
    """A new puzzle solves, checks, explains and is drawn at once; its answer, in text and JSON, is right."""
    said = printed("new", "mine", "--answer", kind, where=tmp_path)
    pointers = (
        "  pyasp solve mine/first.toml --puzzles mine",
        "  see the comments in mine/puzzle.toml and mine/mine.lp",
    )
    assert said.splitlines() == ["mine", *pointers]  # files that a user has, without a checkout
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {"mine.lp", "puzzle.toml", "words.lp", "first.toml"}
    options = ("mine/first.toml", "--puzzles", "mine")
    says = {"solve": "┌", "check": "Exactly one answer.", "explain": "there is no other", "grade": "", "hint": ""}
    for command, words in says.items():
        assert words in printed(command, *options, where=tmp_path)
    answer = printed("solve", "--json", *options, where=tmp_path)
    assert json.loads(answer)["puzzle"] == "mine"
    printed("check", "mine/first.toml", "-", "--puzzles", "mine", where=tmp_path, stdin=answer)
    again = pyasp("new", "mine", where=tmp_path)
    refused(again, "pyasp: mine: this folder exists; choose another name\n")


@pytest.mark.parametrize("arguments", [["sudoku"], ["Upper"], ["a/b"], ["mine", "--answer", "words"]])
def test_new_is_refused(arguments: list[str], tmp_path: Path) -> None:
    """A name that is taken or is none, and an unknown kind, are refused in one line; nothing is written."""
    refused(pyasp("new", *arguments, where=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_where_puzzles_are_found(tmp_path: Path) -> None:
    """Puzzles come from --puzzles or PYASP_PUZZLES, as folders or parents of folders, never from beside a board."""
    place, board = tmp_path / "puzzles", "board.toml"
    made = folder(place, "threes", NUMBERS, RULES)
    write(place, {board: 'puzzle = "threes"\ngivens = "1 ."\n'})
    refused(pyasp("count", board, where=place), "unknown puzzle 'threes'")
    option = ["--puzzles", str(made)]
    for options in (["--puzzles", "."], option, [*option, "--puzzles", "."]):
        assert printed("count", board, *options, where=place) == "3\n"
    assert printed("count", board, where=place, extra={"PYASP_PUZZLES": str(place)}) == "3\n"
    for command in ("solve", "check", "explain", "hint", "grade", "facts"):
        assert pyasp(command, board, *option, where=place).returncode in {0, 1}
    assert printed("encoding", "threes", *option, where=place) == RULES
    assert "threes: A number in each cell." in printed("list", *option, where=place)
    (record,) = objects(printed("solve", board, *option, "--jobs", "2", "--json", where=place))
    assert record["status"] == "satisfiable"
    assert count(only(place / board, puzzles=[made])) == 3
    with pytest.raises(UnknownPuzzleError):
        load(place / board)
    with pytest.raises(EncodingError, match="no puzzles here"):
        load(place / board, puzzles=[tmp_path / "nothing"])
    facts = one("cell(1, 1). cell(1, 2). given(1, 2, 3).", "x.lp", puzzles=[made])
    assert (facts.puzzle.name, count(facts)) == ("threes", 3)


WRONG = [
    (NUMBERS.replace('"givens"', '"givnes"'), 8, "unknown kind of key 'givnes'; the kinds are .*did you mean givens"),
    (NUMBERS.replace('"numbers"', '"words"'), 5, "unknown kind of answer 'words'; the kinds are"),
    (NUMBERS.replace("range", "rnage"), 6, "unknown key 'answer.rnage'; the keys are"),
    (NUMBERS.replace("1..3", "1-3"), 6, "expected a range such as 1..9"),
    (NUMBERS.replace("1..3", "1..blocks"), 6, "ends with 'blocks', expected a number, rows"),
    (NUMBERS.replace("given(R, C, V)", "given(R, C)"), 9, r"has 2 arguments, expected given\(row, column, number\)"),
    (NUMBERS.replace("given(R, C, V)", "Given"), 9, "expected a predicate such as"),
    (NUMBERS.replace('cell = "cell(R, C)"\n', ""), None, "no key defines the cells of a board"),
    (NUMBERS.replace("[answer]", "[anwser]"), 4, "unknown key 'anwser'"),
    (NUMBERS + "clue = 3\n", 10, "keys.givens.clue is '3', expected true or false"),
    (NUMBERS + "colour = 3\n", 10, "unknown key 'keys.givens.colour'"),
    (NUMBERS + '[keys.more]\nkind = "numbers"\nfact = "given(R, C, V)"\n', None, "two keys become facts of given"),
    (NUMBERS + '[keys.title]\nkind = "notes"\n', 10, "a key cannot be called 'title'"),
    (NUMBERS + "rules = 3\n", 10, "unknown key 'keys.givens.rules'"),
    ("name = ", None, "no valid TOML"),
    ("\nname = =\n", 2, "no valid TOML"),
    ('rules = "nothing"\n' + NUMBERS, 1, "'nothing' has no rules of its own"),
]


@pytest.mark.parametrize(("declaration", "line", "words"), WRONG)
def test_wrong_declarations(declaration: str, line: int | None, words: str, tmp_path: Path) -> None:
    """A declaration that is wrong is refused with its file and line, in one line and with exit code 2."""
    made = folder(tmp_path, "threes", declaration, RULES)
    with pytest.raises(EncodingError, match=words) as found:
        one('puzzle = "threes"\ngivens = "1 ."\n', puzzles=[made])
    where = not_none(found.value.where)
    assert (where.source, line or where.line) == (str(made / "puzzle.toml"), where.line)
    done = pyasp("list", "--puzzles", made, where=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_doubts_about_declarations(tmp_path: Path) -> None:
    """Output that the rules never derive is refused; clues that no rule is named for are warned of."""
    renamed = RULES.replace("violated(given(R, C))", "violated(printed(R, C))")
    board = mine(tmp_path, 'puzzle = "threes"\ngivens = "1 1"\n', "board.toml")
    made = folder(tmp_path, "threes", NUMBERS, renamed.replace("value(", "number("))
    options = ("--puzzles", made)
    refused(pyasp("count", board, *options, where=tmp_path), f"{made}/puzzle.toml:4: the rules never derive value:")
    folder(tmp_path, "threes", NUMBERS, renamed)
    done = pyasp("count", board, *options, where=tmp_path)
    assert f"warning: {made}/puzzle.toml:7: no rule is named for the clues of givens" in done.stderr
    folder(tmp_path, "threes", NUMBERS + 'rule = "printed"\n', renamed)
    extra = mine(tmp_path, "violated(same) :- value(1, 1, V), value(1, 2, V).\n", "differ.lp")
    shown = printed("check", board, *options, "--extra", extra, where=tmp_path, code=1)
    for column in (1, 2):
        assert f"- Without the 1 in row 1, column {column} it has 2 answers.\n" in shown


@pytest.mark.parametrize(
    ("board", "line", "words"),
    [
        ('givens = "1 4"', 2, "row 1, column 2: given 4 is out of range, expected 1 to 3"),
        ('givens = "1 x"', 2, "'x' is not a number"),
        ('givns = "1 x"', None, "no key 'givens'.* is givns a misspelling of it"),
        ("size = [0, 2]", 2, "expected 1 to 1000 a side"),
        ("size = [2]", 2, r"expected \[rows, columns\]"),
    ],
)
def test_wrong_boards(board: str, line: int | None, words: str, tmp_path: Path) -> None:
    """A board that is wrong is refused with its line, by what the declaration says."""
    made = folder(tmp_path, "threes", NUMBERS, RULES)
    with pytest.raises(InstanceError, match=words) as found:
        one(f'puzzle = "threes"\n{board}\n', puzzles=[made])
    assert not_none(found.value.where).line == line
