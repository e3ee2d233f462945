"""An encoding of one's own, or rules of one's own: they work, and what is wrong with them is told where it is.

They are programs, which may loop; but no mistake in them ends in a traceback, a crash or a hang.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyasp_puzzles import EncodingError, Settings, load, loads, solutions
from pyasp_puzzles.encoding import encoding_path
from pyasp_puzzles.puzzle import puzzles
from pyasp_puzzles.search import Search
from pyasp_puzzles.source import LARGEST_FILE, LONGEST_STATEMENT, WIDEST_EXCERPT, check_source

from . import plain, rules, strategies
from .command import environment, pyasp
from .strategies import grid, rectangle

if TYPE_CHECKING:
    from collections.abc import Hashable

    from pyasp_puzzles import Instance

    from .strategies import NumberBoard

BOARD = 'puzzle = "tectonic"\nblocks = "A A A"\n'
"""A board of six answers."""
KNIGHT = """
% Equal numbers are no knight's move apart.
leap(1, 2; 2, 1; 1, -2; 2, -1).
violated(knight(R, C, R', C')) :-
    value(R, C, V), leap(DR, DC), R' = R + DR, C' = C + DC, value(R', C', V).
"""
SMALL = {
    "strata": 'puzzle = "strata"\ntiles = """\na .\n. b\n"""\n',
    "strimko": 'puzzle = "strimko"\nstreams = """\nA A B\nA B B\nC C C\n"""\n',
    "strips": 'puzzle = "strips"\ntiles = """\nw b b\nw w b\n"""\n',
    "sudoku": f'puzzle = "sudoku"\ngivens = {grid({(1, 1): 1}, rectangle(4, 4), 4, 4)}\n',
    "tectonic": 'puzzle = "tectonic"\nblocks = "A A A B"\n',
}
"""A small board of each puzzle."""

CURSED = {
    "a word too many": ("violated(x)) :- a.\n", 1, 12, "unexpected ')'"),
    "no full stop": ("a :- b\nc.\n", 2, 1, "unexpected 'c'; is there a full stop before it?"),
    "no full stop in the end": ("b.\na :- b\n\n", 2, 7, "the program ends within a statement"),
    "no such directive": ("a :- #foo.\n", 1, 6, "unexpected '#foo'"),
    "tabs": ("\ta\t(1,, 2).\n", 1, 7, "unexpected ','"),
    "not ASCII before it": ('% ä\nä("é", a,, b).'.replace("ä(", "a("), 2, 10, "unexpected ','"),
    "unsafe variable": ("a(X) :- not b(X).\n", 1, 3, "variable X is unsafe"),
    "unsafe variables": ("b(1).\na(X, Y) :-\n  b(Z), not c(X).\n", 2, 3, "variables X and Y are unsafe"),
    "unsafe variable in an aggregate": ("b(1). a :- #sum { X, Y : b(X) } > 3.\n", 1, 22, "variable Y is unsafe"),
    "unsafe variable that has no name": ("a(_).\n", 1, 3, "variable _ is unsafe"),
    "unsafe variable after é": ('a("ééé", X).', 1, 10, "variable X is unsafe"),
    "bad #const": ("#const n.\n", 1, 9, "unexpected '.', expected ="),
    "#const twice": ("#const n = 1.\n#const n = 2.\n", 2, 1, "redefinition of constant"),
    "#const in a circle": ("#const n = m.\n#const m = n.\n", 1, 1, "cyclic constant definition"),
    "#show of nothing known": ("#show X.\n", 1, 7, "variable X is unsafe"),
    "bad #show": ("#show value/.\n", 1, 13, "unexpected '.'"),
    "theory that there is not": ("&sum { x } >= 3.\n", 1, 1, "no definition found for theory atom"),
    "letter outside ASCII": ("a.\nb :- é.\n", 2, 6, "'é' (U+00E9) outside strings and comments"),
    "typographic quotes": ("a(“b”).\n", 1, 3, "(U+201C) outside strings and comments"),
    "byte order mark": ("\ufeffa.\n", 1, 1, "(U+FEFF) outside strings and comments"),
    "letter outside ASCII after a false quote": ('a("\\t é").\n', 1, 3, "a string without end"),
    "string over two lines": ('a("b\nc").\n', 1, 3, "a string without end on its line"),
    "string without end": ('a("b', 1, 3, "a string without end on its line"),
    "comment without end": ("a.\n%* %* *%\nb.\n", 2, 1, "a comment that does not end"),
    "NUL": ("a.\n b\0.\n", 2, 3, "a NUL character"),
    "control character": ("a.\x01 b.\n", 1, 3, "unexpected '?'"),
    "number too large": ("a(1, 2147483648).\n", 1, 6, "'2147483648' is too large a number"),
    "hexadecimal number too large": ("a(0x80000000).\n", 1, 3, "is too large a number"),
    "number of 5000 digits": (f"a({'9' * 5000}).\n", 1, 3, "is too large a number"),
    "deep brackets": (f"b.\n a({'(' * 200_000}1{')' * 200_000}).\n", 2, 2, "a statement of 400004 characters"),
    "deep signs": (f"a({'-' * 20_000}X) :- X = 1.\n", 1, 1, "expected at most 10000"),
    "long sum": (f"a(X{'+1' * 100_000}) :- X = 1.\n", 1, 1, "a statement of"),
    "theory operators with dots": (f"&f {{ {'.+ ' * 5_000} a }}.", 1, 1, "a statement of"),
    "script": ("a.\n#script (python)\nimport os\n#end.\n", 2, 1, "scripts are not run here"),
    "projection": ("{ b(1..2) }. #project b/1.\n", 1, 14, "what tells answers apart"),
    "minimizing": ("#minimize { V, R, C : value(R, C, V) }.\n", 1, 1, "no answer is better than another"),
    "weak constraint": ("a.\n:~ a. [1]\n", 2, 1, "no answer is better than another"),
    "another part": ("#program step(t).\na(t).\n", 1, 1, "only the part `base`"),
    "file to include that there is not": ('a.\n #include "nope.lp".\n', 2, 2, "there is no file 'nope.lp'"),
    "library to include that there is not": ("#include <nope>.\n", 1, 1, "file could not be opened"),
    "sum too large": ("{ b(1..9) }. :- #sum { 2147483647, X : b(X) } > 5.\n", None, None, "Integer overflow"),
}
"""{what is wrong: (rules, line, column, words of the message)}"""


def one(text: str) -> Instance:
    """Return the one board of a TOML text."""
    (instance,) = loads(text, "board.toml")
    return instance


def answers(instance: Instance, how: Settings) -> list[Hashable]:
    """Return all answers as what tells them apart."""
    found = solutions(instance, 0, how)
    told = [plain.told_apart(answer.json()) for answer in found]
    assert found.complete
    return told


def warnings(how: Settings, instance: Instance | None = None) -> list[EncodingError]:
    """Return what is to be said of rules that can be solved."""
    search = solutions(instance or one(BOARD), 1, how).search
    assert search is not None
    return list(search.warnings)


@pytest.mark.parametrize("mistake", CURSED)
def test_mistakes_are_told_where_they_are(mistake: str, tmp_path: Path) -> None:
    """A mistake is one line with the user's file, line and column, and the line itself with a caret below the place."""
    text, line, column, words = CURSED[mistake]
    file = tmp_path / "mine.lp"
    file.write_bytes(text.encode())
    whole = tmp_path / "whole.lp"
    whole.write_bytes(text.encode() + b"\n" + encoding_path("tectonic").read_bytes())
    for path, how in ((file, Settings(extra=[file])), (whole, Settings(encoding=whole))):
        if path is whole and mistake == "no full stop in the end":
            continue  # it is not the end
        with pytest.raises(EncodingError) as caught:
            list(solutions(one(BOARD), 0, how))
        assert caught.value.where == (str(path), line, column)
        assert words in str(caught.value)
        assert str(caught.value).isprintable()
        if line is None or column is None:
            continue
        theirs = text.split("\n")[line - 1]
        if len(theirs) < WIDEST_EXCERPT:
            shown = "".join(c if c.isprintable() or c == "\t" else "?" for c in theirs)
            blank = "".join(c if c == "\t" else " " for c in theirs[: column - 1])
            assert caught.value.excerpt == f"{shown}\n{blank:<{column - 1}}^"


def test_only_the_place_is_shown_of_a_long_line(tmp_path: Path) -> None:
    """Of a line of any length, a piece that fits a terminal is shown."""
    file = tmp_path / "mine.lp"
    file.write_text("a. " * 100_000 + "b(1 1). " + "c. " * 100_000, encoding="utf-8")
    with pytest.raises(EncodingError) as caught:
        solutions(one(BOARD), 1, Settings(extra=[file]))
    excerpt, caret = caught.value.excerpt.split("\n")
    assert len(excerpt) <= 100
    assert excerpt[caret.index("^") - 4 :].startswith("b(1 1). ")


def files(home: Path) -> dict[str, Path]:
    """Return files that are no encodings, and that are not opened, or not for long."""
    made = {name: home / name for name in ("folder", "pipe", "latin", "huge", "none")}
    made["folder"].mkdir()
    made["latin"].write_bytes(b"a.\n% \xe9\n")
    with made["huge"].open("wb") as huge:
        huge.truncate(LARGEST_FILE + 1)
    if hasattr(os, "mkfifo"):
        os.mkfifo(made["pipe"])
        made |= {"device": Path("/dev/zero")}
    if hasattr(os, "geteuid") and os.geteuid() != 0:  # root may read all
        made["locked"] = home / "locked"
        made["locked"].touch(mode=0)
    return made | {"long name": home / ("x" * 5000), "NUL": home / "a\0b", "no name": home / "\udcff", "-": Path("-")}


def test_files_that_are_no_programs(tmp_path: Path) -> None:
    """A directory, a pipe, a device, a file that is locked, huge, not text or not there: one line, and no wait."""
    said = {
        "folder": "no regular file",
        "pipe": "no regular file" if hasattr(os, "mkfifo") else "no such file",
        "device": "no regular file",
        "-": "no regular file",
        "latin": "latin:2:3: not UTF-8",
        "huge": "larger than 4 MB",
        "locked": "cannot be read: Permission denied",
    }
    for name, path in files(tmp_path).items():
        for how in (Settings(encoding=path), Settings(extra=[path])):
            with pytest.raises(EncodingError) as caught:
                solutions(one(BOARD), 1, how)
            assert said.get(name, "") in str(caught.value)
            assert str(caught.value).isprintable()


def test_included_files_are_looked_at(tmp_path: Path) -> None:
    """A file may include others, beside it, and in circles; a mistake in one of them is told with its name."""
    main, part = tmp_path / "main.lp", tmp_path / "parts" / "part.lp"
    part.parent.mkdir()
    main.write_text('#include %* the rule *%\n  "parts/part.lp".\n', encoding="utf-8")
    part.write_text(':- value(1, 1, 1). % "é"\n#include "../main.lp".\n', encoding="utf-8")
    assert len(answers(one(BOARD), Settings(extra=[main]))) == 4
    for mistake, line, column in (("é.", 1, 1), ("a :-\n b(X,,Y).", 2, 6), ("a(X).", 1, 3), ("a(9999999999).", 1, 3)):
        part.write_text(mistake, encoding="utf-8")
        with pytest.raises(EncodingError) as caught:
            solutions(one(BOARD), 1, Settings(extra=[main]))
        assert caught.value.where == (str(part), line, column)


def test_what_comments_and_strings_hold_is_free(tmp_path: Path) -> None:
    """In comments, which nest, and in strings, anything may stand: it is read as clingo reads it."""
    file = tmp_path / "mine.lp"
    long = "(" * LONGEST_STATEMENT
    text = r"""
        % é 99999999999 #script "
        %* é %* " *% 99999999999 % *%
        :~ #minimize *%
        a("é % %* #script 99999999999 \" \\ \n", b2147483648).  % LONG
        c(X9) :- X9 = 2147483647.d(1..2).e(0x7fffffff).
        :- value(1, 1, 1), %* LONG *% a("é % %* #script 99999999999 \" \\ \n", _), c(X2), d(1).
    """
    file.write_text(text.replace("LONG", long), encoding="utf-8", newline="\r\n")
    assert warnings(Settings(extra=[file])) == []
    assert len(answers(one(BOARD), Settings(extra=[file]))) == 4


def test_unknown_predicates_are_warned_of(tmp_path: Path) -> None:
    """A predicate that nothing defines is told once, with its place, and with what may have been meant."""
    file = tmp_path / "mine.lp"
    file.write_text(
        "violated(x) :-\n\tvaleu(R, C, V), giben(R,\n C, V). % é\na :- blok(1, 2), foo.\n", encoding="utf-8"
    )
    first, second, third, fourth = warnings(Settings(extra=[file]))
    assert str(first) == f"{file}:2:2: nothing defines valeu(R,C,V); did you mean value/3?"
    assert first.excerpt == "\tvaleu(R, C, V), giben(R,\n\t^"
    assert str(second) == f"{file}:2:18: nothing defines giben(R,C,V); did you mean given/3?"
    assert str(third) == f"{file}:4:6: nothing defines blok(1,2); did you mean block/3?"
    assert str(fourth) == f"{file}:4:18: nothing defines foo"


def test_other_doubts_are_warned_of(tmp_path: Path) -> None:
    """What clingo leaves out in silence is told, too: terms without a value, tuples without a weight."""
    file = tmp_path / "mine.lp"
    file.write_text(
        'a(X / 0) :- X = 1..3.\nb. d :- #sum { x : b } > 3.\nc(@f(1)).\n#include "mine.lp".\n', encoding="utf-8"
    )
    told = [str(warning).removeprefix(f"{file}:") for warning in warnings(Settings(extra=[file]))]
    assert sorted(told) == [
        "1:3: operation undefined: (X/0)",
        "2:16: tuple ignored: x",
        "3:3: operation undefined: function 'f' not found",
        "4:1: already included file: mine.lp",
    ]


def test_an_encoding_without_output_is_warned_of(tmp_path: Path) -> None:
    """An encoding that never says what answers are made of is told so."""
    file = tmp_path / "mine.lp"
    file.write_text("{ valeu(R, C, 1..3) } :- block(R, C, _).\n", encoding="utf-8")
    (warning,) = warnings(Settings(encoding=file))
    assert str(warning) == f"{file}: nothing defines value/3; did you mean valeu/3?"


def test_warnings_end(tmp_path: Path) -> None:
    """However much there is to say, it is said of the first places only; an error among it is not lost."""
    file = tmp_path / "mine.lp"
    doubts = "".join(f"a{i} :- b{i}.\n" for i in range(2000))
    file.write_text(doubts, encoding="utf-8")
    assert len(warnings(Settings(extra=[file]))) == 20
    file.write_text(f"{doubts}c(X).\n", encoding="utf-8")
    with pytest.raises(EncodingError, match=":2001:3: variable X is unsafe"):
        warnings(Settings(extra=[file]))


@pytest.mark.parametrize("name", sorted({puzzle.name for puzzle in puzzles()}))
def test_a_copy_of_an_encoding_changes_nothing(name: str, tmp_path: Path) -> None:
    """A copy of what ships gives the same answers, each once, unwarned; so it does with hidden choices, or showing nothing."""
    instance = one(SMALL[name])
    shipped = answers(instance, Settings())
    assert 1 < len(shipped) == len(set(shipped))
    text = encoding_path(instance.puzzle.encoding).read_text(encoding="utf-8")
    silent = "\n".join(line for line in text.splitlines() if not line.startswith("#show"))
    copies = (
        text,
        silent,
        f"{text}{{ hidden(1..3) }}. #show hidden/1. #show hidden(X, X) : hidden(X).",
        f"{silent}#show.",
    )
    for copy in copies:
        file = tmp_path / "mine.lp"
        file.write_text(copy, encoding="utf-8")
        assert sorted(map(repr, answers(instance, Settings(encoding=file)))) == sorted(map(repr, shipped))
        assert warnings(Settings(encoding=file), instance) == []


@given(strategies.tectonic_boards())
@settings(max_examples=40)
def test_a_rule_of_ones_own(board: NumberBoard) -> None:
    """A rule that is added takes away just the answers that break it: here, equal numbers a knight's move apart."""

    def leaps(values: rules.Values) -> bool:
        moves = [(y, x) for y in (-2, -1, 1, 2) for x in (-2, -1, 1, 2) if abs(y) != abs(x)]
        return any(values.get((r + y, c + x)) == value for (r, c), value in values.items() for y, x in moves)

    expected = [values for values in rules.tectonic_answers(board.regions, board.givens) if not leaps(values)]
    with tempfile.TemporaryDirectory() as home:
        file = Path(home) / "knight.lp"
        file.write_text(KNIGHT, encoding="utf-8")
        found = answers(one(board.text), Settings(extra=[file]))
    assert len(found) == len(expected)
    assert set(found) == {frozenset(values.items()) for values in expected}


def test_several_files_of_rules(tmp_path: Path) -> None:
    """Rules may come in several files, beside an encoding of one's own."""
    first, second, encoding = (tmp_path / f"{name}.lp" for name in ("first", "second", "encoding"))
    first.write_text(":- value(1, 1, 1).", encoding="utf-8")
    second.write_text(":- value(1, 1, 2).", encoding="utf-8")
    encoding.write_text(encoding_path("tectonic").read_text(encoding="utf-8"), encoding="utf-8")
    assert len(answers(one(BOARD), Settings(encoding=encoding, extra=(first, second)))) == 2


def test_no_shipped_encoding_is_warned_of(tmp_path: Path) -> None:
    """The encodings that ship give no warning on the boards that ship, whatever rules are added."""
    file = tmp_path / "mine.lp"
    file.write_text("% nothing\n", encoding="utf-8")
    for name in ("strata/seed", "strimko/four", "strips/list", "sudoku/six", "tectonic/three-clues"):
        assert warnings(Settings(extra=[file]), next(load(name))) == []


PIECES = [
    "é",
    '"',
    "%",
    "%*",
    "*%",
    "\n",
    "\\",
    '\\"',
    "&f{",
    "}",
    "{",
    "a",
    "X",
    "_",
    ".",
    "..",
    " ",
    "(",
    ")",
    ",",
    "'",
]
PIECES += [
    ":-",
    ":~",
    "1",
    "99999999999",
    "0x",
    "#const ",
    "#show ",
    "#script",
    "(lua)",
    "#end",
    "|",
    ";",
    "not ",
    "#sum",
]
PIECES += [
    "@f(",
    "<",
    "=",
    "-",
    "\r",
    "\t",
    "\x01",
    "\x80",
    "#",
    "~",
    "!",
    "#theory t { x { + : 1, unary }; &f/0 : x, any }.",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.integers(0, 2500), st.integers(0, 9))
@settings(max_examples=200)
def test_any_text_is_refused_or_solved(text: str, place: int, cut: int) -> None:
    """Whatever is written into an encoding: it is refused in one line, or solved; clingo lives."""
    rules_ = encoding_path("tectonic").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as home:
        for edited in (text, rules_[:place] + text + rules_[place + cut :]):
            file = Path(home) / "mine.lp"
            file.write_bytes(edited.encode())
            try:
                found = Search([file], "block(1, 1, a).\n", Settings(encoding=file, timeout=5))
                next(found.models(1), None)
                told = [str(warning) for warning in found.warnings]
            except EncodingError as error:
                told = [str(error), *error.excerpt.replace("\t", " ").split("\n")]
            assert all(words.isprintable() for words in told)


def test_statements_as_long_as_they_may_be(tmp_path: Path) -> None:
    """A search lives through the deepest terms that the limit lets through; it is a process of its own, in case not."""
    most = LONGEST_STATEMENT - 20
    deep = [
        f"a({'-' * most}X) :- X = 1.",
        f"b({'(' * (most // 2)}1{')' * (most // 2)}).",
        f"c({'f(' * (most // 3)}1{')' * (most // 3)}).",
        f"d(X{'+1' * (most // 2)}) :- X = 1.",
        f"e({'|' * (most // 2)}X{'|' * (most // 2)}) :- X = 1.",
    ]
    (tmp_path / "deep.lp").write_text("\n".join(deep), encoding="utf-8")
    (tmp_path / "board.toml").write_text(BOARD, encoding="utf-8")
    assert pyasp("solve", "board.toml", "--extra", "deep.lp", where=tmp_path).returncode == 0


def test_grounding_for_ever_is_left_alone(tmp_path: Path) -> None:
    """Rules that never end are given up when time is up, though clingo cannot be stopped there."""
    (tmp_path / "endless.lp").write_text("a(1). a(X + 1) :- a(X).\n", encoding="utf-8")
    (tmp_path / "board.toml").write_text(BOARD, encoding="utf-8")
    script = """if True:
        import os, sys, time
        from pathlib import Path
        from pyasp_puzzles import Settings, load, solutions
        (instance,) = load("board.toml")
        started = time.monotonic()
        found = solutions(instance, 0, Settings(extra=[Path("endless.lp")], timeout=0.5))
        print(list(found), found.status, found.complete, found.search.timed_out, found.search.warnings)
        print(time.monotonic() - started, flush=True)
        os._exit(0)
    """
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    said, seconds = done.stdout.splitlines()
    assert said == "[] unknown False True ()"
    assert 0.5 <= float(seconds) < 2


def test_looking_at_a_large_file_takes_no_time_to_speak_of(tmp_path: Path) -> None:
    """A file is looked at in time that grows with its length only, whatever it holds."""
    for piece in ("(", '"', '"\\"', '\\"', "%*", "%\n", "_'", "#", "1..", ":-( %* *% ", "\n"):
        file = tmp_path / "large.lp"
        file.write_text(piece * (500_000 // len(piece)), encoding="utf-8")
        started = monotonic()
        try:
            check_source(file)
        except EncodingError as error:
            assert len(str(error)) < 1000  # noqa: PT017 (what matters is the time)
        assert monotonic() - started < 10


# -- The command ----------------------------------------------------------------


@pytest.mark.parametrize("option", ["--encoding", "--extra"])
@pytest.mark.parametrize(
    "mistake", ["no full stop", "unsafe variables", "letter outside ASCII", "number too large", "deep signs", "script"]
)
def test_the_command_tells_the_place(mistake: str, option: str, tmp_path: Path) -> None:
    """The command says where the mistake is, shows the line with a caret below it, and ends with exit code 2."""
    text, line, column, words = CURSED[mistake]
    (tmp_path / "mine.lp").write_text(text, encoding="utf-8")
    (tmp_path / "board.toml").write_text(BOARD, encoding="utf-8")
    done = pyasp("solve", "board.toml", option, "mine.lp", where=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    first, shown, caret = done.stderr.splitlines()
    assert first.startswith(f"pyasp: mine.lp:{line}:{column}: ")
    assert words in first
    assert shown[:50] in text
    assert caret.strip() == "^"


@pytest.mark.parametrize("command", ["solve", "count", "check"])
def test_every_command_that_searches_takes_rules(command: str, tmp_path: Path) -> None:
    """Solving, counting and checking go by the user's rules, and tell what is wrong with them, in the same way."""
    (tmp_path / "board.toml").write_text(BOARD, encoding="utf-8")
    (tmp_path / "good.lp").write_text("violated(first) :- not value(1, 1, 1).\n:- value(1, 2, 2).\n", encoding="utf-8")
    (tmp_path / "bad.lp").write_text("violated(first) :- not value(1, 1, V).\n", encoding="utf-8")
    good = pyasp(command, "board.toml", "--extra", "good.lp", where=tmp_path)
    assert (good.returncode, good.stderr) == (0, "")
    bad = pyasp(command, "board.toml", "--extra", "bad.lp", where=tmp_path)
    assert bad.returncode == 2
    assert bad.stderr.startswith("pyasp: bad.lp:1:36: variable V is unsafe")


def test_the_command_warns(tmp_path: Path) -> None:
    """The command tells doubts as warnings beside the answer, which they do not hold up."""
    (tmp_path / "board.toml").write_text(BOARD, encoding="utf-8")
    (tmp_path / "mine.lp").write_text("violated(x) :- valeu(1, 1, 1).\n", encoding="utf-8")
    done = pyasp("solve", "board.toml", "--extra", "mine.lp", where=tmp_path)
    assert done.returncode == 0
    assert done.stdout
    assert done.stderr.startswith("pyasp: warning: mine.lp:1:16: nothing defines valeu(1,1,1); did you mean value/3?\n")
