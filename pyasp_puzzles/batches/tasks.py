"""`Task`, what to find for each board of a batch, `Task(limit=2)`, and how a process runs it on a chunk of them."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import PuzzleError
from pyasp_puzzles.model.record import Outcome
from pyasp_puzzles.queries.solve import solutions, solutions_in_common

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.render.text import TextStyle


class Task(NamedTuple):
    """What to find for each board."""

    limit: int = 1
    """The most answers per board; 0 for all."""
    settings: Settings = DEFAULT
    distinct: str | None = None
    kind: str = ""
    """ "decided" or "possible", to find these in place of answers."""
    style: TextStyle | None = None
    """How to draw the answers; None for no drawings. Boards of a list are never drawn."""
    statistics: bool = False


def run_task(instance: Instance, task: Task) -> Outcome:
    """Return the outcome of a task for a board; an error in the rules is an outcome, too."""
    found = None
    answers, drawings, error = [], [], ""
    try:
        if task.kind:
            found = solutions_in_common(instance, task.kind, task.settings)
        else:
            found = solutions(instance, task.limit, task.settings, task.distinct)
        for answer in found:
            answers.append(answer.json())
            if task.style is not None and instance.total:
                drawings.append(answer.text(task.style))
    except PuzzleError as wrong:
        error = wrong.in_full
    if found is None:
        return Outcome(error=error)
    search = found.search
    return Outcome(
        *(answers, drawings, found.status, found.complete, error),
        timed_out=search.timed_out,
        abandoned=search.abandoned,
        warnings=[f"warning: {warning.in_full}" for warning in search.warnings],
        statistics=search.statistics() if task.statistics else None,
    )


class TaskChunkResult(NamedTuple):
    """The outcomes of the first boards of a chunk; all of them, unless clingo could not be stopped."""

    outcomes: list[Outcome]
    seconds: float
    spent: bool
    """Whether clingo is still busy in the worker, which must not be used again."""


def run_task_chunk(instances: Sequence[Instance], task: Task) -> TaskChunkResult:
    """Return the outcomes of a chunk, up to the first board whose search cannot be stopped."""
    started = monotonic()
    outcomes: list[Outcome] = []
    for instance in instances:
        outcomes.append(run_task(instance, task))
        if outcomes[-1].abandoned:
            break
    return TaskChunkResult(outcomes, monotonic() - started, bool(outcomes) and outcomes[-1].abandoned)
