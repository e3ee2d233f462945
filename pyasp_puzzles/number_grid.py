"""What the puzzles share whose answer is a number in each cell, and whose cells belong to regions."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from .answers.numbers import Board, Numbers
from .board import EMPTY, Cell, at, fill, in_shape, number, parse
from .errors import EncodingError, InstanceError, Where
from .puzzle import View
from .symbols import integers, written

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clingo import Symbol

    from .answers.candidates import Candidates
    from .puzzle import Instance
    from .render.style import Style
    from .step import Sketch, Sketcher
    from .vocabulary import Facts

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
    board = _board(instance)
    said = _reader(board)

    def decode(atoms: Sequence[Symbol]) -> Numbers:
        pairs = said(atoms)
        values = dict(pairs)
        if len(values) < len(pairs):
            cell, value = next((cell, value) for cell, value in pairs if values[cell] != value)
            raise EncodingError(f"an answer set has two numbers, {value} and {values[cell]}, in {at(cell)}")
        return Numbers(values, board)

    return decode


def candidates(instance: Instance) -> Callable[[Sequence[Symbol]], Candidates]:
    """Return the function from `value(R, C, V)` atoms of several answers to the numbers of each cell."""
    from .answers.candidates import Candidates

    board = _board(instance)
    said = _reader(board)

    def decode(atoms: Sequence[Symbol]) -> Candidates:
        found: dict[Cell, list[int]] = {cell: [] for cell in board.cells}
        for cell, value in said(atoms):
            found[cell].append(value)
        return Candidates({cell: tuple(sorted(values)) for cell, values in found.items()}, board)

    return decode


def _reader(board: Board) -> Callable[[Sequence[Symbol]], list[tuple[Cell, int]]]:
    """Return the function from atoms to the cells and the numbers that they say; other atoms are left out."""
    cells = board.cells

    def said(atoms: Sequence[Symbol]) -> list[tuple[Cell, int]]:
        found = list(map(_said, written("value", atoms)))
        if None in found:
            found = [_said(str(atom)) for atom in atoms]
            for atom, pair in zip(atoms, found, strict=True):
                if pair is None and atom.match("value", 3):
                    integers(atom.arguments)
        pairs = list(filter(None, found))
        outside = dict(pairs).keys() - cells
        if outside:
            (r, c), value = next(pair for pair in pairs if pair[0] in outside)
            raise EncodingError(f"an answer set says value({r},{c},{value}), expected a cell of the board")
        return pairs

    return said


@lru_cache(maxsize=100_000)
def _said(atom: str) -> tuple[Cell, int] | None:
    """Return what an atom says, given as text: to ask clingo for the parts of a symbol takes long."""
    found = _VALUE.fullmatch(atom)
    return found and ((int(found[1]), int(found[2])), int(found[3]))


_VALUE = re.compile(r"value\((-?\d+),(-?\d+),(-?\d+)\)")


def sketcher(instance: Instance) -> Sketcher:
    """Return the function that draws a step: the numbers that are known, and of its own cells those that are left."""
    board = _board(instance)
    said = _reader(board)

    def draw(sketch: Sketch, style: Style) -> str:
        labels = {cell: str(value) for cell, value in board.givens.items()}
        for cell, atoms in sketch.left.items():
            values = [str(value) for _, value in said(atoms)]
            label = ("" if all(len(value) == 1 for value in values) else ",").join(values)
            labels[cell] = label if 0 < len(label) <= MOST_LEFT else EMPTY
        labels |= {cell: str(value) for cell, value in said(sketch.placed)}
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
    shape = parse(fill(board.cells, {}), where)
    values = {
        cell: number(token, cell, place)
        for cell, token, place in in_shape(parse(words, where), shape, "the answer")
        if token not in {EMPTY, "0", "_"}
    }
    return Numbers(values, board)


def _board(instance: Instance) -> Board:
    return Board(instance.facts, instance.puzzle.required)
