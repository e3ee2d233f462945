"""`check` of a puzzle: one answer, several or none; what is decided, what is possible, and which clues to drop."""

from itertools import combinations, islice, product
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pyasp_puzzles import Instance, Settings, Verdict, check, count, decided, possible, solutions

from . import plain, rules, strategies
from .command import objects, printed, pyasp
from .helpers import FOUR, not_none, one, only, status, write
from .rules import Cell, Lattice, Values
from .strategies import NumberBoard, StrataBoard, StripsBoard, examples, rectangle, toml

RANDOM = st.randoms(use_true_random=False)


def verdict(instance: Instance, answers: int) -> Verdict:
    """Return the verdict on a board, which is right about how many answers there are, and shows one or two of them."""
    started = monotonic()
    strata = instance.puzzle.name == "strata"
    found = check(instance, settings=Settings(timeout=5), distinct="lattices" if strata else None)
    late = monotonic() - started >= 5
    assert isinstance(found, Verdict)
    assert found.status == status(answers)
    assert len(found.answers) == len(set(found.answers)) == min(answers, 2)
    assert (found.decided is not None) == (answers > 0)
    if answers == 0:
        assert decided(instance) is None
        assert possible(instance) is None
        assert found.stuck or found.blamed or late  # the fewest rules to break may take long to find
    elif answers == 1:
        assert (found.differ, found.decided) == ((), found.cells)
    else:
        assert found.differ
        assert found.decided is not None
        assert found.decided + len(found.differ) <= found.cells  # a cell that differs is not the same in every answer
    return found


# -- Numbers ----------------------------------------------------------------------


@examples(24)
@given(strategies.number_boards())
def test_numbers(board: NumberBoard) -> None:
    """Of a board of numbers, status, decided and possible are those of its answers."""
    instance, answers = one(board.text), list(board.answers())
    found = verdict(instance, len(answers))
    assert all(plain.values(answer.json()) in answers for answer in found.answers)
    if answers:
        held = {cell: {answer[cell] for answer in answers} for cell in board.regions}
        same = {cell: min(values) for cell, values in held.items() if len(values) == 1}
        assert found.decided == len(same)
        assert found.cells == len(board.regions)
        assert plain.values(not_none(decided(instance)).json()) == same
        rows = enumerate(not_none(possible(instance)).json()["candidates"], 1)
        candidates = {(r, c): cell for r, row in rows for c, cell in enumerate(row, 1) if cell is not None}
        assert candidates == {cell: sorted(values) for cell, values in held.items()}


# -- Strips and ribbons -------------------------------------------------------------


@examples(12)
@given(strategies.strips_boards())
def test_strips(board: StripsBoard) -> None:
    """Of a board of strips, those decided lie in every answer, and those possible in some."""
    instance, answers = one(board.text), list(board.answers())
    found = verdict(instance, len(answers))
    assert all(frozenset(plain.strips(answer.json())) in answers for answer in found.answers)
    if answers:
        same = frozenset.intersection(*answers)
        assert set(plain.strips(not_none(decided(instance)).json())) == same
        assert set(plain.strips(not_none(possible(instance)).json())) == frozenset.union(*answers)
        assert found.cells == len(board.tiles)
        assert found.decided == sum(map(len, same))


def tops(lattice: Lattice) -> set[tuple[Cell, str]]:
    """Return who is on top in each cell."""
    return {((a[1], b[1]) if a[0] == "row" else (b[1], a[1]), a[0]) for a, b in lattice.over}


@examples(12)
@given(strategies.strata_boards())
def test_strata(board: StrataBoard) -> None:
    """Of a Strata board, who is on top where, and in which colour, as in every answer, or as in any."""
    instance, answers = one(board.text), list(board.answers())
    found = verdict(instance, len(answers))
    assert all(plain.identity(answer.json()) in answers for answer in found.answers)
    if not answers:
        return
    crossings, colors = [tops(answer) for answer in answers], [answer.colors for answer in answers]
    for answer, over, shown in (
        (decided(instance), set.intersection(*crossings), frozenset.intersection(*colors)),
        (possible(instance), set.union(*crossings), frozenset.union(*colors)),
    ):
        json: dict[str, Any] = not_none(answer).json()
        rows = enumerate(json["tops"], 1)
        assert {((r, c), top) for r, row in rows for c, cell in enumerate(row, 1) for top in cell} == over
        assert {((x["line"], x["index"]), color) for x in json["ribbons"] for color in x["colors"]} == shown
    assert found.cells == board.rows * board.columns
    assert check(instance).status == "solvable"


# -- Which clues to drop --------------------------------------------------------------


KEYS = {"tectonic": "blocks", "strimko": "streams", "sudoku": "regions"}


def smallest_repairs(board: NumberBoard, givens: Values) -> dict[frozenset[Cell], int]:
    """Return the smallest sets of givens without which there are answers, and how many, trying all; 1001 are many."""
    found: dict[frozenset[Cell], int] = {}
    for size in range(len(givens) + 1):
        for dropped in combinations(givens, size):
            left = {cell: value for cell, value in givens.items() if cell not in dropped}
            if number := sum(1 for _ in islice(board.answers(left), 1001)):
                found[frozenset(dropped)] = number
        if found:
            break
    return found


@examples(12)
@given(
    strategies.tectonic_boards() | strategies.strimko_boards(),
    RANDOM,
    st.sampled_from([1, 1, 1, 2, 3]),
)
def test_repair(board: NumberBoard, random: Random, times: int) -> None:
    """Where wrong clues leave no answer, every smallest repair is listed, with the number of answers it leaves."""
    puzzle = "tectonic" if board.tectonic else random.choice(["strimko", "sudoku"])
    answer = next(board.answers({}), {})
    assume(answer)
    givens = dict(random.sample(sorted(answer.items()), random.randint(0, min(5, len(answer)))))
    sizes = {region: len(cells) for region, cells in rules.members(board.regions).items()}
    for cell in random.sample(sorted(answer), min(times, len(answer))):
        wrong = [v for v in range(1, sizes[board.regions[cell]] + 1) if v != answer[cell]]
        givens[cell] = random.choice(wrong or [answer[cell]])
    helping = smallest_repairs(board, givens)
    assume(helping and frozenset() not in helping)
    found = verdict(one(strategies.numbers(puzzle, KEYS[puzzle], board.regions, givens).text), 0)
    told = {frozenset(cell for clue in repair.clues for cell in clue.cells): repair for repair in found.repairs}
    numbers = {cells: repair.answers.number for cells, repair in told.items()}
    assert numbers == {cells: min(number, 1000) for cells, number in helping.items()}
    assert all(repair.answers.exact or helping[cells] >= 1000 for cells, repair in told.items())
    assert list(numbers.values()) == sorted(numbers.values())
    for repair in found.repairs:
        assert bool(repair.instead) == (repair.answers.number == 1 and len(repair.clues) == 1)
    dropped = frozenset(cell for clue in found.blamed for cell in clue.cells)
    assert found.without is not None
    assert found.without == numbers[dropped]
    assert len(found.blamed) == len(dropped)
    for clue in found.blamed:
        ((r, c),) = clue.cells
        assert clue.rule == f"given({r},{c})"
        assert f"{givens[r, c]} in row {r}, column {c}" in clue.words


def test_repair_is_said(tmp_path: Path) -> None:
    """A mistyped clue is named as a person would, with how many answers there are without it."""
    givens = '"""\n1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 2\n"""'
    write(tmp_path, {"board.toml": toml(puzzle='"sudoku"', givens=givens)})
    shown = printed("check", "board.toml", where=tmp_path, code=1)
    assert shown == "board.toml\nNo answer.\nWithout the 2 in row 4, column 4 it has 1 answer, with a 1 there.\n"
    (board,) = objects(pyasp("check", "--json", "board.toml", where=tmp_path).stdout)
    assert board["status"] == "none"
    assert [clue["cells"] for clue in board["blamed"]] == [[[4, 4]]]
    assert board["without"] == {"count": 1, "exact": True}


@examples(20)
@given(strategies.tectonic_boards() | strategies.strips_boards())
def test_no_clue_to_blame(board: NumberBoard | StripsBoard) -> None:
    """Where a board has no answer whatever its clues, rules are named that would have to be broken, and no clue."""
    if isinstance(board, NumberBoard):
        board = NumberBoard(board.text.split("givens")[0], board.regions, {})
    assume(not any(True for _ in board.answers()))
    found = verdict(one(board.text), 0)
    assert found.blamed
    assert found.without is None
    assert not any(rule.rule.startswith("given") for rule in found.blamed)
    assert all(rule.words for rule in found.blamed)


# -- What to add, and what is good enough --------------------------------------------


@examples(8)
@given(strategies.sudoku_boards())
def test_clues_to_add(board: NumberBoard) -> None:
    """Of several answers, few numbers of the first one make it the only one; without any of them it is not."""
    assume(1 < sum(1 for _ in islice(board.answers(), 200)) < 200)
    instance = one(board.text)
    found = check(instance)
    assert found.status == "several"
    first = found.answers[0].cells()
    added = {entry.cells[0]: entry.value for entry in found.add}
    assert added
    assert added.items() <= first.items()
    answers = [answer.cells() for answer in solutions(instance)]
    for left in [added, *({c: v for c, v in added.items() if c != cell} for cell in added)]:
        agreeing = [answer for answer in answers if left.items() <= answer.items()]
        assert (agreeing == [first]) == (left == added)
    if len(added) <= 3:
        fewer = (dict(pairs) for pairs in combinations(first.items(), len(added) - 1))
        assert all(sum(pairs.items() <= answer.items() for answer in answers) > 1 for pairs in fewer)


def test_no_answer_whatever_the_clues(tmp_path: Path) -> None:
    """If no clue is to blame, the fewest rules to break are named, or rules that clash."""
    write(tmp_path, {"four.toml": FOUR})
    rules_ = ("--extra", "anti-knight", "--extra", "anti-king")
    done = pyasp("check", "four.toml", *rules_, where=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("four.toml\nNo answer.\n")
    assert "king(" in done.stdout


@pytest.mark.parametrize("name", ["strata/seed", "strata/six", "strata/rows"])
def test_strata_is_good_if_it_can_be_solved(name: str, tmp_path: Path) -> None:
    """A Strata board is good if it has an answer; the looks are counted, and an option demands a single one."""
    instance = only(name)
    found = check(instance)
    assert found.status == "solvable"
    assert found.looks == count(instance, 1000, distinct="looks")
    done = pyasp("check", name, where=tmp_path)
    assert done.returncode == 0
    assert "It can be solved." in done.stdout
    looks = count(instance, 2, distinct="looks").number
    assert pyasp("check", name, "--distinct", "looks", where=tmp_path).returncode == (0 if looks == 1 else 1)


def test_a_large_blank_board() -> None:
    """A blank Tectonic of 60x60 cells in blocks of five, which no default search solves in a minute, is solved."""
    rows = [" ".join(f"b{r}_{(c - 1) // 5}" for c in range(1, 61)) for r in range(1, 61)]
    instance = one('puzzle = "tectonic"\nblocks = """\n' + "\n".join(rows) + '\n"""\n')
    answer = next(solutions(instance, 1, Settings(timeout=50)))
    values = answer.cells()
    assert len(values) == 3600
    for r, c in rectangle(60, 60):
        near = [(r + y, c + x) for y, x in product((-1, 0, 1), repeat=2) if (y, x) > (0, 0)]
        assert all(values[r, c] != values.get(cell) for cell in near)
