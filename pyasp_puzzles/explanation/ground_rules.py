"""The named rules of a grounded board: each has a formula over the atoms of the output, and a guard to switch it on.

Literal    5, -5: atom 5 holds, atom 5 does not hold
Threshold  Threshold(2, ((1, 5), (1, -6), (2, 7))): the parts that hold weigh 2 or more
Formula    a literal, a threshold, True or False; "and" and "or" are thresholds as well
Known      {5: True, 6: False}: what is known of atoms
Rule       Rule(once(row(1), 3), formula, atoms, guard): a named rule
Board      all rules of an instance, and the cells that atoms are about

A rule holds where its `violated` atom does not. What that atom rests on is followed down to the atoms that a choice
leaves open. What follows from formulas is computed by clingo, once for every shape that formulas have: that exactly one
of four atoms holds has one shape, whichever atoms these are. Boards that differ in their clues only are grounded once;
a clue is then a rule that demands one literal.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clingo.backend import Observer

from pyasp_puzzles.asp.cache import LRUCache
from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.asp.search import Search
from pyasp_puzzles.puzzles.program import Question, assembled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.puzzles.puzzle import Instance


MOST_SHAPES = 2000
"""Shapes of formulas of which is remembered what follows; to explain a board takes some hundred."""


class Threshold(NamedTuple):
    """Parts with weights: those that hold weigh at least the bound."""

    bound: int
    parts: tuple[tuple[int, Formula], ...]


Formula: TypeAlias = "bool | int | Threshold"


def negation(formula: Formula) -> Formula:
    """Return the formula that holds just where this one does not."""
    if isinstance(formula, bool):
        return not formula
    if isinstance(formula, int):
        return -formula
    total = sum(weight for weight, _ in formula.parts)
    return Threshold(total - formula.bound + 1, tuple((weight, negation(part)) for weight, part in formula.parts))


def simplified(formula: Formula, known: Mapping[int, bool]) -> Formula:
    """Return what remains of a formula where something is known."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, int):
        value = known.get(abs(formula))
        return formula if value is None else value is (formula > 0)
    bound, left = formula.bound, 0
    rest = []
    for weight, part in formula.parts:
        remains = simplified(part, known)
        if remains is True:
            bound -= weight
        elif remains is not False:
            rest.append((weight, remains))
            left += weight
    if bound <= 0:
        return True
    if left < bound:
        return False
    return rest[0][1] if len(rest) == 1 else Threshold(bound, tuple(rest))


def literals(formula: Formula) -> Iterator[int]:
    """Yield the literals of a formula, from left to right, some of them twice."""
    if isinstance(formula, Threshold):
        for _, part in formula.parts:
            yield from literals(part)
    elif not isinstance(formula, bool):
        yield formula


def forced(formulas: Sequence[Formula]) -> frozenset[int] | None:
    """Return the literals that hold wherever all the formulas hold; None if they cannot hold together."""
    if any(formula is False for formula in formulas):
        return None
    formulas = [formula for formula in formulas if formula is not True]
    numbers: dict[int, list[int]] = {}
    for i, formula in enumerate(formulas):
        for literal in literals(formula):
            where = numbers.setdefault(abs(literal), [])
            if not where or where[-1] != i:
                where.append(i)
    atoms = sorted(numbers, key=numbers.__getitem__)  # those that the formulas share stand together
    number = {atom: i for i, atom in enumerate(atoms, 1)}
    found = _forced(tuple(_renumbered(formula, number) for formula in formulas))
    return found and frozenset(atoms[abs(i) - 1] * (1 if i > 0 else -1) for i in found)


def _renumbered(formula: Formula, number: Mapping[int, int]) -> Formula:
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, int):
        return number[formula] if formula > 0 else -number[-formula]
    parts = [(weight, _renumbered(part, number)) for weight, part in formula.parts]
    return Threshold(formula.bound, tuple(sorted(parts, key=_rank)))


def _rank(part: tuple[int, Formula]) -> tuple[int, int]:
    weight, formula = part
    return (weight, formula if isinstance(formula, int) else 0)


@lru_cache(maxsize=MOST_SHAPES)
def _forced(shape: tuple[Formula, ...]) -> frozenset[int] | None:
    """Return what follows from formulas whose atoms are 1, 2, 3 and so on."""
    atoms = {abs(literal) for formula in shape for literal in literals(formula)}
    lines = [f"{{ holds({atom}) }}. fails({atom}) :- not holds({atom})." for atom in sorted(atoms)]
    for formula in shape:
        lines.append(f":- not {_written(formula, lines)}.")
    search = Search([], "\n".join([*lines, "#show holds/1. #show fails/1. #project holds/1. #project fails/1."]))
    told = search.consequences("cautious")
    if told is None:
        return None
    return frozenset(atom.arguments[0].number * (1 if atom.name == "holds" else -1) for atom in told)


def _written(formula: Formula, lines: list[str]) -> str:
    """Return an atom that holds just where a formula does, having written the lines that define it."""
    if isinstance(formula, bool):
        return "#true" if formula else "#false"
    if isinstance(formula, int):
        return f"holds({formula})" if formula > 0 else f"fails({-formula})"
    parts = "; ".join(f"{weight},{i} : {_written(part, lines)}" for i, (weight, part) in enumerate(formula.parts))
    name = f"part({len(lines)})"
    lines.append(f"{name} :- #sum {{ {parts} }} >= {formula.bound}.")
    return name


def cover(choices: Iterable[Sequence[int]]) -> set[int]:
    """Return one of each of the choices, few in all: each time the one that most of the others have."""
    left = [set(choice) for choice in choices]
    chosen: set[int] = set()
    while left:
        best = max(sorted(set().union(*left)), key=lambda one: sum(one in choice for choice in left))
        chosen.add(best)
        left = [choice for choice in left if best not in choice]
    return chosen


LARGEST = 1000
"""Literals of a formula; a path over a board of 5x5, unfolded, would have millions."""
DEEPEST = 60
"""Definitions that rest on one another; beyond, Python would run out of stack."""


class GroundRules(Observer):
    """The ground rules, taken down while a program is grounded.

    When it is too late, that grounding ends: whoever is told of rules can do what nobody else can. It has to, for a
    thread that is still told of them when Python ends would end it with a crash.
    """

    def __init__(self, deadline: Deadline | None = None) -> None:
        self._late = (deadline or Deadline()).late
        self.open: set[int] = set()
        """The atoms that a choice leaves open."""
        self._bodies: dict[int, list[Threshold]] = {}
        self._formulas: dict[int, Formula] = {}
        self._visited: set[int] = set()
        self._sizes: dict[int, int] = {}
        """How many literals the formula of an atom has, about."""

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:  # noqa: FBT001 (the form is clingo's)
        """Take down a rule: its body holds where all of its literals do."""
        self._take(choice, head, len(body), [(literal, 1) for literal in body])

    def weight_rule(
        self,
        choice: bool,  # noqa: FBT001 (the form is clingo's)
        head: Sequence[int],
        lower_bound: int,
        body: Sequence[tuple[int, int]],
    ) -> None:
        """Take down a rule: its body holds where the literals that hold weigh enough."""
        self._take(choice, head, lower_bound, body)

    def _take(self, choice: bool, head: Sequence[int], bound: int, body: Sequence[tuple[int, int]]) -> None:  # noqa: FBT001
        if self._late():
            raise TimeoutError  # clingo makes another of this class, and gives it this one as its argument
        for atom in head:
            if choice or len(head) > 1:
                self.open.add(atom)
            else:
                parts = tuple((weight, literal) for literal, weight in body)
                self._bodies.setdefault(atom, []).append(Threshold(bound, parts))

    def holds(self, violated: int, relaxed: int, guard: int) -> Formula:
        """Return what holds where a rule is not broken: it is not violated, or the encoding itself relaxes it.

        An atom that rests on itself is left open: what follows is then less than could be, and never wrong.

        Args:
            violated: the rule's `violated` atom; 0 if that is a fact.
            relaxed: its `relaxed` atom, likewise.
            guard: the literal by which it is not broken.
        """
        satisfied = negation(self._formula(violated)) if violated else False
        excused = simplified(self._formula(relaxed), {abs(guard): guard > 0}) if relaxed else True
        return simplified(Threshold(1, ((1, satisfied), (1, excused))), {})

    def _formula(self, literal: int, depth: int = 0) -> Formula:
        """Return what an atom comes to; one that rests on itself, or on too much, is left open."""
        atom = abs(literal)
        if atom not in self._formulas:
            if atom in self.open or atom in self._visited or depth > DEEPEST:
                return literal
            self._visited.add(atom)
            bodies = tuple((1, self._body(body, depth + 1)) for body in self._bodies.get(atom, ()))
            found = _plain(Threshold(1, bodies))
            self._sizes[atom] = sum(self._sizes.get(abs(part), 1) for part in self._rests_on(atom))
            self._formulas[atom] = atom if self._sizes[atom] > LARGEST else found
            if self._sizes[atom] > LARGEST:
                self._sizes[atom] = 1
        found = self._formulas[atom]
        return found if literal > 0 else negation(found)

    def _rests_on(self, atom: int) -> list[int]:
        return [part for body in self._bodies.get(atom, ()) for _, part in body.parts if isinstance(part, int)]

    def _body(self, body: Threshold, depth: int) -> Formula:
        return _plain(
            Threshold(
                body.bound,
                tuple((weight, self._formula(part, depth)) for weight, part in body.parts if isinstance(part, int)),
            )
        )


def _plain(formula: Threshold) -> Formula:
    return simplified(formula, {})


def guarded(
    instance: Instance, settings: Settings, observer: GroundRules | None = None, *, alike: bool = False
) -> Search:
    """Return the search in which each rule of an instance has a guard.

    Args:
        instance: the board.
        settings: how to search, and what with.
        observer: who takes down the ground rules; the words for the rules are loaded then.
        alike: whether the search is for all boards that are alike but for their clues.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    outputs = instance.puzzle.view().outputs
    clues = instance.puzzle.clues
    hidden = not any(instance.facts.arguments(name) for name in clues)
    question = Question(
        outputs,
        ("broken",),
        "session.\n" if alike else "",
        files=("words",) if observer is not None else (),
        without=clues if alike else (),
        pruned=alike or hidden,  # what clues exclude while grounding would have no reason that can be told
    )
    return Search(*assembled(instance, settings, question), settings, observer)


MOST_BOARDS = 4
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

    search: Search
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
def _shapes() -> LRUCache[_Shape]:
    return LRUCache(MOST_BOARDS)


def _shape(instance: Instance, settings: Settings) -> _Shape:
    observer = GroundRules(settings.deadline())
    board = _board(guarded(instance, settings, observer, alike=True), observer, instance, settings)
    atoms = {symbol: atom for atom, symbol in board.symbols.items()}
    assumes = (atom.arguments for atom in board.search.atoms("assumes", 3))
    return _Shape(board, {clue: (rule, atoms[atom]) for clue, atom, rule in assumes if atom in atoms})


def _board(search: Search, observer: GroundRules, instance: Instance, settings: Settings) -> Board:
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
