"""The rules of a grounded board, each of which has a name, a formula, and a guard that switches it on.

Rule   Rule(once(row(1), 3), formula, atoms, guard): a named rule
Board  all rules of an instance, and the cells that atoms are about

Boards that are alike but for their clues are grounded once; a clue is a rule then that demands one literal.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from .formula import Formula, literals
from .ground_rules import GroundRules
from .guarded import guarded
from .recent import Recent

if TYPE_CHECKING:
    from clingo import Symbol

    from .grid import Cell
    from .guarded import Guarded
    from .puzzle import Instance
    from .settings import Settings

MOST_SHAPES = 4
"""Shapes of boards that are kept."""


class Rule(NamedTuple):
    """A named rule of a grounded program."""

    name: Symbol
    formula: Formula
    """What holds where the rule is not violated."""
    atoms: frozenset[int]
    """The atoms of the formula that say something of a cell."""
    guard: int
    """The literal that keeps the rule from being broken."""
    clue: bool


class Board(NamedTuple):
    """A grounded instance, its rules named."""

    search: Guarded
    rules: list[Rule]
    symbols: dict[int, Symbol]
    """The atoms that say something of a cell."""
    cells: dict[int, Cell]
    """The cell that an atom is about."""
    values: dict[int, object]
    """What an atom says of its cell, as JSON has it."""


class _Shape(NamedTuple):
    """The rules of all boards of a shape, but for their clues."""

    board: Board
    clues: dict[Symbol, tuple[Symbol, int]]
    """{clue: (the name of its rule, its literal)}"""


def ground(instance: Instance, settings: Settings) -> Board:
    """Return the board of an instance, each rule of which can be switched on and off.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out while the rules were read; while they were grounded, the search is not `usable`.
    """
    settings = settings.started()
    clues = [fact for name in instance.puzzle.clues for fact in instance.facts.of(name)]
    shared = bool(clues) and bool(instance.puzzle.companions("pruning"))
    if shared and settings.plain:
        key = (instance.puzzle.folder, instance.facts.shape(instance.puzzle.clues))
        shape = _shapes().get(key, lambda: _shape(instance, settings), settings.deadline())
        if shape.board.search.usable and shape.clues.keys() >= set(clues):
            board = shape.board._replace(search=shape.board.search.assuming((), settings))
            rules = [
                Rule(name, literal, frozenset([literal]), literal, clue=True)
                for name, literal in (shape.clues[clue] for clue in clues)
            ]
            return board._replace(rules=[*rules, *board.rules])
        _shapes().drop(key)
    observer = GroundRules(settings.deadline())
    return _board(guarded(instance, settings, observer), observer, instance, settings)


@cache
def _shapes() -> Recent[_Shape]:
    return Recent(MOST_SHAPES)


def _shape(instance: Instance, settings: Settings) -> _Shape:
    observer = GroundRules(settings.deadline())
    board = _board(guarded(instance, settings, observer, alike=True), observer, instance, settings)
    atoms = {symbol: atom for atom, symbol in board.symbols.items()}
    assumes = (atom.arguments for atom in board.search.atoms("assumes", 3))
    return _Shape(board, {clue: (rule, atoms[atom]) for clue, atom, rule in assumes if atom in atoms})


def _board(search: Guarded, observer: GroundRules, instance: Instance, settings: Settings) -> Board:
    """Return the rules of a program that was grounded, and observed."""
    symbols: dict[int, Symbol] = {}
    cells: dict[int, Cell] = {}
    values: dict[int, object] = {}
    said, deadline = instance.puzzle.kind.reader(search), settings.deadline()
    for name, arity in instance.puzzle.view().signatures():
        for symbol, atom in search.atoms(name, arity).items():
            deadline.check()
            about = said(symbol) if atom in observer.open else None
            if about is not None:
                symbols[atom], (cells[atom], values[atom]) = symbol, about
    guards = {symbol.arguments[0]: -atom for symbol, atom in search.atoms("broken", 1).items()}
    relaxed = {symbol.arguments[0]: atom for symbol, atom in search.atoms("relaxed", 1).items()}
    is_clue = instance.puzzle.is_clue
    rules = []
    for symbol, atom in search.atoms("violated", 1).items():
        deadline.check()
        rule = symbol.arguments[0]
        formula = observer.holds(atom, relaxed[rule], guards[rule])
        atoms = frozenset(abs(literal) for literal in literals(formula))
        rules.append(Rule(rule, formula, atoms & symbols.keys(), guards[rule], is_clue(rule)))
    return Board(search, sorted(rules, key=lambda rule: rule.name), symbols, cells, values)
