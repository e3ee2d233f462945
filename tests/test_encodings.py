"""A mistake in a user's encoding is reported with its place, before clingo fails on it.

Encodings are programs, which may loop; but no mistake in them ends in a traceback, a crash or a hang.
"""

import os
import re
import tempfile
from collections.abc import Hashable
from pathlib import Path
from time import process_time

import pytest
from clingo.ast import parse_string
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import (
    EncodingError,
    Instance,
    InstanceError,
    PuzzleError,
    Rules,
    Settings,
    explain,
    load,
    loads,
    review,
    solutions,
)
from pyasp_puzzles.errors import Fault
from pyasp_puzzles.puzzles import templates
from pyasp_puzzles.puzzles.questions import rule_files_in_use
from pyasp_puzzles.queries.about import rules_about
from pyasp_puzzles.queries.check import check_conflict

from . import plain, rules
from .command import printed, pyasp, refused
from .helpers import A_A_A, SHIPPED, encoding, extra, grounded, mine, not_none, one, only, read, write
from .hostile import RULE_PIECES
from .strategies import examples, grid, rectangle

# {what is wrong: (rules, line, column, words of the message)}
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
    "letter outside ASCII after a false quote": ('a("\\t é").\n', 1, 3, "a string without end"),
    "string over two lines": ('a("b\nc").\n', 1, 3, "a string without end on its line"),
    "string without end before another": ('a("b, c, "d", e, "f").\n', 1, 3, "a string without end on its line"),
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


@pytest.mark.sampled(7)
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


# The file with the rules of each puzzle and base.
RULE_FILES = {
    path.stem: path for path in encoding("tectonic").parents[1].rglob("*.lp") if path.stem == path.parent.name
}


@pytest.mark.sampled(6, 60)
@pytest.mark.parametrize("name", sorted(RULE_FILES))
def test_a_missing_full_stop_is_named_after_every_shipped_rule(name: str) -> None:
    """Without the full stop of any shipped rule, the message asks for it, at the next code."""
    found = 0
    lines = RULE_FILES[name].read_text().split("\n")
    for i, line in enumerate(lines):
        if line.startswith("%") or not line.endswith("."):
            continue
        text = "\n".join([*lines[:i], line[:-1], *lines[i + 1 :]])
        try:
            parse_string(text, lambda _: None, logger=lambda _, __: None)
        except RuntimeError:
            with pytest.raises(EncodingError, match="full stop") as caught:
                solutions(one(A_A_A), 1, Settings(encoding=Rules(text)))
            assert caught.value.fault == Fault("stop"), i
            after = [at for at, one in enumerate(lines, 1) if at > i + 1 and one and not one.startswith("%")]
            assert not_none(caught.value.where).line == (after or [i + 1])[0]
            found += 1
    assert found


STOPS = {
    "b(1) c(2).": (1, 6, "unexpected 'c'; is there a full stop before it?"),
    "a :- b c.": (1, 8, "unexpected 'c'; is there a full stop before it?"),
    "a :- b  % b.\n{ c } :- d.": (2, 1, "unexpected '{'; is there a full stop before it?"),
    "a :- b\n\n% c\nd(1)\n  :- e.": (4, 1, "unexpected 'd'; is there a full stop before it?"),
    "a :- b.\na :- c(1 2).": (2, 10, "unexpected '2', expected"),
}


@pytest.mark.parametrize("text", STOPS)
def test_a_full_stop_is_asked_for_where_clingo_expects_one(text: str) -> None:
    """The place is that of the next statement, where it begins; elsewhere the message says what clingo expects."""
    line, column, words = STOPS[text]
    with pytest.raises(EncodingError) as caught:
        solutions(one(A_A_A), 1, Settings(encoding=Rules(text)))
    assert caught.value.where == ("<rules>", line, column)
    assert words in str(caught.value)


@pytest.mark.slow
def test_only_the_place_is_shown_of_a_long_line(tmp_path: Path) -> None:
    """Of a line of any length, a piece that fits a terminal is shown."""
    file = mine(tmp_path, "a. " * 20_000 + "b(1 1). " + "c. " * 20_000)
    with pytest.raises(EncodingError) as caught:
        solutions(one(A_A_A), 1, Settings(extra=[file]))
    excerpt, caret = caught.value.excerpt.split("\n")
    assert len(excerpt) <= 100
    assert excerpt[caret.index("^") - 4 :].startswith("b(1 1). ")


def test_files_that_are_no_programs(tmp_path: Path) -> None:
    """A directory, a pipe, a device, a file that is locked, huge, not text or not there: one line, and no wait."""
    folder, latin, huge, pipe, locked = (tmp_path / name for name in ("folder", "latin", "huge", "pipe", "locked"))
    folder.mkdir()
    latin.write_bytes(b"a.\n% \xe9\n")
    with huge.open("wb") as file:
        file.truncate(4 * 2**20 + 1)
    said = {folder: "not a regular file", Path("-"): "not a regular file"}
    said |= {latin: "latin:2:3: the file is not UTF-8 text", huge: "larger than 4 MB"}
    said |= dict.fromkeys([tmp_path / "none", tmp_path / ("x" * 5000), tmp_path / "a\0b", tmp_path / "\udcff"], "")
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        said |= {pipe: "not a regular file", Path("/dev/zero"): "not a regular file"}
    if hasattr(os, "geteuid") and os.geteuid() != 0:  # root may read all
        locked.touch(mode=0)
        said[locked] = "cannot be read: Permission denied"
    for path, words in said.items():
        for how in (Settings(encoding=path), Settings(extra=[path])):
            with pytest.raises(EncodingError) as caught:
                solutions(one(A_A_A), 1, how)
            assert words in str(caught.value)
            assert str(caught.value).isprintable()


def test_included_files_are_looked_at(tmp_path: Path) -> None:
    """A file may include others, beside it, and in circles; a mistake in one of them is reported with its name."""
    texts = {"main.lp": '#include %* the rule *%\n  "parts/part.lp".\n'}
    texts |= {"parts/part.lp": ':- value(1, 1, 1). % "é"\n#include "../main.lp".\n'}
    write(tmp_path, texts)
    main, part = (tmp_path / name for name in texts)
    assert len(list(solutions(one(A_A_A), 0, Settings(extra=[main])))) == 4
    for mistake, line, column in (("é.", 1, 1), ("a :-\n b(X,,Y).", 2, 6), ("a(X).", 1, 3), ("a(9999999999).", 1, 3)):
        part.write_text(mistake, encoding="utf-8")
        with pytest.raises(EncodingError) as caught:
            solutions(one(A_A_A), 1, Settings(extra=[main]))
        assert caught.value.where == (str(part), line, column)


SECRETS = ["root:hunter2", "hunter2(X).", "a(99999999999hunter2)", '"hunter2', "é hunter2", '#include "hunter2".']
SECRETS += ["hunter2\0", "\udcff hunter2", "a :- hunter2(3).", "a(X + hunter2) :- X = 1.", "#script (lua) hunter2"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("secret", SECRETS, ids=ascii)
def test_lines_of_files_that_are_not_named_are_not_shown(tmp_path: Path, secret: str) -> None:
    """Rules can include any file of the user, so messages name the line, and show nothing of it, unless it is named."""
    (tmp_path / "secret.txt").write_bytes(f"a.\n{secret}\n".encode(errors="surrogateescape"))
    write(tmp_path, {"main.lp": f'#include "{tmp_path}/secret.txt".\n'})
    command = ["solve", "tectonic/seed", "--extra"]
    for form in ([], ["--json"]):
        done = pyasp(*command, "main.lp", *form, where=tmp_path)
        assert "hunter2" not in done.stdout + done.stderr
        [line] = done.stderr.splitlines()
        assert re.fullmatch(rf"pyasp: .*{tmp_path}/secret.txt:2:\d+: something is wrong in this line; .*", line)
    assert "hunter2" in pyasp(*command, "secret.txt", where=tmp_path).stderr


@pytest.mark.slow
def test_a_byte_order_mark_begins_rules(tmp_path: Path) -> None:
    """Rules and declarations in files that begin with a byte order mark are those without it, mistakes and all."""
    mark = "\ufeff"
    rules = ":- value(1, 1, 1), vlaue(1, 1, 2).\n:- value(1, 2, 1).\n"
    texts = {"plain.lp": rules, "marked.lp": mark + rules, "wrong.lp": f"{mark}a(é).\n", "a/part.lp": f"{mark}a.\n"}
    write(tmp_path, texts | {"a/main.lp": f'{mark}#include "part.lp".\n', "a/whole.lp": '#include "part.lp".\n'})
    for command in ("solve", "check", "explain --brief"):
        plain, marked = (
            pyasp(*command.split(), "tectonic/seed", "--extra", f"{name}.lp", where=tmp_path)
            for name in ("plain", "marked")
        )
        assert marked.stderr == plain.stderr.replace("plain.lp", "marked.lp") != ""
        assert (marked.returncode, marked.stdout) == (plain.returncode, plain.stdout)
    refused(pyasp("solve", "tectonic/seed", "--extra", "a/main.lp", where=tmp_path), "a/main.lp:1: a byte order mark")
    refused(pyasp("solve", "tectonic/seed", "--extra", "a/whole.lp", where=tmp_path), "a/part.lp:1: a byte order mark")
    done = pyasp("solve", "tectonic/seed", "--extra", "wrong.lp", where=tmp_path)
    assert done.stderr.splitlines()[1:] == ["a(é).", "  ^"]
    printed("new", "sums", where=tmp_path)
    board = ("solve", "sums/first.toml", "--puzzles", "sums")
    solved = printed(*board, where=tmp_path)
    for file in (tmp_path / "sums").iterdir():
        file.write_text(mark + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert printed(*board, where=tmp_path) == solved


@pytest.mark.slow
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


@pytest.mark.slow
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
        file = mine(tmp_path, piece * (200_000 // len(piece)), "large.lp")
        started = process_time()
        try:
            solutions(one(A_A_A), 1, Settings(extra=[file]))
        except EncodingError as error:
            assert len(str(error)) < 1000  # noqa: PT017 (what matters is the time)
        assert process_time() - started < 5


@pytest.mark.sampled(4)
@pytest.mark.parametrize("option", ["--encoding", "--extra"])
@pytest.mark.parametrize(
    "mistake", ["no full stop", "unsafe variables", "letter outside ASCII", "number too large", "deep signs", "script"]
)
def test_the_command_tells_the_place(mistake: str, option: str, tmp_path: Path) -> None:
    """The command says where the mistake is, shows the line with a caret below it, and ends with exit code 2."""
    text, line, column, words = CURSED[mistake]
    write(tmp_path, {"mine.lp": text, "board.toml": A_A_A})
    done = pyasp("solve", "board.toml", option, "mine.lp", where=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    first, shown, caret = done.stderr.splitlines()
    assert first.startswith(f"pyasp: mine.lp:{line}:{column}: ")
    assert words in first
    assert shown[:50] in text
    assert caret.strip() == "^"


# -- Rules that can be solved ----------------------------------------------

# A small board of each puzzle, with several answers.
SMALL = {
    "strata": 'puzzle = "strata"\ntiles = """\na .\n. b\n"""\n',
    "strimko": 'puzzle = "strimko"\nstreams = """\nA A B\nA B B\nC C C\n"""\n',
    "strips": 'puzzle = "strips"\ntiles = """\nw b b\nw w b\n"""\n',
    "sudoku": f'puzzle = "sudoku"\ngivens = {grid({(1, 1): 1}, rectangle(4, 4), 4, 4)}\n',
    "tectonic": 'puzzle = "tectonic"\nblocks = "A A A B"\n',
}


def answers(instance: Instance, how: Settings) -> list[Hashable]:
    """Return all answers as what tells them apart."""
    found = solutions(instance, 0, how)
    told = [plain.identity(answer.json()) for answer in found]
    assert found.complete
    return told


def warnings(how: Settings, instance: Instance | None = None) -> list[EncodingError]:
    """Return the warnings about rules that can be solved."""
    return list(not_none(solutions(instance or one(A_A_A), 1, how).search).warnings)


def test_a_rule_that_is_relaxed(tmp_path: Path) -> None:
    """Where strips may be alike after all, nothing is concluded from that they may not: every cut is an answer."""
    how, instance = extra(tmp_path, "relaxed(alike(P)) :- pattern(P)."), one(SMALL["strips"])
    colors = {cell: str(cell) for cell in instance.facts.cells("tile")}  # no two alike
    cuts = list(rules.strips_answers(colors, 3, None))
    assert len(answers(instance, how)) == len(cuts) > len(answers(instance, Settings()))


def test_what_comments_and_strings_hold_is_free(tmp_path: Path) -> None:
    """Comments, which nest, and strings may contain anything, as in clingo."""
    file = tmp_path / "mine.lp"
    long = "(" * 10_000
    text = r"""
        % é 99999999999 #script "
        %* é %* " *% 99999999999 % *%
        :~ #minimize *%
        a("é % %* #script 99999999999 \" \\ \n", b2147483648).  % LONG
        c(X9) :- X9 = 2147483647.d(1..2).e(0x7fffffff).
        :- value(1, 1, 1), %* LONG *% a("é % %* #script 99999999999 \" \\ \n", _), c(X2), d(1), e(_).
    """
    file.write_text(text.replace("LONG", long), encoding="utf-8", newline="\r\n")
    assert warnings(Settings(extra=[file])) == []
    assert len(answers(one(A_A_A), Settings(extra=[file]))) == 4


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "violated(x) :-\n\tvaleu(R, C, V), giben(R,\n C, V). % é\na :- blok(1, 2), foo.\n",
            [
                "2:2: nothing defines valeu(R,C,V); did you mean value/3?",
                "2:18: nothing defines giben(R,C,V); did you mean given/3?",
                "4:1: nothing reads a/0",
                "4:6: nothing defines blok(1,2); did you mean block/3?",
                "4:18: nothing defines foo",
            ],
        ),
        (  # what clingo leaves out silently
            'a(X / 0) :- X = 1..3.\nb. d :- #sum { x : b } > 3.\nc(@f(1)).\n#include "mine.lp".\n',
            [
                "1:3: operation undefined: (X/0)",
                "2:16: tuple ignored: x",
                "3:3: operation undefined: function 'f' not found",
                "4:1: already included file: mine.lp",
            ],
        ),
    ],
)
def test_doubts_are_warned_of(text: str, told: list[str], tmp_path: Path) -> None:
    """Undefined predicates, terms without a value and tuples without a weight give one warning each, with a place."""
    file = mine(tmp_path, text)
    found = warnings(Settings(extra=[file]))
    assert sorted(str(warning).removeprefix(f"{file}:") for warning in found) == sorted(told)
    if "valeu" in text:
        assert found[0].excerpt == "\tvaleu(R, C, V), giben(R,\n\t^"


def test_an_encoding_without_output_is_warned_of(tmp_path: Path) -> None:
    """An encoding that never defines the output gives a warning."""
    file = mine(tmp_path, "{ valeu(R, C, 1..3) } :- block(R, C, _).\n")
    first, second = warnings(Settings(encoding=file))
    assert str(first) == f"{file}: nothing defines value/3; did you mean valeu/3?"
    assert str(second) == f"{file}:1:3: nothing reads valeu/3; did you mean value/3?"


def test_only_the_first_warnings_are_shown(tmp_path: Path) -> None:
    """Only the first warnings are shown, but an error after them is not lost."""
    doubts = "".join(f"a{i} :- b{i}.\n" for i in range(100))
    assert len(warnings(extra(tmp_path, doubts))) == 20
    with pytest.raises(EncodingError, match=":101:3: variable X is unsafe"):
        warnings(extra(tmp_path, f"{doubts}c(X).\n"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", sorted({name.split("/")[0] for name in SHIPPED}))
def test_a_copy_of_an_encoding_changes_nothing(name: str, tmp_path: Path) -> None:
    """A copy gives the same answers, each once, unwarned; even with hidden choices, or nothing shown."""
    names = (path for path in SHIPPED if path.startswith(f"{name}/"))
    instance = one(SMALL[name]) if name in SMALL else load(next(names))[0]  # a puzzle that was added has its own board
    shipped = answers(instance, Settings())
    assert (name in SMALL) < len(shipped) == len(set(shipped))
    text = instance.puzzle.encoding.read_text(encoding="utf-8")
    silent = "\n".join(line for line in text.splitlines() if not line.startswith("#show"))
    copies = (
        text,
        silent,
        f"{text}{{ hidden(1..3) }}. #show hidden/1. #show hidden(X, X) : hidden(X).",
        f"{silent}#show.",
    )
    for copy in copies:
        file = mine(tmp_path, copy)
        assert sorted(map(repr, answers(instance, Settings(encoding=file)))) == sorted(map(repr, shipped))
        assert warnings(Settings(encoding=file), instance) == []


def test_several_files_of_rules(tmp_path: Path) -> None:
    """Rules may come in several files, together with a user encoding."""
    first, second = (mine(tmp_path, f":- value(1, 1, {v}).", f"{v}.lp") for v in (1, 2))
    copy = mine(tmp_path, encoding("tectonic").read_text(encoding="utf-8"))
    assert len(answers(one(A_A_A), Settings(encoding=copy, extra=(first, second)))) == 2


@pytest.mark.slow
def test_constraints_without_a_name_are_told_by_their_line(tmp_path: Path) -> None:
    """A constraint of one's own without a name takes part in conflicts, steps and reviews, under its line and words."""
    board = one('puzzle = "tectonic"\nblocks = "A A A"\ngivens = "1 . ."\n')
    text = "% Mine.\n:- value(1, 2, V), % not here\n   V != 1. :- value(1, 3, 9).\n"
    how = extra(tmp_path, text)
    assert answers(board, how) == []
    told = "line 2 of mine.lp: `:- value(1, 2, V), V != 1.`"
    assert told in [str(rule.words) for rule in check_conflict(board, how).rules]
    *_, end = explain(board, settings=how)
    assert told in end.words
    (first, *_) = review(board, read(board, "1 2 ."), how).broken
    assert (first.rule, first.words) == ('line("mine.lp",2)', told)
    assert told.replace("mine.lp", "your rules") in [
        rule.words for rule in check_conflict(board, Settings(extra=Rules(text))).rules
    ]
    shipped = encoding("tectonic").read_text(encoding="utf-8")
    typed = Settings(encoding=Rules(f"{shipped}:- value(1, 1, 1)."))
    named = f'line("<rules>",{shipped.count(chr(10)) + 1})'
    assert named in [rule.rule for rule in check_conflict(board, typed).rules]


def test_constraints_about_names_stay_as_they_are(tmp_path: Path) -> None:
    """A constraint that reads the names of rules gets none, and the answers are those of plain clingo."""
    text = """
        violated(a) :- value(1, 1, 1). violated(b) :- value(1, 2, 2). relaxed(a; b).
        :- violated(a), violated(b). :- not relaxed(a), value(1, 3, 3). :- value(1, 3, 2). #false :- value(1, 1, 3).
    """
    how, board = extra(tmp_path, text), one(A_A_A)
    control = grounded(board, mine(tmp_path, text))
    assert len(answers(board, how)) == sum(1 for _ in control.solve(yield_=True)) == 2
    names = {rule.rule.rule for rule in rules_about(board, settings=how)}
    assert {name for name in names if "line" in name} == {'line("mine.lp",3)', 'line("mine.lp",3,2)'}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("rules_", "told"),
    [
        ("violates(k(R, C)) :- value(R, C, 9).", ["1:1: nothing reads violates/1; did you mean violated/1?"]),
        ("violated(k, R) :- value(R, _, 9).", ["1:1: nothing reads violated/2; did you mean violated/1?"]),
        ("% x\nhelp(1..3).\n{ help(V) : value(1, 1, V) }.\n", ["2:1: nothing reads help/1"]),
        ("a(1) ; b(2) :- value(1, 1, 1). c(X) : b(X).", ["1:1: nothing reads a/1", "1:32: nothing reads c/1"]),
        ("a. b :- a. c :- not b. #show c/0. d(1). #show d(X) : d(X). says(a, b). about(a, 1, 1). relaxed(x).", []),
        ("excluded(1, 1, 3). clue(1, 1, 2). given(1, 1, 2). size(A) :- size(A). needs(a, b). called(a, b).", []),
    ],
)
def test_heads_that_nothing_reads_are_warned_of(rules_: str, told: list[str], tmp_path: Path) -> None:
    """A predicate that rules derive and nothing reads or shows gives one warning, wherever the rules are."""
    board, shipped = one(A_A_A), encoding("tectonic").read_text(encoding="utf-8")
    for how in (
        extra(tmp_path, rules_),
        Settings(extra=Rules(rules_)),
        Settings(encoding=Rules(f"{rules_}\n{shipped}")),
    ):
        found = [str(warning) for warning in warnings(how, board)]
        assert [line.partition(":")[2] for line in found] == told
        assert [str(one) for one in next(iter(explain(board, settings=how))).warnings] == found


@pytest.mark.slow
def test_heads_of_ones_own_folders_are_warned_of(tmp_path: Path) -> None:
    """A command warns of the rules of one's own puzzle or variant, once for all boards; not of the templates."""
    for kind in ("numbers", "variant"):
        folder = templates.new_folder(f"my{kind}", kind, tmp_path)
        command = ("count", "first.toml", "first.toml", "--puzzles", ".")
        assert pyasp(*command, where=folder).stderr == ""
        with (folder / f"my{kind}.lp").open("a", encoding="utf-8") as file:
            file.write("violatde(x) :- value(1, 1, 1).\n")
        told = pyasp(*command, where=folder).stderr
        assert told.count("nothing reads violatde/1; did you mean violated/1?") == told.count("warning") == 1


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", ["solve", "check", "explain", "hint", "grade", "grade --jobs 2", "solve --jobs 2"])
def test_every_command_warns_once(command: str, tmp_path: Path) -> None:
    """Each command warns once of a predicate that nothing reads, however many boards and questions it has."""
    write(tmp_path, {"a.toml": A_A_A, "mine.lp": "violates(x) :- value(1, 1, 1).\n"})
    boards = ["a.toml"] if command in {"check", "hint"} else ["a.toml"] * 3
    told = pyasp(*command.split(), *boards, "--extra", "mine.lp", where=tmp_path).stderr
    assert told.count("warning: mine.lp:1:1: nothing reads violates/1; did you mean violated/1?") == 1
    assert told.count("warning") == 1


def test_copies_of_what_ships_are_not_warned_of(tmp_path: Path) -> None:
    """A board that ships, with its rules and those of its variants copied to a folder, gives no warning."""
    for name in ("strata/seed", "strips/list", "variants/thermometer", "variants/sandwich", "variants/killer-cage"):
        board, folder = load(name)[0], tmp_path / name
        templates.eject(rule_files_in_use(board), folder)
        assert warnings(Settings(encoding=folder), board) == []


def test_no_shipped_encoding_is_warned_of(tmp_path: Path) -> None:
    """The encodings that ship give no warning on the boards that ship, whatever rules are added."""
    for name in ("strata/seed", "strimko/four", "strips/list", "sudoku/six", "tectonic/three-clues"):
        assert warnings(extra(tmp_path, "% nothing\n"), only(name)) == []


# -- The command ----------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", ["solve", "count", "check", "explain", "hint", "grade"])
def test_every_command_that_searches_takes_rules(command: str, tmp_path: Path) -> None:
    """Every command goes by the user's rules, and tells what is wrong with them, in the same way."""
    rules_ = {"good.lp": "violated(first) :- not value(1, 1, 1).\n:- value(1, 2, 2).\n"}
    write(tmp_path, rules_ | {"board.toml": A_A_A, "bad.lp": "violated(first) :- not value(1, 1, V).\n"})
    printed(command, "board.toml", "--extra", "good.lp", where=tmp_path)
    bad = pyasp(command, "board.toml", "--extra", "bad.lp", where=tmp_path)
    assert bad.returncode == 2
    assert bad.stderr.startswith("pyasp: bad.lp:1:36: variable V is unsafe")


def test_the_command_warns_and_answers(tmp_path: Path) -> None:
    """The command prints warnings, and then the answer."""
    write(tmp_path, {"board.toml": A_A_A, "mine.lp": "violated(x) :- valeu(1, 1, 1).\n"})
    done = pyasp("solve", "board.toml", "--extra", "mine.lp", where=tmp_path)
    assert done.returncode == 0
    assert done.stdout
    assert done.stderr.startswith("pyasp: warning: mine.lp:1:16: nothing defines valeu(1,1,1); did you mean value/3?\n")


@pytest.mark.parametrize(
    ("board", "variant", "says"),
    [
        ("strata/seed", "diagonal", "its rules are about side(N), unit(U, R, C) and value(R, C, V), which"),
        ("tectonic/seed", "windoku", "no variant of tectonic: its rules are about side(N) and unit(U, R, C), which"),
        ("strips/final", "anti-king", "no variant of strips: its rules are about value(R, C, V), which"),
        ("sudoku/easy", "anti-kight", "did you mean anti-knight?"),
    ],
)
def test_a_variant_of_another_puzzle(board: str, variant: str, says: str, tmp_path: Path) -> None:
    """A shipped variant that would change nothing here is refused, and a misspelt name with the one that was meant."""
    refused(pyasp("check", board, "--extra", variant, where=tmp_path), says)


# -- Messages ----------------------------------------------------------------------


def test_excerpts_put_a_caret_below_the_column(tmp_path: Path) -> None:
    """The caret is below its column, in an excerpt no wider than a page, which is cut at blanks and says so."""
    words = [f"not nowhere{i}(R, C), value(R, C, {i})," for i in range(15)]
    search = solutions(
        one(A_A_A), 1, extra(tmp_path, f"violated(long(R, C)) :- {' '.join(words)} value(R, C, 1).")
    ).search
    assert search
    assert len(search.warnings) == 15
    pieces = {*" ".join(words).split(), *"violated(long(R, C)) :- value(R, C, 1).".split(), ""}
    for i, warning in enumerate(search.warnings):
        shown, caret = warning.excerpt.split("\n")
        assert len(shown) <= 100
        assert shown[len(caret) - 1 :].startswith(f"nowhere{i}(")
        assert caret.strip() == "^"
        assert shown.startswith(("...", "violated("))
        assert shown.endswith(("...", " value(R, C, 1)."))
        assert {word.removeprefix("...").removesuffix("...") for word in shown.split()} <= pieces


def test_long_messages_are_cut_between_words() -> None:
    """A message of many words ends with a whole one; one of a single word is cut all the same."""
    message = PuzzleError("stone " * 400).message
    assert message.endswith(" stone...")
    assert len(message) <= 1003
    assert PuzzleError("x" * 5000).message == f"{'x' * 1000}..."
    assert PuzzleError("short").message == "short"


def test_names_that_are_nearly_right_are_suggested() -> None:
    """A name that is nearly right is found in any case, and as it is written."""
    for name, hint in (("Suguru", "; did you mean suguru[?]"), ("x", "$")):
        with pytest.raises(PuzzleError, match=rf"unknown puzzle '{name}'; the puzzles are [^;]*{hint}"):
            loads(f'puzzle = "{name}"\n')
    nearly = {"Suguru/Seed": "suguru/seed", "suguru/sed": "suguru/seed", "Tectonic/seed": "tectonic/seed"}
    for name, near in nearly.items():
        with pytest.raises(InstanceError, match=f"did you mean {near}"):
            list(load(name))


def test_aliases_are_folders() -> None:
    """An alias of a puzzle names the folder of its instances; a file of that name comes first."""
    board = only("suguru/seed")
    same = only("tectonic/seed")
    assert (board.source, board.puzzle) == ("suguru/seed", same.puzzle)
    assert set(board.facts) == set(same.facts)
    assert len(list(load("suguru"))) == len(list(load("tectonic")))
