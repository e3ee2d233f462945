"""Unique layouts: new ones that leave exactly one answer, for puzzles without clues: strips, shaded numbers.

Answers are counted under the rules alone, as readers of the board know them: demands of `layout.lp` on the answer would
hide other answers.
"""

from __future__ import annotations

from itertools import product
from math import inf, prod
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.cores import minimal_subset
from pyasp_puzzles.boards.grid import grid_extent, grouped
from pyasp_puzzles.errors import PuzzleError
from pyasp_puzzles.generation import layouts
from pyasp_puzzles.generation.clues import clue_keys
from pyasp_puzzles.generation.layouts import LayoutSearch
from pyasp_puzzles.puzzles import questions
from pyasp_puzzles.puzzles.questions import Question
from pyasp_puzzles.queries.sessions import open_session_facts, session_choice_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from random import Random

    from clingo import Model, Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.generation.clues import Generated
    from pyasp_puzzles.generation.layouts import WantedLayout
    from pyasp_puzzles.model.puzzle import Instance

# Answers are counted up to here; layouts with more are equally bad: with 60, no Star Battle of 10x10 was found.
_MOST_ANSWERS_COUNTED = 600
# If there are at most so many layouts, all are tried.
_MOST_LAYOUTS_LISTED = 4096
# Changes of a layout without fewer answers, after which the search starts anew.
_MOST_VAIN_CHANGES = 400
# Changes of a board with one answer that bring none nearer to what is wanted, after which the search starts anew.
_MOST_FURTHER_CHANGES = 200
# Failed changes of a single place in a row after which squares are drawn anew instead: perhaps walls can only move, or
# regions only swap cells.
_MOST_REFUSED_CHANGES = 5


# The probability of keeping a change that brings more answers.
_WORSE = 0.05
# Such a change brings fewer than this many times the answers of before.
_TIMES_WORSE = 4
# Squares that are drawn anew before a search starts.
_DRAWN = 10
# Cells on a side of the squares that are drawn anew later.
_WINDOWS = (2, 3, 4)


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
        self._settings = settings
        puzzle = program.wanted.puzzle
        self._view = puzzle.view(puzzle.kind.generated_view)
        clues = {predicate.name for key in clue_keys(puzzle) for predicate in key.predicates}
        self._clues = {atom for atom in program.chosen if atom.name in clues}

    def count(self, chosen: set[Symbol], limit: int) -> int:
        """Return the number of answers of a layout, up to a limit; 0 if `layout.lp` does not allow it."""
        program = self._program
        assumed = [literal if atom in chosen else -literal for atom, literal in program.chosen.items()]
        return len(self._answers(chosen, limit)) if program.search.find(assumed, 1, bool) else 0

    def _answers(self, chosen: set[Symbol], limit: int) -> list[frozenset[Symbol]]:
        """Return the answers of a layout under the rules alone, up to a limit.

        Each layout is grounded by itself: 600 answers of a Yajilin of 10x10 take 0.1 s, and 0.5 s where layouts share
        a program in which their facts are open.
        """
        question = Question(self._view.outputs, given=self._view.shows, files=self._view.files, pruning="all")
        search = questions.ask(self._program.board([*chosen, *self._fixed]), self._settings, question)
        return search.find((), limit, _shown)

    def all(self, rng: Random) -> Iterator[Iterator[Instance]] | None:
        """Yield the layouts with one answer in random order, as `boards`; None if there are too many to try."""
        if prod(map(len, self._places)) > _MOST_LAYOUTS_LISTED:
            return None
        choices: list[set[Symbol]] = [set().union(*chosen) for chosen in product(*self._places)]
        rng.shuffle(choices)
        return (self.boards(chosen, rng) for chosen in choices if self.count(chosen, 2) == 1)

    def some(self, rng: Random, judge: Callable[[Iterator[Instance]], Generated | None]) -> Iterator[Generated]:
        """Yield layouts with one answer, without end: one place is changed at a time, while the answers get fewer.

        With one answer left, changes go on while the board, as it is judged, comes no farther from what is wanted. If
        places cannot change alone, squares are drawn anew in which answers differ.
        """
        names = {atom.name for atom in self._program.chosen}
        while True:
            layout = self._first
            for _ in range(_DRAWN):
                layout = self._program.changed(layout, rng)
            chosen = {atom for atom in layout if atom.name in names}
            found = self.count(chosen, _MOST_ANSWERS_COUNTED)
            best, idle, refused = found or inf, 0, 0
            answers: Sequence[frozenset[Symbol]] = ()  # those of the layout, if they are known
            nearest: Generated | None = None
            if found == 1 and (nearest := judge(self.boards(chosen, rng))) is not None:
                yield nearest
            while idle < (_MOST_VAIN_CHANGES if nearest is None else _MOST_FURTHER_CHANGES):
                worse = nearest is None and rng.random() < _WORSE
                most = int(min(_MOST_ANSWERS_COUNTED, best * _TIMES_WORSE if worse else best + 1))
                others: Sequence[frozenset[Symbol]] = ()
                if refused < _MOST_REFUSED_CHANGES:
                    other = self._changed(chosen, rng)
                    found = self.count(other, most)
                    refused = 0 if found else refused + 1
                else:  # as `layout.lp` allows
                    answers = answers or self._answers(chosen, _MOST_ANSWERS_COUNTED)
                    other = self._redrawn(chosen, answers, rng)
                    others = self._answers(other, most) if other != chosen else ()
                    found = len(others)
                idle = 0 if 0 < found < best else idle + 1
                if not found or (most <= found and best < _MOST_ANSWERS_COUNTED):
                    continue
                if found == 1 and other != chosen:
                    made = judge(self.boards(other, rng))
                    if made is None:
                        continue
                    yield made
                    if nearest is not None and made.distance > nearest.distance:
                        continue
                    idle = 0 if nearest is None or made.distance < nearest.distance else idle
                    nearest = made
                chosen, best, answers = other, found, others

    def boards(self, chosen: set[Symbol], rng: Random) -> Iterator[Instance]:
        """Yield the board of a layout with one answer, and the same without the clues that it does not need, if any."""
        board = self._program.board([*chosen, *self._fixed])
        yield board
        clues = rng.sample(sorted(chosen & self._clues), len(chosen & self._clues))
        if not clues:
            return
        given = f"{session_choice_rule(clues)}{self._view.shows}"
        names = {clue.name for clue in clues}
        question = Question(self._view.outputs, given=given, files=self._view.files, without=names)
        search = questions.ask(board, self._settings, question)
        literals = open_session_facts(search, {(clue.name, len(clue.arguments)) for clue in clues})

        def answers(some: Collection[Symbol]) -> list[frozenset[Symbol]]:
            return search.find([literal if clue in some else -literal for clue, literal in literals.items()], 2, _shown)

        answer = answers(clues)
        kept = minimal_subset(clues, lambda some: some if answers({*some}) == answer else None)
        if len(kept) < len(clues):
            yield self._program.board([*(chosen - self._clues), *kept, *self._fixed])

    def _changed(self, chosen: set[Symbol], rng: Random) -> set[Symbol]:
        """Return a layout with something else in one place, or nothing."""
        if not self._places:
            return chosen
        place = rng.choice(self._places)
        there = chosen & set().union(*place)
        others = [one for one in place if one != there]
        return (chosen - there) | rng.choice(others) if others else chosen

    def _redrawn(self, chosen: set[Symbol], answers: Sequence[frozenset[Symbol]], rng: Random) -> set[Symbol]:
        """Return a layout in which a square of cells is drawn anew, at a place where two of its answers differ."""
        one, other = rng.sample(answers, 2) if len(answers) > 1 else ((), ())
        places = sorted({cell for atom in {*one} ^ {*other} if (cell := layouts.first_cell(atom)) is not None})
        r, c = rng.choice(places or self._program.cells)
        side = rng.choice(_WINDOWS)
        found = self._program.redrawn(chosen, r - rng.randrange(side), c - rng.randrange(side), side)
        return {atom for atom in found if atom in self._program.chosen}


def unique_layouts(
    wanted: WantedLayout,
    cells: Collection[Cell],
    rng: Random,
    settings: Settings,
    judge: Callable[[Iterator[Instance]], Generated | None],
) -> Iterator[Generated]:
    """Yield random layouts with exactly one answer, as they are judged.

    Args:
        wanted: the layout.
        cells: its cells.
        rng: draws layouts.
        settings: the rules and the time limit.
        judge: judges the board with all clues, and the one without those that it does not need, if there are some; None
            if neither will do.

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
    other = "another size or more colors" if layouts.use_colors(wanted.puzzle) else "another size"
    raise PuzzleError(f"no board of {rows}x{columns} has exactly one answer; try {other}")


def _places(program: LayoutSearch) -> list[list[set[Symbol]]]:
    """Return what each open place of a layout may have: a color in a cell; a wall between two, or nothing."""
    whole = {key.fact for key in program.wanted.puzzle.keys if key.whole}
    unique = {one.name: one.unique for one in program.predicates}
    found = grouped(((atom.name, *atom.arguments[: unique[atom.name]]), atom) for atom in sorted(program.chosen))
    return [[{one} for one in some] + ([] if some[0].name in whole else [set()]) for some in found.values()]


def _shown(model: Model) -> frozenset[Symbol]:
    return frozenset(model.symbols(shown=True))
