"""Explanations of boards with variants: each step is true, forced and irreducible, and its sentence says it well."""

import random

import pytest

from pyasp_puzzles import explain

from .forced import Forced, claims
from .helpers import one
from .step_checker import as_json
from .test_variants import CELLS, KEYS, VARIANTS, a_board

# The variants whose boards are explained in each run: a kind of key each, sums, order, differences and clues outside.
OFTEN = ("arrow", "killer-cage", "negative-xv", "renban", "sandwich", "skyscraper", "thermometer", "whispers")


def checked(name: str, seed: int, givens: int) -> None:
    """Check the explanation of a board with some numbers of one of its answers."""
    text, answers = a_board(name, seed)
    rng = random.Random(seed)  # noqa: S311 (boards, not secrets)
    if answers:
        answer = rng.choice(answers)
        shown = rng.sample(CELLS, givens)
        answers = [values for values in answers if all(values[cell] == answer[cell] for cell in shown)]
        rows = [" ".join(str(answer[r, c]) if (r, c) in shown else "." for c in range(1, 5)) for r in range(1, 5)]
        text = text.replace("size = [4, 4]", 'givens = """\n' + "\n".join(rows) + '\n"""')
    instance = one(text)
    steps = as_json(explain(instance))
    assert Forced(instance).violations(steps) == [], text
    for step in steps:
        direct = [(tuple(said["cell"]), said["value"], False) for said in step["plain"]]
        for cell, value, holds in (*claims(step), *direct):
            assert all((values[cell] == value) is holds for values in answers), (text, step)
    assert steps[-1]["status"] == ("none" if not answers else "unique" if len(answers) == 1 else "several"), text


@pytest.mark.parametrize("name", OFTEN)
def test_steps_of_variants_are_right(name: str) -> None:
    """Every conclusion is true of all answers by the plain checker, and its step's rules and cells alone force it."""
    checked(name, 0, 2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", VARIANTS)
def test_steps_of_all_variants_are_right(name: str, seed: int) -> None:
    """The same of every variant, on more boards."""
    if name in KEYS or not seed:
        checked(name, seed, (4, 2, 0)[seed])
