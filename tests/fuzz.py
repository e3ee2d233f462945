"""A fuzz of every reader and every command, for a night: `python -m tests.fuzz --seconds N [--seed S]`.

A case is a command line and the files that it finds, the same for the same seed and number. It passes if its exit code
is 0, 1, 2 or 3, with a message for 2, without a traceback or a control character; if what `--json` prints is JSON; and
if it ends within its `--timeout` for each board, and two seconds, in 1 GB of memory. What fails is run once more, as
the machine may have been busy; then it is printed, with the command that runs it again.
"""

import argparse
import json
import re
import shlex
import sys
from collections import Counter
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

from pyasp_puzzles import dumps, load

from . import exchange, hostile
from .command import Done, objects, run
from .exchange import FORMATS
from .helpers import ENCODINGS, INSTANCES
from .hostile import PIECES, VALID
from .lists import lines

# Bytes of address space that a case may take.
MEMORY = 2**30
# Seconds that most cases have for a board.
TIMEOUT = 1
# Further seconds that a case may take to read, to write and to stop.
GRACE = 2
# Bytes of a file that is spoilt; larger ones are hostile enough as they are.
LARGEST = 20_000
LONGEST_SHOWN = 2_000


# Suffixes of files of other programs.
TEXTS = {".txt", ".sdk", ".sdm", ".ss", ".opensudoku", ".non"}


class Case(NamedTuple):
    """A command and its files."""

    arguments: list[str]
    files: dict[str, bytes]
    stdin: bytes

    @property
    def seconds(self) -> float:
        """How long it may take."""
        boards, listed = 1, "--as" in self.arguments or TEXTS & {Path(name).suffix for name in self.files}
        for data in (*self.files.values(), self.stdin):
            boards = max(boards, data.count(b"[[board]]"), data.count(b"\n") if listed else 1)
        return boards * TIMEOUT + GRACE


# -- What is thrown -------------------------------------------------------------------------


class Corpus:
    """Sound and hostile texts of every kind, by the suffix of their files."""

    def __init__(self) -> None:
        self.boards = [(path.suffix, path.read_bytes()) for path in sorted(INSTANCES.rglob("*.*"))]
        self.boards += [(Path(name).suffix, text.encode()) for name, text in VALID.items()]
        self.rules = [path.read_bytes() for path in sorted(ENCODINGS.rglob("*.lp"))]
        self.declarations = [path.read_bytes() for path in sorted(ENCODINGS.rglob("puzzle.toml"))]
        self.lists = [lines(3, seed).encode() for seed in range(3)]
        self.texts = [text.encode() for text in exchange.TEXTS.values()]
        self.texts += [
            dumps(load("sudoku/easy")[0], name).encode()
            for name in FORMATS
            if name not in {"toml", "lp", "non", "picture", "tatham"}
        ]
        self.texts += [dumps(load("tectonic/cross")[0], name).encode() for name in ("puzzlink", "penpa", "janko")]
        self.answers = [answer.encode() for answer in hostile.ANSWERS]
        self.hostile = [data for _, data in hostile.anywhere() if len(data) <= LARGEST]
        self.hostile += [text.encode() for text in hostile.LABORIOUS_ANSWERS if len(text) <= LARGEST]
        self.templates = {
            folder: {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
            for folder in sorted((ENCODINGS / "templates").iterdir())
            if (folder / "first.toml").is_file()
        }


def mutate(random: Random, data: bytes, others: list[bytes]) -> bytes:
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
        elif kind == 4 and (numbers := list(re.finditer(rb"\d+", data))):
            number = random.choice(numbers)
            new = random.choice([b"0", b"-1", b"1", b"7", b"26", b"99", b"1000", b"2147483647", b"9" * 30, b"1.5"])
            data = data[: number.start()] + new + data[number.end() :]
        elif kind == 5 and (words := list(re.finditer(rb"[A-Za-z_]{2,}", data))):
            word, other_word = random.choice(words), random.choice(words)
            data = data[: word.start()] + other_word[0] + data[word.end() :]
        elif kind == 6:
            data = data[:at] + data[end:]
        else:
            data = data[:at] + random.choice(PIECES).encode(errors="surrogateescape") + data[end:]
    return data


RECORD = b'{"puzzle": "sudoku", "source": "x", "board": 1, "title": "", "solutions": [], "status": "lost"}\n'
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
    command = random.choice("solve solve solve count check explain hint grade resolve facts".split())
    arguments = [command]
    options: list[str] = []
    reader = random.choice(["board", "board", "list", "text", "text", "answer", "rules", "folder"])
    if reader == "text":
        command = random.choice([command, command, "convert"])
        arguments = [command]
        suffix = random.choice(sorted(TEXTS))
        board = mutate(random, random.choice(corpus.texts), corpus.texts + corpus.hostile)
        options += ["--as", random.choice([*FORMATS, "sudoku", "suguru", "strata"])] if random.random() < 0.2 else []
        options += ["--to", random.choice(FORMATS)] if command == "convert" else []
    if reader == "list" and command in {"solve", "count"}:
        suffix, board, others = ".txt", random.choice(corpus.lists), corpus.lists + corpus.hostile
        options += ["--as", "sudoku"]
    if reader in {"board", "list"}:
        board = mutate(random, board, others)
    if reader == "rules" and command != "facts":
        files["rules.lp"] = mutate(random, random.choice(corpus.rules), corpus.rules + corpus.hostile)
        options += [random.choice(["--extra", "--extra", "--encoding"]), "rules.lp"]
    if reader == "folder":
        folder = random.choice([*corpus.templates])
        inside = corpus.templates[folder]
        spoilt = random.choice([*inside])
        beside = corpus.declarations if spoilt.endswith(".toml") else corpus.rules
        for file, data in inside.items():
            text = mutate(random, data, [*beside, *corpus.hostile]) if file == spoilt else data
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
            text = json.dumps(hostile.replace_part(random, json.loads(text))).encode()
        files["answer"] = mutate(random, text, corpus.answers + corpus.hostile)
        arguments.append("answer")
    choices = {
        "solve": ["--all", "-n 3", "--decided", "--possible", "--distinct plays", "--stats", "--seed 3"],
        "count": ["-n 2", "--distinct plays", "--threads 2"],
        "explain": ["--brief"],
        "hint": ["--brief"],
        "resolve": ["--guess 1,1,1", "--guess 99,1,0"],
    }
    if random.random() < 0.4:
        options += random.choice(choices.get(command, [""])).split()
    if command == "solve" and random.random() < 0.1:
        options += ["--output", "out.jsonl", *(["--resume"] if random.random() < 0.5 else [])]
        if "--resume" in options and random.random() < 0.7:
            files["out.jsonl"] = mutate(random, RECORD, corpus.answers)
    if command not in {"facts", "convert"}:
        options += ["--timeout", str(TIMEOUT)]
        options += ["--json"] if random.random() < 0.4 else []
    return Case(arguments + options, files, stdin)


# -- One case ---------------------------------------------------------------------------------


def wrong(case: Case, place: Path) -> tuple[str, int | None]:
    """Run a case in a directory; return what is wrong with how it ends, or "", and its exit code."""
    for name, data in case.files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    started = monotonic()
    try:
        done = run(*case.arguments, where=place, stdin=case.stdin, memory=MEMORY, seconds=case.seconds + 10)
    except TimeoutError:
        return "it does not end", None
    return fault(case, done, monotonic() - started), done.returncode


def fault(case: Case, done: Done, seconds: float) -> str:
    """Return what is wrong with how a case ended, or nothing."""
    said = done.stdout + done.stderr
    shown = {"facts", "convert"} & {*case.arguments} or said.replace("\n", "").replace("\t", "").isprintable()
    faults = {
        f"a traceback\n{done.stderr[-LONGEST_SHOWN:]}": "Traceback" in done.stderr,
        f"exit code {done.returncode}\n{done.stderr[-LONGEST_SHOWN:]}": done.returncode not in {0, 1, 2, 3},
        "exit code 2 without a message": done.returncode == 2 and not done.stderr.startswith("pyasp: "),
        f"{seconds:.1f} s, expected at most {case.seconds} s": seconds > case.seconds,
        f"a character that a terminal may obey: {said[:LONGEST_SHOWN]!r}": not shown,
    }
    try:
        objects(done.stdout if "--json" in case.arguments else "")
    except ValueError:
        faults[f"no JSON: {done.stdout[:LONGEST_SHOWN]!r}"] = True
    return next((words for words, holds in faults.items() if holds), "")


def describe(seed: int, number: int, tried: Case, found: str) -> str:
    """Return a case that fails, and how to run it again."""
    parts = [f"case {number} of seed {seed}: {found}", f"pyasp {shlex.join(tried.arguments)}"]
    for name, data in [*tried.files.items(), ("<stdin>", tried.stdin)]:
        if data:
            parts.append(f"--- {name!r}, {len(data)} bytes\n{data[:LONGEST_SHOWN]!r}")
    return "\n".join([*parts, f"again: python -m tests.fuzz --seed {seed} --first {number} --seconds 0"])


def fuzz(seconds: float, seed: int, first: int = 0, least: int = 1) -> tuple[int, Counter[int | None], list[str]]:
    """Run cases for so long, and at least so many; return how many, {exit code: how many}, and those that fail."""
    corpus = Corpus()
    until = monotonic() + seconds
    codes, failures = Counter[int | None](), list[str]()
    for number in count(first):
        tried = case(seed, number, corpus)
        found: str | None = None
        for _ in range(2):  # a case that fails is run once more: the machine may have been busy
            if found != "":
                with TemporaryDirectory() as place:
                    found, code = wrong(tried, Path(place))
        if found:
            failures.append(describe(seed, number, tried, found))
        codes[code] += 1
        if monotonic() > until and number + 1 - first >= least:
            return number + 1 - first, codes, failures
    raise AssertionError


def main() -> int:
    """Run as the arguments say; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    chosen = parser.parse_args()
    number, codes, failures = fuzz(chosen.seconds, chosen.seed, chosen.first)
    say = sys.stdout.write
    say("".join(f"{failure}\n\n" for failure in failures))
    say(f"{number} cases of seed {chosen.seed}; exit codes {dict(codes)}; {len(failures)} failures\n")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
