"""The totals of units: where sums nearly fill a unit, what is left of it has a sum; in a killer Sudoku, the 45 rule."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from pyasp_puzzles import Settings, Step, explain, hint
from pyasp_puzzles.asp.settings import DEFAULT
from pyasp_puzzles.boards.spans import spans_of

from .forced import Forced
from .helpers import mine, one
from .rules import Cell
from .step_checker import as_json

# An answer of a Sudoku of 6x6, with boxes of two rows and three columns.
SIX = ("123456", "456123", "231564", "564231", "312645", "645312")


def killer(cages: Sequence[Sequence[Cell]], rows: Sequence[str] = SIX, more: str = "") -> str:
    """Return a Sudoku of 6x6 with cages around some cells of an answer."""
    sums = [(cells, sum(int(rows[r - 1][c - 1]) for r, c in cells)) for cells in cages]
    lines = ", ".join(f'"{" ".join(f"r{r}c{c}" for r, c in cells)} = {total}"' for cells, total in sums)
    return f'puzzle = "sudoku"\nsize = [6, 6]\nkiller_cages = [{lines}]\n{more}'


def row(number: int, first: int, last: int) -> list[Cell]:
    """Return cells of a row."""
    return [(number, column) for column in range(first, last + 1)]


def told(text: str, settings: Settings = DEFAULT) -> list[Step]:
    """Return the steps of a board that take sums away from a row."""
    return [step for step in explain(one(text), settings=settings) if step.words.startswith("Row 1 adds up to 21")]


@pytest.mark.parametrize(
    ("cages", "words"),
    [
        (
            [row(1, 1, 3), row(1, 4, 5)],
            "Row 1 adds up to 21, and the cages in it to 6 + 9 = 15, so row 1, column 6 is 6.",
        ),
        ([row(1, 1, 5)], "Row 1 adds up to 21, and the cage in it to 15, so row 1, column 6 is 6."),
        (
            [row(1, 1, 3), [*row(1, 4, 6), (2, 6)]],
            "Row 1 adds up to 21, and the cages that cover it to 6 + 18 = 24, so row 2, column 6 is 3.",
        ),
    ],
)
def test_what_is_left_of_a_row_is_the_first_step(cages: list[list[Cell]], words: str) -> None:
    """The one cell that cages leave of a row, or that they have beside it, is told first, and hinted at."""
    text = killer(cages)
    first = next(iter(explain(one(text))))
    assert str(first.words) == words
    assert {name.name for name in first.rules} == {"once", "killer_cage", "cell"}
    given = hint(one(text))
    assert given is not None
    assert "row 1" in str(given.where).lower()
    lit = {span.rule for span in spans_of(first.words) if span.rule.startswith("killer_cage")}
    assert len(lit) == len(cages)


@pytest.mark.slow
def test_two_units_together_cost_more() -> None:
    """What is left of two rows together is found as well, and costs more than what is left of one."""
    cages = [[(1, 1), (2, 1)], [(1, 2), (2, 2)], row(1, 3, 4), row(2, 3, 4), [(1, 5), (2, 5), (2, 6)]]
    [together] = [step for step in explain(one(killer(cages))) if step.words.startswith("Rows 1 and 2 add up to 42")]
    assert together.words == (
        "Rows 1 and 2 add up to 42, and the cages in them to 5 + 7 + 7 + 7 + 10 = 36, so row 1, column 6 is 6."
    )
    [alone] = told(killer([row(1, 1, 5)]))
    assert alone.cost + 1 < together.cost


def test_an_arrow_is_taken_away_from_a_row() -> None:
    """An arrow inside a row leaves its circle twice: what it adds up to, and the circle."""
    rows = ("......", "......", "......", ".....4", "......", "......")
    more = 'arrows = "r1c5 > r1c1 r1c2"\ngivens = """\n' + "\n".join(rows) + '\n"""\n'
    [step] = told(killer([row(1, 3, 4)], ("..14..", *SIX[1:]), more))
    assert str(step.words) == (
        "Row 1 adds up to 21; the arrow adds up to its circle in row 1, column 5; the cage of row 1, column 3 adds"
        " up to 5 without repeats; twice row 1, column 5 and row 1, column 6 add up to 16; row 1, column 6 is not 4,"
        " so row 1, column 5 is 5, and row 1, column 6 is 6."
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize("gone", ["once(U, V)", "once(row(1), 4)", "killer_cage(I)"])
def test_without_the_rule_there_is_no_total(gone: str, tmp_path: Path) -> None:
    """Where rows need not hold each number, or cages have no sum, nothing is said of totals."""
    text = killer([row(1, 1, 5)])
    assert told(text)
    extra = mine(tmp_path, f"relaxed({gone}) :- violated({gone}).\n")
    assert not told(text, Settings(extra=[extra]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_totals_are_forced_and_irreducible(seed: int) -> None:
    """Each step of a board cut into cages is forced by its rules and cells, and by no fewer; most have totals."""
    rng = Random(seed)  # noqa: S311 (boards, not secrets)
    cages, free = [], {(r, c) for r in range(1, 7) for c in range(1, 7)}
    while len(free) > 12:
        cell = rng.choice(sorted(free))
        cage = [cell]
        for _ in range(rng.randint(1, 3)):
            near = sorted(n for n in free if n not in cage and any(abs(n[0] - r) + abs(n[1] - c) == 1 for r, c in cage))
            cage += [rng.choice(near)] if near else []
        free -= {*cage}
        if len({SIX[r - 1][c - 1] for r, c in cage}) == len(cage):
            cages.append(cage)
    instance = one(killer(cages))
    steps = as_json(explain(instance))
    assert Forced(instance).violations(steps) == []
