"""The sentences of steps of several rules that have a name, as people say them: "X-wing: 4 in rows 2 and 7 can ...".

Base   the rules that leave few candidates: "row 2 holds 4 once"
Cover  the rules that allow each of these once, and so exclude others: "column 3 holds 4 once"
End    the candidates at one side of a rule of a chain: one side holds, and excludes the next rule's near side
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.spans import place, places, plain, renamed, sentence
from pyasp_puzzles.errors import listing
from pyasp_puzzles.explanation.clauses import merged
from pyasp_puzzles.explanation.names import FISH, SIZES, needs_just_one
from pyasp_puzzles.explanation.reasons import because
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.names import Link, Part, Pattern, Structure
    from pyasp_puzzles.explanation.reasons import Clause
    from pyasp_puzzles.explanation.sentences import Sentences
    from pyasp_puzzles.explanation.words import Words


NAKED = frozenset(f"{how} {size}" for how in ("naked", "locked") for size in SIZES.values())
HIDDEN = frozenset(f"hidden {size}" for size in SIZES.values())
LOCKED = frozenset({"pointing", "claiming", "locked candidates"})
FISHES = frozenset(f"{kind}{fish}" for kind in ("", "Franken ", "finned ") for fish in FISH.values())
# The names of steps that are told by base and cover.
TOLD = NAKED | HIDDEN | LOCKED | FISHES
# The names of chains that begin and end in places of one number, and have one link between two places.
TWO_PLACES = frozenset({"skyscraper", "two-string kite", "turbot fish"})
BENT = frozenset({"XYZ-wing", "WXYZ-wing"})

End = frozenset[int]


class NamedSteps:
    """The sentences of the named steps of one board."""

    def __init__(self, sentences: Sentences, words: Words) -> None:
        self._sentences, self._words, self._ground = sentences, words, words.ground

    def sentence(
        self,
        pattern: Pattern,
        rules: Sequence[int],
        known: Mapping[int, bool],
        conclusions: Sequence[int],
        whys: Mapping[int, Sequence[Clause]],
    ) -> str:
        """Return the sentence of a step by its pattern, without its capital and its full stop; empty if none fits.

        Args:
            pattern: its name and its shape.
            rules: the rules of the step, by their numbers.
            known: the known atoms of these rules that the step needs.
            conclusions: the literals that follow.
            whys: what rules out the candidates of each rule.
        """
        name, structure = pattern.name, pattern.structure
        if structure is None:
            return ""
        units = {self._ground.rules[rule].guard: self._sentences.unit_of_value(rule) for rule in rules}
        excluding: list[Link] = []
        if name in NAKED:
            why = f"{self._naked(*self._divided(structure, rules), known)}, so "
        elif name in TOLD:
            why = f": {self._covered(name, structure, *self._divided(structure, rules), known, whys)}"
            excluding = [one for one in structure.links if name.startswith("finned") and not one.part.axis]
        elif name in BENT:
            why = f": {self._bent(structure, units)}, so "
        else:
            why = f": {chain}" if (chain := self._chain(pattern, units)) else ""
            excluding = [one for one in (*pattern.links[:1], *pattern.links[-1:]) if one.atoms & structure.out]
        by = _by(units, *(one.part for one in excluding))
        return f"{name}{why}{self._sentences.conclusions(conclusions)}{by}" if why else ""

    def _divided(self, structure: Structure, rules: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the rules of the base and those of the cover, by their numbers."""
        guards = {part.rule.guard for part in structure.base}
        base = [rule for rule in rules if self._ground.rules[rule].guard in guards]
        return base, [rule for rule in rules if rule not in base]

    # -- Base and cover ----------------------------------------------------------------

    def _covered(  # noqa: PLR0917 (what `sentence` has)
        self,
        name: str,
        structure: Structure,
        base: Sequence[int],
        cover: Sequence[int],
        known: Mapping[int, bool],
        whys: Mapping[int, Sequence[Clause]],
    ) -> str:
        """Return what the base leaves and the cover allows, up to what follows."""
        left = frozenset().union(*(part.rule.atoms for part in structure.base)) - known.keys()
        values = listing(dict.fromkeys(self._words.name(atom)[0] for atom in sorted(left)), "and")
        units = self._units(base)
        finned = name.startswith("finned")
        lines = [link for link in structure.links if link.part.axis or not finned]
        cells = places(self._cells(left), "and" if name in HIDDEN else "or", list(map(plain, units)))
        guards = {link.part.rule.guard for link in lines}
        covering = [rule for rule in cover if self._ground.rules[rule].guard in guards]
        covers = self._units(covering) if name not in HIDDEN else []
        told = f"{values} in {_listed(units)} can only be in {_listed(covers) if covers else cells}"
        if not units:
            told = "; ".join(self._sentences.merged_clauses(base, known))
        if finned:
            fins = frozenset().union(*(part.open for part in structure.base)).difference(*(one.atoms for one in lines))
            return f"{told}, or in {places(self._cells(fins), 'or')}; either way, "
        why = because(whys[base[0]], Limits.LONGEST_SENTENCE // 2) if len(base) == 1 else ""
        others = [] if covers or name in HIDDEN else self._sentences.merged_clauses(cover)
        return ", ".join([f"{told}{why}", *(f"and {clause}" for clause in others), "so "])

    def _naked(self, base: Sequence[int], cover: Sequence[int], known: Mapping[int, bool]) -> str:
        """Return what some cells hold, after the units that hold it once: " in box 2: rows 2 and 3 of column 6 are"."""
        board = self._ground
        left: dict[Cell, list[int]] = {}
        for atom in sorted(atom for rule in base for atom in board.rules[rule].atoms - known.keys()):
            left.setdefault(board.cells[atom], []).append(atom)
        held = {cell: listing([self._words.name(atom)[0] for atom in atoms]) for cell, atoms in sorted(left.items())}
        clauses = merged(f"{place(cell)} is {values}" for cell, values in held.items())
        units = self._units(cover)
        if not units:
            return f": {', and '.join([*clauses, *self._sentences.merged_clauses(cover)])}"
        told = len(units) == 1 and all(_within(plain(units[0]), clause) for clause in clauses)
        return f"{'' if told else f' in {_listed(units)}'}: {(', and ' if len(clauses) < 3 else '; ').join(clauses)}"

    def _units(self, rules: Sequence[int]) -> list[str]:
        """Return the units of rules; none if a rule has none."""
        units = list(dict.fromkeys(map(self._sentences.unit_of_value, rules)))
        return units if all(units) else []

    def _bent(self, structure: Structure, units: Mapping[int, str]) -> str:
        """Return that of as many numbers as cells all but one can be there once, so that one cell has that one."""
        often = Counter(value for link in structure.links for value in link.values)
        [(twice, _)] = often.most_common(1)
        cells = places(self._cells(atom for part in structure.base for atom in part.open))
        every = sorted(often, key=lambda value: (len(str(value)), str(value)))
        others = listing([str(value) for value in every if value != twice], "and")
        numbers = listing(map(str, every), "and")
        by = _by(units, *(link.part for link in structure.links))
        return f"{cells} have only {numbers} left, and {others} can be there once each{by}, so one of them is {twice}"

    # -- Chains ------------------------------------------------------------------------

    def _chain(self, pattern: Pattern, units: Mapping[int, str]) -> str:
        """Return why something follows from a chain, up to what follows; empty if that is hard to say."""
        _, structure, chain, links = pattern
        parts = [*chain, *(link.part for link in links)]
        if structure is None or not all(units[part.rule.guard] or part.of_cell for part in parts):
            return ""
        if len(links) < len(chain):
            return self._placing(pattern, units)
        around = [links[-1], *links] if structure.closed else links
        ends = [_ends(part, *pair) for part, pair in zip(chain, pairwise(around), strict=True)]
        told = all(near and far and self._held(near) and self._held(far) for near, far in ends)
        return self._excluding(pattern, ends, units, ring=structure.closed) if told and ends else ""

    def _excluding(
        self, pattern: Pattern, ends: Sequence[tuple[End, End]], units: Mapping[int, str], *, ring: bool
    ) -> str:
        """Return the same of a chain that excludes something, given the two ends of each of its rules."""
        name, _, chain, links = pattern
        inner, own = links[1:-1], self._value(ends[1][0])
        colored = name == "simple coloring" and all(map(needs_just_one, [*chain, *(link.part for link in inner)]))
        if colored or ring:
            either, other = (self._together([end[side] for end in ends]) for side in (0, 1))
            by = _by(units, *chain, *(link.part for link in (links if ring else inner)))
            return f"either {either}, or {other}{by}; either way, "
        if name == "XY-wing":
            return self._from_pivot(ends, links, units)
        last = (
            f"so {' or '.join(map(place, self._cells([*ends[0][0], *ends[-1][1]])))} is {self._value(ends[0][0])}, so "
        )
        if name in TWO_PLACES:
            first, second = (units[part.rule.guard] for part in chain)
            joined = units[inner[0].part.rule.guard]
            return f"{own} has two places in {first} and two in {second}, and one of each is in {joined}, {last}"
        if name == "W-wing":
            cells, pair = places(self._cells(chain[0].open | chain[2].open)), self._value(chain[0].open)
            unit = units[chain[1].rule.guard]
            by = _by(units, *(link.part for link in inner))
            return f"{cells} are {pair} each; wherever {unit} has its {own}, one of them is not {own}{by}, {last}"
        steps = [f"if {self._held(ends[0][0], holds=False)}, {self._held(ends[0][1])}{_by(units, chain[0])}"]
        for part, link, (_, far) in zip(chain[1:], inner, ends[1:], strict=True):
            steps.append(f"{self._held(far)}{_by(units, link.part, part)}")
        return f"{', so '.join(steps)}; either way, "

    def _from_pivot(self, ends: Sequence[tuple[End, End]], links: Sequence[Link], units: Mapping[int, str]) -> str:
        """Return what follows from either value of the middle one of three cells."""
        (first, _), (near, far), (_, last) = ends
        ways = [
            f"if it is {self._value(value)}, {self._held(pincer)}{_by(units, link.part)}"
            for value, pincer, link in ((near, first, links[1]), (far, last, links[2]))
        ]
        return f"{self._held(near | far)}; {'; '.join(ways)}; so "

    def _placing(self, pattern: Pattern, units: Mapping[int, str]) -> str:
        """Return the same of a chain that leads from "it is not" to "it is"."""
        _, _, chain, links = pattern
        often = Counter(atom for part in chain for atom in part.open)
        placed = frozenset(atom for atom in chain[0].open if often[atom] > 1)
        held = [self._held(chain[0].open - placed)]
        by = [_by(units, chain[0])]
        for part, link in zip(chain[1:-1], links, strict=False):
            held.append(self._held(part.open - link.atoms))
            by.append(_by(units, link.part, part))
        if not all(held):
            return ""
        steps = ", so ".join(f"{words}{why}" for words, why in zip(held, by, strict=True))
        after = _by(units, links[-1].part, chain[-1])
        return f"if {self._held(placed, holds=False)}, {steps}, so it is after all{after}; so "

    def _cells(self, atoms: Iterable[int]) -> list[Cell]:
        return [self._ground.cells[atom] for atom in atoms]

    def _value(self, atoms: Iterable[int]) -> str:
        """Return the values of candidates: "3 or 4"."""
        return listing(sorted({self._words.name(atom)[0] for atom in atoms}, key=lambda name: (len(name), name)))

    def _held(self, end: End, *, holds: bool = True) -> str:
        """Return that one of some candidates holds, or none of them; empty if they differ in their cells and values."""
        cells, values = {*self._cells(end)}, {self._ground.values[atom] for atom in end}
        no = "" if holds else "not "
        if len(cells) == 1:
            return f"{place(min(cells))} is {no}{self._value(end)}"
        return f"{self._value(end)} is {no}in {places(cells, 'or')}" if len(values) == 1 else ""

    def _together(self, ends: Sequence[End]) -> str:
        """Return that one of each end holds: "row 1, column 2 is 4, and row 5, columns 3 and 7 are 6"."""
        if all(len(end) == 1 for end in ends):
            return self._sentences.conclusions([atom for end in ends for atom in end])
        return ", and ".join(map(self._held, ends))


def _ends(part: Part, before: Link, after: Link) -> tuple[End, End]:
    """Return the candidates of a rule that the link before it excludes, and those that the link after it does."""
    near, far = part.open - after.atoms, part.open - before.atoms
    return (near, part.open - near) if near else (part.open - far, far)


def _by(units: Mapping[int, str], *parts: Part) -> str:
    """Return the units of some rules in parentheses; rules about a cell go without saying."""
    found = dict.fromkeys(filter(None, (units[part.rule.guard] for part in parts)))
    return f" ({', '.join(found)})" if found else ""


def _within(unit: str, clause: str) -> bool:
    """Return whether a clause names the cells of a row or column by it: "row 2, columns 3 and 5 are 3 or 4"."""
    first = sentence(clause).spans[0].text
    return first.startswith(f"{unit}, ") or first.endswith((f", {unit}", f" of {unit}"))


def _listed(units: Sequence[str]) -> str:
    """Return units in a list: "rows 2 and 7", "column 3 and box 4"."""
    names = [plain(unit).rpartition(" ") for unit in units]
    if len(units) > 1 and len({noun for noun, _, _ in names}) == 1:
        return renamed(f"{names[0][0]}s {listing([number for _, _, number in names], 'and')}", *units)
    return listing(units, "and")
