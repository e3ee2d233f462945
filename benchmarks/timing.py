"""Times of programs on the same boards: in turn, in a new process, with every answer checked.

Run      one program on one board: its time in seconds, and how it ended
Ending   "unique", "several" or "none", as the program reports; "late"; "not taken", the program cannot take the board;
         "wrong", the answer breaks a rule; "failed", the program raised an error
"""

import gc
import signal
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import mean, median
from time import process_time
from typing import Any, NamedTuple

from pyasp_puzzles import explain

from .board_sets import small_board
from .boards import Board, broken_rules
from .peers import OURS, PEERS, Solve

DECIDED = ("unique", "several", "none")
# Boards that a program solves one after another before the next program's turn.
TURN = 20


class Run(NamedTuple):
    """One program on one board."""

    peer: str
    board: int
    seconds: float
    ending: str


def compare(boards: list[Board], peers: list[str], repeats: int, limit: float, budget: float) -> dict[str, Any]:
    """Return the medians and ratios of programs on the boards of a set; each repeat is a new process."""
    runs = [run for _ in range(repeats) for run in measure(boards, peers, limit, budget)]
    times: dict[str, dict[int, list[float]]] = {peer: {} for peer in peers}
    verdicts: dict[int, set[str]] = {}
    for run in runs:
        if run.ending in DECIDED:
            times[run.peer].setdefault(run.board, []).append(run.seconds)
            verdicts.setdefault(run.board, set()).add(run.ending)
    medians = {peer: {board: median(some) for board, some in found.items()} for peer, found in times.items()}
    others = {(run.peer, run.board, run.ending) for run in runs if run.ending not in DECIDED}
    rows = {}
    for peer in peers:
        shared = medians[peer].keys() & medians[OURS].keys()
        notes = Counter(ending for name, _, ending in others if name == peer)
        row: dict[str, Any] = {"boards": len(shared), "notes": dict(notes)}
        if shared:
            theirs, ours = ([medians[name][board] for board in sorted(shared)] for name in (peer, OURS))
            row |= {"median": median(theirs), "mean": mean(theirs)}
            row |= {"by_median": median(theirs) / median(ours), "by_total": sum(theirs) / sum(ours)}
        rows[peer] = row
    answers = Counter(ending for endings in verdicts.values() for ending in endings)
    disputed = sum(len(endings) > 1 for endings in verdicts.values())
    return {"boards": len(boards), "answers": dict(answers), "disputed": disputed, "rows": rows}


def measure(boards: list[Board], peers: list[str], limit: float, budget: float) -> Iterator[Run]:
    """Yield the runs in a new process; if that hangs or dies, those until then.

    A program has `limit` seconds for a board, and solves no more boards once it has used `budget` seconds.
    """
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, boards, peers, limit, budget), daemon=True)
    process.start()
    sender.close()
    try:
        while receiver.poll(limit + 30):  # programs that ignore the limit are killed later
            yield receiver.recv()
    except EOFError:
        pass
    finally:
        process.kill()
        process.join()


def _send(sender: Connection, boards: list[Board], peers: list[str], limit: float, budget: float) -> None:
    small = small_board(boards[0].puzzle)
    for peer in peers:
        if solve := PEERS[peer].prepare(small):
            solve()
    gc.collect()
    gc.freeze()
    spent = dict.fromkeys(peers, 0.0)
    for turn, start in enumerate(range(0, len(boards), TURN)):
        first = turn % len(peers)
        for peer in [*peers[first:], *peers[:first]]:
            some = list(enumerate(boards[start : start + TURN], start))
            for (i, board), solve in zip(some, [_prepared(peer, board) for _, board in some], strict=True):
                if spent[peer] < budget:
                    seconds, ending = _timed(board, solve, limit)
                    spent[peer] += seconds
                    sender.send(Run(peer, i, seconds, ending))
    sender.close()


def _prepared(peer: str, board: Board) -> Solve | None:
    try:
        return PEERS[peer].prepare(board)
    except Exception:  # noqa: BLE001 (whatever a program raises for a board that it cannot take)
        return None


def _timed(board: Board, solve: Solve | None, limit: float) -> tuple[float, str]:
    """Return the CPU time in seconds, and the ending."""
    if solve is None:
        return 0.0, "not taken"
    signal.signal(signal.SIGALRM, _late)
    started = process_time()
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        verdict = solve()
    except TimeoutError:
        return process_time() - started, "late"
    except Exception:  # noqa: BLE001 (the table reports it)
        return process_time() - started, "failed"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = process_time() - started
    if seconds > limit:
        return seconds, "late"
    ending = "none" if verdict.answer is None else "unique" if verdict.unique else "several"
    return seconds, "wrong" if verdict.answer is not None and broken_rules(board, verdict.answer) else ending


def _late(*_: object) -> None:
    raise TimeoutError


def explanations(boards: list[Board]) -> dict[str, Any]:
    """Return the median CPU time of whole explanations, by pyasp_puzzles only."""
    times, steps = [], []
    for instance in [board.instance() for board in boards]:
        started = process_time()
        steps.append(len(list(explain(instance))))
        times.append(process_time() - started)
    return own(len(boards), median(times)) | {"longest": max(times), "steps": mean(steps)}


def own(boards: int, seconds: float) -> dict[str, Any]:
    """Return figures of pyasp_puzzles alone, in the form of `compare`."""
    return {"boards": boards, "rows": {OURS: {"boards": boards, "median": seconds, "by_median": 1.0, "notes": {}}}}
