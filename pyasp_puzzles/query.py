"""What can be asked of an instance: plain functions over `Search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .encoding import encoding_path, mode_path
from .search import DEFAULT, Search, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .puzzle import Answer, Instance, View


def program(instance: Instance) -> str:
    """Return the facts of an instance as a program that plain clingo takes, headed by what is known about it."""
    head = [f"% {key}: {value}" for key, value in {"puzzle": instance.puzzle.name, **instance.details}.items()]
    lines: dict[str, list[str]] = {}
    for fact in instance.facts:
        row = f"{fact.name}({fact.arguments[0]}" if len(fact.arguments) > 1 else fact.name
        lines.setdefault(row, []).append(f"{fact}.")
    return "\n".join([*head, "", *(" ".join(facts) for facts in lines.values()), ""])


def ask(instance: Instance, settings: Settings, *modes: str, outputs: tuple[str, ...], given: str = "") -> Search:
    """Return a search in which only the outputs show, so that they alone tell models apart.

    Args:
        instance: the board.
        settings: how to search, and what with.
        modes: the modes to load beside the encoding.
        outputs: predicates, "value/3" say.
        given: more facts.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    encodings = [settings.encoding or encoding_path(instance.puzzle.encoding), *settings.extra, *map(mode_path, modes)]
    show = "".join(f"#show {output}. #project {output}.\n" for output in outputs)
    return Search(encodings, f"{program(instance)}{given}{show}", settings)


def _view(instance: Instance, view: View, settings: Settings) -> Search:
    return ask(instance, settings, *filter(None, [view.mode]), outputs=view.outputs)


class Solutions:
    """The answers of an instance, an iterator that finds them as they are asked for."""

    def __init__(
        self, instance: Instance, limit: int = 0, settings: Settings = DEFAULT, distinct: str | None = None
    ) -> None:
        view = instance.puzzle.view(distinct)
        self.search = _view(instance, view, settings)
        self._answers = map(view.decoder(instance), self.search.models(limit))
        self.found = 0
        """How many answers have come."""

    @property
    def complete(self) -> bool:
        """Whether it is proven, so far, that there is no answer but those that came."""
        return self.search.exhausted

    @property
    def status(self) -> str:
        """What is known so far: "satisfiable", "unsatisfiable" or "unknown"."""
        if self.found:
            return "satisfiable"
        return "unsatisfiable" if self.complete else "unknown"

    def __iter__(self) -> Iterator[Answer]:
        return self

    def __next__(self) -> Answer:
        answer = next(self._answers)
        self.found += 1
        return answer


def solutions(
    instance: Instance, limit: int = 0, settings: Settings = DEFAULT, distinct: str | None = None
) -> Solutions:
    """Return an iterator over the answers of an instance, no two of them alike.

    Args:
        instance: the board.
        limit: at most so many answers; 0 for all.
        settings: how to search, and what with.
        distinct: what tells answers apart, for Strata: "lattices", "plays" or "looks".

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    return Solutions(instance, limit, settings, distinct)


def solve(instance: Instance, settings: Settings = DEFAULT) -> Answer | None:
    """Return one answer of an instance, or None if none was found.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    return next(solutions(instance, 1, settings), None)


class Count(NamedTuple):
    """How many answers there are: `number`, or at least so many where it is not exact."""

    number: int
    exact: bool

    def __str__(self) -> str:
        return f"{self.number}" if self.exact else f"at least {self.number}"


def count(instance: Instance, limit: int = 0, settings: Settings = DEFAULT, distinct: str | None = None) -> Count:
    """Return how many answers an instance has, without making them; arguments and errors as for `solutions`."""
    view = instance.puzzle.view(distinct)
    ships = settings.encoding is None and not settings.extra
    known = view.tally(instance) if view.tally and ships else None
    if known is not None:
        return Count(min(known, limit or known), exact=not limit or known <= limit)
    search = _view(instance, view, settings)
    number = search.count(limit)
    return Count(number, search.exhausted)
