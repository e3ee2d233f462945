"""`Outcome`, what a question finds about a board; and `Record`, the outcome of `solve` as it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyasp_puzzles.render.pages import PageSection
    from pyasp_puzzles.render.text import TextStyle


# The status of a board whose worker died; `--resume` tries it again.
LOST_STATUS = "lost"

SolutionsStatus: TypeAlias = Literal["satisfiable", "unsatisfiable", "unknown"]
RecordStatus: TypeAlias = Literal["satisfiable", "unsatisfiable", "unknown", "error", "lost"]


class Outcome(NamedTuple):
    """What a question finds about a board, or a part of it: as data, and as text in the style that was asked for.

    `Outcome([{"grid": [[1, 2], [2, 1]]}], ["│ 1 2 │"], "satisfiable", complete=True)`
    """

    answers: Sequence[Mapping[str, object]] = ()
    """Answers, steps, a grade or a verdict, each as its method `json` returns it."""
    texts: Sequence[str] = ()
    """The same as text."""
    status: str = ""
    """How the question ended, which decides on the exit code: "satisfiable", "unique", "unknown", "error", "lost"."""
    complete: bool = False
    """Whether these are proven to be all answers."""
    error: str = ""
    """What went wrong; further lines show the place in the rules."""
    timed_out: bool = False
    abandoned: bool = False
    """Whether clingo is still busy in the process, and cannot be stopped: it cannot take another board."""
    warnings: Sequence[str] = ()
    statistics: Mapping[str, float] | None = None
    section: PageSection | None = None
    """What goes to a page."""

    @property
    def failed(self) -> bool:
        """Whether the rules are wrong."""
        return self.status == "error"

    def json(self) -> Iterator[Mapping[str, object]]:
        """Yield each answer as data."""
        return iter(self.answers)

    def text(self, style: TextStyle) -> Iterator[str]:
        """Yield each answer as text, in the style that was asked for."""
        del style
        return iter(self.texts)

    def record(self) -> dict[str, object]:
        """Return the keys of `Record` that are not about the board itself."""
        return {"solutions": [*self.answers], **self.end()}

    def end(self) -> dict[str, object]:
        """Return the keys of `Record` that follow the answers."""
        error = {"error": self.error.partition("\n")[0]} if self.error else {}
        return {"status": self.status, "complete": self.complete} | error


class Record(TypedDict):
    """What `solve --json` prints about a board.

    `{"puzzle": "sudoku", "source": "four.toml", "board": 1, "title": "", "solutions": [{"grid": [[1, 2], [2, 1]]}],
    "status": "satisfiable", "complete": True}`
    """

    puzzle: str
    source: str
    """The file of the board."""
    board: int
    """The number of the board in its file, from 1."""
    title: str
    solutions: list[dict[str, Any]]
    """The answers, each as `Answer.json` returns it."""
    status: RecordStatus
    """ "satisfiable", "unsatisfiable", "unknown", "error" or "lost"."""
    complete: bool
    """Whether these are proven to be all answers."""
    error: NotRequired[str]
    """What went wrong with this board."""
