"""Whatever text comes in: it is refused with a `PuzzleError`, or it is an instance that can be asked anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pyasp_puzzles import PuzzleError, loads, solutions

from .helpers import COLORED, facts, one

if TYPE_CHECKING:
    from .strategies import Draw

VALID = {
    "strata.toml": """puzzle = "strata"
title = "A wave"
palette = ["r", "b", "g"]
colors = { r = "red", b = "blue" }
[[board]]
tiles = '''
r .
b r
'''
[[board]]
tiles = "r b"
solution = '''
row 1
column 1 red
column 2 blue
'''
""",
    "strimko.toml": 'puzzle = "strimko"\nstreams = """\nA B\nB A\n"""\ngivens = """\n1 .\n. .\n"""\n'
    'solution = "12\\n21"\n',
    "sudoku.toml": 'puzzle = "sudoku"\nbox = [2, 2]\ngivens = """\n1...\n..2.\n....\n...3\n"""\n',
    "jigsaw.toml": 'puzzle = "sudoku"\ngivens = """\n1..\n..2\n...\n"""\nregions = """\nAAB\nABB\nCCC\n"""\n',
    "tectonic.toml": 'puzzle = "suguru"\ntitle = "T"\n'
    'blocks = """\nA A B\nA C #\n"""\ngivens = """\n. 2 .\n. . #\n"""\n',
    "strips.toml": 'puzzle = "strips"\nlongest = 2\ntiles = """\nwb\nw#\n"""\nletters = """\na.\nb.\n"""\n'
    'solution = "ab\\na#"\n',
    "listed.toml": 'puzzle = "strips"\ntiles = """\nw b\nw b\n"""\nstrips = ["bw", "w", "b"]\nnotes = "n"\n',
    "strata.lp": 'row(1). row(2).\ncol(1). col(2).\ncolor("r"). color(b).\ntile(1, 1, "r"). tile(2, 1, b).\n',
    "strimko.lp": "% title: S\nstream(1,1,a). stream(1,2,b).\nstream(2,1,b). stream(2,2,a).\ngiven(1,1,2).\n",
    "sudoku.lp": '% puzzle: sudoku\nstream(1,1,"1"). stream(1,2,"1").\nstream(2,1,2). stream(2,2,2). %* a\nb *%\n',
    "tectonic.lp": 'block(1,1,"A"). block(1,2,"A"). block(2,1,b).\ngiven(1, 1, 1).\n',
    "strips.lp": "tile(1,1,w). tile(1,2,b).\nlongest(2).\nstrip(1,1,b). strip(1,2,w).\n",
}
PIECES = [
    *" \n\t\r\0.,;:()[]{}\"'#%*=_-+\\/|!?&@^~0123459aAbBwr",
    *("\u00e9", "\u0661", "\u2028", "\x1b", "\ufeff", "\U0001f600", '"""', "'''", "[[board]]", "*%", "%*", ":-"),
    *(
        "99999999999",
        "2147483647",
        "not ",
        "#script",
        "#include",
        "\n# #\n",
        "[1]",
        "true",
        "1979-05-27",
        "nan",
        "0x1f",
    ),
    *("given(1, 1, 1).", "stream(1,1,a).", "board = 1\n", 'puzzle = "strips"\n', "longest = 0\n", "board", "row 1"),
]


@st.composite
def mutations(draw: Draw, text: str) -> str:
    """Return a text that is cut off, or in which a few pieces are put in, left out, doubled or swapped."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        piece = draw(st.sampled_from(["", text[start:end] * 2, *PIECES]))
        text = text[:start] + piece + text[end:]
    return text[: draw(st.integers(0, len(text)))] if draw(st.integers(0, 3)) == 0 else text


def survives(text: str, source: str) -> None:
    """Load a text; if it loads, solve its boards, print them, and read their facts back."""
    instances, refusal = [], source
    try:
        instances = loads(text, source)
    except PuzzleError as error:
        refusal = str(error)
    assert refusal.startswith(source)
    assert refusal.isprintable()
    for instance in instances:
        for answer in [*solutions(instance, limit=1), instance.solution]:
            if answer is not None:
                assert isinstance(answer.json(), dict)
                assert isinstance(answer.text(COLORED), str)
                assert isinstance(str(answer), str)
        again = one(facts(instance), "again.lp")
        assert set(again.facts) == set(instance.facts)
        assert again.puzzle is instance.puzzle


@settings(max_examples=200)
@given(
    st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=20).map("".join), st.sampled_from(["toml", "lp"])
)
@example("tile(1, 1, not). longest(1).", "lp")
def test_any_text(text: str, suffix: str) -> None:
    """Any text is refused in one line, or loads and can be solved, printed and written as facts."""
    survives(text, f"x.{suffix}")


@pytest.mark.parametrize("name", VALID)
def test_mutations(name: str) -> None:
    """A sound instance with a few changes is refused in one line, or loads and can be solved and printed."""

    @settings(max_examples=200)
    @given(mutations(VALID[name]))
    def mutated(text: str) -> None:
        survives(text, name)

    assert loads(VALID[name], name)
    survives(VALID[name], name)
    mutated()


@pytest.mark.parametrize("name", VALID)
def test_truncations(name: str) -> None:
    """A sound instance that is cut off anywhere is refused in one line, or loads and can be solved and printed."""
    for end in range(len(VALID[name])):
        survives(VALID[name][:end], name)


KEYS = {
    "strata": ["tiles", "palette", "colors"],
    "strimko": ["streams", "givens"],
    "sudoku": ["givens", "regions", "box"],
    "tectonic": ["blocks", "givens"],
    "strips": ["tiles", "longest", "strips", "letters"],
}
GRIDS = [".", "A", "#", "1", "\nAB\nBA\n", "\n12\n..\n", "\n##\n##\n", "\n#A\nA#\n", "row 1\ncolumn 1 A", "A B C D"]
VALUES = [f"'''{grid}'''" for grid in GRIDS]
VALUES += ["1", "-1", "0", "2.5", "inf", "true", "[]", "[2, 1]", '["A"]', '["AB", "A"]', "[[]]", "{}", "2026-11-01"]
VALUES += ['{ A = "red" }', "{ A = 1 }", '{ "\\u001b" = 1 }', '["A", "\\u0000"]', '"\\u0007\\n"']


@settings(max_examples=250)
@given(st.data(), st.sampled_from([*KEYS]))
def test_any_values(data: st.DataObject, puzzle: str) -> None:
    """Any value of any key is refused in one line, or makes an instance that can be solved and printed."""
    keys = [*KEYS[puzzle], *KEYS[puzzle], "title", "solution", "board"]
    table = data.draw(st.dictionaries(st.sampled_from(keys), st.sampled_from(VALUES)))
    survives("".join(f"{key} = {value}\n" for key, value in ({"puzzle": f'"{puzzle}"'} | table).items()), "x.toml")
