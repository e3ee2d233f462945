"""`Format`, a way to write boards as a `Text`, and its refusals; the registry of formats; `dumps`, a board as text.

Format  `FORMAT` in `formats/penpa.py`: how to recognise, read and write what Penpa+ writes
Text    a text to read: its characters, its name in messages, and the puzzle that `--as` names
Shows   what the user says that a picture shows: `Shows("strata", (6, 6), 4)`
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from pyasp_puzzles.arguments import check_text, check_type, type_error
from pyasp_puzzles.errors import InstanceError, PuzzleError, Where, did_you_mean, listing, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.puzzle import Instance
from pyasp_puzzles.puzzles import declaration

if TYPE_CHECKING:
    from pathlib import Path


# A function that is called with a sentence about details that a format cannot store.
Report: TypeAlias = Callable[[str], object]
# What reading raises if a text does not have the expected form.
WRONG = (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError, ArithmeticError)
_Read = TypeVar("_Read")
# What to do about a link of which a part is missing.
COPY_WHOLE = "copy it whole, and quote it, because a shell cuts links at &"
# The bytes with which pictures begin: PNG, JPEG.
MAGIC = (b"\x89PNG\r\n", b"\xff\xd8\xff")


class Shows(NamedTuple):
    """What a picture shows, as the user says."""

    puzzle: str | None = None
    size: tuple[int, int] | None = None
    """How many rows and columns the board has."""
    colors: int | None = None
    """How many colors its tiles have."""
    angle: float | None = None
    """By about how many degrees it is turned clockwise; None for 45 if it is on a corner, and 0 otherwise."""


class Text(NamedTuple):
    """A text to read."""

    text: str
    where: Where
    puzzle: str | None = None
    """The puzzle of its boards, if the user named it."""
    puzzles: Sequence[Path] = ()
    """Folders of the user's puzzles."""
    data: bytes = b""
    """The file, if it is a picture."""
    shows: Shows | None = None
    """What the picture shows."""


class Format(NamedTuple):
    """A way to write boards."""

    name: str
    summary: str
    """One sentence for `pyasp list --formats`."""
    recognise: Callable[[str], bool]
    """Return whether a text is in this format, even if it is not a board that we can read."""
    read: Callable[[Text], Iterable[Instance]]
    """Yields the boards of a text.

    Raises:
        InstanceError: a board is invalid; the error has its line.
    """
    write: Callable[[Sequence[Instance], Report], str]
    """Returns the text of boards, without the last newline.

    Raises:
        InstanceError: the format cannot store a board.
    """
    suffixes: tuple[str, ...] = ()
    """Suffixes of files that are always in this format, such as ".sdk"."""
    line: bool = False
    """Whether a board is one line, so that a text may have one on each line, followed by a title."""
    answers: bool = False
    """Whether a board may have its answer with it."""


@cache
def formats() -> dict[str, Format]:
    """Return all formats by name."""
    import pkgutil

    package = import_module(__package__)
    modules = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    values = (one for name in modules for one in vars(import_module(f"{__package__}.{name}")).values())
    return {
        one.name: one for one in sorted((one for one in values if isinstance(one, Format)), key=lambda one: one.name)
    }


def find_format(name: str) -> Format:
    """Return the format of that name.

    Raises:
        PuzzleError: there is none.
    """
    if name in formats():
        return formats()[name]
    if name in {"scl", "ctc", "fpuz", "scf", "classic"}:
        raise PuzzleError(f"{name} is a form of the format sudokupad: use sudokupad, which reads all and writes scl")
    raise PuzzleError(f"there is no format {shown(name)}; choose {listing(formats())}{did_you_mean(name, formats())}")


def guarded(name: str, text: Text, read: Callable[[], _Read]) -> _Read:
    """Return what `read` makes of a text of a format; whatever it raises is reported as bad input.

    Raises:
        InstanceError: the text is too long, damaged, or what `read` says.
    """
    if len(text.text) > Limits.LONGEST_ADDRESS:
        message = f"this text is too long: {name} texts have at most {Limits.LONGEST_ADDRESS} characters"
        raise InstanceError(message, text.where)
    try:
        return read()
    except InstanceError as error:
        raise InstanceError(error.message, error.where or text.where) from None
    except WRONG:
        raise InstanceError(f"this {name} text is damaged: copy the whole text", text.where) from None


def check_format(name: str | None, puzzles: Sequence[Path]) -> None:
    """Raise `PuzzleError` unless there is a format or a puzzle of that name."""
    if name is None or name == "sudoku" or name in formats():
        return
    if name not in declaration.names(puzzles) and declaration.shipped_name(name) is None:
        names = [*formats(), *declaration.names(puzzles), *declaration.aliases()]
        listed = "`pyasp list --formats` and `pyasp list` list them"
        raise PuzzleError(f"--as {name}: this is neither a format nor a puzzle; {listed}{did_you_mean(name, names)}")


def format_of_line(word: str) -> Format | None:
    """Return the format of a board in one line: an address, a game ID; None if it is none."""
    return next((format_ for format_ in formats().values() if format_.line and format_.recognise(word)), None)


def only_board(name: str, boards: Sequence[Instance]) -> Instance:
    """Return the only board, for a format with one board in a text.

    Raises:
        InstanceError: there are several.
    """
    if len(boards) > 1:
        message = f"{name} has one board in a text, and these are {len(boards)}: use -o DIR to write a file for each"
        raise InstanceError(message, boards[0].facts.where)
    return boards[0]


def refusal(name: str, what: str, where: Where | None = None, able: str = "") -> InstanceError:
    """Return the error for what the format of that name cannot store; `able` says what it can."""
    only = f", only {able}" if able else ""
    return InstanceError(f"{name} cannot store {what}{only}; toml and json store every board", where)


def left_out(name: str, lost: Iterable[str]) -> str:
    """Return the warning about what the format of that name leaves out."""
    return f"left out: {listing(lost, 'and')}, which {name} cannot store"


def formats_by_suffix() -> dict[str, str]:
    """Return {suffix of a file: name of its format}."""
    return {suffix: format_.name for format_ in formats().values() for suffix in format_.suffixes}


def content_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text that are neither empty nor comments, with their numbers, without blanks at the ends."""
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip()
        if content and (content.startswith("#m=") or not content.startswith(("#", "%", ";"))):
            yield number, content


def dumps(instance: Instance, format: str, report: Report | None = None) -> str:
    """Return a board in a format, such as "penpa" or "toml"; `pyasp list --formats` has their names.

    A text of several lines ends with a newline.

    Args:
        instance: the board.
        format: the name of the format.
        report: called with a sentence about details that the format cannot store, such as the title.

    Raises:
        InstanceError: the format cannot store the board.
        PuzzleError: there is no such format.
    """
    check_type(instance, Instance, "instance", "a board, as load() returns them")
    check_text(format, "format", "the name of a format")
    if report is not None and not callable(report):
        raise type_error(report, "report", "a function of one argument")
    text = find_format(format).write([instance], report or (lambda _: None))
    return f"{text}\n" if "\n" in text else text  # several lines end with a newline, as in a file


def dumped_links(instance: Instance) -> dict[str, str]:
    """Return {format: address} for the programs that can store a board."""
    links = {}
    for format_ in formats().values():
        with suppress(InstanceError):
            if format_.line and re.match(r"https?://\S+$", text := dumps(instance, format_.name)):
                links[format_.name] = text
    return links
