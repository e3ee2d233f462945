"""A user's puzzle is a folder with rules and a declaration, without Python; mistakes in it are reported."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from clingo import Control
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import (
    EncodingError,
    Instance,
    InstanceError,
    Review,
    UnknownPuzzleError,
    board,
    check,
    count,
    decided,
    dumps,
    explain,
    hint,
    load,
    loads,
    possible,
    review,
    solutions,
)
from pyasp_puzzles.asp.rules import Rules
from pyasp_puzzles.asp.syntax import rule_comments
from pyasp_puzzles.errors import Where
from pyasp_puzzles.puzzles import templates
from pyasp_puzzles.puzzles.declaration import find_puzzle, puzzle_in
from pyasp_puzzles.render.svg import svg
from pyasp_puzzles.render.text import LETTERS, TextStyle
from pyasp_puzzles.render.theme import COLORS

from . import rules
from .command import objects, printed, pyasp, refused
from .documents import text_of
from .helpers import SHADED_NUMBERS, grounded, mine, not_none, one, only, read, status, write
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


# -- Rules without words ---------------------------------------------------------------------

COMMENTED = """
#defined region/3. #defined relaxed/1.
{ black(R, C) } :- cell(R, C).

% No two shaded cells share
% a side. (Below and to the right are enough.)
violated(touch(R, C, R + 1, C)) :- black(R, C), black(R + 1, C).
violated(touch(R, C, R, C + 1)) :- black(R, C), black(R, C + 1).

% Each region has one shaded cell.
many(B, N) :- region(_, _, B), N = { black(R, C) : region(R, C, B) }.
violated(one(region(B))) :- many(B, N), N != 1.
% -- End ----
violated(corner) :- cell(3, 3), not black(3, 3).
:- violated(Rule), not relaxed(Rule).
#show black/2.
"""
REGIONS = """
summary = "Shaded cells."
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "black(R, C)"
[keys.regions]
kind = "regions"
fact = "region(R, C, B)"
required = true
"""


def test_a_rule_without_words_is_told_by_its_comment(tmp_path: Path) -> None:
    """A step says the comment above a rule that has no words, as it is written now; and its name if there is none."""
    place = folder(tmp_path, "shades", REGIONS, COMMENTED)
    board = 'puzzle = "shades"\nregions = """\nA A A\nB C A\nB B D\n"""\n'

    def told() -> list[str]:
        return [step.words for step in explain(one(board, puzzles=tmp_path))]

    before = told()
    assert before[0].startswith("Each region has one shaded cell (region C), so row 2, column 2 is black. Then")
    assert not any("the rule" in words for words in before)
    write(place, {"shades.lp": COMMENTED.replace("% Each region has one", "% In each region is one")})
    assert told()[0].startswith("In each region is one shaded cell (region C), so row 2, column 2 is black. Then")
    write(tmp_path, {"board.toml": board, "answer.txt": "o o o\no x x\no o x\n"})
    said = printed("check", "board.toml", "--answer", "answer.txt", "--puzzles", ".", where=tmp_path, code=1)
    assert "- no two shaded cells share a side (row 2, column 2 and row 2, column 3)" in said
    assert "- in each region is one shaded cell (region B)" in said
    write(place, {"shades.lp": COMMENTED.replace("% Each region has one shaded cell.", "%")})
    assert told()[0].startswith("The rule one for region C must hold, so row 2, column 2 is black. Then")


def test_comments_of_rules(tmp_path: Path) -> None:
    """The sentence of a rule stands in its paragraph, on several lines or before rules of two kinds, without asides."""
    write(tmp_path, {"rules.lp": COMMENTED})
    assert rule_comments(tmp_path / "rules.lp") == {
        ("touch", 4): "No two shaded cells share a side.",
        ("one", 1): "Each region has one shaded cell.",
    }
    assert rule_comments(Rules(COMMENTED)) == rule_comments(tmp_path / "rules.lp")
    assert rule_comments(Rules("% A rule.\nviolated(a :-")) == {}


# -- Shading ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hitori(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a puzzle of shaded cells."""
    return folder(tmp_path_factory.mktemp("own"), "lonely", SHADED_NUMBERS, HITORI)


def hitori_board(numbers: Mapping[Cell, int], rows: int, columns: int) -> str:
    """Return a board as TOML."""
    return toml(puzzle='"lonely"', numbers=grid(numbers, numbers, rows, columns))


def is_hitori(numbers: Mapping[Cell, int], black: set[Cell]) -> bool:
    """Return whether shaded cells are an answer, by the rules of Hitori."""
    white = numbers.keys() - black
    seen = [(way, cell[way], numbers[cell]) for cell in white for way in (0, 1)]
    touching = any({(r + 1, c), (r, c + 1)} & black for r, c in black)
    return len(seen) == len(set(seen)) and not touching and rules.connected(white)


@examples(8)
@given(st.sampled_from([(1, 3), (2, 2), (2, 3), (3, 2)]), st.randoms(use_true_random=False))
@pytest.mark.slow
def test_shading_answers_as_brute_force_does(hitori: Path, size: tuple[int, int], random: Random) -> None:
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
        meaning = step.display.meaning
        concluded |= {meaning[atom][0]: True for atom in step.placed}
        concluded |= {meaning[atom][0]: False for atom in [*step.eliminated, *step.plain]}
    assert concluded == always


@pytest.mark.sampled(3)
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
    (said,) = objects(printed("check", board, "--answer", "-", *options, where=tmp_path, stdin=text, code=bool(broken)))
    assert [rule["rule"] for rule in said["broken"]] == broken
    answer = printed("solve", board, *options, where=tmp_path)
    printed("check", board, "--answer", "-", *options, where=tmp_path, stdin=answer)


def test_shaded_cells_are_called_black_or_white(hitori: Path) -> None:
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


# -- Pieces that overlap, or leave cells over --------------------------------------------------

SQUARES = """
summary = "Place squares of 2x2, which may overlap. A number is how many squares cover its cell."
cell = "cell(R, C)"
[answer]
kind = "pieces"
output = "placed(R, C)"
covers = "covers(R, C, Y, X)"
piece = "square"
[keys.numbers]
kind = "numbers"
fact = "number(R, C, N)"
range = "0..4"
clue = true
"""
SQUARE_RULES = """
#defined number/3. #defined relaxed/1.
covers(R, C, R..R + 1, C..C + 1) :- cell(R, C), cell(R + 1, C + 1).
{ placed(R, C) } :- covers(R, C, _, _).
violated(number(Y, X)) :- number(Y, X, N), { placed(R, C) : covers(R, C, Y, X) } != N.
:- violated(Rule), not relaxed(Rule).
"""
APART = "violated(apart(Y, X)) :- cell(Y, X), { placed(R, C) : covers(R, C, Y, X) } > 1.\n"


@pytest.fixture(scope="module", params=["overlapping", "apart"])
def squares(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a puzzle of pieces that leave cells over, and may overlap or not."""
    rules_ = SQUARE_RULES if request.param == "overlapping" else SQUARE_RULES + APART
    return folder(tmp_path_factory.mktemp("own"), request.param, SQUARES, rules_)


@pytest.mark.slow
@examples(10)
@given(st.sampled_from([(2, 4), (3, 3), (3, 4)]), st.randoms(use_true_random=False))
def test_pieces_that_overlap_are_judged_rightly(squares: Path, size: tuple[int, int], random: Random) -> None:
    """Of pieces that overlap or leave cells over, answers, parts of them, wrong ones and verdicts are told right."""
    cells = rectangle(*size)
    starts = [(r, c) for r, c in cells if (r + 1, c + 1) in cells]
    boxes = {(r, c): {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} for r, c in starts}

    def covered(chosen: Iterable[Cell]) -> Counter[Cell]:
        return Counter(cell for corner in chosen for cell in boxes[corner])

    overlap = squares.name == "overlapping"
    ways = [chosen for chosen in rules.subsets(boxes) if overlap or max(covered(chosen).values(), default=0) < 2]
    planned = covered(random.choice(ways))
    shown = {cell: planned[cell] for cell in cells if random.random() < 0.6}
    text = grid({cell: str(number) for cell, number in shown.items()}, cells, *size)
    instance = one(toml(puzzle=f'"{squares.name}"', numbers=text), puzzles=[squares])
    kind = instance.puzzle.kind
    answers = [chosen for chosen in ways if all(covered(chosen)[cell] == n for cell, n in shown.items())]
    corners = {answer: {min(piece.cells) for piece in answer.pieces} for answer in solutions(instance)}
    assert sorted(map(sorted, corners.values())) == sorted(map(sorted, answers))

    def reviewed(chosen: Iterable[Cell]) -> str:
        data = {"pieces": [{"cells": sorted(boxes[corner])} for corner in chosen]}
        return review(instance, kind.from_json(instance, data, Where("answer"))).status

    for answer, chosen in islice(corners.items(), 3):
        assert review(instance, kind.from_json(instance, answer.json(), Where("answer"))) == Review("solved")
        [again] = loads(dumps(instance._replace(solution=answer), "toml"), puzzles=[squares])
        assert review(instance, not_none(again.solution)) == Review("solved")
        assert hint(instance, answer).status == ("unique" if len(answers) == 1 else "solved")
        part = set(random.sample(sorted(chosen), len(chosen) // 2))
        assert reviewed(part) == ("solved" if part in answers else "right")
    other = random.choice(list(rules.subsets(boxes)))
    assert (reviewed(other) in {"right", "solved"}) == any(other <= chosen for chosen in answers)
    found = check(instance)
    assert found.status == status(len(answers))
    over = [[{corner for corner in chosen if cell in boxes[corner]} for chosen in answers] for cell in cells]
    assert (found.decided, found.cells) == (sum(each.count(each[0]) == len(each) for each in over), len(cells))
    assert [step.status for step in explain(instance)][-1] == status(len(answers))


@pytest.mark.parametrize("kind", templates.KINDS)
@pytest.mark.slow
def test_a_new_puzzle_works_at_once(kind: str, tmp_path: Path) -> None:
    """A new puzzle solves, checks, explains and is drawn at once; its answer, in text and JSON, is right."""
    said = printed("new", "mine", "--kind", kind, where=tmp_path)
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
    printed("check", "mine/first.toml", "--answer", "-", "--puzzles", "mine", where=tmp_path, stdin=answer)
    refused(pyasp("count", "mine/first.toml", where=tmp_path), "to use the folder, pass --puzzles mine")
    again = pyasp("new", "mine", where=tmp_path)
    refused(again, "pyasp: mine: exists already; choose another name\n")


LINK = "https://puzz.link/p?nosuch/5/4/g3k2i1j-14g.1"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("link", "kind", "body", "also"),
    [
        (LINK, "shading", '["numbers numbers"]', '["several-long numbers"]'),
        ("https://puzz.link/p?nosuch/6/6/84cadc420js1", "lines", '["borders regions walls"]', ""),
        ("https://puzz.link/p?nosuch/5/5/cl9jq1s0g2i4", "areas", '["borders regions walls", "numbers counts"]', ""),
    ],
)
def test_a_link_of_an_unknown_kind_becomes_a_folder(tmp_path: Path, link: str, kind: str, body: str, also: str) -> None:
    """`new --from LINK` writes a folder that reads the link, writes it alike, and has no rules yet."""
    said = printed("new", "mine", "--kind", kind, "--from", link, where=tmp_path)
    assert said.splitlines()[:2] == ["mine", "  pyasp check mine/first.toml --puzzles mine"]
    declared = (tmp_path / "mine" / "puzzle.toml").read_text(encoding="utf-8")
    assert 'names = ["nosuch"]' in declared
    assert body in next(line for line in declared.splitlines() if line.startswith("body = "))
    assert f"# It can also be read as {also}" in declared or not also
    for given_board in (link, "mine/first.toml"):
        done = pyasp("check", given_board, "--puzzles", "mine", where=tmp_path)
        assert (done.returncode, "Several answers." in done.stdout) == (1, True)
        assert "the rules never use" in done.stderr
    back = pyasp("convert", "mine/first.toml", "--puzzles", "mine", "--to", "puzzlink", where=tmp_path)
    assert back.stdout.strip() == link


@pytest.mark.slow
def test_a_body_that_nothing_fits_is_left_to_the_user(tmp_path: Path) -> None:
    """Without keys that fit, the folder has the name and the size, and both commands say what is missing."""
    link = LINK.replace("g3k", "%%%")
    said = printed("new", "mine", "--from", link, where=tmp_path)
    assert "no keys of a puzzle that ships fit the body of this link" in said
    declared = (tmp_path / "mine" / "puzzle.toml").read_text(encoding="utf-8")
    assert 'names = ["nosuch"]' in declared
    assert re.search(r"^usual_size = 5 +# the board of the link is 4x5$", declared, re.MULTILINE)
    assert "[keys" not in declared
    assert not (tmp_path / "mine" / "first.toml").exists()
    refused(
        pyasp("check", link, "--puzzles", "mine", where=tmp_path),
        f"pyasp: {link}: puzzle.toml of mine does not say yet what the body of a link is; write body\n",
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("link", "options", "message"),
    [
        ("https://puzz.link/p?norinori/6/6/x", (), "this is a board of norinori, which has a folder; "),
        ("https://puzz.link/p?nosuch/6", (), "this is not a whole address of puzz.link"),
        ("https://puzz.link/p?nosuch/v:a/6/6/x", (), "this is a variant whose rules no address tells"),
        ("https://puzz.link/p?nosuch/0/6/x", (), "a board of '6'x'0' is not read"),
        ("sudoku/easy", (), "this is not a whole address of puzz.link"),
        (LINK, ("--kind", "nosuch"), "unknown kind of answer 'nosuch'"),
        (LINK, ("--variant",), "--variant and --from do not go together"),
        (LINK.replace("nosuch", "there"), (), "there: exists already"),
    ],
)
def test_links_that_begin_no_folder(tmp_path: Path, link: str, options: tuple[str, ...], message: str) -> None:
    """`new --from` refuses in one line what is no link, a kind that has a folder, and a folder that exists."""
    (tmp_path / "there").mkdir()
    done = pyasp("new", "there" if "there" in link else "mine", "--from", link, *options, where=tmp_path)
    refused(done)
    assert done.stderr.startswith(f"pyasp: {message}")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


@pytest.mark.parametrize("arguments", [["sudoku"], ["Upper"], ["a/b"], ["mine", "--kind", "words"]])
def test_new_refuses_names_that_are_taken(arguments: list[str], tmp_path: Path) -> None:
    """A name that is taken or is none, and an unknown kind, are refused in one line; nothing is written."""
    refused(pyasp("new", *arguments, where=tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
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


def test_a_wrong_declaration_costs_only_what_names_it(tmp_path: Path) -> None:
    """Of many puzzles, only those are read that have the name of a link or an alias."""
    for i in range(3):
        folder(tmp_path, f"wrong{i}", "no TOML", RULES)
    folder(
        tmp_path,
        "threes",
        f'aliases = ["trios"]\n{NUMBERS}\n[formats.puzzlink]\nnames = ["trio"]\nbody = ["numbers givens"]\n',
        RULES,
    )
    found = one("https://puzz.link/p?trio/2/1/1g", puzzles=[tmp_path])
    assert (found.puzzle.name, dumps(found, "puzzlink")) == ("threes", "https://puzz.link/p?trio/2/1/1g")
    assert one('puzzle = "trios"\ngivens = "1 ."\n', puzzles=[tmp_path]).facts.equal(found.facts)
    with pytest.raises(InstanceError, match="Nosuch, which pyasp has no puzzle for"):
        one("https://puzz.link/p?nosuch/2/1/1g", puzzles=[tmp_path])
    with pytest.raises(EncodingError, match="wrong0"):
        one('puzzle = "wrong0"', puzzles=[tmp_path])


WRONG = [
    (NUMBERS.replace('"givens"', '"givnes"'), 8, "unknown kind of key 'givnes'; the kinds are .*did you mean givens"),
    (NUMBERS.replace('kind = "givens"\n', ""), 7, "the key givens has no kind: write kind = one of: regions"),
    (NUMBERS.replace('"numbers"', '"words"'), 5, "unknown kind of answer 'words'; the kinds are"),
    (NUMBERS.replace("range", "rnage"), 6, "unknown key 'answer.rnage'; the keys are"),
    (NUMBERS.replace("1..3", "1-3"), 6, "expected a range such as 1..9"),
    (NUMBERS.replace("1..3", "1..blocks"), 6, "ends with 'blocks', expected a number, rows"),
    (NUMBERS.replace("given(R, C, V)", "given(R, C)"), 9, r"has 2 arguments, expected given\(row, column, number\)"),
    (NUMBERS.replace("given(R, C, V)", "Given"), 9, "expected a predicate such as"),
    (NUMBERS.replace('cell = "cell(R, C)"\n', ""), None, "no key defines the cells of a board"),
    (NUMBERS.replace("[answer]", "[anwser]"), 4, "unknown key 'anwser'"),
    (NUMBERS + "clue = 3\n", 10, "keys.givens.clue is '3', expected true or false"),
    (NUMBERS + "color = 3\n", 10, "unknown key 'keys.givens.color'"),
    (NUMBERS + '[keys.more]\nkind = "numbers"\nfact = "given(R, C, V)"\n', None, "two keys become facts of given"),
    (NUMBERS + '[keys.title]\nkind = "notes"\n', 10, "a key cannot be called 'title'"),
    (NUMBERS + "rules = 3\n", 10, "unknown key 'keys.givens.rules'"),
    ("name = ", None, "not valid TOML"),
    ("\nname = =\n", 2, "not valid TOML"),
    ('rules = "nothing"\n' + NUMBERS, 1, "there is no puzzle 'nothing', expected the name of a puzzle"),
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("declaration", "line", "words"), WRONG)
def test_wrong_declarations_are_refused_with_their_line(
    declaration: str, line: int | None, words: str, tmp_path: Path
) -> None:
    """A declaration that is wrong is refused with its file and line, in one line and with exit code 2."""
    made = folder(tmp_path, "threes", declaration, RULES)
    with pytest.raises(EncodingError, match=words) as found:
        one('puzzle = "threes"\ngivens = "1 ."\n', puzzles=[made])
    where = not_none(found.value.where)
    assert (where.source, line or where.line) == (str(made / "puzzle.toml"), where.line)
    done = pyasp("list", "--puzzles", made, where=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("fact", "value", "facts"),
    [
        ("mark(R, C)", "r1c2", "mark(1,2)."),
        ("mark(R', C')", "r1c2", "mark(1,2)."),
        ("line(I, J, R, C)", "r1c1 r1c2", "line(1,1,1,1). line(1,2,1,2)."),
        ("same(I, G, J, R, C)", "r1c1 = r1c2", "same(1,1,1,1,1). same(1,2,1,1,2)."),
        ("pair(R, C, R2, C2)", "r1c1 r1c2", "pair(1,1,1,2)."),
        ("dot(R, C, R', C', N)", "r1c1 r1c2 = 3", "dot(1,1,1,2,3)."),
        ("corner(R, C, N, K)", "r1c1 = 1 2 2", "corner(1,1,1,1). corner(1,1,2,2)."),
        ('seen(I, N)"\nline = "seen_line(I, J, R, C)', {"top": "3 ."}, "seen(1,3)."),
    ],
)
def test_a_fact_tells_the_kind_of_its_key(fact: str, value: object, facts: str, tmp_path: Path) -> None:
    """A key without `kind` is of the kind whose facts have such arguments, where R and C are a row and a column."""
    made = folder(tmp_path, "threes", f'{NUMBERS}[keys.more]\nfact = "{fact}"\n', RULES)
    made_board = board("threes", puzzles=made, size=[3, 2], more=value)
    assert facts in made_board.facts.program().splitlines()


WALLS = 'kind = "walls"\nfact = "n(R, C, N)"'
ARROWS = 'kind = "arrows"\nfact = "n(R, C, D, N)"'
CENTERS = 'kind = "centers"\nfact = "n(Y, X)"'
LISTS = 'kind = "outside"\nfact = "n(S, I, J, N)"\nseveral = true'
TO_MOST = 'kind = "numbers"\nfact = "n(R, C, N)"\nrange = "1..most"'
MOST = '[keys.most]\nkind = "number"\nfact = "most(N)"\ndefault = 2\n'


def with_key(place: Path, declaration: str, value: object) -> Instance:
    """Return a board of 3x2 cells of a puzzle with a key `more`; a string is its grid."""
    made = folder(place, "threes", f"{NUMBERS}{MOST}[keys.more]\n{declaration}\n", RULES)
    rows = [value.split()[i : i + 2] for i in (0, 2, 4)] if isinstance(value, str) else value
    return board("threes", puzzles=made, size=[3, 2], more=rows)


@pytest.mark.parametrize(
    ("declaration", "value", "facts"),
    [
        (WALLS, ". 2 . . 0 .", "n(1,2,2). n(3,1,0)."),
        (WALLS + '\nwall = "w(R, C)"', "x . 3 . . x", "w(1,1). w(2,1). w(3,2)."),
        (ARROWS, "2e . . . . 0n", "n(1,1,east,2). n(3,2,north,0)."),
        (ARROWS + '\nwall = "w(R, C)"', "16s7e . x . . .", "n(1,1,south,16). n(1,1,east,7)."),
        (CENTERS, ["r1c1", "r2c1 r2c2", "r2c1 r3c1", "r2c1 r3c2"], "n(2,2). n(4,3). n(5,2). n(5,3)."),
        (LISTS, {"left": [[2, 1], [], 1]}, "n(left,1,1,2). n(left,1,2,1). n(left,2,1,0). n(left,3,1,1)."),
        (TO_MOST, ". 2 . . . .", "n(1,2,2)."),
        ('kind = "colors"\nfact = "n(R, C, K)"\nusual = ["t"]\nclue = true', ". u . . . .", 'n(1,2,"u").'),
    ],
)
def test_keys_are_read_and_written(declaration: str, value: object, facts: str, tmp_path: Path) -> None:
    """Walls, arrows, centers, lists outside, ranges that end in a number are read, drawn, and written to be read."""
    made = with_key(tmp_path, declaration, value)
    assert facts in made.facts.program().splitlines()
    written = dumps(made, "toml")
    assert dumps(one(written, puzzles=[tmp_path / "threes"]), "toml") == written
    assert len(str(made).splitlines()) > 6
    assert "<svg" in svg(made.drawing())


@pytest.mark.parametrize(
    ("declaration", "value", "words"),
    [
        (WALLS, "x . . . . .", "row 1, column 1: 'x' is not a number"),
        (ARROWS, "2 . . . . .", "row 1, column 1: '2' is wrong here, expected a number and n, e, s or w"),
        (ARROWS + '\ndirections = ["south"]', "2e . . . . .", "row 1, column 1: 'east' is no direction here"),
        (ARROWS + '\nrange = "1..most"', "3e . . . . .", "row 1, column 1: n 3 is out of range, expected 1 to 2"),
        (CENTERS, ["r1c1 r3c1"], "'r1c1 r3c1' is wrong here, expected a cell, or two cells that touch"),
        (CENTERS, ["r3c2 r4c2"], "row 4, column 2 is outside the board of 3x2"),
        (LISTS, {"left": [[2, -1], [], 1]}, "left 1: '-1' is not a number"),
        (TO_MOST, ". 3 . . . .", "n 3 is out of range, expected 1 to 2"),
    ],
)
def test_wrong_keys_are_refused(declaration: str, value: object, words: str, tmp_path: Path) -> None:
    """What is wrong in such a key is named with its place."""
    with pytest.raises(InstanceError, match=re.escape(words)):
        with_key(tmp_path, declaration, value)


@pytest.mark.parametrize(
    ("declaration", "rule", "words"),
    [
        (LISTS, 'n("top", I, J, N), value(I, J, N)', 'n never has "top", expected top'),
        (ARROWS, "n(R, C, e, N), value(R, C, N)", "n never has e, expected north, east, south or west"),
        ('kind = "colors"\nfact = "n(R, C, K)"', "n(R, C, (a; b)), value(R, C, 1)", 'n never has a, expected "a"'),
        (
            'kind = "signs"\nfact = "n(R, C, R2, C2, S)"\ntokens = ["<", ">"]',
            'n(R, C, _, _, ">"), n(R, C, _, _, "^")',
            'n never has "^", expected "<" or ">"',
        ),
    ],
)
def test_names_that_no_fact_has_are_warned_of(declaration: str, rule: str, words: str, tmp_path: Path) -> None:
    """A constant in a rule that no fact of a key can have is warned of: sides are constants, names are strings."""
    more = f"#defined n/3. #defined n/4. #defined n/5. violated(more) :- {rule}.\n"
    made = folder(tmp_path, "threes", f"{NUMBERS}[keys.more]\n{declaration}\n", RULES + more)
    assert any(words in warning for warning in puzzle_in(made).warnings)


def test_a_puzzle_of_ones_own_comes_in_place_of_one_that_ships(tmp_path: Path) -> None:
    """A folder that somebody names may have the name of a puzzle that ships, and is used in its place."""
    made = folder(tmp_path, "sudoku", NUMBERS, RULES)
    assert count(one('puzzle = "sudoku"\ngivens = "1 ."\n', puzzles=[made])).number == 3
    other = folder(tmp_path / "other", "sudoku", NUMBERS, RULES)
    with pytest.raises(EncodingError, match="two puzzles are called 'sudoku'"):
        find_puzzle("sudoku", directories=[made, other])


def test_doubtful_declarations_are_warned_of(tmp_path: Path) -> None:
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
    assert shown.endswith("The fewest rules that would have to be broken:\n- the rule same\n")


ADDING = Path("docs/adding-a-puzzle.md")
# A puzzle that adds a rule, its words and a key to those of Strimko.
ODD = """
rules = "strimko"
summary = "A Strimko in which marked cells hold odd numbers."
square = true
[answer]
kind = "numbers"
range = "1..rows"
[keys.streams]
kind = "regions"
fact = "stream(R, C, S)"
size = "rows"
[keys.givens]
kind = "givens"
fact = "given(R, C, V)"
[keys.marks]
kind = "colors"
fact = "mark(R, C, M)"
"""
ODD_RULES = "#defined mark/3.\nviolated(odd(R, C)) :- mark(R, C, _), value(R, C, V), V \\ 2 = 0.\n"
ODD_WORDS = 'says(odd(R, C), (cell(R, C), "is odd")) :- mark(R, C, _).\n'
STREAMS = 'streams = """\n1122\n1122\n3344\n3344\n"""\n'
ODD_BOARD = (
    f'puzzle = "odd"\n{STREAMS}givens = """\n2...\n....\n.4..\n....\n"""\nmarks = """\n.x..\n..x.\n....\n....\n"""\n'
)


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """Return the folder of a puzzle that adds a rule and words to those of another."""
    return write(folder(tmp_path, "odd", ODD, ODD_RULES), {"words.lp": ODD_WORDS})


@pytest.mark.slow
def test_rules_added_to_those_of_another_puzzle(odd: Path, tmp_path: Path) -> None:
    """A folder may add rules and words to those of another puzzle: every command uses both, as does plain clingo."""
    board = one(ODD_BOARD, puzzles=[odd])
    plain = one(f'puzzle = "strimko"\n{STREAMS}givens = """\n2...\n....\n.4..\n....\n"""\n')
    expected = {
        tuple(sorted(answer.cells().items()))
        for answer in solutions(plain)
        if all(answer.cells()[cell] in {1, 3} for cell in ((1, 2), (2, 3)))
    }
    assert 0 < len(expected) == count(board).number < count(plain).number
    for _ in range(4):  # with the third board of a shape, groundings are shared
        assert {tuple(sorted(answer.cells().items())) for answer in solutions(board)} == expected
    steps = list(explain(board))
    assert any("is odd" in f"{step.words} {' '.join(step.why)}" for step in steps)
    assert not any("the rule odd" in step.words for step in steps)
    even = read(board, "2 4 . .\n. . . .\n. . . .\n. . . .")
    assert [str(rule.rule) for rule in review(board, even).broken] == ["odd(1,2)"]
    write(tmp_path, {"board.toml": ODD_BOARD})
    options = ("--puzzles", "odd")
    shown = printed("encoding", "odd", "--path", *options, where=tmp_path).split()
    assert shown == printed("encoding", "board.toml", "--path", *options, where=tmp_path).split()
    assert [Path(file).name for file in shown] == ["strimko.lp", "odd.lp"]
    control = Control(["0"])
    for file in shown:
        control.load(file)
    control.add("base", [], printed("facts", "board.toml", *options, where=tmp_path))
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        assert sum(1 for _ in models) == len(expected)
    made = printed("generate", "odd", "--layout", "new", "--size", "4", "--seed", "1", *options, where=tmp_path)
    assert check(one(made, puzzles=[odd])).status == "unique"


def test_rules_built_on_one_another(odd: Path, tmp_path: Path) -> None:
    """A puzzle may build on one that builds on another; a circle is refused, and so are rules that peeling ignores."""
    corner = "violated(corner) :- value(1, 1, 1).\n"
    folder(tmp_path, "corner", ODD.replace("strimko", "odd"), corner)
    found = one(ODD_BOARD.replace('"odd"', '"corner"').replace("2...", "...."), puzzles=[tmp_path])
    assert [file.name for file in found.puzzle.encodings] == ["strimko.lp", "odd.lp", "corner.lp"]
    fewer = one(ODD_BOARD.replace("2...", "...."), puzzles=[tmp_path])
    assert {answer.cells()[1, 1] for answer in solutions(found)} == {2, 3, 4}
    assert count(found).number == sum(answer.cells()[1, 1] != 1 for answer in solutions(fewer))
    boxes = ODD.replace("strimko", "sudoku")
    folder(tmp_path, "boxes", boxes, corner)
    assert any(
        "box 3" in step.words.lower()
        for step in explain(one(ODD_BOARD.replace('"odd"', '"boxes"'), puzzles=[tmp_path]))
    )
    (odd / "puzzle.toml").write_text(ODD.replace("strimko", "corner"), encoding="utf-8")
    with pytest.raises(EncodingError, match="corner and odd would use the rules of one another"):
        one(ODD_BOARD, puzzles=[odd])
    strata = 'rules = "strata"\nrows = "row(R)"\ncolumns = "col(C)"\n[answer]\nkind = "ribbons"\n'
    tiles = '[keys.tiles]\nkind = "colors"\nfact = "tile(R, C, K)"\npalette = "color(K)"\n'
    woven = folder(tmp_path, "woven", strata + tiles, "violated(first) :- over(row(1), col(1)).\n")
    with pytest.raises(EncodingError, match=r"woven\.lp adds rules to strata\.lp.* with --extra"):
        one('puzzle = "woven"\ntiles = "r."\n', puzzles=[woven])


# A base of one's own: no cell touches one with the same number.
ALIKE = "violated(apart(R, C, R', C')) :- side(R, C, R', C'), (R, C) < (R', C'), value(R, C, V), value(R', C', V).\n"


def test_bases_are_folders_without_boards(tmp_path: Path) -> None:
    """A puzzle may use bases, its user's or shipped ones, as plain clingo may; they are no puzzles."""
    write(
        tmp_path,
        {"apart/apart.lp": ALIKE, "apart/words.lp": 'says(apart(A, B, C, D), ("alike",)) :- side(A, B, C, D).\n'},
    )
    place = folder(tmp_path, "threes", 'rules = ["sides", "apart"]\n' + NUMBERS, RULES)
    board = one('puzzle = "threes"\ngivens = "1 . ."\n', puzzles=[tmp_path])
    assert [file.name for file in board.puzzle.encodings] == ["sides.lp", "apart.lp", "threes.lp"]
    found = {tuple(value for _, value in sorted(answer.cells().items())) for answer in solutions(board)}
    assert found == {(1, b, c) for b in (2, 3) for c in (1, 2, 3) if b != c}
    assert len(found) == count(board).number
    control = grounded(board)
    with control.solve(yield_=True) as models:
        assert sum(1 for _ in models) == len(found)
    assert [str(one.rule) for one in review(board, read(board, "1 1 2")).broken] == ["apart(1,1,1,2)"]
    steps = explain(one('puzzle = "threes"\ngivens = "1 . 2"\n', puzzles=[tmp_path]))
    assert any("alike" in " ".join(step.why) for step in steps)
    listed = printed("list", "--json", "--puzzles", ".", where=tmp_path)
    assert {json.loads(line)["puzzle"] for line in listed.splitlines()}.isdisjoint({"sides", "apart", "connected"})
    with pytest.raises(UnknownPuzzleError, match="unknown puzzle 'connected'"):
        one('puzzle = "connected"\nsize = [2, 2]\n')
    for wrong, words in (('["sides", 3]', "expected a name, or an array of names"), ('"apat"', "no puzzle 'apat'")):
        (place / "puzzle.toml").write_text(f"rules = {wrong}\n{NUMBERS}", encoding="utf-8")
        with pytest.raises(EncodingError, match=words):
            one('puzzle = "threes"\ngivens = "1 . ."\n', puzzles=[tmp_path])


# Lines that are refused, and what is said.
LIMITS = [
    ('[answer] kind = "loop"', "unknown kind of answer 'loop'"),
    ('[answer] output = "value(R, C, V, W)"', "output has 4 arguments, expected 3"),
    ('[answer] range = "-1..3"', "expected a range such as 1..9"),
    ('[keys.givens] kind = "edges"', "unknown kind of key 'edges'"),
    (r'givens = "1 .\n."', "row 2 has 1 cell, expected 2"),
    ("{ value(R, C, (a; b)) } = 1 :- cell(R, C).", "expected integers"),
    ("value(9, 9, 1).", "expected a cell of the board"),
    ("#minimize { V, R, C : value(R, C, V) }.", "no answer is better than another here"),
    ("#script (python) #end.", "scripts are not run here"),
]


@pytest.mark.parametrize(("line", "says"), LIMITS)
def test_what_does_not_fit_is_refused(line: str, says: str, tmp_path: Path) -> None:
    """Each line that asks for what does not fit is refused, with a message that says why."""
    declaration, rules, board = NUMBERS, RULES, 'givens = ". ."'
    table, _, setting = line.rpartition("] ")
    if table:
        key = setting.partition(" = ")[0]
        section, head, rest = declaration.partition(f"{table}]\n")
        kept = "\n".join(one for one in rest.split("\n", 2) if not one.startswith(f"{key} ="))
        declaration = f"{section}{head}{setting}\n{kept}"
    elif line.startswith("givens"):
        board = line
    elif line.startswith("{"):
        rules = rules.replace("{ value(R, C, 1..3) } :- cell(R, C).", line)
    else:
        rules += line.replace(") #end", ")\n#end")
    place = folder(tmp_path, "threes", declaration, rules)
    write(tmp_path, {"board.toml": f'puzzle = "threes"\n{board}\n'})
    done = pyasp("solve", "board.toml", "--puzzles", place, where=tmp_path)
    assert (done.returncode, says in done.stderr) == (2, True)


def test_what_fits_is_not_refused(tmp_path: Path) -> None:
    """The small puzzle of the test above is sound, and can be resolved."""
    place = folder(tmp_path, "threes", NUMBERS, RULES)
    write(tmp_path, {"board.toml": 'puzzle = "threes"\ngivens = "1 ."\n'})
    assert printed("solve", "board.toml", "--puzzles", place, where=tmp_path)
    assert "Unsolved" in printed("resolve", "board.toml", "--puzzles", place, where=tmp_path, code=1)


def test_numbers_have_names_and_cells_stay_blank(tmp_path: Path) -> None:
    """A cell of a number called - stays blank in answers, pictures and sentences; others are read under their names."""
    named = NUMBERS.replace("1..3", "0..2") + 'range = "1..2"\n'
    named = named.replace(
        "[keys", 'names = { 0 = "-", 1 = "A", 2 = "B" }\npicture = { cell = { B = "circle" } }\n[keys', 1
    )
    rules = RULES.replace("1..3", "0..2")
    rules += "violated(once(R, V)) :- cell(R, _), V = 0..2, { value(R, C, V) } != 1.\n"
    place = folder(tmp_path, "threes", named, rules)
    board = one('puzzle = "threes"\ngivens = "A . ."\nsolution = "1 . 2"\n', puzzles=[place])
    assert str(board) == "┌───┬───┬───┐\n│(A)│ . │ . │\n└───┴───┴───┘"
    answer, other = solutions(board)
    assert board.solution in {answer, other}
    blank = not_none(board.solution)
    assert (blank.values, blank.json()) == ({(1, 1): 1, (1, 2): 0, (1, 3): 2}, {"grid": [[1, 0, 2]]})
    assert read(board, str(blank)) == read(board, "A - B") == read(board, "1 0 2") == blank
    drawn = blank.drawing()
    assert (drawn.values, drawn.symbols, drawn.shading) == ({(1, 1): "A"}, {(1, 3): "circle"}, {})
    assert (board.drawing().givens, read(board, ". - .").drawing().shading) == ({(1, 1): "A"}, {(1, 2): False})
    found = [review(board, read(board, text)).status for text in ("A - .", "A . B", ". . B", "A . .")]
    assert found == ["right", "solved", "solved", "right"]
    assert [entry.words for entry in review(board, read(board, "B B -")).wrong] != []
    (only_one,) = loads('puzzle = "threes"\ngivens = "A B ."\n', puzzles=[place])
    assert "row 1, column 3 is blank, a full house" in next(iter(explain(only_one))).words
    wrong = folder(tmp_path, "wrong", named.replace('"B" }', '"2" }'), rules)
    with pytest.raises(EncodingError, match=r"answer\.names\.2 is '2', expected a character for each of some numbers"):
        one('puzzle = "wrong"\ngivens = "A . ."\n', puzzles=[wrong])


# A Hitori that uses the base of connected cells.
CONNECTED = {
    "lonely/puzzle.toml": """
rules = ["sides", "connected"]
summary = "Shade cells, so that no number is twice in a line; shaded cells do not touch, and the others are connected."

[answer]
kind = "shading"
output = "black(R, C)"
unshaded = "white"

[keys.numbers]
kind = "numbers"
fact = "number(R, C, N)"
range = "1..rows"
every = true
""",
    "lonely/words.lp": """
says(twice(L, N),         (L, "has one white", N))                            :- line(L, R, C), number(R, C, N).
says(touch(R, C, R', C'), (cell(R, C), "and", cell(R', C'), "are not both black")) :- side(R, C, R', C').
says(connected, "all white cells are connected").
""",
    "lonely/layout.lp": """
with_rules.
size(N) :- N = #max { R : cell(R, _) }.
{ number(R, C, 1..N) } = 1 :- cell(R, C), size(N).
""",
    "lonely/lonely.lp": """
% Hitori: shade cells, so that no number is twice unshaded in a row or column, no two shaded cells share a side, and all
% unshaded cells are connected.
%
% Input:   number(R, C, N)   N is printed in cell R,C
#defined relaxed/1.
cell(R, C) :- number(R, C, _).
line(row(R), R, C) :- cell(R, C).
line(col(C), R, C) :- cell(R, C).

{ black(R, C) } :- cell(R, C).

% No number is unshaded twice in a row or column.
violated(twice(L, N)) :- line(L, R, C), number(R, C, N), { not black(R', C') : line(L, R', C'), number(R', C', N) } > 1.

% No two shaded cells share a side.
violated(touch(R, C, R', C')) :- side(R, C, R', C'), (R, C) < (R', C'), black(R, C), black(R', C').

% All unshaded cells are connected.
joined(R, C) :- cell(R, C), not black(R, C).

% No rule may be violated; pyasp relaxes rules to see which force what.
:- violated(Rule), not relaxed(Rule).
#show black/2.
""",
    "lonely.toml": 'puzzle = "lonely"\nnumbers = """\n3 3 3\n3 1 2\n1 1 3\n"""\n',
}


@pytest.mark.slow
def test_connectivity_has_the_cells_around_as_reasons(tmp_path: Path) -> None:
    """The base of connected cells has one name, the cells around as reasons, and says what is cut off."""
    write(tmp_path, CONNECTED)
    folders = [tmp_path / "lonely"]
    board = one((tmp_path / "lonely.toml").read_text(encoding="utf-8"), puzzles=folders)
    steps = list(explain(board))
    connected = [step for step in steps if "connected" in map(str, step.rules)]
    assert connected
    assert any("would be cut off" in step.words for step in connected)
    assert all("ll white cells are connected" in step.words for step in connected)
    assert all(re.search(r"(is|are) black", step.words) for step in connected)
    assert steps[-1].status == "unique"
    options = ("--json", "--puzzles", "lonely")
    (said,) = objects(
        printed("check", "lonely.toml", "--answer", "-", *options, where=tmp_path, stdin="xoo\nxox\noxx\n", code=1)
    )
    told = [(rule["rule"], rule["cells"], rule["words"]) for rule in said["broken"]]
    assert ("connected", [[3, 1]], "all white cells are connected") in told
    made = pyasp(
        "generate",
        "lonely",
        "--puzzles",
        "lonely",
        "--size",
        "4",
        "--seed",
        "2",
        "-n",
        "2",
        "--no-grade",
        where=tmp_path,
    ).stdout
    assert [check(board).status for board in loads(made, puzzles=[tmp_path / "lonely"])] == ["unique"] * 2


def test_documents_list_the_names_of_colors() -> None:
    """The documents list the names and the letters that pictures and terminals know, and no others."""
    text = " ".join(text_of(ADDING).split())
    [known] = re.findall(r"Pictures know ([^.]+)\.", text)
    assert set(re.findall(r"\b(?!and\b)[a-z]{2,}", known)) == COLORS.keys()
    assert {letter: name for name, letter in re.findall(r"(\w+) \(`(\w)`\)", known)} == LETTERS
    written = 'puzzle = "strata"\npalette = ["a", "b"]\ntiles = "a c"\n'
    with pytest.raises(InstanceError, match="'c' is not in the palette, expected a or b"):
        one(written)


@pytest.mark.parametrize(
    ("board", "line", "words"),
    [
        ('givens = "1 4"', 2, "row 1, column 2: given 4 is out of range, expected 1 to 3"),
        ('givens = "1 x"', 2, "'x' is not a number"),
        ('givns = "1 x"', None, "no key 'givens'.* is givns a misspelling of it"),
        ("size = [0, 2]", 2, "its sides have 1 to 1000 cells"),
        ("size = [2]", 2, r"expected \[rows, columns\]"),
    ],
)
def test_wrong_boards_are_refused_as_declared(board: str, line: int | None, words: str, tmp_path: Path) -> None:
    """A board that is wrong is refused with its line, by what the declaration says."""
    made = folder(tmp_path, "threes", NUMBERS, RULES)
    with pytest.raises(InstanceError, match=words) as found:
        one(f'puzzle = "threes"\n{board}\n', puzzles=[made])
    assert not_none(found.value.where).line == line


LIGHTS = {
    "lights/puzzle.toml": """
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "bulb(R, C)"
shaded = "lit"
unshaded = "empty"
[keys.numbers]
kind = "numbers"
fact = "number(R, C, N)"
range = "0..4"
clue = true
""",
    "lights/lights.lp": """
#defined number/3. #defined relaxed/1.
{ bulb(R, C) } :- cell(R, C), not number(R, C, _).
violated(number(R, C)) :- number(R, C, N), { bulb(Y, X) : cell(Y, X), |R - Y| + |C - X| = 1 } != N.
violated(two(R, C)) :- bulb(R, C), bulb(R, C + 1).
:- violated(Rule), not relaxed(Rule).
#show bulb/2.
""",
}


@pytest.mark.parametrize(
    ("board", "first"),
    [
        (
            'puzzle = "hi"\nsize = [3, 1]\nlabels = { left = "1 0 1" }\n',
            "Row 1 holds 1 black, so row 1, column 1 is black.",
        ),
        (
            'puzzle = "hi"\nsize = [1, 3]\nlabels = { top = "1 0 1" }\n',
            "Column 1 holds 1 black, so row 1, column 1 is black.",
        ),
        (
            'puzzle = "lights"\nnumbers = """\n. . .\n. 4 .\n. . 2\n"""\n',
            "The 2 in row 3, column 3 must hold, so row 2 column 3 and row 3 column 2 are lit.",
        ),
    ],
)
def test_clues_that_fill_cells(board: str, first: str, tmp_path: Path) -> None:
    """A clue that fills cells alone is a step: each known cell is told by a step, but for printed numbers."""
    pyasp("new", "hi", "--kind", "shading", where=tmp_path)
    folders = [tmp_path / "hi", write(tmp_path, LIGHTS) / "lights"]
    instance = one(board, puzzles=folders)
    *steps, end = explain(instance)
    assert steps[0].words.partition(" Then ")[0] == first
    told = [atom for step in steps for atom in (*step.placed, *step.eliminated, *step.plain)]
    assert len(told) == len(set(told))
    cells = {(atom.arguments[0].number, atom.arguments[1].number) for atom in told}
    printed_cells = {(r, c) for r, c, _ in instance.facts.arguments("number")} if "lights" in board else set()
    known = not_none(decided(instance)).cells().keys()
    assert cells == known - printed_cells
    assert end.status in {"unique", "several"}
    step = hint(instance)
    assert (step.kind, step.words) == ("placement", steps[0].words)
    assert step.display.before is not None
    assert "▓" not in step.hint(TextStyle())


@pytest.mark.parametrize("kind", ["numbers", "variant"])
def test_rules_in_a_folder_are_no_boards(kind: str, tmp_path: Path) -> None:
    """Of the folder of a puzzle or a variant, boards are read; rules, words and the declaration are not named."""
    templates.new_folder("mine", kind, tmp_path)
    write(tmp_path, {"mine/more/facts.lp": "block(1, 1, a).\n", "mine/second.txt": "no board"})
    for where in (".", "mine"):
        said = pyasp("count", where, "--puzzles", ".", where=tmp_path)
        assert (said.returncode, len(said.stdout.splitlines())) == (0, 2)
        skipped = (Path("mine") / "second.txt").relative_to(where)
        assert said.stderr == f"pyasp: warning: {where}: skipped {skipped}, in which no board is recognised\n"


CORNERS = """
summary = "A number counts the shaded cells around its corner."
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "black(R, C)"
[keys.numbers]
kind = "crossings"
fact = "number(R, C, N)"
range = "0..4"
unknown = true
clue = true
"""
COUNTS = """
#defined number/3. #defined number/2. #defined relaxed/1.
{ black(R, C) } :- cell(R, C).
violated(number(R, C)) :- number(R, C, N), { black(R - 1..R, C - 1..C) } != N.
:- violated(Rule), not relaxed(Rule).
#show black/2.
"""


def test_numbers_at_corners(tmp_path: Path) -> None:
    """Numbers at corners of cells, those of the outline too, are read, checked, shown and written as a grid."""
    folder = write(tmp_path, {"mine/puzzle.toml": CORNERS, "mine/mine.lp": COUNTS}) / "mine"
    numbers = [["1", ".", "0"], [".", "2", "."], [".", "?", "1"]]
    made = board("mine", puzzles=folder, size=[2, 2], numbers=numbers)
    assert sorted(made.facts.arguments("number")) == sorted([(1, 1, 1), (1, 3, 0), (2, 2, 2), (3, 2, "?"), (3, 3, 1)])
    assert str(made).split("\n")[::2] == ["1───┬───0", "├───2───┤", "└───?───1"]
    for format_ in ("toml", "lp", "json"):
        assert dumps(one(dumps(made, format_), puzzles=[folder]), "lp") == dumps(made, "lp")
    assert len(re.findall("<circle", svg(made.drawing()))) == 5
    for wrong, problem in (
        (numbers[:2], "numbers is a grid of 2x3, expected 3x3: the corners of 2x2 cells"),
        ([*numbers[:2], [".", ".", "5"]], "numbers is 5, expected 0 to 4"),
        ([*numbers[:2], [".", ".", "a"]], "row 3, column 3: 'a' is not a number"),
    ):
        with pytest.raises(InstanceError, match=re.escape(problem)):
            board("mine", puzzles=folder, size=[2, 2], numbers=wrong)
    facts = dumps(made, "lp")
    with pytest.raises(InstanceError, match="outside the board of 2x2"):
        loads(f"{facts}\nnumber(4,4,1).", puzzles=[folder])
