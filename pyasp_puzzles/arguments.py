"""Checks of the arguments of public functions: of types, texts, flags, whole numbers and paths.

A wrong type raises `TypeError`; a value that makes no sense raises `ArgumentError`, which is a `PuzzleError` and a
`ValueError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pyasp_puzzles.errors import ArgumentError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence


# A path, or several.
PathArguments: TypeAlias = "str | PathLike[str] | Sequence[str | PathLike[str]]"


def type_error(value: object, name: str, expected: str) -> TypeError:
    """Return the error for an argument of a wrong type, which says what to pass."""
    kind = type(value).__name__
    given = "None" if value is None else f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
    return TypeError(f"{name} is {given}; pass {expected}")


def check_type(value: object, types: type | tuple[type, ...], name: str, expected: str) -> None:
    """Raise `TypeError` unless a value has one of these types."""
    if not isinstance(value, types):
        raise type_error(value, name, expected)


def check_text(value: object, name: str, expected: str, *, optional: bool = False) -> None:
    """Raise `TypeError` unless a value is a string, or None if it is optional."""
    if not (optional and value is None):
        check_type(value, str, name, f"{expected} as a string")


def check_flag(value: object, name: str) -> None:
    """Raise `TypeError` unless a value is true or false."""
    check_type(value, bool, name, "True or False")


def whole_number(value: object, name: str, least: int | None = None, expected: str = "") -> int:
    """Return a whole number of any type as an integer; `expected` says what to pass if that is not just a number.

    Raises:
        TypeError: it is of another type.
        ArgumentError: it is less than `least`.
    """
    expected = expected or ("a whole number" if least is None else f"a whole number, {least} or more")
    if isinstance(value, bool):
        raise type_error(value, name, expected)
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise type_error(value, name, expected) from None
    if least is not None and number < least:
        raise ArgumentError(f"{name} is {shown(number)}; pass {expected}")
    return number


def one_path(value: object, name: str) -> Path:
    """Return a path, which may be text.

    Raises:
        TypeError: it is not a path.
        ArgumentError: it is empty.
    """
    if not isinstance(value, str | PathLike):
        raise type_error(value, name, "a path")
    if isinstance(value, str) and not value.strip():
        raise ArgumentError(f"{name} is an empty path; pass the path of a file or a folder")
    return value if isinstance(value, Path) else Path(value)


def several_paths(value: object, name: str) -> tuple[Path, ...]:
    """Return a path, or several, as a tuple; errors as for `one_path`."""
    if isinstance(value, str | PathLike):
        return (one_path(value, name),)
    if not isinstance(value, Iterable) or isinstance(value, bytes | dict):
        raise type_error(value, name, "a path or a list of paths")
    return tuple(one_path(path, f"a path of {name}") for path in value)
