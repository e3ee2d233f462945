"""Progress: a line on the terminal while nothing else comes."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from itertools import accumulate
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


Item = TypeVar("Item")
Line = TypeVar("Line", "Progress", "Rate")

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


class Rate:
    """A line on standard error: how many boards are done, how fast, and how long it takes until all are."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        """Take the lines of each file; nothing is known of those that are missing."""
        self._total = sum(sizes.values())
        self._before = dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False))
        self._began: int | None = None
        self._at = self._count = 0
        self._started = monotonic()
        self._shown = False
        self._lock = Lock()

    def done(self, source: str, line: int) -> None:
        """Note that the board at a line is done."""
        self._count += 1
        self._at = self._before.get(source, 0) + line
        if self._began is None:
            self._began = self._at - 1

    def show(self) -> None:
        """Show how far it is."""
        seconds = monotonic() - self._started
        words = f"{self._count} boards, {self._count / max(seconds, 0.001):.0f} a second"
        if self._began is not None and self._total >= self._at > self._began:
            left = seconds / (self._at - self._began) * (self._total - self._at)
            words += f", {_time(left)} left"
        with self._lock, suppress(OSError, ValueError):
            self._shown = True
            sys.stderr.write(f"\r{words} \033[K")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            with self._lock, suppress(OSError, ValueError):
                self._shown = False
                sys.stderr.write("\r\033[K")
                sys.stderr.flush()


def _time(seconds: float) -> str:
    """Return a time as people say it, in its two largest units: `1 h 5 min`."""
    minutes, hours = seconds // 60, seconds // 3600
    if hours:
        return f"{hours:.0f} h {minutes % 60:.0f} min"
    return f"{minutes:.0f} min {seconds % 60:.0f} s" if minutes else f"{seconds:.0f} s"


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """Show progress on a terminal while something is done: "looking for step 3, 4 s"."""
    with kept(Progress(what)) as line:
        yield line


@contextmanager
def kept(line: Line) -> Iterator[Line]:
    """Show a line on a terminal again and again, while something is done."""
    ended = Event()

    def run() -> None:
        while not ended.wait(SECONDS / 2):
            line.show()

    if on_terminal():
        Thread(target=run, daemon=True).start()
    try:
        yield line
    finally:
        ended.set()
        line.clear()


def on_terminal() -> bool:
    """Return whether somebody may see progress."""
    return sys.stderr is not None and sys.stderr.isatty()
