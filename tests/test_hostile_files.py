"""Files that are made to take for ever, or all memory: each is refused in one line, soon, and in little memory."""

from __future__ import annotations

import resource
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pyasp_puzzles import InstanceError, PuzzleError, load, loads
from pyasp_puzzles.boards import toml as sections
from pyasp_puzzles.boards.grid import LARGEST_GRID, count, parse
from pyasp_puzzles.errors import LONGEST_MESSAGE, Where, did_you_mean, shown
from pyasp_puzzles.formats.facts import read_facts

from .command import PYASP, SECONDS, environment
from .helpers import one

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyasp_puzzles.boards.grid import Grid

MEMORY = 700 * 2**20
"""Bytes of address space, of which Python and clingo take 200 MB before anything is read."""
HUGE = "0x" + "f" * 3600
"""A number that Python reads, but refuses to write in digits."""
STRATA = 'puzzle = "strata"\n'
ONE = STRATA + 'tiles = "a"\n'
LARGE = "".join(f"{'abcd' * 60}\n" for _ in range(240))


def tiles(rows: str) -> str:
    """Return the key of a grid."""
    return f'tiles = """\n{rows}"""\n'


FILES: dict[str, tuple[Callable[[], str], str]] = {
    "hex-box.toml": (
        lambda: f'puzzle = "sudoku"\nbox = [{HUGE}, 1]\ngivens = "1"',
        "hex-box.toml:2: box: a huge number",
    ),
    "hex-title.toml": (lambda: f"title = {HUGE}\n[[board]]", "hex-title.toml:1: title: a huge number"),
    "hex-list.toml": (lambda: f"{ONE}title = [{{ a = [{HUGE}] }}]", "hex-list.toml:3: title: a huge number"),
    "hex-unknown.toml": (lambda: f"{ONE}x = 0o{'7' * 9000}", "hex-unknown.toml:3: x: a huge number"),
    "hex-board.toml": (lambda: f"{STRATA}[[board]]\ntiles = {HUGE}", "hex-board.toml:3: tiles: a huge number"),
    "boards-of-grids.toml": (lambda: STRATA + tiles(LARGE) + "[[board]]\n" * 40, "at most 250000 cells"),
    "thousand-boards.toml": (lambda: STRATA + tiles(LARGE) + "[[board]]\n" * 1000, "at most 250000 cells"),
    "palettes.toml": (
        lambda: f"{ONE}palette = {[f'd{i}' for i in range(60_000)]}\n" + "[[board]]\n" * 5000,
        "at most 250000 cells",
    ),
    "boards-of-keys.toml": (
        lambda: ONE + "".join(f"k{i} = 1\n" for i in range(60_000)) + "[[board]]\n" * 9000,
        "at most 250000 cells",
    ),
    "boards.toml": (lambda: "[[board]]\n" * 90_000, "90000 boards, expected at most 10000"),
    "many-boards.toml": (lambda: "[[board]]\n" * 1_600_000, "lines"),
    "keys.toml": (lambda: STRATA + "".join(f"tile{i}s = 1\n" for i in range(300_000)), "300001 lines"),
    "some-keys.toml": (lambda: STRATA + "".join(f"tile{i}s = 1\n" for i in range(100_000)), "no key 'tiles'"),
    "tables.toml": (lambda: ONE + "".join(f"[a{i}.b.c.d]\n" for i in range(400_000)), "400002 lines"),
    "inline.toml": (lambda: f"{ONE}x = {{ {','.join(f'a{i}=1' for i in range(500_000))} }}", "250000 keys"),
    "array.toml": (lambda: f"{ONE}x = [{'1,' * 7_000_000}]", "250000 keys"),
    "arrays.toml": (lambda: f"{ONE}x = [{'[],' * 5_000_000}]", "250000 keys"),
    "strings.toml": (lambda: f"""{ONE}x = [{'"",' * 5_000_000}]""", "250000 keys"),
    "dots.toml": (lambda: f"{ONE}x = {{ {'a.' * 190_000}a = 1 }}", "dots.toml:3: no valid TOML"),
    "dotted.toml": (lambda: ONE + "".join(f"{'a.' * 90}a{i} = 1\n" for i in range(50_000)), "250000 keys"),
    "rows.toml": (lambda: STRATA + tiles("a\n" * 200_000), "more than 1000 rows"),
    "many-rows.toml": (lambda: STRATA + tiles("a\n" * 5_000_000), "lines"),
    "one-row.toml": (lambda: STRATA + tiles("ab " * 5_000_000), "at most 250000 cells"),
    "blank-rows.toml": (lambda: STRATA + tiles("\n" * 16_000_000), "lines"),
    "carriage-returns.toml": (lambda: ONE + "\r\n" * 8_000_000, "lines"),
    "comments.toml": (lambda: ONE + "#\n" * 400_000, "comments"),
    "escapes.toml": (lambda: f'{ONE}title = "{chr(92)}n' + "\\n" * 7_000_000 + '"', "backslashes"),
    "title.toml": (lambda: f'{ONE}title = "{"a" * 15_000_000}"', "at most 250000 cells"),
    "deep.toml": (lambda: f"{ONE}title = {'[' * 480}{']' * 480}", "title"),
    "open-array.toml": (lambda: f"{ONE}title = {'[' * 7_000_000}", "250000 keys"),
    "open-string.toml": (lambda: f'{ONE}title = """' + '"\\' * 240_000, "no valid TOML"),
    "patterns.toml": (lambda: f'puzzle = "strips"\ntiles = "w"\nstrips = {["w"] * 1_000_000}', "250000 keys"),
    "long-patterns.toml": (lambda: f'puzzle = "strips"\ntiles = "w"\nstrips = {["w" * 1000] * 9000}', "cells"),
    "long-colours.toml": (
        lambda: f'{STRATA}tiles = "z"\npalette = {[str(i) + "x y" * 8_000 for i in range(9)]}'.replace("'", '"'),
        "color 'z' is not in the palette",
    ),
    "wide-board.toml": (lambda: 'puzzle = "strips"\n' + tiles(f"{'w' * 1000}\n" * 900), "at most 250000 cells"),
    "rows.lp": (lambda: "".join(f"row({i}).\n" for i in range(1_000_000)), "lines"),
    "rows-in-a-line.lp": (lambda: "row(1). " * 2_000_000, "2000000 facts, expected at most 250000"),
    "constants.lp": (lambda: "a." * 8_000_000, "8000000 facts"),
    "unknown.lp": (lambda: "row(1). " + f"a({'1,' * 90}1). " * 80_000, "unknown predicate 'a'"),
    "arguments.lp": (lambda: f"tile({'1,' * 5_000_000}1).", "more than 100 arguments"),
    "string-arguments.lp": (lambda: "tile(" + '"\\n",' * 2_500_000 + "1).", "unprintable"),
    "string.lp": (lambda: f'row(1). col(1). tile(1, 1, "{"a" * 8_000_000}").', ""),
    "comment.lp": (lambda: f"%*{'a ' * 4_000_000}*%\nrow(1).", "columns"),
    "stars.lp": (lambda: f"%*{'*a' * 4_000_000}", "unexpected '%**a"),
    "comments.lp": (lambda: "%* " * 5_000_000, "unexpected '%*'"),
    "open-string.lp": (lambda: f'row("{"a" * 15_000_000}', "unexpected"),
    "underscores.lp": (lambda: "_" * 15_000_000, "unexpected '___"),
    "titles.lp": (lambda: "% title: x\n" * 200_000 + "row(1).", "columns"),
    "alike.lp": (lambda: f'block(1, 1, "{"a" * 5_000_000}"). block(1, 2, {"a" * 5_000_000}).', "alike.lp:1: aaa"),
}


@pytest.mark.parametrize("name", FILES)
def test_file(tmp_path: Path, name: str) -> None:
    """A file is refused in one short line, in which its name stands first, or answered, within a modest memory."""
    write, says = FILES[name]
    (tmp_path / name).write_text(write(), encoding="utf-8", newline="")
    done = subprocess.run(
        [*PYASP, "facts", name],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    (tmp_path / name).unlink()
    if not says:
        assert (done.returncode, done.stderr) == (0, "")
        return
    assert done.returncode == 2, done.stderr[-500:]
    assert done.stderr.startswith(f"pyasp: {name}:")
    assert says in done.stderr
    assert done.stderr.endswith("\n")
    assert done.stderr[:-1].isprintable()
    assert len(done.stderr) < LONGEST_MESSAGE + 200


def test_deep_directory(tmp_path: Path) -> None:
    """A directory that is nested deeper than Python looks is refused, or read."""
    made = [tmp_path]
    for _ in range(1500):
        made.append(made[-1] / "a")
        made[-1].mkdir()
    try:
        with pytest.raises(InstanceError, match=r"directories nested too deep|no instances"):
            load(tmp_path)
    finally:
        for directory in reversed(made[1:]):
            directory.rmdir()


def test_inherited_grid_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A grid above the boards is read once for all of them, and each board may have one of its own."""
    read = []

    def noted(text: str, where: Where) -> Grid:
        read.append(where.line)
        return parse(text, where)

    monkeypatch.setattr(sections, "parse", noted)
    own = '[[board]]\ntiles = "b c"\n'
    boards = loads(STRATA + tiles("a b\na c\n") + ("[[board]]\n" * 20 + own) * 3, "shared.toml")
    assert len(boards) == 63
    assert sorted({len(board.facts) for board in boards}) == [7, 11]
    assert read.count(3) == 1
    assert len(read) == 4


def test_largest_boards_are_read() -> None:
    """What is just within the limits is read as it always was."""
    side = int(LARGEST_GRID**0.5)
    grid = parse("ab " * side + "\n\n" + ("cd " * side + "\n") * (side - 1), Where("x"))
    assert grid.size == f"{side}x{side}"
    with pytest.raises(InstanceError, match="at most 100000 cells"):
        parse(("w" * (side + 1) + "\n") * side, Where("x"))
    boards = loads(ONE + "[[board]]\n" * 2000, "x.toml")
    assert [board.board for board in boards] == [*range(1, 2001)]
    long = "x" * 20_000
    board = one(f'{STRATA}tiles = "{long} b"\ntitle = "{long}"', "x.toml")
    assert board.title == long


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", 0),
        ("\n \n", 0),
        ("abc\ndef\n", 6),
        ("a b c\n\nd e f\n", 6),
        ("\nab cd\nef gh\n", 4),
        ("abc", 3),
        ("ab\n\n", 2),
    ],
)
def test_count(text: str, cells: int) -> None:
    """How many cells a grid has is known without reading it."""
    assert count(text, 100) == cells


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


@pytest.mark.parametrize(
    "text",
    [
        *("a(1(2(3).", "a(1(2)).", "a(b(1)).", "a(not).", "a( not ).", "a(01).", "a(1b).", "a(-b).", "a(--1).", "a()."),
        *(
            "a(1,).",
            "a(,1).",
            "a(1 2).",
            "a(B).",
            'a("\n").',
            "a(1)..",
            "a(1)",
            "a(1).b",
            "a(1;2).",
            "a(1..2).",
            "A(1).",
        ),
    ],
)
def test_no_facts(text: str) -> None:
    """What is no flat fact is refused, a parenthesis in place of a comma too."""
    with pytest.raises(InstanceError, match=r"^x:"):
        list(read_facts(text, Where("x")))


def test_strings_are_no_keys() -> None:
    """What stands in strings and comments counts for nothing in the size of a file."""
    marks = "[[=,{." * 10_000
    text = f'{ONE}title = \'{marks} "\'\nauthor = "\\"{marks}" # {marks}\n'
    text += f'source = \'\'\'{marks}\'\'\'\'\nnotes = """\n\\"""{marks}\n\'\'\'"""""\n'
    board = one(text.replace("source", "# '\nsource"), "x.toml")
    assert board.details["source"] == marks + "'"
    assert board.details["notes"].endswith("'''\"\"")


def test_messages_are_short() -> None:
    """A message shows no more of a value than fits, whatever the value; of many names, the first are looked at."""
    assert shown([10**5000]) == "a huge value"
    deep: list[object] = []
    for _ in range(sys.getrecursionlimit() * 20):
        deep = [deep]
    assert len(shown(deep)) < 60
    assert len(str(PuzzleError("x " * 10**6))) < LONGEST_MESSAGE + 10
    assert did_you_mean("tiles", ["tile", *map(str, range(10**6))]) == "; did you mean tile?"
