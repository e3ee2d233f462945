"""`Forks`, processes that answer questions as they are found, and that can be killed in the middle of one.

Message  {"ask": "hint", "seconds": 10, ...}: a line of JSON to a process
Record    {"kind": "board", ...}: a line of JSON from it; the last is {"kind": "end", "late": false, ...}
Mark      the byte before each record: RECORD_MARK or LAST_MARK; READY_MARK, a line, asks for the next question

All are forks of one process that has imported what most questions need, and has answered some: a fork is ready in
10 ms, where a new Python takes 500. `Workers` have one result for each call, and run under Windows, too.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from select import select
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.deadline import busy_threads
from pyasp_puzzles.batches.workers import prepare_worker, start_worker
from pyasp_puzzles.errors import PuzzleError
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import BinaryIO, TypeAlias

    Message: TypeAlias = Mapping[str, Any]
    Respond: TypeAlias = Callable[[Message], Iterator[Message]]

# Bytes of address space of a process.
_FORK_MEMORY = 2 * 2**30

RECORD_MARK, LAST_MARK, READY_MARK = b"+", b"-", b"\n"
GIGABYTES = _FORK_MEMORY >> 30
_MEMORY = f"This needs more than {GIGABYTES} GB of memory, and was stopped."


class Forks:
    """The process that forks, and the connection to it: 8 bytes are 0, with a socket for a fork, or a fork to kill.

    Args:
        answer: the function that yields the records of a question, by its dotted name.
        ahead: questions that are answered before the first fork.
        environment: the environment of the processes.
    """

    def __init__(self, answer: str, ahead: Sequence[Message], environment: Mapping[str, str]) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = start_worker(
                f"{__name__}.serve_forks", answer, json.dumps(ahead), stdin=theirs.fileno(), env=environment
            )

    def fork(self, connection: socket.socket) -> None:
        """Start a process with the other end of a connection."""
        socket.send_fds(self._control, [bytes(8)], [connection.fileno()])

    def kill(self, pid: int) -> None:
        """Kill a fork, unless it has ended."""
        with suppress(OSError):
            self._control.sendall(pid.to_bytes(8))

    def end(self) -> None:
        """End the process, and wait until it is gone; it ends its forks before."""
        self._control.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(Limits.READY_SECONDS)
        self._process.kill()
        self._process.wait()


def fork_error_line(words: str) -> bytes:
    """Return the record of an error as it is sent."""
    return fork_record_line({"kind": "error", "words": words, "file": "", "line": None})


def fork_record_line(record: Message) -> bytes:
    """Return a record as it is sent."""
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


# -- In the other processes -------------------------------------------------------


def serve_forks(answer: str, ahead: str) -> None:
    """Fork for each connection received, and kill forks on demand, until standard input is closed."""
    prepare_worker()
    forks: set[int] = set()
    module, _, name = answer.rpartition(".")
    function = getattr(import_module(module), name)
    for question in json.loads(ahead):
        with suppress(Exception):
            list(function(question))
    gc.freeze()  # or each fork would copy the pages of all objects when it collects garbage
    # A signal that comes just before a call waits does not end the call; the byte that it writes here does.
    ended, wake_up = socket.socketpair()
    wake_up.settimeout(0)
    signal.set_wakeup_fd(wake_up.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    with socket.socket(fileno=os.dup(0)) as control, ended, wake_up:
        message = bytes(8)
        while message:
            ready, _, _ = select([control, ended], [], [])
            if ended in ready:
                ended.recv(4096)
                _reap(forks)
            if control in ready:
                message, connections, *_ = socket.recv_fds(control, 8, 1)
                for connection in connections:
                    with suppress(OSError):  # there are too many processes
                        forks.add(_fork(function, connection, (control, ended, wake_up)))
                    os.close(connection)
                for pid in forks & {int.from_bytes(message)} if message else forks:
                    os.kill(pid, signal.SIGKILL)
        for pid in forks:
            os.waitpid(pid, 0)


def _fork(function: Respond, connection: int, others: Sequence[socket.socket]) -> int:
    """Start a process that answers the questions of a connection, and has none of the others; return its id."""
    if (pid := os.fork()) == 0:
        signal.set_wakeup_fd(-1)
        for other in others:
            other.close()
        _work(function, connection)
    return pid


def _reap(forks: set[int]) -> None:
    """Remove the forks that have ended: until they are reaped, the system keeps their ids."""
    with suppress(ChildProcessError):
        while pid := os.waitpid(-1, os.WNOHANG)[0]:
            forks.discard(pid)


def _work(function: Respond, connection: int) -> None:
    """Answer the questions of a connection until it is closed; this never returns."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        with open(os.devnull, "r+b") as nothing:  # noqa: PTH123 (as a descriptor)
            for descriptor in range(3):  # the terminal is not for questions, nor for what fails in them
                os.dup2(nothing.fileno(), descriptor)
        with suppress(OSError, ValueError):  # not every system has such a limit
            resource.setrlimit(resource.RLIMIT_AS, (_FORK_MEMORY,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        records = os.fdopen(connection, "wb")
        records.write(b"%d\n" % os.getpid())
        questions: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=_receive, args=(questions, os.dup(connection)), daemon=True).start()
        threads = busy_threads()
        fit = True
        while fit and busy_threads() <= threads:  # a search that cannot be stopped leaves a thread behind
            records.write(READY_MARK)
            records.flush()
            fit = _answer(function, json.loads(questions.get()), records) and _has_memory()
    finally:  # it must not return, nor raise
        signal.raise_signal(signal.SIGKILL)


def _receive(questions: SimpleQueue[bytes], connection: int) -> None:
    """Read questions; when the server has ended, end the process, whatever it is doing."""
    with suppress(OSError), os.fdopen(connection, "rb") as lines:
        for line in lines:
            questions.put(line)
    signal.raise_signal(signal.SIGKILL)


def _answer(function: Respond, question: Message, records: BinaryIO) -> bool:
    """Write the records of a question; return whether the process can take another one."""
    end: Message = {"kind": "end", "late": False}
    failure, fit = "", True
    try:
        for record in function(question):
            if record["kind"] == "end":
                end = record
                break
            records.write(RECORD_MARK + fork_record_line(record))
            records.flush()
    except PuzzleError as error:
        failure = str(error)
    except BrokenPipeError:
        raise
    except MemoryError:
        failure, fit = _MEMORY, False
    except Exception as error:  # noqa: BLE001 (the process does not end with its question)
        failure, fit = f"This failed: {type(error).__name__}: {error}", False
    if failure:
        records.write(RECORD_MARK + fork_error_line(failure))
    records.write(LAST_MARK + fork_record_line(end))
    records.flush()
    return fit and not end.get("late")


def _has_memory() -> bool:
    """Return whether the process has half of its memory left."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit < _FORK_MEMORY // 2
