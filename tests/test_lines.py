"""Answers that are lines or areas: how they are written, read, drawn, counted and checked."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from pyasp_puzzles import InstanceError, Settings, check, count, decided, explain, hint, load, loads, review, solve
from pyasp_puzzles.errors import Where
from pyasp_puzzles.puzzles.board import keys_of_board
from pyasp_puzzles.studio.questions import answer_question as answers_to

from .command import printed, pyasp
from .helpers import one, write

# Simple cycles of a grid of n x n nodes. Source: OEIS, A140517.
CYCLES = {2: 1, 3: 13, 4: 213}


@pytest.mark.parametrize("size", CYCLES)
def test_loops_are_counted(size: int) -> None:
    """A board without pearls has as many answers as there are cycles in its grid."""
    grid = "\n".join(" ".join("." * size) for _ in range(size))
    found = count(one(f'puzzle = "masyu"\npearls = """\n{grid}\n"""\n'))
    assert (found.number, found.exact) == (CYCLES[size], True)


def test_lines_as_text() -> None:
    """Loops are drawn through cells, bridges are single or double, and what is shaded is."""
    board = one("puzzle = 'simple-loop'\nsize = [2, 3]\n")
    assert (
        str(solve(board)).split()
        == """
        ┌───────────┐
        │ ┏━━━━━━━┓ │
        │ ┃ ┃ │
        │ ┗━━━━━━━┛ │
        └───────────┘
    """.split()
    )
    assert "2═══════3━━━1" in str(solve(one('puzzle = "hashi"\nislands = "2.31"\n')))
    loop = one('puzzle = "slitherlink"\nnumbers = """\n4.\n..\n"""\n')
    assert str(solve(loop)) == "┏━━━┓   ·\n┃ 4 ┃\n┗━━━┛   ·\n\n·   ·   ·"


@pytest.mark.parametrize("name", ["masyu/eight", "slitherlink/eight", "hashi/eight", "yajilin/six", "galaxies/eight"])
def test_answers_are_read_as_they_are_written(name: str) -> None:
    """An answer in text and in JSON is the same answer; its picture is one."""
    (board,) = load(name)
    kind, answer = board.puzzle.kind, board.solution
    assert answer is not None
    text = kind.typed(board, json.loads(json.dumps(answer.json())))
    assert kind.read(board, text, Where("text"), whole=True) == answer
    assert kind.from_json(board, answer.json(), Where("json")) == answer
    assert ET.fromstring(answer._repr_svg_()).get("role") == "img"  # noqa: S314 (what we have drawn)
    assert review(board, answer).status == "solved"


def test_paths_are_several_lines() -> None:
    """`r1c1-r1c2-r2c2` are two lines."""
    board = one('puzzle = "simple-loop"\nsize = [2, 2]\n')
    loop = board.puzzle.kind.read(board, "r1c1-r1c2-r2c2-r2c1-r1c1", Where("text"))
    assert loop == solve(board)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("r1c1-r1c9", "'r1c1-r1c9' is wrong here, expected cells of the board joined by"),
        ("r1c1", "'r1c1' is a single cell, expected lines such as r1c1-r1c2"),
        ("loop", "'loop' is wrong here"),
    ],
)
def test_wrong_lines_are_refused(words: str, message: str) -> None:
    """What is no line on the board is refused, with what was expected."""
    board = one('puzzle = "simple-loop"\nsize = [2, 2]\n')
    with pytest.raises(InstanceError, match=message):
        board.puzzle.kind.read(board, words, Where("text"))


SLANTS = {0x2571: "/", 0x2572: "\\", 0x2573: "X"}
WEB = """
{ line(R, C, R', C') } :- number(R, C, N), number(R', C', N), (R, C) < (R', C').
violated(pair(R, C, R', C')) :- number(R, C, N), number(R', C', N), (R, C) < (R', C'), not line(R, C, R', C').
violated(size) :- not cell(1, 1).
:- violated(Rule).
#show line/4.
"""
WEB_TABLE = """
cell = "cell(R, C)"
[answer]
kind = "lines"
output = "line(R, C, R', C')"
[keys.numbers]
kind = "numbers"
fact = "number(R, C, N)"
"""


@pytest.mark.parametrize(
    ("rows", "drawn", "below"),
    [
        ("1.. ... ..1", ["1   ·   ·", "\\", "·   \\   ·", "\\", "·   ·   1"], ""),
        ("..1 .1. ...", ["·   ·   1", "/", "·   1   ·", "", "·   ·   ·"], ""),
        ("12 21", ["1   2", "X", "2   1"], ""),
        ("1.. ..1 ...", ["1   ·   ·", "", "·   ·   1", "", "·   ·   ·"], "r1c1-r2c3"),
        ("1.. 1.. ...", ["1   ·   ·", "┃", "1   ·   ·", "", "·   ·   ·"], ""),
    ],
)
def test_lines_at_any_angle_are_drawn_as_text(rows: str, drawn: list[str], below: str, tmp_path: Path) -> None:
    """A slant goes through the corners of cells; a line that text cannot draw is named below the board."""
    write(tmp_path, {"web/web.lp": WEB, "web/puzzle.toml": WEB_TABLE})
    grid = "\n".join(rows.split())
    (board,) = loads(f'puzzle = "web"\nnumbers = """\n{grid}\n"""\n', puzzles=[tmp_path])
    answer: Any = solve(board)
    lines = str(answer).translate(SLANTS).split("\n")
    assert [line.strip("│ ") for line in lines[1 : len(drawn) + 1]] == drawn
    assert lines[len(drawn) + 2 :] == ([below] if below else [])
    assert review(board, board.puzzle.kind.read(board, answer.typed(), Where("text"))).status == "solved"


def test_slants_across_cells_are_drawn_as_text(tmp_path: Path) -> None:
    """Along edges, a slant is drawn in its cell, and steps name it."""
    rules = """
{ line(R, C, R + 1, C + 1); line(R, C + 1, R + 1, C) } = 1 :- cell(R, C).
violated(falls(R, C)) :- number(R, C, 1), not line(R, C, R + 1, C + 1).
violated(rises(R, C)) :- cell(R, C), not number(R, C, _), not line(R, C + 1, R + 1, C).
:- violated(Rule).
#show line/4.
"""
    table = WEB_TABLE.replace("output", 'on = "corners"\noutput')
    write(tmp_path, {"slants/slants.lp": rules, "slants/puzzle.toml": table})
    (board,) = loads('puzzle = "slants"\nnumbers = """\n1.\n..\n"""\n', puzzles=[tmp_path])
    lines = str(solve(board)).translate(SLANTS).split("\n")
    assert [line.strip() for line in lines[1:4:2]] == ["1   /", "/   /"]
    assert lines[-1] == "r1c1-r2c2"  # its cell has a number
    steps = " ".join(step.words for step in explain(board))
    assert "along the falling diagonal of row 1, column 1" in steps


def test_decided_says_where_there_is_no_line() -> None:
    """What all answers share: lines, and crosses where none has one."""
    board = one('puzzle = "masyu"\npearls = """\n.b.\n...\n.b.\n"""\n')
    (wide,) = loads('puzzle = "slitherlink"\nnumbers = """\n0.3\n...\n"""\n')
    assert check(board).status == "none"
    known = decided(wide)
    assert known is not None
    numbers = {line.get("number", 1) for line in known.json()["lines"]}
    assert 0 in numbers
    assert "×" in str(known)  # noqa: RUF001 (the sign of no line)


@pytest.mark.slow
def test_mistakes_in_lines_are_named(tmp_path: Path) -> None:
    """A wrong line breaks a rule, or has to be taken back; a part of the answer is right."""
    (board,) = load("slitherlink/eight")
    kind = board.puzzle.kind
    assert board.solution is not None
    part = " ".join(kind.typed(board, board.solution.json()).split()[:9])
    assert review(board, kind.read(board, part, Where("part"))).status == "right"
    wrong = review(board, kind.read(board, f"{part} r1c1-r1c2", Where("wrong")))
    assert wrong.status == "broken"
    assert any("row 1, column 1" in broken.words for broken in wrong.broken)
    assert wrong.remedy == "Without the loop along the top of row 1, column 1, no rule is broken."
    answer = tmp_path / "answer.txt"
    answer.write_text(part, encoding="utf-8")
    assert "Right" in printed("check", "slitherlink/eight", "--answer", answer, where=tmp_path)
    answer.write_text("r1c1-r2c2", encoding="utf-8")
    done = pyasp("check", "slitherlink/eight", "--answer", answer, where=tmp_path)
    assert "no answer can have the loop along the falling diagonal of row 1, column 1" in done.stdout


@pytest.mark.slow
def test_hints_say_where_lines_go() -> None:
    """A step tells where the loop goes, and where it does not."""
    (board,) = load("masyu/eight")
    assert "the loop" in hint(board).words
    assert " from row " in hint(board).words


def test_areas_are_equal_whatever_they_are_called() -> None:
    """Areas are the same if the same cells are together; names in text, and in the rules, mean nothing."""
    board = one('puzzle = "shikaku"\nnumbers = """\n2.2\n..2\n"""\n')
    kind = board.puzzle.kind
    one_way, other = (kind.read(board, words, Where("text")) for words in ("a a b\nc c b\n", "x x 1\n7 7 1\n"))
    assert one_way == other
    assert kind.read(board, "1,1 1,2\n1,3 2,3\n2,1 2,2\n", Where("text")) == other


def test_areas_with_names_of_their_own_are_counted_once(tmp_path: Path) -> None:
    """Rules that give areas any of three names have one answer for each cut, not one for each choice of names."""
    rules = (
        "{ area(R, C, 1..3) } = 1 :- cell(R, C).\n"
        "violated(size(A)) :- area(_, _, A), { area(R, C, A) } != 2.\n"
        ":- violated(Rule), not relaxed(Rule).\n#defined relaxed/1.\n#show area/3.\n"
    )
    declaration = 'cell = "cell(R, C)"\n[answer]\nkind = "areas"\n'
    folder = write(tmp_path / "halves", {"halves.lp": rules, "puzzle.toml": declaration})
    (board,) = loads('puzzle = "halves"\nsize = [1, 4]\n', puzzles=[folder])
    assert count(board).number == 3  # which cells are together: both ends, every second one, or those in the middle
    assert check(board, Settings(timeout=10)).status == "several"


def test_areas_are_named_by_their_first_cells(tmp_path: Path) -> None:
    """If rules call an area by its first cell, a finished board is right, and a wrong one breaks only what is wrong."""
    rules = (
        "{ area(R, C, (Y, X)) : cell(Y, X), (Y, X) <= (R, C) } = 1 :- cell(R, C).\n"
        "violated(begins(A)) :- area(_, _, A), A = (Y, X), not area(Y, X, A).\n"
        "violated(size(A)) :- area(_, _, A), { area(R, C, A) } != 2.\n"
        ":- violated(Rule), not relaxed(Rule).\n#defined relaxed/1.\n#show area/3.\n"
    )
    declaration = 'cell = "cell(R, C)"\n[answer]\nkind = "areas"\n'
    folder = write(tmp_path / "dominoes", {"dominoes.lp": rules, "puzzle.toml": declaration})
    (board,) = loads('puzzle = "dominoes"\nsize = [2, 4]\n', puzzles=[folder])
    cuts = ("AABB\nCCDD\n", "AABB\nCCCD\n")
    right, wrong = (review(board, board.puzzle.kind.read(board, cut, Where("cut"))) for cut in cuts)
    assert (right.status, right.broken) == ("solved", ())
    assert wrong.broken
    assert all(str(broken.rule).startswith("size") for broken in wrong.broken)


@pytest.mark.parametrize("name", ["slitherlink/eight", "yajilin/six", "shikaku/eight"])
def test_the_studio_takes_lines_and_areas(name: str) -> None:
    """The studio's page sends lines, marks and areas as it has them, and is told what is right, and a hint."""
    (board,) = load(name)
    answer = board.solution
    assert answer is not None
    entries: dict[str, object] = {}
    if hasattr(answer, "lines"):
        words = board.puzzle.kind.typed(board, answer.json()).split()
        entries["lines"] = [word for word in words if "-" in word]
        entries["cells"] = {word: "x" for word in words if "-" not in word}
    else:
        entries["pieces"] = [["r{}c{}".format(*cell) for cell in area] for area in answer.areas]
    asked = {"puzzle": board.puzzle.name, **keys_of_board(board)}
    found = list(answers_to({"ask": "review", "board": asked, "entries": entries}))
    assert found[0]["status"] == "solved"
    (hinted, *_) = answers_to({"ask": "hint", "board": asked})
    assert hinted["lines"] or "lines" not in entries
    assert all("words" in level for level in hinted["levels"])
