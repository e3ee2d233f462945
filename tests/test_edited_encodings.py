"""User encodings and user rules change the puzzle; doubts about them are warnings."""

from collections.abc import Hashable
from pathlib import Path

import pytest

from pyasp_puzzles import EncodingError, Instance, Settings, load, solutions

from . import plain, rules
from .command import pyasp
from .helpers import A_A_A, SHIPPED, encoding, mine, not_none, one, write
from .strategies import grid, rectangle

SMALL = {
    "strata": 'puzzle = "strata"\ntiles = """\na .\n. b\n"""\n',
    "strimko": 'puzzle = "strimko"\nstreams = """\nA A B\nA B B\nC C C\n"""\n',
    "strips": 'puzzle = "strips"\ntiles = """\nw b b\nw w b\n"""\n',
    "sudoku": f'puzzle = "sudoku"\ngivens = {grid({(1, 1): 1}, rectangle(4, 4), 4, 4)}\n',
    "tectonic": 'puzzle = "tectonic"\nblocks = "A A A B"\n',
}
"""A small board of each puzzle, with several answers."""


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
    file = mine(tmp_path, "relaxed(alike(P)) :- pattern(P).")
    instance = one(SMALL["strips"])
    colors = {cell: str(cell) for cell in instance.facts.cells("tile")}  # no two alike
    cuts = list(rules.strips_answers(colors, 3, None))
    assert len(answers(instance, Settings(extra=(file,)))) == len(cuts) > len(answers(instance, Settings()))


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
        :- value(1, 1, 1), %* LONG *% a("é % %* #script 99999999999 \" \\ \n", _), c(X2), d(1).
    """
    file.write_text(text.replace("LONG", long), encoding="utf-8", newline="\r\n")
    assert warnings(Settings(extra=[file])) == []
    assert len(answers(one(A_A_A), Settings(extra=[file]))) == 4


def test_unknown_predicates_are_warned_of(tmp_path: Path) -> None:
    """An undefined predicate gives one warning, with its place and a suggestion."""
    file = mine(tmp_path, "violated(x) :-\n\tvaleu(R, C, V), giben(R,\n C, V). % é\na :- blok(1, 2), foo.\n")
    first, second, third, fourth = warnings(Settings(extra=[file]))
    assert str(first) == f"{file}:2:2: nothing defines valeu(R,C,V); did you mean value/3?"
    assert first.excerpt == "\tvaleu(R, C, V), giben(R,\n\t^"
    assert str(second) == f"{file}:2:18: nothing defines giben(R,C,V); did you mean given/3?"
    assert str(third) == f"{file}:4:6: nothing defines blok(1,2); did you mean block/3?"
    assert str(fourth) == f"{file}:4:18: nothing defines foo"


def test_other_doubts_are_warned_of(tmp_path: Path) -> None:
    """Terms without a value and tuples without a weight, which clingo leaves out silently, give warnings, too."""
    text = 'a(X / 0) :- X = 1..3.\nb. d :- #sum { x : b } > 3.\nc(@f(1)).\n#include "mine.lp".\n'
    file = mine(tmp_path, text)
    told = [str(warning).removeprefix(f"{file}:") for warning in warnings(Settings(extra=[file]))]
    assert sorted(told) == [
        "1:3: operation undefined: (X/0)",
        "2:16: tuple ignored: x",
        "3:3: operation undefined: function 'f' not found",
        "4:1: already included file: mine.lp",
    ]


def test_an_encoding_without_output_is_warned_of(tmp_path: Path) -> None:
    """An encoding that never defines the output gives a warning."""
    file = mine(tmp_path, "{ valeu(R, C, 1..3) } :- block(R, C, _).\n")
    (warning,) = warnings(Settings(encoding=file))
    assert str(warning) == f"{file}: nothing defines value/3; did you mean valeu/3?"


def test_warnings_end(tmp_path: Path) -> None:
    """Only the first warnings are shown, but an error after them is not lost."""
    file = tmp_path / "mine.lp"
    doubts = "".join(f"a{i} :- b{i}.\n" for i in range(2000))
    file.write_text(doubts, encoding="utf-8")
    assert len(warnings(Settings(extra=[file]))) == 20
    file.write_text(f"{doubts}c(X).\n", encoding="utf-8")
    with pytest.raises(EncodingError, match=":2001:3: variable X is unsafe"):
        warnings(Settings(extra=[file]))


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


def test_no_shipped_encoding_is_warned_of(tmp_path: Path) -> None:
    """The encodings that ship give no warning on the boards that ship, whatever rules are added."""
    file = mine(tmp_path, "% nothing\n")
    for name in ("strata/seed", "strimko/four", "strips/list", "sudoku/six", "tectonic/three-clues"):
        assert warnings(Settings(extra=[file]), load(name)[0]) == []


# -- The command ----------------------------------------------------------------


@pytest.mark.parametrize("command", ["solve", "count", "check"])
def test_every_command_that_searches_takes_rules(command: str, tmp_path: Path) -> None:
    """Solving, counting and checking go by the user's rules, and tell what is wrong with them, in the same way."""
    rules_ = {"good.lp": "violated(first) :- not value(1, 1, 1).\n:- value(1, 2, 2).\n"}
    write(tmp_path, rules_ | {"board.toml": A_A_A, "bad.lp": "violated(first) :- not value(1, 1, V).\n"})
    good = pyasp(command, "board.toml", "--extra", "good.lp", where=tmp_path)
    assert (good.returncode, good.stderr) == (0, "")
    bad = pyasp(command, "board.toml", "--extra", "bad.lp", where=tmp_path)
    assert bad.returncode == 2
    assert bad.stderr.startswith("pyasp: bad.lp:1:36: variable V is unsafe")


def test_the_command_warns(tmp_path: Path) -> None:
    """The command prints warnings, and then the answer."""
    write(tmp_path, {"board.toml": A_A_A, "mine.lp": "violated(x) :- valeu(1, 1, 1).\n"})
    done = pyasp("solve", "board.toml", "--extra", "mine.lp", where=tmp_path)
    assert done.returncode == 0
    assert done.stdout
    assert done.stderr.startswith("pyasp: warning: mine.lp:1:16: nothing defines valeu(1,1,1); did you mean value/3?\n")


def test_a_variant_that_is_misspelt(tmp_path: Path) -> None:
    """A name that is neither a file nor a variant is refused, with the variant that was meant."""
    done = pyasp("count", "sudoku/easy", "--extra", "anti-kight", where=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean anti-knight?" in done.stderr


@pytest.mark.parametrize(
    ("board", "variant", "named"),
    [
        ("strata/seed", "diagonal", "stream, size and value"),
        ("tectonic/seed", "windoku", "stream"),
        ("strips/final", "anti-king", "value"),
    ],
)
def test_a_variant_of_another_puzzle(board: str, variant: str, named: str, tmp_path: Path) -> None:
    """A shipped variant whose rules are about what an encoding does not have is refused: it would change nothing."""
    done = pyasp("check", board, "--extra", variant, where=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"pyasp: {variant}: no variant of {board.partition('/')[0]}: its rules are about")
    assert f"{named}, which" in done.stderr
