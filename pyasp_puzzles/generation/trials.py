"""Trials: clues thinned out where it takes long to prove that one is not needed, as among sums of many cells.

Half of the clues are left out at once, then a quarter, and so on: one proof shows that none of them is needed, and
where many are left out, another answer is soon found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pyasp_puzzles.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from pyasp_puzzles.generation.clues import Unit

# Conflicts after which it stays open for now whether some clues are needed; those that are open at the end are asked
# about again. Of eight proofs for 14 to 19 little killers, all took up to 22 000.
_MOST_CONFLICTS = (20_000, 50_000)
# Fewer clues are left out one by one: near the end, most are needed.
_FEWEST_HALVED = 4
# Conflicts of all questions that are given up, after which the clues that are still open remain: some 15 s.
_MOST_CONFLICTS_IN_ALL = 300_000

# Returns whether some units leave another answer; None if that is open after so many conflicts.
_Several: TypeAlias = "Callable[[Sequence[Unit], int], bool | None]"


def thinned_by_trials(
    every: Sequence[Unit],
    units: Collection[Unit],
    several: _Several,
    stays: Callable[[Unit, Sequence[Unit]], bool],
) -> tuple[list[Unit], list[Unit], bool]:
    """Return the units that remain, those that are perhaps not needed, and whether it was proven that they do.

    Args:
        every: units that leave one answer.
        units: those that may go.
        several: asks whether some units leave another answer; when it raises `OutOfTime`, this ends.
        stays: tells whether a unit is wanted among others, even if it is not needed.
    """
    kept, left, proven, spent = [*every], {*units}, False, 0
    loose: set[frozenset[Unit]] = set()  # units that leave several answers
    for most in _MOST_CONFLICTS:
        groups: list[Sequence[Unit]] = [[unit for unit in kept if unit in left]]
        while groups and spent <= _MOST_CONFLICTS_IN_ALL:
            group = groups.pop()
            rest = _without(group, kept, stays)
            here = frozenset(rest)
            try:
                known = len(rest) == len(kept) or here in loose or (len(group) > 1 and any(here < one for one in loose))
                found = known or several(rest, most)
            except OutOfTime:
                return kept, [unit for unit in kept if unit in left], proven
            if found is False:
                kept, proven = rest, True
            elif len(group) > 1:
                groups += _parts(group)
            elif found:
                left.difference_update(group)
            spent += most if found is None else 0
            loose |= {here} if found and len(rest) < len(kept) else set()
    return kept, [unit for unit in kept if unit in left], proven


def _without(group: Sequence[Unit], kept: Sequence[Unit], stays: Callable[[Unit, Sequence[Unit]], bool]) -> list[Unit]:
    """Return the units that are kept if those of a group go that may."""
    rest = [*kept]
    for unit in group:
        if not stays(unit, rest):
            rest.remove(unit)
    return rest


def _parts(group: Sequence[Unit]) -> list[Sequence[Unit]]:
    """Return the halves of a group, or each unit of a small one, the first part last."""
    size = (len(group) + 1) // 2 if len(group) >= _FEWEST_HALVED else 1
    return [group[i : i + size] for i in range(0, len(group), size)][::-1]
