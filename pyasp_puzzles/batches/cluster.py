"""A Dask cluster as an executor; it needs the optional extra `pyasp-puzzles[dask]`."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import Event, Thread
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
