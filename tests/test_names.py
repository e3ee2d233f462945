"""Steps have the names that people give them: each is what its name says, by an independent oracle."""

from collections.abc import Iterator, Mapping, Sequence

import pytest

from pyasp_puzzles import Instance, explain

from . import step_checker, step_names
from .helpers import one
from .step_checker import Atom, Json, as_json
from .step_names import Position


def positions(instance: Instance, steps: Sequence[Json]) -> Iterator[tuple[str, Position]]:
    """Yield the name of each step, and the step with the board before it."""
    puzzle = step_checker.puzzle(instance)
    state = puzzle.start(puzzle.clues)
    for step in steps[:-1]:
        placed, out, plain = (frozenset(map(_atom, step[key])) for key in ("placed", "eliminated", "plain"))
        yield step["name"] or "", Position(puzzle, dict(state), tuple(step["rules"]), placed, out)
        state |= dict.fromkeys(placed, True) | dict.fromkeys(out | plain, False)


def _atom(said: Mapping[str, object]) -> Atom:
    row, column = said["cell"]  # type: ignore[misc]
    return (row, column), said["value"]
