"""`Workers`, an executor of processes, each of which may die without taking the others' work with it.

That of the standard library gives up all that it was asked for when one process dies, and cannot end one that does not
come back; and it runs the caller's main module again, which has to be written for that.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable


Given = ParamSpec("Given")
Result = TypeVar("Result")
Job: TypeAlias = "tuple[Future[Any], bytes]"
Process: TypeAlias = "subprocess.Popen[bytes]"

_BEGIN = f"import sys; sys.path[:] = sys.argv[1:]; from {__name__} import serve; serve()"


class LostWorkerError(BrokenExecutor):
    """The process that was at work on this, and on nothing else, has ended."""


class Workers(Executor):
    """Processes that are started when there is work, and replaced when they die; to be closed, as any executor is."""

    def __init__(self, number: int | None = None) -> None:
        """Take a number of processes, as many as there are processors if none is given."""
        self.number = number or os.cpu_count() or 1
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._processes: set[Process] = set()
        self._lock = Lock()
        self._closed = False
        self._killed = False

    def submit(self, function: Callable[Given, Result], /, *args: Given.args, **kwargs: Given.kwargs) -> Future[Result]:
        """Have a function called in a process; it and its arguments have to be fit for `pickle`.

        Where the process dies, the future raises `LostWorkerError`. A result whose attribute `spent` is true is
        the last of its process.
        """
        future: Future[Result] = Future()
        message = pickle.dumps((function, args, kwargs))
        with self._lock:
            if self._closed:
                raise RuntimeError("no more work is taken after the shutdown")
            self._jobs.put((future, message))
            if len(self._threads) < self.number:
                self._threads.append(Thread(target=self._work, daemon=True))
                self._threads[-1].start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 (Executor's)
        """End the processes when what was begun is done; what was not begun is done, too, or else cancelled."""
        with self._lock:
            self._closed = True
            if cancel_futures:
                with suppress(Empty):
                    while job := self._jobs.get_nowait():
                        job[0].cancel()
            for _ in self._threads:
                self._jobs.put(None)
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
        """Have jobs done by one process after the other, as long as there are any."""
        process: Process | None = None
        while job := self._jobs.get():
            future, message = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                process = process or self._start()
                error, result = _ask(process, message)
            except (EOFError, OSError, pickle.UnpicklingError):
                error, result = LostWorkerError("the worker was killed"), None
            if process and (isinstance(error, LostWorkerError) or getattr(result, "spent", False)):
                self._end(process)
                process = None
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
        if process:
            self._end(process)

    def _start(self) -> Process:
        with self._lock:
            if self._killed:
                raise OSError("it is over")
            process = subprocess.Popen(  # noqa: S603 (it is this Python)
                [sys.executable, "-c", _BEGIN, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for us alone; they end when we do
            )
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


def _ask(process: Process, message: bytes) -> tuple[Exception | None, Any]:
    assert process.stdin
    assert process.stdout
    pickle.dump(message, process.stdin)
    process.stdin.flush()
    answer: tuple[Exception | None, Any] = pickle.load(process.stdout)  # noqa: S301 (it is from our own process)
    return answer


def serve() -> None:
    """Do what is asked on standard input, until that ends: what a worker does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(100_000)
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else may be written has no place among the results
    messages: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(messages,), daemon=True).start()
    while True:
        error, result = None, None
        try:
            function, args, kwargs = pickle.loads(messages.get())  # noqa: S301 (it is from the process that made us)
            result = function(*args, **kwargs)
        except Exception as wrong:  # noqa: BLE001 (raised again by whoever waits)
            error = wrong
        try:
            answer = pickle.dumps((error, result))
        except Exception as wrong:  # noqa: BLE001 (what is no data cannot be handed back, be it result or error)
            answer = pickle.dumps((RuntimeError(f"{type(error or wrong).__name__}: {error or wrong}"), None))
        results.write(answer)
        results.flush()


def _listen(messages: SimpleQueue[bytes]) -> None:
    """Take what is asked; when nobody is left to ask, end at once, whatever is being done."""
    with suppress(EOFError, OSError, pickle.UnpicklingError), os.fdopen(0, "rb") as asked:
        while True:
            messages.put(pickle.load(asked))  # noqa: S301 (the same)
    signal.raise_signal(signal.SIGTERM)
