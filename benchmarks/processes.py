"""Whole processes: the CPU time of commands, and the gain from two jobs."""

import json
import os
import pickle
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from .boards import Board, Verdict, broken_rules, instance_file
from .peers import CLINGO, OURS, able
from .peers.asp import clingo_command, clingo_output, pyasp_command
from .timing import own

ROOT = Path(__file__).parents[1]
# Seconds for a command.
LIMIT = 60
# Installed packages are compiled. The first round of commands, which is not timed, compiles these here.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
SOLVE_FILE = "import sys; from benchmarks.peers import solve_file; solve_file(*sys.argv[1:])"


def whole(boards: list[Board], repeats: int) -> dict[str, Any]:
    """Return the median CPU times of alternating whole processes; a first round checks the answers and is not timed."""
    peers = [peer for peer in able(boards[0]) if not peer.endswith(("Booleans", "assumptions", "position"))]
    times: dict[str, list[float]] = {peer: [] for peer in peers}
    failed: dict[str, str] = {}
    answers: Counter[str] = Counter()
    with TemporaryDirectory() as directory:
        commands = {peer: _commands(peer, boards, Path(directory)) for peer in peers}
        for repeat in range(repeats + 1):
            for peer in [peer for peer in peers if peer not in failed]:
                before = child_seconds()
                try:
                    outputs = [_output(command) for command in commands[peer]]
                except subprocess.TimeoutExpired:
                    failed[peer] = "late"
                    continue
                if repeat:
                    times[peer].append(child_seconds() - before)
                    continue
                verdicts = _verdicts(peer, boards, outputs)
                pairs = zip(boards, verdicts, strict=True)
                if not all(found.answer and not broken_rules(board, found.answer) for board, found in pairs):
                    failed[peer] = "wrong"
                elif peer == OURS:
                    answers.update("unique" if verdict.unique else "several" for verdict in verdicts)
    rows = {peer: {"boards": 0, "notes": {why: len(boards)}} for peer, why in failed.items()}
    for peer in [peer for peer in peers if peer not in failed]:
        seconds = median(times[peer])
        by_median = seconds / median(times[OURS])
        rows[peer] = {"boards": len(boards), "median": seconds, "by_median": by_median, "notes": {}}
    return {"boards": len(boards), "answers": dict(answers), "rows": rows}


def _output(command: list[str]) -> str:
    done = subprocess.run(  # noqa: S603
        command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    return done.stdout


def _commands(peer: str, boards: list[Board], directory: Path) -> list[list[str]]:
    if peer == OURS:
        file = directory / "boards.toml"
        file.write_text(instance_file(boards), encoding="utf-8")
        return [pyasp_command(file)]
    if peer == CLINGO:
        files = [directory / f"{i}.lp" for i, _ in enumerate(boards)]
        for file, board in zip(files, boards, strict=True):
            file.write_text(board.facts(), encoding="utf-8")
        return [clingo_command(board, file) for file, board in zip(files, boards, strict=True)]
    file = directory / "boards.pickle"
    file.write_bytes(pickle.dumps(boards))
    return [[sys.executable, "-c", SOLVE_FILE, peer, str(file)]]


def _verdicts(peer: str, boards: list[Board], outputs: list[str]) -> list[Verdict]:
    """Return the verdict on each board; none for boards after the one where a program ended."""
    if peer == CLINGO:
        return [clingo_output(board, output) for board, output in zip(boards, outputs, strict=True)]
    found = [json.loads(line) for line in outputs[0].splitlines()]
    if peer == OURS:
        found = [([*line["solutions"], None][0], line["complete"] and len(line["solutions"]) == 1) for line in found]
    missing = [None] * (len(boards) - len(found))
    return [Verdict(*(line or (None, False))) for line in found + missing]


def child_seconds() -> float:
    """Return the CPU time of all processes that have ended, in seconds; finer than the ticks of `os.times`."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def jobs(boards: list[Board], repeats: int) -> dict[str, Any]:
    """Return the wall times of one job, of two jobs, and of two processes at once with one job each."""
    names = {"one": "one job", "two": "two jobs", "pair": "two processes at once, each with one job"}
    times: dict[str, list[float]] = {name: [] for name in names}
    with TemporaryDirectory() as directory:
        file = Path(directory, "boards.toml")
        file.write_text(instance_file(boards), encoding="utf-8")
        one, two = pyasp_command(file, "--jobs", "1"), pyasp_command(file, "--jobs", "2")
        for _ in range(repeats + 1):
            for name, commands in {"one": [one], "two": [two], "pair": [one, one]}.items():
                started = perf_counter()
                with ExitStack() as stack:
                    for command in commands:
                        process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL)  # noqa: S603
                        stack.enter_context(process)
                times[name].append(perf_counter() - started)
    number = {"one": 1, "two": 1, "pair": 2}
    return {
        f"Tectonics, {title}, wall time": own(number[name] * len(boards), median(times[name][1:]))
        for name, title in names.items()
    }
