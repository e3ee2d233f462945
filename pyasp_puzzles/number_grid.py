"""What the puzzles share whose answer is a number in each cell, and whose cells belong to regions."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .answers.numbers import Board, Numbers
from .board import EMPTY, Cell, at, fill, in_shape, number, parse
from .errors import EncodingError, InstanceError, Where
from .puzzle import View
from .recent import Recent
from .vocabulary import integers, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from clingo import Symbol

    from .answers.candidates import Candidates
    from .puzzle import Instance
    from .render.style import Style
    from .step import Sketch, Sketcher
    from .vocabulary import Facts

MOST_LAYOUTS = 16
"""Shapes of boards of which is kept what is known."""
LARGEST_SEARCH = 500_000
"""Candidates, a number in a cell each, of the largest board that is taken on; it grounds in some ten seconds."""


def gather(regions: Mapping[Cell, Symbol]) -> dict[Symbol, list[Cell]]:
    """Return the cells of each region."""
    members: dict[Symbol, list[Cell]] = {}
    for cell, region in regions.items():
        members.setdefault(region, []).append(cell)
    return members


def check_givens(facts: Facts, largest: Mapping[Cell, int]) -> None:
    """Raise `InstanceError` unless every given is on the board and at most the largest number of its cell."""
    for cell, value in facts.cells("given").items():
        place = facts.place("given", *cell)
        if cell not in largest:
            raise InstanceError(f"{at(cell)}: given {value} is outside the board", place)
        if not 1 <= value.number <= largest[cell]:
            raise InstanceError(f"{at(cell)}: given {value} is out of range, expected 1 to {largest[cell]}", place)
    candidates = sum(largest.values())
    if candidates > LARGEST_SEARCH:
        message = f"too large a board, with {candidates} numbers to consider, expected at most {LARGEST_SEARCH}"
        raise InstanceError(message, facts.where)


def decoder(instance: Instance) -> Callable[[Sequence[Symbol]], Numbers]:
    """Return the function from `value(R, C, V)` atoms to the filled board."""
    board, said = _board(instance), _layout(instance).said

    def decode(atoms: Sequence[Symbol]) -> Numbers:
        pairs = list(filter(None, map(said, atoms)))
        values = dict(pairs)
        if len(values) < len(pairs):
            cell, value = next((cell, value) for cell, value in pairs if values[cell] != value)
            raise EncodingError(f"an answer set has two numbers, {value} and {values[cell]}, in {at(cell)}")
        return Numbers(values, board)

    return decode


def candidates(instance: Instance) -> Callable[[Sequence[Symbol]], Candidates]:
    """Return the function from `value(R, C, V)` atoms of several answers to the numbers of each cell."""
    from .answers.candidates import Candidates

    board, said = _board(instance), _layout(instance).said

    def decode(atoms: Sequence[Symbol]) -> Candidates:
        found: dict[Cell, list[int]] = {cell: [] for cell in board.regions}
        for cell, value in filter(None, map(said, atoms)):
            found[cell].append(value)
        return Candidates({cell: tuple(sorted(values)) for cell, values in found.items()}, board)

    return decode


def _reader(regions: Collection[Cell]) -> Callable[[Symbol], tuple[Cell, int] | None]:
    """Return the function from an atom to the cell and the number that it says; None if it says something else."""

    @cache
    def said(atom: Symbol) -> tuple[Cell, int] | None:
        found = _said(str(atom))
        if found is None:
            if atom.match("value", 3):
                integers(atom.arguments)
            return None
        if found[0] not in regions:
            raise EncodingError(f"an answer set says {atom}, expected a cell of the board")
        return found

    return said


@lru_cache(maxsize=100_000)
def _said(atom: str) -> tuple[Cell, int] | None:
    """Return what an atom says, given as text: to ask clingo for the parts of a symbol takes six times as long."""
    found = _VALUE.fullmatch(atom)
    return found and ((int(found[1]), int(found[2])), int(found[3]))


_VALUE = re.compile(r"value\((-?\d+),(-?\d+),(-?\d+)\)")


def sketcher(instance: Instance) -> Sketcher:
    """Return the function that draws a step: the numbers that are known, and of its own cells those that are left."""
    board, said = _board(instance), _layout(instance).said

    def draw(sketch: Sketch, style: Style) -> str:
        labels = {cell: str(value) for cell, value in board.givens.items()}
        for cell, atoms in sketch.left.items():
            values = [str(value) for _, value in filter(None, map(said, atoms))]
            label = ("" if all(len(value) == 1 for value in values) else ",").join(values)
            labels[cell] = label if 0 < len(label) <= MOST_LEFT else EMPTY
        labels |= {cell: str(value) for cell, value in filter(None, map(said, sketch.placed))}
        return board.draw(labels, style, sketch.marked, sketch.resting)

    return draw


MOST_LEFT = 4
"""Characters of the numbers that are left in a cell, up to which a step shows them."""

VIEWS = {"grids": View(("value/3",), decoder, possible=candidates, sketcher=sketcher)}


def read(instance: Instance, words: str, where: Where) -> Numbers:
    """Read a filled, or partly filled, grid of numbers.

    Raises:
        InstanceError: another shape than the board's, or what is no number.
    """
    board = _board(instance)
    shape = parse(fill(board.regions, {}), where)
    values = {
        cell: number(token, cell, place)
        for cell, token, place in in_shape(parse(words, where), shape, "the answer")
        if token not in {EMPTY, "0", "_"}
    }
    return Numbers(values, board)


class _Layout(NamedTuple):
    """What boards of one shape share."""

    regions: Mapping[Cell, str]
    said: Callable[[Symbol], tuple[Cell, int] | None]


@cache
def _layouts() -> Recent[_Layout]:
    return Recent(MOST_LAYOUTS)


def _layout(instance: Instance) -> _Layout:
    puzzle = instance.puzzle

    def make() -> _Layout:
        regions = texts(instance.facts.cells(puzzle.required))
        return _Layout(regions, _reader(regions))

    return _layouts().get((puzzle.required, instance.facts.shape(("given",))), make)


def _board(instance: Instance) -> Board:
    return Board(_layout(instance).regions, instance.facts.cells("given"))
