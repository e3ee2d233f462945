"""What the rules of a board are about: where they come from, their cells, and what they forbid there.

Origin  ("strimko.lp", 41, 42): the lines 41 and 42 of a file, or of a text of that name
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pyasp_puzzles.asp.cores import minimal_subset
from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.spans import Sentence, marked_cells
from pyasp_puzzles.errors import OutOfTime, listing
from pyasp_puzzles.model.review import Broken
from pyasp_puzzles.puzzles import questions, wording
from pyasp_puzzles.puzzles.questions import Question, rules_in_use
from pyasp_puzzles.queries.ground_rules import given_ground_atoms, ground_atoms_by_cell, ground_rules_of
from pyasp_puzzles.queries.review import review_broken_rules, review_literals
from pyasp_puzzles.queries.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clingo import Symbol

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.queries.ground_rules import GroundRule, GroundRules

Origin: TypeAlias = tuple[str, int, float]
# Values that the reason why a value is forbidden names; of more, it names the cells.
_MOST_NAMED = 3


class _RuleAtWork(NamedTuple):
    """A rule of a board: `_RuleAtWork(Broken("once(row(1),3)", ...), False, (("strimko.lp", 41, 42),))`."""

    rule: Broken
    """Its name, the cells that it is about, and what it demands."""
    broken: bool
    """Whether what is filled in breaks it."""
    origins: tuple[Origin, ...]
    """The lines of the statements that name it; none if unknown."""


class _Forbidden(NamedTuple):
    """A value that a rule forbids in a cell: `_Forbidden("2", False, "Row 7 holds 2 once: ...", ((7, 1),))`."""

    value: str
    """Its name: "2", "a bulb"."""
    absent: bool
    """Whether its absence is forbidden: the cell must have it."""
    words: Sentence
    """The rule, and the literals on the board that it needs."""
    cells: tuple[Cell, ...]
    """The cells of what it needs."""


def rules_about(
    instance: Instance,
    cell: Cell | None = None,
    lines: Origin | None = None,
    answer: Answer | None = None,
    settings: Settings = DEFAULT,
) -> list[_RuleAtWork]:
    """Return the rules of a board, sorted by name.

    Args:
        instance: the board.
        cell: only rules about this cell, if it is given.
        lines: only rules that come from these lines, if they are given: those with a name, or else ground instances.
        answer: what is filled in; `broken` is about it.
        settings: how to search.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out.
    """
    settings = settings.started()
    ground, origins = _ground(instance, settings), _origins(instance, settings)
    wrong = None if answer is None else review_broken_rules(instance, answer, settings)
    broken_names, words = {rule.rule for rule in wrong or ()}, Words(ground, instance, settings)
    about = []
    for rule in sorted(ground.rules, key=lambda rule: rule.name):
        at = (
            () if wording.is_nameless(rule.name) else origins(rule.name)
        )  # its instances say more than the whole constraint
        if lines is None or _meet(lines, at):
            described = _rule(rule, words)
            if cell is None or cell in described.cells:
                about.append(_RuleAtWork(described, described.rule in broken_names, at))
    return about if about or lines is None else [*_instances(instance, lines, answer, settings)]


def cells_about(instance: Instance, settings: Settings = DEFAULT) -> dict[Origin, list[tuple[Cell, ...]]]:
    """Return {the lines of a rule: the cells of each of its instances on a board}; errors as for `rules_about`."""
    settings = settings.started()
    files = dict.fromkeys(file.name for file in rules_in_use(instance, settings))
    others = [rule for name in files for rule in _instances(instance, (name, 1, inf), None, settings)]
    by_origin: list[dict[Origin, list[tuple[Cell, ...]]]] = []
    for rules in (others, rules_about(instance, settings=settings)):
        by_origin.append({})
        for rule in rules:
            for origin in rule.origins:
                by_origin[-1].setdefault(origin, []).append(rule.rule.cells)
    return {**by_origin[0], **by_origin[1]}


def forbidden_about(
    instance: Instance, cell: Cell, lines: Origin, answer: Answer | None = None, settings: Settings = DEFAULT
) -> tuple[list[_Forbidden], list[str]]:
    """Return what the named rules of some lines forbid in a cell, and the values that they leave there.

    Each ground rule is propagated alone, with the one-value rules of its cells, given what is printed or filled in
    elsewhere. Of several reasons for a value, the one with the fewest cells is given. Arguments and errors are those of
    `rules_about`; what the cell itself holds is ignored.
    """
    settings = settings.started()
    ground, origins = _ground(instance, settings), _origins(instance, settings)
    atoms = ground.once(ground_atoms_by_cell).get(cell, [])
    board = _RestOfBoard(ground, instance, answer, cell)
    forced: dict[int, tuple[GroundRule, list[int]]] = {}
    for rule in ground.rules:
        if not rule.atoms.isdisjoint(atoms) and _meet(lines, origins(rule.name)):
            for literal, needs in board.forced(rule, atoms):
                if literal not in forced or len(needs) < len(forced[literal][1]):
                    forced[literal] = rule, needs
    words = Words(ground, instance, settings)
    forbidden = [
        _told(words, literal, rule, needs)
        for literal, (rule, needs) in sorted(forced.items(), key=lambda item: abs(item[0]))
    ]
    return forbidden, [words.name(atom)[0] for atom in atoms if -atom not in forced]


def _ground(instance: Instance, settings: Settings) -> GroundRules:
    ground = ground_rules_of(instance, settings)
    if not ground.usable:
        raise OutOfTime
    return ground


def _rule(rule: GroundRule, words: Words) -> Broken:
    """Return the name of a rule, its cells and its words."""
    cells, text = {words.ground.cells[atom] for atom in rule.atoms}, words.sentence(words.rule(rule))
    return Broken(str(rule.name), tuple(sorted(cells or {cell for span in text.spans for cell in span.cells})), text)


class _RestOfBoard:
    """What is on a board outside a cell."""

    def __init__(self, ground: GroundRules, instance: Instance, answer: Answer | None, cell: Cell) -> None:
        self._ground = ground
        # {cell: the guards of its one-value rules}
        self._single: dict[Cell, list[int]] = {}
        for rule in ground.rules:
            cells = {ground.cells[atom] for atom in rule.atoms}
            if len(cells) == 1 and len(rule.atoms) > 1 and not rule.clue:
                self._single.setdefault(cells.pop(), []).append(rule.guard)
        known = given_ground_atoms(ground, instance)
        if answer is not None:
            literals = questions.output_literals(instance, ground.search)
            for entry in instance.puzzle.kind.entries(instance, answer, ground.search):
                entered = review_literals(entry, literals)
                known += [literal for literal in entered if literal > 0 or not entry.holds]
        self._known = [literal for literal in dict.fromkeys(known) if ground.cells.get(abs(literal), cell) != cell]

    def forced(self, rule: GroundRule, atoms: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """Yield (literal of a cell that a rule forces, the literals that this needs), given the cell's atoms.

        A rule that is broken needs one literal for each: two 3s in a row forbid 3 in its other cells, not everything.
        """
        about, search = {self._ground.cells[atom] for atom in rule.atoms}, self._ground.search
        assumed = [rule.guard, *(guard for at in sorted(about) for guard in self._single.get(at, ()))]
        known = [known_literal for known_literal in self._known if self._ground.cells[abs(known_literal)] in about]
        parts = [known] if search.refute(known, given=assumed) is None else [[known_literal] for known_literal in known]
        search.check()
        own_atoms = [atom for atom in atoms if atom in rule.atoms]
        others = [atom for atom in atoms if atom not in rule.atoms]  # these are alike
        asked = [*own_atoms, *others[:1]]
        if self._ground.cells[atoms[0]] not in self._single:
            asked = [*own_atoms, *(-atom for atom in own_atoms)]
        for literal in asked:
            given = [*assumed, literal]
            cores = (search.refute(part, given=given) for part in parts)
            core = next((core for core in cores if core is not None), None)
            core = core and minimal_subset(core, lambda rest: search.refute(rest, given=given))  # noqa: B023 (asked here)
            search.check()
            if core is not None:
                yield from ((-forced_literal, core) for forced_literal in (others if literal in others else [literal]))


def _told(words: Words, literal: int, rule: GroundRule, needs: Sequence[int]) -> _Forbidden:
    """Return what a rule forces, in words."""
    cells = dict.fromkeys(words.ground.cells[abs(need)] for need in needs)
    named = len(needs) <= _MOST_NAMED and min(needs, default=0) > 0
    reason = listing([words.entry(need) for need in needs], "and") if named else marked_cells(cells) if cells else ""
    text = spans.capitalized(f"{words.rule(rule)}{f': {reason}' if reason else ''}.")
    value, negated = words.name(abs(literal))
    return _Forbidden(value, (literal > 0) is not negated, words.sentence(text), tuple(cells))


def _instances(instance: Instance, lines: Origin, answer: Answer | None, settings: Settings) -> Iterator[_RuleAtWork]:
    """Yield the ground instances of rules, one for each set of cells."""
    from pyasp_puzzles.asp import syntax

    file = lines[0]
    program = syntax.statements([text for text in rules_in_use(instance, settings) if text.name == file]) or ()
    rules = syntax.instance_statements(program, *lines[1:])
    if not rules:
        return
    search = questions.ask(
        instance, settings, Question((), given="".join(f"{rule.finder}\n" for rule in rules.values()))
    )
    search.check()
    facts = {atom for rule in rules.values() for name, arity in rule.holding for atom in search.facts(name, arity)}
    cells = {f"({r},{c})": (r, c) for r, c in instance.cells}
    entries = () if answer is None else instance.puzzle.kind.entries(instance, answer, search)
    filled = {atom for entry in entries for atom in entry.holds}
    instances: dict[tuple[int, tuple[Cell, ...]], _RuleAtWork] = {}
    for atom in sorted(search.atoms(syntax.INSTANCE_PREDICATE, 4)):
        number = atom.arguments[0].number
        rule = rules[number]
        values, pairs, holding = (term.arguments for term in atom.arguments[1:])
        rule_cells = tuple(sorted(cells[name] for name in {*map(str, pairs)} if name in cells))
        wrong = rule.constraint and filled.issuperset({*holding} - facts)
        if rule_cells and (
            (number, rule_cells) not in instances or (wrong and not instances[number, rule_cells].broken)
        ):
            at = ((file, rule.first, rule.last),)
            instances[number, rule_cells] = _RuleAtWork(Broken("", rule_cells, rule.with_values(values)), wrong, at)
    yield from instances.values()


def _origins(instance: Instance, settings: Settings) -> Callable[[Symbol], tuple[Origin, ...]]:
    """Return the function that says which lines of the rules in use name a rule."""
    from pyasp_puzzles.asp import syntax

    named = [
        (named.term, (file.name, named.first, named.last))
        for file in rules_in_use(instance, settings)
        for named in syntax.named_statements(syntax.statements([file]) or ())
    ]

    def origins(rule: Symbol) -> tuple[Origin, ...]:
        if wording.is_nameless(rule):
            return ((rule.arguments[0].string, rule.arguments[1].number, rule.arguments[1].number),)
        return tuple([lines for term, lines in named if syntax.term_may_be(term, rule)])

    return origins


def _meet(lines: Origin, others: Sequence[Origin]) -> bool:
    """Return whether some lines have one in common with others."""
    return any(lines[0] == file and lines[1] <= last and first <= lines[2] for file, first, last in others)
