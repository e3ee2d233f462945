"""`Pool`, processes that answer calls, for batches and for the studio; `Workers` and a Dask cluster, executors.

Call    (function, args, kwargs): what a worker is asked, one at a time
Part    any object that a call sends before its result: what a generator yields, or a text for `stage`
Frame   8 bytes with the length of what follows, and a pickled call, part or `Result`

Workers are forks of one process that has imported what most calls need: a fork is ready in 10 ms, where a new Python
takes 500. The standard library's `ProcessPoolExecutor` fails all futures when one process dies, cannot kill a process
that hangs, and runs the caller's main module again.
"""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import socket
import subprocess
import sys
from concurrent.futures import BrokenExecutor, Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from itertools import count
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from types import GeneratorType
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from pyasp_puzzles.arguments import whole_number
from pyasp_puzzles.asp.deadline import busy_threads
from pyasp_puzzles.errors import PuzzleError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO, Self


Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")

# Bytes of the length of a frame, and of the number of a worker.
LENGTH_BYTES = 8
# Seconds in which the process that forks must end.
_END_SECONDS = 1.0
# A worker with a limit of memory is replaced if it once took this part of it, or after so many calls if it once took
# the smaller part: what it keeps from call to call makes the next ones fast, and grows.
_LARGE, _LARGE_AFTER_CALLS, _MOST_CALLS = 1 / 2, 1 / 16, 100


class LostWorkerError(BrokenExecutor):
    """The process that ran this call, and no other, died."""


class Result(NamedTuple):
    """The end of a call."""

    result: Any = None
    error: Exception | None = None
    fit: bool = False
    """Whether the worker can answer another call: this one did not fail, and left no search behind."""


def frame(item: object) -> bytes:
    """Return an object as it is sent."""
    pickled = pickle.dumps(item)
    return len(pickled).to_bytes(LENGTH_BYTES) + pickled


def call_by_name(function: str, *args: object) -> Any:  # noqa: ANN401 (of any function)
    """Call a function, given by its dotted name, which only the worker imports."""
    module, _, name = function.rpartition(".")
    return getattr(import_module(module), name)(*args)


# -- Processes ------------------------------------------------------------------------------------


class Worker:
    """A process of a pool, and the connection to it."""

    def __init__(self, server: _Server) -> None:
        self.connection, theirs = socket.socketpair()
        with theirs:
            try:
                self._number = server.fork(theirs)
            except OSError:
                self.connection.close()
                raise
        self._server = server
        self._frames = self.connection.makefile("rb")

    @property
    def alive(self) -> bool:
        """Whether the process, which has nothing to do, has not closed its connection."""
        try:
            return self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
        except OSError as error:
            return isinstance(error, BlockingIOError)

    def call(self, call: bytes, take: Callable[[Any], None]) -> Result:
        """Send a call, pass each part of its answer to `take`, and return its result.

        Raises:
            EOFError, OSError, pickle.UnpicklingError: the process died.
        """
        self.connection.sendall(call)
        while self._frames.read(LENGTH_BYTES):
            part = pickle.load(self._frames)  # noqa: S301 (from our own process)
            if isinstance(part, Result):
                return part
            take(part)
        raise EOFError

    def kill(self) -> None:
        """Kill the process, unless it has ended; whoever waits for an answer gets an error."""
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self._server.kill(self._number)

    def end(self) -> None:
        """Kill the process, and close the connection, which nobody uses."""
        self.kill()
        self._frames.close()
        self.connection.close()


class Pool:
    """Processes that answer calls, each one at a time.

    Those without a call are kept, the one that was used last at the end: its caches fit the next call best.

    Args:
        ahead: calls, each a function and its arguments, that are made before the first process starts.
        memory: bytes of address space of each process; 0 for no limit.
        options: those of `Popen` for the process that they are forks of.
    """

    def __init__(self, ahead: Sequence[Sequence[Any]], memory: int = 0, **options: Any) -> None:  # noqa: ANN401
        self._new_server = partial(_Server, ahead, memory, options)
        self._server: _Server | None = None
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._lock = Lock()
        self._closed = False

    def start(self, number: int) -> None:
        """Start processes that have nothing to do yet."""
        with self._lock:
            for _ in range(number):
                self._idle.insert(0, self._fork())

    def take(self) -> Worker:
        """Return a process for one call, to be released after it.

        Raises:
            OSError: it cannot be started, or the pool is closed.
        """
        with self._lock:
            while self._idle and not self._idle[-1].alive:
                self._idle.pop().end()
            worker = self._idle.pop() if self._idle else self._fork()
            self._busy.add(worker)
            return worker

    def release(self, worker: Worker, *, fit: bool) -> None:
        """Keep a process for the next call, or replace it."""
        with self._lock:
            self._busy.discard(worker)
            if fit and not self._closed:
                self._idle.append(worker)
                return
            worker.end()
            with suppress(OSError):
                self._idle.insert(0, self._fork())

    def close(self) -> None:
        """End all processes at once, and with them their calls."""
        with self._lock:
            self._closed = True
            for worker in self._busy:
                worker.kill()
            while self._idle:
                self._idle.pop().end()
            if self._server:
                self._server.end()

    def _fork(self) -> Worker:
        if self._closed:
            raise OSError("the pool is closed")
        if self._server:
            try:
                return Worker(self._server)
            except ConnectionError:  # it has died
                self._server.end()
        self._server = self._new_server()
        return Worker(self._server)


class _Server:
    """The process that forks, and the connection to it: a number, with a socket for a new worker, or to kill it."""

    def __init__(self, ahead: Sequence[Sequence[Any]], memory: int, options: dict[str, Any]) -> None:
        self._numbers = count(1)
        self._control, theirs = socket.socketpair()
        code = "import sys, pickle; sys.path[:] = sys.argv[2:]; pickle.loads(bytes.fromhex(sys.argv[1]))()"
        call = pickle.dumps(partial(_serve, ahead, memory)).hex()
        with theirs:
            # Ctrl-C reaches only the process that starts it; this one ends when its connection does.
            self._process = subprocess.Popen(  # noqa: S603 (this Python)
                [sys.executable, "-c", code, call, *sys.path],
                stdin=theirs.fileno(),
                start_new_session=True,
                **options,
            )

    def fork(self, connection: socket.socket) -> int:
        """Start a worker with the other end of a connection; return its number."""
        number = next(self._numbers)
        socket.send_fds(self._control, [number.to_bytes(LENGTH_BYTES)], [connection.fileno()])
        return number

    def kill(self, number: int) -> None:
        """Kill a worker, unless it has ended."""
        with suppress(OSError):
            self._control.sendall(number.to_bytes(LENGTH_BYTES))

    def end(self) -> None:
        """End the process, and wait until it is gone; it kills its workers before."""
        self._control.close()
        self._process.terminate()  # if it has no workers yet
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        self._process.kill()
        self._process.wait()


# -- In other processes ---------------------------------------------------------------------------


def _serve(ahead: Sequence[Sequence[Any]], memory: int) -> None:
    """Fork for each connection received, and kill workers on demand, until standard input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(100_000)  # at the usual rate, collecting garbage takes a tenth of the time of an explanation
    control = socket.socket(fileno=os.dup(0))
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 (as a descriptor)
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)  # what calls print
    for function, *args in ahead:
        with suppress(Exception):
            _answer(lambda _part: None, function, args, {})
    gc.freeze()  # or each fork would copy the pages of all objects when it collects garbage
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    workers: dict[bytes, int] = {}  # {number: process id}
    while True:
        number, connections, *_ = socket.recv_fds(control, LENGTH_BYTES, 1)
        if connections:
            with suppress(OSError):  # there are too many processes
                workers[number] = _fork(connections[0], control, memory)
            os.close(connections[0])
            continue
        for ended in [number] if number else [*workers]:
            if worker := workers.pop(ended, 0):
                os.kill(worker, signal.SIGKILL)
                os.waitpid(worker, 0)  # until then, its id is not used again
        if not number:
            signal.raise_signal(signal.SIGKILL)


def _fork(connection: int, control: socket.socket, memory: int) -> int:
    """Start a worker that answers the calls of a connection, and return its id."""
    if (pid := os.fork()) == 0:
        try:
            control.close()
            os.setsid()  # Linux divides the time of a busy machine by sessions
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            if memory:
                with suppress(OSError, ValueError):  # not every system has such a limit
                    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            _work(connection, memory)
        finally:  # it must not return, nor raise
            signal.raise_signal(signal.SIGKILL)
    return pid


def _work(connection: int, memory: int) -> None:
    """Answer the calls of a connection until it is closed."""
    frames = os.fdopen(connection, "wb")
    calls: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_receive, args=(calls, os.fdopen(os.dup(connection), "rb")), daemon=True).start()
    threads = busy_threads()

    def send(part: object) -> None:
        frames.write(frame(part))
        frames.flush()

    for number in count(1):
        result, error = None, None
        try:
            result = _answer(send, *pickle.loads(calls.get()))  # noqa: S301 (from the process that started this one)
        except Exception as raised:  # noqa: BLE001 (the caller raises it)
            error = raised.with_traceback(None)  # whose frames may hold much
        # A search that cannot be stopped leaves a thread behind.
        fit = isinstance(error, PuzzleError | None) and busy_threads() <= threads and _has_memory(memory, number)
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 (made here)
            answer = frame(Result(result, error, fit))
        except Exception as raised:  # noqa: BLE001 (a result or an error that cannot be pickled)
            error = RuntimeError(f"{type(error or raised).__name__}: {error or raised}")
            answer = frame(Result(None, error))
        frames.write(answer)
        frames.flush()


def _answer(
    send: Callable[[object], None], function: Callable[..., object], args: Sequence[object], kwargs: dict[str, object]
) -> object:
    """Call a function and return its result; send the texts that it passes to `stage`, and what it yields."""
    for called in (function, *args):
        owner: Any = getattr(called, "__self__", None)
        if hasattr(owner, "stage"):
            owner.stage = send
    result = function(*args, **kwargs)
    if not isinstance(result, GeneratorType):
        return result
    for part in result:
        send(part)
    return None


def _has_memory(memory: int, calls: int) -> bool:
    """Return whether a worker took little enough of its memory, so far, to answer more calls."""
    most = memory * (_LARGE if calls < _MOST_CALLS else _LARGE_AFTER_CALLS)
    unit = 1 if sys.platform == "darwin" else 1024
    return not memory or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit < most


def _receive(calls: SimpleQueue[Any], frames: BinaryIO) -> None:
    """Read calls; when the connection is closed, end the process, whatever it is doing."""
    with suppress(OSError):
        while length := frames.read(LENGTH_BYTES):
            calls.put(frames.read(int.from_bytes(length)))
    signal.raise_signal(signal.SIGKILL)


# -- Executors ------------------------------------------------------------------------------------


class Workers(Executor):
    """A pool as an executor: its processes start when there is work, and are replaced when they die.

    Use it in a `with` statement.
    """

    def __init__(self, number: int | None = None) -> None:
        """Set the number of processes; None for the number of processors.

        Raises:
            TypeError: it is no whole number.
            ArgumentError: it is less than 1.
        """
        wanted = None if number is None else whole_number(number, "number", 1, "how many processes to start, 1 or more")
        self.number = wanted or os.cpu_count() or 1
        self.said: Callable[[Any], None] = lambda _part: None
        """Called in a thread with each part of an answer, such as a text that an object passes to its `stage`."""
        self._pool = Pool([(import_module, "pyasp_puzzles.batches.batch")])  # which most calls need
        # Futures, each with its call; None ends a thread.
        self._calls: SimpleQueue[tuple[Future[Any], bytes] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._lock = Lock()
        self._closed = False

    def submit(
        self, function: Callable[Parameters, Returned], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[Returned]:
        """Call a function in a process. The function, its arguments and its result are pickled.

        If the process dies, the future raises `LostWorkerError`.
        """
        future: Future[Returned] = Future()
        call = frame((function, args, kwargs))
        with self._lock:
            if self._closed:
                raise RuntimeError("work was submitted after the shutdown")
            self._calls.put((future, call))
            if len(self._threads) < self.number:
                self._threads.append(Thread(target=self._work, daemon=True))
                self._threads[-1].start()
        return future

    def start(self) -> Self:
        """Start all processes now, while their first work is read, and return this executor."""
        self._pool.start(self.number)
        return self

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 (Executor's)
        """End the processes when all calls are done; with `cancel_futures`, when those that have begun are done."""
        with self._lock:
            self._closed = True
            if cancel_futures:
                with suppress(Empty):
                    while call := self._calls.get_nowait():
                        call[0].cancel()
            for _ in self._threads:
                self._calls.put(None)
        end = Thread(target=self._end)
        end.start()
        if wait:
            end.join()

    def kill(self) -> None:
        """End the processes at once."""
        self._pool.close()
        self.shutdown(cancel_futures=True)

    def _end(self) -> None:
        for thread in self._threads:
            thread.join()
        self._pool.close()

    def _work(self) -> None:
        """Pass calls to processes; this runs in a thread."""
        while call := self._calls.get():
            future, message = call
            if not future.set_running_or_notify_cancel():
                continue
            worker, answer = None, Result(error=LostWorkerError("the worker was killed"))
            with suppress(EOFError, OSError, pickle.UnpicklingError):
                worker = self._pool.take()
                answer = worker.call(message, self.said)
            if worker:
                self._pool.release(worker, fit=answer.fit)
            if answer.error is None:
                future.set_result(answer.result)
            else:
                future.set_exception(answer.error)


@contextmanager
def started_workers(number: int) -> Iterator[Workers]:
    """Start processes; end them at once after the block, however it ends."""
    workers = Workers(number).start()
    try:
        yield workers
    finally:
        workers.kill()


# -- A Dask cluster ---------------------------------------------------------------------------------

# Seconds for the scheduler to answer.
_CONNECT_SECONDS = 10
# Seconds between checks that the scheduler is still there.
_WATCH_SECONDS = 0.5


@contextmanager
def connected_cluster(address: str) -> Iterator[Executor]:
    """Connect to the cluster of this scheduler, and yield it as an executor; it needs `pyasp-puzzles[dask]`.

    Raises:
        PuzzleError: there is no such scheduler, or Dask is not installed.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise PuzzleError("Dask is not installed; run pip install 'pyasp-puzzles[dask]'") from None
    try:
        client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise PuzzleError(f"no Dask scheduler answers at {shown(address)}: {error}") from None
    with client, _Cluster(client) as cluster:
        yield cluster


class _Cluster(Executor):
    """Dask's executor, whose futures fail when the scheduler is gone; without this, they would wait forever."""

    def __init__(self, client: Any) -> None:  # noqa: ANN401 (Dask may not be installed)
        self._client = client
        self._executor: Executor = client.get_executor(pure=False)
        self._pending: set[Future[Any]] = set()
        self._closed = Event()
        Thread(target=self._watch, daemon=True).start()

    def submit(
        self, function: Callable[Parameters, Returned], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[Returned]:
        """Call a function in a worker of the cluster."""
        if not self._alive:
            raise BrokenExecutor("the scheduler is gone")
        future = self._executor.submit(function, *args, **kwargs)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 (Executor's)
        """Stop watching the scheduler, and shut down Dask's executor."""
        self._closed.set()
        if self._alive:
            self._executor.shutdown(wait=wait and not cancel_futures and not self._pending)

    @property
    def _alive(self) -> bool:
        return bool(self._client.status == "running")

    def _watch(self) -> None:
        while not self._closed.wait(_WATCH_SECONDS):
            if not self._alive:
                for future in self._pending.copy():
                    with suppress(InvalidStateError):  # it has just been done
                        future.set_exception(BrokenExecutor("the scheduler is gone"))
