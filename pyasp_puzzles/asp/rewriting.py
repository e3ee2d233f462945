"""Programs rewritten to ground or solve faster, with the same answers: for questions that name no rule.

Names    `violated(once(U, V)) :- BODY.` becomes `:- BODY, not relaxed(once(U, V)).`, or `:- BODY.` if nothing is
         relaxed. The line `:- violated(Rule), not relaxed(Rule).` is removed.
Clauses  `:- BODY, { value(R, C, V) : unit(U, R, C) } != 1.` becomes a clause and pairs, `P` short for `value(R, C, V)`:
         `:- BODY, not P : unit(U, R, C).` and `:- BODY, P, unit(U, R, C), P', unit(U, R', C'), P < P'.`

Importing `clingo.ast` takes 10 milliseconds, so this module is imported only where many boards are searched.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from clingo.ast import (
    AST,
    ASTType,
    Comparison,
    ComparisonOperator,
    ConditionalLiteral,
    Function,
    Guard,
    Literal,
    Sign,
    SymbolicAtom,
    Transformer,
)
from clingo.symbol import Number

from pyasp_puzzles.asp.paths import ships
from pyasp_puzzles.asp.rules import Rules
from pyasp_puzzles.asp.source import Source, read_source
from pyasp_puzzles.asp.syntax import heads, is_plain, signatures, statements, variables

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyasp_puzzles.asp.rules import RuleFile


NAMED, RELAXED = "violated", "relaxed"


def rewritten(files: Sequence[RuleFile], text: str, *, clauses: bool) -> Sequence[AST] | None:
    """Return the statements of files of rules, rewritten; None if their names have another use than to forbid.

    Args:
        files: the files.
        text: what is grounded with them.
        clauses: whether small cardinalities become clauses, too. That grounds slower and solves faster.
    """
    if NAMED in text or RELAXED in text or any(isinstance(file, Rules) for file in files):
        return None
    # A file of the user may change. To read both files of Tectonic takes 0.1 ms.
    return _rewritten(tuple([file if ships(file) else read_source(file) for file in files]), clauses)


@lru_cache(maxsize=16)
def _rewritten(files: tuple[RuleFile | Source, ...], clauses: bool) -> Sequence[AST] | None:  # noqa: FBT001 (a key of the cache)
    program = statements([Path(file.name) if isinstance(file, Source) else file for file in files])
    last = next(filter(_forbids_violated, program or ()), None)
    if program is None or last is None:
        return None
    relaxing = any(atom.name == RELAXED for atom in heads(program))
    found: list[AST] = []
    for one in program:
        name = _name(one)
        uses = sum(signature[0] == NAMED for signature in signatures([*one.body] if name else [one]))
        if _forbids_violated(one):
            continue
        if uses or (one.ast_type == ASTType.ShowSignature and one.name == NAMED):
            return None
        found.append(one if name is None else _nameless(one, name, last, relaxing=relaxing))
    return tuple(clause for one in found for clause in _clauses(one)) if clauses else tuple(found)


def _name(statement: AST) -> AST | None:
    """Return the term NAME of a rule `violated(NAME) :- BODY.`; None for another statement."""
    if statement.ast_type != ASTType.Rule or statement.head.ast_type != ASTType.Literal or statement.head.sign:
        return None
    atom = statement.head.atom
    if atom.ast_type != ASTType.SymbolicAtom or atom.symbol.ast_type != ASTType.Function:
        return None
    return atom.symbol.arguments[0] if atom.symbol.name == NAMED and len(atom.symbol.arguments) == 1 else None


def _forbids_violated(statement: AST) -> bool:
    """Return whether this is `:- violated(Rule), not relaxed(Rule).`, with any variable."""
    if statement.ast_type != ASTType.Rule or len(variables(statement)) != 1:
        return False
    [name] = variables(statement)
    return str(statement) == f"#false :- {NAMED}({name}); not {RELAXED}({name})."


def _nameless(rule: AST, name: AST, last: AST, *, relaxing: bool) -> AST:
    """Return the constraint that a named rule and the last line are together."""
    atom = SymbolicAtom(Function(name.location, RELAXED, [name], 0))
    # A calculation may have no result, and a range no number: then nothing is violated.
    added = [Literal(name.location, Sign.Negation, atom)] if relaxing or not is_plain(name) else []
    return rule.update(head=last.head, body=[*rule.body, *added])


def _clauses(statement: AST) -> Iterable[AST]:
    """Yield a constraint as clauses, if it says that not exactly one of some atoms holds; any other statement as it is.

    In a constraint, parts that hold in the same cases may stand for each other. Other cardinalities remain: for strips,
    pairs in place of "more than one" take longer.
    """
    body = [*statement.body] if statement.ast_type == ASTType.Rule and str(statement.head) == "#false" else []
    for i, part in enumerate(body):
        others = [*body[:i], *body[i + 1 :]]
        known = {name for one in others for name in _global(one)}
        if _is_not_one(part, known):
            [element] = part.atom.elements
            none = ConditionalLiteral(part.location, element.literal.update(sign=Sign.Negation), element.condition)
            yield from _clauses(statement.update(body=[*others, none]))
            other = _Renaming(known).visit(element)
            pair = element.literal.atom.symbol, other.literal.atom.symbol
            different = Comparison(pair[0], [Guard(ComparisonOperator.LessThan, pair[1])])
            two = [element.literal, *element.condition, other.literal, *other.condition]
            literal = Literal(part.location, Sign.NoSign, different)
            yield from _clauses(statement.update(body=[*others, *two, literal]))
            return
    yield statement


def _is_not_one(part: AST, known: set[str]) -> bool:
    """Return whether a part of a body is `{ value(R, C, V) : unit(U, R, C) } != 1`, with every variable known."""
    if part.ast_type != ASTType.Literal or part.sign or part.atom.ast_type != ASTType.Aggregate:
        return False
    guard, elements = part.atom.left_guard, part.atom.elements
    if part.atom.right_guard or not guard or guard.term.ast_type != ASTType.SymbolicTerm or len(elements) != 1:
        return False
    if guard.term.symbol != Number(1) or guard.comparison != ComparisonOperator.NotEqual:
        return False
    [element] = elements
    literal = element.literal
    if literal.sign or literal.atom.ast_type != ASTType.SymbolicAtom or not is_plain(literal):
        return False
    atoms = [one for one in element.condition if one.ast_type == ASTType.Literal and not one.sign and is_plain(one)]
    bound = {name for one in atoms if one.atom.ast_type == ASTType.SymbolicAtom for name in variables(one)}
    return {*variables(literal)} <= (known | bound) - {"_"}


def _global(part: AST) -> list[str]:
    """Return the variables of a part of a body that have one value in all of the body: those outside its elements."""
    if part.ast_type == ASTType.ConditionalLiteral:
        return []
    if part.ast_type != ASTType.Literal or part.atom.ast_type not in {ASTType.Aggregate, ASTType.BodyAggregate}:
        return variables(part)
    guards = (part.atom.left_guard, part.atom.right_guard)
    return [name for guard in guards if guard for name in variables(guard.term)]


class _Renaming(Transformer):
    """Renames the variables of an element, except known ones."""

    def __init__(self, known: set[str]) -> None:
        self._known = known

    def visit_Variable(self, variable: AST) -> AST:  # noqa: N802 (the name is clingo's)
        """Return the variable with another name."""
        name = variable.name
        return variable if name in self._known or name == "_" else variable.update(name=f"{name}_other")
