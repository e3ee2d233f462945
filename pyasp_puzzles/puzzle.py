"""`Puzzle`, the record that one type of puzzle fills in, and the instances and answers that it is about.

A puzzle's module knows how its boards are written and how its answers are shown. It knows no rule: those are in the
encoding.

    Puzzle    strimko.PUZZLE: name, encoding, predicates, and a function for each thing that it can do
    Instance  one board: its facts, and what is known about it
    Answer    what one answer set says, as data: a filled grid, a laying order, a set of strips
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from .errors import PuzzleError, UnknownPuzzleError, did_you_mean, listing, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence

    from clingo import Symbol

    from .board import Cell
    from .errors import Where
    from .render.style import Style
    from .sections import Sections
    from .settings import Settings
    from .step import Sketcher, Step
    from .vocabulary import Entry, Facts, Predicate


class Answer(Protocol):
    """One answer of one instance; two answers are equal if they say the same."""

    def json(self) -> dict[str, object]:
        """Return the answer in the form that `solve --json` prints."""

    def text(self, style: Style, marked: Collection[Cell] = ()) -> str:
        """Return the answer as lines to read, with some cells marked."""

    def cells(self) -> Mapping[Cell, Hashable]:
        """Return what the answer says of each cell; cells of which it says nothing are left out."""

    def atoms(self) -> list[Symbol]:
        """Return what the answer says, as atoms of the encoding's output."""


Decoder: TypeAlias = "Callable[[Instance], Callable[[Sequence[Symbol]], Answer]]"


class View(NamedTuple):
    """A way of looking at answer sets: those that agree in the output are one answer."""

    outputs: tuple[str, ...]
    """The output predicates, "value/3" say."""
    decoder: Decoder
    """A function from the shown atoms of an answer set to the answer, made once for all of an instance's answers."""
    mode: str = ""
    """The stem of a file in `encodings/modes` that defines the output, if the encoding does not."""
    tally: Callable[[Instance, Callable[[], bool]], int | None] | None = None
    """A way to count the answers without a search, for the rules that ship, until a function says that it is late.

    None where it is not up to a board, or it got late.
    """
    decided: Decoder | None = None
    """The same from the atoms that occur in all answers, if the decoder is not up to an answer in part."""
    possible: Decoder | None = None
    """The same from the atoms that occur in any answer, if the decoder is not up to several answers at once."""
    sketcher: Callable[[Instance], Sketcher] | None = None
    """How a step of an explanation is drawn."""

    def signatures(self) -> list[tuple[str, int]]:
        """Return the output predicates as name and arity."""
        parts = (output.partition("/") for output in self.outputs)
        return [(name, int(arity)) for name, _, arity in parts]

    def of(self, kind: str) -> Decoder:
        """Return the decoder for the `decided` or the `possible`."""
        return (self.decided if kind == "decided" else self.possible) or self.decoder


class Obstacle(NamedTuple):
    """What it is that makes a board unsolvable, as a mode finds it."""

    mode: str
    """The stem of a file in `encodings/modes`."""
    outputs: tuple[str, ...]
    words: Callable[[Instance, Sequence[Symbol]], str]
    """A function from the shown atoms to words."""


class Puzzle(NamedTuple):
    """One type of puzzle; `puzzles/NAME.py` makes it as `PUZZLE`."""

    name: str
    summary: str
    """The rules in one sentence, for `pyasp list`."""
    encoding: str
    """The stem of the encoding's file name: "strimko" for a Sudoku."""
    predicates: tuple[Predicate, ...]
    """The input predicates of the encoding."""
    required: str
    """The predicate that every board has, and by which an `.lp` instance is recognised."""
    facts: Callable[[Sections], Iterable[Entry]]
    """The keys of a TOML board to facts, each with its place."""
    validate: Callable[[Facts], None]
    """Raise `InstanceError` unless the facts are a board of this puzzle, however they were written."""
    views: Mapping[str, View]
    """What tells answers apart: the ways there are, the usual one first."""
    read: Callable[[Instance, str, Where], Answer]
    """An answer as people write it (see `docs/instances.md`) to the answer; raises `InstanceError`."""
    steps: Callable[[Instance, Settings, Answer | None], Iterable[Step]] | None = None
    """How the answer is explained, if not by the rules that force it."""
    obstacle: Obstacle | None = None
    """How it is said why a board has no answer, if not by the clues to take back."""
    clues: tuple[str, ...] = ()
    """The predicates of the clues: boards that differ in these only have the same shape."""
    aliases: tuple[str, ...] = ()
    side_by_side: bool = False
    """Whether the answers to the boards of a file are shown beside one another."""

    def view(self, name: str | None = None) -> View:
        """Return the view of that name, or the usual one.

        Raises:
            PuzzleError: there is none.
        """
        if name is None:
            return next(iter(self.views.values()))
        if name not in self.views:
            raise PuzzleError(f"{self.name} has no view {shown(name)}, expected {listing(self.views)}")
        return self.views[name]


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Instance(NamedTuple):
    """One board of a puzzle."""

    puzzle: Puzzle
    facts: Facts
    board: int = 1
    """Which board of its file this is, counted from 1."""
    boards: int = 1
    """How many boards its file has; 0 where nobody knows, in a list of boards that is read line by line."""
    collection: str = ""
    """The title that all boards of its file share."""
    details: Mapping[str, str] = _NOTHING
    """Title, author, source and notes, where they are given."""
    extras: Mapping[str, object] = _NOTHING
    """What the puzzle's module keeps beside the facts: names of colours, letters."""
    solution: Answer | None = None
    """The published answer, where the instance has one."""

    @property
    def source(self) -> str:
        """The file that the board came from."""
        return self.facts.where.source

    @property
    def title(self) -> str:
        """The title, or nothing."""
        return self.details.get("title", "")


def names() -> Iterator[str]:
    """Yield the names of the puzzles: the modules in `puzzles/`, in alphabetical order."""
    modules = (Path(__file__).parent / "puzzles").glob("[a-z]*.py")
    yield from sorted(module.stem for module in modules)


def puzzles() -> Iterator[Puzzle]:
    """Yield every puzzle there is."""
    for name in names():
        yield _load(name)


def find(name: str, where: Where | None = None) -> Puzzle:
    """Return the puzzle of that name or alias.

    Raises:
        UnknownPuzzleError: there is none.
    """
    known = list(names())
    if name in known:
        return _load(name)
    found = next((puzzle for puzzle in puzzles() if name in puzzle.aliases), None)
    if found is None:
        hint = did_you_mean(name, known)
        raise UnknownPuzzleError(f"unknown puzzle {shown(name)}, expected {listing(known)}{hint}", where)
    return found


def _load(name: str) -> Puzzle:
    puzzle: Puzzle = import_module(f"{__package__}.puzzles.{name}").PUZZLE
    return puzzle
