"""What follows from a supposition, one rule at a time, until something cannot hold.

Inference  Inference((7,), (15, -16), (0, 2)): rule 7 forces two literals, by the supposition and by inference 2
Chain      the inferences, each after those that it rests on; the last one says what cannot hold
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cores import minimal
from pyasp_puzzles.asp.settings import DEFAULT
from pyasp_puzzles.explanation.closures import irreducible
from pyasp_puzzles.explanation.ground_rules import FormulaSearch, consequences_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyasp_puzzles.explanation.ground_rules import GroundRules
    from pyasp_puzzles.explanation.wholes import Cut, Whole


class Inference(NamedTuple):
    """What rules force, given what is known and earlier inferences."""

    rules: tuple[int, ...]
    """One rule, by its number; at the end of a chain there may be several, which cannot hold together."""
    literals: tuple[int, ...]
    """What follows; nothing at the end of a chain."""
    rests_on: tuple[int, ...]
    """The numbers of the inferences that it needs, counted from 1; 0 is the supposition."""


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
    then = dict(known) if supposed is None else {**known, abs(supposed): supposed > 0}
    source: dict[int, int] = {} if supposed is None else {abs(supposed): 0}
    found: list[tuple[int, frozenset[int]]] = []
    while True:
        forced = {
            rule: wholes[rule].forced(then) if rule in wholes else consequences_of(ground.rules[rule].formula, then)
            for rule in rules
        }
        if failing := [rule for rule, news in forced.items() if news is None]:
            ends = [([rule], _reasons(ground, rule, None, then, source, wholes=wholes)) for rule in failing]
            end = min(ends, key=lambda one: len(one[1]))
            break
        before = len(found)
        for rule, follows in forced.items():
            news = frozenset(one for one in follows or () if abs(one) not in then and abs(one) in ground.symbols)
            if news:
                found.append((rule, news))
                source |= dict.fromkeys(map(abs, news), len(found))
                then |= {abs(literal): literal > 0 for literal in news}
        if len(found) == before:
            together = _together(ground, rules, then, source)
            if together is None:
                return None
            end = together
            break
    inferences = _ordered(ground, found, end, then, source, wholes=wholes)
    used = {abs(literal) for one in inferences for literal in one.literals} | {abs(supposed or 0)}
    told = {atom: holds for atom, holds in then.items() if atom not in source or atom in used}
    last = [wholes[rule] for rule in inferences[-1].rules[:1] if rule in wholes]  # none if the end has no name
    return Chain(supposed, inferences, then, last[0].cut(told, board) if last else None)


def _reasons(
    ground: GroundRules,
    rule: int,
    literals: frozenset[int] | None,
    then: Mapping[int, bool],
    source: Mapping[int, int],
    *,
    wholes: Mapping[int, Whole],
) -> list[int]:
    """Return the atoms of earlier inferences that a rule needs to force literals (None: to fail): those found first."""
    atoms = ground.rules[rule].atoms & then.keys()
    derived = [atom for atom in atoms if atom in source]
    given = {atom: then[atom] for atom in atoms if atom not in source}

    def suffice(rest: list[int]) -> list[int] | None:
        here = given | {atom: then[atom] for atom in rest}
        if rule in wholes:
            return rest if wholes[rule].forces(literals, here) else None
        forced = consequences_of(ground.rules[rule].formula, here)
        enough = forced is None if literals is None else forced is not None and literals <= forced
        return rest if enough else None

    derived.sort(key=lambda atom: (-source[atom], then[atom], atom))
    return minimal(derived, suffice)


def _together(
    ground: GroundRules, rules: Sequence[int], then: Mapping[int, bool], source: Mapping[int, int]
) -> tuple[list[int], list[int]] | None:
    """Return the rules that cannot hold together, and the atoms of inferences that this needs: those found first."""
    guards = {ground.rules[rule].guard: rule for rule in rules}
    formulas = {guard: ground.rules[rule].formula for guard, rule in guards.items()}
    given = [atom if then[atom] else -atom for atom in then if atom not in source]
    derived = {(-source[atom], atom): [atom if then[atom] else -atom] for atom in source}
    for search in FormulaSearch(formulas, DEFAULT, ground.program), ground.search:  # some rest on one without a name

        def refute(literals: list[int]) -> list[int] | None:
            return search.refute([*given, *literals])  # noqa: B023 (used within the loop)

        needed = irreducible(refute, guards, derived, None)
        if needed is not None:
            return [*needed[0]], [atom for _, atom in needed[1]]
    return None


def _ordered(
    ground: GroundRules,
    found: Sequence[tuple[int, frozenset[int]]],
    end: tuple[list[int], list[int]],
    then: Mapping[int, bool],
    source: Mapping[int, int],
    *,
    wholes: Mapping[int, Whole],
) -> list[Inference]:
    """Return the inferences that the end needs, of each only what others use, and each right after what it rests on."""
    used: dict[int, set[int]] = {}
    rests_on: dict[int, list[int]] = {}

    def use(link: int, atoms: Sequence[int]) -> None:
        rests_on[link] = sorted({source[atom] for atom in atoms})
        for atom in atoms:
            used.setdefault(source[atom], set()).add(atom if then[atom] else -atom)

    last = len(found) + 1
    use(last, end[1])
    for link in range(len(found), 0, -1):
        if link in used:
            earlier = {atom: before for atom, before in source.items() if before < link}
            known = {atom: holds for atom, holds in then.items() if atom in earlier or atom not in source}
            use(link, _reasons(ground, found[link - 1][0], frozenset(used[link]), known, earlier, wholes=wholes))
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
        rules = tuple(sorted(end[0])) if link == last else (found[link - 1][0],)
        rests = tuple(sorted(order[other] for other in rests_on[link]))
        inferences.append(Inference(rules, () if link == last else tuple(sorted(used[link])), rests))
    return inferences
