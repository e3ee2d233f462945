"""`Chain`: what follows from a supposition, one rule at a time, until something cannot hold.

Chain   the inferences, each after those that it rests on; the last one says what cannot hold
_Crowd  ([3, 4], [7], {12, 15}): rules that need a candidate each, more than others allow in all
"""

from __future__ import annotations

from itertools import combinations
from math import comb, inf
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cores import minimal_subset
from pyasp_puzzles.boards.grid import grouped
from pyasp_puzzles.explanation.closures import irreducible_closure, is_long_for_closure
from pyasp_puzzles.explanation.levels import KnownLevels, LevelInference, Levels, level_parts
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pyasp_puzzles.explanation.ground_rules import GroundRules
    from pyasp_puzzles.explanation.wholes import Whole, WholeCut

# Rules about several cells that people see at once to contradict each other.
_MOST_PLAIN = 2
# Inferences that refute a literal within a chain; people do not follow more.
_MOST_REFUTING = 6
# Rules of a chain within which rules that are asked as a whole refute literals, which takes long.
_MOST_WITH_WHOLES = 4
# Ways in which rules that cannot hold together are divided into those that need and those that allow a candidate.
_MOST_DIVISIONS = 300


class _Crowd(NamedTuple):
    """Rules that cannot hold together, as some need more candidates than the others allow."""

    base: Sequence[int]
    """The rules that need one candidate each, no two the same, by their numbers."""
    cover: Sequence[int]
    """Fewer rules, which allow one of these candidates each."""
    atoms: frozenset[int]
    """The candidates."""


class Chain(NamedTuple):
    """A supposition that leads to a contradiction."""

    supposed: int | None
    """The literal that is supposed; None if the rules cannot hold without it either."""
    inferences: list[LevelInference]
    known: dict[int, bool]
    """The atoms that are known then."""
    cut: WholeCut | None = None
    """What would be cut off at the end, if a rule about a graph says so."""
    crowd: _Crowd | None = None
    """Why the rules at the end cannot hold together, if they are too many for what is left."""
    refuted: Mapping[int, Chain] = {}
    """{literal that follows from several rules: how they refute its opposite}"""
    listed: bool = False
    """Whether the links are listed below the sentence, which tells the end alone."""


def chain(
    ground: GroundRules,
    wholes: Mapping[int, Whole],
    rules: Sequence[int],
    known: Mapping[int, bool],
    supposed: int | None,
    *,
    board: Mapping[int, bool],
) -> Chain | None:
    """Return how rules refute a literal; None if they do not, or if time ran out.

    Where no rule alone forces anything more, what a few inferences refute is left out. If there is nothing, the end of
    the chain has all rules that cannot hold together then.

    Args:
        ground: the rules of the board.
        wholes: {number: the rule} of those that are asked as a whole.
        rules: the numbers of the rules.
        known: the atoms that are known.
        supposed: the literal; None if the rules cannot hold together by what is known.
        board: all that is known of the board.
    """
    levels = Levels(KnownLevels(ground.once(level_parts), known), rules, supposed, wholes)
    refuted: dict[int, Chain] = {}
    crowd = None
    while (end := _flooded(levels)) is None:
        together = _together(ground, rules, levels)
        if together is None:
            return None
        crowd = _crowd(ground, together[0], levels.then)
        found = {}
        larger = [rule for rule in rules if len({ground.cells[atom] for atom in ground.rules[rule].atoms}) > 1]
        # A long rule takes 5 ms for each question: with those of Rellik cages, a board took 27 s and not 8.
        short = not any(is_long_for_closure(ground.rules[rule]) for rule in rules)
        if not crowd and short and len(together[0]) > 1 and len(larger) > _MOST_PLAIN:
            found = _refutations(ground, rules, known, levels, {})
            if not found and len(rules) <= _MOST_WITH_WHOLES and not wholes.keys().isdisjoint(rules):
                found = _refutations(ground, rules, known, levels, wholes)
        if not found:
            end = together
            break
        refuted |= {literal: one for literal, (one, _) in found.items()}
        alike = grouped(((_rules(one), tuple(needs)), literal) for literal, (one, needs) in found.items())
        for (by, needs), some in alike.items():
            for literals in [some] if len(by) == 1 else [[literal] for literal in some]:
                levels.add(by, literals, needs=needs)
    return _told(levels, supposed, end, wholes, board)._replace(crowd=crowd, refuted=refuted)


def _flooded(levels: Levels, most: float = inf) -> tuple[list[int], list[int]] | None:
    """Add what single rules force in so many levels; return one that cannot hold, and the atoms it needs; or None."""
    ends = (([rule], levels.reasons(rule, None)) for rule in _failing(levels, most))
    return min(ends, key=lambda one: len(one[1]), default=None)


def _failing(levels: Levels, most: float = inf) -> list[int]:
    """Add what single rules force in so many levels; return those that cannot hold, if there are any."""
    depth = 0
    while depth < most:
        depth, before = depth + 1, len(levels.found)
        failing = levels.next()
        if failing or len(levels.found) == before:
            return failing
    return []


def _told(
    levels: Levels,
    supposed: int | None,
    end: tuple[list[int], list[int]],
    wholes: Mapping[int, Whole],
    board: Mapping[int, bool],
) -> Chain:
    """Return what leads to an end."""
    inferences = _ordered(levels, end)
    then, source = levels.then, levels.source
    used = {abs(literal) for one in inferences for literal in one.literals} | {abs(supposed or 0)}
    told = {atom: holds for atom, holds in then.items() if atom not in source or atom in used}
    last = [wholes[rule] for rule in inferences[-1].rules[:1] if rule in wholes]  # none if the end has no name
    return Chain(supposed, inferences, then, last[0].cut(told, board) if last else None)


def _rules(chain: Chain) -> tuple[int, ...]:
    """Return the rules of a chain."""
    return tuple(sorted({rule for one in chain.inferences for rule in one.rules}))


def _refutations(
    ground: GroundRules,
    rules: Sequence[int],
    known: Mapping[int, bool],
    levels: Levels,
    wholes: Mapping[int, Whole],
) -> dict[int, tuple[Chain, list[int]]]:
    """Return {literal: how its opposite is refuted, and the atoms that followed before which this needs}.

    These are the literals with the fewest inferences.
    """
    then, parts = levels.then, ground.once(level_parts)

    def refuted(literal: int, by: Collection[int], before: KnownLevels, most: float = inf) -> Chain | None:
        own = Levels(before, by, -literal, wholes)
        end = _flooded(own, most)
        return None if end is None else _told(own, -literal, end, wholes, before.known)

    found: dict[int, Chain] = {}
    fewest, known_then = _MOST_REFUTING, KnownLevels(parts, then)
    for atom in sorted(frozenset().union(*(ground.rules[rule].atoms for rule in rules)) - then.keys()):
        for literal in (atom, -atom):
            one = refuted(literal, rules, known_then, fewest)  # each level has one of the inferences
            if one is not None and len(one.inferences) <= fewest:
                found = found if len(one.inferences) == fewest else {}
                found[literal], fewest = one, len(one.inferences)
    told = {}
    for literal, one in found.items():

        def suffice(rest: list[int]) -> list[int] | None:
            before = KnownLevels(parts, {**known, **{atom: then[atom] for atom in rest}})
            own = Levels(before, _rules(one), -literal, wholes)  # noqa: B023 (used at once)
            failing = _failing(own)
            return [*own.proof(failing[0]).known.intersection(rest)] if failing else None

        needs = minimal_subset([*levels.own], suffice)
        least = refuted(literal, _rules(one), KnownLevels(parts, {**known, **{atom: then[atom] for atom in needs}}))
        told[literal] = least or one, needs
    return told


def _crowd(ground: GroundRules, rules: Sequence[int], known: Mapping[int, bool]) -> _Crowd | None:
    """Return why rules cannot hold together, if some need more candidates than the others allow; else None."""
    size = len(rules) // 2 + 1
    left = {rule: ground.rules[rule].atoms - known.keys() for rule in rules}
    needing = [rule for rule in rules if ground.rules[rule].needs_one(known)]
    bases: Iterable[Sequence[int]] = combinations(needing, size)
    if comb(len(needing), size) > _MOST_DIVISIONS:  # all of one cell each, or none of them
        of_cell = {rule for rule in needing if len({ground.cells[atom] for atom in ground.rules[rule].atoms}) == 1}
        ways = of_cell.issuperset, of_cell.isdisjoint
        bases = [some for way in ways if len(some := [rule for rule in needing if way([rule])]) == size]
    for base in bases:
        cover = [rule for rule in rules if rule not in base]
        atoms = frozenset().union(*(left[rule] for rule in base))
        apart = sum(len(left[rule]) for rule in base) == len(atoms)
        covered = atoms <= frozenset().union(*(left[rule] for rule in cover))
        allowed = (ground.rules[rule].allows_one(left[rule] & atoms) for rule in cover)
        if len(cover) < size and apart and covered and all(allowed):
            return _Crowd(base, cover, atoms)
    return None


def _together(ground: GroundRules, rules: Sequence[int], levels: Levels) -> tuple[list[int], list[int]] | None:
    """Return the rules that cannot hold together, and the atoms of inferences that this needs: those found first.

    None if they can, or if that takes too many conflicts: of a diagonal and two X-sums, one question took 15 s.
    """
    then, source = levels.then, levels.source
    guards = {ground.rules[rule].guard: rule for rule in rules}
    given = [atom if then[atom] else -atom for atom in then if atom not in source]
    derived = {(-source[atom], atom): [atom if then[atom] else -atom] for atom in source}
    for search in ground.search_of(rules), ground.search:  # some rest on one without a name

        def refute(literals: list[int]) -> list[int] | None:
            return search.refute([*given, *literals], Limits.MOST_CONFLICTS_OF_TOLD)  # noqa: B023 (used within the loop)

        needed = irreducible_closure(refute, guards, derived, None)
        if needed is not None:
            return [*needed[0]], [atom for _, atom in needed[1]]
    return None


def _ordered(levels: Levels, end: tuple[list[int], list[int]]) -> list[LevelInference]:
    """Return the inferences that the end needs, of each only what others use, and each right after what it rests on."""
    used: dict[int, set[int]] = {}
    last = len(levels.found) + 1
    rests_on = {last: levels.use(end[1], used)}
    rests_on |= levels.back(used)
    sizes: dict[int, int] = {0: 0}
    for link in sorted(rests_on):
        sizes[link] = 1 + sum(sizes[other] for other in rests_on[link])
    order: dict[int, int] = {0: 0}
    waiting = [last]
    while waiting:
        link = waiting[-1]
        open_ones = [other for other in rests_on[link] if other not in order]
        if link in order or not open_ones:
            waiting.pop()
            order.setdefault(link, len(order))
        else:
            waiting.append(max(open_ones, key=lambda other: (sizes[other], -other)))
    inferences = []
    for link in list(order)[1:]:
        rules = tuple(sorted(end[0])) if link == last else levels.found[link - 1].rules
        rests = tuple(sorted(order[other] for other in rests_on[link]))
        inferences.append(LevelInference(rules, () if link == last else tuple(sorted(used[link])), rests))
    return inferences
