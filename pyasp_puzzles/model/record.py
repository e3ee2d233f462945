"""`Outcome`, the answers found of a board, for another process; and `Record`, the same as it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyasp_puzzles.render.text import TextStyle


# The status of a board whose worker died; `--resume` tries it again.
LOST_STATUS = "lost"

SolutionsStatus: TypeAlias = Literal["satisfiable", "unsatisfiable", "unknown"]
RecordStatus: TypeAlias = Literal["satisfiable", "unsatisfiable", "unknown", "error", "lost"]


class Outcome(NamedTuple):
    """The answers of a board that were found, as data and as text; it is read as `Solutions` are.

    `Outcome([{"grid": [[1, 2], [2, 1]]}], ["│ 1 2 │"], "satisfiable", complete=True)`
    """

    answers: Sequence[Mapping[str, object]] = ()
    """Each as `Answer.json` returns it."""
    drawings: Sequence[str] = ()
    """Each as `Answer.text` returns it; empty if none were asked for."""
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

    @property
    def failed(self) -> bool:
        """Whether the rules are wrong."""
        return bool(self.error) and not self.lost

    def json(self) -> Iterator[Mapping[str, object]]:
        """Yield each answer as `Answer.json` returned it."""
        return iter(self.answers)

    def text(self, style: TextStyle) -> Iterator[str]:
        """Yield the drawing of each answer, in the style that was asked for."""
        del style
        return iter(self.drawings)

    def record(self) -> dict[str, object]:
        """Return the keys of `Record` that are not about the board itself."""
        record: dict[str, object] = {
            "solutions": list(self.answers),
            "status": self.status,
            "complete": self.complete,
        }
        if self.error:
            record |= {"status": LOST_STATUS if self.lost else "error", "error": self.error.partition("\n")[0]}
        return record


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
