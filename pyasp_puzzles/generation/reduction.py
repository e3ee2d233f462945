"""Reductions: leaving out clues while one answer remains: a minimal set, the fewest, or a set of a wanted grade.

Reduction  Reduction(program, answer, units, wish, settings): the clues of one answer, in the order they are left out

Where it takes long to prove that a clue is not needed, as among sums of many cells, clues are left out on trial: half
of them at once, then a quarter, and so on. One proof shows that none of them is needed, and where many are left out,
another answer is soon found.
"""

from __future__ import annotations

from bisect import bisect_left
from math import inf
from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pyasp_puzzles.asp.cores import ClueHittingSet
from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.generation.clues import (
    Generated,
    Wish,
    clue_cells,
    clues_of_board,
    covering_keys,
    unit_facts,
    with_clues,
)
from pyasp_puzzles.model.grades import GRADES
from pyasp_puzzles.model.keys import Key, KeyRange
from pyasp_puzzles.puzzles import questions
from pyasp_puzzles.puzzles.questions import Question
from pyasp_puzzles.queries.solve import has_one_answer, other_answers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.generation.clue_search import AnswerLiterals, ClueSearch
    from pyasp_puzzles.generation.clues import Unit
    from pyasp_puzzles.model.puzzle import Instance

# -- Trials --------------------------------------------------------------------------------------------------------

# Conflicts after which it stays open for now whether some clues are needed; those that are open at the end are asked
# about again. Of eight proofs for 14 to 19 little killers, all took up to 22 000.
_MOST_CONFLICTS = (20_000, 50_000)
# Fewer clues are left out one by one: near the end, most are needed.
_FEWEST_HALVED = 4
# Conflicts of all questions that are given up, after which the clues that are still open remain: some 15 s.
_MOST_CONFLICTS_IN_ALL = 300_000

# Returns whether some units leave another answer; None if that is open after so many conflicts.
_Several: TypeAlias = "Callable[[Sequence[Unit], int], bool | None]"


def thinned(
    every: Sequence[Unit],
    units: Collection[Unit],
    several: _Several,
    stays: Callable[[Unit, Sequence[Unit]], bool],
) -> tuple[list[Unit], list[Unit], bool]:
    """Return the units that remain, those that are perhaps not needed, and whether it was proven that they do.

    Args:
        every: units that leave one answer.
        units: those that may go.
        several: asks whether some units leave another answer; when it raises `OutOfTime`, this ends.
        stays: tells whether a unit is wanted among others, even if it is not needed.
    """
    kept, left, proven, spent = [*every], {*units}, False, 0
    loose: set[frozenset[Unit]] = set()  # units that leave several answers
    for most in _MOST_CONFLICTS:
        groups: list[Sequence[Unit]] = [[unit for unit in kept if unit in left]]
        while groups and spent <= _MOST_CONFLICTS_IN_ALL:
            group = groups.pop()
            rest = _without(group, kept, stays)
            here = frozenset(rest)
            try:
                is_known = (
                    len(rest) == len(kept)
                    or here in loose
                    or (len(group) > 1 and any(here < smaller for smaller in loose))
                )
                is_several = is_known or several(rest, most)
            except OutOfTime:
                return kept, [unit for unit in kept if unit in left], proven
            if is_several is False:
                kept, proven = rest, True
            elif len(group) > 1:
                groups += _parts(group)
            elif is_several:
                left.difference_update(group)
            spent += most if is_several is None else 0
            loose |= {here} if is_several and len(rest) < len(kept) else set()
    return kept, [unit for unit in kept if unit in left], proven


def _without(group: Sequence[Unit], kept: Sequence[Unit], stays: Callable[[Unit, Sequence[Unit]], bool]) -> list[Unit]:
    """Return the units that are kept if those of a group go that may."""
    rest = [*kept]
    for unit in group:
        if not stays(unit, rest):
            rest.remove(unit)
    return rest


def _parts(group: Sequence[Unit]) -> list[Sequence[Unit]]:
    """Return the halves of a group, or each unit of a small one, the first part last."""
    size = (len(group) + 1) // 2 if len(group) >= _FEWEST_HALVED else 1
    return [group[i : i + size] for i in range(0, len(group), size)][::-1]


# -- Reductions ----------------------------------------------------------------------------------------------------

# Conflicts after which it stays open for now whether a clue is needed: boards with few numbers and many sums can take
# minutes. These clues are left out on trial.
_MOST_CONFLICTS_OF_CLUE = 2000

# Random orders in which givens are left out of an easy board.
_ORDERS = 8
# The share of the remaining time for the search for the fewest clues, without a grade and with one; the rest is for
# checking and grading the board.
_FEWEST_SHARE, _FEWEST_SHARE_GRADED = 0.9, 0.5


class Reduction(NamedTuple):
    """Leaves out as many clues of an answer as wanted."""

    program: ClueSearch
    """The boards of the layout."""
    answer: AnswerLiterals
    units: Sequence[Unit]
    """The units of all clues, in the order in which they are left out."""
    wish: Wish
    settings: Settings
    """The rules and the time limit."""
    hurry: bool = False
    """Whether to stop grading boards that are surely too hard, and to skip those that are surely too easy."""
    graded: bool = False
    """Whether there is a graded board already; otherwise, none is skipped."""
    more: Sequence[Unit] = ()
    """Further units, which are not needed for one answer but may be for a grade."""
    needs: Callable[[Unit, Sequence[Unit]], bool] | None = None
    """Returns whether a unit is known to be needed among others.

    Given if the units are known to leave one answer: when time runs out, those that remain then make a board."""
    why: str = ""
    """Why the board may lack what is wanted, if that is known."""

    def board(self) -> Generated | None:
        """Return the board with fewer clues, as wanted; None if all clues together do not leave one answer.

        Raises:
            OutOfTime: time ran out.
        """
        wish = self.wish
        if (minimal_units := self._minimal()) is None:
            return None
        kept, untested, proven = self._tested(*minimal_units)
        tested = {*kept}
        bound = None
        others: list[Unit] = []
        if wish.fewest:
            kept, bound = self._fewest(kept)
        else:
            needed = set(kept)
            others = [unit for unit in self.units if unit not in needed]
        for name, span in wish.spans(self.program.keys):
            missing = [unit for unit in reversed(others) if self._key(unit).name == name]
            while (
                missing and _number([unit_kept for unit_kept in kept if self._key(unit_kept).name == name]) < span.low
            ):
                kept = [*kept, missing.pop(0)]
                others.remove(kept[-1])
        if wish.clues is not None:
            for unit in self._added(kept, [*reversed(others), *self.more]):
                kept = [*kept, unit] if _number(kept) + _number([unit]) <= wish.clues else kept
            others = []
        # What single rules solve is easy or medium.
        if self.hurry and self.graded and wish.grade not in {None, *GRADES[:2]} and self._is_easy(kept):
            return self._judged(self._with(kept))._replace(final=True)
        return self._finished(kept, untested, others, bound, proven=proven and {*kept} == tested)

    def _finished(
        self, kept: list[Unit], untested: Collection[Unit], others: list[Unit], bound: int | None, *, proven: bool
    ) -> Generated | None:
        """Return the board of some units, graded if a grade is wanted; None if it has several answers."""
        wish, board = self.wish, self._with(kept)
        # Where clues only put numbers in cells, assumptions are as good; a check would take a fifth of the time.
        single = proven or self.program.all_direct or self._has_one_answer(board)
        if single is False:
            return None
        made = self._judged(board, bound=bound, untested=untested)._replace(late=single is None)
        if wish.grade is None or made.late:
            return made
        try:
            nearest = self._of_grade(wish.grade, kept, self._added(kept, [*others, *self.more]), bound)
            return nearest or made._replace(final=wish.grade == GRADES[0])
        except OutOfTime:
            return made._replace(late=True)

    def _has_one_answer(self, board: Instance) -> bool | None:
        """Return whether a board has one answer; None if time runs out, but the units are known to leave one."""
        try:
            return has_one_answer(board, self.settings)
        except OutOfTime:
            if self.needs is None:
                raise
            return None

    def _key(self, unit: Unit) -> Key:
        return self.program.key_of(unit[0])

    def _must_stay(self, unit: Unit, kept: Sequence[Unit]) -> bool:
        """Return whether a unit is wanted, even if it is not needed."""
        key = self._key(unit)
        if self.wish.cover and key in covering_keys(self.program.keys):
            return True
        least = self.wish.needs(key)
        return least > 0 and _number([other for other in kept if self._key(other) == key]) - len(unit) < least

    def _added(self, kept: Sequence[Unit], others: Sequence[Unit]) -> list[Unit]:
        """Return the units that may be added: clues of variants first, and no more of a key than are wanted."""
        addable: list[Unit] = []
        for unit in sorted(others, key=lambda unit: not self._key(unit).kind.pictured):
            key = self._key(unit)
            most = dict(self.wish.spans([key])).get(key.name, KeyRange(0, "cells")).high
            there = _number([other for other in (*kept, *addable) if self._key(other) == key])
            if not isinstance(most, int) or there + len(unit) <= most:
                addable.append(unit)
        return addable

    def _eased(self, minimal: Sequence[Unit], others: Sequence[Unit]) -> tuple[Sequence[Unit], Sequence[Unit]]:
        """Return units that leave an easy board if all do, and the rest: givens go before clues of variants."""
        every = [*minimal, *others]
        pictured = {unit: self._key(unit).kind.pictured for unit in every}
        if not any(pictured.values()) or not self._is_easy(every):
            return minimal, others
        givens = [unit for unit in every if not pictured[unit]]
        rng = Random(0)  # noqa: S311 (no secret)
        orders = [givens, *(rng.sample(givens, len(givens)) for _ in range(_ORDERS - 1))]
        # Which givens can go depends on the order: the fewest are kept.
        kept = min((self._easy_without(order, every) for order in orders), key=_number)
        kept = self._easy_without([unit for unit in kept if pictured[unit]], kept)
        return kept, [unit for unit in others if unit not in kept]

    def _easy_without(self, units: Sequence[Unit], kept: Sequence[Unit]) -> Sequence[Unit]:
        """Return the kept units without those that an easy board can lack, of some units that are tried in order."""
        for unit in units:
            rest = [other for other in kept if other is not unit]
            if not self._must_stay(unit, kept) and self._is_easy(rest):
                kept = rest
        return kept

    def _with(self, units: Collection[Unit]) -> Instance:
        clues = [clue for unit in units for clue in unit]
        return with_clues(self.program.board, clues, self.program.keys)

    def _fewest(self, kept: Sequence[Unit]) -> tuple[list[Unit], int]:
        """Return the units with the fewest clues that were found in time, and how many clues are needed at least."""
        program, units = self.program, self.units
        if not program.admits(self.answer, ()):
            return [*kept], 0  # clues are not only hints here: without some of them, the answer is wrong
        share = _FEWEST_SHARE if self.wish.grade is None else _FEWEST_SHARE_GRADED
        reserved = self.settings._replace(timeout=Deadline(self.settings.deadline().left() * share))
        program.timed(reserved)
        with program.other_than(self.answer) as other:

            def another(chosen: Sequence[int]) -> AnswerLiterals | None:
                clues = unit_facts([units[i] for i in chosen])
                return program.another([other, *program.assertion(clues), *program.absent(set(clues))])

            def has(answer: AnswerLiterals, i: int) -> bool:
                return all(program.allows(answer, fact) for fact in unit_facts([units[i]]))

            weights = {i: len(unit) for i, unit in enumerate(units)}
            search = ClueHittingSet(weights, another, has, [i for i, unit in enumerate(units) if unit in kept])
            search.run(reserved)
        program.timed(self.settings)
        return [units[i] for i in search.best], search.bound

    def _of_grade(
        self, wanted: str, minimal: Sequence[Unit], others: Sequence[Unit], bound: int | None
    ) -> Generated | None:
        """Return the graded board whose grade is nearest to the wanted one; None if none has a grade."""
        if wanted == GRADES[0]:
            minimal, others = self._eased(minimal, others)
        graded = self._graded(wanted, minimal, others)
        board, word = min(graded, key=lambda of_board: _distance(of_board[1], wanted), default=(None, ""))
        if board is None or not word or not has_one_answer(board, self.settings):
            return None
        few = len(clues_of_board(board, self.program.keys)) == _number(minimal)
        final = is_harder(word, wanted) if wanted == GRADES[0] else few and is_harder(wanted, word)
        return self._judged(board, word, bound)._replace(final=final)

    def _is_easy(self, units: Collection[Unit]) -> bool:
        return self.program.propagates(set(unit_facts(units)), self.answer)

    def _judged(
        self, board: Instance, grade: str = "", bound: int | None = None, untested: Collection[Unit] = ()
    ) -> Generated:
        made = judged(board, self.wish, self.settings, grade, bound=bound, keys=self.program.keys)
        needed = self.wish.grade is None and not untested and self._has_too_many(board)
        why = self.why or ("each is needed" if needed else "")
        missed = f"{made.missed}: {why}" if made.missed and why else made.missed
        return made._replace(missed=missed, untested=_number(untested))

    def _has_too_many(self, board: Instance) -> bool:
        """Return whether a board has more clues than wanted."""
        keys, wish = self.program.keys, self.wish
        spans = [(name, span.high) for name, span in wish.spans(keys)]
        there = {key.name: len(clues_of_board(board, [key])) for key in keys}
        most = sum(there.values()) if wish.clues is None else wish.clues
        return sum(there.values()) > most or any(isinstance(high, int) and there[name] > high for name, high in spans)

    def _minimal(self) -> tuple[list[Unit], list[Unit]] | None:
        """Return what `minimal` does."""
        if self.needs is None:
            # It may take long with sums, because their consequences are not loaded.
            hard = any(key.kind.together for key in self.program.keys)
            most = _MOST_CONFLICTS_OF_CLUE if hard else None
            return minimal(self.program, self.answer, self.units, most, self._must_stay)
        return [*self.units], [unit for unit in self.units if not self.needs(unit, self.units)]

    def _tested(self, kept: Sequence[Unit], unsure: Sequence[Unit]) -> tuple[list[Unit], list[Unit], bool]:
        """Return the units that remain, those not known to be needed, and whether they are known to leave one answer.

        Each choice of units is asked about on a board of its own, with the consequences of the rules.
        """
        # If no unit is known to be needed, neither is it that all leave one answer.
        proven_before = len(unsure) < len(kept)
        atoms = self.program.atoms(self.answer)

        def several(units: Sequence[Unit], most: int) -> bool | None:
            others, complete = other_answers(self._with(units), atoms, self.settings, 1, most)
            if not others and self.program.chosen and not self.program.admits(self.answer, {*unit_facts(units)}):
                return True  # an absent clue rules out the answer itself
            return True if others else (False if complete else None)

        # After the givens, clues of many cells go first: those of few make proofs short. Little killers: 14 s, not 27.
        order = sorted(kept, key=lambda unit: (self._key(unit).kind.pictured, -sum(map(len, unit))))
        kept, untested, proven = thinned(order, unsure, several, self._must_stay)
        if not proven and self.needs is None and self.settings.deadline().late():
            if not proven_before:
                raise OutOfTime
            proven = True
        return kept, untested, proven

    def _graded(self, wanted: str, minimal: Sequence[Unit], others: Sequence[Unit]) -> list[tuple[Instance, str]]:
        """Return the boards that were graded on the way to one of the wanted grade; the last one has it, if any has.

        Each further clue makes a board easier, more or less, so the number of clues to add is found by bisection.

        Args:
            wanted: the word of the grade.
            minimal: clues that leave one answer.
            others: further clues, in the order in which they are added.

        Raises:
            OutOfTime: time ran out before a board was graded.
        """
        from pyasp_puzzles.explanation.grade import grade_word

        hurry = self.hurry and not self.wish.fewest  # there is hardly time for a second board
        rank = GRADES.index(wanted)
        scale = self.program.board.puzzle.grades
        limit = dict[str, float](scale.limits).get(wanted, inf) if scale and hurry else inf
        most = bisect_left(range(len(others)), x=True, key=lambda i: self._is_easy([*minimal, *others[:i]]))
        # One clue fewer than an easy board needs usually makes it just harder than easy.
        added = {0: most, 1: max(0, most - 1)}.get(rank, 0)
        boards: list[tuple[Instance, str]] = []
        low, high = 0, most - 1 if rank and hurry else most
        while True:
            board = self._with([*minimal, *others[:added]])
            try:
                word = grade_word(board, self.settings, limit)
            except OutOfTime:
                if boards:
                    return boards
                raise
            if word is not None:
                boards.append((board, word))
            level = GRADES.index(word) if word in GRADES else len(GRADES)
            if level == rank:
                return boards
            if level < rank:
                high = added - 1
            else:
                low = added + 1
            if low > high or (level < rank and added == 0):
                return boards
            added = (low + high) // 2


def judged(
    board: Instance,
    wish: Wish,
    settings: Settings,
    grade: str = "",
    *,
    bound: int | None = None,
    keys: Sequence[Key] = (),
) -> Generated:
    """Return a board and what it lacks of a wish.

    Args:
        board: the board.
        wish: what is wanted.
        settings: the rules and the time limit.
        grade: its grade, if it is known.
        bound: how many clues are needed at least, if the fewest are wanted.
        keys: those of its clues.

    Raises:
        OutOfTime: time ran out.
    """
    missed = []
    clues = len(clues_of_board(board, keys))
    measured = [(name, _measured(board, name, settings), number) for name, number in wish.measures]
    grades = 0 if wish.grade is None else _distance(grade, wish.grade)
    off = 0 if wish.clues is None else abs(clues - wish.clues)
    if off:
        missed.append(f"{clues} clues, not {wish.clues}")
    for name, span in wish.spans(keys):
        there_are = len(clues_of_board(board, [key for key in keys if key.name == name]))
        high = span.high if isinstance(span.high, int) else there_are
        if not span.low <= there_are <= high:
            off += max(span.low - there_are, there_are - high)
            missed.append(f"{there_are} {name.removesuffix('s') if there_are == 1 else name}, not {span.words}")
    if wish.cover:
        covered = {
            cell
            for key in covering_keys(keys)
            for clue in clues_of_board(board, [key])
            for cell in clue_cells(key, clue)
        }
        if left := len({*board.cells} - covered):
            off += left
            missed.append(f"{left} cell{'s' * (left > 1)} not covered")
    missed += [f"{measure} {name}, not {number}" for name, measure, number in measured if measure != number]
    if bound is not None and bound < clues:
        least = f": at least {bound} are needed" if bound else ""
        missed.append(f"{clues} clues are perhaps not the fewest{least}")
    return Generated(
        board,
        grade=grade,
        wanted=wish.grade or "",
        missed="; ".join(missed),
        distance=(grades, off, sum(abs(measure - number) for _, measure, number in measured)),
    )


def with_grade(made: Generated, settings: Settings) -> Generated:
    """Return a board with its grade, or that time ran out before it was known."""
    from pyasp_puzzles.explanation.grade import grade_word

    try:
        return made._replace(grade=grade_word(made.instance, settings) or "")
    except OutOfTime:
        return made._replace(late=True)


def _number(units: Collection[Unit]) -> int:
    """Return how many clues units have."""
    return sum(map(len, units))


def minimal(
    program: ClueSearch,
    answer: AnswerLiterals,
    units: Sequence[Unit],
    most: int | None,
    stays: Callable[[Unit, Sequence[Unit]], bool],
) -> tuple[list[Unit], list[Unit]] | None:
    """Return a minimal set of units that leaves the answer as the only one; None if even all units do not.

    All units hold for the answer, and are tried in their order. A unit outside the last core is left out without a
    question; one that `stays` among others is kept. The second list has the units of the set that may not be needed,
    because the proof took more than `most` conflicts.

    Raises:
        OutOfTime: time ran out.
    """
    asserted = {unit: program.assertion(unit_facts([unit])) for unit in units}

    def core(kept: Sequence[Unit], most: int | None, other: int) -> set[int] | None:
        # Earlier assumptions are more likely to be in the core, so the units that are tried last come first.
        literals = [literal for unit in reversed(kept) for literal in asserted[unit]]
        absent = program.absent(set(unit_facts(kept))) if program.chosen else []
        core_literals = program.refute([other, *literals, *absent], most)
        return None if core_literals is None else set(core_literals)

    kept = list(units)
    unsure: list[Unit] = []
    with program.other_than(answer) as other:
        needed = core(kept, most, other)
        if needed is None and not program.search.exhausted:
            return kept, kept
        changed = needed is not None
        while needed is not None and changed:
            changed = False
            for unit in [other for other in kept if other not in unsure]:
                if stays(unit, kept):
                    continue
                rest = [other for other in kept if other is not unit]
                core_without = needed if needed.isdisjoint(asserted[unit]) else core(rest, most, other)
                if core_without is None and not program.search.exhausted:
                    unsure.append(unit)
                if core_without is None or (program.chosen and not program.admits(answer, set(unit_facts(rest)))):
                    continue
                kept, needed = rest, core_without
                changed = bool(program.chosen)  # where absent clues mean something, others may go now
    return None if needed is None else (kept, unsure)


def _distance(word: str, wanted: str) -> int:
    """Return how many grades lie between two; no grade at all is the farthest."""
    return abs(GRADES.index(word) - GRADES.index(wanted)) if word in GRADES else len(GRADES)


def is_harder(found: str, wanted: str | None) -> bool:
    """Return whether a grade is harder than the wanted one, as a board without a grade is."""
    return wanted is not None and (found not in GRADES or GRADES.index(found) > GRADES.index(wanted))


def _measured(board: Instance, name: str, settings: Settings) -> int:
    """Return a number that the kind of answer measures; 0 if the board has none.

    Raises:
        OutOfTime: time ran out.
    """
    measure = board.puzzle.kind.measures[name]
    search = questions.ask(board, settings, Question(()))
    search.check()
    return measure.measured(board, search)
