"""What people call a step: "hidden single", "naked pair", by the shape of its rules and by nothing else.

A rule about one cell says that the cell holds one value. A rule about one value says that the value has one place in a
unit. In a step of several rules, some (the base) leave only candidates that the others (the cover) allow just once
each: so the other candidates of the cover are out. Which rules are base and cover gives the step its name.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.explanation.formulas import consequences_of, simplify

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.ground_rules import GroundBoard, Rule


SIZES = {2: "pair", 3: "triple", 4: "quadruple"}
FISH = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
MOST_LOCKED = 2
"""Rules of a step of locked candidates."""
MOST_RULES = 2 * max(SIZES)
"""Rules of the largest step that has a name."""


class _Part(NamedTuple):
    """A rule of a step, as far as its shape matters."""

    rule: Rule
    cells: frozenset[Cell]
    values: frozenset[object]
    open: frozenset[int]
    """Its atoms that were possible before the step."""


def step_name(board: GroundBoard, rules: Sequence[int], known: Mapping[int, bool], conclusions: Sequence[int]) -> str:
    """Return what people call a step; empty if it has no name.

    Args:
        board: the board; names are for values that are numbers.
        rules: the rules of the step.
        known: the known atoms that it needs.
        conclusions: the literals that follow.
    """
    if not 0 < len(rules) <= MOST_RULES or not conclusions or any(known.values()):
        return ""
    parts = [_part(board, board.rules[rule], known) for rule in rules]
    if not all(isinstance(value, int) for part in parts for value in part.values):
        return ""
    if len(parts) == 1:
        return _single(parts[0], conclusions)
    if len(parts) % 2 or any(literal > 0 for literal in conclusions):
        return ""
    return _larger(board, parts, frozenset(-literal for literal in conclusions))


def _larger(board: GroundBoard, parts: Sequence[_Part], out: frozenset[int]) -> str:
    """Return the name of a step of several rules that excludes candidates."""
    of_cells = [part for part in parts if len(part.cells) == 1]
    of_values = [part for part in parts if len(part.values) == 1 and len(part.cells) > 1]
    if len(of_cells) == len(of_values):
        return _subset(of_cells, of_values, out)
    if len(of_values) == len(parts) and len({value for part in parts for value in part.values}) == 1:
        return _fish(parts, out) if len(parts) > MOST_LOCKED else _locked(board, parts, out)
    return ""


def _part(board: GroundBoard, rule: Rule, known: Mapping[int, bool]) -> _Part:
    return _Part(
        rule,
        frozenset(board.cells[atom] for atom in rule.atoms),
        frozenset(board.values[atom] for atom in rule.atoms),
        rule.atoms - known.keys(),
    )


def _single(part: _Part, conclusions: Sequence[int]) -> str:
    """Return the name of a step of one rule, of which one candidate is left."""
    if len(conclusions) > 1 or part.open != set(conclusions):
        return ""
    if len(part.cells) == 1 and len(part.values) > 1:
        return "naked single"
    return "hidden single" if len(part.values) == 1 and len(part.cells) > 1 else ""


def _subset(of_cells: Sequence[_Part], of_values: Sequence[_Part], out: frozenset[int]) -> str:
    """Return the name of a step of as many cells as values, in a unit that all the rules of the values are about."""
    size = SIZES.get(len(of_cells))
    if size is None or len({part.cells for part in of_values}) > 1:
        return ""
    if _excludes(of_cells, of_values, out):
        return f"naked {size}"
    return f"hidden {size}" if _excludes(of_values, of_cells, out) else ""


def _locked(board: GroundBoard, parts: Sequence[_Part], out: frozenset[int]) -> str:
    """Return the name of a step of two rules about one value: all places in one unit are in the other one too."""
    for base, cover in (parts, parts[::-1]):
        if _excludes([base], [cover], out):
            lines = [_is_line(board, part) for part in (base, cover)]
            return {(False, True): "pointing", (True, False): "claiming"}.get((lines[0], lines[1]), "locked candidates")
    return ""


def _fish(parts: Sequence[_Part], out: frozenset[int]) -> str:
    """Return the name of a step of as many rows as columns about one value."""
    rows = [part for part in parts if len({r for r, _ in part.cells}) == 1]
    columns = [part for part in parts if len({c for _, c in part.cells}) == 1]
    crossing = len(rows) == len(columns) == len(parts) // 2
    excludes = crossing and (_excludes(rows, columns, out) or _excludes(columns, rows, out))
    return FISH.get(len(rows), "") if excludes else ""


def _is_line(board: GroundBoard, part: _Part) -> bool:
    """Return whether a rule is about all cells of a row or column."""
    every = set(board.cells.values())
    for i in (0, 1):
        numbers = {cell[i] for cell in part.cells}
        if len(numbers) == 1 and part.cells == {cell for cell in every if cell[i] in numbers}:
            return True
    return False


def _excludes(base: Sequence[_Part], cover: Sequence[_Part], out: frozenset[int]) -> bool:
    """Return whether the base leaves only what the cover allows once each, which excludes the rest of the cover."""
    covered = frozenset().union(*(part.open for part in cover))
    based = frozenset().union(*(part.open for part in base))
    return (
        based <= covered
        and out <= covered - based
        and sum(len(part.open) for part in base) == len(based)
        and all(_needs_one(part) for part in base)
        and all(_allows_one(part) for part in cover)
    )


def _needs_one(part: _Part) -> bool:
    """Return whether a rule needs one of its candidates."""
    return simplify(part.rule.formula, dict.fromkeys(part.rule.atoms, False)) is False


def _allows_one(part: _Part) -> bool:
    """Return whether a rule allows at most one of its candidates."""
    formula = part.rule.formula
    forced = {atom: consequences_of(formula, {atom: True}) or () for atom in part.open}
    return all(-other in forced[atom] for atom, other in combinations(sorted(part.open), 2))
