"""`Settings`, how to search: what may be said beside any question."""

from __future__ import annotations

from threading import TIMEOUT_MAX
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


class Settings(NamedTuple):
    """How to search: what may be said beside any question."""

    encoding: Path | None = None
    """A file to use in place of the encoding that ships."""
    extra: Sequence[Path] = ()
    """Files of rules to add."""
    timeout: float | None = None
    """Seconds for a board, grounding included."""
    seed: int | None = None
    """A seed for another order of the answers, the same one each time."""
    threads: int = 1
    """Threads to search in; with more than one, the order of the answers is not the same each time."""
    puzzles: Sequence[Path] = ()
    """Folders of puzzles of one's own, or directories of such; see `load`."""

    @property
    def plain(self) -> bool:
        """Whether the search is as usual, with our rules: no more than its time may be limited."""
        return self._replace(timeout=None, puzzles=()) == DEFAULT

    def deadline(self) -> float:
        """Return when the time for a board that begins now is over, on the clock of `time.monotonic`."""
        return monotonic() + min(TIMEOUT_MAX / 2, TIMEOUT_MAX if self.timeout is None else self.timeout)

    def clock(self) -> Callable[[], bool]:
        """Return a function that tells whether the time for a board, which begins now, is over."""
        deadline = self.deadline()
        return lambda: monotonic() >= deadline

    def from_now(self) -> Callable[[], Settings]:
        """Return a function that gives the settings with as much time as is left for a board that begins now."""
        deadline = self.deadline()
        return lambda: self if self.timeout is None else self._replace(timeout=max(0.0, deadline - monotonic()))


DEFAULT = Settings()
