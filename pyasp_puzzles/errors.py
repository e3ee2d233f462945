"""The exceptions, `Where` in an input, and parts of messages: `shown`, `printable`, `shorten`, `listing`."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


# Names in a list in a message.
_MOST_LISTED = 20
# Characters of a file name that are shown.
LONGEST_FILE_NAME = 300
# Characters of a message that are shown. Only absurdly long names make a longer one.
_LONGEST_MESSAGE = 1000
# Names that a misspelt name is compared with. Each takes some microseconds.
_MOST_COMPARED = 1000


class Where(NamedTuple):
    """A place in an input: `Where("a.toml", 3)` is line 3 of a.toml; without a line, the whole input."""

    source: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        source = self.source if len(self.source) <= LONGEST_FILE_NAME else f"{self.source[:100]}...{self.source[-100:]}"
        return ":".join(str(part) for part in (source, self.line, self.column) if part is not None)


class PuzzleError(Exception):
    """The base of all exceptions for bad input. Its text is one printable line."""

    def __init__(self, message: str, where: Where | None = None, excerpt: str = "") -> None:
        self.where = where
        self.excerpt = excerpt
        """The line of the input with the error, and a caret below it; may be empty."""
        self.about: Mapping[str, object] = {}
        """The board with the error, for records: puzzle, source, board, title."""
        self.recorded = False
        """Whether a record of this error is written already."""
        message = " ".join(message.split())
        self.message = shorten(message, _LONGEST_MESSAGE)
        super().__init__(self.message if where is None else f"{printable(str(where))}: {self.message}")

    @property
    def in_full(self) -> str:
        """The message, and below it the excerpt, if there is one."""
        return "\n".join(filter(None, [str(self), self.excerpt]))


class ArgumentError(PuzzleError, ValueError):
    """An argument or an option has a value that makes no sense."""


class InstanceError(PuzzleError):
    """An instance, or an answer to it, cannot be read, or is no valid board."""


class Fault(NamedTuple):
    """What is wrong with rules: `Fault("undefined", "giben", "given")`."""

    kind: str
    """ "unsafe", "undefined", or "stop" if a full stop is missing."""
    token: str = ""
    """The name that is wrong; of variables, there may be several, with blanks between them."""
    instead: str = ""
    """The name that was meant."""


class EncodingError(PuzzleError):
    """An encoding cannot be read or grounded."""

    others: tuple[EncodingError, ...] = ()
    """What else is wrong with it."""
    fault: Fault | None = None
    """What kind of fault it is, if that is known."""


class UnknownPuzzleError(PuzzleError):
    """There is no puzzle of that name."""


class OutOfTime(PuzzleError, TimeoutError):  # noqa: N818 (named for what happened)
    """The time limit passed before the question was answered."""

    def __init__(self, message: str = "out of time") -> None:
        super().__init__(message)


def shown(text: object, longest: int = 40) -> str:
    """Return anything as a short printable text in quotes."""
    if isinstance(text, int) and text.bit_length() > longest * 3:
        return "a huge number"  # Python refuses to print it
    try:
        full = str(text)
    except (ValueError, RecursionError):  # a huge number in a list, or deeply nested lists
        return "a huge value"
    cut = full if len(full) <= longest else full[:longest] + "..."
    return f"'{printable(cut)}'"


def shorten(text: str, longest: int) -> str:
    """Return the text; if it is longer than `longest`, cut after a word, with `...`. A very long word is cut, too."""
    if len(text) <= longest:
        return text
    blank = text.rfind(" ", longest // 2, longest + 1)
    return f"{text[: blank if blank > 0 else longest]}..."


def printable_line(text: str) -> str:
    """Return the text in one printable line; what joins the parts of an emoji is kept."""
    return printable(" ".join(text.split()), kept="\u200c\u200d")


def printable(text: str, kept: str = "") -> str:
    """Return the text with a question mark for each character that is not printable, except those in `kept`."""
    return "".join(c if c.isprintable() or c in kept else "?" for c in text)


def listing(names: Iterable[str], last: str = "or") -> str:
    """Return `a, b or c`; of many names, the first and the number of the others."""
    *front, end = first_listed(names, _MOST_LISTED, "more") or ["nothing"]
    return f"{', '.join(front)} {last} {end}" if front else end


def first_listed(texts: Iterable[str], most: int, others: str = "others") -> list[str]:
    """Return texts; if there are more than `most`, the last is the number of the others: `3 others`."""
    listed = list(texts)
    if len(listed) > most:
        listed[most - 1 :] = [f"{len(listed) - most + 1} {others}"]
    return listed


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return `; did you mean X?` for the most similar of the names, ignoring case; empty if none is similar."""
    near = nearest_name(name, names)
    return f"; did you mean {near}?" if near else ""


def nearest_name(name: str, names: Iterable[str]) -> str:
    """Return the most similar of the names, ignoring case; empty if none is similar, or only its folder is."""
    from difflib import get_close_matches
    from itertools import islice

    def similar(one: str) -> bool:
        parts, others = wanted.split("/"), one.split("/")
        return len(parts) != len(others) or all(map(get_close_matches, parts, ([part] for part in others)))

    by_lower = {candidate.lower(): candidate for candidate in islice(names, _MOST_COMPARED)}
    wanted = name[:100].lower()
    return next((by_lower[near] for near in get_close_matches(wanted, by_lower, n=5) if similar(near)), "")


def number_listing(numbers: Sequence[int], to: str = " to ", least: int = 3) -> Iterator[str]:
    """Yield sorted numbers; `least` or more in a row are "2 to 4"."""
    for _, run_members in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in run_members]
        yield from [f"{run[0]}{to}{run[-1]}"] if len(run) >= least else map(str, run)
