"""`Settings`, the options of every question: rules, time limit, seed, threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.arguments import one_path, several_paths, type_error, whole_number
from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.errors import ArgumentError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike
    from pathlib import Path
    from typing import Any, Self

    from pyasp_puzzles.arguments import Paths


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
    """The options of a question. Paths may be text; one path may stand for a list of one.

    Raises:
        TypeError: a value has a wrong type.
        PuzzleError: a value makes no sense; it is a `ValueError`, too.
    """

    __slots__ = ()

    def __new__(  # noqa: PLR0917 (as the fields are)
        cls,
        encoding: PathLike[str] | str | None = None,
        extra: Paths = (),
        timeout: float | Deadline | None = None,
        seed: int | None = None,
        threads: int = 1,
        puzzles: Paths = (),
    ) -> Self:
        """Return settings with valid values."""
        if timeout is not None and not isinstance(timeout, Deadline):
            if isinstance(timeout, bool) or not isinstance(timeout, int | float):
                raise type_error(timeout, "timeout", "seconds, 0 or more")
            if not timeout >= 0:
                raise ArgumentError(f"timeout is {shown(timeout)}; pass seconds, 0 or more")
        if seed is not None:
            seed = _in_range(seed, "seed", 0, SEEDS - 1)
        return super().__new__(
            cls,
            None if encoding is None else one_path(encoding, "encoding"),
            several_paths(extra, "extra") if extra != () else (),
            timeout,
            seed,
            _in_range(threads, "threads", 1, MOST_THREADS),
            several_paths(puzzles, "puzzles") if puzzles != () else (),
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


def _in_range(value: object, name: str, least: int, most: int) -> int:
    expected = f"a whole number from {least} to {most}"
    number = whole_number(value, name, expected=expected)
    if not least <= number <= most:
        raise ArgumentError(f"{name} is {shown(number)}; pass {expected}")
    return number


DEFAULT = Settings()


def check_settings(settings: object) -> None:
    """Raise `TypeError` unless settings are `Settings`."""
    if not isinstance(settings, Settings):
        raise type_error(settings, "settings", "settings=Settings(...)")


def refuse_settings(value: object, function: str, expected: str) -> None:
    """Raise `TypeError` for settings as the second argument of a function that expects something else there."""
    if isinstance(value, Settings):
        raise TypeError(f"the second argument of {function}() is {expected}; write settings=... to pass settings")
