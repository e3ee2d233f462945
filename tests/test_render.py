"""What answers look like: pictures of small boards."""

import re
from textwrap import dedent

import pytest

from pyasp_puzzles import board, explain, solve

from .helpers import COLORED, PLAIN, not_none

PICTURES = {
    "Tectonic": (
        board("tectonic", blocks="AAAA\nBBBB\n##C#", givens=".2..\n...2\n##.#", solution="3214\n1432\n##1#"),
        """
        ┌───────────────┐
        │ 3  (2)  1   4 │
        ├───────────────┤
        │ 1   4   3  (2)│
        └───────┬───┬───┘
                │ 1 │
                └───┘""",
    ),
    "Tectonic with a hole, and cells that stand alone": (
        board("tectonic", blocks="AAA##\nA#B#D\nBBB##", solution="213##\n4#2#1\n134##"),
        """
        ┌───────────┐
        │ 2   1   3 │
        │   ┌───┬───┤   ┌───┐
        │ 4 │   │ 2 │   │ 1 │
        ├───┴───┘   │   └───┘
        │ 1   3   4 │
        └───────────┘""",
    ),
    "Tectonic that is not filled yet": (
        board("tectonic", blocks="AA", solution="1."),
        """
        ┌───────┐
        │ 1   . │
        └───────┘""",
    ),
    "Strimko with streams in pieces, which are named in the cells": (
        board("strimko", streams="ABC\nBCA\nCAB", givens="1..\n2..\n...", solution="132\n213\n321"),
        """
        ┌─────┬─────┬─────┐
        │(1)A │ 3 B │ 2 C │
        ├─────┼─────┼─────┤
        │(2)B │ 1 C │ 3 A │
        ├─────┼─────┼─────┤
        │ 3 C │ 2 A │ 1 B │
        └─────┴─────┴─────┘""",
    ),
    "Sudoku": (
        board("sudoku", givens="1...\n..2.\n.3..\n...4", solution="1243\n3421\n4312\n2134"),
        """
        ┌───────┬───────┐
        │(1)  2 │ 4   3 │
        │       │       │
        │ 3   4 │(2)  1 │
        ├───────┼───────┤
        │ 4  (3)│ 1   2 │
        │       │       │
        │ 2   1 │ 3  (4)│
        └───────┴───────┘""",
    ),
    "Tectonic with numbers of two digits": (
        board("tectonic", blocks="AAAAA\nAAAAA", givens=". . 10 . .\n. . . . .", solution="1 2 10 4 5\n6 7 8 9 3"),
        """
        ┌────────────────────────┐
        │  1    2  (10)   4    5 │
        │                        │
        │  6    7    8    9    3 │
        └────────────────────────┘""",
    ),
    "Strips": (
        board("strips", tiles="wbw\n#bb", solution="abc\n#bc"),
        """
         _ _ _
        |_| | |
          |_|_|""",
    ),
    "Strips around a hole": (
        board("strips", tiles="wbw\nb#b\nwwb", solution="aac\nb#c\nbdd"),
        """
         _ _ _
        |_ _| |
        | |_|_|
        |_|_ _|""",
    ),
    "Strata": (
        board(
            "strata",
            colors={"r": "red", "b": "blue"},
            tiles="rbr\nr.r",
            solution="row 2\ncolumn 3 red\ncolumn 1 red\nrow 1 red\ncolumn 2 b",
        ),
        """
        1. row 2    any colour
        2. column 3 red
        3. column 1 red
        4. row 1    red
        5. column 2 blue

          1 2 3
        1 r b r
        2 r b r""",
    ),
    "Strata with words for colours, and a cell that may show anything": (
        board("strata", tiles=". green\n. .", solution="row 2\ncolumn 2\ncolumn 1\nrow 1 green"),
        """
        1. row 2    any colour
        2. column 2 any colour
        3. column 1 any colour
        4. row 1    green

              1     2
        1 green green
        2     .     .""",
    ),
}
"""Boards with their answers, and what these look like without colour."""


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(name: str) -> None:
    """An answer has exactly this picture, without trailing blanks; `str` gives the same.

    In colour it takes the same number of lines, and every code is switched off in its line.
    """
    instance, looks = PICTURES[name]
    answer = not_none(instance.solution)
    assert answer.text(PLAIN) == str(answer) == dedent(looks).strip("\n")
    colored = answer.text(COLORED)
    assert colored.count("\n") == str(answer).count("\n")
    assert all(line.count("\033[") == 2 * line.count("\033[0m") for line in colored.split("\n"))


SENTENCE = "Block B needs a 2; row 3, column 1 is its only place left."
BESIDE = """
    1   2
  ┌───────┐
1 │ 1  *3*│
  │   ┌─B─┤
2 │ 2 │ 1 │
  ├─C─┤   │
3 │ . │ 2 │
  └───┴───┘
"""
"""A board beside a sentence that names the blocks B and C."""


THREE_BLOCKS = not_none(board("tectonic", blocks="AA\nAB\nCB", solution="13\n21\n.2").solution)
"""Most of an answer to a Tectonic of three blocks."""


def test_beside_a_sentence() -> None:
    """Beside a sentence, rows and columns have numbers, and the regions that it names have letters."""
    answer = THREE_BLOCKS
    both = PLAIN.beside(f"{SENTENCE} So has block C.")
    assert answer.text(both, [(1, 2)]) == BESIDE.strip("\n")
    assert answer.text(PLAIN.beside(SENTENCE), [(1, 2)]) == BESIDE.strip("\n").replace("C", "─")
    assert "B" not in answer.text(PLAIN.beside("An A, a B and a C are in row B, column C."))


def test_narrow_terminal() -> None:
    """Numbers are left out where only they would make lines too long."""
    answer = THREE_BLOCKS
    both, wide = PLAIN.beside(SENTENCE), max(map(len, BESIDE.splitlines()))
    assert answer.text(both._replace(width=wide)).startswith("    1   2")
    assert answer.text(both._replace(width=wide - 1)).startswith("┌")
    assert answer.text(both._replace(width=wide - 3)).startswith("    1   2")


def test_strips_beside_a_sentence() -> None:
    """Columns of strips are one character wide, so tens have a line of their own; in colour, cells keep theirs."""
    answer = not_none(board("strips", tiles="wb" * 5 + "w", solution="aaabbbccddd").solution)
    lines = answer.text(PLAIN.beside("They differ.")).split("\n")
    assert lines == [
        " " * 21 + "1 1",
        "   1 2 3 4 5 6 7 8 9 0 1",
        "   _ _ _ _ _ _ _ _ _ _ _",
        "1 |_ _ _|_ _ _|_ _|_ _ _|",
    ]
    assert set(re.findall(r"48;5;(\d+)m_", answer.text(COLORED))) == {"255", "236"}  # white and black


def test_streams_keep_their_letters() -> None:
    """In colour, streams have their letters, too; and steps are drawn as in black and white."""
    answer = not_none(solve("strimko/six"))
    plain, colored = answer.text(PLAIN), re.sub(r"\033\[[0-9;]*m", "", answer.text(COLORED))
    assert re.findall("[A-F]", plain) == re.findall("[A-F]", colored)
    assert plain.replace("(", " ").replace(")", " ") == colored


def test_a_step_letters_what_it_names() -> None:
    """The picture of a step has the letters of the blocks in its sentence, and no others; so has its SVG."""
    step = next(step for step in explain("tectonic/seed") if "lock C needs a 1" in step.words)
    assert re.findall("[A-Z]", step.picture(PLAIN)) == ["C"]
    drawing = not_none(step.drawing())
    assert list(drawing.letters.values()) == ["C"]
