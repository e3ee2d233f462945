"""`Flood`, what follows, inference by inference, and the way back from what rests on it.

An explanation has one of what waits to be told, and each supposition one of what follows from it, level by level.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_Inference = TypeVar("_Inference")


class Flood(Generic[_Inference]):
    """What follows, each literal with the inference that found it first.

    Args:
        supposed: a literal that is supposed; as an inference, it has the number 0.
    """

    def __init__(self, supposed: int | None = None) -> None:
        self.found: list[_Inference] = []
        """The inferences, each after those that it rests on; they are counted from 1."""
        self.own: dict[int, bool] = {}
        """{atom that follows: whether it holds}"""
        self.source: dict[int, int] = {}
        """{the same atom: the number of its inference}"""
        if supposed is not None:
            self.own[abs(supposed)], self.source[abs(supposed)] = supposed > 0, 0

    def add_inference(self, inference: _Inference, literals: Iterable[int]) -> None:
        """Add an inference, and the literals that it finds first."""
        self.found.append(inference)
        for literal in literals:
            self.own[abs(literal)], self.source[abs(literal)] = literal > 0, len(self.found)

    def drop(self, atom: int) -> None:
        """Forget that an atom follows, if it does: it is known without that."""
        self.own.pop(atom, None)
        self.source.pop(atom, None)

    def inference(self, atom: int) -> _Inference:
        """Return the inference that found an atom."""
        return self.found[self.source[atom] - 1]

    def way_back(
        self, used: dict[int, set[int]], needs: Callable[[int, set[int]], Iterable[int]]
    ) -> dict[int, list[int]]:
        """Return {inference: those that it rests on} for what is used, and add to `used` what these rest on.

        Args:
            used: {number of an inference: those of its literals that are used}.
            needs: returns the atoms that an inference needs, of those that follow, for some of its literals.
        """
        rests_on: dict[int, list[int]] = {}
        for number in range(max(used, default=0), 0, -1):
            if number in used:
                rests_on[number] = self.use(needs(number, used[number]), used)
        return rests_on

    def use(self, atoms: Iterable[int], used: dict[int, set[int]]) -> list[int]:
        """Add atoms that follow to what is used of each inference, and return the numbers of theirs."""
        sources = set()
        for atom in atoms:
            sources.add(self.source[atom])
            used.setdefault(self.source[atom], set()).add(atom if self.own[atom] else -atom)
        return sorted(sources)
