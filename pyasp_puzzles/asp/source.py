"""A first look at a user's program, for what clingo would not survive, or would take for something else in silence.

An encoding is a program: it may loop, and may fill the memory. What it must not do is end this process, and clingo does
just that for a character outside ASCII in a rule, and for terms that are nested too deep.

Source     a program and what it is called in messages
Token      ("name", "value", 17): its kind, its text, where it begins
Statement  the tokens up to a full stop
"""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.errors import EncodingError, Where, printable, shown

if TYPE_CHECKING:
    from collections.abc import Iterator


LARGEST_FILE = 4 * 2**20
"""Bytes, read in a second or two; larger files are no encodings."""
LARGEST_NUMBER = 2**31 - 1
"""clingo's integers wrap silently beyond this."""
LONGEST_NUMBER = 40
"""Characters; a longer number need not be read to know that it is too large."""
LONGEST_STATEMENT = 10_000
"""Characters; clingo 5.8.3 overflows a stack of 8 MB, and ends the process, at 17 700 signs: `-----...X`."""
WIDEST_EXCERPT = 100
"""Characters of a line that are shown."""

REFUSED = {
    "#script": "scripts are not run here, expected rules only",
    "#project": "an encoding does not choose what tells answers apart, expected no #project",
    **dict.fromkeys(
        ("#minimize", "#minimise", "#maximize", "#maximise", ":~"),
        "no answer is better than another here, expected rules that forbid instead",
    ),
}
"""Statements that clingo refuses less clearly, or that would have answers told twice or not at all."""

WITHOUT_END = {
    "quote": 'a string without end on its line, expected " after it, and within it a backslash before " \\ n only',
    "block": "a comment that does not end, expected *%",
}
"""Tokens that clingo stumbles over; reading ends there."""


class Source(NamedTuple):
    """A program: what it is called in messages, and its text."""

    name: str
    text: str

    def error(self, message: str, position: int) -> EncodingError:
        """Return an error about the character at a position."""
        line = self.text.count("\n", 0, position) + 1
        return self.error_at(message, line, position - (self.text.rfind("\n", 0, position) + 1) + 1)

    def error_at(self, message: str, line: int, column: int) -> EncodingError:
        """Return an error with the line that it is about, and a caret below the column."""
        return EncodingError(message, Where(self.name, line, column), excerpt(self.line(line), column))

    def line(self, line: int) -> str:
        """Return a line, or nothing if there is none of that number."""
        lines = self.text.split("\n", line)
        return lines[line - 1] if line <= len(lines) else ""

    def column(self, line: int, byte: int) -> int:
        """Return the column of a byte of a line; both are counted from 1."""
        return len(self.line(line).encode()[: byte - 1].decode(errors="ignore")) + 1


def excerpt(line: str, column: int) -> str:
    """Return a line with a caret below the column; of a long one whole words around it, and `...` for the rest."""
    line, at = line.rstrip(), column - 1
    if not line:
        return ""
    width = WIDEST_EXCERPT - len("......")
    first, last = 0, len(line)
    if last > WIDEST_EXCERPT:
        first = max(0, min(at, last) - width // 2)
        last = min(last, first + width)
        first = line.find(" ", first, at) + 1 or first if first else 0
        blank = line.rfind(" ", at + 1, last + 1) if last < len(line) else -1
        last = blank if blank > 0 else last
    before, after = "..." if first > 0 else "", "..." if last < len(line) else ""
    seen = before + printable(line[first:last], kept="\t") + after
    place = len(before) + at - first
    indent = re.sub(r"[^\t]", " ", seen[:place].ljust(place))
    return f"{seen}\n{indent}^"


class Token(NamedTuple):
    """A piece of a program that matters here."""

    kind: str
    text: str
    start: int


class Statement(NamedTuple):
    """A statement: its tokens, where it begins, and its length without comments."""

    tokens: list[Token]
    start: int
    length: int


def check_source(path: Path) -> None:
    """Look at a user's program, and at the files that it includes.

    Raises:
        EncodingError: it is no text that can be read, or clingo would not survive it or misread it.
    """
    waiting, seen = [path], set()
    for file in waiting:
        source = read_source(file)
        if file.resolve() not in seen:
            seen.add(file.resolve())
            waiting += _checked(source, file)


def read_source(path: Path) -> Source:
    """Return a user's program.

    Raises:
        EncodingError: it is no regular file, cannot be read, or is not text.
    """
    source = Source(str(path), "")
    where = Where(source.name)
    try:
        source.name.encode()
        if source.name == "-" or not path.is_file():
            problem = "this is no regular file" if source.name == "-" or path.exists() else "there is no such file"
            raise EncodingError(f"{problem}, expected one", where)
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise EncodingError(
            f"cannot be read: {getattr(error, 'strerror', None) or 'its name is not UTF-8'}", where
        ) from None
    if len(data) > LARGEST_FILE:
        raise EncodingError(f"the file is larger than {LARGEST_FILE >> 20} MB", where)
    try:
        source = Source(source.name, data.decode())
    except UnicodeDecodeError as error:
        source = Source(source.name, data.decode(errors="replace"))
        position = len(data[: error.start].decode())
        raise source.error("not UTF-8, expected text", position) from None
    if "\0" in source.text:
        raise source.error("a NUL character, expected text", source.text.index("\0"))
    return source


def _checked(source: Source, path: Path) -> Iterator[Path]:
    """Yield the files that a program includes."""
    for statement in _statements(source.text):
        if statement.length > LONGEST_STATEMENT:
            message = f"a statement of {statement.length} characters, expected at most {LONGEST_STATEMENT}"
            raise source.error(f"{message}; is a full stop missing?", statement.start)
        parts = [token.text for token in statement.tokens]
        if parts[:1] == ["#program"] and parts[1:] != ["base"]:
            raise source.error("only the part `base` of a program is used, expected no other", statement.start)
        for before, token in pairwise([Token("", "", 0), *statement.tokens]):
            if problem := _problem(before.text, token):
                raise source.error(problem, token.start)
            if before.text == "#include" and token.kind == "string":
                name = re.sub(r'\\(["\\])', r"\1", token.text[1:-1]).replace("\\n", "\n")
                # clingo looks in the current directory first
                file = next(filter(os.path.exists, (Path(name), path.parent / name)), None)
                if file is None:
                    raise source.error(f"there is no file {shown(name)} to include", before.start)
                yield file


def _problem(before: str, token: Token) -> str | None:
    """Return what is wrong with a token, after the token before it."""
    if token.kind in WITHOUT_END:
        return WITHOUT_END[token.kind]
    if token.kind == "other":
        return f"{shown(token.text)} (U+{ord(token.text):04X}) outside strings and comments, expected ASCII there"
    if token.kind == "number":
        base = {"0x": 16, "0o": 8, "0b": 2}.get(token.text[:2], 10)
        if len(token.text) > LONGEST_NUMBER or int(token.text, base) > LARGEST_NUMBER:
            return f"{shown(token.text)} is too large a number, expected at most {LARGEST_NUMBER}"
    if token.text in REFUSED and (token.kind == "name" or not before):
        return REFUSED[token.text]
    return None


# All that does not matter here is skipped. A full stop beside a character that theory operators are made of may be part
# of one, and so is not taken to end a statement.
_OPERATOR = r"/!<=>+\-*\\?&@|:;~^."
_TOKEN = re.compile(
    rf"""(?P<block>%\*)
      | (?P<comment>%[^\n]*)
      | (?P<string>"(?:[^"\\\n]|\\["\\n])*+")
      | (?P<quote>")
      | (?P<name>[#A-Za-z_'][A-Za-z0-9_']*)
      | (?P<number>0x[0-9A-Fa-f]+ | 0o[0-7]+ | 0b[01]+ | 0 | [1-9][0-9]*)
      | (?<![{_OPERATOR}])(?P<stop>\.)(?![{_OPERATOR}])
      | (?P<mark>:~)
      | (?P<other>[^\x00-\x7f])""",
    re.VERBOSE,
)
_IN_BLOCK = re.compile(r"(?P<open>%\*)|(?P<close>\*%)|%[^\n]*")


def _tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a program, comments among them, up to one that is wrong; a stop in the end, there or not."""
    kind, position = "", 0
    while match := _TOKEN.search(text, position):
        kind = match.lastgroup or ""
        start, position = match.span()
        if kind == "block" and (end := _end_of_block(text, position)):
            kind, position = "comment", end
        yield Token(kind, text[start:position], start)
        if kind in WITHOUT_END:
            break
    yield Token("stop", "", position if kind in WITHOUT_END else len(text))


def _end_of_block(text: str, position: int) -> int | None:
    """Return where the block comment ends that has begun before the position, or None; blocks nest."""
    depth = 1
    while depth and (match := _IN_BLOCK.search(text, position)):
        depth += {"open": 1, "close": -1}.get(match.lastgroup or "", 0)
        position = match.end()
    return None if depth else position


def _statements(text: str) -> Iterator[Statement]:
    start, comments, tokens, begun = 0, 0, list[Token](), False
    for token in _tokens(text):
        if not begun:
            gap = text[start : token.start]
            start += len(gap) - len(gap.lstrip())
            begun = start < token.start or token.kind != "comment"
        if token.kind == "comment":
            comments += len(token.text) if begun else 0
            start = start if begun else token.start + len(token.text)
        elif token.kind == "stop":
            yield Statement(tokens, start, token.start - start - comments)
            start, comments, tokens, begun = token.start + 1, 0, [], False
        else:
            tokens.append(token)


def heads(path: Path) -> list[str]:
    """Return the heads of the rules of a program, without comments and strings; statements of `#` are left out.

    Raises:
        EncodingError: it cannot be read.
    """
    text = read_source(path).text
    found = []
    for statement in _statements(text):
        words = " ".join(_without_arguments(text, statement))
        if not words.startswith("#"):
            found.append(words)
    return found


def _without_arguments(text: str, statement: Statement) -> Iterator[str]:
    """Yield the pieces of the head of a statement."""
    end = statement.start
    for token in statement.tokens:
        gap = text[end : token.start]
        head, arrow, _ = gap.partition(":-")
        yield head
        if arrow:
            return
        yield token.text if token.kind != "string" else "s"
        end = token.start + len(token.text)
    yield text[end : end + 40].partition(":-")[0].partition(".")[0]


def bare(path: Path) -> str:
    """Return the text of a program without its comments, strings, `#defined` and `#show`.

    Raises:
        EncodingError: it cannot be read.
    """
    text, end = read_source(path).text, 0
    pieces = []
    for token in _tokens(text):
        if token.kind in {"comment", "string"}:
            pieces += [text[end : token.start], " " if token.kind == "comment" else "s"]
            end = token.start + len(token.text)
    return re.sub(r"#(defined|show)[^.]*\.", "", "".join([*pieces, text[end:]]))


def arities(text: str, name: str) -> set[int]:
    """Return with how many arguments a predicate, or a term of that name, stands in a program without comments."""
    found = set()
    for match in re.finditer(rf"(?<![\w']){name}(?![\w'])\s*(\(?)", text):
        depth = arity = len(match[1])
        for mark in text[match.end() : match.end() + LONGEST_STATEMENT] if match[1] else "":
            depth += (mark in "({[") - (mark in ")}]")
            arity += mark == "," and depth == 1
            if not depth or (mark == ";" and depth == 1):  # of a pool, the first will do
                break
        found.add(arity)
    return found
