"""Whatever is thrown at the command: one clear line and exit code 2, or a right answer; no traceback, and no hang."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import pytest

from pyasp_puzzles import cli, load

from . import hostile, plain
from .command import PYASP, environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyasp_puzzles import Answer

SOUND = 'puzzle = "sudoku"\ngivens = """\n1 . . .\n. . 2 .\n. . . .\n. 3 . .\n"""\n'
PATIENCE = 60
"""Seconds after which a command hangs; those that are to end do so in one or two."""


class HangsError(BaseException):
    """Time is up, and nothing is to catch it before the test does."""


class Ran(NamedTuple):
    """What came of a command."""

    code: int
    out: str
    err: str


@contextmanager
def alarm(seconds: int) -> Iterator[None]:
    """Fail, rather than hang."""

    def ring(*_: object) -> NoReturn:
        raise HangsError

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Ran]:
    """Return a function that runs the command within this process, in a directory of its own."""

    def leave(code: int) -> NoReturn:
        raise SystemExit(code)

    def command(*arguments: str | Path, stdin: bytes = b"") -> Ran:
        out, err = io.StringIO(), io.StringIO()
        with monkeypatch.context() as patched, alarm(PATIENCE):
            patched.setattr(os, "_exit", leave)
            patched.setattr(sys, "argv", ["pyasp", *map(str, arguments)])
            patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            patched.setattr(sys, "stdout", out)
            patched.setattr(sys, "stderr", err)
            patched.chdir(tmp_path)
            with pytest.raises(SystemExit) as caught:
                cli.main()
        assert isinstance(caught.value.code, int)
        return Ran(caught.value.code, out.getvalue(), err.getvalue())

    (tmp_path / "sound.toml").write_text(SOUND, encoding="utf-8")
    return command


def refused(ran: Ran, longest: int = 1000) -> None:
    """Check that a command ended with exit code 2, one line on stderr, and nothing on stdout but JSON that says it."""
    assert ran.code == 2
    if ran.out:
        record = json.loads(ran.out)
        assert (record["status"], f"pyasp: {record['error']}\n") == ("error", ran.err)
    assert ran.err.startswith("pyasp: ")
    assert ran.err.endswith("\n")
    assert ran.err[:-1].isprintable()
    assert len(ran.err) < longest


class Said:
    """An answer in JSON."""

    def __init__(self, said: dict[str, object]) -> None:
        self.said = said

    def json(self) -> dict[str, object]:
        """Return it."""
        return self.said


def refused_or_right(ran: Ran, file: Path) -> bool:
    """Check that a file was refused, or that each answer that `solve --json` gave to it is one; return if it was."""
    if ran.code == 2:
        refused(ran)
        return False
    assert (ran.code in {0, 1}, ran.err) == (True, "")
    boards = [json.loads(line) for line in ran.out.splitlines()]
    assert boards
    assert ran.code == (not all(board["solutions"] for board in boards))
    for instance, board in zip(load(file), boards, strict=True):
        for answer in board["solutions"]:
            said: Answer = Said(answer)  # type: ignore[assignment]
            assert plain.broken(instance, said) == []
    return True


# -- Files -----------------------------------------------------------------------

NOWHERE = dict(hostile.anywhere())


@pytest.mark.parametrize("content", NOWHERE.values(), ids=NOWHERE)
def test_not_in_any_file(run: Callable[..., Ran], tmp_path: Path, content: bytes) -> None:
    """What is right in no file is refused wherever it stands: in either kind of instance, in an answer, in rules."""
    for name in ("x.toml", "x.lp", "x.txt"):
        (tmp_path / name).write_bytes(content)
    refused(run("solve", "x.toml"))
    refused(run("count", "x.lp"))
    refused(run("facts", "-", stdin=content))
    ran = run("check", "sound.toml", "x.txt")
    assert ran.code in {1, 2}
    assert ran.code == 1 or ran.out == ""
    if len(content) < 10_000:  # rules are a program, in which clingo may find more than one mistake
        (tmp_path / "x.lp").write_bytes(content)
        assert run("solve", "sound.toml", "--extra", "x.lp").code in {0, 2}


def test_spoilt_instances(run: Callable[..., Ran], tmp_path: Path) -> None:
    """A sound instance with a few pieces put in, left out, or changed is refused in one line, or answered rightly."""
    answered = 0
    for name, content in hostile.instances():
        file = tmp_path / name
        file.write_bytes(content)
        answered += refused_or_right(run("solve", "--json", file), file)
    assert 5 < answered < 100


def test_spoilt_answers(run: Callable[..., Ran], tmp_path: Path) -> None:
    """An answer that is spoilt, as text or as JSON, is refused in one line, or judged."""
    for name, text in hostile.TWO.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    judged = 0
    for content in hostile.answers():
        for board in hostile.TWO:
            ran = run("check", "--json", board, "-", stdin=content)
            if ran.code == 2:
                refused(ran)
                continue
            judged += 1
            assert (ran.code in {0, 1}, ran.err) == (True, "")
            said = [json.loads(line)["broken"] for line in ran.out.splitlines()]
            assert ran.code == any(said)
    assert 5 < judged < 300


LABORIOUS = {name: (text, says) for name, text, says in hostile.laborious()}


@pytest.mark.parametrize("name", LABORIOUS)
def test_laborious_instances(run: Callable[..., Ran], tmp_path: Path, name: str) -> None:
    """An instance that has tens of thousands of anything is read, or refused, in no time."""
    text, says = LABORIOUS[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    ran = run("facts", name)
    if says:
        refused(ran)
        assert says in ran.err
    else:
        assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("answer", hostile.LABORIOUS_ANSWERS, ids=lambda answer: answer[:12])
def test_laborious_answers(run: Callable[..., Ran], tmp_path: Path, answer: str) -> None:
    """An answer that has tens of thousands of anything is refused in no time."""
    (tmp_path / "answer.txt").write_text(answer, encoding="utf-8")
    refused(run("check", "-", "answer.txt", stdin=b'puzzle = "strata"\ntiles = "c d e"\n'))


@pytest.mark.parametrize(
    "board",
    [
        "puzzle = 'tectonic'\nblocks = ''",
        "puzzle = 'strata'\ntiles = '#'",
        "puzzle = 'strips'\ntiles = '''\n##\n##\n'''",
        "puzzle = 'sudoku'\ngivens = ''",
        "puzzle = 'strimko'\nstreams = '''\n\n'''",
        "puzzle = 'strata'\nboard = []",
        "puzzle = 'strata'\n[[board]]",
        "% puzzle: strata\n",
        "row(0). col(0).\n",
        "tile(1, 1, a). longest(0).\n",
        "block(1, 1, a). block(1, 1000000, a).\n",
    ],
)
def test_boards_of_nothing(run: Callable[..., Ran], board: str) -> None:
    """A board of no cells, or one that is not where boards are, is refused."""
    refused(run("solve", "-", stdin=board.encode()))


# -- Names and options ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "nosuch", "nosuch/", "a\nb", "\x1b[2J", "x" * 500, "x" * 9999, "/"], ids=ascii)
def test_names(run: Callable[..., Ran], name: str) -> None:
    """A name that is no file's is refused in one line, wherever a file is expected."""
    if name:
        refused(run("check", "sound.toml", name), longest=20_000)
        refused(run("solve", "sound.toml", "--encoding", name), longest=20_000)
        refused(run("count", "sound.toml", "--extra", name), longest=20_000)
    if name not in {"", "/"}:  # the first is the directory that one is in; to look through the second takes long
        refused(run("solve", name))
        refused(run("facts", name))


def test_no_permission(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that may not be read is refused, wherever it is named."""

    def denied(*_: object, **__: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    for method in ("open", "read_bytes", "read_text"):
        monkeypatch.setattr(Path, method, denied)
    for arguments in (["solve", "sound.toml"], ["check", "sound.toml", "sound.toml"], ["facts", "sound.toml"]):
        ran = run(*arguments)
        refused(ran)
        assert "sound.toml: cannot be read: Permission denied" in ran.err


@pytest.mark.parametrize("command", ["solve sound.toml", "count sound.toml", "check sound.toml", "facts sound.toml"])
@pytest.mark.parametrize(
    "option",
    [
        *("--timeout -1", "--timeout nan", "--timeout x", "--timeout", "--timeout -inf"),
        *("--seed -1", "--seed 4294967296", "--seed 1.5", "--seed 99999999999999999999999"),
        *("--threads 0", "--threads -3", "--threads 9999", "--threads many"),
        *("-n 0", "-n -1", "-n x", "-n 1.0", "--number", "--limit -1", "--limit x"),
        *("-n 99999999999999999999", "--limit 99999999999999999999"),
        *("--encoding nosuch", "--encoding .", "--extra nosuch", "--extra ./", "--extra"),
        *("--distinct nonsense", "--distinct plays", "--distinct"),
        *("--board 99", "--board 0", "--board x", "--board 99999999999999999999"),
        *("--nonsense", "--json=1", "--decided --possible", "--decided --all", "--possible -n 2", "--- x"),
    ],
)
def test_options(run: Callable[..., Ran], command: str, option: str) -> None:
    """A value that an option cannot have, or an option that a command has not, is refused in one line."""
    refused(run(*command.split(), *option.split()))


@pytest.mark.parametrize("option", ["--timeout 1e308", "--timeout inf", "--timeout 1e12", "--timeout 0.00001"])
def test_any_time(run: Callable[..., Ran], option: str) -> None:
    """A time limit beyond all measure is none; one that is too short for anything is kept, and said."""
    for command in ("solve", "count", "check"):
        ran = run(command, "sound.toml", *option.split())
        if option.endswith("1"):
            assert ran.code == 3
        elif ran.code == 2:
            refused(ran)
        else:
            assert (ran.code, ran.err) == (run(command, "sound.toml").code, "")


# -- Processes ----------------------------------------------------------------------

SHELL = [
    *(("solve sound.toml >&-", 2), ("solve sound.toml >/dev/full", 2), ("solve --json --all sound.toml >/dev/full", 2)),
    *(("count sound.toml >/dev/full", 2), ("check sound.toml >/dev/full", 2), ("facts sound.toml >/dev/full", 2)),
    *(("list >&-", 2), ("list >/dev/full", 2), ("encoding sudoku >/dev/full", 2)),
    *(("--help >&-", 2), ("--help >/dev/full", 2), ("solve --help >/dev/full", 2)),
    *(("solve - <&-", 2), ("check sound.toml - <&-", 2), ("solve - </dev/null", 2)),
    *(("solve - </dev/zero", 2), ("check sound.toml - </dev/zero", 2)),
    *(("solve sound.toml 2>&-", 0), ("solve nosuch 2>&-", 2), ("nonsense 2>&-", 2), ("solve nosuch >&- 2>&-", 2)),
    *(("solve nosuch 2>/dev/full", 2), ("nonsense 2>/dev/full", 2)),
    *((f"solve {name}", 2) for name in ("pipe.toml", "loop.toml", "dangling.toml", "directory.toml", "/dev/zero")),
    *((f"check sound.toml {name}", 2) for name in ("pipe.toml", "loop.toml", "directory.toml", "/dev/zero")),
    *((f"solve sound.toml --encoding {name}", 2) for name in ("pipe.toml", "loop.toml", "directory.toml", "/dev/zero")),
    *((f"solve sound.toml --extra {name}", 2) for name in ("pipe.toml", "directory.toml", "syntax.lp", "unsafe.lp")),
    *(("encoding sudoku --eject sound.toml", 2), ("encoding sudoku --eject /dev/null", 2)),
    *(("solve --json $'\\xff.toml'", 0), ("solve $'\\xfe.toml'", 2), ("solve sound.toml --extra $'\\xfe.lp'", 2)),
    ("solve sound.toml nosuch pipe.toml sound.toml", 2),
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a directory with a sound board and much that is none."""
    (tmp_path / "sound.toml").write_text(SOUND, encoding="utf-8")
    (tmp_path / "syntax.lp").write_text("violated(x) :- value(1, 1, 1),, .\n", encoding="utf-8")
    (tmp_path / "unsafe.lp").write_text("violated(x(X)).\n", encoding="utf-8")
    (tmp_path / "directory.toml").mkdir()
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    (tmp_path / "dangling.toml").symlink_to("nosuch.toml")
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / os.fsdecode(b"\xff.toml")).write_text(SOUND, encoding="utf-8")
    return tmp_path


def processes(place: Path, lines: Iterator[str]) -> list[subprocess.CompletedProcess[str]]:
    """Run commands in shells, two at a time; none of them hangs."""

    def shell(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", f"exec {shlex.join(PYASP)} {line}"],  # noqa: S607 (wherever bash is)
            cwd=place,
            env=environment(),
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",
            timeout=60,
            check=False,
        )

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(shell, lines))


def test_processes(place: Path) -> None:
    """Closed and full streams, pipes without a writer, directories and devices: exit code 2, and one line on stderr."""
    wrong = {}
    for (line, code), done in zip(SHELL, processes(place, (line for line, _ in SHELL)), strict=True):
        said = 2 if "nosuch pipe" in line else 1
        free = code == 0 or "2>" in line or ".lp" in line  # rules are shown with the line that is wrong
        right = free or (done.stderr.count("\n"), done.stderr[:7]) == (said, "pyasp: ")
        if done.returncode != code or not right or "Traceback" in done.stderr:
            wrong[line] = (done.returncode, done.stderr[-300:])
    assert wrong == {}


def test_large_boards(place: Path) -> None:
    """A board of 200x200 is solved rightly, or refused, before long; at least it ends when it is told to."""
    boards = dict(hostile.large())
    for name, text in boards.items():
        (place / f"{name}.toml").write_text(text, encoding="utf-8")
    commands = {name: f"solve --json '{name}.toml' --timeout {2 if name == 'tectonic' else 12}" for name in boards}
    done = dict(zip(boards, processes(place, iter(commands.values())), strict=True))
    codes = {name: ran.returncode for name, ran in done.items()}
    assert codes.pop("tectonic") in {0, 2, 3}
    assert codes == {"strata": 0, "strimko": 2, "sudoku": 2, "strips": 1}
    (answer,) = json.loads(done["strata"].stdout)["solutions"]
    shown: dict[tuple[int, int], str | None] = {}
    for name, index, color in plain.laying(answer):
        along = range(1, hostile.SIDE + 1)
        shown |= dict.fromkeys([(index, i) if name == "row" else (i, index) for i in along], color)
    assert set(shown.values()) == {"a"}
