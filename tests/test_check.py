"""`check` tells the truth about a puzzle, and names each rule that an answer breaks and none that it does not."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pyasp_puzzles import Broken, Settings, check
from pyasp_puzzles.queries.review import review

from . import rules, strategies, violations
from .command import objects, printed, pyasp, refused
from .helpers import FOUR, KNIGHT, KNIGHT_MOVES, extra, filled, mine, one, read, write
from .rules import Cell, Laying, Values
from .strategies import NumberBoard, StrataBoard, StripsBoard, examples

RANDOM = st.randoms(use_true_random=False)


def broken_rules(text: str, answer: str, how: Settings | None = None) -> dict[str, set[Cell]]:
    """Return the rules that an answer, as a person writes it, breaks according to `check`, with their cells."""
    instance = one(text)
    found = check(instance, read(instance, answer), how or Settings())
    assert isinstance(found, list)
    assert all(isinstance(rule, Broken) and rule.words for rule in found)
    assert len({rule.rule for rule in found}) == len(found)
    return {rule.rule: set(rule.cells) for rule in found}


# -- Answers with planted errors --------------------------------------------------


def spoil(random: Random, board: NumberBoard) -> Values:
    """Return an answer (or any filling, if there is none) with up to three errors, and sometimes with gaps."""
    largest = max(map(len, rules.members(board.regions).values()))
    values = next(board.answers(), None) or {cell: random.randint(1, largest) for cell in board.regions}
    for _ in range(random.randint(0, 3)):
        cell, other = random.choice(list(values)), random.choice(list(values))
        if random.random() < 0.5:
            values[cell], values[other] = values[other], values[cell]
        else:
            values[cell] = random.randint(1, largest + 1)
    gaps = random.choice([0, 0, 0.2, 0.5, 0.9])
    return {cell: value for cell, value in values.items() if random.random() >= gaps}


@examples(30)
@given(strategies.number_boards(), RANDOM)
def test_broken_numbers(board: NumberBoard, random: Random) -> None:
    """Of a board of numbers, full or in part: numbers twice or not at all, equals that touch, and changed givens."""
    values = spoil(random, board)
    named = violations.tectonic if board.tectonic else violations.strimko
    assert broken_rules(board.text, filled(values, board.regions)) == named(board, values)


def lying(board: StrataBoard, order: Sequence[rules.Line]) -> Laying:
    """Return lines with the colour that each shows, or one of those, or none."""
    lattice = {}
    for i, (name, index) in enumerate(order):
        below = set(order[:i])
        for (r, c), color in board.tiles.items():
            crossing = ("column", c) if name == "row" else ("row", r)
            if index == (r if name == "row" else c) and crossing in below:
                lattice[name, index] = color
    return [(name, index, lattice.get((name, index))) for name, index in order]


@examples(15)
@given(strategies.strata_boards(), RANDOM)
def test_broken_strata(board: StrataBoard, random: Random) -> None:
    """Of a laying order, of all lines or of some: the ribbons that show where another colour is to be seen."""
    lattices = sorted(board.answers(), key=str)
    order = rules.lines(board.rows, board.columns)
    random.shuffle(order)
    if lattices:
        over = random.choice(lattices).over
        while sorted_ := [(a, b) for a, b in over if order.index(a) < order.index(b)]:
            a, b = sorted_[0]
            order.remove(a)
            order.insert(order.index(b) + 1, a)
    laying = lying(board, order)
    colors = [None, *sorted(set(board.tiles.values()))]
    for _ in range(random.randint(0, 3)):
        i, j = random.randrange(len(laying)), random.randrange(len(laying))
        if random.random() < 0.5:
            laying[i], laying[j] = laying[j], laying[i]
        else:
            laying[i] = (*laying[i][:2], random.choice(colors))
    kept = random.choice([1, 1, 0.5])
    laying = [ribbon for ribbon in laying if random.random() < kept] or laying
    text = "\n".join(f"{name} {index} {color or ''}" for name, index, color in laying)
    assert broken_rules(board.text, text) == violations.strata(board, laying)


@examples(15)
@given(strategies.strips_boards(), RANDOM)
def test_broken_strips(board: StripsBoard, random: Random) -> None:
    """Of a board cut in full or in part: strips that overlap, too long ones, alike ones, and ones not listed."""
    cut = list(next(board.answers(), ()))
    for _ in range(random.randint(0 if cut else 1, 3)):
        if cut and random.random() < 0.5:
            cut.remove(random.choice(sorted(cut)))
        (r, c), (y, x) = random.choice(sorted(board.tiles)), random.choice([(0, 1), (1, 0)])
        run = [(r + i * y, c + i * x) for i in range(random.randint(1, board.longest + 1))]
        strip = run[: next((i for i, cell in enumerate(run) if cell not in board.tiles), len(run))]
        cut.append(tuple(strip))
    cut = list(dict.fromkeys(cut))
    text = "\n".join(" ".join(f"{r},{c}" for r, c in strip) for strip in cut)
    assert broken_rules(board.text, text) == violations.strips(board, cut)


def test_rule_of_ones_own(tmp_path: Path) -> None:
    """A rule that a user adds is named as the user names it, with its cells, exactly where it is broken."""
    how = extra(tmp_path, KNIGHT)

    @examples(15)
    @given(strategies.strimko_boards() | strategies.sudoku_boards(), RANDOM)
    def holds(board: NumberBoard, random: Random) -> None:
        values = spoil(random, board)
        expected = violations.strimko(board, values)
        for (r, c), value in values.items():
            for y, x in KNIGHT_MOVES:
                if values.get((r + y, c + x)) == value:
                    expected[f"knight({r},{c},{r + y},{c + x})"] = {(r, c), (r + y, c + x)}
        assert broken_rules(board.text, filled(values, board.regions), how) == expected

    holds()


# -- The command ------------------------------------------------------------------


ROW, LINE = 'puzzle = "strata"\ntiles = "r b"\n', 'puzzle = "strips"\nlongest = 2\ntiles = "www"\n'
NONE = "[null, null, null, null]"


def cut(*strips: list[list[int]]) -> str:
    """Return strips as JSON."""
    return json.dumps({"solutions": [{"strips": [{"cells": strip} for strip in strips]}]})


@pytest.mark.parametrize(
    ("board", "answer", "rules_broken"),
    [
        (FOUR, "1234\n3412\n2143\n4321\n", []),
        (FOUR, "2134\n3412\n1243\n4321\n", ["given(1,1)"]),
        (FOUR, "1...\n....\n....\n...1\n", []),
        (FOUR, "1...\n1...\n....\n....\n", ["once(col(1),1)", 'once(stream("1"),1)']),
        (FOUR, '{"solutions": [{"grid": [[1, 1, null, null], [], [], []]}]}', None),
        (
            FOUR,
            f'{{"solutions": [{{"grid": [[1, 1, null, null], {NONE}, {NONE}, {NONE}]}}]}}\n',
            ["once(row(1),1)", 'once(stream("1"),1)'],
        ),
        (ROW, "row 1\ncolumn 1 r\ncolumn 2 b\n", []),
        (ROW, "column 1\ncolumn 2\nrow 1 r\n", ["color(row(1))"]),
        (LINE, "a b b", []),
        (LINE, "a a a", ["fit(1,1,right,3)"]),
        (LINE, cut([[1, 1], [1, 2]], [[1, 2], [1, 3]]), ['alike(("w",("w",())))', "cover(1,2)"]),
        (LINE, cut([[1, 1], [1, 2]], [[1, 1], [1, 2]]), None),  # a strip that is there twice
    ],
)
def test_command(tmp_path: Path, board: str, answer: str, rules_broken: list[str] | None) -> None:
    """`check FILE ANSWER` prints the names of the rules that are broken; its exit code says whether there are any."""
    write(tmp_path, {"board.toml": board, "answer.txt": answer})
    done = pyasp("check", "board.toml", "answer.txt", "--json", where=tmp_path)
    if rules_broken is None:
        refused(done)
        return
    (said,) = objects(done.stdout)
    assert [rule["rule"] for rule in said["broken"]] == rules_broken
    assert (done.returncode, done.stderr) == (1 if rules_broken else 0, "")


@pytest.mark.parametrize("board", ["tectonic/seed", "strata/wave", "strips/list", "strimko/four", "sudoku/six"])
def test_what_solve_prints_is_right(tmp_path: Path, board: str) -> None:
    """The answers that `solve --json` prints, of one board or many, break no rule."""
    answers = printed("solve", "--json", board, where=tmp_path)
    shown = printed("check", "--json", board, "-", where=tmp_path, stdin=answers)
    assert all(said["broken"] == [] for said in objects(shown))


def test_verdicts_as_exit_codes(tmp_path: Path) -> None:
    """`check FILE` ends with 0 where there is just one answer, and with 1 where there are several or none."""
    texts = {"several": FOUR, "unique": 'puzzle = "strips"\ntiles = "w"\n', "none": 'puzzle = "strips"\ntiles = "ww"\n'}
    texts["none"] += "longest = 1\n"
    for status, text in texts.items():
        write(tmp_path, {"board.toml": text})
        (said,) = objects(printed("check", "board.toml", "--json", where=tmp_path, code=int(status != "unique")))
        assert said["status"] == check(one(text)).status == status


# -- Right so far, or stuck -----------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "status", "code", "words"),
    [
        ("1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1", "solved", 0, "Solved."),
        ("1 2 3 4\n. . . .\n. . . .\n. . . .", "right", 0, "Right so far, 12 still open."),
        (". 2 3 4\n. . . .\n. . . .\n. . . .", "right", 0, "Right so far, 12 still open."),
        ("1 1 . .\n. . . .\n. . . .\n. . . .", "broken", 1, "once(row(1),1)  row 1 holds 1 once"),
        ("1 2 . .\n. . 4 .\n. . 3 .\n3 . . 4", "stuck", 1, "No rule is broken yet, but it cannot be completed: take"),
    ],
)
def test_reviews(rows: str, status: str, code: int, words: str, tmp_path: Path) -> None:
    """An answer is solved, right so far, broken, or cannot be completed though no rule is broken yet."""
    write(tmp_path, {"four.toml": FOUR, "answer.txt": rows})
    shown = printed("check", "four.toml", "answer.txt", where=tmp_path, code=code)
    assert shown.splitlines()[1].startswith(words)
    assert ("contradicts the other entries: " in shown) == (status == "stuck")
    (said,) = objects(pyasp("check", "four.toml", "answer.txt", "--json", where=tmp_path).stdout)
    assert said["status"] == status
    assert bool(said["wrong"]) == (status == "stuck")
    assert bool(said["broken"]) == (status == "broken")


@examples(15)
@given(strategies.tectonic_boards())
def test_reviews_of_parts(board: NumberBoard) -> None:
    """Part of an answer is right so far; the same with one number changed is broken or stuck, or part of another."""
    instance = one(board.text)
    answers = list(board.answers())
    assume(answers)
    first = answers[0]
    half = dict(sorted(first.items())[::2])

    def status(values: Values) -> str:
        return review(instance, read(instance, filled(values, board.regions))).status

    assert status(first) == "solved"
    assert status(half) in {"right", "solved"}
    cell = min(half)
    changed = half | {cell: half[cell] + 1}
    fits = any(changed.items() <= answer.items() for answer in answers)
    assert (status(changed) in {"right", "solved"}) == fits


def test_more_clues_than_are_listed(tmp_path: Path) -> None:
    """If a board needs too many more clues to list, their number is said; JSON has them all."""
    file = mine(tmp_path, 'puzzle = "sudoku"\nsize = [6, 6]\n', "blank.toml")
    shown = printed("check", file, "--timeout", "2", where=tmp_path, code=1)
    assert re.search(r"^\d+ more clues would leave one answer; --json lists them\.$", shown, re.MULTILINE)


CLUES = 'puzzle = "sudoku"\ngivens = "12..\\n34..\\n..1.\\n...4"\n'
TILES = 'puzzle = "strata"\ntiles = "r b\\nr b"\n'


@pytest.mark.parametrize(
    ("board", "solution", "warned"),
    [
        (CLUES, "1243\\n3421\\n4312\\n2134", False),
        (CLUES, "1243\\n3421\\n4312\\n2133", True),
        (TILES, "row 1\\nrow 2\\ncolumn 1 r\\ncolumn 2 b", False),
        (TILES, "column 1 r\\ncolumn 2 r\\nrow 1\\nrow 2", True),
    ],
)
def test_a_wrong_solution(board: str, solution: str, warned: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """The solution that comes with a board is compared: if it breaks a rule, there is a warning."""
    done = pyasp("check", "-", where=tmp_path, stdin=f'{board}solution = "{solution}"\n')
    assert done.returncode == 0
    assert done.stderr.startswith("pyasp: warning: <stdin>: the solution is wrong, it breaks: ") == warned
    assert bool(done.stderr) == warned
