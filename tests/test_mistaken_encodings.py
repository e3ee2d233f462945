"""A mistake in a user's encoding is reported with its place, before clingo fails on it.

Encodings are programs, which may loop; but no mistake in them ends in a traceback, a crash or a hang.
"""

import os
import tempfile
from pathlib import Path
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import EncodingError, Settings, solutions

from .command import pyasp
from .helpers import A_A_A, encoding, mine, one, write
from .hostile import RULE_PIECES
from .strategies import examples

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


@pytest.mark.parametrize("mistake", CURSED)
def test_mistakes_are_told_where_they_are(mistake: str, tmp_path: Path) -> None:
    """A mistake is one line with the user's file, line and column, and the line itself with a caret below the place."""
    text, line, column, words = CURSED[mistake]
    file = tmp_path / "mine.lp"
    file.write_bytes(text.encode())
    whole = tmp_path / "whole.lp"
    whole.write_bytes(text.encode() + b"\n" + encoding("tectonic").read_bytes())
    for path, how in ((file, Settings(extra=[file])), (whole, Settings(encoding=whole))):
        if path is whole and mistake == "no full stop in the end":
            continue  # it is not the end
        with pytest.raises(EncodingError) as caught:
            list(solutions(one(A_A_A), 0, how))
        assert caught.value.where == (str(path), line, column)
        assert words in str(caught.value)
        assert str(caught.value).isprintable()
        if line is None or column is None:
            continue
        theirs = text.split("\n")[line - 1]
        if len(theirs) < 100:
            shown = "".join(c if c.isprintable() or c == "\t" else "?" for c in theirs)
            blank = "".join(c if c == "\t" else " " for c in theirs[: column - 1])
            assert caught.value.excerpt == f"{shown}\n{blank:<{column - 1}}^"


def test_only_the_place_is_shown_of_a_long_line(tmp_path: Path) -> None:
    """Of a line of any length, a piece that fits a terminal is shown."""
    file = mine(tmp_path, "a. " * 20_000 + "b(1 1). " + "c. " * 20_000)
    with pytest.raises(EncodingError) as caught:
        solutions(one(A_A_A), 1, Settings(extra=[file]))
    excerpt, caret = caught.value.excerpt.split("\n")
    assert len(excerpt) <= 100
    assert excerpt[caret.index("^") - 4 :].startswith("b(1 1). ")


def files(home: Path) -> dict[str, Path]:
    """Return files that are no encodings, and that are not opened, or not for long."""
    made = {name: home / name for name in ("folder", "pipe", "latin", "huge", "none")}
    made["folder"].mkdir()
    made["latin"].write_bytes(b"a.\n% \xe9\n")
    with made["huge"].open("wb") as huge:
        huge.truncate(4 * 2**20 + 1)
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
        "folder": "not a regular file",
        "pipe": "not a regular file" if hasattr(os, "mkfifo") else "no such file",
        "device": "not a regular file",
        "-": "not a regular file",
        "latin": "latin:2:3: not UTF-8",
        "huge": "larger than 4 MB",
        "locked": "cannot be read: Permission denied",
    }
    for name, path in files(tmp_path).items():
        for how in (Settings(encoding=path), Settings(extra=[path])):
            with pytest.raises(EncodingError) as caught:
                solutions(one(A_A_A), 1, how)
            assert said.get(name, "") in str(caught.value)
            assert str(caught.value).isprintable()


def test_included_files_are_looked_at(tmp_path: Path) -> None:
    """A file may include others, beside it, and in circles; a mistake in one of them is reported with its name."""
    main, part = tmp_path / "main.lp", tmp_path / "parts" / "part.lp"
    part.parent.mkdir()
    main.write_text('#include %* the rule *%\n  "parts/part.lp".\n', encoding="utf-8")
    part.write_text(':- value(1, 1, 1). % "é"\n#include "../main.lp".\n', encoding="utf-8")
    assert len(list(solutions(one(A_A_A), 0, Settings(extra=[main])))) == 4
    for mistake, line, column in (("é.", 1, 1), ("a :-\n b(X,,Y).", 2, 6), ("a(X).", 1, 3), ("a(9999999999).", 1, 3)):
        part.write_text(mistake, encoding="utf-8")
        with pytest.raises(EncodingError) as caught:
            solutions(one(A_A_A), 1, Settings(extra=[main]))
        assert caught.value.where == (str(part), line, column)


@given(st.lists(st.sampled_from(RULE_PIECES), max_size=40).map("".join), st.integers(0, 2500), st.integers(0, 9))
@examples(35)
def test_any_text_is_refused_or_solved(text: str, place: int, cut: int) -> None:
    """Whatever is written into an encoding: it is refused in one line, or solved; clingo lives."""
    rules_, board = encoding("tectonic").read_text(encoding="utf-8"), one("block(1, 1, a).\n", "one.lp")
    with tempfile.TemporaryDirectory() as home:
        for edited in (text, rules_[:place] + text + rules_[place + cut :]):
            file = Path(home) / "mine.lp"
            file.write_bytes(edited.encode())
            try:
                found = solutions(board, 1, Settings(encoding=file, timeout=5))
                list(found)
                told = [str(warning) for warning in found.search.warnings] if found.search else []
            except EncodingError as error:
                told = [str(error), *error.excerpt.replace("\t", " ").split("\n")]
            assert all(words.isprintable() for words in told)


def test_statements_as_long_as_they_may_be(tmp_path: Path) -> None:
    """A search lives through the deepest terms that the limit lets through; it is a process of its own, in case not."""
    most = 10_000 - 20
    deep = [
        f"a({'-' * most}X) :- X = 1.",
        f"b({'(' * (most // 2)}1{')' * (most // 2)}).",
        f"c({'f(' * (most // 3)}1{')' * (most // 3)}).",
        f"d(X{'+1' * (most // 2)}) :- X = 1.",
        f"e({'|' * (most // 2)}X{'|' * (most // 2)}) :- X = 1.",
    ]
    write(tmp_path, {"deep.lp": "\n".join(deep), "board.toml": A_A_A})
    assert pyasp("solve", "board.toml", "--extra", "deep.lp", where=tmp_path).returncode == 0


@pytest.mark.slow
def test_looking_at_a_large_file_takes_no_time_to_speak_of(tmp_path: Path) -> None:
    """A file is looked at in time that grows with its length only, whatever it holds."""
    for piece in ("(", '"', '"\\"', '\\"', "%*", "%\n", "_'", "#", "1..", ":-( %* *% ", "\n"):
        file = mine(tmp_path, piece * (500_000 // len(piece)), "large.lp")
        started = monotonic()
        try:
            solutions(one(A_A_A), 1, Settings(extra=[file]))
        except EncodingError as error:
            assert len(str(error)) < 1000  # noqa: PT017 (what matters is the time)
        assert monotonic() - started < 10


@pytest.mark.parametrize("option", ["--encoding", "--extra"])
@pytest.mark.parametrize(
    "mistake", ["no full stop", "unsafe variables", "letter outside ASCII", "number too large", "deep signs", "script"]
)
def test_the_command_tells_the_place(mistake: str, option: str, tmp_path: Path) -> None:
    """The command says where the mistake is, shows the line with a caret below it, and ends with exit code 2."""
    text, line, column, words = CURSED[mistake]
    write(tmp_path, {"mine.lp": text, "board.toml": A_A_A})
    done = pyasp("solve", "board.toml", option, "mine.lp", where=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    first, shown, caret = done.stderr.splitlines()
    assert first.startswith(f"pyasp: mine.lp:{line}:{column}: ")
    assert words in first
    assert shown[:50] in text
    assert caret.strip() == "^"
