"""`Processes`, which answer the questions of the studio, and are replaced when a question overruns its limits.

Question  {"ask": "hint", "seconds": 10, ...}: a line of JSON to a process
Record    {"kind": "board", ...}: a line of JSON from it; the last is {"kind": "end", "late": false, ...}
Mark      the byte before each record: RECORD or LAST; READY, a line of its own, asks for the next question

All are forks of one process that has imported and grounded what most questions need: a fork is ready in 10 ms, where a
new Python takes 500. `batches.workers` has one result for each call, and cannot end a single call that has begun.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections import deque
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.errors import PuzzleError
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
    from typing import BinaryIO, TypeAlias

    Question: TypeAlias = Mapping[str, Any]
    Answer: TypeAlias = Callable[[Question], Iterator[Question]]
    Write: TypeAlias = Callable[[bytes], Awaitable[None]]

RECORD, LAST, READY = b"+", b"-", b"\n"
GIGABYTES = Limits.STUDIO_MEMORY >> 30
LATE = "This took longer than {seconds:g} seconds, and was stopped."
DIED = f"This was stopped: it needs more than {GIGABYTES} GB of memory, or it ended the process that works on it."
MEMORY = f"This needs more than {GIGABYTES} GB of memory, and was stopped."

_CODE = f"import sys; sys.path[:] = sys.argv[3:]; from {__name__} import serve_forks; serve_forks(*sys.argv[1:3])"


def failure(words: str, *, late: bool = False) -> bytes:
    """Return the records of a question that is not answered: the error, and the end."""
    error = {"kind": "error", "words": words, "file": "", "line": None}
    return _line(error) + _line({"kind": "end", "late": late})


class BusyError(Exception):
    """Too many questions wait already."""


class Processes:
    """Processes for the questions of one page, started ahead; all methods belong to one event loop.

    Args:
        answer: the function that yields the records of a question, by its dotted name.
        warm_up: questions that are answered ahead, in the process that forks, or in a fork with nothing else to do.
        environment: the environment of the processes.
    """

    def __init__(self, answer: str, warm_up: Sequence[Question], environment: Mapping[str, str]) -> None:
        number = min(max(os.cpu_count() or 1, 2), Limits.MOST_AT_WORK)
        self._command = [sys.executable, "-c", _CODE, answer, json.dumps(warm_up), *sys.path]
        self._environment = environment
        self._forks = _ForkServer(self._command, environment)
        self._places = asyncio.Semaphore(number)
        self._most = number + Limits.SPARE_PROCESSES
        self._waiting = 0
        self._running: set[_Process] = set()
        # Those without a question, the one that was used last at the end: its caches fit the next question best.
        self._idle: deque[_Process] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    @asynccontextmanager
    async def process(self, seconds: float) -> AsyncIterator[_Process]:
        """Give a process for one question, whose limit is some seconds; it is ended unless it has answered.

        Raises:
            BusyError: too many questions wait, or none of the processes has become free in that time.
        """
        if self._waiting >= Limits.MOST_QUESTIONS_WAITING:
            raise BusyError
        self._waiting += 1
        try:
            async with asyncio.timeout(seconds):
                await self._places.acquire()
        except TimeoutError:
            raise BusyError from None
        finally:
            self._waiting -= 1
        try:
            process = self._take()
        except OSError:
            self._places.release()
            raise BusyError from None
        try:
            yield process
        finally:
            self._spawn(self._release(process))

    def start(self) -> None:
        """Start the first process; more are started with the first question, when there is less else to start."""
        self._idle.append(self._begin())

    def _start_ahead(self) -> None:
        with suppress(OSError):  # there are too many already, or it is over
            while len(self._idle) < Limits.SPARE_PROCESSES and len(self._running) < self._most:
                self._idle.appendleft(self._begin())

    async def close(self) -> None:
        """End all processes at once, and with them their questions."""
        self._closed = True
        while self._running:
            await asyncio.gather(*(self._end(process) for process in tuple(self._running)))
        await asyncio.gather(*self._tasks)
        await self._forks.end()

    def _take(self) -> _Process:
        while self._idle and not self._idle[-1].alive:  # it died while it had nothing to do
            self._spawn(self._end(self._idle.pop()))
        process = self._idle.pop() if self._idle else self._begin()
        self._start_ahead()
        return process

    async def _release(self, process: _Process) -> None:
        """Wait a moment for a process to be ready again, or replace it; then let the next question have its place."""
        try:
            if await process.settled() and not self._closed:
                self._idle.append(process)
                return
            await self._end(process)
            self._start_ahead()
        finally:
            self._places.release()

    def _begin(self) -> _Process:
        if self._closed:
            raise OSError("it is over")
        try:
            process = _Process(self._forks)
        except OSError:  # the process that forks has died
            self._spawn(self._forks.end())
            self._forks = _ForkServer(self._command, self._environment)
            process = _Process(self._forks)
        self._running.add(process)
        return process

    async def _end(self, process: _Process) -> None:
        self._running.discard(process)
        await process.end()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _ForkServer:
    """The process that forks, and the connection to it: 8 bytes are 0, with a socket for a fork, or a fork to kill."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            # Ctrl-C reaches only the server; the others end when their connections do.
            self._process = subprocess.Popen(  # noqa: S603 (this Python)
                command, stdin=theirs.fileno(), env=environment, start_new_session=True
            )

    def fork(self, connection: socket.socket) -> None:
        """Start a process with the other end of a connection."""
        socket.send_fds(self._control, [bytes(8)], [connection.fileno()])

    def kill(self, pid: int) -> None:
        """Kill a fork, unless it has ended."""
        with suppress(OSError):
            self._control.sendall(pid.to_bytes(8))

    async def end(self) -> None:
        """End the process, and wait until it is gone; it ends its forks before."""
        self._control.close()
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(self._process.wait, Limits.READY_SECONDS)
        self._process.kill()
        await asyncio.to_thread(self._process.wait)


class _Process:
    """A process, and the connection to it."""

    def __init__(self, forks: _ForkServer) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                forks.fork(theirs)
            except OSError:
                ours.close()
                raise
        self._forks = forks
        self._pid = 0
        self._asked = self._answered = self._ready = False
        self._opening = asyncio.create_task(asyncio.open_connection(sock=ours, limit=Limits.LONGEST_RECORD))
        self._greeting = asyncio.create_task(self._greet())

    @property
    def alive(self) -> bool:
        """Whether the process has not closed its connection."""
        return not self._greeting.done() or not self._opening.result()[0].at_eof()

    async def _greet(self) -> None:
        """Read what the process says first: its id, and that it is ready."""
        reader, _ = await asyncio.shield(self._opening)
        with suppress(OSError, ValueError):
            self._pid = int(await reader.readline())
            self._ready = await reader.readline() == READY

    async def ask(self, question: Question, write: Write) -> None:
        """Write the records of a question as they come, lines of JSON, the last one `end`.

        A question that overruns its seconds, or whose process dies, ends with an error.
        """
        seconds: float = question["seconds"]
        try:
            async with asyncio.timeout(seconds + Limits.OVERRUN_SECONDS):
                self._answered = await self._converse(question, write)
            words = None if self._answered else DIED
        except TimeoutError:
            words = LATE.format(seconds=seconds)
        if words is not None:
            self._forks.kill(self._pid)
            with suppress(TimeoutError):  # nobody may be reading
                async with asyncio.timeout(Limits.OVERRUN_SECONDS):
                    await write(failure(words, late=words != DIED))

    async def _converse(self, question: Question, write: Write) -> bool:
        """Write the records of a question; return whether the last one came."""
        await asyncio.shield(self._greeting)
        reader, writer = self._opening.result()
        with suppress(OSError, ValueError):  # it died, or a record is too long
            self._asked, self._ready = True, False
            writer.write(_line(question))
            await writer.drain()
            while line := await reader.readline():
                await write(line[1:])
                if line.startswith(LAST):
                    return True
        return False

    async def settled(self) -> bool:
        """Return whether the process is ready again within a moment, though its question may have been dropped."""
        if not self.alive or not self._asked:
            return self.alive
        reader, _ = self._opening.result()
        with suppress(OSError, ValueError):  # out of time, or a record is too long
            async with asyncio.timeout(Limits.READY_SECONDS if self._answered else Limits.DROPPED_SECONDS):
                while not self._ready and (line := await reader.readline()):
                    self._ready = line == READY
        self._asked = self._answered = False
        return self._ready

    async def end(self) -> None:
        """Kill the process; one that has not even said its id ends with its connection."""
        self._greeting.cancel()
        self._forks.kill(self._pid)
        _, writer = await self._opening
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


# -- In the other processes -------------------------------------------------------


def serve_forks(answer: str, warm_up: str) -> None:
    """Fork for each connection that comes, and kill forks, until standard input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(100_000)
    os.dup2(2, 1)  # what is printed does not belong to the output of the command
    forks: set[int] = set()

    def reap(*_: object) -> None:
        with suppress(ChildProcessError):
            while pid := os.waitpid(-1, os.WNOHANG)[0]:
                forks.discard(pid)

    signal.signal(signal.SIGCHLD, reap)
    module, _, name = answer.rpartition(".")
    function = getattr(import_module(module), name)
    warming = deque(json.loads(warm_up))
    with socket.socket(fileno=os.dup(0)) as control:
        while True:
            while warming and not select.select([control], [], [], 0)[0]:
                _warm_up(function, warming)
            gc.freeze()  # or each fork would copy the pages of all objects when it collects garbage
            message, connections, *_ = socket.recv_fds(control, 8, 1)
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})  # what is in `forks` has not been reaped
            for connection in connections:
                if (pid := os.fork()) == 0:
                    control.close()
                    _work(function, warming, connection)
                forks.add(pid)
                os.close(connection)
            for pid in forks & {int.from_bytes(message)} if message else forks:
                os.kill(pid, signal.SIGKILL)
            if not message:
                break
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    for pid in forks:
        os.waitpid(pid, 0)


def _warm_up(function: Answer, questions: deque[Question]) -> None:
    with suppress(Exception):
        list(function(questions.popleft()))


def _work(function: Answer, warming: deque[Question], connection: int) -> None:
    """Answer the questions of a connection until it is closed; this never returns."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        with open(os.devnull, "rb") as nothing:  # noqa: PTH123 (as a descriptor)
            os.dup2(nothing.fileno(), 0)
        _limit_memory()
        records = os.fdopen(connection, "wb")
        records.write(b"%d\n" % os.getpid())
        questions: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=_receive, args=(questions, os.dup(connection)), daemon=True).start()
        threads = threading.active_count()
        fit = True
        while fit and threading.active_count() <= threads:  # a search that cannot be stopped leaves a thread behind
            records.write(READY)
            records.flush()
            while warming and questions.empty():
                _warm_up(function, warming)
            fit = _answer(function, json.loads(questions.get()), records) and _has_memory()
    except BrokenPipeError:
        pass  # the server has ended
    except Exception:  # noqa: BLE001 (it must not return)
        traceback.print_exc()
    finally:
        signal.raise_signal(signal.SIGKILL)


def _receive(questions: SimpleQueue[bytes], connection: int) -> None:
    """Read questions; when the server has ended, end the process, whatever it is doing."""
    with suppress(OSError), os.fdopen(connection, "rb") as lines:
        for line in lines:
            questions.put(line)
    signal.raise_signal(signal.SIGKILL)


def _answer(function: Answer, question: Question, records: BinaryIO) -> bool:
    """Write the records of a question; return whether the process can take another one."""
    end: Question = {"kind": "end", "late": False}
    words, fit = "", True
    try:
        for record in function(question):
            if record["kind"] == "end":
                end = record
                break
            records.write(RECORD + _line(record))
            records.flush()
    except PuzzleError as error:
        words = str(error)
    except BrokenPipeError:
        raise
    except MemoryError:
        words, fit = MEMORY, False
    except Exception as error:  # noqa: BLE001 (the process does not end with its question)
        traceback.print_exc()
        words, fit = f"This failed: {type(error).__name__}: {error}", False
    if words:
        records.write(RECORD + _line({"kind": "error", "words": words, "file": "", "line": None}))
    records.write(LAST + _line(end))
    records.flush()
    return fit and not end.get("late")


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):  # not every system has such limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (Limits.STUDIO_MEMORY, Limits.STUDIO_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _has_memory() -> bool:
    """Return whether the process has half of its memory left."""
    with suppress(ImportError):
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit < Limits.STUDIO_MEMORY // 2
    return True


def _line(record: Question) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"
