"""`Settings`, the options of every question: rules, time limit, seed, threads."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.errors import PuzzleError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Self


# clingo's seeds have 32 bits.
SEEDS = 2**32
# clingo takes no more threads.
MOST_THREADS = 64


class _Fields(NamedTuple):
    """The fields of `Settings`, after the checks. A `NamedTuple` cannot check them itself."""

    encoding: Path | None = None
    """A file to use instead of the shipped encoding."""
    extra: Sequence[Path] = ()
    """Files of rules to add."""
    timeout: float | Deadline | None = None
    """Seconds for a board, grounding included; or a deadline that several questions share."""
    seed: int | None = None
    """A seed for a random but reproducible order of answers."""
    threads: int = 1
    """Threads to search in. With more than one, the order of answers may differ each time."""
    puzzles: Sequence[Path] = ()
    """Folders of your own puzzles, or directories of such folders; see `load`."""


class Settings(_Fields):
    """The options of a question. Paths may be text.

    Raises:
        PuzzleError: a value is invalid.
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
        """Return settings with valid values."""
        if timeout is not None and not isinstance(timeout, Deadline) and not (_is_number(timeout) and timeout >= 0):
            raise PuzzleError(f"timeout {shown(timeout)} makes no sense, expected seconds, 0 or more")
        if seed is not None and not (_is_integer(seed) and 0 <= seed < SEEDS):
            raise PuzzleError(f"seed {shown(seed)} makes no sense, expected an integer from 0 to {SEEDS - 1}")
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
        """Return settings with these values; `_replace` calls this."""
        return cls(*iterable)

    @property
    def edited(self) -> bool:
        """Whether the rules differ from the shipped ones."""
        return self.encoding is not None or bool(self.extra)

    @property
    def plain(self) -> bool:
        """Whether no option is set that matters for a shared grounding: only a time limit may be."""
        return not self.edited and self.seed is None and self.threads == 1

    def started(self) -> Settings:
        """Return settings with the clock running, so that all questions asked with them share one time limit."""
        if self.timeout is None or isinstance(self.timeout, Deadline):
            return self
        return self._replace(timeout=Deadline(self.timeout))

    def deadline(self) -> Deadline:
        """Return the deadline of a question that starts now, or the running one."""
        return self.timeout if isinstance(self.timeout, Deadline) else Deadline(self.timeout)


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _path(name: str, value: object) -> Path:
    if not isinstance(value, str | PathLike):
        raise PuzzleError(f"{name} {shown(value)} is not a path, expected one")
    return value if isinstance(value, Path) else Path(value)


def _paths(name: str, values: object) -> tuple[Path, ...]:
    if not isinstance(values, list | tuple):
        raise PuzzleError(f"{name} {shown(values)} is not a sequence, expected a list of paths")
    return tuple(_path(name, value) for value in values)


DEFAULT = Settings()


def refuse_settings(value: object, function: str, expected: str) -> None:
    """Raise `TypeError` for settings as the second argument of a function that expects something else there."""
    if isinstance(value, Settings):
        raise TypeError(f"the second argument of {function}() is {expected}; write settings=... to pass settings")
