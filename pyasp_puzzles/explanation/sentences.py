"""The sentences of an explanation, built from the words of an encoding."""

from __future__ import annotations

from itertools import groupby, takewhile
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.grid import cell_place
from pyasp_puzzles.boards.spans import (
    as_sentence,
    marked,
    marked_cell,
    marked_cells,
    marked_units,
    marked_value,
    unmarked,
)
from pyasp_puzzles.errors import first_listed, listing
from pyasp_puzzles.explanation.reasons import EVERY_OTHER, FILLED, reason_clause
from pyasp_puzzles.explanation.totals import (
    bound_words,
    bounds_in_turn,
    combinations_in_bounds,
)
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles import wording
from pyasp_puzzles.queries.formulas import (
    Threshold,
    formula_literals,
    formula_search,
    formula_witnesses,
    known_literals,
    simplify,
)
from pyasp_puzzles.queries.words import merged_clauses, words_of_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.reasons import ReasonClause
    from pyasp_puzzles.explanation.totals import Total
    from pyasp_puzzles.queries.formulas import Formula, TranslatedFormulaSearch
    from pyasp_puzzles.queries.ground_rules import GroundRule
    from pyasp_puzzles.queries.words import Words

# At most this many conclusions are listed, each with all its cells; the others are counted.
_MOST_CONCLUSIONS = 5
# Open atoms of a rule that are listed; with more, the sentence states the rule itself.
_MOST_OPEN_ATOMS = 5
# At most this many places to look at are named.
_MOST_LOOKED_AT = 3
# At most this many facts are listed for a rule that they break.
_MOST_FACTS_LISTED = 6
# The combinations of a sum are listed for at least this many open cells; for two, if none of its candidates is out.
_FEWEST_OPEN = 3
# Conclusions about at least this many cells of a line are stated in the line's order.
_FEWEST_IN_TURN = 3


_NONE = "so there is no answer"
_NAMELESS = "a rule without a name must hold"
_EVERY = "every number"
_MORE = "more of this kind"


class Contradiction(NamedTuple):
    """What fails, and by which facts."""

    facts: Sequence[str]
    """Those that the sentence has not stated yet."""
    fails: str
    """What follows from them; or, with `but`, the rule that they break."""
    but: bool = False
    follows: bool = True
    """Whether the facts follow from a supposition."""

    def text(self, verb: str, by: str = "") -> str:
        """Return it as a clause, given the verb of its facts, and the rules that lead to them."""
        if not self.facts:
            return f"it {cannot(verb)} be that {self.fails}{by}" if self.but else f"{self.fails}{by}"
        facts = premises(self.facts)
        return f"{facts}{by}, but {self.fails}" if self.but else f"{facts}, so {self.fails}{by}"


def cannot(verb: str) -> str:
    """Return the verb for what fails where another verb is "would be"; or empty, and so "is"."""
    return "could not" if verb else "cannot"


class Sentences:
    """The sentences for the steps of one board."""

    def __init__(self, words: Words, *, two_valued: bool, granted: Collection[int] = ()) -> None:
        self._words = words
        self._ground = words.ground
        self._two_valued = two_valued
        self.granted = set(granted)
        """The one-value rules, by index, which are not mentioned beside other rules."""
        # The last search, kept because a sentence asks several questions about the same formulas.
        self._search: tuple[Mapping[int, Formula], TranslatedFormulaSearch] | None = None

    def needs(self, rules: Sequence[int], conclusions: Sequence[int]) -> tuple[int, Symbol] | None:
        """Return the only rule of a placement and its words for this; None for several rules, or without words."""
        main = [rule for rule in rules if rule not in self.granted] or rules
        if len(main) != 1 or len(conclusions) != 1 or conclusions[0] < 0:
            return None
        parts = self._words.of("needs").get(self._ground.rules[main[0]].name)
        return None if parts is None else (main[0], parts)

    def listing(
        self,
        rules: Sequence[int],
        known: Mapping[int, bool],
        conclusions: Sequence[int],
        whys: Mapping[int, Sequence[ReasonClause]],
        name: str,
    ) -> str:
        """Return the sentence that lists what rules demand or leave open, what is known, and what follows.

        What rules out the candidates of a single rule stands for what is known.
        """
        literals = self._literals(known)
        clauses = self.merged_clauses([rule for rule in rules if rule not in self.granted] or rules)
        if not clauses and not literals:
            clauses = [_NAMELESS]
        brief, is_left = clauses, False
        if len(rules) == 1:
            rule = self._ground.rules[rules[0]]
            text, is_left = self.clause(rules[0], known, fewest=2)
            brief = [marked(text, rule=str(rule.name))]
            fills = conclusions[0] > 0 and not rule.is_global
            left = (
                [clause for clause in whys[rules[0]] if fills or clause is not FILLED] if not self._two_valued else []
            )
            text = self._so([(brief, ())], conclusions, name)
            if why := reason_clause(left, Limits.LONGEST_SENTENCE - spans.length(text)):
                return as_sentence(f"{text}{why}")
        text = self._so([(clauses, literals), *([(brief, ())] if brief else [])], conclusions, name)
        if is_left and spans.length(text) > Limits.LONGEST_SENTENCE:  # what is left says the same as what is known
            text = self._so([(brief, ())], conclusions, name)
        return as_sentence(text)

    def _so(self, ways: Sequence[tuple[Sequence[str], Sequence[int]]], conclusions: Sequence[int], name: str) -> str:
        """Return the first of some [(clauses, known literals)] that fits, and what follows, in few words if need be."""

        def shorter() -> Iterator[str]:
            for longest in (Limits.LONGEST_STEP, Limits.LONGEST_STEP // 3):
                for clauses, known in ways:
                    clause = clauses[0] if len(clauses) == 1 else ""
                    facts = [self._besides(clause, known)] if known else []
                    yield f"{premises([*clauses, *facts])}{self._end(clause, conclusions, name, longest)}"

        return spans.fitting(shorter(), Limits.LONGEST_STEP - 1)

    def unit_of_value(self, rule: int) -> str:
        """Return the unit of a rule about one number in all cells of a unit: "row 2"; empty for other rules."""
        values = {self._ground.values[atom] for atom in self._ground.rules[rule].atoms}
        unit, _ = self._words.unit(rule)
        whole = len(values) == 1 and isinstance(min(values, key=str), int) and unit
        return unit if whole and self._about(rule) == self._words.unit_cells(unit) else ""

    def by(self, rules: Sequence[int]) -> str:
        """Return the units of rules in parentheses, or what these demand; one-value rules are left out.

        Rows come last: "(column 2 and row 1)", as "row 1, column 2" is a cell.
        """
        units = {rule: self.unit_of_value(rule) for rule in rules}
        named = sorted(
            {*units.values()} - {""}, key=lambda unit: (unmarked(unit).startswith("row "), spans.length(unit), unit)
        )
        others = [rule for rule in rules if not units[rule] and rule not in self.granted]
        texts = [*([marked_units(named)] if named else []), *self.merged_clauses(others)]
        return f" ({'; '.join(map(_without_parentheses, texts))})" if texts else ""

    def merged_clauses(self, rules: Sequence[int], known: Mapping[int, bool] | None = None) -> list[str]:
        """Return what rules demand, or leave open given known atoms; similar clauses are merged."""
        names = [str(self._ground.rules[rule].name) for rule in rules]
        texts = (self._words.clause(self._ground.rules[rule]) for rule in rules)
        if known is not None:
            texts = (self.clause(rule, known)[0] for rule in rules)
        return merged_clauses(texts, names)

    def of_group(
        self,
        main: int,
        rules: Sequence[int],
        known: Mapping[int, bool],
        conclusions: Sequence[int],
        *,
        board: Mapping[int, bool],
    ) -> str:
        """Return the sentence of a step by a main rule and others; empty if cells do not hold numbers, or `needs` fits.

        One-value rules are left out. Facts and conclusions are stated as the candidates that are left.

        Args:
            main: the main rule, by index.
            rules: all rules of the step, by index.
            known: the known atoms of these rules that the step needs.
            conclusions: the literals that follow, at least one.
            board: all atoms known before the step.
        """
        ground = self._ground
        concluded = {ground.cells[abs(literal)] for literal in conclusions}
        numbers = {cell: self._numbers(cell) for cell in concluded | {ground.cells[atom] for atom in known}}
        if not all(numbers.values()) or self.needs(rules, conclusions):
            return ""
        formulas = {ground.rules[rule].guard: ground.rules[rule].formula for rule in rules}
        others = [rule for rule in rules if rule != main and len(self._about(rule)) > 1]
        facts = self._facts(numbers, concluded, known, board)
        line = self._words.line(ground.rules[main])
        line = line if {*line} == self._about(main) else []
        implied = self._implied(formulas, known, concluded.union(line))
        new = self._ruled_out(conclusions)
        out = {cell: new[cell] | implied[cell] for cell in concluded}
        rule, clause = ground.rules[main], self._words.quoted(main)
        for text, formula in self._parts(rule, numbers):
            forced = self._implied({**formulas, rule.guard: formula}, known, new)
            if all(forced[cell] >= new[cell] for cell in new):
                clause = text
                break
        clauses = [clause, *self.merged_clauses(others)]
        gone = {cell: implied[cell] | self._known_out(cell, board) for cell in line}
        end = clauses_in_turn(self._ranges(out, new, line))
        end = min(filter(None, (end, self._along(line, implied, new, gone if known else implied))), key=spans.length)
        combined, left = self._combined(main, rules, known)
        rest = {cell: {number for number in numbers[cell] if numbers[cell][number] not in out[cell]} for cell in out}
        # Combinations that leave less than the step concludes would puzzle.
        fits = all(rest[cell] <= left.get(cell, rest[cell]) for cell in rest)
        why = [combined] if combined and fits else []
        if left and left == rest:
            end, why = combined, []
        end = _they(clause, end, concluded)
        texts = (
            f"{premises(parts)}, so {spans.with_it(parts[-1], end)}" for parts in ([*clauses, *why, *facts], clauses)
        )
        return as_sentence(spans.fitting(texts, Limits.LONGEST_STEP))

    def _facts(
        self, cells: Iterable[Cell], last: Collection[Cell], known: Mapping[int, bool], board: Mapping[int, bool]
    ) -> list[str]:
        """Return what is known of cells: first of most, then of those that come last."""
        out = {cell: self._known_out(cell, known) for cell in cells}
        first, then = ({cell: out[cell] for cell in out if (cell in last) is late} for late in (False, True))
        return [*self._ranges(first, {}, board=board), *self._ranges(then, {}, board=board)]

    def total(
        self, total: Total, known: Mapping[int, bool], conclusions: Sequence[int], *, board: Mapping[int, bool]
    ) -> str:
        """Return the sentence of a step that subtracts sums from units; empty if the difference does not force it.

        Args:
            total: the difference.
            known: the known atoms that the step needs.
            conclusions: the literals that follow.
            board: all atoms known before the step.
        """
        if any(total.can_hold({**known, abs(literal): literal < 0}) for literal in conclusions) or not conclusions:
            return ""
        concluded = {self._ground.cells[abs(literal)] for literal in conclusions}
        facts = self._facts(total.weights, concluded, known, board)
        holding = {self._ground.cells[literal] for literal in conclusions if literal > 0}
        new = self._ruled_out(conclusions)
        ranges = self._ranges({cell: new[cell] | self._known_out(cell, known) for cell in concluded}, new)
        left = [] if len(holding) == len(total.weights) == 1 else [_left(total)]
        end = _they("".join(left), clauses_in_turn(ranges), concluded)
        texts = (
            f"{'; '.join([*self._without(total, longest=longest), *left, *facts])}, so {end}"
            for longest in (True, False)
        )
        return as_sentence(spans.fitting(texts, Limits.LONGEST_STEP))

    def _without(self, total: Total, *, longest: bool) -> list[str]:
        """Return what units add up to, and the sums to subtract; `longest` lists several of them, too."""
        names = [self._words.unit(unit.rules[0])[0] for unit in total.units]
        where = marked_units(names) if all(names) else marked_cells(cell for unit in total.units for cell in unit.cells)
        several = len(total.units) > 1
        text = f"{where} {'add' if several else 'adds'} up to {sum(unit.total for unit in total.units)}"
        rules = [self._ground.rules[subtrahend.rule] for subtrahend in total.sums]
        if any({*subtrahend.weights.values()} != {1} for subtrahend in total.sums):
            return [text, *self.merged_clauses([subtrahend.rule for subtrahend in total.sums])]
        amounts = [
            marked(str(subtrahend.total), sorted(subtrahend.weights), rule=str(rule.name))
            for subtrahend, rule in zip(total.sums, rules, strict=True)
        ]
        added = " + ".join(amounts) if longest or len(amounts) == 1 else ""
        amount = str(sum(subtrahend.total for subtrahend in total.sums)) if len(amounts) > 1 else ""
        kinds = {rule.name.name for rule in rules}
        noun = (self._words.kind(min(kinds)) if len(kinds) == 1 else "") or "sum"
        sums = noun if len(amounts) == 1 else spans.plural(noun)
        its = "them" if several else "it"
        if all(subtrahend.weights.keys() <= total.covered for subtrahend in total.sums):
            which = f"the {sums} in {its}"
        elif total.covered.isdisjoint(total.weights):
            which = f"the {sums} that {'covers' if len(amounts) == 1 else 'cover'} {its}"
        else:
            which = f"the {sums} of most of {'their' if several else 'its'} cells"
        return [f"{text}, and {which} to {' = '.join(filter(None, [added, amount]))}"]

    def _search_of(self, formulas: Mapping[int, Formula]) -> TranslatedFormulaSearch:
        """Return a search of formulas, the last one if it fits: making one takes longer than most questions."""
        if self._search is None or self._search[0] != formulas:
            self._search = formulas, formula_search(formulas, self._ground.settings)
        return self._search[1]

    def _along(
        self,
        line: Sequence[Cell],
        out: Mapping[Cell, Collection[int]],
        stated: Mapping[Cell, Collection[int]],
        gone: Mapping[Cell, Collection[int]],
    ) -> str:
        """Return what cells of a line are, in order: "its cells are at least 1, 2 and 3"; empty if that is unclear.

        Args:
            line: the cells of the line; none if there is no line.
            out: {cell of the line: the atoms that are ruled out}.
            stated: {cell: those of them to state}.
            gone: {cell of the line: the same, and what was ruled out before}; a bound that says less is unclear.
        """
        news = [i for i, cell in enumerate(line) if cell in stated]
        if len(news) < max(_FEWEST_IN_TURN, len(stated)):
            return ""
        first, last = news[0], news[-1]
        # Often nothing new is known of an end: the first cell of a thermometer is 1 or more.
        first, last = (0, len(line) - 1) if last - first + 2 >= len(line) else (first, last)
        cells = line[first : last + 1]
        numbers = {cell: self._numbers(cell) for cell in cells}
        left = [[number for number, atom in numbers[cell].items() if atom not in out[cell]] for cell in cells]
        ruled_out = [
            [number for number, atom in numbers[cell].items() if atom in stated.get(cell, ())] for cell in cells
        ]
        seen = [[number for number, atom in numbers[cell].items() if atom not in gone[cell]] for cell in cells]
        if not all(seen):
            return ""
        below = any(min(ruled) < min(had) for ruled, had in zip(ruled_out, left, strict=True) if ruled)
        above = any(max(ruled) > max(had) for ruled, had in zip(ruled_out, left, strict=True) if ruled)
        for is_stated, end in ((below, min), (above, max)):
            if is_stated and [*map(end, left)] != [*map(end, seen)]:
                return ""
        bounds = bounds_in_turn(left, ruled_out, self._names(numbers[cells[0]]))
        where = (
            "its cells"
            if len(cells) == len(line)
            else f"the cells from {cell_place(cells[0])} to {cell_place(cells[-1])}"
        )
        return f"{marked(where, cells)} are {bounds}" if bounds else ""

    def _about(self, rule: int) -> set[Cell]:
        return {self._ground.cells[atom] for atom in self._ground.rules[rule].atoms}

    def _numbers(self, cell: Cell) -> dict[int, int]:
        """Return {number: its atom} for a cell that holds one of several numbers; empty for another cell."""
        atoms = self._words.atoms_of(cell)
        numbers = {value: atom for atom in atoms if isinstance(value := self._ground.values[atom], int)}
        return numbers if len(numbers) == len(atoms) > 1 else {}

    def _names(self, numbers: Mapping[int, int]) -> dict[int, str]:
        """Return {number: its name}, given {number: its atom}."""
        return {number: self._words.name(atom)[0] for number, atom in numbers.items()}

    def _ruled_out(self, conclusions: Iterable[int]) -> dict[Cell, set[int]]:
        """Return {cell: the atoms that conclusions rule out}; of a cell with a value, all others."""
        ruled_out: dict[Cell, set[int]] = {}
        for literal in conclusions:
            cell = self._ground.cells[abs(literal)]
            others = {atom for atom in self._words.atoms_of(cell) if atom != literal}
            ruled_out.setdefault(cell, set()).update(others if literal > 0 else [-literal])
        return ruled_out

    def _known_out(self, cell: Cell, known: Mapping[int, bool]) -> set[int]:
        """Return the atoms of a cell that are known not to hold, or if one holds, all others."""
        atoms = self._words.atoms_of(cell)
        holding = [atom for atom in atoms if known.get(atom)]
        return {atom for atom in atoms if atom not in holding and (holding or atom in known)}

    def _ranges(
        self,
        out: Mapping[Cell, Collection[int]],
        stated: Mapping[Cell, Collection[int]],
        line: Sequence[Cell] = (),
        board: Mapping[int, bool] | None = None,
    ) -> list[str]:
        """Return what cells are, given the atoms that are out: "row 1, columns 2 and 3 are at least 4".

        Args:
            out: {cell: the atoms}.
            stated: {cell: those of them to state}; all if there are none.
            line: the cells of a line; together, they are "its cells".
            board: the known atoms: a known number replaces the bounds of its cell.
        """
        where: dict[str, list[Cell]] = {}
        for cell, atoms in sorted(out.items()):
            if atoms:
                numbers = self._numbers(cell)
                values = [
                    [number for number in numbers if numbers[number] in chosen]
                    for chosen in (atoms, stated.get(cell, ()))
                ]
                names = self._names(numbers)
                text = bound_words(names, *values)
                placed = [marked_value(names[number]) for number in numbers if board and board.get(numbers[number])]
                where.setdefault(placed[0] if placed and not text.startswith("not ") else text, []).append(cell)
        return [
            f"{'its cells' if {*cells} == {*line} else marked_cells(cells)} {'are' if len(cells) > 1 else 'is'} {text}"
            for text, cells in where.items()
        ]

    def _parts(self, rule: GroundRule, cells: Collection[Cell]) -> Iterator[tuple[str, Formula]]:
        """Yield the parts of a rule that have all of some cells: their words, and their formulas."""
        for about, text in self._words.parts(rule):
            if about.issuperset(cells):
                atoms = {atom for cell in about for atom in self._words.atoms_of(cell)}
                yield marked(text, rule=str(rule.name)), _within(rule.formula, atoms)

    def _implied(
        self, formulas: Mapping[int, Formula], known: Mapping[int, bool], cells: Collection[Cell]
    ) -> dict[Cell, set[int]]:
        """Return {cell: its atoms that do not hold}, as is known or as formulas force."""
        atoms = [atom for cell in cells for atom in self._words.atoms_of(cell) if atom not in known]
        given = known_literals(known)
        search = self._search_of(formulas)
        forced = search.forced([*formulas, *given], atoms, Limits.MOST_CONFLICTS_OF_GROUP) or set()
        out = {-literal for literal in forced if literal < 0} | {atom for atom in known if not known[atom]}
        return {cell: out.intersection(self._words.atoms_of(cell)) for cell in cells}

    def _combined(self, main: int, rules: Sequence[int], known: Mapping[int, bool]) -> tuple[str, dict[Cell, set[int]]]:
        """Return the combinations of a sum's open cells, if few: "its cells are 8 and 9", and {cell: {8, 9}}."""
        about = self._about(main)
        gone = {cell: self._known_out(cell, known) for cell in about}
        left = {cell: [atom for atom in self._words.atoms_of(cell) if atom not in gone[cell]] for cell in sorted(about)}
        cells = [cell for cell in left if len(left[cell]) > 1]
        one_value = {min(self._about(rule)) for rule in self.granted}
        if len(cells) < (_FEWEST_OPEN if any(gone.values()) else 2) or not about <= one_value:
            return "", {}
        apart = [self._ground.rules[rule].atoms for rule in rules if rule != main and len(self._about(rule)) > 1]
        options = combinations_in_bounds(self._ground, self._ground.rules[main].formula, left, apart)
        if not options:
            return "", {}
        each = ", or ".join(listing(map(marked_value, map(str, numbers)), "and") for numbers in options)
        where = marked("its cells" if len(cells) == len(left) else "its other cells", cells)
        return f"{where} are {each}", {cell: {number for numbers in options for number in numbers} for cell in cells}

    def _end(self, clause: str, conclusions: Sequence[int], name: str, longest: int) -> str:
        """Return the end of a sentence; it says "it" for a cell that begins its only clause."""
        end = self.conclusions(conclusions, longest=longest, here=spans.only_cell(clause))
        cells = {self._ground.cells[abs(literal)] for literal in conclusions}
        same = {end, f"{marked_cell(min(cells))} is not {self._words.name(-conclusions[0])[0]}"}
        if clause and unmarked(clause) in set(map(unmarked, same)) and len(cells) == 1:
            return f", {article_in_sentence(name)}" if name else ""
        if len(cells) == 1:
            end = spans.with_it(clause, end)
        end = self._in_it(clause, end, conclusions)
        if not name:
            return f", so {end}"
        return f", so {end}, {article_in_sentence(name)}" if clause else f": {article_in_sentence(name)}, so {end}"

    def _besides(self, clause: str, literals: Sequence[int]) -> str:
        """Return literals in words, to follow a clause; what the clause names is not named again."""
        here = spans.only_cell(clause)
        facts = spans.with_it(clause, self.conclusions(literals, here=here))
        if here is not None:
            facts = facts.replace(f"from {marked_cell(here)}", f"from {spans.renamed('there', marked_cell(here))}")
        return self._in_it(clause, facts, literals)

    def _in_it(self, clause: str, text: str, literals: Sequence[int]) -> str:
        """Return a text after a clause: "the galaxy of row 8, column 4 is symmetric, so ... is in it"."""
        area = self._words.name(abs(literals[0]))[0]
        same = area.startswith("in ") and unmarked(clause).startswith(f"{area.removeprefix('in ')} ")
        return text.replace(area, "in it") if same else text

    def failing(
        self, rules: Sequence[int], known: Mapping[int, bool], whys: Mapping[int, Sequence[ReasonClause]]
    ) -> str:
        """Return the sentence that rules contradict known atoms."""
        if len(rules) != 1:
            clauses = self.merged_clauses(rules) or [_NAMELESS]
            return as_sentence(f"{'; '.join(clauses)}: {'these cannot all' if rules else 'this cannot'} hold, {_NONE}")
        [rule] = rules
        end = self.breaks(rule, known, known, (), "")
        text = f"{end.fails}: this cannot hold" if end.but and not end.facts else end.text("")
        left = [] if end.facts or end.but else [clause for clause in whys[rule] if clause is not FILLED]
        why = reason_clause(left, Limits.LONGEST_SENTENCE - spans.length(text)).replace(EVERY_OTHER, _EVERY)
        return as_sentence(f"{text}{why}, {_NONE}")

    def breaks(
        self, rule: int, then: Mapping[int, bool], known: Mapping[int, bool], stated: Collection[int], verb: str
    ) -> Contradiction:
        """Return why a rule cannot hold under a supposition.

        Args:
            rule: the rule, by index.
            then: the atoms that are known with the supposition.
            known: those of them that are known without it.
            stated: the literals that the sentence states already.
            verb: "would be"; empty if nothing is supposed.
        """
        nothing = self._words.nothing_left(rule, then, f"{verb or 'is'} left")
        if nothing:
            return Contradiction([], nothing)
        facts = self.against(rule, then)
        broken = self._words.broken(rule)
        if rule in self.granted and len(facts) == len(("one", "other")) and min(facts) > 0 and not broken:
            both = listing([self._words.name(literal)[0] for literal in sorted(facts)], "and")
            return Contradiction([], f"{marked_cell(self._ground.cells[facts[0]])} {verb or 'is'} both {both}")
        here = [literal for literal in facts if abs(literal) in known and literal not in stated]
        following = [literal for literal in facts if abs(literal) not in known and literal not in stated]
        held = {abs(literal): literal > 0 for literal in facts}
        parts = self._parts(self._ground.rules[rule], {self._ground.cells[atom] for atom in held}) if held else ()
        part = next((text for text, formula in parts if simplify(formula, held) is False), "")
        clauses = [self.conclusions(following, verb)] if 0 < len(following) <= _MOST_FACTS_LISTED else []
        clauses += [self.conclusions(here)] if 0 < len(here) <= _MOST_FACTS_LISTED else []
        broken = broken if verb and not part else ""
        fails = broken or spans.with_it("".join(clauses[-1:]), part or self._words.quoted(rule))
        return Contradiction(clauses, fails, but=not broken, follows=bool(following))

    def following(self, eliminated: Iterable[int]) -> str:
        """Return the sentence that states eliminations: "Then row 1, column 2 is not 3."."""
        return f"Then {self.conclusions(-atom for atom in eliminated)}."

    def against(self, rule: int, known: Mapping[int, bool]) -> list[int]:
        """Return the known literals that violate a rule, if its formula shows them; else all known ones."""
        symbols, cells = self._ground.symbols, self._ground.cells
        witnesses = formula_witnesses(self._ground.rules[rule].formula, known)
        if witnesses and all(abs(literal) in symbols for literal in witnesses):
            held = {
                cells[atom]: atom for atom in known if known[atom] and atom in symbols and self._numbers(cells[atom])
            }
            return [
                *dict.fromkeys(literal if literal > 0 else held.get(cells[-literal], literal) for literal in witnesses)
            ]
        return self._literals({atom: known[atom] for atom in sorted(known) if atom in symbols})

    def _literals(self, known: Mapping[int, bool]) -> list[int]:
        """Return known atoms as literals, without what a value rules out in its own cell."""
        cells = self._ground.cells
        filled = {cells[atom] for atom, holds in known.items() if holds and not self._two_valued}
        return [atom if holds else -atom for atom, holds in known.items() if holds or cells[atom] not in filled]

    def where(self, rules: Sequence[int], conclusions: Iterable[int]) -> str:
        """Return where to look for a step, without what follows."""
        looked_at: dict[str, None] = {}
        cells: set[Cell] = set()
        loose: set[Cell] = set()
        for number in rules:
            rule = self._ground.rules[number]
            about, named = {self._ground.cells[atom] for atom in rule.atoms}, wording.cells_of_rule(rule.name)
            unit, _ = self._words.unit(number)
            unit = unit or words_of_line(about, self._words.cells)
            cells |= about
            if unit:
                looked_at[unit] = None
            else:
                loose |= named if len(about) > 1 and named and named <= about else about
        loose -= {cell for unit in looked_at for cell in self._words.unit_cells(unit)}
        places = [*looked_at, *([marked_cells(loose)] if loose else [])]
        if not 0 < len(places) <= _MOST_LOOKED_AT or len(loose) > _MOST_LOOKED_AT:
            concluded = [self._ground.cells[abs(literal)] for literal in conclusions]
            places = [lines_in_sentence(cells) or (marked_cells(concluded) if concluded else "the whole board")]
        return f"Look at {listing(places, 'and')}."

    def conclusions(
        self, literals: Iterable[int], verb: str = "", longest: int = Limits.LONGEST_STEP, here: Cell | None = None
    ) -> str:
        """Return literals in words: "row 1, column 2 is not 3 or 4"; `verb` replaces "is" or "are".

        Of many clauses, or of more than fit into `longest` characters, the last ones are only counted. Lines start at
        the cell `here`, if they can.
        """
        every = list(literals)
        texts = self._conclusions(every, verb, here)

        def shorter() -> Iterator[str]:
            for most in range(min(len(texts), _MOST_CONCLUSIONS), 0, -1):
                others = len(texts) - most
                yield clauses_in_turn([*texts[:most], *([f"{others} {_MORE}"] if others else [])])
            for most in range(len(every) - 1, 0, -1):  # one clause may be long
                few = self._conclusions(every[:most], verb, here)
                yield clauses_in_turn([*few, f"{len(every) - most} {_MORE}"])

        return spans.fitting(shorter(), longest)

    def _conclusions(self, literals: Sequence[int], verb: str, here: Cell | None) -> list[str]:
        """Return literals in words, as clauses."""
        board = self._ground
        about = ((board.cells[abs(literal)], board.values[abs(literal)], literal > 0) for literal in literals)
        if clauses := self._words.instance.puzzle.kind.clauses(about, verb, here):
            return clauses
        names: dict[tuple[Cell, bool], list[str]] = {}
        for literal in literals:
            name, denied = self._words.name(literal)
            names.setdefault((self._ground.cells[abs(literal)], denied), []).append(name)
        where: dict[tuple[str, str], list[Cell]] = {}
        for (cell, denied), values in sorted(names.items(), key=lambda item: (item[0][0], not item[0][1])):
            each = sorted(set(values), key=lambda value: (len(value), value))
            few = _without_repetition(first_listed(each, Limits.MOST_VALUES))
            key = ("not" if denied else "", listing(map(marked_value, few), "or" if denied else "and"))
            if denied and len(each) > Limits.MOST_VALUES and (cell, False) not in names:
                left = [str(value) for value in self._numbers(cell) if str(value) not in each]
                key = ("", listing(map(marked_value, left))) if left else key
            where.setdefault(key, []).append(cell)
        return [
            f"{marked_cells(cells)} {_negated(verb or ('are' if len(cells) > 1 else 'is'), negation)}"
            f" {_each(values) if len(cells) > 1 else values}"
            for (negation, values), cells in where.items()
        ]

    def clause(self, number: int, known: Mapping[int, bool], fewest: int = 1) -> tuple[str, bool]:
        """Return the few candidates that a rule leaves open, and True; or else what it demands, and False.

        Args:
            number: the rule, by index.
            known: the known atoms.
            fewest: candidates are listed if at least this many are left.
        """
        rule = self._ground.rules[number]
        left = sorted(rule.atoms - known.keys())
        leaves = self._words.of("leaves").get(rule.name)
        few = fewest <= len(left) <= _MOST_OPEN_ATOMS and len(left) < len(rule.atoms)
        if leaves is None or not few or any(known.get(atom) for atom in rule.atoms) or not rule.needs_one(known):
            return self._words.clause(rule), False
        unit, _ = self._words.unit(number)  # "row 2 needs a 4 in column 1 or 3", without repeating the row
        all_needed = all(simplify(rule.formula, {**known, atom: False}) is False for atom in left)
        where = marked_cells(
            (self._ground.cells[atom] for atom in left), "and" if all_needed else "or", [unmarked(unit)]
        )
        values = listing(dict.fromkeys(self._words.name(atom)[0] for atom in left))
        return wording.phrase(leaves, self._words.called, {"places": where, "things": values}), True


def clauses_in_turn(clauses: Sequence[str]) -> str:
    """Return clauses as one: "a; b, and c"."""
    return ", and ".join(filter(None, ["; ".join(clauses[:-1]), *clauses[-1:]]))


def premises(clauses: Sequence[str]) -> str:
    """Return clauses from which something follows: "a, and b"; if they are more, or have an "and": "a; b; c"."""
    simple = len(clauses) <= len(("a", "b")) and not any(", and " in clause for clause in clauses)
    return (", and " if simple else "; ").join(clauses)


def _they(clause: str, end: str, cells: Collection[Cell]) -> str:
    """Return what follows from a clause, which says "both" or "these" for cells with which the clause begins."""
    names = marked_cells(cells)
    both = marked("both" if len(cells) == len(("one", "other")) else "these", cells)
    same = len(cells) > 1 and unmarked(clause).startswith(f"{unmarked(names)} ")
    return end.replace(names, both, 1) if same else end


def _left(total: Total) -> str:
    """Return what the remaining cells of a total add up to: "row 1, column 8 is 3 more than row 2, column 9"."""
    sign = -1 if total.total < 0 or (not total.total and max(total.weights.values()) < 0) else 1
    amount, weights = sign * total.total, {cell: sign * weight for cell, weight in total.weights.items()}
    more, less = ({cell: abs(n) for cell, n in weights.items() if (n > 0) is positive} for positive in (True, False))

    def added(cells: Mapping[Cell, int]) -> str:
        if {*cells.values()} == {1}:
            return marked_cells(cells)
        times = {1: "", 2: "twice "}
        return listing([f"{times.get(n, f'{n} times ')}{marked_cell(cell)}" for cell, n in cells.items()], "and")

    verb = "is" if len(more) == 1 else "add up to"
    if not less:
        return f"{added(more)} {verb} {amount}"
    if not amount:
        return f"{added(more)} {verb} {'as much as ' if verb == 'is' else 'the same as '}{added(less)}"
    return f"{added(more)} {verb} {amount} more than {added(less)}"


def _within(formula: Formula, atoms: set[int]) -> Formula:
    """Return the conjuncts of a formula that have only some atoms; a formula that is no conjunction stays."""
    if isinstance(formula, Threshold) and formula.bound == sum(weight for weight, _ in formula.parts):
        parts = tuple(
            (weight, part) for weight, part in formula.parts if atoms.issuperset(map(abs, formula_literals(part)))
        )
        return Threshold(sum(weight for weight, _ in parts), parts)
    return formula


def _without_repetition(values: Sequence[str]) -> list[str]:
    """Return the values of a cell; words that several begin with appear once: "the start of bw or bbw"."""
    names: list[str] = []
    for _, group in groupby(values, key=lambda value: value.split(" ")[:2]):
        first, *others = [value.split(" ") for value in group]
        same = sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, zip(first, *others, strict=False)))
        names += [" ".join(words) for words in (first, *(other[same:] for other in others))]
    return names


def lines_in_sentence(cells: Collection[Cell]) -> str:
    """Return the few rows or columns that have some cells, marked: "rows 1 to 3"; nothing if there are too many."""
    for axis, noun in enumerate(("row", "column")):
        numbers = {cell[axis] for cell in cells}
        if numbers and max(numbers) - min(numbers) < _MOST_LOOKED_AT:
            first, last = min(numbers), max(numbers)
            numbered = "and" if last - first == 1 else "to"
            text = f"{noun} {first}" if first == last else f"{noun}s {first} {numbered} {last}"
            return marked(text, [f"{noun} {number}" for number in range(first, last + 1)])
    return ""


def _negated(verb: str, negation: str) -> str:
    """Return a verb with a negation, which may be empty: "would not be"."""
    first, _, rest = verb.partition(" ")
    return " ".join(filter(None, [first, negation, rest]))


def _without_parentheses(clause: str) -> str:
    """Return a clause with a colon in place of the parentheses at its end: "shaded cells do not touch: region B"."""
    before, opened, after = clause.rpartition(" (")
    return f"{before}: {''.join(after.rsplit(')', 1))}" if opened and unmarked(clause).endswith(")") else clause


def _each(values: str) -> str:
    """Return what several cells are, given what one is: "bulbs" for "a bulb"; other words stay."""
    article, _, noun = values.partition(" ")
    return spans.plural(noun) if article in {"a", "an"} else values


def article_in_sentence(name: str) -> str:
    """Return the name of a step as a sentence has it: "a hidden single", "pointing"."""
    if name in {"pointing", "claiming", "locked candidates", "simple coloring"}:
        return name
    return f"{'an' if name[0] in 'aeX' else 'a'} {name}"
