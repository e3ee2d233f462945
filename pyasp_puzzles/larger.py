"""What only several named rules together force: cores of rules that cannot hold with the opposite of a literal.

A core that clingo comes up with is as small as its search happened to be. The smallest of them are made irreducible,
first in their rules, then in the cells whose knowledge they need.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from .deduction import Finding
from .guarded import guarded

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from .board import Cell
    from .deduction import Deduction
    from .guarded import Guarded
    from .puzzle import Instance
    from .rulebook import Board, Rule
    from .settings import Settings

Part = TypeVar("Part")

SMALL = 8
"""Rules up to which a core is small: no smaller one is looked for before it is made irreducible."""
AGAIN = 20
"""Times that the smallest cores are looked for again, in another order.

On hard Sudokus this halved the rules of the steps, and took no longer, as smaller cores are quicker to work on.
"""
IN_VAIN = 6
"""Times in a row that this may come to nothing."""
MOST_TARGETS = 80
"""Targets that are looked at each time: those whose cores were small before, and those that were not looked at."""
WIDE = 10
"""Cores that are looked for again each time."""
MOST_SHARED = 30
"""Rules of a finding up to which it is looked what else it forces."""
TRIED = 8
"""Cores that are made irreducible, to take the smallest."""


class _Core(NamedTuple):
    """Rules that a literal follows from."""

    rules: list[int]
    literal: int


def _size(core: _Core) -> int:
    return len(core.rules)


class Larger:
    """The larger findings of a deduction.

    Two searches are asked: one that knows as facts what is known, for many quick questions, and the board's own, which
    knows nothing but what it is told to assume.
    """

    def __init__(self, instance: Instance, deduction: Deduction, settings: Settings) -> None:
        self._instance, self._settings = instance, settings
        self._deduction = deduction
        self._board = board = deduction.board
        self.search = search = guarded(instance, settings)
        atoms = {
            symbol: atom
            for name, arity in instance.puzzle.view().signatures()
            for symbol, atom in search.atoms(name, arity).items()
        }
        self._atom = {atom: atoms.get(symbol, 0) for atom, symbol in board.symbols.items()}
        relaxed = {symbol.arguments[0]: atom for symbol, atom in search.atoms("relaxed", 1).items()}
        self._guards = [-relaxed.get(rule.name, 0) for rule in board.rules]
        self._rule = {guard: number for number, guard in enumerate(self._guards)}
        self._settled: set[int] = set()
        self._targets: list[int] | None = None
        self._sizes: dict[int, int] = {}
        """The rules by which a target was found to follow, when it was last looked at."""
        self.solvable = True
        """Whether there is an answer, as far as is known."""

    @property
    def timed_out(self) -> bool:
        """Whether time ran out: what was found is not all that there is."""
        return self.search.timed_out or self._board.search.timed_out

    def again(self, deduction: Deduction) -> Larger:
        """Return the larger findings of another deduction of the same board."""
        larger = Larger(self._instance, deduction, self._settings)
        larger._targets, larger.solvable, larger._sizes = self._targets, self.solvable, self._sizes
        return larger

    def find(self) -> Finding | None:
        """Return the smallest finding that was found, its rules and cells irreducible; None if all is known."""
        if self.timed_out:
            return None
        self._settle()
        if self._targets is None:
            self._targets = self._decided()
        if not self.solvable:
            found = irreducible_core(self.search, self._guards)
            return self._irreducible([self._rule[guard] for guard in found or self._guards], None)
        self._targets = [literal for literal in self._targets if abs(literal) not in self._deduction.known]
        smaller: list[_Core] = []
        for rules, literal in self._cores()[:TRIED]:
            if smaller and len(rules) > 2 * len(smaller[0].rules):
                break
            smaller.append(_Core(self._rules(rules, literal), literal))
            smaller.sort(key=_size)
        return self._irreducible(*smaller[0]) if smaller and not self.timed_out else None

    def _cores(self) -> list[_Core]:
        """Return for each target the rules by which it was found to follow, the fewest first."""
        guards = [guard for number, guard in enumerate(self._guards) if not self._deduction.satisfied(number)]
        targets = sorted(self._targets or (), key=lambda literal: self._sizes.get(literal, 0))[:MOST_TARGETS]
        found = [self._core(literal, guards) for literal in targets]
        cores = sorted(filter(None, found), key=_size)
        self._sizes |= {literal: len(rules) for rules, literal in cores}
        in_vain = 0
        for seed in range(AGAIN):
            if not cores or len(cores[0].rules) <= SMALL or in_vain == IN_VAIN:
                break
            Random(seed).shuffle(guards)  # noqa: S311 (nothing is secret here)
            least = len(cores[0].rules)
            again = [self._core(core.literal, guards) for core in cores[:WIDE]]
            cores[:WIDE] = [min(old, new or old, key=_size) for old, new in zip(cores, again, strict=False)]
            cores.sort(key=_size)
            in_vain = 0 if len(cores[0].rules) < least else in_vain + 1
        return cores

    def _core(self, literal: int, guards: Sequence[int]) -> _Core | None:
        core = self.search.refute([-self._their(literal), *guards])
        return None if core is None else _Core([self._rule[part] for part in core if part in self._rule], literal)

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

    def _rules(self, rules: Sequence[int], literal: int | None) -> list[int]:
        """Return rules of which none can be left out, given all that is known."""
        opposite = [] if literal is None else [-self._their(literal)]

        def core(rest: Iterable[int]) -> list[int] | None:
            found = self.search.refute([*opposite, *(self._guards[rule] for rule in rest)])
            return found and [self._rule[part] for part in found if part in self._rule]

        return shrunk(list(rules), core)

    def _irreducible(self, rules: Sequence[int], literal: int | None) -> Finding | None:
        """Return the finding that a core of rules is, once nothing can be left out."""
        rules = self._rules(rules, literal)
        known = self._deduction.knowledge(rules)
        if not self._force(rules, known, literal):  # a rule without a name, or one that rests on itself, is needed
            known = self._deduction.knowledge(range(len(self._board.rules)))
        cells = shrunk(sorted(known), lambda rest: self._core_cells(rules, rest, literal))
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
        return (
            self._force(rules, cells, literal)
            and not any(self._force([other for other in rules if other != rule], cells, literal) for rule in rules)
            and not any(self._force(rules, [other for other in cells if other != cell], literal) for cell in cells)
        )

    def _force(self, rules: Iterable[int], cells: Iterable[Cell], literal: int | None) -> bool:
        """Tell whether rules, with what is known of some cells, force a literal, or a contradiction."""
        return self._core_cells(rules, cells, literal) is not None

    def _core_cells(self, rules: Iterable[int], cells: Iterable[Cell], literal: int | None) -> set[Cell] | None:
        """Return those of the cells that the rules need to force a literal, or a contradiction; None if they do not."""
        assumed = [] if literal is None else [-literal]
        known = {part: cell for cell in cells for part in self._deduction.literals_of(cell)}
        core = self._board.search.refute([*assumed, *known, *(self._board.rules[rule].guard for rule in rules)])
        return None if core is None else {known[part] for part in core if part in known}


def smallest_clash(board: Board) -> list[Rule]:
    """Return rules that cannot hold together, none of which can be left out: the fewest that some tries come to."""
    rules = {rule.guard: rule for rule in board.rules}
    core = irreducible_core(board.search, list(rules))
    return sorted((rules[guard] for guard in core or ()), key=lambda rule: rule.name)


def irreducible_core(search: Guarded, guards: Sequence[int]) -> list[int] | None:
    """Return guards that cannot hold together, none of which can be left out: the fewest that some tries come to."""
    order = list(guards)
    best: list[int] | None = None
    for seed in range(AGAIN):
        core = search.refute(order)
        if core is None:
            break
        found = shrunk(core, search.refute)
        best = found if best is None or len(found) < len(best) else best
        Random(seed).shuffle(order)  # noqa: S311 (nothing is secret here)
    return best


def shrunk(parts: list[Part], core: Callable[[list[Part]], Collection[Part] | None]) -> list[Part]:
    """Return parts of which none can be left out, in the order given.

    Args:
        parts: what suffices.
        core: a function that returns those of some parts that suffice, or None if they do not.
    """
    i = 0
    while i < len(parts):
        found = core(parts[:i] + parts[i + 1 :])
        if found is None:
            i += 1
        else:
            kept = set(found)
            parts = [part for part in parts if part in kept]
    return parts
