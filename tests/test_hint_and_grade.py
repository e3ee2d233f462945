"""The next step alone, what to take back, how hard a puzzle is, and the commands that say so."""

from __future__ import annotations

import json
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pyasp_puzzles import Settings, Step, explain, grade, hint, load, solve
from pyasp_puzzles.explanation.grade import WORDS, grade_steps
from pyasp_puzzles.puzzles.step import step_cost

from . import rules, strategies
from .command import objects, pyasp
from .helpers import FOUR, SHIPPED, filled, one, only, read
from .strategies import examples

if TYPE_CHECKING:
    from pathlib import Path


# -- Hints ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["strimko/seven", "sudoku/easy", "tectonic/seed", "strips/final", "strata/seed"])
def test_next_step(name: str) -> None:
    """Without anything filled in, a hint is the first step of the explanation."""
    instance = only(name)
    assert hint(instance).json() == next(iter(explain(instance))).json()


@pytest.mark.parametrize(("name", "share"), [("strimko/seven", 2), ("sudoku/easy", 5), ("tectonic/ten", 6)])
def test_hints_lead_to_the_answer(name: str, share: int) -> None:
    """Following hint after hint leads to the answer, and no hint repeats what is known."""
    instance = only(name)
    cells = instance.facts.cells(instance.puzzle.required)
    known = {cell: value.number for cell, value in instance.facts.cells("given").items()}
    answer = solve(instance)
    assert answer is not None
    values: dict[Any, Any] = dict(answer.cells())
    known |= {cell: value for i, (cell, value) in enumerate(values.items()) if i % share}  # hints are quick then
    while True:
        step = hint(instance, read(instance, filled(known, cells)))
        if step.kind == "end":
            break
        assert step.kind in {"placement", "elimination"}
        for atom in step.placed:
            r, c, value = (argument.number for argument in atom.arguments)
            assert (r, c) not in known
            known[r, c] = value
        if not step.placed:  # eliminations cannot be filled in: the next placement takes them further
            steps = explain(instance, Settings(), read(instance, filled(known, cells)))
            atom = next(step.placed[0] for step in steps if step.placed)
            r, c, value = (argument.number for argument in atom.arguments)
            known[r, c] = value
    assert known == values
    assert (step.status, step.words) == ("unique", "That is the answer, and there is no other.")


@given(strategies.strimko_boards() | strategies.tectonic_boards(), st.randoms(use_true_random=False))
@examples(15)
def test_mistakes(drawn: strategies.NumberBoard, random: Any) -> None:
    """Wrong entries are named, the fewest that leave an answer; right ones never."""
    instance = one(drawn.text)
    enumerate_ = rules.strimko_answers if instance.puzzle.name == "strimko" else rules.tectonic_answers
    answers = list(enumerate_(drawn.regions, drawn.givens))
    assume(answers)
    cells = random.sample(sorted(drawn.regions), min(4, len(drawn.regions)))
    entries = {cell: random.choice(answers)[cell] if random.random() < 0.7 else random.randint(1, 4) for cell in cells}
    rows, columns = max(r for r, _ in drawn.regions), max(c for _, c in drawn.regions)
    text = "\n".join(
        " ".join(str(entries.get((r, c), ".")) if (r, c) in drawn.regions else "#" for c in range(1, columns + 1))
        for r in range(1, rows + 1)
    )
    fewest = min(
        size
        for size in range(len(entries) + 1)
        for out in combinations(entries, size)
        if any(all(answer[cell] == entries[cell] for cell in entries if cell not in out) for answer in answers)
    )
    step = hint(instance, read(instance, text))
    assert (step.kind == "mistake") == (fewest > 0)
    if fewest:
        taken = {(atom.arguments[0].number, atom.arguments[1].number) for atom in step.eliminated}
        assert len(step.eliminated) == len(taken) == fewest
        assert set(step.cells) == taken
        left = {cell: value for cell, value in entries.items() if cell not in taken}
        assert any(all(answer[cell] == value for cell, value in left.items()) for answer in answers)
        assert not step.placed


def test_mistake_in_words() -> None:
    """The hint names the entries to take back, and does not give the answer away."""
    instance = only("strimko/four")
    step = hint(instance, read(instance, ". . . .\n. . . .\n. 3 . .\n. . 4 ."))
    assert (
        step.words == "The 3 in row 3, column 2 and the 4 in row 4, column 3 contradict the clues: "
        "row 3, column 2: its stream has 3."
    )
    assert step.json()["eliminated"] == [{"cell": [3, 2], "value": 3}, {"cell": [4, 3], "value": 4}]


def test_printed_clues_stay() -> None:
    """An entry that contradicts a printed clue is to be taken back, and not the clue."""
    instance = only("strimko/four")
    step = hint(instance, read(instance, ". . . .\n4 . . .\n. . . .\n. . . ."))
    assert step.words == "The 4 in row 2, column 1 contradicts the clues: 1 is there."


def test_strata_pile() -> None:
    """For Strata, what is filled in is the top of the pile; the next ribbon comes below it."""
    instance = only("strata/seed")
    assert (
        hint(instance, read(instance, "row 2 blue")).words
        == "Column 1: every coloured cell still uncovered is yellow, "
        "because the rest came off with row 2."
    )
    assert hint(instance, read(instance, "row 1 yellow\nrow 2 blue")).kind == "mistake"
    assert hint(instance, read(instance, "row 2 green")).words == "Take back row 2: with it there is no answer."


def test_strips_laid() -> None:
    """For strips, it is the strips that lie there."""
    instance = only("strips/final")
    answer = solve(instance)
    assert answer is not None
    step = hint(instance, answer)
    assert (step.kind, step.status) == ("end", "unique")
    wrong = hint(instance, read(instance, "1,1\n1,2"))
    assert wrong.kind == "mistake"
    assert "the strip of 1 that begins at row 1, column" in wrong.words


def test_no_answer() -> None:
    """If the puzzle itself has no answer, the hint says so, and blames no entry."""
    instance = one('puzzle = "sudoku"\ngivens = """\n1 . . 1\n. . . .\n. . . .\n. . . .\n"""')
    for so_far in (None, read(instance, ". 2 . .\n. . . .\n. . . .\n. . . .")):
        found = hint(instance, so_far)
        assert (found.kind, found.status) == ("end", "none")
    assert grade(instance)[:3] == ("none", "", 0)
    assert (grade(instance).json()["word"], grade(instance).json()["score"]) == (None, None)


# -- Grades ---------------------------------------------------------------------


def steps(*sizes: int, available: int = 1, status: str = "unique") -> list[Step]:
    """Return steps that take so many rules, of which each leaves two candidates open and takes one cell."""
    instance = only("strimko/four")
    rule = next(iter(explain(instance))).rules[0]
    made = [
        Step(i, "placement", "", (rule,) * size, cost=step_cost(size, 2 * size, size, 50, available))
        for i, size in enumerate(sizes, 1)
    ]
    return [*made, Step(len(sizes) + 1, "end", "", status=status)]


@pytest.mark.parametrize(
    ("sizes", "word", "beyond", "largest"),
    [
        ((1, 1, 1), "easy", 0, 1),
        ((1, 2, 1), "medium", 1, 2),
        ((2, 2), "medium", 2, 2),
        ((4, 1), "hard", 1, 4),
        ((1, 8, 4), "very hard", 2, 8),
        ((14,), "extreme", 1, 14),
        ((), "easy", 0, 0),
    ],
)
def test_words(sizes: tuple[int, ...], word: str, beyond: int, largest: int) -> None:
    """The word goes by the score, and the score by the hardest step."""
    instance = only("strimko/four")
    found = grade_steps(instance, steps(*sizes))
    assert (found.word, found.steps, found.beyond, found.largest) == (word, len(sizes), beyond, largest)
    assert [most for _, most in WORDS] == sorted(most for _, most in WORDS)
    assert found.score == round(found.score, 1)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=30), st.integers(1, 30), st.integers(1, 49))
@examples(30)
def test_harder_steps_score_higher(sizes: list[int], another: int, available: int) -> None:
    """Another step, larger steps, and fewer steps to choose from never lower the score."""
    instance = only("strimko/four")

    def score(*sizes: int, available: int = available) -> float:
        return grade_steps(instance, steps(*sizes, available=available)).score

    assert score(*sizes) <= score(*sizes, another)
    assert score(*sizes) < score(*(2 * size for size in sizes))
    assert score(*sizes, available=available + 1) <= score(*sizes)


@pytest.mark.parametrize(
    "names",
    [
        ("strata/seed", "strata/four", "strata/six"),
        ("strimko/four", "strimko/five"),
        ("sudoku/easy", "sudoku/six", "sudoku/seventeen"),
        ("tectonic/cross", "tectonic/three-clues"),
        ("strips/list", "strips/oblong"),
    ],
)
def test_scores_differ(names: tuple[str, ...]) -> None:
    """Boards of one puzzle have scores of their own, even if all are easy; here the harder ones come last."""
    scores = [grade(only(name)).score for name in names]
    assert scores == sorted(set(scores))


@pytest.mark.parametrize(("names", "fewest"), [("strata/", 6), ("strimko/", 5), ("tectonic/", 3), ("strips/hunt", 5)])
def test_scores_discriminate(names: str, fewest: int) -> None:
    """Of up to nine boards of a family, so many have different scores."""
    boards = [board for name in SHIPPED if name.startswith(names) for board in load(name)][:9]
    found = [grade(board, resolution=False) for board in boards]
    assert len({graded.score for graded in found if graded.word}) >= fewest


@pytest.mark.parametrize("name", ["strimko/seven", "tectonic/seed", "strips/final", "strata/seed"])
def test_only_what_a_grade_needs(name: str) -> None:
    """Steps without words are the same steps, and a grade without resolution is the same grade."""
    instance = only(name)
    parts = [
        [(step.kind, step.rules, step.cells, step.placed, step.eliminated, step.plain, step.cost) for step in steps]
        for steps in (explain(instance), explain(instance, words=False))
    ]
    assert parts[0] == parts[1]
    found = grade(instance)
    assert found == grade_steps(instance, explain(instance))
    assert grade(instance, resolution=False) == found._replace(resolution="")


def test_available() -> None:
    """A step knows how many conclusions there were to choose from, and costs more if there were few."""
    found = [step for step in explain(only("strimko/four")) if step.kind != "end"]
    assert found[-1].available == 1
    assert max(step.available for step in found) > 1
    assert all(step.cost >= len(step.rules) for step in found)
    assert step_cost(1, 1, 1, 40, 1) > step_cost(1, 1, 1, 40, 2) > step_cost(1, 1, 1, 40, 20)
    peeled = list(explain(only("strata/seed")))
    assert {step.available for step in peeled if step.kind == "peel"} >= {1, 2}


@pytest.mark.parametrize("status", ["several", "none", "unknown"])
def test_no_word(status: str) -> None:
    """A puzzle that has not just one answer is not graded."""
    instance = only("strimko/four")
    assert grade_steps(instance, steps(1, 2, status=status)).word == ""


@pytest.mark.parametrize(
    ("name", "word", "resolution", "guess"),
    [
        ("sudoku/easy", "easy", "solved", False),
        ("strimko/resolution", "easy", "solved", False),
        ("strimko/needs-a-guess", "medium", "unsolved", True),
        ("strimko/seven", "hard", "unsolved", True),
        ("strata/seed", "easy", "", None),
        ("strips/final", "hard", "", None),
    ],
)
def test_facts(name: str, word: str, resolution: str, guess: object) -> None:
    """Whether resolution solves it, and whether it needs a guess, are facts of the grade."""
    instance = only(name)
    found = grade(instance)
    assert (found.word, found.resolution, found.guess) == (word, resolution, guess)
    assert found.json()["needs_guess"] is guess


# -- The commands ---------------------------------------------------------------


def test_explain_command(tmp_path: Path) -> None:
    """Each step is printed with a picture, or as a JSON object; the exit code says how it ends."""
    text = pyasp("explain", "strimko/four", where=tmp_path)
    assert text.returncode == 0
    words = "Row 4, column 2 can only be 4, a naked single, because its stream has 1 and 3, and its row has 2."
    assert text.stdout.startswith(f"Four by four  strimko/four\n1. {words}\n    1 ")
    assert "│[3]C │*4*C │ . D │[2]D │" in text.stdout
    brief = pyasp("explain", "strimko/four", "--brief", where=tmp_path)
    assert brief.stdout.count("┌") == 1
    said = pyasp("explain", "strimko/four", "--json", where=tmp_path)
    instance = only("strimko/four")
    told = objects(said.stdout)
    assert [{key: line[key] for key in step.json()} for line, step in zip(told, explain(instance), strict=True)] == [
        step.json() for step in explain(instance)
    ]
    assert {line["source"] for line in told} == {"strimko/four"}


@pytest.mark.parametrize(
    ("givens", "code", "status"),
    [("1 2 3 .\n. . . .\n. . . .\n. . . .", 1, "several"), ("1 . . 1\n. . . .\n. . . .\n. . . .", 1, "none")],
)
def test_exit_codes(givens: str, code: int, status: str, tmp_path: Path) -> None:
    """Several answers, or none, are reported with exit code 1."""
    (tmp_path / "b.toml").write_text(f'puzzle = "sudoku"\ngivens = """\n{givens}\n"""')
    for command in ("explain", "grade"):
        done = pyasp(command, "b.toml", "--json", where=tmp_path)
        assert done.returncode == code
        assert objects(done.stdout)[-1]["status"] == status


def test_hint_command(tmp_path: Path) -> None:
    """One step, from a file or from standard input; a mistake is exit code 1, what cannot be read 2."""
    words = "1. Row 4, column 2 can only be 4, a naked single, because its stream has 1 and 3, and its row has 2."
    for level, expected in {"--brief": "Look at row 4, column 2.", "--more": words, "--all": words}.items():
        done = pyasp("hint", "strimko/four", "--brief", level, where=tmp_path)
        assert done.stdout.splitlines()[1:] == [expected]
    assert "*" not in pyasp("hint", "strimko/four", where=tmp_path).stdout
    assert "*4*" in pyasp("hint", "strimko/four", "--all", where=tmp_path).stdout
    assert (
        "   - Row 4, column 2 is not 2: the 2 in row 4, column 4; row 4 holds 2 once."
        in pyasp("hint", "strimko/four", "--why", where=tmp_path).stdout
    )
    done = pyasp("hint", "strimko/four", "-", "--json", where=tmp_path, stdin=". . . .\n. . . .\n. . . .\n. 1 . .")
    assert (done.returncode, objects(done.stdout)[0]["kind"]) == (1, "mistake")
    wrong = pyasp("hint", "strimko/four", "-", where=tmp_path, stdin="1 2\n3 4")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("pyasp: -")


def test_rules_of_ones_own(tmp_path: Path) -> None:
    """A user rule takes part, and doubts about it are warnings."""
    (tmp_path / "mine.lp").write_text("violated(corner(1, 1)) :- not value(1, 1, 2).\nodd :- nothing.\n")
    (tmp_path / "b.toml").write_text('puzzle = "sudoku"\ngivens = """\n. . . .\n. . . .\n. . . .\n. . . .\n"""')
    done = pyasp("explain", "b.toml", "--extra", "mine.lp", "--brief", where=tmp_path)
    assert done.stdout.splitlines()[1] == "1. The rule corner for row 1, column 1: so row 1, column 1 is 2."
    assert "warning: mine.lp:2" in done.stderr
    (tmp_path / "bad.lp").write_text("violated(x) :- value(.\n")
    for command in ("explain", "hint", "grade"):
        bad = pyasp(command, "b.toml", "--extra", "bad.lp", where=tmp_path)
        assert (bad.returncode, bad.stderr.startswith("pyasp: bad.lp:1")) == (2, True)


def test_out_of_time(tmp_path: Path) -> None:
    """Running out of time is reported, with exit code 3."""
    for command in ("explain", "grade"):
        done = pyasp(command, "sudoku/large", "--timeout", "0.01", "--json", where=tmp_path)
        assert done.returncode == 3
        assert objects(done.stdout)[-1]["status"] == "unknown"


def test_grade_command(tmp_path: Path) -> None:
    """A word, the steps, and what resolution does; one object a board with --json."""
    done = pyasp("grade", "strimko/needs-a-guess", "strimko/four", where=tmp_path)
    assert (done.returncode, "\nMedium 2.9\n" in done.stdout, "Resolution solves it." in done.stdout) == (0, True, True)
    said = json.loads(pyasp("grade", "strimko/four", "--json", where=tmp_path).stdout)
    assert (said["word"], said["score"], said["steps"], said["resolution_solves"]) == ("easy", 0.6, 13, True)


def test_a_complete_board_with_other_answers() -> None:
    """A board that is filled in, and right, is not said to have the only answer if it has several."""
    several, unique = one(FOUR), only("sudoku/easy")
    first = solve(several)
    assert hint(several, first).words == "The board is complete, and right. It may have other answers."
    assert hint(unique, solve(unique)).words == "That is the answer, and there is no other."
