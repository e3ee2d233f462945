"""`Settings`, how to search: what may be said beside any question."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.errors import PuzzleError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Self


MOST_SEEDS = 2**32
"""clingo takes seeds of 32 bits,"""
MOST_THREADS = 64
"""and as many threads."""


class _Fields(NamedTuple):
    """What `Settings` holds, once it is known to make sense."""

    encoding: Path | None = None
    """A file to use in place of the encoding that ships."""
    extra: Sequence[Path] = ()
    """Files of rules to add."""
    timeout: float | Deadline | None = None
    """Seconds for a board, grounding included; or the deadline that several questions share."""
    seed: int | None = None
    """A seed for another order of the answers, the same one each time."""
    threads: int = 1
    """Threads to search in; with more than one, the order of the answers is not the same each time."""
    puzzles: Sequence[Path] = ()
    """Folders of puzzles of one's own, or directories of such; see `load`."""


class Settings(_Fields):
    """How to search: what may be said beside any question. A path may be text.

    Raises:
        PuzzleError: something makes no sense.
    """

    __slots__ = ()

    def __new__(  # noqa: PLR0917 (as the fields are)
        cls,
        encoding: Path | str | None = None,
        extra: Sequence[Path | str] = (),
        timeout: float | Deadline | None = None,
        seed: int | None = None,
        threads: int = 1,
        puzzles: Sequence[Path | str] = (),
    ) -> Self:
        """Return settings that make sense."""
        if timeout is not None and not isinstance(timeout, Deadline) and not (_is_number(timeout) and timeout >= 0):
            raise PuzzleError(f"timeout {shown(timeout)} makes no sense, expected seconds, 0 or more")
        if seed is not None and not (_is_integer(seed) and 0 <= seed < MOST_SEEDS):
            raise PuzzleError(f"seed {shown(seed)} makes no sense, expected an integer from 0 to {MOST_SEEDS - 1}")
        if not (_is_integer(threads) and 1 <= threads <= MOST_THREADS):
            raise PuzzleError(f"threads {shown(threads)} makes no sense, expected an integer from 1 to {MOST_THREADS}")
        return super().__new__(
            cls,
            None if encoding is None else _path("encoding", encoding),
            _paths("extra", extra) if extra != () else (),
            timeout,
            seed,
            threads,
            _paths("puzzles", puzzles) if puzzles != () else (),
        )

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Self:  # type: ignore[override]
        """Return settings of all fields, which must make sense: this is what `_replace` calls."""
        return cls(*iterable)

    @property
    def edited(self) -> bool:
        """Whether the rules are not exactly those that ship with the puzzle."""
        return self.encoding is not None or bool(self.extra)

    @property
    def plain(self) -> bool:
        """Whether the search is as usual, with our rules: no more than its time may be limited."""
        return not self.edited and self.seed is None and self.threads == 1

    def started(self) -> Settings:
        """Return the settings with the clock running: all that is asked with these shares the time of one question."""
        if self.timeout is None or isinstance(self.timeout, Deadline):
            return self
        return self._replace(timeout=Deadline(self.timeout))

    def deadline(self) -> Deadline:
        """Return when the time is over for a question that begins now, unless its clock is running already."""
        return self.timeout if isinstance(self.timeout, Deadline) else Deadline(self.timeout)


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _path(name: str, value: object) -> Path:
    if not isinstance(value, str | PathLike):
        raise PuzzleError(f"{name} {shown(value)} is no path, expected one")
    return value if isinstance(value, Path) else Path(value)


def _paths(name: str, values: object) -> tuple[Path, ...]:
    if not isinstance(values, list | tuple):
        raise PuzzleError(f"{name} {shown(values)} is no sequence, expected a list of paths")
    return tuple(_path(name, value) for value in values)


DEFAULT = Settings()
