"""Unique layouts: new ones that leave exactly one answer, where `layout.lp` chooses all that a board has.

Answers are those of the rules alone, as readers of the board know them: demands of `layout.lp` on the answer would hide
other answers.
"""

from __future__ import annotations

from itertools import product
from math import inf, prod
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import grid_extent, grouped
from pyasp_puzzles.errors import PuzzleError
from pyasp_puzzles.generation.clue_search import first_cell
from pyasp_puzzles.generation.layouts import LayoutSearch, layouts_use_colors
from pyasp_puzzles.puzzles.question import Question, ask_clingo
from pyasp_puzzles.queries.sessions import open_session_facts, session_choice_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from random import Random

    from clingo import Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.generation.layouts import WantedLayout
    from pyasp_puzzles.model.generated import Generated
    from pyasp_puzzles.model.puzzle import Instance

# If there are at most so many layouts, all are tried.
_MOST_LAYOUTS_LISTED = 4096
# Changes of a layout with which no less is undecided, after which the search starts anew.
_MOST_VAIN_CHANGES = 100
# Changes of a board with one answer that bring none nearer to what is wanted, after which the search starts anew.
_MOST_FURTHER_CHANGES = 200
# The probability of keeping a change that leaves more undecided.
_WORSE = 0.05
# Squares that are drawn anew before a search starts.
_DRAWN = 10
# Cells on a side of the squares that are drawn anew later.
_WINDOWS = (1, 2, 3, 4)


class _UniqueLayoutSearch:
    """The layouts of some cells, and the number of answers of each under the rules alone.

    Args:
        program: the program of `layout.lp`.
        first: the atoms of a layout.
        settings: the rules and the time limit.

    Raises:
        EncodingError: the rules cannot be read or grounded.
        OutOfTime: grounding did not end in time; every question raises this, too.
    """

    def __init__(self, program: LayoutSearch, first: set[Symbol], settings: Settings) -> None:
        self._program, self._first = program, first
        self._fixed = [atom for atom, literal in program.atoms.items() if not literal]
        self._places = _places(program)
        board = program.board(first)
        puzzle = board.puzzle
        kept = {one.name for one in (puzzle.cell, *puzzle.lines) if one} | program.defaults.keys()
        arities = {one.name: len(one.arguments) for one in program.predicates if one.name not in kept}
        choices = [atom for atom in program.chosen if atom.name in arities]
        lines = [*(f"{atom}." for atom in self._fixed if atom.name in arities), session_choice_rule(choices)]
        view = puzzle.view(puzzle.kind.generated_view)
        question = Question(view.outputs, given="\n".join([*lines, view.shows]), files=view.files, without=arities)
        # Random answers differ in more atoms.
        self._rules = ask_clingo(board, settings._replace(seed=program.seed), question)
        self._rules.check()
        self._literals = open_session_facts(self._rules, arities.items())
        outputs = self._rules.literals(view.signatures())
        self._names = {literal: atom for atom, literal in outputs.items() if literal}
        """{literal of an atom of an answer: the atom}"""

    def _unique(self, chosen: set[Symbol]) -> bool:
        """Return whether `layout.lp` allows a layout, and it has one answer."""
        allowed = [literal if atom in chosen else -literal for atom, literal in self._program.chosen.items()]
        found = self._program.search.find(allowed, 1, bool)
        return bool(found) and len(self._rules.find(self._assumed(chosen), 2, bool)) == 1

    def all(self, rng: Random) -> Iterator[Instance] | None:
        """Return the boards with one answer in random order; None if there are too many layouts to try."""
        if prod(map(len, self._places)) > _MOST_LAYOUTS_LISTED:
            return None
        layouts: list[set[Symbol]] = [set().union(*chosen) for chosen in product(*self._places)]
        rng.shuffle(layouts)
        return (self.board(chosen) for chosen in layouts if self._unique(chosen))

    def some(self, rng: Random, judge: Callable[[Instance], Generated | None]) -> Iterator[Generated]:
        """Yield layouts with one answer, without end: squares in which answers differ are drawn anew.

        A change is kept if no more is undecided. With one answer left, changes go on while the board, as it is judged,
        comes no farther from what is wanted.
        """
        while True:
            layout = self._first
            for _ in range(_DRAWN):
                layout = self._program.changed(layout, rng)
            undecided = self._undecided(layout, inf)
            idle = 0
            nearest = judge(self.board(layout)) if not undecided else None
            if nearest is not None:
                yield nearest
            while idle < (_MOST_VAIN_CHANGES if nearest is None else _MOST_FURTHER_CHANGES):
                places = [cell for atom in sorted(undecided) if (cell := first_cell(atom)) is not None]
                r, c = rng.choice(places or self._program.cells)
                side = rng.choice(_WINDOWS)
                other = self._program.redrawn(layout, r - rng.randrange(side), c - rng.randrange(side), side)
                idle += 1
                if self._assumed(other) == self._assumed(layout):
                    layout = other  # its answer may have changed
                    continue
                worse = nearest is None and rng.random() < _WORSE
                left = self._undecided(other, inf if worse else len(undecided))
                if len(left) > len(undecided) and not worse:
                    continue
                if not left:
                    made = judge(self.board(other))
                    if made is None:
                        continue
                    yield made
                    if nearest is not None and made.distance > nearest.distance:
                        continue
                    idle = 0 if nearest is None or made.distance < nearest.distance else idle
                    nearest = made
                idle = 0 if len(left) < len(undecided) else idle
                layout, undecided = other, left

    def _undecided(self, layout: set[Symbol], most: float) -> set[Symbol]:
        """Return the atoms in which answers of a layout differ, some if more than `most`; all if it has no answer."""
        assumed, names = self._assumed(layout), self._names
        found: set[Symbol] = set()
        left: set[int] | None = None
        while len(found) <= most:
            guards = [] if left is None else [self._rules.forbid(sorted(left))]
            true = self._rules.find([*guards, *assumed], 1, lambda model: {*filter(model.is_true, names)})
            self._rules.settle([-guard for guard in guards])
            if not true:
                return {*names.values()} if left is None else found
            other = {literal if literal in true[0] else -literal for literal in names}
            new = set() if left is None else left - other
            left = other if left is None else left - new
            found |= {names[abs(literal)] for literal in new}
        return found

    def board(self, layout: Collection[Symbol]) -> Instance:
        """Return the board of a layout."""
        return self._program.board([*(atom for atom in layout if atom in self._literals), *self._fixed])

    def _assumed(self, layout: Collection[Symbol]) -> list[int]:
        """Return literals to assume for a layout."""
        return [literal if atom in layout else -literal for atom, literal in self._literals.items()]


def unique_layouts(
    wanted: WantedLayout,
    cells: Collection[Cell],
    rng: Random,
    settings: Settings,
    judge: Callable[[Instance], Generated | None],
) -> Iterator[Generated]:
    """Yield random layouts with exactly one answer, as they are judged.

    Args:
        wanted: the layout.
        cells: its cells.
        rng: draws layouts.
        settings: the rules and the time limit.
        judge: judges a board with all clues; None if it will not do.

    Raises:
        PuzzleError: there is none, or no more.
        OutOfTime: time ran out.
    """
    program = LayoutSearch(wanted, cells, settings._replace(seed=rng.randrange(2**32)))
    # With more rules, what `layout.lp` calls impossible may be possible.
    known = not settings.edited and not wanted.variants and program.search.facts("impossible", 0)
    first = None if known else program.first()
    if first is not None:
        search = _UniqueLayoutSearch(program, first, settings)
        listed = search.all(rng)
        yield from search.some(rng, judge) if listed is None else filter(None, map(judge, listed))
    rows, columns = grid_extent(cells)
    other = "another size or more colors" if layouts_use_colors(wanted.puzzle) else "another size"
    raise PuzzleError(f"no board of {rows}x{columns} has exactly one answer; try {other}")


def _places(program: LayoutSearch) -> list[list[set[Symbol]]]:
    """Return what each open place of a layout may have: a color in a cell; a wall between two, or nothing."""
    whole = {key.fact for key in program.wanted.puzzle.keys if key.whole}
    unique = {one.name: one.unique for one in program.predicates}
    found = grouped(((atom.name, *atom.arguments[: unique[atom.name]]), atom) for atom in sorted(program.chosen))
    return [[{one} for one in some] + ([] if some[0].name in whole else [set()]) for some in found.values()]
