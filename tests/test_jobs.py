"""`solve` with `--jobs`, `--output` and `--resume`: the same answers, none lost and none twice, whatever happens."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import pytest

from pyasp_puzzles.asp.paths import instances_directory

from .command import PYASP, SECONDS, environment, objects, pyasp
from .lists import lines
from .test_batch import DEADLY, ENDLESS, NINE, harmless

if TYPE_CHECKING:
    from collections.abc import Iterator

LIST = ("solve", "--as", "sudoku", "list.txt")
UNSOLVABLE = 'puzzle = "tectonic"\nblocks = """\nA A\nB B\n"""\n'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a directory with lists, and with rules that end a process, or that ground for ever."""
    words = harmless(12).splitlines()
    words[5:5] = [NINE, "bad"]
    texts = {"list.txt": lines(300), "hard.txt": "\n".join(words), "long.txt": lines(2000)}
    texts |= {"deadly.lp": DEADLY, "endless.lp": ENDLESS, "none.toml": UNSOLVABLE, "bad.toml": "bad"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


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


@pytest.mark.parametrize("form", [[], ["-n", "3"], ["--decided", "--json"], ["--all"]])
def test_the_same_with_jobs(place: Path, form: list[str]) -> None:
    """All that ships, and what is wrong, is written with jobs as it is without, to the byte; so are the exit codes."""
    names = [f"{instances_directory()}/{name}" for name in ("strimko", "strips/hunt.toml", "sudoku", "tectonic")]
    names += [] if "--all" in form else [f"{instances_directory()}/strata"]
    arguments = ["solve", *names, "none.toml", "bad.toml", "nosuch", *form]
    alone = pyasp(*arguments, where=place)
    jobs = pyasp(*arguments, "--jobs", "2", where=place)
    assert (jobs.returncode, jobs.stdout) == (alone.returncode, alone.stdout)
    assert jobs.stderr == alone.stderr
    assert alone.returncode == 2


def test_lists_with_jobs(place: Path) -> None:
    """A list is answered in order, with jobs as without."""
    alone = pyasp(*LIST, where=place)
    jobs = pyasp(*LIST, "--jobs", "2", where=place)
    assert (jobs.returncode, jobs.stdout, jobs.stderr) == (0, alone.stdout, "")
    assert alone.stdout.count("\n") == 300


@pytest.mark.parametrize(
    ("extra", "options", "says"),
    [("deadly.lp", [], "pyasp: hard.txt:6: the worker was killed\n"), ("endless.lp", ["--timeout", "0.5"], "")],
)
def test_one_bad_board(place: Path, extra: str, options: list[str], says: str) -> None:
    """A board that kills its worker, or whose grounding does not end in time, costs itself alone, and it is said."""
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
    (place / "wrong.lp").write_text("violated(x) :- value(1, 1, 1),, .\n", encoding="utf-8")
    (place / "small.toml").write_text('puzzle = "sudoku"\ngivens = "1"\nbox = [1, 1]\n', encoding="utf-8")
    alone = pyasp("solve", "small.toml", "--extra", "wrong.lp", where=place)
    for jobs in ([], ["--jobs", "2"]):
        done = pyasp(*LIST, "--extra", "wrong.lp", *jobs, where=place)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", alone.stderr)


# -- Records ---------------------------------------------------------------------


def test_output(place: Path) -> None:
    """`--output` writes what `--json` prints, to a file that must be new; on stdout there is nothing."""
    printed = pyasp(*LIST, "--json", where=place).stdout
    for jobs in ([], ["--jobs", "2"]):
        done = pyasp(*LIST, "--output", "out.jsonl", *jobs, where=place)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (place / "out.jsonl").read_text(encoding="utf-8") == printed
        again = pyasp(*LIST, "--output", "out.jsonl", *jobs, where=place)
        assert (again.returncode, again.stdout, again.stderr.count("\n")) == (2, "", 1)
        assert again.stderr.startswith("pyasp: out.jsonl: there is such a file already")
        (place / "out.jsonl").unlink()


@pytest.mark.parametrize("jobs", [[], ["--jobs", "2"]])
def test_resume_after_a_kill(place: Path, jobs: list[str]) -> None:
    """After `kill -9`, again and again, `--resume` goes on: in the end each board is there, once, in order."""
    command = [*PYASP, "solve", "--as", "sudoku", "long.txt", "list.txt", "--output", "out.jsonl", "--resume", *jobs]
    output = place / "out.jsonl"
    kills = 0
    while True:
        with subprocess.Popen(command, cwd=place, env=environment(), start_new_session=True) as process:
            grown = (output.stat().st_size if output.exists() else 0) + 200_000
            while process.poll() is None and not (output.exists() and output.stat().st_size > grown):
                sleep(0.005)
            if process.poll() is not None:
                break
            process.kill()
            kills += 1
        none_is_left(place)
    assert process.returncode == 0
    assert kills > 1
    records = objects(output.read_text(encoding="utf-8"))
    places = [(record["source"], record["board"]) for record in records]
    assert places == [*(("long.txt", i) for i in range(1, 2001)), *(("list.txt", i) for i in range(1, 301))]
    assert all(record["solutions"] for record in records)


def test_resume(place: Path) -> None:
    """An unfinished last line is done again, as is what is missing in the middle; exit codes count what was there."""
    pyasp(*LIST, "none.toml", "--output", "out.jsonl", where=place)
    whole = (place / "out.jsonl").read_bytes()
    records = whole.splitlines(keepends=True)
    for rest in (b"", whole, whole[:-10], whole[:5], b"".join(records[:100] + records[102:]), records[-1]):
        (place / "out.jsonl").write_bytes(rest)
        done = pyasp(*LIST, "none.toml", "--output", "out.jsonl", "--resume", where=place)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
        assert sorted((place / "out.jsonl").read_bytes().splitlines(keepends=True)) == sorted(records)


@pytest.mark.parametrize(
    "text", ["notes\n", "notes", "{}\n", "[1]\n", '{"source": 1, "board": "x", "status": 2}\n', "\0\n"]
)
def test_resume_nothing_else(place: Path, text: str) -> None:
    """A file that holds something else is refused, and left as it is."""
    (place / "out.jsonl").write_text(text, encoding="utf-8")
    done = pyasp(*LIST, "--output", "out.jsonl", "--resume", where=place)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("pyasp: out.jsonl:1: no record of a board")
    assert (place / "out.jsonl").read_text(encoding="utf-8") == text


def test_no_such_place(place: Path) -> None:
    """A file that cannot be written is said in one line, before anything is solved; so are options that clash."""
    for options in (
        ["--output", "nosuch/out.jsonl"],
        ["--output", ".", "--resume"],
        ["--resume"],
        ["--jobs", "0"],
        ["--jobs", "2", "--scheduler", "tcp://localhost:1"],
        ["--scheduler", "nonsense"],
    ):
        done = pyasp(*LIST, *options, where=place)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


# -- Ends ------------------------------------------------------------------------


def started(place: Path, *options: str) -> subprocess.Popen[bytes]:
    """Start to solve a long list, and wait for the first answer."""
    process = subprocess.Popen(
        [*PYASP, "solve", "--as", "sudoku", "long.txt", *options],
        cwd=place,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,  # what is read ahead here would be lost to `communicate`
    )
    assert process.stdout
    assert process.stdout.readline()
    return process


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize("jobs", [[], ["--jobs", "2"]])
@pytest.mark.slow
def test_interrupt(place: Path, jobs: list[str], form: list[str]) -> None:
    """Ctrl-C ends it at once, with exit code 130: what is printed is whole, and no process is left."""
    with started(place, *form, *jobs) as process:
        process.send_signal(signal.SIGINT)
        sent = monotonic()
        out, errors = process.communicate(timeout=SECONDS)
        assert (process.returncode, errors) == (130, b"pyasp: interrupted\n")
    assert monotonic() - sent < 1
    assert out.count(b"\n") < 1999
    assert all(record["solutions"] for record in (objects(out.decode()) if form else []))
    none_is_left(place)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, None])
def test_no_orphans(place: Path, end: signal.Signals | None) -> None:
    """However it ends, killed or because nobody reads its output any more, its workers end with it."""
    with started(place, "--jobs", "2") as process:
        assert process.stdout
        assert process.stderr
        if end is None:
            process.stdout.close()
            assert process.stderr.read() == b""
        else:
            process.send_signal(end)
        process.wait(SECONDS)
    none_is_left(place)


# -- Progress --------------------------------------------------------------------


def on_terminal(place: Path, *options: str) -> Iterator[str]:
    """Yield what is written to standard error where that is a terminal."""
    ours, theirs = pty.openpty()
    command = [*PYASP, "solve", "--as", "sudoku", *options]
    with subprocess.Popen(command, cwd=place, env=environment(), stderr=theirs) as process:
        os.close(theirs)
        with suppress(OSError):  # the terminal is closed
            while data := os.read(ours, 10_000):
                yield data.decode()
        assert process.wait(SECONDS) == 0
    os.close(ours)


def test_progress(place: Path) -> None:
    """A terminal shows how many boards are done, how fast, and how long it takes yet; nothing is left there."""
    (place / "longer.txt").write_text(lines(1500) * 2, encoding="utf-8")
    said = "".join(on_terminal(place, "longer.txt", "--output", "out.jsonl", "--jobs", "1"))
    if said:  # a fast machine has done it all before there is something to tell
        assert " boards, " in said
        assert " a second, " in said
        assert " left " in said
        assert said.endswith("\r\033[K")
    assert len((place / "out.jsonl").read_bytes().splitlines()) == 3000
    assert json.loads((place / "out.jsonl").read_bytes().splitlines()[-1])["board"] == 3000
