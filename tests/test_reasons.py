"""What `check` says beyond its verdict: every clue to blame, what to add, what is free, how far an answer is right."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings

from pyasp_puzzles import Settings, check, count, load, solutions
from pyasp_puzzles.queries.check import Verdict, verdict
from pyasp_puzzles.queries.review import review

from . import rules, strategies
from .command import objects, pyasp
from .helpers import one
from .strategies import grid, rectangle, toml

if TYPE_CHECKING:
    from pathlib import Path

    from .strategies import NumberBoard

FOUR = '"""\n1 . . .\n. . . .\n. . . .\n. . . .\n"""'


@settings(max_examples=25)
@given(strategies.strimko_boards())
def test_every_clue_to_blame(board: NumberBoard) -> None:
    """Where a board has no answer, each smallest set of clues that helps is told, with how many answers it leaves."""
    answers = len(list(rules.strimko_answers(board.regions, board.givens)))
    assume(not answers and board.givens)
    found = check(one(board.text))
    assert isinstance(found, Verdict)
    helping = {}
    for size in range(1, len(board.givens) + 1):
        for cells in combinations(board.givens, size):
            kept = {cell: value for cell, value in board.givens.items() if cell not in cells}
            number = len(list(rules.strimko_answers(board.regions, kept)))
            if number:
                helping[frozenset(cells)] = number
        if helping:
            break
    told = {
        frozenset(cell for clue in repair.clues for cell in clue.cells): repair.answers.number
        for repair in found.repairs
    }
    assert told == {cells: min(number, 1000) for cells, number in helping.items()}
    numbers = [repair.answers.number for repair in found.repairs]
    assert numbers == sorted(numbers)
    for repair in found.repairs:
        assert bool(repair.instead) == (repair.answers.number == 1 and len(repair.clues) == 1)


def test_a_mistyped_clue(tmp_path: Path) -> None:
    """A clue that was mistyped is told with what its cell holds then; clues that leave one answer come first."""
    (tmp_path / "board.toml").write_text(
        toml(puzzle='"sudoku"', givens='"""\n1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 2\n"""'), encoding="utf-8"
    )
    done = pyasp("check", "board.toml", where=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == "board.toml\nNo answer.\nWithout the 2 in row 4, column 4 it has 1 answer, with a 1 there.\n"


@settings(max_examples=20)
@given(strategies.sudoku_boards())
def test_clues_to_add(board: NumberBoard) -> None:
    """Of several answers, few numbers of the first one make it the only one; without any of them it is not."""
    instance = one(board.text)
    found = check(instance)
    assert isinstance(found, Verdict)
    assume(found.status == "several")
    first = found.answers[0].cells()
    added = {entry.cells[0]: entry.value for entry in found.add}
    assert added
    assert added.items() <= first.items()
    answers = [answer.cells() for answer in solutions(instance, 300)]
    assume(len(answers) < 300)
    for left in [added, *({c: v for c, v in added.items() if c != cell} for cell in added)]:
        agreeing = [answer for answer in answers if left.items() <= answer.items()]
        assert (agreeing == [first]) == (left == added)
    if len(added) <= 3:
        fewer = (dict(pairs) for pairs in combinations(first.items(), len(added) - 1))
        assert all(sum(pairs.items() <= answer.items() for answer in answers) > 1 for pairs in fewer)


def test_no_answer_whatever_the_clues(tmp_path: Path) -> None:
    """Where no clue is to blame, that is said at once, and then the fewest rules to break, or rules that clash."""
    (tmp_path / "four.toml").write_text(toml(puzzle='"sudoku"', givens=FOUR), encoding="utf-8")
    rules_ = ("--extra", "anti-knight", "--extra", "anti-king")
    done = pyasp("check", "four.toml", *rules_, where=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("four.toml\nNo answer.\n")
    assert "king(" in done.stdout
    instance = one(toml(puzzle='"sudoku"', givens=FOUR))
    said = verdict(instance, Settings(extra=tuple(map(_path, ("anti-knight", "anti-king")))), reasons=False)
    assert (said.status, said.blamed, said.clash) == ("none", (), ())


def _path(name: str) -> Path:
    from pathlib import Path

    return Path(name)


@pytest.mark.parametrize("name", ["strata/seed", "strata/six", "strata/rows"])
def test_strata_is_good_if_it_can_be_solved(name: str, tmp_path: Path) -> None:
    """A Strata board is good if it has an answer; how many looks it has is told, and one is asked for by an option."""
    instance = next(iter(load(name)))
    found = check(instance)
    assert isinstance(found, Verdict)
    assert found.status == "solvable"
    assert found.looks == count(instance, 1000, distinct="looks")
    done = pyasp("check", name, where=tmp_path)
    assert done.returncode == 0
    assert "It can be solved." in done.stdout
    looks = count(instance, 2, distinct="looks").number
    assert pyasp("check", name, "--distinct", "looks", where=tmp_path).returncode == (0 if looks == 1 else 1)


@pytest.mark.parametrize(
    ("rows", "status", "code", "words"),
    [
        ("1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1", "solved", 0, "Solved."),
        ("1 2 3 4\n. . . .\n. . . .\n. . . .", "right", 0, "Right so far, 12 still open."),
        (". 2 3 4\n. . . .\n. . . .\n. . . .", "right", 0, "Right so far, 12 still open."),
        ("1 1 . .\n. . . .\n. . . .\n. . . .", "broken", 1, "once(row(1),1)  row 1 holds 1 once"),
        (
            "1 2 . .\n. . 4 .\n. . 3 .\n3 . . 4",
            "stuck",
            1,
            "No rule is broken yet, but it cannot be completed: take back",
        ),
    ],
)
def test_reviews(rows: str, status: str, code: int, words: str, tmp_path: Path) -> None:
    """An answer is solved, right so far, broken, or cannot be completed though no rule is broken yet."""
    text = toml(puzzle='"sudoku"', givens=FOUR)
    (tmp_path / "four.toml").write_text(text, encoding="utf-8")
    (tmp_path / "answer.txt").write_text(rows, encoding="utf-8")
    done = pyasp("check", "four.toml", "answer.txt", where=tmp_path)
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.splitlines()[1].startswith(words)
    (said,) = objects(pyasp("check", "four.toml", "answer.txt", "--json", where=tmp_path).stdout)
    assert said["status"] == status
    assert bool(said["wrong"]) == (status == "stuck")
    assert bool(said["broken"]) == (status == "broken")


@settings(max_examples=25)
@given(strategies.tectonic_boards())
def test_reviews_of_parts(board: NumberBoard) -> None:
    """Part of an answer is right so far; the same with one number changed is broken or stuck, or part of another."""
    instance = one(board.text)
    answers = list(rules.tectonic_answers(board.regions, board.givens))
    assume(answers)
    first = answers[0]
    half = {cell: value for i, (cell, value) in enumerate(sorted(first.items())) if i % 2 == 0}
    rows, columns = (max(cell[i] for cell in board.regions) for i in (0, 1))

    def status(values: dict[tuple[int, int], int]) -> str:
        text = grid(values, board.regions, rows, columns).strip('"\n')
        return review(instance, instance.puzzle.read(instance, text, instance.facts.where)).status

    assert status(dict(first)) == "solved"
    assert status(half) in {"right", "solved"}
    cell = min(half)
    changed = half | {cell: half[cell] + 1}
    fits = any(changed.items() <= answer.items() for answer in answers)
    assert (status(changed) in {"right", "solved"}) == fits


def test_a_large_blank_board() -> None:
    """A blank Tectonic of 60x60 cells in blocks of five, which no default search solves in a minute, is solved."""
    rows = [" ".join(f"b{r}_{(c - 1) // 5}" for c in range(1, 61)) for r in range(1, 61)]
    instance = one('puzzle = "tectonic"\nblocks = """\n' + "\n".join(rows) + '\n"""\n')
    answer = next(solutions(instance, 1, Settings(timeout=50)))
    values = answer.cells()
    assert len(values) == 3600
    for r, c in rectangle(60, 60):
        near = [(r + y, c + x) for y, x in product((-1, 0, 1), repeat=2) if (y, x) > (0, 0)]
        assert all(values[r, c] != values.get(cell) for cell in near)
