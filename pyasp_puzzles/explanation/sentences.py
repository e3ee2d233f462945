"""The sentences of an explanation, put together from the words that stand beside an encoding."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import at
from pyasp_puzzles.errors import listing
from pyasp_puzzles.puzzles.wording import clue_words, default, term, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.ground_rules import Board, Rule
    from pyasp_puzzles.puzzles.puzzle import Instance


MOST_TOLD = 6
"""Rules that a sentence names; the others are counted."""
MOST_CLASHING = 30
"""The same, of those that cannot hold together."""
MOST_THINGS = 6
"""Things that one cell is or is not, which are said one by one."""
MOST_LEFT = 5
"""Places or numbers up to which it is said which are left."""


class Telling:
    """The words for the steps of one board."""

    def __init__(self, board: Board, instance: Instance) -> None:
        self._board = board
        self._instance = instance
        self._cells = instance.puzzle.cells(instance.facts)

    def step(self, rules: Sequence[int], known: Mapping[int, bool], conclusions: Sequence[int]) -> str:
        """Return the sentence of a step.

        Args:
            rules: the rules, by their numbers.
            known: what the step rests on, of the atoms of these rules.
            conclusions: the literals that follow; none, if the rules cannot hold together.
        """
        if len(rules) == 1 and len(conclusions) == 1 and conclusions[0] > 0:
            [rule], [atom] = rules, conclusions
            name = self._board.rules[rule].name
            if name in self._needs:
                filled = {"here": at(self._board.cells[atom]), "this": self._name(atom)[0]}
                return _sentence(words(self._needs[name], self._called, filled))
        clauses = list(dict.fromkeys(self._clause(rule, known) for rule in rules)) or ["a rule without a name"]
        if len(clauses) > MOST_TOLD:
            clauses[MOST_TOLD:] = [f"and {len(clauses) - MOST_TOLD} rules more"]
        if not conclusions:
            return _sentence(
                f"{'; '.join(clauses)}: {'that' if len(clauses) == 1 else 'all that'} is no longer possible"
            )
        return _sentence(f"{'; '.join(clauses)}: so {self.conclusions(conclusions)}")

    def conclusions(self, literals: Iterable[int]) -> str:
        """Return what literals say: "row 1, column 2 is not 3 or 4"."""
        said: dict[tuple[Cell, bool], list[str]] = {}
        for literal in literals:
            name, denied = self._name(literal)
            said.setdefault((self._board.cells[abs(literal)], denied), []).append(name)
        cells: dict[tuple[str, str], list[str]] = {}
        for (cell, denied), things in sorted(said.items(), key=lambda one: (one[0][0], not one[0][1])):
            things.sort(key=lambda thing: (len(thing), thing))
            if len(things) > MOST_THINGS:
                things[MOST_THINGS - 1 :] = [f"{len(things) - MOST_THINGS + 1} others"]
            cells.setdefault((" not" if denied else "", listing(things)), []).append(_place(cell))
        return listing(
            (
                f"{listing(places, 'and')} {'are' if len(places) > 1 else 'is'}{negation} {things}"
                for (negation, things), places in cells.items()
            ),
            "and",
        )

    def clash(self, rules: Sequence[Rule]) -> str:
        """Return that rules cannot hold together."""
        says = [self._says_of(rule) for rule in rules]
        if len(says) > MOST_CLASHING:
            says[MOST_CLASHING:] = [f"and {len(says) - MOST_CLASHING} more"]
        what = "This cannot hold" if len(rules) == 1 else f"These {len(rules)} cannot hold together"
        return f"There is no answer. {what}: {'; '.join(says)}."

    def _clause(self, rule: int, known: Mapping[int, bool]) -> str:
        """Return what a rule says, or what it leaves, if that is little."""
        name, atoms = self._board.rules[rule].name, self._board.rules[rule].atoms
        left = sorted(atom for atom in atoms if atom not in known)
        if name in self._leaves and len(left) < len(atoms) and not any(known.get(atom) for atom in atoms):
            places = list(dict.fromkeys(_place(self._board.cells[atom]) for atom in left))
            things = list(dict.fromkeys(self._name(atom)[0] for atom in left))
            if 0 < len(left) <= MOST_LEFT:
                return words(self._leaves[name], self._called, {"places": listing(places), "things": listing(things)})
        return self._says_of(self._board.rules[rule])

    def _says_of(self, rule: Rule) -> str:
        if rule.name not in self._says:
            return (clue_words(self._instance, rule.name) if rule.clue else "") or default(rule.name, self._cells)
        this = listing([self._name(atom)[0] for atom in rule.atoms]) if rule.clue else ""
        return words(self._says[rule.name], self._called, {"this": this})

    def _name(self, literal: int) -> tuple[str, bool]:
        """Return what people say of a cell by a literal, and whether they say that it is not so."""
        atom, symbol = abs(literal), self._board.symbols[abs(literal)]
        if symbol in self._called:
            return term(symbol, self._called), literal < 0
        return self._instance.puzzle.kind.name(self._board.cells[atom], self._board.values[atom], holds=literal > 0)

    @cached_property
    def _says(self) -> dict[Symbol, Symbol]:
        return self._told("says")

    @cached_property
    def _needs(self) -> dict[Symbol, Symbol]:
        return self._told("needs")

    @cached_property
    def _leaves(self) -> dict[Symbol, Symbol]:
        return self._told("leaves")

    @cached_property
    def _called(self) -> dict[Symbol, Symbol]:
        return self._told("called")

    def _told(self, predicate: str) -> dict[Symbol, Symbol]:
        return {atom.arguments[0]: atom.arguments[1] for atom in self._board.search.atoms(predicate, 2)}


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _place(cell: Cell) -> str:
    """Return where a cell is, in a list: "row 1 column 2"."""
    return at(cell).replace(",", "")
