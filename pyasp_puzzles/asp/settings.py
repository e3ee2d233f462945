"""`Settings`, the options of every question: rules, time limit, seed, threads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from pyasp_puzzles.arguments import one_path, several_paths, type_error, whole_number
from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.asp.rules import Rules
from pyasp_puzzles.errors import ArgumentError, shown
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from pathlib import Path
    from typing import TypeAlias

    from pyasp_puzzles.arguments import Paths
    from pyasp_puzzles.asp.rules import RuleFile

    # What is given as rules.
    RuleInput: TypeAlias = str | PathLike[str] | Rules


Given = TypeVar("Given")
Kept = TypeVar("Kept")

# clingo's seeds have 32 bits.
SEEDS = 2**32


class _Field(Generic[Given, Kept]):
    """A field of `Settings`: its default, and what checks a value and returns it as it is kept.

    A dataclass passes the values of its fields through such a descriptor, and takes its types for those of its own.
    """

    def __init__(self, default: Given, checked: Callable[[Given, str], Kept]) -> None:
        self._default, self._checked = default, checked

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, settings: None, owner: type) -> Given: ...
    @overload
    def __get__(self, settings: object, owner: type) -> Kept: ...
    def __get__(self, settings: object | None, owner: type) -> Given | Kept:
        return self._default if settings is None else settings.__dict__[self._name]

    def __set__(self, settings: object, value: Given) -> None:
        kept = value if value is self._default else self._checked(value, self._name)
        settings.__dict__[self._name] = kept


def _timeout(value: float | Deadline | None, name: str) -> float | Deadline | None:
    if value is not None and not isinstance(value, Deadline):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise type_error(value, name, "seconds, 0 or more")
        if not value >= 0:
            raise ArgumentError(f"{name} is {shown(value)}; pass seconds, 0 or more")
    return value


def _seed(value: int | None, name: str) -> int | None:
    return None if value is None else _in_range(value, name, 0, SEEDS - 1)


def _threads(value: int, name: str) -> int:
    return _in_range(value, name, 1, Limits.MOST_THREADS)


def _encoding(value: RuleInput | None, name: str) -> RuleFile | None:
    return None if value is None else _rules(value, name)


def _extra(value: RuleInput | Sequence[RuleInput], name: str) -> tuple[RuleFile, ...]:
    if isinstance(value, Rules) or not isinstance(value, list | tuple):
        return (_rules(value, name),) if isinstance(value, Rules) else several_paths(value, name)
    return tuple(_rules(one, f"a path of {name}") for one in value)


def _rules(value: RuleInput, name: str) -> RuleFile:
    if not isinstance(value, Rules):
        return one_path(value, name)
    if not isinstance(value.text, str) or not isinstance(value.name, str):
        raise type_error(value, name, "Rules(text), with the text as a string")
    return value


def _in_range(value: object, name: str, least: int, most: int) -> int:
    expected = f"a whole number from {least} to {most}"
    number = whole_number(value, name, expected=expected)
    if not least <= number <= most:
        raise ArgumentError(f"{name} is {shown(number)}; pass {expected}")
    return number


@dataclass(frozen=True)
class Settings:
    """The options of a question. Paths may be text; one path may stand for a list of one.

    Raises:
        TypeError: a value has a wrong type.
        PuzzleError: a value makes no sense; it is a `ValueError`, too.
    """

    encoding: _Field[RuleInput | None, RuleFile | None] = _Field(None, _encoding)
    """A file to use instead of the shipped encoding, or `Rules(text)`."""
    extra: _Field[RuleInput | Sequence[RuleInput], tuple[RuleFile, ...]] = _Field((), _extra)
    """Files of rules to add, or `Rules(text)`."""
    timeout: _Field[float | Deadline | None, float | Deadline | None] = _Field(None, _timeout)
    """Seconds for a board, grounding included; or a deadline that several questions share."""
    seed: _Field[int | None, int | None] = _Field(None, _seed)
    """A seed for a random but reproducible order of answers."""
    threads: _Field[int, int] = _Field(1, _threads)
    """Threads to search in. With more than one, the order of answers may differ each time."""
    puzzles: _Field[Paths, tuple[Path, ...]] = _Field((), several_paths)
    """Folders of your own puzzles, or directories of such folders; see `load`."""

    def _replace(self, **changes: Any) -> Settings:  # noqa: ANN401 (each is checked)
        """Return settings with other values in some fields, checked as all are."""
        return replace(self, **changes)

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


DEFAULT = Settings()


def check_settings(settings: object) -> None:
    """Raise `TypeError` unless settings are `Settings`."""
    if not isinstance(settings, Settings):
        raise type_error(settings, "settings", "settings=Settings(...)")


def refuse_settings(value: object, function: str, expected: str) -> None:
    """Raise `TypeError` for settings as the second argument of a function that expects something else there."""
    if isinstance(value, Settings):
        raise TypeError(f"the second argument of {function}() is {expected}; write settings=... to pass settings")
