"""Tables of a `puzzle.toml`."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pyasp_puzzles.boards.facts import Predicate
from pyasp_puzzles.errors import EncodingError, Where, did_you_mean, listing, shorten, shown
from pyasp_puzzles.model.keys import Range

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# Bytes; a larger file is no declaration.
LARGEST_FILE = 2**16


TYPES = {str: "a string", bool: "true or false", list: "an array", dict: "a table", int: "a whole number"}


Type = TypeVar("Type")


_SIGNATURE = re.compile(r"([a-z]\w*)(?:/(\d+)|\(([^()]*)\))?")


_RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,10}|[\w-]+)")


class DeclarationTable:
    """A table of a `puzzle.toml`: the whole file (its path is empty), `[answer]` or `[keys.NAME]`."""

    def __init__(self, file: Path, text: str, root: Mapping[str, Any], *path: str) -> None:
        self._file, self._text, self._root, self._path = file, text, root, path
        self._table = root
        for key in path:
            self._table = self._table[key]

    @classmethod
    def read(cls, file: Path) -> Self:
        """Return the table of a whole file.

        Raises:
            EncodingError: it cannot be read, is too large, or is not TOML.
        """
        try:
            with file.open("rb") as opened:
                data = opened.read(LARGEST_FILE + 1)
            if len(data) > LARGEST_FILE:
                raise EncodingError(
                    f"the file is larger than {LARGEST_FILE >> 10} kB, too large for a declaration", Where(str(file))
                )
            text = data.decode()
            return cls(file, text, tomllib.loads(text))
        except OSError as error:
            raise EncodingError(f"cannot be read: {error.strerror}", Where(str(file))) from None
        except (ValueError, RecursionError) as error:
            line = re.search(r"at line (\d+)", str(error))
            where = Where(str(file), int(line[1]) if line else None)
            raise EncodingError(f"this is not valid TOML: {shorten(str(error), 200)}", where) from None

    def names(self) -> list[str]:
        """Return the keys of the table."""
        return list(self._table)

    def place(self, *keys: str) -> Where:
        """Return the line of a key, or else the first line of the innermost table on its path."""
        path = (*self._path, *keys)
        table: tuple[str, ...] = ()
        line: int | None = None
        for number, words in enumerate(self._text.split("\n"), 1):
            header = re.match(r"\s*\[+([^\]]*)\]", words)
            key = re.match(r"\s*[\"']?([\w-]+)[\"']?\s*=", words)
            if header:
                table = tuple(part.strip(" \"'") for part in header[1].split("."))
                found = table
            elif key:
                found = (*table, key[1])
            else:
                continue
            if found == path:
                return Where(str(self._file), number)
            if line is None and path[: len(found)] == found:
                line = number
        return Where(str(self._file), line)

    def error(self, message: str, *keys: str) -> EncodingError:
        """Return an error about a key, or about the table."""
        return EncodingError(message, self.place(*keys))

    def get(self, key: str, kind: type[Type]) -> Type | None:
        """Return the value of a key, or None if it is absent.

        Raises:
            EncodingError: it is of another type.
        """
        value = self._table.get(key)
        if value is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
            raise self.error(f"{self._name(key)} is {shown(value)}, expected {TYPES[kind]}", key)
        return value

    def table(self, key: str) -> DeclarationTable | None:
        """Return the table under a key, or None if it is absent."""
        if self.get(key, dict) is None:
            return None
        return DeclarationTable(self._file, self._text, self._root, *self._path, key)

    def check_names(self, *known: str) -> None:
        """Raise `EncodingError` for a key that is not known."""
        for name in self._table:
            if name not in known:
                hint = did_you_mean(name, known)
                message = f"unknown key {shown(self._name(name))}; the keys are {listing(known, 'and')}{hint}"
                raise self.error(message, name)

    def signature(self, key: str, words: str) -> tuple[str, int]:
        """Return the name and the number of arguments of `value(R, C, V)` or `value/3`; -1 if only a name is given."""
        match = _SIGNATURE.fullmatch(words.strip())
        if match is None:
            message = f'{self._name(key)} is {shown(words)}, expected a predicate such as "value(R, C, V)"'
            raise self.error(message, key)
        if match[2]:
            return match[1], int(match[2])
        return match[1], len(match[3].split(",")) if match[3] is not None else -1

    def predicate(self, key: str, arguments: tuple[str, ...], unique: int) -> Predicate | None:
        """Return the input predicate that a key names; the other arguments are those of `Predicate`."""
        words = self.get(key, str)
        if words is None:
            return None
        name, arity = self.signature(key, words)
        if arity not in {-1, len(arguments)}:
            expected = f"{name}({', '.join(arguments)})"
            raise self.error(f"{self._name(key)} has {arity} arguments, expected {expected}", key)
        return Predicate(name, arguments, unique)

    def output(self, usual: str, arity: int, *known: str) -> str:
        """Return the name of the output predicate of a table `[answer]`.

        Args:
            usual: the output if the table names none.
            arity: the number of arguments of the output.
            known: the keys of this kind of answer; others raise `EncodingError`.
        """
        self.check_names("kind", "output", *known)
        name, found = self.signature("output", self.get("output", str) or usual)
        if found not in {-1, arity}:
            raise self.error(f"output has {found} arguments, expected {arity} as in {usual}", "output")
        return name

    def range(self, key: str) -> Range | None:
        """Return the range of a key like `range = "1..rows"`, or None."""
        words = self.get(key, str)
        if words is None:
            return None
        name = self._name(key)
        match = _RANGE.fullmatch(words.replace(" ", ""))
        if match is None:
            message = f"{name} is {shown(words)}, expected a range such as 1..9, 1..rows or 1..blocks"
            raise self.error(message, key)
        high: int | str = int(match[2]) if match[2].isdigit() else match[2]
        tables = self._root.get("keys", {})
        regions = [name for name in tables if isinstance(tables[name], dict) and tables[name].get("kind") == "regions"]
        known = ["rows", "columns", "cells", *regions]
        if isinstance(high, str) and high not in known:
            raise self.error(f"{name} ends with {shown(high)}, expected a number, {listing(known)}", key)
        if isinstance(high, int) and high < int(match[1]):
            raise self.error(f"{name} is {shown(words)}, expected the smaller number first", key)
        return Range(int(match[1]), high)

    def _name(self, key: str) -> str:
        return ".".join((*self._path, key))
