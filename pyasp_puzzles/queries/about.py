"""The rules that are about a cell of a board, or come from a line of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.model.review import Broken
from pyasp_puzzles.puzzles.question import Question, ask, ask_again, rules_in_use
from pyasp_puzzles.puzzles.wording import BROKEN_OUTPUTS, WORD_FILES, broken_rules, possible_word_atoms
from pyasp_puzzles.queries.review import broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clingo import Symbol

    from pyasp_puzzles.asp.syntax import Named
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance


class RuleAtWork(NamedTuple):
    """A named rule of a board: `RuleAtWork(Broken("once(row(1),3)", ...), False, "strimko.lp", 41)`."""

    rule: Broken
    """Its name, the cells that it is about, and what it demands."""
    broken: bool
    """Whether what is filled in breaks it."""
    file: str
    """The name of the file or text that it comes from; empty if unknown."""
    line: int
    """The first line of the statement that names it; 0 if unknown."""


def rules_about(
    instance: Instance,
    cell: Cell | None = None,
    line: tuple[str, int] | None = None,
    answer: Answer | None = None,
    settings: Settings = DEFAULT,
) -> list[RuleAtWork]:
    """Return the rules of a board, sorted by name.

    Args:
        instance: the board.
        cell: only rules about this cell, if it is given.
        line: only rules that come from this line of this file, `("strimko.lp", 41)`, if it is given.
        answer: what is filled in; `broken` is about it.
        settings: how to search.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out.
    """
    settings = settings.started()
    search = ask_again(instance, settings, Question(BROKEN_OUTPUTS, ("broken",), files=WORD_FILES))
    atoms = search.atoms("broken", 1)
    if not search.usable:
        raise OutOfTime
    named = [*_named(instance, settings)]
    places = {atom.arguments[0]: _place(atom.arguments[0], named) for atom in atoms}
    if line is not None:
        atoms = {atom: literal for atom, literal in atoms.items() if _covers(places[atom.arguments[0]], *line)}
    rules = broken_rules(instance, [*atoms, *possible_word_atoms(search)])
    wrong = None if answer is None else broken(instance, answer, settings)
    names = {rule.rule for rule in wrong or ()}
    where = {str(rule): place for rule, place in places.items()}
    found = [
        RuleAtWork(rule, rule.rule in names, *((found[0], found[1].first) if (found := where[rule.rule]) else ("", 0)))
        for rule in rules
        if cell is None or cell in rule.cells
    ]
    return found if found or line is None else _instances(instance, line, answer, settings)


def _instances(
    instance: Instance, line: tuple[str, int], answer: Answer | None, settings: Settings
) -> list[RuleAtWork]:
    """Return the ground instances of a rule without a name, one for each set of cells."""
    from pyasp_puzzles.asp import syntax

    file, number = line
    program = syntax.statements([one for one in rules_in_use(instance, settings) if one.name == file]) or ()
    rule = syntax.instances(program, number)
    if rule is None:
        return []
    search = ask(instance, settings, Question((), given=f"{rule.finder}\n"))
    facts = {atom for name, arity in rule.holding for atom in search.facts(name, arity)}
    cells = {f"({r},{c})": (r, c) for r, c in instance.puzzle.cells(instance.facts)}
    entries = () if answer is None else instance.puzzle.kind.entries(instance, answer, search)
    filled = {atom for entry in entries for atom in entry.holds}
    found: dict[tuple[Cell, ...], RuleAtWork] = {}
    for one in sorted(search.atoms(syntax.INSTANCE, 3)):
        values, pairs, holding = (term.arguments for term in one.arguments)
        own = tuple(sorted(cells[name] for name in {*map(str, pairs)} if name in cells))
        wrong = rule.constraint and filled.issuperset({*holding} - facts)
        if own and (own not in found or (wrong and not found[own].broken)):
            found[own] = RuleAtWork(Broken("", own, rule.with_values(values)), wrong, file, rule.first)
    return list(found.values())


def _named(instance: Instance, settings: Settings) -> Iterator[tuple[str, Named]]:
    """Yield the statements of the rules in use that name rules, each with the name of its file."""
    from pyasp_puzzles.asp import syntax

    for file in rules_in_use(instance, settings):
        yield from ((file.name, named) for named in syntax.named_rules(syntax.statements([file]) or ()))


def _place(rule: Symbol, named: list[tuple[str, Named]]) -> tuple[str, Named] | None:
    from pyasp_puzzles.asp.syntax import may_be

    return next((one for one in named if may_be(one[1].term, rule)), None)


def _covers(place: tuple[str, Named] | None, file: str, line: int) -> bool:
    return place is not None and place[0] == file and place[1].first <= line <= place[1].last
