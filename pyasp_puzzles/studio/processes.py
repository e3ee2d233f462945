"""`Processes`, a pool of workers for asyncio: they answer questions, and are replaced when one overruns its limits.

Question  {"ask": "hint", "seconds": 10, ...}
Record    {"kind": "board", ...}: sent as a line of JSON; the last is {"kind": "end", "late": false, ...}
"""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import subprocess
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from pyasp_puzzles.batches.workers import LENGTH_BYTES, Pool, Result, Worker, call_by_name, frame
from pyasp_puzzles.errors import PuzzleError

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    Record: TypeAlias = Mapping[str, Any]
    Write: TypeAlias = Callable[[bytes], Awaitable[None]]

# Questions that are worked on at a time; each may take all the memory of a process.
MOST_AT_WORK = 4
# Bytes of address space of a process.
_MEMORY = 2 * 2**30

# Seconds after its limit until a question is ended from outside.
_OVERRUN_SECONDS = 0.5
# Seconds in which a question that was dropped may end by itself; most do, and their process keeps its caches.
_DROPPED_SECONDS = 0.1
# Bytes of a record, and those that are received at once; the picture of a board of 200x200 has 17 million.
_LONGEST_RECORD, _MOST_RECEIVED = 2**25, 2**18
# Questions that wait; a page asks a few at a time.
_MOST_QUESTIONS_WAITING = 32
# A question whose client has not read for so many seconds makes room for another one until it does; at most so many do.
_UNREAD_SECONDS, _MOST_UNREAD = 0.2, 8

_LATE = "This took longer than {seconds:g} seconds, and was stopped."
_FULL = f"This needs more than {_MEMORY >> 30} GB of memory, and was stopped."
_DIED = f"This was stopped: it needs more than {_MEMORY >> 30} GB of memory, or it ended the process that works on it."


class BusyProcessesError(Exception):
    """Too many questions wait already."""


class Processes:
    """Processes for questions, started in advance; all methods belong to one event loop.

    Args:
        answer: the function that yields the records of a question, by its dotted name.
        warm_up: questions that are answered before the first process starts.
        environment: the environment of the processes.
    """

    def __init__(self, answer: str, warm_up: Sequence[Record], environment: Mapping[str, str]) -> None:
        number = min(max(os.cpu_count() or 1, 2), MOST_AT_WORK)
        self._answer = answer
        ahead = [
            (import_module, answer.rpartition(".")[0]),
            *((call_by_name, answer, question) for question in warm_up),
        ]
        # The terminal is not for what fails in questions.
        self._pool = Pool(ahead, _MEMORY, env=environment, stderr=subprocess.DEVNULL)
        self._pool.start(number)
        self._places = asyncio.Semaphore(number)
        self._waiting = self._unread = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, question: Record, write: Write) -> None:
        """Write the records of a question as they come, lines of JSON, the last one `end`.

        A question that overruns its seconds, or whose process dies, ends with an error. One that is cancelled may end
        by itself.

        Raises:
            BusyProcessesError: too many questions wait, or no process has become free in its seconds.
        """
        if self._waiting >= _MOST_QUESTIONS_WAITING:
            raise BusyProcessesError
        self._waiting += 1
        try:
            async with asyncio.timeout(question["seconds"]):
                await self._places.acquire()
        except TimeoutError:
            raise BusyProcessesError from None
        finally:
            self._waiting -= 1
        try:
            worker = self._pool.take()
            worker.connection.setblocking(False)  # noqa: FBT003 (its only parameter)
        except OSError:
            self._places.release()
            raise BusyProcessesError from None
        task = asyncio.create_task(self._work(worker, question, write))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(_DROPPED_SECONDS, task.cancel)
            raise

    async def close(self) -> None:
        """End all processes at once, and with them their questions."""
        await asyncio.to_thread(self._pool.close)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _work(self, worker: Worker, question: Record, write: Write) -> None:
        """Write the records of a question; release its process, and its place, when the answer is there."""
        loop, seconds = asyncio.get_running_loop(), question["seconds"]
        deadline = loop.time() + seconds + _OVERRUN_SECONDS
        result, end, has_place = Result(), {"kind": "end", "late": False}, True

        async def write_record(record: bytes) -> None:
            """Write a record; if nobody reads it, another question has this one's place until somebody does."""
            nonlocal has_place
            writing = asyncio.ensure_future(write(record))
            try:
                await asyncio.wait([writing], timeout=_UNREAD_SECONDS)
                if not writing.done() and self._unread < _MOST_UNREAD:
                    self._places.release()
                    self._unread, has_place = self._unread + 1, False
                    try:
                        await asyncio.wait([writing])
                    finally:
                        self._unread -= 1
                    await self._places.acquire()
                    has_place = True
                await writing
            finally:
                writing.cancel()

        try:
            async with asyncio.timeout_at(deadline):
                await loop.sock_sendall(worker.connection, frame((call_by_name, (self._answer, question), {})))
                while not isinstance(part := await _part(worker.connection), Result):
                    if part["kind"] == "end":
                        end = part
                    else:
                        await write_record(_line(part))
            result, failure = part, "" if part.error is None else _words(part.error)
        except TimeoutError:
            failure, end = _LATE.format(seconds=seconds), end | {"late": True}
        except (OSError, EOFError, pickle.UnpicklingError):
            failure = _DIED
        finally:
            self._pool.release(worker, fit=result.fit)
            if has_place:
                self._places.release()
        with suppress(TimeoutError):  # nobody may be reading
            async with asyncio.timeout_at(max(deadline, loop.time() + _OVERRUN_SECONDS)):
                if failure:
                    await write(_line({"kind": "error", "words": failure, "file": "", "line": None}))
                await write(_line(end))


def _line(record: Record) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def _words(error: Exception) -> str:
    """Return what went wrong in a question."""
    if isinstance(error, MemoryError):
        return _FULL
    return str(error) if isinstance(error, PuzzleError) else f"This failed: {type(error).__name__}: {error}"


async def _part(connection: socket.socket) -> Any:  # noqa: ANN401 (a record or a result)
    """Return the next part of an answer.

    Raises:
        EOFError: the process died, or a record is too long.
    """
    length = int.from_bytes(await _received(connection, LENGTH_BYTES))
    if length > _LONGEST_RECORD:
        raise EOFError
    return pickle.loads(await _received(connection, length))  # noqa: S301 (from our own process)


async def _received(connection: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        most = min(size - len(data), _MOST_RECEIVED)
        data += (more := await asyncio.get_running_loop().sock_recv(connection, most))
        if not more:
            raise EOFError
    return bytes(data)
