"""A puzzle is three files: a sixth one is added to a copy of the project by just these, with no other edit."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from pyasp_puzzles.encoding import encoding_path, instances_directory

from .command import PACKAGE, objects, pyasp

if TYPE_CHECKING:
    from pathlib import Path

ENCODING = """\
% Stars: one star in each row, column and region, and no two stars touch.
%
% Input:   region(R, C, G)   cell R,C belongs to region G
%          given(R, C, 1)    there is a star in cell R,C   (optional)
% Output:  value(R, C, 1)    there is a star in cell R,C
% Names:   one(row(R)), one(col(C)), one(region(G)), touch(R, C), given(R, C)

#defined given/3.
#defined relaxed/1.


% -- Generate -----------------------------------------------------------------

{ value(R, C, 1) } :- region(R, C, _).


% -- Test ---------------------------------------------------------------------

% Each row, column and region has one star.
violated(one(row(R)))    :- region(R, _, _), { value(R, C, 1) } != 1.
violated(one(col(C)))    :- region(_, C, _), { value(R, C, 1) } != 1.
violated(one(region(G))) :- region(_, _, G), { value(R, C, 1) : region(R, C, G) } != 1.

% No two stars touch: a square of 2x2 cells has one at most.
violated(touch(R, C)) :- region(R, C, _), { value(R..R + 1, C..C + 1, 1) } > 1.

% A printed star stays.
violated(given(R, C)) :- given(R, C, V), not value(R, C, V).

:- violated(Rule), not relaxed(Rule).


% -- Display ------------------------------------------------------------------

#show value/3.
"""

MODULE = '''\
"""Stars: one in each row, column and region, and no two touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.number_grid import VIEWS, check_givens, read
from pyasp_puzzles.puzzle import Puzzle
from pyasp_puzzles.vocabulary import Facts, Predicate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.sections import Sections
    from pyasp_puzzles.vocabulary import Entry


def facts(sections: Sections) -> Iterator[Entry]:
    """Yield the facts of a board: `regions`, and `givens` in the same shape."""
    board = sections.board("regions")
    yield from (("region", (*cell, name), place) for cell, name, place in board.cells())
    yield from sections.numbers("givens", "given", board)


def validate(facts: Facts) -> None:
    """Refuse givens that are no stars on the board."""
    check_givens(facts, dict.fromkeys(facts.cells("region"), 1))


NAME = ("row", "column", "name")
PUZZLE = Puzzle(
    name="stars",
    summary="One star in each row, column and region, and no two touch.",
    encoding="stars",
    predicates=(Predicate("region", NAME, unique=2), Predicate("given", (*NAME[:2], "number"), unique=2)),
    required="region", facts=facts, validate=validate, views=VIEWS, read=read,
)
'''

INSTANCE = '''\
puzzle = "stars"
title = "Four stars"
source = "made for this test"
notes = "The only other way to place four stars without touching is its mirror image."
regions = """
A A B B
A A B B
C C C D
C C D D
"""
givens = """
. 1 . .
. . . .
. . . .
. . . .
"""
solution = """
. 1 . .
. . . 1
1 . . .
. . 1 .
"""
'''


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project with a sixth puzzle."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(
        PACKAGE, root / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__", "encodings", "instances")
    )
    shutil.copytree(encoding_path("strimko").parent, root / "encodings")
    shutil.copytree(instances_directory(), root / "instances")
    assert MODULE.count("\n") <= 40
    (root / "encodings" / "stars.lp").write_text(ENCODING, encoding="utf-8")
    (root / PACKAGE.name / "puzzles" / "stars.py").write_text(MODULE, encoding="utf-8")
    (root / "instances" / "stars").mkdir()
    (root / "instances" / "stars" / "first.toml").write_text(INSTANCE, encoding="utf-8")
    return root


def test_solve(copy: Path, tmp_path: Path) -> None:
    """The new puzzle's board is solved and drawn, and its answer is the only one."""
    done = pyasp("solve", "--all", "--json", "stars/first", where=tmp_path, extra={"PYTHONPATH": str(copy)})
    (board,) = objects(done.stdout)
    assert (board["puzzle"], board["title"], board["complete"]) == ("stars", "Four stars", True)
    grid = [[None, 1, None, None], [None, None, None, 1], [1, None, None, None], [None, None, 1, None]]
    assert board["solutions"] == [{"grid": grid}]
    drawn = pyasp("solve", "stars/first", where=tmp_path, extra={"PYTHONPATH": str(copy)})
    assert (drawn.returncode, drawn.stderr) == (0, "")
    assert "Four stars" in drawn.stdout
    assert "(1)" in drawn.stdout


def test_list_and_encoding(copy: Path, tmp_path: Path) -> None:
    """The new puzzle is listed with its board, and its encoding is printed."""
    listed = pyasp("list", where=tmp_path, extra={"PYTHONPATH": str(copy)}).stdout
    assert "stars: One star in each row, column and region, and no two touch.\n" in listed
    assert "stars/first" in listed
    assert pyasp("encoding", "stars", where=tmp_path, extra={"PYTHONPATH": str(copy)}).stdout == ENCODING


def test_facts(copy: Path, tmp_path: Path) -> None:
    """The new puzzle's facts are recognised when they are read back, and mistakes in its boards are named."""
    facts = pyasp("facts", "stars/first", where=tmp_path, extra={"PYTHONPATH": str(copy)}).stdout
    alone = "\n".join(line for line in facts.splitlines() if not line.startswith("%"))
    done = pyasp("solve", "--json", "-", where=tmp_path, stdin=alone, extra={"PYTHONPATH": str(copy)})
    assert [board["puzzle"] for board in objects(done.stdout)] == ["stars"]
    wrong = pyasp("solve", "-", where=tmp_path, stdin='puzzle = "star"\n', extra={"PYTHONPATH": str(copy)})
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("pyasp: <stdin>:1: ")
    assert "did you mean stars?" in wrong.stderr
