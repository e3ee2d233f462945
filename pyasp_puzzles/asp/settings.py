"""`Settings`, the options of every question: rules, time limit, seed, threads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.arguments import one_path, several_paths, type_error, whole_number
from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.asp.rules import Rules
from pyasp_puzzles.errors import ArgumentError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path
    from typing import TypeAlias

    from pyasp_puzzles.arguments import PathArguments
    from pyasp_puzzles.asp.rules import RuleFile

    # What is given as rules.
    RuleInput: TypeAlias = str | PathLike[str] | Rules

# Threads of a search; clingo takes no more.
_MOST_THREADS = 64


# clingo's seeds have 32 bits.
NUMBER_OF_SEEDS = 2**32


def _timeout(value: float | Deadline | None) -> float | Deadline | None:
    if value is not None and not isinstance(value, Deadline):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise type_error(value, "timeout", "seconds, 0 or more")
        if not value >= 0:
            raise ArgumentError(f"timeout is {shown(value)}; pass seconds, 0 or more")
    return value


def _extra(value: RuleInput | Sequence[RuleInput]) -> tuple[RuleFile, ...]:
    if isinstance(value, Rules) or not isinstance(value, list | tuple):
        return (_rules(value, "extra"),) if isinstance(value, Rules) else several_paths(value, "extra")
    return tuple(_rules(rules, "a path of extra") for rules in value)


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


@dataclass(frozen=True, init=False)
class Settings:
    """The options of a question.

    Args:
        encoding: a file to use instead of the shipped encoding, a folder whose files replace those of their names, or
            `Rules(text)`.
        extra: files of rules to add, or `Rules(text)`: a list, or a single one. `Rules(text, "thermometer.lp")`
            replaces the rules of that variant on boards that have it.
        timeout: seconds for a board, grounding included; or a deadline that several questions share.
        seed: a seed for a random but reproducible order of answers.
        threads: threads to search in. With more than one, the order of answers may differ each time.
        puzzles: folders of your own puzzles, or directories of such folders; see `load`.

    Raises:
        TypeError: a value has a wrong type.
        PuzzleError: a value makes no sense; it is a `ValueError`, too.
    """

    encoding: RuleFile | None
    extra: tuple[RuleFile, ...]
    timeout: float | Deadline | None
    seed: int | None
    threads: int
    puzzles: tuple[Path, ...]

    def __init__(  # noqa: PLR0917 (an option for each field)
        self,
        encoding: RuleInput | None = None,
        extra: RuleInput | Sequence[RuleInput] = (),
        timeout: float | Deadline | None = None,
        seed: int | None = None,
        threads: int = 1,
        puzzles: PathArguments = (),
    ) -> None:
        vars(self).update(
            encoding=None if encoding is None else _rules(encoding, "encoding"),
            extra=_extra(extra),
            timeout=_timeout(timeout),
            seed=None if seed is None else _in_range(seed, "seed", 0, NUMBER_OF_SEEDS - 1),
            threads=_in_range(threads, "threads", 1, _MOST_THREADS),
            puzzles=several_paths(puzzles, "puzzles"),
        )

    def _replace(self, **changes: Any) -> Settings:  # noqa: ANN401 (each is checked)
        """Return settings with other values in some fields, checked as all are."""
        return replace(self, **changes)

    @property
    def edited(self) -> bool:
        """Whether the rules differ from the shipped ones."""
        return self.encoding is not None or bool(self.extra)

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
