"""The named rules of a ground board: each has a formula over the output atoms, and a literal that switches it on.

Rule         Rule(once(row(1), 3), formula, atoms, guard): a named rule
GroundBoard  all rules of an instance, and the cells that atoms are about

A rule holds if its `violated` atom does not. Its formula is found by unfolding the ground rules of that atom down to
the atoms of choice rules. Boards that differ only in their clues share one grounding; there, each clue is a rule that
demands one literal.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from clingo.backend import Observer

from pyasp_puzzles.asp.cache import LRUCache
from pyasp_puzzles.asp.search import Search
from pyasp_puzzles.explanation.formulas import Formula, Threshold, literals, negate, simplify
from pyasp_puzzles.puzzles.program import Question, assembled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.puzzles.puzzle import Instance


MOST_LITERALS = 1000
"""Literals of a formula. A path across a board of 5x5, unfolded, would have millions."""
MOST_NESTED = 60
"""Definitions that are unfolded within one another. More could exceed Python's recursion limit."""
MOST_SHAPES = 4
"""Shapes of boards whose grounding is cached."""


class RuleObserver(Observer):
    """Collects the ground rules while clingo grounds a program, and unfolds them into formulas.

    Nothing can stop a grounding from outside, but an observer can, by raising. It has to when time is up: a thread that
    still calls the observer when Python exits would crash the process.
    """

    def __init__(self, deadline: Deadline) -> None:
        self._late = deadline.late
        self.open: set[int] = set()
        """The atoms of choice rules and disjunctions."""
        self._bodies: dict[int, list[Threshold]] = {}
        self._formulas: dict[int, Formula] = {}
        self._visited: set[int] = set()
        self._sizes: dict[int, int] = {}
        """About how many literals the formula of an atom has."""

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
            else:
                parts = tuple((weight, literal) for literal, weight in body)
                self._bodies.setdefault(atom, []).append(Threshold(lower_bound, parts))

    def rule_formula(self, violated: int, relaxed: int, guard: int) -> Formula:
        """Return when a rule is not broken: it is not violated, or the encoding itself relaxes it.

        An atom that depends on itself is left as it is: then fewer consequences are found, but no wrong ones.

        Args:
            violated: the rule's `violated` atom; 0 if that is a fact.
            relaxed: its `relaxed` atom, likewise.
            guard: the literal that switches the rule on.
        """
        satisfied = negate(self._formula(violated)) if violated else False
        excused = simplify(self._formula(relaxed), {abs(guard): guard > 0}) if relaxed else True
        return simplify(Threshold(1, ((1, satisfied), (1, excused))), {})

    def _formula(self, literal: int, depth: int = 0) -> Formula:
        """Return a literal unfolded; or as it is, if it depends on itself or its formula would be too large."""
        atom = abs(literal)
        if atom not in self._formulas:
            if atom in self.open or atom in self._visited or depth > MOST_NESTED:
                return literal
            self._visited.add(atom)
            bodies = self._bodies.get(atom, ())
            unfolded = Threshold(1, tuple((1, self._unfold(body, depth + 1)) for body in bodies))
            below = (part for body in bodies for _, part in body.parts if isinstance(part, int))
            size = sum(self._sizes.get(abs(part), 1) for part in below)
            too_large = size > MOST_LITERALS
            self._sizes[atom] = 1 if too_large else size
            self._formulas[atom] = atom if too_large else simplify(unfolded, {})
        formula = self._formulas[atom]
        return formula if literal > 0 else negate(formula)

    def _unfold(self, body: Threshold, depth: int) -> Formula:
        parts = ((weight, self._formula(part, depth)) for weight, part in body.parts if isinstance(part, int))
        return simplify(Threshold(body.bound, tuple(parts)), {})


class Rule(NamedTuple):
    """A named rule of a ground program."""

    name: Symbol
    formula: Formula
    """Holds exactly if the rule is not violated."""
    atoms: frozenset[int]
    """The atoms of the formula that are about cells."""
    guard: int
    """The literal that switches the rule on when it is assumed."""
    clue: bool


class GroundBoard(NamedTuple):
    """A ground instance with named rules."""

    search: Search
    rules: list[Rule]
    symbols: dict[int, Symbol]
    """The atoms that are about cells."""
    cells: dict[int, Cell]
    """The cell that an atom is about."""
    values: dict[int, object]
    """The value of an atom in its cell, as in JSON."""


class _Shape(NamedTuple):
    """The board without clues that boards of one shape share."""

    board: GroundBoard
    clues: dict[Symbol, tuple[Symbol, int]]
    """{clue: (the name of its rule, its literal)}"""


def ground_board(instance: Instance, settings: Settings) -> GroundBoard:
    """Return the ground board of an instance.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out while the rules were read. If it ran out while grounding, the search is not `usable`.
    """
    settings = settings.started()
    clues = [fact for name in instance.puzzle.clues for fact in instance.facts.of(name)]
    if clues and instance.puzzle.companions("pruning") and settings.plain and not instance.variants:
        # The first step of a 9x9 Sudoku takes 20 ms on a cached shape, and 100 ms with a grounding of its own.
        key = (instance.puzzle.folder, instance.facts.shape(instance.puzzle.clues))
        shape = _shapes().get(key, lambda: _shape(instance, settings), settings.deadline())
        if shape.board.search.usable and shape.clues.keys() >= set(clues):
            named_literals = [shape.clues[clue] for clue in clues]
            rules = [Rule(name, literal, frozenset([literal]), literal, clue=True) for name, literal in named_literals]
            search = shape.board.search.assuming((), settings)
            return shape.board._replace(search=search, rules=[*rules, *shape.board.rules])
        _shapes().drop(key)
    return _ground(instance, settings)


@cache
def _shapes() -> LRUCache[_Shape]:
    return LRUCache(MOST_SHAPES)


def _shape(instance: Instance, settings: Settings) -> _Shape:
    board = _ground(instance, settings, without_clues=True)
    atoms = {symbol: atom for atom, symbol in board.symbols.items()}
    assumes = (atom.arguments for atom in board.search.atoms("assumes", 3))
    return _Shape(board, {clue: (rule, atoms[atom]) for clue, atom, rule in assumes if atom in atoms})


def search_with_guards(
    instance: Instance, settings: Settings, observer: RuleObserver | None = None, *, without_clues: bool = False
) -> Search:
    """Return a search in which each rule of an instance is switched on by assuming its guard.

    Args:
        instance: the board.
        settings: how to search.
        observer: collects the ground rules; the words for the rules are loaded then.
        without_clues: whether to leave out the clues, so that other boards of the shape can use the search.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    clues = instance.puzzle.clues
    question = Question(
        instance.puzzle.view().outputs,
        ("broken",),
        "session.\n" if without_clues else "",
        files=("words",) if observer is not None else (),
        without=clues if without_clues else (),
        # No pruning by visible clues: what they exclude while grounding would have no rule as its reason.
        pruned=without_clues or not any(instance.facts.arguments(name) for name in clues),
    )
    return Search(*assembled(instance, settings, question), settings, observer)


def _ground(instance: Instance, settings: Settings, *, without_clues: bool = False) -> GroundBoard:
    """Ground an instance, and return the board with all rules that were observed."""
    observer = RuleObserver(settings.deadline())
    search = search_with_guards(instance, settings, observer, without_clues=without_clues)
    symbols: dict[int, Symbol] = {}
    cells: dict[int, Cell] = {}
    values: dict[int, object] = {}
    read, deadline = instance.puzzle.kind.atom_reader(search), settings.deadline()
    for name, arity in instance.puzzle.view().signatures():
        for symbol, atom in search.atoms(name, arity).items():
            deadline.check()
            about = read(symbol) if atom in observer.open else None
            if about is not None:
                symbols[atom], (cells[atom], values[atom]) = symbol, about
    guards = {symbol.arguments[0]: -atom for symbol, atom in search.atoms("broken", 1).items()}
    relaxed = {symbol.arguments[0]: atom for symbol, atom in search.atoms("relaxed", 1).items()}
    rules = []
    for symbol, atom in search.atoms("violated", 1).items():
        deadline.check()
        rule = symbol.arguments[0]
        formula = observer.rule_formula(atom, relaxed[rule], guards[rule])
        atoms = frozenset(abs(literal) for literal in literals(formula))
        rules.append(Rule(rule, formula, atoms & symbols.keys(), guards[rule], instance.puzzle.is_clue(rule)))
    return GroundBoard(search, sorted(rules, key=lambda rule: rule.name), symbols, cells, values)
