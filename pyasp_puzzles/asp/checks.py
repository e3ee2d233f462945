"""Checks of files of rules that are used together: copies of one another, and predicates that nothing reads."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING

from pyasp_puzzles.asp import syntax
from pyasp_puzzles.asp.diagnostics import did_you_mean_predicate
from pyasp_puzzles.asp.paths import is_shipped
from pyasp_puzzles.asp.source import read_source
from pyasp_puzzles.errors import EncodingError, Where
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clingo.ast import Position

    from pyasp_puzzles.asp.rules import RuleFile
    from pyasp_puzzles.asp.source import Source
    from pyasp_puzzles.asp.syntax import Signature


def check_copies(files: Sequence[RuleFile]) -> None:
    """Raise if a file is used together with a copy of it.

    A file is a copy of another if both have a rule of one name, and a statement in common, or one file name.

    Raises:
        EncodingError: a file of the user and another are copies, with the names of both.
    """
    for first, second in combinations(files, 2):
        if first == second or (is_shipped(first) and is_shipped(second)):
            continue
        one, other = (_rules_and_statements(read_source(file), file) for file in (first, second))
        same = sorted(one[0] & other[0])
        if same and (one[1] & other[1] or Path(str(first)).name == Path(str(second)).name):
            own, copied = (first, second) if is_shipped(second) else (second, first)
            name, arity = same[0]
            message = f"the rule {name}/{arity} is also in {copied}; leave one of these files out"
            hint = "; to replace rules by copies of them, pass the folder of the copies: --encoding DIR"
            raise EncodingError(f"{message}{hint}", Where(str(own)))


@lru_cache(maxsize=64)
def _rules_and_statements(source: Source, file: RuleFile) -> tuple[set[Signature], set[str]]:
    """Return the names and arities of the named rules of a file, and all its statements.

    Cached: with added rules, the studio's questions take 7 % longer without it.
    """
    del source  # so that a file is read again when it changes
    program = syntax.statements([file]) or []
    terms = [rule.term for rule in syntax.named_rules(program)]
    names = {(syntax.name_of(term), len(getattr(term, "arguments", ()))) for term in terms}
    return {name for name in names if name[0] not in {"", syntax.VARIABLE_NAME}}, {*map(str, program)}


def used_predicates(file: RuleFile) -> tuple[Mapping[Signature, Position], set[Signature]] | None:
    """Return the predicates that a file derives, with their places, and those it reads; None as for `statements`."""
    return _predicates(read_source(file), file)


@lru_cache(maxsize=64)
def _predicates(source: Source, file: RuleFile) -> tuple[Mapping[Signature, Position], set[Signature]] | None:
    """Return what `used_predicates` does; cached: it takes 20 ms for the files of a board with rules of the user."""
    del source
    program = syntax.statements([file])
    return None if program is None else (syntax.derived_predicates(program), syntax.read_predicates(program))


def check_unread(files: Sequence[RuleFile], elsewhere: Callable[[], set[Signature]]) -> list[EncodingError]:
    """Return a warning for each predicate that the user's rules derive and nothing reads.

    Args:
        files: the rules in use.
        elsewhere: returns the predicates that other questions or Python read.
    """
    read: set[Signature] = set()
    found: dict[Signature, tuple[RuleFile, Position]] = {}
    for file in files:
        known = used_predicates(file)
        if known is None:  # clingo tells what is wrong, or it includes others
            return []
        read |= known[1]
        for signature, begin in {} if is_shipped(file) else known[0].items():
            found.setdefault(signature, (file, begin))
    if not found.keys() - read:
        return []
    read |= elsewhere()
    warnings = []
    for (name, arity), (file, begin) in islice(
        ((one, at) for one, at in found.items() if one not in read), Limits.MOST_WARNINGS
    ):
        names = [f"{name}/{arity}" for name, arity in sorted(read, key=lambda one: (one[1] == arity, one))]
        hint = did_you_mean_predicate(f"{name}/{arity}", names)
        source = read_source(file)
        message = f"nothing reads {name}/{arity}{hint}"
        warnings.append(source.error_at(message, begin.line, source.column(begin.line, begin.column)))
    return warnings
