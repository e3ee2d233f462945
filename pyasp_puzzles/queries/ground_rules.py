"""`GroundRules`, a board's named rules grounded: each with a formula over atoms and a literal that switches it on.

GroundRule   GroundRule(once(row(1), 3), formula, atoms, guard): a named rule
GroundRules  all rules of an instance, and the cells that atoms are about

A rule holds if its `violated` atom does not. Its formula is found by unfolding the ground rules of that atom down to
the atoms of choice rules. Few atoms that depend on one another are unfolded, too; where there are more, as in a graph,
the formula is the `violated` atom itself, and the rule is a global one, see `explanation.global_rules`. Boards that
differ only in their clues share one grounding; there, each clue is a rule that demands one literal.

If an atom is chosen only where others hold, `{ a } :- b`, this is the rule choice(a). An atom that answers do not show
has no such rule: it is unfolded to b and a new atom, so b is part of each rule that reads a.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from clingo import Function
from clingo.backend import Observer

from pyasp_puzzles.asp.cores import smallest_literal_core
from pyasp_puzzles.asp.grounding import components
from pyasp_puzzles.asp.settings import Settings
from pyasp_puzzles.asp.symbols import UNKNOWN, fact_symbol, symbol_arguments
from pyasp_puzzles.boards.grid import grouped
from pyasp_puzzles.puzzles import questions, wording
from pyasp_puzzles.puzzles.questions import Question
from pyasp_puzzles.queries.formulas import (
    Threshold,
    certain_formula_literals,
    consequences_of_formula,
    formula_literals,
    formula_search,
    negate,
    simplify,
    threshold_formula,
)
from pyasp_puzzles.queries.sessions import absent_session_facts, session_program

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.queries.formulas import Formula, RuleBody, TranslatedFormulaSearch

# Literals of a formula; a skyscraper of nine cells has 3402.
_MOST_LITERALS = 4000
# Atoms that depend on one another and are unfolded: a path across a board of 5x5 would have millions of literals.
_MOST_UNFOLDED = 4
# How deep unfolded definitions are nested. More could exceed Python's recursion limit.
_MOST_NESTED = 60
# The name of the rule that an atom is only chosen where the encoding lets it be.
CHOICE_RULE = "choice"
_Made = TypeVar("_Made")


class GroundRuleObserver(Observer):
    """Collects the ground rules while clingo grounds a program, and unfolds them into formulas.

    Nothing can stop a grounding from outside, but an observer can, by raising. It has to when time is up: a thread that
    still calls the observer when Python exits would crash the process.
    """

    def __init__(self, deadline: Deadline) -> None:
        self._late = deadline.late
        self.open: set[int] = set()
        """The atoms of choice rules and disjunctions."""
        self.bodies: dict[int, list[RuleBody]] = {}
        """{atom: the bodies of its rules}"""
        # {atom of choice rules: their bodies}; a disjunction counts as one that is always possible.
        self._choices: dict[int, list[RuleBody]] = {}
        # Whether atoms follow from what lets them be chosen.
        self._has_chosen = False
        self._formulas: dict[int, Formula] = {}
        # About how many literals the formula of an atom has.
        self._sizes: dict[int, int] = {}

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:  # noqa: FBT001 (clingo's signature)
        """Collect a rule with a conjunction as its body."""
        self.weight_rule(choice, head, len(body), [(literal, 1) for literal in body])

    def weight_rule(
        self,
        choice: bool,  # noqa: FBT001 (clingo's signature)
        head: Sequence[int],
        lower_bound: int,
        body: Sequence[tuple[int, int]],
    ) -> None:
        """Collect a rule whose body is a sum of weights."""
        if self._late():
            raise TimeoutError  # not OutOfTime: clingo raises a new one of this class, with this one as its argument
        for atom in head:
            if choice or len(head) > 1:
                self.open.add(atom)
                self._choices.setdefault(atom, []).append((lower_bound, body) if choice else (0, ()))
            else:
                self.bodies.setdefault(atom, []).append((lower_bound, body))

    def name_choices(
        self, search: Search, outputs: Mapping[int, Symbol], guards: Collection[int]
    ) -> dict[Symbol, tuple[int, int]]:
        """Make a rule of each choice that depends on other atoms, once, before the program is asked anything.

        Returns {rule: its `violated` atom, the literal that switches it on}.

        Args:
            search: the search of the program that was observed.
            outputs: the atoms that answers show.
            guards: the literals that switch other rules on.
        """
        self._late = lambda: False  # the rules that are added here are observed, too
        every = {atom: [*bodies, *self.bodies.get(atom, ())] for atom, bodies in self._choices.items()}
        dependent = {
            atom: bodies
            for atom, bodies in every.items()
            if -atom not in guards and all(bound > 0 for bound, _ in bodies)
        }
        if not dependent or not search.usable:
            return {}
        choices: dict[Symbol, tuple[int, int]] = {}
        with search.backend() as backend:
            for atom, bodies in dependent.items():
                if atom not in outputs:
                    self._choose(atom, backend.add_atom())
                    continue
                violated, broken, possible = backend.add_atom(), backend.add_atom(), backend.add_atom()
                for bound, body in bodies:
                    backend.add_weight_rule([possible], bound, body)
                backend.add_rule([violated], [atom, -possible])
                backend.add_rule([broken], choice=True)
                backend.add_rule([atom], [broken], choice=True)
                choices[Function(CHOICE_RULE, [outputs[atom]])] = violated, -broken
        return choices

    def _choose(self, atom: int, chosen: int) -> None:
        """Derive an atom from what lets it be chosen and from another atom, which is open in its place."""
        self._has_chosen = True
        self.open.remove(atom)
        self.open.add(chosen)
        for bound, body in self._choices[atom]:
            more = 1 + sum(weight for _, weight in body)
            self.bodies.setdefault(atom, []).append((bound + more, [*body, (chosen, more)]))

    @cached_property
    def components(self) -> dict[int, frozenset[int]]:
        """{atom that depends on itself: the atoms that depend on one another with it}."""
        derived = {atom for atom, bodies in self.bodies.items() if atom not in self.open and bodies[0][1]}  # no facts
        below = {
            atom: [other for _, body in self.bodies[atom] for literal, _ in body if (other := abs(literal)) in derived]
            for atom in derived
        }
        cyclic = [part for part in components(below) if len(part) > 1 or part[0] in below[part[0]]]
        return {atom: frozenset(part) for part in cyclic for atom in part}

    def below(self, atoms: Iterable[int]) -> dict[int, Sequence[RuleBody]]:
        """Return the ground rules of atoms, and of what these depend on, down to the atoms of choice rules."""
        rules: dict[int, Sequence[RuleBody]] = {}
        waiting = [*atoms]
        while waiting:
            atom = waiting.pop()
            if atom not in rules and atom not in self.open:
                rules[atom] = self.bodies.get(atom, ())
                waiting += [abs(literal) for _, body in rules[atom] for literal, _ in body]
        return rules

    def rule_formula(self, violated: int, relaxed: int, guard: int) -> Formula:
        """Return the formula that holds if a rule is not violated, or the encoding itself relaxes it.

        If atoms stay folded in what is violated, the formula has the rule's `violated` atom.

        Args:
            violated: the rule's `violated` atom; 0 if that is a fact.
            relaxed: its `relaxed` atom, likewise.
            guard: the literal that switches the rule on.
        """
        satisfied = negate(self.formula(violated)) if violated else False
        if not self.is_unfolded(satisfied):
            satisfied = -violated
        excused = simplify(self.formula(relaxed), {abs(guard): guard > 0}) if relaxed else True
        return threshold_formula(1, [(1, satisfied), (1, excused)])

    def is_unfolded(self, formula: Formula) -> bool:
        """Return whether all atoms of a formula are those of choice rules."""
        return all(abs(literal) in self.open for literal in formula_literals(formula))

    def formula(self, literal: int, depth: int = 0) -> Formula:
        """Return a literal unfolded; or as it is, if too many atoms depend on it and it on them, or it is too large."""
        atom = abs(literal)
        if atom not in self._formulas:
            component = self.components.get(atom, frozenset())
            if atom in self.open or depth > _MOST_NESTED or not self.unfolds(component):
                return literal
            # What an atom would derive from itself does not count.
            self._formulas |= dict.fromkeys(component, False)
            for _ in component:
                self._formulas |= {member: self._unfolded(member, depth) for member in component}
            if not component:
                self._formulas[atom] = self._unfolded(atom, depth)
        formula = self._formulas[atom]
        return formula if literal > 0 else negate(formula)

    def unfolds(self, component: frozenset[int]) -> bool:
        """Return whether atoms that depend on one another are unfolded: if they are few, and by positive literals."""
        return len(component) <= _MOST_UNFOLDED and not any(
            -literal in component for atom in component for _, body in self.bodies[atom] for literal, _ in body
        )

    def _unfolded(self, atom: int, depth: int) -> Formula:
        """Return the formula of an atom; or the atom itself, if that would be too large."""
        bodies = self.bodies.get(atom, ())
        ways = [(1, self.unfold(bound, body, depth + 1)) for bound, body in bodies]
        size = sum(self._sizes.get(abs(below), 1) for _, body in bodies for below, _ in body)
        too_large = size > _MOST_LITERALS
        self._sizes[atom] = 1 if too_large else size
        return atom if too_large else threshold_formula(1, ways)

    def unfold(self, bound: int, body: Sequence[tuple[int, int]], depth: int = 0) -> Formula:
        """Return the formula of a body: literals that hold have weights that add up to a bound."""
        parts = [(weight, self.formula(part, depth)) for part, weight in body]
        if self._has_chosen and bound == sum(weight for weight, _ in parts):
            # A line that has a number where lines go: of a cell with a line, only the number is left.
            known = {abs(part): part > 0 for _, part in parts if isinstance(part, int) and not isinstance(part, bool)}
            parts = [(weight, simplify(part, known) if isinstance(part, Threshold) else part) for weight, part in parts]
        return threshold_formula(bound, parts)


class GroundRule(NamedTuple):
    """A named rule of a ground program."""

    name: Symbol
    formula: Formula
    """Holds exactly if the rule is not violated."""
    atoms: frozenset[int]
    """The atoms about cells that it depends on."""
    guard: int
    """The literal that switches the rule on when it is assumed."""
    clue: bool
    is_global: bool = False
    """Whether it is a global rule, asked as a whole: its formula has atoms that stay folded."""

    def needs_one(self, known: Mapping[int, bool] = MappingProxyType({})) -> bool:
        """Return whether it needs one of its open atoms."""
        return simplify(self.formula, {**dict.fromkeys(self.atoms, False), **known}) is False

    def allows_one(self, atoms: Collection[int]) -> bool:
        """Return whether it allows no two of some atoms."""
        forced = {atom: certain_formula_literals(simplify(self.formula, {atom: True})) or () for atom in atoms}
        return all(-other in forced[atom] for atom, other in combinations(sorted(atoms), 2))


class GroundRules(NamedTuple):
    """A ground instance with named rules."""

    search: Search
    rules: list[GroundRule]
    symbols: dict[int, Symbol]
    """The atoms that are about cells."""
    cells: dict[int, Cell]
    """The cell that an atom is about."""
    values: dict[int, object]
    """The value of an atom in its cell, as in JSON."""
    program: GroundRuleObserver | None
    """The ground rules, if there is a global rule."""
    made: dict[object, Any]
    """The cache of `once`."""
    settled: frozenset[int] = frozenset()
    """The atoms that hold because of a fact, in cells that rules name: a clue shades its cell."""
    layout: GroundRules | None = None
    """The rules that boards of one layout share, without clues, if they do: the first of these rules."""

    def once(self, make: Callable[[GroundRules], _Made]) -> _Made:
        """Return `make` of the rules without clues, cached for all boards that share them."""
        ground = self.layout or self
        if make not in ground.made:
            ground.made[make] = make(ground._replace(made={}))  # a cycle would keep the memory of the search
        result: _Made = ground.made[make]
        return result

    @property
    def usable(self) -> bool:
        """Whether grounding has ended, so that questions can be asked."""
        return self.search.usable

    @property
    def has_choices(self) -> bool:
        """Whether choices that depend on other atoms are rules."""
        return any(rule.name.match(CHOICE_RULE, 1) for rule in self.rules)

    def search_of(
        self, rules: Iterable[int], settings: Settings | None = None, options: Sequence[str] = ()
    ) -> TranslatedFormulaSearch:
        """Return a small program of some rules, each switched on by assuming its guard.

        Without settings, its questions end with those of the board.
        """
        formulas = {self.rules[rule].guard: self.rules[rule].formula for rule in rules}
        below = self.program.below if self.program else None
        return formula_search(formulas, settings or self.settings, below, options)

    @property
    def settings(self) -> Settings:
        """How to search, with the deadline of questions about the board."""
        return Settings(timeout=self.search.deadline)

    def only(self, rules: Sequence[int]) -> GroundRules:
        """Return the same with some of the rules alone."""
        return self._replace(rules=[self.rules[rule] for rule in rules], made={}, layout=None)


def ground_atoms_by_cell(ground: GroundRules) -> dict[Cell, list[int]]:
    """Return {cell: its atoms}."""
    return grouped((cell, atom) for atom, cell in ground.cells.items())


def _atoms_by_arguments(ground: GroundRules) -> dict[Arguments, int]:
    """Return {arguments of an atom: its number}."""
    return {symbol_arguments(symbol): atom for atom, symbol in ground.symbols.items()}


def ground_rules_by_atom(ground: GroundRules) -> dict[int, list[int]]:
    """Return {atom: its rules, by index}."""
    rules_of: dict[int, list[int]] = {atom: [] for atom in ground.symbols}
    for number, rule in enumerate(ground.rules):
        for atom in rule.atoms:
            rules_of[atom].append(number)
    return rules_of


def ground_rules_of(instance: Instance, settings: Settings) -> GroundRules:
    """Return the ground rules of an instance.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out while the rules were read. If it ran out while grounding, the search is not `usable`.
    """
    settings = settings.started()
    shared = _ground_rules_of_layout(instance, settings)
    return shared or _ground(instance, settings)


def _ground_rules_of_layout(instance: Instance, settings: Settings) -> GroundRules | None:
    """Return the ground rules of an instance on the grounding of its layout; None if its clues forbid that.

    The first step of a 9x9 Sudoku takes 20 ms on a grounding that is kept, and 100 ms with one of its own.
    """
    facts = ((key, arguments) for key in instance.puzzle.clue_keys for arguments in instance.facts.arguments(key.fact))
    clues = [(key, arguments) for key, arguments in facts if arguments[-1] != UNKNOWN]  # which direct rules do not see
    if not clues or settings.seed is not None or settings.threads > 1:
        return None
    program = session_program(instance, settings)
    if len(program.opening.direct) < len(instance.puzzle.clue_keys):
        return None
    key = "rules", *program.layout(instance, program.opening.direct)
    shared = questions.kept(key, lambda: _ground(instance, settings, without_clues=True), settings)
    atoms = shared.once(_atoms_by_arguments) if shared.usable else {}
    if not atoms.keys() >= {arguments for _, arguments in clues}:
        return None
    rules = [
        GroundRule(fact_symbol(key.rule, *arguments[: key.place]), atom, frozenset([atom]), atom, clue=True)
        for key, arguments in clues
        for atom in [atoms[arguments]]
    ]
    search = shared.search.assuming((), settings)
    return shared._replace(search=search, rules=[*shared.rules, *rules], layout=shared)


def search_in_ground_rules(
    instance: Instance,
    settings: Settings,
    observer: GroundRuleObserver | None = None,
    *,
    words: bool = False,
    without_clues: bool = False,
) -> Search:
    """Return a search in which each rule of an instance is switched on by assuming its guard.

    Args:
        instance: the board.
        settings: how to search.
        observer: sees the ground rules.
        words: whether to load the words for the rules.
        without_clues: whether all boards of a layout can use it.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    clues = instance.puzzle.clues
    question = Question(
        instance.puzzle.view().outputs,
        ("broken",),
        absent_session_facts(instance.puzzle.clue_keys) if without_clues else "",
        ("words",) if words else (),
        clues if without_clues else (),
        # No pruning by visible clues: what they exclude while grounding would have no rule as its reason.
        pruning="own" if without_clues or not any(instance.facts.arguments(name) for name in clues) else "none",
    )
    return questions.ask(instance, settings, question, observer)


def _atoms(
    instance: Instance, search: Search, observer: GroundRuleObserver
) -> tuple[dict[int, Symbol], dict[int, Cell], dict[int, object], dict[Cell, int]]:
    """Return the atoms about cells, their cells and values; and {cell: the new atom for a fact that settles it}."""
    symbols: dict[int, Symbol] = {}
    cells: dict[int, Cell] = {}
    values: dict[int, object] = {}
    facts: dict[Cell, list[tuple[Symbol, object]]] = {}
    read = instance.puzzle.kind.atom_reader(instance, search)
    for symbol, atom in search.literals(instance.puzzle.view().signatures()).items():
        search.deadline.check()
        about = read(symbol) if not atom or atom in observer.open else None
        if about is not None and atom:
            symbols[atom], (cells[atom], values[atom]) = symbol, about
        elif about is not None:
            facts.setdefault(about[0], []).append((symbol, about[1]))
    settled: dict[Cell, int] = {}
    for cell, [(symbol, value), *others] in facts.items():
        if not others:
            with search.backend() as backend:
                settled[cell] = atom = backend.add_atom()
                backend.add_rule([atom])
            observer.open.add(atom)
            symbols[atom], cells[atom], values[atom] = symbol, cell, value
    return symbols, cells, values, settled


def _ground(instance: Instance, settings: Settings, *, without_clues: bool = False) -> GroundRules:
    """Ground an instance, and return all rules that were observed."""
    observer = GroundRuleObserver(settings.deadline())
    search = search_in_ground_rules(instance, settings, observer, words=True, without_clues=without_clues)
    symbols, cells, values, settled = _atoms(instance, search, observer)
    # What answers tell besides the values of cells, such as regions: steps are about values.
    outputs = search.literals(instance.puzzle.view().signatures()).values()
    hidden = {atom for atom in outputs if atom in observer.open} - symbols.keys()
    deadline = settings.deadline()
    violated, relaxed, broken = (
        {symbol.arguments[0]: atom for symbol, atom in search.atoms(name, 1).items()}
        for name in ("violated", "relaxed", "broken")
    )
    guards = {rule: -atom for rule, atom in broken.items()}
    for rule, (atom, guard) in observer.name_choices(search, symbols, {*guards.values()}).items():
        violated[rule], relaxed[rule], guards[rule] = atom, -guard, guard
    rules = []
    for rule, atom in violated.items():
        deadline.check()
        formula = observer.rule_formula(atom, relaxed[rule], guards[rule])
        atoms = {abs(literal) for literal in formula_literals(formula)}
        is_global = not atoms <= observer.open or not hidden.isdisjoint(atoms)
        if is_global:
            bodies = observer.below(atoms).values()
            atoms |= {abs(literal) for rule_bodies in bodies for _, body in rule_bodies for literal, _ in body}
        elif settled and len(named := wording.cells_of_rule(rule)) > 1:
            # Of several cells in its name, one may be settled by a fact: a clue that is shaded.
            about = {cells[atom] for atom in atoms & symbols.keys()}
            for cell in sorted(named & settled.keys() - about) if about else ():
                formula = threshold_formula(1, [(1, formula), (1, -settled[cell])])
                atoms.add(settled[cell])
        clue = instance.puzzle.is_clue(rule)
        rules.append(GroundRule(rule, formula, frozenset(atoms & symbols.keys()), guards[rule], clue, is_global))
    rules.sort(key=lambda rule: rule.name)
    program = observer if any(rule.is_global for rule in rules) else None
    used = frozenset().union(*(rule.atoms for rule in rules)).intersection(settled.values())
    for atom in {*settled.values()} - used:
        del symbols[atom], cells[atom], values[atom]
    return GroundRules(search, rules, symbols, cells, values, program, {}, used)


def given_ground_atoms(ground: GroundRules, instance: Instance) -> list[int]:
    """Return the atoms that clues are: a given number in its cell.

    What else a clue forces alone is a conclusion: the neighbours of a 4 that counts shaded ones.
    """
    clues = [(key, fact) for key in instance.puzzle.clue_keys for fact in instance.facts.arguments(key.fact)]
    printed = {(fact[:2], fact[2]) for key, fact in clues if key.cells == 1 and len(fact) == 3}
    given = []
    for rule in (rule for rule in ground.rules if rule.clue):
        atoms = [atom for atom in rule.atoms if (ground.cells[atom], ground.values[atom]) in printed]
        if atoms:
            forced = consequences_of_formula(rule.formula, {}) or ()
            given += [atom for atom in sorted(atoms) if atom in forced]
    return given


def core_of_rules(ground: GroundRules) -> list[GroundRule]:
    """Return a minimal unsatisfiable subset of the rules, the smallest of several; empty if they are satisfiable."""
    rules = {rule.guard: rule for rule in ground.rules}
    core = smallest_literal_core(ground.search.refute, list(rules))
    return sorted((rules[guard] for guard in core or ()), key=lambda rule: rule.name)
