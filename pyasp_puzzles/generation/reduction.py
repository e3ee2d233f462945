"""Leaving out clues while one answer remains: a random minimal set, the fewest, or a set of a wanted grade."""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from pyasp_puzzles.asp.cores import smallest_hitting_set
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.generation.clues import with_clues

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.generation.clue_search import AnswerLiterals, ClueSearch
    from pyasp_puzzles.generation.clues import Unit
    from pyasp_puzzles.model.puzzle import Instance

    Graded: TypeAlias = tuple[Instance, str]


def flat(units: Collection[Unit]) -> list[Symbol]:
    """Return the clues of units."""
    return [clue for unit in units for clue in unit]


def minimal(program: ClueSearch, answer: AnswerLiterals, units: Sequence[Unit]) -> list[Unit] | None:
    """Return a minimal set of units that leaves the answer as the only one; None if even all units do not.

    All units hold for the answer, and are tried in their order. A unit outside the last core is left out without a
    question.

    Raises:
        OutOfTime: time ran out.
    """
    with program.other_than(answer) as other:
        return _minimal(program, answer, units, other)


def _minimal(program: ClueSearch, answer: AnswerLiterals, units: Sequence[Unit], other: int) -> list[Unit] | None:
    asserted = {unit: program.assertion(unit) for unit in units}

    def core(kept: Sequence[Unit]) -> set[int] | None:
        # Earlier assumptions are more likely to be in the core, so the units that are tried last come first.
        literals = [literal for unit in reversed(kept) for literal in asserted[unit]]
        absent = program.absent(set(flat(kept))) if program.chosen else []
        found = program.refute([other, *literals, *absent])
        return None if found is None else set(found)

    kept = list(units)
    needed = core(kept)
    if needed is None:
        return None
    changed = True
    while changed:
        changed = False
        for unit in list(kept):
            rest = [one for one in kept if one is not unit]
            found = needed if needed.isdisjoint(asserted[unit]) else core(rest)
            if found is None or (program.chosen and not program.admits(answer, set(flat(rest)))):
                continue
            kept, needed = rest, found
            changed = bool(program.chosen)  # where absent clues mean something, others may go now
    return kept


class Fewest:
    """The units with the fewest clues that leave an answer as the only one: a hitting set of what other answers lack.

    Units are chosen so that each other answer seen so far contradicts one of them. If there is yet another answer, what
    it contradicts is one more set to hit; if not, no choice with fewer units exists.
    """

    def __init__(
        self, program: ClueSearch, answer: AnswerLiterals, best: Sequence[Unit], units: Sequence[Unit]
    ) -> None:
        self._program, self._answer, self._units = program, answer, list(units)
        self.best = list(best)
        """The fewest that are known to be enough."""
        self.bound = 0
        """At least this many clues are needed."""
        # Indices of units; of each set, one is needed.
        self._sets: list[list[int]] = []

    def run(self, settings: Settings) -> None:
        """Search until it is proven, or time runs out."""
        if not self._program.admits(self._answer, ()):
            return  # clues are not only hints here: without some of them, the answer is wrong
        weights = {i: len(unit) for i, unit in enumerate(self._units)}
        try:
            with self._program.other_than(self._answer) as other:
                smallest_hitting_set(partial(self._missed, other), settings, weights=weights)
        except OutOfTime:
            self.bound = max(self.bound, self._disjoint())

    def _clues(self, chosen: Collection[int]) -> int:
        return sum(len(self._units[i]) for i in chosen)

    def _disjoint(self) -> int:
        """Return how many clues are needed for sets that have nothing in common."""
        used: set[int] = set()
        needed = 0
        for one in sorted(self._sets, key=len):
            if used.isdisjoint(one):
                used.update(one)
                needed += min(len(self._units[i]) for i in one)
        return needed

    def _missed(self, other: int, chosen: Sequence[int]) -> Sequence[Sequence[int]]:
        """Return sets that these units do not hit, and store them; an empty one if they have as many clues as the best.

        On the way, units that hit all sets are found; they may be fewer than the best.
        """
        self.bound = self._clues(chosen)
        if self.bound >= len(flat(self.best)):
            return [()]
        known, hit = len(self._sets), set(chosen)
        while (lacking := self._lacking(sorted(hit), other)) is not None:
            self._sets.append(lacking)
            hit.add(min(lacking, key=lambda i: (-sum(i in one for one in self._sets), i)))  # more sets at once
        if self._clues(hit) < len(flat(self.best)):
            self.best = [self._units[i] for i in sorted(hit)]
        return self._sets[known:]

    def _lacking(self, chosen: Sequence[int], other: int) -> list[int] | None:
        """Return the units that some other answer with the chosen ones contradicts; None if there is no such answer.

        No other answer contradicts only some of them: smaller sets leave fewer choices.
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

    def _other(self, chosen: Collection[int], other: int) -> AnswerLiterals | None:
        """Return another answer that keeps the chosen units; None if there is none."""
        program, clues = self._program, flat([self._units[i] for i in sorted(chosen)])
        return program.another([other, *program.assertion(clues), *program.absent(set(clues))])

    def _holds(self, answer: AnswerLiterals, i: int) -> bool:
        return all(self._program.allows(answer, clue) for clue in self._units[i])


def of_grade(
    program: ClueSearch,
    minimal: Sequence[Unit],
    others: Sequence[Unit],
    wanted: str,
    settings: Settings,
    *,
    hurry: bool,
) -> list[Graded]:
    """Return the boards that were graded on the way to one of the wanted grade; the last one has it, if any has.

    Each further clue makes a board easier, more or less, so the number of clues to add is found by bisection.

    Args:
        program: the boards of the layout.
        minimal: clues that leave one answer.
        others: further clues, in the order in which they are added.
        wanted: the word of the grade.
        settings: how to grade.
        hurry: whether to skip boards that are surely too easy, and to stop grading those that are surely too hard.

    Raises:
        OutOfTime: time ran out before a board was graded.
    """

    def easy(units: Sequence[Unit]) -> bool:
        return program.propagates(set(flat(units)))

    from pyasp_puzzles.explanation.grade import grade_word
    from pyasp_puzzles.model.grade import GRADES, WORDS

    rank = GRADES.index(wanted)
    if rank and hurry and easy(minimal):
        return []
    limit = dict[str, float](WORDS).get(wanted, inf) if hurry else inf
    most = bisect_left(range(len(others)), x=True, key=lambda i: easy([*minimal, *others[:i]]))
    # One clue fewer than an easy board needs mostly makes it just harder than easy.
    added = {0: most, 1: max(0, most - 1)}.get(rank, 0)
    found: list[Graded] = []
    low, high = 0, most - 1 if rank and hurry else most
    while True:
        board = with_clues(program.board, flat([*minimal, *others[:added]]))
        try:
            word = grade_word(board, settings, limit)
        except OutOfTime:
            if found:
                return found
            raise
        if word is not None:
            found.append((board, word))
        level = GRADES.index(word) if word in GRADES else len(GRADES)
        if level == rank:
            return found
        if level < rank:
            high = added - 1
        else:
            low = added + 1
        if low > high or (level < rank and added == 0):
            return found
        added = (low + high) // 2
