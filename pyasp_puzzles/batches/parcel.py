"""Boards, and what comes of them, as plain data that goes from one process to another.

Parcel   boards of one shape: the facts that they share, and of each board its clues
Task     what is asked of each board
Outcome  what came of a board: its answers as `solve --json` prints them, and whether these are all
"""

from __future__ import annotations

from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pyasp_puzzles.asp.cache import LRUCache
from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.asp.symbols import to_symbol
from pyasp_puzzles.boards.facts import Facts
from pyasp_puzzles.errors import PuzzleError, Where
from pyasp_puzzles.puzzles.puzzle import Instance, Puzzle
from pyasp_puzzles.queries.solve import Solutions, consequences, solutions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.render.text import Style


MOST_SHAPES = 16
"""Shapes whose facts are kept."""


class Task(NamedTuple):
    """What is asked of each board."""

    limit: int = 1
    """At most so many answers; 0 for all."""
    settings: Settings = DEFAULT
    distinct: str | None = None
    kind: str = ""
    """Where it is not the answers that are asked for: the "decided" or the "possible"."""
    style: Style | None = None
    """How the answers are drawn, where that is wanted; those of a collection are not."""
    statistics: bool = False


class Outcome(NamedTuple):
    """What came of a board."""

    answers: Sequence[Mapping[str, object]] = ()
    """The answers, as `solve --json` prints them."""
    texts: Sequence[str] = ()
    """The same, drawn."""
    status: str = "unknown"
    """As `Solutions.status`."""
    complete: bool = False
    error: str = ""
    """What went wrong, and in further lines the place in the rules."""
    lost: bool = False
    """Whether it went wrong with the worker, not with the rules."""
    timed_out: bool = False
    abandoned: bool = False
    """Whether clingo is left at work on what cannot be stopped."""
    warnings: Sequence[str] = ()
    statistics: Mapping[str, float] | None = None


class Told:
    """The answers of an outcome, one by one, as those of `Solutions` come."""

    def __init__(self, outcome: Outcome) -> None:
        self.found = 0
        self.failed = bool(outcome.error) and not outcome.lost
        self.status, self.complete = outcome.status, outcome.complete
        texts = outcome.texts or [""] * len(outcome.answers)
        self._answers = zip(outcome.answers, texts, strict=True)

    def __iter__(self) -> Iterator[ToldAnswer]:
        return self

    def __next__(self) -> ToldAnswer:
        answer = ToldAnswer(*next(self._answers))
        self.found += 1
        return answer


class ToldAnswer(NamedTuple):
    """An answer as `solve --json` prints it, and drawn."""

    said: Mapping[str, object]
    drawn: str

    def json(self) -> Mapping[str, object]:
        """Return it as `solve --json` prints it."""
        return self.said

    def text(self, style: Style) -> str:
        """Return it as it was drawn, in the style that the task has."""
        del style
        return self.drawn


class Board(NamedTuple):
    """What a board does not share with those of its shape."""

    where: Where
    number: int
    boards: int
    collection: str
    details: dict[str, str]
    extras: dict[str, Mapping[Any, str]]
    clues: Sequence[Arguments]
    """Their rows, columns and numbers."""


Shared: TypeAlias = "tuple[tuple[str, tuple[Arguments, ...]], ...]"
"""The arguments of facts, predicate by predicate."""


class Parcel(NamedTuple):
    """Boards of one shape."""

    puzzle: Puzzle
    facts: Shared
    boards: list[Board]


class Outcomes(NamedTuple):
    """What came of the boards of a parcel, or of the first of them."""

    outcomes: list[Outcome]
    seconds: float
    spent: bool
    """Whether whoever answered is left with work that cannot be stopped, and should be asked no more."""


def outcome(instance: Instance, task: Task) -> Outcome:
    """Return what comes of a board; rules that go wrong with it are an outcome, too."""
    asked = Solutions()
    answers, texts, error = [], [], ""
    try:
        if task.kind:
            asked = consequences(instance, task.kind, task.settings)
        else:
            asked = solutions(instance, task.limit, task.settings, task.distinct)
        for answer in asked:
            answers.append(answer.json())
            if task.style is not None and instance.boards:
                texts.append(answer.text(task.style))
    except PuzzleError as wrong:
        error = wrong.in_full
    search = asked.search
    if search is None:
        return Outcome(error=error)
    warnings = [f"warning: {warning.in_full}" for warning in search.warnings]
    statistics = search.statistics() if task.statistics else None
    return Outcome(
        *(answers, texts, asked.status, asked.complete, error),
        timed_out=search.timed_out,
        abandoned=search.abandoned,
        warnings=warnings,
        statistics=statistics,
    )


def shape(instance: Instance) -> object:
    """Return a key that the boards share which fit into one parcel."""
    return instance.puzzle.folder, instance.facts.shape(instance.puzzle.clues[:1])


def pack(instances: Sequence[Instance]) -> Parcel:
    """Return boards of one shape as plain data."""
    first = instances[0]
    clues = first.puzzle.clues[:1]
    facts = _packed().get(shape(first), lambda: _pack(first, clues))
    return Parcel(first.puzzle, facts, [_board(instance, clues) for instance in instances])


def _pack(instance: Instance, without: Sequence[str]) -> Shared:
    names = [predicate.name for predicate in instance.puzzle.predicates if predicate.name not in without]
    return tuple((name, tuple(instance.facts.arguments(name))) for name in names)


def _board(instance: Instance, names: Sequence[str]) -> Board:
    _, facts, board, boards, collection, details, extras, _ = instance
    clues = [arguments for name in names for arguments in facts.arguments(name)]
    return Board(facts.where, board, boards, collection, dict(details), dict(extras), clues)


@cache
def _packed() -> LRUCache[Shared]:
    return LRUCache(MOST_SHAPES)


def unpack(parcel: Parcel) -> Iterator[Instance]:
    """Yield the boards again."""
    puzzle = parcel.puzzle
    for where, number, boards, collection, details, extras, clues in parcel.boards:
        if puzzle.clues:
            base = _facts().get((puzzle.folder, parcel.facts), lambda: _unpack(puzzle, parcel, Where("")))
            unique = next(p.unique for p in puzzle.predicates if p.name == puzzle.clues[0])
            facts = base.variant(where, puzzle.clues[0], {clue[:unique]: clue for clue in clues})
        else:
            facts = _unpack(puzzle, parcel, where)
        yield Instance(puzzle, facts, number, boards, collection, details, extras)


@cache
def _facts() -> LRUCache[Facts]:
    return LRUCache(MOST_SHAPES)


def _unpack(puzzle: Puzzle, parcel: Parcel, where: Where) -> Facts:
    facts = Facts(puzzle.predicates, where)
    for name, several in parcel.facts:
        for arguments in several:
            facts.add(name, [one if isinstance(one, int) else to_symbol(one) for one in arguments], where)
    return facts


def answer(parcel: Parcel, task: Task) -> Outcomes:
    """Return what comes of the boards of a parcel, up to the first at which clingo is left at work."""
    started = monotonic()
    outcomes: list[Outcome] = []
    for instance in unpack(parcel):
        outcomes.append(outcome(instance, task))
        if outcomes[-1].abandoned:
            break
    return Outcomes(outcomes, monotonic() - started, bool(outcomes) and outcomes[-1].abandoned)
