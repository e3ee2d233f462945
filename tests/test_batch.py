"""`batch` gives the same records in order with any executor; a worker that dies loses one board at most."""

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import chain, count, islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any
from weakref import WeakSet

import pytest

from pyasp_puzzles import Instance, Workers, batch, iload, load, loads

from .command import process
from .helpers import SHIPPED, extra, mine, sudoku
from .lists import DEADLY, NINE, harmless, lines


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    """Two processes."""
    with Workers(2) as made:
        yield made


@pytest.fixture
def listed(tmp_path: Path) -> Callable[[str], Iterator[Instance]]:
    """Return a function from the text of a list to its boards."""
    return lambda text: iload(mine(tmp_path, text, "list.txt"), "sudoku")


def every_instance() -> Iterator[Instance]:
    """Yield all boards that ship."""
    return chain.from_iterable(map(load, SHIPPED))


# -- The same records with any executor -----------------------------------------------------


@pytest.mark.slow
def test_processes_and_threads_answer_alike_and_in_order(workers: Workers) -> None:
    """Processes, threads and we ourselves answer all that ships alike, and in the order given."""
    expected = list(batch(every_instance()))
    assert list(batch(every_instance(), executor=workers)) == expected
    with ThreadPoolExecutor(2) as threads:
        assert list(batch(every_instance(), executor=threads)) == expected
    sources = [instance.source for instance in every_instance()]
    assert [record["source"] for record in expected] == sources


def test_boards_of_alternating_layouts_are_answered_in_order(workers: Workers) -> None:
    """Boards of shapes that alternate are sent with those of their shape, and answered in the order given."""
    four = 'puzzle = "sudoku"\ngivens = """\n{}234\n3412\n2143\n43..\n"""\n'
    boards = [
        board
        for i in range(60)
        for text in (four.format("1."[i % 2]), f'puzzle = "strata"\ntitle = "{i}"\ntiles = "{"rb"[i % 2]}"\n')
        for board in loads(text, f"{i}")
    ]
    records = list(batch(boards, executor=workers))
    assert [record["source"] for record in records] == [board.source for board in boards]
    assert records == list(batch(boards))


def test_boards_are_taken_as_they_are_needed(workers: Workers) -> None:
    """Boards are taken as they are needed: a few ahead, of boards without end."""
    taken = count()
    board = load("tectonic/seed")[0]
    records = batch((board for _ in taken), executor=workers)
    assert len(list(islice(records, 300))) == 300
    assert next(taken) < 100_000
    records.close()  # type: ignore[attr-defined]


@pytest.mark.slow
def test_memory_stays_flat(
    workers: Workers, listed: Callable[[str], Iterator[Instance]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more boards are kept than are sent ahead, however many come, and nobody has to look for garbage."""
    monkeypatch.setattr("pyasp_puzzles.batches.batch.MOST_FACTS_QUEUED", 20_000)
    kept: WeakSet[object] = WeakSet()
    most = 0
    gc.disable()
    try:
        for _ in batch(watch(kept, (board for _ in range(50) for board in listed(lines(30)))), 1, executor=workers):
            most = max(most, len(kept))
    finally:
        gc.enable()
    assert 50 < most < 300


def watch(kept: WeakSet[object], boards: Iterator[Instance]) -> Iterator[Instance]:
    """Yield boards, and note which of them are still in memory."""
    for board in boards:
        kept.add(board.facts)
        yield board


# -- What goes wrong ----------------------------------------------------------------


def test_rules_that_fail_on_one_board_cost_only_its_record(tmp_path: Path, workers: Workers) -> None:
    """Rules that fail on one board give that board an error in its record; the rest are solved."""
    rules = "value(9, 9, 1) :- given(1, 1, 2).\nviolated(x) :- given(1, 1, 4).\n"
    boards = [sudoku(f"{i}...", *["...."] * 3) for i in (1, 2, 3, 4)]
    for executor in (None, workers):
        records = list(batch(boards, 1, extra(tmp_path, rules), executor))
        statuses = [record["status"] for record in records]
        assert statuses == ["satisfiable", "error", "satisfiable", "unsatisfiable"]
        assert [i for i, record in enumerate(records) if "error" in record] == [1]
        assert "value(9,9,1)" in str(records[1]["error"])


@pytest.mark.parametrize("make", [Workers, partial(ProcessPoolExecutor, mp_context=get_context("spawn"))])
@pytest.mark.slow
def test_a_board_that_kills_its_worker_is_lost_alone(
    tmp_path: Path, listed: Callable[[str], Iterator[Instance]], make: Callable[[int], Executor]
) -> None:
    """A board that kills its worker is answered with "lost" and an error; all others are answered."""
    words = harmless(30)
    words[0:0] = [NINE]
    words[20:20] = [NINE]
    boards = list(listed("\n".join(words)))
    started = monotonic()
    with make(2) as executor:
        records = list(batch(boards, 1, extra(tmp_path, DEADLY), executor))
    assert [i for i, record in enumerate(records) if not record["solutions"]] == [0, 20]
    assert [record["board"] for record in records] == list(range(1, 33))
    for record in (records[0], records[20]):
        assert (record["status"], record["complete"], record["error"]) == ("lost", False, "the worker was killed")
    assert monotonic() - started < 60


@pytest.mark.slow
def test_killed_workers_are_replaced(listed: Callable[[str], Iterator[Instance]]) -> None:
    """Workers that are killed at any moment are replaced; what they were doing is done again."""
    with Workers(2) as made:
        boards = listed(lines(100))
        records = batch(boards, 1, executor=made)
        first = [next(records) for _ in range(5)]
        for worker in {made.submit(os.getpid).result() for _ in range(10)}:
            os.kill(worker, signal.SIGKILL)
        others = list(records)
    answered = [record for record in first + others if record["solutions"]]
    assert len(first + others) == 100
    assert len(answered) >= 98


class Failing(Executor):
    """An executor that fails with whatever holds the board of a name."""

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call it, or fail."""
        future: Future[Any] = Future()
        if any(board.details.get("title") == "bad" for board in args[0]):
            future.set_exception(MemoryError("no room"))
        else:
            future.set_result(function(*args, **kwargs))
        return future


def test_any_failure_of_an_executor_costs_one_board(listed: Callable[[str], Iterator[Instance]]) -> None:
    """Whatever an executor raises is the error of one board; the rest are solved."""
    words = lines(20).splitlines()
    words[10] += " bad"
    records = list(batch(listed("\n".join(words)), 1, executor=Failing()))
    errors = {i: record["error"] for i, record in enumerate(records) if "error" in record}
    assert errors == {10: "the worker failed: MemoryError: no room"}
    assert len(records) == 20


class Unreadable(Exception):  # noqa: N818 (what cannot be read is the exception)
    """An exception that can be pickled but not read again."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first + second)


def fail() -> None:
    """Raise it."""
    raise Unreadable("not ", "this")


def test_workers_do_what_they_are_asked(workers: Workers) -> None:
    """Results and exceptions come back; a process that ends fails only its own future."""
    assert workers.submit(pow, 2, 10).result() == 1024
    assert isinstance(workers.submit(int, "x").exception(), ValueError)
    assert isinstance(workers.submit(os.fdopen, 1, closefd=False).exception(), RuntimeError)
    with pytest.raises(RuntimeError, match="Unreadable: not this"):
        workers.submit(fail).result(60)
    deaths = [workers.submit(os._exit, 3) for _ in range(2)]
    assert [workers.submit(pow, 2, i).result() for i in range(5)] == [1, 2, 4, 8, 16]
    assert all(isinstance(death.exception(), BrokenExecutor) for death in deaths)


@pytest.mark.slow
def test_shutdown_waits_and_kill_does_not() -> None:
    """A shutdown waits for what was begun; `kill` does not; no work is taken after either."""
    made = Workers(1)
    future = made.submit(pow, 3, 3)
    made.shutdown()
    assert future.result(0) == 27
    with pytest.raises(RuntimeError):
        made.submit(pow, 3, 3)
    made = Workers(1)
    slow, waiting = made.submit(sleep, 60), made.submit(pow, 3, 3)
    while not slow.running():
        sleep(0.01)
    started = monotonic()
    made.kill()
    assert monotonic() - started < 30
    assert isinstance(slow.exception(0), BrokenExecutor)
    assert waiting.cancelled()


# -- Memory ----------------------------------------------------------------

BOARDS = 30_000
# Boards after which all is there that is kept.
FEW = 3000
# MB by which a process may grow from then on; a leak of 80 bytes a board would be as much.
GROWTH = 2.0
ANSWER = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CODE = f"""
import os, re, sys
from pathlib import Path
from pyasp_puzzles import Workers, batch, load, solutions

def used(process="self"):
    status = Path(f"/proc/{{process}}/status").read_text()
    return int(re.search(r"VmRSS:\\s+([0-9]+)", status)[1]) / 1024

def alone(boards):
    for board in boards:
        assert list(solutions(board, 2))
        yield [used()] if number in (few, every) else []

def by_workers(boards):
    with Workers(1) as workers:
        worker = workers.submit(os.getpid).result()  # asked for later, it would wait while results pile up here
        for record in batch(boards, 2, executor=workers):
            assert record["solutions"]
            yield [used(), used(worker)] if number in (few, every) else []

few, every, number, seen = {FEW}, {BOARDS}, 1, {{}}
for now in {{"alone": alone, "by_workers": by_workers}}[sys.argv[2]](load(sys.argv[1], "sudoku")):
    if now:
        seen[number] = now
    number += 1
assert number == every + 1
print(max(last - first for first, last in zip(seen[few], seen[every], strict=True)))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="what a process takes is read from /proc")
@pytest.mark.parametrize("how", ["alone", pytest.param("by_workers", marks=pytest.mark.night)])
def test_memory_of_many_boards(tmp_path: Path, how: str) -> None:
    """Tens of thousands of Sudokus of one shape, no two of them alike, leave nothing behind."""
    chance = Random(0)  # noqa: S311 (nothing is secret here)
    lines = []
    for _ in range(BOARDS):
        digits = dict(zip("123456789", chance.sample("123456789", 9), strict=True))
        hidden = set(chance.sample(range(81), 40))
        cells = ["." if i in hidden else digits[c] for i, c in enumerate(ANSWER)]
        lines.append("".join(cells))
    file = mine(tmp_path, "\n".join(lines) + "\n", "list.txt")
    done = process([sys.executable, "-c", CODE, str(file), how], tmp_path, timeout=300)
    assert (done.returncode, done.stderr[-1000:]) == (0, "")
    assert float(done.stdout) < GROWTH
