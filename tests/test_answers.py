"""On small random boards, the answers are exactly those that brute force finds, and `count` says how many."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest
from clingo.solving import Model
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import Answer, Instance, Settings, count, solutions, solve

from . import plain, rules, strategies
from .command import objects, printed, pyasp
from .helpers import grounded, not_none, one, write
from .plain import exact_count
from .rules import Cell, Lattice
from .strategies import NumberBoard, StrataBoard, StripsBoard, examples, grid, rectangle, toml


def answers(text: str) -> list[Answer]:
    """Return all answers of the one board in a TOML text; none comes twice, and `count` says how many there are."""
    instance = one(text, "board.toml")
    found = list(solutions(instance))
    assert len(set(found)) == len(found)
    assert exact_count(count(instance)) == (len(found), True)
    return found


def lattice(answer: Answer, board: StrataBoard) -> Lattice:
    """Return the lattice of an answer, checked to tell of just the colors that show."""
    order = plain.laying(answer.json())
    found = rules.lattice(board.rows, board.columns, board.tiles, [(name, index) for name, index, _ in order])
    assert found is not None
    assert found == plain.identity(answer.json())
    return found


@pytest.mark.parametrize("kind", strategies.KINDS)
@pytest.mark.slow
def test_answers_are_those_of_trying_all(kind: str) -> None:
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


@pytest.mark.slow
@examples(25)
@given(strategies.strata_boards())
def test_strata_answers_are_those_of_trying_all_orders(board: StrataBoard) -> None:
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
    """Yield boards of up to 8x8: as laid, with one tile of another color, or with any tiles at all."""
    for i in range(number):
        rows, columns, colors = random.randint(1, 8), random.randint(1, 8), "abcd"[: random.randint(2, 4)]
        tiles = paint(random, rows, columns, colors, random.choice([0, 0.3, 0.6]))
        if i % 3 == 1 and tiles:
            tiles[random.choice(list(tiles))] = random.choice(colors)
        elif i % 3 == 2:
            tiles = {cell: random.choice(colors) for cell in rectangle(rows, columns) if random.random() < 0.4}
        yield strategies.strata(rows, columns, tiles)


@pytest.mark.slow
def test_a_strata_board_has_an_answer_if_it_can_be_peeled() -> None:
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


def test_a_large_strata_board_is_solved() -> None:
    """A board of 80x80 is solved: its ribbons, laid in the order of the answer, show the board."""
    tiles = paint(Random(2), 80, 80, "abcdef", 0.1)  # noqa: S311 (no secrets here)
    instance = one(strategies.strata(80, 80, tiles).text, "board.toml")
    answer = not_none(solve(instance))
    assert rules.strata_broken(80, 80, tiles, plain.laying(answer.json())) == []


@pytest.mark.parametrize("limit", [1, 2])
def test_a_strata_board_that_is_peeled_first_is_searched_in_that_order(limit: int) -> None:
    """A board of 50x50 is solved in the order in which its ribbons come off; the answers differ and show the board."""
    tiles = paint(Random(3), 50, 50, "abc", 0.1)  # noqa: S311 (no secrets here)
    instance = one(strategies.strata(50, 50, tiles).text, "board.toml")
    found = list(solutions(instance, limit))
    assert len(found) == len({str(answer.json()) for answer in found}) == limit
    for answer in found:
        assert rules.strata_broken(50, 50, tiles, plain.laying(answer.json())) == []


@pytest.mark.slow
def test_a_large_strata_board_that_cannot_be_peeled_has_no_answer() -> None:
    """Two rows and two columns that block one another block a board of 50x50, whatever else comes off."""
    tiles = paint(Random(3), 50, 50, "abc", 0.1)  # noqa: S311 (no secrets here)
    tiles |= {(1, 1): "a", (1, 2): "b", (2, 1): "b", (2, 2): "a"}
    assert not rules.strata_solvable(50, 50, tiles)
    assert solve(one(strategies.strata(50, 50, tiles).text, "board.toml")) is None


# -- How many --------------------------------------------------------------


def latin(n: int) -> str:
    """Return the n x n Strimko with its rows as streams: its answers are the latin squares."""
    return toml(puzzle='"strimko"', streams=grid({(r, c): r for r, c in rectangle(n, n)}, rectangle(n, n), n, n))


def blank_sudoku(n: int) -> str:
    """Return a Sudoku without givens."""
    return toml(puzzle='"sudoku"', givens=grid({}, rectangle(n, n), n, n))


KNOWN = [
    # Latin squares of order n: https://oeis.org/A002860
    *((latin(n), number) for n, number in enumerate([1, 2, 12, 576], 1)),
    # Sudoku grids of 4x4: https://oeis.org/A107739
    (blank_sudoku(4), 288),
    # Four blocks, each a row of its own, so far apart that they do not touch: (1!)(2!)(3!)(4!)
    ('puzzle = "tectonic"\nblocks = """\nA # # #\n# # # #\nB B # #\n# # # #\nC C C #\n# # # #\nD D D D\n"""\n', 288),
    # n cells in a row, cut anywhere into as many colors as pieces: compositions of n with parts of at most 3, of
    # which no two may be alike, and here none are: https://oeis.org/A000073
    ('puzzle = "strips"\ntiles = "abcdefgh"\n', 81),
]


@pytest.mark.parametrize(("text", "number"), KNOWN, ids=[str(number) for _, number in KNOWN])
def test_counts_are_those_that_were_published(text: str, number: int) -> None:
    """Boards with a published number of answers have exactly that many."""
    assert exact_count(count(one(text))) == (number, True)


@pytest.mark.slow
@examples(20)
@given(
    strategies.tectonic_boards() | strategies.strips_boards() | strategies.strata_boards(),
    st.integers(1, 6),
    st.sampled_from([1, 2]),
)
def test_a_limited_count_is_exact_below_the_limit(
    board: NumberBoard | StripsBoard | StrataBoard, limit: int, threads: int
) -> None:
    """With a limit, the count is exact below it, and from there on never more than what is true."""
    instance = one(board.text)
    total = len(list(solutions(instance)))
    found = count(instance, limit, Settings(threads=threads))
    assert found.number == min(total, limit)
    assert not found.exact or total <= limit
    assert found.exact or total >= limit
    assert str(found) == (f"{total}" if found.exact else f"at least {limit}")


def test_counting_decodes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting makes no answers: neither are atoms taken from clingo, nor is a decoder called."""

    def never(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError

    # No other test has streams of these names, and so none gets the decoder that is cached here.
    instance = one("puzzle = 'strimko'\nstreams = '''\nK K L L\nK K L L\nM M N N\nM M N N\n'''")
    with monkeypatch.context() as patched:
        patched.setattr(Model, "symbols", never)
        patched.setattr(type(instance.puzzle.kind), "decoder", lambda *_: never)
        assert exact_count(count(instance)) == (288, True)
        assert exact_count(count(instance, 100)) == (100, False)


@pytest.mark.slow
def test_count_prints_a_number_for_each_board(tmp_path: Path) -> None:
    """`count` prints a number a board, with the board's name where a file has several; `--json` an object a line."""
    boards = "".join(f"[[board]]\ntitle = \"{i}\"\ntiles = '{tiles}'\n" for i, tiles in enumerate(["wb", "ww", "w"], 1))
    write(tmp_path, {"many.toml": 'puzzle = "strips"\n' + boards, "four.toml": blank_sudoku(4)})
    write(tmp_path, {"none.toml": "puzzle = 'strata'\ntiles = '''\na b\nb a\n'''\n"})  # 0 is a count like another
    assert printed("count", "none.toml", where=tmp_path) == "0\n"
    shown = printed("count", "four.toml", "many.toml", where=tmp_path)
    assert [line.split()[0] for line in shown.splitlines()] == ["288", "2", "1", "1"]
    assert [f"many.toml, board {i}" in shown.splitlines()[i] for i in (1, 2, 3)] == [True] * 3
    done = pyasp("count", "--json", "many.toml", "four.toml", "-n", "2", where=tmp_path)
    counts = objects(done.stdout)
    assert [(board["source"], board["board"]) for board in counts] == [
        *product(["many.toml"], (1, 2, 3)),
        ("four.toml", 1),
    ]
    assert [board["count"] for board in counts] == [2, 1, 1, 2]
    assert [board["exact"] for board in counts[1:]] == [True, True, False]
    done = pyasp("count", "four.toml", "-n", "5", where=tmp_path)
    assert (done.returncode, done.stdout) == (0, "at least 5\n")
