"""The reader of `.lp` instances: ground facts and comments, nothing else.

An instance is data. Whatever is no fact is refused here, before clingo sees it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clingo.symbol import Function, String, Symbol

from .errors import InstanceError, Where, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .vocabulary import Entry

LARGEST = 2**31 - 1
"""clingo's integers wrap silently beyond this."""

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r]+|%(?!\*)[^\n]*)
      | (?P<line>\n)
      | (?P<comment>%\*(?:[^*]|\*(?!%))*\*%)
      | (?P<number>-?(?:0|[1-9][0-9]*)(?![\w]))
      | (?P<string>"(?:[^"\\\n]|\\[\\n"])*")
      | (?P<name>_*[a-z][A-Za-z0-9_']*)
      | (?P<mark>[(),.])""",
    re.VERBOSE,
)
_ESCAPES = {'\\"': '"', "\\n": "\n", "\\\\": "\\"}


def read_facts(source: str, where: Where) -> Iterator[Entry]:
    """Yield the ground facts of an `.lp` instance; a fact is a name and flat arguments.

    Raises:
        InstanceError: anything but ground facts and comments, with its line.
    """
    tokens = _tokens(source, where)
    for kind, value, place in tokens:
        if kind != "name":
            raise _unexpected(value, place, "a fact like `given(1, 2, 3).`")
        arguments: list[int | Symbol] = []
        mark = _next(tokens, place, "( or .")
        if mark == "(":
            while mark != ")":
                arguments.append(_argument(tokens, place))
                mark = _next(tokens, place, ", or )")
                if mark == ".":
                    raise _unexpected(mark, place, ", or )")
            mark = _next(tokens, place, ".")
        if mark != ".":
            raise _unexpected(mark, place, "a full stop after the fact")
        yield value, arguments, place


def _tokens(source: str, where: Where) -> Iterator[tuple[str, str, Where]]:
    line, position = 1, 0
    while position < len(source):
        place = Where(where.source, line)
        match = _TOKEN.match(source, position)
        if match is None:
            found = source[position : position + 40].split()
            raise _unexpected(found[0] if found else source[position], place, "a fact like `given(1, 2, 3).`")
        position = match.end()
        line += match.group().count("\n")
        if match.lastgroup in {"number", "string", "name", "mark"}:
            yield match.lastgroup, match.group(), place


def _next(tokens: Iterator[tuple[str, str, Where]], place: Where, expected: str) -> str:
    """Return the next mark."""
    kind, value, place = next(tokens, ("end", "the end of the file", place))
    if kind != "mark":
        raise _unexpected(value, place, expected)
    return value


def _argument(tokens: Iterator[tuple[str, str, Where]], place: Where) -> int | Symbol:
    kind, value, place = next(tokens, ("end", "the end of the file", place))
    if kind == "number":
        if len(value) > len(str(LARGEST)) + 1 or abs(int(value)) > LARGEST:
            raise InstanceError(f"{shown(value)} is too large a number, expected at most {LARGEST}", place)
        return int(value)
    if kind == "string":
        words = re.sub(r"\\.", lambda m: _ESCAPES[m.group()], value[1:-1])
        if not words.isprintable():
            raise InstanceError(f"{shown(words)} holds an unprintable character", place)
        return String(words)
    if kind == "name" and value != "not":
        return Function(value)
    raise _unexpected(value, place, "a number, a constant or a string")


def _unexpected(found: str, place: Where, expected: str) -> InstanceError:
    return InstanceError(f"unexpected {shown(found)}, expected {expected}; an instance holds ground facts only", place)
