"""Progress: a line on the terminal while nothing else comes."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Item = TypeVar("Item")

SECONDS = 1.0
"""Of waiting, until it is said what for."""


class Progress:
    """A line on standard error that is there only as long as something takes longer than a second."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._count = 0
        self._started = self._since = monotonic()
        self._shown = False
        self._lock = Lock()

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items; the line is gone when one comes."""
        for item in items:
            self.clear()
            yield item
            with self._lock:
                self._count += 1
                self._since = monotonic()

    def show(self) -> None:
        """Show how far it is, if there is something to wait for."""
        with self._lock, suppress(OSError, ValueError):
            if monotonic() - self._since >= SECONDS:
                self._shown = True
                seconds = monotonic() - self._started
                sys.stderr.write(f"\r{self._what} {self._count + 1}, {seconds:.0f} s \033[K")
                sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        with self._lock, suppress(OSError, ValueError):
            self._since = float("inf")
            if self._shown:
                self._shown = False
                sys.stderr.write("\r\033[K")
                sys.stderr.flush()


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """Show progress on a terminal while something is done: "looking for step 3, 4 s"."""
    line, ended = Progress(what), Event()

    def run() -> None:
        while not ended.wait(SECONDS / 2):
            line.show()

    if sys.stderr is not None and sys.stderr.isatty():
        Thread(target=run, daemon=True).start()
    try:
        yield line
    finally:
        ended.set()
        line.clear()
