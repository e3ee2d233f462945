"""Strips as in "Solving the puzzle from the university quest using Python": nine strips, outlines, grids as tuples."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import Instance, InstanceError, check, load, loads, solutions, solve

from . import plain, rules, strategies
from .command import objects, printed, pyasp
from .helpers import mine, not_none, one, only, overlong, steps
from .strategies import StripsBoard, examples

# The boards 1 to 10 and the last one, as the source prints them; it has lost the blanks that lines begin with.
OUTLINES = """\
_ _ _ _ _   _ _ _ _ _   _ _ _ _ _   _ _ _ _ _   _ _ _ _ _
| | | |_ _| | |_ _|_ _| | |_ _ _| | |_ _ _| | | |_ _ _|_ _|
| | | | | | | | |_ _ _| |_|_ _ _| | |_ _ _|_| | | |_ _ _|_|
|_|_|_| |_| |_| | | | | |_ _ _|_|_| |_|_ _ _|_| | | | | | |
|_ _ _|_| | |_|_|_| | | |_ _|_ _ _| |_ _ _|_ _| |_|_| | | |
|_|_ _ _|_| |_ _ _|_|_| |_ _|_ _ _| |_ _|_ _ _| |_ _|_|_|_|
_ _ _ _ _   _ _ _ _ _   _ _ _ _ _   _ _ _ _ _   _ _ _ _ _
|_ _ _|_ _| | | |_ _ _| | | |_ _ _| | | |_ _ _| | |_ _ _| |
|_ _ _| | | | |_| |_ _| | |_|_ _ _| |_| |_ _ _| | |_ _ _|_|
| |_ _| | | |_| | | | | |_|_ _ _|_| | |_|_ _| | |_|_|_ _ _|
| | |_|_|_| | | |_| | | |_ _ _|_ _| |_|_ _ _| | |_ _|_ _ _|
|_|_|_ _ _| |_|_|_|_|_| |_ _ _|_ _| |_ _ _|_|_| |_ _ _|_ _|
"""
LAST = """\
_ _ _ _ _
|_ _|_ _ _|
|_ _ _|_ _|
| |_|_ _ _|
| |_ _ _| |
|_|_ _ _|_|
"""
GRIDS = """\
# grids for the puzzle
grid01 = ('bwbww','bwbbb','wbwbw','bwwbw','bwwbb')
grid02 = ('bwbwb','bwbwb','wbwbw','wwbbb',
          'wbbww')
"""


def test_nine_strips_leave_one_cell() -> None:
    """The nine strips of two or three cells leave one cell of the last board, which the answer names."""
    board = only("strips/nine")
    [answer] = solutions(board, 0)
    assert answer.json()["left"] == [[3, 2]]
    assert str(answer).endswith("\nLeft: row 3, column 2")
    assert "left" not in not_none(solve("strips/final")).json()
    whole = one(board_text("left = 0"))
    assert check(whole).status == "none"
    assert [found.json()["left"] for found in solutions(one(board_text('optional = "r3c2 r5c5"')), 0)] == [[[3, 2]]]


def board_text(line: str) -> str:
    """Return the last board of the hunt, to be cut into the nine strips, with another line."""
    tiles = "wwbbw wbwbb bbbww bbwbb bwwww".replace(" ", "\\n")
    strips = ["ww", "wb", "bb", "www", "wwb", "wbw", "wbb", "bwb", "bbb"]
    return f'puzzle = "strips"\ntiles = "{tiles}"\nstrips = {strips}\n{line}\n'


@pytest.mark.slow
@examples(30)
@given(strategies.strips_boards(), st.data())
def test_cells_that_may_be_left(board: StripsBoard, data: st.DataObject) -> None:
    """A board has the answers of all boards without some of the cells that may be left: how many, or which, or both."""
    cells = sorted(board.tiles)
    most = data.draw(st.none() | st.integers(0, 2))
    which = data.draw(st.lists(st.sampled_from(cells), min_size=most is None, max_size=2, unique=True))
    text = board.text + (f"left = {most}\n" if most is not None else "")
    text += f'optional = "{" ".join(f"r{r}c{c}" for r, c in which)}"\n' if which else ""
    expected = set()
    for number in range((len(which) if most is None else most) + 1):
        for spare in combinations(which or cells, number):
            left = {cell: color for cell, color in board.tiles.items() if cell not in spare}
            expected |= {*rules.strips_answers(left, board.longest, board.listed)}
    found = [*solutions(one(text), 0)]
    assert len(found) == len(expected)
    assert {frozenset(plain.strips(answer.json())) for answer in found} == expected
    for answer in found:
        covered = {cell for strip in answer.strips for cell in strip.cells}
        assert {(r, c) for r, c in answer.json().get("left", [])} == set(cells) - covered


@pytest.mark.slow
def test_outlines_are_those_of_the_source(tmp_path: Path) -> None:
    """With --outlines 5, answers are drawn with _ and |, five boards in a row, as the source prints them."""
    shown = printed("solve", "strips/hunt", "--outlines", "5", where=tmp_path)
    lines = [line.strip() for line in shown.splitlines()[1:]]
    assert lines[:12] == OUTLINES.splitlines()
    assert len(lines) == 30
    assert printed("solve", "strips/hunt", "--outlines", "5", "--jobs", "1", where=tmp_path) == shown
    for name in "strips/final", "strips/nine":
        lines = printed("solve", name, "--outlines", "1", where=tmp_path).splitlines()
        assert [line.strip() for line in lines[1:7]] == LAST.splitlines()
    assert len(printed("solve", "strips/hunt", "--outlines", "25", where=tmp_path).splitlines()) == 7
    done = pyasp("solve", "strips/hunt", "--outlines", "5", "--json", where=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("text", [GRIDS, "\n\n".join("\n".join(row) for row in (
    ("bwbww", "bwbbb", "wbwbw", "bwwbw", "bwwbb"), ("bwbwb", "bwbwb", "wbwbw", "wwbbb", "wbbww")
))])  # fmt: skip
def test_grids_of_the_source_are_read(text: str, tmp_path: Path) -> None:
    """Tuples of strings, with names or without, and several bare grids in one text are boards; the first row is on top.

    The tuples of the source begin with the bottom row.
    """
    first, second = loads(text, format="strips")
    assert (first.number, second.number, second.total) == (1, 2, 2)
    for board, known in zip((first, second), only_two(), strict=True):
        tiles = plain.labels(board, "tile")
        assert {(6 - r, c): color for (r, c), color in tiles.items()} == plain.labels(known, "tile")
    mine(tmp_path, text, "grids.txt")
    assert len(objects(printed("solve", "grids.txt", "--as", "strips", "--json", where=tmp_path))) == 2


def only_two() -> list[Instance]:
    """Return the first two boards of the hunt."""
    return load("strips/hunt")[:2]


LISTED = "strips = ('ww','wb','bb','www','wwb',\n          'wbw','wbb','bwb','bbb')\n"
PROGRAM = f"# strips for the puzzle\n{LISTED}{GRIDS}grids = (grid01,grid02)\noutlines_per_row = 5\n"


@pytest.mark.parametrize("text", [PROGRAM, f"{LISTED}\nbwbww\nbwbbb\nwbwbw\nbwwbw\nbwwbb\n"])
def test_strips_of_the_source_stand_above_its_grids(text: str) -> None:
    """The source's tuple of nine strips is that of each board of the text, and leaves one cell."""
    boards = loads(text, format="strips")
    assert len(boards) == (2 if text == PROGRAM else 1)
    for board in boards:
        [answer] = solutions(board, 0)
        assert (len(answer.json()["strips"]), len(answer.json()["left"])) == (9, 1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("strips = ('ww', wb)\n('bw', 'wb')", ":1: 'strips = ('ww', wb)' is no grid"),
        ("('bw',\n'b')", ":2: row 2 has 1 cell, expected 2"),
        ("('bw', 'ww, 'wb')", "is no grid; write rows as strings"),
        ("x = ('bw', '')", "row 2 is empty"),
        ("('bw', 'ww'", "there is no key 'tiles'"),
    ],
)
def test_bad_tuples_are_refused(text: str, says: str) -> None:
    """What is wrong with a tuple of strings is said in one line."""
    with pytest.raises(InstanceError) as error:
        loads(text, format="strips")
    assert says in str(error.value)


def test_notes_of_the_last_board() -> None:
    """The notes say what is wrong in the picture of the source: two boards are swapped, and T has a wrong border."""
    board = only("strips/final")
    notes = board.details["notes"]
    letters = board.extras["letters"]
    assert "B and L, of boards 15 and 16" in notes
    assert letters[4, 4] == "T"
    assert "the left border of the cell with the T, of board 21, in row 4, column 4, is wrong" in notes
    places = {i: next(iter(one.extras["letters"].values())) for i, one in enumerate(load("strips/hunt"), 1)}
    assert (places[15], places[16], places[21]) == ("B", "L", "T")


@pytest.mark.slow
def test_a_cell_that_no_strip_could_cover_is_told_so() -> None:
    """What has no place left is told in the words of its rule, alone or together with others; no sentence is long."""
    assert overlong(steps("strips/holes")) == []
    words = [step.words for step in steps("strips/holes")]
    assert any(re.search(r"(in the end|,) no strip could cover row \d, column \d[. ]", one) for one in words)
    assert any("the strips left could not cover row" in one for one in words)
    assert not any("could not all hold" in one or "no possibility" in one for one in words)
