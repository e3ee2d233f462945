"""Bounds of what cells may still hold, in few words ("is at least 6"), and the sums that explain them.

Left    {3, 4, 5} of 1 to 5: "at least 3"
Linear  ({5: 1, 6: 2, 9: -1}, 3): the weights of the atoms that hold add up to 3 or more
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, cast

from pyasp_puzzles.boards.spans import marked_value
from pyasp_puzzles.errors import first_listed, listing
from pyasp_puzzles.explanation.formulas import Threshold
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.formulas import Formula
    from pyasp_puzzles.explanation.ground_rules import GroundRules

# Numbers left in a cell that are listed; of more, the sentence says the bounds.
MOST_LEFT_LISTED = 3
# With at least this many cells, a line is said to be two things by turns.
_FEWEST_BY_TURNS = 4
# With at least this many other cells, a sentence gives the bound of their sum; with fewer, what is left in them.
_FEWEST_ADDED = 2
# Choices of numbers that are tried for a sum of some cells, which takes some milliseconds.
_MOST_SUMS_TRIED = 3000
# Choices of numbers that a sentence lists, of those that add up to a sum.
_MOST_COMBINATIONS = 3

# There is no choice.
_GONE = (0,)

_Linear = tuple["dict[int, int]", int]


def bound_words(every: Collection[int], out: Collection[int], told: Collection[int] = ()) -> str:
    """Return what a number is, marked, if it is one of `every` and none of `out`: "3 or 4", "at least 3", "not 5".

    Args:
        every: all numbers that there are.
        out: those that are ruled out, at least one.
        told: those of `out` to tell if the others are known already; all if there are none.
    """
    left = sorted(set(every) - set(out))
    if not left:
        return ""
    if len(left) == 1 or (len(left) <= MOST_LEFT_LISTED and len(out) >= len(left)):
        return listing(map(marked_value, map(str, left)))
    first, last = left[0], left[-1]
    if len(left) == last - first + 1:
        least, most = marked_value(str(first)), marked_value(str(last))
        if last == max(every) or (told and max(told) < first):
            return f"at least {least}"
        return f"at most {most}" if first == min(every) or (told and min(told) > last) else f"{least} to {most}"
    if len(left) < len(told or out):
        return listing(map(marked_value, map(str, left)))
    return f"not {listing(map(marked_value, first_listed(map(str, sorted(told or out)), Limits.MOST_VALUES)))}"


def bounds_in_turn(left: Sequence[Collection[int]], told: Sequence[Collection[int]], every: Collection[int]) -> str:
    """Return what the cells of a line are if that rises, falls or alternates along it: "at least 1, 2 and 3"; else "".

    Args:
        left: the numbers left in each cell, at least one.
        told: the numbers that are ruled out in each cell, which the bounds are to say.
        every: all numbers that there are.
    """
    if len(left) >= _FEWEST_BY_TURNS and left[0] != left[1] and all(left[i] == left[i % 2] for i in range(len(left))):
        words = [bound_words(every, {*every}.difference(numbers)) for numbers in left[:2]]
        return f"by turns {(', and ' if ' or ' in ' '.join(words) else ' and ').join(words)}"
    lows, highs = ([end(numbers) for numbers in left] for end in (min, max))
    out = [(number, low, high) for low, high, numbers in zip(lows, highs, told, strict=True) for number in numbers]
    bent = any(ends not in (sorted(ends), sorted(ends, reverse=True)) for ends in (lows, highs))
    if bent or any(low < number < high for number, low, high in out):
        return ""
    if lows == highs:
        return listing(map(marked_value, map(str, lows)), "and")
    below, above = any(number < low for number, low, _ in out), any(number > high for number, _, high in out)
    bounds = [("at least", lows)] * below + [("at most", highs)] * above
    return ", and ".join(f"{words} {listing(map(marked_value, map(str, ends)), 'and')}" for words, ends in bounds)


def linear_bounds(formula: Formula) -> list[_Linear]:
    """Return the parts of a formula that compare a sum of weights of literals with a bound."""
    if not isinstance(formula, Threshold):
        return []
    literals = [
        (weight, part) for weight, part in formula.parts if isinstance(part, int) and not isinstance(part, bool)
    ]
    if len(literals) == len(formula.parts):
        found: dict[int, int] = {}
        bound = formula.bound
        for weight, literal in literals:
            found[abs(literal)] = found.get(abs(literal), 0) + (weight if literal > 0 else -weight)
            bound -= weight if literal < 0 else 0
        return [(found, bound)]
    if formula.bound < sum(weight for weight, _ in formula.parts):
        return []
    return [one for _, part in formula.parts for one in linear_bounds(part)]


def bound_of_others(
    board: GroundRules,
    formula: Formula,
    out: Sequence[int],
    *,
    sizes: Mapping[Cell, int],
    of_cells: Collection[Cell],
    apart: Sequence[Collection[int]],
    gone: Collection[int],
) -> str:
    """Return the bound of a sum's other cells that rules out atoms of a cell: "at most 9"; empty if none is.

    Args:
        board: the rules of the board.
        formula: the formula of the sum.
        out: the atoms of the cell.
        sizes: how many atoms each cell has.
        of_cells: the cells that hold one value by a rule of the step.
        apart: sets of atoms; by a rule of the step, at most one of each can hold.
        gone: the atoms that are known to be out.
    """
    cell = board.cells[out[0]]
    parts = linear_bounds(formula)
    apart = [*apart, *atoms_bounded_once(parts)]
    for weights, bound in parts:
        choices: dict[Cell, dict[int, int]] = {}
        for atom, weight in weights.items():
            choices.setdefault(board.cells[atom], {})[atom] = weight
        mine = choices.pop(cell, {})
        others = {atom: weight for choice in choices.values() for atom, weight in choice.items()}
        if len(choices) < _FEWEST_ADDED or not choices.keys() <= set(of_cells):
            continue
        if any(len(choice) < sizes[other] for other, choice in choices.items()):  # it counts some number
            continue
        signs = {weight > 0 for weight in others.values() if weight}
        if len(signs) != 1 or any(abs(weight) != board.values[atom] for atom, weight in others.items()):
            continue
        left = [{atom: choice[atom] for atom in choice if atom not in gone} for choice in choices.values()]
        # Without a rule about its cell, further numbers in it would count, too.
        more = {} if cell in of_cells else {atom: weight for atom, weight in mine.items() if weight > 0}
        own = [mine.get(atom, 0) + sum(more[other] for other in more if other != atom) for atom in out]
        least = bound - max(own)
        if next(choices_in_bounds(left, apart, least, inf), _GONE) is _GONE:
            return f"at most {least - 1}" if signs == {True} else f"at least {1 - least}"
    return ""


def atoms_bounded_once(parts: Iterable[_Linear]) -> list[frozenset[int]]:
    """Return sets of atoms; a formula allows one of each: a cage without repeats has each number in one cell."""
    return [frozenset(weights) for weights, bound in parts if bound == -1 and {*weights.values()} == {-1}]


def combinations_in_bounds(
    board: GroundRules, formula: Formula, left: Mapping[Cell, Collection[int]], apart: Sequence[Collection[int]]
) -> list[tuple[int, ...]]:
    """Return what the open cells of a sum may hold, each combination sorted; nothing if it is no sum, or for many.

    Args:
        board: the rules of the board.
        formula: the formula of the sum.
        left: {cell: the atoms that are left}; a cell with several is open.
        apart: sets of atoms; at most one of each can hold.
    """
    parts = linear_bounds(formula)
    totals = (
        total
        for weights, total in parts
        if ({atom: -weight for atom, weight in weights.items()}, -total) in parts
        and all(weight == board.values[atom] for atom, weight in weights.items())
        and weights.keys() >= {atom for atoms in left.values() for atom in atoms}
    )
    total = next(totals, None)
    if total is None:
        return []
    choices = [{atom: cast("int", board.values[atom]) for atom in atoms} for atoms in left.values()]
    found: set[tuple[int, ...]] = set()
    for chosen in choices_in_bounds(choices, [*apart, *atoms_bounded_once(parts)], total, total):
        if not chosen:
            return []
        numbers = (choice[atom] for choice, atom in zip(choices, chosen, strict=True) if len(choice) > 1)
        found.add(tuple(sorted(numbers)))
        if len(found) > _MOST_COMBINATIONS:
            return []
    return sorted(found)


def choices_in_bounds(
    choices: Sequence[Mapping[int, int]], apart: Iterable[Collection[int]], low: float, high: float
) -> Iterator[tuple[int, ...]]:
    """Yield atoms, one of each choice, no two of them in one set of `apart`, whose weights add up to `low` to `high`.

    If there are too many to try, or a choice has none, the last one is empty.

    Args:
        choices: for each cell {atom: its weight}.
        apart: sets of atoms; at most one of each can hold.
        low: the least sum.
        high: the largest sum.
    """
    sets_of: dict[int, list[int]] = {}
    for number, atoms in enumerate(apart):
        for atom in atoms:
            sets_of.setdefault(atom, []).append(number)
    # What the choices from each on add up to at least and at most.
    ends = [
        [sum(end(choice.values()) for choice in choices[i:] if choice) for end in (min, max)]
        for i in range(len(choices) + 1)
    ]
    waiting: list[tuple[int, tuple[int, ...], frozenset[int]]] = [(0, (), frozenset())] if all(choices) else []
    for _ in range(_MOST_SUMS_TRIED):
        if not waiting:
            break
        total, chosen, taken = waiting.pop()
        least, most = ends[len(chosen)]
        if low - most <= total <= high - least:
            if len(chosen) == len(choices):
                yield chosen
                continue
            for atom, weight in sorted(choices[len(chosen)].items(), key=lambda one: one[1]):  # the largest comes first
                if taken.isdisjoint(sets := sets_of.get(atom, ())):
                    waiting.append((total + weight, (*chosen, atom), taken.union(sets)))
    if waiting or not all(choices):
        yield ()
