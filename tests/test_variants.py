"""Every shipped variant: its rules mean what a checker in plain Python says, and every command honours them."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

from pyasp_puzzles import EncodingError, Instance, InstanceError, count, dumps, solutions
from pyasp_puzzles.asp.rules import mode_path
from pyasp_puzzles.asp.search import program_search
from pyasp_puzzles.puzzles.questions import rule_files_in_use

from .helpers import ENCODINGS, grounded, one
from .rules import Cell, Values
from .strategies import rectangle, times
from .variant_boards import (
    BOXES,
    DECLARED,
    FOLDERS,
    LATIN,
    OWN_KEYS,
    VARIANTS,
    Base,
    a_board,
    base,
    own_variants,
    sudokus,
)
from .variants import CHECKERS, Clue, Filled


def all_values(instance: Instance, cells: list[Cell]) -> set[tuple[int, ...]]:
    """Return the numbers of all answers."""
    return {tuple(answer.values[cell] for cell in cells) for answer in solutions(instance, 0)}


def plain_values(instance: Instance, messages: list[str]) -> set[tuple[int, ...]]:
    """Return the numbers of all answers in plain clingo, without consequences, and what it says of the rules."""
    control = grounded(instance, *rule_files_in_use(instance)[1:], messages=messages)
    found = set()
    with control.solve(yield_=True) as models:
        for model in models:
            values = {tuple(a.number for a in atom.arguments) for atom in model.symbols(shown=True)}
            found.add(tuple(v for _, _, v in sorted(values)))
    return found


def agree(name: str, seed: int, board: Base, folders: list[Path]) -> None:
    """Check that the answers of a board with a variant are those of the checker, and of plain clingo."""
    text, expected = a_board(name, seed, board)
    instance = one(text, puzzles=folders)
    wanted = {tuple(values[cell] for cell in board.cells) for values in expected}
    assert all_values(instance, board.cells) == wanted, text
    assert int(count(instance, 0)) == len(wanted), text
    messages: list[str] = []
    assert plain_values(instance, messages) == wanted, text
    assert not messages


# A clue of each variant with a total, with a cell twice: in TOML, and as the checker takes it.
TWICE = {
    "arrow": ('arrows = "r1c1 > r2c2 r1c2 r2c2"', Clue([(2, 2), (1, 2), (2, 2)], head=[(1, 1)])),
    "double-arrow": ('double_arrows = "r1c1 r2c2 r2c3 r2c2 r3c3"', Clue([(1, 1), (2, 2), (2, 3), (2, 2), (3, 3)])),
    "equal-sum": ('equal_sums = "r1c1 r1c1 = r1c2 r1c3"', Clue(groups=[[(1, 1), (1, 1)], [(1, 2), (1, 3)]])),
    "region-sum-line": (
        'region_sum_lines = "r1c1 r1c2 r1c3 r2c3 r1c3"',
        Clue([(1, 1), (1, 2), (1, 3), (2, 3), (1, 3)]),
    ),
    "sum": ('sums = "r1c1 r1c1 r1c2 = 5"', Clue([(1, 1), (1, 1), (1, 2)], 5)),
    "sum-line": ('sum_lines = "r1c1 r1c2 r1c1 r2c3 = 4"', Clue([(1, 1), (1, 2), (1, 1), (2, 3)], 4)),
    "zipper-line": ('zipper_lines = "r1c1 r1c2 r1c3 r1c2 r2c1"', Clue([(1, 1), (1, 2), (1, 3), (1, 2), (2, 1)])),
}


@pytest.mark.parametrize("name", TWICE)
def test_a_cell_that_is_listed_twice_counts_twice(name: str) -> None:
    """Totals count such a cell twice, also in strings of Interactive Sudoku Solver, which counts it twice, too."""
    line, clue = TWICE[name]
    board = one(f'puzzle = "sudoku"\nsize = [4, 4]\n{line}\n')
    wanted = sum(CHECKERS[name](Filled(values, BOXES, {name: [clue]}, range(1, 5)), [clue]) for values in sudokus())
    assert 0 < wanted < len(sudokus())
    assert [int(count(read, 0)) for read in (board, one(dumps(board, "iss")))] == [wanted, wanted]


def test_a_cage_with_a_cell_twice() -> None:
    """The cell counts twice in the sum of a cage, and does not differ from itself."""
    wanted = sum(2 * values[1, 1] + values[1, 2] == 5 for values in sudokus())
    for text in (
        'puzzle = "sudoku"\nsize = [4, 4]\nkiller_cages = "r1c1 r1c1 r1c2 = 5"\n',
        ".Shape~4x4.Cage~5~R1C1~R1C1~R1C2",
    ):
        assert int(count(one(text), 0)) == wanted > 0


# A filled 6x6 Sudoku for each variant that no 4x4 Sudoku has an answer with.
SIXES = {
    "anti-king": "351264 264351 415623 623145 146532 532416",
    "anti-taxicab": "364521 215346 152634 436152 643215 521463",
    "global-entropy": "412365 536214 123546 645132 261453 354621",
    "global-modulo": "465132 213546 321654 546213 132465 654321",
}


@cache
def six(name: str, *, flipped: bool) -> list[Values]:
    """Return all 6x6 Sudokus with the three upper rows of the board of a variant, or of the board upside down."""
    rows = [tuple(map(int, row)) for row in SIXES[name].split()]
    return [*_completed((rows[::-1] if flipped else rows)[:3])]


def _completed(rows: list[tuple[int, ...]]) -> Iterator[Values]:
    """Yield the 6x6 Sudokus that begin with some rows."""
    if len(rows) == 6:
        yield {(r, c): rows[r - 1][c - 1] for r, c in rectangle(6, 6)}
        return
    for row in permutations(range(1, 7)):
        boxes = len(rows) % 2 == 0 or {*row[:3]} == {*rows[-1][3:]}
        if boxes and all(a != b for above in rows for a, b in zip(above, row, strict=True)):
            yield from _completed([*rows, row])


@pytest.mark.sampled(0)
@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", SIXES)
def test_rules_about_the_whole_board(name: str, flipped: bool) -> None:  # noqa: FBT001 (pytest gives it)
    """Of all 6x6 Sudokus with three rows in common, the answers are those that the checker accepts."""
    boards = six(name, flipped=flipped)
    regions = {(r, c): "ABCDEF"[(r - 1) // 2 * 2 + (c - 1) // 3] for r, c in rectangle(6, 6)}
    wanted = {
        tuple(values.values()) for values in boards if CHECKERS[name](Filled(values, regions, {}, range(1, 7)), ())
    }
    assert 0 < len(wanted) < len(boards)
    rows = ["".join(str(boards[0][r, c]) for c in range(1, 7)) for r in (1, 2, 3)]
    text = f'puzzle = "sudoku"\nvariants = ["{name}"]\ngivens = """\n' + "\n".join([*rows, *3 * ["......"]]) + '\n"""\n'
    found = solutions(one(text), 0)
    assert {tuple(answer.values[cell] for cell in rectangle(6, 6)) for answer in found} == wanted


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.sampled(0)
def test_rules_mean_what_the_checker_says(name: str) -> None:
    """All answers of a small board are those that the checker accepts, with pruning and in plain clingo without."""
    _, expected = a_board(name, 0)
    assert expected or name in SIXES
    agree(name, 0, base("sudoku"), [])


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the folders of the variants in the documents and the template, and of a puzzle with any outline."""
    return own_variants(tmp_path_factory.mktemp("own"))


def refused(name: str, board: Base, folders: list[Path]) -> None:
    """Check that a variant is refused by name, with one line."""
    with pytest.raises((EncodingError, InstanceError)) as error:
        one(a_board(name, 0, board._replace(answers=[]))[0], puzzles=folders)
    assert name in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.sampled(0)
@pytest.mark.parametrize("puzzle", ["sudoku", "strimko", "tectonic", "free", "digits"])
@pytest.mark.parametrize("name", [*VARIANTS, *OWN_KEYS])
def test_rules_mean_the_same_on_every_puzzle(name: str, puzzle: str, folders: list[Path]) -> None:
    """The same of every variant on random boards of every puzzle, one of a user's own among them.

    Boards of Tectonic are not square, have holes, or are larger than their largest number. Others list their digits.
    """
    for seed in range(times(2, 5)):
        board = base(puzzle, f"{name} {seed}")
        sides = {max(cell[i] for cell in board.cells) for i in (0, 1)}
        square = {4} if name == "windoku" else {3, 4} if "diagonal" in name or name == "full-rank" else sides
        if (
            (name in LATIN and puzzle in {"tectonic", "free"})
            or (len(sides) > 1 and square != sides)
            or not sides <= square
        ):
            refused(name, board, folders)
        else:
            agree(name, seed, board, folders)


@pytest.mark.sampled(19)
@pytest.mark.parametrize("name", VARIANTS)
def test_folders_are_complete(name: str) -> None:
    """A variant has a summary, a header with what it reads and how its rules are called, and words for each rule."""
    assert DECLARED[name]["summary"].endswith(".")
    header, _, rules_ = (FOLDERS[name] / f"{name}.lp").read_text("utf-8").partition("\n\n")
    assert re.match(r"% [A-Z]", header)
    assert re.search(r"^% Input:   \S", header, re.MULTILINE)
    named = set(re.findall(r"(\w+)\(", header.partition("% Names:")[2]))
    heads = set(re.findall(r"^violated\((\w+)\(", rules_, re.MULTILINE))
    assert heads <= named
    text, _ = a_board(name, 0)
    instance = one(text)
    words = [
        *instance.puzzle.companions("words"),
        *(file for one in instance.variants for file in FOLDERS[one].glob("words.lp")),
    ]
    messages: list[str] = []
    control = grounded(instance, *rule_files_in_use(instance)[1:], *words, messages=messages)
    atoms = {
        which: {str(atom.symbol.arguments[0]) for atom in control.symbolic_atoms.by_signature(which, arity)}
        for which, arity in (("violated", 1), ("says", 2), ("excludes", 2), ("blocks", 2))
    }
    assert {rule for rule in atoms["violated"] if not rule.startswith("given")} <= atoms["says"]
    for which in ("excludes", "blocks"):  # words for all rules of a name, or for each
        named_or_own = {rule for rule in atoms["violated"] if {rule, rule.partition("(")[0]} & atoms[which]}
        assert {rule for rule in atoms["violated"] if rule.partition("(")[0] in heads} <= named_or_own
    assert not [message for message in messages if "info" not in message]


def test_lines_of_encodings_are_short() -> None:
    """No line of the shipped rules is wider than 120 columns."""
    files = ENCODINGS.rglob("*.lp")
    assert [
        f"{file.name}: {line}" for file in files for line in file.read_text("utf-8").split("\n") if len(line) > 120
    ] == []


# A small program that has a model, and for which clingo 5.8.3 says that there is none, unless it runs with `--eq=0`.
LOST = """
size(N) :- N = #max { R: stream(R,_,_) }.
candidate(R,C,V) :- stream(R,C,_); size(N); V = (1..N); not excluded(R,C,V).
{ value(R,C,V) } :- candidate(R,C,V).
violated(given(R,C)) :- given(R,C,V); not value(R,C,V).
#false :- violated(Rule); not relaxed(Rule).
stream(2,5,2).
stream(4,1,4).
stream(4,2,4).
stream(4,3,4).
stream(5,1,5).
stream(5,2,5).
stream(5,3,5).
stream(5,4,5).
stream(7,7,7).
killer_cage(1,1,5,1).
killer_cage(1,2,4,1).
killer_cage(1,3,5,2).
killer_cage(1,4,5,3).
killer_cage(1,5,4,3).
killer_cage_value(1,23).
violated(killer_cage(I,V)) :- killer_cage(I,1,_,_); size(N); V = (1..N); 1 < { value(R,C,V): killer_cage(I,_,R,C) }.
term(killer_cage(I),J,1,R,C) :- killer_cage(I,J,R,C); killer_cage_value(I,_).
total(killer_cage(I),S) :- killer_cage_value(I,S).
weight(X,R,C,F) :- total(X,_); term(X,_,_,R,C); F = #sum { F',K: term(X,K,F',R,C) }; F != 0.
at_least(R,C,V) :- weight(_,R,C,_); value(R,C,V).
at_least(R,C,V) :- at_least(R,C,(V+1)); V > 0.
#false :- total(X,T); T != #sum { F,R,C,V: at_least(R,C,V), weight(X,R,C,F) }; not relaxing.
given(4,1,4).
given(4,3,6).
given(5,1,7).
given(5,2,5).
given(5,3,1).
"""


def test_no_answer_is_lost() -> None:
    """Where the consequences of sums are loaded, clingo runs without a preprocessing that loses models."""
    assert len([*program_search([mode_path("sums")], f"{LOST}unit(none, 0, 0).").models(1)]) == 1
