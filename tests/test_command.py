"""What the command promises: exit codes, what is written where, and in what form."""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from itertools import permutations
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
import typer

from pyasp_puzzles.cli import application
from pyasp_puzzles.render.text import MARKED_CODE, PREMISE_CODE
from pyasp_puzzles.render.theme import style_sheet

from .command import PYASP, SECONDS, environment, objects, printed, process, pyasp, refused, start
from .command_page import page
from .documents import text_of
from .helpers import BOARDS, ENCODINGS, FOUR, GENRES, encoding, write

ONE = 'puzzle = "tectonic"\ntitle = "One"\nblocks = """\nA A\nB B\n"""\ngivens = """\n1 .\n. .\n"""\n'
TWO = 'puzzle = "strips"\ntitle = "Two \u00e9"\nlongest = 2\ntiles = """\nww\nbb\n"""\nstrips = ["wb", "wb"]\n'
UNIQUE = 'puzzle = "tectonic"\ntitle = "Unique"\nblocks = "A A # B"\ngivens = "1 . # ."\n'
FACTS = "block(1, 1, a). block(1, 2, a). given(1, 1, 2).\n"
ENDLESS = 'puzzle = "strata"\ntitle = "Endless"\ntiles = """\n' + ".......\n" * 7 + '"""\n'
FIVE = 'puzzle = "strips"\ntitle = "Five"\nlongest = 5\n' + '[[board]]\ntiles = """\nwwwww\nbbbbb\n"""\n' * 5


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a directory with some instances."""
    files = {"unique.toml": UNIQUE, "none.toml": ONE, "two.toml": TWO, "bad.toml": "puzzle = 1\n", "facts.lp": FACTS}
    return write(tmp_path, files | {"endless.toml": ENDLESS, "five.toml": FIVE})


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        *(("solve unique.toml", 0), ("solve unique.toml two.toml facts.lp", 0), ("solve --all two.toml", 0)),
        *(("solve --json -n 2 two.toml", 0), ("solve none.toml", 1), ("solve --json none.toml", 1)),
        *(("solve none.toml unique.toml", 1), ("facts unique.toml", 0), ("facts none.toml", 0)),
        *(("facts five.toml --board 5", 0), ("encoding sudoku", 0), ("list", 0), ("--help", 0), ("solve -h", 0)),
        ("", 0),
    ],
)
def test_exit_codes_say_whether_boards_have_answers(place: Path, arguments: str, code: int) -> None:
    """0: every board has an answer; 1: some board has none. Nothing is written to stderr."""
    assert printed(*arguments.split(), where=place, code=code)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("solve", "the file is empty"),
        ("solve bad.toml", "bad.toml:1: "),
        ("solve missing.toml", "missing.toml: "),
        ("nonsense", "nonsense"),
        ("facts", "FILE"),
        ("facts bad.toml", "bad.toml:1: "),
        ("facts five.toml", "--board"),
        ("facts five.toml --board 6", "6"),
        ("encoding", "PUZZLE"),
        ("encoding tektonic", "tectonic"),
        ("encoding tectonic --eject bad.toml", "bad.toml"),
        ("list everything", "everything"),
        ("resolve strata/seed", "strata cannot be resolved"),
        ("resolve strips/hunt", "strips cannot be resolved"),
        ("resolve missing.toml", "missing.toml"),
        ("resolve strimko/four --guess 1,1", "'--guess': '1,1' is not a guess; write ROW,COLUMN,NUMBER"),
        ("resolve strimko/four --guess 1,1,x", "write ROW,COLUMN,NUMBER"),
        ("resolve strimko/four --guess 1,1,12345678901234567890", "write ROW,COLUMN,NUMBER"),
        ("resolve strimko/four --guess 5,1,1", "guess '5,1,1' fits no cell"),
        ("resolve strimko/four --guess 1,1,5", "guess '1,1,5' fits no cell"),
        ("resolve strimko/four --extra missing.lp", "missing.lp"),
        ("explain tectonic/seed --html nowhere/x.html", "nowhere/x.html: cannot be written"),
        ("explain tectonic/seed --html .", ".: cannot be written"),
        ("explain tectonic/seed --html x.html --json", "--html and --json do not go together"),
        ("explain nothing --html x.html", "there is no such file"),
        ("book tectonic/seed -o book.txt", "'--output': 'book.txt' has an unknown suffix; choose .html or .pdf"),
        ("book tectonic/seed -o nowhere/book.html", "nowhere/book.html: cannot be written"),
        ("book tectonic/seed -o book.html --paper a5", "'--paper': 'a5' is unknown; choose a4 or letter"),
        ("book tectonic/seed", "Missing option '-o' / '--output'; see pyasp book --help"),
        ("draw strips/hunt", "there are several boards"),
        ("draw tectonic/seed --solved --candidates", "do not go together"),
        ("draw tectonic/seed -o nowhere/x.svg", "nowhere/x.svg: cannot be written"),
        ("draw tectonic/seed -o x.pdf", "'--output': 'x.pdf' has an unknown suffix; choose .svg, .html or .png"),
        ("draw nothing", "there is no such file"),
        ("solve unique.toml --output nosuch/out.jsonl", ""),
        ("solve unique.toml --output . --resume", ""),
        ("solve unique.toml --resume", ""),
        ("solve unique.toml --jobs 0", ""),
        ("solve unique.toml --scheduler nonsense", ""),
        ("solve unique.toml --jobs 2 --scheduler tcp://localhost:1", ""),
    ],
)
def test_wrong_usage_gives_one_line_and_exit_code_2(place: Path, arguments: str, says: str) -> None:
    """Wrong usage and bad input give one line on stderr, exit code 2, nothing on stdout, and no file."""
    before = sorted(place.iterdir())
    refused(pyasp(*arguments.split(), where=place), says)
    assert sorted(place.iterdir()) == before


@pytest.mark.sampled(1)
@pytest.mark.parametrize("form", [[], ["--json"], ["--jobs", "1"]])
def test_the_worst_board_makes_the_exit_code(tmp_path: Path, form: list[str]) -> None:
    """Whatever the order of the boards: bad input (2) outweighs a missing answer (1), and that one an answer (0)."""
    texts = {"good.toml": FOUR, "none.toml": FOUR.replace("1 . . .", "1 1 . ."), "bad.toml": "x = 1\n"}
    write(tmp_path, texts)
    codes = {tmp_path / "good.toml": 0, tmp_path / "none.toml": 1, tmp_path / "bad.toml": 2}
    for boards in permutations(codes, 2):
        done = pyasp("solve", *boards, *form, where=tmp_path)
        assert done.returncode == max(codes[board] for board in boards)


def test_running_out_of_time_lies_between_no_answer_and_bad_input(tmp_path: Path) -> None:
    """Of all boards of a continued run, bad input (2) outweighs running out of time (3), and that no answer (1)."""
    worst = {"satisfiable": 0, "unsatisfiable": 1, "unknown": 3, "error": 2}
    for statuses in permutations(worst, 2):
        lines = [
            json.dumps({"puzzle": "sudoku", "source": "boards.txt", "board": i, "solutions": [], "status": status})
            for i, status in enumerate(statuses, 1)
        ]
        write(tmp_path, {"boards.txt": "." * 81 + "\n", "all.jsonl": "\n".join([*lines, ""])})
        words = ("solve", "--as", "sudoku", "boards.txt", "--output", "all.jsonl", "--resume")
        done = pyasp(*words, where=tmp_path)
        assert done.returncode == worst[max(statuses, key=[*worst].index)], done.stderr


def test_an_interrupt_outweighs_all(tmp_path: Path) -> None:
    """Ctrl-C gives 130, also after bad input."""
    command = start("solve", "nosuch", "-", where=tmp_path, stdin=PIPE)
    assert command.stderr is not None
    assert b"there is no such file" in command.stderr.readline()
    command.send_signal(signal.SIGINT)
    command.communicate()
    assert command.returncode == 130


def test_json_is_an_object_for_each_board(place: Path) -> None:
    """Each board is an object in a line, in order; `complete` is never claimed while there are more."""
    done = pyasp("solve", "--json", "two.toml", "none.toml", "five.toml", "unique.toml", where=place)
    boards = objects(done.stdout)
    for board in boards:
        assert board["status"] == ("satisfiable" if board["solutions"] else "unsatisfiable")
    assert [board["source"] for board in boards] == ["two.toml", "none.toml", *["five.toml"] * 5, "unique.toml"]
    assert [board["board"] for board in boards] == [1, 1, 1, 2, 3, 4, 5, 1]
    assert [board["title"] for board in boards[:3]] == ["Two \u00e9", "One", "Five"]
    assert boards[0]["complete"] is False
    assert (boards[1]["complete"], boards[1]["solutions"]) == (True, [])
    assert [len(board["solutions"]) for board in boards] == [1, 0, 1, 1, 1, 1, 1, 1]


def test_json_of_solutions_has_the_form_of_their_kind(place: Path) -> None:
    """A solution is a grid with null outside the board, strips with their patterns, or ribbons bottom to top."""
    write(place, {"strata.toml": 'puzzle = "strata"\ntiles = "r"\n'})
    shown = printed("solve", "--all", "--json", "unique.toml", "two.toml", "strata.toml", where=place)
    unique, two, *strata = objects(shown)
    assert unique["solutions"] == [{"grid": [[1, 2, None, 1]]}]
    strips = [{"cells": [[1, 1], [2, 1]], "pattern": "wb"}, {"cells": [[1, 2], [2, 2]], "pattern": "wb"}]
    assert two["solutions"] == [{"strips": strips}]
    for (lower, upper), solution in zip(
        permutations(["column", "row"]), sorted((one["solutions"][0] for one in strata), key=str), strict=True
    ):
        below, above = {"line": lower, "color": None}, {"line": upper, "color": "r"}
        assert solution == {"ribbons": [below | {"index": 1}, above | {"index": 1}]}
    assert [board["complete"] for board in (unique, two, *strata)] == [True, True, False, True]


def test_as_many_answers_come_as_are_asked_for(place: Path) -> None:
    """`-n N` gives up to N answers, `--all` every one; the last line says whether there may be more."""
    write(place, {"three.toml": 'puzzle = "strips"\nlongest = 2\ntiles = "wbw"\nstrips = ["wb", "w"]\n'})
    for arguments, count, complete in ((["-n", "1"], 1, False), (["-n", "3"], 2, True)):
        (board,) = objects(pyasp("solve", "--json", *arguments, "three.toml", where=place).stdout)
        assert (len(board["solutions"]), board["complete"]) == (count, complete)
    every = pyasp("solve", "--json", "--all", "three.toml", "none.toml", where=place).stdout
    assert pyasp("solve", "--json", "--all", "--jobs", "1", "three.toml", "none.toml", where=place).stdout == every
    ends = [(len(board["solutions"]), board["status"], board["complete"]) for board in objects(every)]
    assert ends == [(1, "satisfiable", False), (1, "satisfiable", True), (0, "unsatisfiable", True)]
    assert "may be more" in printed("solve", "-n", "3", "endless.toml", where=place).splitlines()[-1]
    shown = printed("solve", "--all", "three.toml", where=place)
    assert "2 answers" in shown.splitlines()[-1]
    assert "may be" not in shown


@pytest.mark.slow
def test_the_name_of_a_file_says_what_is_written(place: Path) -> None:
    """`solve -o` writes text, JSON Lines or a picture, as the suffix says, and refuses another suffix."""
    shown = printed("solve", "tectonic/seed", "two.toml", where=place)
    for options in ([], ["--jobs", "1"]):
        printed("solve", "tectonic/seed", "two.toml", "-o", "a.txt", "--force", *options, where=place)
        assert (place / "a.txt").read_text(encoding="utf-8") == shown
    printed("solve", "tectonic/seed", "-o", "a.json", where=place)
    assert (place / "a.json").read_text(encoding="utf-8") == printed("solve", "tectonic/seed", "--json", where=place)
    printed("solve", "tectonic/seed", "-o", "a.SVG", where=place)
    drawn = printed("draw", "tectonic/seed", "--solved", where=place)
    assert (place / "a.SVG").read_text(encoding="utf-8") == drawn
    for name in ("a.pdf", "a", "a.toml"):
        refused(pyasp("solve", "tectonic/seed", "-o", name, where=place), "choose .txt, .json, .jsonl, .svg or .png")
    refused(pyasp("solve", "tectonic/seed", "--all", "-o", "b.svg", where=place), "do not go together")
    refused(pyasp("solve", "tectonic/seed", "--json", "-o", "b.txt", where=place), "do not go together")
    assert not [*place.glob("b.*"), *place.glob("a.pdf"), *place.glob("a.toml")]


def test_bad_file_between_good_ones(place: Path) -> None:
    """The other files are solved, in order, when one is bad; exit code 2 outweighs 1."""
    done = pyasp("solve", "--json", "unique.toml", "bad.toml", "none.toml", "missing", "facts.lp", where=place)
    assert [(board["source"], board["status"]) for board in objects(done.stdout)] == [
        ("unique.toml", "satisfiable"),
        ("bad.toml", "error"),
        ("none.toml", "unsatisfiable"),
        ("missing", "error"),
        ("facts.lp", "satisfiable"),
    ]
    assert done.returncode == 2
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == ["bad.toml:1", "missing"]


def test_a_directory_means_the_instances_in_it(place: Path) -> None:
    """A directory means the boards in it and below it, whatever their suffix; a bad one does not stop the others."""
    write(place / "some", {"b.toml": UNIQUE, "d.lp": FACTS, "c.toml": "bad", "below/a.toml": ONE, "notes.txt": ONE})
    done = pyasp("solve", "--json", "some", where=place)
    names = sorted(f"some/{name}" for name in ("b.toml", "c.toml", "d.lp", "below/a.toml", "notes.txt"))
    assert [board["source"].replace(os.sep, "/") for board in objects(done.stdout)] == names
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("text", [UNIQUE, FACTS, FIVE, TWO])
def test_a_dash_reads_standard_input(tmp_path: Path, text: str) -> None:
    """`-` reads an instance from standard input, as TOML or facts."""
    assert all(board["solutions"] for board in objects(printed("solve", "--json", "-", where=tmp_path, stdin=text)))
    refused(pyasp("solve", "-", where=tmp_path, stdin=text[:-4]), "pyasp: <stdin>:")


def test_facts_can_be_read_again(place: Path) -> None:
    """`facts` prints an instance that can be read again, with its title, and has the same answers."""
    for name in ("unique.toml", "two.toml", "facts.lp"):
        facts = pyasp("facts", name, where=place).stdout
        again = pyasp("solve", "--all", "--json", "-", where=place, stdin=facts)
        first = pyasp("solve", "--all", "--json", name, where=place)
        assert objects(again.stdout)[0] | {"source": name} == objects(first.stdout)[0]


def test_encoding_prints_the_rules_in_use(tmp_path: Path) -> None:
    """`encoding` prints the rules in use, or their file, or copies them out; it never overwrites a file."""
    text = encoding("tectonic").read_text(encoding="utf-8")
    for name in ("tectonic", "suguru"):
        assert printed("encoding", name, where=tmp_path) == text
    assert printed("encoding", "sudoku", "--path", where=tmp_path) == f"{encoding('strimko')}\n"
    eject = ("encoding", "tectonic", "--eject", "new")
    assert printed(*eject, where=tmp_path).strip().endswith("tectonic.lp")
    copy = tmp_path / "new" / "tectonic.lp"
    assert copy.read_text(encoding="utf-8") == text
    copy.write_text("mine", encoding="utf-8")
    refused(pyasp(*eject, where=tmp_path))
    assert copy.read_text(encoding="utf-8") == "mine"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("board", ["two.toml", "diagonal.toml", "several.toml", "line.txt", "facts.lp"])
def test_plain_clingo_counts_the_same(place: Path, board: str) -> None:
    """The README's pipe to plain clingo counts what `count` counts, for boards with variants, too."""
    files = {
        "diagonal.toml": 'puzzle = "sudoku"\nvariants = ["diagonal"]\ngivens = """\n1...\n....\n....\n....\n"""\n',
        "several.toml": 'puzzle = "tectonic"\nvariants = ["anti-knight", "non-consecutive"]\n'
        'blocks = """\nA A B B\nA A B B\n"""\n',
        "line.txt": "1..............4\n",
    }
    write(place, files)
    [line] = [line for line in text_of(Path("README.md")).splitlines() if line.startswith("pyasp facts ")]
    shell = line.replace("python -m clingo", f"{sys.executable} -m clingo --quiet").replace("tectonic/seed", board)
    shell = shell.replace("pyasp ", f"{shlex.join(PYASP)} ")
    done = process(["sh", "-c", shell], place)
    assert done.stderr == ""
    [number] = re.findall(r"^Models +: (\d+)", done.stdout, re.MULTILINE)
    assert printed("count", board, where=place) == f"{number}\n"


@pytest.mark.slow
def test_encoding_takes_puzzles_variants_and_boards(place: Path) -> None:
    """`encoding` takes a puzzle, a variant or a board; it prints, names or copies all files that a board needs."""
    board = 'puzzle = "sudoku"\nsize = [4, 4]\nvariants = ["diagonal", "anti-king"]\n'
    write(place, {"board.toml": board, "mixed.toml": "[[board]]\n" + board + "[[board]]\n" + FOUR})
    names = ("strimko/strimko", "variants/diagonal/diagonal", "variants/anti-king/anti-king")
    files = [ENCODINGS / f"{name}.lp" for name in names]
    texts = [file.read_text(encoding="utf-8") for file in files]
    assert printed("encoding", "board.toml", "--path", where=place) == "".join(f"{file}\n" for file in files)
    assert printed("encoding", "board.toml", where=place) == "\n".join(texts)
    assert printed("encoding", "-", "--path", where=place, stdin=board).splitlines() == [*map(str, files)]
    assert printed("encoding", "anti-king", where=place) == texts[2]
    assert printed("encoding", "sudoku/easy", "--path", where=place) == f"{files[0]}\n"
    eject = ("encoding", "board.toml", "--eject", "new")
    assert printed(*eject, where=place).splitlines() == [f"new/{file.name}" for file in files]
    (place / "new" / "strimko.lp").unlink()
    refused(pyasp(*eject, where=place), "new/diagonal.lp: exists already; choose another directory")
    assert not (place / "new" / "strimko.lp").exists()
    refused(pyasp("encoding", "mixed.toml", where=place), "choose one with --board N")
    assert printed("encoding", "mixed.toml", "--board", "2", where=place) == texts[0]
    refused(pyasp("encoding", "anti-knigt", where=place), "did you mean anti-knight?")


@pytest.mark.slow
def test_what_conversion_loses_is_said_once(tmp_path: Path) -> None:
    """Each thing that a format cannot store is said once, with the boards that lose it, or that all of them do."""
    boards = {f"in/{i}.toml": f'title = "{i}"\nnotes = "n"\n{FOUR}' for i in range(5)}
    write(tmp_path, boards | {"in/9.toml": FOUR})
    some = (
        "warning: left out: title and notes, which puzzlink cannot store (in/0.toml, in/1.toml, in/2.toml and 2 more)"
    )
    for options in ("", "-o out", "-o out.txt"):
        told = pyasp("convert", "in", "--to", "puzzlink", *options.split(), where=tmp_path).stderr
        assert told == f"pyasp: {some}\n"
    (tmp_path / "in/9.toml").unlink()
    assert "cannot store (all 5 boards)\n" in pyasp("convert", "in", "--to", "puzzlink", where=tmp_path).stderr
    assert "cannot store\n" in pyasp("convert", "in/0.toml", "--to", "puzzlink", where=tmp_path).stderr


# An empty Sudoku of 4x4 cells with one thermometer, on which numbers may repeat once they need not rise.
THERMOMETER = 'puzzle = "sudoku"\nsize = [4, 4]\nthermometers = ["r1c1 r2c3 r3c2"]\n'
COMMANDS = ("solve", "count", "check", "explain", "hint", "grade", "minimize", "solve --jobs 2")


@pytest.mark.slow
def test_an_ejected_folder_is_used_whole(place: Path) -> None:
    """`--encoding DIR` uses all rules in a folder in place of what they were copied from, as plain clingo does."""
    write(place, {"thermo.toml": THERMOMETER})
    shipped = printed("count", "thermo.toml", where=place)
    printed("encoding", "thermo.toml", "--eject", "mine", where=place)
    assert printed("count", "thermo.toml", "--encoding", "mine", where=place) == shipped
    copy = place / "mine" / "thermometer.lp"
    copy.write_text(copy.read_text(encoding="utf-8").replace("V >= V'", "V > V'"), encoding="utf-8")
    facts = printed("facts", "thermo.toml", where=place)
    clingo = [sys.executable, "-m", "clingo", "--quiet", "mine/strimko.lp", "mine/thermometer.lp", "-", "0"]
    [number] = re.findall(r"^Models +: (\d+)", process(clingo, place, input=facts).stdout, re.MULTILINE)
    assert f"{number}\n" == printed("count", "thermo.toml", "--encoding", "mine", where=place) != shipped
    said = pyasp(
        "check",
        "thermo.toml",
        "--answer",
        "-",
        "--encoding",
        "mine",
        where=place,
        stdin="4 . . .\n. . 3 .\n" + 2 * ". . . .\n",
    )
    assert "- the rule thermometer\n" in said.stdout  # it was edited, so its words are not used
    write(place, {"mine/odd.lp": "violated(odd) :- value(1, 1, 1).\n"})
    assert 0 < int(printed("count", "thermo.toml", "--encoding", "mine", where=place)) < int(number)
    (place / "mine" / "strimko.lp").unlink()
    assert 0 < int(printed("count", "thermo.toml", "--encoding", "mine", where=place)) < int(number)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", COMMANDS)
def test_copies_replace_what_they_were_copied_from(command: str, place: Path) -> None:
    """Two files that have one rule, a copy and what it was copied from, are an error that names both."""
    write(place, {"thermo.toml": THERMOMETER})
    printed("encoding", "thermo.toml", "--eject", "mine", where=place)
    said = f"renamed.lp: the rule thermometer/1 is also in {ENCODINGS}/variants/thermometer/thermometer.lp"
    (place / "mine" / "thermometer.lp").rename(place / "renamed.lp")
    for options in ("--extra renamed.lp", "--encoding mine --extra renamed.lp"):
        done = pyasp(*command.split(), "thermo.toml", *options.split(), where=place)
        assert done.returncode == 2
        assert done.stderr.startswith(f"pyasp: {said}")
        assert done.stderr.count("\n") == 1
    twice = ("--encoding", "mine/strimko.lp", "--encoding", "renamed.lp")
    refused(pyasp(*command.split(), "thermo.toml", *twice, where=place), "--encoding is given twice")


def test_list_names_what_solve_takes(tmp_path: Path) -> None:
    """`list` names every puzzle and every shipped instance, with nothing but what `solve` takes; so does its JSON."""
    records = objects(printed("list", "--json", where=tmp_path))
    assert sorted(record["source"] for record in records if "source" in record) == BOARDS
    families = printed("list", where=tmp_path).split("\n\n")[0]
    names = re.findall(r"^  ([a-z0-9-]+)(?=:| \(also)", families, re.MULTILINE)
    assert sorted(names) == sorted(record["puzzle"] for record in records if "family" in record)
    assert {record["family"] for record in records if "family" in record} == {
        *re.findall(r"^\S.*$", families, re.MULTILINE)
    }
    listed = [
        line.split()[0] for line in printed("list", "suguru", where=tmp_path).splitlines() if line.startswith(" ")
    ]
    assert sorted(listed) == [name for name in BOARDS if name.startswith("tectonic/")]
    for option, key in (("--variants", "variant"), ("--formats", "format")):
        lines = printed("list", option, where=tmp_path).splitlines()
        records = objects(printed("list", option, "--json", where=tmp_path))
        assert [re.split("[ :]", line)[0] for line in lines] == [record[key] for record in records]
        assert all(line.endswith(f": {record['summary']}") for line, record in zip(lines, records, strict=True))


@pytest.mark.slow
def test_help_names_every_command(tmp_path: Path) -> None:
    """Without arguments there is help, which names every command; each shows examples, and its options in groups.

    Each argument and each option has help of its own.
    """
    top = printed(where=tmp_path)
    assert top == printed("--help", where=tmp_path)
    groups = re.findall(r"^(\w[\w ]+):\n((?:  .*\n)+)", top, re.MULTILINE)
    assert [name for name, _ in groups] == ["Options", "Solve", "Look", "Make", "Convert", "Puzzles and rules"]
    commands = [name for _, lines in groups[1:] for name in re.findall(r"^  ([a-z]+) +\S", lines, re.MULTILINE)]
    assert commands == list(listed_commands())
    assert printed("-V", where=tmp_path) == printed("--version", where=tmp_path)
    for name in commands:
        assert f"  Examples:\n    pyasp {name}" in printed(name, "--help", where=tmp_path)
    groups = re.findall(r"^(.*):$", printed("solve", "--help", where=tmp_path), re.MULTILINE)
    assert groups == [
        "  Examples",
        *"Arguments,Answers,Boards in pictures,Strata,Strips,Output,Many boards,Rules,Search,Options".split(","),
    ]
    listed = re.findall(r"^- `(.*)`: *(.*)$", page(), re.MULTILINE)
    assert len(listed) > 65
    assert [name for name, words in listed if not words] == []


def test_an_option_has_one_meaning() -> None:
    """An option has the same value and short name in all commands that have it.

    Its heading and its help differ only where what it is about does: a board that is solved, in a picture, or new.
    """
    meanings: dict[str, set[tuple[Any, ...]]] = {}
    for command in listed_commands().values():
        for one in command.params:
            for name in one.opts if one.param_type_name == "option" else ():
                meanings.setdefault(name, set()).add(
                    (one.rich_help_panel, one.help, one.metavar, one.is_flag, *one.opts)
                )
    assert {"-n", "-o", "--answer", "--all", "--clues", "--colors", "--jobs", "--seed", "--size"} <= meanings.keys()
    different = {"-o", "--output", "-n", "--number", "--size", "--colors", "--answer"}
    assert {name for name, several in meanings.items() if len(several) > 1} == different


@pytest.mark.sampled(2)
@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_help_fits_the_terminal(tmp_path: Path, columns: int) -> None:
    """Help is as wide as the terminal, but no wider than can be read; summaries are whole, and ranges are not shown."""
    top = printed("--help", where=tmp_path, extra={"COLUMNS": str(columns)})
    assert "..." not in top.replace("[ARGS]...", "")
    said = " ".join(top.split())
    assert printed("--help", where=tmp_path, extra={"COLUMNS": "1"})
    for name, command in listed_commands().items():
        help_text = printed(name, "--help", where=tmp_path, extra={"COLUMNS": str(columns)})
        assert f" {name} {' '.join(command.help.partition(chr(10) * 2)[0].split())}" in said
        assert not re.search(r"<=x|x>=|x<=|required\]", help_text)
        lines = [*top.splitlines(), *(line for line in help_text.splitlines() if not line.startswith("    pyasp "))]
        assert max(map(len, lines)) <= min(columns, 100)
        assert columns < 80 or max(map(len, lines)) > 70


def listed_commands() -> dict[str, Any]:
    """Return the commands by their names."""
    return dict(getattr(typer.main.get_command(application()), "commands", {}))


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            "generate sudoku -n 0",
            "Invalid value for '-n' / '--number': 0 is not in the range 1<=x<=2147483647; see pyasp",
        ),
        ("solve tectonic/seed --threads 65", "Invalid value for '--threads': 65 is not in the range 1<=x<=64"),
        ("solve tectonic/seed --timeout -1", "Invalid value for '--timeout': -1.0 is not in the range x>=0"),
        (
            "solve tectonic/seed --seed x",
            "Invalid value for '--seed': 'x' is not a valid int range; see pyasp solve",
        ),
        (
            "solve tectonic/seed --timeout x",
            "Invalid value for '--timeout': 'x' is not a valid float range; see",
        ),
        ("solve", "<stdin>: the file is empty"),
        ("solve tectonic/seed --jobs", "Option '--jobs' requires an argument; see pyasp solve --help"),
        ("solve tectonic/seed --all=1", "Option '--all' does not take a value; see pyasp solve --help"),
        (
            "solve tectonic/seed --jobz 2",
            "No such option: --jobz (Possible options: --jobs, --json, --to); see",
        ),
        (
            "solve tectonic/seed --jobs 2 --scheduler x",
            "--jobs and --scheduler do not go together; see pyasp solve --h",
        ),
        ("convert tectonic/seed", "--to is missing; choose f-puzzles, grid, "),
        (
            "solve tectonic/seed --timeout nan",
            "Invalid value for '--timeout': 'nan' is not a number; write seconds; see pyasp solve --help",
        ),
        ("facts tectonic/seed again", "Got unexpected extra argument(s) (again); see pyasp facts --help"),
        ("slove tectonic/seed", "No such command 'slove'. Did you mean 'solve', 'resolve'?\n"),
        ("solve tectonic/seed --brief", "No such option: --brief (Possible options: "),
        ("--nonsense", "No such option: --nonsense; see pyasp --help"),
    ],
)
def test_wrong_usage_is_refused_in_plain_words(tmp_path: Path, arguments: str, says: str) -> None:
    """Whether typer finds it or we do, wrong usage is refused in one line: what is wrong, and where help is."""
    refused(pyasp(*arguments.split(), where=tmp_path), f"pyasp: {says}")


def test_options_of_a_group_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group of options whose annotations are texts has all of its options; one that would be lost is an error."""
    text = """
from __future__ import annotations
from typing import TYPE_CHECKING, Annotated
from pyasp_puzzles.cli.options import OTHERS, JsonOptions, option
if TYPE_CHECKING:
    from pathlib import Path
class Asked(JsonOptions):
    {}: Annotated[{} | None, option(OTHERS, "A word.", metavar="WORD")] = None
"""
    write(tmp_path, {"asked.py": text.format("word", "str"), "lost.py": text.format("file", "Path")})
    monkeypatch.syspath_prepend(tmp_path)
    asked, lost = (import_module(name).Asked for name in ("asked", "lost"))
    assert {one.name for one in asked.parameters()} == {"word", "as_json"}
    with pytest.raises(NameError, match="Path"):
        lost.parameters()


# The puzzles that begin with su, and their other names.
SU = {"sudoku", "suguru", "sukoro", "sukoro-room", "sukororoom"}


def completed(place: Path, words: str) -> set[str]:
    """Return what Bash is offered after some words of a command line."""
    variables = {"_PYASP_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    return set(pyasp(where=place, extra=variables).stdout.split("\n")) - {""}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("so", {"solve"}),
        ("solve --time", {"--timeout"}),
        ("solve tectonic/se", {"tectonic/seed"}),
        ("solve tectonic/seed str", {name for name in BOARDS if name.startswith("str")} | {"strange.toml", "strip/"}),
        ("hint strange", set()),  # the shell itself completes files, where no name fits
        ("generate su", SU),
        ("generate sudoku --grade ", {"easy", "medium", "hard", "very-hard", "extreme"}),
        ("generate sudoku --like sudoku/ea", {"sudoku/easy"}),
        ("minimize sudoku/easy --grade v", {"very-hard"}),
        ("convert sudoku/easy --to p", {"penpa", "picture", "puzzlink"}),
        ("solve x --as su", SU | {"sudokumaker", "sudokupad"}),
        ("solve x --extra anti", {"anti-king", "anti-knight", "anti-taxicab"}),
        ("check x --extra w", {"whispers", "windoku", "w.lp"}),
        ("encoding di", {"diagonal", "difference", "disjoint-groups"}),
        ("encoding tec", {name for name in BOARDS if name.startswith("tec")} | {"tectonic"}),
        ("count x --distinct l", {"lattices", "looks"}),
        ("new mine --kind ", {"numbers", "shading", "pieces", "lines", "areas"}),
        ("encoding --puzzles mine minim", {"minimum"}),
        (
            "encoding --puzzles mine mine",
            {"mine", "mine/", "mines"} | {x for x in [*GENRES, *BOARDS] if x.startswith("mine")},
        ),
        ("generate --puzzles nowhere s", set()),
    ],
)
def test_shells_complete_commands_options_and_names(tmp_path: Path, words: str, offered: set[str]) -> None:
    """Shells complete commands, options, boards, puzzles, variants, formats and grades, and files next to names."""
    write(tmp_path, {"strange.toml": ONE, "strip/x.toml": ONE, "w.lp": "", ".strip": ""})
    if "mine" in words:
        printed("new", "mine", where=tmp_path)
    assert completed(tmp_path, f"pyasp {words}") == offered


@pytest.mark.slow
def test_grades_in_one_word(tmp_path: Path) -> None:
    """A grade of two words may have a hyphen between them, as shells complete it."""
    for word in ("very-hard", "very hard"):
        refused(pyasp("generate", "strata", "--grade", word, "--size", "0", where=tmp_path))
        assert "grade" not in pyasp("minimize", "nosuch", "--grade", word, where=tmp_path).stderr
    refused(pyasp("generate", "strata", "--grade", "very-heard", where=tmp_path), "did you mean very hard?")


def test_only_similar_names_are_suggested(tmp_path: Path) -> None:
    """A name is suggested for one like it, and not for another one in the same folder."""
    assert pyasp("solve", "sudoku/hard", where=tmp_path).stderr.endswith("`pyasp list`\n")
    refused(pyasp("solve", "sudoku/esay", where=tmp_path), "did you mean sudoku/easy?")
    refused(pyasp("count", "sudoku/easy", "--extra", "anti_knight", where=tmp_path), "did you mean anti-knight?")


def test_boards_may_come_from_a_pipe(tmp_path: Path) -> None:
    """Without FILE, boards are read from standard input if something is piped into it."""
    assert printed("count", where=tmp_path, stdin=FOUR) == printed("count", "-", where=tmp_path, stdin=FOUR)
    piped = process(["sh", "-c", f"cat board.toml | {shlex.join(PYASP)} count"], write(tmp_path, {"board.toml": FOUR}))
    assert piped.stdout == printed("count", "board.toml", where=tmp_path)
    nothing = process([*PYASP, "count"], tmp_path, stdin=subprocess.DEVNULL)
    assert (nothing.returncode, nothing.stderr) == (2, "pyasp: Missing argument 'FILE'; see pyasp count --help\n")


def test_help_and_lists_of_one(tmp_path: Path) -> None:
    """`help` prints the help, of one command, too; `list` lists one puzzle, also by an alias."""
    assert printed("help", where=tmp_path) == printed("--help", where=tmp_path)
    assert printed("help", "solve", where=tmp_path) == printed("solve", "--help", where=tmp_path)
    shown = printed("list", "suguru", where=tmp_path)
    assert shown.startswith("tectonic (also: suguru): ")
    assert {line.split("/")[0] for line in shown.splitlines()[1:]} == {"  tectonic"}
    refused(pyasp("list", "sodoku", where=tmp_path), "did you mean sudoku?")


@pytest.mark.slow
def test_counts_of_several_boards_name_them(tmp_path: Path) -> None:
    """Each count has the name of its board if there are several, in several files, one file or a directory."""
    write(tmp_path, {"in/a.toml": FOUR, "b.toml": FOUR})
    alone = printed("count", "b.toml", where=tmp_path)[:-1]
    assert alone.isdecimal()
    assert printed("count", "in", "b.toml", where=tmp_path) == f"{alone}  in/a.toml\n{alone}  b.toml\n"
    assert printed("count", "in", where=tmp_path) == f"{alone}  in/a.toml\n"


def test_briefly_checked(tmp_path: Path) -> None:
    """With --brief, `check` prints its verdict without the answer, and what is wrong without a picture."""
    assert printed("check", "tectonic/seed", "--brief", where=tmp_path).splitlines()[1:] == ["Exactly one answer."]
    write(tmp_path, {"wrong.txt": "1 1 . .\n. . . .\n. . . .\n. . . .\n"})
    shown = printed("check", "strimko/four", "--answer", "wrong.txt", "--brief", where=tmp_path, code=1)
    assert "row 1" in shown
    assert "┌" not in shown


@pytest.mark.slow
def test_new_boards_in_other_formats(tmp_path: Path) -> None:
    """`generate` and `minimize` write the boards that they make in any format, and refuse what it cannot store."""
    made = pyasp("generate", "sudoku", "--size", "9", "--seed", "1", "--no-grade", "--to", "sdm", where=tmp_path).stdout
    assert re.fullmatch(r"[0-9]{81}\n", made)
    assert printed("count", "-", where=tmp_path, stdin=made) == "1\n"
    fewer = pyasp("minimize", "sudoku/easy", "--to", "sdm", where=tmp_path)
    assert re.fullmatch(r"[0-9]{81}\n", fewer.stdout)
    refused(pyasp("generate", "tectonic", "--size", "4", "--seed", "1", "--to", "sdm", where=tmp_path), "sdm")
    refused(pyasp("minimize", "sudoku/easy", "--to", "smd", where=tmp_path), "did you mean sdm?")


def test_options_of_one_puzzle_stand_under_its_heading(tmp_path: Path) -> None:
    """Help has what belongs to one puzzle, or to pictures, under a heading of its own, and what it says is true."""
    headings: dict[str, dict[str, str]] = {"solve": {}, "generate": {}, "count": {}}
    for name, found in headings.items():
        text = printed(name, "--help", where=tmp_path)
        for heading, options in re.findall(r"^(\w[^\n]*):\n((?:  .*\n)+)", text, re.MULTILINE):
            found.update(dict.fromkeys(re.findall(r"^  (?:-\w, )?(--[\w-]+)", options, re.MULTILINE), heading))
        assert not re.search(r"or boards to make|of a new board, or|, or one in a picture", " ".join(text.split()))
    for option in ("--size", "--colors", "--angle"):
        assert headings["solve"][option] == headings["count"][option] == "Boards in pictures"
    assert [headings["solve"][option] for option in ("--distinct", "--clicks", "--outlines")] == [
        *("Strata", "Strata", "Strips")
    ]
    special = {"--peels": "Strata", "--longest": "Strips", "--largest": "Tectonic", "--colors": "Strata and strips"}
    assert special.items() <= headings["generate"].items()


def on_a_terminal(place: Path, columns: int, *arguments: str) -> str:
    """Return what a command writes to a terminal so wide, without colors."""
    ours, theirs = pty.openpty()
    extra = {"COLUMNS": str(columns), "NO_COLOR": "1"}
    with subprocess.Popen(
        [*PYASP, *arguments], cwd=place, env=environment(extra), stdout=theirs, stderr=theirs
    ) as done:
        os.close(theirs)
        written = b""
        with suppress(OSError):  # the other end is closed
            while chunk := os.read(ours, 65536):
                written += chunk
        done.wait(SECONDS)
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


@pytest.mark.slow
def test_a_drawing_is_not_written_to_a_terminal(tmp_path: Path) -> None:
    """On a terminal, `draw` without --output writes a file, and says which; with `-o -` it prints the SVG."""
    assert on_a_terminal(tmp_path, 80, "draw", "tectonic/seed") == "pyasp: wrote tectonic-seed.svg\n"
    drawn = printed("draw", "tectonic/seed", where=tmp_path)
    assert (tmp_path / "tectonic-seed.svg").read_text(encoding="utf-8") == drawn
    assert on_a_terminal(tmp_path, 80, "draw", "tectonic/seed", "-o", "-") == drawn


def test_a_drawing_without_axes(tmp_path: Path) -> None:
    """With --no-axes, a drawing has no numbers of rows and columns, and no line that names variants."""
    whole, bare = (printed("draw", "variants/sandwich", *more, where=tmp_path) for more in ([], ["--no-axes"]))
    assert ("with sandwich" in whole, "with sandwich" in bare) == (True, False)
    assert len(re.findall("<text", whole)) - len(re.findall("<text", bare)) > 12


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "arguments",
    [
        "explain board.toml --why",
        "check four.toml",
        "solve bad.toml",
        "list",
        "list --formats",
        "grade sudoku/easy",
        "check board.toml --answer wrong.txt",
    ],
)
def test_sentences_wrap_at_words(place: Path, arguments: str) -> None:
    """On a terminal, long sentences are broken between words, and nothing else changes; in a pipe, none is."""
    board = FOUR.replace("1 . . .", "1 2 . 4").replace(". . . .", ". . 2 .", 1)
    write(place, {"board.toml": board, "four.toml": FOUR, "wrong.txt": "1 2 3 4\n3 3 2 1\n2 1 4 3\n4 3 1 2\n"})
    narrow = on_a_terminal(place, 40, *arguments.split())
    done = pyasp(*arguments.split(), where=place, extra={"COLUMNS": "40"})
    whole = done.stdout + done.stderr
    assert narrow.split() == whole.split()
    assert narrow != whole
    long = [line for line in narrow.splitlines() if len(line) > 40]
    assert [line for line in long if re.search(r"[a-z]+ [a-z]+ [a-z]+", line)] == []
    if arguments.startswith("explain"):
        steps = re.findall(r"^(\d+\. .*\n)( +)\w", narrow, re.MULTILINE)
        assert steps
        assert all(len(indent) == line.index(" ") + 1 for line, indent in steps)


def test_marks_have_the_colors_of_pages() -> None:
    """What is new is blue on a terminal, as on a page, and what it follows from is yellow; nothing new is red."""

    def rgb(code: str) -> tuple[int, int, int]:
        number = int(code.rpartition(";")[2]) - 16  # of the 6x6x6 colors of a terminal
        red, green, blue = (
            0 if level == 0 else 55 + 40 * level for level in (number // 36, number // 6 % 6, number % 6)
        )
        return red, green, blue

    red, green, blue = rgb(MARKED_CODE)
    assert blue > green > red
    red, green, blue = rgb(PREMISE_CODE)
    assert min(red, green) > blue
    fills = dict(re.findall(r"\.pyasp \.(marked|premise)\{fill:#(\w{6})", style_sheet().partition("light-dark")[0]))
    hues = {name: [int(code[i : i + 2], 16) for i in (0, 2, 4)] for name, code in fills.items()}
    assert max(range(3), key=hues["marked"].__getitem__) == 2
    assert min(range(3), key=hues["premise"].__getitem__) == 2


@pytest.mark.parametrize("form", [["--all"], ["--all", "--json"], ["-n", "100000"]])
def test_a_pipe_that_is_closed_early_ends_the_command(place: Path, form: list[str]) -> None:
    """A reader that has seen enough, as `head -1`, ends the command at once, without a word."""
    with start("solve", *form, "endless.toml", where=place) as process:
        assert process.stdout.read(100)
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(SECONDS)


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_an_interrupted_search_prints_what_was_found(place: Path, form: list[str]) -> None:
    """Ctrl-C ends a search with exit code 130; what was found is printed, and the last line says it may not be all."""
    with start("solve", "--all", *form, "endless.toml", where=place) as process:
        seen = b""
        while len(seen) < 5000:
            seen += process.stdout.read(5000)
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=SECONDS)
    written = (seen + rest).decode()
    assert process.returncode == 130
    assert b"Traceback" not in errors
    if form:
        answers = objects(written)
        assert {(answer["status"], answer["complete"]) for answer in answers} == {("satisfiable", False)}
        assert all(len(answer["solutions"]) == 1 for answer in answers)
    else:
        assert "may be more" in written.splitlines()[-1]


@pytest.mark.parametrize(("extra", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_color_on_a_terminal(place: Path, extra: Mapping[str, str], colored: bool) -> None:  # noqa: FBT001
    """There is color on a terminal, but not where `NO_COLOR` is set or the terminal is dumb."""
    ours, theirs = pty.openpty()
    done = process([*PYASP, "solve", "unique.toml", "two.toml"], place, extra, stdout=theirs, stderr=theirs)
    os.close(theirs)
    assert done.returncode == 0
    assert (b"\033[" in os.read(ours, 100_000)) == colored
    os.close(ours)


@pytest.mark.parametrize("arguments", ["solve unique.toml two.toml five.toml", "list", "solve --help"])
def test_no_color_in_a_pipe(place: Path, arguments: str) -> None:
    """In a pipe there is no color."""
    assert "\033" not in printed(*arguments.split(), where=place)


@pytest.mark.parametrize(("columns", "rows"), [("80", "12345"), ("30", "12 34 5"), ("12", "1 2 3 4 5")])
def test_boards_of_strips_are_side_by_side(place: Path, columns: str, rows: str) -> None:
    """Five boards of strips are shown side by side on a page of 80 columns, and as many as fit on a narrower one."""
    lines = printed("solve", "five.toml", where=place, extra={"COLUMNS": columns}).splitlines()
    assert all(len(line) <= int(columns) for line in lines if "|" in line)
    assert [line.replace(" ", "") for line in lines if line.strip() and set(line) <= set(" 12345")] == rows.split()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_answers_come_in_narrow_character_sets(place: Path, form: list[str]) -> None:
    """Where the output cannot hold every character, as in a pipe on Windows, there are answers all the same."""
    assert printed("solve", *form, "two.toml", "unique.toml", where=place, extra={"PYTHONIOENCODING": "latin-1"})


def test_json_is_whole_lines_of_utf8(place: Path) -> None:
    """JSON Lines hold any title, and a reader gets back what is in the file."""
    write(place, {"title.toml": UNIQUE.replace("Unique", "\u2603 \U0001f600 \\u2028 \\\\")})
    shown = printed("solve", "--json", "title.toml", where=place)
    assert json.loads(shown)["title"].startswith("\u2603 \U0001f600")
    assert shown.count("\n") == 1
