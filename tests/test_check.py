"""`check` names each rule that an answer breaks and none that it does not, and tells the truth about a puzzle.

It has one answer, several or none; what is decided, what is possible, which clues to drop, and which to add.
"""

import json
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, islice, permutations, product
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pyasp_puzzles import (
    Broken,
    Instance,
    Settings,
    Verdict,
    board,
    check,
    count,
    decided,
    possible,
    review,
    solutions,
    solve,
)

from . import plain, rules, strategies, violations
from .command import objects, printed, pyasp, refused
from .helpers import FOUR, KNIGHT, KNIGHT_MOVES, extra, filled, not_none, one, only, read, status, write
from .rules import Cell, Lattice, Laying, Values
from .strategies import NumberBoard, StrataBoard, StripsBoard, examples, rectangle, toml

RANDOM = st.randoms(use_true_random=False)


def broken_rules(text: str, answer: str, how: Settings | None = None) -> dict[str, set[Cell]]:
    """Return the rules that an answer, as a person writes it, breaks according to `review`, with their cells."""
    instance = one(text)
    found = review(instance, read(instance, answer), how or Settings()).broken
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


def test_rules_of_lines_show_their_cells() -> None:
    """The cells of a broken rule without `about` are those of its sentence, and not the numbers of its line."""
    board = one(
        "puzzle = 'sudoku'\nsize = 4\npalindromes = ['r1c3 r2c4', 'r3c1 r4c2']\ncounting_circles = ['r1c1 r4c4']"
    )
    found = review(board, read(board, "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1"))
    cells = {rule.rule: rule.cells for rule in found.broken}
    assert cells["palindrome(1,1)"] == ((1, 3), (2, 4))
    assert cells["palindrome(2,1)"] == ((3, 1), (4, 2))
    assert cells["counting_circle(1,1)"] == ((1, 1), (4, 4))


@examples(30)
@given(strategies.number_boards(), RANDOM)
@pytest.mark.slow
def test_broken_rules_of_numbers_are_named(board: NumberBoard, random: Random) -> None:
    """Of a board of numbers, full or in part: numbers twice or not at all, equals that touch, and changed givens."""
    values = spoil(random, board)
    named = violations.tectonic if board.tectonic else violations.strimko
    assert broken_rules(board.text, filled(values, board.regions)) == named(board, values)


def lying(board: StrataBoard, order: Sequence[rules.Line]) -> Laying:
    """Return lines with the color that each shows, or one of those, or none."""
    lattice = {}
    for i, (name, index) in enumerate(order):
        below = set(order[:i])
        for (r, c), color in board.tiles.items():
            crossing = ("column", c) if name == "row" else ("row", r)
            if index == (r if name == "row" else c) and crossing in below:
                lattice[name, index] = color
    return [(name, index, lattice.get((name, index))) for name, index in order]


@pytest.mark.slow
@examples(15)
@given(strategies.strata_boards(), RANDOM)
def test_broken_rules_of_laying_orders_are_named(board: StrataBoard, random: Random) -> None:
    """Of a laying order, of all lines or of some: the ribbons that show where another color is to be seen."""
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


@pytest.mark.slow
@examples(15)
@given(strategies.strips_boards(), RANDOM)
def test_broken_rules_of_strips_are_named(board: StripsBoard, random: Random) -> None:
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


def test_a_cell_that_is_left_breaks_no_rule_yet() -> None:
    """A tile that no strip covers, as those that could are alike or overlap, is open: entries are wrong, no rule is."""
    assert broken_rules('puzzle = "strips"\ntiles = """\nw w # b\n"""\nlongest = 2\n', "1,1\n1,4\n") == {}


@pytest.mark.slow
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


@pytest.mark.sampled(4)
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
def test_the_command_names_broken_rules(
    tmp_path: Path, board: str, answer: str, rules_broken: list[str] | None
) -> None:
    """`check --answer` prints the names of the rules that are broken; its exit code says whether there are any."""
    write(tmp_path, {"board.toml": board, "answer.txt": answer})
    done = pyasp("check", "board.toml", "--answer", "answer.txt", "--json", where=tmp_path)
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
    shown = printed("check", "--json", board, "--answer", "-", where=tmp_path, stdin=answers)
    assert all(said["broken"] == [] for said in objects(shown))


def test_verdicts_as_exit_codes(tmp_path: Path) -> None:
    """`check FILE` ends with 0 where there is just one answer, and with 1 where there are several or none."""
    unique, none = 'puzzle = "strips"\ntiles = "w"\n', 'puzzle = "strips"\ntiles = "ww"\nlongest = 1\n'
    texts = {"several": FOUR, "unique": unique, "none": none}
    for expected, text in texts.items():
        write(tmp_path, {"board.toml": text})
        (said,) = objects(printed("check", "board.toml", "--json", where=tmp_path, code=int(expected != "unique")))
        assert said["status"] == check(one(text)).status == expected


# -- Right so far, or stuck -----------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("rows", "status", "code", "words"),
    [
        ("1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1", "solved", 0, "Solved."),
        ("1 2 3 4\n. . . .\n. . . .\n. . . .", "right", 0, "Right so far, 12 still open."),
        (". 2 3 4\n. . . .\n. . . .\n. . . .", "right", 0, "Right so far, 12 still open."),
        ("1 1 . .\n. . . .\n. . . .\n. . . .", "broken", 1, "Without the 1 in row 1, column 2, no rule is broken."),
        ("1 2 . .\n. . 4 .\n. . 3 .\n3 . . 4", "stuck", 1, "No rule is broken yet, but it cannot be completed: take"),
    ],
)
def test_reviews_tell_right_answers_from_wrong_ones(
    rows: str, status: str, code: int, words: str, tmp_path: Path
) -> None:
    """An answer is solved, right so far, broken, or cannot be completed though no rule is broken yet."""
    write(tmp_path, {"four.toml": FOUR, "answer.txt": rows})
    shown = printed("check", "four.toml", "--answer", "answer.txt", where=tmp_path, code=code)
    assert shown.splitlines()[1].startswith(words)
    assert ("contradicts the other entries: " in shown) == (status == "stuck")
    (said,) = objects(pyasp("check", "four.toml", "--answer", "answer.txt", "--json", where=tmp_path).stdout)
    assert said["status"] == status
    assert bool(said["wrong"]) == (status in {"stuck", "broken"})
    assert bool(said["broken"]) == (status == "broken")


@pytest.mark.slow
def test_swapped_entries_are_taken_back_first(tmp_path: Path) -> None:
    """Of two rows whose beginnings are swapped, exactly the swapped entries come first, before any rule."""
    rows = [list(row) for row in not_none(solve("sudoku/easy")).json()["grid"]]
    rows[0][:3], rows[1][:3] = rows[1][:3], rows[0][:3]
    write(tmp_path, {"answer.txt": "\n".join(" ".join(map(str, row)) for row in rows)})
    first, second, *_ = printed("check", "sudoku/easy", "--answer", "answer.txt", where=tmp_path, code=1).splitlines()[
        1:
    ]
    swapped = [f"the {rows[r][c]} in row {r + 1}, column {c + 1}" for r in range(2) for c in range(3)]
    assert first == f"Without {', '.join(swapped[:-1])} and {swapped[-1]}, no rule is broken."
    assert second == "- the 8 in row 1, column 2"
    (said,) = objects(pyasp("check", "sudoku/easy", "--answer", "answer.txt", "--json", where=tmp_path).stdout)
    assert [entry["words"] for entry in said["wrong"]] == swapped


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", ["check", "hint", "resolve"])
def test_every_file_is_a_board(command: str, tmp_path: Path) -> None:
    """A second file is another board, and never taken for an answer to the first."""
    write(tmp_path, {"one.toml": FOUR, "two.toml": FOUR, "answer.txt": "1 2 3 4\n"})
    found = objects(pyasp(command, "one.toml", "two.toml", "--json", where=tmp_path).stdout)
    assert [record["source"] for record in found] == ["one.toml", "two.toml"]
    done = pyasp(command, "one.toml", "answer.txt", where=tmp_path)
    assert done.returncode == 2
    assert "answer.txt" in done.stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", ["check", "hint"])
def test_each_board_has_its_own_answer(command: str, tmp_path: Path) -> None:
    """Of several files, each board is compared with its own answer, whatever the order of the answers."""
    names = ["strimko/four", "sudoku/easy", "strata/seed"]
    answers = [pyasp("solve", name, "--json", where=tmp_path).stdout for name in names]
    write(tmp_path, {"answers.jsonl": "".join(reversed(answers)), "one.txt": "1 2 3 4\n"})
    done = pyasp(command, *names, "--answer", "answers.jsonl", "--json", where=tmp_path)
    found = objects(done.stdout)
    assert done.returncode == 0, done.stderr
    assert {record["source"] for record in found} == {*names}
    assert {record["status"] for record in found} <= {"solved", "unique"}
    done = pyasp(command, "sudoku/easy", "strimko/four", "--answer", "one.txt", where=tmp_path)
    assert (done.returncode, "this is an answer to one board" in done.stderr) == (2, True)
    done = pyasp(command, "sudoku/six", "strimko/four", "--answer", "answers.jsonl", where=tmp_path)
    assert (done.returncode, "is not among the boards given" in done.stderr) == (2, True)


@pytest.mark.slow
@examples(5)
@given(strategies.number_boards(), RANDOM)
def test_no_fewer_entries_can_be_taken_back(board: NumberBoard, random: Random) -> None:
    """Without the entries that are named, the rest of a wrong answer breaks no rule; with fewer taken back, it does."""
    instance, values = one(board.text), spoil(random, board)
    found = review(instance, read(instance, filled(values, board.regions)))
    assume(found.status == "broken" and found.wrong)
    taken = {cell for entry in found.wrong for cell in entry.cells}
    assert len(taken) == len(found.wrong) <= len(values)

    def breaks(taken: Collection[Cell]) -> bool:
        rest = {cell: value for cell, value in values.items() if cell not in taken}
        return bool(review(instance, read(instance, filled(rest, board.regions))).broken)

    assert not breaks(taken)
    # What agrees with the clues stays, so only the others are tried.
    others = sorted(cell for cell, value in values.items() if board.givens.get(cell) != value)
    if len(taken) <= 3:
        assert all(map(breaks, combinations(others, len(taken) - 1)))


@pytest.mark.slow
def test_parts_of_answers_are_right_until_changed(tmp_path: Path) -> None:
    """Part of an answer is right so far; the same with one number changed is broken or stuck, or part of another."""

    @examples(15)
    @given(strategies.tectonic_boards())
    def agrees(board: NumberBoard) -> None:
        answers = list(board.answers())
        assume(answers)
        write(tmp_path, {"board.toml": board.text})

        def status(values: Values) -> str:
            text = filled(values, board.regions)
            done = pyasp("check", "board.toml", "--answer", "-", "--json", where=tmp_path, stdin=text)
            (said,) = objects(done.stdout)
            return str(said["status"])

        first = answers[0]
        half = dict(sorted(first.items())[::2])
        assert status(first) == "solved"
        assert status(half) in {"right", "solved"}
        cell = min(half)
        changed = half | {cell: half[cell] + 1}
        fits = any(changed.items() <= answer.items() for answer in answers)
        assert (status(changed) in {"right", "solved"}) == fits

    agrees()


@pytest.mark.slow
def test_more_clues_than_are_listed(tmp_path: Path) -> None:
    """If a board needs too many more clues to list, their number is said; JSON has them all."""
    blank = 'puzzle = "sudoku"\nsize = [8, 8]\n'
    shown = printed("check", "-", "--timeout", "1", where=tmp_path, code=1, stdin=blank)
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
def test_a_wrong_solution_is_warned_of(board: str, solution: str, warned: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """The solution that comes with a board is compared: if it breaks a rule, a warning says so, and the code is 1."""
    text = f'{board}solution = "{solution}"\n'
    done = pyasp("check", "-", where=tmp_path, stdin=text)
    assert done.returncode == int(warned)
    assert done.stderr.startswith("pyasp: warning: <stdin>: the solution is wrong, it breaks: ") == warned
    assert bool(done.stderr) == warned
    [record] = objects(pyasp("check", "-", "--json", where=tmp_path, stdin=text).stdout)
    assert (bool(record["broken"]), record["status"] in {"unique", "solvable"}) == (warned, True)


def verdict(instance: Instance, answers: int) -> Verdict:
    """Return the verdict on a board, which is right about how many answers there are, and shows one or two of them."""
    started = monotonic()
    strata = instance.puzzle.name == "strata"
    found = check(instance, settings=Settings(timeout=5), distinct="lattices" if strata else None)
    late = monotonic() - started >= 5
    assert isinstance(found, Verdict)
    assert found.status == status(answers)
    assert len(found.answers) == len(set(found.answers)) == min(answers, 2)
    assert (found.decided is not None) == (answers > 0)
    if answers == 0:
        assert decided(instance) is None
        assert possible(instance) is None
        assert found.stuck or found.blamed or late  # the fewest rules to break may take long to find
    elif answers == 1:
        assert (found.differ, found.decided) == ((), found.cells)
    else:
        assert found.differ
        assert found.decided is not None
        assert found.decided + len(found.differ) <= found.cells  # a cell that differs is not the same in every answer
    return found


# -- Numbers ----------------------------------------------------------------------


@examples(24)
@given(strategies.number_boards())
@pytest.mark.slow
def test_verdicts_on_numbers_are_those_of_their_answers(board: NumberBoard) -> None:
    """Of a board of numbers, status, decided and possible are those of its answers."""
    instance, answers = one(board.text), list(board.answers())
    found = verdict(instance, len(answers))
    assert all(plain.values(answer.json()) in answers for answer in found.answers)
    if answers:
        held = {cell: {answer[cell] for answer in answers} for cell in board.regions}
        same = {cell: min(values) for cell, values in held.items() if len(values) == 1}
        assert found.decided == len(same)
        assert found.cells == len(board.regions)
        assert plain.values(not_none(decided(instance)).json()) == same
        rows = enumerate(not_none(possible(instance)).json()["candidates"], 1)
        candidates = {(r, c): cell for r, row in rows for c, cell in enumerate(row, 1) if cell is not None}
        assert candidates == {cell: sorted(values) for cell, values in held.items()}


# -- Strips and ribbons -------------------------------------------------------------


@pytest.mark.slow
@examples(12)
@given(strategies.strips_boards())
def test_verdicts_on_strips_are_those_of_their_answers(board: StripsBoard) -> None:
    """Of a board of strips, those decided lie in every answer, and those possible in some."""
    instance, answers = one(board.text), list(board.answers())
    found = verdict(instance, len(answers))
    assert all(frozenset(plain.strips(answer.json())) in answers for answer in found.answers)
    if answers:
        same = frozenset.intersection(*answers)
        assert set(plain.strips(not_none(decided(instance)).json())) == same
        assert set(plain.strips(not_none(possible(instance)).json())) == frozenset.union(*answers)
        assert found.cells == len(board.tiles)
        assert found.decided == sum(map(len, same))


def tops(lattice: Lattice) -> set[tuple[Cell, str]]:
    """Return who is on top in each cell."""
    return {((a[1], b[1]) if a[0] == "row" else (b[1], a[1]), a[0]) for a, b in lattice.over}


@examples(12)
@given(strategies.strata_boards())
def test_verdicts_on_strata_are_those_of_their_answers(board: StrataBoard) -> None:
    """Of a Strata board, who is on top where, and in which color, as in every answer, or as in any."""
    instance, answers = one(board.text), list(board.answers())
    found = verdict(instance, len(answers))
    assert all(plain.identity(answer.json()) in answers for answer in found.answers)
    if not answers:
        return
    crossings, colors = [tops(answer) for answer in answers], [answer.colors for answer in answers]
    for answer, over, shown in (
        (decided(instance), set.intersection(*crossings), frozenset.intersection(*colors)),
        (possible(instance), set.union(*crossings), frozenset.union(*colors)),
    ):
        json: dict[str, Any] = not_none(answer).json()
        rows = enumerate(json["tops"], 1)
        assert {((r, c), top) for r, row in rows for c, cell in enumerate(row, 1) for top in cell} == over
        assert {((x["line"], x["index"]), color) for x in json["ribbons"] for color in x["colors"]} == shown
    assert found.cells == board.rows * board.columns
    assert check(instance).status == "solvable"


# -- Which clues to drop --------------------------------------------------------------


KEYS = {"tectonic": "blocks", "strimko": "streams", "sudoku": "regions"}


def smallest_repairs(board: NumberBoard, givens: Values) -> dict[frozenset[Cell], int]:
    """Return the smallest sets of givens without which there are answers, and how many, trying all; 1001 are many."""
    found: dict[frozenset[Cell], int] = {}
    for size in range(len(givens) + 1):
        for dropped in combinations(givens, size):
            left = {cell: value for cell, value in givens.items() if cell not in dropped}
            if number := sum(1 for _ in islice(board.answers(left), 1001)):
                found[frozenset(dropped)] = number
        if found:
            break
    return found


@pytest.mark.slow
@examples(12)
@given(
    strategies.tectonic_boards() | strategies.strimko_boards(),
    RANDOM,
    st.sampled_from([1, 1, 1, 2, 3]),
)
def test_every_smallest_repair_is_listed(board: NumberBoard, random: Random, times: int) -> None:
    """Where wrong clues leave no answer, every smallest repair is listed, with the number of answers it leaves."""
    puzzle = "tectonic" if board.tectonic else random.choice(["strimko", "sudoku"])
    answer = next(board.answers({}), {})
    assume(answer)
    givens = dict(random.sample(sorted(answer.items()), random.randint(0, min(5, len(answer)))))
    sizes = {region: len(cells) for region, cells in rules.members(board.regions).items()}
    for cell in random.sample(sorted(answer), min(times, len(answer))):
        wrong = [v for v in range(1, sizes[board.regions[cell]] + 1) if v != answer[cell]]
        givens[cell] = random.choice(wrong or [answer[cell]])
    helping = smallest_repairs(board, givens)
    assume(helping and frozenset() not in helping)
    found = verdict(one(strategies.numbers(puzzle, KEYS[puzzle], board.regions, givens).text), 0)
    told = {frozenset(cell for clue in repair.clues for cell in clue.cells): repair for repair in found.repairs}
    numbers = {cells: repair.answers.number for cells, repair in told.items()}
    assert numbers == {cells: min(number, 1000) for cells, number in helping.items()}
    assert all(repair.answers.exact or helping[cells] >= 1000 for cells, repair in told.items())
    assert list(numbers.values()) == sorted(numbers.values())
    for repair in found.repairs:
        assert bool(repair.instead) == (repair.answers.number == 1 and len(repair.clues) == 1)
    dropped = frozenset(cell for clue in found.blamed for cell in clue.cells)
    assert found.without is not None
    assert found.without == numbers[dropped]
    assert len(found.blamed) == len(dropped)
    for clue in found.blamed:
        ((r, c),) = clue.cells
        assert clue.rule == f"given({r},{c})"
        assert f"{givens[r, c]} in row {r}, column {c}" in clue.words


def test_several_numbers_of_a_line_are_one_clue(tmp_path: Path) -> None:
    """The numbers of a line outside the board are one clue, named with all of them."""
    runs = 'runs = { top = "1,1 3 4 0 3,1", left = "1 3,1 2,1 3 1,1,1" }'
    write(tmp_path, {"board.toml": f'puzzle = "nonogram"\nsize = [5, 5]\n{runs}\n'})
    shown = printed("check", "board.toml", where=tmp_path, code=1)
    assert "Without the 3 left of row 4 it has 1 answer." in shown


def test_a_mistyped_clue_is_named_as_people_say_it(tmp_path: Path) -> None:
    """A mistyped clue is named as a person would, with how many answers there are without it."""
    givens = '"""\n1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 2\n"""'
    write(tmp_path, {"board.toml": toml(puzzle='"sudoku"', givens=givens)})
    shown = printed("check", "board.toml", where=tmp_path, code=1)
    assert shown == "board.toml\nNo answer.\nWithout the 2 in row 4, column 4 it has 1 answer, with a 1 there.\n"
    (board,) = objects(pyasp("check", "--json", "board.toml", where=tmp_path).stdout)
    assert board["status"] == "none"
    assert [clue["cells"] for clue in board["blamed"]] == [[[4, 4]]]
    assert board["without"] == {"count": 1, "exact": True}


@pytest.mark.slow
@examples(20)
@given(strategies.tectonic_boards() | strategies.strips_boards())
def test_no_clue_to_blame(board: NumberBoard | StripsBoard) -> None:
    """Where a board has no answer whatever its clues, rules are named that would have to be broken, and no clue."""
    if isinstance(board, NumberBoard):
        board = NumberBoard(board.text.split("givens")[0], board.regions, {})
    assume(not any(True for _ in board.answers()))
    found = verdict(one(board.text), 0)
    assert found.blamed
    assert found.without is None
    assert not any(rule.rule.startswith("given") for rule in found.blamed)
    assert all(rule.words for rule in found.blamed)


@pytest.mark.parametrize(
    ("blocks", "givens"),
    [
        (["AAC", "BBC", "DDC"], ["1..", "...", "..2"]),
        (["AAABB", "ACCCB", "DCEBB", "DDEEF"], [".....", "..2..", ".....", "1...."]),
        (["AABBB", "CCCBB", "DDEEE", "DDDEE"], []),
    ],
)
def test_a_layout_without_an_answer(blocks: list[str], givens: list[str], tmp_path: Path) -> None:
    """A layout that has no answer without its clues is named first, with a minimal set of blocks to blame."""
    keys: dict[str, Any] = {"blocks": blocks, **({"givens": givens} if givens else {})}
    found = check(board("tectonic", **keys))
    assert found.layout
    blamed = [{*unit.cells} for unit in found.unfilled]
    regions = {(r, c): name for r, row in enumerate(blocks, 1) for c, name in enumerate(row, 1)}
    assert [unit.words for unit in found.unfilled] == [f"block {regions[min(cells)]}" for cells in blamed]

    def fillable(parts: Iterable[set[Cell]]) -> bool:
        """Return whether blocks by themselves can be filled, by trying every filling."""
        fillings = product(*(permutations(range(1, len(cells) + 1)) for cells in map(sorted, parts)))
        cells = [cell for part in parts for cell in sorted(part)]
        return any(
            all(v != w for (a, v), (b, w) in combinations(zip(cells, sum(filling, ()), strict=True), 2) if touch(a, b))
            for filling in fillings
        )

    def touch(a: Cell, b: Cell) -> bool:
        return max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1

    assert not fillable(blamed)
    assert all(fillable([other for other in blamed if other != cells]) for cells in blamed)
    grids = {key: '"""\n' + "\n".join(rows) + '\n"""' for key, rows in keys.items()}
    text = toml(puzzle='"tectonic"', **grids)
    _, status, first, _, *rest = printed("check", "-", where=tmp_path, code=1, stdin=text).splitlines()
    assert status == "No answer."
    assert first.startswith("Even without its clues this board has" if givens else "This layout has no answer: block ")
    assert "given" not in "".join(rest)
    assert len(set(rest)) == len(rest)
    assert all(": row " in line or "- row " in line for line in rest)


# -- What to add, and what is good enough --------------------------------------------


@examples(8)
@given(strategies.sudoku_boards())
@pytest.mark.slow
def test_clues_to_add_leave_one_answer_and_are_all_needed(board: NumberBoard) -> None:
    """Of several answers, few numbers of the first one make it the only one; without any of them it is not."""
    assume(1 < sum(1 for _ in islice(board.answers(), 200)) < 200)
    instance = one(board.text)
    found = check(instance)
    assert found.status == "several"
    first = found.answers[0].cells()
    added = {entry.cells[0]: entry.value for entry in found.add}
    assert added
    assert added.items() <= first.items()
    answers = [answer.cells() for answer in solutions(instance)]
    for left in [added, *({c: v for c, v in added.items() if c != cell} for cell in added)]:
        agreeing = [answer for answer in answers if left.items() <= answer.items()]
        assert (agreeing == [first]) == (left == added)
    if len(added) <= 3:
        fewer = (dict(pairs) for pairs in combinations(first.items(), len(added) - 1))
        assert all(sum(pairs.items() <= answer.items() for answer in answers) > 1 for pairs in fewer)


def test_broken_rules_are_told_as_people_say_them(tmp_path: Path) -> None:
    """What an answer breaks is in words, not in terms of the encoding: a box needs a number, or has two of it."""
    write(tmp_path, {"four.toml": FOUR, "full.txt": "1 2 3 4\n3 2 1 4\n2 1 4 3\n4 3 2 1\n"})
    shown = printed("check", "four.toml", "--answer", "full.txt", where=tmp_path, code=1)
    assert "- box 1 needs a 4: " in shown
    assert "- column 2 has more than one 2: row 1, column 2; row 2, column 2\n" in shown
    assert "once(" not in shown


def test_no_answer_whatever_the_clues(tmp_path: Path) -> None:
    """If no clue is to blame, the fewest rules to break are named, or rules that clash."""
    write(tmp_path, {"four.toml": FOUR})
    rules_ = ("--extra", "anti-knight", "--extra", "anti-king")
    done = pyasp("check", "four.toml", *rules_, where=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("four.toml\nNo answer.\n")
    assert "a king's move away" in done.stdout


@pytest.mark.parametrize("name", ["strata/seed", "strata/six", "strata/rows"])
def test_strata_is_good_if_it_can_be_solved(name: str, tmp_path: Path) -> None:
    """A Strata board is good if it has an answer; the looks are counted, and an option demands a single one."""
    instance = only(name)
    found = check(instance)
    assert found.status == "solvable"
    assert found.looks == count(instance, 1000, distinct="looks")
    done = pyasp("check", name, where=tmp_path)
    assert done.returncode == 0
    assert "It can be solved." in done.stdout
    looks = count(instance, 2, distinct="looks").number
    assert pyasp("check", name, "--distinct", "looks", where=tmp_path).returncode == (0 if looks == 1 else 1)


@pytest.mark.parametrize(
    ("rules", "blamed"),
    [
        (":- value(1, 1, V), V != 2.", {'line("mine.lp",1)'}),
        ("violated(corner) :- value(1, 1, 1).\nviolated(other) :- value(1, 2, 1).", {"corner"}),
        (
            "violated(small(R, C)) :- value(R, C, V), V < 2.",
            {f"small({r},{c})" for r, c in ((1, 1), (2, 4), (3, 2), (4, 3))},
        ),
    ],
)
def test_added_rules_that_no_answer_keeps_are_blamed(rules: str, blamed: set[str], tmp_path: Path) -> None:
    """Where a board has an answer without the rules that were added, the fewest of these are blamed, not the clues."""
    board = one('puzzle = "sudoku"\ngivens = "1234\\n34.1\\n2.43\\n4312"\n')
    verdict = check(board, settings=extra(tmp_path, rules))
    assert {rule.rule for rule in verdict.rules} == blamed
    assert not verdict.repairs
    assert not verdict.unfilled
    wrong = one('puzzle = "sudoku"\ngivens = "11..\\n....\\n....\\n...."\n')
    assert check(wrong, settings=extra(tmp_path, ":- value(4, 4, 1).")).repairs


@pytest.mark.slow
def test_a_large_blank_board() -> None:
    """A blank Tectonic of 60x60 cells in blocks of five, which no default search solves in a minute, is solved."""
    rows = [[f"b{r}_{c // 5}" for c in range(60)] for r in range(60)]
    instance = board("tectonic", blocks=rows)
    answer = next(solutions(instance, 1, Settings(timeout=50)))
    values = answer.cells()
    assert len(values) == 3600
    for r, c in rectangle(60, 60):
        near = [(r + y, c + x) for y, x in product((-1, 0, 1), repeat=2) if (y, x) > (0, 0)]
        assert all(values[r, c] != values.get(cell) for cell in near)


@pytest.mark.parametrize(
    ("board", "rule", "columns"),
    [
        ('puzzle = "shikaku"\nnumbers = "2 . ."', "rectangle", [3]),
        ('puzzle = "galaxies"\nsize = [1, 3]\ncenters = ["r1c1"]', "galaxy", [2, 3]),
    ],
)
def test_clues_that_fill_the_board_are_kept(board: str, rule: str, columns: list[int]) -> None:
    """Without its clues, no cell of a board could have a region: the fewest rules are broken with them."""
    verdict = check(one(board))
    assert (verdict.status, verdict.layout) == ("none", False)
    assert [one.words for one in verdict.rules] == [f"row 1, column {c} belongs to one {rule}" for c in columns]
