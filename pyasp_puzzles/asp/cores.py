"""Minimal sets: subset-minimal cores, smallest hitting sets, and the fewest clues that leave one answer.

Core         a set of assumptions, rules or clues that cannot hold together: `[3, 8, 12]`
Hitting set  numbers that include one of each set: `[2]` or `[1, 3]` for `[{1, 2}, {2, 3}]`
"""

from __future__ import annotations

from math import inf
from random import Random
from typing import TYPE_CHECKING, Generic, TypeVar

from pyasp_puzzles.asp.search import program_search
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from pyasp_puzzles.asp.settings import Settings


# Orders of literals that are tried for a small core; and the size that is small enough: two clues, and the rule that
# they break.
_MOST_ORDERS = 20
_FEW_LITERALS = 3

_Part = TypeVar("_Part")
_Other = TypeVar("_Other")


def minimal_subset(
    parts: Sequence[_Part], core: Callable[[list[_Part]], Collection[_Part] | None], most: float = inf
) -> list[_Part]:
    """Return a subset of the parts, in their order, from which no part can be removed (deletion-based).

    Args:
        parts: what suffices.
        core: returns those of some parts that suffice; None if these parts do not. It may return all of them.
        most: stops once more parts than this are needed; then the subset may not be minimal.
    """
    i, left = 0, [*parts]
    while i < len(left) and i <= most:
        rest = left[:i] + left[i + 1 :]
        smaller = core(rest)
        if smaller is None:
            i += 1
        else:
            smaller = set(smaller)
            left = [part for part in rest if part in smaller]
    return left


def smallest_literal_core(refute: Callable[[list[int]], list[int] | None], parts: Sequence[int]) -> list[int] | None:
    """Return a small minimal core of `parts`; None if they can all hold. `refute` returns a core of some literals.

    clingo's cores depend on the order of the literals. So several orders are tried, a millisecond each, and only the
    smallest core is minimized, with one query per literal. In ten Sudokus with three wrong clues, this found cores as
    small as minimizing each of them, in a tenth of the time: 0.14 s, not 1.6.
    """
    random, order = Random(0), [*parts]  # noqa: S311 (no secret)
    best: list[int] | None = None
    for _ in range(_MOST_ORDERS):
        core, vain = refute(order), 0
        while core and vain < Limits.MOST_VAIN:
            again = random.sample(core, len(core))
            fewer = refute(again)
            vain = 0 if fewer and len(fewer) < len(core) else vain + 1
            core = fewer if fewer and not vain else core
        if core is None:
            break
        best = core if best is None or len(core) < len(best) else best
        if len(best) <= _FEW_LITERALS:
            break
        random.shuffle(order)
    return None if best is None else minimal_subset([part for part in parts if part in {*best}], refute)


def smallest_hitting_set(
    missed: Callable[[list[int]], Sequence[Collection[int]]],
    settings: Settings,
    most: float = inf,
    weights: Mapping[int, int] | None = None,
) -> list[int] | None:
    """Return a smallest hitting set of sets that are found only when they are not hit.

    None if it has more than `most` numbers, or if one of the sets is empty.

    Source: implicit hitting sets, as in Gary McGuire et al., "There is no 16-clue Sudoku" (2012).

    Args:
        missed: returns sets that some numbers do not hit; an empty list if they hit all.
        settings: the time limit and the seed.
        most: the most numbers.
        weights: the weight of each number; if given, their sum is minimized, not their number.

    Raises:
        OutOfTime: time ran out.
    """
    sets: list[Collection[int]] = []
    while (chosen := _hitting_set(sets, settings, most, weights)) is not None:
        more = missed(chosen)
        if not more:
            return chosen
        sets += more
    return None


def _hitting_set(
    sets: Sequence[Collection[int]], settings: Settings, most: float, weights: Mapping[int, int] | None
) -> list[int] | None:
    """Return a smallest hitting set of the sets found so far; None as for `smallest_hitting_set`."""
    if not all(sets) or most < 0:
        return None
    if not sets:
        return []
    lines = [f"{{ {'; '.join(f'pick({number})' for number in sorted(numbers))} }} >= 1." for numbers in sets]
    lines += [f":- {{ pick(X) }} > {most}."] if most < inf else []
    if weights is None:
        lines.append("#minimize { 1, X : pick(X) }.")
    else:
        lines += [f"weight({number},{weights[number]})." for number in sorted(set().union(*sets))]
        lines.append("#minimize { N, X : pick(X), weight(X, N) }.")
    search = program_search([], "\n".join([*lines, "#defined pick/1.", "#show pick/1.", "#project pick/1."]), settings)
    # Of several smallest sets, `best` and `optima` find different ones; with `best`, a seed would make other boards.
    best = search.best() if weights is None else next(iter(search.optima(1)), None)
    if not search.exhausted and (best is None or weights is None):
        raise OutOfTime
    return None if best is None else [atom.arguments[0].number for atom in best]


class ClueHittingSet(Generic[_Other]):
    """The fewest clues that leave one answer: a hitting set of the clues that each other answer lacks.

    Clues are chosen so that each other answer seen so far lacks one of them. If yet another answer has them all, the
    clues that it lacks are one more set to hit; if there is none, the choice is a smallest one.

    Args:
        weights: {clue, as a number: how many clues it counts as}.
        other: returns another answer that has some clues; None if there is none.
        has: returns whether an answer has a clue.
        best: clues that are known to be enough.
    """

    def __init__(
        self,
        weights: Mapping[int, int],
        other: Callable[[list[int]], _Other | None],
        has: Callable[[_Other, int], bool],
        best: Sequence[int],
    ) -> None:
        self._weights, self._other, self._has = weights, other, has
        self.best = sorted(best)
        """The fewest that are known to be enough."""
        self.bound = 0
        """At least this many are needed."""
        # Of each of these sets, one clue is needed.
        self._sets: list[list[int]] = []

    def run(self, settings: Settings) -> None:
        """Search until the fewest are proven, or time runs out."""
        try:
            smallest_hitting_set(self._missed, settings, weights=self._weights)
        except OutOfTime:
            self.bound = max(self.bound, self._disjoint())

    def _weight(self, chosen: Collection[int]) -> int:
        return sum(self._weights[clue] for clue in chosen)

    def _disjoint(self) -> int:
        """Return a lower bound: the weight needed to hit pairwise disjoint sets, chosen greedily."""
        used: set[int] = set()
        needed = 0
        for clues in sorted(self._sets, key=len):
            if used.isdisjoint(clues):
                used.update(clues)
                needed += min(self._weights[clue] for clue in clues)
        return needed

    def _missed(self, chosen: Sequence[int]) -> Sequence[Sequence[int]]:
        """Return sets that these clues do not hit, and store them; an empty set if they weigh as much as the best.

        The clues are extended until they hit all sets, and replace the best if they weigh less.
        """
        self.bound = self._weight(chosen)
        if self.bound >= self._weight(self.best):
            return [()]
        before, hit = len(self._sets), set(chosen)
        while (lacking := self._lacking(hit)) is not None:
            self._sets.append(lacking)
            hit.add(
                min(lacking, key=lambda clue: (-sum(clue in clues for clues in self._sets), clue))
            )  # hits most sets
        if self._weight(hit) < self._weight(self.best):
            self.best = sorted(hit)
        return self._sets[before:]

    def _lacking(self, chosen: Collection[int]) -> list[int] | None:
        """Return the clues that some other answer with the chosen ones lacks; None if there is no such answer.

        The set is minimal: no such answer lacks only some of them. Smaller sets leave fewer choices.
        """
        other = self._other(sorted(chosen))
        if other is None:
            return None
        kept = {clue for clue in self._weights if clue in chosen or self._has(other, clue)}
        lacking = [clue for clue in self._weights if clue not in kept]
        needed: list[int] = []
        for clue in lacking:
            if clue in kept:
                continue
            closer = self._other(sorted({*kept, clue}))
            if closer is None:
                needed.append(clue)
            else:
                kept |= {clue, *(another for another in lacking if another not in kept and self._has(closer, another))}
        return needed
