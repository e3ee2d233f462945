"""`uninterrupted`, a block in which Ctrl-C is delayed."""

from __future__ import annotations

import signal
from threading import get_ident, main_thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType


class uninterrupted:  # noqa: N801 (used as a function)
    """A block in which Ctrl-C is delayed until it ends, in the main thread.

    Raised while clingo calls back into Python, the exception is lost or ends the process: 12 of 60 interrupts during
    many quick questions did. Within another such block, this does nothing: to change what Ctrl-C does takes a third of
    the time of a quick question.
    """

    _inside = False

    def __enter__(self) -> None:
        main = get_ident() == main_thread().ident and not uninterrupted._inside
        self._handler = signal.getsignal(signal.SIGINT) if main else None
        self._frames: list[FrameType | None] = []
        if callable(self._handler):
            signal.signal(signal.SIGINT, lambda _, frame: self._frames.append(frame))
            uninterrupted._inside = True

    def __exit__(self, *_: object) -> None:
        if callable(self._handler):
            uninterrupted._inside = False
            signal.signal(signal.SIGINT, self._handler)
            if self._frames:
                self._handler(signal.SIGINT, None)
