"""The nodes of clingo's syntax trees, and those that are forbidden in rules as text."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from clingo.ast import AST, ASTSequence, ASTType, parse_string

if TYPE_CHECKING:
    from collections.abc import Iterator


def nodes(part: AST, *, conditions: bool = True, terms: bool = True) -> Iterator[AST]:
    """Yield the nodes of a syntax tree from left to right, without recursion, since terms may be nested deep."""
    waiting = [part]
    while waiting:
        node = waiting.pop()
        yield node
        kind, keys = node.ast_type, node.child_keys
        if kind == ASTType.SymbolicAtom and not terms:
            continue
        if kind == ASTType.ConditionalLiteral and not conditions:
            keys = ["literal"]
        for key in reversed(keys):
            child = getattr(node, key)
            waiting += reversed(child) if isinstance(child, ASTSequence) else [child] if isinstance(child, AST) else []


def forbidden_nodes(text: str) -> list[tuple[str, int, int]]:
    """Return a message, line and byte for each script, included file and call of a script's function in a text."""
    statements: list[AST] = []
    # clingo says what else is wrong when it reads them.
    with suppress(RuntimeError):
        parse_string(text, statements.append, logger=lambda _code, _message: None)
    wrong = []
    for statement in statements:
        begin = statement.location.begin
        if begin.filename != "<string>":
            wrong.append(("rules as text cannot include a file; paste its rules here", 1, 1))
        elif statement.ast_type == ASTType.Script:
            wrong.append(("scripts are not run here; write rules only", begin.line, begin.column))
        for node in nodes(statement):
            if node.ast_type == ASTType.Function and node.external:
                begin = node.location.begin
                message = f"@{node.name} calls a function of a script, and scripts are not run here; write rules only"
                wrong.append((message, begin.line, begin.column))
    return wrong
