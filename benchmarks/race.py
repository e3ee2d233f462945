"""Solvers in turn on the same boards, in a process of their own, every answer checked.

Job      the boards, the solvers, and how long they may take
Run      one solver on one board: its time, and how it ended
Ending   "unique", "several" or "none", as the solver says; "late"; "refused", it is not up to the board; "wrong", its
         answer breaks a rule; "failed", it raised an error
"""

from __future__ import annotations

import gc
import signal
from multiprocessing import get_context
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from . import checks
from .board import Board, packed, unpacked
from .peers import kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from multiprocessing.connection import Connection

    from .peers import Peer, Verdict

DECIDED = frozenset({"unique", "several", "none"})
GRACE = 30.0
"""Seconds that a solver that cannot be stopped has beyond its time, before its process is ended."""
TURN = 20
"""Boards that a solver solves one after another, as one who uses it would, before it is the next one's turn."""


class Job(NamedTuple):
    """What is measured."""

    boards: Sequence[Board]
    peers: Sequence[str]
    limit: float
    """Seconds for a board."""
    budget: float
    """Seconds for a solver on all boards; then it is out of the race."""
    warm_up: Sequence[Board] = ()
    """Small boards to solve first, so that everything is imported."""


class Run(NamedTuple):
    """One solver on one board."""

    peer: str
    board: int
    seconds: float
    ending: str


class Race(NamedTuple):
    """The runs of a job, in one process after another."""

    name: str
    boards: int
    runs: list[Run]

    def times(self, peer: str) -> dict[int, float]:
        """Return {board: seconds, the median over the processes} of the boards that a solver has decided."""
        times: dict[int, list[float]] = {}
        for run in self.runs:
            if run.peer == peer and run.ending in DECIDED:
                times.setdefault(run.board, []).append(run.seconds)
        return {board: median(seconds) for board, seconds in times.items()}

    def boards_that(self, peer: str, endings: Collection[str]) -> set[int]:
        """Return the boards on which a solver has ended like this."""
        return {run.board for run in self.runs if run.peer == peer and run.ending in endings}

    def endings(self) -> dict[int, set[str]]:
        """Return what the solvers say of each board."""
        said: dict[int, set[str]] = {}
        for run in self.runs:
            if run.ending in DECIDED:
                said.setdefault(run.board, set()).add(run.ending)
        return said

    def disputed(self) -> set[int]:
        """Return the boards of which solvers do not say the same."""
        return {board for board, said in self.endings().items() if len(said) > 1}


def race(name: str, job: Job, repeats: int) -> Race:
    """Run a job so many times, each in a new process, so that nothing is known from the time before."""
    return Race(name, len(job.boards), [run for _ in range(repeats) for run in apart(job)])


def apart(job: Job) -> Iterator[Run]:
    """Yield the runs of a job in a new process; where that hangs, or dies, those that came."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    boards = [packed(board) for board in job.boards], [packed(board) for board in job.warm_up]
    process = context.Process(target=_serve, args=(theirs, job._replace(boards=(), warm_up=()), *boards), daemon=True)
    process.start()
    theirs.close()
    try:
        while ours.poll(job.limit + GRACE):
            yield Run(*ours.recv())
    except EOFError:
        pass
    finally:
        process.kill()
        process.join()


def _serve(connection: Connection, job: Job, boards: list[dict[str, Any]], warm_up: list[dict[str, Any]]) -> None:
    for run in laps(job._replace(boards=[*map(unpacked, boards)], warm_up=[*map(unpacked, warm_up)])):
        connection.send(tuple(run))
    connection.close()


def laps(job: Job) -> Iterator[Run]:
    """Yield the runs of a job: some boards at a time, by all the solvers in turn, another one first each time."""
    solvers = {name: kind(name)() for name in job.peers}
    spent = dict.fromkeys(job.peers, 0.0)
    for solver in solvers.values():
        for board in job.warm_up:
            if board.puzzle in solver.puzzles and (task := solver.prepare(board)) is not None:
                solver.solve(task)
    gc.collect()
    gc.freeze()
    for number, start in enumerate(range(0, len(job.boards), TURN)):
        first, boards = number % len(job.peers), job.boards[start : start + TURN]
        for name in [*job.peers[first:], *job.peers[:first]]:
            turn = [(i, board, _prepared(solvers[name], board)) for i, board in enumerate(boards, start)]
            for i, board, task in turn:
                if spent[name] < job.budget:
                    run = Run(name, i, *_lap(solvers[name], board, task, job.limit))
                    spent[name] += run.seconds
                    yield run


def _prepared(solver: Peer, board: Board) -> Any:  # noqa: ANN401
    """Return a board as a solver wants it; None if it is not up to it."""
    try:
        return solver.prepare(board)
    except Exception:  # noqa: BLE001 (whatever it is that a solver does not like of a board)
        return None


def _lap(solver: Peer, board: Board, task: Any, limit: float) -> tuple[float, str]:  # noqa: ANN401
    """Return how long a solver took for a board, in seconds, and how that ended."""
    if task is None:
        return 0.0, "refused"
    signal.signal(signal.SIGALRM, _late)
    started = perf_counter()
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        verdict = solver.solve(task)
    except TimeoutError:
        return perf_counter() - started, "late"
    except Exception:  # noqa: BLE001 (the race goes on without it, and the table says so)
        return perf_counter() - started, "failed"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = perf_counter() - started
    return seconds, "late" if seconds > limit else _ending(board, verdict)


def _ending(board: Board, verdict: Verdict) -> str:
    if verdict.answer is None:
        return "none"
    if checks.broken(board, verdict.answer):
        return "wrong"
    return "unique" if verdict.unique else "several"


def _late(*_: object) -> None:
    raise TimeoutError


class Standing(NamedTuple):
    """A solver beside ours, on the boards that both have decided."""

    peer: str
    boards: int
    late: int
    wrong: int
    failed: int
    refused: int
    median: float
    """Seconds."""
    mean: float
    """Seconds."""
    by_median: float
    """How many times our median, on the same boards."""
    by_total: float
    """How many times our total, on the same boards."""


def standings(race_: Race, peers: Iterable[str], ours: str) -> list[Standing]:
    """Return how the solvers stand."""
    own = race_.times(ours)
    return [standing for peer in peers if (standing := _standing(race_, peer, own))]


def _standing(race_: Race, peer: str, own: Mapping[int, float]) -> Standing | None:
    times = race_.times(peer)
    shared = sorted(times.keys() & own.keys())
    bad = ("late", "wrong", "failed", "refused")
    late, wrong, failed, refused = (len(race_.boards_that(peer, {ending})) for ending in bad)
    if not shared:
        nan = float("nan")
        return (
            Standing(peer, 0, late, wrong, failed, refused, nan, nan, nan, nan)
            if late + wrong + failed + refused
            else None
        )
    theirs, mine = [times[board] for board in shared], [own[board] for board in shared]
    mean = sum(theirs) / len(theirs)
    by_total = sum(theirs) / sum(mine)
    middle = median(theirs)
    return Standing(peer, len(shared), late, wrong, failed, refused, middle, mean, middle / median(mine), by_total)
