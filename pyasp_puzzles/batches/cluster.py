"""A Dask cluster as an executor; it needs the optional extra `pyasp-puzzles[dask]`."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.errors import PuzzleError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyasp_puzzles.batches.workers import Parameters, Result

# Seconds for the scheduler to answer.
_CONNECT_SECONDS = 10
# Seconds between checks that the scheduler is still there.
_WATCH_SECONDS = 0.5


@contextmanager
def connected_cluster(address: str) -> Iterator[Executor]:
    """Connect to the cluster of this scheduler, and yield it as an executor.

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
    """Dask's executor, with futures that fail when the scheduler is gone; Dask's own would wait forever."""

    def __init__(self, client: Any) -> None:  # noqa: ANN401 (Dask may not be installed)
        self._client = client
        self._executor: Executor = client.get_executor(pure=False)
        self._pending: set[Future[Any]] = set()
        self._lock = Lock()
        self._closed = Event()
        Thread(target=self._watch, daemon=True).start()

    def submit(
        self, function: Callable[Parameters, Result], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[Result]:
        """Call a function in a worker of the cluster."""
        if not self._alive:
            raise BrokenExecutor("the scheduler is gone")
        future: Future[Result] = Future()
        with self._lock:
            self._pending.add(future)
        self._executor.submit(function, *args, **kwargs).add_done_callback(partial(self._copy, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 (Executor's)
        """Stop watching the scheduler, and shut down Dask's executor."""
        self._closed.set()
        if self._alive:
            self._executor.shutdown(wait=wait and not cancel_futures and not self._pending)

    @property
    def _alive(self) -> bool:
        return bool(self._client.status == "running")

    def _copy(self, future: Future[Any], done: Future[Any]) -> None:
        """Set the result of a future from Dask's, which is done."""
        if done.cancelled():
            self._finish(future, BrokenExecutor("the scheduler has dropped it"))
        elif error := done.exception():
            self._finish(future, error)
        else:
            self._finish(future, None, done.result())

    def _finish(self, future: Future[Any], error: BaseException | None, result: object = None) -> None:
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
        while not self._closed.wait(_WATCH_SECONDS):
            if not self._alive:
                for future in list(self._pending):
                    self._finish(future, BrokenExecutor("the scheduler is gone"))
