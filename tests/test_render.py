"""What answers look like: pictures of small boards."""

import re
from typing import NamedTuple

import pytest

from pyasp_puzzles import Instance, explain, solve
from pyasp_puzzles.render.text import NAMED, Style

from .helpers import COLORED, PLAIN, one


class Picture(NamedTuple):
    """A board with its answer, and what it looks like without colour."""

    name: str
    board: str
    looks: str


PICTURES = [
    Picture(
        "Tectonic",
        """
        puzzle = "tectonic"
        blocks = '''
        A A A A
        B B B B
        # # C #
        '''
        givens = '''
        . 2 . .
        . . . 2
        # # . #
        '''
        solution = '''
        3 2 1 4
        1 4 3 2
        # # 1 #
        '''
        """,
        """
        ┌───────────────┐
        │ 3  (2)  1   4 │
        ├───────────────┤
        │ 1   4   3  (2)│
        └───────┬───┬───┘
                │ 1 │
                └───┘
        """,
    ),
    Picture(
        "Tectonic with a hole, and cells that stand alone",
        """
        puzzle = "tectonic"
        blocks = '''
        A A A # #
        A # B # D
        B B B # #
        '''
        solution = '''
        2 1 3 # #
        4 # 2 # 1
        1 3 4 # #
        '''
        """,
        """
        ┌───────────┐
        │ 2   1   3 │
        │   ┌───┬───┤   ┌───┐
        │ 4 │   │ 2 │   │ 1 │
        ├───┴───┘   │   └───┘
        │ 1   3   4 │
        └───────────┘
        """,
    ),
    Picture(
        "Tectonic that is not filled yet",
        """
        puzzle = "tectonic"
        blocks = "A A"
        solution = "1 ."
        """,
        """
        ┌───────┐
        │ 1   . │
        └───────┘
        """,
    ),
    Picture(
        "Strimko with streams in pieces, which are named in the cells",
        """
        puzzle = "strimko"
        streams = '''
        A B C
        B C A
        C A B
        '''
        givens = '''
        1 . .
        2 . .
        . . .
        '''
        solution = '''
        1 3 2
        2 1 3
        3 2 1
        '''
        """,
        """
        ┌─────┬─────┬─────┐
        │(1)A │ 3 B │ 2 C │
        ├─────┼─────┼─────┤
        │(2)B │ 1 C │ 3 A │
        ├─────┼─────┼─────┤
        │ 3 C │ 2 A │ 1 B │
        └─────┴─────┴─────┘
        """,
    ),
    Picture(
        "Sudoku",
        """
        puzzle = "sudoku"
        givens = '''
        1 . . .
        . . 2 .
        . 3 . .
        . . . 4
        '''
        solution = '''
        1 2 4 3
        3 4 2 1
        4 3 1 2
        2 1 3 4
        '''
        """,
        """
        ┌───────┬───────┐
        │(1)  2 │ 4   3 │
        │       │       │
        │ 3   4 │(2)  1 │
        ├───────┼───────┤
        │ 4  (3)│ 1   2 │
        │       │       │
        │ 2   1 │ 3  (4)│
        └───────┴───────┘
        """,
    ),
    Picture(
        "Tectonic with numbers of two digits",
        """
        puzzle = "tectonic"
        blocks = '''
        A A A A A
        A A A A A
        '''
        givens = '''
        . . 10 . .
        . . . . .
        '''
        solution = '''
        1 2 10 4 5
        6 7 8 9 3
        '''
        """,
        """
        ┌────────────────────────┐
        │  1    2  (10)   4    5 │
        │                        │
        │  6    7    8    9    3 │
        └────────────────────────┘
        """,
    ),
    Picture(
        "Strips",
        """
        puzzle = "strips"
        tiles = '''
        w b w
        # b b
        '''
        solution = '''
        a b c
        # b c
        '''
        """,
        """
         _ _ _
        |_| | |
          |_|_|
        """,
    ),
    Picture(
        "Strips around a hole",
        """
        puzzle = "strips"
        tiles = '''
        w b w
        b # b
        w w b
        '''
        solution = '''
        a a c
        b # c
        b d d
        '''
        """,
        """
         _ _ _
        |_ _| |
        | |_|_|
        |_|_ _|
        """,
    ),
    Picture(
        "Strata",
        """
        puzzle = "strata"
        colors = { r = "red", b = "blue" }
        tiles = '''
        r b r
        r . r
        '''
        solution = '''
        row 2
        column 3 red
        column 1 red
        row 1 red
        column 2 b
        '''
        """,
        """
        1. row 2    any colour
        2. column 3 red
        3. column 1 red
        4. row 1    red
        5. column 2 blue

          1 2 3
        1 r b r
        2 r b r
        """,
    ),
    Picture(
        "Strata with words for colours, and a cell that may show anything",
        """
        puzzle = "strata"
        tiles = '''
        . green
        . .
        '''
        solution = '''
        row 2
        column 2
        column 1
        row 1 green
        '''
        """,
        """
        1. row 2    any colour
        2. column 2 any colour
        3. column 1 any colour
        4. row 1    green

              1     2
        1 green green
        2     .     .
        """,
    ),
]


def unindented(text: str) -> str:
    """Return a text of this file without its margins."""
    return "\n".join(line[8:] for line in text.split("\n")[1:-1])


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_pictures(picture: Picture) -> None:
    """An answer has exactly this picture, without colour and trailing blanks; `str` gives the same."""
    instance = one(unindented(picture.board), "picture.toml")
    assert instance.solution is not None
    assert instance.solution.text(PLAIN) == str(instance.solution) == unindented(picture.looks)


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_colour_adds_nothing_but_codes(picture: Picture) -> None:
    """In colour the same answer takes the same number of lines, and every code is switched off in its line."""
    instance = one(unindented(picture.board), "picture.toml")
    assert instance.solution is not None
    colored = instance.solution.text(COLORED)
    assert colored.count("\n") == unindented(picture.looks).count("\n")
    for line in colored.split("\n"):
        assert line.count("\033[") == 2 * line.count("\033[0m")


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


def three_blocks() -> Instance:
    """Return a Tectonic of three blocks, with most of its answer."""
    blocks, solution = "A A\nA B\nC B", "1 3\n2 1\n. 2"
    return one(f'puzzle = "tectonic"\nblocks = """\n{blocks}\n"""\nsolution = """\n{solution}\n"""\n')


def test_beside_a_sentence() -> None:
    """Beside a sentence, rows and columns have numbers, and the regions that it names have letters."""
    answer = three_blocks().solution
    assert answer is not None
    both = PLAIN.beside(f"{SENTENCE} So has block C.")
    assert answer.text(both, [(1, 2)]) == BESIDE.strip("\n")
    assert answer.text(PLAIN.beside(SENTENCE), [(1, 2)]) == BESIDE.strip("\n").replace("C", "─")
    assert "B" not in answer.text(PLAIN.beside("An A, a B and a C are in row B, column C."))


def test_narrow_terminal() -> None:
    """Numbers are left out where only they would make lines too long."""
    answer = three_blocks().solution
    assert answer is not None
    wide = max(map(len, BESIDE.splitlines()))
    assert answer.text(Style(width=wide, words=SENTENCE)).startswith("    1   2")
    assert answer.text(Style(width=wide - 1, words=SENTENCE)).startswith("┌")
    assert answer.text(Style(width=wide - 3, words=SENTENCE)).startswith("    1   2")


def test_strips_beside_a_sentence() -> None:
    """Columns of strips are one character wide, so tens have a line of their own; in colour, cells keep theirs."""
    tiles = " ".join("wb" * 5 + "w")
    instance = one(f'puzzle = "strips"\ntiles = """\n{tiles}\n"""\nsolution = """\na a a b b b c c d d d\n"""\n')
    assert instance.solution is not None
    lines = instance.solution.text(PLAIN.beside("They differ.")).split("\n")
    assert lines == [
        " " * 21 + "1 1",
        "   1 2 3 4 5 6 7 8 9 0 1",
        "   _ _ _ _ _ _ _ _ _ _ _",
        "1 |_ _ _|_ _ _|_ _|_ _ _|",
    ]
    colored = instance.solution.text(COLORED)
    assert set(re.findall(r"48;5;(\d+)m_", colored)) == {str(NAMED["white"]), str(NAMED["black"])}


def test_streams_keep_their_letters() -> None:
    """In colour, streams have their letters, too; and steps are drawn as in black and white."""
    answer = solve("strimko/six")
    assert answer is not None
    plain, colored = answer.text(PLAIN), re.sub(r"\033\[[0-9;]*m", "", answer.text(COLORED))
    assert re.findall("[A-F]", plain) == re.findall("[A-F]", colored)
    assert plain.replace("(", " ").replace(")", " ") == colored


def test_a_step_letters_what_it_names() -> None:
    """The picture of a step has the letters of the blocks in its sentence, and no others; so has its SVG."""
    step = next(step for step in explain("tectonic/seed") if "lock C needs a 1" in step.words)
    assert re.findall("[A-Z]", step.picture(PLAIN)) == ["C"]
    drawing = step.drawing()
    assert drawing is not None
    assert list(drawing.letters.values()) == ["C"]
