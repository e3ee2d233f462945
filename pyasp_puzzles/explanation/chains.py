"""What follows from a supposition, one rule at a time, until something cannot hold.

Inference  Inference((7,), (15, -16), (0, 2)): rule 7 forces two literals, by the supposition and by inference 2
Chain      the inferences, each after those that it rests on; the last one says what cannot hold
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clingo import SymbolType

from pyasp_puzzles.asp.cores import minimal
from pyasp_puzzles.asp.settings import DEFAULT
from pyasp_puzzles.explanation.closures import irreducible
from pyasp_puzzles.explanation.ground_rules import FormulaSearch, consequences_of, literals

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from clingo import Model

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.ground_rules import GroundRules

# Cells that are asked one by one whether they are cut off; each takes some milliseconds.
MOST_REACHED = 400


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
    listed: bool = False
    """Whether the links are listed below the sentence, which tells the end alone."""


def chain(ground: GroundRules, rules: Sequence[int], known: Mapping[int, bool], supposed: int | None) -> Chain | None:
    """Return how rules refute a literal; None if they do not, or if time ran out.

    Where no rule alone forces anything more, the end of the chain has all rules that cannot hold together then.

    Args:
        ground: the rules of the board.
        rules: the numbers of the rules.
        known: the atoms that are known.
        supposed: the literal; None if the rules cannot hold together by what is known.
    """
    then = dict(known) if supposed is None else {**known, abs(supposed): supposed > 0}
    source: dict[int, int] = {} if supposed is None else {abs(supposed): 0}
    found: list[tuple[int, frozenset[int]]] = []
    while True:
        forced = {rule: consequences_of(ground.rules[rule].formula, then) for rule in rules}
        if failing := [rule for rule, news in forced.items() if news is None]:
            ends = [([rule], _reasons(ground, rule, None, then, source)) for rule in failing]
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
    return Chain(supposed, _ordered(ground, found, end, then, source), then)


def _reasons(
    ground: GroundRules,
    rule: int,
    literals: frozenset[int] | None,
    then: Mapping[int, bool],
    source: Mapping[int, int],
) -> list[int]:
    """Return the atoms of earlier inferences that a rule needs to force literals (None: to fail): those found first."""
    atoms = ground.rules[rule].atoms & then.keys()
    derived = [atom for atom in atoms if atom in source]
    given = {atom: then[atom] for atom in atoms if atom not in source}

    def suffice(rest: list[int]) -> list[int] | None:
        forced = consequences_of(ground.rules[rule].formula, given | {atom: then[atom] for atom in rest})
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
    for search in FormulaSearch(formulas, DEFAULT), ground.search:  # formulas that depend on themselves do not say all

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
            use(link, _reasons(ground, found[link - 1][0], frozenset(used[link]), known, earlier))
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


def cut_off(
    ground: GroundRules, rule: int, then: Mapping[int, bool], cells: Collection[Cell]
) -> tuple[str, set[Cell], set[Cell]] | None:
    """Return the cells for which what a rule needs cannot be derived, though they themselves would allow it.

    A rule of a graph needs atoms that depend on themselves: `reached(R, C)`, derived from a neighbour's. Whatever the
    open cells are, clingo tells which of these atoms cannot hold.

    Args:
        ground: the rules of the board.
        rule: the number of the rule.
        then: the atoms that are known.
        cells: the cells of the board.

    Returns:
        The predicate, these cells, and those for which it can be derived; None if the rule needs no such atoms.
    """
    name, found = _needed(ground, rule, cells)
    if not 0 < len(found) <= MOST_REACHED:
        return None
    search = ground.search
    known: dict[Cell, list[int]] = {}
    for atom, holds in then.items():
        known.setdefault(ground.cells[atom], []).append(atom if holds else -atom)
    every = [literal for some in known.values() for literal in some]
    reached: set[Cell] = set()
    cut: set[Cell] = set()

    def read(model: Model) -> set[Cell]:
        return {cell for cell, atom in found.items() if model.is_true(atom)}

    for cell, atom in found.items():
        if cell not in reached:
            reached.update(*search.solve_here([*every, atom], 1, read, "pos")[0])
            if cell not in reached and search.solve_here([*known.get(cell, ()), atom], 1, read)[0]:
                cut.add(cell)
    return (name, cut, reached) if cut else None


def _needed(ground: GroundRules, rule: int, cells: Collection[Cell]) -> tuple[str, dict[Cell, int]]:
    """Return the predicate of the atoms that depend on themselves, by which a rule holds, and {cell: its atom}."""
    needed = ground.recursive.intersection(literals(ground.rules[rule].formula))
    for name, arity in ground.search.signatures() if needed else ():
        found: dict[Cell, int] = {}
        atoms = ground.search.atoms(name, arity) if arity > 1 else {}
        fronts = {tuple(symbol.arguments[:-2]) for symbol, atom in atoms.items() if atom in needed}
        for symbol, atom in atoms.items():
            row, column = symbol.arguments[-2:]
            if tuple(symbol.arguments[:-2]) in fronts and row.type is column.type is SymbolType.Number:
                found |= {(row.number, column.number): atom} if (row.number, column.number) in cells else {}
        if found:
            return name, found
    return "", {}
