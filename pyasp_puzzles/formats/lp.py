"""`.lp` files: ground facts, as `pyasp facts` prints them and plain clingo reads them.

An instance is data and must not run code, so everything but ground facts and comments is refused here, before clingo
sees it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from clingo.symbol import Function, String, Symbol

from pyasp_puzzles.boards.facts import Fact, Facts
from pyasp_puzzles.boards.toml import DETAILS
from pyasp_puzzles.errors import InstanceError, PuzzleError, Where, listing, printable_line, shown
from pyasp_puzzles.formats.format import Format, Report, Text, left_out, only_board
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.puzzle import Instance, Puzzle
from pyasp_puzzles.puzzles import declaration
from pyasp_puzzles.puzzles.declaration import find_puzzle
from pyasp_puzzles.puzzles.questions import facts_program

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

# Facts, and lines, of a file; the largest board has fewer. They are read in a second or two.
_MOST_FACTS = 250_000
# Arguments of a fact; no predicate has that many.
_MOST_ARGUMENTS = 100
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
# A fact of the usual form. Matching it as a whole is many times faster than reading its tokens.
_FACT = re.compile(rf"(?P<fact>{_NAME}\({_PLAIN}(?:,{_PLAIN}){{0,2}}\)\.)")
# Comments and strings, closed or not.
_SKIPPED = re.compile(r'%\*(?:[^*]++|\*(?!%))*+(?:\*%)?|%[^\n]*+|"(?:[^"\\\n]++|\\.)*+"?', re.DOTALL)
_PREDICATE = re.compile(rf"(?<![\w'])({_NAME})\s*+\(")
_DETAIL = re.compile(rf"^% (puzzle|variants|{'|'.join(DETAILS)}):(.*)$", re.MULTILINE)


def _is_facts(text: str) -> bool:
    """Return whether a text begins like facts or another program."""
    comments = r"\s*+(?:%(?!\*)[^\n]*+\s*+)*+"
    begin = comments + r"(%|:-|#(script|include|const|show)\b|[a-z]\w*\s*(\(|\.(?=\s|%|$)))|\s*+(?:%[^\n]*+\s*+)++$"
    # Words may begin like facts, but facts have addresses only in comments and strings.
    return re.match(begin, text) is not None and ("://" not in text or "://" not in _SKIPPED.sub("", text))


def _read(text: Text) -> Iterator[Instance]:
    """Yield the board of some facts."""
    content, where = text.text, text.where
    used = _predicates(content, where)
    facts_read = read_facts(content, where)
    first = list(islice(facts_read, 1))  # an error in the first fact comes before an unknown puzzle
    details = {match[1]: (match[2].strip(), match.start()) for match in _DETAIL.finditer(content)}
    name, start = details.pop("puzzle", ("", 0))
    variants, place = details.pop("variants", ("", 0))
    if name:
        puzzle = find_puzzle(name, Where(where.source, content.count("\n", 0, start) + 1), text.puzzles)
    else:
        puzzle = _recognise(used, where, text.puzzles)
    names = tuple(dict.fromkeys(variants.split()))
    about = {key: printable_line(value) for key, (value, _) in details.items()}
    try:
        named = Where(where.source, content.count("\n", 0, place) + 1)
        puzzle = declaration.with_named_variants(puzzle, names, named, text.puzzles)
        facts = Facts(puzzle.predicates, where)
        for fact in chain(first, facts_read):
            facts.add(*fact)
        if not len(facts):
            raise InstanceError(f"there are no facts; a board of {puzzle.name} has {puzzle.required} and others", where)
        puzzle.validate(facts)
    except PuzzleError as error:
        error.about = {"puzzle": puzzle.name, "source": where.source, "board": 1, "title": about.get("title", "")}
        raise
    yield Instance(puzzle, facts, details=about, variants=names)


def _recognise(used: set[str], where: Where, directories: Sequence[Path]) -> Puzzle:
    """Return the puzzle of facts with these predicates: the one that knows the most of them.

    One of the user's comes before those that ship.
    """
    with_rules = [puzzle for puzzle in declaration.puzzles(directories) if puzzle.encodings[-1].parent == puzzle.folder]
    candidates = [puzzle for puzzle in with_rules if puzzle.required in used]
    if not candidates:
        needed = listing(f"{puzzle.required} ({puzzle.name})" for puzzle in with_rules)
        raise InstanceError(f"there is no board of any puzzle in these facts; a board has facts of {needed}", where)
    strange = {puzzle: len(used - {predicate.name for predicate in puzzle.predicates}) for puzzle in candidates}
    best = [puzzle for puzzle in candidates if strange[puzzle] == min(strange.values())]
    best = [puzzle for puzzle in best if not puzzle.ships] or best
    if len(best) > 1:
        names = listing(puzzle.name for puzzle in best)
        raise InstanceError(f"these may be facts of {names}; say which in a line % puzzle: NAME", where)
    return best[0]


def _write(boards: Sequence[Instance], report: Report) -> str:
    """Return the facts of a board."""
    board = only_board("lp", boards)
    lost = [*board.extras, *(["solution"] if board.solution is not None else [])]
    if lost:
        report(left_out("lp", lost))
    return facts_program(board).removesuffix("\n")


def read_facts(source: str, where: Where) -> Iterator[Fact]:
    """Yield the ground facts of an `.lp` instance; a fact is a name and flat arguments.

    Raises:
        InstanceError: anything but ground facts and comments, with its line, or too many of them.
    """
    tokens = _tokens(source, where)
    for kind, value, place in tokens:
        if kind == "fact":
            name, _, inside = value[:-2].partition("(")
            yield name, tuple(map(_plain, inside.split(","))), place
            continue
        if kind != "name":
            raise _unexpected(value, place, "a fact like `given(1, 2, 3).`")
        arguments: list[int | Symbol] = []
        mark = _next(tokens, place, "(.", "( or .")
        while mark not in ").":
            if len(arguments) == _MOST_ARGUMENTS:
                raise InstanceError(f"{shown(value)} has more than {_MOST_ARGUMENTS} arguments", place)
            arguments.append(_argument(tokens, place))
            mark = _next(tokens, place, ",)", ", or )")
        if mark == ")":
            _next(tokens, place, ".", ".")
        yield value, arguments, place


def _predicates(source: str, where: Where) -> set[str]:
    """Return the names of the predicates of an `.lp` instance, found without reading its facts.

    Raises:
        InstanceError: more lines or facts than any board has.
    """
    outline = _SKIPPED.sub("", source) if source.count("\n") <= _MOST_FACTS else ""
    for count, name in ((source.count("\n"), "lines"), (outline.count("."), "facts")):
        if count > _MOST_FACTS:
            raise InstanceError(f"there are {count} {name}; an instance has at most {_MOST_FACTS}", where)
    return {match[1] for match in _PREDICATE.finditer(outline)}


def _tokens(source: str, where: Where) -> Iterator[tuple[str, str, Where]]:
    """Yield the tokens except blanks; a fact of the usual form is one token."""
    line, position, between = 1, 0, True
    place = Where(where.source, line)
    while position < len(source):
        match = (_FACT.match(source, position) if between else None) or _TOKEN.match(source, position)
        if match is None:
            fragments = source[position : position + 40].split()
            raise _unexpected(fragments[0] if fragments else source[position], place, "a fact like `given(1, 2, 3).`")
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
    """Return an argument of a fact of the usual form; cached: boards take a ninth longer to read without it."""
    word = word.strip(" \t")
    if word[0] in "-0123456789":
        return int(word)
    return String(word[1:-1]) if word[0] == '"' else Function(word)


def _next(tokens: Iterator[tuple[str, str, Where]], place: Where, marks: str, expected: str) -> str:
    _, value, place = next(tokens, ("end", "the end of the file", place))
    if value not in marks:
        raise _unexpected(value, place, expected)
    return value


def _argument(tokens: Iterator[tuple[str, str, Where]], place: Where) -> int | Symbol:
    kind, value, place = next(tokens, ("end", "the end of the file", place))
    if kind == "number":
        if len(value) > len(str(Limits.LARGEST_INTEGER)) + 1 or abs(int(value)) > Limits.LARGEST_INTEGER:
            message = f"{shown(value)} is too large a number; numbers are at most {Limits.LARGEST_INTEGER}"
            raise InstanceError(message, place)
        return int(value)
    if kind == "string":
        string = re.sub(r"\\(.)", lambda escape: {"n": "\n"}.get(escape[1], escape[1]), value[1:-1])
        if not string.isprintable():
            raise InstanceError(f"{shown(string)} holds an unprintable character", place)
        return String(string)
    if kind == "name" and value != "not":
        return Function(value)
    raise _unexpected(value, place, "a number, a constant or a string")


def _unexpected(token: str, place: Where, expected: str) -> InstanceError:
    return InstanceError(f"unexpected {shown(token)}, expected {expected}; an instance holds ground facts only", place)


FORMAT = Format("lp", "ground facts for clingo, of one board", _is_facts, _read, _write, suffixes=(".lp",))
