"""Whatever rules of one's own do with names and cardinalities, boards have the answers of plain clingo."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pyasp_puzzles import Answer, Count, Instance, Settings, count, load, solutions, solve
from pyasp_puzzles.puzzles import questions
from pyasp_puzzles.puzzles.questions import rule_files_in_use

from . import plain
from .helpers import SHIPPED, grounded, mine, not_none, sudoku
from .plain import holds
from .test_sessions import EDITED, STRIMKO, found_answers, plain_answers
from .variant_boards import VARIANTS

BOARDS = [sudoku(f"{a} {b} . .", ". . . .", f". . . {c}", ". . . .") for a, b, c in ((1, 2, 1), (1, 2, 3), (3, 4, 2))]
# What rules do with names.
NAMES = {
    "a rule": "violated(corner) :- value(4, 4, 1).",
    "a fact": "violated(always).",
    "a range that may be empty": "violated(range(1..V - 2)) :- value(4, 4, V).",
    "a calculation without result": "mark(a; 3). violated(sum(X + 1)) :- mark(X), X != 3, value(4, 4, 1).",
    "two names": "violated(one; two) :- value(4, 4, 1).",
    "two names, one relaxed": "violated(one; two) :- value(4, 4, 1). relaxed(one).",
    "a relaxed name": "violated(corner) :- value(4, 4, 1). relaxed(corner).",
    "a shipped rule relaxed": "relaxed(given(1, 1)).",
    "one relaxed by a board": "relaxed(given(R, C)) :- given(R, C, 2).",
    "one that an answer relaxes": "violated(corner) :- value(4, 4, 1). relaxed(corner) :- value(3, 3, 2).",
    "one that may be relaxed": "{ relaxed(given(1, 1)) }.",
    "one relaxed from outside": "#external relaxed(given(1, 1)).",
    "use in a rule": "violated(one) :- value(4, 4, 1). violated(two) :- not violated(one), value(4, 4, 2).",
    "use in another rule": "other :- violated(one). violated(one) :- value(4, 4, 1). :- other, value(3, 3, 2).",
    "choice": "{ violated(one) } :- value(4, 4, 1).",
    "disjunction": "violated(one) ; other :- value(4, 4, 1). violated(two) :- other, value(3, 3, 2).",
    "condition": "violated(one) : value(4, 4, 1) :- value(3, 3, 2).",
    "denial": "not violated(one) :- value(4, 4, 1).",
    "strong negation": "-violated(one) :- value(4, 4, 1). :- -violated(one), value(3, 3, 2).",
    "no last line of one's own": ":- violated(Rule), not relaxed(Rule).",
    "a last line of one's own": ":- violated(N), not relaxed(N). violated(one) :- value(4, 4, 1).",
    "two arguments": "violated(one, 1) :- value(4, 4, 1). :- violated(one, N), value(3, 3, 2).",
}
# Cardinalities; `one` and `two` are of two cells, in which numbers may be equal.
CARDINALITIES = {
    **{
        f"{words} of {number}": f"violated({words}) :- V = 1..{number}, {{ value(C, C, V) : C = 1..4 }} {comparison}."
        for words, comparison in {
            "one": "!= 1",
            "less_than_two": "> 1",
            "less_than_2": ">= 2",
            "some": "< 1",
            "any": "= 0",
            "none_at_all": "<= 0",
            "not_one": "= 1",
        }.items()
        for number in (1, 2)
    },
    "nothing known": "violated(one) :- { value(1, C, V) } != 1, value(4, 4, 1).",
    "guard on the left": "violated(few) :- 1 < { value(C, C, 1) : C = 1..4 }.",
    "two guards": "violated(few) :- 1 < { value(C, C, 1) : C = 1..4 } < 2.",
    "negated": "violated(one) :- not { value(4, C, 1) : C = 3..4 } != 1.",
    "two parts": "violated(one) :- { value(C, C, 1) : C = 1..4; value(1, 4, 1) } != 1.",
    "negative": "violated(one) :- { not value(4, C, 1) : C = 3 } < 1.",
    "any value": "violated(one) :- { value(1, _, 1) } != 1, { value(_, 2, _) } != 4.",
    "range": "violated(one) :- { value(4, 3..4, 1) } != 1.",
    "pool": "violated(one) :- { value(4, (3; 4), 1) } != 1.",
    "range as a condition": "violated(one) :- { value(4, C, 1) : C = (3; 4) } != 1.",
    "calculation": "violated(one) :- { value(5 - C, C, 1) : C = 1..4 } != 1.",
    "the same atom twice": "violated(one) :- { value(4, C, 1) : C = 3..4, D = 1..2 } != 1.",
    "conditions on the answer": "violated(some) :- R = 3..4, { value(R, C, V) : not value(R, C + 1, V + 1) } < 2.",
    "pairs by the answer": "violated(two) :- R = 3..4, { value(R, C, V) : value(R, C + 1, V + 1) } > 1.",
    "two in a rule": "violated(both) :- { value(4, C, 1) : C = 3..4 } != 1, { value(3, C, 2) : C = 3..4 } != 1.",
    "with others": "violated(one) :- { value(C, C, V) } > 1, value(4, 3, V), #sum { C : value(4, C, 1) } > 2.",
    "derived": "few(V) :- V = 1..4, { value(C, C, V) : C = 1..4 } != 1. violated(few) :- few(1), few(2).",
    "without a name": ":- { value(C, C, 1) : C = 1..4 } != 1.",
}


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Begin each test without sessions."""
    questions.groundings.cache_clear()
    yield
    questions.groundings.cache_clear()


def by_clingo(board: Instance, *files: Path) -> set[frozenset[str]]:
    """Return what is shown in each answer set of plain clingo."""
    control = grounded(board, *files)
    with control.solve(yield_=True) as found:
        return {frozenset(map(str, model.symbols(shown=True))) for model in found}


def here(board: Instance) -> set[frozenset[str]]:
    """Return the same, as it is found here: all answers; one, two and their number agree with them."""
    one, few, found = solve(board), [*solutions(board, 2)], [*solutions(board)]
    assert len(few) == min(2, len(found))
    assert {*few, *filter(None, [one])} <= set(found)
    assert count(board) == Count(len(found), exact=True)
    assert (one is None) == (not found)
    return {frozenset(plain.atoms(answer.json())) for answer in found}


def test_answers_come_in_the_same_order() -> None:
    """With a seed, and in Strata, the order of answers does not depend on how often the rules were used before."""
    boards = [(load(name)[0], Settings()) for name in ("strata/seed", "strata/four")]
    boards += [(board, Settings(seed=7)) for board in BOARDS]

    def found() -> list[list[list[Answer]]]:
        questions.groundings.cache_clear()
        return [[[*solutions(board, limit, how)] for board, how in boards] for limit in (1, 2, 3, 0)]

    first = found()
    assert found() == first


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", sorted({name.split("/")[0]: name for name in reversed(SHIPPED)}.values()))
def test_shipped_rules_have_the_same_answers(name: str) -> None:
    """A board of each puzzle has the answers of plain clingo, alone and in a session."""
    board = load(name)[0]
    expected = by_clingo(board)
    for _ in range(4):
        assert here(board) == expected


def assert_same(how: Settings, rules: str) -> None:
    """Check that boards have the answers of plain clingo, alone and in a session."""
    expected = [plain_answers(board, rules) for board in BOARDS]
    for _ in range(2):
        assert [found_answers(board, how) for board in BOARDS] == expected


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", [*NAMES, *CARDINALITIES])
def test_added_rules_have_the_same_answers(name: str, tmp_path: Path) -> None:
    """Whatever rules of one's own do with names and cardinalities, boards have the answers of plain clingo."""
    added = (NAMES | CARDINALITIES)[name]
    assert_same(Settings(extra=mine(tmp_path, added)), f"{STRIMKO}\n{added}")


@pytest.mark.sampled(0)
@pytest.mark.parametrize("name", EDITED)
def test_edited_rules_have_the_same_answers(name: str, tmp_path: Path) -> None:
    """Whatever becomes of the shipped rules, boards have the answers of plain clingo."""
    rules = STRIMKO.replace(*EDITED[name])
    assert_same(Settings(encoding=mine(tmp_path, rules)), rules)


def test_rules_that_change_are_read_again(tmp_path: Path) -> None:
    """A file that changes is read anew."""
    for number in (1, 2, 3):
        how = Settings(extra=mine(tmp_path, f"violated(corner) :- value(4, 4, {number})."))
        for board in BOARDS:
            assert not any(holds((4, 4), number) in atoms for atoms in found_answers(board, how))


@pytest.mark.sampled(0, 28)
@pytest.mark.parametrize("name", VARIANTS)
def test_variants_have_the_same_answers(name: str) -> None:
    """Boards of a variant, with a few clues less, have the answers of plain clingo, alone and in a session."""
    for board in load(f"variants/{name}"):
        answer = plain.values(not_none(solve(board)).json())
        cells = sorted(answer)[::7]
        known = {cell: value for cell, value in answer.items() if cell not in cells}
        for shift in (0, 1):
            value = (answer[cells[0]] + shift - 1) % len({*answer.values()}) + 1
            changed = board.with_clues(known | {cells[0]: value})
            expected = by_clingo(changed, *rule_files_in_use(changed)[1:])
            for _ in range(4):
                assert here(changed) == expected
