"""`Record`, what is stored about each board of a list."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

RecordStatus: TypeAlias = Literal["satisfiable", "unsatisfiable", "unknown", "error", "lost"]


class Record(TypedDict):
    """What `solve --json` prints about a board."""

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
