"""`Wish`, what is wanted of a new board, and `Generated`, a board that was made."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.model.keys import KeyRange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.model.puzzle import Instance


class Wish(NamedTuple):
    """What is wanted of a board, apart from its layout."""

    grade: str | None = None
    clues: int | None = None
    """How many clues it is to have."""
    symmetric: bool = False
    fewest: bool = False
    measures: tuple[tuple[str, int], ...] = ()
    """Wanted values of what its kind of answer measures: (("peels", 5),)."""
    givens: KeyRange | None = None
    """How many numbers are printed on it."""
    use: tuple[tuple[str, KeyRange], ...] = ()
    """How many clues it has of some keys: (("thermometers", Range(4, 4)),)."""
    cells: KeyRange | None = None
    """How many cells a line or a cage has."""
    sides: tuple[str, ...] = ()
    """The sides of the board that have clues; () for all."""
    cover: bool = False
    """Whether the cages cover the board; without cages, the lines."""
    lines: str = "touch"
    """How lines lie, and cages: "overlap", "touch" or "apart"."""
    all_dots: bool = False
    """Whether all signs between cells that hold are printed."""

    def spans(self, keys: Iterable[Key]) -> Iterator[tuple[str, KeyRange]]:
        """Yield how many clues of keys there are to be, where that is wanted."""
        use = dict(self.use)
        for key in keys:
            span = use.get(key.name, self.givens if key.kind.role == "answers" else None)
            if span is not None:
                yield key.name, span

    def needs(self, key: Key) -> float:
        """Return how many clues of a key must remain, even if they are not needed for one answer."""
        every = self.all_dots and key.kind.tool == "pair"
        return inf if every else dict(self.spans([key])).get(key.name, KeyRange(0, 0)).low


class Generated(NamedTuple):
    """A board that was made.

    `Generated(<Instance sudoku 9x9, 24 givens>, 7, grade="hard")`; one that is not as wanted:
    `Generated(<Instance sudoku 4x4, 5 givens>, 7, missed="5 clues, not 4", distance=(0, 1, 0))`
    """

    instance: Instance
    seed: int = 0
    grade: str = ""
    """Its grade; empty if that was not asked for, or not found in time."""
    wanted: str = ""
    """The grade that is wanted; empty for any."""
    missed: str = ""
    """What it lacks besides its grade, in words: "31 clues, not 30"."""
    distance: tuple[int, int, int] = (0, 0, 0)
    """How far it is from what is wanted: in grades, in clues, and in peels or the like."""
    untested: int = 0
    """How many of its clues are perhaps not needed."""
    final: bool = False
    """Whether no other choice of its clues would bring its grade nearer."""
    late: bool = False
    """Whether time ran out, before it was graded or before it was as wanted."""

    boards: int = 1
    """How many boards were made, of which it is the nearest to what is wanted."""

    @property
    def lacks(self) -> str:
        """What it lacks, in words: "31 clues, not 30; easy, not hard"; empty if it is as wanted."""
        grade = f"{self.grade}, not {self.wanted}" if self.grade else f"not known to be {self.wanted}"
        lacking = [*([self.missed] if self.missed else []), *([grade] if self.wanted not in {"", self.grade} else [])]
        return "; ".join(lacking) + (f", the nearest of {self.boards} boards" if self.boards > 1 else "")

    @property
    def met(self) -> bool:
        """Whether it is as wanted; otherwise it is the nearest that was found."""
        return not self.lacks
