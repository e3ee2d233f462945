"""A first look at a user's program, for what clingo would not survive, or would take for something else in silence.

An encoding is a program: it may loop, and may fill the memory. What it must not do is end this process, and clingo does
just that for a character outside ASCII in a rule, and for terms that are nested too deep.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .errors import EncodingError, Where, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_FILE = 16 * 2**20
"""Bytes; larger files are no encodings."""
LARGEST_NUMBER = 2**31 - 1
"""clingo's integers wrap silently beyond this."""
LONGEST_STATEMENT = 10_000
"""Characters. The deepest terms that clingo 5.8.3 survives have 17 674 signs (`----X`) on a stack of 8 MB."""

REFUSED = {
    "#script": "scripts are not run, expected rules only",
    "#project": "what tells answers apart is not the encoding's to say, expected no #project",
    **dict.fromkeys(
        ("#minimize", "#minimise", "#maximize", "#maximise", ":~"),
        "every answer counts, and none is better than another, expected rules that forbid",
    ),
}
"""Statements that would make `solve` and `count` wrong, or that clingo would refuse in words of its own."""


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


# Only what matters here: all else is skipped. As in clingo, a quote that begins no string stands for itself. A full
# stop beside one of the characters that theory operators are made of may be part of one, so it ends no statement.
_OPERATOR = r"/!<=>+\-*\\?&@|:;~^."
_TOKEN = re.compile(
    rf"""(?P<comment>%\*)
      | %[^\n]*
      | (?P<string>"(?:[^"\\\n]|\\["\\n])*")
      | (?P<name>[#_']*[A-Za-z][A-Za-z0-9_']*)
      | (?P<number>0x[0-9A-Fa-f]+ | 0o[0-7]+ | 0b[01]+ | 0 | [1-9][0-9]*)
      | (?<![{_OPERATOR}])(?P<stop>\.)(?![{_OPERATOR}])
      | (?P<mark>:~)
      | (?P<other>[^\x00-\x7f])""",
    re.VERBOSE,
)
_COMMENT_MARK = re.compile(r"%\*|\*%|%[^\n]*")
_BASES = {"0x": 16, "0o": 8, "0b": 2}
_LONGEST_NUMBER = 40
"""Digits beyond which no number needs to be read to know that it is too large."""


def check_source(path: Path) -> None:
    """Look at a user's program, and at the files that it includes, before clingo does.

    Raises:
        EncodingError: it is no readable text, or clingo would not survive it or would misread it.
    """
    _check(path, str(path), set())


def _check(path: Path, name: str, seen: set[Path]) -> None:
    """Check a file that has not been seen yet; `name` is what it is called in messages."""
    text = _read(path, name)
    if path.resolve() in seen:
        return
    seen.add(path.resolve())
    start, comments, before = 0, 0, ""
    for kind, token, position in _tokens(text):
        if kind == "comment":
            comments += len(token)
            continue
        if kind == "string" and before == "#include":
            _include(token, path, seen, lambda message, at=position: _error(message, name, text, at))
        if problem := _problem(kind, token, before, first=not text[start:position].strip()):
            raise _error(problem, name, text, position)
        before = token
        if kind in {"stop", "end"}:
            if position - start - comments > LONGEST_STATEMENT:
                first = start + len(text[start:]) - len(text[start:].lstrip())
                message = f"a statement of more than {LONGEST_STATEMENT} characters, expected shorter ones"
                raise _error(message, name, text, first)
            start, comments = position + 1, 0
