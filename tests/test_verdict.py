"""`check` of a puzzle: one answer, several or none; what is decided, what is possible, and which clues to drop."""

from __future__ import annotations

from itertools import combinations
from time import monotonic
from typing import TYPE_CHECKING, Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pyasp_puzzles import Settings, Verdict, check, decided, possible
from pyasp_puzzles.puzzles.program import Question, ask

from . import plain, rules, strategies
from .command import objects, pyasp
from .helpers import one
from .strategies import NumberBoard, StrataBoard, StripsBoard, grid, toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from random import Random

    from pyasp_puzzles import Answer, Instance

    from .rules import Cell, Lattice, Values

RANDOM = st.randoms(use_true_random=False)
STATUS = {0: "none", 1: "unique"}


def said(answer: Answer | None) -> dict[str, Any]:
    """Return the JSON of an answer, which there is."""
    assert answer is not None
    return answer.json()


def clues_to_blame(instance: Instance) -> bool:
    """Tell whether there are clues to take back; if there are not, the fewest rules to break may take long to find."""
    return ask(instance, Settings(), Question((), ("repair",))).best() is not None


def verdict(instance: Instance, answers: int) -> Verdict:
    """Return the verdict on a board, which is right about how many answers there are, and shows one or two of them."""
    started = monotonic()
    strata = instance.puzzle.name == "strata"
    found = check(instance, settings=Settings(timeout=5), distinct="lattices" if strata else None)
    late = monotonic() - started >= 5
    assert isinstance(found, Verdict)
    assert found.status == STATUS.get(answers, "several")
    assert len(found.answers) == len(set(found.answers)) == min(answers, 2)
    assert (found.decided is not None) == (answers > 0)
    if answers == 0:
        assert decided(instance) is None
        assert possible(instance) is None
        assert found.stuck or found.blamed or (late and not clues_to_blame(instance))
    elif answers == 1:
        assert (found.differ, found.decided) == ((), found.cells)
    else:
        assert found.differ
        assert found.decided is not None
        assert found.decided + len(found.differ) <= found.cells  # a cell that differs is not the same in every answer
    return found


# -- Numbers ----------------------------------------------------------------------


def numbers_hold(board: NumberBoard, answers: list[Values]) -> None:
    """Check all that is said of a board of numbers against all of its answers."""
    instance = one(board.text)
    found = verdict(instance, len(answers))
    assert all(plain.values(answer.json()) in answers for answer in found.answers)
    if answers:
        held = {cell: {answer[cell] for answer in answers} for cell in board.regions}
        same = {cell: min(values) for cell, values in held.items() if len(values) == 1}
        assert found.decided == len(same)
        assert found.cells == len(board.regions)
        assert plain.values(said(decided(instance))) == same
        rows = enumerate(said(possible(instance))["candidates"], 1)
        candidates = {(r, c): cell for r, row in rows for c, cell in enumerate(row, 1) if cell is not None}
        assert candidates == {cell: sorted(values) for cell, values in held.items()}


@settings(max_examples=40)
@given(strategies.strimko_boards() | strategies.sudoku_boards())
def test_strimko(board: NumberBoard) -> None:
    """Of a Strimko or Sudoku, status, decided and possible are those of its answers."""
    numbers_hold(board, list(rules.strimko_answers(board.regions, board.givens)))


@settings(max_examples=40)
@given(strategies.tectonic_boards())
def test_tectonic(board: NumberBoard) -> None:
    """Of a Tectonic, status, decided and possible are those of its answers."""
    numbers_hold(board, list(rules.tectonic_answers(board.regions, board.givens)))


# -- Strips and ribbons -------------------------------------------------------------


@settings(max_examples=40)
@given(strategies.strips_boards())
def test_strips(board: StripsBoard) -> None:
    """Of a board of strips, those decided lie in every answer, and those possible in some."""
    instance = one(board.text)
    answers = list(rules.strips_answers(board.tiles, board.longest, board.listed))
    found = verdict(instance, len(answers))
    assert all(frozenset(plain.strips(answer.json())) in answers for answer in found.answers)
    if answers:
        same = frozenset.intersection(*answers)
        assert set(plain.strips(said(decided(instance)))) == same
        assert set(plain.strips(said(possible(instance)))) == frozenset.union(*answers)
        assert found.cells == len(board.tiles)
        assert found.decided == sum(map(len, same))


def tops(lattice: Lattice) -> set[tuple[Cell, str]]:
    """Return who is on top in each cell."""
    return {((a[1], b[1]) if a[0] == "row" else (b[1], a[1]), a[0]) for a, b in lattice.over}


@settings(max_examples=40)
@given(strategies.strata_boards())
def test_strata(board: StrataBoard) -> None:
    """Of a Strata board, who is on top where, and in which colour, as in every answer, or as in any."""
    instance = one(board.text)
    answers = list(rules.strata_answers(board.rows, board.columns, board.tiles))
    found = verdict(instance, len(answers))
    assert all(plain.told_apart(answer.json()) in answers for answer in found.answers)
    if not answers:
        return
    crossings, colors = [tops(answer) for answer in answers], [answer.colors for answer in answers]
    for answer, over, shown in (
        (decided(instance), set.intersection(*crossings), frozenset.intersection(*colors)),
        (possible(instance), set.union(*crossings), frozenset.union(*colors)),
    ):
        json = said(answer)
        rows = enumerate(json["tops"], 1)
        assert {((r, c), top) for r, row in rows for c, cell in enumerate(row, 1) for top in cell} == over
        assert {((x["line"], x["index"]), color) for x in json["ribbons"] for color in x["colors"]} == shown
    assert found.cells == board.rows * board.columns
    assert check(instance).status == "solvable"


# -- Which clues to drop --------------------------------------------------------------


def answers_to(puzzle: str, board: NumberBoard, givens: Values) -> Iterator[Values]:
    """Return an iterator over the answers of a board, by brute force, with these givens."""
    return (rules.tectonic_answers if puzzle == "tectonic" else rules.strimko_answers)(board.regions, givens)


def unique_clues(puzzle: str, board: NumberBoard, random: Random) -> Values | None:
    """Return givens that leave just one answer, and none of which is idle; None if the board has no answer."""
    answer = next(answers_to(puzzle, board, board.givens), None)
    if answer is None:
        return None
    clues = dict(answer)
    for cell in random.sample(sorted(clues), len(clues)):
        fewer = {other: value for other, value in clues.items() if other != cell}
        if sum(1 for _, _ in zip(answers_to(puzzle, board, fewer), range(2), strict=False)) == 1:
            clues = fewer
    return clues


def spoil(puzzle: str, board: NumberBoard, clues: Values, random: Random, times: int) -> Values:
    """Return the clues with as many of them wrong, or with as many wrong ones added."""
    answer = next(answers_to(puzzle, board, clues))
    blocks = rules.members(board.regions)
    spoilt = dict(clues)
    for cell in random.sample(sorted(answer), min(times, len(answer))):
        largest = len(blocks[board.regions[cell]])
        spoilt[cell] = random.choice([v for v in range(1, largest + 1) if v != answer[cell]] or [answer[cell]])
    return spoilt


def fewest(puzzle: str, board: NumberBoard, givens: Values) -> int | None:
    """Return how many givens must be dropped for the board to have an answer, trying all ways."""
    for size in range(len(givens) + 1):
        for dropped in combinations(givens, size):
            kept = {cell: value for cell, value in givens.items() if cell not in dropped}
            if next(answers_to(puzzle, board, kept), None) is not None:
                return size
    return None


KEYS = {"tectonic": "blocks", "strimko": "streams", "sudoku": "regions"}


@settings(max_examples=40)
@given(
    st.tuples(st.just("tectonic"), strategies.tectonic_boards())
    | st.tuples(st.just("strimko"), strategies.strimko_boards())
    | st.tuples(st.just("sudoku"), strategies.strimko_boards()),
    RANDOM,
    st.sampled_from([1, 1, 1, 2, 3]),
)
def test_repair(kind: tuple[str, NumberBoard], random: Random, times: int) -> None:
    """Where wrong clues make a good puzzle unsolvable, as few as possible are blamed, by cell and number.

    Without them there are as many answers as it says.
    """
    puzzle, board = kind
    clues = unique_clues(puzzle, board, random)
    assume(clues is not None)
    assert clues is not None
    givens = spoil(puzzle, board, clues, random, times)
    size = fewest(puzzle, board, givens)
    assume(size)
    rows, columns = (max(cell[i] for cell in board.regions) for i in (0, 1))
    cells = [*board.regions]
    keys = {KEYS[puzzle]: grid(board.regions, cells, rows, columns), "givens": grid(givens, cells, rows, columns)}
    found = verdict(one(toml(puzzle=f'"{puzzle}"', **keys)), 0)
    dropped = {cell for clue in found.blamed for cell in clue.cells}
    assert len(dropped) == len(found.blamed) == size
    assert {clue.rule for clue in found.blamed} == {f"given({r},{c})" for r, c in dropped}
    for clue in found.blamed:
        ((r, c),) = clue.cells
        assert f"{givens[r, c]} in row {r}, column {c}" in clue.words
    left = {cell: value for cell, value in givens.items() if cell not in dropped}
    answers = sum(1 for _ in answers_to(puzzle, board, left))
    assert found.without is not None
    assert found.without.number == min(answers, 1000)
    assert found.without.exact or answers >= 1000


def test_repair_is_said(tmp_path: Path) -> None:
    """The clue that spoils a puzzle is named as a person would, with how many answers there are without it."""
    givens = '"""\n1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 2\n"""'
    (tmp_path / "board.toml").write_text(toml(puzzle='"sudoku"', givens=givens), encoding="utf-8")
    done = pyasp("check", "board.toml", where=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "No answer.\nWithout the 2 in row 4, column 4 it has 1 answer, with a 1 there.\n" in done.stdout
    (board,) = objects(pyasp("check", "--json", "board.toml", where=tmp_path).stdout)
    assert board["status"] == "none"
    assert [clue["cells"] for clue in board["blamed"]] == [[[4, 4]]]
    assert board["without"] == {"count": 1, "exact": True}


@settings(max_examples=30)
@given(strategies.tectonic_boards() | strategies.strips_boards())
def test_no_clue_to_blame(board: NumberBoard | StripsBoard) -> None:
    """Where a board has no answer whatever its clues, rules are named that would have to be broken, and no clue."""
    if isinstance(board, NumberBoard):
        board = NumberBoard(board.text.split("givens")[0], board.regions, {})
        answers: Sequence[object] = list(rules.tectonic_answers(board.regions, {}))
    else:
        answers = list(rules.strips_answers(board.tiles, board.longest, board.listed))
    assume(not answers)
    found = verdict(one(board.text), 0)
    assert found.blamed
    assert found.without is None
    assert not any(rule.rule.startswith("given") for rule in found.blamed)
    assert all(rule.words for rule in found.blamed)
