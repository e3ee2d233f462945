r"""Diagnostics: clingo's messages as exceptions of ours, `FILE:LINE:COLUMN: what is wrong, what was expected`.

Message   "a.lp:3:1-3: info: atom does not occur in any rule head:\n  giben(R)", as clingo's logger receives it
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.deadline import run_in_thread
from pyasp_puzzles.asp.rules import FACTS_NAME, Rules
from pyasp_puzzles.asp.source import Source, read_source, source_statement_span, without_text
from pyasp_puzzles.errors import EncodingError, Fault, Where, listing, nearest_name, printable, shorten, shown
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from pyasp_puzzles.asp.rules import RuleFile

# An unknown name is compared with this many names, to suggest what was meant.
_MOST_NAMES_COMPARED = 500
# A missing full stop is looked for at the ends of this many lines of a statement.
_MOST_BREAKS = 20

_MESSAGE = re.compile(
    r"(?P<file>.*?):(?P<line>\d+):(?P<column>\d+)-(?:\d+:)?(?P<end>\d+): (?P<kind>error|warning|info): (?P<words>.*)",
    re.DOTALL,
)
_NOTE = re.compile(r"\n[^\n]*?:(\d+):(\d+)-(?:\d+:)?\d+: note: ([^\n]*)")
_UNSAFE = re.compile(r"'(.*)' is unsafe")
_ABSENT = re.compile(
    r"(?:atom does not occur in any rule head|no atoms over signature occur in program):\s*(.*)", re.DOTALL
)
_ATOM = re.compile(r"(-?[\w']+)(?:/(\d+)|\((.*)\))?", re.DOTALL)
_TOKENS = {"<IDENTIFIER>": "a name", "<NUMBER>": "a number", "<STRING>": "a string", "<VARIABLE>": "a variable"}


def clingo_error(
    error: Exception, messages: Collection[str], texts: Sequence[Rules], encoding: str, files: Collection[str]
) -> Exception:
    """Return our exception for one of clingo's, with clingo's first error message, which says more.

    Lines are shown only of `files`, and not of those that they include; further arguments as for `_translated`.
    """
    if isinstance(error, RuntimeError):
        errors = [text for text in messages if (match := _MESSAGE.match(text)) and match["kind"] == "error"]
        texts_of_errors = errors[: Limits.MOST_WARNINGS] or [str(error)]
        first, *others = [without_text(_translated(text, texts, encoding), files) for text in texts_of_errors]
        first.others = tuple(others)
        return first
    return _translated("bad_alloc", texts, encoding) if isinstance(error, MemoryError) else error


def _translated(message: str, texts: Sequence[Rules], encoding: str, names: Collection[str] = ()) -> EncodingError:
    """Return a message as an error.

    Args:
        message: the message, or the text of an exception of clingo's.
        texts: the facts, and rules as text, in the order in which clingo reads them.
        encoding: the file to blame if the message names none.
        names: the predicates that are defined, like "value/3".
    """
    match = _MESSAGE.fullmatch(message.strip())
    if match is None:
        text = "there is not enough memory for it" if "bad_alloc" in message else re.sub(r"^.*\)@\d+: ", "", message)
        return EncodingError(_printable(text), Where(encoding))
    text, line, above = match["words"], int(match["line"]), 0
    if match["file"] in {"<block>", "<string>"}:
        source, above = _text(texts, line)
    else:
        source = _source(match["file"])
    line -= above
    if (absent := _ABSENT.fullmatch(text)) and source.name == FACTS_NAME:
        return EncodingError(_undefined(_signature(absent[1]), names), Where(encoding))
    column, end = source.column(line, int(match["column"])), source.column(line, int(match["end"]))
    notes = sorted((int(at) - above, int(column), note) for at, column, note in _NOTE.findall(text))
    unsafe = [(at, column, m[1]) for at, column, note in notes if (m := _UNSAFE.fullmatch(note))]
    if unsafe:
        return _unsafe(source, unsafe)
    if text.startswith(("syntax error", "lexer error")):
        return _syntax(source, text, line, column, end)
    if absent:
        signature = _signature(absent[1])
        hint = diagnostic_hint(signature, names).removesuffix("?").rpartition(" ")[2]
        error = source.error_at(_undefined(absent[1], names), line, column)
        error.fault = Fault("undefined", signature.rpartition("/")[0], hint.rpartition("/")[0])
        return error
    text = _NOTE.sub(lambda note: f"; line {int(note[1]) - above}: {note[3]}", text)
    return source.error_at(_printable(text), line, column)


def clingo_warnings(
    messages: Collection[str], texts: Sequence[Rules], encoding: str, files: Collection[str], names: Collection[str]
) -> Iterator[EncodingError]:
    """Yield messages as warnings, without repetition; arguments as for `clingo_error` and `_translated`."""
    absent = {_signature(match[1]) for text in messages if (match := _ABSENT.search(text))}
    defined = [name for name in names if name not in absent][:_MOST_NAMES_COMPARED]
    seen: set[str] = set()
    for message in messages:
        warning = without_text(_translated(message, texts, encoding, defined), files)
        if str(warning) not in seen:
            yield warning
        seen.add(str(warning))
        if len(seen) == Limits.MOST_WARNINGS:
            return


def slow_rule_diagnostic(encodings: Sequence[RuleFile], program: str, seconds: float) -> EncodingError | None:
    """Return an error at the rule, in a text, that does not ground in some seconds; None if all rules in texts do.

    Rules are grounded one by one, each after the rules that it depends on.
    """
    from clingo.ast import Program, ProgramBuilder
    from clingo.control import Control

    from pyasp_puzzles.asp.syntax import statement_variables, statements, statements_in_order

    rules = [(rule, file) for file in encodings for rule in statements([file]) or ()]
    groups = statements_in_order([rule for rule, _ in rules])
    grouped = {id(rule): number for number, group in enumerate(groups) for rule in group}
    control, part = Control(logger=lambda _code, _message: None), 0
    control.add("base", [], program)
    with ProgramBuilder(control) as builder:
        for rule, _ in rules:
            name = f"part{grouped[id(rule)]}" if id(rule) in grouped else "base"
            builder.add(Program(rule.location, name, []))
            builder.add(rule)

    def ground() -> None:
        nonlocal part
        control.ground([("base", [])])
        for part in range(len(groups)):
            control.ground([(f"part{part}", [])])

    with suppress(RuntimeError):
        if run_in_thread(ground, seconds):
            return None
    slow = [(rule, file) for rule, file in rules if grouped.get(id(rule)) == part and isinstance(file, Rules)]
    if not slow:
        return None
    rule, file = max(slow, key=lambda pair: len(statement_variables(pair[0])))
    begin = rule.location.begin
    return Source(file.name, file.text).error_at(
        "this rule has no end of instances, or too many", begin.line, begin.column
    )


def _text(texts: Sequence[Rules], line: int) -> tuple[Source, int]:
    """Return the text that a line of all texts belongs to, and the number of lines above that text."""
    above = 0
    for rules in texts[:-1]:
        if line <= above + rules.lines:
            break
        above += rules.lines
    else:
        rules = texts[-1]
    return Source(rules.name, rules.text), above


def _source(file: str) -> Source:
    """Return the file that clingo has just read; empty if it is gone."""
    try:
        return read_source(Path(file))
    except EncodingError:
        return Source(file, "")


def _unsafe(source: Source, places: list[tuple[int, int, str]]) -> EncodingError:
    """Return the error of a rule with unsafe variables, at the first of them."""
    named = [place for place in places if not re.match("#(Range|Arith)", place[2])] or places
    names = list(dict.fromkeys(_printable(name) for _, _, name in named))
    noun, verb, each = ("variable", "is", "it") if len(names) == 1 else ("variables", "are", "each")
    message = f"{noun} {listing(names, 'and')} {verb} unsafe, expected {each} in an atom of the body without `not`"
    line, column, _ = named[0]
    error = source.error_at(message, line, source.column(line, column))
    error.fault = Fault("unsafe", " ".join(names))
    return error


def _syntax(source: Source, problem: str, line: int, column: int, end: int) -> EncodingError:
    """Return a syntax error; where clingo expects a full stop, the statement before often lacks its own."""
    wanted = problem.partition("expecting ")[2].strip()
    stops = not wanted or "." in wanted.split()
    for token, name in _TOKENS.items():
        wanted = wanted.replace(token, name)
    expected = f", expected {_printable(wanted)}" if wanted else ""
    if "unexpected EOF" in problem:
        text = source.text.rstrip()
        missing = ", expected a full stop" if stops else expected
        error = source.error(f"the program ends within a statement{missing}", len(text))
        error.fault = Fault("stop") if stops else None
        return error
    after = _after_missing_stop(source, line, column) if stops else None
    if after and after != (line, column):
        (line, column), end = after, after[1] + 1
    hint = "; is there a full stop before it?" if stops and (wanted or after) else ""
    message = f"syntax error: unexpected {shown(source.line(line)[column - 1 : end - 1])}{hint or expected}"
    error = source.error_at(message, line, column)
    error.fault = Fault("stop") if hint else None
    return error


def _after_missing_stop(source: Source, line: int, column: int) -> tuple[int, int] | None:
    """Return the line and column of a statement that clingo can read if the one before it gets a full stop, or None.

    They may be before those of an error: after `a :- b`, the line `{ c } :- d.` begins like an aggregate, `b { c }`,
    and clingo reports its `:-`. So the beginnings of lines come first.
    """
    at = sum(len(text_line) + 1 for text_line in source.text.split("\n", line)[: line - 1]) + column - 1
    start, end = source_statement_span(source.text, at)
    breaks = [match.end() for match in re.finditer(r"\n(?:[ \t\n]|%.*)*", source.text[start : at + 1])]
    for place in (*(start + offset for offset in breaks[:_MOST_BREAKS]), at):
        if _is_program(f"{source.text[start:place]}\n.") and _is_program(source.text[place:end]):
            before = source.text[:place]
            return before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1
    return None


def _is_program(text: str) -> bool:
    """Return whether clingo can read a text."""
    from clingo.ast import parse_string

    try:
        parse_string(text, lambda _statement: None, logger=lambda _code, _message: None)
    except RuntimeError:
        return False
    return True


def _undefined(atom: str, names: Collection[str]) -> str:
    """Return the message for a predicate that nothing defines, given as an atom or as `value/3`."""
    hint = diagnostic_hint(_signature(atom), names)
    return f"nothing defines {shorten(_printable(atom), Limits.LONGEST_ATOM)}{hint}"


def diagnostic_hint(signature: str, names: Collection[str]) -> str:
    """Return a hint with the predicate whose name is most like this one (the last of that name), or none."""
    signatures = {name.rpartition("/")[0]: name for name in names}
    near = nearest_name(signature.rpartition("/")[0], signatures)
    return f"; did you mean {signatures[near]}?" if near else ""


def _signature(atom: str) -> str:
    """Return `value/3` for `value(1,2,3)` or `value/3`."""
    match = _ATOM.fullmatch(atom.strip())
    return f"{match[1]}/{match[2] or len(_arguments(match[3] or ''))}" if match else atom


def _arguments(text: str) -> list[str]:
    """Return the arguments in a text, between its outer commas."""
    flat = re.sub(r'"(?:[^"\\]|\\.)*"', "s", text)
    while flat != (flat := re.sub(r"\([^()]*\)", "t", flat)):
        pass
    return flat.split(",") if flat else []


def _printable(text: str) -> str:
    """Return clingo's words in one line, without the names that it makes up."""
    plain = re.sub(r":-\[#inc_base\]\.", ".", text.strip()).replace("[#inc_base];", "")
    plain = " ".join(re.sub(r"#(Anon|P)\d+", "_", plain).split())
    return printable(plain)
