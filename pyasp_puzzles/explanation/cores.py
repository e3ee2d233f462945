"""What only several named rules together force: cores of rules that cannot hold with the opposite of a literal.

A core that clingo comes up with is as small as its search happened to be. Cores are kept, and the smallest looked for
again as more is known; the smallest of all is made irreducible, first in its rules, then in the cells whose knowledge
they need.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.search import minimal_core
from pyasp_puzzles.explanation.deduction import Finding
from pyasp_puzzles.explanation.ground_rules import guarded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.deduction import Deduction
    from pyasp_puzzles.explanation.ground_rules import Board, Rule
    from pyasp_puzzles.puzzles.puzzle import Instance


SMALL = 8
"""Rules up to which a core is small: no smaller one is looked for before it is made irreducible."""
IN_VAIN = 6
"""Times in a row that the smallest cores may be looked for again, in another order, and come to nothing smaller."""
WIDE = 10
"""Cores that are looked for again each time."""
MOST_TARGETS = 300
"""Targets of which no core is known that are looked at each time."""
MOST_SHARED = 30
"""Rules of a finding up to which it is looked what else it forces."""
AGAIN = 20
"""Times that rules which cannot hold together are looked for, to take the fewest."""


class _Core(NamedTuple):
    """Rules that a literal follows from."""

    rules: list[int]
    literal: int
    known: frozenset[int] | None
    """The atoms of the rules that were known; None if it is to be seen whether the literal still follows."""


def _size(core: _Core) -> int:
    return len(core.rules)


class Larger:
    """The larger findings of a deduction.

    Two searches are asked: one that knows as facts what is known, for many quick questions, and the board's own, which
    knows nothing but what it is told to assume.
    """

    def __init__(self, instance: Instance, deduction: Deduction, settings: Settings) -> None:
        self._instance, self._settings = instance, settings
        self._check = settings.deadline().check
        self._deduction = deduction
        self._board = board = deduction.board
        self.search = search = guarded(instance, settings)
        atoms = {
            symbol: atom
            for name, arity in instance.puzzle.view().signatures()
            for symbol, atom in search.atoms(name, arity).items()
        }
        self._atom = {atom: atoms.get(symbol, 0) for atom, symbol in board.symbols.items()}
        broken = {symbol.arguments[0]: atom for symbol, atom in search.atoms("broken", 1).items()}
        self._guards = [-broken.get(rule.name, 0) for rule in board.rules]
        self._rule = {guard: number for number, guard in enumerate(self._guards)}
        self._settled: set[int] = set()
        self._targets: list[int] | None = None
        self._cores: dict[int, _Core] = {}
        """The smallest core that was found of each target."""
        self._chance = Random(0)  # noqa: S311 (nothing is secret here)
        self.solvable = True
        """Whether there is an answer, as far as is known."""

    @property
    def timed_out(self) -> bool:
        """Whether time ran out: what was found is not all that there is."""
        return self.search.timed_out or self._board.search.timed_out

    def again(self, deduction: Deduction) -> Larger:
        """Return the larger findings of another deduction of the same board."""
        larger = Larger(self._instance, deduction, self._settings)
        larger._targets, larger.solvable = self._targets, self.solvable
        larger._cores = {literal: core._replace(known=None) for literal, core in self._cores.items()}
        return larger

    def find(self) -> Finding | None:
        """Return the smallest finding that was found, its rules and cells irreducible; None if all is known.

        Raises:
            OutOfTime: time ran out.
        """
        if self.timed_out:
            return None
        self._settle()
        if self._targets is None:
            self._targets = self._decided()
        if not self.solvable:
            found = irreducible_core(self.search, self._guards)
            return self._irreducible([self._rule[guard] for guard in found or self._guards], None)
        self._targets = [literal for literal in self._targets if abs(literal) not in self._deduction.known]
        smallest = self._smallest()
        return self._irreducible(smallest.rules, smallest.literal) if smallest and not self.timed_out else None

    def _smallest(self) -> _Core | None:
        """Return the core with the fewest rules of those that were found."""
        rules = [rule for rule in range(len(self._guards)) if not self._deduction.satisfied(rule)]
        targets = self._targets or []
        self._cores = {literal: self._cores[literal] for literal in targets if literal in self._cores}
        unseen = [literal for literal in targets if literal not in self._cores]
        self._keep(self._core(rules, literal) for literal in unseen[:MOST_TARGETS])
        best = sorted(self._cores.values(), key=_size)[:WIDE]
        best = self._keep(self._renewed(core) or self._core(rules, core.literal) for core in best)
        in_vain = 0
        while best and len(best[0].rules) > SMALL and in_vain < IN_VAIN:
            self._chance.shuffle(rules)
            least = len(best[0].rules)
            best = self._keep(min(core, self._core(rules, core.literal) or core, key=_size) for core in best)
            in_vain = 0 if len(best[0].rules) < least else in_vain + 1
        return best[0] if best else None

    def _keep(self, found: Iterable[_Core | None]) -> list[_Core]:
        """Take down the cores that were found; return them, those with the fewest rules first."""
        cores = sorted(filter(None, found), key=_size)
        self._cores |= {core.literal: core for core in cores}
        return cores

    def _renewed(self, core: _Core) -> _Core | None:
        """Return a core of the rules of another, which was found when less was known; None if there is none."""
        return core if core.known == self._known(core.rules) else self._core(core.rules, core.literal)

    def _core(self, rules: Iterable[int], literal: int) -> _Core | None:
        core = self._core_rules(rules, literal)
        return None if core is None else _Core(core, literal, self._known(core))

    def _known(self, rules: Iterable[int]) -> frozenset[int]:
        """Return the atoms of some rules of which it is known whether they hold."""
        return frozenset().union(*(self._board.rules[rule].atoms for rule in rules)) & self._deduction.known.keys()

    def _decided(self) -> list[int]:
        """Return the literals that hold in every answer."""
        self.search.assumed = self._guards
        always = self.search.consequences("cautious")
        self.solvable = always is not None or not self.search.exhausted
        ever = self.search.consequences("brave") if always is not None else None
        self.search.assumed = ()
        if always is None or ever is None or not self.search.exhausted:
            return []
        holding, possible, symbols = set(always), set(ever), self._board.symbols
        return [
            *(atom for atom in symbols if symbols[atom] in holding),
            *(-atom for atom in symbols if symbols[atom] not in possible),
        ]

    def _settle(self) -> None:
        """Let the quick search know what is known."""
        news = self._deduction.known.keys() - self._settled
        self.search.settle(self._their(atom if self._deduction.known[atom] else -atom) for atom in news)
        self._settled |= news

    def _their(self, literal: int) -> int:
        return self._atom[literal] if literal > 0 else -self._atom[-literal]

    def _rules(self, rules: Iterable[int], literal: int | None) -> list[int]:
        """Return rules of which none can be left out, given all that is known."""
        return minimal_core(list(rules), lambda rest: self._core_rules(rest, literal))

    def _core_rules(self, rules: Iterable[int], literal: int | None) -> list[int] | None:
        """Return those of the rules that force a literal, or a contradiction, given all that is known, or None."""
        self._check()
        opposite = [] if literal is None else [-self._their(literal)]
        core = self.search.refute([*opposite, *(self._guards[rule] for rule in rules)])
        return core and [self._rule[part] for part in core if part in self._rule]

    def _irreducible(self, rules: Sequence[int], literal: int | None) -> Finding | None:
        """Return the finding that a core of rules is, once nothing can be left out."""
        rules = self._rules(rules, literal)
        known = self._deduction.knowledge(rules)
        enough: Collection[Cell] | None = self._core_cells(rules, known, literal)
        if enough is None:  # a rule without a name, or one that rests on itself, is needed
            enough = self._deduction.knowledge(range(len(self._board.rules)))
        cells = self._cells(rules, sorted(enough), literal)
        if self.timed_out:
            return None
        conclusions = [] if literal is None else [literal]
        if literal is not None and len(rules) <= MOST_SHARED:
            atoms = {atom for rule in rules for atom in self._board.rules[rule].atoms}
            others = [other for other in self._targets or () if abs(other) in atoms and other != literal]
            conclusions += [other for other in others if self._needs_all(rules, cells, other)]
        return Finding(tuple(sorted(rules)), tuple(cells), tuple(sorted(conclusions)))

    def _needs_all(self, rules: Sequence[int], cells: Sequence[Cell], literal: int) -> bool:
        """Tell whether rules and cells force a literal, and none of them can be left out."""
        core = self._core(rules, literal)
        if core is None:
            return False
        self._keep([min(core, self._cores.get(literal, core), key=_size)])
        if not len(rules) == len(core.rules) == len(self._rules(rules, literal)):
            return False
        needed = self._core_cells(rules, cells, literal)
        return needed is not None and len(cells) == len(needed) == len(self._cells(rules, cells, literal))

    def _cells(self, rules: Sequence[int], cells: Sequence[Cell], literal: int | None) -> list[Cell]:
        """Return cells of which none can be left out."""
        return minimal_core(list(cells), lambda rest: self._core_cells(rules, rest, literal))

    def _core_cells(self, rules: Iterable[int], cells: Iterable[Cell], literal: int | None) -> set[Cell] | None:
        """Return those of the cells that the rules need to force a literal, or a contradiction; None if they do not."""
        self._check()
        assumed = [] if literal is None else [-literal]
        known = {part: cell for cell in cells for part in self._deduction.literals_of(cell)}
        core = self._board.search.refute([*assumed, *known, *(self._board.rules[rule].guard for rule in rules)])
        return None if core is None else {known[part] for part in core if part in known}


def smallest_clash(board: Board) -> list[Rule]:
    """Return rules that cannot hold together, none of which can be left out: the fewest that some tries come to."""
    rules = {rule.guard: rule for rule in board.rules}
    core = irreducible_core(board.search, list(rules))
    return sorted((rules[guard] for guard in core or ()), key=lambda rule: rule.name)


def irreducible_core(search: Search, guards: Sequence[int]) -> list[int] | None:
    """Return guards that cannot hold together, none of which can be left out: the fewest that some tries come to."""
    order = list(guards)
    best: list[int] | None = None
    for seed in range(AGAIN):
        core = search.refute(order)
        if core is None:
            break
        found = minimal_core(core, search.refute)
        best = found if best is None or len(found) < len(best) else best
        Random(seed).shuffle(order)  # noqa: S311 (nothing is secret here)
    return best
