"""`solve`, `explain` and `grade` with `--jobs`: the same output as without; no process outlives the command."""

import json
import os
import pty
import signal
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE
from time import monotonic, sleep

import pytest

from .command import SECONDS, Started, objects, pyasp, start
from .helpers import write
from .lists import DEADLY, ENDLESS, lines, mixed_list

LIST = ("solve", "--as", "sudoku", "list.txt")
UNSOLVABLE = 'puzzle = "tectonic"\nblocks = """\nA A\nB B\n"""\n'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a directory with lists, and with rules that end a process, or that ground for ever."""
    texts = {"list.txt": lines(60), "hard.txt": mixed_list(12, "bad"), "long.txt": lines(2000)}
    texts |= {"deadly.lp": DEADLY, "endless.lp": ENDLESS, "none.toml": UNSOLVABLE, "bad.toml": "bad"}
    return write(tmp_path, texts)


def running(place: Path) -> list[int]:
    """Return the processes that are at work in a directory."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").resolve() == place.resolve():
                found.append(int(process.name))
    return found


def none_is_left(place: Path) -> None:
    """Check that no process is left at work in a directory, or at least not for long."""
    until = monotonic() + 5
    while running(place) and monotonic() < until:
        sleep(0.02)
    assert running(place) == []


@pytest.mark.slow
@pytest.mark.parametrize("form", [[], ["--decided", "--json"], ["--all"]], ids=" ".join)
def test_the_same_with_jobs(place: Path, form: list[str]) -> None:
    """Output, messages and exit code with jobs are those without, to the byte, for files, lists and what is wrong."""
    names = ["strimko", "strips/hunt", "sudoku/six", "tectonic/seed", *(["strata/seed"] if "--all" not in form else [])]
    lists = [["--as", "sudoku", "list.txt", "none.toml"]] if "--all" not in form else []  # which have one answer each
    for arguments in ([*names, "none.toml", "bad.toml", "nosuch"], *lists):
        alone = pyasp("solve", *arguments, *form, where=place)
        jobs = pyasp("solve", *arguments, *form, "--jobs", "2", where=place)
        assert (jobs.returncode, jobs.stdout, jobs.stderr) == (alone.returncode, alone.stdout, alone.stderr)
        assert (alone.returncode, alone.stdout.count("\n") > 30) == (2 if "nosuch" in arguments else 1, True)


OF_STEPS = ("explain", "explain --json", "explain --brief --why", "explain --html -", "explain --timeout 0")
OF_GRADES = ("grade", "grade --json", "grade --html -")
FILES, LISTED = "strata/seed none.toml bad.toml sudoku/six nosuch", "--as sudoku bad.txt"


@pytest.mark.sampled(0, 6)
@pytest.mark.parametrize("form", [*OF_STEPS, *OF_GRADES])
@pytest.mark.parametrize("names", [FILES, LISTED])
def test_steps_and_grades_are_the_same_with_jobs(place: Path, form: str, names: str) -> None:
    """The same of explanations and grades."""
    (place / "bad.txt").write_text(lines(2) + "1234\n" + lines(2), encoding="utf-8")
    alone = pyasp(*form.split(), *names.split(), where=place)
    jobs = pyasp(*form.split(), *names.split(), "--jobs", "2", where=place)
    assert (jobs.returncode, jobs.stdout, jobs.stderr) == (alone.returncode, alone.stdout, alone.stderr)
    assert alone.returncode == (3 if "--timeout" in form else 2)  # without time, nothing is read


@pytest.mark.slow
def test_grades_come_while_boards_still_do(place: Path) -> None:
    """From standard input, the grade of a board is written before the next board is read."""
    boards = lines(2).splitlines(keepends=True)
    with start("grade", "-", "--as", "sudoku", "--json", "--jobs", "2", where=place, stdin=PIPE) as process:
        assert process.stdin
        for number, board in enumerate(boards, 1):
            process.stdin.write(board.encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["board"] == number
        process.stdin.close()
        assert process.wait(SECONDS) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("extra", "status"), [("deadly.lp", "lost"), pytest.param("endless.lp", "unknown", marks=pytest.mark.alone)]
)
def test_one_bad_board_is_reported_and_the_rest_graded(place: Path, extra: str, status: str) -> None:
    """A board that kills its worker, or whose grounding does not end in time, is reported; the rest are graded."""
    write(place, {"hard.txt": f"{mixed_list(3)}\n{lines(1)}"})
    options = ["--json", "--jobs", "2", "--timeout", "1.5", "--extra", extra]
    done = pyasp("grade", "--as", "sudoku", "hard.txt", *options, where=place)
    assert done.returncode == 3
    assert [record["status"] for record in objects(done.stdout)] == [*["unique"] * 3, status, "unique"]
    assert done.stderr == ("pyasp: hard.txt:4: the worker was killed\n" if status == "lost" else "")


@pytest.mark.slow
def test_a_new_board_that_kills_its_worker_is_reported(place: Path) -> None:
    """A board that kills the process that makes it is reported with its seed; the others are made, each by its own."""
    write(place, {"kills.lp": "deep(0, z).\n" + "\n".join(DEADLY.splitlines()[3:])})
    options = ["--size", "4", "--seed", "3", "-n", "2", "--jobs", "2"]
    done = pyasp("generate", "sudoku", *options, "--extra", "kills.lp", where=place)
    assert (done.returncode, done.stdout) == (3, "")
    lines = done.stderr.splitlines()
    assert [line.partition(": ")[2].partition(": ")[2] for line in lines] == ["the worker was killed"] * 2
    assert lines[0].startswith("pyasp: seed 3: ")


@pytest.mark.parametrize(
    ("extra", "options", "says"),
    [
        ("deadly.lp", [], "pyasp: hard.txt:6: the worker was killed\n"),
        pytest.param("endless.lp", ["--timeout", "0.5"], "", marks=pytest.mark.alone),
    ],
)
@pytest.mark.slow
def test_one_bad_board_is_reported_and_the_rest_solved(place: Path, extra: str, options: list[str], says: str) -> None:
    """A board that kills its worker, or whose grounding does not end in time, is reported; the rest are solved."""
    command = ["solve", "--as", "sudoku", "hard.txt", "--jobs", "2", "--extra", extra, *options]
    done = pyasp(*command, where=place)
    assert done.returncode == 2
    wrong = "pyasp: hard.txt:7: 'bad' has 3 cells, expected 81 (9x9), 64 (8x8), 36 (6x6) or 16 (4x4)\n"
    assert sorted(done.stderr.splitlines(keepends=True)) == sorted([wrong, *([says] if says else [])])
    answers = done.stdout.splitlines()
    assert [i for i, answer in enumerate(answers) if len(answer) != 81] == [5]
    assert answers[5] == "No answer found yet; there may be one"
    assert len(answers) == 13
    records = objects(pyasp(*command, "--json", where=place).stdout)
    assert [record["board"] for record in records] == [*range(1, 15)]
    assert (records[5]["status"], records[5]["complete"]) == ("lost" if says else "unknown", False)
    assert (records[6]["status"], f"pyasp: {records[6]['error']}\n") == ("error", wrong)
    assert records[5].get("error", "") == ("the worker was killed" if says else "")


def test_rules_that_are_wrong(place: Path) -> None:
    """Rules that were right for no board end the command, in the words that it has without jobs."""
    small = 'puzzle = "sudoku"\ngivens = "1"\nbox = [1, 1]\n'
    write(place, {"wrong.lp": "violated(x) :- value(1, 1, 1),, .\n", "small.toml": small})
    alone = pyasp("solve", "small.toml", "--extra", "wrong.lp", where=place)
    for jobs in ([], ["--jobs", "2"]):
        done = pyasp(*LIST, "--extra", "wrong.lp", *jobs, where=place)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", alone.stderr)


# -- Ends ------------------------------------------------------------------------


def started(place: Path, *options: str, command: str = "solve") -> Started:
    """Start to solve a long list, and wait for the first answer."""
    process = start(command, "--as", "sudoku", "long.txt", *options, where=place)
    assert process.stdout.readline()
    return process


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize("jobs", [[], ["--jobs", "2"]])
@pytest.mark.alone
def test_an_interrupt_ends_all_processes(place: Path, jobs: list[str], form: list[str]) -> None:
    """Ctrl-C ends it at once, with exit code 130: what is printed is whole, and no process is left.

    The board that was interrupted has a record of its own, whose status is unknown.
    """
    with started(place, *form, *jobs) as process:
        process.send_signal(signal.SIGINT)
        sent = monotonic()
        out, errors = process.communicate(timeout=SECONDS)
        assert (process.returncode, errors) == (130, b"pyasp: interrupted\n")
    assert monotonic() - sent < 1
    assert out.count(b"\n") < 1999
    records = objects(out.decode()) if form else []
    assert all(record["solutions"] for record in records[:-1])
    assert all(record["solutions"] or record["status"] == "unknown" for record in records[-1:])
    none_is_left(place)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["explain", "grade"])
def test_an_interrupt_ends_steps_and_grades(place: Path, command: str) -> None:
    """Ctrl-C ends these at once, too: what is printed is whole, and no process is left."""
    with started(place, "--json", "--jobs", "2", command=command) as process:
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=SECONDS)
        assert (process.returncode, errors) == (130, b"pyasp: interrupted\n")
    assert all(record["status"] != "unknown" for record in objects(out.decode()))
    none_is_left(place)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("command", "end"),
    [
        ("solve", signal.SIGKILL),
        ("solve", signal.SIGTERM),
        ("solve", None),
        ("explain", None),
        ("grade", signal.SIGTERM),
    ],
)
def test_workers_end_with_their_command(place: Path, command: str, end: signal.Signals | None) -> None:
    """However it ends, killed or because nobody reads its output any more, its workers end with it."""
    with started(place, "--jobs", "2", command=command) as process:
        if end is None:
            process.stdout.close()
            assert process.stderr.read() == b""
        else:
            process.send_signal(end)
        process.wait(SECONDS)
    none_is_left(place)


def on_a_terminal(place: Path, *arguments: str) -> bytes:
    """Run the command, which runs out of time, with a terminal for its messages; return what it shows there."""
    ours, theirs = pty.openpty()
    said = b""
    with start(*arguments, where=place, stderr=theirs) as process:
        os.close(theirs)
        with suppress(OSError):  # the terminal is closed
            while data := os.read(ours, 10_000):
                said += data
        assert process.wait(SECONDS) == 3
    os.close(ours)
    return said


@pytest.mark.slow
def test_a_terminal_shows_how_long_one_board_takes(place: Path) -> None:
    """Where one board is made, a terminal shows what is being done, and how long it has taken so far."""
    said = on_a_terminal(place, "generate", "sudoku", "--extra", "endless.lp", "--timeout", "4")
    assert b"drawing an answer" in said
    assert b"0:00:0" in said
    assert b" left" not in said


@pytest.mark.slow
def test_a_terminal_shows_the_progress(place: Path) -> None:
    """A terminal shows how many boards are done, how fast, and the time left; in the end the line is cleared."""
    write(place, {"hard.txt": mixed_list(12)})
    options = ["solve", "--as", "sudoku", "hard.txt", "--output", "out.jsonl", "--jobs", "1"]
    options += ["--extra", "endless.lp", "--timeout", "1.6"]  # a board that has all its time
    said = on_a_terminal(place, *options)
    assert all(words in said for words in (b" boards, ", b" a second ", b" left"))
    assert said.endswith(b"\033[2K")
    records = (place / "out.jsonl").read_bytes().splitlines()
    assert (len(records), json.loads(records[-1])["board"]) == (13, 13)
