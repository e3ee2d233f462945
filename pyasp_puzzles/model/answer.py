"""`Answer`, the base of all answers; the parts of some: `Piece`, `Strip`, `Ribbon`, `Click`; `Entry`; and `Count`."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from pyasp_puzzles.boards.grid import Cell, grid_extent
from pyasp_puzzles.errors import InstanceError
from pyasp_puzzles.render.text import TextMarks, TextStyle

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.model.keys import Printed
    from pyasp_puzzles.render.svg import Drawing


class Answer:
    """One answer of one instance: `Numbers({(1, 1): 1, (1, 2): 2}, printed)`, `Ribbons((Ribbon(...), ...), printed)`.

    A subclass is a frozen dataclass with its data first, and then what is `printed` on the board.

    The kind of answer depends on the puzzle, which is only known when a board is read. So a type checker accepts the
    data of every kind; at run time an answer has the data of its own kind, and raises `AttributeError` for the others.
    """

    if TYPE_CHECKING:
        printed: Printed

        values: Mapping[Cell, int]
        """Of numbers: the number in each cell."""
        candidates: Mapping[Cell, tuple[int, ...]]
        """Of the `possible` of numbers: the candidates of each cell, in ascending order."""
        shaded: Mapping[Cell, bool]
        """Of shaded cells: whether each cell is shaded."""
        pieces: Sequence[Piece]
        """Of a board cut up: its pieces."""
        strips: Sequence[Strip]
        """Of a board cut into strips: the strips."""
        areas: Sequence[tuple[Cell, ...]]
        """Of a board cut into areas: the cells of each."""
        lines: Mapping[tuple[Cell, Cell], int]
        """Of lines: how many join two cells, or two corners of cells."""
        marks: frozenset[Cell]
        """Of lines with marks: the cells that are marked."""
        order: Sequence[Ribbon]
        """Of Strata: the ribbons, bottom to top."""
        colors: Mapping[Cell, str]
        """Of the `looks` of Strata: the visible color of each cell."""

    else:

        def __getattr__(self, name: str) -> object:
            data = next(iter(getattr(type(self), "__dataclass_fields__", ())), "nothing")
            raise AttributeError(f"this answer is {type(self).__name__} and has no {name!r}, expected {data!r}")

    def clicks(self, instance: Any) -> list[Click]:  # noqa: ANN401 (an `Instance`, whose module imports this one)
        """Return the clicks, in order, that lay the ribbons in the picture that a board was read from.

        Raises:
            InstanceError: the answer is no laying order, or the board was not read from a picture.
        """
        raise InstanceError("only ribbons are laid by clicks", instance.facts.where)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        compared = [data.name for data in fields(self) if data.compare]  # type: ignore[arg-type]
        return all(getattr(self, name) == getattr(other, name) for name in compared)

    def __hash__(self) -> int:
        return hash(frozenset(self.cells().items()))

    def __str__(self) -> str:
        return self.text(TextStyle())

    def __repr__(self) -> str:
        filled, places = self.cells(), self.places()
        size = "x".join(map(str, grid_extent(places))) if places else "empty"
        part = f", {len(filled)} of {len(places)} cells known" if len(filled) < len(places) else ""
        return f"<{type(self).__name__} {size}{part}>"

    def _repr_pretty_(self, printer: object, cycle: bool) -> None:  # noqa: FBT001 (the name and form are IPython's)
        printer.text("..." if cycle else str(self))  # type: ignore[attr-defined]

    def json(self) -> dict[str, Any]:
        """Return the answer as `solve --json` prints it."""
        raise NotImplementedError

    def text(self, style: TextStyle, marked: Collection[Cell] = ()) -> str:
        """Return the answer as lines of text, with some cells marked."""
        return self.marked_text(style, TextMarks(marked))

    def marked_text(self, style: TextStyle, marks: TextMarks) -> str:
        """Return the answer as lines of text, with the marks of a step."""
        raise NotImplementedError

    def drawing(self, marked: Collection[Cell] = (), title: str = "") -> Drawing:
        """Return the answer on its board, as what `render.svg.svg` draws."""
        return replace(self.drawn_on(self.printed.drawing(title)), marked=marked)

    def drawn_on(self, blank: Drawing) -> Drawing:
        """Return a drawing of the printed board with the answer on it."""
        raise NotImplementedError

    def _repr_svg_(self) -> str:
        from pyasp_puzzles.render.svg import svg

        return svg(self.drawing())

    def cells(self) -> Mapping[Cell, Hashable]:
        """Return what the answer tells about each cell; unknown cells are left out."""
        raise NotImplementedError

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.printed.cells


@dataclass(frozen=True, order=True)
class Piece:
    """A piece, `Piece(((1, 1), (1, 2)))`: its cells in order, and the atom that it came from, if any."""

    cells: tuple[Cell, ...]
    atom: str = field(default="", compare=False)


class Strip(NamedTuple):
    """A strip, `Strip(((1, 1), (1, 2)), "wb")`: its cells from left to right or top to bottom, and their colors."""

    cells: tuple[Cell, ...]
    pattern: str


@dataclass(frozen=True)
class Ribbon:
    """The ribbon along a line, `Ribbon("column", 1, "y")`: `index` counts from 1, `color` is None for any."""

    line: str
    index: int
    color: str | None


@dataclass(frozen=True)
class Click:
    """A click that lays a ribbon, `Click(31, 80, "row", 2, "blue")`: pixels from the left and the top of a picture."""

    x: int
    y: int
    line: str
    index: int
    color: str


class Entry(NamedTuple):
    """One thing that a person filled in.

    `Entry("the 3 in row 6, column 1", value(6,1,3), ((6, 1),), (value(6,1,3),), (value(6,1,1), ...), 3)`
    """

    words: str
    """What people call it: "the 3 in row 6, column 1"."""
    atom: Symbol
    """The same as an atom of the output: `value(6,1,3)`."""
    cells: tuple[Cell, ...]
    holds: tuple[Symbol | None, ...]
    """Atoms that are true; None is one that no answer has."""
    fails: tuple[Symbol, ...] = ()
    """Atoms that are false: the other numbers of the cell."""
    value: object = None
    """The value of its cell, as JSON has it; None if it is not about one cell."""

    @property
    def marked(self) -> str:
        """Its words, marked as what they name."""
        from pyasp_puzzles.boards.spans import marked

        return marked(self.words, self.cells, self.value)


class Count(int):
    """A number of answers, `Count(3)`; if there may be more, `Count(2, exact=False)`, which prints as `at least 2`."""

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

    def _repr_html_(self) -> str:
        return f"<p>{self} answer{'' if str(self) == '1' else 's'}</p>"
