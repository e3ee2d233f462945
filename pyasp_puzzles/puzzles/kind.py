"""`Answer` and `Kind`, the bases of the kinds of answers: how answer sets are read, drawn, compared and checked.

Answer    data that prints as its text
Kind      numbers, shading, pieces, strips or ribbons, with what one puzzle declares about it
View      the output that tells two answers apart
Entry     one thing that a person filled in: a number, a shaded cell, a strip
Position  what is known of the board at a step of an explanation, for a picture of it
"""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from pyasp_puzzles.boards.grid import extent
from pyasp_puzzles.errors import InstanceError
from pyasp_puzzles.render.text import Style

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
    from typing import Self

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.errors import Where
    from pyasp_puzzles.puzzles.declaration import DeclarationTable
    from pyasp_puzzles.puzzles.keys import Shape
    from pyasp_puzzles.puzzles.layout import Layout
    from pyasp_puzzles.puzzles.pieces import Piece
    from pyasp_puzzles.puzzles.puzzle import Instance
    from pyasp_puzzles.puzzles.strata.answers import Ribbon
    from pyasp_puzzles.puzzles.strips import Strip
    from pyasp_puzzles.puzzles.wording import Broken
    from pyasp_puzzles.render.svg import Drawing


# Cells of the largest board, unless a kind of answer has a limit of its own.
MOST_CELLS = 62_500


class Answer:
    """One answer of one instance. A subclass is a frozen dataclass that starts with its data, and has a `board`.

    The kind of answer depends on the puzzle, which is only known when a board is read. So a type checker accepts the
    data of every kind; at run time an answer has the data of its own kind, and raises `AttributeError` for the others.
    """

    if TYPE_CHECKING:
        board: Layout

        @property
        def values(self) -> Mapping[Cell, int]:
            """Of numbers: the number in each cell."""

        @property
        def candidates(self) -> Mapping[Cell, tuple[int, ...]]:
            """Of the `possible` of numbers: the candidates of each cell, in ascending order."""

        @property
        def shaded(self) -> Mapping[Cell, bool]:
            """Of shaded cells: whether each cell is shaded."""

        @property
        def pieces(self) -> Sequence[Piece]:
            """Of a board cut up: its pieces."""

        @property
        def strips(self) -> Sequence[Strip]:
            """Of a board cut into strips: the strips."""

        @property
        def order(self) -> Sequence[Ribbon]:
            """Of Strata: the ribbons, bottom to top."""

        @property
        def colors(self) -> Mapping[Cell, str]:
            """Of the `looks` of Strata: the visible color of each cell."""

    else:

        def __getattr__(self, name: str) -> object:
            data = next(iter(getattr(type(self), "__dataclass_fields__", ())), "nothing")
            raise AttributeError(f"this answer is {type(self).__name__} and has no {name!r}, expected {data!r}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        compared = [field.name for field in fields(self) if field.compare]  # type: ignore[arg-type]
        return all(getattr(self, name) == getattr(other, name) for name in compared)

    def __hash__(self) -> int:
        return hash(frozenset(self.cells().items()))

    def __str__(self) -> str:
        return self.text(Style())

    def __repr__(self) -> str:
        known, places = self.cells(), self.places()
        size = "x".join(map(str, extent(places))) if places else "empty"
        part = f", {len(known)} of {len(places)} cells known" if len(known) < len(places) else ""
        return f"<{type(self).__name__} {size}{part}>"

    def _repr_pretty_(self, printer: object, cycle: bool) -> None:  # noqa: FBT001 (the name and form are IPython's)
        printer.text("..." if cycle else str(self))  # type: ignore[attr-defined]

    def json(self) -> dict[str, Any]:
        """Return the answer as `solve --json` prints it."""
        raise NotImplementedError

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the answer as lines of text, with some cells marked."""
        raise NotImplementedError

    def drawing(self, marked: Collection[Cell] = (), title: str = "") -> Drawing:
        """Return the answer on its board, as what `render.svg.svg` draws."""
        raise NotImplementedError

    def _repr_svg_(self) -> str:
        from pyasp_puzzles.render.svg import svg

        return svg(self.drawing())

    def cells(self) -> Mapping[Cell, Hashable]:
        """Return what the answer tells about each cell; unknown cells are left out."""
        raise NotImplementedError

    def places(self) -> Collection[Cell]:
        """Return the cells of the board."""
        return self.board.cells


# A function from an instance to the function that decodes its answer sets, which is made once for all of them.
Decoder: TypeAlias = "Callable[[Instance], Callable[[Sequence[Symbol]], Answer]]"


class Entry(NamedTuple):
    """One thing that a person filled in."""

    words: str
    """What people call it: "the 3 in row 6, column 1"."""
    atom: Symbol
    """The same as an atom of the output: `value(6,1,3)`."""
    cells: tuple[Cell, ...]
    holds: tuple[Symbol | None, ...]
    """Atoms that are true; None stands for one that no answer has."""
    fails: tuple[Symbol, ...] = ()
    """Atoms that are false: the other numbers of the cell."""
    value: object = None
    """The value of its cell, as JSON has it; None if it is not about one cell."""


class View(NamedTuple):
    """What tells answers apart: answer sets with the same output are one answer."""

    outputs: tuple[str, ...]
    """The output predicates: ("value/3",)."""
    decoder: Decoder
    files: tuple[str, ...] = ()
    """The names of files in the puzzle's folder that define the output, if the encoding does not."""
    shows: str = ""
    """A line of the program that shows more than the output."""
    counter: Callable[[Instance, Callable[[], bool]], int | None] | None = None
    """Counts the answers by the shipped rules without a search; None if the board is too large or time ran out.

    Its second argument is a function that tells whether time has run out.
    """

    def signatures(self) -> list[tuple[str, int]]:
        """Return the name and the arity of each output predicate: `[("value", 3)]`."""
        parts = (output.partition("/") for output in self.outputs)
        return [(name, int(arity)) for name, _, arity in parts]


class Obstacle(NamedTuple):
    """How a kind of answer finds and explains why a board has no answer."""

    mode: str
    """The name of a file in the puzzle's folder."""
    outputs: tuple[str, ...]
    explain: Callable[[Instance, Sequence[Symbol]], Obstruction]
    """A function from the shown atoms to the explanation."""


class Obstruction(NamedTuple):
    """Why a board has no answer."""

    words: str
    picture: str
    """What blocks the board, as text."""
    blocked: tuple[Broken, ...]
    """What is blocked, each in words and with its cells."""

    def __str__(self) -> str:
        return "\n".join([self.words, self.picture, *(rule.words for rule in self.blocked)])


class Position(NamedTuple):
    """What is known of the board at a step."""

    placed: tuple[Symbol, ...] = ()
    """The atoms that are known to be true, the step's own conclusions included."""
    candidates: Mapping[Cell, tuple[Symbol, ...]] = {}
    """For each cell of the step: the atoms that are still possible after it."""
    marked: Collection[Cell] = ()
    """The cells of the conclusions."""
    premises: Collection[Cell] = ()
    """The cells that the conclusions follow from."""
    excluded: tuple[Symbol, ...] = ()
    """The atoms that are known to be false, if that is an answer too: cells that are not shaded."""
    eliminated: tuple[Symbol, ...] = ()
    """The conclusions that are false."""


class StepPicture(NamedTuple):
    """The board at a step, drawn on demand."""

    text: Callable[[Style], str]
    drawing: Callable[[str], Drawing]
    """The same beside a sentence, as what `render.svg.svg` draws."""


StepDrawer: TypeAlias = "Callable[[Position], StepPicture]"


def step_drawer(text: Callable[[Position, Style], str], drawing: Callable[[Position, str], Drawing]) -> StepDrawer:
    """Return the function that draws a step, from one that draws a position as text and one that draws it for SVG."""
    return lambda position: StepPicture(partial(text, position), partial(drawing, position))


class Kind:
    """A kind of answer. By default, all atoms of an answer can be assumed, and none replaces a clue."""

    data: ClassVar[tuple[str, ...]] = ()
    """The attributes with the data of an answer, or of part of one; it has one of them."""
    two_valued = False
    """Whether each cell has one atom, and its absence is an answer too: a cell that is not shaded."""
    penciled = False
    """Whether solvers write pencil marks into its cells."""
    peeled = False
    """Whether answers are explained by peeling ribbons from the top, not by the rules that force them."""
    cells_left_over: ClassVar[bool] = False
    """Whether an answer may leave cells open, or have several entries in one, so that being whole does not show."""
    solvable_is_good = False
    """Whether a board is good if it has an answer, however many."""
    side_by_side = False
    """Whether the answers to the boards of a file are printed side by side."""
    generated_view: str | None = None
    """The view in which a generated board has one answer, if not the usual one."""
    obstacle: Obstacle | None = None
    """How to explain why a board has no answer, if not by clues to take back."""

    @property
    def overlap(self) -> str:
        """Lines of a program that leave only the answers in which entries share a cell; empty if there are none."""
        return ""

    @classmethod
    def from_table(cls, answer: DeclarationTable) -> Self:
        """Return the kind that a table `[answer]` of a `puzzle.toml` declares.

        Raises:
            EncodingError: something is wrong with the table.
        """
        raise NotImplementedError

    @property
    def views(self) -> Mapping[str, View]:
        """The views by name, the usual one first."""
        raise NotImplementedError

    def check(self, shape: Shape) -> None:
        """Raise `InstanceError` for boards that are too large to search."""
        if len(shape.cells) > MOST_CELLS:
            raise InstanceError(f"the board is too large: it may have at most {MOST_CELLS} cells", shape.facts.where)

    def largest(self, shape: Shape) -> int | None:
        """Return the largest number of an answer; None if there is none, or it is not declared."""
        del shape
        return None

    def consequences(
        self, instance: Instance, question: str, always: Sequence[Symbol], sometimes: Sequence[Symbol]
    ) -> Answer:
        """Return the `decided` or the `possible` of an instance.

        Args:
            instance: the board.
            question: "decided" or "possible".
            always: the atoms that are true in every answer; empty for "possible", unless the kind is two-valued.
            sometimes: the atoms that are true in some answer; empty for "decided", unless the kind is two-valued.
        """
        decoder = next(iter(self.views.values())).decoder
        return decoder(instance)(always if question == "decided" else sometimes)

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Answer:
        """Return an answer from text (see `docs/instances.md`); it is the whole answer, or what is filled in.

        Raises:
            InstanceError: it is no answer to this board.
        """
        raise NotImplementedError

    def from_json(self, instance: Instance, table: Mapping[str, Any], where: Where) -> Answer:
        """Return an answer from the JSON that `solve --json` prints.

        Raises:
            KeyError, TypeError, ValueError: it does not have the form of an answer.
            InstanceError: it is no answer to this board.
        """
        raise NotImplementedError

    def derived_facts(self, instance: Instance, answer: Answer) -> list[Symbol]:
        """Return the atoms of an answer that the encoding derives, so that they are added as facts, not assumed."""
        del instance, answer
        return []

    def entries(self, instance: Instance, answer: Answer, program: Search, *, so_far: bool = False) -> list[Entry]:
        """Return the entries of an answer, or of part of one, in terms of the atoms of a grounding of the board.

        With `so_far`, the answer is what a person has until now; in Strata, the ribbons on top.
        """
        raise NotImplementedError

    def closed(self, entries: Sequence[Entry], program: Search) -> Sequence[Entry]:
        """Return the entries of an answer to a board on which none overlap: each excludes all that would."""
        del program
        return entries

    def open_cells(self, instance: Instance, answer: Answer) -> int:
        """Return how many cells are not filled in; givens count as filled in."""
        del instance
        return len(answer.places()) - len(answer.cells())

    def value_words(self, value: object) -> str:
        """Return what people call the value of a cell, "a 3"; nothing if it cannot replace a clue."""
        del value
        return ""

    def atom_reader(self, program: Search) -> Callable[[Symbol], tuple[Cell, object] | None]:
        """Return the function from an atom of the output to its cell and value, as JSON has it; None for no cell."""
        del program
        return lambda _: None

    def literal_words(self, value: object, *, holds: bool) -> tuple[str, bool]:
        """Return the words for an atom with that value, which is true or false, and whether to negate them."""
        return str(value), not holds

    def step_drawer(self, instance: Instance, program: Search) -> StepDrawer:
        """Return the function that draws the steps of an explanation, given the program that they come from."""
        raise NotImplementedError
