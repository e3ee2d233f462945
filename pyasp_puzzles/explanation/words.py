"""The words for a board: what rules and values are called, why candidates are ruled out, and names of steps.

A step is called "hidden single" or "naked pair" by the shape of its rules and by nothing else. A rule about one cell
says that the cell holds one value. A rule about one value says that the value has one place in a unit. In a step of
several rules, some (the base) leave only candidates that the others (the cover) allow just once each: so the other
candidates of the cover are out. Which rules are base and cover gives the step its name.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards.grid import at, places
from pyasp_puzzles.errors import listing
from pyasp_puzzles.explanation.ground_rules import alternatives, consequences_of, failing_part, simplify
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles.wording import (
    cell_of,
    clue_rule_words,
    its,
    members,
    noun_phrase,
    phrase,
    rule_words,
    short_rule_words,
    term_words,
    unit_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.ground_rules import GroundRules, Rule
    from pyasp_puzzles.model.puzzle import Instance


# Constants in the words of a reason that are filled in for each candidate that is ruled out.
FILLED_IN = frozenset({"this", "that", "there", "unit", "its"})
SIZES = {2: "pair", 3: "triple", 4: "quadruple"}
FISH = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
# Rules of the largest step that has a name.
MOST_RULES = 2 * max(SIZES)


class Template(NamedTuple):
    """The words of a reason; some are constants that are filled in."""

    front: tuple[str, ...]
    last: str
    cell: Cell | None
    """The cell that the last part is, if it is one."""
    joined: bool
    """Whether the parts before it have articles or punctuation, which takes longer to join."""


class Words:
    """The words for the rules and atoms of one board."""

    def __init__(self, ground: GroundRules, instance: Instance) -> None:
        self.ground, self.instance = ground, instance
        self.cells = set(instance.puzzle.cells(instance.facts))
        """All cells of the board, including those that no atom is about."""
        self._of: dict[str, dict[Symbol, Symbol]] = {}
        self._of_all: dict[str, dict[str, Template]] = {}
        self._rules: dict[Symbol, str] = {}
        self._names: dict[int, tuple[str, bool]] = {}
        self._templates: dict[tuple[str, int], Template | None] = {}
        self._units: dict[int, tuple[str, str]] = {}
        self._units_by_name: dict[str, tuple[str, str, frozenset[Cell] | None]] = {}
        self._cells_of_units: dict[str, set[Cell]] = {}
        self._atoms_of: dict[Cell, list[int]] = {}

    @property
    def called(self) -> Mapping[Symbol, Symbol]:
        """The words for the terms of the encoding."""
        return self.of("called")

    def of(self, predicate: str) -> dict[Symbol, Symbol]:
        """Return {term: its words}. Read when first needed: some predicates have an atom for each cell and number."""
        if predicate not in self._of:
            atoms = self.ground.search.atoms(predicate, 2)
            pairs = (atom.arguments for atom in atoms)  # each call makes new symbols, which is slow
            self._of[predicate] = {rule: words for rule, words in pairs}  # noqa: C416 (pairs are lists)
        return self._of[predicate]

    def because(self, predicate: str, rule: int) -> Template | None:
        """Return the words for why a rule rules something out: those for the rule, or for all rules of its name."""
        key = predicate, rule
        if key not in self._templates:
            self._templates[key] = self._template(predicate, self.ground.rules[rule].name)
        return self._templates[key]

    def _template(self, predicate: str, rule: Symbol) -> Template | None:
        words = self.of(predicate).get(rule)
        if words is not None:
            return self._read(words)
        if predicate not in self._of_all:
            every = self.of(predicate).items()
            self._of_all[predicate] = {str(term): self._read(words) for term, words in every if not term.arguments}
        return self._of_all[predicate].get(rule.name) if self._of_all[predicate] else None

    def _read(self, words: Symbol) -> Template:
        *front, last = members(words)
        texts = tuple(map(self._part, front))
        joined = any(text in {"a", "an"} or text[:1] in {",", ";", ":"} for text in texts)
        return Template(texts, self._part(last), cell_of(last), joined)

    def _part(self, part: Symbol) -> str:
        return name if (name := str(part)) in FILLED_IN else term_words(part, self.called)

    def unit(self, rule: int) -> tuple[str, str]:
        """Return what the unit in the name of a rule is called: "row 2", "its row"; empty if there is none.

        A rule that is about other cells, too, is not about a row or column, whatever its name is.
        """
        if rule not in self._units:
            name = self.ground.rules[rule].name
            # The rules of a unit have names that differ in the last argument, and asking clingo for all takes long.
            front = str(name).rpartition(",")[0]
            found = self._units_by_name.get(front)
            if found is None:
                unit = unit_of(name)
                found = ("", "", None) if unit is None else self._unit(unit)
                if unit is not None and unit != name.arguments[-1]:
                    self._units_by_name[front] = found
            words, its_words, line = found
            atoms = self.ground.rules[rule].atoms
            inside = line is None or all(self.ground.cells[atom] in line for atom in atoms)
            self._units[rule] = (words, its_words) if inside else ("", "")
        return self._units[rule]

    def _unit(self, unit: Symbol) -> tuple[str, str, frozenset[Cell] | None]:
        """Return the words for a unit, and the cells of a row or column."""
        line = None
        axis = {"row": 0, "col": 1, "column": 1}.get(unit.name)
        if axis is not None and unit not in self.called:
            line = frozenset(cell for cell in self.cells if str(cell[axis]) == str(unit.arguments[0]))
            self._cells_of_units[term_words(unit, self.called)] = set(line)
        return term_words(unit, self.called), its(unit, self.called), line

    def atoms_of(self, cell: Cell) -> Sequence[int]:
        """Return the atoms of a cell."""
        if not self._atoms_of:
            for atom, other in self.ground.cells.items():
                self._atoms_of.setdefault(other, []).append(atom)
        return self._atoms_of.get(cell, ())

    def unit_cells(self, unit: str) -> set[Cell]:
        """Return the cells of a unit, given what it is called: those of the rules that are about it."""
        if unit not in self._cells_of_units:
            found: dict[str, set[Cell]] = {}
            for number, rule in enumerate(self.ground.rules):
                found.setdefault(self.unit(number)[0], set()).update(self.ground.cells[atom] for atom in rule.atoms)
            self._cells_of_units = found | self._cells_of_units
        return self._cells_of_units.get(unit, set())

    def rule(self, rule: Rule) -> str:
        """Return what a rule demands."""
        found = self._rules.get(rule.name)
        if found is None:
            found = self._rules[rule.name] = self._rule(rule)
        return found

    def rules(self, rules: Sequence[Rule]) -> list[str]:
        """Return what some rules demand, each demand once; those of the same words also say where."""
        demands = [self.rule(rule) for rule in rules]
        cells = [{self.ground.cells[atom] for atom in rule.atoms if atom in self.ground.cells} for rule in rules]
        found = (
            f"{words} in {places(about)}" if demands.count(words) > 1 and about else words
            for words, about in zip(demands, cells, strict=True)
        )
        return list(dict.fromkeys(found))

    def _rule(self, rule: Rule) -> str:
        says = self.of("says").get(rule.name)
        if says is None:
            words = clue_rule_words(self.instance, rule.name) if rule.clue else ""
            return words or rule_words(rule.name, self.cells)
        this = listing([self.name(atom)[0] for atom in rule.atoms]) if rule.clue else ""
        return phrase(says, self.called, {"this": this})

    def clause(self, rule: Rule) -> str:
        """Return what a rule demands as a clause, with a verb: "row 2 is even", "the 3 above column 2 must hold"."""
        words = self.rule(rule)
        return words if rule.name in self.of("says") else f"{words} must hold"

    def short_rule(self, rule: Rule) -> str:
        """Return what a rule is called that has no words for why it rules something out."""
        words = clue_rule_words(self.instance, rule.name) if rule.clue else ""
        return words or short_rule_words(rule.name)

    def name(self, literal: int) -> tuple[str, bool]:
        """Return what people call the value of a literal, and whether it is negated."""
        found = self._names.get(literal)
        if found is None:
            found = self._names[literal] = self._name(literal)
        return found

    def _name(self, literal: int) -> tuple[str, bool]:
        atom = abs(literal)
        symbol = self.ground.symbols[atom]
        if self.called and symbol in self.called:
            return term_words(symbol, self.called), literal < 0
        return self.instance.puzzle.kind.literal_words(self.ground.values[atom], holds=literal > 0)

    def entry(self, atom: int) -> str:
        """Return what people call an atom that holds: "the 4 in row 2, column 3"."""
        noun = "cell" if self.instance.puzzle.kind.two_valued else ""
        return f"{noun_phrase(self.name(atom)[0], noun)} in {at(self.ground.cells[atom])}"

    def nothing_left(self, number: int, known: Mapping[int, bool], left: str) -> str:
        """Return that nothing is left of what a rule that cannot hold needs one of; empty if it is not of this form.

        Args:
            number: the number of the rule.
            known: the atoms whose truth is known.
            left: "is left", "would be left".
        """
        board = self.ground
        needed = alternatives(failing_part(board.rules[number].formula, known))
        if not needed or any(abs(literal) not in board.symbols or self.name(literal)[1] for literal in needed):
            return ""
        cells = {board.cells[abs(literal)] for literal in needed}
        values = {self.name(literal)[0] for literal in needed}
        if len(cells) == 1:
            every = [atom for atom, cell in board.cells.items() if cell in cells]
            nothing = len(every) > 1 and not any(known.get(atom, True) for atom in every)
            return f"nothing {left} for {at(min(cells))}" if nothing else ""
        unit, _ = self.unit(number)
        if len(values) > 1 or not unit:
            return ""
        every = [abs(literal) for literal in needed]
        unit_cells = self.unit_cells(unit)
        others = (atom for atom, cell in board.cells.items() if cell in unit_cells and atom not in every)
        sign = 1 if needed[0] > 0 else -1
        nowhere = all(self.name(sign * atom)[0] not in values or known.get(atom) is (sign < 0) for atom in others)
        return f"no place {left} for {min(values)} in {unit}" if nowhere else ""

    def failing(self, number: int, known: Mapping[int, bool]) -> str:
        """Return why a rule cannot hold, given what is known."""
        rule = self.ground.rules[number]
        return self.nothing_left(number, known, "is left") or f"this cannot hold: {self.rule(rule)}"


def line_of(cells: Collection[Cell], board: Collection[Cell]) -> str:
    """Return the row or column that has exactly these cells of the board: "row 2"; empty if there is none."""
    for i, noun in enumerate(("row", "column")):
        numbers = {cell[i] for cell in cells}
        if len(numbers) == 1 and len(cells) > 1 and cells == {cell for cell in board if cell[i] in numbers}:
            return f"{noun} {min(numbers)}"
    return ""


class _Part(NamedTuple):
    """The shape of a rule of a step."""

    rule: Rule
    cells: frozenset[Cell]
    values: frozenset[object]
    open: frozenset[int]
    """Its atoms that were possible before the step."""


def step_name(ground: GroundRules, rules: Sequence[int], known: Mapping[int, bool], conclusions: Sequence[int]) -> str:
    """Return what people call a step, by the known atoms that it needs; empty if it has no name.

    There are names for steps about numbers only.
    """
    if not 0 < len(rules) <= MOST_RULES or not conclusions or any(known.values()):
        return ""
    parts = [_part(ground, ground.rules[rule], known) for rule in rules]
    if not all(isinstance(value, int) for part in parts for value in part.values):
        return ""
    if len(parts) == 1:
        return _single(parts[0], conclusions)
    if len(parts) % 2 or any(literal > 0 for literal in conclusions):
        return ""
    return _larger(ground, parts, frozenset(-literal for literal in conclusions))


def _larger(ground: GroundRules, parts: Sequence[_Part], out: frozenset[int]) -> str:
    """Return the name of a step of several rules that excludes candidates."""
    of_cells = [part for part in parts if len(part.cells) == 1]
    of_values = [part for part in parts if len(part.values) == 1 and len(part.cells) > 1]
    if len(of_cells) == len(of_values):
        return _subset(of_cells, of_values, out)
    if len(of_values) == len(parts) and len({value for part in parts for value in part.values}) == 1:
        return _fish(parts, out) if len(parts) > Limits.MOST_LOCKED else _locked(ground, parts, out)
    return ""


def _part(ground: GroundRules, rule: Rule, known: Mapping[int, bool]) -> _Part:
    return _Part(
        rule,
        frozenset(ground.cells[atom] for atom in rule.atoms),
        frozenset(ground.values[atom] for atom in rule.atoms),
        rule.atoms - known.keys(),
    )


def _single(part: _Part, conclusions: Sequence[int]) -> str:
    """Return the name of a step of one rule with one candidate left."""
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


def _locked(ground: GroundRules, parts: Sequence[_Part], out: frozenset[int]) -> str:
    """Return the name of a step of two rules about one value: all places in one unit are in the other one too."""
    every = set(ground.cells.values())
    for base, cover in (parts, parts[::-1]):
        if _excludes([base], [cover], out):
            lines = bool(line_of(base.cells, every)), bool(line_of(cover.cells, every))
            return {(False, True): "pointing", (True, False): "claiming"}.get(lines, "locked candidates")
    return ""


def _fish(parts: Sequence[_Part], out: frozenset[int]) -> str:
    """Return the name of a step of as many rows as columns about one value."""
    rows = [part for part in parts if len({r for r, _ in part.cells}) == 1]
    columns = [part for part in parts if len({c for _, c in part.cells}) == 1]
    crossing = len(rows) == len(columns) == len(parts) // 2
    excludes = crossing and (_excludes(rows, columns, out) or _excludes(columns, rows, out))
    return FISH.get(len(rows), "") if excludes else ""


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
