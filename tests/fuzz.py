"""A fuzz of every reader and every command, for a night: `python -m tests.fuzz --seconds N [--seed S]`.

Case   a command line, and the files that it finds; the same for the same seed and number
Worker a process that runs cases one after the other, within 1 GB; if it dies or hangs, its case is to blame

A case passes if its exit code is 0, 1, 2 or 3, with a message for 2, without a traceback or a control character; if
what `--json` prints is JSON; and if it ends within its `--timeout` for each board, and two seconds. One that fails is
run once more, by itself, as the machine may have been busy; then it is printed, and how to run it again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from queue import Empty, Queue
from random import Random
from threading import Thread
from time import monotonic
from typing import NamedTuple

from pyasp_puzzles.asp.paths import encodings_directory, instances_directory

from . import hostile
from .command import run_here
from .hostile import PIECES, VALID
from .lists import lines

MEMORY = 2**30
"""Bytes that a worker may take."""
TIMEOUT = 1
"""Seconds that most cases have for a board."""
GRACE = 2
"""Seconds that a case may take beside, to read, to write and to stop."""
LARGEST = 20_000
"""Bytes of a file that is spoilt; larger ones are hostile enough as they are."""
LONGEST_SHOWN = 2_000


class Case(NamedTuple):
    """A command and its files."""

    arguments: list[str]
    files: dict[str, bytes]
    stdin: bytes

    @property
    def seconds(self) -> float:
        """How long it may take."""
        boards = 1
        for data in (*self.files.values(), self.stdin):
            boards = max(boards, data.count(b"[[board]]"), data.count(b"\n") if "--as" in self.arguments else 1)
        return boards * TIMEOUT + GRACE


# -- What is thrown -------------------------------------------------------------------------


class Corpus:
    """Sound and hostile texts of every kind, by the suffix of their files."""

    def __init__(self) -> None:
        shipped = [path for path in sorted(instances_directory().rglob("*")) if path.is_file()]
        rules = sorted(encodings_directory().rglob("*.lp"))
        self.boards = [(path.suffix, path.read_bytes()) for path in shipped]
        self.boards += [(Path(name).suffix, text.encode()) for name, text in VALID.items()]
        self.rules = [path.read_bytes() for path in rules]
        self.declarations = [path.read_bytes() for path in sorted(encodings_directory().rglob("puzzle.toml"))]
        self.lists = [lines(3, seed).encode() for seed in range(3)]
        self.answers = [answer.encode() for answer in hostile.ANSWERS]
        self.hostile = [data for _, data in hostile.anywhere() if len(data) <= LARGEST]
        self.hostile += [text.encode() for text in hostile.LABORIOUS_ANSWERS if len(text) <= LARGEST]
        self.templates = {
            folder: {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
            for folder in sorted((encodings_directory() / "templates").iterdir())
        }


def mutated(random: Random, data: bytes, others: list[bytes]) -> bytes:  # noqa: C901 (a branch for each change)
    """Return a text that is cut, spliced with another, or changed here and there; now and then as it is."""
    if len(data) > LARGEST:
        return data
    for _ in range(random.choice([0, 1, 1, 1, 2, 3, 6])):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice([0, 1, 1, 2, 5, 40, 400]))
        kind = random.randrange(8)
        if kind == 0:
            data = data[:at]
        elif kind == 1:
            other = random.choice(others)
            data = data[:at] + other[random.randrange(len(other) + 1) :][: random.choice([10, 100, LARGEST])]
        elif kind == 2:
            data = data[:at] + data[at:end] * random.choice([2, 3, 50]) + data[end:]
        elif kind == 3 and data:
            spoilt = bytearray(data)
            spoilt[random.randrange(len(spoilt))] = random.randrange(256)
            data = bytes(spoilt)
        elif kind == 4:
            numbers = list(re.finditer(rb"\d+", data))
            if numbers:
                number = random.choice(numbers)
                new = random.choice([b"0", b"-1", b"1", b"7", b"26", b"99", b"1000", b"2147483647", b"9" * 30, b"1.5"])
                data = data[: number.start()] + new + data[number.end() :]
        elif kind == 5:
            words = list(re.finditer(rb"[A-Za-z_]{2,}", data))
            if words:
                word, other_word = random.choice(words), random.choice(words)
                data = data[: word.start()] + other_word[0] + data[word.end() :]
        elif kind == 6:
            data = data[:at] + data[end:]
        else:
            data = data[:at] + random.choice(PIECES).encode(errors="surrogateescape") + data[end:]
    return data


NAMES = ["x", "x y", "\x1b[2J", "\udcff", "a\nb", "-", "--json", "e\u0301", "'\"", "x" * 200, "\u202e"]


def case(seed: int, number: int, corpus: Corpus) -> Case:  # noqa: C901, PLR0912, PLR0915 (a branch for each reader)
    """Return a case."""
    random = Random(f"{seed}:{number}")  # noqa: S311 (no secrets here)
    files: dict[str, bytes] = {}
    suffix, board = random.choice(corpus.boards)
    name = "board" if random.random() < 0.9 else random.choice(NAMES)
    others = [data for _, data in corpus.boards] + corpus.hostile
    if random.random() < 0.05:
        board = random.choice(corpus.hostile)
    command = random.choice(
        ["solve", "solve", "solve", "count", "check", "explain", "hint", "grade", "resolve", "facts"]
    )
    arguments = [command]
    options: list[str] = []
    reader = random.choice(["board", "board", "list", "answer", "rules", "folder"])
    if reader == "list" and command in {"solve", "count"}:
        suffix, board, others = ".txt", random.choice(corpus.lists), corpus.lists + corpus.hostile
        options += ["--as", "sudoku"]
    if reader in {"board", "list"}:
        board = mutated(random, board, others)
    if reader == "rules" and command != "facts":
        rules = mutated(random, random.choice(corpus.rules), corpus.rules + corpus.hostile)
        files["rules.lp"] = rules
        options += [random.choice(["--extra", "--extra", "--encoding"]), "rules.lp"]
    if reader == "folder":
        folder = random.choice([*corpus.templates])
        inside = corpus.templates[folder]
        spoilt = random.choice([*inside])
        beside = corpus.declarations if spoilt.endswith(".toml") else corpus.rules
        for file, data in inside.items():
            text = mutated(random, data, [*beside, *corpus.hostile]) if file == spoilt else data
            files[f"mine/{'mine.lp' if file == 'rules.lp' else file}"] = text.replace(b"NAME", b"mine")
        name, suffix = "mine/first", ".toml"
        board = files[f"{name}{suffix}"]
        options += ["--puzzles", "mine"]
    stdin = b""
    if random.random() < 0.1:
        stdin, name, suffix = board, "-", ""
    else:
        name = f"./{name}{suffix}" if name.startswith("-") else f"{name}{suffix}"
        files[name] = board
    arguments.append(name)
    if reader == "answer" and command in {"check", "hint"}:
        text = random.choice(corpus.answers)
        if random.random() < 0.3 and text.startswith(b"{"):
            spoilt_json = hostile._replaced(random, json.loads(text))  # noqa: SLF001 (it is ours)
            text = json.dumps(spoilt_json).encode()
        files["answer"] = mutated(random, text, corpus.answers + corpus.hostile)
        arguments.append("answer")
    choices = {
        "solve": [
            "--all",
            "-n 3",
            "--decided",
            "--possible",
            "--distinct plays",
            "--distinct looks",
            "--stats",
            "--seed 3",
        ],
        "count": ["--limit 2", "--distinct plays", "--threads 2"],
        "explain": ["--brief"],
        "hint": ["--brief"],
        "resolve": ["--guess 1,1,1", "--guess 99,1,0"],
    }
    if random.random() < 0.4:
        options += random.choice(choices.get(command, [""])).split()
    if command == "solve" and random.random() < 0.1:
        options += ["--output", "out.jsonl", *(["--resume"] if random.random() < 0.5 else [])]
        if "--resume" in options and random.random() < 0.7:
            record = (
                b'{"puzzle": "sudoku", "source": "x", "board": 1, "title": "", "solutions": [], "status": "lost"}\n'
            )
            files["out.jsonl"] = mutated(random, record, corpus.answers)
    if command != "facts":
        options += ["--timeout", str(TIMEOUT)]
        options += ["--json"] if random.random() < 0.4 else []
    return Case(arguments + options, files, stdin)


# -- One case ---------------------------------------------------------------------------------


def run(case: Case, place: Path) -> tuple[int, str, str, float]:
    """Run a case in this process; return its exit code, what it wrote, and how long it took."""
    for name, data in case.files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    os.chdir(place)
    started = monotonic()
    done = run_here(case.arguments, case.stdin)
    return done.returncode, done.stdout, done.stderr, monotonic() - started


def wrong(case: Case, code: int, out: str, err: str, seconds: float) -> str:  # noqa: PLR0911 (one for each fault)
    """Return what is wrong with how a case ended, or nothing."""
    if "Traceback" in err:
        return f"a traceback\n{err[-LONGEST_SHOWN:]}"
    if code not in {0, 1, 2, 3}:
        return f"exit code {code}\n{err[-LONGEST_SHOWN:]}"
    if code == 2 and not err.startswith("pyasp: "):
        return "exit code 2 without a message"
    if seconds > case.seconds:
        return f"{seconds:.1f} s, expected at most {case.seconds} s"
    if not (out + err).replace("\n", "").replace("\t", "").isprintable() and case.arguments[0] != "facts":
        return f"a character that a terminal may obey: {(out + err)[:LONGEST_SHOWN]!r}"
    if "--json" in case.arguments:
        try:
            for line in out.splitlines():
                json.loads(line)
        except ValueError:
            return f"no JSON: {out[:LONGEST_SHOWN]!r}"
    return ""


def work(seed: int) -> None:
    """Run the cases whose numbers come on standard input, and print what is wrong with each: what a worker does."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    corpus = Corpus()
    for line in sys.stdin:
        tried = case(seed, int(line), corpus)
        with tempfile.TemporaryDirectory() as place:
            found = run(tried, Path(place))
            os.chdir("/")
        print(json.dumps([wrong(tried, *found), found[0]]), flush=True)  # noqa: T201
        if "cannot be stopped" in found[2]:
            os._exit(0)  # clingo is still at work, and would slow down the others


# -- All of them ------------------------------------------------------------------------------


class Worker:
    """A process that runs cases."""

    def __init__(self, seed: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz", "--seed", str(seed), "--work"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=Path(__file__).parents[1],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1]), "NO_COLOR": "1"},
        )
        self._lines: Queue[str] = Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def run(self, number: int, seconds: float) -> tuple[str, int | None]:
        """Run a case; return what is wrong, and its exit code."""
        assert self.process.stdin
        try:
            self.process.stdin.write(f"{number}\n")
            self.process.stdin.flush()
            line = self._lines.get(timeout=seconds)
        except (Empty, OSError):
            line = None
        if line:
            found, code = json.loads(line)
            return found, code
        self.end()
        if line is None:
            return f"no end within {seconds:.0f} s", None
        return f"the process died: {self.process.returncode}", None

    @property
    def alive(self) -> bool:
        """Whether it can take another case."""
        return self.process.poll() is None

    def end(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                try:
                    stream.close()
                except OSError:
                    continue


def described(seed: int, number: int, tried: Case, found: str) -> str:
    """Return a case that fails, and how to run it again."""
    parts = [f"case {number} of seed {seed}: {found}", f"pyasp {shlex.join(tried.arguments)}"]
    for name, data in [*tried.files.items(), ("<stdin>", tried.stdin)]:
        if data:
            parts.append(f"--- {name!r}, {len(data)} bytes\n{data[:LONGEST_SHOWN]!r}")
    return "\n".join([*parts, f"again: python -m tests.fuzz --seed {seed} --case {number}"])


def fuzz(seconds: float, seed: int, first: int = 0) -> tuple[int, dict[str, int], list[str]]:
    """Run cases for so long; return how many, {exit code: how many}, and those that fail."""
    corpus = Corpus()
    until = monotonic() + seconds
    number, codes, failures = first, dict[str, int](), list[str]()
    worker = Worker(seed)
    try:
        while monotonic() < until:
            if not worker.alive:
                worker.end()
                worker = Worker(seed)
            tried = case(seed, number, corpus)
            patience = tried.seconds + 10
            found, code = worker.run(number, patience)
            if found:  # once more, by itself: the machine may have been busy
                worker.end()
                worker = Worker(seed)
                found, code = worker.run(number, patience)
            if found:
                failures.append(described(seed, number, tried, found))
            codes[str(code)] = codes.get(str(code), 0) + 1
            number += 1
    finally:
        worker.end()
    return number - first, codes, failures


def main() -> int:
    """Run as the arguments say; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--case", type=int, help="run this case alone, and show all that it says")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        work(chosen.seed)
        return 0
    say = sys.stdout.write
    if chosen.case is not None:
        tried = case(chosen.seed, chosen.case, Corpus())
        place = Path(tempfile.mkdtemp())
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        code, out, err, took = run(tried, place)
        found = wrong(tried, code, out, err, took) or "nothing is wrong"
        say(f"{described(chosen.seed, chosen.case, tried, found)}\n")
        say(f"exit code {code}, {took:.2f} s, in {place}\n{out}{err}\n")
        return int(found != "nothing is wrong")
    number, codes, failures = fuzz(chosen.seconds, chosen.seed, chosen.first)
    say("".join(f"{failure}\n\n" for failure in failures))
    say(f"{number} cases of seed {chosen.seed}; exit codes {dict(sorted(codes.items()))}; {len(failures)} failures\n")
    return int(bool(failures))


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # a search that was left alone may still be running
