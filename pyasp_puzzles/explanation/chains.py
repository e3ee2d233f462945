"""What follows from a supposition, one rule at a time, until something cannot hold.

Chain  the inferences, each after those that it rests on; the last one says what cannot hold
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.explanation.closures import irreducible
from pyasp_puzzles.explanation.levels import Inference, Known, Levels, whole_parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyasp_puzzles.explanation.ground_rules import GroundRules
    from pyasp_puzzles.explanation.wholes import Cut, Whole


class Chain(NamedTuple):
    """A supposition that leads to a contradiction."""

    supposed: int | None
    """The literal that is supposed; None if the rules cannot hold without it either."""
    inferences: list[Inference]
    known: dict[int, bool]
    """The atoms that are known then."""
    cut: Cut | None = None
    """What would be cut off at the end, if a rule about a graph says so."""
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

    Where no rule alone forces anything more, the end of the chain has all rules that cannot hold together then.

    Args:
        ground: the rules of the board.
        wholes: {number: the rule} of those that are asked as a whole.
        rules: the numbers of the rules.
        known: the atoms that are known.
        supposed: the literal; None if the rules cannot hold together by what is known.
        board: all that is known of the board.
    """
    levels = Levels(Known(ground.once(whole_parts), known), rules, supposed, wholes)
    while True:
        before = len(levels.found)
        if failing := levels.next():
            ends = [([rule], levels.reasons(rule, None)) for rule in failing]
            end = min(ends, key=lambda one: len(one[1]))
            break
        if len(levels.found) == before:
            together = _together(ground, rules, levels)
            if together is None:
                return None
            end = together
            break
    inferences = _ordered(levels, end)
    then, source = levels.then, levels.source
    used = {abs(literal) for one in inferences for literal in one.literals} | {abs(supposed or 0)}
    told = {atom: holds for atom, holds in then.items() if atom not in source or atom in used}
    last = [wholes[rule] for rule in inferences[-1].rules[:1] if rule in wholes]  # none if the end has no name
    return Chain(supposed, inferences, then, last[0].cut(told, board) if last else None)


def _together(ground: GroundRules, rules: Sequence[int], levels: Levels) -> tuple[list[int], list[int]] | None:
    """Return the rules that cannot hold together, and the atoms of inferences that this needs: those found first."""
    then, source = levels.then, levels.source
    guards = {ground.rules[rule].guard: rule for rule in rules}
    given = [atom if then[atom] else -atom for atom in then if atom not in source]
    derived = {(-source[atom], atom): [atom if then[atom] else -atom] for atom in source}
    for search in ground.search_of(rules), ground.search:  # some rest on one without a name

        def refute(literals: list[int]) -> list[int] | None:
            return search.refute([*given, *literals])  # noqa: B023 (used within the loop)

        needed = irreducible(refute, guards, derived, None)
        if needed is not None:
            return [*needed[0]], [atom for _, atom in needed[1]]
    return None


def _ordered(levels: Levels, end: tuple[list[int], list[int]]) -> list[Inference]:
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
        inferences.append(Inference(rules, () if link == last else tuple(sorted(used[link])), rests))
    return inferences
