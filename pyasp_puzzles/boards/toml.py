"""TOML instances as tables of keys, each with its line, within bounds on the size of a file.

Sections   the keys of one board: `sections.grid("blocks")`, `sections.numbers("givens", ...)`
"""

from __future__ import annotations

import re
import tomllib
from collections import ChainMap
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.boards.grid import LONGEST_NUMBER, Grid, count, parse
from pyasp_puzzles.errors import InstanceError, Where, did_you_mean, listing, printable, shown

if TYPE_CHECKING:
    from collections.abc import Mapping


MOST_DOTS = 100
"""Dots in a key; more are taken for a mistake."""
MOST_LINES = 250_000
"""Lines of a file, and backslashes in it."""
MOST_PIECES = 250_000
"""Keys, values, tables, comments and dots of a file; `tomllib` reads as many in a second."""
MOST_BOARDS = 10_000
"""Boards of a file."""
MOST_CELLS = 250_000
"""Cells, words and names of all boards of a file; what a board has from the top level counts for each board."""
MOST_BITS = 64
"""Bits of a number; TOML promises no more, and Python refuses to write much larger ones."""

# Strings and comments; the rest is what TOML has to say. A string without an end is taken to the end of its line, or of
# the file, so that each character is looked at once.
_STRING = re.compile(
    r'''"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{0,5} | "(?:[^"\\\n]++|\\.)*+"?'''
    r"""| '{3}(?:[^']++|'{1,2}(?!'))*+'{0,5} | '[^'\n]*+'? | \#[^\n]*+""",
    re.DOTALL | re.VERBOSE,
)


def check_text(text: str, where: Where) -> None:
    """Raise `InstanceError` for a text that `tomllib` would read for longer than a second or two."""
    for mark, name in (("\n", "lines"), ("\\", "backslashes")):
        if text.count(mark) > MOST_LINES:
            raise InstanceError(f"{text.count(mark)} {name}, expected at most {MOST_LINES}", where)
    outline, strings = _STRING.subn("", text, MOST_PIECES + 1)
    if strings + sum(map(outline.count, "=,[{.")) > MOST_PIECES:
        raise InstanceError(f"too large a file, expected at most {MOST_PIECES} keys, values and comments", where)


def check_cells(found: int, where: Where) -> None:
    """Raise `InstanceError` for more cells, words and names than a file may have."""
    if found > MOST_CELLS:
        message = f"too large a file, expected at most {MOST_CELLS} cells, words and names in all of its boards"
        raise InstanceError(message, where)


def dots(line: str) -> int:
    """Return how many dots the key has that has most of them."""
    return max(key.count(".") for key in re.split(r"[=,\[\]{}]", _STRING.sub("", line)))


def size(key: str, value: object, where: Where) -> int:
    """Return how many cells, words and names there are in the value of a key.

    Raises:
        InstanceError: a number that is too large to be shown, or to be meant.
    """
    found, waiting = 0, [value]
    for one in waiting:
        if isinstance(one, int) and one.bit_length() > MOST_BITS:
            raise InstanceError(f"{key}: {shown(one)} is out of range, expected at most {MOST_BITS} bits", where)
        if isinstance(one, list | dict):
            waiting += one if isinstance(one, list) else one.values()
        found += count(one, MOST_CELLS) if isinstance(one, str) else 1
    return found


DETAILS = ("title", "author", "source", "notes")
"""Keys that every instance may have, and that no rule depends on."""


class Sections:
    """The keys of one board, each asked for by name; what nobody asked for is an unknown key."""

    def __init__(self, table: Mapping[str, object], lines: Mapping[str, tuple[int, int]], where: Where) -> None:
        self.where = where
        self.extras: dict[str, Mapping[Any, str]] = {}
        """What is to be kept beside the facts."""
        self.defaults: dict[str, int] = {}
        """Numbers that some keys have where they are absent, as other keys say."""
        self.collection = ""
        """The title of all boards of the file."""
        self._table = table
        self._lines = lines
        self._asked: list[str] = []

    def place(self, key: str) -> Where:
        """Return the line where a key's value starts."""
        lines = self._lines.get(key)
        return self.where if lines is None else Where(self.where.source, lines[1])

    def error(self, key: str, message: str) -> InstanceError:
        """Return an error that stands at a key."""
        return InstanceError(f"{key}: {message}", self.place(key))

    def get(self, key: str, kind: type, expected: str) -> object:
        """Return the value of a key, or None if it is absent; it is of that kind or an error."""
        self._asked.append(key)
        value = self._table.get(key)
        if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
            raise self.error(key, f"{shown(value)} is no {expected}, expected {expected}")
        return value

    def string(self, key: str) -> str | None:
        """Return the string of a key, or None."""
        value = self.get(key, str, "string")
        return None if value is None else str(value)

    def grid(self, key: str) -> Grid | None:
        """Return the grid of a key, or None; in a table that was not read from text, it may be one already."""
        found = self._table.get(key)
        if isinstance(found, Grid):
            self._asked.append(key)
            return found
        text = self.get(key, str, "grid in triple quotes")
        return None if text is None else _grid(str(text), self.place(key))

    def missing(self, key: str, expected: str = "a grid") -> InstanceError:
        """Return the error for a key that is needed and absent, naming a key that may have been meant for it."""
        unknown = [name for name in self._table if name not in {*self._asked, *DETAILS}]
        near = did_you_mean(key, unknown)
        typo = f"; is {near.removeprefix('; did you mean ').removesuffix('?')} a slip for it?" if near else ""
        return InstanceError(f"no key '{key}', expected {expected}{typo}", self.where)

    def integer(self, key: str) -> int | None:
        """Return the integer of a key, or None."""
        value = self.get(key, int, "whole number")
        assert value is None or isinstance(value, int)
        if value is not None and abs(value) >= 10**LONGEST_NUMBER:
            raise self.error(key, f"{shown(value)} is out of range, expected at most {LONGEST_NUMBER} digits")
        return value

    def array(self, key: str, kind: type, expected: str) -> list[object] | None:
        """Return the array of a key, whose members are all of a kind, or None."""
        value = self.get(key, list, f"array of {expected}")
        if value is None:
            return None
        assert isinstance(value, list)
        for member in value:
            if not isinstance(member, kind) or isinstance(member, bool):
                raise self.error(key, f"{shown(member)} is wrong here, expected an array of {expected}")
        return value

    def strings(self, key: str) -> list[str] | None:
        """Return the array of strings of a key, or None."""
        value = self.array(key, str, "strings")
        strings = [str(member) for member in value or ()]
        bad = next((member for member in strings if not member.strip() or not member.isprintable()), None)
        if bad is not None or value == []:
            found = "an empty array" if bad is None else shown(bad)
            raise self.error(key, f"{found} is wrong here, expected printable strings")
        return None if value is None else strings

    def table(self, key: str) -> dict[str, str]:
        """Return the table of strings of a key, empty if it is absent."""
        value = self.get(key, dict, "table of strings")
        if value is None:
            return {}
        assert isinstance(value, dict)
        for name, member in value.items():
            if not isinstance(member, str) or not (name + member).isprintable():
                raise self.error(key, f"{shown(name)} = {shown(member)} is wrong here, expected a printable string")
        return value

    def details(self) -> dict[str, str]:
        """Return the title and its like, each in one line."""
        strings = {key: self.string(key) for key in DETAILS}
        return {key: one_line(value) for key, value in strings.items() if value}

    def finish(self) -> None:
        """Raise `InstanceError` for a key that nobody has asked for."""
        for key in self._table:
            if key not in self._asked:
                hint = did_you_mean(key, self._asked)
                known = listing(dict.fromkeys(self._asked))
                raise InstanceError(f"unknown key {shown(key)}, expected {known}{hint}", self._key_place(key))

    def _key_place(self, key: str) -> Where:
        lines = self._lines.get(key)
        return self.where if lines is None else Where(self.where.source, lines[0])


@lru_cache(maxsize=8)
def _grid(text: str, where: Where) -> Grid:
    """Return the grid that a text is; the boards of a file may share it, and it is read once for all of them."""
    return parse(text, where)


@lru_cache(maxsize=8)  # the title that boards share is kept once, not once a board
def one_line(text: str) -> str:
    """Return the text in one printable line."""
    return printable(" ".join(text.split()))


def read_toml(text: str, where: Where) -> list[Sections]:
    """Return the boards of a TOML instance: the top level itself, or each `[[board]]` with the top level's defaults.

    Raises:
        InstanceError: no TOML, `board` is no array of tables, or the file holds too much.
    """
    check_text(text, where)
    top, *below = _lines(text, where)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(str(error), text, where) from None
    except RecursionError:
        raise InstanceError("no valid TOML: arrays or tables are nested too deep", where) from None
    except ValueError:
        raise InstanceError("no valid TOML: a number is too large", where) from None
    boards = table.pop("board", None)
    if boards is None:
        alone = Sections(table, top, where)
        check_cells(sum(_sizes(table, alone).values()), where)
        return [alone]
    if not isinstance(boards, list) or not boards or not all(isinstance(board, dict) for board in boards):
        raise InstanceError("board: no table, expected [[board]]", where)
    if len(boards) > MOST_BOARDS:
        raise InstanceError(f"{len(boards)} boards, expected at most {MOST_BOARDS} in a file", where)
    title = table.get("title")
    inherited = _sizes(table, Sections(table, top, where))
    below += [{}] * (len(boards) - len(below))
    found, total, shared = list[Sections](), 0, sum(inherited.values())
    for board, lines in zip(boards, below, strict=False):
        place = Where(where.source, lines.get("", (where.line,))[0])
        sections = Sections(ChainMap(board, table), ChainMap(lines, top), place)
        sections.collection = one_line(title) if isinstance(title, str) else ""
        found.append(sections)
        total += shared - sum(inherited.get(key, 0) for key in board) + sum(_sizes(board, sections).values())
        check_cells(total, where)
    return found


def _sizes(table: Mapping[str, object], sections: Sections) -> dict[str, int]:
    """Return how many cells, words and names there are in the value of each key.

    Raises:
        InstanceError: a number that is too large to be shown, or to be meant.
    """
    return {key: size(key, value, sections.place(key)) for key, value in table.items()}


_BOARD = re.compile(r"\s*+\[\[\s*+board\s*+\]\]")


def _not_toml(message: str, text: str, where: Where) -> InstanceError:
    """Return the error for what `tomllib` says: `MESSAGE (at line L, column C)`, or `(at end of document)`."""
    reason, _, position = message.rpartition(" (at ")
    digits = position.removeprefix("line ").partition(",")[0]
    line = int(digits) if digits.isdigit() else text.count("\n") + 1
    return InstanceError(f"no valid TOML: {reason or message}, expected KEY = VALUE", Where(where.source, line))


def _lines(text: str, where: Where) -> list[dict[str, tuple[int, int]]]:
    """Return the lines of each key and of its value, for the top level and for each `[[board]]`.

    `tomllib` does not tell them. The key "" is the `[[board]]` itself. A value that is a string in triple quotes
    starts on the line after, if a newline follows the quotes.

    Raises:
        InstanceError: a key with more dots than `tomllib` takes in good time.
    """
    tables: list[dict[str, tuple[int, int]]] = [{}]
    closing = ""
    for line, words in enumerate(text.split("\n"), 1):
        if closing:
            closing = "" if closing in words else closing
        elif _BOARD.match(words):
            tables.append({"": (line, line)})
        else:
            key, _, value = words.partition("=")
            if words.count(".") > MOST_DOTS and dots(words) > MOST_DOTS:
                raise InstanceError("no valid TOML here: tables are nested too deep", Where(where.source, line))
            name = key.strip(" \t[]").partition(".")[0].strip(" \t\"'")
            quotes = value.strip()[:3]
            rest = value.strip()[3:] if quotes in {'"""', "'''"} else ""
            opened = quotes in {'"""', "'''"} and quotes not in rest
            tables[-1].setdefault(name, (line, line + (opened and not rest)))
            closing = quotes if opened else ""
    return tables
