"""What every shipped instance keeps, and the encodings with it."""

from itertools import islice

import pytest

from pyasp_puzzles import load, solutions

from . import plain
from .helpers import SHIPPED, grounded

MOST = 50
"""As many answers of a board are looked at."""
MOST_ORDERS = 5000
"""As many laying orders are looked at, for the published one to be among them."""


@pytest.mark.parametrize("name", SHIPPED)
def test_described(name: str) -> None:
    """An instance says what it is, where it comes from, and what is worth knowing about it."""
    for instance in load(name):
        assert {key for key in ("title", "source", "notes") if not instance.details.get(key)} == set()


@pytest.mark.parametrize("name", SHIPPED)
def test_published_solution(name: str) -> None:
    """The published answer of a board is its one answer; a Strata board's, where many orders will do, is among them."""
    for instance in load(name):
        if instance.solution is not None:
            assert plain.broken(instance, instance.solution.json()) == [], f"board {instance.board}"
            found = [plain.identity(answer.json()) for answer in islice(solutions(instance), MOST_ORDERS)]
            assert plain.identity(instance.solution.json()) in found, f"board {instance.board}"
            assert len(found) == 1 or instance.puzzle.name == "strata", f"board {instance.board}"


@pytest.mark.parametrize("name", SHIPPED)
def test_answers_keep_the_rules(name: str) -> None:
    """Every answer keeps the rules of its puzzle, as a checker in plain Python sees them."""
    for instance in load(name):
        for answer in islice(solutions(instance), MOST):
            assert plain.broken(instance, answer.json()) == [], f"board {instance.board}"


@pytest.mark.parametrize("name", SHIPPED)
def test_plain_clingo_agrees(name: str) -> None:
    """The encoding and the facts alone have as many answer sets as we have answers, and clingo warns of nothing."""
    for instance in load(name):
        messages: list[str] = []
        control = grounded(instance, messages=messages)
        assert messages == []
        with control.solve(yield_=True) as models:
            expected = sum(1 for _ in islice(models, MOST))
        assert sum(1 for _ in islice(solutions(instance), MOST)) == expected, f"board {instance.board}"


def test_every_puzzle_has_a_published_answer() -> None:
    """There is something for the tests above to check: an instance of each puzzle, and published answers."""
    boards = [instance for name in SHIPPED for instance in load(name)]
    assert {instance.puzzle.name for instance in boards} >= {"strata", "strimko", "sudoku", "tectonic", "strips"}
    assert {instance.puzzle.name for instance in boards if instance.solution} >= {"strimko", "sudoku", "tectonic"}
