"""`Source`, the text of a program, and checks before clingo reads it: for text that would crash or mislead clingo.

clingo ends the whole process at a character outside ASCII in a rule, and at terms that are nested too deep. A program
may loop or use much memory, but it must not crash us.

Source     a program and its name in messages
_Token     _Token("name", "value", 17): its kind, its text, where it begins
Statement  the tokens up to a full stop
"""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from pyasp_puzzles.asp.rules import RuleFile, Rules, mode_path
from pyasp_puzzles.errors import EncodingError, Where, printable, shown
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

# Bytes of a program, which take a second or two to read.
_LARGEST_PROGRAM = 4 * 2**20
# Characters of a statement. At 17 700 minus signs, `-----...X`, clingo 5.8.3 overflows a stack of 8 MB and ends the
# process.
_LONGEST_STATEMENT = 10_000
# Digits of the longest number; a longer one is too large for clingo.
_LONGEST_INTEGER = 40
# Characters of a line that are shown in a message.
_WIDEST_EXCERPT = 100


# How a file in UTF-16 begins, such as PowerShell writes.
_UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)

# Statements that clingo refuses with a less clear message, or that would change which answers count as different.
_REFUSED = {
    "#script": "scripts are not run here; write rules only",
    "#project": "#project is not used, as the output alone is what tells answers apart; remove it",
    **dict.fromkeys(
        ("#minimize", "#minimise", "#maximize", "#maximise", ":~"),
        "no answer is better than another here; write rules that forbid",
    ),
}

# Tokens without an end, after which nothing can be read.
_WITHOUT_END = {
    "quote": 'a string without end on its line, expected " after it, and within it a backslash before " \\ n only',
    "block": "a comment that does not end, expected *%",
}


class Source(NamedTuple):
    """A program: its name in messages, and its text."""

    name: str
    text: str
    marked: bool = False
    """Whether a byte order mark, which is no part of the text, precedes it."""

    def error(self, message: str, position: int) -> EncodingError:
        """Return an error at a position in the text."""
        line = self.text.count("\n", 0, position) + 1
        return self.error_at(message, line, position - (self.text.rfind("\n", 0, position) + 1) + 1)

    def error_at(self, message: str, line: int, column: int) -> EncodingError:
        """Return an error at a line and column, with the line as its excerpt."""
        return EncodingError(message, Where(self.name, line, column), _excerpt(self.line(line), column))

    def line(self, line: int) -> str:
        """Return a line by its number; empty if there is none."""
        lines = self.text.split("\n", line)
        return lines[line - 1] if line <= len(lines) else ""

    def column(self, line: int, byte: int) -> int:
        """Return the column of a byte in a line, both counted from 1."""
        return len(self.line(line).encode()[: byte - 1].decode(errors="ignore")) + 1


def _excerpt(line: str, column: int) -> str:
    """Return a line with a caret below the column; a long line is cut to whole words around it."""
    line, at = line.rstrip(), column - 1
    if not line:
        return ""
    width = _WIDEST_EXCERPT - len("......")
    first, last = 0, len(line)
    if last > _WIDEST_EXCERPT:
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


class _Token(NamedTuple):
    """A piece of a program that the checks look at."""

    kind: str
    text: str
    start: int


class _Statement(NamedTuple):
    """A statement: its tokens, where it begins, and its text without comments."""

    tokens: list[_Token]
    start: int
    code: str


def check_source(path: RuleFile) -> Sequence[RuleFile]:
    """Check a program, and return its files: itself and those that it includes. Modes may use more than rules.

    Raises:
        EncodingError: it cannot be read, or clingo would crash at it or misread it; or it is text, and includes a file
            or calls a function. Lines of files that it includes are not shown.
    """
    if isinstance(path, Rules):
        _check_text(read_source(path))
        return [path]
    if path == mode_path(path.stem) or _includes_none(read_source(path)):
        return [path]
    waiting, seen = [path], set()
    for file in waiting:
        try:
            source = read_source(file)
            if file.resolve() not in seen:
                seen.add(file.resolve())
                waiting += _check(source, file)
        except EncodingError as error:
            raise without_text(error, [str(path)]) from None
        if source.marked and len(waiting) > 1:  # clingo itself reads it
            message = "a byte order mark begins this file, which includes others or is included; save it without"
            raise EncodingError(message, Where(source.name, 1))
    return waiting


@lru_cache(maxsize=Limits.MOST_SOURCES)
def _includes_none(source: Source) -> bool:
    """Return whether a program includes no files, and check it then.

    Cached: without this cache and that of `_read_file`, 60 boards of as many variants take a tenth longer.
    """
    return "#include" not in source.text and not [*_check(source, Path())]


def _check_text(source: Source) -> None:
    """Check rules as text.

    Includes are looked for first, because clingo opens such files even to parse. Functions are then found in the parsed
    program, where nothing else looks like one.
    """
    for statement in _statements(source.text):
        for token in statement.tokens:
            if token.kind == "name" and token.text == "#include":
                raise source.error("rules as text cannot include a file; paste its rules here", token.start)
    for _ in _check(source, Path()):
        raise AssertionError(source.name)
    if "@" in source.text or "#" in source.text:
        from pyasp_puzzles.asp.nodes import forbidden_nodes

        for message, line, byte in forbidden_nodes(source.text):
            raise source.error_at(message, line, source.column(line, byte))


def source_stamp(file: RuleFile) -> object:
    """Return a stamp that changes when a file does; None for text, and for a file that is gone (reading it raises)."""
    if isinstance(file, Rules):
        return None
    with suppress(OSError, ValueError):
        status = os.stat(file)  # noqa: PTH116 (it is quicker)
        return status.st_mtime_ns, status.st_size, status.st_ino
    return None


def read_source(path: RuleFile) -> Source:
    """Return a program, from a cache unless the file has changed.

    Raises:
        EncodingError: it is no regular file, cannot be read, or is not text.
    """
    return _read_text(path) if isinstance(path, Rules) else _read_file(path, source_stamp(path))


@lru_cache(maxsize=Limits.MOST_SOURCES)
def _read_file(path: Path, stamp: object) -> Source:
    del stamp
    source = Source(str(path), "")
    where = Where(source.name)
    try:
        source.name.encode()
        if source.name == "-" or not path.is_file():
            problem = "this is not a regular file" if source.name == "-" or path.exists() else "there is no such file"
            raise EncodingError(problem, where)
        with path.open("rb") as file:
            data = file.read(_LARGEST_PROGRAM + 1)
    except (OSError, ValueError) as error:
        raise EncodingError(
            f"cannot be read: {getattr(error, 'strerror', None) or 'its name is not UTF-8'}", where
        ) from None
    if len(data) > _LARGEST_PROGRAM:
        raise EncodingError(f"the file is larger than {_LARGEST_PROGRAM >> 20} MB", where)
    try:
        source = _unmarked(source.name, data.decode())
    except UnicodeDecodeError as error:
        if data.startswith(_UTF_16):  # clingo itself reads the file
            raise EncodingError("this file is in UTF-16, and rules are in UTF-8: save it as UTF-8", where) from None
        source = Source(source.name, data.decode(errors="replace"))
        position = len(data[: error.start].decode())
        raise source.error("the file is not UTF-8 text", position) from None
    if "\0" in source.text:
        raise source.error("a NUL character, so the file is not text", source.text.index("\0"))
    return source


def _unmarked(name: str, text: str) -> Source:
    """Return a text as a source, without the byte order mark of some editors."""
    return Source(name, text.removeprefix("\ufeff"), text.startswith("\ufeff"))


def without_mark(file: RuleFile) -> RuleFile:
    """Return a file of rules, as text if a byte order mark precedes it, at which clingo would stop."""
    source = read_source(file)
    return Rules(source.text, source.name) if source.marked else file


def without_text(error: EncodingError, named: Collection[str]) -> EncodingError:
    """Return an error without anything of the line that it is about, unless its file is among those that are named.

    Rules can include any file, and others than its owner may have written them, or read the messages.
    """
    if error.where is None or error.where.line is None or error.where.source in named:
        return error
    message = "something is wrong in this line; it is shown only if its file is named as one of rules, as with --extra"
    return EncodingError(message, error.where)


@lru_cache(maxsize=Limits.MOST_SOURCES)
def source_digest(text: str) -> str:
    """Return a digest of a program without its comments and white space: "1f00ba52"."""
    parts: list[str] = []
    end = 0
    for token in _tokens(text):
        parts += text[end : token.start].split()
        end = token.start + len(token.text)
        parts += [token.text] if token.kind != "comment" else []
    return f"{crc32(' '.join(parts).encode()):08x}"


@lru_cache(maxsize=Limits.MOST_SOURCES)
def source_has_nameless_rules(text: str) -> bool:
    """Return whether a program has a constraint that reads neither `violated` nor `relaxed`."""
    codes = (statement.code.lstrip() for statement in _statements(text))
    return any(code.startswith((":-", "#false")) and not re.search(r"\b(violated|relaxed)\b", code) for code in codes)


def _read_text(rules: Rules) -> Source:
    source = _unmarked(rules.name, rules.text)
    if len(source.text) > _LARGEST_PROGRAM:
        raise EncodingError(f"the text is larger than {_LARGEST_PROGRAM >> 20} MB", Where(source.name))
    if "\0" in source.text:
        raise source.error("a NUL character, so this is not text", source.text.index("\0"))
    try:
        source.text.encode()
    except UnicodeEncodeError as error:
        raise source.error("half of a character (a lone surrogate)", error.start) from None
    return source


def source_without_comments(text: str) -> str:
    """Return the statements of a program without the comments in them, one a line."""
    return "\n".join(f"{part.code}." for part in _statements(text) if part.tokens or part.code.strip())


def source_statement_span(text: str, position: int) -> tuple[int, int]:
    """Return the (start, end) of the statement at a position: from the end of the last full stop to its own."""
    stops = [0, *(token.start + len(token.text) for token in _tokens(text) if token.kind == "stop")]
    after = next((i for i, stop in enumerate(stops) if stop > position), len(stops) - 1)
    return stops[max(0, after - 1)], stops[after]


def _check(source: Source, path: Path) -> Iterator[Path]:
    """Check a program, and yield the files that it includes."""
    for statement in _statements(source.text):
        if len(statement.code) > _LONGEST_STATEMENT:
            message = f"a statement of {len(statement.code)} characters, expected at most {_LONGEST_STATEMENT}"
            raise source.error(f"{message}; is a full stop missing?", statement.start)
        parts = [token.text for token in statement.tokens]
        if parts[:1] == ["#program"] and parts[1:] != ["base"]:
            raise source.error("only the part `base` of a program is used; remove this line", statement.start)
        for before, token in pairwise([_Token("", "", 0), *statement.tokens]):
            if problem := _problem(before.text, token):
                raise source.error(problem, _opening(source.text, statement, token))
            if before.text == "#include" and token.kind == "string":
                name = re.sub(r'\\(["\\])', r"\1", token.text[1:-1]).replace("\\n", "\n")
                # clingo looks in the current directory first
                file = next(filter(os.path.exists, (Path(name), path.parent / name)), None)
                if file is None:
                    raise source.error(f"there is no file {shown(name)} to include", before.start)
                yield file


def _opening(text: str, statement: _Statement, token: _Token) -> int:
    """Return the position of a wrong token; for a quote, of the first string on its line that ends before a letter."""
    line = text.rfind("\n", 0, token.start) + 1
    strings = (string for string in statement.tokens if string.kind == "string" and string.start >= line)
    wrong = (string.start for string in strings if re.match(r"\w", text[string.start + len(string.text) :][:1]))
    return next(wrong, token.start) if token.kind == "quote" else token.start


def _problem(before: str, token: _Token) -> str | None:
    """Return what is wrong with a token that follows another; None if nothing is."""
    if token.kind in _WITHOUT_END:
        return _WITHOUT_END[token.kind]
    if token.kind == "other":
        return f"{shown(token.text)} (U+{ord(token.text):04X}) outside strings and comments, expected ASCII there"
    if token.kind == "number":
        base = {"0x": 16, "0o": 8, "0b": 2}.get(token.text[:2], 10)
        if len(token.text) > _LONGEST_INTEGER or int(token.text, base) > Limits.LARGEST_INTEGER:
            return f"{shown(token.text)} is too large a number, expected at most {Limits.LARGEST_INTEGER}"
    if token.text in _REFUSED and (token.kind == "name" or not before):
        return _REFUSED[token.text]
    return None


# Everything else is skipped. A full stop next to a character of theory operators may be part of an operator, so it does
# not end a statement.
_STRING = re.compile(r'"(?:[^"\\\n]|\\["\\n])*+"')
_OPERATOR = r"/!<=>+\-*\\?&@|:;~^."
_TOKEN = re.compile(
    rf"""(?P<block>%\*)
      | (?P<comment>%[^\n]*)
      | (?P<string>{_STRING.pattern})
      | (?P<quote>")
      | (?P<name>[#A-Za-z_'][A-Za-z0-9_']*)
      | (?P<number>0x[0-9A-Fa-f]+ | 0o[0-7]+ | 0b[01]+ | 0 | [1-9][0-9]*)
      | (?<![{_OPERATOR}])(?P<stop>\.)(?![{_OPERATOR}])
      | (?P<mark>:~)
      | (?P<other>[^\x00-\x7f])""",
    re.VERBOSE,
)
_IN_BLOCK = re.compile(r"(?P<open>%\*)|(?P<close>\*%)|%[^\n]*")


def _tokens(text: str) -> Iterator[_Token]:
    """Yield the tokens of a program, comments too, up to one without an end; the last token is always a stop."""
    kind, position = "", 0
    while match := _TOKEN.search(text, position):
        kind = match.lastgroup or ""
        start, position = match.span()
        if kind == "block" and (end := _end_of_block(text, position)):
            kind, position = "comment", end
        yield _Token(kind, text[start:position], start)
        if kind in _WITHOUT_END:
            break
    yield _Token("stop", "", position if kind in _WITHOUT_END else len(text))


def _end_of_block(text: str, position: int) -> int | None:
    """Return the end of the block comment that begins before the position, or None. Block comments nest."""
    depth = 1
    while depth and (match := _IN_BLOCK.search(text, position)):
        depth += {"open": 1, "close": -1}.get(match.lastgroup or "", 0)
        position = match.end()
    return None if depth else position


def _statements(text: str) -> Iterator[_Statement]:
    """Yield the statements of a program, up to a token that is wrong."""
    start, end, code, tokens = -1, 0, list[str](), list[_Token]()
    for token in _tokens(text):
        gap = text[end : token.start]
        if start < 0:
            gap = gap.lstrip()
            start = token.start - len(gap) if gap or token.kind != "comment" else -1
        end = token.start + len(token.text)
        code.append(gap)
        if token.kind == "stop":
            yield _Statement(tokens, start, "".join(code))
            start, end, code, tokens = -1, token.start + 1, [], []
        elif token.kind != "comment":
            code.append(token.text)
            tokens.append(token)
