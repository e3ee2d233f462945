"""Chaos Construction: answers with regions, and strings of Interactive Sudoku Solver."""

import re

import pytest

from pyasp_puzzles import InstanceError, check, count, load, loads, review, solve
from pyasp_puzzles.errors import Where
from pyasp_puzzles.puzzles.board import keys_of_board

from .helpers import one

FOUR, SIX = (load(f"chaos-construction/{name}")[0] for name in ("four", "six"))
# A string with a number that counts cells of its region, as published by an editor of the site.
STRING = (
    ".Shape~4x4.ChaosConstruction.NoBoxes.~R1C1_2.ChaosCount~R1C2~~CC2~CC1~CC5"
    ".ChaosArrow~R3C3.ChaosArrow~R4C4~0~CC16~CC12~CC8.SameValues~3~CC1~CC2~CC3"
)


def test_regions_are_part_of_an_answer() -> None:
    """The answer tells each cell's region, as text, as JSON and in its picture; names of regions do not matter."""
    answer = solve(FOUR)
    assert answer is not None
    assert answer == FOUR.solution
    table = answer.json()
    assert [len({*row}) for row in table["regions"]] == [1, 2, 3, 2]
    grids = "\n\n".join("\n".join(" ".join(map(str, row)) for row in table[name]) for name in ("grid", "regions"))
    named = grids.partition("\n\n")[2].translate(str.maketrans("1234", "DBCA"))
    read = FOUR.puzzle.kind.read(FOUR, f"{grids.partition(chr(10) * 2)[0]}\n\n{named}", Where("answer"))
    assert read == answer
    assert review(FOUR, read).status == "solved"
    assert str(answer).count("├") + str(answer).count("┼") < 6  # walls are between regions alone


def test_wrong_regions_break_a_rule() -> None:
    """An answer with the right numbers and other regions is wrong."""
    answer = solve(FOUR)
    assert answer is not None
    numbers = "\n".join(" ".join(map(str, row)) for row in answer.json()["grid"])
    read = FOUR.puzzle.kind.read(FOUR, f"{numbers}\n\na a a a\nb b b b\nc c c c\nd d d d", Where("answer"))
    assert review(FOUR, read).status == "broken"


def test_a_numbering_of_regions_is_no_other_answer() -> None:
    """The blank board of 3x3 cells has 72 answers: twelve squares, each cut in as many ways as its numbers allow."""
    blank = one('puzzle = "chaos-construction"\ngivens = """\n. . .\n. . .\n. . .\n"""\n')
    assert count(blank).number == 72


def test_a_string_of_interactive_sudoku_solver_is_read() -> None:
    """Its clues about regions become keys: CC5 is the region of the fifth cell; an arrow alone goes in four ways."""
    (board,) = loads(STRING)
    assert board.puzzle.name == "chaos-construction"
    keys = keys_of_board(board)
    assert keys["region_counts"] == ["r1c2 > r1c2 r1c1 r2c1"]
    assert keys["region_arrows"] == [
        "r3c3 = r3c3 r3c2 r3c1 = r3c3 r3c4 = r3c3 r2c3 r1c3 = r3c3 r4c3",
        "r4c4 = r4c4 r3c4 r2c4",
    ]
    assert keys["same_regions"] == ["r1c1 r1c2 r1c3"]
    (boxed,) = loads(STRING.replace(".NoBoxes", ""))
    boxes = [f"r{r}c{c} r{r}c{c + 1} r{r + 1}c{c} r{r + 1}c{c + 1}" for r in (1, 3) for c in (1, 3)]
    assert keys_of_board(boxed)["extra_regions"] == boxes
    assert check(SIX).status == "unique"


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (".CountDistinct~R1C1~CC1~CC2", "a clue about the regions of a Chaos Construction"),
        (".ChaosCount~R1C1~1~CC1~CC2", "a clue about the regions of a Chaos Construction"),
        (".ChaosArrow~R9C1", "'R9C1' is not a cell of a board of 4x4"),
        (".SameValues~2~CC1~CC99", "'CC99' is not a cell of a board of 4x4"),
    ],
)
def test_other_clues_about_regions_are_refused(part: str, words: str) -> None:
    """A clue about regions that we lack is named in one line, and so is one without a Chaos Construction."""
    with pytest.raises(InstanceError, match=re.escape(words)) as caught:
        loads(STRING + part)
    assert "\n" not in str(caught.value)
    with pytest.raises(InstanceError):
        loads(STRING.replace(".ChaosConstruction", "") + part)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('walls = ["r1c1 r2c2"]', "walls"),
        ('region_counts = ["r1c1 r1c2"]', "expected a head, > and cells"),
        ('same_regions = ["r1c9 r1c2"]', "outside the board of 2x2"),
        ("regions = 3", "unknown key 'regions'"),
    ],
)
def test_wrong_clues_are_named(text: str, words: str) -> None:
    """A mistake in a clue about regions is named."""
    with pytest.raises(InstanceError, match=words):
        one(f'puzzle = "chaos-construction"\n{text}\ngivens = """\n. .\n. .\n"""\n')
