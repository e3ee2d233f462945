"""Reading `.lp` instances, which may hold ground facts and comments only.

An instance is data and must not run code, so anything else is refused here, before clingo sees it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from clingo.symbol import Function, String, Symbol

from pyasp_puzzles.errors import InstanceError, Where, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.boards.facts import Fact


LARGEST = 2**31 - 1
"""clingo's integers wrap silently beyond this."""

MOST_FACTS = 250_000
"""More than the largest board has; that many are read in a second or two."""
MOST_LINES = 250_000
MOST_ARGUMENTS = 100
"""Arguments of a fact; no predicate has that many."""

_NAME = r"_*+[a-z][A-Za-z0-9_']*+"
_PLAIN = rf"""[ \t]*+(?:-?(?:0|[1-9][0-9]{{0,8}}+)(?![\w])|(?!not(?![\w'])){_NAME}|"[\w ]*+")[ \t]*+"""
_TOKEN = re.compile(
    rf"""(?P<blank>[ \t\r]+|%(?!\*)[^\n]*)
      | (?P<line>\n+)
      | (?P<comment>%\*(?:[^*]++|\*(?!%))*+\*%)
      | (?P<number>-?(?:0|[1-9][0-9]*)(?![\w]))
      | (?P<string>"(?:[^"\\\n]++|\\[\\n"])*+")
      | (?P<name>{_NAME})
      | (?P<mark>[(),.])""",
    re.VERBOSE,
)
_FACT = re.compile(rf"(?P<fact>{_NAME}\({_PLAIN}(?:,{_PLAIN}){{0,2}}\)\.)")
"""A fact of the usual form. Matching it as a whole is many times faster than reading its tokens."""
_SKIPPED = re.compile(r'%\*(?:[^*]++|\*(?!%))*+(?:\*%)?|%[^\n]*+|"(?:[^"\\\n]++|\\.)*+"?', re.DOTALL)
"""Comments and strings, closed or not."""
_PREDICATE = re.compile(rf"(?<![\w'])({_NAME})\s*+\(")
_ESCAPES = {'\\"': '"', "\\n": "\n", "\\\\": "\\"}


def read_facts(source: str, where: Where) -> Iterator[Fact]:
    """Yield the ground facts of an `.lp` instance; a fact is a name and flat arguments.

    Raises:
        InstanceError: anything but ground facts and comments, with its line, or too many of them.
    """
    tokens = _tokens(source, where)
    for kind, value, place in tokens:
        if kind == "fact":
            name, _, words = value[:-2].partition("(")
            yield name, tuple(map(_plain, words.split(","))), place
            continue
        if kind != "name":
            raise _unexpected(value, place, "a fact like `given(1, 2, 3).`")
        arguments: list[int | Symbol] = []
        mark = _next(tokens, place, "( or .")
        if mark == "(":
            while mark != ")":
                if len(arguments) == MOST_ARGUMENTS:
                    raise InstanceError(f"{shown(value)} has more than {MOST_ARGUMENTS} arguments", place)
                arguments.append(_argument(tokens, place))
                mark = _next(tokens, place, ", or )")
                if mark not in {",", ")"}:
                    raise _unexpected(mark, place, ", or )")
            mark = _next(tokens, place, ".")
        if mark != ".":
            raise _unexpected(mark, place, "a full stop after the fact")
        yield value, arguments, place


def predicates(source: str, where: Where) -> set[str]:
    """Return the names of the predicates of an `.lp` instance, found without reading its facts.

    Raises:
        InstanceError: more lines or facts than any board has.
    """
    outline = _SKIPPED.sub("", source) if source.count("\n") <= MOST_LINES else ""
    for found, name, most in ((source.count("\n"), "lines", MOST_LINES), (outline.count("."), "facts", MOST_FACTS)):
        if found > most:
            raise InstanceError(f"{found} {name}, expected at most {most}", where)
    return {match[1] for match in _PREDICATE.finditer(outline)}


def _tokens(source: str, where: Where) -> Iterator[tuple[str, str, Where]]:
    """Yield the tokens except blanks; a fact of the usual form is one token."""
    line, position, between = 1, 0, True
    place = Where(where.source, line)
    while position < len(source):
        match = (_FACT.match(source, position) if between else None) or _TOKEN.match(source, position)
        if match is None:
            found = source[position : position + 40].split()
            raise _unexpected(found[0] if found else source[position], place, "a fact like `given(1, 2, 3).`")
        position = match.end()
        kind, value = match.lastgroup or "", match.group()
        if kind in {"line", "comment"}:
            line += value.count("\n")
            place = Where(where.source, line)
        elif kind != "blank":
            yield kind, value, place
            between = kind == "fact" or value == "."


@lru_cache(maxsize=10_000)
def _plain(word: str) -> int | Symbol:
    """Return an argument of a fact of the usual form."""
    word = word.strip(" \t")
    if word[0] in "-0123456789":
        return int(word)
    return String(word[1:-1]) if word[0] == '"' else Function(word)


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
