"""What one named rule forces, or two, given what is known of some cells.

Finding    rules, by their numbers, and cells whose knowledge forces literals: the smallest there are
Deduction  what is known, as it grows, and the next finding
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.explanation.ground_rules import Formula, forced, simplified

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.ground_rules import Board


MOST_COMBINED = 14
"""Cells of which every choice is tried for the fewest; beyond, none of those that are found can be left out."""


class Finding(NamedTuple):
    """Rules and cells, none of which can be left out, and what they force; nothing, where they cannot hold together."""

    rules: tuple[int, ...]
    cells: tuple[Cell, ...]
    conclusions: tuple[int, ...]


class Deduction:
    """What is known of a board, and what follows from it by few rules."""

    def __init__(self, board: Board, deadline: Deadline | None = None) -> None:
        self.board = board
        self._check = (deadline or Deadline()).check
        self.known: dict[int, bool] = {}
        """What is known of atoms."""
        self.rules_of: dict[int, list[int]] = {atom: [] for atom in board.symbols}
        """The rules that an atom is part of."""
        for number, rule in enumerate(board.rules):
            for atom in rule.atoms:
                self.rules_of[atom].append(number)
        self.atoms_of: dict[Cell, list[int]] = {}
        for atom, cell in board.cells.items():
            self.atoms_of.setdefault(cell, []).append(atom)
        self._found: dict[tuple[int, ...], list[Finding]] = {}
        self._stale = set(range(len(board.rules)))
        self._stale_in_pairs = set(self._stale)
        self._rest: dict[int, Formula] = {}

    def learn(self, literal: int) -> None:
        """Take a literal to be known."""
        self.known[abs(literal)] = literal > 0
        for rule in self.rules_of[abs(literal)]:
            self._stale.add(rule)
            self._stale_in_pairs.add(rule)

    def plain(self, atom: int) -> list[int]:
        """Return what does not hold by one rule, because an atom does."""
        out: list[int] = []
        for rule in self.rules_of[atom]:
            rest = simplified(self.board.rules[rule].formula, {atom: True})
            out += [literal for literal in forced([rest]) or () if literal < 0 and -literal in self.board.symbols]
        return list(dict.fromkeys(out))

    def smallest(self) -> Finding | None:
        """Return the finding with the fewest rules, one or two, and of these one with the fewest cells.

        Raises:
            OutOfTime: time ran out.
        """
        for rule in self._stale:
            self._check()
            self._rest[rule] = simplified(self.board.rules[rule].formula, self.known)
            self._look((rule,))
        self._stale.clear()
        found = self._least(1)
        if found is None:
            for pair in set(self._pairs()):
                self._check()
                self._look(pair)
            self._stale_in_pairs.clear()
            found = self._least(2)
        return found

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of rules to look at: those of which something has changed, that share two atoms or more.

        Where they share one, both of its values are possible by either rule, and each rule forces all that both do.
        """
        for rule in self._stale_in_pairs:
            self._check()
            shared: dict[int, int] = {}
            for atom in self.board.rules[rule].atoms - self.known.keys():
                for other in self.rules_of[atom]:
                    shared[other] = shared.get(other, 0) + 1
            yield from ((min(rule, other), max(rule, other)) for other, n in shared.items() if n > 1 and other != rule)

    def _least(self, size: int) -> Finding | None:
        best: Finding | None = None
        for rules, findings in list(self._found.items()):
            if len(rules) == size:
                left = [found for found in findings if not found.conclusions or self._news(found.conclusions)]
                if not left:
                    del self._found[rules]
                for found in left:
                    if best is None or (len(found.cells), found) < (len(best.cells), best):
                        best = found
        return best and best._replace(conclusions=tuple(self._news(best.conclusions)))

    def _news(self, conclusions: Iterable[int]) -> list[int]:
        return [literal for literal in conclusions if abs(literal) not in self.known]

    def _look(self, rules: tuple[int, ...]) -> None:
        """Find what some rules force."""
        self._found.pop(rules, None)
        found = forced([self._rest[rule] for rule in rules])
        if found is None:
            self._found[rules] = [Finding(rules, self.fewest(rules, None), ())]
        elif found:
            grouped: dict[tuple[Cell, ...], list[int]] = {}
            for literal in sorted(found):
                if abs(literal) in self.board.symbols:
                    grouped.setdefault(self.fewest(rules, literal), []).append(literal)
            self._found[rules] = [Finding(rules, cells, tuple(group)) for cells, group in grouped.items()]

    def fewest(self, rules: tuple[int, ...], literal: int | None) -> tuple[Cell, ...]:
        """Return the fewest cells whose knowledge, with the rules, forces a literal, or forces a contradiction."""
        known = self.knowledge(rules)
        needed = [cell for cell in known if not self._force(rules, literal, [known[o] for o in known if o != cell])]
        rest = sorted(known.keys() - set(needed))
        if len(rest) > MOST_COMBINED:
            for cell in list(rest):
                others = [*needed, *(other for other in rest if other != cell)]
                if self._force(rules, literal, [known[other] for other in others]):
                    rest.remove(cell)
            return tuple(sorted([*needed, *rest]))
        for size in range(len(rest) + 1):
            for extra in combinations(rest, size):
                self._check()
                if self._force(rules, literal, [known[cell] for cell in (*needed, *extra)]):
                    return tuple(sorted([*needed, *extra]))
        return tuple(sorted(known))

    def alone(self, rule: int) -> frozenset[int]:
        """Return what a rule forces of the output where nothing else is known."""
        found = forced([self.board.rules[rule].formula]) or frozenset()
        return frozenset(literal for literal in found if abs(literal) in self.board.symbols)

    def satisfied(self, rule: int) -> bool:
        """Tell whether a rule holds, whatever the rest."""
        return self._rest.get(rule) is True

    def literals_of(self, cell: Cell) -> list[int]:
        """Return what is known of a cell, as literals."""
        return [atom if self.known[atom] else -atom for atom in self.atoms_of[cell] if atom in self.known]

    def knowledge(self, rules: Iterable[int]) -> dict[Cell, dict[int, bool]]:
        """Return what is known of each cell, as far as it is about some rules."""
        known: dict[Cell, dict[int, bool]] = {}
        for rule in rules:
            for atom in self.board.rules[rule].atoms & self.known.keys():
                known.setdefault(self.board.cells[atom], {})[atom] = self.known[atom]
        return known

    def _force(self, rules: tuple[int, ...], literal: int | None, known: Iterable[Mapping[int, bool]]) -> bool:
        values = {atom: value for cell in known for atom, value in cell.items()}
        found = forced([simplified(self.board.rules[rule].formula, values) for rule in rules])
        return found is None or literal in found
