"""`Processes`, a pool of forks for asyncio: they answer questions, and are replaced when one overruns its limits."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import deque
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.limits import Limits
from pyasp_puzzles.studio.forks import GIGABYTES, LAST_MARK, READY_MARK, Forks, fork_error_line, fork_record_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence

    from pyasp_puzzles.studio.forks import Message

# Processes that are started in advance; starting one takes as long as many answers.
SPARE_PROCESSES = 2

# Questions that are worked on at a time; each may take all the memory of a process.
MOST_AT_WORK = 4

# Seconds after its limit until a question is ended from outside.
_OVERRUN_SECONDS = 0.5
# Seconds in which a question that was dropped may end by itself; most do, and their process keeps its caches.
_DROPPED_SECONDS = 0.1
# Bytes of a record; the picture of the largest board that is drawn has a million.
_LONGEST_RECORD = 2**26
# Questions that wait; a page asks a few at a time.
_MOST_QUESTIONS_WAITING = 32

_LATE = "This took longer than {seconds:g} seconds, and was stopped."
_DIED = f"This was stopped: it needs more than {GIGABYTES} GB of memory, or it ended the process that works on it."


class BusyProcessesError(Exception):
    """Too many questions wait already."""


class Processes:
    """Processes for questions, started in advance; all methods belong to one event loop.

    Args:
        answer: the function that yields the records of a question, by its dotted name.
        warm_up: questions that are answered before the first process starts.
        environment: the environment of the processes.
    """

    def __init__(self, answer: str, warm_up: Sequence[Message], environment: Mapping[str, str]) -> None:
        number = min(max(os.cpu_count() or 1, 2), MOST_AT_WORK)
        self._new_forks = partial(Forks, answer, warm_up, environment)
        self._forks = self._new_forks()
        self._places = asyncio.Semaphore(number)
        self._most = number + SPARE_PROCESSES
        self._waiting = 0
        self._running: set[_Process] = set()
        # Those without a question, the one that was used last at the end: its caches fit the next question best.
        self._idle: deque[_Process] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    @asynccontextmanager
    async def process(self, seconds: float) -> AsyncIterator[_Process]:
        """Yield a process for one question; afterwards, end it unless it has answered.

        Args:
            seconds: how long to wait for a free process.

        Raises:
            BusyProcessesError: too many questions wait, or no process has become free in that time.
        """
        if self._waiting >= _MOST_QUESTIONS_WAITING:
            raise BusyProcessesError
        self._waiting += 1
        try:
            async with asyncio.timeout(seconds):
                await self._places.acquire()
        except TimeoutError:
            raise BusyProcessesError from None
        finally:
            self._waiting -= 1
        try:
            process = self._take()
        except OSError:
            self._places.release()
            raise BusyProcessesError from None
        try:
            yield process
        finally:
            self._spawn(self._release(process))

    def start(self) -> None:
        """Start the first process; more are started with the first question, when less else is starting."""
        self._idle.append(self._begin())

    def _start_ahead(self) -> None:
        with suppress(OSError):  # there are too many already, or it is over
            while len(self._idle) < SPARE_PROCESSES and len(self._running) < self._most:
                self._idle.appendleft(self._begin())

    async def close(self) -> None:
        """End all processes at once, and with them their questions."""
        self._closed = True
        while self._running:
            await asyncio.gather(*(self._end(process) for process in tuple(self._running)))
        await asyncio.gather(*self._tasks)
        await asyncio.to_thread(self._forks.end)

    def _take(self) -> _Process:
        while self._idle and not self._idle[-1].alive:  # it died while it had nothing to do
            self._spawn(self._end(self._idle.pop()))
        process = self._idle.pop() if self._idle else self._begin()
        self._start_ahead()
        return process

    async def _release(self, process: _Process) -> None:
        """Wait briefly for a process to be ready again, or replace it; then free its place for the next question."""
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
            self._spawn(asyncio.to_thread(self._forks.end))
            self._forks = self._new_forks()
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


class _Process:
    """A process, and the connection to it."""

    def __init__(self, forks: Forks) -> None:
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
        self._opening = asyncio.create_task(asyncio.open_connection(sock=ours, limit=_LONGEST_RECORD))
        self._greeting = asyncio.create_task(self._greet())

    @property
    def alive(self) -> bool:
        """Whether the process has not closed its connection."""
        return not self._greeting.done() or not self._opening.result()[0].at_eof()

    async def _greet(self) -> None:
        """Read the first lines of the process: its id, and that it is ready."""
        reader, _ = await asyncio.shield(self._opening)
        with suppress(OSError, ValueError):
            self._pid = int(await reader.readline())
            self._ready = await reader.readline() == READY_MARK

    async def ask(self, question: Message, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Write the records of a question as they come, lines of JSON, the last one `end`.

        A question that overruns its seconds, or whose process dies, ends with an error.
        """
        seconds: float = question["seconds"]
        try:
            async with asyncio.timeout(seconds + _OVERRUN_SECONDS):
                self._answered = await self._converse(question, write)
            failure = None if self._answered else _DIED
        except TimeoutError:
            failure = _LATE.format(seconds=seconds)
        if failure is not None:
            self._forks.kill(self._pid)
            with suppress(TimeoutError):  # nobody may be reading
                async with asyncio.timeout(_OVERRUN_SECONDS):
                    await write(fork_error_line(failure) + fork_record_line({"kind": "end", "late": failure != _DIED}))

    async def _converse(self, question: Message, write: Callable[[bytes], Awaitable[None]]) -> bool:
        """Write the records of a question; return whether the last one came."""
        await asyncio.shield(self._greeting)
        reader, writer = self._opening.result()
        with suppress(OSError, ValueError):  # it died, or a record is too long
            self._asked, self._ready = True, False
            writer.write(fork_record_line(question))
            await writer.drain()
            while line := await reader.readline():
                await write(line[1:])
                if line.startswith(LAST_MARK):
                    return True
        return False

    async def settled(self) -> bool:
        """Return whether the process is soon ready again, even if its question was dropped."""
        if not self.alive or not self._asked:
            return self.alive
        reader, _ = self._opening.result()
        with suppress(OSError, ValueError):  # out of time, or a record is too long
            async with asyncio.timeout(Limits.READY_SECONDS if self._answered else _DROPPED_SECONDS):
                while not self._ready and (line := await reader.readline()):
                    self._ready = line == READY_MARK
        self._asked = self._answered = False
        return self._ready

    async def end(self) -> None:
        """Kill the process; one that has not sent its id yet ends with its connection."""
        self._greeting.cancel()
        self._forks.kill(self._pid)
        _, writer = await self._opening
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
