"""Layouts without clues that have one answer: of a strips board, the colours alone are the puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.errors import OutOfTime, PuzzleError
from pyasp_puzzles.generation.layouts import LayoutProgram

if TYPE_CHECKING:
    from collections.abc import Collection
    from random import Random

    from clingo import Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.generation.layouts import Wanted
    from pyasp_puzzles.puzzles.puzzle import Instance


MOST_COUNTED = 60
"""Answers that are counted; a layout with more is as bad as one with so many."""
PATIENCE = 150
"""Changes without fewer answers, after which the search starts anew."""
WORSE = 0.05
"""How often a change is kept although it brings more answers."""


def single_answer(wanted: Wanted, cells: Collection[Cell], rng: Random, settings: Settings) -> Instance:
    """Return a random layout with exactly one answer: one cell is changed at a time, while the answers get fewer.

    Raises:
        PuzzleError: no layout has an answer.
        OutOfTime: time ran out.
    """
    program = LayoutProgram(wanted, cells, settings._replace(seed=rng.randrange(2**32)))
    first = program.first()
    if first is None:
        raise PuzzleError("there is no layout with an answer, expected another size, more colors or other rules")
    names = {atom.name for atom in program.chosen}
    while True:
        chosen = {atom for atom in _shuffled(program, first, rng) if atom.name in names}
        best, idle = _count(program, chosen, MOST_COUNTED), 0
        while best > 1 and idle < PATIENCE:
            other = _changed(program, chosen, rng)
            worse = rng.random() < WORSE
            found = _count(program, other, MOST_COUNTED if worse else best + 1)
            idle = 0 if 0 < found < best else idle + 1
            if 0 < found <= best or (found and worse):
                chosen, best = other, found
        if best == 1:
            return program.board([*chosen, *(atom for atom, literal in program.atoms.items() if not literal)])


def _shuffled(program: LayoutProgram, layout: set[Symbol], rng: Random) -> set[Symbol]:
    """Return a layout that has little to do with the given one."""
    for _ in range(10):
        layout = program.changed(layout, rng)
    return layout


def _changed(program: LayoutProgram, chosen: set[Symbol], rng: Random) -> set[Symbol]:
    """Return a layout with something else in one cell."""
    atom = rng.choice(sorted(chosen))
    place = (atom.name, atom.arguments[:2])
    others = [one for one in program.chosen if (one.name, one.arguments[:2]) == place and one != atom]
    return (chosen - {atom}) | {rng.choice(others)} if others else chosen


def _count(program: LayoutProgram, chosen: Collection[Symbol], limit: int) -> int:
    """Return the number of answers of a layout, up to a limit.

    Raises:
        OutOfTime: time ran out.
    """
    literals = [literal if atom in chosen else -literal for atom, literal in program.chosen.items()]
    found, _ = program.search.solve_here(literals, limit, lambda _: None)
    if program.search.timed_out:
        raise OutOfTime
    return len(found)
