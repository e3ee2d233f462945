"""Explanations of boards with variants: each step is true, forced and irreducible, and its sentence says it well."""

import json
import random
from itertools import islice
from pathlib import Path

import pytest

from pyasp_puzzles import Settings, Step, explain, load, solve
from pyasp_puzzles.boards.spans import unmarked
from pyasp_puzzles.explanation.cores import Suppositions
from pyasp_puzzles.explanation.sentences import Sentences
from pyasp_puzzles.explanation.totals import bound_words, bounds_in_turn, choices_in_bounds, combinations_in_bounds
from pyasp_puzzles.puzzles.numbers import Numbers
from pyasp_puzzles.queries.formulas import formula_search
from pyasp_puzzles.queries.ground_rules import ground_rules_of
from pyasp_puzzles.queries.words import Words

from .forced import Forced, claims
from .helpers import one, write
from .step_checker import as_json
from .variant_boards import CELLS, KEYS, VARIANTS, a_board

# The variants whose boards are explained in each run: a kind of key each, sums, order, differences and clues outside.
OFTEN = ("arrow", "killer-cage", "negative-xv", "renban", "sandwich", "skyscraper", "thermometer", "whispers")

# Cells of a 6x6 board that are joined by a V, and those joined by a white dot on another one.
LETTERS = ["r2c5 r3c5", "r3c5 r3c6", "r4c5 r4c6", "r5c1 r5c2", "r5c3 r5c4"]
DOTS = (
    "r1c5 r1c6, r2c2 r2c3, r2c4 r2c5, r3c2 r3c3, r3c2 r4c2, r3c3 r4c3, r3c4 r4c4, r4c3 r4c4, r5c1 r5c2, r5c4 r5c5, "
    "r6c1 r6c2, r6c2 r6c3"
).split(", ")


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


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", OFTEN)
def test_steps_of_variants_are_right(name: str) -> None:
    """Every conclusion is true of all answers by the plain checker, and its step's rules and cells alone force it."""
    checked(name, 0, 2)


@pytest.mark.sampled(0, 80)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", VARIANTS)
def test_steps_of_all_variants_are_right(name: str, seed: int) -> None:
    """The same of every variant, on more boards."""
    if name in KEYS or not seed:
        checked(name, seed, (4, 2, 0)[seed])


# What `pyasp generate sudoku --use x_sums` made.
X_SUMS = '''
puzzle = "sudoku"
givens = """
.........\n.........\n.........\n..9..6...\n.........\n.........\n.........\n.........\n.........
"""
x_sums = { right = ". . 26 42 . . 24 34 .", left = ". 23 . . . . . . 32", top = ". 20 18 . 30 45 40 3 ." }
'''


@pytest.mark.night
def test_a_step_that_is_told_needs_all_rules_that_it_tells() -> None:
    """Of sums whose proofs take long, no rule about several cells and no cell is told that could be left out."""
    instance = one(X_SUMS)
    steps = [*islice(explain(instance), 9), Step(10, "end", "")]
    assert [text for text in Forced(instance).violations(as_json(steps)) if "is forced without" in text] == []


def words(keys: str, *rows: str) -> list[str]:
    """Return the sentences of a 4x4 Sudoku with these keys and givens."""
    grid = "\n".join(rows or ["...."] * 4)
    return [step.words for step in explain(one(f'puzzle = "sudoku"\ngivens = """\n{grid}\n"""\n{keys}\n'))]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("keys", "rows", "sentence"),
    [
        (
            'killer_cages = "r1c1 r1c2 = 7"',
            "....\n....\n....\n.3..",
            (
                "The cage of row 1, column 1 adds up to 7 without repeats, and row 1, column 2 is not 3,"
                " so row 1, column 1 is 3, and row 1, column 2 is 4."
            ),
        ),
        (
            'sums = "r1c1 r2c1 r3c3 = 11"',
            "",
            "The cells of the sum at row 1, column 1 add up to 11, so its cells are 3, 4 and 4.",
        ),
        (
            'sums = "r1c1 r2c1 r3c3 r4c3 = 12"',
            "1...\n....\n....\n....",
            (
                "The cells of the sum at row 1, column 1 add up to 12, and row 1, column 1 is 1,"
                " so its other cells are 3, 4 and 4."
            ),
        ),
        (
            'killer_cages = "r1c1 r2c1 r2c2 = 6"',
            "....\n...1\n....\n....",
            (
                "The cage of row 1, column 1 adds up to 6 without repeats; its cells are 1, 2 and 3;"
                " row 2, columns 1 and 2 are at least 2, so row 1, column 1 is 1."
            ),
        ),
        (
            'arrows = "r1c1 > r3c1 r4c1"',
            "....\n..1.\n....\n....",
            (
                "The arrow adds up to its circle in row 1, column 1, so row 1, column 1 is at least 2, and rows 3 and 4"
                " of column 1 are at most 3."
            ),
        ),
        (
            'arrows = "r1c4 > r3c4 r4c3"',
            "...4\n....\n....\n..1.",
            (
                "The arrow adds up to its circle in row 1, column 4; row 1, column 4 is 4; row 4, column 3 is 1;"
                " row 3, column 4 is 2 or 3, so it is 3."
            ),
        ),
        (
            'thermometers = "r1c1 r2c1 r3c2"',
            "",
            (
                "The thermometer from row 1, column 1 rises over 3 cells, so its cells are at least 1, 2 and 3, and at"
                " most 2, 3 and 4."
            ),
        ),
        (
            'whispers = "r1c1 r1c2 r2c3 = 3"',
            "..2.\n....\n....\n....",
            ("Neighbours on the whisper line from row 1, column 1 differ by at least 3, so its cells are 1 or 4."),
        ),
        (
            'whispers = "r1c1 r1c2 = 3"',
            "....\n....\n.1..\n....",
            (
                "Row 1, columns 1 and 2 differ by at least 3, and row 1, column 2 is at least 2,"
                " so row 1, column 1 is 1, and row 1, column 2 is 4."
            ),
        ),
        (
            'whispers = "r1c1 r1c2 r2c3 = 2"',
            "....\n1...\n....\n..1.",
            (
                "Row 1, columns 1 and 2 differ by at least 2, and row 1, column 1 is 2 or 4,"
                " so row 1, column 2 is not 3."
            ),
        ),
        (
            'thermometers = "r1c1 r1c2 r1c3"',
            "..4.\n1...\n....\n....",
            (
                "Row 1, column 1 is less than row 1, column 2, and row 1, columns 1 and 2 are 2 or 3,"
                " so row 1, column 1 is 2, and row 1, column 2 is 3."
            ),
        ),
        (
            'clones = "r1c1 r1c2 = r3c3 r3c4"',
            "12..\n....\n....\n....",
            (
                "Row 1, column 1 and its clone in row 3, column 3 are equal, and row 1, column 1 is 1,"
                " so row 3, column 3 is 1."
            ),
        ),
        (
            '[skyscrapers]\nleft = "4 . . ."',
            "",
            (
                "The skyscraper clue before row 1, column 1 sees 4 numbers, so row 1, column 1 is 1;"
                " row 1, column 2 is 2; row 1, column 3 is 3, and row 1, column 4 is 4."
            ),
        ),
        (
            '[sandwiches]\nleft = "5 . . ."',
            "....\n..4.\n....\n....",
            ("The numbers between 1 and 4 in row 1 add up to 5, and row 1, column 4 is at most 3, so it is 1."),
        ),
    ],
)
def test_sentences_say_what_is_left(keys: str, rows: str, sentence: str) -> None:
    """A step of one rule says what is left in the cells that it needs, and then, and a bound where that explains it."""
    assert sentence in words(keys, *rows.split())


FALLING = {
    "falling/falling.lp": """
% Input: value(R, C, V), falling(I, J, R, C)
#defined falling/4.
violated(falling(I)) :- falling(I, J, R, C), falling(I, J + 1, R', C'), value(R, C, V), value(R', C', V'), V <= V'.
""",
    "falling/variant.toml": 'summary = "Numbers fall."\n[keys.falls]\nfact = "falling(I, J, R, C)"\n',
    "falling/words.lp": 'says(falling(I), ("numbers fall along line", I)) :- falling(I, 1, _, _).\n',
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("keys", "givens", "sentence"),
    [
        (
            "xv = " + json.dumps(["r1c2 r2c2 = X", "r1c5 r2c5 = X", *(f"{pair} = V" for pair in LETTERS)]),
            "3..... .....2 ...... 6..... ...... ......",
            "Rows 2 and 3 of column 5 add up to 5, so both are at most 4.",
        ),
        (
            '[skyscrapers]\nbottom = ". 2 . 4 . ."\nright = ". . . 3 . 3"\ntop = ". . . . . 2"\nleft = "3 2 2 . . ."',
            "...1.. ...... ..3.1. ...... ...... ......",
            "Claiming: 6 in row 4 can only be in box 3, so row 3, column 2 is not 6.",
        ),
        (
            "differences = " + json.dumps([f"{pair} = 1" for pair in DOTS]),
            "...... ...... .....4 ...... ...... ......",
            (
                "If row 4, column 2 were 5, row 3, column 2 would be 6 (box 3; rows 3 and 4 of column 2"
                " differ by 1), so nothing would be left for row 3, column 3 (row 3, columns 2 and 3 differ by 1)."
                " So row 4, column 2 is not 5."
            ),
        ),
    ],
)
def test_steps_of_variants_have_the_shortest_sentence(keys: str, givens: str, sentence: str) -> None:
    """Two cells are named once, two units are a pattern, and of a cell of many numbers, the one refuted is supposed."""
    rows = "\n".join(givens.split())
    instance = one(f'puzzle = "sudoku"\nsize = [6, 6]\ngivens = """\n{rows}\n"""\n{keys}\n')
    assert sentence in [step.words for step in explain(instance)]


def test_a_line_of_your_own_is_told_as_a_whole(tmp_path: Path) -> None:
    """One rule about a line says the bounds of its cells in their order, whatever its words are."""
    text = 'puzzle = "sudoku"\nfalls = "r1c1 r1c2 r1c3 r1c4 r1c5"\ngivens = """\n' + "......\n" * 4
    said = [step.words for step in explain(one(f'{text}.....6\n......\n"""', puzzles=write(tmp_path, FALLING)))]
    assert said[0] == (
        "Numbers fall along line 1, so its cells are at least 5, 4, 3, 2 and 1, and at most 6, 5, 4, 3 and 2."
    )


@pytest.mark.slow
def test_what_a_line_alone_rules_out_is_one_step() -> None:
    """What a line rules out without a look at its cells is told once, and not again with bounds that say less."""
    keys = 'size = [6, 6]\nthermometers = ["r6c1 r5c1 r4c2 r3c2 r2c1", "r1c6 r2c6 r3c5 r4c5"]\n'
    rows = ("......", "......", "......", "...1..", "......", ".6..2.")
    text = f'puzzle = "sudoku"\n{keys}givens = """\n' + "\n".join(rows) + '\n"""\n'
    steps = [step for step in explain(one(text)) if not step.cells]
    blind = [rule for step in steps for rule in step.rules if rule.name == "thermometer"]
    assert blind
    assert len(blind) == len({*blind})


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("thermometer", "because the thermometer from row 2, column 2 has the 5 in row 3, column 2"),
        ("little-killer", "the diagonal of 9 with the 4 in row 2, column 6 rules out row 1, column 5"),
        ("sum", "the sum of 8 with the 5 in row 4, column 1 rules out row 3, column 1"),
        ("xv", "because it adds up to 5 with the 1 in row 8, column 6"),
    ],
)
def test_reasons_name_sums_and_ends(name: str, reason: str) -> None:
    """A reason that rests on a sum says the sum, and that on a thermometer where it begins."""
    assert any(reason in step.words for step in explain(f"variants/{name}"))


@pytest.mark.slow
def test_of_many_numbers_ruled_out_those_left_are_told() -> None:
    """Where more than six numbers of a cell are out, a sentence says which are left."""
    instance = one('puzzle = "sudoku"\nsize = [9, 9]\n')
    ground = ground_rules_of(instance, Settings())
    atoms = {ground.values[atom]: atom for atom in ground.cells if ground.cells[atom] == (1, 2)}
    sentences = Sentences(Words(ground, instance, Settings()), two_valued=False)
    for last, verb, expected in (
        (6, "", "is not 1, 2, 3, 4, 5 or 6"),
        (7, "", "is 8 or 9"),
        (8, "would be", "would be 9"),
    ):
        said = sentences.conclusions([-atoms[value] for value in range(1, last + 1)], verb)
        assert unmarked(said) == f"row 1, column 2 {expected}"


@pytest.mark.parametrize(
    ("left", "out", "expected"),
    [
        ([[1, 2], [2, 3]], [[3, 4], [1, 4]], "at least 1 and 2, and at most 2 and 3"),
        ([[2, 3, 4], [3, 4]], [[1], [2]], "at least 2 and 3"),
        ([[3], [2]], [[4], [1, 3]], "3 and 2"),
        ([[1, 3], [2, 3]], [[2], [1]], ""),
        ([[1, 2], [3, 4], [1, 2]], [[3, 4], [1, 2], [3, 4]], ""),
        ([[1], [3, 4]] * 2, [[2], [1, 2]] * 2, "by turns 1, and 3 or 4"),
        ([[1, 2, 3], [2, 3, 4]] * 2, [[4], [1]] * 2, "by turns at most 3 and at least 2"),
    ],
)
def test_bounds_along_a_line(left: list[list[int]], out: list[list[int]], expected: str) -> None:
    """What a line is is told as a whole if it rises, falls or alternates, and if that says all that is ruled out."""
    assert unmarked(bounds_in_turn(left, out, {number: str(number) for number in range(1, 5)})) == expected


def test_bounds_of_sums_hold() -> None:
    """A sum takes one of each choice, and of the sets apart one at most; an empty choice says that some were left."""
    cells = [{1: 1, 2: 2, 3: 3}, {4: 1, 5: 2, 6: 3}]
    assert [*choices_in_bounds(cells, [], 6, 9)] == [(3, 6)]
    assert [*choices_in_bounds(cells, [{3, 6}], 6, 9)] == []
    assert [*choices_in_bounds(cells, [{3, 6}], 5, 9)] == [(3, 5), (2, 6)]
    assert [*choices_in_bounds(cells, [], 2, 2)] == [(1, 4)]
    three = [*cells, {7: 3}]
    assert [*choices_in_bounds(three, [{3, 6, 7}, {2, 5}], 6, 9)] == [(2, 4, 7), (1, 5, 7)]
    assert [*choices_in_bounds([{1: -1}, {2: -1}], [{1, 2}], -9, 9)] == []
    assert [*choices_in_bounds([{1: 2}, {}], [], 0, 9)] == [()]
    assert [*choices_in_bounds([dict.fromkeys(range(i, i + 9), 1) for i in range(0, 81, 9)], [], 10, 81)] == []
    assert [*choices_in_bounds([{atom: atom % 9 for atom in range(i, i + 9)} for i in range(0, 81, 9)], [], 71, 71)]


@pytest.mark.parametrize(
    ("out", "expected"),
    [
        ([1], "at least 2"),
        ([1, 2, 3, 4, 5, 6], "7, 8 or 9"),
        ([8, 9], "at most 7"),
        ([1, 9], "2 to 8"),
        ([5], "not 5"),
        ([1, 3, 9], "not 1, 3 or 9"),
        ([1, 2, 3, 4, 6, 7, 8, 9], "5"),
    ],
)
def test_ranges(out: list[int], expected: str) -> None:
    """What is left in a cell is said in the fewest words that say it exactly."""
    assert unmarked(bound_words({number: str(number) for number in range(1, 10)}, out)) == expected


@pytest.mark.slow
def test_of_too_many_combinations_none_is_told() -> None:
    """What nine cells of a sum may hold is not listed where too many sums were tried; what three may hold is."""
    instance = one('puzzle = "sudoku"\nsize = [9, 9]\nlittle_killers = ["r1c1 dr = 18", "r7c1 dr = 6"]')
    ground = ground_rules_of(instance, Settings())
    atoms = {(ground.cells[atom], ground.values[atom]): atom for atom in ground.cells}
    for start, length, expected in ((1, 9, []), (7, 3, [(1, 2, 3), (2, 2, 2)])):
        line = [(start + i, 1 + i) for i in range(length)]
        [rule] = [rule for rule in ground.rules if {ground.cells[atom] for atom in rule.atoms} == {*line}]
        left = {cell: [atoms[cell, value] for value in range(1, 10)] for cell in line}
        assert combinations_in_bounds(ground, rule.formula, left, [{atoms[cell, 1] for cell in line}]) == expected


@pytest.mark.sampled(0, 3)
@pytest.mark.parametrize("name", ["equal-sum", "killer-cage", "little-killer", "sandwich", "skyscraper", "sum", "xv"])
def test_proofs_from_suppositions_hold(name: str) -> None:
    """The rules of a proof refute what was supposed, by the known atoms that it names; as more becomes known, too."""
    [board] = load(f"variants/{name}")
    ground = ground_rules_of(board, Settings())
    answer = solve(board)
    assert isinstance(answer, Numbers)
    holding = {atom: answer.values[cell] == ground.values[atom] for atom, cell in ground.cells.items()}
    suppositions = Suppositions(ground, {})
    count = 0
    shuffled = random.Random(20).sample(sorted(holding.items()), len(holding))  # noqa: S311
    for size in (20, 40, 60):
        known = dict(shuffled[: len(holding) * size // 100])
        suppositions.know(known)
        wrong = [-atom if holds else atom for atom, holds in holding.items() if atom not in known]
        for literal, proof in suppositions.refuted(wrong, lambda: None).items():
            again = suppositions.proof(literal, proof.rules)
            assert again is not None
            for found in (proof, again):
                guards = {ground.rules[rule].guard: ground.rules[rule].formula for rule in found.rules}
                given = [atom if known[atom] else -atom for atom in found.known]
                assert formula_search(guards).refute([literal, *guards, *given]) is not None
            count += 1
    assert count
