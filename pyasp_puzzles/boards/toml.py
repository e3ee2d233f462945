"""`Table`, typed values of TOML, each with its line: `table.grid("blocks")`. Large files of boards are refused."""

from __future__ import annotations

import re
import tomllib
from collections import ChainMap
from typing import TYPE_CHECKING, Any, TypeVar

from pyasp_puzzles.boards.grid import Grid, count_grid_cells, parse_grid
from pyasp_puzzles.errors import InstanceError, PuzzleError, Where, listing, nearest_name, printable_line, shown
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Dots in a key of TOML; more are taken for a mistake.
_MOST_DOTS = 100
# Lines of a file of TOML, and backslashes in it.
_MOST_LINES = 250_000
# Keys, values, tables, comments and dots of a file; `tomllib` reads that many in a second.
_MOST_PIECES = 250_000
# Cells, words and names of all boards of a file; keys at the top level count once for each board.
_MOST_CELLS_OF_FILE = 250_000
# Bits of a number; TOML promises no more, and Python refuses to print much larger ones.
_MOST_BITS = 64
# Parts of the path of a key of TOML; a key below has the line of the table that it is in.
_DEEPEST_PATH = 3


# Keys that every instance may have, and that no rule needs. `rules` are those that a setter tells only in words;
# `resolution` is how `resolve` ends.
DETAILS = ("title", "author", "source", "notes", "rules", "resolution")

# Strings and comments. A string without an end extends to the end of its line, or of the file, so that each character
# is looked at once.
_STRING = re.compile(
    r'''"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{0,5} | "(?:[^"\\\n]++|\\.)*+"?'''
    r"""| '{3}(?:[^']++|'{1,2}(?!'))*+'{0,5} | '[^'\n]*+'? | \#[^\n]*+""",
    re.DOTALL | re.VERBOSE,
)
_BOARD = re.compile(r"\s*+\[\[\s*+board\s*+\]\]")

# {path of a key: the lines of the key and of its value}: {("title",): (1, 1), ("keys", "blocks", "kind"): (9, 9)}
Lines = dict[tuple[str, ...], tuple[int, int]]
_EXPECTED = {str: "a string", bool: "true or false", list: "an array", dict: "a table", int: "a whole number"}
_Type = TypeVar("_Type")


class Table:
    """A table of TOML, each key read by name: a board, or the whole or a part of the declaration of a puzzle.

    Args:
        table: the keys and their values.
        lines: the line of each key, by its path from the top level.
        where: the place of the table.
        error: the class of errors.
        wrong: what an error says of a value.
    """

    def __init__(
        self,
        table: Mapping[str, object],
        lines: Mapping[tuple[str, ...], tuple[int, int]],
        where: Where,
        error: type[PuzzleError] = InstanceError,
        wrong: str = "{key}: {found} is wrong here, expected {expected}",
    ) -> None:
        self.where = where
        self.root = self
        """The whole table that this one is in."""
        self.extras: dict[str, Mapping[Any, str]] = {}
        """`Instance.extras`, which the readers of keys fill in."""
        self.defaults: dict[str, int] = {}
        """Numbers of absent keys that follow from other keys."""
        self.digits: Sequence[int] = ()
        """The numbers of the answer, if the board lists them; that key is read before grids."""
        self.collection = ""
        """The title of the file, if it has several boards."""
        self._table, self._lines = table, lines
        self._path: tuple[str, ...] = ()
        self._error, self._wrong = error, wrong
        self._read: list[str] = []

    def names(self) -> list[str]:
        """Return the keys of the table."""
        return list(self._table)

    def path(self, key: str) -> str:
        """Return the path of a key, as messages name it: `keys.blocks.kind`."""
        return ".".join((*self._path, key))

    def place(self, *keys: str, of_value: bool = True) -> Where:
        """Return the line of the value of a key, or of the key itself; of an absent key, the line of its table."""
        path = (*self._path, *keys)
        while path and path not in self._lines:
            path = path[:-1]
        return Where(self.where.source, self._lines[path][of_value]) if path else self.where

    def error(self, message: str, *keys: str) -> PuzzleError:
        """Return an error about a key, or about the table."""
        return self._error(message, self.place(*keys))

    def wrong(self, key: str, found: str, expected: str) -> PuzzleError:
        """Return the error about a value that is something else than expected."""
        return self.error(self._wrong.format(key=self.path(key), found=found, expected=expected), key)

    def get(self, key: str, kind: type[_Type], expected: str = "") -> _Type | None:
        """Return the value of a key, or None if it is absent.

        Raises:
            PuzzleError: it is of another type.
        """
        self._read.append(key)
        value = self._table.get(key)
        if value is None:
            return None
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.wrong(key, shown(value), f"a {expected}" if expected else _EXPECTED[kind])
        return value

    def table(self, key: str) -> Table | None:
        """Return the table under a key, or None if it is absent."""
        value = self.get(key, dict)
        if value is None:
            return None
        inner = Table(value, self._lines, self.where, self._error, self._wrong)
        inner.root, inner._path = self.root, (*self._path, key)
        return inner

    def grid(self, key: str) -> Grid | None:
        """Return the grid of a key, or None; in a table from data, the value may be a `Grid` already."""
        value = self._table.get(key)
        if isinstance(value, Grid):
            self._read.append(key)
            return value
        text = self.get(key, str, "grid in triple quotes")
        return None if text is None else parse_grid(text, self.place(key))

    def missing(self, key: str, expected: str = "a grid") -> PuzzleError:
        """Return the error for a required key that is absent; it names an unknown key that looks alike."""
        unknown = [name for name in self._table if name not in {*self._read, *DETAILS}]
        near = nearest_name(key, unknown)
        typo = f"; is {near} a misspelling of it?" if near else ""
        return self.error(f"there is no key '{key}', expected {expected}{typo}")

    def integer(self, key: str) -> int | None:
        """Return the integer of a key, or None."""
        value = self.get(key, int)
        if value is not None and abs(value) >= 10**Limits.LONGEST_NUMBER:
            raise self.error(
                f"{key}: {shown(value)} is out of range, expected at most {Limits.LONGEST_NUMBER} digits", key
            )
        return value

    def array(self, key: str, kind: type, expected: str, *, alone: int = 0) -> list[Any] | None:
        """Return the array of a key, of members of one type, or None; a single value stands for `alone` members."""
        if alone and type(self._table.get(key)) is kind:
            self._read.append(key)
            return [self._table[key]] * alone
        value = self.get(key, list, f"array of {expected}")
        for member in value or ():
            if not isinstance(member, kind) or isinstance(member, bool):
                raise self.wrong(key, shown(member), f"an array of {expected}")
        return value

    def strings(self, key: str) -> list[str] | None:
        """Return the array of strings of a key, or None."""
        value = self.array(key, str, "strings")
        bad = next((member for member in value or () if not member.strip() or not member.isprintable()), None)
        if bad is not None or value == []:
            wrong = "an empty array" if bad is None else shown(bad)
            raise self.wrong(key, wrong, "printable strings")
        return value

    def string_table(self, key: str) -> dict[str, str]:
        """Return the table of strings of a key, empty if it is absent."""
        value = self.get(key, dict, "table of strings") or {}
        for name, member in value.items():
            if not isinstance(member, str) or not (name + member).isprintable():
                raise self.wrong(key, f"{shown(name)} = {shown(member)}", "a printable string")
        return value

    def details(self) -> dict[str, str]:
        """Return the details of a board, each in one line."""
        strings = {key: self.get(key, str) for key in DETAILS}
        return {key: printable_line(value) for key, value in strings.items() if value}

    def sizes(self, keys: Mapping[str, object]) -> dict[str, int]:
        """Return the number of cells, words and names in the values of some keys; errors as for `size`."""
        return {key: size(key, value, self.place(key)) for key, value in keys.items()}

    def check_names(self, known: Iterable[str], last: str = "and", others: Mapping[str, str] | None = None) -> None:
        """Raise `PuzzleError` for an unknown key; `last` joins the last two of the known keys in the message.

        `others` are likely mistakes: {what somebody may write: the key that is meant}.
        """
        known = dict.fromkeys(known)
        for key in self._table:
            if key not in known:
                meant = {**(others or {}), **{name: name for name in known}}
                hint = f"; did you mean {meant[near]}?" if (near := nearest_name(key, meant)) else ""
                message = f"unknown key {shown(self.path(key))}; the keys are {listing(known, last)}{hint}"
                raise self._error(message, self.place(key, of_value=False))

    def finish(self, others: Mapping[str, str] | None = None) -> None:
        """Raise `PuzzleError` for a key that was never read; `others` are as for `check_names`."""
        self.check_names(self._read, "or", others)


def read(text: str, where: Where) -> list[Table]:
    """Return the boards of a TOML file: the top level, or each `[[board]]` with the top level's keys as defaults.

    Raises:
        InstanceError: it is not TOML, `board` is not an array of tables, or the file holds too much.
    """
    _check_text(text, where)
    top, *below = lines_of_keys(text, where)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(str(error), text, where) from None
    except RecursionError:
        raise InstanceError("this is not valid TOML: arrays or tables are nested too deep", where) from None
    except ValueError:
        raise InstanceError("this is not valid TOML: a number is too large", where) from None
    boards = table.pop("board", None)
    title = None if boards is None else table.get("title")
    boards = [{}] if boards is None else boards
    if not isinstance(boards, list) or not boards or not all(isinstance(board, dict) for board in boards):
        raise InstanceError("board: no table; write [[board]]", where)
    if len(boards) > Limits.MOST_BOARDS:
        raise InstanceError(f"there are {len(boards)} boards; a file has at most {Limits.MOST_BOARDS}", where)
    inherited = Table(table, top, where).sizes(table)
    below += [{}] * (len(boards) - len(below))
    tables, total, shared = list[Table](), 0, sum(inherited.values())
    for board, lines in zip(boards, below, strict=False):
        place = Where(where.source, lines.get((), (where.line,))[0])
        keys = Table(ChainMap(board, table), ChainMap(lines, top), place)
        keys.collection = printable_line(title) if isinstance(title, str) else ""
        tables.append(keys)
        total += shared - sum(inherited.get(key, 0) for key in board) + sum(keys.sizes(board).values())
        check_size(total, where)
    return tables


def check_size(found: int, where: Where) -> None:
    """Raise `InstanceError` for more cells, words and names than a file may have."""
    if found > _MOST_CELLS_OF_FILE:
        most = f"at most {_MOST_CELLS_OF_FILE} cells, words and names"
        message = f"the file is too large: it may have {most} in all of its boards"
        raise InstanceError(message, where)


def size(key: str, value: object, where: Where) -> int:
    """Return the number of cells, words and names in the value of a key.

    Raises:
        InstanceError: a number is too large.
    """
    total, waiting = 0, [value]
    for part in waiting:
        if isinstance(part, int) and part.bit_length() > _MOST_BITS:
            raise InstanceError(f"{key}: {shown(part)} is out of range, expected at most {_MOST_BITS} bits", where)
        if isinstance(part, list | dict):
            waiting += part if isinstance(part, list) else part.values()
        total += count_grid_cells(part, _MOST_CELLS_OF_FILE) if isinstance(part, str) else 1
    return total


def _check_text(text: str, where: Where) -> None:
    """Raise `InstanceError` for a text that `tomllib` would take more than a second or two to read."""
    for mark, name in (("\n", "lines"), ("\\", "backslashes")):
        if text.count(mark) > _MOST_LINES:
            raise InstanceError(f"there are {text.count(mark)} {name}; a file has at most {_MOST_LINES}", where)
    outline, strings = _STRING.subn("", text, _MOST_PIECES + 1)
    if strings + sum(map(outline.count, "=,[{.")) > _MOST_PIECES:
        raise InstanceError(
            f"the file is too large: it may have at most {_MOST_PIECES} keys, values and comments", where
        )


def _not_toml(message: str, text: str, where: Where) -> InstanceError:
    """Return the error for a message of `tomllib`: `MESSAGE (at line L, column C)`, or `(at end of document)`."""
    reason, _, position = message.rpartition(" (at ")
    digits = position.removeprefix("line ").partition(",")[0]
    line = int(digits) if digits.isdigit() else text.count("\n") + 1
    if re.match(r"\s*[0-9.]{16,}\s", text):
        return InstanceError(
            "this is not valid TOML; --as sudoku reads lists of Sudokus, one a line", Where(where.source, line)
        )
    if opens := _unclosed_quote(text):
        message = f"the quotes {opens[1]} that open here are not closed"
        return InstanceError(f"this is not valid TOML: {message}", Where(where.source, opens[0]))
    return InstanceError(f"this is not valid TOML: {reason or message}; write KEY = VALUE", Where(where.source, line))


def _unclosed_quote(text: str) -> tuple[int, str] | None:
    """Return the line of a string that is not closed, or only by the quotes that open another, and its quotes."""
    for match in _STRING.finditer(text):
        mark = match[0][:3] if match[0][:3] in {'"""', "'''"} else match[0][0]
        body = match[0][len(mark) :]
        closed = body.endswith(mark) and not re.search(rf"\n[ \t]*[\w-]+[ \t]*=[ \t]*{mark}$", body)
        if mark != "#" and not closed:
            return text.count("\n", 0, match.start()) + 1, mark
    return None


def lines_of_keys(text: str, where: Where, error: type[PuzzleError] = InstanceError) -> list[Lines]:
    """Return the lines of each key and of its value, for the top level and for each `[[board]]`.

    `tomllib` does not report them. The path () is the `[[board]]` itself. If a newline follows triple quotes, the value
    starts on the next line.

    Raises:
        PuzzleError: a key has more dots than `tomllib` can read in good time.
    """
    tables: list[Lines] = [{}]
    header: tuple[str, ...] = ()
    closing, depth = "", 0
    for line, text_of_line in enumerate(text.split("\n"), 1):
        if closing:
            closing = "" if closing in text_of_line else closing
            continue
        if _BOARD.match(text_of_line):
            tables[0].setdefault(("board",), (line, line))
            tables.append({(): (line, line)})
            header, depth = (), 0
            continue
        if text_of_line.count(".") > _MOST_DOTS and _most_dots(text_of_line) > _MOST_DOTS:
            raise error("this is not valid TOML: tables are nested too deep", Where(where.source, line))
        key, equals, value = text_of_line.strip().partition("=")
        if depth:
            depth = max(0, depth + _opened(text_of_line))
        elif key.startswith("["):
            header = _path(key.lstrip("[").partition("]")[0])
            tables[-1].setdefault(header[:1], (line, line))
            tables[-1].setdefault(header, (line, line))
        elif equals and not key.startswith("#"):
            value = value.strip()
            quotes = value[:3] if value[:3] in {'"""', "'''"} else ""
            opened = bool(quotes) and quotes not in value[3:]
            place, path = (line, line + (opened and not value[3:])), (*header, *_path(key))
            tables[-1].setdefault(path[: len(header) + 1][:_DEEPEST_PATH], place)
            tables[-1].setdefault(path[:_DEEPEST_PATH], place)
            closing = quotes if opened else ""
            depth = max(0, _opened(value)) if "[" in value else 0
    return tables


def _path(key: str) -> tuple[str, ...]:
    """Return the parts of a key with dots, down to `_DEEPEST_PATH`."""
    return tuple(part.strip(" \t\"'") for part in key.split(".", _DEEPEST_PATH)[:_DEEPEST_PATH])


def _opened(line: str) -> int:
    """Return how many more brackets a line opens than it closes."""
    plain = _STRING.sub("", line)
    return plain.count("[") - plain.count("]")


def _most_dots(line: str) -> int:
    """Return the number of dots in the key with the most dots."""
    return max(key.count(".") for key in re.split(r"[=,\[\]{}]", _STRING.sub("", line)))
