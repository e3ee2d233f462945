"""What can be asked of an instance: plain functions over `Search`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import EncodingError, OutOfTime
from pyasp_puzzles.formats.load import instance_of
from pyasp_puzzles.puzzles.program import Question, ask, assembled
from pyasp_puzzles.queries.sessions import shared

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.formats.load import InstanceLike
    from pyasp_puzzles.puzzles.answer import Answer
    from pyasp_puzzles.puzzles.kind import View
    from pyasp_puzzles.puzzles.puzzle import Instance


def _view(instance: Instance, view: View, settings: Settings) -> Search:
    """Return the search for the answers of an instance: a session's, where many boards have its shape."""
    settings = settings.started()
    if not view.mode:
        shape = Question(view.outputs, given=f"session.\n{view.shows}", without=instance.puzzle.clues)
        found = shared().take(instance, lambda: assembled(instance, settings, shape)[1], settings)
        if found is not None:
            return found
    files = tuple(filter(None, [view.mode]))
    return ask(instance, settings, Question(view.outputs, given=view.shows, files=files, pruned=True))


class Solutions:
    """The answers of an instance, an iterator that finds them as they are asked for."""

    def __init__(self, search: Search | None = None, answers: Iterable[Answer] = ()) -> None:
        self.search = search
        """The search that finds them; None if it was interrupted before it could begin."""
        self._answers = iter(answers)
        self.found = 0
        """How many answers have come."""
        self.failed = False
        """Whether an edited encoding came up with something that is no answer."""

    @property
    def complete(self) -> bool:
        """Whether it is proven, so far, that there is no answer but those that came."""
        return self.search is not None and self.search.exhausted and not self.failed

    @property
    def status(self) -> str:
        """What is known so far: "satisfiable", "unsatisfiable" or "unknown"."""
        if self.found:
            return "satisfiable"
        return "unsatisfiable" if self.complete else "unknown"

    def __iter__(self) -> Iterator[Answer]:
        return self

    def __next__(self) -> Answer:
        try:
            answer = next(self._answers)
        except EncodingError:
            self.failed = True
            raise
        self.found += 1
        return answer


def solutions(
    instance: InstanceLike, limit: int = 0, settings: Settings = DEFAULT, distinct: str | None = None
) -> Solutions:
    """Return an iterator over the answers of an instance, no two of them alike.

    Args:
        instance: the board, or the name of an instance or file with one board, such as "tectonic/seed".
        limit: at most so many answers; 0 for all.
        settings: how to search, and what with.
        distinct: what tells answers apart, for Strata: "lattices", "plays" or "looks".

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    instance = instance_of(instance, settings)
    view = instance.puzzle.view(distinct)
    search = _view(instance, view, settings)
    return Solutions(search, map(view.decoder(instance), search.models(limit)))


def solve(instance: InstanceLike, settings: Settings = DEFAULT) -> Answer | None:
    """Return one answer of an instance, or None if it is proven that there is none.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out before it was known.
    """
    return _first(solutions(instance, 1, settings))


def _first(found: Solutions) -> Answer | None:
    """Return the first answer, or None if there is none; out of time is neither."""
    answer = next(found, None)
    if answer is None and not found.complete:
        raise OutOfTime
    return answer


def unsolvable(instance: Instance, settings: Settings = DEFAULT) -> bool:
    """Return whether it is proven that an instance has no answer; errors as for `solve`."""
    found = solutions(instance, 1, settings)
    return next(found, None) is None and found.complete


def consequences(instance: Instance, kind: str, settings: Settings = DEFAULT) -> Solutions:
    """Return an iterator over the one thing that holds in every answer (`decided`), or in any (`possible`).

    It is empty if there is no answer, or if time ran out. Source: the cautious and brave consequences of the program.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    view = instance.puzzle.view()
    search = _view(instance, view, settings)

    def found() -> Iterator[Answer]:
        answer = merged(instance, search, kind)
        if answer is not None:
            yield answer

    return Solutions(search, found())


def merged(instance: Instance, search: Search, kind: str) -> Answer | None:
    """Return the `decided` or the `possible` of an instance, which a search finds; None where there is neither."""
    found: dict[str, Sequence[Symbol]] = {"cautious": (), "brave": ()}
    needed = "cautious" if kind == "decided" else "brave"
    for way in found if instance.puzzle.kind.two_valued else [needed]:
        atoms = search.consequences(way)
        if atoms is None or not search.exhausted:
            return None
        found[way] = atoms
    return instance.puzzle.kind.consequences(instance, kind, found["cautious"], found["brave"])


def decided(instance: InstanceLike, settings: Settings = DEFAULT) -> Answer | None:
    """Return what holds in every answer, or None if it is proven that there is none; errors as for `solve`."""
    return _first(consequences(instance_of(instance, settings), "decided", settings))


def possible(instance: InstanceLike, settings: Settings = DEFAULT) -> Answer | None:
    """Return what holds in some answer, or None if it is proven that there is none; errors as for `solve`."""
    return _first(consequences(instance_of(instance, settings), "possible", settings))


class Count(int):
    """How many answers there are: a number like another, which prints as `at least N` where it is not exact."""

    exact: bool
    """Whether there are no more."""

    def __new__(cls, number: int, *, exact: bool = True) -> Self:
        """Return the number as a count."""
        count = super().__new__(cls, number)
        count.exact = exact
        return count

    @property
    def number(self) -> int:
        """The number alone."""
        return int(self)

    def __str__(self) -> str:
        return f"{self.number}" if self.exact else f"at least {self.number}"

    def __repr__(self) -> str:
        return f"Count({self.number}, exact={self.exact})"


class Counting:
    """A count of the answers of an instance, which may be interrupted; `so_far` then tells what is known."""

    def __init__(
        self, instance: Instance, limit: int = 0, settings: Settings = DEFAULT, distinct: str | None = None
    ) -> None:
        self._instance, self._limit, self._settings = instance, limit, settings
        self._view = instance.puzzle.view(distinct)
        self._known: int | None = None
        self.search: Search | None = None
        """The search, if it takes one."""
        self.timed_out = False
        """Whether time ran out."""

    def run(self) -> Count:
        """Count, and return the result."""
        settings = self._settings.started()
        late = settings.deadline().late
        if self._view.counter and not settings.edited:
            self._known = self._view.counter(self._instance, late)
            self.timed_out = self._known is None and late()
        if self._known is None and not self.timed_out:
            self.search = _view(self._instance, self._view, settings)
            self.search.count(self._limit)
            self.timed_out = self.search.timed_out
        return self.so_far

    @property
    def so_far(self) -> Count:
        """What is known."""
        if self._known is not None:
            exact = not self._limit or self._known <= self._limit
            return Count(min(self._known, self._limit or self._known), exact=exact)
        return Count(self.search.counted, exact=self.search.exhausted) if self.search else Count(0, exact=False)


def count(instance: InstanceLike, limit: int = 0, settings: Settings = DEFAULT, distinct: str | None = None) -> Count:
    """Return how many answers an instance has, without making them; arguments and errors as for `solutions`."""
    return Counting(instance_of(instance, settings), limit, settings, distinct).run()
