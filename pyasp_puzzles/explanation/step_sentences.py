"""The sentences of the steps of an explanation: by their names, as chains, or as what their rules demand.

Base        the rules that leave few candidates: "row 2 holds 4 once"
Cover       the rules that allow each of these once, and so exclude others: "column 3 holds 4 once"
End         the candidates at one side of a rule of a chain: one side holds, and excludes the near side of the next rule

The sentence of a step with a name begins with it: "X-wing: 4 in rows 2 and 7 can ...".
"""

from __future__ import annotations

from collections import Counter
from itertools import chain as chained
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.grid import grouped
from pyasp_puzzles.boards.spans import (
    as_sentence,
    marked,
    marked_again,
    marked_cell,
    marked_cells,
    marked_units,
    marked_value,
    unmarked,
)
from pyasp_puzzles.errors import listing
from pyasp_puzzles.explanation.chains import LinkWords, StatedLinks, chain
from pyasp_puzzles.explanation.global_rules import global_rules
from pyasp_puzzles.explanation.reasons import reason_clause
from pyasp_puzzles.explanation.sentences import article_in_sentence, premises
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles import wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.chains import Chain
    from pyasp_puzzles.explanation.patterns import (
        Pattern,
        PatternLink,
        PatternRule,
        PatternStructure,
    )
    from pyasp_puzzles.explanation.reasons import ChosenReasons, ReasonClause
    from pyasp_puzzles.explanation.sentences import Sentences
    from pyasp_puzzles.queries.words import Words

# -- The sentences of named steps of several rules -----------------------------------------------------------------

# The forms of names whose sentence states base and cover.
_COVERED = {"naked", "hidden", "cover", "fins"}

End = frozenset[int]


class NamedSteps:
    """The sentences of the named steps of one board."""

    def __init__(self, sentences: Sentences, words: Words) -> None:
        self._sentences, self._words, self._ground = sentences, words, words.ground
        self._number = {rule.guard: number for number, rule in enumerate(words.ground.rules)}

    def sentence(
        self,
        pattern: Pattern,
        rules: Sequence[int],
        known: Mapping[int, bool],
        conclusions: Sequence[int],
        whys: Mapping[int, Sequence[ReasonClause]],
    ) -> tuple[str, StatedLinks | None]:
        """Return the sentence of a step by its pattern, without its capital and its full stop; empty if none fits.

        A long one has its links in a list.

        Args:
            pattern: its name and its shape.
            rules: the rules of the step, by index.
            known: the known atoms of these rules that the step needs.
            conclusions: the literals that follow.
            whys: what rules out the candidates of each rule.
        """
        name, form, structure, chain, links = pattern
        if structure is None:
            return "", None
        why = ""
        excluding: list[PatternRule] = []
        if form == "naked":
            why = f"{self._naked(*self._divided(structure, rules), known)}, so "
        elif form in _COVERED:
            why = f": {self._covered(form, structure, *self._divided(structure, rules), known, whys)}"
            excluding = [link.part for link in structure.links if form == "fins" and not link.part.axis]
        elif form == "bent":
            why = f": {self._bent(structure)}, so "
            excluding = [link.part for link in structure.links if link.atoms & structure.out]
        elif form == "chain" and (steps := self._chain(pattern)):
            why = f": {steps}"
            excluding = [link.part for link in (*links[:1], *links[-1:]) if link.atoms & structure.out]
            if _places(pattern):
                excluding = [links[-1].part, chain[-1]]
        by = self._by_parts(excluding)
        text = f"{name}{why}{self._sentences.conclusions(conclusions)}{by}" if why else ""
        if not text or form in _COVERED or spans.length(text) < Limits.LONGEST_STEP:
            return text, None
        # The list has what the last of them demands, or the rules of a loop.
        by = self._by_parts(() if structure.closed or _places(pattern) else excluding[:-1])
        return self._listed(pattern, conclusions, by)

    def _divided(self, structure: PatternStructure, rules: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the rules of the base and those of the cover, by index."""
        guards = {part.rule.guard for part in structure.base}
        base = [rule for rule in rules if self._ground.rules[rule].guard in guards]
        return base, [rule for rule in rules if rule not in base]

    # -- Base and cover ----------------------------------------------------------------

    def _covered(  # noqa: PLR0917 (what `sentence` has)
        self,
        form: str,
        structure: PatternStructure,
        base: Sequence[int],
        cover: Sequence[int],
        known: Mapping[int, bool],
        whys: Mapping[int, Sequence[ReasonClause]],
    ) -> str:
        """Return what the base leaves and the cover allows, up to what follows."""
        left = frozenset().union(*(part.rule.atoms for part in structure.base)) - known.keys()
        values = listing(map(marked_value, dict.fromkeys(self._values(sorted(left)))), "and")
        units = self._units(base)
        hidden, finned = form == "hidden", form == "fins"
        lines = [link for link in structure.links if link.part.axis or not finned]
        cells = marked_cells(self._cells(left), "and" if hidden else "or", list(map(unmarked, units)))
        guards = {link.part.rule.guard for link in lines}
        covering = [rule for rule in cover if self._ground.rules[rule].guard in guards]
        covers = self._units(covering) if not hidden else []
        text = f"{values} in {marked_units(units)} can only be in {marked_units(covers) if covers else cells}"
        if not units:
            text = "; ".join(self._sentences.merged_clauses(base, known))
            if covers and not all(self._sentences.clause(rule, known)[1] for rule in base):
                text = f"{text}; there, {values} can only be in {marked_units(covers)}"
        if finned:
            fins = (
                frozenset().union(*(part.open for part in structure.base)).difference(*(link.atoms for link in lines))
            )
            return f"{text}, or in {marked_cells(self._cells(fins), 'or')}; either way, "
        why = reason_clause(whys[base[0]], Limits.LONGEST_SENTENCE // 2) if len(base) == 1 else ""
        others = [] if covers or hidden else self._sentences.merged_clauses(cover)
        return ", ".join([f"{text}{why}", *(f"and {clause}" for clause in others), "so "])

    def _naked(self, base: Sequence[int], cover: Sequence[int], known: Mapping[int, bool]) -> str:
        """Return what some cells hold, after the units that hold it once: " in box 2: rows 2 and 3 of column 6 are"."""
        board = self._ground
        atoms = sorted(atom for rule in base for atom in board.rules[rule].atoms - known.keys())
        left = grouped((board.cells[atom], atom) for atom in atoms)
        held = grouped(
            (listing(map(marked_value, self._values(cell_atoms))), cell) for cell, cell_atoms in sorted(left.items())
        )
        clauses = [f"{marked_cells(cells)} {'are' if cells[1:] else 'is'} {values}" for values, cells in held.items()]
        units = self._units(cover)
        if not units:
            return f": {', and '.join([*clauses, *self._sentences.merged_clauses(cover)])}"
        return f" in {marked_units(units)}: {premises(clauses)}"

    def _units(self, rules: Sequence[int]) -> list[str]:
        """Return the units of rules; none if a rule has none."""
        units = list(dict.fromkeys(map(self._sentences.unit_of_value, rules)))
        return units if all(units) else []

    def _bent(self, structure: PatternStructure) -> str:
        """Return that of as many numbers as cells all but one can be there once, so that one cell has that one."""
        often = Counter(str(value) for link in structure.links for value in link.values)
        [(twice, _)], every = often.most_common(1), sorted(often, key=_in_order)
        cells = marked_cells(self._cells(atom for part in structure.base for atom in part.open))
        others, numbers = listing([value for value in every if value != twice], "and"), listing(every, "and")
        by = self._by_parts(link.part for link in structure.links if not link.atoms & structure.out)
        return f"{cells} have only {numbers} left, and {others} can be there once each{by}, so one of them is {twice}"

    # -- Chains ------------------------------------------------------------------------

    def _chain(self, pattern: Pattern) -> str:
        """Return why something follows from a chain, up to what follows; empty if that is hard to say."""
        structure, ends = pattern.structure, self._ends(pattern)
        if structure is None or not ends or not all(map(self._held, chained(*ends))):
            return ""
        if _places(pattern):
            *steps, _ = self._steps(pattern, ends)
            return f"{_in_turn([self._held(ends[0][0], holds=False), *steps])}, so after all, "
        if structure.closed:
            either, other = (self._together([end[side] for end in ends]) for side in (0, 1))
            by = self._by_parts([*pattern.chain, *(link.part for link in pattern.links)])
            return f"either {either}, or {other}{by}; either way, "
        if len(ends) == len(("first", "pivot", "last")) and all(part.of_cell for part in pattern.chain):
            (first, _), (near, far), (_, last) = ends
            ways = zip((near, far), (first, last), _joining(pattern), strict=True)
            clauses = (
                f"if it is {self._value(value)}, {self._held(end)}{self._by_parts([link.part])}"
                for value, end, link in ways
            )
            return f"{'; '.join([self._held(near | far), *clauses])}; so "
        steps = [self._held(ends[0][0], holds=False), *self._steps(pattern, ends)]
        return f"{_in_turn(steps)}; either way, "

    def _ends(self, pattern: Pattern) -> list[tuple[End, End]]:
        """Return the two ends of each rule of a chain, one of which holds; none if there is no chain."""
        _, _, structure, chain, links = pattern
        if structure is None or not chain:
            return []
        if _places(pattern):
            often = Counter(atom for part in chain for atom in part.open)
            placed = frozenset(atom for atom in chain[0].open if often[atom] > 1)
            inner = [_ends(part, *pair) for part, pair in zip(chain[1:-1], pairwise(links), strict=True)]
            return [(placed, chain[0].open - placed), *inner, (chain[-1].open - placed, placed)]
        around = [links[-1], *links] if structure.closed else links
        return [_ends(part, *pair) for part, pair in zip(chain, pairwise(around), strict=True)]

    def _steps(self, pattern: Pattern, ends: Sequence[tuple[End, End]]) -> list[str]:
        """Return, rule by rule, what follows in a chain if the near end does not hold."""
        before = [(), *((link.part,) for link in _joining(pattern))]
        rules = zip(pattern.chain, ends, before, strict=True)
        return [f"{self._held(far)}{self._by_parts([*parts, part])}" for part, (_, far), parts in rules]

    def _listed(self, pattern: Pattern, conclusions: Sequence[int], by: str) -> tuple[str, StatedLinks]:
        """Return the sentence of a long chain, given the rules at its end, and its links as a list."""
        name, _, structure, chain, links = pattern
        ends, joining = self._ends(pattern), _joining(pattern)
        (near, _), (_, far) = ends[0], ends[-1]
        concluded = self._sentences.conclusions(conclusions)
        ring = structure is not None and structure.closed
        listed = [self._words.link(f"suppose that {self._held(near, holds=False)}", (), [-atom for atom in near])]
        after = links if ring else [*joining, *links[len(chain) :]]
        for i, (part, (end, other)) in enumerate(zip(chain, ends, strict=True)):
            link = after[i] if i < len(after) else None
            parts = [part, *([] if link is None else [link.part])]
            # A loop leads back to its first end.
            last = i + 1 == len(chain) and not ring
            then = conclusions if last else [-atom for atom in ends[(i + 1) % len(chain)][0]]
            if ring:
                text = (
                    f"{self._held(end)}, or {spans.with_it(self._held(end), self._held(other))}{self._by_parts(parts)}"
                )
            else:
                result = concluded if last else self._held(ends[i + 1][0], holds=False)
                steps = [] if i else [self._held(near, holds=False)]
                steps.append(f"{self._held(other)}{self._by_parts([part])}")
                steps += [f"{result}{self._by_parts([link.part])}"] if link is not None else []
                text = ", so ".join(_with_it(steps)) if i else _in_turn(steps)
            placed = [*other] if len(other) == 1 else []
            literals = [*placed, *(literal for literal in then if literal not in placed)]
            listed.append(self._words.link(text, self._numbers(parts), literals, (len(listed) - 1,)))
        if ring:
            summary = "either the first part of each line holds, or the second part of each; either way, "
        elif _places(pattern):
            not_held, held = self._held(near, holds=False), self._held(near)
            summary = f"if {not_held}, it follows that {spans.with_it(held, held)}, so "
        else:
            summary = f"{self._held(near)}, or {self._held(far)}, so "
        atoms = frozenset().union(*(part.open for part in chain))
        room = Limits.LONGEST_STEP - spans.length(f"{name}: {summary}{by}.")
        concluded = self._sentences.conclusions(conclusions, longest=room)
        return f"{name}: {summary}{concluded}{by}", StatedLinks(tuple(listed), dict.fromkeys(atoms, True))

    def _by_parts(self, parts: Iterable[PatternRule]) -> str:
        """Return the rules with some shapes in parentheses."""
        return self._sentences.by(self._numbers(parts))

    def _numbers(self, parts: Iterable[PatternRule]) -> list[int]:
        return [self._number[part.rule.guard] for part in parts]

    # -- Candidates ----------------------------------------------------------------------

    def _cells(self, atoms: Iterable[int]) -> list[Cell]:
        return [self._ground.cells[atom] for atom in atoms]

    def _values(self, atoms: Iterable[int]) -> list[str]:
        return [self._words.name(atom)[0] for atom in atoms]

    def _value(self, atoms: Iterable[int]) -> str:
        """Return the values of candidates: "3 or 4"."""
        return listing(map(marked_value, sorted({*self._values(atoms)}, key=_in_order)))

    def _held(self, end: End, *, holds: bool = True) -> str:
        """Return that one of some candidates holds, or none of them; empty if they differ in their cells and values."""
        cells, values = {*self._cells(end)}, {self._ground.values[atom] for atom in end}
        no = "" if holds else "not "
        if len(cells) == 1:
            return f"{marked_cell(min(cells))} is {no}{self._value(end)}"
        return f"{self._value(end)} is {no}in {marked_cells(cells, 'or')}" if len(values) == 1 else ""

    def _together(self, ends: Sequence[End]) -> str:
        """Return that one of each end holds: "row 1, column 2 is 4, and row 5, columns 3 and 7 are 6"."""
        if all(len(end) == 1 for end in ends):
            return self._sentences.conclusions([atom for end in ends for atom in end])
        return ", and ".join(map(self._held, ends))


def _with_it(texts: Sequence[str]) -> list[str]:
    """Return texts; each says "it" if it begins with the same cell as the one before."""
    return [*texts[:1], *(spans.with_it(before, text) for before, text in pairwise(texts))]


def _in_turn(texts: Sequence[str]) -> str:
    """Return what follows from the first of some texts: "if row 1, column 2 is 3, it is ..., so ..."."""
    first, second, *others = _with_it(texts)
    return ", so ".join([f"if {first}, {second}", *others])


def _places(pattern: Pattern) -> bool:
    """Return whether a chain leads back to its first candidate, which then holds."""
    return len(pattern.links) < len(pattern.chain)


def _joining(pattern: Pattern) -> Sequence[PatternLink]:
    """Return the links between the rules of a chain, in order; of a ring, all but the last."""
    if _places(pattern):
        return pattern.links
    ring = pattern.structure is not None and pattern.structure.closed
    return pattern.links[:-1] if ring else pattern.links[1:-1]


def _in_order(name: str) -> tuple[int, str]:
    """Return the sort key of the name of a value: numbers by their size."""
    return len(name), name


def _ends(part: PatternRule, before: PatternLink, after: PatternLink) -> tuple[End, End]:
    """Return the candidates of a rule that the link before it excludes, and those that the link after it does."""
    near, far = part.open - after.atoms, part.open - before.atoms
    return (near, part.open - near) if near else (part.open - far, far)


# -- The sentences of the steps of an explanation ------------------------------------------------------------------


class StepSentences:
    """The sentences for the steps of one board, built from those about its rules."""

    def __init__(self, sentences: Sentences, words: Words, *, two_valued: bool) -> None:
        self._sentences, self._words, self._ground = sentences, words, words.ground
        self._named = NamedSteps(sentences, words)
        # The searches that find the steps are not asked: their answers depend on earlier questions, so a grade, which
        # is found without sentences, could differ from the steps.
        self._global_rules = global_rules(words.ground)
        self._chains = LinkWords(sentences, words, two_valued=two_valued, global_rules=self._global_rules)

    def step(
        self,
        rules: Sequence[int],
        known: Mapping[int, bool],
        conclusions: Sequence[int],
        chosen: ChosenReasons,
        pattern: Pattern,
        *,
        board: Mapping[int, bool],
    ) -> tuple[str, StatedLinks | None]:
        """Return the sentence of a step, and its links: those that refute its first conclusion's opposite, or others.

        Args:
            rules: the rules, by index.
            known: the known atoms of these rules that the step needs.
            conclusions: the literals that follow; none if the rules cannot hold together.
            chosen: why candidates are ruled out; the reasons for the sentence are chosen from it.
            pattern: the name and the shape of the step.
            board: all atoms known before the step.
        """
        whys, name = {rule: chosen.clauses(rule) for rule in rules}, pattern.name
        needs = self._sentences.needs(rules, conclusions)
        if needs is not None:
            rule, parts = needs
            [atom] = conclusions
            filled = {"here": marked_cell(self._ground.cells[atom]), "this": self._words.name(atom)[0]}
            text = wording.phrase(parts, self._words.called, filled) + (
                f", {article_in_sentence(name)}" if name else ""
            )
            return as_sentence(text + reason_clause(whys[rule], Limits.LONGEST_SENTENCE - spans.length(text))), None
        named, listed = self._named.sentence(pattern, rules, known, conclusions, whys)
        if named:
            return as_sentence(named), listed
        refuted = self._refuted(rules, known, conclusions, board)
        if refuted is not None:
            return self._chains.sentence(refuted, known, conclusions[1:], name)
        if conclusions:
            return self._sentences.listing(rules, known, conclusions, whys, name), None
        return self._sentences.failing(rules, known, whys), None

    def _refuted(
        self, rules: Sequence[int], known: Mapping[int, bool], conclusions: Sequence[int], board: Mapping[int, bool]
    ) -> Chain | None:
        """Return the proof that refutes the first conclusion's opposite, if the sentence of a step is to state it."""
        if not rules or (len(rules) == 1 and rules[0] not in self._global_rules):
            return None
        supposed = -conclusions[0] if conclusions else None
        refutation = chain(self._ground, self._global_rules, rules, known, supposed, board=board)
        if refutation is None or refutation.cut:
            return refutation
        return refutation if len(rules) > 1 and self._chains.tells_more(refutation, rules, known) else None

    def why(
        self,
        known: Mapping[int, bool],
        chosen: ChosenReasons,
        steps: Mapping[int, int],
        stated: StatedLinks | None,
    ) -> Iterator[str]:
        """Yield lines: the links of the proof that are not listed, and what rules out each candidate."""
        board = self._ground
        if stated is not None and not stated.listed:
            yield from (marked_again(link.words) for link in stated.links[1:])

        def reason(atom: int) -> str:
            if known[atom] or atom not in chosen.by:
                return f"by step {steps[atom]}" if atom in steps else ""
            rule, by = chosen.by[atom]
            if board.cells[by] == board.cells[atom]:
                return f"{self._words.name(by)[0]} is there"
            said = marked(self._words.rule(board.rules[rule]), rule=str(board.rules[rule].name))
            return f"{self._words.entry(by)}; {said}"

        atoms = sorted(known, key=lambda atom: (not known[atom], unmarked(reason(atom)), board.cells[atom]))
        for text, group in groupby(atoms, key=reason):
            literals = [atom if known[atom] else -atom for atom in group]
            yield as_sentence(f"{self._sentences.conclusions(literals)}{': ' if text else ''}{text}")
