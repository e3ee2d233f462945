"""`Workers`, an executor of processes that continues when a worker dies; a Dask cluster as an executor.

The standard library's `ProcessPoolExecutor` fails all futures when one process dies, cannot kill a process that hangs,
and runs the caller's main module again.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor, Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from importlib import import_module
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

from pyasp_puzzles.arguments import whole_number
from pyasp_puzzles.errors import PuzzleError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self


Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Process: TypeAlias = "subprocess.Popen[bytes]"


def start_worker(function: str, *arguments: str, **options: Any) -> Process:  # noqa: ANN401 (those of Popen)
    """Start a Python process that calls a function, given by its dotted name, with texts."""
    module, _, name = function.rpartition(".")
    first = len(arguments) + 1
    code = f"import sys, {module}; {module}.{name}(*sys.argv[1:{first}])"
    code = f"import sys; sys.path[:] = sys.argv[{first}:]; {code}"
    # Ctrl-C reaches only the process that starts it; this one ends when its connection does.
    return subprocess.Popen(  # noqa: S603 (this Python)
        [sys.executable, "-c", code, *arguments, *sys.path], start_new_session=True, **options
    )


def prepare_worker() -> None:
    """Ignore Ctrl-C in this process, send its standard output to standard error, and collect garbage rarely.

    At the usual rate, collecting garbage takes a tenth of the time of an explanation.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(100_000)
    os.dup2(2, 1)


class LostWorkerError(BrokenExecutor):
    """The process that ran this call, and no other, died."""


class Workers(Executor):
    """Processes that start when there is work, and are replaced when they die. Use it in a `with` statement."""

    def __init__(self, number: int | None = None) -> None:
        """Set the number of processes; None for the number of processors.

        Raises:
            TypeError: it is no whole number.
            ArgumentError: it is less than 1.
        """
        wanted = None if number is None else whole_number(number, "number", 1, "how many processes to start, 1 or more")
        self.number = wanted or os.cpu_count() or 1
        self.said: Callable[[str], None] = lambda _words: None
        """Called in a thread with each text that a worker passes to the `stage` of an object whose method it calls."""
        # Futures, each with its function and arguments, pickled; None ends a thread.
        self._calls: SimpleQueue[tuple[Future[Any], bytes] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._processes: set[Process] = set()
        self._lock = Lock()
        self._closed = False
        self._killed = False

    def submit(
        self, function: Callable[Parameters, Result], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[Result]:
        """Call a function in a process. The function, its arguments and its result are pickled.

        If the process dies, the future raises `LostWorkerError`. If the result has a true attribute `abandoned`, the
        process is replaced.
        """
        future: Future[Result] = Future()
        message = pickle.dumps((function, args, kwargs))
        with self._lock:
            if self._closed:
                raise RuntimeError("work was submitted after the shutdown")
            self._calls.put((future, message))
            self._start_thread()
        return future

    def start(self) -> Self:
        """Start all processes now, while their first work is read, and return this executor."""
        with self._lock:
            for _ in range(self.number):
                self._start_thread()
        return self

    def _start_thread(self) -> None:
        if len(self._threads) < self.number:
            self._threads.append(Thread(target=self._work, daemon=True))
            self._threads[-1].start()

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
        for thread in self._threads if wait else ():
            thread.join()

    def kill(self) -> None:
        """End the processes at once."""
        with self._lock:
            self._killed = True
            for process in self._processes:
                process.kill()
        self.shutdown(cancel_futures=True)

    def _work(self) -> None:
        """Pass calls to a process, and start another when it dies; this runs in a thread."""
        process: Process | None = None
        with suppress(OSError):  # raised again for a call
            process = self._start()
        while call := self._calls.get():
            future, message = call
            if not future.set_running_or_notify_cancel():
                continue
            try:
                process = process or self._start()
                error, result = self._answer(process, message)
            except (EOFError, OSError, pickle.UnpicklingError):
                error, result = LostWorkerError("the worker was killed"), None
            if process and (isinstance(error, LostWorkerError) or getattr(result, "abandoned", False)):
                self._end(process)
                process = None
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
        if process:
            self._end(process)

    def _answer(self, process: Process, message: bytes) -> tuple[Exception | None, Any]:
        """Send a call to a process, and return its error and its result."""
        assert process.stdin
        assert process.stdout
        pickle.dump(message, process.stdin)
        process.stdin.flush()
        while isinstance(answer := pickle.load(process.stdout), str):  # noqa: S301 (from our own process)
            self.said(answer)
        error, result = answer
        return error, result

    def _start(self) -> Process:
        with self._lock:
            if self._killed:
                raise OSError("the workers were killed")
            process = start_worker(f"{__name__}.serve_worker", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._processes.add(process)
        return process

    def _end(self, process: Process) -> None:
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe:
                    pipe.close()
        process.wait()
        with self._lock:
            self._processes.discard(process)


@contextmanager
def started_workers(number: int) -> Iterator[Workers]:
    """Start processes; end them at once after the block, however it ends."""
    workers = Workers(number).start()
    try:
        yield workers
    finally:
        workers.kill()


def serve_worker() -> None:
    """Answer the calls on standard input until it is closed; this runs in a worker."""
    results = os.fdopen(os.dup(1), "wb")
    prepare_worker()
    import_module("pyasp_puzzles.batches.batch")  # which most calls need
    messages: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_receive, args=(messages,), daemon=True).start()

    def say(text: str) -> None:
        pickle.dump(text, results)
        results.flush()

    while True:
        error, result = None, None
        try:
            function, args, kwargs = pickle.loads(messages.get())  # noqa: S301 (from the process that started this one)
            for called in (function, *args):
                owner: Any = getattr(called, "__self__", None)
                if hasattr(owner, "stage"):
                    owner.stage = say
            result = function(*args, **kwargs)
        except Exception as raised:  # noqa: BLE001 (the future raises it)
            error = raised
        try:
            answer = pickle.dumps((error, result))
        except Exception as raised:  # noqa: BLE001 (a result or an error that cannot be pickled)
            answer = pickle.dumps((RuntimeError(f"{type(error or raised).__name__}: {error or raised}"), None))
        results.write(answer)
        results.flush()


def _receive(messages: SimpleQueue[bytes]) -> None:
    """Read calls; when standard input is closed, end the process, whatever it is doing."""
    with suppress(EOFError, OSError, pickle.UnpicklingError), os.fdopen(0, "rb") as calls:
        while True:
            messages.put(pickle.load(calls))  # noqa: S301 (from the process that started this one)
    signal.raise_signal(signal.SIGTERM)


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
        self, function: Callable[Parameters, Result], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[Result]:
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
