"""Ctrl-C and SIGTERM: from its first import on, a command ends with exit code 130, and keeps what it has found."""

import signal
import sys
from pathlib import Path
from subprocess import PIPE, run
from time import sleep

import pytest

from pyasp_puzzles import loads

from .command import PYASP, SECONDS, Started, environment, objects, process
from .helpers import FOUR, write

MANY = 'puzzle = "strata"\ntiles = """\n' + ".......\n" * 7 + '"""\n'
# Run a command; send a signal to this process when it imports something for the n-th time.
AT_IMPORT = """
import os, signal, sys
from itertools import count
from pyasp_puzzles.__main__ import main

number, end = int(sys.argv.pop(1)), int(sys.argv.pop(1))
imports = count(1)
sys.addaudithook(lambda event, _: event == "import" and next(imports) == number and os.kill(os.getpid(), end))
main()
"""
# How a shell starts a command: in the foreground; and in the background of a script, where Ctrl-C is ignored.
STARTS = ["exec {}", 'trap "" INT; exec {}']


def begun(place: Path, line: str, start: str = STARTS[0]) -> Started:
    """Start a line of a shell, with pipes as its streams."""
    words = ["bash", "-c", start.format(" ".join([*PYASP, line]))]
    return Started(words, cwd=place, env=environment(), bufsize=0, stdin=PIPE, stdout=PIPE, stderr=PIPE)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("number", [10, 30, 90])
def test_a_command_that_still_imports_ends_at_once(tmp_path: Path, number: int, end: signal.Signals) -> None:
    """While Python imports what a command needs, it ends without a word."""
    done = process([sys.executable, "-c", AT_IMPORT, str(number), str(int(end)), "solve", "tectonic/seed"], tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(
    ("end", "start"), [(signal.SIGINT, STARTS[0]), (signal.SIGTERM, STARTS[0]), (signal.SIGTERM, STARTS[1])]
)
def test_what_was_found_is_printed(tmp_path: Path, end: signal.Signals, start: str) -> None:
    """Answers that were found are printed, and that there may be more; the last line of JSON is whole."""
    write(tmp_path, {"many.toml": MANY})
    with begun(tmp_path, "solve --all many.toml", start) as process:
        out = b""
        while b"Answer 2" not in out:
            out += process.stdout.read(100)
        process.send_signal(end)
        rest, errors = process.communicate(timeout=SECONDS)
    assert (process.returncode, errors) == (130, b"pyasp: interrupted\n")
    assert (out + rest).endswith(b" answers; there may be more\n")
    with begun(tmp_path, "solve --all --json many.toml", start) as process:
        out = process.stdout.read(1)
        process.send_signal(end)
        rest, errors = process.communicate(timeout=SECONDS)
    assert (process.returncode, errors) == (130, b"pyasp: interrupted\n")
    assert {board["complete"] for board in objects((out + rest).decode())} == {False}


def written(process: Started, place: Path, pattern: str) -> None:
    """Wait until a command has written something into a file of the directory."""
    while not any(file.stat().st_size for file in place.glob(pattern)):
        assert process.poll() is None
        sleep(0.01)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_what_was_made_is_saved(tmp_path: Path, end: signal.Signals) -> None:
    """A file that appears as a whole has the boards that were made until then, and no part of it is left."""
    with begun(tmp_path, "generate sudoku --size 4 --no-grade -n 100000 -o made.toml") as process:
        written(process, tmp_path, "*.part")
        process.send_signal(end)
        assert process.communicate(timeout=SECONDS) == (b"", b"pyasp: interrupted\n")
        assert process.returncode == 130
    assert [file.name for file in tmp_path.iterdir()] == ["made.toml"]
    assert loads((tmp_path / "made.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("end", "jobs"), [(signal.SIGINT, ""), (signal.SIGTERM, ""), (signal.SIGTERM, "--jobs 1")])
def test_what_was_solved_is_in_the_records(tmp_path: Path, end: signal.Signals, jobs: str) -> None:
    """Records of a batch that is ended are whole."""
    with begun(tmp_path, f"solve - --as sudoku -o out.jsonl {jobs}") as process:
        process.stdin.write(b"1" + b"." * 15 + b"\n")
        written(process, tmp_path, "*.jsonl")
        process.send_signal(end)
        assert process.communicate(timeout=SECONDS) == (b"", b"pyasp: interrupted\n")
        assert process.returncode == 130
    (record,) = objects((tmp_path / "out.jsonl").read_text(encoding="utf-8"))
    assert record["status"] == "satisfiable"


LOST = """
import os, signal, time
from pyasp_puzzles.cli.run import command_runner

def begun():
    try:
        yield
    finally:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)

def command() -> None:
    next(begun())
    time.sleep(60)
    print("not heard")

command_runner(command)()
"""


def test_ctrl_c_is_heard_while_a_generator_is_deleted() -> None:
    """Ctrl-C ends a command also where Python would drop the exception that it raises."""
    done = run([sys.executable, "-c", LOST], capture_output=True, text=True, timeout=50, check=False)
    assert (done.returncode, done.stdout) == (130, "")


def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    """Under `trap '' TERM`, a command runs to its end."""
    write(tmp_path, {"four.toml": FOUR})
    with begun(tmp_path, "solve --as toml -", 'trap "" INT TERM; echo; exec {}') as process:
        assert process.stdout.read(1) == b"\n"  # the shell has read it
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(FOUR.encode(), timeout=SECONDS)
    assert (process.returncode, errors) == (0, b"")
    assert "┌" in out.decode()
