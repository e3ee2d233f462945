"""What formulas force together, against all assignments tried one by one."""

from itertools import product
from random import Random

import pytest

from pyasp_puzzles.queries.diagrams import Diagram, DiagramTable, TooLargeDiagramError
from pyasp_puzzles.queries.formulas import Formula, Threshold, simplify


def _formula(random: Random, atoms: int, depth: int) -> Formula:
    if not depth or random.random() < 0.3:
        return random.choice((1, -1)) * random.randint(1, atoms)
    parts = tuple((random.randint(1, 4), _formula(random, atoms, depth - 1)) for _ in range(random.randint(2, 5)))
    return Threshold(random.randint(1, sum(weight for weight, _ in parts)), parts)


def _assignments(variables: list[int]) -> list[tuple[int, ...]]:
    return [*product(*(range(max(2, size)) for size in variables))]


def _known(variables: list[int], assignment: tuple[int, ...]) -> dict[int, bool]:
    holding = [place == option for size, option in zip(variables, assignment, strict=True) for place in range(size)]
    return dict(enumerate(holding, 1))


@pytest.mark.parametrize("seed", range(0, 60, 10))
def test_the_options_left_are_those_of_some_assignment(seed: int) -> None:
    """Formulas, variables and the options that are asked for are random."""
    for number in range(seed, seed + 10):
        check_options(Random(number))  # noqa: S311 (not for security)


def check_options(random: Random) -> None:
    """Check the options that are left by random formulas."""
    variables = [random.choice((1, 2, 3, 4)) for _ in range(random.randint(1, 5))]
    formulas = [_formula(random, sum(variables), 3) for _ in range(random.randint(1, 3))]
    diagram = Diagram(formulas, variables)
    for _ in range(5):
        options = [random.randrange(1, 1 << max(2, size)) for size in variables]
        left = [0] * len(variables)
        for one in _assignments(variables):
            allowed = all(mask >> option & 1 for mask, option in zip(options, one, strict=True))
            if allowed and all(simplify(formula, _known(variables, one)) is True for formula in formulas):
                left = [mask | 1 << option for mask, option in zip(left, one, strict=True)]
        assert (diagram.left(options) or [0] * len(variables)) == left


def test_what_a_sum_forces_rests_on_the_cells_that_are_needed() -> None:
    """Two cells of 1 to 3 add up to 5, so each is 2 or 3; where one is not 3, the other one is."""
    both = [(value, 3 * cell + value) for cell in (0, 1) for value in (1, 2, 3)]
    formulas = {7: Threshold(5, tuple(both)), 8: Threshold(7, tuple((value, -atom) for value, atom in both))}
    table = DiagramTable(formulas, [(3, 1), (3, 2)])
    assert table.rules == (7, 8, 1, 2)
    assert table[0] == (-4, -1)
    third, first = 2 << 4, 2
    assert table[third + first] == (-5, -4, 2, 6)
    assert table.needed(0, (first, third), (6,)) == (third,)
    assert table[1 + (1 << 6)] is None
    assert table.granting({8, 1, 2})[0] == ()


def test_a_question_with_too_many_states_has_no_answer() -> None:
    """Nine cells are the digits of a number, which first cells do not bound."""
    values = range(1, 10)
    digits = Threshold(5 * 10**8, tuple((value * 10**cell, 9 * cell + value) for cell in range(9) for value in values))
    with pytest.raises(TooLargeDiagramError):
        Diagram([digits], [9] * 9).left([511] * 9)
