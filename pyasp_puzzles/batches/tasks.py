"""`Task`, what to find for each board of a batch, `Outcome`, what was found for one, and `Record`, its JSON.

Task     Task(limit=2): at most two answers of each board
Outcome  the answers of one board as JSON, and whether there are more
Record   an outcome together with its board, as `solve --json` prints it
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import PuzzleError
from pyasp_puzzles.queries.solve import Solutions, consequences, solutions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.queries.solve import SolutionsStatus
    from pyasp_puzzles.render.text import Style


# The status of a board whose worker died; `--resume` tries it again.
LOST = "lost"


class Task(NamedTuple):
    """What to find for each board."""

    limit: int = 1
    """The most answers per board; 0 for all."""
    settings: Settings = DEFAULT
    distinct: str | None = None
    kind: str = ""
    """ "decided" or "possible", to find these in place of answers."""
    style: Style | None = None
    """How to draw the answers; None for no drawings. Boards of a list are never drawn."""
    statistics: bool = False


class DrawnAnswer(NamedTuple):
    """An answer as data and as text, for another process."""

    data: Mapping[str, object]
    drawing: str
    """Empty if the task has no style."""

    def json(self) -> Mapping[str, object]:
        """Return what `Answer.json` returned."""
        return self.data

    def text(self, style: Style) -> str:
        """Return the drawing, in the style of the task."""
        del style
        return self.drawing


class Outcome(NamedTuple):
    """What was found for a board."""

    answers: Sequence[DrawnAnswer] = ()
    status: SolutionsStatus = "unknown"
    complete: bool = False
    error: str = ""
    """What went wrong; further lines show the place in the rules."""
    lost: bool = False
    """Whether the worker failed, and not the rules."""
    timed_out: bool = False
    abandoned: bool = False
    """Whether clingo is still working, and cannot be stopped."""
    warnings: Sequence[str] = ()
    statistics: Mapping[str, float] | None = None

    def record(self) -> dict[str, object]:
        """Return the keys of `Record` that are not about the board itself."""
        solutions = [answer.data for answer in self.answers]
        record: dict[str, object] = {"solutions": solutions, "status": self.status, "complete": self.complete}
        if self.error:
            record |= {"status": LOST if self.lost else "error", "error": self.error.partition("\n")[0]}
        return record


class OutcomeAnswers:
    """The answers of an outcome, one by one, like `Solutions`."""

    def __init__(self, outcome: Outcome) -> None:
        self.found = 0
        self.failed = bool(outcome.error) and not outcome.lost
        self.status, self.complete = outcome.status, outcome.complete
        self._answers = iter(outcome.answers)

    def __iter__(self) -> Iterator[DrawnAnswer]:
        return self

    def __next__(self) -> DrawnAnswer:
        answer = next(self._answers)
        self.found += 1
        return answer


def run_task(instance: Instance, task: Task) -> Outcome:
    """Return the outcome of a task for a board; an error in the rules is an outcome, too."""
    found = Solutions()
    answers, error = [], ""
    try:
        if task.kind:
            found = consequences(instance, task.kind, task.settings)
        else:
            found = solutions(instance, task.limit, task.settings, task.distinct)
        for answer in found:
            drawing = answer.text(task.style) if task.style is not None and instance.total else ""
            answers.append(DrawnAnswer(answer.json(), drawing))
    except PuzzleError as wrong:
        error = wrong.in_full
    search = found.search
    if search is None:
        return Outcome(error=error)
    return Outcome(
        *(answers, found.status, found.complete, error),
        timed_out=search.timed_out,
        abandoned=search.abandoned,
        warnings=[f"warning: {warning.in_full}" for warning in search.warnings],
        statistics=search.statistics() if task.statistics else None,
    )


class ChunkResult(NamedTuple):
    """The outcomes of the first boards of a chunk; all of them, unless clingo could not be stopped."""

    outcomes: list[Outcome]
    seconds: float
    spent: bool
    """Whether clingo is still working in the worker, so that it must not be used again."""


def run_chunk(instances: Sequence[Instance], task: Task) -> ChunkResult:
    """Return the outcomes of a chunk, up to the first board whose search cannot be stopped."""
    started = monotonic()
    outcomes: list[Outcome] = []
    for instance in instances:
        outcomes.append(run_task(instance, task))
        if outcomes[-1].abandoned:
            break
    return ChunkResult(outcomes, monotonic() - started, bool(outcomes) and outcomes[-1].abandoned)
