"""Whatever is thrown at the command: one clear line and exit code 2, or a right answer; no traceback, and no hang."""

import os
import shlex
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import NoReturn

import pytest
from typer.testing import CliRunner

from pyasp_puzzles import load
from pyasp_puzzles.cli import application

from . import fuzz, hostile, plain
from .command import PYASP, Done, objects, printed, process, pyasp, refused
from .helpers import write

Run = Callable[..., Done]

SOUND = 'puzzle = "sudoku"\ngivens = """\n1 . . .\n. . 2 .\n. . . .\n. 3 . .\n"""\n'
# Bytes of address space; Python and clingo take 200 MB before anything is read.
MEMORY = 700 * 2**20


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a directory with a sound board."""
    return write(tmp_path, {"sound.toml": SOUND})


@pytest.fixture
def run(place: Path) -> Run:
    """Return a function that runs the command in that directory."""
    return partial(pyasp, where=place)


def refused_or_right(done: Done, file: Path) -> bool:
    """Check that a file was refused, or that each answer that `solve --json` gave to it is right; tell which."""
    if done.returncode == 2:
        refused(done)
        return False
    assert (done.returncode in {0, 1}, done.stderr) == (True, "")
    boards = objects(done.stdout)
    assert boards
    assert done.returncode == (not all(board["solutions"] for board in boards))
    for instance, board in zip(load(file), boards, strict=True):
        assert [plain.broken(instance, answer) for answer in board["solutions"]] == [[] for _ in board["solutions"]]
    return True


# -- Files -----------------------------------------------------------------------

NOWHERE = dict(hostile.anywhere())


@pytest.mark.parametrize("content", NOWHERE.values(), ids=NOWHERE)
@pytest.mark.slow
def test_not_in_any_file(run: Run, place: Path, content: bytes) -> None:
    """What is right in no file is refused everywhere: in either kind of instance, in an answer, in rules."""
    for name in ("x.toml", "x.lp", "x.txt"):
        (place / name).write_bytes(content)
    refused(run("solve", "x.toml"))
    refused(run("count", "x.lp"))
    refused(run("facts", "-", stdin=content))
    done = run("check", "sound.toml", "--answer", "x.txt")
    assert done.returncode == 1 or (done.returncode, done.stdout) == (2, "")
    if len(content) < 10_000:  # rules are a program, in which clingo may find more than one mistake
        (place / "x.lp").write_bytes(content)
        assert run("solve", "sound.toml", "--extra", "x.lp").returncode in {0, 2}


@pytest.mark.slow
def test_spoilt_instances_are_refused_or_solved(run: Run, place: Path) -> None:
    """A sound instance with a few pieces put in, left out, or changed is refused in one line, or answered rightly."""
    answered = 0
    for name, content in hostile.instances():
        file = place / name
        file.write_bytes(content)
        answered += refused_or_right(run("solve", "--json", file), file)
    assert 2 < answered < 50


@pytest.mark.slow
def test_spoilt_answers_are_refused_or_judged(run: Run, place: Path) -> None:
    """An answer that is spoilt, as text or as JSON, is refused in one line, or judged."""
    write(place, hostile.TWO)
    judged = 0
    for content in hostile.answers():
        for board in hostile.TWO:
            done = run("check", "--json", board, "--answer", "-", stdin=content)
            if done.returncode == 2:
                refused(done)
            else:
                judged += 1
                assert (done.returncode, done.stderr) == (any(board["broken"] for board in objects(done.stdout)), "")
    assert 2 < judged < 60


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile.FILES)
def test_any_file_is_read_or_refused_in_one_line(run: Run, place: Path, name: str) -> None:
    """A file is read, or refused in one short line that begins with its name, in little time and memory."""
    text, says = hostile.FILES[name]
    (place / name).write_text(text(), encoding="utf-8", newline="")
    done = run("facts", name, memory=MEMORY)
    (place / name).unlink()
    if says:
        refused(done, says)
        assert done.stderr.startswith(f"pyasp: {name}:")
    else:
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("answer", hostile.LABORIOUS_ANSWERS, ids=lambda answer: answer[:12])
def test_laborious_answers_are_refused_at_once(run: Run, place: Path, answer: str) -> None:
    """An answer that has tens of thousands of anything is refused in no time."""
    write(place, {"answer.txt": answer})
    refused(run("check", "-", "--answer", "answer.txt", stdin=b'puzzle = "strata"\ntiles = "c d e"\n'))


# -- Names and options ---------------------------------------------------------------


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["", "nosuch", "nosuch/", "a\nb", "\x1b[2J", "x" * 500, "x" * 9999, "/"], ids=ascii)
def test_names_of_no_file_are_refused_everywhere(run: Run, name: str) -> None:
    """A name that is no file's is refused in one line, wherever a file is expected."""
    if name:
        refused(run("check", "sound.toml", "--answer", name), longest=20_000)
        refused(run("solve", "sound.toml", "--encoding", name), longest=20_000)
        refused(run("count", "sound.toml", "--extra", name), longest=20_000)
    if name not in {"", "/"}:  # the first is the directory that one is in; to look through the second takes long
        refused(run("solve", name))
        refused(run("facts", name))


def test_files_without_permission_are_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that may not be read is refused, wherever it is named."""

    def denied(*_: object, **__: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.chdir(place)
    for method in ("open", "read_bytes", "read_text"):
        monkeypatch.setattr(Path, method, denied)
    for words in ("solve sound.toml", "check sound.toml --answer sound.toml", "facts sound.toml"):
        done = CliRunner().invoke(application(), words.split())
        assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
        assert done.stderr.startswith("pyasp: sound.toml: cannot be read: Permission denied")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="only Linux has such a file")
@pytest.mark.parametrize("words", ["", "--as penpa", "--as sudoku"])
def test_a_file_that_fails_while_it_is_read(run: Run, words: str) -> None:
    """A file that opens but cannot be read is refused, whatever its format is said to be."""
    refused(run("solve", "/proc/self/mem", *words.split()), "/proc/self/mem: cannot be read: Input/output error")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "option",
    [
        *("--timeout -1", "--timeout nan", "--timeout x", "--timeout", "--timeout -inf"),
        *("--seed -1", "--seed 4294967296", "--seed 1.5", "--seed 99999999999999999999999"),
        *("--threads 0", "--threads -3", "--threads 9999", "--threads many"),
        *("-n 0", "-n -1", "-n x", "-n 1.0", "--number", "--number -1", "--number x"),
        *("-n 99999999999999999999", "--number 99999999999999999999"),
        *("--encoding nosuch", "--encoding .", "--extra nosuch", "--extra ./", "--extra"),
        *("--distinct nonsense", "--distinct plays", "--distinct"),
        *("--board 99", "--board 0", "--board x", "--board 99999999999999999999"),
        *("--nonsense", "--json=1", "--decided --possible", "--decided --all", "--possible -n 2", "--- x"),
    ],
)
def test_impossible_options_are_refused_in_one_line(run: Run, option: str) -> None:
    """A value that an option cannot have, or an option that a command has not, is refused in one line."""
    commands = ("solve", "count", "check", "facts")
    for command in commands if option.startswith(("--timeout", "--board", "--n", "--json", "--d")) else commands[:2]:
        refused(run(command, "sound.toml", *option.split()))


@pytest.mark.parametrize("option", ["--timeout 1e308", "--timeout inf", "--timeout 1e12", "--timeout 0.00001"])
def test_any_time_limit_is_kept(run: Run, option: str) -> None:
    """A time limit beyond all measure is none; one that is too short for anything is kept, and said."""
    for command in ("solve", "count", "check"):
        done = run(command, "sound.toml", *option.split())
        if option.endswith("1"):
            assert done.returncode == 3
        elif done.returncode == 2:
            refused(done)
        else:
            assert (done.returncode, done.stderr) == (run(command, "sound.toml").returncode, "")


# -- Streams, pipes and devices ---------------------------------------------------

FULL = ["solve sound.toml", "solve --json --all sound.toml", "count sound.toml", "check sound.toml", "facts sound.toml"]
# Lines of a shell; only the last succeeds.
SHELL = [
    *(f"{command} >/dev/full" for command in [*FULL, "list", "--help", "solve --help", "encoding sudoku"]),
    *("solve sound.toml >&-", "list >&-", "--help >&-", "solve nosuch 2>&-", "nonsense 2>&-", "solve nosuch >&- 2>&-"),
    *(
        "solve nosuch 2>/dev/full",
        "nonsense 2>/dev/full",
        "solve - <&-",
        "check sound.toml --answer - <&-",
        "solve - </dev/null",
    ),
    *("solve - </dev/zero", "check sound.toml --answer - </dev/zero", "solve sound.toml 2>&-"),
]
ODD = ["pipe.toml", "loop.toml", "directory.toml", "/dev/zero"]
FILES = [
    *(f"solve {name}" for name in [*ODD, "dangling.toml", os.fsdecode(b"\xfe.toml")]),
    *(f"check sound.toml --answer {name}" for name in ODD),
    *(f"solve sound.toml --encoding {name}" for name in ODD),
    *(f"solve sound.toml --extra {name}" for name in ("pipe.toml", "directory.toml", os.fsdecode(b"\xfe.lp"))),
    *("encoding sudoku --eject sound.toml", "encoding sudoku --eject /dev/null"),
]


@pytest.fixture
def odd(place: Path) -> Path:
    """Return the directory, with much in it that is no board."""
    write(place, {"syntax.lp": "violated(x) :- value(1, 1, 1),, .\n", "unsafe.lp": "violated(x(X)).\n"})
    (place / "directory.toml").mkdir()
    (place / "loop.toml").symlink_to("loop.toml")
    (place / "dangling.toml").symlink_to("nosuch.toml")
    os.mkfifo(place / "pipe.toml")
    (place / os.fsdecode(b"\xff.toml")).write_text(SOUND, encoding="utf-8")
    return place


@pytest.mark.slow
def test_closed_and_endless_streams_end_in_one_line(odd: Path) -> None:
    """Where streams are closed, full or endless, the exit code is right, and there is one line on stderr, if any."""
    with ThreadPoolExecutor(2) as pool:
        ran = dict(zip(SHELL, pool.map(lambda line: process(f"pyasp {line}", odd), SHELL), strict=True))
    assert {line: done.returncode for line, done in ran.items()} == dict.fromkeys(SHELL, 2) | {SHELL[-1]: 0}
    for line, done in ran.items():
        assert "Traceback" not in done.stderr
        assert "2>" in line or (done.stderr.count("\n"), done.stderr[:7]) == (1, "pyasp: "), line


@pytest.mark.parametrize("line", FILES, ids=ascii)
def test_files_of_other_kinds(run: Run, odd: Path, line: str) -> None:
    """A pipe without a writer, a directory, a loop or a device in place of a file is refused in one line."""
    assert odd
    refused(run(*line.split()))


PIPED = [*("solve {}", "solve --jobs 1 {}", "count --timeout 30 {}", "check {}", "explain {}", "hint {}", "grade {}")]
PIPED += [*("resolve {}", "draw {}", "minimize {}", "convert --to toml {}", "facts {}", "encoding {}")]
PIPED += [*("solve {} -o {}.jsonl --resume", "book {} -o {}.html", "generate sudoku --like {} --seed 1 --no-grade")]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("line", PIPED)
def test_pipes_are_read_once(run: Run, odd: Path, line: str) -> None:
    """A pipe with a name, as `<(...)` makes it, is read as a file is, by every command that reads boards."""
    text = 'puzzle = "sudoku"\ngivens = """\n1234\n3412\n2143\n432.\n"""\n'
    write(odd, {"sound.toml": text})
    writer = Thread(target=(odd / "pipe.toml").write_text, args=[text])
    writer.start()
    done = run(*line.replace("{}", "pipe.toml").split())
    writer.join()
    usual = run(*line.replace("{}", "sound.toml").split())
    said = (usual.stdout + usual.stderr).replace("sound.toml", "pipe.toml")
    if not line.startswith("minimize"):  # which writes how the board was made, if one can make it again
        assert done.stdout + done.stderr == said
    assert done.returncode == usual.returncode < 2


def test_an_answer_is_read_from_a_pipe(odd: Path) -> None:
    """Boards and answers are read from pipes of a shell."""
    board = "<(cat sound.toml)"
    line = f"pyasp check {board} --answer <({shlex.join(PYASP)} solve --json {board})"
    done = process(line, odd)
    assert (done.returncode, done.stderr) == (0, "")


def test_other_files_go_on(run: Run, odd: Path) -> None:
    """A file of any name is read; each unreadable one is reported in one line; wrong rules are shown."""
    assert odd
    assert run("solve", "--json", os.fsdecode(b"\xff.toml")).returncode == 0
    done = run("solve", "sound.toml", "nosuch", "pipe.toml", "sound.toml")
    assert (done.returncode, done.stderr.count("\n"), done.stderr.count("pyasp: ")) == (2, 2, 2)
    for name in ("syntax.lp", "unsafe.lp"):
        assert run("solve", "sound.toml", "--extra", name).returncode == 2


@pytest.mark.alone  # within its time
@pytest.mark.parametrize(
    ("name", "codes"),
    [("tectonic", {0, 2, 3}), ("strata", {0}), ("strimko", {2}), ("sudoku", {2}), ("strips", {1})],
)
def test_large_boards_are_solved_or_refused_in_time(run: Run, place: Path, name: str, codes: set[int]) -> None:
    """A board of 150x150 is solved rightly, or refused, before long; at least it keeps its time limit."""
    write(place, {f"{name}.toml": dict(hostile.large())[name]})
    done = run("solve", "--json", f"{name}.toml", "--timeout", "2" if name == "tectonic" else "12")
    assert done.returncode in codes
    if name == "strata":
        (board,) = load(place / "strata.toml")
        assert plain.broken(board, objects(done.stdout)[0]["solutions"][0]) == []


# -- The fuzz, and what it has found ---------------------------------------


@pytest.mark.alone  # each case has its time
def test_fuzzed_input_gives_an_answer_or_a_message() -> None:
    """Whatever readers and commands are given: an answer or a message, in time and in little memory."""
    number, codes, failures = fuzz.fuzz(seconds=3, seed=1, least=25)
    assert failures == []
    assert number >= 25
    assert {0, 2} <= set(codes)


def test_cases_come_again() -> None:
    """The same seed and number give the same case, so that what fails can be run again."""
    cases, again = ([fuzz.case(7, number, corpus) for number in range(50)] for corpus in (fuzz.Corpus(), fuzz.Corpus()))
    assert cases == again
    assert len({case.arguments[0] for case in cases}) > 5


def test_optional_colors_that_are_absent(tmp_path: Path) -> None:
    """A user's puzzle with marks in some cells accepts a board without any."""
    pyasp("new", "mine", where=tmp_path)
    write(tmp_path, {"mine.toml": 'puzzle = "mine"\ngivens = """\n1 .\n. .\n"""\n'})
    assert printed("count", "mine.toml", "--puzzles", "mine", where=tmp_path) == "1\n"


def test_rules_that_show_nothing(tmp_path: Path) -> None:
    """If user rules lay no ribbons, a finished picture is an error, not a traceback."""
    write(tmp_path, {"nothing.lp": "% no rules\n"})
    done = pyasp("solve", "strata/seed", "--encoding", "nothing.lp", "--distinct", "looks", where=tmp_path)
    assert done.returncode == 2
    assert "pyasp: an answer set has no one look for row 1, column 1" in done.stderr


@pytest.mark.alone
def test_grade_within_its_time(tmp_path: Path) -> None:
    """The resolution of a grade has the time that the explanation leaves, not as much again."""
    started = monotonic()
    done = pyasp("grade", "sudoku/large", "--timeout", "2", where=tmp_path)
    assert done.returncode in {0, 3}
    assert monotonic() - started < 5
