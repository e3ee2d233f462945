"""Checks of rule files that are used together: for copies of one another, and for predicates that nothing reads."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp import syntax
from pyasp_puzzles.asp.diagnostics import diagnostic_hint
from pyasp_puzzles.asp.rules import is_shipped_path
from pyasp_puzzles.asp.source import read_source
from pyasp_puzzles.errors import EncodingError, Where
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clingo.ast import Position

    from pyasp_puzzles.asp.rules import RuleFile
    from pyasp_puzzles.asp.source import Source
    from pyasp_puzzles.asp.syntax import Signature


def check_rule_copies(files: Sequence[RuleFile]) -> None:
    """Raise if a file is used together with a copy of it.

    A file is a copy of another if both have a rule of one name, and a statement in common, or one file name.

    Raises:
        EncodingError: a file of the user and another are copies, with the names of both.
    """
    for first, second in combinations(files, 2):
        if first == second or (is_shipped_path(first) and is_shipped_path(second)):
            continue
        left, right = contents_to_check(first), contents_to_check(second)
        if left is None or right is None:
            continue
        same = sorted(left.rules & right.rules)
        if same and (left.statements & right.statements or Path(str(first)).name == Path(str(second)).name):
            blamed, copied = (first, second) if is_shipped_path(second) else (second, first)
            name, arity = same[0]
            message = f"the rule {name}/{arity} is also in {copied}; leave one of these files out"
            hint = "; to replace rules by copies of them, pass the folder of the copies: --encoding DIR"
            raise EncodingError(f"{message}{hint}", Where(str(blamed)))


class _Contents(NamedTuple):
    """The rule names, statements and predicates of a file."""

    rules: set[Signature]
    """The names and arities of its named rules."""
    statements: set[str]
    derives: Mapping[Signature, Position]
    """The predicates that it derives, with their places."""
    reads: set[Signature]
    """The predicates that it reads."""


def contents_to_check(file: RuleFile) -> _Contents | None:
    """Return the names and predicates in a file; None, and errors, as for `statements`."""
    return _contents(read_source(file), file)


@lru_cache(maxsize=64)
def _contents(source: Source, file: RuleFile) -> _Contents | None:
    """As `contents_to_check`; cached: without the cache, questions with added rules take a fifth longer."""
    del source  # so that a file is read again when it changes
    program = syntax.statements([file])
    if program is None:
        return None
    terms = [rule.term for rule in syntax.named_statements(program)]
    names = {(syntax.term_name(term), len(getattr(term, "arguments", ()))) for term in terms}
    rules = {name for name in names if name[0] not in {"", syntax.VARIABLE_NAME}}
    return _Contents(rules, {*map(str, program)}, syntax.derived_predicates(program), syntax.read_predicates(program))


def check_unread_predicates(files: Sequence[RuleFile], elsewhere: Callable[[], set[Signature]]) -> list[EncodingError]:
    """Return a warning for each predicate that the user's rules derive and nothing reads.

    Args:
        files: the rules in use.
        elsewhere: returns the predicates that other questions or Python read.
    """
    read: set[Signature] = set()
    derived: dict[Signature, tuple[RuleFile, Position]] = {}
    for file in files:
        contents = contents_to_check(file)
        if contents is None:  # clingo tells what is wrong, or it includes others
            return []
        read |= contents.reads
        for signature, begin in contents.derives.items() if not is_shipped_path(file) else ():
            derived.setdefault(signature, (file, begin))
    if not derived.keys() - read:
        return []
    read |= elsewhere()
    warnings = []
    for (name, arity), (file, begin) in islice(
        ((signature, at) for signature, at in derived.items() if signature not in read), Limits.MOST_WARNINGS
    ):
        names = [f"{name}/{arity}" for name, arity in sorted(read, key=lambda pair: (pair[1] == arity, pair))]
        hint = diagnostic_hint(f"{name}/{arity}", names)
        source = read_source(file)
        message = f"nothing reads {name}/{arity}{hint}"
        warnings.append(source.error_at(message, begin.line, source.column(begin.line, begin.column)))
    return warnings
