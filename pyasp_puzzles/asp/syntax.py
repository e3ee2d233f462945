"""The syntax of programs: statements as clingo parses them, and the atoms, terms, predicates and variables in them.

Importing `clingo.ast` takes some milliseconds, so this module is imported only where rules are looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import dropwhile, pairwise, takewhile
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clingo.ast import AST, ASTType, parse_files, parse_string
from clingo.symbol import String, SymbolType

from pyasp_puzzles.asp.nodes import nodes
from pyasp_puzzles.asp.rules import Rules
from pyasp_puzzles.asp.source import Source, check_source, read_source, source_without_comments
from pyasp_puzzles.errors import EncodingError, shorten
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from clingo import Symbol
    from clingo.ast import Position

    from pyasp_puzzles.asp.rules import RuleFile

# The name of a predicate, and the number of its arguments: `("value", 3)`.
Signature: TypeAlias = tuple[str, int]
# The name of a term that may have any name.
VARIABLE_NAME = "_"


class _Atom(NamedTuple):
    """An atom of a rule: of `-clue(R, C, 3)`, the name `clue` and its three arguments."""

    name: str
    arguments: Sequence[AST]


def statements(files: Iterable[RuleFile]) -> list[AST] | None:
    """Return the statements of programs; None if clingo cannot read one of them, or one includes another file.

    Raises:
        EncodingError: a file cannot be read.
    """
    programs = [_parsed(read_source(file), isinstance(file, Rules)) for file in files]
    return None if None in programs else [statement for program in programs for statement in program or ()]


@lru_cache(maxsize=64)
def _parsed(source: Source, text: bool) -> list[AST] | None:  # noqa: FBT001 (a key of the cache)
    """Return the statements of a program.

    Cached: it takes 2 ms, and with added rules, the studio's questions take 5 % longer without it.
    """
    file = Rules(source.text, source.name) if text else Path(source.name)
    parsed: list[AST] = []
    try:
        if len(check_source(file)) > 1:
            return None
        if text or source.marked:
            parse_string(source.text, parsed.append, logger=lambda _code, _message: None)
        else:
            parse_files([source.name], parsed.append, logger=lambda _code, _message: None)
    except (EncodingError, RuntimeError):
        return None
    return [statement for statement in parsed if statement.ast_type not in {ASTType.Program, ASTType.Comment}]


def rule_statements(program: Iterable[AST]) -> list[AST]:
    """Return the statements other than declarations (`#defined`) and `#show`."""
    signs = {ASTType.Defined, ASTType.ShowSignature, ASTType.ShowTerm}
    return [statement for statement in program if statement.ast_type not in signs]


def head_atoms(program: Iterable[AST]) -> list[_Atom]:
    """Return the atoms that the rules of a program derive or choose, without the conditions on these."""
    return [atom for rule in program if rule.ast_type == ASTType.Rule for atom in _atoms(rule.head, conditions=False)]


def atom_names(program: Iterable[AST]) -> set[str]:
    """Return the names of the atoms of a program."""
    return {atom.name for statement in program for atom in _atoms(statement)}


def derived_atom_names(program: Iterable[AST]) -> set[str]:
    """Return the names of the atoms that the rules of a program derive or choose."""
    return {atom.name for atom in head_atoms(program)}


def derived_predicates(program: Iterable[AST]) -> dict[Signature, Position]:
    """Return {predicate that the rules of a program derive or choose: where it is first in a head}."""
    derived: dict[Signature, Position] = {}
    for statement in program:
        for node in nodes(statement.head, conditions=False, terms=False) if statement.ast_type == ASTType.Rule else ():
            if node.ast_type == ASTType.SymbolicAtom:
                for atom in _atoms(node):
                    derived.setdefault((atom.name, len(atom.arguments)), node.symbol.location.begin)
    return derived


def read_predicates(program: Iterable[AST]) -> set[Signature]:
    """Return the predicates that a program reads or shows, and does not only derive or declare."""
    read: set[Signature] = set()
    for statement in program:
        if statement.ast_type == ASTType.ShowSignature:
            read.add((statement.name, statement.arity))
        elif statement.ast_type != ASTType.Defined:
            rule = statement.ast_type == ASTType.Rule
            choices = (
                [node for node in nodes(statement.head) if node.ast_type == ASTType.ConditionalLiteral] if rule else []
            )
            parts = [*statement.body, *(part for node in choices for part in node.condition)] if rule else [statement]
            read.update((atom.name, len(atom.arguments)) for part in parts for atom in _atoms(part))
    return read


def body_atoms(program: Iterable[AST]) -> Iterator[_Atom]:
    """Yield the atoms in the bodies of the rules of a program."""
    return (atom for rule in program if rule.ast_type == ASTType.Rule for part in rule.body for atom in _atoms(part))


def atom_signatures(program: Iterable[AST]) -> set[tuple[str, int]]:
    """Return the name and the number of arguments of each atom of a program, and of each term in these."""
    terms = (node for statement in program for node in nodes(statement) if node.ast_type == ASTType.Function)
    return {(node.name, len(node.arguments)) for node in terms}


def program_atom_signatures(files: Iterable[RuleFile]) -> set[tuple[str, int]]:
    """Return the signatures of programs; none if clingo cannot read one of them; errors as for `statements`."""
    signatures = [_signatures(read_source(file), isinstance(file, Rules)) for file in files]
    return set() if None in signatures else set().union(*filter(None, signatures))


@lru_cache(maxsize=8)
def _signatures(source: Source, text: bool) -> set[tuple[str, int]] | None:  # noqa: FBT001 (a key of the cache)
    """Return the signatures of one program; cached: it takes 10 ms, and each of 60 variants is asked for them."""
    program = _parsed(source, text)
    return None if program is None else atom_signatures(program)


def statements_using(program: Iterable[AST], name: str) -> list[AST]:
    """Return the statements of a program with an atom of that name."""
    likely = [statement for statement in program if name in str(statement)]  # 0.3 ms for seven files, not 5
    return [statement for statement in likely if any(atom.name == name for atom in _atoms(statement))]


def only_reads_predicate(program: Iterable[AST], name: str) -> bool:
    """Return whether no statement of a program derives, chooses or declares external atoms of that name."""
    uses = statements_using(program, name)
    plain = {ASTType.Rule, ASTType.Edge, ASTType.Heuristic, ASTType.ShowTerm}
    return all(use.ast_type in plain for use in uses) and all(atom.name != name for atom in head_atoms(uses))


def dependent_predicates(changed: set[str], program: Iterable[AST], fixed: Collection[str]) -> set[str]:
    """Return the names of the changed predicates, and of those that depend on them, except through fixed ones."""
    rules = [(derived_atom_names([statement]).difference(fixed), atom_names([statement])) for statement in program]
    dependent, before = set(changed), 0
    while len(dependent) > before:
        before = len(dependent)
        dependent |= {name for derived, used in rules if not dependent.isdisjoint(used) for name in derived}
    return dependent


def reads_absence(program: Iterable[AST], names: Collection[str]) -> bool:
    """Return whether the body of a rule has atoms of these predicates under `not`, and none without it."""
    for rule in (statement for statement in program if statement.ast_type == ASTType.Rule):
        literals = [part for part in rule.body if part.ast_type == ASTType.Literal]
        if {bool(part.sign) for part in literals for atom in _atoms(part) if atom.name in names} == {True}:
            return True
    return False


def has_plain_syntax(program: Iterable[AST]) -> bool:
    """Return whether a program has only rules, and statements about its output and the order of its search."""
    plain = {ASTType.Rule, ASTType.Edge, ASTType.Heuristic, ASTType.Defined, ASTType.ShowSignature, ASTType.ShowTerm}
    return all(statement.ast_type in plain for statement in program)


def most_joined_atoms(program: Iterable[AST], name: str) -> int:
    """Return the most atoms that depend on a predicate, in one body or one element of a rule."""
    rules = [rule for rule in program if rule.ast_type == ASTType.Rule]
    dependent = dependent_predicates({name}, rules, ())
    joins = [atoms for rule in rules for atoms in _joins(rule)]
    return max((sum(atom.name in dependent for atom in atoms) for atoms in joins), default=0)


def statements_in_order(program: Iterable[AST]) -> list[list[AST]]:
    """Return the rules of a program in groups, each after those it needs; rules that need each other are in one."""
    needs: dict[str, set[str]] = {}
    uses = []
    for statement in program:
        if statement.ast_type not in {ASTType.Definition, ASTType.Defined, ASTType.ShowSignature}:
            heads, names = {atom.name for atom in head_atoms([statement])}, {atom.name for atom in _atoms(statement)}
            uses.append((statement, names, not heads))
            for name in heads:
                needs.setdefault(name, set()).update(names)
    groups: dict[tuple[frozenset[str], int], list[AST]] = {}
    for number, (statement, names, alone) in enumerate(uses):
        reached, waiting = set(names), [*names]
        for name in waiting:
            new = needs.get(name, set()) - reached
            reached |= new
            waiting += new
        groups.setdefault((frozenset(reached), 1 + number if alone else 0), []).append(statement)
    return [groups[key] for key in sorted(groups, key=lambda key: (len(key[0]), key[1]))]


def _joins(rule: AST) -> Iterator[list[_Atom]]:
    """Yield the atoms in the body of a rule that must hold, and those of each element of its other parts."""
    plain = [one for one in rule.body if one.ast_type == ASTType.Literal and one.atom.ast_type == ASTType.SymbolicAtom]
    yield [atom for one in plain if not one.sign for atom in _atoms(one) if atom.arguments]
    for part in (rule.head, *(one for one in rule.body if one not in plain)):
        inner = part.atom if part.ast_type == ASTType.Literal else part
        for element in getattr(inner, "elements", [inner]):
            yield [*_atoms(element)]


def statement_variables(statement: AST) -> list[str]:
    """Return the names of the variables of a statement, in the order in which they first occur."""
    return list(dict.fromkeys(node.name for node in nodes(statement) if node.ast_type == ASTType.Variable))


def term_name(term: AST) -> str:
    """Return the name of a term `row(R)` or `row`, `VARIABLE_NAME` for a variable, and empty for other terms."""
    if term.ast_type == ASTType.Variable:
        return VARIABLE_NAME
    if term.ast_type == ASTType.Function:
        return str(term.name)
    return str(term) if term.ast_type == ASTType.SymbolicTerm else ""


def term_constants(term: AST) -> Iterator[str]:
    """Yield the constants and strings that a term may be, as clingo writes them: `"<"` and `"^"` of `("<"; "^")`."""
    if term.ast_type == ASTType.Pool:
        for argument in term.arguments:
            yield from term_constants(argument)
    elif term.ast_type == ASTType.SymbolicTerm and term.symbol.type is not SymbolType.Number:
        yield str(term.symbol)
    elif term.ast_type == ASTType.Function and not term.arguments and term.name:
        yield str(term.name)


class _NamingRule(NamedTuple):
    """A rule of a program that names what it forbids: the term in its head `violated(once(U, V))`, and its lines."""

    term: AST
    first: int
    last: int


def named_statements(program: Iterable[AST]) -> list[_NamingRule]:
    """Return the rules of a program that derive `violated`, in order."""
    rules = []
    for statement in program:
        if statement.ast_type == ASTType.Rule:
            lines = statement.location.begin.line, statement.location.end.line
            heads = (atom for atom in _atoms(statement.head, conditions=False) if atom.name == "violated")
            rules += [_NamingRule(atom.arguments[0], *lines) for atom in heads if atom.arguments]
    return rules


def rule_comments(file: RuleFile) -> dict[tuple[str, int], str]:
    """Return {("once", 2): the comment above the first rule that derives violated(once(U, V)), on one line}.

    No blank line stands between them. Only sentences count: comments that begin with a letter and end with a full stop.
    Nothing if clingo cannot read the file.
    """
    source = read_source(file)
    comments: dict[tuple[str, int], str] = {}
    for term, line, _ in named_statements(statements([file]) or ()):
        above = takewhile(bool, (source.line(number).strip() for number in range(line - 1, 0, -1)))
        comment = takewhile(_is_comment, dropwhile(lambda text: not _is_comment(text), above))
        text = re.sub(r" \([^()]*\)$", "", " ".join(reversed([part.strip("% ") for part in comment])))  # an aside
        if text.endswith(".") and text[0].isalpha():
            comments.setdefault((term_name(term), len(getattr(term, "arguments", ()))), text)
    return comments


def _is_comment(line: str) -> bool:
    return line.startswith("%")


def statements_with_names(file: RuleFile, above: int = 0) -> list[AST] | None:
    """Return the statements of a program with names for the constraints that have none; None if all have one.

    `:- value(1, 1, 2).` in line 3 of mine.lp becomes `violated(line("mine.lp", 3)) :- value(1, 1, 2).`, with its
    words and a constraint that forbids it.

    Args:
        file: the program.
        above: the number of lines above it, if it is text.
    """
    text, source = isinstance(file, Rules), read_source(file)
    program = _parsed(source._replace(text="\n" * above + source.text), text) or []
    if not any(map(_is_nameless, program)):
        return None
    result: list[AST] = []
    lines: Counter[int] = Counter()
    for statement in program:
        if not _is_nameless(statement):
            result.append(statement)
            continue
        line = statement.location.begin.line - above
        lines[line] += 1
        which = f",{lines[line]}" if lines[line] > 1 else ""
        name = f"line({String(Path(source.name).name)},{line}{which})"
        excerpt = shorten(statement_text(statement, source, above), Limits.LONGEST_ATOM)
        told = f"line {line} of {'your rules' if text else Path(source.name).name}: `{excerpt}`"
        forbids = f"#defined relaxed/1. :- violated({name}), not relaxed({name})."
        added: list[AST] = []
        parse_string(f"violated({name}). says({name},{String(told)}). {forbids}", added.append)
        _, named, *others = added
        result += [statement.update(head=named.head), *others]
    return result


def _is_nameless(statement: AST) -> bool:
    """Return whether a statement is a constraint that reads neither `violated` nor `relaxed`."""
    if statement.ast_type != ASTType.Rule or str(statement.head) != "#false":
        return False
    return not {"violated", "relaxed"} & {name for name, _ in atom_signatures(statement.body)}


def statement_text(statement: AST, source: Source, above: int = 0) -> str:
    """Return a statement as it is written, on one line."""
    begin, end = statement.location.begin, statement.location.end
    lines = [source.line(number - above) for number in range(begin.line, end.line + 1)]
    lines[-1] = lines[-1][: source.column(end.line - above, end.column) - 1]
    lines[0] = lines[0][source.column(begin.line - above, begin.column) - 1 :]
    return " ".join(source_without_comments("\n".join(lines)).split())


def statement_definitions(program: Sequence[AST]) -> dict[str, list[AST]]:
    """Return {`once/2`: the statements on which violated(once(U, V)) depends}.

    If U has several kinds of terms, such as row(R) by statements that derive unit(row(R), R, C), each kind has an
    entry, `once(row)/2`, without the statements for other kinds.
    """
    definitions: dict[str, list[AST]] = {}
    derived = [(rule, derived_atom_names([rule]) - {"violated"}) for rule in program]
    for name in dict.fromkeys(filter(None, map(_rule_name, program))):
        naming = [rule for rule in program if _rule_name(rule) == name]
        kinds = _kinds_of_terms(naming, program)
        for kind in kinds or [""]:
            others = [rule for other, of_kind in kinds.items() if other != kind for rule in of_kind]
            read, wanted, before = [*naming], atom_names(naming), 0
            while len(wanted) > before:
                before = len(wanted)
                read += [rule for rule, made in derived if made & wanted and rule not in read and rule not in others]
                wanted = atom_names(read)
            definitions[name.replace("/", f"({kind})/") if kind else name] = read
    return definitions


def _kinds_of_terms(rules: Sequence[AST], program: Sequence[AST]) -> dict[str, list[AST]]:
    """Return {`row`: the statements that derive unit(row(R), R, C)}, if rules with one name read unit(U, R, C) for U.

    Empty if other statements read `unit`, too, or if a statement derives it for terms of any kind.
    """
    named = {name for rule in rules for naming in named_statements([rule]) for name in statement_variables(naming.term)}
    read = {
        (atom.name, len(atom.arguments), place)
        for atom in body_atoms(rules)
        for place, term in enumerate(atom.arguments)
        if term.ast_type == ASTType.Variable and term.name in named
    }
    for name, arity, place in sorted(read):
        kinds: dict[str, list[AST]] = {}
        for statement in program:
            for atom in head_atoms([statement]):
                if (atom.name, len(atom.arguments)) == (name, arity):
                    term = atom.arguments[place]
                    kinds.setdefault(term_name(term) if getattr(term, "arguments", ()) else "", []).append(statement)
        users = [statement for statement in statements_using(program, name) if statement not in rules]
        apart = (
            derived_atom_names([statement]) == {name} or _is_for_each_term(statement, name, place, rules, program)
            for statement in users
        )
        if len(kinds) > 1 and "" not in kinds and all(apart):
            return kinds
    return {}


def _is_for_each_term(statement: AST, name: str, place: int, rules: Sequence[AST], program: Sequence[AST]) -> bool:
    """Return whether a statement derives, for these rules only, short(U) from unit(U, R, C) with the same U."""
    heads = head_atoms([statement])
    own = {term.name for atom in heads for term in atom.arguments if term.ast_type == ASTType.Variable}
    read = [atom.arguments[place] for atom in body_atoms([statement]) if atom.name == name]
    users = [user for derived in derived_atom_names([statement]) for user in statements_using(program, derived)]
    return (
        len(heads) == 1
        and all(term.ast_type == ASTType.Variable and term.name in own for term in read)
        and all(user in rules or user == statement for user in users)
    )


def _rule_name(statement: AST) -> str:
    """Return `once/2` for a statement that derives violated(once(U, V)); "" for another."""
    terms = [named.term for named in named_statements([statement])]
    return f"{term_name(terms[0])}/{len(getattr(terms[0], 'arguments', ()))}" if terms else ""


def statement_subject(statement: AST) -> tuple[str, int]:
    """Return what a statement is about: `("once", 2)` for one that derives says(once(U, V), ...), or ("", 0)."""
    first = next((atom.arguments[0] for atom in head_atoms([statement]) if atom.arguments), None)
    return ("", 0) if first is None else (term_name(first), len(getattr(first, "arguments", ())))


class _Instances(NamedTuple):
    """A program that finds the ground instances of a rule: `pyasp_instance(7,(1,2,3),((1,2),),(value(1,2,3),))`.

    The arguments are the number of the rule, the values of the variables, the cells, and the atoms in the body that
    must hold.
    """

    finder: str
    """`pyasp_instance(7,(R,C,V,),((R,C),),(value(R,C,V),)) :- value(R,C,V).`"""
    variables: list[str]
    holding: set[tuple[str, int]]
    """The predicates of the atoms that must hold: `{("value", 3)}`."""
    words: str
    """The rule: `:- value(R,C,V).`"""
    constraint: bool
    """Whether nothing is derived, and so an instance is broken if its atoms hold."""
    first: int
    last: int

    def with_values(self, values: Sequence[Symbol]) -> str:
        """Return the rule with values of its variables."""
        replacements = dict(zip(self.variables, map(str, values), strict=True))
        return re.sub(r"\"[^\"]*\"|\b_*[A-Z]\w*'*", lambda match: replacements.get(match[0], match[0]), self.words)


# The predicate of `_Instances`.
INSTANCE_PREDICATE = "pyasp_instance"


def instance_statements(program: Iterable[AST], first: int = 1, last: float = inf) -> dict[int, _Instances]:
    """Return {number: the program that finds its ground instances} for rules in some lines that name a cell.

    The rules have bodies. A cell is two consecutive arguments that are called R and C, or else the first two.
    """
    lines = (
        (rule, rule.location.begin.line, rule.location.end.line) for rule in program if rule.ast_type == ASTType.Rule
    )
    rules = [rule for rule, begin, end in lines if rule.body and begin <= last and first <= end]
    return {number: instances for number, rule in enumerate(rules) if (instances := _instances(number, rule))}


def _instances(number: int, rule: AST) -> _Instances | None:
    """Return the program that finds the ground instances of a rule with this number; None if it names no cell."""
    plain = [literal for literal in rule.body if literal.ast_type == ASTType.Literal]
    atoms = [literal for literal in plain if literal.atom.ast_type == ASTType.SymbolicAtom]
    simple = [*atoms, *(literal for literal in plain if literal.atom.ast_type == ASTType.Comparison)]
    variables = dict.fromkeys(name for literal in simple for name in statement_variables(literal) if name != "_")

    def is_known(*terms: AST) -> bool:
        return all(name in variables for term in terms for name in statement_variables(term))

    pairs = [_cell(atom.arguments) for part in (rule.head, *rule.body) for atom in _atoms(part)]
    cells = [f"({pair[0]},{pair[1]})" for pair in pairs if pair and is_known(*pair)]
    holding = [str(literal.atom.symbol) for literal in atoms if not literal.sign and is_known(literal.atom.symbol)]
    constraint = str(rule.head) == "#false" and len(simple) == len(rule.body) and len(holding) == len(atoms)
    if not cells:
        return None
    body = "; ".join(map(str, rule.body))  # after a comma, a literal would be one more condition
    parts = (", ".join([*part, ""]) for part in (variables, cells, holding))
    finder = f"{INSTANCE_PREDICATE}({number},{','.join(f'({part})' if part else '()' for part in parts)}) :- {body}."
    head = "" if str(rule.head) == "#false" else f"{rule.head} "
    begin, end = rule.location.begin.line, rule.location.end.line
    names = {(atom.name, len(atom.arguments)) for literal in atoms for atom in _atoms(literal)}
    return _Instances(finder, [*variables], names, f"{head}:- {body}.", constraint, begin, end)


def _cell(terms: Sequence[AST]) -> tuple[AST, AST] | None:
    """Return the terms of an atom that say a cell."""
    first = ["".join(statement_variables(term)[:1]) for term in terms]
    for i, (row, column) in enumerate(pairwise(first)):
        if row.startswith("R") and column.startswith("C"):
            return terms[i], terms[i + 1]
    return (terms[0], terms[1]) if len(terms) > 1 else None


def term_may_be(term: AST, symbol: Symbol) -> bool:
    """Return whether a term with variables may become a symbol; if that takes a calculation, it may."""
    if term.ast_type == ASTType.SymbolicTerm:
        return bool(term.symbol == symbol)
    if term.ast_type == ASTType.Pool:
        return any(term_may_be(argument, symbol) for argument in term.arguments)
    if term.ast_type != ASTType.Function:
        return True
    return bool(
        symbol.type is SymbolType.Function
        and (term.name, len(term.arguments)) == (symbol.name, len(symbol.arguments))
        and all(term_may_be(*pair) for pair in zip(term.arguments, symbol.arguments, strict=True))
    )


def _atoms(part: AST, *, conditions: bool = True) -> Iterator[_Atom]:
    for node in nodes(part, conditions=conditions, terms=False):
        if node.ast_type == ASTType.SymbolicAtom:
            terms = [node.symbol]
            for term in terms:
                if term.ast_type == ASTType.Function:
                    yield _Atom(term.name, term.arguments)
                elif term.ast_type == ASTType.UnaryOperation:  # strong negation
                    terms.append(term.argument)
                elif term.ast_type == ASTType.Pool:
                    terms += term.arguments
