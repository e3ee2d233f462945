"""A Dask cluster as an executor, with the optional extra `pyasp-puzzles[dask]`."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from pyasp_puzzles.errors import PuzzleError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


Given = ParamSpec("Given")
Result = TypeVar("Result")

SECONDS = 10
"""That the scheduler may take to answer."""
LOOK = 0.5
"""Seconds between looks whether it is still there."""


@contextmanager
def connected(address: str) -> Iterator[Executor]:
    """Yield the cluster whose scheduler has that address, as an executor.

    Raises:
        PuzzleError: there is no such scheduler, or Dask is not installed.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise PuzzleError("no Dask here, expected pyasp-puzzles[dask] to be installed") from None
    try:
        client = distributed.Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise PuzzleError(f"no Dask scheduler answers at {shown(address)}: {error}") from None
    with client, _Cluster(client) as cluster:
        yield cluster


class _Cluster(Executor):
    """Dask's executor, whose futures also end when the scheduler is gone: they would wait for ever."""

    def __init__(self, client: Any) -> None:  # noqa: ANN401 (of a library that may not be here)
        self._client = client
        self._executor: Executor = client.get_executor(pure=False)
        self._pending: set[Future[Any]] = set()
        self._lock = Lock()
        self._closed = Event()
        Thread(target=self._watch, daemon=True).start()

    def submit(self, function: Callable[Given, Result], /, *args: Given.args, **kwargs: Given.kwargs) -> Future[Result]:
        """Have a function called by a worker."""
        if not self._there:
            raise BrokenExecutor("the scheduler is gone")
        future: Future[Result] = Future()
        with self._lock:
            self._pending.add(future)
        self._executor.submit(function, *args, **kwargs).add_done_callback(partial(self._pass_on, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 (Executor's)
        """Give up what is not done."""
        self._closed.set()
        if self._there:
            self._executor.shutdown(wait=wait and not cancel_futures and not self._pending)

    @property
    def _there(self) -> bool:
        return bool(self._client.status == "running")

    def _pass_on(self, future: Future[Any], inner: Future[Any]) -> None:
        """Hand on what came of a task."""
        if inner.cancelled():
            self._end(future, BrokenExecutor("the scheduler has dropped it"))
        elif error := inner.exception():
            self._end(future, error)
        else:
            self._end(future, None, inner.result())

    def _end(self, future: Future[Any], error: BaseException | None, result: object = None) -> None:
        with self._lock:
            if future not in self._pending:
                return
            self._pending.remove(future)
        if not future.set_running_or_notify_cancel():
            return
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

    def _watch(self) -> None:
        while not self._closed.wait(LOOK):
            if not self._there:
                for future in list(self._pending):
                    self._end(future, BrokenExecutor("the scheduler is gone"))
