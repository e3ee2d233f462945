"""Wishes that no board can meet, which are refused before any is made."""

from __future__ import annotations

from itertools import islice
from math import ceil, inf
from random import Random
from typing import TYPE_CHECKING

from pyasp_puzzles.arguments import check_type, whole_number
from pyasp_puzzles.asp.symbols import fact_symbol
from pyasp_puzzles.boards.grid import Cell, cell_place
from pyasp_puzzles.errors import ArgumentError, PuzzleError, did_you_mean, listing, shown
from pyasp_puzzles.generation.clues import clue_keys, covering_keys, line_and_cage_keys
from pyasp_puzzles.generation.lines import is_on_sides, line_sizes
from pyasp_puzzles.model.keys import Key, KeyRange, Shape
from pyasp_puzzles.puzzles.declaration import variants_in
from pyasp_puzzles.puzzles.keys.outside import SIDES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from pyasp_puzzles.generation.clues import Wish
    from pyasp_puzzles.generation.layouts import WantedLayout
    from pyasp_puzzles.model.puzzle import Instance, Puzzle

# Any number of clues but 0.
SOME = KeyRange(1, "cells")
WAYS_OF_LINES = ("overlap", "touch", "apart")


def check(
    wish: Wish, keys: Sequence[Key], wanted: WantedLayout, board: Instance | None, cells: Collection[Cell]
) -> None:
    """Raise `PuzzleError` for what boards with clues of these keys cannot have.

    Args:
        wish: what is wanted.
        keys: those of the clues.
        wanted: the layout.
        board: the layout to keep; None if new ones are made.
        cells: the cells of the board.

    Raises:
        PuzzleError: a key, a side or a way to lie is unknown, nothing would be different, or there is no room.
    """
    _check_keys(wish, keys, wanted)
    for side in wish.sides:
        if side not in SIDES:
            raise PuzzleError(f"unknown side {shown(side)}; choose {listing(SIDES)}")
    if wish.lines not in WAYS_OF_LINES:
        raise PuzzleError(f"unknown way of lines {shown(wish.lines)}; choose {listing(WAYS_OF_LINES)}")
    lines = line_and_cage_keys(keys)
    for asked, what, there in (
        (wish.givens, "givens", any(key.kind.role == "answers" for key in keys)),
        (wish.cells, "lines or cages", lines),
        (wish.cover, "lines or cages", covering_keys(keys)),
        (wish.sides, "clues outside the board", any(key.kind.tool in {"outside", "sight"} for key in keys)),
        (wish.all_dots, "signs between two cells", any(key.kind.tool == "pair" and key.kind.possible for key in keys)),
    ):
        if asked and not there:
            these = f"with {listing([key.name for key in keys], 'and')} " if keys else ""
            raise PuzzleError(
                f"boards of {wanted.puzzle.name} {these}have no {what}; add a key that has, or leave it out"
            )
    _check_cover(wish, keys, cells)
    _check_room(wish, keys, board, cells)


def _check_keys(wish: Wish, keys: Sequence[Key], wanted: WantedLayout) -> None:
    """Raise `PuzzleError` for a key of which no clues are made."""
    for name, _ in wish.use:
        if name not in [key.name for key in keys]:
            there = wanted.like is not None and any(key.name == name for key in clue_keys(wanted.puzzle))
            every = variants_in(wanted.puzzle.variant_folders)
            keys_of_variants = [key.name for variant in every.values() for key in variant.keys]
            why = f"no variant has this key{did_you_mean(name, keys_of_variants)}"
            if name in every:
                why = f"it is a variant; to add its rules, write --extra {name}"
            if there:
                why = "those of the given board remain"
            raise PuzzleError(f"no new {name} can be made: {why}")


def _check_room(wish: Wish, keys: Sequence[Key], board: Instance | None, cells: Collection[Cell]) -> None:
    """Raise `PuzzleError` if there is no room for so many clues, or for such long ones; arguments as `check`."""
    lines = line_and_cage_keys(keys)
    if wish.cells is not None and board is not None:
        least = min((len(shape[-1]) for key in lines for shape in islice(_shapes(key, board), 1)), default=1)
        if wish.cells.low > len(cells) or (isinstance(wish.cells.high, int) and wish.cells.high < least):
            names = listing([key.name for key in lines], "and")
            raise PuzzleError(f"{names} can have {least} to {len(cells)} cells here, not {wish.cells.words}")
    room = {key.name: _room(key, wish, board, cells) for key in keys}
    for name, span in wish.spans(keys):
        if span.low > room[name]:
            raise PuzzleError(f"this board has room for at most {room[name]} {name}, not {span.words}")
    if wish.clues is not None and wish.clues > sum(room.values()):
        raise PuzzleError(f"this board has room for at most {sum(room.values())} clues, not {wish.clues}")


def _room(key: Key, wish: Wish, board: Instance | None, cells: Collection[Cell]) -> float:
    """Return how many clues of a key there is room for, ignoring the rules; infinite if that is not known."""
    drawn = key.kind.drawn
    if key.kind.role == "answers":
        return len(cells)
    if drawn is not None and drawn.apart:
        return inf if wish.lines == "overlap" else len(cells) // max(1, line_sizes(key).low)
    if board is None:
        return inf
    if drawn is not None:
        return sum(is_on_sides(key, (), shape, wish.sides) for shape in _shapes(key, board))
    every = key.kind.possible(key, board.outline) if key.kind.possible else ()
    places = {
        arguments[: key.place]
        for arguments in every
        if is_on_sides(key, (fact_symbol(key.fact, *arguments),), (), wish.sides)
    }
    return len(places) or inf


def _shapes(key: Key, board: Instance) -> Iterator[Shape]:
    """Yield the smallest shapes of the clues of a key."""
    assert key.kind.drawn is not None
    yield from key.kind.drawn.shapes(key, board.outline, Random(0), ())  # noqa: S311 (their order does not matter)


def _check_cover(wish: Wish, keys: Sequence[Key], cells: Collection[Cell]) -> None:
    """Raise `PuzzleError` if so many cages or lines of such sizes cannot cover a board."""
    if not wish.cover:
        return
    there, numbers = covering_keys(keys), dict(wish.use)
    spans = {key.name: (numbers.get(key.name, SOME).high, line_sizes(key).high) for key in there}
    most = [number * size for number, size in spans.values() if isinstance(number, int) and isinstance(size, int)]
    if len(most) == len(spans) and sum(most) < len(cells):
        so_many = f"so many {listing(spans, 'and')} cover at most {sum(most)} cells"
        raise PuzzleError(f"{so_many}; the board has {len(cells)}")
    low, high = line_sizes(there[0])
    heads = any(key.option("head") for key in there)
    if len(there) == 1 and isinstance(high, int) and not heads and ceil(len(cells) / high) * low > len(cells):
        raise PuzzleError(f"{there[0].name} of {line_sizes(there[0]).words} cells cannot cover {len(cells)} cells")


def check_numbers(numbers: Mapping[Cell, int], puzzle: Puzzle, board: Instance | None) -> None:
    """Raise `PuzzleError` if boards cannot have some numbers in their answer.

    Args:
        numbers: the numbers.
        puzzle: the puzzle.
        board: the layout to keep; None if new ones are made.

    Raises:
        PuzzleError: the answer is no numbers, a cell is not on the board, or layouts are new.
        TypeError: these are no cells, or no numbers.
    """
    if puzzle.kind.data[0] != "values":
        raise PuzzleError(f"answers of {puzzle.name} are not numbers; leave out the numbers of the answer")
    if board is None:
        raise PuzzleError("numbers of the answer need a known layout: name a board that has it, or leave them out")
    for cell, number in numbers.items():
        check_type(cell, tuple, "numbers", "{(row, column): number}")
        whole_number(number, "numbers", None, "{(row, column): number}")
        if cell not in board.cells:
            place = cell_place(cell) if len(cell) == len("RC") else shown(cell)
            raise ArgumentError(f"numbers: {place} is not on the board")


def check_measures(puzzle: Puzzle, wish: Wish, cells: Collection[Cell]) -> None:
    """Raise `PuzzleError` for a number that boards of these cells do not have."""
    for name, number in wish.measures:
        measure = puzzle.kind.measures.get(name)
        if measure is None:
            raise PuzzleError(f"boards of {puzzle.name} have no {name}; leave the number of {name} out")
        if not 1 <= number <= measure.most(cells):
            raise PuzzleError(f"this board can have 1 to {measure.most(cells)} {name}, not {number}")
