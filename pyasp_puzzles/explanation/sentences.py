"""The sentences of an explanation, put together from the words of an encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import at
from pyasp_puzzles.errors import listing
from pyasp_puzzles.puzzles.clues import clue_rule_words
from pyasp_puzzles.puzzles.wording import phrase, rule_words, term_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.ground_rules import GroundBoard, Rule
    from pyasp_puzzles.puzzles.puzzle import Instance


MOST_CLAUSES = 6
"""Rules that the sentence of a step names; the others are counted."""
MOST_CONFLICTING = 30
"""Rules that the sentence of a contradiction names; the others are counted."""
MOST_VALUES = 6
"""Values of one cell that are listed; the others are counted."""
MOST_LEFT = 5
"""Open atoms of a rule that are listed; with more, the sentence has the rule itself."""


class Sentences:
    """The sentences for the steps of one board."""

    def __init__(self, board: GroundBoard, instance: Instance) -> None:
        self._board = board
        self._instance = instance
        self._cells = instance.puzzle.cells(instance.facts)
        self._words: dict[str, dict[Symbol, Symbol]] = {}

    def step(self, rules: Sequence[int], known: Mapping[int, bool], conclusions: Sequence[int]) -> str:
        """Return the sentence of a step.

        Args:
            rules: the rules, by their numbers.
            known: the known atoms of these rules that the step needs.
            conclusions: the literals that follow; none if the rules cannot hold together.
        """
        if len(rules) == 1 and len(conclusions) == 1 and conclusions[0] > 0:
            [rule], [atom] = rules, conclusions
            needs = self._words_of("needs").get(self._board.rules[rule].name)
            if needs is not None:
                filled = {"here": at(self._board.cells[atom]), "this": self._name(atom)[0]}
                return _sentence(phrase(needs, self._words_of("called"), filled))
        clauses = list(dict.fromkeys(self._clause(rule, known) for rule in rules)) or ["a rule without a name"]
        if len(clauses) > MOST_CLAUSES:
            clauses[MOST_CLAUSES:] = [f"and {len(clauses) - MOST_CLAUSES} rules more"]
        if not conclusions:
            end = "this contradicts the clues" if len(clauses) == 1 else "together, this contradicts the clues"
            return _sentence(f"{'; '.join(clauses)}: {end}")
        return _sentence(f"{'; '.join(clauses)}: so {self._conclusions(conclusions)}")

    def contradiction(self, rules: Sequence[Rule]) -> str:
        """Return that rules cannot hold together."""
        clauses = [self._rule(rule) for rule in rules]
        if len(clauses) > MOST_CONFLICTING:
            clauses[MOST_CONFLICTING:] = [f"and {len(clauses) - MOST_CONFLICTING} more"]
        subject = "This cannot hold" if len(rules) == 1 else f"These {len(rules)} cannot hold together"
        return f"There is no answer. {subject}: {'; '.join(clauses)}."

    def _conclusions(self, literals: Iterable[int]) -> str:
        """Return what literals mean: "row 1, column 2 is not 3 or 4"."""
        names: dict[tuple[Cell, bool], list[str]] = {}
        for literal in literals:
            name, denied = self._name(literal)
            names.setdefault((self._board.cells[abs(literal)], denied), []).append(name)
        places: dict[tuple[str, str], list[str]] = {}
        for (cell, denied), values in sorted(names.items(), key=lambda item: (item[0][0], not item[0][1])):
            values.sort(key=lambda value: (len(value), value))
            if len(values) > MOST_VALUES:
                values[MOST_VALUES - 1 :] = [f"{len(values) - MOST_VALUES + 1} others"]
            places.setdefault((" not" if denied else "", listing(values)), []).append(_place(cell))
        clauses = (
            f"{listing(cells, 'and')} {'are' if len(cells) > 1 else 'is'}{negation} {values}"
            for (negation, values), cells in places.items()
        )
        return listing(clauses, "and")

    def _clause(self, number: int, known: Mapping[int, bool]) -> str:
        """Return what a rule leaves open, if that is little, or else what it demands."""
        rule = self._board.rules[number]
        left = sorted(rule.atoms - known.keys())
        leaves = self._words_of("leaves").get(rule.name)
        few = 0 < len(left) <= MOST_LEFT and len(left) < len(rule.atoms)
        if leaves is None or not few or any(known.get(atom) for atom in rule.atoms):
            return self._rule(rule)
        places = listing(dict.fromkeys(_place(self._board.cells[atom]) for atom in left))
        values = listing(dict.fromkeys(self._name(atom)[0] for atom in left))
        return phrase(leaves, self._words_of("called"), {"places": places, "things": values})

    def _rule(self, rule: Rule) -> str:
        """Return what a rule demands."""
        says = self._words_of("says").get(rule.name)
        if says is None:
            words = clue_rule_words(self._instance, rule.name) if rule.clue else ""
            return words or rule_words(rule.name, self._cells)
        this = listing([self._name(atom)[0] for atom in rule.atoms]) if rule.clue else ""
        return phrase(says, self._words_of("called"), {"this": this})

    def _name(self, literal: int) -> tuple[str, bool]:
        """Return what people call the value of a literal, and whether they say that the cell is not so."""
        atom, called = abs(literal), self._words_of("called")
        symbol = self._board.symbols[atom]
        if symbol in called:
            return term_words(symbol, called), literal < 0
        return self._instance.puzzle.kind.literal_words(self._board.values[atom], holds=literal > 0)

    def _words_of(self, predicate: str) -> dict[Symbol, Symbol]:
        """Return {term: its words}. Read when first needed: some predicates have an atom for each cell and number."""
        if predicate not in self._words:
            atoms = self._board.search.atoms(predicate, 2)
            self._words[predicate] = {atom.arguments[0]: atom.arguments[1] for atom in atoms}
        return self._words[predicate]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _place(cell: Cell) -> str:
    """Return where a cell is, for a list: "row 1 column 2"."""
    return at(cell).replace(",", "")
