"""The words for a board: names of rules and values, what rules demand, and why candidates are ruled out.

Clauses that differ only in a place or a number are merged.
"""

from __future__ import annotations

from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from clingo.symbol import Function

from pyasp_puzzles.asp.symbols import symbol_arguments, symbol_members
from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.grid import cell_place, grouped
from pyasp_puzzles.boards.spans import (
    Sentence,
    as_sentence,
    marked,
    marked_cell,
    marked_cells,
    marked_line,
    marked_names,
    marked_unit,
    unmarked,
)
from pyasp_puzzles.errors import listing
from pyasp_puzzles.model.step import StepLink
from pyasp_puzzles.puzzles import questions, wording
from pyasp_puzzles.queries.formulas import (
    certain_formula_literals,
    failing_formula,
    formula_alternatives,
    simplify,
)
from pyasp_puzzles.queries.ground_rules import CHOICE_RULE, ground_atoms_by_cell

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.queries.ground_rules import GroundRule, GroundRules

# -- Clauses that say what rules demand ----------------------------------------------------------------------------


def merged_clauses(clauses: Iterable[str], rules: Iterable[str] = ()) -> list[str]:
    """Return clauses; those that differ in an `spans.each`, or in the name before their `spans.forms`, become one.

    Args:
        clauses: the clauses, marked.
        rules: the names of their rules, with which they are marked; of a list in a clause, each part.
    """
    rule_of: dict[str, str] = {}
    for clause, rule in zip_longest(clauses, rules, fillvalue=""):
        rule_of.setdefault(clause, rule)
    items = grouped(
        (spans.around_each(clause)[::2], (spans.around_each(clause)[1], rule)) for clause, rule in rule_of.items()
    )
    names: dict[str, list[tuple[str, str]]] = {}
    for (before, after), entries in items.items():
        several = len(entries) > 1
        each = listing((marked(item, rule=rule) if several and rule else item for item, rule in entries), "and")
        if several and all(spans.split_name(item)[0] == item for item, _ in entries):
            each = marked_names(item for item, _ in entries)
        text = f"{before}{each}{spans.of_several(after) if several else after}"
        name, rest = spans.split_name(text)
        alike = spans.of_several(rest) != rest
        names.setdefault(rest if alike else text, []).append((name if alike else "", "" if several else entries[0][1]))
    merged = []
    for rest, those in names.items():
        [(name, rule), *others] = those
        text = f"{marked_names(item for item, _ in those)}{spans.of_several(rest)}" if others else f"{name}{rest}"
        merged.append(marked(text, rule=rule) if rule and not others else text)
    return merged


# -- The words for a board -----------------------------------------------------------------------------------------

# Constants in the words of a reason that are filled in for each candidate that is ruled out.
_FILLED_IN = frozenset({"this", "that", "there", "unit", "its"})


# Characters of a list of the cells of rules that cannot all hold; of a longer one, a sentence names the first.
_LONGEST_FAILING = 100


class _Template(NamedTuple):
    """The words of a reason; some are constants that are filled in."""

    front: tuple[str, ...]
    last: str
    cell: Cell | None
    """The cell that the last part is, if it is one."""
    joined: bool
    """Whether the parts before it have articles or punctuation, which takes longer to join."""


class _Cache:
    """A cache of the words for a layout, keyed by guards of rules: the indices of clues differ between boards."""

    def __init__(self, _: GroundRules) -> None:
        self.of: dict[str, dict[Symbol, Symbol]] = {}
        self.parts: dict[Symbol, list[Symbol]] | None = None
        self.of_all: dict[str, dict[str, _Template]] = {}
        self.rules: dict[int, str] = {}
        self.names: dict[int, tuple[str, bool]] = {}
        self.templates: dict[tuple[str, int], _Template | None] = {}
        self.units: dict[int, tuple[str, str]] = {}
        self.units_by_name: dict[str, tuple[str, str, frozenset[Cell] | None]] = {}
        self.cells_of_units: dict[str, set[Cell]] = {}


class Words:
    """The words for the rules and atoms of one board."""

    def __init__(self, ground: GroundRules, instance: Instance, settings: Settings) -> None:
        self.ground, self.instance, self._settings = ground, instance, settings
        self.cells = set(instance.cells)
        """All cells of the board, including those that no atom is about."""
        self._unit_on_board = instance.printed.unit
        self._cache = ground.once(_Cache)

    @property
    def called(self) -> Mapping[Symbol, Symbol]:
        """The words for the terms of the encoding."""
        return self.of("called")

    def of(self, predicate: str) -> dict[Symbol, Symbol]:
        """Return {term: its words}. Read when first needed: some predicates have an atom for each cell and number."""
        if predicate not in self._cache.of:
            atoms = self.ground.search.atoms(predicate, 2)
            pairs = (atom.arguments for atom in atoms)  # each call makes new symbols, which is slow
            self._cache.of[predicate] = {rule: words for rule, words in pairs}  # noqa: C416 (pairs are lists)
        return self._cache.of[predicate]

    def because(self, predicate: str, rule: int) -> _Template | None:
        """Return the words for why a rule rules something out: those for the rule, or for all rules of its name."""
        key = predicate, self.ground.rules[rule].guard
        if key not in self._cache.templates:
            self._cache.templates[key] = self._template(predicate, self.ground.rules[rule].name)
        return self._cache.templates[key]

    def _template(self, predicate: str, rule: Symbol) -> _Template | None:
        parts = self.of(predicate).get(rule)
        if parts is not None:
            return self._read(parts)
        if predicate not in self._cache.of_all:
            every = self.of(predicate).items()
            self._cache.of_all[predicate] = {
                str(term): self._read(words) for term, words in every if not term.arguments
            }
        return self._cache.of_all[predicate].get(rule.name) if self._cache.of_all[predicate] else None

    def _read(self, words: Symbol) -> _Template:
        *front, last = symbol_members(words)
        texts = tuple(map(self._part, front))
        joined = any(text in {"a", "an"} or text[:1] in {",", ";", ":"} for text in texts)
        return _Template(texts, self._part(last), wording.cell_of_term(last), joined)

    def _part(self, part: Symbol) -> str:
        return name if (name := str(part)) in _FILLED_IN else wording.of_term(part, self.called)

    def unit(self, rule: int) -> tuple[str, str]:
        """Return the names of the unit in the name of a rule: "row 2", "its row"; empty if there is none.

        A rule that is about other cells, too, is not about a row or column, whatever its name is.
        """
        name, _, atoms, guard, *_ = self.ground.rules[rule]
        if guard not in self._cache.units:
            # The rules of a unit have names that differ in the last argument, and asking clingo for all takes long.
            front = str(name).rpartition(",")[0]
            named = self._cache.units_by_name.get(front)
            if named is None:
                unit = wording.unit_of_rule(name)
                named = ("", "", None) if unit is None else self._unit(unit)
                if unit is not None and unit != name.arguments[-1]:
                    self._cache.units_by_name[front] = named
            words, its_words, line = named
            inside = line is None or all(self.ground.cells[atom] in line for atom in atoms)
            self._cache.units[guard] = (words, its_words) if inside else ("", "")
        return self._cache.units[guard]

    def _unit(self, unit: Symbol) -> tuple[str, str, frozenset[Cell] | None]:
        """Return the words for a unit, and the cells of a row or column."""
        text = wording.of_term(unit, self.called)
        name = marked_unit(text)
        line = frozenset(self.cells_of(name)) if name.startswith(("row ", "column ")) else None
        return text, wording.its_unit(unit, self.called), line

    def line(self, rule: GroundRule) -> list[Cell]:
        """Return the cells of the line that a rule is about, in order: of `thermometer(2)`, the second; else none."""
        keys = (key for key in self.instance.puzzle.keys if key.kind.tool == "path" and key.rule == rule.name.name)
        key, number = next(keys, None), symbol_arguments(rule.name)
        lines = self.instance.facts.arguments(key.fact) if key is not None else ()
        return [(int(r), int(c)) for *line, _, r, c in lines if (*line,) == number]

    def atoms_of(self, cell: Cell) -> Sequence[int]:
        """Return the atoms of a cell."""
        return self.ground.once(ground_atoms_by_cell).get(cell, ())

    def unit_cells(self, words: str) -> set[Cell]:
        """Return the cells of a unit, given its name."""
        return set(self.cells_of(marked_unit(words)))

    def cells_of(self, unit: str) -> Collection[Cell]:
        """Return the cells of a unit: those of the board's facts, or else of the rules that are about it."""
        if cells := self._unit_on_board(unit):
            return cells
        if not self._cache.cells_of_units:
            for number, rule in enumerate((self.ground.layout or self.ground).rules):
                unit_cells = self._cache.cells_of_units.setdefault(marked_unit(self.unit(number)[0]), set())
                unit_cells.update(self.ground.cells[atom] for atom in rule.atoms)
        return self._cache.cells_of_units.get(unit, ())

    def link(self, text: str, rules: Iterable[int], literals: Sequence[int], rests_on: Sequence[int] = ()) -> StepLink:
        """Return a link of a chain, given its text, its rules, what follows, and the links that it depends on."""
        symbols, cells = self.ground.symbols, {self.ground.cells[abs(literal)] for literal in literals}
        return StepLink(
            tuple(self.ground.rules[rule].name for rule in rules),
            self.sentence(as_sentence(text)),
            tuple(sorted(cells)),
            tuple(symbols[literal] for literal in literals if literal > 0),
            tuple(symbols[-literal] for literal in literals if literal < 0),
            tuple(rests_on),
        )

    def sentence(self, text: str) -> Sentence:
        """Return a marked text as a sentence."""
        return spans.sentence(text, self.cells_of)

    def rule(self, rule: GroundRule) -> str:
        """Return what a rule demands."""
        if rule.guard not in self._cache.rules:
            self._cache.rules[rule.guard] = self._rule(rule)
        return self._cache.rules[rule.guard]

    def kind(self, name: str) -> str:
        """Return the noun for what rules of a name are about: "cage"; empty if there is none."""
        parts = self.called.get(Function(name))
        return "" if parts is None else wording.phrase(parts, self.called)

    def parts(self, rule: GroundRule) -> list[tuple[set[Cell], str]]:
        """Return what parts of a rule demand, each with the cells that it names."""
        if self._cache.parts is None:
            parts = self.ground.search.atoms("says_part", 2)
            self._cache.parts = grouped((rule, words) for rule, words in (atom.arguments for atom in parts))
        every = self._cache.parts.get(rule.name, ())
        return [(wording.cells_of_words(parts), wording.phrase(parts, self.called)) for parts in every]

    def rules(self, rules: Sequence[GroundRule]) -> list[str]:
        """Return what some rules demand in few clauses, each marked; those of the same words also say where."""
        demands = [self.rule(rule) for rule in rules]
        cells = [{self.ground.cells[atom] for atom in rule.atoms if atom in self.ground.cells} for rule in rules]
        rule_of: dict[str, GroundRule] = {}
        for rule, text, about in zip(rules, demands, cells, strict=True):
            rule_of.setdefault(f"{text} in {marked_cells(about)}" if demands.count(text) > 1 and about else text, rule)
        return merged_clauses(rule_of, [str(rule.name) for rule in rule_of.values()])

    def _rule(self, rule: GroundRule) -> str:
        says = self.of("says").get(rule.name)
        if says is None:
            text = wording.clue_of_rule(self.instance, rule.name) if rule.clue else self._choice(rule)
            return text or self._commented(rule) or wording.of_rule(rule.name, self.cells)
        this = listing([self.name(atom)[0] for atom in rule.atoms]) if rule.clue else ""
        return wording.phrase(says, self.called, {"this": this})

    def clause(self, rule: GroundRule) -> str:
        """Return what a rule demands as a clause, with a verb: "row 2 is even", "the 3 above column 2 must hold"."""
        text = self.rule(rule)
        clauses = (
            words(rule) for words in (self._choice, self._commented)
        )  # comments are read only if they are needed
        return text if rule.name in self.of("says") or text in clauses else f"{text} must hold"

    def _commented(self, rule: GroundRule) -> str:
        """Return what the comment above a rule says, and where: "shaded cells do not touch (row 1, column 2)"."""
        return "" if rule.clue else wording.of_comment(rule.name, self._comments, self.cells)

    @cached_property
    def _comments(self) -> dict[tuple[str, int], str]:
        return questions.rule_comments(self.instance, self._settings)

    def _choice(self, rule: GroundRule) -> str:
        """Return which values a value needs that is chosen where these are, or in which cells; empty if it is not."""
        if not rule.name.match(CHOICE_RULE, 1):
            return ""
        board, [chosen] = self.ground, rule.name.arguments
        atom = next((atom for atom in rule.atoms if board.symbols[atom] == chosen), None)
        others = sorted(rule.atoms - {atom})
        if atom is None or not others:
            return ""
        left = simplify(rule.formula, {atom: True})
        demanded, alternatives = certain_formula_literals(left) or (), formula_alternatives(left)
        if others not in (sorted(demanded), sorted(alternatives)):
            return f"{self.entry(atom)} must agree with {marked_cells(board.cells[other] for other in others)}"
        needed = listing(map(self.entry, others), "and" if demanded else "or")
        return f"{self.entry(atom)} cannot be without {needed}"

    def quoted(self, rule: int) -> str:
        """Return the clause of a rule, given its index, marked with its name."""
        return marked(self.clause(self.ground.rules[rule]), rule=str(self.ground.rules[rule].name))

    def short_rule(self, rule: GroundRule) -> str:
        """Return the name of a rule that has no words for why it rules something out."""
        text = wording.clue_of_rule(self.instance, rule.name) if rule.clue else ""
        return text or wording.short(rule.name)

    def name(self, literal: int) -> tuple[str, bool]:
        """Return the name of the value of a literal, and whether it is negated."""
        named = self._cache.names.get(literal)
        if named is None:
            named = self._cache.names[literal] = self._name(literal)
        return named

    def _name(self, literal: int) -> tuple[str, bool]:
        atom = abs(literal)
        symbol = self.ground.symbols[atom]
        if self.called and symbol in self.called:
            return unmarked(wording.of_term(symbol, self.called)), literal < 0
        return self.instance.puzzle.kind.literal_words(self.ground.values[atom], holds=literal > 0)

    def entry(self, atom: int) -> str:
        """Return the name of an atom that holds: "the 4 in row 2, column 3"."""
        kind, cell, value = self.instance.puzzle.kind, self.ground.cells[atom], self.ground.values[atom]
        if text := kind.entry_words(cell, value):
            return text
        name = self.name(atom)[0]
        if name.startswith("in "):
            return marked(f"{cell_place(cell)} {name}", [cell])
        noun = "cell" if kind.two_valued else ""
        return marked(f"{wording.of_entry(name, noun)} in {cell_place(cell)}", [cell], value)

    def nothing_left(self, number: int, known: Mapping[int, bool], left: str) -> str:
        """Return that a violated rule has no candidate left: "no place is left for 4 in row 2"; empty for others."""
        board = self.ground
        needed = formula_alternatives(failing_formula(board.rules[number].formula, known))
        if not needed or any(abs(literal) not in board.symbols or self.name(literal)[1] for literal in needed):
            return ""
        if board.rules[number].name in self.of("fails"):
            return self.fails(board.rules[number].name, would=left.startswith("would"))
        cells = {board.cells[abs(literal)] for literal in needed}
        values = {self.name(literal)[0] for literal in needed}
        if len(cells) == 1:
            every = [atom for atom, cell in board.cells.items() if cell in cells]
            nothing = len(every) > 1 and not any(known.get(atom, True) for atom in every)
            return f"nothing {left} for {marked_cell(min(cells))}" if nothing else ""
        unit, _ = self.unit(number)
        if len(values) > 1 or not unit or needed[0] < 0:
            return ""
        every = [abs(literal) for literal in needed]
        unit_cells = self.unit_cells(unit)
        others = (atom for atom, cell in board.cells.items() if cell in unit_cells and atom not in every)
        nowhere = all(self.name(atom)[0] not in values or known.get(atom) is False for atom in others)
        name = min(values)
        name = f"a {name} cell" if self.instance.puzzle.kind.two_valued and " " not in name else name
        return f"no place {left} for {name} in {unit}" if nowhere else ""

    def contradiction(self, rules: Sequence[GroundRule]) -> str:
        """Return that rules cannot hold together."""
        clauses = self.rules(rules)
        number = len(clauses)
        subject = "This cannot hold" if number == 1 else f"These {number} cannot hold together"
        return f"There is no answer. {subject}: {'; '.join(clauses)}."

    def fails(self, term: Symbol, cells: Collection[Cell] = (), *, would: bool) -> str:
        """Return that nothing is left for a rule, or for the rules of a name that are about some cells."""
        can = {"can": "could", "cannot": "could not"} if would else {"can": "can", "cannot": "cannot"}
        where = marked_cells(cells)
        if spans.length(where) > _LONGEST_FAILING:
            where = marked(f"{cell_place(min(cells))} and {len(cells) - 1} other cells", sorted(cells))
        return wording.phrase(self.of("fails")[term], self.called, {**can, "places": where})

    def broken(self, number: int) -> str:
        """Return what follows if a rule is broken, "the loop would end or branch in ..."; empty without words."""
        name = self.ground.rules[number].name
        parts = self.of("breaks").get(name)
        return "" if parts is None else marked(wording.phrase(parts, self.called), rule=str(name))

    def failing(self, number: int, known: Mapping[int, bool]) -> str:
        """Return why a rule cannot hold, given known atoms."""
        rule = self.ground.rules[number]
        return self.nothing_left(number, known, "is left") or f"this cannot hold: {self.rule(rule)}"


def words_of_line(cells: Collection[Cell], board: Collection[Cell]) -> str:
    """Return the row or column that has exactly these cells of the board, marked: "row 2"; empty if there is none."""
    for i, noun in enumerate(("row", "column")):
        numbers = {cell[i] for cell in cells}
        if len(numbers) == 1 and len(cells) > 1 and cells == {cell for cell in board if cell[i] in numbers}:
            return marked_line(f"{noun} {min(numbers)}")
    return ""
