"""A faulty instance is refused with one line that begins with its file and line number, whatever text it has."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pyasp_puzzles import InstanceError, PuzzleError, UnknownPuzzleError, check, dumps, load, loads, solutions
from pyasp_puzzles.errors import Where
from pyasp_puzzles.formats.lp import read_facts

from .helpers import COLORED, FOUR, facts, mine, one
from .hostile import PIECES, VALID
from .strategies import Draw, examples


class Wrong(NamedTuple):
    """A text, and the error that it gets: the line (None: the file as a whole) and a piece of the message."""

    name: str
    text: str
    line: int | None
    says: str


TECTONIC = 'puzzle = "tectonic"\nblocks = """\nA A B\nA C B\n"""\n'
STRIMKO = 'puzzle = "strimko"\nstreams = """\nA B\nB A\n"""\n'
STRIPS = 'puzzle = "strips"\ntiles = """\nwb\nbw\n"""\n'
STRATA = 'puzzle = "strata"\ntiles = """\nr .\n. b\n"""\n'
SMALL = 'puzzle = "strata"\ntiles = "a"\n'
SUDOKU = 'puzzle = "sudoku"\ngivens = """\n1...\n....\n....\n...2\n"""\n'

DETAILS = ("title", "author", "source", "notes", "solution")

TOML = [
    Wrong("empty", "", None, "empty"),
    Wrong("blank", " \n\n", None, "empty"),
    Wrong("string not closed", 'puzzle = "tectonic\n' + TECTONIC[20:], 1, 'the quotes " that open here'),
    Wrong("grid not closed", TECTONIC[:-4], 2, 'the quotes """ that open here'),
    Wrong("grid closed by the next one", TECTONIC[:-4] + 'givens = """\n1 . .\n. . .\n"""\n', 2, "that open here"),
    Wrong("no TOML", "puzzle: tectonic\n", 1, "not valid TOML"),
    Wrong("truncated in a key", 'puzzle = "tectonic"\nblo', 2, "not valid TOML"),
    Wrong("truncated in a grid", TECTONIC[:-6], 2, "not valid TOML"),
    Wrong("duplicate key", TECTONIC + 'title = "a"\ntitle = "b"\n', 7, "not valid TOML"),
    Wrong("nested too deep", "a = " + "[" * 9999 + "]" * 9999, None, "nested too deep"),
    Wrong("number too large", f"a = {'9' * 9999}", None, "too large"),
    Wrong("no puzzle", 'title = "a"\n', None, "'puzzle'"),
    Wrong("unknown puzzle", 'puzzle = "tektonic"\n', 1, "did you mean tectonic?"),
    Wrong("puzzle of another type", "puzzle = 5\n", 1, "string"),
    *(
        Wrong(f"{key} of another type", f"{TECTONIC}{key} = {value}\n", 6, "string")
        for key, value in zip(DETAILS, ("5", "[1]", "true", "2026-11-01", "1.5"), strict=True)
    ),
    Wrong("blocks of another type", 'puzzle = "tectonic"\nblocks = [["A"]]\n', 2, "grid"),
    Wrong("givens of another type", TECTONIC + "givens = {}\n", 6, "grid"),
    Wrong("streams of another type", 'puzzle = "strimko"\nstreams = 12\n', 2, "grid"),
    Wrong("tiles of another type", 'puzzle = "strata"\ntiles = false\n', 2, "grid"),
    Wrong("regions of another type", SUDOKU + "regions = 1\n", 8, "grid"),
    Wrong("letters of another type", STRIPS + "letters = 1\n", 6, "grid"),
    Wrong("box of another type", SUDOKU + 'box = "2x2"\n', 8, "whole numbers"),
    Wrong("box of another kind", SUDOKU + "box = [2, 2.0]\n", 8, "whole numbers"),
    Wrong("box of truths", SUDOKU + "box = [true, true]\n", 8, "whole numbers"),
    Wrong("longest of another type", STRIPS + 'longest = "3"\n', 6, "whole number"),
    Wrong("longest is a truth", STRIPS + "longest = true\n", 6, "whole number"),
    Wrong("strips of another type", STRIPS + 'strips = "wb"\n', 6, "strings"),
    Wrong("strips of another kind", STRIPS + "strips = [1]\n", 6, "strings"),
    Wrong("palette of another type", STRATA + 'palette = "rb"\n', 6, "strings"),
    Wrong("colors of another type", STRATA + 'colors = "red"\n', 6, "table"),
    Wrong("colors of another kind", STRATA + "colors = { r = 1 }\n", 6, "string"),
    Wrong("very large number", STRIPS + f"longest = 0x{'f' * 5000}\n", 6, "longest"),
    Wrong("very large title", TECTONIC + f"title = 0x{'f' * 5000}\n", 6, "title"),
    Wrong("unknown key", TECTONIC + 'givns = """\n. . 1\n. . .\n"""\n', 6, "did you mean givens?"),
    Wrong("key of another puzzle", TECTONIC + "longest = 3\n", 6, "unknown key 'longest'"),
    Wrong("unprintable key", TECTONIC + '"\\u001b[2J" = 3\n', None, "unknown key '?[2J'"),
    Wrong("no board", 'puzzle = "tectonic"\n', None, "no key 'blocks'"),
    Wrong("no board but a slip", 'puzzle = "tectonic"\nblock = "A"\n', None, "is block a misspelling of it?"),
    Wrong("board is no table", 'puzzle = "tectonic"\nboard = 3\n', None, "[[board]]"),
    Wrong("boards: second wrong", STRIPS + '[[board]]\n[[board]]\ntitle = "b"\nlongest = 0\n', 9, "longest"),
    Wrong("boards: tiles wrong", 'puzzle = "strips"\n[[board]]\ntiles = """\nw\n"""\n[[board]]\n', 6, "no key 'tiles'"),
    Wrong("empty grid", 'puzzle = "tectonic"\nblocks = """\n"""\n', 3, "empty"),
    Wrong("empty row", 'puzzle = "sudoku"\ngivens = ""\n', 2, "empty"),
    Wrong("no list of boards", 'puzzle = "strata"\nboard = []\n', None, "board: no table"),
    Wrong("an empty board", 'puzzle = "strata"\n[[board]]\n', 2, "no key 'tiles'"),
    Wrong("ragged grid", TECTONIC.replace("A C B", "A C"), 4, "row 2 has 2 cells, expected 3"),
    Wrong("ragged after a blank line", TECTONIC.replace("A C B", "\nA C B D"), 5, "row 2 has 4 cells, expected 3"),
    Wrong("unprintable", 'puzzle = "tectonic"\nblocks = "\\u0007"\n', 2, "unprintable"),
    Wrong("nothing but outside", 'puzzle = "tectonic"\nblocks = """\n##\n"""\n', 3, "expected"),
    Wrong("Strimko: only outside", 'puzzle = "strimko"\nstreams = """\n##\n##\n"""\n', 3, "expected"),
    Wrong("Sudoku: only outside", 'puzzle = "sudoku"\ngivens = """\n##\n##\n"""\nbox = [1, 2]\n', 3, "expected"),
    Wrong("strips: only outside", 'puzzle = "strips"\ntiles = """\n##\n"""\n', 3, "expected"),
    Wrong("too long a side", f'puzzle = "strips"\ntiles = """\n{"w" * 1001}\n"""', 3, "at most 1000"),
    Wrong("no block", TECTONIC.replace("C", "."), 4, "row 2, column 2"),
    Wrong("block in two pieces", TECTONIC.replace("C", "B").replace("A A B", "B A A"), 4, "block 'B' is in 2 pieces"),
    Wrong("not a number", TECTONIC + 'givens = """\n. . x\n. . .\n"""\n', 7, "row 1, column 3: 'x' is not a number"),
    Wrong("Arabic digit", TECTONIC + 'givens = """\n. . \u0661\n. . .\n"""\n', 7, "not a number"),
    Wrong("negative given", TECTONIC + 'givens = """\n. . -1\n. . .\n"""\n', 7, "not a number"),
    Wrong(
        "line off the board", SUDOKU + 'thermometers = ["r1c1 r0c1"]\n', 8, "thermometers: row 0, column 1 is outside"
    ),
    Wrong("given beyond its block", TECTONIC + 'givens = """\n. . .\n. 2 .\n"""\n', 8, "row 2, column 2: given 2"),
    Wrong("givens of another shape", TECTONIC + 'givens = """\n. .\n. .\n"""\n', 7, "2x2, expected 2x3"),
    Wrong("given outside", TECTONIC.replace("C", "#") + 'givens = """\n. . .\n. 1 .\n"""\n', 8, "outside the board"),
    Wrong("hole in the givens", TECTONIC + 'givens = """\n. # .\n. . .\n"""\n', 7, "row 1, column 2"),
    Wrong("solution of another shape", TECTONIC + 'solution = """\n1 2\n"""\n', 7, "1x2, expected 2x3"),
    Wrong(
        "solution beyond its block", TECTONIC + 'solution = """\n1 2 1\n3 9 2\n"""\n', 8, "row 2, column 2: 9 is out"
    ),
    Wrong("stream too short", STRIMKO.replace("B A", "B B"), 3, "stream 'A' has 1 cell, expected 2"),
    Wrong("region too long", SUDOKU + 'regions = """\nAABB\nAABB\nCCDD\nCCDC\n"""\n', 12, "region 'C' has 5 cells"),
    Wrong("not square", STRIMKO.replace("A B", "A B B").replace("B A", "B A A"), None, "2x3"),
    Wrong("hole in a Strimko", STRIMKO.replace("B A", "B #"), None, "row 2, column 2"),
    Wrong("given 9 on a 4x4", SUDOKU.replace("2", "9"), 6, "given 9 is out of range, expected 1 to 4"),
    Wrong("box that does not fit", SUDOKU + "box = [2, 3]\n", 8, "2x3 is 6 cells, expected 4"),
    Wrong("box of three", SUDOKU + "box = [2, 2, 1]\n", 8, "[rows, columns]"),
    Wrong("box of nothing", SUDOKU + "box = [0, 4]\n", 8, "[rows, columns]"),
    Wrong("no usual box", SUDOKU.replace("1...\n", "1.\n").replace("....\n....\n...2\n", "..\n"), 3, "box"),
    Wrong("box and regions", SUDOKU + "box = [2, 2]\nregions = '''\nAABB\nAABB\nCCDD\nCCDD\n'''\n", 8, "regions"),
    Wrong("color not in the palette", STRATA + 'palette = ["r", "g"]\n', 4, "color 'b' is not in the palette"),
    Wrong("unprintable palette", STRATA + 'palette = ["r", "b", "\\u0000"]\n', 6, "palette"),
    Wrong("name of no color", STRATA + 'colors = { g = "green" }\npalette = ["r", "b"]\n', 6, "'g'"),
    Wrong("hole in a Strata board", STRATA.replace("b", "#"), 3, "# is outside"),
    Wrong("Strata: line twice", STRATA + 'solution = """\nrow 1\nrow 1\n"""\n', 8, "row 1 is laid twice"),
    Wrong("Strata: no such line", STRATA + 'solution = """\nrow 3\n"""\n', 7, "row 3 is not on the board"),
    Wrong("Strata: no such color", STRATA + 'solution = """\nrow 1 green\n"""\n', 7, "'green'"),
    Wrong("Strata: no ribbon", STRATA + 'solution = """\ndiagonal 1\n"""\n', 7, "'diagonal 1'"),
    Wrong("no color", STRIPS.replace("bw", "b."), 4, "row 2, column 2"),
    Wrong("no length", STRIPS + "longest = 0\n", 6, "longest"),
    Wrong("empty strip", STRIPS + 'strips = ["wb", ""]\n', 6, "strips: '' is wrong here"),
    Wrong("listed strip too long", STRIPS + 'longest = 2\nstrips = ["wbw"]\n', 7, "strip 1 has 3 cells"),
    Wrong("letters of another shape", STRIPS + 'letters = """\nabc\n"""\n', 7, "1x3, expected 2x2"),
    Wrong("crooked strip", STRIPS + 'solution = """\naa\nab\n"""\n', 8, "straight"),
]

FACTS = [
    Wrong("empty", "", None, "empty"),
    Wrong("comments only", "% nothing\n%* at\nall *%\n", None, "a board has facts of"),
    Wrong("no board", "given(1, 1, 1).\n", None, "there is no board of any puzzle in these facts"),
    Wrong("puzzle only", "% puzzle: strata\n", None, "there are no facts"),
    Wrong("row and column 0", "row(0). col(0).\n", 1, "row 0"),
    Wrong("rule", "stream(1, 1, a).\ngiven(1, 1, 1) :- stream(1, 1, a).\n", 2, "':-'"),
    Wrong("constraint", ":- stream(1, 1, a).\n", 1, "':-'"),
    Wrong("script", 'stream(1, 1, a).\n\n#script (python)\nprint("hello")\n#end.\n', 3, "#script"),
    Wrong("include", '#include "other.lp".\n', 1, "#include"),
    Wrong("const", "#const n = 3.\n", 1, "#const"),
    Wrong("reserved word", "stream(1, 1, not).\n", 1, "not"),
    Wrong("deep nesting", "stream(1, 1, " + "f(" * 100_000 + "\n", 1, "unexpected"),
    Wrong("no full stop", "stream(1, 1, a)\ngiven(1, 1, 1).\n", 2, "unexpected 'given'"),
    Wrong("no full stop at the end", "stream(1, 1, a).\ngiven(1, 1, 1)", 2, "end of the file"),
    Wrong("truncated", "stream(1, 1, a).\ngiven(1, 1", 2, "end of the file"),
    Wrong("unterminated comment", "stream(1, 1, a).\n%* and\nso on\n", 2, "unexpected"),
    Wrong("form feed", "stream(1, 1, a).\n\f\n", 2, "unexpected"),
    Wrong("unprintable string", 'stream(1, 1, "\x1b").\n', 1, "unprintable"),
    Wrong("unknown predicate", "stream(1, 1, a).\ngivn(1, 1, 1).\n", 2, "did you mean given?"),
    Wrong("predicate of a mode", "stream(1, 1, a).\nrelaxed(1).\n", 2, "unknown predicate"),
    Wrong("output predicate", "stream(1, 1, a).\nvalue(1, 1, 1).\n", 2, "unknown predicate"),
    Wrong("too few arguments", "stream(1, 1).\n", 1, "2 arguments"),
    Wrong("too many arguments", "stream(1, 1, a, b).\n", 1, "4 arguments"),
    Wrong("row is not a number", "stream(a, 1, a).\n", 1, "row"),
    Wrong("column is not a number", 'stream(1, "1", a).\n', 1, "column"),
    Wrong("given is not a number", "stream(1, 1, a).\ngiven(1, 1, a).\n", 2, "number"),
    Wrong("row 0", "stream(0, 1, a).\n", 1, "row 0"),
    Wrong("row -1", "stream(-1, 1, a).\n", 1, "row -1"),
    Wrong(
        "given in row 0",
        "block(1, 1, a).\ngiven(0, 1, 1).\n",
        2,
        "row 0, column 1: given 1 is outside the board of 1x1",
    ),
    Wrong(
        "direction as a string",
        '% puzzle: kakuro\ncell(1, 1). cell(1, 2).\nwall(1, 1).\nsum(1, 1, "east", 3).\n',
        4,
        "row 1, column 1: '\"east\"' is no direction here, expected",
    ),
    Wrong("far away", "stream(1, 1, a).\nstream(1, 1001, a).\n", 2, "1001"),
    Wrong("huge row", "stream(2147483648, 1, a).\n", 1, "too large"),
    Wrong("huge number", f"stream(1, 1, {'9' * 9999}).\n", 1, "too large"),
    Wrong("huge negative", "stream(1, 1, -99999999999).\n", 1, "too large"),
    Wrong("two streams a cell", "stream(1, 1, a).\nstream(1, 1, b).\n", 2, "contradicts"),
    Wrong("two givens a cell", "stream(1,1,a). stream(1,2,b).\n\ngiven(1,1,1).\ngiven(1,1,2).\n", 4, "contradicts"),
    Wrong("two lengths", "tile(1, 1, w).\nlongest(1).\nlongest(2).\n", 3, "contradicts"),
    Wrong("given outside", "block(1, 1, a).\ngiven(1, 2, 1).\n", 2, "outside the board"),
    Wrong("given too large", "block(1, 1, a).\ngiven(1, 1, 2).\n", 2, "expected 1"),
    Wrong("given 0", "block(1, 1, a).\ngiven(1, 1, 0).\n", 2, "expected 1"),
    Wrong("block in two pieces", "block(1, 1, a).\nblock(2, 2, a).\n", 2, "2 pieces"),
    Wrong("stream too long", "stream(1,1,a). stream(1,2,a).\nstream(2,1,a). stream(2,2,b).\n", 2, "stream 'a' has 3"),
    Wrong("gap in a Strimko", "stream(2, 2, a).\n", None, "row 1, column 1"),
    Wrong("no columns", "row(1).\nrow(2).\n", None, "columns"),
    Wrong("gap between rows", "row(1). row(3).\ncol(1).\n", None, "rows are 1 and 3"),
    Wrong("tile off the board", "row(1). col(1).\ntile(1, 2, a).\n", 2, "row 1, column 2"),
    Wrong("color not in the palette", "row(1). col(1). color(a).\ntile(1, 1, b).\n", 2, "'b'"),
    Wrong("no longest", "tile(1, 1, w).\n", None, "longest"),
    Wrong("longest 0", "tile(1, 1, w).\nlongest(0).\n", 2, "longest"),
    Wrong("gap in a strip", "tile(1, 1, w). longest(3).\nstrip(1, 1, w).\nstrip(1, 3, w).\n", 3, "strip 1"),
    Wrong("strip too long", "tile(1, 1, w). longest(1).\nstrip(1, 1, w).\nstrip(1, 2, w).\n", 2, "2 cells"),
    Wrong("unknown puzzle", "% puzzle: tektonic\nblock(1, 1, a).\n", 1, "did you mean tectonic?"),
    Wrong("another puzzle", "% puzzle: strips\nblock(1, 1, a).\n", 2, "unknown predicate 'block'"),
]


def message(error: PuzzleError, source: str, line: int | None) -> str:
    """Return the message of an error, which is one line that begins with its place and can be shown."""
    where = f"{source}: " if line is None else f"{source}:{line}: "
    assert str(error).startswith(where)
    assert str(error).isprintable()
    return str(error).removeprefix(where)


@pytest.mark.parametrize(
    ("source", "wrong"),
    [*(("x.toml", wrong) for wrong in TOML), *(("x.lp", wrong) for wrong in FACTS)],
    ids=lambda part: getattr(part, "name", part),
)
def test_mistakes_are_named_with_their_line(source: str, wrong: Wrong) -> None:
    """A mistake in an instance is named with its line, and nothing in it is ever executed."""
    with pytest.raises(PuzzleError) as caught:
        loads(wrong.text, source)
    assert wrong.says in message(caught.value, source, wrong.line)


def test_signs_in_facts_are_those_declared() -> None:
    """Facts are checked as TOML is: a sign that a key does not declare is refused in the same words."""
    facts = dumps(load("variants/xv")[0], "lp")
    with pytest.raises(InstanceError, match=r"x.lp:\d+: xv: 'Z' is unknown, expected X or V"):
        loads(facts.replace('"X"', '"Z"', 1), "x.lp")


@pytest.mark.parametrize("text", [TECTONIC, STRIMKO, STRIPS, STRATA, SUDOKU])
def test_boards_are_right_before_mistakes_are_made(text: str) -> None:
    """The boards that the mistakes are made in are sound themselves, with Windows' line ends too."""
    assert loads(text, "x.toml") == loads(text.replace("\n", "\r\n"), "x.toml")


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (b"", None, "empty"),
        (b"\x7fELF\x02\x01\x01\x80\xff\xfe", 1, "UTF-8"),
        (b'puzzle = "tectonic"\ntitle = "\xe9t\xe9"\n', 2, "UTF-8"),
        (b'puzzle = "tectonic"\n\n\0', 3, "NUL"),
    ],
)
def test_bytes_that_are_no_text_are_refused(tmp_path: Path, content: bytes, line: int | None, says: str) -> None:
    """A file that is no text is refused, with the line where it stops to be."""
    for suffix in (".toml", ".lp"):
        file = tmp_path / f"x{suffix}"
        file.write_bytes(content)
        with pytest.raises(InstanceError) as caught:
            load(file)
        assert says in message(caught.value, str(file), line)


@pytest.mark.parametrize("name", ["tectonic/sead", "a\nb\x1b.toml", "x" * 5000, "a\0b", ""])
def test_names_of_no_file_are_named(name: str) -> None:
    """What is no file is named, whatever its name."""
    with pytest.raises(PuzzleError, match=r"^[^\n\x1b\0]*$"):
        load(name)


def test_empty_directories_and_odd_names_are_refused_in_one_line(tmp_path: Path) -> None:
    """An empty directory is refused, and a file with two lines in its name, in one line."""
    with pytest.raises(InstanceError, match="no boards"):
        load(tmp_path)
    with pytest.raises(InstanceError) as wrong:
        load(mine(tmp_path, "?", "a\nb.toml"))
    assert str(wrong.value).isprintable()


def test_unknown_puzzle_has_its_exception() -> None:
    """A caller can tell an unknown puzzle from a wrong board; both are `PuzzleError`."""
    with pytest.raises(UnknownPuzzleError):
        loads('puzzle = "chess"\n', "x.toml")
    assert issubclass(UnknownPuzzleError, PuzzleError)
    assert issubclass(InstanceError, PuzzleError)


# -- Limits -----------------------------------------------------------------------


@pytest.mark.slow
def test_a_deep_directory_is_refused_or_read(tmp_path: Path) -> None:
    """A directory that is nested deeper than Python looks is refused, or read."""
    made = [tmp_path]
    for _ in range(1500):
        made.append(made[-1] / "a")
        made[-1].mkdir()
    try:
        with pytest.raises(InstanceError, match=r"directories in this one are nested too deep|has no boards"):
            load(tmp_path)
    finally:
        for directory in reversed(made[1:]):
            directory.rmdir()


def test_boards_inherit_the_grid_above_them() -> None:
    """A grid above the boards is that of all of them, and each board may have one of its own."""
    own = '[[board]]\ntiles = "b c"\n'
    boards = loads('puzzle = "strata"\ntiles = """\na b\na c\n"""\n' + ("[[board]]\n" * 20 + own) * 3, "shared.toml")
    assert [len(board.facts) for board in boards] == [*[11] * 20, 7] * 3


@pytest.mark.slow
def test_largest_boards_are_read() -> None:
    """What is just within the limits is read as it always was."""
    text = 'puzzle = "strips"\nlongest = 1\ntiles = """\n'
    assert one(text + "abcd " * 400 + "\n\n" + ("cdef " * 400 + "\n") * 399 + '"""\n').facts
    for row in ("w" * 401, "cd " * 401):
        with pytest.raises(InstanceError, match="at most 160000 cells"):
            loads(text + f"{row}\n" * 400 + '"""\n')
    with pytest.raises(InstanceError, match="at most 250000 cells"):
        loads(text + ("w" * 100 + "\n") * 250 + '"""\n' + "[[board]]\n" * 11)
    assert [board.number for board in loads(SMALL + "[[board]]\n" * 2000, "x.toml")] == [*range(1, 2001)]
    long = "x" * 20_000
    assert one(f'puzzle = "strata"\ntiles = "{long} b"\ntitle = "{long}"', "x.toml").title == long


@pytest.mark.parametrize(
    "fact",
    [
        *("a(1)", "a(-1,0)", "a(2147483647)", "a(b)", "a(not')", "_a(_b,c')", 'a("")', 'a("b c","1")', 'a("b,c")'),
        *('a(",")', 'a("%",b)', 'a("\\"",1)', 'a("\\\\")', "a(1,2,3,4)", "a(1,b,3)", 'a("\u00e4")', 'a(").")'),
    ],
)
def test_plain_facts_are_facts(fact: str) -> None:
    """A fact says the same however it is spaced, in a line or in several, with comments inside or without."""
    name, _, words = fact[:-1].partition("(")
    _, [*arguments], _ = next(read_facts(f"{fact}.", Where("x")))
    for form in (f" {name}( {words}\t) . ", f"{name}(%* ) *%{words}).", f"{name}(\n{words} % )\n).", f"b. {fact}."):
        *_, (read, [*again], place) = read_facts(form, Where("x"))
        assert (read, again) == (name, arguments)
        assert place.line == 1


# Texts that are no fact, at least two blanks apart.
NO_FACTS = r"""
stream(1, 1..4, a).       stream(1, (1; 2), a).     stream(1, 1, a; 1, 2, b).  stream(1, 1, a); stream(1, 1, b).
{ stream(1, 1, a) }.      stream(1, 1 + 1, a).      stream(1, 1, @f()).        stream(1, 1, (a, b)).
stream(1, 1, S).          stream(1, 1, _).          stream(1, 1, f(a)).        stream(1, 1, "\t").
-stream(1, 1, a).         not stream(1, 1, a).      stream(1, 1, a             stream(1, 1, "a).
stream().                 stream(1, 1, a,).         stream(1, 01, a).          stream(1, 1, é).
a(1(2(3).                 a(1(2)).                  a(not).                    a( not ).
a(1b).                    a(-b).                    a(--1).                    a(,1).
a(1 2).                   a(1)                      A(1).                      row(1)..
"""


@pytest.mark.parametrize("text", [*re.split(r"\s{2,}|\n", NO_FACTS.strip()), 'a("\n").', 'stream(1, 1, "a\nb").'])
def test_what_is_no_fact_is_refused(text: str) -> None:
    """What is no flat fact is refused, a parenthesis in place of a comma too."""
    with pytest.raises(InstanceError, match=r"^x\.lp:1: unexpected"):
        loads(text, "x.lp")


def test_strings_are_no_keys() -> None:
    """Brackets in strings and comments do not count towards the size of a file."""
    marks = "[[=,{." * 10_000
    text = f'{SMALL}title = \'{marks} "\'\nauthor = "\\"{marks}" # {marks}\n'
    text += f'source = \'\'\'{marks}\'\'\'\'\nnotes = """\n\\"""{marks}\n\'\'\'"""""\n'
    board = one(text.replace("source", "# '\nsource"), "x.toml")
    assert board.details["source"] == marks + "'"
    assert board.details["notes"].endswith("'''\"\"")


# -- Any text --------------------------------------------------------------


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
        for answer in filter(None, [*solutions(instance, limit=1), instance.solution]):
            assert isinstance(answer.json(), dict)
            assert isinstance(answer.text(COLORED), str)
            assert isinstance(str(answer), str)
        again = one(facts(instance), "again.lp")
        assert set(again.facts) == set(instance.facts)
        assert again.puzzle is instance.puzzle


@pytest.mark.slow
@examples(40)
@given(
    st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=20).map("".join), st.sampled_from(["toml", "lp"])
)
@example("tile(1, 1, not). longest(1).", "lp")
def test_any_text_is_refused_or_solved(text: str, suffix: str) -> None:
    """Any text is refused in one line, or loads and can be solved, printed and written as facts."""
    survives(text, f"x.{suffix}")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", VALID)
def test_changed_instances_are_refused_or_solved(name: str) -> None:
    """A sound instance with a few changes is refused in one line, or loads and can be solved and printed."""

    @examples(40)
    @given(mutations(VALID[name]))
    def mutated(text: str) -> None:
        survives(text, name)

    assert loads(VALID[name], name)
    survives(VALID[name], name)
    mutated()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", VALID)
def test_truncated_instances_are_refused_or_solved(name: str) -> None:
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


@examples(50)
@given(st.data(), st.sampled_from([*KEYS]))
def test_any_value_of_a_key_is_refused_or_solved(data: st.DataObject, puzzle: str) -> None:
    """Any value of any key is refused in one line, or makes an instance that can be solved and printed."""
    keys = [*KEYS[puzzle], *KEYS[puzzle], "title", "solution", "board"]
    table = data.draw(st.dictionaries(st.sampled_from(keys), st.sampled_from(VALUES)))
    survives("".join(f"{key} = {value}\n" for key, value in ({"puzzle": f'"{puzzle}"'} | table).items()), "x.toml")


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('thermometer = ["r1c1 r1c2"]', "board.toml:2: unknown key 'thermometer'; .*; did you mean thermometers\\?"),
        ('killer-cage = ["r1c1 r1c2"]', "did you mean killer_cages\\?"),
        ('givven = "1"', "did you mean givens\\?"),
        ('thermometers = ["r1c1 r9c6"]', "board.toml:2: thermometers: row 9, column 6 is outside the board of 4x4"),
        ('quadruples = ["r4c4: 1"]', "board.toml:2: quadruples: "),
        ('\nodd = ["r9c6"]', "board.toml:3: odd: row 9, column 6 is outside the board of 4x4"),
        ("size = [4, 5]", "board.toml:2: size: givens is 4x4; leave size out, or make them agree"),
        ("size = 9", "board.toml:2: size: givens is 4x4; leave size out, or make them agree"),
    ],
)
def test_a_wrong_key_is_told_with_its_line(lines: str, says: str) -> None:
    """What is wrong with a key is told with its line, and a key of a variant that is nearly right with its name."""
    with pytest.raises(InstanceError, match=says):
        one(f'puzzle = "sudoku"\n{lines}\n{FOUR.partition(chr(10))[2]}', "board.toml")


@pytest.mark.parametrize("size", ["size = 4", "size = [4, 4]", ""])
def test_a_size_that_agrees_is_accepted(size: str) -> None:
    """A size may be a number, and may be given beside a grid of that size."""
    givens = FOUR.partition("\n")[2]
    assert one(f'puzzle = "sudoku"\n{size}\n{givens}').facts.equal(one(FOUR).facts)
    if size:
        assert len(one(f'puzzle = "sudoku"\n{size}\n').printed.cells) == 16


@pytest.mark.parametrize("regions", ["AAAB\nCABB\nCCDB\nCDDD", "A A A B\nC A B B\nC C D B\nC D D D"])
def test_grids_of_a_jigsaw_say_that_they_need_a_name(regions: str, tmp_path: Path) -> None:
    """A grid of regions beside the givens is not dropped: it is read with --as, and asks for it."""
    text = f"{regions}\n\n1 . . .\n. . . .\n. . . .\n. . . 2\n"
    with pytest.raises(InstanceError, match="name it with --as PUZZLE"):
        loads(text)
    (instance,) = load(mine(tmp_path, text, "grids.txt"), "sudoku")
    rows = [" ".join(row.replace(" ", "")) for row in regions.split("\n")]
    assert "\n".join(rows) in dumps(instance, "toml")


def test_the_words_of_a_verdict_are_a_sentence() -> None:
    """The words of a verdict end where they end, whether pictures follow or not."""
    for board in (FOUR, FOUR.replace("1 .", "1 1", 1)):
        words = check(one(board)).words
        assert words.endswith(".")
