"""Leaving out clues on trial, where it takes long to prove that a clue is not needed, as among sums of many cells.

A clue remains if another answer is soon found without it. Otherwise it is left out on trial, and one proof at the end
shows that the clues that are left are enough. An answer that is found in the meantime, and breaks none of these, brings
back a clue that it breaks.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from clingo import Symbol

    from pyasp_puzzles.generation.clue_search import AnswerLiterals, ClueSearch
    from pyasp_puzzles.generation.clues import Unit

# Conflicts after which it stays open for now whether a clue is needed: first all clues get little time, as this is
# easier to tell when others are gone. A clue that is still open is left out on trial.
_MOST_CONFLICTS = (2000, 10_000, 10_000)
# The same for a clue that was brought back, which then stays in any case.
_MOST_CONFLICTS_OF_RETURNED = 40_000
# Conflicts of the proof that all clues that are left are enough. Of nine that took over 40 000, all took up to 85 000.
_MOST_CONFLICTS_OF_PROOF = 100_000
# Proofs that are given up; after each, half of the clues on trial are brought back, and after the last all.
_MOST_PROOFS = 2
# Conflicts of all questions that are given up, after which the clues that are still open remain: some 15 s for 30
# little killers. With twice as many, no more of them went.
_MOST_CONFLICTS_IN_ALL = 300_000

# Returns other answers that have some units, and whether these are all, given up after so many conflicts; None if time
# runs out.
_OtherAnswers: TypeAlias = "Callable[[Sequence[Unit], int], tuple[Sequence[Sequence[Symbol]], bool] | None]"


class Trials:
    """The units of a board that are kept, and those that are left out on trial.

    Args:
        program: the boards of the layout.
        kept: units that leave one answer.
        others: finds other answers.
        stays: tells whether a unit is wanted among others, even if it is not needed.
    """

    def __init__(
        self,
        program: ClueSearch,
        kept: Sequence[Unit],
        others: _OtherAnswers,
        stays: Callable[[Unit, Sequence[Unit]], bool],
    ) -> None:
        self._program, self._others, self._stays = program, others, stays
        self.kept = [*kept]
        """The units that remain."""
        self.proven: Sequence[Unit] | None = None
        """The last units that were proven to leave one answer."""
        self._trial: list[Unit] = []
        # Units to test, each with the number of its earlier tests.
        self._waiting: deque[tuple[Unit, int]] = deque()
        # {unit: an answer that has all kept units but this one}
        self._without: dict[Unit, AnswerLiterals] = {}
        # Units that are left out only with a proof, and those that are perhaps not needed.
        self._back: set[Unit] = set()
        self._open: set[Unit] = set()
        # Proofs that were given up, and the conflicts of all questions that were.
        self._failed = self._spent = 0

    def run(self, units: Iterable[Unit]) -> list[Unit]:
        """Leave out those of some units that are not needed, and return those that are perhaps not needed."""
        self._waiting.extend((unit, 0) for unit in units)
        while self._waiting or self._trial:
            unit, tests = self._waiting.popleft() if self._waiting else (None, 0)
            if unit is not None and (unit not in self.kept or self._stays(unit, self.kept)):
                continue
            if not self._test(unit, tests):
                self._open.update(one for one, _ in [(unit, 0), *self._waiting] if one is not None)
                self._open.update(self._trial)
                self.kept = [*self.kept, *self._trial]
                break
        return [unit for unit in self.kept if unit in self._open]

    def _test(self, unit: Unit | None, tests: int) -> bool:
        """Leave out a unit, or find that it is needed; without one, prove that those that are kept are enough.

        Returns:
            False if time or patience ran out, or if all units leave several answers.
        """
        rest, most = [one for one in self.kept if one != unit], _MOST_CONFLICTS[tests]
        if unit is None or unit in self._back:
            most = _MOST_CONFLICTS_OF_PROOF if unit is None else _MOST_CONFLICTS_OF_RETURNED
        asked = self._others(rest, most)
        if asked is None:
            return False
        found, complete = asked
        if found:
            return self._keep(unit, self._program.literals(found[0]))
        if complete:
            self.kept, self._trial = rest, []
            self.proven = rest
            return True
        self._spent += most
        if self._spent > _MOST_CONFLICTS_IN_ALL:
            return False
        if unit is None:
            self._failed += 1
            self._bring_back(self._trial[len(self._trial) // 2 * (self._failed < _MOST_PROOFS) :])
        elif tests < len(_MOST_CONFLICTS) - 1:
            self._waiting.append((unit, tests + 1))
        elif unit in self._back or self._failed == _MOST_PROOFS:
            self._open.add(unit)
        else:
            self.kept = rest
            self._trial.append(unit)
        return True

    def _keep(self, unit: Unit | None, other: AnswerLiterals) -> bool:
        """Keep a unit that another answer breaks, or bring back one that it breaks; return whether it breaks any."""
        if unit is not None and not self._has(other, self.kept):
            self._without[unit] = other
            self._open.discard(unit)
            return True
        if unit is not None:
            self._waiting.append((unit, len(_MOST_CONFLICTS) - 1))
        broken = [one for one in self._trial if not self._has(other, [*self.kept, one])][-1:]
        self._bring_back(broken)
        self._without |= dict.fromkeys(broken, other)
        self._open.difference_update(broken)
        return bool(broken)

    def _bring_back(self, units: Sequence[Unit]) -> None:
        """Keep units that were left out on trial, and test those again that are perhaps not needed beside them."""
        units = [*units]
        self._trial = [unit for unit in self._trial if unit not in units]
        self.kept = [*self.kept, *units]
        self._back.update(units)
        self._open.update(units)
        for unit, other in [*self._without.items()]:
            if unit in self.kept and not self._has(other, [one for one in self.kept if one != unit]):
                del self._without[unit]
                self._waiting.append((unit, len(_MOST_CONFLICTS) - 1))

    def _has(self, answer: AnswerLiterals, units: Sequence[Unit]) -> bool:
        """Return whether an answer breaks none of some units."""
        return self._program.admits(answer, {one for unit in units for clue in unit for one in clue})
