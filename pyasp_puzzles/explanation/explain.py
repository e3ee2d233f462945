"""Explanations: from the clues to the answer, step by step, each by the few rules and cells that force it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.asp.symbols import negated
from pyasp_puzzles.boards.grid import cells as cells_of
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.explanation.cores import Larger, smallest_clash
from pyasp_puzzles.explanation.deduction import Deduction, Finding
from pyasp_puzzles.explanation.ground_rules import cover, ground
from pyasp_puzzles.explanation.peeling import peel
from pyasp_puzzles.explanation.sentences import Telling
from pyasp_puzzles.formats.load import instance_of
from pyasp_puzzles.puzzles.step import OUT_OF_TIME, Sketch, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clingo import Symbol

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.formats.load import InstanceLike
    from pyasp_puzzles.puzzles.puzzle import Answer, Instance


def explain(instance: InstanceLike, settings: Settings = DEFAULT, so_far: Answer | None = None) -> Iterator[Step]:
    """Yield the steps that lead from the clues to the answer, each as soon as it is found.

    The smallest step comes next: the one with the fewest rules, and of these with the fewest cells. What follows from a
    placement by one rule and nothing else belongs to it. Eliminations come just before the placement that they serve.
    The last step, of the kind "end", says how it ends: in the answer (its status is "unique"); in what is decided, as
    there are several; in a contradiction, and which rules and clues cannot hold together ("none").

    Args:
        instance: the board.
        settings: how to search, and what with.
        so_far: numbers that are filled in already, and right.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    instance = instance_of(instance, settings)
    steps = peel if instance.puzzle.peeled else _Explanation
    try:
        yield from steps(instance, settings, so_far)
    except OutOfTime:  # before there was a step
        yield Step(1, "end", OUT_OF_TIME, status="unknown")


class _Draft(NamedTuple):
    """A step that was found, and is not told yet."""

    finding: Finding
    known: dict[int, bool]
    """What it rests on, of the atoms of its rules."""
    by: dict[int, list[int]]
    """Of those that do not hold plainly: the atoms that hold and rule them out."""


class _Explanation:
    """The steps of an instance."""

    def __init__(self, instance: Instance, settings: Settings, so_far: Answer | None = None) -> None:
        settings = settings.started()
        self._instance, self._settings = instance, settings
        self._deadline = settings.deadline()
        self._board = ground(instance, settings)
        self._deduction = Deduction(self._board, self._deadline)
        self._telling = Telling(self._board, instance)
        self._decides = instance.puzzle.kind.decides
        self._larger: Larger | None = None
        sketcher = instance.puzzle.view().sketcher
        usable = self._board.search.usable
        self._sketcher = sketcher(instance, self._board.search) if sketcher and usable else None
        self._drafts: list[_Draft] = []
        self._origin: dict[int, int] = {}
        """The draft by which an atom is known; none for what is known from the start, or by a plain consequence."""
        self._by: dict[int, list[int]] = {}
        """The atoms that hold of which it is a plain consequence that an atom does not."""
        self._numbers: dict[int, int] = {}
        """The number of the step that tells a draft, once it is told."""
        self._told: dict[int, bool] = {}
        """What is known by the steps that were told."""
        self._count = 0
        self._fresh = 0
        """The first draft since the last placement that was told: what others rest on may be simpler by now."""
        self._start = self._said(so_far) if so_far is not None and usable else []

    def __iter__(self) -> Iterator[Step]:
        steps = self._steps() if self._board.search.usable else iter([self._end(None)])
        yield replace(next(steps), warnings=tuple(self._board.search.warnings))
        yield from steps

    def _steps(self) -> Iterator[Step]:
        for atom in [*self._clues(), *self._start]:
            self._learn(atom, None)
        self._told = dict(self._deduction.known)
        while (finding := self._next()) is not None:
            draft = self._draft(finding)
            if not finding.conclusions or finding.conclusions[-1] > 0 or self._decides:
                untold = sorted(self._untold(draft))
                if untold[0] < self._fresh:
                    self._forget()
                    continue
                yield from map(self._step, untold)
                self._fresh = len(self._drafts)
            if not finding.conclusions:
                break
            for literal in finding.conclusions:
                self._learn(literal, draft)
        yield self._end(finding)

    def _said(self, so_far: Answer) -> list[int]:
        """Return the literals that what is filled in says."""
        atoms = {symbol: atom for atom, symbol in self._board.symbols.items()}
        entries = self._instance.puzzle.kind.entries(self._instance, so_far, self._board.search, so_far=True)
        holding = [atoms[atom] for entry in entries for atom in entry.holds if atom in atoms]
        failing = [-atoms[atom] for entry in entries for atom in entry.fails if atom in atoms]
        return holding + (failing if self._decides else [])

    def _clues(self) -> Iterator[int]:
        """Yield what clues force, each alone."""
        for number, rule in enumerate(self._board.rules):
            if rule.clue:
                yield from (literal for literal in self._deduction.alone(number) if literal > 0)

    def _next(self) -> Finding | None:
        try:
            found = self._deduction.smallest()
            if found is None:
                self._deadline.check()
                if self._larger is None:
                    self._larger = Larger(self._instance, self._deduction, self._settings)
                found = self._larger.find()
            self._deadline.check()
        except OutOfTime:
            return None
        return found

    def _learn(self, literal: int, draft: int | None) -> None:
        """Take down that a literal holds, and what follows plainly."""
        known = self._deduction.known
        if abs(literal) not in known:
            self._deduction.learn(literal)
            if draft is not None:
                self._origin[abs(literal)] = draft
        if literal > 0:
            for plain in map(abs, self._deduction.plain(literal)):
                self._by.setdefault(plain, []).append(literal)
                if plain not in known:
                    self._deduction.learn(-plain)
                elif not known[plain] and self._origin.get(plain) not in self._numbers:
                    self._origin.pop(plain, None)

    def _draft(self, finding: Finding) -> int:
        cells = set(finding.cells)
        atoms = {atom for rule in finding.rules for atom in self._board.rules[rule].atoms}
        known = {atom: value for atom, value in self._deduction.known.items() if atom in atoms}
        known = {atom: value for atom, value in known.items() if self._board.cells[atom] in cells}
        by = {atom: list(self._by[atom]) for atom in known.keys() & self._by.keys() if not known[atom]}
        self._drafts.append(_Draft(finding, known, by))
        return len(self._drafts) - 1

    def _untold(self, draft: int) -> set[int]:
        """Return a draft, and those that it rests on, as far as they are not told."""
        found: set[int] = set()
        left = {draft}
        while left:
            one = left.pop()
            if one not in found and one not in self._numbers:
                found.add(one)
                left |= {self._origin.get(atom, one) for atom in self._drafts[one].known}
        return found

    def _forget(self) -> None:
        """Know only what was told."""
        self._deduction = Deduction(self._board, self._deadline)
        for atom, holds in self._told.items():
            self._deduction.learn(atom if holds else -atom)
        self._origin = {atom: draft for atom, draft in self._origin.items() if draft in self._numbers}
        self._larger = self._larger and self._larger.again(self._deduction)

    def _step(self, draft: int) -> Step:
        """Return the step that a draft is, and count what it says as told."""
        (rules, cells, conclusions), known, by = self._drafts[draft]
        self._count += 1
        self._numbers[draft] = self._count
        before = {cell: self._left(cell) for cell in cells}
        placed = [literal for literal in conclusions if literal > 0]
        eliminated = [-literal for literal in conclusions if literal < 0]
        plain = [a for p in placed for a in map(abs, self._deduction.plain(p)) if a not in self._told]
        self._told.update(dict.fromkeys(placed, True) | dict.fromkeys([*eliminated, *plain], False))
        marked = {self._board.cells[atom] for atom in [*placed, *eliminated]}
        holding = cover(by[atom] for atom in by if atom not in self._origin)
        seen = sorted({self._board.cells[atom] for atom in [*holding, *(atom for atom in known if known[atom])]})
        after = {self._numbers[self._origin[atom]] for atom in known if atom in self._origin}
        told = {self._board.symbols[atom]: self._meaning(atom) for atom in [*placed, *eliminated, *plain]}
        for cell in cells:
            told |= {self._board.symbols[atom]: self._meaning(atom) for atom in self._deduction.atoms_of[cell]}
        told |= {atom: (cell, name) for cell in before for atom in before[cell] if (name := self._unshaded(atom))}
        return Step(
            self._count,
            "placement" if placed else "elimination" if eliminated else "contradiction",
            self._telling.step(rules, known, conclusions),
            tuple(self._board.rules[rule].name for rule in rules),
            cells,
            self._symbols(placed),
            self._symbols(eliminated),
            self._symbols(dict.fromkeys(plain)),
            before,
            tuple(seen),
            tuple(sorted(after)),
            meaning=told,
            sketch=self._sketch(marked, {*cells, *seen}),
            sketcher=self._sketcher,
        )

    def _sketch(self, marked: set[Cell], resting: set[Cell]) -> Sketch:
        left = {cell: self._left(cell) for cell in marked | resting}
        holding = self._symbols(atom for atom, value in self._told.items() if value)
        return Sketch(holding, left, marked, resting - marked, self._excluded(self._told))

    def _excluded(self, known: Mapping[int, bool]) -> tuple[Symbol, ...]:
        return self._symbols(atom for atom, value in known.items() if not value) if self._decides else ()

    def _meaning(self, atom: int) -> tuple[Cell, object]:
        return self._board.cells[atom], self._board.values[atom]

    def _unshaded(self, atom: Symbol) -> object:
        """Return what a cell is called of which an atom says that it is not so; None if the atom says anything else."""
        return self._instance.puzzle.kind.name((0, 0), None, holds=False)[0] if atom.negative else None

    def _symbols(self, atoms: Iterable[int]) -> tuple[Symbol, ...]:
        return tuple(self._board.symbols[atom] for atom in atoms)

    def _left(self, cell: Cell) -> tuple[Symbol, ...]:
        """Return what may still hold in a cell, by what was told."""
        atoms = self._deduction.atoms_of[cell]
        if self._decides:
            [atom], [symbol] = atoms, self._symbols(atoms)
            may = (symbol,) if self._told.get(atom, True) else ()
            return may if self._told.get(atom) else (*may, negated(symbol))
        holds = [atom for atom in atoms if self._told.get(atom)]
        return tuple(sorted(self._symbols(holds or [atom for atom in atoms if self._told.get(atom, True)])))

    def _end(self, last: Finding | None) -> Step:
        """Return the last step: how it ends."""
        if last is not None:
            return self._clash()
        searches = [self._board.search, *([self._larger.search] if self._larger else [])]
        late = self._deadline.late() or any(search.timed_out for search in searches)
        open_ = sorted({self._board.cells[atom] for atom in self._board.symbols.keys() - self._deduction.known.keys()})
        status = "unknown" if late else "several" if open_ else "unique"
        words = {
            "unknown": OUT_OF_TIME,
            "several": f"Nothing more is decided: there are several answers, which differ in {cells_of(len(open_))}.",
            "unique": "That is the answer, and there is no other.",
        }[status]
        known = self._symbols(atom for atom, value in self._deduction.known.items() if value)
        sketch = Sketch(known, {}, (), (), self._excluded(self._deduction.known))
        abandoned = any(search.abandoned for search in searches)
        return Step(
            self._count + 1,
            "end",
            words,
            status=status,
            abandoned=abandoned,
            sketch=sketch,
            sketcher=self._sketcher,
        )

    def _clash(self) -> Step:
        """Return the last step where there is no answer: a small set of rules and clues that cannot hold together."""
        rules = smallest_clash(self._board)
        clues = [rule for rule in rules if rule.clue]
        rules = [*clues, *(rule for rule in rules if not rule.clue)]
        cells = {self._board.cells[atom] for rule in clues for atom in rule.atoms}
        words = self._telling.clash(rules) if rules else "There is no answer."
        return Step(
            self._count + 1,
            "end",
            words,
            tuple(rule.name for rule in rules),
            tuple(sorted(cells)),
            status="none" if rules else "unknown",
            sketch=Sketch((), {}, (), cells),
            sketcher=self._sketcher,
        )
