"""Sudokus and Strimkos that list their digits: 0 to 8, any others, and boards that are not square."""

import random
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from pyasp_puzzles import Instance, InstanceError, check, dumps, explain, loads, possible, solve
from pyasp_puzzles.queries.solve import solutions

from . import plain, rules
from .command import pyasp, refused
from .helpers import grounded, not_none, one
from .rules import Cell, Values
from .strategies import times
from .variant_boards import DIGITS, Base, digits_base


def values_of(instance: Instance) -> set[tuple[int, ...]]:
    """Return the numbers of all answers, row by row."""
    return in_order(answer.values for answer in solutions(instance, 0))


def in_order(answers: Iterable[Mapping[Cell, int]]) -> set[tuple[int, ...]]:
    """Return the numbers of answers, row by row."""
    return {tuple(number for _, number in sorted(values.items())) for values in answers}


def in_plain_clingo(instance: Instance) -> set[tuple[int, ...]]:
    """Return the same, of the rules alone, without consequences."""
    control, found = grounded(instance), set()
    with control.solve(yield_=True) as models:
        for model in models:
            values = {tuple(part.number for part in atom.arguments) for atom in model.symbols(shown=True)}
            found.add(tuple(value for _, _, value in sorted(values)))
    return found


def with_givens(board: Base, givens: Values) -> str:
    """Return the text of a board with some givens."""
    rows, columns = max(board.cells)
    grid = [" ".join(str(givens.get((r, c), ".")) for c in range(1, columns + 1)) for r in range(1, rows + 1)]
    return board.text.replace(f"size = [{rows}, {columns}]", 'givens = """\n' + "\n".join(grid) + '\n"""')


def some_givens(board: Base, seed: object) -> Values:
    """Return some of the numbers of an answer, one of them changed at times."""
    rng = random.Random(f"{seed}")  # noqa: S311 (boards, not secrets)
    answer = rng.choice(board.answers)
    givens = {cell: answer[cell] for cell in rng.sample(board.cells, rng.randint(0, len(board.cells) // 2))}
    if givens and rng.random() < 0.3:
        givens[rng.choice([*givens])] = rng.choice(board.numbers)
    return givens


@pytest.mark.parametrize("which", DIGITS)
def test_answers_are_those_of_brute_force(which: tuple[int, int, tuple[int, int], str]) -> None:
    """No digit is twice in a row, a column or a box, and a given stays; plain clingo agrees, without consequences."""
    board = digits_base(*which)
    assert board.answers
    for seed in range(times(3, 5)):
        givens = some_givens(board, (which, seed))
        instance = one(with_givens(board, givens))
        wanted = in_order(rules.strimko_answers(board.regions, givens, (), board.numbers))
        assert values_of(instance) == wanted
        assert in_plain_clingo(instance) == wanted
        assert check(instance).status == {0: "none", 1: "unique"}.get(len(wanted), "several")


@pytest.mark.parametrize("seed", range(4))
def test_a_strimko_lists_digits(seed: int) -> None:
    """Streams of a Strimko may be of any form, and of any size up to the number of digits."""
    rng = random.Random(seed)  # noqa: S311 (boards, not secrets)
    cells: list[Cell] = [(r, c) for r in (1, 2) for c in (1, 2, 3)]
    streams = {cell: rng.choice("ABC") for cell in cells}
    rows = "\n".join("".join(streams[r, c] for c in (1, 2, 3)) for r in (1, 2))
    [instance] = loads(f'puzzle = "strimko"\ndigits = [0, 2, 3, 11, 12, 13]\nstreams = """\n{rows}\n"""\n')
    wanted = rules.strimko_answers(streams, {}, (), (0, 2, 3, 11, 12, 13))
    assert values_of(instance) == in_order(wanted)


@pytest.mark.parametrize("which", DIGITS)
def test_candidates_are_what_some_answer_has(which: tuple[int, int, tuple[int, int], str]) -> None:
    """`possible` lists for each cell the numbers of all answers there, 0 too."""
    board = digits_base(*which)
    givens = some_givens(board, which)
    found = [*rules.strimko_answers(board.regions, givens, (), board.numbers)]
    answer = possible(one(with_givens(board, givens)))
    wanted = {cell: tuple(sorted({values[cell] for values in found})) for cell in board.cells}
    assert (answer is None) == (not found)
    assert answer is None or answer.candidates == wanted


@pytest.mark.parametrize("name", ["zero", "rectangle"])
def test_steps_lead_to_the_answer(name: str) -> None:
    """Explanations reach the only answer, each placement that of the answer; sentences name digits of the board."""
    [instance] = loads((Path("instances/sudoku") / f"{name}.toml").read_text("utf-8"))
    answer = not_none(solve(instance))
    steps = [*explain(instance)]
    placed = {(r.number, c.number): v.number for step in steps for r, c, v in (atom.arguments for atom in step.placed)}
    assert {**placed, **plain.givens(instance)} == answer.cells()


def test_a_unit_with_fewer_cells_needs_no_digit() -> None:
    """A column of 6 cells on a board with 8 digits may lack any digit, so no step says that it needs one."""
    [instance] = loads((Path("instances/sudoku") / "rectangle.toml").read_text("utf-8"))
    assert not [step.words for step in explain(instance) if "olumn" in step.words.partition("needs a")[0][-12:]]


@pytest.mark.parametrize(
    ("value", "again"),
    [
        ('"0..8"', '"0..8"'),
        ("[3, 1, 2, 4, 5, 6, 7, 8, 10]", '"1..8 10"'),
        ('"1 2 4 5 7 8 10 11 13"', '"1 2 4 5 7 8 10 11 13"'),
        ('["0..2", "4..8", 9]', '"0..2 4..9"'),
    ],
)
def test_ways_to_list_digits(value: str, again: str) -> None:
    """Digits are a text or an array of numbers and spans; boards are written with them, and read again."""
    [instance] = loads(f'puzzle = "sudoku"\nsize = [9, 9]\ndigits = {value}\n')
    text = dumps(instance, "toml")
    assert f"digits = {again}\n" in text
    for name in ("toml", "json", "lp"):
        assert loads(dumps(instance, name)) == [instance]


_FOUR = 'puzzle = "sudoku"\nsize = [4, 4]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (_FOUR + 'digits = "0..2"', "digits: 3 numbers are not enough for a row of 4 cells"),
        (_FOUR + 'digits = "3..0"', "lists a number twice, or a larger one before a smaller one"),
        (_FOUR + 'digits = "1 2 3 3 4"', "lists a number twice"),
        (_FOUR + 'digits = "0..1000"', "expected numbers of at most 3 digits, such as 0..8, or 1 2 4"),
        (_FOUR + "digits = [-1, 0, 1, 2]", "expected numbers of at most 3 digits"),
        (_FOUR + 'digits = ""', "expected numbers of at most 3 digits"),
        (_FOUR + "digits = 4", "expected numbers of at most 3 digits"),
        (_FOUR + "digits = [true, 1, 2, 3]", "expected numbers of at most 3 digits"),
        ('puzzle = "sudoku"\nsize = [2, 4]\n', "it needs as many rows as columns, or digits, such as 1..9"),
        ('puzzle = "sudoku"\nsize = [2, 4]\ndigits = "1..4"', "no usual boxes for 2x4; write box = [rows, columns]"),
        ('puzzle = "sudoku"\nsize = [3, 4]\ndigits = "1..4"\nbox = [2, 2]', "boxes of 2x2 do not fill a board of 3x4"),
        ('puzzle = "sudoku"\nsize = [4, 4]\ndigits = "1..4"\nbox = [4, 4]', "not enough for a region of 16 cells"),
        (
            'puzzle = "sudoku"\ndigits = "0..3"\ngivens = """\n4...\n....\n....\n....\n"""',
            "4 is out of range, expected 0 to 3",
        ),
        (
            'puzzle = "sudoku"\ndigits = "1 2 4 8"\ngivens = """\n3...\n....\n....\n....\n"""',
            "3 is out of range, expected 1, 2, 4 or 8",
        ),
        ('puzzle = "tectonic"\nblocks = """\nAA\n"""\ndigits = "0..1"', "unknown key 'digits'"),
    ],
)
def test_wrong_digits_are_refused_in_one_line(text: str, words: str, tmp_path: Path) -> None:
    """What is wrong is said in one line, and the command ends with exit code 2."""
    with pytest.raises(InstanceError) as error:
        loads(text, "board.toml", "toml")
    assert words in str(error.value)
    file = tmp_path / "board.toml"
    file.write_text(text, encoding="utf-8")
    refused(pyasp("solve", file, where=tmp_path), words)


def test_wrong_facts_are_refused() -> None:
    """The same of facts in a file of rules."""
    facts = "stream(1,1,a). stream(1,2,a). digit(-1). digit(1)."
    with pytest.raises(InstanceError, match="digits: -1 is out of range, expected 0 to 999"):
        loads("% puzzle: strimko\n" + facts, format="lp")


@pytest.mark.parametrize(
    ("string", "keys"),
    [
        (".Shape~4x4~0-3.~R1C1_0", 'digits = "0..3"'),
        (".Shape~4x6.~R4C6_6", 'digits = "1..6"\nbox = [2, 3]'),
        (".Shape~6x6~9.RegionSize~9", 'digits = "1..9"\nbox = [3, 3]'),
        (".Shape~3x5.NoBoxes", 'digits = "1..5"\nbox = [1, 5]'),
        (".Shape~4x4~0-4.Whisper~3~R1C1~R2C2", 'digits = "0..4"'),
        (".Shape~6x8~0-8.LittleKiller~9~R1C3", 'digits = "0..8"\nbox = [2, 4]'),
        (".Shape~9x9~10.~R1C1_2_4_6_8_10", 'digits = "1..10"'),
        (".Shape~2x4~0-4.NoBoxes.Jigsaw~00000111", 'digits = "0..4"'),
    ],
)
def test_strings_of_interactive_sudoku_solver(string: str, keys: str) -> None:
    """Shapes with other numbers, boards that are not square, and boxes of another size come and go."""
    [instance] = loads(string)
    assert keys in dumps(instance, "toml")
    [again] = loads(dumps(instance, "iss"))
    assert again == instance


def test_usual_shapes_list_no_digits() -> None:
    """A shape with the usual numbers is a board as before."""
    for shape in ("4x4", "4x4~4", "4x4~1-4"):
        [instance] = loads(f".Shape~{shape}")
        assert not instance.outline.digits


def test_a_string_may_begin_with_several_dots() -> None:
    """Nothing between two dots is no constraint; rows of a large Sudoku, which may begin so, have no tilde."""
    assert loads("..Cage~5~R1C1~R1C2") == loads(".Cage~5~R1C1~R1C2")


def test_a_jigsaw_in_boxes() -> None:
    """A string with pieces but not without boxes has both: pieces hold each number once."""
    [instance] = loads(".Shape~4x4.Jigsaw~0011001122332233")
    assert "all_differents" in dumps(instance, "toml")
    [without] = loads(".Shape~4x4.NoBoxes.Jigsaw~0122012201330133")
    assert "regions" in dumps(without, "toml")
    assert ".NoBoxes.Jigsaw~" in dumps(without, "iss")


@pytest.mark.parametrize(
    ("string", "words"),
    [
        (".Shape~4x4~2-5", None),
        (".Shape~4x4~0-2", "digits: 3 numbers are not enough for a row of 4 cells"),
        (".Shape~9x9~0-8~Raw", "is no board of a Sudoku, such as 6x8~0-7"),
        (".Shape~4x4.NoBoxes.Jigsaw~0011002222222222", "the pieces of the jigsaw have not 4 to 4 cells"),
        (".Shape~2x4.~R3C1_1", "'R3C1' is not a cell of a board of 2x4, such as R1C1"),
    ],
)
def test_other_strings_are_refused(string: str, words: str | None) -> None:
    """Numbers that the site cannot have are read, as they have a meaning, but not written; the others are no boards."""
    if words is None:
        [instance] = loads(string)
        assert instance.outline.digits == (2, 3, 4, 5)
        with pytest.raises(InstanceError, match="iss cannot store a board with the digits"):
            dumps(instance, "iss")
        return
    with pytest.raises(InstanceError) as error:
        loads(string)
    assert words in str(error.value)


@pytest.mark.parametrize("name", ["f-puzzles", "penpa", "line", "sdk", "opensudoku", "puzzlink", "janko", "grid"])
def test_formats_without_digits_refuse_them(name: str) -> None:
    """A format that cannot say which digits a board has refuses it."""
    [instance] = loads((Path("instances/sudoku") / "zero.toml").read_text("utf-8"))
    with pytest.raises(InstanceError, match="digits"):
        dumps(instance, name)
