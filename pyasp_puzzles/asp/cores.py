"""Minimal cores, from which nothing can be left out, and smallest hitting sets, which find the fewest of anything.

Core         a set of assumptions, rules or clues that cannot hold together: `[3, 8, 12]`
Hitting set  numbers that include one of each of some sets: `[2]` or `[1, 3]` of `[{1, 2}, {2, 3}]`
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, TypeVar

from pyasp_puzzles.asp.search import Search
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from random import Random

    from pyasp_puzzles.asp.settings import Settings


Part = TypeVar("Part")


def minimal_core(
    parts: list[Part], core: Callable[[list[Part]], Collection[Part] | None], most: float = inf
) -> list[Part]:
    """Return a subset of the parts, in their order, from which no part can be removed (deletion-based).

    Args:
        parts: what suffices.
        core: a function that returns those of some parts that suffice, or None if they do not.
        most: stops as soon as more parts than this cannot be removed; then the subset may not be minimal.
    """
    i = 0
    while i < len(parts) and i <= most:
        found = core(parts[:i] + parts[i + 1 :])
        if found is None:
            i += 1
        else:
            found = set(found)
            parts = [part for part in parts if part in found]
    return parts


def small_core(
    parts: Sequence[Part], core: Callable[[list[Part]], Collection[Part] | None], random: Random
) -> list[Part] | None:
    """Return some of the parts that suffice, the fewest that clingo finds in some orders; None if there are none.

    Finding a core takes a millisecond, and it depends on the order; leaving out part by part of a large one takes
    hundreds.
    """
    best, vain = core([*parts]), 0
    while best and vain < Limits.MOST_VAIN:
        order = [*best]
        random.shuffle(order)
        found = core(order)
        vain = 0 if found and len(found) < len(best) else vain + 1
        best = found if found and not vain else best
    return None if best is None else [part for part in parts if part in {*best}]


def smallest_hitting_set(
    missed: Callable[[list[int]], Sequence[Collection[int]]],
    settings: Settings,
    most: float = inf,
    weights: Mapping[int, int] | None = None,
) -> list[int] | None:
    """Return the fewest numbers that include one of each of many sets, of which only those that matter are looked for.

    None if it takes more than `most`, or if one of the sets is empty.

    Source: implicit hitting sets, as in Gary McGuire et al., "There is no 16-clue Sudoku" (2012).

    Args:
        missed: a function that returns sets that include none of the given numbers, or an empty list if none is left.
        settings: the time limit and the seed.
        most: the most numbers.
        weights: the weight of each number; if given, the sum of the weights is the least, in place of the number.

    Raises:
        OutOfTime: time ran out.
    """
    sets: list[Collection[int]] = []
    while (chosen := _hitting_set(sets, settings, most, weights)) is not None:
        found = missed(chosen)
        if not found:
            return chosen
        sets += found
    return None


def _hitting_set(
    sets: Sequence[Collection[int]], settings: Settings, most: float, weights: Mapping[int, int] | None
) -> list[int] | None:
    """Return the smallest hitting set of some sets, as `smallest_hitting_set` does of all."""
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
    search = Search([], "\n".join([*lines, "#defined pick/1.", "#show pick/1.", "#project pick/1."]), settings)
    # Of several smallest sets, `best` and `optima` find different ones; with `best`, a seed would make other boards.
    best = search.best() if weights is None else next(iter(search.optima(1)), None)
    if not search.exhausted and (best is None or weights is None):
        raise OutOfTime
    return None if best is None else [atom.arguments[0].number for atom in best]
