"""The sentences of steps of several rules that have a name, as people say them: "X-wing: 4 in rows 2 and 7 can ...".

Base   the rules that leave few candidates: "row 2 holds 4 once"
Cover  the rules that allow each of these once, and so exclude others: "column 3 holds 4 once"
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import at, places
from pyasp_puzzles.errors import listing
from pyasp_puzzles.explanation.clauses import merged
from pyasp_puzzles.explanation.names import FISH, SIZES
from pyasp_puzzles.explanation.reasons import because
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.reasons import Clause
    from pyasp_puzzles.explanation.sentences import Sentences
    from pyasp_puzzles.explanation.words import Words


NAKED = frozenset(f"{how} {size}" for how in ("naked", "locked") for size in SIZES.values())
HIDDEN = frozenset(f"hidden {size}" for size in SIZES.values())
LOCKED = frozenset({"pointing", "claiming", "locked candidates"})
FISHES = frozenset(FISH.values())
# The names of steps that are told here; others are told as chains.
TOLD = NAKED | HIDDEN | LOCKED | FISHES


class NamedSteps:
    """The sentences of the named steps of one board."""

    def __init__(self, sentences: Sentences, words: Words) -> None:
        self._sentences, self._words, self._ground = sentences, words, words.ground

    def sentence(
        self,
        name: str,
        rules: Sequence[int],
        known: Mapping[int, bool],
        conclusions: Sequence[int],
        whys: Mapping[int, Sequence[Clause]],
    ) -> str:
        """Return the sentence of a step of a name in `TOLD`, without its first capital and its full stop.

        Args:
            name: the name.
            rules: the rules of the step, by their numbers.
            known: the known atoms of these rules that the step needs.
            conclusions: the literals that follow.
            whys: what rules out the candidates of each rule.
        """
        end = f"so {self._sentences.conclusions(conclusions)}"
        base = self._base(name, rules, conclusions)
        cover = [rule for rule in rules if rule not in base]
        if name in NAKED:
            return f"{name}{self._naked(base, cover, known)}, {end}"
        left = frozenset().union(*(self._ground.rules[rule].atoms for rule in base)) - known.keys()
        values = listing(dict.fromkeys(self._words.name(atom)[0] for atom in sorted(left)), "and")
        units = self._units(base)
        cells = places((self._ground.cells[atom] for atom in left), "and" if name in HIDDEN else "or")
        for unit in units:
            cells = cells.removeprefix(f"{unit}, ").removesuffix(f" of {unit}")
        covers = self._units(cover) if name not in HIDDEN else []
        told = f"{values} in {_listed(units)} can only be in {_listed(covers) if covers else cells}"
        if not units:
            told = "; ".join(self._sentences.merged_clauses(base, known))
        why = because(whys[base[0]], Limits.LONGEST_SENTENCE // 2) if len(base) == 1 else ""
        others = [] if covers or name in HIDDEN else self._sentences.merged_clauses(cover)
        return ", ".join([f"{name}: {told}{why}", *(f"and {clause}" for clause in others), end])

    def _base(self, name: str, rules: Sequence[int], conclusions: Sequence[int]) -> list[int]:
        """Return the rules that leave few candidates."""
        board = self._ground
        cells = {rule: {board.cells[atom] for atom in board.rules[rule].atoms} for rule in rules}
        if name in NAKED | HIDDEN:
            return [rule for rule in rules if (len(cells[rule]) == 1) == (name in NAKED)]
        ways = [[rule] for rule in rules]
        if name in FISHES:
            ways = [[rule for rule in rules if len({cell[axis] for cell in cells[rule]}) == 1] for axis in (0, 1)]
        out = set(map(abs, conclusions))
        return next(way for way in ways if not any(board.rules[rule].atoms & out for rule in way))

    def _naked(self, base: Sequence[int], cover: Sequence[int], known: Mapping[int, bool]) -> str:
        """Return what some cells hold, after the units that hold it once: " in box 2: rows 2 and 3 of column 6 are"."""
        board = self._ground
        left: dict[Cell, list[int]] = {}
        for atom in sorted(atom for rule in base for atom in board.rules[rule].atoms - known.keys()):
            left.setdefault(board.cells[atom], []).append(atom)
        held = {cell: listing([self._words.name(atom)[0] for atom in atoms]) for cell, atoms in sorted(left.items())}
        clauses = merged(f"{at(cell)} is {values}" for cell, values in held.items())
        units = self._units(cover)
        if not units:
            return f": {', and '.join([*clauses, *self._sentences.merged_clauses(cover)])}"
        told = len(units) == 1 and all(_within(units[0], clause) for clause in clauses)
        return f"{'' if told else f' in {_listed(units)}'}: {', and '.join(clauses)}"

    def _units(self, rules: Sequence[int]) -> list[str]:
        """Return the units of rules; none if a rule has none."""
        units = list(dict.fromkeys(map(self._sentences.unit_of_value, rules)))
        return units if all(units) else []


def _within(unit: str, clause: str) -> bool:
    """Return whether a clause names the cells of a row or column by it: "row 2, columns 3 and 5 are 3 or 4"."""
    return bool(re.match(rf"{unit}, |row \d+, {unit} |rows [^;]* of {unit} ", clause))


def _listed(units: Sequence[str]) -> str:
    """Return units in a list: "rows 2 and 7", "column 3 and box 4"."""
    names = [unit.rpartition(" ") for unit in units]
    if len(units) > 1 and len({noun for noun, _, _ in names}) == 1:
        return f"{names[0][0]}s {listing([number for _, _, number in names], 'and')}"
    return listing(units, "and")
