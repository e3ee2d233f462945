"""The sentences of an explanation, put together from the words of an encoding."""

from __future__ import annotations

from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import at, places
from pyasp_puzzles.errors import first_of, listing
from pyasp_puzzles.explanation.propagation import refutation
from pyasp_puzzles.explanation.reasons import FILLED, because
from pyasp_puzzles.explanation.words import line_of
from pyasp_puzzles.puzzles.wording import cells_of, joined, phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.ground_rules import Rule
    from pyasp_puzzles.explanation.propagation import Inference, Refutation
    from pyasp_puzzles.explanation.reasons import Chosen
    from pyasp_puzzles.explanation.words import Words


# Rules that the sentence of a step names; the others are counted.
MOST_CLAUSES = 6
# Rules that the sentence of a contradiction names; the others are counted.
MOST_CONFLICTING = 30
# Values of one cell that are listed; the others are counted.
MOST_VALUES = 6
# Conclusions that are listed, each with all its cells; the others are counted.
MOST_CONCLUSIONS = 5
# Open atoms of a rule that are listed; with more, the sentence states the rule itself.
MOST_LEFT = 5
# Consequences of a supposition that a sentence lists; the others are counted.
MOST_SUPPOSED = 6
# Characters of a sentence with its reason. If it would be longer, the reason is cut short or left out.
LONGEST = 200
# Places to look at that are named.
MOST_LOOKED_AT = 3
PLURALS = {"is": "are", "holds": "hold", "has": "have"}


class Sentences:
    """The sentences for the steps of one board."""

    def __init__(self, words: Words, *, two_valued: bool) -> None:
        self._words = words
        self._board = words.board
        self._two_valued = two_valued

    def step(
        self,
        rules: Sequence[int],
        known: Mapping[int, bool],
        conclusions: Sequence[int],
        chosen: Chosen,
        *,
        name: str,
        refuted: Sequence[Refutation],
    ) -> str:
        """Return the sentence of a step.

        Args:
            rules: the rules, by their numbers.
            known: the known atoms of these rules that the step needs.
            conclusions: the literals that follow; none if the rules cannot hold together.
            chosen: why candidates are ruled out; the reasons for the sentence are chosen from it.
            name: what people call such a step; may be empty.
            refuted: how the opposites of its conclusions are refuted, if the sentence is to say so.
        """
        whys = {rule: chosen.clauses(rule) for rule in rules}
        if len(rules) == 1 and len(conclusions) == 1 and conclusions[0] > 0:
            [rule], [atom] = rules, conclusions
            needs = self._words.of("needs").get(self._board.rules[rule].name)
            if needs is not None:
                filled = {"here": at(self._board.cells[atom]), "this": self._words.name(atom)[0]}
                text = phrase(needs, self._words.called, filled) + (f", {_article(name)}" if name else "")
                return as_sentence(text + because(whys[rule], LONGEST - len(text)))
        if refuted:
            return self._supposition(refuted)
        found = {rule: self._clause(rule, known) for rule in rules}
        base = sorted(rules, key=lambda rule: not found[rule][1])
        texts = {rule: found[rule][0] for rule in base}
        clauses = _merged(texts.values()) or ["a rule without a name"]
        if len(clauses) > MOST_CLAUSES:
            more = len(clauses) - MOST_CLAUSES
            clauses[MOST_CLAUSES:] = [f"and {more} rules more" if more > 1 else "and one rule more"]
        if not conclusions:
            end = "this contradicts the clues" if len(clauses) == 1 else "together, this contradicts the clues"
        else:
            end = f"{f'{_article(name)}, ' if name else ''}so {self._conclusions(conclusions)}"
        sentence = f"{'; '.join(clauses)}: {end}"
        if self._two_valued:
            why = f", because {self._conclusions(atom if value else -atom for atom, value in known.items())}"
            return as_sentence(sentence + (why if known and len(sentence + why) <= LONGEST else ""))
        for rule in base:
            why = because([clause for clause in whys[rule] if clause is not FILLED], LONGEST - len(sentence))
            if why:
                texts[rule] = f"{texts[rule]}{why}"
                sentence = f"{'; '.join(_merged(texts.values()))}: {end}" if len(texts) <= MOST_CLAUSES else sentence
        return as_sentence(sentence)

    def refuted(self, rules: Sequence[int], known: Mapping[int, bool], conclusions: Sequence[int]) -> list[Refutation]:
        """Return how the opposite of each conclusion is refuted by values that would follow; nothing if one is not."""
        found = [refutation(self._board, rules, known, -literal) for literal in conclusions]
        named = [one for one in found if one is not None and any(map(self._named, one.inferences))]
        return named if len(named) == len(found) else []

    def _named(self, inference: Inference) -> list[int]:
        """Return the literals of an inference that a sentence names: values, and not what they rule out."""
        return [literal for literal in inference.literals if literal > 0 or self._two_valued]

    def _supposition(self, refuted: Sequence[Refutation]) -> str:
        """Return what would follow from the opposite of the first conclusion."""
        supposed, inferences, failing, known = refuted[0]
        would = [self._conclusions(found, "would be") for one in inferences if (found := self._named(one))]
        would = first_of(would, MOST_SUPPOSED, "more cells would follow")
        would.append(self._words.failing(failing, known, supposed=True))
        others = [-one.supposed for one in refuted[1:]]
        also = f"; in the same way, {self._conclusions(others)}" if others else ""
        return (
            f"If {self._conclusions([supposed], 'were')}: {'; '.join(would)}."
            f" So {self._conclusions([-supposed])}{also}."
        )

    def contradiction(self, rules: Sequence[Rule]) -> str:
        """Return that rules cannot hold together."""
        clauses = [self._words.rule(rule) for rule in rules]
        if len(clauses) > MOST_CONFLICTING:
            clauses[MOST_CONFLICTING:] = [f"and {len(clauses) - MOST_CONFLICTING} more"]
        subject = "This cannot hold" if len(rules) == 1 else f"These {len(rules)} cannot hold together"
        return f"There is no answer. {subject}: {'; '.join(clauses)}."

    def where(self, rules: Sequence[int], conclusions: Iterable[int]) -> str:
        """Return where to look for a step, without what follows."""
        units: dict[str, None] = {}
        cells: set[Cell] = set()
        others: dict[str, None] = {}
        for number in rules:
            unit, _ = self._words.unit(number)
            if unit:
                units[unit] = None
                continue
            rule = self._board.rules[number]
            about, named = {self._board.cells[atom] for atom in rule.atoms}, cells_of(rule.name)
            line = line_of(about, self._words.cells)
            if line:
                units[line] = None
            elif len(about) == 1 or (named and named <= self._words.cells):
                cells |= named if len(about) > 1 else about
            else:
                few = len(about) <= MOST_LOOKED_AT
                others[places(about) if few else f"this rule: {self._words.rule(rule)}"] = None
        looked_at = list(units or ([places(cells)] if cells else others))
        if len(looked_at) > MOST_LOOKED_AT or not looked_at or (not units and len(cells) > MOST_LOOKED_AT):
            looked_at = [places(self._board.cells[abs(literal)] for literal in conclusions)]
        return f"Look at {listing(looked_at, 'and')}."

    def why(
        self,
        known: Mapping[int, bool],
        chosen: Chosen,
        steps: Mapping[int, int],
        refuted: Sequence[Refutation],
    ) -> Iterator[str]:
        """Yield as lines what follows in turn from the first supposition, and what rules out each candidate."""
        board = self._board
        for supposition in refuted[:1]:
            for rule, forced in supposition.inferences:
                yield as_sentence(f"{self._conclusions(forced, 'would be')}: {self._clause(rule, known)[0]}")
            yield as_sentence(f"{self._words.failing(supposition.failing, supposition.known, supposed=True)}")

        def reason(atom: int) -> str:
            if known[atom] or atom not in chosen.by:
                return f"by step {steps[atom]}" if atom in steps else ""
            rule, by = chosen.by[atom]
            if board.cells[by] == board.cells[atom]:
                return f"{self._words.name(by)[0]} is there"
            return f"{self._words.entry(by)}; {self._words.rule(board.rules[rule])}"

        atoms = sorted(known, key=lambda atom: (not known[atom], reason(atom), board.cells[atom]))
        for text, group in groupby(atoms, key=reason):
            literals = [atom if known[atom] else -atom for atom in group]
            yield as_sentence(f"{self._conclusions(literals)}{': ' if text else ''}{text}")

    def _conclusions(self, literals: Iterable[int], verb: str = "") -> str:
        """Return what literals mean: "row 1, column 2 is not 3 or 4"; the verb may be another one."""
        names: dict[tuple[Cell, bool], list[str]] = {}
        for literal in literals:
            name, denied = self._words.name(literal)
            names.setdefault((self._board.cells[abs(literal)], denied), []).append(name)
        where: dict[tuple[str, str], list[Cell]] = {}
        for (cell, denied), values in sorted(names.items(), key=lambda item: (item[0][0], not item[0][1])):
            values.sort(key=lambda value: (len(value), value))
            text = listing(_without_repetition(first_of(values, MOST_VALUES)))
            where.setdefault(("not" if denied else "", text), []).append(cell)
        found = (
            f"{places(cells)} {_negated(verb or ('are' if len(cells) > 1 else 'is'), negation)} {values}"
            for (negation, values), cells in where.items()
        )
        clauses = first_of(found, MOST_CONCLUSIONS, "more of this kind")
        return f"{'; '.join(clauses[:-1])}, and {clauses[-1]}" if len(clauses) > 2 else listing(clauses, "and")

    def _clause(self, number: int, known: Mapping[int, bool]) -> tuple[str, bool]:
        """Return what a rule leaves open, if that is little, or else what it demands; and whether it is the former."""
        rule = self._board.rules[number]
        left = sorted(rule.atoms - known.keys())
        leaves = self._words.of("leaves").get(rule.name)
        few = 0 < len(left) <= MOST_LEFT and len(left) < len(rule.atoms)
        if leaves is None or not few or any(known.get(atom) for atom in rule.atoms):
            return self._words.rule(rule), False
        where = places((self._board.cells[atom] for atom in left), "or")
        unit, _ = self._words.unit(number)
        if unit:  # "row 2 needs a 4 in column 1 or 3", without repeating the row
            where = where.removeprefix(f"{unit}, ").removesuffix(f" of {unit}")
        values = listing(dict.fromkeys(self._words.name(atom)[0] for atom in left))
        return phrase(leaves, self._words.called, {"places": where, "things": values}), True


def _merged(clauses: Iterable[str]) -> list[str]:
    """Return clauses; those that differ in one word, but not in the first three, become one that lists these words."""
    # The words of each clause, the index of the word that is a list, and the list; 0 and an empty list if none is.
    found: list[tuple[list[str], int, list[str]]] = []
    for words in (clause.split(" ") for clause in dict.fromkeys(clauses)):
        for i, (other, index, listed) in enumerate(found):
            differing = [n for n, (one, two) in enumerate(zip(words, other, strict=False)) if one != two]
            same_place = len(differing) == 1 and (differing == [index] if index else differing[0] > 2)
            if len(words) == len(other) and same_place:
                [n] = differing
                found[i] = other, n, [*(listed or [other[n]]), words[n]]
                break
        else:
            found.append((words, 0, []))
    return [_listed(*clause) for clause in found]


def _listed(words: list[str], index: int, listed: list[str]) -> str:
    """Return the words, with a list in place of one of them."""
    if not index:
        return " ".join(words)
    before, after = words[:index], words[index + 1 :]
    if before[-1] in {"a", "an"}:  # "a 2 and a 3"
        listed = [listed[0], *(joined(["a", word]) for word in listed[1:])]
    if before[-1] == "column" and after and after[0] in PLURALS:
        before[-1], after[0] = "columns", PLURALS[after[0]]
    return " ".join([*before, listing(listed, "and"), *after])


def _without_repetition(values: Sequence[str]) -> list[str]:
    """Return what a cell may be called; words that several begin with appear once: "the start of bw or bbw"."""
    found: list[str] = []
    for _, group in groupby(values, key=lambda value: value.split(" ")[:2]):
        first, *others = [value.split(" ") for value in group]
        same = sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, zip(first, *others, strict=False)))
        found += [" ".join(words) for words in (first, *(other[same:] for other in others))]
    return found


def _negated(verb: str, negation: str) -> str:
    """Return a verb with a negation, which may be empty: "would not be"."""
    first, _, rest = verb.partition(" ")
    return " ".join(filter(None, [first, negation, rest]))


def _article(name: str) -> str:
    """Return the name of a step as a sentence has it: "a hidden single", "pointing"."""
    if name in {"pointing", "claiming", "locked candidates"}:
        return name
    return f"{'an' if name.startswith('X') else 'a'} {name}"


def as_sentence(text: str) -> str:
    """Return a text as a sentence, with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."
