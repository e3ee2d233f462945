"""The next step alone, what to take back, how hard a puzzle is, and the commands that say so."""

import json
import re
from dataclasses import replace
from itertools import combinations
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pyasp_puzzles import EncodingError, Settings, Step, explain, grade, hint, load, solve
from pyasp_puzzles.explanation.grade import grade_steps
from pyasp_puzzles.model.grades import GRADES, GradeScale
from pyasp_puzzles.model.step import EndStatus, deduction_cost
from pyasp_puzzles.puzzles import declaration, templates

from . import plain, rules, strategies
from .command import objects, printed, pyasp, refused
from .helpers import ENCODINGS, FOUR, INSTANCES, SHIPPED, filled, grounded, not_none, one, only, read, sudoku, write
from .strategies import examples

# -- Hints ----------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["strimko/seven", "sudoku/easy", "tectonic/seed", "strips/final", "strata/seed"])
def test_a_hint_is_the_first_step(name: str) -> None:
    """Without anything filled in, a hint is the first step of the explanation."""
    instance = only(name)
    assert hint(instance).json() == next(iter(explain(instance))).json()


@pytest.mark.parametrize(("name", "share"), [("strimko/seven", 2), ("sudoku/easy", 5), ("tectonic/ten", 6)])
@pytest.mark.slow
def test_hints_lead_to_the_answer(name: str, share: int) -> None:
    """Following hint after hint leads to the answer, and no hint repeats what is known."""
    instance = only(name)
    cells = instance.facts.cells(instance.puzzle.required)
    values: dict[Any, Any] = dict(not_none(solve(instance)).cells())
    known = {cell: value for i, (cell, value) in enumerate(values.items()) if i % share}  # hints are quick then
    known |= plain.givens(instance)
    while True:
        so_far = read(instance, filled(known, cells))
        step = hint(instance, so_far)
        if step.kind == "end":
            break
        assert step.kind in {"placement", "elimination"}
        # Eliminations cannot be filled in: the next placement takes them further.
        placed = step.placed or next(step.placed for step in explain(instance, so_far=so_far) if step.placed)[:1]
        for atom in placed:
            r, c, value = (argument.number for argument in atom.arguments)
            assert (r, c) not in known
            known[r, c] = value
    assert known == values
    assert (step.status, step.words) == ("unique", "That is the answer, and there is no other.")


DOTS = """
puzzle = "sudoku"
size = [6, 6]
ratios = ["r2c3 r2c4 = 2", "r3c3 r3c4 = 2", "r6c4 r6c5 = 2", "r2c4 r2c5 = 2", "r3c2 r3c3 = 2"]
differences = ["r5c4 r5c5 = 1", "r4c2 r4c3 = 1", "r1c5 r2c5 = 1", "r1c2 r1c3 = 1", "r2c6 r3c6 = 1", "r5c3 r5c4 = 1"]
"""


def test_a_hint_keeps_no_elimination_back() -> None:
    """Where no placement is near, a hint is an elimination; of a board with several answers, only one that leads on."""
    step, answer = hint(one(DOTS)), not_none(solve(one(DOTS))).values
    assert (step.kind, step.cost < 2) == ("elimination", True)
    assert not any(answer[r.number, c.number] == v.number for r, c, v in (atom.arguments for atom in step.eliminated))
    several = one('puzzle = "sudoku"\nsize = [4, 4]\nratios = ["r1c1 r1c2 = 2"]')
    assert (hint(several).kind, hint(several).status) == ("end", "several")


def test_a_hint_does_not_wait_for_the_number_of_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a search would take many conflicts, a hint is as for one answer: it holds for none and for several, too."""
    usual = hint(one(DOTS)).words
    monkeypatch.setattr("pyasp_puzzles.explanation.hint._MOST_CONFLICTS", 0)
    assert hint(one(DOTS)).words == usual
    assert "no answer" in hint(one("12345678" + 9 * "." + "9" + 63 * ".", format="sudoku")).words
    assert hint(one(FOUR)).status == "several"


PIGEONS = {
    "pigeons/pigeons.lp": """
{ value(R, C, V) : V = 1..8 } = 1 :- block(R, C, _), C > 1.
{ value(1, 1, (1;2)) } = 1 :- block(1, 1, _).
violated(one(C)) :- value(1, 1, 1), value(1, C, V), C > 1, V > 1.
violated(differ(C, C')) :- value(1, 1, 2), value(1, C, V), value(1, C', V), 1 < C, C < C'.
#defined relaxed/1.
:- violated(Rule), not relaxed(Rule).
#show value/3.
""",
    "pigeons/puzzle.toml": """
summary = "If the first cell is 1, the others are; if it is 2, they differ."
[answer]
kind = "numbers"
output = "value(R, C, V)"
range = "1..8"
[keys.blocks]
kind = "regions"
fact = "block(R, C, B)"
""",
}


@pytest.mark.slow
def test_a_hint_gives_up_after_a_budget(tmp_path: Path) -> None:
    """If several rules are out of reach, a hint says so, and how many cells are open."""
    instance = one('puzzle = "pigeons"\nblocks = "AAAAAAAAAA"\n', puzzles=write(tmp_path, PIGEONS))
    step = hint(instance)
    assert (step.kind, step.status, step.words) == ("end", "unknown", "No short step was found; 10 cells are open.")


@pytest.mark.night
def test_a_grade_gives_up_after_a_budget() -> None:
    """Without a limit of time, a grade ends, too, as its explanation does, and says how far that came."""
    found = grade(one(LITTLE_KILLERS), resolution=False)
    assert (found.status, found.word) == ("unknown", "")
    assert re.fullmatch(r"it was not explained to the end; steps found: \d+", found.ungraded)


@pytest.mark.night
def test_an_explanation_gives_up_after_a_budget() -> None:
    """Without a limit of time, an explanation ends, too, and says how far it came, as its grade does."""
    steps = [*explain(one(LITTLE_KILLERS), words=False)]
    assert steps[-1].status == "unknown"
    assert re.fullmatch(r"No short step was found; \d+ cells are open\.", steps[-1].words)
    found = grade(one(LITTLE_KILLERS), resolution=False)
    assert found.ungraded == f"it was not explained to the end; steps found: {len(steps) - 1}"


# Made by `pyasp generate sudoku --use little_killers --givens 0 --seed 2`.
LITTLE_KILLERS = f"""
puzzle = "sudoku"
givens = '''
{9 * f"{9 * '.'}{chr(10)}"}'''
little_killers = [
  "r9c9 ul = 50",
  "r2c1 ur = 3",
  "r5c9 ul = 12",
  "r5c9 dl = 13",
  "r8c1 dr = 6",
  "r9c1 ur = 49",
  "r1c3 dr = 41",
  "r4c1 ur = 25",
  "r1c7 dl = 24",
  "r3c9 ul = 17",
  "r2c1 dr = 25",
  "r1c6 dr = 17",
  "r5c1 ur = 26",
  "r1c2 dr = 38",
  "r1c6 dl = 31",
  "r9c7 ur = 20",
  "r4c1 dr = 35",
  "r6c1 dr = 33",
  "r1c8 dr = 11",
  "r8c9 dl = 3",
  "r9c3 ul = 15",
  "r9c2 ur = 44",
]
"""


@pytest.mark.slow
def test_a_board_of_few_clues_has_a_hint() -> None:
    """A Sudoku with nine clues, where neighbours are not consecutive, has a hint, and plain clingo agrees with it."""
    instance = one(FEW_CLUES)
    variant = ENCODINGS / "variants" / "non-consecutive" / "non-consecutive.lp"
    assert grounded(instance, variant).solve().satisfiable
    step = hint(instance, settings=Settings(timeout=300))
    assert step.placed or step.eliminated
    for atom in [*step.placed, *step.eliminated]:
        more = f" :- {'' if atom in step.placed else 'not '}{atom}."
        assert not grounded(instance, variant, more=more).solve().satisfiable, f"{atom}: {step.words}"


# Made by `pyasp generate sudoku --clues 9 --extra non-consecutive --seed 3762763706`.
FEW_CLUES = """
puzzle = "sudoku"
variants = ["non-consecutive"]
givens = '''
. . . 7 . 5 . 4 .
. . . . . . . . .
. . 4 . . . . . .
. . . . . . . . .
. . . . . . 8 . .
. . 2 . 1 . . . .
. . . 1 . 6 . . .
. . . . . . . . .
. . . . . . . . .
'''
"""


@pytest.mark.slow
@given(strategies.strimko_boards() | strategies.tectonic_boards(), st.randoms(use_true_random=False))
@examples(15)
def test_wrong_entries_are_named_and_right_ones_never(drawn: strategies.NumberBoard, random: Any) -> None:
    """Wrong entries are named, the fewest that leave an answer; right ones never."""
    instance = one(drawn.text)
    answers = list(drawn.answers())
    assume(answers)
    cells = random.sample(sorted(drawn.regions), min(4, len(drawn.regions)))
    entries = {cell: random.choice(answers)[cell] if random.random() < 0.7 else random.randint(1, 4) for cell in cells}

    def fits(left: rules.Values) -> bool:
        return any(left.items() <= answer.items() for answer in answers)

    sizes = range(len(entries), -1, -1)
    most = next(n for n in sizes if any(fits(dict(left)) for left in combinations(entries.items(), n)))
    step = hint(instance, read(instance, filled(entries, drawn.regions)))
    assert (step.kind == "mistake") == (most < len(entries))
    if step.kind == "mistake":
        taken = {(atom.arguments[0].number, atom.arguments[1].number) for atom in step.eliminated}
        assert len(step.eliminated) == len(taken) == len(entries) - most
        assert set(step.cells) == taken
        assert fits({cell: value for cell, value in entries.items() if cell not in taken})
        assert not step.placed


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("name", "entries", "words"),
    [
        (
            "strimko/four",
            ". . . .\n. . . .\n. 3 . .\n. . 4 .",
            (
                "The 3 in row 3, column 2 and the 4 in row 4, column 3 contradict the clues: "
                "row 3, column 2: its stream has 3."
            ),
        ),
        (
            "strimko/four",  # the entry is to be taken back, and not the clue
            ". . . .\n4 . . .\n. . . .\n. . . .",
            "The 4 in row 2, column 1 contradicts the clues: 1 is there.",
        ),
        (
            "strata/seed",  # what is filled in is the top of the pile; the next ribbon comes below it
            "row 2 blue",
            "Column 1: every colored cell still uncovered is yellow, because the rest came off with row 2.",
        ),
        ("strata/seed", "row 2 green", "Take back row 2: with it there is no answer."),
    ],
)
def test_hints_do_not_give_the_answer_away(name: str, entries: str, words: str) -> None:
    """A hint names the entries to take back, without giving the answer away, or goes on from them."""
    instance = only(name)
    assert hint(instance, read(instance, entries)).words == words


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("variants/palindrome", "Look at row 3 column 6 and row 5 column 5."),
        ("variants/thermometer", "Look at rows 3 to 5 of column 4."),
        ("variants/look-and-say", "Look at rows 2 and 3."),
    ],
)
def test_a_hint_looks_at_cells_of_its_rules(name: str, where: str) -> None:
    """Numbers in the name of a rule that count lines and cages, `palindrome(3, 1)`, are not taken for a cell."""
    assert hint(only(name)).where == where


def test_a_hint_says_what_to_take_back() -> None:
    """The entries to take back are those of the step; a laying order may be wrong as well."""
    four, strata = only("strimko/four"), only("strata/seed")
    step = hint(four, read(four, ". . . .\n. . . .\n. 3 . .\n. . 4 ."))
    assert step.json()["eliminated"] == [{"cell": [3, 2], "value": 3}, {"cell": [4, 3], "value": 4}]
    assert hint(strata, read(strata, "row 1 yellow\nrow 2 blue")).kind == "mistake"


@pytest.mark.slow
def test_hints_continue_from_strips_that_lie_there() -> None:
    """For strips, it is the strips that lie there."""
    instance = only("strips/final")
    step = hint(instance, solve(instance))
    assert (step.kind, step.status) == ("end", "unique")
    wrong = hint(instance, read(instance, "1,1\n1,2"))
    assert wrong.kind == "mistake"
    assert "the strip of 1 that begins at row 1, column" in wrong.words


def test_a_hint_on_a_board_without_an_answer_blames_no_entry() -> None:
    """If the puzzle itself has no answer, the hint says so, and blames no entry."""
    instance = sudoku("1 . . 1", *[". . . ."] * 3)
    for so_far in (None, read(instance, ". 2 . .\n. . . .\n. . . .\n. . . .")):
        found = hint(instance, so_far)
        assert (found.kind, found.status) == ("end", "none")
    assert grade(instance)[:3] == ("none", "", 0)
    assert (grade(instance).json()["word"], grade(instance).json()["score"]) == (None, None)


# -- Grades ---------------------------------------------------------------------


def steps(*sizes: int, available: int = 1, status: EndStatus = "unique") -> list[Step]:
    """Return steps that take so many rules over different cells, and as many values to look at."""
    instance = only("strimko/four")
    rule = next(iter(explain(instance))).rules[0]
    made = [
        Step(i, "placement", "", (rule,) * size, cost=deduction_cost(size, 0, size, 0), available=available)
        for i, size in enumerate(sizes, 1)
    ]
    return [*made, Step(len(sizes) + 1, "end", "", status=status)]


@pytest.mark.parametrize(
    ("sizes", "word", "beyond", "largest"),
    [
        ((1, 1, 1), "easy", 0, 1),
        ((3, 3), "medium", 2, 3),
        ((6, 1), "hard", 1, 6),
        ((1, 11, 4), "very hard", 2, 11),
        ((14,), "extreme", 1, 14),
        ((), "easy", 0, 0),
    ],
)
def test_words_go_by_the_score(sizes: tuple[int, ...], word: str, beyond: int, largest: int) -> None:
    """The word goes by the score, and the score by the hardest step."""
    scale = GradeScale((("easy", 2.9), ("medium", 5.2), ("hard", 6.8), ("very hard", 7.6), ("extreme", inf)))
    four = only("strimko/four")
    instance = four._replace(puzzle=replace(four.puzzle, grades=scale))
    found = grade_steps(instance, steps(*sizes))
    assert (found.word, found.steps, found.beyond, found.largest) == (word, len(sizes), beyond, largest)
    assert found.score == round(found.score, 1)
    assert found.ungraded == ""
    for status in ("several", "none", "unknown", "solved"):  # only a board with one answer has a word
        ungraded = grade_steps(instance, steps(*sizes, status=status))
        assert ungraded.word == ""
        assert ungraded.ungraded


@pytest.mark.parametrize(
    ("sizes", "why"),
    [
        ((1, 1, 1), "3 steps, each by a single rule"),
        ((1,), "1 step by a single rule"),
        ((3,), "1 step, which combines 3 rules"),
        ((1, 2, 1), "3 steps, 1 of which combines 2 rules"),
        ((4, 2, 1), "3 steps, 2 of which combine rules, 4 at most"),
        ((), "there is nothing to find"),
    ],
)
def test_why_says_what_the_steps_need(sizes: tuple[int, ...], why: str) -> None:
    """A line says what the steps need, and nothing of resolution, another method."""
    found = grade_steps(only("strimko/four"), steps(*sizes), resolution=False)
    told = {found.why, found._replace(resolution="solved").why, found._replace(resolution="unsolved").why}
    assert {words.partition("; ")[0] for words in told} == {why}


def test_words_say_how_sure_they_are() -> None:
    """A word comes with the share of published grades that agree; where none are known, the hardest step does."""
    four = only("strimko/four")
    for agree, says in ((0.79, "about 7 of 10 published grades agree"), (1.0, "about 9 of 10"), (None, "")):
        scale = GradeScale((("easy", 1.0), ("hard", inf)), agree)
        found = grade(four._replace(puzzle=replace(four.puzzle, grades=scale)), resolution=False)
        assert (found.word, found.json()["word"], found.json()["agree"]) == ("hard", "hard", agree)
        assert says in found.why
        assert ("agree" in found.why) is bool(says)
    plain = grade(four._replace(puzzle=replace(four.puzzle, grades=None)), resolution=False)
    assert (plain.word, plain.json()["word"], plain.json()["agree"], plain.score) == ("", None, None, found.score)
    assert f"; the hardest, step {plain.hardest_step}, costs {plain.hardest}" in plain.why


def test_words_hold_for_the_rules_of_the_puzzle_only(tmp_path: Path) -> None:
    """With further rules, a grade is a number, and no word can be asked for: no grades of such boards are known."""
    write(tmp_path, {"mine.lp": "violated(mine) :- value(1, 1, 9), value(9, 9, 9).\n"})
    said = json.loads(printed("grade", "sudoku/easy", "--json", "--extra", "mine.lp", where=tmp_path).splitlines()[-1])
    assert (said["word"], said["agree"], said["score"] > 0) == (None, None, True)
    for command in (["generate", "sudoku"], ["minimize", "sudoku/easy"]):
        for extra in ("mine.lp", "diagonal"):
            done = pyasp(*command, "--grade", "easy", "--extra", extra, where=tmp_path)
            refused(done, "boards of sudoku with other rules have no grade to ask for")


def test_only_words_of_a_puzzle_can_be_asked_for(tmp_path: Path) -> None:
    """A word that boards of a puzzle never have is refused, with those that they have."""
    for command in (["generate", "tents"], ["minimize", "tents/eight"]):
        refused(pyasp(*command, "--grade", "extreme", where=tmp_path), "boards of tents are easy or hard, not extreme")
    refused(
        pyasp("generate", "nurikabe", "--grade", "easy", where=tmp_path),
        "boards of nurikabe have no grade to ask for, as too few graded boards are known; leave it out",
    )


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("easy = 2.5\nhard = inf", ""),
        ("easy = 2.5\nhard = inf\nagree = 0.8", ""),
        ("easy = 2.5\nhard = 3.5", "grades are the largest score of each word"),
        ("easy = 3.5\nmedium = 2.5\nhard = inf", "grades are the largest score of each word"),
        ("", "grades are the largest score of each word"),
        ("easy = '2'\nhard = inf", "grades.easy is '2', expected a number such as 2.5"),
        ("easy = true\nhard = inf", "grades.easy is 'True', expected a number such as 2.5"),
        ("simple = 2.5\nhard = inf", "simple"),
        ("hard = inf\nagree = 80.0", "agree is 80, expected 0 to 1"),
    ],
)
def test_a_puzzle_declares_its_words(table: str, says: str, tmp_path: Path) -> None:
    """A puzzle of one's own may say what its scores are called; a table that makes no sense is refused."""
    file = templates.new_folder("mine", "shading", tmp_path) / "puzzle.toml"
    file.write_text(f"{file.read_text(encoding='utf-8')}\n[grades]\n{table}\n", encoding="utf-8")
    if says:
        with pytest.raises(EncodingError, match=says) as refusal:
            declaration.puzzle_in(file.parent)
        assert "puzzle.toml:" in str(refusal.value)
    else:
        scale = declaration.puzzle_in(file.parent).grades
        assert scale is not None
        assert ([scale.word(score) for score in (0.0, 2.5, 2.6, 99.0)]) == ["easy", "easy", "hard", "hard"]


def test_declared_words_are_supported() -> None:
    """Puzzles that ship have words only where published grades agree more often than not by far; easier ones lower."""
    scales = [puzzle.grades for puzzle in declaration.puzzles() if puzzle.grades]
    assert scales
    for scale in scales:
        ranks, limits = [GRADES.index(word) for word in scale.words], [most for _, most in scale.limits]
        assert len(ranks) > 1
        assert (ranks, limits) == (sorted(ranks), sorted(limits))
        assert scale.agree is not None
        assert scale.agree >= 0.7


@given(st.lists(st.integers(1, 30), min_size=1, max_size=30), st.integers(1, 30), st.integers(1, 49))
@examples(30)
@pytest.mark.slow
def test_harder_steps_score_higher(sizes: list[int], another: int, available: int) -> None:
    """Another step, larger steps, and fewer steps to choose from never lower the score."""
    instance = only("strimko/four")

    def score(*sizes: int, available: int = available) -> float:
        return grade_steps(instance, steps(*sizes, available=available)).score

    assert score(*sizes) <= score(*sizes, another)
    assert score(*sizes) < score(*(2 * size for size in sizes))
    assert score(*sizes, available=available + 1) <= score(*sizes)


@pytest.mark.sampled(1)
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


@pytest.mark.sampled(0, 2)
@pytest.mark.parametrize(("names", "fewest"), [("strata/", 6), ("strimko/", 5), ("tectonic/", 3), ("strips/hunt", 5)])
def test_scores_discriminate(names: str, fewest: int) -> None:
    """Of up to nine boards of a family, so many have different scores."""
    boards = [board for name in SHIPPED if name.startswith(names) for board in load(name)][:9]
    found = [grade(board, resolution=False) for board in boards]
    assert len({graded.score for graded in found if graded.score}) >= fewest


@pytest.mark.parametrize("name", ["strimko/seven", "tectonic/seed", "strips/final", "strata/seed"])
@pytest.mark.slow
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


@pytest.mark.slow
def test_two_rules_of_a_group_with_sums_exclude_together() -> None:
    """What two rules over the same places exclude is found, one of which counts strips."""
    found = [step for step in explain(only("strips/list")) if step.cost < 2.5 and len(step.rules) > 1]
    assert any({rule.name for rule in step.rules} == {"stock", "cover"} for step in found)


def test_a_cost_is_what_one_looks_at() -> None:
    """Each part of what one looks at raises the cost of a step; a step knows how many conclusions there were."""
    for i in range(4):
        more = [deduction_cost(*(2 + (i == j) * n for j in range(4))) for n in range(3)]
        assert more == sorted(set(more))
    found = [step for step in explain(only("strimko/four")) if step.kind != "end"]
    assert found[-1].available == 1
    assert max(step.available for step in found) > 1
    assert all(step.cost >= 1 for step in found)
    peeled = list(explain(only("strata/seed")))
    assert {step.available for step in peeled if step.kind == "peel"} >= {1, 2}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("name", "word", "resolution", "guess"),
    [
        ("sudoku/easy", "easy", "solved", False),
        ("strimko/resolution", "easy", "solved", False),
        ("strimko/needs-a-guess", "hard", "unsolved", True),
        ("strimko/seven", "hard", "unsolved", True),
        ("strata/seed", "", "", None),
        ("strips/final", "", "", None),
    ],
)
def test_grades_say_whether_resolution_solves(name: str, word: str, resolution: str, guess: object) -> None:
    """Whether resolution solves it, and whether it needs a guess, are facts of the grade."""
    instance = only(name)
    found = grade(instance)
    assert (found.word, found.resolution, found.guess) == (word, resolution, guess)
    assert found.json()["needs_guess"] is guess


# -- The commands ---------------------------------------------------------------


def test_explain_prints_each_step(tmp_path: Path) -> None:
    """Each step is printed with a picture, or as a JSON object; the exit code says how it ends."""
    text = printed("explain", "strimko/four", where=tmp_path)
    words = (
        "Row 4 needs a 1; row 4, column 3 is its only place left, a hidden single, because 1 is already in stream C."
    )
    assert text.startswith(f"Four by four  strimko/four\n1. {words}\n    1 ")
    assert "│[3]C │[4]C │*1*D │[2]D │" in text
    assert printed("explain", "strimko/four", "--brief", where=tmp_path).count("┌") == 1
    told = objects(printed("explain", "strimko/four", "--json", where=tmp_path))
    for line, step in zip(told, explain("strimko/four"), strict=True):
        assert step.json().items() <= line.items()
    assert {line["source"] for line in told} == {"strimko/four"}


@pytest.mark.parametrize(
    ("board", "code", "status"), [("several", 1, "several"), ("none", 1, "none"), ("sudoku/large", 3, "unknown")]
)
@pytest.mark.parametrize("command", ["explain", "grade"])
def test_exit_codes_say_how_explanations_end(command: str, board: str, code: int, status: str, tmp_path: Path) -> None:
    """Several answers, or none, are reported with exit code 1, and running out of time with 3."""
    write(tmp_path, {"several": "1 2 3 .\n" + ". . . .\n" * 3, "none": "1 . . 1\n" + ". . . .\n" * 3})
    done = pyasp(
        command, board, "--as", "sudoku", "--json", *(["--timeout", "0.01"] if code == 3 else []), where=tmp_path
    )
    assert done.returncode == code
    assert objects(done.stdout)[-1]["status"] == status


def test_hint_prints_one_step(tmp_path: Path) -> None:
    """One step, from a file or from standard input; a mistake is exit code 1, what cannot be read 2."""
    words = (
        "1. Row 4 needs a 1; row 4, column 3 is its only place left, a hidden single, because 1 is already in stream C."
    )
    for level, expected in {"--brief": "Look at row 4.", "--more": words, "--full": words}.items():
        assert printed("hint", "strimko/four", "--brief", level, where=tmp_path).splitlines()[1:] == [expected]
    assert "*" not in printed("hint", "strimko/four", where=tmp_path)
    assert "*1*" in printed("hint", "strimko/four", "--full", where=tmp_path)
    reason = "   - Row 4, column 2 is not 1: the 1 in row 2, column 1; stream C holds 1 once."
    assert reason in printed("hint", "strimko/four", "--why", where=tmp_path)
    done = pyasp(
        "hint", "strimko/four", "--answer", "-", "--json", where=tmp_path, stdin=". . . .\n. . . .\n. . . .\n. 1 . ."
    )
    assert (done.returncode, objects(done.stdout)[0]["kind"]) == (1, "mistake")
    refused(pyasp("hint", "strimko/four", "--answer", "-", where=tmp_path, stdin="1 2\n3 4"), "pyasp: -")


def test_hints_and_grades_use_rules_of_ones_own(tmp_path: Path) -> None:
    """A user rule takes part, and doubts about it are warnings."""
    texts = {"mine.lp": "violated(corner(1, 1)) :- not value(1, 1, 2).\nodd :- nothing.\n"}
    write(tmp_path, texts | {"b.toml": 'puzzle = "sudoku"\nsize = [4, 4]\n'})
    done = pyasp("explain", "b.toml", "--extra", "mine.lp", "--brief", where=tmp_path)
    assert done.stdout.splitlines()[1] == "1. The rule corner for row 1, column 1 must hold, so row 1, column 1 is 2."
    assert "warning: mine.lp:2" in done.stderr


def test_grade_prints_a_word_and_its_reason(tmp_path: Path) -> None:
    """A word and the steps; one object a board with --json, also with what resolution does."""
    shown = printed("grade", "strimko/needs-a-guess", "strimko/four", where=tmp_path)
    assert "\nEasy 1.1: 13 steps, each by a single rule; about 8 of 10 published grades agree\n" in shown
    assert "\nHard 2.7: 32 steps, 2 of which combine 2 rules; about 8 of 10 published grades agree\n" in shown
    said = json.loads(printed("grade", "strimko/four", "--json", where=tmp_path))
    assert (said["word"], said["score"], said["steps"], said["resolution_solves"]) == ("easy", 1.1, 13, True)


def test_a_board_without_a_grade_says_why(tmp_path: Path) -> None:
    """A board of Strata has a score but no word, which is no failure; boards of a grade are refused."""
    shown = printed("grade", "strata/seed", where=tmp_path)
    assert shown.endswith("\nNo grade: all 6 steps are of the same kind\n")
    said = json.loads(printed("grade", "strata/seed", "--json", where=tmp_path))
    assert (said["status"], said["word"], said["score"] > 0) == ("solved", None, True)
    for command in (["generate", "strata"], ["minimize", "strata/six"]):
        refused(pyasp(*command, "--grade", "easy", where=tmp_path), "boards of strata have no grade to ask for")


@pytest.mark.slow
def test_a_puzzle_of_ones_own_has_a_number_and_no_word(tmp_path: Path) -> None:
    """Of a puzzle that does not ship, a grade is the number and the hardest step, and no word can be asked for."""
    puzzle = ENCODINGS / "hitori"
    files = {file.name: file.read_text(encoding="utf-8") for file in puzzle.iterdir() if file.suffix == ".lp"}
    declared = (puzzle / "puzzle.toml").read_text(encoding="utf-8")
    files = {name.replace("hitori.lp", "lonely.lp"): text for name, text in files.items()}
    declared = re.sub(r"^aliases.*\n", "", declared.partition("[formats")[0], flags=re.MULTILINE)
    place = write(tmp_path / "own" / "lonely", files | {"puzzle.toml": declared})
    text = (INSTANCES / "hitori" / "five.toml").read_text(encoding="utf-8").replace('"hitori"', '"lonely"')
    board = one(text, puzzles=[place])
    found, shipped, steps = grade(board), grade(only("hitori/five")), list(explain(board))
    assert (found.word, found.ungraded, found.name) == ("", "", f"{shipped.score:.1f}")
    assert found[2:] == shipped[2:]
    hardest = max(steps, key=lambda step: step.cost)
    assert (found.hardest_step, found.hardest) == (hardest.number, round(hardest.cost, 2))
    own = ("--puzzles", str(place))
    write(tmp_path, {"board.toml": text})
    told = printed("grade", "board.toml", *own, where=tmp_path).splitlines()[-1]
    assert told.startswith(f"{found.score:.1f}: {found.steps} steps, ")
    assert f"; the hardest, step {hardest.number}, costs {found.hardest}" in told
    said = json.loads(printed("grade", "board.toml", "--json", *own, where=tmp_path))
    assert (said["word"], said["score"], said["hardest_step"]) == (None, found.score, hardest.number)
    words = rf"\b({'|'.join(GRADES)})\b"
    assert not re.search(words, found._repr_html_())
    made = printed("generate", "lonely", "--size", "4", "--seed", "1", *own, where=tmp_path)
    assert not re.search(words, made)
    for command in (["generate", "lonely"], ["minimize", "board.toml"]):
        refused(pyasp(*command, "--grade", "easy", *own, where=tmp_path), "boards of lonely have no grade to ask for")


def test_a_complete_board_with_other_answers() -> None:
    """A board that is filled in, and right, is not said to have the only answer if it has several."""
    several, unique = one(FOUR), only("sudoku/easy")
    first = solve(several)
    assert hint(several, first).words == "The board is complete, and right. It may have other answers."
    assert hint(unique, solve(unique)).words == "That is the answer, and there is no other."


def test_a_notebook_shows_a_grade() -> None:
    """A grade shows itself: its word, its number and the steps in words, and where it is on the scale of all words."""
    shown = grade("sudoku/easy", resolution=False)._repr_html_()
    assert "Easy" in shown
    assert "steps, each by a single rule" in shown
    assert re.findall(r"<text[^>]*>(.*?)</text>", shown) == ["easy", "medium", "hard", "very hard"]
    assert shown.count('class="marked"') == 1
    assert "several answers" in grade(one(FOUR), resolution=False)._repr_html_()
