"""Reasons why candidates are ruled out, as people say them: "its row has 1 and 4, and it touches the 2 in ...".

ReasonClause   ReasonClause("its row has", ...): one part of a reason: what rules candidates out
ChosenReasons  for each rule, its clauses; and for each candidate, the rule and the atom that rule it out

A candidate is often ruled out by several placed values. Greedy set cover chooses those that make the fewest clauses.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.spans import marked_cell, marked_cells, marked_unit, marked_units, marked_value, unmarked
from pyasp_puzzles.errors import first_listed, listing
from pyasp_puzzles.puzzles import wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.queries.words import Words

# Placed values that a clause names with their cells; if there are more, it names the values alone.
_MOST_PLACED_NAMED = 2
# Values of a clause in a short reason; the others are counted.
_MOST_ITEMS = 6
# Numbers that are listed even if they are all the other numbers of a cell.
_MOST_NUMBERS_LISTED = 4


# The rules, each with the atom that holds and so rules a candidate out.
Options = list[tuple[int, int]]
EVERY_OTHER = "every other number"
_OTHERS = ", among other reasons"


class _Item(NamedTuple):
    """The last part of a clause."""

    text: str
    short: str
    cell: Cell | None = None
    """The cell, if it is one."""

    @property
    def name(self) -> str:
        """The text without an article, by which items are sorted."""
        return unmarked(self.short).removeprefix("an ").removeprefix("a ")


class ReasonClause(NamedTuple):
    """One part of a reason: `head` and a list of what rules out the candidates."""

    head: str
    items: tuple[_Item, ...]

    def text(self, most: int | None = None) -> str:
        """Return the clause, without the cells of many values; `most` limits how many are listed."""
        if not self.items:
            return self.head
        cells = [item.cell for item in self.items if item.cell is not None]
        if len(cells) == len(self.items):
            listed = marked_cells(cells)
        elif all(marked_unit(item.text) for item in self.items):
            listed = marked_units(item.text for item in self.items)
        else:
            texts = [item.short if len(self.items) > _MOST_PLACED_NAMED else item.text for item in self.items]
            listed = listing(map(marked_value, texts if most is None else first_listed(texts, most)), "and")
        return f"{self.head} {listed}".lstrip()


FILLED = ReasonClause("every other place is filled", ())


class ChosenReasons:
    """The reasons of one step: chosen rule by rule.

    Args:
        words: the words of the board.
        options: what rules out each candidate directly.
        steps: the steps that ruled out the others.
    """

    def __init__(self, words: Words, options: Mapping[int, Options], steps: Mapping[int, int]) -> None:
        self._words, self._ground = words, words.ground
        self._options, self._steps = options, steps
        self.by: dict[int, tuple[int, int]] = {}
        """{candidate: the rule and the atom that were chosen}"""
        # The candidates whose reasons were chosen already.
        self._explained: set[int] = set()

    def clauses(self, rule: int, predicate: str = "") -> list[ReasonClause]:
        """Choose what rules out the candidates of a rule, except those of earlier rules, and return it in words.

        Args:
            rule: the rule, by index.
            predicate: the words: "excludes" if all candidates are those of one cell, or else "blocks".
        """
        board = self._ground
        ruled_out = board.rules[rule].atoms & (self._options.keys() | self._steps.keys())
        atoms = sorted(ruled_out - self._explained)
        self._explained |= ruled_out
        every = {self._words.name(atom)[0] for atom in ruled_out}
        if not predicate:
            cells = {board.cells[atom] for atom in board.rules[rule].atoms}
            predicate = "excludes" if len(cells) == 1 else "blocks"
        heads: dict[str, dict[_Item, dict[int, tuple[int, int]]]] = {}
        left: set[int] = set()
        filled: dict[int, None] = {}
        for atom in (atom for atom in atoms if atom in self._options):
            options = self._options[atom]
            inside = self._same_cell(atom, options) if predicate == "blocks" else None
            if inside is not None:
                self.by[atom] = inside
                filled[inside[1]] = None
            else:
                left.add(atom)
                for option in options:
                    head, item = self._part(predicate, atom, *option)
                    heads.setdefault(head, {}).setdefault(item, {})[atom] = option
        clauses = []
        while left:
            head, items = max(heads.items(), key=lambda entry: len(left.intersection(chain(*entry[1].values()))))
            chosen = list(self._cover(items, left))
            chosen.sort(key=lambda item: (item.cell or (0, 0), len(item.name), item.name))
            if len(chosen) > _MOST_NUMBERS_LISTED and {item.text for item in chosen} == every:
                chosen = [_Item(EVERY_OTHER, EVERY_OTHER)]
            clauses.append(ReasonClause(head, tuple(chosen)))
        clauses.sort(key=lambda clause: any(item.text != item.short or item.cell for item in clause.items))
        clauses += self._earlier(rule, [atom for atom in atoms if atom in self._steps], predicate)
        if len(self._values(rule)) > 1:
            placed = sorted(filled, key=lambda by: board.cells[by])
            names = ((marked_cell(board.cells[by]), self._words.name(by)[0]) for by in placed)
            return [*(ReasonClause(f"{where} is", (_Item(value, value),)) for where, value in names), *clauses]
        return clauses or [FILLED] * bool(filled)

    def choose_others(self) -> None:
        """Choose what rules out the candidates that no clause was about."""
        for atom, options in self._options.items():
            self.by.setdefault(atom, options[0])

    def _cover(self, items: Mapping[_Item, Mapping[int, tuple[int, int]]], left: set[int]) -> Iterator[_Item]:
        """Yield items that rule out all that a clause can rule out, and remove that from `left`."""
        for item, ruled_out in sorted(items.items(), key=lambda entry: -len(entry[1])):
            news = left & ruled_out.keys()
            if news:
                self.by.update((atom, ruled_out[atom]) for atom in news)
                left -= news
                yield item

    def _same_cell(self, atom: int, options: Options) -> tuple[int, int] | None:
        """Return the option that the cell has another value, if that needs no words."""
        for rule, by in options:
            if self._ground.cells[by] == self._ground.cells[atom] and self._words.because("blocks", rule) is None:
                return rule, by
        return None

    def _part(self, predicate: str, atom: int, rule: int, by: int) -> tuple[str, _Item]:
        """Return the head of a clause, and what it lists."""
        words, board = self._words, self._ground
        value, cell = words.name(by)[0], board.cells[atom]
        template = words.because(predicate, rule) or words.because("blocks", rule)
        unit, its = words.unit(rule)
        if template is None and not unit:
            name = words.short_rule(board.rules[rule])
            if predicate != "excludes":
                return f"{name} links {words.entry(by)} to", _Item(marked_cell(cell), marked_cell(cell), cell)
            there = board.cells[by] == cell
            return ("it is", _Item(value, value)) if there else (f"{name} links it to", self._entry(by))
        if template is None:
            if predicate == "excludes":
                return f"{its} has", _Item(value, value)
            if board.values[by] != board.values[atom]:
                return f"{unit} has", _Item(value, value)
            return f"{value} is already in", _Item(unit, unit)
        filled = {"this": value, "unit": unit, "its": its}
        if template.last == "that":
            item = self._entry(by)
        elif template.last == "there":
            item = _Item(marked_cell(cell), marked_cell(cell), cell)
        else:
            last = filled.get(template.last, template.last)
            item = _Item(last, last, template.cell)
        if "that" in template.front or "there" in template.front:
            filled |= {"that": words.entry(by), "there": marked_cell(cell)}
        texts = [filled.get(text, text) for text in template.front]
        return (wording.joined(texts) if template.joined else " ".join(texts)), item

    def _entry(self, by: int) -> _Item:
        value = self._words.instance.puzzle.kind.value_words(self._ground.values[by]) or self._words.name(by)[0]
        return _Item(self._words.entry(by), value)

    def _earlier(self, rule: int, atoms: Sequence[int], predicate: str) -> Iterator[ReasonClause]:
        """Yield that earlier steps ruled out candidates."""
        if atoms:
            numbers = sorted({self._steps[atom] for atom in atoms})
            several = len(numbers) > 1
            head = f"step{'s' * several} {listing(map(str, numbers), 'and')} rule{'s' * (not several)} out"
            if predicate == "excludes":
                names = (self._words.name(atom)[0].removeprefix("in ") for atom in atoms)
                values = sorted(names, key=lambda text: (len(text), text))
                yield ReasonClause(head, tuple(_Item(value, value) for value in values))
            else:
                yield ReasonClause(head, self._candidates(atoms, one_value=len(self._values(rule)) == 1))

    def _values(self, rule: int) -> set[object]:
        """Return the values that a rule is about."""
        return {self._ground.values[atom] for atom in self._ground.rules[rule].atoms}

    def _candidates(self, atoms: Sequence[int], *, one_value: bool) -> tuple[_Item, ...]:
        """Return candidates as a clause lists them: their cells, with their values unless all have the same one."""
        values: dict[Cell, set[str]] = {}
        for atom in atoms:
            values.setdefault(self._ground.cells[atom], set()).add(self._words.name(atom)[0])
        if one_value:
            return tuple(_Item(marked_cell(cell), marked_cell(cell), cell) for cell in sorted(values))
        where: dict[str, list[Cell]] = {}
        for cell, names in sorted(values.items()):
            where.setdefault(listing(sorted(names, key=lambda name: (len(name), name)), "and"), []).append(cell)
        texts = [f"{names} in {marked_cells(cells)}" for names, cells in where.items()]
        return tuple(_Item(text, text) for text in texts)


def reason_clause(clauses: Sequence[ReasonClause], longest: int) -> str:
    """Return clauses as a reason of at most `longest` characters: as many of the first ones as fit."""

    def shorter() -> Iterator[str]:
        yield from (_joined([clause.text(most) for clause in clauses]) for most in (None, _MOST_ITEMS))
        for number in range(len(clauses) - 1, 0, -1):
            yield f"{_joined([clause.text(_MOST_ITEMS) for clause in clauses[:number]])}{_OTHERS}"
        yield ""

    return spans.fitting(shorter(), longest)


def _joined(texts: Sequence[str]) -> str:
    if not texts:
        return ""
    *front, end = texts
    return f", because {', '.join(front)}{', and ' if front else ''}{end}"
