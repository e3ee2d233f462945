"""Global rules, asked as a whole, as too many of their atoms depend on one another: all white cells are connected.

GlobalRule  a rule, with the ground rules that it depends on in a small program of its own
Graph       its atoms that depend on one another, as `reached(2, 3)` does on those of the neighbours
Cut         a part of a graph that is cut off: its cells, and those that it is cut off from

Whatever the rule is, the program says what it forces. Of a graph, what is known opens and closes the ways from atom to
atom; the rule needs some of the atoms, and no closed part may keep one of them from the sources, or from the others if
there can be only one source.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from clingo import SymbolType

from pyasp_puzzles.asp.grounding import components
from pyasp_puzzles.asp.search import SEARCH_IN_TURN
from pyasp_puzzles.puzzles import wording
from pyasp_puzzles.queries.formulas import formula_literals, known_literals, simplify

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.queries.formulas import Formula, RuleBody, TranslatedFormulaSearch
    from pyasp_puzzles.queries.ground_rules import GroundRuleObserver, GroundRules


# Conflicts after which a question is given up; few about connected cells take one.
_MOST_CONFLICTS = 300


class Cut(NamedTuple):
    """A part of a graph that is cut off."""

    predicate: str
    """The name of the atoms of the graph: "reached"."""
    cells: frozenset[Cell]
    """The cells of the part."""
    needed: frozenset[Cell]
    """Those of them that are known to be needed."""
    others: frozenset[Cell]
    """The other needed cells, if there can be only one source."""
    is_loop: bool
    """Whether its needed cells are a closed loop: two ways lead from each of them, and these are known."""


class GlobalRule:
    """A global rule."""

    def __init__(self, ground: GroundRules, number: int) -> None:
        self._ground, self._number, self._rule = ground, number, ground.rules[number]
        self.atoms = self._rule.atoms
        """The atoms about cells that it depends on."""

    @cached_property
    def _search(self) -> TranslatedFormulaSearch:
        return self._ground.search_of([self._number], options=SEARCH_IN_TURN)

    def forced(self, known: Mapping[int, bool]) -> set[int] | None:
        """Return the literals that the rule forces alone, given known atoms; None for a contradiction."""
        assumed = [self._rule.guard, *self.literals(known)]
        return self._search.forced(assumed, self.atoms - known.keys(), _MOST_CONFLICTS, opposed=True)

    def literals(self, known: Mapping[int, bool]) -> list[int]:
        """Return the known literals of its atoms."""
        return known_literals(known, self.atoms)

    def core(self, literals: Iterable[int]) -> list[int] | None:
        """Return those of some literals with which the rule cannot hold; None if it can hold with all."""
        return self.answer(literals)[0]

    def answer(self, literals: Iterable[int]) -> tuple[list[int] | None, list[int] | None]:
        """Return what `core` does, and the atoms that hold in a model with all literals; None if none was found."""
        assumed = [self._rule.guard, *(literal for literal in literals if abs(literal) in self.atoms)]
        core, holding = self._search.answer(assumed, self.atoms, _MOST_CONFLICTS)
        return None if core is None else [literal for literal in core if literal != self._rule.guard], holding

    def forces(self, conclusions: Iterable[int] | None, known: Mapping[int, bool]) -> bool:
        """Return whether the rule forces literals (None: a contradiction), given known atoms."""
        assumed, opposites = self.literals(known), [[]] if conclusions is None else [[-one] for one in conclusions]
        return all(self.core([*assumed, *opposite]) is not None for opposite in opposites)

    def cut(self, known: Mapping[int, bool], board: Mapping[int, bool]) -> Cut | None:
        """Return the smallest part that is cut off if the rule cannot hold; None if it can, or is about no graph.

        Args:
            known: the atoms that are known or supposed.
            board: further known atoms of the board, which only make the part smaller.
        """
        if not self.forces(None, known):
            return None
        cuts = filter(None, (graph.cut(known, {**board, **known}) for graph in self._graphs))
        return min(cuts, key=lambda cut: (len(cut.cells), sorted(cut.cells)), default=None)

    @cached_property
    def _graphs(self) -> list[_Graph]:
        program = self._ground.program
        assert program is not None
        below = program.below(map(abs, formula_literals(self._rule.formula)))
        every = (part for atom, part in program.components.items() if atom in below and not program.unfolds(part))
        parts = dict.fromkeys(every)
        names = _names(self._ground, frozenset().union(*parts))
        return [_Graph(program, part, below, names) for part in parts]


def global_rules(ground: GroundRules) -> dict[int, GlobalRule]:
    """Return {index: the rule} of the global rules of a board.

    What a search answers depends on what was asked before, so each explanation has its own.
    """
    return {number: GlobalRule(ground, number) for number, rule in enumerate(ground.rules) if rule.is_global}


class _Link(NamedTuple):
    """An atom of a graph follows from another one if a formula holds."""

    below: int
    above: int
    gate: Formula


class _Graph:
    """Atoms that depend on one another.

    Args:
        program: the ground rules.
        atoms: the atoms.
        below: the ground rules that the rule rests on.
        names: {atom: the name of its predicate, and its cell}.
    """

    def __init__(
        self,
        program: GroundRuleObserver,
        atoms: frozenset[int],
        below: Mapping[int, Sequence[RuleBody]],
        names: Mapping[int, tuple[str, Cell]],
    ) -> None:
        self._names = names
        self._links: list[_Link] = []
        # The atoms that follow from none of them if a formula holds, and those that have to hold then.
        self._sources: list[tuple[int, Formula]] = []
        self._needed: list[tuple[int, Formula]] = []
        for atom, bodies in below.items():
            for bound, body in bodies:
                inside = [literal for literal, _ in body if abs(literal) in atoms]
                gate = program.unfold(bound - len(inside), [part for part in body if part[0] not in inside])
                if atom in atoms:
                    self._links += [_Link(literal, atom, gate) for literal in inside]
                    self._sources += [] if inside else [(atom, gate)]
                elif len(inside) == 1 and -inside[0] in names:
                    self._needed.append((-inside[0], gate))
        # Whether no two sources can hold.
        first, *others = [gate for _, gate in self._sources] or [True]
        self._has_one_source = not others or simplify(others[0], _demanded(first)) is False
        # Whether ways are lines, which two needed cells may have between them or not.
        demanded = {atom: _demanded(gate) for atom, gate in self._needed}
        self._has_lines = any(
            simplify(gate, demanded.get(below, {}) | demanded.get(above, {})) is not True
            for below, above, gate in self._links
        )

    def cut(self, known: Mapping[int, bool], board: Mapping[int, bool]) -> Cut | None:
        """Return the smallest part that known atoms cut off, no larger than the board shows it; or None."""
        needed, parts, _ = self._opened(known)
        sources = {atom for atom, gate in self._sources if simplify(gate, known) is not False}
        sides = [part for part in parts if part & needed and not part & sources]
        if self._has_one_source:
            fed = [part for part in parts if part & sources]
            apart = [part for part in parts if part & needed or [part] == fed]
            sides = apart if len(apart) > 1 else sides
        if not sides:
            return None
        side = min(sides, key=lambda part: (len(part), sorted(self._cells(part))))
        others = self._cells(needed - side if self._has_one_source else ())
        own, parts, certain = self._opened(board)
        if seen := [part for part in parts if part & needed & side]:
            side &= set().union(*seen)
        own &= side
        is_loop = self._has_lines and bool(own) and all(len(certain[atom] & own) == len(("in", "out")) for atom in own)
        return Cut(self._names[min(needed)][0], self._cells(side), self._cells(own), others, is_loop)

    def _opened(self, known: Mapping[int, bool]) -> tuple[set[int], list[set[int]], dict[int, set[int]]]:
        """Return the needed atoms, the connected parts, and {atom: those with a certain link to it}."""
        needed = {atom for atom, gate in self._needed if simplify(gate, known) is True}
        ways = [(link, simplify(link.gate, known)) for link in self._links]
        beside: dict[int, set[int]] = {link.above: set() for link, gate in ways if gate is not False}
        beside |= {atom: set() for atom in needed - beside.keys()}
        certain: dict[int, set[int]] = {atom: set() for atom in beside}
        for (below, above, _), gate in ways:
            if gate is not False and below in beside:
                for atom, other in ((below, above), (above, below)):
                    beside[atom].add(other)
                    if gate is True:
                        certain[atom].add(other)
        return needed, [{*part} for part in components(beside)], certain

    def _cells(self, atoms: Iterable[int]) -> frozenset[Cell]:
        return frozenset(self._names[atom][1] for atom in atoms if atom in self._names)


def _demanded(formula: Formula) -> dict[int, bool]:
    """Return {atom: whether it holds} if a conjunction of literals holds; nothing for another formula."""
    known = {abs(literal): literal > 0 for literal in formula_literals(formula)}
    return known if all(simplify(formula, {**known, atom: not holds}) is False for atom, holds in known.items()) else {}


def _names(ground: GroundRules, atoms: Collection[int]) -> dict[int, tuple[str, Cell]]:
    """Return {atom: its predicate, and its cell}, for those of some atoms that end in a row and a column."""
    names: dict[int, tuple[str, Cell]] = {}
    cells = set().union(*map(wording.cells_of_rule, ground.symbols.values()))
    for name, arity in ground.search.signatures() if atoms else ():
        for symbol, atom in ground.search.atoms(name, arity).items() if arity > 1 else ():
            row, column = symbol.arguments[-2:] if atom in atoms else (symbol, symbol)
            if row.type is column.type is SymbolType.Number and (row.number, column.number) in cells:
                names[atom] = name, (row.number, column.number)
    return names
