"""On small random boards, the answers are exactly those that brute force finds."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from pyasp_puzzles import Answer, Instance, count, solutions, solve

from . import plain, rules, strategies
from .helpers import grounded, not_none, one
from .plain import exact_count
from .rules import Cell, Lattice
from .strategies import NumberBoard, StrataBoard, StripsBoard, examples, rectangle


def answers(text: str) -> list[Answer]:
    """Return all answers of the one board in a TOML text; none comes twice, and `count` says how many there are."""
    instance = one(text, "board.toml")
    found = list(solutions(instance))
    assert len(set(found)) == len(found)
    assert exact_count(count(instance)) == (len(found), True)
    return found


def lattice(answer: Answer, board: StrataBoard) -> Lattice:
    """Return the lattice of an answer, checked to tell of just the colours that show."""
    order = plain.laying(answer.json())
    found = rules.lattice(board.rows, board.columns, board.tiles, [(name, index) for name, index, _ in order])
    assert found is not None
    assert found == plain.identity(answer.json())
    return found


@pytest.mark.parametrize("kind", strategies.KINDS)
def test_answers(kind: str) -> None:
    """A board of numbers or strips has exactly the answers that trying all numbers, or all strips, finds.

    Plain clingo finds the same ones with what prunes the search and without.
    """

    @examples(35)
    @given(strategies.KINDS[kind])
    def compare(board: NumberBoard | StripsBoard) -> None:
        expected = {frozenset(answer.items() if isinstance(answer, dict) else answer) for answer in board.answers()}
        assert {plain.identity(answer.json()) for answer in answers(board.text)} == expected
        instance = one(board.text)
        assert models(instance) == models(instance, instance.puzzle.encoding.with_name("pruning.lp"))

    compare()


def models(instance: Instance, *files: Path) -> set[str]:
    """Return the answers that plain clingo finds with further files."""
    control = grounded(instance, *files)
    with control.solve(yield_=True) as found:
        return {str(sorted(model.symbols(shown=True))) for model in found}


@examples(25)
@given(strategies.strata_boards())
def test_strata_answers(board: StrataBoard) -> None:
    """A Strata board has exactly the lattices that trying all laying orders finds."""
    assert {lattice(answer, board) for answer in answers(board.text)} == board.answers()


def paint(random: Random, rows: int, columns: int, colors: str, blank: float) -> dict[Cell, str]:
    """Return the tiles of a board that some laying of ribbons leaves, without some."""
    order = rules.lines(rows, columns)
    random.shuffle(order)
    laying = [(*line, random.choice(colors)) for line in order]
    shown = rules.picture(rows, columns, laying)
    return {cell: color for cell, color in shown.items() if color and random.random() >= blank}


def strata_boards(random: Random, number: int) -> Iterator[StrataBoard]:
    """Yield boards of up to 8x8: as laid, with one tile of another colour, or with any tiles at all."""
    for i in range(number):
        rows, columns, colors = random.randint(1, 8), random.randint(1, 8), "abcd"[: random.randint(2, 4)]
        tiles = paint(random, rows, columns, colors, random.choice([0, 0.3, 0.6]))
        if i % 3 == 1 and tiles:
            tiles[random.choice(list(tiles))] = random.choice(colors)
        elif i % 3 == 2:
            tiles = {cell: random.choice(colors) for cell in rectangle(rows, columns) if random.random() < 0.4}
        yield strategies.strata(rows, columns, tiles)


def test_strata_peels() -> None:
    """A board has an answer if and only if its lines can be peeled off one by one, and the answer shows the board."""
    solvable = 0
    for board in strata_boards(Random(1), 200):  # noqa: S311 (no secrets here)
        instance = one(board.text, "board.toml")
        answer = solve(instance)
        assert (answer is not None) == rules.strata_solvable(*board[1:])
        if answer is not None:
            solvable += 1
            assert rules.strata_broken(*board[1:], plain.laying(answer.json())) == []
    assert 75 < solvable < 175


def test_strata_large() -> None:
    """A board of 80x80 is solved: its ribbons, laid in the order of the answer, show the board."""
    tiles = paint(Random(2), 80, 80, "abcdef", 0.1)  # noqa: S311 (no secrets here)
    instance = one(strategies.strata(80, 80, tiles).text, "board.toml")
    answer = not_none(solve(instance))
    assert rules.strata_broken(80, 80, tiles, plain.laying(answer.json())) == []
