"""What the studio must reach, asked over HTTP of a server as the command starts it: `python -m benchmarks.studio`.

Times are from a question to its last record, in milliseconds: medians of 25, warm, each of another board or rule, so
that none is answered from what was found before. No browser is needed, and none is measured.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import chain, repeat
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any, NamedTuple

from pyasp_puzzles import load, solve
from pyasp_puzzles.puzzles.board import keys_of_board
from tests.command import start
from tests.helpers import ENDLESS_GROUNDING, ENDLESS_SEARCH
from tests.studio import Studio, resident

Question = dict[str, Any]
BOARD = load("sudoku/easy")[0]
KEYS = keys_of_board(BOARD)
ANSWER = solve(BOARD)
assert ANSWER is not None
TYPED = BOARD.puzzle.kind.typed(BOARD, ANSWER.json())
SOLVED = [line.split() for line in TYPED.splitlines()]
EMPTY = {"puzzle": "sudoku", "givens": [[None] * 9 for _ in range(9)]}
GIVENS = [(r, c) for r, row in enumerate(KEYS["givens"]) for c, value in enumerate(row) if value]
# What ends by its limit of time or of memory, or is dropped after a while.
ATTACKS = {
    "endless grounding": ENDLESS_GROUNDING,
    "endless search": ENDLESS_SEARCH,
    "a billion ground rules": "n(1..1000). a(X, Y, Z) :- n(X), n(Y), n(Z).",
}
ANSWERS = 10_000


class Row(NamedTuple):
    """What was measured: its name, the most that it may be, and what it is, all in one unit."""

    name: str
    goal: float | None
    found: list[float]
    unit: str = "ms"


def changed(number: int, *, wrong: bool = False) -> Question:
    """Return the board without one of its givens, or with one that leaves no answer."""
    r, c = GIVENS[number % len(GIVENS)]
    givens = [[*row] for row in KEYS["givens"]]
    seen = [givens[row][column] for row, column in GIVENS if (row == r) != (column == c)]
    givens[r][c] = seen[0] if wrong else None
    return {"puzzle": "sudoku", "givens": givens}  # without the answer, as an edit takes it away


def half_filled(number: int, *, wrong: bool = False) -> str:
    """Return every other number of the answer, one of them perhaps that of its neighbour."""
    rows = [[*row] for row in SOLVED]
    free = [(r, c) for r in range(9) for c in range(9) if (r, c) not in GIVENS]
    for r, c in free[number % 2 :: 2]:
        rows[r][c] = "."
    r, c = free[number]
    rows[r][c] = SOLVED[r][(c + 1) % 9] if wrong else SOLVED[r][c]
    return "\n".join(map(" ".join, rows))


def edited(number: int) -> str:
    """Return an extra rule."""
    return f":- value(1, 1, {number % 9 + 1}), value(9, 9, {number // 9 + 1}).\n"


# Name, the most milliseconds, and the questions of an edit, which follow each other.
QUESTIONS: list[tuple[str, float | None, Callable[[int], list[Question]]]] = [
    (
        "a given: drawing, verdict and candidates",
        150,
        lambda n: [{"ask": "board", "board": changed(n)}, {"ask": "state", "board": changed(n), "limit": 10}],
    ),
    (
        "a given that leaves no answer: drawing, verdict and reasons",
        150,
        lambda n: [
            {"ask": "board", "board": changed(n, wrong=True)},
            {"ask": "state", "board": changed(n, wrong=True), "limit": 10},
        ],
    ),
    (
        "a rule: verdict, candidates and answers",
        500,
        lambda n: [
            {"ask": "state", "board": KEYS, "extra": edited(n), "limit": 10},
            {"ask": "answers", "board": KEYS, "extra": edited(n), "limit": 100},
        ],
    ),
    (
        "errors of a rule",
        50,
        lambda n: [{"ask": "diagnose", "board": KEYS, "extra": edited(n) + "a :- valeu(1, 1, 1)."}],
    ),
    ("a hint", 200, lambda n: [{"ask": "hint", "board": KEYS, "entries": half_filled(n)}]),
    ("a hint after a mistake", 200, lambda n: [{"ask": "hint", "board": KEYS, "entries": half_filled(n, wrong=True)}]),
    ("review of a half-filled board", 20, lambda n: [{"ask": "review", "board": KEYS, "entries": half_filled(n)}]),
    (
        "review of a half-filled board with a mistake",
        20,
        lambda n: [{"ask": "review", "board": KEYS, "entries": half_filled(n, wrong=True)}],
    ),
    ("100 answers", None, lambda _: [{"ask": "answers", "board": EMPTY, "limit": 100}]),
    ("puzzles, boards, variants and formats", None, lambda _: [{"ask": "catalogue"}]),
]


@contextmanager
def running() -> Iterator[Studio]:
    """Run a studio, and end it."""
    with TemporaryDirectory() as where, start("studio", "--no-browser", "--port", "0", where=Path(where)) as process:
        try:
            yield Studio(process, re.findall(r"http://\S+", process.stdout.readline().decode())[0])
        finally:
            process.terminate()
            process.communicate()


def records(one: Studio, connection: HTTPConnection, question: Question) -> Iterator[Question]:
    """Yield the records of a question as they come."""
    one.send(connection, "POST", "/ask", json.dumps(question).encode())
    for line in connection.getresponse():
        yield json.loads(line)


def asked(one: Studio, connection: HTTPConnection, question: Question) -> float:
    """Ask a question, which has an answer; return the milliseconds."""
    started = perf_counter()
    found = [*records(one, connection, question)]
    seconds = perf_counter() - started
    assert [record["kind"] for record in found].count("error") == found[-1]["late"] == 0, found
    return 1000 * seconds


def warm(number: int) -> Iterator[Row]:
    """Yield the figures of questions to a studio that has answered some."""
    with running() as one:
        connection = one.connection()
        for name, goal, questions in QUESTIONS:
            times = [sum(asked(one, connection, question) for question in questions(n)) for n in range(number + 3)]
            yield Row(name, goal, times[3:])


def fresh(number: int) -> Iterator[Row]:
    """Yield the figures of the first questions of studios that have just started."""
    first: dict[str, tuple[float | None, Question]] = {
        "the first board of a studio": (1000, {"ask": "read", "name": "sudoku/easy"}),
        "its first verdict and candidates": (None, {"ask": "state", "board": KEYS, "limit": 10}),
        "its first hint": (200, {"ask": "hint", "board": KEYS}),
        "its first list of boards": (200, {"ask": "catalogue"}),
    }
    times: dict[str, list[float]] = {name: [] for name in ("the page and its files", *first)}
    for _ in range(number):
        with running() as one:
            started = perf_counter()
            page = one.request("GET", f"/?token={one.token}").text
            files = re.findall(r'(?:src|href)="(/page/[^"]+)"', page)
            for file in chain(files, (f"/page/{name}" for name in modules(one, files))):
                assert one.request("GET", file).status == 200
            times["the page and its files"].append(1000 * (perf_counter() - started))
            connection = one.connection()
            for name, (_, question) in first.items():
                times[name].append(asked(one, connection, question))
    yield from (Row(name, first.get(name, (None,))[0], found) for name, found in times.items())


def modules(one: Studio, files: list[str]) -> list[str]:
    """Return the modules that those of a page import."""
    texts = [one.request("GET", file).text for file in files if file.endswith(".js")]
    return [*dict.fromkeys(name for text in texts for name in re.findall(r'from "\./([\w.-]+)"', text))]


def attacked(number: int) -> Iterator[Row]:
    """Yield how long the next question takes after one that overruns its limits, and after one that is dropped."""
    with running() as one:
        for name, rules in ATTACKS.items():
            attack = {"ask": "answers", "board": KEYS, "extra": rules, "limit": 0, "seconds": 0.5}
            found: dict[str, list[float]] = {"ended": [], "dropped": []}
            for ending, _ in zip(chain.from_iterable(repeat(tuple(found))), range(2 * number), strict=False):
                connection = one.connection()
                one.send(connection, "POST", "/ask", json.dumps(attack).encode())
                if ending == "ended":
                    connection.getresponse().read()
                else:
                    sleep(0.2)
                connection.close()
                found[ending].append(asked(one, one.connection(), {"ask": "state", "board": KEYS, "limit": 10}))
            for ending, times in found.items():
                yield Row(f"the next verdict after {name} is {ending}", 500, times)


def streamed() -> Iterator[Row]:
    """Yield how long many answers take, and how much the server and its processes grow meanwhile."""
    with running() as one:
        connection = one.connection()
        question = {"ask": "answers", "board": EMPTY, "limit": 1000, "seconds": 60}
        asked(one, connection, question)
        before, started, found = sizes(one), perf_counter(), 0
        one.send(connection, "POST", "/ask", json.dumps(question | {"limit": ANSWERS}).encode())
        reply = connection.getresponse()
        while part := reply.read1(2**16):  # line by line would take longer than to find them
            found += part.count(b'"kind":"answer"')
        seconds, after = perf_counter() - started, sizes(one)
        assert abs(found - ANSWERS) < ANSWERS / 100  # one in two parts is not counted
    yield Row(f"{ANSWERS} answers", 10, [seconds], "s")
    growth = {pid: (after[pid] - size) / 2**20 for pid, size in before.items() if pid in after}
    yield Row("growth of the server meanwhile", None, [growth.pop(one.process.pid)], "MB")
    yield Row("growth of a process that answers, at most", None, [max(growth.values())], "MB")


def sizes(one: Studio) -> dict[int, int]:
    """Return the memory of the server and of its processes."""
    return {pid: resident(pid) for pid in (one.process.pid, *one.processes())}


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studio", description=__doc__)
    parser.add_argument("-n", type=int, default=25, help="how often each is measured; what needs a new studio, a fifth")
    number = parser.parse_args().n
    print("| from a change to | goal | median | longest |\n|---|---:|---:|---:|")  # noqa: T201
    for row in chain(warm(number), fresh(number // 5 or 1), attacked(number // 5 or 1), streamed()):
        goal = "" if row.goal is None else f"{row.goal:g} {row.unit}"
        print(f"| {row.name} | {goal} | {median(row.found):.3g} {row.unit} | {max(row.found):.3g} {row.unit} |")  # noqa: T201
        sys.stdout.flush()


if __name__ == "__main__":
    main()
