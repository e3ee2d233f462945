"""What can be asked of an instance: plain functions over `Search`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .encoding import encoding_path
from .search import Search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .puzzle import Answer, Instance, Puzzle


def program(instance: Instance) -> str:
    """Return the facts of an instance as a program that plain clingo takes, headed by what is known about it."""
    head = [f"% {key}: {value}" for key, value in {"puzzle": instance.puzzle.name, **instance.details}.items()]
    lines: dict[str, list[str]] = {}
    for fact in instance.facts:
        row = f"{fact.name}({fact.arguments[0]}" if len(fact.arguments) > 1 else fact.name
        lines.setdefault(row, []).append(f"{fact}.")
    return "\n".join([*head, "", *(" ".join(facts) for facts in lines.values()), ""])


def _shown(puzzle: Puzzle) -> str:
    """Return the program by which just the output tells answers apart, whatever an edited encoding shows or hides."""
    return "".join(f"#show {output}. #project {output}.\n" for output in puzzle.outputs)


class Solutions:
    """The answers of an instance, an iterator that finds them as they are asked for."""

    def __init__(self, instance: Instance, limit: int = 0) -> None:
        self._search = Search([encoding_path(instance.puzzle.encoding)], program(instance) + _shown(instance.puzzle))
        self._answers = map(instance.puzzle.decoder(instance), self._search.models(limit))
        self.found = 0
        """How many answers have come."""

    @property
    def complete(self) -> bool:
        """Whether it is proven, so far, that there is no answer but those that came."""
        return self._search.exhausted

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


def solutions(instance: Instance, limit: int = 0) -> Solutions:
    """Return an iterator over the answers of an instance, at most `limit` of them (0: all); no two are alike.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    return Solutions(instance, limit)


def solve(instance: Instance) -> Answer | None:
    """Return one answer of an instance, or None if it has none.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    return next(iter(solutions(instance, limit=1)), None)
