"""Leaving out clues while one answer remains: a minimal choice in random order, or provably the fewest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.asp.search import Search
from pyasp_puzzles.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.generation.clues import Unit
    from pyasp_puzzles.generation.program import Answer, ClueProgram


def flat(units: Collection[Unit]) -> list[Symbol]:
    """Return the clues of units."""
    return [clue for unit in units for clue in unit]


def minimal(program: ClueProgram, answer: Answer, units: Sequence[Unit]) -> list[Unit] | None:
    """Return units that leave the answer as the only one, none of which can be left out; None if all do not.

    The units are tried in their order. One that no core needed goes without a question: the core is still there.

    Args:
        program: the boards of the layout.
        answer: the answer.
        units: clues that hold for it.

    Raises:
        OutOfTime: time ran out.
    """
    other = program.other_than(answer)
    try:
        return _minimal(program, answer, units, other)
    finally:
        program.search.settle([-other])


def _minimal(program: ClueProgram, answer: Answer, units: Sequence[Unit], other: int) -> list[Unit] | None:
    asserted = {unit: program.assertion(unit) for unit in units}

    def core(kept: Sequence[Unit]) -> set[int] | None:
        # The assumptions that come first are in the core rather than others: those that are tried last.
        literals = [literal for unit in reversed(kept) for literal in asserted[unit]]
        absent = program.absent(set(flat(kept))) if program.chosen else []
        found = program.refute([other, *literals, *absent])
        return None if found is None else set(found)

    kept = list(units)
    first = core(kept)
    if first is None:
        return None
    needed: set[int] = first
    changed = True
    while changed:
        changed = False
        for unit in list(kept):
            rest = [one for one in kept if one is not unit]
            found: set[int] | None = needed
            if not needed.isdisjoint(asserted[unit]):
                found = core(rest)
            if found is None:
                continue
            if program.chosen and not program.admits(answer, set(flat(rest))):
                continue
            kept, needed = rest, found
            changed = bool(program.chosen)  # where absent clues mean something, others may go now
    return kept


class Fewest:
    """The fewest units that leave an answer as the only one: a hitting set of what other answers lack.

    Units are chosen so that each other answer seen so far contradicts one of them. If there is yet another answer, what
    it contradicts is one more set to hit; if not, no choice with fewer units exists.

    Source: implicit hitting sets, as in Gary McGuire et al., "There is no 16-clue Sudoku" (2012).
    """

    def __init__(self, program: ClueProgram, answer: Answer, best: Sequence[Unit], units: Sequence[Unit]) -> None:
        self._program, self._answer, self._units = program, answer, list(units)
        self.best = list(best)
        """The fewest that are known to be enough."""
        self.bound = 0
        """So many units are needed at least."""

    def run(self, settings: Settings) -> None:
        """Search until it is proven, or time runs out."""
        if not self._program.admits(self._answer, ()):
            return  # clues are not only hints here: without some of them, the answer is wrong
        other = self._program.other_than(self._answer)
        try:
            self._run(other, settings)
        except OutOfTime:
            return
        finally:
            self._program.search.settle([-other])

    def _run(self, other: int, settings: Settings) -> None:
        sets: list[list[int]] = []
        while True:
            chosen = self._smallest(sets, settings)
            self.bound = len(chosen)
            if self.bound >= len(self.best):
                return
            before = len(sets)
            hit = set(chosen)
            while (lacking := self._lacking(sorted(hit), other)) is not None:
                sets.append(lacking)
                hit.add(min(lacking, key=lambda i: (-sum(i in one for one in sets), i)))  # more sets at once
            if len(sets) == before:
                self.best = [self._units[i] for i in chosen]
                return
            if len(hit) < len(self.best):
                self.best = [self._units[i] for i in sorted(hit)]

    def _lacking(self, chosen: Sequence[int], other: int) -> list[int] | None:
        """Return the units that another answer contradicts, which keeps the chosen ones; None if there is none.

        No other answer contradicts fewer of them: sets that are small say the most.
        """
        units = self._units
        kept = set(chosen)
        found = self._other(kept, other)
        if found is None:
            return None
        lacking = [i for i in range(len(units)) if i not in kept and not self._holds(found, i)]
        kept = set(range(len(units))) - set(lacking)
        needed: list[int] = []
        for i in lacking:
            if i in kept:
                continue
            closer = self._other({*kept, i}, other)
            if closer is None:
                needed.append(i)
            else:
                kept |= {i, *(j for j in lacking if j not in kept and self._holds(closer, j))}
        return needed

    def _other(self, chosen: Collection[int], other: int) -> Answer | None:
        """Return another answer that keeps the chosen units; None if there is none."""
        program, clues = self._program, flat([self._units[i] for i in sorted(chosen)])
        return program.another([other, *program.assertion(clues), *program.absent(set(clues))])

    def _holds(self, answer: Answer, i: int) -> bool:
        return all(self._program.allows(answer, clue) for clue in self._units[i])

    def _smallest(self, sets: Sequence[Sequence[int]], settings: Settings) -> list[int]:
        """Return the fewest indices of units that include one of each set."""
        if not sets:
            return []
        lines = [f"{{ {'; '.join(f'pick({i})' for i in one)} }} >= 1." for one in sets]
        lines += ["#minimize { 1, I : pick(I) }.", "#defined pick/1.", "#show pick/1.", "#project pick/1."]
        search = Search([], "\n".join(lines), settings)
        best = search.optima(1)
        if not best:
            raise OutOfTime
        return sorted(atom.arguments[0].number for atom in best[0])
