"""Records: one for every board and for all that cannot be read, in order, once, whatever happens on the way."""

import os
import subprocess
import sys
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from .command import objects, printed, process, pyasp, refused, start
from .helpers import write
from .lists import DEADLY, NINE, lines, mixed_list

SMALL = (
    'puzzle = "tectonic"\ntitle = "Small"\nblocks = """\nA A B\nA B B\nC C B\n"""\ngivens = """\n2..\n...\n...\n"""\n'
)
NONE = 'puzzle = "tectonic"\nblocks = """\nA A\nB B\n"""\n'
FREE = 'puzzle = "tectonic"\nblocks = "A A"\n'
SECOND = """puzzle = "tectonic"
title = "Two"
[[board]]
blocks = "A"
[[board]]
title = "Worse"
blocks = "A A"
givens = "9 ."
"""
COMMANDS = ["solve", "count", "check", "explain", "hint", "grade", "resolve", "solve --jobs 2", "solve --all"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a directory with boards, sound and not."""
    words = lines(150).splitlines()
    words[20:20] = ["bad"]
    words[100:100] = ["", "# a remark", "9" * 81 + "9"]
    texts = {"small.toml": SMALL, "none.toml": NONE, "bad.toml": "bad", "second.toml": SECOND, "deadly.lp": DEADLY}
    texts |= {"list.txt": "\n".join(words), "dying.txt": mixed_list(12, "bad"), "free.toml": FREE}
    texts |= {"facts.lp": "% title: Facts\nblock(1, 1, a).\ngiven(1, 1, 5).\n", "a.lp": "% nothing\n"}
    return write(tmp_path, texts | {"mixed/a.toml": SMALL, "mixed/b.toml": "bad", "mixed/c.toml": SMALL})


def key(record: dict[str, Any]) -> tuple[object, object]:
    """Return what a record is known by."""
    return record["source"], record.get("board")


# -- What cannot be read ---------------------------------------------------------------


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_cannot_be_read_leaves_a_record(place: Path, command: str) -> None:
    """What cannot be read leaves a record in its place, with what is known of it, on every command.

    Where rules cannot be read, the record says it of the board; no board has two records.
    """
    done = pyasp(*command.split(), "--json", "mixed", where=place)
    assert done.returncode == 2
    sources = list(dict.fromkeys(record["source"] for record in objects(done.stdout)))
    assert sources == ["mixed/a.toml", "mixed/b.toml", "mixed/c.toml"]
    (error,) = [record for record in objects(done.stdout) if record["source"] == "mixed/b.toml"]
    assert list(error) == ["source", "status", "error"]
    assert (error["status"], f"pyasp: {error['error']}\n") == ("error", done.stderr)
    second = pyasp(*command.split(), "--json", "second.toml", where=place)
    (record,) = objects(second.stdout)
    assert list(record) == ["puzzle", "source", "board", "title", "status", "error"]
    assert tuple(record.values())[:5] == ("tectonic", "second.toml", 2, "Worse", "error")
    assert record["error"].startswith("second.toml:8: row 1, column 1: ")
    (record,) = objects(pyasp(*command.split(), "--json", "facts.lp", where=place).stdout)
    assert tuple(record.values())[:5] == ("tectonic", "facts.lp", 1, "Facts", "error")
    (record,) = objects(pyasp(*command.split(), "--json", "nosuch", where=place).stdout)
    assert (record["source"], record["status"]) == ("nosuch", "error")
    done = pyasp(*command.split(), "--json", "small.toml", "--extra", "nosuch.lp", where=place)
    refused(done)
    assert [record["source"] for record in objects(done.stdout)] == ["small.toml"]


@pytest.mark.parametrize("command", ["check", "hint"])
def test_answer_that_cannot_be_read(place: Path, command: str) -> None:
    """An answer that cannot be read leaves a record under its own name; one to no board at all leaves no traceback."""
    done = pyasp(command, "--json", "small.toml", "--answer", "nosuch", where=place)
    (record,) = objects(done.stdout)
    assert (done.returncode, record["source"], record["status"]) == (2, "nosuch", "error")
    (record,) = objects(pyasp(command, "--json", "bad.toml", "--answer", "small.toml", where=place).stdout)
    assert record["source"] == "bad.toml"


def test_rules_that_go_wrong_later(place: Path) -> None:
    """Rules that go wrong in the middle of an answer close its object, which says so; the next board has none."""
    write(place, {"late.lp": "value(9, 9, 1) :- value(1, 1, 1).\n"})
    done = pyasp("solve", "--json", "--all", "free.toml", "--extra", "late.lp", where=place)
    *_, record = objects(done.stdout)
    assert (done.returncode, record["status"], record["complete"]) == (2, "error", False)
    assert "value(9,9,1)" in record["error"]


NAMES = [b"a\x1b[31m\n.toml", b"\xff\xfe.toml", "\u00e9\u202e.toml".encode()]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", ["solve", "count", "check", "hint", "resolve", "solve --decided --jobs 1"])
def test_file_names_cannot_speak_to_the_terminal(place: Path, command: str) -> None:
    """A file name cannot speak to the terminal, and JSON is UTF-8 whatever it is."""
    for text in (SMALL, "bad", SECOND.replace("9", "1")):
        write(place / "odd", {os.fsdecode(name): text for name in NAMES})
        for options in ([], ["--json"]):
            done = pyasp(*command.split(), "odd", *options, where=place, extra={"PYTHONIOENCODING": "latin-1"})
            assert (done.stdout + done.stderr).replace("\n", "").isprintable()
        assert {os.fsencode(record["source"]) for record in objects(done.stdout)} == {b"odd/" + name for name in NAMES}


def records_in(file: Path) -> list[dict[str, Any]]:
    """Return the records in a file."""
    return objects(file.read_text(encoding="utf-8"))


def test_file_names_in_records(place: Path) -> None:
    """`--resume` knows a file by its name, whatever that is."""
    write(place, {os.fsdecode(name): SMALL for name in NAMES})
    for resume in ([], ["--resume"]):
        printed("solve", *map(os.fsdecode, NAMES), "--output", "out.jsonl", *resume, where=place)
        assert [os.fsencode(record["source"]) for record in records_in(place / "out.jsonl")] == NAMES


# -- --output and --resume ----------------------------------------------------------------

JOB = ("solve", "--as", "sudoku", "list.txt", "bad.toml", "second.toml", "none.toml", "small.toml", "--output")


@pytest.fixture
def whole(place: Path) -> bytes:
    """Return what a job writes that nobody interrupts."""
    done = pyasp(*JOB, "whole.jsonl", where=place)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 4)
    return (place / "whole.jsonl").read_bytes()


@pytest.mark.slow
def test_records_are_the_same_in_files_and_with_jobs(place: Path, whole: bytes) -> None:
    """All that cannot be read has a record in its place; with jobs as without, and as `--json` prints it."""
    records = objects(whole.decode())
    boards = [record["board"] for record in records if record["source"] == "list.txt"]
    assert boards == [*range(1, 153)]
    errors = [(*key(record), i) for i, record in enumerate(records) if record["status"] == "error"]
    assert errors == [("list.txt", 21, 20), ("list.txt", 101, 100), ("bad.toml", None, 152), ("second.toml", 2, 153)]
    for options in (["--output", "again.jsonl", "--jobs", "2"], ["--json"], ["--json", "--jobs", "2"]):
        done = pyasp(*JOB[:-1], *options, where=place)
        assert done.returncode == 2
        assert (done.stdout.encode() or (place / "again.jsonl").read_bytes()) == whole
    refused(
        pyasp(*JOB, "again.jsonl", where=place),
        "pyasp: again.jsonl: exists; choose another name, continue it with --resume, or pass --force",
    )


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [[], ["--jobs", "2"]])
def test_resume_after_a_kill(place: Path, whole: bytes, jobs: list[str]) -> None:
    """After `kill -9`, again and again, `--resume` ends with the file and the exit code of a job that nobody killed."""
    output = place / "out.jsonl"
    kills = 0
    while True:
        with start(*JOB, "out.jsonl", "--resume", *jobs, where=place, stderr=subprocess.DEVNULL) as process:
            grown = (output.stat().st_size if output.exists() else 0) + 20_000
            while process.poll() is None and not (output.exists() and output.stat().st_size > grown):
                sleep(0.001)
            if process.poll() is not None:
                break
            process.kill()
            kills += 1
    assert process.returncode == 2
    assert kills > 0
    assert output.read_bytes() == whole


@pytest.mark.slow
def test_resume_at_any_place(place: Path, whole: bytes) -> None:
    """Wherever the file was cut off, or lacks records, `--resume` completes it; where it is whole, nothing changes."""
    records = whole.splitlines(keepends=True)
    at = len(b"".join(records[:100]))
    for end in (0, 5, at, at + 1, at + 12, len(whole) - 1, len(whole)):
        (place / "out.jsonl").write_bytes(whole[:end])
        assert pyasp(*JOB, "out.jsonl", "--resume", where=place).returncode == 2
        assert (place / "out.jsonl").read_bytes() == whole
    for rest in (b"".join(records[:50] + records[52:]), records[-1]):
        (place / "out.jsonl").write_bytes(rest)
        assert pyasp(*JOB, "out.jsonl", "--resume", where=place).returncode == 2
        assert sorted((place / "out.jsonl").read_bytes().splitlines(keepends=True)) == sorted(records)


@pytest.mark.parametrize(
    "text", ["notes\n", "notes", "{}\n", "[1]\n", '{"source": 1, "board": "x", "status": 2}\n', "\0\n"]
)
def test_resume_refuses_other_files(place: Path, text: str) -> None:
    """A file that holds something else is refused, and left as it is."""
    write(place, {"out.jsonl": text})
    refused(pyasp(*JOB, "out.jsonl", "--resume", where=place), "pyasp: out.jsonl:1: this is not a record of a board")
    assert (place / "out.jsonl").read_text(encoding="utf-8") == text


def test_resume_with_what_can_be_read_now(place: Path, whole: bytes) -> None:
    """What could not be read and now can is answered, and its old record goes; the exit code is that of the whole."""
    write(place, {"bad.toml": SMALL, "second.toml": SECOND.replace("9", "1")})
    words = (place / "list.txt").read_text(encoding="utf-8").replace("\nbad\n", f"\n{lines(1, 77).strip()}\n")
    (place / "list.txt").write_text(words.replace("9" * 82, NINE), encoding="utf-8")
    (place / "whole.jsonl").write_bytes(whole)
    printed(*JOB, "whole.jsonl", "--resume", where=place, code=1)
    records = records_in(place / "whole.jsonl")
    assert len({key(record) for record in records}) == len(records) == 152 + 1 + 2 + 1 + 1
    assert not [record for record in records if record["status"] == "error"]
    assert sorted(path.name for path in place.glob("*.part")) == []


def test_an_error_has_one_record(place: Path) -> None:
    """What cannot be read has a record in the file, and not a second one when the run is continued."""
    write(place, {"nonsense.toml": "nonsense"})
    for more in ([], ["--resume"], ["--resume"]):
        done = pyasp("solve", "nonsense.toml", "-o", "errors.jsonl", *more, where=place)
        assert done.returncode == 2
        (record,) = objects((place / "errors.jsonl").read_text(encoding="utf-8"))
        assert (record["source"], record["status"]) == ("nonsense.toml", "error")


def test_a_lost_board_is_not_done(place: Path) -> None:
    """The record of a lost board is replaced by that of its answer; those of other boards are kept."""
    lost = '{"puzzle": "tectonic", "source": "small.toml", "board": 1, "solutions": [], "status": "lost"}\n'
    done = '{"puzzle": "tectonic", "source": "free.toml", "board": 1, "solutions": [], "status": "satisfiable"}\n'
    write(place, {"out.jsonl": lost + done})
    printed("solve", "small.toml", "free.toml", "-o", "out.jsonl", "--resume", where=place)
    assert [(record["source"], record["status"]) for record in records_in(place / "out.jsonl")] == [
        ("free.toml", "satisfiable"),
        ("small.toml", "satisfiable"),
    ]
    assert done in (place / "out.jsonl").read_text(encoding="utf-8")


@pytest.mark.slow
def test_lost_boards_are_tried_again(place: Path) -> None:
    """A board that was lost with its worker is asked again by `--resume`, and has one record in the end."""
    command = ("solve", "--as", "sudoku", "dying.txt", "--jobs", "2", "--output", "out.jsonl", "--resume")
    for lost in ([6], [6], []):
        if not lost:
            write(place, {"deadly.lp": ""})
        assert pyasp(*command, "--extra", "./deadly.lp", where=place).returncode == 2
        records = records_in(place / "out.jsonl")
        assert sorted(record["board"] for record in records) == [*range(1, 15)]
        assert [record["board"] for record in records if record["status"] == "lost"] == lost
    assert [record["board"] for record in records if record["status"] != "satisfiable"] == [7]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("first", "then", "says"),
    [
        (["small.toml"], ["none.toml"], "a record of 'small.toml', which is not among the files given"),
        (
            ["small.toml"],
            ["small.toml", "-n", "2"],
            'this record was made with the usual options, not with {"limit": 2}',
        ),
        (["small.toml", "--all"], ["small.toml"], 'was made with {"limit": 0}, not with the usual options'),
        (["small.toml", "--decided"], ["small.toml", "--possible"], 'made with {"kind": "decided"}'),
        (["small.toml", "--extra", "a.lp"], ["small.toml"], 'made with {"extra": ["a.lp"]}'),
        (["bad.toml"], ["small.toml"], "a record of 'bad.toml'"),
    ],
)
def test_resume_refuses_other_jobs(place: Path, first: list[str], then: list[str], says: str) -> None:
    """A file of another job is refused in one line, and left unchanged; the same job continues."""
    pyasp("solve", *first, "--output", "out.jsonl", where=place)
    before = (place / "out.jsonl").read_bytes()
    done = pyasp("solve", *then, "--output", "out.jsonl", "--resume", where=place)
    refused(done, says)
    assert done.stderr.startswith("pyasp: out.jsonl:1: ")
    assert (place / "out.jsonl").read_bytes() == before
    pyasp("solve", *first, "--output", "out.jsonl", "--resume", where=place)
    assert (place / "out.jsonl").read_bytes() == before


def test_two_batches_cannot_write_one_file(place: Path) -> None:
    """A run whose output another one is writing is refused, and harms nothing; one that was killed is no hindrance."""
    job = ("solve", "--as", "sudoku", "-", "small.toml", "-o", "out.jsonl")
    with start(*job, where=place, stdin=subprocess.PIPE) as process:
        process.stdin.write(f"{NINE}\n".encode())
        while not ((place / "out.jsonl").exists() and (place / "out.jsonl").stat().st_size):
            assert process.poll() is None
            sleep(0.01)
        for option in ("--resume", "--force"):
            done = pyasp(*job, option, where=place, stdin=f"{NINE}\n")
            refused(done, "pyasp: out.jsonl: another run is writing to this file; wait for it, or choose another name")
        process.kill()
    assert len(records_in(place / "out.jsonl")) == 1
    printed(*job, "--resume", where=place, stdin=f"{NINE}\n")
    assert [record["source"] for record in records_in(place / "out.jsonl")] == ["<stdin>", "small.toml"]


def test_two_runs_cannot_write_one_file(place: Path) -> None:
    """The same holds for answers as text, which appear at the end; the file of a run that was killed is replaced."""
    job = ("solve", "--as", "sudoku", "-", "small.toml", "-o", "out.txt")
    with start(*job, where=place, stdin=subprocess.PIPE) as process:
        process.stdin.write(f"{NINE}\n".encode())
        while not any(path.stat().st_size for path in place.glob("out.txt.*")):
            assert process.poll() is None
            sleep(0.01)
        for option in ([], ["--force"]):
            done = pyasp(*job, *option, where=place, stdin=f"{NINE}\n")
            refused(done, "pyasp: out.txt: another run is writing to this file; wait for it, or choose another name")
        process.kill()
    assert not (place / "out.txt").exists()
    printed(*job, where=place, stdin=f"{NINE}\n")
    assert (place / "out.txt").read_text().count("small.toml") == 1


def test_records_are_written_where_there_are_no_locks(place: Path) -> None:
    """Without `fcntl`, as under Windows, records are written all the same."""
    code = "import sys; sys.modules['fcntl'] = None; from pyasp_puzzles.__main__ import main; main()"
    done = process([sys.executable, "-c", code, "solve", "small.toml", "-o", "out.jsonl"], place)
    assert (done.returncode, done.stderr, len(records_in(place / "out.jsonl"))) == (0, "", 1)


@pytest.mark.slow
def test_a_full_disk_is_reported_with_its_file(place: Path) -> None:
    """A message about a full disk names the file, or standard output."""
    full = "cannot be written: No space left on device"
    for command in ("solve small.toml", "solve --json bad.toml"):
        done = process(f"pyasp {command} >/dev/full", place)
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1] == f"pyasp: standard output: {full}"
    job = "solve --as sudoku list.txt --output out.jsonl"
    # Python leaves half a compiled file where the limit ends it, and later commands would read that.
    done = process(f"ulimit -f 8; pyasp {job}", place, {"PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "pyasp: out.jsonl: cannot be written: File too large"
    pyasp(*job.split(), "--resume", where=place)
    boards = [record["board"] for record in records_in(place / "out.jsonl")]
    assert boards == [*range(1, 153)]
